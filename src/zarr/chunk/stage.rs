//! How a stage comes of a codec and what it gave.

use super::Stage;
use crate::zarr::{
    codec::{Link, Outcome},
    error::Error,
};
use std::time::Duration;

impl Stage {
    /// The file itself, before it is read.
    pub(super) fn file() -> Self {
        Self {
            name: "file".into(),
            configuration: None,
            codec: None,
            row: None,
            kind: None,
            input_len: 0,
            output: None,
            header: Vec::new(),
            checksum: None,
            blocks: Vec::new(),
            shard: None,
            notes: Vec::new(),
            elapsed: Duration::ZERO,
            error: None,
        }
    }

    /// What a codec made of `input_len` bytes.
    pub(super) fn of(link: &Link, input_len: u64, outcome: Outcome, elapsed: Duration) -> Self {
        let mut notes = link.notes.clone();
        notes.extend(outcome.notes);
        let codec = link.codec.as_ref().ok();
        Self {
            name: link.spec.name.clone(),
            configuration: link.spec.configuration.as_ref().map(crate::zarr::Json::to_value),
            kind: codec.map(|codec| codec.kind()),
            codec: codec.cloned(),
            row: link.row,
            input_len,
            output: outcome.output,
            header: outcome.header,
            checksum: outcome.checksum,
            blocks: outcome.blocks,
            shard: None,
            notes,
            elapsed,
            error: outcome.error.map(|error| located(error, link)),
        }
    }
}

/// An error of a codec at work is said to be at the codec's field; one of its configuration knows its own.
fn located(mut error: Error, link: &Link) -> Error {
    error.place.field.get_or_insert_with(|| link.spec.field.clone());
    error
}
