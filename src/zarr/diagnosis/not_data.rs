//! A file that is no chunk: zeros, a page or message of a server, a pointer of Git LFS or git-annex, what is encrypted.

use super::files::again_or_none;
use super::prelude::*;
use crate::zarr::signature::{foreign_format, message};

/// The cause, if a file holds something that is not a chunk: a page, a pointer, zeros.
pub(super) fn diagnose(case: &Case, sample: &Sample) -> Option<Diagnosis> {
    let bytes = sample.bytes.as_slice();
    let head = bytes.get(..bytes.len().min(1024)).unwrap_or(bytes);
    if let Some(found) = pointer(head, bytes.len(), &sample.key) {
        return Some(found);
    }
    if let Some(page) = page(bytes) {
        let text = format!("The file is {page}.");
        let start = safe_bytes(head.get(..head.len().min(60)).unwrap_or(head));
        return Some(
            Diagnosis::new("not-data/web-page", text)
                .because(format!("It begins with {start}"))
                .to_do(again(&sample.key))
                .certain(),
        );
    }
    if let Some(found) = numbers(case, sample) {
        return Some(found);
    }
    if head.starts_with(APPLE_DOUBLE) {
        let text = "The file is an AppleDouble file, which macOS writes beside a file for its attributes (as ._name).";
        let start = safe_bytes(head.get(..24).unwrap_or(head));
        return Some(
            Diagnosis::new("not-data/apple-double", text)
                .because(format!("It begins with {start}"))
                .to_do(again(&sample.key))
                .certain(),
        );
    }
    let is_zero = bytes.iter().all(|&byte| byte == 0);
    (is_zero && bytes.len() >= 4 && case.raw_len() != Some(bytes.len() as u64)).then(|| {
        Diagnosis::new(
            "not-data/only-zeros",
            "The file holds only zeros: space was allocated for it, and nothing written.",
        )
        .because(format!("All of its {} are 0.", byte_count(bytes.len())))
        .to_do(again_or_none(&sample.key))
        .certain()
    })
}

/// The cause, if a file holds the values of a chunk as text.
fn numbers(case: &Case, sample: &Sample) -> Option<Diagnosis> {
    const FEW: usize = 4;
    let text = std::str::from_utf8(&sample.bytes).ok()?;
    let is_between = |c: char| c.is_ascii_whitespace() || ",;[]()".contains(c);
    let words = || text.split(is_between).filter(|word| !word.is_empty());
    let count = words().count();
    let elements: u64 =
        case.array.chunk_shape()?.iter().try_fold(1_u64, |all, &n| all.checked_mul(n))?;
    let is_all = count >= FEW && count as u64 == elements;
    (is_all && words().all(|word| word.parse::<f64>().is_ok())).then(|| {
        let start: Vec<&str> = words().take(FEW).collect();
        Diagnosis::new(
            "not-data/values-as-text",
            "The file holds the values as text, not the bytes of a chunk.",
        )
        .because(format!(
            "It has {} numbers, one for each element: {} …",
            grouped(count),
            start.join(" ")
        ))
        .to_do(again(&sample.key))
        .certain()
    })
}

/// The words for a page, a JSON document, or a file of another program.
fn page(bytes: &[u8]) -> Option<&'static str> {
    // Pages may begin with a line break.
    let text = bytes.trim_ascii_start();
    let page = foreign_format(text).filter(|_| text.starts_with(b"<"));
    page.or_else(|| is_json(text)).or_else(|| message(bytes)).or_else(|| sentence(text))
}

/// The kind of a file of a few words.
fn sentence(text: &[u8]) -> Option<&'static str> {
    const LONGEST: usize = 4096;
    let is_text = |byte: &u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
    let words = text.iter().filter(|byte| byte.is_ascii_alphabetic() || **byte == b' ').count();
    let is_short = (4..=LONGEST).contains(&text.len()) && text.trim_ascii().contains(&b' ');
    (is_short && text.iter().all(is_text) && words * 3 >= text.len() * 2)
        .then_some("a text, such as a server's message saved in place of the data")
}

/// The first bytes of files in which macOS keeps attributes.
const APPLE_DOUBLE: &[u8] = &[0, 5, 0x16, 7, 0, 2, 0, 0];

/// The first bytes of encrypted files, and the kind of file.
const ENCRYPTED: [(&[u8], &str); 4] = [
    (b"Salted__", "a file of `openssl enc`"),
    (b"age-encryption.org/", "an age file"),
    (b"RCLONE\0\0", "a file of rclone's crypt remote"),
    (b"-----BEGIN PGP MESSAGE", "an OpenPGP message"),
];

/// The cause, if a file is empty, or says where the data are and does not hold them.
fn pointer(head: &[u8], len: usize, key: &str) -> Option<Diagnosis> {
    if head.is_empty() {
        let text = "The file is empty: nothing was written, or the write was cut off.";
        let again = again_or_none(key);
        return Some(
            Diagnosis::new("truncated/empty", text).because("0 bytes are stored.").to_do(again),
        );
    }
    if let Some((_, what)) = ENCRYPTED.iter().find(|(start, _)| head.starts_with(start)) {
        let text = format!("The file is encrypted: it begins like {what}.");
        let start = safe_bytes(head.get(..head.len().min(24)).unwrap_or(head));
        return Some(
            Diagnosis::new("not-data/encrypted", text)
                .because(format!("It begins with {start}"))
                .to_do(format!("decrypt this chunk: {key}"))
                .certain(),
        );
    }
    if head.starts_with(b"version https://git-lfs.github.com") {
        return Some(
            Diagnosis::new(
                "not-data/lfs-pointer",
                "The file is a Git LFS pointer: the data were never fetched.",
            )
            .because("It begins with the first line of a Git LFS pointer.")
            .to_do("git lfs pull")
            .certain(),
        );
    }
    if len < 4096 && contains(head, b"annex/objects/") {
        return Some(
            Diagnosis::new(
                "not-data/annex-pointer",
                "The file is a git-annex pointer: the data were never fetched.",
            )
            .because("It holds the path of a git-annex object.")
            .to_do(format!("fetch it with git annex get: {key}"))
            .certain(),
        );
    }
    None
}

/// The words for a JSON document: an object, as servers answer with, or a reference: a URL, and from where how many bytes.
/// Other lists may be what an object codec wrote.
fn is_json(bytes: &[u8]) -> Option<&'static str> {
    let is_text = matches!(bytes.first(), Some(b'{' | b'[')) && bytes.len() < 1 << 16;
    let json = is_text.then(|| Json::parse(bytes).ok()).flatten()?;
    if json.root.as_object().is_some() {
        return Some("a JSON document, such as a server's error saved in place of the data");
    }
    let (url, range) = json.root.as_array()?.split_first()?;
    url.as_str()?;
    let is_range =
        range.is_empty() || range.len() == 2 && range.iter().all(|it| it.as_u64().is_some());
    is_range.then_some("a JSON list, such as a reference to the data elsewhere")
}
