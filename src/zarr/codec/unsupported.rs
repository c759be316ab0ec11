//! Codecs that are known by name and not decoded, each with the reason. Their bytes stay to be looked at.

use super::{
    ByteCount, Codec, CodecKind, CodecRow, Context, Outcome, Setup,
    other_format::objects_lost_in_v3, registry::Signature,
};
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

pub(super) static PICKLE: CodecRow = CodecRow {
    v3: &["numcodecs.pickle"],
    v2: &["pickle"],
    members: &["protocol"],
    lesson: "Python's own serialisation. Reading it runs whatever code it names, so it is named here and not read.",
    object_codec: true,
    signature: Signature::Magic("a Python pickle", b"\x80\x04\x95"),
    to_v3: objects_lost_in_v3,
    ..CodecRow::new(CodecKind::ArrayToBytes, pickle)
};

#[expect(clippy::unnecessary_wraps, reason = "the registry builds all codecs alike")]
fn pickle(_: &Setup<'_>) -> Result<Flagged<Arc<dyn Codec>>> {
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

const ZFP_LESSON: &str = "Lossy floating-point compression in blocks of 4 elements a side.";

pub(super) static ZFP: CodecRow = CodecRow {
    v3: &["zfp"],
    registered: true,
    members: &["mode", "minbits", "maxbits", "maxprec", "minexp", "tolerance", "rate", "precision"],
    lesson: ZFP_LESSON,
    compresses: true,
    ..CodecRow::new(CodecKind::ArrayToBytes, zfp)
};

pub(super) static ZFPY: CodecRow = CodecRow {
    v3: &["numcodecs.zfpy"],
    v2: &["zfpy"],
    members: &["mode", "tolerance", "rate", "precision", "compression_kwargs"],
    lesson: ZFP_LESSON,
    compresses: true,
    ..CodecRow::new(CodecKind::ArrayToBytes, zfp)
};

#[expect(clippy::unnecessary_wraps, reason = "the registry builds all codecs alike")]
fn zfp(setup: &Setup<'_>) -> Result<Flagged<Arc<dyn Codec>>> {
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

    fn decode(&self, _: &Context<'_>) -> Result<Outcome> {
        Err(self.error.clone())
    }
}
