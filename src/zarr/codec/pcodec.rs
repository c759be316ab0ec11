//! `pcodec`: numbers compressed by pco, in the stand-alone format that numcodecs writes: a header, then chunks of up to
//! 2²⁴ numbers. A compressor in V2, from array to bytes in V3.

use super::prelude::*;
use crate::zarr::data_type::native::{self};
use half::f16;
use pco::{
    ChunkConfig, FULL_BATCH_N,
    data_types::{Number, NumberType},
    errors::{ErrorKind, PcoError, PcoResult},
    standalone::{DecompressorItem, FileDecompressor, simple_compress},
};

#[derive(Debug)]
struct Pcodec {
    kind: CodecKind,
    /// The settings that only encoding uses.
    level: usize,
}

pub(super) static ROW: CodecRow = CodecRow {
    nanoseconds: 4,
    v3: &["numcodecs.pcodec", "pcodec"],
    v2: &["pcodec"],
    members: &[
        "level",
        "mode_spec",
        "delta_spec",
        "paging_spec",
        "delta_encoding_order",
        "equal_pages_up_to",
    ],
    lesson: "Lossless compression of numbers, which are split into bins and remainders.",
    compresses: true,
    keeps: u64::MAX,
    package: Some("pcodec"),
    signature: Signature::Magic("pcodec data", b"pco!"),
    ..CodecRow::new(CodecKind::ArrayToBytes, build)
};

fn build(setup: &Setup) -> Built {
    let kind = setup.kind(CodecKind::ArrayToBytes);
    let level = setup.level(8, 0..=12).unwrap_or(8);
    let level = usize::try_from(level).unwrap_or(8);
    built(Pcodec { kind, level })
}

impl Codec for Pcodec {
    fn kind(&self) -> CodecKind {
        self.kind
    }

    fn decode(&self, context: &Context) -> Result<Outcome> {
        let input = context.whole()?;
        let mut file = File { input, context, header: Vec::new(), out: Vec::new() };
        let error = file.read().err();
        let File { header, out, .. } = file;
        Ok(Outcome { header, ..outcome(self.kind, context, out, error) })
    }

    fn encode(&self, context: &Context) -> Result<Data> {
        let array = context.array()?;
        let (bytes, endian) = flat(context)?;
        let level = self.level;
        let bytes = match array.data_type.native() {
            Some(Native::I16) => compressed::<i16>(&bytes, endian, level),
            Some(Native::I32) => compressed::<i32>(&bytes, endian, level),
            Some(Native::I64) => compressed::<i64>(&bytes, endian, level),
            Some(Native::U16) => compressed::<u16>(&bytes, endian, level),
            Some(Native::U32) => compressed::<u32>(&bytes, endian, level),
            Some(Native::U64) => compressed::<u64>(&bytes, endian, level),
            Some(Native::F16) => compressed::<f16>(&bytes, endian, level),
            Some(Native::F32) => compressed::<f32>(&bytes, endian, level),
            Some(Native::F64) => compressed::<f64>(&bytes, endian, level),
            _ => {
                let expected = "integers or floats of 16, 32 or 64 bits";
                return Err(Error::new(Code::CodecDataType, array.data_type.name(), expected));
            }
        };
        Ok(Data::whole(bytes.map_err(not_compressed)?))
    }
}

fn compressed<T: Number + Primitive>(
    bytes: &[u8],
    endian: Endian,
    level: usize,
) -> PcoResult<Vec<u8>> {
    let config = ChunkConfig::default().with_compression_level(level);
    simple_compress::<T>(&native::decode(bytes, endian), &config)
}

/// The numbers to be encoded, in C order, and their byte order.
pub(super) fn flat<'a>(context: &Context<'a>) -> Result<(Cow<'a, [u8]>, Endian)> {
    match context.input.elements() {
        Some(elements) => Ok((elements.c_order()?, elements.order().endian())),
        None => Ok((Cow::Borrowed(context.whole()?), Endian::Little)),
    }
}

/// What came out of a stream of numbers, little-endian, on either side of the bytes, and what was wrong until then.
pub(super) fn outcome(
    kind: CodecKind,
    context: &Context,
    bytes: Vec<u8>,
    error: Option<Error>,
) -> Outcome {
    if kind == CodecKind::BytesToBytes {
        return Outcome { error, ..Outcome::bytes(bytes) };
    }
    let array = match context.array() {
        Ok(array) => array,
        Err(error) => return Outcome::failed(error),
    };
    let found = bytes.len() as u64;
    let wrong = array.byte_len().filter(|&wanted| wanted != found).map(|wanted| {
        let code = if found < wanted { Code::ChunkTruncated } else { Code::ChunkTooLong };
        Error::new(code, format!("{found} bytes of numbers"), format!("{wanted} bytes"))
    });
    let size = array.data_type.fixed_size().unwrap_or(1);
    let elements = array.elements(Places::Fixed(size), Bytes::whole(bytes));
    Outcome { error: error.or(wrong), ..Outcome::elements(elements) }
}

/// A file of pco being read.
struct File<'a> {
    input: &'a [u8],
    context: &'a Context<'a>,
    header: Vec<HeaderField>,
    /// The numbers, little-endian.
    out: Vec<u8>,
}

impl<'a> File<'a> {
    fn read(&mut self) -> Result<()> {
        let (file, mut rest) =
            FileDecompressor::new(self.input).map_err(|error| self.fault(&error, 0))?;
        let (version, end) = (self.input.get(4).copied(), self.at(rest));
        self.say(0..4, "magic", "70 63 6f 21, pco!".into());
        self.say(4..5, "version", version.unwrap_or_default().to_string());
        self.say(5..end, "numbers", format!("{} (a hint)", file.n_hint()));
        let mut number = None;
        loop {
            let at = self.at(rest);
            let next = file.peek_number_type_or_termination(rest);
            let Some(kind) = next.map_err(|error| self.fault(&error, at))? else { return Ok(()) };
            if number.replace(kind).is_none() {
                self.say(at..at + 1, "number type", format!("{kind:?}").to_lowercase());
            }
            match self.chunk(&file, rest, kind)? {
                Some(behind) => rest = behind,
                None => return Ok(()),
            }
        }
    }

    fn chunk(
        &mut self,
        file: &FileDecompressor,
        rest: &'a [u8],
        kind: NumberType,
    ) -> Result<Option<&'a [u8]>> {
        match kind {
            NumberType::U8 => self.numbers::<u8>(file, rest),
            NumberType::U16 => self.numbers::<u16>(file, rest),
            NumberType::U32 => self.numbers::<u32>(file, rest),
            NumberType::U64 => self.numbers::<u64>(file, rest),
            NumberType::I8 => self.numbers::<i8>(file, rest),
            NumberType::I16 => self.numbers::<i16>(file, rest),
            NumberType::I32 => self.numbers::<i32>(file, rest),
            NumberType::I64 => self.numbers::<i64>(file, rest),
            NumberType::F16 => self.numbers::<f16>(file, rest),
            NumberType::F32 => self.numbers::<f32>(file, rest),
            NumberType::F64 => self.numbers::<f64>(file, rest),
            other => {
                Err(corrupt(self.input.len() - rest.len(), format!("numbers of type {other:?}")))
            }
        }
    }

    /// Reads one chunk, and gives what is after it; `None` at the end of the data.
    fn numbers<T: Number + Primitive>(
        &mut self,
        file: &FileDecompressor,
        rest: &'a [u8],
    ) -> Result<Option<&'a [u8]>> {
        let at = self.at(rest);
        let item = file.chunk_decompressor::<T, _>(rest).map_err(|error| self.fault(&error, at))?;
        let DecompressorItem::Chunk(mut chunk) = item else { return Ok(None) };
        let wanted =
            (chunk.n() as u64).saturating_mul(T::SIZE as u64).saturating_add(self.out.len() as u64);
        if wanted > self.context.budget.limit() {
            return Err(too_large(self.context).at_offset(at));
        }
        let mut batch = vec![T::default(); BATCHES * FULL_BATCH_N];
        loop {
            if self.context.budget.is_stopped() {
                return Err(stopped());
            }
            let progress = chunk.read(&mut batch).map_err(|error| self.fault(&error, at))?;
            let numbers = batch.get(..progress.n_processed).unwrap_or_default();
            T::write(numbers, Endian::Little, &mut self.out);
            if progress.finished {
                return Ok(Some(chunk.into_src()));
            }
        }
    }

    fn at(&self, rest: &[u8]) -> u64 {
        (self.input.len() - rest.len()) as u64
    }

    fn say(&mut self, bytes: Range<u64>, name: &str, value: String) {
        self.header.push(HeaderField::new(bytes, name, value));
    }

    fn fault(&self, error: &PcoError, at: u64) -> Error {
        if matches!(error.kind, ErrorKind::InsufficientData) {
            return truncated(self.input.len(), "pco");
        }
        corrupt(usize::try_from(at).unwrap_or(0), format!("damaged pco data ({error})"))
    }
}

/// The number of batches of pco decoded at a time.
const BATCHES: usize = 64;
