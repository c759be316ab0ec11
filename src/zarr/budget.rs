//! What reading and decoding may cost, and whether the result still matters: one thing, handed down to every codec.

use std::fmt;

/// The limit where nobody says another: 1 GiB.
pub const DEFAULT_LIMIT: u64 = 1 << 30;

/// What a piece of work may cost, what it overlooks, when it stops, and whom it tells how far it is.
///
/// A limit is for one output of one codec. A bound on the memory of all threads together belongs here too, as a part
/// that they share.
///
/// ```
/// use zarrscope::zarr::Budget;
///
/// let budget = Budget::default().with_limit(1 << 20).ignoring_checksums(true);
/// assert_eq!(budget.limit(), 1 << 20);
/// assert!(!budget.is_stopped());
/// ```
#[derive(Clone, Copy)]
pub struct Budget<'a> {
    limit: u64,
    ignores_checksums: bool,
    stop: &'a dyn Fn() -> bool,
    progress: &'a dyn Fn(u64, u64),
}

impl Default for Budget<'_> {
    /// The usual limit, every checksum compared, to the end.
    fn default() -> Self {
        Self {
            limit: DEFAULT_LIMIT,
            ignores_checksums: false,
            stop: &|| false,
            progress: &|_, _| (),
        }
    }
}

impl<'a> Budget<'a> {
    /// The same with at most `limit` bytes of output for each codec.
    #[must_use]
    pub fn with_limit(self, limit: u64) -> Self {
        Self { limit, ..self }
    }

    /// The same with or without going on after a checksum that differs: the stage then has a note instead of an error.
    #[must_use]
    pub fn ignoring_checksums(self, ignores_checksums: bool) -> Self {
        Self { ignores_checksums, ..self }
    }

    /// The same for work that ends early once `stop` is true; it is asked between stages and every so often in them.
    #[must_use]
    pub fn with_stop(self, stop: &'a dyn Fn() -> bool) -> Self {
        Self { stop, ..self }
    }

    /// The same with `progress` told every so often how many bytes came out of a codec, and of how many; 0 where that
    /// is not known.
    #[must_use]
    pub fn with_progress(self, progress: &'a dyn Fn(u64, u64)) -> Self {
        Self { progress, ..self }
    }

    /// The most bytes that one codec may give.
    #[must_use]
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// True if decoding goes on after a checksum that differs.
    #[must_use]
    pub fn ignores_checksums(&self) -> bool {
        self.ignores_checksums
    }

    /// True if nobody waits for the result any more.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        (self.stop)()
    }

    /// Tells that `done` of `of` bytes are decoded; 0 for an unknown size.
    pub fn report(&self, done: u64, of: u64) {
        (self.progress)(done, of);
    }
}

impl fmt::Debug for Budget<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Budget")
            .field("limit", &self.limit)
            .field("ignores_checksums", &self.ignores_checksums)
            .finish_non_exhaustive()
    }
}
