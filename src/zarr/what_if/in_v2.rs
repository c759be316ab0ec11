//! The changes of a `.zarray` by a setting.

use super::{Edit, SettingMember, codecs, lengths, plain, specs, steps};
use crate::zarr::prelude::*;
use crate::zarr::{error::Result, spelling::typed::WantedType};

pub(super) fn edits(
    member: SettingMember,
    value: &str,
    array: &ArrayMetadata,
) -> Result<Vec<Edit>> {
    let set = |key: &str, json: Json| Ok(vec![Edit::set(steps![key], json)]);
    match member {
        SettingMember::Dtype => set("dtype", dtype(value, array)?),
        SettingMember::Endian => set("dtype", swapped(endian(value)?, array)?),
        SettingMember::Order if ["C", "F"].contains(&value) => set("order", value.into()),
        SettingMember::Order => {
            Err(Error::new(Code::InvalidArgument, quoted(value), "C or F: V2 has no other"))
        }
        SettingMember::Codecs => all(value, array),
        SettingMember::Filters => set("filters", listed(codecs(value, "id")?)),
        SettingMember::Compressor => {
            let mut found = codecs(value, "id")?;
            let last = found.pop();
            if found.is_empty() {
                return set("compressor", last.into());
            }
            let mut filters: Vec<Json> = filters(array)?;
            filters.append(&mut found);
            Ok(vec![
                Edit::set(steps!["filters"], listed(filters)),
                Edit::set(steps!["compressor"], Json::from(last)),
            ])
        }
        SettingMember::Shape => set("shape", lengths(value)?),
        SettingMember::Chunks => set("chunks", lengths(value)?),
        SettingMember::Fill => set("fill_value", plain(value)),
        SettingMember::Keys => match value {
            "/" | "." => set("dimension_separator", value.into()),
            _ => Err(Error::new(Code::InvalidArgument, quoted(value), "/ or .")),
        },
        SettingMember::Checksums | SettingMember::Document => Ok(Vec::new()),
    }
}

/// `little` or `big`, also as `<` and `>`.
pub(super) fn endian(value: &str) -> Result<Endian> {
    match value {
        "little" | "le" | "<" => Ok(Endian::Little),
        "big" | "be" | ">" => Ok(Endian::Big),
        _ => Err(Error::new(Code::InvalidArgument, quoted(value), "little or big")),
    }
}

/// The note that a format cannot say something, as an error.
pub(super) fn unsayable(note: Note) -> Error {
    Error::new(note.code, note.text, "a data type of this format")
}

fn dtype(value: &str, array: &ArrayMetadata) -> Result<Json> {
    let declared = array.known_data_type().and_then(|resolved| resolved.order.uniform());
    let object_codec = array.object_codec.as_deref().filter(|_| value.contains("|O"));
    let wanted = WantedType { text: value, object_codec, format: None, endian: None };
    let typed = wanted.resolve(&array.registry.data_types)?;
    if typed.format == Format::V2 && !typed.is_numpy {
        return Ok(super::unplaced(&typed.json));
    }
    // A V3 name says nothing of byte order: that of the array stays.
    let order = match declared {
        Some(endian) if typed.resolved.order.applies() => ByteOrder::All(endian),
        _ => typed.resolved.order,
    };
    Ok(typed.resolved.data_type.to_v2(&order).map_err(unsayable)?.dtype)
}

fn swapped(endian: Endian, array: &ArrayMetadata) -> Result<Json> {
    let resolved = array.data_type.as_ref().map_err(Clone::clone)?;
    Ok(resolved.data_type.to_v2(&ByteOrder::All(endian)).map_err(unsayable)?.dtype)
}

/// The filters as the document has them.
fn filters(array: &ArrayMetadata) -> Result<Vec<Json>> {
    let is_filter = |field: &str| field.starts_with("filters");
    let filters = specs(array)?.iter().filter(|spec| is_filter(&spec.field));
    Ok(filters.filter_map(|spec| spec.configuration.as_ref().map(super::unplaced)).collect())
}

fn listed(filters: Vec<Json>) -> Json {
    if filters.is_empty() { Json::NULL } else { filters.into() }
}

/// All codecs: the last is the compressor where it is one, the others are filters.
fn all(value: &str, array: &ArrayMetadata) -> Result<Vec<Edit>> {
    let mut filters = codecs(value, "id")?;
    let compresses = |codec: &mut Json| {
        let id = codec.get_str("id").unwrap_or_default();
        array.registry.codecs.row(id, Format::V2).is_none_or(|row| row.compresses)
    };
    let compressor = filters.pop_if(compresses);
    Ok(vec![
        Edit::set(steps!["filters"], listed(filters)),
        Edit::set(steps!["compressor"], Json::from(compressor)),
    ])
}
