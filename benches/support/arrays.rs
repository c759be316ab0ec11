//! Float32 arrays of 256 MiB, written in four layouts, with the codecs' own crates.

use super::{
    blosc,
    elements::{LENGTH, document, elements},
};
use serde_json::{Value, json};
use std::{
    fs,
    io::{self, Error},
    path::Path,
};

/// The length of a chunk along both dimensions: 4 MiB.
const CHUNK: usize = 1024;
/// The length of a shard: 16 MiB.
const SHARD: usize = 2048;
/// The length of an inner chunk: 256 KiB.
const INNER: usize = 256;

/// The layouts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Only `bytes`.
    Raw,
    /// `bytes` and `zstd` at level 3.
    Zstd,
    /// `bytes` and `blosc` with lz4 and a byte shuffle.
    Blosc,
    /// Shards with inner chunks of `bytes` and `zstd`, the index at the end.
    Sharded,
}

impl Layout {
    /// All of them.
    pub(crate) const ALL: [Self; 4] = [Self::Raw, Self::Zstd, Self::Blosc, Self::Sharded];

    /// The name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Raw => "raw",
            Self::Zstd => "zstd",
            Self::Blosc => "blosc-lz4",
            Self::Sharded => "sharded",
        }
    }

    fn chunk(self) -> usize {
        if self == Self::Sharded { SHARD } else { CHUNK }
    }

    fn codecs(self) -> Value {
        let bytes = json!({"name": "bytes", "configuration": {"endian": "little"}});
        let zstd = json!({"name": "zstd", "configuration": {"level": 3, "checksum": false}});
        match self {
            Self::Raw => json!([bytes]),
            Self::Zstd => json!([bytes, zstd]),
            Self::Blosc => json!([bytes, {"name": "blosc", "configuration": {
                "cname": "lz4", "clevel": 5, "shuffle": "shuffle", "typesize": 4, "blocksize": 0}}]),
            Self::Sharded => json!([{"name": "sharding_indexed", "configuration": {
                "chunk_shape": [INNER, INNER], "codecs": [bytes, zstd],
                "index_codecs": [bytes, {"name": "crc32c"}], "index_location": "end"}}]),
        }
    }

    fn encode(self, row: usize, column: usize) -> io::Result<Vec<u8>> {
        match self {
            Self::Raw => Ok(elements(row, column, CHUNK)),
            Self::Zstd => zstd::encode_all(elements(row, column, CHUNK).as_slice(), 3),
            Self::Blosc => blosc::compress(&elements(row, column, CHUNK))
                .ok_or_else(|| Error::other("blosc refuses")),
            Self::Sharded => shard(row, column),
        }
    }

    /// Writes the array to the folder `path`, and says how many bytes its chunks take.
    pub(crate) fn write(self, path: &Path) -> io::Result<u64> {
        let length = self.chunk();
        let mut stored = 0;
        for row in 0..LENGTH / length {
            let folder = path.join("c").join(row.to_string());
            fs::create_dir_all(&folder)?;
            for column in 0..LENGTH / length {
                let chunk = self.encode(row * length, column * length)?;
                stored += chunk.len() as u64;
                fs::write(folder.join(column.to_string()), chunk)?;
            }
        }
        let document = document(&[LENGTH, LENGTH], &[length, length], "float32", &self.codecs());
        fs::write(path.join("zarr.json"), document)?;
        Ok(stored)
    }
}

fn shard(row: usize, column: usize) -> io::Result<Vec<u8>> {
    let (mut out, mut index) = (Vec::new(), Vec::new());
    for inner_row in (row..row + SHARD).step_by(INNER) {
        for inner_column in (column..column + SHARD).step_by(INNER) {
            let inner = zstd::encode_all(elements(inner_row, inner_column, INNER).as_slice(), 3)?;
            index.extend((out.len() as u64).to_le_bytes());
            index.extend((inner.len() as u64).to_le_bytes());
            out.extend(inner);
        }
    }
    index.extend(crc32c::crc32c(&index).to_le_bytes());
    out.extend(index);
    Ok(out)
}
