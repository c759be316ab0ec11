//! The command line: what a typed line means, and how it is completed.

use super::jumps;
use super::prelude::*;
use crate::zarr::what_if::MEMBERS;

/// A command, understood.
#[derive(Debug, PartialEq)]
pub enum TypedCommand {
    /// To the element, the byte or the array element.
    To(Landing),
    /// So many bytes on or back.
    By(i64),
    /// To the row, or element, with this number.
    Row(u64),
    /// To the last row, or element.
    Last,
    /// To the chunk under this key, or to the node at this path.
    Go(String),
    /// Another view.
    View(View),
    /// The gallery, with this data type in the playground.
    DataType(String),
    /// Reads the array as if its document declared this.
    As(String),
    /// Compares the node on show with this one; without a path, shows the comparison again.
    Compare(String),
    /// The distance of numbers that are compared as equal.
    Tolerance(String),
    /// Checks the node and all below it.
    Check,
    /// Lists the lessons, begins the one with this name, or leaves the one under way.
    Learn(String),
    /// Shows what other programs make of the array.
    Readers,
    /// Reads everything again.
    Reload,
    /// Shows the requests over the network.
    Requests,
    /// Writes the chunk to this file; where none is named, asks for one.
    Export(String),
    /// Presses these keys, what they do being done so many times: `12G`, `5]c`.
    Count(u64, String),
    /// Draws this field of a struct, or this number of a complex one.
    Field(String),
    /// Draws more of the array, or less: all of it, so many chunks along each axis, a chunk, elements.
    Zoom(String),
    /// Looks for this in the view.
    Find(String),
    /// Shows the table of chunks, with the rows that are like this.
    Where(String),
    /// The key table.
    Help,
    /// Ends the program.
    Quit,
}

/// A word of the command line and what it does.
pub const WORDS: &[(&str, &str)] = &[
    ("go", "go to a node or a chunk: go sst, go c/1/0"),
    ("e", "go to an element of the chunk by number: e 40"),
    ("types", "show the data type"),
    ("chunks", "show the chunks"),
    ("picture", "show the picture"),
    ("metadata", "show the metadata"),
    ("problems", "show the problems"),
    ("as", "what if: Enter reads the array as if it declared this, Esc cancels; :as off ends it"),
    ("compare", "compare this node with another, or two chunks: compare PATH, compare c/0/1"),
    ("tolerance", "treat numbers this close as equal: tolerance 1e-6,1e-3"),
    ("check", "check this node and everything below it"),
    ("dtype", "try a data type: dtype >M8[10us]"),
    ("field", "draw a field or a part of a complex number: field pos.x"),
    ("zoom", "draw the whole array, or less: zoom array, zoom 8, zoom chunk, zoom elements"),
    ("find", "search: find =3.5, find hex 7fc0, find nan"),
    ("where", "show only the chunks that match: where nan>0, where ratio>3 same"),
    ("export", "write the chunk to a .npy file: export packed.npy"),
    ("learn", "lessons: learn lists them, learn 3 or learn FILE begins one, learn off leaves it"),
    ("readers", "show which other programs read the array, and why not"),
    ("reload", "reload everything"),
    ("requests", "show the requests over the network, and what they cost"),
    ("help", "list the keys"),
    ("quit", "leaves"),
];

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
    let instead = HABITS.iter().find(|(words, _)| words.contains(&word));
    match (view(word), instead) {
        (Some(view), _) => Ok(TypedCommand::View(view)),
        (None, Some((_, instead))) => Err((*instead).to_owned()),
        (None, None) => command(line, word, rest.trim()),
    }
}

/// The command that begins with `word`.
fn command(line: &str, word: &str, rest: &str) -> Result<TypedCommand, String> {
    Ok(match word {
        "$" => TypedCommand::Last,
        "q" | "q!" | "qa" | "wq" | "x" | "quit" | "exit" => TypedCommand::Quit,
        "h" | "help" => TypedCommand::Help,
        "r" | "reload" => TypedCommand::Reload,
        "w" | "write" | "export" => TypedCommand::Export(rest.into()),
        "as" => TypedCommand::As(rest.into()),
        "compare" | "diff" => TypedCommand::Compare(rest.into()),
        "tolerance" => TypedCommand::Tolerance(rest.into()),
        "check" => TypedCommand::Check,
        "requests" => TypedCommand::Requests,
        "readers" => TypedCommand::Readers,
        "learn" | "lessons" => TypedCommand::Learn(rest.into()),
        "dtype" => TypedCommand::DataType(rest.into()),
        "field" => TypedCommand::Field(rest.into()),
        "zoom" => TypedCommand::Zoom(rest.into()),
        "find" if !rest.is_empty() => TypedCommand::Find(rest.into()),
        "find" => return Err(needs("find", "what to search for: find =3.5")),
        "where" if !rest.is_empty() => TypedCommand::Where(rest.into()),
        "where" => return Err(needs("where", "a condition: where nan>0")),
        "go" | "cd" | "goto" | "open" => return go(rest),
        "e" => return element(rest),
        _ if line.contains(['/', '.']) || line.ends_with(']') => TypedCommand::Go(line.into()),
        _ => {
            return Err(format!(
                "unknown command {}: expected a path, a chunk key, [coordinates] or a command; Tab lists them",
                safe(word)
            ));
        }
    })
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

/// The view that a word names.
fn view(word: &str) -> Option<View> {
    Some(match word {
        "types" => View::DataType,
        "chunks" => View::Chunks,
        "picture" => View::Picture,
        "metadata" => View::Metadata,
        "problems" => View::Problems,
        _ => return None,
    })
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
        None => WORDS
            .iter()
            .filter(|(word, _)| word.starts_with(line))
            .map(|(word, _)| format!("{word} "))
            .collect(),
        Some(("go" | "cd" | "goto" | "open", start)) => nodes
            .iter()
            .filter(|node| node.starts_with(start.trim_start_matches('/')) && !node.is_empty())
            .map(|node| format!("go {node}"))
            .collect(),
        Some(("compare" | "diff", start)) => nodes
            .iter()
            .filter(|node| node.starts_with(start) && !node.is_empty())
            .map(|node| format!("compare {node}"))
            .collect(),
        Some(("as", settings)) => setting(settings),
        Some(("field", start)) => fields
            .iter()
            .filter(|field| field.starts_with(start))
            .map(|field| format!("field {field}"))
            .collect(),
        Some(_) => Vec::new(),
    }
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
        let table = [
            ("[1,7]", TypedCommand::To(Landing::Array(vec![1, 7]))),
            ("0x1f", TypedCommand::To(Landing::Byte(31))),
            ("e 40", TypedCommand::To(Landing::Element(40))),
            ("+16", TypedCommand::By(16)),
            ("-4", TypedCommand::By(-4)),
            ("123", TypedCommand::Row(123)),
            ("$", TypedCommand::Last),
            ("c/1/0", TypedCommand::Go("c/1/0".into())),
            ("t2m[1,20,0]", TypedCommand::Go("t2m[1,20,0]".into())),
            ("go sst", TypedCommand::Go("sst".into())),
            ("go [3]", TypedCommand::To(Landing::Array(vec![3]))),
            (" dtype  >i2", TypedCommand::DataType(">i2".into())),
            ("12G", TypedCommand::Count(12, "G".into())),
            ("5]c", TypedCommand::Count(5, "]c".into())),
            ("3<c-d>", TypedCommand::Count(3, "<c-d>".into())),
            ("0.1", TypedCommand::Go("0.1".into())),
            ("w", TypedCommand::Export(String::new())),
            ("w a b.npy", TypedCommand::Export("a b.npy".into())),
            ("as dtype=<f4 order=F", TypedCommand::As("dtype=<f4 order=F".into())),
            ("q", TypedCommand::Quit),
            ("q!", TypedCommand::Quit),
            ("diff old", TypedCommand::Compare("old".into())),
            ("open sst", TypedCommand::Go("sst".into())),
        ];
        for (line, command) in table {
            assert_eq!(parse(line), Ok(command), "{line}");
        }
        assert_eq!(parse("e x"), Err("e needs a number".into()));
        assert_eq!(parse("find"), Err("find needs what to search for: find =3.5".into()));
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
