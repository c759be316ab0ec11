//! `fixedscaleoffset` of numcodecs: stores `round((x − offset) × scale)`, and gives `stored / scale + offset`.

use super::{
    Codec,
    config::Setup,
    filter::{self, Arithmetic, Step},
    numeric::{Kind, Number, Numeric},
};
use crate::zarr::{
    error::{Flagged, Result},
    scalar::float::{FLOAT16, FLOAT32},
};
use std::sync::Arc;

#[derive(Debug)]
struct FixedScaleOffset {
    offset: f64,
    scale: f64,
}

pub(super) fn build(setup: &Setup<'_>) -> Result<Flagged<Arc<dyn Codec>>> {
    let offset = setup.required("offset", setup.float("offset")?)?;
    let scale = setup.required("scale", setup.float("scale")?)?;
    filter::build(setup, "dtype", "astype", FixedScaleOffset { offset, scale })
}

impl Arithmetic for FixedScaleOffset {
    fn undo(&self, step: &mut Step<'_>, input: &[u8], out: &mut Vec<u8>) {
        // NumPy computes in the type of the stored floats, and in double precision for stored integers.
        let round = rounding(step.from);
        let (scale, offset) = (round(self.scale), round(self.offset));
        for bytes in input.chunks_exact(step.from.size) {
            let stored = step.from.read(bytes).to_f64();
            let value = round(round(stored / scale) + offset);
            step.to.push(step.to.cast(Number::Float(value)), out);
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "rounding is what it is for")]
fn rounding(numeric: &Numeric) -> fn(f64) -> f64 {
    match numeric.kind {
        Kind::Float(format) if format == &FLOAT32 => |value| f64::from(value as f32),
        Kind::Float(format) if format == &FLOAT16 => |value| half::f16::from_f64(value).to_f64(),
        _ => |value| value,
    }
}
