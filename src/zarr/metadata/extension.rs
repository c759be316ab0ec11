//! The shape that V3 gives to everything that can be extended: a name, a configuration, and whether a reader that does
//! not know it may go on.

use super::document::Faults;
use crate::zarr::{
    error::{Code, Error, Result},
    json::{Json, Kind, Member, quoted},
};

/// A chunk grid, a chunk key encoding or a storage transformer as the document names it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extension<'a> {
    pub(super) name: &'a str,
    pub(super) configuration: Option<&'a Json>,
    /// Members beside name, configuration and `must_understand`.
    pub(super) rest: &'a [Member],
}

impl<'a> Extension<'a> {
    /// Reads `json`: a mere name, or an object with one. `must_understand: false` is collected as an error, because
    /// none of these may be ignored.
    pub(super) fn read(json: &'a Json, field: &str, faults: &mut Faults<'_>) -> Result<Self> {
        if let Some(name) = json.as_str() {
            return Ok(Self { name, configuration: None, rest: &[] });
        }
        let expected = "a name, or an object with one";
        let refused =
            |found: String| Error::new(Code::MalformedExtension, found, expected).at(field);
        let (Some(rest), Some(name)) = (json.as_object(), json.get("name")) else {
            return Err(faults.error(json, refused(json.describe())));
        };
        let Some(name) = name.as_str() else {
            return Err(faults.error(name, refused(format!("{} as name", name.describe()))));
        };
        let configuration = json.get("configuration");
        if let Some(other) = configuration.filter(|json| json.as_object().is_none()) {
            let error = Error::new(Code::MalformedExtension, other.describe(), "an object");
            faults.error(other, error.at("configuration").at(field));
        }
        if let Some(flag) = json.get("must_understand").filter(|flag| flag.kind != Kind::Bool(true))
        {
            let error =
                Error::new(Code::MustUnderstand, flag.describe(), "true: it cannot be ignored");
            faults.error(flag, error.at("must_understand").at(field));
        }
        Ok(Self { name, configuration, rest })
    }

    /// The member `key` of the configuration.
    pub(super) fn get(&self, key: &str) -> Option<&'a Json> {
        self.configuration?.get(key)
    }

    /// Collects every member of the object and of its configuration that is not known.
    pub(super) fn only(&self, keys: &[&str], field: &str, faults: &mut Faults<'_>) {
        let beside = ["name", "configuration", "must_understand"];
        unknown(self.rest, &beside, field, faults);
        let inside = self.configuration.and_then(Json::as_object).unwrap_or_default();
        unknown(inside, keys, &format!("{field}.configuration"), faults);
    }
}

fn unknown(members: &[Member], known: &[&str], field: &str, faults: &mut Faults<'_>) {
    for member in members.iter().filter(|member| !known.contains(&member.key.as_str())) {
        let found = format!("the member {}", quoted(&member.key));
        let expected = known.iter().map(|key| quoted(key)).collect::<Vec<_>>().join(", ");
        let error = Error::new(Code::UnknownMember, found, format!("only {expected}"));
        faults.error(&member.value, error.at(field).at_offset(member.key_span.start as u64));
    }
}
