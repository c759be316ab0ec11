//! `zstd` (RFC 8878): one or several frames, with or without content size.

use super::prelude::*;
use super::{bounded_buffer::header_too_large, other_format::kept};
use ::zstd::{
    bulk::Compressor,
    stream::raw::{CParameter, Decoder, InBuffer, Operation, OutBuffer},
};
use twox_hash::XxHash64;

mod frame;

/// The best compression ratio of zstd: a whole block in a few bytes.
const RATIO: usize = 1 << 16;

#[derive(Debug)]
struct Zstd {
    level: i32,
    checksum: bool,
}

pub(super) static ROW: CodecRow = CodecRow {
    nanoseconds: 2,
    usual: [r#""level":3"#, r#""level":3,"checksum":false"#],
    v3: &["zstd", "numcodecs.zstd"],
    registered: true,
    v2: &["zstd"],
    members: &["level", "checksum"],
    lesson: "Zstandard: frames whose header can give the decoded size; each can end with a checksum.",
    compresses: true,
    keeps: 128 << 20,
    signature: Signature::Magic("a zstd frame", &[0x28, 0xb5, 0x2f, 0xfd]),
    to_v3: |spec, _| Ok(in_v3("zstd", members(spec))),
    to_v2: |spec, _| InV2::codec("zstd", members(spec)),
    ..CodecRow::new(CodecKind::BytesToBytes, build)
};

/// The configuration, which is the same in both formats, with what was left out.
fn members(spec: &CodecSpec) -> [(&'static str, Json); 2] {
    [kept(spec, "level", Json::from(0)), kept(spec, "checksum", Json::from(false))]
}

fn build(setup: &Setup) -> Built {
    let level = setup.level(0, -131_072..=22)?;
    let checksum = setup.member("checksum").is_some_and(|json| json.kind == Kind::Bool(true));
    built(Zstd { level, checksum })
}

impl Codec for Zstd {
    /// One frame that says its content size, as numcodecs writes it.
    fn encode(&self, context: &Context) -> Result<Data> {
        let mut compressor = Compressor::new(self.level).map_err(not_compressed)?;
        compressor
            .set_parameter(CParameter::ChecksumFlag(self.checksum))
            .map_err(not_compressed)?;
        let bytes = compressor.compress(context.whole()?).map_err(not_compressed)?;
        Ok(Data::whole(bytes))
    }

    fn decode(&self, context: &Context) -> Result<Outcome> {
        let input = context.whole()?;
        let frames = frame::read(input);
        let mut notes: Vec<_> = super::trailing(input, frames.end).into_iter().collect();
        if let Some(note) = notes.first_mut() {
            note.text += " zarr-python 3.4.2 refuses such a chunk.";
        }
        let input = input.get(..frames.end).unwrap_or(input);
        let mut header = frames.header.clone();
        let mut output = BoundedBuffer::new(context, input.len(), RATIO);
        let mut result = frames.error.clone().map_or(Ok(()), Err);
        if result.is_ok() {
            result = decode(input, &mut output, context, usize::MAX);
        }
        if result.is_err() && output.bytes.is_empty() && frames.begun {
            // A frame that is decoded in one go gives nothing at all when it fails; in small steps it gives the
            // blocks before the damage.
            output = BoundedBuffer::new(context, input.len(), RATIO);
            result = decode(input, &mut output, context, STEP).and(result);
        }
        let checksum = frames
            .checksum
            .and_then(|checksum| checked(input, checksum, &mut output, &mut result, context));
        let came = output.bytes.len() as u64;
        let whole = result.is_ok();
        check_size(&mut header, frames.content, came, whole, context.expected);
        if let Some(content) = frames.content.filter(|&n| n > context.budget.limit()) {
            result = result.map_err(|_less| header_too_large(context, content, 5));
        }
        if frames.count > 1 {
            let text = format!("{} concatenated zstd frames.", frames.count);
            notes.push(Note::new(Code::SeveralFrames, text));
        }
        let blocks = if whole { frames.blocks(came) } else { Vec::new() };
        Ok(Outcome { header, checksum, blocks, notes, ..output.finish(result) })
    }
}

/// The room for a decoder that is to show how far it gets.
const STEP: usize = 1 << 14;

/// The number of bytes of output decoded in pieces.
const LONG: u64 = 32 << 20;

/// Decodes all frames of `input`, giving the decoder `step` bytes of room at a time.
fn decode(input: &[u8], output: &mut BoundedBuffer, context: &Context, step: usize) -> Result<()> {
    let mut decoder = Decoder::new().map_err(|error| corrupt(0, error.to_string()))?;
    // In one go is quicker, and of what is long one wants to know how far it is.
    let in_pieces = context.expected.is_some_and(|expected| expected >= LONG);
    let mut at = 0;
    loop {
        output.grow(context)?;
        let (filled, before) = (output.bytes.len(), at);
        let given = if in_pieces { at + piece(input, at).len() } else { input.len() };
        let mut from = InBuffer::around(input.get(..given).unwrap_or(input));
        from.set_pos(at);
        let remaining = if step == usize::MAX {
            let mut to = OutBuffer::around_pos(&mut output.bytes, filled);
            decoder.run(&mut from, &mut to)
        } else {
            let mut room = vec![0; step];
            let mut to = OutBuffer::around(room.as_mut_slice());
            let remaining = decoder.run(&mut from, &mut to);
            output.bytes.extend_from_slice(to.as_slice());
            remaining
        };
        at = from.pos();
        let remaining = remaining.map_err(|error| corrupt(at, damage(&error)))?;
        if remaining == 0 && at == input.len() {
            return Ok(());
        }
        let room_left = step != usize::MAX || output.bytes.len() < output.bytes.capacity();
        if at == input.len() && room_left && (output.bytes.len(), at) == (filled, before) {
            return Err(truncated(input.len(), "zstd"));
        }
    }
}

fn damage(error: &std::io::Error) -> String {
    format!("damaged zstd data ({error})")
}

/// The checksum of the only frame. The library only says that it is wrong, and then gives nothing: so the frame is
/// decoded again as one without checksum, and the right one computed.
fn checked(
    input: &[u8],
    stored: frame::FrameChecksum,
    output: &mut BoundedBuffer,
    result: &mut Result<()>,
    context: &Context,
) -> Option<Checksum> {
    let at = stored.at as u64;
    let checksum = |computed| Checksum {
        algorithm: "xxh64",
        bytes: at..at + 4,
        stored: stored.value.into(),
        computed,
    };
    if result.is_ok() {
        return Some(checksum(stored.value.into()));
    }
    let mut bare = input.get(..stored.at)?.to_vec();
    *bare.get_mut(4)? &= !frame::WITH_CHECKSUM;
    let mut again = BoundedBuffer::new(context, bare.len(), RATIO);
    decode(&bare, &mut again, context, usize::MAX).ok()?;
    let computed = XxHash64::oneshot(0, &again.bytes) & 0xffff_ffff;
    *output = again;
    *result = Ok(());
    Some(checksum(computed))
}

/// Holds the content size of the header against what came out and what was promised.
fn check_size(
    header: &mut [HeaderField],
    content: Option<u64>,
    came: u64,
    whole: bool,
    expected: Option<u64>,
) {
    let Some(content) = content else { return };
    let promised = expected.filter(|&expected| expected != content);
    let problem = match promised {
        _ if whole && content != came => format!("{came} bytes were decoded"),
        Some(promised) => format!("the metadata declares {promised} bytes"),
        None => return,
    };
    if let Some(field) = header.iter_mut().find(|field| field.name == "content size") {
        field.problem = Some(problem);
    }
}
