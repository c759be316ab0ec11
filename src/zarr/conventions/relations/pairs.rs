//! Variables of one group by what their standard names make of each other: a minimum and a maximum, a speed and its components,
//! a mask of land and the sea, latitudes and the axis of a projection.

use super::Due;
use crate::zarr::conventions::{
    cf::ranges::{CELSIUS, KELVIN, angle},
    prelude::*,
};

/// The fewest elements that say something, the share of them that is all, and the share that is none.
const FEWEST: usize = 16;
const ALL: f64 = 0.98;
const NONE: f64 = 0.01;

/// The warning on coefficients of hybrid levels that are not what their terms are: shares that are multiplied by a pressure, or
/// pressures.
pub(super) fn hybrid(related: &Related) -> Option<Problem> {
    /// The largest that shares are, with room, and the smallest pressure at the surface, in Pa.
    const SHARE: f64 = 2.0;
    let words: Vec<&str> = related.own_text("formula_terms")?.split_whitespace().collect();
    let name =
        |term: &str| words.iter().position(|it| *it == term).and_then(|at| words.get(at + 1));
    let most = |term: &str| {
        let name = *name(term)?;
        let values = related.numbers_beside(name)?;
        Some((quoted(name), values.into_iter().map(f64::abs).reduce(f64::max)?))
    };
    // Of heights, a is one, and b the share of that of the ground.
    let is_height = name("orog:").is_some();
    let pressure = |term| if is_height { None } else { most(term) };
    let (a, ap, b) = (pressure("a:"), pressure("ap:"), most("b:"));
    let surface = if is_height { "orog" } else { "ps" };
    let of = |term: &str, (name, value): &(String, f64)| {
        format!("{term} in formula_terms is {name}, to {}", short(*value))
    };
    let (sentence, fix) = match (&a, &ap, &b) {
        (Some(a), ..) if a.1 > SHARE => {
            let (_, p0) = most("p0:").filter(|(_, p0)| *p0 > SHARE)?;
            let sentence = format!("{}, and is multiplied by p0, {}", of("a", a), short(p0));
            (
                sentence,
                "These are pressures already: their term is ap, without p0; or divide them by it.",
            )
        }
        (_, Some(ap), _) if ap.1 > 0.0 && ap.1 < SHARE => (
            format!("{}, which is no pressure", of("ap", ap)),
            "These are shares: their term is a, with the pressure p0 by which they are multiplied.",
        ),
        (.., Some(b)) if b.1 > SHARE => (
            format!("{}, which is multiplied by {surface}", of("b", b)),
            "b is a share of what is at the surface, from 0 to 1. Possible cause: the terms are in each other's place.",
        ),
        _ => return None,
    };
    related.warning(sentence, fix)
}

/// The problem of a minimum that is above the maximum: a warning where it is throughout some steps, and nowhere else.
pub(super) fn extremes(related: &Related) -> Option<Problem> {
    /// The share of the range by which what was rounded or packed may be above.
    const ROUNDED: f64 = 1e-3;
    let name = related.path.name();
    let mut names = [("min", "max"), ("mn", "mx"), ("Min", "Max"), ("MIN", "MAX")].into_iter();
    let (array, path) = names.find_map(|(least, most)| {
        let path = related.beside(&name.replacen(least, most, 1))?;
        name.contains(least).then(|| Some((related.existing(&path)?, path)))?
    })?;
    let array = &*array;
    let own = |key: &str| related.own_text(key);
    let is_same = ["standard_name", "units"]
        .iter()
        .all(|key| own(key).is_some() && own(key) == text_of(array, key));
    let is_angle = own("units").is_some_and(|units| angle(units).is_some());
    if !is_same || is_angle || !related.is_alike(array) {
        return None;
    }
    let shape = related.array.known_shape()?;
    let low = related.own_data(false)?;
    let high = related.data(&path, array, false)?;
    let [lowest, highest] = ends(finite(&high))?;
    let width = highest - lowest;
    let step = |array| {
        Some(Packing::of(array)).filter(|it| it.is_scaled).map_or(0.0, |it| it.factor.abs())
    };
    let room = ROUNDED * width + step(related.array) + step(array);
    let size = nonzero(order::product(shape.get(1..)?)?)?;
    let steps = low.chunks(size).zip(high.chunks(size)).map(|(low, high)| {
        let pairs =
            || low.iter().zip(high).filter(|(low, high)| low.is_finite() && high.is_finite());
        (pairs().filter(|(low, high)| **low > **high + room).count(), pairs().count())
    });
    let steps: Vec<(usize, usize)> = steps.collect();
    let (count, of) = steps.iter().fold((0, 0), |(a, b), (c, d)| (a + c, b + d));
    let is_whole =
        |(count, of): &&(usize, usize)| *of >= FEWEST && *count as f64 >= ALL * *of as f64;
    let whole = steps.iter().filter(is_whole).count();
    let inside: usize = steps.iter().filter(is_whole).map(|(count, _)| count).sum();
    let first = steps.iter().position(|step| step.0 > 0)?;
    let last = steps.iter().rposition(|step| step.0 > 0)?;
    let (name, other) = (quoted(name), quoted(path.name()));
    let sentence = format!(
        "{name} is above {other} in {} elements, from [{first}] to [{last}]",
        out_of(count, of)
    );
    let is_exchanged = whole > 0 && (count - inside) as f64 <= NONE * of as f64;
    let fix = if is_exchanged {
        format!(
            "There, it is in all elements of {}: the two are most likely in each other's place.",
            counted(whole, "step")
        )
    } else {
        "Likely cause: the two were corrected, or rounded, one without the other.".into()
    };
    note_unless(is_exchanged, related.warning(sentence, fix))
}

/// The warning on temperatures or salinities of the sea that are 0 exactly where another variable is missing, and nowhere else.
pub(super) fn zeros(related: &Related) -> Option<Problem> {
    let name = related.own_text("standard_name")?;
    let is_due =
        name.contains("sea_") && ["temperature", "salinity"].iter().any(|it| name.contains(it));
    let own = is_due.then(|| related.own_data(true))??;
    let zeros = own.iter().filter(|it| it.abs() <= 0.0).count();
    if zeros < FEWEST || zeros == own.len() || own.iter().any(|it| it.is_nan()) {
        return None;
    }
    let other = related.find_alike(|path, array| {
        let other = related.data(path, array, true)?;
        let is_same =
            own.iter().zip(&other).all(|(own, other)| (own.abs() <= 0.0) == other.is_nan());
        is_same.then(|| quoted(path.name()))
    })?;
    let own = related.name();
    let sentence = format!(
        "{own} is 0 in {} elements of its first page, exactly where {other} is missing, as on land",
        grouped(zeros)
    );
    let fix = "Likely cause: what is missing was filled with 0, or the mark for it was lost. Means count these elements.";
    related.warning(sentence, fix)
}

/// The warning on sums that are 0 wherever a count of observations is 0, and another variable is missing: those of nothing.
pub(super) fn unobserved(related: &Related) -> Option<Problem> {
    /// The share of the other elements that may be 0.
    const DRY: f64 = 0.5;
    let says = |key: &str, words: &[&str]| {
        related.own_text(key).is_some_and(|it| words.iter().any(|word| it.contains(word)))
    };
    let is_sum = says("cell_methods", &["sum"]) || says("standard_name", &["amount", "duration"]);
    (is_float(related.array) && is_sum).then_some(())?;
    let (count, counts) = related.find_alike(|path, array| {
        let long = text_of(array, "long_name").unwrap_or_default();
        let words = [path.name(), long].join(" ").to_lowercase();
        let is_count = ["obs", "count", "number of"].iter().any(|word| words.contains(word));
        (is_count && is_integer(array)).then_some(())?;
        Some((quoted(path.name()), related.data(path, array, false)?))
    })?;
    let own = related.own_data(false)?;
    let none = || counts.iter().zip(&own).filter(|(count, _)| is_zero(**count));
    let (places, zeros) = (none().count(), own.iter().filter(|it| is_zero(**it)).count());
    let rest = own.len().checked_sub(places)?;
    let is_due = places >= FEWEST
        && none().all(|(_, own)| is_zero(*own))
        && (zeros - places) as f64 <= DRY * rest as f64;
    is_due.then_some(())?;
    let other = related.find_alike(|path, array| {
        let other = related.data(path, array, false)?;
        let is_it = |(count, other): (&f64, &f64)| is_zero(*count) == other.is_nan();
        counts.iter().zip(&other).all(is_it).then(|| quoted(path.name()))
    })?;
    let sentence = format!(
        "{} is 0 in all {} elements where {count} is 0, and {other} is missing there",
        quoted(related.path.name()),
        grouped(places)
    );
    let fix = "Likely cause: sums of missing values only, which are 0 in xarray 2026.9 and pandas 3.1.1 unless min_count=1 is given: it says that there was \
               nothing where nothing was measured.";
    related.warning(sentence, fix)
}

/// The other component of a vector, which is to have other numbers.
pub(super) fn first_component(related: &Related) -> Option<Due> {
    const ALONG: [(&str, &str); 2] = [("northward_", "eastward_"), ("y_", "x_")];
    /// The fewest different numbers.
    const DIFFERENT: usize = 16;
    let name = related.own_text("standard_name")?;
    let first = ALONG.iter().find_map(|(own, first)| {
        let rest = name.strip_prefix(own)?;
        Some(format!("{first}{rest}"))
    })?;
    let own = related.own_data(true)?;
    if finite(&own).map(f64::to_bits).collect::<HashSet<_>>().len() < DIFFERENT {
        return None;
    }
    related.find_alike(|path, array| {
        let other = is_called(array, &first).then(|| related.data(path, array, true))??;
        // Of several heights, that is meant which has the first number.
        let is_it = own.first()?.to_bits() == other.first()?.to_bits();
        let pairs = own.iter().zip(&other).map(|(own, other)| [*own, *other]);
        is_it.then(|| Due::of(related, pairs, format!("the same as {}", quoted(path.name()))))
    })
}

/// The length of the vector of the components beside a speed.
pub(super) fn speed(related: &Related) -> Option<Due> {
    const ALONG: [&[&str]; 2] = [&["eastward_wind", "x_wind"], &["northward_wind", "y_wind"]];
    let has_units = |units: Option<&str>| units == related.own_text("units");
    let (all, [u, v]) = components(related, ALONG, &has_units, true)?;
    let pairs = all.iter().map(|(own, u, v)| [*own, u.hypot(*v)]);
    Some(Due::of(related, pairs, format!("the length of the vector of {u} and {v}")))
}

/// The dew point that the temperature and the relative humidity beside it have, where these are nearly everywhere that of the
/// array: by Magnus, over water.
pub(super) fn dew_point(related: &Related) -> Option<Due> {
    /// In degrees, and the least humidity, in percent, at which a degree more or less is told.
    const NEAR: f64 = 3.0;
    const DRY: f64 = 5.0;
    let beside = |standard: &str| {
        related.find_alike(|path, array| {
            let units = text_of(array, "units").filter(|_| is_called(array, standard))?;
            Some((related.data(path, array, false)?, units.to_owned(), path.clone()))
        })
    };
    let zero = |units: &str| if KELVIN.contains(&units) { 273.15 } else { 0.0 };
    let known = |units: &str| [KELVIN, CELSIUS].concat().contains(&units);
    let units = related.own_text("units").filter(|it| known(it))?;
    let (air, air_units, path) = beside("air_temperature").filter(|it| known(&it.1))?;
    let (humidity, share, _) = beside("relative_humidity")?;
    let percent = if share == "1" { 100.0 } else { 1.0 };
    let own = related.own_data(false)?;
    let due = |(air, humidity): (&f64, &f64)| {
        let (air, humidity) = (air - zero(&air_units), humidity * percent);
        let gamma = (humidity / 100.0).ln() + 17.62 * air / (243.12 + air);
        let due = 243.12 * gamma / (17.62 - gamma) + zero(units);
        if humidity >= DRY { due } else { f64::NAN }
    };
    let all = own.iter().zip(air.iter().zip(&humidity));
    let pairs = all.map(|(own, pair)| [*own, due(pair)]);
    let what = format!("the dew point by {} and the relative humidity", quoted(path.name()));
    let due = Due::of(related, pairs, what);
    let near = due.known().filter(|[own, due]| (own - due).abs() <= NEAR).count();
    (near as f64 >= 0.9 * due.known().count() as f64).then_some(due)
}

/// An element with the two components of the vector beside it.
type WithVector = (f64, f64, f64);

/// The elements of an array, or of its first page, with the two components of the vector beside it, as NaN where these are too short
/// for their rounding, and the names of the two; `along` has the standard names of each.
fn components(
    related: &Related,
    along: [&[&str]; 2],
    has_units: &dyn Fn(Option<&str>) -> bool,
    is_page: bool,
) -> Option<(Vec<WithVector>, [String; 2])> {
    /// The share of the longest vector below which rounding counts.
    const SHORT: f64 = 0.05;
    let mut parts = [Vec::new(), Vec::new()];
    related.find_alike(|path, array| {
        let name = text_of(array, "standard_name")?;
        let axis = along.iter().position(|names| names.contains(&name))?;
        let is_due = has_units(text_of(array, "units"));
        parts.get_mut(axis)?.extend(is_due.then(|| (path.clone(), array.clone())));
        None::<()>
    });
    let height =
        |path: &NodePath| path.name().chars().filter(char::is_ascii_digit).collect::<String>();
    for part in &mut parts {
        if part.len() > 1 {
            part.retain(|(path, _)| height(path) == height(related.path));
        }
    }
    let [[(u, along)], [(v, across)]] = [parts[0].as_slice(), parts[1].as_slice()] else {
        return None;
    };
    let own = related.own_data(is_page)?;
    let east = related.data(u, along, is_page)?;
    let north = related.data(v, across, is_page)?;
    let all = own.iter().zip(&east).zip(&north).map(|((own, u), v)| (*own, *u, *v));
    let all: Vec<WithVector> = all.collect();
    let lengths = all.iter().map(|(_, u, v)| u.hypot(*v)).filter(|it| it.is_finite());
    let longest = lengths.reduce(f64::max)?;
    let long = |(own, u, v): WithVector| {
        if u.hypot(v) > SHORT * longest { (own, u, v) } else { (own, f64::NAN, f64::NAN) }
    };
    let names = [u, v].map(|path| quoted(path.name()));
    Some((all.into_iter().map(long).collect(), names))
}

/// The direction in degrees of the vector of the components beside it.
pub(super) fn direction(related: &Related) -> Option<Due> {
    direction_of(related, true)
}

/// The same of all elements, where they are not very many and nearly all have it.
pub(super) fn nearly_direction(related: &Related) -> Option<Due> {
    /// In degrees, and the share that is nearly all.
    const NEAR: f64 = 20.0;
    const ALL: f64 = 0.9;
    let due = direction_of(related, false)?;
    let away = || due.known().map(|[own, due]| turned_away(own, due));
    let near = away().filter(|away| *away <= NEAR).count();
    (near as f64 >= ALL * away().count() as f64).then_some(due)
}

/// The degrees between two directions.
pub(super) fn turned_away(one: f64, other: f64) -> f64 {
    let away = (one - other).rem_euclid(360.0);
    away.min(360.0 - away)
}

fn direction_of(related: &Related, is_page: bool) -> Option<Due> {
    const WIND: [&[&str]; 2] = [&["eastward_wind"], &["northward_wind"]];
    const OF_GRID: [&[&str]; 2] = [&["eastward_wind", "x_wind"], &["northward_wind", "y_wind"]];
    const WATER: [&[&str]; 2] =
        [&["eastward_sea_water_velocity"], &["northward_sea_water_velocity"]];
    let name = related.own_text("standard_name")?;
    // Where nearly all have it, x goes east.
    let wind = if is_page { WIND } else { OF_GRID };
    let along = if name.starts_with("wind") { wind } else { WATER };
    let half = if name.contains("_from_") { 180.0 } else { 0.0 };
    let (all, [u, v]) = components(related, along, &|_| true, is_page)?;
    let direction = |u: f64, v: f64| (u.atan2(v).to_degrees() + half).rem_euclid(360.0);
    let pairs = all.iter().map(|(own, u, v)| [*own, direction(*u, *v)]);
    let due = Due::of(related, pairs, format!("the direction that {u} and {v} have"));
    let is_other = related.path.name() != name;
    let name = format!("{}, {},", due.name, quoted(name));
    Some(if is_other { Due { name, ..due } } else { due })
}

/// The latitudes or longitudes that places along two dimensions have by a rotated pole, in degrees.
pub(super) fn rotated(related: &Related) -> Option<Due> {
    /// Near a pole, longitudes are anything.
    const MOST: f64 = 85.0;
    let names = related.array.dimension_names.as_deref()?;
    let [Some(down), Some(across)] = names else { return None };
    let group = related.group()?;
    let mut poles = Vec::new();
    related.hierarchy.find_child(&group, |child| {
        let own = child.kind.attributes()?;
        own.get_str("grid_mapping_name").filter(|it| *it == "rotated_latitude_longitude")?;
        let number = |key: &str| own.get(key).and_then(number);
        let keys = ["grid_north_pole_latitude", "grid_north_pole_longitude"];
        let turn = number("north_pole_grid_longitude").unwrap_or(0.0);
        poles.push((keys.map(number), turn, quoted(child.path.name())));
        None::<()>
    });
    let [([Some(lat), Some(lon)], turn, mapping)] = poles.as_slice() else { return None };
    let axis = |name: &str, standard: &str| related.data_called(&group.child(name), standard);
    let (down, across) = (axis(down, "grid_latitude")?, axis(across, "grid_longitude")?);
    let own = related.own_data(false)?;
    let is_latitude = is_called(related.array, "latitude");
    let (sin, cos) = lat.to_radians().sin_cos();
    let due = down.iter().flat_map(|y| across.iter().map(move |x| (y, x))).map(|(y, x)| {
        let (up, level) = y.to_radians().sin_cos();
        let (east, ahead) = (x - turn).to_radians().sin_cos();
        let place = sin.mul_add(up, cos * level * ahead).clamp(-1.0, 1.0).asin().to_degrees();
        let away = (level * east).atan2((sin * level).mul_add(ahead, -cos * up));
        [place, lon + 180.0 + away.to_degrees()]
    });
    let pairs = own.iter().zip(due).map(|(own, due)| {
        let turns = 360.0 * ((own - due[1]) / 360.0).round();
        let place = if is_latitude { due[0] } else { due[1] + turns };
        [*own, if due[0].abs() < MOST { place } else { f64::NAN }]
    });
    Some(Due::of(related, pairs, format!("that by the pole of {mapping}")))
}

/// The areas of cells between their latitudes and longitudes, in the unit of the array.
pub(super) fn area(related: &Related) -> Option<Due> {
    const RADIUS: f64 = 6_371_000.0;
    let units = related.own_text("units")?;
    let unit = match units {
        "m2" => 1.0,
        "km2" => 1e6,
        _ => return None,
    };
    let degrees = |at: usize, standard: &str| {
        let name = related.array.dimension_names.as_ref()?.get(at)?.as_ref()?;
        related.data_called(&related.beside(name)?, standard)
    };
    let (lat, lon) = (degrees(0, "latitude")?, degrees(1, "longitude")?);
    let areas = related.own_data(false)?;
    let step = (lon.get(1)? - lon.first()?).abs().to_radians();
    // Cells at the poles may be halves; the others end half-way to their neighbours.
    let rows = lat.windows(3).zip(areas.chunks_exact(lon.len()).skip(1));
    let pairs = rows.flat_map(|(around, row)| {
        let end = |pair: &[f64]| (pair.iter().sum::<f64>() / 2.0).to_radians().sin();
        let height = around.windows(2).map(end).reduce(|a, b| (b - a).abs()).unwrap_or(0.0);
        row.iter().map(move |area| [*area, RADIUS * RADIUS * step * height / unit])
    });
    let pairs = pairs.filter(|pair| pair.iter().all(|it| it.is_finite()));
    let what = format!("the area between its latitudes and longitudes, in {}", quoted(units));
    Some(Due::of(related, pairs, what))
}

/// The density of sea water in kg m-3, to the hundredth part.
pub(super) const SEA_WATER: f64 = 1027.0;

/// The mass that the upward velocity of the sea carries through each cell of the first page, in kg s-1.
pub(super) fn upward_mass(related: &Related) -> Option<Due> {
    related.own_text("units").filter(|it| ["kg s-1", "kg/s"].contains(it))?;
    let page = |standard: &str| {
        related.find_called(standard, |path, array| {
            text_of(array, "units").filter(|it| ["m s-1", "m2"].contains(it))?;
            Some((quoted(path.name()), related.data(path, array, true)?))
        })
    };
    let (area_name, area) = page("cell_area")?;
    let (velocity_name, velocity) = page("upward_sea_water_velocity")?;
    let own = related.own_data(true)?;
    let all = own.iter().zip(velocity.iter().zip(&area));
    let pairs = all.map(|(own, (velocity, area))| [*own, velocity * area * SEA_WATER]);
    let pairs = pairs.filter(|[own, due]| own.is_finite() && due.abs() > 0.0);
    let what = format!("the mass that {velocity_name} carries through {area_name}");
    (own.len() == area.len() && own.len() == velocity.len()).then(|| Due::of(related, pairs, what))
}

/// The warning on numbers that are one and the same in all places that flags call no data, and nowhere else.
pub(super) fn unmasked(related: &Related) -> Option<Problem> {
    /// What nothing is called, and the fewest elements of which nothing is said elsewhere.
    const NOTHING: [&str; 4] = ["no_data", "nodata", "missing", "fill"];
    const FEWEST: usize = 16;
    let own = related.attributes()?;
    let mut meanings = own.get_str("flag_meanings")?.split_whitespace();
    let at = meanings.position(|meaning| NOTHING.contains(&meaning))?;
    let class = own.get("flag_values")?.as_array()?.get(at).and_then(number)?;
    let flags = related.own()?;
    let is_none = |flag: &f64| (flag - class).abs() < f64::EPSILON;
    let places = flags.iter().filter(|it| is_none(it)).count();
    (places >= FEWEST && places * 2 < flags.len()).then_some(())?;
    let (name, value) = related.find_alike(|path, array| {
        // This array is one with flags, too.
        let is_flag = array.attributes().is_some_and(|it| it.get("flag_meanings").is_some());
        let values = (!is_flag).then(|| related.data(path, array, false))??;
        let pairs = || values.iter().zip(flags);
        let value = pairs().find(|(_, flag)| is_none(flag)).map(|(value, _)| *value)?;
        let is_it = |other: &f64| other.total_cmp(&value).is_eq();
        let inside = pairs().filter(|(other, flag)| is_none(flag) && is_it(other)).count();
        let outside = pairs().filter(|(other, flag)| !is_none(flag) && is_it(other)).count();
        // What the document names by any other word is known to be none.
        let packing = Packing::of(array);
        let is_same = |other: f64| (packing.unpack(other) - value).abs() <= value.abs() * 1e-6;
        let fill = array.fill_scalar().and_then(|fill| fill.to_f64());
        let members = array.attributes().and_then(Json::as_object).into_iter().flatten();
        let is_mark = |key: &str| NOTHING.iter().any(|word| key.to_lowercase().contains(word));
        let marks = members.filter(|it| is_mark(&it.key)).filter_map(|it| number(&it.value));
        let mut named = marks.chain(fill);
        let is_told = value.is_finite() && inside == places && outside * 1000 <= places;
        let is_told = is_told && !named.any(is_same);
        is_told.then(|| (quoted(path.name()), value))
    })?;
    let sentence = format!(
        "{name} is {} in all {} places that {} calls no data, and hardly anywhere else",
        short(value),
        grouped(places),
        related.name()
    );
    let fix = "It is read as data, and counts in every mean. Likely cause: elements without data were scaled as the others are, before they were \
               masked; other arrays on this grid may have the same.";
    related.warning(sentence, fix)
}

/// The warning on a mask of land where what is of the sea has its values.
pub(super) fn mask(related: &Related) -> Option<Problem> {
    let names = related.array.dimension_names.as_ref().filter(|names| names.len() == 2)?;
    let meanings = related.own_text("flag_meanings");
    let meanings = meanings.map(|it| it.split_whitespace().collect::<Vec<_>>());
    // Some say by it that 0 is land.
    meanings
        .is_none_or(|it| matches!(it.as_slice(), ["sea" | "ocean" | "water", "land"]))
        .then_some(())?;
    let (sea, array) = related.find_beside(|path, array| {
        let name = text_of(array, "standard_name")?;
        let is_sea = ["sea_water", "sea_surface_height", "sea_surface_temperature"]
            .iter()
            .any(|it| name.contains(it));
        let is_along = array.dimension_names.as_ref().is_some_and(|it| it.ends_with(names));
        (is_sea && is_along).then(|| (path.clone(), array.clone()))
    })?;
    let land = related.own_data(true)?;
    let values = related.data(&sea, &array, true)?;
    let count = |mark: f64, is_there: bool| {
        let mut pairs =
            land.iter().zip(&values).filter(|(land, _)| (**land - mark).abs() < 0.5).peekable();
        pairs.peek()?;
        let all: Vec<bool> = pairs.map(|(_, value)| value.is_finite() == is_there).collect();
        Some((all.len(), all.iter().filter(|it| **it).count()))
    };
    let is_all = |(of, count): (usize, usize)| of >= FEWEST && count as f64 >= ALL * of as f64;
    let (on_land, at_sea) = (count(1.0, true)?, count(0.0, false)?);
    let (name, other) = (related.name(), quoted(sea.name()));
    let sentence = format!(
        "{name} is 1, land, where {other} has its values, in {} elements, and 0, sea, where it has none",
        out_of(on_land.1, on_land.0)
    );
    let is_inverted = land.len() == values.len() && is_all(on_land) && is_all(at_sea);
    let fix = format!("{other} is of the sea: the mask is inverted.");
    related.warning_if(is_inverted, sentence, fix)
}

/// The warning on latitudes that are the longitudes of the `bbox` around them, as `GeoJSON` and STAC have it, and not its latitudes.
pub(super) fn boxed(related: &Related) -> Option<Problem> {
    /// In degrees, what is rounded or at the edges of cells.
    const NEAR: f64 = 0.5;
    let bbox: Vec<f64> = related.groups().find_map(|group| {
        let of_stac = || Some(related.attribute(&group, "stac_discovery")?.get("bbox")?.clone());
        numbers(&related.attribute(&group, "bbox").or_else(of_stac)?)
    })?;
    // Six have heights, too.
    let half = bbox.len() / 2;
    let side = |at: usize| Some([*bbox.get(at)?, *bbox.get(half + at)?]);
    let (west_east, south_north) = (side(0)?, side(1)?);
    let [low, high] = ends(finite(&related.own_data(false)?))?;
    let is_of = |[least, most]: [f64; 2]| {
        (low - least).abs() <= NEAR + (high - low) / 10.0
            && (high - most).abs() <= NEAR + (high - low) / 10.0
    };
    let sentence = format!(
        "latitudes from {} are the longitudes of bbox, whose latitudes are {}",
        from_to(low, high),
        from_to(south_north[0], south_north[1])
    );
    let fix = "GeoJSON and STAC have the longitude first. Likely cause: bbox, and a geometry beside it, have the latitude first: catalogues place \
               the data elsewhere.";
    related.warning_if(
        matches!(half, 2 | 3) && is_of(west_east) && !is_of(south_north),
        sentence,
        fix,
    )
}

/// The warning on latitudes along two dimensions that go the other way than the axis of a projection whose y goes north.
pub(super) fn latitudes(related: &Related) -> Option<Problem> {
    const NORTHWARD: [&str; 6] = [
        "lambert_conformal_conic",
        "albers_conical_equal_area",
        "transverse_mercator",
        "mercator",
        "lambert_cylindrical_equal_area",
        "sinusoidal",
    ];
    let [Some(down), Some(_)] = related.array.dimension_names.as_deref()? else { return None };
    let group = related.group()?;
    let axis = group.child(down);
    let array = related.existing(&axis)?;
    let is_axis = is_called(&array, "projection_y_coordinate");
    let mut mappings = Vec::new();
    is_axis.then(|| {
        related.hierarchy.find_child(&group, |child| {
            mappings.push(child.kind.attributes()?.get_str("grid_mapping_name")?.to_owned());
            None::<()>
        })
    });
    let [mapping] = mappings.as_slice() else { return None };
    NORTHWARD.contains(&mapping.as_str()).then_some(())?;
    let y = related.data(&axis, &array, false)?;
    let values = related.own_data(true)?;
    let columns = nonzero(*related.array.known_shape()?.last()?)?;
    let goes = |values: &[f64]| {
        let mut pairs = neighbours(values);
        let is_up = pairs.clone().next().map(|(a, b)| a < b)?;
        pairs.all(|(a, b)| if is_up { a < b } else { a > b }).then_some(is_up)
    };
    let up = goes(&y)?;
    let is_other = [0, columns / 2, columns - 1].into_iter().all(|column| {
        let along: Vec<f64> = values.iter().skip(column).step_by(columns).copied().collect();
        along.len() == y.len() && goes(&along) == Some(!up)
    });
    let (name, down) = (related.name(), quoted(down));
    let [falls, rises] = if up { ["falls", "rises"] } else { ["rises", "falls"] };
    let sentence = format!("{name} {falls} from row to row where {down} {rises}");
    let fix = format!(
        "In the projection, {mapping}, {down} goes north: the rows are in the reverse order, and likely those of the longitudes, too."
    );
    related.warning_if(is_other, sentence, fix)
}
