//! Two columns, V2 and V3, with a sign between them for what happens on the way from one to the other.

use crate::{
    tui::{theme, view::text},
    zarr::{Format, spelling::Row},
};
use ratatui::{
    buffer::Buffer,
    layout::Rect,
    text::{Line, Span},
    widgets::Widget,
};
use unicode_width::UnicodeWidthStr;

/// Rows of the twin columns below their heads.
#[derive(Debug)]
pub struct Twins<'a> {
    /// The rows.
    pub rows: &'a [Row],
    /// Which format is stored; `None` where neither is.
    pub stored: Option<Format>,
}

impl Widget for Twins<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        let columns = Columns::fit(self.rows, area.width.into());
        let mut lines = area.rows();
        if let Some(head) = lines.next() {
            self.head(&columns).render(head, buf);
        }
        let wraps = self.height(area.width.into()) <= area.height.into();
        for row in self.rows {
            let [v2, v3] = columns.cells(row);
            let count = if wraps { v2.len().max(v3.len()) } else { 1 };
            for at in 0..count {
                let Some(line) = lines.next() else { return };
                let cell = |cell: &[String], whole: &str| {
                    if wraps { cell.get(at).cloned().unwrap_or_default() } else { whole.to_owned() }
                };
                let cells = [cell(&v2, &row.v2), cell(&v3, &row.v3)];
                columns.row(row, at == 0, &cells).render(line, buf);
            }
        }
    }
}

impl Twins<'_> {
    /// How many lines it takes at `width` columns if no cell is cut, the heads included.
    #[must_use]
    pub fn height(&self, width: usize) -> usize {
        let columns = Columns::fit(self.rows, width);
        let lines = |row: &Row| columns.cells(row).map(|lines| lines.len()).into_iter().max();
        1 + self.rows.iter().filter_map(lines).sum::<usize>()
    }

    fn head(&self, columns: &Columns) -> Line<'static> {
        let name = |format: Format| match self.stored {
            None => format.name().to_owned(),
            Some(stored) if stored == format => format!("{}  ● as stored", format.name()),
            Some(_) => format!("{}  ○ as it would be written", format.name()),
        };
        let left = " ".repeat(1 + columns.label + 2);
        let text =
            format!("{left}{}   {}", text::left(&name(Format::V2), columns.v2), name(Format::V3));
        Line::styled(text, theme::TITLE)
    }
}

/// How wide each column is.
struct Columns {
    label: usize,
    v2: usize,
    v3: usize,
}

impl Columns {
    /// As wide as the rows want. Where that is too wide, the wider of the two gives way.
    fn fit(rows: &[Row], width: usize) -> Self {
        let widest =
            |text: fn(&Row) -> &str| rows.iter().map(|row| text(row).width()).max().unwrap_or(0);
        let label = widest(|row| &row.label).clamp(14, 20);
        let room = width.saturating_sub(1 + label + 2 + 3);
        let (mut v2, mut v3) = (widest(|row| &row.v2), widest(|row| &row.v3));
        if v2 + v3 > room {
            let half = room / 2;
            v2 = v2.min(half.max(room.saturating_sub(v3)));
        } else {
            v2 = v2.max(room / 2).min(room - v3);
        }
        v3 = room - v2;
        Self { label, v2, v3 }
    }

    /// Both cells, wrapped to their columns.
    fn cells(&self, row: &Row) -> [Vec<String>; 2] {
        [text::wrap(&row.v2, self.v2), text::wrap(&row.v3, self.v3)]
    }

    fn row(&self, row: &Row, first: bool, [v2, v3]: &[String; 2]) -> Line<'static> {
        let (label, sign) = if first { (row.label.as_str(), row.join.sign()) } else { ("", ' ') };
        Line::from(vec![
            Span::styled(format!(" {}  ", text::left(label, self.label)), theme::QUIET),
            Span::raw(text::left(v2, self.v2)),
            Span::styled(format!(" {sign} "), theme::join(row.join)),
            Span::raw(text::cut(v3, self.v3)),
        ])
    }
}
