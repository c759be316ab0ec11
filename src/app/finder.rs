//! The fuzzy finder over the whole hierarchy, which is walked in the background.

use super::{Scroll, input::Input};
use crate::zarr::{Node, NodePath, hierarchy::NodeKind, text::safe};

/// One node that the walk found.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// Where it is.
    pub path: NodePath,
    /// Its path, safe to show.
    pub text: String,
    /// A word about what it is.
    pub kind: String,
    /// Lower case, for matching.
    folded: Vec<char>,
}

/// What is typed and what matches.
#[derive(Debug, Clone, Default)]
pub struct Finder {
    /// What is typed.
    pub input: Input,
    /// All nodes found so far.
    candidates: Vec<Candidate>,
    /// Those that match, best first, by number.
    matches: Vec<(i64, usize)>,
    /// The cursor over the matches.
    pub scroll: Scroll,
    /// Whether the walk is done.
    pub complete: bool,
}

impl Finder {
    /// Takes in nodes of the walk.
    pub fn add(&mut self, nodes: &[Node]) {
        let from = self.candidates.len();
        self.candidates.extend(nodes.iter().filter(|node| !node.path.0.is_empty()).map(candidate));
        let query = self.query();
        let fresh = self.candidates.iter().enumerate().skip(from);
        self.matches
            .extend(fresh.filter_map(|(at, found)| Some((score(&query, &found.folded)?, at))));
        self.matches.sort_by_key(|&(score, at)| (-score, at));
    }

    /// Matches anew, after the line has changed.
    pub fn refresh(&mut self) {
        self.matches.clear();
        let query = self.query();
        let all = self.candidates.iter().enumerate();
        self.matches
            .extend(all.filter_map(|(at, found)| Some((score(&query, &found.folded)?, at))));
        self.matches.sort_by_key(|&(score, at)| (-score, at));
        self.scroll = Scroll::default();
    }

    fn query(&self) -> Vec<char> {
        self.input.text().to_lowercase().chars().filter(|c| !c.is_whitespace()).collect()
    }

    /// How many match, and of how many.
    #[must_use]
    pub fn counts(&self) -> (usize, usize) {
        (self.matches.len(), self.candidates.len())
    }

    /// The matches of `range`, best first, each with its number.
    pub fn matches(
        &self,
        range: std::ops::Range<usize>,
    ) -> impl Iterator<Item = (usize, &Candidate)> {
        range.map_while(|at| Some((at, self.candidates.get(self.matches.get(at)?.1)?)))
    }

    /// The match under the cursor.
    #[must_use]
    pub fn selected(&self) -> Option<&Candidate> {
        self.matches(self.scroll.cursor()..self.scroll.cursor() + 1).next().map(|(_, found)| found)
    }
}

fn candidate(node: &Node) -> Candidate {
    let text = safe(&node.path.0).into_owned();
    let kind = match &node.kind {
        NodeKind::Array(array) => array.data_type().map_or_else(|| "array".into(), |t| t.name()),
        NodeKind::Group(_) => "group".into(),
        NodeKind::Folder => "folder".into(),
        NodeKind::Broken(_) => "broken".into(),
    };
    Candidate {
        path: node.path.clone(),
        folded: text.to_lowercase().chars().collect(),
        kind: safe(&kind).into_owned(),
        text,
    }
}

/// How well the letters of `query`, in their order, are found in `text`; `None` where they are not. Letters in a row
/// and at the start of a name count more; long texts count less.
fn score(query: &[char], text: &[char]) -> Option<i64> {
    let mut total = 0;
    let mut from = 0;
    let mut last = None;
    for wanted in query {
        let at = from + text.get(from..)?.iter().position(|c| c == wanted)?;
        total += 1;
        if last.is_some_and(|last| last + 1 == at) {
            total += 4;
        }
        let start = at.checked_sub(1).and_then(|before| text.get(before));
        if start.is_none_or(|c| matches!(c, '/' | '_' | '-' | '.' | ' ')) {
            total += 3;
        }
        last = Some(at);
        from = at + 1;
    }
    Some(total * 16 - i64::try_from(text.len()).unwrap_or(i64::MAX).min(1000))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best(query: &str, texts: &[&'static str]) -> Option<&'static str> {
        let letters = |text: &str| text.chars().collect::<Vec<_>>();
        let scored =
            texts.iter().filter_map(|text| Some((score(&letters(query), &letters(text))?, *text)));
        scored.max_by_key(|(score, _)| *score).map(|(_, text)| text)
    }

    #[test]
    fn letters_in_a_row_and_at_the_start_of_names_win() {
        let texts = ["ocean/temperature", "time", "byte-order/v2/int16_big", "atom/empty"];
        assert_eq!(best("temp", &texts), Some("ocean/temperature"));
        assert_eq!(best("ib", &texts), Some("byte-order/v2/int16_big"));
        assert_eq!(best("t", &texts), Some("time"));
        assert_eq!(best("zz", &texts), None);
    }
}
