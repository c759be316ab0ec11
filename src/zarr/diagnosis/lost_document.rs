//! A guess at the document of an array of which only the chunks are left: their keys tell the format and the grid, their
//! bytes the codecs, and with luck the data type.

use super::prelude::*;
use super::{Guess, Wrapping, guess, unwrap};
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

/// A guess at a document, from the keys of chunks and the bytes of one.
#[derive(Debug)]
pub struct LostDocument {
    /// The number of keys.
    keys: usize,
    /// The form of the keys, one of [`FORMS`].
    separator: char,
    format: Format,
    declared: &'static str,
    /// The number of chunks along each dimension.
    counts: Vec<u64>,
    /// What the bytes of a chunk tell, where they are not too many.
    chunk: Option<(Wrapping, Option<Guess>)>,
}

/// The guess at the document of the chunks below `folder`; `None` where there are none.
#[must_use]
pub fn lost_document(store: &dyn Store, folder: &str) -> Option<LostDocument> {
    let mut keys = Vec::new();
    gather(store, folder, "", DEEPEST, &mut keys);
    let numbers = |key: &str, (prefix, separator, ..): &(&str, char, Format, &str)| {
        let rest = key.strip_prefix(prefix)?;
        rest.split(*separator).map(|part| part.parse::<u64>().ok()).collect::<Option<Vec<_>>>()
    };
    // Other files may be beside them. Of forms that fit alike, the first one.
    let form = FORMS
        .iter()
        .rev()
        .max_by_key(|form| keys.iter().filter(|key| numbers(key, form).is_some()).count())?;
    let files = keys.len();
    keys.retain(|key| numbers(key, form).is_some());
    // A file that is called by a number is no chunk by that.
    (keys.len() * 2 >= files).then_some(())?;
    let all: Vec<Vec<u64>> = keys.iter().filter_map(|key| numbers(key, form)).collect();
    let rank = all.first()?.len();
    let last = |axis: usize| all.iter().filter_map(|at| at.get(axis)).max().map(|last| last + 1);
    let is_even = all.iter().all(|at| at.len() == rank);
    let counts = is_even.then(|| (0..rank).filter_map(last).collect::<Vec<u64>>())?;
    let &(_, separator, format, declared) = form;
    let key = join(folder, keys.first()?);
    let bytes = store.read_range(&key, 0..LONG + 1).ok().flatten().unwrap_or_default();
    let chunk = (bytes.len() as u64 <= LONG).then(|| {
        let wrapping = unwrap(bytes, LONG * 4, &Registry::default());
        let guess = guess(&wrapping.inside);
        (wrapping, guess)
    });
    Some(LostDocument { keys: keys.len(), separator, format, declared, counts, chunk })
}

impl fmt::Display for LostDocument {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let grid = if self.counts.iter().all(|count| *count == 1) {
            "a single chunk".to_owned()
        } else {
            format!("a grid of {} chunks", times(self.counts.as_slice()))
        };
        let (keys, declared) = (counted(self.keys as u64, "key"), self.declared);
        write!(f, "Guess from {keys}: {declared}, {grid}")?;
        let Some((wrapping, guess)) = &self.chunk else { return Ok(()) };
        let codecs: Vec<_> = wrapping.names(self.format).collect();
        let codecs = match codecs.as_slice() {
            [] => "no compressor".to_owned(),
            names => names.join(" and "),
        };
        write!(f, ", {codecs}, {} in a chunk", byte_count(wrapping.inside.len()))?;
        let Some(guess) = guess else { return Ok(()) };
        let is_v2 = self.format == Format::V2;
        let name = if is_v2 { guess.dtype() } else { guess.data_type.to_owned() };
        write!(f, " that look like {name}")
    }
}

impl LostDocument {
    /// The format of the keys.
    pub fn format(&self) -> Format {
        self.format
    }

    /// A document with what is known, to be corrected: of the chunk shape, the keys and the bytes tell only how many elements there
    /// are, and where rows look alike, how long these are. Each chunk is taken to be as long as the first one.
    pub fn document(&self) -> Json {
        let (bytes, guess) = match &self.chunk {
            Some((wrapping, guess)) => (wrapping.inside.len(), guess.as_ref()),
            None => (1, None),
        };
        let elements = guess.map_or(bytes as u64, |guess| guess.elements.len()).max(1);
        let size = usize::try_from(bytes as u64 / elements).ok();
        let mut chunk = vec![1; self.counts.len()];
        let row = guess.and_then(Guess::row).filter(|_| chunk.len() > 1);
        let row = row.unwrap_or(elements);
        if let [.., rows, last] = chunk.as_mut_slice() {
            (*rows, *last) = (elements / row, row);
        } else if let [only] = chunk.as_mut_slice() {
            *only = elements;
        }
        let shape: Json = chunk
            .iter()
            .zip(&self.counts)
            .map(|(chunk, count)| chunk.saturating_mul(*count))
            .collect();
        let chunk: Json = chunk.into_iter().collect();
        let rows = self.chunk.iter().flat_map(|(wrapping, _)| &wrapping.codecs);
        let mut codecs: Vec<Json> =
            rows.map(|row| super::codecs::usual(row, self.format, size)).collect();
        let separator = self.separator.to_string();
        match self.format {
            Format::V2 => {
                let compressor = codecs.pop();
                object! {
                    "zarr_format": 2_u64,
                    "shape": shape,
                    "chunks": chunk,
                    "dtype": guess.map_or_else(|| "|u1".to_owned(), Guess::dtype),
                    "compressor": compressor,
                    "fill_value": Json::NULL,
                    "order": "C",
                    "filters": if codecs.is_empty() { Json::NULL } else { codecs.into() },
                    "dimension_separator": separator,
                }
            }
            Format::V3 => {
                let order = guess.and_then(|guess| guess.verdict.plausible);
                let order = order.unwrap_or(Endian::Little).word();
                let of_bytes =
                    object! {"name": "bytes", "configuration": object! {"endian": order}};
                let codecs: Json = std::iter::once(of_bytes).chain(codecs).collect();
                let key =
                    object! {"name": "default", "configuration": object! {"separator": separator}};
                object! {
                    "zarr_format": 3_u64,
                    "node_type": "array",
                    "shape": shape,
                    "data_type": guess.map_or("uint8", |guess| guess.data_type),
                    "chunk_grid": object! {
                        "name": "regular",
                        "configuration": object! {"chunk_shape": chunk},
                    },
                    "chunk_key_encoding": key,
                    "fill_value": 0_u64,
                    "codecs": codecs,
                }
            }
        }
    }
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
        } else if !entry.name.starts_with('.') && entry.name != "zarr.json" {
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
