//! The number of places in the whole array that match what is searched for.

use crate::app::prelude::*;

/// The matches in an array, as far as they were counted.
#[derive(Debug, Clone, Default)]
pub struct Hits {
    /// Elements that match, padding left out.
    pub matches: u64,
    /// The number of stored chunks.
    pub of: u64,
    /// Elements of missing chunks, all of which match because the fill value does.
    pub missing: u64,
    /// The time taken so far.
    pub elapsed: Duration,
    /// Chunks that were looked at.
    pub done: u64,
    /// True if all chunks were looked at.
    pub is_complete: bool,
    /// The chunks that were looked at, each with its matches; `None` where it could not be read.
    chunks: BTreeMap<Vec<u64>, Option<u64>>,
}

impl Hits {
    /// Nothing yet of so many stored chunks.
    pub fn of(chunks: u64) -> Self {
        Self { of: chunks, ..Self::default() }
    }

    /// Adds what a part of a chunk has; `None` where it could not be read.
    pub fn add(&mut self, chunk: Vec<u64>, found: Option<u64>) {
        self.matches += found.unwrap_or(0);
        let place = self.chunks.entry(chunk).or_insert(Some(0));
        *place = place.zip(found).map(|(before, more)| before + more);
        self.done = self.chunks.len() as u64;
    }

    /// The same without the chunks: for telling how far it is.
    pub fn so_far(&self) -> Self {
        Self {
            matches: self.matches,
            of: self.of,
            done: self.done,
            elapsed: self.elapsed,
            ..Self::default()
        }
    }

    /// The chunks that have no match.
    pub fn empty(&self) -> Arc<BTreeSet<Vec<u64>>> {
        let empty = self.chunks.iter().filter(|(_, found)| **found == Some(0));
        Arc::new(empty.map(|(chunk, _)| chunk.clone()).collect())
    }

    /// `1,234 matches in 37 of 4,096 stored chunks`.
    pub fn in_words(&self) -> String {
        let with = self.chunks.values().filter(|found| found.is_some_and(|found| found > 0));
        let mut text = format!(
            "{} in {} of {}",
            matches(self.matches),
            grouped(with.count()),
            counted(self.of, "stored chunk")
        );
        if self.missing > 0 {
            let missing =
                format!(", and all {} of missing chunks", counted(self.missing, "element"));
            text += &missing;
        }
        let unread = self.chunks.values().filter(|found| found.is_none()).count();
        let unread = match unread {
            0 => String::new(),
            unread => format!("; {} cannot be read", counted(unread, "chunk")),
        };
        text + &unread
    }
}

fn matches(count: u64) -> String {
    if count == 1 { "1 match".into() } else { format!("{} matches", grouped(count)) }
}

/// The count of what is searched for in the array on show.
#[derive(Clone, Default)]
pub struct HitCount {
    /// The needle that is counted.
    pub needle: Option<Needle>,
    /// The matches so far.
    pub hits: Hits,
    /// The progress, in chunks, while it goes on.
    pub pace: Option<Pace>,
    /// The chunks that have no match, once all were looked at.
    pub empty: Arc<BTreeSet<Vec<u64>>>,
}

impl HitCount {
    /// The progress, in words, while it goes on.
    pub fn progress(&self) -> Option<(String, Pace)> {
        let pace = self.pace?;
        let text = format!(
            "{} so far in {} of {}",
            matches(self.hits.matches),
            grouped(pace.done),
            counted(pace.of, "chunk")
        );
        Some((text, pace))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_chunk_are_one_chunk() {
        let mut hits = Hits::of(3);
        for (chunk, found) in [(0, Some(2)), (1, Some(0)), (0, Some(1)), (1, Some(0)), (2, None)] {
            hits.add(vec![chunk], found);
        }
        assert_eq!(hits.in_words(), "3 matches in 1 of 3 stored chunks; 1 chunk cannot be read");
        assert_eq!(*hits.empty(), BTreeSet::from([vec![1]]));
    }
}
