//! The range of an array's numbers against what its attributes say they are: degrees, a quantity in a unit, a valid
//! range, flags, and the numbers that are written for missing values.
//!
//! xarray 2026.9.0 was run on a store with each of these: it opens them without a warning, and reads every such value as
//! data.

use super::is_number;
use crate::zarr::conventions::prelude::*;
use crate::zarr::statistics::{MARKS, NumberRange};

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

/// A quantity that is written in two units, whose usual numbers in one are impossible in the other.
struct Quantity {
    /// Standard names of CF.
    names: &'static [&'static str],
    units: [QuantityUnit; 2],
}

/// A unit by its spellings, the first one for sentences, and the numbers that the quantity has in it on the Earth.
struct QuantityUnit {
    spellings: &'static [&'static str],
    usual: [f64; 2],
}

const QUANTITIES: &[Quantity] = &[
    Quantity {
        names: &[
            "air_temperature",
            "surface_temperature",
            "sea_surface_temperature",
            "sea_surface_skin_temperature",
            "sea_water_temperature",
            "sea_water_potential_temperature",
            "dew_point_temperature",
            "soil_temperature",
        ],
        units: [
            QuantityUnit { spellings: &["K", "kelvin", "Kelvin", "degK"], usual: [130.0, 400.0] },
            QuantityUnit {
                spellings: &[
                    "°C",
                    "degC",
                    "celsius",
                    "Celsius",
                    "degree_Celsius",
                    "degrees_Celsius",
                    "degree_C",
                    "C",
                ],
                usual: [-100.0, 75.0],
            },
        ],
    },
    Quantity {
        names: &[
            "air_pressure_at_sea_level",
            "air_pressure_at_mean_sea_level",
            "surface_air_pressure",
        ],
        units: [
            QuantityUnit { spellings: &["Pa", "pascal", "Pascal"], usual: [30_000.0, 115_000.0] },
            QuantityUnit {
                spellings: &["hPa", "mbar", "millibar", "mb", "millibars"],
                usual: [300.0, 1150.0],
            },
        ],
    },
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

/// A quantity, and the numbers that it has in a unit on the Earth, with room for what is rare.
struct Limit {
    /// Standard names of CF.
    names: &'static [&'static str],
    units: &'static [&'static str],
    range: [f64; 2],
}

const DEGREES: &[&str] = &["degree", "degrees", "deg"];
const METRES_PER_SECOND: &[&str] = &["m s-1", "m/s", "m s**-1", "m.s-1", "ms-1"];

const LIMITS: &[Limit] = &[
    Limit { names: &["relative_humidity"], units: &["%", "percent"], range: [-20.0, 300.0] },
    Limit {
        names: &[
            "cloud_area_fraction",
            "sea_ice_area_fraction",
            "land_area_fraction",
            "surface_snow_area_fraction",
        ],
        units: &["%", "percent"],
        range: [-10.0, 150.0],
    },
    Limit {
        names: &["wind_speed", "wind_speed_of_gust"],
        units: METRES_PER_SECOND,
        range: [-1.0, 160.0],
    },
    Limit {
        names: &["wind_from_direction", "wind_to_direction"],
        units: DEGREES,
        range: [-360.5, 720.5],
    },
];

/// Quantities that are written beside each other, and that take each other's place.
const PAIRS: [(&str, [&str; 2]); 1] =
    [("wind_speed", ["wind_from_direction", "wind_to_direction"])];

/// The cell methods whose results are differences of a quantity, or products.
const SPREADS: &[&str] = &["deviation", "variance", "range", "difference", "anomal", "sum"];

/// The findings on the range of an array's stored numbers.
pub fn check(
    hierarchy: &Hierarchy,
    path: &NodePath,
    array: &ArrayMetadata,
    span: &NumberRange,
    budget: &Budget,
) -> Vec<Problem> {
    let Some(attributes) = Attributes::of_array(array).filter(|_| is_number(array)) else {
        return Vec::new();
    };
    let packing = Packing::of(array).without_nat();
    let ranged = Ranged { array, attributes, packing, span };
    let is_any = span.numbers > 0;
    let of_range = || {
        let beside = |name: &str| sibling_range(hierarchy, path, name, budget);
        let of_units =
            || ranged.quantity().or_else(|| ranged.limit(&beside)).or_else(|| ranged.negative());
        let mixed = mixtures(hierarchy, path, &ranged, budget);
        let of_units = if mixed.is_some() { mixed } else { of_units() };
        let of_units = of_units
            .or_else(|| ranged.levels(hierarchy, path, budget))
            .or_else(|| ranged.metres(hierarchy, path));
        [ranged.angle(), of_units, ranged.valid(), ranged.actual(), ranged.flags()]
            .into_iter()
            .flatten()
    };
    let mut problems: Vec<Problem> = is_any.then(of_range).into_iter().flatten().collect();
    problems.extend(ranged.marks());
    problems
}

/// The name of a variable by its standard name, and the range of its numbers.
type RangeBeside<'a> = &'a dyn Fn(&str) -> Option<(String, [f64; 2])>;

struct Ranged<'a> {
    array: &'a ArrayMetadata,
    attributes: Attributes<'a>,
    packing: Packing,
    span: &'a NumberRange,
}

impl Ranged<'_> {
    fn text(&self, name: &str) -> Option<(&str, &Json)> {
        let json = self.attributes.get(name)?;
        Some((json.as_str()?, json))
    }

    /// The lowest and the highest number that they stand for.
    fn ends(&self) -> [f64; 2] {
        let [a, b] = [self.span.low, self.span.high].map(|value| self.packing.unpack(value));
        [a.min(b), a.max(b)]
    }

    fn words(&self) -> String {
        let [low, high] = self.ends();
        format!("{} to {}", short(low), short(high))
    }

    fn angle(&self) -> Option<Problem> {
        let (units, json) = self.text("units")?;
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
        let problem = self.attributes.warning(Code::CfValueRange, ("units", json), found, expected);
        Some(with_fix(problem, "xarray 2026.9 opens the group and says nothing."))
    }

    /// The warning that all numbers are usual in another unit of the quantity, and none is in the declared one.
    fn quantity(&self) -> Option<Problem> {
        let ((units, json), (name, _)) = (self.text("units")?, self.text("standard_name")?);
        let name = name.split(' ').next().filter(|all| all.len() == name.len())?;
        let quantity = QUANTITIES.iter().find(|quantity| quantity.names.contains(&name))?;
        let at = quantity.units.iter().position(|unit| unit.spellings.contains(&units))?;
        let (declared, other) = (quantity.units.get(at)?, quantity.units.get(1 - at)?);
        let [low, high] = self.ends();
        let [[least, most], usual] = [declared.usual, other.usual];
        let is_impossible = high < least || low > most;
        let is_other = usual[0] <= low && high <= usual[1];
        // What is constant, or a difference, says nothing.
        let methods = self.attributes.get("cell_methods").map(|json| {
            json.as_str().is_none_or(|text| SPREADS.iter().any(|word| text.contains(word)))
        });
        let is_difference = methods.unwrap_or(false) || low >= high;
        if self.span.numbers < FEWEST || !is_impossible || !is_other || is_difference {
            return None;
        }
        let other = other.spellings.first()?;
        let found = format!("{name} from {} in {}", self.words(), quoted(units));
        let expected = quoted(other);
        let problem = self.attributes.warning(Code::CfUnits, ("units", json), found, expected);
        Some(with_fix(problem, "xarray 2026.9 opens the group and says nothing."))
    }

    /// The warning on levels in Pa that are those of hPa: all are usual ones, and one of them is at no height in Pa.
    fn levels(&self, hierarchy: &Hierarchy, path: &NodePath, budget: &Budget) -> Option<Problem> {
        /// The usual levels in hPa; times 100, those of the stratosphere in Pa are some of them.
        const USUAL: [f64; 22] = [
            1000.0, 975.0, 950.0, 925.0, 900.0, 850.0, 800.0, 750.0, 700.0, 650.0, 600.0, 550.0,
            500.0, 450.0, 400.0, 350.0, 300.0, 250.0, 200.0, 150.0, 100.0, 50.0,
        ];
        const LOW: f64 = 850.0;
        let ((units, json), (name, _)) = (self.text("units")?, self.text("standard_name")?);
        let [low, high] = self.ends();
        let is_due = name == "air_pressure" && units == "Pa" && low >= 1.0 && high <= 1000.0;
        let &[length] = self.array.known_shape()?.as_slice() else { return None };
        let is_few = (3..=USUAL.len() as u64 * 2).contains(&length);
        let reader = (is_due && is_few)
            .then(|| ArrayReader::new(&*hierarchy.store, path, self.array).ok())??;
        let values = RegionValues::of(&reader, reader.whole(), budget)?.values;
        let is = |one: f64, other: f64| (self.packing.unpack(one) - other).abs() < 0.01;
        let is_level = |value: &f64| USUAL.iter().any(|it| is(*value, *it)) || *value < LOW / 10.0;
        let has = |level: f64| values.iter().any(|it| is(*it, level));
        let mut steps = values.iter().zip(values.iter().skip(1)).map(|(a, b)| (a - b).abs());
        let first = steps.next()?;
        // Steps of 50 Pa are those of no list of levels.
        let is_even = steps.all(|step| (step - first).abs() < 0.01);
        if is_even || !has(LOW) || !has(1000.0) && !has(925.0) || !values.iter().all(is_level) {
            return None;
        }
        let found = format!("levels of {name}, {}, in \"Pa\"", self.words());
        let problem = self.attributes.warning(Code::CfUnits, ("units", json), found, "\"hPa\"");
        let fix = "850 Pa is no usual level, and 850 hPa is.";
        Some(with_fix(problem, fix))
    }

    /// The warning on metres, where `proj:code` of the group has degrees.
    fn metres(&self, hierarchy: &Hierarchy, path: &NodePath) -> Option<Problem> {
        const METRES: [&str; 5] = ["m", "metre", "metres", "meter", "meters"];
        const DEGREES: [&str; 5] =
            ["EPSG:4326", "EPSG:4258", "EPSG:4269", "EPSG:4979", "OGC:CRS84"];
        const MOST: f64 = 720.0;
        let ((units, json), (name, _)) = (self.text("units")?, self.text("standard_name")?);
        let [low, high] = self.ends();
        let is_metres = name == "projection_x_coordinate" && METRES.contains(&units);
        let group = (is_metres && (low < -MOST || high > MOST))
            .then(|| Some(hierarchy.node(&path.parent()?)))??;
        let code =
            Attributes::of(&group.kind)?.get_str("proj:code").filter(|it| DEGREES.contains(it))?;
        let found = format!(
            "{} is in metres, {}, and proj:code of its group is {}, whose places are degrees",
            quoted(path.name()),
            self.words(),
            quoted(code)
        );
        let expected = "degrees, or the code of another projection";
        let problem =
            self.attributes.warning(Code::CfUnits, ("units", json), found.clone(), expected);
        let fix = "The coordinates are those of a projection: the code is another one.";
        Some(with_fix(Problem { error: problem.error.saying(found), ..problem }, fix))
    }

    /// The warning on numbers that a quantity does not have on the Earth; `beside` tells the range of the numbers of the variable
    /// with a standard name.
    fn limit(&self, beside: RangeBeside<'_>) -> Option<Problem> {
        /// The powers of ten that numbers are packed with, and the share of the range that they are to have then.
        const FACTORS: [f64; 4] = [10.0, 100.0, 1000.0, 10_000.0];
        const SHARE: f64 = 0.2;
        let ((units, _), (name, json)) = (self.text("units")?, self.text("standard_name")?);
        let limit = LIMITS.iter().find(|limit| limit.names.contains(&name))?;
        let ([low, high], [least, most]) = (self.ends(), limit.range);
        let is_known = limit.units.contains(&units) && self.span.numbers >= FEWEST;
        let is_beyond = low < least || high > most;
        let usual = |range: [f64; 2]| range[0] >= least && range[1] <= most;
        if !is_known || !is_beyond || self.is_change() {
            return None;
        }
        let other = PAIRS.iter().find(|(first, _)| *first == name).and_then(|(_, others)| {
            let limit = LIMITS.iter().find(|limit| limit.names.contains(&others[0]))?;
            let fits = low >= limit.range[0] && high <= limit.range[1];
            let (other, range) = others.iter().find_map(|name| beside(name))?;
            let is_other = fits && usual(range) && range[1] - range[0] < (high - low) / 3.0;
            is_other.then(|| {
                format!(
                    " Those of {}, {} to {}, are usual for it: likely, the two are in each other's place.",
                    quoted(&other),
                    short(range[0]),
                    short(range[1])
                )
            })
        });
        let stored = self.array.data_type()?;
        let is_integer = matches!(stored.default_scalar(), Scalar::Int(_) | Scalar::Uint(_));
        let packed = FACTORS.iter().filter(|_| is_integer && !self.packing.is_scaled).find(|by| {
            let range = [low / **by, high / **by];
            usual(range) && range[1] - range[0] > SHARE * (most - least).min(100.0)
        });
        let packed = packed.map(|by| {
            format!(
                " Divided by {by}, they are usual: this is an array of {} without scale_factor, which was most likely lost.",
                stored.name()
            )
        });
        let cause = other.or(packed).unwrap_or_default();
        let found = format!("values of {name}, {},", self.words());
        let expected =
            format!("{} to {} {units}, which it has on the Earth", short(least), short(most));
        let place = ("standard_name", json);
        let problem = self.attributes.warning(Code::CfValueRange, place, found, expected);
        Some(with_fix(problem, format!("xarray 2026.9 opens the group and says nothing.{cause}")))
    }

    /// True if attributes say that the numbers are no amount themselves: an anomaly, an error or what was scaled may have any
    /// sign and size.
    fn is_change(&self) -> bool {
        /// Words for what is no amount itself.
        const OTHERS: &[&str] = &[
            "anomal",
            "differ",
            "change",
            "bias",
            "error",
            "tendenc",
            "normal",
            "standard",
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
        members.any(|member| member.value.as_str().is_some_and(is_other))
    }

    /// The warning on numbers below 0 of a quantity that has none.
    fn negative(&self) -> Option<Problem> {
        /// The share of the largest number by which numbers may be below 0.
        const LITTLE: f64 = 0.01;
        let (name, json) = self.text("standard_name")?;
        let [low, high] = self.ends();
        if !NOT_NEGATIVE.contains(&name) || self.is_change() || high <= 0.0 || low >= -LITTLE * high
        {
            return None;
        }
        let found = format!("negative values of {name}, {},", self.words());
        let expected = "0 and more";
        let place = ("standard_name", json);
        let problem = self.attributes.warning(Code::CfValueRange, place, found, expected);
        Some(with_fix(problem, "xarray 2026.9 opens the group and says nothing."))
    }

    /// The note on numbers outside of the valid range. Those of packed data are counted in what is stored.
    fn valid(&self) -> Option<Problem> {
        let number = |json: &Json| json.as_number()?.parse::<f64>().ok();
        let pair = self.attributes.get("valid_range").and_then(|json| match json.as_array()? {
            [least, most] => Some(("valid_range", json, number(least), number(most))),
            _ => None,
        });
        let one = |name| {
            let json = self.attributes.get(name)?;
            Some((name, json, number(json)?))
        };
        let (name, json, least, most) =
            pair.or_else(|| match (one("valid_min"), one("valid_max")) {
                (Some((name, json, least)), other) => {
                    Some((name, json, Some(least), other.map(|(_, _, most)| most)))
                }
                (None, Some((name, json, most))) => Some((name, json, None, Some(most))),
                (None, None) => None,
            })?;
        let (low, high) = (self.span.low, self.span.high);
        let is_below = least.is_some_and(|least| low < least);
        let is_above = most.is_some_and(|most| high > most);
        if !is_below && !is_above {
            return None;
        }
        let end = |end: Option<f64>| end.map_or_else(|| "any".into(), short);
        let found = format!("stored values from {} to {}", short(low), short(high));
        let expected = format!("{name}, {} to {}", end(least), end(most));
        let problem = self.attributes.warning(Code::CfValueRange, (name, json), found, expected);
        let fix = "CF reads values outside as missing; xarray 2026.9 reads them as data.";
        let is_within = |value: f64| {
            least.is_none_or(|least| value >= least) && most.is_none_or(|most| value <= most)
        };
        let is_none =
            least.is_some_and(|least| high < least) || most.is_some_and(|most| low > most);
        if self.packing.is_scaled && is_none && self.ends().into_iter().all(is_within) {
            let text = format!(
                "{fix} No stored value is within, and unpacked, {}, all are: the range is that of unpacked values, where CF \
                 compares stored ones.",
                self.words()
            );
            return Some(with_fix(problem, text));
        }
        // Data that somebody means so look the same.
        Some(with_fix(problem, fix).with_severity(Severity::Note))
    }

    /// The warning on numbers outside of the range that the data are said to have. Some write it as it is stored.
    fn actual(&self) -> Option<Problem> {
        /// The share of the range by which numbers may be outside: it is often rounded.
        const ROUNDED: f64 = 0.02;
        let json = self.attributes.get("actual_range")?;
        let numbers = json.as_array()?.iter().map(|item| item.as_number()?.parse::<f64>().ok());
        let [one, other] = <[f64; 2]>::try_from(numbers.collect::<Option<Vec<f64>>>()?).ok()?;
        let room = (one - other).abs() * ROUNDED + self.packing.factor.abs();
        let (least, most) = (one.min(other) - room, one.max(other) + room);
        let is_inside = |[low, high]: [f64; 2]| low >= least && high <= most;
        if is_inside(self.ends()) || is_inside([self.span.low, self.span.high]) || least >= most {
            return None;
        }
        let found = format!("values, {},", self.words());
        let expected = format!("actual_range, {} to {}", short(one), short(other));
        let place = ("actual_range", json);
        let problem = self.attributes.warning(Code::CfValueRange, place, found, expected);
        Some(with_fix(
            problem,
            "xarray 2026.9 ignores the attribute. Values were written after it, or are wrong.",
        ))
    }

    /// The warning on numbers past those that `flag_values` names.
    fn flags(&self) -> Option<Problem> {
        let json = self.attributes.get("flag_values")?;
        if self.attributes.get("flag_masks").is_some() || self.packing.is_scaled {
            return None;
        }
        let number = |json: &Json| json.as_number()?.parse::<f64>().ok();
        let named: Vec<f64> = json.as_array()?.iter().map(number).collect::<Option<_>>()?;
        let fill = self.array.fill_scalar().and_then(|fill| Scalar::to_f64(&fill));
        let is_named = |value: f64| {
            named.iter().chain(&fill).any(|known| (known - value).abs() < f64::EPSILON)
        };
        let odd = [self.span.high, self.span.low].into_iter().find(|end| !is_named(*end))?;
        let [least, most] = [
            named.iter().copied().fold(f64::INFINITY, f64::min),
            named.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        ];
        if named.is_empty() || (least..=most).contains(&odd) {
            return None;
        }
        let found = format!("the value {}", short(odd));
        let expected =
            format!("one of the {} values from {} to {}", named.len(), short(least), short(most));
        let problem =
            self.attributes.warning(Code::CfFlags, ("flag_values", json), found, expected);
        Some(with_fix(problem, "No meaning is declared for it; xarray 2026.9 reads it as data."))
    }

    /// The note on a number that stands for a missing value and is not declared: it is far from all others.
    fn marks(&self) -> Option<Problem> {
        /// A mark is farther from the others than they are from each other and from 0, so many times.
        const FAR: f64 = 3.0;
        let NumberRange { low, high, numbers, marks } = *self.span;
        let width = (high - low).max(low.abs()).max(high.abs());
        let fill = self.array.fill_scalar().and_then(|fill| Scalar::to_f64(&fill));
        let is_far = |mark: f64| (mark - low).abs().min((mark - high).abs()) > FAR * width;
        let is_same = |a: f64, b: f64| (a - b).abs() <= b.abs() * 1e-6;
        // What the fill value marks in V2 arrays, an attribute must in V3 for xarray.
        let is_v2 = self.array.format == Format::V2;
        // What is packed and not marked is next to the others where the mark is the lowest number.
        let packed_fill = |mark: f64| {
            let is_it = !is_v2 && fill.is_some_and(|fill| is_same(fill, mark));
            is_it && self.packing.is_scaled && mark < low - 0.05 * (high - low)
        };
        let is_far = |mark: f64| is_far(mark) || packed_fill(mark);
        let is_fill = |mark: f64| is_v2 && fill.is_some_and(|fill| is_same(fill, mark));
        let mut found = MARKS.iter().zip(marks).filter(|(_, count)| *count > 0);
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
        if !is_alone || count < 2 || numbers + count < FEWEST || !is_far(mark) || is_fill(mark) {
            return None;
        }
        let found = format!(
            "{} of {} values are {}, the others {} to {}",
            grouped(count),
            grouped(numbers + count),
            if mark.abs() < 1e19 { format!("{mark:.0}") } else { short(mark) },
            short(low),
            short(high)
        );
        let expected = "an attribute that marks it as missing, such as _FillValue";
        let (json, field) = (self.attributes.json, "missing_value");
        let problem = self.attributes.warning(Code::CfMark, (field, json), found, expected);
        let is_v3_fill = fill.is_some_and(|fill| is_same(fill, mark));
        // The lowest int64, as a count of time.
        let is_nat = mark < -9e18 && mark > -1e19 && self.packing.dates.is_some();
        let fix = if is_nat {
            "xarray 2026.9 reads them as NaT all the same; readers of CF such as netCDF need _FillValue."
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
        Some(with_fix(problem, format!("{fix}{read_as}{fill}")))
    }
}

/// The warning on numbers between the mark of missing values and all others, which are beside missing ones only: means of both.
fn mixtures(
    hierarchy: &Hierarchy,
    path: &NodePath,
    ranged: &Ranged,
    budget: &Budget,
) -> Option<Problem> {
    /// The share of the way to the mark that numbers reach where some are mixed, the most elements that are read, and the fewest
    /// that are mixed.
    const SHARE: f64 = 0.1;
    const MOST: u64 = 1 << 19;
    const FEW: usize = 8;
    let (array, span) = (ranged.array, ranged.span);
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
    let reader = ArrayReader::new(&*hierarchy.store, path, array).ok()?;
    order::product(shape).filter(|count| (1..=MOST).contains(count))?;
    let values = RegionValues::of(&reader, reader.whole(), budget)?.values;
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
        if budget.is_stopped() {
            return None;
        }
    }
    let least = inside.iter().copied().reduce(f64::min)?;
    let most = inside.iter().copied().reduce(f64::max)?;
    let mixed: Vec<f64> =
        edges.iter().copied().filter(|value| *value < least - (most - least)).collect();
    if mixed.len() < FEW || inside.len() < edges.len() || high - least > SHARE * (high - mark) {
        return None;
    }
    let [from, to] =
        [mixed.iter().copied().reduce(f64::min)?, mixed.iter().copied().reduce(f64::max)?];
    let found = format!(
        "{} values from {} to {}, between the mark of missing ones {} and all others ({} to {})",
        grouped(mixed.len()),
        short(from),
        short(to),
        short(mark),
        short(least),
        short(most)
    );
    let place = ("", ranged.attributes.json);
    let problem = ranged.attributes.warning(
        Code::CfValueRange,
        place,
        found.clone(),
        "no numbers in between",
    );
    let mut error = problem.error.clone().saying(found);
    error.place.field = None;
    let fix = "Each is beside a missing element: likely, missing ones were averaged, or interpolated, with the others. Make the array \
               again with them left out.";
    Some(with_fix(Problem { error, ..problem }, fix))
}

/// The name of the variable beside one that has a standard name and the same shape, and the range of its numbers.
fn sibling_range(
    hierarchy: &Hierarchy,
    path: &NodePath,
    name: &str,
    budget: &Budget,
) -> Option<(String, [f64; 2])> {
    /// The most numbers that are read.
    const MOST: u64 = 1 << 18;
    let (at, array) = hierarchy.find_child(&path.parent()?, |child| {
        let array = child.kind.array()?;
        let own = Attributes::of_array(array)?;
        (own.get_str("standard_name") == Some(name)).then(|| (child.path.clone(), array.clone()))
    })?;
    let reader = ArrayReader::new(&*hierarchy.store, &at, &array).ok()?;
    order::product(array.known_shape()?).filter(|count| *count <= MOST)?;
    let packing = Packing::of(&array);
    let all = RegionValues::of(&reader, reader.whole(), budget)?.values.into_iter();
    let is_number = |value: &f64| value.is_finite() && !packing.is_mark(*value);
    let all = all.filter(is_number).map(|value| packing.unpack(value));
    let range = all.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| {
        [low.min(value), high.max(value)]
    });
    (range[0] <= range[1]).then(|| (at.name().to_owned(), range))
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
