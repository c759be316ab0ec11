//! The limits of reading and decoding, and whether the result still matters: one thing, handed down to every codec.

use super::error::Result;
use super::prelude::*;
use std::{
    sync::{Condvar, MutexGuard, PoisonError},
    time::Duration,
};

/// The limit where nobody says another: 1 GiB.
pub const DEFAULT_LIMIT: u64 = 1 << 30;

/// The limit that work is tried with first, where only the limit says what it takes: most chunks need far less, and
/// are then decoded side by side.
const TRIED: u64 = 64 << 20;

/// The time between two questions of waiting work whether it is still wanted.
const ASKING: Duration = Duration::from_millis(50);

/// The limits of a piece of work, the faults it ignores, its stop signal, and the observer of its progress.
///
/// A limit is for one output of one codec; a [`Memory`] is for everything that all threads decode at a time.
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
    memory: Option<&'a Memory>,
    stop: Stop<'a>,
    progress: &'a dyn Fn(u64, u64),
}

/// Says whether work has become pointless, to all threads that it is spread over.
pub type Stop<'a> = &'a (dyn Fn() -> bool + Sync + 'a);

/// A number as one that memory is addressed by; the highest where it is beyond.
pub fn to_usize(number: impl TryInto<usize>) -> usize {
    number.try_into().unwrap_or(usize::MAX)
}

/// What is in `mutex`, whatever became of a thread that had it before.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The memory that all threads together may take for what they decode.
///
/// Work reserves what it takes at most before it begins, and waits while the others leave less than that; it never
/// holds memory while it waits. First come, first served, and there is always room for one, so that nothing waits
/// forever.
#[derive(Debug)]
pub struct Memory {
    most: u64,
    state: Mutex<State>,
    freed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    used: u64,
    /// Those who wait, by number, the one who came first at the front.
    waiting: VecDeque<u64>,
    /// The number of the next one who has to wait.
    next: u64,
}

/// Memory that is reserved, until this is dropped.
struct Reserved<'a>(&'a Memory, u64);

impl Memory {
    /// At most `most` bytes.
    pub fn new(most: u64) -> Self {
        Self { most, state: Mutex::default(), freed: Condvar::new() }
    }

    /// The number of bytes.
    pub fn most(&self) -> u64 {
        self.most
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until there are `cost` bytes, or nobody has any; `None` if `stop` is true before that.
    fn reserve(&self, cost: u64, stop: &dyn Fn() -> bool) -> Option<Reserved<'_>> {
        let mut state = self.state();
        let fits = |state: &State| state.used == 0 || state.used.saturating_add(cost) <= self.most;
        if !state.waiting.is_empty() || !fits(&state) {
            let number = state.next;
            state.next += 1;
            state.waiting.push_back(number);
            let mut is_stopped = false;
            while !is_stopped && (state.waiting.front() != Some(&number) || !fits(&state)) {
                let waited = self.freed.wait_timeout(state, ASKING);
                state = waited.unwrap_or_else(PoisonError::into_inner).0;
                is_stopped = stop();
            }
            state.waiting.retain(|other| *other != number);
            self.freed.notify_all();
            if is_stopped {
                return None;
            }
        }
        let cost = cost.min(u64::MAX - state.used);
        state.used += cost;
        Some(Reserved(self, cost))
    }
}

impl Drop for Reserved<'_> {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.used -= self.1;
        let is_awaited = !state.waiting.is_empty();
        drop(state);
        // Telling it costs a system call even where nobody listens.
        if is_awaited {
            self.0.freed.notify_all();
        }
    }
}

/// Room for `len` things that come all at once, as an error where there is no memory for them.
///
/// # Errors
///
/// If there is none.
pub(super) fn room<T>(len: usize) -> Result<Vec<T>> {
    let mut room = Vec::new();
    room.try_reserve_exact(len)
        .map_err(|_refused| no_memory(len.saturating_mul(size_of::<T>())))?;
    Ok(room)
}

/// Checks that there is memory for `len` bytes, which are taken and given back. For what grows in steps that cannot
/// fail themselves, such as names and maps.
///
/// # Errors
///
/// If there is none.
pub(super) fn elbow_room(len: usize) -> Result<()> {
    taken(len).map(|bytes| drop(std::hint::black_box(bytes)))
}

/// `len` bytes from the system itself: an allocator that is given much back, keeps as much of all that comes after.
#[cfg(unix)]
fn taken(len: usize) -> Result<memmap2::MmapMut> {
    memmap2::MmapMut::map_anon(len).map_err(|_refused| no_memory(len))
}

#[cfg(not(unix))]
fn taken(len: usize) -> Result<Vec<u8>> {
    room(len)
}

/// `len` times `value`, as an error where there is no memory for them.
///
/// # Errors
///
/// If there is none.
pub(super) fn filled<T: Clone>(value: T, len: usize) -> Result<Vec<T>> {
    let mut filled = room(len)?;
    filled.resize(len, value);
    Ok(filled)
}

/// The error that the user went elsewhere.
pub(super) fn stopped() -> Error {
    Error::new(Code::Stopped, "stopped on request", "")
}

/// The error that the system has no `more` bytes.
pub(super) fn no_memory(more: usize) -> Error {
    Error::new(Code::NoMemory, format!("no memory for {more} more bytes"), "")
}

impl Default for Budget<'_> {
    /// The usual limit, every checksum compared, to the end.
    fn default() -> Self {
        Self {
            limit: DEFAULT_LIMIT,
            ignores_checksums: false,
            memory: None,
            stop: &|| false,
            progress: &|_, _| (),
        }
    }
}

impl<'a> Budget<'a> {
    /// The same with at most `limit` bytes of output for each codec.
    pub fn with_limit(self, limit: u64) -> Self {
        Self { limit, ..self }
    }

    /// The same with or without going on after a checksum that differs: the stage then has a note instead of an error.
    pub fn ignoring_checksums(self, ignores_checksums: bool) -> Self {
        Self { ignores_checksums, ..self }
    }

    /// The same for work that shares `memory` with others; with `None`, for work that has no bound.
    pub fn with_memory(self, memory: impl Into<Option<&'a Memory>>) -> Self {
        Self { memory: memory.into(), ..self }
    }

    /// The memory that it shares with other work.
    pub fn memory(&self) -> Option<&'a Memory> {
        self.memory
    }

    /// The same for work that ends early once `stop` is true; it is asked between stages and every so often in them.
    pub fn with_stop(self, stop: Stop<'a>) -> Self {
        Self { stop, ..self }
    }

    /// The same with `progress` told every so often how many bytes a codec produced, and of how many; 0 where that
    /// is not known.
    pub fn with_progress(self, progress: &'a dyn Fn(u64, u64)) -> Self {
        Self { progress, ..self }
    }

    /// The most bytes that one codec may give.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// True if decoding goes on after a checksum that differs.
    pub fn ignores_checksums(&self) -> bool {
        self.ignores_checksums
    }

    /// The signal that tells whether to stop.
    pub fn stop(&self) -> Stop<'a> {
        self.stop
    }

    /// True if nobody waits for the result any more.
    pub fn is_stopped(&self) -> bool {
        (self.stop)()
    }

    /// `items` until nobody wants them any more, which is asked before the first of every 4,096: for loops over elements,
    /// each of which takes well below a microsecond.
    pub(super) fn while_wanted<T>(self, items: impl Iterator<Item = T>) -> impl Iterator<Item = T> {
        const EVERY: usize = 4096;
        items
            .enumerate()
            .take_while(move |(number, _)| number % EVERY != 0 || !self.is_stopped())
            .map(|(_, item)| item)
    }

    /// Does `work` once the memory for it is free; `cost` is the number of bytes that it takes at most, none of its
    /// outputs being larger than some limit. What only the limit bounds is tried with a low one first, and done again
    /// if that was `too_low`. The work gets a budget without the memory: what it takes is reserved.
    ///
    /// # Errors
    ///
    /// If it is stopped before that.
    pub(super) fn reserving<T>(
        &self,
        cost: &dyn Fn(u64) -> u64,
        work: &mut dyn FnMut(&Self) -> T,
        too_low: &dyn Fn(&T) -> bool,
    ) -> Result<T> {
        let Some(memory) = self.memory else { return Ok(work(self)) };
        let reserve = |cost| memory.reserve(cost, self.stop).ok_or_else(stopped);
        let high = Self { memory: None, ..*self };
        let low = high.with_limit(self.limit.min(TRIED));
        let (most, least) = (cost(high.limit), cost(low.limit));
        if least < most {
            let _reserved = reserve(least)?;
            let done = work(&low);
            if !too_low(&done) || self.is_stopped() {
                return Ok(done);
            }
        }
        let _reserved = reserve(most)?;
        Ok(work(&high))
    }

    /// Tells that `done` of `of` bytes are decoded; 0 for an unknown size.
    pub fn report(&self, done: u64, of: u64) {
        (self.progress)(done, of);
    }
}

impl fmt::Debug for Budget<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Budget")
            .field("limit", &self.limit)
            .field("ignores_checksums", &self.ignores_checksums)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        sync::atomic::{AtomicU64, Ordering},
        thread,
    };

    #[test]
    fn the_sum_of_all_threads_stays_within_the_memory() {
        let (memory, now, most) = (Memory::new(100), AtomicU64::new(0), AtomicU64::new(0));
        thread::scope(|scope| {
            for n in 0..16 {
                let (memory, now, most) = (&memory, &now, &most);
                scope.spawn(move || {
                    for round in 0..50 {
                        let cost = 1 + (n * 31 + round * 17) % 60;
                        let budget = Budget::default().with_memory(memory);
                        let mut work = |_: &Budget| {
                            most.fetch_max(
                                now.fetch_add(cost, Ordering::SeqCst) + cost,
                                Ordering::SeqCst,
                            );
                            thread::yield_now();
                            now.fetch_sub(cost, Ordering::SeqCst);
                        };
                        budget.reserving(&|_| cost, &mut work, &|()| false).unwrap();
                    }
                });
            }
        });
        assert!((60..=100).contains(&most.into_inner()));
        assert_eq!(memory.state().used, 0);
    }

    #[test]
    fn what_only_the_limit_bounds_is_tried_with_a_low_one() {
        let memory = Memory::new(1);
        let budget = Budget::default().with_memory(&memory);
        let mut limits = Vec::new();
        let mut work = |budget: &Budget| limits.push(budget.limit());
        budget.reserving(&|limit| limit, &mut work, &|()| true).unwrap();
        budget.reserving(&|limit| limit, &mut work, &|()| false).unwrap();
        budget.reserving(&|_| 5, &mut work, &|()| true).unwrap();
        assert_eq!(limits, [TRIED, DEFAULT_LIMIT, TRIED, DEFAULT_LIMIT]);
    }

    #[test]
    fn work_that_waits_can_be_stopped() {
        let memory = Memory::new(10);
        let all = memory.reserve(10, &|| false);
        let budget = Budget::default().with_memory(&memory).with_stop(&|| true);
        let done = budget.reserving(&|_| 1, &mut |_| (), &|()| false);
        assert_eq!(done.unwrap_err().code, Code::Stopped);
        drop(all);
        assert!(memory.reserve(10, &|| false).is_some() && memory.state().waiting.is_empty());
    }

    /// A large request waits for its turn and no longer, however many small ones would still fit.
    #[test]
    fn what_is_large_is_not_passed_by_for_ever() {
        let (memory, done) = (Memory::new(100), AtomicU64::new(0));
        thread::scope(|scope| {
            let first = memory.reserve(60, &|| false);
            let large = scope
                .spawn(|| memory.reserve(100, &|| false).map(|_all| done.load(Ordering::SeqCst)));
            while memory.state().waiting.is_empty() {
                thread::yield_now();
            }
            let small = scope
                .spawn(|| memory.reserve(1, &|| false).map(|_one| done.store(1, Ordering::SeqCst)));
            while memory.state().waiting.len() < 2 {
                thread::yield_now();
            }
            drop(first);
            assert_eq!((large.join().unwrap(), small.join().unwrap()), (Some(0), Some(())));
        });
    }

    /// Work that is within other work, as an inner chunk is in a shard, takes of what that has reserved.
    #[test]
    fn work_within_work_does_not_wait_for_it() {
        let memory = Memory::new(10);
        let budget = Budget::default().with_memory(&memory);
        let inner = |budget: &Budget| budget.reserving(&|_| 10, &mut |_| 7, &|_| false);
        let done = budget.reserving(&|_| 10, &mut |budget| inner(budget), &|_| false);
        assert_eq!(done.unwrap().unwrap(), 7);
    }
}
