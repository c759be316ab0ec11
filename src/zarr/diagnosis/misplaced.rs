//! Single chunks in each other's place, and copies of chunks: told by the borders that do not fit, where those of the others
//! do.

use super::prelude::*;
use super::{
    keys, neighbours, otherwise,
    seams::{DecodedChunk, is_even},
};

/// The most chunks whose places are all changed with each other.
const EXCHANGED: usize = 6;
/// Of fewer different values, chunks that are alike say nothing where no neighbour tells.
const VARIED: usize = 64;
/// Of fewer different values, they say nothing at all.
const CLASSES: usize = 16;

/// The cause of a few chunks of which no border fits, where those of the others do.
pub(super) fn misplaced(
    case: &Case,
    samples: &[Sample],
    blocks: &AdjacentChunks,
    seams: &[Seam],
) -> Option<Diagnosis> {
    // A chunk in the wrong place may fit one of its neighbours by accident, and its neighbours may have no other.
    let are_odd = [|broken, of| broken == of, |broken, of| broken * 2 >= of];
    let found = are_odd.into_iter().find_map(|is_odd: fn(usize, usize) -> bool| {
        let odd = odd_ones(blocks.all.len(), seams, is_odd);
        let (known, breaks) = known_of(&odd, seams)?;
        let found = copied(samples, blocks, seams, &odd)
            .or_else(|| exchanged(case, blocks, &odd, known, breaks))
            .or_else(|| of_another(case, samples, blocks, &odd))
            .or_else(|| otherwise::diagnose(case, samples, blocks, (&odd, known, breaks)))?;
        Some((found, known))
    });
    let found = found.or_else(|| of_another_array(case, samples, blocks, seams));
    found.map(|(diagnosis, known)| diagnosis.because(borders(known)))
}

/// The cause, if one of the chunks at the few broken borders is byte for byte one of another array: at the end of a row,
/// it has one border.
fn of_another_array(
    case: &Case,
    samples: &[Sample],
    blocks: &AdjacentChunks,
    seams: &[Seam],
) -> Option<(Diagnosis, Continuity)> {
    /// The bits that a border must be broken by where there is one.
    const CLEARLY: f64 = 3.0;
    let broken: Vec<Seam> = seams.iter().filter(|seam| seam.is_broken()).copied().collect();
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
    let own = || seams.iter().filter(|seam| seam.touches(&[block]));
    (own().filter(|seam| seam.is_broken()).count(), own().count())
}

/// How values go on into the odd blocks, where those of the others do go on, and the chance that those do not by accident.
fn known_of(odd: &[usize], seams: &[Seam]) -> Option<(Continuity, f64)> {
    let (touched, others): (Vec<&Seam>, Vec<&Seam>) =
        seams.iter().partition(|seam| seam.touches(odd));
    let (known, rest) = (Continuity::of(touched), Continuity::of(others));
    let stands_out = known.broken >= 2 && known.gap >= 1.0 && rest.broken * 4 <= rest.of;
    let breaks = chance_of_breaks(known.broken, (rest.broken, rest.of));
    (!odd.is_empty() && stands_out).then_some((known, breaks))
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
        seams.iter().any(|seam| seam.axis == axis && seam.is_broken() == is_broken)
    };
    let axes = seams.iter().map(|seam| seam.axis).max().unwrap_or(0);
    if (0..=axes).any(|axis| own(axis, true) && !own(axis, false)) || !are_copies(samples, &pairs) {
        return None;
    }
    let mut pairs: Vec<_> = pairs.into_iter().flat_map(|it| run(samples, it)).collect();
    pairs.sort_by(|(a, _), (b, _)| a.at.cmp(&b.at));
    pairs.dedup_by(|(a, _), (b, _)| a.at == b.at);
    let (copy, original) = pairs.first()?;
    let text = format!("{} holds a copy of {}.", copy.key, original.key);
    let mut diagnosis = Diagnosis::new("chunk-copied/found-in-place", text)
        .because(format!("Their {} bytes are identical.", grouped(copy.bytes.len())))
        .because(format!("The values of {} continue smoothly into its neighbours.", original.key))
        .to_do(again(&copy.key));
    diagnosis.files = pairs.iter().map(|(copy, _)| copy.key.clone()).collect();
    if pairs.len() > 1 {
        diagnosis.sentence = format!(
            "{} hold copies of other chunks: {}.",
            counted(pairs.len(), "chunk"),
            named(&diagnosis.files)
        );
    }
    Some(diagnosis)
}

/// The copies of a run of the same chunks, one after the other, with its first one, which is the original; another pair as it is.
fn run<'s>(
    samples: &'s [Sample],
    (copy, original): (&'s Sample, &'s Sample),
) -> Vec<(&'s Sample, &'s Sample)> {
    let alike: Vec<&Sample> = samples.iter().filter(|it| it.bytes == copy.bytes).collect();
    let is_run = alike
        .windows(2)
        .all(|pair| matches!(pair, [a, b] if apart(a, b).0.iter().sum::<u64>() == 1));
    // Of two, borders tell which one is the copy.
    match alike.split_first().filter(|(_, rest)| is_run && rest.len() > 1) {
        Some((first, rest)) => rest.iter().map(|it| (*it, *first)).collect(),
        None => vec![(copy, original)],
    }
}

/// True if no data that repeat look like these pairs: so few that all others differ, each chunk twice and no more, and
/// all of them as far apart; and no whole line of chunks that is its first half twice.
fn are_copies(samples: &[Sample], pairs: &[(&Sample, &Sample)]) -> bool {
    let distinct: HashSet<&[u8]> = samples.iter().map(|sample| &*sample.bytes).collect();
    let first = pairs.first().map(|(a, b)| apart(a, b));
    !is_line(samples, pairs)
        && samples.len() - distinct.len() == pairs.len()
        && pairs.len() * 3 <= samples.len()
        && pairs.iter().all(|(a, b)| first.as_ref().is_some_and(|(way, _)| apart(a, b).0 == *way))
}

/// True if these pairs are a whole line of chunks: its first half twice.
fn is_line(samples: &[Sample], pairs: &[(&Sample, &Sample)]) -> bool {
    /// The fewest chunks of such a line.
    const LINE: usize = 4;
    pairs.first().is_some_and(|(a, b)| {
        let is_beside = |sample: &&Sample| {
            let mut at = sample.at.iter().zip(&a.at).zip(&b.at);
            at.all(|((it, a), b)| it == a || a != b)
        };
        let is_paired = |it: &&Sample| pairs.iter().any(|(a, b)| a.at == it.at || b.at == it.at);
        let line: Vec<&Sample> = samples.iter().filter(is_beside).collect();
        line.len() >= LINE && line.iter().all(is_paired)
    })
}

/// True if no step that was measured once, and kept until the next, makes these chunks the same: they are apart along
/// several dimensions, or have many steps along the only one.
fn are_long(case: &Case, a: &Sample, b: &Sample) -> bool {
    /// So many.
    const STEPS: u64 = 8;
    let (way, axes) = apart(a, b);
    let lengths = case.array.chunk_shape().unwrap_or_default();
    axes > 1 || way.iter().zip(&lengths).any(|(steps, length)| *steps > 0 && *length >= STEPS)
}

/// The distance of two chunks along each dimension, and the number of dimensions along which they have one.
fn apart(a: &Sample, b: &Sample) -> (Vec<u64>, usize) {
    let way: Vec<u64> = a.at.iter().zip(&b.at).map(|(a, b)| a.abs_diff(*b)).collect();
    let axes = way.iter().filter(|steps| **steps > 0).count();
    (way, axes)
}

/// The cause, if the odd chunks fit in each other's places.
fn exchanged(
    case: &Case,
    blocks: &AdjacentChunks,
    odd: &[usize],
    known: Continuity,
    breaks: f64,
) -> Option<Diagnosis> {
    // Chunks at the end of a row have two borders: then both must be broken.
    let is_few = known.broken < if known.broken == known.of { 2 } else { 3 };
    if !(2..=EXCHANGED).contains(&odd.len()) || is_few || blocks.variety() < CLASSES {
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
    let tried = (1..=odd.len()).product();
    let how = mended.pop().filter(|_| mended.is_empty())?;
    Claim { blocks, how: &how, tried, breaks }.is_no_accident(case).then_some(())?;
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
    let diagnosis = Diagnosis::new("chunk-swapped/swapped", text)
        .because("Put in each other's place, their values continue smoothly into all neighbours.");
    let diagnosis = mended_by_renames(diagnosis, &keys::to_keys(case, &moves));
    Some(diagnosis.in_files(moves.into_iter().map(|(key, _)| key).collect()))
}

/// The cause, if the chunks along the only dimension that has several go on into each other in one other order: for each there is
/// one that fits after it, and the others are far from that.
pub(super) fn shuffled(case: &Case, blocks: &AdjacentChunks, seams: &[Seam]) -> Option<Diagnosis> {
    /// The fewest and the most chunks, the fewest borders that are broken, and by how many bits others are further away.
    const CHUNKS: std::ops::RangeInclusive<usize> = 5..=64;
    const BROKEN_ONES: usize = 3;
    const CLEARLY: f64 = 2.0;
    /// The nanoseconds that it takes to look at a border.
    const BORDER: usize = 20_000;
    let known = Continuity::of(seams);
    let count = blocks.all.len();
    let mut long = case.layout.counts.iter().enumerate().filter(|(_, count)| **count > 1);
    let ((axis, length), None) = (long.next()?, long.next()) else { return None };
    let is_due = known.broken >= BROKEN_ONES && CHUNKS.contains(&count) && *length == count as u64;
    (is_due && blocks.variety() >= CLASSES).then_some(())?;
    case.spend((count * count * BORDER) as u64).then_some(())?;
    let after = |a: usize| {
        let others = (0..count).filter(|b| *b != a && !case.is_stopped());
        let mut all: Vec<(f64, usize)> =
            others.map(|b| Some((blocks.excess_after(a, b, axis)?, b))).collect::<Option<_>>()?;
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        let [(best, next), (other, _), ..] = *all.as_slice() else { return None };
        Some(Some(next).filter(|_| best <= BROKEN && other > best + CLEARLY))
    };
    let next: Vec<Option<usize>> = (0..count).map(after).collect::<Option<_>>()?;
    let first = (0..count).find(|at| !next.contains(&Some(*at)))?;
    let chain: Vec<usize> =
        std::iter::successors(Some(first), |at| next.get(*at).copied().flatten())
            .take(count + 1)
            .collect();
    let mut how = blocks.declared();
    for (place, block) in (0_u64..).zip(&chain) {
        *how.places.get_mut(*block)?.get_mut(axis)? = place;
    }
    let moved = moves(case, blocks, &how);
    let moved: Vec<_> =
        moved.into_iter().filter(|(key, place)| *key != case.layout.key(place)).collect();
    let (from, to) = moved.first().filter(|_| chain.len() == count)?;
    let text = format!(
        "The chunks are in another order along dimension {axis}: {from} holds what belongs in {}, and so on for {} chunks.",
        case.layout.key(to),
        moved.len()
    );
    let diagnosis = Diagnosis::new("chunk-swapped/in-another-order", text).because(borders(known)).because(
        "In one other order, values go on from each chunk to the next, and from none of them to any other.",
    );
    let diagnosis = mended_by_renames(diagnosis, &keys::to_keys(case, &moved));
    Some(diagnosis.in_files(moved.into_iter().map(|(key, _)| key).collect()))
}

/// The cause, if an odd chunk is byte for byte one of another array. (Chunks where nothing was measured often are.)
fn of_another(
    case: &Case,
    samples: &[Sample],
    blocks: &AdjacentChunks,
    odd: &[usize],
) -> Option<Diagnosis> {
    // Values that only count on, as indices do, may well be those of two arrays.
    let varied = (0..samples.len()).filter(|at| {
        let is_varied = |it: &DecodedChunk| it.variety() >= VARIED && !is_even(&it.elements);
        blocks.all.get(*at).is_some_and(is_varied)
    });
    let (odd, others): (Vec<usize>, Vec<usize>) = varied.partition(|at| odd.contains(at));
    let of = |numbers: Vec<usize>| {
        numbers.into_iter().filter_map(|at| samples.get(at)).cloned().collect::<Vec<_>>()
    };
    neighbours::same(case, of(odd), &of(others)).into_iter().next()
}

/// The cause, if a few of many chunks are the same as others, all of them as far away: one of each two is a copy.
pub(super) fn repeated(
    case: &Case,
    samples: &[Sample],
    blocks: &AdjacentChunks,
) -> Option<Diagnosis> {
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
    let (a, b, variety) = *pairs.first()?;
    let is_one_way = pairs.iter().all(|pair| apart(pair.0, pair.1) == apart(a, b));
    // What is constant along a dimension repeats for every chunk of it, and so do single steps that were measured once;
    // a part of it may repeat as well, as the corners that two halves of a mesh share.
    let (way, axes) = apart(a, b);
    let count = way.iter().zip(&case.layout.counts).find(|(steps, _)| **steps > 0)?.1;
    let is_whole = pairs.len() as u64 * count >= samples.len() as u64;
    let least = if axes > 1 || is_whole { 3 } else { 12 };
    let is_few = pairs.len() * least <= samples.len() && are_long(case, a, b);
    let is_all = samples.len() as u64 == case.symptoms.stored && samples.len() >= 4;
    let both: Vec<_> = pairs.iter().map(|(a, b, _)| (*a, *b)).collect();
    (is_all && is_few && is_one_way && !is_line(samples, &both)).then(|| {
        let text = match pairs.len() {
            1 => format!("{} and {} hold the same values: one is most likely a copy.", a.key, b.key),
            count => format!(
                "{count} chunks hold the same values as {count} others, such as {} and {}: most likely they are copies.",
                a.key, b.key
            ),
        };
        let files = pairs.iter().flat_map(|(a, b, _)| [a.key.clone(), b.key.clone()]).collect();
        Diagnosis::new("chunk-copied/twins", text)
            .because(format!("Their {} bytes are identical.", grouped(a.bytes.len())))
            .because(format!(
                "Each has {} distinct values, and no other two of the {} chunks are identical.",
                grouped(variety),
                samples.len()
            ))
            .because("Data that are the same in both places would look the same.")
            .in_files(files)
    })
}

/// The number of broken borders, in a sentence.
pub(super) fn borders(known: Continuity) -> String {
    format!(
        "At {} of {} borders between chunks, values jump: they differ {} as much as on either side of the border.",
        known.broken,
        known.of,
        known.factor()
    )
}

/// The store key of each block, and the chunk that it is.
pub(super) fn moves(
    case: &Case,
    blocks: &AdjacentChunks,
    how: &SeamArrangement,
) -> Vec<(String, Vec<u64>)> {
    let places = blocks.all.iter().zip(&how.places);
    places.map(|(block, place)| (case.layout.key(&block.at), place.clone())).collect()
}
