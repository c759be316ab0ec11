//! The codecs that put a 32-bit checksum before or behind the bytes: `crc32c` of V3, and those of numcodecs.

use super::{
    Checksum, Codec, CodecKind, Context, Data, Outcome, Representation, Size, config::Setup,
};
use crate::zarr::{
    error::{Error, Flagged, Note, Result},
    format::Format,
};
use std::sync::Arc;

/// Where a checksum stands.
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
    ("fletcher32", super::fletcher32::fletcher32),
];

#[derive(Debug)]
struct ChecksumCodec {
    algorithm: &'static str,
    compute: Compute,
    location: Location,
}

pub(super) fn crc32c(setup: &Setup<'_>) -> Result<Flagged<Arc<dyn Codec>>> {
    build(setup, "crc32c", ::crc32c::crc32c, Location::End)
}

pub(super) fn crc32(setup: &Setup<'_>) -> Result<Flagged<Arc<dyn Codec>>> {
    build(setup, "crc32", crc32fast::hash, Location::Start)
}

pub(super) fn adler32(setup: &Setup<'_>) -> Result<Flagged<Arc<dyn Codec>>> {
    build(setup, "adler32", adler2::adler32_slice, Location::Start)
}

pub(super) fn fletcher32(setup: &Setup<'_>) -> Result<Flagged<Arc<dyn Codec>>> {
    build(setup, "fletcher32", super::fletcher32::fletcher32, Location::End)
}

fn build(
    setup: &Setup<'_>,
    algorithm: &'static str,
    compute: Compute,
    default: Location,
) -> Result<Flagged<Arc<dyn Codec>>> {
    let location = match setup.text("location")? {
        None => default,
        Some("start") => Location::Start,
        Some("end") => Location::End,
        Some(other) => {
            let found = crate::zarr::json::quoted(other);
            return Err(setup.fault("location", found, "\"start\" or \"end\""));
        }
    };
    let codec = Arc::new(ChecksumCodec { algorithm, compute, location });
    if setup.spec.name == "crc32c" && setup.format == Format::V3 && location == Location::Start {
        let text =
            "The registered crc32c of V3 knows no location: other readers look for it at the end.";
        return Ok(Flagged::noted(codec, Note::new("crc32c-location", text)));
    }
    Ok(Flagged::plain(codec))
}

impl Codec for ChecksumCodec {
    fn kind(&self) -> CodecKind {
        CodecKind::BytesToBytes
    }

    fn encoded_size(&self, decoded: Size) -> Size {
        decoded.plus(4)
    }

    fn decode(&self, input: &Data, _: Option<&Representation>, _: &Context<'_>) -> Outcome {
        let bytes = match super::whole(input) {
            Ok(bytes) => bytes,
            Err(error) => return Outcome::failed(error),
        };
        let Some((stored, payload)) = split(bytes, self.location) else {
            return Outcome::failed(too_short(bytes.len(), self.algorithm));
        };
        let len = bytes.len() as u64;
        let (at, rest) = match self.location {
            Location::Start => (0..4, 4..len),
            Location::End => (len - 4..len, 0..len - 4),
        };
        let computed = (self.compute)(payload);
        let checksum = Checksum {
            algorithm: self.algorithm,
            bytes: at,
            stored: stored.into(),
            computed: computed.into(),
        };
        let notes = if checksum.agrees() { Vec::new() } else { others(bytes, checksum.algorithm) };
        let output = input.bytes().slice(rest).map(Data::Bytes);
        Outcome { output, checksum: Some(checksum), notes, ..Outcome::default() }
    }
}

/// The error for bytes that cannot even hold the checksum.
pub(super) fn too_short(len: usize, algorithm: &str) -> Error {
    let found = format!("{len} bytes");
    Error::new("chunk-truncated", found, format!("at least the 4 bytes of the {algorithm}"))
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

/// Which other checksum, or the same in another place, would agree.
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
                format!("The bytes match {name} at the {place}{how}, not {declared} as declared.");
            notes.push(Note::new("other-checksum", text));
        }
    }
    notes
}
