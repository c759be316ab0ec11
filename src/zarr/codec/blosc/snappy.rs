//! Buffers whose streams snappy compressed, for the C library, which is built without it.
//!
//! The format stores a stream that does not shrink as it is, and knows it by its length. So each stream is inflated
//! here, the buffer written again with them, and shuffles and blocks are left to the library.

use super::header::Header;
use crate::zarr::codec::byte_reader::ByteReader;

/// The buffer `source` with its streams uncompressed; `None` where one of them is damaged.
pub(super) fn unpacked(source: &[u8], header: &Header) -> Option<Vec<u8>> {
    let table = 4 * header.blocks() as usize;
    let mut offsets = Vec::new();
    let mut blocks = Vec::new();
    offsets.try_reserve_exact(table).ok()?;
    blocks.try_reserve(header.nbytes as usize).ok()?;
    let start = header.with_lz4(0).len() + table;
    for index in 0..header.blocks() {
        offsets.extend(u32::try_from(start + blocks.len()).ok()?.to_le_bytes());
        let (block, _) = header.block(source, index).ok()?;
        let streams = header.streams(index);
        let len = header.block_len(index).checked_div(streams)?;
        let mut fields = ByteReader::new(block, 0);
        for _ in 0..streams {
            let stored = fields.u32_le()?;
            inflate(fields.take(stored as usize)?, len, &mut blocks)?;
        }
    }
    let mut out = header.with_lz4(u32::try_from(start + blocks.len()).ok()?);
    out.try_reserve_exact(table + blocks.len()).ok()?;
    out.append(&mut offsets);
    out.append(&mut blocks);
    Some(out)
}

/// Appends the `len` bytes that `stream` stands for, their number before them.
fn inflate(stream: &[u8], len: u32, out: &mut Vec<u8>) -> Option<()> {
    let len_bytes = len as usize;
    out.try_reserve(4 + len_bytes).ok()?;
    out.extend(len.to_le_bytes());
    if stream.len() == len_bytes {
        out.extend_from_slice(stream);
        return Some(());
    }
    let from = out.len();
    out.resize(from + len_bytes, 0);
    let written = snap::raw::Decoder::new().decompress(stream, out.get_mut(from..)?).ok()?;
    (written == len_bytes).then_some(())
}
