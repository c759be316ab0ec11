//! Looking for something in a chunk: bytes, a value, what is not a number, what is the fill value.

use super::chunks::Shown;
use crate::zarr::{Error, Json, Result, Scalar, codec::Elements, data_type::Plain, json::Kind};
use std::{ops::Range, sync::Arc};

/// What to look for.
#[derive(Debug, Clone, PartialEq)]
pub enum Needle {
    /// These bytes, wherever they stand.
    Bytes(Arc<[u8]>),
    /// An element with these very bytes.
    Element(Arc<[u8]>),
    /// An element that is not a number, or not a time.
    NotANumber,
    /// An element equal to the fill value.
    Fill,
    /// An element that is not the fill value.
    NotFill,
    /// An element whose value, as it is shown, holds this text.
    Text(String),
}

/// How many units are looked at between two looks at the clock of the caller.
const STRIDE: u64 = 1 << 16;

impl Needle {
    /// What a typed line means: `hex 7fc0`, `=3.5`, `nan`, `fill`, `notfill`, or any text.
    ///
    /// # Errors
    ///
    /// Where hex digits or the value cannot be read.
    pub fn parse(line: &str, elements: Option<&Elements>) -> Result<Self> {
        if let Some(digits) = line.strip_prefix("hex ").or_else(|| line.strip_prefix("0x")) {
            return Ok(Self::Bytes(hex(digits)?.into()));
        }
        if let Some(value) = line.strip_prefix('=') {
            let elements = elements.ok_or_else(no_elements)?;
            let scalar = elements.data_type().cast(&plain(value.trim()))?;
            return Ok(Self::Element(
                elements.data_type().encode(&scalar, elements.order())?.into(),
            ));
        }
        Ok(match line.trim().to_lowercase().as_str() {
            "nan" | "nat" => Self::NotANumber,
            "fill" => Self::Fill,
            "notfill" | "data" => Self::NotFill,
            _ => Self::Text(line.to_owned()),
        })
    }

    /// The next place after byte `from` of stage `stage` (or the last before it) that is it.
    ///
    /// `progress` is told how many bytes of how many have been looked at, and stops the search by `false`.
    pub fn find(
        &self,
        shown: &Shown,
        stage: usize,
        from: u64,
        forwards: bool,
        progress: &mut dyn FnMut(u64, u64) -> bool,
    ) -> Option<Range<u64>> {
        let data = shown.data(stage)?;
        match (self, data.elements()) {
            (Self::Bytes(wanted), _) => {
                let loaded = data.bytes().loaded();
                let bytes = data.bytes().get(loaded.clone())?;
                find_bytes(bytes, loaded.start, wanted, from, forwards, progress)
            }
            (Self::Text(text), None) => {
                let loaded = data.bytes().loaded();
                let bytes = data.bytes().get(loaded.clone())?;
                find_bytes(bytes, loaded.start, text.as_bytes(), from, forwards, progress)
            }
            (_, Some(elements)) => self.find_element(shown, elements, from, forwards, progress),
            (_, None) => None,
        }
    }

    fn find_element(
        &self,
        shown: &Shown,
        elements: &Elements,
        from: u64,
        forwards: bool,
        progress: &mut dyn FnMut(u64, u64) -> bool,
    ) -> Option<Range<u64>> {
        let len = elements.len();
        let start = elements.element_at(from).unwrap_or(0);
        for step in 1..=len {
            let at = if forwards { start + step } else { start + len - step } % len;
            if step % STRIDE == 0 && !progress(step, len) {
                return None;
            }
            let range = elements.byte_range(at);
            let Some(bytes) = elements.bytes().get(range.clone()) else { continue };
            if self.is_element(shown, elements, bytes) {
                return Some(range);
            }
        }
        None
    }

    fn is_element(&self, shown: &Shown, elements: &Elements, bytes: &[u8]) -> bool {
        let value = || elements.data_type().decode(bytes, elements.order());
        match self {
            Self::Element(wanted) | Self::Bytes(wanted) => **wanted == *bytes,
            Self::Fill => shown.is_fill(bytes),
            Self::NotFill => !shown.is_fill(bytes),
            Self::NotANumber => value().is_ok_and(|value| is_not_a_number(&value)),
            Self::Text(text) => value().is_ok_and(|value| value.to_string().contains(text)),
        }
    }
}

/// Whether any part of a value is NaN or NaT.
fn is_not_a_number(value: &Scalar) -> bool {
    match value {
        Scalar::Float(_) | Scalar::Complex(..) => value.to_string().contains("NaN"),
        Scalar::Time(time) => time.count == i64::MIN,
        Scalar::Struct(fields) => fields.iter().any(|(_, value)| is_not_a_number(value)),
        Scalar::List(items) => items.iter().any(is_not_a_number),
        _ => false,
    }
}

fn find_bytes(
    bytes: &[u8],
    start: u64,
    wanted: &[u8],
    from: u64,
    forwards: bool,
    progress: &mut dyn FnMut(u64, u64) -> bool,
) -> Option<Range<u64>> {
    let last = bytes.len().checked_sub(wanted.len().max(1))? as u64;
    let count = last + 1;
    let begin = from.saturating_sub(start).min(last);
    for step in 1..=count {
        let at = if forwards { begin + step } else { begin + count - step } % count;
        if step % (STRIDE * 16) == 0 && !progress(step, count) {
            return None;
        }
        let rest = bytes.get(usize::try_from(at).ok()?..)?;
        if rest.starts_with(wanted) {
            return Some(start + at..start + at + wanted.len() as u64);
        }
    }
    None
}

/// Pairs of hex digits, blanks between them or not.
fn hex(text: &str) -> Result<Vec<u8>> {
    let fault =
        || Error::new("not-hex", format!("\"{text}\""), "pairs of hex digits, such as 7f c0");
    let digits: Vec<u32> = text
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| c.to_digit(16))
        .collect::<Option<_>>()
        .ok_or_else(fault)?;
    let pairs = digits.chunks_exact(2);
    if digits.is_empty() || !pairs.remainder().is_empty() {
        return Err(fault());
    }
    Ok(pairs.filter_map(|pair| u8::try_from(pair.first()? * 16 + pair.get(1)?).ok()).collect())
}

fn no_elements() -> Error {
    Error::new("no-elements", "a stage of bytes", "decoded elements")
        .with_fix("Go to the last stage, or look for hex.")
}

/// A typed value as the cast takes it.
fn plain(text: &str) -> Plain {
    if let Ok(int) = text.parse() {
        return Plain::Int(int);
    }
    if let Ok(float) = text.parse() {
        return Plain::Float(float);
    }
    match Json::parse_str(text).map(|json| json.kind) {
        Ok(Kind::Bool(value)) => Plain::Bool(value),
        Ok(Kind::String(text)) => Plain::Text(text.text),
        _ => Plain::Text(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_takes_blanks_and_whole_bytes() {
        assert_eq!(hex("7f C0").unwrap(), [0x7f, 0xc0]);
        assert!(hex("7f c").is_err() && hex("xy").is_err() && hex("").is_err());
    }

    #[test]
    fn bytes_are_found_both_ways_and_around_the_end() {
        let mut go = |_, _| true;
        let bytes = b"abcabcab";
        assert_eq!(find_bytes(bytes, 100, b"ab", 100, true, &mut go), Some(103..105));
        assert_eq!(find_bytes(bytes, 100, b"ab", 106, true, &mut go), Some(100..102));
        assert_eq!(find_bytes(bytes, 100, b"ab", 100, false, &mut go), Some(106..108));
        assert_eq!(find_bytes(bytes, 100, b"xy", 100, true, &mut go), None);
        assert_eq!(find_bytes(b"a", 0, b"ab", 0, true, &mut go), None);
    }
}
