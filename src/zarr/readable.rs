//! The readable part of the chunks, in a sentence: what was decoded, what cannot be, and what no checksum covers.

use super::prelude::*;

/// The stored chunks of an array, or of all arrays: how many can be read, as far as anybody has tried.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Readable {
    /// The number of chunks stored.
    pub chunks: u64,
    /// Those that were decoded.
    pub decoded: u64,
    /// Decoded chunks of which a checksum was compared.
    pub verified: u64,
    /// Those that cannot be decoded.
    pub unreadable: u64,
}

impl Readable {
    /// Those that somebody has tried to decode.
    pub const fn tried(self) -> u64 {
        self.decoded + self.unreadable
    }

    /// Those that nobody has tried to decode.
    const fn others(self) -> u64 {
        self.chunks.saturating_sub(self.tried())
    }

    /// The readable and the unreadable part, and that damage may be silent where there is no checksum; `None` where
    /// there are no chunks.
    pub fn sentence(self) -> Option<String> {
        let checksums = match self.decoded - self.verified.min(self.decoded) {
            _ if self.decoded == 0 => String::new(),
            0 => " Checksums match.".into(),
            all if all == self.decoded => " No checksums, so corruption may go unnoticed.".into(),
            some => format!(
                " {} of them without checksums, so corruption may go unnoticed.",
                grouped(some)
            ),
        };
        self.brief().map(|counts| format!("{counts}{checksums}"))
    }

    /// The same, the checksums left out.
    pub fn brief(self) -> Option<String> {
        let all = counted(self.chunks, "chunk");
        match (self.chunks, self.tried()) {
            (0, _) => None,
            (_, 0) => Some(format!("{all}, not checked yet.")),
            _ => Some(format!("{}.", self.counts())),
        }
    }

    /// The chunks that were read, that could not be, and that were not tried, counted.
    fn counts(self) -> String {
        let Self { chunks, decoded, unreadable, .. } = self;
        let all = counted(chunks, "chunk");
        let read = match (decoded, unreadable) {
            (_, 0) if decoded == chunks => format!("{all} read"),
            (_, 0) => format!("{} of {all} read", grouped(decoded)),
            (0, 1) if chunks == 1 => "The chunk is unreadable".into(),
            (0, _) if unreadable == chunks => format!("All {all} unreadable"),
            (0, _) => format!("{} of {all} unreadable", grouped(unreadable)),
            _ => format!("{} of {all} read, {} unreadable", grouped(decoded), grouped(unreadable)),
        };
        let others = match self.others() {
            0 => String::new(),
            others => format!(", {} not read yet", grouped(others)),
        };
        format!("{read}{others}")
    }
}

/// A sentence without what its colon announces.
pub fn without_reason(text: &str) -> String {
    text.split_once(": ").map_or_else(|| text.to_owned(), |(start, _)| format!("{start}."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_read_is_a_sentence() {
        let sentence = |chunks, decoded, verified, unreadable| {
            Readable { chunks, decoded, verified, unreadable }.sentence().unwrap_or_default()
        };
        for (counts, words) in [
            ((0, 0, 0, 0), ""),
            ((4, 0, 0, 0), "4 chunks, not checked yet."),
            ((4, 4, 4, 0), "4 chunks read. Checksums match."),
            ((4, 4, 0, 0), "4 chunks read. No checksums, so corruption may go unnoticed."),
            (
                (9, 4, 1, 3),
                "4 of 9 chunks read, 3 unreadable, 2 not read yet. 3 of them without checksums, so corruption may go \
                 unnoticed.",
            ),
            ((3, 0, 0, 1), "1 of 3 chunks unreadable, 2 not read yet."),
            ((3, 0, 0, 3), "All 3 chunks unreadable."),
            ((1, 0, 0, 1), "The chunk is unreadable."),
            ((9, 7, 7, 2), "7 of 9 chunks read, 2 unreadable. Checksums match."),
        ] {
            assert_eq!(sentence(counts.0, counts.1, counts.2, counts.3), words);
        }
        let some = Readable { chunks: 15, decoded: 1, verified: 1, unreadable: 0 };
        assert_eq!(some.brief().unwrap(), "1 of 15 chunks read, 14 not read yet.");
    }
}
