//! Comparing two nodes and all below them, pair by pair, and the values of two arrays slab by slab.

use crate::{
    app::{
        Answer, Pace,
        page::compare::{
            ArrayPair, ChunkRequest, ChunkValues, CompareNews, CompareRequest, CompareSide,
            ComparedBlock, NodePair, ValueRow,
        },
    },
    worker::parallel,
    zarr::{
        ArrayMetadata, ArrayReader, Budget, Code, Endian, Error, Hierarchy, Node, NodePath, Result,
        Scalar,
        array::{self, PieceData, Slab},
        chunk,
        compare::{
            Compared, Comparer, Difference, Tolerance, documents, group_attributes, parts, why_not,
        },
        data_type::ByteOrder,
        grid::{ChunkId, Grid, Region},
        hierarchy::NodeKind,
        store::Store,
        text::safe,
        words,
    },
};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    path::Path,
    sync::Arc,
    time::Instant,
};

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
        let (root, name, chunk) = (target.node, side.name(), target.chunk);
        Ok(Self { hierarchy, root, name, chunk })
    }

    fn node(&self, path: &str) -> Node {
        self.hierarchy.node(&self.root.below(path))
    }

    /// The paths of the node and of all below it, as seen from there.
    fn paths(&self, budget: &Budget<'_>) -> BTreeSet<String> {
        let mut paths = BTreeSet::new();
        self.hierarchy.walk(&self.root, &mut |node, _| {
            let below = node.path.0.strip_prefix(self.root.0.as_str()).unwrap_or(&node.path.0);
            paths.insert(below.trim_start_matches('/').to_owned());
            !budget.is_stopped()
        });
        paths
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

/// Compares two nodes and all below them, from where an earlier comparison was stopped.
pub(super) fn compare(
    hierarchy: &Hierarchy,
    request: &CompareRequest,
    budget: Budget<'_>,
    say: &mut dyn FnMut(Answer),
) {
    let [a, b] = request.sides.each_ref().map(|side| OpenedSide::new(hierarchy, side));
    let sides = match (a, b) {
        (Ok(a), Ok(b)) => [a, b],
        (Err(error), _) | (_, Err(error)) => return say(Answer::Failed(error)),
    };
    if sides.iter().any(|side| side.chunk.is_some()) {
        let names = sides.each_ref().map(|side| side.name.clone());
        say(Answer::Compared(Box::new(CompareNews::Opened(names, 1))));
        let how = (request, request.from.map_or(0, |(_, slabs)| slabs));
        if pair((&sides, "", [true; 2]), (how.0, how.1, request.from.is_none()), budget, say)
            .is_ok()
        {
            say(Answer::Done);
        }
        return;
    }
    let paths = sides.each_ref().map(|side| side.paths(&budget));
    let [of_a, of_b] = &paths;
    let all: Vec<&String> = of_a.union(of_b).collect();
    let names = sides.each_ref().map(|side| side.name.clone());
    say(Answer::Compared(Box::new(CompareNews::Opened(names, all.len()))));
    let (first, slabs) = request.from.unwrap_or_default();
    for (number, path) in all.into_iter().enumerate().skip(first) {
        let is_there = [of_a.contains(path), of_b.contains(path)];
        let from = if number == first { slabs } else { 0 };
        let is_new = number > first || request.from.is_none();
        let done = pair((&sides, path, is_there), (request, from, is_new), budget, say);
        if done.is_err() {
            return;
        }
    }
    say(Answer::Done);
}

/// Compares the nodes of one path.
fn pair(
    (sides, path, is_there): (&[OpenedSide; 2], &str, [bool; 2]),
    (request, from, is_new): (&CompareRequest, usize, bool),
    budget: Budget<'_>,
    say: &mut dyn FnMut(Answer),
) -> Result<()> {
    let mut pair = NodePair { path: path.to_owned(), is_there, ..NodePair::default() };
    let nodes = sides.each_ref().map(|side| side.node(path));
    match nodes.each_ref().map(|node| &node.kind) {
        _ if is_there != [true; 2] => {
            let side = if is_there == [true, false] { "A" } else { "B" };
            pair.why = Some(format!("only in {side}"));
        }
        [NodeKind::Array(a), NodeKind::Array(b)] => {
            let stores = sides.each_ref().map(|side| side.hierarchy.store.as_ref());
            let paths = nodes.each_ref().map(|node| &node.path);
            let chunks = sides.each_ref().map(|side| side.chunk.as_ref());
            let how = (request, from, chunks);
            return arrays(pair, (stores, paths, [a, b]), how, budget, (is_new, say));
        }
        [NodeKind::Group(a), NodeKind::Group(b)] => pair.rows.extend(group_attributes(a, b)),
        [NodeKind::Folder, NodeKind::Folder] => {}
        [NodeKind::Broken(error), _] | [_, NodeKind::Broken(error)] => {
            pair.why = Some(safe(&error.to_string()).into_owned());
        }
        [a, b] => pair.why = Some(format!("A is {}, B is {}", word(a), word(b))),
    }
    tell(pair, is_new, say);
    Ok(())
}

fn tell(pair: NodePair, is_new: bool, say: &mut dyn FnMut(Answer)) {
    if is_new {
        say(Answer::Compared(Box::new(CompareNews::Pair(Box::new(pair)))));
    }
}

/// Two arrays, each with its store and its path.
type Arrays<'a> = ([&'a dyn Store; 2], [&'a NodePath; 2], [&'a ArrayMetadata; 2]);

/// Compares two arrays, or a chunk of each.
fn arrays(
    mut pair: NodePair,
    ([store_a, store_b], [path_a, path_b], [a, b]): Arrays<'_>,
    (request, from, chunks): (&CompareRequest, usize, [Option<&ChunkId>; 2]),
    budget: Budget<'_>,
    (is_new, say): (bool, &mut dyn FnMut(Answer)),
) -> Result<()> {
    pair.rows = documents(a, b);
    if chunks.iter().any(Option::is_some) {
        // What is said of the whole arrays is not compared; how their chunks are stored is told.
        pair.rows.retain(|row| row.is_layout || row.label == "data type");
    }
    let readers = ArrayReader::new(store_a, path_a, a)
        .and_then(|of_a| Ok([of_a, ArrayReader::new(store_b, path_b, b)?]));
    let values = match &readers {
        Ok(readers) => ComparedValues::new(readers, chunks, (request.tolerance, request.limit)),
        Err(error) => Err(error.clone()),
    };
    match values {
        Ok(values) => {
            pair.arrays = Some(values.pair(a, chunks));
            tell(pair, is_new, say);
            values.compare(from, budget, say)
        }
        Err(error) => {
            pair.why = Some(safe(&why_not(&error)).into_owned());
            tell(pair, is_new, say);
            Ok(())
        }
    }
}

fn word(kind: &NodeKind) -> &'static str {
    match kind {
        NodeKind::Array(_) => "an array",
        NodeKind::Group(_) => "a group",
        NodeKind::Folder => "a folder",
        NodeKind::Broken(_) => "a broken node",
    }
}

fn array_of(node: &Node) -> Option<&ArrayMetadata> {
    match &node.kind {
        NodeKind::Array(array) => Some(array),
        _ => None,
    }
}

/// Two arrays, or parts of them, whose values are compared.
struct ComparedValues<'a> {
    readers: &'a [ArrayReader<'a>; 2],
    comparer: Comparer<'a>,
    /// What of A is compared.
    part: Region,
    /// True if it is one chunk.
    is_chunk: bool,
    limit: u64,
}

impl<'a> ComparedValues<'a> {
    /// For two arrays, or for a chunk of each; where one is named, for that and the same elements of the other array.
    fn new(
        readers: &'a [ArrayReader<'a>; 2],
        chunks: [Option<&ChunkId>; 2],
        (tolerance, limit): (Tolerance, u64),
    ) -> Result<Self> {
        let [a, b] = readers;
        let parts = parts([a, b], chunks)?;
        let comparer = Comparer::of_parts([a, b], [&parts[0], &parts[1]], tolerance)?;
        let [part, _] = parts;
        Ok(Self { readers, comparer, part, is_chunk: chunks != [None, None], limit })
    }

    /// The values before any was compared.
    fn pair(&self, a: &ArrayMetadata, [of_a, of_b]: [Option<&ChunkId>; 2]) -> ArrayPair {
        let only = of_a.or(of_b).cloned();
        let shape: Vec<u64> = self.part.iter().map(|range| range.end - range.start).collect();
        let grid = match &only {
            Some(_) => Some(Grid::Regular(shape.iter().map(|&n| n.max(1)).collect())),
            None => a.grid.clone().ok(),
        };
        let counts = grid.as_ref().map(|grid| grid.counts(&shape)).unwrap_or_default();
        let reached = Some(vec![0; counts.len()]);
        ArrayPair { shape, counts, grid, only, reached, ..ArrayPair::default() }
    }

    /// Compares all of it but the first `from` slabs.
    fn compare(&self, from: usize, budget: Budget<'_>, say: &mut dyn FnMut(Answer)) -> Result<()> {
        let memory = budget.memory().map_or(u64::MAX, |memory| memory.most() / 4);
        let (started, of) = (Instant::now(), array::len(&self.part).unwrap_or(u64::MAX));
        let mut done = 0;
        let mut slabs = self.comparer.slabs(&self.part, memory).peekable();
        let mut number = 0;
        while let Some(region) = slabs.next() {
            done += array::len(&region).unwrap_or(0);
            number += 1;
            if number <= from {
                continue;
            }
            let (compared, blocks) = self.slab(&region, &budget)?;
            let reached = slabs.peek().map(|next| {
                next.iter().zip(&self.part).map(|(next, all)| next.start - all.start).collect()
            });
            let pace = Pace { done, of, elapsed: started.elapsed() };
            let blocks = blocks.into_iter().collect();
            let news = CompareNews::Slab(Box::new(compared), blocks, reached, pace);
            say(Answer::Compared(Box::new(news)));
        }
        if number == 0 {
            let news = CompareNews::Slab(Box::default(), Vec::new(), None, Pace::default());
            say(Answer::Compared(Box::new(news)));
        }
        Ok(())
    }

    /// Compares what both have of `region`, and tells which chunks of the first are not equal and stored on both sides.
    fn slab(
        &self,
        region: &Region,
        budget: &Budget<'_>,
    ) -> Result<(Compared, BTreeMap<Vec<u64>, ComparedBlock>)> {
        let [a, b] = self.readers;
        let within = (self.limit, budget.memory(), budget.stop());
        let there = self.comparer.in_b(region);
        let (mut of_a, mut of_b) =
            rayon::join(|| parallel::slab(a, region, within), || parallel::slab(b, &there, within));
        let mut compared = loop {
            let compared = parallel::compare(&self.comparer, region, [&of_a, &of_b]);
            // What was compared with a file that was cut meanwhile is not told.
            let is_lost = [!of_a.drop_lost().is_empty(), !of_b.drop_lost().is_empty()];
            if is_lost == [false; 2] {
                break compared;
            }
        };
        if budget.is_stopped() {
            return Err(Error::new(Code::Stopped, "a comparison that was stopped", ""));
        }
        let mut blocks = self.blocks(&of_a, &of_b);
        for (chunk, different) in std::mem::take(&mut compared.chunks) {
            blocks.entry(chunk).or_insert(ComparedBlock::BOTH).different += different;
        }
        if self.is_chunk {
            let all = blocks.into_values().reduce(ComparedBlock::merged).unwrap_or_default();
            return Ok((compared, BTreeMap::from([(vec![0; self.part.len()], all)])));
        }
        // Of a chunk that is in several slabs, another may hold what only one side stores.
        let is_within = |chunk: &[u64]| {
            a.grid().region(chunk, a.shape()).is_some_and(|all| {
                all.iter()
                    .zip(region)
                    .all(|(all, part)| part.start <= all.start && all.end <= part.end)
            })
        };
        blocks.retain(|chunk, block| *block != ComparedBlock::BOTH || !is_within(chunk));
        Ok((compared, blocks))
    }

    /// What each side stores of each chunk of the first, and what it cannot read.
    fn blocks(&self, of_a: &Slab, of_b: &Slab) -> BTreeMap<Vec<u64>, ComparedBlock> {
        let [_, b] = self.readers;
        let states: HashMap<_, _> =
            of_b.pieces().iter().map(|(piece, data)| (&piece.chunk, state(data))).collect();
        let mut blocks: BTreeMap<Vec<u64>, ComparedBlock> = BTreeMap::new();
        for (piece, data) in of_a.pieces() {
            let block = blocks.entry(piece.chunk.coordinates.clone()).or_default();
            let mut add = |side: usize, (stored, unreadable): (bool, bool)| {
                if let (Some(is_stored), Some(is_unreadable)) =
                    (block.stored.get_mut(side), block.unreadable.get_mut(side))
                {
                    *is_stored |= stored;
                    *is_unreadable |= unreadable;
                }
            };
            add(0, state(data));
            for other in b.pieces_of_slab(&self.comparer.in_b(&piece.region)) {
                // Inner chunks of a shard may be read together in the slab.
                let coordinates = other.chunk.coordinates.clone();
                let whole = ChunkId { coordinates, inner: Vec::new() };
                if let Some(found) = states.get(&other.chunk).or_else(|| states.get(&whole)) {
                    add(1, *found);
                }
            }
        }
        blocks
    }
}

/// True if it is stored, and if it cannot be read.
fn state(data: &PieceData) -> (bool, bool) {
    match data {
        PieceData::Missing => (false, false),
        PieceData::Stored(_) => (true, false),
        PieceData::Unreadable(_) => (true, true),
    }
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
        values.why = Some(safe(&error.to_string()).into_owned());
    }
    if !budget.is_stopped() {
        say(Answer::Differences(Box::new(values)));
    }
    say(Answer::Done);
}

fn fill(
    values: &mut ChunkValues,
    hierarchy: &Hierarchy,
    request: &ChunkRequest,
    budget: Budget<'_>,
) -> Result<()> {
    let [a, b] = request.sides.each_ref().map(|side| OpenedSide::new(hierarchy, side));
    let (a, b) = (a?, b?);
    let nodes = [a.node(&request.path), b.node(&request.path)];
    let [Some(of_a), Some(of_b)] = nodes.each_ref().map(array_of) else {
        return Ok(());
    };
    let readers = [
        ArrayReader::new(a.hierarchy.store.as_ref(), &nodes[0].path, of_a)?,
        ArrayReader::new(b.hierarchy.store.as_ref(), &nodes[1].path, of_b)?,
    ];
    let chunks = [a.chunk.as_ref(), b.chunk.as_ref()];
    let all = ComparedValues::new(&readers, chunks, (request.tolerance, request.limit))?;
    let asked = ChunkId { coordinates: request.chunk.clone(), inner: Vec::new() };
    let only = chunks.into_iter().flatten().next();
    let region = match only {
        Some(_) => all.part.clone(),
        None => chunk::region(of_a, &asked)?,
    };
    let id = chunks[0].or(only).unwrap_or(&asked);
    let key = of_a.key_encoding.as_ref().map(|known| known.key(&id.coordinates));
    values.key = key.map(|key| safe(&id.name(&key)).into_owned()).unwrap_or_default();
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
        words::hex(&bytes, " ")
    };
    let text = |value: &Scalar| safe(&value.to_string()).into_owned();
    let [a, b] = arrays;
    let [order_a, order_b] = orders;
    ValueRow {
        index: found.index.clone(),
        values: [text(&found.a), text(&found.b)],
        bytes: [hex(a, order_a, &found.a), hex(b, order_b, &found.b)],
        apart: found.apart().map_or_else(String::new, |apart| words::decimal(apart, 24)),
    }
}
