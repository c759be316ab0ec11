//! A store that is far away: what can be done until it is here, and giving up what a network does not answer.

use super::command;
use super::prelude::*;
use crate::zarr::store::requests::Traffic;

/// The state of opening a store that is not here yet.
#[derive(Clone)]
pub enum Opening {
    /// It is being opened.
    UnderWay,
    /// The user did not want to wait.
    GivenUp,
    /// It could not be opened.
    Failed(Error),
}

/// The words of what nobody waited for.
pub(super) fn given_up() -> Error {
    Error::new(Code::Network, "Given up before the store answered.", "").with_fix("r asks again.")
}

impl App {
    /// The screen of a store with this name and title that is being opened.
    pub fn opening(store_name: String, root_title: String, limit: u64) -> Self {
        let opening = Some(Opening::UnderWay);
        let shared = Shared { store_name, root_title, limit, opening, ..Shared::default() };
        let root = Node {
            path: NodePath::default(),
            kind: NodeKind::Folder,
            other: None,
            consolidated: None,
            problems: Vec::new(),
            unreadable: Vec::new(),
        };
        Self::of(shared, &root, DataTypes::default())
    }

    /// Takes over what somebody who waited for this store has on the screen.
    pub fn opened_after(&mut self, before: &Self) {
        self.progress = before.progress.clone();
        self.shared.requests.clone_from(&before.shared.requests);
        if matches!(before.overlay, Some(Overlay::Requests(_))) {
            self.overlay.clone_from(&before.overlay);
        }
    }

    /// True if `action` does something while the store is being opened.
    pub(super) fn is_possible_while_opening(&self, action: Action) -> bool {
        let is_under_way = matches!(self.shared.opening, Some(Opening::UnderWay));
        match action {
            Action::Back => is_under_way,
            Action::Reload => !is_under_way,
            Action::Leave
            | Action::Quit
            | Action::Help
            | Action::Suspend
            | Action::Ask(PromptKind::Command) => true,
            _ => false,
        }
    }

    /// Does what can be done without a store.
    pub(super) fn act_while_opening(&mut self, action: Action) {
        match action {
            Action::Back if self.is_possible_while_opening(action) => {
                self.shared.opening = Some(Opening::GivenUp);
                self.shared.effects.push(Effect::GiveUp);
            }
            Action::Back | Action::Mouse(_) => {}
            Action::Leave => self.shared.effects.push(Effect::Quit),
            _ if self.is_possible_while_opening(action) => self.act(action),
            _ => self.shared.say("The store is not open yet."),
        }
    }

    /// Opens the store again that could not be opened.
    pub(super) fn open_again(&mut self) {
        self.shared.opening = Some(Opening::UnderWay);
        self.shared.effects.push(Effect::Open);
    }

    /// True if a typed line means something while the store is being opened.
    pub(super) fn is_line_possible(&self, line: &str) -> bool {
        self.shared.opening.is_none()
            || matches!(command::parse(line), Ok(TypedCommand::Word(known, _))
                if ["help", "quit", "reload", "requests"].contains(&known.name))
    }

    /// Takes in what became of the requests so far.
    pub fn take_requests(&mut self, log: RequestLog) {
        self.shared.requests = Some(Arc::new(log));
    }

    /// Shows the requests over the network, or why there are none.
    pub(super) fn show_requests(&mut self) {
        let Shared { requests, is_far, opening, .. } = &self.shared;
        if requests.is_none() && !is_far && opening.is_none() {
            return self
                .shared
                .say("This store is not asked over a network: there are no requests.");
        }
        self.push_overlay(Overlay::Requests(RequestsPage::default()));
    }

    /// Gives up all that waits for the network; false where nothing does.
    pub(super) fn give_up_waiting(&mut self) -> bool {
        if self.shared.traffic().is_none_or(|traffic| traffic.waiting == 0) {
            return false;
        }
        // Documents are laid out without asking anybody.
        let mut busy = self.shared.busy.clone();
        busy.remove(&Lane::Documents);
        for lane in &busy {
            self.stop(*lane);
        }
        if !busy.is_empty() {
            self.shared.say("Given up; r asks again.");
        }
        !busy.is_empty()
    }

    /// Puts in the place of a node that is being read that nobody waited for it.
    pub(super) fn give_up_node(&mut self) {
        if self.shared.reading.is_some() {
            self.take_unreadable_node(given_up());
        }
    }

    /// Puts in the place of what is being listed that nobody waited for it.
    pub(super) fn give_up_lists(&mut self) {
        for path in self.pages.tree.opening_paths() {
            self.pages.tree.listed(&path, Err(given_up()));
        }
    }
}

impl Shared {
    /// The sums over all requests, where the store is asked over a network.
    pub fn traffic(&self) -> Option<Traffic> {
        self.requests.as_ref().map(|log| log.traffic)
    }
}
