//! The text that people run, or give to `patch`: words and lines of a shell, and paths in a diff.
//!
//! Whoever makes a store chooses its names, and what is copied from here is pasted without much reading. So nothing
//! from a store gets into a command but as a [`ShellWord`], and into the header of a diff but as a [`DiffPath`]. Both
//! name exactly what they are made of, or nothing: where a name has a character that is not safe to paste, there is a
//! comment with the reason in place of the command.

use super::{
    text::{is_safe, safe},
    words::list,
};
use std::{
    fmt::{self, Write as _},
    ops::Deref,
    path::Path,
};

/// One word of a command, whatever is in it. Shells take it for the same text: dash 0.5.12, bash 5.2, zsh 5.9, fish 3.6.0,
/// tcsh 6.24.07 and that of busybox 1.35 were given all names of the test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShellWord(Result<String, NotRunnable>);

/// The reason why there is no command, a comment of one line.
#[derive(Debug, Clone, PartialEq, Eq)]
struct NotRunnable(String);

impl NotRunnable {
    fn new(what: &str, text: &str, why: &str) -> Self {
        Self(format!("# No {what}: the name {} {why}.", quoted(&safe(text))))
    }

    /// The reason not to paste `text`, if there is one.
    fn of(what: &str, text: &str) -> Option<Self> {
        let c = text.chars().find(|c| !is_safe(*c) || *c == char::REPLACEMENT_CHARACTER)?;
        let why = match c {
            char::REPLACEMENT_CHARACTER => "may contain bytes that are not UTF-8".to_owned(),
            c => format!("contains U+{:04X}, which is not safe to paste", u32::from(c)),
        };
        Some(Self::new(what, text, &why))
    }
}

impl ShellWord {
    /// A value of an option or an argument that is no path.
    pub fn value(text: &str) -> Self {
        Self(NotRunnable::of(COMMAND, text).map_or_else(|| Ok(word(text)), Err))
    }

    /// The path of a file, which is no option even where it begins like one.
    pub fn path(path: &Path) -> Self {
        let text = path.to_string_lossy();
        let is_option = text.starts_with(['-', '+']);
        if is_option { Self::value(&format!("./{text}")) } else { Self::value(&text) }
    }

    /// The path of a store key, in the folder of the store.
    pub fn key(key: &str) -> Self {
        match leaves_the_store(key) {
            Some(why) => Self(Err(NotRunnable::new(COMMAND, key, why))),
            None => Self::path(Path::new(key)),
        }
    }
}

impl ShellWord {
    /// The word as it stands in a command; `None` where it is in none.
    pub fn text(&self) -> Option<&str> {
        self.0.as_deref().ok()
    }
}

const COMMAND: &str = "command";
const DIFF: &str = "diff";

/// The reason why a store key is no path inside the store.
fn leaves_the_store(key: &str) -> Option<&'static str> {
    let is_outside = key.starts_with('/') || key.split('/').any(|part| part == "..");
    is_outside.then_some("leads out of the store")
}

/// `text` as it is where it has no meaning in any shell, or else in quotes.
fn word(text: &str) -> String {
    let is_bare =
        !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || "/._-+@%,:".contains(c));
    if is_bare { text.to_owned() } else { quoted(text) }
}

/// `text` in single quotes. Some shells know a backslash or an exclamation mark inside of them: these are outside, as
/// the quotes themselves are.
fn quoted(text: &str) -> String {
    let mut out = String::from("'");
    for c in text.chars() {
        if matches!(c, '\'' | '\\' | '!') {
            out.extend(["'\\", c.encode_utf8(&mut [0; 4]), "'"]);
        } else {
            out.push(c);
        }
    }
    out + "'"
}

/// Lines for a shell, made by `script!` of text of the program, numbers and words; or
/// one comment that says why there are none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShellScript {
    text: String,
    is_refused: bool,
}

/// A part of a line for a shell.
pub(crate) trait ScriptPart {
    /// The text for the shell, or the comment in its place.
    fn part(&self) -> Result<String, String>;
}

impl ScriptPart for ShellWord {
    fn part(&self) -> Result<String, String> {
        self.0.clone().map_err(|refused| refused.0)
    }
}

impl ScriptPart for ShellScript {
    fn part(&self) -> Result<String, String> {
        if self.is_refused { Err(self.text.clone()) } else { Ok(self.text.clone()) }
    }
}

impl ScriptPart for &'static str {
    fn part(&self) -> Result<String, String> {
        Ok((*self).to_owned())
    }
}

impl ScriptPart for u64 {
    fn part(&self) -> Result<String, String> {
        Ok(self.to_string())
    }
}

impl ScriptPart for usize {
    fn part(&self) -> Result<String, String> {
        Ok(self.to_string())
    }
}

impl ScriptPart for Vec<u64> {
    fn part(&self) -> Result<String, String> {
        Ok(list(self))
    }
}

/// A line for a shell: the text of the program with a part for each `{}`.
macro_rules! script {
    ($text:literal $(, $part:expr)* $(,)?) => {{
        const HOLES: usize = $crate::zarr::runnable::holes($text);
        let parts: [&dyn $crate::zarr::runnable::ScriptPart; HOLES] = [$(&$part),*];
        $crate::zarr::runnable::ShellScript::of($text, &parts)
    }};
}
pub(crate) use script;

/// The number of parts that a text has room for.
pub(crate) const fn holes(text: &str) -> usize {
    let (bytes, mut at, mut count) = (text.as_bytes(), 1, 0);
    while at < bytes.len() {
        if bytes[at - 1] == b'{' && bytes[at] == b'}' {
            count += 1;
        }
        at += 1;
    }
    count
}

impl ShellScript {
    pub(crate) fn of(text: &'static str, parts: &[&dyn ScriptPart]) -> Self {
        let (mut out, mut parts) = (String::new(), parts.iter());
        let mut pieces = text.split("{}");
        out += pieces.next().unwrap_or_default();
        for (piece, part) in pieces.zip(&mut parts) {
            match part.part() {
                Ok(part) => out.extend([part.as_str(), piece]),
                Err(comment) => return Self { text: comment, is_refused: true },
            }
        }
        Self { text: out, is_refused: false }
    }

    /// The reason why there is no command, where there is none.
    pub fn refusal(&self) -> Option<&str> {
        self.is_refused.then(|| self.text.trim_start_matches("# "))
    }

    /// These lines one after the other. None of them is worth anything without the others: a single one that is
    /// refused refuses all.
    pub fn all(lines: impl IntoIterator<Item = Self>) -> Self {
        Self::joined(lines, "\n")
    }

    fn joined(lines: impl IntoIterator<Item = Self>, between: &'static str) -> Self {
        let mut texts = Vec::new();
        for line in lines {
            if line.is_refused {
                return line;
            }
            texts.push(line.text);
        }
        Self { text: texts.join(between), is_refused: false }
    }

    /// These commands on one line, each run only where those before it succeeded.
    pub fn chain(commands: impl IntoIterator<Item = Self>) -> Self {
        Self::joined(commands, " && ")
    }

    /// These words on one line.
    pub fn words(words: impl IntoIterator<Item = Self>) -> Self {
        Self::joined(words, " ")
    }

    /// Adds the lines of `other`, which are of use without these.
    pub fn add(&mut self, other: &Self) {
        if !self.lines().any(|line| line == other.text) {
            self.text += "\n";
            self.text += &other.text;
            self.is_refused &= other.is_refused;
        }
    }

    /// A comment of one line. A shell at a prompt may know no comments and read on after the `#`, as zsh 5.9 does.
    pub fn comment(text: &str) -> Self {
        let text = safe(text);
        let text = if text.chars().all(|c| c.is_alphanumeric() || " /._-+@%,:".contains(c)) {
            text.into_owned()
        } else {
            quoted(&text)
        };
        Self { text: format!("# {text}"), is_refused: false }
    }
}

impl Deref for ShellScript {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for ShellScript {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The path of a document in the header of a diff, as `git apply` and GNU patch read it back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiffPath(String);

impl DiffPath {
    /// The path of a store key, without the `a/` or `b/` before it; `None` where it leads out of the store.
    pub fn new(key: &str) -> Option<Self> {
        leaves_the_store(key).is_none().then(|| Self(key.to_owned()))
    }

    /// The line of the header that begins with `mark`, with the path below the folder `side`.
    fn header(&self, mark: &str, side: &str) -> String {
        let path = format!("{side}/{}", self.0);
        if path.ends_with(char::is_whitespace)
            || !path.chars().all(|c| is_safe(c) && c != '"' && c != '\\')
        {
            return format!("{mark} \"{}\"\n", escaped(&path));
        }
        // A name with a blank ends at the tab.
        let end = if path.contains(char::is_whitespace) { "\t" } else { "" };
        format!("{mark} {path}{end}\n")
    }
}

/// `text` as C writes it in a string.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if is_safe(c) => out.push(c),
            c => c.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| {
                let _ = write!(out, "\\{byte:03o}");
            }),
        }
    }
    out
}

/// A change of a document as a unified diff, which changes that document and no other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentDiff {
    header: String,
    hunks: String,
    refused: Option<NotRunnable>,
}

impl DocumentDiff {
    /// The diff of the document under the store key `key`, of hunks as `diff -u` writes them.
    pub fn new(key: &str, hunks: String) -> Self {
        let Some(path) = DiffPath::new(key) else {
            let refused = Some(NotRunnable::new(DIFF, key, "leads out of the store"));
            return Self { header: String::new(), hunks, refused };
        };
        let header = path.header("---", "a") + &path.header("+++", "b");
        let unsafe_char = hunks.chars().find(|&c| !is_safe(c) && !matches!(c, '\n' | '\t'));
        let refused = unsafe_char.map(|c| {
            let key = quoted(&safe(key));
            NotRunnable(format!(
                "# No diff: {key} contains U+{:04X} beside the change, which is not safe to paste. The JSON Patch \
                 makes the same change.",
                u32::from(c)
            ))
        });
        Self { header, hunks, refused }
    }

    /// The lines that are taken out and put in, with their signs.
    pub fn changes(&self) -> impl Iterator<Item = &str> {
        self.hunks.lines().filter(|line| line.starts_with(['+', '-']))
    }

    /// The command that makes the change in the folder of the store. As a file it is a diff: `patch` and `git apply`
    /// skip its first and its last line. A diff alone would be commands for a shell that it is pasted into.
    pub fn command(&self) -> ShellScript {
        match &self.refused {
            // No line of a diff is this one: each begins with a sign.
            None => {
                ShellScript { text: format!("patch -p1 <<'EOF'\n{self}EOF"), is_refused: false }
            }
            Some(NotRunnable(comment)) => ShellScript { text: comment.clone(), is_refused: true },
        }
    }
}

/// The diff itself, for programs: whatever is in the document is in it.
impl fmt::Display for DocumentDiff {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}", self.header, self.hunks)
    }
}

/// A JSON text of one line in which nothing in the strings acts on a terminal or on a shell: escapes say the same.
pub fn inert_json(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    for c in line.chars() {
        if is_safe(c) && !matches!(c, '$' | '`' | '!') {
            out.push(c);
        } else {
            let mut units = [0; 2];
            out.extend(c.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")));
        }
    }
    out
}
