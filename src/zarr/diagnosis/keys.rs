//! Chunks under other keys than the metadata declares: in another order of the dimensions, counted from 1, with another
//! beginning or end.

use super::prelude::*;
use super::{
    names::{below, conflicts, one_more},
    permutations::other_orders,
};
use crate::zarr::grid::order::{product, total};

/// Arrays of more dimensions are not put into every order.
const DIMENSIONS: usize = 5;

/// Files under a key each, and the chunk that each of them is.
type Moved = Vec<(String, Vec<u64>)>;

/// The cause of chunks that are outside of the grid, and of files that are no chunks.
pub(super) fn diagnose(case: &Case) -> Option<Diagnosis> {
    let (keys, orphans) = (case.symptoms.keys()?, case.symptoms.orphans()?);
    if orphans.is_empty() {
        let none_stored = keys.is_empty();
        let all = || none_stored.then(|| renamed(case).or_else(|| one_more(case))).flatten();
        return conflicts(case, keys).or_else(all);
    }
    turned(case, keys, orphans)
        .or_else(|| swapped(case, keys, orphans))
        .or_else(|| shifted(case, keys, orphans))
        .or_else(|| larger(case, keys, orphans))
}

/// The shape of the array, or of its chunks, with the dimensions in another order.
#[derive(Clone)]
struct TurnedShape {
    member: &'static str,
    declared: Vec<u64>,
    new: Vec<u64>,
    what_if: WhatIf,
}

/// The cause, if the stored chunks are exactly those of the grid with the dimensions of a shape in another order.
fn turned(case: &Case, keys: &[Vec<u64>], orphans: &[Vec<u64>]) -> Option<Diagnosis> {
    let rank = case.layout.counts.len();
    if !(2..=DIMENSIONS).contains(&rank) {
        return None;
    }
    let stored = [keys, orphans].concat();
    // Keys in another order that fill the grid as well are told from the shape by what tells them.
    let fills = |order: &Vec<usize>| {
        let keys: Vec<Vec<u64>> = stored.iter().map(|key| reordered(key, order)).collect();
        are_all(&keys, &case.layout.counts)
    };
    if permutations(rank).iter().skip(1).any(fills) {
        return None;
    }
    let found = the_smoother(case, &stored, turned_shapes(case, &stored))?;
    // Where no chunk is missing, an array that grew has such keys as well.
    let is_whole = total(&case.layout.counts) == Some(keys.len() as u128);
    if is_whole && found.member == "chunks" && !is_smoother(case, keys, &found) {
        return None;
    }
    let outside = if orphans.len() == 1 { "1 is".into() } else { format!("{} are", orphans.len()) };
    Some(found.told(case).because(format!(
        "With that shape, the {} are exactly those of the grid; as declared, {outside} outside it.",
        counted(stored.len(), "stored chunk")
    )))
}

impl TurnedShape {
    fn words(&self) -> &'static str {
        if self.member == "shape" { "shape" } else { "chunk shape" }
    }

    /// The shape as a cause.
    fn told(&self, case: &Case) -> Diagnosis {
        let (kind, subject) = match self.member {
            "shape" => ("shape/keys", "The shape is"),
            _ => ("chunk-shape/keys", "The chunks have the shape"),
        };
        let text = format!(
            "{subject} {}, not {} as the metadata declares: its dimensions are in another order.",
            list(&self.new),
            list(&self.declared)
        );
        let codes = [Code::ChunkOutside, Code::ChunksMissing];
        self.what_if.mending(case.array, Diagnosis::new(kind, text).explaining(&codes))
    }
}

/// True if `keys` are all those of a grid of `counts`.
fn are_all(keys: &[Vec<u64>], counts: &[u64]) -> bool {
    total(counts) == Some(keys.len() as u128)
        && keys.iter().all(|key| order::is_inside(key, counts))
}

/// The orders of the dimensions of shapes with which the grid has exactly the chunks that are `stored`.
fn turned_shapes(case: &Case, stored: &[Vec<u64>]) -> Vec<TurnedShape> {
    let (Ok(shape), Some(chunk)) = (&case.array.shape, case.array.chunk_shape()) else {
        return Vec::new();
    };
    let turned = |member: &'static str, of: SettingMember, declared: &[u64]| {
        let shape = |new: Vec<u64>| {
            let what_if = WhatIf::lengths(of, &new);
            let other = case.supposing(&what_if)?;
            let counts = other.chunk_counts()?;
            let declared = declared.to_vec();
            are_all(stored, &counts).then_some(TurnedShape { member, declared, new, what_if })
        };
        other_orders(declared).into_iter().filter_map(shape).collect::<Vec<_>>()
    };
    let shapes = turned("shape", SettingMember::Shape, shape);
    [shapes, turned("chunks", SettingMember::Chunks, &chunk)].concat()
}

/// True if values are clearly closer to their neighbours with other chunks than as declared.
fn is_smoother(case: &Case, keys: &[Vec<u64>], turned: &TurnedShape) -> bool {
    let samples = case.stored_at(&keys.iter().take(16).collect::<Vec<_>>());
    let rough = |array: &ArrayMetadata| AdjacentChunks::of(case, array, &samples)?.roughness();
    let other = case.supposing(&turned.what_if).and_then(|other| rough(&other));
    other.zip(rough(case.array)).is_some_and(|(other, declared)| other + CLEARLY <= declared)
}

/// By how many bits values must be closer for each.
const CLEARLY: f64 = 0.5;

/// The only one, or the one with which values are clearly closer to their neighbours, in chunks and across their borders.
fn the_smoother(case: &Case, stored: &[Vec<u64>], found: Vec<TurnedShape>) -> Option<TurnedShape> {
    if found.len() < 2 {
        return found.into_iter().next();
    }
    let samples = case.stored_at(&stored.iter().take(16).collect::<Vec<_>>());
    let rough = |turned: &TurnedShape| {
        let other = case.supposing(&turned.what_if)?;
        AdjacentChunks::of(case, &other, &samples)?.roughness()
    };
    let mut measured: Vec<(f64, TurnedShape)> =
        found.into_iter().map(|one| Some((rough(&one)?, one))).collect::<Option<_>>()?;
    measured.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut measured = measured.into_iter();
    let ((best, one), (next, _)) = (measured.next()?, measured.next()?);
    (best + CLEARLY <= next).then_some(one)
}

/// The keys have the dimensions in another order.
fn swapped(case: &Case, keys: &[Vec<u64>], orphans: &[Vec<u64>]) -> Option<Diagnosis> {
    let rank = case.layout.counts.len();
    if !(2..=DIMENSIONS).contains(&rank) {
        return None;
    }
    let order = permutations(rank).into_iter().skip(1).find(|order| {
        let all = keys.iter().chain(orphans);
        all.clone().all(|key| case.layout.has(&reordered(key, order)))
    })?;
    let moved = moved(case, keys, orphans, |key| reordered(key, &order));
    let (example, at) = moved
        .iter()
        .find(|(_, at)| at.iter().any(|n| Some(n) != at.first()))
        .or_else(|| moved.first())?;
    let text = format!(
        "The chunk keys have the dimensions in another order: what is stored as {example} is chunk {at:?}."
    );
    let evidence = format!(
        "Read that way, all {} keys are in the grid; as declared, {} are outside it.",
        moved.len(),
        orphans.len()
    );
    let mut diagnosis = told(case, text, evidence, &moved);
    diagnosis.is_certain = false;
    // The shape may be what is in another order, and no file is to be moved.
    match by_borders(case, &[keys, orphans].concat(), &order) {
        Some(Transposed::Shape(shape)) => Some(*shape),
        Some(Transposed::Keys(evidence)) => Some(diagnosis.because(evidence)),
        None => Some(diagnosis.because(
            "The shape may be in another order instead of the keys: then no file has to be moved. The picture shows \
             which: values continue across the borders of chunks.",
        )),
    }
}

/// The part of the metadata whose order the borders of chunks contradict.
enum Transposed {
    /// The chunk keys, and why.
    Keys(String),
    /// The shape of the array, or of its chunks: the cause.
    Shape(Box<Diagnosis>),
}

/// Asks the borders of chunks, across which values go on, whether the keys or a shape are in another order.
fn by_borders(case: &Case, keys: &[Vec<u64>], order: &[usize]) -> Option<Transposed> {
    let fits = |what_if: &WhatIf| {
        let other = case.supposing(what_if)?;
        let counts = other.chunk_counts()?;
        keys.iter().all(|key| order::is_inside(key, &counts)).then_some(other)
    };
    let shapes = [
        ("shape", SettingMember::Shape, case.array.known_shape()?.clone()),
        ("chunks", SettingMember::Chunks, case.array.chunk_shape()?),
    ];
    let turned = shapes.into_iter().filter_map(|(member, of, declared)| {
        let new = reordered(&declared, order);
        let what_if = WhatIf::lengths(of, &new);
        Some((fits(&what_if)?, TurnedShape { member, declared, new, what_if }))
    });
    let mut near: Vec<&Vec<u64>> = keys.iter().collect();
    near.sort_by_key(|at| (at.iter().max().copied(), *at));
    let samples = case.stored_at(&near);
    let as_keys = AdjacentChunks::of(case, case.array, &samples)?;
    let places = samples.iter().map(|sample| reordered(&sample.at, order)).collect();
    let moved = Continuity::of(&as_keys.seams(&SeamArrangement { places, strides: None }, None));
    let kept = turned.map(|(other, shape)| {
        let blocks = AdjacentChunks::of(case, &other, &samples);
        let kept = blocks.map(|blocks| Continuity::of(&blocks.seams(&blocks.declared(), None)));
        (shape, kept.unwrap_or_default())
    });
    let kept: Vec<(TurnedShape, Continuity)> = kept.collect();
    if moved.is_whole() && kept.iter().all(|(_, kept)| kept.is_broken()) {
        let instead = kept.first().map_or_else(String::new, |(shape, kept)| {
            format!("; with the {} in another order instead, {}", shape.words(), jumps(*kept))
        });
        return Some(Transposed::Keys(format!("Moved so, {}{instead}.", jumps(moved))));
    }
    let (shape, kept) = kept.into_iter().find(|(_, kept)| kept.is_whole() && moved.is_broken())?;
    let (here, there) = (jumps(kept), jumps(moved));
    let diagnosis =
        shape.told(case).because("With that shape, all stored chunks are in the grid.").because(
            format!("Read that way, {here}; with the keys in another order instead, {there}."),
        );
    Some(Transposed::Shape(Box::new(diagnosis)))
}

fn jumps(found: Continuity) -> String {
    format!("values jump at {} of {} borders between chunks", found.broken, found.of)
}

/// The keys are counted from another number than 0.
fn shifted(case: &Case, keys: &[Vec<u64>], orphans: &[Vec<u64>]) -> Option<Diagnosis> {
    let counts = &case.layout.counts;
    let all = || keys.iter().chain(orphans);
    let least: Vec<u64> = (0..counts.len())
        .map(|axis| all().filter_map(|key| key.get(axis).copied()).min().unwrap_or(0))
        .collect();
    let back =
        |key: &[u64]| -> Vec<u64> { key.iter().zip(&least).map(|(n, from)| n - from).collect() };
    let total = product(counts)?;
    let is_all = all().count() as u64 == total && all().all(|key| case.layout.has(&back(key)));
    if !is_all || least.iter().all(|from| *from == 0) {
        return None;
    }
    let from = match least.iter().max() {
        Some(1) => "1".to_owned(),
        _ => list(&least),
    };
    let moved = moved(case, keys, orphans, |key| back(key));
    let text = format!("The chunk keys are counted from {from}, not from 0.");
    let evidence =
        format!("Counted that way, the {total} stored chunks are exactly those of the grid.");
    Some(told(case, text, evidence, &moved))
}

/// The number of chunks along each axis that it takes for all `keys` to be in the grid.
fn extents<'k, I: Iterator<Item = &'k Vec<u64>>>(axes: usize, keys: impl Fn() -> I) -> Vec<u64> {
    let last = |axis| keys().filter_map(|key| key.get(axis).copied()).max();
    (0..axes).map(|axis| last(axis).map_or(1, |last| last.saturating_add(1))).collect()
}

/// All keys fit a larger array, which they fill.
fn larger(case: &Case, keys: &[Vec<u64>], orphans: &[Vec<u64>]) -> Option<Diagnosis> {
    if case.symptoms.failures > 0 {
        return None;
    }
    let counts = &case.layout.counts;
    let all = || keys.iter().chain(orphans);
    let extents = extents(counts.len(), all);
    let total = product(&extents)?;
    let is_filled = all().count() as u64 == total;
    let grown = extents.iter().zip(counts).all(|(new, old)| new >= old);
    let chunk = case.array.chunk_shape()?;
    let lengths = extents.iter().zip(&chunk).map(|(n, len)| n.checked_mul(*len));
    let shape = lengths.collect::<Option<Vec<u64>>>()?;
    if !is_filled || !grown {
        return None;
    }
    let what_if = WhatIf::lengths(SettingMember::Shape, &shape);
    let text = format!(
        "The shape in the metadata is smaller than the stored chunks: they fill a grid of {}.",
        list(&extents)
    );
    let diagnosis = Diagnosis::new("shape/larger", text)
        .because(format!(
            "{} of {total} stored chunks lie outside the grid; a grid of {} would have no gaps.",
            orphans.len(),
            list(&extents)
        ))
        .because(
            "Either the array was made smaller and these are left over, or its shape was set back; how far the last \
             chunks are filled is not known.",
        )
        .explaining(&[Code::ChunkOutside])
        .to_do("find out which it is: the what-if reads the chunks outside the grid as well");
    // Of two explanations, one may be tried, but no edit is proposed.
    Some(what_if.mending(case.array, diagnosis).unmended())
}

/// Files whose names are those of chunks but for a part that all of them have in common.
fn renamed(case: &Case) -> Option<Diagnosis> {
    let files = case.symptoms.strangers()?;
    let rank = case.layout.counts.len();
    let names: Vec<(String, Vec<u64>)> = files
        .iter()
        .flat_map(|file| below(case, file))
        .filter_map(|name| Some((name.clone(), last_numbers(&name, rank)?)))
        .collect();
    let distinct: HashSet<&Vec<u64>> = names.iter().map(|(_, at)| at).collect();
    let all_inside = names.iter().all(|(_, at)| case.layout.has(at));
    if names.is_empty() || distinct.len() != names.len() || !all_inside {
        return None;
    }
    let inside_array = |key: &str| case.path.relative(key).to_owned();
    if names.iter().any(|(key, at)| *key == case.layout.key(at)) {
        return None;
    }
    // Keys of another encoding are told by those who know encodings.
    let encodings = ['.', '/']
        .into_iter()
        .flat_map(|separator| [KeyEncoding::V2 { separator }, KeyEncoding::Default { separator }]);
    let is_encoding = |keys: &KeyEncoding| {
        names.iter().all(|(key, at)| keys.parse(&inside_array(key), rank).as_ref() == Some(at))
    };
    if encodings.into_iter().any(|keys| is_encoding(&keys)) {
        return None;
    }
    let (example, at) = names.first()?;
    let text = format!(
        "The chunks are under keys such as {}, not {} as the metadata declares.",
        inside_array(example),
        case.layout.encoding.key(at)
    );
    let evidence = format!(
        "{} {} no chunk keys, and their numbers are exactly those of chunks of the grid.",
        counted(names.len(), "file"),
        if names.len() == 1 { "has" } else { "have" }
    );
    Some(told(case, text, evidence, &names))
}

/// The last `rank` numbers in a name, zeros before them left out.
fn last_numbers(name: &str, rank: usize) -> Option<Vec<u64>> {
    let parts = name.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
    let numbers: Vec<u64> = parts.map(str::parse).collect::<Result<_, _>>().ok()?;
    let from = numbers.len().checked_sub(rank)?;
    numbers.get(from..).map(<[u64]>::to_vec).filter(|_| rank > 0)
}

fn moved(
    case: &Case,
    keys: &[Vec<u64>],
    orphans: &[Vec<u64>],
    to: impl Fn(&[u64]) -> Vec<u64>,
) -> Moved {
    let mut all: Vec<&Vec<u64>> = keys.iter().chain(orphans).collect();
    all.sort();
    all.into_iter().map(|key| (case.layout.key(key), to(key))).collect()
}

pub(super) fn told(case: &Case, text: String, evidence: String, moved: &Moved) -> Diagnosis {
    let codes = [Code::ChunkOutside, Code::ForeignFile, Code::WrongChunkKeys, Code::ChunksMissing];
    let diagnosis =
        Diagnosis::new("chunk-keys/renamed", text).because(evidence).explaining(&codes).certain();
    mended_by_renames(diagnosis, &to_keys(case, moved))
}

/// The key of the chunk that each file is, beside its own.
pub(super) fn to_keys(case: &Case, moved: &[(String, Vec<u64>)]) -> Vec<(String, String)> {
    moved.iter().map(|(from, at)| (from.clone(), case.layout.key(at))).collect()
}

/// The cause of all chunks lying under keys of another encoding, which the metadata can declare.
pub fn under_other_keys(
    array: &ArrayMetadata,
    layout: &Layout,
    actual: &KeyEncoding,
    count: u64,
) -> Diagnosis {
    let zeros = vec![0; layout.counts.len()];
    let (declared, found) = (layout.encoding.key(&zeros), actual.key(&zeros));
    let text = format!(
        "The chunks are under keys such as {found}, not {declared} as the metadata declares."
    );
    let word = match (array.format, actual) {
        (Format::V2, keys) => keys.separator().to_string(),
        (_, KeyEncoding::V2 { separator: '.' }) => "v2".to_owned(),
        (_, KeyEncoding::V2 { .. }) => "v2/".to_owned(),
        (_, keys) if keys.separator() == '.' => "default.".to_owned(),
        _ => "default".to_owned(),
    };
    let diagnosis = Diagnosis::new("chunk-keys/other-encoding", text)
        .because(format!(
            "{} under keys of that kind, none under those declared.",
            counted(count, "chunk")
        ))
        .explaining(&[
            Code::WrongChunkKeys,
            Code::ForeignFile,
            Code::ChunkOutside,
            Code::ChunksMissing,
        ])
        .certain();
    let can_say = array.format == Format::V3 || matches!(actual, KeyEncoding::V2 { .. });
    if can_say {
        WhatIf::of(SettingMember::Keys, word).mending(array, diagnosis)
    } else {
        diagnosis
    }
}
