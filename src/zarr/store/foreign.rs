//! Folders and files that hold arrays in another format than Zarr: what they are, and what opens them.

use super::{Store, join};
use crate::zarr::signature;

/// A format that is not Zarr, by the files in its folder.
struct ForeignLayout {
    what: &'static str,
    opens: &'static str,
    /// Files and folders that must all be there.
    all: &'static [&'static str],
    /// The file that must begin so; its name may be a part of a name.
    start: Option<(&'static str, &'static [u8])>,
}

const ICECHUNK: (&str, &str) = ("an Icechunk repository", "the library icechunk opens it");
const N5: (&str, &str) = ("an N5 container", "programs for N5 open it");
const TILEDB: (&str, &str) = ("a TileDB array or group", "TileDB opens it");
const KERCHUNK: (&str, &str) =
    ("kerchunk references to other files", "fsspec opens them as a filesystem \"reference\"");
const DVC: (&str, &str) = ("a pointer of DVC to data that is not here", "`dvc pull` fetches it");

const fn layout(
    (what, opens): (&'static str, &'static str),
    all: &'static [&'static str],
    start: Option<(&'static str, &'static [u8])>,
) -> ForeignLayout {
    ForeignLayout { what, opens, all, start }
}

const LAYOUTS: &[ForeignLayout] = &[
    layout(ICECHUNK, &["refs", "snapshots"], None),
    layout(ICECHUNK, &["snapshots", "manifests"], Some(("repo", b"ICE"))),
    layout(TILEDB, &["__schema"], None),
    layout(TILEDB, &["__fragments"], None),
    layout(TILEDB, &["__array_schema.tdb"], None),
    layout(TILEDB, &["__tiledb_group.tdb"], None),
    layout(N5, &[], Some(("attributes.json", b"{"))),
    layout(DVC, &[], Some((".dvc", b"outs:"))),
    layout(KERCHUNK, &[], Some((".json", b"{"))),
    layout(KERCHUNK, &[], Some(("refs.0.parq", b"PAR1"))),
];

/// The words that a document of a format has, and others of the same name have not.
const WORDS: &[(&str, &[&str])] = &[
    ("attributes.json", &["\"n5\"", "\"blockSize\"", "\"dimensions\""]),
    (".json", &["\".zgroup\":", "/.zarray\":", "/zarr.json\":"]),
];

/// The number of entries of a folder, and of bytes of a file, that are looked at.
const MOST: usize = 1000;
const START: u64 = 4096;

/// The format of a file or a folder, and what opens it, as the end of a sentence.
#[must_use]
pub fn format_of(store: &dyn Store, path: &str) -> Option<(&'static str, &'static str)> {
    let mut names = Vec::new();
    // What cannot be listed is told where it is listed.
    let _ = store.visit(path, &mut |entry| {
        names.push(entry.name);
        names.len() < MOST
    });
    let begins = |(end, start): (&'static str, &[u8])| {
        let is_it = |name: &&String| *name == end || end.starts_with('.') && name.ends_with(end);
        names.iter().filter(is_it).take(10).any(|name| {
            let bytes = store.read_range(&join(path, name), 0..START).ok().flatten();
            let bytes = bytes.unwrap_or_default();
            let words = WORDS.iter().find(|(known, _)| *known == end);
            let text = String::from_utf8_lossy(&bytes);
            bytes.trim_ascii_start().starts_with(start)
                && words.is_none_or(|(_, words)| words.iter().any(|word| text.contains(word)))
        })
    };
    let has = |name: &&str| names.iter().any(|known| known == name);
    let known = LAYOUTS.iter().find(|layout| {
        let is_any = !layout.all.is_empty() || layout.start.is_some();
        is_any && layout.all.iter().all(&has) && layout.start.is_none_or(&begins)
    });
    known
        .map(|layout| (layout.what, layout.opens))
        .or_else(|| names.iter().take(100).find_map(|name| file_format(store, &join(path, name))))
}

/// The format of a file that holds arrays.
fn file_format(store: &dyn Store, key: &str) -> Option<(&'static str, &'static str)> {
    let bytes = store.read_range(key, 0..START).ok().flatten()?;
    let what = signature::foreign_format(&bytes)?;
    let opens = "programs for this format open it";
    ["HDF5", "netCDF", "TIFF", "GRIB"]
        .iter()
        .any(|word| what.contains(word))
        .then_some((what, opens))
}

/// The same of a file, with what programs for references leave.
#[must_use]
pub fn format_of_file(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    let text = String::from_utf8_lossy(bytes);
    let is_references = text.trim_start().starts_with('{')
        && text.contains("\"refs\"")
        && (text.contains(".zgroup") || text.contains(".zarray") || text.contains("zarr.json"));
    let is_dvc = text.starts_with("outs:") && text.contains("path:");
    if is_references {
        return Some(KERCHUNK);
    }
    is_dvc.then_some(DVC)
}
