//! Features beside the documents: the consolidated copies around an array, and its chunks, a few of which are
//! decoded.

use super::{
    features::{features, node_format},
    fills,
    forms::{Feature, Features},
};
use crate::zarr::prelude::*;
use crate::zarr::{chunk, grid::order, presence::Sighting};

/// The number of chunks that are looked at.
pub const CHUNKS: usize = 16;

/// The number of bytes that a chunk may decode to, to be looked at.
const LARGE: u64 = 16 << 20;

/// The number of files that are counted.
const LISTED: u128 = 20_000;

/// Remarks on chunks that can be read, and that readers make different things of.
const TELLING: [Code; 5] = [
    Code::SeveralMembers,
    Code::SeveralFrames,
    Code::ChunkTooLong,
    Code::ClippedChunk,
    Code::TrailingBytes,
];

/// The number of elements of a chunk that are looked at.
const ELEMENTS: u64 = 4096;

/// The features of a node: of its documents, of the groups around it, and of its first [`CHUNKS`] chunks.
pub fn features_in(hierarchy: &Hierarchy, node: &Node, budget: &Budget) -> Vec<Feature> {
    let mut found = features(node);
    let mut out = Features::of(node_format(node));
    archive(hierarchy, &mut out);
    around(hierarchy, node, &mut out);
    if let NodeKind::Array(array) = &node.kind {
        match chunks(hierarchy, &node.path, array, budget, &mut out) {
            Some(true) => fills::of_missing(array, &found, &mut out),
            Some(false) => fills::unused(&mut found),
            None => {}
        }
    }
    found.extend(out.into_unique());
    found
}

/// The features of the archive that a store is in.
fn archive(hierarchy: &Hierarchy, out: &mut Features) {
    for problem in hierarchy.store.problems() {
        let code = problem.error.code;
        if matches!(code, Code::ZipTwice | Code::ZipDescriptor) {
            out.add("(store)", &[format!("archive: {}", code.as_str())]);
        }
    }
}

/// The features of the groups around a node that concern it.
fn around(hierarchy: &Hierarchy, node: &Node, out: &mut Features) {
    let mut path = node.path.clone();
    while let Some(parent) = path.parent() {
        let group = hierarchy.node(&parent);
        let told = group.all_problems().map(|problem| &problem.error).chain(group.kind.error());
        for code in told
            .map(|error| error.code)
            .filter(|code| matches!(code, Code::Consolidated | Code::BareNan | Code::InvalidJson))
        {
            out.add("(group)", &[format!("group around it: {}", code.as_str())]);
        }
        if let NodeKind::Group(group) = &group.kind
            && node_format(node) == Format::V2
            && group.format == Format::V3
        {
            out.add("(group)", &["group around it: V3 above V2"]);
        }
        path = parent;
    }
}

/// The features of the first chunks of an array; true if some chunk is missing, or may be; `None` where that is not
/// known.
fn chunks(
    hierarchy: &Hierarchy,
    path: &NodePath,
    array: &ArrayMetadata,
    budget: &Budget,
    out: &mut Features,
) -> Option<bool> {
    let layout = Layout::new(path, array).ok()?;
    let budget = budget.with_limit(budget.limit().min(LARGE));
    let fill = unnamed_fill(array);
    let total = layout.total().unwrap_or(u128::MAX);
    let mut is_missing = false;
    for number in (0..total).take(CHUNKS) {
        if budget.is_stopped() {
            return None;
        }
        let id = ChunkId::at(order::coordinates(number, &layout.counts));
        let chunk = chunk::load(&*hierarchy.store, path, array, &id, 0, &budget);
        let extent = lengths(&array.region(&id.coordinates)?);
        of_chunk(&chunk, fill.as_ref(), &extent, out);
        is_missing |= chunk.is_missing() || has_holes(&chunk);
    }
    Some(is_missing || total > CHUNKS as u128 && is_sparse(hierarchy, &layout, total))
}

/// True if a shard lacks an inner chunk.
fn has_holes(chunk: &Chunk) -> bool {
    let shards = chunk.stages.iter().filter_map(|stage| stage.shard.as_ref());
    shards.flat_map(|shard| shard.entries.places()).any(|bytes| bytes.is_none())
}

/// True if fewer chunks are stored than there are, or if too many would have to be counted.
fn is_sparse(hierarchy: &Hierarchy, layout: &Layout, total: u128) -> bool {
    let mut stored = 0_u128;
    let mut seen = 0_u128;
    let listed = layout.visit(&*hierarchy.store, &mut |sighting| {
        stored += u128::from(matches!(sighting, Sighting::Chunk(_)));
        seen += 1;
        seen < LISTED
    });
    listed.is_err() || stored < total
}

/// The fill value, where it is a number that `_FillValue` does not name.
fn unnamed_fill(array: &ArrayMetadata) -> Option<Scalar> {
    let FillValue::Value { json, scalar, .. } = &array.fill_value else { return None };
    let named = array.attributes().and_then(|attributes| attributes.get("_FillValue"));
    let is_number = !matches!(scalar, Scalar::Float(value) if value.is_nan());
    (is_number && named != Some(json)).then(|| scalar.clone())
}

fn of_chunk(chunk: &Chunk, fill: Option<&Scalar>, extent: &[u64], out: &mut Features) {
    let member = "(chunks)";
    if chunk.is_missing() {
        return out.add(member, &["chunks: one is missing"]);
    }
    if let Some(error) = chunk.fault() {
        // What no codec was built for is a matter of the document.
        let is_built =
            chunk.stages.last().is_none_or(|stage| stage.codec.is_some() || stage.kind.is_none());
        if is_built && !error.code.is_limit() && error.code != Code::Stopped {
            let is_empty = chunk.stored.is_some_and(|stat| stat.len == 0);
            let form = if is_empty { "of 0 bytes" } else { error.code.as_str() };
            out.add(member, &[format!("chunks: {form}")]);
        }
        return;
    }
    for note in chunk.stages.iter().flat_map(|stage| &stage.notes) {
        if TELLING.contains(&note.code) {
            out.add(member, &[format!("chunks: {}", note.code.as_str())]);
        }
    }
    if has_holes(chunk) {
        out.add(member, &["chunks: an inner chunk is missing"]);
    }
    let Some(elements) = chunk.elements() else { return };
    values(elements, fill, extent, out);
}

/// The features of the first values of a chunk, as far as it is inside of the array.
fn values(elements: &Elements, fill: Option<&Scalar>, extent: &[u64], out: &mut Features) {
    let is_inside = |position: &u64| order::is_inside(&elements.coordinates(*position), extent);
    for position in (0..elements.len().min(ELEMENTS)).filter(is_inside) {
        let form = match elements.value(position) {
            Some(Ok(scalar)) if Some(&scalar) == fill => Some("equal to the fill value"),
            Some(Ok(scalar)) => remarkable(&scalar),
            Some(Err(error)) => Some(error.code.as_str()),
            None => return,
        };
        if let Some(form) = form {
            out.add("(chunks)", &[format!("values: {form}")]);
        }
    }
}

/// The feature of a value for readers that hand it on through an interface that cannot hold it.
fn remarkable(scalar: &Scalar) -> Option<&'static str> {
    match scalar {
        Scalar::NullTerminated(bytes) => {
            let end = bytes.iter().rposition(|&byte| byte != 0)?;
            let inside = &bytes[..=end];
            if inside.contains(&0) {
                return Some("a zero byte inside a byte string");
            }
            (!inside.is_ascii()).then_some("a byte string beyond ASCII")
        }
        Scalar::Text(bytes) => {
            std::str::from_utf8(bytes).is_err().then_some("a string that is not UTF-8")
        }
        Scalar::Utf32(units) => {
            let is_wrong = units.iter().any(|&unit| char::from_u32(unit).is_none());
            is_wrong.then_some("code units that are not Unicode characters")
        }
        _ => None,
    }
}
