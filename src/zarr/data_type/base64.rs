//! Standard base64, as fill values of bytes and structs have it.
//!
//! Strict: the standard alphabet with its padding, and nothing else. Python's decoder skips what it does not know, so
//! that zarr-python reads `"!!!!"` as no bytes at all; [`as_python`] does the same for the one data type that only
//! zarr-python defines.

use super::prelude::*;
use base64::{Engine as _, engine::general_purpose::STANDARD};

/// The bytes of a JSON string in standard base64.
///
/// # Errors
///
/// If it is no string, or not standard base64 with padding.
pub fn decode(json: &Json) -> Result<Vec<u8>> {
    let text = text_of(json)?;
    STANDARD.decode(text).map_err(|error| {
        let expected = format!("standard base64 with padding ({error})");
        Error::new(Code::FillValueBase64, json.describe(), expected)
    })
}

fn text_of(json: &Json) -> Result<&str> {
    match &json.kind {
        Kind::String(text) if !text.lone_surrogate => Ok(&text.text),
        _ => Err(Error::new(Code::FillValueBase64, json.describe(), "a string in base64")),
    }
}

/// Bytes in standard base64.
pub fn encode(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// The bytes that Python's `base64.b64decode` gives for a string: characters outside the alphabet are skipped, and any
/// after complete padding is ignored.
///
/// # Errors
///
/// If it is no ASCII string, or ends before a group of four is complete.
pub fn as_python(json: &Json) -> Result<Vec<u8>> {
    let text = text_of(json)?;
    let fault = |expected: &str| Error::new(Code::FillValueBase64, json.describe(), expected);
    if !text.is_ascii() {
        return Err(fault("ASCII characters in base64"));
    }
    let mut group: Vec<u8> = Vec::new();
    let mut pads = 0_usize;
    for byte in text.bytes() {
        match byte {
            b'=' => {
                pads += 1;
                let left = group.len() % 4;
                if left >= 2 && left + pads >= 4 {
                    group.extend(std::iter::repeat_n(b'=', 4 - left));
                    break;
                }
            }
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'+' | b'/' => {
                pads = 0;
                group.push(byte);
            }
            _ => {}
        }
    }
    if !group.len().is_multiple_of(4) {
        return Err(fault("base64 with padding"));
    }
    // Python keeps the bits that stray after the last byte to itself.
    let lenient = base64::engine::GeneralPurpose::new(
        &base64::alphabet::STANDARD,
        base64::engine::GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true),
    );
    lenient.decode(&group).map_err(|error| fault(&format!("base64 ({error})")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn python_skips_what_it_does_not_know() {
        let python = |text: &str| as_python(&Json::from(text)).ok();
        assert_eq!(python("!!!!"), Some(vec![]));
        assert_eq!(python("AQk="), Some(vec![1, 9]));
        assert_eq!(python("0x00"), Some(vec![0xd3, 0x1d, 0x34]));
        assert_eq!(python("YQ==YQ=="), Some(vec![0x61]));
        for refused in ["AA", "AA=", "=AA=", "A", "é"] {
            assert_eq!(python(refused), None, "{refused}");
        }
    }

    #[test]
    fn strict_base64_is_strict() {
        for refused in ["AA", "A A=", "_-8=", "YQ==\n", "!!!!", "YQ==YQ=="] {
            assert!(decode(&Json::from(refused)).is_err(), "{refused}");
        }
        assert_eq!(decode(&Json::from("/+8=")).unwrap(), [0xff, 0xef]);
    }
}
