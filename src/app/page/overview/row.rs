//! A row of the overview: a child of the node on show, and all that is known of it and below it.

use crate::app::prelude::*;
use crate::zarr::{
    census,
    words::{shortened, size},
};
/// A child of the node on show.
#[derive(Debug, Clone)]
pub struct OverviewRow {
    /// The node, in a line.
    pub node: Outline,
    /// Of an array: its codecs in a few words, safe to show.
    pub codecs: Box<str>,
    /// Of an array: the shape of its chunks, and that of the inner chunks where they are shards.
    pub chunk_shape: Box<str>,
    /// Of an array: the value that missing chunks read as, safe to show.
    pub fill: Option<Box<str>>,
    /// The counts at it and below it, as far as they are known.
    pub census: Box<Census>,
    /// The progress of counting its chunks.
    pub counted: ChunkCount,
}

/// The progress of counting the chunks of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ChunkCount {
    /// Not at all.
    #[default]
    NotYet,
    /// In part: its figures are lower bounds.
    SoFar,
    /// To the end.
    Whole,
    /// They cannot be: shape, grid or keys are not known, or a folder cannot be listed.
    Failed,
}

/// New figures of a row.
#[derive(Debug)]
pub struct RowFigures {
    /// The row, in the order in which rows were found.
    pub row: usize,
    /// The counts at it and below it.
    pub census: Box<Census>,
    /// The progress.
    pub counted: ChunkCount,
}

impl OverviewRow {
    /// The row of `node`, its chunks not counted yet.
    pub fn of(node: &Node) -> Self {
        let array = node.kind.array();
        let mut census = Census::default();
        census.add_documents(node);
        Self {
            node: Outline::of(node),
            codecs: array.map(|array| safe(&census::codec_words(array)).into()).unwrap_or_default(),
            chunk_shape: array.map(census::chunk_shape_words).unwrap_or_default().into(),
            fill: array.and_then(fill),
            census: Box::new(census),
            counted: ChunkCount::NotYet,
        }
    }

    /// Its name, safe to show.
    pub fn name(&self) -> String {
        safe_owned(self.node.path.name())
    }

    /// True if it is an array.
    pub fn is_array(&self) -> bool {
        matches!(self.node.what, What::Array { .. })
    }

    /// The stored sizes of it, as far as they are known.
    pub fn sizes(&self) -> Option<&Sizes> {
        match self.counted {
            ChunkCount::NotYet | ChunkCount::Failed => None,
            ChunkCount::SoFar | ChunkCount::Whole => Some(&self.census.sizes),
        }
    }

    /// Remarks on the array that are no faults: missing chunks, stored more than raw, very
    /// many small objects.
    pub fn remarks(&self) -> Vec<String> {
        let Some(sizes) = self.sizes().filter(|_| self.is_array()) else { return Vec::new() };
        let missing = sizes.missing().filter(|&missing| missing > 0);
        let larger = sizes.ratio().filter(|&ratio| ratio < 1.0 && sizes.stored >= SMALL);
        let average = sizes.stored.checked_div(sizes.objects).unwrap_or_default();
        let is_many = sizes.objects >= MANY && average < SMALL;
        let sentences = [
            missing.map(|missing| self.missing(missing, sizes)),
            larger.map(|_| "stored, it is larger than raw".to_owned()),
            is_many.then(|| {
                let size = size(average);
                format!("{}, {size} each on average", counted(sizes.objects, "object"))
            }),
        ];
        sentences.into_iter().flatten().collect()
    }

    fn missing(&self, missing: u128, sizes: &Sizes) -> String {
        let fill = self.fill.as_ref().map(|fill| format!(" and reads as {}", shortened(fill, 24)));
        let fill = fill.unwrap_or_default();
        match sizes.objects_total {
            Some(1) => format!("its only chunk is not stored{fill}"),
            _ if sizes.objects == 0 => {
                format!(
                    "none of its {} chunks is stored; it reads as the fill value",
                    grouped(missing)
                )
            }
            total => {
                let total = total.map(grouped).unwrap_or_default();
                let verb = if missing == 1 { "is" } else { "are" };
                let fill = if missing == 1 { fill } else { fill.replace("reads", "read") };
                format!("{} of {total} chunks {verb} not stored{fill}", grouped(missing))
            }
        }
    }
}

/// Objects smaller than this are small, in bytes.
const SMALL: u64 = 16 << 10;
/// From so many objects on, small ones are worth a word.
const MANY: u64 = 10_000;

fn fill(array: &ArrayMetadata) -> Option<Box<str>> {
    let text = array.fill_scalar()?.to_string();
    Some(shortened(&safe(&text), 40).into())
}

/// Counts the chunks of `node` and of all below it; `each` is told how far that is, and stops it with `false`.
pub fn count(
    hierarchy: &Hierarchy,
    node: Node,
    each: &mut dyn FnMut(&Census) -> bool,
) -> (Census, ChunkCount) {
    let is_array = node.kind.is_array();
    let census = Census::of(hierarchy, node, each);
    let counted = match (census.sizes.is_complete, census.unmeasured) {
        (_, 1..) if is_array => ChunkCount::Failed,
        (true, _) => ChunkCount::Whole,
        (false, _) => ChunkCount::SoFar,
    };
    (census, counted)
}
