//! An array whose values are looked at, and the store around it: what checks of values ask for.

use super::{prelude::*, region};
use crate::zarr::grid::{Region, lengths};
use std::{cell::OnceCell, sync::Arc};

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
    /// The numbers of this array, once they were read.
    own: OnceCell<Option<Vec<f64>>>,
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
        length(self.array)
    }

    /// Its name for a sentence.
    pub(super) fn name(&self) -> String {
        quoted(self.path.name())
    }

    /// True if it is the coordinate of its only dimension.
    pub(super) fn is_coordinate(&self) -> bool {
        let names = self.array.dimension_names.as_deref();
        matches!(names, Some([Some(name)]) if name == self.path.name())
    }

    /// The elements of an array of one dimension, and whether the last chunk is missing; `None` where some cannot be read. What
    /// is too long is not asked for.
    pub(super) fn scalars(&self) -> Option<&(Vec<Scalar>, bool)> {
        let read = || region::scalars(&*self.hierarchy.store, self.path, self.array, self.budget);
        self.scalars.get_or_init(read).as_ref()
    }

    /// The length of the array at a path along an axis, where it is there.
    pub(super) fn length_of(&self, path: &NodePath, axis: usize) -> Option<u64> {
        self.existing(path)?.known_shape()?.get(axis).copied()
    }

    /// Its group.
    pub(super) fn group(&self) -> Option<NodePath> {
        self.path.parent()
    }

    /// The groups that it is in, from its own on.
    pub(super) fn groups(&self) -> impl Iterator<Item = NodePath> {
        std::iter::successors(self.group(), NodePath::parent)
    }

    /// The path of the array of this name beside it.
    pub(super) fn beside(&self, name: &str) -> Option<NodePath> {
        Some(self.group()?.child(name))
    }

    /// The first thing that `find` finds in one of the arrays of its group.
    pub(super) fn find_beside<T>(
        &self,
        mut find: impl FnMut(&NodePath, &ArrayMetadata) -> Option<T>,
    ) -> Option<T> {
        self.hierarchy.find_child(&self.group()?, |child| find(&child.path, child.kind.array()?))
    }

    /// The same of those that have its shape, along the same dimensions.
    pub(super) fn find_alike<T>(
        &self,
        mut find: impl FnMut(&NodePath, &ArrayMetadata) -> Option<T>,
    ) -> Option<T> {
        self.find_beside(|path, array| self.is_alike(array).then(|| find(path, array))?)
    }

    /// The same of those that have this standard name.
    pub(super) fn find_called<T>(
        &self,
        name: &str,
        mut find: impl FnMut(&NodePath, &ArrayMetadata) -> Option<T>,
    ) -> Option<T> {
        self.find_beside(|path, array| is_called(array, name).then(|| find(path, array))?)
    }

    /// The length of a dimension, by the first array of its group that has it.
    pub(super) fn dimension(&self, name: &str) -> Option<u64> {
        self.find_beside(|_, array| {
            let names = array.dimension_names.as_deref()?;
            let axis = names.iter().position(|it| it.as_deref() == Some(name))?;
            array.known_shape()?.get(axis).copied()
        })
    }

    /// True if an array has the shape of this one, along the same dimensions.
    pub(super) fn is_alike(&self, array: &ArrayMetadata) -> bool {
        array.known_shape() == self.array.known_shape()
            && array.dimension_names == self.array.dimension_names
    }

    /// The array at a path, where it is there.
    pub(super) fn existing(&self, path: &NodePath) -> Option<Arc<ArrayMetadata>> {
        match self.hierarchy.existing(path)?.kind {
            NodeKind::Array(array) => Some(array),
            _ => None,
        }
    }

    /// The reader of the array at a path.
    pub(super) fn reader<'r>(
        &'r self,
        path: &'r NodePath,
        array: &'r ArrayMetadata,
    ) -> Option<ArrayReader<'r>> {
        ArrayReader::new(&*self.hierarchy.store, path, array).ok()
    }

    /// The numbers of the array at a path; `None` where they are too many, or cannot be read.
    pub(super) fn numbers(&self, path: &NodePath) -> Option<Vec<f64>> {
        self.numbers_of(path, self.hierarchy.node(path).kind.array()?)
    }

    /// The numbers of the array of this name beside it.
    pub(super) fn numbers_beside(&self, name: &str) -> Option<Vec<f64>> {
        self.numbers(&self.beside(name)?)
    }

    /// Those of the array at a path where it is there: what is not there is not asked for.
    pub(super) fn existing_numbers(&self, path: &NodePath) -> Option<Vec<f64>> {
        self.hierarchy.existing(path)?;
        self.numbers(path)
    }

    pub(super) fn numbers_of(&self, path: &NodePath, array: &ArrayMetadata) -> Option<Vec<f64>> {
        self.some_numbers(path, array, MOST)
    }

    fn some_numbers(&self, path: &NodePath, array: &ArrayMetadata, most: u64) -> Option<Vec<f64>> {
        order::product(array.known_shape()?).filter(|count| (1..=most).contains(count))?;
        let reader = self.reader(path, array)?;
        self.values(&reader, reader.whole())
    }

    /// The numbers of a region of an array.
    pub(super) fn values(&self, reader: &ArrayReader, region: Region) -> Option<Vec<f64>> {
        Some(RegionValues::of(reader, region, self.budget)?.values)
    }

    /// The numbers of the slice of this array at these coordinates of its first dimensions.
    #[must_use]
    pub fn slice(&self, at: &[u64]) -> Option<Vec<f64>> {
        let reader = self.reader(self.path, self.array)?;
        let mut region = reader.whole();
        for (side, at) in region.iter_mut().zip(at) {
            *side = *at..at + 1;
        }
        order::product(&lengths(&region)).filter(|count| *count <= MOST)?;
        self.values(&reader, region)
    }

    /// What the numbers of an array stand for, with NaN for what is missing; those of its first page alone, along the last two
    /// dimensions, where `is_page`.
    pub(super) fn data(
        &self,
        path: &NodePath,
        array: &ArrayMetadata,
        is_page: bool,
    ) -> Option<Vec<f64>> {
        let reader = self.reader(path, array)?;
        let mut region = reader.whole();
        let leading = region.len().saturating_sub(2);
        for side in region.iter_mut().take(leading).filter(|_| is_page) {
            *side = 0..1;
        }
        order::product(&lengths(&region)).filter(|count| (1..=MOST).contains(count))?;
        let packing = Packing::of(array);
        let values = self.values(&reader, region)?.into_iter();
        let values = values
            .map(|value| if packing.is_mark(value) { f64::NAN } else { packing.unpack(value) });
        Some(values.collect())
    }

    /// The same of this array.
    pub(super) fn own_data(&self, is_page: bool) -> Option<Vec<f64>> {
        self.data(self.path, self.array, is_page)
    }

    /// The same of the array at a path that has this standard name.
    pub(super) fn data_called(&self, path: &NodePath, name: &str) -> Option<Vec<f64>> {
        let array = self.existing(path).filter(|array| is_called(array, name))?;
        self.data(path, &array, false)
    }

    /// The texts of the array at a path; `None` where they are too many, or cannot be read.
    pub(super) fn texts(&self, path: &NodePath) -> Option<Vec<String>> {
        let node = self.hierarchy.node(path);
        let array = node.kind.array()?;
        order::product(array.known_shape()?).filter(|count| *count <= MOST)?;
        let reader = self.reader(path, array)?;
        region::texts(&reader, &reader.whole(), self.budget)
    }

    /// The first of them.
    pub(super) fn first_text(&self, path: &NodePath) -> Option<String> {
        Some(self.texts(path)?.first()?.trim_matches('"').to_owned())
    }

    /// The texts of a column or an index of `AnnData`, which are a group since version 0.12.
    pub(super) fn column(&self, path: &NodePath) -> Option<Vec<String>> {
        self.texts(path).or_else(|| self.texts(&path.child("values")))
    }

    /// The numbers of this array: read once for all rows that ask for them.
    pub(super) fn own(&self) -> Option<&[f64]> {
        self.own.get_or_init(|| self.numbers_of(self.path, self.array)).as_deref()
    }

    /// The same of one that is longer, where more work was asked for.
    pub(super) fn own_deep(&self) -> Option<Vec<f64>> {
        let most = if self.is_deep { MOST_DEEP } else { MOST };
        self.some_numbers(self.path, self.array, most)
    }

    /// True if its elements are integers.
    pub(super) fn is_integer(&self) -> bool {
        is_integer(self.array)
    }

    /// Its own attributes.
    pub(super) fn attributes(&self) -> Option<Attributes<'_>> {
        Attributes::of_array(self.array)
    }

    /// The text of one of them.
    pub(super) fn own_text(&self, key: &str) -> Option<&str> {
        text_of(self.array, key)
    }

    /// An attribute of the node at a path.
    pub(super) fn attribute(&self, path: &NodePath, key: &str) -> Option<Json> {
        self.hierarchy.node(path).kind.attributes()?.get(key).cloned()
    }

    /// Its text, where it is one.
    pub(super) fn text(&self, path: &NodePath, key: &str) -> Option<String> {
        Some(self.attribute(path, key)?.as_str()?.to_owned())
    }

    /// The same path, where the node there has this `encoding-type`.
    pub(super) fn encoded<'p>(&self, path: &'p NodePath, encoding: &str) -> Option<&'p NodePath> {
        self.text(path, "encoding-type").filter(|it| it == encoding).map(|_| path)
    }

    /// The shape of the array at a path.
    pub(super) fn shape(&self, path: &NodePath) -> Option<Vec<u64>> {
        self.hierarchy.node(path).kind.array()?.known_shape().cloned()
    }

    /// The warning, at the document of this array.
    pub(super) fn warning(&self, sentence: String, fix: impl Into<String>) -> Option<Problem> {
        let error = Error::said(Code::RelatedValues, sentence).with_fix(fix);
        in_file_of(self.array, Problem::new(error))
    }

    /// The same where something more is so.
    pub(super) fn warning_if(
        &self,
        is_told: bool,
        sentence: String,
        fix: impl Into<String>,
    ) -> Option<Problem> {
        is_told.then(|| self.warning(sentence, fix))?
    }
}

/// The same problem, at the document of an array.
pub(super) fn in_file_of(array: &ArrayMetadata, problem: Problem) -> Option<Problem> {
    let file = array.documents.first()?.key.clone();
    Some(Problem { error: problem.error.in_file(file), ..problem })
}

/// The length of an array of one dimension.
pub(super) fn length(array: &ArrayMetadata) -> Option<u64> {
    if let [length] = array.known_shape()?.as_slice() { Some(*length) } else { None }
}

/// The text of an attribute of an array.
pub(super) fn text_of<'a>(array: &'a ArrayMetadata, key: &str) -> Option<&'a str> {
    array.attributes()?.get_str(key)
}

/// True if an array has this standard name.
pub(super) fn is_called(array: &ArrayMetadata, name: &str) -> bool {
    text_of(array, "standard_name") == Some(name)
}

/// True if the elements of an array are integers.
pub(super) fn is_integer(array: &ArrayMetadata) -> bool {
    matches!(default_of(array), Some(Scalar::Int(_) | Scalar::Uint(_)))
}

/// True if they are floats.
pub(super) fn is_float(array: &ArrayMetadata) -> bool {
    matches!(default_of(array), Some(Scalar::Float(_)))
}

/// True if xarray decodes them as numbers.
pub(super) fn is_number(array: &ArrayMetadata) -> bool {
    is_integer(array) || is_float(array)
}

/// True if they are texts.
pub(super) fn is_text(array: &ArrayMetadata) -> bool {
    let default = default_of(array);
    matches!(default, Some(Scalar::Text(_) | Scalar::NullTerminated(_) | Scalar::Utf32(_)))
}

fn default_of(array: &ArrayMetadata) -> Option<Scalar> {
    Some(array.data_type()?.default_scalar())
}
