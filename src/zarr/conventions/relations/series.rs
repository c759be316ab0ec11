//! Series and intervals of NWB files: units, rates and shapes that readers take for something else than they are, and times that
//! are far from all others of the file.

use crate::zarr::conventions::{hdmf, prelude::*};

/// The units that NWB fixes, whatever is stored.
const FIXED: [(&str, &str); 8] = [
    ("ElectricalSeries", "volts"),
    ("SpikeEventSeries", "volts"),
    ("CurrentClampSeries", "volts"),
    ("IZeroClampSeries", "volts"),
    ("VoltageClampSeries", "amperes"),
    ("CurrentClampStimulusSeries", "amperes"),
    ("VoltageClampStimulusSeries", "volts"),
    ("OptogeneticSeries", "watts"),
];

/// What comes of a series whose samples have no times.
const UNTIMED: &str =
    "pynwb 4.2.0 raises ConstructError: either 'timestamps' or 'rate' must be specified.";

/// The finding on the data of a series.
pub(super) fn data(related: &Related) -> Option<Problem> {
    let group = &related.group()?;
    let kind = &*related.text(group, "neurodata_type")?;
    let has = |name: &str| related.hierarchy.has(&group.child(name));
    let is_linked = |name| hdmf::is_linked(related.hierarchy, group, name);
    let is_timed = ["timestamps", "starting_time"].into_iter().any(|it| has(it) || is_linked(it));
    if !kind.ends_with("Series") {
        return None;
    }
    if !is_timed {
        let sentence = format!("{} has neither timestamps nor starting_time", quoted(group.name()));
        return related.warning(sentence, UNTIMED).map(note);
    }
    let attributes = related.attributes()?;
    let unit = attributes.get_str("unit").unwrap_or_default();
    let fixed = FIXED.iter().find(|(of, _)| *of == kind).map(|(_, unit)| *unit);
    if let Some(fixed) = fixed {
        let own = unit.to_lowercase();
        let is_it = ["", "amps"].contains(&&*own)
            || own == fixed
            || fixed.strip_suffix('s') == Some(&own)
            || own.len() == 1 && fixed.starts_with(&own);
        let sentence =
            format!("unit is {}, and NWB fixes {} for {kind}", quoted(unit), quoted(fixed));
        let fix = format!(
            "pynwb 4.2.0 gives {} whatever is stored: conversion has to turn the values into {fixed}.",
            quoted(fixed)
        );
        if !is_it {
            return related.warning(sentence, fix);
        }
    }
    if attributes.number("conversion").is_some_and(|it| it.abs() <= 0.0) {
        let fix = "All values are 0 once they are multiplied by it.";
        return related.warning("conversion is 0".to_owned(), fix);
    }
    if attributes.get_str("unit").is_some_and(|unit| unit.trim().is_empty()) {
        let fix = "What the values mean is not known.";
        return related.warning("unit is empty".to_owned(), fix).map(note);
    }
    let shape = related.array.known_shape()?;
    let files = related.shape(&group.child("external_file"));
    if files.is_some_and(|it| it.iter().all(|it| *it > 0)) && shape.iter().all(|it| *it > 0) {
        let sentence = format!("{} has data, and an external_file", quoted(group.name()));
        return related.warning(sentence, "Which of them holds is not defined.").map(note);
    }
    if let &[count, columns] = shape.as_slice() {
        /// The most samples and the fewest columns that are taken for each other.
        const FEW: u64 = 32;
        const MANY: u64 = 1000;
        let is_counted = ["electrodes", "rois", "timestamps"].into_iter().any(&has);
        // Where it is counted, what is turned is told there.
        let is_place = kind == "SpatialSeries" && columns > 3 && (count >= columns || !is_counted);
        if is_place || !is_counted && count < FEW && columns >= MANY {
            let sentence = format!(
                "{} has {} samples of {} values",
                quoted(group.name()),
                grouped(count),
                grouped(columns)
            );
            let fix = "Time is the first dimension of NWB, and a place has 3 coordinates at most. Where there are far more columns than samples, data are likely transposed.";
            return related.warning(sentence, fix).map(note);
        }
    }
    match (kind, fixed) {
        ("SpatialSeries", _) => places(related, &attributes, unit),
        (_, Some("volts" | "amperes")) => strong(related, group, &attributes, unit),
        _ => None,
    }
}

/// The warning on potentials and currents that no electrode measures: counts or microvolts that are taken for volts.
fn strong(
    related: &Related,
    group: &NodePath,
    attributes: &Attributes,
    unit: &str,
) -> Option<Problem> {
    /// Electrodes measure thousandths of it, and inputs beside them 10.
    const MOST: f64 = 20.0;
    let factor = attributes.number("conversion").unwrap_or(1.0);
    let of_each = related.numbers(&group.child("channel_conversion"));
    let of_each = of_each.and_then(|all| ends(finite(&all))).map_or(1.0, |[_, high]| high);
    let reader = related.reader(related.path, related.array)?;
    let [low, high] = ends(finite(&RegionValues::first(&reader, related.budget)?.values))?;
    let offset = attributes.number("offset").unwrap_or(0.0);
    let most = [low, high]
        .map(|it| (it * factor * of_each + offset).abs())
        .into_iter()
        .fold(0.0, f64::max);
    let are_counts = (factor - 1.0).abs() < f64::EPSILON && related.is_integer();
    let sentence = if are_counts {
        format!(
            "conversion is 1 and unit {}: the whole numbers of {} would be up to {} {unit}",
            quoted(unit),
            quoted(group.name()),
            short(most)
        )
    } else {
        format!(
            "with conversion {}, {} would be up to {} {unit}",
            short(factor),
            quoted(group.name()),
            short(most)
        )
    };
    let fix = if are_counts {
        "Likely cause: they are counts of the amplifier, and conversion is to be its gain."
    } else {
        "Likely cause: conversion, or the values, are in microvolts or the like, and not in the unit."
    };
    let is_far = most > MOST || are_counts && most > MOST / 2.0;
    related.warning_if(is_far, sentence, fix)
}

/// The warning on gains of `SpikeInterface` with which a recording is beyond what amplifiers give.
pub(super) fn gain(related: &Related) -> Option<Problem> {
    /// In microvolts.
    const MOST: f64 = 2e7;
    let root = related.group()?.parent()?;
    let offsets = related.numbers_beside("offset_to_uV").unwrap_or_default();
    let gains = related.own()?;
    let path = root.child("traces_seg0");
    let array = related.existing(&path)?;
    let reader = related.reader(&path, &array)?;
    let read = RegionValues::first(&reader, related.budget)?;
    let channels = gains.len();
    (array.known_shape()?.get(1) == Some(&(channels as u64))).then_some(())?;
    let first = gains.first().zip(offsets.first());
    if let Some(problem) = first.and_then(|first| offset(related, first, &read.values)) {
        return Some(problem);
    }
    let at = |(at, value): (usize, &f64)| {
        let channel = at % channels;
        let offset = offsets.get(channel).copied().unwrap_or(0.0);
        Some((value * gains.get(channel)? + offset).abs())
    };
    let most =
        read.values.iter().enumerate().filter_map(at).reduce(f64::max).filter(|it| *it > MOST)?;
    let [_, high] = ends(finite(gains))?;
    let sentence = format!(
        "with gain_to_uV up to {}, traces would be up to {} V",
        short(high),
        short(most / 1e6)
    );
    let fix = "Likely cause: the gain is that to another unit, such as volts, and was converted twice, or the traces are microvolts already.";
    related.warning(sentence, fix)
}

/// The warning on an offset of half the range of unsigned traces, which are around 0 without it.
fn offset(related: &Related, (gain, offset): (&f64, &f64), traces: &[f64]) -> Option<Problem> {
    /// The bits that amplifiers have, without that of the sign.
    const BITS: std::ops::RangeInclusive<i32> = 7..=23;
    let counts = -offset / gain;
    let is_half = BITS.into_iter().any(|bits| (counts / 2_f64.powi(bits) - 1.0).abs() < 1e-4);
    let middle = median(traces)?;
    let sentence = format!(
        "offset_to_uV is -{} times gain_to_uV, which fits unsigned traces around that number; these are around {}",
        super::whole(counts.round()),
        short(middle)
    );
    let fix = "Likely cause: the traces were made signed, which took the offset from them, and it is taken once more. Set offset_to_uV to 0.";
    related.warning_if(is_half && middle.abs() < counts / 4.0, sentence, fix)
}

/// The finding on places and angles that are in another unit than theirs.
fn places(related: &Related, attributes: &Attributes, unit: &str) -> Option<Problem> {
    use std::f64::consts::PI;
    /// The share of a turn that values reach, and the fewest of them.
    const REACH: f64 = 0.98;
    const FEWEST: usize = 100;
    /// In meters: mazes are far smaller.
    const WIDE: f64 = 100.0;
    let factor = attributes.number("conversion").unwrap_or(1.0);
    let values: Vec<f64> = related.own()?.iter().map(|it| it * factor).collect();
    let [low, high] = ends(finite(&values)).filter(|_| values.len() >= FEWEST)?;
    let is_turn = |half: f64| {
        let is_from_zero = low >= 0.0
            && low <= (1.0 - REACH) * half
            && high > 2.0 * REACH * half
            && high <= 2.001 * half;
        is_from_zero
            || low >= -1.001 * half
                && low < -REACH * half
                && high > REACH * half
                && high <= 1.001 * half
    };
    let what = if ["radians", "radian"].contains(&unit) && is_turn(180.0) {
        "degrees"
    } else if ["degrees", "degree"].contains(&unit) && is_turn(PI) {
        "radians"
    } else if unit == "meters" && related.array.known_shape()?.len() == 2 && high - low > WIDE {
        "pixels, or centimeters: pynwb 4.2.0 writes meters where no unit is given"
    } else {
        return None;
    };
    let sentence = format!("values from {}, and the unit is {}", from_to(low, high), quoted(unit));
    note_unless(unit != "meters", related.warning(sentence, format!("Likely, they are {what}.")))
}

/// The finding on the start and the rate of a series.
pub(super) fn clock(related: &Related) -> Option<Problem> {
    /// In seconds: what is longer is a rate in kHz, or a period.
    const LONG: f64 = 1000.0;
    const YEAR: f64 = 3.2e7;
    let group = &related.group()?;
    let attributes = related.attributes();
    let name = quoted(group.name());
    if related.hierarchy.has(&group.child("timestamps")) {
        let sentence = format!("{name} has timestamps, and a starting_time with a rate");
        let fix = "Which of the two holds is not defined: pynwb 4.2.0 reads both, and refuses to write such a series.";
        return related.warning(sentence, fix).map(note);
    }
    let Some(rate) = attributes.as_ref().and_then(|it| it.number("rate")) else {
        let is_there = attributes.is_some_and(|it| it.get("rate").is_some());
        return if is_there {
            None
        } else {
            related.warning(format!("{name} has no rate"), UNTIMED)
        };
    };
    let samples = *related.shape(&group.child("data"))?.first().filter(|it| **it > 1)?;
    let told = |fix: String| {
        let sentence =
            format!("{} samples of {name} at a rate of {} Hz", grouped(samples), short(rate));
        related.warning(sentence, fix)
    };
    if rate <= 0.0 {
        return told("No times follow from it.".to_owned());
    }
    if let Some(other) = beside(related, group, samples, rate) {
        return told(format!(
            "{} has as many from the same time on, at {} Hz: likely, the rate is in kHz.",
            quoted(&other.0),
            grouped(rate * 1e3)
        ));
    }
    let long = samples as f64 / rate;
    if long < LONG || rate > 1.0 {
        return None;
    }
    let (end, _) = others(related, &related.group()?);
    let end = end.filter(|end| long > FAR * end);
    let fits = |by: f64| end.is_some_and(|end| SHARE.contains(&(long / by / end)));
    let what = if fits(rate.powi(-2)) {
        "Taken for the period in seconds, it fits these"
    } else if fits(1e3) {
        "Taken in kHz, it fits these"
    } else if long > YEAR {
        "Likely, it is the period in seconds"
    } else {
        return None;
    };
    let others = end
        .map_or_else(String::new, |end| format!(", where all other times end at {} s", short(end)));
    told(format!("They last {} s{others}. {what}.", short(long)))
}

/// The series of what was recorded or presented that begins with this one, has as many samples, and a thousand times the rate.
fn beside(related: &Related, group: &NodePath, samples: u64, rate: f64) -> Option<NodePath> {
    let root = hdmf::root(related.hierarchy, related.path);
    let start = *related.own()?.first()?;
    [root.child("acquisition"), root.child("stimulus/presentation")].iter().find_map(|of| {
        related.hierarchy.find_child(of, |child| {
            let clock = child.path.child("starting_time");
            let array = related.existing(&clock).filter(|_| child.path != *group)?;
            let other = number(array.attributes()?.get("rate")?)?;
            let is_it = (other / rate / 1e3 - 1.0).abs() < 1e-6
                && related.length_of(&child.path.child("data"), 0) == Some(samples)
                && related.numbers(&clock)?.first()?.total_cmp(&start).is_eq();
            is_it.then(|| child.path.clone())
        })
    })
}

/// The finding on the times of samples.
pub(super) fn times(related: &Related) -> Option<Problem> {
    let unit = related.own_text("unit").unwrap_or("seconds");
    if !["seconds", "second", "s", "sec", ""].contains(&&*unit.to_lowercase()) {
        let sentence = format!("unit of timestamps is {}, and NWB fixes \"seconds\"", quoted(unit));
        let fix = "pynwb 4.2.0 gives \"seconds\" whatever is stored.";
        return related.warning(sentence, fix);
    }
    let own = related.own()?;
    let (count, at) = count_and_first(own, |it| it.is_nan())?;
    let sentence =
        format!("{} timestamps are not a number, the first at [{at}]", out_of(count, own.len()));
    let fix = "When these samples were taken is not known; what looks for a time by bisection finds others.";
    related.warning(sentence, fix).map(note)
}

/// The warning on intervals that stop before they start.
pub(super) fn intervals(related: &Related) -> Option<Problem> {
    let stops = related.own()?;
    let starts = related.numbers_beside("start_time")?;
    let (count, at) = count_and_first(starts.iter().zip(stops), |(start, stop)| stop < start)?;
    let sentence = format!(
        "{} intervals stop before they start, the first at [{at}]: {} s and {} s",
        out_of(count, stops.len()),
        short(*starts.get(at)?),
        short(*stops.get(at)?)
    );
    let fix = "Both count from the start of the session. Where nearly all are so, stop_time likely holds durations.";
    related.warning(sentence, fix)
}

/// By how many times some times are beyond all others, and the share of these that they reach in another unit.
const FAR: f64 = 50.0;
const SHARE: std::ops::RangeInclusive<f64> = 0.1..=1.5;
/// The units that they may be counted in.
const UNITS: [(&str, f64); 3] =
    [("milliseconds", 1e3), ("microseconds", 1e6), ("nanoseconds", 1e9)];
/// The rates of amplifiers, where the file has none that fits.
const RATES: [f64; 10] =
    [20e3, 24e3, 24_414.062_5, 25e3, 30e3, 32e3, 32_552.083_3, 32_556.0, 40e3, 50e3];

/// The warning on times that are counted in another unit than all others, or from another moment.
pub(super) fn far(related: &Related) -> Option<Problem> {
    /// In seconds: nothing is looked up for less, and more than the other is years after any session.
    const LEAST: f64 = 1000.0;
    const EPOCH: f64 = 1e8;
    let (what, times) = (related.path.name(), related.own()?);
    let [first, last] = ends(finite(times)).filter(|[_, last]| *last > LEAST)?;
    if first > EPOCH && first > last / 2.0 {
        let root = hdmf::root(related.hierarchy, related.path);
        let since = related.first_text(&root.child("timestamps_reference_time"))?;
        let year: u32 = since.get(..4)?.parse().ok()?;
        let sentence = format!("{what} begins {} s after timestamps_reference_time", short(first));
        let fix = "NWB counts from there. Likely cause: these are counted from 1970.";
        return related.warning_if(year > 1990, sentence, fix);
    }
    let (end, mut rates) = others(related, &related.group()?);
    let end = end.filter(|end| *end > 0.0 && last > FAR * end)?;
    rates.extend(RATES);
    let fits = |rate: &f64| *rate > FAR && (last / end / rate - 1.0).abs() <= 0.02;
    let rate =
        rates.into_iter().find(fits).filter(|_| times.iter().all(|it| it.fract().abs() <= 0.0));
    let unit = UNITS.iter().find(|(_, by)| SHARE.contains(&(last / by / end)));
    let unit = match (rate, unit) {
        (Some(rate), _) => format!("samples at {} Hz", grouped(index(rate)?)),
        (None, Some((unit, _))) => (*unit).to_owned(),
        _ => return None,
    };
    let what = if what == "spike_times" { "times of spikes" } else { what };
    let sentence = format!(
        "{what} to {} s, where all other times of the recording end at {} s",
        short(last),
        short(end)
    );
    let fix = format!("Counted in {unit}, they are within it. NWB counts them in seconds.");
    related.warning(sentence, fix)
}

/// The last of the times of a file that are not in a group, and the rates in it.
fn others(related: &Related, own: &NodePath) -> (Option<f64>, Vec<f64>) {
    /// How many nodes are looked at, and how deep series are.
    const MOST: usize = 300;
    const DEEP: usize = 3;
    let root = hdmf::root(related.hierarchy, related.path);
    let names = ["intervals", "acquisition", "stimulus", "processing"];
    let mut open: Vec<(NodePath, usize)> = names.map(|name| (root.child(name), 0)).into();
    let (mut end, mut rates, mut left) = (None, Vec::new(), MOST);
    while let Some((path, depth)) = open.pop() {
        // What cannot be listed is told where it is listed.
        let _ = related.hierarchy.visit_children(&path, &mut |child| {
            let is_group = matches!(child.kind, NodeKind::Group(_));
            if is_group && child.path != *own {
                let own = end_of(related, &child.path, &mut rates).filter(|it| it.is_finite());
                end = end.into_iter().chain(own).reduce(f64::max);
            }
            if is_group && depth < DEEP {
                open.push((child.path, depth + 1));
            }
            left -= 1;
            left > 0
        });
        if left == 0 {
            break;
        }
    }
    (end, rates)
}

/// The last time of a series or of intervals.
fn end_of(related: &Related, group: &NodePath, rates: &mut Vec<f64>) -> Option<f64> {
    for name in ["stop_time", "timestamps"] {
        let path = group.child(name);
        let Some(node) = related.hierarchy.existing(&path) else { continue };
        let reader = related.reader(&path, node.kind.array()?)?;
        let mut region = reader.whole();
        let side = region.first_mut()?;
        // Intervals may be in any order.
        side.start = if name == "timestamps" { side.end.checked_sub(1)? } else { 0 };
        return Some(ends(finite(&related.values(&reader, region)?))?[1]);
    }
    let at = group.child("starting_time");
    let array = related.existing(&at)?;
    let rate = number(array.attributes()?.get("rate")?)?;
    rates.push(rate);
    let length = *related.shape(&group.child("data"))?.first()? as f64;
    Some(related.numbers(&at)?.first()? + length / rate)
}

/// The finding on frames at which external files start.
pub(super) fn frames(related: &Related) -> Option<Problem> {
    let files = related.length()?;
    let attributes = related.attributes()?;
    let starts = attributes.get("starting_frame")?.as_array()?;
    let all: Vec<u64> = starts.iter().filter_map(Json::as_u64).collect();
    let is_back = !all.is_sorted();
    let (files, count) = (counted(files, "file"), starts.len() as u64);
    let sentence = format!("{files}, and starting_frame {}", list(&all));
    let is_wrong = is_back || count != related.length()?;
    let fix = "Each file starts at the frame after those of the files before it.";
    related.warning_if(is_wrong, sentence, fix)
}

/// The note on masks that are turned against the images of their plane.
pub(super) fn turned(related: &Related) -> Option<Problem> {
    let group = &related.group()?;
    let &[_, a, b] = related.array.known_shape()?.as_slice() else { return None };
    let plane = hdmf::linked(related.hierarchy, group, "imaging_plane").filter(|_| a != b)?;
    let root = hdmf::root(related.hierarchy, related.path);
    let sentence = related.hierarchy.find_child(&root.child("acquisition"), |child| {
        let of = hdmf::linked(related.hierarchy, &child.path, "imaging_plane")?;
        let shape = related.shape(&child.path.child("data")).filter(|_| of == plane)?;
        let is_turned = shape.get(1..3)? == [b, a];
        let words = || {
            format!(
                "masks of {a} by {b}, and images of {} of {b} by {a}",
                quoted(child.path.name())
            )
        };
        is_turned.then(words)
    })?;
    let fix = "Both are of one imaging plane. Likely, one of them is transposed.";
    related.warning(sentence, fix).map(note)
}

/// The warning on the length of a wave that is no length in nanometers.
pub(super) fn wavelength(related: &Related) -> Option<Problem> {
    /// In nanometers.
    const LEAST: f64 = 10.0;
    let value = *related.own()?.first()?;
    let sentence =
        format!("{} is {}, and NWB states it in nanometers", related.path.name(), short(value));
    let fix = "Likely, it is in meters or micrometers.";
    related.warning_if(value > 0.0 && value < LEAST, sentence, fix)
}

/// The warning on a moment of a file that is after one that follows it.
pub(super) fn late(related: &Related, other: &str, fix: &str) -> Option<Problem> {
    /// In seconds: zones may be off by this.
    const DAYS: i64 = 2 * 86_400;
    let root = hdmf::root(related.hierarchy, related.path);
    related.text(&root, "neurodata_type").filter(|it| it == "NWBFile")?;
    let other = root.child(other);
    related.existing(&other)?;
    let (own, next) = (related.first_text(related.path)?, related.first_text(&other)?);
    let sentence = format!("{} is {own}, and {} {next}", related.path.name(), other.name());
    related.warning_if(super::instant(&own)? > super::instant(&next)? + DAYS, sentence, fix)
}
