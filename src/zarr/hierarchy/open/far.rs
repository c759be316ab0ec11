//! Finding the store, the node and the chunk that an address means, with few questions.

use super::{DOCUMENTS, MAX_INSIDE, chunk_of, holds_nodes, is_document, target};
use crate::zarr::prelude::*;
use crate::zarr::{
    hierarchy::Target,
    store::{
        CachedStore, DOCUMENT_LIMIT, FolderOfStores, ZipStore, join,
        remote::{Address, RemoteStore},
        several,
    },
};

/// The documents of a folder, as far as they are there.
type FoundDocuments = Vec<(&'static str, Result<Option<Vec<u8>>>)>;

pub(super) fn open(address: &Address, registry: Arc<Registry>) -> Result<(Hierarchy, Target)> {
    let place = RemoteStore::new(address)?;
    let parts: Vec<&str> = address.path.split('/').filter(|part| !part.is_empty()).collect();
    if let Some(end) = parts.iter().position(|part| is_named_archive(part)) {
        let (archive, inside) = parts.split_at(end + 1);
        if let Some(found) = open_archive(&place, &archive.join("/"), inside, &registry)? {
            return Ok(found);
        }
    }
    let is_node = parts.last().is_some_and(|last| is_document(last));
    let (parts, _) = parts.split_at(parts.len() - usize::from(is_node));
    let Some((root, inside, documents)) = outermost(&place, parts)? else {
        return open_folder(&place, &parts.join("/"), registry);
    };
    let documents = documents.into_iter().map(|(name, answer)| (name.to_owned(), answer));
    let store = CachedStore::new(Arc::new(place.below(&root))).with_documents(documents);
    let hierarchy = Hierarchy::new(Arc::new(store), registry);
    let target = node_or_chunk(&hierarchy, inside)?;
    Ok((hierarchy, target))
}

/// The outermost folder of one store around `parts`, with its documents, and the rest of the parts below it.
fn outermost<'p>(
    place: &RemoteStore,
    parts: &'p [&'p str],
) -> Result<Option<(String, &'p [&'p str], FoundDocuments)>> {
    let mut root = None;
    let mut refused = None;
    let mut asked = VecDeque::<FoundDocuments>::new();
    for length in (0..=parts.len()).rev().take(MAX_INSIDE + 1) {
        let (folder, inside) = parts.split_at(length);
        let folder = folder.join("/");
        // The folder above is asked for at the same time: where a store begins is known when it has none.
        if asked.is_empty() {
            let above = parts.get(..length.wrapping_sub(1)).map(|above| above.join("/"));
            let folders: Vec<_> = [Some(folder.clone()), above].into_iter().flatten().collect();
            asked = documents(place, &folders);
        }
        let found = asked.pop_front().unwrap_or_default();
        if found.iter().any(|(_, answer)| matches!(answer, Ok(Some(_)))) {
            root = Some((folder, inside, found));
        } else if root.is_some() {
            break;
        } else if refused.is_none() {
            refused = found.into_iter().find_map(|(_, answer)| answer.err());
            // Where the network fails, more questions are no help.
            if refused.as_ref().is_some_and(|error| error.code != Code::AccessDenied) {
                break;
            }
        }
    }
    match (root, refused) {
        (None, Some(error)) => Err(error),
        (root, _) => Ok(root),
    }
}

/// The documents of each of `folders`.
fn documents(place: &RemoteStore, folders: &[String]) -> VecDeque<FoundDocuments> {
    let keys = folders.iter().flat_map(|folder| DOCUMENTS.map(|name| join(folder, name)));
    let keys: Vec<_> = keys.collect();
    let mut answers = several(place, &keys, |key| place.read(key, DOCUMENT_LIMIT)).into_iter();
    folders.iter().map(|_| DOCUMENTS.into_iter().zip(answers.by_ref()).collect()).collect()
}

/// The node that `inside` names, or the chunk of the array around it.
fn node_or_chunk(hierarchy: &Hierarchy, inside: &[&str]) -> Result<Target> {
    for length in (0..=inside.len()).rev() {
        let (node, key) = inside.split_at(length);
        let node = NodePath(node.join("/"));
        let found = hierarchy.node(&node);
        let is_array = found.kinds().any(NodeKind::is_array);
        if key.is_empty()
            && !found
                .kind
                .error()
                .is_some_and(|error| matches!(error.code, Code::NoSuchPlace | Code::CannotList))
        {
            return Ok(Target { node, chunk: None });
        }
        if is_array {
            let chunk = chunk_of(hierarchy, &node, &key.join("/"))?;
            return Ok(Target { node, chunk: Some(chunk) });
        }
    }
    let text = "Nothing is stored under this address.";
    let error = Error::new(Code::NoSuchPlace, text, "").in_file(inside.join("/"));
    Err(error.with_fix("The store around it has neither such a node nor such a chunk."))
}

/// The stores in a folder that is none.
fn open_folder(
    place: &RemoteStore,
    folder: &str,
    registry: Arc<Registry>,
) -> Result<(Hierarchy, Target)> {
    let cached = CachedStore::new(Arc::new(place.below(folder)));
    let store = Arc::new(FolderOfStores::over(Arc::new(cached)));
    let name = store.name();
    let listed = store.list("");
    let looked_for = "looked for zarr.json, .zarray, .zgroup and .zmetadata";
    let none = match listed {
        Ok(entries) if !entries.is_empty() && holds_nodes(&*store, "") => {
            return Ok((Hierarchy::new(store, registry), Target::default()));
        }
        Ok(_) => Error::new(
            Code::NotAStore,
            format!("No Zarr store at this address ({looked_for})."),
            "",
        ),
        Err(error) if error.code == Code::CannotList => {
            let text = format!(
                "No Zarr store at this address ({looked_for}), and the server does not list what is below it."
            );
            Error::new(Code::NotAStore, text, "")
                .with_fix("Give the address of a store, or of a node in it.")
        }
        Err(error) => error,
    };
    Err(none.in_file(name))
}

/// The zip archive under `key`, read by ranges, at the node or the chunk in it; `None` where there is no such file.
fn open_archive(
    place: &RemoteStore,
    key: &str,
    inside: &[&str],
    registry: &Arc<Registry>,
) -> Result<Option<(Hierarchy, Target)>> {
    let (folder, name) = key.rsplit_once('/').unwrap_or(("", key));
    let around = CachedStore::new(Arc::new(place.below(folder)));
    let Some(stat) = around.stat(name)? else { return Ok(None) };
    let store = ZipStore::far(Arc::new(around), name, stat.len)?;
    let hierarchy = Hierarchy::new(Arc::new(store), Arc::clone(registry));
    let target = target(&hierarchy, inside)?;
    Ok(Some((hierarchy, target)))
}

fn is_named_archive(part: &str) -> bool {
    part.rsplit_once('.').is_some_and(|(_, end)| end.eq_ignore_ascii_case("zip"))
}
