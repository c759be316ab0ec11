//! The elements of a `.npy` file.

use crate::zarr::prelude::*;
use crate::zarr::{
    array::{Run, RunSource, Slab},
    data_type::PaddedBytes,
};
use std::io::{self, Write};

/// The number of elements of a chunk put into order in one go.
const PIECE: usize = 1 << 17;

/// Puts the bytes of elements into C order: each as it is stored where NumPy has the type, else as whoever views the
/// raw bytes as a type of their own expects it, little-endian and without bits that mean nothing.
#[derive(Debug)]
pub struct Body<'a> {
    size: usize,
    /// The fill value's bytes; without one, missing elements are zeros.
    fill: Option<PaddedBytes>,
    /// The data type and byte order of the bytes, where they are written again.
    anew: Option<(&'a dyn DataType, &'a ByteOrder)>,
}

/// The order of what is written again.
const LITTLE: ByteOrder = ByteOrder::All(Endian::Little);

impl<'a> Body<'a> {
    /// For elements of `data_type`, missing ones of which are `fill`; zeros where nobody knows.
    pub fn new(data_type: &'a dyn DataType, order: &'a ByteOrder, fill: Option<&Scalar>) -> Self {
        let is_native = data_type.numpy(order).is_some();
        let written = if is_native { order } else { &LITTLE };
        let fill = fill.and_then(|scalar| data_type.encode_padded(scalar, written).ok());
        let anew = (!is_native).then_some((data_type, order));
        Self { size: data_type.fixed_size().unwrap_or(1), fill, anew }
    }

    /// The bytes of missing elements; `None` where nobody knows them.
    pub fn fill(&self) -> Option<&PaddedBytes> {
        self.fill.as_ref()
    }

    /// True if nobody knows what missing elements are.
    pub fn lacks_fill(&self) -> bool {
        self.fill.is_none()
    }

    /// Appends the bytes of the elements `wanted` of `slab`, counted in C order, to `out`.
    pub fn render(&self, slab: &Slab, wanted: Range<u64>, out: &mut Vec<u8>) {
        let count = usize::try_from(wanted.end - wanted.start).unwrap_or(0);
        out.reserve(count * self.size);
        slab.runs(wanted, &mut |run| self.copy(&run, out));
    }

    fn copy(&self, run: &Run, out: &mut Vec<u8>) {
        let size = self.size as u64;
        match run.source {
            RunSource::Stored(elements, from, 1) => {
                let bytes = elements.bytes().get(from * size..(from + run.count) * size);
                self.put(bytes, run.count, out);
            }
            RunSource::Stored(elements, from, step) => {
                for position in (0..run.count).map(|at| from + at * step) {
                    self.put(elements.bytes().get(elements.byte_range(position)), 1, out);
                }
            }
            RunSource::Fill | RunSource::Unreadable => self.put(None, run.count, out),
        }
    }

    /// The bytes, or where there are none the fill value `count` times.
    fn put(&self, bytes: Option<&[u8]>, count: u64, out: &mut Vec<u8>) {
        match (bytes, &self.fill) {
            (Some(bytes), _) => match self.anew {
                None => out.extend_from_slice(bytes),
                Some((data_type, order)) => {
                    for bytes in bytes.chunks(self.size) {
                        let value = data_type.decode(bytes, order);
                        let anew = value.and_then(|value| data_type.encode(&value, &LITTLE));
                        out.extend_from_slice(anew.as_deref().unwrap_or(bytes));
                    }
                }
            },
            (None, Some(fill)) => fill.append(count, out),
            (None, None) => {
                out.resize(out.len() + usize::try_from(count).unwrap_or(0) * self.size, 0);
            }
        }
    }
}

/// Writes the elements of a decoded chunk that are inside the array to `out`, the file at `path`.
///
/// # Errors
///
/// If the chunk has no elements, only some of them are loaded, they vary in length, or the file cannot be written.
pub fn save(chunk: &Chunk, path: &Path, out: &mut dyn Write) -> Result<()> {
    let slab = Slab::of_chunk(chunk.clone());
    let elements = match slab.pieces() {
        [(_, PieceData::Stored(elements))] => elements,
        [(_, PieceData::Unreadable(error))] => return Err(error.clone()),
        _ => {
            return Err(Error::new(
                Code::InvalidArgument,
                "a chunk that is not stored",
                "elements",
            ));
        }
    };
    let shape = lengths(&chunk.region);
    let data_type = elements.data_type().as_ref();
    let head = super::head(data_type, elements.order(), &shape)?;
    if elements.bytes().as_whole().is_none() {
        let found = "a chunk of which only a part is loaded";
        return Err(Error::new(Code::TooLarge, found, "a chunk that fits in memory")
            .with_fix("`zarrscope export` streams chunks of any size."));
    }
    let body = Body::new(data_type, elements.order(), None);
    write(&head.bytes, &slab, &body, out).map_err(|error| Error::unwritable(path, &error))
}

fn write(head: &[u8], slab: &Slab, body: &Body, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(head)?;
    let mut bytes = Vec::new();
    for start in (0..slab.len()).step_by(PIECE) {
        bytes.clear();
        body.render(slab, start..(start + PIECE as u64).min(slab.len()), &mut bytes);
        out.write_all(&bytes)?;
    }
    Ok(())
}
