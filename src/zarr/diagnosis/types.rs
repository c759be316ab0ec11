//! Other data types: of another width, where chunks have another length than shape and data type promise; of the same
//! width, where the values are such that nobody measures them.

use super::{numbers::pairs, prelude::*, reading::explain_failure, swapped};
use crate::zarr::codec::Setup;

/// The V3 names of data types, by their width.
const TYPES: [(usize, &[&str]); 5] = [
    (1, &["uint8", "int8"]),
    (2, &["int16", "uint16", "float16"]),
    (4, &["float32", "int32", "uint32"]),
    (8, &["float64", "int64", "uint64", "complex64"]),
    (16, &["complex128"]),
];

/// Readings with data types of the width that the length of the chunks gives.
pub(super) fn widths(case: &Case, samples: &[Sample]) -> Vec<Reading> {
    let Some((len, count)) = length(case, samples) else { return Vec::new() };
    let Some(data_type) = case.array.data_type() else { return Vec::new() };
    let (width, declared) = (len / count, data_type.fixed_size().unwrap_or(0) as u64);
    if !data_type.fields().is_empty() || len % count != 0 || width == declared {
        return Vec::new();
    }
    let inner = if case.array.inner_chunk_shape().is_some() { "inner " } else { "" };
    let evidence = format!(
        "Decoded, the {inner}chunks have {} bytes: {} elements × {width} bytes, where {} has {declared}.",
        grouped(len),
        grouped(count),
        data_type.name()
    );
    if matches!(data_type.default_scalar(), Scalar::NullTerminated(_)) {
        return vec![byte_strings(width, declared).because(&evidence)];
    }
    let names =
        TYPES.iter().filter(|(bytes, _)| *bytes as u64 == width).flat_map(|(_, names)| *names);
    let orders = [None, Some(Endian::Big), Some(Endian::Little)];
    let mut readings = Vec::new();
    for name in names {
        for order in orders.iter().take(if width == 1 { 1 } else { 3 }) {
            let is_scaled = kind(case) == Some(true) && name.contains("int") && width < declared;
            let scaled = if is_scaled {
                ": the data type is wrong, or a filter that stores scaled numbers is missing"
            } else {
                ""
            };
            let sentence = format!(
                "The elements are {name}, not {} as the metadata declares{scaled}.",
                data_type.name()
            );
            let what_if = WhatIf::of(SettingMember::Dtype, name);
            let what_if = order.map(WhatIf::endian).into_iter().fold(what_if, WhatIf::and);
            let reading = Reading::new("data-type/width", sentence, what_if).because(&evidence);
            readings.push((*name, order.is_some(), reading.left_open(is_scaled)));
        }
    }
    best_of_a_kind(case, samples, readings)
}

/// The reading as byte strings of another length.
fn byte_strings(width: u64, declared: u64) -> Reading {
    let sentence = format!(
        "The elements are byte strings of {width} bytes, not of {declared} as the metadata declares."
    );
    Reading::new(
        "data-type/bytes-length",
        sentence,
        WhatIf::of(SettingMember::Dtype, format!("|S{width}")),
    )
}

/// Takes the samples out that are of another data type than the rest, where they are alike.
pub(super) fn mixed(case: &Case, samples: &mut Vec<Sample>) -> Option<Diagnosis> {
    if samples.len() as u64 == case.symptoms.stored {
        return None;
    }
    // What decodes to some whole chunks is those, one after the other.
    let (len, _) = length(case, samples)?;
    if case.raw_len().is_some_and(|whole| len > whole && len.is_multiple_of(whole))
        && samples.len() == 1
    {
        return None;
    }
    let readings = widths(case, samples);
    let mut found = explain_failure(case, samples, readings)?;
    // Pairs of the declared numbers are twice as many of them.
    let dtype = found.what_if().and_then(|what_if| what_if.value(SettingMember::Dtype));
    if dtype.is_some_and(|dtype| dtype.starts_with("complex"))
        && case.array.data_type()?.name().starts_with("float")
    {
        return None;
    }
    if is_less_plausible_than_another_shape(case, samples, &found, len) {
        return None;
    }
    let files: Vec<String> = samples.iter().map(|sample| sample.key.clone()).collect();
    found.sentence = format!(
        "{} of another data type than the rest. {}",
        if files.len() == 1 { "1 chunk is".into() } else { format!("{} chunks are", files.len()) },
        found.sentence
    );
    // The other chunks are as declared: no edit of the metadata mends these.
    (found.change, found.is_certain) = (None, false);
    found.files = files;
    samples.clear();
    Some(found)
}

/// True if chunks of `len` bytes are more plausible as fewer or more elements of the declared type, which a chunk of
/// another shape has.
fn is_less_plausible_than_another_shape(
    case: &Case,
    samples: &[Sample],
    found: &Diagnosis,
    len: u64,
) -> bool {
    let read = |what_if: &WhatIf| {
        let outcome = ReadingOutcome::of(case, &case.supposing(what_if)?, samples);
        (outcome.fits == outcome.of).then_some(outcome)
    };
    let both = || {
        let size = case.array.data_type()?.fixed_size()? as u64;
        let count = len.checked_div(size).filter(|_| len.is_multiple_of(size))?;
        let shape = case.shapes_of(count).into_iter().next()?;
        let other = read(&WhatIf::lengths(SettingMember::Chunks, &shape))?;
        Some((other, read(found.what_if()?)?))
    };
    both().is_some_and(|(other, found)| {
        let own = other.badness();
        own + (own * SHARE).max(BETTER) < found.badness()
    })
}

/// By how many bits a byte, and by which share of its description, a data type must be better than another one of the
/// same width.
const BETTER: f64 = 0.02;
const SHARE: f64 = 0.025;
/// The number of chunks that are read as declared, which are looked at beside others.
const SOUND: usize = 3;

/// Of readings as several data types the likeliest one, in the byte order that is; with those that nothing tells from
/// it, which then is open.
fn best_of_a_kind(
    case: &Case,
    samples: &[Sample],
    readings: Vec<(&'static str, bool, Reading)>,
) -> Vec<Reading> {
    let mut tried: Vec<(f64, &'static str, Reading)> = Vec::new();
    // Chunks that are read as declared tell in which range the others are.
    let sound: Vec<Sample> = case.sound().into_iter().take(SOUND).collect();
    let known = ReadingOutcome::of(case, case.array, &sound).measure.map(|it| it.range);
    for (name, has_order, reading) in readings {
        let Some(array) = case.supposing(&reading.what_if) else { continue };
        let outcome = ReadingOutcome::of(case, &array, samples);
        if outcome.measure.is_none() || outcome.fits == 0 {
            continue;
        }
        let numbers = Numbers::of(&outcome.chunks);
        let mut badness = outcome.badness();
        // The same bits differ by the same in every type of one width: what tells is how large the values are.
        if numbers.is_float {
            badness += 4.0 * (1.0 - numbers.measured);
        } else if numbers.is_huge() {
            badness += 1.0;
        }
        let is_beyond = known.zip(outcome.measure).is_some_and(|((low, high), it)| {
            it.range.0 < low * 2.0 - high || it.range.1 > high * 2.0 - low
        });
        badness += if is_beyond { 4.0 } else { 0.0 };
        badness += if has_order { 0.03 } else { 0.0 };
        tried.push((badness, name, reading));
    }
    tried.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut names = Vec::new();
    let most = tried.first().map_or(0.0, |(best, ..)| best + (best * SHARE).max(BETTER));
    for (_, name, _) in tried.iter().filter(|(badness, ..)| *badness <= most) {
        if !names.contains(name) {
            names.push(*name);
        }
    }
    let best = tried.into_iter().next().map(|(_, _, best)| best);
    best.into_iter().map(|best| either_of(best, &names)).collect()
}

/// A reading as one of some data types.
fn either_of(mut best: Reading, names: &[&str]) -> Reading {
    if let [first, _, ..] = names {
        let all = format!("{} (no value tells which)", names.join(" or "));
        best.sentence = best.sentence.replacen(first, &all, 1);
    }
    best.left_open(names.len() > 1)
}

/// True if the declared data type is a float, false if it is an integer.
fn kind(case: &Case) -> Option<bool> {
    let name = case.array.data_type()?.name();
    match name.as_str() {
        name if name.starts_with("float") || name.starts_with("complex") => Some(true),
        name if name.contains("int") => Some(false),
        _ => None,
    }
}

/// The bytes of the samples without compressors and checksums, and the elements that each should have; `None` where
/// they differ.
fn length(case: &Case, samples: &[Sample]) -> Option<(u64, u64)> {
    // Of a shard, the first inner chunk is looked at.
    let shape = case.array.inner_chunk_shape().or_else(|| case.array.chunk_shape())?;
    let count = order::product(&shape)?;
    let lengths: Vec<u64> = samples
        .iter()
        .filter_map(|sample| Some(without_codecs(case, &sample.bytes)?.len() as u64))
        .collect();
    let first = *lengths.first()?;
    let same = lengths.iter().filter(|len| **len == first).count();
    (count > 0 && first > 0 && same == lengths.len() && same * 2 > samples.len())
        .then_some((first, count))
}

/// The output of the codecs after the one that makes bytes; `None` where one fails.
pub(super) fn without_codecs(case: &Case, bytes: &[u8]) -> Option<Vec<u8>> {
    without_codecs_of(case, case.array, bytes)
}

/// The same of codecs that another document declares.
pub(super) fn without_codecs_of(
    case: &Case,
    array: &ArrayMetadata,
    bytes: &[u8],
) -> Option<Vec<u8>> {
    let specs = array.codecs.as_deref().ok()?;
    let kind = |spec: &CodecSpec| {
        array.registry.codecs.read_as(&spec.name, array.format).map(|row| row.kind)
    };
    let at = specs
        .iter()
        .position(|spec| spec.implied || kind(spec) == Some(CodecKind::ArrayToBytes))?;
    let spec = specs.get(at)?;
    let row = array.registry.codecs.read_as(&spec.name, array.format);
    if row.is_some_and(|row| row.inner.is_some()) {
        return super::shards::first_inner(case, bytes);
    }
    let around =
        Setup { spec, format: array.format, registry: &array.registry, array: None, depth: 0 };
    let chain = Chain::of_bytes(specs.get(at + 1..)?, &around);
    let data = case.undone(&chain, Data::Bytes(Bytes::whole(bytes.to_vec())))?;
    data.bytes().as_whole().map(<[u8]>::to_vec)
}

/// The data types of the same width that a writer may have meant.
fn others(name: &str) -> &'static [&'static str] {
    match name {
        "float32" => &["int32", "uint32"],
        "float64" => &["int64", "complex64"],
        "int32" | "uint32" => &["float32"],
        "int64" | "uint64" => &["float64", "complex64"],
        "complex64" => &["float64"],
        "int16" => &["uint16"],
        "float16" | "uint16" => &["int16"],
        "int8" => &["uint8"],
        "uint8" => &["int8"],
        _ => &[],
    }
}

/// The cause, if the values speak for another data type of the same width.
pub(super) fn same_width(
    case: &Case,
    samples: &[Sample],
    declared: &ReadingOutcome,
) -> Option<Diagnosis> {
    /// By how many times numbers reach farther above 0 than below.
    const FAR: f64 = 8.0;
    let data_type = case.array.data_type()?;
    let name = data_type.name();
    let width = data_type.fixed_size()?;
    if name.contains("null_terminated_bytes") {
        return fixed_text(case, samples, width);
    }
    if declared.measure?.words < FEW || !data_type.fields().is_empty() {
        return None;
    }
    // Masks have both ends of their range, which no measured values around 0 favour.
    if has_largest(&declared.chunks) {
        return None;
    }
    let here = Numbers::of(&declared.chunks);
    // What an attribute says they are, readers make of them.
    let said = Packing::of(case.array).other_sign.map(|it| it.name());
    let others = others(&name).iter().filter(|other| said.as_deref() != Some(**other));
    others.into_iter().find_map(|other| {
        let what_if = WhatIf::of(SettingMember::Dtype, other);
        let array = case.supposing(&what_if)?;
        let outcome = ReadingOutcome::of(case, &array, samples);
        // A filter that computes makes other bytes of another type, which are no other reading of the same ones.
        let bytes = |chunks: &[Elements]| {
            chunks.first().and_then(|chunk| chunk.bytes().as_whole().map(<[u8]>::to_vec))
        };
        if bytes(&outcome.chunks) != bytes(&declared.chunks) {
            return None;
        }
        let there = (!case.is_stopped()).then(|| Numbers::of(&outcome.chunks))?;
        let why = speaks_for(&here, &there, declared, &outcome)?;
        if swapped::is_likelier(declared) {
            return None;
        }
        if let Some(mark) = only_of(case.array, &array) {
            return Some(wrapped(name.as_str(), (other, mark), &why));
        }
        let other = either(&here, &there, other);
        let text = format!("The elements are {other}, not {name} as the metadata declares.");
        let mut diagnosis = Diagnosis::new("data-type/same-width", text).because(why);
        diagnosis.evidence.extend(outcome.measure.map(|measure| values(&measure)));
        let end = |of: fn(f64, f64) -> f64| there.values.iter().copied().reduce(of);
        let (low, high) = (end(f64::min)?, end(f64::max)?);
        if name.starts_with("uint") && low < 0.0 && low * FAR > -high {
            let text = "They reach little below 0: where a background was subtracted from unsigned integers, they wrap to the same bytes, and this \
                        reads what was meant.";
            diagnosis.evidence.push(text.to_owned());
        }
        Some(what_if.mending(case.array, diagnosis))
    })
}

/// True if many values are the largest unsigned integer of their width, and far fewer the next smaller one.
fn has_largest(chunks: &[Elements]) -> bool {
    /// One in how many, and how many times as often as the next one.
    const MANY: usize = 50;
    const OFTEN: usize = 4;
    let (mut all, mut largest, mut next) = (0, 0, 0);
    for chunk in chunks {
        let step = usize::try_from(chunk.len() / 4096 + 1).unwrap_or(usize::MAX);
        for value in (0..chunk.len()).step_by(step).filter_map(|at| chunk.value(at)?.ok()) {
            let Scalar::Uint(value) = value else { return false };
            let bits = chunk.data_type().fixed_size().unwrap_or(1) * 8;
            let most = u64::MAX >> 64_usize.saturating_sub(bits).min(63);
            all += 1;
            largest += usize::from(value == most);
            next += usize::from(value == most - 1);
        }
    }
    largest * MANY > all && largest > next * OFTEN
}

/// What the document says that only the declared integers can be: then these are meant, and what goes on in the other
/// reading was beyond their range.
fn only_of(declared: &ArrayMetadata, other: &ArrayMetadata) -> Option<String> {
    let member = |key: &str| declared.attributes()?.get(key)?.as_number()?.parse::<f64>().ok();
    let fill = declared.fill_scalar().and_then(|it| it.to_f64()).filter(|it| it.abs() > 0.0);
    let fill = ("fill_value", fill);
    let named = ["_FillValue", "valid_min", "valid_max"].map(|key| (key, member(key)));
    let (name, integers) = (declared.data_type()?.name(), other.data_type()?);
    let bits = integers.fixed_size()? * 8;
    let [low, high] = match integers.default_scalar() {
        Scalar::Int(_) => [-2_f64.powf(bits as f64 - 1.0), 2_f64.powf(bits as f64 - 1.0) - 1.0],
        Scalar::Uint(_) => [0.0, 2_f64.powf(bits as f64) - 1.0],
        _ => return None,
    };
    let is_integer =
        matches!(declared.data_type()?.default_scalar(), Scalar::Int(_) | Scalar::Uint(_));
    let mut all = std::iter::once(fill).chain(named).filter(|_| is_integer);
    let (key, value) = all.find(|(_, it)| it.is_some_and(|it| it < low || it > high))?;
    Some(format!("{key} is {}, which is {name} and no {}.", number(value?), integers.name()))
}

/// The cause of numbers that were beyond the range of their type.
fn wrapped(name: &str, (other, mark): (&str, String), why: &str) -> Diagnosis {
    let text = format!("Values beyond the range of {name} wrapped to its other end.");
    let mut diagnosis = Diagnosis::new("conversion/beyond-range", text)
        .because(why.replace("read that way", &format!("read as {other}")))
        .because(mark)
        .to_do("convert the numbers again, in a wider type or with a larger scale_factor");
    diagnosis.change = Some(Change::Reading(WhatIf::of(SettingMember::Dtype, other)));
    diagnosis
}

/// The words for integers that read the same with and without a sign.
fn either(here: &Numbers, there: &Numbers, other: &str) -> String {
    let is_either = here.is_float && other.starts_with("int") && there.share(|v| v >= 0.0) >= 1.0;
    if is_either { format!("{other} or u{other} (no value tells which)") } else { other.into() }
}

/// The reason why the values as `there` are more plausible than as `here`; `None` where they are not, clearly.
fn speaks_for(
    here: &Numbers,
    there: &Numbers,
    declared: &ReadingOutcome,
    other: &ReadingOutcome,
) -> Option<String> {
    let (measure, new) = (declared.measure?, other.measure?);
    let bits = i32::try_from(there.width * 8).ok()?;
    match (here.is_float, there.is_float) {
        (true, false) => {
            let small = there.share(|value| value.abs() < 2_f64.powi(bits - 5));
            let varied = new.range.0 < new.range.1;
            (measure.strange > 0.5 && small > 0.98 && varied).then(|| {
                format!(
                    "Read as floats, {:.0} % of the values are implausibly small or not numbers; as integers they are \
                     small.",
                    measure.strange * 100.0
                )
            })
        }
        // Floats that are round have halves of zeros, which are no numbers of their own.
        // The lower half of a larger float is noise, which as a float of its own is of any size; that of two is none.
        (true, true) => ((there.width < here.width && new.bits < measure.bits * 0.9
            || there.width > here.width && here.measured < 0.9)
            && there.measured > 0.98
            && there.is_full())
        .then(|| {
            format!(
                "As declared, neighbouring values differ by {}: {:.1} of the 8 bits of each byte.",
                number(measure.step),
                measure.bits
            )
        }),
        (false, true) => {
            let bits = i32::try_from(here.width * 8).ok()?;
            floats(here, there, (measure, new), bits)
        }
        (false, false) => sign(here, there, bits),
    }
}

/// The reason why huge integers are floats.
fn floats(
    here: &Numbers,
    there: &Numbers,
    (measure, new): (Measure, Measure),
    bits: i32,
) -> Option<String> {
    // The last chunks may end with many a NaN.
    let is_sensible =
        |value: f64| value == 0.0 || value.is_nan() || (1e-6..1e9).contains(&value.abs());
    let sensible = there.share(is_sensible);
    let huge = here.share(|value| value == 0.0 || value.abs() > 2_f64.powi(bits - 4));
    let (plus, minus) = (there.share(|value| value > 0.0), there.share(|value| value < 0.0));
    let is_signed = plus > 0.05 && minus > 0.05;
    let may_be_counted = is_monotone(&there.values) && !is_count(&there.values, &here.values);
    let is_smooth = new.gain >= GAIN && !may_be_counted && distinct(&there.values) > FEW;
    // The NaN that programs write, which nobody counts to again and again.
    let nan = if bits == 32 { 0x7fc0_0000_u64 } else { 0x7ff8 << 48 } as f64;
    let nans = if bits < 32 { 0.0 } else { here.share(|value| value.total_cmp(&nan).is_eq()) };
    let is_marked = nans > 0.01 && distinct(&there.values) > FEW;
    let is_told = is_signed || is_smooth || is_marked;
    (sensible > 0.98 && huge > 0.98 && new.range.0 < new.range.1 && is_told).then(|| {
        format!(
            "Read as integers, the values go from {} to {} and no bit is unused; as floats they have plausible \
             magnitudes{}.",
            number(measure.range.0),
            number(measure.range.1),
            if is_marked { format!(", and {:.0} % are NaN", nans * 100.0) } else { String::new() }
        )
    })
}

/// The evidence, if integers wrap at the end of one reading, and not in the other.
fn sign(here: &Numbers, there: &Numbers, bits: i32) -> Option<String> {
    let half = 2_f64.powi(bits - 1);
    // What is missing is often marked by the first or the last number there is.
    let marks = [marks(here, half), marks(there, half)].concat();
    let jumps = |numbers: &Numbers, others: &Numbers| {
        let pairs = pairs(numbers).zip(pairs(others));
        pairs
            .filter(|(pair, other)| {
                let ends = pair.iter().chain(other).any(|value| marks.contains(value));
                let distance = |[a, b]: &[f64; 2]| (a - b).abs();
                !ends && distance(pair) > half && distance(other) < half / 4.0
            })
            .count()
    };
    let (wraps, back) = (jumps(here, there), jumps(there, here));
    // Numbers of any size jump at any place.
    let steps = pairs(there).map(|[a, b]| (a - b).abs()).filter(|step| *step > 0.0);
    let (small, large): (Vec<f64>, Vec<f64>) = steps.partition(|step| *step < half / 4.0);
    if small.len() < large.len() {
        return None;
    }
    let here_middle = if here.values.iter().any(|value| *value < 0.0) { 0.0 } else { half };
    let around_middle = |distance: f64| {
        here.share(|value| {
            let from_zero = if value < 0.0 { value + 2.0 * half } else { value };
            (from_zero - here_middle).abs() < distance && !(here_middle == 0.0 && value == 0.0)
        })
    };
    // A few values at the end of the type are flags; those around zero never come near the middle of the type.
    let high: Vec<f64> = here.values.iter().copied().filter(|v| *v > here_middle).collect();
    let many = distinct(&high);
    let is_often = wraps >= 8 && wraps * 100 >= here.values.len() && back * 8 <= wraps;
    let is_apart = wraps >= 32 && back == 0 && around_middle(half / 4.0) == 0.0 && many > 16;
    let is_clear = is_apart
        || is_often
            && many > 8
            && (around_middle(half / 2.0) < 0.01 || distinct(&here.values) > 16);
    is_clear.then(|| {
        format!(
            "As declared, neighbouring values jump from one end of the type to the other {} times; read that way, {} \
             times.",
            grouped(wraps),
            grouped(back)
        )
    })
}

/// The numbers at the ends of the type that occur far more often than the number beside them: they mark something.
fn marks(numbers: &Numbers, half: f64) -> Vec<f64> {
    let count =
        |value: f64| numbers.values.iter().filter(|other| other.total_cmp(&value).is_eq()).count();
    let is_mark = |value: &f64| {
        let beside = count(value - 1.0).max(count(value + 1.0));
        count(*value) > 3 * beside + 2
    };
    let ends = [0.0, -1.0, half - 1.0, -half, 2.0 * half - 1.0];
    ends.into_iter().filter(is_mark).collect()
}

fn is_monotone(values: &[f64]) -> bool {
    let known: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
    let pairs = known.windows(2);
    let rises = pairs.clone().filter(|pair| matches!(pair, [a, b] if b >= a)).count();
    let all = pairs.len();
    rises * 20 >= all * 19 || rises * 20 <= all
}

/// True if `values` are an axis: each as much more than the last one, where the same bits as `integers` are not, or
/// all are round numbers.
fn is_count(values: &[f64], integers: &[f64]) -> bool {
    /// The part of 1 that round numbers are a multiple of, and the largest of them.
    const ROUND: (f64, f64) = (1024.0, 1e9);
    let is_known: Vec<bool> = values
        .windows(2)
        .map(|pair| matches!(pair, [a, b] if !(b - a).is_nan() && b - a != 0.0))
        .collect();
    let is_even = |values: &[f64]| {
        let pairs = values.iter().zip(values.iter().skip(1)).zip(&is_known);
        let known = pairs.filter(|(_, is_known)| **is_known);
        let steps: Vec<f64> = known.map(|((a, b), _)| b - a).collect();
        let usual = middle(steps.clone()).unwrap_or(0.0);
        let even = steps.iter().filter(|step| (*step - usual).abs() <= usual.abs() * 1e-3);
        usual != 0.0 && even.count() * 20 >= steps.len() * 19
    };
    let is_round =
        |value: &f64| value.is_nan() || (value * ROUND.0).fract() == 0.0 && value.abs() < ROUND.1;
    is_even(values) && (!is_even(integers) || values.iter().all(is_round))
}

/// The cause, if bytes declared as texts of one byte a character are UTF-32. Texts of bytes end at the first zero, so
/// that what tells is a character after one; texts of one character have none.
fn fixed_text(case: &Case, samples: &[Sample], width: usize) -> Option<Diagnosis> {
    if !width.is_multiple_of(4) || width == 0 {
        return None;
    }
    let mut all = samples.iter().filter_map(|sample| without_codecs(case, &sample.bytes));
    let mut after_zeros = 0_usize;
    let fits = all.all(|bytes| {
        bytes.as_chunks::<4>().0.iter().enumerate().all(|(at, unit)| {
            let [low, _, third, last] = *unit;
            after_zeros += usize::from(low != 0 && at % (width / 4) != 0);
            third == 0 && last == 0
        })
    });
    if !fits || after_zeros < 8 {
        return None;
    }
    let what_if = WhatIf::of(SettingMember::Dtype, format!("<U{}", width / 4));
    let text = format!("The elements are UTF-32 strings of {} code points, not bytes.", width / 4);
    let diagnosis = Diagnosis::new("data-type/utf-32", text).because(
        "Characters follow zero bytes; in byte strings, zero bytes usually only pad the end.",
    );
    Some(what_if.mending(case.array, diagnosis))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of rows of seven, as they are in two bytes without a sign, and with one.
    fn unsigned_and_signed(value: impl Fn(usize) -> f64) -> [Numbers; 2] {
        let signed: Vec<f64> = (0..7000).map(|at| value(at).round()).collect();
        let unsigned = signed.iter().map(|value| value.rem_euclid(65_536.0)).collect();
        [unsigned, signed].map(|values| Numbers {
            values,
            is_float: false,
            width: 2,
            measured: 1.0,
            apart: 7,
            in_rows: Vec::new(),
        })
    }

    #[test]
    fn few_values_around_zero_tell_of_a_sign_where_none_is_near_the_middle() {
        // Most of a chunk is beyond the edge of the array.
        let waves = |at: usize| match at {
            ..1400 => (at as f64 / 40.0).sin() * 9000.0,
            _ => 0.0,
        };
        let [unsigned, signed] = unsigned_and_signed(waves);
        assert!(sign(&unsigned, &signed, 16).is_some_and(|why| why.contains("read that way, 0")));
        assert_eq!(sign(&signed, &unsigned, 16), None);
        // Some flags at the end of the type, beside small numbers, are no signs.
        let flags =
            |at: usize| if at % 200 < 3 { -2.0 - (at % 3) as f64 } else { at as f64 % 99.0 };
        let [unsigned, signed] = unsigned_and_signed(flags);
        assert_eq!(sign(&unsigned, &signed, 16), None);
    }
}
