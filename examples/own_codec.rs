//! A codec from outside the crate: every byte combined with a key by exclusive or.
//!
//! `cargo run --example own_codec [STORE]`

use std::{path::Path, sync::Arc};
use zarrscope::zarr::{
    Flagged, Hierarchy, NodePath, Registry, Result,
    codec::{
        ByteCount, ByteTarget, Codec, CodecKind, CodecRow, Context, Outcome, Passage, Setup,
        Towards,
    },
};

/// The codec with its configuration understood.
#[derive(Debug)]
pub struct Xor {
    key: u8,
}

/// Everything that is known of it beside its decoder.
pub static ROW: CodecRow = CodecRow {
    v3: &["example.xor"],
    members: &["key"],
    shown: &["key"],
    lesson: "Combines each byte with a key by exclusive or.",
    ..CodecRow::new(CodecKind::BytesToBytes, build)
};

fn build(setup: &Setup<'_>) -> Result<Flagged<Arc<dyn Codec>>> {
    let said = setup.required("key", setup.number("key")?)?;
    let key = u8::try_from(said);
    let key = key.map_err(|_more| setup.fault("key", said.to_string(), "a number up to 255"))?;
    Ok(Flagged::plain(Arc::new(Xor { key })))
}

impl Codec for Xor {
    fn encoded_size(&self, decoded: ByteCount) -> ByteCount {
        decoded
    }

    fn decode(&self, context: &Context<'_>) -> Result<Outcome> {
        let bytes = context.input.bytes().here();
        Ok(Outcome::bytes(bytes.iter().map(|byte| byte ^ self.key).collect()))
    }

    /// Each byte stays where it is.
    fn follow(&self, offset: u64, towards: Towards, passage: &Passage<'_>) -> ByteTarget {
        passage.byte(offset, towards)
    }
}

/// Every data type and codec there is, and this one.
///
/// # Errors
///
/// An error if there is a codec of this name already.
pub fn registry() -> Result<Registry> {
    let mut registry = Registry::default();
    registry.codecs.register(&ROW)?;
    Ok(registry)
}

fn main() -> Result<()> {
    let registry = Arc::new(registry()?);
    if let Some(path) = std::env::args().nth(1) {
        let (hierarchy, _) = Hierarchy::open_with(Path::new(&path), registry)?;
        hierarchy.walk(&NodePath::default(), &mut |node, _| {
            println!("{}", node.path.0);
            true
        });
    }
    Ok(())
}
