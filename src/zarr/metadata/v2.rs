//! The documents of V2: `.zarray`, `.zgroup`, `.zattrs`.

use super::{
    GroupMetadata, OrderSource, chain,
    document::{Faults, misread_texts, strangers},
    fill_value, shape, under,
};
use crate::zarr::prelude::*;

/// The members of a `.zarray` that the specification defines, and `dimension_separator`.
pub(in crate::zarr) const ARRAY_FIELDS: [&str; 9] = [
    "zarr_format",
    "shape",
    "chunks",
    "dtype",
    "compressor",
    "fill_value",
    "order",
    "filters",
    "dimension_separator",
];

/// Reads an array from its `.zarray` and its `.zattrs`, where it has one.
pub fn array(
    zarray: RawDocument,
    zattrs: Option<RawDocument>,
    registry: &Registry,
) -> ArrayMetadata {
    let mut array = array_fields(&zarray, registry);
    array.documents.push(zarray);
    if let Some(zattrs) = zattrs {
        array.problems.extend(attribute_problems(&zattrs));
        if let Some(attributes) = zattrs.root() {
            let rank = array.known_shape().map(Vec::len);
            let (names, problem) = dimension_names(attributes, rank, &zattrs.key);
            array.dimension_names = names;
            array.problems.extend(problem);
        }
        array.documents.push(zattrs);
    }
    array
}

/// Reads a group from its `.zgroup` and its `.zattrs`, as far as it has them.
pub fn group(zgroup: Option<RawDocument>, zattrs: Option<RawDocument>) -> GroupMetadata {
    let mut group =
        GroupMetadata { format: Format::V2, documents: Vec::new(), problems: Vec::new() };
    if let Some(zgroup) = zgroup {
        let mut faults = Faults::new(&zgroup);
        match zgroup.object() {
            Ok(_) => {
                super::zarr_format(Format::V2, &mut faults);
                // zarr-python 3 leaves an empty `consolidated_metadata` in groups; nobody reads it.
                extra_fields(&["zarr_format", "consolidated_metadata"], &mut faults);
            }
            Err(error) => faults.problems.push(Problem::failed(error)),
        }
        group.problems = faults.problems;
        group.documents.push(zgroup);
    }
    if let Some(zattrs) = zattrs {
        group.problems.extend(attribute_problems(&zattrs));
        group.documents.push(zattrs);
    }
    group
}

fn array_fields(zarray: &RawDocument, registry: &Registry) -> ArrayMetadata {
    let mut faults = Faults::new(zarray);
    if let Err(error) = zarray.object() {
        faults.problems.push(Problem::failed(error.clone()));
        return ArrayMetadata::unreadable(Format::V2, &error, faults.problems);
    }
    super::zarr_format(Format::V2, &mut faults);
    let is_of_v3 =
        ["data_type", "chunk_grid", "codecs"].iter().all(|key| faults.optional(key).is_some());
    if let Some(told) =
        faults.problems.last().filter(|told| is_of_v3 && told.error.code == Code::ZarrFormat)
    {
        return ArrayMetadata::unreadable(Format::V2, &told.error.clone(), faults.problems);
    }
    let codecs = codecs(registry, &mut faults);
    let object_codec = object_codec(&codecs, registry);
    let data_type = data_type(object_codec.as_deref(), &codecs, registry, &mut faults);
    let applies = data_type.as_ref().is_ok_and(|resolved| resolved.order.applies());
    let shape = shape::shape(&mut faults);
    let array = ArrayMetadata {
        format: Format::V2,
        documents: Vec::new(),
        grid: shape::chunks(&shape, &mut faults),
        shape,
        key_encoding: shape::dimension_separator(&mut faults),
        fill_value: fill_value(&data_type, Format::V2, &mut faults),
        data_type,
        object_codec,
        order_source: if applies { OrderSource::DataType } else { OrderSource::NotApplicable },
        fortran: fortran(&mut faults),
        codecs,
        dimension_names: None,
        registry: registry.clone(),
        refused: None,
        problems: Vec::new(),
    };
    extra_fields(&ARRAY_FIELDS, &mut faults);
    chain::check(&array, &mut faults);
    ArrayMetadata { problems: faults.problems, ..array }
}

/// The data type; arrays of objects that no data type is for are refused by other readers, and read here all the same.
fn data_type(
    object_codec: Option<&str>,
    codecs: &Result<Vec<CodecSpec>>,
    registry: &Registry,
    faults: &mut Faults,
) -> Result<Resolved> {
    let json = faults.required("dtype")?;
    let resolved = match registry.data_types.from_v2(json, object_codec) {
        Ok(resolved) => resolved,
        Err(error) => {
            let error = under("dtype", error);
            let objects = codecs.as_ref().ok().filter(|_| json.as_str() == Some("|O"));
            if let Some(resolved) = objects.and_then(|specs| registry.object_type(specs)) {
                let text = "No specification defines arrays of such objects. zarr-python 2.18.7 reads them; \
                            zarr-python 3.4.2, zarrs 0.23.14 and TensorStore 0.1.86 refuse the array.";
                let note = Note::new(Code::ObjectDtype, text);
                faults.remark("dtype", json, &note);
                return Ok(resolved);
            }
            // An object codec that is not read says so itself.
            let is_told = objects.is_some() && object_codec.is_some();
            return Err(if is_told { error } else { faults.add(json, error) });
        }
    };
    for note in &resolved.notes {
        faults.remark("dtype", json, note);
    }
    Ok(resolved)
}

/// `compressor` and `filters` must be there, as null if need be; zarr-python reads their absence as null.
fn codecs(registry: &Registry, faults: &mut Faults) -> Result<Vec<CodecSpec>> {
    let compressor = faults.required("compressor").ok();
    let filters = faults.required("filters").ok();
    if let Some(json) = filters.filter(|json| json.as_array().is_some_and(<[_]>::is_empty)) {
        let error = Error::new(Code::EmptyFilters, "an empty array", "null for no filters");
        faults.add(json, error.at("filters"));
    }
    CodecSpec::chain_from_v2(filters, compressor, |spec| registry.makes_objects(spec)).map_err(
        |error| {
            let in_compressor = error.place.field.as_deref() == Some("compressor");
            match if in_compressor { compressor } else { filters } {
                Some(json) => faults.add(json, error),
                None => error,
            }
        },
    )
}

fn object_codec(codecs: &Result<Vec<CodecSpec>>, registry: &Registry) -> Option<String> {
    let specs = codecs.as_ref().ok()?;
    let found = specs.iter().find(|spec| {
        let row = registry.codecs.row(&spec.name, Format::V2);
        row.is_some_and(|row| row.object_codec)
    })?;
    Some(found.name.clone())
}

fn fortran(faults: &mut Faults) -> bool {
    let Ok(json) = faults.required("order") else { return false };
    match json.as_str() {
        Some("C") => {}
        Some("F") => return true,
        _ => {
            let error = Error::new(Code::InvalidOrder, json.describe(), "\"C\" or \"F\"");
            faults.add(json, error.at("order").with_fix("zarrscope reads the chunks in C order."));
        }
    }
    false
}

/// Members that the format does not know. Readers ignore them, so they are worth a note and no more.
fn extra_fields(known: &[&str], faults: &mut Faults) {
    for (member, error) in strangers(known, Format::V2, faults) {
        let of_v3 = super::of_the_other(&member.key, Format::V2);
        let severity = if of_v3.is_some() { Severity::Warning } else { Severity::Note };
        let fix = format!("Readers ignore it. {}", of_v3.unwrap_or_default());
        faults.add_as(severity, &member.value, error.with_fix(fix.trim_end()));
    }
}

fn attribute_problems(zattrs: &RawDocument) -> impl Iterator<Item = Problem> {
    let unread = zattrs.object().err().map(Problem::failed);
    let mut faults = Faults::new(zattrs);
    if let Some(attributes) = zattrs.root() {
        misread_texts(attributes, "", &mut faults);
    }
    faults.problems.into_iter().chain(unread)
}

/// The dimensions' names by xarray's convention: the attribute `_ARRAY_DIMENSIONS`.
fn dimension_names(
    attributes: &Json,
    rank: Option<usize>,
    file: &str,
) -> (Option<Vec<Option<String>>>, Option<Problem>) {
    let Some(json) = attributes.get("_ARRAY_DIMENSIONS") else { return (None, None) };
    let names: Option<Vec<_>> = json.as_array().and_then(|items| {
        items.iter().map(|item| Some(item.as_str().map(ToOwned::to_owned))).collect()
    });
    let fits = |names: &Vec<Option<String>>| {
        names.iter().all(Option::is_some) && rank.is_none_or(|rank| rank == names.len())
    };
    match names {
        Some(names) if fits(&names) => (Some(names), None),
        _ => {
            let expected = rank.map_or_else(
                || "a list of names".to_owned(),
                |rank| format!("a list of {}, one per dimension", counted(rank, "name")),
            );
            let error = Error::new(Code::DimensionNames, json.describe(), expected)
                .at("_ARRAY_DIMENSIONS")
                .at_offset(json.span().start as u64);
            // It is an attribute like any other to readers that do not know xarray.
            (None, Some(Problem::new(error.in_file(file)).with_severity(Severity::Warning)))
        }
    }
}

impl ArrayMetadata {
    /// The metadata of an array whose document has nothing usable.
    pub(super) fn unreadable(format: Format, error: &Error, problems: Vec<Problem>) -> Self {
        Self {
            format,
            documents: Vec::new(),
            shape: Err(error.clone()),
            grid: Err(error.clone()),
            key_encoding: Err(error.clone()),
            data_type: Err(error.clone()),
            object_codec: None,
            order_source: OrderSource::NotApplicable,
            fill_value: FillValue::Missing,
            fortran: false,
            codecs: Err(error.clone()),
            dimension_names: None,
            registry: Registry::empty(),
            refused: None,
            problems,
        }
    }
}
