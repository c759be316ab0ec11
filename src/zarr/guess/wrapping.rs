//! The compressors and checksums around the elements of a chunk, by what they say of themselves.

use crate::zarr::{
    bytes::Bytes,
    codec::{CodecSpec, Context, Data, config::Setup, registry},
    data_type::Registry,
    format::Format,
};

/// How many codecs may lie around each other.
const MOST: usize = 4;
/// Bytes fewer than this prove nothing by decoding.
const FEW: usize = 16;

/// What lies around the elements of a chunk, and what is inside.
#[derive(Debug, Clone)]
pub struct Wrapping {
    /// The codecs in encoding order, by their V2 ids.
    pub codecs: Vec<&'static str>,
    /// What they leave when they are undone.
    pub inside: Vec<u8>,
}

impl Wrapping {
    /// The codecs in encoding order, by the names that V3 has for them.
    pub fn v3_names(&self) -> impl Iterator<Item = String> {
        let registered = ["gzip", "zstd", "blosc", "crc32c"];
        self.codecs.iter().map(move |&id| {
            if registered.contains(&id) { id.to_owned() } else { format!("numcodecs.{id}") }
        })
    }
}

/// Which codecs could have written bytes that begin so. All but the last two say who they are.
type Looks = fn(&[u8]) -> bool;
const CODECS: [(&str, Looks); 8] = [
    ("gzip", |bytes| bytes.starts_with(&[0x1f, 0x8b])),
    ("zstd", |bytes| bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd])),
    ("bz2", |bytes| bytes.starts_with(b"BZh")),
    ("lzma", |bytes| bytes.starts_with(&[0xfd, b'7', b'z', b'X', b'Z', 0])),
    ("blosc", is_blosc),
    ("zlib", is_zlib),
    ("crc32c", |bytes| bytes.len() >= FEW),
    ("lz4", is_lz4),
];

/// Undoes every codec around `bytes` that can be told by its signature and proved by decoding without a fault, giving
/// at most `limit` bytes each.
#[must_use]
pub fn unwrap(bytes: Vec<u8>, limit: u64) -> Wrapping {
    let mut wrapping = Wrapping { codecs: Vec::new(), inside: bytes };
    while wrapping.codecs.len() < MOST {
        let inside = &wrapping.inside;
        let found = CODECS
            .iter()
            .filter(|(_, looks)| looks(inside))
            .find_map(|(id, _)| Some((*id, decoded(id, inside, limit)?)));
        let Some((id, inside)) = found else { break };
        wrapping.codecs.insert(0, id);
        wrapping.inside = inside;
    }
    wrapping
}

/// What codec `id` makes of `bytes`; `None` where it finds a fault in them.
fn decoded(id: &'static str, bytes: &[u8], limit: u64) -> Option<Vec<u8>> {
    let spec = CodecSpec::new(id, "");
    let data_types = Registry::empty();
    let setup =
        Setup { spec: &spec, format: Format::V2, data_types: &data_types, array: None, depth: 0 };
    let codec = registry::build(&setup).ok()?.value;
    let context = Context { expected: None, limit, stop: &|| false, progress: &|_, _| () };
    let outcome = codec.decode(&Data::Bytes(Bytes::whole(bytes.to_vec())), None, &context);
    let sound = outcome.error.is_none()
        && outcome.notes.is_empty()
        && outcome.checksum.is_none_or(|checksum| checksum.agrees());
    let output = outcome.output.filter(|_| sound)?;
    output.bytes().as_whole().filter(|bytes| !bytes.is_empty()).map(<[u8]>::to_vec)
}

/// A blosc header of version 2 says how long the whole buffer is.
fn is_blosc(bytes: &[u8]) -> bool {
    let len = bytes.get(12..16).and_then(|len| len.first_chunk());
    bytes.first() == Some(&2)
        && len.is_some_and(|len| u32::from_le_bytes(*len) as usize == bytes.len())
}

/// The first two bytes of zlib are a multiple of 31.
fn is_zlib(bytes: &[u8]) -> bool {
    let pair = bytes.first_chunk().map(|pair| u16::from_be_bytes(*pair));
    bytes.first() == Some(&0x78) && pair.is_some_and(|pair| pair % 31 == 0)
}

/// numcodecs puts the decoded length in front of a bare LZ4 block, which is never much longer than that.
fn is_lz4(bytes: &[u8]) -> bool {
    let promised = bytes.first_chunk().map(|len| u32::from_le_bytes(*len) as usize);
    bytes.len() >= FEW * 4
        && promised.is_some_and(|promised| {
            promised.saturating_add(promised / 8 + FEW) >= bytes.len()
                && promised / 255 <= bytes.len()
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: u64 = 1 << 20;

    #[test]
    fn codecs_are_told_through_each_other() {
        let numbers: Vec<u8> = (0..500_u16).flat_map(u16::to_be_bytes).collect();
        let packed = zstd::encode_all(&numbers[..], 3).unwrap();
        let sum = crc32c::crc32c(&packed).to_le_bytes();
        let wrapping = unwrap([packed, sum.to_vec()].concat(), LIMIT);
        assert_eq!(wrapping.codecs, ["zstd", "crc32c"]);
        assert_eq!(wrapping.inside, numbers);
        let names: Vec<_> = wrapping.v3_names().collect();
        assert_eq!(names, ["zstd", "crc32c"]);
    }

    #[test]
    fn what_only_begins_like_a_codec_is_left_alone() {
        for beginning in
            [&[0x1f, 0x8b, 8, 0][..], &[0x28, 0xb5, 0x2f, 0xfd], b"BZh9", &[0x78, 0x9c]]
        {
            let bytes = [beginning, &[7; 90]].concat();
            let wrapping = unwrap(bytes.clone(), LIMIT);
            assert!(wrapping.codecs.is_empty(), "{:?}", wrapping.codecs);
            assert_eq!(wrapping.inside, bytes);
        }
    }
}
