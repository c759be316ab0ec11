//! Documents and chunks damaged at random: whatever a store says, nothing panics, hangs or takes the memory.
//!
//! A few rounds run with every test. `examples/mutate.rs` runs as long as it is told; what goes wrong is told with the
//! seed of its round, and `ZARRSCOPE_ROUNDS=1 ZARRSCOPE_SEED=…` does it again here.

use std::env;

mod damage;
mod rounds;

fn number(name: &str, default: u64) -> u64 {
    env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn nothing_that_a_store_says_stops_the_program() {
    let seeds = number("ZARRSCOPE_SEED", 1)..;
    let nodes = damage::nodes();
    assert!(nodes.len() > 1000, "{}", nodes.len());
    let mut failures = Vec::new();
    for seed in seeds.take(usize::try_from(number("ZARRSCOPE_ROUNDS", 40)).unwrap()) {
        failures.extend(rounds::round(&nodes, seed));
        if let Some(peak) = rounds::peak_memory().filter(|&peak| peak > rounds::MEMORY) {
            failures.push(format!("seed {seed}: {peak} KiB at most"));
            break;
        }
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn thousands_of_damaged_arrays_are_read() {
    let nodes = rounds::in_memory(&damage::nodes());
    assert!(nodes.len() > 900, "{}", nodes.len());
    let seeds = number("ZARRSCOPE_SEED", 1)..;
    let rounds = usize::try_from(number("ZARRSCOPE_ROUNDS", 3000)).unwrap();
    let failures: Vec<_> =
        seeds.take(rounds).filter_map(|seed| rounds::light_round(&nodes, seed)).collect();
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}
