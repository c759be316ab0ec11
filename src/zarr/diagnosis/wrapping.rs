//! The compressors and checksums around the elements of a chunk, by what they say of themselves.

use super::prelude::*;
use crate::zarr::codec::{Context, Setup, Signature};

/// The number of codecs that may be around each other.
const MOST: usize = 4;

/// The nanoseconds that a byte takes in the slowest codec.
pub(super) const SLOWEST: u64 = 40;

/// The codecs around the elements of a chunk, and the elements themselves.
#[derive(Debug, Clone)]
pub struct Wrapping {
    /// The codecs in encoding order.
    pub codecs: Vec<&'static CodecRow>,
    /// The bytes that are left when they are undone.
    pub inside: Vec<u8>,
    /// The work that it took to find out, in nanoseconds, as counted by bytes.
    pub nanoseconds: u64,
}

impl Wrapping {
    /// The codecs in encoding order, by the names that `format` has for them.
    pub fn names(&self, format: Format) -> impl Iterator<Item = &'static str> {
        self.codecs.iter().filter_map(move |row| row.names(format).first().copied())
    }
}

/// Undoes every codec of `registry` around `bytes` that can be told by its signature and proved by decoding without a
/// fault, giving at most `limit` bytes each.
pub fn unwrap(bytes: Vec<u8>, limit: u64, registry: &Registry) -> Wrapping {
    let mut wrapping = Wrapping { codecs: Vec::new(), inside: bytes, nanoseconds: 0 };
    while wrapping.codecs.len() < MOST {
        let (inside, mut work) = (&wrapping.inside, wrapping.nanoseconds);
        let announced = registry.codecs.recognise(inside).map(|(row, _)| row);
        // What only decoding can prove comes last.
        let tried = registry
            .codecs
            .rows()
            .filter(|row| matches!(row.signature, Signature::Trial(worth) if worth(inside)));
        let found = announced
            .into_iter()
            .chain(tried)
            .filter(|row| row.kind == CodecKind::BytesToBytes)
            .find_map(|row| Some((row, decoded(row, inside, limit, &mut work, registry)?)));
        wrapping.nanoseconds = work;
        let Some((row, inside)) = found else { break };
        wrapping.codecs.insert(0, row);
        wrapping.inside = inside;
    }
    wrapping
}

/// The output of a codec for `bytes`, at most `limit` bytes; `None` at a fault. Its work is added to `work`.
fn decoded(
    row: &CodecRow,
    bytes: &[u8],
    limit: u64,
    work: &mut u64,
    registry: &Registry,
) -> Option<Vec<u8>> {
    // What was done already is not there any more for what is left to do.
    let limit = limit.saturating_sub(*work / SLOWEST);
    if (bytes.len() as u64).saturating_mul(row.nanoseconds) > limit.saturating_mul(SLOWEST) {
        return None;
    }
    let (format, name) = match (row.v2, row.v3) {
        ([id, ..], _) => (Format::V2, id),
        ([], [name, ..]) => (Format::V3, name),
        ([], []) => return None,
    };
    let spec = CodecSpec::new(*name, "");
    let setup = Setup { spec: &spec, format, registry, array: None, depth: 0 };
    let codec = (row.build)(&setup).ok()?.value;
    let input = &Data::Bytes(Bytes::whole(bytes.to_vec()));
    let budget = Budget::default().with_limit(limit);
    let outcome = codec.decode(&Context { input, decoded: None, expected: None, budget }).ok()?;
    let made = outcome.output.as_ref().map_or(0, |output| output.bytes().len());
    *work += (bytes.len() as u64).max(made).saturating_mul(row.nanoseconds);
    let sound = outcome.error.is_none()
        && outcome.notes.is_empty()
        && outcome.checksum.is_none_or(|checksum| checksum.agrees());
    let output = outcome.output.filter(|_| sound)?;
    output.bytes().as_whole().filter(|bytes| !bytes.is_empty()).map(<[u8]>::to_vec)
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
        let wrapping = unwrap([packed, sum.to_vec()].concat(), LIMIT, &Registry::default());
        assert_eq!(wrapping.inside, numbers);
        let names: Vec<_> = wrapping.names(Format::V3).collect();
        assert_eq!(names, ["zstd", "crc32c"]);
    }

    #[test]
    fn what_only_begins_like_a_codec_is_left_alone() {
        for beginning in
            [&[0x1f, 0x8b, 8, 0][..], &[0x28, 0xb5, 0x2f, 0xfd], b"BZh9", &[0x78, 0x9c]]
        {
            let bytes = [beginning, &[7; 90]].concat();
            let wrapping = unwrap(bytes.clone(), LIMIT, &Registry::default());
            assert!(wrapping.codecs.is_empty(), "{:?}", wrapping.codecs);
            assert_eq!(wrapping.inside, bytes);
        }
    }
}
