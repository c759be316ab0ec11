//! A guess at the document of an array of which only the chunks are left: their keys tell the format and the grid, their
//! bytes the codecs, and with luck the data type.

use super::prelude::*;
use super::{guess, unwrap};
use crate::zarr::prelude::*;
use crate::zarr::store::join;

/// The number of files that are looked at, and the levels of folders.
const MOST: usize = 100_000;
const DEEPEST: usize = 8;
/// The bytes of a chunk that are looked at.
const LONG: u64 = 1 << 24;

/// The forms of chunk keys, and how a document declares each.
const FORMS: [(&str, char, Format, &str); 4] = [
    ("c/", '/', Format::V3, "zarr_format 3, chunk_key_encoding default"),
    ("c.", '.', Format::V3, "zarr_format 3, chunk_key_encoding default with the separator \".\""),
    ("", '.', Format::V2, "zarr_format 2, dimension_separator \".\""),
    ("", '/', Format::V2, "zarr_format 2, dimension_separator \"/\""),
];

/// The guess at the document of the chunks below `folder`, in words; `None` where there are none.
#[must_use]
pub fn lost_document(store: &dyn Store, folder: &str) -> Option<String> {
    let mut keys = Vec::new();
    gather(store, folder, "", DEEPEST, &mut keys);
    let grid = |(prefix, separator, ..): &(&str, char, Format, &str)| {
        let numbers = keys.iter().map(|key| {
            let rest = key.strip_prefix(prefix)?;
            rest.split(*separator).map(|part| part.parse::<u64>().ok()).collect::<Option<Vec<_>>>()
        });
        let numbers = numbers.collect::<Option<Vec<_>>>()?;
        let rank = numbers.first()?.len();
        let is_even = numbers.iter().all(|at| at.len() == rank);
        is_even.then(|| {
            (0..rank)
                .filter_map(|axis| {
                    numbers.iter().filter_map(|at| at.get(axis)).max().map(|last| last + 1)
                })
                .collect::<Vec<u64>>()
        })
    };
    let (counts, (.., format, declared)) =
        FORMS.iter().find_map(|form| Some((grid(form)?, form)))?;
    let key = join(folder, keys.first()?);
    let bytes = store.read_range(&key, 0..LONG + 1).ok().flatten().unwrap_or_default();
    let of_chunk = if bytes.len() as u64 > LONG { String::new() } else { content(bytes, *format) };
    let grid = if counts.iter().all(|count| *count == 1) {
        "a single chunk".to_owned()
    } else {
        format!("a grid of {} chunks", times(counts.as_slice()))
    };
    Some(format!("Guess from {}: {declared}, {grid}{of_chunk}", counted(keys.len() as u64, "key")))
}

/// The codecs, the length and the data type of a chunk, as the end of a sentence.
fn content(bytes: Vec<u8>, format: Format) -> String {
    let wrapping = unwrap(bytes, LONG * 4, &Registry::default());
    let codecs: Vec<_> = wrapping.names(format).collect();
    let codecs = match codecs.as_slice() {
        [] => ", no compressor".to_owned(),
        names => format!(", {}", names.join(" and ")),
    };
    let length = byte_count(wrapping.inside.len());
    let data_type = guess(&wrapping.inside).map_or_else(String::new, |guess| {
        let name = if format == Format::V2 { guess.dtype() } else { guess.data_type.to_owned() };
        format!(" that look like {name}")
    });
    format!("{codecs}, {length} in a chunk{data_type}")
}

/// The keys of the files below a folder, relative to it.
fn gather(store: &dyn Store, folder: &str, inside: &str, depth: usize, keys: &mut Vec<String>) {
    let mut folders = Vec::new();
    // What cannot be listed is told where it is listed.
    let path = if inside.is_empty() { folder.to_owned() } else { join(folder, inside) };
    let _ = store.visit(&path, &mut |entry| {
        let key = if inside.is_empty() { entry.name.clone() } else { join(inside, &entry.name) };
        if entry.is_folder {
            folders.push(key);
        } else if !entry.name.starts_with('.') {
            keys.push(key);
        }
        keys.len() < MOST && folders.len() < MOST
    });
    for inside in folders.iter().filter(|_| depth > 0) {
        if keys.len() < MOST {
            gather(store, folder, inside, depth - 1, keys);
        }
    }
}
