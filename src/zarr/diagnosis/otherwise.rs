//! A few chunks that are read otherwise than the rest: in another byte order, another order of their dimensions,
//! shifted by some bytes, or upside down. That their values then go on into all neighbours tells it.

use super::prelude::*;
use super::{filters, reading::continued};

/// The bits by which a step in a chunk must be smaller for one of two readings with which its borders fit.
const SMOOTHER: f64 = 0.1;

/// The bits by which such a step is so much smaller that it tells the reading without any border, and by which values must
/// jump at one that tells.
const CLEARLY: f64 = 1.0;

/// A way in which a chunk may have been written.
#[derive(Debug, Clone, Copy)]
enum Way {
    /// In another byte order.
    ByteOrder(Endian),
    /// In another order of the dimensions, `C` or `F`.
    Order(&'static str),
    /// Without its first bytes, so many.
    Short(usize),
    /// With so many bytes before it.
    Long(usize),
    /// With the indices along a dimension counted from the other end.
    Reversed(usize),
}

impl Way {
    fn cause(self) -> &'static str {
        match self {
            Self::ByteOrder(_) => "byte-order/single-chunks",
            Self::Order(_) => "order/single-chunks",
            Self::Short(_) => "truncated/start-missing",
            Self::Long(_) => "prefixed/extra-elements",
            Self::Reversed(_) => "reversed/along-dimension",
        }
    }

    /// The words for one chunk, as the end of a sentence.
    fn words(self) -> String {
        let are = |n: usize| format!("{} {}", byte_count(n), if n == 1 { "is" } else { "are" });
        match self {
            Self::ByteOrder(order) => format!(
                "is {}-endian; the other chunks are {}-endian",
                order.word(),
                order.other().word()
            ),
            Self::Order(order) => {
                let other = if order == "C" { "F" } else { "C" };
                format!("is in {order} order; the other chunks are in {other} order")
            }
            Self::Short(n) => format!("is shifted: {} missing at its start", are(n)),
            Self::Long(n) => format!("is shifted: {} before its first element", are(n)),
            Self::Reversed(axis) => {
                format!(
                    "is stored in the reverse order along dimension {axis}; the other chunks are not"
                )
            }
        }
    }

    /// False if it is another order of bytes or of dimensions, of so few elements that one fits by chance; of bytes, and the
    /// values are not far more alike in it, or none that anybody measures, or speak for the declared order by themselves:
    /// those of a regular grid go on in both; or of
    /// dimensions, and they do not take fewer bits in it.
    fn is_plausible(self, case: &Case, samples: &[Sample], odd: &[usize]) -> bool {
        let what_if = match self {
            Self::ByteOrder(_) | Self::Order(_) if are_few(case) => return false,
            Self::ByteOrder(order) => WhatIf::endian(order),
            Self::Order(order) => WhatIf::of(SettingMember::Order, order),
            Self::Short(_) | Self::Long(_) => {
                return elements(case).is_some_and(|count| count * odd.len() as u64 >= FEW as u64);
            }
            // A few columns of a table go on in any order.
            Self::Reversed(axis) => {
                let length = |shape: Vec<u64>| shape.get(axis).copied();
                return case.array.chunk_shape().and_then(length).is_some_and(|it| it >= LONG);
            }
        };
        let others: Vec<Sample> = odd.iter().filter_map(|at| samples.get(*at)).cloned().collect();
        let Some(supposed) = case.supposing(&what_if) else { return true };
        let found = ReadingOutcome::of(case, &supposed, &others);
        let declared = ReadingOutcome::of(case, case.array, &others);
        if matches!(self, Self::Order(_)) {
            return found.is_shorter_than(&declared);
        }
        let verdict = declared.verdict();
        if verdict.plausible.is_some() && verdict.contradiction().is_none() {
            return false;
        }
        let steps =
            |array: &ArrayMetadata| AdjacentChunks::of(case, array, &others)?.steps_in_all();
        let both = steps(case.array).zip(steps(&supposed));
        both.is_some_and(|(declared, found)| declared - found >= LESS) && found.is_sensible()
    }

    /// The chunk read so.
    fn read(self, case: &Case, sample: &Sample) -> Option<Elements> {
        let decode = |array, bytes| case.decode(array, &sample.at, bytes, &case.budget());
        let bytes = || sample.bytes.clone();
        match self {
            Self::ByteOrder(order) => decode(&case.supposing(&WhatIf::endian(order))?, bytes()),
            Self::Order(order) => {
                decode(&case.supposing(&WhatIf::of(SettingMember::Order, order))?, bytes())
            }
            Self::Short(n) => {
                let kept = sample.bytes.get(..sample.bytes.len().checked_sub(n)?)?;
                decode(case.array, [&vec![0; n], kept].concat())
            }
            Self::Long(n) => decode(case.array, [sample.bytes.get(n..)?, &vec![0; n]].concat()),
            Self::Reversed(axis) => {
                let elements = decode(case.array, bytes())?;
                let length = *elements.shape().get(axis)?;
                reversed(&elements, axis, length)
            }
        }
    }
}

/// True if a chunk has so few elements that another reading of one fits by chance.
fn are_few(case: &Case) -> bool {
    elements(case).is_none_or(|count| count < FEW as u64)
}

/// The elements of a chunk.
fn elements(case: &Case) -> Option<u64> {
    order::product(&case.array.chunk_shape()?)
}

/// The bytes of an element.
fn size(case: &Case) -> Option<usize> {
    case.array.data_type()?.fixed_size()
}

/// The fewest elements of a chunk along a dimension that are told to be in the reverse order.
const LONG: u64 = 6;

/// Every way that the metadata allow.
fn ways(case: &Case) -> Vec<Way> {
    let mut ways = vec![
        Way::ByteOrder(Endian::Big),
        Way::ByteOrder(Endian::Little),
        Way::Order("F"),
        Way::Order("C"),
    ];
    // Behind a compressor, a chunk without its first byte is no chunk.
    let is_raw = case.array.chain().is_some_and(|chain| chain.is_raw());
    if let Some(size) = size(case).filter(|size| is_raw && *size <= 16) {
        ways.extend((1..size).flat_map(|n| [Way::Short(n), Way::Long(n)]));
    }
    ways.extend((0..case.layout.counts.len()).map(Way::Reversed));
    ways
}

/// The elements of a chunk with the first `length` indices along `axis` counted from the other end.
fn reversed(elements: &Elements, axis: usize, length: u64) -> Option<Elements> {
    let Places::Fixed(size) = *elements.places() else { return None };
    let bytes = elements.bytes().as_whole()?;
    let mut turned = vec![0; bytes.len()];
    for position in 0..elements.len() {
        let mut at = elements.coordinates(position);
        let along = at.get_mut(axis)?;
        *along = length.checked_sub(*along + 1).unwrap_or(*along);
        let from = usize::try_from(elements.position(&at)).ok()?.checked_mul(size)?;
        let to = usize::try_from(position).ok()?.checked_mul(size)?;
        turned.get_mut(to..to + size)?.copy_from_slice(bytes.get(from..from + size)?);
    }
    Some(elements.over(Bytes::whole(turned)))
}

/// True if every other one of these chunks, or more, has the bytes of one that is not among them: they were written alike.
fn are_as_the_rest(samples: &[Sample], odd: &[usize]) -> bool {
    let others = samples.iter().enumerate().filter(|(at, _)| !odd.contains(at));
    let others: HashSet<&[u8]> = others.map(|(_, sample)| sample.bytes.as_slice()).collect();
    let same = odd.iter().filter_map(|at| samples.get(*at));
    same.filter(|sample| others.contains(sample.bytes.as_slice())).count() * 2 >= odd.len()
}

/// The cause, if a few chunks go on into their neighbours once they are read otherwise. `odd` are their numbers.
pub(super) fn diagnose(
    case: &Case,
    samples: &[Sample],
    blocks: &AdjacentChunks,
    (odd, known, breaks): (&[usize], Continuity, f64),
) -> Option<Diagnosis> {
    if odd.len() * 2 > blocks.all.len() || are_as_the_rest(samples, odd) {
        return None;
    }
    let (ways, rough) = (ways(case), blocks.steps_in(odd)?);
    let mended = |way: Way| {
        let read = |&at: &usize| Some((at, way.read(case, samples.get(at)?)?));
        let other = odd.iter().map(read).collect::<Option<Vec<_>>>()?;
        let (blocks, how) = (blocks.with(&other)?, blocks.declared());
        let found = Continuity::of(&blocks.seams(&how, Some(odd)));
        let fits = found.mends(&known) && found.broken == 0 && way.is_plausible(case, samples, odd);
        let claim = Claim { blocks: &blocks, how: &how, tried: ways.len(), breaks };
        // With the second byte of one number and the first of the next, the upper ones are right and the lower ones not.
        let steps = blocks.steps_in(odd).filter(|steps| *steps <= rough + SMOOTHER)?;
        let is_told = || steps <= rough - CLEARLY || claim.is_rare(case, &|seam| seam.touches(odd));
        (fits && is_told()).then_some((way, steps))
    };
    let mended = ways.iter().copied().filter_map(mended).collect();
    let text = "Read that way, the values continue smoothly into all neighbours.";
    Some(of_chunks(likeliest(case, mended)?, samples, odd).because(text))
}

/// The likeliest of the ways that mend some chunks, with how rough they are then; `None` where two are as likely.
fn likeliest(case: &Case, mut mended: Vec<(Way, f64)>) -> Option<Way> {
    let (first, rough) = *mended.first()?;
    // The first one is the likeliest of those that are as smooth.
    mended.retain(|(_, other)| *other < rough - SMOOTHER);
    mended.sort_by(|a, b| a.1.total_cmp(&b.1));
    match *mended.as_slice() {
        [] => Some(first),
        [(only, _)] => Some(only),
        // Both put each byte in its place, one of them an element too late: only the ends of rows differ.
        [(Way::Short(a), _), (Way::Long(b), _), ..] if size(case) == Some(a + b) => {
            Some(Way::Short(a))
        }
        [(Way::Long(a), _), (Way::Short(b), _), ..] if size(case) == Some(a + b) => {
            Some(Way::Long(a))
        }
        [(_, x), (_, y), ..] if y - x < SMOOTHER => None,
        [(best, _), ..] => Some(best),
    }
}

/// The cause that some chunks were written in another way than the rest.
fn of_chunks(way: Way, samples: &[Sample], odd: &[usize]) -> Diagnosis {
    let (files, words) = (keys_of(samples, odd), way.words());
    let text = match files.as_slice() {
        [one] => format!("{one} {words}."),
        _ => format!("{}: each {words}.", named(&files)),
    };
    let again = again(files.first().map_or("", String::as_str));
    Diagnosis::new(way.cause(), text).to_do(again).in_files(files)
}

/// The only border that values jump at: all chunks before an index along a dimension, and all from it on.
pub(super) struct Break {
    pub(super) axis: usize,
    /// The index of the chunks after it.
    pub(super) from: u64,
    pub(super) seams: Vec<Seam>,
    /// All other seams.
    others: Vec<Seam>,
    known: Continuity,
    /// The chance of such a border by accident.
    breaks: f64,
}

impl Break {
    pub(super) fn of(blocks: &AdjacentChunks, seams: &[Seam]) -> Option<Self> {
        let place =
            |seam: &Seam| Some((seam.axis, *blocks.all.get(seam.blocks.1)?.at.get(seam.axis)?));
        let worst = seams.iter().max_by(|a, b| a.excess().total_cmp(&b.excess()))?;
        let (axis, from) = place(worst)?;
        let (there, others): (Vec<Seam>, Vec<Seam>) =
            seams.iter().copied().partition(|seam| place(seam) == Some((axis, from)));
        let (known, rest) = (Continuity::of(&there), Continuity::of(&others));
        let is_clear = known.broken * 4 >= known.of * 3 && known.gap >= CLEARLY;
        // Where values turn, steps beside a border are small. The border of two chunks is the only one there is.
        let alike = others.iter().filter(|it| it.excess() > BROKEN.max(known.gap / 2.0)).count();
        let is_only = alike * 12 <= rest.of && (rest.of > 0 || blocks.all.len() == 2);
        let breaks = chance_of_breaks(known.broken, (rest.broken, rest.of));
        (is_clear && is_only).then_some(Self { axis, from, seams: there, others, known, breaks })
    }

    /// True for a single border, of chunks as wide as the array, if values at it are as close in `read` as those beside it,
    /// and were far from each other: so many pairs are no accident.
    fn is_closed(&self, blocks: &AdjacentChunks, read: &AdjacentChunks) -> bool {
        /// The fewest pairs, and the distances in those of values beside the border: before, and as they are read.
        const PAIRS: usize = 32;
        const APART: f64 = 6.0;
        const CLOSE: f64 = 2.0;
        let [_] = self.seams.as_slice() else { return false };
        let apart = |blocks: &AdjacentChunks, seams: &[Seam], before: u64| {
            let apart = blocks.apart(seams, before);
            Some(apart).filter(|apart| apart.len() >= PAIRS).and_then(middle)
        };
        let along = self.others.iter().filter(|seam| seam.axis == self.axis);
        let along: Vec<Seam> = along.copied().collect();
        // Where each chunk has one element along the dimension, other borders tell how far values are apart.
        let usual = apart(blocks, &self.seams, 1).or_else(|| apart(blocks, &along, 0));
        let all = (usual, apart(blocks, &self.seams, 0), apart(read, &self.seams, 0));
        let (Some(usual), Some(jump), Some(closed)) = all else { return false };
        usual > 0.0 && jump >= APART * usual && closed <= CLOSE * usual
    }

    /// True if values at the border are closer in `read`, on average: those of a wave may be the same in many places of it, and
    /// further away in the others.
    fn is_closer(&self, blocks: &AdjacentChunks, read: (&AdjacentChunks, &[Seam])) -> bool {
        /// By how many times.
        const CLOSER: f64 = 1.5;
        let apart = |(blocks, seams): (&AdjacentChunks, &[Seam])| mean(blocks.apart(seams, 0));
        apart(read) * CLOSER <= apart((blocks, &self.seams))
    }

    /// True if the values of a single border that is one line go on once those after it are moved along it, around its end: a
    /// pattern that moves on does that, and what is moved may look reversed.
    fn is_moved(&self, blocks: &AdjacentChunks) -> bool {
        /// How far values may be apart, in steps beside the border.
        const CLOSE: f64 = 2.0;
        let [seam] = self.seams.as_slice() else { return false };
        if blocks.all.first().is_none_or(|block| block.at.len() != 2) {
            return false;
        }
        let usual = blocks.values_at(seam, 1).iter().map(|(a, b)| (a - b).abs()).collect();
        let pairs = blocks.values_at(seam, 0);
        let apart = |by: usize| {
            let after = pairs.iter().cycle().skip(by);
            middle(pairs.iter().zip(after).map(|((a, _), (_, b))| (a - b).abs()).collect())
        };
        let mut apart = (1..pairs.len()).filter_map(apart);
        middle(usual).is_some_and(|usual| apart.any(|apart| apart <= CLOSE * usual))
    }

    /// The blocks of the part that has fewer of them: after the border, where both have as many.
    fn odd(&self, blocks: &AdjacentChunks) -> (Vec<usize>, bool) {
        let (later, earlier) = blocks.split_at(self.axis, self.from);
        if later.len() <= earlier.len() { (later, true) } else { (earlier, false) }
    }
}

/// The cause, if all chunks on one side of a border go on into those on the other once they are read otherwise: data of two
/// sources, one appended to the other.
pub(super) fn appended(
    case: &Case,
    samples: &[Sample],
    blocks: &AdjacentChunks,
    seams: &[Seam],
) -> Option<Diagnosis> {
    let border = Break::of(blocks, seams)?;
    let (odd, is_later) = border.odd(blocks);
    if are_as_the_rest(samples, &odd) {
        return None;
    }
    let known = border.known;
    let ways = ways(case).into_iter().filter(|way| match way {
        Way::ByteOrder(_) | Way::Order(_) => true,
        Way::Reversed(axis) => *axis != border.axis && !border.is_moved(blocks),
        Way::Short(_) | Way::Long(_) => false,
    });
    let ways: Vec<Way> = ways.collect();
    let crosses = |seam: &Seam| seam.is_border_of(&odd);
    let is_mended = |way: &&Way| {
        let Some((read, how)) = read_otherwise(case, samples, blocks, (&odd, **way)) else {
            return false;
        };
        let mut seams = read.seams(&how, Some(&odd));
        seams.retain(crosses);
        let found = Continuity::of(&seams);
        let claim = Claim { blocks: &read, how: &how, tried: ways.len(), breaks: border.breaks };
        let steps = read.steps_in(&odd).zip(blocks.steps_in(&odd));
        let (smoother, as_smooth) = steps.map_or((false, false), |(steps, rough)| {
            (steps <= rough - CLEARLY, steps <= rough + SMOOTHER)
        });
        let is_closed = border.is_closed(blocks, &read);
        found.of >= known.of
            && (found.broken == 0 || is_closed)
            && found.excess <= known.excess * 0.25
            && way.is_plausible(case, samples, &odd)
            && (!matches!(way, Way::Reversed(_)) || border.is_closer(blocks, (&read, &seams)))
            // Another order changes the inside of a chunk, too; what is reversed is as smooth as it was.
            && (smoother
                || as_smooth
                    && !matches!(way, Way::Order(_))
                    && (claim.is_rare(case, &crosses) || is_closed))
    };
    let mended: Vec<&Way> = ways.iter().filter(is_mended).collect();
    let &[&way] = mended.as_slice() else { return None };
    let from = border.from;
    let place = if is_later { format!("from {from} on") } else { format!("before {from}") };
    let text = format!("Each chunk {place} along dimension {} {}.", border.axis, way.words());
    let mut diagnosis = Diagnosis::new(way.cause(), text)
        .because(format!(
            "Values jump at the border of these chunks with the others: they differ {} as much as on either side of it.",
            known.factor()
        ))
        .because(match way {
            Way::Reversed(_) => "Reversed, they continue smoothly into the others.",
            _ => "Read that way, they continue smoothly into the others.",
        });
    if odd.len() * 2 == blocks.all.len() {
        let text =
            "As many chunks are on the other side: the values do not tell which side is right.";
        diagnosis.evidence.push(text.into());
    }
    Some(diagnosis.in_files(keys_of(samples, &odd)))
}

/// Chunks that are far rougher than all others.
struct RoughChunks {
    odd: Vec<usize>,
    /// Where they are all chunks on one side of an index along a dimension: from it on, or before it.
    side: Option<(usize, u64, bool)>,
    /// The most that a step inside of the others costs, and by how many bits it is more in the rough ones at least.
    most: f64,
    apart: f64,
}

impl RoughChunks {
    /// A few anywhere.
    fn few(blocks: &AdjacentChunks) -> Option<Self> {
        /// The bits by which they are rougher: those of a side tell by being all of it.
        const ROUGH: f64 = 3.0;
        /// Of so many chunks, one may be.
        const ONE_IN: usize = 4;
        let count = blocks.all.len();
        let steps = (0..count).map(|at| Some((blocks.roughness_of(at)?, at)));
        let mut steps: Vec<(f64, usize)> = steps.collect::<Option<_>>()?;
        steps.sort_by(|a, b| a.0.total_cmp(&b.0));
        let apart = |at: &usize| Some(steps.get(*at)?.0 - steps.get(at.checked_sub(1)?)?.0);
        let is_clear = |at: &usize| apart(at).is_some_and(|apart| apart >= ROUGH);
        let from = (count - count / ONE_IN..count).find(is_clear)?;
        let mut odd: Vec<usize> = steps.get(from..)?.iter().map(|(_, at)| *at).collect();
        odd.sort_unstable();
        Some(Self { odd, side: None, most: steps.get(from - 1)?.0, apart: apart(&from)? })
    }

    fn on_one_side(blocks: &AdjacentChunks, rank: usize) -> Option<Self> {
        /// The bits by which each chunk is rougher than each of the others.
        const ROUGH: f64 = 0.75;
        /// The fewest chunks of a side.
        const FEWEST: usize = 3;
        let count = blocks.all.len();
        let steps: Vec<f64> =
            (0..count).map(|at| blocks.roughness_of(at)).collect::<Option<_>>()?;
        let ends = |of: &[usize]| {
            let own = || of.iter().filter_map(|at| steps.get(*at)).copied();
            (own().fold(f64::MAX, f64::min), own().fold(f64::MIN, f64::max))
        };
        let place = |at: &usize, axis: usize| blocks.all.get(*at)?.at.get(axis).copied();
        let side = |axis: usize, from: u64| {
            let (later, earlier) = blocks.split_at(axis, from);
            let is_later = ends(&later).0 > ends(&earlier).1;
            let (odd, others) = if is_later { (later, earlier) } else { (earlier, later) };
            let apart = ends(&odd).0 - ends(&others).1;
            let is_rough = odd.len() >= FEWEST && odd.len() <= others.len() && apart >= ROUGH;
            let most = ends(&others).1;
            is_rough.then_some(Self { odd, side: Some((axis, from, is_later)), most, apart })
        };
        (0..rank).find_map(|axis| {
            let mut all: Vec<u64> = (0..count).filter_map(|at| place(&at, axis)).collect();
            all.sort_unstable();
            all.dedup();
            all.into_iter().skip(1).find_map(|from| side(axis, from))
        })
    }

    /// How rough they are once they are read so; `None` where that is not as smooth as the others, or does not go on into these.
    fn mended(
        &self,
        samples: &[Sample],
        blocks: &AdjacentChunks,
        read: &dyn Fn(&Sample) -> Option<Elements>,
    ) -> Option<f64> {
        /// The bits by which they may still be rougher.
        const ALIKE: f64 = 0.4;
        let read = |&at: &usize| Some((at, read(samples.get(at)?)?));
        let other = self.odd.iter().map(read).collect::<Option<Vec<_>>>()?;
        let blocks = blocks.with(&other)?;
        let mut seams = blocks.seams(&blocks.declared(), Some(&self.odd));
        seams.retain(|seam| seam.is_border_of(&self.odd));
        let is_smooth = |steps: &f64| *steps <= self.most + ALIKE;
        let fits = !seams.is_empty() && Continuity::of(&seams).broken == 0;
        blocks.steps_in(&self.odd).filter(is_smooth).filter(|_| fits)
    }
}

/// The cause, if all chunks on one side of an index are far rougher than all others, and as smooth as those in one other
/// reading: in another order of elements or of bytes, or of other filters. Inside, such values are so rough that no border
/// stands out.
pub(super) fn rougher(
    case: &Case,
    samples: &[Sample],
    blocks: &AdjacentChunks,
) -> Option<Diagnosis> {
    let side = RoughChunks::on_one_side(blocks, case.layout.counts.len())?;
    let (axis, from, is_later) = side.side.filter(|_| !are_few(case))?;
    // What pads the last chunks beyond the end of the array is rougher than any data.
    let is_padded = || {
        let (length, chunk) =
            (*case.array.known_shape()?.get(axis)?, *case.array.chunk_shape()?.get(axis)?);
        Some(from.checked_add(1)?.checked_mul(chunk)? > length)
    };
    (!is_later || is_padded() == Some(false)).then_some(())?;
    let is_due = |way: &Way| {
        matches!(way, Way::ByteOrder(_) | Way::Order(_))
            && way.is_plausible(case, samples, &side.odd)
    };
    let ways = ways(case).into_iter().filter(is_due);
    let ways = ways.filter(|way| side.mended(samples, blocks, &|it| way.read(case, it)).is_some());
    let mut found: Vec<(&'static str, String)> =
        ways.map(|way| (way.cause(), way.words())).collect();
    let declared = ReadingOutcome::of(case, case.array, &case.sound());
    let others: Vec<Sample> = side.odd.iter().filter_map(|at| samples.get(*at)).cloned().collect();
    let readings =
        filters::readings(case, samples).into_iter().chain(filters::shuffles(case, &declared));
    for reading in readings {
        let Some(array) = case.supposing(&reading.what_if) else { continue };
        let decode = |it: &Sample| case.read(&array, it);
        let is_better = || {
            let found = ReadingOutcome::of(case, &array, &others);
            found.is_sensible()
                && found.is_shorter_than(&ReadingOutcome::of(case, case.array, &others))
        };
        if side.mended(samples, blocks, &decode).is_some() && is_better() {
            let words = continued(reading.sentence.trim_end_matches('.'));
            let words = format!("has other filters than the rest: {words}");
            found.push(("filter/single-chunks", words));
        }
    }
    let [(kind, how)] = found.as_slice() else { return None };
    let place = if is_later { format!("from {from} on") } else { format!("before {from}") };
    let text = format!("Each chunk {place} along dimension {axis} {how}.");
    let diagnosis = Diagnosis::new(kind, text)
        .because(format!(
            "As declared, steps between neighbours in them are at least {:.0} times as large as in the others.",
            side.apart.exp2()
        ))
        .because("Read that way, they are as small, and values continue smoothly into the others.");
    Some(diagnosis.in_files(keys_of(samples, &side.odd)))
}

/// The cause, if a few chunks anywhere are far rougher than all others, and as smooth as those in one other reading, in which
/// they go on into them.
pub(super) fn few_rough(case: &Case, samples: &[Sample]) -> Option<Diagnosis> {
    let blocks = AdjacentChunks::of(case, case.array, samples)?;
    let rough = RoughChunks::few(&blocks)?;
    let mended = ways(case).into_iter().filter_map(|way| {
        let steps = rough.mended(samples, &blocks, &|it| way.read(case, it))?;
        way.is_plausible(case, samples, &rough.odd).then_some((way, steps))
    });
    let way = likeliest(case, mended.collect())?;
    let text = format!(
        "As declared, steps between neighbours are at least {} times as large as in the other chunks; read that way, they are \
         as small, and values continue smoothly into all neighbours.",
        number(rough.apart.exp2().round())
    );
    Some(of_chunks(way, samples, &rough.odd).because(text))
}

/// All blocks, some of them read in another way, and their places.
fn read_otherwise<'a>(
    case: &Case,
    samples: &[Sample],
    blocks: &AdjacentChunks<'a>,
    (odd, way): (&[usize], Way),
) -> Option<(AdjacentChunks<'a>, SeamArrangement)> {
    let mut how = blocks.declared();
    let read = |&at: &usize| {
        let Way::Reversed(axis) = way else { return Some((at, way.read(case, samples.get(at)?)?)) };
        let elements = &blocks.all.get(at)?.elements;
        Some((at, reversed(elements, axis, filled(case, axis)?)?))
    };
    let other = odd.iter().map(read).collect::<Option<Vec<_>>>()?;
    if let Way::Reversed(axis) = way {
        turn(&mut how, odd, axis, *case.layout.counts.get(axis)?)?;
    }
    Some((blocks.with(&other)?, how))
}

/// The elements of a chunk along a dimension that are in the array; `None` where chunks differ in that.
fn filled(case: &Case, axis: usize) -> Option<u64> {
    let (length, whole) =
        (*case.array.chunk_shape()?.get(axis)?, *case.array.known_shape()?.get(axis)?);
    (whole.is_multiple_of(length) || whole < length).then(|| whole.min(length))
}

/// Puts blocks into the places that they have when the indices along `axis` count from the other end.
fn turn(how: &mut SeamArrangement, odd: &[usize], axis: usize, count: u64) -> Option<()> {
    for at in odd {
        let place = how.places.get_mut(*at)?.get_mut(axis)?;
        *place = count.checked_sub(*place + 1)?;
    }
    Some(())
}
