//! Requests for a node or a chunk that is not here yet: done as soon as it is, in the order of the keys.
//!
//! While a node is looked for and read, the one before is still known. What is about a node would be about that one:
//! `:go x` and then `=` would mark the wrong one, on a slow disk or typed fast.

use super::command;
use super::prelude::*;
use std::collections::VecDeque;

/// The most keys and commands that wait.
const MOST: usize = 100;

/// A key or a command that waits for the node or the chunk that it is about.
#[derive(Clone)]
enum HeldInput {
    /// A key, with its count.
    Action(Action, Option<u64>),
    /// A typed line.
    Command(String),
}

/// All of them, in their order.
#[derive(Clone, Default)]
pub(super) struct HeldInputs(VecDeque<HeldInput>);

/// The thing that has to be here before something is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    /// Nothing.
    Nothing,
    /// Nothing, but it leads elsewhere: what was asked for before comes first.
    Turn,
    /// The node.
    Node,
    /// The chunk, where the view shows one.
    Chunk,
    /// A finding, where the view shows those of a check.
    Finding,
}

impl Action {
    /// The part of the store that an action needs.
    fn need(self) -> Need {
        match self {
            Self::EditFile
            | Self::Ask(PromptKind::Export)
            | Self::TryElement
            | Self::Copy(Copied::Hex) => Need::Chunk,
            Self::Explain => Need::Finding,
            Self::Compare
            | Self::WhatIf
            | Self::Copy(_)
            | Self::Inspector
            | Self::Offsets
            | Self::IgnoreChecksums
            | Self::ChunkTable
            | Self::Zoom(_)
            | Self::Scale
            | Self::Extreme(_)
            | Self::NonFinite
            | Self::Step(..)
            | Self::Deeper(_)
            | Self::OtherOrder
            | Self::Shows
            | Self::Axes
            | Self::Base
            | Self::Physical
            | Self::SortBy(_)
            | Self::Sort
            | Self::Fold
            | Self::OtherDocument => Need::Node,
            Self::Move(_) | Self::Open | Self::Jump(_) | Self::NextMatch(_) => Need::Turn,
            _ => Need::Nothing,
        }
    }
}

impl App {
    /// Carries out `action`, as soon as what it is about is here.
    pub(super) fn act_or_hold(&mut self, action: Action, count: Option<u64>) {
        if self.shared.opening.is_some() && self.overlay.is_none() {
            self.act_while_opening(action);
        } else if self.cover().is_some()
            || !self.keeps(action.need(), HeldInput::Action(action, count))
        {
            self.act_counted(action, count);
        }
    }

    /// Does what a typed line says, as soon as what it is about is here.
    pub(super) fn run_or_hold(&mut self, line: &str) {
        if !self.is_line_possible(line) {
            self.shared.say("The store is not open yet.");
        } else if !self.keeps(self.need_of_line(line), HeldInput::Command(line.to_owned())) {
            self.run_command(line);
        }
    }

    /// The part of the store that a typed line needs.
    fn need_of_line(&self, line: &str) -> Need {
        match command::parse(line) {
            Err(_) | Ok(TypedCommand::Count(..)) if self.pages.tree.has(line.trim()) => Need::Turn,
            Ok(TypedCommand::Go(place)) if !command::is_chunk_key(&place) => Need::Turn,
            Ok(TypedCommand::By(_) | TypedCommand::Row(_) | TypedCommand::Last) => Need::Chunk,
            Ok(TypedCommand::To(landing)) if !matches!(landing, Landing::Array(_)) => Need::Chunk,
            Ok(TypedCommand::Go(_) | TypedCommand::To(_) | TypedCommand::Count(..)) => Need::Node,
            Ok(TypedCommand::Word(known, _)) => known.need,
            Err(_) => Need::Nothing,
        }
    }

    /// Keeps what was asked for, if it has to wait. False where it can be done now.
    fn keeps(&mut self, need: Need, asked: HeldInput) -> bool {
        let is_next = self.held.0.is_empty();
        let Some(awaited) = self.awaited(need).or_else(|| self.awaited_first()) else {
            return false;
        };
        if need == Need::Nothing || is_next && need == Need::Turn {
            return false;
        }
        if self.held.0.len() >= MOST {
            self.shared
                .fail(format!("{MOST} keys are waiting for {awaited} already. Esc cancels them."));
            return true;
        }
        self.held.0.push_back(asked);
        self.shared.say(format!("Waiting for {awaited}; then this runs. Esc cancels it."));
        true
    }

    /// The thing that the first one waits for, in words.
    fn awaited_first(&self) -> Option<String> {
        self.awaited(self.need_of(self.held.0.front()?))
    }

    fn need_of(&self, asked: &HeldInput) -> Need {
        match asked {
            HeldInput::Action(action, _) => action.need(),
            HeldInput::Command(line) => self.need_of_line(line),
        }
    }

    /// The part of a need that is not here yet, in words.
    fn awaited(&self, need: Need) -> Option<String> {
        if matches!(need, Need::Node | Need::Chunk) && self.is_going() {
            return Some(format!("{} to load", self.goal().in_words()));
        }
        if need == Need::Finding {
            return self.is_first_finding_awaited().then(|| "the check's first finding".to_owned());
        }
        let shows_chunk = matches!(self.shared.view, View::Chunks | View::Picture)
            && !self.shared.has_table()
            && self.shared.chunk.array.is_some();
        let is_pending = matches!(self.shared.chunk.load, Load::Idle | Load::Pending)
            || self.shared.is_busy(Lane::Load);
        (need == Need::Chunk && shows_chunk && is_pending).then(|| "this chunk to load".to_owned())
    }

    /// True if the list of problems is on show, still empty, and a check goes on.
    fn is_first_finding_awaited(&self) -> bool {
        self.shared.view == View::Problems
            && self.shared.focus == Focus::View
            && self.shared.is_busy(Lane::Check)
            && self.pages.problems.found.is_empty()
    }

    /// True if another node than the one on show is being looked for or read.
    fn is_going(&self) -> bool {
        let is_on_the_way = self.shared.pending_visit.is_some();
        let is_read_again = self.shared.is_busy(Lane::Node);
        let is_read = self.shared.reading().is_some() || is_read_again;
        self.pages.tree.target().is_some() || is_read || is_on_the_way
    }

    /// The node that is being gone to, or the one on show.
    fn goal(&self) -> NodePath {
        let visited = self.shared.pending_visit.as_ref().map(|visit| &visit.node);
        let goal = self.pages.tree.target().or(visited).cloned();
        goal.unwrap_or_else(|| self.shared.node_path())
    }

    /// Does what was waiting for what is here now; nothing more once something has failed, such as the way
    /// there, and nothing while something lies over the views, such as a line that is being typed. True if anything was
    /// done.
    pub(super) fn run_held(&mut self) -> bool {
        if self.cover().is_some() {
            return false;
        }
        let before = self.held.0.len();
        let is_ready = |app: &Self| {
            // What was typed as keys is pressed before what was asked for after it.
            let is_pressing = app
                .shared
                .effects
                .iter()
                .any(|it| matches!(it, Effect::Press(_) | Effect::Guide(_)));
            !is_pressing
                && !app.has_failed()
                && app.held.0.front().is_some_and(|first| app.awaited(app.need_of(first)).is_none())
        };
        while is_ready(self) {
            self.shared.message = None;
            match self.held.0.pop_front() {
                // Who has left the problems has not asked for something else to be explained.
                Some(HeldInput::Action(Action::Explain, _))
                    if self.shared.view != View::Problems => {}
                Some(HeldInput::Action(action, count)) => self.act_counted(action, count),
                Some(HeldInput::Command(line)) => self.run_command(&line),
                None => {}
            }
            self.show_selected();
        }
        if self.has_failed() {
            self.held.0.clear();
        }
        self.held.0.len() < before
    }

    fn has_failed(&self) -> bool {
        self.shared.message.as_ref().is_some_and(|message| message.is_failure)
    }

    /// Drops what waits; false where nothing does.
    pub(super) fn drop_held(&mut self) -> bool {
        let is_dropped = !mem::take(&mut self.held.0).is_empty();
        if is_dropped {
            self.shared.say("Cancelled.");
        }
        is_dropped
    }
}
