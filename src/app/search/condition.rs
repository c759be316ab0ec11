//! `=3.5`, `>100`, `name<-50`: a relation between an element's value, or a field of it, and a typed value.
//!
//! Values are compared as values: -0.0 is 0, and NaN is neither less nor greater than anything.

use crate::app::prelude::*;
use crate::app::relation::Relation;
use crate::zarr::{Result, data_type::Plain};

/// A relation to a typed value.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    /// The way to the field that is compared; empty for the whole value.
    field: Vec<String>,
    relation: Relation,
    wanted: Operand,
    /// The one way in which the wanted value can be stored, where there is only one: elements need no decoding.
    bytes: Option<Arc<[u8]>>,
    /// Values that mean that nothing is there, and are in no range.
    missing: Vec<Scalar>,
}

/// The operand that a value is compared with.
#[derive(Debug, Clone, PartialEq)]
enum Operand {
    /// A value of the data type.
    Value(Scalar),
    /// A whole number, which the data type need not be able to hold.
    Integer(i128),
    /// Any other number.
    Number(f64),
    /// The beginning of a date: `2020-01` is every moment of that month.
    Date(String),
}

impl Condition {
    /// The condition on the elements in `line`; `None` where it has no sign in it, or a sign in the middle of what can
    /// only be text.
    ///
    /// # Errors
    ///
    /// If there are no elements, no such field, or the value is none of the data type.
    pub fn parse(line: &str, elements: Option<&Elements>) -> Result<Option<Self>> {
        let Some((name, relation, typed)) = Relation::split(line) else { return Ok(None) };
        let Some(elements) = elements else {
            return if name.is_empty() { Err(no_elements()) } else { Ok(None) };
        };
        let data_type = elements.data_type();
        if data_type.fields().is_empty() && !name.is_empty() {
            return Ok(None);
        }
        let (field, data_type) = field(name, data_type)?;
        let wanted = wanted(typed, relation, &*data_type)?;
        let bytes = match &wanted {
            Operand::Value(scalar) if field.is_empty() && has_one_form(scalar, &*data_type) => {
                Some(data_type.encode(scalar, elements.order())?.into())
            }
            _ => None,
        };
        Ok(Some(Self { field, relation, wanted, bytes, missing: Vec::new() }))
    }

    /// Leaves these values out if it is a range of values: `missing` is what attributes mark as missing, and would be
    /// all that <0 finds where -9999 is that.
    pub fn leave_out(&mut self, missing: impl Iterator<Item = Scalar>) {
        if self.field.is_empty() && !matches!(self.relation, Relation::Equal | Relation::Unequal) {
            self.missing.extend(missing);
        }
    }

    /// True if it leaves values out.
    pub fn leaves_out(&self) -> bool {
        !self.missing.is_empty()
    }

    /// The answer that the bytes of an element give by themselves, without being decoded; `None` where they give none.
    pub fn decides(&self, bytes: &[u8]) -> Option<bool> {
        let same = self.bytes.as_deref()? == bytes;
        match self.relation {
            Relation::Equal => Some(same),
            Relation::Unequal => Some(!same),
            _ => None,
        }
    }

    /// True if the value of an element is so; of a subarray, whether any item is.
    pub fn holds(&self, value: &Scalar) -> bool {
        let inner = self.field.iter().try_fold(value, |value, name| value.field(name));
        inner.is_some_and(|value| self.holds_for(value))
            && !self.missing.iter().any(|missing| missing.value_equal(value))
    }

    fn holds_for(&self, value: &Scalar) -> bool {
        if let Scalar::List(items) = value {
            return items.iter().any(|item| self.holds_for(item));
        }
        match self.relation {
            Relation::Equal => self.wanted.equals(value),
            Relation::Unequal => !self.wanted.equals(value),
            other => other.holds(self.wanted.compare(value)),
        }
    }
}

impl Operand {
    fn equals(&self, value: &Scalar) -> bool {
        match self {
            Self::Value(wanted) => wanted.value_equal(value),
            Self::Integer(_) | Self::Number(_) | Self::Date(_) => {
                self.compare(value) == Some(Ordering::Equal)
            }
        }
    }

    /// The relation of `value` to it.
    fn compare(&self, value: &Scalar) -> Option<Ordering> {
        match self {
            Self::Integer(wanted) => match whole(value) {
                Some(whole) => Some(whole.cmp(wanted)),
                None => value.to_f64()?.partial_cmp(&(*wanted as f64)),
            },
            Self::Number(wanted) => value.to_f64()?.partial_cmp(wanted),
            Self::Date(wanted) if !value.is_nat() => {
                let text = value.to_string();
                Some(text.get(..wanted.len()).unwrap_or(&text).cmp(wanted))
            }
            Self::Date(_) => None,
            Self::Value(wanted) => match (value, wanted) {
                (Scalar::Time(a), Scalar::Time(b)) => {
                    (!a.is_nat() && !b.is_nat()).then(|| a.units().cmp(&b.units()))
                }
                _ => Some(text(value)?.cmp(text(wanted)?)),
            },
        }
    }
}

/// The integer or the bool.
fn whole(value: &Scalar) -> Option<i128> {
    matches!(value, Scalar::Bool(_) | Scalar::Int(_) | Scalar::Uint(_))
        .then(|| value.to_integer())
        .flatten()
}

/// The bytes of a value that sorts by its bytes.
fn text(value: &Scalar) -> Option<&[u8]> {
    match value {
        Scalar::Text(bytes) | Scalar::Bytes(bytes) | Scalar::NullTerminated(bytes) => Some(bytes),
        _ => None,
    }
}

/// The field called `name`, of a struct in a struct `a.b`, and what it holds.
fn field(name: &str, whole: &Arc<dyn DataType>) -> Result<(Vec<String>, Arc<dyn DataType>)> {
    let mut way = Vec::new();
    let mut data_type = Arc::clone(whole);
    let mut rest = name;
    while !data_type.fields().is_empty() {
        let fields = data_type.fields();
        let own = |field: &&Field| {
            let behind = rest.strip_prefix(field.name.as_str());
            !rest.is_empty() && behind.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        // Names may have dots in them: the longest one that fits.
        let Some(found) = fields.iter().filter(own).max_by_key(|field| field.name.len()) else {
            return Err(no_field(name, fields));
        };
        rest = rest.strip_prefix(found.name.as_str()).unwrap_or_default().trim_start_matches('.');
        way.push(found.name.clone());
        data_type = Arc::clone(&found.data_type);
    }
    if rest.is_empty() { Ok((way, data_type)) } else { Err(no_field(name, &[])) }
}

/// The typed value, as the data type or at least as a number.
fn wanted(typed: &str, relation: Relation, data_type: &dyn DataType) -> Result<Operand> {
    let is_ordering = !matches!(relation, Relation::Equal | Relation::Unequal);
    let example = data_type.default_scalar();
    let is_date = typed.starts_with(|c: char| c.is_ascii_digit()) && typed.contains('-');
    if is_date && matches!(&example, Scalar::Time(time) if time.since_epoch) {
        return Ok(Operand::Date(typed.replace(' ', "T")));
    }
    let numeric =
        matches!(example, Scalar::Bool(_) | Scalar::Int(_) | Scalar::Uint(_) | Scalar::Float(_));
    if is_ordering && numeric {
        let number =
            typed.parse().map(Operand::Integer).or_else(|_| typed.parse().map(Operand::Number));
        return number.map_err(|_no_number| {
            Error::new(
                Code::InvalidArgument,
                format!("\"{}\" is no number", safe(typed)),
                "one after < or >",
            )
        });
    }
    let scalar = data_type.cast(&plain(typed))?;
    if is_ordering && !matches!(scalar, Scalar::Time(_)) && text(&scalar).is_none() {
        let found = format!("< or > for {}", data_type.name());
        return Err(Error::new(
            Code::InvalidArgument,
            found,
            "= or !=, because these values have no order",
        ));
    }
    Ok(Operand::Value(scalar))
}

/// True if the value can be stored in one way only, so that bytes may be compared for it.
fn has_one_form(scalar: &Scalar, data_type: &dyn DataType) -> bool {
    let plain = match scalar {
        Scalar::Int(_) | Scalar::Uint(_) | Scalar::Time(_) => true,
        Scalar::Float(float) => !float.is_nan() && float.to_f64() != 0.0,
        _ => false,
    };
    plain && data_type.significant_bits().is_none()
}

fn no_elements() -> Error {
    Error::new(Code::InvalidArgument, "a stage of bytes", "decoded elements")
        .with_fix("Search for hex or text.")
}

fn no_field(name: &str, fields: &[Field]) -> Error {
    let found = match name {
        "" => "no field".into(),
        name => format!("there is no field \"{}\"", safe(name)),
    };
    let names: Vec<_> = fields.iter().map(|field| safe_owned(&field.name)).collect();
    let expected = match names.first() {
        Some(first) => {
            format!("a field before the operator, as in {first}=3: {}", names.join(", "))
        }
        None => "a field without fields of its own".into(),
    };
    Error::new(Code::InvalidArgument, found, expected)
}

/// A typed value as the cast takes it.
fn plain(text: &str) -> Plain {
    if let Ok(int) = text.parse() {
        return Plain::Int(int);
    }
    if let Ok(float) = text.parse() {
        return Plain::Float(float);
    }
    match Json::parse_str(text).map(|json| json.kind) {
        Ok(Kind::Bool(value)) => Plain::Bool(value),
        Ok(Kind::String(text)) => Plain::Text(text.text.into()),
        _ => Plain::Text(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{Needle, tests::elements},
        *,
    };

    /// The elements that a line finds.
    fn hits(line: &str, elements: &Elements) -> Vec<u64> {
        let needle = Needle::parse(line, Some(elements)).unwrap();
        let is = |at: &u64| {
            let bytes = elements.bytes().get(elements.byte_range(*at)).unwrap();
            needle.is_element(elements, bytes, &[])
        };
        (0..elements.len()).filter(is).collect()
    }

    fn floats(values: &[f32]) -> Elements {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_be_bytes()).collect();
        elements("\">f4\"", &bytes)
    }

    #[test]
    fn values_compare_as_values() {
        let values = floats(&[0.0, -0.0, 0.1, f32::NAN, -3.0, f32::INFINITY]);
        let table: [(&str, &[u64]); 10] = [
            ("=0", &[0, 1]),
            ("=-0.0", &[0, 1]),
            ("!=0", &[2, 3, 4, 5]),
            ("=0.1", &[2]),
            ("== 0.1", &[2]),
            ("nan", &[3]),
            (">0.05", &[2, 5]),
            (">= 0", &[0, 1, 2, 5]),
            ("<-2", &[4]),
            ("=inf", &[5]),
        ];
        for (line, at) in table {
            assert_eq!(hits(line, &values), at, "{line}");
        }
    }

    #[test]
    fn ranges_leave_out_what_attributes_mark_as_missing() {
        let values = floats(&[-9999.0, -1.0, 2.0]);
        let missing = || values.value(0).unwrap().ok().into_iter();
        let found = |line: &str| {
            let mut condition = Condition::parse(line, Some(&values)).unwrap().unwrap();
            condition.leave_out(missing());
            let holds = |at: &u64| condition.holds(&values.value(*at).unwrap().unwrap());
            ((0..3).filter(holds).collect::<Vec<_>>(), condition.leaves_out())
        };
        assert_eq!(found("<0"), (vec![1], true));
        // Who asks for the value itself finds it.
        assert_eq!(found("=-9999"), (vec![0], false));
        assert_eq!(hits("<0", &values), [0, 1], "no attribute marks it");
    }

    #[test]
    fn integers_compare_beyond_what_a_float_holds() {
        let values = [i64::MAX, i64::MAX - 1, -1];
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let values = elements("\"<i8\"", &bytes);
        assert_eq!(hits(">9223372036854775806", &values), [0]);
        assert_eq!(hits("<99999999999999999999999", &values), [0, 1, 2]);
        assert_eq!(hits("<0.5", &values), [2]);
        assert_eq!(hits("=-1", &values), [2]);
    }

    #[test]
    fn times_compare_as_dates_and_never_with_nat() {
        let values = [0, 2, i64::MIN];
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let values = elements("\"<M8[D]\"", &bytes);
        assert_eq!(hits(">1970-01-02", &values), [1]);
        assert_eq!(hits("=1970-01", &values), [0, 1]);
        assert_eq!(hits(">=2", &values), [1]);
        assert_eq!(hits("<1970-01-02", &values), [0]);
        assert_eq!(hits("=1970-01-03", &values), [1]);
        assert_eq!(hits("=nat", &values), [2]);
    }

    #[test]
    fn a_field_is_named_before_the_sign() {
        let dtype = r#"[["x", ">f4"], ["a.b", "<i2"], ["list", "<i2", [2]]]"#;
        let element = |x: f32, n: i16, list: [i16; 2]| {
            let mut bytes = x.to_be_bytes().to_vec();
            bytes.extend([n, list[0], list[1]].map(i16::to_le_bytes).concat());
            bytes
        };
        let bytes = [element(1.5, 3, [0, 7]), element(-0.0, -3, [1, 1])].concat();
        let values = elements(dtype, &bytes);
        assert_eq!(hits("x=0", &values), [1]);
        assert_eq!(hits("a.b>0", &values), [0]);
        assert_eq!(hits("list=7", &values), [0]);
        let refused = |line: &str| Needle::parse(line, Some(&values)).unwrap_err().to_string();
        assert_eq!(
            refused("y=3"),
            "there is no field \"y\"; expected a field before the operator, as in x=3: x, a.b, list"
        );
        assert_eq!(
            refused("=3"),
            "no field; expected a field before the operator, as in x=3: x, a.b, list"
        );
        assert_eq!(refused("x>b"), "\"b\" is no number; expected one after < or >");
        assert!(refused("x.y=1").starts_with("there is no field \"x.y\""));
    }

    #[test]
    fn what_has_no_sign_is_text_and_so_is_a_sign_in_the_middle_of_text() {
        let values = floats(&[1.0]);
        for line in ["1.0", "a=b"] {
            assert!(Condition::parse(line, Some(&values)).unwrap().is_none(), "{line}");
        }
        assert!(Condition::parse("=1", None).is_err());
        assert!(Condition::parse("a=1", None).unwrap().is_none());
    }
}
