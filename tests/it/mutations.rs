//! Documents, chunks and typed text damaged at random: whatever a store says, nothing panics, hangs or takes the memory.
//!
//! Some inputs of each kind run with every test. `examples/mutate.rs` runs as many as there is time for; what goes wrong
//! is told with the seed of its input, and `ZARRSCOPE_SEED=… ZARRSCOPE_INPUTS=1` does it again here.

use inputs::{KINDS, input, kind};
use sources::Sources;
use std::{collections::BTreeMap, env, process::Command, time::Duration};

mod commands;
mod damage;
mod inputs;
mod library;
mod screens;
mod sources;

/// The longest that an input may take. Builds for tests are not optimised, and share the processor.
const SLOW: Duration = Duration::from_secs(30);

fn number(name: &str) -> Option<u64> {
    env::var(name).ok()?.parse().ok()
}

/// The output of the program with these arguments.
fn command(words: &[String]) -> Vec<u8> {
    let output = Command::new(env!("CARGO_BIN_EXE_zarrscope")).args(words).output().unwrap();
    let code = output.status.code();
    assert!(matches!(code, Some(0..=2)), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

#[test]
fn nothing_that_is_read_stops_the_program() {
    let sources = Sources::new(command);
    assert!(sources.nodes.len() > 1000 && sources.stored.len() > 900);
    let most = |name: &str| match name {
        "chunks" | "documents" | "data types" | "what-if" => 700,
        "inspector" | "deep check" | "command" | "digests" | "part files" => 12,
        _ => 40,
    };
    let seeds = number("ZARRSCOPE_SEED").unwrap_or(1)..;
    let inputs = number("ZARRSCOPE_INPUTS").unwrap_or(u64::MAX);
    let (mut done, mut failures) = (BTreeMap::<&str, u64>::new(), Vec::new());
    for seed in seeds.take(usize::try_from(inputs).unwrap()) {
        let count = done.entry(kind(seed)).or_default();
        if inputs == u64::MAX && *count >= most(kind(seed)) {
            if KINDS.iter().all(|kind| done.get(kind.name).is_some_and(|&it| it >= most(kind.name)))
            {
                break;
            }
            continue;
        }
        *count += 1;
        let outcome = input(&sources, seed);
        if outcome.panic.is_some() || outcome.elapsed > SLOW {
            failures.push(format!(
                "seed {seed}, {}: {:?} {:?}",
                outcome.kind, outcome.panic, outcome.elapsed
            ));
        }
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}
