//! A few chunks that are read otherwise than the rest: in another byte order, another order of their dimensions,
//! shifted by some bytes, or upside down. That their values then go on into all neighbours tells it.

use super::{
    case::{Case, Sample, named},
    files::again,
    seams::{AdjacentChunks, Continuity},
};
use crate::zarr::{
    bytes::Bytes,
    codec::{Elements, Places},
    error::Diagnosis,
    what_if::WhatIf,
    words::byte_count,
};

/// The bits by which a step in a chunk must be smaller for one of two readings with which its borders fit.
const SMOOTHER: f64 = 0.1;

/// A way in which a chunk may have been written.
#[derive(Debug, Clone, Copy)]
enum Way {
    /// With other metadata.
    Metadata(&'static str, &'static str),
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
            Self::Metadata(settings, _) if settings.starts_with("endian") => "byte-order",
            Self::Metadata(..) => "order",
            Self::Short(_) => "truncated",
            Self::Long(_) => "prefixed",
            Self::Reversed(_) => "reversed",
        }
    }

    /// The words for one chunk, as the end of a sentence.
    fn words(self) -> String {
        let are = |n: usize| format!("{} {}", byte_count(n), if n == 1 { "is" } else { "are" });
        match self {
            Self::Metadata(_, words) => words.to_owned(),
            Self::Short(n) => format!("is shifted: {} missing at its start", are(n)),
            Self::Long(n) => format!("is shifted: {} before its first element", are(n)),
            Self::Reversed(axis) => {
                format!(
                    "is stored in the reverse order along dimension {axis}; the other chunks are not"
                )
            }
        }
    }

    /// The chunk read so.
    fn read(self, case: &Case<'_>, sample: &Sample) -> Option<Elements> {
        let decode = |array, bytes| case.decode(array, &sample.at, bytes, &case.budget());
        let bytes = || sample.bytes.clone();
        match self {
            Self::Metadata(settings, _) => {
                decode(&WhatIf::parse(settings).ok()?.apply(case.array).ok()?, bytes())
            }
            Self::Short(n) => {
                let kept = sample.bytes.get(..sample.bytes.len().checked_sub(n)?)?;
                decode(case.array, [&vec![0; n], kept].concat())
            }
            Self::Long(n) => decode(case.array, [sample.bytes.get(n..)?, &vec![0; n]].concat()),
            Self::Reversed(axis) => reversed(&decode(case.array, bytes())?, axis),
        }
    }
}

/// The bytes of an element.
fn size(case: &Case<'_>) -> Option<usize> {
    case.array.data_type()?.item_size().fixed()
}

/// Every way that the metadata allow.
fn ways(case: &Case<'_>) -> Vec<Way> {
    let mut ways = vec![
        Way::Metadata("endian=big", "is big-endian; the other chunks are little-endian"),
        Way::Metadata("endian=little", "is little-endian; the other chunks are big-endian"),
        Way::Metadata("order=F", "is in F order; the other chunks are in C order"),
        Way::Metadata("order=C", "is in C order; the other chunks are in F order"),
    ];
    // Behind a compressor, a chunk without its first byte is no chunk.
    let is_raw = case.array.chain().is_some_and(|chain| chain.is_raw());
    if let Some(size) = size(case).filter(|size| is_raw && *size <= 16) {
        ways.extend((1..size).flat_map(|n| [Way::Short(n), Way::Long(n)]));
    }
    ways.extend((0..case.layout.counts.len()).map(Way::Reversed));
    ways
}

/// The elements of a chunk with the indices along `axis` counted from the other end.
fn reversed(elements: &Elements, axis: usize) -> Option<Elements> {
    let Places::Fixed(size) = *elements.places() else { return None };
    let (bytes, length) = (elements.bytes().as_whole()?, *elements.shape().get(axis)?);
    let mut turned = vec![0; bytes.len()];
    for position in 0..elements.len() {
        let mut at = elements.coordinates(position);
        let along = at.get_mut(axis)?;
        *along = length.checked_sub(*along + 1)?;
        let from = usize::try_from(elements.position(&at)).ok()?.checked_mul(size)?;
        let to = usize::try_from(position).ok()?.checked_mul(size)?;
        turned.get_mut(to..to + size)?.copy_from_slice(bytes.get(from..from + size)?);
    }
    Some(elements.over(Bytes::whole(turned)))
}

/// The cause, if a few chunks go on into their neighbours once they are read otherwise. `odd` are their numbers.
pub(super) fn diagnose(
    case: &Case<'_>,
    samples: &[Sample],
    blocks: &AdjacentChunks,
    (odd, known): (&[usize], Continuity),
) -> Option<Diagnosis> {
    if odd.len() * 2 > blocks.all.len() {
        return None;
    }
    let mended = |way: Way| {
        let read = |&at: &usize| Some((at, way.read(case, samples.get(at)?)?));
        let other = odd.iter().map(read).collect::<Option<Vec<_>>>()?;
        let blocks = blocks.with(&other)?;
        let found = Continuity::of(&blocks.seams(&blocks.declared(), Some(odd)));
        let fits = found.mends(&known) && found.broken == 0;
        // With the second byte of one number and the first of the next, the upper ones are right and the lower ones not.
        fits.then(|| Some((way, blocks.steps_in(odd)?))).flatten()
    };
    let mut mended: Vec<(Way, f64)> = ways(case).into_iter().filter_map(mended).collect();
    let (first, rough) = *mended.first()?;
    // The first one is the likeliest of those that are as smooth.
    mended.retain(|(_, other)| *other < rough - SMOOTHER);
    mended.sort_by(|a, b| a.1.total_cmp(&b.1));
    let best = match *mended.as_slice() {
        [] => first,
        [(only, _)] => only,
        // Both put each byte in its place, one of them an element too late: only the ends of rows differ.
        [(Way::Short(a), _), (Way::Long(b), _), ..] if size(case) == Some(a + b) => Way::Short(a),
        [(Way::Long(a), _), (Way::Short(b), _), ..] if size(case) == Some(a + b) => Way::Long(a),
        [(_, x), (_, y), ..] if y - x < SMOOTHER => return None,
        [(best, _), ..] => best,
    };
    let files: Vec<String> =
        odd.iter().filter_map(|at| Some(samples.get(*at)?.key.clone())).collect();
    let words = best.words();
    let text = match files.as_slice() {
        [one] => format!("{one} {words}."),
        _ => format!("{}: each {words}.", named(&files)),
    };
    let mut diagnosis = Diagnosis::new(best.cause(), text)
        .because("Read that way, the values continue smoothly into all neighbours.")
        .mended_by(again(files.first().map_or("", String::as_str)));
    diagnosis.files = files;
    Some(diagnosis)
}
