//! The readable part of the array on show, as far as anybody has looked: the line above its views.

use super::prelude::*;
use crate::zarr::readable::without_reason;

impl App {
    /// The readable part of the array on show: by a check that has gone through it, or by the chunks that were opened.
    pub fn readable(&self) -> Option<Readable> {
        let node = self.shared.node()?;
        let problems = &self.pages.problems;
        let checked = problems.arrays.get(&node.path);
        let is_current = problems.covers_as_read(&node.path, &self.shared);
        Some(match checked.filter(|_| is_current) {
            Some(checked) => *checked,
            None => self.tried(),
        })
    }

    /// The outcomes of chunks that were opened, or read for the chunk table: whichever are more.
    fn tried(&self) -> Readable {
        let opened = self.shared.chunk.presence.readable();
        let is_on_show = |table: &&ChunkRows| {
            let array = self.shared.chunk.array.as_ref();
            array.is_some_and(|(_, array)| Arc::ptr_eq(array, &table.array))
        };
        let table = self.pages.chunk_table.table.as_ref().filter(is_on_show);
        let read = table.and_then(ChunkRows::readable).filter(|read| read.chunks > opened.tried());
        read.map_or(opened, |read| Readable { chunks: read.chunks.max(opened.chunks), ..read })
    }

    /// That in a sentence of at most `width` columns, or in the fewest words there are.
    pub fn readable_sentence(&self, width: usize) -> Option<String> {
        let NodeKind::Array(array) = &self.shared.node()?.kind else { return None };
        if array.key_encoding.is_err() {
            return Some("No chunk can be found: 5 says why.".into());
        }
        if array.grid.is_err() || array.shape.is_err() || array.codecs.is_err() {
            return Some("No chunk can be decoded: 5 says why.".into());
        }
        let readable = self.readable()?;
        let shows_inner = self.shared.chunk.shown().is_some_and(|it| !it.chunk.id.inner.is_empty());
        if readable.tried() == 0 && readable.chunks > 0 && shows_inner {
            let shards = counted(readable.chunks, "stored shard");
            return Some(format!("Of {shards}, only the inner chunk shown was read."));
        }
        let fits = |text: &String| text.width() <= width;
        let check = || readable.brief().map(|text| format!("{text} Press 5 to check."));
        let long = if readable.tried() == 0 { check() } else { readable.sentence() };
        if let Some(text) = long.filter(fits).or_else(|| readable.brief()) {
            return Some(text);
        }
        let text = if self.shared.chunk.presence.complete {
            let is_second = self.shared.node().is_some_and(|node| node.other.is_some());
            none_stored(array, is_second)
        } else {
            "Chunks not checked yet.".to_owned()
        };
        Some(if fits(&text) { text } else { without_reason(&text) })
    }
}

/// The message on an array without chunks; of a node with documents in both formats, one of which has other keys.
fn none_stored(array: &ArrayMetadata, is_second: bool) -> String {
    let reads = match &array.fill_value {
        _ if array.shape.as_ref().is_ok_and(|shape| shape.contains(&0)) => {
            return "The array has no elements.".into();
        }
        FillValue::Value { .. } => ": every element reads as the fill value",
        FillValue::Null => ": the values are undefined, because the fill value is null",
        FillValue::Missing => ", and there is no fill value",
        FillValue::Unreadable { .. } => ", and the fill value cannot be read",
    };
    let of = if is_second {
        format!(" under the keys of {}", array.format.name())
    } else {
        String::new()
    };
    format!("No chunk is stored{of}{reads}.")
}
