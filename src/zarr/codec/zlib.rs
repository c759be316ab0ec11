//! `zlib` (RFC 1950): two bytes, deflate data, Adler-32; and the deflate data itself, which gzip wraps in its own way.

use super::prelude::*;
use flate2::{Compression, Decompress, FlushDecompress, Status, write::ZlibEncoder};

#[derive(Debug)]
struct Zlib {
    level: u32,
}

pub(super) static ROW: CodecRow = CodecRow {
    nanoseconds: 5,
    usual: [r#""level":1"#, r#""level":1"#],
    v3: &["numcodecs.zlib"],
    v2: &["zlib"],
    members: &["level"],
    lesson: "Deflate with a 2-byte header and an Adler-32 at the end.",
    compresses: true,
    has_checksum: true,
    signature: Signature::Header("zlib data", |bytes| {
        let pair = bytes.first_chunk().map(|pair| u16::from_be_bytes(*pair));
        pair.is_some_and(|pair| pair >> 8 == 0x78 && pair % 31 == 0)
    }),
    ..CodecRow::new(CodecKind::BytesToBytes, |setup| built(Zlib { level: deflate_level(setup)? }))
};

/// The level of deflate, 1 where none is said, as numcodecs has it; -1 is what zlib calls its default, 6.
pub(super) fn deflate_level(setup: &Setup) -> Result<u32> {
    let level = setup.level(1, -1..=9)?;
    Ok(u32::try_from(level).unwrap_or(6))
}

impl Codec for Zlib {
    fn encode(&self, context: &Context) -> Result<Data> {
        let encoder = ZlibEncoder::new(Vec::new(), Compression::new(self.level));
        compressed(context, encoder, ZlibEncoder::finish)
    }

    fn decode(&self, context: &Context) -> Result<Outcome> {
        let input = context.whole()?;
        let header = header(input)?;
        let mut output = BoundedBuffer::new(context, input.len(), RATIO);
        let end = inflate(input, 2, &mut output, context);
        let stored = end.and_then(|end| {
            let stored = ByteReader::new(input, end).u32_be();
            stored.map(|stored| (end, stored)).ok_or_else(|| truncated(input.len(), "zlib"))
        });
        let (end, stored) = match stored {
            Ok(found) => found,
            Err(error) => return Ok(Outcome { header, ..output.finish(Err(error)) }),
        };
        let checksum = Checksum {
            algorithm: "adler32",
            bytes: end as u64..end as u64 + 4,
            stored: stored.into(),
            computed: adler2::adler32_slice(&output.bytes).into(),
        };
        let notes = super::trailing(input, end + 4).into_iter().collect();
        Ok(Outcome { header, checksum: Some(checksum), notes, ..output.finish(Ok(())) })
    }
}

/// Checks and explains the two bytes before the data.
fn header(input: &[u8]) -> Result<Vec<HeaderField>> {
    let mut fields = ByteReader::new(input, 0);
    let (Some(method), Some(flags)) = (fields.u8(), fields.u8()) else {
        return Err(truncated(input.len(), "zlib header"));
    };
    let check = (u16::from(method) << 8 | u16::from(flags)) % 31;
    if method & 15 != 8 || check != 0 {
        return Err(other_magic(&[method, flags], "a zlib header, such as 78 9c", 0));
    }
    if flags & 32 != 0 {
        return Err(corrupt(1, "a preset dictionary, which Zarr codecs cannot provide".into()));
    }
    let window = 1_u32 << (u32::from(method >> 4).min(7) + 8);
    let level = ["fastest", "fast", "default", "best"][usize::from(flags >> 6)];
    Ok(vec![
        HeaderField::new(0..1, "method", format!("8, deflate; window {window} bytes")),
        HeaderField::new(1..2, "level", level),
    ])
}

/// The best compression ratio of deflate: 258 bytes in two bits, and a little for headers.
pub(super) const RATIO: usize = 1040;

/// Inflates `input` from `start` on, and gives where the compressed data ends.
///
/// # Errors
///
/// If the data is damaged or ends early, with the offset in `input`; what had come out stays in `output`.
pub(super) fn inflate(
    input: &[u8],
    start: usize,
    output: &mut BoundedBuffer,
    context: &Context,
) -> Result<usize> {
    let mut state = Decompress::new(false);
    let step = |piece: &[u8], out: &mut Vec<u8>| {
        let status = state.decompress_vec(piece, out, FlushDecompress::None);
        (state.total_in(), status.map(|status| status == Status::StreamEnd))
    };
    decompress(("deflate", input, start), output, context, step, |error, at| {
        corrupt(at, format!("damaged deflate data ({error})"))
    })
}
