//! The map of the chunks of A, each with the worst of what is in its cell.

use super::focus;
use crate::app::page::compare::described;
use crate::tui::prelude::*;

/// The map of the chunks, with the state of the one under the cursor on its right.
pub(super) fn map(
    page: &ComparePage,
    arrays: &ArrayPair,
    layout: &CompareLayout,
    width: usize,
) -> Vec<Line> {
    let fold = layout.fold(&arrays.counts);
    let many = if fold > 1 { format!("{fold}×{fold} chunks of A") } else { "a chunk of A".into() };
    let style = if focus(page, ComparisonPart::Chunks) { MARK } else { QUIET };
    let title = format!("chunks: a cell is {many}");
    let mut lines = vec![ruled(width, &title, style), fitted(legend(), width)];
    let (down, right) = page.axes();
    let count = |axis: Option<usize>| {
        axis.and_then(|axis| arrays.counts.get(axis)).map_or(1, |n| n.div_ceil(fold))
    };
    let (rows, columns) = (count(down), count(Some(right)));
    let cell =
        |axis: Option<usize>| axis.and_then(|axis| page.at.get(axis)).map_or(0, |at| at / fold);
    let here = (cell(down), cell(Some(right)));
    let wide = if columns * 2 <= layout.columns as u64 { 2 } else { 1 };
    let (rows, columns) = (rows.min(layout.map as u64), columns.min(layout.columns as u64));
    let mut cells = cells(page, arrays, rows, columns, fold).into_iter();
    let beside = to_usize(columns * wide + 12);
    let mut detail = detail(page, arrays, width.saturating_sub(beside)).into_iter();
    for row in 0..layout.map as u64 {
        let mut spans = Vec::new();
        if row < rows {
            let label = words::right(&row.saturating_mul(fold).to_string(), 6);
            spans.push(quiet(format!("{label}  ")));
        }
        for column in 0..if row < rows { columns } else { 0 } {
            let (sign, style) = sign(cells.next().unwrap_or_default());
            let style = if (row, column) == here { CURSOR } else { style };
            spans.push(styled(sign, style));
            spans.push(Span::raw(if wide == 2 { " " } else { "" }));
        }
        if let Some(text) = detail.next() {
            let used: usize = spans.iter().map(Span::width).sum();
            spans.extend([Span::raw(" ".repeat(beside.saturating_sub(used))), text]);
        }
        lines.push(Line::from(spans));
    }
    lines
}

/// The state of the chunk under the cursor, in a few lines of so many columns.
fn detail(page: &ComparePage, arrays: &ArrayPair, width: usize) -> Vec<Span> {
    const LEAST: usize = 20;
    if width < LEAST {
        return Vec::new();
    }
    let at = &page.at;
    let block = arrays.blocks.get(at).copied();
    let key = page.values.as_ref().map(|values| format!("   A {}", values.key));
    let at = arrays.only.as_ref().map_or(at, |only| &only.coordinates);
    let head = format!("chunk {}{}", list(at), key.unwrap_or_default());
    let head = wrap(&head, width).into_iter().take(1);
    let rest = described(block, arrays.verdict(at));
    let rest = rest.iter().flat_map(|text| wrap(text, width)).take(4);
    head.map(|text| styled(left(&text, width), STRONG)).chain(rest.map(Span::raw)).collect()
}

/// The worst of the chunks in each cell of the map, row by row.
fn cells(
    page: &ComparePage,
    arrays: &ArrayPair,
    rows: u64,
    columns: u64,
    fold: u64,
) -> Vec<BlockVerdict> {
    let (down, right) = page.axes();
    let last = |axis: Option<usize>, cell: u64| {
        let count = axis.and_then(|axis| arrays.counts.get(axis)).copied().unwrap_or(1);
        cell.saturating_mul(fold).saturating_add(fold).min(count).saturating_sub(1)
    };
    let mut at = page.at.clone();
    let mut put = |axis: Option<usize>, to: u64| {
        if let Some(place) = axis.and_then(|axis| at.get_mut(axis)) {
            *place = to;
        }
        at.clone()
    };
    let mut cells = Vec::new();
    for row in 0..rows {
        put(down, last(down, row));
        for column in 0..columns {
            let corner = put(Some(right), last(Some(right), column));
            let is_known = arrays.is_compared(&corner) && !arrays.is_forgotten(&corner);
            cells.push(if is_known { BlockVerdict::Equal } else { BlockVerdict::Unknown });
        }
    }
    for (chunk, block) in arrays.blocks_of_plane(&page.at) {
        let cell =
            |axis: Option<usize>| axis.and_then(|axis| chunk.get(axis)).map_or(0, |at| at / fold);
        let (row, column) = (cell(down), cell(Some(right)));
        let place = to_usize(row * columns + column);
        if let Some(place) = cells.get_mut(place).filter(|_| column < columns) {
            *place = (*place).max(block.verdict());
        }
    }
    cells
}

/// The sign of what a chunk is.
pub(super) fn sign(verdict: BlockVerdict) -> (&'static str, Style) {
    match verdict {
        BlockVerdict::Unknown => (signs::MORE, QUIET),
        BlockVerdict::Equal => (signs::SAME, FINE),
        BlockVerdict::Neither => (signs::MISSING, QUIET),
        BlockVerdict::OnlyA => ("A", WARNING),
        BlockVerdict::OnlyB => ("B", WARNING),
        BlockVerdict::Different => (signs::DIFFERENT, WARNING),
        BlockVerdict::Unreadable => (signs::ERROR, FAILURE),
    }
}

fn legend() -> Line {
    let all = [
        (BlockVerdict::Equal, "equal"),
        (BlockVerdict::Different, "different"),
        (BlockVerdict::OnlyA, "only in A"),
        (BlockVerdict::OnlyB, "only in B"),
        (BlockVerdict::Neither, "in neither"),
        (BlockVerdict::Unreadable, "unreadable"),
    ];
    let mut spans = Vec::new();
    for (verdict, text) in all {
        let (sign, style) = sign(verdict);
        let gap = if spans.is_empty() { " " } else { "   " };
        spans.push(styled(format!("{gap}{sign}"), style));
        spans.push(quiet(format!(" {text}")));
    }
    Line::from(spans)
}
