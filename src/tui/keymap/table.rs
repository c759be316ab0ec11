//! The table itself: which key does what, where. One key has one meaning wherever it has one.

use super::BoundAction;
use crate::app::action::WindowPlace::{Bottom, Middle, Top};
use crate::tui::prelude::*;
use Direction::{Next, Previous};
use KeyCode::{
    BackTab, Backspace, Char, Delete, Down, End, Enter, Esc, F, Home, Left, PageDown, PageUp,
    Right, Tab, Up,
};
use KeyContext::{
    AfterCopy, AfterStep, AfterWindow, Bits as BitsContext, ChunkTable, Everywhere, Moving,
    Question, Shown, Typing, Views,
};
use ratatui::crossterm::event::KeyModifiers as Mods;

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
            => "move; close, open";
        [key(PageDown), ctrl('f')] Move(Motion::PageDown),
            [key(PageUp), ctrl('b')] Move(Motion::PageUp) => "a page down, up";
        [ctrl('d')] Move(Motion::HalfDown), [ctrl('u')] Move(Motion::HalfUp) => "half a page";
        [c('g'), key(Home)] Move(Motion::First), [c('G'), key(End)] Move(Motion::Last)
            => "first, last; :12G";
        [c('0')] Move(Motion::RowStart), [c('$')] Move(Motion::RowEnd)
            => "start, end of the row";
        [key(Tab)] Pane(Next), [key(BackTab)] Pane(Previous) => "next, previous pane", "pane";
        [key(Enter)] Open => "go in, or go there", "open";
        [key(Esc), key(Backspace)] Back => "back; stop running work";
        [c(' ')] Fold => "fold, unfold", "fold";
        [c('/')] Ask(PromptKind::Search) => "search, filter", "search";
        [c('n')] NextMatch(Next), [c('N')] NextMatch(Previous) => "next, previous match";
        [c('?'), key(F(1))] Help => "these keys", "keys";
        [c('q')] Leave => "close, or quit", "leave";
        [ctrl('c')] Quit => "quit";
    }
    Shown {
        [c('L')] Deeper(Next), [c('H')] Deeper(Previous)
            => "into, out of codecs and shards", "codecs";
        [c('x')] OtherOrder => "the other byte order", "other order";
        [c('m')] Shows => "what map and picture show", "show";
        [c('a')] Axes => "other axes", "axes";
        [c('O')] Sort => "sort; a table by its column", "sort";
        [c('b')] Base => "numbers, hex, binary";
        [c('w')] Ask(PromptKind::Export) => "write a file: .npy, .csv", "write";
    }
    CHUNKS {
        [c('t')] ChunkTable => "table of all chunks", "table";
        [c('i')] Inspector => "the bytes as every type", "inspect";
        [c('c')] IgnoreChecksums => "ignore a wrong checksum", "ignore checksum";
        [c('o')] Offsets => "offsets decimal or hex";
        [c('P')] TryElement => "the element in the playground";
    }
    ChunkTable {
        [c('t')] ChunkTable => "the chunk again", "chunk";
        [c('p')] Physical => "physical values", "physical";
    }
    PICTURE {
        [c('-')] Zoom(Previous), [c('+')] Zoom(Next)
            => "zoom out, in", "zoom";
        [c('<')] Extreme(Previous),
            [c('>')] Extreme(Next)
            => "lowest, highest number drawn", "min, max";
        [c('!')] NonFinite => "next NaN, ±Inf or NaT", "NaN";
        [c('s')] Scale => "colours by value or rank", "scale";
    }
    METADATA {
        [c('v')] OtherDocument => "the other format's document", "V2/V3";
    }
    BitsContext {
        [c('~')] FlipBit => "flip the bit", "flip";
        [c('X')] SwapBytes => "reverse the bytes (new value)", "reverse bytes";
    }
    AfterStep {
        [c('c')] Step(StepTo::Chunk, Next) => "next, previous chunk", "chunk";
        [c('m')] Step(StepTo::Missing, Next) => "missing chunk", "missing";
        [c('w')] Step(StepTo::Stored, Next) => "stored (written) chunk", "stored";
        [c('e')] Step(StepTo::Fault, Next) => "fault: chunk, line, node", "fault";
        [c('s')] Step(StepTo::Slice, Next) => "slice", "slice";
        [c('f')] Step(StepTo::Field, Next) => "field, complex part", "field";
        [c('d')] Step(StepTo::Difference, Next) => "difference", "difference";
        [c('l')] Step(StepTo::Lesson, Next) => "step of the lesson", "lesson step";
        [key(Esc), key(Backspace)] Back => "", "drop";
        [ctrl('c')] Quit => "";
    }
    AfterCopy {
        [c('y')] Copy(Copied::Value) => "copy the value, or the row", "copy value";
        [c('p')] Copy(Copied::Path) => "the node's path", "path";
        [c('k')] Copy(Copied::Key) => "the chunk's key", "key";
        [c('h')] Copy(Copied::Hex) => "the bytes as hex", "hex";
        [c('f')] Copy(Copied::Fix) => "a fix: JSON Patch or command", "fix";
        [c('d')] Copy(Copied::Diff) => "a fix as a diff", "diff";
        [key(Esc), key(Backspace)] Back => "", "drop";
        [ctrl('c')] Quit => "";
    }
    AfterWindow {
        [c('z')] Move(Motion::Window(Middle)), [c('t')] Move(Motion::Window(Top)),
            [c('b')] Move(Motion::Window(Bottom))
            => "middle, top, bottom", "middle";
        [key(Esc), key(Backspace)] Back => "", "drop";
        [ctrl('c')] Quit => "";
    }
    Everywhere {
        [c('\\')] HideTree => "hide the tree";
        [c('K')] Explain => "explain what is here", "explain";
        [c('f')] Ask(PromptKind::Find) => "find a node anywhere", "find";
        [c(':')] Ask(PromptKind::Command) => "command or place", "go";
        [c('D')] Gallery => "all data types", "data types";
        [c(']')] Prefix(Prefix::Step(Next)), [c('[')] Prefix(Prefix::Step(Previous))
            => "next, previous …";
        [c('z')] Prefix(Prefix::Window) => "scroll: z, t, b";
        [c('y')] Prefix(Prefix::Copy) => "copy …";
        [c('Y')] Copy(Copied::Card) => "copy as Markdown";
        [c('W')] WhatIf => "what if: read it as …", "what if";
        [c('=')] Compare => "mark, then compare";
        [c('r'), ctrl('l'), key(F(5))] Reload => "reload everything";
        [c('e')] EditFile => "a copy in $EDITOR";
        [c(';'), key(F(2))] Lesson => "lesson: go on";
        [ctrl('o')] Jump(Previous), [ctrl('p')] Jump(Next) => "place before, after";
        [ctrl('z')] Suspend => "suspend";
    }
    Typing {
        [key(Enter)] Submit => "take the line", "take";
        [key(Esc)] Back => "leave the line", "leave";
        [key(Tab)] Complete, [key(BackTab)] Pane(Previous) => "complete; next line", "next line";
        [key(Up), ctrl('p')] History(Previous), [key(Down), ctrl('n')] History(Next)
            => "line before, after", "↑↓ move";
        [ctrl('w')] Edit(LineEdit::EraseWord), [ctrl('u')] Edit(LineEdit::Clear),
            [ctrl('k')] Edit(LineEdit::EraseRest),
            [key(Home), ctrl('a')] Edit(LineEdit::Home), [key(End), ctrl('e')] Edit(LineEdit::End),
            [key(Left), ctrl('b')] Edit(LineEdit::Left), [key(Right), ctrl('f')] Edit(LineEdit::Right),
            [by_word(Left), alt('b')] Edit(LineEdit::WordLeft),
            [by_word(Right), alt('f')] Edit(LineEdit::WordRight),
            [key(Backspace)] Edit(LineEdit::Erase), [key(Delete)] Edit(LineEdit::Delete)
            => "edit as in a shell";
        [key(PageDown)] Move(Motion::PageDown), [key(PageUp)] Move(Motion::PageUp) => "";
        [key(F(2))] Lesson => "";
        [ctrl('c')] Quit => "";
    }
    Question {
        [c('a')] Answer(0), [c('b')] Answer(1), [c('c')] Answer(2), [c('d')] Answer(3),
            [c('e')] Answer(4), [c('f')] Answer(5) => "answer the question";
    }
}
