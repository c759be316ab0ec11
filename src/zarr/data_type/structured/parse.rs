//! The JSON of structs, in V2 lists and in both dialects of V3.

use super::{Struct, dedup, in_field};
use crate::zarr::data_type::prelude::*;
use crate::zarr::data_type::{
    Field,
    numpy::{self, Literal, LiteralField, LiteralLayout},
};
use std::collections::{HashMap, HashSet};

/// The most fields read: more would take more memory than any struct is worth.
const MOST: usize = 1 << 17;

/// The number of nested structs that draws a note: readers have limits of their own, Python's is about this.
const DEEP: usize = 64;

/// [`MAX_ITEM_SIZE`], to be multiplied.
const MAX_ITEM_BYTES: u64 = MAX_ITEM_SIZE as u64;

/// One field as read, with the note-worthy of its data type.
struct ParsedField {
    name: String,
    resolved: Resolved,
    shape: Vec<u64>,
}

/// Puts fields together, one after the other without padding.
fn assemble(parts: Vec<ParsedField>, legacy: bool) -> Result<Resolved> {
    if parts.is_empty() {
        return Err(Error::new(Code::StructFields, "no fields", "at least one field"));
    }
    let mut names = HashSet::new();
    let mut fields = Vec::with_capacity(parts.len());
    let (mut orders, mut notes) = (Vec::new(), Vec::new());
    let mut offset = 0_usize;
    for ParsedField { name, resolved, shape } in parts {
        if !name.is_empty() && !names.insert(name.clone()) {
            let found = format!("two fields named {}", quoted(&name));
            return Err(Error::new(Code::StructFields, found, "unique names"));
        }
        if resolved.data_type.item_size() == ItemSize::Variable {
            let found = format!("the field {}, which has no fixed size", quoted(&name));
            return Err(Error::new(Code::StructFields, found, "fixed-size fields"));
        }
        let field = Field { name, data_type: resolved.data_type, offset, shape };
        let size = field.size();
        offset = offset.checked_add(size).filter(|&end| end <= MAX_ITEM_SIZE).ok_or_else(|| {
            let expected = "at most 2147483647 bytes in all fields together";
            Error::new(
                Code::DtypeSize,
                format!("more bytes than that up to the field {}", quoted(&field.name)),
                expected,
            )
        })?;
        notes.extend(resolved.notes.into_iter().map(|note| in_field(&field.name, &note)));
        orders.push(resolved.order);
        fields.push(field);
    }
    dedup(&mut notes);
    let ordered = fields.iter().any(|field| field.data_type.has_byte_order());
    let data_type = Struct { fields: fields.into(), size: offset, ordered, legacy };
    Ok(Resolved {
        data_type: Arc::new(data_type),
        order: ByteOrder::PerField(orders.into()),
        notes,
    })
}

/// Recognises structs.
#[derive(Debug)]
pub struct StructFamily;

impl StructFamily {
    fn v2(fields: &[Json], scope: &Scope) -> Result<Resolved> {
        v2_parts(fields, &scope.deeper()?).and_then(v2_struct)
    }

    fn v3(data_type: &Json, legacy: bool, scope: &Scope) -> Result<Resolved> {
        let fields = v3_fields(data_type)?;
        let parts = v3_parts(fields, legacy, &scope.deeper()?)?;
        v3_struct(data_type, parts, legacy, scope.depth)
    }
}

// Reading fields is apart from what is made of them, so that little is on the stack while the fields of a field are
// read: up to `MAX_NESTING` levels have to fit into the 2 MiB of an ordinary thread.

/// The data types of plain names in one struct: 100,000 fields rarely have more than ten data types.
type KnownTypes<'a> = HashMap<&'a str, Resolved>;

/// Refuses a struct of too many fields.
fn within_the_limit(fields: &[Json]) -> Result<()> {
    if fields.len() <= MOST {
        return Ok(());
    }
    let found = format!("{} fields", fields.len());
    let expected = format!("at most {MOST}, the limit of zarrscope");
    Err(Error::new(Code::StructFields, found, expected))
}

fn v2_parts(fields: &[Json], scope: &Scope) -> Result<Vec<ParsedField>> {
    within_the_limit(fields)?;
    let mut parts = Vec::with_capacity(fields.len());
    let mut known = KnownTypes::new();
    for (at, field) in fields.iter().enumerate() {
        match v2_field(field, scope, &mut known) {
            Ok(part) => parts.push(part),
            Err(error) => return Err(at_index(error, at)),
        }
    }
    Ok(parts)
}

fn v3_parts(fields: &[Json], legacy: bool, scope: &Scope) -> Result<Vec<ParsedField>> {
    within_the_limit(fields).map_err(in_configuration)?;
    let mut parts = Vec::with_capacity(fields.len());
    let mut known = KnownTypes::new();
    for (at, field) in fields.iter().enumerate() {
        match v3_field(field, legacy, scope, &mut known) {
            Ok(part) => parts.push(part),
            Err(error) => return Err(in_configuration(at_index(error, at))),
        }
    }
    Ok(parts)
}

fn at_index(error: Error, at: usize) -> Error {
    error.at(format!("[{at}]"))
}

fn in_configuration(error: Error) -> Error {
    error.at("fields").at("configuration")
}

fn noted_when(when: bool, code: Code, text: &str) -> Option<Note> {
    when.then(|| Note::new(code, text))
}

fn v2_struct(parts: Vec<ParsedField>) -> Result<Resolved> {
    let subarray = parts.iter().any(|part| !part.shape.is_empty());
    let empty = parts.iter().any(|part| part.name.is_empty());
    let resolved = assemble(parts, false)?;
    let nested = notes::nested_in_v2(resolved.data_type.as_ref());
    Ok(resolved
        .noted(nested)
        .noted(noted_when(
            subarray,
            Code::Subarray,
            "V2 allows a field to have a shape. zarr-python 3.4.2 refuses \
                                                     it; TensorStore 0.1.86 reads it.",
        ))
        .noted(noted_when(
            empty,
            Code::EmptyFieldName,
            "A field has no name, as in the padding of an aligned NumPy \
                                                        struct; NumPy names it f and its index.",
        )))
}

/// The fields of a V3 struct, which are all of its configuration.
fn v3_fields(data_type: &Json) -> Result<&[Json]> {
    let [fields] = Extension::read(data_type)?.exactly(["fields"])?;
    fields.as_array().ok_or_else(|| {
        in_configuration(Error::new(Code::StructFields, fields.describe(), "an array of fields"))
    })
}

fn v3_struct(
    data_type: &Json,
    parts: Vec<ParsedField>,
    legacy: bool,
    depth: usize,
) -> Result<Resolved> {
    let objects = legacy && v3_fields(data_type)?.iter().any(|field| field.as_object().is_some());
    let empty = parts.iter().any(|part| part.name.is_empty());
    let mut resolved = assemble(parts, legacy).map_err(in_configuration)?;
    resolved.order = resolved.data_type.default_order();
    Ok(resolved
        .noted(Extension::read(data_type)?.must_understand_note())
        .noted(noted_when(
            objects,
            Code::ObjectFields,
            "Under the legacy name structured, fields are pairs; objects belong to struct.",
        ))
        .noted(noted_when(
            empty,
            Code::EmptyFieldName,
            "A field has no name; the registry requires one.",
        ))
        .noted(noted_when(
            depth + 1 >= DEEP,
            Code::NestedStruct,
            "The structs are deeply nested; readers may set a lower limit.",
        )))
}

fn v2_field<'a>(field: &'a Json, scope: &Scope, known: &mut KnownTypes<'a>) -> Result<ParsedField> {
    let (name, dtype, shape) = v2_members(field)?;
    if let Some(resolved) = dtype.as_str().and_then(|text| known.get(text)) {
        return v2_part(name, resolved.clone(), shape);
    }
    match scope.registry.from_v2_in(dtype, None, scope) {
        Ok(resolved) => {
            remember(known, dtype, &resolved);
            v2_part(name, resolved, shape)
        }
        Err(error) => Err(error.at("[1]")),
    }
}

fn remember<'a>(known: &mut KnownTypes<'a>, data_type: &'a Json, resolved: &Resolved) {
    if let Some(text) = data_type.as_str() {
        known.insert(text, resolved.clone());
    }
}

fn v2_members(field: &Json) -> Result<(&str, &Json, Option<&Json>)> {
    let (name, dtype, shape) = match field.as_array() {
        Some([name, dtype]) => (name, dtype, None),
        Some([name, dtype, shape]) => (name, dtype, Some(shape)),
        _ => {
            let expected = "[name, dtype] or [name, dtype, shape]";
            return Err(Error::new(Code::StructFields, field.describe(), expected));
        }
    };
    let named = name.as_str().ok_or_else(|| {
        Error::new(Code::StructFields, name.describe(), "the field's name, a string").at("[0]")
    });
    Ok((named?, dtype, shape))
}

fn v2_part(name: &str, resolved: Resolved, shape: Option<&Json>) -> Result<ParsedField> {
    let shape = shape.map(|shape| subarray(shape, &*resolved.data_type)).transpose();
    let shape = shape.map_err(|error| error.at("[2]"))?.unwrap_or_default();
    Ok(ParsedField { name: name.to_owned(), resolved, shape })
}

/// The shape of a subarray: lengths of 1 or more.
fn subarray(shape: &Json, item: &dyn DataType) -> Result<Vec<u64>> {
    let fault = |json: &Json| {
        Error::new(Code::StructFields, json.describe(), "an array of lengths of 1 or more")
    };
    let lengths = shape.as_array().ok_or_else(|| fault(shape))?;
    let lengths: Vec<u64> = lengths
        .iter()
        .map(|json| json.as_u64().filter(|&n| n > 0).ok_or_else(|| fault(json)))
        .collect::<Result<_>>()?;
    bounded(lengths, item, &shape.describe())
}

/// The shape, if it is of at least one item and its bytes stay in bounds.
fn bounded(shape: Vec<u64>, item: &dyn DataType, found: &str) -> Result<Vec<u64>> {
    let size = item.fixed_size().unwrap_or(1) as u64;
    let bytes = shape.iter().try_fold(size, |product, &n| product.checked_mul(n));
    if bytes.is_some_and(|bytes| (1..=MAX_ITEM_BYTES).contains(&bytes)) {
        return Ok(shape);
    }
    Err(Error::new(Code::DtypeSize, found, "a subarray of 1 to 2147483647 bytes"))
}

fn v3_field<'a>(
    field: &'a Json,
    legacy: bool,
    scope: &Scope,
    known: &mut KnownTypes<'a>,
) -> Result<ParsedField> {
    let (name, data_type) = v3_members(field, legacy)?;
    let part = |resolved| Ok(ParsedField { name: name.to_owned(), resolved, shape: Vec::new() });
    if let Some(resolved) = data_type.as_str().and_then(|text| known.get(text)) {
        return part(resolved.clone());
    }
    match scope.registry.from_v3_in(data_type, scope) {
        Ok(resolved) => {
            remember(known, data_type, &resolved);
            part(resolved)
        }
        Err(error) => Err(error.at("data_type")),
    }
}

fn v3_members(field: &Json, legacy: bool) -> Result<(&str, &Json)> {
    let fault = |expected| Error::new(Code::StructFields, field.describe(), expected);
    let (name, data_type) = match (field.as_array(), field.as_object()) {
        (Some([name, data_type]), _) if legacy => (name, data_type),
        (_, Some(members)) => {
            let known = members.iter().all(|m| matches!(m.key.as_str(), "name" | "data_type"));
            match (field.get("name"), field.get("data_type")) {
                (Some(name), Some(data_type)) if known => (name, data_type),
                _ => return Err(fault("exactly name and data_type")),
            }
        }
        _ if legacy => return Err(fault("a [name, data_type] pair")),
        _ => return Err(fault("an object with name and data_type")),
    };
    let named = name.as_str().filter(|name| legacy || !name.is_empty()).ok_or_else(|| {
        let expected = "the field's name, a non-empty string";
        Error::new(Code::StructFields, name.describe(), expected).at("name")
    });
    Ok((named?, data_type))
}

impl Family for StructFamily {
    fn name(&self) -> &'static str {
        "Struct"
    }

    fn from_v2(&self, dtype: &Json, _: Option<&str>, scope: &Scope) -> Option<Result<Resolved>> {
        Some(Self::v2(dtype.as_array()?, scope))
    }

    fn from_v3(&self, data_type: &Json, scope: &Scope) -> Option<Result<Resolved>> {
        let name = name_of(data_type)?;
        matches!(name, "struct" | "structured")
            .then(|| Self::v3(data_type, name == "structured", scope))
    }

    fn from_numpy(&self, name: &str, scope: &Scope) -> Option<Result<Resolved>> {
        if !numpy::is_literal(name) {
            return None;
        }
        let Literal { fields, layout } = match numpy::literal(name) {
            Ok(literal) => literal,
            Err(error) => return Some(Err(error)),
        };
        Some(numpy_parts(fields, scope).and_then(|parts| numpy_struct(parts, layout.as_deref())))
    }

    fn examples(&self) -> Vec<Arc<dyn DataType>> {
        use crate::zarr::data_type::number::FixedNumber;
        let part =
            |name: &str, resolved| ParsedField { name: name.into(), resolved, shape: Vec::new() };
        let parts = vec![
            part("a", Resolved::of(FixedNumber::INT16)),
            part("b", Resolved::of(FixedNumber::FLOAT32)),
        ];
        assemble(parts, false).map(|resolved| resolved.data_type).into_iter().collect()
    }
}

fn numpy_parts(fields: Vec<LiteralField>, scope: &Scope) -> Result<Vec<ParsedField>> {
    let scope = scope.deeper()?;
    let mut parts = Vec::with_capacity(fields.len());
    for LiteralField { name, dtype, shape } in fields {
        let resolved = scope.registry.from_numpy_in(&dtype, &scope)?;
        let shape = bounded(shape, &*resolved.data_type, &dtype)?;
        parts.push(ParsedField { name, resolved, shape });
    }
    Ok(parts)
}

fn numpy_struct(parts: Vec<ParsedField>, layout: Option<&LiteralLayout>) -> Result<Resolved> {
    let resolved = assemble(parts, false)?;
    let offsets = || resolved.data_type.fields().iter().map(|field| field.offset as u64);
    let size = resolved.data_type.fixed_size().map(|size| size as u64);
    let has_gaps = layout.is_some_and(|layout| {
        !layout.offsets.is_empty() && !offsets().eq(layout.offsets.iter().copied())
            || layout.itemsize.is_some() && layout.itemsize != size
    });
    let text = "The fields are not one after the other in NumPy. Zarr packs them, as zarr-python 3.4.2 does with a \
                warning.";
    let note = noted_when(has_gaps, Code::StructFields, text);
    Ok(resolved.noted(note))
}
