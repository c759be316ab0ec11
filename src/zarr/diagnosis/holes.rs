//! Parts of chunks that hold the fill value and end where the chunk does, in data that have no others: writers that each
//! read a chunk, filled in their part and wrote the whole. What one of them wrote in between is lost.

use super::{prelude::*, seams::DecodedChunk};
use crate::zarr::metadata::Meant;

/// The fewest elements of a part that tell.
const FEW: u64 = 4;
/// The most elements of a chunk that are looked at.
const MOST: u64 = 1 << 18;
/// The shortest part that is told to be a writer's.
const PART: u64 = 3;
/// The fewest borders of chunks that parts stop at: two may be those of tiles that nobody measured.
const STOPS: usize = 3;
/// The most borders of parts along a dimension of a chunk.
const BORDERS: usize = 3;
/// Of fewer different values, parts that hold one of them say nothing.
const VARIED: usize = 32;

/// A chunk, and which of its elements hold the fill value.
struct ChunkHoles<'b> {
    block: &'b DecodedChunk,
    /// The part of the array that it covers, as indices along each dimension.
    region: Vec<Range<u64>>,
    /// True for each element in the array, in C order, that holds the fill value.
    filled: Vec<bool>,
    /// The indices along each dimension at which the fill value begins or ends.
    borders: Vec<Vec<u64>>,
}

/// The number of borders of chunks that parts end at, and of those that they go on across.
#[derive(Default)]
struct Ends {
    stop: usize,
    go_on: usize,
}

/// The cause, if parts of some chunks hold the fill value: parts of a length that all of them have in common, which end at
/// the borders of chunks though the values of the neighbours go on, where no tile of that length ends.
///
/// A fill value that says itself that there are no data says little of a part that holds it, for tiles without data look
/// the same: an array beside must have data there, or so many parts end at multiples of one length that no border of chunks
/// can be a border of such tiles.
pub(super) fn diagnose(case: &Case, blocks: &AdjacentChunks) -> Option<Diagnosis> {
    let is_no_data = is_no_data(case, &case.array.fill_scalar()?);
    let by_sibling = || is_no_data.then(|| without_data(case, blocks)).flatten();
    lost_parts(case, blocks, is_no_data).or_else(by_sibling)
}

/// The cause by the lengths of the parts alone.
fn lost_parts(case: &Case, blocks: &AdjacentChunks, is_no_data: bool) -> Option<Diagnosis> {
    /// One in how many lengths would fit by accident.
    const FITTING: f64 = 100.0;
    let is_varied = |block: &&DecodedChunk| {
        let few = usize::try_from(block.elements.len() / 4).unwrap_or(VARIED);
        block.variety() >= VARIED.min(few)
    };
    if blocks.all.iter().filter(is_varied).count() * 2 < blocks.all.len() {
        return None;
    }
    let chunks: Vec<ChunkHoles<'_>> =
        blocks.all.iter().map(|block| ChunkHoles::of(case, block)).collect::<Option<_>>()?;
    let holed: Vec<&ChunkHoles> = chunks.iter().filter(|chunk| chunk.is_holed()).collect();
    let tiles = tiles(&holed);
    let chance = tiles.as_ref().map_or(1.0, |tiles| accidents(tiles, &holed));
    let is_certain = chance >= if is_no_data { 1e4 } else { 1e3 };
    // Parts that complete each other are no figure in the data.
    let is_tiled = chance >= FITTING || !is_no_data && are_both_ends(&holed);
    if is_no_data && !is_certain {
        return None;
    }
    let mut ends = Ends::default();
    for chunk in holed.iter().take_while(|_| !case.is_stopped()) {
        chunk.count_ends(&chunks, tiles.as_deref(), is_tiled, &mut ends);
    }
    // Where all are split alike, so may those be that are next to each other.
    let (parts, least) = match &tiles {
        Some(tiles) if is_certain => (multiples(tiles)?, ends.go_on),
        Some(tiles) => (multiples(tiles)?, ends.go_on * 2),
        None if holed.len() * 2 <= chunks.len() => (split(&holed)?, ends.go_on),
        None => return None,
    };
    let few = if is_certain && !is_no_data { STOPS - 1 } else { STOPS };
    let are_cut = ends.stop >= few.max(least);
    if holed.len() < 2 || !are_cut || !is_small(&chunks) || !are_sudden(case, &holed) {
        return None;
    }
    let kind = if is_no_data { "race/lost-tiles" } else { "race/lost-parts" };
    let text = format!("All of them {parts}, as regions that tasks write do.");
    Some(told(case, kind, &holed, &ends, text))
}

/// One in how many lengths would have so many borders of parts at its multiples.
fn accidents(tiles: &[u64], holed: &[&ChunkHoles]) -> f64 {
    let along = |(axis, length): (usize, &u64)| {
        let borders = holed.iter().flat_map(|chunk| chunk.borders_in_array(axis));
        let different = borders.collect::<HashSet<u64>>().len();
        (*length as f64).powf(different.saturating_sub(1) as f64)
    };
    tiles.iter().enumerate().map(along).product()
}

/// True if some parts begin where their chunk does, and some end where it does.
fn are_both_ends(holed: &[&ChunkHoles]) -> bool {
    let of = |filled: Option<&bool>| filled == Some(&true);
    holed.iter().any(|chunk| of(chunk.filled.first()) && !of(chunk.filled.last()))
        && holed.iter().any(|chunk| of(chunk.filled.last()) && !of(chunk.filled.first()))
}

/// The cause, if parts of a few chunks have no data: each a run of steps of one chunk alone, up to its border, where the chunks
/// beside it and the same chunks of another array have data. An outage ends at no border of chunks along several dimensions,
/// and a tile that was not measured is missing from the other array as well.
fn without_data(case: &Case, blocks: &AdjacentChunks) -> Option<Diagnosis> {
    /// The fewest such chunks, of how many one may be, and the fewest of its faces that data are beyond.
    const FEWEST: usize = 3;
    const ONE_IN: usize = 3;
    const FACES: usize = 2;
    let chunks: Vec<ChunkHoles<'_>> =
        blocks.all.iter().map(|block| ChunkHoles::of(case, block)).collect::<Option<_>>()?;
    let holed: Vec<&ChunkHoles> = chunks.iter().filter(|chunk| chunk.is_holed()).collect();
    if holed.len() < FEWEST || holed.len() * ONE_IN > chunks.len() {
        return None;
    }
    let mut ends = Ends::default();
    for chunk in holed.iter().take_while(|_| !case.is_stopped()) {
        let mut own = Ends::default();
        chunk.count_ends(&chunks, None, false, &mut own);
        let is_run = chunk.borders.iter().map(Vec::len).sum::<usize>() == 1;
        (is_run && own.stop >= FACES).then_some(())?;
        ends.stop += own.stop;
        ends.go_on += own.go_on;
    }
    let others = full_siblings(case, &holed);
    let has = if others.len() == 1 { "has" } else { "have" };
    let text = format!("{} {has} data in all of them.", others.join(" and "));
    (ends.go_on * 4 <= ends.stop && !others.is_empty())
        .then(|| told(case, "race/lost-runs", &holed, &ends, text))
}

/// The arrays beside, of the same chunks, that have numbers in all of these: two of them at most.
fn full_siblings(case: &Case, holed: &[&ChunkHoles]) -> Vec<String> {
    const MOST: usize = 2;
    const SIBLINGS: usize = 50;
    let Some(group) = case.path.parent() else { return Vec::new() };
    let (mut found, mut left) = (Vec::new(), SIBLINGS);
    // What cannot be listed is told where it is listed.
    let _ = case.hierarchy.visit_children(&group, &mut |child| {
        let is_full = |array: &ArrayMetadata| {
            let is_alike = array.known_shape() == case.array.known_shape()
                && array.chunk_shape() == case.array.chunk_shape();
            let reader = ArrayReader::new(&*case.hierarchy.store, &child.path, array).ok();
            reader.filter(|_| is_alike && child.path != *case.path).is_some_and(|reader| {
                holed.iter().all(|chunk| {
                    let count = chunk.filled.len() as u64;
                    case.spend(count * 8) && has_numbers(&reader, array, &chunk.region, case)
                })
            })
        };
        if child.kind.array().is_some_and(is_full) {
            found.push(quoted(child.path.name()));
        }
        left -= 1;
        left > 0 && found.len() < MOST && !case.is_stopped()
    });
    found
}

/// True if all elements of a region are stored, and numbers that no attribute marks as missing.
fn has_numbers(
    reader: &ArrayReader,
    array: &ArrayMetadata,
    region: &[Range<u64>],
    case: &Case,
) -> bool {
    let packing = Packing::of(array);
    let is_number = |elements: &Elements, at| {
        elements.value(at).and_then(Result::ok).is_some_and(|it| {
            it.to_f64().is_some_and(f64::is_finite)
                && !matches!(packing.meant(&it), Meant::Missing(_))
        })
    };
    reader.pieces(region).all(|piece| match reader.load(&piece, &case.budget()) {
        PieceData::Stored(elements) => (0..elements.len()).all(|at| is_number(&elements, at)),
        PieceData::Missing | PieceData::Unreadable(_) => false,
    })
}

fn told(
    case: &Case,
    kind: &'static str,
    holed: &[&ChunkHoles],
    ends: &Ends,
    evidence: String,
) -> Diagnosis {
    let keys: Vec<String> = holed.iter().map(|chunk| case.layout.key(&chunk.block.at)).collect();
    let nowhere = if kind == "race/lost-parts" { ", which the data have nowhere else" } else { "" };
    let text = format!(
        "Parts of {} are lost: {} each have a region of fill values{nowhere}.",
        counted(keys.len(), "chunk"),
        named(&keys)
    );
    let lengths = case.array.chunk_shape().unwrap_or_default();
    Diagnosis::new(kind, text)
        .because(format!(
            "The regions stop {} times at a border between chunks, beyond which there are values again; they cross a \
             border {} times.",
            ends.stop, ends.go_on
        ))
        .because(evidence)
        .because("When two tasks write to one chunk at the same time, one overwrites the other's part.")
        .to_do(format!(
            "write these regions again, with writes that are aligned to the chunks {}",
            list(&lengths)
        ))
        .in_files(keys)
}

/// True for NaN, NaT, and what an attribute marks as missing.
fn is_no_data(case: &Case, fill: &Scalar) -> bool {
    let is_nan = fill.to_f64().is_some_and(f64::is_nan);
    is_nan || matches!(Packing::of(case.array).meant(fill), Meant::Missing(_))
}

/// True if at most half of all elements hold the fill value.
fn is_small(chunks: &[ChunkHoles<'_>]) -> bool {
    let (filled, all) = chunks
        .iter()
        .fold((0, 0), |(filled, all), chunk| (filled + chunk.count(), all + chunk.filled.len()));
    filled * 2 <= all
}

/// True if values beside the parts are as far from the fill value as others are: what rises from it, such as a sum
/// since midnight, holds it by itself.
fn are_sudden(case: &Case, holed: &[&ChunkHoles]) -> bool {
    /// The least distance of values beside the parts, as a share of that of all values.
    const SUDDEN: f64 = 0.25;
    let Some(fill) = case.array.fill_scalar().and_then(|fill| fill.to_f64()) else { return true };
    let (mut beside, mut all) = (Vec::new(), Vec::new());
    for chunk in holed {
        for (number, is_beside) in case.budget().while_wanted(chunk.others()) {
            let value = chunk.value(number).map(|value| (value - fill).abs());
            let value = value.filter(|value| value.is_finite());
            all.extend(value);
            beside.extend(value.filter(|_| is_beside));
        }
    }
    let medians = middle(beside).zip(middle(all));
    medians.is_none_or(|(beside, all)| beside >= SUDDEN * all)
}

impl<'b> ChunkHoles<'b> {
    /// `None` where the fill value is not in a few parts.
    fn of(case: &Case, block: &'b DecodedChunk) -> Option<Self> {
        let DecodedChunk { at, elements, .. } = block;
        let region = case.array.region(at)?;
        let fill = case.array.fill_scalar()?;
        if elements.len() > MOST || !case.spend(elements.len() * 8) {
            return None;
        }
        let lengths = lengths(&region);
        let total = order::total(&lengths)?;
        // Elements in the order of the array are found without their coordinates.
        let is_plain = elements.is_c_order() && elements.shape() == lengths;
        let position = |number: u128| match u64::try_from(number) {
            Ok(number) if is_plain => number,
            _ => elements.position(&order::coordinates(number, &lengths)),
        };
        let is_fill = |number: u128| {
            let value = elements.value(position(number));
            value.is_some_and(|value| value.is_ok_and(|it| it == fill))
        };
        let filled: Vec<bool> = case.budget().while_wanted(0..total).map(is_fill).collect();
        let borders = if filled.contains(&true) {
            borders(case, &filled, &lengths)
        } else {
            vec![Vec::new(); lengths.len()]
        };
        let are_few = borders.iter().all(|borders| borders.len() <= BORDERS);
        let chunk = Self { block, region, filled, borders };
        let count = chunk.count() as u64;
        (are_few && (count == 0 || count >= FEW)).then_some(chunk)
    }

    fn count(&self) -> usize {
        self.filled.iter().filter(|filled| **filled).count()
    }

    /// The elements that do not hold the fill value, and if a neighbour of each does.
    fn others(&self) -> impl Iterator<Item = (usize, bool)> {
        let lengths = lengths(&self.region);
        let numbers = (0..self.filled.len()).filter(|at| self.filled.get(*at) == Some(&false));
        numbers.map(move |number| {
            let at = order::coordinates(number as u128, &lengths);
            let mut step = 1;
            let mut is_beside = false;
            for (place, length) in at.iter().zip(&lengths).rev() {
                let filled =
                    |at: Option<usize>| at.and_then(|at| self.filled.get(at)) == Some(&true);
                is_beside |= *place > 0 && filled(number.checked_sub(step));
                is_beside |= place + 1 < *length && filled(number.checked_add(step));
                step *= usize::try_from(*length).unwrap_or(usize::MAX);
            }
            (number, is_beside)
        })
    }

    /// The value of an element.
    fn value(&self, number: usize) -> Option<f64> {
        let lengths = lengths(&self.region);
        let at = order::coordinates(number as u128, &lengths);
        self.block.elements.value(self.block.elements.position(&at))?.ok()?.to_f64()
    }

    /// True if a part of it, and not all, holds the fill value.
    fn is_holed(&self) -> bool {
        (1..self.filled.len()).contains(&self.count())
    }

    /// The indices of the array along a dimension at which the fill value begins or ends.
    fn borders_in_array(&self, axis: usize) -> impl Iterator<Item = u64> {
        let start = self.region.get(axis).map_or(0, |range| range.start);
        self.borders.get(axis).into_iter().flatten().map(move |border| border + start)
    }

    /// The elements along a border of the chunk: whether each holds the fill value.
    fn face(&self, axis: usize, at_end: bool) -> Vec<bool> {
        let lengths = lengths(&self.region);
        let length = |axis: &u64| usize::try_from(*axis).unwrap_or(usize::MAX);
        let along = lengths.get(axis).map_or(1, length).max(1);
        let inside: usize = lengths.iter().skip(axis + 1).map(length).product();
        let edge = if at_end { (along - 1) * inside } else { 0 };
        let planes = self.filled.chunks((along * inside).max(1));
        planes.filter_map(|plane| plane.get(edge..edge + inside)).flatten().copied().collect()
    }

    /// Counts the borders to other chunks at which parts of this one end, but none at which a tile of data ends too, and none
    /// along dimensions of which `is_tiled` says that nothing is known.
    fn count_ends(&self, chunks: &[Self], tiles: Option<&[u64]>, is_tiled: bool, ends: &mut Ends) {
        for (axis, at_end) in (0..self.region.len()).flat_map(|axis| [(axis, false), (axis, true)])
        {
            let border = self.region.get(axis).map(|it| if at_end { it.end } else { it.start });
            let tile = tiles.map(|tiles| tiles.get(axis).copied().unwrap_or(0));
            // A tile may be as long as a chunk where nothing says how long it is.
            let tells =
                !tile.is_some_and(|tile| tile == 0 || border.is_none_or(|it| it % tile == 0));
            if is_tiled && tile == Some(0) {
                continue;
            }
            let mut at = self.block.at.clone();
            let Some(place) = at.get_mut(axis) else { continue };
            *place = if at_end { *place + 1 } else { place.wrapping_sub(1) };
            let Some(next) = chunks.iter().find(|chunk| chunk.block.at == at) else { continue };
            // What nobody wrote to says nothing.
            if next.count() == next.filled.len() {
                continue;
            }
            let (here, there) = (self.face(axis, at_end), next.face(axis, !at_end));
            let beyond: Vec<bool> =
                here.iter().zip(&there).filter(|(here, _)| **here).map(|(_, it)| *it).collect();
            let filled = beyond.iter().filter(|filled| **filled).count();
            if !beyond.is_empty() {
                ends.go_on += usize::from(filled * 2 > beyond.len());
                ends.stop += usize::from(filled * 2 <= beyond.len() && tells);
            }
        }
    }
}

/// The indices along each dimension at which the fill value begins or ends somewhere.
fn borders(case: &Case, filled: &[bool], lengths: &[u64]) -> Vec<Vec<u64>> {
    let mut found = vec![Vec::new(); lengths.len()];
    for (number, here) in case.budget().while_wanted(filled.iter().enumerate()) {
        let at = order::coordinates(number as u128, lengths);
        let mut step = 1;
        for (axis, length) in lengths.iter().enumerate().rev() {
            let (Some(&n), Some(borders)) = (at.get(axis), found.get_mut(axis)) else { continue };
            let before = number.checked_sub(step).filter(|_| n > 0).and_then(|at| filled.get(at));
            if before.is_some_and(|before| before != here)
                && borders.len() <= BORDERS
                && !borders.contains(&n)
            {
                borders.push(n);
            }
            step *= usize::try_from(*length).unwrap_or(usize::MAX);
        }
    }
    found
}

/// The lengths of which all borders of the parts are multiples, one for each dimension, 0 for one without borders: there
/// parts are as long as the chunks.
fn tiles(holed: &[&ChunkHoles]) -> Option<Vec<u64>> {
    let along =
        |axis: usize| holed.iter().flat_map(|chunk| chunk.borders_in_array(axis)).fold(0, divisor);
    let found: Vec<u64> = (0..holed.first()?.region.len()).map(along).collect();
    found.iter().all(|length| *length == 0 || *length >= PART).then_some(found)
}

/// The evidence of such lengths.
fn multiples(tiles: &[u64]) -> Option<String> {
    let (axis, length) = tiles.iter().enumerate().find(|(_, length)| **length > 0)?;
    Some(format!("begin and end at multiples of {length} along dimension {axis}"))
}

/// The same, if all of these chunks are split at one and the same index.
fn split(holed: &[&ChunkHoles]) -> Option<String> {
    const FEWEST: usize = 3;
    let first = &holed.first()?.borders;
    let mut split = first.iter().enumerate().filter(|(_, borders)| !borders.is_empty());
    let (Some((axis, borders)), None) = (split.next(), split.next()) else { return None };
    let [at] = borders.as_slice() else { return None };
    (holed.len() >= FEWEST && holed.iter().all(|chunk| chunk.borders == *first))
        .then(|| format!("begin or end at index {at} of their chunk along dimension {axis}"))
}

/// The greatest common divisor.
fn divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { divisor(b, a % b) }
}
