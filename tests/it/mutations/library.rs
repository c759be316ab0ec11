//! Inputs for the library alone, most of them without a disk.

use super::{
    damage::{self, Dice, damage_bytes, damage_words, damaged_copy},
    sources::{MOST_DECODED, Sources, Stored, budget, opened},
};
use std::{
    fs,
    ops::Range,
    sync::Arc,
    time::{Duration, Instant},
};
use zarrscope::zarr::{
    ArrayMetadata, ArrayReader, Budget, DataTypes, Format, Hierarchy, Json, Node, NodePath,
    Registry, Scalar, WhatIf,
    array::{self, PieceData, Slab},
    byte_order,
    canonical::{Canonical, Rendered},
    check::{self, CheckOptions, Event},
    chunk,
    compare::{Comparer, Tolerance, documents},
    conventions::{self, Wanted},
    diagnosis,
    digest::{self, BlockHash},
    grid::ChunkId,
    hierarchy::NodeKind,
    presence::Layout,
    readers,
    sizes::Sizes,
    spelling::{self, Subject, typed::WantedType, values::rows},
    statistics::{self, Statistics},
    store::MemoryStore,
    text,
};

/// The time after which work that can be stopped is: nobody waits longer for what is so small.
const PATIENCE: Duration = Duration::from_secs(1);

/// The most elements whose values are looked at.
const MOST_ELEMENTS: u64 = 1 << 16;

/// Text of the program is never so long.
const LONGEST_TEXT: usize = 1 << 20;

/// One of the nodes, damaged: its documents by words with `words` of 4 chances, else bytes of any file.
pub(crate) fn damaged(sources: &Sources, dice: &mut Dice, words: usize) -> Stored {
    let mut files = dice.pick(&sources.stored).clone();
    let (documents, others): (Vec<_>, Vec<_>) =
        files.keys().cloned().partition(|key| damage::is_document(key));
    for _ in 0..=dice.below(2) {
        let in_words = dice.below(4) < words && !documents.is_empty() || others.is_empty();
        let from = if in_words { &documents } else { &others };
        let bytes = files.get_mut(dice.pick(from)).unwrap();
        if in_words && dice.below(8) > 0 {
            damage_words(bytes, dice);
        } else {
            damage_bytes(bytes, dice);
        }
    }
    files
}

fn root(hierarchy: &Hierarchy) -> Node {
    hierarchy.node(&NodePath::default())
}

/// Reads chunks.
pub(crate) fn chunks(sources: &Sources, dice: &mut Dice) {
    let hierarchy = opened(damaged(sources, dice, 1));
    let node = root(&hierarchy);
    if let Some(array) = node.kind.array() {
        look_for_chunks(&hierarchy, &node.path, array);
        load_chunks(&hierarchy, &node.path, array, dice);
    }
}

/// Reads documents, and says everything that is to be said of them.
pub(crate) fn documents_of(hierarchy: &Hierarchy) {
    hierarchy.walk(&NodePath::default(), &mut |node, depth| {
        let _ = text::safe(&node.all_problems().map(|it| it.error.to_string()).collect::<String>());
        for problem in conventions::of_node(hierarchy, node, Wanted::default()) {
            assert!(text::safe(&problem.error.to_string()).len() < LONGEST_TEXT);
        }
        let features = readers::features_in(hierarchy, node, &budget());
        for answer in readers::table().answers(&features) {
            assert!(answer.sentence().len() < LONGEST_TEXT);
        }
        match &node.kind {
            NodeKind::Array(array) => {
                spell(array);
                let _ =
                    Sizes::of(&*hierarchy.store, &node.path, array, &Sizes::none(), &mut |_| true);
            }
            NodeKind::Group(group) => drop(spelling::document::group(group)),
            _ => {}
        }
        depth < 4
    });
    let _ = digest::metadata(hierarchy, &NodePath::default());
}

pub(crate) fn documents_in(sources: &Sources, dice: &mut Dice) {
    documents_of(&opened(damaged(sources, dice, 4)));
}

fn spell(array: &ArrayMetadata) {
    let subject = Subject::of_array(array);
    for row in &spelling::of(array).rows {
        let _ = spelling::explain(row, &subject);
    }
    let _ = spelling::document::array(array);
}

/// Reads a typed data type and a typed fill value, and says what both are in both formats.
pub(crate) fn data_types(_: &Sources, dice: &mut Dice) {
    let wanted = damage::typed(damage::DATA_TYPES, dice);
    let codecs = [None, None, Some("vlen-utf8"), Some("pickle"), Some("vlen-bytes"), Some("x")];
    let formats = [None, Some(Format::V2), Some(Format::V3)];
    let endians = [None, Some(zarrscope::zarr::Endian::Big)];
    let wanted = WantedType {
        text: &wanted,
        object_codec: *dice.pick(&codecs),
        format: *dice.pick(&formats),
        endian: *dice.pick(&endians),
    };
    let Ok(typed) = wanted.resolve(&DataTypes::default()) else { return };
    let fill = typed.fill_value(&damage::typed(damage::FILL_VALUES, dice));
    let subject = Subject::of_type(typed.format, typed.json, typed.resolved, Some(fill));
    for row in rows(&subject) {
        let explained = spelling::explain(&row, &subject);
        assert!(explained.source_lines().len() < LONGEST_TEXT);
    }
}

/// Reads an array as if it declared something else.
pub(crate) fn what_if(sources: &Sources, dice: &mut Dice) {
    let hierarchy = opened(damaged(sources, dice, 1));
    let node = root(&hierarchy);
    let settings = damage::typed(damage::SETTINGS, dice);
    let (Some(array), Ok(what_if)) = (node.kind.array(), WhatIf::parse(&settings)) else { return };
    let _ = what_if.options();
    let _ = what_if.edit(array);
    let _ = what_if.apply(array);
    if let Ok(over) = what_if.over(&hierarchy, &node.path) {
        let node = root(&over);
        if let Some(array) = node.kind.array() {
            load_chunks(&over, &node.path, array, dice);
        }
    }
}

/// True if a region has more elements, or more bytes of them, than a caller would hold in memory.
fn is_large(reader: &ArrayReader<'_>, region: &[Range<u64>]) -> bool {
    let len = array::len(region).unwrap_or(u64::MAX);
    len > MOST_ELEMENTS || len.saturating_mul(reader.item_size()) > MOST_DECODED
}

/// The slabs of the beginning of an array, read.
fn slabs(reader: &ArrayReader<'_>, budget: &Budget<'_>, each: &mut dyn FnMut(&Slab)) {
    for region in reader.slabs(&reader.whole(), 1 << 20).take(4) {
        if is_large(reader, &region) || budget.is_stopped() {
            return;
        }
        each(&slab(reader, region, budget));
    }
}

fn slab(reader: &ArrayReader<'_>, region: Vec<Range<u64>>, budget: &Budget<'_>) -> Slab {
    let pieces = reader.pieces_of_slab(&region);
    let pieces = pieces
        .map(|piece| {
            let data = reader.load(&piece, budget);
            (piece, data)
        })
        .collect();
    Slab::new(region, pieces)
}

/// Sums up the values of an array, and what a digest is made of.
pub(crate) fn values(sources: &Sources, dice: &mut Dice) {
    let hierarchy = opened(damaged(sources, dice, 1));
    let node = root(&hierarchy);
    let Some(array) = node.kind.array() else { return };
    let Ok(reader) = ArrayReader::new(&*hierarchy.store, &node.path, array) else { return };
    let resolved = reader.resolved();
    let canonical = Canonical::new(&*resolved.data_type, &resolved.order, reader.fill());
    let mut sum: Option<Statistics> = None;
    stopping(&mut |budget| {
        slabs(&reader, budget, &mut |slab| {
            let mut rendered = Rendered::default();
            canonical.render(slab, 0..slab.len(), &mut rendered);
            let _ = BlockHash::of(&rendered.bytes).finish(0).text();
            for (_, data) in slab.pieces() {
                let PieceData::Stored(elements) = data else { continue };
                let of = Statistics::of(&statistics::whole(elements, reader.fill()), &|_| false);
                sum = Some(sum.take().map_or_else(|| of.clone(), |sum| sum.merge(of.clone())));
            }
        });
    });
    if let Some(sum) = sum {
        let _ = (sum.mean(), sum.standard_deviation());
    }
}

/// Compares two nodes, or one with itself before it was damaged.
pub(crate) fn compare(sources: &Sources, dice: &mut Dice) {
    let whole = dice.pick(&sources.stored).clone();
    let mut files = whole.clone();
    let keys: Vec<_> = files.keys().cloned().collect();
    let key = dice.pick(&keys);
    let bytes = files.get_mut(key).unwrap();
    if damage::is_document(key) {
        damage_words(bytes, dice);
    } else {
        damage_bytes(bytes, dice);
    }
    let other = if dice.below(4) == 0 { damaged(sources, dice, 1) } else { whole };
    let both = [opened(files), opened(other)];
    let nodes = both.each_ref().map(root);
    let [Some(a), Some(b)] = nodes.each_ref().map(|node| node.kind.array()) else { return };
    let _ = documents(a, b);
    let opened = |at: usize, array| ArrayReader::new(&*both[at].store, &nodes[at].path, array);
    let (Ok(a), Ok(b)) = (opened(0, a), opened(1, b)) else { return };
    let tolerance = Tolerance { absolute: 1e-6, relative: 1e-3, by_bits: dice.below(2) == 0 };
    let parts = [&a, &b].map(ArrayReader::whole);
    let Ok(comparer) = Comparer::of_parts([&a, &b], parts.each_ref(), tolerance) else { return };
    stopping(&mut |budget| {
        for region in comparer.slabs(&a.whole(), 1 << 20).take(4) {
            if is_large(&a, &region) || is_large(&b, &comparer.in_b(&region)) {
                return;
            }
            let slabs =
                [slab(&a, region.clone(), budget), slab(&b, comparer.in_b(&region), budget)];
            let wanted = 0..slabs[0].len();
            let outcome =
                comparer.compare(&region, slabs.each_ref(), wanted, &mut Default::default());
            assert!(outcome.different <= outcome.elements);
        }
    });
}

/// Guesses what a chunk file without metadata is.
pub(crate) fn lone_chunk(sources: &Sources, dice: &mut Dice) {
    let files = damaged(sources, dice, 0);
    let chunks: Vec<_> = files.iter().filter(|(key, _)| !damage::is_document(key)).collect();
    let Some((_, bytes)) = chunks.get(dice.below(chunks.len())) else { return };
    let _ = diagnosis::known_format(bytes);
    let wrapping = diagnosis::unwrap((*bytes).clone(), 1 << 20, &Registry::default());
    let _ = diagnosis::guess(&wrapping.inside);
    let _ = Json::parse(bytes);
}

/// Opens an archive in memory, and reads what is in it.
pub(crate) fn archive(sources: &Sources, dice: &mut Dice) {
    let mut bytes = dice.pick(&sources.archives).clone();
    (0..=dice.below(3)).for_each(|_| damage_bytes(&mut bytes, dice));
    let Ok(store) = MemoryStore::from_zip("archive", &bytes, 1 << 20) else { return };
    documents_of(&Hierarchy::new(Arc::new(store), Arc::new(Registry::default())));
}

/// Checks a node, its chunks and conventions included, and looks for causes.
pub(crate) fn check(sources: &Sources, dice: &mut Dice) {
    check_all(&opened(damaged(sources, dice, 2)), false);
}

/// The same with more work on causes.
pub(crate) fn deep_check(sources: &Sources, dice: &mut Dice) {
    check_all(&opened(damaged(sources, dice, 1)), true);
}

fn check_all(hierarchy: &Hierarchy, deep: bool) {
    stopping(&mut |budget| {
        let options = CheckOptions { budget: *budget, deep, ..CheckOptions::default() };
        check::check(hierarchy, &NodePath::default(), &options, &mut |event| {
            if let Event::Problem(_, problem) = event {
                assert!(text::safe(&problem.error.to_string()).len() < LONGEST_TEXT);
            }
        });
    });
}

/// Calls `work` with limits that stop it when nobody would wait any longer.
fn stopping(work: &mut dyn FnMut(&Budget<'_>)) {
    let start = Instant::now();
    let stop = || start.elapsed() > PATIENCE;
    work(&budget().with_stop(&stop));
}

/// Opens a folder or an archive on the disk, and reads it.
pub(crate) fn folder(sources: &Sources, dice: &mut Dice) {
    let folder = tempfile::tempdir().unwrap();
    let node = dice.pick(&sources.nodes);
    let store = damaged_copy(node, folder.path(), dice);
    let Ok((hierarchy, target)) = Hierarchy::open(&store) else { return };
    let mut arrays = Vec::new();
    hierarchy.walk(&target.node, &mut |node, _| {
        arrays.extend(node.kind.array().map(|array| (node.path.clone(), array.clone())));
        arrays.len() < 20
    });
    for (path, array) in arrays {
        spell(&array);
        look_for_chunks(&hierarchy, &path, &array);
        load_chunks(&hierarchy, &path, &array, dice);
    }
    drop(fs::remove_dir_all(folder.path()));
}

fn look_for_chunks(hierarchy: &Hierarchy, path: &NodePath, array: &ArrayMetadata) {
    let Ok(layout) = Layout::new(path, array) else { return };
    let _ = layout.visit(hierarchy.store.as_ref(), &mut |_| true);
    let _ = layout.diagnose(hierarchy.store.as_ref(), 100);
}

fn load_chunks(hierarchy: &Hierarchy, path: &NodePath, array: &ArrayMetadata, dice: &mut Dice) {
    let (Ok(grid), Ok(shape)) = (&array.grid, &array.shape) else { return };
    let counts = grid.counts(shape);
    for _ in 0..3 {
        let coordinates = counts.iter().map(|&count| dice.next() % count.clamp(1, 3)).collect();
        let around = dice.next() % 100;
        let ignoring = dice.below(2) == 0;
        let inner = if dice.below(2) == 0 { Vec::new() } else { vec![vec![0; counts.len()]] };
        let id = ChunkId { coordinates, inner };
        let budget = budget().ignoring_checksums(ignoring);
        let chunk = chunk::load(&*hierarchy.store, path, array, &id, around, &budget);
        let Some(elements) = chunk.elements() else { continue };
        for element in elements.elements(0..300) {
            if let Ok(value) = element.value {
                assert!(Scalar::to_string(&value).len() < LONGEST_TEXT);
            }
        }
        let _ = byte_order::judge(elements);
        let fill = array.fill_scalar();
        let _ = Statistics::of(&statistics::whole(elements, fill.as_ref()), &|_| false);
    }
}
