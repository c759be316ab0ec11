//! Attributes that nearly have the name, or nearly say the words, by which CF knows them, and lists that must be of one
//! length.

use super::{SILENT, ranges::ANGLES, units};
use crate::zarr::{conventions::prelude::*, json::Kind};

/// The attributes by which values are read, and what each holds.
const APPLIED: &[(&str, AttributeContent)] = &[
    ("units", AttributeContent::Time),
    ("calendar", AttributeContent::Calendar),
    ("scale_factor", AttributeContent::Number),
    ("add_offset", AttributeContent::Number),
    ("_FillValue", AttributeContent::Number),
    ("missing_value", AttributeContent::Number),
    ("coordinates", AttributeContent::Names),
    ("bounds", AttributeContent::Names),
    ("grid_mapping", AttributeContent::Names),
];

/// The content by which an attribute is known under another name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AttributeContent {
    Time,
    Calendar,
    Number,
    Names,
}

/// The notes on the spelling of attributes.
pub(super) fn check(variable: &Variable, attributes: &Attributes) -> Vec<Problem> {
    let found = [
        misspelled(variable, attributes),
        angle(attributes),
        without_since(attributes),
        flags(attributes),
        other_names(variable, attributes),
    ];
    found.into_iter().flatten().map(|problem| problem.with_severity(Severity::Note)).collect()
}

/// An attribute whose name is nearly one of CF's, and that holds what this one would.
fn misspelled(variable: &Variable, attributes: &Attributes) -> Option<Problem> {
    let known = |name: &str| APPLIED.iter().find(|(known, _)| *known == name);
    let members = attributes.json.as_object()?.iter().take(1000);
    let mut others = members.filter(|member| known(&member.key).is_none());
    let (member, meant) = others.find_map(|member| {
        let name = nearest(&member.key, APPLIED.iter().map(|(name, _)| *name))?;
        let (_, content) = known(name)?;
        (!attributes.has(name) && content.is_in(&member.value, variable)).then_some((member, name))
    })?;
    let texts = (member.value.describe(), quoted(meant));
    let fix = "xarray 2026.9 keeps it as an attribute and does not apply it.";
    attributes.mismatch(Code::CfAttribute, &member.key, texts, fix)
}

impl AttributeContent {
    fn is_in(self, json: &Json, variable: &Variable) -> bool {
        let text = json.as_str();
        match self {
            Self::Time => text.is_some_and(|text| text.contains(" since ")),
            Self::Calendar => text.is_some_and(units::is_calendar),
            Self::Number => json.as_number().is_some(),
            Self::Names => text.is_some_and(|text| {
                let mut names = text.split_whitespace().take(10).peekable();
                names.peek().is_some() && names.all(|name| variable.finds(name))
            }),
        }
    }
}

/// A unit that is nearly one of latitudes or longitudes.
fn angle(attributes: &Attributes) -> Option<Problem> {
    let text = attributes.get_str("units").filter(|text| !["degree", "degrees"].contains(text))?;
    let spellings = || ANGLES.iter().flat_map(|(_, spellings, _)| spellings.iter().copied());
    // Those of temperatures are as near.
    let is_heat = text.ends_with(['C', 'F', 'K', 'c', 'f', 'k']);
    let is_angle = text.starts_with("deg") && !is_heat && !spellings().any(|known| known == text);
    let meant = nearest(text, spellings()).filter(|_| is_angle)?;
    let fix = "Programs that follow CF find latitudes and longitudes by these words.";
    attributes.mismatch(Code::CfAttribute, "units", (quoted(text), quoted(meant)), fix)
}

/// A count of time whose units have no `since`.
fn without_since(attributes: &Attributes) -> Option<Problem> {
    let text = attributes.get_str("units").filter(|text| !text.contains("since"))?;
    let words: Vec<&str> = text.split_whitespace().take(4).collect();
    let is_date = |word: &&&str| {
        word.split('-').filter(|part| part.starts_with(|c: char| c.is_ascii_digit())).count() == 3
    };
    let date = words.iter().skip(1).find(is_date)?;
    let unit = units::unit_like(words.first()?)?;
    let meant = quoted(&format!("{unit} since {date}"));
    let fix = "xarray 2026.9 opens the group and decodes none of its times.";
    attributes.mismatch(Code::CfAttribute, "units", (quoted(text), meant), fix)
}

/// Flags whose meanings are not as many as their values.
fn flags(attributes: &Attributes) -> Option<Problem> {
    let meanings = attributes.get_str("flag_meanings")?.split_whitespace().count();
    ["flag_values", "flag_masks"].into_iter().find_map(|name| {
        let json = attributes.get(name)?;
        let values = json.as_array().map_or(1, <[Json]>::len);
        let is_one = json.as_array().is_none() && !matches!(json.kind, Kind::Number(_));
        if values == meanings || is_one {
            return None;
        }
        let found = format!("{name} with {}", counted(values as u64, "item"));
        let expected = format!(
            "a list as long as flag_meanings, which has {}",
            counted(meanings as u64, "word")
        );
        attributes.mismatch(Code::CfFlags, name, (found, expected), SILENT)
    })
}

/// V3: names of the dimensions as V2 has them, which are others.
fn other_names(variable: &Variable, attributes: &Attributes) -> Option<Problem> {
    let json = attributes.get("_ARRAY_DIMENSIONS").filter(|_| attributes.format == Format::V3)?;
    let names: Vec<&str> = json.as_array()?.iter().map(Json::as_str).collect::<Option<_>>()?;
    let own: Vec<&str> = variable
        .array
        .dimension_names
        .as_ref()?
        .iter()
        .map(Option::as_deref)
        .collect::<Option<_>>()?;
    if names == own {
        return None;
    }
    let texts = (all_quoted(&names), format!("{}, as in dimension_names", all_quoted(&own)));
    let fix = "In V3, xarray 2026.9 goes by dimension_names.";
    attributes.mismatch(Code::DimensionNames, "_ARRAY_DIMENSIONS", texts, fix)
}
