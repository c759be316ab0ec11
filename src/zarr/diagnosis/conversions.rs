//! Values that were lost when they were converted to another data type: NaN made integers, and numbers beyond the range of
//! integers, which wrap to its other end.

use super::numbers::{distinct, steps};
use super::prelude::*;

/// The fewest values of a kind that tell.
const FEW: usize = 8;
/// By how many times the smallest number of the type must be further from 0 than all others.
const FAR: f64 = 1024.0;
/// The share of large steps that must be small ones once they wrap, in tenths.
const MOST: usize = 9;

/// The cause, if values were lost in a conversion.
pub(super) fn diagnose(array: &ArrayMetadata, declared: &ReadingOutcome) -> Option<Diagnosis> {
    let name = array.data_type()?.name();
    let here = Numbers::of(&declared.chunks);
    match name.as_str() {
        "int32" | "int64" => not_numbers(array, &here, &name),
        "int16" | "uint16" if is_packed(&Packing::of(array)) => wrapped(&here, &name),
        "int16" => overflown(&here, &name),
        _ => None,
    }
}

/// The cause, if the smallest number of the type occurs among others that are nowhere near it, and nothing declares it.
fn not_numbers(array: &ArrayMetadata, here: &Numbers, name: &str) -> Option<Diagnosis> {
    let bits: i32 = name.strip_prefix("int")?.parse().ok()?;
    let least = -2_f64.powi(bits - 1);
    let is_least = |value: &f64| value.total_cmp(&least).is_eq();
    let count = here.values.iter().filter(|value| is_least(value)).count();
    let others = || here.values.iter().filter(|value| !is_least(value));
    let most = others().fold(0.0_f64, |most, value| most.max(value.abs()));
    let fill = array.fill_scalar().and_then(|fill| fill.to_f64());
    let is_declared =
        fill.is_some_and(|fill| is_least(&fill)) || !Packing::of(array).masks.is_empty();
    let is_few = count >= FEW && count * 2 < here.values.len();
    if is_declared || !is_few || most == 0.0 || most * FAR > -least {
        return None;
    }
    let or_r = if bits == 32 { ", or the NA of R" } else { "" };
    let text = format!(
        "The elements that are the smallest {name} most likely stand for missing values: NaN, converted to {name}{or_r}."
    );
    Some(
        Diagnosis::new("conversion/missing-values", text)
            .because(format!(
                "Of {} examined, {} are {least:.0}; no other is further from 0 than {most:.0}.",
                counted(here.values.len(), "element"),
                grouped(count)
            ))
            .because("Neither the fill value nor an attribute declares that number as missing. NumPy 2.5.5 converts NaN to it on x86-64."),
    )
}

/// True if attributes pack numbers that do not come round: the range of the type is no full turn.
fn is_packed(packing: &Packing) -> bool {
    const TURNS: [f64; 7] =
        [1.0, 2.0, 24.0, 180.0, 360.0, std::f64::consts::PI, std::f64::consts::TAU];
    let range = packing.factor.abs() * 65_536.0;
    packing.is_scaled
        && packing.factor.total_cmp(&1.0).is_ne()
        && !TURNS.iter().any(|turn| (range / turn - 1.0).abs() < 0.001)
}

/// The cause, if the few negative numbers are all far below 0 and beside the largest ones only: counts that wrapped.
fn overflown(here: &Numbers, name: &str) -> Option<Diagnosis> {
    const HALF: f64 = 32_768.0;
    const FEWEST: usize = 3;
    /// Of so many numbers, one may be negative.
    const ONE_IN: usize = 20;
    let negative: Vec<f64> = here.values.iter().copied().filter(|it| *it < 0.0).collect();
    let most = here.values.iter().copied().fold(0.0, f64::max);
    let (mut beside, mut least) = (0, HALF);
    for [a, b] in steps(here).filter(|[a, b]| (*a < 0.0) != (*b < 0.0)) {
        beside += 1;
        least = least.min(a.max(b));
    }
    let is_far = negative.iter().all(|it| *it > -HALF && *it < -HALF / 16.0);
    // A mark of missing ones is one number.
    let is_few = distinct(&negative) >= FEWEST && negative.len() * ONE_IN <= here.values.len();
    let is_told = is_few && is_far && beside >= FEWEST && least > HALF / 8.0 && most > HALF / 2.0;
    let lowest = negative.iter().copied().fold(0.0, f64::min);
    is_told.then(|| {
        Diagnosis::new(
            "conversion/overflown",
            format!("Counts beyond the range of {name} wrapped to its other end."),
        )
        .because(format!(
            "{} of {} elements are negative, the lowest {lowest}, and none is between {} and 0; all their neighbours are {least} or more.",
            grouped(negative.len()),
            grouped(here.values.len()),
            -HALF / 16.0,
        ))
        .because(format!("With 65,536 added, they continue beyond the largest one, {most}."))
        .to_do("count them again in a wider type, from the source".to_owned())
    })
}

/// The cause, if values jump from one end of the type to the other and go on there, whether they have a sign or not.
fn wrapped(here: &Numbers, name: &str) -> Option<Diagnosis> {
    const ALL: f64 = 65_536.0;
    let (mut large, mut up, mut down) = (0, 0, 0);
    let (mut across_zero, mut pairs) = (0, 0);
    for [a, b] in steps(here) {
        let step = b - a;
        pairs += 1;
        if step.abs() > ALL / 2.0 {
            large += 1;
            let is_small = (ALL - step.abs()) < ALL / 8.0;
            up += usize::from(is_small && step > 0.0);
            down += usize::from(is_small && step < 0.0);
        }
        // With the other sign, the jump is where values go through the middle of the type.
        let middle = if name == "int16" { 0.0 } else { ALL / 2.0 };
        across_zero += usize::from((a < middle) != (b < middle) && step.abs() < ALL / 8.0);
    }
    let is_clear = up + down >= FEW && (up + down) * 10 >= large * MOST;
    // A counter starts again in one direction only, and cyclic numbers are at no end of the type more often.
    let is_both = up * 8 >= down && down * 8 >= up && across_zero >= FEW;
    if !is_clear || !is_both || (up + down) * 8 > pairs {
        return None;
    }
    let text = format!(
        "Values beyond the range of {name} wrapped to its other end: they were most likely packed with a scale_factor \
         that is too small."
    );
    Some(
        Diagnosis::new("conversion/wrapped", text)
            .because(format!(
                "Of {} examined, {} jump from one end of the type to the other, where the values would go on beyond it.",
                counted(pairs as u64, "neighbouring pair"),
                grouped(up + down)
            ))
            .because("Cyclic values, such as angles, look the same and are no fault."),
    )
}
