//! `cast_value`: elements stored as another data type, value by value.
//!
//! Decoding casts back by the same rules: what `scalar_map` lists is replaced, what fits is taken, and the rest is
//! rounded or brought into range as the configuration says; without an answer there it is an error.

use super::numeric_filter;
use super::prelude::*;
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
    let json = setup.needed("data_type")?;
    let encoded = setup
        .registry
        .data_types
        .from_v3(json)
        .map_err(|error| setup.fault("data_type", error.found, error.expected))?;
    let array = setup.array()?;
    let decoded = Resolved::shared(Arc::clone(&array.data_type));
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
    let roundings = [
        ("nearest-even", Rounding::NearestEven),
        ("nearest-away", Rounding::NearestAway),
        ("towards-zero", Rounding::TowardsZero),
        ("towards-positive", Rounding::TowardsPositive),
        ("towards-negative", Rounding::TowardsNegative),
    ];
    Ok(setup.choice("rounding", &roundings)?.unwrap_or(Rounding::NearestEven))
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
        let undo = |number, to: &Numeric| {
            cast(number, map, self.rules, to)
                .ok_or_else(|| (shown(number), format!("a value of {}", given.data_type.name())))
        };
        numeric_filter::elements(context, given, |pass, input, out| pass.each(input, out, undo))
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
