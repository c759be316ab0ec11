//! `zlib` (RFC 1950): two bytes, deflate data, Adler-32.

use super::{
    Checksum, Codec, CodecKind, Context, Data, HeaderField, Outcome, Representation,
    config::Setup,
    deflate::{RATIO, corrupt, inflate, truncated},
    field::Fields,
    output::Output,
};
use crate::zarr::error::{Error, Flagged, Result};
use std::sync::Arc;

#[derive(Debug)]
struct Zlib;

pub(super) fn build(setup: &Setup<'_>) -> Result<Flagged<Arc<dyn Codec>>> {
    setup.number("level")?;
    Ok(Flagged::plain(Arc::new(Zlib)))
}

impl Codec for Zlib {
    fn kind(&self) -> CodecKind {
        CodecKind::BytesToBytes
    }

    fn decode(&self, input: &Data, _: Option<&Representation>, context: &Context<'_>) -> Outcome {
        let input = match super::whole(input) {
            Ok(input) => input,
            Err(error) => return Outcome::failed(error),
        };
        let header = match header(input) {
            Ok(header) => header,
            Err(error) => return Outcome::failed(error),
        };
        let mut output = Output::new(context, input.len(), RATIO);
        let end = inflate(input, 2, &mut output, context);
        let stored = end.and_then(|end| {
            let stored = Fields::new(input, end).u32_be();
            stored.map(|stored| (end, stored)).ok_or_else(|| truncated(input.len(), "zlib"))
        });
        let (end, stored) = match stored {
            Ok(found) => found,
            Err(error) => return Outcome { header, ..output.finish(Err(error)) },
        };
        let checksum = Checksum {
            algorithm: "adler32",
            bytes: end as u64..end as u64 + 4,
            stored: stored.into(),
            computed: adler2::adler32_slice(&output.bytes).into(),
        };
        let notes = super::trailing(input, end + 4).into_iter().collect();
        Outcome { header, checksum: Some(checksum), notes, ..output.finish(Ok(())) }
    }
}

/// Checks and explains the two bytes before the data.
fn header(input: &[u8]) -> Result<Vec<HeaderField>> {
    let mut fields = Fields::new(input, 0);
    let (Some(method), Some(flags)) = (fields.u8(), fields.u8()) else {
        return Err(truncated(input.len(), "zlib header"));
    };
    let check = (u16::from(method) << 8 | u16::from(flags)) % 31;
    if method & 15 != 8 || check != 0 {
        let found = format!("the bytes {method:02x} {flags:02x}");
        let expected = "a zlib header, such as 78 9c";
        return Err(Error::new("chunk-corrupt", found, expected).at_offset(0));
    }
    if flags & 32 != 0 {
        return Err(corrupt(1, "a preset dictionary, which no Zarr codec has".into()));
    }
    let window = 1_u32 << (u32::from(method >> 4).min(7) + 8);
    let level = ["fastest", "fast", "default", "best"][usize::from(flags >> 6)];
    Ok(vec![
        HeaderField::new(0..1, "method", format!("8, deflate; window {window} bytes")),
        HeaderField::new(1..2, "level", level),
    ])
}
