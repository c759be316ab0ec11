//! The bytes of one element of a type whose elements may be long and say little: made by repetition, never held whole.

use crate::zarr::error::{Code, Error, Result};
use std::convert::Infallible;

/// A scalar holds at most this many bytes of padding. A dtype may claim elements of 2 GiB in twelve characters; no
/// default scalar or fill value takes that memory.
pub(super) const MAX_HELD: usize = 16 << 20;

/// The number of bytes that are made at a time.
const PIECE: usize = 1 << 16;

/// The bytes of an element: those that it begins with, and zeros after them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PaddedBytes {
    /// The bytes that it begins with.
    pub start: Vec<u8>,
    /// The number of zeros after them.
    pub zeros: usize,
}

impl From<Vec<u8>> for PaddedBytes {
    fn from(start: Vec<u8>) -> Self {
        Self { start, zeros: 0 }
    }
}

impl PaddedBytes {
    /// `start` with zeros up to `len` bytes.
    ///
    /// # Errors
    ///
    /// If `start` is longer.
    pub fn new(start: Vec<u8>, len: usize) -> Result<Self> {
        let found = start.len();
        let zeros = len.checked_sub(found).ok_or_else(|| {
            let expected = format!("at most {len} bytes");
            Error::new(Code::OtherDataType, format!("{found} bytes"), expected)
        })?;
        Ok(Self { start, zeros })
    }

    /// The number of bytes.
    pub fn len(&self) -> usize {
        self.start.len().saturating_add(self.zeros)
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// These bytes and then `next`.
    pub fn then(mut self, next: &Self) -> Self {
        if next.start.iter().all(|byte| *byte == 0) {
            self.zeros = self.zeros.saturating_add(next.len());
            return self;
        }
        self.start.resize(self.len(), 0);
        self.start.extend_from_slice(&next.start);
        Self { zeros: next.zeros, ..self }
    }

    /// All of the bytes.
    ///
    /// # Errors
    ///
    /// If there are more zeros than are worth their memory.
    pub fn whole(mut self) -> Result<Vec<u8>> {
        if self.zeros > MAX_HELD {
            let found = format!("{} bytes, {} of them padding", self.len(), self.zeros);
            let expected = format!("at most {MAX_HELD} bytes of padding");
            return Err(Error::new(Code::OtherDataType, found, expected));
        }
        self.start.resize(self.len(), 0);
        Ok(self.start)
    }

    /// All of the bytes where they are few, else those before the zeros.
    pub fn held(mut self) -> Vec<u8> {
        if self.zeros <= PIECE {
            self.start.resize(self.len(), 0);
        }
        self.start
    }

    /// Gives the bytes of `count` such elements to `sink`, a piece at a time.
    ///
    /// # Errors
    ///
    /// Those of `sink`.
    pub fn repeated<E>(
        &self,
        count: u64,
        sink: &mut dyn FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let len = self.len().max(1);
        if len > PIECE {
            return (0..count).try_for_each(|_| self.once(sink));
        }
        let mut one = self.start.clone();
        one.resize(self.len(), 0);
        let at_a_time = (PIECE / len) as u64;
        let many = one.repeat(usize::try_from(at_a_time.min(count)).unwrap_or(1));
        (0..count / at_a_time).try_for_each(|_| sink(&many))?;
        let rest = usize::try_from(count % at_a_time).unwrap_or(0) * one.len();
        many.get(..rest).map_or(Ok(()), sink)
    }

    /// Gives the bytes of one long element to `sink`.
    fn once<E>(&self, sink: &mut dyn FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        let zeros = vec![0; PIECE];
        self.start.chunks(PIECE).try_for_each(&mut *sink)?;
        (0..self.zeros / PIECE).try_for_each(|_| sink(&zeros))?;
        zeros.get(..self.zeros % PIECE).map_or(Ok(()), sink)
    }

    /// Appends the bytes of `count` such elements.
    pub fn append(&self, count: u64, out: &mut Vec<u8>) {
        let Ok(()) = self.repeated::<Infallible>(count, &mut |piece| {
            out.extend_from_slice(piece);
            Ok(())
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_the_bytes_of_all_elements() {
        for (start, len) in
            [(0, 1), (3, 3), (3, 10), (0, PIECE), (5, 3 * PIECE + 7), (PIECE + 9, 2 * PIECE)]
        {
            let start: Vec<u8> = (1..=255).cycle().take(start).collect();
            let padded = PaddedBytes::new(start.clone(), len).unwrap();
            let mut one = start;
            one.resize(len, 0);
            for count in [0, 1, 2, 7] {
                let (mut out, mut longest) = (Vec::new(), 0);
                let Ok(()) = padded.repeated::<Infallible>(count, &mut |piece| {
                    longest = longest.max(piece.len());
                    out.extend_from_slice(piece);
                    Ok(())
                });
                assert!(longest <= PIECE, "{longest}");
                assert_eq!(out, one.repeat(usize::try_from(count).unwrap()), "{len} {count}");
            }
        }
    }
}
