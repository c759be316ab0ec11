//! Pieces of work on all cores, within one budget of memory.
//!
//! The calling thread hands out pieces, as many at a time as the budget has room for, and takes what comes of them; it
//! must not be one of rayon's own. How many threads there are is rayon's to know (`RAYON_NUM_THREADS`).

use super::prelude::*;
use crate::zarr::{
    array::Slab, canonical::Rendered, compare::Comparer, data_type::native::Primitive, digest,
    store::requests::Asker,
};
use rayon::prelude::*;
use std::{
    collections::BTreeMap,
    ops::Range,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
};

/// The number of bytes of a region whose place in memory is locked at a time.
const LOCKED: u64 = 1 << 20;

/// The number of bytes that may be worked on ahead of the results that were taken, where single pieces take little.
const AHEAD: u64 = 32 << 20;
/// The number of elements that are compared in one go.
const STRETCH: u64 = digest::BLOCK;
/// The number of pieces that may be under way, however small.
const MOST: usize = 4096;

/// Lets so many pieces be under way that `requests` are sent at once: for work that waits for a network most of its time,
/// and while some is done with what came, the rest goes on asking. It counts before anything else was worked on.
pub fn allow_many(requests: usize) {
    if env::var_os("RAYON_NUM_THREADS").is_none() {
        rayon::ThreadPoolBuilder::new().num_threads(2 * requests).build_global().ok();
    }
}

/// The order in which results are wanted.
#[derive(Clone, Copy)]
pub enum Order {
    /// As they come.
    Any,
    /// As the pieces were. A piece keeps its share of the memory until its turn has come.
    AsGiven,
}

/// A piece of work, and the number of bytes that it takes while it is done.
pub struct Task<P> {
    /// The piece of work.
    pub piece: P,
    /// The bytes that it takes.
    pub cost: u64,
}

/// Does `work` for all `tasks`, of which together never more than `memory` bytes are being worked on; one that takes
/// more than that is done alone. `each` gets what comes of them, on the calling thread. No more work is begun when it
/// gives `false`: work that is long asks whether to stop.
pub fn run<P: Send, R: Send>(
    tasks: impl IntoIterator<Item = Task<P>>,
    (memory, order): (u64, Order),
    work: impl Fn(P, Stop<'_>) -> R + Sync,
    mut each: impl FnMut(R) -> bool,
) {
    let stop = &AtomicBool::new(false);
    let mut tasks = tasks.into_iter().enumerate().peekable();
    let mut room = Room { memory, used: 0, costs: BTreeMap::new() };
    let (mut results, mut turn) = (BTreeMap::new(), 0);
    let (sender, receiver) = mpsc::channel();
    let asker = &Asker::current();
    rayon::in_place_scope(|scope| {
        loop {
            let go_on = || !stop.load(Ordering::Relaxed);
            while let Some((number, task)) =
                tasks.next_if(|(_, task)| go_on() && room.has_for(task.cost))
            {
                room.take(number, task.cost);
                let (sender, work) = (sender.clone(), &work);
                scope.spawn(move |_| {
                    let is_stopped = || stop.load(Ordering::Relaxed);
                    let work = || asker.during(|| work(task.piece, &is_stopped));
                    let result = catch_unwind(AssertUnwindSafe(work));
                    // The receiver is there for as long as tasks are awaited.
                    sender.send((number, result)).ok();
                });
            }
            let Some(Ok((number, result))) = room.is_used().then(|| receiver.recv()) else {
                return;
            };
            results.insert(number, unpacked(result, stop));
            while let Some((number, result)) = next(&mut results, order, turn) {
                room.give_back(number);
                turn += 1;
                if !stop.load(Ordering::Relaxed) && !each(result) {
                    stop.store(true, Ordering::Relaxed);
                }
            }
        }
    });
}

/// [`run`] in any order, with half of the memory that `budget` has; `work` and `each` get the budget of one piece, which
/// is over when no more is wanted.
pub fn pass<P: Send, R: Send>(
    tasks: impl IntoIterator<Item = Task<P>>,
    budget: &Budget,
    work: impl Fn(P, &Budget) -> R + Sync,
    mut each: impl FnMut(R, &Budget) -> bool,
) {
    let (limit, memory, is_over) = (budget.limit(), budget.memory(), budget.stop());
    let room = (memory.map_or(u64::MAX, Memory::most) / 2, Order::Any);
    let own = || Budget::default().with_limit(limit).with_memory(memory);
    let work = |piece, stop: Stop<'_>| work(piece, &own().with_stop(&|| stop() || is_over()));
    run(tasks, room, work, |result| each(result, &own().with_stop(is_over)));
}

/// The result of a task; its panic goes on here.
fn unpacked<R>(result: thread::Result<R>, stop: &AtomicBool) -> R {
    result.unwrap_or_else(|panic| {
        stop.store(true, Ordering::Relaxed);
        resume_unwind(panic)
    })
}

/// The result whose turn it is, if it is there.
fn next<R>(results: &mut BTreeMap<usize, R>, order: Order, turn: usize) -> Option<(usize, R)> {
    match order {
        Order::Any => results.pop_first(),
        Order::AsGiven => results.remove_entry(&turn),
    }
}

/// The memory that is taken by tasks that were begun and whose results were not taken yet.
struct Room {
    memory: u64,
    used: u64,
    /// The cost of each task, by its number.
    costs: BTreeMap<usize, u64>,
}

impl Room {
    /// True if a task may be begun that takes so much. There is always room for one.
    fn has_for(&self, cost: u64) -> bool {
        let (then, count) = (self.used.saturating_add(cost), self.costs.len());
        let few = 2 * rayon::current_num_threads() + 2;
        count == 0 || then <= self.memory && (count < few || then <= AHEAD && count < MOST)
    }

    fn take(&mut self, number: usize, cost: u64) {
        self.used += cost;
        self.costs.insert(number, cost);
    }

    fn give_back(&mut self, number: usize) {
        self.used -= self.costs.remove(&number).unwrap_or_default();
    }

    fn is_used(&self) -> bool {
        !self.costs.is_empty()
    }
}

/// [`ArrayReader::read_region`] on all cores; what is decoded at a time takes `limit` bytes at most, as long as single
/// chunks do not.
///
/// # Errors
///
/// As [`ArrayReader::read_region`].
pub fn read_region<T: Primitive>(
    reader: &ArrayReader,
    region: &[Range<u64>],
    limit: u64,
) -> Result<Vec<T>> {
    let mut out = reader.room::<T>(region)?;
    let mut places = Vec::new();
    let mut rest = out.as_mut_slice();
    for part in array::cut(region, LOCKED / T::SIZE.max(1) as u64) {
        let len = array::len(&part).and_then(|len| usize::try_from(len).ok()).unwrap_or_default();
        let (place, behind) = rest.split_at_mut(len.min(rest.len()));
        places.push((part, Mutex::new(place)));
        rest = behind;
    }
    let read = |piece: Piece, stop: Stop<'_>| {
        let budget = Budget::default().with_limit(limit).with_stop(stop);
        let data = reader.load(&piece, &budget);
        if let PieceData::Unreadable(error) = data {
            return Err(error);
        }
        for (part, place) in touched(&places, &piece.region) {
            let mut place = lock(place);
            reader.place(&piece, &data, part, &mut place)?;
        }
        Ok(())
    };
    let tasks = reader.pieces(region).map(|piece| Task { cost: piece.cost, piece });
    let mut failure = None;
    run(tasks, (limit, Order::Any), read, |read| {
        failure = failure.take().or_else(|| read.err());
        failure.is_none()
    });
    failure.map_or(Ok(out), Err)
}

/// The slab of `region`, its pieces read on all cores; each may decode to `limit` bytes where nothing says to how many.
pub fn slab(
    reader: &ArrayReader,
    region: &Region,
    (limit, memory, stop): (u64, Option<&Memory>, Stop<'_>),
) -> Slab {
    let pieces: Vec<Piece> = reader.pieces_of_slab(region).collect();
    let asker = Asker::current();
    let load = |piece: Piece| {
        let budget = Budget::default().with_limit(limit).with_memory(memory).with_stop(stop);
        let data = asker.during(|| reader.load(&piece, &budget));
        (piece, data)
    };
    Slab::new(region.clone(), pieces.into_par_iter().map(load).collect())
}

/// Compares the slabs that two arrays have of `region` of the first, on all cores.
pub fn compare(comparer: &Comparer, region: &Region, slabs: [&Slab; 2]) -> Compared {
    let len = slabs[0].len();
    let starts: Vec<u64> = (0..len.div_ceil(STRETCH)).map(|at| at * STRETCH).collect();
    let compare = |buffers: &mut [Rendered; 2], start: &u64| {
        let wanted = *start..len.min(start + STRETCH);
        comparer.compare(region, slabs, wanted, buffers)
    };
    let found = starts.par_iter().map_init(<[Rendered; 2]>::default, compare);
    found.collect::<Vec<_>>().into_iter().fold(Compared::default(), Compared::merge)
}

/// Those of `places`, which follow each other in C order, that have elements of `region`.
fn touched<'a, T>(
    places: &'a [(Region, T)],
    region: &'a [Range<u64>],
) -> impl Iterator<Item = &'a (Region, T)> {
    fn first(part: &[Range<u64>]) -> impl Iterator<Item = u64> {
        part.iter().map(|range| range.start)
    }
    fn last(part: &[Range<u64>]) -> impl Iterator<Item = u64> {
        part.iter().map(|range| range.end.saturating_sub(1))
    }
    let from = places.partition_point(|(part, _)| last(part).lt(first(region)));
    let to = places.partition_point(|(part, _)| first(part).le(last(region)));
    let near = places.get(from..to).unwrap_or_default().iter();
    near.filter(move |(part, _)| {
        part.iter().zip(region).all(|(a, b)| a.start < b.end && b.start < a.end)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;

    fn tasks(costs: &[u64]) -> impl Iterator<Item = Task<u64>> {
        costs.iter().map(|&cost| Task { piece: cost, cost })
    }

    #[test]
    fn results_come_in_order_and_the_budget_holds() {
        let (now, most) = (AtomicU64::new(0), AtomicU64::new(0));
        let costs: Vec<u64> = (0..60).map(|at| at * 37 % 50 + 1).chain([500, 3]).collect();
        let work = |cost: u64, _: Stop<'_>| {
            let used = now.fetch_add(cost, Ordering::SeqCst) + cost;
            most.fetch_max(if used == 500 { 0 } else { used }, Ordering::SeqCst);
            thread::yield_now();
            now.fetch_sub(cost, Ordering::SeqCst);
            cost
        };
        let mut seen = Vec::new();
        run(tasks(&costs), (100, Order::AsGiven), work, |cost| {
            seen.push(cost);
            true
        });
        assert_eq!(seen, costs);
        assert!((1..=100).contains(&most.into_inner()));
        seen.clear();
        run(
            tasks(&costs),
            (100, Order::Any),
            |cost, _| cost,
            |cost| {
                seen.push(cost);
                true
            },
        );
        seen.sort_unstable();
        let mut sorted = costs.clone();
        sorted.sort_unstable();
        assert_eq!(seen, sorted);
    }

    #[test]
    fn nothing_is_begun_after_a_stop() {
        let begun = AtomicU64::new(0);
        let work = |_, _: Stop<'_>| begun.fetch_add(1, Ordering::SeqCst);
        let mut taken = 0;
        run(tasks(&[1; 1000]), (4, Order::Any), work, |_| {
            taken += 1;
            taken < 3
        });
        assert_eq!(taken, 3);
        assert!(begun.into_inner() < 10);
    }

    #[test]
    fn a_panic_goes_to_the_caller() {
        let caught = catch_unwind(AssertUnwindSafe(|| {
            run(tasks(&[1, 2, 3]), (9, Order::Any), |n, _| assert!(n != 2), |()| true);
        }));
        assert!(caught.is_err());
    }

    #[test]
    fn a_piece_goes_to_all_the_places_that_it_touches() {
        let places = |most| -> Vec<_> {
            array::cut(&[2..7, 0..5, 1..4], most).map(|part| (part, ())).collect()
        };
        let ranges =
            |from: u64, to: u64| (from..to).flat_map(move |a| (a + 1..=to).map(move |b| a..b));
        for places in [1, 4, 6, 17, 100].map(places) {
            for (x, y, z) in ranges(2, 7)
                .flat_map(|x| ranges(0, 5).map(move |y| (x.clone(), y)))
                .flat_map(|(x, y)| ranges(1, 4).map(move |z| (x.clone(), y.clone(), z)))
            {
                let region = [x, y, z];
                let shares = |part: &[Range<u64>]| {
                    part.iter().zip(&region).all(|(a, b)| a.clone().any(|at| b.contains(&at)))
                };
                let all: Vec<_> = places.iter().filter(|(part, ())| shares(part)).collect();
                assert_eq!(touched(&places, &region).collect::<Vec<_>>(), all, "{region:?}");
            }
        }
        assert_eq!(touched(&[(Vec::new(), ())], &[]).count(), 1, "an array of no dimensions");
    }
}
