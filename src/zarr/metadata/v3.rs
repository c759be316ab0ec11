//! The document of V3: `zarr.json`.

use super::{
    GroupMetadata, OrderSource, chain,
    document::{ExtensionPoint, Faults, misread_texts, strangers},
    fill_value, shape, under,
};
use crate::zarr::prelude::*;

/// The members of an array's `zarr.json` that the specification defines.
pub(in crate::zarr) const ARRAY_FIELDS: [&str; 11] = [
    "zarr_format",
    "node_type",
    "shape",
    "data_type",
    "chunk_grid",
    "chunk_key_encoding",
    "fill_value",
    "codecs",
    "attributes",
    "dimension_names",
    "storage_transformers",
];

/// The kind of node that a `zarr.json` describes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NodeType {
    /// An array.
    Array,
    /// A group.
    Group,
    /// Neither, for this reason.
    Unknown(Error),
}

/// The kind of node that `document` describes: its `node_type` or, where that is not valid, the kind that the other
/// members belong to.
pub fn node_type(document: &RawDocument) -> NodeType {
    if let Err(error) = document.object() {
        return NodeType::Unknown(error);
    }
    let member = |key| document.root().and_then(|root| root.get(key));
    let describe = |key| member(key).map_or_else(|| "nothing".to_owned(), Json::describe);
    let own = ["data_type", "chunk_grid", "codecs"];
    if own
        .into_iter()
        .chain(["dtype", "chunks"])
        .all(|key| member(key).is_some() != own.contains(&key))
    {
        let found = "the document of a V2 array";
        let error = Error::new(Code::ZarrFormat, found, "a document of V3").at("zarr_format");
        let fix = format!(
            "zarr_format is {}. A document of V2 belongs in .zarray, and its attributes in .zattrs.",
            describe("zarr_format")
        );
        return NodeType::Unknown(
            error.saying(format!("zarr.json holds {found}")).with_fix(fix).in_file(&document.key),
        );
    }
    match member("node_type").and_then(Json::as_str) {
        Some("array") => NodeType::Array,
        Some("group") => NodeType::Group,
        _ if own.into_iter().any(|key| member(key).is_some()) => NodeType::Array,
        _ => {
            let expected = "\"array\" or \"group\"";
            let error = if member("metadata_encoding").is_some() {
                let draft = "It is of the V3 draft of 2020 to 2022, whose metadata is below meta/root. zarr-python 2.18.7 \
                             reads it where ZARR_V3_EXPERIMENTAL_API is 1: write it again as V3.";
                let error = Error::new(Code::ZarrFormat, describe("zarr_format"), "3");
                error.at("zarr_format").with_fix(draft)
            } else {
                Error::new(Code::NodeType, describe("node_type"), expected).at("node_type")
            };
            NodeType::Unknown(error.in_file(&document.key))
        }
    }
}

/// Reads an array from its `zarr.json`.
pub fn array(document: RawDocument, registry: &Registry) -> ArrayMetadata {
    let mut array = array_fields(&document, registry);
    array.documents.push(document);
    array
}

/// Reads a group from its `zarr.json`.
pub fn group(document: RawDocument) -> GroupMetadata {
    let mut faults = Faults::new(&document);
    match document.object() {
        Ok(_) => {
            super::zarr_format(Format::V3, &mut faults);
            expect_node_type("group", &mut faults);
            read_attributes(&mut faults);
            unknown_fields(&["zarr_format", "node_type", "attributes"], &mut faults);
        }
        Err(error) => faults.problems.push(Problem::failed(error)),
    }
    let problems = faults.problems;
    GroupMetadata { format: Format::V3, documents: vec![document], problems }
}

fn array_fields(document: &RawDocument, registry: &Registry) -> ArrayMetadata {
    let mut faults = Faults::new(document);
    if let Err(error) = document.object() {
        faults.problems.push(Problem::failed(error.clone()));
        return ArrayMetadata::unreadable(Format::V3, &error, faults.problems);
    }
    super::zarr_format(Format::V3, &mut faults);
    expect_node_type("array", &mut faults);
    let codecs = codecs(&mut faults);
    let (data_type, order_source) = data_type(&codecs, registry, &mut faults);
    let shape = shape::shape(&mut faults);
    let mut array = ArrayMetadata {
        format: Format::V3,
        documents: Vec::new(),
        grid: shape::chunk_grid(&shape, &mut faults),
        key_encoding: shape::chunk_key_encoding(&mut faults),
        fill_value: fill_value(&data_type, Format::V3, &mut faults),
        data_type,
        object_codec: None,
        order_source,
        fortran: false,
        codecs,
        dimension_names: dimension_names(shape.as_ref().ok().map(Vec::len), &mut faults),
        shape,
        registry: registry.clone(),
        refused: storage_transformers(&mut faults),
        problems: Vec::new(),
    };
    if array.order_source == OrderSource::Guessed && !chain::has_to_guess(&array) {
        array.order_source = OrderSource::NotApplicable;
        let order_is_unknown = chain::is_order_unreadable(&array);
        if let Some(resolved) = array.data_type.as_mut().ok().filter(|_| order_is_unknown) {
            resolved.order = ByteOrder::NotApplicable;
        }
    }
    unknown_fields(&ARRAY_FIELDS, &mut faults);
    // hdmf-zarr 0.14.0 writes the names so, beside one of these, and xarray 2026.9 opens none of its files.
    let of_hdmf = ["zarr_dtype", "_DTYPE", "neurodata_type"];
    let attributes = read_attributes(&mut faults)
        .filter(|json| of_hdmf.iter().all(|key| json.get(key).is_none()));
    let names = attributes.and_then(|json| json.get("_ARRAY_DIMENSIONS"));
    // Where there are no dimensions, no names are missing.
    let names = names.filter(|json| json.as_array().is_none_or(|names| !names.is_empty()));
    if let Some(json) = names.filter(|_| faults.optional("dimension_names").is_none()) {
        let error = Error::new(Code::DimensionNames, "_ARRAY_DIMENSIONS", "dimension_names")
            .at("attributes._ARRAY_DIMENSIONS")
            .saying(
                "dimension_names is missing beside the attribute _ARRAY_DIMENSIONS, which is of V2",
            );
        let fix = "Without dimension_names xarray 2026.9 raises KeyError when it opens the group.";
        faults.add_as(Severity::Warning, json, error.with_fix(fix));
    }
    chain::check(&array, &mut faults);
    ArrayMetadata { problems: faults.problems, ..array }
}

fn expect_node_type(expected: &str, faults: &mut Faults<'_>) {
    let Ok(json) = faults.required("node_type") else { return };
    if json.as_str() != Some(expected) {
        faults.wrong(json, "node_type", Code::NodeType, &quoted(expected));
    }
}

fn codecs(faults: &mut Faults<'_>) -> Result<Vec<CodecSpec>> {
    let json = faults.required("codecs")?;
    CodecSpec::chain_from_v3(json).map_err(|error| faults.add(json, under("codecs", error)))
}

/// The data type, with the byte order that the `bytes` codec gives it.
fn data_type(
    codecs: &Result<Vec<CodecSpec>>,
    registry: &Registry,
    faults: &mut Faults<'_>,
) -> (Result<Resolved>, OrderSource) {
    let json = match faults.required("data_type") {
        Ok(json) => json,
        Err(error) => return (Err(error), OrderSource::NotApplicable),
    };
    let mut resolved = match registry.data_types.from_v3(json) {
        Ok(resolved) => resolved,
        Err(error) => {
            let error = faults.add(json, under("data_type", error));
            return (Err(error), OrderSource::NotApplicable);
        }
    };
    for note in &resolved.notes {
        faults.remark("data_type", json, note);
    }
    let declared = codecs.as_ref().ok().and_then(|specs| registry.codecs.declared_endian(specs));
    let source = match declared {
        _ if !resolved.data_type.has_byte_order() => OrderSource::NotApplicable,
        None => OrderSource::NotApplicable,
        Some(Some(endian)) => {
            resolved.order = ByteOrder::All(endian);
            OrderSource::Codec
        }
        Some(None) => {
            resolved.order = ByteOrder::All(Endian::Little);
            OrderSource::Guessed
        }
    };
    (Ok(resolved), source)
}

fn read_attributes<'a>(faults: &mut Faults<'a>) -> Option<&'a Json> {
    let json = faults.optional("attributes")?;
    if json.as_object().is_none() {
        faults.wrong(json, "attributes", Code::NotAnObject, "an object");
        return None;
    }
    misread_texts(json, "attributes", faults);
    Some(json)
}

/// Reads `dimension_names`: strings and nulls, one for each dimension. A bare string is read as zarr-python does.
fn dimension_names(rank: Option<usize>, faults: &mut Faults<'_>) -> Option<Vec<Option<String>>> {
    let json = faults.optional("dimension_names")?;
    let expected = match rank {
        Some(rank) => format!("an array of length {rank}: a string or null per dimension"),
        None => "an array of strings or nulls".to_owned(),
    };
    let wrong =
        |found: String| Error::new(Code::DimensionNames, found, expected).at("dimension_names");
    let name = |item: &Json| match &item.kind {
        Kind::Null => Some(None),
        _ => item.as_str().map(|name| Some(name.to_owned())),
    };
    let names: Option<Vec<_>> = json.as_array().and_then(|items| items.iter().map(name).collect());
    let Some(names) = names else {
        if json.is_null() {
            let fix = "zarrscope, zarr-python 3.4.2, zarrs 0.23.14 and zarrita 0.7.5 read it as absent; TensorStore \
                       0.1.86 and GDAL 3.12.2 refuse it.";
            faults.add_as(Severity::Note, json, wrong(json.describe()).with_fix(fix));
            return None;
        }
        faults.add(json, wrong(json.describe()));
        return json.as_str().filter(|_| rank == Some(1)).map(|name| vec![Some(name.to_owned())]);
    };
    if rank.is_some_and(|rank| rank != names.len()) {
        let (names, rank) = (names.len() as u64, rank.unwrap_or(0) as u64);
        let (names, rank) = (counted(names, "name"), counted(rank, "dimension"));
        let text = format!("dimension_names has {names}; the array has {rank}");
        faults.add(json, wrong(names).saying(text));
        return None;
    }
    Some(names)
}

/// The behaviour of readers with storage transformers that may be ignored, and with one that may not.
const TRANSFORMERS_IGNORED: &str = "zarrscope, zarrs 0.23 and zarrita 0.7.5 ignore them; zarr-python 3.4.2, TensorStore 0.1.86 and GDAL 3.12.2 refuse \
     the array.";
const TRANSFORMER_NEEDED: &str = "zarrscope cannot reverse it, so values are not shown. zarr-python 3.1.6 and 3.4.2 refuse the array; zarrita 0.7.5 \
     ignores the transformer and decodes the stored bytes.";

/// Reads `storage_transformers`. None is known, so any is between the store and the chunks: what is under the
/// keys is not what the codecs made.
fn storage_transformers(faults: &mut Faults<'_>) -> Option<Error> {
    let json = faults.optional("storage_transformers")?;
    let field = "storage_transformers";
    match json.as_array() {
        Some([]) => None,
        None => {
            faults.wrong(json, field, Code::NotAList, "an empty array");
            None
        }
        Some(all) if all.iter().all(may_be_ignored) => {
            let found = format!("{} storage transformers that may be ignored", all.len());
            let error = Error::new(Code::UnknownExtension, found, "no storage transformer");
            faults.add_as(Severity::Warning, json, error.at(field).with_fix(TRANSFORMERS_IGNORED));
            None
        }
        Some([first, ..]) => {
            let named = ExtensionPoint::read(first, "storage_transformers[0]", faults);
            let found = named.map_or_else(
                |_| first.describe(),
                |extension| format!("the storage transformer {}", quoted(extension.name)),
            );
            let error = Error::new(Code::UnknownExtension, found, "no storage transformer");
            Some(faults.add(first, error.at(field).with_fix(TRANSFORMER_NEEDED)))
        }
    }
}

/// True if `json` says that a reader who does not know it may go on.
fn may_be_ignored(json: &Json) -> bool {
    json.get("must_understand").is_some_and(|flag| flag.kind == Kind::Bool(false))
}

/// Members that the format does not know. A reader must refuse the node, unless the member says that it may be
/// ignored.
fn unknown_fields(known: &[&str], faults: &mut Faults<'_>) {
    for (member, error) in strangers(known, Format::V3, faults) {
        let may_be_ignored = may_be_ignored(&member.value);
        let consolidated = member.key == "consolidated_metadata";
        if consolidated && may_be_ignored {
            continue;
        }
        if may_be_ignored || consolidated && member.value.is_null() {
            faults.add_as(Severity::Note, &member.value, error.with_fix("Readers may ignore it."));
        } else {
            let fix = "Readers must refuse the node unless the member is an object with \"must_understand\": false.";
            let of_v2 = super::of_the_other(&member.key, Format::V3);
            faults.add(&member.value, error.with_fix(of_v2.unwrap_or_else(|| fix.to_owned())));
        }
    }
}
