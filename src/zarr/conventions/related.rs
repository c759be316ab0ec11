//! An array whose values are looked at, and the store around it: what checks of values ask for.

use super::{prelude::*, region};
use crate::zarr::grid::lengths;
use std::cell::OnceCell;

/// The most elements of an array that are read, and the same where more work was asked for.
pub(super) const MOST: u64 = 1 << 20;
const MOST_DEEP: u64 = 1 << 26;

/// An array whose values are looked at, and the store around it.
pub struct Related<'a> {
    pub(super) hierarchy: &'a Hierarchy,
    pub(super) path: &'a NodePath,
    pub(super) array: &'a ArrayMetadata,
    pub(super) budget: &'a Budget<'a>,
    /// True if more work was asked for.
    pub(super) is_deep: bool,
    /// The elements of an array of one dimension, once they were read.
    scalars: OnceCell<Option<(Vec<Scalar>, bool)>>,
    /// The numbers of this array with its shape, once they were read.
    own: OnceCell<Option<(Vec<f64>, Vec<u64>)>>,
}

impl<'a> Related<'a> {
    /// The array at `path` in `hierarchy`; work is bounded by `budget`.
    #[must_use]
    pub fn new(
        hierarchy: &'a Hierarchy,
        path: &'a NodePath,
        array: &'a ArrayMetadata,
        (budget, is_deep): (&'a Budget<'a>, bool),
    ) -> Self {
        let (scalars, own) = (OnceCell::new(), OnceCell::new());
        Self { hierarchy, path, array, budget, is_deep, scalars, own }
    }
}

impl Related<'_> {
    /// The length, where there is one dimension.
    pub(super) fn length(&self) -> Option<u64> {
        if let [length] = self.array.known_shape()?.as_slice() { Some(*length) } else { None }
    }

    /// The elements of an array of one dimension, and whether the last chunk is missing; `None` where some cannot be read. What
    /// is too long is not asked for.
    pub(super) fn scalars(&self) -> Option<&(Vec<Scalar>, bool)> {
        let read = || region::scalars(&*self.hierarchy.store, self.path, self.array, self.budget);
        self.scalars.get_or_init(read).as_ref()
    }

    /// The length of the array at a path along an axis, where it is there.
    pub(super) fn length_of(&self, path: &NodePath, axis: usize) -> Option<u64> {
        let node = self.hierarchy.existing(path)?;
        node.kind.array()?.known_shape()?.get(axis).copied()
    }

    /// The path of the array of this name beside it.
    pub(super) fn beside(&self, name: &str) -> Option<NodePath> {
        Some(self.path.parent()?.child(name))
    }

    /// The numbers of the array at a path, with its shape; `None` where they are too many, or cannot be read.
    pub(super) fn numbers(&self, path: &NodePath) -> Option<(Vec<f64>, Vec<u64>)> {
        let node = self.hierarchy.node(path);
        self.numbers_of(path, node.kind.array()?)
    }

    pub(super) fn numbers_of(
        &self,
        path: &NodePath,
        array: &ArrayMetadata,
    ) -> Option<(Vec<f64>, Vec<u64>)> {
        self.some_numbers(path, array, MOST)
    }

    fn some_numbers(
        &self,
        path: &NodePath,
        array: &ArrayMetadata,
        most: u64,
    ) -> Option<(Vec<f64>, Vec<u64>)> {
        let shape = array.known_shape()?.clone();
        order::product(&shape).filter(|count| (1..=most).contains(count))?;
        let reader = ArrayReader::new(&*self.hierarchy.store, path, array).ok()?;
        Some((RegionValues::of(&reader, reader.whole(), self.budget)?.values, shape))
    }

    /// The numbers of the slice of this array along its last two dimensions, at these coordinates of the others.
    #[must_use]
    pub fn slice(&self, at: &[u64]) -> Option<Vec<f64>> {
        let reader = ArrayReader::new(&*self.hierarchy.store, self.path, self.array).ok()?;
        let mut region = reader.whole();
        for (side, at) in region.iter_mut().zip(at) {
            *side = *at..at + 1;
        }
        order::product(&lengths(&region)).filter(|count| *count <= MOST)?;
        Some(RegionValues::of(&reader, region, self.budget)?.values)
    }

    /// What the numbers of an array stand for, with NaN for what is missing; those of its first page alone, along the last two
    /// dimensions, where `is_page`.
    pub(super) fn data(
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
    pub(super) fn texts(&self, path: &NodePath) -> Option<Vec<String>> {
        let node = self.hierarchy.node(path);
        let array = node.kind.array()?;
        order::product(array.known_shape()?).filter(|count| *count <= MOST)?;
        let reader = ArrayReader::new(&*self.hierarchy.store, path, array).ok()?;
        region::texts(&reader, &reader.whole(), self.budget)
    }

    /// The numbers of this array, with its shape: read once for all rows that ask for them.
    pub(super) fn own(&self) -> Option<&(Vec<f64>, Vec<u64>)> {
        self.own.get_or_init(|| self.numbers_of(self.path, self.array)).as_ref()
    }

    /// The same of one that is longer, where more work was asked for.
    pub(super) fn own_deep(&self) -> Option<Vec<f64>> {
        let most = if self.is_deep { MOST_DEEP } else { MOST };
        Some(self.some_numbers(self.path, self.array, most)?.0)
    }

    /// True if its elements are integers.
    pub(super) fn is_integer(&self) -> bool {
        is_integer(self.array)
    }

    /// True if an array has the shape of this one, along the same dimensions.
    pub(super) fn is_alike(&self, array: &ArrayMetadata) -> bool {
        array.known_shape() == self.array.known_shape()
            && array.dimension_names == self.array.dimension_names
    }

    /// The text of an attribute of a group.
    pub(super) fn text(&self, path: &NodePath, key: &str) -> Option<String> {
        let node = self.hierarchy.node(path);
        Some(Attributes::of(&node.kind)?.get_str(key)?.to_owned())
    }

    /// The shape of the array at a path.
    pub(super) fn shape(&self, path: &NodePath) -> Option<Vec<u64>> {
        self.hierarchy.node(path).kind.array()?.known_shape().cloned()
    }

    /// The warning, at the document of this array.
    pub(super) fn warning(&self, sentence: String, fix: impl Into<String>) -> Option<Problem> {
        let file = self.array.documents.first()?.key.clone();
        let error = Error::said(Code::RelatedValues, sentence).in_file(file).with_fix(fix);
        Some(Problem::new(error))
    }
}

/// A number as an index.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "others are refused")]
pub(super) fn index(number: f64) -> Option<usize> {
    (0.0..9e15).contains(&number).then_some(number as usize)
}

pub(super) fn is_integer(array: &ArrayMetadata) -> bool {
    let default = array.data_type().map(|data_type| data_type.default_scalar());
    matches!(default, Some(Scalar::Int(_) | Scalar::Uint(_)))
}
