//! Contiguous ragged arrays: an array with the attribute `sample_dimension` counts the elements of each trajectory, profile
//! or station, which follow each other along that dimension.

use super::super::region;
use crate::zarr::conventions::prelude::*;

/// The most counts and elements that are read.
const MOST: u64 = 1 << 20;
/// The fewest features of which a few may be out of order.
const FEWEST: usize = 3;
/// The most features that are broken by two counts which were exchanged.
const EXCHANGED: usize = 2;
/// Of so many features, one may be: else times have no order.
const ONE_IN: usize = 2;

/// The problem that counts do not add up to the length of their dimension, or that times go back within features and would not
/// if two counts were exchanged, or only there.
pub(in crate::zarr::conventions) fn check(related: &Related) -> Option<Problem> {
    let &Related { hierarchy, array, budget, .. } = related;
    let attributes = related.attributes()?;
    let json = attributes.get("sample_dimension")?;
    let dimension = json.as_str()?;
    if !is_number(array) || !(1..=MOST).contains(&related.length()?) {
        return None;
    }
    let (counts, _) = related.scalars()?;
    let counts: Vec<usize> = counts
        .iter()
        .map(|it| it.to_integer().and_then(|it| usize::try_from(it).ok()))
        .collect::<Option<_>>()?;
    // Times are better than anything else along the dimension.
    let mut sibling = None;
    let times = related.find_beside(|path, array| {
        let names = array.dimension_names.as_deref()?;
        matches!(names, [Some(name)] if name == dimension).then_some(())?;
        let is_time = matches!(Packing::of(array).dates, Some(Ok(_)));
        let found = (path.clone(), array.clone());
        if is_time {
            return Some(found);
        }
        sibling.get_or_insert(found);
        None
    });
    let is_time = times.is_some();
    let (at, samples) = times.or(sibling)?;
    let length = length(&samples)?;
    let sum: usize = counts.iter().fold(0, |sum, count| sum.saturating_add(*count));
    let warn = |found: String, expected: String| {
        attributes.warning(Code::CfReference, ("sample_dimension", json), found, expected)
    };
    if sum as u64 != length {
        let found = format!("{}, with counts that add up to {}", quoted(dimension), grouped(sum));
        return Some(warn(found, format!("{}, the length of the dimension", grouped(length))));
    }
    if !is_time || length > MOST || counts.len() < FEWEST {
        return None;
    }
    let (times, _) = region::scalars(&*hierarchy.store, &at, &samples, budget)?;
    let times: Vec<f64> = times.iter().map(Scalar::to_f64).collect::<Option<_>>()?;
    let broken = backwards(&times, &counts)?;
    let first = *broken.first().filter(|_| broken.len() * ONE_IN <= counts.len())?;
    // Two counts that are exchanged break at most the features that both end.
    let beside =
        broken.iter().take(EXCHANGED).flat_map(|at| at.checked_sub(1).into_iter().chain([*at]));
    let mended =
        beside.filter(|at| at + 1 < counts.len()).take_while(|_| !budget.is_stopped()).find(|at| {
            let mut other = counts.clone();
            other.swap(*at, at + 1);
            backwards(&times, &other).is_some_and(|it| it.is_empty())
        });
    let found = format!(
        "{}, with counts by which {} goes back within {} of {}, the first one [{first}]",
        quoted(dimension),
        quoted(at.name()),
        counted(broken.len() as u64, "feature"),
        grouped(counts.len())
    );
    let expected = "counts at whose ends the features end".to_owned();
    let warning = warn(found, expected);
    let Some(at) = mended else { return Some(warning) };
    let [one, other] = [at, at + 1].map(|at| counts.get(at).copied().unwrap_or(0));
    let fix = format!(
        "With [{at}] and [{}] exchanged ({one} and {other}), it goes back within none.",
        at + 1
    );
    Some(with_fix(warning, fix))
}

/// The features within which times go back; `None` where some are no times.
fn backwards(times: &[f64], counts: &[usize]) -> Option<Vec<usize>> {
    let mut rest = times;
    let mut found = Vec::new();
    for (at, count) in counts.iter().enumerate() {
        let (own, others) = rest.split_at_checked(*count)?;
        if neighbours(own).any(|(a, b)| b < a) {
            found.push(at);
        }
        rest = others;
    }
    Some(found)
}
