//! Chunks that are longer or shorter than declared, and whole: rows with padding after them, chunks of another shape that
//! were left in the grid, and the same few bytes around every chunk.

use super::{ends::cut, files::also_mended_by, prelude::*};

/// The longest bytes around every chunk.
const AROUND: usize = 4096;
/// By how many bits a byte one place for a chunk must be better than the other.
const BETTER: f64 = 0.5;

/// The bytes of an element, and the lengths of a chunk from the slowest dimension to the fastest.
fn rows(case: &Case) -> Option<(u64, Vec<u64>)> {
    let size = case.array.data_type()?.fixed_size()? as u64;
    let mut shape = case.array.chunk_shape()?;
    let codecs = case.array.codecs.as_deref().ok()?;
    let is_reversed =
        case.array.format == Format::V2 && codecs.iter().any(|spec| spec.field == "order");
    if is_reversed {
        shape.reverse();
    }
    Some((size, shape))
}

/// The bytes of the elements of a chunk; `None` of shards, whose inner chunks have lengths of their own.
pub(super) fn unpacked(case: &Case, sample: &Sample) -> Option<Vec<u8>> {
    if case.sharding().is_some() { None } else { without_codecs(case, &sample.bytes) }
}

/// Rows of a chunk with padding after each, in bytes.
struct Padded {
    count: u64,
    row: usize,
    stride: usize,
}

impl Padded {
    /// The rows, or the planes of rows, of chunks that have `raw` bytes without padding.
    fn of(chunks: &[Vec<u8>], raw: u64, (size, shape): (u64, &[u64])) -> Option<Self> {
        let len = chunks.first()?.len() as u64;
        let along = |axis: usize| {
            let row = order::product(shape.get(axis..)?)?.checked_mul(size)?;
            let count = raw.checked_div(row).filter(|count| *count > 1)?;
            // The last row may end with its values.
            let is_whole = len.is_multiple_of(count);
            let stride = if is_whole { len / count } else { (len - row).div_ceil(count - 1) };
            let fits = is_whole || stride * (count - 1) + row == len;
            let (row, stride) = (usize::try_from(row).ok()?, usize::try_from(stride).ok()?);
            let is_padded = fits && stride > row && is_padded(chunks, row, stride);
            is_padded.then_some(Self { count, row, stride })
        };
        (1..shape.len()).rev().find_map(along)
    }

    /// The file of an uncompressed chunk without the padding.
    fn without(&self, sample: &Sample) -> Change {
        let Self { count, row, stride } = *self;
        let line = script!(
            "python3 -I -c 'import sys; b = sys.stdin.buffer.read(); [sys.stdout.buffer.write(b[i:i + {}]) for i in \
             range(0, {}, {})]'",
            row,
            stride as u64 * count,
            stride,
        );
        let rows = sample.bytes.chunks(stride);
        let rows = rows.flat_map(|part| part.get(..row).unwrap_or(part));
        rewritten(&sample.key, &[line], rows.copied().collect::<Vec<u8>>())
    }
}

/// The cause, if every row, or every plane of rows, has padding after it.
pub(super) fn padded_rows(case: &Case, samples: &[Sample]) -> Option<Diagnosis> {
    let (size, shape) = rows(case)?;
    let raw = case.raw_len()?;
    let inside = samples.iter().map(|sample| unpacked(case, sample));
    let inside: Vec<Vec<u8>> = inside.collect::<Option<_>>()?;
    let len = inside.first()?.len() as u64;
    if len <= raw || inside.iter().any(|bytes| bytes.len() as u64 != len) {
        return None;
    }
    let padded = Padded::of(&inside, raw, (size, &shape))?;
    let (row, stride) = (byte_count(padded.row), padded.stride);
    let more = byte_count(stride - padded.row);
    let text = format!(
        "Each row of a chunk is stored in {}: {row} of values, and {more} of padding.",
        byte_count(stride)
    );
    let mut diagnosis = Diagnosis::new("chunk-shape/padded-rows", text)
        .because(format!(
            "{} that {} examined: {} instead of {} bytes, and the last {more} of every {} are all the same.",
            counted(samples.len(), "chunk"),
            if samples.len() == 1 { "was" } else { "were" },
            grouped(len),
            grouped(raw),
            grouped(stride)
        ))
        .because("The metadata cannot declare that: the chunks have to be written again without the padding.");
    if case.array.chain()?.is_raw() {
        let changes: Vec<Change> = samples.iter().map(|sample| padded.without(sample)).collect();
        let commands = ShellScript::all(changes.iter().map(Change::script));
        let files = changes.iter().flat_map(Change::files).collect();
        diagnosis = diagnosis.mended_by(Change::Bytes(commands, files));
    }
    Some(diagnosis)
}

/// The cause, if every chunk has the same bytes, as many as the whole array has.
pub(super) fn whole_array(case: &Case, samples: &[Sample]) -> Option<Diagnosis> {
    let (size, shape) = (rows(case)?.0, case.array.known_shape()?);
    let len = order::product(shape)?.checked_mul(size)?;
    let chunks = samples.iter().map(|sample| unpacked(case, sample));
    let chunks: Vec<Vec<u8>> = chunks.collect::<Option<_>>()?;
    let first = chunks.first()?;
    let is_whole = first.len() as u64 == len && case.raw_len().is_some_and(|chunk| chunk < len);
    (is_whole && chunks.len() > 1 && chunks.iter().all(|chunk| chunk == first)).then(|| {
        let mut diagnosis =
            Diagnosis::new("chunk-shape/whole-array", "Each chunk holds the whole array.")
                .because(format!(
                    "The {} examined have the same {}: as many as an array of {} has.",
                    counted(samples.len(), "chunk"),
                    byte_count(first.len()),
                    list(shape)
                ))
                .to_do("write the chunks again, each with its part of what one of them holds");
        diagnosis.change = Some(Change::Reading(WhatIf::lengths(SettingMember::Chunks, shape)));
        diagnosis
    })
}

/// True if what is after `row` bytes of every `stride` is the same byte throughout, and the rows are not.
fn is_padded(chunks: &[Vec<u8>], row: usize, stride: usize) -> bool {
    let parts = || chunks.iter().flat_map(|bytes| bytes.chunks(stride));
    let mut padding = parts().flat_map(|part| part.get(row..).unwrap_or_default());
    let first = padding.next();
    // Rows that end as the padding goes on say nothing.
    let ends = parts().filter(|part| part.get(row - 1) != first).count();
    first.is_some_and(|first| padding.all(|byte| byte == first)) && ends * 2 > parts().count()
}

/// The cause, if every chunk has, without its compressor, as many bytes more as a checksum has.
pub(super) fn checksum_inside(case: &Case, samples: &[Sample]) -> Option<Diagnosis> {
    const SUM: u64 = 4;
    let raw = case.raw_len()?;
    let with_sum = raw.checked_add(SUM)?;
    let is_longer = |sample: &Sample| {
        unpacked(case, sample).is_some_and(|bytes| bytes.len() as u64 == with_sum)
    };
    let is_raw = case.array.chain()?.is_raw();
    (!is_raw && !samples.is_empty() && samples.iter().all(is_longer)).then(|| {
        let text = "The chunks have 4 bytes more than their elements, most likely a checksum that the metadata does not declare.";
        Diagnosis::new("codec/extra-checksum", text)
            .because(format!(
                "Without the codecs, the {} examined have {} bytes instead of {}, and no Zarr checksum matches them.",
                counted(samples.len(), "chunk"),
                grouped(with_sum),
                grouped(raw)
            ))
            .because("In HDF5 files, a checksum (Fletcher-32) can be before the shuffle or after it.")
    })
}

/// Takes the samples out that are whole chunks of another number of elements.
pub(super) fn of_another_shape(case: &Case, samples: &mut Vec<Sample>) -> Vec<Diagnosis> {
    let (Some(raw), Some((size, _))) = (case.raw_len(), rows(case)) else { return Vec::new() };
    let is_raw = case.array.chain().is_none_or(|chain| chain.is_raw());
    let length = |sample: &Sample| {
        let len = unpacked(case, sample)?.len() as u64;
        let is_other = len != raw && len > 0 && len.is_multiple_of(size);
        // Without a compressor, what is too short may as well have been cut.
        (is_other && (len > raw || !is_raw)).then_some(len)
    };
    let lengths: Vec<Option<u64>> = samples.iter().map(length).collect();
    let Some(len) = lengths.iter().flatten().next().copied() else { return Vec::new() };
    // Whole chunks one after the other are told as such.
    let others = lengths.iter().filter(|other| **other == Some(len)).count();
    // Some have a shape that an array of these dimensions would have, or only too many bytes.
    let is_all = case.symptoms.failures == case.symptoms.stored && others == samples.len();
    let has_shape = || is_all || !case.shapes_of(len / size).is_empty();
    if len.is_multiple_of(raw) || (is_raw && (others < 2 || !has_shape())) {
        return Vec::new();
    }
    let larger =
        larger_chunk(case, samples.iter().zip(&lengths).filter(|(_, it)| **it == Some(len)));
    let mut keys = Vec::new();
    let mut lengths = lengths.into_iter();
    samples.retain(|sample| {
        let is_one = lengths.next().flatten() == Some(len);
        keys.extend(is_one.then(|| sample.key.clone()));
        !is_one
    });
    let evidence = if is_raw {
        format!("{} of them are of this one length.", grouped(others))
    } else {
        "The codecs decode them to the end without an error, so nothing is missing.".into()
    };
    if is_all {
        return vec![all_of_another_shape((len / size, raw / size), evidence)];
    }
    vec![left_over(case, (keys, larger), (len / size, raw / size), evidence)]
}

/// The shape of larger chunks that have one value beyond what a chunk of this array has: those of another writer.
fn larger_chunk<'s>(
    case: &Case,
    odd: impl Iterator<Item = (&'s Sample, &'s Option<u64>)>,
) -> Option<Vec<u64>> {
    /// The chunks that are looked at, and the most elements of one.
    const FEW: usize = 3;
    const MOST: u64 = 1 << 20;
    let (size, declared) =
        rows(case).filter(|(_, shape)| case.array.chunk_shape().as_ref() == Some(shape))?;
    let (bytes, chunks) =
        (usize::try_from(size).ok()?, odd.take(FEW).map(|(sample, _)| unpacked(case, sample)));
    let chunks: Vec<Vec<u8>> = chunks.collect::<Option<_>>()?;
    let [leading @ .., rows, columns] = declared.as_slice() else { return None };
    let of_page = order::product(leading)?.checked_mul(size).filter(|it| *it > 0)?;
    let count = (chunks.first()?.len() as u64).checked_div(of_page)?;
    (count <= MOST).then_some(())?;
    (*rows..=count / (*columns).max(1)).filter(|it| *it > 0 && count.is_multiple_of(*it)).find_map(
        |down| {
            let across = count / down;
            let is_padded = chunks.iter().all(|chunk| {
                let mut beyond = chunk.chunks_exact(bytes).zip(0_u64..).filter(|(_, number)| {
                    let (row, column) = (number / across % down, number % across);
                    row >= *rows || column >= *columns
                });
                let first = beyond.next().map(|(value, _)| value);
                first.is_some()
                    && beyond.all(|(value, _)| Some(value) == first)
                    && chunk.get(..bytes) != first
            });
            is_padded.then(|| [leading, &[down, across]].concat())
        },
    )
}

/// The cause that every chunk examined has `found` elements instead of `expected`.
fn all_of_another_shape((found, expected): (u64, u64), evidence: String) -> Diagnosis {
    let text = format!(
        "The chunks have {} elements, and {} as the metadata declares: they have another shape, which neither their keys \
         nor their length tell.",
        grouped(found),
        grouped(expected)
    );
    Diagnosis::new("chunk-shape/unknown", text).because(evidence)
}

/// The cause that chunks of `found` elements, instead of `expected`, are of an array that was there before.
fn left_over(
    case: &Case,
    (keys, larger): (Vec<String>, Option<Vec<u64>>),
    (found, expected): (u64, u64),
    evidence: String,
) -> Diagnosis {
    let shape = match (&larger, case.shapes_of(found).as_slice()) {
        (Some(shape), _) => format!(", as chunks of {} have", list(shape)),
        (None, [only]) => format!(", such as chunks of {} have", list(only)),
        _ => String::new(),
    };
    let (have, are) = if keys.len() == 1 { ("has", "it is") } else { ("have", "they are") };
    let (kind, likely, because) = if larger.is_some() {
        (
            "chunk-shape/larger-chunks",
            "Most likely a writer with larger chunks wrote them, and filled them up.".to_owned(),
            "Beyond the length that a chunk has here, each holds one value throughout.",
        )
    } else {
        (
            "chunk-shape/older-array",
            format!("Most likely {are} left from an array with other chunks."),
            "A writer that creates an array again, and leaves the old chunks, leaves such files behind.",
        )
    };
    let text = format!(
        "{} {have} {} elements{shape}; a chunk has {}. {likely}",
        named(&keys),
        grouped(found),
        grouped(expected)
    );
    Diagnosis::new(kind, text)
        .because(evidence)
        .because(because)
        .explaining(&case.symptoms.codes())
        .explaining(&[Code::CodecHeader])
        .in_files(keys)
}

/// The same number of bytes before every chunk, or after it.
struct Around {
    before: bool,
    more: usize,
    exact: usize,
    outcome: ReadingOutcome,
}

impl Around {
    fn of(case: &Case, samples: &[Sample]) -> Option<Self> {
        const FEW: usize = 3;
        let exact = usize::try_from(case.array.chain()?.encoded_size().exact?).ok()?;
        let more = samples.first()?.bytes.len().checked_sub(exact)?;
        let is_alike = samples.iter().all(|sample| sample.bytes.len() == exact + more);
        if more == 0 || more > AROUND.min(exact) || samples.len() < FEW || !is_alike {
            return None;
        }
        let outcome = |skip: usize| {
            let part = |sample: &Sample| {
                let bytes = sample.bytes.get(skip..skip + exact).unwrap_or_default().to_vec();
                Sample { bytes, ..sample.clone() }
            };
            ReadingOutcome::of(case, case.array, &samples.iter().map(part).collect::<Vec<_>>())
        };
        let (after_header, before_end) = (outcome(more), outcome(0));
        let worse = after_header.badness() - before_end.badness();
        let before = match (constant(samples, more, false), constant(samples, more, true)) {
            _ if worse <= -BETTER => true,
            _ if worse >= BETTER => false,
            (true, false) => true,
            (false, true) => false,
            _ => return None,
        };
        let outcome = if before { after_header } else { before_end };
        (outcome.fits == outcome.of).then_some(Self { before, more, exact, outcome })
    }

    /// The cause with the command that takes the bytes away from a file.
    fn mended(&self, diagnosis: Diagnosis, sample: &Sample) -> Diagnosis {
        if !self.before {
            return cut(diagnosis, sample, self.exact);
        }
        let rest = sample.bytes.get(self.more..).unwrap_or_default();
        let command = script!("tail -c +{}", self.more + 1);
        diagnosis.mended_by(rewritten(&sample.key, &[command], rest))
    }
}

/// The cause, if as many bytes are before every chunk, or after it, and nothing else explains them.
pub(super) fn same_around(case: &Case, samples: &[Sample]) -> Option<Diagnosis> {
    let around = Around::of(case, samples)?;
    let (kind, place) = if around.before {
        ("prefixed/every-chunk", "before")
    } else {
        ("appended/every-chunk", "after")
    };
    let more = byte_count(around.more);
    let text = format!("Every file has {more} {place} the chunk that are not part of it.");
    let same = constant(samples, around.more, !around.before);
    let diagnosis = Diagnosis::new(kind, text)
        .because(format!(
            "All {} examined are {more} longer than declared{}.",
            counted(samples.len(), "chunk"),
            if same { ", and these bytes are the same in each" } else { "" }
        ))
        .because_all(around.outcome.values());
    let (first, rest) = samples.split_first()?;
    let mut diagnosis = around.mended(diagnosis, first);
    for sample in rest {
        let other = around.mended(Diagnosis::new(kind, ""), sample);
        also_mended_by(&mut diagnosis, other);
    }
    Some(diagnosis)
}

/// True if the first `count` bytes, or with `at_end` the last, are the same in all samples, and those beside them are not.
fn constant(samples: &[Sample], count: usize, at_end: bool) -> bool {
    let part = |sample: &'_ Sample| -> Option<Vec<u8>> {
        let bytes = &sample.bytes;
        let from = if at_end { bytes.len() - count } else { 0 };
        bytes.get(from..from + count).map(<[u8]>::to_vec)
    };
    let first = samples.first().and_then(part);
    samples.iter().all(|sample| part(sample) == first)
}
