//! The plausible byte order, and the evidence for it.
//!
//! No file says in which order its bytes really lie; metadata only claims it. But numbers that mean something have
//! habits, and swapping bytes breaks them. The judge reads a sample of the loaded elements both ways, and asks by how many
//! bits the one reading is described more shortly than the other: by [`description`](super::plausibility::description),
//! the measure that every cause that rests on values goes by. It tells in numbers what it saw, so that nobody has to
//! believe it.
//!
//! A verdict has a grade ([`Certainty`]) by these bits. *Certain* is what hardly any data that is meant would show; *weak*
//! evidence contradicts nothing that is declared: that all numbers are multiples of 256, where the other order gives 0
//! to 29, is no more than that, however many there are.
//!
//! # What keeps it honest
//!
//! * A statement about all numbers at once costs what it is worth, however many there are: that numbers are shifted to the
//!   left, that fields are packed into one, that all floats are subnormal. Smooth neighbours alone are no proof then:
//!   `noise << 8 | smooth` has them in the *wrong* order, and so have packed colours and identifiers.
//! * A reading that is shorter is so in each of eight parts of the values: what healthy data and a model that does not fit
//!   them make of each other is now shorter and now longer, or rests on a few values alone.
//! * What no data have that are meant is never likely, however regular it is: numbers of which the lower half is empty,
//!   floats that nobody measures, and what a few flags make of a number.
//! * Some things cannot be told apart by any rule, and the likelier one is assumed: a two-byte counter, and the places
//!   of a grid 256 wide listed column by column; classes numbered from 1, and the same numbers times 256; a rough smooth
//!   field, and a smooth byte below a random one.
//! * The most frequent value (a fill value) is told once: a million equal elements are one piece of evidence.
//! * Swapping the bytes of the data swaps the verdict and nothing else: both readings go through the same code.
//!
//! Its error rate is measured in `tests/it/byte_order.rs`, on some 1,800 generated and published arrays, each
//! as it is and lying: it is never certain of an accusation that is false. The tables are in its snapshots. It is
//! silent most often about fewer than a hundred numbers and about those without any habit.
//!
//! Behind codecs that compute other numbers (`delta`, `fixedscaleoffset`, `cast_value`) it judges the numbers that are
//! stored: what is computed from byte-swapped numbers may look like anything.
//!
//! The work is bounded: at most two thousand elements per component, in windows spread over what is loaded.

use super::data_type::number::of_differences;
use super::plausibility::{MOST_COMPONENTS, loaded, strides};
use super::prelude::*;
use sample::WordSample;
use weigh::Weighed;

mod array;
mod readings;
mod sample;
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
    /// The other reading would be so much longer by accident in one of millions of arrays.
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
    /// No order, for this reason.
    pub fn abstention(declared: Option<Endian>, reason: impl Into<String>) -> Self {
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
        Some(Data::Bytes(ref bytes)) => Some((bytes, chunk.stages.get(at)?)),
        _ => None,
    });
    // A filter that takes its numbers for others than the array has does not tell in which order these are stored.
    let is_array_order = |order: &ByteOrder| {
        let declared = chunk.elements().and_then(|elements| elements.order().uniform());
        declared.zip(order.uniform()).is_none_or(|(declared, own)| declared == own)
    };
    if let Some((bytes, stage)) = bytes_before {
        let numbers = computes(stage)?;
        if !is_array_order(&numbers.order) {
            return chunk.elements().map(Cow::Borrowed);
        }
        let size = numbers.data_type.fixed_size()?;
        let shape = vec![bytes.len() / size.max(1) as u64];
        let places = Places::Fixed(size);
        let is_difference = stage.row.is_some_and(|row| row.is_difference);
        let (mut data_type, order) = (numbers.data_type, numbers.order);
        if is_difference {
            // Steps between flags are any numbers, of which the order would say something: flags say nothing.
            if let Some(elements) = chunk.elements().filter(|elements| are_flags(elements)) {
                return Some(Cow::Borrowed(elements));
            }
            data_type = of_differences(&data_type);
        }
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

/// True if elements as declared are flags, or classes.
fn are_flags(elements: &Elements) -> bool {
    let Places::Fixed(size) = *elements.places() else { return false };
    let Some((bytes, order)) = loaded(elements, size).zip(elements.order().uniform()) else {
        return false;
    };
    let first = bytes.get(..size).unwrap_or_default();
    let components = components(elements.data_type().as_ref(), elements.order(), first);
    let sample = |component| WordSample::take(bytes, size, component, &strides(elements));
    components.first().map(sample).is_some_and(|sample| weigh::are_of_few_bits(&sample, order))
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

/// The verdict on one component.
fn one(bytes: &[u8], size: usize, component: &WideComponent, strides: &[u64]) -> Verdict {
    let sample = WordSample::take(bytes, size, component, strides);
    let declared = Some(component.declared);
    let Some(Weighed { order, grade, sentence }) =
        weigh::weigh(bytes, size, component, strides, &sample)
    else {
        let reason = sample.too_poor().unwrap_or_else(|| wording::undecided(&sample));
        return Verdict::abstention(declared, reason);
    };
    let evidence = wording::neighbours(&sample, order).into_iter().chain([sentence]).collect();
    let (plausible, certainty) = (Some(order), Some(grade));
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
