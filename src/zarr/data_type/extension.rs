//! The shape of a V3 `data_type`: a name, or an object with a name and a configuration.
//!
//! The core text defines its own types as plain strings and extension points as objects, and lets a string be the
//! short-hand of an object that has only a name. Whether `{"name": "int32"}` is then legal for a core type is not
//! said: zarr-python refuses it, zarrs reads it, and so do we, with a note.

use super::prelude::*;
use crate::zarr::json::Member;

/// The name of a V3 `data_type`, whatever else may be wrong with it.
pub fn name_of(json: &Json) -> Option<&str> {
    match &json.kind {
        Kind::String(text) => Some(&text.text),
        Kind::Object(_) => json.get_str("name"),
        _ => None,
    }
}

/// A `data_type` with a configuration, as V3 writes it.
pub fn written(name: &str, configuration: Json) -> Json {
    object! {"name": name, "configuration": configuration}
}

/// A `data_type` taken apart.
#[derive(Debug, Clone, Copy)]
pub struct Extension<'a> {
    /// The members of its configuration; empty where there is none.
    pub configuration: &'a [Member],
    /// True if there is a configuration, be it empty.
    pub configured: bool,
    /// True if it is an object and not a bare name.
    pub is_object: bool,
    /// True if it says `must_understand`.
    pub must_understand: bool,
}

impl<'a> Extension<'a> {
    /// Takes a string or object apart whose [`name_of`] is known.
    ///
    /// # Errors
    ///
    /// If the object has other members than `name`, `configuration` and `must_understand`, where the configuration
    /// is no object, and where `must_understand` is not `true`: a data type cannot be ignored.
    pub fn read(json: &'a Json) -> Result<Self> {
        let mut out = Self {
            configuration: &[],
            configured: false,
            is_object: false,
            must_understand: false,
        };
        let Some(members) = json.as_object() else { return Ok(out) };
        out.is_object = true;
        for member in members {
            match member.key.as_str() {
                "name" => {}
                "configuration" => {
                    out.configuration = configuration(&member.value)?;
                    out.configured = true;
                }
                "must_understand" => out.must_understand = understood(&member.value)?,
                other => {
                    let found = format!("the member {}", quoted(other));
                    let expected = "only name, configuration and must_understand";
                    return Err(Error::new(Code::UnknownMember, found, expected).at(other));
                }
            }
        }
        Ok(out)
    }

    /// For data types without parameters.
    ///
    /// # Errors
    ///
    /// If the configuration is not empty.
    pub fn without_parameters(&self) -> Result<()> {
        let Some(first) = self.configuration.first() else { return Ok(()) };
        let found = format!("the member {}", quoted(&first.key));
        let error =
            Error::new(Code::DataTypeConfiguration, found, "an empty configuration or none");
        Err(error.at(&first.key).at("configuration"))
    }

    /// The value of a member that must be there; other members than `allowed` must not be.
    ///
    /// # Errors
    ///
    /// If one is missing or not allowed.
    pub fn exactly<const N: usize>(&self, allowed: [&str; N]) -> Result<[&'a Json; N]> {
        if let Some(other) = self.configuration.iter().find(|m| !allowed.contains(&m.key.as_str()))
        {
            let found = format!("the member {}", quoted(&other.key));
            let expected = format!("exactly {}", allowed.join(" and "));
            let error = Error::new(Code::DataTypeConfiguration, found, expected);
            return Err(error.at(&other.key).at("configuration"));
        }
        let mut out = [self.required(allowed.first().copied().unwrap_or_default())?; N];
        for (place, name) in out.iter_mut().zip(allowed) {
            *place = self.required(name)?;
        }
        Ok(out)
    }

    /// The value of a member that must be there.
    ///
    /// # Errors
    ///
    /// If it is missing.
    pub fn required(&self, name: &str) -> Result<&'a Json> {
        let member = self.configuration.iter().rev().find(|member| member.key == name);
        member.map(|member| &member.value).ok_or_else(|| {
            let found = if self.configured { "no such member" } else { "no configuration" };
            Error::new(Code::DataTypeConfiguration, found, wanted(name))
                .at(name)
                .at("configuration")
        })
    }

    /// The note for a core data type that is written as an object.
    pub fn core_note(&self, name: &str) -> Option<Note> {
        self.is_object.then(|| {
            let text = format!(
                "The core specification writes {name} as a plain string. zarr-python 3.4.2 refuses the object form; zarrs 0.23.14 reads it."
            );
            Note::new(Code::CoreTypeAsObject, text)
        })
    }

    /// The note for `must_understand` in a data type that zarr-python knows.
    pub fn must_understand_note(&self) -> Option<Note> {
        self.must_understand.then(|| {
            Note::new(
                Code::CoreTypeAsObject,
                "must_understand is allowed here, but zarr-python 3.4.2 refuses the data type because of it.",
            )
        })
    }
}

/// The form of a member of a configuration, by its name.
fn wanted(name: &str) -> String {
    let example = match name {
        "unit" => "{\"unit\": \"ns\", …}",
        "scale_factor" => "{\"scale_factor\": 1, …}",
        "length_bytes" => "{\"length_bytes\": 16}",
        "fields" => "{\"fields\": [{\"name\": \"a\", \"data_type\": \"int16\"}, …]}",
        _ => return "a value".into(),
    };
    format!("a configuration with it, such as {example}")
}

fn configuration(json: &Json) -> Result<&[Member]> {
    json.as_object().ok_or_else(|| {
        Error::new(Code::DataTypeConfiguration, json.describe(), "an object").at("configuration")
    })
}

fn understood(json: &Json) -> Result<bool> {
    if json.kind == Kind::Bool(true) {
        return Ok(true);
    }
    let expected = "true, or no such member: a data type cannot be ignored";
    Err(Error::new(Code::MustUnderstand, json.describe(), expected).at("must_understand"))
}
