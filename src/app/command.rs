//! The command line: what a typed line means, and how it is completed.

use super::prelude::*;
use super::{held::Need, jumps};
use crate::zarr::what_if::MEMBERS;

/// What a typed line asks for.
#[derive(Debug)]
pub enum TypedCommand {
    /// To go to a place in the chunk, or to an element of the array.
    To(Landing),
    /// To go so many bytes on.
    By(i64),
    /// To go to a row, or to an element by its number.
    Row(u64),
    /// To go to the last row.
    Last,
    /// To go to a node or a chunk.
    Go(String),
    /// To press a key with a count.
    Count(u64, String),
    /// What a word says, with what follows it.
    Word(&'static CommandWord, String),
}

/// A word that a line may begin with.
#[derive(Debug)]
pub struct CommandWord {
    /// The word.
    pub name: &'static str,
    /// Other words for the same.
    also: &'static [&'static str],
    /// What must be there before it can be done.
    pub(super) need: Need,
    /// What it does with the rest of the line; nothing where the rest is a place that could stand alone.
    pub(super) run: fn(&mut App, &str),
    /// What it does, in a few words.
    pub help: &'static str,
}

macro_rules! words {
    ($($name:literal $(| $also:literal)*, $need:ident, $run:expr, $help:literal;)+) => {
        /// All words, in the order in which they are completed.
        pub const WORDS: &[CommandWord] = &[$(CommandWord {
            name: $name,
            also: &[$($also),*],
            need: Need::$need,
            run: $run,
            help: $help,
        }),+];
    };
}

words! {
    "go" | "cd" | "goto" | "open", Node, |_, _| {}, "go to a node or a chunk: go sst, go c/1/0";
    "e", Chunk, |_, _| {}, "go to an element of the chunk by number: e 40";
    "types", Nothing, |app, _| app.choose_view(View::DataType), "show the data type";
    "chunks", Nothing, |app, _| app.choose_view(View::Chunks), "show the chunks";
    "picture", Nothing, |app, _| app.choose_view(View::Picture), "show the picture";
    "metadata", Nothing, |app, _| app.choose_view(View::Metadata), "show the metadata";
    "problems", Nothing, |app, _| app.choose_view(View::Problems), "show the problems";
    "as", Node, App::read_as_typed,
        "what if: Enter reads the array as if it declared this, Esc cancels; :as off ends it";
    "compare" | "diff", Node, App::compare_with,
        "compare this node with another, or two chunks: compare PATH, compare c/0/1";
    "tolerance", Nothing, App::set_tolerance, "treat numbers this close as equal: tolerance 1e-6,1e-3";
    "check", Node, |app, _| {
        app.choose_view(View::Problems);
        app.pages.problems.check(&mut app.shared);
    }, "check this node and everything below it";
    "dtype", Nothing, App::try_data_type, "try a data type: dtype >M8[10us]";
    "field", Node, |app, name| app.pages.picture.choose_field(name, &mut app.shared),
        "draw a field or a part of a complex number: field pos.x";
    "zoom", Node, |app, much| {
        app.choose_view(View::Picture);
        app.pages.picture.zoom_to(much, &mut app.shared);
    }, "draw the whole array, or less: zoom array, zoom 8, zoom chunk, zoom elements";
    "find", Node, App::search, "search: find =3.5, find hex 7fc0, find nan";
    "where", Node, |app, line| {
        app.close_overlays();
        app.pages.chunk_table.show_where(line, &mut app.shared);
    }, "show only the chunks that match: where nan>0, where ratio>3 same";
    "export" | "w" | "write", Chunk, App::export, "write the chunk to a .npy file: export packed.npy";
    "learn" | "lessons", Nothing, App::learn,
        "lessons: learn lists them, learn 3 or learn FILE begins one, learn off leaves it";
    "readers", Node, |app, _| app.ask_readers(), "show which other programs read the array, and why not";
    "reload" | "r", Nothing, |app, _| app.reload(), "reload everything";
    "requests", Nothing, |app, _| app.show_requests(),
        "show the requests over the network, and what they cost";
    "help" | "h", Nothing, |app, _| app.toggle_help(), "list the keys";
    "quit" | "q" | "q!" | "qa" | "wq" | "x" | "exit", Nothing,
        |app, _| app.shared.effects.push(Effect::Quit), "leaves";
}

/// Commands of other programs, and what does here what they do there.
const HABITS: &[(&[&str], &str)] = &[
    (
        &["set", "setlocal"],
        "nothing can be set while it runs; start it with --no-mouse, --theme or --ascii",
    ),
    (&["mark", "marks", "k"], "there are no marks; Ctrl-o goes back to where you were"),
    (
        &["s", "d", "delete", "m", "move", "p", "put"],
        "stores are never changed; :as shows what a change would do",
    ),
    (
        &["ls", "buffers", "b", "bn", "bp", "tabnew", "sp", "vs"],
        "one store is open; f finds a node, Ctrl-o goes back",
    ),
];

/// True if a place is written as chunk keys are, and not as paths of nodes usually are.
pub(super) fn is_chunk_key(place: &str) -> bool {
    place.starts_with("c/") || place.starts_with(|first: char| first.is_ascii_digit())
}

/// The command that `line` means.
///
/// # Errors
///
/// If it means nothing: says what would.
pub fn parse(line: &str) -> Result<TypedCommand, String> {
    let line = line.trim();
    if line.ends_with('%') {
        return Err("no percentages here: 12 goes to row or element 12, $ to the last one".into());
    }
    if let Some(command) = place(line).or_else(|| counted(line)) {
        return Ok(command);
    }
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    match HABITS.iter().find(|(words, _)| words.contains(&word)) {
        Some((_, instead)) => Err((*instead).to_owned()),
        None => command(line, word, rest.trim()),
    }
}

/// The command that begins with `word`.
fn command(line: &str, word: &str, rest: &str) -> Result<TypedCommand, String> {
    let known = WORDS.iter().find(|known| known.name == word || known.also.contains(&word));
    match (known, known.map_or(word, |known| known.name), rest) {
        (_, "$", _) => Ok(TypedCommand::Last),
        (_, "go", _) => go(rest),
        (_, "e", _) => element(rest),
        (_, "find", "") => Err(needs("find", "what to search for: find =3.5")),
        (_, "where", "") => Err(needs("where", "a condition: where nan>0")),
        (Some(known), ..) => Ok(TypedCommand::Word(known, rest.into())),
        _ if line.contains(['/', '.']) || line.ends_with(']') => Ok(TypedCommand::Go(line.into())),
        _ => Err(format!(
            "unknown command {}: expected a path, a chunk key, [coordinates] or a command; Tab lists them",
            safe(word)
        )),
    }
}

/// To the element with this number.
fn element(rest: &str) -> Result<TypedCommand, String> {
    let number = rest.parse().map_err(|_not_a_number| needs("e", "a number"))?;
    Ok(TypedCommand::To(Landing::Element(number)))
}

/// A count and the keys that it is for: `12G`, `5]c`, `3<c-d>`.
fn counted(line: &str) -> Option<TypedCommand> {
    let keys = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let count = line.strip_suffix(keys)?.parse().ok()?;
    let one = keys.chars().count() == 1;
    let two = keys.chars().count() == 2 && keys.starts_with(['[', ']']);
    let named = keys.starts_with('<') && keys.ends_with('>');
    (one || two || named).then(|| TypedCommand::Count(count, keys.into()))
}

fn go(rest: &str) -> Result<TypedCommand, String> {
    let elsewhere = || (!rest.is_empty()).then(|| TypedCommand::Go(rest.into()));
    let command = place(rest).or_else(elsewhere);
    command.ok_or_else(|| needs("go", "a path, a chunk key or [coordinates]"))
}

fn needs(word: &str, what: &str) -> String {
    format!("{word} needs {what}")
}

/// Lines that are places themselves: `[1,7]`, `0x1f`, `+16`, `123`.
fn place(line: &str) -> Option<TypedCommand> {
    if line.starts_with('[') || line.starts_with("0x") {
        return jumps::landing(line).map(TypedCommand::To);
    }
    if line.starts_with(['+', '-']) {
        return line.parse().ok().map(TypedCommand::By);
    }
    line.parse().ok().map(TypedCommand::Row)
}

/// The completions of the word at the end of `line`: the line with each, `nodes` being the known paths and `fields` the
/// known names of what can be drawn.
pub fn completions(line: &str, nodes: &[String], fields: &[String]) -> Vec<String> {
    match line.split_once(' ') {
        None => {
            let words = WORDS.iter().map(|word| word.name).filter(|word| word.starts_with(line));
            words.map(|word| format!("{word} ")).collect()
        }
        Some(("go" | "cd" | "goto" | "open", start)) => {
            named("go", nodes, start.trim_start_matches('/'))
        }
        Some(("compare" | "diff", start)) => named("compare", nodes, start),
        Some(("as", settings)) => setting(settings),
        Some(("field", start)) => named("field", fields, start),
        Some(_) => Vec::new(),
    }
}

/// A word before each of the names that go on as typed.
fn named(word: &str, names: &[String], start: &str) -> Vec<String> {
    let names = names.iter().filter(|name| name.starts_with(start) && !name.is_empty());
    names.map(|name| format!("{word} {name}")).collect()
}

/// The completions of the last setting of `as`: the line with the key of each.
fn setting(settings: &str) -> Vec<String> {
    let (before, last) = settings.rsplit_once(' ').map_or(("", settings), |(before, last)| {
        (settings.get(..=before.len()).unwrap_or_default(), last)
    });
    let keys = MEMBERS.iter().map(|(key, _)| *key).filter(|key| key.starts_with(last));
    keys.map(|key| format!("as {before}{key}=")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_understood() {
        let told = |line: &str| match parse(line) {
            Ok(TypedCommand::Word(known, rest)) => format!("{}: {rest}", known.name),
            other => format!("{other:?}"),
        };
        for (line, command) in [
            ("[1,7]", "Ok(To(Array([1, 7])))"),
            ("0x1f", "Ok(To(Byte(31)))"),
            ("e 40", "Ok(To(Element(40)))"),
            ("+16", "Ok(By(16))"),
            ("-4", "Ok(By(-4))"),
            ("123", "Ok(Row(123))"),
            ("$", "Ok(Last)"),
            ("c/1/0", "Ok(Go(\"c/1/0\"))"),
            ("t2m[1,20,0]", "Ok(Go(\"t2m[1,20,0]\"))"),
            ("go sst", "Ok(Go(\"sst\"))"),
            ("go [3]", "Ok(To(Array([3])))"),
            (" dtype  >i2", "dtype: >i2"),
            ("12G", "Ok(Count(12, \"G\"))"),
            ("5]c", "Ok(Count(5, \"]c\"))"),
            ("3<c-d>", "Ok(Count(3, \"<c-d>\"))"),
            ("0.1", "Ok(Go(\"0.1\"))"),
            ("w", "export: "),
            ("w a b.npy", "export: a b.npy"),
            ("as dtype=<f4 order=F", "as: dtype=<f4 order=F"),
            ("q", "quit: "),
            ("q!", "quit: "),
            ("diff old", "compare: old"),
            ("open sst", "Ok(Go(\"sst\"))"),
            ("e x", "Err(\"e needs a number\")"),
            ("find", "Err(\"find needs what to search for: find =3.5\")"),
        ] {
            assert_eq!(told(line), command, "{line}");
        }
        for line in ["frobnicate", "12ab", "G"] {
            assert!(parse(line).is_err(), "{line}");
        }
    }

    #[test]
    fn words_and_paths_are_completed() {
        let nodes = ["ocean".to_owned(), "ocean/depth".to_owned()];
        assert_eq!(completions("ch", &nodes, &[]), ["chunks ", "check "]);
        assert_eq!(completions("compare ocean/", &nodes, &[]), ["compare ocean/depth"]);
        assert_eq!(completions("go ocean/", &nodes, &[]), ["go ocean/depth"]);
        assert!(completions("e 1", &nodes, &[]).is_empty());
        assert_eq!(
            completions("as dtype=<f4 f", &[], &[]),
            ["as dtype=<f4 filters=", "as dtype=<f4 fill="]
        );
        let fields = ["id".to_owned(), "pos.x".to_owned(), "pos.y".to_owned()];
        assert_eq!(completions("field pos", &[], &fields), ["field pos.x", "field pos.y"]);
    }
}
