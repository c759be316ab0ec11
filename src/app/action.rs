//! The requests of the user, whatever key, click or command makes them.
//!
//! Actions are plain data, so that the key table is a constant. Each says what a user notices.

use super::prelude::*;
use std::fmt;

/// One wish of the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// The cursor of the pane that has the keys moves.
    Move(Motion),
    /// The view on the right is another one, and has the keys.
    View(View),
    /// Another pane has the keys: the next one, or the one before.
    Pane(Direction),
    /// Opens the thing under the cursor.
    Open,
    /// One level back: closes what is on top, ends what is going on, goes to the tree. Never quits.
    Back,
    /// Leaves the view; at the tree, the program.
    Leave,
    /// Ends the program.
    Quit,
    /// The keys are listed; again, and they are gone.
    Help,
    /// Explains the thing under the cursor.
    Explain,
    /// The gallery of data types opens.
    Gallery,
    /// A key that does nothing here.
    Unbound(UnboundKey),
    /// A line to type into opens.
    Ask(PromptKind),
    /// The line that is typed changes.
    Edit(LineEdit),
    /// The typed line is taken.
    Submit,
    /// A line entered before comes back, or the one after it.
    History(Direction),
    /// The typed word is completed.
    Complete,
    /// The next or the previous place that was searched for.
    NextMatch(Direction),
    /// Everything is read again.
    Reload,
    /// The place before the last jump, or after it.
    Jump(Direction),
    /// The first key of two: the next one says what.
    Prefix(Prefix),
    /// Something goes to the clipboard of the terminal.
    Copy(Copied),
    /// The document or the file on show opens in the user's editor.
    EditFile,
    /// The array is read as the cause of the problem under the cursor says; elsewhere the line for that opens.
    WhatIf,
    /// The program sleeps, and the shell has the terminal.
    Suspend,
    /// The pointer does something.
    Mouse(Pointer),
    /// The next or the previous thing of a kind.
    Step(StepTo, Direction),
    /// Further into the codecs and the shard (`Next`), or back out of them.
    Deeper(Direction),
    /// The other byte order.
    OtherOrder,
    /// The map or the picture shows something else.
    Shows,
    /// The map or the picture has other axes.
    Axes,
    /// Numbers in another base.
    Base,
    /// The bytes under the cursor in every type.
    Inspector,
    /// Offsets in decimal or hexadecimal.
    Offsets,
    /// Decoding goes on after a checksum that does not agree.
    IgnoreChecksums,
    /// The table of chunks instead of the one on show, and back.
    ChunkTable,
    /// Numbers as the attributes mean them, or as they are stored.
    Physical,
    /// The rows of the table sorted by this column; by the column they are sorted by already, the other way round.
    SortBy(TableColumn),
    /// The cursor goes to the highest (`Next`) or the lowest number of the chunk.
    Extreme(Direction),
    /// The cursor goes to the next NaN, infinity or "not a time".
    NonFinite,
    /// Another scale: linear, or by rank.
    Scale,
    /// Less of the array is drawn, larger (`Next`), or more of it.
    Zoom(Direction),
    /// The lesson under way goes on: more of its text, the answer, the hint, the next step.
    Lesson,
    /// The tree is beside the view, or not.
    HideTree,
    /// The question of the lesson is answered so, the first answer being 0.
    Answer(usize),
    /// The element under the cursor of a chunk goes into the playground.
    TryElement,
    /// The bit under the cursor flips.
    FlipBit,
    /// The bytes swap: the order stays, the value changes.
    SwapBytes,
    /// Shows the other format's document, or hides it.
    OtherDocument,
    /// Opens or closes what the cursor is on: a group, equal rows, the start of an object or a list, problems of a kind.
    Fold,
    /// The node is marked to be compared, or compared with the one that is; in a comparison, A and B change places.
    Compare,
    /// The rows of the overview are sorted by something else; those of the table of chunks by the column under the
    /// cursor, or the other way round.
    Sort,
}

/// Forwards or backwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// To the next.
    Next,
    /// To the previous.
    Previous,
}

impl Direction {
    /// True if it leads forwards.
    pub fn is_next(self) -> bool {
        self == Self::Next
    }
}

/// A movement of a cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Motion {
    /// A row up.
    Up,
    /// A row down.
    Down,
    /// A column to the left; in a tree, closes or goes to the parent.
    Left,
    /// A column to the right; in a tree, opens.
    Right,
    /// A page up.
    PageUp,
    /// A page down.
    PageDown,
    /// Half a page up.
    HalfUp,
    /// Half a page down.
    HalfDown,
    /// To the first; with a count, to that one.
    First,
    /// To the last; with a count, to that one.
    Last,
    /// To the start of the row.
    RowStart,
    /// To the end of the row.
    RowEnd,
    /// The cursor stays, and the window moves so that it is there.
    Window(WindowPlace),
}

impl Motion {
    /// Moves a place in a grid with so many places an axis. A cell is so many of them, and a page ten cells.
    pub fn in_grid(
        self,
        (at, counts): (&mut [u64], &[u64]),
        (down, right): (Option<usize>, usize),
        cell: u64,
        count: Option<u64>,
    ) {
        let (many, page) = (count.unwrap_or(1).saturating_mul(cell), cell.saturating_mul(10));
        let (down, right) = (down.map_or(0..0, |axis| axis..axis + 1), right..right + 1);
        let (axes, by, forwards) = match self {
            Self::Up => (down, many, false),
            Self::Down => (down, many, true),
            Self::Left => (right, many, false),
            Self::Right => (right, many, true),
            Self::PageUp | Self::HalfUp => (down, page, false),
            Self::PageDown | Self::HalfDown => (down, page, true),
            Self::RowStart => (right, u64::MAX, false),
            Self::RowEnd => (right, u64::MAX, true),
            Self::First => (0..counts.len(), u64::MAX, false),
            Self::Last => (0..counts.len(), u64::MAX, true),
            Self::Window(_) => return,
        };
        for axis in axes {
            if let (Some(place), Some(count)) = (at.get_mut(axis), counts.get(axis)) {
                let to = if forwards { place.saturating_add(by) } else { place.saturating_sub(by) };
                *place = to.min(count.saturating_sub(1));
            }
        }
    }
}

/// A row of a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WindowPlace {
    /// The first one.
    Top,
    /// The one in the middle.
    Middle,
    /// The last one.
    Bottom,
}

impl WindowPlace {
    /// The number of rows above it in a window of `height`.
    pub fn rows_above(self, height: usize) -> usize {
        match self {
            Self::Top => 0,
            Self::Middle => height / 2,
            Self::Bottom => height.saturating_sub(1),
        }
    }
}

/// A key that does nothing where it was pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnboundKey {
    /// The text before its name: the first of two keys, or a modifier such as `Ctrl-`.
    pub lead: &'static str,
    /// The key itself.
    pub name: KeyName,
    /// The advice on what to press, where another program's users expect something of the key; or where all keys are
    /// listed.
    pub instead: Instead,
}

/// The message in place of an action of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Instead {
    /// The keys to press.
    Press(&'static str),
    /// The view in which the key does something.
    In(View),
}

impl fmt::Display for Instead {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Press(text) => f.write_str(text),
            Self::In(view) => write!(f, "it works in view {} ({})", view.number(), view.name()),
        }
    }
}

/// A key as people write it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyName {
    /// A character.
    Letter(char),
    /// A function key.
    Function(u8),
    /// A key with a name of its own, such as `Del`.
    Named(&'static str),
}

/// The purpose of a typed line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromptKind {
    /// A command.
    Command,
    /// A search in the view; in the tree, for the names that contain the text.
    Search,
    /// A node anywhere in the hierarchy.
    Find,
    /// The name of a file to write the chunk to.
    Export,
}

/// The first of two keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prefix {
    /// `y`: copy what?
    Copy,
    /// `]` and `[`: the next or the previous what?
    Step(Direction),
    /// `z`: the window to where, or which fold?
    Window,
}

/// The text that goes to the clipboard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Copied {
    /// The value, or the row, under the cursor.
    Value,
    /// The node's path.
    Path,
    /// The chunk's key.
    Key,
    /// The bytes under the cursor, as hex.
    Hex,
    /// A text card of the view, fit for an issue report.
    Card,
    /// The fix of the problem under the cursor: a JSON Patch of a document, or a command.
    Fix,
    /// The same as a diff.
    Diff,
}

/// An action of the pointer, and its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pointer {
    /// A click.
    Click(Spot),
    /// The wheel, by so many rows.
    Wheel(Spot, i8),
    /// A drag to here.
    Drag(Spot),
}

/// The place under the pointer, in the cells of its pane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spot {
    /// A cell of the tree.
    Tree(PaneCell),
    /// A cell of the view.
    View(PaneCell),
    /// The title of a view.
    Title(View),
    /// A cell of what is over everything: finder, gallery, key table.
    Over(PaneCell),
}

/// The things that `]` and `[` step through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepTo {
    /// Chunks, in C order of the grid.
    Chunk,
    /// Missing chunks.
    Missing,
    /// Stored chunks.
    Stored,
    /// Slices of a picture, along a dimension that is not drawn.
    Slice,
    /// Faults: damaged chunks, lines of a document, nodes with problems.
    Fault,
    /// Differences of two nodes.
    Difference,
    /// Fields of a struct, or parts of a complex number.
    Field,
    /// Steps of a lesson.
    Lesson,
}
