//! Data with one row more than their coordinate, the first of which was never filled in.

use crate::zarr::conventions::prelude::*;

/// The fewest rows.
const FEWEST: u64 = 4;

/// The warning on a first row that holds nothing, in an array with one row more than there are names for.
pub(super) fn check(related: &Related) -> Option<Problem> {
    let shape = related.array.known_shape()?;
    let ([length, _, ..], Some(names)) = (shape.as_slice(), &related.array.dimension_names) else {
        return None;
    };
    let name = names.first()?.as_ref()?;
    let rows = length.checked_sub(1).filter(|rows| *rows >= FEWEST)?;
    let group = related.group()?;
    // A search among all siblings would cost as much again for each of many arrays: anemoi calls those of "time" "dates".
    let names = [name.clone(), format!("{name}s"), "dates".to_owned()];
    let sibling = names.iter().map(|it| group.child(it)).find(|path| {
        related.existing(path).is_some_and(|array| {
            let is_along =
                matches!(array.dimension_names.as_deref(), Some([Some(own)]) if own == name);
            is_along && array.known_shape().is_some_and(|shape| *shape == [rows])
        })
    })?;
    let reader = related.reader(related.path, related.array)?;
    let row = |at: u64| related.slice(&[at]);
    let fill = reader.fill().and_then(Scalar::to_f64).unwrap_or(0.0);
    let is_nothing =
        |value: &f64| value.abs() <= 0.0 || value.total_cmp(&fill).is_eq() || value.is_nan();
    let is_empty = row(0)?.iter().all(is_nothing);
    let goes_on = !row(1)?.iter().all(is_nothing) && !row(rows)?.iter().all(is_nothing);
    let (own, other) = (related.name(), quoted(sibling.name()));
    let sentence = format!("{own} has one row more than {other}, and [0] holds nothing");
    let fix = format!(
        "Likely cause: {own} was made with one row and then appended to: its row 1 belongs to the first of {other}, and so on."
    );
    related.warning_if(is_empty && goes_on, sentence, fix)
}
