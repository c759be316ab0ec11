//! Strings and their escapes (RFC 8259, section 7); numbers, which stay text (section 6), and the bare tokens of Python.

use super::Parser;
use crate::zarr::{
    Code,
    error::Result,
    json::{Kind, Text},
};
use compact_str::CompactString;

impl Parser<'_> {
    pub(super) fn string(&mut self) -> Result<Text> {
        let mut out = Text { text: CompactString::default(), lone_surrogate: false };
        self.at += 1;
        loop {
            let rest = self.text.get(self.at..).unwrap_or_default();
            let plain = rest
                .bytes()
                .position(|byte| matches!(byte, b'"' | b'\\') || byte < b' ')
                .unwrap_or(rest.len());
            out.text.try_reserve(plain).map_err(|_refused| self.refused(plain))?;
            out.text.push_str(rest.get(..plain).unwrap_or_default());
            self.at += plain;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(out);
                }
                Some(b'\\') => self.escape(&mut out)?,
                Some(_) => {
                    return Err(self.fault(
                        self.what_is_here(),
                        "an escape such as \\n instead of a control character \
                                                                in a string",
                    ));
                }
                None => {
                    return Err(self.fault("the end of the document", "'\"' to end the string"));
                }
            }
        }
    }

    fn escape(&mut self, out: &mut Text) -> Result<()> {
        self.at += 1;
        let c = match self.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode(out),
            _ => {
                return Err(self.fault(self.what_is_here(), "one of \"\\/bfnrtu after a backslash"));
            }
        };
        self.at += 1;
        out.text.push(c);
        Ok(())
    }

    fn unicode(&mut self, out: &mut Text) -> Result<()> {
        let high = self.four_digits()?;
        let mut code = u32::from(high);
        if (0xd800..0xdc00).contains(&high)
            && self.text.get(self.at..).is_some_and(|r| r.starts_with("\\u"))
        {
            let back = self.at;
            self.at += 1;
            let low = self.four_digits()?;
            if (0xdc00..0xe000).contains(&low) {
                code = 0x10000 + ((u32::from(high) - 0xd800) << 10) + (u32::from(low) - 0xdc00);
            } else {
                self.at = back;
            }
        }
        let c = char::from_u32(code);
        out.lone_surrogate |= c.is_none();
        out.text.push(c.unwrap_or(char::REPLACEMENT_CHARACTER));
        Ok(())
    }

    /// Reads `uXXXX`, the cursor being on the `u`.
    fn four_digits(&mut self) -> Result<u16> {
        let digits = self.text.get(self.at + 1..self.at + 5);
        let code = digits.filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
        let Some(code) = code.and_then(|digits| u16::from_str_radix(digits, 16).ok()) else {
            return Err(self.fault(self.what_is_here(), "four hexadecimal digits after \\u"));
        };
        self.at += 5;
        Ok(code)
    }
}

impl Parser<'_> {
    pub(super) fn bare(&mut self, token: &str) {
        let found = format!("the bare token {token}");
        let at = self.start + self.at;
        self.problem(at, Code::BareNan, &found, "a JSON number or the string \"NaN\" (RFC 8259)");
    }

    pub(super) fn number(&mut self) -> Result<Kind> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        if rest.starts_with("-Infinity") {
            self.bare("-Infinity");
            self.at += "-Infinity".len();
            return Ok(Kind::Number("-Infinity".into()));
        }
        let from = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        let leading_zero = self.peek() == Some(b'0');
        let whole = self.digits();
        if whole == 0 || (leading_zero && whole > 1) {
            return Err(self.fault(
                "a number without a digit before the decimal point, or with a leading zero",
                "a JSON number",
            ));
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            if self.digits() == 0 {
                return Err(self.fault(self.what_is_here(), "a digit after the decimal point"));
            }
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            if self.digits() == 0 {
                return Err(self.fault(self.what_is_here(), "a digit in the exponent"));
            }
        }
        let text = self.text.get(from..self.at).unwrap_or_default();
        let kept = CompactString::try_new(text).map(Kind::Number);
        kept.map_err(|_refused| self.refused(text.len()))
    }

    fn digits(&mut self) -> usize {
        let from = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        self.at - from
    }
}
