//! Looking for something in a chunk: bytes, a value, a range of values, what is not a number, what is the fill value.

mod condition;
mod hits;
mod hunt;
mod next;

pub use condition::Condition;
pub use hits::{HitCount, Hits};
pub use hunt::{Hunt, StagePart};

use super::prelude::*;
use crate::zarr::{Result, data_type::Native, statistics::look_at};

/// The message where nothing has been searched for yet.
pub(crate) const NO_SEARCH: &str = "nothing to search for: press / first";

/// The thing that is searched for.
#[derive(Debug, Clone, PartialEq)]
pub enum Needle {
    /// These bytes, wherever they stand.
    Bytes(Arc<[u8]>),
    /// An element whose value, or one field of it, is in a relation to a typed one.
    Condition(Condition),
    /// An element that is not a number, or not a time.
    Nan,
    /// An element of which one number is NaN, infinite or "not a time", and not the fill value.
    NonFinite(NonFinite),
    /// An element equal to the fill value.
    Fill,
    /// An element that is not the fill value.
    NotFill,
    /// An element whose value, as it is shown, holds this text.
    Text(String),
}

/// The thing that the search goes on with.
#[derive(Clone)]
pub enum Sought {
    /// A typed line, understood again in every chunk: values and fields are those of its array.
    Line(String),
    /// Something of this very array.
    Needle(Needle),
}

impl Needle {
    /// The needle that a typed line means: `hex 7fc0`, `=3.5`, `>100`, `name=3`, `nan`, `fill`, `notfill`, or any text.
    ///
    /// # Errors
    ///
    /// If hex digits, the value or the field cannot be read.
    pub fn parse(line: &str, elements: Option<&Elements>) -> Result<Self> {
        if let Some(digits) = line.strip_prefix("hex ").or_else(|| line.strip_prefix("0x")) {
            return Ok(Self::Bytes(hex(digits)?.into()));
        }
        let word = line.trim().to_lowercase();
        match word.strip_prefix('=').unwrap_or(&word) {
            "nan" | "nat" => return Ok(Self::Nan),
            "fill" => return Ok(Self::Fill),
            "notfill" | "data" => return Ok(Self::NotFill),
            _ => {}
        }
        let condition = Condition::parse(line, elements)?;
        Ok(condition.map_or_else(|| Self::Text(line.to_owned()), Self::Condition))
    }

    /// Looks past the values that attributes of `array` mark as missing, where it looks for a range of values. One that
    /// only equals Zarr's fill value is a value, unless xarray wrote the array in V2.
    pub fn leave_out_missing(&mut self, array: &ArrayMetadata) {
        if let Self::Condition(condition) = self {
            condition.leave_out(Packing::of(array).masks.into_iter().map(|(_, mask)| mask));
        }
    }

    /// True if missing values are passed over.
    pub fn leaves_out(&self) -> bool {
        matches!(self, Self::Condition(condition) if condition.leaves_out())
    }

    /// True if only decoded elements can be it.
    pub fn needs_elements(&self) -> bool {
        !matches!(self, Self::Bytes(_) | Self::Text(_))
    }

    /// True if the element at `position` is it; `fill` is the bytes of the fill value.
    pub fn is_at(&self, elements: &Elements, position: u64, fill: &[u8]) -> bool {
        let bytes = elements.bytes().get(elements.byte_range(position));
        bytes.is_some_and(|bytes| self.is_element(elements, bytes, fill))
    }

    /// True if the element with these bytes is it; `fill` is the fill value's.
    fn is_element(&self, elements: &Elements, bytes: &[u8], fill: &[u8]) -> bool {
        let value = || elements.data_type().decode(bytes, elements.order());
        let is_fill = || same_value(elements, bytes, fill);
        match self {
            Self::Bytes(wanted) => **wanted == *bytes,
            Self::Condition(condition) => condition
                .decides(bytes)
                .unwrap_or_else(|| value().is_ok_and(|v| condition.holds(&v))),
            Self::Fill => is_fill(),
            Self::NotFill => !is_fill(),
            Self::NonFinite(part) => value().is_ok_and(|value| part.is(&value)),
            Self::Nan => value().is_ok_and(|value| has_nan(&value)),
            Self::Text(text) => value().is_ok_and(|value| value.to_string().contains(text)),
        }
    }
}

/// One number of every element, and what is none because it is the fill value or missing.
#[derive(Debug, Clone, PartialEq)]
pub struct NonFinite {
    choice: Choice,
    expected: Vec<Scalar>,
}

impl NonFinite {
    /// For this number of the elements of `array`.
    pub fn new(choice: &Choice, array: &ArrayMetadata) -> Self {
        let fill = array.fill_scalar().as_ref().and_then(|fill| choice.of(fill)).cloned();
        let masks = Packing::of(array).masks.into_iter();
        let masks = masks.filter(|_| choice.name.is_empty()).map(|(_, mask)| mask);
        Self { choice: choice.clone(), expected: fill.into_iter().chain(masks).collect() }
    }

    /// True if the number of this element is NaN, infinite or "not a time".
    pub fn is(&self, value: &Scalar) -> bool {
        let Some(value) = self.choice.of(value) else { return false };
        look_at(value, self.choice.part).class.is_non_finite()
            && !self.expected.iter().any(|expected| expected.value_equal(value))
    }
}

/// True if two elements have one value, as statistics count them: 0.0 is -0.0, and any NaN is any other.
pub(in crate::app) fn same_value(elements: &Elements, bytes: &[u8], other: &[u8]) -> bool {
    use Native::{Bool, I8, I16, I32, I64, U8, U16, U32, U64};
    let data_type = elements.data_type();
    let has_one_form =
        matches!(data_type.native(), Some(Bool | I8 | I16 | I32 | I64 | U8 | U16 | U32 | U64));
    if other.is_empty() || bytes == other || has_one_form {
        return !other.is_empty() && bytes == other;
    }
    let value = |bytes| data_type.decode(bytes, elements.order()).ok();
    value(bytes).zip(value(other)).is_some_and(|(a, b)| a.value_equal(&b))
}

/// True if any part of a value is NaN or NaT.
fn has_nan(value: &Scalar) -> bool {
    match value {
        Scalar::Struct(fields) => fields.iter().any(|(_, value)| has_nan(value)),
        Scalar::List(items) => items.iter().any(has_nan),
        _ => value.is_nan() || value.is_nat(),
    }
}

/// Pairs of hex digits, blanks between them or not.
///
/// # Errors
///
/// If `text` is anything else.
pub fn hex(text: &str) -> Result<Vec<u8>> {
    let fault = || {
        Error::new(
            Code::InvalidArgument,
            format!("\"{text}\" is not hex"),
            "pairs of hex digits, such as 7f c0",
        )
    };
    let digits: Vec<u32> = text
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| c.to_digit(16))
        .collect::<Option<_>>()
        .ok_or_else(fault)?;
    let pairs = digits.chunks_exact(2);
    if digits.is_empty() || !pairs.remainder().is_empty() {
        return Err(fault());
    }
    Ok(pairs.filter_map(|pair| u8::try_from(pair.first()? * 16 + pair.get(1)?).ok()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zarr::{DataTypes, Json, bytes::Bytes, codec::Places};

    /// Elements of a V2 data type in these bytes.
    pub(super) fn elements(dtype: &str, bytes: &[u8]) -> Elements {
        let dtype = Json::parse_str(dtype).unwrap();
        let resolved = DataTypes::default().from_v2(&dtype, None).unwrap();
        let size = resolved.data_type.fixed_size().unwrap();
        let shape = vec![(bytes.len() / size) as u64];
        let (order, bytes) = (resolved.order, Bytes::whole(bytes.to_vec()));
        Elements::new(resolved.data_type, order, shape, false, Places::Fixed(size), bytes)
    }

    #[test]
    fn the_fill_value_is_found_in_any_bits() {
        let zeros = elements("\"<f8\"", &[0.0, -0.0, 1.0].map(f64::to_le_bytes).concat());
        let (zero, minus) = (0.0_f64.to_le_bytes(), (-0.0_f64).to_le_bytes());
        assert!(same_value(&zeros, &minus, &zero) && !same_value(&zeros, &zero, &[]));
        assert!(!same_value(&zeros, &1.0_f64.to_le_bytes(), &zero));
    }

    #[test]
    fn hex_takes_blanks_and_whole_bytes() {
        assert_eq!(hex("7f C0").unwrap(), [0x7f, 0xc0]);
        assert!(hex("7f c").is_err() && hex("xy").is_err() && hex("").is_err());
    }

    #[test]
    fn words_stand_alone_or_behind_the_sign() {
        for line in ["nan", "=nan", "NaN", " =NaT "] {
            assert_eq!(Needle::parse(line, None).unwrap(), Needle::Nan, "{line}");
        }
        assert_eq!(Needle::parse("=fill", None).unwrap(), Needle::Fill);
        assert_eq!(Needle::parse("abc", None).unwrap(), Needle::Text("abc".into()));
    }
}
