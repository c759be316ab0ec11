//! Reading an array as if its document declared something else, until that is ended.
//!
//! It is a state of the whole program: all work that reads the store is told of it, and every view shows what comes of
//! it. The store is never changed.

use super::prelude::*;
use crate::zarr::{error::ChangedFile, what_if};
use std::sync::OnceLock;

/// An array that is read as something else than it declares.
pub struct ReadAs {
    /// The path.
    pub path: NodePath,
    /// The settings it is read by.
    pub what_if: WhatIf,
    /// The metadata of its documents; `None` where it has none.
    pub declared: Option<Arc<ArrayMetadata>>,
    /// The document that is supposed where it has none, once it was guessed.
    pub guessed: OnceLock<Result<Option<ChangedFile>, Error>>,
}

impl ReadAs {
    /// `hierarchy` with the array declared so.
    ///
    /// # Errors
    ///
    /// As [`WhatIf::over`].
    pub fn over(&self, hierarchy: &Hierarchy) -> Result<Hierarchy, Error> {
        let guess = || self.what_if.guessed(hierarchy, &self.path);
        let guessed = self.guessed.get_or_init(guess).clone()?;
        self.what_if.over_guessed(hierarchy, &self.path, guessed)
    }
}

impl Shared {
    /// The settings that the node on show is read by, where these are not its own.
    pub fn supposed(&self) -> Option<&WhatIf> {
        let read_as = self.read_as.as_ref()?;
        self.node().filter(|node| node.path == read_as.path).map(|_| &read_as.what_if)
    }

    /// Reads the node at `path` again, or its line in the tree where it is not on show.
    fn read_again(&mut self, path: &NodePath) {
        if *path == self.node_path() {
            self.chunk.presence.forget_tried();
            self.run(Lane::Node, Work::Node(path.clone()));
        } else if let Some(parent) = path.parent() {
            self.run(Lane::List, Work::List(parent));
        }
    }
}

impl App {
    /// True if the picture shows before and after a what-if.
    pub(super) fn compares_with_declared(&self) -> bool {
        let shared = &self.shared;
        let before = shared.chunk.shown().and_then(|shown| shown.declared.as_ref());
        let is_drawn = shared.view == View::Picture && shared.supposed().is_some();
        is_drawn && before.is_some() && !self.pages.picture.draws_array(&shared.chunk)
    }

    /// Reads the array as the cause of the problem under the cursor says, or again as it declares; elsewhere opens the
    /// line for it, with the settings in use.
    pub(super) fn what_if(&mut self) {
        let in_problems = self.shared.view == View::Problems && self.shared.focus != Focus::Tree;
        let cause = if in_problems { self.pages.problems.what_if() } else { None };
        if let Some((path, settings)) = cause {
            let now = self.shared.read_as.as_ref();
            if now.is_some_and(|now| now.path == path && now.what_if == settings) {
                return self.read_as_declared();
            }
            if settings.guesses() {
                // The tree has no line of it before it is read so.
                self.pages.tree.expect(path.clone());
                return self.read_at(path, settings, None);
            }
            return self.shared.visit(path, Purpose::ReadAs(settings));
        }
        let Some(node) = self.shared.node().cloned() else { return };
        let supposed = self.shared.supposed().map(ToString::to_string);
        let settings = supposed.or_else(|| match &node.kind {
            NodeKind::Array(array) => Some(what_if::in_use(array)),
            NodeKind::Folder | NodeKind::Broken(_) => Some(WhatIf::guess().to_string()),
            NodeKind::Group(_) => None,
        });
        let Some(settings) = settings else { return self.shared.fail(NO_ARRAY) };
        self.ask(PromptKind::Command);
        if let Some(Overlay::Prompt(prompt)) = &mut self.overlay {
            prompt.input = Input::new(format!("as {settings}"));
        }
    }

    /// Reads the array on show as the settings that were typed say; `off`, or none, ends that.
    pub(super) fn read_as_typed(&mut self, settings: &str) {
        if matches!(settings, "" | "off") {
            return self.read_as_declared();
        }
        match WhatIf::parse(settings) {
            Ok(what_if) => self.read_as(what_if),
            Err(error) => self.shared.fail(safe_text(&error)),
        }
    }

    /// Reads the array on show by other settings.
    pub(super) fn read_as(&mut self, what_if: WhatIf) {
        let Some(node) = self.shared.node().cloned() else { return };
        let same = self.shared.read_as.as_ref().filter(|before| before.path == node.path);
        let declared = match (&node.kind, same) {
            (_, Some(same)) => same.declared.clone(),
            (NodeKind::Array(array), None) => Some(Arc::clone(array)),
            _ => None,
        };
        match &declared {
            None if what_if.guesses() => {}
            None => return self.shared.fail(NO_ARRAY),
            Some(_) if what_if.guesses() => return self.shared.fail(HAS_DOCUMENT),
            Some(array) => {
                if let Err(error) = what_if.document(array) {
                    return self.shared.fail(safe_text(&error));
                }
            }
        }
        self.read_at(node.path.clone(), what_if, declared);
    }

    /// Reads the array at `path` by other settings than are `declared`.
    fn read_at(&mut self, path: NodePath, what_if: WhatIf, declared: Option<Arc<ArrayMetadata>>) {
        let text = format!("read as {what_if}; :as off ends it. The store is not changed.");
        let before = self.shared.read_as.take().filter(|before| before.path != path);
        let now = Arc::new(ReadAs { path, what_if, declared, guessed: OnceLock::new() });
        self.shared.read_as = Some(Arc::clone(&now));
        for path in before.iter().map(|it| &it.path).chain([&now.path]) {
            self.shared.read_again(path);
        }
        self.shared.say(safe(&text));
    }

    pub(super) fn read_as_declared(&mut self) {
        let Some(before) = self.shared.read_as.take() else {
            return self.shared.fail("no what-if is in use; `:as dtype=<f4` starts one");
        };
        self.shared.read_again(&before.path);
        self.shared.say("read as the metadata declares");
    }
}

const NO_ARRAY: &str = "only an array can be read as something else; this node is not one";
const HAS_DOCUMENT: &str = "this array has a document; document=guess is for chunks without one";
