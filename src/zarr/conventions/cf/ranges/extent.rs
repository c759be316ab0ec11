//! The range of numbers against what their own attributes say of it in other words.

use super::{super::SILENT, DEGREES, FEWEST, Ranged, angle};
use crate::zarr::conventions::prelude::*;
use std::f64::consts::{PI, TAU};

/// The attributes of a group that have the ends of its latitudes and longitudes.
const EXTENTS: [(&str, [&str; 2]); 6] = [
    ("latitude", ["geospatial_lat_min", "geospatial_lat_max"]),
    ("longitude", ["geospatial_lon_min", "geospatial_lon_max"]),
    ("latitude", ["Southernmost_Northing", "Northernmost_Northing"]),
    ("longitude", ["Westernmost_Easting", "Easternmost_Easting"]),
    ("latitude", ["southernmost_latitude", "northernmost_latitude"]),
    ("longitude", ["westernmost_longitude", "easternmost_longitude"]),
];

/// The ends of numbers that fill a whole turn in radians.
const ENDS: [[std::ops::RangeInclusive<f64>; 2]; 2] =
    [[-0.001..=0.5, 5.8..=6.2835], [-3.1418..=-2.7, 2.7..=3.1418]];

impl Ranged<'_> {
    /// The first of these findings.
    pub(super) fn extent(&self) -> Option<Problem> {
        self.radians()
            .or_else(|| self.directions_in_radians())
            .or_else(|| self.against_its_direction())
            .or_else(|| self.declared())
    }

    /// The finding on the extent of a coordinate that its group declares otherwise: a warning where a sign makes them the
    /// same. A part of the data keeps the extent of the whole, so only what is outside is told.
    fn declared(&self) -> Option<Problem> {
        /// The share of the extent by which ends may differ, and from where on longitudes go around.
        const ROOM: f64 = 0.02;
        const AROUND: f64 = 300.0;
        let name = angle(self.units()?)?;
        self.standard_name().filter(|standard| *standard == name)?;
        let group = self.related.hierarchy.node(&self.related.group()?);
        let around = Attributes::of(&group.kind)?;
        let number = |key: &&str| {
            let json = around.get(key)?;
            json.as_number().or(json.as_str())?.trim().parse::<f64>().ok()
        };
        let (keys, ends) = EXTENTS.iter().filter(|(of, _)| *of == name).find_map(|(_, keys)| {
            let [one, other] = keys.each_ref().map(number);
            Some((keys, [one?, other?]))
        })?;
        let ([low, high], [a, b]) = (self.ends(), ends);
        let length = self.array.known_shape()?.iter().copied().max()? as f64;
        let width = high - low;
        let room = width * ROOM.max((1.0 / length).min(0.1)) + 0.01;
        let is_longitude = name == "longitude";
        let is_near = |one: f64, other: f64| (one - other).abs() <= room;
        let fits = |a: f64, b: f64| is_near(a, low) && is_near(b, high);
        let turns: &[f64] = if is_longitude { &[0.0, 360.0, -360.0] } else { &[0.0] };
        let last = if is_longitude && b < a { b + 360.0 } else { b };
        let is_inside =
            turns.iter().any(|turn| low >= a + turn - room && high <= last + turn + room)
                || is_longitude && last - a > AROUND;
        if is_inside || width <= 0.0 {
            return None;
        }
        let own = self.related.name();
        let said = format!("{} is {} and {} {}", keys[0], short(a), keys[1], short(b));
        let mended = [([-a, b], true), ([a, -b], false), ([-b, -a], true)];
        let mended = mended
            .into_iter()
            .find(|([one, other], _)| turns.iter().any(|turn| fits(one + turn, other + turn)));
        let is_first = mended.is_none_or(|(_, is_first)| is_first);
        let key = if is_first { keys[0] } else { keys[1] };
        let sentence = format!("{said}, and {own} is from {}", self.words());
        let (severity, fix) = match mended {
            Some(_) => (
                Severity::Warning,
                "With the other sign, they are the same. Catalogues find the data by the attribute.",
            ),
            None if is_longitude && width > AROUND => return None,
            None => (
                Severity::Note,
                "Likely cause: the attributes are those of other data, or of one part.",
            ),
        };
        Some(around.finding(Code::CfAttribute, key, sentence, fix)?.with_severity(severity))
    }

    /// The warning on latitudes or longitudes that are round numbers once they are taken for radians, and none as they are, or that
    /// go once around.
    fn radians(&self) -> Option<Problem> {
        /// Into how many parts degrees are cut, how near to them a number in float32 is, and the same for what is written.
        const PARTS: f64 = 240.0;
        const NEAR: f64 = 0.02;
        const DECIMALS: f64 = 1000.0;
        const AROUND: f64 = 1e-4;
        let (name, [low, high]) = (angle(self.units()?)?, self.ends());
        let length = self.related.length()?;
        let most = if name == "latitude" { PI / 2.0 } else { TAU };
        if low < -most - AROUND || high > most + AROUND || length < 4 || high - low < most / 100.0 {
            return None;
        }
        let values: Vec<f64> =
            self.stored()?.into_iter().map(|it| self.packing.unpack(it)).collect();
        let is_on = |value: f64, parts: f64, near: f64| {
            (value * parts - (value * parts).round()).abs() <= near
        };
        let are_round = values.iter().all(|it| is_on(it.to_degrees(), PARTS, NEAR));
        let are_plain = values.iter().all(|it| is_on(*it, DECIMALS, NEAR));
        let around = (high - low) * length as f64 / (length as f64 - 1.0);
        let is_around = name == "longitude" && (around / TAU - 1.0).abs() <= AROUND;
        // Beside longitudes that fill a turn of radians, latitudes are in radians, too.
        let is_turn = || {
            let (.., [from, to]) = self.beside("longitude")?;
            ENDS.iter()
                .any(|[least, most]| least.contains(&from) && most.contains(&to))
                .then_some(())
        };
        let is_around = is_around || name == "latitude" && high - low > 2.0 && is_turn().is_some();
        let sentence = format!(
            "{}; in radians, they are {} degrees",
            self.in_units(&format!("{name}s"))?,
            from_to(low.to_degrees(), high.to_degrees())
        );
        let is_told = are_round && !are_plain || is_around;
        self.attributes.finding_if(is_told, Code::CfUnits, "units", sentence, SILENT)
    }

    /// The warning on many directions that fill a whole turn of radians, and are said to be degrees.
    fn directions_in_radians(&self) -> Option<Problem> {
        const MANY: u64 = 100;
        let (units, name) = (self.units()?, self.standard_name()?);
        let [low, high] = self.ends();
        let is_full = ENDS.iter().any(|[from, to]| from.contains(&low) && to.contains(&high));
        let is_due = DEGREES.contains(&units)
            && ["_direction", "_azimuth_angle"].iter().any(|end| name.ends_with(end))
            && self.span.numbers >= MANY;
        let place = ("units", self.attributes.get("units")?);
        let found = self.in_units(name)?;
        (is_due && is_full)
            .then(|| self.attributes.warning(Code::CfUnits, place, found, "\"radian\""))
    }

    /// The warning on depths that are positive upwards, or heights that are downwards, where none is below 0.
    fn against_its_direction(&self) -> Option<Problem> {
        const HIGH: f64 = 10.0;
        let (name, positive) = (self.standard_name()?, self.text("positive")?);
        let due = match name {
            "depth" => "down",
            "height" | "altitude" | "geopotential_height" => "up",
            _ => return None,
        };
        let [low, high] = self.ends();
        let is_other = !positive.eq_ignore_ascii_case(due)
            && ["up", "down"].iter().any(|it| positive.eq_ignore_ascii_case(it));
        let sentence = format!(
            "{name} from {}, whose positive is {}; CF has {}",
            self.words(),
            quoted(positive),
            quoted(due)
        );
        let fix = "xarray 2026.9 opens the group and says nothing. Programs that go by it turn the axis upside down.";
        let is_told = is_other && low >= 0.0 && high >= HIGH;
        self.attributes.finding_if(is_told, Code::CfValueRange, "positive", sentence, fix)
    }

    /// The numbers by which these are divided to be usual ones, where enough are counted: what packs them was lost.
    pub(super) fn lost_factor(&self, [least, most]: [f64; 2]) -> Option<f64> {
        /// The powers of ten that numbers are packed with, and the share of the range that they are to have then.
        const FACTORS: [f64; 4] = [10.0, 100.0, 1000.0, 10_000.0];
        const SHARE: f64 = 0.2;
        let [low, high] = self.ends();
        let is_usual = |by: &f64| {
            let range = [low / by, high / by];
            range[0] >= least
                && range[1] <= most
                && range[1] - range[0] > SHARE * (most - least).min(100.0)
        };
        let by = FACTORS.into_iter().find(|by| !self.packing.is_scaled && is_usual(by))?;
        (self.span.numbers >= FEWEST && is_integer(self.array)).then_some(by)
    }
}
