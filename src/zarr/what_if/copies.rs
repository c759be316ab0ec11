//! The copies of a document in consolidated metadata: what is edited in the one is edited in the others, which readers
//! take in its place.

use super::{
    edit::{Edit, JsonStep, document_edit, steps},
    unplaced,
};
use crate::zarr::prelude::*;
use crate::zarr::{error::DocumentEdit, store::join};

/// The longest document in which copies are edited.
const LONGEST: u64 = 16 << 20;

/// Adds to the edit of a document of the array at `path` those of its copies that say the same as it does now.
pub fn add_copies(
    hierarchy: &Hierarchy,
    path: &NodePath,
    format: Format,
    edits: &mut Vec<DocumentEdit>,
) {
    let roots = edits.first().and_then(|DocumentEdit { document, bytes, .. }| {
        let old = hierarchy.store.read(document, LONGEST).ok().flatten()?;
        Some((root(&old)?, root(bytes)?))
    });
    for group in std::iter::successors(path.parent(), NodePath::parent) {
        let edited = roots.as_ref().and_then(|(old, new)| {
            let inside = path.0.strip_prefix(&group.0)?.trim_start_matches('/');
            copy_in(hierarchy, &group, inside, format, old, new)
        });
        edits.extend(edited);
    }
}

fn root(bytes: &[u8]) -> Option<Json> {
    Some(unplaced(&Json::parse(bytes).ok()?.root))
}

/// The edit of the copy of a node that `group` keeps, with its diff; `None` where it keeps none, or one that differs.
fn copy_in(
    hierarchy: &Hierarchy,
    group: &NodePath,
    inside: &str,
    format: Format,
    old: &Json,
    new: &Json,
) -> Option<DocumentEdit> {
    let (name, place) = match format {
        Format::V2 => (".zmetadata", steps!["metadata", join(inside, ".zarray").as_str()]),
        Format::V3 => ("zarr.json", steps!["consolidated_metadata", "metadata", inside]),
    };
    let document = join(&group.0, name);
    let bytes = hierarchy.store.read(&document, LONGEST).ok()??;
    let whole = root(&bytes)?;
    let copy = place.iter().try_fold(&whole, |json, step| match step {
        JsonStep::Key(key) => json.get(key),
        JsonStep::At(_) => None,
    })?;
    let members = [old, new].into_iter().filter_map(Json::as_object).flatten();
    let mut changed: Vec<&str> = members.map(|member| member.key.as_str()).collect();
    changed.sort_unstable();
    changed.dedup();
    changed.retain(|key| old.get(key) != new.get(key));
    if changed.iter().any(|key| copy.get(key) != old.get(key)) {
        return None;
    }
    let edit = |key: &&str| {
        let place: Vec<JsonStep> = place.iter().cloned().chain([JsonStep::from(*key)]).collect();
        new.get(key)
            .map_or_else(|| Edit::remove(place.clone()), |it| Edit::set(place.clone(), it.clone()))
    };
    let edits: Vec<Edit> = changed.iter().map(edit).collect();
    document_edit(&document, &bytes, &edits).ok()
}
