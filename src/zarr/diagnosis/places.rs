//! Chunk keys in another order, and elements that are transposed where lengths do not show it: told by the borders of chunks, across which values that were measured go on.

use super::prelude::*;
use super::{
    accidents::jumps_inside,
    keys,
    misplaced::{borders, misplaced, moves, repeated, shuffled},
    otherwise,
    reading::continued,
    units,
};

/// Arrays of more dimensions are not put into every order.
const DIMENSIONS: usize = 4;
/// The cause of values that do not go on from chunk to chunk.
pub(super) fn diagnose(
    case: &Case,
    samples: &[Sample],
    blocks: &AdjacentChunks,
) -> Option<Diagnosis> {
    let declared = blocks.declared();
    let seams = blocks.seams(&declared, None);
    if blocks.all.len() <= 2 {
        return otherwise::appended(case, samples, blocks, &seams);
    }
    let known = Continuity::of(&seams);
    let all = known.is_broken_often().then(|| rearranged(case, samples, blocks, &declared, known));
    all.flatten()
        .or_else(|| misplaced(case, samples, blocks, &seams))
        .or_else(|| shuffled(case, blocks, &seams))
        .or_else(|| otherwise::appended(case, samples, blocks, &seams))
        .or_else(|| otherwise::rougher(case, samples, blocks))
        .or_else(|| units::diagnose(case, samples, blocks, &seams))
        .or_else(|| repeated(case, samples, blocks))
}

/// The cause that either an order or the keys are another.
const EITHER: &str = "transposed/either";

/// Another order of all chunks, or of the elements in each.
struct OrderCandidate {
    cause: &'static str,
    sentence: String,
    what_if: Option<WhatIf>,
    how: SeamArrangement,
    /// True if no border tells it from another cause: what would mend the one would not mend the other.
    is_open: bool,
}

/// The bits by which a few borders must jump more than the steps beside them: four times as far.
const HARD: f64 = 2.0;

/// The cause, if all chunks go on into each other once the keys, or the elements, are in another order.
fn rearranged(
    case: &Case,
    samples: &[Sample],
    blocks: &AdjacentChunks,
    declared: &SeamArrangement,
    known: Continuity,
) -> Option<Diagnosis> {
    // In another order most borders break, or those that do break hard: a few small steps are what values do.
    if known.broken * 2 < known.of && known.gap < HARD {
        return None;
    }
    let breaks = chance_of_breaks(known.broken, breaks_elsewhere(blocks, declared)?);
    let mut candidates = moved_keys(case, declared);
    candidates.extend(orders(blocks, declared));
    let count = candidates.len();
    let tried = candidates.into_iter().map(|candidate| {
        let found = Continuity::of(&blocks.seams(&candidate.how, None));
        (candidate, found)
    });
    let is_due = |candidate: &OrderCandidate| {
        takes_apart_what_is_broken(blocks, declared, &candidate.how)
            && Claim { blocks, how: &candidate.how, tried: count, breaks }.is_no_accident(case)
            && is_as_smooth(case, samples, blocks, candidate.what_if.as_ref())
    };
    let mut mended: Vec<(OrderCandidate, Continuity)> =
        tried.filter(|(candidate, found)| found.mends(&known) && is_due(candidate)).collect();
    mended.sort_by(|a, b| a.1.excess.total_cmp(&b.1.excess));
    let mut mended = mended.into_iter();
    let ((mut best, found), next, more) = (mended.next()?, mended.next(), mended.next());
    if more.is_some() {
        return None;
    }
    if let Some((next, _)) = next {
        // Where every other order mends as much, a few borders that break are chance.
        best = either(case, declared, best, next).filter(|_| known.broken * 6 >= known.of)?;
    }
    let OrderCandidate { cause, sentence, what_if, how, is_open } = best;
    let diagnosis = Diagnosis::new(cause, sentence).because(borders(known)).because(format!(
        "Read that way, values jump at {} of {} borders.",
        found.broken, found.of
    ));
    if let Some(what_if) = what_if {
        let found = what_if.mending(case.array, diagnosis);
        // Of two causes, one may be tried, but no edit is proposed.
        return Some(if is_open { found.unmended() } else { found });
    }
    if is_open {
        return Some(diagnosis);
    }
    Some(mended_by_renames(diagnosis, &keys::to_keys(case, &moves(case, blocks, &how))))
}

/// The number of jumps of values inside of chunks along the axes of which borders are broken, and of places; `None` where they do
/// so as much as at borders: such are rows of two instruments.
fn breaks_elsewhere(blocks: &AdjacentChunks, declared: &SeamArrangement) -> Option<(usize, usize)> {
    let seams = blocks.seams(declared, None);
    let axes: Vec<usize> =
        seams.iter().filter(|seam| seam.is_broken()).map(|seam| seam.axis).collect();
    let own: Vec<&Seam> = seams.iter().filter(|seam| axes.contains(&seam.axis)).collect();
    let (jumps, of) = jumps_inside(blocks, &own);
    (jumps * 2 * own.len() <= axes.len() * of).then_some((jumps, of))
}

/// True if steps inside of the chunks, read with other settings, are as small as they are as declared: values that only rise
/// and fall back at the borders of chunks are as they should be.
fn is_as_smooth(
    case: &Case,
    samples: &[Sample],
    blocks: &AdjacentChunks,
    what_if: Option<&WhatIf>,
) -> bool {
    /// The bits that say nothing.
    const ALIKE: f64 = 0.05;
    let Some(what_if) = what_if else { return true };
    let other = || AdjacentChunks::of(case, &case.supposing(what_if)?, samples)?.steps_in_all();
    other().zip(blocks.steps_in_all()).is_some_and(|(other, declared)| other <= declared + ALIKE)
}

/// Both an order and keys, which no border tells from each other: both together would transpose the whole array.
fn either(
    case: &Case,
    declared: &SeamArrangement,
    best: OrderCandidate,
    next: OrderCandidate,
) -> Option<OrderCandidate> {
    if next.cause == best.cause {
        return None;
    }
    // Other keys are no setting.
    let (order, keys) = if best.what_if.is_some() { (best, next) } else { (next, best) };
    let sentence = format!(
        "The chunks and the chunk grid are transposed relative to each other: either the elements or the dimensions of \
         the chunk keys are in another order than declared. Read with {}, the values are right, or the whole array is \
         transposed.",
        order.what_if.as_ref().map(WhatIf::to_string).unwrap_or_default()
    );
    let places = declared.places.iter().zip(&keys.how.places).filter(|(from, to)| from != to);
    let moved: Vec<String> = places.map(|(from, _)| case.layout.key(from)).collect();
    let sentence = match moved.as_slice() {
        // Of two files, a mistake in copying is as likely.
        [one, other] => {
            format!("{one} and {other} are in each other's place; or {}", continued(&sentence))
        }
        _ => sentence,
    };
    let what_if = order.what_if;
    Some(OrderCandidate { cause: EITHER, sentence, what_if, is_open: true, ..keys })
}

/// True if most borders of blocks that are no neighbours any more in another arrangement are broken in the declared one.
fn takes_apart_what_is_broken(
    blocks: &AdjacentChunks,
    declared: &SeamArrangement,
    how: &SeamArrangement,
) -> bool {
    let kept: Vec<(usize, usize)> =
        blocks.seams(how, None).iter().map(|seam| seam.blocks).collect();
    let is_apart = |seam: &Seam| {
        let (a, b) = seam.blocks;
        !kept.contains(&(a, b)) && !kept.contains(&(b, a))
    };
    let mut apart = blocks.seams(declared, None);
    apart.retain(is_apart);
    apart.iter().filter(|seam| seam.is_broken()).count() * 2 >= apart.len()
}

/// Other keys: what is said of them, and the chunk that each of them is.
fn keys_as(
    declared: &SeamArrangement,
    sentence: String,
    to: &dyn Fn(&[u64]) -> Vec<u64>,
) -> OrderCandidate {
    let places = declared.places.iter().map(|at| to(at)).collect();
    let how = SeamArrangement { places, strides: None };
    OrderCandidate { cause: "chunk-keys/order", sentence, what_if: None, how, is_open: false }
}

/// Keys with the dimensions in another order, counted backwards, or sorted as texts. (Of keys that are counted from another
/// chunk, one border tells, and so does that of longitudes from another meridian on.)
fn moved_keys(case: &Case, declared: &SeamArrangement) -> Vec<OrderCandidate> {
    let counts = &case.layout.counts;
    let orders = if counts.len() <= DIMENSIONS { permutations(counts.len()) } else { Vec::new() };
    let mut found = Vec::new();
    for order in orders.iter().skip(1) {
        if reordered(counts, order) == *counts {
            let example: Vec<u64> = (0..counts.len() as u64).collect();
            let sentence = format!(
                "The chunk keys list the dimensions in another order: chunk {} is stored under {}.",
                list(&reordered(&example, order)),
                case.layout.encoding.key(&example)
            );
            found.push(keys_as(declared, sentence, &|at| reordered(at, order)));
        }
    }
    let along = counts.iter().zip(0..).flat_map(|(&count, axis)| keys_along(declared, axis, count));
    found.extend(along);
    found
}

/// Keys that are other ones along one of the dimensions.
fn keys_along(declared: &SeamArrangement, axis: usize, count: u64) -> Vec<OrderCandidate> {
    let mut found = Vec::new();
    let mut along = |what: &str, is_open: bool, to: &dyn Fn(u64) -> u64| {
        let moved = |at: &[u64]| {
            let place = at.iter().enumerate();
            place.map(|(k, &n)| if k == axis { to(n) } else { n }).collect()
        };
        let sentence = format!("The chunk keys of dimension {axis} {what}.");
        found.push(OrderCandidate { is_open, ..keys_as(declared, sentence, &moved) });
    };
    // Three borders in a row may all fit by accident: pixels of a sky in nested order jump at each quarter of it.
    if count > 2 && declared.places.len() > 4 {
        // Chunks that are upside down have the same borders.
        let backwards =
            "count backwards, or the elements in each chunk are in the reverse order along it";
        along(backwards, true, &|n| count.saturating_sub(n + 1));
    }
    if (11..=4096).contains(&count) {
        let mut names: Vec<u64> = (0..count).collect();
        names.sort_by_key(u64::to_string);
        let index = |n: u64| names.iter().position(|name| *name == n).map_or(n, |at| at as u64);
        along("were assigned in text order (0, 1, 10, …): key 10 holds chunk 2", false, &index);
        along(
            "number the chunks in text order (0, 1, 10, …): key 2 holds chunk 10",
            false,
            &|n| usize::try_from(n).ok().and_then(|n| names.get(n).copied()).unwrap_or(n),
        );
    }
    found
}

/// The elements of each chunk in another order of the dimensions.
fn orders(blocks: &AdjacentChunks, declared: &SeamArrangement) -> Vec<OrderCandidate> {
    let Some(shape) = blocks.all.first().map(|block| block.elements.shape()) else {
        return Vec::new();
    };
    if shape.len() > DIMENSIONS {
        return Vec::new();
    }
    let candidate = |order: Vec<usize>| {
        let (mut strides, mut step) = (vec![0; shape.len()], 1_u64);
        for &axis in order.iter().rev() {
            *strides.get_mut(axis)? = step;
            step = step.checked_mul(*shape.get(axis)?)?;
        }
        let (words, what_if) = order_words(&order);
        let sentence =
            format!("The elements of the chunks are not in the declared order, but in {words}.");
        let is_new = blocks.all.first()?.elements.strides() != strides;
        let how = SeamArrangement { strides: Some(strides), places: declared.places.clone() };
        let what_if = Some(what_if);
        is_new.then_some(OrderCandidate {
            cause: "order/by-borders",
            sentence,
            what_if,
            how,
            is_open: false,
        })
    };
    permutations(shape.len()).into_iter().filter_map(candidate).collect()
}
