//! The same fault in many chunks is one fault.

use super::MANY;
use crate::zarr::error::{Code, Error, Problem, Severity};
use std::collections::BTreeMap;

/// How many different faults of one array are told apart.
const KINDS: usize = 10_000;

/// Which faults of an array were told already, and how often each came again.
#[derive(Debug, Default)]
pub(super) struct Repeats(BTreeMap<(Code, String), (Problem, u64)>);

impl Repeats {
    /// Whether `problem` is to be told; if not, it is counted. Errors are told a few times, because each is a chunk
    /// that cannot be read.
    pub(super) fn is_news(&mut self, problem: &Problem) -> bool {
        let most = if problem.severity == Severity::Error { MANY as u64 } else { 1 };
        let key = (problem.error.code, problem.error.found.clone());
        if self.0.len() >= KINDS && !self.0.contains_key(&key) {
            return true;
        }
        let (_, count) = self.0.entry(key).or_insert_with(|| (problem.clone(), 0));
        *count += 1;
        *count <= most
    }

    /// How often each came again untold.
    pub(super) fn finish(self) -> impl Iterator<Item = Problem> {
        self.0.into_values().filter_map(|(example, count)| {
            let most = if example.severity == Severity::Error { MANY as u64 } else { 1 };
            let more = count.checked_sub(most).filter(|&more| more > 0)?;
            let found = format!("{} in {more} more chunks", example.error.found);
            let error = Error::new(example.error.code, found, example.error.expected);
            Some(Problem { severity: example.severity, error, count: more })
        })
    }
}
