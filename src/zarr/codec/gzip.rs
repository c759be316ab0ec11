//! `gzip` (RFC 1952): one or several members, each with a header, deflate data, CRC-32 and length. Headers
//! are read by hand because flate2 does not tell at which byte a field stands, nor where a member ends.

use super::prelude::*;
use super::{
    other_format::kept,
    zlib::{RATIO, deflate_level, inflate},
};
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
        let mut output = BoundedBuffer::new(context, input.len(), RATIO);
        let (mut header, mut checksum, mut notes, mut blocks) =
            (Vec::new(), None, Vec::new(), Vec::new());
        let member = |start, output: &mut BoundedBuffer| {
            let mut fields = self::header(input, start)?;
            if start == 0 {
                header.append(&mut fields.header);
            }
            let from = output.bytes.len();
            let end = inflate(input, fields.at(), output, context)?;
            let came = output.bytes.get(from..).unwrap_or_default();
            let (sum, fields, end) = trailer(input, end, came)?;
            header.extend(fields);
            // Of several members the first that is wrong counts.
            if checksum.as_ref().is_none_or(Checksum::agrees) {
                checksum = Some(sum);
            }
            Ok(end)
        };
        let next = |end| if_begins(input, &MAGIC, end);
        let result = streams(&mut output, &mut blocks, next, member).map(|end| {
            if blocks.len() > 1 {
                let text = format!("{} concatenated gzip members.", blocks.len());
                notes.push(Note::new(Code::SeveralMembers, text));
            }
            notes.extend(super::trailing(input, end));
        });
        Ok(Outcome { header, checksum, blocks, notes, ..output.finish(result) })
    }
}

/// The checksum of a member at `end` of its data, the length after it, and where the member ends.
fn trailer(input: &[u8], end: usize, came: &[u8]) -> Result<(Checksum, Vec<HeaderField>, usize)> {
    let mut fields = ByteReader::new(input, end);
    let short = || truncated(input.len(), "gzip");
    let stored = fields.u32_le().ok_or_else(short)?;
    let bytes = end as u64..fields.at() as u64;
    fields.skip();
    let length = fields.u32_le().ok_or_else(short)?;
    #[expect(clippy::cast_possible_truncation, reason = "gzip stores the length modulo 2³²")]
    let is_wrong = came.len() as u32 != length;
    let problem = is_wrong.then(|| format!("decoded to {}", byte_count(came.len())));
    fields.judged_field("length", format!("{length} bytes"), problem);
    let (stored, computed) = (stored.into(), crc32fast::hash(came).into());
    let end = fields.at();
    Ok((Checksum { algorithm: "crc32", bytes, stored, computed }, fields.header, end))
}

const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// Reads the header of the member at `start`; its deflate data follow.
fn header(input: &[u8], start: usize) -> Result<ByteReader<'_>> {
    let short = || truncated(input.len(), "gzip header");
    let mut fields = ByteReader::new(input, start);
    let magic = fields.take(2).ok_or_else(short)?;
    if magic != MAGIC {
        return Err(other_magic(magic, "the gzip magic 1f 8b", start));
    }
    fields.field("magic", "1f 8b, gzip");
    let method = fields.u8().ok_or_else(short)?;
    if method != 8 {
        return Err(corrupt(start + 2, format!("compression method {method}")));
    }
    fields.field("method", "8, deflate");
    rest_of_header(&mut fields).ok_or_else(short)?;
    Ok(fields)
}

/// Reads the header after its method; extra field and header checksum are not shown.
fn rest_of_header(fields: &mut ByteReader) -> Option<()> {
    let flags = fields.u8()?;
    fields.field("flags", format!("{flags:#04x}"));
    let modified = match fields.u32_le()? {
        0 => "not stored".to_owned(),
        time => format!("{time} s since 1970"),
    };
    fields.field("modified", modified);
    let hint = fields.u8()?;
    fields.field("extra flags", effort(hint));
    let system = fields.u8()?;
    fields.field("system", system_name(system));
    if flags & 4 != 0 {
        let length = fields.u16_le()?;
        fields.take(length.into())?;
        fields.skip();
    }
    for (bit, name) in [(8, "name"), (16, "comment")] {
        if flags & bit != 0 {
            let text = fields.until_zero()?;
            fields.field(name, crate::zarr::text::safe_bytes(text));
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
