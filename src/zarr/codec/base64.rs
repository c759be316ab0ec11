//! `base64` of numcodecs: the bytes as text (RFC 4648 with padding).

use super::prelude::*;
use ::base64::{DecodeError, Engine, engine::general_purpose::STANDARD};

#[derive(Debug)]
struct Base64;

pub(super) static ROW: CodecRow = CodecRow {
    nanoseconds: 4,
    v3: &["numcodecs.base64"],
    v2: &["base64"],
    lesson: "Writes the bytes as base64 text.",
    to_v3: lost_in_v3,
    ..CodecRow::new(CodecKind::BytesToBytes, |_| built(Base64))
};

impl Codec for Base64 {
    fn encoded_size(&self, decoded: ByteCount) -> ByteCount {
        decoded.map(|len| len.div_ceil(3).checked_mul(4))
    }

    fn encode(&self, context: &Context) -> Result<Data> {
        Ok(Data::whole(STANDARD.encode(context.whole()?).into_bytes()))
    }

    fn decode(&self, context: &Context) -> Result<Outcome> {
        let input = context.whole()?;
        if (input.len() / 4 * 3) as u64 > context.budget.limit().saturating_add(2) {
            return Err(too_large(context));
        }
        let mut notes = Vec::new();
        let spaced = input.iter().any(u8::is_ascii_whitespace);
        let result = if spaced {
            let text = "Whitespace inside the base64 text is ignored, as numcodecs 0.17.1 does.";
            notes.push(Note::new(Code::Base64Space, text));
            without_space(input)
        } else {
            strict(input)
        };
        let (bytes, error) = result;
        let output = Some(Data::whole(bytes));
        Ok(Outcome { output, notes, error, ..Outcome::default() })
    }
}

/// Decodes `text`; beside an error what is before it.
fn strict(text: &[u8]) -> (Vec<u8>, Option<Error>) {
    let error = match STANDARD.decode(text) {
        Ok(bytes) => return (bytes, None),
        Err(error) => error,
    };
    let at = match error {
        DecodeError::InvalidByte(at, _) | DecodeError::InvalidLastSymbol(at, _) => at,
        DecodeError::InvalidLength(_) | DecodeError::InvalidPadding => text.len(),
    };
    let whole = text.get(..at - at % 4).unwrap_or_default();
    let found = match error {
        DecodeError::InvalidByte(_, byte) => format!("the byte 0x{byte:02x}"),
        DecodeError::InvalidLastSymbol(..) => "a last symbol with unused bits set".into(),
        DecodeError::InvalidLength(_) | DecodeError::InvalidPadding => {
            format!("{} symbols without the required padding", text.len())
        }
    };
    let expected = "base64 text: groups of four of A-Z a-z 0-9 + / and =";
    let error = Error::new(Code::ChunkCorrupt, found, expected).at_offset(at as u64);
    (STANDARD.decode(whole).unwrap_or_default(), Some(error))
}

/// The same for text with white space in it; offsets are those in `text`.
fn without_space(text: &[u8]) -> (Vec<u8>, Option<Error>) {
    let dense: Vec<u8> = text.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let (bytes, error) = strict(&dense);
    let error = error.map(|mut error| {
        let at = error.place.offset.and_then(|at| usize::try_from(at).ok()).unwrap_or(0);
        let mut places = text.iter().enumerate().filter(|(_, byte)| !byte.is_ascii_whitespace());
        error.place.offset = Some(places.nth(at).map_or(text.len(), |(place, _)| place) as u64);
        error
    });
    (bytes, error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_before_the_damage_is_kept() {
        let (bytes, error) = strict(b"YWJjZGVm!mdo");
        assert_eq!((bytes.as_slice(), error.unwrap().place.offset), (&b"abcdef"[..], Some(8)));
        let (bytes, error) = without_space(b"YWJj\nZGVm\n!mdo");
        assert_eq!((bytes.as_slice(), error.unwrap().place.offset), (&b"abcdef"[..], Some(10)));
        assert_eq!(without_space(b"YWI=\n"), (b"ab".to_vec(), None));
    }
}
