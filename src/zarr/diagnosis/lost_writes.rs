//! Pages of a chunk that were never written: zeros from the start of a page on, in data that have no others.

use super::prelude::*;

/// The bytes that are written at once, or not at all.
const PAGE: usize = 4096;
/// The fewest bytes of the last one of a chunk that tell.
const TAIL: usize = 256;
/// Of so many elements outside of the run, at most one may be zero.
const DENSE: usize = 200;

/// A run of zeros in a chunk.
type ZeroRun<'s> = (&'s Sample, Range<usize>);

/// The cause, if chunks without a compressor have pages of zeros.
pub(super) fn diagnose(case: &Case, samples: &[Sample]) -> Option<Diagnosis> {
    let size = case.array.data_type()?.fixed_size().filter(|size| *size > 0)?;
    let row = row(case)?.checked_mul(size)?;
    let own: Vec<Sample> = samples.iter().filter_map(|sample| own_bytes(case, sample)).collect();
    let raw: Vec<&Sample> = own.iter().collect();
    let last = raw.iter().map(|sample| &sample.at).max()?.clone();
    // Rows of whole pages may be empty as they are: then where zeros begin says nothing.
    let has_rows = case.array.chunk_shape()?.len() > 1;
    let is_of_rows = |run: &Range<usize>, len: usize| {
        has_rows && (run.start.is_multiple_of(row) || run.end.is_multiple_of(row) && run.end < len)
    };
    let runs = raw.iter().filter_map(|sample| {
        let (run, len) = (run(&sample.bytes)?, sample.bytes.len());
        // Where the next chunk goes on, nobody filled up the series.
        let may_end = !has_rows && (sample.at == last || raw.len() < FEW) && is_round(&run, len);
        (!is_of_rows(&run, len) && !may_end).then_some((*sample, run))
    });
    let runs: Vec<ZeroRun<'_>> = runs.collect();
    let (zeros, others) = outside(&raw, &runs, size);
    // Where most chunks have such runs, it is how they were made.
    let is_few = runs.len() * 2 <= raw.len() || raw.len() == 1;
    let is_dense = zeros * DENSE <= others && others * size >= PAGE;
    (is_few && is_dense)
        .then(|| told(&runs, zeros, others))
        .flatten()
        .or_else(|| empty(case, &raw, size))
}

/// True if zeros begin at an eighth of the bytes of a chunk, or at a power of two: series are filled up with zeros to such
/// a length.
fn is_round(run: &Range<usize>, len: usize) -> bool {
    (run.start * 8).is_multiple_of(len.max(1)) || run.start.is_power_of_two()
}

/// Of fewer chunks, one may have been filled up.
const FEW: usize = 3;
/// The fewest chunks with values for each that has none.
const FULL: usize = 5;

/// The cause, if a chunk holds only zeros where the values of all others are far from 0, and the fill value is another
/// one: what is empty on purpose holds that.
fn empty(case: &Case, raw: &[&Sample], size: usize) -> Option<Diagnosis> {
    let is_zero = |sample: &&&Sample| sample.bytes.iter().all(|&byte| byte == 0);
    let (empty, full): (Vec<&Sample>, Vec<&Sample>) =
        raw.iter().partition(|sample| is_zero(sample));
    let marked = case.array.fill_scalar()?.to_f64()?;
    if empty.is_empty() || empty.len() * FULL > full.len() || size < 2 || marked == 0.0 {
        return None;
    }
    let (zeros, others) = outside(&full, &[], size);
    let samples: Vec<Sample> = full.iter().map(|sample| (*sample).clone()).collect();
    let (low, high) = ReadingOutcome::of(case, case.array, &samples).measure?.range;
    let is_far = low > high - low || -high > high - low;
    if zeros > 0 || !is_far || low.total_cmp(&high).is_eq() {
        return None;
    }
    let files: Vec<String> = empty.iter().map(|sample| sample.key.clone()).collect();
    let (hold, are) = if files.len() == 1 { ("holds", "it was") } else { ("hold", "they were") };
    let text = format!("{} {hold} only zeros: most likely {are} never written.", named(&files));
    let diagnosis = Diagnosis::new("lost-write/zero-chunk", text)
        .because(format!(
            "The {} elements examined of {} go from {} to {}; none is 0.",
            grouped(others),
            counted(full.len(), "other chunk"),
            number(low),
            number(high)
        ))
        .because("After a crash, a file can have its length and none of its bytes.")
        .to_do(files.iter().map(|key| again(key)).joined("\n"));
    Some(diagnosis.in_files(files))
}

fn told(runs: &[ZeroRun<'_>], zeros: usize, others: usize) -> Option<Diagnosis> {
    let (first, run) = runs.first()?;
    let files: Vec<String> = runs.iter().map(|(sample, _)| sample.key.clone()).collect();
    let place = if run.end == first.bytes.len() { "at its end" } else { "in its middle" };
    let sentence = match files.as_slice() {
        [one] => {
            format!("Part of {one} was never written: {} of zeros {place}.", byte_count(run.len()))
        }
        files => format!("Parts of {} chunks were never written: {}.", files.len(), named(files)),
    };
    let diagnosis = Diagnosis::new("lost-write/zero-pages", sentence)
        .because(format!(
            "In {}, bytes {} to {} are 0, from the start of a page of {} bytes on.",
            first.key,
            grouped(run.start),
            grouped(run.end - 1),
            grouped(PAGE)
        ))
        .because(format!(
            "Of the {} other elements examined, {} are 0.",
            grouped(others),
            if zeros == 0 { "none".to_owned() } else { grouped(zeros) }
        ))
        .to_do(again(&first.key));
    Some(diagnosis.in_files(files))
}

/// The elements of a row in the order of memory; `None` where chunks are compressed or are shards.
fn row(case: &Case) -> Option<usize> {
    let array = case.array;
    let is_compressed = array.codecs.as_deref().ok()?.iter().any(|spec| {
        let row = array.registry.codecs.read_as(&spec.name, array.format);
        row.is_some_and(|row| row.kind == CodecKind::BytesToBytes)
    });
    let shape = array.chunk_shape().filter(|_| !is_compressed)?;
    let row = if array.fortran { shape.first() } else { shape.last() };
    usize::try_from(*row?).ok().filter(|row| *row > 0 && array.inner_chunk_shape().is_none())
}

/// The bytes of a chunk for as long as its elements are of the array. What is beyond the end of the outermost dimension comes
/// after them; of what is between them each element is as the last one of the array before it, for nobody sees it.
fn own_bytes(case: &Case, sample: &Sample) -> Option<Sample> {
    let array = case.array;
    let (region, shape) = (array.region(&sample.at)?, array.chunk_shape()?);
    let mut lengths: Vec<(u64, u64)> = lengths(&region).into_iter().zip(shape).collect();
    if array.fortran {
        lengths.reverse();
    }
    let ((own, len), inner) = lengths.split_first()?;
    let all = sample.bytes.len();
    let end = usize::try_from(all as u128 * u128::from(*own) / u128::from((*len).max(1))).ok()?;
    let mut bytes = sample.bytes.get(..end)?.to_vec();
    if case.raw_len() != Some(all as u64) {
        return None;
    }
    if inner.iter().any(|(own, len)| own != len) {
        let size = array.data_type()?.fixed_size()?;
        let lengths: Vec<u64> = inner.iter().map(|(_, len)| *len).collect();
        case.spend(bytes.len() as u64).then_some(())?;
        let all = order::total(&lengths)?.max(1);
        let is_beyond = |element: &usize| {
            let at = order::coordinates(*element as u128 % all, &lengths);
            at.iter().zip(inner).any(|(at, (own, _))| at >= own)
        };
        for element in (1..bytes.len() / size).filter(is_beyond) {
            bytes.copy_within((element - 1) * size..element * size, element * size);
        }
    }
    let (at, key) = (sample.at.clone(), sample.key.clone());
    Some(Sample { at, key, bytes, error: None })
}

/// The zeros among the elements outside of the runs, and all of these.
fn outside(samples: &[&Sample], runs: &[ZeroRun<'_>], size: usize) -> (usize, usize) {
    let (mut zeros, mut all) = (0, 0);
    for sample in samples {
        let run = runs.iter().find(|(other, _)| other.key == sample.key);
        let run = run.map_or(0..0, |(_, run)| run.clone());
        let elements = sample.bytes.chunks_exact(size).enumerate();
        for (_, element) in elements.filter(|(at, _)| !run.contains(&(at * size))) {
            all += 1;
            zeros += usize::from(element.iter().all(|&byte| byte == 0));
        }
    }
    (zeros, all)
}

/// The longest run of zeros from the start of a page, but not of the first one, to the end of a page or of the chunk.
fn run(bytes: &[u8]) -> Option<Range<usize>> {
    let is_zero = |page: &&[u8]| page.iter().all(|&byte| byte == 0);
    let pages: Vec<bool> = bytes.chunks(PAGE).map(|page| is_zero(&page)).collect();
    let mut best: Option<Range<usize>> = None;
    let mut start = None;
    for at in 1..=pages.len() {
        match (pages.get(at), start) {
            (Some(true), None) => start = Some(at),
            (Some(true), Some(_)) | (_, None) => {}
            (_, Some(from)) => {
                let run = from * PAGE..(at * PAGE).min(bytes.len());
                let least = if run.end == bytes.len() { TAIL } else { PAGE };
                if run.len() >= least && best.as_ref().is_none_or(|best| best.len() < run.len()) {
                    best = Some(run);
                }
                start = None;
            }
        }
    }
    // Zeros that begin within a page were written.
    best.filter(|run| {
        let before = run.start.checked_sub(8).and_then(|from| bytes.get(from..run.start));
        before.is_some_and(|bytes| bytes.iter().any(|&byte| byte != 0))
    })
}
