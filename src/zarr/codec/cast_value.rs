//! `cast_value`: elements stored as another data type, value by value.
//!
//! Decoding casts back by the same rules: what `scalar_map` lists is replaced, what fits is taken, and the rest is
//! rounded or brought into range as the configuration says; without an answer there it is an error.

use super::prelude::*;
use super::{built, numeric_filter};
use crate::zarr::error::Result;
use convert::{OutOfRange, Rounding, Rules};

pub(super) mod convert;

#[derive(Debug)]
struct CastValue {
    decoded: Resolved,
    encoded: Resolved,
    rules: Rules,
    /// Numbers that are replaced on encoding and on decoding, instead of being cast.
    encode: Vec<(Number, u64)>,
    decode: Vec<(Number, u64)>,
}

pub(super) static ROW: CodecRow = CodecRow {
    nanoseconds: 9,
    v3: &["cast_value"],
    registered: true,
    members: &["data_type", "rounding", "out_of_range", "scalar_map"],
    lesson: "Stores the values in another data type, with rules for rounding and for values out of range.",
    ..CodecRow::new(CodecKind::ArrayToArray, build)
};

fn build(setup: &Setup) -> Built {
    let json = setup.required("data_type", setup.member("data_type"))?;
    let encoded = setup
        .registry
        .data_types
        .from_v3(json)
        .map_err(|error| setup.fault("data_type", error.found, error.expected))?;
    let array = setup.array()?;
    let decoded = resolved(&array.data_type);
    real(&array.data_type)?;
    let to = real(&encoded.data_type)?;
    let out_of_range = out_of_range(setup)?;
    if out_of_range == OutOfRange::Wrap && matches!(to.kind, NumberKind::Float(_)) {
        let expected = "for floats, \"clamp\" or no such member";
        return Err(setup.fault("out_of_range", "\"wrap\"", expected));
    }
    let rules = Rules { rounding: rounding(setup)?, out_of_range };
    let map = setup.member("scalar_map");
    let pairs = |key: &str, before: &Resolved, after: &Resolved| match map.and_then(|m| m.get(key))
    {
        None => Ok(Vec::new()),
        Some(json) => pairs(setup, json, before, after),
    };
    let encode = pairs("encode", &decoded, &encoded)?;
    let decode = pairs("decode", &encoded, &decoded)?;
    built(CastValue { decoded, encoded, rules, encode, decode })
}

/// A data type with the byte order that computing is done in.
pub(super) fn resolved(data_type: &Arc<dyn DataType>) -> Resolved {
    let order = data_type.default_order();
    Resolved { data_type: Arc::clone(data_type), order, notes: Vec::new() }
}

/// The numbers of a data type of real numbers.
///
/// # Errors
///
/// For every other data type.
pub(super) fn real(data_type: &Arc<dyn DataType>) -> Result<Numeric> {
    let order = data_type.default_order();
    Numeric::of(data_type.as_ref(), &order)
        .filter(|numeric| numeric.parts == 1 && numeric.kind != NumberKind::Bool)
        .ok_or_else(|| {
            Error::new(
                Code::CodecDataType,
                data_type.name(),
                "an integer or real floating-point data type",
            )
        })
}

fn rounding(setup: &Setup) -> Result<Rounding> {
    Ok(match setup.text("rounding")? {
        None | Some("nearest-even") => Rounding::NearestEven,
        Some("nearest-away") => Rounding::NearestAway,
        Some("towards-zero") => Rounding::TowardsZero,
        Some("towards-positive") => Rounding::TowardsPositive,
        Some("towards-negative") => Rounding::TowardsNegative,
        Some(other) => {
            let expected = "\"nearest-even\", \"nearest-away\", \"towards-zero\", \"towards-positive\" or \
                            \"towards-negative\"";
            return Err(setup.fault("rounding", quoted(other), expected));
        }
    })
}

fn out_of_range(setup: &Setup) -> Result<OutOfRange> {
    match setup.text("out_of_range")? {
        None => Ok(OutOfRange::Refuse),
        Some("clamp") => Ok(OutOfRange::Clamp),
        Some("wrap") => Ok(OutOfRange::Wrap),
        Some(other) => {
            let found = quoted(other);
            Err(setup.fault("out_of_range", found, "\"clamp\", \"wrap\" or no such member"))
        }
    }
}

/// The pairs of one direction of `scalar_map`: a number, and the bits of what it becomes.
fn pairs(
    setup: &Setup,
    json: &Json,
    before: &Resolved,
    after: &Resolved,
) -> Result<Vec<(Number, u64)>> {
    let refuse = |json: &Json| setup.refuse("scalar_map", json, "an array of pairs of scalars");
    let pair = |item: &Json| -> Result<(Number, u64)> {
        let [key, value] = item.as_array().ok_or_else(|| refuse(item))? else {
            return Err(refuse(item));
        };
        let within = |error: Error| setup.fault("scalar_map", error.found, error.expected);
        let (key, _) = scalar(key, &before.data_type).map_err(within)?;
        let (_, bits) = scalar(value, &after.data_type).map_err(within)?;
        Ok((key, bits))
    };
    json.as_array().ok_or_else(|| refuse(json))?.iter().map(pair).collect()
}

/// The number that `json` is as a fill value of `data_type`, and its bits.
///
/// # Errors
///
/// If it is none.
pub(super) fn scalar(json: &Json, data_type: &Arc<dyn DataType>) -> Result<(Number, u64)> {
    let little = ByteOrder::All(Endian::Little);
    let scalar = data_type.fill_from_json(json, Format::V3, &little)?.value;
    let bytes = data_type.encode(&scalar, &little)?;
    let numeric = Numeric::require(data_type.as_ref(), &little)?;
    Ok((numeric.read(&bytes), element::number(&bytes, Endian::Little)))
}

impl Codec for CastValue {
    fn kind(&self) -> CodecKind {
        CodecKind::ArrayToArray
    }

    fn encoded(&self, array: &Representation) -> Result<Representation> {
        let to = real(&self.encoded.data_type)?;
        let cast = |number| cast(number, &self.encode, self.rules, &to);
        let fill = recoded_fill(array, &to, cast);
        let Resolved { data_type, order, .. } = self.encoded.clone();
        Ok(Representation { data_type, order, fill, ..array.clone() })
    }

    fn stored_numbers(&self) -> Option<&Resolved> {
        Some(&self.encoded)
    }

    fn decode(&self, context: &Context) -> Result<Outcome> {
        self.run(context, &self.decoded, &self.decode)
    }

    fn encode(&self, context: &Context) -> Result<Data> {
        self.run(context, &self.encoded, &self.encode)?.whole()
    }
}

impl CastValue {
    /// Casts each number to `given`, unless `map` has another answer.
    fn run(&self, context: &Context, given: &Resolved, map: &[(Number, u64)]) -> Result<Outcome> {
        numeric_filter::elements(context, given, |bytes, from, to| {
            each(bytes, from, to, context, |number| {
                cast(number, map, self.rules, to).ok_or_else(|| {
                    (shown(number), format!("a value of {}", given.data_type.name()))
                })
            })
        })
    }
}

/// A number in words.
pub(super) fn shown(number: Number) -> String {
    match number {
        Number::Int(value) => value.to_string(),
        Number::Float(value) => value.to_string(),
    }
}

fn cast(number: Number, map: &[(Number, u64)], rules: Rules, to: &Numeric) -> Option<u64> {
    let mapped = map.iter().find(|(key, _)| same(*key, number));
    mapped.map_or_else(|| rules.convert(number, to), |(_, bits)| Some(*bits))
}

/// True if two numbers of one type are the same: all NaN are, and so are both zeros.
fn same(a: Number, b: Number) -> bool {
    match (a, b) {
        (Number::Float(a), Number::Float(b)) => {
            a.partial_cmp(&b).is_some_and(std::cmp::Ordering::is_eq) || (a.is_nan() && b.is_nan())
        }
        _ => a == b,
    }
}

/// The bytes of the fill value after an element by element codec, in the default order; empty where it has none.
pub(super) fn recoded_fill(
    array: &Representation,
    to: &Numeric,
    encode: impl FnOnce(Number) -> Option<u64>,
) -> Arc<[u8]> {
    let from = Numeric::of(array.data_type.as_ref(), &array.order);
    let number =
        from.filter(|from| from.size == array.fill.len()).map(|from| from.read(&array.fill));
    let mut out = Vec::new();
    if let Some(bits) = number.and_then(encode) {
        to.push(bits, &mut out);
    }
    out.into()
}

/// The number that was refused, and the numbers that were expected.
pub(super) type Refused = (String, String);

/// Applies `undo` to each number of `bytes`; gives what came out, beside the error that ended it.
pub(super) fn each(
    bytes: &[u8],
    from: &Numeric,
    to: &Numeric,
    context: &Context,
    undo: impl Fn(Number) -> Result<u64, Refused>,
) -> (Vec<u8>, Option<Error>) {
    let len = (bytes.len() / from.size).saturating_mul(to.size);
    if len as u64 > context.budget.limit() {
        return (Vec::new(), Some(too_large(context)));
    }
    let mut out = match room(len) {
        Ok(out) => out,
        Err(error) => return (Vec::new(), Some(error)),
    };
    for (index, number) in bytes.chunks_exact(from.size).enumerate() {
        if index % 65_536 == 0 && context.budget.is_stopped() {
            return (out, Some(stopped()));
        }
        match undo(from.read(number)) {
            Ok(bits) => to.push(bits, &mut out),
            Err((found, expected)) => {
                let found = format!("{found} at element {index}");
                let at = (index * from.size) as u64;
                return (out, Some(Error::new(Code::ChunkCorrupt, found, expected).at_offset(at)));
            }
        }
    }
    (out, None)
}
