//! Arrays that are related by what they hold: numbers that name elements of another one, counts of what another one has,
//! times of one recording, levels of one image. Each rule asks by the names of a format first, which costs nothing elsewhere.

use super::{
    ValueCheck,
    prelude::{grouped, short},
    related::{MOST, Related, index},
};

mod annotations;
pub(super) mod channels;
mod counts;
mod derived;
pub(super) mod earth;
mod frames;
mod graphs;
mod levels;
mod pairs;
pub(super) mod planes;
mod profiles;
mod records;
pub(super) mod references;
mod regions;
mod rows;
mod series;
mod spikes;
mod tables;
mod variants;

/// The findings on an array by others that it is related to, of which the first is told.
pub(super) const ALL: &[ValueCheck] = &[
    |related| references::check(related, false),
    spikes::check,
    series::check,
    frames::check,
    regions::check,
    derived::check,
    annotations::check,
    rows::check,
    levels::check,
    records::check,
    pairs::check,
    profiles::check,
    counts::check,
    variants::check,
    graphs::check,
];

/// What elements are by others.
struct Due {
    /// The name of the array.
    name: String,
    /// Each element as it is stored, and as it is due.
    pairs: Vec<[f64; 2]>,
    /// The words for what is due.
    what: String,
}

/// A count, with its digits in groups.
fn whole(number: f64) -> String {
    index(number).map_or_else(|| short(number), grouped)
}

/// The same numbers as bits in ascending order: two lists that have them in another order are the same then.
fn sorted(values: &[f64]) -> Vec<f64> {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    values
}

/// True if two lists hold the same numbers, most of them at another place, and enough different ones for that to be no accident.
fn is_reordered(one: &[f64], other: &[f64]) -> bool {
    const FEWEST: usize = 12;
    const DIFFERENT: usize = 8;
    let is_same = |(a, b): (&f64, &f64)| a.total_cmp(b).is_eq();
    if one.len() != other.len() || one.len() < FEWEST {
        return false;
    }
    let (a, b) = (sorted(one), sorted(other));
    let mut different = a.clone();
    different.dedup_by(|a, b| is_same((a, b)));
    let in_place = one.iter().zip(other).filter(|pair| is_same(*pair)).count();
    different.len() >= DIFFERENT && in_place * 2 < one.len() && a.iter().zip(&b).all(is_same)
}
