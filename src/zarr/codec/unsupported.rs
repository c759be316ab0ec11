//! Codecs that are known by name and not decoded, each with the reason. Their bytes stay to be looked at.

use super::{ByteCount, Codec, CodecKind, Context, Data, Outcome, Representation, config::Setup};
use crate::zarr::{
    error::{Code, Error, Flagged, Result},
    format::Format,
};
use std::sync::Arc;

#[derive(Debug)]
struct Unsupported {
    kind: CodecKind,
    error: Error,
}

#[expect(clippy::unnecessary_wraps, reason = "the registry builds all codecs alike")]
pub(super) fn pickle(_: &Setup<'_>) -> Result<Flagged<Arc<dyn Codec>>> {
    let error = Error::new(
        Code::PickleRefused,
        "Python objects stored by pickle",
        "data: reading a pickle runs the code that it contains",
    );
    let fix = "Nothing here will run it. In Python, and only if you trust its writer, zarr-python 2 reads it; store \
               it anew with vlen-utf8, vlen-bytes or json2.";
    let error = error.with_fix(fix);
    Ok(Flagged::plain(Arc::new(Unsupported { kind: CodecKind::ArrayToBytes, error })))
}

#[expect(clippy::unnecessary_wraps, reason = "the registry builds all codecs alike")]
pub(super) fn zfp(setup: &Setup<'_>) -> Result<Flagged<Arc<dyn Codec>>> {
    let kind = match setup.format {
        Format::V2 => CodecKind::BytesToBytes,
        Format::V3 => CodecKind::ArrayToBytes,
    };
    let found = format!("data compressed by {}", setup.name());
    let expected = "a codec with a decoder in Rust; zfp has only the C++ library of its authors";
    let error = Error::new(Code::CodecNotDecoded, found, expected)
        .with_fix("zarr-python with numcodecs and zfpy, or zarrs, read it.");
    Ok(Flagged::plain(Arc::new(Unsupported { kind, error })))
}

impl Codec for Unsupported {
    fn kind(&self) -> CodecKind {
        self.kind
    }

    fn encoded_size(&self, _: ByteCount) -> ByteCount {
        ByteCount::default()
    }

    fn decode(&self, _: &Data, _: Option<&Representation>, _: &Context<'_>) -> Outcome {
        Outcome::failed(self.error.clone())
    }
}
