//! A change of the metadata, tried on the sample: what fits, how plausible the values are then, and which reading
//! stands out.

use super::prelude::*;
use super::seams::{DecodedChunk, is_even};
use crate::zarr::{
    byte_order::judge_together,
    error::CauseKind,
    plausibility::{WideComponent, as_f64},
};
use std::cell::OnceCell;

/// The sentence on a fault, and on a second one, which shows once the first one is mended.
pub(in crate::zarr) fn both(first: &str, second: &str) -> String {
    format!("{first} Then a second fault shows: {}", continued(second))
}

/// A sentence as it goes on after a colon.
pub(super) fn continued(sentence: &str) -> String {
    let (the, rest) = sentence.strip_prefix("The ").map_or(("", sentence), |it| ("the ", it));
    format!("{the}{rest}")
}

/// A change of the metadata that may explain what is found.
#[derive(Debug, Clone)]
pub(super) struct Reading {
    /// The code of the cause.
    pub(super) cause: &'static str,
    /// The cause, a sentence.
    pub(super) sentence: String,
    /// The change.
    pub(super) what_if: WhatIf,
    /// The evidence for it before it is tried.
    pub(super) evidence: Vec<String>,
    /// True if it is proved where every chunk can be decoded with it: checksums and compressors agree by no accident.
    pub(super) is_proof: bool,
    /// True if something else would explain the same: then it can be tried, but no edit is proposed.
    is_open: bool,
    /// The numbers that it sums.
    sums: SummedNumbers,
    /// The bits that it must save for each value.
    least: f64,
}

/// The numbers that a reading sums. Differences of smooth values are smoother than these, and their sums rougher,
/// whatever is true: how alike neighbours are inside of a chunk tells nothing then, only where chunks begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SummedNumbers {
    /// Those that are declared.
    AsDeclared,
    /// Those that are declared, of the same filters in another order: how alike the sums are tells as well.
    Reordered,
    /// The same in another unit.
    Exchanged,
    /// Fewer.
    Fewer,
}

impl Reading {
    pub(super) fn new(cause: &'static str, sentence: impl Into<String>, what_if: WhatIf) -> Self {
        let (sentence, evidence, sums) = (sentence.into(), Vec::new(), SummedNumbers::AsDeclared);
        let (is_proof, is_open, least) = (false, false, LESS);
        Self { cause, sentence, what_if, evidence, is_proof, is_open, sums, least }
    }

    /// The same, told where it saves so many bits for each value.
    pub(super) fn saving(self, least: f64) -> Self {
        Self { least, ..self }
    }

    pub(super) fn summing(mut self, sums: SummedNumbers) -> Self {
        self.sums = sums;
        self
    }

    pub(super) fn because(mut self, evidence: impl Into<String>) -> Self {
        self.evidence.push(evidence.into());
        self
    }

    pub(super) fn proved(mut self) -> Self {
        self.is_proof = true;
        self
    }

    /// Both, where the other one shows once this one is taken for right.
    pub(super) fn with_a_second(self, other: Self) -> Self {
        let is_open = other.is_open;
        Self {
            sentence: both(&self.sentence, &other.sentence),
            what_if: self.what_if.and(other.what_if),
            evidence: [self.evidence, other.evidence].concat(),
            is_proof: false,
            ..self
        }
        .left_open(is_open)
    }

    /// The same, if `is_open`, as one of some causes that nothing tells from each other.
    pub(super) fn left_open(mut self, is_open: bool) -> Self {
        self.is_open |= is_open;
        self
    }

    /// True if it is proved by chunks that can be decoded with it.
    pub(super) fn is_proved(&self) -> bool {
        self.is_proof
    }
}

/// The outcome of trying a reading.
#[derive(Debug, Clone)]
pub(super) struct ReadingOutcome {
    /// The number of chunks of the sample that can be decoded.
    pub(super) fits: usize,
    /// Of how many.
    pub(super) of: usize,
    /// The chunks that can be decoded.
    pub(super) chunks: Vec<Elements>,
    /// The plausibility of the values; `None` if they are not numbers.
    pub(super) measure: Option<Measure>,
    /// The same of the numbers that are stored, where codecs compute the values from others.
    stored: Option<Measure>,
    verdict: OnceCell<Verdict>,
}

impl ReadingOutcome {
    pub(super) fn of(case: &Case, array: &ArrayMetadata, samples: &[Sample]) -> Self {
        let budget = case.budget();
        let decoded = |sample: &Sample| {
            case.decode_with_stored(array, &sample.at, sample.bytes.clone(), &budget)
        };
        let (chunks, stored): (Vec<Elements>, Vec<_>) = samples.iter().filter_map(decoded).unzip();
        let stored: Vec<Elements> = stored.into_iter().flatten().collect();
        let (measure, stored) = (measure(&chunks, &budget), measure(&stored, &budget));
        let (of, verdict) = (samples.len(), OnceCell::new());
        Self { fits: chunks.len(), of, measure, stored, chunks, verdict }
    }

    /// The byte order that the chunks speak for together.
    pub(super) fn verdict(&self) -> &Verdict {
        let judged = || judge_together(&self.chunks.iter().collect::<Vec<_>>());
        self.verdict.get_or_init(judged)
    }

    /// The plausibility of what goes into the bytes.
    pub(super) fn of_bytes(&self) -> Option<Measure> {
        self.stored.or(self.measure)
    }

    /// The lower, the better: bits for each stored byte, with what is strange counted as noise.
    pub(super) fn badness(&self) -> f64 {
        self.of_bytes().map_or(4.0, |it| it.badness())
    }

    /// The same of the values themselves.
    pub(super) fn badness_of_values(&self) -> f64 {
        self.measure.map_or(4.0, |it| it.badness())
    }

    /// The range and the typical difference of the values, in a sentence, where they are numbers.
    pub(super) fn values(&self) -> Option<String> {
        self.measure.map(|measure| values(&measure))
    }

    /// The bits that all numbers looked at take.
    pub(super) fn bits(&self) -> f64 {
        let looked_at = |measure: Measure| as_f64(measure.words) * measure.width;
        self.badness() * self.of_bytes().map_or(0.0, looked_at)
    }

    /// The bits that another reading saves for each number.
    pub(super) fn saves(&self, declared: &Self) -> f64 {
        let width = self.of_bytes().map_or(0.0, |measure| measure.width);
        (declared.badness() - self.badness()) * width
    }

    /// True if all numbers together take fewer bits than as declared, by more than chance makes of them.
    pub(super) fn is_shorter_than(&self, declared: &Self) -> bool {
        let words = self.measure.map_or(0, |measure| measure.words);
        self.saves(declared) * as_f64(words) >= SURE
    }

    /// True if the values could have been measured.
    pub(super) fn is_sensible(&self) -> bool {
        self.measure.is_none_or(|measure| measure.strange < 0.1)
    }

    /// The number of long integers in each element that use nearly all of their bits: what is made of other fields does.
    fn full_integers(&self) -> usize {
        /// The bits that must be left over.
        const SPARE: usize = 12;
        let is_full = |component: &WideComponent, bytes: &[u8], size: usize| {
            let words = Words { bytes, size, component };
            let limit = (component.width * 8).saturating_sub(SPARE);
            let mut ranks = (0..words.len().min(1024)).filter_map(|at| words.rank(at));
            let is_integer = matches!(component.meaning, Meaning::Signed | Meaning::Unsigned);
            is_integer
                && component.width >= 4
                && ranks.any(|rank| rank.unsigned_abs() >> limit != 0)
        };
        let count = || {
            let first = self.chunks.first()?;
            let (size, bytes) = (first.data_type().fixed_size()?, first.bytes().as_whole()?);
            let parts = numbers(first, bytes.get(..size)?);
            Some(parts.iter().filter(|part| is_full(part, bytes, size)).count())
        };
        count().unwrap_or(0)
    }

    /// The number of elements with a field of text that holds none, as numbers in its place do.
    fn broken_texts(&self) -> usize {
        let is_text = |bytes: &[u8]| {
            let len = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |at| at + 1);
            let text = std::str::from_utf8(bytes.get(..len).unwrap_or_default());
            text.is_ok_and(|text| !text.chars().any(char::is_control))
        };
        let count = || {
            let first = self.chunks.first()?;
            let (data_type, bytes) = (first.data_type(), first.bytes().as_whole()?);
            let texts = data_type.fields().iter();
            let texts = texts.filter(|field| field.data_type.name().contains("null_terminated"));
            let places: Vec<Range<usize>> = texts
                .filter_map(|it| Some(it.offset..it.offset + it.data_type.fixed_size()?))
                .collect();
            let is_broken = |element: &&[u8]| {
                places.iter().filter_map(|at| element.get(at.clone())).any(|text| !is_text(text))
            };
            let elements = bytes.chunks_exact(data_type.fixed_size()?.max(1)).take(1024);
            Some(elements.filter(is_broken).count())
        };
        count().unwrap_or(0)
    }

    fn fit_words(&self) -> String {
        if self.fits == self.of {
            let all =
                if self.of == 1 { "the chunk".into() } else { format!("all {} chunks", self.of) };
            format!(
                "Read that way, {all} that {} examined can be decoded.",
                if self.of == 1 { "was" } else { "were" }
            )
        } else {
            format!(
                "Read that way, {} of the {} examined can be decoded.",
                self.fits,
                counted(self.of as u64, "chunk")
            )
        }
    }
}

/// A reading that was tried.
struct Tried {
    reading: Reading,
    array: ArrayMetadata,
    outcome: ReadingOutcome,
}

fn tried(case: &Case, samples: &[Sample], readings: Vec<Reading>) -> Vec<Tried> {
    let try_one = |reading: Reading| {
        let array = case.supposing(&reading.what_if)?;
        let outcome = ReadingOutcome::of(case, &array, samples);
        Some(Tried { reading, array, outcome })
    };
    readings.into_iter().filter_map(try_one).collect()
}

/// By how much a reading must be better than the next one of another kind.
const BETTER: f64 = 0.15;

/// The reading with which chunks can be decoded that cannot be as declared.
pub(super) fn explain_failure(
    case: &Case,
    samples: &[Sample],
    readings: Vec<Reading>,
) -> Option<Diagnosis> {
    let mut fitting = tried(case, samples, readings);
    // Most of them must fit: some may be damaged beside.
    fitting.retain(|tried| {
        tried.outcome.fits * 4 >= tried.outcome.of * 3
            && tried.outcome.fits > 0
            && (tried.outcome.is_sensible() || tried.reading.is_proof)
    });
    // What sums other numbers is only told where nothing else fits.
    let least = fitting.iter().map(|tried| tried.reading.sums).min();
    fitting.retain(|tried| Some(tried.reading.sums) == least);
    let rank = |tried: &Tried| {
        // What is proved goes before what only fits, by less than noise would differ.
        let proved = if tried.reading.is_proof { 1.0 } else { 0.0 };
        // What explains chunks outside the grid as well goes before what leaves them over,
        // and so does a grid of which every chunk is stored, where the declared one has more.
        let is_full = |array: &ArrayMetadata| {
            Some(order::total(&array.chunk_counts()?)? == u128::from(case.symptoms.stored))
        };
        let explains_more = CauseKind::of(tried.reading.cause) == Some(CauseKind::ChunkShape)
            && (case.symptoms.has_orphans()
                || is_full(&tried.array) == Some(true) && is_full(case.array) == Some(false));
        tried.outcome.badness() - proved - if explains_more { 1.0 } else { 0.0 }
    };
    fitting.sort_by(|a, b| rank(a).total_cmp(&rank(b)));
    let mut fitting = fitting.into_iter();
    let best = fitting.next()?;
    let next = fitting.find(|other| other.reading.what_if != best.reading.what_if);
    if let Some(next) = &next
        && rank(next) - rank(&best) < BETTER
        && CauseKind::of(next.reading.cause) != CauseKind::of(best.reading.cause)
    {
        return None;
    }
    Some(told(case, best, next.as_ref()))
}

/// A reading that nothing else competes with, as a cause.
pub(super) fn told_alone(case: &Case, samples: &[Sample], reading: Reading) -> Option<Diagnosis> {
    let best = tried(case, samples, vec![reading]).into_iter().next()?;
    (best.outcome.fits == best.outcome.of).then(|| told(case, best, None))
}

/// The bits by which the best of some readings must be better than the declared one, for each doubling of their number
/// one more: chance gives as many less often than once in ten thousand arrays.
pub(super) const SURE: f64 = 13.3;
/// By how many bits for each value a reading must be better than the declared one, or how many times shorter.
pub(super) const LESS: f64 = 3.0;
const FAR_LESS: f64 = 4.0;
/// The share of numbers that nobody measures, and the bits saved for each, from which on a reading is told without such
/// numbers, however little its neighbours tell of each other.
const ODD: f64 = 0.2;
const ODDER: f64 = 12.0;
/// Of fewer different values no filter is told: flags and classes cost what their distance is, which means nothing.
const DIFFERENT: usize = 32;

/// The reading that makes values plausible that are not as declared.
pub(super) fn explain_values(
    case: &Case,
    samples: &[Sample],
    declared: &ReadingOutcome,
    readings: Vec<Reading>,
) -> Option<Diagnosis> {
    // Of plausible values, only that the filters are in another order is told: no other data are declared so.
    let is_open = could_be_better(declared);
    let readings: Vec<Reading> =
        readings.into_iter().filter(|it| is_open || it.sums == SummedNumbers::Reordered).collect();
    if readings.is_empty() { None } else { the_better(case, samples, declared, readings) }
}

/// The same where something else says that values are not as declared, however plausible they are.
pub(super) fn the_better(
    case: &Case,
    samples: &[Sample],
    declared: &ReadingOutcome,
    readings: Vec<Reading>,
) -> Option<Diagnosis> {
    let known = declared.measure.filter(|_| different(&declared.chunks) >= DIFFERENT)?;
    let margin = SURE + as_f64(readings.len()).log2();
    let mut better = tried(case, samples, readings);
    // Sums in another unit tell nothing by how alike they are, but where nobody measures those that are declared.
    let most =
        if declared.is_sensible() { SummedNumbers::Reordered } else { SummedNumbers::Exchanged };
    better.retain(|tried| tried.reading.sums <= most);
    if let Some(best) = take_reordered(&mut better, declared, margin) {
        let next = better
            .iter()
            .min_by(|a, b| a.outcome.badness_of_values().total_cmp(&b.outcome.badness_of_values()));
        let next = next.filter(|_| best.reading.is_open);
        return Some(told_of_values(case, best, next, &known));
    }
    let (full, broken) = (declared.full_integers(), declared.broken_texts());
    better.retain(|tried| {
        let Some(measure) = tried.outcome.of_bytes() else { return false };
        let saved = tried.outcome.saves(declared);
        tried.outcome.fits == tried.outcome.of
            && tried.outcome.is_sensible()
            && measure.words >= FEW
            && (measure.gain >= GAIN || known.oddest >= ODD && saved >= ODDER)
            && saved * as_f64(measure.words) >= margin
            // Filters in another order have been compared by their values.
            && (tried.reading.sums == SummedNumbers::AsDeclared || could_be_better(declared))
            && (saved >= tried.reading.least || tried.outcome.bits() * FAR_LESS <= declared.bits())
            && (tried.array.data_type().is_none_or(|it| it.fields().is_empty())
                || tried.outcome.full_integers() <= full && tried.outcome.broken_texts() <= broken)
    });
    better.sort_by(|a, b| a.outcome.badness().total_cmp(&b.outcome.badness()));
    let mut better = better.into_iter();
    let mut best = better.next()?;
    let next = better.next();
    let is_near = |next: &Tried| next.outcome.badness() - best.outcome.badness() < BETTER;
    if let Some(next) = next.as_ref().filter(|next| is_near(next)) {
        // Which of two orders of fields it is may be open, and that the declared one is not it.
        if next.reading.sentence != best.reading.sentence {
            return None;
        }
        best.reading.is_open = true;
    }
    Some(told_of_values(case, best, next.as_ref(), &known))
}

/// The reading with the filters in another order, if its values are far more alike than those of any other; or as alike, where
/// nobody measures those that are declared: it is the smallest change.
fn take_reordered(tried: &mut Vec<Tried>, declared: &ReadingOutcome, margin: f64) -> Option<Tried> {
    let at = tried.iter().position(|it| it.reading.sums >= SummedNumbers::Reordered)?;
    let outcome = &tried.get(at)?.outcome;
    let (measure, badness) = (outcome.measure?, outcome.badness_of_values());
    let saved = measure.saves(&declared.measure?);
    // Differences are smoother than their sums, whatever is true.
    let is_other =
        |(other, it): &(usize, &Tried)| *other != at && it.reading.sums < SummedNumbers::Fewer;
    let mut others = tried.iter().enumerate().filter(is_other);
    // No series is regular by chance.
    let is_regular = outcome.chunks.iter().all(is_even) && !declared.chunks.iter().any(is_even);
    let is_best =
        is_regular || others.all(|(_, it)| it.outcome.badness_of_values() >= badness + BETTER);
    let is_told = outcome.fits == outcome.of
        && outcome.is_sensible()
        && measure.words >= FEW
        && measure.gain >= GAIN
        && saved >= LESS
        && saved * as_f64(measure.words) >= margin
        && (is_best || !declared.is_sensible());
    let mut best = is_told.then(|| tried.swap_remove(at))?;
    best.reading.is_open |= !is_best;
    Some(best)
}

fn told_of_values(case: &Case, best: Tried, next: Option<&Tried>, known: &Measure) -> Diagnosis {
    let sentence = format!(
        "As declared, neighbouring values differ by {}, {:.1} of 8 bits for each byte.",
        number(known.step),
        known.bits
    );
    let mut diagnosis = told(case, best, next);
    diagnosis.is_certain = false;
    diagnosis.because(sentence)
}

/// By how many bits a step must be smaller in a reading with which values go on from chunk to chunk.
const SMOOTHER: f64 = 3.0;

/// The reading with which values go on from chunk to chunk and along every axis, where as declared they do not.
pub(super) fn explain_borders(
    case: &Case,
    samples: &[Sample],
    readings: Vec<Reading>,
) -> Option<Diagnosis> {
    let samples = samples.get(..samples.len().min(16))?;
    let declared = DeclaredBorders::of(case, samples)?;
    let smoother = tried(case, samples, readings).into_iter().filter_map(|tried| {
        let blocks = AdjacentChunks::of(case, &tried.array, samples)?;
        Some((declared.saved_by(&tried, &blocks)?, tried))
    });
    let mut smoother: Vec<(f64, Tried)> = smoother.collect();
    smoother.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut smoother = smoother.into_iter();
    let ((saved, best), next) = (smoother.next()?, smoother.next());
    if next.as_ref().is_some_and(|(next, _)| saved - next < 1.0) {
        return None;
    }
    let sentence = match best.reading.sums {
        SummedNumbers::AsDeclared | SummedNumbers::Reordered => format!(
            "Along all dimensions and across the borders of chunks, values are then {} times closer than as declared.",
            number(2_f64.powf(saved).round())
        ),
        _ => format!(
            "As declared, values jump at {} of {} borders between chunks.",
            declared.known.broken, declared.known.of
        ),
    };
    let mut diagnosis = told(case, best, next.map(|(_, next)| next).as_ref());
    diagnosis.is_certain = false;
    Some(diagnosis.because(sentence))
}

/// Chunks that are next to each other, as they are declared.
struct DeclaredBorders {
    outcome: ReadingOutcome,
    known: Continuity,
    roughness: f64,
}

impl DeclaredBorders {
    /// `None` where borders say nothing: of counts, and of a few classes.
    fn of(case: &Case, samples: &[Sample]) -> Option<Self> {
        let blocks = AdjacentChunks::of(case, case.array, samples)?;
        let is_count =
            blocks.all.iter().filter(|block| is_even(&block.elements)).count() * 2 > samples.len();
        if is_count || blocks.all.iter().all(|block| block.variety() < DIFFERENT) {
            return None;
        }
        let known = blocks.continuity();
        let outcome = ReadingOutcome::of(case, case.array, samples);
        Some(Self { outcome, known, roughness: blocks.roughness()? })
    }

    /// The bits of a step that another reading saves, if with it values go on where as declared they do not.
    fn saved_by(&self, tried: &Tried, blocks: &AdjacentChunks) -> Option<f64> {
        let (found, outcome) = (blocks.continuity(), &tried.outcome);
        let saved = self.roughness - blocks.roughness()?;
        let is_told = match tried.reading.sums {
            SummedNumbers::AsDeclared | SummedNumbers::Reordered => {
                let is_smooth = outcome.of_bytes().is_some_and(|measure| measure.gain >= GAIN);
                is_smooth && outcome.saves(&self.outcome) >= LESS && saved >= SMOOTHER
            }
            SummedNumbers::Exchanged => {
                self.known.is_broken_often() && found.mends_borders(&self.known)
            }
            SummedNumbers::Fewer => {
                self.known.is_broken_often()
                    && found.mends_borders(&self.known)
                    && blocks.all.iter().all(DecodedChunk::starts_as_it_goes_on)
            }
        };
        (is_told && outcome.is_sensible() && found.is_whole()).then_some(saved)
    }
}

/// A way to take a sample apart into blocks: the chunks themselves, or their inner chunks.
pub(super) type BlocksOf<'a> =
    fn(&Case<'a>, &ArrayMetadata, &[Sample]) -> Option<AdjacentChunks<'a>>;

/// The only reading with which values go on across the borders of chunks, where as declared they jump.
pub(super) fn mended_borders<'a>(
    case: &Case<'a>,
    samples: &[Sample],
    readings: Vec<Reading>,
    of: BlocksOf<'a>,
) -> Option<Diagnosis> {
    /// The bits by which a step inside has to be smaller.
    const FEWER: f64 = 0.25;
    let borders = |array: &ArrayMetadata| {
        let blocks = of(case, array, samples)?;
        Some((blocks.continuity(), blocks.steps_in_all()?))
    };
    if readings.is_empty() {
        return None;
    }
    // All chunks are read otherwise: along most dimensions their borders must say so.
    let (known, rough) = borders(case.array)
        .filter(|(known, _)| known.is_broken_often() && known.broken * 4 >= known.of)?;
    // The inside has to be better, too: what begins anew in each chunk jumps at every border.
    let mends = |tried: &Tried| {
        borders(&tried.array)
            .is_some_and(|(found, inside)| found.mends(&known) && rough - inside >= FEWER)
    };
    let mut mending = tried(case, samples, readings).into_iter().filter(mends);
    let (best, None) = (mending.next()?, mending.next()) else { return None };
    let mut diagnosis = told(case, best, None);
    diagnosis.is_certain = false;
    Some(diagnosis.because(format!(
        "As declared, values jump at {} of {} borders between chunks.",
        known.broken, known.of
    )))
}

/// True if another reading of the same bytes may be told for its values alone.
pub(super) fn could_be_better(declared: &ReadingOutcome) -> bool {
    declared.measure.is_some_and(|known| !is_plausible(&known))
        && different(&declared.chunks) >= DIFFERENT
}

/// True if values are alike as they are declared, and of a size that people measure: however few bits another reading
/// takes, nothing has to be explained. (Values on an even grid take many bits, and are plausible all the same.)
fn is_plausible(measure: &Measure) -> bool {
    // Of floats of 16 bits, hardly more are strange in noise.
    let few = if measure.width > 2.0 { 0.05 } else { 0.01 };
    measure.oddest < few && measure.unrest < 0.1
}

/// The number of different elements in a sample.
fn different(chunks: &[Elements]) -> usize {
    let elements = chunks.iter().flat_map(|chunk| {
        let first = (0..chunk.len().min(2048)).map(|at| chunk.bytes().get(chunk.byte_range(at)));
        first.flatten().collect::<Vec<_>>()
    });
    elements.collect::<HashSet<_>>().len()
}

/// Values fewer than this say nothing.
pub(super) const FEW: usize = 64;

fn told(case: &Case, best: Tried, next: Option<&Tried>) -> Diagnosis {
    let Tried { reading, outcome, .. } = best;
    let next = next.and_then(|next| {
        let measure = next.outcome.measure?;
        Some(format!(
            "The next best reading ({}): neighbouring values differ by {}, {:.1} bits for each byte.",
            next.reading.what_if,
            number(measure.step),
            measure.bits
        ))
    });
    let diagnosis = Diagnosis::new(reading.cause, reading.sentence)
        .because_all(reading.evidence)
        .because(outcome.fit_words())
        .because_all(outcome.values())
        .because_all(next)
        .explaining(&case.symptoms.codes());
    let mut diagnosis = reading.what_if.mending(case.array, diagnosis);
    if reading.is_open {
        diagnosis = diagnosis.unmended();
    }
    diagnosis.is_certain = reading.is_proof && outcome.fits == outcome.of;
    diagnosis
}

/// The range and the typical difference of values, in a sentence.
pub(super) fn values(measure: &Measure) -> String {
    format!(
        "The values then go from {} to {}; neighbouring ones typically differ by {}, {:.1} of 8 bits for each byte.",
        number(measure.range.0),
        number(measure.range.1),
        number(measure.step),
        measure.bits
    )
}

/// A number with as many digits as one reads at a glance.
pub(super) fn number(value: f64) -> String {
    let size = value.abs();
    if !value.is_finite() {
        return "no number".into();
    }
    if size != 0.0 && !(1e-3..1e7).contains(&size) {
        return format!("{value:.1e}");
    }
    #[expect(clippy::cast_possible_truncation, reason = "below ten million")]
    let whole = value as i128;
    if size >= 1000.0 || value.fract() == 0.0 {
        grouped(whole)
    } else {
        format!("{value:.3}").trim_end_matches('0').to_owned()
    }
}
