//! The `.npy` format of NumPy, versions 1 and 2: a magic, a header that is a Python literal, the elements.
//! By hand because crates for it write elements of Rust types, and here they are bytes in any order.
//!
//! [`save`] writes a chunk. Whole arrays are written slab by slab: [`head`], then [`Body::render`] for each slab.

use super::prelude::*;
use std::fmt::Write;

mod body;

pub use body::{Body, save};

/// The start of the file, and what cannot be told by it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// Everything before the first element.
    pub bytes: Vec<u8>,
    /// The type as NumPy spells it.
    pub descr: String,
    /// True if NumPy has this type; elements are raw bytes otherwise.
    pub is_native: bool,
}

/// The head of a file of elements of `shape` in C order.
///
/// # Errors
///
/// If elements vary in length.
pub fn head(data_type: &dyn DataType, order: &ByteOrder, shape: &[u64]) -> Result<Head> {
    let size = data_type.fixed_size().ok_or_else(|| {
        let found = format!("elements of type {}, which vary in length", data_type.name());
        Error::new(Code::OtherDataType, found, "elements of one size")
            .with_fix("`zarrscope export` without -o prints them, one a line.")
    })?;
    let numpy = data_type.numpy(order);
    let is_native = numpy.is_some();
    // A signed number of fewer bits than a byte has is written with its sign.
    let is_signed = || matches!(data_type.default_scalar(), Scalar::Int(_));
    let raw = || match size {
        1 => Json::from(if is_signed() { "|i1" } else { "|u1" }),
        _ => format!("|V{size}").into(),
    };
    let descr = literal(&numpy.unwrap_or_else(raw));
    let header =
        format!("{{'descr': {descr}, 'fortran_order': False, 'shape': {}, }}", tuple(shape));
    Ok(Head { bytes: framed(&header), descr, is_native })
}

/// Magic, version and length around the header, padded so that elements start at a multiple of 64 bytes.
fn framed(header: &str) -> Vec<u8> {
    const ALIGN: usize = 64;
    let padded = |before: usize| {
        let len = (before + header.len() + 1).next_multiple_of(ALIGN) - before;
        format!("{header}{}\n", " ".repeat(len - 1 - header.len()))
    };
    let mut out = b"\x93NUMPY".to_vec();
    let version_1 = padded(10);
    if let Ok(len) = u16::try_from(version_1.len()) {
        out.extend([1, 0]);
        out.extend(len.to_le_bytes());
        out.extend(version_1.bytes());
    } else {
        let version_2 = padded(12);
        out.extend([2, 0]);
        out.extend(u32::try_from(version_2.len()).unwrap_or(u32::MAX).to_le_bytes());
        out.extend(version_2.bytes());
    }
    out
}

/// `(148, 180)`, `(60,)`, `()`.
fn tuple(numbers: &[u64]) -> String {
    let texts: Vec<_> = numbers.iter().map(u64::to_string).collect();
    format!("({}{})", texts.join(", "), if texts.len() == 1 { "," } else { "" })
}

/// A dtype description as a Python literal: a string, or a list of fields `(name, type)` or `(name, type, shape)`.
fn literal(descr: &Json) -> String {
    let Some(fields) = descr.as_array() else {
        return string(descr.as_str().unwrap_or_default());
    };
    let fields = fields.iter().map(field);
    format!("[{}]", fields.joined(", "))
}

fn field(field: &Json) -> String {
    let item = |at: usize| field.as_array()?.get(at);
    let name = string(item(0).and_then(Json::as_str).unwrap_or_default());
    let kind = item(1).map(literal).unwrap_or_default();
    let shape = item(2).and_then(Json::as_array).map(|shape| {
        let numbers: Vec<_> = shape.iter().filter_map(Json::as_u64).collect();
        format!(", {}", tuple(&numbers))
    });
    format!("({name}, {kind}{})", shape.unwrap_or_default())
}

/// A Python string in ASCII, as versions 1 and 2 demand.
fn string(text: &str) -> String {
    let mut out = String::from("'");
    for c in text.chars() {
        // Text takes everything.
        let _ = match c {
            '\'' | '\\' => write!(out, "\\{c}"),
            ' '..='~' => write!(out, "{c}"),
            c => write!(out, "\\U{:08x}", u32::from(c)),
        };
    }
    out + "'"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_are_python_literals() {
        let literal = |json| literal(&Json::parse_str(json).unwrap());
        assert_eq!(literal("\">i2\""), "'>i2'");
        let nested = r#"[["a'", "<i2"], ["é", [["b", "|S3", [2]]]], ["c", "<f4", [2, 3]]]"#;
        let wanted =
            r"[('a\'', '<i2'), ('\U000000e9', [('b', '|S3', (2,))]), ('c', '<f4', (2, 3))]";
        assert_eq!(literal(nested), wanted);
    }

    #[test]
    fn elements_start_at_a_multiple_of_64_bytes() {
        for width in 0..200 {
            let bytes = framed(&"x".repeat(width));
            assert_eq!(bytes.len() % 64, 0);
            assert_eq!(usize::from(bytes[8]) + 256 * usize::from(bytes[9]) + 10, bytes.len());
            assert_eq!(bytes.last(), Some(&b'\n'));
        }
        let long = framed(&"x".repeat(70_000));
        assert_eq!((long[6], long.len() % 64), (2, 0));
    }
}
