//! Elements in one form, whatever the array's format, chunks, codecs and byte order: what comparing and digests go by.
//!
//! Elements of one size are their bytes, little-endian, bits without a meaning cleared. Elements of variable length are
//! their number of bytes, in 8 bytes, little-endian, and then these.

use super::prelude::*;
use super::{
    array::{Run, RunSource, Slab},
    data_type::{Native, PaddedBytes},
};

const LITTLE: ByteOrder = ByteOrder::All(Endian::Little);

/// The way from the stored bytes of an element to its canonical ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum How {
    /// They are.
    AsStored,
    /// Words of so many bytes are byte-swapped.
    Swapped(usize),
    /// By decoding and encoding each.
    Anew,
    /// The same, with the length before it.
    Varying,
}

/// Puts elements of one array into their canonical form.
#[derive(Debug)]
pub struct Canonical<'a> {
    data_type: &'a dyn DataType,
    order: &'a ByteOrder,
    how: How,
    fill: Option<PaddedBytes>,
}

/// The canonical form of elements that follow each other.
#[derive(Debug, Default)]
pub struct Rendered {
    /// Their bytes, one after the other.
    pub bytes: Vec<u8>,
    /// The end of each element, for elements of variable length.
    ends: Vec<usize>,
    /// Those that nobody can tell, by number: in chunks that cannot be read, or missing and without a fill value. Their
    /// bytes are zeros.
    pub unknown: Vec<Range<u64>>,
    count: u64,
}

impl Rendered {
    /// Forgets all elements and keeps the memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
        self.unknown.clear();
        self.count = 0;
    }

    /// The bytes of element `at`, elements of fixed size having `size` of them.
    pub fn element(&self, at: usize, size: Option<usize>) -> &[u8] {
        let range = if let Some(size) = size {
            at * size..(at + 1) * size
        } else {
            let start = at.checked_sub(1).and_then(|before| self.ends.get(before));
            start.copied().unwrap_or(0)..self.ends.get(at).copied().unwrap_or(0)
        };
        self.bytes.get(range).unwrap_or_default()
    }
}

impl<'a> Canonical<'a> {
    /// For elements of `data_type` in `order`, missing ones of which are `fill`.
    pub fn new(data_type: &'a dyn DataType, order: &'a ByteOrder, fill: Option<&Scalar>) -> Self {
        let how = how(data_type, order);
        let mut canonical = Self { data_type, order, how, fill: None };
        canonical.fill = fill.and_then(|fill| {
            let encoded = data_type.encode_padded(fill, &LITTLE).ok()?;
            if how != How::Varying {
                return Some(encoded);
            }
            let mut bytes = Vec::new();
            canonical.push(&encoded.held(), &mut bytes);
            Some(bytes.into())
        });
        canonical
    }

    /// The canonical bytes of missing elements; `None` where these are not known.
    pub fn fill(&self) -> Option<&PaddedBytes> {
        self.fill.as_ref()
    }

    /// The number of bytes of an element; `None` if it varies.
    pub fn size(&self) -> Option<usize> {
        self.data_type.fixed_size()
    }

    /// Appends the elements `wanted` of `slab`, counted in C order.
    pub fn render(&self, slab: &Slab, wanted: Range<u64>, out: &mut Rendered) {
        if let Some(size) = self.size() {
            out.bytes.reserve(usize::try_from(wanted.end - wanted.start).unwrap_or(0) * size);
        }
        slab.runs(wanted, &mut |run| self.append(&run, out));
    }

    fn append(&self, run: &Run, out: &mut Rendered) {
        let first = out.count;
        out.count += run.count;
        match run.source {
            RunSource::Stored(elements, from, 1) if self.how != How::Varying => {
                let size = self.size().unwrap_or(1) as u64;
                let bytes = elements.bytes().get(from * size..(from + run.count) * size);
                match bytes {
                    Some(bytes) => self.put(bytes, &mut out.bytes),
                    None => self.put_unknown(first..out.count, out),
                }
            }
            RunSource::Stored(elements, from, step) => {
                for at in 0..run.count {
                    // Of a chunk whose elements take no bytes there may be more than can be counted.
                    let position = from.saturating_add(at.saturating_mul(step));
                    let bytes = if self.how == How::Varying {
                        let value = elements.value(position).and_then(Result::ok);
                        value.and_then(|value| self.data_type.encode(&value, &LITTLE).ok())
                    } else {
                        elements.bytes().get(elements.byte_range(position)).map(<[u8]>::to_vec)
                    };
                    match bytes {
                        Some(bytes) if self.how == How::Varying => {
                            self.push(&bytes, &mut out.bytes);
                        }
                        Some(bytes) => self.put(&bytes, &mut out.bytes),
                        None => self.put_unknown(first + at..first + at + 1, out),
                    }
                    self.end(out);
                }
            }
            RunSource::Fill => match &self.fill {
                Some(fill) if self.how == How::Varying => (0..run.count).for_each(|_| {
                    fill.append(1, &mut out.bytes);
                    self.end(out);
                }),
                Some(fill) => fill.append(run.count, &mut out.bytes),
                None => self.put_unknown(first..out.count, out),
            },
            RunSource::Unreadable => self.put_unknown(first..out.count, out),
        }
    }

    /// Notes where an element of variable length ends.
    fn end(&self, out: &mut Rendered) {
        if self.how == How::Varying {
            out.ends.push(out.bytes.len());
        }
    }

    fn put_unknown(&self, which: Range<u64>, out: &mut Rendered) {
        let count = usize::try_from(which.end - which.start).unwrap_or(0);
        match self.size() {
            Some(size) => out.bytes.resize(out.bytes.len() + count * size, 0),
            None => out.ends.resize(out.ends.len() + count, out.bytes.len()),
        }
        out.unknown.push(which);
    }

    /// Appends the canonical bytes of one encoded, little-endian element.
    fn push(&self, bytes: &[u8], out: &mut Vec<u8>) {
        if self.how == How::Varying {
            out.extend((bytes.len() as u64).to_le_bytes());
        }
        out.extend_from_slice(bytes);
    }

    /// Appends the canonical bytes of elements of fixed size.
    fn put(&self, bytes: &[u8], out: &mut Vec<u8>) {
        match self.how {
            How::AsStored | How::Varying => out.extend_from_slice(bytes),
            How::Swapped(word) => {
                let from = out.len();
                out.extend_from_slice(bytes);
                let bytes = out.get_mut(from..).unwrap_or_default();
                match word {
                    2 => swap::<2>(bytes),
                    4 => swap::<4>(bytes),
                    8 => swap::<8>(bytes),
                    _ => bytes.chunks_exact_mut(word).for_each(<[u8]>::reverse),
                }
            }
            How::Anew => {
                for bytes in bytes.chunks(self.size().unwrap_or(1).max(1)) {
                    let value = self.data_type.decode(bytes, self.order);
                    let anew = value.and_then(|value| self.data_type.encode(&value, &LITTLE));
                    out.extend_from_slice(anew.as_deref().unwrap_or(bytes));
                }
            }
        }
    }
}

/// Byte-swaps words of a length that the compiler knows.
fn swap<const N: usize>(bytes: &mut [u8]) {
    bytes.as_chunks_mut::<N>().0.iter_mut().for_each(|word| word.reverse());
}

fn how(data_type: &dyn DataType, order: &ByteOrder) -> How {
    let is_little = !data_type.has_byte_order() || order.uniform() == Some(Endian::Little);
    match (data_type.fixed_size(), data_type.native()) {
        (None, _) => How::Varying,
        (Some(_), Some(_)) if is_little => How::AsStored,
        (Some(size), Some(Native::C64 | Native::C128)) => How::Swapped(size / 2),
        (Some(size), Some(_)) => How::Swapped(size),
        (Some(_), None) if is_little && data_type.significant_bits().is_none() => How::AsStored,
        (Some(_), None) => How::Anew,
    }
}
