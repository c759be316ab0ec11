//! Structs whose fields are laid out differently: with the alignment of C, in another order, with a field more.

use super::prelude::*;
use crate::zarr::data_type::Field;

/// Structs of more fields are not put into every order, but into those in which two are swapped or one is moved.
const FIELDS: usize = 4;
/// Structs of more fields are left as they are.
const MOST: usize = 12;

/// Readings with other places of the fields.
pub(super) fn readings(case: &Case, samples: &[Sample]) -> Vec<Reading> {
    let Some(fields) = case.array.data_type().map(|data_type| data_type.fields().to_vec()) else {
        return Vec::new();
    };
    let Some(declared) = declared(case).filter(|_| !fields.is_empty()) else { return Vec::new() };
    let (size, first) = element_size(case, samples).unzip();
    let declared_size = case.array.data_type().and_then(|data_type| data_type.fixed_size());
    let mut readings = Vec::new();
    match (size, declared_size) {
        (Some(size), Some(known)) if size > known => {
            let aligned = aligned(case, &fields, &declared, size);
            // A compiler's gaps hold zeros, or what was there before; another field may hold anything. Where they are
            // all 0, another field in another place would make zeros of what is declared.
            let is_empty = aligned.as_ref().is_some_and(|(_, gaps)| {
                let elements = first.iter().flat_map(|bytes| bytes.chunks_exact(size));
                let mut padding =
                    elements.flat_map(|one| gaps.iter().filter_map(|gap| one.get(gap.clone())));
                padding.all(|gap| gap.iter().all(|&byte| byte == 0))
            });
            readings.extend(aligned.map(|(reading, _)| reading));
            if !is_empty {
                readings.extend(one_more(case, &declared, size - known));
            }
        }
        _ => readings.extend(permuted(case, &declared)),
    }
    readings
}

/// The bytes of an element, by the length of the chunks, and those of a chunk.
fn element_size(case: &Case, samples: &[Sample]) -> Option<(usize, Vec<u8>)> {
    let count: u64 = case.array.chunk_shape()?.iter().try_fold(1_u64, |n, &m| n.checked_mul(m))?;
    let bytes = without_codecs(case, &samples.first()?.bytes)?;
    let len = bytes.len() as u64;
    let size = len.checked_div(count).filter(|size| size * count == len)?;
    Some((usize::try_from(size).ok()?, bytes))
}

/// The fields as the document has them.
fn declared(case: &Case) -> Option<Vec<Json>> {
    let json = case.array.data_type_json()?;
    let fields = match case.array.format {
        Format::V2 => json.as_array(),
        Format::V3 => json.get("configuration")?.get_array("fields"),
    };
    fields.map(<[Json]>::to_vec)
}

/// The setting that declares `fields`.
fn setting(case: &Case, fields: Vec<Json>) -> WhatIf {
    match case.array.format {
        Format::V2 => WhatIf::at("/dtype", Json::from(fields)),
        Format::V3 => WhatIf::at("/data_type/configuration/fields", Json::from(fields)),
    }
}

/// A field of bytes that mean nothing.
fn padding(case: &Case, number: usize, len: usize) -> Json {
    let name = Json::from(format!("_pad{number}"));
    match case.array.format {
        Format::V2 => vec![name, Json::from(format!("|V{len}"))].into(),
        Format::V3 => {
            Json::object([("name", name), ("data_type", Json::from(format!("r{}", len * 8)))])
        }
    }
}

/// With the alignment that a C compiler gives them, if that makes elements of `size` bytes; and the gaps in each.
fn aligned(
    case: &Case,
    fields: &[Field],
    declared: &[Json],
    size: usize,
) -> Option<(Reading, Vec<Range<usize>>)> {
    let (mut at, mut most, mut all, mut gaps) = (0_usize, 1, Vec::new(), Vec::new());
    for (number, (field, json)) in fields.iter().zip(declared).enumerate() {
        let len = field.data_type.fixed_size()?;
        let unit = alignment(field, len);
        most = most.max(unit);
        let start = at.next_multiple_of(unit);
        if start > at {
            all.push(padding(case, number, start - at));
            gaps.push(at..start);
        }
        let items = field.shape.iter().try_fold(1_u64, |n, &m| n.checked_mul(m))?;
        at = start + len.checked_mul(usize::try_from(items).ok()?)?;
        all.push(json.clone());
    }
    let end = at.next_multiple_of(most);
    if end > at {
        all.push(padding(case, fields.len(), end - at));
        gaps.push(at..end);
    }
    let sentence = "The fields are aligned as a C compiler does it, with padding bytes between them; the metadata \
                    declare none.";
    let evidence = format!(
        "The chunks have {size} bytes for each element, which is what that alignment gives."
    );
    let reading = Reading::new("struct/aligned", sentence, setting(case, all)).because(evidence);
    (end == size).then_some((reading, gaps))
}

fn alignment(field: &Field, len: usize) -> usize {
    let name = field.data_type.name();
    let half = if name.starts_with("complex") { len / 2 } else { len };
    match half {
        2 | 4 | 8 if field.data_type.has_byte_order() => half,
        _ if name.contains("utf32") => 4,
        _ => 1,
    }
}

/// With one more field somewhere.
fn one_more(case: &Case, declared: &[Json], len: usize) -> Vec<Reading> {
    let reading = |at: usize| {
        let mut fields = declared.to_vec();
        fields.insert(at, padding(case, at, len));
        let sentence = format!(
            "The elements have {} than the metadata declares: a field is missing in the metadata.",
            if len == 1 { "1 more byte".to_owned() } else { format!("{len} more bytes") }
        );
        Reading::new("struct/missing-field", sentence, setting(case, fields))
    };
    (0..=declared.len()).map(reading).collect()
}

/// In every other order.
fn permuted(case: &Case, declared: &[Json]) -> Vec<Reading> {
    if declared.len() > MOST {
        return Vec::new();
    }
    let type_of = |field: &Json| match case.array.format {
        Format::V2 => field.as_array().and_then(|parts| Some(Json::from(parts.get(1..)?.to_vec()))),
        Format::V3 => field.get("data_type").cloned(),
    };
    let types: Vec<String> =
        declared.iter().filter_map(|field| Some(type_of(field)?.to_string())).collect();
    // Which of two fields of one type comes first changes no value: they stay in the declared order.
    let is_new = |order: &Vec<usize>| {
        let later = |at: usize| order.iter().skip(at + 1).copied().collect::<Vec<_>>();
        let mut fields = order.iter().enumerate();
        fields.all(|(at, field)| {
            later(at).iter().all(|next| next > field || types.get(*next) != types.get(*field))
        })
    };
    let reading = |order: Vec<usize>| {
        let fields: Vec<Json> = order.iter().filter_map(|&at| declared.get(at).cloned()).collect();
        let sentence = "The fields are in another order than the metadata declares.";
        Reading::new("struct/field-order", sentence, setting(case, fields))
    };
    orders(declared.len()).into_iter().filter(is_new).map(reading).collect()
}

/// Orders of so many fields other than the declared one.
fn orders(count: usize) -> Vec<Vec<usize>> {
    if count <= FIELDS {
        return permutations(count).into_iter().skip(1).collect();
    }
    let declared: Vec<usize> = (0..count).collect();
    let pairs = (0..count).flat_map(|a| (0..count).map(move |b| (a, b))).filter(|(a, b)| a != b);
    let mut orders: Vec<Vec<usize>> = pairs
        .flat_map(|(a, b)| {
            let (mut swapped, mut moved) = (declared.clone(), declared.clone());
            swapped.swap(a, b);
            let field = moved.remove(a);
            moved.insert(b, field);
            [swapped, moved]
        })
        .collect();
    orders.sort();
    orders.dedup();
    orders
}
