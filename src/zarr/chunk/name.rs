//! What chunks are called: the chunk key, or coordinates, and inside a shard the inner chunk's after an `@`, once a level.

use crate::zarr::{ArrayMetadata, Code, Error, Result, grid::ChunkId};

impl ChunkId {
    /// Reads `text` as a chunk of `array`: `c/0/1`, `0,1`, `c/0/1@1,0@0,0`.
    ///
    /// # Errors
    ///
    /// Where it is neither a key of this array nor coordinates, or has another number of dimensions.
    pub fn parse(text: &str, array: &ArrayMetadata) -> Result<Self> {
        let dimensions = array.shape.as_ref().map(Vec::len).map_err(Clone::clone)?;
        let mut parts = text.split('@');
        let outer = parts.next().unwrap_or_default();
        let by_key =
            array.key_encoding.as_ref().ok().and_then(|encoding| encoding.parse(outer, dimensions));
        let coordinates = by_key
            .or_else(|| numbers(outer, dimensions))
            .ok_or_else(|| unreadable(outer, dimensions, array))?;
        let read =
            |part| numbers(part, dimensions).ok_or_else(|| unreadable(part, dimensions, array));
        let inner = parts.map(read).collect::<Result<_>>()?;
        Ok(Self { coordinates, inner })
    }

    /// What [`Self::parse`] reads, where the chunk's key is `key`.
    #[must_use]
    pub fn name(&self, key: &str) -> String {
        let numbers =
            |inner: &Vec<u64>| inner.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
        let parts = std::iter::once(key.to_owned()).chain(self.inner.iter().map(numbers));
        parts.collect::<Vec<_>>().join("@")
    }
}

/// `1,0` or `[1,0]`; nothing for no dimensions.
fn numbers(text: &str, dimensions: usize) -> Option<Vec<u64>> {
    let text = text.trim();
    let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
    let numbers: Vec<u64> = if bare.trim().is_empty() {
        Vec::new()
    } else {
        bare.split(',').map(|number| number.trim().parse().ok()).collect::<Option<_>>()?
    };
    (numbers.len() == dimensions).then_some(numbers)
}

fn unreadable(text: &str, dimensions: usize, array: &ArrayMetadata) -> Error {
    let example = vec![0; dimensions];
    let key = array
        .key_encoding
        .as_ref()
        .map_or_else(|_| "a key".to_owned(), |known| known.key(&example));
    let expected = format!(
        "a chunk key such as {key:?}, or {dimensions} coordinates with commas between them"
    );
    Error::new(Code::UnknownChunk, format!("{text:?}"), expected).at("KEY")
}
