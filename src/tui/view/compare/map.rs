//! The map of the chunks of A, each with the worst of what is in its cell.

use super::{LineOf, detail, focus};
use crate::tui::prelude::*;
use crate::{
    app::{
        layout::CompareLayout,
        page::compare::{ArrayPair, BlockVerdict, ComparePage, ComparisonPart},
    },
    tui::view::rule,
};

pub(super) fn map(
    page: &ComparePage,
    arrays: &ArrayPair,
    layout: &CompareLayout,
    top: usize,
    line: LineOf<'_>,
    buf: &mut Buffer,
) {
    let fold = layout.fold(&arrays.counts);
    let many = if fold > 1 { format!("{fold}×{fold} chunks of A") } else { "a chunk of A".into() };
    let style = if focus(page, ComparisonPart::Chunks) { theme::MARK } else { theme::QUIET };
    rule(line(top), &format!("chunks: a cell is {many}"), style, buf);
    fitted(legend(), line(top + 1).width.into()).render(line(top + 1), buf);
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
    for row in 0..rows {
        let area = line(top + 2 + usize::try_from(row).unwrap_or(0));
        let label = words::right(&row.saturating_mul(fold).to_string(), 6);
        let mut spans = vec![theme::quiet(format!("{label}  "))];
        for column in 0..columns {
            let (sign, style) = sign(cells.next().unwrap_or_default());
            let style = if (row, column) == here { theme::CURSOR } else { style };
            spans.push(Span::styled(sign, style));
            spans.push(Span::raw(if wide == 2 { " " } else { "" }));
        }
        Line::from(spans).render(area, buf);
    }
    detail(page, arrays, columns * wide + 12, line(top + 2), buf);
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
        BlockVerdict::Unknown => (signs::MORE, theme::QUIET),
        BlockVerdict::Equal => (signs::SAME, theme::FINE),
        BlockVerdict::Neither => (signs::MISSING, theme::QUIET),
        BlockVerdict::OnlyA => ("A", theme::WARNING),
        BlockVerdict::OnlyB => ("B", theme::WARNING),
        BlockVerdict::Different => (signs::DIFFERENT, theme::WARNING),
        BlockVerdict::Unreadable => (signs::ERROR, theme::FAILURE),
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
        spans.push(Span::styled(format!("{gap}{sign}"), style));
        spans.push(theme::quiet(format!(" {text}")));
    }
    Line::from(spans)
}
