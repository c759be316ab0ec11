//! The lines of a file that anybody may have written: none is read further than a line of its kind can be long.

use super::prelude::*;
use std::{
    fs::File,
    io::{BufRead, BufReader},
};

/// The lines of a file, one after the other.
pub(super) struct BoundedLines<R>(BufReader<R>);

/// A line of a file.
#[derive(Debug)]
pub(super) struct FileLine {
    /// Its bytes, without the line feed.
    pub(super) bytes: Vec<u8>,
    /// True if a line feed ends it; the last line of a file may have none.
    pub(super) is_ended: bool,
}

impl BoundedLines<File> {
    /// The lines of the file at `path`.
    ///
    /// # Errors
    ///
    /// If it cannot be opened.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        File::open(path).map(Self::of)
    }
}

impl<R: Read> BoundedLines<R> {
    /// The lines of what `source` gives.
    pub(super) fn of(source: R) -> Self {
        Self(BufReader::new(source))
    }

    /// The next line; `None` at the end.
    ///
    /// # Errors
    ///
    /// If it is longer than `most` bytes, of which no more are read, or the file cannot be read.
    pub(super) fn next(&mut self, most: u64) -> io::Result<Option<FileLine>> {
        let mut bytes = Vec::new();
        self.0.by_ref().take(most.saturating_add(1)).read_until(b'\n', &mut bytes)?;
        let is_ended = bytes.pop_if(|byte| *byte == b'\n').is_some();
        if bytes.len() as u64 > most {
            let text = format!("a line of more than {}", size(most));
            return Err(io::Error::new(io::ErrorKind::InvalidData, text));
        }
        Ok((is_ended || !bytes.is_empty()).then_some(FileLine { bytes, is_ended }))
    }

    /// True if there is no further line.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub(super) fn is_at_end(&mut self) -> io::Result<bool> {
        self.0.fill_buf().map(<[u8]>::is_empty)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// A source that never ends, and counts what was read of it.
    struct Endless<'a>(&'a Cell<usize>);

    impl Read for Endless<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            buffer.fill(b'0');
            self.0.set(self.0.get() + buffer.len());
            Ok(buffer.len())
        }
    }

    #[test]
    fn no_more_is_read_than_a_line_can_be() {
        let read = Cell::new(0);
        let error = BoundedLines::of(Endless(&read)).next(100_000).unwrap_err();
        assert!(error.to_string().contains("a line of more than"), "{error}");
        assert!((100_000..200_000).contains(&read.get()), "{}", read.get());
    }

    #[test]
    fn lines_come_with_their_ends() {
        let mut lines = BoundedLines::of(&b"ab\n\ncd"[..]);
        let mut next = || lines.next(2).unwrap().map(|line| (line.bytes, line.is_ended));
        assert_eq!(next(), Some((b"ab".to_vec(), true)));
        assert_eq!(next(), Some((Vec::new(), true)));
        assert_eq!(next(), Some((b"cd".to_vec(), false)));
        assert_eq!(next(), None);
    }
}
