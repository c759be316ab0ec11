//! `astype` and `quantize` of numcodecs: decoding is a cast back.
//!
//! `quantize` had rounded the values to some decimal digits before; of that there is nothing to undo.

use super::{
    Codec,
    config::Setup,
    filter::{self, Arithmetic, Step},
};
use crate::zarr::error::{Flagged, Result};
use std::sync::Arc;

#[derive(Debug)]
struct Cast;

pub(super) fn build(setup: &Setup<'_>) -> Result<Flagged<Arc<dyn Codec>>> {
    setup.required("encode_dtype", setup.member("encode_dtype"))?;
    filter::build(setup, "decode_dtype", "encode_dtype", Cast)
}

pub(super) fn quantize(setup: &Setup<'_>) -> Result<Flagged<Arc<dyn Codec>>> {
    filter::build(setup, "dtype", "astype", Cast)
}

impl Arithmetic for Cast {
    const MIXES: bool = true;

    fn undo(&self, step: &mut Step<'_>, input: &[u8], out: &mut Vec<u8>) {
        let (from, to) = (step.from, step.to);
        for element in input.chunks_exact(from.item_size()) {
            let mut numbers = element.chunks_exact(from.size);
            for _ in 0..to.parts {
                // A real number becomes a complex one without imaginary part; the other way round that part is lost.
                let bits = numbers.next().map_or(0, |bytes| to.cast(from.read(bytes)));
                to.push(bits, out);
            }
        }
    }
}
