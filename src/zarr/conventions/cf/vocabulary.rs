//! The words of CF in the attributes of one variable: standard names against units and axes, and the forms that its
//! conformance document gives to single attributes.

use super::ranges::{
    ANGLES, CELSIUS, DEGREES, GEOPOTENTIAL, JOULES, KELVIN, METRES, METRES_PER_SECOND, PERCENT,
    WATTS, angle,
};
use crate::zarr::conventions::prelude::*;
use crate::zarr::conventions::rules::{
    self,
    MemberForm::{Bits, List, NoneTwice, Numbers, Object, OneNumber, OneOf, Text, Words},
    Rule, may,
};

/// The forms of single attributes of numbers.
const FORMS: &[Rule] = &[
    may("standard_name", Text),
    may("cell_methods", Text),
    may("grid_mapping", Text),
    // That of GDAL, with "url", "wkt" or "projjson".
    may("_CRS", Object),
    may("valid_min", OneNumber),
    may("valid_max", OneNumber),
    may("valid_range", List(2, 2)),
    may("valid_range/[]", OneNumber),
    may("actual_range", List(2, 2)),
    may("flag_values", Numbers),
    may("flag_values", NoneTwice),
    may("flag_masks", Bits),
    may("flag_meanings", Words),
    may(
        "axis",
        OneOf(&[
            "X",
            "Y",
            "Z",
            "T",
            "E",
            "radial_azimuth_coordinate",
            "radial_elevation_coordinate",
            "radial_range_coordinate",
        ]),
    ),
    may("positive", OneOf(&["up", "down"])),
];

/// Units of one kind: what they are of, and their spellings. A number alone is none: what is scaled to a usual size has
/// it, too.
const KINDS: &[(&str, &[&[&str]])] = &[
    ("a temperature", &[KELVIN, CELSIUS, &["degF"]]),
    ("a pressure", &[&["Pa", "pascal", "hPa", "kPa", "mbar", "millibar", "mb", "dbar", "bar"]]),
    (
        "a speed",
        &[
            METRES_PER_SECOND,
            &["m s^-1", "cm s-1", "cm/s", "km h-1", "km/h", "knots", "knot", "kt"],
        ],
    ),
    ("a length", &[METRES, &["km", "cm", "mm", "gpm", "m of water equivalent"]]),
    ("an angle", &[DEGREES, &["rad", "radian", "radians", "degree_true"]]),
    ("a latitude", &[ANGLES[0].1]),
    ("a longitude", &[ANGLES[1].1]),
    (
        "a share",
        &[
            PERCENT,
            &["kg kg-1", "kg/kg", "kg kg**-1", "g kg-1", "g/kg", "m3 m-3", "mol mol-1"],
            &["1e-3", "psu", "PSU", "ppm", "ppb"],
        ],
    ),
    ("a flux of energy", &[WATTS, JOULES]),
    (
        "a flux of water",
        &[
            &["kg m-2 s-1", "kg m**-2 s**-1", "kg/m2/s", "kg/m^2/s", "kg m-2 day-1"],
            &["mm s-1", "mm/s", "mm day-1", "mm/day", "mm d-1", "mm h-1", "mm/h", "mm/hr"],
        ],
    ),
    ("an amount of water", &[&["kg m-2", "kg m**-2", "kg/m2"]]),
    ("a geopotential", &[GEOPOTENTIAL]),
];

/// Standard names, or ends of them with `_` before, and starts with `_` after, and the kinds of units that they have.
const NAMES: &[(&[&str], &[&str])] = &[
    (&["latitude", "grid_latitude"], &["a latitude", "an angle"]),
    (&["longitude", "grid_longitude"], &["a longitude", "an angle"]),
    (
        &[
            "air_temperature",
            "surface_temperature",
            "sea_surface_temperature",
            "soil_temperature",
            "dew_point_temperature",
            "sea_water_temperature",
            "toa_brightness_temperature",
            "sea_water_potential_temperature",
            "air_potential_temperature",
            "_temperature",
        ],
        &["a temperature"],
    ),
    (
        &[
            "air_pressure",
            "surface_air_pressure",
            "air_pressure_at_sea_level",
            "air_pressure_at_mean_sea_level",
            "sea_water_pressure",
            "_air_pressure",
        ],
        &["a pressure"],
    ),
    (
        &[
            "wind_speed",
            "eastward_wind",
            "northward_wind",
            "x_wind",
            "y_wind",
            "wind_speed_of_gust",
            "eastward_sea_water_velocity",
            "northward_sea_water_velocity",
            "sea_water_speed",
            "_speed",
            "_wind",
            "_velocity",
        ],
        &["a speed"],
    ),
    (
        &[
            "depth",
            "height",
            "altitude",
            "surface_altitude",
            "surface_snow_thickness",
            "sea_surface_height_above_geoid",
            "sea_surface_wave_significant_height",
            "sea_ice_thickness",
            "sea_floor_depth_below_sea_level",
            "sea_floor_depth_below_geoid",
        ],
        &["a length"],
    ),
    (&["geopotential_height", "geopotential"], &["a length", "a geopotential"]),
    (
        &[
            "wind_from_direction",
            "wind_to_direction",
            "sea_surface_wave_from_direction",
            "solar_zenith_angle",
            "solar_azimuth_angle",
            "_direction",
            "_azimuth_angle",
            "_zenith_angle",
        ],
        &["an angle"],
    ),
    (
        &[
            "relative_humidity",
            "specific_humidity",
            "humidity_mixing_ratio",
            "cloud_area_fraction",
            "sea_ice_area_fraction",
            "land_area_fraction",
            "surface_albedo",
            "sea_water_salinity",
            "sea_surface_salinity",
            "sea_water_practical_salinity",
            "_area_fraction",
            "mole_fraction_of_",
            "mass_fraction_of_",
            "volume_fraction_of_",
        ],
        &["a share"],
    ),
    (
        &[
            "surface_downwelling_shortwave_flux_in_air",
            "surface_downwelling_longwave_flux_in_air",
            "surface_upward_sensible_heat_flux",
            "surface_upward_latent_heat_flux",
            "toa_outgoing_longwave_flux",
            "_shortwave_flux_in_air",
            "_longwave_flux_in_air",
        ],
        &["a flux of energy"],
    ),
    (
        &["precipitation_flux", "rainfall_flux", "snowfall_flux", "convective_precipitation_flux"],
        &["a flux of water", "a speed"],
    ),
    (
        &[
            "precipitation_amount",
            "rainfall_amount",
            "snowfall_amount",
            "surface_snow_amount",
            "lwe_thickness_of_precipitation_amount",
            "lwe_thickness_of_surface_snow_amount",
        ],
        &["an amount of water", "a length"],
    ),
    // Of these only the spelling is known.
    (&["time", "forecast_period", "forecast_reference_time", "realization"], &[]),
    (&["projection_x_coordinate", "projection_y_coordinate", "cell_area", "land_binary_mask"], &[]),
];

/// The kinds that are written for each other where a step is meant with them.
const OF_WATER: [&str; 3] = ["a flux of water", "an amount of water", "a length"];

/// The axes of coordinates by their standard names.
const AXES: &[(&str, &str)] = &[
    ("longitude", "X"),
    ("projection_x_coordinate", "X"),
    ("latitude", "Y"),
    ("projection_y_coordinate", "Y"),
    ("time", "T"),
    ("depth", "Z"),
    ("height", "Z"),
    ("altitude", "Z"),
    ("air_pressure", "Z"),
];

/// The terms by which vertical coordinates are computed, by their standard names (CF, appendix D).
const TERMS: &[(&str, &[&str])] = &[
    ("atmosphere_ln_pressure_coordinate", &["p0", "lev"]),
    ("atmosphere_sigma_coordinate", &["sigma", "ps", "ptop"]),
    ("atmosphere_hybrid_sigma_pressure_coordinate", &["a", "ap", "b", "ps", "p0"]),
    ("atmosphere_hybrid_height_coordinate", &["a", "b", "orog"]),
    ("atmosphere_sleve_coordinate", &["a", "b1", "b2", "ztop", "zsurf1", "zsurf2"]),
    ("ocean_sigma_coordinate", &["sigma", "eta", "depth"]),
    ("ocean_s_coordinate", &["s", "eta", "depth", "a", "b", "depth_c"]),
    ("ocean_s_coordinate_g1", &["s", "C", "eta", "depth", "depth_c"]),
    ("ocean_s_coordinate_g2", &["s", "C", "eta", "depth", "depth_c"]),
    ("ocean_sigma_z_coordinate", &["sigma", "eta", "depth", "depth_c", "nsigma", "zlev"]),
    ("ocean_double_sigma_coordinate", &["sigma", "depth", "z1", "z2", "a", "href", "k_c"]),
];

/// Words that are written for a cell method of CF.
const METHODS: &[(&[&str], &str)] = &[
    (&["average", "avg", "averaged", "mean_value"], "mean"),
    (&["max", "maximal"], "maximum"),
    (&["min", "minimal"], "minimum"),
    (&["instantaneous", "instant"], "point"),
    (&["std", "stddev", "stdev", "std_dev"], "standard_deviation"),
    (&["var"], "variance"),
    (&["accumulated", "accumulation", "total"], "sum"),
];

/// True if `name` is one of `known`, or has the start or the end that one of them is.
fn is_called(known: &[&str], name: &str) -> bool {
    // The depth of a temperature is none, nor is the square of a speed.
    let is_of_it = !["_of_", "_by_", "_due_to_"].iter().any(|word| name.contains(word));
    known.iter().any(|own| {
        *own == name
            || own.starts_with('_') && name.ends_with(own) && is_of_it
            || own.ends_with('_') && name.starts_with(own)
    })
}

/// The findings on the words of a variable of numbers.
pub(super) fn check(variable: &Variable, attributes: &Attributes) -> Vec<Problem> {
    if !is_number(variable.array) {
        return Vec::new();
    }
    let mut problems = rules::check(attributes, FORMS, Code::CfAttribute);
    let found = [
        kinds(attributes),
        spelling(attributes),
        axis(variable, attributes),
        crossed(attributes),
        coulombs(attributes),
        float_bits(variable, attributes),
        terms(attributes),
        method(attributes),
        unitless(variable, attributes),
    ];
    problems.extend(found.into_iter().flatten());
    problems
}

/// The note on a coordinate of a quantity without units, of which there are several.
fn unitless(variable: &Variable, attributes: &Attributes) -> Option<Problem> {
    const KINDS: [&str; 4] = ["a temperature", "a pressure", "a speed", "a length"];
    let names = variable.array.dimension_names.as_deref()?;
    matches!(names, [Some(own)] if own == variable.path.name()).then_some(())?;
    let json = attributes.get("standard_name")?;
    let name = json.as_str().filter(|_| !attributes.has("units"))?;
    let (_, kinds) = NAMES.iter().find(|(names, _)| is_called(names, name))?;
    let kind = kinds.first().filter(|kind| KINDS.contains(kind))?;
    let sentence = format!("{name} without units: it is {kind}, and CF requires them");
    Some(note(attributes.told(Code::CfUnits, ("standard_name", json), sentence)))
}

/// The finding on units that are none of the standard name: a warning, but of water, where many write an amount for a flux.
fn kinds(attributes: &Attributes) -> Option<Problem> {
    let (name, units) = (attributes.get_str("standard_name")?, attributes.get_str("units")?.trim());
    let (_, allowed) = NAMES.iter().find(|(names, _)| is_called(names, name))?;
    let (kind, _) =
        KINDS.iter().find(|(_, lists)| lists.iter().any(|list| list.contains(&units)))?;
    if allowed.is_empty() || allowed.contains(kind) {
        return None;
    }
    let sentence = format!(
        "{name} is {}, and its units, {}, are those of {kind}",
        allowed.first()?,
        quoted(units)
    );
    let fix = "One of the two is wrong. xarray 2026.9 opens the group and says nothing.";
    let is_water =
        allowed.iter().chain([kind]).all(|kind| OF_WATER.contains(kind) || *kind == "a speed");
    note_unless(!is_water, attributes.finding(Code::CfUnits, "units", sentence, fix))
}

/// The note on a standard name that is nearly one that is known. What begins otherwise may be its opposite.
fn spelling(attributes: &Attributes) -> Option<Problem> {
    let name = attributes.get_str("standard_name")?;
    let known = || NAMES.iter().flat_map(|(names, _)| names.iter().copied());
    if known().any(|it| it == name) {
        return None;
    }
    let whole = known().filter(|it| !it.starts_with('_') && !it.ends_with('_'));
    let meant = nearest(name, whole).filter(|it| it.get(..1) == name.get(..1))?;
    let is_plural = name.len() > meant.len() + 2;
    let texts = (quoted(name), quoted(meant));
    let fix = "Programs that follow CF do not find the variable by it.";
    (!is_plural).then(|| attributes.mismatch(Code::CfAttribute, "standard_name", texts, fix))?
}

/// The warning on a degree with a space before its letter: a product of two units.
fn coulombs(attributes: &Attributes) -> Option<Problem> {
    const READ: [(&str, &str, &str, &str); 3] = [
        ("C", "coulombs", "converts it to no temperature", "degrees_C"),
        ("F", "farads", "converts it to no temperature", "degrees_F"),
        ("K", "kelvins", "takes 1 of it for 0.01745 K", "K"),
    ];
    let units = attributes.get_str("units")?;
    let (degree, letter) = units.trim().split_once(' ')?;
    let is_degree = ["degree", "degrees"].contains(&degree.to_ascii_lowercase().as_str());
    let (_, what, effect, meant) =
        READ.iter().find(|(it, ..)| is_degree && *it == letter.trim())?;
    let sentence = format!("{} is degrees times {what} to UDUNITS", quoted(units));
    let fix = format!("cf_units 3.3.1 reads it so, and {effect}. Likely meant: {}.", quoted(meant));
    attributes.finding(Code::CfUnits, "units", sentence, fix)
}

/// The warning on flags that are bits, in numbers that have none.
fn float_bits(variable: &Variable, attributes: &Attributes) -> Option<Problem> {
    let data_type = variable.array.data_type()?;
    let is_packed = attributes.get("scale_factor").or_else(|| attributes.get("add_offset"));
    let is_float = matches!(data_type.default_scalar(), Scalar::Float(_)) && is_packed.is_none();
    let sentence =
        format!("flag_masks are bits of integers, and the data type is {}", data_type.name());
    let fix = "Programs that test the bits fail. Likely cause: integers with missing values were read as floats, and written so.";
    attributes
        .finding_if(is_float, Code::CfFlags, "flag_masks", sentence, fix)
        .map(|it| it.with_severity(Severity::Warning))
}

/// The warning on a term by which the coordinate is not computed.
fn terms(attributes: &Attributes) -> Option<Problem> {
    let (name, given) =
        (attributes.get_str("standard_name")?, attributes.get_str("formula_terms")?);
    let (_, known) = TERMS.iter().find(|(own, _)| *own == name)?;
    let mut given = given.split_whitespace().filter_map(|word| word.strip_suffix(':'));
    let odd = given.find(|term| !known.contains(term))?;
    let sentence = format!(
        "formula_terms has the term {}; {name} is computed from {}",
        quoted(odd),
        known.join(", ")
    );
    let fix = "Programs that compute the heights or pressures by CF do not find the term.";
    attributes
        .finding(Code::CfAttribute, "formula_terms", sentence, fix)
        .map(|it| it.with_severity(Severity::Warning))
}

/// The note on a word that is written for a cell method.
fn method(attributes: &Attributes) -> Option<Problem> {
    let json = attributes.get("cell_methods")?;
    let words = || json.as_str().into_iter().flat_map(str::split_whitespace);
    let pairs = words().zip(words().skip(1));
    let mut methods = pairs.filter(|(name, method)| name.ends_with(':') && !method.ends_with(':'));
    let (odd, meant) = methods.find_map(|(_, method)| {
        let row =
            METHODS.iter().find(|(odd, _)| odd.iter().any(|it| it.eq_ignore_ascii_case(method)));
        row.map(|(_, meant)| (method, *meant))
    })?;
    let sentence = format!("cell_methods has {}; the word of CF is {}", quoted(odd), quoted(meant));
    Some(note(attributes.told(Code::CfAttribute, ("cell_methods", json), sentence)))
}

/// The warning on an axis that is not that of a coordinate.
fn axis(variable: &Variable, attributes: &Attributes) -> Option<Problem> {
    let own = attributes.get_str("axis").filter(|it| ["X", "Y", "Z", "T"].contains(it))?;
    let units = attributes.get_str("units").unwrap_or_default();
    let name = if units.contains(" since ") { Some("time") } else { angle(units) };
    let name = name.or_else(|| attributes.get_str("standard_name"))?;
    let (_, due) = AXES.iter().find(|(known, _)| *known == name)?;
    let is_one = matches!(variable.array.known_shape()?.as_slice(), [_]);
    let fix =
        format!("The values are of {name}. cf-xarray and others find coordinates by their axis.");
    let texts = (quoted(own), quoted(due));
    let problem = attributes.mismatch(Code::CfAttribute, "axis", texts, fix);
    Some(problem.filter(|_| is_one && own != *due)?.with_severity(Severity::Warning))
}

/// The warning on a lowest valid value above the highest one.
fn crossed(attributes: &Attributes) -> Option<Problem> {
    // Of numbers that are stored with a sign and have none, 0 to -6 is 0 to 65530.
    (!attributes.has("_Unsigned")).then_some(())?;
    let pair = attributes.get("valid_range").and_then(|json| match json.as_array()? {
        [least, most] => Some((number(least)?, number(most)?)),
        _ => None,
    });
    let ends = || Some((attributes.number("valid_min")?, attributes.number("valid_max")?));
    let (least, most) = pair.or_else(ends)?;
    let mut names = ["valid_range", "valid_min"].into_iter();
    let name = names.find(|name| attributes.has(name))?;
    let (least_text, most_text) = (short(least), short(most));
    let sentence =
        format!("the lowest valid value, {least_text}, is above the highest, {most_text}");
    let fix = "By CF, every value is missing; xarray 2026.9 reads them as data.";
    attributes.finding_if(least > most, Code::CfValueRange, name, sentence, fix)
}
