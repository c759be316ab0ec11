//! Writes the chunk on show for NumPy, beside the program and never into a store.

use crate::{
    app::chunks::Shown,
    zarr::{Error, Result, npy, text::safe},
};
use std::{
    fs::OpenOptions,
    io::{BufWriter, ErrorKind, Write},
    path::Path,
};

/// Writes the elements of the chunk that lie inside the array, in C order, to a new file.
pub(super) fn write(shown: &Shown, file: &Path) -> Result<()> {
    let elements = shown.chunk.elements().ok_or_else(|| {
        Error::new("no-elements", "a chunk that could not be decoded", "decoded elements")
    })?;
    let shape: Vec<u64> = shown.chunk.region.iter().map(|range| range.end - range.start).collect();
    let data_type = elements.data_type();
    let head = npy::head(data_type.as_ref(), elements.order(), &shape).ok_or_else(|| {
        let name = data_type.name();
        Error::new("no-npy", name, "elements of one length")
            .with_fix("The command `values` prints them.")
    })?;
    let name = file.to_string_lossy();
    let io = |error: std::io::Error| {
        let found = match error.kind() {
            ErrorKind::AlreadyExists => "a file that is there already".to_owned(),
            _ => error.to_string(),
        };
        Error::new("cannot-write", found, "a new file in the working directory")
            .in_file(safe(&name))
    };
    let out = OpenOptions::new().write(true).create_new(true).open(file).map_err(io)?;
    let mut out = BufWriter::new(out);
    out.write_all(&head.bytes).map_err(io)?;
    for index in 0..elements.len() {
        let coordinates = elements.coordinates_of_index(index);
        if shown.is_padding(&coordinates) {
            continue;
        }
        let range = elements.byte_range(elements.position(&coordinates));
        let bytes = elements.bytes().get(range).ok_or_else(|| {
            Error::new(
                "too-large",
                "a chunk of which a part is loaded",
                "a chunk that fits in memory",
            )
            .with_fix("The command `export` streams chunks of any size.")
        })?;
        out.write_all(bytes).map_err(io)?;
    }
    out.flush().map_err(io)
}
