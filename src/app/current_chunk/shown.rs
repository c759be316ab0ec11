//! A loaded chunk with everything a view needs that takes a pass over it: made once, in the worker.

use super::runs::Runs;
use crate::app::prelude::*;
use crate::{
    app::search::same_value,
    zarr::{
        Chunk,
        byte_order::{self, Verdict},
        codec::HeaderField,
    },
};

/// The number of elements looked at to find out how wide values are.
const SAMPLED: u64 = 4096;
/// Fields of a struct wider than this are cut.
const WIDEST: usize = 40;
/// Columns a value takes at most: a complex128 has so many.
const WIDEST_VALUE: usize = 50;

/// A chunk as it is on show.
#[derive(Debug, Clone)]
pub struct Shown {
    /// The array's path.
    pub path: NodePath,
    /// The array.
    pub array: Arc<ArrayMetadata>,
    /// The chunk.
    pub chunk: Chunk,
    /// The same file as the documents of the array declare it, where it is read as something else.
    pub declared: Option<Arc<Self>>,
    /// The fill value's bytes in the order of the elements; empty where there are none.
    pub fill: Vec<u8>,
    /// The fill value, where one is declared.
    pub fill_scalar: Option<Scalar>,
    /// The number of columns a value takes, fill values aside.
    pub value_width: usize,
    /// The number of columns a value takes in the other byte order.
    pub other_width: usize,
    /// The number of columns each field of a struct takes; empty where elements are no structs.
    pub field_widths: Vec<usize>,
    /// The same in the other byte order; 0 where that is no other.
    pub other_field_widths: Vec<usize>,
    /// True if a checksum of its bytes was compared.
    pub is_verified: bool,
    /// The verdict on the byte order.
    pub verdict: Option<Verdict>,
    runs: Vec<Runs>,
}

impl Shown {
    /// Looks a chunk over.
    pub fn new(path: NodePath, array: Arc<ArrayMetadata>, chunk: Chunk) -> Self {
        let elements =
            chunk.stages.iter().rev().find_map(|stage| stage.output.as_ref()?.elements());
        let fill_scalar = array.declared_fill().cloned();
        let fill = fill_scalar.as_ref().zip(elements).and_then(|(scalar, elements)| {
            elements.data_type().encode(scalar, elements.order()).ok()
        });
        let runs = chunk.stages.iter().map(|stage| stage.output.as_ref().map(runs));
        let fill = fill.unwrap_or_default();
        let swapped = elements.map(|elements| elements.in_order(elements.order().swapped()));
        let swapped = swapped.as_ref();
        let other = |elements: &Elements| value_width(elements, &fill);
        Self {
            fill_scalar,
            value_width: elements.map_or(0, |elements| value_width(elements, &fill)),
            field_widths: elements.map_or_else(Vec::new, field_widths),
            other_field_widths: swapped.map_or_else(Vec::new, other_field_widths),
            other_width: swapped.map_or(0, other),
            fill,
            verdict: byte_order::judge_chunk(&chunk),
            runs: runs.map(Option::unwrap_or_default).collect(),
            path,
            array,
            chunk,
            declared: None,
            is_verified: false,
        }
    }

    /// The outcome of decoding it; `None` where nothing is stored, or zarrscope lacks a codec.
    pub fn tried(&self) -> Option<DecodeTrial> {
        self.chunk.stored?;
        match self.chunk.fault() {
            Some(error) if error.code.is_limit() => None,
            Some(_) => Some(DecodeTrial::Damaged),
            None if self.is_verified => Some(DecodeTrial::Verified),
            None => Some(DecodeTrial::Decoded),
        }
    }

    /// Around which byte of the file to load so that byte `offset` of stage `at` is there; never 0, which is none in
    /// particular.
    pub fn in_file(&self, at: usize, offset: u64) -> u64 {
        match self.chunk.follow(at, ByteTarget::Exact(offset), 0) {
            ByteTarget::Exact(offset) => offset.max(1),
            ByteTarget::Range(_) | ByteTarget::Nothing => offset.max(1),
        }
    }

    /// The output of stage `at`.
    pub fn data(&self, at: usize) -> Option<&Data> {
        self.chunk.stages.get(at)?.output.as_ref()
    }

    /// The last stage that gave something.
    pub fn last(&self) -> usize {
        let gave = |stage: &Stage| {
            stage.output.as_ref().is_some_and(|data| stage.error.is_none() || !data.is_empty())
        };
        self.chunk.stages.iter().rposition(gave).unwrap_or(0)
    }

    /// The runs in the output of stage `at`.
    pub fn runs(&self, at: usize) -> Option<&Runs> {
        self.runs.get(at)
    }

    /// The fields that the codec that reads the output of stage `at` found in it: headers, indexes.
    pub fn header(&self, at: usize) -> &[HeaderField] {
        self.chunk.stages.get(at + 1).map_or(&[], |stage| &stage.header)
    }

    /// The bytes of the checksum in the output of stage `at`.
    pub fn checksum(&self, at: usize) -> Option<Range<u64>> {
        Some(self.chunk.stages.get(at + 1)?.checksum.as_ref()?.bytes.clone())
    }

    /// True if these bytes of an element have the value of the fill value, in whatever bits.
    pub fn equals_fill(&self, bytes: &[u8]) -> bool {
        self.chunk.elements().is_some_and(|elements| same_value(elements, bytes, &self.fill))
    }

    /// True if these bytes of an element are those of the fill value, so that a dot can stand for them.
    pub fn is_fill(&self, bytes: &[u8]) -> bool {
        !self.fill.is_empty() && self.fill == bytes
    }

    /// True if the element at these coordinates of the chunk is past the array's edge.
    pub fn is_padding(&self, coordinates: &[u64]) -> bool {
        !coordinates.iter().zip(&self.chunk.region).all(|(at, range)| *at < range.end - range.start)
    }

    /// The coordinates in the array of the element at these coordinates of the chunk.
    pub fn in_array(&self, coordinates: &[u64]) -> Vec<u64> {
        coordinates.iter().zip(&self.chunk.region).map(|(at, range)| range.start + at).collect()
    }

    /// The first codec that fails, by its place in the stages.
    pub fn failed(&self) -> Option<usize> {
        self.chunk.stages.iter().position(|stage| stage.error.is_some())
    }
}

fn runs(data: &Data) -> Runs {
    let bytes = data.bytes();
    let size = match data.elements().map(Elements::places) {
        Some(Places::Fixed(size)) => *size,
        Some(Places::Ranges(_)) => return Runs::default(),
        None => 1,
    };
    let loaded = bytes.loaded();
    let first = loaded.start.div_ceil(size as u64);
    let aligned = first * size as u64..loaded.end.max(first * size as u64);
    bytes.get(aligned).map_or_else(Runs::default, |bytes| Runs::of(bytes, size, first))
}

/// The width of the values of a chunk: the widest of a sample from all over it. Fill values are drawn as a dot and do
/// not count.
fn value_width(elements: &Elements, fill: &[u8]) -> usize {
    let width = |at: u64| {
        let bytes = elements.bytes().get(elements.byte_range(at))?;
        (bytes != fill).then_some(())?;
        let value = elements.data_type().decode(bytes, elements.order()).ok()?;
        Some(value.to_string().width())
    };
    sample(elements.len()).filter_map(width).max().unwrap_or(1).clamp(3, WIDEST_VALUE)
}

/// Elements from all over a chunk of `len`: those at even and at odd places, in all columns of a table.
fn sample(len: u64) -> impl Iterator<Item = u64> {
    let step = (len / SAMPLED).max(1);
    (0..len.min(SAMPLED)).map(move |at| at * step + at % step)
}

/// The same of fields that have a byte order, in the other one; 0 for all others.
fn other_field_widths(swapped: &Elements) -> Vec<usize> {
    let fields = swapped.data_type().fields().iter().zip(field_widths(swapped));
    fields.map(|(field, width)| if field.data_type.has_byte_order() { width } else { 0 }).collect()
}

/// The width of each field of a struct, its name included.
fn field_widths(elements: &Elements) -> Vec<usize> {
    let fields = elements.data_type().fields();
    let mut widths: Vec<usize> = fields.iter().map(|field| field.name.width().max(1)).collect();
    for at in sample(elements.len()) {
        let Some(Ok(Scalar::Struct(values))) = elements.value(at) else { continue };
        for (width, (_, value)) in widths.iter_mut().zip(values.iter()) {
            *width = (*width).max(value.to_string().width()).min(WIDEST);
        }
    }
    widths
}
