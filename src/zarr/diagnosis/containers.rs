//! Chunks inside the container of another program or format: Fortran records, archives with one member, the body of an
//! HTTP message. That the rest can be decoded as declared proves it.

use super::prefixed::{prefix, starts};
use super::prelude::*;
use std::io::Read;

/// The number of containers that may be inside each other.
const DEEP: usize = 3;
/// The number of places at which the content of a pickle is looked for.
const PLACES: usize = 64;
/// The nanoseconds that a byte takes to be taken out.
const OPENING: u64 = 12;

/// The content of a container, and its kind.
struct OpenedContainer {
    bytes: Vec<u8>,
    /// The container, in words: `a ZIP archive`.
    what: String,
    /// The evidence that it is one, a sentence.
    evidence: String,
    /// The command that takes the content out, from its standard input to its output.
    command: ShellScript,
}

/// The cause, if the chunk is inside a container.
pub(super) fn diagnose(case: &Case, sample: &Sample) -> Option<Diagnosis> {
    let mut opened: Vec<OpenedContainer> = Vec::new();
    while opened.len() < DEEP {
        let bytes = opened.last().map_or(sample.bytes.as_slice(), |it| &it.bytes);
        if !case.spend((bytes.len() as u64).saturating_mul(OPENING)) {
            return None;
        }
        opened.push(OPENERS.iter().find_map(|open| open(bytes, case.budget().limit()))?);
        let inner = &opened.last()?.bytes;
        let whole = decodes(case, sample, inner.clone()).then_some(0);
        let Some(at) = whole.or_else(|| {
            starts(case, inner)
                .into_iter()
                .find(|at| decodes(case, sample, inner.get(*at..).unwrap_or_default().to_vec()))
        }) else {
            continue;
        };
        return told(&opened, at, &sample.key);
    }
    None
}

/// The cause, of containers inside each other, in whose innermost the chunk begins at byte `at`.
fn told(opened: &[OpenedContainer], at: usize, key: &str) -> Option<Diagnosis> {
    let outside: Vec<&str> = opened.iter().map(|it| it.what.as_str()).collect();
    let mut text = format!("The chunk is inside {}", outside.join(", and in it "));
    let mut commands: Vec<ShellScript> = opened.iter().map(|it| it.command.clone()).collect();
    if at > 0 {
        let header = prefix(&opened.last()?.bytes, at);
        text = format!("{text}, after {} more: {header}", byte_count(at));
        commands.push(script!("tail -c +{}", at + 1));
    }
    let mut diagnosis = Diagnosis::new("prefixed/container", format!("{text}."));
    diagnosis.evidence = opened.iter().map(|it| it.evidence.clone()).collect();
    Some(
        diagnosis
            .because("What is inside can be decoded as declared.")
            .mended_by(rewritten(key, &commands, opened.last()?.bytes.get(at..)?))
            .certain(),
    )
}

type Opener = fn(&[u8], u64) -> Option<OpenedContainer>;
const OPENERS: [Opener; 7] = [records, zip, tar, chunked, multipart, after_header, pickled];

/// A command that runs a line of Python on its standard input, without the modules that the store may have.
fn python(line: &ShellScript) -> ShellScript {
    script!("python3 -I -c 'import sys; b = sys.stdin.buffer.read(); {}'", *line)
}

/// Records as Fortran writes them without `access="stream"`: the length of each before and after it.
fn records(bytes: &[u8], _: u64) -> Option<OpenedContainer> {
    [(4, false), (4, true), (8, false), (8, true)]
        .into_iter()
        .find_map(|(width, is_big)| records_of(bytes, width, is_big))
}

/// The same, with lengths of `width` bytes.
fn records_of(bytes: &[u8], width: usize, is_big: bool) -> Option<OpenedContainer> {
    let number = |bytes: &[u8]| -> usize {
        let digit = |sum: usize, byte: &u8| sum << 8 | usize::from(*byte);
        if is_big { bytes.iter().fold(0, digit) } else { bytes.iter().rev().fold(0, digit) }
    };
    let (mut rest, mut inside, mut count) = (bytes, Vec::new(), 0_u64);
    while !rest.is_empty() {
        let (head, after) = rest.split_at_checked(width)?;
        let len = number(head);
        let (record, after) = after.split_at_checked(len)?;
        let (tail, after) = after.split_at_checked(width)?;
        if tail != head || len == 0 {
            return None;
        }
        inside.extend_from_slice(record);
        (rest, count) = (after, count + 1);
    }
    let order = if is_big { "big" } else { "little" };
    let line = script!(
        "[(n := int.from_bytes(b[:{}], \"{}\"), sys.stdout.buffer.write(b[{}:{} + n]), b := b[n + {}:]) for _ in range({})]",
        width,
        order,
        width,
        width,
        2 * width,
        count,
    );
    (count > 0).then(|| OpenedContainer {
        bytes: inside,
        what: if count == 1 {
            "a Fortran record".into()
        } else {
            format!("{count} Fortran records")
        },
        evidence: format!(
            "The file has the length of {} before and after it, each in {width} bytes.",
            if count == 1 { "the record".to_owned() } else { format!("each of {count} records") }
        ),
        command: python(&line),
    })
}

/// The bytes of a NumPy array in a Python pickle: the longest string of bytes in it. Nothing of it is run.
fn pickled(bytes: &[u8], _: u64) -> Option<OpenedContainer> {
    /// Pickle's sign for a string of bytes, after which its length follows.
    const BYTES: u8 = b'B';
    let is_array = bytes.starts_with(b"\x80") && bytes.ends_with(b".") && contains(bytes, b"numpy");
    let content = |at: usize| {
        let (len, rest) = bytes.get(at + 1..)?.split_first_chunk::<4>()?;
        let content = rest.get(..usize::try_from(u32::from_le_bytes(*len)).ok()?)?;
        // After a large one is only the end of the pickle.
        (content.len() * 2 > bytes.len()).then_some((at + 5, content))
    };
    let (at, found) =
        memchr::memchr_iter(BYTES, bytes).filter(|_| is_array).take(PLACES).find_map(content)?;
    Some(OpenedContainer {
        bytes: found.to_vec(),
        what: "a Python pickle of a NumPy array".into(),
        evidence: format!("The pickle holds a string of {}.", byte_count(found.len())),
        command: python(&script!("sys.stdout.buffer.write(b[{}:{}])", at, at + found.len())),
    })
}

/// The only member of a ZIP archive.
fn zip(bytes: &[u8], limit: u64) -> Option<OpenedContainer> {
    if !bytes.starts_with(b"PK\x03\x04") {
        return None;
    }
    let mut directory = memchr::memmem::find_iter(bytes, b"PK\x01\x02");
    // Its copy in the directory has the sizes, which a header may leave to what follows the data.
    let entry = bytes.get(directory.next()?..)?;
    if directory.next().is_some() {
        return None;
    }
    let short = |bytes: &[u8], at: usize| -> Option<usize> {
        Some(usize::from(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?)))
    };
    let len = usize::try_from(u32::from_le_bytes(*entry.get(20..)?.first_chunk()?)).ok()?;
    let start = 30 + short(bytes, 26)? + short(bytes, 28)?;
    let stored = bytes.get(start..start.checked_add(len)?)?;
    let inside = match short(entry, 10)? {
        0 => stored.to_vec(),
        8 => inflated(stored, limit)?,
        _ => return None,
    };
    Some(OpenedContainer {
        bytes: inside,
        what: "a ZIP archive".into(),
        evidence: "The file is a ZIP archive with one member.".into(),
        command: script!("funzip"),
    })
}

/// A deflate stream, undone; `None` where it has a fault or is longer than `limit`.
fn inflated(stored: &[u8], limit: u64) -> Option<Vec<u8>> {
    let mut inside = Vec::new();
    let mut reader = flate2::read::DeflateDecoder::new(stored).take(limit);
    reader.read_to_end(&mut inside).ok()?;
    ((inside.len() as u64) < limit).then_some(inside)
}

/// The first member of a tar archive.
fn tar(bytes: &[u8], _: u64) -> Option<OpenedContainer> {
    const BLOCK: usize = 512;
    bytes.get(257..)?.strip_prefix(b"ustar")?;
    let digits = bytes.get(124..136)?;
    let size = digits.iter().take_while(|digit| matches!(digit, b'0'..=b'7'));
    let size = size.fold(0_usize, |sum, digit| sum << 3 | usize::from(digit - b'0'));
    let inside = bytes.get(BLOCK..BLOCK.checked_add(size)?)?;
    let rest = bytes.get((BLOCK + size).next_multiple_of(BLOCK)..).unwrap_or_default();
    rest.iter().all(|&byte| byte == 0).then(|| OpenedContainer {
        bytes: inside.to_vec(),
        what: "a tar archive".into(),
        evidence: format!("The file is a tar archive with one member of {}.", byte_count(size)),
        command: script!("tar -xO"),
    })
}

/// The body of a message in the chunked transfer encoding of HTTP/1.1.
fn chunked(bytes: &[u8], _: u64) -> Option<OpenedContainer> {
    const LINE: usize = 64;
    let (mut rest, mut inside, mut count) = (bytes, Vec::new(), 0_u64);
    loop {
        let end = memchr::memmem::find(rest.get(..rest.len().min(LINE))?, b"\r\n")?;
        let line = std::str::from_utf8(rest.get(..end)?).ok()?;
        let len = usize::from_str_radix(line.split(';').next()?.trim(), 16).ok()?;
        rest = rest.get(end + 2..)?;
        if len == 0 {
            break;
        }
        inside.extend_from_slice(rest.get(..len)?);
        rest = rest.get(len..)?.strip_prefix(b"\r\n")?;
        count += 1;
    }
    let line = script!(
        "exec(\"while (n := int(b[:(e := b.index(bytes([13, 10])))], 16)): \
                sys.stdout.buffer.write(b[e + 2:e + 2 + n]); b = b[e + 4 + n:]\")"
    );
    (count > 0).then(|| OpenedContainer {
        bytes: inside,
        what: "an HTTP body in chunked transfer encoding".into(),
        evidence: format!(
            "The file has {}, each after a line with its length in hexadecimal digits, and ends with one of length 0.",
            counted(count, "part")
        ),
        command: python(&line),
    })
}

/// The part of a form that was sent to a server.
fn multipart(bytes: &[u8], _: u64) -> Option<OpenedContainer> {
    const HEADER: usize = 2048;
    bytes.strip_prefix(b"--")?;
    let head = bytes.get(..bytes.len().min(HEADER))?;
    let boundary = head.get(..memchr::memmem::find(head, b"\r\n")?)?;
    let start = memchr::memmem::find(head, b"\r\n\r\n")? + 4;
    let closing = [b"\r\n", boundary].concat();
    let end = memchr::memmem::rfind(bytes, &closing).filter(|end| *end >= start)?;
    let inside = bytes.get(start..end)?;
    Some(OpenedContainer {
        bytes: inside.to_vec(),
        what: "a multipart form, as sent to a server".into(),
        evidence: "The file begins and ends with the boundary of a multipart form.".into(),
        command: python(&script!("sys.stdout.buffer.write(b[{}:{}])", start, end)),
    })
}

/// The body of an HTTP message.
fn after_header(bytes: &[u8], _: u64) -> Option<OpenedContainer> {
    let start = memchr::memmem::find(bytes.strip_prefix(b"HTTP/")?, b"\r\n\r\n")? + 9;
    Some(OpenedContainer {
        bytes: bytes.get(start..)?.to_vec(),
        what: "an HTTP response".into(),
        evidence: "The file begins with the header of an HTTP response.".into(),
        command: script!("tail -c +{}", start + 1),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: u64 = 1 << 20;

    fn inside(bytes: &[u8]) -> Option<Vec<u8>> {
        Some(OPENERS.iter().find_map(|open| open(bytes, LIMIT))?.bytes)
    }

    #[test]
    fn containers_are_opened() {
        let fortran = b"\x03\0\0\0abc\x03\0\0\0\x02\0\0\0de\x02\0\0\0";
        assert_eq!(inside(fortran).unwrap(), b"abcde");
        assert_eq!(inside(b"\0\0\0\x03abc\0\0\0\x03").unwrap(), b"abc");
        assert_eq!(inside(b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n").unwrap(), b"abcde");
        assert_eq!(inside(b"--x\r\nA: b\r\n\r\nabc\r\n--x--\r\n").unwrap(), b"abc");
        assert_eq!(inside(b"HTTP/1.1 200 OK\r\nA: b\r\n\r\nabc").unwrap(), b"abc");
    }

    #[test]
    fn what_only_begins_like_a_container_is_left_alone() {
        for bytes in [
            &b""[..],
            b"\x03\0\0\0abc\x04\0\0\0",
            b"\0\0\0\0\0\0\0\0",
            b"3\r\nabc",
            b"PK\x03\x04",
            b"--x\r\n\r\nabc",
            b"HTTP/1.1 200 OK\r\n",
        ] {
            assert_eq!(inside(bytes), None, "{bytes:?}");
        }
    }
}
