//! The kinds of damaged inputs, each with the number of times it is drawn, and what is done with one.

use super::{commands, damage::Dice, library, screens, sources::Sources};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    time::{Duration, Instant},
};

/// A kind of input.
pub(crate) struct InputKind {
    /// The name.
    pub(crate) name: &'static str,
    /// The number of times that it is drawn for each time that a kind of weight 1 is.
    weight: u64,
    /// The work with one input: what to damage and how, the dice say.
    work: fn(&Sources, &mut Dice),
}

/// All kinds. Those that cost little are drawn often, those that cost much seldom.
pub(crate) const KINDS: &[InputKind] = &[
    InputKind { name: "chunks", weight: 1000, work: library::chunks },
    InputKind { name: "documents", weight: 600, work: library::documents_in },
    InputKind { name: "data types", weight: 400, work: library::data_types },
    InputKind { name: "what-if", weight: 300, work: library::what_if },
    InputKind { name: "values", weight: 300, work: library::values },
    InputKind { name: "compare", weight: 200, work: library::compare },
    InputKind { name: "lone chunk", weight: 100, work: library::lone_chunk },
    InputKind { name: "archive", weight: 100, work: library::archive },
    InputKind { name: "check", weight: 150, work: library::check },
    InputKind { name: "deep check", weight: 30, work: library::deep_check },
    InputKind { name: "folder", weight: 60, work: library::folder },
    InputKind { name: "lesson", weight: 60, work: screens::lesson },
    InputKind { name: "typed line", weight: 60, work: screens::typed_line },
    InputKind { name: "screen", weight: 60, work: screens::screen },
    InputKind { name: "inspector", weight: 20, work: screens::inspector },
    InputKind { name: "command", weight: 60, work: commands::command },
    InputKind { name: "digests", weight: 20, work: commands::digests },
    InputKind { name: "part files", weight: 30, work: commands::part_files },
];

/// The outcome of an input.
pub(crate) struct InputOutcome {
    /// The kind of the input.
    pub(crate) kind: &'static str,
    /// The words of the panic.
    pub(crate) panic: Option<String>,
    /// The time it took.
    pub(crate) elapsed: Duration,
}

/// The dice of the input `seed`, after its kind was drawn.
fn drawn(seed: u64) -> (&'static InputKind, Dice) {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    // The first numbers of similar seeds are similar.
    (0..4).for_each(|_| _ = dice.next());
    let all: u64 = KINDS.iter().map(|kind| kind.weight).sum();
    let mut at = dice.next() % all;
    let kind = KINDS.iter().find(|kind| {
        let is_here = at < kind.weight;
        at = at.saturating_sub(kind.weight);
        is_here
    });
    (kind.unwrap_or(&KINDS[0]), dice)
}

/// The kind of the input `seed`.
pub(crate) fn kind(seed: u64) -> &'static str {
    drawn(seed).0.name
}

/// Makes the input `seed`, and does with it what its kind says.
pub(crate) fn input(sources: &Sources, seed: u64) -> InputOutcome {
    let (kind, mut dice) = drawn(seed);
    let start = Instant::now();
    let caught = catch_unwind(AssertUnwindSafe(|| (kind.work)(sources, &mut dice)));
    let words = |panic: Box<dyn std::any::Any + Send>| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        text.unwrap_or("a panic without words").to_owned()
    };
    InputOutcome { kind: kind.name, panic: caught.err().map(words), elapsed: start.elapsed() }
}
