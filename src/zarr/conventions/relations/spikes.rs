//! Times of spikes in NWB files against the other times of the recording: all are counted in seconds.

use super::Related;
use crate::zarr::conventions::prelude::*;

/// By how many times the times of spikes are beyond all others, and the share of these that they reach in another unit.
const FAR: f64 = 50.0;
const SHARE: std::ops::RangeInclusive<f64> = 0.1..=1.5;
/// The units that they may be counted in.
const UNITS: [(&str, f64); 2] = [("milliseconds", 1e3), ("microseconds", 1e6)];

/// The warning on times of spikes that are counted in another unit than all others.
pub(super) fn check(related: &Related) -> Option<Problem> {
    let units = related.path.parent().filter(|_| related.path.name() == "spike_times")?;
    related.text(&units, "neurodata_type").filter(|it| it == "Units")?;
    if let Some(problem) = fallen(related, &units).or_else(|| unobserved(related, &units)) {
        return Some(problem);
    }
    let root = units.parent()?;
    let end = ends(related, &root).into_iter().reduce(f64::max).filter(|end| *end > 0.0)?;
    let (times, _) = related.own()?;
    let last = times.iter().copied().filter(|time| time.is_finite()).reduce(f64::max)?;
    if last < FAR * end {
        return None;
    }
    let (unit, _) = UNITS.iter().find(|(_, by)| SHARE.contains(&(last / by / end)))?;
    let sentence = format!(
        "times of spikes to {} s, where all other times of the recording end at {} s",
        short(last),
        short(end)
    );
    let fix = format!("Counted in {unit}, they are within it. NWB counts them in seconds.");
    related.warning(sentence, "times of the recording", fix)
}

/// The warning on times of a unit that go back, where those of most units only go on.
fn fallen(related: &Related, units: &NodePath) -> Option<Problem> {
    let (times, _) = related.own()?;
    let (ends, _) = related.numbers(&units.child("spike_times_index"))?;
    let mut start = 0;
    let mut falls = Vec::new();
    for (unit, end) in ends.iter().enumerate() {
        let end = super::index(*end)?;
        let own = times.get(start..end)?;
        let fall = own.iter().zip(own.iter().skip(1)).find(|(a, b)| b < a);
        falls.extend(fall.map(|(a, b)| (unit, *a, *b)));
        start = end;
    }
    let (unit, before, after) = *falls.first()?;
    let sentence = format!(
        "times of spikes go back in {} of {} units, first in [{unit}]: {} s after {} s",
        grouped(falls.len()),
        grouped(ends.len()),
        short(after),
        short(before)
    );
    let fix = "Within a unit, times ascend. Likely cause: recordings were put one after the other, each with its own start.";
    (falls.len() * 2 <= ends.len()).then(|| related.warning(sentence, "times that ascend", fix))?
}

/// The warning on times most of which are outside of the intervals in which units were observed.
fn unobserved(related: &Related, units: &NodePath) -> Option<Problem> {
    related.hierarchy.existing(&units.child("obs_intervals"))?;
    let (intervals, _) = related.numbers(&units.child("obs_intervals"))?;
    let (low, high) =
        (intervals.iter().copied().reduce(f64::min)?, intervals.iter().copied().reduce(f64::max)?);
    let (times, _) = related.own()?;
    let is_outside = |time: &f64| *time < low || *time > high;
    let count = times.iter().filter(|time| is_outside(time)).count();
    let sentence = format!(
        "{} of {} spike times are outside obs_intervals, {} to {} s, such as {} s",
        grouped(count),
        grouped(times.len()),
        short(low),
        short(high),
        short(*times.iter().find(|time| is_outside(time))?)
    );
    let fix = "NWB counts them from the start of the session. Likely cause: they are relative to events, or in another unit.";
    (count * 2 > times.len()).then(|| related.warning(sentence, "times that were observed", fix))?
}

/// The ends of the intervals of a file, and of what was recorded with a rate.
fn ends(related: &Related, root: &NodePath) -> Vec<f64> {
    let mut found = Vec::new();
    let hierarchy = related.hierarchy;
    // What cannot be listed is told where it is listed.
    let _ = hierarchy.visit_children(&root.child("intervals"), &mut |child| {
        let stops = related.numbers(&child.path.child("stop_time"));
        found.extend(stops.and_then(|(stops, _)| {
            stops.into_iter().filter(|stop| stop.is_finite()).reduce(f64::max)
        }));
        true
    });
    let _ = hierarchy.visit_children(&root.child("acquisition"), &mut |child| {
        let end = || {
            let at = child.path.child("starting_time");
            let node = hierarchy.node(&at);
            let rate = Attributes::of(&node.kind)?.get("rate")?.as_number()?.parse::<f64>().ok()?;
            let length = *related.shape(&child.path.child("data"))?.first()? as f64;
            let (start, _) = related.numbers(&at)?;
            Some(start.first()? + length / rate).filter(|end| end.is_finite())
        };
        found.extend(end());
        true
    });
    found
}
