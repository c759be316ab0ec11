//! The readable part of the chunks, in a sentence: what was decoded, what cannot be, and what no checksum covers.

use super::words::{counted, grouped};

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
    #[must_use]
    pub const fn tried(self) -> u64 {
        self.decoded + self.unreadable
    }

    /// Those that nobody has tried to decode.
    const fn others(self) -> u64 {
        self.chunks.saturating_sub(self.tried())
    }

    /// The readable and the unreadable part, and that damage may be silent where there is no checksum; `None` where
    /// there are no chunks.
    #[must_use]
    pub fn sentence(self) -> Option<String> {
        let Self { chunks, decoded, unreadable, .. } = self;
        let others = self.others();
        let mut parts = Vec::new();
        parts.push(match (decoded, unreadable) {
            (0, 0) => return self.untried(),
            (1, 0) if chunks == 1 => "The stored chunk can be read".into(),
            (all, 0) if all == chunks => {
                format!("All {} can be read", counted(all, "stored chunk"))
            }
            (0, 1) if chunks == 1 => "The stored chunk cannot be read".into(),
            (0, all) if all == chunks => {
                format!("None of {} can be read", counted(chunks, "stored chunk"))
            }
            (0, some) => {
                format!("{} of {} cannot be read", grouped(some), counted(chunks, "stored chunk"))
            }
            (some, 0) => format!("{} of {} read", grouped(some), counted(chunks, "stored chunk")),
            _ => format!("{} of {} can be read", grouped(decoded), counted(chunks, "stored chunk")),
        });
        if unreadable > 0 && decoded > 0 {
            parts.push(format!("{} cannot", grouped(unreadable)));
        }
        if others > 0 {
            parts.push(format!("{} not read yet", grouped(others)));
        }
        let text = parts.join(", ");
        let silent = self.vouched_for();
        Some(format!("{text}.{silent}"))
    }

    /// The result of the checksums of the chunks that were read, as a sentence of its own after a space.
    fn vouched_for(self) -> String {
        let Self { chunks, decoded, verified, .. } = self;
        let (agree, values) = match decoded {
            1 => ("Its checksum agrees".to_owned(), "its values".to_owned()),
            all if all == chunks => ("Their checksums agree".into(), "their values".into()),
            some => {
                let those = format!("those {}", grouped(some));
                (format!("The checksums of {those} agree"), format!("the values of {those}"))
            }
        };
        match decoded - verified.min(decoded) {
            _ if decoded == 0 => String::new(),
            0 => format!(" {agree}."),
            all if all == decoded => {
                format!(" No checksum covers {values}, so silent damage cannot be excluded.")
            }
            some => format!(
                " No checksum covers the values of {} of those {}, so silent damage in them cannot be excluded.",
                grouped(some),
                grouped(decoded)
            ),
        }
    }

    /// The same in fewer words, for a line above a view.
    #[must_use]
    pub fn brief(self) -> Option<String> {
        if self.tried() == 0 {
            return self.untried();
        }
        let silent = match self.decoded - self.verified.min(self.decoded) {
            0 if self.decoded == 0 => "",
            0 if self.unreadable > 0 => "; the checksums of those read agree",
            0 => "; checksums agree",
            all if all == self.decoded => "; values have no checksum: damage can hide",
            _ => "; some have no checksum: damage can hide",
        };
        Some(format!("{}{silent}", self.counts()))
    }

    /// The same in the fewest words, for a narrow line: what follows from it is left out.
    #[must_use]
    pub fn briefest(self) -> Option<String> {
        if self.tried() == 0 {
            return self.untried().map(|text| without_reason(&text));
        }
        let silent = match self.decoded - self.verified.min(self.decoded) {
            0 => "",
            all if all == self.decoded => "; no checksum",
            _ => "; some have no checksum",
        };
        Some(format!("{}{silent}", self.counts()))
    }

    /// The chunks that were read, that could not be, and that were not tried, counted.
    fn counts(self) -> String {
        let Self { chunks, decoded, unreadable, .. } = self;
        let all = counted(chunks, "chunk");
        let read = match (decoded, unreadable) {
            (_, 0) if decoded == chunks => format!("{all} read"),
            (0, 1) if chunks == 1 => "the chunk cannot be read".into(),
            (0, _) if unreadable == chunks => format!("none of {all} can be read"),
            (0, _) => format!("{} of {all} cannot be read", grouped(unreadable)),
            (_, 0) => format!("{} of {all} read", grouped(decoded)),
            _ => format!("{} of {all} read, {} cannot be", grouped(decoded), grouped(unreadable)),
        };
        let others = match self.others() {
            0 => String::new(),
            others => format!(", {} not read yet", grouped(others)),
        };
        format!("{read}{others}")
    }

    /// That none was tried.
    fn untried(self) -> Option<String> {
        let all = counted(self.chunks, "stored chunk");
        match self.chunks {
            0 => None,
            1 => Some("The stored chunk was not checked: damage cannot be excluded.".into()),
            _ => Some(format!("None of {all} was checked: damage cannot be excluded.")),
        }
    }
}

/// A sentence without what its colon announces.
#[must_use]
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
            ((4, 0, 0, 0), "None of 4 stored chunks was checked: damage cannot be excluded."),
            ((4, 4, 4, 0), "All 4 stored chunks can be read. Their checksums agree."),
            (
                (4, 4, 0, 0),
                "All 4 stored chunks can be read. No checksum covers their values, so silent damage cannot be excluded.",
            ),
            (
                (9, 4, 1, 3),
                "4 of 9 stored chunks can be read, 3 cannot, 2 not read yet. No checksum covers the values of 3 of those 4, so silent \
                 damage in them cannot be excluded.",
            ),
            ((3, 0, 0, 1), "1 of 3 stored chunks cannot be read, 2 not read yet."),
            ((3, 0, 0, 3), "None of 3 stored chunks can be read."),
            ((1, 0, 0, 1), "The stored chunk cannot be read."),
            ((1, 1, 1, 0), "The stored chunk can be read. Its checksum agrees."),
            (
                (9, 7, 7, 2),
                "7 of 9 stored chunks can be read, 2 cannot. The checksums of those 7 agree.",
            ),
            ((15, 1, 1, 0), "1 of 15 stored chunks read, 14 not read yet. Its checksum agrees."),
            (
                (15, 2, 0, 0),
                "2 of 15 stored chunks read, 13 not read yet. No checksum covers the values of those 2, so silent damage \
                 cannot be excluded.",
            ),
            (
                (1, 1, 0, 0),
                "The stored chunk can be read. No checksum covers its values, so silent damage cannot be excluded.",
            ),
        ] {
            assert_eq!(sentence(counts.0, counts.1, counts.2, counts.3), words);
        }
    }

    #[test]
    fn above_a_view_it_is_brief() {
        let brief = |chunks, decoded, verified, unreadable| {
            Readable { chunks, decoded, verified, unreadable }.brief().unwrap_or_default()
        };
        for (counts, words) in [
            ((0, 0, 0, 0), ""),
            ((1, 0, 0, 0), "The stored chunk was not checked: damage cannot be excluded."),
            ((1, 1, 0, 0), "1 chunk read; values have no checksum: damage can hide"),
            ((4, 4, 4, 0), "4 chunks read; checksums agree"),
            ((9, 1, 1, 0), "1 of 9 chunks read, 8 not read yet; checksums agree"),
            (
                (9, 4, 1, 0),
                "4 of 9 chunks read, 5 not read yet; some have no checksum: damage can hide",
            ),
            (
                (9, 4, 0, 3),
                "4 of 9 chunks read, 3 cannot be, 2 not read yet; values have no checksum: damage can hide",
            ),
            ((9, 0, 0, 1), "1 of 9 chunks cannot be read, 8 not read yet"),
            ((9, 8, 8, 1), "8 of 9 chunks read, 1 cannot be; the checksums of those read agree"),
            ((1, 0, 0, 1), "the chunk cannot be read"),
            ((9, 0, 0, 9), "none of 9 chunks can be read"),
        ] {
            let text = brief(counts.0, counts.1, counts.2, counts.3);
            assert_eq!(text, words);
        }
        for (counts, words) in [
            ((0, 0, 0, 0), None),
            ((4, 0, 0, 0), Some("None of 4 stored chunks was checked.")),
            ((4, 1, 0, 0), Some("1 of 4 chunks read, 3 not read yet; no checksum")),
            ((9, 8, 8, 1), Some("8 of 9 chunks read, 1 cannot be")),
        ] {
            let (chunks, decoded, verified, unreadable) = counts;
            let readable = Readable { chunks, decoded, verified, unreadable };
            assert_eq!(readable.briefest().as_deref(), words);
        }
    }
}
