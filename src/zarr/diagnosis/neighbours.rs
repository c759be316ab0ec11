//! Chunks that are those of another array of the same group.

use super::{files::explained, prelude::*};

/// The number of arrays that are asked.
const ARRAYS: usize = 32;
/// The number of chunks of each that are.
const CHUNKS: u128 = 64;

/// Takes the samples out that are chunks of another array.
pub(super) fn diagnose(case: &Case, samples: &mut Vec<Sample>) -> Vec<Diagnosis> {
    found(case, samples, |sample, siblings| {
        same_bytes(case, sample, (siblings, true)).or_else(|| same_kind(case, sample, siblings))
    })
}

/// The cause of samples that are byte for byte the chunks at their places in another array, if none of the `others` is any
/// chunk of it: arrays that have chunks in common hold the same values there, as one that was shifted by a chunk does.
pub(super) fn same(case: &Case, mut samples: Vec<Sample>, others: &[Sample]) -> Vec<Diagnosis> {
    /// So many of the others are asked.
    const ASKED: usize = 16;
    /// One of so many at most: an accident does not happen to more.
    const RARE: usize = 4;
    let all = samples.len() + others.len();
    let found =
        found(case, &mut samples, |sample, siblings| same_bytes(case, sample, (siblings, false)));
    let siblings = if found.is_empty() { Vec::new() } else { siblings(case) };
    let are_many = found.len() > 1 && found.len() * RARE > all;
    let are_shared = are_many
        || others
            .iter()
            .take(ASKED)
            .any(|other| same_bytes(case, other, (&siblings, true)).is_some());
    if are_shared { Vec::new() } else { found }
}

type Siblings = [(NodePath, Arc<ArrayMetadata>)];

fn found(
    case: &Case,
    samples: &mut Vec<Sample>,
    test: impl Fn(&Sample, &Siblings) -> Option<Diagnosis>,
) -> Vec<Diagnosis> {
    let siblings = if samples.is_empty() { Vec::new() } else { siblings(case) };
    explained(samples, |sample| Some(test(sample, &siblings)?.explaining(&case.symptoms.codes())))
}

/// The other arrays of the group.
fn siblings(case: &Case) -> Vec<(NodePath, Arc<ArrayMetadata>)> {
    let Some((parent, _)) =
        case.path.0.rsplit_once('/').or(Some(("", ""))).filter(|_| !case.path.0.is_empty())
    else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let listed = case.hierarchy.visit_children(&NodePath(parent.to_owned()), &mut |node| {
        if let NodeKind::Array(array) = &node.kind
            && node.path != *case.path
        {
            found.push((node.path.clone(), Arc::clone(array)));
        }
        found.len() < ARRAYS
    });
    // A group that cannot be listed is told where it is listed.
    listed.map(|()| found).unwrap_or_default()
}

/// The chunks of another array that one `at` a place may be: that of the same place, and the first ones of the grid.
fn places(at: &[u64], counts: &[u64]) -> impl Iterator<Item = Vec<u64>> {
    let is_place = at.len() == counts.len() && order::is_inside(at, counts);
    let total = order::total(counts).unwrap_or(0).min(CHUNKS);
    let others = (0..total).map(|number| order::coordinates(number, counts));
    is_place.then(|| at.to_vec()).into_iter().chain(others)
}

/// The cause, if the bytes are those of a chunk of another array: at the same place, or at any.
fn same_bytes(
    case: &Case,
    sample: &Sample,
    (siblings, is_any): (&Siblings, bool),
) -> Option<Diagnosis> {
    let len = sample.bytes.len() as u64;
    let is_plain = sample.bytes.iter().all(|byte| Some(byte) == sample.bytes.first());
    let (NodePath(path), key) =
        siblings.iter().filter(|_| !is_plain).find_map(|(path, array)| {
            let layout = Layout::new(path, array).ok()?;
            let store = &case.hierarchy.store;
            let is_same = |key: &String| {
                let is_long = store.stat(key).ok()??.len == len && case.spend(len);
                (is_long && store.read(key, len).ok()?? == sample.bytes).then_some(())
            };
            let places =
                places(&sample.at, &layout.counts).take(if is_any { usize::MAX } else { 1 });
            let mut keys = places.map(|at| layout.key(&at));
            keys.find(|key| is_same(key).is_some()).map(|key| (path, key))
        })?;
    let text = format!("The chunk is one of another array: byte for byte {key} of {path}.");
    Some(
        Diagnosis::new("other-array/identical", text)
            .because(format!("All {len} bytes are identical."))
            .to_do(again(&sample.key))
            .certain(),
    )
}

/// The cause, if the chunk can be decoded as one of another array, and of one only.
fn same_kind(case: &Case, sample: &Sample, siblings: &Siblings) -> Option<Diagnosis> {
    // What only a checksum speaks against, and arrays that differ in nothing that can be seen, say nothing.
    let is_damaged = sample.failed_by(Code::ChecksumMismatch);
    let name = |array: &ArrayMetadata| array.data_type().map(|data_type| data_type.name());
    let differs = |array: &ArrayMetadata| {
        name(array) != name(case.array) || array.chunk_shape() != case.array.chunk_shape()
    };
    let mut fitting = siblings.iter().filter(|(_, array)| {
        if is_damaged || !differs(array) {
            return false;
        }
        let first = vec![0; array.shape.as_ref().map_or(0, Vec::len)];
        let elements = case.decode(array, &first, sample.bytes.clone(), &case.budget());
        elements.is_some_and(|elements| {
            let measure = measure(&[elements], &case.budget());
            measure.is_some_and(|it| it.is_smooth())
        })
    });
    let (NodePath(path), _) = fitting.next()?;
    if fitting.next().is_some() {
        return None;
    }
    let text =
        format!("The chunk is most likely one of another array, {path}: it can be decoded as one.");
    Some(Diagnosis::new("other-array/decodes", text).because(
        "Its length matches that array, and so do its values when they are decoded that way.",
    ))
}
