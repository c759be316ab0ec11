//! `:readers`: what other programs make of the array on show.

use super::{
    App, Explained, Overlay,
    effect::{Lane, Work},
};
use crate::zarr::{
    NodePath,
    hierarchy::NodeKind,
    readers::{Answer, BASIS, Outcome},
    text::safe,
    words::counted,
};

impl App {
    /// Has it looked up what readers make of the array on show.
    pub(super) fn ask_readers(&mut self) {
        let node = self.shared.node();
        let is_measured =
            |kind: &NodeKind| matches!(kind, NodeKind::Array(_) | NodeKind::Broken(_));
        match node.filter(|node| is_measured(&node.kind)).map(|node| node.path.clone()) {
            Some(path) => self.shared.run(Lane::Readers, Work::Readers(path)),
            None => self.shared.fail("readers are told of an array: go to one first"),
        }
    }

    /// Shows what readers make of the array at `path`, if it is still on show.
    pub(super) fn take_readers(&mut self, path: &NodePath, answers: &[Answer]) {
        if self.shared.node().is_none_or(|node| node.path != *path) {
            return;
        }
        let read = answers.iter().filter(|answer| answer.outcome == Outcome::Reads).count();
        let name =
            if path.0.is_empty() { self.shared.root_name() } else { safe(&path.0).into_owned() };
        let title =
            format!("{name}   read by {read} of {}", counted(answers.len() as u64, "reader"));
        let row = |answer: &Answer| {
            let words = format!("{} {}", answer.outcome.sign(), answer.sentence());
            (answer.reader.clone(), safe(&words).into_owned())
        };
        let table = answers.iter().map(row).collect();
        let paragraphs = vec![BASIS.to_owned()];
        let explained = Explained { table, pinned: true, ..Explained::new(title, paragraphs) };
        self.push_overlay(Overlay::Explain(explained));
    }
}
