//! Zarr Conventions that a node declares in `zarr_conventions`: proj:, spatial: and multiscales, by the specifications of
//! <https://github.com/zarr-conventions> as of 2026. Others are named and not judged.

use super::prelude::*;
use super::{
    cf::projection::two_codes,
    region,
    rules::{
        self, FILLED,
        MemberForm::{Integer, List, Number, Object, Text, TextOrNull},
        Rule, may, must,
    },
};

/// A convention: its UUID, its name, the place of its repository, and the rules about its members.
struct KnownConvention {
    uuid: &'static str,
    name: &'static str,
    repository: &'static str,
    rules: &'static [Rule],
}

const KNOWN: [KnownConvention; 3] = [
    KnownConvention {
        uuid: "f17cb550-5864-4468-aeb7-f3180cfb622f",
        name: "proj",
        repository: "/geo-proj/",
        rules: &[may("proj:code", TextOrNull), may("proj:wkt2", TextOrNull)],
    },
    KnownConvention {
        uuid: "689b58e2-cf7b-45e0-9fff-9cfc0883d6b4",
        name: "spatial",
        repository: "/spatial/",
        rules: &[
            may("spatial:dimensions", List(2, 3)),
            may("spatial:dimensions/[]", Text),
            may("spatial:bbox", List(4, 6)),
            may("spatial:bbox/[]", Number),
            may("spatial:transform_type", Text),
            may("spatial:transform", List(6, 9)),
            may("spatial:transform/[]", Number),
            may("spatial:shape", List(2, 3)),
            may("spatial:shape/[]", Integer(1)),
            may("spatial:registration", Text),
        ],
    },
    KnownConvention {
        uuid: "d35379db-88df-4056-af3a-620245f8e347",
        name: "multiscales",
        repository: "/multiscales/",
        rules: &[
            must("multiscales", Object),
            must("multiscales/layout", FILLED),
            must("multiscales/layout/[]/asset", Text),
            may("multiscales/layout/[]/derived_from", Text),
            may("multiscales/layout/[]/transform/scale/[]", Number),
            may("multiscales/layout/[]/transform/translation/[]", Number),
        ],
    },
];

/// A shape with the name of its array.
type NamedShape = (String, Vec<u64>);

/// The number of levels and of children that are looked at.
const MOST: usize = 100;
/// The longest coordinate that is read.
const LONGEST: u64 = 1 << 16;
/// By how many elements what is computed from a transform may differ: writers take corners or centres of cells.
const NEAR: f64 = 1.5;
/// The share of a cell by which places that are the same differ.
const SAME: f64 = 0.02;

/// A node that declares conventions.
struct Declared<'a> {
    hierarchy: &'a Hierarchy,
    path: &'a NodePath,
    kind: &'a NodeKind,
    attributes: Attributes<'a>,
}

/// True if a node declares conventions.
pub(super) fn is_declared(kind: &NodeKind) -> bool {
    kind.attributes().is_some_and(|it| it.get("zarr_conventions").is_some())
}

/// The problems of a node that declares conventions.
pub(super) fn check(hierarchy: &Hierarchy, path: &NodePath, kind: &NodeKind) -> Vec<Problem> {
    let Some(attributes) = Attributes::of(kind) else { return Vec::new() };
    let Some(json) = attributes.get("zarr_conventions") else { return Vec::new() };
    let form = [must("zarr_conventions", FILLED), may("zarr_conventions/[]", Object)];
    let mut problems = rules::check(&attributes, &form, Code::ZarrConvention);
    let node = Declared { hierarchy, path, kind, attributes };
    let mut declared = [false; KNOWN.len()];
    for (at, item) in json.as_array().unwrap_or_default().iter().enumerate().take(MOST) {
        match Declared::known(item) {
            Some(known) => declared[known] = true,
            None => problems.extend(node.unknown(&format!("zarr_conventions[{at}]"), item)),
        }
    }
    let is_told = !problems.is_empty();
    for (known, _) in KNOWN.iter().zip(declared).filter(|(_, is_declared)| *is_declared) {
        problems.extend(rules::check(&node.attributes, known.rules, Code::ZarrConvention));
    }
    let [proj, spatial, multiscales] = declared;
    problems.extend(proj.then(|| node.crs()).flatten());
    let codes = || two_codes(&node.attributes, &["proj:code", "proj:wkt2"]);
    problems.extend(proj.then(codes).flatten());
    if spatial {
        problems.extend(node.transform(node.attributes.json, ""));
        problems.extend(node.dimensions());
        problems.extend(node.other_order());
    }
    problems.extend(multiscales.then(|| node.levels(spatial)).into_iter().flatten());
    problems.extend(KNOWN.iter().zip(declared).filter(|_| !is_told).filter_map(
        |(known, is_declared)| {
            let prefix = format!("{}:", known.name);
            let members = node.attributes.json.as_object().unwrap_or_default();
            let member =
                members.iter().find(|member| !is_declared && member.key.starts_with(&prefix))?;
            let found = format!("{} without its convention", quoted(&member.key));
            let expected = format!("{prefix} in zarr_conventions as well");
            let text = format!("{found} in zarr_conventions");
            Some(noted(node.warning((&member.key, &member.value), found, expected), text))
        },
    ));
    problems
}

/// The problem of a coordinate whose values are elsewhere than the transform of the group around it has them; `None` where
/// there is none, or they cannot be read.
pub(super) fn coordinates(related: &Related) -> Option<Problem> {
    let &Related { hierarchy, path, array, .. } = related;
    let (length, name) = (related.length()?, path.name());
    let is_due = related.is_coordinate() && (2..=LONGEST).contains(&length);
    let around = path.parent().filter(|_| is_due)?;
    let ends = || coordinate_ends(related, path, array);
    if let Some((axis, found)) = of_grid_mapping(hierarchy, &around, array, &ends) {
        // What is wrong along both axes is told once.
        return (axis == 0 || !is_told_along_x(related, &around)).then_some(found);
    }
    if let Some(found) = of_sibling(related, name, length, &ends) {
        return Some(found);
    }
    let group = hierarchy.node(&around);
    let attributes = Attributes::of(&group.kind)?;
    let text = |key: &str| attributes.get_str(key);
    let declared = attributes.json.get_array("zarr_conventions")?;
    declared.iter().find(|item| Declared::known(item) == Some(1))?;
    let names = attributes.json.get_array("spatial:dimensions")?;
    let axis = names.iter().rev().position(|other| other.as_str() == Some(name))?;
    let transform = Declared::numbers(attributes.json, "spatial:transform")?;
    let cells = Cells::of(&transform, axis, length)?;
    let is_affine = text("spatial:transform_type").is_none_or(|it| it == "affine");
    let half = if text("spatial:registration") == Some("node") { 0.0 } else { 0.5 };
    let own = is_affine.then(ends).flatten()?;
    let due = cells.ends(half);
    let (own_range, due_range) = (range(own), range(due));
    let sentence = format!(
        "the values go from {own_range}, where the transform of the group has cells at {due_range}"
    );
    let error = Error::new(Code::ZarrConvention, own_range, due_range)
        .saying(sentence)
        .in_file(&array.documents.first()?.key)
        .with_fix("spatial:transform and the coordinate place the same cells otherwise.");
    (!cells.are_near(own, due)).then(|| Problem::new(error))
}

/// The ends of places, for a sentence.
fn range([from, to]: [f64; 2]) -> String {
    from_to(from, to)
}

/// Cells of one size along an axis.
struct Cells {
    /// The corner of the first one.
    start: f64,
    step: f64,
    length: u64,
}

impl Cells {
    /// Those along an axis, the columns being the first one, by the six numbers of an affine matrix that turns nothing.
    fn of(transform: &[f64], axis: usize, length: u64) -> Option<Self> {
        let [width, turn, left, tilt, height, top] = *transform else { return None };
        let (step, start) = *[(width, left), (height, top)].get(axis)?;
        let is_plain = is_zero(turn) && is_zero(tilt) && !is_zero(step);
        is_plain.then_some(Self { start, step, length })
    }

    /// The places in the first and the last cell that are this part of them on.
    fn ends(&self, part: f64) -> [f64; 2] {
        [part, self.length as f64 - 1.0 + part].map(|at| self.step.mul_add(at, self.start))
    }

    /// True if both ends are near each other, as corners and centres are.
    fn are_near(&self, own: [f64; 2], due: [f64; 2]) -> bool {
        own.iter().zip(due).all(|(one, other)| (one - other).abs() <= NEAR * self.step.abs())
    }

    /// True if both ends are the same; float32 is the coarsest that coordinates are written in.
    fn are_same(&self, own: [f64; 2], due: [f64; 2]) -> bool {
        let room = |size: f64| SAME * self.step.abs() + size.abs() * f64::from(f32::EPSILON);
        own.iter().zip(due).all(|(one, other)| (one - other).abs() <= room(other))
    }
}

/// The problem that a coordinate has neither the centres nor the corners of the cells that `proj:transform` (STAC), or
/// `transform` (rasterio), of an array beside it, along this dimension and another, gives it: the numbers of an affine matrix.
fn of_sibling(
    related: &Related,
    name: &str,
    length: u64,
    ends: &dyn Fn() -> Option<[f64; 2]>,
) -> Option<Problem> {
    /// The names of dimensions along which a projection goes: of others no array beside them is looked for.
    const ALONG: [&str; 6] = ["x", "y", "lon", "lat", "longitude", "latitude"];
    /// The corners of cells, and their centres.
    const PARTS: [f64; 3] = [0.0, 0.5, 1.0];
    ALONG.contains(&name.to_lowercase().as_str()).then_some(())?;
    let (sibling, key, cells) = related.find_beside(|path, array| {
        let [.., y, x] = array.dimension_names.as_deref()? else { return None };
        let axis = [x, y].iter().position(|it| it.as_deref() == Some(name))?;
        let mut keys = ["proj:transform", "transform"].into_iter();
        let (key, numbers) =
            keys.find_map(|it| Some((it, Declared::numbers(array.attributes()?, it)?)))?;
        Some((quoted(path.name()), key, Cells::of(numbers.get(..6)?, axis, length)?))
    })?;
    let own = ends()?;
    let turned = [own[1], own[0]];
    let is_at = |own: [f64; 2]| PARTS.iter().any(|part| cells.are_same(own, cells.ends(*part)));
    if is_at(own) {
        return None;
    }
    let (own_range, centres) = (range(own), range(cells.ends(0.5)));
    let sentence = format!(
        "the values go from {own_range}, where {key} of {sibling} has the centres of cells at {centres}"
    );
    let expected = format!("{centres}, the centres of the cells");
    let error = Error::new(Code::CfReference, own_range, expected).saying(sentence);
    let fix = if is_at(turned) {
        "They run the other way: programs that go by the transform flip the data."
    } else {
        "They are no corners of them either: one of the two places the data elsewhere."
    };
    in_file_of(related.array, Problem::new(error.with_fix(fix)))
}

/// True if the same is told of the coordinate of the other axis.
fn is_told_along_x(related: &Related, group: &NodePath) -> bool {
    ["x", "lon", "longitude"].iter().any(|name| {
        let other = group.child(name);
        let array = Some(&other).filter(|it| *it != related.path);
        array.and_then(|it| related.existing(it)).is_some_and(|array| {
            let read = || coordinate_ends(related, &other, &array);
            of_grid_mapping(related.hierarchy, group, &array, &read)
                .is_some_and(|(axis, _)| axis == 0)
        })
    })
}

/// The first and the last value of a coordinate that is not too long to be read.
fn coordinate_ends(related: &Related, path: &NodePath, array: &ArrayMetadata) -> Option<[f64; 2]> {
    let packing = Packing::of(array);
    let store = &*related.hierarchy.store;
    let (scalars, _) = region::scalars(store, path, array, related.budget)?;
    let value = |scalar: &Scalar| Some(packing.unpack(scalar.to_f64()?));
    Some([value(scalars.first()?)?, value(scalars.last()?)?])
}

/// The problem that a coordinate is elsewhere than the `GeoTransform` of the grid mapping beside it has it, in the order of
/// GDAL, and the place of its axis there. rioxarray 0.23 was run on both kinds.
fn of_grid_mapping(
    hierarchy: &Hierarchy,
    group: &NodePath,
    array: &ArrayMetadata,
    ends: &dyn Fn() -> Option<[f64; 2]>,
) -> Option<(usize, Problem)> {
    /// The names that rioxarray and GDAL give to it.
    const NAMES: [&str; 2] = ["spatial_ref", "crs"];
    let length = *array.known_shape()?.first()?;
    let [Some(name)] = array.dimension_names.as_ref()?.as_slice() else { return None };
    let axis = match (name.as_str(), text_of(array, "standard_name")) {
        (_, Some("projection_x_coordinate" | "longitude")) | ("x" | "lon" | "longitude", None) => 0,
        (_, Some("projection_y_coordinate" | "latitude")) | ("y" | "lat" | "latitude", None) => 3,
        _ => return None,
    };
    NAMES.iter().find_map(|mapping| {
        let node = hierarchy.existing(&group.child(mapping))?;
        let attributes = Attributes::of(&node.kind)?;
        let text = attributes.get_str("GeoTransform")?;
        let numbers = text.split_whitespace().map(|number| number.parse().ok());
        let numbers = <[f64; 6]>::try_from(numbers.collect::<Option<Vec<f64>>>()?).ok()?;
        let step = if axis == 0 { numbers[1] } else { numbers[5] };
        let is_turned = !is_zero(numbers[2]) || !is_zero(numbers[4]) || is_zero(step);
        let own @ [first, last] = (!is_turned).then(ends).flatten()?;
        let cells = Cells { start: numbers[axis], step, length };
        let due @ [from, to] = cells.ends(0.5);
        let is_far = !cells.are_near(own, due);
        let is_corner = [0.0, 1.0].iter().any(|part| cells.are_same(own, cells.ends(*part)))
            && !are_points(hierarchy, group);
        let sentence = format!(
            "GeoTransform of {} has cells from {}, where the coordinate {} has them from {}{}",
            quoted(mapping),
            range(due),
            quoted(name),
            range(own),
            if is_corner { ": half a cell away" } else { "" }
        );
        let is_size = (last - first - (to - from)).abs() <= NEAR * step.abs();
        let fix = if is_corner {
            "rioxarray 0.23 goes by the coordinates; readers without them by GeoTransform. Likely cause: \
             one of the two has the corners of cells for their centres."
        } else if is_size {
            "rioxarray 0.23 goes by the coordinates; readers without them by GeoTransform. Likely cause: a part was cut out, and \
             the attribute is that of the whole."
        } else {
            "rioxarray 0.23 takes the size of the cells from GeoTransform, and places them wrong."
        };
        let texts = (quoted(text), range(own));
        let problem = attributes.mismatch(Code::CfReference, "GeoTransform", texts, fix)?;
        (is_far || is_corner).then(|| (axis, saying(problem, sentence)))
    })
}

/// True if something in a group says that its coordinates are those of points.
fn are_points(hierarchy: &Hierarchy, group: &NodePath) -> bool {
    let says = |kind: &NodeKind| {
        kind.attributes()?.get_str("AREA_OR_POINT").filter(|it| *it == "Point").map(|_| ())
    };
    says(&hierarchy.node(group).kind).is_some()
        || hierarchy.find_child(group, |child| says(&child.kind)).is_some()
}

/// The text by which a convention is identified.
fn identity(item: &Json) -> Option<&str> {
    ["uuid", "schema_url", "spec_url"].into_iter().find_map(|key| item.get_str(key))
}

/// Numbers as a list of JSON.
fn written(numbers: &[f64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(|number| short(*number)).collect();
    format!("[{}]", numbers.join(","))
}

impl Declared<'_> {
    fn warning(
        &self,
        place: (&str, &Json),
        found: impl Into<String>,
        expected: impl Into<String>,
    ) -> Problem {
        self.attributes.warning(Code::ZarrConvention, place, found, expected)
    }

    /// The number of the known convention that an entry declares.
    fn known(item: &Json) -> Option<usize> {
        let identity = identity(item)?;
        let is_it = |known: &KnownConvention| {
            let is_url = identity.starts_with("http") && identity.contains(known.repository);
            identity.eq_ignore_ascii_case(known.uuid) || is_url
        };
        KNOWN.iter().position(is_it)
    }

    /// The words on an entry that declares no known convention.
    fn unknown(&self, field: &str, item: &Json) -> Option<Problem> {
        let name = item.get_str("name").unwrap_or_default().trim_end_matches(':');
        let place = (field, item);
        let Some(identity) = identity(item) else {
            let expected = "one of uuid, schema_url and spec_url, which identify a convention";
            return item.as_object().map(|_| self.warning(place, "an object with none", expected));
        };
        let has_uuid = item.get("uuid").is_some();
        if let Some(known) = KNOWN.iter().find(|known| known.name == name && has_uuid) {
            let expected = format!("{}, the UUID of {}", quoted(known.uuid), quoted(name));
            let problem = self.warning(place, format!("uuid {}", quoted(identity)), expected);
            let fix = "Readers identify a convention by its UUID, not by its name.";
            return Some(with_fix(problem, fix));
        }
        let called = if name.is_empty() { quoted(identity) } else { quoted(name) };
        let sentence = format!("the convention {called} is not checked by zarrscope");
        Some(noted(self.warning(place, called, "proj:, spatial: or multiscales"), sentence))
    }

    /// The warning on a coordinate reference system that is not named as the convention wants it.
    fn crs(&self) -> Option<Problem> {
        let members = ["proj:code", "proj:wkt2", "proj:projjson"];
        let given = members.iter().find_map(|name| {
            Some((*name, self.attributes.get(name).filter(|json| !json.is_null())?))
        });
        let declaration = ("zarr_conventions", self.attributes.get("zarr_conventions")?);
        let Some((name, json)) = given else {
            let expected = "one of proj:code, proj:wkt2 and proj:projjson";
            let text =
                "the convention proj: is declared, and no coordinate reference system is given";
            return Some(saying(self.warning(declaration, "none of them", expected), text));
        };
        if name == "proj:projjson" && json.as_object().is_none() {
            return Some(self.warning((name, json), json.describe(), "an object"));
        }
        let code = json.as_str().filter(|_| name == "proj:code")?;
        let is_code = code.split_once(':').is_some_and(|(authority, number)| {
            let is_word = |text: &str, more: &str| {
                let is_one = |c: char| c.is_ascii_alphanumeric() || more.contains(c);
                !text.is_empty() && text.chars().all(is_one)
            };
            is_word(authority, "_")
                && !authority.contains(char::is_lowercase)
                && is_word(number, "._-")
        });
        let expected = "an authority and a code, such as \"EPSG:4326\"";
        (!is_code).then(|| self.warning((name, json), quoted(code), expected))
    }

    /// The numbers of a member.
    fn numbers(json: &Json, name: &str) -> Option<Vec<f64>> {
        numbers(json.get(name)?)
    }

    /// The problem of the transform in `json`, whose members are at `field`: by itself, or against the box and the shape
    /// beside it.
    fn transform(&self, json: &Json, field: &str) -> Option<Problem> {
        let at = "spatial:transform";
        let place = (&*format!("{field}{at}"), json.get(at)?);
        let is_affine = json.get_str("spatial:transform_type").is_none_or(|it| it == "affine");
        let numbers = Self::numbers(json, at).filter(|it| is_affine && it.len() == 6)?;
        let [width, turn, left, tilt, height, top] = <[f64; 6]>::try_from(numbers.clone()).ok()?;
        if is_zero(left) && is_zero(height) && ![width, turn, top].into_iter().any(is_zero) {
            let expected = written(&[turn, left, width, height, top, tilt]);
            let problem = self.warning(place, written(&numbers), expected);
            let fix = "Likely cause: the order of GDAL's GetGeoTransform, not that of Affine.";
            return Some(with_fix(problem, fix));
        }
        if is_zero(width * height - turn * tilt) {
            let expected = "a transform in which every cell has an area";
            return Some(self.warning(place, written(&numbers), expected));
        }
        let shape = Self::numbers(json, "spatial:shape").or_else(|| self.spatial_shape())?;
        let [rows, columns] = <[f64; 2]>::try_from(shape).ok()?;
        let place = ("spatial:bbox", self.attributes.get("spatial:bbox")?);
        let bbox = Self::numbers(self.attributes.json, place.0).filter(|it| it.len() == 4)?;
        let (right, bottom) = (width.mul_add(columns, left), height.mul_add(rows, top));
        let made = [left.min(right), top.min(bottom), left.max(right), top.max(bottom)];
        let steps = [width, height, width, height];
        let fits = |made: &[f64], near: f64| {
            let mut ends = bbox.iter().zip(made).zip(&steps);
            ends.all(|((one, other), step)| (one - other).abs() <= near * step.abs())
        };
        let half = |at: usize| if at < 2 { 0.5 } else { -0.5 };
        let inner = made.iter().zip(&steps).enumerate();
        let inner: Vec<f64> = inner.map(|(at, (end, step))| end + half(at) * step.abs()).collect();
        // Who says nothing of it may mean either.
        let is_inner = json.get_str("spatial:registration") == Some("pixel") && fits(&inner, 0.1);
        (is_zero(turn) && is_zero(tilt) && (is_inner || !fits(&made, NEAR))).then(|| {
            let fix = if is_inner {
                "It goes to the centres of the outermost cells, and spatial:registration is \"pixel\": it is half a cell too small on each \
                 side, by the transform and the shape."
            } else {
                "That is what the transform makes of the shape: the three contradict each other."
            };
            with_fix(self.warning(place, written(&bbox), written(&made)), fix)
        })
    }

    /// The lengths of the spatial dimensions of an array.
    fn spatial_shape(&self) -> Option<Vec<f64>> {
        let array = self.kind.array()?;
        let names = array.dimension_names.as_ref()?;
        let spatial = self.attributes.json.get_array("spatial:dimensions")?.iter();
        let length = |json: &Json| {
            let at = names.iter().position(|name| name.as_deref() == json.as_str())?;
            Some(*array.known_shape()?.get(at)? as f64)
        };
        spatial.map(length).collect()
    }

    /// The warning that all arrays of a group have its spatial dimensions in another order.
    fn other_order(&self) -> Option<Problem> {
        let at = "spatial:dimensions";
        let json = self.attributes.get(at).filter(|_| self.kind.array().is_none())?;
        let spatial: Vec<&str> =
            json.as_array()?.iter().map(Json::as_str).collect::<Option<_>>()?;
        let mut orders = Vec::new();
        self.hierarchy.visit_first(self.path, MOST, |child| {
            let names = child.kind.array().and_then(|array| array.dimension_names.clone());
            let own: Vec<String> = names.into_iter().flatten().flatten().collect();
            let own: Vec<String> =
                own.into_iter().filter(|name| spatial.contains(&name.as_str())).collect();
            if own.len() == spatial.len() && own.len() > 1 {
                orders.push((own, child.path.name().to_owned()));
            }
        });
        let (own, name) = orders.first()?;
        let is_other = orders.iter().all(|(other, _)| other == own && *other != spatial);
        let own: Vec<&str> = own.iter().map(String::as_str).collect();
        let expected =
            format!("{}, the order of the dimensions of {}", all_quoted(&own), quoted(name));
        let problem = self.warning((at, json), all_quoted(&spatial), expected);
        let fix = "spatial:shape and spatial:transform are read in this order: with another one, rows are taken for columns.";
        is_other.then(|| with_fix(problem, fix))
    }

    /// The spatial dimensions of an array against its own, and those of a group against arrays of which none has names.
    fn dimensions(&self) -> Option<Problem> {
        let at = "spatial:dimensions";
        let Some(array) = self.kind.array() else {
            let json = self.attributes.get(at)?;
            let (mut bare, mut first) = (0_u64, None);
            let named = self.hierarchy.find_child(self.path, |child| {
                let array = child.kind.array().filter(|it| it.format == Format::V3)?;
                let names = array.dimension_names.iter().flatten().flatten().count();
                let is_due = array.known_shape()?.len() > 1;
                bare += u64::from(is_due && names == 0);
                first = first.take().or_else(|| is_due.then(|| quoted(child.path.name())));
                (names > 0).then_some(())
            });
            let sentence = format!(
                "{at} is {}, and no array of this group, such as {}, has dimension_names",
                json.to_line(),
                first?
            );
            let fix = "Nothing says which dimensions those are. xarray 2026.9 raises KeyError when it opens the group: write dimension_names.";
            let is_told = named.is_none() && bare > 0;
            return self.attributes.finding_if(is_told, Code::ZarrConvention, at, sentence, fix);
        };
        let Some(json) = self.attributes.get(at) else {
            let place = ("zarr_conventions", self.attributes.get("zarr_conventions")?);
            let problem =
                self.warning(place, "no spatial:dimensions", "the names of the spatial dimensions");
            let text = "the convention spatial: is declared, and spatial:dimensions is missing";
            return Some(saying(problem, text));
        };
        let names: Vec<&str> =
            array.dimension_names.as_ref()?.iter().flatten().map(String::as_str).collect();
        let spatial: Vec<&str> = json.as_array()?.iter().filter_map(Json::as_str).collect();
        if let Some(lost) = spatial.iter().find(|name| !names.contains(name)) {
            let expected = format!("dimensions of the array: {}", all_quoted(&names));
            return Some(self.warning((at, json), quoted(lost), expected));
        }
        let (place, shape) = ("spatial:shape", self.spatial_shape()?);
        let json = self.attributes.get(place)?;
        let given = Self::numbers(self.attributes.json, place)?;
        let is_same = given.len() == shape.len()
            && given.iter().zip(&shape).all(|(a, b)| (a - b).abs() < 0.5);
        let expected = format!("{}, the lengths of {}", written(&shape), all_quoted(&spatial));
        (!is_same).then(|| self.warning((place, json), written(&given), expected))
    }
}

impl Declared<'_> {
    /// The problems of the levels: what they are made of, and their shapes.
    fn levels(&self, is_spatial: bool) -> Vec<Problem> {
        let layout = self.attributes.get("multiscales").and_then(|json| json.get_array("layout"));
        let levels = layout.unwrap_or_default().iter().take(MOST).enumerate();
        let known: Vec<&str> =
            levels.clone().filter_map(|(_, level)| level.get_str("asset")).collect();
        levels
            .flat_map(|(at, level)| {
                let field = format!("multiscales.layout[{at}].");
                let transform = is_spatial.then(|| self.transform(level, &field)).flatten();
                self.level(level, &field, &known).into_iter().chain(transform)
            })
            .collect()
    }

    fn level(&self, level: &Json, field: &str, known: &[&str]) -> Option<Problem> {
        let (asset, place) = (level.get_str("asset")?, format!("{field}asset"));
        let shapes = self.shapes(asset);
        let Some(shapes) = shapes.filter(|_| !asset.starts_with('/') && !asset.contains(".."))
        else {
            let expected = "the path of an array or a group in this group";
            return Some(self.warning((&place, level.get("asset")?), quoted(asset), expected));
        };
        if let (Some(given), [shape]) = (level.get("spatial:shape"), shapes.as_slice())
            && let Some(numbers) = Self::numbers(level, "spatial:shape")
        {
            let has =
                |number: &f64| shape.1.iter().any(|length| (*length as f64 - number).abs() < 0.5);
            if !numbers.iter().all(has) {
                let expected =
                    format!("lengths of {}, which has the shape {}", quoted(asset), list(&shape.1));
                let found = written(&numbers);
                return Some(self.warning(
                    (&format!("{field}spatial:shape"), given),
                    found,
                    expected,
                ));
            }
        }
        self.derived(level, field, (&shapes, known))
    }

    /// The problem of a level that is made of another one.
    fn derived(
        &self,
        level: &Json,
        field: &str,
        (shapes, known): (&[NamedShape], &[&str]),
    ) -> Option<Problem> {
        let source = level.get("derived_from")?;
        let name = source.as_str()?;
        if !known.contains(&name) {
            let expected = "the asset of another level";
            return Some(self.warning(
                (&format!("{field}derived_from"), source),
                quoted(name),
                expected,
            ));
        }
        let Some(transform) = level.get("transform").filter(|json| !json.is_null()) else {
            let expected = "a transform, as derived_from is there";
            return Some(self.warning((&format!("{field}transform"), level), "nothing", expected));
        };
        let (json, scale) = (transform.get("scale")?, Self::numbers(transform, "scale")?);
        let sources = self.shapes(name)?;
        let wrong = shapes.iter().find_map(|(array, shape)| {
            let (_, source) = sources.iter().find(|(other, _)| other == array)?;
            let is_whole = shape.len() == scale.len() && source.len() == scale.len();
            let fits = |((here, there), scale): ((&u64, &u64), &f64)| {
                (*there as f64 / scale - *here as f64).abs() <= NEAR
            };
            let is_right = shape.iter().zip(source).zip(&scale).all(fits);
            (is_whole && !is_right).then_some((shape, source))
        });
        let (shape, source) = wrong?;
        let found = written(&scale);
        let expected = format!(
            "that of {} from {} for {}",
            list(shape),
            list(source),
            level.get("asset")?.describe()
        );
        Some(self.warning((&format!("{field}transform.scale"), json), found, expected))
    }

    /// The shapes of the array at a path below the group, or of those in the group there, with their names.
    fn shapes(&self, asset: &str) -> Option<Vec<NamedShape>> {
        let path = self.path.child(asset);
        let node = self.hierarchy.node(&path);
        let shape = |kind: &NodeKind| Some(kind.array()?.known_shape()?.clone());
        match &node.kind {
            NodeKind::Array(_) => {
                Some(shape(&node.kind).into_iter().map(|it| (String::new(), it)).collect())
            }
            NodeKind::Group(_) | NodeKind::Folder => {
                let mut found = Vec::new();
                self.hierarchy.visit_first(&path, MOST, |child| {
                    found.extend(shape(&child.kind).map(|it| (child.path.name().to_owned(), it)));
                });
                Some(found)
            }
            NodeKind::Broken(_) => None,
        }
    }
}
