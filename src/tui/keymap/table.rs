//! The table itself: which key does what, where. One key has one meaning wherever it has one.

use super::{Binding, BoundAction};
use crate::app::{
    Action, KeyContext, View,
    action::{
        BitsAction, ChunksAction, Copied, Direction, MetadataAction, Motion, PictureAction, Prefix,
        PromptKind, StepTo, TableAction,
        WindowPlace::{Bottom, Middle, Top},
    },
    input::LineEdit,
};
use Direction::{Next, Previous};
use KeyCode::{
    BackTab, Backspace, Char, Delete, Down, End, Enter, Esc, F, Home, Left, PageDown, PageUp,
    Right, Tab, Up,
};
use KeyContext::{
    AfterCopy, AfterStep, AfterWindow, Bits as BitsContext, ChunkTable, Everywhere, Moving,
    Question, Shown, Typing, Views,
};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers as Mods};

const fn key(code: KeyCode) -> KeyEvent {
    KeyEvent::new(code, Mods::NONE)
}
const fn c(letter: char) -> KeyEvent {
    KeyEvent::new(Char(letter), Mods::NONE)
}
const fn ctrl(letter: char) -> KeyEvent {
    KeyEvent::new(Char(letter), Mods::CONTROL)
}
const fn alt(letter: char) -> KeyEvent {
    KeyEvent::new(Char(letter), Mods::ALT)
}
const fn by_word(code: KeyCode) -> KeyEvent {
    KeyEvent::new(code, Mods::CONTROL)
}

const CHUNKS: KeyContext = KeyContext::View(View::Chunks);
const PICTURE: KeyContext = KeyContext::View(View::Picture);
const METADATA: KeyContext = KeyContext::View(View::Metadata);

/// Makes the table of its rows: in a context the keys of each action, how the help puts them, and how the footer does.
macro_rules! bindings {
    ($($context:ident {
        $($([$($key:expr),+] $action:ident $(($($of:tt)+))?),+ => $help:expr $(, $hint:literal)?;)+
    })+) => {
        /// The table. The order is the order of the help, and within a context that of the footer.
        pub const BINDINGS: &[Binding] = &[$($(Binding {
            context: $context,
            ways: &[$(BoundAction { keys: &[$($key),+], action: Action::$action $(($($of)+))? }),+],
            help: $help,
            hint: concat!($($hint)?),
        },)+)+];
    };
}

bindings! {
    Views {
        [c('1')] View(View::DataType) => View::DataType.help();
        [c('2')] View(View::Chunks) => View::Chunks.help();
        [c('3')] View(View::Picture) => View::Picture.help();
        [c('4')] View(View::Metadata) => View::Metadata.help();
        [c('5')] View(View::Problems) => View::Problems.help();
    }
    Moving {
        [c('h'), key(Left)] Move(Motion::Left), [c('j'), key(Down)] Move(Motion::Down),
            [c('k'), key(Up)] Move(Motion::Up), [c('l'), key(Right)] Move(Motion::Right)
            => "move, as arrows do; in trees h closes, l opens";
        [key(PageDown), ctrl('f')] Move(Motion::PageDown),
            [key(PageUp), ctrl('b')] Move(Motion::PageUp) => "a page down, up";
        [ctrl('d')] Move(Motion::HalfDown), [ctrl('u')] Move(Motion::HalfUp) => "half a page down, up";
        [c('g'), key(Home)] Move(Motion::First), [c('G'), key(End)] Move(Motion::Last)
            => "to the first, the last; :12G to number 12";
        [c('0')] Move(Motion::RowStart), [c('$')] Move(Motion::RowEnd)
            => "to the start, the end of the row";
        [key(Tab)] Pane(Next), [key(BackTab)] Pane(Previous) => "the next pane, the one before", "pane";
        [key(Enter)] Open => "goes into what is under the cursor, or to it", "open";
        [key(Esc), key(Backspace)] Back => "one level back; stops running work";
        [c(' ')] Fold => "folds or unfolds", "fold";
        [c('/')] Ask(PromptKind::Search) => "searches; filters the tree, the table, the keys", "search";
        [c('n')] NextMatch(Next), [c('N')] NextMatch(Previous) => "the next, the previous match";
        [c('?'), key(F(1))] Help => "lists the keys, or closes the list", "keys";
        [c('q')] Leave => "closes, leaves; at the tree, quits", "leave";
        [ctrl('c')] Quit => "quits";
    }
    Shown {
        [c('L')] Deeper(Next), [c('H')] Deeper(Previous)
            => "further into, back out of codecs and shards", "codecs";
        [c('x')] OtherOrder => "the other byte order, and which is plausible", "other order";
        [c('m')] Shows => "what the map or the picture shows", "show";
        [c('a')] Axes => "other axes of the map or the picture", "axes";
        [c('O')] Sort => "sorts; in the chunk table by this column", "sort";
        [c('b')] Base => "values as numbers, hex, binary";
        [c('w')] Ask(PromptKind::Export) => "writes the chunk (.npy) or the table (.csv)", "write";
    }
    CHUNKS {
        [c('t')] Chunks(ChunksAction::Table) => "the table of all chunks, and back", "table";
        [c('i')] Chunks(ChunksAction::Inspector) => "the bytes as every type", "inspect";
        [c('c')] Chunks(ChunksAction::IgnoreChecksums) => "ignores a wrong checksum and decodes on", "ignore checksum";
        [c('o')] Chunks(ChunksAction::Offsets) => "offsets decimal or hex";
        [c('P')] Bits(BitsAction::Take) => "the element's bytes and bits in the playground";
    }
    ChunkTable {
        [c('t')] Chunks(ChunksAction::Table) => "the chunk again", "chunk";
        [c('p')] Table(TableAction::Physical) => "physical values, by the attributes", "physical";
    }
    PICTURE {
        [c('-')] Picture(PictureAction::Zoom(Previous)), [c('+')] Picture(PictureAction::Zoom(Next))
            => "zooms out to the array, in to elements", "zoom";
        [c('<')] Picture(PictureAction::Extreme(Previous)),
            [c('>')] Picture(PictureAction::Extreme(Next))
            => "to the lowest, the highest number drawn", "min, max";
        [c('!')] Picture(PictureAction::NonFinite) => "to the next NaN, ±Inf or NaT; n and N go on", "NaN";
        [c('s')] Picture(PictureAction::Scale) => "colours by value, or by rank", "scale";
    }
    METADATA {
        [c('v')] Metadata(MetadataAction::Other) => "the other format's document beside it", "V2/V3";
    }
    BitsContext {
        [c('~')] Bits(BitsAction::Flip) => "flips the bit under the cursor", "flip";
        [c('X')] Bits(BitsAction::Swap) => "reverses the bytes (changes the value)", "reverse bytes";
    }
    AfterStep {
        [c('c')] Step(StepTo::Chunk, Next) => "the next, the previous chunk", "chunk";
        [c('m')] Step(StepTo::Missing, Next) => "missing chunk", "missing";
        [c('w')] Step(StepTo::Stored, Next) => "written (stored) chunk", "stored";
        [c('e')] Step(StepTo::Fault, Next) => "fault: damaged chunk, line, node", "fault";
        [c('s')] Step(StepTo::Slice, Next) => "slice, along a dimension not drawn", "slice";
        [c('f')] Step(StepTo::Field, Next) => "field of a struct, part of a complex number", "field";
        [c('d')] Step(StepTo::Difference, Next) => "difference of two nodes", "difference";
        [c('l')] Step(StepTo::Lesson, Next) => "step of the lesson", "lesson step";
        [key(Esc), key(Backspace)] Back => "", "drop";
        [ctrl('c')] Quit => "";
    }
    AfterCopy {
        [c('y')] Copy(Copied::Value) => "copies the value, or the row", "copy value";
        [c('p')] Copy(Copied::Path) => "the node's path", "path";
        [c('k')] Copy(Copied::Key) => "the chunk's key", "key";
        [c('h')] Copy(Copied::Hex) => "the bytes as hex", "hex";
        [c('f')] Copy(Copied::Fix) => "the fix of a problem: a JSON Patch, or a command", "fix";
        [c('d')] Copy(Copied::Diff) => "the fix of a problem as a diff", "diff";
        [key(Esc), key(Backspace)] Back => "", "drop";
        [ctrl('c')] Quit => "";
    }
    AfterWindow {
        [c('z')] Move(Motion::Window(Middle)), [c('t')] Move(Motion::Window(Top)),
            [c('b')] Move(Motion::Window(Bottom))
            => "scrolls the cursor to the middle, top, bottom", "middle";
        [key(Esc), key(Backspace)] Back => "", "drop";
        [ctrl('c')] Quit => "";
    }
    Everywhere {
        [c('K')] Explain => "explains what is under the cursor", "explain";
        [c('f')] Ask(PromptKind::Find) => "finds a node anywhere", "find";
        [c(':')] Ask(PromptKind::Command) => "a command, or a place to go to", "go";
        [c('D')] Gallery => "all data types, and a playground", "data types";
        [c(']')] Prefix(Prefix::Step(Next)), [c('[')] Prefix(Prefix::Step(Previous))
            => "next, previous: c chunk, m missing, e fault, s slice";
        [c('z')] Prefix(Prefix::Window) => "scrolls: z middle, t top, b bottom";
        [c('y')] Prefix(Prefix::Copy) => "copies: y value, p path, k key, h hex, f fix, d diff";
        [c('Y')] Copy(Copied::Card) => "copies the view as Markdown, for an issue or a chat";
        [c('W')] WhatIf => "what if: reads the array as typed or by a cause", "what if";
        [c('=')] Compare => "marks a node; on another compares both; again swaps";
        [c('r'), ctrl('l'), key(F(5))] Reload => "reloads everything";
        [c('e')] EditFile => "opens a copy in $EDITOR";
        [c(';'), key(F(2))] Lesson => "in a lesson: more, answer, hint, next step";
        [ctrl('o')] Jump(Previous), [ctrl('p')] Jump(Next) => "back to the previous place, forward again";
        [ctrl('z')] Suspend => "suspends";
    }
    Typing {
        [key(Enter)] Submit => "takes the line", "take";
        [key(Esc)] Back => "leaves the line", "leave";
        [key(Tab)] Complete, [key(BackTab)] Pane(Previous) => "completes; in the playground, the next line", "next line";
        [key(Up), ctrl('p')] History(Previous), [key(Down), ctrl('n')] History(Next)
            => "the line before, after; in a list, up, down", "↑↓ move";
        [ctrl('w')] Edit(LineEdit::EraseWord), [ctrl('u')] Edit(LineEdit::Clear),
            [ctrl('k')] Edit(LineEdit::EraseRest),
            [key(Home), ctrl('a')] Edit(LineEdit::Home), [key(End), ctrl('e')] Edit(LineEdit::End),
            [key(Left), ctrl('b')] Edit(LineEdit::Left), [key(Right), ctrl('f')] Edit(LineEdit::Right),
            [by_word(Left), alt('b')] Edit(LineEdit::WordLeft),
            [by_word(Right), alt('f')] Edit(LineEdit::WordRight),
            [key(Backspace)] Edit(LineEdit::Erase), [key(Delete)] Edit(LineEdit::Delete)
            => "erases and moves as in a shell";
        [key(PageDown)] Move(Motion::PageDown), [key(PageUp)] Move(Motion::PageUp) => "";
        [key(F(2))] Lesson => "";
        [ctrl('c')] Quit => "";
    }
    Question {
        [c('a')] Answer(0), [c('b')] Answer(1), [c('c')] Answer(2), [c('d')] Answer(3),
            [c('e')] Answer(4), [c('f')] Answer(5) => "answers the question of the lesson";
    }
}
