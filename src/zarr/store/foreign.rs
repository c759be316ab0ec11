//! Folders and files that hold arrays in another format than Zarr: what they are, and what opens them.

use super::join;
use crate::zarr::prelude::*;
use crate::zarr::signature;

/// A format that is not Zarr, by the entries of its folder.
struct ForeignLayout {
    format: KnownFormat,
    /// Files and folders that must all be there.
    all: &'static [&'static str],
    /// A file that must begin so.
    start: Option<(&'static str, &'static [u8])>,
    /// Words of which one must be near the beginning of that file.
    words: &'static [&'static str],
}

/// A format of single files.
struct ForeignFile {
    format: KnownFormat,
    /// The ends that its name may have.
    ends: &'static [&'static str],
    start: &'static [u8],
    words: &'static [&'static str],
}

/// A file or a folder in another format than Zarr.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForeignStore {
    /// Its path in the store.
    pub path: String,
    /// The format.
    pub what: &'static str,
    /// The program that opens it, as the end of a sentence.
    pub opens: &'static str,
}

/// What a format is, and the program that opens it, as the end of a sentence.
type KnownFormat = (&'static str, &'static str);

const OPENS: &str = "programs for this format open it";

const ICECHUNK: KnownFormat = ("an Icechunk repository", "the library icechunk opens it");
const N5: KnownFormat = ("an N5 container", "programs for N5 open it");
const TILEDB: KnownFormat = ("a TileDB array or group", "TileDB opens it");
const KERCHUNK: KnownFormat =
    ("kerchunk references to other files", "fsspec opens them as a filesystem \"reference\"");
const DVC: KnownFormat = ("a pointer of DVC to data that is not here", "`dvc pull` fetches it");
const ARCHIVE: KnownFormat = ("an archive of a Zarr store", "unpack it, or pack it again as .zip");
const DRAFT: KnownFormat = (
    "a store of the V3 draft of 2020 to 2022",
    "zarr-python 2.18.7 reads it where ZARR_V3_EXPERIMENTAL_API is 1",
);
const ZARR_1: KnownFormat =
    ("an array of Zarr V1", "zarr.storage.migrate_1to2 of zarr-python 2.18.7 converts it to V2");
const PRECOMPUTED: KnownFormat = ("a Neuroglancer precomputed volume", OPENS);
const WKW: KnownFormat = ("a webKnossos (WKW) dataset", OPENS);

const fn layout(
    format: KnownFormat,
    all: &'static [&'static str],
    start: Option<(&'static str, &'static [u8])>,
    words: &'static [&'static str],
) -> ForeignLayout {
    ForeignLayout { format, all, start, words }
}

const LAYOUTS: &[ForeignLayout] = &[
    layout(ICECHUNK, &["refs", "snapshots"], None, &[]),
    layout(ICECHUNK, &["snapshots", "manifests"], Some(("repo", b"ICE")), &[]),
    layout(TILEDB, &["__schema"], None, &[]),
    layout(TILEDB, &["__fragments"], None, &[]),
    layout(TILEDB, &["__array_schema.tdb"], None, &[]),
    layout(TILEDB, &["__tiledb_group.tdb"], None, &[]),
    layout(
        N5,
        &[],
        Some(("attributes.json", b"{")),
        &["\"n5\"", "\"blockSize\"", "\"dimensions\""],
    ),
    layout(KERCHUNK, &[], Some(("refs.0.parq", b"PAR1")), &[]),
    layout(DRAFT, &["meta"], Some(("meta/root.group.json", b"{")), &[]),
    layout(DRAFT, &["meta"], Some(("meta/root.array.json", b"{")), &[]),
    layout(
        ZARR_1,
        &["meta"],
        Some(("meta", b"{")),
        &["\"zarr_format\": 1,", "\"zarr_format\":1,", "\"zarr_format\": 1\n"],
    ),
    layout(
        PRECOMPUTED,
        &["info"],
        Some(("info", b"{")),
        &["\"neuroglancer_multiscale_volume\"", "\"scales\""],
    ),
    layout(WKW, &[], Some(("header.wkw", b"WKW")), &[]),
];

const fn file(
    format: KnownFormat,
    ends: &'static [&'static str],
    start: &'static [u8],
    words: &'static [&'static str],
) -> ForeignFile {
    ForeignFile { format, ends, start, words }
}

const REFERENCES: &[&str] = &["\".zgroup\":", "/.zarray\":", "/zarr.json\":"];
const ARCHIVES: &[&str] =
    &[".zarr.tar", ".zarr.tar.gz", ".zarr.tgz", ".zarr.tar.zst", ".zarr.tar.xz", ".zarr.7z"];

const FILES: &[ForeignFile] = &[
    file(KERCHUNK, &[".json"], b"{", REFERENCES),
    file(DVC, &[".dvc"], b"outs:", &["path:"]),
    file(ARCHIVE, ARCHIVES, b"", &[]),
];

/// Words of the known beginnings of files (`signature`) that hold arrays or are in their place, with what opens those.
const SIGNED: &[KnownFormat] = &[
    ("HDF5", OPENS),
    ("netCDF", OPENS),
    ("TIFF", OPENS),
    ("GRIB", OPENS),
    ("Blosc2", OPENS),
    ("FITS", OPENS),
    ("ASDF", OPENS),
    (".npy", "numpy.load opens it"),
    ("Git LFS", "`git lfs pull` fetches it"),
    ("git-annex", "`git annex get` fetches it"),
];

/// The number of entries of a folder, of files of a folder far away, of folders, and of bytes of a file, that are looked
/// at.
const MOST: usize = 1000;
const MOST_FAR: usize = 10;
const MOST_FOLDERS: usize = 200;
const START: u64 = 4096;

fn start_of(store: &dyn Store, key: &str) -> Vec<u8> {
    store.read_range(key, 0..START).ok().flatten().unwrap_or_default()
}

fn begins(bytes: &[u8], start: &[u8], words: &[&str]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    bytes.trim_ascii_start().starts_with(start)
        && (words.is_empty() || words.iter().any(|word| text.contains(word)))
}

/// The entries of a folder, as far as they are looked at. What cannot be listed is told where it is listed.
fn entries(store: &dyn Store, path: &str) -> Vec<Entry> {
    let mut entries = Vec::new();
    let _ = store.visit(path, &mut |entry| {
        entries.push(entry);
        entries.len() < MOST
    });
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    entries
}

/// The format of the folder `path` by its entries.
fn folder_format(store: &dyn Store, path: &str, entries: &[Entry]) -> Option<KnownFormat> {
    let has = |name: &str| {
        let first = name.split('/').next();
        entries.iter().any(|entry| Some(entry.name.as_str()) == first)
    };
    let known = LAYOUTS.iter().find(|layout| {
        layout.all.iter().all(|name| has(name))
            && layout.start.is_none_or(|(name, start)| {
                has(name) && begins(&start_of(store, &join(path, name)), start, layout.words)
            })
    });
    known.map(|layout| layout.format)
}

/// The format of a file of this name that begins with `bytes`, where it is no part of a Zarr store.
#[must_use]
pub fn format_of_file(name: &str, bytes: &[u8]) -> Option<KnownFormat> {
    let known = FILES.iter().find(|file| {
        file.ends.iter().any(|end| name.ends_with(end)) && begins(bytes, file.start, file.words)
    });
    known.map(|file| file.format).or_else(|| {
        let what = signature::foreign_format(bytes)?;
        let (_, opens) = SIGNED.iter().find(|(word, _)| what.contains(word))?;
        // What it would be as a chunk does not concern a file of its own.
        Some((what.split(';').next().unwrap_or(what), *opens))
    })
}

/// True if what a pointer of DVC is for is there.
fn is_fetched(bytes: &[u8], beside: &[Entry]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let mut paths = text.lines().filter_map(|line| line.trim().split_once("path:"));
    paths.any(|(_, path)| beside.iter().any(|entry| entry.name == path.trim().trim_matches('"')))
}

/// The files and folders at `path` and below it that are in another format; a folder of such a format is one.
pub fn below(store: &dyn Store, path: &str) -> Vec<ForeignStore> {
    search(store, VecDeque::from([path.to_owned()]))
}

/// The same beside the nodes in the folder `path`; where a group is around them, only folders directly in it.
pub fn beside(
    store: &dyn Store,
    path: &str,
    is_deep: bool,
    holds_nodes: &dyn Fn(&str) -> bool,
) -> Vec<ForeignStore> {
    let entries = entries(store, path);
    let folders = folders(path, &entries).filter(|folder| !holds_nodes(folder));
    if is_deep && !store.is_far() {
        let mut found = files(store, path, &entries);
        // What holds no nodes has no folder that does.
        found.extend(search(store, folders.collect()));
        return found;
    }
    folders
        .filter_map(|folder| {
            let entries = self::entries(store, &folder);
            let (what, opens) = folder_format(store, &folder, &entries)?;
            Some(ForeignStore { path: folder, what, opens })
        })
        .collect()
}

fn folders<'a>(path: &'a str, entries: &'a [Entry]) -> impl Iterator<Item = String> + 'a {
    let folders = entries.iter().filter(|it| it.is_folder && !it.name.starts_with('.'));
    folders.map(move |entry| join(path, &entry.name))
}

fn files(store: &dyn Store, path: &str, entries: &[Entry]) -> Vec<ForeignStore> {
    let most = if store.is_far() { MOST_FAR } else { MOST };
    let files = entries.iter().filter(|it| !it.is_folder && !it.name.starts_with('.')).take(most);
    files
        .filter_map(|entry| {
            let path = join(path, &entry.name);
            let bytes = start_of(store, &path);
            let (what, opens) = format_of_file(&entry.name, &bytes)
                .filter(|format| *format != DVC || !is_fetched(&bytes, entries))?;
            Some(ForeignStore { path, what, opens })
        })
        .collect()
}

fn search(store: &dyn Store, mut waiting: VecDeque<String>) -> Vec<ForeignStore> {
    let mut found = Vec::new();
    for _ in 0..MOST_FOLDERS {
        let Some(folder) = waiting.pop_front() else { break };
        let entries = entries(store, &folder);
        if let Some((what, opens)) = folder_format(store, &folder, &entries) {
            found.push(ForeignStore { path: folder, what, opens });
        } else {
            found.extend(files(store, &folder, &entries));
            waiting.extend(folders(&folder, &entries));
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}
