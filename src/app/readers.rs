//! The results of other programs for the array on show: a row of the data type view, and `:readers`.

use super::prelude::*;
use crate::zarr::readers::{BASIS, ReaderAnswer, ReaderOutcome, in_short};

impl App {
    /// Shows what readers make of the array on show, as soon as that has been looked up.
    pub(super) fn ask_readers(&mut self) {
        let node = self.shared.node();
        let is_measured =
            |kind: &NodeKind| matches!(kind, NodeKind::Array(_) | NodeKind::Broken(_));
        let Some(path) = node.filter(|node| is_measured(&node.kind)).map(|node| node.path.clone())
        else {
            return self.shared.fail("readers needs an array: go to one first");
        };
        // They are looked up for the view that has their row.
        if self.shared.view != View::DataType {
            self.choose_view(View::DataType);
        }
        let page = &mut self.pages.data_type;
        page.opens_readers = true;
        match &page.readers {
            Load::Ready(_) => self.show_readers(),
            Load::Pending => {}
            Load::Idle | Load::Failed(_) => {
                page.readers = Load::Pending;
                page.show_readers();
                self.shared.run(Lane::Readers, Work::Readers(path));
            }
        }
    }

    /// Takes in what readers make of the array at `path`, if it is still on show.
    pub(super) fn take_readers(&mut self, path: &NodePath, answers: Vec<ReaderAnswer>) {
        if self.shared.node().is_none_or(|node| node.path != *path) {
            return;
        }
        self.pages.data_type.take_readers(answers);
        if self.pages.data_type.opens_readers {
            self.show_readers();
        }
    }

    fn show_readers(&mut self) {
        let page = &mut self.pages.data_type;
        page.opens_readers = false;
        let Some(answers) = page.readers.ready() else { return };
        let explained = Explained { pinned: true, ..explained(answers, &self.shared) };
        self.push_overlay(Overlay::Explain(explained));
    }
}

/// The results of all readers for the array on show, and their reasons; first those that do not just read it.
pub(super) fn explained(answers: &[ReaderAnswer], shared: &Shared) -> Explained {
    let path = shared.node_path();
    let name = if path.0.is_empty() { shared.root_name() } else { safe_owned(&path.0) };
    let title = format!("{name}   {}", in_short(answers));
    let row = |answer: &ReaderAnswer| {
        let words = format!("{} {}", answer.outcome.sign(), answer.sentence());
        (answer.reader.clone(), safe_owned(&words))
    };
    let mut answers: Vec<_> = answers.iter().collect();
    answers.sort_by_key(|answer| answer.outcome == ReaderOutcome::Reads);
    let table = answers.into_iter().map(row).collect();
    Explained { table, ..Explained::new(title, vec![BASIS.to_owned()]) }
}
