//! Reading the headers that codecs put before their data, without ever reaching after the end.

use super::HeaderField;

/// A position in bytes that are read field by field.
pub(super) struct ByteReader<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Where the bytes begin that no field of the header has yet.
    from: usize,
    /// The fields that were named.
    pub(super) header: Vec<HeaderField>,
}

impl<'a> ByteReader<'a> {
    pub(super) fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at, from: at, header: Vec::new() }
    }

    /// The offset of the next field.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Names what was read since the field before: a field of the header.
    pub(super) fn field(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.judged_field(name, value, None);
    }

    /// The same with what is wrong with it, if anything is.
    pub(super) fn judged_field(
        &mut self,
        name: impl Into<String>,
        value: impl Into<String>,
        problem: Option<String>,
    ) {
        let bytes = self.from as u64..self.at as u64;
        self.header.push(HeaderField { problem, ..HeaderField::new(bytes, name, value) });
        self.skip();
    }

    /// Leaves what was read since the field before without a name.
    pub(super) fn skip(&mut self) {
        self.from = self.at;
    }

    /// The next `len` bytes; `None` where there are fewer.
    pub(super) fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let end = self.at.checked_add(len)?;
        let out = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(out)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    pub(super) fn u8(&mut self) -> Option<u8> {
        self.array::<1>().map(|[byte]| byte)
    }

    pub(super) fn u16_be(&mut self) -> Option<u16> {
        self.array().map(u16::from_be_bytes)
    }

    pub(super) fn u16_le(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub(super) fn u32_le(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn u32_be(&mut self) -> Option<u32> {
        self.array().map(u32::from_be_bytes)
    }

    pub(super) fn u64_le(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// The bytes up to the next zero, which is passed over.
    pub(super) fn until_zero(&mut self) -> Option<&'a [u8]> {
        let rest = self.bytes.get(self.at..)?;
        let len = rest.iter().position(|&byte| byte == 0)?;
        self.at += len + 1;
        rest.get(..len)
    }
}
