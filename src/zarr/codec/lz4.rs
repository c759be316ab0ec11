//! `lz4` of numcodecs: four bytes with the decoded size, then one LZ4 block.

use super::prelude::*;
use super::{bounded_buffer::header_too_large, registry::FEW};

#[derive(Debug)]
struct Lz4;

pub(super) static ROW: CodecRow = CodecRow {
    usual: [r#""acceleration":1"#, r#""acceleration":1"#],
    v3: &["numcodecs.lz4"],
    v2: &["lz4"],
    members: &["acceleration"],
    lesson: "A 4-byte decoded size followed by one LZ4 block.",
    compresses: true,
    // The decoded length in front of a bare block is never much shorter than that.
    signature: Signature::Trial(|bytes| {
        let promised = bytes.first_chunk().map(|len| u32::from_le_bytes(*len) as usize);
        bytes.len() >= FEW * 4
            && promised.is_some_and(|promised| {
                promised.saturating_add(promised / 8 + FEW) >= bytes.len()
                    && promised / RATIO <= bytes.len()
            })
    }),
    ..CodecRow::new(CodecKind::BytesToBytes, |_| built(Lz4))
};

/// The best compression ratio of an LZ4 block: a byte says at most 255 bytes more of a match.
const RATIO: usize = 255;

impl Codec for Lz4 {
    fn encode(&self, context: &Context) -> Result<Data> {
        let input = context.whole()?;
        let size = u32::try_from(input.len()).map_err(|_more| {
            Error::new(
                Code::TooLarge,
                byte_count(input.len()),
                "at most 4 GiB, the most that the header can hold",
            )
        })?;
        let block = lz4_flex::block::compress(input);
        Ok(Data::whole([&size.to_le_bytes()[..], &block].concat()))
    }

    fn decode(&self, context: &Context) -> Result<Outcome> {
        let input = context.whole()?;
        let Some(promised) = ByteReader::new(input, 0).u32_le() else {
            return Err(truncated(input.len(), "lz4"));
        };
        let expected = context.expected.filter(|&expected| expected != u64::from(promised));
        let problem = expected
            .map(|expected| format!("shape and data type give {}", counted(expected, "byte")));
        let field = HeaderField::new(0..4, "decoded size", format!("{promised} bytes"));
        let mut out = Vec::new();
        let error = block(input, promised as usize, context, &mut out).err();
        let header = vec![HeaderField { problem, ..field }];
        Ok(Outcome { header, error, ..Outcome::bytes(out) })
    }
}

/// Decodes the block after the size; beside an error what came out until then.
fn block(input: &[u8], promised: usize, context: &Context, out: &mut Vec<u8>) -> Result<()> {
    let body = input.get(4..).unwrap_or_default();
    if promised as u64 > context.budget.limit() {
        return Err(header_too_large(context, promised as u64, 0));
    }
    if promised > body.len().saturating_mul(RATIO).saturating_add(RATIO) {
        let found = format!("a header that declares {promised} bytes");
        let expected = format!("at most what {} bytes of LZ4 data can hold", body.len());
        sequences(body, promised, out).ok();
        return Err(Error::new(Code::ChunkCorrupt, found, expected).at_offset(0));
    }
    *out = filled(0, promised)?;
    if lz4_flex::block::decompress_into(body, out).is_ok_and(|len| len == promised) {
        return Ok(());
    }
    // The decoder says neither where the damage is nor what came before it.
    *out = Vec::new();
    sequences(body, promised, out)?;
    if out.len() == promised {
        return Ok(());
    }
    let expected = format!("the {promised} bytes that the header declares");
    let error = Error::new(Code::ChunkTruncated, format!("{} bytes", out.len()), expected);
    Err(error.at_offset(input.len() as u64))
}

/// Decodes one sequence (literals, then a match) after the other until the end, the damage, or `most` bytes.
fn sequences(body: &[u8], most: usize, out: &mut Vec<u8>) -> Result<()> {
    let mut fields = ByteReader::new(body, 0);
    while fields.at() < body.len() {
        let at = fields.at();
        sequence(&mut fields, body.len(), most, out).map_err(|found| corrupt(4 + at, found))?;
    }
    Ok(())
}

fn sequence(
    fields: &mut ByteReader,
    end: usize,
    most: usize,
    out: &mut Vec<u8>,
) -> Result<(), String> {
    let cut = || "an LZ4 sequence that reaches past the end".to_owned();
    let token = fields.u8().ok_or_else(cut)?;
    let literals = length(fields, token >> 4).ok_or_else(cut)?;
    let room = most - out.len();
    let bytes = fields.take(literals).ok_or_else(cut)?;
    out.extend_from_slice(bytes.get(..room.min(bytes.len())).unwrap_or_default());
    if literals > room {
        return Err(format!(
            "{literals} literals where the declared size leaves room for {room} bytes"
        ));
    }
    if fields.at() == end {
        return Ok(());
    }
    let distance: usize = fields.u16_le().ok_or_else(cut)?.into();
    let matched = length(fields, token & 15).ok_or_else(cut)?.saturating_add(4);
    let room = most - out.len();
    let Some(start) = out.len().checked_sub(distance).filter(|_| distance > 0) else {
        return Err(format!(
            "an LZ4 match {distance} bytes back, after only {} decoded bytes",
            out.len()
        ));
    };
    for from in (start..).take(matched.min(room)) {
        out.extend(out.get(from).copied());
    }
    if matched > room {
        return Err(format!(
            "a match of {matched} bytes where the declared size leaves room for {room}"
        ));
    }
    Ok(())
}

/// A length that begins in four bits and goes on, where they are all set, in further bytes.
fn length(fields: &mut ByteReader, first: u8) -> Option<usize> {
    let mut length = usize::from(first);
    if first == 15 {
        loop {
            let more = fields.u8()?;
            length = length.saturating_add(more.into());
            if more < 255 {
                break;
            }
        }
    }
    Some(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_walk_that_finds_damage_gives_what_the_decoder_gives() {
        for data in [&b"abcabcabcabcabcabcabcabcabc-0123456789"[..], &[7; 5000], b"x"] {
            let packed = lz4_flex::block::compress(data);
            let (mut whole, mut part) = (Vec::new(), Vec::new());
            assert_eq!(sequences(&packed, data.len(), &mut whole), Ok(()));
            assert_eq!(whole, data);
            assert!(sequences(&packed, data.len() - 1, &mut part).is_err());
            assert!(data.starts_with(&part));
        }
    }
}
