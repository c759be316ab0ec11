//! The changes of a `zarr.json` by a setting.

use super::{
    Edit, SettingMember, codecs, document, edit::JsonStep, in_v2, lengths, plain, specs, steps,
};
use crate::zarr::prelude::*;
use crate::zarr::{codec::serializer, error::Result, spelling::typed::WantedType};

pub(super) fn edits(
    member: SettingMember,
    value: &str,
    array: &ArrayMetadata,
) -> Result<Vec<Edit>> {
    let set = |key: &str, json: Json| Ok(vec![Edit::set(steps![key], json)]);
    match member {
        SettingMember::Dtype => dtype(value, array),
        SettingMember::Endian => endian(in_v2::endian(value)?, array),
        SettingMember::Order => order(value, array),
        SettingMember::Codecs => all(value, array),
        SettingMember::Filters => part(value, array, CodecKind::ArrayToArray),
        SettingMember::Compressor => part(value, array, CodecKind::BytesToBytes),
        SettingMember::Shape => set("shape", lengths(value)?),
        SettingMember::Chunks => chunks(value, array),
        SettingMember::Fill => set("fill_value", plain(value)),
        SettingMember::Keys => keys(value, array),
        SettingMember::Checksums | SettingMember::Document => Ok(Vec::new()),
    }
}

/// All codecs; where the one that makes bytes is typed without a byte order, that of the array stays.
fn all(value: &str, array: &ArrayMetadata) -> Result<Vec<Edit>> {
    let mut edits = vec![Edit::set(steps!["codecs"], Json::from(codecs(value, "name")?))];
    let new = super::edited(array, &edits)?;
    let is_open = |specs| array.registry.codecs.declared_endian(specs) == Some(None);
    if let Ok(resolved) = &array.data_type
        && resolved.data_type.has_byte_order()
        && specs(&new).is_ok_and(is_open)
    {
        edits.extend(endian(resolved.order.uniform().unwrap_or(Endian::Little), &new)?);
    }
    Ok(edits)
}

/// The data type; where it is typed with a byte order, or now has one, the `bytes` codec says it.
fn dtype(value: &str, array: &ArrayMetadata) -> Result<Vec<Edit>> {
    let wanted = WantedType { text: value, object_codec: None, format: None, endian: None };
    let typed = wanted.resolve(&array.registry.data_types)?;
    let json = match typed.format {
        Format::V3 if !typed.is_numpy => super::unplaced(&typed.json),
        _ => typed.resolved.data_type.to_v3().map_err(in_v2::unsayable)?,
    };
    let mut edits = vec![Edit::set(steps!["data_type"], json)];
    let said = typed.resolved.order.uniform().filter(|_| value.contains(['<', '>']));
    let is_needed = typed.resolved.data_type.has_byte_order()
        && array.registry.codecs.declared_endian(specs(array)?) == Some(None);
    if let Some(endian) = said.or_else(|| is_needed.then_some(Endian::Little)) {
        edits.extend(self::endian(endian, array)?);
    }
    Ok(edits)
}

/// The byte order, in every `bytes` codec of the elements, be it inside shards.
fn endian(endian: Endian, array: &ArrayMetadata) -> Result<Vec<Edit>> {
    let root = document(array)?.root();
    let mut edits = Vec::new();
    if let Some(codecs) = root.and_then(|root| root.get("codecs")) {
        in_codecs(codecs, &[JsonStep::from("codecs")], endian, array, &mut edits);
    }
    if edits.is_empty() {
        let error = Error::new(Code::InvalidArgument, "no codec that declares a byte order", "");
        return Err(error);
    }
    Ok(edits)
}

fn in_codecs(
    codecs: &Json,
    path: &[JsonStep],
    endian: Endian,
    array: &ArrayMetadata,
    edits: &mut Vec<Edit>,
) {
    for (at, codec) in codecs.as_array().unwrap_or_default().iter().enumerate() {
        let here = [path, &[JsonStep::At(at)]].concat();
        let Ok(spec) = CodecSpec::from_v3(codec, "") else { continue };
        let row = array.registry.codecs.row(&spec.name, Format::V3);
        if let Some(inner) =
            spec.member("codecs").filter(|_| row.is_some_and(|r| r.inner.is_some()))
        {
            let path = [here, steps!["configuration", "codecs"]].concat();
            in_codecs(inner, &path, endian, array, edits);
        } else if row.is_some_and(|row| (row.endian)(&spec, &array.registry.codecs).is_some()) {
            edits.push(with_endian(codec, here, endian));
        }
    }
}

fn with_endian(codec: &Json, here: Vec<JsonStep>, endian: Endian) -> Edit {
    let word = endian.word();
    if codec.as_str().is_some() {
        let name = codec.as_str().unwrap_or_default();
        return Edit::set(here, object! {"name": name, "configuration": object! {"endian": word}});
    }
    if codec.get("configuration").is_none() {
        let path = [here, steps!["configuration"]].concat();
        return Edit::set(path, object! {"endian": word});
    }
    Edit::set([here, steps!["configuration", "endian"]].concat(), word)
}

/// The order of the dimensions: by a `transpose` in front of all other codecs.
fn order(value: &str, array: &ArrayMetadata) -> Result<Vec<Edit>> {
    let rank = array.shape.as_ref().map_err(Clone::clone)?.len();
    let axes: Vec<usize> = match value {
        "C" => (0..rank).collect(),
        "F" => (0..rank).rev().collect(),
        text => {
            let refuse = || {
                Error::new(
                    Code::InvalidArgument,
                    quoted(text),
                    "C, F or an order of the dimensions such as [1,0]",
                )
            };
            let lengths = lengths(text).map_err(|_not_numbers| refuse())?;
            let axes = lengths.as_array().unwrap_or_default().iter().filter_map(Json::as_u64);
            let axes: Vec<usize> = axes.filter_map(|axis| usize::try_from(axis).ok()).collect();
            let mut sorted = axes.clone();
            sorted.sort_unstable();
            (sorted == (0..rank).collect::<Vec<_>>()).then_some(axes).ok_or_else(refuse)?
        }
    };
    let is_plain = axes.iter().enumerate().all(|(at, axis)| at == *axis);
    let specs = specs(array)?;
    let at = specs
        .iter()
        .position(|spec| spec.member("order").is_some_and(|order| order.as_array().is_some()));
    let json = || axes.iter().map(|&axis| axis as u64).collect::<Json>();
    Ok(match at {
        Some(at) if is_plain => vec![Edit::remove(steps!["codecs", at])],
        Some(at) => vec![Edit::set(steps!["codecs", at, "configuration", "order"], json())],
        None if is_plain => Vec::new(),
        None => {
            let codec = object! {"name": "transpose", "configuration": object! {"order": json()}};
            vec![Edit::insert(steps!["codecs", 0_usize], codec)]
        }
    })
}

/// The codecs on one side of the one that makes bytes; the others stay.
fn part(value: &str, array: &ArrayMetadata, side: CodecKind) -> Result<Vec<Edit>> {
    let new = codecs(value, "name")?;
    let kept: Vec<&CodecSpec> = specs(array)?.iter().collect();
    let kind = |spec: &CodecSpec| {
        array.registry.codecs.read_as(&spec.name, Format::V3).map(|row| row.kind)
    };
    let makes_bytes = kept.iter().position(|spec| kind(spec) == Some(CodecKind::ArrayToBytes));
    let plain = array.known_data_type();
    let plain = plain.map(|resolved| serializer(resolved.data_type.as_ref(), &resolved.order));
    let (before, middle, after) = match makes_bytes {
        Some(at) => (kept.get(..at), kept.get(at).map(|spec| spec.to_v3()), kept.get(at + 1..)),
        None => (None, plain.map(|spec| spec.to_v3()), Some(kept.as_slice())),
    };
    let written = |specs: Option<&[&CodecSpec]>| -> Vec<Json> {
        specs.unwrap_or_default().iter().map(|spec| super::unplaced(&spec.to_v3())).collect()
    };
    let (before, after) = match side {
        CodecKind::BytesToBytes => (written(before), new),
        CodecKind::ArrayToArray | CodecKind::ArrayToBytes => (new, written(after)),
    };
    let middle = middle.map(|json| super::unplaced(&json));
    let all: Vec<Json> = before.into_iter().chain(middle).chain(after).collect();
    Ok(vec![Edit::set(steps!["codecs"], Json::from(all))])
}

fn chunks(value: &str, array: &ArrayMetadata) -> Result<Vec<Edit>> {
    let lengths = lengths(value)?;
    let grid = document(array)?.root().and_then(|root| root.get("chunk_grid"));
    let is_regular =
        grid.and_then(|grid| grid.get("name")).and_then(Json::as_str) == Some("regular");
    let has_shape = grid.and_then(|grid| grid.get("configuration")?.get("chunk_shape")).is_some();
    if is_regular && has_shape {
        let path = steps!["chunk_grid", "configuration", "chunk_shape"];
        return Ok(vec![Edit::set(path, lengths)]);
    }
    let grid = object! {"name": "regular", "configuration": object! {"chunk_shape": lengths}};
    Ok(vec![Edit::set(steps!["chunk_grid"], grid)])
}

fn keys(value: &str, array: &ArrayMetadata) -> Result<Vec<Edit>> {
    let declared = array.known_key_encoding();
    let is_v2 = declared.is_some_and(|keys| matches!(keys, KeyEncoding::V2 { .. }));
    let (name, separator) = match value {
        "/" | "." => (if is_v2 { "v2" } else { "default" }, value),
        "v2" => ("v2", "."),
        "v2/" => ("v2", "/"),
        "default" => ("default", "/"),
        "default." => ("default", "."),
        _ => {
            return Err(Error::new(
                Code::InvalidArgument,
                quoted(value),
                "/, ., v2, v2/, default or default.",
            ));
        }
    };
    let json = object! {"name": name, "configuration": object! {"separator": separator}};
    Ok(vec![Edit::set(steps!["chunk_key_encoding"], json)])
}
