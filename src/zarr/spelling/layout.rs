//! The rows of what is around the values: chunks, codecs, keys, dimension names, attributes.

use super::{Join, NOTHING, Row, Topic, codecs, columns};
use crate::zarr::prelude::*;
use crate::zarr::{
    census::chunk_shape_words,
    codec::{InV2, column_major},
};

/// The rows that need an array.
pub fn rows(array: &ArrayMetadata) -> Vec<Row> {
    vec![
        chunk_shape(array),
        memory_layout(array),
        chain(array),
        chunk_key(array),
        dimension_names(array),
        attributes(array),
    ]
}

fn broken(topic: Topic, label: &str, stored: Format, error: &Error) -> Row {
    let (v2, v3) = columns(stored, format!("unreadable: {}", safe(&error.found)), "?".into());
    let note = Note { code: error.code, text: error.sentences() };
    Row::new(topic, label, v2, v3).but(Join::Impossible, note)
}

fn specs(array: &ArrayMetadata) -> &[CodecSpec] {
    array.codecs.as_deref().unwrap_or_default()
}

fn chunk_shape(array: &ArrayMetadata) -> Row {
    let row = |v2: String, v3: String| Row::new(Topic::ChunkShape, "chunk shape", v2, v3);
    match (&array.grid, array.inner_chunk_shape()) {
        (Err(error), _) => broken(Topic::ChunkShape, "chunk shape", array.format, error),
        (Ok(Grid::Regular(shape)), None) => row(times(shape), times(shape)),
        (Ok(Grid::Regular(_)), Some(inner)) => row(times(&inner), chunk_shape_words(array)).but(
            Join::Lossy,
            Note::new(
                Code::NoOtherForm,
                "V2 has no shards: each inner chunk becomes a chunk file of its own.",
            ),
        ),
        (Ok(Grid::Rectilinear(_)), _) => row(NOTHING.into(), chunk_shape_words(array)).but(
            Join::Impossible,
            Note::new(
                Code::NoOtherForm,
                "V2 has one chunk shape for the whole array: the array must be rechunked.",
            ),
        ),
    }
}

fn memory_layout(array: &ArrayMetadata) -> Row {
    let row = |v2: &str, v3: String| Row::new(Topic::Layout, "layout", v2, v3);
    let dimensions = array.shape.as_ref().map_or(0, Vec::len);
    let known = &array.registry.codecs;
    let order =
        specs(array).iter().find(|spec| matches!(known.in_v2(spec, dimensions), InV2::Order(_)));
    let order = order.zip(codecs::order_in_v2(known, specs(array), dimensions));
    let cell = |spec: &CodecSpec| {
        let order = spec.member("order").map_or_else(|| "?".into(), ToString::to_string);
        safe_owned(&format!("codec {} {order}", spec.name))
    };
    match (array.format, array.fortran, order) {
        (Format::V2, true, _) => row("order F, column-major", cell(&column_major(dimensions))),
        (Format::V3, _, Some((spec, Ok(true)))) => row("order F, column-major", cell(spec)),
        (Format::V3, _, Some((spec, Ok(false)))) => row("order C, row-major", cell(spec)),
        (Format::V3, _, Some((spec, Err(note)))) => {
            row(NOTHING, cell(spec)).but(Join::Impossible, note)
        }
        _ => row("order C, row-major", "row-major, no transpose".into()),
    }
}

fn chain(array: &ArrayMetadata) -> Row {
    let specs = match &array.codecs {
        Ok(specs) => specs,
        Err(error) => return broken(Topic::Codecs, "codecs", array.format, error),
    };
    let dimensions = array.shape.as_ref().map_or(0, Vec::len);
    let known = &array.registry.codecs;
    let (v2, v3, lost, chosen) = match array.format {
        Format::V3 => {
            let there = codecs::to_v2(known, specs, dimensions);
            let here = codecs::chain_text(known, specs, Format::V3);
            (codecs::v2_text(known, &there.codecs), here, there.lost, there.chosen)
        }
        Format::V2 => {
            let here = codecs::v2_text(known, &codecs::v2_as_stored(specs, array.fortran));
            let Ok(resolved) = &array.data_type else {
                return Row::new(Topic::Codecs, "codecs", safe(&here), "?");
            };
            let data_type = resolved.data_type.as_ref();
            let there =
                codecs::to_v3(known, specs, array.fortran, data_type, &resolved.order, dimensions);
            (here, codecs::chain_text(known, &there.codecs, Format::V3), there.lost, there.chosen)
        }
    };
    let row = Row::new(Topic::Codecs, "codecs", safe(&v2), safe(&v3));
    let row = chosen.into_iter().fold(row, |row, note| row.but(Join::Choice, note));
    lost.into_iter().fold(row, |row, note| row.but(Join::Lossy, note))
}

/// The example chunk whose key is shown: one step along the last dimension that has more than one chunk.
pub(super) fn example_chunk(array: &ArrayMetadata) -> Vec<u64> {
    let (Ok(shape), Ok(grid)) = (&array.shape, &array.grid) else { return Vec::new() };
    example_of(&grid.counts(shape))
}

/// The same of a grid of so many chunks along each dimension.
pub fn example_of(counts: &[u64]) -> Vec<u64> {
    let mut at = vec![0; counts.len()];
    if let Some(place) =
        counts.iter().rposition(|&count| count > 1).and_then(|axis| at.get_mut(axis))
    {
        *place = 1;
    }
    at
}

fn chunk_key(array: &ArrayMetadata) -> Row {
    let at = example_chunk(array);
    let coordinates = at.iter().map(u64::to_string);
    let label = format!("chunk key [{}]", coordinates.joined(","));
    let encoding = match &array.key_encoding {
        Ok(encoding) => encoding,
        Err(error) => return broken(Topic::ChunkKey, "chunk key", array.format, error),
    };
    let stored = encoding.key(&at);
    let separator = encoding.separator();
    let (other, note) = match (array.format, encoding) {
        (Format::V2, _) => (
            KeyEncoding::Default { separator: '/' }.key(&at),
            format!(
                "V3 can keep the chunk files in place with the chunk key encoding \"v2\" and separator \
                 {}; the default encoding renames them.",
                quoted(&separator.to_string())
            ),
        ),
        (Format::V3, KeyEncoding::V2 { .. }) => {
            (stored.clone(), "The chunk files keep their names.".into())
        }
        (Format::V3, KeyEncoding::Suffixed { suffix, .. }) => (
            KeyEncoding::V2 { separator }.key(&at),
            format!("V2 has no suffix: the files must be renamed without {suffix:?}."),
        ),
        (Format::V3, KeyEncoding::Default { .. }) => (
            KeyEncoding::V2 { separator }.key(&at),
            format!(
                "V2 gives the separator as dimension_separator (here {}); without it, the separator is \".\". \
                 Converting would rename the chunk files.",
                quoted(&separator.to_string())
            ),
        ),
    };
    let (v2, v3) = columns(array.format, stored, other);
    Row::new(Topic::ChunkKey, &label, v2, v3).noted([Note::new(Code::ChunkKey, note)])
}

fn dimension_names(array: &ArrayMetadata) -> Row {
    let row = |v2: String, v3: String| Row::new(Topic::DimensionNames, "dimension names", v2, v3);
    let Some(names) = &array.dimension_names else {
        return row(NOTHING.into(), NOTHING.into());
    };
    let name = |name: &Option<String>| name.as_deref().map_or_else(|| "null".into(), quoted);
    let list = safe_owned(&format!("[{}]", names.iter().map(name).joined(",")));
    let row = row(format!("attribute _ARRAY_DIMENSIONS {list}"), format!("dimension_names {list}"));
    if names.iter().any(Option::is_none) && array.format == Format::V3 {
        return row.but(
            Join::Choice,
            Note::new(
                Code::DimensionNames,
                "xarray's convention is a list of strings: choose a name. (xarray 2026.9 opens null as a dimension \
                 named None.)",
            ),
        );
    }
    row
}

fn attributes(array: &ArrayMetadata) -> Row {
    let stored = array.attributes().and_then(Json::as_object).map_or(0, <[_]>::len);
    let named = array.dimension_names.is_some();
    let (v2, v3) = match array.format {
        Format::V2 => (stored, stored.saturating_sub(usize::from(named))),
        Format::V3 => (stored + usize::from(named), stored),
    };
    let cell = |home: &str, count: usize| match count {
        0 => NOTHING.to_owned(),
        1 => format!("{home}, 1 member"),
        many => format!("{home}, {many} members"),
    };
    Row::new(Topic::Attributes, "attributes", cell(".zattrs", v2), cell("attributes", v3))
}
