//! The shape of what is missing: that of the land or of the sea by a coarse map of the Earth, or of what is missing in another
//! array on the same grid. Where it has that shape upside down, or moved by half the columns, rows or columns are not in their
//! place.

use crate::zarr::{
    conventions::{cf::ranges::angle as angle_of, prelude::*},
    grid::lengths,
    statistics::NumberRange,
};

/// Land (`#`) and sea (`.`) by cells of 5 degrees, from 90 north and 180 west on; coasts and the poles are blank. Made of
/// GLOBE, elevations of NOAA that are in the public domain.
const EARTH: &str = include_str!("land.txt");
const CELL: f64 = 5.0;
/// The fewest cells of land, and of sea, that have a shape.
const CELLS: usize = 12;

/// The shortest side of a grid, and the share of it that is missing at least, and is there at least.
const SHORTEST: usize = 12;
const SOME: f64 = 0.05;

/// By how much the shares of land and of sea that are there differ, where the shape is another one, where it is that of the Earth,
/// and where it is that of another array.
const UNLIKE: f64 = 0.5;
const LIKE: f64 = 0.9;
const SAME: f64 = 0.98;

/// Where rows and columns may be: reversed rows, columns moved by half of them, the words for it, and the likely cause.
const MOVES: [(bool, bool, &str, &str); 3] = [
    (true, false, "upside down", "the rows are in the reverse order"),
    (false, true, "moved by half the columns", "the columns begin at another longitude, 0 or -180"),
    (
        true,
        true,
        "upside down and moved by half the columns",
        "the rows are in the reverse order, and the columns begin at another longitude, 0 or -180",
    ),
];

/// The places of a grid, row by row, and the kind of each, where it is known.
struct Grid {
    columns: usize,
    kinds: Vec<Option<bool>>,
}

impl Grid {
    /// The shares of the places of each kind that are there, once rows and columns are moved; `None` where one kind is rare.
    fn shares(&self, there: &[bool], is_reversed: bool, is_half: bool) -> Option<[f64; 2]> {
        let place = moved_place((self.kinds.len(), self.columns), is_reversed, is_half);
        let kind = |at: usize| *self.kinds.get(place(at)?)?;
        let pairs = there.iter().enumerate();
        let pairs: Vec<(bool, bool)> =
            pairs.filter_map(|(at, there)| Some((kind(at)?, *there))).collect();
        let share = |kind: bool| {
            let of = pairs.iter().filter(|pair| pair.0 == kind).count();
            let there = pairs.iter().filter(|pair| **pair == (kind, true)).count();
            (of as f64 >= SOME * pairs.len() as f64).then(|| there as f64 / of.max(1) as f64)
        };
        Some([share(true)?, share(false)?])
    }

    /// The move by which the places that are there have the shape that they do not have as they are, and the shares of both.
    fn moved(&self, there: &[bool], like: f64) -> Option<(usize, [[f64; 2]; 2])> {
        let apart = |[a, b]: [f64; 2]| (a - b).abs();
        let now = self.shares(there, false, false)?;
        let moves = MOVES
            .iter()
            .map(|(is_reversed, is_half, ..)| self.shares(there, *is_reversed, *is_half));
        let found = moves
            .enumerate()
            .find_map(|(at, shares)| Some((at, shares.filter(|it| apart(*it) >= like)?)));
        let (at, shares) = found.filter(|_| apart(now) <= UNLIKE)?;
        Some((at, [now, shares]))
    }

    /// The Earth at these places; `None` where little land or little sea is there.
    fn earth(columns: usize, places: impl Iterator<Item = (f64, f64)>) -> Option<Self> {
        let map: Vec<&str> = EARTH.lines().collect();
        let cell = |(latitude, longitude): (f64, f64)| {
            let row = index((90.0 - latitude) / CELL)?;
            let column = index((longitude + 180.0).rem_euclid(360.0) / CELL)?;
            let kind = map.get(row)?.as_bytes().get(column).filter(|kind| **kind != b' ')?;
            Some((row, column, *kind == b'#'))
        };
        let places: Vec<_> = places.map(cell).collect();
        let cells: HashSet<_> = places.iter().flatten().collect();
        let lands = cells.iter().filter(|cell| cell.2).count();
        let is_enough = lands >= CELLS && cells.len() - lands >= CELLS;
        let kinds = places.into_iter().map(|place| Some(place?.2)).collect();
        is_enough.then_some(Self { columns, kinds })
    }
}

/// The place that an element has, of so many in rows of so many, once rows are reversed or columns moved by half of them.
fn moved_place(
    (all, columns): (usize, usize),
    is_reversed: bool,
    is_half: bool,
) -> impl Fn(usize) -> Option<usize> {
    move |at| {
        let (row, column) = (at.checked_div(columns)?, at % columns);
        let row = if is_reversed { (all / columns).checked_sub(row + 1)? } else { row };
        let column = if is_half { (column + columns / 2) % columns } else { column };
        Some(row * columns + column)
    }
}

/// The warning on pages from one on that go on from those before only once they are moved.
pub fn moved_pages(related: &Related) -> Option<Problem> {
    /// The fewest chunks along the first dimension, as what was appended is in others, and the most elements of one.
    const CHUNKS: u64 = 3;
    const LARGEST: u64 = 1 << 18;
    /// The correlations of pages that follow each other, and of others; and by how much more the ends are alike once one is moved.
    const ALIKE: f64 = 0.6;
    const OTHER: f64 = 0.3;
    const MORE: f64 = 0.2;
    const STILL: (bool, bool) = (false, false);
    let array = related.array;
    let (shape, chunk) = (array.known_shape()?, array.chunk_shape()?);
    let (leading, sides) = shape.split_last_chunk::<2>()?;
    let count = *leading.first()?;
    let [_, columns] = sides.map(|side| usize::try_from(side).unwrap_or(0));
    let is_small =
        order::product(&chunk)? <= LARGEST && sides.iter().all(|it| *it >= SHORTEST as u64);
    let is_in_parts = count.div_ceil(*chunk.first()?.max(&1)) >= CHUNKS;
    let is_field = !is_integer(array) || Packing::of(array).is_scaled;
    (is_small && is_in_parts && is_field && array.dimension_names.is_some()).then_some(())?;
    // Without the mean of each row: the season moves that by half a year, not the continents.
    let centred = |mut page: Vec<f64>| {
        for row in page.chunks_mut(columns) {
            let mean = row.iter().sum::<f64>() / row.len() as f64;
            for value in row {
                *value -= mean;
            }
        }
        page.iter().all(|it| it.is_finite()).then_some(page)
    };
    let page = |at: u64| {
        let rest = leading.iter().skip(1).map(|_| 0);
        centred(related.slice(&std::iter::once(at).chain(rest).collect::<Vec<_>>())?)
    };
    let alike = |a: &[f64], b: &[f64], (is_reversed, is_half): (bool, bool)| {
        let place = moved_place((a.len(), columns), is_reversed, is_half);
        let pairs = || a.iter().enumerate().filter_map(|(at, a)| Some((a, b.get(place(at)?)?)));
        let sum = |of: fn((&f64, &f64)) -> f64| pairs().map(of).sum::<f64>();
        sum(|(a, b)| a * b) / (sum(|(a, _)| a * a) * sum(|(_, b)| b * b)).sqrt()
    };
    let (start, stop) = (page(0)?, page(count.checked_sub(1)?)?);
    let still = alike(&start, &stop, STILL);
    let is_more =
        |it: &&(bool, bool, &str, &str)| alike(&start, &stop, (it.0, it.1)) > still + MORE;
    let by = (still < OTHER).then(|| MOVES.iter().find(is_more))??;
    let reader = related.reader(related.path, array)?;
    let mut region = reader.whole();
    for side in region.iter_mut().take(leading.len()).skip(1) {
        *side = 0..1;
    }
    order::product(&lengths(&region)).filter(|count| *count <= MOST)?;
    let values = related.values(&reader, region)?;
    let pages = values.chunks_exact(start.len()).map(|page| centred(page.to_vec()));
    let pages: Vec<Vec<f64>> = pages.collect::<Option<_>>()?;
    let steps = neighbours(&pages).enumerate();
    // What turns with the Sun is moved from each step to the next: all others are to go on.
    let (at, (before, after)) = only(steps.filter(|(_, (a, b))| alike(a, b, STILL) <= ALIKE))?;
    let (now, then) = (alike(before, after, STILL), alike(before, after, (by.0, by.1)));
    let (_, _, moved, cause) = by;
    let sentence = format!(
        "from [{}] on, pages of {} continue those before only if they are {moved}: the correlation across is {then:.2} then, and {now:.2} as stored",
        at + 1,
        quoted(related.path.name()),
    );
    let fix = format!("Likely cause: in what was appended, {cause}.");
    related.warning_if(then > ALIKE && now < OTHER, sentence, fix)
}

/// The warning on an array part of which is missing, or on a mask, whose shape is there in another position.
pub fn check(related: &Related, span: &NumberRange) -> Option<Problem> {
    let &Related { hierarchy, path, array, .. } = related;
    let shape = array.known_shape()?;
    let part = span.numbers as f64 / order::product(shape)? as f64;
    let is_partial = (SOME..=1.0 - SOME).contains(&part) && has_shape(array);
    let is_part = is_label(array) && span.low.abs() <= 0.0 && span.high > 0.0;
    (is_partial || is_mask(array) || is_part).then_some(())?;
    let names = array.dimension_names.as_ref()?;
    let axes = names.get(names.len().checked_sub(2)?..)?;
    let [Some(down), Some(across)] = axes else { return None };
    let there = there(related, path, array)?;
    let (rows, columns) =
        (coordinate(related, down, "latitude"), coordinate(related, across, "longitude"));
    let side = |at: usize| index(*shape.get(shape.len().checked_sub(at)?)? as f64);
    let (width, height) = (side(1)?, side(2)?);
    (width.min(height) >= SHORTEST && width * height == there.len()).then_some(())?;
    let (name, group) = (quoted(path.name()), path.parent()?);
    let earth = if let (Some(rows), Some(columns)) = (rows, columns) {
        let places = rows.iter().flat_map(|row| columns.iter().map(|column| (*row, *column)));
        Grid::earth(width, places).map(|earth| (earth, [quoted(down), quoted(across)]))
    } else {
        let find = |angle| {
            let mut names = related.own_text("coordinates")?.split_whitespace();
            names.find_map(|name| Some((coordinate(related, name, angle)?, quoted(name))))
        };
        let both = find("latitude")
            .zip(find("longitude"))
            .filter(|(a, b)| a.0.len() == there.len() && b.0.len() == there.len());
        both.and_then(|((rows, down), (columns, across))| {
            Some((Grid::earth(width, rows.into_iter().zip(columns))?, [down, across]))
        })
    };
    if let Some((earth, [down, across])) = earth {
        let (at, shares) = earth.moved(&there, LIKE)?;
        let (_, _, moved, cause) = MOVES.get(at)?;
        let [land, sea, moved_land, moved_sea] =
            shares.as_flattened().first_chunk()?.map(|share| format!("{:.0} %", share * 100.0));
        let sentence = format!(
            "{name} has values on {land} of the land and {sea} of the sea by {down} and {across}; {moved}, on {moved_land} and {moved_sea}"
        );
        let fix = format!("Likely cause: {cause}, in {name} or in these coordinates.");
        return related.warning(sentence, fix);
    }
    hierarchy.existing(&group.child(down))?;
    let (other, kinds) = related.find_beside(|its, other| {
        (*its < *path && has_shape(other)).then_some(())?;
        let ends = |shape: &[u64]| shape.iter().rev().take(2).copied().collect::<Vec<_>>();
        let is_along = other.dimension_names.as_ref()?.ends_with(axes);
        let is_alike = is_along && ends(other.known_shape()?) == ends(shape);
        is_alike.then(|| Some((quoted(its.name()), self::there(related, its, other)?)))?
    })?;
    let grid = Grid { columns: width, kinds: kinds.into_iter().map(Some).collect() };
    let (_, _, moved, cause) = MOVES.get(grid.moved(&there, SAME)?.0)?;
    let or = if is_label(array) { ", or 0," } else { "" };
    let sentence = format!(
        "what is missing{or} in {name} has the shape of what is missing in {other}, {moved}"
    );
    related.warning(sentence, format!("Likely cause: in one of the two, {cause}."))
}

/// The numbers of a coordinate, which has the units of a latitude or of a longitude.
fn coordinate(related: &Related, name: &str, angle: &str) -> Option<Vec<f64>> {
    let path = related.beside(name)?;
    let array = related.existing(&path)?;
    (text_of(&array, "units").and_then(angle_of) == Some(angle)).then_some(())?;
    related.data(&path, &array, false)
}

/// True if an array tells land or sea by its numbers.
fn is_mask(array: &ArrayMetadata) -> bool {
    const NAMES: [&str; 4] =
        ["land_binary_mask", "sea_binary_mask", "land_area_fraction", "sea_area_fraction"];
    text_of(array, "standard_name").is_some_and(|it| NAMES.contains(&it))
}

/// True if an array has the number of something in each place, and 0 where nothing is.
fn is_label(array: &ArrayMetadata) -> bool {
    let is_plane = array.known_shape().is_some_and(|shape| shape.len() == 2);
    is_plane && is_integer(array) && !Packing::of(array).is_scaled && !is_mask(array)
}

/// True if part of an array can be missing, or it is such a mask, or has such numbers.
fn has_shape(array: &ArrayMetadata) -> bool {
    is_label(array) || is_mask(array) || !is_integer(array) || Packing::of(array).is_scaled
}

/// Of the first page, whether each element is there, or of a mask, whether it is more than half of the most, and of numbers, whether one
/// is not 0; `None` where nearly all are alike.
fn there(related: &Related, path: &NodePath, array: &ArrayMetadata) -> Option<Vec<bool>> {
    let values = related.data(path, array, true)?;
    let [_, most] = ends(finite(&values))?;
    let is_there = |it: &f64| match (is_mask(array), is_label(array)) {
        (true, _) => *it * 2.0 > most,
        (_, true) => it.abs() > 0.0,
        _ => !it.is_nan(),
    };
    let there: Vec<bool> = values.iter().map(is_there).collect();
    let share = there.iter().filter(|it| **it).count() as f64 / there.len() as f64;
    (SOME..=1.0 - SOME).contains(&share).then_some(there)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shape_of_land_is_found_where_it_is_and_in_other_positions_only() {
        let rows = || (0..36_u32).map(|row| 87.5 - 5.0 * f64::from(row));
        let columns = || (0..72_u32).map(|column| 5.0f64.mul_add(f64::from(column), -177.5));
        let places = || rows().flat_map(|row| columns().map(move |column| (row, column)));
        let earth = Grid::earth(72, places()).unwrap();
        let land: Vec<bool> = earth.kinds.iter().map(|kind| *kind == Some(true)).collect();
        let moved = |is_reversed: bool, half: usize| -> Vec<bool> {
            let row = |row: usize| if is_reversed { 35 - row } else { row };
            let at = |at: usize| land[row(at / 72) * 72 + (at % 72 + half) % 72];
            (0..land.len()).map(at).collect()
        };
        let told = |there: &[bool]| earth.moved(there, LIKE).map(|it| it.0);
        assert_eq!(told(&moved(false, 0)), None);
        assert_eq!(told(&moved(true, 0)), Some(0));
        assert_eq!(told(&moved(false, 36)), Some(1));
        assert_eq!(told(&moved(true, 36)), Some(2));
        let sea: Vec<bool> = moved(true, 0).iter().map(|it| !it).collect();
        assert_eq!(told(&sea), Some(0));
        // A quarter of a turn, a half that is missing, and no shape at all.
        assert_eq!(told(&moved(false, 18)), None);
        assert_eq!(told(&(0..land.len()).map(|at| at % 72 < 36).collect::<Vec<_>>()), None);
        assert_eq!(told(&(0..land.len()).map(|at| at % 7 < 3).collect::<Vec<_>>()), None);
    }
}
