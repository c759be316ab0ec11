//! Causes of chunks that cannot be read, or read as nonsense: other readings that would explain what is found.
//!
//! Kinds of causes are tried one after the other, the cheapest first: what a file is instead of a chunk, what a
//! transfer did to it, other codecs, data types, filters, shapes, keys. Each kind is a file here. A change of the
//! metadata is a
//! *reading*: a [`WhatIf`] that is tried on a sample of the chunks (all of them, where they are few) and measured by
//! [`plausibility`]. It is told only if it explains what is found and stands out against the declared reading and
//! against the next one; else nothing is said. What is proved, because bytes decode without a fault that did not, is
//! told as the cause; what is only plausible, as the likely cause.
//!
//! The work is bounded: by bytes that are decoded, not by time, so that the answer is the same on every machine.
//!
//! Beside that, [`guess`] says what a chunk file could be of which nobody kept the metadata.

mod accidents;
mod bit_packing;
mod bit_search;
mod bits;
mod case;
mod codecs;
mod complex_parts;
mod containers;
mod conversions;
mod ends;
mod files;
mod filters;
mod flags;
mod guess;
mod halos;
mod halves;
mod holes;
mod keys;
mod layout;
mod lengths;
mod lost_writes;
mod misplaced;
mod names;
mod neighbours;
mod not_data;
mod numbered;
mod numbers;
mod other_form;
mod otherwise;
mod packed;
mod permutations;
mod places;
mod prefixed;
mod reading;
mod renames;
mod row_starts;
mod seams;
mod shard_entries;
mod shard_gaps;
mod shards;
mod strings;
mod structs;
mod swapped;
mod times;
mod transfer;
mod trial;
mod two_sums;
mod types;
mod units;
mod wrapping;

pub use case::{Case, Symptoms, decoding_work};
pub use guess::{Guess, guess, known_format, width};
pub use keys::under_other_keys;
pub use swapped::swapped;
pub use trial::{as_plausible_readings, is_as_plausible, tried};
pub use wrapping::{Wrapping, unwrap};

use super::{
    codec::Elements,
    error::{Code, Diagnosis, Error, Problem, Severity},
    format::Format,
    plausibility,
    what_if::WhatIf,
};
use seams::AdjacentChunks;
use std::sync::Arc;

/// The causes that explain the symptoms of an array, the one that explains most first.
#[must_use]
pub fn diagnose(case: &Case<'_>) -> Vec<Problem> {
    let shape = || layout::orders(case, &case.sound());
    let mut found: Vec<Diagnosis> =
        if case.symptoms.has_orphans() && case.symptoms.failures == 0 { shape() } else { None }
            .filter(|diagnosis| diagnosis.cause == "chunk-shape")
            .or_else(|| keys::diagnose(case))
            .or_else(|| numbered::diagnose(case))
            .into_iter()
            .collect();
    if case.symptoms.failures > 0 {
        found.extend(failing(case));
    } else if case.symptoms.is_swapped {
        found.extend(behind_filters(case));
    } else if found.is_empty() {
        found.extend(shard_gaps::diagnose(case));
        if found.is_empty() {
            found.extend(implausible(case));
        }
    }
    if case.has_run_out() {
        for diagnosis in found.iter_mut().filter(|diagnosis| !diagnosis.is_certain) {
            let text = "The time limit ended the search; `check --deep` tries more readings.";
            diagnosis.evidence.push(text.into());
        }
    }
    found.into_iter().map(|diagnosis| problem(case, diagnosis)).collect()
}

/// The kinds of chunk files that cannot be decoded, told by the file alone.
const OF_FILES: [fn(&Case<'_>, &case::Sample) -> Option<Diagnosis>; 5] = [
    containers::diagnose,
    prefixed::diagnose,
    ends::appended,
    shard_entries::diagnose,
    shards::edge_index,
];

/// The causes of chunks that cannot be decoded.
fn failing(case: &Case<'_>) -> Vec<Diagnosis> {
    let mut samples = case.failed();
    // What a single file says of itself needs no other.
    let mut found = not_data::diagnose(case, &mut samples);
    found.extend(transfer::diagnose(case, &mut samples));
    // Such chunks decode, and are reported for what is in them.
    if let Some(diagnosis) = strings::garbled(case, &samples) {
        found.push(diagnosis);
        return found;
    }
    let all_alike = case.symptoms.failures * 2 > case.symptoms.stored && !samples.is_empty();
    let proved = all_alike.then(|| of_codecs(case, &samples)).flatten();
    let proved = proved.filter(|diagnosis| keeps_what_reads(case, diagnosis));
    if proved.is_some() {
        found.extend(proved);
        return found;
    }
    found.extend(files::gathered(case, &mut samples, &OF_FILES));
    let of_metadata = if all_alike { of_metadata(case, &samples) } else { None };
    let of_metadata = of_metadata.filter(|diagnosis| keeps_what_reads(case, diagnosis));
    if of_metadata.is_some() || samples.is_empty() {
        found.extend(of_metadata);
        return found;
    }
    found.extend(bits::diagnose(case, &mut samples, bits::one));
    found.extend(bits::diagnose(case, &mut samples, bits::of_inner_chunk));
    found.extend(bits::diagnose(case, &mut samples, bit_search::search));
    found.extend(files::gathered(case, &mut samples, &[shards::wrong_checksum]));
    found.extend(codecs::other_checksums(case, &mut samples));
    found.extend(neighbours::diagnose(case, &mut samples));
    found.extend(codecs::of_single_chunks(case, &mut samples));
    found.extend(types::mixed(case, &mut samples));
    found.extend(lengths::of_another_shape(case, &mut samples));
    found.extend(shard_entries::of_others(case, &mut samples));
    found.extend(transfer::lost_returns(case, &mut samples));
    // Where not all was tried, what is left when nothing else fits is not told of all chunks.
    if !(all_alike && case.has_run_out()) {
        found.extend(ends::damaged(case, &mut samples));
    }
    found
}

/// False if the chunks that can be read as declared could not be read so: then the metadata are right, and what is
/// wrong is in the other chunks.
fn keeps_what_reads(case: &Case<'_>, diagnosis: &Diagnosis) -> bool {
    /// So many of them tell.
    const MOST: usize = 3;
    let Some(what_if) = &diagnosis.what_if else { return true };
    let array = WhatIf::parse(what_if).ok().and_then(|it| case.supposing(&it));
    let Some(array) = array else { return true };
    let mut sound = case.sound();
    sound.truncate(MOST);
    let outcome = reading::ReadingOutcome::of(case, &array, &sound);
    outcome.fits * 2 >= outcome.of
}

/// Other codecs, where bytes decode by them without a fault, which proves it.
fn of_codecs(case: &Case<'_>, samples: &[case::Sample]) -> Option<Diagnosis> {
    let mut readings = codecs::readings(case, samples);
    readings.extend(codecs::checksums(case, "the chunks"));
    readings.extend(filters::lost_checksums(case, samples));
    readings.extend(shards::readings(case, samples));
    readings.retain(reading::Reading::is_proved);
    reading::explain_failure(case, samples, readings).filter(|diagnosis| diagnosis.is_certain)
}

/// A change of the metadata with which the chunks can be read.
fn of_metadata(case: &Case<'_>, samples: &[case::Sample]) -> Option<Diagnosis> {
    if let Some(diagnosis) = strings::pickled(case, samples) {
        return Some(diagnosis);
    }
    let mut readings = codecs::readings(case, samples);
    readings.extend(codecs::checksums(case, "the chunks"));
    readings.extend(shards::readings(case, samples));
    readings.extend(layout::chunk_shapes(case, samples));
    readings.extend(types::widths(case, samples));
    readings.extend(structs::readings(case, samples));
    readings.extend(filters::readings(case));
    readings.extend(filters::bitmaps(case, samples));
    readings.extend(strings::readings(case, samples));
    reading::explain_failure(case, samples, readings)
        .or_else(|| filters::bare_bits(case, samples))
        .or_else(|| other_form::diagnose(case, samples))
        .or_else(|| other_form::big_endian_lengths(case, samples))
        .or_else(|| bit_packing::diagnose(case, samples))
        .or_else(|| halos::diagnose(case))
        .or_else(|| lengths::padded_rows(case, samples))
        .or_else(|| lengths::checksum_inside(case, samples))
        .or_else(|| lengths::same_around(case, samples))
}

/// The cause of values that nobody measures.
fn implausible(case: &Case<'_>) -> Option<Diagnosis> {
    let mut samples = case.sound();
    if let Some(diagnosis) = strings::garbled(case, &samples) {
        return Some(diagnosis);
    }
    let declared = reading::ReadingOutcome::of(case, case.array, &samples);
    let odd = odd_ones(&declared);
    if !odd.is_empty() {
        let mut at = 0..;
        samples.retain(|_| at.next().is_some_and(|at| odd.contains(&at)));
        return neighbours::diagnose(case, &mut samples).into_iter().next();
    }
    let filters = filters::readings(case);
    // What is behind a filter may look like values of another type.
    let is_odd = filters::has_other_size(case);
    let explain = if is_odd { reading::the_better } else { reading::explain_values };
    let other_filters = explain(case, &samples, &declared, filters.clone());
    if other_filters.is_some() {
        return other_filters;
    }
    if let Some(diagnosis) = as_another_type(case, &samples, &declared) {
        return Some(diagnosis);
    }
    let shuffles = filters::shuffles(case, &declared);
    let mut readings = shuffles.clone();
    readings.extend(structs::readings(case, &samples));
    readings.extend(swapped::reading(&declared));
    if let Some(diagnosis) = reading::explain_values(case, &samples, &declared, readings)
        .or_else(|| layout::orders(case, &samples))
        .or_else(|| filters::differences(case, &samples, &declared))
    {
        return Some(diagnosis);
    }
    if let Some(diagnosis) = swapped::together(case.array, &declared) {
        return Some(diagnosis);
    }
    let filters = [filters, shuffles].concat();
    by_neighbours(case, &samples, &declared, filters)
        .or_else(|| conversions::diagnose(case.array, &declared))
}

/// The numbers of each chunk read as others of the same width, whatever filters were applied.
fn as_another_type(
    case: &Case<'_>,
    samples: &[case::Sample],
    declared: &reading::ReadingOutcome,
) -> Option<Diagnosis> {
    times::other_unit(case, declared)
        .or_else(|| row_starts::differences(case, declared, row_width(case)?))
        .or_else(|| flags::other_numbers(case, declared))
        .or_else(|| types::same_width(case, samples, declared))
        .or_else(|| halves::diagnose(case, samples, declared))
        .or_else(|| swapped::in_parts(case, declared))
        .or_else(|| row_starts::byte_planes(case, declared))
        .or_else(|| complex_parts::diagnose(case, declared))
}

/// Another reading of the filters, with which values are far more plausible than in the other byte order, of which they
/// look: bytes that were shuffled, or were not, are often those of large numbers in another order.
fn behind_filters(case: &Case<'_>) -> Option<Diagnosis> {
    if case.array.format != Format::V2 {
        return None;
    }
    let samples = case.sound();
    let declared = reading::ReadingOutcome::of(case, case.array, &samples);
    let mut readings = filters::readings(case);
    readings.extend(filters::shuffles(case, &declared));
    readings.extend(swapped::reading(&declared));
    reading::the_better(case, &samples, &declared, readings)
        .filter(|diagnosis| diagnosis.cause == "filter")
}

/// The length of the array along its last dimension.
fn row_width(case: &Case<'_>) -> Option<u64> {
    case.array.shape.as_ref().ok()?.last().copied()
}

/// The cause of values that do not go on from chunk to chunk, or from part to part of a chunk.
fn by_neighbours(
    case: &Case<'_>,
    samples: &[case::Sample],
    declared: &reading::ReadingOutcome,
    filters: Vec<reading::Reading>,
) -> Option<Diagnosis> {
    let adjacent = case.adjacent();
    let by_filters =
        if filters.is_empty() { None } else { reading::explain_borders(case, &adjacent, filters) };
    by_filters
        .or_else(|| {
            reading::mended_borders(case, &adjacent, shards::turned(case), AdjacentChunks::of)
        })
        .or_else(|| {
            let orders = shards::inner_orders(case);
            reading::mended_borders(case, &adjacent, orders, AdjacentChunks::of_inner)
        })
        .or_else(|| shard_entries::other_order(case, &adjacent))
        .or_else(|| flags::reversed(case, samples))
        .or_else(|| holes::diagnose(case, &adjacent))
        .or_else(|| lost_writes::diagnose(case, &adjacent))
        .or_else(|| places::diagnose(case, &adjacent))
        .or_else(|| packed::diagnose(case, &adjacent))
        .or_else(|| row_starts::shifted(case, declared, row_width(case)?))
}

/// The few chunks of a sample whose values nobody measures, where those of the others could be measured.
fn odd_ones(declared: &reading::ReadingOutcome) -> Vec<usize> {
    let strange = |chunk: &Elements| {
        let measure = plausibility::measure(std::slice::from_ref(chunk));
        measure.map_or(0.0, |measure| measure.strange)
    };
    let strange: Vec<f64> = declared.chunks.iter().map(strange).collect();
    let odd: Vec<usize> =
        strange.iter().enumerate().filter(|(_, share)| **share > 0.5).map(|(at, _)| at).collect();
    let is_few = odd.len() * 3 <= strange.len();
    let others_are_fine = strange.iter().all(|share| *share > 0.5 || *share < 0.1);
    if is_few && others_are_fine && declared.fits == declared.of { odd } else { Vec::new() }
}

/// The codes that follow from a kind of cause beside the chunks that cannot be read.
fn consequences(cause: &str) -> &'static [Code] {
    match cause {
        "chunk-shape" => &[Code::ChunkOutside, Code::ChunksMissing, Code::CodecHeader],
        "chunk-keys" => &[Code::ChunkOutside, Code::ChunksMissing, Code::ForeignFile],
        "shape" => &[Code::ChunkOutside, Code::ChunksMissing],
        "codec" | "data-type" | "filter" | "object-codec" | "struct" => &[Code::CodecHeader],
        _ => &[],
    }
}

/// A cause as a finding of the array.
fn problem(case: &Case<'_>, mut diagnosis: Diagnosis) -> Problem {
    tried(case, &mut diagnosis);
    for code in consequences(diagnosis.cause) {
        if !diagnosis.explains.contains(code) {
            diagnosis.explains.push(*code);
        }
    }
    let is_error = case.symptoms.errors > 0;
    let severity = if is_error { Severity::Error } else { Severity::Warning };
    let place = if let [only] = diagnosis.files.as_slice() {
        only.clone()
    } else {
        let document = case.array.documents.first();
        document.map_or_else(|| case.path.0.clone(), |document| document.key.clone())
    };
    let error = Error::new(Code::Cause, diagnosis.sentence.clone(), "").in_file(place);
    Problem { severity, diagnosis: Some(Arc::new(diagnosis)), ..Problem::new(error) }
}
