//! The bounds of a coordinate against its values: each lies within its cell, though not always in the middle.

use super::{super::region, SILENT, ranges::angle};
use crate::zarr::conventions::prelude::*;

/// The longest coordinate that is read.
const MOST: u64 = 1 << 16;

/// The problem that a coordinate of one dimension is outside of its bounds; `None` where it has none, they are climatological
/// or in other units, or they cannot be read.
pub(in crate::zarr::conventions) fn check(related: &Related) -> Option<Problem> {
    let array = related.array;
    let attributes = related.attributes()?;
    let name = attributes.get_str("bounds").filter(|_| is_number(array))?;
    let (length, own) = (related.length()?, quoted(name));
    let node = related.hierarchy.node(&related.beside(name)?);
    let bounds = node.kind.array().filter(|bounds| is_number(bounds))?;
    let units = text_of(bounds, "units");
    let has_units = units.is_none() || units == attributes.get_str("units");
    if !(1..=MOST).contains(&length) || *bounds.known_shape()? != [length, 2] || !has_units {
        return None;
    }
    let (scalars, _) = related.scalars()?;
    let packing = Packing::of(array);
    let values = scalars.iter().map(|scalar| packing.unpack(scalar.to_f64().unwrap_or(f64::NAN)));
    let values: Vec<f64> = values.collect();
    let cells = rows(related, &node.path, bounds)?;
    let units = attributes.get_str("units").unwrap_or_default();
    let turn = (angle(units) == Some("longitude")).then_some(360.0);
    let is_out = |(value, cell): (&f64, &[f64; 2])| !encloses(*cell, *value, turn);
    let outside = |cells: &mut dyn Iterator<Item = &[f64; 2]>| {
        values.iter().zip(cells).filter(|pair| is_out(*pair)).count()
    };
    let told = |sentence: String, fix: &str| {
        attributes.finding(Code::CfReference, "bounds", format!("{own} {sentence}"), fix)
    };
    let unlike = |expected: &str, sentence: String, fix: &str| {
        let texts = (own.clone(), expected);
        let problem = attributes.mismatch(Code::CfReference, "bounds", texts, fix)?;
        Some(saying(problem, format!("{own} {sentence}")))
    };
    let Some((count, at)) = count_and_first(values.iter().zip(&cells), is_out) else {
        if let Some(text) = turned(&values, &cells).filter(|_| turn.is_some()) {
            let fix = "xarray 2026.9 opens the group and says nothing. Likely cause: the longitudes were turned to another range, \
                       such as -180 to 180, and their bounds were not.";
            return unlike("", text, fix);
        }
        if cells.len() > 2 && cells.iter().all(|[a, b]| a.total_cmp(b).is_eq()) {
            let sentence = "starts and ends each cell at one place".to_owned();
            return told(sentence, "A mean over such a cell is over nothing.").map(note);
        }
        if let Some(sentence) = apart(&values, &cells, turn) {
            return told(sentence, SILENT);
        }
        let is_latitude = angle(units) == Some("latitude");
        let of_ends = || {
            let sentence = ends(&values, &cells, is_latitude);
            let fix = "What weights by the areas of cells, or regrids by them, gets these wrong.";
            Some((sentence.filter(|_| is_latitude || turn.is_some())?, fix))
        };
        let twice = || {
            let fix = "What weights by cells, or sums over them, counts it twice. Possible cause: it was appended at the end, as programs that draw \
                       maps want it.";
            Some((turn.and_then(|turn| beyond(&values, &cells, turn))?, fix))
        };
        let found = twice().or_else(of_ends).or_else(|| overlap(&values, &cells, units));
        if let Some((sentence, fix)) = found {
            return told(sentence, fix).map(note);
        }
        let text = backwards(&values, &cells)?;
        // Either order is everyday; two orders in one group are not meant.
        let other = others_go_on(related)?;
        let text = format!("{text}. Those of {} are in the order of theirs", quoted(&other));
        let fix = "CF orders the two as the coordinate goes. xarray 2026.9 opens the group and says nothing.";
        return unlike("bounds in the direction of the coordinate", text, fix).map(note);
    };
    let ([low, high], value) = (cells.get(at)?, values.get(at)?);
    let sentence = format!(
        "does not enclose {} values, the first at [{at}]: {} is not within {}",
        out_of(count, values.len()),
        short(*value),
        from_to(*low, *high)
    );
    let cause = if outside(&mut cells.iter().rev()) == 0 {
        " In reverse order, the bounds enclose them."
    } else if values.len() > 2 && outside(&mut cells.iter().skip(1)) == 0 {
        " Each is in the cell after its own."
    } else if values.len() > 2 && outside(&mut cells.iter().take(1).chain(&cells)) <= 1 {
        " Each is in the cell before its own."
    } else {
        &recounted(&packing, &values, &cells).unwrap_or_default()
    };
    unlike("cells around the values", sentence, &format!("{SILENT}{cause}"))
}

/// The sentence on cells of longitudes that cover more than a turn, the last value being the first.
fn beyond(values: &[f64], cells: &[[f64; 2]], turn: f64) -> Option<String> {
    let covered: f64 = cells.iter().map(|[a, b]| (b - a).abs()).sum();
    let (first, last) = (values.first()?, values.last()?);
    let is_twice = ((last - first).abs() - turn).abs() < 1e-3;
    (is_twice && covered > turn + 1e-3).then(|| {
        format!(
            "covers {} degrees: {} and {} are one meridian, which has two cells",
            short(covered),
            short(*first),
            short(*last)
        )
    })
}

/// The sentence on cells all of which are longer than the steps between them by half and more, and what comes of it.
fn overlap(values: &[f64], cells: &[[f64; 2]], units: &str) -> Option<(String, &'static str)> {
    const LONGER: f64 = 1.5;
    const FEWEST: usize = 3;
    let length = cells.iter().map(|[a, b]| (b - a).abs()).reduce(f64::min)?;
    let step = steps(values).map(f64::abs).reduce(f64::max)?;
    let unit = units.split(" since ").next().unwrap_or_default();
    let sentence =
        format!("overlap: the cells are {} {unit} long, and {} apart", short(length), short(step));
    let fix = "Sums over all cells count most of it several times. Running means have such cells.";
    (cells.len() >= FEWEST && step > 0.0 && length >= LONGER * step).then_some((sentence, fix))
}

/// A coordinate beside this one whose bounds are in its order.
fn others_go_on(related: &Related) -> Option<String> {
    let &Related { hierarchy, path, budget, .. } = related;
    related.find_beside(|its, array| {
        (*its != *path && is_number(array)).then_some(())?;
        let length = length(array)?;
        let node = hierarchy.node(&related.beside(text_of(array, "bounds")?)?);
        let bounds = node.kind.array().filter(|bounds| is_number(bounds))?;
        let is_pairs = *bounds.known_shape()? == [length, 2] && (2..=MOST).contains(&length);
        let (scalars, _) =
            is_pairs.then(|| region::scalars(&*hierarchy.store, its, array, budget))??;
        let values: Vec<f64> = scalars.iter().map(Scalar::to_f64).collect::<Option<_>>()?;
        let direction = values.get(1)? - values.first()?;
        let cells = rows(related, &node.path, bounds)?;
        cells.iter().all(|[a, b]| (b - a) * direction > 0.0).then(|| its.name().to_owned())
    })
}

/// The words on a few cells of many that do not join the next one, where the coordinate goes on as everywhere.
fn apart(values: &[f64], cells: &[[f64; 2]], turn: Option<f64>) -> Option<String> {
    /// The share of a cell to which neighbours join, the fewest that do, and of how many one may not.
    const NEAR: f64 = 0.01;
    const FEWEST: usize = 8;
    const ONE_IN: usize = 8;
    let ends = |at: usize| Some((*cells.get(at)?, *cells.get(at + 1)?));
    // Ends that are a turn away are the same place.
    let far = |a: f64, b: f64| {
        let apart = (a - b).abs();
        turn.map_or(apart, |turn| (apart % turn).min(turn - apart % turn))
    };
    let is_apart = |at: &usize| {
        ends(*at).is_some_and(|([a, b], [c, d])| {
            let space = far(b, c).min(far(a, d)).min(far(a, c)).min(far(b, d));
            space > NEAR * far(a, b).min(far(c, d))
        })
    };
    let pairs = cells.len().checked_sub(1)?;
    let apart: Vec<usize> = (0..pairs).filter(is_apart).collect();
    let first = *apart.first()?;
    let step = |at: usize| Some(values.get(at + 1)? - values.get(at)?);
    let one = step(usize::from(first == 0))?;
    let is_even =
        (0..pairs).all(|at| step(at).is_some_and(|it| (it - one).abs() <= NEAR * one.abs()));
    let ([_, end], [start, _]) = ends(first)?;
    (is_even && pairs - apart.len() >= FEWEST && apart.len() * ONE_IN <= pairs).then(|| {
        format!(
            "has {} that {} not join the next, the first [{first}], which ends at {}, where the next begins at {}; the values \
             are as far apart there as elsewhere",
            counted(apart.len(), "cell"),
            if apart.len() == 1 { "does" } else { "do" },
            short(end),
            short(start)
        )
    })
}

/// The words on the first or the last cell of latitudes, or of longitudes once around, that is beyond a pole, or of another width than all
/// others, where values are evenly spaced.
fn ends(values: &[f64], cells: &[[f64; 2]], is_latitude: bool) -> Option<String> {
    const FEWEST: usize = 8;
    const NEAR: f64 = 0.01;
    const POLE: f64 = 90.0;
    let beyond = |it: &&f64| is_latitude && it.abs() > POLE + NEAR;
    if let Some(end) = cells.iter().flatten().find(beyond) {
        return Some(format!("reaches to {}, beyond the pole", short(*end)));
    }
    let step = (values.get(1)? - values.first()?).abs();
    let is_step = |it: f64| (it.abs() - step).abs() <= NEAR * step;
    let is_even = steps(values).all(is_step);
    let is_around = is_latitude || (step * values.len() as f64 - 360.0).abs() < step / 2.0;
    let [first, inside @ .., last] = cells else { return None };
    // Across the start of a turn, the larger one is the first.
    let width = |[a, b]: &[f64; 2]| {
        let wide = (b - a).abs();
        if is_latitude { wide } else { wide.min(360.0 - wide) }
    };
    // A cell at a pole may be a half.
    let is_odd = |[a, b]: &[f64; 2]| {
        let is_pole = [a, b].iter().any(|it| (it.abs() - POLE).abs() <= NEAR);
        !(is_step(width(&[*a, *b])) || is_latitude && is_pole)
    };
    let is_due = inside.len() >= FEWEST && is_even && is_around && !inside.iter().any(is_odd);
    (is_due && [first, last].into_iter().any(is_odd)).then(|| {
        format!(
            "has cells {} and {} wide at its ends, and {} elsewhere, around values that are evenly spaced",
            short(width(first)),
            short(width(last)),
            short(step)
        )
    })
}

/// The warning on bounds of the terms of a vertical coordinate that do not enclose these.
pub(in crate::zarr::conventions) fn of_terms(related: &Related) -> Option<Problem> {
    let attributes = related.attributes()?;
    let bounds = related.beside(attributes.get_str("bounds")?)?;
    let own = attributes.get_str("formula_terms").unwrap_or_default();
    let terms = related.text(&bounds, "formula_terms")?;
    let words: Vec<&str> = terms.split_whitespace().collect();
    let (term, name, at, values, cells) = words.chunks_exact(2).find_map(|pair| {
        let [term, name] = *pair else { return None };
        let mut others = own.split_whitespace().skip_while(|it| *it != term);
        let of = others.nth(1).or_else(|| name.strip_suffix("_bnds"))?;
        let [own, bounds] = [related.beside(of)?, related.beside(name)?];
        let (values, cells) = (related.numbers(&own)?, related.numbers(&bounds)?);
        let &[length] = related.shape(&own)?.as_slice() else { return None };
        let cells: Vec<[f64; 2]> = cells.chunks_exact(2).map(|it| [it[0], it[1]]).collect();
        let is_out = |(value, cell): (&f64, &[f64; 2])| !encloses(*cell, *value, None);
        let at = values.iter().zip(&cells).position(is_out)?;
        (related.shape(&bounds)? == [length, 2]).then_some((of, name, at, values, cells))
    })?;
    let count = |cells: &mut dyn Iterator<Item = &[f64; 2]>| {
        values.iter().zip(cells).filter(|(value, cell)| !encloses(**cell, **value, None)).count()
    };
    let outside = count(&mut cells.iter());
    // Of single levels, the middle may be told by other means.
    (outside * 2 > values.len()).then_some(())?;
    let [low, high] = cells.get(at)?;
    let sentence = format!(
        "{} does not enclose {} values of {}, the first at [{at}]: {} is not within {}",
        quoted(name),
        out_of(outside, values.len()),
        quoted(term),
        short(*values.get(at)?),
        from_to(*low, *high)
    );
    let is_reversed = count(&mut cells.iter().rev()) == 0;
    let fix = format!(
        "They are the terms of the bounds of {}.{}",
        related.name(),
        if is_reversed { " In reverse order, the bounds enclose them." } else { "" }
    );
    attributes.finding(Code::CfReference, "bounds", sentence, fix)
}

/// The words on cells each of which goes against the direction of the coordinate, and that join once they are turned.
fn backwards(values: &[f64], cells: &[[f64; 2]]) -> Option<String> {
    /// The fewest cells, and the share of a step to which neighbours join.
    const FEWEST: usize = 3;
    const NEAR: f64 = 0.01;
    let direction = (values.get(1)? - values.first()?).signum();
    let is_one_way = steps(values).all(|step| step * direction > 0.0);
    let is_against = cells.iter().all(|[a, b]| (b - a) * direction < 0.0);
    let joins = neighbours(cells).all(|([a, b], [_, d])| (a - d).abs() <= NEAR * (b - a).abs());
    let ([a, b], [_, after]) = (cells.first()?, cells.get(1)?);
    (values.len() >= FEWEST && is_one_way && is_against && joins).then(|| {
        format!(
            "has the two bounds of each cell in the order against its coordinate: [0] goes from {}, and [1] ends at {}",
            from_to(*a, *b),
            short(*after)
        )
    })
}

/// The words on bounds that enclose many longitudes only a turn away from them. Across the seam, one cell may.
fn turned(values: &[f64], cells: &[[f64; 2]]) -> Option<String> {
    const FEWEST: usize = 2;
    const ONE_IN: usize = 10;
    let is_away = |(value, cell): (&f64, &[f64; 2])| {
        (cell[0] - cell[1]).abs() <= 180.0 && !encloses(*cell, *value, None)
    };
    let (count, at) = count_and_first(values.iter().zip(cells), is_away)?;
    let ([low, high], value) = (cells.get(at)?, values.get(at)?);
    (count >= FEWEST && count * ONE_IN >= values.len()).then(|| {
        format!(
            "is 360 degrees away from {} values, the first at [{at}]: {}, with the bounds {} and {}",
            out_of(count, values.len()),
            short(*value),
            short(*low),
            short(*high)
        )
    })
}

/// The words on bounds that enclose all times once they are counted in another unit or from another start.
fn recounted(packing: &Packing, values: &[f64], cells: &[[f64; 2]]) -> Option<String> {
    let dates = packing.dates.as_ref()?.as_ref().ok()?;
    let encloses_all = |other: &Dates| {
        values.iter().zip(cells).all(|(value, cell)| {
            let [one, other] = cell.map(|end| other.moment(end));
            (one.min(other)..=one.max(other)).contains(&dates.moment(*value))
        })
    };
    let (units, _) = dates.others().find(|(_, other)| encloses_all(other))?;
    Some(format!(
        " Counted in {}, the bounds enclose them all: they take the units of the coordinate.",
        quoted(&units)
    ))
}

/// True if a cell holds a value, or one of both is missing; `turn` is the length after which values come again.
fn encloses([one, other]: [f64; 2], value: f64, turn: Option<f64>) -> bool {
    let (low, high) = (one.min(other), one.max(other));
    // Float32 is the coarsest that coordinates are written in.
    let largest = value.abs().max(high.abs()).max(low.abs());
    let room = (high - low) * 1e-3 + largest * 4.0 * f64::from(f32::EPSILON);
    let holds = |value: f64| value >= low - room && value <= high + room;
    let is_missing = !(one.is_finite() && other.is_finite() && value.is_finite());
    is_missing
        || holds(value)
        // Across the start of a turn, the larger bound is the first one.
        || turn.is_some_and(|turn| {
            holds(value + turn) || holds(value - turn) || high - low > turn / 2.0
        })
}

/// The values of an array of two columns; `None` where some are not stored, or cannot be read.
fn rows(related: &Related, path: &NodePath, array: &ArrayMetadata) -> Option<Vec<[f64; 2]>> {
    let reader = related.reader(path, array)?;
    let packing = Packing::of(array);
    let all = RegionValues::of(&reader, reader.whole(), related.budget);
    let values = all.filter(|all| all.is_stored)?.values;
    let unpacked =
        |row: &[f64]| Some([packing.unpack(*row.first()?), packing.unpack(*row.get(1)?)]);
    values.chunks_exact(2).map(unpacked).collect()
}
