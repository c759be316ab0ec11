//! The plausible byte order, and the evidence for it.
//!
//! No file says in which order its bytes really lie; metadata only claims it. But numbers that mean something have
//! habits, and swapping bytes breaks them. The judge reads a sample of the loaded elements both ways and looks for
//! those habits. It tells what it saw in numbers, so that nobody has to believe it.
//!
//! A verdict has a grade ([`Certainty`]). *Certain* takes a test that finds a habit which data without it would hardly
//! ever show. Where no test does, both readings are weighed as a whole ([`plausibility`](super::plausibility)); one
//! that can be told much more shortly is *likely*, one that can be told a little more shortly has *weak* evidence, which
//! contradicts nothing that is declared: that all numbers are multiples of 256, where the other order gives 0 to 29, is
//! no more than that, however many there are.
//!
//! # The tests
//!
//! Each works alone, on the same sample, and weighs what it finds in bits: *n* bits mean odds of 1 to 2ⁿ that data
//! without the habit would show it by accident.
//!
//! | test | the habit |
//! | --- | --- |
//! | `text` | UTF-32 code units are at most U+10FFFF; a swapped `A` is U+41000000 |
//! | `carry` | a number that steps over a multiple of 256 changes in two bytes at once: the upper one steps, the lower
//! one falls back. The pair of bytes then moves far less than its parts would if they were unrelated, which is what the
//! test compares it with (the same upper parts, the lower parts shuffled). It holds for smooth fields, counters and
//! offsets, for bell curves, and for the signs of small numbers. Only the true order carries |
//! | `smooth` | neighbours are alike in one order, and unrelated in the other, while the lowest byte is as even as the
//! last digits of a rough number |
//! | `exponent` | the exponents of floats are close together and near 1; swapped they come from the last digits of the
//! mantissa, and are anything, or subnormal |
//! | `date` | dates are mostly from 1900 to 2100 |
//! | `small` | integers are mostly small for their width: zeros are above the digits and not below, and the uppermost
//! digit varies least |
//!
//! # What keeps it honest
//!
//! * A test that is as sure of the other order says nothing: evidence counts only if it has at least [`ENOUGH`] bits
//!   and three times those of the other order. If two tests contradict each other, the judge abstains and quotes both.
//! * Smoothness alone is no proof. `noise << 8 | smooth` has smooth neighbours in the *wrong* order, and so have
//!   packed colours and identifiers. Therefore `carry` asks whether the two halves know of each other.
//! * Scale alone is no proof: 8-bit samples in the upper byte of a `uint16` are common. Where all that is known is
//!   that one byte varies, the judge abstains and shows both readings.
//! * Some things cannot be told apart by any rule, and the likelier one is assumed: a two-byte counter, and the places
//!   of a grid 256 wide listed column by column; classes numbered from 1, and the same numbers times 256; a rough smooth
//!   field, and a smooth byte below a random one.
//! * Elements that read the same in both orders, repeats, and the most frequent value (a fill value) are left out:
//!   a million equal elements are one piece of evidence.
//! * Swapping the bytes of the data swaps the verdict and nothing else: both readings go through the same code, with
//!   the same shuffles.
//!
//! Its error rate is measured in `tests/it/byte_order.rs`, on some 1,800 generated and published arrays, each
//! as it is and lying: it is never certain of an accusation that is false. The tables are in its snapshots. It is
//! silent most often about fewer than a hundred numbers and about those without any habit.
//!
//! Behind codecs that compute other numbers (`delta`, `fixedscaleoffset`, `cast_value`) it judges the numbers that are
//! stored: what is computed from byte-swapped numbers may look like anything.
//!
//! The work is bounded: at most two thousand elements per component, in windows spread over what is loaded.

use super::plausibility::{MOST_COMPONENTS, as_f64, loaded, strides};
use super::prelude::*;
use sample::WordSample;

mod array;
mod carry;
mod exponent;
mod known_range;
mod readings;
mod sample;
mod small;
mod smooth;
mod weigh;
mod wording;

pub use super::plausibility::{Meaning, WideComponent, components};
pub use array::{JudgedArray, judge_array};
pub use readings::{Readings, readings};

/// The certainty of a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// One reading is a little more like real data: too little to doubt what the metadata declares.
    Weak,
    /// One reading is much more like real data, but data that is meant can look like the other one.
    Likely,
    /// A habit was found that the other reading would show by accident in one of millions of arrays.
    Certain,
}

impl Certainty {
    /// `likely`, `strong evidence`: what values suggest is never proved.
    pub fn word(self) -> &'static str {
        match self {
            Self::Weak => "weak evidence",
            Self::Likely => "likely",
            Self::Certain => "strong evidence",
        }
    }
}

/// The plausible byte order, with the evidence.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// The order that the metadata declares; `None` where there is nothing to order or fields differ.
    pub declared: Option<Endian>,
    /// The order that the values speak for; `None`: cannot tell, or the components speak for different ones.
    pub plausible: Option<Endian>,
    /// The certainty; `None` where nothing speaks for an order.
    pub certainty: Option<Certainty>,
    /// The reasons, each a sentence with its numbers, the strongest first. For an abstention, the reasons for that.
    pub evidence: Vec<String>,
    /// For structs and complex numbers: each component's own verdict, with its name; of structs the first 32.
    pub components: Vec<(String, Self)>,
}

impl Verdict {
    fn abstention(declared: Option<Endian>, reason: impl Into<String>) -> Self {
        let (evidence, components) = (vec![reason.into()], Vec::new());
        Self { declared, plausible: None, certainty: None, evidence, components }
    }

    /// True if anything speaks, be it of a part.
    pub fn speaks(&self) -> bool {
        self.plausible.is_some() || self.components.iter().any(|(_, part)| part.speaks())
    }

    /// True if the parts are each declared their own way, so that there is no one order to speak of.
    pub fn is_by_part(&self) -> bool {
        self.declared.is_none() && self.components.iter().any(|(_, part)| part.declared.is_some())
    }

    /// The plausible order and the certainty, in a few words: `big (likely)`, `inconclusive`, `differs in x, y`, `as
    /// declared`.
    pub fn in_words(&self) -> String {
        let liars: Vec<&str> = self
            .components
            .iter()
            .filter(|(_, part)| part.contradicts())
            .map(|(name, _)| name.as_str())
            .collect();
        match self.plausible {
            Some(order) => {
                let grade = self.certainty.map(|grade| format!(" ({})", grade.word()));
                format!("{}{}", order.word(), grade.unwrap_or_default())
            }
            None if !liars.is_empty() => format!("differs in {}", liars.join(", ")),
            None if self.is_by_part() && self.speaks() => "as declared".into(),
            None => "inconclusive".into(),
        }
    }

    /// True if the values speak against the declared order, as a whole or in any component, and not weakly: the declared
    /// order is right until shown otherwise.
    pub fn contradicts(&self) -> bool {
        self.contradiction() > Some(Certainty::Weak)
    }

    /// The certainty with which values speak against the declared order; `None` where they do not.
    pub fn contradiction(&self) -> Option<Certainty> {
        let here = self.certainty.filter(|_| {
            self.declared.zip(self.plausible).is_some_and(|(declared, seen)| declared != seen)
        });
        let parts = self.components.iter().filter_map(|(_, part)| part.contradiction());
        parts.chain(here).max()
    }
}

/// Judges what is stored of a chunk: its elements, or where codecs compute them from other numbers, those. `None` where
/// it has no elements.
pub fn judge_chunk(chunk: &Chunk) -> Option<Verdict> {
    chunk.elements()?;
    Some(judge_stored(&[stored_numbers(chunk)]))
}

/// Judges what is stored of several chunks of one array as if they were one: small chunks that are silent each by
/// itself may have enough to say together. The first sets shape and data type; those of another shape are left out.
pub fn judge_chunks(chunks: &[Chunk]) -> Verdict {
    judge_stored(&chunks.iter().map(stored_numbers).collect::<Vec<_>>())
}

fn judge_stored(stored: &[Option<Cow<'_, Elements>>]) -> Verdict {
    let numbers: Vec<&Elements> = stored.iter().flatten().map(Cow::as_ref).collect();
    if numbers.is_empty() && !stored.is_empty() {
        let reason = "A codec inside the shard changes the numbers before they are stored: open an inner chunk to \
                      judge them.";
        return Verdict::abstention(None, reason);
    }
    judge_together(&numbers)
}

/// The numbers of a chunk as its bytes hold them: before any codec that computes others from them. `None` for a shard
/// that was put together of such numbers.
fn stored_numbers(chunk: &Chunk) -> Option<Cow<'_, Elements>> {
    let computes = |stage: &Stage| stage.codec.as_ref()?.stored_numbers().cloned();
    let first = chunk.stages.iter().position(|stage| computes(stage).is_some());
    let bytes_before = first.and_then(|at| match chunk.stages.get(at.checked_sub(1)?)?.output {
        Some(Data::Bytes(ref bytes)) => Some((bytes, computes(chunk.stages.get(at)?)?)),
        _ => None,
    });
    // A filter that takes its numbers for others than the array has does not tell in which order these are stored.
    let is_array_order = |order: &ByteOrder| {
        let declared = chunk.elements().and_then(|elements| elements.order().uniform());
        declared.zip(order.uniform()).is_none_or(|(declared, own)| declared == own)
    };
    if let Some((bytes, numbers)) = bytes_before {
        if !is_array_order(&numbers.order) {
            return chunk.elements().map(Cow::Borrowed);
        }
        let size = numbers.data_type.fixed_size()?;
        let shape = vec![bytes.len() / size.max(1) as u64];
        let places = Places::Fixed(size);
        let (data_type, order) = (numbers.data_type, numbers.order);
        return Some(Cow::Owned(Elements::new(
            data_type,
            order,
            shape,
            false,
            places,
            bytes.clone(),
        )));
    }
    let serializer = |stage: &&Stage| {
        stage.kind == Some(CodecKind::ArrayToBytes)
            && stage.output.as_ref().is_some_and(|data| data.elements().is_some())
    };
    let stage = chunk.stages.iter().find(serializer);
    let sharding = stage.and_then(|stage| stage.codec.as_ref()?.sharding());
    if sharding.is_some_and(|sharding| sharding.inner.computes_numbers()) {
        return None;
    }
    let elements = stage.and_then(|stage| stage.output.as_ref()?.elements());
    elements.or_else(|| chunk.elements()).map(Cow::Borrowed)
}

/// Judges the elements that are loaded.
pub fn judge(elements: &Elements) -> Verdict {
    judge_together(&[elements])
}

/// Judges the loaded elements of several chunks of one array as if they were one: small chunks that are silent each by
/// itself may have enough to say together. The first sets shape and data type; those of another shape are left out.
pub fn judge_together(chunks: &[&Elements]) -> Verdict {
    let Some(elements) = chunks.first() else {
        return Verdict::abstention(None, "No chunk is loaded.");
    };
    let declared = elements.order().uniform();
    let abstain = |reason: &str| Verdict::abstention(declared, reason);
    let Places::Fixed(size) = *elements.places() else {
        return abstain("Variable-length elements have no byte order.");
    };
    if !elements.order().applies() || !elements.data_type().has_byte_order() {
        return abstain(
            "No part of an element is longer than one byte, so there is no byte order.",
        );
    }
    let alike = chunks.iter().filter(|other| other.shape() == elements.shape());
    let parts: Vec<&[u8]> = alike.filter_map(|chunk| loaded(chunk, size)).collect();
    let bytes = match *parts.as_slice() {
        [] => return abstain("No element is loaded."),
        [only] => Cow::Borrowed(only),
        ref several => Cow::Owned(several.concat()),
    };
    let first = bytes.get(..size).unwrap_or_default();
    let components = components(elements.data_type().as_ref(), elements.order(), first);
    if components.is_empty() {
        return abstain("The data type does not define how its bytes form numbers.");
    }
    judge_bytes(&bytes, size, &components, &strides(elements))
}

/// Judges bytes that hold elements of `size` bytes, one after the other, each made of `components`. `strides` are the
/// distances, in elements, at which neighbours lie (1, and those of further axes).
pub fn judge_bytes(
    bytes: &[u8],
    size: usize,
    components: &[WideComponent],
    strides: &[u64],
) -> Verdict {
    let verdicts: Vec<_> = components
        .iter()
        .take(MOST_COMPONENTS)
        .map(|component| (component.name.clone(), one(bytes, size, component, strides)))
        .collect();
    combine(verdicts)
}

/// The tests there are.
const TESTS: [fn(&WordSample) -> Option<Evidence>; 6] =
    [known_range::text, carry::test, smooth::test, exponent::test, known_range::date, small::test];

/// The verdict on one component.
fn one(bytes: &[u8], size: usize, component: &WideComponent, strides: &[u64]) -> Verdict {
    let sample = WordSample::take(bytes, size, component, strides);
    let declared = Some(component.declared);
    let too_poor = sample.too_poor();
    let tests = TESTS.iter().filter(|_| too_poor.is_none());
    let mut found: Vec<Evidence> = tests.filter_map(|test| test(&sample)).collect();
    found.sort_by(|a, b| b.bits.total_cmp(&a.bits));
    let strongest = found.first().filter(|strongest| strongest.bits >= ENOUGH);
    let certain = strongest.map(|strongest| (strongest.order, Certainty::Certain));
    let weighed = weigh::weigh(bytes, size, component, strides, &sample);
    let only_weighed = || weighed.as_ref().map(|(weighed, grade)| (weighed.order, *grade));
    let Some((plausible, certainty)) = certain.or_else(only_weighed) else {
        let reason = too_poor.unwrap_or_else(|| wording::undecided(&sample));
        return Verdict::abstention(declared, reason);
    };
    let weighed = weighed.map(|(weighed, _)| weighed);
    found.extend(weighed.filter(|weighed| certain.is_none() || weighed.order != plausible));
    let sentences = || found.iter().map(|evidence| evidence.sentence.clone());
    if found.iter().any(|evidence| evidence.order != plausible) {
        let mut verdict = Verdict::abstention(declared, "The tests contradict each other.");
        verdict.evidence.extend(sentences());
        return verdict;
    }
    let evidence = wording::neighbours(&sample, plausible).into_iter().chain(sentences()).collect();
    let (plausible, certainty) = (Some(plausible), Some(certainty));
    Verdict { declared, plausible, certainty, evidence, components: Vec::new() }
}

/// The verdict of all components together: agreement on one order, or none.
fn combine(mut verdicts: Vec<(String, Verdict)>) -> Verdict {
    if verdicts.len() == 1
        && let Some((_, only)) = verdicts.pop()
    {
        return only;
    }
    let declared = agreed(verdicts.iter().map(|(_, verdict)| verdict.declared));
    // What is certain is not weighed against what is likely.
    let certainty = verdicts.iter().filter_map(|(_, one)| one.certainty).max();
    let speaks = |one: &Verdict| one.plausible.is_some() && one.certainty == certainty;
    let spoken: Vec<_> = verdicts.iter().filter(|(_, one)| speaks(one)).collect();
    // Where fields are declared differently there is no one order that could be plausible.
    let plausible = declared.and_then(|_| agreed(spoken.iter().map(|(_, one)| one.plausible)));
    let quoted = if spoken.is_empty() { verdicts.iter().collect() } else { spoken };
    let evidence = quoted
        .iter()
        .filter_map(|(name, verdict)| Some(format!("{name}: {}", verdict.evidence.first()?)))
        .collect();
    let certainty = certainty.filter(|_| plausible.is_some());
    Verdict { declared, plausible, certainty, evidence, components: verdicts }
}

/// The one order that all have; `None` where they differ or one has none.
fn agreed(mut orders: impl Iterator<Item = Option<Endian>>) -> Option<Endian> {
    let first = orders.next()??;
    orders.all(|other| other == Some(first)).then_some(first)
}

/// The number of bits the evidence needs: odds of one to sixteen million.
pub const ENOUGH: f64 = 24.0;

/// By how much one order must have more bits than the other.
const CLEARLY: f64 = 3.0;

/// The result of one test for one order.
struct Evidence {
    /// The order it speaks for.
    order: Endian,
    /// The strength of the evidence. With less than [`ENOUGH`] it decides nothing, but it still contradicts.
    bits: f64,
    /// The result, a sentence with its numbers.
    sentence: String,
}

/// The order that `bits` speaks for with enough and clearly more bits than for the other one.
fn decide(bits: impl Fn(Endian) -> f64) -> Option<(Endian, f64)> {
    let (little, big) = (bits(Endian::Little), bits(Endian::Big));
    let (order, more, less) =
        if little > big { (Endian::Little, little, big) } else { (Endian::Big, big, little) };
    (more >= ENOUGH && more >= less * CLEARLY).then_some((order, more))
}
