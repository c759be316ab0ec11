//! The strings that V2 writes as `dtype`: NumPy's array protocol type strings.
//!
//! `[<>|]`, a kind, a size in bytes (for `U` in code points), and for times a unit. The specification requires a byte
//! order for everything longer than a byte and `|` for the rest. zarr-python refuses `>u1` and `<S5`, which NumPy and
//! other writers have put into stores (zarr-python issue 3622): they mean one thing only and are read with a note. What
//! NumPy reads and no Zarr text has (`=i4`, `i4`, `int32`) stays refused, because it means another thing elsewhere.

use super::prelude::*;
use std::borrow::Cow;

/// No element is longer than this many bytes (2³¹−1): NumPy's own limit for a dtype.
pub const MAX_ITEM_SIZE: usize = 0x7fff_ffff;

/// The names of C and the one-letter codes that NumPy 2 takes: what each is called by its size, and whether that
/// depends on the platform.
const ALIASES: [(&str, &str, bool); 41] = [
    ("?", "b1", false),
    ("b", "i1", false),
    ("B", "u1", false),
    ("h", "i2", false),
    ("H", "u2", false),
    ("i", "i4", false),
    ("I", "u4", false),
    ("l", "i8", true),
    ("L", "u8", true),
    ("q", "i8", false),
    ("Q", "u8", false),
    ("p", "i8", true),
    ("P", "u8", true),
    ("n", "i8", true),
    ("N", "u8", true),
    ("e", "f2", false),
    ("f", "f4", false),
    ("d", "f8", false),
    ("F", "c8", false),
    ("D", "c16", false),
    ("bool_", "bool", false),
    ("byte", "int8", false),
    ("ubyte", "uint8", false),
    ("short", "int16", false),
    ("ushort", "uint16", false),
    ("intc", "int32", false),
    ("uintc", "uint32", false),
    ("long", "int64", true),
    ("ulong", "uint64", true),
    ("longlong", "int64", false),
    ("ulonglong", "uint64", false),
    ("int", "int64", false),
    ("uint", "uint64", false),
    ("int_", "int64", false),
    ("intp", "int64", true),
    ("uintp", "uint64", true),
    ("half", "float16", false),
    ("single", "float32", false),
    ("double", "float64", false),
    ("csingle", "complex64", false),
    ("cdouble", "complex128", false),
];

/// The name by its size that `name` is another word for, with the note that this depends on the platform where it does;
/// `name` itself where it is none.
pub fn canonical(name: &str) -> (Cow<'_, str>, Option<Note>) {
    let code = name.trim_start_matches(['<', '>', '=', '|']);
    let order = name.strip_suffix(code).unwrap_or_default();
    let alias = ALIASES.iter().find(|(alias, by_size, _)| {
        // Words take no byte order.
        *alias == code && order.len() <= usize::from(by_size.len() < 4)
    });
    let Some((_, by_size, depends)) = alias else { return (Cow::Borrowed(name), None) };
    let note = depends.then(|| {
        let text = format!(
            "The width of {} depends on the platform; it is read as {by_size}, as NumPy has it on 64-bit Linux and macOS.",
            quoted(name)
        );
        Note::new(Code::DtypeSpelling, text)
    });
    (Cow::Owned(format!("{order}{by_size}")), note)
}

/// A type string taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TypeStr<'a> {
    /// All of it, for messages.
    pub text: &'a str,
    /// `<`, `>` or `|`.
    pub sign: char,
    /// The kind: `i`, `S`, `M`.
    pub kind: char,
    /// The digits after it; may be empty.
    pub digits: &'a str,
    /// The text after the digits, such as `[10s]`.
    pub rest: &'a str,
}

impl<'a> TypeStr<'a> {
    /// Takes a string apart that begins as a type string does; `None` for any other.
    pub fn split(text: &'a str) -> Option<Self> {
        let mut chars = text.chars();
        let sign = chars.next().filter(|sign| matches!(sign, '<' | '>' | '|'))?;
        let kind = chars.next().filter(char::is_ascii_alphabetic)?;
        let tail = chars.as_str();
        let end = tail.find(|c: char| !c.is_ascii_digit()).unwrap_or(tail.len());
        let (digits, rest) = tail.split_at_checked(end)?;
        Some(Self { text, sign, kind, digits, rest })
    }

    /// The declared order of a type with components longer than a byte.
    ///
    /// # Errors
    ///
    /// For `|`: the order has to be given.
    pub fn order(&self) -> Result<ByteOrder> {
        match self.sign {
            '<' => Ok(ByteOrder::All(Endian::Little)),
            '>' => Ok(ByteOrder::All(Endian::Big)),
            _ => {
                let rest = self.text.get(1..).unwrap_or_default();
                let expected =
                    format!("{} or {}", quoted(&format!("<{rest}")), quoted(&format!(">{rest}")));
                let error = Error::new(Code::DtypeByteOrder, quoted(self.text), expected);
                Err(error.with_fix("Add the byte order: elements are longer than one byte."))
            }
        }
    }

    /// The note on a byte order where there is nothing to order.
    pub fn needless_order(&self) -> Option<Note> {
        (self.sign != '|').then(|| {
            let rest = self.text.get(1..).unwrap_or_default();
            let text = format!(
                "{} gives a byte order to single bytes; V2 writes {}. {}",
                quoted(self.text),
                quoted(&format!("|{rest}")),
                if rest.starts_with('S') {
                    "zarr-python 3.4.2 and zarrs 0.23.14 refuse this spelling."
                } else {
                    "zarr-python 3.4.2 reads this spelling, 3.1.6 and zarrs 0.23.14 refuse it."
                },
            );
            Note::new(Code::DtypeSpelling, text)
        })
    }

    /// The size of a kind that takes any size, in the unit of the kind (`unit` bytes each), with a note on leading
    /// zeros.
    ///
    /// # Errors
    ///
    /// If it is missing, 0, too large, or has something after it.
    pub fn length(&self, unit: usize) -> Result<(usize, Option<Note>)> {
        let fault = |expected: &str| Error::new(Code::DtypeSize, quoted(self.text), expected);
        if !self.rest.is_empty() {
            return Err(fault("nothing after the size"));
        }
        if self.digits.is_empty() {
            return Err(fault("a size after the kind"));
        }
        let length = self.digits.trim_start_matches('0').parse::<usize>().ok();
        match length.filter(|&length| length.saturating_mul(unit) <= MAX_ITEM_SIZE) {
            Some(length) => Ok((length, self.leading_zero())),
            None if self.digits.bytes().all(|byte| byte == b'0') => {
                Err(fault("a size of 1 or more"))
            }
            None => Err(fault("an element of at most 2147483647 bytes")),
        }
    }

    fn leading_zero(&self) -> Option<Note> {
        self.digits.starts_with('0').then(|| {
            let text = format!(
                "The size in {} has a leading zero, which the specification does not mention.",
                quoted(self.text)
            );
            Note::new(Code::DtypeSpelling, text)
        })
    }
}
