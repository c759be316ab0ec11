//! `lzma` of numcodecs: whatever liblzma writes, as `format` says: `.xz` streams (1), the older `.lzma` (2), or bare
//! data of the filters in the configuration (3). GDAL writes `.xz` and says no `format`.

use super::prelude::*;
use liblzma::{
    stream::{Action, Check, IGNORE_CHECK, LzmaOptions, Status, Stream},
    write::XzEncoder,
};
use raw::LzmaFilter;

mod header;
mod raw;

/// The container of the compressed data.
#[derive(Debug)]
enum Container {
    /// `.xz` or `.lzma`, as the first bytes say.
    Auto,
    Xz,
    Alone,
    Raw(Vec<LzmaFilter>),
}

#[derive(Debug)]
struct Lzma {
    container: Container,
    /// The settings that only encoding uses: preset, the check of `.xz`, its filters where they are listed.
    preset: u32,
    check: Check,
    filters: Option<Vec<LzmaFilter>>,
}

pub(super) static ROW: CodecRow = CodecRow {
    nanoseconds: 12,
    usual: [
        r#""format":1,"check":-1,"preset":null,"filters":null"#,
        r#""format":1,"check":-1,"preset":null,"filters":null"#,
    ],
    v3: &["numcodecs.lzma"],
    v2: &["lzma"],
    members: &["format", "check", "preset", "filters", "delta"],
    lesson: "LZMA or xz; the configuration gives container, checksum and filters.",
    compresses: true,
    keeps: u64::MAX,
    signature: Signature::Magic("xz data", &header::MAGIC),
    ..CodecRow::new(CodecKind::BytesToBytes, build)
};

fn build(setup: &Setup) -> Built {
    let container = match setup.number("format")? {
        None | Some(1) => Container::Xz,
        Some(0) => Container::Auto,
        Some(2) => Container::Alone,
        Some(3) => Container::Raw(raw::filters(setup)?),
        Some(other) => {
            let expected = "1 (.xz), 2 (.lzma), 3 (raw) or 0 (either of the first two)";
            return Err(setup.fault("format", other.to_string(), expected));
        }
    };
    // Decoding asks for none of these: what makes no sense keeps nothing from being read.
    let preset =
        setup.number("preset").ok().flatten().and_then(|preset| u32::try_from(preset).ok());
    let check = match setup.member("check").and_then(Json::as_u64) {
        Some(0) => Check::None,
        Some(1) => Check::Crc32,
        Some(10) => Check::Sha256,
        _ => Check::Crc64,
    };
    let filters = setup.member("filters").and_then(|_| raw::filters(setup).ok());
    let preset = preset.unwrap_or(6);
    let is_raw = matches!(container, Container::Raw(_));
    let notes = refused_elsewhere(setup, is_raw).into_iter().collect();
    Ok(Flagged { value: Arc::new(Lzma { container, preset, check, filters }), notes })
}

/// The note on members that change nothing here, and that numcodecs cannot decode with.
fn refused_elsewhere(setup: &Setup, is_raw: bool) -> Option<Note> {
    let member = |key: &str| setup.member(key).filter(|member| !member.is_null());
    if is_raw || member("filters").is_none() {
        return None;
    }
    let text = "\"filters\" beside a \"format\" other than 3 (raw): the container says which filters there are, and the member is \
                ignored here. numcodecs 0.17.1 refuses to decode (ValueError: Cannot specify filters except with FORMAT_RAW). \
                Set it to null.";
    Some(Note::new(Code::CodecOption, text))
}

/// The best compression ratio of LZMA: matches of 273 bytes in a few hundredths of a bit each.
const RATIO: usize = 1 << 14;

impl Codec for Lzma {
    fn encode(&self, context: &Context) -> Result<Data> {
        let stream = match (&self.container, &self.filters) {
            (Container::Raw(filters), _) => {
                raw::encoding_chain(filters).and_then(|chain| Stream::new_raw_encoder(&chain))
            }
            (Container::Alone, _) => LzmaOptions::new_preset(self.preset)
                .and_then(|options| Stream::new_lzma_encoder(&options)),
            (_, Some(filters)) => raw::encoding_chain(filters)
                .and_then(|chain| Stream::new_stream_encoder(&chain, self.check)),
            (_, None) => Stream::new_easy_encoder(self.preset, self.check),
        };
        let encoder = XzEncoder::new_stream(Vec::new(), stream.map_err(not_compressed)?);
        compressed(context, encoder, XzEncoder::finish)
    }

    fn decode(&self, context: &Context) -> Result<Outcome> {
        let input = context.whole()?;
        let xz = match &self.container {
            Container::Xz => true,
            Container::Auto => input.starts_with(&header::MAGIC),
            Container::Alone | Container::Raw(_) => false,
        };
        match &self.container {
            _ if xz => self::xz(input, context),
            Container::Raw(filters) => Ok(raw(input, filters, context)),
            _ => alone(input, context),
        }
    }
}

/// Decodes `.xz`; where a check does not agree the data comes out all the same, with the check beside it.
fn xz(input: &[u8], context: &Context) -> Result<Outcome> {
    let parts = header::xz(input)?;
    let (mut output, mut blocks) = (BoundedBuffer::new(context, input.len(), RATIO), Vec::new());
    let mut result = xz_streams(input, &mut output, context, 0, &mut blocks);
    if result.as_ref().is_err_and(|error| error.code == Code::ChunkCorrupt) {
        // Only without the check does it show whether the data or the check is wrong.
        let (mut all, mut second) = (BoundedBuffer::new(context, input.len(), RATIO), Vec::new());
        let end = xz_streams(input, &mut all, context, IGNORE_CHECK, &mut second);
        if end.is_ok() && second.len() == 1 && parts.checksum(input, &all.bytes).is_some() {
            (result, output, blocks) = (end, all, second);
        }
    }
    let one = result.is_ok() && blocks.len() == 1;
    let checksum = one.then(|| parts.checksum(input, &output.bytes)).flatten();
    let mut notes: Vec<_> = result.iter().filter_map(|&end| super::trailing(input, end)).collect();
    if blocks.len() > 1 {
        let text = format!("{} concatenated xz streams.", blocks.len());
        notes.insert(0, Note::new(Code::SeveralStreams, text));
    }
    let header = parts.fields;
    Ok(Outcome { header, checksum, blocks, notes, ..output.finish(result.map(drop)) })
}

/// Decodes all streams, with zero bytes between them where there are any, and gives where the last one ends.
fn xz_streams(
    input: &[u8],
    output: &mut BoundedBuffer,
    context: &Context,
    flags: u32,
    blocks: &mut Vec<Block>,
) -> Result<usize> {
    // Zeros in fours may separate streams.
    let next = |end| {
        let padding = input.iter().skip(end).take_while(|&&byte| byte == 0).count();
        if_begins(input, &header::MAGIC, end + padding).filter(|_| padding % 4 == 0)
    };
    streams(output, blocks, next, |start, output| {
        let stream = Stream::new_stream_decoder(memory(context), flags);
        run(stream, input, start, &[], output, context, "xz")
    })
}

fn alone(input: &[u8], context: &Context) -> Result<Outcome> {
    let (mut head, header) = header::alone(input, context)?;
    header::shrink_dictionary(&mut head, context.budget.limit());
    let mut output = BoundedBuffer::new(context, input.len(), RATIO);
    let stream = Stream::new_lzma_decoder(u64::MAX);
    let end = run(stream, input, 0, &head, &mut output, context, "lzma");
    let notes = end.iter().filter_map(|&end| super::trailing(input, end)).collect();
    Ok(Outcome { header, notes, ..output.finish(end.map(drop)) })
}

fn raw(input: &[u8], filters: &[LzmaFilter], context: &Context) -> Outcome {
    let mut output = BoundedBuffer::new(context, input.len(), RATIO);
    let stream = raw::chain(filters, context.budget.limit())
        .and_then(|chain| Stream::new_raw_decoder(&chain));
    let end = run(stream, input, 0, &[], &mut output, context, "lzma");
    let notes = end.iter().filter_map(|&end| super::trailing(input, end)).collect();
    Outcome { notes, ..output.finish(end.map(drop)) }
}

/// The most memory that the decoder may use for its dictionary, in bytes. The highest preset takes 65 MiB whatever the
/// length of the data, of which only what is used is really taken.
fn memory(context: &Context) -> u64 {
    context.budget.limit().max(256 << 20)
}

/// Decodes from `start` on until the end of the stream, and gives where that is. The first bytes are taken from `head`
/// instead.
fn run(
    stream: Result<Stream, liblzma::stream::Error>,
    input: &[u8],
    start: usize,
    head: &[u8],
    output: &mut BoundedBuffer,
    context: &Context,
    name: &str,
) -> Result<usize> {
    let mut stream = stream.map_err(|error| fault(error, start, name, context))?;
    let step = |piece: &[u8], out: &mut Vec<u8>| {
        let done = to_usize(stream.total_in());
        let rest = head.get(done..).filter(|rest| !rest.is_empty()).unwrap_or(piece);
        let status = stream.process_vec(rest, out, Action::Run);
        (stream.total_in(), status.map(|status| status == Status::StreamEnd))
    };
    let fault = |error, at| fault(error, at, name, context);
    decompress((name, input, start), output, context, step, fault)
}

fn fault(error: liblzma::stream::Error, at: usize, name: &str, context: &Context) -> Error {
    use liblzma::stream::Error as Cause;
    match error {
        Cause::MemLimit => {
            let found =
                format!("{name} data with a dictionary of more than {} bytes", memory(context));
            Error::new(Code::DecodedTooLarge, found, "a smaller dictionary").at_offset(at as u64)
        }
        Cause::Options => corrupt(at, format!("{name} options that zarrscope cannot decode")),
        Cause::Format => corrupt(at, format!("bytes that are not a {name} stream")),
        _ => corrupt(at, format!("damaged {name} data")),
    }
}
