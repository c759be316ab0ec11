//! Arrays that are related by what they hold: numbers that name elements of another one, counts of what another one has,
//! times of one recording, levels of one image. Each rule asks by the names of a format first, which costs nothing elsewhere.

use super::{prelude::*, region};
use crate::zarr::grid::lengths;

mod annotations;
mod channels;
mod counts;
mod frames;
mod graph;
mod levels;
mod pairs;
mod records;
mod references;
mod regions;
mod rows;
mod spikes;
mod tables;

/// The most elements of an array that is read for what another one says of it.
const MOST: u64 = 1 << 20;

/// The finding on an array by another one that it is related to.
pub fn check(
    hierarchy: &Hierarchy,
    path: &NodePath,
    array: &ArrayMetadata,
    budget: &Budget,
) -> Option<Problem> {
    let related = Related { hierarchy, path, array, budget, most: MOST };
    references::check(&related, false)
        .or_else(|| graph::check(&related))
        .or_else(|| spikes::check(&related))
        .or_else(|| frames::check(&related))
        .or_else(|| regions::check(&related))
        .or_else(|| tables::check(&related))
        .or_else(|| annotations::check(&related))
        .or_else(|| rows::check(&related))
        .or_else(|| levels::check(&related))
        .or_else(|| records::check(&related))
        .or_else(|| pairs::check(&related))
        .or_else(|| counts::check(&related))
}

/// The finding on an array of AnnData whose elements stand for what is not there; `most`: the longest that is read.
pub(super) fn of_anndata(
    hierarchy: &Hierarchy,
    path: &NodePath,
    array: &ArrayMetadata,
    most: u64,
    budget: &Budget,
) -> Option<Problem> {
    references::check(&Related { hierarchy, path, array, budget, most }, true)
}

/// The finding on a level of an image by what the image says of its channels.
pub fn image_channels(
    hierarchy: &Hierarchy,
    path: &NodePath,
    array: &ArrayMetadata,
    budget: &Budget,
) -> Option<Problem> {
    channels::check(&Related { hierarchy, path, array, budget, most: MOST })
}

/// An array, and the store around it.
struct Related<'a> {
    hierarchy: &'a Hierarchy,
    path: &'a NodePath,
    array: &'a ArrayMetadata,
    budget: &'a Budget<'a>,
    /// The most elements that are read.
    most: u64,
}

impl Related<'_> {
    /// The path of the array of this name beside it.
    fn beside(&self, name: &str) -> Option<NodePath> {
        Some(self.path.parent()?.child(name))
    }

    /// The numbers of the array at a path, with its shape; `None` where they are too many, or cannot be read.
    fn numbers(&self, path: &NodePath) -> Option<(Vec<f64>, Vec<u64>)> {
        let node = self.hierarchy.node(path);
        self.numbers_of(path, node.kind.array()?)
    }

    fn numbers_of(&self, path: &NodePath, array: &ArrayMetadata) -> Option<(Vec<f64>, Vec<u64>)> {
        let shape = array.known_shape()?.clone();
        order::product(&shape).filter(|count| (1..=self.most).contains(count))?;
        let reader = ArrayReader::new(&*self.hierarchy.store, path, array).ok()?;
        Some((RegionValues::of(&reader, reader.whole(), self.budget)?.values, shape))
    }

    /// What the numbers of an array stand for, with NaN for what is missing; those of its first page alone, along the last two
    /// dimensions, where `is_page`.
    fn data(
        &self,
        path: &NodePath,
        array: &ArrayMetadata,
        is_page: bool,
    ) -> Option<(Vec<f64>, Vec<u64>)> {
        let reader = ArrayReader::new(&*self.hierarchy.store, path, array).ok()?;
        let mut region = reader.whole();
        let leading = region.len().saturating_sub(2);
        for side in region.iter_mut().take(leading).filter(|_| is_page) {
            *side = 0..1;
        }
        let shape = lengths(&region);
        order::product(&shape).filter(|count| (1..=MOST).contains(count))?;
        let packing = Packing::of(array);
        let values = RegionValues::of(&reader, region, self.budget)?.values.into_iter();
        let values = values
            .map(|value| if packing.is_mark(value) { f64::NAN } else { packing.unpack(value) });
        Some((values.collect(), shape))
    }

    /// The texts of the array at a path; `None` where they are too many, or cannot be read.
    fn texts(&self, path: &NodePath) -> Option<Vec<String>> {
        let node = self.hierarchy.node(path);
        let array = node.kind.array()?;
        order::product(array.known_shape()?).filter(|count| *count <= MOST)?;
        let reader = ArrayReader::new(&*self.hierarchy.store, path, array).ok()?;
        region::texts(&reader, self.budget)
    }

    /// The numbers of this array.
    fn own(&self) -> Option<(Vec<f64>, Vec<u64>)> {
        self.numbers_of(self.path, self.array)
    }

    /// True if its elements are integers.
    fn is_integer(&self) -> bool {
        is_integer(self.array)
    }

    /// True if an array has the shape of this one, along the same dimensions.
    fn is_alike(&self, array: &ArrayMetadata) -> bool {
        array.known_shape() == self.array.known_shape()
            && array.dimension_names == self.array.dimension_names
    }

    /// The text of an attribute of a group.
    fn text(&self, path: &NodePath, key: &str) -> Option<String> {
        let node = self.hierarchy.node(path);
        Some(Attributes::of(&node.kind)?.get_str(key)?.to_owned())
    }

    /// The shape of the array at a path.
    fn shape(&self, path: &NodePath) -> Option<Vec<u64>> {
        self.hierarchy.node(path).kind.array()?.known_shape().cloned()
    }

    /// The warning, at the document of this array.
    fn warning(&self, sentence: String, expected: &str, fix: impl Into<String>) -> Option<Problem> {
        let file = self.array.documents.first()?.key.clone();
        let error = Error::new(Code::RelatedValues, sentence.clone(), expected).saying(sentence);
        Some(with_fix(Problem::new(error.in_file(file)), fix))
    }
}

fn is_integer(array: &ArrayMetadata) -> bool {
    let default = array.data_type().map(|data_type| data_type.default_scalar());
    matches!(default, Some(Scalar::Int(_) | Scalar::Uint(_)))
}

/// A number as an index.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "others are refused")]
fn index(number: f64) -> Option<usize> {
    (0.0..9e15).contains(&number).then_some(number as usize)
}

/// The same numbers as bits in ascending order: two lists that have them in another order are the same then.
fn sorted(values: &[f64]) -> Vec<f64> {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    values
}

/// True if two lists hold the same numbers, most of them at another place, and enough different ones for that to be no accident.
fn is_reordered(one: &[f64], other: &[f64]) -> bool {
    const FEWEST: usize = 12;
    const DIFFERENT: usize = 8;
    let is_same = |(a, b): (&f64, &f64)| a.total_cmp(b).is_eq();
    if one.len() != other.len() || one.len() < FEWEST {
        return false;
    }
    let (a, b) = (sorted(one), sorted(other));
    let mut different = a.clone();
    different.dedup_by(|a, b| is_same((a, b)));
    let in_place = one.iter().zip(other).filter(|pair| is_same(*pair)).count();
    different.len() >= DIFFERENT && in_place * 2 < one.len() && a.iter().zip(&b).all(is_same)
}
