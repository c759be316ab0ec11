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
const REQUIRED: [(&str, &str); 8] = [
    ("albers_conical_equal_area", "standard_parallel"),
    ("albers_conical_equal_area", "longitude_of_central_meridian"),
    ("geostationary", "perspective_point_height"),
    ("lambert_conformal_conic", "standard_parallel"),
    ("lambert_conformal_conic", "longitude_of_central_meridian"),
    ("rotated_latitude_longitude", "grid_north_pole_latitude"),
    ("rotated_latitude_longitude", "grid_north_pole_longitude"),
    ("transverse_mercator", "longitude_of_central_meridian"),
];

/// The radii of the Earth that attributes have, and what they are in kilometres.
const RADII: [&str; 3] = ["earth_radius", "semi_major_axis", "semi_minor_axis"];
const KILOMETRES: std::ops::RangeInclusive<f64> = 6300.0..=6400.0;

/// The authority and the code of a coordinate reference system: the last identifier of WKT that is in no other part of it, or such
/// an identifier by itself, as "EPSG:4326".
pub(in crate::zarr::conventions) fn code(text: &str) -> Option<[String; 2]> {
    let tidy = |word: &str| word.trim().trim_matches('"').to_uppercase();
    if !text.contains('[') {
        let (authority, code) = text.split_once(':').unwrap_or(("EPSG", text));
        let is_code = !code.is_empty() && code.chars().all(|c| c.is_ascii_digit());
        return is_code.then(|| [tidy(authority), tidy(code)]);
    }
    let (mut depth, mut is_quoted, mut start, mut found) = (0_usize, false, 0, None);
    for (at, c) in text.char_indices() {
        match c {
            '"' => is_quoted = !is_quoted,
            '[' if !is_quoted => depth += 1,
            ']' if !is_quoted => {
                depth = depth.saturating_sub(1);
                let node = text.get(start..at).unwrap_or_default().trim();
                let inside = ["AUTHORITY[", "ID["].iter().find_map(|it| node.strip_prefix(it));
                if let (1, Some(inside)) = (depth, inside) {
                    let mut words = inside.split(',').map(tidy);
                    found = words.next().zip(words.next());
                }
            }
            _ => {}
        }
        // What begins here is directly in the outermost part.
        if depth == 1 && matches!(c, ',' | '[') && !is_quoted {
            start = at + 1;
        }
    }
    found.map(|(authority, code)| [authority, code])
}

/// The warning on members that identify two coordinate reference systems of one authority.
pub(in crate::zarr::conventions) fn two_codes(
    attributes: &Attributes,
    members: &[&str],
) -> Option<Problem> {
    let all = members.iter().filter_map(|key| {
        let json = attributes.get(key)?;
        Some((*key, code(json.as_str().or(json.as_number())?)?))
    });
    let all: Vec<(&str, [String; 2])> = all.collect();
    let (key, one) = all.first()?;
    let is_other = |(_, it): &&(&str, [String; 2])| it[0] == one[0] && it[1] != one[1];
    let (other_key, other) = all.iter().find(is_other)?;
    let sentence = format!(
        "{key} is {}, and {other_key} is {}",
        quoted(&one.join(":")),
        quoted(&other.join(":"))
    );
    let fix = "Which of them a reader takes decides where the data are.";
    let rioxarray = " rioxarray 0.23 takes spatial_ref before crs_wkt.";
    let more = if *other_key == "spatial_ref" { rioxarray } else { "" };
    attributes.finding(Code::CfReference, key, sentence, format!("{fix}{more}"))
}

/// The warning on a projection that is nearly one of CF's, or lacks a parameter, or on a radius of the Earth in kilometres.
pub(super) fn check(attributes: &Attributes) -> Option<Problem> {
    two_codes(attributes, &["crs_wkt", "spatial_ref", "epsg_code", "EPSG"])
        .or_else(|| of_parameters(attributes))
}

fn of_parameters(attributes: &Attributes) -> Option<Problem> {
    let name = attributes.get_str("grid_mapping_name")?;
    let told = |sentence, fix: &str| {
        attributes.finding(Code::CfReference, "grid_mapping_name", sentence, fix)
    };
    if !MAPPINGS.contains(&name)
        && let Some(meant) = nearest(name, MAPPINGS)
    {
        let sentence = format!("grid_mapping_name is {}; CF has {}", quoted(name), quoted(meant));
        return told(sentence, "Programs that follow CF do not know the projection.");
    }
    let has = |key: &str| attributes.has(key);
    let is_lost = |(of, key): &&(&str, &str)| *of == name && !has(key);
    if let Some((_, key)) = REQUIRED.iter().find(is_lost)
        && ["latitude_of_projection_origin", "longitude_of_projection_origin"]
            .into_iter()
            .chain(REQUIRED.map(|it| it.1))
            .any(has)
        && !["crs_wkt", "spatial_ref"].into_iter().any(has)
    {
        let sentence = format!("grid_mapping_name is {}, and there is no {key}", quoted(name));
        let other = "longitude_of_projection_origin";
        let meant = if *key == "longitude_of_central_meridian" && has(other) {
            " Likely meant by longitude_of_projection_origin, which this projection does not have."
        } else {
            ""
        };
        return told(sentence, &format!("Without it, nobody knows where the cells are.{meant}"));
    }
    RADII.iter().find_map(|key| {
        let json = attributes.get(key)?;
        let radius = number(json)?;
        let sentence = format!(
            "{key} is {}, the radius of the Earth in kilometres; CF has metres",
            short(radius)
        );
        KILOMETRES.contains(&radius).then(|| attributes.told(Code::CfUnits, (key, json), sentence))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_of_wkt_is_that_of_the_whole() {
        let of = |text| code(text).map(|code| code.join(":"));
        let wkt = r#"PROJCS["a, b]",GEOGCS["c",AUTHORITY["EPSG","4258"]],UNIT["m",1],AUTHORITY["EPSG","3035"]]"#;
        assert_eq!(of(wkt).as_deref(), Some("EPSG:3035"));
        let wkt =
            r#"PROJCRS["a",BASEGEOGCRS["c",ID["EPSG",4258]],USAGE[SCOPE["x"]],ID["EPSG",32632]]"#;
        assert_eq!(of(wkt).as_deref(), Some("EPSG:32632"));
        assert_eq!(of(r#"GEOGCS["c",DATUM["d",AUTHORITY["EPSG","6258"]]]"#), None);
        assert_eq!(of("epsg:4326").as_deref(), Some("EPSG:4326"));
        assert_eq!(
            (of("4326").as_deref(), of("+proj=utm"), of("]][")),
            (Some("EPSG:4326"), None, None)
        );
    }
}
