//! The sample that all tests look at, and a word read in either order.

use super::{Meaning, WideComponent};
use crate::zarr::plausibility::{Words, description::WORDS, lags, positions, rank, swapped};
use crate::zarr::prelude::*;

/// From which share on the most frequent word is taken for a fill value: one in this many.
const FREQUENT: usize = 20;
/// The least number of different words.
const FEW: usize = 4;

/// The sample that the tests look at. Words are kept as they read little-endian; [`WordSample::read`] gives either
/// reading.
pub(super) struct WordSample {
    width: usize,
    meaning: Meaning,
    /// The number of words looked at.
    seen: usize,
    /// The number of different ones among them.
    different: usize,
    /// The most frequent one, where it is frequent enough to be a fill value.
    fill: Option<u64>,
    /// Different words in order of appearance, without palindromes and without the most frequent.
    words: Vec<u64>,
    /// For each axis the different pairs of neighbours, in order of appearance, from the same words.
    pairs: Vec<Vec<(u64, u64)>>,
}

impl WordSample {
    /// Takes the sample of `component` from elements of `size` bytes.
    pub(super) fn take(
        bytes: &[u8],
        size: usize,
        component: &WideComponent,
        strides: &[u64],
    ) -> Self {
        let source = Words { bytes, size, component };
        let positions = positions(source.len(), WORDS);
        let mut counts: HashMap<u64, usize> = HashMap::new();
        let mut words = Vec::new();
        for word in positions.iter().filter_map(|&at| source.read(at, Endian::Little)) {
            let count = counts.entry(word).or_default();
            *count += 1;
            if *count == 1 {
                words.push(word);
            }
        }
        let seen = counts.values().sum();
        let different = words.len();
        let fill = most_frequent(&words, &counts, seen);
        let width = component.width;
        let tells = |word: u64| Some(word) != fill && swapped(word, width) != word;
        words.retain(|&word| tells(word));
        let pairs = lags(strides, component.count)
            .map(|lag| pairs(&source, &positions, lag, tells))
            .collect();
        Self { width, meaning: component.meaning, seen, different, fill, words, pairs }
    }

    /// The reason why no test can be made, where the sample is too poor for any.
    pub(super) fn too_poor(&self) -> Option<String> {
        let n = grouped(self.seen);
        if self.seen == 0 {
            Some("No element is loaded.".into())
        } else if self.seen == 1 {
            Some("Only one value: too few to tell.".into())
        } else if self.different == 1 {
            Some(format!("All {n} values are equal."))
        } else if self.words.is_empty() && self.different > 2 {
            Some(format!("All {n} values read the same in both byte orders."))
        } else if self.words.len() < FEW && self.meaning != Meaning::CodeUnit {
            let m = self.words.len();
            if m == self.seen {
                return Some(format!("Only {m} values: too few to tell."));
            }
            Some(format!(
                "Only {m} of {n} values are informative (not repeats, the most frequent value, or values that read \
                 the same in both byte orders): too few to tell."
            ))
        } else {
            None
        }
    }

    /// Bytes of a word.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// The number of words looked at, repeats and fill values included.
    pub(super) fn seen(&self) -> usize {
        self.seen
    }

    /// The number of different words among those that were looked at.
    pub(super) fn different(&self) -> usize {
        self.different
    }

    /// The most frequent word, as it reads little-endian, where it is frequent enough to be a fill value.
    pub(super) fn fill(&self) -> Option<u64> {
        self.fill
    }

    /// The meaning of a word's bits.
    pub(super) fn meaning(&self) -> Meaning {
        self.meaning
    }

    /// The different words, as they read little-endian.
    pub(super) fn words(&self) -> &[u64] {
        &self.words
    }

    /// The pairs of neighbours, axis by axis, as they read little-endian.
    pub(super) fn axes(&self) -> &[Vec<(u64, u64)>] {
        &self.pairs
    }

    /// The bits of a word read in `order`, the most significant byte uppermost.
    pub(super) fn read(&self, word: u64, order: Endian) -> u64 {
        match order {
            Endian::Little => word,
            Endian::Big => swapped(word, self.width),
        }
    }

    /// A whole number that sorts as the value of `word` read in `order` does: the number itself, or for floats its
    /// rank among all floats.
    pub(super) fn rank(&self, word: u64, order: Endian) -> i128 {
        rank(self.read(word, order), self.width, self.meaning)
    }
}

/// The word that fills the sample, where one is frequent enough for that.
fn most_frequent(words: &[u64], counts: &HashMap<u64, usize>, seen: usize) -> Option<u64> {
    let count = |word: &u64| counts.get(word).copied().unwrap_or(0);
    let most = words.iter().map(count).max()?;
    let frequent = most > 1 && most * FREQUENT >= seen && words.len() > FEW * 4;
    words.iter().find(|word| frequent && count(word) == most).copied()
}

/// The different pairs of telling words that lie `lag` apart.
fn pairs(
    source: &Words,
    positions: &[usize],
    lag: usize,
    tells: impl Fn(u64) -> bool,
) -> Vec<(u64, u64)> {
    let mut known = HashSet::new();
    let pair = |&at: &usize| {
        Some((source.read(at, Endian::Little)?, source.read(at.checked_add(lag)?, Endian::Little)?))
    };
    positions
        .iter()
        .filter_map(pair)
        .filter(|&(a, b)| a != b && tells(a) && tells(b))
        .filter(|pair| known.insert(*pair))
        .collect()
}
