//! The numeric filters of numcodecs: `astype`, `quantize`, `fixedscaleoffset`, and what they share with `delta`:
//! the same arithmetic in both formats, on a flat buffer of bytes in V2 and on elements in V3.
//!
//! In V2 the configuration says which data types the bytes are of; in V3 the chain does, and the configuration may
//! only agree: the byte order that it names is that of the writer's memory, not of the chunk.

use super::prelude::*;
use crate::zarr::scalar::float::{FLOAT16, FLOAT32};
use std::fmt::Debug;

/// The arithmetic of one filter.
pub(super) trait Arithmetic: Debug + Send + Sync + 'static {
    /// True if real numbers may become complex ones, and the other way round.
    const MIXES: bool = false;

    /// Undoes the filter for the numbers of `input`, a whole number of elements, and appends them to `out`. Called
    /// for one block after the other; `state` is what it left behind for itself.
    fn undo(&self, pass: &mut Pass, input: &[u8], out: &mut Vec<u8>);

    /// Applies the filter in the same way: here `from` is what the numbers are, and `to` what they are stored as.
    fn apply(&self, pass: &mut Pass, input: &[u8], out: &mut Vec<u8>);
}

/// The data types on both sides of a filter, and what it remembers from one block to the next.
pub(super) struct Pass<'a> {
    /// The numbers that come in: as stored where the filter is undone.
    pub(super) from: &'a Numeric,
    /// The numbers that go out.
    pub(super) to: &'a Numeric,
    /// The number of elements before the block.
    first: usize,
    /// The bits of the last element's numbers, as the filter wants to know them; empty at first.
    last: Vec<u64>,
}

/// The number that was refused, and the numbers that were expected.
pub(super) type Refused = (String, String);

impl Pass<'_> {
    /// Makes one number of each number of `input`.
    ///
    /// # Errors
    ///
    /// If there is none for one of them, with its place.
    pub(super) fn each(
        &self,
        input: &[u8],
        out: &mut Vec<u8>,
        undo: impl Fn(Number, &Numeric) -> Result<u64, Refused>,
    ) -> Result<()> {
        for (index, number) in (self.first..).zip(input.chunks_exact(self.from.size)) {
            let bits = undo(self.from.read(number), self.to).map_err(|(found, expected)| {
                let found = format!("{found} at element {index}");
                let at = (index * self.from.size) as u64;
                Error::new(Code::ChunkCorrupt, found, expected).at_offset(at)
            });
            self.to.push(bits?, out);
        }
        Ok(())
    }

    /// Makes one number of each number of `input`, as floats.
    fn each_float(&self, input: &[u8], out: &mut Vec<u8>, work: impl Fn(f64) -> f64) {
        for bytes in input.chunks_exact(self.from.size) {
            let value = work(self.from.read(bytes).to_f64());
            self.to.push(self.to.cast(Number::Float(value)), out);
        }
    }

    /// The bits of this part of the last element.
    pub(super) fn remembered(&self, part: usize) -> Option<u64> {
        self.last.get(part).copied()
    }

    /// Keeps the bits of a part for the next element.
    pub(super) fn remember(&mut self, part: usize, bits: u64) {
        match self.last.get_mut(part) {
            Some(last) => *last = bits,
            None => self.last.push(bits),
        }
    }
}

/// A filter for bytes (V2) or elements (V3).
#[derive(Debug)]
struct NumericFilter<A> {
    arithmetic: A,
    /// The data type before encoding, as the configuration says, or as the chain does.
    decoded: Resolved,
    /// The data type after encoding.
    encoded: Resolved,
    kind: CodecKind,
}

/// Builds a filter that stores data of type `encoded` for data of type `decoded`: the names of the members of the
/// configuration that say so. Where `encoded` is not said it is the same as `decoded`.
///
/// # Errors
///
/// If the configuration names no data types of numbers, or others than the array's.
pub(super) fn build<A: Arithmetic>(
    setup: &Setup,
    decoded: &str,
    encoded: &str,
    arithmetic: A,
) -> Built {
    let said = setup.dtype(decoded)?;
    let mut notes = Vec::new();
    let before = match setup.format {
        Format::V2 => setup.required(decoded, said.clone())?,
        Format::V3 => {
            let array = setup.array()?;
            if let Some(said) = &said {
                notes.extend(disagreement(setup, decoded, said)?);
            }
            Resolved::shared(Arc::clone(&array.data_type)).in_order(array.order.clone())
        }
    };
    let after = setup.dtype(encoded)?.unwrap_or_else(|| before.clone());
    let parts = |resolved: &Resolved| {
        Numeric::require(resolved.data_type.as_ref(), &resolved.order).map(|numeric| numeric.parts)
    };
    if parts(&before)? != parts(&after)? && !A::MIXES {
        let found = format!("{} stored as {}", before.data_type.name(), after.data_type.name());
        return Err(setup.fault(encoded, found, "both real or both complex"));
    }
    let kind = setup.kind(CodecKind::ArrayToArray);
    let filter = NumericFilter { arithmetic, decoded: before, encoded: after, kind };
    Ok(Flagged { value: Arc::new(filter), notes })
}

/// The note on a V3 configuration that names another data type than the array has before this codec.
fn disagreement(setup: &Setup, key: &str, said: &Resolved) -> Result<Option<Note>> {
    let array = setup.array()?;
    let (named, is) = (said.data_type.name(), array.data_type.name());
    if named == is {
        return Ok(None);
    }
    if said.data_type.item_size() != array.data_type.item_size() {
        return Err(setup.fault(key, named, format!("{is}, the array's data type at this point")));
    }
    let text = format!(
        "{} is {named}, but the array's data type at this point is {is}; it is read as {is}.",
        quoted(key)
    );
    Ok(Some(Note::new(Code::CodecOption, text)))
}

impl<A: Arithmetic> Codec for NumericFilter<A> {
    fn kind(&self) -> CodecKind {
        self.kind
    }

    fn encoded(&self, array: &Representation) -> Result<Representation> {
        let data_type = Arc::clone(&self.encoded.data_type);
        let order = data_type.default_order();
        Ok(Representation { data_type, order, fill: Arc::default(), ..array.clone() })
    }

    fn encoded_size(&self, decoded: ByteCount) -> ByteCount {
        let size = |resolved: &Resolved| resolved.data_type.fixed_size().unwrap_or(1) as u64;
        let (before, after) = (size(&self.decoded), size(&self.encoded));
        decoded.map(|len| (len / before).checked_mul(after))
    }

    fn stored_numbers(&self) -> Option<&Resolved> {
        Some(&self.encoded)
    }

    fn decode(&self, context: &Context) -> Result<Outcome> {
        let undo = |pass: &mut Pass, input: &[u8], out: &mut Vec<u8>| {
            self.arithmetic.undo(pass, input, out);
            Ok(())
        };
        self.run(context, &self.encoded, &self.decoded, undo)
    }

    fn encode(&self, context: &Context) -> Result<Data> {
        let apply = |pass: &mut Pass, input: &[u8], out: &mut Vec<u8>| {
            self.arithmetic.apply(pass, input, out);
            Ok(())
        };
        self.run(context, &self.decoded, &self.encoded, apply)?.whole()
    }

    fn is_elementwise(&self) -> bool {
        true
    }
}

impl<A: Arithmetic> NumericFilter<A> {
    /// Does `work` with numbers of `from`, which become numbers of `to`.
    fn run(
        &self,
        context: &Context,
        from: &Resolved,
        to: &Resolved,
        work: impl Fn(&mut Pass, &[u8], &mut Vec<u8>) -> Result<()>,
    ) -> Result<Outcome> {
        if self.kind == CodecKind::ArrayToArray {
            return elements(context, to, work);
        }
        let numeric =
            |resolved: &Resolved| Numeric::require(resolved.data_type.as_ref(), &resolved.order);
        let (from, to, mut bytes) = (numeric(from)?, numeric(to)?, Vec::new());
        let error = blocks(work, context.whole()?, &from, &to, context, &mut bytes).err();
        Ok(Outcome { error, ..Outcome::bytes(bytes) })
    }
}

/// Undoes or applies an element by element codec of V3, which gives elements of type `given`: `work` makes the bytes
/// from those in C order. What comes out has the byte order of what went in.
///
/// # Errors
///
/// If there are no elements, or they are no numbers.
pub(super) fn elements(
    context: &Context,
    given: &Resolved,
    work: impl Fn(&mut Pass, &[u8], &mut Vec<u8>) -> Result<()>,
) -> Result<Outcome> {
    let (elements, array) = (context.elements()?, context.array()?);
    let order = match elements.order() {
        all @ ByteOrder::All(_) if given.data_type.has_byte_order() => all.clone(),
        _ => given.data_type.default_order(),
    };
    let from = Numeric::require(elements.data_type().as_ref(), elements.order())?;
    let to = Numeric::require(given.data_type.as_ref(), &order)?;
    let mut bytes = Vec::new();
    let error = blocks(work, &elements.c_order()?, &from, &to, context, &mut bytes).err();
    let elements = Elements::new(
        Arc::clone(&given.data_type),
        order,
        array.shape.clone(),
        false,
        Places::Fixed(to.item_size()),
        Bytes::whole(bytes),
    );
    Ok(Outcome { error, ..Outcome::elements(elements) })
}

/// The number of elements that are done before it is asked whether the work still matters.
const BLOCK: usize = 1 << 16;

/// Does `work` with all of `input`, block by block, until something is in the way.
fn blocks(
    work: impl Fn(&mut Pass, &[u8], &mut Vec<u8>) -> Result<()>,
    input: &[u8],
    from: &Numeric,
    to: &Numeric,
    context: &Context,
    out: &mut Vec<u8>,
) -> Result<()> {
    let len = (input.len() / from.item_size()).saturating_mul(to.item_size());
    *out = room_within(context, len)?;
    let mut pass = Pass { from, to, first: 0, last: Vec::new() };
    for block in input.chunks(BLOCK * from.item_size()) {
        if context.budget.is_stopped() {
            return Err(stopped());
        }
        let whole = block.len() - block.len() % from.item_size();
        work(&mut pass, block.get(..whole).unwrap_or_default(), out)?;
        pass.first += BLOCK;
    }
    partial(input.len(), from.item_size()).map_or(Ok(()), Err)
}

/// The error for bytes that are no whole number of elements.
pub(super) fn partial(len: usize, size: usize) -> Option<Error> {
    let rest = len % size;
    (rest != 0).then(|| {
        let whole = len / size;
        let many = if whole == 1 { "" } else { "s" };
        let found = format!("{} ({whole} element{many} + {})", byte_count(len), byte_count(rest));
        let expected = format!("a whole number of elements of {}", byte_count(size));
        Error::new(Code::ChunkTruncated, found, expected).at_offset((len - rest) as u64)
    })
}

/// `astype`: a cast there and back.
#[derive(Debug)]
struct Cast;

pub(super) static ASTYPE: CodecRow = CodecRow {
    nanoseconds: 9,
    v3: &["numcodecs.astype"],
    v2: &["astype"],
    members: &["encode_dtype", "decode_dtype"],
    lesson: "Stores the values in another dtype and casts them back.",
    ..CodecRow::new(CodecKind::ArrayToArray, astype)
};

fn astype(setup: &Setup) -> Built {
    setup.needed("encode_dtype")?;
    build(setup, "decode_dtype", "encode_dtype", Cast)
}

impl Arithmetic for Cast {
    const MIXES: bool = true;

    fn undo(&self, pass: &mut Pass, input: &[u8], out: &mut Vec<u8>) {
        let (from, to) = (pass.from, pass.to);
        for element in input.chunks_exact(from.item_size()) {
            let mut numbers = element.chunks_exact(from.size);
            for _ in 0..to.parts {
                // A real number becomes a complex one without imaginary part; the other way round that part is lost.
                let bits = numbers.next().map_or(0, |bytes| to.cast(from.read(bytes)));
                to.push(bits, out);
            }
        }
    }

    fn apply(&self, pass: &mut Pass, input: &[u8], out: &mut Vec<u8>) {
        self.undo(pass, input, out);
    }
}

/// `quantize`: values rounded to multiples of 1 / scale, a power of two; of that there is nothing to undo.
#[derive(Debug)]
struct Quantize {
    scale: f64,
}

pub(super) static QUANTIZE: CodecRow = CodecRow {
    nanoseconds: 9,
    v3: &["numcodecs.quantize"],
    v2: &["quantize"],
    members: &["digits", "dtype", "astype"],
    lesson: "Rounds to the given number of decimals, to a step that is a power of two. The rounding is permanent; decoding \
             changes nothing.",
    ..CodecRow::new(CodecKind::ArrayToArray, quantize)
};

fn quantize(setup: &Setup) -> Built {
    let digits = setup.float("digits")?.unwrap_or(0.0);
    let scale = (digits * std::f64::consts::LOG2_10).ceil().exp2();
    build(setup, "dtype", "astype", Quantize { scale })
}

impl Arithmetic for Quantize {
    const MIXES: bool = true;

    fn undo(&self, pass: &mut Pass, input: &[u8], out: &mut Vec<u8>) {
        Cast.undo(pass, input, out);
    }

    fn apply(&self, pass: &mut Pass, input: &[u8], out: &mut Vec<u8>) {
        let round = rounding(pass.from);
        pass.each_float(input, out, |value| {
            round(round(value * self.scale).round_ties_even() / self.scale)
        });
    }
}

/// `fixedscaleoffset`: stores `round((x − offset) × scale)`, and gives `stored / scale + offset`.
#[derive(Debug)]
struct FixedScaleOffset {
    offset: f64,
    scale: f64,
}

pub(super) static FIXED_SCALE_OFFSET: CodecRow = CodecRow {
    nanoseconds: 9,
    v3: &["numcodecs.fixedscaleoffset"],
    v2: &["fixedscaleoffset"],
    members: &["offset", "scale", "dtype", "astype"],
    lesson: "Stores (value − offset) × scale, rounded, in another dtype. The rounding is permanent.",
    ..CodecRow::new(CodecKind::ArrayToArray, fixed_scale_offset)
};

fn fixed_scale_offset(setup: &Setup) -> Built {
    let offset = setup.required("offset", setup.float("offset")?)?;
    let scale = setup.required("scale", setup.float("scale")?)?;
    build(setup, "dtype", "astype", FixedScaleOffset { offset, scale })
}

impl Arithmetic for FixedScaleOffset {
    fn undo(&self, pass: &mut Pass, input: &[u8], out: &mut Vec<u8>) {
        // NumPy computes in the type of the stored floats, and in double precision for stored integers.
        let round = rounding(pass.from);
        let (scale, offset) = (round(self.scale), round(self.offset));
        pass.each_float(input, out, |stored| round(round(stored / scale) + offset));
    }

    fn apply(&self, pass: &mut Pass, input: &[u8], out: &mut Vec<u8>) {
        let round = rounding(pass.from);
        let (scale, offset) = (round(self.scale), round(self.offset));
        pass.each_float(input, out, |value| round(round(value - offset) * scale).round_ties_even());
    }
}

#[expect(clippy::cast_possible_truncation, reason = "rounding is what it is for")]
fn rounding(numeric: &Numeric) -> fn(f64) -> f64 {
    match numeric.kind {
        NumberKind::Float(format) if format == &FLOAT32 => |value| f64::from(value as f32),
        NumberKind::Float(format) if format == &FLOAT16 => {
            |value| half::f16::from_f64(value).to_f64()
        }
        _ => |value| value,
    }
}
