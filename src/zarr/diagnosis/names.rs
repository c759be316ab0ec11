//! Names of chunk files that tell what happened to them: copies that sync programs and file managers make beside a file,
//! placeholders and downloads that never ended, escapes of a URL, and keys with a number more than the array has
//! dimensions.

use super::prelude::*;
use crate::zarr::store::join;

/// Endings of the names of copies, after the name of the original, without the number in it.
const ENDINGS: [&str; 7] = [" (", " - Copy", " copy", ".sync-conflict-", ".bak", ".orig", "~"];

/// Prefix and suffix of placeholders for data that are elsewhere, and the program or command that fetches them.
const PLACEHOLDERS: [(&str, &str, &str); 4] = [
    (".", ".icloud", ELSEWHERE),
    ("", ".nextcloud", ELSEWHERE),
    ("", ".owncloud", ELSEWHERE),
    ("", ".dvc", "dvc pull"),
];
const ELSEWHERE: &str = "# fetch the data, with the program that made the placeholder:";

/// Prefix and suffix of files that are still being fetched.
const UNFINISHED: [(&str, &str); 11] = [
    ("", "_.gstmp"),
    ("", ".crdownload"),
    ("", ".part"),
    ("", ".partial"),
    ("", ".download"),
    ("", ".filepart"),
    ("", ".aria2"),
    ("", ".st"),
    (".syncthing.", ".tmp"),
    ("~syncthing~", ".tmp"),
    ("", ".tmp"),
];

/// The relation of a file to a chunk, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Named {
    /// A copy that was made beside a file.
    Copy,
    /// The chunk, with what only a URL needs.
    Escaped,
    /// The chunk, with an ending.
    Ending,
    /// No data, but the place where they belong: the ending of such names, and what fetches the data.
    Placeholder(&'static str, &'static str),
    /// A file that is not yet whole.
    Unfinished,
}

impl Named {
    /// True if the file is the chunk, if it can be decoded as one.
    fn is_chunk(self) -> bool {
        matches!(self, Self::Copy | Self::Escaped | Self::Ending)
    }

    /// The programs that give such names, in a sentence.
    fn evidence(self) -> String {
        match self {
            Self::Copy => {
                "Sync programs and file managers give such names to files that are there already.".into()
            }
            Self::Escaped => "%2F is how a URL writes a slash: the keys were not decoded when they became file names.".into(),
            Self::Ending => "Browsers and archivers add such endings to names.".into(),
            Self::Placeholder(ending, _) => format!("{ending} ends the names of files that stand for data elsewhere."),
            Self::Unfinished => "Downloads and copies have such names until they are complete.".into(),
        }
    }
}

/// The names that `name` may be made of, and how.
fn originals(name: &str) -> Vec<(String, Named)> {
    let (folder, file) = name.rsplit_once('/').map_or(("", name), |(folder, file)| (folder, file));
    let around = |(start, end): (&str, &str)| {
        let inner = file.strip_prefix(start)?.strip_suffix(end)?;
        let inner = Some(inner).filter(|inner| !inner.is_empty())?;
        Some(if folder.is_empty() { inner.to_owned() } else { format!("{folder}/{inner}") })
    };
    let mut found = Vec::new();
    for (start, end, command) in PLACEHOLDERS {
        found.extend(around((start, end)).map(|it| (it, Named::Placeholder(end, command))));
    }
    found.extend(UNFINISHED.into_iter().filter_map(around).map(|it| (it, Named::Unfinished)));
    found.extend(copied_from(name).map(|it| (it.to_owned(), Named::Copy)));
    found.extend(unescaped(name).map(|it| (it, Named::Escaped)));
    let ending = file.rsplit_once('.').map(|(_, ending)| ending);
    if let Some(ending) = ending.filter(|ending| is_random(ending)) {
        let original = around(("", &format!(".{ending}")));
        found.extend(original.map(|it| (it, Named::Unfinished)));
    }
    if let Some(ending) = ending.filter(|ending| {
        ending.starts_with(|c: char| c.is_ascii_alphabetic()) && ending.len() <= 12
    }) {
        found.extend(around(("", &format!(".{ending}"))).map(|it| (it, Named::Ending)));
    }
    found
}

/// True if an ending looks like one that was drawn by lot: eight hexadecimal digits, letters among them.
fn is_random(ending: &str) -> bool {
    let has = |kind: fn(&char) -> bool| ending.chars().any(|c| kind(&c));
    ending.len() == 8
        && ending.bytes().all(|byte| byte.is_ascii_hexdigit())
        && has(char::is_ascii_digit)
        && has(char::is_ascii_alphabetic)
}

/// The name of the file that `name` is a copy of.
fn copied_from(name: &str) -> Option<&str> {
    let (at, ending) = ENDINGS.iter().find_map(|ending| Some((name.rfind(ending)?, ending)))?;
    let (start, rest) = (name.get(..at)?, name.get(at + ending.len()..)?);
    let is_closed = match *ending {
        " (" => rest.ends_with(')'),
        ".bak" | ".orig" | "~" => rest.is_empty(),
        _ => !rest.contains('/'),
    };
    is_closed.then_some(start)
}

/// A name with its escapes of a URL (`%2F`) undone; `None` where there are none.
pub(super) fn unescaped(name: &str) -> Option<String> {
    let bytes = super::transfer::unquoted(name.as_bytes()).filter(|_| name.contains('%'))?;
    String::from_utf8(bytes).ok().filter(|text| !text.contains(char::is_control))
}

/// A file that stands for a chunk which is not stored under its own key.
struct Lost {
    file: String,
    key: String,
    at: Vec<u64>,
    named: Named,
}

/// The file, if a chunk that is not among `keys` may be meant by its name.
fn lost<'c>(case: &'c Case<'_>, keys: &'c [Vec<u64>], file: &'c str) -> Vec<Lost> {
    let name = case.path.relative(file);
    let chunk = |(name, named): (String, Named)| {
        let at = case.layout.encoding.parse(&name, case.layout.counts.len())?;
        let is_lost = case.layout.has(&at) && !keys.contains(&at);
        is_lost.then(|| Lost { file: file.to_owned(), key: case.layout.key(&at), at, named })
    };
    originals(name).into_iter().filter_map(chunk).collect()
}

/// The cause, if chunks are missing that are there under another name: that of a copy, of a download, of a placeholder.
pub(super) fn conflicts(case: &Case, keys: &[Vec<u64>]) -> Option<Diagnosis> {
    let all = case.symptoms.strangers()?.iter().flat_map(|file| lost(case, keys, file));
    let mut all: Vec<Lost> = all.collect();
    all.sort_by(|a, b| a.file.cmp(&b.file));
    let whole: Vec<&Lost> = all
        .iter()
        .filter(|lost| lost.named.is_chunk() || lost.named == Named::Unfinished)
        .filter(|lost| reads(case, lost))
        .collect();
    // Two copies of one chunk: nothing says which is to be kept.
    let files_of = |key: &String| {
        let mut files: Vec<&String> =
            whole.iter().filter(|other| other.key == *key).map(|other| &other.file).collect();
        files.dedup();
        files.len()
    };
    let mut found: Vec<&Lost> = whole.iter().copied().filter(|it| files_of(&it.key) == 1).collect();
    found.dedup_by(|a, b| a.file == b.file);
    if !found.is_empty() {
        return Some(renamed(&found));
    }
    let mut pending: Vec<&Lost> = all.iter().filter(|lost| !lost.named.is_chunk()).collect();
    pending.dedup_by(|a, b| a.file == b.file);
    fetched(&pending)
}

/// True if a file can be decoded as the chunk that its name means.
fn reads(case: &Case, lost: &Lost) -> bool {
    let bytes = case.hierarchy.store.read(&lost.file, 8 << 20).ok().flatten();
    bytes.is_some_and(|bytes| {
        case.spend(bytes.len() as u64)
            && case.decode(case.array, &lost.at, bytes, &case.budget()).is_some()
    })
}

/// The cause of chunks under other names that can be decoded.
fn renamed(found: &[&Lost]) -> Diagnosis {
    let (first, files) = (found.first(), files(found));
    let (example, key) = first.map_or(("", ""), |it| (it.file.as_str(), it.key.as_str()));
    let is_copy = first.is_some_and(|it| it.named == Named::Copy);
    let names = match (found.len(), is_copy) {
        (1, true) => "is stored only under the name of a copy",
        (_, true) => "are stored only under names of copies",
        (1, false) => "is stored only under another name",
        (_, false) => "are stored only under other names",
    };
    let text = format!("{} {names}: {example} is the chunk {key}.", counted(found.len(), "chunk"));
    let mut diagnosis = Diagnosis::new("chunk-keys/other-names", text)
        .because(format!(
            "No chunk is stored under their keys, and they decode: {}.",
            named(&files)
        ))
        .because(first.map_or_else(String::new, |it| it.named.evidence()))
        .explaining(&[Code::ForeignFile, Code::ChunksMissing]);
    // A copy may be an older state of the chunk.
    diagnosis.is_certain = !is_copy;
    let renames = found.iter().map(|it| (it.file.clone(), it.key.clone()));
    mended_by_renames(diagnosis, &renames.collect::<Vec<_>>())
}

/// The cause of chunks of which only a placeholder is there, or a download that never ended.
fn fetched(pending: &[&Lost]) -> Option<Diagnosis> {
    let Lost { file, key, named: kind, .. } = pending.first()?;
    let same: Vec<&Lost> = pending.iter().copied().filter(|it| it.named == *kind).collect();
    let count = counted(same.len(), "chunk");
    let are = if same.len() == 1 { "is" } else { "are" };
    let (cause, text, command) = match *kind {
        Named::Placeholder(_, command) => (
            "not-data/placeholder",
            format!("{count} {are} not on this computer: {file} is a placeholder for {key}."),
            command,
        ),
        Named::Unfinished => (
            "interrupted-write/unfinished-download",
            format!(
                "{count} {are} incomplete: {file} has the name of an unfinished download of {key}."
            ),
            "fetch again:",
        ),
        Named::Copy | Named::Escaped | Named::Ending => return None,
    };
    let command = |it: &&Lost| {
        let what = if command.ends_with(':') { &it.key } else { &it.file };
        format!("{command} {what}")
    };
    let commands: Vec<String> = same.iter().map(command).collect();
    let diagnosis = Diagnosis::new(cause, text)
        .because(kind.evidence())
        .because("No chunk is stored under their keys; readers take the fill value instead.")
        .explaining(&[Code::ForeignFile, Code::ChunksMissing]);
    Some(diagnosis.to_do(commands.join("\n")))
}

fn files(found: &[&Lost]) -> Vec<String> {
    found.iter().map(|lost| lost.file.clone()).collect()
}

/// The cause, if all keys have one number more than the array dimensions, and it is always 0: a dimension of length 1 is
/// missing in the metadata.
pub(super) fn one_more(case: &Case) -> Option<Diagnosis> {
    let folders = case.symptoms.folders()?;
    let files: Vec<String> = folders.iter().flat_map(|folder| below(case, folder)).collect();
    let rank = case.layout.counts.len() + 1;
    let keys = files.iter().map(|file| {
        let name = case.path.relative(file);
        case.layout.encoding.parse(name, rank)
    });
    let keys: Vec<Vec<u64>> = keys.collect::<Option<_>>().filter(|keys: &Vec<_>| keys.len() > 1)?;
    let without = |key: &[u64], axis: usize| {
        let others = key.iter().enumerate().filter(|(at, _)| *at != axis);
        others.map(|(_, n)| *n).collect::<Vec<u64>>()
    };
    let fits = |axis: &usize| {
        keys.iter().all(|key| key.get(*axis) == Some(&0) && case.layout.has(&without(key, *axis)))
    };
    let axis = (0..rank).find(fits)?;
    let with_one = |lengths: &[u64]| {
        let (before, after) = lengths.split_at(axis.min(lengths.len()));
        [before, &[1], after].concat()
    };
    let shape = with_one(case.array.known_shape()?);
    let chunk = with_one(&case.array.chunk_shape()?);
    let text = format!(
        "A dimension of length 1 is missing in the metadata: the shape is {}, the shape of a chunk {}.",
        list(&shape),
        list(&chunk)
    );
    let diagnosis = Diagnosis::new("shape/missing-dimension", text)
        .because(format!(
            "All {} have {rank} numbers, and number {} is always 0; the array has {} dimensions.",
            counted(keys.len(), "chunk key"),
            axis + 1,
            rank - 1
        ))
        .explaining(&[Code::NotAFile, Code::ChunksMissing, Code::ForeignFile]);
    let chunks = WhatIf::lengths(SettingMember::Chunks, &chunk);
    let what_if = WhatIf::lengths(SettingMember::Shape, &shape).and(chunks);
    Some(what_if.mending(case.array, diagnosis))
}

/// The files at or below `key`, a few levels deep.
pub(super) fn below(case: &Case, key: &str) -> Vec<String> {
    const DEEP: usize = 8;
    const MANY: usize = 4096;
    let (mut found, mut open) = (Vec::new(), vec![(key.to_owned(), 0)]);
    while let Some((key, depth)) = open.pop() {
        let Ok(entries) = case.hierarchy.store.list(&key) else { continue };
        if entries.is_empty() {
            found.push(key);
            continue;
        }
        if entries
            .iter()
            .any(|entry| ["zarr.json", ".zarray", ".zgroup"].contains(&entry.name.as_str()))
        {
            continue;
        }
        if depth < DEEP && found.len() + entries.len() < MANY {
            open.extend(entries.into_iter().map(|entry| (join(&key, &entry.name), depth + 1)));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Named, copied_from, originals};

    #[test]
    fn copies_are_told_by_their_names() {
        for (name, of) in [
            ("1.1 (1)", "1.1"),
            ("c/0/1 (conflicted copy 2024-01-02)", "c/0/1"),
            ("0.0 - Copy", "0.0"),
            ("0.0 copy 2", "0.0"),
            ("c/3.sync-conflict-20240102-101010-ABCDEFG", "c/3"),
            ("0.1.bak", "0.1"),
            ("0.1~", "0.1"),
        ] {
            assert_eq!(copied_from(name), Some(of), "{name}");
        }
        for name in ["1.1", "c/0/1", "1.1 (1", "1.1.bak2", "notes"] {
            assert_eq!(copied_from(name), None, "{name}");
        }
    }

    #[test]
    fn names_of_downloads_and_urls_are_told_from_keys() {
        let has = |name: &str, of: &str, kind: fn(Named) -> bool| {
            originals(name).iter().any(|(original, named)| original == of && kind(*named))
        };
        assert!(has(".1.0.icloud", "1.0", |it| matches!(it, Named::Placeholder(".icloud", _))));
        assert!(has("c/0/1.crdownload", "c/0/1", |it| it == Named::Unfinished));
        assert!(has("c/0/.syncthing.1.tmp", "c/0/1", |it| it == Named::Unfinished));
        assert!(has("c%2F0%2F12", "c/0/12", |it| it == Named::Escaped));
        assert!(has("c/0/1.9aC4bE01", "c/0/1", |it| it == Named::Unfinished));
        assert!(has("c/0/1.bin", "c/0/1", |it| it == Named::Ending));
        for name in ["1.1", "c/0/1", ".zattrs", "c%2", "c%zz"] {
            assert_eq!(originals(name), [], "{name}");
        }
    }
}
