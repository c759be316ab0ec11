//! Changes by transfers meant for text, undone: line ends, encodings, base64. A chunk that can be decoded afterwards
//! proves them.

use super::prelude::*;

/// The changes that a single file tells.
pub(super) const OF_FILES: [fn(&Case, &Sample) -> Option<Diagnosis>; 9] =
    [line_ends, carriage_returns, utf16, utf8, as_text, percents, python_bytes, lossy, seven_bits];

/// The cause, if `bytes` can be decoded as declared.
fn proved(
    case: &Case,
    sample: &Sample,
    bytes: Vec<u8>,
    kind: &'static str,
    (sentence, evidence): (&str, String),
    filters: &[ShellScript],
) -> Option<Diagnosis> {
    decodes(case, sample, bytes.clone()).then(|| {
        Diagnosis::new(kind, sentence)
            .because(evidence)
            .because("With that undone, the file can be decoded as declared.")
            .mended_by(rewritten(&sample.key, filters, bytes))
            .certain()
    })
}

/// Every line feed has become carriage return and line feed.
fn line_ends(case: &Case, sample: &Sample) -> Option<Diagnosis> {
    let bytes = &sample.bytes;
    let feeds = memchr::memchr_iter(b'\n', bytes);
    let mut count = 0_u64;
    for at in feeds {
        count += 1;
        if at == 0 || bytes.get(at - 1) != Some(&b'\r') {
            return None;
        }
    }
    if count == 0 {
        return None;
    }
    let mut undone = Vec::with_capacity(bytes.len());
    for (at, &byte) in bytes.iter().enumerate() {
        if byte != b'\r' || bytes.get(at + 1) != Some(&b'\n') {
            undone.push(byte);
        }
    }
    let evidence = format!(
        "All {} (0a) in the file follow a carriage return (0d).",
        counted(count, "line feed")
    );
    let sentence = "The file was copied as text: every 0a became 0d 0a.";
    let command = script!("sed -z 's/\\r\\n/\\n/g'");
    proved(case, sample, undone, "text-mode/returns-added", (sentence, evidence), &[command])
}

/// Every carriage return has become a line feed, or was lost before one: nothing can undo it.
fn carriage_returns(case: &Case, sample: &Sample) -> Option<Diagnosis> {
    let bytes = &sample.bytes;
    let exact = usize::try_from(case.array.chain()?.encoded_size().exact?).ok()?;
    let missing = exact.checked_sub(bytes.len()).filter(|missing| *missing > 0)?;
    let expected = bytes.len() / 65_536;
    let has_pair = contains(bytes, b"\r\n");
    let feeds = memchr::memchr_iter(b'\n', bytes).count();
    (!has_pair && expected >= 12 && missing <= expected * 3 && feeds > missing).then(|| {
        Diagnosis::new("text-mode/returns-lost", "The file was copied as text: every 0d 0a became 0a.")
            .because(format!(
                "{} are missing, and 0d 0a, which chance gives some {expected} times, does not occur once.",
                byte_count(missing)
            ))
    })
}

/// The same of compressed chunks, taken together: bytes without any habit hold each pair of bytes as often as any other.
pub(super) fn lost_returns(case: &Case, samples: &mut Vec<Sample>) -> Option<Diagnosis> {
    const PAIRS: usize = 65_536;
    // Of an index that cannot be read, other causes are likelier.
    if case.array.chain()?.is_raw() || samples.iter().any(|it| it.failed_by(Code::ShardIndex)) {
        return None;
    }
    let total: usize = samples.iter().map(|sample| sample.bytes.len()).sum();
    let count = |byte: u8| {
        samples.iter().map(|sample| memchr::memchr_iter(byte, &sample.bytes).count()).sum::<usize>()
    };
    let is_usual = |byte: u8| (total / 512..total / 128).contains(&count(byte));
    let has_pair = samples.iter().any(|sample| contains(&sample.bytes, b"\r\n"));
    if has_pair || total < 9 * PAIRS || !is_usual(b'\n') || !is_usual(b'\r') {
        return None;
    }
    let files: Vec<String> = samples.iter().map(|sample| sample.key.clone()).collect();
    let text = if files.len() == 1 { "The file was" } else { "The files were" };
    let diagnosis = Diagnosis::new(
        "text-mode/returns-lost-in-many",
        format!("{text} copied as text: every 0d 0a became 0a."),
    )
    .because(format!(
        "Chance gives 0d 0a some {} times in {} of compressed data; it does not occur once.",
        total / PAIRS,
        byte_count(total)
    ))
    .to_do(files.iter().map(|file| again(file)).joined("\n"))
    .in_files(files);
    samples.clear();
    Some(diagnosis)
}

/// Each byte has become a character of UTF-16.
fn utf16(case: &Case, sample: &Sample) -> Option<Diagnosis> {
    let body =
        sample.bytes.strip_prefix(b"\xff\xfe").or_else(|| sample.bytes.strip_prefix(b"\xfe\xff"));
    let body = body.unwrap_or(&sample.bytes);
    let (units, rest) = body.as_chunks::<2>();
    if units.is_empty() || !rest.is_empty() {
        return None;
    }
    let low: Option<Vec<u8>> =
        units.iter().map(|[low, high]| (*high == 0).then_some(*low)).collect();
    let high: Option<Vec<u8>> =
        units.iter().map(|[high, low]| (*high == 0).then_some(*low)).collect();
    let evidence = format!("Every second byte of {} is 0.", byte_count(body.len()));
    let sentence = "The file was written as text in UTF-16: each byte became two.";
    let command = script!("iconv -f UTF-16 -t ISO-8859-1");
    proved(case, sample, low.or(high)?, "text-mode/utf-16", (sentence, evidence), &[command])
}

/// Each byte has become a character of UTF-8.
fn utf8(case: &Case, sample: &Sample) -> Option<Diagnosis> {
    let text = std::str::from_utf8(&sample.bytes).ok()?;
    let bytes: Option<Vec<u8>> = text.chars().map(|c| u8::try_from(u32::from(c)).ok()).collect();
    let bytes = bytes.filter(|bytes| bytes.len() < sample.bytes.len())?;
    let more = sample.bytes.len() - bytes.len();
    let evidence =
        format!("The file is valid UTF-8 with {} of two bytes.", counted(more as u64, "character"));
    let sentence = "The file was written as text in UTF-8: each byte above 7f became two.";
    let command = script!("iconv -f UTF-8 -t ISO-8859-1");
    proved(case, sample, bytes, "text-mode/utf-8", (sentence, evidence), &[command])
}

/// Bytes that are no UTF-8 were replaced: what they were is lost.
fn lossy(_: &Case, sample: &Sample) -> Option<Diagnosis> {
    let text = std::str::from_utf8(&sample.bytes).ok()?;
    let replaced = text.matches('\u{fffd}').count();
    (replaced >= 4 && replaced * 64 > sample.bytes.len()).then(|| {
        Diagnosis::new("text-mode/replaced", "The file was read as text in UTF-8 and written again: bytes that are not UTF-8 are lost.")
            .because(format!("The file is valid UTF-8, and holds the replacement character (U+FFFD) {replaced} times."))
            .to_do(again(&sample.key))
            .certain()
    })
}

/// The uppermost bit of every byte is gone.
fn seven_bits(case: &Case, sample: &Sample) -> Option<Diagnosis> {
    const ENOUGH: usize = 64;
    // Values that are not compressed may well be below 80 in every byte.
    if case.array.chain()?.encoded_size().exact.is_some() {
        return None;
    }
    let bytes = &sample.bytes;
    if bytes.len() < ENOUGH || !bytes.is_ascii() {
        return None;
    }
    let is_text = bytes.iter().all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace());
    let kinds = (0..128).filter(|kind| memchr::memchr(*kind, bytes).is_some()).count();
    (!is_text && kinds > 32).then(|| {
        Diagnosis::new(
            "text-mode/seven-bits",
            "The file went through a seven-bit transfer: the highest bit of every byte is lost.",
        )
        .because(format!("None of {} is above 7f.", byte_count(bytes.len())))
        .to_do(again(&sample.key))
    })
}

/// The chunk as base64, or as hexadecimal digits.
fn as_text(case: &Case, sample: &Sample) -> Option<Diagnosis> {
    let bytes = &sample.bytes;
    if !bytes.is_ascii() {
        return None;
    }
    let text: Vec<u8> = bytes.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let text = text.strip_prefix(b"\"").and_then(|text| text.strip_suffix(b"\"")).unwrap_or(&text);
    let announced = announcement(text);
    let text = text.get(announced..)?;
    if text.len() < 8 {
        return None;
    }
    let evidence = |what: &str| format!("The file holds {what} only.");
    if text.iter().all(u8::is_ascii_hexdigit) && text.len().is_multiple_of(2) {
        let pairs = text.as_chunks::<2>().0.iter();
        let undone: Option<Vec<u8>> = pairs.map(|[a, b]| byte_of(*a, *b)).collect();
        let told =
            ("The file holds the chunk as hexadecimal digits.", evidence("hexadecimal digits"));
        let command = script!("xxd -r -p");
        let found = proved(case, sample, undone?, "base64/hexadecimal", told, &[command]);
        if found.is_some() {
            return found;
        }
    }
    let undone = base64(text)?;
    let told = ("The file holds the chunk as base64.", evidence("base64 characters"));
    let skip = (announced > 0).then(|| script!("tail -c +{}", announced + 1));
    let filters: Vec<ShellScript> = skip.into_iter().chain([script!("base64 -d")]).collect();
    proved(case, sample, undone, "base64/base64", told, &filters)
}

/// The length of what says that base64 follows: `base64:` as references of kerchunk have it, or the start of a data URL.
fn announcement(text: &[u8]) -> usize {
    const DATA_URL: usize = 64;
    if text.starts_with(b"base64:") {
        return 7;
    }
    let head = text.get(..text.len().min(DATA_URL)).filter(|head| head.starts_with(b"data:"));
    head.and_then(|head| memchr::memmem::find(head, b";base64,")).map_or(0, |at| at + 8)
}

/// The byte with these hexadecimal digits.
fn byte_of(high: u8, low: u8) -> Option<u8> {
    let digit = |byte: u8| u8::try_from(char::from(byte).to_digit(16)?).ok();
    Some(digit(high)? << 4 | digit(low)?)
}

/// The bytes of a text for a URL, which has at least one escape: % and two hexadecimal digits.
pub(super) fn unquoted(text: &[u8]) -> Option<Vec<u8>> {
    let (mut rest, mut undone) = (text, Vec::new());
    while let Some((&byte, after)) = rest.split_first() {
        rest = match (byte, after) {
            (b'%', [high, low, after @ ..]) => {
                undone.push(byte_of(*high, *low)?);
                after
            }
            (b'%', _) => return None,
            // Forms write a space so.
            (b'+', _) => (undone.push(b' '), after).1,
            _ if !byte.is_ascii_graphic() => return None,
            _ => (undone.push(byte), after).1,
        }
    }
    (undone.len() < text.len()).then_some(undone)
}

/// The chunk with its bytes written as in a URL.
fn percents(case: &Case, sample: &Sample) -> Option<Diagnosis> {
    let undone = unquoted(&sample.bytes)?;
    let count = (sample.bytes.len() - undone.len()) as u64 / 2;
    let told = (
        "The file holds the chunk as text for a URL: bytes as % and two hexadecimal digits.",
        format!("It has {} that begin with %.", counted(count, "escape")),
    );
    let python = "import sys, urllib.parse; sys.stdout.buffer.write(urllib.parse.unquote_to_bytes(sys.stdin.read().replace(\"+\", \" \")))";
    let command = script!("python3 -I -c '{}'", python);
    proved(case, sample, undone, "base64/url", told, &[command])
}

/// The chunk as the text with which Python shows bytes.
fn python_bytes(case: &Case, sample: &Sample) -> Option<Diagnosis> {
    let undone = shown_by_python(&sample.bytes)?;
    let told = (
        "The file holds the chunk as Python shows bytes: b'…' with \\x and two hexadecimal digits.",
        format!("It begins with {}", safe_bytes(sample.bytes.get(..12)?)),
    );
    let python = "import sys, ast; sys.stdout.buffer.write(ast.literal_eval(sys.stdin.read()))";
    let command = script!("python3 -I -c '{}'", python);
    proved(case, sample, undone, "base64/python", told, &[command])
}

/// The bytes that Python shows as such a text.
fn shown_by_python(text: &[u8]) -> Option<Vec<u8>> {
    let body = text.trim_ascii_end().strip_prefix(b"b")?;
    let quote = *body.first().filter(|quote| matches!(quote, b'\'' | b'"'))?;
    let mut rest = body.strip_prefix(&[quote])?.strip_suffix(&[quote])?;
    let mut inside = Vec::with_capacity(rest.len());
    while let Some((&byte, after)) = rest.split_first() {
        let (byte, after) = match (byte, after) {
            (b'\\', [b'x', high, low, after @ ..]) => (byte_of(*high, *low)?, after),
            (b'\\', [escaped, after @ ..]) => (simple_escape(*escaped)?, after),
            (b' '..=b'~', after) => (byte, after),
            _ => return None,
        };
        inside.push(byte);
        rest = after;
    }
    Some(inside)
}

/// The byte of an escape of one letter.
fn simple_escape(letter: u8) -> Option<u8> {
    match letter {
        b'n' => Some(b'\n'),
        b'r' => Some(b'\r'),
        b't' => Some(b'\t'),
        b'\\' | b'\'' | b'"' => Some(letter),
        _ => None,
    }
}

/// The bytes of base64, of the usual signs or those for addresses.
fn base64(text: &[u8]) -> Option<Vec<u8>> {
    let body = text.strip_suffix(b"==").or_else(|| text.strip_suffix(b"=")).unwrap_or(text);
    let mut out = Vec::with_capacity(body.len() * 3 / 4);
    let (mut bits, mut held) = (0_u32, 0);
    for &sign in body {
        let value = match sign {
            b'A'..=b'Z' => sign - b'A',
            b'a'..=b'z' => sign - b'a' + 26,
            b'0'..=b'9' => sign - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push(u8::try_from(bits >> held & 0xff).ok()?);
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_bytes_are_read() {
        assert_eq!(shown_by_python(b"b'a\\x00\\n\\'c'\n").unwrap(), b"a\0\n'c");
        assert_eq!(shown_by_python(b"b\"it's\"").unwrap(), b"it's");
        for text in [&b"b'"[..], b"'a'", b"b'\x80'", b"b'\\q'", b"b'\\x0'"] {
            assert_eq!(shown_by_python(text), None, "{text:?}");
        }
        assert_eq!(unquoted(b"a%00+b").unwrap(), b"a\0 b");
        assert_eq!((unquoted(b"ab"), unquoted(b"%0"), unquoted(b"%zz")), (None, None, None));
        assert_eq!(announcement(b"data:application/octet-stream;base64,AAAA"), 37);
        assert_eq!((announcement(b"base64:AA"), announcement(b"AAAA")), (7, 0));
    }
}
