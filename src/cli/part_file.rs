//! Files of parts: what one machine found, a JSON line an object, and how the files of all parts are put together.
//!
//! The first line says what the file is a part of, the last one how many lines are between them, with a hash of these. A
//! file without a last line was interrupted, and is continued by the same command.

use super::{Failure, output::Output, partition::Partition};
use crate::{
    worker::output_file::OutputFile,
    zarr::{
        Code, Error, Hierarchy, Json, NodePath, Result, digest, json::object, text::safe, words,
    },
};
use std::{
    collections::{HashMap, HashSet},
    fs,
    hash::Hasher,
    io::{self, Write},
    path::{Path, PathBuf},
};
use twox_hash::XxHash64;

/// What a file is a part of.
#[derive(Debug)]
pub(super) struct PartHead {
    pub(super) command: &'static str,
    /// The options of the command, as an object.
    pub(super) options: Json,
    pub(super) part: Partition,
}

impl PartHead {
    /// The first line, of a part of what is at `path`.
    fn line(&self, hierarchy: &Hierarchy, path: &NodePath, typed: &Path) -> Json {
        let place = std::path::absolute(typed).unwrap_or_else(|_| typed.to_owned());
        object! {
            "zarrscope": env!("ZARRSCOPE_VERSION"), "command": self.command,
            "options": self.options.clone(), "part": self.part.part, "of": self.part.of,
            "metadata": digest::metadata(hierarchy, path), "path": place.to_string_lossy(),
        }
    }
}

/// The hash of the lines between the first and the last.
fn hashed(hash: &mut XxHash64, line: &str) {
    hash.write(line.as_bytes());
    hash.write(b"\n");
}

/// The file of a part that is being made.
pub(super) struct PartFile<'a> {
    sink: PartSink<'a>,
    /// The objects that are in it.
    done: HashSet<String>,
    hash: XxHash64,
}

enum PartSink<'a> {
    File(OutputFile),
    Stdout(&'a mut Output),
}

impl<'a> PartFile<'a> {
    /// The file `target`, new or continued; `None` where it is whole already. `force`: whatever else is there is
    /// replaced.
    ///
    /// # Errors
    ///
    /// If something else is there, or it cannot be written.
    pub(super) fn open(
        head: &PartHead,
        (hierarchy, path, typed): (&Hierarchy, &NodePath, &Path),
        (target, force): (&Path, bool),
        output: &'a mut Output,
    ) -> Result<Option<Self>, Failure> {
        let first = head.line(hierarchy, path, typed).to_line();
        let mut found = Existing::default();
        if target.as_os_str() != "-" && target.is_file() {
            let text = fs::read(target).map_err(|error| Error::unwritable(target, &error))?;
            match Existing::of(&text, &first) {
                Some(existing) => found = existing,
                None if force => {}
                None => return Err(something_else(target, &text).into()),
            }
        }
        if found.is_whole {
            return Ok(None);
        }
        let mut sink = if target.as_os_str() == "-" {
            PartSink::Stdout(output)
        } else {
            let store = hierarchy.store.name();
            PartSink::File(OutputFile::resume(target, Path::new(&store), found.keep)?)
        };
        if found.keep == 0 {
            sink.line(&first)?;
        }
        Ok(Some(Self { sink, done: found.done, hash: found.hash }))
    }

    /// True if it has the object already.
    pub(super) fn has(&self, object: &str) -> bool {
        self.done.contains(object)
    }

    /// The objects that it has.
    pub(super) fn done(&self) -> &HashSet<String> {
        &self.done
    }

    /// Appends what was found of an object.
    pub(super) fn write(&mut self, object: &str, found: &Json) -> io::Result<()> {
        let mut line = object! {"object": object};
        for member in found.as_object().unwrap_or_default() {
            line.set(&member.key, member.value.clone());
        }
        let line = line.to_line();
        hashed(&mut self.hash, &line);
        self.done.insert(object.to_owned());
        self.sink.line(&line)
    }

    /// Says that it is whole.
    pub(super) fn finish(mut self) -> Result<(), Failure> {
        let hash = format!("{:016x}", self.hash.finish());
        let last = object! {"objects": self.done.len(), "hash": hash};
        self.sink.line(&last.to_line())?;
        if let PartSink::File(file) = self.sink {
            file.finish()?;
        }
        Ok(())
    }
}

impl PartSink<'_> {
    fn line(&mut self, text: &str) -> io::Result<()> {
        match self {
            // In one go, so that an interruption seldom cuts a line.
            Self::File(file) => file.write_all(format!("{text}\n").as_bytes()),
            Self::Stdout(output) => output.line(text),
        }
    }
}

/// What is in a file of a part that is to be continued.
#[derive(Default)]
struct Existing {
    /// The number of bytes that are whole lines.
    keep: u64,
    done: HashSet<String>,
    hash: XxHash64,
    is_whole: bool,
}

impl Existing {
    /// What of `text` can be kept, being a part that begins with the line `first`; `None` where it is none.
    fn of(text: &[u8], first: &str) -> Option<Self> {
        let mut existing = Self::default();
        let mut lines = text.split_inclusive(|&byte| byte == b'\n');
        let head = lines.next().unwrap_or_default();
        if !head.ends_with(b"\n") {
            return first.as_bytes().starts_with(head).then_some(existing);
        }
        let same = |json: &Json| {
            let mut json = json.clone();
            // Another machine may know the store by another path.
            json.set("path", Json::NULL);
            json
        };
        let parse = |line: &[u8]| Json::parse(line).ok().map(|document| document.root);
        if same(&parse(head)?) != same(&Json::parse_str(first).ok()?) {
            return None;
        }
        existing.keep = head.len() as u64;
        for line in lines.filter(|line| line.ends_with(b"\n")) {
            let Some(json) = parse(line) else { break };
            let Some(object) = json.get("object").and_then(Json::as_str) else {
                existing.is_whole = is_last(&json, &existing.hash, existing.done.len());
                break;
            };
            existing.done.insert(object.to_owned());
            existing.hash.write(line);
            existing.keep += line.len() as u64;
        }
        Some(existing)
    }
}

/// True if `json` is the last line after so many lines.
fn is_last(json: &Json, hash: &XxHash64, lines: usize) -> bool {
    let told = json.get("hash").and_then(Json::as_str);
    json.get("objects").and_then(Json::as_u64) == Some(lines as u64)
        && told == Some(format!("{:016x}", hash.finish()).as_str())
}

/// The error that a file is there which is not the part that is to be made.
fn something_else(target: &Path, text: &[u8]) -> Error {
    let head = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let head = Json::parse(head).ok().map(|document| document.root);
    let part = head.as_ref().and_then(Partition::from_json);
    let found = match (head, part) {
        (Some(head), Some(Partition { part, of })) => {
            let command = head.get("command").and_then(Json::as_str).unwrap_or_default().to_owned();
            format!(
                "part {part} of {of} of `{command}`: another part, or of another store or version"
            )
        }
        _ => "a file that is not a part file".to_owned(),
    };
    let expected = "no file, or an interrupted file of the same part";
    refused(target, found, expected).with_fix("--force replaces it.")
}

fn refused(file: &Path, found: impl Into<String>, expected: impl Into<String>) -> Error {
    let name = safe(&file.to_string_lossy()).into_owned();
    Error::new(Code::PartFile, found, expected).in_file(name)
}

/// The parts of a report: all that there are, none twice, of one and the same thing.
pub(super) struct ReportParts {
    /// The options of the command.
    pub(super) options: Json,
    /// The digest of the metadata.
    metadata: String,
    path: String,
    /// By their numbers.
    files: Vec<PathBuf>,
    /// What was found of each object, and in which file it is.
    lines: HashMap<String, (usize, Box<str>)>,
}

impl ReportParts {
    /// Reads the files of all parts of what `command` made.
    ///
    /// # Errors
    ///
    /// If a file is no part of it, was interrupted or damaged, or parts are missing or there twice.
    pub(super) fn read(files: &[PathBuf], command: &str) -> Result<Self> {
        let mut parts: Option<(Self, PathBuf)> = None;
        let mut seen: HashMap<u64, &PathBuf> = HashMap::new();
        for file in files {
            let text = fs::read_to_string(file).map_err(|error| {
                refused(file, error.to_string(), "a part file, as -o writes it")
            })?;
            let (head, part) = head(file, &text, command)?;
            let text_of = |key: &str| head.get(key).and_then(Json::as_str).unwrap_or_default();
            let (all, first) = parts.get_or_insert_with(|| {
                let parts = Self {
                    options: head.get("options").cloned().unwrap_or_default(),
                    metadata: text_of("metadata").to_owned(),
                    path: text_of("path").to_owned(),
                    files: vec![PathBuf::new(); usize::try_from(part.of.min(MOST)).unwrap_or(0)],
                    lines: HashMap::new(),
                };
                (parts, file.clone())
            });
            all.fits(&head, part, (file, first))?;
            if let Some(other) = seen.insert(part.part, file) {
                let found =
                    format!("part {} of {}, which is also in {}", part.part, part.of, name(other));
                return Err(refused(file, found, "each part only once"));
            }
            let index = usize::try_from(part.part - 1).unwrap_or(usize::MAX);
            if let Some(place) = all.files.get_mut(index) {
                place.clone_from(file);
            }
            all.take(file, index, &text)?;
        }
        let Some((parts, first)) = parts else {
            return Err(Error::new(Code::PartFile, "no part file", "the files of all parts"));
        };
        parts.without_gaps(&first)?;
        Ok(parts)
    }

    /// The path that the parts were made of.
    pub(super) fn path(&self) -> &Path {
        Path::new(&self.path)
    }

    /// Checks that a file is a part of the same as the first one.
    fn fits(&self, head: &Json, part: Partition, (file, first): (&Path, &Path)) -> Result<()> {
        let first = name(first);
        let of = self.files.len() as u64;
        if part.of != of {
            let found = format!("part {} of {}", part.part, part.of);
            return Err(refused(file, found, format!("one of {of} parts, like {first}")));
        }
        if head.get("metadata").and_then(Json::as_str) != Some(&self.metadata) {
            let found = "a part of a store with different metadata";
            let expected = format!("a part of the same, unchanged store as {first}");
            return Err(refused(file, found, expected));
        }
        if head.get("options") != Some(&self.options) {
            let found = format!("a part made with the options {}", options(head.get("options")));
            let expected = format!("{}, as for {first}", options(Some(&self.options)));
            return Err(refused(file, found, expected));
        }
        Ok(())
    }

    /// Takes in the lines of a file between the first and the last.
    fn take(&mut self, file: &Path, index: usize, text: &str) -> Result<()> {
        let (mut hash, mut count) = (XxHash64::default(), 0);
        let mut lines = text.split_terminator('\n').skip(1).peekable();
        while let Some(line) = lines.next() {
            let json = Json::parse(line.as_bytes()).ok().map(|document| document.root);
            let object = json.as_ref().and_then(|json| json.get("object")?.as_str());
            let Some(object) = object else {
                let is_whole = json.is_some_and(|json| is_last(&json, &hash, count));
                if is_whole && lines.peek().is_none() {
                    return Ok(());
                }
                if lines.peek().is_none() && !text.ends_with('\n') {
                    break;
                }
                let found = format!("line {}, which is damaged", count + 2);
                return Err(refused(file, found, "an undamaged part file").with_fix(AGAIN));
            };
            hashed(&mut hash, line);
            count += 1;
            if let Some((other, _)) = self.lines.insert(object.to_owned(), (index, line.into())) {
                let other = self.files.get(other).map_or_else(String::new, |other| name(other));
                let found = format!("{}, which is also in {other}", safe(object));
                return Err(refused(file, found, "each object in only one part"));
            }
        }
        let found =
            format!("a part that was interrupted after {}", words::counted(count as u64, "object"));
        Err(refused(file, found, "a finished part").with_fix(AGAIN))
    }

    /// Checks that there is a file for every part.
    fn without_gaps(&self, first: &Path) -> Result<()> {
        const NAMED: usize = 10;
        let is_missing = |(_, file): &(usize, &PathBuf)| file.as_os_str().is_empty();
        let missing: Vec<_> = self.files.iter().enumerate().filter(is_missing).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let named: Vec<_> =
            missing.iter().take(NAMED).map(|(at, _)| (at + 1).to_string()).collect();
        let more = missing.len() - named.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let (word, of) = (if missing.len() == 1 { "part" } else { "parts" }, self.files.len());
        let found = format!("one of {of} parts, but no file for {word} {}{more}", named.join(", "));
        Err(refused(first, found, format!("the files of all {of}")))
    }

    /// Checks that what is at `path` has the metadata that the parts are of.
    ///
    /// # Errors
    ///
    /// If it has others.
    pub(super) fn check(&self, hierarchy: &Hierarchy, path: &NodePath) -> Result<()> {
        if digest::metadata(hierarchy, path) == self.metadata {
            return Ok(());
        }
        let first = self.files.first().map_or_else(|| Path::new(""), PathBuf::as_path);
        let found = "a part of a store whose metadata differ from those of this one";
        let fix = "Name the store before --merge; if it changed since, make the parts again.";
        Err(refused(first, found, "parts of this store in its present state").with_fix(fix))
    }

    /// True if there is a line for `object`.
    pub(super) fn has(&self, object: &str) -> bool {
        self.lines.contains_key(object)
    }

    /// The objects of which there is a line.
    pub(super) fn objects(&self) -> impl Iterator<Item = &str> {
        self.lines.keys().map(String::as_str)
    }

    /// What was found of `object`, read by `form`.
    ///
    /// # Errors
    ///
    /// If it is not in any part, or not what `form` takes.
    pub(super) fn get<T>(&self, object: &str, form: impl FnOnce(&Json) -> Option<T>) -> Result<T> {
        let Some((_, line)) = self.lines.get(object) else { return Err(self.gap(object)) };
        let json = Json::parse(line.as_bytes()).ok().map(|document| document.root);
        let value = json.and_then(|json| form(&json));
        value.ok_or_else(|| self.stranger(object))
    }

    /// The error that the store has an object of which no part knows.
    pub(super) fn gap(&self, object: &str) -> Error {
        let found = format!("no line for {}, which is stored", safe(object));
        let part = (1..=self.files.len() as u64).find_map(|part| {
            let part = Partition::new(part, self.files.len() as u64)?;
            part.has(object).then_some(part.part - 1)
        });
        let file = part.and_then(|part| self.files.get(usize::try_from(part).ok()?));
        let file = file.map_or_else(|| Path::new(""), PathBuf::as_path);
        refused(file, found, "a line for every object of the part").with_fix(CHANGED)
    }

    /// The error that a part has an object that the store has not.
    pub(super) fn stranger(&self, object: &str) -> Error {
        let file = self.lines.get(object).and_then(|(file, _)| self.files.get(*file));
        let file = file.map_or_else(|| Path::new(""), PathBuf::as_path);
        let found = format!("a line for {}, which is not in the store", safe(object));
        refused(file, found, "lines only for objects in the store").with_fix(CHANGED)
    }
}

/// True if the option `key` was set for the parts.
pub(super) fn is_set(options: &Json, key: &str) -> bool {
    options.get(key) == Some(&Json::from(true))
}

const AGAIN: &str = "Run the command for this part again; finished objects are kept.";
const CHANGED: &str =
    "The store changed since the part was made: delete the file and make it again.";

/// The number of parts that are put together.
const MOST: u64 = 1_000_000;

/// The first line of a part of `command`.
fn head(file: &Path, text: &str, command: &str) -> Result<(Json, Partition)> {
    let no_part =
        || refused(file, "a file that is not a part file", "a part file, as -o writes it");
    let head = text.split('\n').next().and_then(|line| Json::parse(line.as_bytes()).ok());
    let head = head.map(|document| document.root).ok_or_else(no_part)?;
    let text = |key: &str| head.get(key).and_then(Json::as_str).unwrap_or_default();
    let part = Partition::from_json(&head).filter(|part| part.of <= MOST).ok_or_else(no_part)?;
    let version = env!("ZARRSCOPE_VERSION");
    if text("zarrscope") != version {
        let found = format!("a part made by zarrscope {}", safe(text("zarrscope")));
        return Err(refused(file, found, format!("a part made by zarrscope {version}")));
    }
    if text("command") != command {
        let found = format!("a part of `zarrscope {}`", safe(text("command")));
        return Err(refused(file, found, format!("a part of `zarrscope {command}`")));
    }
    Ok((head, part))
}

/// Options as a line of text.
fn options(options: Option<&Json>) -> String {
    safe(&options.map_or_else(String::new, Json::to_line)).into_owned()
}

fn name(file: &Path) -> String {
    safe(&file.to_string_lossy()).into_owned()
}
