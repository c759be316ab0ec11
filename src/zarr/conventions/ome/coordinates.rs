//! Coordinate systems of OME-Zarr 0.6, and the transformations between them: of levels, of images, and of scenes.

use super::{
    Version, label,
    rules::{
        self, FILLED, LIST,
        MemberForm::{
            Bits, Distinct, Integer, List, Matrix, NoneTwice, Numbers, Object, Permutation,
            Spelled, Text, TextOrNull,
        },
        Rule, may, must,
    },
};
use crate::zarr::conventions::prelude::*;

/// The most levels, and transformations of a list, that are looked at, and the most findings on those of a group.
const MOST: usize = 1000;
const TOLD: usize = 20;
/// How deep transformations may be in each other to be looked at.
const DEEPEST: usize = 16;

/// The rules about an image or a scene.
const RULES: &[Rule] = &[
    may("coordinateSystems", LIST),
    may("coordinateSystems/[]", Object),
    must("coordinateSystems/[]/name", Text),
    may("coordinateSystems", Distinct("name")),
    must("coordinateSystems/[]/axes", FILLED),
    may("coordinateSystems/[]/axes/[]", Object),
    must("coordinateSystems/[]/axes/[]/name", Text),
    may("coordinateSystems/[]/axes", Distinct("name")),
    may("coordinateSystems/[]/axes/[]/type", TextOrNull),
    may("coordinateSystems/[]/axes/[]/unit", TextOrNull),
    may("coordinateSystems/[]/axes/[]", Spelled(&["name", "type", "unit"])),
    may("coordinateTransformations", LIST),
    may("coordinateTransformations/[]", Object),
    must("coordinateTransformations/[]/input", Object),
    must("coordinateTransformations/[]/input/name", Text),
    must("coordinateTransformations/[]/output", Object),
    must("coordinateTransformations/[]/output/name", Text),
    must("datasets/[]/coordinateTransformations/[]/input", Object),
    must("datasets/[]/coordinateTransformations/[]/input/path", Text),
    must("datasets/[]/coordinateTransformations/[]/output", Object),
    must("datasets/[]/coordinateTransformations/[]/output/name", Text),
    may("datasets/[]/coordinateTransformations/[]/transformations", List(2, 2)),
];

/// The rules about a transformation, by its type.
const TYPES: &[(&str, &[Rule])] = &[
    ("identity", &[]),
    ("scale", &[must("scale", Bits), may("scale", LIST)]),
    ("translation", &[must("translation", Numbers), may("translation", LIST)]),
    ("mapAxis", &[must("mapAxis", Permutation)]),
    ("projectAxis", &[may("droppedInputs", NoneTwice), may("createdOutputs", NoneTwice)]),
    ("affine", &[must("affine", Matrix)]),
    ("rotation", &[must("rotation", Matrix)]),
    ("sequence", &[must("transformations", LIST)]),
    ("bijection", &[must("forward", Object), must("inverse", Object)]),
    (
        "byDimension",
        &[
            must("transformations", LIST),
            must("transformations/[]/transformation", Object),
            must("transformations/[]/inputAxes", LIST),
            must("transformations/[]/outputAxes", LIST),
            may("transformations/[]/inputAxes/[]", Integer(0)),
            may("transformations/[]/outputAxes/[]", Integer(0)),
        ],
    ),
    ("displacements", &[must("path", Text)]),
    ("coordinates", &[must("path", Text)]),
];

/// The number of axes at one end of a transformation, where it is known.
type Axes = Option<usize>;

/// The problems of the coordinate systems and transformations of a group.
pub(super) fn check(group: &OmeGroup) -> Vec<Problem> {
    let mut walk = Walk { group, problems: Vec::new() };
    if group.version != Version::V6 {
        return walk.problems;
    }
    let images = group.items("multiscales").iter().enumerate();
    let images = images.map(|(at, json)| (format!("multiscales[{at}]"), json));
    for (field, json) in images.chain(group.ome.get("scene").map(|json| ("scene".into(), json))) {
        // What names a system that is lost with its list, or its name, is told once.
        let has_systems = field == "scene" || json.get("coordinateSystems").is_some();
        if !walk.rules(&field, json, RULES) || !has_systems {
            continue;
        }
        walk.levels(&field, json);
        let all = json.get_array("coordinateTransformations").unwrap_or_default();
        for (at, item) in all.iter().enumerate().take(MOST) {
            let field = format!("{field}.coordinateTransformations[{at}]");
            let ends = ["input", "output"].map(|end| walk.end(&field, item, end));
            walk.apply(&field, item, ends, DEEPEST);
        }
    }
    walk.problems.truncate(TOLD);
    walk.problems
}

/// The transformations of a group, and what was found so far.
struct Walk<'a> {
    group: &'a OmeGroup<'a>,
    problems: Vec<Problem>,
}

impl Walk<'_> {
    fn fault(&mut self, place: (&str, &Json), found: String, expected: impl Into<String>) {
        let code = Code::OmeTransformations;
        self.problems.push(self.group.ome.warning(code, place, found, expected));
    }

    /// True if an object breaks none of the rules.
    fn rules(&mut self, field: &str, json: &Json, rules: &[Rule]) -> bool {
        let ome = &self.group.ome;
        let object = Attributes { json, above: ome.field(field), ..ome.clone() };
        let broken = rules::check(&object, rules, Code::OmeMember);
        let is_right = broken.is_empty();
        self.problems.extend(broken);
        is_right
    }

    /// Looks at the transformations of the levels of the image at `field`.
    fn levels(&mut self, field: &str, image: &Json) {
        let mut first = None;
        let levels = image.get_array("datasets").unwrap_or_default().iter().enumerate();
        for (at, level) in levels.take(MOST) {
            let field = format!("{field}.datasets[{at}].coordinateTransformations[0]");
            let Some([item]) = level.get_array("coordinateTransformations") else { continue };
            let before = self.problems.len();
            let axes = self.end(&field, item, "output");
            self.apply(&field, item, [axes; 2], DEEPEST);
            let member = |end: &str, member: &str| item.get(end)?.get_str(member);
            let name = member("output", "name");
            let due = *first.get_or_insert(name);
            if member("input", "path") != level.get_str("path") {
                let found = "an input that is not the array of the level".into();
                self.fault((&field, item), found, "the path of the level");
            } else if name != due && self.problems.len() == before {
                let found = "the output of another coordinate system".into();
                self.fault((&field, item), found, "that of the first level");
            }
        }
    }

    /// The number of axes of the coordinate system at one end of a transformation.
    fn end(&mut self, field: &str, item: &Json, end: &str) -> Axes {
        let json = item.get(end)?;
        let name = json.get_str("name")?;
        let field = format!("{field}.{end}");
        let path =
            json.get("path").filter(|path| !["", "."].contains(&path.as_str().unwrap_or("")));
        let lost = path.and_then(|path| self.group.not_an_image(&format!("{field}.path"), path));
        if lost.is_some() {
            self.problems.extend(lost);
            return None;
        }
        let find = |group: &OmeGroup| {
            let owners = group.items("multiscales").iter().chain(group.ome.get("scene"));
            let mut systems = owners.filter_map(|it| it.get_array("coordinateSystems")).flatten();
            let system = systems.find(|system| system.get_str("name") == Some(name))?;
            Some(system.get_array("axes").map(<[Json]>::len).filter(|count| *count > 0))
        };
        let found = match path.and_then(Json::as_str) {
            Some(path) => self.group.group(path, find)?,
            None => find(self.group),
        };
        if found.is_none() {
            let found = format!("{}, which is the name of no coordinate system", quoted(name));
            self.fault((&field, json), found, "the name of one that is there");
        }
        found?
    }

    /// The number of axes of what a transformation makes. Its parameters must fit both ends.
    fn apply(&mut self, field: &str, item: &Json, ends: [Axes; 2], depth: usize) -> Axes {
        let [from, to] = ends;
        let kind = TYPES.iter().find(|(name, _)| item.get_str("type") == Some(name));
        let Some((kind, rules)) = kind else {
            let types = TYPES.iter().map(|(name, _)| *name).joined(", ");
            let found = item.get("type").map_or_else(|| "no type".into(), Json::describe);
            self.fault((field, item), found, format!("one of the types {types}"));
            return to;
        };
        let is_elsewhere = item.get_str("path").is_some() && ["affine", "rotation"].contains(kind);
        if depth == 0 || !(is_elsewhere || self.rules(field, item, rules)) {
            return to;
        }
        let before = self.problems.len();
        let count = |json: &Json, member: &str| json.get_array(member).map(<[Json]>::len);
        let parts = item.get_array("transformations").unwrap_or_default();
        let each = parts.iter().enumerate().take(MOST);
        let each = each.map(|(at, it)| (at + 1, it, format!("{field}.transformations[{at}]")));
        let made = match *kind {
            "scale" | "translation" | "mapAxis" => [count(item, kind); 2],
            "projectAxis" => {
                let [out, new] = ["droppedInputs", "createdOutputs"].map(|it| count(item, it));
                let new = from.map(|from| from + new.unwrap_or(0));
                [from, new.map(|all| all.saturating_sub(out.unwrap_or(0)))]
            }
            "affine" | "rotation" => {
                let row = item.get_array(kind).and_then(<[Json]>::first).and_then(Json::as_array);
                let shape = row.and_then(|row| Some(vec![count(item, kind)?, row.len()]));
                let shape = shape.or_else(|| self.shape_at(field, item));
                let [rows, columns] = shape.as_deref().unwrap_or_default() else { return to };
                [columns.checked_sub(usize::from(*kind == "affine")), Some(*rows)]
            }
            "sequence" => {
                let inner = each.fold(from, |from, (number, part, field)| {
                    let to = to.filter(|_| number == parts.len());
                    self.apply(&field, part, [from, to], depth - 1)
                });
                [from, inner]
            }
            "bijection" => {
                for (member, ends) in [("forward", ends), ("inverse", [to, from])] {
                    let part = item.get(member).unwrap_or(item);
                    self.apply(&format!("{field}.{member}"), part, ends, depth - 1);
                }
                [to, from]
            }
            "byDimension" => {
                each.for_each(|(_, part, field)| {
                    let ends = ["inputAxes", "outputAxes"].map(|it| count(part, it));
                    let inner = part.get("transformation").unwrap_or(part);
                    self.apply(&format!("{field}.transformation"), inner, ends, depth - 1);
                });
                ends
            }
            "displacements" | "coordinates" => {
                let shape = self.shape_at(field, item);
                [shape.and_then(|shape| shape.len().checked_sub(1)), to]
            }
            _ => ends,
        };
        let mut pairs = made.iter().zip(ends).filter_map(|(made, end)| made.zip(end));
        if pairs.all(|(made, end)| made == end) {
            return made[1].or(to);
        }
        // What follows from a part is told of it.
        if self.problems.len() == before {
            let say = |ends: [Axes; 2]| {
                ends.map(|axes| axes.map_or_else(|| "any".into(), grouped)).join(" to ")
            };
            let expected = format!("one from {} axes, as its coordinate systems have", say(ends));
            self.fault((field, item), format!("{kind} from {} axes", say(made)), expected);
        }
        to
    }

    /// The shape of the array at the path of a transformation, or of the first level of the image there: below
    /// this group, or the root.
    fn shape_at(&mut self, field: &str, item: &Json) -> Option<Vec<usize>> {
        let path = item.get("path")?;
        // Fields may be in another store.
        let text = path.as_str().filter(|text| !text.contains("://"))?;
        let bases = [self.group.path.clone(), NodePath(String::new())];
        let found = bases.iter().find_map(|path| {
            let base = OmeGroup { path, ..self.group.clone() };
            let array = base.array(text);
            array.or_else(|| base.group(text, |image| Some(label::first_level(image)?.1))?)
        });
        if found.is_none() {
            let found = format!("{}, where there is no array", quoted(text));
            let place = (&*format!("{field}.path"), path);
            let expected = "the path of an array or of an image, relative to this group";
            self.problems.push(self.group.ome.warning(Code::OmePath, place, found, expected));
        }
        found?.known_shape()?.iter().map(|length| usize::try_from(*length).ok()).collect()
    }
}
