//! The meaning of stored numbers by the attributes of the CF conventions, in the order in which xarray applies them:
//! `_Unsigned`, then `_FillValue` and `missing_value`, then `scale_factor` and `add_offset`, then `units` and
//! `calendar` of times; and `dtype`, by which xarray marks numbers that are booleans.

use super::{Format, calendar::Dates};
use crate::zarr::prelude::*;
use crate::zarr::{
    data_type::{base64, number},
    scalar::print,
};

/// The attributes that must be numbers.
const NUMBERS: [&str; 2] = ["scale_factor", "add_offset"];
/// The attributes that mark values as missing.
const MASKS: [&str; 2] = ["_FillValue", "missing_value"];

/// The rule by which values that equal Zarr's fill value are missing, where xarray wrote a V2 array.
const ZARR_FILL: &str = "fill_value, as xarray 2026.9 reads V2";
/// The rule by which the lowest number of 64 bits is missing where numbers count time, as dates or as spans of `dtype`.
const NAT: &str = "NaT, as xarray 2026.9 reads times";

/// The rules that turn stored numbers into the intended ones.
#[derive(Debug, Clone)]
pub struct Packing {
    /// The attribute `scale_factor`; 1 where there is none that is a number.
    pub factor: f64,
    /// The attribute `add_offset`; 0 where there is none that is a number.
    pub offset: f64,
    /// True if either is there.
    pub is_scaled: bool,
    /// The values that mean a missing one, each with the attribute that declares it, or the rule by which it does.
    pub masks: Vec<(&'static str, Scalar)>,
    /// The value that `_FillValue` names, whether it is the mark of missing values or Zarr's fill value is.
    pub named_fill: Option<Scalar>,
    /// The integers of the other sign that the stored ones are by `_Unsigned`.
    pub other_sign: Option<Arc<dyn DataType>>,
    /// True if the attribute `dtype` is "bool", by which xarray reads stored numbers as booleans.
    pub is_bool: bool,
    /// The dates that the numbers count to, or why they cannot be told, by `units` and `calendar`.
    pub dates: Option<Result<Dates, String>>,
    /// Zarr's fill value where xarray 2026.9 takes it for the mark of missing values, as it does in V2 arrays that have
    /// `_ARRAY_DIMENSIONS`: instead of `_FillValue`, even if an attribute of that name is there.
    xarray_mask: Option<Scalar>,
    flags: Vec<Flag>,
    stored: Option<Arc<dyn DataType>>,
}

/// A meaning of a whole number by `flag_values`, `flag_masks` and `flag_meanings`.
#[derive(Debug, Clone)]
struct Flag {
    /// The bits that count; all of them where there are no masks.
    mask: Option<i128>,
    value: i128,
    meaning: String,
}

/// The meaning of a stored value.
#[derive(Debug, Clone, PartialEq)]
pub enum Meant {
    /// Nothing: this attribute marks it as missing.
    Missing(&'static str),
    /// This value, of the stored type or of that of the other sign.
    Value(Scalar),
    /// This number: times a factor, plus an offset.
    Number(f64),
    /// This date and time, as ISO 8601 writes it.
    Date(String),
}

impl Packing {
    /// The packing that the attributes of `array` declare.
    pub fn of(array: &ArrayMetadata) -> Self {
        let get = |name: &str| array.attributes()?.get(name);
        let [factor, offset] = NUMBERS.map(|name| get(name).and_then(number));
        let resolved = array.known_data_type();
        let stored = resolved.map(|resolved| resolved.data_type.clone());
        let stored_default = stored.as_ref().map(|data_type| data_type.default_scalar());
        let other_sign = stored.as_deref().zip(get("_Unsigned")).and_then(other_sign);
        let is_number =
            matches!(stored_default, Some(Scalar::Int(_) | Scalar::Uint(_) | Scalar::Float(_)));
        let mut packing = Self {
            is_bool: is_number && get("dtype").and_then(Json::as_str) == Some("bool"),
            factor: factor.unwrap_or(1.0),
            offset: offset.unwrap_or(0.0),
            is_scaled: factor.or(offset).is_some(),
            masks: Vec::new(),
            named_fill: None,
            other_sign,
            dates: get("units")
                .and_then(Json::as_str)
                .and_then(|units| Dates::read(units, get("calendar").and_then(Json::as_str))),
            xarray_mask: xarray_mask(array),
            flags: flags(array),
            stored,
        };
        let is_complex = matches!(stored_default, Some(Scalar::Complex(..)));
        let stored_is_int64 = resolved.is_some_and(|it| it.data_type.name() == "int64");
        for name in MASKS {
            let json = get(name).map(std::slice::from_ref).unwrap_or_default();
            let items =
                json.first().and_then(Json::as_array).filter(|_| !is_complex).unwrap_or(json);
            let masks: Vec<_> = items
                .iter()
                .filter_map(|json| Some((name, packing.mask(json, resolved?)?)))
                .collect();
            packing.masks.extend(masks);
        }
        let is_span =
            get("dtype").and_then(Json::as_str).is_some_and(|it| it.starts_with("timedelta64"));
        let is_time = is_span || packing.dates().is_some_and(Dates::are_of_numpy);
        if is_time && !packing.is_scaled && stored_is_int64 {
            packing.masks.push((NAT, Scalar::Int(i64::MIN)));
        }
        packing.named_fill = packing
            .masks
            .iter()
            .find(|(name, _)| *name == "_FillValue")
            .map(|(_, mask)| mask.clone());
        if has_xarray_fill(array) && !packing.is_bool {
            packing.mask_as_xarray();
        }
        packing
    }

    /// Puts Zarr's fill value in the place of `_FillValue`.
    fn mask_as_xarray(&mut self) {
        let (fill, named) = (self.xarray_mask.clone(), &self.named_fill);
        let is_same =
            fill.as_ref().zip(named.as_ref()).is_some_and(|(fill, it)| fill.value_equal(it));
        if !is_same {
            self.masks.retain(|(name, _)| *name != "_FillValue");
            let is_marked = |fill: &Scalar| self.masks.iter().any(|(_, it)| it.value_equal(fill));
            let fill = fill.filter(|fill| !is_marked(fill));
            self.masks.splice(0..0, fill.map(|fill| (ZARR_FILL, fill)));
        }
    }

    /// The meaning of `stored`.
    pub fn meant(&self, stored: &Scalar) -> Meant {
        let meant = self.number(stored);
        // What is missing is no boolean, and xarray makes true of it.
        if self.is_bool && self.xarray_mask.as_ref().is_some_and(|mask| mask.value_equal(stored)) {
            return Meant::Value(Scalar::Bool(1));
        }
        let number = match &meant {
            Meant::Number(number) => Some(*number),
            Meant::Value(value) => value.to_f64(),
            Meant::Missing(_) | Meant::Date(_) => None,
        };
        match number.filter(|_| self.is_bool) {
            Some(number) => Meant::Value(Scalar::Bool(u8::from(number != 0.0))),
            None => meant,
        }
    }

    /// The attribute that makes another value of a stored one, where nothing is scaled.
    pub fn recast_by(&self) -> &'static str {
        if self.is_bool { "dtype" } else { "_Unsigned" }
    }

    /// The same without what `dtype` says.
    fn number(&self, stored: &Scalar) -> Meant {
        if let Some((attribute, _)) = self.masks.iter().find(|(_, mask)| mask.value_equal(stored)) {
            return Meant::Missing(attribute);
        }
        let signed = self.stored.as_deref().zip(self.other_sign.as_deref());
        let value = signed
            .and_then(|(own, other)| recast(stored, own, other))
            .unwrap_or_else(|| stored.clone());
        let is_number = matches!(value, Scalar::Int(_) | Scalar::Uint(_) | Scalar::Float(_));
        match (value.to_f64().filter(|_| is_number), value.to_integer(), &self.dates) {
            (Some(_), Some(count), Some(Ok(dates))) if !self.is_scaled => {
                dates.of_integer(count).map_or(Meant::Value(value), Meant::Date)
            }
            (Some(number), ..) if self.is_scaled || self.dates().is_some() => {
                self.date(number).map_or_else(|| Meant::Number(self.unpack(number)), Meant::Date)
            }
            _ => Meant::Value(value),
        }
    }

    /// The words that the attributes `flag_values`, `flag_masks` and `flag_meanings` have for a stored value; `None` where
    /// they have none.
    pub fn flags_of(&self, stored: &Scalar) -> Option<String> {
        let stored = stored.to_integer()?;
        let is_set = |flag: &&Flag| match flag.mask {
            None => stored == flag.value,
            Some(mask) => stored & mask == flag.value,
        };
        let words: Vec<_> =
            self.flags.iter().filter(is_set).map(|flag| flag.meaning.as_str()).collect();
        (!words.is_empty()).then(|| words.join(", "))
    }

    /// The same by attributes alone, for those who judge these.
    pub fn without_nat(mut self) -> Self {
        self.masks.retain(|(rule, _)| *rule != NAT);
        self
    }

    /// True if a stored number marks missing values.
    pub fn is_mark(&self, number: f64) -> bool {
        let mut masks = self.masks.iter().filter_map(|(_, mask)| mask.to_f64());
        masks.any(|mask| mask.total_cmp(&number).is_eq())
    }

    /// The value that marks missing elements as `_FillValue` or in its place.
    pub fn fill_mark(&self) -> Option<&Scalar> {
        let mut masks = self.masks.iter();
        masks.find(|(rule, _)| [ZARR_FILL, "_FillValue"].contains(rule)).map(|(_, mask)| mask)
    }

    /// The fill value, no NaN, that marks missing values by the rule of xarray alone: no attribute does.
    pub fn masked_by_xarray(&self) -> Option<&Scalar> {
        let masks = self.masks.iter().filter(|(rule, _)| *rule == ZARR_FILL);
        masks.map(|(_, mask)| mask).find(|mask| !mask.is_nan())
    }

    /// The reason why a stored value is missing or not, or a boolean, where that is a question: the attribute and the
    /// rule, and the reading of xarray where that is another one.
    pub fn why(&self, stored: &Scalar) -> Option<String> {
        if self.is_bool { Some(self.why_bool(stored)) } else { self.why_missing(stored) }
    }

    fn why_bool(&self, stored: &Scalar) -> String {
        let rule = "The attribute `dtype` is \"bool\": xarray 2026.9 reads 0 as false and every other number as true.";
        let is_masked = |mask: &Scalar| mask.value_equal(stored);
        let by = match (self.meant(stored), &self.xarray_mask) {
            (Meant::Missing(attribute), None) => format!("The attribute `{attribute}`"),
            (_, Some(mask)) if is_masked(mask) => {
                "Zarr's fill value, as in all V2 arrays,".to_owned()
            }
            _ => return rule.into(),
        };
        format!("{rule} {by} marks this value as missing there, and what is missing reads as true.")
    }

    fn why_missing(&self, stored: &Scalar) -> Option<String> {
        let scaled =
            if self.is_scaled { "; `scale_factor` and `add_offset` do not apply" } else { "" };
        match self.meant(stored) {
            Meant::Missing(NAT) => Some(
                "Missing: xarray 2026.9 reads the lowest int64 as NaT where numbers count time.".into(),
            ),
            Meant::Missing(ZARR_FILL) if stored.is_nan() => Some(
                "Missing: NaN is Zarr's fill value, which xarray 2026.9 treats as the missing value of V2 arrays.".into(),
            ),
            Meant::Missing(ZARR_FILL) => Some(format!(
                "Missing: `_ARRAY_DIMENSIONS` marks the array as one of xarray, and xarray 2026.9 treats Zarr's fill value \
                 of V2 arrays as the missing value{scaled}. No attribute marks it: readers that go by CF count it as data."
            )),
            Meant::Missing(attribute) => Some(format!(
                "Missing: the attribute `{attribute}` has this value, and by the CF conventions (section 2.5.1) it marks \
                 missing data{scaled}."
            )),
            _ => {
                let named = self.named_fill.as_ref()?;
                named.value_equal(stored).then(|| {
                    "Not missing, although `_FillValue` has this value: in V2 arrays xarray 2026.9 treats Zarr's fill value \
                     as the missing value and ignores the attribute."
                        .into()
                })
            }
        }
    }

    /// The date of a stored number; `None` where numbers are no dates, or this one is out of all bounds.
    pub fn date(&self, stored: f64) -> Option<String> {
        self.dates()?.of_number(self.unpack(stored))
    }

    /// The reason why numbers that count time since a moment are not shown as dates.
    pub fn why_no_dates(&self) -> Option<&str> {
        self.dates.as_ref()?.as_ref().err().map(String::as_str)
    }

    fn dates(&self) -> Option<Dates> {
        self.dates.as_ref()?.as_ref().ok().copied()
    }

    /// A number times the factor, plus the offset.
    pub fn unpack(&self, value: f64) -> f64 {
        value * self.factor + self.offset
    }

    /// The attributes and rules that mark values as missing.
    pub fn rules(&self) -> String {
        [ZARR_FILL]
            .into_iter()
            .chain(MASKS)
            .chain([NAT])
            .filter(|name| self.masks.iter().any(|(rule, _)| rule == name))
            .joined(" and ")
    }

    /// The value of a user attribute as text: of `_FillValue` the stored value that it marks, because xarray writes it
    /// as base64 in V3 and as a number in V2.
    pub fn attribute_text(&self, name: &str, value: &Json) -> String {
        let mark = self.named_fill.as_ref().filter(|_| name == "_FillValue");
        mark.map_or_else(|| value.to_line(), ToString::to_string)
    }

    /// The stored value that an attribute names: a number, a special float by its name, or base64 of its bytes, for
    /// which xarray takes those of a float64.
    fn mask(&self, json: &Json, resolved: &Resolved) -> Option<Scalar> {
        let data_type = resolved.data_type.as_ref();
        let is_float = matches!(data_type.default_scalar(), Scalar::Float(_));
        let read = |data_type: &dyn DataType, json: &Json| {
            let read = data_type.fill_from_json(&json.strict(), Format::V2, &resolved.order);
            read.ok().map(|flagged| flagged.value)
        };
        match &json.kind {
            Kind::String(_) if is_float => {
                let Ok(bytes) = base64::decode(json) else { return read(data_type, json) };
                match <[u8; 8]>::try_from(bytes.as_slice()) {
                    Ok(bytes) => read(data_type, &float_json(f64::from_le_bytes(bytes))),
                    Err(_) => data_type.decode(&bytes, &ByteOrder::All(Endian::Little)).ok(),
                }
            }
            // xarray writes each half of a complex number as it writes a float.
            Kind::Array(halves) => {
                let half = |json: &Json| {
                    let bytes = base64::decode(json).ok()?;
                    Some(float_json(f64::from_le_bytes(
                        <[u8; 8]>::try_from(bytes.as_slice()).ok()?,
                    )))
                };
                let decoded: Option<Vec<Json>> = halves.iter().map(half).collect();
                read(data_type, &decoded.map_or_else(|| json.clone(), Json::from))
            }
            Kind::Number(_) => read(data_type, json).or_else(|| {
                let other = self.other_sign.as_deref()?;
                recast(&read(other, json)?, other, data_type)
            }),
            _ => None,
        }
    }
}

/// The flags that attributes of CF (section 3.5) give to whole numbers. A mask without a value is set
/// where all its bits are.
fn flags(array: &ArrayMetadata) -> Vec<Flag> {
    let get = |name: &str| array.attributes()?.get(name);
    let Some(meanings) = get("flag_meanings").and_then(Json::as_str) else { return Vec::new() };
    let numbers = |name: &str| -> Vec<i128> {
        let json = get(name);
        let items = json.and_then(Json::as_array).or_else(|| json.map(std::slice::from_ref));
        items
            .unwrap_or_default()
            .iter()
            .map_while(|json| json.as_number()?.trim_end_matches(".0").parse().ok())
            .collect()
    };
    let (values, masks) = (numbers("flag_values"), numbers("flag_masks"));
    let flag = |(at, meaning): (usize, &str)| {
        let mask = masks.get(at).copied();
        let value = values.get(at).copied().or(mask)?;
        Some(Flag { mask, value, meaning: meaning.to_owned() })
    };
    meanings.split_whitespace().enumerate().filter_map(flag).collect()
}

/// The form of the attribute `_FillValue` in a document of `format`: of floats and complex numbers xarray writes base64 of
/// float64 in V3, and reads nothing else there; V2 has numbers. `None` for what is no number: xarray 2026.9 reads no such
/// attribute in V3.
pub fn fill_attribute(mark: &Scalar, format: Format) -> Option<Json> {
    let part = |value: f64| match format {
        Format::V2 => float_json(value),
        Format::V3 => base64::encode(&value.to_le_bytes()).into(),
    };
    match mark {
        Scalar::Float(value) => Some(part(value.to_f64())),
        Scalar::Complex(re, im) => Some([re, im].into_iter().map(|it| part(it.to_f64())).collect()),
        Scalar::Int(value) => Some(Json::number(value.to_string())),
        Scalar::Uint(value) => Some(Json::number(value.to_string())),
        Scalar::Bool(value) => Some((*value != 0).into()),
        _ => None,
    }
}

/// True if xarray 2026.9 reads Zarr's fill value of `array` as the value of `_FillValue`.
pub fn has_xarray_fill(array: &ArrayMetadata) -> bool {
    let has_dimensions = || array.attributes()?.get("_ARRAY_DIMENSIONS");
    array.format == Format::V2
        && matches!(array.fill_value, FillValue::Value { .. })
        && has_dimensions().is_some()
}

/// The fill value of such an array, where it masks anything: times have NaT.
fn xarray_mask(array: &ArrayMetadata) -> Option<Scalar> {
    let FillValue::Value { scalar, .. } = &array.fill_value else { return None };
    let is_masked = has_xarray_fill(array) && !matches!(scalar, Scalar::Time(_));
    is_masked.then(|| scalar.clone())
}

/// A number as JSON has it, or the name of one that JSON does not have.
pub fn float_json(value: f64) -> Json {
    match value {
        _ if value.is_nan() => "NaN".into(),
        _ if value.is_finite() => Json::number(print::python_repr(value)),
        _ if value > 0.0 => "Infinity".into(),
        _ => "-Infinity".into(),
    }
}

/// The same bytes as another data type has them.
fn recast(value: &Scalar, from: &dyn DataType, to: &dyn DataType) -> Option<Scalar> {
    let order = ByteOrder::All(Endian::Little);
    to.decode(&from.encode(value, &order).ok()?, &order).ok()
}

/// A number, or a list of one, which xarray takes too.
fn number(json: &Json) -> Option<f64> {
    let json = match json.as_array() {
        Some([only]) => only,
        _ => json,
    };
    json.as_number()?.parse().ok().filter(|number: &f64| number.is_finite())
}

/// The integer type that `_Unsigned` makes of `stored`: "true" of a signed one, "false" of an unsigned one.
fn other_sign((stored, attribute): (&dyn DataType, &Json)) -> Option<Arc<dyn DataType>> {
    let name = stored.name();
    let wanted = match (attribute.as_str()?, name.strip_prefix('u')) {
        ("true", None) => format!("u{name}"),
        ("false", Some(signed)) => signed.to_owned(),
        _ => return None,
    };
    let row = number::NUMBERS.iter().find(|row| row.name() == wanted)?;
    Some(Arc::new(*row))
}
