//! Files that are where nothing reads them.

use super::{MANY, and_more};
use crate::zarr::prelude::*;
use crate::zarr::{
    diagnosis::lost_document,
    hierarchy::children::holds_nodes,
    store::{
        foreign::{self, ForeignStore},
        is_of_numbers, join,
    },
    what_if::WhatIf,
};

/// The number of files of a folder looked at to see whether they are chunks.
const LOOKED_AT: usize = 1000;

/// Files that belong to a group and are no nodes.
const DOCUMENTS: [&str; 4] = ["zarr.json", ".zgroup", ".zattrs", ".zmetadata"];

/// Files that conventions put into a group: bioformats2raw its OME-XML, `SpatialData` its shapes.
const COMPANIONS: [&str; 2] = ["METADATA.ome.xml", "shapes.parquet"];

/// Findings about files and folders in a group that are neither its document nor a node. Of folders only those are told
/// that hold the chunks of an array. And the folders that are nodes.
pub(super) fn beside_nodes(hierarchy: &Hierarchy, node: &Node) -> (Vec<Problem>, HashSet<String>) {
    let mut nodes = HashSet::new();
    if !matches!(node.kind, NodeKind::Group(_)) {
        return (Vec::new(), nodes);
    }
    let (mut found, mut folders, mut flat) = (Few::default(), Vec::new(), Vec::new());
    let listed = hierarchy.store.visit(&node.path.0, &mut |entry| {
        if entry.is_folder {
            folders.push(join(&node.path.0, &entry.name));
        } else if flat.len() < LOOKED_AT && entry.name.contains('\\') {
            flat.push(entry.name);
        } else if !DOCUMENTS.iter().chain(&COMPANIONS).any(|name| *name == entry.name) {
            found.push(foreign(
                &join(&node.path.0, &entry.name),
                false,
                "a metadata document of the group",
            ));
        }
        true
    });
    let odd = odd_names(&node.path.0, &folders).into_iter().chain(backslashes(&node.path.0, flat));
    for folder in folders {
        let Some(looked) = FolderLook::of(&*hierarchy.store, &folder) else { continue };
        if let Some(lost) = looked.without_metadata(hierarchy, &folder) {
            found.push(lost);
        }
        nodes.extend(looked.has_document.then_some(folder));
    }
    let mut problems = found.finish();
    problems.extend(odd);
    // That nothing can be listed is told where nodes are missed for it.
    let listed = listed.err().filter(|error| error.code != Code::CannotList);
    problems.extend(listed.map(Problem::failed));
    (problems, nodes)
}

/// The finding about files whose names have backslashes where folders are meant.
fn backslashes(path: &str, mut names: Vec<String>) -> Option<Problem> {
    names.sort_unstable();
    let is_document = |name: &&String| {
        let last = name.rsplit('\\').next();
        last.is_some_and(|last| [".zarray", ".zgroup", "zarr.json"].contains(&last))
    };
    let document = names.iter().find(is_document);
    let name = document.or_else(|| names.first())?;
    let count = counted(names.len(), "file");
    let sentence = format!("{count} with a backslash in the name, such as {}", quoted(name));
    let error = Error::said(Code::ForeignFile, sentence);
    let fix = format!(
        "A backslash is no separator in keys: nothing reads them. Likely cause: a zip archive that was made on Windows. Rename them: {} is {}.",
        quoted(name),
        quoted(&name.replace('\\', "/"))
    );
    let problem = Problem::new(error.in_file(join(path, name)));
    let fixed = |problem: Problem| {
        Problem { error: problem.error.with_fix(fix), ..problem }.with_severity(Severity::Warning)
    };
    Some(if document.is_some() { fixed(problem) } else { problem })
}

/// The warning that a folder between a group and nodes has no document itself. A folder that no group is around only
/// holds stores.
pub(super) fn group_without_document(hierarchy: &Hierarchy, node: &Node) -> Vec<Problem> {
    let path = &node.path.0;
    let has =
        |folder: &str, name: &str| matches!(hierarchy.store.stat(&join(folder, name)), Ok(Some(_)));
    let above = path.match_indices('/').map(|(at, _)| path.get(..at).unwrap_or_default());
    let above: Vec<_> = [""].into_iter().chain(above).filter(|folder| folder != path).collect();
    let around = above
        .iter()
        .rev()
        .find_map(|folder| ["zarr.json", ".zgroup"].into_iter().find(|name| has(folder, name)));
    let is_folder = matches!(node.kind, NodeKind::Folder);
    if let Some(problem) =
        (is_folder && around.is_none()).then(|| lost_root(hierarchy, node)).flatten()
    {
        return vec![problem];
    }
    let Some(document) = around.filter(|_| is_folder) else {
        return Vec::new();
    };
    let found = format!("a folder that holds nodes and has no {document}");
    let error = Error::new(Code::GroupMissing, found, format!("a {document} in every group"));
    let fix = "zarr-python 3.4.2 lists neither it nor what is in it, but reads the nodes below by their paths. Add \
               the document.";
    vec![Problem::new(error.in_file(join(path, document)).with_fix(fix))]
}

/// The warning on a folder of arrays of which one is the coordinate of others: a group that has lost its document.
fn lost_root(hierarchy: &Hierarchy, node: &Node) -> Option<Problem> {
    let (mut arrays, mut left) = (Vec::new(), LOOKED_AT);
    // What cannot be listed is told where it is listed.
    let _ = hierarchy.visit_children(&node.path, &mut |child| {
        arrays.extend(child.kind.array().map(|array| {
            let names: Option<Vec<String>> =
                array.dimension_names.clone().and_then(|names| names.into_iter().collect());
            (child.path.name().to_owned(), names.unwrap_or_default(), array.format)
        }));
        left -= 1;
        left > 0
    });
    let is_own = |(name, names, _): &&(String, Vec<String>, Format)| *names == [name.clone()];
    let is_of = |name: &String, names: &[String]| names.len() > 1 && names.contains(name);
    let (name, _, format) = arrays
        .iter()
        .filter(is_own)
        .find(|(name, ..)| arrays.iter().any(|(_, names, _)| is_of(name, names)))?;
    let document = if *format == Format::V2 { ".zgroup" } else { "zarr.json" };
    let found = format!("a folder of {} arrays without {document}", arrays.len());
    let error =
        Error::new(Code::GroupMissing, found.clone(), format!("a {document} in every group"));
    let error = error.saying(format!(
        "{found}, in which {} is the coordinate of others: a group whose document is lost",
        quoted(name)
    ));
    let what = if *format == Format::V2 { ".zgroup, .zattrs and .zmetadata" } else { "zarr.json" };
    let fix = format!(
        "xarray 2026.9 raises GroupNotFoundError. Likely cause: a copy without the files at the top. Copy {what} again, and look \
         whether all arrays are there; or add a {document} and consolidate the metadata."
    );
    Some(Problem::new(error.in_file(join(&node.path.0, document)).with_fix(fix)))
}

/// The findings about what is beside stores and is none: the notes on files and folders in another format, and the
/// warnings about folders that are only named like a store. `nodes` are folders that are known to be nodes.
pub(super) fn foreign_stores(
    hierarchy: &Hierarchy,
    node: &Node,
    nodes: &HashSet<String>,
) -> Vec<Problem> {
    let (store, path) = (&*hierarchy.store, &node.path.0);
    let is_folder = matches!(node.kind, NodeKind::Folder);
    if !is_folder && !matches!(node.kind, NodeKind::Group(_)) {
        return Vec::new();
    }
    let mut found = Few::default();
    let holds_nodes = |folder: &str| nodes.contains(folder) || holds_nodes(store, folder);
    let foreign = foreign::beside(store, path, is_folder, &holds_nodes);
    for ForeignStore { path, what, opens } in &foreign {
        let error = Error::new(Code::ForeignStore, *what, "a Zarr store").in_file(path);
        found.push(Problem::new(error.with_fix(format!("It was not checked; {opens}."))));
    }
    let mut problems = found.finish();
    let mut named = Vec::new();
    // What cannot be listed is told where nodes are missed for it.
    let _ = store.visit(path, &mut |entry| {
        let is_named = is_folder && [".zarr", ".zip"].iter().any(|end| entry.name.ends_with(end));
        named.extend(Some(join(path, &entry.name)).filter(|_| is_named));
        named.len() < LOOKED_AT
    });
    named.retain(|named| foreign.iter().all(|other| !other.path.starts_with(named)));
    problems.extend(named.iter().filter_map(|named| no_store(hierarchy, named)));
    problems
}

/// The finding about a folder that is named like a store, and holds none.
fn no_store(hierarchy: &Hierarchy, path: &str) -> Option<Problem> {
    match hierarchy.store.stat(path) {
        Err(error) if error.code == Code::DanglingLink => return Some(Problem::failed(error)),
        Err(error) if error.code == Code::NotAFile => {}
        Ok(None) => {}
        Ok(Some(_)) | Err(_) => return None,
    }
    if holds_nodes(&*hierarchy.store, path) {
        return None;
    }
    let looked = FolderLook::of(&*hierarchy.store, path);
    looked.and_then(|it| it.without_metadata(hierarchy, path)).or_else(|| {
        let found = "a folder named like a store, without Zarr metadata in it or below it";
        let error = Error::new(Code::MetadataMissing, found, "zarr.json, .zarray or .zgroup");
        let fix =
            "Not checked. A copy may have left out what begins with a dot, or have stopped early.";
        Some(Problem::new(error.in_file(path).with_fix(fix)))
    })
}

/// The warning that an array of V2 also has the document of a group.
pub(super) fn group_beside_array(hierarchy: &Hierarchy, path: &NodePath) -> Vec<Problem> {
    let key = join(&path.0, ".zgroup");
    if !matches!(hierarchy.store.stat(&key), Ok(Some(_))) {
        return Vec::new();
    }
    let error = Error::new(Code::ForeignFile, ".zgroup next to .zarray", "only one of them");
    let fix = "The array is shown; readers may find a group. Remove the outdated document.";
    // Unlike any other file, it changes what a reader finds.
    vec![Problem::new(error.in_file(key).with_fix(fix)).with_severity(Severity::Warning)]
}

/// Findings about the names of the folders in a group.
fn odd_names(path: &str, folders: &[String]) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut known = BTreeMap::<String, &str>::new();
    let mut names: Vec<&str> = folders.iter().filter_map(|it| it.rsplit('/').next()).collect();
    names.sort_unstable();
    for name in names {
        if let Some(other) = known.insert(name.to_lowercase(), name) {
            let found = format!("{} next to {}", quoted(name), quoted(other));
            let error = Error::new(Code::NameCase, found, "names that differ in more than case");
            let fix = "On a case-insensitive file system, usual on macOS and Windows, these are one folder.";
            problems.push(Problem::new(error.in_file(join(path, name)).with_fix(fix)));
        }
    }
    problems
}

/// What the first entries of a folder tell.
struct FolderLook {
    has_document: bool,
    /// The first file or folder that is named like a chunk.
    chunk: Option<String>,
}

impl FolderLook {
    fn of(store: &dyn Store, folder: &str) -> Option<Self> {
        let (mut look, mut looked_at) = (Self { has_document: false, chunk: None }, 0);
        let listed = store.visit(folder, &mut |entry| {
            look.has_document |= ["zarr.json", ".zarray", ".zgroup"].contains(&entry.name.as_str());
            looked_at += 1;
            let is_first = look.chunk.as_ref().is_none_or(|first| entry.name < *first);
            if is_first && is_chunk_name(&entry.name) {
                look.chunk = Some(entry.name);
            }
            !look.has_document && looked_at < LOOKED_AT
        });
        listed.ok().map(|()| look)
    }

    /// The warning that `folder` holds chunks, and no document that says of what.
    fn without_metadata(&self, hierarchy: &Hierarchy, folder: &str) -> Option<Problem> {
        let chunk = self.chunk.as_ref().filter(|_| !self.has_document)?;
        // A copy of its document is told of with the copies.
        if holds_nodes(&*hierarchy.store, folder)
            || hierarchy.node(&NodePath(folder.to_owned())).kind.array().is_some()
        {
            return None;
        }
        let found =
            format!("files named like chunks, such as {chunk}, but no .zarray or zarr.json");
        let error = Error::new(Code::MetadataMissing, found, "the metadata of their array");
        let fix = "Readers do not see this array. Restore its metadata from a copy or from consolidated metadata.";
        let guess = lost_document(hierarchy, &NodePath(folder.to_owned()));
        let reading = guess.is_some().then(WhatIf::guess);
        let fix = guess.map_or_else(
            || fix.to_owned(),
            |guess| {
                format!(
                    "{fix} {guess}. `info --document` prints it, `--as document=guess` reads the chunks with it."
                )
            },
        );
        let problem = Problem::new(error.in_file(folder).with_fix(fix));
        Some(Problem { reading, ..problem })
    }
}

/// True if files or folders of chunks have such a name: `0`, `1.0`, `c`, `c.0.1`.
fn is_chunk_name(name: &str) -> bool {
    name == "c" || is_of_numbers(name.strip_prefix("c.").unwrap_or(name))
}

/// The note on a file that nothing reads.
pub(super) fn foreign(key: &str, is_folder: bool, expected: &str) -> Problem {
    let name = key.rsplit('/').next().unwrap_or(key);
    let found = if is_folder {
        "a folder without Zarr metadata"
    } else if name.starts_with("._") {
        "a companion file of macOS (AppleDouble), which holds no data of the store"
    } else {
        "a file that is neither a chunk nor metadata"
    };
    let error = Error::new(Code::ForeignFile, found, expected);
    let is_document = ["zarray", "zgroup", "zattrs", "zmetadata"].contains(&name) && !is_folder;
    if is_document {
        let fix = format!(
            "Likely cause: the dot of .{name} was lost as the file was copied or written: no reader finds it."
        );
        return Problem::new(error.in_file(key).with_fix(fix)).with_severity(Severity::Warning);
    }
    Problem::new(error.in_file(key))
}

/// Problems of one kind: the first few of them, and how many more there are.
#[derive(Debug, Default)]
pub(super) struct Few {
    first: Vec<Problem>,
    more: u64,
}

impl Few {
    pub(super) fn push(&mut self, problem: Problem) {
        if self.first.len() < MANY {
            self.first.push(problem);
        } else {
            self.more += 1;
        }
    }

    /// Those that are kept.
    pub(super) fn kept(&self) -> &[Problem] {
        &self.first
    }

    pub(super) fn finish(mut self) -> Vec<Problem> {
        self.first.sort_by(|a, b| a.error.place.file.cmp(&b.error.place.file));
        let rest = self.first.last().filter(|_| self.more > 0);
        let rest = rest.map(|example| and_more(example, self.more));
        self.first.extend(rest);
        self.first
    }
}
