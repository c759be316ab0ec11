//! A guess at the document of an array of which only the chunks are left: their keys tell the format and the grid, their
//! bytes the codecs, and with luck the data type.

use super::{Guess, Wrapping, guess, prelude::*, unwrap};
use crate::zarr::{
    chunk,
    error::{ChangedFile, Result},
    store::join,
    what_if::OverlayStore,
};

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
    /// The array beside it whose document fits, and the document.
    like: Option<(String, Json)>,
}

/// The guess at the document of the chunks below `folder`; `None` where there are none.
#[must_use]
pub fn lost_document(hierarchy: &Hierarchy, folder: &NodePath) -> Option<LostDocument> {
    let (store, path) = (&*hierarchy.store, folder);
    let folder = folder.0.as_str();
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
    let (first, at) = (keys.first()?, all.first()?);
    let beside = |node: Node| {
        let array = node.kind.array()?;
        let id = ChunkId::at(at.clone());
        let fits = array.format == format
            && array.chunk_counts()? == counts
            && array.known_key_encoding()?.key(at) == *first
            && chunk::load_whole(store, path, array, &id, &Budget::default()).elements().is_some();
        let document = array.documents.first().filter(|_| fits)?.root()?.strict();
        let members = document.as_object()?.iter().filter(|member| member.key != "attributes");
        let document = Json::object(members.map(|it| (it.key.clone(), it.value.clone())));
        Some((node.path.name().to_owned(), document))
    };
    let like = path.parent().and_then(|group| hierarchy.find_child(&group, beside));
    let bytes = store.read_range(&join(folder, first), 0..LONG + 1).ok().flatten();
    let bytes = bytes.unwrap_or_default();
    let chunk = (bytes.len() as u64 <= LONG).then(|| {
        let wrapping = unwrap(bytes, LONG * 4, &Registry::default());
        let guess = guess(&wrapping.inside);
        (wrapping, guess)
    });
    Some(LostDocument { keys: keys.len(), separator, format, declared, counts, chunk, like })
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
        if let Some((wrapping, guess)) = &self.chunk {
            let codecs: Vec<_> = wrapping.names(self.format).collect();
            let codecs = match codecs.as_slice() {
                [] => "no compressor".to_owned(),
                names => names.join(" and "),
            };
            write!(f, ", {codecs}, {} in a chunk", byte_count(wrapping.inside.len()))?;
            let name = guess.as_ref().map(|guess| match self.format {
                Format::V2 => guess.dtype(),
                Format::V3 => guess.data_type.to_owned(),
            });
            name.map_or(Ok(()), |name| write!(f, " that look like {name}"))?;
        }
        let Some((name, _)) = &self.like else { return Ok(()) };
        write!(
            f,
            "; {} beside it has as many chunks along each dimension, and its codecs decode the first one",
            quoted(name)
        )
    }
}

impl WhatIf {
    /// `hierarchy` with the array at `path` declared so; where it has no document, by a guess at it.
    ///
    /// # Errors
    ///
    /// As [`Self::document`] and [`Self::guessed`], and where there is no array at `path`.
    pub fn over(&self, hierarchy: &Hierarchy, path: &NodePath) -> Result<Hierarchy> {
        self.over_guessed(hierarchy, path, self.guessed(hierarchy, path)?)
    }

    /// The document that it supposes, which takes reading a chunk; `None` where it supposes none.
    ///
    /// # Errors
    ///
    /// Where there is a document, or nothing that tells of it.
    pub fn guessed(&self, hierarchy: &Hierarchy, path: &NodePath) -> Result<Option<ChangedFile>> {
        if !self.guesses() {
            return Ok(None);
        }
        let refused = |found: &str, expected: &str| {
            Error::new(Code::InvalidArgument, found, expected).at("document")
        };
        if hierarchy.node(path).kind.array().is_some() {
            return Err(refused("an array that has a document", "chunks without one"));
        }
        let lost = lost_document(hierarchy, path)
            .ok_or_else(|| refused("no files named like chunks", "the chunks of one array"))?;
        let bytes = lost.document().to_line().into_bytes();
        Ok(FileContent::of(&join(&path.0, lost.name()), bytes).pop())
    }

    /// The same as [`Self::over`] with the document that was guessed.
    ///
    /// # Errors
    ///
    /// As [`Self::document`], and where there is no array at `path`.
    pub fn over_guessed(
        &self,
        hierarchy: &Hierarchy,
        path: &NodePath,
        guessed: Option<ChangedFile>,
    ) -> Result<Hierarchy> {
        let Some(file) = guessed else { return self.over_declared(hierarchy, path) };
        let mut over = hierarchy.clone();
        over.store = Arc::new(OverlayStore::new(Arc::clone(&hierarchy.store), [file]));
        if *self == Self::guess() { Ok(over) } else { self.over_declared(&over, path) }
    }
}

impl LostDocument {
    /// The format of the keys.
    pub fn format(&self) -> Format {
        self.format
    }

    /// What in it is not known.
    pub fn unsure(&self) -> &'static str {
        match self.like {
            Some(_) => " where the arrays differ",
            None => ": shape and chunk shape are made of whole chunks like the first one",
        }
    }

    /// The name of its file.
    pub fn name(&self) -> &'static str {
        self.format.array_document()
    }

    /// A document with what is known, to be corrected: that of an array beside it which fits; else of the chunk shape, the keys and the bytes tell only how many elements there
    /// are, and where rows look alike, how long these are. Each chunk is taken to be as long as the first one.
    pub fn document(&self) -> Json {
        if let Some((_, document)) = &self.like {
            return document.clone();
        }
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
