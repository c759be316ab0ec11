//! The zone of a transverse Mercator projection against the longitudes that a group stores beside its eastings.

use super::{
    super::region,
    ranges::{METRES, angle},
};
use crate::zarr::conventions::prelude::*;

/// The longest coordinate that is read.
const LONGEST: u64 = 1 << 16;
/// The width of a zone, and by how much longitudes may differ from those of another zone: they are computed on a sphere.
const ZONE: f64 = 6.0;
const NEAR: f64 = 0.3;
const RADIUS: f64 = 6_371_000.0;

/// A transverse Mercator projection, as a grid mapping declares it.
struct Mercator {
    name: String,
    meridian: f64,
    origin: f64,
    scale: f64,
    east: f64,
    north: f64,
}

impl Mercator {
    /// The only one of a group; `None` where another grid mapping is beside it.
    fn of(hierarchy: &Hierarchy, group: &NodePath) -> Option<Self> {
        let (mut found, mut mappings) = (None, 0);
        hierarchy.find_child(group, |child| {
            let own = child.kind.attributes()?;
            let mapping = own.get_str("grid_mapping_name")?;
            mappings += 1;
            let number = |key: &str| number(own.get(key)?);
            let is_mercator = mapping == "transverse_mercator";
            let meridian = number("longitude_of_central_meridian").filter(|_| is_mercator);
            found = meridian.map(|meridian| Self {
                name: child.path.name().to_owned(),
                meridian,
                origin: number("latitude_of_projection_origin").unwrap_or(0.0),
                scale: number("scale_factor_at_central_meridian").unwrap_or(1.0),
                east: number("false_easting").unwrap_or(0.0),
                north: number("false_northing").unwrap_or(0.0),
            });
            // All are looked at: a second one leaves none.
            (mappings > 1).then_some(())
        });
        found.filter(|_| mappings == 1)
    }

    /// The longitude of a place, to a tenth of a degree.
    fn longitude(&self, x: f64, y: f64) -> f64 {
        let along = (x - self.east) / (self.scale * RADIUS);
        let up = (y - self.north) / (self.scale * RADIUS) + self.origin.to_radians();
        self.meridian + along.sinh().atan2(up.cos()).to_degrees()
    }
}

/// The problem that longitudes along two dimensions are those of other zones than the projection of the group has for its
/// coordinates: by whole zones, everywhere.
pub(in crate::zarr::conventions) fn check(related: &Related) -> Option<Problem> {
    let &Related { hierarchy, path, array, budget, .. } = related;
    let [Some(down), Some(across)] = array.dimension_names.as_deref()? else { return None };
    let &[rows, columns] = array.known_shape()?.as_slice() else { return None };
    let is_longitude = related.own_text("units").and_then(angle) == Some("longitude");
    if !is_longitude || rows == 0 || !(2..=LONGEST).contains(&columns) || rows > LONGEST {
        return None;
    }
    let group = path.parent()?;
    let mapping = Mercator::of(hierarchy, &group)?;
    let metres = |name: &str, axis: &str, length: u64| {
        let node = hierarchy.node(&group.child(name));
        let own = node.kind.array()?;
        let is_metres = text_of(own, "units").is_some_and(|it| METRES.contains(&it));
        // Eastings and northings that are exchanged are a fault of their own.
        let is_due = is_metres
            && is_called(own, &format!("projection_{axis}_coordinate"))
            && self::length(own)? == length
            && !Packing::of(own).is_scaled;
        let (scalars, _) =
            is_due.then(|| region::scalars(&*hierarchy.store, &node.path, own, budget))??;
        scalars.iter().map(Scalar::to_f64).collect::<Option<Vec<f64>>>()
    };
    let (x, y) = (metres(across, "x", columns)?, metres(down, "y", rows)?);
    let row = rows / 2;
    let reader = related.reader(path, array)?;
    let region = vec![row..row + 1, 0..columns];
    let values = RegionValues::of(&reader, region, budget).filter(|it| it.is_stored)?.values;
    let y = *y.get(usize::try_from(row).ok()?)?;
    let apart = |(x, stored): (&f64, &f64)| {
        (stored - mapping.longitude(*x, y) + 180.0).rem_euclid(360.0) - 180.0
    };
    let apart: Vec<f64> = x.iter().zip(&values).map(apart).collect();
    let zones = (apart.first()? / ZONE).round();
    let is_off = |it: &f64| (it - zones * ZONE).abs() <= NEAR;
    if zones.abs() < 1.0 || apart.len() != x.len() || !apart.iter().all(is_off) {
        return None;
    }
    let meridian = mapping.meridian + zones * ZONE;
    let found = format!(
        "the longitudes are {} degrees {} of those that {} has for these coordinates",
        short((zones * ZONE).abs()),
        if zones < 0.0 { "west" } else { "east" },
        quoted(&mapping.name)
    );
    let fix = format!(
        "With a central meridian of {}, not {}, both are the same places: the zone of the projection is another one.",
        short(meridian),
        short(mapping.meridian)
    );
    let texts = (found.clone(), "the same places");
    let problem = related.attributes()?.mismatch(Code::CfReference, "units", texts, fix)?;
    Some(saying(problem, found))
}
