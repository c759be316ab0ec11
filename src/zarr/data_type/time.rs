//! `numpy.datetime64` and `numpy.timedelta64`: a count of units in 8 bytes.
//!
//! V2 writes `"<M8[10s]"` and `"<m8[ns]"`, V3 a unit and a `scale_factor` from 1 to 2³¹−1. The lowest count is NaT.
//! μs (U+03BC) is the same unit as us, and stays as it was written in V3. A V2 dtype without a unit is against the
//! text, but zarr-python reads it as generic. A fill value is the count, or `"NaT"`, which is written as its count too,
//! as zarr-python does in both formats; no dates, for no text says how.

use super::fill::Readers;
use super::prelude::*;
use crate::zarr::scalar::{Time, TimeUnit};

/// The largest scale factor, 2³¹−1.
pub const MAX_SCALE: u32 = 0x7fff_ffff;

/// The spelling of the unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Spelled {
    /// As NumPy abbreviates it.
    Plain,
    /// Microseconds with a Greek letter.
    Mu,
    /// Not at all (V2 `<M8`).
    Missing,
}

/// A datetime or a timedelta with its unit.
#[derive(Debug, Clone, Copy)]
pub struct Temporal {
    unit: TimeUnit,
    scale: u32,
    since_epoch: bool,
    spelled: Spelled,
}

impl Temporal {
    /// Counts of `scale` units, since 1970 (datetime) or not (timedelta).
    pub fn new(unit: TimeUnit, scale: u32, since_epoch: bool) -> Self {
        Self { unit, scale: scale.clamp(1, MAX_SCALE), since_epoch, spelled: Spelled::Plain }
    }

    fn v3_name(self) -> &'static str {
        if self.since_epoch { "numpy.datetime64" } else { "numpy.timedelta64" }
    }

    /// `[10s]`, `[ns]`; nothing for a single generic unit, as zarr-python and NumPy write it.
    fn bracket(self) -> String {
        match (self.unit, self.scale) {
            (TimeUnit::Generic, 1) => String::new(),
            (unit, 1) => format!("[{}]", unit.symbol()),
            (unit, scale) => format!("[{scale}{}]", unit.symbol()),
        }
    }

    /// The letter of a V2 type string.
    fn letter(self) -> char {
        if self.since_epoch { 'M' } else { 'm' }
    }

    fn typestr(self, order: &ByteOrder) -> String {
        format!("{}{}8{}", order.endian().sign(), self.letter(), self.bracket())
    }

    fn of(self, count: i64) -> Scalar {
        let Self { unit, scale, since_epoch, .. } = self;
        Scalar::Time(Time { count, unit, scale, since_epoch })
    }

    fn count(self, scalar: &Scalar) -> Result<i64> {
        match scalar {
            Scalar::Time(time) => Ok(time.count),
            other => Err(element::foreign(&self.name(), other)),
        }
    }

    /// The note on a count in V2 that needs a word, on which V2 is silent.
    fn count_note(self, json: &Json, count: i64, format: Format) -> Option<Note> {
        let text = match format {
            _ if self.spelled == Spelled::Missing && count != Time::NAT => {
                "The dtype has no unit, so the count cannot be read as a time."
            }
            Format::V3 if self.is_generic_date() && count != Time::NAT => NO_GENERIC_DATE,
            Format::V2 if self.unit == TimeUnit::Generic && !self.since_epoch => {
                "V2 does not define fill values of times."
            }
            Format::V2 if self.is_generic_date() => {
                "V2 does not define fill values of times; zarr-python 3.1.6 accepts only NaT for generic datetimes, and \
                 3.4.2 any count."
            }
            Format::V2 if count == Time::NAT => {
                "V2 does not define fill values of times; zarr-python 3.4.2 writes NaT as this count."
            }
            Format::V2 if count.unsigned_abs() > 1 << 53 => {
                "V2 does not define fill values of times; a reader that parses numbers as float64 loses digits of \
                 this one."
            }
            Format::V2 if json.as_number() == Some("-0") => {
                "V2 does not define fill values of times; -0 is read as 0."
            }
            _ => return None,
        };
        Some(Note::new(Code::TemporalFill, text))
    }

    fn is_generic_date(self) -> bool {
        self.unit == TimeUnit::Generic && self.since_epoch
    }

    fn is_unitless_refusal(self, json: &Json) -> bool {
        let fraction = json.as_number().is_some_and(|text| text.contains(['.', 'e', 'E']));
        self.spelled == Spelled::Missing && (self.since_epoch || fraction)
    }
}

impl DataType for Temporal {
    fn name(&self) -> String {
        format!("{}{}", self.v3_name(), self.bracket())
    }

    fn kind(&self) -> &'static str {
        if self.since_epoch { "DateTime64" } else { "TimeDelta64" }
    }

    fn item_size(&self) -> ItemSize {
        ItemSize::Fixed(8)
    }

    fn description(&self) -> String {
        let unit = match (self.unit, self.scale) {
            (TimeUnit::Generic, 1) => "units without a name".into(),
            (TimeUnit::Generic, scale) => format!("{scale} units without a name"),
            (unit, 1) => format!("{}s", unit.word()),
            (unit, scale) => format!("{scale}-{} steps", unit.word()),
        };
        let since = if self.since_epoch { " since the start of 1970" } else { "" };
        format!("8 bytes, a count of {unit}{since}")
    }

    fn has_byte_order(&self) -> bool {
        true
    }

    fn to_v2(&self, order: &ByteOrder) -> Result<V2Form, Note> {
        Ok(V2Form::plain(self.typestr(order)))
    }

    fn to_v3(&self) -> Result<Json, Note> {
        let unit = if self.spelled == Spelled::Mu { "\u{3bc}s" } else { self.unit.symbol() };
        Ok(written(self.v3_name(), object! {"unit": unit, "scale_factor": self.scale}))
    }

    fn notes(&self) -> Vec<Note> {
        let mut notes = Vec::new();
        if self.unit == TimeUnit::Generic {
            let text = "V2 requires a unit; zarr-python 3.4.2 reads times without one.";
            notes.push(Note::new(Code::GenericUnit, text));
        }
        if self.unit == TimeUnit::Generic && self.scale != 1 {
            let text = format!(
                "zarr-python 3.1.6 drops the scale {} of generic times. 3.4.2 keeps it, though NumPy 2.5.5 does not \
                 print it.",
                self.scale
            );
            notes.push(Note::new(Code::NoOtherForm, text));
        }
        notes
    }

    fn default_scalar(&self) -> Scalar {
        self.of(Time::NAT)
    }

    fn fill_from_json(
        &self,
        json: &Json,
        format: Format,
        _: &ByteOrder,
    ) -> Result<Flagged<Scalar>> {
        let unitless = self.spelled == Spelled::Missing;
        if json.as_str() == Some("NaT") {
            let mut value = Flagged::plain(self.of(Time::NAT));
            value.notes.extend(unitless.then(|| self.count_note(json, 0, format)).flatten());
            return Ok(value);
        }
        if json.as_number().is_none() || self.is_unitless_refusal(json) {
            return Err(Error::new(Code::FillValueType, json.describe(), "an integer or \"NaT\""));
        }
        let range = (i128::from(i64::MIN), i128::from(i64::MAX));
        let value = fill::integer(json, format, Readers::TextOnly, range)?;
        let count = i64::try_from(value.value).unwrap_or(Time::NAT);
        let note = self.count_note(json, count, format);
        let mut value = value.map(|_| self.of(count));
        value.notes.extend(note);
        Ok(value)
    }

    fn fill_to_json(&self, scalar: &Scalar, _: Format, _: &ByteOrder) -> Result<Json, Note> {
        self.count(scalar).map(Json::from).map_err(|_foreign| notes::foreign(&self.name(), scalar))
    }

    fn cast(&self, plain: &Plain) -> Result<Scalar> {
        match plain {
            Plain::Text(text) if text.eq_ignore_ascii_case("NaT") => Ok(self.of(Time::NAT)),
            Plain::Text(text) if self.since_epoch => {
                let count = Time::count_of_date(text, self.unit, self.scale);
                count.map(|count| self.of(count)).ok_or_else(|| {
                    plain.refused("an ISO 8601 date that the unit can tell exactly, or NaT")
                })
            }
            Plain::Text(text) => match text.parse() {
                Ok(count) => Ok(self.of(count)),
                Err(_) => Err(plain.refused("a count of 64 bits, or NaT")),
            },
            Plain::Int(value) => match i64::try_from(*value) {
                Ok(count) => Ok(self.of(count)),
                Err(_) => Err(plain.refused("a count of 64 bits")),
            },
            other => Err(other.refused("a count, or the string NaT")),
        }
    }

    fn decode(&self, bytes: &[u8], order: &ByteOrder) -> Result<Scalar> {
        element::expect_size(bytes, 8)?;
        Ok(self.of(element::number(bytes, order.endian()).cast_signed()))
    }

    fn encode(&self, scalar: &Scalar, order: &ByteOrder) -> Result<Vec<u8>> {
        Ok(element::bytes(self.count(scalar)?.cast_unsigned(), 8, order.endian()))
    }

    /// NumPy prints no scale of a generic time.
    fn numpy(&self, order: &ByteOrder) -> Option<Json> {
        let scale = if self.unit == TimeUnit::Generic { 1 } else { self.scale };
        Some(Self { scale, ..*self }.typestr(order).into())
    }

    fn native(&self) -> Option<Native> {
        Some(Native::I64)
    }

    fn anatomy(&self, scalar: &Scalar, order: &ByteOrder) -> Vec<AnatomyRow> {
        let Scalar::Time(time) = scalar else { return Vec::new() };
        let swapped = element::number(
            &element::bytes(time.count.cast_unsigned(), 8, order.endian()),
            order.endian().other(),
        );
        let other = Time { count: swapped.cast_signed(), ..*time };
        vec![
            AnatomyRow { bytes: Some(0..8), ..AnatomyRow::new("count", time.count.to_string()) },
            AnatomyRow::new("unit", format!("{} × {}", self.scale, self.unit.symbol())),
            AnatomyRow::new(if self.since_epoch { "date" } else { "span" }, time.text()),
            AnatomyRow::new(format!("read as {}", order.endian().other().word()), other.text()),
        ]
    }
}

/// The note on a count of a generic datetime.
const NO_GENERIC_DATE: &str = "zarr-python 3.1.6 accepts only NaT as the fill value of a generic datetime. 3.4.2 reads \
                               the count, but NumPy 2.5.5 cannot print it.";

/// Recognises datetimes or timedeltas, of which it holds one as an example: single units.
#[derive(Debug)]
pub struct TemporalFamily(pub Temporal);

impl TemporalFamily {
    /// The unit in the brackets: digits, then a unit.
    fn bracket(&self, inside: &str) -> Result<Temporal> {
        let fault = |expected: &str| Error::new(Code::TimeUnit, quoted(inside), expected);
        let end = inside.find(|c: char| !c.is_ascii_digit()).unwrap_or(inside.len());
        let (digits, symbol) = inside.split_at_checked(end).unwrap_or((inside, ""));
        let unit = TimeUnit::from_symbol(symbol).ok_or_else(|| {
            fault("an optional scale and one of Y M W D h m s ms us μs ns ps fs as generic")
        })?;
        let digits = if digits.is_empty() { "1" } else { digits };
        let scale = digits.trim_start_matches('0').parse::<u32>().ok();
        let scale = scale.filter(|scale| (1..=MAX_SCALE).contains(scale));
        let scale = scale.ok_or_else(|| fault("a scale from 1 to 2147483647"))?;
        let spelled = if symbol == unit.symbol() { Spelled::Plain } else { Spelled::Mu };
        Ok(Temporal { unit, scale, spelled, ..self.0 })
    }

    fn typestr(&self, text: TypeStr<'_>) -> Result<Resolved> {
        if text.digits != "8" {
            let expected = format!("{}8: a time has 8 bytes", self.0.letter());
            return Err(Error::new(Code::DtypeSize, quoted(text.text), expected));
        }
        let inside = text.rest.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        let temporal = match inside {
            Some(inside) => self.bracket(inside)?,
            None if text.rest.is_empty() => {
                Temporal { unit: TimeUnit::Generic, spelled: Spelled::Missing, ..self.0 }
            }
            None => {
                return Err(Error::new(
                    Code::TimeUnit,
                    quoted(text.text),
                    "a unit in brackets, such as [ns]",
                ));
            }
        };
        let resolved = Resolved::of(temporal).in_order(text.order()?);
        Ok(resolved.noted(unit_note(temporal, text.text)))
    }

    fn v3(&self, data_type: &Json) -> Result<Resolved> {
        let extension = Extension::read(data_type)?;
        let [unit, scale] = extension.exactly(["unit", "scale_factor"])?;
        let fault = |json: &Json, expected: &str, at: &str| {
            let error = Error::new(Code::DataTypeConfiguration, json.describe(), expected);
            Err(error.at(at).at("configuration"))
        };
        let symbol = unit.as_str().unwrap_or_default();
        let Some(known) = TimeUnit::from_symbol(symbol) else {
            return fault(unit, "one of Y M W D h m s ms us μs ns ps fs as generic", "unit");
        };
        let factor = scale.as_u64().and_then(|scale| u32::try_from(scale).ok());
        let Some(factor) = factor.filter(|scale| (1..=MAX_SCALE).contains(scale)) else {
            return fault(scale, "an integer from 1 to 2147483647", "scale_factor");
        };
        let spelled = if symbol == known.symbol() { Spelled::Plain } else { Spelled::Mu };
        let temporal = Temporal { unit: known, scale: factor, spelled, ..self.0 };
        Ok(Resolved::of(temporal).noted(extension.must_understand_note()))
    }
}

fn unit_note(temporal: Temporal, text: &str) -> Option<Note> {
    let say = match (temporal.unit, temporal.spelled) {
        (_, Spelled::Missing) => {
            "has no unit, which V2 requires; zarr-python 3.4.2 reads it as generic"
        }
        (TimeUnit::Generic, _) => {
            "has the unit generic, which V2 does not list; zarr-python 3.4.2 reads it"
        }
        _ => return None,
    };
    Some(Note::new(Code::GenericUnit, format!("{} {say}.", quoted(text))))
}

impl Family for TemporalFamily {
    fn name(&self) -> &'static str {
        self.0.kind()
    }

    fn from_v2(&self, dtype: &Json, _: Option<&str>, _: &Scope) -> Option<Result<Resolved>> {
        let text = TypeStr::split(dtype.as_str()?).filter(|text| text.kind == self.0.letter())?;
        Some(self.typestr(text))
    }

    fn from_v3(&self, data_type: &Json, _: &Scope) -> Option<Result<Resolved>> {
        (name_of(data_type)? == self.0.v3_name()).then(|| self.v3(data_type))
    }

    fn from_numpy(&self, name: &str, _: &Scope) -> Option<Result<Resolved>> {
        let (order, code) = super::numpy::order_and_code(name);
        let word = self.0.v3_name().trim_start_matches("numpy.");
        let rest = code
            .strip_prefix(word)
            .or_else(|| code.strip_prefix(self.0.letter())?.strip_prefix('8'))?;
        let inside = rest.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        if inside.is_none() && !rest.is_empty() {
            return None;
        }
        let temporal = inside.map_or_else(
            || Ok(Temporal { unit: TimeUnit::Generic, ..self.0 }),
            |inside| self.bracket(inside),
        );
        Some(temporal.map(|temporal| Resolved::of(temporal).in_order(order)))
    }

    fn examples(&self) -> Vec<Arc<dyn DataType>> {
        vec![Arc::new(self.0)]
    }
}
