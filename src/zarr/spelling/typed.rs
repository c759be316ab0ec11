//! A typed data type: V2 JSON, V3 JSON, a bare name of either, or a NumPy name.

use crate::zarr::prelude::*;
use crate::zarr::{ByteOrder, DataTypes, Result, data_type::base64};

/// A data type as typed, with what was said beside it.
#[derive(Debug, Clone, Copy)]
pub struct WantedType<'a> {
    /// The text.
    pub text: &'a str,
    /// The object codec of a V2 `|O`.
    pub object_codec: Option<&'a str>,
    /// The format that is asked for; `None`: to be found out.
    pub format: Option<Format>,
    /// The byte order, where the specification has none.
    pub endian: Option<Endian>,
}

/// A data type that was understood.
#[derive(Debug, Clone)]
pub struct Typed {
    /// The format in which it was written. A NumPy name is no JSON of either and counts as V3.
    pub format: Format,
    /// True if it was a NumPy name, so that both forms are what would be written.
    pub is_numpy: bool,
    /// The text as JSON; for a NumPy name the V3 form.
    pub json: Json,
    /// The data type that it means.
    pub resolved: Resolved,
}

impl WantedType<'_> {
    /// Resolves the text, as V2, then as V3, then as a NumPy name; a reading without reservations goes first.
    ///
    /// # Errors
    ///
    /// If no reading is possible: that of the format the text looks like.
    pub fn resolve(self, registry: &DataTypes) -> Result<Typed> {
        let json = self.json();
        let readings: Vec<_> =
            [self.v2(registry, &json), self.v3(registry, &json), self.numpy(registry)]
                .into_iter()
                .flatten()
                .collect();
        let plain = readings.iter().flatten().find(|typed| typed.resolved.notes.is_empty());
        if let Some(typed) = plain.or_else(|| readings.iter().flatten().next()) {
            return self.in_order(typed.clone());
        }
        // Python's strings have other quotes.
        let is_python = self.text.chars().find(|c| matches!(c, '"' | '\'')) == Some('\'');
        if self.text.trim().starts_with(['{', '['])
            && !is_python
            && let Err(error) = Json::parse_str(self.text.trim())
        {
            return Err(error.at(if self.looks_like_v2(&json) { "dtype" } else { "data_type" }));
        }
        let looks_like = usize::from(!self.looks_like_v2(&json));
        let mut errors = readings.into_iter().filter_map(Result::err).collect::<Vec<_>>();
        let ambiguous = errors.iter().position(|error| error.code == Code::AmbiguousName);
        let looks_like = if is_python { errors.len() } else { looks_like };
        let at = ambiguous.unwrap_or(looks_like).min(errors.len().saturating_sub(1));
        if errors.is_empty() {
            return Err(Error::new(Code::UnknownDataType, json.describe(), "a known data type"));
        }
        Err(errors.swap_remove(at))
    }

    /// The text as JSON; a text that is none is a bare name.
    fn json(self) -> Json {
        let text = self.text.trim();
        match Json::parse_str(text) {
            // A number or a bare word such as `NaN` or `null` names nothing; it is kept to be refused as what it is.
            Ok(json) => json,
            Err(_) => Json::from(text),
        }
    }

    fn looks_like_v2(self, json: &Json) -> bool {
        self.format == Some(Format::V2)
            || self.object_codec.is_some()
            || matches!(json.kind, Kind::Array(_))
            || is_dtype(json)
    }

    fn v2(self, registry: &DataTypes, json: &Json) -> Option<Result<Typed>> {
        if self.format == Some(Format::V3) {
            return None;
        }
        let resolved = registry.from_v2(json, self.object_codec);
        Some(typed(Format::V2, json, resolved.map_err(|error| error.at("dtype"))))
    }

    fn v3(self, registry: &DataTypes, json: &Json) -> Option<Result<Typed>> {
        if self.format == Some(Format::V2) || self.object_codec.is_some() || is_dtype(json) {
            return None;
        }
        let resolved = registry.from_v3(json);
        Some(typed(Format::V3, json, resolved.map_err(|error| error.at("data_type"))))
    }

    fn numpy(self, registry: &DataTypes) -> Option<Result<Typed>> {
        let name = self.text.trim();
        if self.format.is_some() || self.object_codec.is_some() || name.starts_with(DTYPE_SIGNS) {
            return None;
        }
        Some(registry.from_numpy(name).map(|resolved| Typed {
            format: Format::V3,
            is_numpy: true,
            json: resolved.data_type.to_v3().unwrap_or_else(|_| Json::from(name)),
            resolved,
        }))
    }

    /// The same with the byte order that was asked for.
    fn in_order(self, mut typed: Typed) -> Result<Typed> {
        let Some(endian) = self.endian.filter(|_| typed.resolved.order.applies()) else {
            return Ok(typed);
        };
        let written = typed.format == Format::V2;
        if written && typed.resolved.order.uniform() != Some(endian) {
            let found = format!("{}, which is {}", typed.json, typed.resolved.order.word());
            let error =
                Error::new(Code::InvalidArgument, found, format!("{}-endian", endian.word()));
            return Err(error
                .at("--endian")
                .with_fix("A V2 dtype includes its byte order: omit --endian."));
        }
        typed.resolved.order = ByteOrder::All(endian);
        Ok(typed)
    }
}

impl Typed {
    /// The fill value that was typed beside the data type; a refusal is part of it.
    pub fn fill_value(&self, text: &str) -> FillValue {
        let unreadable =
            |json, error: Error| FillValue::Unreadable { json, error: error.at("fill_value") };
        let json = match Json::parse_str(text) {
            Ok(json) => json,
            Err(error) => return unreadable(Json::from(text), self.with_quotes(text, error)),
        };
        if json.is_null() && self.format == Format::V2 {
            return FillValue::Null;
        }
        let Resolved { data_type, order, .. } = &self.resolved;
        match data_type.fill_from_json(&json, self.format, order) {
            Ok(read) => FillValue::Value { json, scalar: read.value, notes: read.notes },
            Err(error) => {
                let error = self.with_base64(&json, error);
                unreadable(json, error)
            }
        }
    }

    fn takes(&self, json: &Json) -> bool {
        let Resolved { data_type, order, .. } = &self.resolved;
        data_type.fill_from_json(json, self.format, order).is_ok_and(|read| read.notes.is_empty())
    }

    /// The advice to quote a text that is no JSON, or to write a word of Python as JSON does.
    fn with_quotes(&self, text: &str, error: Error) -> Error {
        let meant = match text.to_ascii_lowercase().as_str() {
            "nan" => Json::from("NaN"),
            "inf" | "+inf" | "infinity" => Json::from("Infinity"),
            "-inf" | "-infinity" => Json::from("-Infinity"),
            word @ ("true" | "false") => Json::parse_str(word).unwrap_or_else(|_| Json::from(word)),
            _ => Json::from(text),
        };
        if self.takes(&meant) {
            return error.with_fix(format!("Write {meant}."));
        }
        self.with_base64(&meant, error)
    }

    /// The advice to write a text as base64, where bytes are wanted.
    fn with_base64(&self, json: &Json, error: Error) -> Error {
        let Some(text) = json.as_str().filter(|_| error.fix.is_none()) else { return error };
        let encoded = Json::from(base64::encode(text.as_bytes()));
        if !self.takes(&encoded) {
            return error;
        }
        error.with_fix(format!("If this is text, write it as base64: {encoded}."))
    }
}

/// The first characters of a V2 dtype. NumPy takes such texts more freely, but whoever types one means the dtype, and
/// wants to hear that `|i2` is none.
const DTYPE_SIGNS: [char; 4] = ['<', '>', '|', '='];

fn is_dtype(json: &Json) -> bool {
    json.as_str().is_some_and(|text| text.starts_with(DTYPE_SIGNS))
}

fn typed(format: Format, json: &Json, resolved: Result<Resolved>) -> Result<Typed> {
    resolved.map(|resolved| Typed { format, is_numpy: false, json: json.clone(), resolved })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The advice where `fill` is typed beside `text`.
    fn advice(text: &str, fill: &str) -> String {
        let wanted = WantedType { text, object_codec: None, format: None, endian: None };
        match wanted.resolve(&DataTypes::default()).unwrap().fill_value(fill) {
            FillValue::Unreadable { error, .. } => error.fix.unwrap_or_default(),
            other => panic!("{fill} is taken: {other:?}"),
        }
    }

    #[test]
    fn fill_values_as_people_type_them_are_put_right() {
        assert_eq!(advice("string", "hello"), "Write \"hello\".");
        assert_eq!(advice("float32", "nan"), "Write \"NaN\".");
        assert_eq!(advice("float32", "-inf"), "Write \"-Infinity\".");
        assert_eq!(advice("float32", "0x7fc00000"), "Write \"0x7fc00000\".");
        assert_eq!(advice("bool", "True"), "Write true.");
        assert_eq!(advice("|S3", "\"ab\""), "If this is text, write it as base64: \"YWI=\".");
        assert_eq!(advice("|S3", "ab"), "If this is text, write it as base64: \"YWI=\".");
        assert_eq!(advice("int16", "1.5"), "");
    }
}
