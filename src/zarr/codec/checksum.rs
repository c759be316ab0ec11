//! The codecs that put a 32-bit checksum before or after the bytes: `crc32c` of V3, and those of numcodecs.
//!
//! `fletcher32` and `jenkins_lookup3` are those of HDF5 and are here by hand: no crate has either as HDF5 computes it.

use super::prelude::*;
use super::{other_format::numcodecs_in_v3, registry::FEW};

/// The place of a checksum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Location {
    Start,
    End,
}

type Compute = fn(&[u8]) -> u32;

/// The checksums that are tried on each other where one does not agree.
const KINDS: [(&str, Compute); 4] = [
    ("crc32c", ::crc32c::crc32c),
    ("crc32", crc32fast::hash),
    ("adler32", adler2::adler32_slice),
    ("fletcher32", hdf5_fletcher32),
];

#[derive(Debug)]
struct ChecksumCodec {
    algorithm: &'static str,
    sum: Sum,
    location: Location,
}

/// The function that computes a checksum.
#[derive(Debug)]
enum Sum {
    /// Of the bytes alone.
    Plain(Compute),
    /// Of the bytes after a prefix that is stored nowhere.
    Lookup3 { seed: u32, prefix: Vec<u8> },
}

impl Sum {
    fn of(&self, bytes: &[u8]) -> u32 {
        match self {
            Self::Plain(compute) => compute(bytes),
            Self::Lookup3 { seed, prefix } if prefix.is_empty() => lookup3(bytes, *seed),
            Self::Lookup3 { seed, prefix } => lookup3(&[prefix, bytes].concat(), *seed),
        }
    }
}

pub(super) static CRC32C: CodecRow = CodecRow {
    is_checksum: true,
    v3: &["crc32c", "numcodecs.crc32c"],
    registered: true,
    v2: &["crc32c"],
    members: &["location"],
    lesson: "A 4-byte checksum (Castagnoli polynomial), little-endian; V3 appends it to the data.",
    signature: Signature::Trial(|bytes| bytes.len() >= FEW),
    to_v3: |spec, data_type| match spec.member("location").and_then(Json::as_str) {
        None | Some("end") => Ok(CodecSpec::new("crc32c", "codecs")),
        _ => numcodecs_in_v3(spec, data_type),
    },
    to_v2: |_, _| InV2::codec("crc32c", [("location", Json::from("end"))]),
    ..CodecRow::new(CodecKind::BytesToBytes, |setup| {
        build(setup, "crc32c", ::crc32c::crc32c, Location::End)
    })
};

/// True if this is the row of `crc32c`, which the index of a shard should end with.
pub(super) fn is_crc32c(row: &CodecRow) -> bool {
    std::ptr::eq(row, &raw const CRC32C)
}

pub(super) static CRC32: CodecRow = CodecRow {
    is_checksum: true,
    v3: &["numcodecs.crc32"],
    v2: &["crc32"],
    members: &["location"],
    lesson: "A 4-byte checksum, little-endian; numcodecs 0.17.1 puts it before the data by default.",
    ..CodecRow::new(CodecKind::BytesToBytes, |setup| {
        build(setup, "crc32", crc32fast::hash, Location::Start)
    })
};

pub(super) static ADLER32: CodecRow = CodecRow {
    is_checksum: true,
    v3: &["numcodecs.adler32"],
    v2: &["adler32"],
    members: &["location"],
    lesson: "A weak 4-byte checksum, little-endian; numcodecs 0.17.1 puts it before the data by default.",
    ..CodecRow::new(CodecKind::BytesToBytes, |setup| {
        build(setup, "adler32", adler2::adler32_slice, Location::Start)
    })
};

pub(super) static FLETCHER32: CodecRow = CodecRow {
    is_checksum: true,
    v3: &["numcodecs.fletcher32"],
    v2: &["fletcher32"],
    lesson: "HDF5's 4-byte checksum, appended to the data.",
    ..CodecRow::new(CodecKind::BytesToBytes, |setup| {
        build(setup, "fletcher32", hdf5_fletcher32, Location::End)
    })
};

pub(super) static LOOKUP3: CodecRow = CodecRow {
    is_checksum: true,
    v3: &["numcodecs.jenkins_lookup3"],
    v2: &["jenkins_lookup3"],
    members: &["initval", "prefix"],
    lesson: "HDF5's checksum for its own structures: 4 bytes appended to the data.",
    ..CodecRow::new(CodecKind::BytesToBytes, jenkins)
};

fn jenkins(setup: &Setup) -> Built {
    let said = setup.number("initval")?.unwrap_or(0);
    let seed = u32::try_from(said)
        .ok()
        .ok_or_else(|| setup.fault("initval", said.to_string(), "a 32-bit number"))?;
    let prefix = match setup.member("prefix").filter(|json| !json.is_null()) {
        None => Vec::new(),
        Some(json) => prefix(json)
            .ok_or_else(|| setup.refuse("prefix", json, "null, a string or an array of bytes"))?,
    };
    let (algorithm, sum) = ("jenkins_lookup3", Sum::Lookup3 { seed, prefix });
    built(ChecksumCodec { algorithm, sum, location: Location::End })
}

fn prefix(json: &Json) -> Option<Vec<u8>> {
    if let Some(text) = json.as_str() {
        return Some(text.as_bytes().to_vec());
    }
    json.as_array()?.iter().map(|item| u8::try_from(item.as_u64()?).ok()).collect()
}

fn build(setup: &Setup, algorithm: &'static str, compute: Compute, default: Location) -> Built {
    let places = [("start", Location::Start), ("end", Location::End)];
    let location = setup.choice("location", &places)?.unwrap_or(default);
    let codec = Arc::new(ChecksumCodec { algorithm, sum: Sum::Plain(compute), location });
    if setup.spec.name == "crc32c" && setup.format == Format::V3 && location == Location::Start {
        let text = "The registered V3 crc32c has no location; other readers look for the checksum at the end.";
        return Ok(Flagged::noted(codec, Note::new(Code::CodecOption, text)));
    }
    Ok(Flagged::plain(codec))
}

impl Codec for ChecksumCodec {
    fn encoded_size(&self, decoded: ByteCount) -> ByteCount {
        decoded.plus(4)
    }

    fn decode(&self, context: &Context) -> Result<Outcome> {
        let bytes = context.whole()?;
        let Some((stored, payload)) = split(bytes, self.location) else {
            return Err(too_short(bytes.len(), self.algorithm));
        };
        let len = bytes.len() as u64;
        let (at, rest) = match self.location {
            Location::Start => (0..4, 4..len),
            Location::End => (len - 4..len, 0..len - 4),
        };
        let computed = self.sum.of(payload);
        let checksum = Checksum {
            algorithm: self.algorithm,
            bytes: at,
            stored: stored.into(),
            computed: computed.into(),
        };
        let notes = if checksum.agrees() { Vec::new() } else { others(bytes, checksum.algorithm) };
        let output = context.input.bytes().slice(rest).map(Data::Bytes);
        Ok(Outcome { output, checksum: Some(checksum), notes, ..Outcome::default() })
    }

    fn encode(&self, context: &Context) -> Result<Data> {
        let bytes = context.whole()?;
        let sum = self.sum.of(bytes).to_le_bytes();
        let parts: [&[u8]; 2] = match self.location {
            Location::Start => [&sum, bytes],
            Location::End => [bytes, &sum],
        };
        Ok(Data::whole(parts.concat()))
    }

    /// A checksum in front of the bytes moves them; one after does not.
    fn follow(&self, offset: u64, towards: Towards, passage: &Passage) -> ByteTarget {
        let front = if self.location == Location::Start { 4 } else { 0 };
        let moved = match towards {
            Towards::Elements => offset.checked_sub(front),
            Towards::File => offset.checked_add(front),
        };
        moved.map_or(ByteTarget::Nothing, |at| passage.byte(at, towards))
    }
}

/// The error for bytes that cannot even hold the checksum.
fn too_short(len: usize, algorithm: &str) -> Error {
    let found = format!("{len} bytes");
    Error::new(Code::ChunkTruncated, found, format!("at least the 4 bytes of the {algorithm}"))
        .at_offset(len as u64)
}

/// The stored checksum (little-endian) and what it is of.
fn split(bytes: &[u8], location: Location) -> Option<(u32, &[u8])> {
    match location {
        Location::Start => {
            bytes.split_first_chunk().map(|(sum, rest)| (u32::from_le_bytes(*sum), rest))
        }
        Location::End => {
            bytes.split_last_chunk().map(|(rest, sum)| (u32::from_le_bytes(*sum), rest))
        }
    }
}

/// Notes on other checksums, or the same in another place, that would agree.
fn others(bytes: &[u8], declared: &str) -> Vec<Note> {
    let mut notes = Vec::new();
    for (name, compute) in KINDS {
        for (location, place) in [(Location::Start, "start"), (Location::End, "end")] {
            let Some((stored, payload)) = split(bytes, location) else { continue };
            let computed = compute(payload);
            let how = match stored {
                _ if stored == computed => "",
                _ if stored.swap_bytes() == computed => ", stored big-endian",
                _ => continue,
            };
            let text =
                format!("The bytes match {name} at the {place}{how}, not the declared {declared}.");
            notes.push(Note::new(Code::ChecksumMismatch, text));
        }
    }
    notes
}

/// The checksum of HDF5: two 16-bit sums over big-endian words.
fn hdf5_fletcher32(bytes: &[u8]) -> u32 {
    let (mut low, mut high) = (0_u32, 0_u32);
    // So many words can be added before the sums may overflow 32 bits.
    for block in bytes.chunks(720) {
        for word in block.chunks(2) {
            let word = match *word {
                [first, second] => u16::from_be_bytes([first, second]),
                [first] => u16::from_be_bytes([first, 0]),
                _ => 0,
            };
            low = low.wrapping_add(word.into());
            high = high.wrapping_add(low);
        }
        low = fold(low);
        high = fold(high);
    }
    fold(high) << 16 | fold(low)
}

fn fold(sum: u32) -> u32 {
    (sum & 0xffff) + (sum >> 16)
}

/// Bob Jenkins's hash of 2006: twelve at a time as three little-endian words, mixed; the last one to twelve mixed
/// otherwise.
fn lookup3(bytes: &[u8], seed: u32) -> u32 {
    #[expect(clippy::cast_possible_truncation, reason = "the hash takes the length modulo 2³²")]
    let start = 0xdead_beef_u32.wrapping_add(bytes.len() as u32).wrapping_add(seed);
    let mut state = [start; 3];
    let last = bytes.len().saturating_sub(1) / 12 * 12;
    let (head, tail) = bytes.split_at(last);
    for block in head.chunks_exact(12) {
        add(&mut state, block);
        mix(&mut state);
    }
    if !tail.is_empty() {
        add(&mut state, tail);
        finish(&mut state);
    }
    state[2]
}

fn add(state: &mut [u32; 3], block: &[u8]) {
    for (word, bytes) in state.iter_mut().zip(block.chunks(4)) {
        let value = bytes.iter().rev().fold(0, |value, &byte| value << 8 | u32::from(byte));
        *word = word.wrapping_add(value);
    }
}

fn mix(state: &mut [u32; 3]) {
    let [mut a, mut b, mut c] = *state;
    for rotations in [[4, 6, 8], [16, 19, 4]] {
        a = a.wrapping_sub(c) ^ c.rotate_left(rotations[0]);
        c = c.wrapping_add(b);
        b = b.wrapping_sub(a) ^ a.rotate_left(rotations[1]);
        a = a.wrapping_add(c);
        c = c.wrapping_sub(b) ^ b.rotate_left(rotations[2]);
        b = b.wrapping_add(a);
    }
    *state = [a, b, c];
}

fn finish(state: &mut [u32; 3]) {
    let [mut a, mut b, mut c] = *state;
    c = (c ^ b).wrapping_sub(b.rotate_left(14));
    a = (a ^ c).wrapping_sub(c.rotate_left(11));
    b = (b ^ a).wrapping_sub(a.rotate_left(25));
    c = (c ^ b).wrapping_sub(b.rotate_left(16));
    a = (a ^ c).wrapping_sub(c.rotate_left(4));
    b = (b ^ a).wrapping_sub(a.rotate_left(14));
    c = (c ^ b).wrapping_sub(b.rotate_left(24));
    *state = [a, b, c];
}

#[cfg(test)]
mod tests {
    use super::lookup3;

    /// The values that the author of the hash prints for his own test.
    #[test]
    fn the_hash_is_that_of_its_author() {
        assert_eq!(lookup3(b"", 0), 0xdead_beef);
        assert_eq!(lookup3(b"", 0xdead_beef), 0xbd5b_7dde);
        assert_eq!(lookup3(b"Four score and seven years ago", 0), 0x1777_0551);
        assert_eq!(lookup3(b"Four score and seven years ago", 1), 0xcd62_8161);
    }
}
