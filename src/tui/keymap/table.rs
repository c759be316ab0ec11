//! The table itself: which key does what, where.

use super::Binding;
use crate::app::{
    Action, KeyContext, View,
    action::{
        ChunksAction, Copied, Direction, MetadataAction, Motion, PictureAction, Prefix, PromptKind,
        TreeAction,
    },
    input::Edit,
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
const fn on(
    context: KeyContext,
    keys: &'static [KeyEvent],
    action: Action,
    help: &'static str,
) -> Binding {
    Binding { context, keys, action, help, hint: "" }
}
/// A digit chooses a view, or counts.
const fn digit(digit: u8, keys: &'static [KeyEvent]) -> Binding {
    on(Everywhere, keys, Action::Digit(digit), View::help(digit))
}
const fn hinted(
    context: KeyContext,
    keys: &'static [KeyEvent],
    action: Action,
    help: &'static str,
    hint: &'static str,
) -> Binding {
    Binding { context, keys, action, help, hint }
}

use Direction::{Next, Previous};
use KeyCode::{
    BackTab, Backspace, Char, Delete, Down, End, Enter, Esc, F, Home, Left, PageDown, PageUp,
    Right, Tab, Up,
};
use KeyContext::{
    AfterCopy, AfterNext, AfterPrevious, Everywhere, Explain, Finder, Gallery, Help, Map,
    Playground, Prompt, Tree,
};

const DATA_TYPE: KeyContext = KeyContext::View(View::DataType);
const CHUNKS: KeyContext = KeyContext::View(View::Chunks);
const PICTURE: KeyContext = KeyContext::View(View::Picture);
const METADATA: KeyContext = KeyContext::View(View::Metadata);
const PROBLEMS: KeyContext = KeyContext::View(View::Problems);

/// The table. The order is the order of the help, and within a context that of the footer.
pub const BINDINGS: &[Binding] = &[
    // Everywhere
    on(Everywhere, &[c('j'), key(Down)], Action::Move(Motion::Down), "down"),
    on(Everywhere, &[c('k'), key(Up)], Action::Move(Motion::Up), "up"),
    on(Everywhere, &[c('h'), key(Left)], Action::Move(Motion::Left), "left; closes, to the parent"),
    on(Everywhere, &[c('l'), key(Right)], Action::Move(Motion::Right), "right; opens"),
    on(Everywhere, &[key(PageDown), ctrl('f')], Action::Move(Motion::PageDown), "a page down"),
    on(Everywhere, &[key(PageUp), ctrl('b')], Action::Move(Motion::PageUp), "a page up"),
    on(Everywhere, &[ctrl('d'), c('d')], Action::Move(Motion::HalfDown), "half a page down"),
    on(Everywhere, &[ctrl('u'), c('u')], Action::Move(Motion::HalfUp), "half a page up"),
    on(Everywhere, &[c('g'), key(Home)], Action::Move(Motion::First), "to the first"),
    on(
        Everywhere,
        &[c('G'), key(End)],
        Action::Move(Motion::Last),
        "to the last; 12G to number 12",
    ),
    digit(1, &[c('1')]),
    digit(2, &[c('2')]),
    digit(3, &[c('3')]),
    digit(4, &[c('4')]),
    digit(5, &[c('5')]),
    digit(6, &[c('6')]),
    digit(7, &[c('7')]),
    digit(8, &[c('8')]),
    digit(9, &[c('9')]),
    digit(0, &[c('0')]),
    hinted(Everywhere, &[c('K')], Action::Explain, "explains what is under the cursor", "explain"),
    hinted(Everywhere, &[key(Tab)], Action::Pane(Next), "the next pane", "pane"),
    on(Everywhere, &[key(BackTab)], Action::Pane(Previous), "the pane before"),
    hinted(
        Everywhere,
        &[c('/')],
        Action::Ask(PromptKind::Search),
        "searches; filters the tree",
        "search",
    ),
    on(Everywhere, &[c('n')], Action::NextMatch(Next), "the next hit"),
    on(Everywhere, &[c('N')], Action::NextMatch(Previous), "the hit before"),
    hinted(Everywhere, &[c('f')], Action::Ask(PromptKind::Find), "finds a node anywhere", "find"),
    hinted(
        Everywhere,
        &[c(':')],
        Action::Ask(PromptKind::Command),
        "a command, or a place to go to",
        "go",
    ),
    hinted(
        Everywhere,
        &[c('D')],
        Action::Gallery,
        "all data types, and a playground",
        "data types",
    ),
    on(Everywhere, &[ctrl('o')], Action::Jump(Previous), "back to the place before the jump"),
    on(Everywhere, &[ctrl('p')], Action::Jump(Next), "forth again"),
    on(
        Everywhere,
        &[c('y')],
        Action::Prefix(Prefix::Copy),
        "copies: y value, p path, k key, h hex",
    ),
    on(Everywhere, &[c('Y')], Action::Copy(Copied::Card), "copies a card for an issue report"),
    on(Everywhere, &[c('e')], Action::EditFile, "opens a copy in $EDITOR"),
    on(Everywhere, &[c('r'), ctrl('l'), key(F(5))], Action::Reload, "reads everything again"),
    on(Everywhere, &[key(Enter)], Action::Open, "opens what is under the cursor"),
    on(Everywhere, &[key(Esc)], Action::Back, "one level back; stops what is going on"),
    hinted(Everywhere, &[c('?'), key(F(1))], Action::Help, "lists the keys", "keys"),
    hinted(Everywhere, &[c('q')], Action::Leave, "leaves the view; at the tree, quits", "leave"),
    on(Everywhere, &[ctrl('c')], Action::Quit, "quits"),
    on(Everywhere, &[ctrl('z')], Action::Suspend, "suspends"),
    // Tree
    hinted(Tree, &[c(' ')], Action::Tree(TreeAction::Toggle), "opens or closes the group", "open"),
    on(Tree, &[c(')')], Action::Tree(TreeAction::Sibling(Next)), "the next node beside this one"),
    on(
        Tree,
        &[c('(')],
        Action::Tree(TreeAction::Sibling(Previous)),
        "the node before, beside this one",
    ),
    // Data type
    hinted(DATA_TYPE, &[c(' ')], Action::Explain, "explains the row", ""),
    // Chunks
    on(CHUNKS, &[key(Enter)], Action::Open, "unfolds equal rows; into the shard; or explains"),
    on(CHUNKS, &[c('^')], Action::Move(Motion::RowStart), "to the start of the row"),
    on(CHUNKS, &[c('$')], Action::Move(Motion::RowEnd), "to the end of the row"),
    on(CHUNKS, &[c(' ')], Action::Move(Motion::PageDown), "a page down"),
    hinted(
        CHUNKS,
        &[c('c')],
        Action::Chunks(ChunksAction::IgnoreChecksums),
        "goes on behind a wrong checksum",
        "go on without it",
    ),
    hinted(CHUNKS, &[c(']')], Action::Prefix(Prefix::Next), "the next stage", "stage"),
    on(CHUNKS, &[c('[')], Action::Prefix(Prefix::Previous), "the stage before"),
    hinted(CHUNKS, &[key(Tab)], Action::Pane(Next), "the map, then the tree", "map"),
    hinted(
        CHUNKS,
        &[c('x')],
        Action::Chunks(ChunksAction::OtherOrder),
        "the other byte order too, and which is plausible",
        "other order",
    ),
    hinted(
        CHUNKS,
        &[c('i')],
        Action::Chunks(ChunksAction::Inspector),
        "the bytes in every type",
        "inspect",
    ),
    hinted(
        CHUNKS,
        &[c('.')],
        Action::Chunks(ChunksAction::Chunk(Next)),
        "the next chunk, as ]c",
        "chunk",
    ),
    on(CHUNKS, &[c(',')], Action::Chunks(ChunksAction::Chunk(Previous)), "the chunk before, as [c"),
    hinted(
        CHUNKS,
        &[c('s')],
        Action::Chunks(ChunksAction::Shard),
        "into the inner chunk here; from the last one out",
        "shard",
    ),
    hinted(
        CHUNKS,
        &[c('S')],
        Action::Chunks(ChunksAction::Outer),
        "out to the shard around this inner chunk",
        "out",
    ),
    on(CHUNKS, &[c('o')], Action::Chunks(ChunksAction::Offsets), "offsets decimal or hex"),
    on(CHUNKS, &[c('b')], Action::Chunks(ChunksAction::Base), "values as numbers, hex, binary"),
    on(
        CHUNKS,
        &[c('m')],
        Action::Chunks(ChunksAction::MapMode),
        "the map: presence, size, ratio, time",
    ),
    on(CHUNKS, &[c('a')], Action::Chunks(ChunksAction::MapAxes), "the map: other axes"),
    on(
        CHUNKS,
        &[c('w')],
        Action::Chunks(ChunksAction::Export),
        "writes the chunk to a .npy file here",
    ),
    on(CHUNKS, &[c('z')], Action::Chunks(ChunksAction::Centre), "the cursor to the middle"),
    // After ] and [
    hinted(
        AfterNext,
        &[c('c')],
        Action::Chunks(ChunksAction::Chunk(Next)),
        "the next chunk",
        "next chunk",
    ),
    hinted(
        AfterNext,
        &[c('m')],
        Action::Chunks(ChunksAction::Missing(Next)),
        "the next missing chunk",
        "missing",
    ),
    hinted(
        AfterNext,
        &[c('s')],
        Action::Chunks(ChunksAction::Stored(Next)),
        "the next stored chunk",
        "stored",
    ),
    hinted(
        AfterNext,
        &[c('e')],
        Action::Chunks(ChunksAction::Damaged(Next)),
        "the next damaged chunk",
        "damaged",
    ),
    hinted(
        AfterPrevious,
        &[c('c')],
        Action::Chunks(ChunksAction::Chunk(Previous)),
        "the chunk before",
        "chunk before",
    ),
    hinted(
        AfterPrevious,
        &[c('m')],
        Action::Chunks(ChunksAction::Missing(Previous)),
        "the missing chunk before",
        "missing",
    ),
    hinted(
        AfterPrevious,
        &[c('s')],
        Action::Chunks(ChunksAction::Stored(Previous)),
        "the stored chunk before",
        "stored",
    ),
    hinted(
        AfterPrevious,
        &[c('e')],
        Action::Chunks(ChunksAction::Damaged(Previous)),
        "the damaged chunk before",
        "damaged",
    ),
    // Map
    hinted(
        Map,
        &[c('m')],
        Action::Chunks(ChunksAction::MapMode),
        "presence, size, ratio, time",
        "mode",
    ),
    hinted(Map, &[c('a')], Action::Chunks(ChunksAction::MapAxes), "other axes", "axes"),
    on(Map, &[c('.')], Action::Chunks(ChunksAction::Chunk(Next)), "the next chunk"),
    on(Map, &[c(',')], Action::Chunks(ChunksAction::Chunk(Previous)), "the chunk before"),
    on(Map, &[c(']')], Action::Prefix(Prefix::Next), "]c ]m ]s ]e: next, missing, stored, damaged"),
    on(Map, &[c('[')], Action::Prefix(Prefix::Previous), "[c [m [s [e: the same backwards"),
    // Picture
    hinted(
        PICTURE,
        &[c('c'), c('}')],
        Action::Picture(PictureAction::Field(Next)),
        "the next field, or part of a complex number",
        "field",
    ),
    on(
        PICTURE,
        &[c('C'), c('{')],
        Action::Picture(PictureAction::Field(Previous)),
        "the field before",
    ),
    hinted(
        PICTURE,
        &[c('.')],
        Action::Picture(PictureAction::Index(Next)),
        "the next slice, along what is not drawn",
        "slice",
    ),
    on(PICTURE, &[c(',')], Action::Picture(PictureAction::Index(Previous)), "the slice before"),
    hinted(
        PICTURE,
        &[c('!')],
        Action::Picture(PictureAction::NonFinite),
        "to the next NaN, ±Inf or NaT; n and N go on",
        "NaN",
    ),
    hinted(
        PICTURE,
        &[c('<')],
        Action::Picture(PictureAction::Extreme(Previous)),
        "to the lowest number of the chunk",
        "lowest",
    ),
    hinted(
        PICTURE,
        &[c('>')],
        Action::Picture(PictureAction::Extreme(Next)),
        "to the highest number of the chunk",
        "highest",
    ),
    hinted(
        PICTURE,
        &[c('v'), key(Enter)],
        Action::Open,
        "the element as bytes and values; Ctrl-o comes back",
        "values",
    ),
    hinted(
        PICTURE,
        &[c('a')],
        Action::Picture(PictureAction::Axes),
        "other dimensions down and right",
        "axes",
    ),
    hinted(
        PICTURE,
        &[c('s')],
        Action::Picture(PictureAction::Scale),
        "colours by value, or by rank",
        "scale",
    ),
    on(PICTURE, &[c(']')], Action::Prefix(Prefix::Next), "]c the next chunk, ]m missing"),
    on(PICTURE, &[c('[')], Action::Prefix(Prefix::Previous), "[c the chunk before"),
    // Metadata
    hinted(
        METADATA,
        &[c(' '), c('z')],
        Action::Metadata(MetadataAction::Fold),
        "folds what starts here",
        "fold",
    ),
    hinted(
        METADATA,
        &[c('v')],
        Action::Metadata(MetadataAction::Other),
        "the other format beside it",
        "V2/V3",
    ),
    hinted(
        METADATA,
        &[c(']')],
        Action::Metadata(MetadataAction::Fault(Next)),
        "the next fault",
        "fault",
    ),
    on(METADATA, &[c('[')], Action::Metadata(MetadataAction::Fault(Previous)), "the fault before"),
    // Problems
    hinted(PROBLEMS, &[key(Enter)], Action::Open, "goes to the place", "go there"),
    hinted(
        PROBLEMS,
        &[c(' ')],
        Action::FoldProblems,
        "opens or closes many of a kind",
        "all of a kind",
    ),
    // After y
    hinted(
        AfterCopy,
        &[c('y')],
        Action::Copy(Copied::Value),
        "the value, or the row",
        "copy value",
    ),
    hinted(AfterCopy, &[c('p')], Action::Copy(Copied::Path), "the node's path", "path"),
    hinted(AfterCopy, &[c('k')], Action::Copy(Copied::Key), "the chunk's key", "key"),
    hinted(AfterCopy, &[c('h')], Action::Copy(Copied::Hex), "the bytes as hex", "hex"),
    // Gallery and playground
    hinted(Gallery, &[key(Enter)], Action::Open, "into the playground; explains a row", "try it"),
    hinted(
        Playground,
        &[key(Tab)],
        Action::Pane(Next),
        "the next line; behind them the rows, for K",
        "next line, rows",
    ),
    on(Playground, &[key(BackTab)], Action::Pane(Previous), "the line before"),
    on(Playground, &[key(Enter)], Action::Submit, "the other line"),
    on(
        Playground,
        &[key(Up), ctrl('p')],
        Action::History(Previous),
        "what was typed before; else the type above",
    ),
    on(
        Playground,
        &[key(Down), ctrl('n')],
        Action::History(Next),
        "what was typed after; else the type below",
    ),
    hinted(Playground, &[key(Esc)], Action::Back, "back to the list", "list"),
    on(Playground, &[key(Backspace), ctrl('h')], Action::Edit(Edit::Erase), "erases"),
    on(Playground, &[key(Delete)], Action::Edit(Edit::Delete), ""),
    on(Playground, &[ctrl('w')], Action::Edit(Edit::EraseWord), ""),
    on(Playground, &[ctrl('u')], Action::Edit(Edit::Clear), "erases what is before the cursor"),
    on(Playground, &[ctrl('k')], Action::Edit(Edit::EraseRest), "erases what is behind it"),
    on(Playground, &[key(Left), ctrl('b')], Action::Edit(Edit::Left), ""),
    on(Playground, &[key(Right), ctrl('f')], Action::Edit(Edit::Right), ""),
    on(Playground, &[by_word(Left), alt('b')], Action::Edit(Edit::WordLeft), ""),
    on(Playground, &[by_word(Right), alt('f')], Action::Edit(Edit::WordRight), ""),
    on(Playground, &[key(Home), ctrl('a')], Action::Edit(Edit::Home), ""),
    on(Playground, &[key(End), ctrl('e')], Action::Edit(Edit::End), ""),
    on(Playground, &[ctrl('c')], Action::Quit, ""),
    // Typing
    on(Prompt, &[key(Enter)], Action::Submit, "takes the line"),
    on(Prompt, &[key(Esc)], Action::Back, "drops it"),
    on(Prompt, &[key(Tab)], Action::Complete, "completes the word"),
    on(Prompt, &[key(Up), ctrl('p')], Action::History(Previous), "the line before"),
    on(Prompt, &[key(Down), ctrl('n')], Action::History(Next), "the line after"),
    on(Prompt, &[key(Backspace), ctrl('h')], Action::Edit(Edit::Erase), "erases"),
    on(Prompt, &[key(Delete)], Action::Edit(Edit::Delete), ""),
    on(Prompt, &[ctrl('w')], Action::Edit(Edit::EraseWord), "erases a word"),
    on(Prompt, &[ctrl('u')], Action::Edit(Edit::Clear), "erases what is before the cursor"),
    on(Prompt, &[ctrl('k')], Action::Edit(Edit::EraseRest), "erases what is behind it"),
    on(Prompt, &[key(Left), ctrl('b')], Action::Edit(Edit::Left), ""),
    on(Prompt, &[key(Right), ctrl('f')], Action::Edit(Edit::Right), ""),
    on(Prompt, &[by_word(Left), alt('b')], Action::Edit(Edit::WordLeft), ""),
    on(Prompt, &[by_word(Right), alt('f')], Action::Edit(Edit::WordRight), ""),
    on(Prompt, &[key(Home), ctrl('a')], Action::Edit(Edit::Home), ""),
    on(Prompt, &[key(End), ctrl('e')], Action::Edit(Edit::End), ""),
    on(Prompt, &[ctrl('c')], Action::Quit, ""),
    // Finder
    hinted(Finder, &[key(Enter)], Action::Submit, "goes there", "go there"),
    hinted(Finder, &[key(Esc)], Action::Back, "back", "back"),
    hinted(Finder, &[key(Up), ctrl('p')], Action::Move(Motion::Up), "up", "up"),
    hinted(Finder, &[key(Down), ctrl('n')], Action::Move(Motion::Down), "down", "down"),
    on(Finder, &[key(PageUp)], Action::Move(Motion::PageUp), "a page up"),
    on(Finder, &[key(PageDown)], Action::Move(Motion::PageDown), "a page down"),
    on(Finder, &[key(Backspace), ctrl('h')], Action::Edit(Edit::Erase), "erases"),
    on(Finder, &[ctrl('w')], Action::Edit(Edit::EraseWord), ""),
    on(Finder, &[ctrl('u')], Action::Edit(Edit::Clear), "erases what is before the cursor"),
    on(Finder, &[ctrl('k')], Action::Edit(Edit::EraseRest), "erases what is behind it"),
    on(Finder, &[key(Left), ctrl('b')], Action::Edit(Edit::Left), ""),
    on(Finder, &[key(Right), ctrl('f')], Action::Edit(Edit::Right), ""),
    on(Finder, &[by_word(Left), alt('b')], Action::Edit(Edit::WordLeft), ""),
    on(Finder, &[by_word(Right), alt('f')], Action::Edit(Edit::WordRight), ""),
    on(Finder, &[ctrl('c')], Action::Quit, ""),
    // Help and explanation
    hinted(Help, &[c('?'), key(Esc), c('q'), key(Enter)], Action::Back, "closes", "close"),
    hinted(Help, &[c('j'), key(Down)], Action::Move(Motion::Down), "down", "down"),
    hinted(Help, &[c('k'), key(Up)], Action::Move(Motion::Up), "up", "up"),
    on(
        Help,
        &[key(PageDown), c(' '), ctrl('d'), c('d')],
        Action::Move(Motion::PageDown),
        "a page down",
    ),
    on(Help, &[key(PageUp), ctrl('u'), c('u')], Action::Move(Motion::PageUp), "a page up"),
    on(Help, &[c('g'), key(Home)], Action::Move(Motion::First), "to the first"),
    on(Help, &[c('G'), key(End)], Action::Move(Motion::Last), "to the last"),
    hinted(
        Help,
        &[c('/')],
        Action::Ask(PromptKind::Search),
        "shows the keys that have this in them",
        "search",
    ),
    on(Help, &[ctrl('c')], Action::Quit, ""),
    hinted(
        Explain,
        &[c('K'), key(Esc), c('q'), key(Enter), c(' ')],
        Action::Back,
        "closes",
        "close",
    ),
    hinted(Explain, &[c('j'), key(Down)], Action::Move(Motion::Down), "down", "down"),
    hinted(Explain, &[c('k'), key(Up)], Action::Move(Motion::Up), "up", "up"),
    on(Explain, &[key(PageDown), ctrl('d')], Action::Move(Motion::PageDown), "a page down"),
    on(Explain, &[key(PageUp), ctrl('u')], Action::Move(Motion::PageUp), "a page up"),
    on(Explain, &[ctrl('c')], Action::Quit, ""),
];
