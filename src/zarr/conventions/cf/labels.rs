//! The values of coordinates that are no numbers of one dimension: names that were cut to the length of their data type, and
//! numbers of two dimensions, one of which stands for those that are missing.

use super::ranges::{DEGREES, PLACES, angle};
use crate::zarr::conventions::prelude::*;

/// The most values that are read.
const MOST: u64 = 1 << 17;
/// The most names that are compared, none of which asks whether to stop.
const MOST_NAMES: u64 = 1 << 15;
/// The ends of the names that the model WRF gives places, whose units are degrees alone.
const WRF: [&str; 2] = ["XLAT", "XLONG"];
/// The fewest values that are alike.
const FEWEST: usize = 3;
/// By how many times a value is further from the others than these are from each other.
const FAR: f64 = 3.0;

/// The problem of the values of a coordinate; `None` where it is none of these, is too long, or cannot be read.
pub(in crate::zarr::conventions) fn check(related: &Related) -> Option<Problem> {
    let &Related { path, array, .. } = related;
    let shape = array.known_shape()?;
    let names = array.dimension_names.as_ref()?;
    let count = order::product(shape).filter(|count| (2..=MOST).contains(count))?;
    let problem = match names.as_slice() {
        [own] if count <= MOST_NAMES && is_text(array) => {
            let (scalars, _) = related.scalars()?;
            let is_coordinate = own.as_deref() == Some(path.name());
            let has_role = array.attributes().is_some_and(|it| it.get("cf_role").is_some());
            let width = array.data_type()?.fixed_size();
            cut_paths(scalars, width?)
                .or_else(|| cut(scalars).filter(|_| is_coordinate || has_role))?
        }
        [_, _] if is_number(array) => {
            let units = related.own_text("units").unwrap_or_default();
            let is_place = related.own_text("standard_name").is_some_and(|it| PLACES.contains(&it))
                || angle(units).is_some()
                || DEGREES.contains(&units) && WRF.iter().any(|it| path.name().ends_with(it));
            let has = |key: &str| related.attributes().is_some_and(|it| it.get(key).is_some());
            let is_marked = ["_FillValue", "missing_value"].into_iter().any(has);
            let values = is_place.then(|| related.numbers_of(path, array))??;
            if let Some(problem) = block(&values, shape).or_else(|| few(&values)) {
                return in_file_of(array, problem);
            }
            (!is_marked).then_some(())?;
            let packing = Packing::of(array);
            mark(values.into_iter().filter(|value| !packing.is_mark(*value)))?
        }
        _ => return None,
    };
    in_file_of(array, problem)
}

/// The number of characters of a text, and those that its data type holds at most.
fn length(scalar: &Scalar) -> Option<usize> {
    match scalar {
        Scalar::NullTerminated(bytes) => Some(bytes.len()),
        Scalar::Utf32(units) => Some(units.len()),
        _ => None,
    }
}

/// The warning on names that come again, each of which is as long as the longest: what made them different is cut off.
fn cut(names: &[Scalar]) -> Option<Problem> {
    /// The shortest names of which all may be alike.
    const LONG: usize = 5;
    let lengths: Vec<usize> = names.iter().map(length).collect::<Option<_>>()?;
    let longest = *lengths.iter().max()?;
    let texts: Vec<String> = names.iter().map(ToString::to_string).collect();
    let mut counts = HashMap::<&str, usize>::new();
    for text in &texts {
        *counts.entry(text).or_default() += 1;
    }
    let again = |text: &String| counts.get(text.as_str()).is_some_and(|count| *count > 1);
    let (count, first) = count_and_first(&texts, again)?;
    let are_long =
        texts.iter().zip(&lengths).all(|(text, length)| *length == longest || !again(text));
    // Codes of one length may come again.
    let has_shorter = lengths.iter().any(|length| *length < longest);
    let is_one = counts.len() == 1 && names.len() >= FEWEST && longest >= LONG;
    if !are_long || !(has_shorter || is_one) {
        return None;
    }
    let found = format!(
        "{} names that come again, the first at [{first}]: {}",
        out_of(count, names.len()),
        texts.get(first)?
    );
    let fix = format!(
        "Each of them has the {}, of the longest name there is: likely, longer names were cut when they were appended.",
        counted(longest as u64, "character")
    );
    Some(mismatch(Code::CfCoordinateOrder, (found, "a different name for each element"), fix))
}

/// The note on long paths without an extension, all of which are as long as their data type lets them be, and of which
/// some came out the same.
fn cut_paths(texts: &[Scalar], width: usize) -> Option<Problem> {
    const LONG: usize = 32;
    let widths = texts.iter().map(|text| match text {
        Scalar::NullTerminated(bytes) => Some(bytes.len()),
        Scalar::Utf32(units) => Some(units.len() * 4),
        _ => None,
    });
    let texts: Vec<String> = widths
        .zip(texts)
        .map(|(own, text)| (own? == width).then(|| text.to_string()))
        .collect::<Option<_>>()?;
    let different = texts.iter().collect::<HashSet<_>>().len();
    let is_path = |text: &String| {
        let name = text.rsplit_once(['/', '\\']).map(|(_, name)| name);
        name.is_some_and(|name| !name.contains('.')) && text.chars().count() >= LONG
    };
    let are_paths = texts.iter().all(is_path);
    let first = texts.first().filter(|_| are_paths && different < texts.len())?;
    let found = format!(
        "all {} paths are as long as the data type lets them be, and {} came out the same as another, such as {first}",
        grouped(texts.len()),
        grouped(texts.len() - different)
    );
    let fix = "Likely cause: longer ones were cut when they were written. Folders whose names are all of one length look the same.";
    Some(note(finding(Code::CfCoordinateOrder, found, fix)))
}

/// The warning on places nearly all of which are missing.
fn few(values: &[f64]) -> Option<Problem> {
    /// Of so many places, one is there at most.
    const ONE_IN: usize = 20;
    let there = finite(values).count();
    let found = format!("{} places are missing", out_of(values.len() - there, values.len()));
    let fix = "Likely cause: only the first ones were written. Of the others, nothing is known of where they are.";
    (there > 0 && there * ONE_IN <= values.len())
        .then(|| finding(Code::CfCoordinateMissing, found, fix))
}

/// The note on places that are missing in one block of rows and columns, and nowhere else.
fn block(values: &[f64], shape: &[u64]) -> Option<Problem> {
    const FEWEST: usize = 16;
    let columns = nonzero(*shape.last()?)?;
    let missing = || values.iter().enumerate().filter(|(_, it)| it.is_nan()).map(|(at, _)| at);
    let count = missing().count();
    let (top, bottom) = (missing().next()? / columns, missing().next_back()? / columns);
    let left = missing().map(|at| at % columns).min()?;
    let right = missing().map(|at| at % columns).max()?;
    let is_block = (bottom - top + 1) * (right - left + 1) == count;
    (is_block && count >= FEWEST && count * 2 < values.len()).then_some(())?;
    let found = format!(
        "{} places are missing: rows {top} to {bottom}, columns {left} to {right}",
        out_of(count, values.len())
    );
    let fix = "Likely cause: this part was not written, as by models that leave out blocks of land. Programs that draw by the places, or look for the nearest one, fail or leave it out.";
    Some(note(finding(Code::CfCoordinateMissing, found, fix)))
}

/// The note on a number that several elements have, far from all others.
fn mark(values: impl IntoIterator<Item = f64>) -> Option<Problem> {
    let sorted = sorted(&values.into_iter().filter(|it| it.is_finite()).collect::<Vec<f64>>());
    let (low, high) = (*sorted.first()?, *sorted.last()?);
    let [from_low, from_high] = [low, high].map(|end| {
        let rest: Vec<f64> =
            sorted.iter().copied().filter(|it| it.total_cmp(&end).is_ne()).collect();
        let (first, last) = (*rest.first()?, *rest.last()?);
        let apart = (first - end).abs().min((last - end).abs());
        let count = sorted.len() - rest.len();
        let is_mark = count >= FEWEST && rest.len() >= count && apart > FAR * (last - first);
        is_mark.then_some((end, count, first, last))
    });
    let (end, count, first, last) = from_low.or(from_high)?;
    let found = format!(
        "{} values are {}, the others {}",
        out_of(count, sorted.len()),
        short(end),
        from_to(first, last)
    );
    let fix =
        "xarray 2026.9 reads them as places. _FillValue or missing_value marks them as missing.";
    Some(note(mismatch(Code::CfMark, (found, quoted("_FillValue")), fix)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_were_cut_are_told_and_codes_are_not() {
        let texts = |names: &[&str]| -> Vec<Scalar> {
            names.iter().map(|name| Scalar::NullTerminated(name.as_bytes().into())).collect()
        };
        assert!(cut(&texts(&["red", "green", "blue", "near_", "near_"])).is_some());
        assert!(cut(&texts(&["station", "station", "station"])).is_some());
        for healthy in [
            &["red", "green", "blue"][..],
            &["DJF", "MAM", "DJF", "MAM"],
            &["a", "a", "longer"],
            &["x", "x", "x", "x"],
        ] {
            assert!(cut(&texts(healthy)).is_none(), "{healthy:?}");
        }
    }

    #[test]
    fn a_number_far_from_all_others_is_told() {
        let places: Vec<f64> = (0..40).map(|n| 4e6 + f64::from(n) * 1e3).collect();
        let with = |mark: f64, count: usize| [places.clone(), vec![mark; count]].concat();
        assert!(mark(with(-1e6, 8)).is_some());
        assert!(mark(with(-1e6, 1)).is_none() && mark(with(4.1e6, 8)).is_none());
        assert!(mark(places.clone()).is_none() && mark([7.0; 9]).is_none());
    }

    #[test]
    fn places_that_are_missing_in_one_block_are_told_and_others_are_not() {
        let with = |is_missing: &dyn Fn(usize, usize) -> bool| {
            let at = |at: usize| if is_missing(at / 10, at % 10) { f64::NAN } else { 1.0 };
            block(&(0..100).map(at).collect::<Vec<f64>>(), &[10, 10])
        };
        assert!(with(&|row, column| row > 5 && column > 4).is_some());
        assert!(with(&|row, column| row > 5 && column > row).is_none());
        assert!(
            with(&|row, column| row > 7 && column > 7).is_none() && with(&|_, _| false).is_none()
        );
    }

    #[test]
    fn paths_that_fill_their_type_are_told_where_some_are_the_same() {
        let scalar = |text: String| Scalar::NullTerminated(text.as_bytes().into());
        let texts = |ends: [&str; 2]| {
            let text =
                |end: &&str| scalar(format!("{:/<40}{end}", "archive/2022/winter/station_1"));
            cut_paths(&ends.iter().chain(&ends).map(text).collect::<Vec<Scalar>>(), 44)
        };
        assert!(texts(["/202", "/203"]).is_some());
        assert!(texts(["/2.n", "/3.n"]).is_none() && texts(["/20", "/202"]).is_none());
        let units: Vec<Scalar> = (0..4).map(|_| scalar("m/s".to_owned())).collect();
        assert!(cut_paths(&units, 3).is_none());
    }
}
