//! Cells of the globe: those of `HEALPix`, whose places follow from their numbers, those of grids, whose corners are around
//! them, and those of rasters, whose rows come first.

use super::pairs::turned_away;
use crate::zarr::conventions::prelude::*;

/// The warning on latitudes of `HEALPix` that are those of its other order of cells.
pub(super) fn order(related: &Related) -> Option<Problem> {
    /// In degrees, and the share of all cells that is nearly all.
    const NEAR: f64 = 1e-3;
    const ALL: f64 = 0.98;
    let group = related.group()?;
    let (level, scheme, mapping) = related.hierarchy.find_child(&group, |child| {
        let own = child.kind.attributes()?;
        own.get_str("grid_mapping_name").filter(|it| *it == "healpix")?;
        let level = own.get("refinement_level")?.as_u64().filter(|it| *it < 14)?;
        let scheme = own.get_str("indexing_scheme")?.to_owned();
        Some((level, scheme, quoted(child.path.name())))
    })?;
    let (own, shape) = (related.own()?, related.array.known_shape()?);
    let side = 1_u64 << level;
    (*shape == [12 * side * side]).then_some(())?;
    let part = |sine: fn(u64, u64) -> f64| {
        let cells = own.iter().zip(0_u64..);
        let is_it =
            |(lat, cell): &(&f64, u64)| (*lat - sine(side, *cell).asin().to_degrees()).abs() < NEAR;
        cells.filter(is_it).count() as f64 / own.len() as f64
    };
    let (ring, nested) = (part(of_ring), part(of_nested));
    let (declared, [own, other]) = match scheme.as_str() {
        "ring" => ("ring", [ring, nested]),
        "nested" => ("nested", [nested, ring]),
        _ => return None,
    };
    let is = if declared == "ring" { "nested" } else { "ring" };
    let sentence = format!(
        "the latitudes of the cells are those of the {is} order, and indexing_scheme of {mapping} is {}",
        quoted(declared)
    );
    let fix = format!(
        "What goes by it puts the value of each cell into another one. Likely, indexing_scheme is {}.",
        quoted(is)
    );
    related.warning_if(other >= ALL && own < ALL, sentence, fix)
}

/// The sine of the latitude of a cell of `HEALPix` in ring order.
fn of_ring(side: u64, cell: u64) -> f64 {
    let all = 12 * side * side;
    let cap = 2 * side * (side - 1);
    let ring = |number: u64| u64::midpoint(1, (1 + 2 * number).isqrt());
    if cell < cap {
        polar(side, ring(cell))
    } else if cell < all - cap {
        (2.0 * side as f64 - ((cell - cap) / (4 * side) + side) as f64) * 2.0 / (3 * side) as f64
    } else {
        -polar(side, ring(all - cell - 1))
    }
}

/// The sine of the latitude of a ring of cells around the pole, the first being 1.
fn polar(side: u64, ring: u64) -> f64 {
    1.0 - (ring * ring) as f64 / (3 * side * side) as f64
}

/// The same in nested order.
fn of_nested(side: u64, cell: u64) -> f64 {
    let (face, inside) = (cell / (side * side), cell % (side * side));
    let every_second = |bits: u64| (0..32).fold(0, |sum, at| sum | (bits >> (2 * at) & 1) << at);
    let down = (face / 4 + 2) * side - every_second(inside) - every_second(inside >> 1) - 1;
    if down < side {
        polar(side, down)
    } else if down > 3 * side {
        -polar(side, 4 * side - down)
    } else {
        (2.0 * side as f64 - down as f64) * 2.0 / (3 * side) as f64
    }
}

/// The warning on corners of a few cells, away from the poles, that are far from their longitude.
pub(super) fn corners(related: &Related) -> Option<Problem> {
    /// In degrees: how far corners may be, and up to which latitude.
    const FAR: f64 = 60.0;
    const POLAR: f64 = 75.0;
    /// Of so many cells, one may be so.
    const ONE_IN: usize = 10;
    let name = related.own_text("bounds")?;
    let bounds = related.beside(name)?;
    let all = related.shape(&bounds)?;
    let (count, shape) = all
        .split_last()
        .filter(|(_, it)| related.array.known_shape().is_some_and(|own| own == it))?;
    let count = nonzero(*count).filter(|it| *it > 2)?;
    let latitudes = related.find_alike(|path, array| {
        is_called(array, "latitude").then(|| related.numbers_of(path, array))?
    })?;
    let (own, corners) = (related.own()?, related.numbers(&bounds)?);
    let cells = own.iter().zip(corners.chunks_exact(count)).zip(&latitudes).enumerate();
    let far: Vec<usize> = cells
        .filter(|(_, ((lon, corners), lat))| {
            lat.abs() < POLAR && corners.iter().any(|it| turned_away(**lon, *it) > FAR)
        })
        .map(|(at, _)| at)
        .collect();
    let first = *far.first()?;
    let around = corners.chunks_exact(count).nth(first)?;
    let sentence = format!(
        "{} cells have corners in {} that are far from their longitude, the first at {}: {}, and {}",
        out_of(far.len(), own.len()),
        quoted(name),
        list(&order::coordinates(first as u128, shape)),
        short(*own.get(first)?),
        around.iter().map(|it| short(*it)).joined(", ")
    );
    let fix = "Likely cause: corners were computed as means of longitudes on both sides of 180 degrees, or of 0.";
    related.warning_if(far.len() * ONE_IN <= own.len(), sentence, fix)
}

/// The warning on longitudes that go around the globe the long way: the other way, they have the steps of the latitudes.
pub(super) fn long_way(related: &Related) -> Option<Problem> {
    /// By how many times the other steps may differ from those of latitudes, which some projections change, and these do.
    const ALIKE: f64 = 2.5;
    const LONG: f64 = 8.0;
    let mean = |values: &[f64]| {
        let [first, .., last] = values else { return None };
        Some((last - first) / (values.len() as f64 - 1.0))
    };
    related.length()?;
    let own = related.own()?;
    let step = mean(own)?;
    let mut steps = steps(own);
    let is_even = steps.all(|it| (it / step - 1.0).abs() < 0.01);
    let other = step - step.signum() * 360.0 / (own.len() as f64 - 1.0);
    let usual = related.find_called("latitude", |path, array| {
        length(array)?;
        mean(&related.numbers_of(path, array)?).map(f64::abs)
    })?;
    let sentence = format!(
        "{} goes from {} by {} each, the long way around the globe; across 180 degrees it would be by {} each, and latitudes are {} apart",
        quoted(related.path.name()),
        from_to(*own.first()?, *own.last()?),
        short(step),
        short(other),
        short(usual)
    );
    let fix = "Likely cause: they were interpolated between two ends on both sides of 180 degrees.";
    let is_alike = (1.0 / ALIKE..ALIKE).contains(&(other.abs() / usual));
    related.warning_if(is_even && is_alike && step.abs() > LONG * usual, sentence, fix)
}

/// The warning on `proj:shape` of STAC that has the columns first.
pub(super) fn turned(related: &Related) -> Option<Problem> {
    let group = related.group()?;
    let given = related.attribute(&group, "proj:shape")?;
    let [a, b] = given.as_array()? else { return None };
    let (rows, columns) = (related.length()?, related.length_of(&group.child("x"), 0)?);
    let sentence = format!(
        "proj:shape is [{columns}, {rows}], and \"y\" has {rows} elements and \"x\" {columns}: the columns come first"
    );
    let fix = "STAC has the rows first. What is computed from it, such as proj:bbox, takes columns for rows.";
    related.warning_if(
        rows != columns && a.as_u64() == Some(columns) && b.as_u64() == Some(rows),
        sentence,
        fix,
    )
}

/// The warning on names of dimensions that are in each other's place, by what GRIB says of their lengths.
pub(super) fn crossed(related: &Related) -> Option<Problem> {
    let own = related.attributes()?;
    let (columns, rows) = (own.get("GRIB_Nx")?.as_u64()?, own.get("GRIB_Ny")?.as_u64()?);
    let names = related.array.dimension_names.as_deref()?.split_last_chunk::<2>()?.1;
    let lengths = related.array.known_shape()?.split_last_chunk::<2>()?.1;
    let is_crossed = matches!(names, [Some(a), Some(b)] if a == "x" && b == "y");
    let sentence = format!(
        "\"x\" has {rows} elements and \"y\" {columns}, and GRIB_Nx is {columns} and GRIB_Ny {rows}"
    );
    let fix =
        "The names of the two dimensions are in each other's place: fields are stored row by row.";
    related.warning_if(is_crossed && rows != columns && *lengths == [rows, columns], sentence, fix)
}
