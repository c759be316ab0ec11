//! The document that a chunk file would have above it if somebody had kept it.

use crate::zarr::{
    Error, Format, Json, Note, Result,
    codec::{Codecs, serializer},
    guess::Wrapping,
    json::object,
    spelling::typed::Typed,
};

/// Said in the document's attributes, so that nobody takes it for one that was found.
const MADE_UP: &str = "there is no metadata: zarrscope made this document of its command line";

/// A V2 document, of `said` codecs with the compressor last, or of the `announced` ones.
pub(super) fn v2(
    typed: &Typed,
    shape: &[u64],
    said: Option<Vec<Json>>,
    announced: Option<&Wrapping>,
) -> Vec<u8> {
    let ids = announced.into_iter().flat_map(|wrapping| wrapping.names(Format::V2));
    let mut filters = said.unwrap_or_else(|| ids.map(|id| object! {"id": id}).collect());
    let is_object =
        |codec: &Json| codec.get("id").and_then(Json::as_str).is_some_and(is_object_codec);
    let compressor = filters.pop_if(|last| !is_object(last));
    let value = object! {
        "zarr_format": 2, "shape": shape, "chunks": shape, "dtype": &typed.json,
        "order": "C", "fill_value": Json::NULL, "compressor": compressor,
        "filters": if filters.is_empty() { Json::NULL } else { filters.into() },
    };
    value.to_string().into_bytes()
}

/// A V3 document, of `said` codecs, or of the `announced` ones around the elements themselves.
pub(super) fn v3(
    typed: &Typed,
    shape: &[u64],
    said: Option<Vec<Json>>,
    announced: Option<&Wrapping>,
) -> Result<Vec<u8>> {
    let data_type = &typed.resolved.data_type;
    let unsayable = |note: Note| Error::new(note.code, note.text, "a V3 data type").at("--dtype");
    let order = &typed.resolved.order;
    let fill = data_type
        .fill_to_json(&data_type.default_scalar(), Format::V3, order)
        .map_err(unsayable)?;
    let names = announced.into_iter().flat_map(|wrapping| wrapping.names(Format::V3));
    let plain = serializer(data_type.as_ref(), order);
    let around = || names.map(|name| object! {"name": name});
    let codecs = said.unwrap_or_else(|| std::iter::once(plain.to_v3()).chain(around()).collect());
    let value = object! {
        "zarr_format": 3, "node_type": "array", "shape": shape, "data_type": data_type.to_v3().map_err(unsayable)?,
        "chunk_grid": object! {"name": "regular", "configuration": object! {"chunk_shape": shape}},
        "chunk_key_encoding": object! {"name": "default"}, "fill_value": fill, "codecs": codecs,
        "attributes": object! {"note": MADE_UP},
    };
    Ok(value.to_string().into_bytes())
}

/// Whether V2 takes the codec for one that makes bytes of objects.
pub(super) fn is_object_codec(id: &str) -> bool {
    Codecs::default().row(id, Format::V2).is_some_and(|row| row.object_codec)
}
