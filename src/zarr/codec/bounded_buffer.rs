//! The output of a decompressor: it grows as data arrives, and never past the limit.

use super::prelude::*;
use crate::zarr::budget::no_memory;
use std::{
    fmt::Display,
    io::{self, Write},
};

/// Room to grow into at first, where nothing better is known.
const FIRST: usize = 1 << 16;

/// The number of input bytes that a decompressor is given at a time: between two pieces it says how far it is, and can
/// be stopped.
const PIECE: usize = 4 << 20;

/// The next piece of `input` for a decompressor that is at offset `at`.
pub(super) fn piece(input: &[u8], at: usize) -> &[u8] {
    input.get(at..at.saturating_add(PIECE).min(input.len())).unwrap_or_default()
}

/// The output buffer of a decompressor, with a limit.
pub(super) struct BoundedBuffer {
    /// The output so far.
    pub(super) bytes: Vec<u8>,
    limit: usize,
}

impl BoundedBuffer {
    /// An empty output. Takes memory at once only for what the metadata promise, and of that no more than `input`
    /// bytes could possibly be unpacked to at `ratio` to 1.
    pub(super) fn new(context: &Context, input: usize, ratio: usize) -> Self {
        let limit = to_usize(context.budget.limit());
        let promised = context.expected.and_then(|n| usize::try_from(n).ok()).unwrap_or(FIRST);
        let possible = input.saturating_mul(ratio).saturating_add(FIRST);
        // One byte more than promised, so that a decoder that has more to give can show it.
        let first = promised.saturating_add(1).min(possible).min(limit.saturating_add(1));
        let mut bytes = Vec::new();
        // Where there is not so much memory, `grow` says so.
        bytes.try_reserve_exact(first).ok();
        Self { bytes, limit }
    }

    /// Makes room for more bytes.
    ///
    /// # Errors
    ///
    /// If the limit is reached, or the work has become pointless.
    pub(super) fn grow(&mut self, context: &Context) -> Result<(), Error> {
        if context.budget.is_stopped() {
            return Err(stopped());
        }
        context.budget.report(self.bytes.len() as u64, context.expected.unwrap_or(0));
        if self.bytes.len() > self.limit {
            return Err(too_large(context));
        }
        if self.bytes.len() == self.bytes.capacity() {
            let more = self.bytes.capacity().max(FIRST);
            let more = more.min(self.limit.saturating_add(1).saturating_sub(self.bytes.len()));
            self.bytes.try_reserve_exact(more).map_err(|_refused| no_memory(more))?;
        }
        Ok(())
    }

    /// The output, beside the error that ended it.
    pub(super) fn finish(mut self, result: Result<(), Error>) -> Outcome {
        self.bytes.truncate(self.limit);
        let output = Some(Data::whole(self.bytes));
        Outcome { output, error: result.err(), ..Outcome::default() }
    }
}

/// Decompresses the stream `name` that is in `input` from `start` on, and gives where it ends: `step` is given the next
/// piece and room for what comes of it, and says how many bytes it has taken so far and whether that was the end.
///
/// # Errors
///
/// If a step fails, as `fault` says it of the offset in `input`, or the stream ends early; what came out stays in `output`.
pub(super) fn decompress<E>(
    (name, input, start): (&str, &[u8], usize),
    output: &mut BoundedBuffer,
    context: &Context,
    mut step: impl FnMut(&[u8], &mut Vec<u8>) -> (u64, Result<bool, E>),
    fault: impl FnOnce(E, usize) -> Error,
) -> Result<usize, Error> {
    let mut at = start;
    loop {
        output.grow(context)?;
        let before = (at, output.bytes.len());
        let (taken, is_end) = step(piece(input, at), &mut output.bytes);
        at = start + usize::try_from(taken).unwrap_or(usize::MAX - start);
        match is_end {
            Ok(true) => return Ok(at),
            Err(error) => return Err(fault(error, at)),
            Ok(false) if (at, output.bytes.len()) != before => {}
            Ok(false) if at >= input.len() => return Err(truncated(input.len(), name)),
            Ok(false) => {
                return Err(corrupt(at, format!("{name} data that make no further progress")));
            }
        }
    }
}

/// Decodes streams that follow each other: `next` gives the start of the one after a place, and `one` decodes the one
/// that begins at a place and gives its end. A block for each, and the end of the last.
pub(super) fn streams(
    output: &mut BoundedBuffer,
    blocks: &mut Vec<Block>,
    next: impl Fn(usize) -> Option<usize>,
    mut one: impl FnMut(usize, &mut BoundedBuffer) -> Result<usize, Error>,
) -> Result<usize, Error> {
    let mut start = 0;
    loop {
        let came = output.bytes.len() as u64;
        let end = one(start, output)?;
        let output = came..output.bytes.len() as u64;
        blocks.push(Block { input: start as u64..end as u64, output, exact: false });
        match next(end) {
            Some(next) => start = next,
            None => return Ok(end),
        }
    }
}

/// The place `at` where another stream begins there.
pub(super) fn if_begins(input: &[u8], magic: &[u8], at: usize) -> Option<usize> {
    input.get(at..)?.starts_with(magic).then_some(at)
}

/// All of the input through `encoder`, which `finish` ends, piece by piece.
///
/// # Errors
///
/// If the encoder fails, or the work has become pointless.
pub(super) fn compressed<W: Write>(
    context: &Context,
    mut encoder: W,
    finish: impl FnOnce(W) -> io::Result<Vec<u8>>,
) -> Result<Data, Error> {
    for piece in context.whole()?.chunks(PIECE) {
        if context.budget.is_stopped() {
            return Err(stopped());
        }
        encoder.write_all(piece).map_err(not_compressed)?;
    }
    Ok(Data::whole(finish(encoder).map_err(not_compressed)?))
}

/// The error that a compressor fails.
pub(super) fn not_compressed(error: impl Display) -> Error {
    let found = format!("a compressor that fails ({error})");
    Error::new(Code::CodecConfiguration, found, "options that it accepts, and enough memory")
}

/// Room for `len` things that come out of a codec.
///
/// # Errors
///
/// If the codec may not give so much, or there is no memory for them.
pub(super) fn room_within<T>(context: &Context, len: usize) -> Result<Vec<T>, Error> {
    if len.saturating_mul(size_of::<T>()) as u64 > context.budget.limit() {
        return Err(too_large(context));
    }
    room(len)
}

/// The error that more comes out than may.
pub(super) fn too_large(context: &Context) -> Error {
    let found = format!("more than {} bytes", context.budget.limit());
    let (expected, fix) = match context.expected {
        Some(expected) if expected <= context.budget.limit() => {
            (format!("{}, from shape and data type", counted(expected, "byte")), None)
        }
        Some(expected) => (
            format!(
                "at most {} bytes (shape and data type give {expected})",
                context.budget.limit()
            ),
            Some("Raise the limit with --max-decoded."),
        ),
        None => (
            format!("at most {} bytes", context.budget.limit()),
            Some("Raise the limit with --max-decoded."),
        ),
    };
    let error = Error::new(Code::DecodedTooLarge, found, expected);
    fix.into_iter().fold(error, Error::with_fix)
}

/// The same, where a header says beforehand how many bytes would come.
pub(super) fn header_too_large(context: &Context, promised: u64, offset: u64) -> Error {
    let found = format!("a header that declares {promised} bytes");
    Error { found, ..too_large(context).at_offset(offset) }
}
