//! Causes of chunks that cannot be read, or read as nonsense: other readings that would explain what is found.
//!
//! Kinds of causes are tried one after the other, the cheapest first: what a file is instead of a chunk, what a
//! transfer did to it, other codecs, data types, filters, shapes, keys. Each kind is a file here. A change of the
//! metadata is a *reading*: a [`WhatIf`](super::WhatIf) that is tried on a sample of the chunks (all of them, where
//! they are few) and measured by [`plausibility`]. It is told only if it explains what is found and stands out against
//! the declared reading and against the next one; else nothing is said. What is proved, because bytes decode without a
//! fault that did not, is told as the cause; what is only plausible, as the likely cause.
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
mod lost_document;
mod lost_writes;
mod masks;
mod misplaced;
mod names;
mod neighbours;
mod not_data;
mod numbered;
mod numbers;
mod other_form;
mod otherwise;
mod packed;
mod pages;
mod permutations;
mod places;
mod prefixed;
mod prelude;
mod reading;
mod regridded;
mod renames;
mod row_starts;
mod seams;
mod second_faults;
mod shard_entries;
mod shard_gaps;
mod shards;
mod slipped;
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
pub use lost_document::{LostDocument, lost_document};
pub use swapped::swapped;
use trial::is_less_plausible;
pub use trial::{as_plausible_readings, is_as_plausible, tried};
pub use wrapping::{Wrapping, unwrap};

use super::{
    codec::CodecSpec,
    error::{CauseKind, Code, Diagnosis, Problem, Severity},
    format::Format,
    metadata::Packing,
    plausibility,
    scalar::Scalar,
};
use case::Sample;
pub(super) use reading::both;
use reading::{BlocksOf, Reading, ReadingOutcome};
use seams::AdjacentChunks;
use std::cell::OnceCell;

/// The causes that explain the symptoms of an array, the one that explains most first.
pub fn diagnose(case: &Case<'_>) -> Vec<Problem> {
    let shape = || layout::orders(case, &case.sound());
    let mut found: Vec<Diagnosis> =
        if case.symptoms.has_orphans() && case.symptoms.failures == 0 { shape() } else { None }
            .filter(|diagnosis| diagnosis.cause == CauseKind::ChunkShape)
            .or_else(|| regridded::diagnose(case))
            .or_else(|| keys::diagnose(case))
            .or_else(|| numbered::diagnose(case))
            .into_iter()
            .collect();
    let is_appended = |it: &Diagnosis| it.code == "chunk-shape/appended";
    if case.symptoms.failures > 0 {
        found.extend((!found.iter().any(is_appended)).then(|| failing(case)).into_iter().flatten());
    } else if case.symptoms.is_swapped {
        found.extend(behind_filters(case));
    } else if found.is_empty() {
        found.extend(shard_gaps::diagnose(case));
        if found.is_empty() {
            found.extend(implausible(case));
        }
    }
    // What was being weighed when it was stopped, was weighed by half.
    if case.is_stopped() {
        return Vec::new();
    }
    if case.has_run_out() {
        for diagnosis in found.iter_mut().filter(|diagnosis| !diagnosis.is_certain) {
            let text = "The time limit ended the search; `check --deep` tries more readings.";
            diagnosis.evidence.push(text.into());
        }
    }
    found.into_iter().map(|diagnosis| problem(case, diagnosis)).collect()
}

/// The tests of single chunk files, of all files of a sample together, and of some of them: these take out the files that
/// they explain.
type OfFile = fn(&Case<'_>, &Sample) -> Option<Diagnosis>;
type OfAll = fn(&Case<'_>, &[Sample]) -> Option<Diagnosis>;
type OfSome = fn(&Case<'_>, &mut Vec<Sample>) -> Vec<Diagnosis>;
/// The readings that a sample suggests.
type Proposal = fn(&Case<'_>, &[Sample]) -> Vec<Reading>;

/// The kinds of chunk files that cannot be decoded, told by the file alone.
const OF_FILES: [OfFile; 5] = [
    containers::diagnose,
    prefixed::diagnose,
    ends::appended,
    shard_entries::diagnose,
    shards::edge_index,
];

/// Other codecs, by which bytes decode without a fault by no accident.
const PROVED: [Proposal; 4] = [
    codecs::readings,
    |case, _| codecs::checksums(case, "the chunks"),
    filters::lost_checksums,
    shards::readings,
];

/// Other metadata, with which the chunks can be decoded.
const READINGS: [Proposal; 10] = [
    codecs::readings,
    second_faults::readings,
    |case, _| codecs::checksums(case, "the chunks"),
    shards::readings,
    layout::chunk_shapes,
    types::widths,
    structs::readings,
    filters::readings,
    filters::bitmaps,
    strings::readings,
];

/// The causes of chunks of which none can be decoded, the likeliest first.
const OF_METADATA: [OfAll; 11] = [
    strings::pickled,
    lengths::whole_array,
    |case, samples| reading::explain_failure(case, samples, proposed(&READINGS, case, samples)),
    filters::bare_bits,
    other_form::diagnose,
    other_form::big_endian_lengths,
    bit_packing::diagnose,
    |case, _| halos::diagnose(case),
    lengths::padded_rows,
    lengths::checksum_inside,
    lengths::same_around,
];

/// The causes of what is left then, the surest first.
const OF_SAMPLES: [OfSome; 11] = [
    |case, samples| files::explained(samples, |sample| bits::one(case, sample)),
    |case, samples| files::explained(samples, |sample| bits::of_inner_chunk(case, sample)),
    |case, samples| files::explained(samples, |sample| bit_search::search(case, sample)),
    |case, samples| files::gathered(case, samples, &[shards::wrong_checksum]),
    codecs::other_checksums,
    neighbours::diagnose,
    codecs::of_single_chunks,
    |case, samples| types::mixed(case, samples).into_iter().collect(),
    lengths::of_another_shape,
    shard_entries::of_others,
    |case, samples| transfer::lost_returns(case, samples).into_iter().collect(),
];

fn proposed(by: &[Proposal], case: &Case<'_>, samples: &[Sample]) -> Vec<Reading> {
    by.iter().flat_map(|readings| readings(case, samples)).collect()
}

/// The causes of chunks that cannot be decoded, which explain that if they do not say what else.
fn failing(case: &Case<'_>) -> Vec<Diagnosis> {
    let mut found = causes_of_failures(case);
    for diagnosis in found.iter_mut().filter(|it| it.explains.is_empty()) {
        diagnosis.explains = case.symptoms.codes();
    }
    found
}

fn causes_of_failures(case: &Case<'_>) -> Vec<Diagnosis> {
    let mut samples = case.failed();
    // What a single file says of itself needs no other.
    let mut found = files::gathered(case, &mut samples, &[not_data::diagnose]);
    found.extend(files::gathered(case, &mut samples, &transfer::OF_FILES));
    // Such chunks decode, and are reported for what is in them.
    if let Some(diagnosis) = strings::garbled(case, &samples) {
        found.push(diagnosis);
        return found;
    }
    let all_alike = case.symptoms.failures * 2 > case.symptoms.stored && !samples.is_empty();
    let keeps = |diagnosis: &Diagnosis| keeps_what_reads(case, diagnosis);
    if let Some(proved) = all_alike.then(|| of_codecs(case, &samples)).flatten().filter(keeps) {
        found.push(proved);
        return found;
    }
    found.extend(files::gathered(case, &mut samples, &OF_FILES));
    let mut of_metadata = OF_METADATA.iter().filter(|_| all_alike);
    let of_metadata = of_metadata.find_map(|tell| tell(case, &samples)).filter(keeps);
    if of_metadata.is_some() || samples.is_empty() {
        found.extend(of_metadata);
        return found;
    }
    found.extend(OF_SAMPLES.iter().flat_map(|tell| tell(case, &mut samples)));
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
    let array = diagnosis.what_if().and_then(|it| case.supposing(it));
    let Some(array) = array else { return true };
    let mut sound = case.sound();
    sound.truncate(MOST);
    let outcome = ReadingOutcome::of(case, &array, &sound);
    outcome.fits * 2 >= outcome.of
}

/// Other codecs, where bytes decode by them without a fault, which proves it.
fn of_codecs(case: &Case<'_>, samples: &[Sample]) -> Option<Diagnosis> {
    let mut readings = proposed(&PROVED, case, samples);
    readings.retain(Reading::is_proved);
    reading::explain_failure(case, samples, readings).filter(|diagnosis| diagnosis.is_certain)
}

/// Chunks that decode, and whose values may not be those that were meant.
struct DecodedSamples<'s, 'a> {
    case: &'s Case<'a>,
    samples: Vec<Sample>,
    declared: ReadingOutcome,
    /// Readings with other filters, and with one more.
    filters: Vec<Reading>,
    shuffles: Vec<Reading>,
    /// Chunks that are next to each other, and the same as declared.
    adjacent: OnceCell<Vec<Sample>>,
    around: OnceCell<Option<AdjacentChunks<'a>>>,
}

/// The bits of each byte of values so regular that a shuffle which is not declared may be what made them.
const REGULAR: f64 = 1.0;

impl<'a> DecodedSamples<'_, 'a> {
    fn adjacent(&self) -> &[Sample] {
        self.adjacent.get_or_init(|| self.case.adjacent())
    }

    /// `None` where one of them cannot be decoded, or they are not numbers.
    fn around(&self) -> Option<&AdjacentChunks<'a>> {
        let decode = || AdjacentChunks::of(self.case, self.case.array, self.adjacent());
        self.around.get_or_init(decode).as_ref()
    }

    fn test(&self, hypothesis: &Hypothesis) -> Option<Diagnosis> {
        let found = hypothesis.symptom.is_of(self.case).then(|| match hypothesis.look {
            Look::Sample(test) => test(self.case, &self.declared),
            Look::Readings(test) => test(self),
            Look::Bytes(test) => test(self.case, self.adjacent()),
            Look::Around(test) => test(self.case, self.adjacent(), self.around()?),
        })?;
        found.filter(|diagnosis| self.is_no_worse(diagnosis))
    }

    /// The other byte order, in all chunks or on one side.
    fn swapped_together(&self) -> Option<Diagnosis> {
        let all = swapped::together(self.case.array, &self.declared)?;
        let rougher = |blocks| otherwise::rougher(self.case, self.adjacent(), blocks);
        Some(self.around().and_then(rougher).unwrap_or(all))
    }

    /// Other filters, or what is behind a filter and may look like values of another type.
    fn explained_by_filters(&self) -> Option<Diagnosis> {
        let is_odd = filters::has_other_size(self.case);
        let explain = if is_odd { reading::the_better } else { reading::explain_values };
        explain(self.case, &self.samples, &self.declared, self.filters.clone())
    }

    fn explained_by_readings(&self) -> Option<Diagnosis> {
        let mut readings = self.shuffles.clone();
        if !reading::could_be_better(&self.declared) {
            let shuffles = readings.into_iter().map(|it| it.saving(f64::INFINITY)).collect();
            let is_regular = self.declared.measure.is_some_and(|known| known.bits <= REGULAR);
            let explain =
                || reading::the_better(self.case, &self.samples, &self.declared, shuffles);
            return is_regular.then(explain)?;
        }
        readings.extend(structs::readings(self.case, &self.samples));
        readings.extend(swapped::reading(&self.declared));
        reading::explain_values(self.case, &self.samples, &self.declared, readings)
    }

    /// Other filters, with which values go on from chunk to chunk.
    fn mended_by_filters(&self) -> Option<Diagnosis> {
        let readings = [self.filters.as_slice(), &self.shuffles].concat();
        let some = (!readings.is_empty()).then_some(readings)?;
        reading::explain_borders(self.case, self.adjacent(), some)
    }

    /// False if the cause puts the same numbers into other places, and they are less plausible there.
    fn is_no_worse(&self, diagnosis: &Diagnosis) -> bool {
        let Self { case, samples, declared, .. } = self;
        let keeps_numbers = matches!(diagnosis.cause, CauseKind::Order | CauseKind::ChunkShape);
        let what_if = diagnosis.what_if().filter(|_| keeps_numbers);
        let read = what_if.and_then(|it| case.supposing(it));
        read.is_none_or(|read| {
            !is_less_plausible(&ReadingOutcome::of(case, &read, samples), declared)
        })
    }

    fn mended(&self, readings: Vec<Reading>, of: BlocksOf<'a>) -> Option<Diagnosis> {
        reading::mended_borders(self.case, self.adjacent(), readings, of)
    }
}

/// A kind of fault in values that decode: the symptom without which it is not looked for, and what is looked at.
struct Hypothesis {
    symptom: Symptom,
    look: Look,
}

/// What an array must be for a kind of fault.
#[derive(Clone, Copy)]
enum Symptom {
    Any,
    Flags,
    PackedFlags,
    Floats,
    FloatsWithUnit,
    Complex,
    /// Integers with `scale_factor` or `add_offset`.
    Scaled,
    Sharded,
    /// Of so many chunks, at least.
    Chunks(u64),
}

impl Symptom {
    fn is_of(self, case: &Case<'_>) -> bool {
        let Some(data_type) = case.array.data_type() else { return false };
        let name = data_type.name();
        let is_packed =
            |specs: &[CodecSpec]| specs.iter().any(|spec| spec.name.contains("packbits"));
        match self {
            Self::Any => true,
            Self::Flags => name == "bool",
            Self::PackedFlags => {
                name == "bool" && case.array.codecs.as_deref().is_ok_and(is_packed)
            }
            Self::Floats => matches!(data_type.default_scalar(), Scalar::Float(_)),
            Self::FloatsWithUnit => {
                let attributes = case.array.attributes();
                name.starts_with("float") && attributes.is_some_and(|it| it.get("units").is_some())
            }
            Self::Complex => name.starts_with("complex"),
            Self::Scaled => name.contains("int") && Packing::of(case.array).is_scaled,
            Self::Sharded => case.sharding().is_some(),
            Self::Chunks(count) => case.symptoms.stored >= count,
        }
    }
}

/// What is looked at, which is what it costs.
enum Look {
    /// The sample as declared: it is decoded already.
    Sample(fn(&Case<'_>, &ReadingOutcome) -> Option<Diagnosis>),
    /// Other readings of the sample: each decodes it once more.
    Readings(fn(&DecodedSamples<'_, '_>) -> Option<Diagnosis>),
    /// The bytes of chunks that are next to each other.
    Bytes(fn(&Case<'_>, &[Sample]) -> Option<Diagnosis>),
    /// The same chunks as declared, where they are numbers: they are decoded once for all that look at them.
    Around(fn(&Case<'_>, &[Sample], &AdjacentChunks<'_>) -> Option<Diagnosis>),
}

/// The causes of values that nobody measures, then of those that do not go on from chunk to chunk, or from part to part of a
/// chunk: the cheapest first.
#[expect(
    clippy::redundant_closure_for_method_calls,
    reason = "a method of one lifetime is no function of any"
)]
const OF_VALUES: [Hypothesis; 28] = {
    use Look::{Around, Bytes, Readings, Sample};
    use Symptom::{
        Any, Chunks, Complex, Flags, Floats, FloatsWithUnit, PackedFlags, Scaled, Sharded,
    };
    const fn row(symptom: Symptom, look: Look) -> Hypothesis {
        Hypothesis { symptom, look }
    }
    [
        row(Any, Readings(|it| filters::undeclared_shuffle(it.case, &it.samples, &it.declared))),
        row(Any, Readings(|it| it.explained_by_filters())),
        row(Any, Sample(times::other_unit)),
        row(Any, Sample(row_starts::differences)),
        row(Flags, Sample(|_, declared| flags::other_numbers(declared))),
        row(Any, Readings(|it| filters::differences(it.case, &it.samples, &it.declared))),
        row(Any, Readings(|it| types::same_width(it.case, &it.samples, &it.declared))),
        row(Any, Readings(|it| halves::diagnose(it.case, &it.samples, &it.declared))),
        row(Any, Sample(swapped::in_parts)),
        row(Floats, Sample(row_starts::byte_planes)),
        row(Complex, Sample(complex_parts::diagnose)),
        row(Any, Readings(|it| it.explained_by_readings())),
        row(Any, Readings(|it| layout::orders(it.case, &it.samples))),
        row(Chunks(2), Readings(|it| it.swapped_together())),
        row(Any, Readings(|it| it.mended_by_filters())),
        row(Sharded, Readings(|it| it.mended(shards::turned(it.case), AdjacentChunks::of))),
        row(
            Sharded,
            Readings(|it| it.mended(shards::inner_orders(it.case), AdjacentChunks::of_inner)),
        ),
        row(Sharded, Bytes(shard_entries::other_order)),
        row(PackedFlags, Bytes(flags::reversed)),
        row(Chunks(2), Around(masks::diagnose)),
        row(Chunks(4), Around(pages::diagnose)),
        row(Any, Around(|case, _, blocks| holes::diagnose(case, blocks))),
        row(Any, Bytes(lost_writes::diagnose)),
        row(Chunks(2), Around(places::diagnose)),
        row(Scaled, Around(packed::diagnose)),
        row(Any, Sample(row_starts::shifted)),
        row(Any, Sample(|case, declared| conversions::diagnose(case.array, declared))),
        row(FloatsWithUnit, Around(units::scaled)),
    ]
};

/// The cause of values that are not as declared.
fn implausible(case: &Case<'_>) -> Option<Diagnosis> {
    let mut samples = case.sound();
    if let Some(diagnosis) = strings::garbled(case, &samples) {
        return Some(diagnosis);
    }
    if let Some(diagnosis) = slipped::diagnose(case, &samples) {
        return Some(diagnosis);
    }
    let declared = ReadingOutcome::of(case, case.array, &samples);
    let odd = if case.is_stopped() { Vec::new() } else { odd_ones(&declared) };
    if !odd.is_empty() {
        let mut at = 0..;
        samples.retain(|_| at.next().is_some_and(|at| odd.contains(&at)));
        let of_another = neighbours::diagnose(case, &mut samples).into_iter().next();
        return of_another.or_else(|| otherwise::few_rough(case, &case.adjacent()));
    }
    let (filters, shuffles) =
        (filters::readings(case, &samples), filters::shuffles(case, &declared));
    let (adjacent, around) = Default::default();
    let decoded = DecodedSamples { case, samples, declared, filters, shuffles, adjacent, around };
    let mut goes_on = OF_VALUES.iter().take_while(|_| !case.is_stopped());
    goes_on.find_map(|hypothesis| decoded.test(hypothesis))
}

/// Another reading of the filters, with which values are far more plausible than in the other byte order, of which they
/// look: bytes that were shuffled, or were not, are often those of large numbers in another order.
fn behind_filters(case: &Case<'_>) -> Option<Diagnosis> {
    if case.array.format != Format::V2 {
        return None;
    }
    let samples = case.sound();
    let declared = ReadingOutcome::of(case, case.array, &samples);
    let mut readings = filters::readings(case, &samples);
    readings.extend(filters::shuffles(case, &declared));
    readings.extend(swapped::reading(&declared));
    reading::the_better(case, &samples, &declared, readings)
        .filter(|it| it.cause == CauseKind::Filter)
}

/// The few chunks of a sample whose values nobody measures, where those of the others could be measured.
fn odd_ones(declared: &ReadingOutcome) -> Vec<usize> {
    let strange: Vec<f64> = declared.chunks.iter().map(plausibility::strange).collect();
    let odd: Vec<usize> =
        strange.iter().enumerate().filter(|(_, share)| **share > 0.5).map(|(at, _)| at).collect();
    let is_few = odd.len() * 3 <= strange.len();
    let others_are_fine = strange.iter().all(|share| *share > 0.5 || *share < 0.1);
    if is_few && others_are_fine && declared.fits == declared.of { odd } else { Vec::new() }
}

/// The codes that follow from a kind of cause beside the chunks that cannot be read.
fn consequences(cause: CauseKind) -> &'static [Code] {
    match cause {
        CauseKind::ChunkShape => &[Code::ChunkOutside, Code::ChunksMissing, Code::CodecHeader],
        CauseKind::ChunkKeys => &[Code::ChunkOutside, Code::ChunksMissing, Code::ForeignFile],
        CauseKind::Shape => &[Code::ChunkOutside, Code::ChunksMissing],
        CauseKind::Codec
        | CauseKind::DataType
        | CauseKind::Filter
        | CauseKind::ObjectCodec
        | CauseKind::Struct => &[Code::CodecHeader],
        _ => &[],
    }
}

/// A cause as a finding of the array.
fn problem(case: &Case<'_>, mut diagnosis: Diagnosis) -> Problem {
    tried(case, &mut diagnosis);
    let is_of_writer = matches!(
        diagnosis.cause,
        CauseKind::Codec
            | CauseKind::DataType
            | CauseKind::Filter
            | CauseKind::Packing
            | CauseKind::Units
            | CauseKind::ByteOrder
            | CauseKind::Reversed
    );
    let step = is_of_writer.then(|| case.step(&diagnosis.files));
    diagnosis.evidence.extend(step.flatten());
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
    Problem::caused(diagnosis, place).with_severity(severity)
}
