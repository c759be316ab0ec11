//! OME-Zarr 0.4 (Zarr V2, members among the attributes), 0.5 and 0.6 (Zarr V3, members under `ome`): images of several
//! resolutions, labels, plates, wells and scenes.
//!
//! The rules are those that <https://ngff.openmicroscopy.org> has in capitals, MUST; of what it recommends little is
//! told, because healthy stores leave it out. Of 0.6, they are those of the release candidate that ome-zarr-models 1.8.1 or
//! ngff-zarr 0.50.0 have too.

use super::prelude::*;
use super::rules::{
    self, FILLED, LIST,
    MemberForm::{
        Alphanumeric, Bool, Color, Distinct, Exactly, Integer, List, NodeName, NoneTwice, Number,
        Object, Rgba, Spelled, Text, TextOrNull, WellPath,
    },
    Rule, may, must,
};
use std::sync::Arc;

pub(super) mod blocks;
mod coordinates;
mod image;
mod label;
pub(super) mod levels;
mod misplaced;
mod plate;

pub(super) use misplaced::misplaced;

/// The rules about single members of every version, by the member of the metadata that they are in.
const RULES: &[Rule] = &[
    must("multiscales/[]", Object),
    may("image-label", Spelled(&["colors", "properties", "source", "version"])),
    must("multiscales/[]/datasets", FILLED),
    may("multiscales/[]/datasets", Distinct("path")),
    must("multiscales/[]/datasets/[]", Object),
    must("multiscales/[]/datasets/[]/path", Text),
    may("multiscales/[]/coordinateTransformations/[]", Object),
    may("multiscales/[]/name", TextOrNull),
    may("multiscales/[]/type", TextOrNull),
    may("multiscales", FILLED),
    may("multiscales", NoneTwice),
    may("omero", Object),
    may("labels", LIST),
    may("labels/[]", Text),
    may("image-label", Object),
    may("image-label/version", Text),
    may("image-label/colors", FILLED),
    may("image-label/colors/[]", Object),
    must("image-label/colors/[]/label-value", Integer(i64::MIN)),
    may("image-label/colors/[]/rgba", Rgba),
    may("image-label/colors", Distinct("label-value")),
    may("image-label/properties", FILLED),
    may("image-label/properties/[]", Object),
    may("image-label/properties", Distinct("label-value")),
    must("image-label/properties/[]/label-value", Integer(i64::MIN)),
    may("image-label/source", Object),
    may("image-label/source/image", Text),
    may("plate", Object),
    may("plate/columns/[]", Object),
    may("plate/rows/[]", Object),
    may("plate/wells/[]", Object),
    may("plate/acquisitions/[]", Object),
    must("plate/columns", FILLED),
    must("plate/columns/[]/name", Alphanumeric),
    may("plate/columns", Distinct("name")),
    must("plate/rows", FILLED),
    must("plate/rows/[]/name", Alphanumeric),
    may("plate/rows", Distinct("name")),
    must("plate/wells", FILLED),
    must("plate/wells/[]/path", WellPath),
    may("plate/wells", Distinct("path")),
    must("plate/wells/[]/rowIndex", Integer(0)),
    must("plate/wells/[]/columnIndex", Integer(0)),
    may("plate/acquisitions", LIST),
    must("plate/acquisitions/[]/id", Integer(0)),
    may("plate/acquisitions", Distinct("id")),
    may("plate/acquisitions/[]/name", Text),
    may("plate/acquisitions/[]/maximumfieldcount", Integer(1)),
    may("plate/acquisitions/[]/description", Text),
    may("plate/acquisitions/[]/starttime", Integer(0)),
    may("plate/acquisitions/[]/endtime", Integer(0)),
    may("plate/field_count", Integer(1)),
    may("plate/name", Text),
    may("well", Object),
    may("well/images/[]", Object),
    must("well/images", FILLED),
    may("well/images", Distinct("path")),
    may("well/images/[]/acquisition", Integer(i64::MIN)),
    may("bioformats2raw.layout", Exactly("3")),
    may("series", LIST),
    may("series/[]", Text),
];

/// Those of the channels of an image, for programs that draw it.
const RULES_OF_CHANNELS: &[Rule] = &[
    may("omero/channels/[]", Spelled(&["label", "active", "color", "window"])),
    may("omero/rdefs", Object),
    may("omero/rdefs/model", Text),
    must("omero/channels", LIST),
    may("omero/channels/[]", Object),
    may("omero/channels/[]/label", Text),
    may("omero/channels/[]/active", Bool),
    must("omero/channels/[]/color", Color),
    must("omero/channels/[]/window", Object),
    must("omero/channels/[]/window/min", Number),
    must("omero/channels/[]/window/max", Number),
    must("omero/channels/[]/window/start", Number),
    must("omero/channels/[]/window/end", Number),
];

/// Those before 0.6.
const RULES_OF_AXES: &[Rule] = &[
    must("multiscales/[]/axes", List(2, 5)),
    must("multiscales/[]/axes/[]", Object),
    must("multiscales/[]/axes/[]/name", Text),
    may("multiscales/[]/axes/[]/type", TextOrNull),
    may("multiscales/[]/axes/[]/unit", TextOrNull),
    may("multiscales/[]/axes", Distinct("name")),
    may("multiscales/[]/axes/[]", Spelled(&["name", "type", "unit"])),
    may(
        "multiscales/[]",
        Spelled(&["axes", "datasets", "name", "type", "coordinateTransformations"]),
    ),
    must("multiscales/[]/datasets/[]/coordinateTransformations", FILLED),
    may("multiscales/[]/coordinateTransformations", FILLED),
    must("well/images/[]/path", Alphanumeric),
];

/// Those of 0.6.
const RULES_OF_SYSTEMS: &[Rule] = &[
    must("multiscales/[]/coordinateSystems", FILLED),
    must("multiscales/[]/coordinateSystems/[]/axes", List(2, 5)),
    may(
        "multiscales/[]",
        Spelled(&["coordinateSystems", "datasets", "name", "type", "coordinateTransformations"]),
    ),
    must("multiscales/[]/datasets/[]/coordinateTransformations", List(1, 1)),
    may("scene", Object),
    must("scene/coordinateTransformations", LIST),
    must("well/images/[]/path", NodeName),
];

/// The members by which an object under `ome` is what this is about.
const MEMBERS: &[&str] = &[
    "version",
    "multiscales",
    "plate",
    "well",
    "labels",
    "image-label",
    "series",
    "bioformats2raw.layout",
    "scene",
];

/// The version that spatialdata 0.8 writes.
const SPATIALDATA: &str = "0.5-dev-spatialdata";

/// A version of the specification.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Version {
    /// 0.4
    V4,
    /// 0.5
    V5,
    /// 0.6, or its release candidate
    V6,
    /// Another one, as a version is written.
    Other(String),
    /// None, where one is expected.
    Missing,
}

impl Version {
    fn of(json: &Json) -> Self {
        match json.as_str() {
            Some("0.4") => Self::V4,
            Some("0.5" | SPATIALDATA) => Self::V5,
            Some("0.6" | "0.6rc0") => Self::V6,
            Some(other) => Self::Other(quoted(other)),
            None => Self::Other(json.describe()),
        }
    }

    fn name(&self) -> &str {
        match self {
            Self::V4 => "0.4",
            Self::V5 => "0.5",
            Self::V6 => "0.6",
            Self::Other(text) => text,
            Self::Missing => "none",
        }
    }

    /// True if it is one that is written like those there are.
    fn is_plausible(&self) -> bool {
        matches!(self, Self::Other(text) if text.starts_with("\"0.") || text.starts_with("\"1."))
    }
}

/// True if the arrays of a group with these attributes are the levels of an image.
pub(super) fn is_image(attributes: &Attributes<'_>) -> bool {
    let has = |json: &Json| json.get_array("multiscales").is_some();
    has(attributes.json) || attributes.get("ome").is_some_and(has)
}

/// A group with metadata of OME-Zarr.
#[derive(Debug, Clone)]
pub(super) struct OmeGroup<'a> {
    hierarchy: &'a Hierarchy,
    path: &'a NodePath,
    /// The object that has the members.
    pub(super) ome: Attributes<'a>,
    version: Version,
    /// True if the members are under `ome`.
    is_namespaced: bool,
}

impl<'a> OmeGroup<'a> {
    /// The metadata of the group at `path`, where it has attributes.
    pub(super) fn of(
        hierarchy: &'a Hierarchy,
        path: &'a NodePath,
        kind: &'a NodeKind,
    ) -> Option<Self> {
        let attributes = Attributes::of(kind)?;
        let namespaced = attributes.under("ome");
        let is_namespaced = namespaced.is_some();
        let ome = namespaced.unwrap_or(attributes);
        let version = if is_namespaced {
            ome.get("version").map_or(Version::Missing, Version::of)
        } else {
            bare_version(&ome)
        };
        Some(Self { hierarchy, path, ome, version, is_namespaced })
    }

    /// True if its attributes are those of OME-Zarr, and not of something that is called alike.
    pub(super) fn is_claimed(&self) -> bool {
        let ome = &self.ome;
        if self.is_namespaced {
            return MEMBERS.iter().any(|member| ome.has(member));
        }
        let is_image = self.items("multiscales").iter().any(|image| {
            let levels = image.get_array("datasets").unwrap_or_default();
            let has = |json: &Json, member: &str| json.get(member).is_some();
            // Others have lists of this name with paths alone.
            has(image, "axes") && (has(image, "datasets") || has(image, "version"))
                || levels.iter().any(|level| has(level, "coordinateTransformations"))
                || image.get_str("version").is_some()
        });
        let has_in = |object: &str, member: &str| {
            ome.get(object).is_some_and(|object| object.get(member).is_some())
        };
        is_image
            || has_in("plate", "wells")
            || has_in("plate", "rows")
            || has_in("well", "images")
            || ome.get("image-label").is_some_and(|label| label.as_object().is_some())
            || ome.has("bioformats2raw.layout")
            || self.path.name() == "labels" && ome.json.get_array("labels").is_some()
    }

    /// True if it is one of `SpatialData`, which names channels without their colours, and transforms images in any way.
    fn is_of_spatialdata(&self) -> bool {
        self.ome.get_str("version") == Some(SPATIALDATA)
    }

    /// Everything that is wrong with it.
    pub(super) fn check(&self) -> Vec<Problem> {
        let mut problems: Vec<Problem> = self.of_version().into_iter().collect();
        if matches!(self.version, Version::Other(_)) {
            return problems;
        }
        let rules = if self.version == Version::V6 { RULES_OF_SYSTEMS } else { RULES_OF_AXES };
        let channels = if self.is_of_spatialdata() { &[] } else { RULES_OF_CHANNELS };
        for rules in [rules, RULES, channels] {
            problems.extend(rules::check(&self.ome, rules, Code::OmeMember));
        }
        problems.extend(coordinates::check(self));
        problems.extend(image::check(self));
        problems.extend(label::check(self));
        problems.extend(plate::check(self));
        problems
    }

    /// The problem of the version, or of the format of the documents for it.
    fn of_version(&self) -> Option<Problem> {
        let format = self.ome.format;
        let has = |member: &str| self.ome.has(member);
        let has_any = MEMBERS.iter().skip(1).any(|member| has(member));
        let place = ("version", self.ome.get("version").unwrap_or(self.ome.json));
        match (&self.version, format) {
            (_, Format::V3) if !self.is_namespaced && !has_any => None,
            (Version::Missing, _) if has_any => {
                let expected = "the version, \"0.5\"";
                let warning = self.ome.warning(Code::OmeVersion, place, "nothing", expected);
                // Lists of labels are written without it, and read.
                let is_needed = ["multiscales", "plate", "well", "scene"].into_iter().any(has);
                let text = "no version is declared; OME-Zarr 0.5 requires \"version\": \"0.5\"";
                Some(if is_needed { warning } else { noted(warning, text) })
            }
            (version @ Version::Other(_), _) if version.is_plausible() => {
                let found =
                    format!("OME-Zarr {}: zarrscope checks 0.4, 0.5 and 0.6", version.name());
                let error =
                    Error::new(Code::OmeVersionNotChecked, found, "").in_file(self.ome.file);
                Some(Problem::new(error))
            }
            (Version::Other(found), _) => {
                let expected = "a version such as \"0.5\"";
                Some(self.ome.warning(Code::OmeVersion, place, found.clone(), expected))
            }
            (Version::V4, Format::V3) => {
                let is_bare = self.ome.get_str("version") == Some("0.5");
                let (found, expected) = if is_bare {
                    ("OME-Zarr 0.5 directly among the attributes", "it under the attribute \"ome\"")
                } else {
                    let expected =
                        "Zarr V2 for 0.4; in Zarr V3, OME-Zarr 0.5 under the attribute \"ome\"";
                    ("OME-Zarr 0.4 in a Zarr V3 group", expected)
                };
                let problem = self.ome.warning(Code::OmeFormat, place, found, expected);
                let all = ["multiscales", "omero", "plate", "well", "image-label", "labels"];
                let own: Vec<&str> = all.into_iter().filter(|member| has(member)).collect();
                let fix = format!(
                    "Readers of 0.5 find no image. Move {} under \"ome\", with \"version\": \"0.5\" beside {}.",
                    own.join(" and "),
                    if own.len() == 1 { "it" } else { "them" }
                );
                Some(if own.is_empty() || self.is_namespaced {
                    problem
                } else {
                    with_fix(problem, fix)
                })
            }
            (Version::V5 | Version::V6, Format::V2) => {
                let version = self.version.name();
                let found = format!("OME-Zarr {version} in a Zarr V2 group");
                let expected =
                    format!("Zarr V3 for {version}, or OME-Zarr 0.4 among the attributes");
                Some(self.ome.warning(Code::OmeFormat, place, found, expected))
            }
            (Version::V4, Format::V2) if !self.is_namespaced => self.bare(),
            (Version::V4 | Version::V5 | Version::V6 | Version::Missing, _) => None,
        }
    }

    /// The problem of the versions that the members of 0.4 have: another one in one of them, or the note on none.
    fn bare(&self) -> Option<Problem> {
        let versions = versions(&self.ome);
        if let Some((field, json)) =
            versions.iter().find(|(_, json)| Version::of(json) != Version::V4)
        {
            let found = json.describe();
            return Some(self.ome.warning(Code::OmeVersion, (field, json), found, "\"0.4\""));
        }
        let json = ["multiscales", "plate"].iter().find_map(|member| self.ome.get(member));
        let json = json.filter(|_| versions.is_empty())?;
        let place = ("version", json);
        let problem = self.ome.warning(Code::OmeVersion, place, "nothing", "\"0.4\"");
        let text = "no version is declared; OME-Zarr 0.4 recommends \"version\": \"0.4\"";
        let fix = "yaozarrs 0.3.4 does not open it.";
        Some(noted(with_fix(problem, fix), text))
    }

    /// The node at a path relative to this group.
    fn target(&self, relative: &str) -> Option<NodePath> {
        let mut parts: Vec<&str> = self.path.0.split('/').filter(|part| !part.is_empty()).collect();
        for part in relative.split('/') {
            match part {
                "" | "." => {}
                ".." => drop(parts.pop()?),
                name => parts.push(name),
            }
        }
        Some(NodePath(parts.join("/")))
    }

    /// The array at a path relative to this group, in the format of the group's documents where it has both.
    fn array(&self, relative: &str) -> Option<Arc<ArrayMetadata>> {
        let node = self.hierarchy.node(&self.target(relative)?);
        let mut arrays = node.kinds().filter_map(|kind| match kind {
            NodeKind::Array(array) => Some(array),
            _ => None,
        });
        let own = arrays.clone().find(|array| array.format == self.ome.format);
        own.or_else(|| arrays.next()).cloned()
    }

    /// Asks `look` of the metadata of the group at a path relative to this one, in the same format.
    fn group<T>(&self, relative: &str, look: impl FnOnce(&OmeGroup<'_>) -> T) -> Option<T> {
        let path = self.target(relative)?;
        let node = self.hierarchy.node(&path);
        let groups = node.kinds().filter(|kind| matches!(kind, NodeKind::Group(_)));
        let groups: Vec<_> =
            groups.filter_map(|kind| OmeGroup::of(self.hierarchy, &path, kind)).collect();
        let own = groups.iter().find(|group| group.ome.format == self.ome.format);
        own.or_else(|| groups.first()).map(look)
    }

    /// The items of a list, empty where it is none.
    pub(super) fn items(&self, list: &str) -> &'a [Json] {
        self.ome.json.get_array(list).unwrap_or_default()
    }

    /// The axes of the arrays of an image, and the members that lead to them: since 0.6, those of the coordinate system into
    /// which its levels are placed.
    pub(super) fn axes(&self, image: &'a Json) -> Option<(String, &'a Json)> {
        if self.version != Version::V6 {
            return Some(("axes".to_owned(), image.get("axes")?));
        }
        let systems = image.get_array("coordinateSystems")?;
        let level = image.get_array("datasets")?.first()?;
        let output = level.get_array("coordinateTransformations")?.first()?.get("output");
        let name = output.and_then(|output| output.get_str("name"));
        let at = systems.iter().position(|system| system.get_str("name") == name);
        let at = at.or_else(|| (systems.len() == 1).then_some(0))?;
        Some((format!("coordinateSystems[{at}].axes"), systems.get(at)?.get("axes")?))
    }

    /// The levels of the first image.
    pub(super) fn first_levels(&self) -> Option<&'a [Json]> {
        self.items("multiscales").first()?.get_array("datasets")
    }

    /// The path of the first of them.
    pub(super) fn first_path(&self) -> Option<&'a str> {
        self.first_levels()?.first()?.get_str("path")
    }

    /// True if it has the metadata of an image.
    fn is_image(&self) -> bool {
        !self.items("multiscales").is_empty()
    }

    /// True if an image is at a path relative to this group.
    fn leads_to_image(&self, relative: &str) -> bool {
        self.group(relative, |image| !image.items("multiscales").is_empty()) == Some(true)
    }

    /// The note on the images in this group that are not in its list at `field`.
    fn not_in_list(&self, field: &str, list: &Json, names: &[&str], code: Code) -> Option<Problem> {
        /// The number of children that are looked at.
        const MOST: usize = 1000;
        let mut found = Vec::new();
        self.hierarchy.visit_first(self.path, MOST, |child| {
            let name = child.path.name();
            let is_listed = names.iter().any(|path| path.trim_matches(['.', '/']) == name);
            found.extend((!is_listed && self.leads_to_image(name)).then(|| quoted(name)));
        });
        let (is, images) =
            if found.len() == 1 { ("is", "the image") } else { ("are", "the images") };
        let text = format!("{images} {} {is} not in the list", found.join(", "));
        let note = self.ome.noted(code, (field, list), text, "all images of the group");
        (!found.is_empty()).then(|| with_fix(note, "Readers open only those in the list."))
    }

    /// The warning that a path leads to no image, or to one of another version.
    fn not_an_image(&self, field: &str, path: &Json) -> Option<Problem> {
        let text = path.as_str()?;
        let version = self.group(text, |image| image.is_image().then(|| image.version.clone()));
        let found = match version {
            Some(Some(version)) => {
                let is_known = self.version != Version::Missing && version != Version::Missing;
                if !self.is_namespaced || version == self.version || !is_known {
                    return None;
                }
                let found = format!("OME-Zarr {} below {}", version.name(), self.version.name());
                let expected = "one version in the whole hierarchy";
                return Some(self.ome.warning(Code::OmeVersion, (field, path), found, expected));
            }
            Some(None) => format!("{}, a group without an image", quoted(text)),
            None => format!("{}, where there is no group", quoted(text)),
        };
        Some(self.ome.warning(
            Code::OmePath,
            (field, path),
            found,
            "the path of an image: a group with multiscales",
        ))
    }
}

/// The scale and the translation of a level, and the members that lead to them.
fn steps(level: &Json) -> Option<(&'static str, &[Json])> {
    let all = level.get_array("coordinateTransformations")?;
    Some(match all {
        [one] if one.get_str("type") == Some("sequence") => {
            ("coordinateTransformations[0].transformations", one.get_array("transformations")?)
        }
        _ => ("coordinateTransformations", all),
    })
}

/// The versions that members among the attributes have.
fn versions<'a>(attributes: &Attributes<'a>) -> Vec<(String, &'a Json)> {
    let images = attributes.json.get_array("multiscales").unwrap_or_default();
    let images = images.iter().enumerate().map(|(at, image)| (format!("multiscales[{at}]"), image));
    let others = ["plate", "well", "image-label"];
    let others = others.iter().filter_map(|name| Some(((*name).to_owned(), attributes.get(name)?)));
    images
        .chain(others)
        .filter_map(|(field, object)| Some((format!("{field}.version"), object.get("version")?)))
        .collect()
}

/// The version of metadata among the attributes: where nothing tells, the one whose members they have.
fn bare_version(attributes: &Attributes<'_>) -> Version {
    let images = attributes.json.get_array("multiscales").unwrap_or_default();
    let told = versions(attributes).first().map(|(_, json)| Version::of(json));
    let is_old = images.iter().any(|image| {
        let axes = image.get_array("axes").unwrap_or_default();
        axes.is_empty() || axes.iter().any(|axis| axis.as_str().is_some())
    });
    let is_older = || Version::Other("\"0.3 or older\"".into());
    told.unwrap_or_else(|| if is_old { is_older() } else { Version::V4 })
}
