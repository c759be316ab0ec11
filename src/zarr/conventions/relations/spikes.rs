//! Times of spikes in NWB files against the other times of the recording: all are counted in seconds.

use crate::zarr::conventions::prelude::*;

/// The note on times before the start of the session.
pub(super) fn before(related: &Related) -> Option<Problem> {
    let times = related.own()?;
    let count = times.iter().filter(|time| **time < 0.0).count();
    let least = times.iter().copied().reduce(f64::min)?;
    let sentence = format!(
        "{} spike times are before 0, the earliest {} s",
        out_of(count, times.len()),
        short(least)
    );
    let fix = "0 is timestamps_reference_time, or else the start of the session. Possible cause: they are relative to events.";
    related.warning_if(count > 0, sentence, fix).map(note)
}

/// The warning on a resolution that is a rate.
pub(super) fn coarse(related: &Related) -> Option<Problem> {
    let resolution = number(related.attributes()?.get("resolution")?)?;
    let sentence = format!("resolution is {} s", short(resolution));
    let fix = "It is the smallest difference between two spike times, in seconds. Likely, this is the sampling rate, and the resolution is 1 divided by it.";
    related.warning_if(resolution > 100.0, sentence, fix)
}

/// The warning on times of a unit that go back, where those of most units only go on.
pub(super) fn fallen(related: &Related) -> Option<Problem> {
    let times = related.own()?;
    let ends = related.numbers_beside("spike_times_index")?;
    let mut start = 0;
    let mut falls = Vec::new();
    for (unit, end) in ends.iter().enumerate() {
        let end = index(*end)?;
        let own = times.get(start..end)?;
        let fall = neighbours(own).find(|(a, b)| b < a);
        falls.extend(fall.map(|(a, b)| (unit, *a, *b)));
        start = end;
    }
    let (unit, before, after) = *falls.first()?;
    let sentence = format!(
        "times of spikes go back in {} units, first in [{unit}]: {} s after {} s",
        out_of(falls.len(), ends.len()),
        short(after),
        short(before)
    );
    let fix = "Within a unit, times ascend. Likely cause: recordings were put one after the other, each with its own start.";
    related.warning_if(falls.len() * 2 <= ends.len(), sentence, fix)
}

/// The finding on times that are outside of the intervals in which their units were observed: a note where most are inside.
pub(super) fn unobserved(related: &Related) -> Option<Problem> {
    /// In seconds, what is rounded; and of how many times one may be outside.
    const NEAR: f64 = 0.1;
    const ONE_IN: usize = 100;
    let units = &related.group()?;
    let numbers = |name: &str| related.existing_numbers(&units.child(name));
    let intervals = numbers("obs_intervals")?;
    let [low, high] = ends(&intervals)?;
    let (ends, stops) = (numbers("spike_times_index"), numbers("obs_intervals_index"));
    let times = related.own()?;
    let all = (vec![times.len() as f64], vec![intervals.len() as f64 / 2.0]);
    let (ends, stops) = ends.zip(stops).filter(|(a, b)| a.len() == b.len()).unwrap_or(all);
    let (mut outside, mut from) = (Vec::new(), [0, 0]);
    for (end, stop) in ends.iter().zip(&stops) {
        let to = [index(*end)?, index(stop * 2.0)?];
        let own = intervals.get(from[1]..to[1])?;
        let is_outside = |time: &f64| {
            let mut own = neighbours(own).step_by(2);
            time.is_finite() && !own.any(|(low, high)| *time >= low - NEAR && *time <= high + NEAR)
        };
        // Where nothing is said of a unit, nothing is outside.
        let some = times.get(from[0]..to[0])?.iter().filter(|_| !own.is_empty());
        outside.extend(some.copied().filter(is_outside));
        from = to;
    }
    // What is outside of all of them is told where that is most.
    let all = times.iter().copied().filter(|time| *time < low || *time > high);
    let is_most = all.clone().count() * 2 > times.len();
    let outside = if is_most { all.collect() } else { outside };
    let sentence = format!(
        "{} spike times are outside obs_intervals, {} s, such as {} s",
        out_of(outside.len(), times.len()),
        from_to(low, high),
        short(*outside.first()?)
    );
    let fix = "NWB counts them from the start of the session. Likely cause: they are relative to events, or in another unit.";
    let problem = related.warning_if(outside.len() * ONE_IN > times.len(), sentence, fix);
    note_unless(is_most, problem)
}
