//! Objects of labels that end along straight lines, all over an image: it was segmented block by block.

use super::label;
use crate::zarr::conventions::prelude::*;

/// A line between two rows or columns of a page of labels.
struct Line {
    at: usize,
    /// The elements that are of objects on both sides, and of different ones.
    both: usize,
    different: usize,
    /// The elements that are of an object on one side only, and on none.
    one: usize,
    none: usize,
}

/// The warning on labels of which objects on both sides of a few lines, evenly apart, are different ones, though their outlines go on.
pub(in crate::zarr::conventions) fn check(related: &Related) -> Option<Problem> {
    /// The shortest side of a page.
    const SHORTEST: u64 = 64;
    let group = related.group()?;
    let node = related.hierarchy.node(&group);
    let image = OmeGroup::of(related.hierarchy, &group, &node.kind).filter(OmeGroup::is_image)?;
    let is_label = group.parent().is_some_and(|parent| parent.name() == "labels")
        || image.ome.has("image-label");
    let (first, _) = is_label.then(|| label::first_level(&image))??;
    (image.target(first.as_str()?)? == *related.path && related.is_integer()).then_some(())?;
    let (leading, page) = related.array.known_shape()?.split_last_chunk::<2>()?;
    page.iter().all(|side| *side >= SHORTEST).then_some(())?;
    let middle: Vec<u64> = leading.iter().map(|length| length / 2).collect();
    let [rows, columns] = page.map(|side| usize::try_from(side).unwrap_or(0));
    let labels = related.slice(&middle)?;
    let of_rows = lines(&labels, rows, columns, &|line, at| line * columns + at);
    let of_columns = lines(&labels, columns, rows, &|line, at| at * columns + line);
    let cut = [cut(&of_rows), cut(&of_columns)];
    let words = |lines: &[&Line], what: &str| {
        let places = lines.iter().map(|line| line.at).joined(", ");
        (!lines.is_empty()).then(|| format!("{what} {places}"))
    };
    let places = [words(&cut[0], "rows"), words(&cut[1], "columns")];
    let all = || cut.iter().flatten();
    let sum = |lines: &mut dyn Iterator<Item = &Line>| {
        lines.fold((0, 0), |(some, of), line| (some + line.different, of + line.both))
    };
    let (different, both) = sum(&mut all().copied());
    let (others, of) = sum(&mut of_rows.iter().chain(&of_columns));
    let sentence = format!(
        "labels change at {}: across these lines, {} neighbours in objects have different labels, elsewhere {}",
        places.into_iter().flatten().joined(" and "),
        out_of(different, both),
        out_of(others - different, of - both)
    );
    let fix = "Likely cause: the image was segmented block by block, and objects on their borders were not joined: each is counted as two.";
    related.warning_if(all().count() > 1, sentence, fix)
}

/// The lines of a page, of which `place` gives the elements.
fn lines(
    labels: &[f64],
    count: usize,
    length: usize,
    place: &dyn Fn(usize, usize) -> usize,
) -> Vec<Line> {
    let label = |line: usize, at: usize| labels.get(place(line, at)).copied().unwrap_or(0.0);
    let is_object = |label: f64| label.abs() > 0.0;
    let line = |at: usize| {
        let mut line = Line { at, both: 0, different: 0, one: 0, none: 0 };
        for along in 0..length {
            let [before, after] = [label(at - 1, along), label(at, along)];
            match (is_object(before), is_object(after)) {
                (true, true) => {
                    line.both += 1;
                    line.different += usize::from(before.total_cmp(&after).is_ne());
                }
                (false, false) => line.none += 1,
                _ => line.one += 1,
            }
        }
        line
    };
    (1..count).map(line).collect()
}

/// The lines at which objects are cut, where these are every so manieth, and no others are so: of a page of regions that touch each
/// other, outlines do not go on across, or there is no ground between them.
fn cut(lines: &[Line]) -> Vec<&Line> {
    /// The fewest elements of a line that tell, and lines of a block.
    const FEW: usize = 16;
    const BLOCK: usize = 24;
    /// The share that is all of them, what is usual elsewhere, and the least ground.
    const ALL: f64 = 0.97;
    const USUAL: f64 = 0.3;
    const GROUND: f64 = 0.1;
    let share = |some: usize, of: usize| some as f64 / of.max(1) as f64;
    let is_known = |line: &&Line| line.both >= FEW;
    let is_cut = |line: &&Line| is_known(line) && share(line.different, line.both) >= ALL;
    let found: Vec<&Line> = lines.iter().filter(is_cut).collect();
    let block = found.first().map_or(0, |line| line.at);
    let is_border = |line: &&Line| line.at.is_multiple_of(block.max(1));
    let are_borders = found.iter().all(is_border)
        && lines.iter().filter(is_border).filter(is_known).count() == found.len();
    let rest = || lines.iter().filter(|line| !is_border(line));
    let sum = |of: &dyn Fn(&Line) -> usize| rest().map(of).sum::<usize>();
    let elsewhere = share(sum(&|line| line.different), sum(&|line| line.both));
    let goes_on = |line: &&Line| {
        let all = line.both + line.one + line.none;
        line.one <= line.both && share(line.none, all) >= GROUND
    };
    let is_told = block >= BLOCK && are_borders && elsewhere <= USUAL && found.iter().all(goes_on);
    if is_told { found } else { Vec::new() }
}
