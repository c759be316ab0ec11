//! Numbers, which stay text: RFC 8259, section 6, and the bare tokens of Python.

use super::Parser;
use crate::zarr::{Code, error::Result, json::Kind};

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
            return Err(self.fault("a number without one leading digit", "a JSON number"));
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
                return Err(self.fault(self.what_is_here(), "a digit of the exponent"));
            }
        }
        Ok(Kind::Number(self.text.get(from..self.at).unwrap_or_default().to_owned()))
    }

    fn digits(&mut self) -> usize {
        let from = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        self.at - from
    }
}
