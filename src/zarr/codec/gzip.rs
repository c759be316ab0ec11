//! `gzip` (RFC 1952): one or several members, each with a header, deflate data, CRC-32 and length. Headers
//! are read by hand because flate2 does not tell at which byte a field stands, nor where a member ends.

use super::prelude::*;
use super::{
    other_format::kept,
    zlib::{RATIO, deflate_level, inflate},
};
use crate::zarr::error::Result;
use flate2::{Compression, write::GzEncoder};

#[derive(Debug)]
struct Gzip {
    level: u32,
}

pub(super) static ROW: CodecRow = CodecRow {
    nanoseconds: 5,
    usual: [r#""level":5"#, r#""level":5"#],
    v3: &["gzip", "numcodecs.gzip"],
    registered: true,
    v2: &["gzip"],
    members: &["level"],
    lesson: "Deflate with a gzip header, followed by a CRC-32 and the decoded size.",
    compresses: true,
    has_checksum: true,
    signature: Signature::Magic("gzip data", &MAGIC),
    // -1 is what zlib calls its default, 6; V3 has no such word.
    to_v3: |spec, _| match spec.member("level").and_then(Json::as_number) {
        Some("-1") => Ok(in_v3("gzip", [("level", Json::from(6))])),
        _ => Ok(in_v3("gzip", [kept(spec, "level", Json::from(1))])),
    },
    to_v2: |spec, _| InV2::codec("gzip", [kept(spec, "level", Json::from(1))]),
    ..CodecRow::new(CodecKind::BytesToBytes, build)
};

fn build(setup: &Setup) -> Built {
    let codec = Flagged::plain(Arc::new(Gzip { level: deflate_level(setup)? }) as Arc<dyn Codec>);
    let Some(level) = setup
        .float("level")?
        .filter(|level| setup.format == Format::V3 && !(0.0..=9.0).contains(level))
    else {
        return Ok(codec);
    };
    let text =
        format!("V3 allows gzip levels 0 to 9, not {level}. Decoding does not use the level.");
    Ok(Flagged { notes: vec![Note::new(Code::CompressionLevel, text)], ..codec })
}

impl Codec for Gzip {
    fn encode(&self, context: &Context) -> Result<Data> {
        let encoder = GzEncoder::new(Vec::new(), Compression::new(self.level));
        compressed(context, encoder, GzEncoder::finish)
    }

    fn decode(&self, context: &Context) -> Result<Outcome> {
        let input = context.whole()?;
        let mut work = Members {
            input,
            output: BoundedBuffer::new(context, input.len(), RATIO),
            header: Vec::new(),
            checksum: None,
            notes: Vec::new(),
            blocks: Vec::new(),
        };
        let result = work.all(context);
        let Members { output, header, checksum, notes, blocks, .. } = work;
        Ok(Outcome { header, checksum, blocks, notes, ..output.finish(result) })
    }
}

/// Members being read, one after the other.
struct Members<'a> {
    input: &'a [u8],
    output: BoundedBuffer,
    header: Vec<HeaderField>,
    checksum: Option<Checksum>,
    notes: Vec<Note>,
    blocks: Vec<Block>,
}

impl Members<'_> {
    fn all(&mut self, context: &Context) -> Result<()> {
        let mut at = self.member(0, context)?;
        let mut members = 1;
        while self.input.get(at..).is_some_and(|rest| rest.starts_with(&MAGIC)) {
            at = self.member(at, context)?;
            members += 1;
        }
        if members > 1 {
            let text = format!("{members} concatenated gzip members.");
            self.notes.push(Note::new(Code::SeveralMembers, text));
        }
        self.notes.extend(super::trailing(self.input, at));
        Ok(())
    }

    /// Reads the member at `start`, and gives where it ends.
    fn member(&mut self, start: usize, context: &Context) -> Result<usize> {
        let first = start == 0;
        let body = header(self.input, start, first.then_some(&mut self.header))?;
        let from = self.output.bytes.len();
        let end = inflate(self.input, body, &mut self.output, context)?;
        let mut fields = ByteReader::new(self.input, end);
        let (Some(stored), Some(length)) = (fields.u32_le(), fields.u32_le()) else {
            return Err(truncated(self.input.len(), "gzip"));
        };
        let came = self.output.bytes.get(from..).unwrap_or_default();
        let computed = crc32fast::hash(came);
        let at = end as u64;
        let checksum = Checksum {
            algorithm: "crc32",
            bytes: at..at + 4,
            stored: stored.into(),
            computed: computed.into(),
        };
        // Of several members the first that is wrong counts.
        if self.checksum.as_ref().is_none_or(Checksum::agrees) {
            self.checksum = Some(checksum);
        }
        let mut field = HeaderField::new(at + 4..at + 8, "length", format!("{length} bytes"));
        #[expect(clippy::cast_possible_truncation, reason = "gzip stores the length modulo 2³²")]
        let actual = came.len() as u32;
        if actual != length {
            field.problem = Some(format!("decoded to {}", byte_count(came.len())));
        }
        self.header.push(field);
        let output = from as u64..self.output.bytes.len() as u64;
        self.blocks.push(Block { input: start as u64..fields.at() as u64, output, exact: false });
        Ok(fields.at())
    }
}

const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// Reads the header of the member at `start`, and gives where its deflate data begins.
fn header(input: &[u8], start: usize, mut out: Option<&mut Vec<HeaderField>>) -> Result<usize> {
    let short = || truncated(input.len(), "gzip header");
    let mut fields = ByteReader::new(input, start);
    let magic = fields.take(2).ok_or_else(short)?;
    if magic != MAGIC {
        let found = format!("the bytes {}", hex(magic, " "));
        return Err(
            Error::new(Code::ChunkCorrupt, found, "the gzip magic 1f 8b").at_offset(start as u64)
        );
    }
    let method = fields.u8().ok_or_else(short)?;
    if method != 8 {
        return Err(corrupt(start + 2, format!("compression method {method}")));
    }
    let flags = fields.u8().ok_or_else(short)?;
    let time = fields.u32_le().ok_or_else(short)?;
    let hint = fields.u8().ok_or_else(short)?;
    let system = fields.u8().ok_or_else(short)?;
    let at = start as u64;
    let mut say = |bytes, name: &str, value: String| {
        if let Some(out) = out.as_mut() {
            out.push(HeaderField::new(bytes, name, value));
        }
    };
    say(at..at + 2, "magic", "1f 8b, gzip".into());
    say(at + 2..at + 3, "method", "8, deflate".into());
    say(at + 3..at + 4, "flags", format!("{flags:#04x}"));
    say(
        at + 4..at + 8,
        "modified",
        if time == 0 { "not stored".into() } else { format!("{time} s since 1970") },
    );
    say(at + 8..at + 9, "extra flags", effort(hint).into());
    say(at + 9..at + 10, "system", system_name(system));
    optional(&mut fields, flags, say).ok_or_else(short)?;
    Ok(fields.at())
}

/// Skips the optional parts of a header: extra field, name, comment, header checksum.
fn optional(
    fields: &mut ByteReader,
    flags: u8,
    mut say: impl FnMut(Range<u64>, &str, String),
) -> Option<()> {
    if flags & 4 != 0 {
        let length = fields.u16_le()?;
        fields.take(length.into())?;
    }
    for (bit, name) in [(8, "name"), (16, "comment")] {
        if flags & bit != 0 {
            let from = fields.at() as u64;
            let text = fields.until_zero()?;
            say(from..fields.at() as u64, name, crate::zarr::text::safe_bytes(text));
        }
    }
    if flags & 2 != 0 {
        fields.take(2)?;
    }
    Some(())
}

fn effort(hint: u8) -> &'static str {
    match hint {
        2 => "2, best compression",
        4 => "4, fastest",
        0 => "0",
        _ => "unknown",
    }
}

fn system_name(system: u8) -> String {
    match system {
        0 => "0, FAT".into(),
        3 => "3, Unix".into(),
        11 => "11, NTFS".into(),
        255 => "255, unknown".into(),
        other => other.to_string(),
    }
}
