//! What of the array on show can be read, as far as anybody has looked: the line above its views.

use super::App;
use crate::zarr::{ArrayMetadata, hierarchy::NodeKind, metadata::FillValue, readable::Readable};
use unicode_width::UnicodeWidthStr;

impl App {
    /// What can be read of the array on show: by a check that has gone through it, or by the chunks that were opened.
    #[must_use]
    pub fn readable(&self) -> Option<Readable> {
        let node = self.shared.node()?;
        let problems = &self.pages.problems;
        let checked = problems.arrays.get(&node.path);
        let is_current = problems.covers_as_read(&node.path, &self.shared);
        Some(match checked.filter(|_| is_current) {
            Some(checked) => *checked,
            None => self.shared.chunk.presence.readable(),
        })
    }

    /// That in a sentence of at most `width` columns, or in the fewest words there are.
    #[must_use]
    pub fn readable_sentence(&self, width: usize) -> Option<String> {
        let NodeKind::Array(array) = &self.shared.node()?.kind else { return None };
        if array.key_encoding.is_err() {
            return Some("No chunk can be found: 5 says why.".into());
        }
        if array.grid.is_err() || array.shape.is_err() || array.codecs.is_err() {
            return Some("No chunk can be decoded: 5 says why.".into());
        }
        let readable = self.readable()?;
        let long = readable.sentence().filter(|text| text.width() <= width);
        let text = long.or_else(|| readable.brief());
        let presence = &self.shared.chunk.presence;
        Some(text.unwrap_or_else(|| {
            if presence.complete {
                none_stored(array).into()
            } else {
                "The chunks were not checked: damage cannot be excluded.".into()
            }
        }))
    }
}

/// What an array without chunks reads as.
fn none_stored(array: &ArrayMetadata) -> &'static str {
    match &array.fill_value {
        _ if array.shape.as_ref().is_ok_and(|shape| shape.contains(&0)) => {
            "The array has no elements."
        }
        FillValue::Value { .. } => "No chunk is stored: every element reads as the fill value.",
        FillValue::Null => {
            "No chunk is stored: the values are undefined, because the fill value is null."
        }
        FillValue::Missing | FillValue::Unreadable { .. } => {
            "No chunk is stored, and the fill value cannot be read."
        }
    }
}
