//! `bz2`: one or several bzip2 streams, each of blocks with a CRC-32 of their own.

use super::prelude::*;
use bzip2::{Compression, Decompress, Status, write::BzEncoder};
use crc::{CRC_32_BZIP2, Crc, Table};

#[derive(Debug)]
struct Bz2 {
    level: u32,
}

pub(super) static ROW: CodecRow = CodecRow {
    nanoseconds: 40,
    usual: [r#""level":1"#, r#""level":1"#],
    v3: &["numcodecs.bz2"],
    v2: &["bz2"],
    members: &["level"],
    lesson: "bzip2: compressed blocks, each with a checksum.",
    compresses: true,
    has_checksum: true,
    keeps: 4 << 20,
    signature: Signature::Magic("bzip2 data", b"BZh"),
    ..CodecRow::new(CodecKind::BytesToBytes, build)
};

fn build(setup: &Setup) -> Built {
    // Decoding asks for no level: one that makes no sense keeps nothing from being read.
    let level = setup.level(1, 1..=9).unwrap_or(1).unsigned_abs();
    built(Bz2 { level })
}

/// The best compression ratio of bzip2: a block of 900,000 equal bytes takes some forty, after run lengths of 255 in
/// five.
const RATIO: usize = 1 << 20;

impl Codec for Bz2 {
    fn encode(&self, context: &Context) -> Result<Data> {
        let encoder = BzEncoder::new(Vec::new(), Compression::new(self.level));
        compressed(context, encoder, BzEncoder::finish)
    }

    fn decode(&self, context: &Context) -> Result<Outcome> {
        let input = context.whole()?;
        let header = header(input, 0)?;
        let mut output = BoundedBuffer::new(context, input.len(), RATIO);
        let (mut notes, mut blocks) = (Vec::new(), Vec::new());
        let next = |end| if_begins(input, b"BZh", end);
        let one = |start, output: &mut BoundedBuffer| {
            self::header(input, start)?;
            stream(input, start, output, context)
        };
        let result = streams(&mut output, &mut blocks, next, one).map(|end| {
            if blocks.len() > 1 {
                let text = format!("{} concatenated bzip2 streams.", blocks.len());
                notes.push(Note::new(Code::SeveralStreams, text));
            }
            notes.extend(super::trailing(input, end));
        });
        let finished =
            result.as_ref().map_or_else(|error| error.code == Code::ChunkCorrupt, |()| true);
        let checksum =
            (finished && blocks.len() < 2).then(|| checksum(input, &output.bytes)).flatten();
        Ok(Outcome { header, checksum, blocks, notes, ..output.finish(result) })
    }
}

/// The CRC of the first block against `output`, where there is no other block.
fn checksum(input: &[u8], output: &[u8]) -> Option<Checksum> {
    let level = input.get(3)?.checked_sub(b'0')?;
    // So much fits a block even where its run lengths make it longer.
    let one = output.len() <= usize::from(level) * 70_000 && input.get(4..10)? == BLOCK;
    let stored = u32::from_be_bytes(*input.get(10..14)?.first_chunk()?);
    one.then(|| Checksum {
        algorithm: "bzip2 crc32",
        bytes: 10..14,
        stored: stored.into(),
        computed: CRC32.checksum(output).into(),
    })
}

/// The CRC-32 of a block.
static CRC32: Crc<u32, Table<16>> = Crc::<u32, Table<16>>::new(&CRC_32_BZIP2);

/// The first bytes of a block.
const BLOCK: &[u8] = b"1AY&SY";

/// Decodes the stream at `start`, and gives where it ends.
fn stream(
    input: &[u8],
    start: usize,
    output: &mut BoundedBuffer,
    context: &Context,
) -> Result<usize> {
    let mut state = Decompress::new(false);
    let step = |piece: &[u8], out: &mut Vec<u8>| {
        let status = state.decompress_vec(piece, out);
        (state.total_in(), status.map(|status| status == Status::StreamEnd))
    };
    decompress(("bzip2", input, start), output, context, step, |error, at| {
        corrupt(at, format!("damaged bzip2 data ({error})"))
    })
}

/// Checks and explains the header of the stream at `start` and of its first block.
fn header(input: &[u8], start: usize) -> Result<Vec<HeaderField>> {
    let rest = input.get(start..).unwrap_or_default();
    let Some((magic, behind)) = rest.split_first_chunk::<4>() else {
        return Err(truncated(input.len(), "bzip2"));
    };
    let [b'B', b'Z', b'h', level @ b'1'..=b'9'] = magic else {
        return Err(other_magic(magic, "the bzip2 magic 42 5a 68 followed by a digit", start));
    };
    let at = start as u64;
    let mut fields = vec![
        HeaderField::new(at..at + 3, "magic", "42 5a 68, bzip2"),
        HeaderField::new(at + 3..at + 4, "block size", format!("{}00,000 bytes", level - b'0')),
    ];
    match behind.get(..6) {
        Some(BLOCK) => {
            fields.push(HeaderField::new(at + 4..at + 10, "first block", "31 41 59 26 53 59"));
            if let Some(crc) = behind.get(6..10) {
                fields.push(HeaderField::new(at + 10..at + 14, "its crc32", hex(crc, " ")));
            }
        }
        Some([0x17, 0x72, 0x45, 0x38, 0x50, 0x90]) => {
            fields.push(HeaderField::new(at + 4..at + 10, "end of stream", "no block: empty"));
        }
        _ => {}
    }
    Ok(fields)
}
