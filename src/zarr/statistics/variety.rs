//! Which different texts there are.

use std::collections::BTreeMap;

/// How many different ones are told apart.
const MOST: usize = 64;

/// How many characters of each are kept.
const LONGEST: usize = 80;

/// The different values of elements that are no numbers, and how often each occurs. Those met first are kept, up to
/// 64; the rest are counted together.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Variety {
    counts: BTreeMap<String, u64>,
    others: u64,
}

impl Variety {
    /// Each value, as it prints (made safe, cut after 80 characters), and its count: the most frequent first.
    #[must_use]
    pub fn counts(&self) -> Vec<(&str, u64)> {
        let mut counts: Vec<_> = self.counts.iter().map(|(text, &n)| (text.as_str(), n)).collect();
        counts.sort_by_key(|&(_, n)| std::cmp::Reverse(n));
        counts
    }

    /// Elements with a value that is not among those kept.
    #[must_use]
    pub fn others(&self) -> u64 {
        self.others
    }

    pub(super) fn add(&mut self, text: &str) {
        if let Some(count) = self.counts.get_mut(text) {
            *count += 1;
        } else {
            let text: String = crate::zarr::text::safe(text).chars().take(LONGEST).collect();
            self.put(text, 1);
        }
    }

    pub(super) fn merge(mut self, other: Self) -> Self {
        self.others += other.others;
        for (text, n) in other.counts {
            self.put(text, n);
        }
        self
    }

    fn put(&mut self, text: String, n: u64) {
        if self.counts.len() < MOST || self.counts.contains_key(&text) {
            *self.counts.entry(text).or_default() += n;
        } else {
            self.others += n;
        }
    }
}
