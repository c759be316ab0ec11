//! A second fault behind other codecs than those that are declared.

use super::prelude::*;
use super::{codecs, layout, types};

/// Readings with the codecs that the bytes announce where what is in them has another length than that of a chunk as
/// declared: with data types of another width, and chunks of another shape, a second fault.
pub(super) fn readings(case: &Case, samples: &[Sample]) -> Vec<Reading> {
    let Some(codec) = codecs::readings(case, samples).into_iter().find(Reading::is_proved) else {
        return Vec::new();
    };
    let Some(array) = case.supposing(&codec.what_if) else { return Vec::new() };
    let supposed = case.with(&array);
    let raw = supposed.raw_len();
    if samples.iter().any(|sample| Some(codecs::inside(&supposed, sample)) == raw) {
        return Vec::new();
    }
    let mut second = types::widths(&supposed, samples);
    second.extend(layout::chunk_shapes(&supposed, samples));
    case.take_work_of(&supposed);
    second.into_iter().map(|other| codec.clone().with_a_second(other)).collect()
}
