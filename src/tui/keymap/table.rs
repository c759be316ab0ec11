//! The table itself: which key does what, where.

use super::Binding;
use crate::app::{
    Action, KeyContext, View,
    action::{
        BitsAction, ChunksAction, CompareAction, Copied, Direction, LessonAction, MetadataAction,
        Motion, PictureAction, Prefix, PromptKind, ScriptAction, TableAction, TreeAction,
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
    AfterCopy, AfterNext, AfterPrevious, AfterWindow, Bits as BitsContext, ChunkTable,
    Compare as CompareContext, Everywhere, Explain, Finder, Gallery, Help, Lessons, Map, Overview,
    Playground, Prompt, Script, Tree, Views,
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

const DATA_TYPE: KeyContext = KeyContext::View(View::DataType);
const CHUNKS: KeyContext = KeyContext::View(View::Chunks);
const PICTURE: KeyContext = KeyContext::View(View::Picture);
const METADATA: KeyContext = KeyContext::View(View::Metadata);
const PROBLEMS: KeyContext = KeyContext::View(View::Problems);

/// Makes the table of its rows: in a context the keys, what they do, how the help puts it, and how the footer does.
macro_rules! bindings {
    ($($context:ident {
        $([$($key:expr),+] $action:ident $(($($of:tt)+))?, $help:expr $(, $hint:literal)?;)+
    })+) => {
        /// The table. The order is the order of the help, and within a context that of the footer.
        pub const BINDINGS: &[Binding] = &[$($(Binding {
            context: $context,
            keys: &[$($key),+],
            action: Action::$action $(($($of)+))?,
            help: $help,
            hint: concat!($($hint)?),
        },)+)+];
    };
}

bindings! {
    Views {
        [c('1')] View(View::DataType), View::DataType.help();
        [c('2')] View(View::Chunks), View::Chunks.help();
        [c('3')] View(View::Picture), View::Picture.help();
        [c('4')] View(View::Metadata), View::Metadata.help();
        [c('5')] View(View::Problems), View::Problems.help();
    }
    Everywhere {
        [c('j'), key(Down)] Move(Motion::Down), "down";
        [c('k'), key(Up)] Move(Motion::Up), "up";
        [c('h'), key(Left)] Move(Motion::Left), "left; closes, or goes to the parent";
        [c('l'), key(Right)] Move(Motion::Right), "right; opens";
        [key(PageDown), ctrl('f')] Move(Motion::PageDown), "a page down";
        [key(PageUp), ctrl('b')] Move(Motion::PageUp), "a page up";
        [ctrl('d'), c('d')] Move(Motion::HalfDown), "half a page down";
        [ctrl('u'), c('u')] Move(Motion::HalfUp), "half a page up";
        [c('g'), key(Home)] Move(Motion::First), "to the first";
        [c('G'), key(End)] Move(Motion::Last), "to the last; :12G to number 12";
        [c('K')] Explain, "explains what is under the cursor", "explain";
        [key(Tab)] Pane(Next), "the next pane", "pane";
        [key(BackTab)] Pane(Previous), "the previous pane";
        [c('/')] Ask(PromptKind::Search), "searches; filters the tree", "search";
        [c('n')] NextMatch(Next), "the next match";
        [c('N')] NextMatch(Previous), "the previous match";
        [c('f')] Ask(PromptKind::Find), "finds a node anywhere", "find";
        [c(':')] Ask(PromptKind::Command), "a command, or a place to go to", "go";
        [c('D')] Gallery, "all data types, and a playground", "data types";
        [ctrl('o')] Jump(Previous), "back to the previous place";
        [ctrl('p')] Jump(Next), "forward again";
        [c(']')] Prefix(Prefix::Next), "next: chunk, missing, stored, fault (e), difference";
        [c('[')] Prefix(Prefix::Previous), "the same backwards; :5]c five times";
        [c('z')] Prefix(Prefix::Window), "scrolls: z middle, t top, b bottom; a folds";
        [c('y')] Prefix(Prefix::Copy), "copies: y value, p path, k key, h hex, f fix, d diff";
        [c('Y')] Copy(Copied::Card), "copies the view as Markdown, for an issue or a chat";
        [c('W')] WhatIf, "what if: reads the array as typed or by a cause";
        [c('=')] Compare(CompareAction::Mark), "marks the node; on another, compares the two";
        [c(';'), key(F(2))] Lesson(LessonAction::Go), "in a lesson: more, answer, hint, next step";
        [c('e')] EditFile, "opens a copy in $EDITOR";
        [c('r'), ctrl('l'), key(F(5))] Reload, "reloads everything";
        [key(Enter)] Open, "opens what is under the cursor";
        [key(Esc), key(Backspace)] Back, "one level back; stops running work";
        [c('?'), key(F(1))] Help, "lists the keys", "keys";
        [c('q')] Leave, "leaves the view; at the tree, quits", "leave";
        [ctrl('c')] Quit, "quits";
        [ctrl('z')] Suspend, "suspends";
    }
    Tree {
        [c(' ')] Fold, "opens or closes the group", "open";
        [c(')')] Tree(TreeAction::Sibling(Next)), "the next sibling";
        [c('(')] Tree(TreeAction::Sibling(Previous)), "the previous sibling";
        [c('O')] Sort, "sorts the overview beside it", "sort";
    }
    Overview {
        [key(Enter)] Open, "goes to what is under the cursor", "open";
        [c('O')] Sort, "sorts by size, ratio, missing chunks, name", "sort";
    }
    DATA_TYPE {
        [c(' ')] Explain, "explains the row";
    }
    CHUNKS {
        [key(Enter)] Open, "expands folded rows, opens the shard, or explains";
        [c('0'), c('^')] Move(Motion::RowStart), "to the start of the row";
        [c('$')] Move(Motion::RowEnd), "to the end of the row";
        [c(' ')] Move(Motion::PageDown), "a page down";
        [c('c')] Chunks(ChunksAction::IgnoreChecksums), "ignores a wrong checksum and decodes on", "ignore checksum";
        [c('L')] Chunks(ChunksAction::Stage(Next)), "the next stage of decoding", "stage";
        [c('H')] Chunks(ChunksAction::Stage(Previous)), "the previous stage of decoding", "stage";
        [key(Tab)] Pane(Next), "the map, then the tree", "map";
        [c('x')] Chunks(ChunksAction::OtherOrder), "both byte orders, and which is plausible", "other order";
        [c('t')] Chunks(ChunksAction::Table), "the table of all chunks, and back", "table";
        [c('i')] Chunks(ChunksAction::Inspector), "the bytes as every type", "inspect";
        [c('.')] Chunks(ChunksAction::Chunk(Next)), "the next chunk, as ]c", "chunk";
        [c(',')] Chunks(ChunksAction::Chunk(Previous)), "the previous chunk, as [c";
        [c('s')] Chunks(ChunksAction::Shard), "into the inner chunk under the cursor", "inner chunk";
        [c('S')] Chunks(ChunksAction::Outer), "out to the shard around this inner chunk", "out";
        [c('o')] Chunks(ChunksAction::Offsets), "offsets decimal or hex";
        [c('}')] Chunks(ChunksAction::Field(Next)), "the next field of a struct", "field";
        [c('{')] Chunks(ChunksAction::Field(Previous)), "the field before";
        [c('b')] Chunks(ChunksAction::Base), "values as numbers, hex, binary";
        [c('m')] Chunks(ChunksAction::MapMode), "the map: presence, size, ratio, time";
        [c('a')] Chunks(ChunksAction::MapAxes), "the map: other axes";
        [c('P')] Bits(BitsAction::Take), "the element's bytes and bits in the playground";
        [c('w')] Ask(PromptKind::Export), "writes the chunk to a .npy file; asks for its name";
    }
    AfterNext {
        [c('c')] Chunks(ChunksAction::Chunk(Next)), "the next chunk", "next chunk";
        [c('m')] Chunks(ChunksAction::Missing(Next)), "the next missing chunk", "missing";
        [c('s')] Chunks(ChunksAction::Stored(Next)), "the next stored chunk", "stored";
        [c('e')] Fault(Next), "the next fault: damaged chunk, line, node", "fault";
        [c('d')] Compare(CompareAction::Difference(Next)), "the next difference of two nodes", "difference";
        [c('l')] Lesson(LessonAction::Step(Next)), "the next step of the lesson", "lesson step";
        [key(Esc), key(Backspace)] Back, "", "drop";
        [ctrl('c')] Quit, "";
    }
    AfterPrevious {
        [c('c')] Chunks(ChunksAction::Chunk(Previous)), "the previous chunk", "previous chunk";
        [c('m')] Chunks(ChunksAction::Missing(Previous)), "the previous missing chunk", "missing";
        [c('s')] Chunks(ChunksAction::Stored(Previous)), "the previous stored chunk", "stored";
        [c('e')] Fault(Previous), "the previous fault", "fault";
        [c('d')] Compare(CompareAction::Difference(Previous)), "the previous difference", "difference";
        [c('l')] Lesson(LessonAction::Step(Previous)), "the previous step of the lesson", "lesson step";
        [key(Esc), key(Backspace)] Back, "", "drop";
        [ctrl('c')] Quit, "";
    }
    Map {
        [c('m')] Chunks(ChunksAction::MapMode), "presence, size, ratio, time", "mode";
        [c('a')] Chunks(ChunksAction::MapAxes), "other axes", "axes";
        [c('0'), c('^')] Move(Motion::RowStart), "to the start of the row";
        [c('$')] Move(Motion::RowEnd), "to the end of the row";
        [c('.')] Chunks(ChunksAction::Chunk(Next)), "the next chunk";
        [c(',')] Chunks(ChunksAction::Chunk(Previous)), "the previous chunk";
    }
    ChunkTable {
        [key(Enter)] Open, "goes to the chunk", "chunk";
        [c('O')] Sort, "sorts by this column; again, in reverse", "sort";
        [c('t')] Chunks(ChunksAction::Table), "the chunk again", "back";
        [c('s')] Table(TableAction::Inner), "the inner chunks of this shard", "inner chunks";
        [c('S')] Table(TableAction::Outer), "the shards again", "shards";
        [c('p')] Table(TableAction::Physical), "physical values, by the attributes", "physical";
        [c('}')] Table(TableAction::Field(Next)), "the next field, or part of a complex number", "field";
        [c('{')] Table(TableAction::Field(Previous)), "the previous field";
        [c('w')] Ask(PromptKind::Export), "writes the rows to a .csv file; asks for its name", "CSV";
        [c('0'), c('^')] Move(Motion::RowStart), "to the first column";
        [c('$')] Move(Motion::RowEnd), "to the last column";
        [c(' ')] Move(Motion::PageDown), "a page down";
    }
    PICTURE {
        [c('-')] Picture(PictureAction::Zoom(Previous)), "zooms out: some chunks, then the whole array", "zoom out";
        [c('+')] Picture(PictureAction::Zoom(Next)), "zooms in: to the chunk, then element by element", "zoom in";
        [c('c'), c('}')] Picture(PictureAction::Field(Next)), "the next field, or part of a complex number", "field";
        [c('C'), c('{')] Picture(PictureAction::Field(Previous)), "the previous field";
        [c('.')] Picture(PictureAction::Index(Next)), "the next slice, along a dimension that is not drawn", "slice";
        [c(',')] Picture(PictureAction::Index(Previous)), "the previous slice";
        [c('0'), c('^')] Move(Motion::RowStart), "to the start of the row";
        [c('$')] Move(Motion::RowEnd), "to the end of the row";
        [c('!')] Picture(PictureAction::NonFinite), "to the next NaN, ±Inf or NaT; n and N go on", "NaN";
        [c('<')] Picture(PictureAction::Extreme(Previous)), "to the lowest number of what is drawn", "lowest";
        [c('>')] Picture(PictureAction::Extreme(Next)), "to the highest number of what is drawn", "highest";
        [c('v'), key(Enter)] Open, "the element as bytes and values; Ctrl-o comes back", "values";
        [c('m')] Picture(PictureAction::Reduce), "dimensions not drawn: one index, mean, highest", "reduce";
        [c('a')] Picture(PictureAction::Axes), "other dimensions down and right", "axes";
        [c('s')] Picture(PictureAction::Scale), "colours by value, or by rank", "scale";
    }
    METADATA {
        [c(' ')] Fold, "folds what starts here", "fold";
        [c('v')] Metadata(MetadataAction::Other), "the other format next to it", "V2/V3";
    }
    PROBLEMS {
        [key(Enter)] Open, "goes to the place", "go there";
        [c('W')] WhatIf, "reads as the cause says; again, as declared", "what if";
        [c(' ')] Fold, "opens or closes all of a kind", "all of a kind";
    }
    AfterCopy {
        [c('y')] Copy(Copied::Value), "the value, or the row", "copy value";
        [c('p')] Copy(Copied::Path), "the node's path", "path";
        [c('k')] Copy(Copied::Key), "the chunk's key", "key";
        [c('h')] Copy(Copied::Hex), "the bytes as hex", "hex";
        [c('f')] Copy(Copied::Fix), "the fix of a problem: a JSON Patch, or a command", "fix";
        [c('d')] Copy(Copied::Diff), "the fix of a problem as a diff", "diff";
        [key(Esc), key(Backspace)] Back, "", "drop";
        [ctrl('c')] Quit, "";
    }
    AfterWindow {
        [c('z')] Move(Motion::Window(Middle)), "scrolls the cursor to the middle", "middle";
        [c('t')] Move(Motion::Window(Top)), "scrolls the cursor to the top", "top";
        [c('b')] Move(Motion::Window(Bottom)), "scrolls the cursor to the bottom", "bottom";
        [c('a')] Fold, "opens or closes what is folded", "fold";
        [key(Esc), key(Backspace)] Back, "", "drop";
        [ctrl('c')] Quit, "";
    }
    CompareContext {
        [key(Tab)] Pane(Next), "the next part: documents, chunks, values", "part";
        [key(BackTab)] Pane(Previous), "the part before";
        [key(Enter)] Open, "opens the pair; then goes to it in A", "open";
        [c(' ')] Compare(CompareAction::Same), "shows rows that are the same, or hides them", "same rows";
        [c('x')] Compare(CompareAction::Swap), "swaps A and B", "swap";
        [c('0'), c('^')] Move(Motion::RowStart), "to the first chunk of the row";
        [c('$')] Move(Motion::RowEnd), "to the last chunk of the row";
    }
    Lessons {
        [key(Enter)] Open, "starts or continues the lesson", "start";
    }
    Gallery {
        [key(Enter)] Open, "into the playground; explains a row", "try it";
    }
    BitsContext {
        [c('h'), key(Left)] Move(Motion::Left), "a bit to the left", "left";
        [c('l'), key(Right)] Move(Motion::Right), "a bit to the right", "right";
        [c('k'), key(Up)] Move(Motion::Up), "a byte to the left";
        [c('j'), key(Down)] Move(Motion::Down), "a byte to the right";
        [c(' ')] Bits(BitsAction::Flip), "flips the bit", "flip";
        [c('x')] Bits(BitsAction::Swap), "swaps the bytes: the same order, another value", "swap bytes";
        [c('o')] Bits(BitsAction::Order), "reads in the other byte order", "order";
    }
    Playground {
        [key(Tab)] Pane(Next), "the next line; then the bits, and the rows for K", "next line, bits, rows";
        [key(BackTab)] Pane(Previous), "the previous line";
        [key(Enter)] Submit, "the next line";
        [key(F(2))] Lesson(LessonAction::Go), "goes on in a lesson";
        [key(Up), ctrl('p')] History(Previous), "the previous input; else the type above";
        [key(Down), ctrl('n')] History(Next), "the next input; else the type below";
        [key(Esc)] Back, "back to the list", "list";
        [key(Backspace)] Edit(LineEdit::Erase), "erases";
        [key(Delete)] Edit(LineEdit::Delete), "";
        [ctrl('w')] Edit(LineEdit::EraseWord), "";
        [ctrl('u')] Edit(LineEdit::Clear), "erases to the start";
        [ctrl('k')] Edit(LineEdit::EraseRest), "erases to the end";
        [key(Left), ctrl('b')] Edit(LineEdit::Left), "";
        [key(Right), ctrl('f')] Edit(LineEdit::Right), "";
        [by_word(Left), alt('b')] Edit(LineEdit::WordLeft), "";
        [by_word(Right), alt('f')] Edit(LineEdit::WordRight), "";
        [key(Home), ctrl('a')] Edit(LineEdit::Home), "";
        [key(End), ctrl('e')] Edit(LineEdit::End), "";
        [ctrl('c')] Quit, "";
    }
    Prompt {
        [key(Enter)] Submit, "accepts the line";
        [key(Esc)] Back, "cancels";
        [key(Tab)] Complete, "completes the word";
        [key(Up), ctrl('p')] History(Previous), "the previous line";
        [key(Down), ctrl('n')] History(Next), "the next line";
        [key(Backspace)] Edit(LineEdit::Erase), "erases";
        [key(Delete)] Edit(LineEdit::Delete), "";
        [ctrl('w')] Edit(LineEdit::EraseWord), "erases a word";
        [ctrl('u')] Edit(LineEdit::Clear), "erases to the start";
        [ctrl('k')] Edit(LineEdit::EraseRest), "erases to the end";
        [key(Left), ctrl('b')] Edit(LineEdit::Left), "";
        [key(Right), ctrl('f')] Edit(LineEdit::Right), "";
        [by_word(Left), alt('b')] Edit(LineEdit::WordLeft), "";
        [by_word(Right), alt('f')] Edit(LineEdit::WordRight), "";
        [key(Home), ctrl('a')] Edit(LineEdit::Home), "";
        [key(End), ctrl('e')] Edit(LineEdit::End), "";
        [ctrl('c')] Quit, "";
    }
    Finder {
        [key(Enter)] Submit, "goes there", "go there";
        [key(Esc)] Back, "back", "back";
        [key(Up), ctrl('p')] Move(Motion::Up), "up", "up";
        [key(Down), ctrl('n')] Move(Motion::Down), "down", "down";
        [key(PageUp)] Move(Motion::PageUp), "a page up";
        [key(PageDown)] Move(Motion::PageDown), "a page down";
        [key(Backspace)] Edit(LineEdit::Erase), "erases";
        [ctrl('w')] Edit(LineEdit::EraseWord), "";
        [ctrl('u')] Edit(LineEdit::Clear), "erases to the start";
        [ctrl('k')] Edit(LineEdit::EraseRest), "erases to the end";
        [key(Left), ctrl('b')] Edit(LineEdit::Left), "";
        [key(Right), ctrl('f')] Edit(LineEdit::Right), "";
        [by_word(Left), alt('b')] Edit(LineEdit::WordLeft), "";
        [by_word(Right), alt('f')] Edit(LineEdit::WordRight), "";
        [ctrl('c')] Quit, "";
    }
    Help {
        [c('?'), key(Esc), key(Backspace), c('q'), key(Enter)] Back, "closes", "close";
        [c('j'), key(Down)] Move(Motion::Down), "down", "down";
        [c('k'), key(Up)] Move(Motion::Up), "up", "up";
        [key(PageDown), c(' '), ctrl('d'), c('d')] Move(Motion::PageDown), "a page down";
        [key(PageUp), ctrl('u'), c('u')] Move(Motion::PageUp), "a page up";
        [c('g'), key(Home)] Move(Motion::First), "to the first";
        [c('G'), key(End)] Move(Motion::Last), "to the last";
        [c('/')] Ask(PromptKind::Search), "filters the keys", "search";
        [ctrl('c')] Quit, "";
    }
    Script {
        [c(' '), key(Enter), key(Right)] Script(ScriptAction::Next), "presses its next key now", "next";
        [c('p')] Script(ScriptAction::Pause), "pauses; again, resumes", "pause";
        [key(PageDown), key(Down)] Script(ScriptAction::Scroll(Next)), "the next lines of a long caption";
        [key(PageUp), key(Up)] Script(ScriptAction::Scroll(Previous)), "the lines before";
        [c('+')] Script(ScriptAction::Faster), "faster", "faster";
        [c('-')] Script(ScriptAction::Slower), "slower", "slower";
        [key(Esc), c('q')] Script(ScriptAction::Stop), "stops it there; the keyboard is yours", "stop";
        [ctrl('c')] Quit, "quits";
    }
    Explain {
        [c('K'), key(Esc), key(Backspace), c('q')] Back, "closes; all other keys work as before", "close";
        [key(Tab)] Pane(Next), "focuses it to scroll; again, the next pane";
        [key(PageDown)] Move(Motion::PageDown), "its next lines", "more";
        [key(PageUp)] Move(Motion::PageUp), "its lines before";
        [ctrl('c')] Quit, "";
    }
}
