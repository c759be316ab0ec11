//! Numbers as filters compute with them: read from bytes, cast as C and NumPy do, and written again.

use super::prelude::*;
use crate::zarr::data_type::number::NUMBERS;

/// The layout of the numbers of a data type in bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Numeric {
    pub(super) kind: NumberKind,
    /// Bytes of one number.
    pub(super) size: usize,
    /// Numbers an element has: 2 for complex types.
    pub(super) parts: usize,
    pub(super) endian: Endian,
}

/// A number, exactly.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Number {
    Int(i128),
    Float(f64),
}

impl Numeric {
    /// The numbers of `data_type`: those of its primitive or its name. `None` where it has none.
    pub(super) fn of(data_type: &dyn DataType, order: &ByteOrder) -> Option<Self> {
        let (native, name) = (data_type.native(), data_type.name());
        let is_same = |row: &&FixedNumber| match native {
            Some(_) => row.native() == native,
            None => row.name() == name,
        };
        let (kind, size, parts) = NUMBERS.iter().find(is_same)?.numbers();
        Some(Self { kind, size, parts, endian: order.endian() })
    }

    /// The same with an error for data types without numbers.
    ///
    /// # Errors
    ///
    /// If `data_type` has none.
    pub(super) fn require(data_type: &dyn DataType, order: &ByteOrder) -> Result<Self> {
        Self::of(data_type, order).ok_or_else(|| {
            let found = format!("elements of {}", data_type.name());
            Error::new(Code::CodecDataType, found, "numbers")
        })
    }

    /// Bytes of one element.
    pub(super) fn item_size(&self) -> usize {
        self.size * self.parts
    }

    /// The number that `bytes` hold, one number long.
    pub(super) fn read(&self, bytes: &[u8]) -> Number {
        let raw = element::number(bytes, self.endian);
        match self.kind {
            NumberKind::Bool => Number::Int(i128::from(raw != 0)),
            NumberKind::Int(bits) => {
                let unused = 64 - bits;
                Number::Int(((raw << unused).cast_signed() >> unused).into())
            }
            NumberKind::Uint(bits) => Number::Int((raw & (u64::MAX >> (64 - bits))).into()),
            NumberKind::Float(format) => Number::Float(match (format.size, bytes) {
                (8, _) => f64::from_bits(raw),
                (4, &[a, b, c, d]) => {
                    let bytes =
                        if self.endian == Endian::Big { [d, c, b, a] } else { [a, b, c, d] };
                    f32::from_le_bytes(bytes).into()
                }
                _ => Float::new(raw, format).to_f64(),
            }),
        }
    }

    /// The number with these low bits.
    pub(super) fn number(&self, bits: u64) -> Number {
        let little = Self { endian: Endian::Little, ..*self };
        little.read(bits.to_le_bytes().get(..self.size).unwrap_or_default())
    }

    /// The low bits of `number` as C casts it: integers lose their upper bits, fractions are cut, floats are rounded.
    pub(super) fn cast(&self, number: Number) -> u64 {
        match (self.kind, number) {
            (NumberKind::Bool, Number::Int(value)) => u64::from(value != 0),
            (NumberKind::Bool, Number::Float(value)) => u64::from(value != 0.0),
            (NumberKind::Int(_) | NumberKind::Uint(_), Number::Int(value)) => low_bits(value),
            (NumberKind::Int(_) | NumberKind::Uint(_), Number::Float(value)) => truncated(value),
            (NumberKind::Float(format), number) => float_bits(format, number),
        }
    }

    /// Appends the number with these low bits.
    pub(super) fn push(&self, bits: u64, out: &mut Vec<u8>) {
        let bytes = bits.to_le_bytes();
        let bytes = bytes.get(..self.size).unwrap_or_default();
        match self.endian {
            Endian::Little => out.extend_from_slice(bytes),
            Endian::Big => out.extend(bytes.iter().rev()),
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the cast that drops the upper bits is the one that is meant"
)]
fn low_bits(value: i128) -> u64 {
    value as u64
}

/// A float cut to an integer. What fits no 64 bits is undefined in C; the value is the one x86 gives.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked before")]
fn truncated(value: f64) -> u64 {
    const TOP: f64 = 9_223_372_036_854_775_808.0;
    if (-TOP..TOP).contains(&value) {
        (value as i64).cast_unsigned()
    } else if (TOP..2.0 * TOP).contains(&value) {
        value as u64
    } else {
        i64::MIN.cast_unsigned()
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "rounding to the nearest is what a cast to a float means"
)]
fn float_bits(format: &'static FloatFormat, number: Number) -> u64 {
    match (format.name, number) {
        ("float32", Number::Int(value)) => (value as f32).to_bits().into(),
        ("float32", Number::Float(value)) => (value as f32).to_bits().into(),
        ("float64", Number::Int(value)) => (value as f64).to_bits(),
        ("float64", Number::Float(value)) => value.to_bits(),
        (_, number) => {
            let value = number.to_f64();
            Float::from_f64(value, format).map_or(0, |float| float.bits)
        }
    }
}

impl Number {
    /// The nearest `f64`.
    pub(super) fn to_f64(self) -> f64 {
        match self {
            Self::Int(value) => value as f64,
            Self::Float(value) => value,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numeric(name: &str) -> Numeric {
        let resolved = crate::zarr::DataTypes::default().from_numpy(name).unwrap();
        Numeric::of(resolved.data_type.as_ref(), &resolved.order).unwrap()
    }

    fn cast(from: &str, bytes: &[u8], to: &str) -> Vec<u8> {
        let to = numeric(to);
        let mut out = Vec::new();
        to.push(to.cast(numeric(from).read(bytes)), &mut out);
        out
    }

    #[test]
    fn casts_are_those_of_c() {
        assert_eq!(cast("<i2", &[0xff, 0xff], ">i4"), [0xff; 4]);
        assert_eq!(cast("<u2", &[0xff, 0xff], "<i4"), [0xff, 0xff, 0, 0]);
        assert_eq!(cast("<f4", &2.9_f32.to_le_bytes(), "|i1"), [2]);
        assert_eq!(cast("<f8", &(-2.9_f64).to_le_bytes(), "|u1"), [254]);
        assert_eq!(cast("<f8", &f64::NAN.to_le_bytes(), "|b1"), [1]);
        assert_eq!(cast("<f2", &[0, 0x3c], "<f8"), 1_f64.to_le_bytes());
        assert_eq!(
            cast("<u8", &u64::MAX.to_le_bytes(), "<f4"),
            18_446_744_073_709_551_615_f32.to_le_bytes()
        );
        assert_eq!(
            cast("<f8", &1e19_f64.to_le_bytes(), "<u8"),
            10_000_000_000_000_000_000_u64.to_le_bytes()
        );
    }
}
