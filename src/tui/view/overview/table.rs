//! The rows of the overview in columns: as many columns as there is room for, the most telling ones first.

use crate::tui::prelude::*;
use crate::{app::page::overview::OverviewRow, tui::view::tree::short_name, zarr::sizes::Sizes};

/// The content of a column.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OverviewColumn {
    Name,
    Type,
    Shape,
    ChunkShape,
    Format,
    Arrays,
    Chunks,
    Stored,
    Raw,
    Ratio,
    Codecs,
    Fill,
    ByteOrder,
    Metadata,
}

/// Of arrays, in the order in which they stand; and which go first where there is no room.
const OF_ARRAYS: &[OverviewColumn] = &[
    OverviewColumn::Name,
    OverviewColumn::Type,
    OverviewColumn::Shape,
    OverviewColumn::ChunkShape,
    OverviewColumn::Chunks,
    OverviewColumn::Stored,
    OverviewColumn::Raw,
    OverviewColumn::Ratio,
    OverviewColumn::Codecs,
    OverviewColumn::Fill,
];
const OF_GROUPS: &[OverviewColumn] = &[
    OverviewColumn::Name,
    OverviewColumn::Format,
    OverviewColumn::Arrays,
    OverviewColumn::Chunks,
    OverviewColumn::Stored,
    OverviewColumn::Ratio,
    OverviewColumn::ByteOrder,
    OverviewColumn::Metadata,
];
/// Left out one after the other until the rest fits.
const LEAST: [OverviewColumn; 10] = [
    OverviewColumn::Fill,
    OverviewColumn::ChunkShape,
    OverviewColumn::Codecs,
    OverviewColumn::Raw,
    OverviewColumn::Shape,
    OverviewColumn::ByteOrder,
    OverviewColumn::Format,
    OverviewColumn::Chunks,
    OverviewColumn::Ratio,
    OverviewColumn::Metadata,
];

impl OverviewColumn {
    fn is_right(self) -> bool {
        matches!(self, Self::Arrays | Self::Chunks | Self::Stored | Self::Raw | Self::Ratio)
    }

    fn head(self, page: &OverviewPage, is_folder: bool) -> &'static str {
        let arrays = page.rows.iter().filter(|row| row.is_array()).count();
        match self {
            Self::Name if is_folder && arrays == 0 => "store",
            Self::Name if arrays == page.rows.len() => "array",
            Self::Name if arrays == 0 => "group",
            Self::Name => "name",
            Self::Type => "type",
            Self::Shape => "shape",
            Self::ChunkShape => "chunk shape",
            Self::Fill => "fill value",
            Self::Format => "format",
            Self::Arrays => "arrays",
            Self::Chunks => "chunks",
            Self::Stored => "stored",
            Self::Raw => "raw",
            Self::Ratio => "ratio",
            Self::Codecs => "codecs",
            Self::ByteOrder => "byte order",
            Self::Metadata => "metadata",
        }
    }

    /// The text of the column for a row.
    fn cell(self, row: &OverviewRow) -> (String, Style) {
        let plain = |text: String| (text, theme::PLAIN);
        let sizes = |text: fn(&Sizes) -> String| {
            let least = if row.counted == ChunkCount::SoFar { "≥ " } else { "" };
            match (row.sizes(), row.counted) {
                (Some(sizes), _) => {
                    plain(format!("{least}{}", text(sizes).trim_start_matches(least)))
                }
                (None, ChunkCount::Failed) => (NONE.into(), theme::QUIET),
                (None, _) => ("…".into(), theme::QUIET),
            }
        };
        match self {
            Self::Name => plain(row.name()),
            Self::Type => (type_words(row), theme::TYPE),
            Self::Shape => plain(shape_words(row)),
            Self::ChunkShape if row.chunk_shape.is_empty() => (NONE.into(), theme::QUIET),
            Self::ChunkShape => plain(row.chunk_shape.to_string()),
            Self::Fill => plain(row.fill.as_deref().unwrap_or(NONE).to_owned()),
            Self::Format => plain(row.census.formats().into()),
            Self::Arrays => plain(grouped(row.census.arrays)),
            Self::Chunks => sizes(chunk_words),
            Self::Stored => sizes(Sizes::stored_words),
            Self::Raw => sizes(|sizes| match sizes.raw.filter(|_| sizes.objects > 0) {
                Some(raw) => size(u64::try_from(raw).unwrap_or(u64::MAX)),
                None => NONE.into(),
            }),
            Self::Ratio if row.counted == ChunkCount::SoFar => ("…".into(), theme::QUIET),
            Self::Ratio => sizes(|sizes| sizes.ratio().map_or_else(|| NONE.into(), words::ratio)),
            Self::Codecs => plain(row.codecs.to_string()),
            Self::ByteOrder => plain(order_words(row)),
            Self::Metadata => metadata_words(row),
        }
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
        (0, 0) if is_whole => ("✓".into(), theme::FINE),
        (0, 0) => ("…".into(), theme::QUIET),
        (0, warnings) => (format!("! {}", grouped(warnings)), theme::WARNING),
        (errors, 0) => (format!("✗ {}", grouped(errors)), theme::FAILURE),
        (errors, warnings) => {
            (format!("✗ {}  ! {}", grouped(errors), grouped(warnings)), theme::FAILURE)
        }
    }
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
    let all = if page.rows.iter().any(OverviewRow::is_array) { OF_ARRAYS } else { OF_GROUPS };
    let columns = fitted(page, is_folder, all, &rows, width);
    let mut lines = vec![headings(page, is_folder, &columns)];
    let cursor = page.scroll.cursor();
    lines.extend(
        rows.iter().map(|&(at, row)| line(row, (at == cursor).then_some(focused), &columns, width)),
    );
    lines
}

/// The columns that there is room for, each with its width. The last one takes what is left.
fn fitted(
    page: &OverviewPage,
    is_folder: bool,
    all: &[OverviewColumn],
    rows: &[(usize, &OverviewRow)],
    width: usize,
) -> Vec<(OverviewColumn, usize)> {
    // Cursor and sign are before the name.
    const MARKS: usize = 3;
    let widest = |column: OverviewColumn| {
        let most = if column == OverviewColumn::Name { width * 2 / 5 } else { 40 };
        let cells = rows.iter().map(|(_, row)| column.cell(row).0.width());
        cells.chain([column.head(page, is_folder).width()]).max().unwrap_or(0).min(most)
    };
    let mut columns: Vec<(OverviewColumn, usize)> =
        all.iter().map(|&column| (column, widest(column))).collect();
    let needed = |columns: &[(OverviewColumn, usize)]| -> usize {
        MARKS + columns.iter().map(|(_, width)| width + 2).sum::<usize>() - 2
    };
    for least in LEAST {
        let over = needed(&columns).saturating_sub(width);
        if over == 0 {
            break;
        }
        // Codecs may be cut; what is left of them must still say something.
        if let Some((_, codecs)) = columns.iter_mut().find(|(column, _)| *column == least)
            && least == OverviewColumn::Codecs
            && *codecs >= over + 10
        {
            *codecs -= over;
            break;
        }
        columns.retain(|(column, _)| *column != least);
    }
    columns
}

fn headings(page: &OverviewPage, is_folder: bool, columns: &[(OverviewColumn, usize)]) -> Line {
    let mut text = "   ".to_owned();
    for &(column, width) in columns {
        let head = column.head(page, is_folder);
        text += &if column.is_right() { right(head, width) } else { left(head, width) };
        text += "  ";
    }
    Line::styled(text.trim_end().to_owned(), theme::QUIET)
}

fn line(
    row: &OverviewRow,
    cursor: Option<bool>,
    columns: &[(OverviewColumn, usize)],
    width: usize,
) -> Line {
    let sign = match &row.node.what {
        What::Broken(_) => Span::styled(signs::ERROR, theme::FAILURE),
        What::Unread(_) => Span::styled(signs::LIMIT, theme::WARNING),
        _ if row.census.errors > 0 => Span::styled("✗", theme::FAILURE),
        _ if row.census.warnings > 0 => Span::styled("!", theme::WARNING),
        What::Array { is_sharded: true, .. } => theme::quiet("▦"),
        _ => Span::from(" "),
    };
    let mut spans = vec![theme::mark(cursor.is_some()), sign, Span::from(" ")];
    for &(column, columns) in columns {
        let (text, style) = column.cell(row);
        if column == OverviewColumn::Name {
            let shown = cut(&text, columns);
            let gap = " ".repeat(columns.saturating_sub(shown.width()) + 2);
            spans.extend([Span::styled(shown, theme::row(cursor)), Span::from(gap)]);
            // A broken node has a reason in place of figures.
            if let What::Broken(why) | What::Unread(why) = &row.node.what {
                let style = spans.get(1).map(|sign| sign.style).unwrap_or_default();
                let used: usize = spans.iter().map(Span::width).sum();
                spans.push(Span::styled(cut(why, width.saturating_sub(used)), style));
                break;
            }
            continue;
        }
        let text = if column.is_right() { right(&text, columns) } else { left(&text, columns) };
        spans.push(Span::styled(format!("{text}  "), style));
    }
    Line::from(spans)
}
