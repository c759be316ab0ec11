//! Comparing two nodes and all below them, pair by pair.

use crate::worker::prelude::*;
use crate::{
    app::page::compare::{
        ChunkRequest, ChunkValues, CompareNews, CompareRequest, CompareSide, NodePair, ValueRow,
    },
    worker::output_file::keep_out_of,
    zarr::{
        compare::{Difference, paths, why_not},
        words,
    },
};
use std::collections::BTreeSet;

mod values;
use values::ComparedValues;

/// A side that was opened.
struct OpenedSide {
    hierarchy: Hierarchy,
    root: NodePath,
    name: String,
    /// The chunk of the array that is compared, and nothing else of it.
    chunk: Option<ChunkId>,
}

impl OpenedSide {
    /// Opens a side: a node or a chunk of the open store, or else a path on the disk.
    fn new(open: &Hierarchy, side: &CompareSide) -> Result<Self> {
        let here = |root: NodePath, chunk: Option<ChunkId>| {
            Ok(Self { hierarchy: open.clone(), root, name: side.name(), chunk })
        };
        let text = match side {
            CompareSide::Node(path) => return here(path.clone(), None),
            CompareSide::Chunk(path, chunk) => return here(path.clone(), Some(chunk.clone())),
            CompareSide::Typed(text) => text,
        };
        let path = NodePath(text.trim_matches('/').to_owned());
        let is_node = |kind: &NodeKind| matches!(kind, NodeKind::Array(_) | NodeKind::Group(_));
        if !path.0.is_empty() && is_node(&open.node(&path).kind) {
            return here(path, None);
        }
        if let Some((path, chunk)) = chunk_at(open, &path.0) {
            return here(path, Some(chunk));
        }
        let (hierarchy, target) =
            Hierarchy::open_with(Path::new(text), Arc::clone(&open.registry))?;
        keep_out_of(Path::new(&hierarchy.store.name()));
        let (root, name, chunk) = (target.node, side.name(), target.chunk);
        Ok(Self { hierarchy, root, name, chunk })
    }

    fn node(&self, path: &str) -> Node {
        self.hierarchy.node(&self.root.below(path))
    }
}

/// The array of the open store and the chunk of it that a path names: `ocean/packed/c/0/0`.
fn chunk_at(open: &Hierarchy, path: &str) -> Option<(NodePath, ChunkId)> {
    let splits = path.rmatch_indices('/').map(|(at, _)| path.split_at(at));
    splits.chain([("", path)]).find_map(|(node, key)| {
        let node = NodePath(node.to_owned());
        let NodeKind::Array(array) = open.node(&node).kind else { return None };
        Some((node, ChunkId::parse(key.trim_start_matches('/'), &array).ok()?))
    })
}

fn opened(open: &Hierarchy, sides: &[CompareSide; 2]) -> Result<[OpenedSide; 2]> {
    let [a, b] = sides;
    Ok([OpenedSide::new(open, a)?, OpenedSide::new(open, b)?])
}

/// The readers of an array of each side.
fn readers<'n>(
    [a, b]: &'n [OpenedSide; 2],
    nodes: &'n [Node; 2],
    [of_a, of_b]: [&'n ArrayMetadata; 2],
) -> Result<[ArrayReader<'n>; 2]> {
    let a = ArrayReader::new(a.hierarchy.store.as_ref(), &nodes[0].path, of_a)?;
    let b = ArrayReader::new(b.hierarchy.store.as_ref(), &nodes[1].path, of_b)?;
    Ok([a.verifying(), b.verifying()])
}

/// Compares two nodes and all below them, from where an earlier comparison was stopped.
pub(super) fn compare(
    hierarchy: &Hierarchy,
    request: &CompareRequest,
    budget: Budget<'_>,
    say: &mut dyn FnMut(Answer),
) {
    let sides = match opened(hierarchy, &request.sides) {
        Ok(sides) => sides,
        Err(error) => return say(Answer::Failed(error)),
    };
    let is_chunk = sides.iter().any(|side| side.chunk.is_some());
    let paths = sides.each_ref().map(|side| {
        let alone = is_chunk.then(|| BTreeSet::from([String::new()]));
        alone.unwrap_or_else(|| paths(&side.hierarchy, &side.root, &budget))
    });
    let [of_a, of_b] = &paths;
    let all: Vec<&String> = of_a.union(of_b).collect();
    let names = sides.each_ref().map(|side| side.name.clone());
    say(Answer::Compared(Box::new(CompareNews::Opened(names, all.len()))));
    let (first, slabs) = request.from.unwrap_or_default();
    for (number, path) in all.into_iter().enumerate().skip(first) {
        let is_there = [of_a.contains(path), of_b.contains(path)];
        let from = if number == first { slabs } else { 0 };
        let is_new = number > first || request.from.is_none();
        if pair(&sides, (path, is_there), request, (from, is_new), budget, say).is_err() {
            return;
        }
    }
    say(Answer::Done);
}

/// Compares the nodes of one path, their values from slab `from` on; a pair that `is_new` is told.
fn pair(
    sides: &[OpenedSide; 2],
    (path, is_there): (&str, [bool; 2]),
    request: &CompareRequest,
    (from, is_new): (usize, bool),
    budget: Budget<'_>,
    say: &mut dyn FnMut(Answer),
) -> Result<()> {
    let nodes = sides.each_ref().map(|side| side.node(path));
    let (mut pair, arrays) = NodePair::of(path, is_there, &nodes);
    let chunks = sides.each_ref().map(|side| side.chunk.as_ref());
    if chunks.iter().any(Option::is_some) {
        pair.keep_rows_of_chunks();
    }
    let readers = arrays.map(|arrays| readers(sides, &nodes, arrays));
    let values = readers.as_ref().map(|readers| {
        let readers = readers.as_ref().map_err(Clone::clone)?;
        ComparedValues::new(readers, chunks, (request.tolerance, request.limit))
    });
    match (&values, arrays) {
        (Some(Ok(values)), Some([a, _])) => pair.arrays = Some(values.pair(a, chunks)),
        (Some(Err(error)), _) => pair.why = Some(safe_owned(&why_not(error))),
        _ => {}
    }
    if is_new {
        say(Answer::Compared(Box::new(CompareNews::Pair(Box::new(pair)))));
    }
    values.and_then(Result::ok).map_or(Ok(()), |values| values.compare(from, budget, say))
}

/// Tells which elements of a chunk of A differ.
pub(super) fn differences(
    hierarchy: &Hierarchy,
    request: &ChunkRequest,
    budget: Budget<'_>,
    say: &mut dyn FnMut(Answer),
) {
    let (path, chunk) = (request.path.clone(), request.chunk.clone());
    let mut values = ChunkValues { path, chunk, ..ChunkValues::default() };
    if let Err(error) = fill(&mut values, hierarchy, request, budget) {
        values.why = Some(safe_text(&error));
    }
    if !budget.is_stopped() {
        say(Answer::Differences(Box::new(values)));
    }
}

fn fill(
    values: &mut ChunkValues,
    hierarchy: &Hierarchy,
    request: &ChunkRequest,
    budget: Budget<'_>,
) -> Result<()> {
    let sides = opened(hierarchy, &request.sides)?;
    let nodes = sides.each_ref().map(|side| side.node(&request.path));
    let [Some(of_a), Some(of_b)] = nodes.each_ref().map(|node| node.kind.array()) else {
        return Ok(());
    };
    let readers = readers(&sides, &nodes, [of_a, of_b])?;
    let chunks = sides.each_ref().map(|side| side.chunk.as_ref());
    let all = ComparedValues::new(&readers, chunks, (request.tolerance, request.limit))?;
    let asked = ChunkId::at(request.chunk.clone());
    let only = chunks.into_iter().flatten().next();
    let region = match only {
        Some(_) => all.part.clone(),
        None => chunk::region(of_a, &asked)?,
    };
    let id = chunks[0].or(only).unwrap_or(&asked);
    let key = of_a.key_encoding.as_ref().map(|known| known.key(&id.coordinates));
    values.key = key.map(|key| safe_owned(&id.name(&key))).unwrap_or_default();
    let memory = budget.memory().map_or(u64::MAX, |memory| memory.most() / 4);
    let mut found = Compared::default();
    for slab in all.comparer.slabs(&region, memory) {
        found = found.merge(all.slab(&slab, &budget)?.0);
    }
    (values.different, values.elements) = (found.different, found.elements);
    let orders = readers.each_ref().map(|reader| reader.resolved().order.clone());
    let rows = found.first.iter().map(|found| row(found, [of_a, of_b], &orders));
    values.rows = rows.collect();
    Ok(())
}

/// An element that differs, in words.
fn row(found: &Difference, arrays: [&ArrayMetadata; 2], orders: &[ByteOrder; 2]) -> ValueRow {
    let hex = |array: &ArrayMetadata, order: &ByteOrder, value: &Scalar| {
        let order = if *order == ByteOrder::NotApplicable {
            ByteOrder::All(Endian::Little)
        } else {
            order.clone()
        };
        let bytes = array.data_type().and_then(|known| known.encode(value, &order).ok());
        let bytes = bytes.filter(|bytes| bytes.len() <= 16).unwrap_or_default();
        hex(&bytes, " ")
    };
    let text = |value: &Scalar| safe_text(&value);
    let [a, b] = arrays;
    let [order_a, order_b] = orders;
    ValueRow {
        index: found.index.clone(),
        values: [text(&found.a), text(&found.b)],
        bytes: [hex(a, order_a, &found.a), hex(b, order_b, &found.b)],
        apart: found.apart().map_or_else(String::new, |apart| words::decimal(apart, 24)),
    }
}
