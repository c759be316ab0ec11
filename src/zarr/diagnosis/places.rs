//! Chunks in each other's place, copies of chunks, chunk keys in another order, and elements that are transposed where
//! lengths do not show it: told by the borders of chunks, across which values that were measured go on.

use super::{
    case::{Case, Sample, named},
    files::again,
    keys, neighbours, otherwise,
    permutations::permutations,
    seams::{AdjacentChunks, BROKEN, Continuity, Seam, SeamArrangement},
};
use crate::zarr::{
    error::Diagnosis,
    text::for_shell,
    what_if::WhatIf,
    words::{counted, grouped, list},
};
use std::collections::HashMap;

/// Arrays of more dimensions are not put into every order.
const DIMENSIONS: usize = 4;
/// The most chunks whose places are all changed with each other.
const EXCHANGED: usize = 6;
/// Of fewer different values, chunks that are alike say nothing where no neighbour tells.
const VARIED: usize = 64;
/// Of fewer different values, they say nothing at all.
const CLASSES: usize = 16;

/// The cause of values that do not go on from chunk to chunk.
pub(super) fn diagnose(case: &Case<'_>, samples: &[Sample]) -> Option<Diagnosis> {
    let blocks =
        AdjacentChunks::of(case, case.array, samples).filter(|blocks| blocks.all.len() > 2)?;
    let declared = blocks.declared();
    let seams = blocks.seams(&declared, None);
    let known = Continuity::of(&seams);
    let all = known.is_broken_often().then(|| rearranged(case, &blocks, (&declared, known)));
    all.flatten()
        .or_else(|| misplaced(case, samples, &blocks, &seams))
        .or_else(|| repeated(case, samples, &blocks))
}

/// The cause that either an order or the keys are another.
const EITHER: &str = "transposed";

/// Another order of all chunks, or of the elements in each.
struct OrderCandidate {
    cause: &'static str,
    sentence: String,
    settings: Option<String>,
    how: SeamArrangement,
    /// True if no border tells it from another cause: what would mend the one would not mend the other.
    is_open: bool,
}

/// The cause, if all chunks go on into each other once the keys, or the elements, are in another order.
fn rearranged(
    case: &Case<'_>,
    blocks: &AdjacentChunks,
    (declared, known): (&SeamArrangement, Continuity),
) -> Option<Diagnosis> {
    let candidates = moved_keys(case, declared).into_iter().chain(orders(blocks, declared));
    let tried = candidates.map(|candidate| {
        let found = Continuity::of(&blocks.seams(&candidate.how, None));
        (candidate, found)
    });
    let is_due = |how: &SeamArrangement| takes_apart_what_is_broken(blocks, declared, how);
    let mut mended: Vec<(OrderCandidate, Continuity)> =
        tried.filter(|(candidate, found)| found.mends(&known) && is_due(&candidate.how)).collect();
    mended.sort_by(|a, b| a.1.excess.total_cmp(&b.1.excess));
    let mut mended = mended.into_iter();
    let ((mut best, found), next, more) = (mended.next()?, mended.next(), mended.next());
    if more.is_some() {
        return None;
    }
    if let Some((next, _)) = next {
        best = either(best, next)?;
    }
    let OrderCandidate { cause, sentence, settings, how, is_open } = best;
    let mut diagnosis = Diagnosis::new(cause, sentence).because(borders(known)).because(format!(
        "Read that way, values jump at {} of {} borders.",
        found.broken, found.of
    ));
    if let Some(what_if) = settings.and_then(|settings| WhatIf::parse(&settings).ok()) {
        // Of two causes, one may be tried, but no edit is proposed.
        diagnosis.fix = what_if.fix(case.array).ok().filter(|_| !is_open);
        diagnosis.what_if = Some(what_if.to_string());
        return Some(diagnosis);
    }
    if is_open {
        return Some(diagnosis);
    }
    Some(diagnosis.mended_by(keys::commands(case, &moves(case, blocks, &how))))
}

/// Both an order and keys, which no border tells from each other: both together would transpose the whole array.
fn either(best: OrderCandidate, next: OrderCandidate) -> Option<OrderCandidate> {
    if next.cause == best.cause {
        return None;
    }
    let (order, keys) = if best.cause == "order" { (best, next) } else { (next, best) };
    let sentence = format!(
        "The chunks and the chunk grid are transposed relative to each other: either the elements or the dimensions of \
         the chunk keys are in another order than declared. Read with {}, the values are right, or the whole array is \
         transposed.",
        order.settings.as_deref().unwrap_or_default()
    );
    let settings = order.settings;
    Some(OrderCandidate { cause: EITHER, sentence, settings, is_open: true, ..keys })
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
    apart.iter().filter(|seam| seam.excess() > BROKEN).count() * 2 >= apart.len()
}

/// What is broken, in a sentence.
fn borders(known: Continuity) -> String {
    format!(
        "At {} of {} borders between chunks, values jump: they differ {} as much as on either side of the border.",
        known.broken,
        known.of,
        known.factor()
    )
}

/// The store key of each block, and the chunk that it is.
fn moves(
    case: &Case<'_>,
    blocks: &AdjacentChunks,
    how: &SeamArrangement,
) -> Vec<(String, Vec<u64>)> {
    let places = blocks.all.iter().zip(&how.places);
    places.map(|(block, place)| (case.layout.key(&block.at), place.clone())).collect()
}

/// Other keys: what is said of them, and the chunk that each of them is.
fn keys_as(
    declared: &SeamArrangement,
    sentence: String,
    to: &dyn Fn(&[u64]) -> Vec<u64>,
) -> OrderCandidate {
    let places = declared.places.iter().map(|at| to(at)).collect();
    let how = SeamArrangement { places, strides: None };
    OrderCandidate { cause: "chunk-keys", sentence, settings: None, how, is_open: false }
}

/// Keys with the dimensions in another order, counted backwards, from another chunk, or sorted as texts.
fn moved_keys(case: &Case<'_>, declared: &SeamArrangement) -> Vec<OrderCandidate> {
    let counts = &case.layout.counts;
    let orders = if counts.len() <= DIMENSIONS { permutations(counts.len()) } else { Vec::new() };
    let mut found = Vec::new();
    for order in orders.iter().skip(1) {
        let reordered =
            |at: &[u64]| order.iter().filter_map(|&axis| at.get(axis).copied()).collect::<Vec<_>>();
        if reordered(counts) == *counts {
            let example: Vec<u64> = (0..counts.len() as u64).collect();
            let sentence = format!(
                "The chunk keys list the dimensions in another order: chunk {} is stored under {}.",
                list(&reordered(&example)),
                case.layout.encoding.key(&example)
            );
            found.push(keys_as(declared, sentence, &reordered));
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
    if count > 2 {
        // Chunks that are upside down have the same borders.
        let backwards =
            "count backwards, or the elements in each chunk are in the reverse order along it";
        along(backwards, true, &|n| count.saturating_sub(n + 1));
        along("are one too low: the last key holds the first chunk", false, &|n| (n + 1) % count);
        along("are one too high: the first key holds the last chunk", false, &|n| {
            (n + count - 1) % count
        });
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
        let (words, settings) = super::permutations::order_words(&order);
        let sentence =
            format!("The elements of the chunks are not in the declared order, but in {words}.");
        let is_new = blocks.all.first()?.elements.strides() != strides;
        let how = SeamArrangement { strides: Some(strides), places: declared.places.clone() };
        let settings = Some(settings);
        is_new.then_some(OrderCandidate { cause: "order", sentence, settings, how, is_open: false })
    };
    permutations(shape.len()).into_iter().filter_map(candidate).collect()
}

/// The cause of a few chunks of which no border fits, where those of the others do.
fn misplaced(
    case: &Case<'_>,
    samples: &[Sample],
    blocks: &AdjacentChunks,
    seams: &[Seam],
) -> Option<Diagnosis> {
    let count = blocks.all.len();
    let is_all = |broken: usize, of: usize| broken == of;
    let found = known_of(&odd_ones(count, seams, is_all), seams).and_then(|(odd, known)| {
        let found = copied(samples, blocks, seams, &odd)
            .or_else(|| exchanged(case, blocks, &odd, known))
            .or_else(|| of_another(case, samples, blocks, &odd))
            .or_else(|| otherwise::diagnose(case, samples, blocks, (&odd, known)))?;
        Some((found, known))
    });
    // A chunk in the wrong place may fit one of its neighbours by accident, and its neighbours may have no other.
    let found = found.or_else(|| {
        let is_half = |broken: usize, of: usize| broken * 2 >= of;
        let (odd, known) = known_of(&odd_ones(count, seams, is_half), seams)?;
        let found = copied(samples, blocks, seams, &odd)
            .or_else(|| exchanged(case, blocks, &odd, known))
            .or_else(|| of_another(case, samples, blocks, &odd))?;
        Some((found, known))
    });
    let found = found.or_else(|| of_another_array(case, samples, blocks, seams));
    found.map(|(diagnosis, known)| diagnosis.because(borders(known)))
}

/// The cause, if one of the chunks at the few broken borders is byte for byte one of another array: at the end of a row,
/// it has one border.
fn of_another_array(
    case: &Case<'_>,
    samples: &[Sample],
    blocks: &AdjacentChunks,
    seams: &[Seam],
) -> Option<(Diagnosis, Continuity)> {
    /// The bits that a border must be broken by where there is one.
    const CLEARLY: f64 = 3.0;
    let broken: Vec<Seam> = seams.iter().filter(|seam| seam.excess() > BROKEN).copied().collect();
    let known = Continuity::of(&broken);
    let mut at: Vec<usize> =
        broken.iter().flat_map(|seam| [seam.blocks.0, seam.blocks.1]).collect();
    at.sort_unstable();
    at.dedup();
    let is_clear = !broken.is_empty() && known.gap >= CLEARLY && broken.len() * 4 <= seams.len();
    let found = is_clear.then(|| of_another(case, samples, blocks, &at))??;
    Some((found, known))
}

/// The blocks of which so many seams are broken, of how many there are.
fn odd_ones(count: usize, seams: &[Seam], is_odd: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let test = |block: &usize| {
        let (broken, of) = broken(*block, seams);
        broken > 0 && is_odd(broken, of)
    };
    (0..count).filter(test).collect()
}

/// The seams of a block that are broken, of how many.
fn broken(block: usize, seams: &[Seam]) -> (usize, usize) {
    let own = || seams.iter().filter(|seam| seam.blocks.0 == block || seam.blocks.1 == block);
    (own().filter(|seam| seam.excess() > BROKEN).count(), own().count())
}

/// The odd blocks with how values go on into them, where those of the others do go on.
fn known_of(odd: &[usize], seams: &[Seam]) -> Option<(Vec<usize>, Continuity)> {
    let is_odd = |seam: &&Seam| odd.contains(&seam.blocks.0) || odd.contains(&seam.blocks.1);
    let touched: Vec<Seam> = seams.iter().filter(is_odd).copied().collect();
    let others: Vec<Seam> = seams.iter().filter(|seam| !is_odd(seam)).copied().collect();
    let (known, rest) = (Continuity::of(&touched), Continuity::of(&others));
    let stands_out = known.broken >= 2 && known.gap >= 1.0 && rest.broken * 4 <= rest.of;
    (!odd.is_empty() && stands_out).then(|| (odd.to_vec(), known))
}

/// The cause, if each odd chunk is byte for byte one that is in its place.
fn copied(
    samples: &[Sample],
    blocks: &AdjacentChunks,
    seams: &[Seam],
    odd: &[usize],
) -> Option<Diagnosis> {
    let source = |&copy: &usize| {
        let bytes = &samples.get(copy)?.bytes;
        // Masks and classes are the same in many places.
        blocks.all.get(copy).filter(|block| block.variety() >= CLASSES)?;
        let same = |at: &usize| samples.get(*at).is_some_and(|sample| sample.bytes == *bytes);
        let (cut, of) = broken(copy, seams);
        // The original goes on into more of its neighbours than the copy.
        let fits_better = |at: &usize| {
            let (its, all) = broken(*at, seams);
            *at != copy && all > 0 && its * of < cut * all
        };
        let source = (0..samples.len()).filter(fits_better).find(same)?;
        Some((samples.get(copy)?, samples.get(source)?))
    };
    let pairs: Vec<(&Sample, &Sample)> = odd.iter().filter_map(source).collect();
    // Patterns repeat from chunk to chunk, and break at each: somewhere chunks must go on along that axis.
    let own = |axis: usize, is_broken: bool| {
        seams.iter().any(|seam| seam.axis == axis && (seam.excess() > BROKEN) == is_broken)
    };
    let axes = seams.iter().map(|seam| seam.axis).max().unwrap_or(0);
    if (0..=axes).any(|axis| own(axis, true) && !own(axis, false)) {
        return None;
    }
    let (copy, original) = pairs.first()?;
    let text = format!("{} holds a copy of {}.", copy.key, original.key);
    let mut diagnosis = Diagnosis::new("chunk-copied", text)
        .because(format!("Their {} bytes are identical.", grouped(copy.bytes.len())))
        .because(format!("The values of {} continue smoothly into its neighbours.", original.key))
        .mended_by(again(&copy.key));
    diagnosis.files = pairs.iter().map(|(copy, _)| copy.key.clone()).collect();
    if pairs.len() > 1 {
        diagnosis.sentence = format!(
            "{} hold copies of other chunks: {}.",
            counted(pairs.len() as u64, "chunk"),
            named(&diagnosis.files)
        );
    }
    Some(diagnosis)
}

/// The cause, if the odd chunks fit in each other's places.
fn exchanged(
    case: &Case<'_>,
    blocks: &AdjacentChunks,
    odd: &[usize],
    known: Continuity,
) -> Option<Diagnosis> {
    // Chunks at the end of a row have two borders: then both must be broken.
    let is_few = known.broken < if known.broken == known.of { 2 } else { 3 };
    if !(2..=EXCHANGED).contains(&odd.len()) || is_few {
        return None;
    }
    let declared = blocks.declared();
    let mut mended = Vec::new();
    for order in permutations(odd.len()).into_iter().skip(1) {
        let mut how = declared.clone();
        for (block, to) in odd.iter().zip(&order) {
            let place = odd.get(*to).and_then(|to| declared.places.get(*to))?;
            how.places.get_mut(*block)?.clone_from(place);
        }
        let found = Continuity::of(&blocks.seams(&how, Some(odd)));
        if found.mends(&known) && found.broken == 0 {
            mended.push(how);
        }
    }
    let how = mended.pop().filter(|_| mended.is_empty())?;
    let moves: Vec<(String, Vec<u64>)> = moves(case, blocks, &how)
        .into_iter()
        .filter(|(key, place)| *key != case.layout.key(place))
        .collect();
    let text = match moves.as_slice() {
        [(a, _), (b, _)] => format!("{a} and {b} are swapped: each holds the chunk of the other."),
        moves => {
            let keys: Vec<String> = moves.iter().map(|(key, _)| key.clone()).collect();
            format!("{} hold each other's chunks.", keys.join(", "))
        }
    };
    let mut diagnosis = Diagnosis::new("chunk-swapped", text)
        .because("Put in each other's place, their values continue smoothly into all neighbours.")
        .mended_by(exchange(case, &moves));
    diagnosis.files = moves.into_iter().map(|(key, _)| key).collect();
    Some(diagnosis)
}

/// The commands that put files into each other's place.
fn exchange(case: &Case<'_>, moves: &[(String, Vec<u64>)]) -> String {
    let aside = moves.iter().map(|(key, _)| {
        let key = for_shell(key);
        format!("mv {key} {key}.moved")
    });
    let back = moves.iter().map(|(key, place)| {
        format!("mv {}.moved {}", for_shell(key), for_shell(&case.layout.key(place)))
    });
    aside.chain(back).collect::<Vec<_>>().join("\n")
}

/// The cause, if an odd chunk is byte for byte one of another array. (Chunks where nothing was measured often are.)
fn of_another(
    case: &Case<'_>,
    samples: &[Sample],
    blocks: &AdjacentChunks,
    odd: &[usize],
) -> Option<Diagnosis> {
    let is_varied = |at: &&usize| blocks.all.get(**at).is_some_and(|b| b.variety() >= VARIED);
    let odd = odd.iter().filter(is_varied).filter_map(|at| samples.get(*at)).cloned().collect();
    neighbours::same(case, odd).into_iter().next()
}

/// The cause, if a few of many chunks are the same as others, all of them as far away: one of each two is a copy.
fn repeated(case: &Case<'_>, samples: &[Sample], blocks: &AdjacentChunks) -> Option<Diagnosis> {
    let mut alike = HashMap::<&[u8], Vec<usize>>::new();
    for (at, sample) in samples.iter().enumerate() {
        alike.entry(&sample.bytes).or_default().push(at);
    }
    let twice = alike.values().filter(|same| same.len() > 1);
    let pairs: Vec<(&Sample, &Sample, usize)> = twice
        .map(|same| {
            let [a, b] = same.as_slice() else { return None };
            // Classes, masks and patterns repeat; so many different numbers do not.
            let block = blocks.all.get(*a)?;
            let most = usize::try_from(block.elements.len().min(4096)).ok()?;
            let is_full = block.variety() * 2 > most && block.variety() >= VARIED;
            Some((samples.get(*a)?, samples.get(*b)?, block.variety())).filter(|_| is_full)
        })
        .collect::<Option<_>>()?;
    let apart = |(a, b, _): &(&Sample, &Sample, usize)| -> Vec<u64> {
        a.at.iter().zip(&b.at).map(|(a, b)| a.abs_diff(*b)).collect()
    };
    let (a, b, variety) = *pairs.first()?;
    let is_one_way = pairs.iter().all(|pair| apart(pair) == apart(&(a, b, variety)));
    // What is constant along a dimension repeats for every chunk of it.
    let is_few = pairs.len() * 3 <= samples.len();
    let is_all = samples.len() as u64 == case.symptoms.stored && samples.len() >= 4;
    (is_all && is_few && is_one_way).then(|| {
        let text = match pairs.len() {
            1 => format!("{} and {} hold the same values: one is most likely a copy.", a.key, b.key),
            count => format!(
                "{count} chunks hold the same values as {count} others, such as {} and {}: most likely they are copies.",
                a.key, b.key
            ),
        };
        let mut diagnosis = Diagnosis::new("chunk-copied", text)
            .because(format!("Their {} bytes are identical.", grouped(a.bytes.len())))
            .because(format!(
                "Each has {} distinct values, and no other two of the {} chunks are identical.",
                grouped(variety),
                samples.len()
            ));
        diagnosis.files = pairs.iter().flat_map(|(a, b, _)| [a.key.clone(), b.key.clone()]).collect();
        diagnosis
    })
}
