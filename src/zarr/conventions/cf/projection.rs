//! Grid mappings: variables whose attributes describe a projection, as CF's appendix F has them.

use crate::zarr::conventions::prelude::*;

/// The projections of CF.
const MAPPINGS: [&str; 16] = [
    "albers_conical_equal_area",
    "azimuthal_equidistant",
    "geostationary",
    "lambert_azimuthal_equal_area",
    "lambert_conformal_conic",
    "lambert_cylindrical_equal_area",
    "latitude_longitude",
    "mercator",
    "oblique_mercator",
    "orthographic",
    "polar_stereographic",
    "rotated_latitude_longitude",
    "sinusoidal",
    "stereographic",
    "transverse_mercator",
    "vertical_perspective",
];

/// Parameters without which a projection is none.
const REQUIRED: [(&str, &str); 5] = [
    ("albers_conical_equal_area", "standard_parallel"),
    ("geostationary", "perspective_point_height"),
    ("lambert_conformal_conic", "standard_parallel"),
    ("rotated_latitude_longitude", "grid_north_pole_latitude"),
    ("rotated_latitude_longitude", "grid_north_pole_longitude"),
];

/// The radii of the Earth that attributes have, and what they are in kilometres.
const RADII: [&str; 3] = ["earth_radius", "semi_major_axis", "semi_minor_axis"];
const KILOMETRES: std::ops::RangeInclusive<f64> = 6300.0..=6400.0;

/// The warning on a projection that is nearly one of CF's, or lacks a parameter, or on a radius of the Earth in kilometres.
pub(super) fn check(attributes: &Attributes) -> Option<Problem> {
    let json = attributes.get("grid_mapping_name")?;
    let name = json.as_str()?;
    if !MAPPINGS.contains(&name)
        && let Some(meant) = nearest(name, MAPPINGS)
    {
        let sentence = format!("grid_mapping_name is {}; CF has {}", quoted(name), quoted(meant));
        let place = ("grid_mapping_name", json);
        let problem = attributes.told(Code::CfReference, place, sentence);
        return Some(with_fix(problem, "Programs that follow CF do not know the projection."));
    }
    let has = |key: &str| attributes.get(key).is_some();
    let is_lost = |(of, key): &&(&str, &str)| *of == name && !has(key);
    if let Some((_, key)) = REQUIRED.iter().find(is_lost)
        && ["latitude_of_projection_origin", "longitude_of_projection_origin"]
            .into_iter()
            .chain(REQUIRED.map(|it| it.1))
            .any(has)
        && !["crs_wkt", "spatial_ref"].into_iter().any(has)
    {
        let sentence = format!("grid_mapping_name is {}, and there is no {key}", quoted(name));
        let problem = attributes.told(Code::CfReference, ("grid_mapping_name", json), sentence);
        return Some(with_fix(problem, "Without it, nobody knows where the cells are."));
    }
    RADII.iter().find_map(|key| {
        let json = attributes.get(key)?;
        let radius: f64 = json.as_number()?.parse().ok()?;
        let sentence = format!(
            "{key} is {}, the radius of the Earth in kilometres; CF has metres",
            short(radius)
        );
        KILOMETRES.contains(&radius).then(|| attributes.told(Code::CfUnits, (key, json), sentence))
    })
}
