//! `bitround`: floats (in V3 integers too) whose low bits were rounded away. Of that there is nothing to undo.

use super::{Codec, CodecKind, Context, Data, Outcome, Representation, Size, config::Setup};
use crate::zarr::{
    error::{Flagged, Result},
    format::Format,
};
use std::sync::Arc;

#[derive(Debug)]
struct Bitround {
    kind: CodecKind,
}

pub(super) fn build(setup: &Setup<'_>) -> Result<Flagged<Arc<dyn Codec>>> {
    setup.required("keepbits", setup.number("keepbits")?)?;
    let kind = match setup.format {
        Format::V2 => CodecKind::BytesToBytes,
        Format::V3 => CodecKind::ArrayToArray,
    };
    Ok(Flagged::plain(Arc::new(Bitround { kind })))
}

impl Codec for Bitround {
    fn kind(&self) -> CodecKind {
        self.kind
    }

    fn encoded_size(&self, decoded: Size) -> Size {
        decoded
    }

    fn decode(&self, input: &Data, _: Option<&Representation>, _: &Context<'_>) -> Outcome {
        Outcome::output(input.clone())
    }
}
