//! Where a byte of one stage comes from in the stage before it, and goes to in the one after.
//!
//! Exactly, through codecs that only move bytes or add some at an end; as the bytes of the same element through one
//! that changes values; through a compressor as the block that holds it, or as the whole of what it made, since its
//! output does not say which byte holds which.

use super::shown::Shown;
use crate::zarr::{
    chunk::Stage,
    codec::{Block, CodecKind, Data, Elements},
};
use std::ops::Range;

/// What a byte corresponds to in another stage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Link {
    /// This very byte.
    Exact(u64),
    /// Something in these bytes.
    Within(Range<u64>),
}

impl Shown {
    /// What byte `offset` of stage `from` corresponds to in stage `to`.
    #[must_use]
    pub fn link(&self, from: usize, offset: u64, to: usize) -> Link {
        let mut link = Link::Exact(offset);
        let mut at = from;
        while at != to {
            let next = if to > at { at + 1 } else { at - 1 };
            let len = self.data(next).map_or(0, Data::len);
            // The stage that stands between the outputs `at` and `next`.
            let stage = self.chunk.stages.get(at.max(next));
            link = match (link, stage) {
                (Link::Exact(offset), Some(stage)) => through(stage, offset, len, to > at),
                (Link::Within(range), Some(stage)) => range_through(stage, &range, len, to > at),
                (_, None) => Link::Within(0..len),
            };
            at = next;
        }
        link
    }
}

/// A range through one stage: its ends are followed where the stage keeps bytes in their order.
fn range_through(stage: &Stage, range: &Range<u64>, len: u64, down: bool) -> Link {
    let ends = (
        through(stage, range.start, len, down),
        through(stage, range.end.saturating_sub(1), len, down),
    );
    match ends {
        (Link::Exact(first), Link::Exact(last))
            if first <= last && last - first == range.end.saturating_sub(range.start + 1) =>
        {
            Link::Within(first..last + 1)
        }
        _ => Link::Within(0..len),
    }
}

/// Through one stage, decoding (`down`) or encoding.
fn through(stage: &Stage, offset: u64, len: u64, down: bool) -> Link {
    let inside = |offset: u64| {
        if offset < len { Link::Exact(offset) } else { Link::Within(len.saturating_sub(1)..len) }
    };
    let name = stage.name.trim_start_matches("numcodecs.");
    match name {
        "bytes" | "transpose" | "reshape" | "fletcher32" => inside(offset),
        "crc32c" | "crc32" | "adler32" | "jenkins_lookup3" => shifted(stage, offset, len, down),
        "shuffle" => shuffled(stage, offset, len, down).map_or(Link::Within(0..len), Link::Exact),
        _ if stage.kind == Some(CodecKind::ArrayToArray) => by_element(stage, offset, len, down),
        _ => block(stage, offset, len, down),
    }
}

/// Through a codec that changes values, and perhaps their size: the bytes of the same element.
fn by_element(stage: &Stage, offset: u64, len: u64, down: bool) -> Link {
    let output = stage.output.as_ref();
    let count = output.and_then(Data::elements).map_or(0, Elements::len);
    let here = if down { stage.input_len } else { output.map_or(0, Data::len) };
    let size =
        |bytes: u64| bytes.checked_div(count).filter(|size| *size > 0 && size * count == bytes);
    match (size(here), size(len)) {
        (Some(from), Some(to)) => {
            let start = (offset / from * to).min(len);
            Link::Within(start..start.saturating_add(to).min(len))
        }
        _ => Link::Within(0..len),
    }
}

/// Through a codec that works block by block: the block that holds the byte, or the byte itself where blocks are
/// only moved.
fn block(stage: &Stage, offset: u64, len: u64, down: bool) -> Link {
    let sides = |block: &Block| match (block.input.clone(), block.output.clone()) {
        (input, output) if down => (input, output),
        (input, output) => (output, input),
    };
    let holds = stage.blocks.iter().find(|block| sides(block).0.contains(&offset));
    match holds.map(|block| (sides(block), block.exact)) {
        Some(((here, there), true)) => Link::Exact(there.start + (offset - here.start)),
        Some(((_, there), false)) => Link::Within(there),
        None => Link::Within(0..len),
    }
}

/// A checksum in front of the bytes moves them; one behind does not.
fn shifted(stage: &Stage, offset: u64, len: u64, down: bool) -> Link {
    let front =
        stage.checksum.as_ref().filter(|sum| sum.bytes.start == 0).map_or(0, |s| s.bytes.end);
    let moved = if down { offset.checked_sub(front) } else { Some(offset + front) };
    match moved.filter(|&at| at < len) {
        Some(at) => Link::Exact(at),
        None => Link::Within(0..len.min(1)),
    }
}

/// Shuffled bytes lie plane by plane: first the first byte of every element, then the second.
fn shuffled(stage: &Stage, offset: u64, len: u64, down: bool) -> Option<u64> {
    let configuration = stage.configuration.as_ref()?;
    let size = configuration.get("elementsize").map_or(Some(4), serde_json::Value::as_u64)?;
    let count = len.checked_div(size)?;
    if count * size != len || count == 0 {
        return None;
    }
    Some(if down {
        offset % count * size + offset / count
    } else {
        offset % size * count + offset / size
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stage(name: &str, configuration: serde_json::Value) -> Stage {
        Stage {
            name: name.into(),
            configuration: Some(configuration),
            kind: Some(CodecKind::BytesToBytes),
            input_len: 12,
            output: None,
            blocks: Vec::new(),
            shard: None,
            header: Vec::new(),
            checksum: None,
            notes: Vec::new(),
            elapsed: std::time::Duration::ZERO,
            error: None,
        }
    }

    #[test]
    fn shuffle_is_followed_exactly_and_back() {
        let shuffle = stage("shuffle", serde_json::json!({"id": "shuffle", "elementsize": 4}));
        for offset in 0..12 {
            let Link::Exact(down) = through(&shuffle, offset, 12, true) else { panic!("exact") };
            assert_eq!(through(&shuffle, down, 12, false), Link::Exact(offset));
        }
        assert_eq!(through(&shuffle, 1, 12, true), Link::Exact(4));
    }

    #[test]
    fn a_compressor_leaves_a_range() {
        let zstd = stage("zstd", serde_json::json!({}));
        assert_eq!(through(&zstd, 3, 7, false), Link::Within(0..7));
        let mut blosc = stage("blosc", serde_json::json!({}));
        blosc.blocks = [(16..30, 0..50), (30..41, 50..80)]
            .map(|(input, output)| Block { input, output, exact: false })
            .into();
        assert_eq!(through(&blosc, 55, 41, false), Link::Within(30..41));
        assert_eq!(through(&blosc, 20, 80, true), Link::Within(0..50));
    }

    #[test]
    fn an_inner_chunk_is_found_in_its_shard() {
        let mut shard = stage("sharding_indexed", serde_json::json!({}));
        shard.blocks = vec![Block { input: 100..120, output: 0..20, exact: true }];
        assert_eq!(through(&shard, 7, 500, false), Link::Exact(107));
        assert_eq!(through(&shard, 107, 20, true), Link::Exact(7));
        assert_eq!(through(&shard, 99, 20, true), Link::Within(0..20));
    }

    #[test]
    fn a_cast_is_followed_by_element() {
        use crate::zarr::{
            Registry,
            codec::{Bytes, Places},
        };
        let int32 = Registry::default().from_v3(&crate::zarr::Json::string("int32")).unwrap();
        let bytes = Bytes::whole(vec![0; 12]);
        let order = int32.order.clone();
        let elements =
            Elements::new(int32.data_type, order, vec![3], false, Places::Fixed(4), bytes);
        let mut cast = stage("cast_value", serde_json::json!({"data_type": "int8"}));
        cast.kind = Some(CodecKind::ArrayToArray);
        cast.input_len = 3;
        cast.output = Some(Data::Elements(elements));
        assert_eq!(through(&cast, 1, 12, true), Link::Within(4..8));
        assert_eq!(through(&cast, 9, 3, false), Link::Within(2..3));
    }
}
