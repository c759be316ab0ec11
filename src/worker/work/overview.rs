//! Counting what is in a group or a folder: first which children there are, then what is stored of each.

use super::TELLING;
use crate::worker::prelude::*;
use crate::{
    app::page::overview::{ChunkCount, MOST_ROWS, OverviewRow, Overviewed, RowFigures, count},
    zarr::census::Census,
};

/// The number of rows told at once.
const BATCH: usize = 200;

/// Lists the children of `path` and counts the chunks below each, until `stop` says that nobody wants to know.
pub(super) fn overview(
    hierarchy: &Hierarchy,
    path: &NodePath,
    stop: &dyn Fn() -> bool,
    say: &mut dyn FnMut(Answer),
) -> Result<()> {
    let (mut batch, mut found, mut others) = (Vec::new(), 0, 0);
    let listed = hierarchy.visit_children(path, &mut |node| {
        if found == MOST_ROWS {
            others += 1;
        } else {
            found += 1;
            batch.push(OverviewRow::of(&node));
        }
        if batch.len() == BATCH {
            say(Answer::Overviewed(Overviewed::Rows(mem::take(&mut batch))));
        }
        !stop()
    });
    say(Answer::Overviewed(Overviewed::Rows(batch)));
    listed?;
    measure(hierarchy, path, others, stop, say)
}

/// Counts the chunks below each child, in the order of the rows.
fn measure(
    hierarchy: &Hierarchy,
    path: &NodePath,
    others: u64,
    stop: &dyn Fn() -> bool,
    say: &mut dyn FnMut(Answer),
) -> Result<()> {
    let mut figures: Vec<RowFigures> = Vec::new();
    let (mut rest, mut row, mut told) = (Census::default(), 0, Instant::now());
    hierarchy.visit_children(path, &mut |node| {
        let (census, counted) = count(hierarchy, node, &mut |census| {
            if told.elapsed() >= TELLING && row < MOST_ROWS {
                told = Instant::now();
                let census = Box::new(census.clone());
                let counted = ChunkCount::SoFar;
                figures.push(RowFigures { row, census, counted });
                say(Answer::Overviewed(Overviewed::Figures(mem::take(&mut figures))));
            }
            !stop()
        });
        if row < MOST_ROWS {
            figures.push(RowFigures { row, census: Box::new(census), counted });
        } else {
            rest.add(&census);
        }
        if told.elapsed() >= TELLING {
            told = Instant::now();
            say(Answer::Overviewed(Overviewed::Figures(mem::take(&mut figures))));
        }
        row += 1;
        !stop()
    })?;
    say(Answer::Overviewed(Overviewed::Figures(figures)));
    if others > 0 {
        say(Answer::Overviewed(Overviewed::Others(others, Box::new(rest))));
    }
    Ok(())
}
