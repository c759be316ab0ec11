//! The standing guard: stores damaged at random, and everything done with each that can be, for as long as it is told.
//!
//!     cargo run --profile fuzz --example mutate -- SECONDS [SEED]
//!
//! The profile checks arithmetic for overflow. Each round is told by its seed alone; what goes wrong is printed with it,
//! and at the end how many rounds there were, how many went wrong, and the most memory that was taken. One in
//! [`WHOLE`] rounds goes through files and the inspector, which costs many times as much as the others: they read
//! arrays in memory, with the library alone.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::{
    env,
    process::ExitCode,
    sync::atomic::{AtomicU64, Ordering},
    thread,
    time::{Duration, Instant},
};

#[path = "../tests/it/mutations/damage.rs"]
mod damage;
#[path = "../tests/it/mutations/rounds.rs"]
mod rounds;

/// Every how many rounds one is whole.
const WHOLE: u64 = 32;

fn main() -> ExitCode {
    let mut arguments = env::args().skip(1).map(|text| text.parse::<u64>());
    let (Some(Ok(seconds)), Ok(seed)) = (arguments.next(), arguments.next().unwrap_or(Ok(1)))
    else {
        eprintln!("mutate SECONDS [SEED]");
        return ExitCode::from(2);
    };
    let nodes = damage::nodes();
    let light = rounds::in_memory(&nodes);
    let (next, failed) = (AtomicU64::new(seed), AtomicU64::new(0));
    let end = Instant::now() + Duration::from_secs(seconds);
    let threads = thread::available_parallelism().map_or(1, Into::into);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while Instant::now() < end {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    let failures = if seed.is_multiple_of(WHOLE) {
                        rounds::round(&nodes, seed)
                    } else {
                        rounds::light_round(&light, seed).into_iter().collect()
                    };
                    failed.fetch_add(u64::from(!failures.is_empty()), Ordering::Relaxed);
                    for failure in &failures {
                        println!("{failure}");
                    }
                }
            });
        }
    });
    let rounds = next.into_inner() - seed;
    let (failed, peak) = (failed.into_inner(), rounds::peak_memory().unwrap_or_default() >> 10);
    let whole = (seed + rounds).div_ceil(WHOLE) - seed.div_ceil(WHOLE);
    println!(
        "seeds {seed}..{}: {rounds} rounds in {seconds} s, {whole} of them whole, {failed} failed, at most {peak} MiB",
        seed + rounds
    );
    let fine = failed == 0 && peak << 10 < rounds::MEMORY;
    if fine { ExitCode::SUCCESS } else { ExitCode::from(1) }
}
