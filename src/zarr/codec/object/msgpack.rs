//! Reading `MessagePack`: one value after the other, never further than the bytes go. By hand because views show which
//! bytes each object is, which crates that read `MessagePack` do not tell.

use super::{float, null};
use crate::zarr::codec::prelude::*;

/// The depth to which arrays and maps may be nested.
const MAX_DEPTH: usize = 200;

/// The head of a value.
#[derive(Clone, Copy)]
pub(in super::super) enum MsgpackHead {
    Nil,
    Bool(bool),
    Int(i64),
    Uint(u64),
    Float(f64),
    /// Text of so many bytes.
    Text(usize),
    /// Bytes.
    Bytes(usize),
    /// An extension: its type, and how many bytes it has.
    Extension(i8, usize),
    /// So many values.
    Array(usize),
    /// So many keys and values.
    Map(usize),
}

/// Values being read.
pub(in super::super) struct MsgpackReader<'a> {
    bytes: &'a [u8],
    fields: ByteReader<'a>,
}

impl<'a> MsgpackReader<'a> {
    pub(in super::super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, fields: ByteReader::new(bytes, 0) }
    }

    /// The offset of the next value.
    pub(in super::super) fn at(&self) -> usize {
        self.fields.at()
    }

    fn cut(&self) -> Error {
        truncated(self.bytes.len(), "MessagePack")
    }

    /// Reads the head of the next value.
    ///
    /// # Errors
    ///
    /// At the end, and for the one byte that begins no value.
    pub(in super::super) fn head(&mut self) -> Result<MsgpackHead> {
        let at = self.at();
        let first = self.fields.u8().ok_or_else(|| self.cut())?;
        let low = |bits: u8| usize::from(first & bits);
        Ok(match first {
            0x00..=0x7f => MsgpackHead::Int(first.into()),
            0x80..=0x8f => MsgpackHead::Map(low(15)),
            0x90..=0x9f => MsgpackHead::Array(low(15)),
            0xa0..=0xbf => MsgpackHead::Text(low(31)),
            0xc0 => MsgpackHead::Nil,
            0xc1 => {
                return Err(corrupt(at, "the byte 0xc1, which MessagePack does not use".into()));
            }
            0xc2 | 0xc3 => MsgpackHead::Bool(first == 0xc3),
            0xe0..=0xff => MsgpackHead::Int(first.cast_signed().into()),
            _ => self.long(first).ok_or_else(|| self.cut())?,
        })
    }

    /// The heads that are longer than a byte.
    fn long(&mut self, first: u8) -> Option<MsgpackHead> {
        let signed = |value: u64, bits: u32| (value << (64 - bits)).cast_signed() >> (64 - bits);
        Some(match first {
            0xc4..=0xc6 => MsgpackHead::Bytes(self.length(first - 0xc4)?),
            0xc7..=0xc9 => {
                let length = self.length(first - 0xc7)?;
                MsgpackHead::Extension(self.fields.u8()?.cast_signed(), length)
            }
            0xca => MsgpackHead::Float(f32::from_bits(u32::try_from(self.number(4)?).ok()?).into()),
            0xcb => MsgpackHead::Float(f64::from_bits(self.number(8)?)),
            0xcc..=0xcf => MsgpackHead::Uint(self.number(1 << (first - 0xcc))?),
            0xd0..=0xd3 => {
                let size = 1 << (first - 0xd0);
                MsgpackHead::Int(signed(self.number(size)?, u32::try_from(size).ok()? * 8))
            }
            0xd4..=0xd8 => {
                MsgpackHead::Extension(self.fields.u8()?.cast_signed(), 1 << (first - 0xd4))
            }
            0xd9..=0xdb => MsgpackHead::Text(self.length(first - 0xd9)?),
            0xdc | 0xdd => MsgpackHead::Array(self.length(first - 0xdc + 1)?),
            _ => MsgpackHead::Map(self.length(first.checked_sub(0xde)? + 1)?),
        })
    }

    /// A length of 1, 2 or 4 bytes, as `step` says (0, 1, 2).
    fn length(&mut self, step: u8) -> Option<usize> {
        usize::try_from(self.number(1 << step)?).ok()
    }

    /// A big-endian number of so many bytes.
    fn number(&mut self, size: usize) -> Option<u64> {
        let bytes = self.fields.take(size)?;
        Some(bytes.iter().fold(0, |value, &byte| value << 8 | u64::from(byte)))
    }

    /// Passes over the next value, however deep it is, and gives its bytes.
    ///
    /// # Errors
    ///
    /// If it is not all there.
    pub(in super::super) fn skip(&mut self) -> Result<Range<u64>> {
        let start = self.at() as u64;
        let mut left = 1_usize;
        while left > 0 {
            let inside = match self.head()? {
                MsgpackHead::Text(len)
                | MsgpackHead::Bytes(len)
                | MsgpackHead::Extension(_, len) => {
                    self.take(len)?;
                    0
                }
                MsgpackHead::Array(count) => count,
                MsgpackHead::Map(count) => count.saturating_mul(2),
                _ => 0,
            };
            left = (left - 1).saturating_add(inside);
            // Every value takes a byte at least.
            if left > self.bytes.len() - self.at() {
                return Err(self.cut());
            }
        }
        Ok(start..self.at() as u64)
    }

    /// Reads the next value.
    ///
    /// # Errors
    ///
    /// If it is damaged, cut, or nested too deep.
    pub(in super::super) fn scalar(&mut self, raw: bool, depth: usize) -> Result<Scalar> {
        if depth > MAX_DEPTH {
            return Err(too_deep(self.at()));
        }
        Ok(match self.head()? {
            MsgpackHead::Nil => null(),
            MsgpackHead::Bool(value) => Scalar::Bool(value.into()),
            MsgpackHead::Int(value) => Scalar::Int(value),
            MsgpackHead::Uint(value) => {
                i64::try_from(value).map_or(Scalar::Uint(value), Scalar::Int)
            }
            MsgpackHead::Float(value) => float(value),
            MsgpackHead::Text(len) if !raw => Scalar::Text(self.take(len)?.into()),
            MsgpackHead::Text(len) | MsgpackHead::Bytes(len) => {
                Scalar::Bytes(self.take(len)?.into())
            }
            MsgpackHead::Extension(kind, len) => {
                let text = format!("extension {kind} of {len} bytes");
                Scalar::Custom { bytes: self.take(len)?.into(), text: text.into() }
            }
            MsgpackHead::Array(count) => {
                // Grows with what comes: lists in lists may each promise all that is left.
                let items = (0..count).map(|_| self.scalar(raw, depth + 1));
                Scalar::List(items.collect::<Result<Vec<_>>>()?.into())
            }
            MsgpackHead::Map(count) => Scalar::Struct(self.members(raw, depth, count)?.into()),
        })
    }

    fn members(&mut self, raw: bool, depth: usize, count: usize) -> Result<Vec<(String, Scalar)>> {
        let mut members = Vec::new();
        for _ in 0..count {
            let key = match self.scalar(raw, depth + 1)? {
                Scalar::Text(text) | Scalar::Bytes(text) => String::from_utf8_lossy(&text).into(),
                other => other.to_string(),
            };
            members.push((key, self.scalar(raw, depth + 1)?));
        }
        Ok(members)
    }

    fn take(&mut self, len: usize) -> Result<&'a [u8]> {
        self.fields.take(len).ok_or_else(|| self.cut())
    }
}

fn too_deep(at: usize) -> Error {
    let found = format!("values nested deeper than {MAX_DEPTH}");
    let error = Error::new(Code::NestedTooDeep, found, format!("at most {MAX_DEPTH} levels"));
    error.at_offset(at as u64)
}

/// The one value that `bytes` are.
///
/// # Errors
///
/// If they are none.
pub(super) fn scalar(bytes: &[u8], raw: bool) -> Result<Scalar> {
    MsgpackReader::new(bytes).scalar(raw, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_value_is_read() {
        let one = |bytes: &[u8]| scalar(bytes, false).unwrap();
        assert_eq!(one(&[0x05]), Scalar::Int(5));
        assert_eq!(one(&[0xff]), Scalar::Int(-1));
        assert_eq!(one(&[0xd1, 0xff, 0x00]), Scalar::Int(-256));
        assert_eq!(one(&[0xcd, 0x01, 0x00]), Scalar::Int(256));
        assert_eq!(one(&[0xcf, 255, 255, 255, 255, 255, 255, 255, 255]), Scalar::Uint(u64::MAX));
        assert_eq!(one(&[0xca, 0x3f, 0x80, 0, 0]), float(1.0));
        assert_eq!(one(&[0xa2, b'h', b'i']), Scalar::Text((*b"hi").into()));
        assert_eq!(one(&[0xc4, 1, 9]), Scalar::Bytes([9].into()));
        assert_eq!(one(&[0x92, 0xc0, 0xc3]), Scalar::List([null(), Scalar::Bool(1)].into()));
        assert_eq!(
            one(&[0x81, 0xa1, b'a', 1]),
            Scalar::Struct([("a".into(), Scalar::Int(1))].into())
        );
        assert!(scalar(&[0xdd, 255, 255, 255, 255], false).is_err());
        assert!(scalar(&[0x91; 10_000], false).is_err());
        let mut deep = vec![0x91; 10_000];
        deep.push(0);
        assert_eq!(MsgpackReader::new(&deep).skip().unwrap(), 0..10_001);
    }
}
