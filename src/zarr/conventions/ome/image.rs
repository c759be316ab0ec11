//! Images: axes, and the arrays of each resolution.

use super::{Arc, Version, steps};
use crate::zarr::{conventions::prelude::*, store::DOCUMENT_LIMIT};

mod scales;
mod transformations;

/// The signs of a unit, and its name.
type SignedUnit = (&'static [&'static str], &'static str);

const LENGTHS: [SignedUnit; 7] = [
    (&["\u{b5}m", "\u{3bc}m", "um", "micron", "microns"], "micrometer"),
    (&["nm"], "nanometer"),
    (&["mm"], "millimeter"),
    (&["cm"], "centimeter"),
    (&["dm"], "decimeter"),
    (&["m"], "meter"),
    (&["\u{c5}", "A", "Angstrom"], "angstrom"),
];

/// The number of levels of an image that are looked at.
const LEVELS: usize = 1000;

/// The problems of the images of a group.
pub(super) fn check(group: &OmeGroup) -> Vec<Problem> {
    let images = group.items("multiscales").iter().enumerate();
    let images = images.filter_map(|(at, json)| {
        let (axes_field, axes) = group.axes(json)?;
        let field = format!("multiscales[{at}]");
        let axes_field = format!("{field}.{axes_field}");
        Some(Image { group, field, axes_field, json, axes, names: axes.as_array()? })
    });
    let mut problems: Vec<Problem> = images.flat_map(|image| image.check()).collect();
    problems.extend(unlisted(group));
    problems.extend(pixel_size(group));
    problems
}

/// The warning on a scale of 1 along axes of space for which OME-XML beside the images has another size of a pixel, and on one
/// that has its number, in another unit.
fn pixel_size(group: &OmeGroup) -> Option<Problem> {
    let image = group.items("multiscales").first()?;
    let level = group.first_levels()?.first()?;
    let (member, transformations) = steps(level)?;
    let vector = transformations.first()?.get("scale")?;
    let axes = group.axes(image)?.1.as_array()?.iter().zip(vector.as_array()?);
    let axes = axes.filter(|(axis, _)| rank(axis) == SPACE).filter_map(|(axis, scale)| {
        let scale = number(scale)?;
        Some((axis.get_str("name")?, scale, axis.get_str("unit")))
    });
    let axes: Vec<(&str, f64, Option<&str>)> = axes.collect();
    let number: usize = group.path.name().parse().ok().filter(|_| axes.len() > 1)?;
    let key = group.path.parent()?.child("OME").child("METADATA.ome.xml").0;
    let bytes = group.hierarchy.store.read(&key, DOCUMENT_LIMIT).ok()??;
    let text = String::from_utf8_lossy(&bytes);
    let pixels = text.split("Pixels ").filter(|it| it.contains("SizeX=")).nth(number)?;
    let head = pixels.split('>').next()?;
    let attribute = |name: &str| {
        let (_, rest) = head.split_once(&format!(" {name}=\""))?;
        rest.split('"').next()
    };
    let field = format!("multiscales[0].datasets[0].{member}[0].scale");
    let (mut lost, mut unlike) = (Vec::new(), None);
    for (axis, scale, unit) in axes {
        let name = format!("PhysicalSize{}", axis.to_uppercase());
        let Some(size) = attribute(&name).and_then(|it| it.parse::<f64>().ok()) else { continue };
        if (scale - 1.0).abs() < 1e-9 && (size - 1.0).abs() > 0.01 {
            lost.push(format!("{name} is {size}"));
        }
        let sign = attribute(&format!("{name}Unit")).unwrap_or("\u{b5}m");
        let of_sign = LENGTHS.iter().find(|(signs, _)| signs.contains(&sign));
        let is_other = of_sign.zip(unit).is_some_and(|((_, name), unit)| *name != unit);
        if is_other && (scale - size).abs() <= 1e-9 * size && unlike.is_none() {
            unlike = Some(format!(
                "the scale along {} is {} {}, where {name} is as many {sign} in {key}",
                quoted(axis),
                short(scale),
                unit.unwrap_or_default()
            ));
        }
    }
    let told = |sentence, fix: &str| {
        with_fix(group.ome.told(Code::OmeTransformations, (&field, vector), sentence), fix)
    };
    if let Some(sentence) = unlike {
        return Some(told(sentence, "Likely cause: the number was taken without its unit."));
    }
    let sentence = format!("the scale of the first level is 1 where {} in {key}", lost.join(", "));
    let fix = "The size of a pixel was lost: what is measured in the image is measured in pixels.";
    (lost.len() > 1).then(|| told(sentence, fix))
}

/// The arrays in the group of one image that could be levels of it, and are none. OME-Zarr allows them.
fn unlisted(group: &OmeGroup) -> Option<Problem> {
    let [image] = group.items("multiscales") else { return None };
    // Of labels, the number of levels is compared with those of their image.
    if group.path.parent().is_some_and(|parent| parent.name() == "labels") {
        return None;
    }
    let levels = image.get_array("datasets")?;
    let names: Vec<&str> = levels.iter().filter_map(|level| level.get_str("path")).collect();
    let first = group.array(names.first()?)?;
    let (rank, data_type) = (first.known_shape()?.len(), first.data_type()?.name());
    let is_alike = |array: &ArrayMetadata| {
        let is_of_type = array.data_type().is_some_and(|other| other.name() == data_type);
        is_of_type && array.shape.as_ref().is_ok_and(|shape| shape.len() == rank)
    };
    let mut found = Vec::new();
    // What cannot be listed is told where it is listed.
    let _ = group.hierarchy.visit_children(group.path, &mut |child| {
        let name = child.path.name();
        let is_listed = names.iter().any(|path| path.trim_matches(['.', '/']) == name);
        if !is_listed && group.array(name).is_some_and(|array| is_alike(&array)) {
            found.push(quoted(name));
        }
        found.len() < LEVELS
    });
    let json = image.get("datasets")?;
    let expected =
        "all levels of the image, if these are some; readers only open the arrays in the list";
    let (is, arrays) = if found.len() == 1 { ("is", "array") } else { ("are", "arrays") };
    let text =
        format!("{arrays} {} of the same data type, which {is} not in the list", found.join(", "));
    let field = ("multiscales[0].datasets", json);
    let problem = group.ome.warning(Code::OmeResolutions, field, text, expected);
    (!found.is_empty()).then(|| note(problem))
}

/// An image with axes.
#[derive(Clone)]
pub(super) struct Image<'a> {
    pub(super) group: &'a OmeGroup<'a>,
    /// The path of the member in the document.
    field: String,
    /// The path of its axes.
    axes_field: String,
    json: &'a Json,
    axes: &'a Json,
    /// The axes, one by one.
    pub(super) names: &'a [Json],
}

/// True if a unit of length or time is one that OME-Zarr lists: by UDUNITS-2, without its signs.
fn is_unit(unit: &str) -> bool {
    const PREFIXES: [&str; 21] = [
        "", "yotta", "zetta", "exa", "peta", "tera", "giga", "mega", "kilo", "hecto", "deca",
        "deci", "centi", "milli", "micro", "nano", "pico", "femto", "atto", "zepto", "yocto",
    ];
    const OTHERS: [&str; 9] =
        ["angstrom", "foot", "inch", "mile", "parsec", "yard", "minute", "hour", "day"];
    let of = |base: &str| unit.strip_suffix(base).is_some_and(|it| PREFIXES.contains(&it));
    OTHERS.contains(&unit) || of("meter") || of("second")
}

/// The rank of an axis of space.
const SPACE: usize = 2;

/// The order of axes by their type: time, then channels and others, then space.
fn rank(axis: &Json) -> usize {
    match axis.get_str("type") {
        Some("time") => 0,
        Some("space") => SPACE,
        _ => 1,
    }
}

impl Image<'_> {
    /// The path of its first level.
    fn first_path(&self) -> Option<&str> {
        self.json.get_array("datasets")?.first()?.get_str("path")
    }

    fn check(&self) -> Vec<Problem> {
        let mut problems: Vec<Problem> = self.axes().into_iter().chain(self.unit()).collect();
        problems.extend(self.other_systems());
        let field = format!("{}.coordinateTransformations", self.field);
        let all = self.json.get("coordinateTransformations");
        if let Some(all) = all.filter(|_| !self.group.is_of_spatialdata()) {
            problems.extend(transformations::check(self, &field, all, false));
        }
        problems.extend(self.levels());
        problems.extend(self.types());
        if self.field == "multiscales[0]" {
            problems.extend(self.channels());
            problems.extend(self.windows());
        }
        problems.extend(scales::check(self));
        problems.extend(scales::in_pixels(self));
        problems
    }

    /// The problems of the axes of other coordinate systems than that of the levels, which come with 0.6.
    fn other_systems(&self) -> Vec<Problem> {
        let is_v6 = self.group.version == Version::V6;
        let systems = self.json.get_array("coordinateSystems").filter(|_| is_v6);
        let each = systems.unwrap_or_default().iter().enumerate().filter_map(|(at, system)| {
            let axes = system.get("axes")?;
            let axes_field = format!("{}.coordinateSystems[{at}].axes", self.field);
            let is_other = axes_field != self.axes_field;
            let image = Image { axes_field, axes, names: axes.as_array()?, ..self.clone() };
            is_other.then(|| image.axes()).flatten()
        });
        each.collect()
    }

    /// The note on a unit that is not written by its name, or is none.
    fn unit(&self) -> Option<Problem> {
        const TIMES: [SignedUnit; 5] = [
            (&["s", "sec", "seconds"], "second"),
            (&["ms"], "millisecond"),
            (&["\u{b5}s", "us"], "microsecond"),
            (&["min", "minutes"], "minute"),
            (&["h", "hours"], "hour"),
        ];
        let axes = || self.names.iter().enumerate();
        let units = || axes().filter_map(|(at, axis)| Some((at, axis, axis.get("unit")?)));
        let name = |unit: &Json| {
            let unit = unit.as_str()?;
            let mut all = LENGTHS.iter().chain(&TIMES);
            all.find(|(signs, _)| signs.contains(&unit)).map(|(_, name)| *name)
        };
        let told = |at: usize, unit: &Json, sentence: String, fix: &str| {
            let field = format!("{}[{at}].unit", self.axes_field);
            let problem = self.group.ome.told(Code::OmeAxes, (&field, unit), sentence);
            Some(note(with_fix(problem, fix)))
        };
        if let Some((at, _, first)) = units().find(|(_, _, unit)| name(unit).is_some()) {
            let named = units().filter_map(|(_, _, unit)| Some((unit.to_line(), name(unit)?)));
            let mut pairs: Vec<String> =
                named.map(|(unit, name)| format!("{unit} is {}", quoted(name))).collect();
            pairs.dedup();
            let sentence = format!("OME-Zarr names units in full: {}", pairs.join(", "));
            let fix = "By another spelling, programs may show none, or pixels.";
            return told(at, first, sentence, fix);
        }
        let is_other = |axis: &Json, unit: &Json| {
            unit.is_null() || rank(axis) != 1 && unit.as_str().is_some_and(|unit| !is_unit(unit))
        };
        let (at, _, unit) = units().find(|(_, axis, unit)| is_other(axis, unit))?;
        let sentence = format!("the unit {} is none of those of OME-Zarr", unit.to_line());
        told(at, unit, sentence, "Where the size is not known, leave the member out.")
    }

    /// The problem of the types of the axes and their order.
    fn axes(&self) -> Option<Problem> {
        let ranks: Vec<usize> = self.names.iter().map(rank).collect();
        let count = |wanted| ranks.iter().filter(|rank| **rank == wanted).count();
        let of_type =
            |name| self.names.iter().filter(|it| it.get_str("type") == Some(name)).count();
        let is_v6 = self.group.version == Version::V6;
        // Of a system of array indices, the specification and its readers say different things.
        if is_v6 && of_type("array") > 0 {
            return None;
        }
        let most = if is_v6 && of_type("channel") == 1 { 2 } else { 1 };
        let place = (&*self.axes_field, self.axes);
        let warn = |found: String, expected: &str| {
            Some(self.group.ome.warning(Code::OmeAxes, place, found, expected))
        };
        let some = |count: usize| format!("{count} {}", if count == 1 { "axis" } else { "axes" });
        match (count(0), count(1), count(2)) {
            (_, _, space) if !(2..=3).contains(&space) => {
                warn(format!("{} of type \"space\"", some(space)), "2 or 3 axes of type \"space\"")
            }
            (time, ..) if time > 1 => {
                warn(format!("{} of type \"time\"", some(time)), "at most 1 axis of type \"time\"")
            }
            (_, other, _) if other > most => warn(
                format!("{} of type \"channel\", another type or no type", some(other)),
                "at most 1 such axis",
            ),
            _ if !ranks.is_sorted() => {
                let order = self.names.iter().filter_map(|axis| axis.get_str("name").map(quoted));
                warn(
                    format!("the axes in the order {}", order.joined(", ")),
                    "first time, then the channel or another axis, then the axes of type \"space\"",
                )
            }
            _ => None,
        }
    }

    /// The problems of the levels, and of the arrays that they name.
    fn levels(&self) -> Vec<Problem> {
        let levels = self.json.get_array("datasets").unwrap_or_default();
        let mut problems = Vec::new();
        let mut before: Option<(Arc<ArrayMetadata>, &str)> = None;
        for (at, level) in levels.iter().enumerate().take(LEVELS) {
            let field = format!("{}.datasets[{at}]", self.field);
            if let Some(json) = level.get("coordinateTransformations") {
                let field = format!("{field}.coordinateTransformations");
                problems.extend(transformations::check(self, &field, json, true));
            }
            if let Some(path) = level.get("path").filter(|path| path.as_str().is_some()) {
                problems.extend(self.level(&format!("{field}.path"), path, &mut before));
            }
        }
        problems
    }

    /// The problems of the array of a level; `before` are the array and the path of the level before.
    fn level<'j>(
        &self,
        field: &str,
        path: &'j Json,
        before: &mut Option<(Arc<ArrayMetadata>, &'j str)>,
    ) -> Vec<Problem> {
        let text = path.as_str().unwrap_or_default();
        let warn = |code, found: String, expected: &str| {
            self.group.ome.warning(code, (field, path), found, expected)
        };
        let Some(array) = self.group.array(text) else {
            let found = format!("{}, where there is no array", quoted(text));
            return vec![warn(
                Code::OmePath,
                found,
                "the path of an array, relative to this group",
            )];
        };
        let mut problems = self.array(field, path, &array);
        if let Some((above, name)) = before.as_ref() {
            let unlike = self.unlike(&array, above);
            problems.extend(unlike.map(|(found, is_larger)| {
                let found = format!("{} {found} {}", quoted(text), quoted(name));
                let expected = "levels from the largest to the smallest";
                let code = Code::OmeResolutions;
                if is_larger {
                    warn(code, found, expected)
                } else {
                    self.group.ome.noted(code, (field, path), found, expected)
                }
            }));
        }
        if array.shape.is_ok() {
            *before = Some((array, text));
        }
        problems
    }

    /// The way in which a level does not follow the one above it, and whether it is larger.
    fn unlike(&self, array: &ArrayMetadata, above: &ArrayMetadata) -> Option<(String, bool)> {
        let (shape, larger) = (array.known_shape()?, above.shape.as_ref().ok()?);
        if shape.len() != larger.len() {
            return None;
        }
        let lengths =
            |shape: &[u64]| shape.iter().fold(1_u128, |all, &n| all.saturating_mul(n.into()));
        if lengths(shape) > lengths(larger) {
            return Some((format!("of shape {}, larger than", list(shape)), true));
        }
        // Axes of wrong types are told of themselves.
        let is_ordered = self.axes().is_none() && shape.len() == self.names.len();
        let mut sides = self.names.iter().zip(shape.iter().zip(larger));
        let (axis, (have, had)) = sides.find(|(axis, (have, had))| {
            have > had || have != had && rank(axis) != SPACE && is_ordered
        })?;
        let name = axis.get_str("name").map(quoted)?;
        let found = format!("with {have} for the axis {name}, {had} in");
        Some((found, have > had))
    }

    /// The note on levels of several data types.
    fn types(&self) -> Option<Problem> {
        let json = self.json.get("datasets")?;
        let levels = json.as_array()?.iter().take(LEVELS);
        let levels: Vec<(&str, String)> = levels
            .filter_map(|level| {
                let path = level.get_str("path")?;
                Some((path, self.group.array(path)?.data_type()?.name()))
            })
            .collect();
        let (first, of) = levels.first()?;
        let (other, its) = levels.iter().find(|(_, its)| its != of)?;
        let found = format!("the level {} is of {its}, {} of {of}", quoted(other), quoted(first));
        let field = (&*format!("{}.datasets", self.field), json);
        let expected = "levels of one data type";
        Some(self.group.ome.noted(Code::OmeResolutions, field, found, expected))
    }

    /// The finding on a window of a channel that starts at its end or after, a warning, or goes beyond what elements can be, a note.
    fn windows(&self) -> Option<Problem> {
        let channels = self.group.ome.get("omero")?.get("channels")?;
        let path = self.first_path()?;
        let array = self.group.array(path);
        let name = array.as_ref().and_then(|it| Some(it.data_type()?.name()));
        let most = match name.as_deref() {
            Some("uint8") => 255.0,
            Some("uint16") => 65_535.0,
            _ => f64::INFINITY,
        };
        channels.as_array()?.iter().enumerate().find_map(|(at, channel)| {
            let window = channel.get("window")?;
            let number = |key: &str| number(window.get(key)?);
            let (start, end) = (number("start")?, number("end")?);
            let field = format!("omero.channels[{at}].window");
            let (from, to) = (short(start), short(end));
            let warn = |text| self.group.ome.told(Code::OmeMember, (&field, window), text);
            if start > end {
                return Some(warn(format!(
                    "the window of channel {at} starts at {from} and ends at {to}"
                )));
            }
            let text = format!(
                "the window of channel {at} ends at {to}, and no {} is above {most}",
                name.as_deref()?
            );
            (end > most).then(|| warn(text).with_severity(Severity::Note))
        })
    }

    /// The note on the channels that are described, where they are not those that there are.
    fn channels(&self) -> Option<Problem> {
        let described = self.group.ome.get("omero")?.get("channels")?;
        let path = self.first_path()?;
        let array = self.group.array(path)?;
        let axis = self.names.iter().position(|axis| axis.get_str("type") == Some("channel"));
        let shape = array.known_shape().filter(|shape| shape.len() == self.names.len())?;
        let count = axis.map_or(Some(1), |axis| shape.get(axis).copied())?;
        let items = described.as_array()?.len() as u64;
        let found = format!("omero describes {}", counted(items, "channel"));
        let expected = format!("{}, as the array {} has", grouped(count), quoted(path));
        let field = ("omero.channels", described);
        let sentence = format!("{found}; expected {expected}");
        let problem = self.group.ome.warning(Code::OmeAxes, field, found, expected);
        let problem = noted(problem, sentence);
        (items != count).then_some(problem)
    }

    /// The problems of the dimensions and the format of an array.
    fn array(&self, field: &str, path: &Json, array: &Arc<ArrayMetadata>) -> Vec<Problem> {
        let mut problems = Vec::new();
        let (group, axes) = (self.group, self.names.len());
        let text = path.as_str().unwrap_or_default();
        match array.shape.as_ref().map(Vec::len) {
            Ok(rank) if rank != axes => {
                let found =
                    format!("{}, an array of {}", quoted(text), counted(rank as u64, "dimension"));
                let expected = format!("{axes} dimensions, one for each axis");
                problems.push(group.ome.warning(Code::OmeAxes, (field, path), found, expected));
            }
            Ok(_) if group.version == Version::V5 && group.ome.format == Format::V3 => {
                problems.extend(self.dimension_names(field, path, array));
            }
            Ok(_) => problems.extend(self.other_order(field, path, array)),
            Err(_) => {}
        }
        if array.format != group.ome.format {
            let found = format!("{}, an array in Zarr {}", quoted(text), array.format.name());
            let expected = format!("Zarr {}, as the group", group.ome.format.name());
            problems.push(group.ome.warning(Code::OmeFormat, (field, path), found, expected));
        }
        problems.extend(self.separator(field, path, array));
        problems
    }

    /// The note on chunk keys with dots. Since version 0.2, coordinates have a slash between them.
    fn separator(&self, field: &str, path: &Json, array: &ArrayMetadata) -> Option<Problem> {
        let has_dots = array.key_encoding.as_ref().is_ok_and(|keys| keys.separator() == '.');
        let is_of_v2 = self.group.version == Version::V4 && array.format == Format::V2;
        let found =
            format!("{}, whose chunk keys have the separator \".\"", quoted(path.as_str()?));
        let text = format!("{found}; OME-Zarr 0.4 allows only \"/\"");
        let problem = self.group.ome.warning(Code::OmeFormat, (field, path), found, "\"/\"");
        let readers = "ome-zarr 0.21.0 reads it; what builds keys with \"/\" finds no chunk.";
        (has_dots && is_of_v2).then(|| noted(with_fix(problem, readers), text))
    }

    /// The warning on dimensions with the names of the axes, in another order. That of xarray is none of OME-Zarr: other names
    /// say nothing.
    fn other_order(&self, field: &str, path: &Json, array: &ArrayMetadata) -> Option<Problem> {
        let names: Vec<&str> = array
            .dimension_names
            .as_ref()?
            .iter()
            .map(|it| it.as_deref())
            .collect::<Option<_>>()?;
        let axes: Vec<&str> =
            self.names.iter().map(|axis| axis.get_str("name")).collect::<Option<_>>()?;
        let sorted = |names: &[&str]| {
            let mut names: Vec<String> = names.iter().map(|it| it.to_lowercase()).collect();
            names.sort_unstable();
            names
        };
        let is_other = sorted(&names) == sorted(&axes)
            && names.iter().zip(&axes).any(|(a, b)| !a.eq_ignore_ascii_case(b));
        let found = format!("{} with the dimensions {}", quoted(path.as_str()?), names.join(", "));
        let expected = format!("the order of the axes: {}", axes.join(", "));
        let code = Code::OmeDimensionNames;
        is_other.then(|| self.group.ome.warning(code, (field, path), found, expected))
    }

    /// The problem of the names of the dimensions, which must be those of the axes.
    fn dimension_names(&self, field: &str, path: &Json, array: &ArrayMetadata) -> Option<Problem> {
        let name = |axis: &Json| axis.get_str("name").map(str::to_owned);
        let axes: Vec<Option<String>> = self.names.iter().map(name).collect();
        let text = quoted(path.as_str()?);
        let shown = |names: &[Option<String>]| {
            let names =
                names.iter().map(|name| name.as_deref().map_or_else(|| "null".into(), quoted));
            names.joined(", ")
        };
        let found = match &array.dimension_names {
            Some(names) if *names == axes => return None,
            Some(names) => format!("{text} with the dimension names {}", shown(names)),
            None => format!("{text} without dimension names"),
        };
        let expected = format!("the names of the axes: {}", shown(&axes));
        let code = Code::OmeDimensionNames;
        let problem = self.group.ome.warning(code, (field, path), found, expected);
        let since = "Required since version 0.5.2 of the specification.";
        let is_none = array.dimension_names.is_none();
        Some(if is_none { note(with_fix(problem, since)) } else { problem })
    }
}
