//! The range of an array's numbers against what its attributes say they are: degrees, a quantity in a unit, a valid
//! range, flags, and the numbers that are written for missing values.
//!
//! xarray 2026.9.0 was run on a store with each of these: it opens them without a warning, and reads every such value as
//! data.

use super::{SILENT, packing_codecs};
use crate::zarr::conventions::prelude::*;
use crate::zarr::statistics::{MARKS, NumberRange};

mod extent;

/// The fewest numbers from which something is concluded.
const FEWEST: u64 = 8;

/// Units of an angle on the globe, and the range of such angles; that of longitudes has room for grids that go on.
pub(in crate::zarr::conventions) const ANGLES: &[(&str, &[&str], [f64; 2])] = &[
    (
        "latitude",
        &["degrees_north", "degree_north", "degree_N", "degrees_N", "degreeN", "degreesN"],
        [-90.001, 90.001],
    ),
    (
        "longitude",
        &["degrees_east", "degree_east", "degree_E", "degrees_E", "degreeE", "degreesE"],
        [-540.0, 720.0],
    ),
];

/// Spellings of radians and of their millionths, and half a turn in them.
const RADIANS: [(&[&str], f64); 2] = [
    (&["rad", "radian", "radians"], std::f64::consts::PI),
    (&["microradian", "microradians", "urad"], std::f64::consts::PI * 1e6),
];

/// The standard names of places.
pub(super) const PLACES: [&str; 4] =
    ["latitude", "longitude", "projection_x_coordinate", "projection_y_coordinate"];

/// A quantity that is written in several units, whose usual numbers in one are impossible in another.
struct Quantity {
    /// Standard names of CF; what begins with `_` is the end of several.
    names: &'static [&'static str],
    units: &'static [QuantityUnit],
    /// The words on how it comes about, where there is more to say than the unit.
    cause: &'static str,
}

/// A unit by its spellings, the first one for sentences, and the numbers that the quantity has in it on the Earth.
struct QuantityUnit {
    spellings: &'static [&'static str],
    usual: [f64; 2],
    /// The size that at least one number has.
    reach: f64,
}

const fn unit(spellings: &'static [&'static str], usual: [f64; 2], reach: f64) -> QuantityUnit {
    QuantityUnit { spellings, usual, reach }
}

impl Quantity {
    fn is_called(&self, name: &str) -> bool {
        self.names.iter().any(|own| *own == name || own.starts_with('_') && name.ends_with(own))
    }
}

/// Names that arrays have for a quantity where they have no standard name, and that no other quantity in its units has.
const SHORT_NAMES: &[(&str, &str)] = &[
    ("geopotential", "geopotential"),
    ("tas", "air_temperature"),
    ("t2m", "air_temperature"),
    ("2m_temperature", "air_temperature"),
    ("d2m", "dew_point_temperature"),
    ("skt", "surface_temperature"),
    ("lst", "surface_temperature"),
    ("sst", "sea_surface_temperature"),
    ("tasmax", "air_temperature"),
    ("tasmin", "air_temperature"),
    ("msl", "air_pressure_at_mean_sea_level"),
    ("mean_sea_level_pressure", "air_pressure_at_mean_sea_level"),
    ("sp", "surface_air_pressure"),
    ("surface_pressure", "surface_air_pressure"),
    ("tp", "lwe_thickness_of_precipitation_amount"),
    ("total_precipitation_6hr", "lwe_thickness_of_precipitation_amount"),
    ("total_precipitation_12hr", "lwe_thickness_of_precipitation_amount"),
    ("total_precipitation_24hr", "lwe_thickness_of_precipitation_amount"),
    ("total_precipitation", "lwe_thickness_of_precipitation_amount"),
    ("tcc", "cloud_area_fraction"),
    ("total_cloud_cover", "cloud_area_fraction"),
    ("swvl1", "volume_fraction_of_condensed_water_in_soil"),
    ("psl", "air_pressure_at_mean_sea_level"),
    ("hurs", "relative_humidity"),
    ("clt", "cloud_area_fraction"),
    ("siconc", "sea_ice_area_fraction"),
    ("rsds", "surface_downwelling_shortwave_flux_in_air"),
    ("ssrd", "surface_downwelling_shortwave_flux_in_air"),
];

/// Spellings of the whole as a unit, and of its hundredth part.
const WHOLE: &[&str] = &["1", "m3 m-3", "m**3 m**-3"];
pub(super) const PERCENT: &[&str] = &["%", "percent"];
pub(in crate::zarr::conventions) const KELVIN: &[&str] = &["K", "kelvin", "Kelvin", "degK"];
pub(in crate::zarr::conventions) const CELSIUS: &[&str] = &[
    "°C",
    "degC",
    "celsius",
    "Celsius",
    "degree_Celsius",
    "degrees_Celsius",
    "degree_C",
    "degrees_C",
    "C",
];

/// Spellings of other units.
const PASCAL: &[&str] = &["Pa", "pascal", "Pascal"];
const WATER_RATE: &[&str] =
    &["kg m-2 s-1", "kg m**-2 s**-1", "kg/m2/s", "kg/m^2/s", "mm s-1", "mm/s"];
pub(super) const WATTS: &[&str] = &["W m-2", "W m**-2", "W/m2", "W/m^2", "W m^-2"];
pub(super) const JOULES: &[&str] = &["J m-2", "J m**-2"];
pub(super) const GEOPOTENTIAL: &[&str] = &["m2 s-2", "m**2 s**-2", "m^2 s^-2", "J kg-1"];

const QUANTITIES: &[Quantity] = &[
    Quantity {
        names: &[
            "air_temperature",
            "surface_temperature",
            "sea_surface_temperature",
            "sea_surface_skin_temperature",
            "toa_brightness_temperature",
            "brightness_temperature",
            "air_potential_temperature",
            "sea_water_temperature",
            "sea_water_potential_temperature",
            "dew_point_temperature",
            "soil_temperature",
        ],
        units: &[unit(KELVIN, [130.0, 400.0], 0.0), unit(CELSIUS, [-100.0, 75.0], 0.0)],
        cause: "",
    },
    Quantity {
        names: &[
            "air_pressure_at_sea_level",
            "air_pressure_at_mean_sea_level",
            "surface_air_pressure",
        ],
        units: &[
            unit(PASCAL, [30_000.0, 115_000.0], 0.0),
            unit(&["hPa", "mbar", "millibar", "mb", "millibars"], [300.0, 1150.0], 0.0),
        ],
        cause: "",
    },
    Quantity {
        // Models of the upper atmosphere have geopotential heights of hundreds of kilometres.
        names: &["geopotential"],
        units: &[
            unit(&["m", "metre", "metres", "meter", "meters", "gpm"], [-2000.0, 90_000.0], 0.0),
            unit(GEOPOTENTIAL, [-20_000.0, 900_000.0], 0.0),
        ],
        cause: "Divided by 9.80665, they are heights in metres.",
    },
    Quantity {
        names: &[
            "_shortwave_flux_in_air",
            "_longwave_flux_in_air",
            "toa_outgoing_longwave_flux",
            "surface_upward_sensible_heat_flux",
            "surface_upward_latent_heat_flux",
        ],
        units: &[unit(WATTS, [-5000.0, 5000.0], 0.0), unit(JOULES, [-1e9, 1e9], 1e5)],
        cause: "Likely cause: energy that was summed up over each step, and not divided by its seconds.",
    },
    Quantity {
        names: &["precipitation_flux", "rainfall_flux", "convective_precipitation_flux"],
        units: &[
            unit(WATER_RATE, [-0.1, 1.0], 0.0),
            unit(&["mm day-1", "mm/day", "mm d-1", "kg m-2 day-1"], [-10.0, 3000.0], 5.0),
        ],
        cause: "Likely cause: the amount of a day, or of another step, that was not divided by its seconds.",
    },
    Quantity {
        names: &["lwe_thickness_of_precipitation_amount"],
        units: &[unit(&["m"], [-0.1, 30.0], 0.0), unit(&["mm", "kg m-2"], [-10.0, 30_000.0], 0.0)],
        cause: "",
    },
    Quantity {
        names: &["specific_humidity", "humidity_mixing_ratio"],
        units: &[
            unit(&["kg kg-1", "kg kg**-1", "kg/kg", "1"], [-0.05, 0.2], 0.0),
            unit(&["g kg-1", "g kg**-1", "g/kg"], [-1.0, 60.0], 1.0),
        ],
        cause: "",
    },
    Quantity {
        names: &[
            "mole_fraction_of_carbon_dioxide_in_air",
            "mole_fraction_of_carbon_dioxide_in_dry_air",
        ],
        units: &[
            unit(&["mol mol-1", "1"], [-1e-3, 0.5], 0.0),
            unit(&["1e-6", "ppm", "umol mol-1", "micromol mol-1"], [100.0, 100_000.0], 0.0),
        ],
        cause: "",
    },
    Quantity {
        names: &["mole_fraction_of_methane_in_air", "mole_fraction_of_methane_in_dry_air"],
        units: &[
            unit(&["mol mol-1", "1"], [-1e-3, 0.5], 0.0),
            unit(&["1e-9", "ppb", "nmol mol-1"], [200.0, 1e6], 0.0),
        ],
        cause: "",
    },
    Quantity {
        names: &["sea_water_salinity", "sea_surface_salinity"],
        units: &[
            // Rivers are fresher, and have no units that tell them apart.
            unit(&["kg kg-1", "kg/kg"], [0.015, 0.05], 0.0),
            unit(&["1e-3", "0.001", "g kg-1", "g/kg", "psu", "PSU"], [0.06, 100.0], 0.0),
        ],
        cause: "",
    },
    Quantity {
        names: &["sea_water_practical_salinity", "sea_surface_practical_salinity"],
        units: &[
            unit(&["kg kg-1", "kg/kg"], [0.015, 0.05], 0.0),
            unit(&["1", "1e-3", "0.001", "psu", "PSU"], [0.06, 100.0], 0.0),
        ],
        cause: "",
    },
    Quantity {
        names: &["forecast_period"],
        units: &[
            unit(&["hours", "hour", "h"], [-9000.0, 200_000.0], 0.0),
            unit(&["seconds", "s"], [-3.3e7, 8e8], 2e5),
            unit(&["nanoseconds", "ns"], [-3.3e16, 8e17], 1e10),
        ],
        cause: "Likely cause: the numbers were converted, and not the units.",
    },
    Quantity {
        names: FRACTIONS,
        units: &[unit(WHOLE, [-1.0, 3.0], 0.0), unit(PERCENT, [-20.0, 150.0], 20.0)],
        cause: "",
    },
];

/// Standard names of quantities that are parts of a whole, and reach it: all of a cell is ice, or under cloud.
const FRACTIONS: &[&str] = &[
    "_area_fraction",
    "surface_albedo",
    "probability_of_precipitation",
    "cloud_area_fraction_in_atmosphere_layer",
    "relative_humidity",
    "volume_fraction_of_condensed_water_in_soil",
];

/// Standard names of quantities that are never negative, though packing may make a little less than 0 of 0. Not those that
/// are the difference of two measured ones (thicknesses, heights), or that models let swing below 0.
const NOT_NEGATIVE: &[&str] = &[
    "precipitation_flux",
    "precipitation_amount",
    "lwe_precipitation_rate",
    "lwe_thickness_of_precipitation_amount",
    "thickness_of_rainfall_amount",
    "convective_precipitation_flux",
    "rainfall_flux",
    "rainfall_amount",
    "snowfall_flux",
    "snowfall_amount",
    "surface_snow_amount",
    "relative_humidity",
    "wind_speed",
    "wind_speed_of_gust",
    "cloud_area_fraction",
    "sea_ice_area_fraction",
    "sea_water_salinity",
    "mass_concentration_of_chlorophyll_in_sea_water",
    "surface_downwelling_shortwave_flux_in_air",
];

/// Those of which a few numbers may be below 0, and not all: outgoing and upwelling fluxes count upwards.
const ONE_SIGN: &[&str] = &[
    "toa_outgoing_longwave_flux",
    "toa_outgoing_shortwave_flux",
    "surface_upwelling_longwave_flux_in_air",
    "surface_upwelling_shortwave_flux_in_air",
    "gross_primary_productivity_of_biomass_expressed_as_carbon",
];

/// A quantity, and the numbers that it has in a unit on the Earth, with room for what is rare.
struct Limit {
    /// Standard names of CF.
    names: &'static [&'static str],
    units: &'static [&'static str],
    range: [f64; 2],
}

pub(super) const DEGREES: &[&str] = &["degree", "degrees", "deg"];
pub(super) const METRES: &[&str] = &["m", "metre", "metres", "meter", "meters"];
pub(super) const METRES_PER_SECOND: &[&str] = &["m s-1", "m/s", "m s**-1", "m.s-1", "ms-1"];

impl Limit {
    fn of(name: &str, units: &str) -> Option<&'static Self> {
        LIMITS.iter().find(|it| it.names.contains(&name) && it.units.contains(&units))
    }
}

const LIMITS: &[Limit] = &[
    Limit { names: &["relative_humidity"], units: PERCENT, range: [-20.0, 300.0] },
    Limit {
        names: &[
            "cloud_area_fraction",
            "sea_ice_area_fraction",
            "land_area_fraction",
            "surface_snow_area_fraction",
        ],
        units: PERCENT,
        range: [-10.0, 150.0],
    },
    Limit {
        names: &["lwe_thickness_of_water_evaporation_amount", "water_evapotranspiration_amount"],
        units: &["mm", "kg m-2", "kg m**-2"],
        range: [-500.0, 3500.0],
    },
    Limit {
        names: &["wind_speed", "wind_speed_of_gust"],
        units: METRES_PER_SECOND,
        range: [-1.0, 160.0],
    },
    Limit {
        names: &[
            "normalized_difference_vegetation_index",
            "surface_bidirectional_reflectance",
            "toa_bidirectional_reflectance",
            "surface_albedo",
            "probability_of_precipitation",
        ],
        units: &["1", ""],
        range: [-2.0, 3.0],
    },
    Limit {
        names: &["relative_humidity", "cloud_area_fraction", "sea_ice_area_fraction"],
        units: &["1"],
        range: [-2.0, 4.0],
    },
    Limit {
        names: &[
            "ocean_s_coordinate",
            "ocean_s_coordinate_g1",
            "ocean_s_coordinate_g2",
            "ocean_sigma_coordinate",
        ],
        units: &["1", ""],
        range: [-1.05, 0.05],
    },
    Limit { names: &["leaf_area_index"], units: &["1", "m2 m-2", "m2/m2"], range: [-1.0, 30.0] },
    Limit { names: &["equivalent_reflectivity_factor"], units: &["dBZ"], range: [-200.0, 110.0] },
    Limit {
        names: &["sea_surface_height_above_geoid", "sea_surface_height_above_mean_sea_level"],
        units: METRES,
        range: [-60.0, 60.0],
    },
    Limit { names: &["sea_surface_wave_significant_height"], units: METRES, range: [-0.5, 40.0] },
    Limit {
        names: &["sea_floor_depth_below_sea_level", "sea_floor_depth_below_geoid"],
        units: METRES,
        range: [-12_000.0, 13_000.0],
    },
    Limit {
        names: &["surface_altitude", "ground_level_altitude"],
        units: METRES,
        range: [-12_500.0, 9500.0],
    },
    Limit { names: &["sea_water_ph_reported_on_total_scale"], units: &["1"], range: [2.0, 13.0] },
    Limit {
        names: &["wind_from_direction", "wind_to_direction"],
        units: DEGREES,
        range: [-360.5, 720.5],
    },
];

/// Quantities that are written beside each other, and that take each other's place.
const PAIRS: [(&str, [&str; 2]); 1] =
    [("wind_speed", ["wind_from_direction", "wind_to_direction"])];

/// Quantities of precipitation, their units, the highest numbers that are little, and the unit in which these are usual.
type LittleWater =
    (&'static [&'static str], &'static [&'static str], std::ops::Range<f64>, &'static str);

/// The cell methods whose results are differences of a quantity, or products.
const SPREADS: &[&str] = &["deviation", "variance", "range", "difference", "anomal", "sum"];

/// What may be wrong with the numbers of an array by their range and its attributes.
type Hypothesis = fn(&Ranged<'_>) -> Option<Problem>;

/// Of those in one list, which explain the same numbers, the first that holds is told.
const HYPOTHESES: &[&[Hypothesis]] = &[
    &[|it| it.angle()],
    &[
        |it| it.inverted(),
        mixtures,
        |it| it.averaged(),
        |it| it.unpacked_already(),
        |it| it.metres_of_water(),
        |it| it.no_temperature(),
        |it| it.land_at_zero(),
        |it| it.quantity(),
        |it| it.limit(),
        |it| it.negative(),
        |it| it.dark_pages(),
        |it| it.fraction(),
        |it| it.upward(),
        |it| it.levels(),
        |it| it.surface_pressure(),
        |it| it.metres(),
        |it| it.degrees(),
        |it| it.extent(),
    ],
    &[|it| it.valid()],
    &[|it| it.actual()],
    &[|it| it.flags()],
    &[|it| it.compressed()],
    &[|it| it.coarse()],
];

/// The same of numbers that stand for missing ones, also where all of them do.
const OF_MARKS: &[Hypothesis] = &[|it| it.marks(), |it| it.two_marks(), |it| it.overflow()];

/// The findings on the range of an array's stored numbers.
pub fn check(related: &Related, span: &NumberRange) -> Vec<Problem> {
    let array = related.array;
    let Some(attributes) = related.attributes().filter(|_| is_number(array)) else {
        return Vec::new();
    };
    let packing = Packing::of(array).without_nat();
    let ranged = Ranged { related, array, attributes, packing, span };
    let is_any = span.numbers > 0;
    let first = |hypotheses: &[Hypothesis]| hypotheses.iter().find_map(|it| it(&ranged));
    let of_range = || HYPOTHESES.iter().filter_map(|rivals| first(rivals)).collect::<Vec<_>>();
    let mut problems = if is_any { of_range() } else { Vec::new() };
    problems.extend(first(OF_MARKS));
    problems
}

struct Ranged<'a> {
    related: &'a Related<'a>,
    array: &'a ArrayMetadata,
    attributes: Attributes<'a>,
    packing: Packing,
    span: &'a NumberRange,
}

/// The angle on the globe that has these units.
pub(in crate::zarr::conventions) fn angle(units: &str) -> Option<&'static str> {
    ANGLES.iter().find(|(_, spellings, _)| spellings.contains(&units)).map(|(name, ..)| *name)
}

/// The number of degrees Celsius that 0 is in a unit of temperatures.
fn zero_of(units: &str) -> Option<f64> {
    match units {
        _ if KELVIN.contains(&units) => Some(273.15),
        _ if CELSIUS.contains(&units) => Some(0.0),
        _ => None,
    }
}

/// The ends of valid numbers by attributes, and the first that has one.
fn valid_ends(attributes: &Attributes) -> Option<(&'static str, [Option<f64>; 2])> {
    let pair = || match attributes.get("valid_range")?.as_array()? {
        [least, most] => Some(("valid_range", [number(least), number(most)])),
        _ => None,
    };
    let ends = ["valid_min", "valid_max"].map(|key| attributes.number(key));
    let first = if ends[0].is_some() { "valid_min" } else { "valid_max" };
    pair().or_else(|| ends.iter().any(Option::is_some).then_some((first, ends)))
}

impl Ranged<'_> {
    fn text(&self, name: &str) -> Option<&str> {
        self.attributes.get_str(name)
    }

    fn units(&self) -> Option<&str> {
        self.text("units")
    }

    fn standard_name(&self) -> Option<&str> {
        self.text("standard_name")
    }

    /// The lowest and the highest number that they stand for.
    fn ends(&self) -> [f64; 2] {
        let [a, b] = [self.span.low, self.span.high].map(|value| self.packing.unpack(value));
        [a.min(b), a.max(b)]
    }

    fn words(&self) -> String {
        let [low, high] = self.ends();
        from_to(low, high)
    }

    /// The finding that something else than `expected` is so by the units.
    fn other_units(
        &self,
        found: String,
        expected: &str,
        fix: impl Into<String>,
    ) -> Option<Problem> {
        self.attributes.mismatch(Code::CfUnits, "units", (found, expected), fix)
    }

    /// The words on the numbers of a quantity in the unit that is declared.
    fn in_units(&self, name: &str) -> Option<String> {
        Some(format!("{name} from {} in {}", self.words(), quoted(self.units()?)))
    }

    /// True if the units are those of a quantity.
    fn is_measured(&self) -> bool {
        self.units().is_some_and(|units| !["", "1"].contains(&units))
    }

    fn is_missing(&self, value: f64) -> bool {
        !value.is_finite() || self.packing.is_mark(value)
    }

    fn angle(&self) -> Option<Problem> {
        let units = self.units()?;
        if let Some((_, of_turn)) = RADIANS.iter().find(|(names, _)| names.contains(&units)) {
            return self.scan_angle(*of_turn);
        }
        let (name, _, [least, most]) =
            ANGLES.iter().find(|(_, spellings, _)| spellings.contains(&units))?;
        let [low, high] = self.ends();
        if low >= *least && high <= *most {
            return None;
        }
        let found = format!("{name}s from {}", self.words());
        let expected = match *name {
            "latitude" => "-90 to 90",
            _ => "one turn, such as -180 to 180 or 0 to 360",
        };
        self.attributes.mismatch(Code::CfValueRange, "units", (found, expected), SILENT)
    }

    /// The warning on angles of a projection in radians that are no part of a turn.
    fn scan_angle(&self, half: f64) -> Option<Problem> {
        let name = self.standard_name().filter(|it| it.starts_with("projection_"))?;
        let [low, high] = self.ends();
        let found = format!("{name} from {}", self.words());
        let expected = format!("{}, half a turn", from_to(-half, half));
        let fix = if is_integer(self.array) && !self.packing.is_scaled {
            "Likely cause: these are packed integers, whose scale_factor and add_offset were lost."
        } else {
            SILENT
        };
        (low.abs().max(high.abs()) > half).then(|| {
            self.attributes.mismatch(Code::CfValueRange, "units", (found, expected), fix)
        })?
    }

    /// The standard name, or the one that the name of the array stands for.
    fn name(&self) -> Option<&str> {
        let own = self.related.path.name();
        match self.attributes.get("standard_name") {
            Some(json) => json.as_str(),
            None => SHORT_NAMES.iter().find(|(name, _)| *name == own).map(|it| it.1),
        }
    }

    /// The fill value.
    fn fill(&self) -> Option<f64> {
        self.array.fill_scalar()?.to_f64()
    }

    /// The numbers that are stored, of an array of very many those of the first pages.
    fn stored(&self) -> Option<Vec<f64>> {
        let reader = self.related.reader(self.related.path, self.array)?;
        Some(RegionValues::first(&reader, self.related.budget)?.values)
    }

    /// Of these the number of those that are not missing, and of those that `is_it`.
    fn share(&self, mut is_it: impl FnMut(f64) -> bool) -> Option<(usize, usize)> {
        let stored = self.stored()?.into_iter();
        let numbers: Vec<f64> = stored.filter(|value| !self.is_missing(*value)).collect();
        let count = numbers.iter().filter(|value| is_it(self.packing.unpack(**value))).count();
        Some((numbers.len(), count))
    }

    /// The name of the variable beside this one that has a standard name, its units, and the range of its numbers, where they are not
    /// very many.
    fn beside(&self, name: &str) -> Option<(String, String, [f64; 2])> {
        /// The most numbers that are read.
        const MOST: u64 = 1 << 18;
        let (at, units, values) = self.related.find_called(name, |path, array| {
            order::product(array.known_shape()?).filter(|count| *count <= MOST)?;
            let reader = self.related.reader(path, array)?;
            let values = self.related.values(&reader, reader.whole())?.into_iter();
            let packing = Packing::of(array);
            let is_number = |value: &f64| value.is_finite() && !packing.is_mark(*value);
            let values = values.filter(is_number).map(|value| packing.unpack(value));
            let units = text_of(array, "units").unwrap_or_default();
            Some((path.name().to_owned(), units.to_owned(), ends(values)))
        })?;
        Some((at, units, values?))
    }

    /// The warning on infinite numbers of float16 where the others reach its end, or there are no others and a unit is declared.
    fn overflow(&self) -> Option<Problem> {
        const LARGEST: f64 = 65504.0;
        self.attributes.get("units")?;
        let known = self.span.marks.iter().sum::<u64>() + self.span.numbers;
        let is_half = self.array.data_type()?.name() == "float16";
        let is_due = is_half && order::product(self.array.known_shape()?)? > known;
        let values = is_due.then(|| self.stored())??;
        let infinite = values.iter().filter(|value| value.is_infinite()).count();
        let is_near = self.span.numbers > 0 && self.span.high > LARGEST / 2.0;
        let found = format!(
            "{} numbers are infinite: float16 ends at {LARGEST}",
            out_of(infinite, values.len())
        );
        let fix = "Likely cause: larger numbers were cast to float16. The source has them; store them as float32, or scaled.";
        self.attributes.finding_if(
            infinite as u64 >= FEWEST && (is_near || infinite == values.len()),
            Code::CfValueRange,
            "units",
            found,
            fix,
        )
    }

    /// The warning on numbers that are impossible as they are unpacked, and usual if the scale is inverted: codecs divide by it, and
    /// `scale_factor` multiplies.
    fn inverted(&self) -> Option<Problem> {
        /// The share of the numbers that are impossible.
        const ONE_IN: usize = 10;
        let (units, name) = (self.units()?, self.name()?);
        let by_codec = || {
            let (spec, scale, offset) = packing_codecs(self.array).next()?;
            Some((format!("the scale of {}", spec.name), scale, offset, scale * scale))
        };
        let (what, scale, offset, times) = if self.packing.is_scaled {
            let (factor, offset) = (self.packing.factor, self.packing.offset);
            ("scale_factor".to_owned(), factor, offset, 1.0 / factor / factor)
        } else {
            by_codec()?
        };
        let unit = || {
            let quantity = QUANTITIES.iter().find(|quantity| quantity.is_called(name))?;
            Some(quantity.units.iter().find(|unit| unit.spellings.contains(&units))?.usual)
        };
        let [least, most] = unit().or_else(|| Some(Limit::of(name, units)?.range))?;
        let ends = self.ends();
        let [low, high] = ends.map(|end| (end - offset).mul_add(times, offset));
        let is_usual = |value: f64| (least..=most).contains(&value);
        let is_due = !ends.into_iter().all(is_usual)
            && is_usual(low)
            && is_usual(high)
            && ends[0] < ends[1]
            && self.span.numbers >= FEWEST
            && !self.may_be_any();
        let (all, beyond) = is_due.then(|| self.share(|value| !is_usual(value)))??;
        let sentence = format!(
            "{}: {what} is {}; with {}, they are {}",
            self.in_units(name)?,
            short(scale),
            short(1.0 / scale),
            from_to(low, high)
        );
        let fix = "Codecs divide by their scale as they decode; scale_factor multiplies. Likely cause: one was written as the other.";
        self.attributes.finding_if(beyond * ONE_IN >= all, Code::CfUnits, "units", sentence, fix)
    }

    /// The warning on huge numbers below a huge mark, between which and all others is nothing: means of marks and numbers.
    fn averaged(&self) -> Option<Problem> {
        /// The least of such marks, and the share of a huge number that no other reaches.
        const HUGE: f64 = 1e15;
        const GAP: f64 = 1e-6;
        let high = self.span.high;
        let marks = self.packing.masks.iter().map(|(name, mark)| (*name, mark.to_f64()));
        let mut marks = marks.filter_map(|(name, mark)| Some((name, mark?)));
        let (name, mark) =
            marks.find(|(_, mark)| *mark >= HUGE && high >= HUGE / 100.0 && high < 0.99 * mark)?;
        self.attributes.get(name)?;
        let stored = self.stored()?;
        let is_mark = |value: f64| (value / mark - 1.0).abs() < 1e-3;
        let numbers = finite(&stored).filter(|it| !is_mark(*it));
        let all = numbers.clone().count();
        let count = numbers.clone().filter(|it| *it >= HUGE / 100.0).count();
        let others = numbers.filter(|it| *it < HUGE / 100.0).map(f64::abs).reduce(f64::max)?;
        let sentence = format!(
            "{} numbers are up to {}, the others up to {}, and {name} is {}",
            out_of(count, all),
            short(high),
            short(others),
            short(mark)
        );
        let fix = "Likely cause: numbers were averaged with marks of missing ones as if those were numbers. Nothing marks them, and they count in every mean.";
        self.attributes.finding_if(
            count > 0 && count * 2 < all && others < GAP * high,
            Code::CfValueRange,
            name,
            sentence,
            fix,
        )
    }

    /// The warning on floats around `add_offset`, few of which are whole: they are no packed numbers, and are unpacked all the same.
    fn unpacked_already(&self) -> Option<Problem> {
        /// The largest scale of packed numbers that is told, and of how many numbers one may be whole.
        const FINE: f64 = 0.5;
        const ONE_IN: usize = 4;
        self.attributes.get("add_offset")?;
        let (factor, offset) = (self.packing.factor.abs(), self.packing.offset);
        let (low, high) = (self.span.low, self.span.high);
        // Means of packed numbers are floats, too, and are spread out more.
        let is_around = low < offset && offset < high && high - low < offset.abs();
        let is_due = is_float(self.array) && self.packing.is_scaled && factor < FINE && is_around;
        let stored = is_due.then(|| self.stored())??;
        let numbers = stored.iter().filter(|it| !self.is_missing(**it));
        let whole = numbers.clone().filter(|it| is_zero(it.fract())).count();
        let sentence = format!(
            "the stored floats, {}, are around add_offset, {}, and few are whole; unpacked, they are {}",
            from_to(low, high),
            short(offset),
            self.words()
        );
        let fix = "xarray 2026.9 unpacks them. Likely cause: values that were unpacked already were written with the attributes of the packed ones. \
                   Remove scale_factor and add_offset.";
        self.attributes.finding_if(
            whole * ONE_IN < numbers.count(),
            Code::CfPacking,
            "add_offset",
            sentence,
            fix,
        )
    }

    /// The note on precipitation of a great many places that is less everywhere than of a dry place, by the units.
    fn metres_of_water(&self) -> Option<Problem> {
        /// The fewest numbers, and of how many one is not 0.
        const MANY: u64 = 1000;
        const ONE_IN: usize = 5;
        /// A fifth of a millimetre, or that each day.
        const LITTLE: [LittleWater; 2] = [
            (
                &["precipitation_amount", "lwe_thickness_of_precipitation_amount"],
                &["kg m-2", "kg/m2", "kg m**-2", "kg m^-2", "mm", "kg/m^2"],
                1e-3..0.2,
                "metres of water",
            ),
            (
                &["precipitation_flux", "rainfall_flux"],
                WATER_RATE,
                1e-9..2e-6,
                "metres of water per second",
            ),
        ];
        let (units, name) = (self.units()?, self.name()?);
        let [low, high] = self.ends();
        let (.., usual) = LITTLE.iter().find(|(names, spellings, range, _)| {
            names.contains(&name) && spellings.contains(&units) && range.contains(&high)
        })?;
        let is_little = low > -5e-6 * high && self.span.numbers >= MANY;
        let is_due = is_little && !self.may_be_any();
        let (all, wet) = is_due.then(|| self.share(|value| value > 0.0))??;
        let sentence = format!("{name} up to {} in {}", short(high), quoted(units));
        let fix = format!(
            "So little is usual of a dry place; in {usual}, which some models write, it is usual everywhere."
        );
        self.attributes
            .finding_if(wet * ONE_IN >= all, Code::CfUnits, "units", sentence, fix)
            .map(note)
    }

    /// The warning on temperatures of 0 K where none of the others is below those of the Earth.
    fn no_temperature(&self) -> Option<Problem> {
        const COLDEST: f64 = 130.0;
        let (units, name) = (self.units()?, self.name()?);
        // What xarray takes for the mark of missing ones is none.
        let fill = self.array.fill_scalar().filter(|_| self.array.format == Format::V2);
        let is_mark = fill.and_then(|it| it.to_f64()).is_some_and(is_zero);
        let is_it = KELVIN.contains(&units) && QUANTITIES.first()?.is_called(name) && !is_mark;
        let [low, high] = self.ends();
        let is_due = is_it && is_zero(low) && high > COLDEST && !self.may_be_any();
        let stored = is_due.then(|| self.stored())??;
        let page = order::product(self.array.known_shape()?.get(1..)?)?;
        let page = usize::try_from(page).ok()?;
        let of = |stored: &[f64], is_it: &dyn Fn(f64) -> bool| {
            let numbers = stored.iter().filter(|value| !self.is_missing(**value));
            numbers.filter(|value| is_it(self.packing.unpack(**value))).count()
        };
        let (all, zeros) = (of(&stored, &|_| true), of(&stored, &is_zero));
        let is_first =
            stored.get(..page).is_some_and(|it| of(it, &is_zero) == page) && zeros == page;
        let sentence = format!(
            "{} numbers of {name} are 0 in {}, the others up to {}{}",
            out_of(zeros, all),
            quoted(units),
            short(high),
            if is_first { ": all those at index 0 of the first dimension" } else { "" }
        );
        let fix = if is_first {
            "No air and no water is so cold: likely, the first index was never filled in; what follows may be one index late."
        } else {
            "No air and no water is so cold: likely, points without a value, such as those that a regridding did not reach, were left at 0."
        };
        let is_alone = of(&stored, &|value| value < COLDEST) == zeros;
        self.attributes.finding_if(
            zeros as u64 >= FEWEST && is_alone && zeros * 2 < all,
            Code::CfValueRange,
            "units",
            sentence,
            fix,
        )
    }

    /// The note on temperatures of the sea of which many are 0 degrees Celsius exactly, and none is missing.
    fn land_at_zero(&self) -> Option<Problem> {
        /// Of how many numbers one is.
        const ONE_IN: usize = 10;
        let (units, name) = (self.units()?, self.name()?);
        let zero = zero_of(units)?;
        let [low, high] = self.ends();
        let is_sea = name.contains("sea_") && name.ends_with("temperature");
        let is_due = is_sea && low <= zero && high > zero + 1.0 && !self.may_be_any();
        let is_full = order::product(self.array.known_shape()?)? == self.span.numbers;
        let (all, count) =
            (is_due && is_full).then(|| self.share(|it| (it - zero).abs() < 1e-4))??;
        let sentence = format!(
            "{} numbers of {name} are {zero} in {}, and none is missing",
            out_of(count, all),
            quoted(units)
        );
        let fix = "Likely, land is 0 degrees Celsius here, and counts in every mean. Sea water freezes below.";
        self.attributes
            .finding_if(
                count as u64 >= FEWEST && count * ONE_IN >= all,
                Code::CfValueRange,
                "units",
                sentence,
                fix,
            )
            .map(note)
    }

    /// The warning that numbers are impossible in the declared unit of a quantity, and all are usual in another one.
    fn quantity(&self) -> Option<Problem> {
        /// The share of the numbers that are impossible: single ones may be wrong by themselves.
        const ONE_IN: usize = 100;
        /// By how many times all are beyond what is usual, where no other unit makes them so.
        const FAR: f64 = 2.0;
        let (units, name) = (self.units()?, self.name()?);
        let quantity = QUANTITIES.iter().find(|quantity| quantity.is_called(name))?;
        let declared = quantity.units.iter().find(|unit| unit.spellings.contains(&units))?;
        let [low, high] = self.ends();
        let is_other = |unit: &&QuantityUnit| {
            let [least, most] = unit.usual;
            let is_usual = least <= low && high <= most && low.abs().max(high.abs()) >= unit.reach;
            is_usual && !std::ptr::eq(*unit, declared)
        };
        let other = quantity.units.iter().find(is_other);
        let [least, most] = declared.usual;
        (other.is_some() || low > FAR * most).then_some(())?;
        let is_any = low < least || high > most;
        let is_all = high < least || low > most;
        let is_beyond = |value: f64| value < least || value > most;
        let are_some = || {
            self.share(is_beyond).is_some_and(|(all, beyond)| beyond > 0 && beyond * ONE_IN >= all)
        };
        // What is constant, or a difference, says nothing.
        let methods = self.attributes.get("cell_methods").map(|json| {
            json.as_str().is_none_or(|text| SPREADS.iter().any(|word| text.contains(word)))
        });
        let is_difference = methods.unwrap_or(false) || low >= high;
        if self.span.numbers < FEWEST
            || !is_any
            || is_difference
            || self.may_be_any()
            || !is_all && !are_some()
        {
            return None;
        }
        let found = self.in_units(name)?;
        let Some(other) = other else {
            let fix = "Such numbers are usual in none of its units. Possible cause: they are packed, and lost their scale_factor and add_offset.";
            return self.attributes.finding(Code::CfUnits, "units", found, fix);
        };
        let expected = quoted(other.spellings.first()?);
        let fix = format!("{SILENT} {}", quantity.cause);
        self.other_units(found, &expected, fix.trim_end())
    }

    /// The finding on a percentage that goes from 0 to 1: a warning where many numbers are 1, as nothing would keep percentages there, and a
    /// note on a great many of what is so low in few places.
    fn fraction(&self) -> Option<Problem> {
        const NEAR: [f64; 2] = [0.9999, 1.01];
        const ONE_IN: usize = 100;
        const MANY: usize = 1000;
        let (units, name) = (self.units()?, self.name()?);
        let is_it = PERCENT.contains(&units)
            && QUANTITIES.iter().any(|it| it.names == FRACTIONS && it.is_called(name));
        let [low, high] = self.ends();
        let is_whole = |value: f64| value >= NEAR[0];
        let is_within = is_it && low >= -0.01 && (0.5..=NEAR[1]).contains(&high) && low < 0.9;
        let is_float = is_float(self.array) || self.packing.is_scaled;
        let (all, count) = (is_within && is_float).then(|| self.share(is_whole))??;
        let at_one = format!(", with {} numbers at 1", out_of(count, all));
        let at_one = if count > 0 { at_one } else { String::new() };
        let found = format!("{}{at_one}", self.in_units(name)?);
        let fix =
            "xarray 2026.9 opens the group and says nothing. Times 100, they are percentages.";
        let is_some = count as u64 >= FEWEST && count * ONE_IN >= all;
        let is_low = ["relative_humidity", "cloud_area_fraction"].contains(&name) && all >= MANY;
        let problem = (is_some || is_low).then(|| self.other_units(found, &quoted("1"), fix))?;
        note_unless(is_some, problem)
    }

    /// The warning on depths that are all negative, though they are said to count downwards. Instruments above the surface have
    /// depths of a few metres below 0.
    fn upward(&self) -> Option<Problem> {
        const DEEP: f64 = -50.0;
        let (name, positive) = (self.standard_name()?, self.text("positive")?);
        let [low, high] = self.ends();
        let is_up = name == "depth" && positive.eq_ignore_ascii_case("down") && high <= 0.0;
        let sentence =
            format!("depths are all negative, {}, and positive is \"down\"", self.words());
        let fix = "xarray 2026.9 opens the group and says nothing. They are heights, whose positive is \"up\".";
        self.attributes.finding_if(
            is_up && low < DEEP && self.span.numbers > 1,
            Code::CfValueRange,
            "positive",
            sentence,
            fix,
        )
    }

    /// The warning on a `missing_value` other than the mark by which Zarr knows missing elements, where elements hold it and none
    /// holds that mark.
    fn two_marks(&self) -> Option<Problem> {
        self.attributes.get("missing_value").filter(|json| json.as_array().is_none())?;
        let named = self.packing.masks.iter().find(|(name, _)| *name == "missing_value")?;
        let (named, fill) = (named.1.to_f64()?, self.packing.fill_mark()?.to_f64()?);
        let is = |one: f64, other: f64| one.total_cmp(&other).is_eq();
        // Where nothing else was asked for, the fill value is 0.
        let are_two = named.is_finite() && fill.is_finite() && fill.abs() > 0.0 && !is(named, fill);
        let values = are_two.then(|| self.stored())??;
        let count = |mark: f64| values.iter().filter(|value| is(**value, mark)).count();
        let (held, others) = (count(named), count(fill));
        let (one, other) = (short(named), short(fill));
        let sentence = format!(
            "{} elements are missing_value, {one}, and none is the fill value {other}",
            out_of(held, values.len())
        );
        let fix = format!(
            "xarray 2026.9 warns of multiple fill values, and reads both as missing; zarr-python 3.4.2 gives {one} as data."
        );
        let problem =
            self.attributes.mismatch(Code::CfFillValue, "missing_value", (one, other), fix)?;
        (held > 0 && others == 0).then(|| saying(problem, sentence))
    }

    /// The warning on levels in Pa that are those of hPa: all are usual ones, and one of them is at no height in Pa.
    fn levels(&self) -> Option<Problem> {
        /// The usual levels in hPa; times 100, those of the stratosphere in Pa are some of them.
        const USUAL: [f64; 22] = [
            1000.0, 975.0, 950.0, 925.0, 900.0, 850.0, 800.0, 750.0, 700.0, 650.0, 600.0, 550.0,
            500.0, 450.0, 400.0, 350.0, 300.0, 250.0, 200.0, 150.0, 100.0, 50.0,
        ];
        const LOW: f64 = 850.0;
        let (units, name) = (self.units()?, self.standard_name()?);
        let [low, high] = self.ends();
        let is_due = name == "air_pressure" && units == "Pa" && low >= 1.0 && high <= 1000.0;
        let length = self.related.length()?;
        let is_few = (3..=USUAL.len() as u64 * 2).contains(&length);
        let values = (is_due && is_few).then(|| self.stored())??;
        let is = |one: f64, other: f64| (self.packing.unpack(one) - other).abs() < 0.01;
        let is_level = |value: &f64| USUAL.iter().any(|it| is(*value, *it)) || *value < LOW / 10.0;
        let has = |level: f64| values.iter().any(|it| is(*it, level));
        let mut steps = steps(&values).map(f64::abs);
        let first = steps.next()?;
        // Steps of 50 Pa are those of no list of levels.
        let is_even = steps.all(|step| (step - first).abs() < 0.01);
        if is_even || !has(LOW) || !has(1000.0) && !has(925.0) || !values.iter().all(is_level) {
            return None;
        }
        let found = format!("levels of {name}, {}, in \"Pa\"", self.words());
        self.other_units(found, "\"hPa\"", "850 Pa is no usual level, and 850 hPa is.")
    }

    /// The warning on a variable of air pressure whose numbers in Pa are those of hPa at the surface, beside air that is warmer than
    /// where there is so little of it.
    fn surface_pressure(&self) -> Option<Problem> {
        /// The ends of pressures at sea level in hPa, and the coldest air in degrees Celsius.
        const USUAL: std::ops::RangeInclusive<f64> = 870.0..=1085.0;
        const WARM: f64 = -25.0;
        let (units, name) = (self.units()?, self.standard_name()?);
        let [low, high] = self.ends();
        let is_index = self.related.is_coordinate();
        let is_due = name == "air_pressure" && PASCAL.contains(&units);
        let is_usual = USUAL.contains(&low) && USUAL.contains(&high) && low < high;
        (is_due && is_usual && !is_index && self.span.numbers >= FEWEST && !self.may_be_any())
            .then_some(())?;
        let (other, unit, [coldest, _]) = self.beside("air_temperature")?;
        let zero = zero_of(&unit)?;
        let fix = format!(
            "So little pressure is at a height of 30 km, where air is colder than {}, {} and more.",
            quoted(&other),
            short(coldest)
        );
        (coldest - zero > WARM).then(|| self.other_units(self.in_units(name)?, "\"hPa\"", fix))?
    }

    /// The warning on metres, where `proj:code` of the group, or the grid mapping in it, has degrees.
    fn metres(&self) -> Option<Problem> {
        const DEGREES: [&str; 5] =
            ["EPSG:4326", "EPSG:4258", "EPSG:4269", "EPSG:4979", "OGC:CRS84"];
        const MOST: f64 = 720.0;
        let (units, name) = (self.units()?, self.standard_name()?);
        let [low, high] = self.ends();
        let related = self.related;
        let is_metres = name == "projection_x_coordinate" && METRES.contains(&units);
        let group = (is_metres && (low < -MOST || high > MOST)).then(|| related.group())??;
        let of_mapping = || {
            related.find_beside(|path, array| {
                let text = text_of(array, "crs_wkt").or_else(|| text_of(array, "spatial_ref"))?;
                Some((quoted(path.name()), super::projection::code(text)?.join(":")))
            })
        };
        let (whose, code) = match related.text(&group, "proj:code") {
            Some(code) => ("proj:code of its group".to_owned(), code),
            None => of_mapping()?,
        };
        DEGREES.contains(&&*code).then_some(())?;
        let found = format!(
            "{} is in metres, {}, and {whose} is {}, whose places are degrees",
            related.name(),
            self.words(),
            quoted(&code)
        );
        let expected = "degrees, or the code of another projection";
        let fix = "The coordinates are those of a projection: the code is another one.";
        Some(saying(self.other_units(found.clone(), expected, fix)?, found))
    }

    /// The warning on a coordinate of a projection in metres, where the only grid mapping of the group has none, and the numbers are
    /// those of degrees.
    fn degrees(&self) -> Option<Problem> {
        let (units, name) = (self.units()?, self.standard_name()?);
        let axes = ["projection_x_coordinate", "projection_y_coordinate"];
        let most = *[360.0, 90.0].get(axes.iter().position(|axis| *axis == name)?)?;
        let [low, high] = self.ends();
        (METRES.contains(&units) && low >= -most && high <= most).then_some(())?;
        let (mut mapping, mut others) = (None, 0);
        self.related.hierarchy.find_child(&self.related.group()?, |child| {
            let own = child.kind.attributes()?;
            let is_it = own.get_str("grid_mapping_name")? == "latitude_longitude";
            mapping = is_it.then(|| quoted(child.path.name()));
            others += usize::from(!is_it);
            None::<()>
        });
        let mapping = mapping.filter(|_| others == 0)?;
        let found = format!(
            "{name} in {}, {}, and {mapping} is latitude_longitude, which has no projection",
            quoted(units),
            self.words()
        );
        let fix = "The numbers are those of degrees: likely, these are longitudes and latitudes, with the attributes of metres.";
        self.attributes.finding(Code::CfUnits, "units", found, fix)
    }

    /// The warning on numbers that a quantity does not have on the Earth.
    fn limit(&self) -> Option<Problem> {
        let (units, name) = (self.units().unwrap_or_default(), self.standard_name()?);
        let limit = Limit::of(name, units)?;
        let ([low, high], [least, most]) = (self.ends(), limit.range);
        let is_known = self.span.numbers >= FEWEST;
        let is_beyond = low < least || high > most;
        let usual = |range: [f64; 2]| range[0] >= least && range[1] <= most;
        if !is_known || !is_beyond || self.may_be_any() {
            return None;
        }
        let other = PAIRS.iter().find(|(first, _)| *first == name).and_then(|(_, others)| {
            let limit = LIMITS.iter().find(|limit| limit.names.contains(&others[0]))?;
            let fits = low >= limit.range[0] && high <= limit.range[1];
            let (other, _, range) = others.iter().find_map(|name| self.beside(name))?;
            let is_other = fits && usual(range) && range[1] - range[0] < (high - low) / 3.0;
            is_other.then(|| {
                format!(
                    " Those of {}, {}, are usual for it: likely, the two are in each other's place.",
                    quoted(&other),
                    from_to(range[0], range[1])
                )
            })
        });
        let packed = self.lost_factor(limit.range).map(|by| {
            let stored = self.array.data_type().map(|it| it.name()).unwrap_or_default();
            format!(
                " Divided by {by}, they are usual: this is an array of {stored} without scale_factor, which was most likely lost."
            )
        });
        let cause = other.or(packed).unwrap_or_default();
        let found = format!("values of {name}, {},", self.words());
        let expected = format!("{} {units}, which it has on the Earth", from_to(least, most));
        let fix = format!("{SILENT}{cause}");
        self.attributes.mismatch(Code::CfValueRange, "standard_name", (found, expected), fix)
    }

    /// True if attributes say that the numbers are no amount themselves, or none of the Earth: an anomaly, an error or what was
    /// scaled may have any sign and size, and the air of Mars hardly a pressure.
    fn may_be_any(&self) -> bool {
        const BODIES: &[&str] = &[
            "Mars",
            "Martian",
            "Venus",
            "Moon",
            "Titan",
            "Jupiter",
            "Saturn",
            "Uranus",
            "Neptune",
            "Pluto",
            "exoplanet",
        ];
        /// Words for what is no amount itself.
        const OTHERS: &[&str] = &[
            "anomal",
            "differ",
            "change",
            "bias",
            "error",
            "tendenc",
            "normaliz",
            "normalis",
            "of normal",
            "from normal",
            "standard dev",
            "standard err",
            "standardi",
            "increment",
            "trend",
            "residual",
            "perturb",
        ];
        let is_other = |text: &str| {
            let text = text.to_ascii_lowercase();
            OTHERS.iter().any(|word| text.contains(word))
        };
        let mut members = self.attributes.json.as_object().into_iter().flatten();
        // What others say of how the data came about is not about the quantity.
        let is_about =
            |key: &str| !["standard_name", "history", "calendar", "source"].contains(&key);
        let is_elsewhere = |json: &Json| {
            let mut texts =
                json.as_object().into_iter().flatten().filter_map(|it| it.value.as_str());
            texts.any(|text| {
                text.split(|c: char| !c.is_alphabetic()).any(|word| BODIES.contains(&word))
            })
        };
        let hierarchy = self.related.hierarchy;
        let mut groups = self.related.groups();
        members.any(|it| is_about(&it.key) && it.value.as_str().is_some_and(is_other))
            || is_elsewhere(self.attributes.json)
            || groups
                .any(|group| hierarchy.node(&group).kind.attributes().is_some_and(is_elsewhere))
    }

    /// The warning on numbers below 0 of a quantity that has none.
    fn negative(&self) -> Option<Problem> {
        /// The share of the largest number by which numbers may be below 0, and in W m-2 how far without any light.
        const LITTLE: f64 = 0.01;
        const NIGHT: f64 = -20.0;
        let name = self.name()?;
        let key = ["standard_name", "units", "long_name"].into_iter();
        let mut key = key.filter(|key| self.attributes.has(key));
        let [low, high] = self.ends();
        let is_known = NOT_NEGATIVE.contains(&name);
        // Of a flux at a tower, those near 0 may be below it; at night, what is left of light may be.
        let least = if name.contains("wave_flux") { NIGHT } else { 0.0 };
        let is_any = is_known && high > 0.0 && low < -LITTLE * high && low < least;
        let is_sign = is_known || ONE_SIGN.contains(&name);
        let are_all =
            is_sign && high <= 0.0 && low < high && low < least && self.span.numbers >= FEWEST;
        if !is_any && !are_all || self.may_be_any() {
            return None;
        }
        let (all, below) = if are_all { self.share(|it| it < 0.0)? } else { (0, 0) };
        let found = format!("negative values of {name}, {},", self.words());
        let sign = " None is above 0: likely, all have the wrong sign.";
        let fix = format!("{SILENT}{}", if are_all { sign } else { "" });
        let texts = (found, "0 and more");
        let problem = self.attributes.mismatch(Code::CfValueRange, key.next()?, texts, fix);
        problem.filter(|_| below * 2 >= all)
    }

    /// The warning on pages of reflectances most of which are negative once `add_offset` is added, and would be usual without it.
    fn dark_pages(&self) -> Option<Problem> {
        /// The share of a page that is most of it, and the share of all others that may be so.
        const MOST: f64 = 0.75;
        const FEW: f64 = 0.1;
        self.attributes.get("add_offset")?;
        let is_of_it = |key: &str| self.text(key).is_some_and(|it| it.contains("reflectance"));
        let is_said = self.attributes.has("common_name")
            || ["standard_name", "long_name"].into_iter().any(is_of_it);
        let shape = self.array.known_shape()?;
        let [_, inside @ ..] = shape.as_slice() else { return None };
        let page = nonzero(order::product(inside)?).filter(|page| *page > 1)?;
        let offset = self.packing.offset;
        let is_due = is_said && offset < 0.0 && self.ends()[0] < 0.0;
        let stored = is_due.then(|| self.stored())??;
        let negative = |page: &[f64]| {
            let stored = || page.iter().filter(|it| !self.is_missing(**it));
            let numbers = || stored().map(|it| self.packing.unpack(*it));
            let count = numbers().filter(|it| *it < 0.0).count();
            // What is not negative without the offset is so by it.
            let is_usual = numbers().all(|it| it - offset >= 0.0);
            is_usual.then_some(count as f64 / numbers().count().max(1) as f64)
        };
        let shares: Vec<f64> = stored.chunks_exact(page).map(negative).collect::<Option<_>>()?;
        let dark: Vec<usize> =
            (0..shares.len()).filter(|at| shares.get(*at).is_some_and(|it| *it > MOST)).collect();
        let others = shares.iter().filter(|it| **it <= FEW).count();
        let sentence = format!(
            "in {} pages, the first at [{}], most reflectances are negative with add_offset {}; in the others they are not",
            out_of(dark.len(), shares.len()),
            dark.first()?,
            short(offset)
        );
        let fix = "Likely cause: the offset had already been subtracted from their numbers.";
        self.attributes.finding_if(
            dark.len() + others == shares.len() && others > dark.len(),
            Code::CfPacking,
            "add_offset",
            sentence,
            fix,
        )
    }

    /// The note on numbers outside of the valid range. Those of packed data are counted in what is stored.
    fn valid(&self) -> Option<Problem> {
        let (name, [least, most]) = valid_ends(&self.attributes)?;
        let (low, high) = (self.span.low, self.span.high);
        let is_below = least.is_some_and(|least| low < least);
        let is_above = most.is_some_and(|most| high > most);
        // That they are crossed is told of the attributes.
        let are_crossed = least.zip(most).is_some_and(|(least, most)| least > most);
        if !is_below && !is_above || are_crossed {
            return None;
        }
        let end = |end: Option<f64>| end.map_or_else(|| "any".into(), short);
        let found = format!("stored values from {}", from_to(low, high));
        let expected = format!("{name}, {} to {}", end(least), end(most));
        let told = |severity, more: &str| {
            let fix = "CF reads values outside as missing; xarray 2026.9 reads them as data.";
            let texts = (found, expected);
            let problem =
                self.attributes.mismatch(Code::CfValueRange, name, texts, format!("{fix}{more}"));
            Some(problem?.with_severity(severity))
        };
        let is_within = |value: f64| {
            least.is_none_or(|least| value >= least) && most.is_none_or(|most| value <= most)
        };
        let is_none =
            least.is_some_and(|least| high < least) || most.is_some_and(|most| low > most);
        // Of bytes in the other order, the range tells nothing of packing.
        let is_swapped = |end: f64| {
            self.swapped(end).is_some_and(|it| is_within(it) || self.packing.is_mark(it))
        };
        if is_none && is_swapped(low) && is_swapped(high) {
            let more = " Byte-swapped, both ends are within it or mark missing values.";
            return told(Severity::Warning, more);
        }
        if self.packing.is_scaled && is_none && self.ends().into_iter().all(is_within) {
            let more = format!(
                " No stored value is within, and unpacked, {}, all are: the range is that of unpacked values, where CF \
                 compares stored ones.",
                self.words()
            );
            return told(Severity::Warning, &more);
        }
        // Data that somebody means so look the same.
        told(Severity::Note, "")
    }

    /// A whole number of two or four bytes with these in the other order.
    fn swapped(&self, number: f64) -> Option<f64> {
        let whole: i64 = number.to_string().parse().ok()?;
        match self.array.data_type()?.name().as_str() {
            "int16" => Some(f64::from(i16::try_from(whole).ok()?.swap_bytes())),
            "uint16" => Some(f64::from(u16::try_from(whole).ok()?.swap_bytes())),
            "int32" => Some(f64::from(i32::try_from(whole).ok()?.swap_bytes())),
            "uint32" => Some(f64::from(u32::try_from(whole).ok()?.swap_bytes())),
            _ => None,
        }
    }

    /// The warning on numbers outside of the range that the data are said to have. Some write it as it is stored.
    fn actual(&self) -> Option<Problem> {
        /// The share of the range by which numbers may be outside: it is often rounded.
        const ROUNDED: f64 = 0.02;
        let [one, other] = *numbers(self.attributes.get("actual_range")?)? else { return None };
        let room = (one - other).abs() * ROUNDED + self.packing.factor.abs();
        let (least, most) = (one.min(other) - room, one.max(other) + room);
        let is_inside = |[low, high]: [f64; 2]| low >= least && high <= most;
        if least >= most {
            return None;
        }
        let is_of = |[low, high]: [f64; 2]| {
            let apart = (one.min(other) - low).abs() + (one.max(other) - high).abs();
            apart <= (high - low) * ROUNDED
        };
        let stored = [self.span.low, self.span.high];
        if self.packing.is_scaled && is_of(stored) && !is_of(self.ends()) {
            let found = format!(
                "actual_range, {}, is that of the stored numbers; unpacked, they are {}",
                from_to(one, other),
                self.words()
            );
            let fix = "By CF it is that of unpacked values. xarray 2026.9 ignores the attribute.";
            return self
                .attributes
                .finding(Code::CfValueRange, "actual_range", found, fix)
                .map(note);
        }
        if is_inside(self.ends()) || is_inside(stored) {
            return None;
        }
        let found = format!("values, {},", self.words());
        let expected = format!("actual_range, {}", from_to(one, other));
        let fix =
            "xarray 2026.9 ignores the attribute. Values were written after it, or are wrong.";
        self.attributes.mismatch(Code::CfValueRange, "actual_range", (found, expected), fix)
    }

    /// The warning on indices beyond the dimensions that the list was compressed by.
    fn compressed(&self) -> Option<Problem> {
        let text = self.text("compress")?;
        let lengths = text.split_whitespace().map(|name| self.related.dimension(name));
        let lengths: Vec<u64> = lengths.collect::<Option<_>>()?;
        let most = order::product(&lengths)? as f64 - 1.0;
        let is_inside = self.span.low >= 0.0 && self.span.high <= most;
        if lengths.is_empty() || is_inside || self.packing.is_scaled {
            return None;
        }
        let sentence = format!(
            "indices from {}, of the {} points of {text}",
            self.words(),
            grouped(order::product(&lengths)?)
        );
        self.attributes.finding(Code::CfReference, "compress", sentence, SILENT)
    }

    /// The note on a codec whose steps are so coarse that only few different numbers of a measured quantity are left.
    fn coarse(&self) -> Option<Problem> {
        /// The fewest numbers, and the most steps between the lowest and the highest.
        const MANY: u64 = 4000;
        const FEW: f64 = 64.0;
        let is_measured = self.is_measured();
        let (spec, scale, offset) = packing_codecs(self.array).next()?;
        let [low, high] = self.ends();
        let steps = ((high - low) * scale).abs();
        // Numbers that are whole to begin with lose nothing.
        let is_due =
            is_measured && is_float(self.array) && offset.fract().abs() > 0.0 && steps < FEW;
        let sentence = format!(
            "the codec {} keeps steps of {}: the values, {}, are at most {} different numbers",
            spec.name,
            short(1.0 / scale),
            self.words(),
            steps.round() + 1.0
        );
        let fix = "What was finer is lost. A larger scale keeps more digits, where the type that is stored has room.";
        self.attributes
            .finding_if(
                is_due && self.span.numbers >= MANY && scale.abs() > 0.0,
                Code::CfPacking,
                "units",
                sentence,
                fix,
            )
            .map(note)
    }

    /// The warning on numbers that `flag_values` does not name: past all of them, or a part between them.
    fn flags(&self) -> Option<Problem> {
        /// The fewest different numbers that are no classes.
        const MANY: usize = 8;
        let json = self.attributes.get("flag_values")?;
        if self.attributes.has("flag_masks") || self.packing.is_scaled {
            return None;
        }
        let named = numbers(json)?;
        let fill = self.fill();
        let is_named = |value: f64| {
            named.iter().chain(&fill).any(|known| (known - value).abs() < f64::EPSILON)
        };
        let [least, most] = ends(&named)?;
        let is_past = |end: &f64| !is_named(*end) && !(least..=most).contains(end);
        let Some(odd) = [self.span.high, self.span.low].into_iter().find(is_past) else {
            return self.between_flags(named.len(), &is_named);
        };
        // Classes have no unit, and are few: a measured quantity, or an index, may have flags among its numbers.
        let numbers = if self.is_measured() { named.len() } else { MANY.max(named.len() * 2) };
        let others = || {
            let stored = self.stored()?.into_iter().filter(|value| !is_named(*value));
            Some(stored.map(f64::to_bits).collect::<HashSet<u64>>().len())
        };
        if others().is_some_and(|count| count > numbers) {
            return None;
        }
        let found = format!("the value {}", short(odd));
        let expected = format!("one of the {} values from {}", named.len(), from_to(least, most));
        let unsigned = self.array.data_type()?.fixed_size().filter(|size| *size <= 4);
        let unsigned = unsigned.map(|size| odd + 256_f64.powf(size as f64));
        let unsigned = unsigned.filter(|it| odd < 0.0 && is_named(*it)).map(|it| {
            format!(" Read as an unsigned integer, it is {}, which is one of them: likely, that is the data type.", short(it))
        });
        let fix = "No meaning is declared for it; xarray 2026.9 reads it as data.";
        let fix = format!("{fix}{}", unsigned.unwrap_or_default());
        self.attributes.mismatch(Code::CfFlags, "flag_values", (found, expected), fix)
    }

    /// The warning on some numbers between those of classes: no number of a class is between two others.
    fn between_flags(&self, classes: usize, is_named: &dyn Fn(f64) -> bool) -> Option<Problem> {
        /// The most elements that are read, the fewest classes, and the fewest different numbers between them; where only a few are named, all
        /// others may be numbers.
        const MOST: u64 = 1 << 18;
        const CLASSES: usize = 4;
        const DIFFERENT: usize = 4;
        /// The shares of all elements that they are.
        const SHARES: std::ops::Range<f64> = 0.01..0.4;
        let is_small = order::product(self.array.known_shape()?)? <= MOST;
        let values =
            (is_integer(self.array) && is_small && classes >= CLASSES).then(|| self.stored())??;
        let is_odd = |value: &&f64| !is_named(**value) && !self.packing.is_mark(**value);
        let odd: Vec<f64> = values.iter().filter(is_odd).copied().collect();
        let different: HashSet<u64> = odd.iter().map(|value| value.to_bits()).collect();
        let found = format!(
            "{} values, such as {}, are none of the {classes} that flag_values names, and lie between them",
            out_of(odd.len(), values.len()),
            short(*odd.first()?)
        );
        let fix = "Likely cause: classes were averaged or interpolated, as numbers are, and not taken from the nearest element.";
        let is_told = SHARES.contains(&(odd.len() as f64 / values.len() as f64));
        self.attributes.finding_if(
            is_told && different.len() >= DIFFERENT,
            Code::CfFlags,
            "flag_values",
            found,
            fix,
        )
    }

    /// The note on a number that stands for a missing value and is not declared: it is far from all others.
    fn marks(&self) -> Option<Problem> {
        /// A mark is farther from the others than they are from each other and from 0, so many times.
        const FAR: f64 = 3.0;
        const UNWRITTEN: f64 = 9.969_209_968_386_869e36;
        let NumberRange { low, high, numbers, marks } = *self.span;
        let width = (high - low).max(low.abs()).max(high.abs());
        let fill = self.fill();
        let is_far = |mark: f64| (mark - low).abs().min((mark - high).abs()) > FAR * width;
        let is_float = is_float(self.array);
        let is_same = |a: f64, b: f64| (a - b).abs() <= if is_float { b.abs() * 1e-6 } else { 0.0 };
        // What the fill value marks in V2 arrays, an attribute must in V3 for xarray.
        let is_v2 = self.array.format == Format::V2;
        // What is packed and not marked is next to the others where the mark is the lowest number.
        let packed_fill = |mark: f64| {
            let is_it = !is_v2 && fill.is_some_and(|fill| is_same(fill, mark));
            is_it && self.packing.is_scaled && mark < low - 0.05 * (high - low)
        };
        // Where the range excludes it, nobody means it.
        let limit = |name: &str, at: usize| {
            let pair = || self.attributes.get("valid_range")?.as_array()?.get(at);
            number(self.attributes.get(name).or_else(pair)?)
        };
        let is_invalid = |mark: f64| {
            limit("valid_min", 0).is_some_and(|least| mark < least)
                || limit("valid_max", 1).is_some_and(|most| mark > most)
        };
        // Where none of the others is below 0, a mark that is, is no number of them; one as low as a type has may be.
        let is_below = |mark: f64| (-1e5..0.0).contains(&mark) && low >= 0.0 && high > 0.0;
        let is_far =
            |mark: f64| is_far(mark) || packed_fill(mark) || is_invalid(mark) || is_below(mark);
        let is_fill = |mark: f64| is_v2 && fill.is_some_and(|fill| is_same(fill, mark));
        // Among the others, it is a number as they are.
        let is_odd = |(mark, count): &(&f64, u64)| *count > 0 && !(low..=high).contains(*mark);
        let mut found = MARKS.iter().zip(marks).filter(is_odd);
        let (&mark, count) = found.next()?;
        let is_alone = found.next().is_none();
        let is_declared = |json: &Json| {
            let number = json.as_number().or(json.as_str()).and_then(|text| text.parse().ok());
            number.is_some_and(|number: f64| is_same(number, mark))
        };
        let mut values = self.attributes.json.as_object().into_iter().flatten();
        if values.any(|member| is_declared(&member.value)) {
            return None;
        }
        // Nobody measures the number with which netCDF fills what is not written.
        let least = if is_same(mark, UNWRITTEN) { 1 } else { 2 };
        if !is_alone || count < least || numbers + count < FEWEST || !is_far(mark) || is_fill(mark)
        {
            return None;
        }
        let found = format!(
            "{} values {} {}, the others {}",
            out_of(count, numbers + count),
            if count == 1 { "is" } else { "are" },
            if mark.abs() < 1e19 { format!("{mark:.0}") } else { short(mark) },
            from_to(low, high)
        );
        let expected = "an attribute that marks it as missing, such as _FillValue";
        let (json, field) = (self.attributes.json, "missing_value");
        let problem = self.attributes.warning(Code::CfMark, (field, json), found, expected);
        let beside = fill.filter(|it| !is_float && !is_same(*it, mark) && (it - mark).abs() < 2.0);
        let is_v3_fill = fill.is_some_and(|fill| is_same(fill, mark));
        // The lowest int64, which as a count of time is NaT.
        let is_lowest = mark < -9e18 && mark > -1e19;
        let is_nat_number = is_float && is_lowest;
        let fix = if is_lowest && self.packing.dates.is_some() {
            "xarray 2026.9 reads them as NaT all the same; readers of CF such as netCDF need _FillValue."
        } else if is_nat_number {
            "That is NaT as a number: likely, missing values became times or time spans, and these became numbers again. They count in \
             every mean."
        } else {
            "xarray 2026.9 reads them as data: they count in every mean."
        };
        let read_as = if self.packing.is_scaled {
            format!(" Unpacked, they are {}.", short(self.packing.unpack(mark)))
        } else {
            String::new()
        };
        let fill = if is_v3_fill {
            format!(
                " {mark:.0} is the fill value, which xarray 2026.9 does not take for a mark in V3: it was lost, or never written, as _FillValue."
            )
        } else {
            String::new()
        };
        let cast = beside.map_or_else(String::new, |beside| {
            format!(
                " The fill value is the number beside it, {beside:.0}: likely, NaN became the smallest integer as it was cast."
            )
        });
        let is_certain =
            !cast.is_empty() || is_nat_number || is_invalid(mark) && self.packing.is_scaled;
        let problem = with_fix(problem, format!("{fix}{read_as}{fill}{cast}"));
        Some(if is_certain { problem.with_severity(Severity::Warning) } else { problem })
    }
}

/// The warning on numbers between the mark of missing values and all others, which are beside missing ones only: means of both.
fn mixtures(ranged: &Ranged) -> Option<Problem> {
    /// The share of the way to the mark that numbers reach where some are mixed, the most elements that are read, and the fewest
    /// that are mixed.
    const SHARE: f64 = 0.1;
    const MOST: u64 = 1 << 19;
    const FEW: usize = 8;
    let (array, span) = (ranged.array, ranged.span);
    let related = ranged.related;
    let fill = array.fill_scalar();
    let marks = ranged.packing.masks.iter().map(|(_, mark)| mark.clone()).chain(fill);
    let (low, high) = (span.low, span.high);
    let mark = marks.filter_map(|mark| mark.to_f64()).find(|mark| {
        let width = high - low;
        mark.is_finite() && *mark < low && width > SHARE * (high - mark) && mark.abs() > high.abs()
    })?;
    let shape = array.known_shape()?;
    let [.., rows, columns] = shape.as_slice() else { return None };
    let [rows, columns] = [*rows, *columns].map(|length| usize::try_from(length).unwrap_or(0));
    order::product(shape).filter(|count| *count <= MOST)?;
    let values = related.numbers_of(related.path, array)?;
    let is_missing = |value: f64| value.total_cmp(&mark).is_eq() || value.is_nan();
    let (mut inside, mut edges) = (Vec::new(), Vec::new());
    for page in values.chunks_exact(rows.checked_mul(columns).filter(|size| *size > 0)?) {
        let at = |row: usize, column: usize| page.get(row * columns + column).copied();
        for (number, value) in page.iter().enumerate() {
            if is_missing(*value) {
                continue;
            }
            let (row, column) = (number / columns, number % columns);
            let mut around = (row.saturating_sub(1)..(row + 2).min(rows)).flat_map(|row| {
                (column.saturating_sub(1)..(column + 2).min(columns)).map(move |it| (row, it))
            });
            let is_edge = around.any(|(row, column)| at(row, column).is_some_and(is_missing));
            let list = if is_edge { &mut edges } else { &mut inside };
            list.push(*value);
        }
        if related.budget.is_stopped() {
            return None;
        }
    }
    let [least, most] = ends(&inside)?;
    let mixed: Vec<f64> =
        edges.iter().copied().filter(|value| *value < least - (most - least)).collect();
    if mixed.len() < FEW || inside.len() < edges.len() || high - least > SHARE * (high - mark) {
        return None;
    }
    let [from, to] = ends(&mixed)?;
    let found = format!(
        "{} values from {}, between the mark of missing ones {} and all others ({})",
        grouped(mixed.len()),
        from_to(from, to),
        short(mark),
        from_to(least, most)
    );
    let place = ("", ranged.attributes.json);
    let expected = "no numbers in between";
    let problem = ranged.attributes.warning(Code::CfValueRange, place, found.clone(), expected);
    let mut problem = saying(problem, found);
    problem.error.place.field = None;
    let fix = "Each is beside a missing element: likely, missing ones were averaged, or interpolated, with the others. Make the array \
               again with them left out.";
    Some(with_fix(problem, fix))
}

/// Two numbers as the ends of a range.
fn from_to(low: f64, high: f64) -> String {
    format!("{} to {}", short(low), short(high))
}

/// A number for a sentence, with as many digits as say something.
fn short(value: f64) -> String {
    let rounded: f64 = format!("{value:.5e}").parse().unwrap_or(value);
    if (1e-4..1e7).contains(&rounded.abs()) || rounded.to_bits() << 1 == 0 {
        rounded.to_string()
    } else {
        format!("{rounded:e}")
    }
}
