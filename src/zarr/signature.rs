//! What kind of file bytes are, told by how they begin: for bytes that are not what they should be.

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
    (b"<!DOCTYPE", "an HTML page, such as a server's error page saved in place of the data"),
    (b"<!doctype", "an HTML page, such as a server's error page saved in place of the data"),
    (b"<html", "an HTML page, such as a server's error page saved in place of the data"),
    (b"<?xml", "an XML document, such as an object store's error saved in place of the data"),
    (b"\x80\x04\x95", "a Python pickle"),
    (b"\x93NUMPY", "an .npy file"),
];

/// What kind of file begins so; `None` where it is none that is known.
#[must_use]
pub fn looks_like(bytes: &[u8]) -> Option<&'static str> {
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
    fn kinds_are_told_by_a_signature_or_by_consistency() {
        assert_eq!(looks_like(b"\x1f\x8b\x08"), Some("gzip data"));
        assert_eq!(looks_like(b"\x78\x9c\x03"), Some("zlib data"));
        assert!(looks_like(b"<html lang").is_some_and(|what| what.contains("HTML")));
        assert!(looks_like(&[0; 4]).is_some_and(|what| what.contains("zeros")));
        assert_eq!((looks_like(&[]), looks_like(&[1, 2, 3]), looks_like(&[0])), (None, None, None));
    }
}
