//! The members of the other format's documents by their names.

use super::TextLine;

/// The lines that have a name, in the order of the names, outer ones first.
#[derive(Debug, Clone, Default)]
pub(super) struct OtherNames(Vec<usize>);

impl OtherNames {
    /// The names in `lines`.
    pub(super) fn of(lines: &[TextLine]) -> Self {
        let mut named: Vec<_> = lines
            .iter()
            .enumerate()
            .filter_map(|(at, line)| Some((name(line)?, indent(line), at)))
            .collect();
        named.sort_unstable();
        Self(named.into_iter().map(|(_, _, at)| at).collect())
    }

    /// The outermost of `lines`, those that this was made of, with this name.
    pub(super) fn find(&self, lines: &[TextLine], wanted: &str) -> Option<usize> {
        let of = |at: usize| lines.get(at).and_then(name);
        let first = self.0.partition_point(|&at| of(at) < Some(wanted));
        self.0.get(first).copied().filter(|&at| of(at) == Some(wanted))
    }
}

/// The name of a document, or of the member that begins here.
fn name(line: &TextLine) -> Option<&str> {
    if line.heading {
        return Some(&line.text);
    }
    line.text.trim_start().strip_prefix('"')?.split_once("\":").map(|(name, _)| name)
}

fn indent(line: &TextLine) -> usize {
    line.text.len() - line.text.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_outermost_member_of_a_name_is_found() {
        let line = |text: &str| TextLine { text: text.into(), ..TextLine::default() };
        let heading = TextLine { heading: true, ..line(".zattrs") };
        let texts = ["{", "    \"a\": 1", "  \"a\": {", "  \"b\": \"x\":", "  \"a\": 2", "  3"];
        let lines: Vec<_> = std::iter::once(heading).chain(texts.map(line)).collect();
        let names = OtherNames::of(&lines);
        let found = [".zattrs", "a", "b", "x", ""].map(|name| names.find(&lines, name));
        assert_eq!(found, [Some(0), Some(3), Some(4), None, None]);
    }
}
