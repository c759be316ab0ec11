//! The rows of the overview in columns: as many columns as there is room for, the most telling ones first.

use crate::tui::prelude::*;
use crate::tui::view::tree::short_name;

/// A column, declared once.
struct OverviewColumn {
    heading: &'static str,
    is_right: bool,
    rows: RowKind,
    /// Its turn to be left out where the rest does not fit; 0 for those that stay.
    turn: usize,
    cell: fn(&OverviewRow) -> (String, Style),
}

/// The rows that a column is for: where some are arrays, where none is, or both.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RowKind {
    Arrays,
    Groups,
    Both,
}
use RowKind::{Arrays, Both, Groups};

const fn column(
    heading: &'static str,
    is_right: bool,
    rows: RowKind,
    turn: usize,
    cell: fn(&OverviewRow) -> (String, Style),
) -> OverviewColumn {
    OverviewColumn { heading, is_right, rows, turn, cell }
}

/// The column that is cut before it is left out.
const CODECS: &str = "codecs";

/// The columns after the name.
static COLUMNS: [OverviewColumn; 13] = [
    column("type", false, Arrays, 0, |row| (type_words(row), TYPE)),
    column("shape", false, Arrays, 5, |row| plain(shape_words(row))),
    column("chunk shape", false, Arrays, 2, |row| match &*row.chunk_shape {
        "" => (NONE.into(), QUIET),
        shape => plain(shape),
    }),
    column("format", false, Groups, 7, |row| plain(row.census.formats())),
    column("arrays", true, Groups, 0, |row| plain(grouped(row.census.arrays))),
    column("chunks", true, Both, 8, |row| sizes(row, chunk_words)),
    column("stored", true, Both, 0, |row| sizes(row, Sizes::stored_words)),
    column("raw", true, Arrays, 4, |row| {
        sizes(row, |sizes| match sizes.raw.filter(|_| sizes.objects > 0) {
            Some(raw) => size(u64::try_from(raw).unwrap_or(u64::MAX)),
            None => NONE.into(),
        })
    }),
    column("ratio", true, Both, 9, |row| match row.counted {
        ChunkCount::SoFar => ("…".into(), QUIET),
        _ => sizes(row, |sizes| sizes.ratio().map_or_else(|| NONE.into(), words::ratio)),
    }),
    column(CODECS, false, Arrays, 3, |row| plain(&*row.codecs)),
    column("fill value", false, Arrays, 1, |row| plain(row.fill.as_deref().unwrap_or(NONE))),
    column("byte order", false, Groups, 6, |row| plain(order_words(row))),
    column("metadata", false, Groups, 10, metadata_words),
];

/// The heading of the names.
fn name_heading(page: &OverviewPage, is_folder: bool) -> &'static str {
    match page.rows.iter().filter(|row| row.is_array()).count() {
        0 if is_folder => "store",
        0 if !page.rows.is_empty() => "group",
        arrays if arrays == page.rows.len() => "array",
        _ => "name",
    }
}

fn plain(text: impl Into<String>) -> (String, Style) {
    (text.into(), PLAIN)
}

/// A figure of what is stored, as far as it is known.
fn sizes(row: &OverviewRow, text: fn(&Sizes) -> String) -> (String, Style) {
    let least = if row.counted == ChunkCount::SoFar { "≥ " } else { "" };
    match (row.sizes(), row.counted) {
        (Some(sizes), _) => plain(format!("{least}{}", text(sizes).trim_start_matches(least))),
        (None, ChunkCount::Failed) => (NONE.into(), QUIET),
        (None, _) => ("…".into(), QUIET),
    }
}

/// The sign for what is not applicable, or not to be known.
const NONE: &str = "–";

fn type_words(row: &OverviewRow) -> String {
    match &row.node.what {
        What::Array { data_type: Some((name, order)), .. } => match order {
            Some(order) => format!("{} {order}", short_name(name)),
            None => short_name(name),
        },
        What::Array { data_type: None, .. } => "unknown".into(),
        What::Group(_) => format!("group, {}", counted(row.census.arrays, "array")),
        What::Folder => format!("folder, {}", counted(row.census.arrays, "array")),
        What::Broken(_) | What::Unread(_) => row.node.word().into(),
    }
}

fn shape_words(row: &OverviewRow) -> String {
    match &row.node.what {
        What::Array { shape: Some(shape), .. } if shape.is_empty() => "scalar".into(),
        What::Array { shape: Some(shape), .. } => times(shape),
        What::Array { shape: None, .. } => "unknown".into(),
        _ => NONE.into(),
    }
}

fn chunk_words(sizes: &Sizes) -> String {
    match sizes.objects_total {
        Some(total) => format!("{} of {}", grouped(sizes.objects), grouped(total)),
        None => grouped(sizes.objects),
    }
}

fn order_words(row: &OverviewRow) -> String {
    let orders = row.census.byte_orders.sorted();
    let orders: Vec<_> =
        orders.into_iter().map(|(order, n)| format!("{order} {}", grouped(n))).collect();
    if orders.is_empty() { NONE.into() } else { orders.join("  ") }
}

/// The problems of the documents below a row.
fn metadata_words(row: &OverviewRow) -> (String, Style) {
    let (errors, warnings) = (row.census.errors + row.census.broken, row.census.warnings);
    let is_whole = matches!(row.counted, ChunkCount::Whole | ChunkCount::Failed);
    match (errors, warnings) {
        (0, 0) if is_whole => ("✓".into(), FINE),
        (0, 0) => ("…".into(), QUIET),
        (0, warnings) => (format!("! {}", grouped(warnings)), WARNING),
        (errors, 0) => (format!("✗ {}", grouped(errors)), FAILURE),
        (errors, warnings) => (format!("✗ {}  ! {}", grouped(errors), grouped(warnings)), FAILURE),
    }
}

/// The columns that there is room for, each with its width.
struct Fitted {
    name: usize,
    columns: Vec<(&'static OverviewColumn, usize)>,
}

/// The headings and `height` rows in `width` columns.
pub(super) fn table(
    page: &OverviewPage,
    is_folder: bool,
    height: usize,
    width: usize,
    focused: bool,
) -> Vec<Line> {
    let visible = page.scroll.visible(height);
    let rows: Vec<(usize, &OverviewRow)> =
        visible.filter_map(|at| Some((at, page.sorted_row(at)?))).collect();
    let name = name_heading(page, is_folder);
    let kind = if page.rows.iter().any(OverviewRow::is_array) { Arrays } else { Groups };
    let columns = COLUMNS.iter().filter(|column| [kind, Both].contains(&column.rows));
    let fitted = fitted(name, columns, &rows, width);
    let mut lines = vec![headings(name, &fitted)];
    let cursor = page.scroll.cursor();
    lines.extend(
        rows.iter().map(|&(at, row)| line(row, (at == cursor).then_some(focused), &fitted, width)),
    );
    lines
}

/// The columns that there is room for.
fn fitted(
    name: &str,
    columns: impl Iterator<Item = &'static OverviewColumn>,
    rows: &[(usize, &OverviewRow)],
    width: usize,
) -> Fitted {
    // Cursor and sign are before the name.
    const MARKS: usize = 3;
    let widest = |heading: &str, most: usize, cell: &dyn Fn(&OverviewRow) -> String| {
        widest(rows, |(_, row)| cell(row).width()).max(heading.width()).min(most)
    };
    let name = widest(name, width * 2 / 5, &OverviewRow::name);
    let columns = columns.map(|it| (it, widest(it.heading, 40, &|row| (it.cell)(row).0)));
    let mut columns: Vec<_> = columns.collect();
    let room = width.saturating_sub(MARKS + name);
    for turn in 1..=COLUMNS.len() {
        let needed: usize = columns.iter().map(|(_, width)| width + 2).sum();
        let over = needed.saturating_sub(room);
        if over == 0 {
            break;
        }
        // Codecs may be cut; what is left of them must still say something.
        let cut = columns.iter_mut().find(|(column, _)| column.turn == turn);
        if let Some((OverviewColumn { heading: CODECS, .. }, codecs)) = cut
            && *codecs >= over + 10
        {
            *codecs -= over;
            break;
        }
        columns.retain(|(column, _)| column.turn != turn);
    }
    Fitted { name, columns }
}

/// A text in its column, and the gap to the next one.
fn placed(column: &OverviewColumn, text: &str, width: usize) -> String {
    let text = if column.is_right { right(text, width) } else { left(text, width) };
    format!("{text}  ")
}

fn headings(name: &str, Fitted { name: width, columns }: &Fitted) -> Line {
    let mut text = format!("   {}  ", left(name, *width));
    for (column, width) in columns {
        text += &placed(column, column.heading, *width);
    }
    Line::styled(text.trim_end().to_owned(), QUIET)
}

fn line(row: &OverviewRow, cursor: Option<bool>, fitted: &Fitted, width: usize) -> Line {
    let sign = match &row.node.what {
        What::Broken(_) => styled(signs::ERROR, FAILURE),
        What::Unread(_) => styled(signs::LIMIT, WARNING),
        _ if row.census.errors > 0 => styled("✗", FAILURE),
        _ if row.census.warnings > 0 => styled("!", WARNING),
        What::Array { is_sharded: true, .. } => quiet("▦"),
        _ => Span::from(" "),
    };
    let style = sign.style;
    let name = cut(&row.name(), fitted.name);
    let gap = " ".repeat(fitted.name.saturating_sub(name.width()) + 2);
    let mut spans = vec![theme::mark(cursor.is_some()), sign, Span::from(" ")];
    spans.extend([styled(name, theme::row(cursor)), Span::from(gap)]);
    // A broken node has a reason in place of figures.
    if let What::Broken(why) | What::Unread(why) = &row.node.what {
        let used: usize = spans.iter().map(Span::width).sum();
        spans.push(styled(cut(why, width.saturating_sub(used)), style));
        return Line::from(spans);
    }
    for (column, width) in &fitted.columns {
        let (text, style) = (column.cell)(row);
        spans.push(styled(placed(column, &text, *width), style));
    }
    Line::from(spans)
}
