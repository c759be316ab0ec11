//! The document and the elements of an array, made and not stored.

use serde_json::{Value, json};

/// The length of both dimensions.
pub(crate) const LENGTH: usize = 8192;

/// The V3 document of an array.
pub(crate) fn document(
    shape: &[usize],
    chunk: &[usize],
    data_type: &str,
    codecs: &Value,
) -> String {
    json!({
        "zarr_format": 3, "node_type": "array", "shape": shape, "data_type": data_type,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": chunk}},
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
        "fill_value": 0, "codecs": codecs, "attributes": {},
    })
    .to_string()
}

/// Something like a temperature: two slow waves and a little noise, kept to 1/64.
pub(crate) fn value(row: usize, column: usize) -> f32 {
    let wave = |at: usize, slow: usize| {
        // A triangle: as smooth as it has to be, and the same everywhere.
        let (at, half) = (at % (2 * slow), slow);
        u16::try_from(if at < half { at } else { 2 * half - at }).map_or(0.0, f32::from)
    };
    let mixed = (row * LENGTH + column) as u64;
    let mixed = (mixed ^ mixed >> 7).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ mixed >> 31).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let noise = u16::try_from(mixed >> 60).map_or(0.0, f32::from);
    (wave(row, 700) / 64.0 + wave(column, 1100) / 64.0 + noise / 64.0) + 270.0
}

/// A square of elements in C order, little endian.
pub(crate) fn elements(row: usize, column: usize, length: usize) -> Vec<u8> {
    (row..row + length)
        .flat_map(|row| {
            (column..column + length).flat_map(move |column| value(row, column).to_le_bytes())
        })
        .collect()
}
