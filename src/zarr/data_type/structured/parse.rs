//! The JSON of structs, in V2 lists and in both dialects of V3.

use super::{Struct, dedup, field_size, in_field};
use crate::zarr::{
    data_type::{
        ByteOrder, DataType, Family, Field, ItemSize, Resolved, Scope,
        extension::{Extension, name_of},
        typestr::MAX_ITEM_SIZE,
    },
    error::{Error, Note, Result},
    json::{Json, quoted},
};
use std::{collections::HashSet, sync::Arc};

/// How many levels of structs draw a note: readers have limits of their own, Python's is about this.
const DEEP: usize = 64;

/// One field as read, with the note-worthy of its data type.
struct Part {
    name: String,
    resolved: Resolved,
    shape: Vec<u64>,
}

/// Puts fields together, one after the other without padding.
fn assemble(parts: Vec<Part>, legacy: bool) -> Result<Resolved> {
    if parts.is_empty() {
        return Err(Error::new("struct-fields", "no fields", "at least one field"));
    }
    let mut names = HashSet::new();
    let mut fields = Vec::with_capacity(parts.len());
    let (mut orders, mut notes) = (Vec::new(), Vec::new());
    let mut offset = 0_usize;
    for Part { name, resolved, shape } in parts {
        if !name.is_empty() && !names.insert(name.clone()) {
            let found = format!("two fields named {}", quoted(&name));
            return Err(Error::new("struct-fields", found, "names that differ"));
        }
        if resolved.data_type.item_size() == ItemSize::Variable {
            let found = format!("the field {} of variable length", quoted(&name));
            return Err(Error::new("struct-fields", found, "fields of a fixed size"));
        }
        let field = Field { name, data_type: resolved.data_type, offset, shape };
        let size = field_size(&field);
        offset = offset.checked_add(size).filter(|&end| end <= MAX_ITEM_SIZE).ok_or_else(|| {
            let expected = "fields of at most 2147483647 bytes together";
            Error::new(
                "struct-size",
                format!("more at the field {}", quoted(&field.name)),
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
    fn v2(fields: &[Json], scope: &Scope<'_>) -> Result<Resolved> {
        let inner = scope.deeper()?;
        let mut parts = Vec::with_capacity(fields.len());
        for (at, field) in fields.iter().enumerate() {
            parts.push(v2_field(field, &inner).map_err(|error| error.at(format!("[{at}]")))?);
        }
        let nested = parts.iter().any(|part| !part.resolved.data_type.fields().is_empty());
        let subarray = parts.iter().any(|part| !part.shape.is_empty());
        let empty = parts.iter().any(|part| part.name.is_empty());
        let note = |when: bool, code, text| when.then(|| Note::new(code, text));
        let resolved = assemble(parts, false)?;
        Ok(resolved
            .noted(note(nested, "nested-struct", "V2 allows structs in structs. zarr-python writes them and cannot read them again; TensorStore refuses them."))
            .noted(note(subarray, "subarray", "V2 allows a shape behind a field. zarr-python refuses it; TensorStore reads it."))
            .noted(note(empty, "empty-field-name", "A field has no name, as the padding of an aligned NumPy struct has none; NumPy calls it f and its number.")))
    }

    fn v3(data_type: &Json, legacy: bool, scope: &Scope<'_>) -> Result<Resolved> {
        let extension = Extension::read(data_type)?;
        let [fields] = extension.exactly(["fields"])?;
        let place = |error: Error| error.at("fields").at("configuration");
        let fault = || Error::new("struct-fields", fields.describe(), "an array of fields");
        let items = fields.as_array().ok_or_else(|| place(fault()))?;
        let inner = scope.deeper()?;
        let mut parts = Vec::with_capacity(items.len());
        for (at, field) in items.iter().enumerate() {
            let part = v3_field(field, legacy, &inner);
            parts.push(part.map_err(|error| place(error.at(format!("[{at}]"))))?);
        }
        let objects = legacy && items.iter().any(|field| field.as_object().is_some());
        let empty = parts.iter().any(|part| part.name.is_empty());
        let mut resolved = assemble(parts, legacy).map_err(place)?;
        resolved.order = resolved.data_type.default_order();
        let note = |when: bool, code, text| when.then(|| Note::new(code, text));
        Ok(resolved
            .noted(extension.must_understand_note())
            .noted(note(
                objects,
                "object-fields",
                "The legacy name structured has its fields as pairs; objects are those of struct.",
            ))
            .noted(note(empty, "empty-field-name", "A field has no name; the registry wants one."))
            .noted(note(
                scope.depth + 1 >= DEEP,
                "deep-struct",
                "Structs nest deeper than most readers follow.",
            )))
    }
}

fn v2_field(field: &Json, scope: &Scope<'_>) -> Result<Part> {
    let expected = "[name, dtype] or [name, dtype, shape]";
    let fault = || Error::new("struct-fields", field.describe(), expected);
    let (name, dtype, shape) = match field.as_array() {
        Some([name, dtype]) => (name, dtype, None),
        Some([name, dtype, shape]) => (name, dtype, Some(shape)),
        _ => return Err(fault()),
    };
    let Some(name) = name.as_str() else {
        let expected = "the field's name, a string";
        return Err(Error::new("struct-fields", name.describe(), expected).at("[0]"));
    };
    let resolved =
        scope.registry.from_v2_in(dtype, None, scope).map_err(|error| error.at("[1]"))?;
    let shape = shape.map(|shape| subarray(shape, &*resolved.data_type)).transpose();
    let shape = shape.map_err(|error| error.at("[2]"))?.unwrap_or_default();
    Ok(Part { name: name.to_owned(), resolved, shape })
}

/// The shape of a subarray: positive lengths whose product times the item size stays in bounds.
fn subarray(shape: &Json, item: &dyn DataType) -> Result<Vec<u64>> {
    let fault = |json: &Json| {
        Error::new("struct-fields", json.describe(), "an array of lengths of 1 or more")
    };
    let length = |json: &Json| json.as_u64().filter(|&n| n > 0).ok_or_else(|| fault(json));
    let lengths = shape.as_array().ok_or_else(|| fault(shape))?;
    let lengths: Vec<u64> = lengths.iter().map(length).collect::<Result<_>>()?;
    let size = item.item_size().fixed().unwrap_or(1) as u64;
    let bytes = lengths.iter().try_fold(size, |product, &n| product.checked_mul(n));
    match bytes.filter(|&bytes| bytes <= MAX_ITEM_SIZE as u64) {
        Some(_) => Ok(lengths),
        None => Err(Error::new(
            "struct-size",
            shape.describe(),
            "a subarray of at most 2147483647 bytes",
        )),
    }
}

fn v3_field(field: &Json, legacy: bool, scope: &Scope<'_>) -> Result<Part> {
    let (name, data_type) = match (field.as_array(), field.as_object()) {
        (Some([name, data_type]), _) if legacy => (name, data_type),
        (_, Some(members)) => {
            let known = |key: &str| matches!(key, "name" | "data_type");
            match (field.get("name"), field.get("data_type")) {
                (Some(name), Some(data_type)) if members.iter().all(|m| known(&m.key)) => {
                    (name, data_type)
                }
                _ => {
                    let expected = "exactly name and data_type";
                    return Err(Error::new("struct-fields", field.describe(), expected));
                }
            }
        }
        _ => {
            let expected = if legacy {
                "a [name, data_type] pair"
            } else {
                "an object with name and data_type"
            };
            return Err(Error::new("struct-fields", field.describe(), expected));
        }
    };
    let named = name.as_str().filter(|name| legacy || !name.is_empty());
    let Some(named) = named else {
        let expected = "the field's name, a string of one character or more";
        return Err(Error::new("struct-fields", name.describe(), expected).at("name"));
    };
    let resolved =
        scope.registry.from_v3_in(data_type, scope).map_err(|error| error.at("data_type"))?;
    Ok(Part { name: named.to_owned(), resolved, shape: Vec::new() })
}

impl Family for StructFamily {
    fn name(&self) -> &'static str {
        "Struct"
    }

    fn from_v2(
        &self,
        dtype: &Json,
        _: Option<&str>,
        scope: &Scope<'_>,
    ) -> Option<Result<Resolved>> {
        Some(Self::v2(dtype.as_array()?, scope))
    }

    fn from_v3(&self, data_type: &Json, scope: &Scope<'_>) -> Option<Result<Resolved>> {
        let name = name_of(data_type)?;
        matches!(name, "struct" | "structured")
            .then(|| Self::v3(data_type, name == "structured", scope))
    }

    fn from_numpy(&self, name: &str, scope: &Scope<'_>) -> Option<Result<Resolved>> {
        let literal = name
            .trim_start()
            .starts_with('[')
            .then(|| crate::zarr::data_type::numpy::literal(name))?;
        Some(literal.and_then(|fields| {
            let inner = scope.deeper()?;
            let parts: Result<Vec<_>> = fields
                .into_iter()
                .map(|field| {
                    let resolved = scope.registry.from_numpy_in(&field.dtype, &inner)?;
                    let shape = Json::made(crate::zarr::json::Kind::Array(
                        field
                            .shape
                            .iter()
                            .map(|n| Json::made(crate::zarr::json::Kind::Number(n.to_string())))
                            .collect(),
                    ));
                    let shape = subarray(&shape, &*resolved.data_type)?;
                    Ok(Part { name: field.name, resolved, shape })
                })
                .collect();
            assemble(parts?, false)
        }))
    }

    fn examples(&self) -> Vec<Arc<dyn DataType>> {
        use crate::zarr::{
            data_type::{float::FloatType, integer::INTEGERS},
            scalar::float::FLOAT32,
        };
        let [_, _, _, int16, ..] = &INTEGERS;
        let part = |name: &str, resolved| Part { name: name.into(), resolved, shape: Vec::new() };
        let parts = vec![
            part("a", Resolved::of(*int16)),
            part("b", Resolved::of(FloatType::new(&FLOAT32))),
        ];
        assemble(parts, false).map(|resolved| resolved.data_type).into_iter().collect()
    }
}
