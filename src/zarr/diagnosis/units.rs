//! Data in other units than those that they were appended to: at one border all values jump, and go on once they are
//! converted by a factor and an offset that people convert by.

use super::{otherwise::Break, prelude::*};
use crate::zarr::statistics::pairs::{correlation, moments};

/// A factor and an offset, and what they convert.
type Conversion = (f64, f64, &'static str);
const CONVERSIONS: [Conversion; 15] = [
    (1.0, 273.15, "degrees Celsius to kelvin"),
    (1.0, -273.15, "kelvin to degrees Celsius"),
    (1.8, 32.0, "degrees Celsius to Fahrenheit"),
    (1.0 / 1.8, -32.0 / 1.8, "degrees Fahrenheit to Celsius"),
    (1.8, -459.67, "kelvin to degrees Fahrenheit"),
    (1.0 / 1.8, 459.67 / 1.8, "degrees Fahrenheit to kelvin"),
    (0.3048, 0.0, "feet to metres"),
    (1.0 / 0.3048, 0.0, "metres to feet"),
    (0.514_444, 0.0, "knots to metres per second"),
    (100.0, 0.0, "a unit to its hundredth, such as hPa to Pa"),
    (0.01, 0.0, "a unit to its hundredfold, such as Pa to hPa"),
    (1000.0, 0.0, "a unit to its thousandth, such as m to mm"),
    (0.001, 0.0, "a unit to its thousandfold, such as mm to m"),
    (86_400.0, 0.0, "a rate per second to one per day"),
    (1.0 / 86_400.0, 0.0, "a rate per day to one per second"),
];
/// The fewest pairs of values at the border.
const FEWEST: usize = 16;
/// By how many times values must be further apart at the border than beside it, and how far they may be once converted.
const FAR: f64 = 16.0;
const NEAR: f64 = 2.0;
/// By how many times values behind the border may differ more than those before it, once converted.
const STEEP: f64 = 6.0;
/// By how many times values before the border must be larger than their differences.
const SMOOTH: f64 = 4.0;

/// What is counted the other way: where it is upwards or downwards, and of unsigned integers, dark or bright.
const OTHER_SIGN: &str = "upwards to downwards";
const INVERTED: &str = "bright to dark";
/// The least correlation of values on both sides of a border, or of one and the mirror image of the other, and by how many times
/// the one may rise more than the other once converted. (Angles that begin anew after 180 degrees all end near that.)
const ALIKE: f64 = 0.9;
const SLOPE: f64 = 1.25;
/// By how many times values at a border must be further apart than beside it where nothing else tells.
const SHARP: f64 = 250.0;

/// The conversions that may be of the values of an array, once those that are packed are unpacked.
fn conversions(case: &Case, packing: &Packing) -> Option<Vec<Conversion>> {
    let data_type = case.array.data_type()?;
    let is_float = data_type.name().starts_with("float");
    let mut all = vec![(-1.0, 0.0, OTHER_SIGN)];
    all.extend(CONVERSIONS.iter().filter(|_| is_float && !packing.is_scaled));
    let bits = data_type.fixed_size().unwrap_or(0) * 8;
    let is_unsigned = matches!(data_type.default_scalar(), Scalar::Uint(_)) && bits <= 32;
    all.extend(is_unsigned.then(|| {
        let most = 2_f64.powf(bits as f64) - 1.0;
        (-1.0, packing.factor * most + 2.0 * packing.offset, INVERTED)
    }));
    Some(all)
}

/// The cause, if numbers on both sides of a border go on once those of one side are converted.
pub(super) fn diagnose(
    case: &Case,
    samples: &[Sample],
    blocks: &AdjacentChunks,
    seams: &[Seam],
) -> Option<Diagnosis> {
    let packing = Packing::of(case.array);
    let border = Break::of(blocks, seams)?;
    let conversions = conversions(case, &packing)?;
    let pairs = |of: &dyn Fn(&Seam) -> Vec<(f64, f64)>| {
        let all = border.seams.iter().flat_map(of);
        let unpacked = |it: f64| packing.factor * it + packing.offset;
        all.map(|(a, b)| (unpacked(a), unpacked(b)))
            .filter(|(a, b)| a.is_finite() && b.is_finite())
            .collect::<Vec<(f64, f64)>>()
    };
    let here = pairs(&|seam| blocks.values_at(seam, 0));
    let beside = pairs(&|seam| blocks.values_at(seam, 1));
    let behind = pairs(&|seam| blocks.values_behind(seam));
    let plain = |pairs: &[(f64, f64)]| middle(pairs.iter().map(|(a, b)| (a - b).abs()).collect());
    let (jump, usual, later) = (plain(&here)?, plain(&beside)?, plain(&behind)?);
    if here.len() < FEWEST || usual <= 0.0 {
        return None;
    }
    let [_, _, xx, yy, _] = moments(&here);
    let (alike, slope) = (correlation(&here), (xx / yy).sqrt());
    let fits = |&&(factor, offset, _): &&Conversion| {
        let is_mirrored = factor < 0.0;
        let is_far = is_mirrored || jump >= FAR * usual;
        // What is brighter from a tile on is not what it was times one factor, everywhere along the border; only a far jump
        // ends by no accident where a conversion does.
        let is_alike = alike * f64::signum(factor) >= ALIKE
            && (1.0 / SLOPE..=SLOPE).contains(&(slope / factor.abs()))
            || !is_mirrored && jump >= SHARP * usual;
        // Where values differ by as much as they are large, anything that becomes small continues them.
        let middle_of = |of: &dyn Fn(&(f64, f64)) -> f64| middle(here.iter().map(of).collect());
        let center = if is_mirrored { offset / 2.0 } else { 0.0 };
        // What begins anew, as each tile of a mosaic does, is steep there.
        let goes_on = later * factor.abs() <= STEEP * usual;
        is_far
            && is_alike
            && goes_on
            && middle_of(&|(a, _)| (a - center).abs()).is_some_and(|size| size >= SMOOTH * usual)
            && middle_of(&|(a, b)| (b * factor + offset - a).abs())
                .is_some_and(|apart| apart <= NEAR * usual)
    };
    let mut fitting = conversions.iter().filter(fits);
    let (&(factor, offset, words), None) = (fitting.next()?, fitting.next()) else { return None };
    let (axis, from) = (border.axis, border.from);
    let (kind, how) = match words {
        OTHER_SIGN => ("units/other-sign", "have the opposite sign of"),
        INVERTED => ("units/inverted", "are inverted relative to"),
        _ => ("units/converted", "are in another unit than"),
    };
    let text = format!(
        "The values of the chunks from {from} on along dimension {axis} {how} those before."
    );
    let is_later = |sample: &&Sample| sample.at.get(axis).is_some_and(|at| *at >= from);
    let files = samples.iter().filter(is_later).map(|sample| sample.key.clone()).collect();
    let diagnosis = Diagnosis::new(kind, text)
        .because(format!(
            "At that border, values differ by {}, one element before it by {}.",
            number(jump),
            number(usual)
        ))
        .because(format!(
            "Times {} plus {} (as from {words}), they continue those before.",
            number(factor),
            number(offset)
        ));
    Some(diagnosis.in_files(files))
}

/// The cause, if the values of some chunks that follow each other are all a thousand times as large as those of the others,
/// whose sizes are alike: those of no field are.
pub(super) fn scaled(
    case: &Case,
    samples: &[Sample],
    blocks: &AdjacentChunks,
) -> Option<Diagnosis> {
    /// The factors, and by how much the logarithm of the ratio of sizes may differ from theirs.
    const FACTORS: [f64; 4] = [1e3, 1e-3, 86_400.0, 1.0 / 86_400.0];
    const OFF: f64 = 0.4;
    /// The fewest chunks that are alike, and by how many times their sizes differ at most.
    const FEW: usize = 4;
    const ALIKE: f64 = 4.0;
    let wanted = blocks.all.iter().take_while(|_| !case.is_stopped());
    let sizes: Vec<Option<[f64; 2]>> = wanted.map(|block| sizes(&block.elements)).collect();
    let size = |at: &usize| sizes.get(*at).copied().flatten();
    let usual = middle(sizes.iter().flatten().map(|size| size[0]).collect())?;
    let is_alike = |at: &usize| {
        let ratio = size(at).map_or(0.0, |size| size[0] / usual);
        (1.0 / ALIKE..=ALIKE).contains(&ratio)
    };
    let known = (0..sizes.len()).filter(|at| size(at).is_some());
    let (like, odd): (Vec<usize>, Vec<usize>) = known.partition(is_alike);
    if like.len() < FEW || odd.is_empty() || odd.len() * 2 > like.len() {
        return None;
    }
    let along = |at: &usize, axis: usize| samples.get(*at)?.at.get(axis).copied();
    let range = |axis: usize| {
        let ends = || odd.iter().filter_map(|at| along(at, axis));
        Some((ends().min()?, ends().max()?))
    };
    let is_apart = |axis: &usize| {
        let (first, last) = range(*axis).unwrap_or_default();
        let is_within = |at: &usize| along(at, *axis).is_some_and(|at| first <= at && at <= last);
        !like.iter().any(is_within)
    };
    let axis = (0..case.layout.counts.len()).find(is_apart)?;
    let (first, last) = range(axis)?;
    // Sizes change in time and place: those next to each other are compared.
    let ratio = |which: usize| {
        let of = |of: &[usize], place: Option<u64>| {
            let here = of.iter().filter(|at| place.is_some() && along(at, axis) == place);
            middle(here.filter_map(|at| Some(size(at)?[which])).collect())
        };
        let ends = [(first, first.checked_sub(1)), (last, last.checked_add(1))];
        let logs = ends.into_iter().filter_map(|(inside, beside)| {
            Some((of(&odd, Some(inside))? / of(&like, beside)?).ln())
        });
        let logs: Vec<f64> = logs.collect();
        (!logs.is_empty()).then(|| logs.iter().sum::<f64>() / logs.len() as f64)
    };
    let ratios = [ratio(0)?, ratio(1)?];
    let is_near = |factor: &&f64| ratios.iter().all(|ratio| (ratio - factor.ln()).abs() <= OFF);
    let factor = *FACTORS.iter().find(is_near)?;
    let files = keys_of(samples, &odd);
    let text = format!(
        "The values of {} are in another unit than the others: {} times as large.",
        named(&files),
        number(factor)
    );
    let diagnosis = Diagnosis::new("units/scaled", text).because(format!(
        "The sizes of numbers other than 0, their median and what nine in ten are below, are {} and {} times those of the \
         chunks beside along dimension {axis}. {} other chunks examined are alike.",
        number(ratios[0].exp()),
        number(ratios[1].exp()),
        like.len()
    ));
    Some(diagnosis.in_files(files))
}

/// The size of the numbers of a chunk that are not 0: their median, and what nine in ten are below.
fn sizes(chunk: &Elements) -> Option<[f64; 2]> {
    /// The fewest numbers that say something, and the most that are looked at.
    const FEW: usize = 64;
    const MOST: u64 = 1 << 14;
    let step = usize::try_from(chunk.len().div_ceil(MOST).max(1)).ok()?;
    let value = |at: u64| chunk.value(at)?.ok()?.to_f64();
    let mut sizes: Vec<f64> =
        (0..chunk.len()).step_by(step).filter_map(value).map(f64::abs).collect();
    sizes.retain(|size| size.is_finite() && *size > 0.0);
    sizes.sort_by(f64::total_cmp);
    let at = |share: usize| sizes.get(sizes.len() * share / 10).copied();
    Some([at(5)?, at(9)?]).filter(|_| sizes.len() >= FEW)
}
