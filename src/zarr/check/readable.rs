//! What of the chunks can be read, in a sentence: what was decoded, what cannot be, and what nobody can vouch for.

use super::Summary;
use crate::zarr::words::{counted, grouped};

impl Summary {
    /// What can be read and what cannot, and that damage may be silent where there is no checksum; `None` where there
    /// are no chunks.
    #[must_use]
    pub fn readable(&self) -> Option<String> {
        let &Self { chunks, decoded, verified, unreadable, .. } = self;
        let others = chunks.checked_sub(decoded + unreadable)?;
        let mut parts = Vec::new();
        parts.push(match (decoded, unreadable) {
            (0, 0) => return (chunks > 0).then(|| "No chunk was decoded.".to_owned()),
            (all, 0) if all == chunks => {
                format!("All {} can be read", counted(all, "stored chunk"))
            }
            (0, _) => format!("None of {} can be read", counted(chunks, "stored chunk")),
            _ => format!("{} of {} can be read", grouped(decoded), counted(chunks, "stored chunk")),
        });
        if unreadable > 0 && decoded > 0 {
            parts.push(format!("{} cannot", grouped(unreadable)));
        }
        if others > 0 {
            parts.push(format!("{} not decoded", grouped(others)));
        }
        let text = parts.join(", ").replace("All 1 stored chunk", "The stored chunk");
        let silent = match decoded - verified {
            0 if decoded == 0 => String::new(),
            0 => " Each of them has a checksum that agrees.".to_owned(),
            all if all == decoded => {
                " None of them has a checksum, so silent damage cannot be excluded.".to_owned()
            }
            some => format!(
                " {} of them without a checksum: there, silent damage cannot be excluded.",
                grouped(some)
            ),
        };
        let text = format!("{text}.{silent}");
        Some(if decoded == 1 {
            text.replace("Each of them", "It").replace("None of them has a", "It has no")
        } else {
            text
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_read_is_a_sentence() {
        let sentence = |chunks, decoded, verified, unreadable| {
            let summary = Summary { chunks, decoded, verified, unreadable, ..Summary::default() };
            summary.readable().unwrap_or_default()
        };
        for (counts, words) in [
            ((0, 0, 0, 0), ""),
            ((4, 0, 0, 0), "No chunk was decoded."),
            (
                (4, 4, 4, 0),
                "All 4 stored chunks can be read. Each of them has a checksum that agrees.",
            ),
            (
                (4, 4, 0, 0),
                "All 4 stored chunks can be read. None of them has a checksum, so silent damage cannot be excluded.",
            ),
            (
                (9, 4, 1, 3),
                "4 of 9 stored chunks can be read, 3 cannot, 2 not decoded. 3 of them without a checksum: there, silent \
                 damage cannot be excluded.",
            ),
            ((3, 0, 0, 3), "None of 3 stored chunks can be read."),
            ((1, 1, 1, 0), "The stored chunk can be read. It has a checksum that agrees."),
            (
                (1, 1, 0, 0),
                "The stored chunk can be read. It has no checksum, so silent damage cannot be excluded.",
            ),
        ] {
            assert_eq!(sentence(counts.0, counts.1, counts.2, counts.3), words);
        }
    }
}
