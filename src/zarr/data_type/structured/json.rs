//! Fill values of structs: base64 of one element, or an object with a value for every field.

use super::{Struct, dedup, in_field};
use crate::zarr::data_type::base64;
use crate::zarr::data_type::prelude::*;

impl Struct {
    pub(super) fn read_base64(&self, json: &Json, order: &ByteOrder) -> Result<Flagged<Scalar>> {
        let bytes = base64::decode(json)?;
        if bytes.len() != self.size {
            let found = format!("base64 of {} bytes", bytes.len());
            let expected = format!("base64 of exactly {} bytes (one element)", self.size);
            return Err(Error::new(Code::FillValueLength, found, expected));
        }
        self.decode(&bytes, order).map(Flagged::plain)
    }

    /// An object with every field and nothing else. Forms that the specification forbids stay forbidden here: the
    /// lenient zarr-python 3.1 does not read a struct whose fill value is an object.
    pub(super) fn read_object(&self, json: &Json) -> Result<Flagged<Scalar>> {
        let Some(members) = json.as_object() else {
            let expected = "an object with a value for every field";
            return Err(Error::new(Code::FillValueType, json.describe(), expected));
        };
        self.no_strangers(members)?;
        let mut values = Vec::with_capacity(self.fields.len());
        let mut notes = Vec::new();
        let by_name: std::collections::HashMap<&str, &Json> =
            members.iter().map(|member| (member.key.as_str(), &member.value)).collect();
        for (field, name) in self.fields.iter().zip(self.names()) {
            let value = by_name.get(&*name).ok_or_else(|| {
                let found = format!("no value for the field {}", quoted(&name));
                Error::new(Code::FillValueField, found, "a value for every field")
            })?;
            let read =
                field.data_type.fill_from_json(value, Format::V3, &ByteOrder::All(Endian::Little));
            let read = read.and_then(strict).map_err(|error| error.at(&*name))?;
            values.push((field.name.clone(), read.value));
            notes.extend(read.notes);
        }
        dedup(&mut notes);
        Ok(Flagged { value: Scalar::Struct(values.into()), notes })
    }

    fn no_strangers(&self, members: &[crate::zarr::json::Member]) -> Result<()> {
        let known: std::collections::HashSet<_> = self.names().collect();
        let stranger = members.iter().find(|member| !known.contains(member.key.as_str()));
        match stranger {
            None => Ok(()),
            Some(member) => {
                let found = format!("the member {}", quoted(&member.key));
                Err(Error::new(Code::FillValueField, found, "only names of fields"))
            }
        }
    }

    pub(super) fn to_object(&self, values: &[(String, Scalar)]) -> Result<Json, Note> {
        let unregistered = self.is_unregistered();
        let mut out = Vec::with_capacity(values.len());
        for ((field, name), (_, value)) in self.fields.iter().zip(self.names()).zip(values) {
            let json = match value {
                Scalar::Bytes(bytes) if unregistered && field.data_type.kind() == "RawBytes" => {
                    Ok(base64::encode(bytes).into())
                }
                value => field.data_type.fill_to_json(value, Format::V3, &ByteOrder::NotApplicable),
            };
            let json = json.map_err(|note| in_field(&name, &note))?;
            out.push((name, json));
        }
        Ok(Json::object(out))
    }
}

/// Refuses what only zarr-python reads.
fn strict(read: Flagged<Scalar>) -> Result<Flagged<Scalar>> {
    match read.notes.iter().find(|note| note.code == Code::SpecForbids) {
        None => Ok(read),
        Some(note) => {
            // What zarr-python makes of it outside of a struct does not hold here.
            let rule = note.text.split(". zarr-python").next().unwrap_or_default();
            let rule = rule.trim_start_matches("The specification requires ");
            let (expected, found) = rule.split_once("; found ").unwrap_or((rule, "another form"));
            Err(Error::new(Code::FillValueType, found, expected))
        }
    }
}
