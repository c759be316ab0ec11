//! The whole document as the other format would write it.

use super::{codecs, missing::MovedMark, nearest, values::mixed_order};
use crate::zarr::prelude::*;
use crate::zarr::{
    data_type::{extension::written, notes::nested_in_v2},
    json::is_bare,
    metadata::{GroupMetadata, fill_attribute},
};

/// Documents that no store holds: what the other format would write.
#[derive(Debug, Clone, PartialEq)]
pub struct Written {
    /// The format they are in.
    pub format: Format,
    /// File name and document: `.zarray` and `.zattrs`, or `zarr.json`.
    pub documents: Vec<(&'static str, Json)>,
    /// The losses and the choices.
    pub notes: Vec<Note>,
    /// True if something is lost, so that the chunks must be written again or the documents say less.
    pub is_lossy: bool,
}

impl Written {
    /// True if a member that every reader needs could not be written, and is `null`: the format has no such array.
    pub fn is_impossible(&self) -> bool {
        const NEEDED: [&str; 6] = ["shape", "chunks", "dtype", "data_type", "chunk_grid", "codecs"];
        self.documents.iter().any(|(_, document)| {
            let is_null = |key: &&str| document.get(key).is_some_and(Json::is_null);
            // V2 has a null fill value.
            NEEDED.iter().any(is_null) || self.format == Format::V3 && is_null(&"fill_value")
        })
    }
}

/// The remarks on a document while it is written.
#[derive(Default)]
struct Remarks {
    notes: Vec<Note>,
    is_lossy: bool,
}

impl Remarks {
    fn lost(&mut self, notes: impl IntoIterator<Item = Note>) {
        let before = self.notes.len();
        self.notes.extend(notes);
        self.is_lossy |= self.notes.len() > before;
    }
}

/// The array's documents in the format that is not stored. What has no equivalent there is `null`, with a note.
pub fn array(array: &ArrayMetadata) -> Written {
    match array.format {
        Format::V2 => array_in_v3(array),
        Format::V3 => array_in_v2(array),
    }
}

/// The group's documents in the format that is not stored.
pub fn group(group: &GroupMetadata) -> Written {
    let attributes = object_or_empty(group.attributes());
    let documents = match group.format {
        Format::V2 => {
            let document =
                object! { "zarr_format": 3, "node_type": "group", "attributes": attributes };
            vec![("zarr.json", document)]
        }
        Format::V3 => with_attributes((".zgroup", object! { "zarr_format": 2 }), attributes),
    };
    let notes = bare_numbers(group.attributes()).into_iter().collect();
    Written { format: group.format.other(), documents, notes, is_lossy: false }
}

/// The note on numbers in user attributes that are no JSON.
fn bare_numbers(attributes: Option<&Json>) -> Option<Note> {
    let text = "The attributes contain a bare NaN or Infinity, which is not JSON; it is written as a string here. \
                Strict readers refuse the whole stored document.";
    attributes.is_some_and(has_bare).then(|| Note::new(Code::BareNan, text))
}

fn has_bare(json: &Json) -> bool {
    match &json.kind {
        Kind::Number(text) => is_bare(text),
        Kind::Array(items) => items.iter().any(has_bare),
        Kind::Object(members) => members.iter().any(|member| has_bare(&member.value)),
        Kind::Null | Kind::Bool(_) | Kind::String(_) => false,
    }
}

fn object_or_empty(attributes: Option<&Json>) -> Json {
    attributes.map_or_else(|| object! {}, Json::strict)
}

/// V2 keeps user attributes in a file of its own, and only where there are any.
fn with_attributes(first: (&'static str, Json), attributes: Json) -> Vec<(&'static str, Json)> {
    let none = attributes.as_object().is_none_or(<[_]>::is_empty);
    if none { vec![first] } else { vec![first, (".zattrs", attributes)] }
}

fn fill(array: &ArrayMetadata, moved: Option<&MovedMark>, remarks: &mut Remarks) -> Json {
    let Ok(resolved) = &array.data_type else { return Json::NULL };
    remarks.notes.extend(moved.and_then(|moved| moved.note.clone()));
    let fill = moved.map_or_else(|| array.fill_scalar(), |moved| moved.fill.clone());
    if matches!(array.fill_value, FillValue::Null) {
        remarks.notes.push(Note::new(
            Code::NullFill,
            "V3 has no null fill value; the default scalar is used here.",
        ));
    }
    let Some(scalar) = fill else { return Json::NULL };
    match nearest(resolved.data_type.as_ref(), &scalar, array.format.other(), &resolved.order) {
        Ok(near) => {
            remarks.lost(near.lost);
            near.json
        }
        Err(note) => {
            remarks.lost([note]);
            Json::NULL
        }
    }
}

fn array_in_v3(array: &ArrayMetadata) -> Written {
    let (mut remarks, moved) = (Remarks::default(), MovedMark::of(array));
    let dimensions = array.shape.as_ref().map_or(0, Vec::len);
    let specs = array.codecs.as_deref().unwrap_or_default();
    let mut document = object! {
        "zarr_format": 3, "node_type": "array",
        "shape": array.known_shape().map(Vec::as_slice),
        "data_type": Json::NULL,
        "chunk_grid": chunk_grid(array),
        "chunk_key_encoding": written("default", object! {"separator": "/"}),
        "fill_value": fill(array, moved.as_ref(), &mut remarks),
        "codecs": Json::NULL,
        "attributes": v3_attributes(array, moved.as_ref(), &mut remarks),
    };
    if let Ok(resolved) = &array.data_type {
        match resolved.data_type.to_v3() {
            Ok(form) => {
                document.set("data_type", form);
                remarks.notes.extend(resolved.data_type.notes());
            }
            Err(note) => remarks.lost([note]),
        }
        let data_type = resolved.data_type.as_ref();
        if data_type.has_byte_order() && resolved.order.uniform().is_none() {
            remarks.lost([mixed_order()]);
        }
        let known = &array.registry.codecs;
        let translated =
            codecs::to_v3(known, specs, array.fortran, data_type, &resolved.order, dimensions);
        let written = translated.codecs.iter().map(|codec| codec.to_v3().strict());
        document.set("codecs", written.collect::<Json>());
        remarks.lost(translated.lost);
        remarks.notes.extend(translated.chosen);
    }
    if let Some(names) = &array.dimension_names {
        document.set("dimension_names", names);
    }
    remarks.notes.extend(bare_numbers(array.attributes()));
    let Remarks { notes, is_lossy } = remarks;
    Written { format: Format::V3, documents: vec![("zarr.json", document)], notes, is_lossy }
}

fn chunk_grid(array: &ArrayMetadata) -> Json {
    match &array.grid {
        Ok(Grid::Regular(shape)) => written("regular", object! {"chunk_shape": shape}),
        _ => Json::NULL,
    }
}

/// The user attributes, with the one that xarray writes differently in the two formats as the other format has it.
fn translated_attributes(
    array: &ArrayMetadata,
    moved: Option<&MovedMark>,
    remarks: &mut Remarks,
) -> Json {
    let mut attributes = object_or_empty(array.attributes());
    let written = match moved {
        Some(moved) => moved.attribute.clone(),
        None => Packing::of(array)
            .named_fill
            .filter(|mark| mark.to_integer().is_none())
            .and_then(|mark| fill_attribute(&mark, array.format.other())),
    };
    if let (Some(_), None, Kind::Object(members)) = (moved, &written, &mut attributes.kind) {
        members.retain(|member| member.key != "_FillValue");
    }
    let is_number = |json: &Json| matches!(json.kind, Kind::Number(_));
    let fits = |written: &Json| match attributes.get("_FillValue") {
        None => moved.is_none(),
        Some(now) => now == written || moved.is_none() && is_number(now) && is_number(written),
    };
    if let Some(written) = written.filter(|written| !fits(written)) {
        attributes.set("_FillValue", written);
        let text = "The attribute `_FillValue` is rewritten: xarray 2026.9 reads base64 of a float64 for it in V3, and \
                    programs that read V2 expect a number.";
        if moved.is_none_or(|moved| moved.note.is_none()) {
            remarks.notes.push(Note::new(Code::CfFillValue, text));
        }
    }
    attributes
}

/// The attributes of a V2 array without the one that V3 has a field for.
fn v3_attributes(array: &ArrayMetadata, moved: Option<&MovedMark>, remarks: &mut Remarks) -> Json {
    let mut attributes = translated_attributes(array, moved, remarks);
    if let (Some(_), Kind::Object(members)) = (&array.dimension_names, &mut attributes.kind) {
        members.retain(|member| member.key != "_ARRAY_DIMENSIONS");
    }
    attributes
}

fn array_in_v2(array: &ArrayMetadata) -> Written {
    let (mut remarks, moved) = (Remarks::default(), MovedMark::of(array));
    let dimensions = array.shape.as_ref().map_or(0, Vec::len);
    let specs = array.codecs.as_deref().unwrap_or_default();
    let translated = codecs::to_v2(&array.registry.codecs, specs, dimensions);
    let (dtype, object_codec) = dtype(array, &mut remarks);
    let value = |spec: &CodecSpec| spec.configuration.as_ref().map(Json::strict);
    let mut filters: Vec<Json> = translated.codecs.filters.iter().filter_map(value).collect();
    if let Some(codec) = object_codec
        && !filters.iter().any(|filter| filter.get_str("id") == Some(&codec))
    {
        filters.insert(0, object! { "id": codec });
    }
    let separator = array.key_encoding.as_ref().map_or('.', KeyEncoding::separator);
    let document = object! {
        "zarr_format": 2,
        "shape": array.known_shape().map(Vec::as_slice),
        "chunks": chunks(array, &mut remarks),
        "dtype": dtype,
        "compressor": translated.codecs.compressor.as_ref().and_then(value),
        "fill_value": fill(array, moved.as_ref(), &mut remarks),
        "order": if translated.codecs.fortran { "F" } else { "C" },
        "filters": if filters.is_empty() { Json::NULL } else { filters.into() },
        "dimension_separator": separator.to_string(),
    };
    remarks.lost(translated.lost);
    remarks.notes.extend(translated.chosen);
    remarks.notes.extend(bare_numbers(array.attributes()));
    let attributes = v2_attributes(array, moved.as_ref(), &mut remarks);
    let documents = with_attributes((".zarray", document), attributes);
    let Remarks { notes, is_lossy } = remarks;
    Written { format: Format::V2, documents, notes, is_lossy }
}

fn dtype(array: &ArrayMetadata, remarks: &mut Remarks) -> (Json, Option<String>) {
    let Ok(resolved) = &array.data_type else { return (Json::NULL, None) };
    match resolved.to_v2() {
        Ok(form) => {
            remarks.notes.extend(nested_in_v2(resolved.data_type.as_ref()));
            (form.dtype, form.object_codec)
        }
        Err(note) => {
            remarks.lost([note]);
            (Json::NULL, None)
        }
    }
}

fn chunks(array: &ArrayMetadata, remarks: &mut Remarks) -> Json {
    if let Some(inner) = array.inner_chunk_shape() {
        return inner.into();
    }
    match &array.grid {
        Ok(Grid::Regular(shape)) => shape.into(),
        Ok(Grid::Rectilinear(_)) => {
            let text = "V2 has one chunk shape for the whole array.";
            remarks.lost([Note::new(Code::NoOtherForm, text)]);
            Json::NULL
        }
        Err(_) => Json::NULL,
    }
}

/// The attributes of a V3 array, with the one that V2 needs for dimension names.
fn v2_attributes(array: &ArrayMetadata, moved: Option<&MovedMark>, remarks: &mut Remarks) -> Json {
    let mut attributes = translated_attributes(array, moved, remarks);
    if let Some(names) = &array.dimension_names {
        attributes.set("_ARRAY_DIMENSIONS", names);
    } else if moved.is_some() {
        // xarray reads no V2 array without, be there no dimensions.
        attributes.set("_ARRAY_DIMENSIONS", Vec::<u64>::new());
    }
    attributes
}
