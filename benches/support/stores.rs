//! Stores that are large in one way each: nodes, stored chunks, one chunk.

use super::elements::{document, elements};
use serde_json::{Value, json};
use std::{
    fs::{self, File},
    io,
    path::Path,
};

/// Elements one after the other, and nothing else.
fn raw() -> Value {
    json!([{"name": "bytes", "configuration": {"endian": "little"}}])
}

/// A group with `count` arrays, flat.
pub(crate) fn arrays(path: &Path, count: usize) -> io::Result<()> {
    group(path)?;
    let text = document(&[4], &[4], "float32", &raw());
    for number in 0..count {
        let array = path.join(format!("a{number:06}"));
        fs::create_dir(&array)?;
        fs::write(array.join("zarr.json"), &text)?;
    }
    Ok(())
}

/// A group with groups of 19 arrays each, `count` nodes in all.
pub(crate) fn groups(path: &Path, count: usize) -> io::Result<()> {
    group(path)?;
    for number in 0..count / 20 {
        arrays(&path.join(format!("g{number:04}")), 19)?;
    }
    Ok(())
}

fn group(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)?;
    fs::write(path.join("zarr.json"), r#"{"zarr_format":3,"node_type":"group","attributes":{}}"#)
}

/// An array in a group, with `side` × `side` stored chunks, all of them empty files.
pub(crate) fn chunks(path: &Path, side: usize) -> io::Result<()> {
    group(path)?;
    let array = path.join("chunks");
    fs::create_dir(&array)?;
    fs::write(array.join("zarr.json"), document(&[side, side], &[1, 1], "uint8", &raw()))?;
    for row in 0..side {
        let folder = array.join("c").join(row.to_string());
        fs::create_dir_all(&folder)?;
        for column in 0..side {
            File::create(folder.join(column.to_string()))?;
        }
    }
    Ok(())
}

/// An array in a group, of one raw chunk of `len` float32, which is not written: the file is sparse.
pub(crate) fn chunk(path: &Path, len: usize) -> io::Result<()> {
    group(path)?;
    let array = path.join("chunk");
    fs::create_dir_all(array.join("c"))?;
    fs::write(array.join("zarr.json"), document(&[len], &[len], "float32", &raw()))?;
    File::create(array.join("c/0"))?.set_len(len as u64 * 4)
}

/// An array in a group, of one zstd chunk of 1 MiB.
pub(crate) fn packed(path: &Path) -> io::Result<()> {
    group(path)?;
    let array = path.join("chunk");
    fs::create_dir_all(array.join("c/0"))?;
    let mut codecs = raw();
    if let Some(codecs) = codecs.as_array_mut() {
        codecs.push(json!({"name": "zstd", "configuration": {"level": 3, "checksum": false}}));
    }
    fs::write(array.join("zarr.json"), document(&[512, 512], &[512, 512], "float32", &codecs))?;
    let elements = elements(0, 0, 512);
    fs::write(array.join("c/0/0"), zstd::encode_all(elements.as_slice(), 3)?)
}
