//! `bitround` of numcodecs: floats (in V3 integers too) whose low bits were rounded away.

use super::other_format::kept;
use super::prelude::*;

/// Of the rounding there is nothing to undo.
#[derive(Debug)]
struct Bitround {
    kind: CodecKind,
    keepbits: u64,
}

pub(super) static BITROUND: CodecRow = CodecRow {
    v3: &["bitround", "numcodecs.bitround"],
    registered: true,
    v2: &["bitround"],
    members: &["keepbits"],
    lesson: "Rounds to the given number of mantissa bits. The rounding is permanent; decoding changes nothing.",
    to_v2: |spec, _| InV2::codec("bitround", [kept(spec, "keepbits", Json::NULL)]),
    ..CodecRow::new(CodecKind::ArrayToArray, bitround)
};

fn bitround(setup: &Setup) -> Built {
    let keepbits = setup.required("keepbits", setup.number("keepbits")?)?;
    let kind = setup.kind(CodecKind::ArrayToArray);
    built(Bitround { kind, keepbits })
}

impl Codec for Bitround {
    fn kind(&self) -> CodecKind {
        self.kind
    }

    fn encoded_size(&self, decoded: ByteCount) -> ByteCount {
        decoded
    }

    fn decode(&self, context: &Context) -> Result<Outcome> {
        Ok(Outcome::output(context.input.clone()))
    }

    /// In V2 the bytes are taken for elements of the array's data type, which a filter before this one may not change.
    fn encode(&self, context: &Context) -> Result<Data> {
        let array = context.array()?;
        let round = |bytes: &[u8], numeric: &Numeric| -> Result<Vec<u8>> {
            let mut out = room(bytes.len())?;
            for bytes in bytes.chunks_exact(numeric.size) {
                let bits = element::number(bytes, numeric.endian);
                numeric.push(rounded(bits, numeric, self.keepbits), &mut out);
            }
            Ok(out)
        };
        if let Some(elements) = context.input.elements() {
            let elements = elements.in_c_order()?;
            let numeric = Numeric::require(elements.data_type().as_ref(), elements.order())?;
            let bytes = round(&elements.c_order()?, &numeric)?;
            return Ok(Data::Elements(elements.over(Bytes::whole(bytes))));
        }
        let numeric = Numeric::require(array.data_type.as_ref(), &array.order)?;
        let bytes = context.whole()?;
        if array.byte_len() != Some(bytes.len() as u64) {
            let found = format!("{} before bitround", byte_count(bytes.len()));
            let expected = format!("elements of {}", array.data_type.name());
            return Err(Error::new(Code::CodecDataType, found, expected));
        }
        Ok(Data::whole(round(bytes, &numeric)?))
    }

    fn is_elementwise(&self) -> bool {
        true
    }
}

/// `bits` with so many bits kept: of the mantissa of a float, or of an integer from its highest set bit on. To the nearest,
/// ties to even; NaN and infinity stay, and so does an integer that would leave its range.
fn rounded(bits: u64, numeric: &Numeric, keepbits: u64) -> u64 {
    let size = u32::try_from(numeric.size * 8).unwrap_or(64);
    let all = u64::MAX >> (64 - size);
    let (sign, magnitude, digits, most) = match numeric.kind {
        NumberKind::Float(format) if Float::new(bits, format).to_f64().is_finite() => {
            (bits & format.sign_mask(), bits & !format.sign_mask(), format.mantissa_bits, all)
        }
        NumberKind::Bool | NumberKind::Float(_) => return bits,
        NumberKind::Uint(_) => (0, bits, 64 - bits.leading_zeros(), all),
        NumberKind::Int(width) => {
            let value = (bits << (64 - width)).cast_signed() >> (64 - width);
            let magnitude = value.unsigned_abs();
            (u64::from(value < 0), magnitude, 64 - magnitude.leading_zeros(), all >> 1)
        }
    };
    let dropped = u64::from(digits).saturating_sub(keepbits);
    if dropped == 0 {
        return bits;
    }
    let unit = u128::from(magnitude) >> dropped;
    let half = (1_u128 << (dropped - 1)) - 1 + (unit & 1);
    let kept = (u128::from(magnitude) + half) >> dropped << dropped;
    let Some(kept) = u64::try_from(kept).ok().filter(|&kept| kept <= most) else { return bits };
    match numeric.kind {
        NumberKind::Int(_) if sign == 1 => kept.wrapping_neg() & all,
        NumberKind::Int(_) => kept,
        _ => sign | kept,
    }
}
