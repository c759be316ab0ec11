//! The kinds of files that no codec wrote, told by their first bytes: for bytes that are not what they should be. The
//! first bytes of a codec's output are in the row of the codec (`codec::Codecs::looks_like`). This is a
//! diagnosis, and is below `store` all the same: a file that is no zip archive is said to be what it is instead.

const HTML: &str = "an HTML page, such as a server's error page saved in place of the data";

/// Beginnings by which formats are known, and what they are.
const SIGNATURES: [(&[u8], &str); 11] = [
    (
        &[0x04, 0x22, 0x4d, 0x18],
        "an LZ4 frame; the codec lz4 has a decoded size and one bare block",
    ),
    (b"PK\x03\x04", "a ZIP file"),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file"),
    (b"\x89PNG", "a PNG image"),
    (b"version https://git-lfs.github.com", "a Git LFS pointer; the data were never fetched"),
    (b"/annex/objects/", "a git-annex pointer; the data were never fetched"),
    (b"<!DOCTYPE", HTML),
    (b"<!doctype", HTML),
    (b"<html", HTML),
    (b"<?xml", "an XML document, such as an object store's error saved in place of the data"),
    (b"\x93NUMPY", "an .npy file"),
];

/// The same of formats that only their own programs decode: whoever finds one in place of a chunk finds no chunk.
const MESSAGES: [(&[u8], &str); 13] = [
    (b"\xff\xd8\xff", "a JPEG image; only a codec for JPEG decodes it"),
    (b"\xff\x4f\xff\x51", "a JPEG 2000 image; only a codec for JPEG 2000 decodes it"),
    (b"\0\0\0\x0cjP  \r\n", "a JPEG 2000 image; only a codec for JPEG 2000 decodes it"),
    (b"II*\0", "a TIFF file"),
    (b"MM\0*", "a TIFF file"),
    (b"GRIB", "a GRIB message; its own codec decodes it"),
    (b"BUFR", "a BUFR message"),
    (b"CDF\x01", "a netCDF classic file"),
    (b"CDF\x02", "a netCDF classic file"),
    (b"PAR1", "a Parquet file"),
    (b"SIMPLE  =", "a FITS file"),
    (b"#ASDF ", "an ASDF file"),
    (b"\x9e\xa8b2frame", "a Blosc2 frame; the codec blosc reads only Blosc 1 buffers"),
];

/// The kind of a file that begins so; `None` for unknown ones.
pub fn foreign_format(bytes: &[u8]) -> Option<&'static str> {
    if bytes.len() >= 4 && bytes.iter().all(|&byte| byte == 0) {
        return Some("a file of zeros");
    }
    known(&SIGNATURES, bytes).or_else(|| message(bytes))
}

/// The kind of the file, if it is of a format that only its own programs decode.
pub fn message(bytes: &[u8]) -> Option<&'static str> {
    known(&MESSAGES, bytes)
}

fn known(formats: &[(&[u8], &'static str)], bytes: &[u8]) -> Option<&'static str> {
    formats.iter().find(|(start, _)| bytes.starts_with(start)).map(|(_, what)| *what)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zarr::codec::Codecs;

    #[test]
    fn kinds_are_told_by_how_they_begin() {
        let looks_like = |bytes: &[u8]| Codecs::default().looks_like(bytes);
        assert_eq!(looks_like(b"\x1f\x8b\x08"), Some("gzip data"));
        assert_eq!(looks_like(b"\x78\x9c\x03"), Some("zlib data"));
        assert!(foreign_format(b"<html lang").is_some_and(|what| what.contains("HTML")));
        assert!(foreign_format(&[0; 4]).is_some_and(|what| what.contains("zeros")));
        assert_eq!((looks_like(&[]), looks_like(&[1, 2, 3]), looks_like(&[0])), (None, None, None));
    }
}
