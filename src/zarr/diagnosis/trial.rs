//! A cause that is a reading, tried on one chunk: what it reads before and after.

use super::case::Case;
use crate::zarr::{codec::Elements, error::Diagnosis, text::safe, what_if::WhatIf, words};

/// The number of values told.
const VALUES: u64 = 4;
/// The number of elements among which one that differs is looked for.
const SEARCHED: u64 = 1 << 12;
/// The most characters of a value.
const LONGEST: usize = 24;

/// Reads a chunk as declared and as the settings of a cause say, where it has some, and notes what comes of it.
pub fn tried(case: &Case<'_>, diagnosis: &mut Diagnosis) {
    let what_if = diagnosis.what_if.as_deref().and_then(|settings| WhatIf::parse(settings).ok());
    let supposed = what_if.and_then(|what_if| case.supposing(&what_if));
    let Some((supposed, sample)) = supposed.zip(case.example()) else { return };
    let budget = case.budget();
    let read = |array| case.decode(array, &sample.at, sample.bytes.clone(), &budget);
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
