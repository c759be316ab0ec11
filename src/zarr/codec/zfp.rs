//! `zfp` of the registry and `zfpy` of numcodecs: numbers compressed in blocks of four elements per side. `zfpy` writes
//! a header of its own, `zfp` leaves all to the configuration.

use super::prelude::*;
use super::{
    pcodec::{flat, outcome},
    trailing,
};
use crate::zarr::{data_type::native, words::Joined};
use zfp_rs::{
    ZfpBitStream, ZfpBitStreamRef, ZfpConfig, ZfpDecompressionError, ZfpDimensionality, ZfpField,
    ZfpFieldMut, ZfpHeaderMask, ZfpMode, ZfpScalar, ZfpScalarType, ZfpStreamAlignment,
};

const LESSON: &str = "Numbers compressed in blocks of 4 elements per side. Reversible mode is lossless; the others limit the \
                      rate, the precision or the error, and usually lose digits.";

pub(super) static ZFP: CodecRow = CodecRow {
    v3: &["zfp", "zarrs.zfp", "https://codec.zarrs.dev/array_to_bytes/zfp"],
    registered: true,
    members: &["mode", "minbits", "maxbits", "maxprec", "minexp", "tolerance", "rate", "precision"],
    lesson: LESSON,
    compresses: true,
    ..CodecRow::new(CodecKind::ArrayToBytes, build)
};

pub(super) static ZFPY: CodecRow = CodecRow {
    v3: &["numcodecs.zfpy"],
    v2: &["zfpy"],
    package: Some("zfpy"),
    members: &["mode", "tolerance", "rate", "precision", "compression_kwargs"],
    lesson: LESSON,
    compresses: true,
    signature: Signature::Magic("zfp data with a header", b"zfp\x05"),
    ..CodecRow::new(CodecKind::ArrayToBytes, build_zfpy)
};

/// The mode of the compression.
#[derive(Debug, Clone, Copy)]
enum Mode {
    /// So, without a header.
    Config(ZfpConfig),
    /// So many bits for each number, which is rounded by its type and the rank of the chunk.
    Rate(f64),
    /// As the header says.
    Header,
}

#[derive(Debug)]
struct Zfp {
    kind: CodecKind,
    mode: Mode,
}

fn build(setup: &Setup) -> Built {
    let mode = mode(setup)?;
    built(Zfp { kind: CodecKind::ArrayToBytes, mode })
}

fn build_zfpy(setup: &Setup) -> Built {
    let kind = setup.kind(CodecKind::ArrayToBytes);
    built(Zfp { kind, mode: Mode::Header })
}

/// The mode of the configuration, as the registry defines it.
fn mode(setup: &Setup) -> Result<Mode> {
    let float = |key: &str| setup.required(key, setup.float(key)?);
    let count = |key: &str| {
        let number = setup.required(key, setup.number(key)?)?;
        u32::try_from(number)
            .map_err(|_too_large| setup.fault(key, number.to_string(), "an integer below 2^32"))
    };
    Ok(Mode::Config(match setup.required("mode", setup.text("mode")?)? {
        "reversible" => ZfpConfig::reversible(),
        "fixed_rate" => return Ok(Mode::Rate(float("rate")?)),
        "fixed_precision" => ZfpConfig::fixed_precision(count("precision")?),
        "fixed_accuracy" => ZfpConfig::fixed_accuracy(float("tolerance")?),
        "expert" => {
            #[expect(clippy::cast_possible_truncation, reason = "as the C library takes it")]
            let minexp = float("minexp")? as i32;
            ZfpConfig::expert(count("minbits")?, count("maxbits")?, count("maxprec")?, minexp)
                .map_err(|_refused| {
                    let expected = "minbits no larger than maxbits, and maxprec from 1 to 64";
                    setup.fault("mode", "\"expert\" with numbers that zfp refuses", expected)
                })?
        }
        other => {
            let expected = "\"reversible\", \"fixed_rate\", \"fixed_precision\", \"fixed_accuracy\" or \"expert\"";
            return Err(setup.fault("mode", quoted(other), expected));
        }
    }))
}

/// The lengths of a chunk as zfp takes them, fastest first, with zeros behind the last.
fn lengths(shape: &[u64]) -> Result<[usize; 4]> {
    let mut lengths = [0; 4];
    if shape.len() > lengths.len() {
        let found = format!("{} dimensions", shape.len());
        let fix = "zarrs.squeeze before it removes dimensions of length 1.";
        return Err(Error::new(
            Code::CodecDataType,
            found,
            "at most 4 dimensions, as zfp has them",
        )
        .with_fix(fix));
    }
    let lengths_of_shape = shape.iter().rev().map(|&it| to_usize(it));
    lengths.iter_mut().zip(lengths_of_shape).for_each(|(to, from)| *to = from);
    if shape.is_empty() {
        lengths[0] = 1;
    }
    Ok(lengths)
}

/// The type of zfp in which numbers of this kind are stored.
fn scalar_type(kind: NumberKind) -> Option<ZfpScalarType> {
    Some(match kind {
        NumberKind::Int(64) | NumberKind::Uint(64) => ZfpScalarType::I64,
        NumberKind::Int(..=32) | NumberKind::Uint(..=32) => ZfpScalarType::I32,
        NumberKind::Float(format) if format.size == 8 => ZfpScalarType::F64,
        NumberKind::Float(_) => ZfpScalarType::F32,
        NumberKind::Int(_) | NumberKind::Uint(_) | NumberKind::Bool => return None,
    })
}

/// The type of zfp that holds the numbers of an array, each of one part, and what they are where they are not stored as
/// they are.
fn stored_as(array: &Representation, endian: Endian) -> Result<(ZfpScalarType, Option<Numeric>)> {
    let data_type = array.data_type.as_ref();
    let numeric = Numeric::require(data_type, &ByteOrder::All(endian))?;
    let scalar = scalar_type(numeric.kind).filter(|_| numeric.item_size() == numeric.size);
    let scalar = scalar.ok_or_else(|| {
        Error::new(Code::CodecDataType, data_type.name(), "integers or floats of up to 64 bits")
    })?;
    // Bit for bit, with what a NaN carries.
    let is_plain = match scalar {
        ZfpScalarType::F64 => true,
        ZfpScalarType::F32 => numeric.size == 4,
        ZfpScalarType::I32 | ZfpScalarType::I64 => false,
    };
    Ok((scalar, (!is_plain).then_some(numeric)))
}

/// The stored form of an integer: one of less than 32 bits is moved up to 31 of them, and an unsigned one gets a sign.
fn promoted(kind: NumberKind, number: i128) -> i128 {
    match kind {
        NumberKind::Int(bits @ ..32) => number << (31 - bits),
        NumberKind::Uint(bits @ ..32) => (number - (1 << (bits - 1))) << (31 - bits),
        NumberKind::Uint(bits) => number.min((1 << (bits - 1)) - 1),
        _ => number,
    }
}

/// The integer for which this is stored.
fn demoted(kind: NumberKind, stored: i128) -> i128 {
    let half = |bits: u32| 1_i128 << (bits - 1);
    match kind {
        NumberKind::Int(bits @ ..32) => (stored >> (31 - bits)).clamp(-half(bits), half(bits) - 1),
        NumberKind::Uint(bits @ ..32) => {
            ((stored >> (31 - bits)) + half(bits)).clamp(0, 2 * half(bits) - 1)
        }
        NumberKind::Uint(_) => stored.max(0),
        _ => stored,
    }
}

/// Numbers as zfp has them, from and to [`Number`].
trait Stored: ZfpScalar + Primitive {
    fn number(self, kind: NumberKind) -> Number;
    fn from_number(number: Number, kind: NumberKind) -> Self;
}

macro_rules! stored {
    ($type:ty) => {
        impl Stored for $type {
            fn number(self, kind: NumberKind) -> Number {
                Number::Int(demoted(kind, self.into()))
            }

            fn from_number(number: Number, kind: NumberKind) -> Self {
                let Number::Int(number) = number else { return 0 };
                Self::try_from(promoted(kind, number)).unwrap_or_default()
            }
        }
    };
}

stored!(i32);
stored!(i64);

impl Stored for f32 {
    fn number(self, _: NumberKind) -> Number {
        Number::Float(self.into())
    }

    #[expect(clippy::cast_possible_truncation, reason = "what is stored so is narrower")]
    fn from_number(number: Number, _: NumberKind) -> Self {
        number.to_f64() as Self
    }
}

impl Stored for f64 {
    fn number(self, _: NumberKind) -> Number {
        Number::Float(self)
    }

    fn from_number(number: Number, _: NumberKind) -> Self {
        number.to_f64()
    }
}

/// The whole words of a stream, which are those of a little-endian machine. Bytes after the last whole one are no word.
fn words(input: &[u8], context: &Context) -> Result<Vec<u64>> {
    let (words, _) = input.as_chunks();
    let mut out = Vec::new();
    out.try_reserve_exact(words.len()).map_err(|_no_memory| too_large(context))?;
    out.extend(words.iter().copied().map(u64::from_le_bytes));
    Ok(out)
}

/// A stream, from the place to which it was read.
struct Stream<'a> {
    input: &'a [u8],
    bits: ZfpBitStreamRef<'a>,
    config: ZfpConfig,
    lengths: [usize; 4],
}

impl Stream<'_> {
    /// All numbers as bytes, and how many bytes of the stream they took.
    fn read(
        &mut self,
        context: &Context,
        scalar: ZfpScalarType,
        numeric: Option<&Numeric>,
    ) -> Result<(Vec<u8>, usize)> {
        match scalar {
            ZfpScalarType::I32 => self.read_as::<i32>(context, numeric),
            ZfpScalarType::I64 => self.read_as::<i64>(context, numeric),
            ZfpScalarType::F32 => self.read_as::<f32>(context, numeric),
            ZfpScalarType::F64 => self.read_as::<f64>(context, numeric),
        }
    }

    fn read_as<T: Stored>(
        &mut self,
        context: &Context,
        numeric: Option<&Numeric>,
    ) -> Result<(Vec<u8>, usize)> {
        let size = numeric.map_or(T::SIZE, |numeric| numeric.size);
        let lengths = self.lengths.iter().filter(|&&length| length > 0);
        let count = lengths.fold(1_u64, |all, &it| all.saturating_mul(it as u64));
        let room = |size: usize| {
            let bytes = count.checked_mul(size as u64).filter(|&it| it <= context.budget.limit());
            bytes.and_then(|_| usize::try_from(count).ok()).ok_or_else(|| too_large(context))
        };
        let (mut numbers, mut out) = (Vec::new(), Vec::new());
        let count = room(size.max(T::SIZE))?;
        numbers.try_reserve_exact(count).map_err(|_no_memory| too_large(context))?;
        out.try_reserve_exact(count * size).map_err(|_no_memory| too_large(context))?;
        numbers.resize(count, T::default());
        let mut field = ZfpFieldMut::new(&mut numbers, self.lengths)
            .map_err(|error| corrupt(0, format!("a zfp array without elements ({error})")))?;
        let used = self.bits.decompress(&self.config, &mut field).map_err(|error| match error {
            ZfpDecompressionError::Truncated { .. } => truncated(self.input.len(), "zfp"),
            error => corrupt(0, format!("damaged zfp data ({error})")),
        })?;
        match numeric {
            None => T::write(&numbers, Endian::Little, &mut out),
            Some(numeric) => {
                for number in numbers {
                    numeric.push(numeric.cast(number.number(numeric.kind)), &mut out);
                }
            }
        }
        Ok((out, used))
    }
}

impl Codec for Zfp {
    fn kind(&self) -> CodecKind {
        self.kind
    }

    fn decode(&self, context: &Context) -> Result<Outcome> {
        let input = context.whole()?;
        let words = words(input, context)?;
        let bits = ZfpBitStreamRef::from_words(&words);
        let (mut header, mut notes) = (Vec::new(), Vec::new());
        let read = match self.mode {
            Mode::Header => with_header(input, bits, context, &mut header),
            _ => self.without_header(input, bits, context, &mut notes),
        };
        let (bytes, used) = match read {
            Ok(read) => read,
            Err(error) => return Ok(Outcome { header, ..Outcome::failed(error) }),
        };
        notes.extend(trailing(input, used));
        Ok(Outcome { header, notes, ..outcome(self.kind, context, bytes, None) })
    }

    /// Bytes differ from those of the C library in the few cases that zfp-rs lists; they decode alike.
    fn encode(&self, context: &Context) -> Result<Data> {
        let array = context.array()?;
        let (bytes, endian) = flat(context)?;
        let (scalar, numeric) = stored_as(array, endian)?;
        let (lengths, numeric) = (lengths(&array.shape)?, numeric.as_ref());
        let stored = match scalar {
            ZfpScalarType::I32 => self.compressed::<i32>(&bytes, endian, numeric, lengths),
            ZfpScalarType::I64 => self.compressed::<i64>(&bytes, endian, numeric, lengths),
            ZfpScalarType::F32 => self.compressed::<f32>(&bytes, endian, numeric, lengths),
            ZfpScalarType::F64 => self.compressed::<f64>(&bytes, endian, numeric, lengths),
        };
        Ok(Data::whole(stored?))
    }
}

impl Zfp {
    /// The configuration for a field of these lengths. For the stored bytes `input`, the rate is that of 3 dimensions where
    /// only that fits their length, as zarrs writes fields of any.
    fn config_of(
        &self,
        input: &[u8],
        scalar: ZfpScalarType,
        lengths: [usize; 4],
    ) -> Result<(ZfpConfig, Option<Note>)> {
        let config = self.config(scalar, lengths)?;
        let Mode::Rate(_) = self.mode else { return Ok((config, None)) };
        let blocks = lengths.iter().filter(|&&length| length > 0);
        let blocks =
            blocks.fold(1_u64, |all, &length| all.saturating_mul(length.div_ceil(4) as u64));
        let fits = |config: &ZfpConfig| {
            let words = blocks.saturating_mul(config.max_bits().into()).div_ceil(64);
            words.saturating_mul(8) == input.len() as u64
        };
        let cube = self.config(scalar, [4, 4, 4, 0])?;
        if fits(&config) || !fits(&cube) {
            return Ok((config, None));
        }
        let text = "The rate is that of 3 dimensions: zarrs 0.23.14 computes it so for arrays of any number. Other readers \
                    take it for damaged.";
        Ok((cube, Some(Note::new(Code::CodecOption, text))))
    }

    fn config(&self, scalar: ZfpScalarType, lengths: [usize; 4]) -> Result<ZfpConfig> {
        let rate = match self.mode {
            Mode::Config(config) => return Ok(config),
            Mode::Header => return Ok(ZfpConfig::reversible()),
            Mode::Rate(rate) => rate,
        };
        let rank = match lengths.iter().filter(|&&length| length > 0).count() {
            1 => ZfpDimensionality::D1,
            2 => ZfpDimensionality::D2,
            3 => ZfpDimensionality::D3,
            _ => ZfpDimensionality::D4,
        };
        let config = ZfpConfig::fixed_rate(rate, scalar, rank, ZfpStreamAlignment::Unaligned);
        config.map_err(|_refused| {
            Error::new(Code::CodecConfiguration, format!("rate {rate}"), "a rate that zfp has")
        })
    }

    fn without_header(
        &self,
        input: &[u8],
        bits: ZfpBitStreamRef<'_>,
        context: &Context,
        notes: &mut Vec<Note>,
    ) -> Result<(Vec<u8>, usize)> {
        let array = context.decoded.ok_or_else(super::not_elements)?;
        let (scalar, numeric) = stored_as(array, array.data_type.default_order().endian())?;
        let lengths = lengths(&array.shape)?;
        let (config, note) = self.config_of(input, scalar, lengths)?;
        notes.extend(note);
        Stream { input, bits, config, lengths }.read(context, scalar, numeric.as_ref())
    }

    fn compressed<T: Stored>(
        &self,
        bytes: &[u8],
        endian: Endian,
        numeric: Option<&Numeric>,
        lengths: [usize; 4],
    ) -> Result<Vec<u8>> {
        let numbers: Vec<T> = match numeric {
            None => native::decode(bytes, endian),
            Some(numeric) => bytes
                .chunks_exact(numeric.size)
                .map(|bytes| T::from_number(numeric.read(bytes), numeric.kind))
                .collect(),
        };
        let field = ZfpField::new(&numbers, lengths).map_err(not_compressed)?;
        let config = self.config(T::SCALAR_TYPE, lengths)?;
        let room = config.maximum_size(T::SCALAR_TYPE, lengths).unwrap_or(usize::MAX);
        let mut bits = ZfpBitStream::new(room).map_err(not_compressed)?;
        if matches!(self.mode, Mode::Header) {
            let metadata = field.metadata();
            bits.write_header(&config, &metadata, ZfpHeaderMask::FULL).map_err(not_compressed)?;
        }
        bits.compress(&config, &field).map_err(not_compressed)?;
        Ok(bits.as_bytes().to_vec())
    }
}

/// The numbers of a stream that says itself what they are, little-endian.
fn with_header(
    input: &[u8],
    mut bits: ZfpBitStreamRef<'_>,
    context: &Context,
    header: &mut Vec<HeaderField>,
) -> Result<(Vec<u8>, usize)> {
    let found = bits.read_header(ZfpHeaderMask::FULL);
    let found = found.map_err(|error| corrupt(0, format!("no zfp header ({error})")))?;
    let parts = (found.metadata, found.config);
    let (Some(metadata), Some(config)) = parts else {
        return Err(corrupt(0, "an incomplete header".into()));
    };
    let lengths = metadata.dims;
    let shape: Vec<_> = lengths.iter().rev().filter(|&&length| length > 0).collect();
    let shape = shape.iter().joined("×");
    let scalar = metadata.scalar_type;
    let end = (found.bits_read as u64).div_ceil(8);
    header.push(HeaderField::new(0..4, "magic", "7a 66 70 05: zfp, format 5"));
    let declared = context.decoded.map(|array| array.data_type.name());
    let array = HeaderField::new(4..11, "array", format!("{shape} of {}", name(scalar)));
    let problem = declared.filter(|declared| declared != name(scalar));
    let problem = problem.map(|declared| format!("the metadata declares {declared}"));
    header.push(HeaderField { problem, ..array });
    header.push(HeaderField::new(10..end, "mode", mode_in_words(&config)));
    Stream { input, bits, config, lengths }.read(context, scalar, None)
}

/// The name of the data type that is stored so.
fn name(scalar: ZfpScalarType) -> &'static str {
    match scalar {
        ZfpScalarType::I32 => "int32",
        ZfpScalarType::I64 => "int64",
        ZfpScalarType::F32 => "float32",
        ZfpScalarType::F64 => "float64",
    }
}

fn mode_in_words(config: &ZfpConfig) -> String {
    match config.mode() {
        ZfpMode::Reversible => "reversible".into(),
        ZfpMode::FixedRate => format!("fixed rate, {} bits per block", config.max_bits()),
        ZfpMode::FixedPrecision => format!("fixed precision, {} bits", config.max_prec()),
        ZfpMode::FixedAccuracy => format!("fixed accuracy, error at most 2^{}", config.min_exp()),
        _ => "expert".into(),
    }
}
