//! The fuzzy finder over the whole hierarchy, which is walked in the background.
//!
//! Matching is by hand: it is twenty lines, and of the crates nucleo-matcher is under the MPL-2.0, which deny.toml does
//! not allow, and fuzzy-matcher has had no release since 2020.

use super::layout::LIST_HEAD;
use super::prelude::*;

/// One node that the walk found.
#[derive(Debug, Clone)]
pub struct FoundNode {
    /// The path.
    pub path: NodePath,
    /// A word about what it is, safe to show.
    pub kind: Box<str>,
    /// True if it is an array.
    pub is_array: bool,
    /// Its path as it is shown, in lower case, for matching.
    folded: Box<str>,
}

impl FoundNode {
    /// The entry of a node.
    fn of(node: &Outline) -> Self {
        Self {
            path: node.path.clone(),
            kind: node.word().into(),
            is_array: matches!(node.what, What::Array { .. }),
            folded: safe(&node.path.0).to_lowercase().into(),
        }
    }
}

/// The typed text and its matches.
#[derive(Debug, Clone, Default)]
pub struct Finder {
    /// The typed text.
    pub input: Input,
    /// All nodes found so far.
    candidates: Vec<FoundNode>,
    /// Those that match, best first, by number.
    matches: Vec<(i64, usize)>,
    /// The cursor over the matches.
    pub scroll: Scroll,
    /// True if the walk is done.
    pub complete: bool,
    /// True if the best match is gone to as soon as the walk is done: Enter was pressed before there was one.
    pub eager: bool,
}

impl Page for Finder {
    fn list(&mut self, shared: &Shared) -> Option<CursorList<'_>> {
        let (len, head) = (self.matches.len(), LIST_HEAD.into());
        let height = shared.geometry.whole.rows().saturating_sub(head);
        Some(CursorList { scroll: &mut self.scroll, len, head, height })
    }

    fn replied(&mut self, answer: Answer, _lane: Lane, shared: &mut Shared) {
        match answer {
            Answer::NodesFound(nodes) => self.add(&nodes),
            Answer::Done => self.complete = true,
            Answer::Failed(error) => shared.fail(safe_text(&error)),
            _ => {}
        }
    }
}

impl Finder {
    /// Takes in what the walk has found.
    pub fn add(&mut self, found: &[Outline]) {
        let from = self.candidates.len();
        self.candidates.extend(found.iter().map(FoundNode::of));
        self.rate(from);
    }

    /// Matches again, after the line has changed.
    pub fn refresh(&mut self) {
        self.matches.clear();
        self.rate(0);
        self.scroll = Scroll::default();
    }

    /// Matches the candidates from number `from` on, and puts them among the others.
    fn rate(&mut self, from: usize) {
        let query = self.query();
        let mut letters = Vec::new();
        let fresh = self.candidates.iter().enumerate().skip(from).filter_map(|(at, found)| {
            letters.clear();
            letters.extend(found.folded.chars());
            Some((score(&query, &letters)?, at))
        });
        self.matches.extend(fresh);
        self.matches.sort_by_key(|&(score, at)| (-score, at));
    }

    fn query(&self) -> Vec<char> {
        self.input.text().to_lowercase().chars().filter(|c| !c.is_whitespace()).collect()
    }

    /// The number of matches, and the number of nodes.
    pub fn counts(&self) -> (usize, usize) {
        (self.matches.len(), self.candidates.len())
    }

    /// The matches of `range`, best first, each with its number.
    pub fn matches(&self, range: Range<usize>) -> impl Iterator<Item = (usize, &FoundNode)> {
        range.map_while(|at| Some((at, self.candidates.get(self.matches.get(at)?.1)?)))
    }

    /// The match under the cursor.
    pub fn selected(&self) -> Option<&FoundNode> {
        self.matches(self.scroll.cursor()..self.scroll.cursor() + 1).next().map(|(_, found)| found)
    }
}

/// The score of the letters of `query`, in their order, in `text`; `None` where they are not. Letters in a row and at
/// the start of a name count more; long texts count less.
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
