//! What bytes look like that are not what the metadata say: the note beside a decoder's error.

use crate::zarr::error::Note;

/// Beginnings by which formats are known, and what they are.
const SIGNATURES: [(&[u8], &str); 16] = [
    (&[0x1f, 0x8b], "gzip data"),
    (&[0x28, 0xb5, 0x2f, 0xfd], "a zstd frame"),
    (&[0x04, 0x22, 0x4d, 0x18], "an LZ4 frame (numcodecs writes bare blocks instead)"),
    (b"BZh", "bzip2 data"),
    (&[0xfd, b'7', b'z', b'X', b'Z', 0], "xz data"),
    (b"pco!", "pcodec data"),
    (b"PK\x03\x04", "a ZIP file"),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file"),
    (b"\x89PNG", "a PNG image"),
    (b"version https://git-lfs.github.com", "a Git LFS pointer: the data itself was never fetched"),
    (b"<!DOCTYPE", "an HTML page, such as a server's error page saved in place of the chunk"),
    (b"<!doctype", "an HTML page, such as a server's error page saved in place of the chunk"),
    (b"<html", "an HTML page, such as a server's error page saved in place of the chunk"),
    (b"<?xml", "an XML document, such as an object store's error saved in place of the chunk"),
    (b"\x80\x04\x95", "a Python pickle"),
    (b"\x93NUMPY", "an .npy file"),
];

/// What the input of a codec that failed looks like; `None` where it looks like nothing in particular, or like what
/// the `expected` codecs write. `is_file` says that the input is the stored file itself.
pub(super) fn note(bytes: &[u8], expected: &[&str], is_file: bool) -> Option<Note> {
    if bytes.is_empty() && is_file {
        let text = "The file is empty, as a write that was cut off leaves it. Write the chunk again, or remove the \
                    file: a missing chunk is read as the fill value.";
        return Some(Note::new("looks-like", text));
    }
    let looks = looks_like(bytes)?;
    if expected.iter().any(|codec| looks.contains(format_of(codec))) {
        return None;
    }
    let what = if is_file {
        "The file looks".into()
    } else {
        format!("What {} is given looks", expected.first()?)
    };
    Some(Note::new("looks-like", format!("{what} like {looks}.")))
}

/// What the format that a codec writes is called.
fn format_of(codec: &str) -> &str {
    match codec.strip_prefix("numcodecs.").unwrap_or(codec) {
        "bz2" => "bzip2",
        "lzma" => "xz",
        name => name,
    }
}

/// What a file is that no codec of Zarr writes.
#[must_use]
pub fn stranger(bytes: &[u8]) -> Option<&'static str> {
    const CODECS: [&str; 6] = ["gzip", "zstd", "bzip2", "xz", "zlib", "blosc"];
    let looks = looks_like(bytes)?;
    (!CODECS.iter().any(|codec| looks.contains(codec))).then_some(looks)
}

fn looks_like(bytes: &[u8]) -> Option<&'static str> {
    if bytes.len() >= 4 && bytes.iter().all(|&byte| byte == 0) {
        return Some("a file of zeros, as a lost disk block or an interrupted copy leaves behind");
    }
    let known = SIGNATURES.iter().find(|(signature, _)| bytes.starts_with(signature));
    if let Some((_, what)) = known {
        return Some(what);
    }
    zlib_or_blosc(bytes)
}

/// Formats known by consistency rather than by a signature.
fn zlib_or_blosc(bytes: &[u8]) -> Option<&'static str> {
    let &[first, second, ..] = bytes else { return None };
    let pair = u16::from_be_bytes([first, second]);
    if first == 0x78 && pair % 31 == 0 {
        return Some("zlib data");
    }
    let stored =
        bytes.get(12..16).and_then(|len| len.first_chunk()).map(|len| u32::from_le_bytes(*len));
    (first == 2 && stored.is_some_and(|len| len as usize == bytes.len()))
        .then_some("a blosc buffer")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_declared_is_not_worth_a_word() {
        assert!(note(&[0x1f, 0x8b, 8], &["gzip"], true).is_none());
        assert!(note(&[0x1f, 0x8b, 8], &["crc32c", "gzip"], true).is_none());
        assert!(note(b"BZh9", &["numcodecs.bz2"], true).is_none());
        assert!(note(&[0x1f, 0x8b, 8], &["zstd"], true).unwrap().text.contains("gzip data"));
        assert!(note(&[1, 2, 3], &["zstd"], true).is_none());
        assert!(
            note(&[0; 9], &["zstd"], false)
                .unwrap()
                .text
                .contains("zstd is given looks like a file of zeros")
        );
        assert!(note(&[], &["zstd"], true).unwrap().text.contains("empty"));
        assert!(note(&[], &["zstd"], false).is_none());
    }
}
