//! The format that bytes look like, where they are not what the metadata declares: the note beside a decoder's error.

use crate::zarr::codec::CodecRow;
use crate::zarr::prelude::*;

/// The codec that failed, and its input.
pub(super) struct Failed<'a> {
    /// The name of the codec, as the document has it.
    pub(super) name: &'a str,
    /// The codecs whose output is no surprise there.
    pub(super) expected: &'a [Option<&'static CodecRow>],
    /// True if its input is the stored file itself.
    pub(super) is_file: bool,
    /// True if its input is as long as the chunk without any codec.
    pub(super) is_raw: bool,
}

/// The note on the input of a codec that failed; `None` where it looks like nothing in particular, or like the output
/// of the expected codecs.
pub(super) fn note(bytes: &[u8], failed: &Failed, codecs: &Codecs) -> Option<Note> {
    let name = failed.name;
    if bytes.is_empty() && failed.is_file {
        let text = "The file is empty. Likely cause: an interrupted write. Write the chunk again, or remove the \
                    file: a missing chunk reads as the fill value.";
        return Some(Note::new(Code::LooksLike, text));
    }
    let Some(looks) = codecs.looks_like(bytes) else {
        let text = format!(
            "The input of {name} is as long as the decoded chunk. Likely cause: it was never compressed."
        );
        return failed.is_raw.then(|| Note::new(Code::LooksLike, text));
    };
    let is = |row: &CodecRow| {
        let expected = failed.expected.iter().flatten();
        // Inside a shard may be the output of any codec.
        expected.clone().any(|known| std::ptr::eq(*known, row))
            || expected.clone().any(|known| known.inner.is_some())
    };
    if codecs.recognise(bytes).is_some_and(|(row, _)| is(row)) {
        return None;
    }
    let what =
        if failed.is_file { "The file looks".into() } else { format!("The input of {name} looks") };
    Some(Note::new(Code::LooksLike, format!("{what} like {looks}.")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zarr::format::Format;

    fn note(bytes: &[u8], names: &[&str], is_file: bool, is_raw: bool) -> Option<Note> {
        let codecs = Codecs::default();
        let expected: Vec<_> = names.iter().map(|name| codecs.read_as(name, Format::V3)).collect();
        let failed = Failed { name: names[0], expected: &expected, is_file, is_raw };
        super::note(bytes, &failed, &codecs)
    }

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
                .contains("input of zstd looks like a file of zeros")
        );
        assert!(note(&[1, 2, 3], &["zstd"], true, true).unwrap().text.contains("never compressed"));
        assert!(note(&[], &["zstd"], true, false).unwrap().text.contains("empty"));
        assert!(note(&[], &["zstd"], false, false).is_none());
    }
}
