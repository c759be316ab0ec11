//! The node at a path: its documents, and the copies in consolidated metadata.

use super::{DOCUMENTS, formats, renames};
use crate::zarr::prelude::*;
use crate::zarr::{
    metadata::{consolidated::Consolidated, v2, v3},
    store::{DOCUMENT_LIMIT, join, link_outside},
};

/// The most names in a group among which a node that was renamed is looked for.
const MOST_RENAMED: usize = 200;

/// Names of folders that ignore files of version control often leave out.
const IGNORED: [&str; 5] = ["data", "build", "dist", "env", "lib"];

/// Reads nodes that are below the same consolidated metadata.
pub(super) struct NodeReader<'a> {
    hierarchy: &'a Hierarchy,
    /// Outermost first.
    copies: Vec<Arc<Consolidated>>,
}

impl<'a> NodeReader<'a> {
    /// A reader for `path` and its children.
    pub(super) fn new(hierarchy: &'a Hierarchy, path: &NodePath) -> Self {
        Self { hierarchy, copies: hierarchy.copies.around(&*hierarchy.store, path) }
    }

    /// A reader for `path`, directly below the node that this one is for, and its children.
    pub(super) fn at(&self, path: &NodePath) -> Self {
        let own = self.hierarchy.copies.at(&*self.hierarchy.store, &path.0);
        let copies = self.copies.iter().cloned().chain(own).collect();
        Self { hierarchy: self.hierarchy, copies }
    }

    /// The copies around the node.
    pub(super) fn copies(&self) -> &[Arc<Consolidated>] {
        &self.copies
    }

    /// The node at `path`.
    pub(super) fn node(&self, path: &NodePath) -> Node {
        let v3 = self.v3(&path.0).filter(|kind| !self.is_a_node_below(&path.0, kind));
        // Where nothing can be listed, each document that is not there costs a question.
        let is_found = v3.as_ref().is_some_and(|kind| kind.error().is_none());
        let asks = self.hierarchy.store.can_list() || !is_found;
        let v2 = asks.then(|| self.v2(&path.0)).flatten();
        let mut problems = Vec::new();
        let own = self.own_copies(&path.0, [v3.as_ref(), v2.as_ref()]);
        let (kind, other) = match (v3, v2) {
            (Some(NodeKind::Broken(v3)), Some(NodeKind::Broken(v2)))
                if v3.code == v2.code && matches!(v3.code, Code::Io | Code::NotAZip) =>
            {
                let is_closed = v3.code == Code::Io;
                (NodeKind::Broken(if is_closed { closed(path, &v3) } else { v3 }), None)
            }
            (Some(v3), Some(v2)) => {
                problems.push(formats::both(path, &v3, &v2));
                // What can be read is shown.
                let is_v2 = v3.error().is_some() && v2.error().is_none();
                let (kind, other) = if is_v2 { (v2, v3) } else { (v3, v2) };
                problems.extend(other.error().cloned().map(Problem::failed));
                (kind, Some(Box::new(other)))
            }
            (Some(v3), None) => {
                problems.extend(self.left_attributes(path, &v3));
                (v3, None)
            }
            (None, Some(v2)) => (v2, None),
            (None, None) => (self.without_documents(path, &own, &mut problems), None),
        };
        let kinds: Vec<_> = std::iter::once(&kind).chain(other.as_deref()).collect();
        self.compare(path, &kinds, &own, &mut problems);
        problems.extend(forbidden_name(path, kind.format()));
        problems.extend(own.iter().flat_map(|copies| copies.problems.clone()));
        let alone = own.iter().filter(|copies| self.are_alone(copies));
        problems.extend(alone.map(|own| own.alone(|key| self.is_there(key))));
        let consolidated = own.last().map(|copies| copies.format);
        let unreadable = self.unreadable(&path.0, &kinds);
        let documents = kinds.iter().flat_map(|kind| kind.documents()).chain(&unreadable);
        problems.extend(self.outside(path, documents.map(|document| document.key.as_str())));
        Node { path: path.clone(), kind, other, consolidated, problems, unreadable }
    }

    /// The warning on a `.zattrs` beside a `zarr.json`; far away, nobody asks for it.
    fn left_attributes(&self, path: &NodePath, v3: &NodeKind) -> Option<Problem> {
        let is_near = !self.hierarchy.store.is_far();
        let zattrs = is_near.then(|| self.document(&path.0, ".zattrs").ok().flatten())??;
        formats::left_attributes(v3, &zattrs)
    }

    /// The notes on links that lead out of the store at this node: its folder, or else its documents.
    fn outside<'k>(&self, path: &NodePath, keys: impl Iterator<Item = &'k str>) -> Vec<Problem> {
        let store = &self.hierarchy.store;
        // One look at each: what is only below a link is told of there.
        let is_link = |key: &str| store.path(key).is_some_and(|path| path.is_symlink());
        let found = |key: &str| {
            let leads_to = is_link(key).then(|| store.outside(key))??;
            Some(Problem::new(link_outside(key, &leads_to)))
        };
        match found(&path.0) {
            Some(folder) => vec![folder],
            None => keys.filter_map(found).collect(),
        }
    }

    /// The documents that made a node [`NodeKind::Broken`], as far as they can be had.
    fn unreadable(&self, path: &str, kinds: &[&NodeKind]) -> Vec<RawDocument> {
        let broken =
            kinds.iter().filter_map(|kind| kind.error()?.place.file.as_deref()?.rsplit('/').next());
        let documents = broken.filter(|name| DOCUMENTS.contains(name));
        documents.filter_map(|name| self.document(path, name).ok().flatten()).collect()
    }

    /// The copies that the node itself keeps. Arrays keep none.
    fn own_copies(&self, path: &str, kinds: [Option<&NodeKind>; 2]) -> Vec<Arc<Consolidated>> {
        let mut arrays = kinds.into_iter().flatten().peekable();
        if arrays.peek().is_some() && arrays.all(|kind| matches!(kind, NodeKind::Array(_))) {
            return Vec::new();
        }
        let known = self.copies.iter().filter(|copies| copies.group == path).cloned();
        let known: Vec<_> = known.collect();
        if known.is_empty() {
            self.hierarchy.copies.at(&*self.hierarchy.store, path)
        } else {
            known
        }
    }

    fn document(&self, path: &str, name: &str) -> Result<Option<RawDocument>> {
        let key = join(path, name);
        let bytes = self.hierarchy.store.read(&key, DOCUMENT_LIMIT)?;
        Ok(bytes.map(|bytes| self.hierarchy.understood(key, bytes)))
    }

    fn v3(&self, path: &str) -> Option<NodeKind> {
        match self.document(path, "zarr.json") {
            Ok(document) => Some(self.v3_kind(document?)),
            Err(error) => Some(NodeKind::Broken(error)),
        }
    }

    /// True if what is called zarr.json in the folder `path` is no document but a node of its own.
    fn is_a_node_below(&self, path: &str, kind: &NodeKind) -> bool {
        let folder = join(path, "zarr.json");
        matches!(kind, NodeKind::Broken(error) if error.code == Code::NotAFile)
            && DOCUMENTS.iter().any(|name| self.is_there(&join(&folder, name)))
    }

    fn v3_kind(&self, document: RawDocument) -> NodeKind {
        match v3::node_type(&document) {
            v3::NodeType::Array => {
                let registry = self.hierarchy.registry_of(&document.key);
                NodeKind::Array(Arc::new(v3::array(document, registry)))
            }
            v3::NodeType::Group => NodeKind::Group(Arc::new(v3::group(document))),
            v3::NodeType::Unknown(error) => NodeKind::Broken(error),
        }
    }

    fn v2(&self, path: &str) -> Option<NodeKind> {
        self.v2_from(path, |name| self.document(path, name))
    }

    /// The V2 node at `path` whose documents `get` finds.
    fn v2_from(
        &self,
        path: &str,
        get: impl Fn(&str) -> Result<Option<RawDocument>>,
    ) -> Option<NodeKind> {
        self.v2_parts(path, get).unwrap_or_else(|error| Some(NodeKind::Broken(error)))
    }

    fn v2_parts(
        &self,
        path: &str,
        get: impl Fn(&str) -> Result<Option<RawDocument>>,
    ) -> Result<Option<NodeKind>> {
        let (zarray, zgroup) = match get(".zarray")? {
            Some(zarray) => (Some(zarray), None),
            None => (None, get(".zgroup")?),
        };
        let Some(first) = zarray.as_ref().or(zgroup.as_ref()) else { return Ok(None) };
        first.object()?;
        // Attributes that cannot be read take nothing else down with them.
        let (zattrs, unread) = match get(".zattrs") {
            Ok(zattrs) => (zattrs, None),
            Err(error) => (None, Some(Problem::failed(error.in_file(join(path, ".zattrs"))))),
        };
        let Some(zarray) = zarray else {
            let mut group = v2::group(zgroup, zattrs);
            group.problems.extend(unread);
            return Ok(Some(NodeKind::Group(Arc::new(group))));
        };
        let registry = self.hierarchy.registry_of(&zarray.key);
        let mut array = v2::array(zarray, zattrs, registry);
        array.problems.extend(unread);
        Ok(Some(NodeKind::Array(Arc::new(array))))
    }

    /// A node without documents of its own: one that only a copy tells of, a group that keeps copies, a folder, or
    /// nothing.
    fn without_documents(
        &self,
        path: &NodePath,
        own: &[Arc<Consolidated>],
        problems: &mut Vec<Problem>,
    ) -> NodeKind {
        for copies in self.copies.iter().rev().filter(|copies| copies.holds(&path.0)) {
            let kind = match copies.format {
                Format::V2 => self.v2_from(&path.0, |name| Ok(copies.copy(&path.0, name))),
                Format::V3 => copies.copy(&path.0, "zarr.json").map(|copy| self.v3_kind(copy)),
            };
            if let Some(kind) = kind {
                match copies.key() {
                    _ if self.are_alone(copies) => {}
                    key if copies.group == path.0 => problems.push(no_document(key)),
                    key => problems.push(match self.withheld(&path.0).ok().flatten() {
                        Some(error) => Problem::failed(error),
                        None => self.only_a_copy(path, key, copies),
                    }),
                }
                return kind;
            }
        }
        if !own.is_empty() {
            return NodeKind::Group(Arc::new(v2::group(None, None)));
        }
        match self.is_empty(&path.0) {
            Ok(false) => {
                let withheld = self.withheld(&path.0).ok().flatten();
                withheld.map_or(NodeKind::Folder, NodeKind::Broken)
            }
            Ok(true) => {
                let error = Error::new(Code::NoSuchPlace, "Nothing is stored under this path.", "");
                NodeKind::Broken(error.in_file(&path.0))
            }
            Err(error) => NodeKind::Broken(error),
        }
    }

    /// The error that only a copy tells of the node at `path`: where it is on the disk by another name, that.
    fn only_a_copy(&self, path: &NodePath, file: &str, copies: &Consolidated) -> Problem {
        let found = format!("the node {}, which is not in the store", quoted(&path.0));
        let expected = "copies of documents that exist in the store";
        let error = Error::new(Code::ConsolidatedOnly, found, expected);
        let error = error.in_file(file).at("metadata");
        let is_empty = self.is_empty(&path.0).unwrap_or(true);
        let renamed = if is_empty { self.renamed(path, copies) } else { None };
        let fix = match renamed {
            Some((other, Some(how))) => format!(
                "The folder {} has the same document: {how}. Rename the folder back. To consolidate again would keep the \
                 wrong name.",
                quoted(&other)
            ),
            Some((other, None)) => format!(
                "The folder {} has the same document and no copy: maybe the node was renamed. Rename it back, or \
                 consolidate again if the new name is meant.",
                quoted(&other)
            ),
            None if !is_empty => {
                "Its folder holds files, and its document is lost: write the copy back into the \
                                  folder."
                    .to_owned()
            }
            None => {
                let ignored = if IGNORED.contains(&path.name()) {
                    " Possible cause: an ignore file, such as .gitignore, with this name in it."
                } else {
                    ""
                };
                format!(
                    "Restore the node if it was lost; consolidate again if it was removed on purpose.{ignored}"
                )
            }
        };
        Problem::new(error.with_fix(fix))
    }

    /// The folder beside `path` that has the document of which only a copy is under this name, and how such a name comes
    /// about, where that is known. Of several, only one whose name is alike.
    fn renamed(
        &self,
        path: &NodePath,
        copies: &Consolidated,
    ) -> Option<(String, Option<&'static str>)> {
        let group = path.parent()?;
        let mut names = Vec::new();
        let _ = self.hierarchy.store.visit(&group.0, &mut |entry| {
            let is_unknown = entry.is_folder && !copies.holds(&group.child(&entry.name).0);
            names.extend(Some(entry.name).filter(|_| is_unknown));
            names.len() <= MOST_RENAMED
        });
        if names.len() > MOST_RENAMED {
            return None;
        }
        names.retain(|name| {
            let own = self.documents_of(&group.child(name), copies.format);
            copies.is_copy_of(&path.0, &own)
        });
        let how = |name: &String| Some((name.clone(), Some(renames::how(path.name(), name)?)));
        let alike = names.iter().find_map(how);
        alike.or_else(|| match names.as_slice() {
            [only] => Some((only.clone(), None)),
            _ => None,
        })
    }

    /// The documents at `path` that copies of this format are of.
    fn documents_of(&self, path: &NodePath, format: Format) -> Vec<RawDocument> {
        let names: &[&str] = match format {
            Format::V2 => &[".zarray", ".zgroup", ".zattrs"],
            Format::V3 => &["zarr.json"],
        };
        names.iter().filter_map(|name| self.document(&path.0, name).ok().flatten()).collect()
    }

    /// True if the node at `path` is one of which `copies` have the document under another name, where there is no
    /// folder: that is told there.
    fn is_renamed(&self, path: &NodePath, copies: &Consolidated) -> bool {
        let Some(group) = path.parent() else { return false };
        let names = copies.children(&group.0);
        let own = self.documents_of(path, copies.format);
        // By a name of another kind, it may be a node of its own.
        let is_it = |(name, how): (String, Option<_>)| name == path.name() && how.is_some();
        names.len() <= MOST_RENAMED
            && names.into_iter().map(|name| group.child(&name)).any(|other| {
                copies.is_copy_of(&other.0, &own)
                    && self.is_empty(&other.0).unwrap_or(false)
                    && self.renamed(&other, copies).is_some_and(is_it)
            })
    }

    /// True if no document that was copied is in the store.
    fn are_alone(&self, copies: &Consolidated) -> bool {
        copies.is_alone(|key| !self.is_missing(key))
    }

    /// True if something is under `key` for certain.
    fn is_there(&self, key: &str) -> bool {
        matches!(self.hierarchy.store.stat(key), Ok(Some(_)))
    }

    /// True if nothing is under `key` for certain.
    fn is_missing(&self, key: &str) -> bool {
        matches!(self.hierarchy.store.stat(key), Ok(None))
    }

    /// The error that a server lists a document and says, when asked for it, that there is none. (Here, only a file that was
    /// removed in between could be so.)
    fn withheld(&self, path: &str) -> Result<Option<Error>> {
        let store = &self.hierarchy.store;
        let mut listed = None;
        if store.is_far() {
            store.visit(path, &mut |entry| {
                let known = DOCUMENTS.iter().find(|name| **name == entry.name && !entry.is_folder);
                listed = known.copied();
                listed.is_none()
            })?;
        }
        Ok(listed.map(|name| {
            Error::new(
                Code::Io,
                "listed by the server, which answers a request for it with 404",
                "",
            )
            .in_file(join(path, name))
            .with_fix(
                "Where it stays so, the listing and the files of this server are not the same.",
            )
        }))
    }

    fn is_empty(&self, path: &str) -> Result<bool> {
        let mut empty = true;
        self.hierarchy.store.visit(path, &mut |_| {
            empty = false;
            false
        })?;
        Ok(empty)
    }

    fn compare(
        &self,
        path: &NodePath,
        kinds: &[&NodeKind],
        own: &[Arc<Consolidated>],
        problems: &mut Vec<Problem>,
    ) {
        for kind in kinds {
            let (Some(format), documents) = (kind.format(), kind.documents()) else { continue };
            for copies in self.copies.iter().filter(|copies| copies.format == format) {
                let is_copy = documents.first().is_none_or(|first| first.key == copies.key());
                if !is_copy {
                    let is_group = matches!(kind, NodeKind::Group(_));
                    let advice = || self.absence(copies, own, (path, is_group));
                    problems.extend(copies.compare(&path.0, documents, advice));
                }
            }
        }
    }
}

impl NodeReader<'_> {
    /// The advice on a node of which `copies` have none; `None` where it is in a store that was copied here, which is
    /// told of that.
    fn absence(
        &self,
        copies: &Consolidated,
        own: &[Arc<Consolidated>],
        (path, is_group): (&NodePath, bool),
    ) -> Option<String> {
        if self.is_renamed(path, copies) {
            return None;
        }
        let inside = if is_group { ", nor what is in it" } else { "" };
        let unseen = format!("Readers that use consolidated metadata do not see this node{inside}");
        let is_inside = |other: &&Arc<Consolidated>| {
            other.format == copies.format && other.group.len() > copies.group.len()
        };
        if let Some(inner) = self.copies.iter().chain(own).find(is_inside) {
            return (inner.group == path.0).then(|| {
                format!(
                    "{unseen}. It keeps copies of its own metadata, as a store does that was copied into this one: find \
                     out whether it belongs here, before the metadata are consolidated again."
                )
            });
        }
        let name = if copies.format == Format::V2 { ".zgroup" } else { "zarr.json" };
        let folders = std::iter::successors(path.parent(), NodePath::parent);
        let mut between = folders.take_while(|folder| folder.0 != copies.group);
        // Of what is in a group without a copy, the group tells.
        let is_told =
            |folder: &NodePath| !copies.holds(&folder.0) && self.is_there(&join(&folder.0, name));
        if between.clone().any(|folder| is_told(&folder)) {
            return None;
        }
        let closed = between.find(|folder| self.is_missing(&join(&folder.0, name)));
        Some(match closed {
            Some(folder) => format!(
                "{unseen}, and to consolidate again does not reach it: {} has no {name} (measured with zarr-python \
                 3.4.2).",
                folder.in_words()
            ),
            None => format!("{unseen}: consolidate again."),
        })
    }
}

/// The warning on a name that the V3 specification forbids: that of a document, of a folder itself or the one above, or
/// one with the prefix that is reserved.
fn forbidden_name(path: &NodePath, format: Option<Format>) -> Option<Problem> {
    let name = path.0.rsplit('/').next()?;
    let is_blank = |c: char| c.is_whitespace() || c.is_control();
    if !name.is_empty() && (name.starts_with(is_blank) || name.ends_with(is_blank)) {
        let end = if name.ends_with(is_blank) { "ends" } else { "begins" };
        let last = if end == "ends" { name.chars().last() } else { name.chars().next() };
        let what = match last {
            Some('\t') => "a tab",
            Some(' ') => "a space",
            Some('\n' | '\r') => "a line break",
            _ => "a character that is not shown",
        };
        let expected = quoted(name.trim_matches(is_blank));
        let found = format!("the name {}", quoted(name));
        let error = Error::new(Code::NodeName, found, expected.clone());
        let error = error.saying(format!("the name {} {end} with {what}", quoted(name)));
        let fix = format!(
            "What looks {expected} up finds nothing, though lists show it. Rename the folder, and consolidate the metadata again."
        );
        return Some(Problem::new(error.in_file(&path.0).with_fix(fix)));
    }
    let (expected, why) = match name {
        "zarr.json" => ("any other name", "readers of V3 look there for the document of the group"),
        _ if format != Some(Format::V3) => return None,
        name if !name.is_empty() && name.bytes().all(|byte| byte == b'.') => {
            ("a name with more than periods", "such names mean folders themselves")
        }
        name if name.starts_with("__") => {
            ("a name without the prefix __", "the prefix is reserved")
        }
        _ => return None,
    };
    let error = Error::new(Code::NodeName, format!("a node named {name}"), expected);
    let fix = format!("The V3 specification forbids the name: {why}. Rename the folder.");
    Some(Problem::new(error.in_file(&path.0).with_fix(fix)))
}

/// A folder none of whose documents can be opened, whether there are any or not.
fn closed(path: &NodePath, error: &Error) -> Error {
    let found = format!("a folder whose files cannot be opened: {}", error.found);
    let error = Error::new(Code::Io, found, "a folder with permission to enter");
    let fix = "On Unix, entering a folder requires the execute permission (chmod u+x), listing it the read \
               permission.";
    error.in_file(&path.0).with_fix(fix)
}

/// The warning that the group which keeps the copies has no document of its own.
fn no_document(file: &str) -> Problem {
    let error = Error::new(
        Code::MissingField,
        "a group described only by its consolidated metadata",
        ".zgroup",
    )
    .saying("the group has no .zgroup, and only its consolidated metadata describe it");
    let fix = "Readers that do not use consolidated metadata do not find this group.";
    // Readers that use the copies can open the group.
    Problem::new(error.in_file(file).with_fix(fix)).with_severity(Severity::Warning)
}
