//! The requests over the network: which, and what they cost.

use crate::app::prelude::*;

/// Rows above the latest requests: the title, a row for each kind, and a rule.
const HEAD: usize = 7;

/// The requests, as far as they are on show.
#[derive(Debug, Clone, Default)]
pub struct RequestsPage {
    /// The first of the latest requests on show.
    pub scroll: Scroll,
}

impl Page for RequestsPage {
    fn moved(&mut self, motion: Motion, count: Option<u64>, shared: &mut Shared) {
        let len = shared.requests.as_ref().map_or(0, |log| log.latest.len());
        let height = shared.geometry.whole.rows().saturating_sub(HEAD);
        self.scroll = self.scroll.in_list(motion, count, len, height);
    }
}
