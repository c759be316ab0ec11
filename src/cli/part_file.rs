//! Files of parts: what one machine found, a JSON line an object, and how the files of all parts are put together.
//!
//! The first line says what the file is a part of, the last one how many lines are between them, with a hash of these.
//! A file without a last line was interrupted, and is continued by the same command.

use super::prelude::*;
use crate::worker::output_file::{OutputFile, ResumedFile};
use std::{borrow::Cow, hash::Hasher};
use twox_hash::XxHash64;

mod parts;
pub(super) use parts::{ReportParts, is_set};

/// The hash of the lines between the first and the last.
fn hashed(hash: &mut XxHash64, line: &str) {
    hash.write(line.as_bytes());
    hash.write(b"\n");
}

/// The file of a part that is being made.
pub(super) struct PartFile<'a> {
    output: &'a mut Output,
    /// `None` where the lines go to the output.
    file: Option<OutputFile>,
    /// The objects that are in it.
    done: HashSet<String>,
    hash: XxHash64,
}

impl<'a> PartFile<'a> {
    /// The file of a part of what `command` with `options` makes of `path`, new or continued; `None` where it is whole
    /// already.
    ///
    /// # Errors
    ///
    /// If something else is there, or it cannot be written.
    pub(super) fn open(
        (command, options): (&str, Json),
        (Opened { hierarchy, node, .. }, typed): (&Opened, &Path),
        PartJob { part, file: target, force }: PartJob,
        output: &'a mut Output,
    ) -> Result<Option<Self>, Failure> {
        let place = match shown(typed) {
            Cow::Borrowed(path) => std::path::absolute(path).unwrap_or_else(|_| path.to_owned()),
            Cow::Owned(address) => address,
        };
        let first = object! {
            "zarrscope": env!("ZARRSCOPE_VERSION"), "command": command,
            "options": options, "part": part.part, "of": part.of,
            "metadata": digest::metadata(hierarchy, &node.path), "path": place.to_string_lossy(),
        };
        let first = first.to_line();
        let is_file = target.as_os_str() != "-";
        let store = hierarchy.store.name();
        let file = is_file.then(|| ResumedFile::open(target, Path::new(&store))).transpose()?;
        let mut found = Existing::default();
        if let Some(text) = file.as_ref().and_then(ResumedFile::text) {
            match Existing::of(text, &first) {
                Some(existing) => found = existing,
                None if force => {}
                None => return Err(something_else(target, text).into()),
            }
        }
        if found.is_whole {
            return Ok(None);
        }
        let file = file.map(|file| file.keep(found.keep)).transpose()?;
        let mut part = Self { output, file, done: found.done, hash: found.hash };
        if found.keep == 0 {
            part.line(&first)?;
        }
        Ok(Some(part))
    }

    /// The output of the command that it is made by.
    pub(super) fn output(&self) -> &Output {
        self.output
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
    pub(super) fn write(&mut self, object: &str, found: Json) -> Printed {
        let mut line = object! {"object": object};
        line.extend(found);
        let line = line.to_line();
        hashed(&mut self.hash, &line);
        self.done.insert(object.to_owned());
        self.line(&line)
    }

    /// Says that it is whole.
    pub(super) fn finish(mut self) -> Result<(), Failure> {
        let hash = format!("{:016x}", self.hash.finish());
        let last = object! {"objects": self.done.len(), "hash": hash};
        self.line(&last.to_line())?;
        Ok(self.file.map_or(Ok(()), OutputFile::finish)?)
    }

    fn line(&mut self, text: &str) -> Printed {
        match &mut self.file {
            // In one go, so that an interruption seldom cuts a line.
            Some(file) => file.write_all(format!("{text}\n").as_bytes()),
            None => self.output.line(text),
        }
    }
}

/// The content of a file of a part that is to be continued.
#[derive(Default)]
struct Existing {
    /// The number of bytes that are whole lines.
    keep: usize,
    done: HashSet<String>,
    hash: XxHash64,
    is_whole: bool,
}

impl Existing {
    /// The lines of `text` that can be kept, if it is a part that begins with the line `first`; `None` where it is
    /// none.
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
        existing.keep = head.len();
        for line in lines.filter(|line| line.ends_with(b"\n")) {
            let Some(json) = parse(line) else { break };
            let Some(object) = json.get_str("object") else {
                existing.is_whole = is_last(&json, &existing.hash, existing.done.len());
                break;
            };
            existing.done.insert(object.to_owned());
            existing.hash.write(line);
            existing.keep += line.len();
        }
        Some(existing)
    }
}

/// True if `json` is the last line after so many lines.
fn is_last(json: &Json, hash: &XxHash64, lines: usize) -> bool {
    let told = json.get_str("hash");
    json.get_u64("objects") == Some(lines as u64)
        && told == Some(format!("{:016x}", hash.finish()).as_str())
}

/// The error that a file is there which is not the part that is to be made.
fn something_else(target: &Path, text: &[u8]) -> Error {
    let head = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let head = Json::parse(head).ok().map(|document| document.root);
    let part = head.as_ref().and_then(Partition::from_json);
    let found = match (head, part) {
        (Some(head), Some(Partition { part, of })) => {
            let command = head.get_str("command").unwrap_or_default().to_owned();
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
    let name = safe_owned(&file.to_string_lossy());
    Error::new(Code::Partition, found, expected).in_file(name)
}
