//! Fixes that are run one after the other.

use super::edit::diff;
use crate::zarr::prelude::*;
use crate::zarr::{
    error::{Change, DocumentEdit},
    runnable::ShellScript,
};
use std::{ops::Range, sync::Arc};

/// Fixes of one store, each told for the store as those before it leave it: the copies of several arrays are in one
/// document of consolidated metadata, which may be a single line.
#[derive(Debug, Default)]
pub struct FixSequence(BTreeMap<String, ChangedDocument>);

#[derive(Debug)]
struct ChangedDocument {
    /// The document as it is now.
    bytes: Arc<[u8]>,
    /// The bytes of the document in the store that were replaced, and the number of those in their place.
    replaced: Vec<(Range<usize>, usize)>,
}

impl FixSequence {
    /// The lines to run for `fix`, once those of all fixes before it were run.
    pub fn script(&mut self, fix: &Change) -> ShellScript {
        match fix {
            Change::Metadata(_, edits) => {
                ShellScript::all(edits.iter().map(|edit| self.edit(edit)))
            }
            _ => fix.script(),
        }
    }

    fn edit(&mut self, edit: &DocumentEdit) -> ShellScript {
        let replaced = (edit.replaced.clone(), edit.put.len());
        let Some(known) = self.0.get_mut(&edit.document) else {
            let document =
                ChangedDocument { bytes: Arc::clone(&edit.bytes), replaced: vec![replaced] };
            self.0.insert(edit.document.clone(), document);
            return edit.diff.command();
        };
        let Some(bytes) = known.with(edit) else {
            return ShellScript::comment(
                "Another fix changes the same: apply those above, and check again.",
            );
        };
        let change = diff(&edit.document, &known.bytes, &bytes);
        known.bytes = bytes.into();
        known.replaced.push(replaced);
        change.command()
    }
}

impl ChangedDocument {
    /// The document after `edit`; `None` where what that replaces has been replaced.
    fn with(&self, edit: &DocumentEdit) -> Option<Vec<u8>> {
        let Range { start, end } = edit.replaced;
        let overlaps =
            |(known, _): &(Range<usize>, usize)| start <= known.end && known.start <= end;
        if self.replaced.iter().any(overlaps) {
            return None;
        }
        let before = self.replaced.iter().filter(|(known, _)| known.end < start);
        let (gone, put) =
            before.fold((0, 0), |(gone, put), (known, len)| (gone + known.len(), put + len));
        let (head, rest) = self.bytes.split_at_checked(start + put - gone)?;
        let new = edit.bytes.get(edit.put.clone())?;
        Some([head, new, rest.get(edit.replaced.len()..)?].concat())
    }
}

#[cfg(test)]
mod tests {
    use super::super::edit::{Edit, document_edit, steps};
    use super::*;

    fn after(sets: &[(&str, u32)]) -> Vec<String> {
        let mut sequence = FixSequence::default();
        let edit = |(key, value): &(&str, u32)| {
            let edits = [Edit::set(steps![*key], *value)];
            document_edit("zarr.json", br#"{"a": 1, "b": 2, "c": 3}"#, &edits).unwrap()
        };
        let scripts = sets.iter().map(|it| {
            sequence
                .script(&Change::Metadata(super::super::WhatIf::at("/a", 1), vec![edit(it)]))
                .to_string()
        });
        scripts.collect()
    }

    #[test]
    fn each_fix_is_told_for_what_the_ones_before_leave() {
        let scripts = after(&[("c", 4000), ("a", 5), ("b", 66)]);
        assert!(scripts[2].contains("\n-{\"a\": 5, \"b\": 2, \"c\": 4000}\n"), "{scripts:?}");
        assert!(scripts[2].contains("\n+{\"a\": 5, \"b\": 66, \"c\": 4000}\n"), "{scripts:?}");
    }

    #[test]
    fn what_is_replaced_once_is_not_replaced_again() {
        let scripts = after(&[("b", 4), ("b", 5)]);
        assert!(scripts[1].starts_with("# Another fix changes the same"), "{scripts:?}");
    }
}
