//! Names of chunk files that tell what happened to them: copies that sync programs and file managers make beside a file,
//! and keys with a number more than the array has dimensions.

use super::case::{Case, named};
use crate::zarr::{
    error::{Code, Diagnosis},
    store::join,
    text::for_shell,
    what_if::WhatIf,
    words::{counted, list},
};

/// What names of copies end with after the name of their file, without the number in it.
const ENDINGS: [&str; 7] = [" (", " - Copy", " copy", ".sync-conflict-", ".bak", ".orig", "~"];

/// The name of the file that `name` is a copy of.
fn original(name: &str) -> Option<&str> {
    let (at, ending) = ENDINGS.iter().find_map(|ending| Some((name.rfind(ending)?, ending)))?;
    let (start, rest) = (name.get(..at)?, name.get(at + ending.len()..)?);
    let is_closed = match *ending {
        " (" => rest.ends_with(')'),
        ".bak" | ".orig" | "~" => rest.is_empty(),
        _ => !rest.contains('/'),
    };
    is_closed.then_some(start)
}

/// The cause, if chunks are missing of which there is a copy, under the name that a sync program or a file manager gives
/// copies.
pub(super) fn conflicts(case: &Case<'_>, keys: &[Vec<u64>]) -> Option<Diagnosis> {
    let counts = &case.layout.counts;
    let chunk = |file: &String| {
        let name = file.strip_prefix(&case.path.0).unwrap_or(file).trim_start_matches('/');
        let at = case.layout.encoding.parse(original(name)?, counts.len())?;
        let is_lost = inside(case, &at) && !keys.contains(&at);
        is_lost.then(|| (file.clone(), case.layout.key(&at), at))
    };
    let copies: Vec<_> = case.symptoms.strangers()?.iter().filter_map(chunk).collect();
    // Two copies of one chunk: nothing says which is to be kept.
    let is_one = |key: &String| copies.iter().filter(|(_, other, _)| other == key).count() == 1;
    let reads = |file: &String, at: &[u64]| {
        let bytes = case.hierarchy.store.read(file, 8 << 20).ok().flatten();
        bytes.is_some_and(|bytes| {
            case.spend(bytes.len() as u64)
                && case.decode(case.array, at, bytes, &case.budget()).is_some()
        })
    };
    let found: Vec<_> =
        copies.iter().filter(|(file, key, at)| is_one(key) && reads(file, at)).collect();
    let (example, key, _) = found.first()?;
    let names = if found.len() == 1 {
        "is stored only under the name of a copy"
    } else {
        "are stored only under names of copies"
    };
    let text =
        format!("{} {names}: {example} is the chunk {key}.", counted(found.len() as u64, "chunk"));
    let commands: Vec<String> = found
        .iter()
        .map(|(file, key, _)| format!("mv {} {}", for_shell(file), for_shell(key)))
        .collect();
    let files: Vec<String> = found.iter().map(|(file, ..)| file.clone()).collect();
    let diagnosis = Diagnosis::new("chunk-keys", text)
        .because(format!(
            "No chunk is stored under their keys, and they decode: {}.",
            named(&files)
        ))
        .because("Sync programs and file managers give such names to files that are there already.")
        .explaining(&[Code::ForeignFile, Code::ChunksMissing])
        .mended_by(commands.join("\n"));
    Some(diagnosis)
}

/// The cause, if all keys have one number more than the array dimensions, and it is always 0: a dimension of length 1 is
/// missing in the metadata.
pub(super) fn one_more(case: &Case<'_>) -> Option<Diagnosis> {
    let folders = case.symptoms.folders()?;
    let files: Vec<String> = folders.iter().flat_map(|folder| below(case, folder)).collect();
    let rank = case.layout.counts.len() + 1;
    let keys = files.iter().map(|file| {
        let name = file.strip_prefix(&case.path.0).unwrap_or(file).trim_start_matches('/');
        case.layout.encoding.parse(name, rank)
    });
    let keys: Vec<Vec<u64>> = keys.collect::<Option<_>>().filter(|keys: &Vec<_>| keys.len() > 1)?;
    let without = |key: &[u64], axis: usize| {
        let others = key.iter().enumerate().filter(|(at, _)| *at != axis);
        others.map(|(_, n)| *n).collect::<Vec<u64>>()
    };
    let fits = |axis: &usize| {
        keys.iter().all(|key| key.get(*axis) == Some(&0) && inside(case, &without(key, *axis)))
    };
    let axis = (0..rank).find(fits)?;
    let with_one = |lengths: &[u64]| {
        let (before, after) = lengths.split_at(axis.min(lengths.len()));
        [before, &[1], after].concat()
    };
    let shape = with_one(case.array.shape.as_ref().ok()?);
    let chunk = with_one(&case.array.chunk_shape()?);
    let text = format!(
        "A dimension of length 1 is missing in the metadata: the shape is {}, the shape of a chunk {}.",
        list(&shape),
        list(&chunk)
    );
    let what_if = WhatIf::parse(&settings(&shape, &chunk)).ok();
    let mut diagnosis = Diagnosis::new("shape", text)
        .because(format!(
            "All {} have {rank} numbers, and number {} is always 0; the array has {} dimensions.",
            counted(keys.len() as u64, "chunk key"),
            axis + 1,
            rank - 1
        ))
        .explaining(&[Code::ChunkIsFolder, Code::ChunksMissing, Code::ForeignFile]);
    diagnosis.fix = what_if.as_ref().and_then(|what_if| what_if.fix(case.array).ok());
    diagnosis.what_if = what_if.map(|what_if| what_if.to_string());
    Some(diagnosis)
}

/// The files at or below `key`, a few levels deep.
pub(super) fn below(case: &Case<'_>, key: &str) -> Vec<String> {
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

/// True if the grid has a chunk at `at`.
pub(super) fn inside(case: &Case<'_>, at: &[u64]) -> bool {
    at.iter().zip(&case.layout.counts).all(|(at, count)| at < count)
}

/// The settings for another shape of the array and of its chunks.
fn settings(shape: &[u64], chunk: &[u64]) -> String {
    let numbers = |n: &[u64]| n.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
    format!("shape={} chunks={}", numbers(shape), numbers(chunk))
}

#[cfg(test)]
mod tests {
    use super::original;

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
            assert_eq!(original(name), Some(of), "{name}");
        }
        for name in ["1.1", "c/0/1", "1.1 (1", "1.1.bak2", "notes"] {
            assert_eq!(original(name), None, "{name}");
        }
    }
}
