//! CF as xarray 2026.9 applies it to Zarr: what the attributes of an array make of it as a variable.
//!
//! The behaviour of xarray was seen by running xarray 2026.9.0 with cftime 1.6.6 on stores with just that fault.

use super::prelude::*;
use super::rules::{self, MemberForm, Rule, may};
use crate::zarr::{codec::CodecSpec, json::Kind, metadata::FillValue};

pub(super) mod bounds;
pub(super) mod coverage;
mod digits;
pub(super) mod forecast;
pub(super) mod group;
pub(super) mod labels;
mod masks;
pub(super) mod mesh;
pub(super) mod projection;
pub(super) mod ragged;
pub(super) mod ranges;
mod references;
pub(super) mod spacing;
mod spelling;
pub(super) mod steps;
mod units;
mod vocabulary;
pub(super) mod zones;

/// What comes of most faults.
const SILENT: &str = "xarray 2026.9 opens the group and says nothing.";

/// True if the attribute `Conventions` names CF.
pub(super) fn says_cf(attributes: &Attributes) -> bool {
    let text = attributes.get_str("Conventions").unwrap_or_default();
    text.split([' ', ',', '/']).any(|name| name == "CF" || name.starts_with("CF-"))
}

/// The forms of attributes of groups.
const FORMS: &[Rule] = &[may(
    "featureType",
    MemberForm::OneOf(&[
        "point",
        "timeSeries",
        "trajectory",
        "profile",
        "timeSeriesProfile",
        "trajectoryProfile",
    ]),
)];

/// The problems of what a group says of the variables in it.
pub(super) fn of_group(hierarchy: &Hierarchy, path: &NodePath, own: &Attributes) -> Vec<Problem> {
    let mut problems = rules::check(own, FORMS, Code::CfAttribute);
    if !own.get_str("Conventions").is_some_and(|text| text.contains("CMIP")) {
        return problems;
    }
    let told = |key, severity, sentence| {
        let fix = "Likely cause: the attributes are those of other data. Catalogues find the data by them.";
        Some(own.finding(Code::CfAttribute, key, sentence, fix)?.with_severity(severity))
    };
    // Data that were computed from others keep their attributes.
    problems.extend(own.get_str("variable_id").and_then(|name| {
        let is_lost = !hierarchy.has(&path.child(name));
        let sentence =
            format!("variable_id is {}, and the group has no such variable", quoted(name));
        is_lost.then(|| told("variable_id", Severity::Note, sentence))?
    }));
    problems.extend(own.get_str("variant_label").and_then(|label| {
        let keys = ["realization", "initialization", "physics", "forcing"];
        let number = |key: &&str| own.get(&format!("{key}_index"))?.as_u64();
        let [r, i, p, f] = keys.each_ref().map(number);
        let due = format!("r{}i{}p{}f{}", r?, i?, p?, f?);
        let is_part = label == due || label.ends_with(&format!("-{due}"));
        let sentence = format!("variant_label is {}, and the indices say {due}", quoted(label));
        (!is_part).then(|| told("variant_label", Severity::Warning, sentence))?
    }));
    problems
}

/// The variables that a group says are in other files.
pub(super) fn external_variables(attributes: &Attributes) -> Vec<String> {
    let names = attributes.get_str("external_variables").unwrap_or_default();
    names.split_whitespace().map(str::to_owned).collect()
}

/// An array as a variable.
#[derive(Debug, Clone, Copy)]
pub(super) struct Variable<'a> {
    pub(super) hierarchy: &'a Hierarchy,
    pub(super) array: &'a ArrayMetadata,
    pub(super) path: &'a NodePath,
}

impl Variable<'_> {
    /// True if each of its dimensions has a name, so that xarray can open it.
    pub(super) fn is_named(&self) -> bool {
        let names = self.array.dimension_names.as_ref();
        names.is_some_and(|names| names.iter().all(Option::is_some))
            || self.array.format == Format::V3 && self.array.shape.as_ref().is_ok_and(Vec::is_empty)
    }

    /// True if its documents have the member with the names of the dimensions, whatever it holds.
    fn has_names(&self) -> bool {
        let names = match self.array.format {
            Format::V2 => self.array.attributes().and_then(|json| json.get("_ARRAY_DIMENSIONS")),
            Format::V3 => {
                let root = self.array.documents.first().and_then(|document| document.root());
                root.and_then(|json| json.get("dimension_names")).filter(|json| !json.is_null())
            }
        };
        names.is_some()
    }

    /// The problems of its attributes; `external` are variables that are elsewhere.
    pub(super) fn check(&self, external: &[String]) -> Vec<Problem> {
        let mut problems: Vec<Problem> = self.repeated_dimension().into_iter().collect();
        if let Some(attributes) = &Attributes::of_array(self.array) {
            problems.extend(["scale_factor", "add_offset"].iter().filter_map(|name| {
                let json = attributes.get(name)?;
                packing(attributes, name, json)
            }));
            problems.extend(unpacked_twice(self.array, attributes));
            problems.extend(masks::check(self.array, attributes));
            problems.extend(units::check(self.array, attributes));
            problems.extend(references::check(self, attributes, external));
            problems.extend(spelling::check(self, attributes));
            problems.extend(vocabulary::check(self, attributes));
            problems.extend(projection::check(attributes));
        }
        problems
    }

    /// The warning that two dimensions have one name.
    fn repeated_dimension(&self) -> Option<Problem> {
        let names = self.array.dimension_names.as_ref()?;
        let twice = names.iter().enumerate().find_map(|(at, name)| {
            let name = name.as_ref()?;
            names.iter().take(at).any(|other| other.as_ref() == Some(name)).then_some(name)
        })?;
        let file = self.array.documents.iter().rev().find_map(|document| {
            let (root, v2) = (document.root()?, "_ARRAY_DIMENSIONS");
            let field = if self.array.format == Format::V2 { v2 } else { "dimension_names" };
            Some((document.key.as_str(), field, root.get(field)?))
        });
        let (file, field, json) = file?;
        let error = Error::new(
            Code::CfDimensions,
            format!("the name {} for two dimensions", quoted(twice)),
            "a different name for each dimension",
        );
        let error = error.in_file(file).at(field).at_offset(json.span().start as u64);
        let fix = "xarray 2026.9 warns, does not support such arrays in most operations, and raises ValueError if the \
                   two have different lengths.";
        Some(Problem::new(error.with_fix(fix)))
    }
}

/// The problem of `scale_factor` or `add_offset`. A list of one number is read as that number, and null as nothing.
fn packing(attributes: &Attributes, name: &str, json: &Json) -> Option<Problem> {
    let only = match json.as_array() {
        Some([only]) => only,
        _ => json,
    };
    let warn = |found: String, expected: &str, fix: &str| {
        let problem = attributes.warning(Code::CfPacking, (name, json), found, expected);
        Some(with_fix(problem, fix))
    };
    match &only.kind {
        Kind::Null => None,
        Kind::Number(text) => {
            let number: f64 = text.parse().ok()?;
            if !number.is_finite() {
                let fix = "xarray 2026.9 applies it: every value becomes NaN or infinite. zarrscope does not apply it.";
                return warn(text.to_string(), "a finite number", fix);
            }
            let is_due = name == "scale_factor" && is_zero(number);
            let fix = "Every value becomes add_offset, or 0 without one.";
            is_due.then(|| warn(text.to_string(), "a number other than 0", fix))?
        }
        Kind::Bool(_) => {
            let fix = match name {
                "scale_factor" => {
                    "xarray 2026.9 turns every value into True or False (with an add_offset, it takes true as 1 and \
                     false as 0); zarrscope does not apply it."
                }
                _ => "xarray 2026.9 takes true as 1 and false as 0; zarrscope does not apply it.",
            };
            warn(json.describe(), "a number", fix)
        }
        Kind::Array(_) => {
            let fix = "xarray 2026.9 raises ValueError when it opens the group; zarrscope does not apply it.";
            warn(json.describe(), "a number", fix)
        }
        Kind::String(_) | Kind::Object(_) => {
            let fix = "xarray 2026.9 opens the group and raises an error when the values are read; zarrscope does not \
                       apply it.";
            warn(json.describe(), "a number", fix)
        }
    }
}

/// The codecs that divide numbers by a scale and add an offset as they are decoded, with both.
fn packing_codecs(array: &ArrayMetadata) -> impl Iterator<Item = (&CodecSpec, f64, f64)> {
    let specs = array.codecs.as_deref().unwrap_or_default().iter();
    specs.filter_map(|spec| {
        let row = array.registry.codecs.read_as(&spec.name, array.format)?;
        let member = |key: &str| number(spec.configuration.as_ref()?.get(key)?);
        let is_it = ["scale", "offset"].iter().all(|it| row.members.contains(it));
        Some((spec, member("scale").filter(|_| is_it)?, member("offset").unwrap_or(0.0)))
    })
}

/// The problem that a codec unpacks the numbers already as the attributes would unpack them once more.
fn unpacked_twice(array: &ArrayMetadata, attributes: &Attributes) -> Option<Problem> {
    /// By which share of themselves numbers that are the same may differ as they are written.
    const SAME: f64 = 1e-6;
    let packing = Packing::of(array);
    packing.is_scaled.then_some(())?;
    let is_same = |(_, scale, offset): &(&CodecSpec, f64, f64)| {
        (scale * packing.factor - 1.0).abs() <= SAME
            && (offset - packing.offset).abs() <= SAME * offset.abs()
    };
    let (spec, ..) = packing_codecs(array).find(is_same)?;
    let found = format!(
        "{} and add_offset {}, beside the codec {} that unpacks by the same numbers",
        packing.factor, packing.offset, spec.name
    );
    let texts = (found, "one of the two");
    let fix = "What the codec gives is unpacked already: xarray 2026.9 applies the attributes to it again, so that every \
               value is scaled twice. Remove the attributes.";
    attributes.mismatch(Code::CfPacking, "scale_factor", texts, fix)
}
