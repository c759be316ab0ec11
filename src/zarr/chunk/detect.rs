//! What bytes look like that are not what the metadata say: the note beside a decoder's error.

use crate::zarr::{
    error::{Code, Note},
    signature::looks_like,
};

/// What the input of a codec that failed looks like; `None` where it looks like nothing in particular, or like what
/// the `expected` codecs write. `is_file` says that the input is the stored file itself, `is_raw` that it is as long as
/// the chunk without any codec.
pub(super) fn note(bytes: &[u8], expected: &[&str], is_file: bool, is_raw: bool) -> Option<Note> {
    if bytes.is_empty() && is_file {
        let text = "The file is empty, as a write that was cut off leaves it. Write the chunk again, or remove the \
                    file: a missing chunk is read as the fill value.";
        return Some(Note::new(Code::LooksLike, text));
    }
    let Some(looks) = looks_like(bytes) else {
        let codec = expected.first().filter(|_| is_raw)?;
        let text = format!(
            "What {codec} is given is as long as the chunk without any codec: was it never compressed?"
        );
        return Some(Note::new(Code::LooksLike, text));
    };
    if expected.iter().any(|codec| looks.contains(format_of(codec))) {
        return None;
    }
    let what = if is_file {
        "The file looks".into()
    } else {
        format!("What {} is given looks", expected.first()?)
    };
    Some(Note::new(Code::LooksLike, format!("{what} like {looks}.")))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_declared_is_not_worth_a_word() {
        assert!(note(&[0x1f, 0x8b, 8], &["gzip"], true, false).is_none());
        assert!(note(&[0x1f, 0x8b, 8], &["crc32c", "gzip"], true, false).is_none());
        assert!(note(b"BZh9", &["numcodecs.bz2"], true, false).is_none());
        assert!(note(&[0x1f, 0x8b, 8], &["zstd"], true, false).unwrap().text.contains("gzip data"));
        assert!(note(&[1, 2, 3], &["zstd"], true, false).is_none());
        assert!(
            note(&[0; 9], &["zstd"], false, false)
                .unwrap()
                .text
                .contains("zstd is given looks like a file of zeros")
        );
        assert!(note(&[1, 2, 3], &["zstd"], true, true).unwrap().text.contains("never compressed"));
        assert!(note(&[], &["zstd"], true, false).unwrap().text.contains("empty"));
        assert!(note(&[], &["zstd"], false, false).is_none());
    }
}
