//! The differences between two arrays: in their documents, and in their values.
//!
//! Values are compared element by element in their [canonical](super::canonical) form, so that format, chunks, shards,
//! codecs and byte order make no difference. Arrays of two numeric data types are compared as numbers.

use super::prelude::*;
use super::{
    array::{self, Slab, Slabs},
    canonical::{Canonical, Rendered},
    chunk,
    grid::order,
};

mod documents;

pub use documents::{DocumentRow, Documents, documents, of_nodes};

/// The number of differing elements that are told.
const TOLD: usize = 10;

/// The rule by which two elements are the same.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Tolerance {
    /// The distance that two numbers may have.
    pub absolute: f64,
    /// The further distance, as a part of the first number.
    pub relative: f64,
    /// True if NaN are the same only with the same bits; else all of them are.
    pub by_bits: bool,
}

/// An element that differs.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// The coordinates in the array.
    pub index: Vec<u64>,
    /// Its value in the first array.
    pub a: Scalar,
    /// Its value in the second one.
    pub b: Scalar,
}

impl Difference {
    /// The second number less the first, where both are finite; of complex numbers how far they are apart.
    pub fn apart(&self) -> Option<f64> {
        apart(&self.a, &self.b)
    }
}

/// `b - a`, for integers before it is rounded; the distance of complex numbers. `None` where it is not finite.
fn apart(a: &Scalar, b: &Scalar) -> Option<f64> {
    let apart = match (a, b) {
        (Scalar::Complex(real, imaginary), Scalar::Complex(other_real, other_imaginary)) => {
            let real = other_real.to_f64() - real.to_f64();
            real.hypot(other_imaginary.to_f64() - imaginary.to_f64())
        }
        (Scalar::Complex(..), _) | (_, Scalar::Complex(..)) => return None,
        _ => match (a.to_integer(), b.to_integer()) {
            (Some(a), Some(b)) => b.checked_sub(a)? as f64,
            _ => b.to_f64()? - a.to_f64()?,
        },
    };
    apart.is_finite().then_some(apart)
}

/// The result of comparing elements.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Compared {
    /// The number of elements that were compared.
    pub elements: u64,
    /// Those of them that differ.
    pub different: u64,
    /// Elements that could not be compared, because a chunk cannot be read, or is missing and has no fill value: of the
    /// first array, of the second.
    pub unknown: [u64; 2],
    /// The number of elements that could not be compared, because at least one of the two is unknown.
    pub uncompared: u64,
    /// The first ones that differ, in C order.
    pub first: Vec<Difference>,
    /// The one whose numbers are furthest apart.
    pub largest: Option<Difference>,
    /// The number of elements that differ in each chunk of the first array that has some, by its coordinates.
    pub chunks: BTreeMap<Vec<u64>, u64>,
}

impl Compared {
    /// The result of both, `other` being of elements after these.
    pub fn merge(mut self, other: Self) -> Self {
        self.elements += other.elements;
        self.different += other.different;
        self.uncompared += other.uncompared;
        self.unknown = [0, 1].map(|side: usize| {
            let of = |all: &[u64; 2]| all.get(side).copied().unwrap_or(0);
            of(&self.unknown) + of(&other.unknown)
        });
        self.first.extend(other.first);
        self.first.truncate(TOLD);
        if let Some(largest) = other.largest {
            self.consider(largest);
        }
        for (chunk, count) in other.chunks {
            *self.chunks.entry(chunk).or_default() += count;
        }
        self
    }

    /// True if nothing differs, and all of it could be compared.
    pub fn is_equal(&self) -> bool {
        self.different == 0 && self.uncompared == 0
    }

    fn consider(&mut self, difference: Difference) {
        let apart = |difference: &Difference| difference.apart().map(f64::abs);
        let most = self.largest.as_ref().and_then(apart);
        if apart(&difference).is_some_and(|apart| most.is_none_or(|most| apart > most)) {
            self.largest = Some(difference);
        }
    }
}

/// The paths of a node and of all below it, as seen from there; not all where `budget` is stopped.
pub fn paths(hierarchy: &Hierarchy, root: &NodePath, budget: &Budget) -> BTreeSet<String> {
    let mut paths = BTreeSet::new();
    hierarchy.walk(root, &mut |node, _| {
        paths.insert(root.relative(&node.path.0).to_owned());
        !budget.is_stopped()
    });
    paths
}

/// The reason why values are not compared, in a few words: by the rules of comparing, or as an error of reading.
pub fn why_not(error: &Error) -> String {
    if error.code != Code::NotComparable {
        return error.to_string();
    }
    format!("not compared: {}; that needs {}", error.found, error.expected)
}

/// The elements that are compared of each of two arrays: all of them, or the chunks that are named; where only one is,
/// that and the same elements of the other array.
///
/// # Errors
///
/// If there is no such chunk, or one chunk of two arrays of different shapes is named.
pub fn parts(arrays: [&ArrayReader; 2], chunks: [Option<&ChunkId>; 2]) -> Result<[Region; 2]> {
    let [a, b] = arrays;
    let of = |reader: &ArrayReader, id: &ChunkId| chunk::region(reader.array(), id);
    let both = |only: Region| [only.clone(), only];
    match chunks {
        [None, None] => Ok(arrays.map(ArrayReader::whole)),
        [Some(of_a), Some(of_b)] => Ok([of(a, of_a)?, of(b, of_b)?]),
        _ if a.shape() != b.shape() => {
            let [of_a, of_b] = arrays.map(|array| times(array.shape()));
            let found = format!("a chunk of an array of {of_a}, and an array of {of_b}");
            let expected = "arrays of one shape, or a chunk of each";
            Err(Error::new(Code::NotComparable, found, expected))
        }
        [Some(only), None] => of(a, only).map(both),
        [None, Some(only)] => of(b, only).map(both),
    }
}

/// One of the two arrays.
#[derive(Debug)]
struct Side<'a> {
    reader: &'a ArrayReader<'a>,
    canonical: Canonical<'a>,
    data_type: &'a dyn DataType,
}

impl<'a> Side<'a> {
    fn new(reader: &'a ArrayReader<'a>) -> Self {
        let (data_type, order) = (reader.resolved().data_type.as_ref(), &reader.resolved().order);
        Self { reader, canonical: Canonical::new(data_type, order, reader.fill()), data_type }
    }

    /// The data type as a document says it, without byte order.
    fn spelled(&self) -> String {
        self.data_type.to_v3().map_or_else(|_| self.data_type.name(), |json| json.to_line())
    }

    fn scalar(&self, canonical: &[u8]) -> Option<Scalar> {
        let bytes = if self.canonical.size().is_some() { canonical } else { canonical.get(8..)? };
        self.data_type.decode(bytes, &ByteOrder::All(Endian::Little)).ok()
    }
}

/// Compares the values of two arrays.
#[derive(Debug)]
pub struct Comparer<'a> {
    sides: [Side<'a>; 2],
    tolerance: Tolerance,
    /// The start of the compared region in each array.
    starts: [Vec<u64>; 2],
    /// True if the elements of both have the same data type, so that equal bytes are equal values.
    same_type: bool,
}

impl<'a> Comparer<'a> {
    /// For a part of each of two arrays, such as a chunk. The coordinates of what differs are those of the first.
    ///
    /// # Errors
    ///
    /// If the parts have different shapes, or the arrays data types whose values cannot be compared.
    pub fn of_parts(
        [a, b]: [&'a ArrayReader<'a>; 2],
        parts: [&Region; 2],
        tolerance: Tolerance,
    ) -> Result<Self> {
        let [of_a, of_b] = parts.map(|part| -> Vec<u64> {
            part.iter().map(|range| range.end.saturating_sub(range.start)).collect()
        });
        if of_a != of_b {
            let are_whole = [a, b].map(ArrayReader::whole).iter().eq(parts);
            let (found, expected) =
                (format!("{} and {} elements", times(&of_a), times(&of_b)), "the same shape");
            let error = Error::new(Code::NotComparable, found, expected);
            let fix = "Chunks at the array's edge count without their padding.";
            return Err(if are_whole { error } else { error.with_fix(fix) });
        }
        let sides = [a, b].map(Side::new);
        let [first, second] = &sides;
        let same_type = first.spelled() == second.spelled();
        let are_numbers = sides.iter().all(|side| is_number(&side.data_type.default_scalar()));
        if !same_type && !are_numbers {
            let found = format!("{} and {}", first.data_type.name(), second.data_type.name());
            let expected = "arrays of one data type, or of numbers";
            return Err(Error::new(Code::NotComparable, found, expected));
        }
        let starts = parts.map(|part| starts(part));
        Ok(Self { sides, tolerance, starts, same_type })
    }

    /// The regions to compare one after the other, in C order: each of as many whole chunks as `memory` bytes hold, of
    /// the array that has the larger chunks, so that none of those is decoded twice.
    pub fn slabs(&self, region: &[Range<u64>], memory: u64) -> Slabs<'a, 'a> {
        let size = |side: &Side| side.reader.item_size();
        let largest = self.sides.iter().map(size).max().unwrap_or(1).max(1);
        let slabs = |side: &Side<'a>| side.reader.slabs(region, memory / largest * size(side));
        let first = |side: &Side<'a>| slabs(side).next().and_then(|first| array::len(&first));
        let [a, b] = &self.sides;
        // The chunks of B say nothing where another part of it is compared.
        let is_there = self.starts[0] == self.starts[1];
        slabs(if is_there && first(b) > first(a) { b } else { a })
    }

    /// The elements of B that those of `region` of A are compared with.
    pub fn in_b(&self, region: &[Range<u64>]) -> Region {
        let [a, b] = &self.starts;
        let moved = |(range, (a, b)): (&Range<u64>, (&u64, &u64))| {
            range.start.saturating_sub(*a) + b..range.end.saturating_sub(*a) + b
        };
        region.iter().zip(a.iter().zip(b)).map(moved).collect()
    }

    /// Compares the elements `wanted`, counted in C order, of the slabs that both arrays have of `region`. `rendered`
    /// is memory to be used again.
    pub fn compare(
        &self,
        region: &[Range<u64>],
        slabs: [&Slab; 2],
        wanted: Range<u64>,
        rendered: &mut [Rendered; 2],
    ) -> Compared {
        if self.is_same_fill(slabs, &wanted) {
            return Compared { elements: wanted.end - wanted.start, ..Compared::default() };
        }
        for ((side, slab), rendered) in self.sides.iter().zip(slabs).zip(rendered.iter_mut()) {
            rendered.clear();
            side.canonical.render(slab, wanted.clone(), rendered);
        }
        let [a, b] = rendered;
        let count = wanted.end - wanted.start;
        let known = a.unknown.is_empty() && b.unknown.is_empty();
        let mut compared = Compared { elements: count, ..Compared::default() };
        if self.same_type && known && a.bytes == b.bytes {
            return compared;
        }
        compared.unknown =
            [&*a, &*b].map(|side| side.unknown.iter().map(|r| r.end - r.start).sum());
        compared.elements = 0;
        let mut chunk = LastChunk::default();
        for at in 0..count {
            let is_unknown = |side: &Rendered| {
                let next = side.unknown.partition_point(|range| range.end <= at);
                side.unknown.get(next).is_some_and(|range| range.contains(&at))
            };
            if !known && (is_unknown(a) || is_unknown(b)) {
                continue;
            }
            compared.elements += 1;
            if let Some((a, b)) = self.differ([&*a, &*b], at) {
                let index = index(region, wanted.start + at);
                compared.different += 1;
                *compared.chunks.entry(chunk.of(&self.sides[0], &index)).or_default() += 1;
                let difference = Difference { index, a, b };
                if compared.first.len() < TOLD {
                    compared.first.push(difference.clone());
                }
                compared.consider(difference);
            }
        }
        compared.uncompared = count - compared.elements;
        compared
    }

    /// True if the elements `wanted` are stored in neither array, and the fill value is the same: it is not rendered.
    fn is_same_fill(&self, slabs: [&Slab; 2], wanted: &Range<u64>) -> bool {
        let [a, b] = &self.sides;
        let fills = (a.canonical.fill(), b.canonical.fill());
        self.same_type
            && matches!(fills, (Some(a), Some(b)) if a == b)
            && slabs.iter().all(|slab| slab.is_missing(wanted.clone()))
    }

    /// The two values of element `at`, if they differ.
    fn differ(&self, rendered: [&Rendered; 2], at: u64) -> Option<(Scalar, Scalar)> {
        let at = usize::try_from(at).ok()?;
        let [first, second] = &self.sides;
        let [a, b] = rendered;
        let a = a.element(at, first.canonical.size());
        let b = b.element(at, second.canonical.size());
        if self.same_type && a == b {
            return None;
        }
        // Bytes that are no value are shown as bytes.
        let value = |side: &Side, bytes: &[u8]| {
            side.scalar(bytes).unwrap_or_else(|| Scalar::Bytes(bytes.into()))
        };
        let (a, b) = (value(first, a), value(second, b));
        (!self.tolerance.holds(&a, &b, self.same_type)).then_some((a, b))
    }
}

impl Tolerance {
    /// True if two values are the same, as far as is asked for.
    fn holds(&self, a: &Scalar, b: &Scalar, same_type: bool) -> bool {
        if a == b || !self.by_bits && same_but_nan(a, b) {
            return true;
        }
        let (Some(x), Some(y)) = (a.to_f64(), b.to_f64()) else { return false };
        if !same_type {
            let whole = (a.to_integer(), b.to_integer());
            let same = match whole {
                (Some(a), Some(b)) => a == b,
                (Some(whole), None) => is_whole(y, whole),
                (None, Some(whole)) => is_whole(x, whole),
                (None, None) => x.to_bits() == y.to_bits(),
            };
            if same {
                return true;
            }
        }
        let size = match a {
            Scalar::Complex(_, imaginary) => x.hypot(imaginary.to_f64()),
            _ => x.abs(),
        };
        let room = self.absolute + self.relative * size;
        let has_size = is_number(a) || matches!(a, Scalar::Complex(..));
        let is_asked = self.absolute > 0.0 || self.relative > 0.0;
        is_asked && has_size && apart(a, b).is_some_and(|apart| apart.abs() <= room)
    }
}

/// True if `number` is exactly `whole`.
#[expect(clippy::cast_possible_truncation, reason = "a number past the range is not the same")]
#[expect(clippy::float_cmp, reason = "exactly is meant")]
fn is_whole(number: f64, whole: i128) -> bool {
    number as i128 == whole && whole as f64 == number
}

/// True if two values are the same where all NaN are.
fn same_but_nan(a: &Scalar, b: &Scalar) -> bool {
    match (a, b) {
        (Scalar::Float(a), Scalar::Float(b)) => a == b || a.is_nan() && b.is_nan(),
        (Scalar::Complex(a, i), Scalar::Complex(b, j)) => {
            [(a, b), (i, j)].iter().all(|(a, b)| a == b || a.is_nan() && b.is_nan())
        }
        (Scalar::Struct(a), Scalar::Struct(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| same_but_nan(&a.1, &b.1))
        }
        (Scalar::List(a), Scalar::List(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| same_but_nan(a, b))
        }
        _ => a == b,
    }
}

fn is_number(scalar: &Scalar) -> bool {
    matches!(scalar, Scalar::Bool(_) | Scalar::Int(_) | Scalar::Uint(_) | Scalar::Float(_))
}

/// The coordinates in the array of element `at` of `region`, counted in C order.
fn index(region: &[Range<u64>], at: u64) -> Vec<u64> {
    let lengths = lengths(region);
    let within = order::coordinates(at.into(), &lengths);
    within.iter().zip(region).map(|(at, range)| at + range.start).collect()
}

/// The chunk of the element that was looked at last, and which others it has along the last dimension.
#[derive(Default)]
struct LastChunk {
    coordinates: Vec<u64>,
    row: Vec<u64>,
    range: Range<u64>,
}

impl LastChunk {
    /// The coordinates of the chunk of the first array that holds `index`.
    fn of(&mut self, side: &Side, index: &[u64]) -> Vec<u64> {
        let Some((&last, row)) = index.split_last() else { return Vec::new() };
        if self.row != row || !self.range.contains(&last) {
            let grid = side.reader.grid();
            self.coordinates = index
                .iter()
                .enumerate()
                .map(|(axis, &at)| grid.chunk_at(axis, at).map_or(0, |(at, _)| at))
                .collect();
            let at = self.coordinates.last().copied().unwrap_or(0);
            self.range = grid.span(row.len(), at).unwrap_or(last..last);
            self.row = row.to_vec();
        }
        self.coordinates.clone()
    }
}
