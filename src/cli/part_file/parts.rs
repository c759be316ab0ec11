//! The files of all parts, put together to one report.

use super::{hashed, is_last, refused};
use crate::cli::bounded_lines::{BoundedLines, FileLine};
use crate::cli::prelude::*;
use std::fs::File;
use twox_hash::XxHash64;

/// The parts of a report: all that there are, none twice, of one and the same thing.
pub(in crate::cli) struct ReportParts {
    /// The options of the command.
    pub(in crate::cli) options: Json,
    /// The digest of the metadata.
    metadata: String,
    path: String,
    /// By their numbers.
    files: Vec<PathBuf>,
    /// The lines on each object, each with the number of its file.
    lines: HashMap<String, (usize, Box<str>)>,
}

impl ReportParts {
    /// Reads the files of all parts of what `command` made.
    ///
    /// # Errors
    ///
    /// If a file is no part of it, was interrupted or damaged, or parts are missing or there twice.
    pub(in crate::cli) fn read(files: &[PathBuf], command: &str) -> Result<Self> {
        let mut parts: Option<(Self, PathBuf)> = None;
        let mut seen: HashMap<u64, &PathBuf> = HashMap::new();
        for file in files {
            let mut lines = BoundedLines::open(file).map_err(|error| unreadable(file, &error))?;
            let (head, part) = head(file, &mut lines, command)?;
            let text_of = |key: &str| head.get_str(key).unwrap_or_default();
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
            all.fits(&head, part, file, first)?;
            if let Some(other) = seen.insert(part.part, file) {
                let found =
                    format!("part {} of {}, which is also in {}", part.part, part.of, name(other));
                return Err(refused(file, found, "each part only once"));
            }
            let index = to_usize(part.part - 1);
            if let Some(place) = all.files.get_mut(index) {
                place.clone_from(file);
            }
            all.take(file, index, &mut lines)?;
        }
        let Some((parts, first)) = parts else {
            return Err(Error::new(Code::Partition, "no part file", "the files of all parts"));
        };
        parts.without_gaps(&first)?;
        Ok(parts)
    }

    /// Checks that a file is a part of the same as the first one.
    fn fits(&self, head: &Json, part: Partition, file: &Path, first: &Path) -> Result<()> {
        let first = name(first);
        let of = self.files.len() as u64;
        if part.of != of {
            let found = format!("part {} of {}", part.part, part.of);
            return Err(refused(file, found, format!("one of {of} parts, like {first}")));
        }
        if head.get_str("metadata") != Some(&self.metadata) {
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
    fn take(&mut self, file: &Path, index: usize, lines: &mut BoundedLines<File>) -> Result<()> {
        let io = |error: io::Error| unreadable(file, &error);
        let (mut hash, mut count) = (XxHash64::default(), 0);
        while let Some(FileLine { bytes, is_ended }) = lines.next(LONGEST).map_err(io)? {
            let line = String::from_utf8(bytes).unwrap_or_default();
            let json = Json::parse_str(&line).ok();
            let object = json.as_ref().and_then(|json| json.get_str("object"));
            let Some(object) = object else {
                let is_whole = json.is_some_and(|json| is_last(&json, &hash, count));
                let is_at_end = lines.is_at_end().map_err(io)?;
                if is_whole && is_at_end {
                    return Ok(());
                }
                if is_at_end && !is_ended {
                    break;
                }
                let found = format!("line {}, which is damaged", count + 2);
                return Err(refused(file, found, "an undamaged part file").with_fix(AGAIN));
            };
            hashed(&mut hash, &line);
            count += 1;
            let object = object.to_owned();
            if let Some((other, _)) = self.lines.insert(object.clone(), (index, line.into())) {
                let other = self.files.get(other).map_or_else(String::new, |other| name(other));
                let found = format!("{}, which is also in {other}", safe(&object));
                return Err(refused(file, found, "each object in only one part"));
            }
        }
        let found = format!("a part that was interrupted after {}", counted(count, "object"));
        Err(refused(file, found, "a finished part").with_fix(AGAIN))
    }

    /// Checks that there is a file for every part.
    fn without_gaps(&self, first: &Path) -> Result<()> {
        const NAMED: usize = 10;
        let missing: Vec<_> =
            self.files.iter().enumerate().filter(|(_, file)| file.as_os_str().is_empty()).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let named: Vec<_> =
            missing.iter().take(NAMED).map(|(at, _)| (at + 1).to_string()).collect();
        let more = missing.len() - named.len();
        let more = words::and_more(more);
        let (word, of) = (if missing.len() == 1 { "part" } else { "parts" }, self.files.len());
        let found = format!("one of {of} parts, but no file for {word} {}{more}", named.join(", "));
        Err(refused(first, found, format!("the files of all {of}")))
    }

    /// Opens the store at `typed`, or else the one that the parts were made of.
    ///
    /// # Errors
    ///
    /// If it cannot be opened, or has other metadata than the parts are of.
    pub(in crate::cli) fn open(&self, typed: Option<&Path>) -> Result<Opened> {
        let opened = open(typed.unwrap_or_else(|| Path::new(&self.path)))?;
        if digest::metadata(&opened.hierarchy, &opened.node.path) == self.metadata {
            return Ok(opened);
        }
        let first = self.files.first().map_or_else(|| Path::new(""), PathBuf::as_path);
        let found = "a part of a store whose metadata differ from those of this one";
        let fix = "Name the store before --merge; if it changed since, make the parts again.";
        Err(refused(first, found, "parts of this store in its present state").with_fix(fix))
    }

    /// True if there is a line for `object`.
    pub(in crate::cli) fn has(&self, object: &str) -> bool {
        self.lines.contains_key(object)
    }

    /// The objects of which there is a line.
    pub(in crate::cli) fn objects(&self) -> impl Iterator<Item = &str> {
        self.lines.keys().map(String::as_str)
    }

    /// The record of `object`, read by `form`.
    ///
    /// # Errors
    ///
    /// If it is not in any part, or not what `form` takes.
    pub(in crate::cli) fn get<T>(
        &self,
        object: &str,
        form: impl FnOnce(&Json) -> Option<T>,
    ) -> Result<T> {
        let Some((_, line)) = self.lines.get(object) else { return Err(self.gap(object)) };
        let value = Json::parse_str(line).ok().and_then(|json| form(&json));
        value.ok_or_else(|| self.stranger(object))
    }

    /// The error that the store has an object of which no part knows.
    pub(in crate::cli) fn gap(&self, object: &str) -> Error {
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
    pub(in crate::cli) fn stranger(&self, object: &str) -> Error {
        let file = self.lines.get(object).and_then(|(file, _)| self.files.get(*file));
        let file = file.map_or_else(|| Path::new(""), PathBuf::as_path);
        let found = format!("a line for {}, which is not in the store", safe(object));
        refused(file, found, "lines only for objects in the store").with_fix(CHANGED)
    }
}

/// True if the option `key` was set for the parts.
pub(in crate::cli) fn is_set(options: &Json, key: &str) -> bool {
    options.get(key) == Some(&Json::from(true))
}

const AGAIN: &str = "Run the command for this part again; finished objects are kept.";
const CHANGED: &str =
    "The store changed since the part was made: delete the file and make it again.";

/// The most bytes of the first line: options, a path and a hash.
const HEAD: u64 = 1 << 20;
/// The most bytes of the line on an object: a digit for each inner chunk of a shard, and what was found.
const LONGEST: u64 = 256 << 20;

/// The number of parts that are put together.
const MOST: u64 = 1_000_000;

/// The first line of a part of `command`.
fn head(file: &Path, lines: &mut BoundedLines<File>, command: &str) -> Result<(Json, Partition)> {
    let no_part =
        || refused(file, "a file that is not a part file", "a part file, as -o writes it");
    let line = match lines.next(HEAD) {
        Err(error) if error.kind() != io::ErrorKind::InvalidData => {
            return Err(unreadable(file, &error));
        }
        line => line.ok().flatten().map(|line| line.bytes).unwrap_or_default(),
    };
    let head = Json::parse(&line).ok();
    let head = head.map(|document| document.root).ok_or_else(no_part)?;
    let text = |key: &str| head.get_str(key).unwrap_or_default();
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

/// The error that a file cannot be read, or is too long for a part file.
fn unreadable(file: &Path, error: &io::Error) -> Error {
    refused(file, error.to_string(), "a part file, as -o writes it")
}

/// Options as a line of text.
fn options(options: Option<&Json>) -> String {
    safe_owned(&options.map_or_else(String::new, Json::to_line))
}

fn name(file: &Path) -> String {
    safe_owned(&file.to_string_lossy())
}
