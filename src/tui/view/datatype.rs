//! The name card: how V2 and V3 each write the array, row by row, and below it what the row under the cursor means.

use super::{
    explain,
    text::{cut, left},
};
use crate::{
    app::{App, Focus, chunks::strip::size, datatype::FRAME},
    tui::theme,
    zarr::{
        ArrayMetadata, Format,
        hierarchy::NodeKind,
        spelling::{Row, layout::inner_chunk_shape, times},
        text::safe,
    },
};
use ratatui::{
    buffer::Buffer,
    layout::Rect,
    style::Style,
    text::{Line, Span},
    widgets::Widget,
};
use unicode_width::UnicodeWidthStr;

/// The twin columns.
#[derive(Debug)]
pub struct DataTypeView<'a> {
    /// The state.
    pub app: &'a App,
}

/// Columns: label, V2, join, V3.
#[derive(Debug, Clone, Copy)]
struct Columns {
    label: usize,
    v2: usize,
    v3: usize,
}

impl Widget for DataTypeView<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        let page = &self.app.data_type;
        let Some(spelling) = &page.spelling else { return };
        let columns = Columns::of(page.rows(), area.width.into());
        let head = area.rows().zip(heads(self.app, spelling.stored, columns, area.width.into()));
        head.for_each(|(row, line)| line.render(row, buf));
        let list = Rect { y: area.y + FRAME, height: area.height.saturating_sub(FRAME), ..area };
        super::rule(Rect { y: list.y.saturating_sub(1), height: 1, ..area }, "", theme::QUIET, buf);
        let focused = self.app.focus == Focus::View;
        let height = rows_height(page.rows().len(), list.height.into());
        let visible = page.scroll.visible(height);
        let rows = page.rows().iter().enumerate().skip(visible.start).take(height);
        for ((at, row), line) in rows.zip(list.rows()) {
            let selected = at == page.scroll.cursor();
            columns.row(row, spelling.stored, selected, focused).render(line, buf);
        }
        let used = u16::try_from(height.min(page.rows().len())).unwrap_or(list.height) + 1;
        let panel = Rect {
            y: list.y + used.min(list.height),
            height: list.height.saturating_sub(used),
            ..area
        };
        self.panel(panel, buf);
    }
}

/// Rows of the list: all of them, but four lines are for the panel where they do not all fit with it.
fn rows_height(rows: usize, height: usize) -> usize {
    rows.min(height.saturating_sub(5).max(3))
}

impl DataTypeView<'_> {
    /// What the row under the cursor means.
    fn panel(&self, area: Rect, buf: &mut Buffer) {
        let Some(explanation) = self.app.data_type.explanation().filter(|_| area.height > 1) else {
            return;
        };
        let explained = crate::app::explained_row(&explanation);
        super::rule(Rect { height: 1, ..area }, &explained.title, theme::TITLE, buf);
        let inner = Rect {
            x: area.x + 2,
            y: area.y + 1,
            width: area.width.saturating_sub(4),
            height: area.height - 1,
        };
        let lines = explain::lines(&explained, inner.width.into());
        let more = lines.len() > inner.height.into();
        for (line, row) in lines.into_iter().zip(inner.rows()) {
            line.render(row, buf);
        }
        if more {
            let x = area.right().saturating_sub(12);
            buf.set_string(x, area.bottom() - 1, " K shows all ", theme::KEY);
        }
    }
}

/// What stands above the rows: the array in one line, and the heads of the columns.
fn heads(app: &App, stored: Format, columns: Columns, width: usize) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    if let Some(node) = app.node()
        && let NodeKind::Array(array) = &node.kind
    {
        lines.push(summary(app, array, width));
    }
    lines.push(Line::default());
    let cell = |format: Format| {
        if format == stored { "● as stored" } else { "○ as it would be written" }
    };
    let files = |format: Format| match format {
        Format::V2 => ".zarray + .zattrs",
        Format::V3 => "zarr.json",
    };
    let gap = " ".repeat(columns.label + 3);
    let style = |format: Format| if format == stored { theme::STRONG } else { theme::PLAIN };
    let head = |format: Format, room: usize| {
        Span::styled(left(&format!("{}  {}", format.name(), cell(format)), room), style(format))
    };
    lines.push(Line::from(vec![
        Span::from(gap.clone()),
        head(Format::V2, columns.v2 + 3),
        head(Format::V3, columns.v3),
    ]));
    lines.push(Line::from(vec![
        Span::from(gap),
        Span::styled(left(files(Format::V2), columns.v2 + 3), theme::QUIET),
        Span::styled(left(files(Format::V3), columns.v3), theme::QUIET),
    ]));
    lines
}

/// The array in one line: name, type, shape, chunks, how many are stored.
#[must_use]
pub fn summary(app: &App, array: &ArrayMetadata, width: usize) -> Line<'static> {
    let name = match app.node().map(|node| node.path.name()) {
        Some(name) if !name.is_empty() => safe(name).into_owned(),
        _ => app.root_name(),
    };
    let mut words = Vec::new();
    words.push(match array.data_type() {
        Some(data_type) => safe(&data_type.name()).into_owned(),
        None => "unknown data type".into(),
    });
    words.push(match &array.shape {
        Ok(shape) if shape.is_empty() => "0-d".into(),
        Ok(shape) => times(shape),
        Err(_) => "shape unknown".into(),
    });
    let inner = array.codecs.as_ref().ok().and_then(|specs| inner_chunk_shape(specs));
    let chunk =
        array.grid.as_ref().ok().and_then(|grid| grid.chunk_shape(&vec![0; grid.dimensions()]));
    match (chunk, inner) {
        (Some(chunk), Some(inner)) => {
            words.push(format!("shards {} of chunks {}", times(&chunk), times(&inner)));
        }
        (Some(chunk), None) if !chunk.is_empty() => words.push(format!("chunks {}", times(&chunk))),
        _ => {}
    }
    let presence = &app.chunks.presence;
    if presence.complete
        && let (Ok(grid), Ok(shape)) = (&array.grid, &array.shape)
        && let Some(total) = grid.total(shape)
    {
        words.push(format!("{} of {total} stored", presence.stored()));
        if presence.bytes() > 0 {
            words.push(size(presence.bytes()));
        }
    }
    let rest = cut(&words.join("  "), width.saturating_sub(name.width() + 4));
    Line::from(vec![
        Span::from(" "),
        Span::styled(cut(&name, width / 2), theme::TITLE),
        Span::from(format!("  {rest}")),
    ])
}

impl Columns {
    /// The widths that let most of the text be read at `width` columns.
    fn of(rows: &[Row], width: usize) -> Self {
        let widest =
            |text: fn(&Row) -> &str| rows.iter().map(|row| text(row).width()).max().unwrap_or(0);
        let label = widest(|row| &row.label).clamp(10, 18).min(width / 4);
        let room = width.saturating_sub(label + 7);
        let (v2, v3) = (widest(|row| &row.v2).max(22), widest(|row| &row.v3).max(22));
        let v2 = if v2 + v3 <= room { v2 } else { (room / 2).min(v2).max(room.saturating_sub(v3)) };
        Self { label, v2, v3: room.saturating_sub(v2) }
    }

    fn row(self, row: &Row, stored: Format, selected: bool, focused: bool) -> Line<'static> {
        let base = match (selected, focused) {
            (true, true) => theme::CURSOR,
            (true, false) => theme::CURSOR_AWAY,
            (false, _) => theme::PLAIN,
        };
        let cell = |format: Format, text: &str, room: usize| {
            let style = if format == stored { base } else { base.patch(Style::new()) };
            Span::styled(left(text, room), style)
        };
        Line::from(vec![
            Span::styled(if selected { "▌" } else { " " }, theme::MARK),
            Span::styled(left(&row.label, self.label), theme::QUIET),
            Span::from("  "),
            cell(Format::V2, &row.v2, self.v2),
            Span::from(" "),
            Span::styled(row.join.sign().to_string(), theme::join(row.join)),
            Span::from(" "),
            cell(Format::V3, &row.v3, self.v3),
        ])
    }
}
