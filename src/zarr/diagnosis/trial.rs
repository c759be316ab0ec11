//! A cause that is a reading, tried on one chunk: what it reads before and after.

use super::filters;
use super::prelude::*;
use crate::zarr::words;

/// The number of values told.
const VALUES: u64 = 4;
/// The number of elements among which one that differs is looked for.
const SEARCHED: u64 = 1 << 12;
/// The most characters of a value.
const LONGEST: usize = 24;

/// Reads a chunk as declared and as the settings of a cause say, where it has some, and notes what comes of it.
pub fn tried(case: &Case, diagnosis: &mut Diagnosis) {
    let supposed = diagnosis.what_if().and_then(|what_if| case.supposing(what_if));
    let Some((supposed, sample)) = supposed.zip(case.example()) else { return };
    let read = |array| case.read(array, &sample);
    let Some(after) = read(&supposed) else { return };
    let (before, from) = match (read(case.array), &sample.error) {
        (Some(before), _) => match first_change(&before, &after) {
            Some(from) => (values(&before, from), from),
            None => return,
        },
        (None, Some(error)) => (format!("error: {}", safe(&error.found)), 0),
        (None, None) => return,
    };
    diagnosis.before_and_after = Some((before, values(&after, from)));
}

/// The first element, in C order, of which both make something else.
fn first_change(before: &Elements, after: &Elements) -> Option<u64> {
    let at = |elements: &Elements, index| {
        elements.value(elements.position(&elements.coordinates_of_index(index)))
    };
    let differ = |index: &u64| match (at(before, *index), at(after, *index)) {
        (Some(Ok(before)), Some(Ok(after))) => before != after,
        _ => true,
    };
    (0..before.len().min(after.len()).min(SEARCHED)).find(differ)
}

/// A few values of a chunk, from the element `from` in C order.
fn values(elements: &Elements, from: u64) -> String {
    let end = elements.len().min(from.saturating_add(VALUES));
    let value = |index: u64| {
        let at = elements.position(&elements.coordinates_of_index(index));
        match elements.value(at) {
            Some(Ok(value)) => words::cut(&safe(&value.to_string()), LONGEST),
            Some(Err(_)) | None => "unreadable".to_owned(),
        }
    };
    let texts: Vec<String> = (from..end).map(value).collect();
    let (start, more) =
        (if from > 0 { "… " } else { "" }, if end < elements.len() { " …" } else { "" });
    format!("{start}{}{more}", texts.join(" "))
}

/// The chunks of both cases as the second one reads them.
fn samples_after(before: &Case, after: &Case) -> Vec<Sample> {
    let samples = before.failed().into_iter().chain(before.sound());
    samples
        .filter_map(|sample| Some(Sample { at: after.layout.chunk(&sample.key)?, ..sample }))
        .collect()
}

/// True if values as `after` declares them are no less plausible than as `before` does, where that can be decoded.
pub fn is_as_plausible(before: &Case, after: &Case) -> bool {
    let samples: Vec<Sample> = before.failed().into_iter().chain(before.sound()).collect();
    let old = ReadingOutcome::of(before, before.array, &samples);
    let new = ReadingOutcome::of(after, after.array, &samples_after(before, after));
    let is_no_worse = || {
        // The same filters in another order sum the same numbers, so that the sums can be compared.
        if are_reordered(before, after) {
            return new.badness_of_values() <= old.badness_of_values() + NOISE;
        }
        speaks_for_differences(before, after).unwrap_or_else(|| !is_less_plausible(&new, &old))
    };
    let is_shown = || filters::has_fills(before, &old, &new);
    new.is_sensible() && (old.fits < old.of || is_no_worse() || is_shown())
}

/// True if both have the same filters, in another order.
fn are_reordered(before: &Case, after: &Case) -> bool {
    let filters = |case| filters::declared_filters(case).unwrap_or_default();
    let (old, new) = (filters(before), filters(after));
    old != new && old.len() == new.len() && old.iter().all(|filter| new.contains(filter))
}

/// True if the borders of chunks say that a filter that keeps differences was left out, or was declared in vain: the values
/// themselves do not tell, since differences take fewer bits than what they are of. `None` where no such filter changes.
fn speaks_for_differences(before: &Case, after: &Case) -> Option<bool> {
    let filters = |case| filters::declared_filters(case).unwrap_or_default();
    let (old, new) = (filters(before), filters(after));
    let keeps = |filters: &[Json]| filters.iter().any(|it| filters::is_difference(after, it));
    if old == new || !keeps(&old) && !keeps(&new) {
        return None;
    }
    let continuity = |case: &Case| {
        let blocks = AdjacentChunks::of(case, case.array, &case.adjacent())?;
        Some(Continuity::of(&blocks.seams(&blocks.declared(), None)))
    };
    let borders = continuity(before).zip(continuity(after));
    Some(borders.is_some_and(|(then, now)| {
        // Sums begin anew in each chunk, and go on from the one before only where they are what is meant.
        if keeps(&old) { then.is_broken_often() && now.mends(&then) } else { now.is_whole() }
    }))
}

/// By so many bits a byte, noise makes one reading seem less plausible than another.
const NOISE: f64 = 0.1;

/// True if the values of `one` are less plausible than those of `other`.
pub(super) fn is_less_plausible(one: &ReadingOutcome, other: &ReadingOutcome) -> bool {
    one.measure.is_some() && other.measure.is_some() && one.badness() > other.badness() + NOISE
}

/// The readings that are as plausible as the one that `after` declares and `before` does not: then nothing says which it is.
pub fn as_plausible_readings(before: &Case, after: &Case) -> Vec<String> {
    let name = |array: &ArrayMetadata| array.data_type().map(|data_type| data_type.name());
    if name(before.array) == name(after.array) {
        as_plausible_filters(before, after)
    } else {
        as_plausible_types(before, after)
    }
}

/// The other numbers of the same width, as which the values are as plausible.
fn as_plausible_types(before: &Case, after: &Case) -> Vec<String> {
    let name = |array: &ArrayMetadata| array.data_type().map(|data_type| data_type.name());
    let bits = after.array.data_type().and_then(|it| it.fixed_size()).unwrap_or(0) * 8;
    let kinds = ["int", "uint", "float"].map(|kind| format!("{kind}{bits}"));
    let (Some(old), Some(new)) = (name(before.array), name(after.array)) else { return Vec::new() };
    if !kinds.contains(&new) {
        return Vec::new();
    }
    let samples = samples_after(before, after);
    let known = ReadingOutcome::of(after, after.array, &samples);
    let is_tie = |kind: &String| {
        let what_if = WhatIf::of(SettingMember::Dtype, kind);
        let Ok(array) = what_if.apply(after.array) else { return false };
        let other = ReadingOutcome::of(after, &array, &samples);
        let are_numbers = !kind.starts_with("float") && !new.starts_with("float");
        let is_worse = if are_numbers {
            // A sign makes values that go through 0 jump, and few do.
            other.badness() > known.badness() + SIGNED
        } else {
            is_less_plausible(&other, &known) || is_float(bits, kind, &other)
        };
        other.fits == other.of && other.is_sensible() && !is_worse
    };
    let others = kinds.iter().filter(|kind| **kind != new && **kind != old);
    others.filter(|kind| is_tie(kind)).cloned().collect()
}

/// By so many bits a byte, integers of the one sign are less plausible than those of the other.
const SIGNED: f64 = 0.002;

/// True if integers of this kind use nearly all of their bits, as floats do: of floats that are plausible, these are
/// what they are.
fn is_float(bits: usize, kind: &str, outcome: &ReadingOutcome) -> bool {
    let all = 2_f64.powi(i32::try_from(bits).unwrap_or(0) - 3);
    let range = outcome.measure.map_or((0.0, 0.0), |measure| measure.range);
    bits > 16 && !kind.starts_with("float") && range.0.abs().max(range.1.abs()) >= all
}

/// The other arrangements of the filters, with which values are more plausible as well.
fn as_plausible_filters(before: &Case, after: &Case) -> Vec<String> {
    let filters = |case| filters::declared_filters(case).unwrap_or_default();
    let (declared, new) = (filters(before), filters(after));
    if declared.len() < 2 || declared == new {
        return Vec::new();
    }
    let reversed = declared.iter().rev().cloned().collect();
    let without = (0..declared.len()).map(|at| {
        let mut rest = declared.clone();
        rest.remove(at);
        rest
    });
    let others: Vec<Vec<Json>> = without.chain([reversed]).filter(|it| *it != new).collect();
    let samples = samples_after(before, after);
    let outcome = |array: &ArrayMetadata| ReadingOutcome::of(after, array, &samples);
    let (old, known) = (outcome(before.array), outcome(after.array));
    let enough = f64::midpoint(old.badness(), known.badness());
    let is_tie = |what_if: &WhatIf| {
        let other = what_if.apply(before.array).map(|array| outcome(&array));
        other.is_ok_and(|it| it.fits == it.of && it.is_sensible() && it.badness() <= enough)
    };
    others.into_iter().map(WhatIf::filters).filter(is_tie).map(|it| it.to_string()).collect()
}
