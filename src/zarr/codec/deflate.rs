//! Raw deflate, which gzip and zlib wrap each in its way.

use super::{
    Context,
    output::{Output, piece},
};
use crate::zarr::error::{Error, Result};
use flate2::{Decompress, FlushDecompress, Status};

/// How much deflate can pack at best: 258 bytes in two bits, and a little for headers.
pub(super) const RATIO: usize = 1040;

/// Inflates `input` from `start` on, and gives where the compressed data ends.
///
/// # Errors
///
/// Where the data is damaged or ends early, with the offset in `input`; what had come out stays in `output`.
pub(super) fn inflate(
    input: &[u8],
    start: usize,
    output: &mut Output,
    context: &Context<'_>,
) -> Result<usize> {
    let mut state = Decompress::new(false);
    loop {
        output.grow(context)?;
        let at = start + usize::try_from(state.total_in()).unwrap_or(usize::MAX - start);
        let rest = piece(input, at);
        let room = output.bytes.len();
        let status = state.decompress_vec(rest, &mut output.bytes, FlushDecompress::None);
        let at = start + usize::try_from(state.total_in()).unwrap_or(usize::MAX - start);
        match status {
            Ok(Status::StreamEnd) => return Ok(at),
            Ok(_) if at >= input.len() && output.bytes.len() < output.bytes.capacity() => {
                return Err(truncated(input.len(), "deflate"));
            }
            Ok(_) if output.bytes.len() == room && room < output.bytes.capacity() => {
                return Err(corrupt(at, "deflate data that makes no progress".into()));
            }
            Ok(_) => {}
            Err(error) => return Err(corrupt(at, format!("damaged deflate data ({error})"))),
        }
    }
}

/// The error that compressed data ends before its end.
pub(super) fn truncated(len: usize, what: &str) -> Error {
    let found = format!("the end of the data after {len} bytes");
    Error::new("chunk-truncated", found, format!("the rest of the {what} stream"))
        .at_offset(len as u64)
}

/// The error that compressed data makes no sense at `at`.
pub(super) fn corrupt(at: usize, found: String) -> Error {
    Error::new("chunk-corrupt", found, "intact data").at_offset(at as u64)
}
