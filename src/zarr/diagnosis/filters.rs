//! Filters of V2 that are missing, were never applied, or are in another order; shuffles for another element size.

use super::prelude::*;
use super::{
    codecs::wraps,
    layout::RankedChunk,
    reading::{LESS, SummedNumbers, told_alone},
    seams::DecodedChunk,
    swapped,
};

/// The filter that packs flags into bits.
const BITS: &str = "packbits";
/// The element sizes of a shuffle.
const SIZES: [u64; 4] = [2, 4, 8, 16];
/// By how many bits the bytes of a part are more alike than those at one place, on average over shuffled chunks.
const ON_AVERAGE: f64 = 0.1;
/// The bits that a shuffle for the size of the elements saves for each value, where another size is declared.
const LEAST: f64 = 1.0;

/// Readings with filters left out, in another order, or with another configuration.
pub(super) fn readings(case: &Case, samples: &[Sample]) -> Vec<Reading> {
    let Some(filters) = declared_filters(case) else { return Vec::new() };
    let is_difference = |filter: &Json| is_difference(case, filter);
    let (is_odd, size) = (has_other_size(case), element_size(case));
    let is_shuffled = is_shuffled(case, &filters, samples);
    let mut readings = Vec::new();
    if filters.len() > 1 {
        let reversed: Vec<Json> = filters.iter().rev().cloned().collect();
        // What is summed before it is scaled, or after it, is summed in another unit.
        let computing = filters.iter().filter(|filter| filter.get("dtype").is_some()).count();
        let sums = if computing > 1 && filters.iter().any(is_difference) {
            SummedNumbers::Exchanged
        } else {
            SummedNumbers::Reordered
        };
        let sentence = "The filters were applied in the reverse order.";
        if !is_shuffled {
            readings.push(reading(sentence.into(), &reversed).summing(sums));
        }
    }
    let mut dtype = array_dtype(case);
    for (at, filter) in filters.iter().enumerate() {
        let name = name(filter);
        let mut without = filters.clone();
        without.remove(at);
        let sentence =
            format!("The filter {name} was never applied, though the metadata declares it.");
        let sums =
            if is_difference(filter) { SummedNumbers::Fewer } else { SummedNumbers::AsDeclared };
        if at + 1 < filters.len() || !is_shuffled {
            readings.push(reading(sentence, &without).summing(sums));
        }
        let input = dtype.clone();
        dtype = filter.get("astype").or_else(|| filter.get("dtype")).cloned().or(dtype);
        for (member, values) in members(filter, input) {
            for value in values {
                let mut other = filters.clone();
                if let Some(place) = other.get_mut(at) {
                    let sentence = format!(
                        "The filter {name} was applied with {member} {}, not {} as the metadata declares.",
                        value.unquoted(),
                        filter.get(&member).map(Json::unquoted).unwrap_or_default()
                    );
                    // A shuffle for the elements of the array needs less to be told than one that is as odd.
                    let least = if is_odd && Some(&value) == size.as_ref() { LEAST } else { LESS };
                    place.set(&member, value);
                    let other = other.clone();
                    readings.push(reading(sentence, &other).saving(least));
                }
            }
        }
    }
    readings
}

/// True if the bytes of all chunks are shuffled as the last filter says: however smooth the ones of high bytes look where
/// they are read as they are, nothing else has them beside each other.
fn is_shuffled(case: &Case, filters: &[Json], samples: &[Sample]) -> bool {
    let alike = || {
        let size = filters.last()?.get("elementsize")?.as_u64()?.try_into().ok()?;
        let array = case.supposing(&WhatIf::filters(Vec::new()))?;
        part_and_place(case, &array, size, samples)
    };
    alike().is_some_and(|(part, place)| part.mean() + ON_AVERAGE < place.mean())
}

/// The bits that the bytes of a part of each chunk take, of as many parts as elements have bytes, and those at the same
/// place of all elements; `None` where some chunk has too few, or is the other way round.
fn part_and_place(
    case: &Case,
    array: &ArrayMetadata,
    size: usize,
    samples: &[Sample],
) -> Option<(PowerSums, PowerSums)> {
    /// The bytes of a part that tell, and by how many bits they are more alike in each chunk.
    const PART: usize = 48;
    const EACH: f64 = 0.01;
    let (mut parts, mut places) = (PowerSums::default(), PowerSums::default());
    for sample in samples.iter().take_while(|_| !case.is_stopped()) {
        let bytes = without_codecs_of(case, array, &sample.bytes)?;
        // Before anything is done as often as `size` says, which may be any number.
        let length = bytes.len().checked_div(size).filter(|length| *length >= PART)?;
        let of_part = |part: usize| bits_of(bytes.iter().skip(part * length).take(length));
        let of_place = |place: usize| bits_of(bytes.iter().skip(place).step_by(size));
        let (part, place) = (mean((0..size).map(of_part)), mean((0..size).map(of_place)));
        // What is constant is shuffled as it is not.
        if place <= 0.0 {
            continue;
        }
        if part + EACH > place || !case.spend(bytes.len() as u64 * 2) {
            return None;
        }
        parts.add(part);
        places.add(place);
    }
    Some((parts, places))
}

/// True if a shuffle is declared for elements of another size than those of the array: few writers mean that.
pub(super) fn has_other_size(case: &Case) -> bool {
    let [filter] = &*declared_filters(case).unwrap_or_default() else { return false };
    filter.get("elementsize").is_some_and(|other| Some(other) != element_size(case).as_ref())
}

/// The bytes of an element.
fn element_size(case: &Case) -> Option<Json> {
    case.array.data_type().and_then(|data_type| data_type.fixed_size()).map(Json::from)
}

/// Readings with one more filter: a shuffle after the others.
pub(super) fn shuffles(case: &Case, declared: &ReadingOutcome) -> Vec<Reading> {
    shuffle(case, declared).into_iter().map(|(_, reading)| reading).collect()
}

/// The same with the bytes of a shuffled element.
fn shuffle(case: &Case, declared: &ReadingOutcome) -> Option<(usize, Reading)> {
    let filters = declared_filters(case)?;
    let size = stored_size(case, &filters).filter(|size| *size > 1)?;
    let mut rows = case.array.registry.codecs.rows();
    let id = rows.find(|row| row.members.contains(&"elementsize"))?.v2.first()?;
    let known = filters.iter().any(|filter| filter.get("elementsize").is_some());
    if known || are_short(&declared.chunks) {
        return None;
    }
    let filter = Json::object([("id", Json::from(*id)), ("elementsize", Json::from(size))]);
    let more: Vec<Json> = filters.iter().cloned().chain([filter]).collect();
    let sentence = format!(
        "The bytes are shuffled for elements of {size} bytes, which the metadata does not declare."
    );
    Some((size, reading(sentence, &more)))
}

/// The bytes of an element as the filters leave it.
fn stored_size(case: &Case, filters: &[Json]) -> Option<usize> {
    let last = filters.iter().rev().find_map(|it| it.get("astype").or_else(|| it.get("dtype")));
    let own = || case.array.data_type()?.fixed_size();
    last.map_or_else(own, |dtype| dtype.as_str()?.get(2..)?.parse().ok())
}

/// The cause, if the bytes of each part of a chunk, as many as elements have bytes, are more alike than those at the same
/// place of all elements, in every chunk: shuffled bytes are so, and once they are put back nobody wonders at the values.
pub(super) fn undeclared_shuffle(
    case: &Case,
    samples: &[Sample],
    declared: &ReadingOutcome,
) -> Option<Diagnosis> {
    /// The share of floats that nobody measures, as declared and then.
    const ODD: (f64, f64) = (0.05, 0.01);
    let (size, reading) = shuffle(case, declared)?;
    let known = declared.of_bytes()?;
    let (parts, places) = part_and_place(case, case.array, size, samples)?;
    let found = ReadingOutcome::of(case, &case.supposing(&reading.what_if)?, samples);
    let (then, of) = (found.of_bytes()?, parts.count);
    let is_marked = has_fills(case, declared, &found);
    let is_likelier = known.oddest >= ODD.0 && then.oddest < ODD.1
        || then.gain >= GAIN && found.saves(declared) >= LEAST
        || is_marked;
    if places.mean() - parts.mean() < ON_AVERAGE || !is_likelier || !found.is_sensible() {
        return None;
    }
    let evidence = format!(
        "In each of the {of} chunks examined, the bytes of one of {size} parts take {:.1} bits, and those at one place of all \
         elements {:.1}: those of one part are alike.",
        parts.mean(),
        places.mean()
    );
    let mut diagnosis = told_alone(case, samples, reading.because(evidence))?;
    if is_marked && let Some(fill) = case.array.fill_scalar() {
        let text =
            format!("Many elements are the fill value {fill} then, and hardly any as declared.");
        diagnosis.evidence.push(text);
    }
    diagnosis.is_certain = false;
    Some(diagnosis)
}

/// True if many elements are the fill value in one reading, and hardly any in the declared one.
pub(super) fn has_fills(case: &Case, declared: &ReadingOutcome, found: &ReadingOutcome) -> bool {
    fills(case, &found.chunks) >= 0.05 && fills(case, &declared.chunks) < 0.001
}

/// The share of some elements that are the fill value; none where all of its bytes are the same, which no order tells apart.
fn fills(case: &Case, chunks: &[Elements]) -> f64 {
    let Some(fill) = case.array.fill_scalar() else { return 0.0 };
    let (mut seen, mut equal) = (0_u32, 0_u32);
    for chunk in chunks {
        let bytes = chunk.data_type().encode(&fill, chunk.order()).unwrap_or_default();
        if bytes.iter().all(|byte| Some(byte) == bytes.first()) {
            return 0.0;
        }
        let step = usize::try_from(chunk.len() / 1024 + 1).unwrap_or(usize::MAX);
        for value in (0..chunk.len()).step_by(step).map_while(|at| chunk.value(at)?.ok()) {
            seen += 1;
            equal += u32::from(value.value_equal(&fill));
        }
    }
    f64::from(equal) / f64::from(seen.max(1))
}

/// The bits that each of some bytes takes, by how often it occurs among them.
fn bits_of<'b>(bytes: impl Iterator<Item = &'b u8>) -> f64 {
    let mut counts = [0_u32; 256];
    let mut all = 0_u32;
    for byte in bytes {
        if let Some(count) = counts.get_mut(usize::from(*byte)) {
            *count += 1;
        }
        all += 1;
    }
    let bits = |count: f64| count * (f64::from(all) / count).log2();
    let total: f64 = counts.iter().filter(|it| **it > 0).map(|it| bits(f64::from(*it))).sum();
    total / f64::from(all.max(1))
}

/// True if the lower half of the mantissa of every float is 0, as in whole numbers: bytes of other floats do not look so
/// by chance, and read as shuffled, all these zeros look alike.
fn are_short(chunks: &[Elements]) -> bool {
    let is_short =
        |value: &Float| value.mantissa_field() & ((1 << (value.format.mantissa_bits / 2)) - 1) == 0;
    // All over a chunk: shuffled ones begin with the bytes that are 0 in each.
    let some = |chunk: &Elements| {
        let step = usize::try_from(chunk.len() / 1024 + 1).unwrap_or(usize::MAX);
        (0..chunk.len()).step_by(step).map_while(|at| chunk.value(at)?.ok()).collect::<Vec<_>>()
    };
    let values: Vec<Scalar> = chunks.iter().flat_map(some).collect();
    values.len() >= FEW
        && values.iter().all(|value| match value {
            Scalar::Float(value) => is_short(value),
            Scalar::Complex(re, im) => is_short(re) && is_short(im),
            _ => false,
        })
}

/// Readings with the filter that packs eight flags into a byte, where chunks have just so many bytes.
pub(super) fn bitmaps(case: &Case, samples: &[Sample]) -> Vec<Reading> {
    let Some(filters) = declared_filters(case) else { return Vec::new() };
    let is_flags = case.array.data_type().is_some_and(|data_type| data_type.name() == "bool");
    let known = filters.iter().any(|filter| name(filter) == BITS);
    let has_length = |sample: &Sample| {
        let (bytes, count) = without_codecs(case, &sample.bytes).zip(case.raw_len())?;
        // The first byte says how many of the last bits are no flags.
        let spare = (8 - count % 8) % 8;
        let is_packed = bytes.len() as u64 == 1 + count.div_ceil(8);
        (is_packed && bytes.first().copied().map(u64::from) == Some(spare)).then_some(())
    };
    if known || !is_flags || samples.is_empty() || samples.iter().any(|s| has_length(s).is_none()) {
        return Vec::new();
    }
    let filter = Json::object([("id", Json::from(BITS))]);
    let all: Vec<Json> = filters.iter().cloned().chain([filter]).collect();
    let sentence = format!("The filter {BITS} was applied, and the metadata does not declare it.");
    let evidence =
        "Each chunk has one bit for every element, after a byte with the number of padding bits.";
    vec![reading(sentence, &all).because(evidence)]
}

/// The cause, if the chunks hold one bit for each element and nothing else, as `numpy.packbits` gives them.
pub(super) fn bare_bits(case: &Case, samples: &[Sample]) -> Option<Diagnosis> {
    let is_flags = case.array.data_type().is_some_and(|data_type| data_type.name() == "bool");
    let count = case.raw_len().filter(|count| is_flags && *count >= 64 && !samples.is_empty())?;
    let is_packed = |sample: &Sample| {
        let bytes = without_codecs(case, &sample.bytes)?;
        (bytes.len() as u64 == count.div_ceil(8)).then_some(())
    };
    samples.iter().map(is_packed).collect::<Option<Vec<()>>>()?;
    let text = "The elements are packed, eight to a byte, and the metadata does not declare it.";
    let diagnosis = Diagnosis::new("filter/packed-bits", text).because(format!(
        "{} elements have {} bytes in each of the {} examined.",
        grouped(count),
        grouped(count.div_ceil(8)),
        counted(samples.len(), "chunk")
    ));
    let known = match case.array.format {
        Format::V2 => {
            "NumPy 2.5.5's packbits writes such bytes; the filter packbits has one more byte before them, so no edit \
             of the metadata reads them."
        }
        Format::V3 => {
            "The codec packbits writes such bytes, with the first element in the lowest bit; NumPy 2.5.5's packbits \
             puts it in the highest, which no registered codec reads."
        }
    };
    Some(diagnosis.because(known))
}

/// Readings with one more checksum, where chunks have the bytes of one more than their elements.
pub(super) fn lost_checksums(case: &Case, samples: &[Sample]) -> Vec<Reading> {
    const SUM: u64 = 4;
    let array = case.array;
    let len = samples.first().and_then(|sample| without_codecs(case, &sample.bytes));
    let is_longer = len.is_some_and(|len| {
        case.raw_len().and_then(|raw| raw.checked_add(SUM)) == Some(len.len() as u64)
    });
    let Some(specs) = array.codecs.as_deref().ok().filter(|_| is_longer) else { return Vec::new() };
    let rows = array.registry.codecs.rows().filter(|row| row.is_checksum);
    let filters: Vec<Json> = specs
        .iter()
        .filter(|spec| spec.field.starts_with("filters"))
        .filter_map(|spec| spec.configuration.clone())
        .collect();
    // HDF5 computes its checksum before it shuffles, where a file asks for it first.
    let places = if filters.is_empty() || array.format == Format::V3 { 1 } else { 2 };
    let reading = |(row, place): (&'static CodecRow, usize)| {
        let name = *row.names(array.format).first()?;
        let what_if = if array.format == Format::V2 {
            let sum = Json::object([("id", Json::from(name))]);
            let mut filters = filters.clone();
            filters.insert(if place == 0 { filters.len() } else { 0 }, sum);
            WhatIf::filters(filters)
        } else {
            let sum = Json::object([("name", Json::from(name))]);
            let outer = |spec: &&CodecSpec| wraps(case, spec).is_some();
            let inner = specs.iter().filter(|spec| !outer(spec)).map(CodecSpec::to_v3);
            let outer = specs.iter().filter(outer).map(CodecSpec::to_v3);
            WhatIf::of(SettingMember::Codecs, inner.chain([sum]).chain(outer).collect::<Json>())
        };
        let sentence =
            format!("The chunks were written with {name}, which the metadata does not declare.");
        let evidence =
            format!("Each chunk has {SUM} bytes more than its elements: a checksum that matches.");
        Some(
            Reading::new("codec/undeclared-checksum", sentence, what_if).because(evidence).proved(),
        )
    };
    rows.flat_map(|row| (0..places).map(move |place| (row, place))).filter_map(reading).collect()
}

/// By how much the first value of a chunk must be larger than all others.
const LARGER: f64 = 16.0;

/// True if a filter keeps differences.
pub(super) fn is_difference(case: &Case, filter: &Json) -> bool {
    let row = case.array.registry.codecs.row(&name(filter), Format::V2);
    row.is_some_and(|row| row.is_difference)
}

/// One more filter: differences, before the others.
fn with_differences(case: &Case) -> Option<(&'static str, WhatIf)> {
    let filters = declared_filters(case)?;
    if filters.iter().any(|filter| is_difference(case, filter)) {
        return None;
    }
    let id = case.array.registry.codecs.rows().find(|row| row.is_difference)?.v2.first()?;
    let filter = Json::object([("id", Json::from(*id)), ("dtype", array_dtype(case)?)]);
    Some((id, WhatIf::filters(std::iter::once(filter).chain(filters).collect())))
}

/// The cause, if the values are differences: their sums go on from chunk to chunk and from row to row, which the sums of
/// any other numbers do not; or the first one of each chunk is a value, and all others are small.
pub(super) fn differences(
    case: &Case,
    samples: &[Sample],
    declared: &ReadingOutcome,
) -> Option<Diagnosis> {
    let (id, what_if) = with_differences(case)?;
    let by_rows = || rows(case, &what_if, samples, declared);
    let evidence =
        first_ones(declared).or_else(|| sums(case, &what_if, declared)).or_else(by_rows)?;
    if swapped::is_likelier(declared) {
        return None;
    }
    let outcome = ReadingOutcome::of(case, &case.supposing(&what_if)?, samples);
    let text = format!(
        "The values are differences: the filter {id} was applied, and the metadata does not declare it."
    );
    let diagnosis = Diagnosis::new("filter/delta-undeclared", text)
        .because(evidence)
        .because_all(outcome.values());
    Some(what_if.mending(case.array, diagnosis))
}

/// By how many bits sums must be closer to their neighbours than to others, and by how many more than differences.
const CLOSER: (f64, f64) = (2.0, 0.5);

/// Of fewer values, sums say nothing.
const SUMMED: usize = 256;

/// The evidence, if the sums of the values go on from chunk to chunk.
fn sums(case: &Case, what_if: &WhatIf, declared: &ReadingOutcome) -> Option<String> {
    let known = declared.measure?;
    // Sums of values on one side of 0 rise alike in every chunk, and meet at borders by that alone.
    if Numbers::of(&declared.chunks).are_on_one_side() {
        return None;
    }
    let mut samples = case.adjacent();
    samples.truncate(16);
    let array = case.supposing(what_if)?;
    let outcome = ReadingOutcome::of(case, &array, &samples);
    let gain = outcome.measure?.gain;
    if gain < CLOSER.0 || gain < known.gain + CLOSER.1 {
        return None;
    }
    let own = AdjacentChunks::of(case, case.array, &samples)?;
    // Values begin as they go on, and sums of some are larger than any of the type.
    if own.all.iter().any(DecodedChunk::starts_as_it_goes_on) {
        return None;
    }
    // Values that go on as they are declared need no filter to do so.
    let seams = AdjacentChunks::of(case, &array, &samples)?.continuity();
    if !own.continuity().is_broken() || known.words < SUMMED || seams.broken > 0 {
        return None;
    }
    // Of one dimension, sums of anything meet now and then.
    let enough = if samples.first()?.at.len() > 1 { 4 } else { 12 };
    (seams.of >= enough && seams.is_whole()).then(|| {
        format!(
            "Summed within each chunk, the values continue smoothly across {} of {} borders between chunks, and each \
             neighbour predicts {gain:.1} bits of a value; as declared, {:.1}.",
            seams.of - seams.broken,
            seams.of,
            known.gain.max(0.0)
        )
    })
}

/// The evidence, if the first value of each chunk is much larger than all others.
fn first_ones(declared: &ReadingOutcome) -> Option<String> {
    let is_alone = |chunk: &Elements| {
        let number = |at: u64| chunk.value(at)?.ok()?.to_integer().map(i128::unsigned_abs);
        let rest = (1..chunk.len().min(4096)).filter_map(number).max().unwrap_or(0);
        let first = number(0).unwrap_or(0);
        rest > 0 && first as f64 > LARGER * rest as f64
    };
    let (count, all) =
        (declared.chunks.iter().filter(|chunk| is_alone(chunk)).count(), declared.chunks.len());
    // What counts from 0 begins with a small value.
    (count >= 2 && count + 1 >= all).then(|| {
        format!(
            "In {count} of the {all} chunks examined, the first value is more than {LARGER} times as large as any other."
        )
    })
}

/// The evidence, if sums come back at the end of each row of a chunk, which those of unrelated numbers do not, and chunks begin
/// with a number unlike all others: the one that the sums start from.
fn rows(
    case: &Case,
    what_if: &WhatIf,
    samples: &[Sample],
    declared: &ReadingOutcome,
) -> Option<String> {
    /// The fewest chunks, the fewest elements of a row, and the fewest rows.
    const FEWEST: (usize, u64, u64) = (4, 16, 64);
    /// By how many deviations the first number is apart from the others.
    const APART: f64 = 2.5;
    let bits = case.array.data_type()?.fixed_size()? * 8;
    let starts_anew = |chunk: &&Elements| {
        let number = |at: u64| {
            let number = chunk.value(at)?.ok()?.to_integer()?;
            let all = 1_i128.checked_shl(u32::try_from(bits).ok()?)?;
            Some((if number >= all / 2 { number - all } else { number }) as f64)
        };
        let rest: PowerSums = (1..chunk.len().min(4096)).filter_map(number).collect();
        number(0).is_some_and(|first| (first - rest.mean()).abs() > APART * rest.variance().sqrt())
    };
    let (chunks, anew) =
        (declared.chunks.len(), declared.chunks.iter().filter(starts_anew).count());
    let first = declared.chunks.first()?;
    let shape = first.memory_shape();
    let mut lengths = (0..shape.len()).rev().filter_map(|axis| order::product(shape.get(axis..)?));
    let row = lengths.find(|length| *length >= FEWEST.1)?;
    let count = first.len().checked_div(row)? * chunks as u64;
    if chunks < FEWEST.0 || anew * 4 < chunks * 3 || count < FEWEST.2 {
        return None;
    }
    let summed = ReadingOutcome::of(case, &case.supposing(what_if)?, samples);
    let row = usize::try_from(row).ok()?;
    let ranked: Vec<RankedChunk> = summed.chunks.iter().filter_map(RankedChunk::of).collect();
    let mean_cost =
        |lag: usize| mean(ranked.iter().flat_map(|chunk| chunk.costs(lag)).map(|(_, cost)| cost));
    let (next, below) = (mean_cost(1), mean_cost(row));
    // Of a sum of unrelated numbers, its distance grows as the root of their count.
    (below <= next + (row as f64).log2() / 4.0).then(|| {
        format!(
            "In {anew} of the {chunks} chunks examined, the first value is unlike all others; summed from it, values are \
             {below:.1} bits from those one row away, and {next:.1} bits from the next one."
        )
    })
}

/// The V2 filters, as the document has them; `None` where the format has none.
pub(super) fn declared_filters(case: &Case) -> Option<Vec<Json>> {
    let array = case.array;
    let specs = array.codecs.as_deref().ok().filter(|_| array.format == Format::V2)?;
    let is_filter = |spec: &&CodecSpec| {
        let row = array.registry.codecs.row(&spec.name, Format::V2);
        spec.field.starts_with("filters") && row.is_some_and(|row| !row.object_codec)
    };
    let is_all =
        specs.iter().filter(|spec| spec.field.starts_with("filters")).all(|spec| is_filter(&spec));
    let filters = specs.iter().filter(is_filter).filter_map(|spec| spec.configuration.clone());
    is_all.then(|| filters.collect())
}

fn name(filter: &Json) -> String {
    filter.get("id").map(Json::unquoted).unwrap_or_default()
}

/// The members of a filter of numbers of the data type `input` that may be wrong, and what they may be instead.
fn members(filter: &Json, input: Option<Json>) -> Vec<(String, Vec<Json>)> {
    let mut found = Vec::new();
    if let Some(size) = filter.get("elementsize") {
        let others = SIZES.iter().map(|size| Json::from(*size)).filter(|other| other != size);
        found.push(("elementsize".to_owned(), others.collect()));
    }
    if let Some(input) =
        input.filter(|input| filter.get("dtype").is_some_and(|dtype| dtype != input))
    {
        found.push(("dtype".to_owned(), vec![input]));
    }
    found
}

/// The data type of the elements, as a filter names it.
fn array_dtype(case: &Case) -> Option<Json> {
    let resolved = case.array.known_data_type()?;
    Some(resolved.data_type.to_v2(&resolved.order).ok()?.dtype)
}

fn reading(sentence: String, filters: &[Json]) -> Reading {
    Reading::new("filter/other-filters", sentence, WhatIf::filters(filters.to_vec()))
}
