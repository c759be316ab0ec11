//! Keys and the paths of nodes: names joined by `/`.

use super::DOCUMENTS;
use crate::zarr::text::safe;
use std::path::Path;

/// A node's path: names joined by `/`; the root is the empty string.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodePath(pub String);

impl NodePath {
    /// The path of the child `name`.
    pub fn child(&self, name: &str) -> Self {
        Self(join(&self.0, name))
    }

    /// The node at `path` below this one; this one where `path` is empty.
    pub fn below(&self, path: &str) -> Self {
        if path.is_empty() { self.clone() } else { self.child(path) }
    }

    /// The key or the path of something below this node, as it is seen from here.
    pub fn relative<'k>(&self, key: &'k str) -> &'k str {
        key.strip_prefix(self.0.as_str()).unwrap_or(key).trim_start_matches('/')
    }

    /// The name, safe to show: `the root`, or its path.
    pub fn in_words(&self) -> String {
        if self.0.is_empty() { "the root".into() } else { safe(&self.0).into_owned() }
    }

    /// True if `other` is this node or below it.
    pub fn holds(&self, other: &Self) -> bool {
        let behind = other.0.strip_prefix(&self.0);
        self.0.is_empty() || behind.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// The path of the parent; `None` at the root.
    pub fn parent(&self) -> Option<Self> {
        if self.0.is_empty() {
            return None;
        }
        Some(Self(split(&self.0).0.to_owned()))
    }

    /// The path, and then what is around it, the nearest first.
    pub fn upwards(self) -> impl Iterator<Item = Self> {
        std::iter::successors(Some(self), Self::parent)
    }

    /// The last name; empty for the root.
    pub fn name(&self) -> &str {
        split(&self.0).1
    }
}

/// The folder that `key` is in, the root being empty, and its name there.
pub(crate) fn split(key: &str) -> (&str, &str) {
    key.rsplit_once('/').unwrap_or(("", key))
}

/// The folder `prefix` as what the keys below it begin with; nothing for the root.
pub(super) fn with_slash(prefix: &str) -> String {
    if prefix.is_empty() { String::new() } else { format!("{prefix}/") }
}

/// The ends of the folders around `key`, the outermost first, and of `key` itself.
pub(super) fn around(key: &str) -> impl DoubleEndedIterator<Item = &str> {
    key.match_indices('/').map(|(at, _)| at).chain([key.len()]).filter_map(|end| key.get(..end))
}

/// True if `key` is that of a document.
pub(super) fn is_document(key: &str) -> bool {
    DOCUMENTS.contains(&split(key).1)
}

/// True if the name is that of a zip archive.
pub(super) fn is_named_archive(key: &str) -> bool {
    Path::new(key).extension().is_some_and(|end| end.eq_ignore_ascii_case("zip"))
}

/// `prefix/name`, or `name` at the root.
pub fn join(prefix: &str, name: &str) -> String {
    if prefix.is_empty() { name.to_owned() } else { format!("{prefix}/{name}") }
}

/// The natural order of keys: numbers in them by their value, so that `c/2` comes before `c/10`.
pub fn in_natural_order(a: &str, b: &str) -> std::cmp::Ordering {
    let (mut a, mut b) = (a.as_bytes(), b.as_bytes());
    loop {
        let ((first_a, rest_a), (first_b, rest_b)) = match (token(a), token(b)) {
            (Some(a), Some(b)) => (a, b),
            (a, b) => return a.is_some().cmp(&b.is_some()),
        };
        // Of two numbers the one with more digits is the larger, zeros in front of them aside.
        let order = match (number(first_a), number(first_b)) {
            (Some(a), Some(b)) => a.len().cmp(&b.len()).then_with(|| a.cmp(b)),
            _ => std::cmp::Ordering::Equal,
        };
        let order = order.then_with(|| first_a.cmp(first_b));
        if order.is_ne() {
            return order;
        }
        (a, b) = (rest_a, rest_b);
    }
}

/// The number, or the one byte, at the start of `text`, and what is after it.
fn token(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    text.split_at_checked(digits.max(1))
}

/// The digits of a number without zeros in front of them.
fn number(token: &[u8]) -> Option<&[u8]> {
    let zeros = token.iter().take_while(|byte| **byte == b'0').count();
    token.first().filter(|byte| byte.is_ascii_digit()).and_then(|_| token.get(zeros..))
}

/// True if a name is that of a chunk of V2: `0`, `1.0`.
pub fn is_of_numbers(name: &str) -> bool {
    name.split('.').all(|part| part.parse::<u64>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_keys_are_ordered_by_their_value() {
        let mut keys = ["c/10/0", "c/2/10", "c/2/9", "c", "c/02/1", "b", "c/x"];
        keys.sort_by(|a, b| in_natural_order(a, b));
        assert_eq!(keys, ["b", "c", "c/02/1", "c/2/9", "c/2/10", "c/10/0", "c/x"]);
    }
}
