//! Attributes that name other variables.

use super::{
    Code, Problem, Variable,
    attributes::{Attributes, with_fix},
};
use crate::zarr::{
    error::Severity,
    json::{Json, quoted},
    store::{NodePath, join},
};

/// An attribute that names variables.
struct Reference {
    attribute: &'static str,
    form: NameForm,
    /// The severity of a missing one, by its weight for xarray.
    severity: Severity,
}

/// The form in which the names are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NameForm {
    /// Names.
    Names,
    /// Words with a colon, and the name or names after each.
    Roles,
    /// Names, or names with a colon and the names of their coordinates.
    Mappings,
}

const REFERENCES: &[Reference] = &[
    Reference { attribute: "coordinates", form: NameForm::Names, severity: Severity::Warning },
    Reference { attribute: "bounds", form: NameForm::Names, severity: Severity::Note },
    Reference { attribute: "climatology", form: NameForm::Names, severity: Severity::Note },
    Reference { attribute: "ancillary_variables", form: NameForm::Names, severity: Severity::Note },
    Reference { attribute: "grid_mapping", form: NameForm::Mappings, severity: Severity::Note },
    Reference { attribute: "cell_measures", form: NameForm::Roles, severity: Severity::Note },
    Reference { attribute: "formula_terms", form: NameForm::Roles, severity: Severity::Note },
];

/// The names of which something is said in one finding.
const NAMED: usize = 3;

/// The names that an attribute may hold before only the first ones are looked for.
const LOOKED_FOR: usize = 100;

/// The attributes that name what is not in the store.
pub(super) fn check(
    variable: &Variable<'_>,
    attributes: &Attributes<'_>,
    external: &[String],
) -> Vec<Problem> {
    let dangling = |reference: &Reference| {
        let json = attributes.get(reference.attribute)?;
        let Some(text) = json.as_str() else { return not_text(attributes, reference, json) };
        let all = names(text, reference.form).into_iter().take(LOOKED_FOR);
        let is_lost =
            |name: &&str| !external.iter().any(|known| known == name) && !variable.finds(name);
        let lost: Vec<&str> = all.filter(is_lost).collect();
        let named = lost.iter().take(NAMED).map(|name| quoted(name)).collect::<Vec<_>>();
        let more = lost.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        if lost.is_empty() {
            return None;
        }
        let found = format!("{}{more}, not in this group or a group around it", named.join(", "));
        let problem = attributes.warning(
            Code::CfReference,
            (reference.attribute, json),
            found,
            "names of variables in the store",
        );
        let fix = match reference.attribute {
            "coordinates" => {
                "xarray 2026.9 opens the group without these coordinates and says nothing."
            }
            _ => "xarray 2026.9 opens the group; with decode_coords=\"all\" it warns.",
        };
        Some(Problem { severity: reference.severity, ..with_fix(problem, fix) })
    };
    REFERENCES.iter().filter_map(dangling).collect()
}

/// The warning on names that are no string. Only of `coordinates` it is known what xarray does.
fn not_text(attributes: &Attributes<'_>, reference: &Reference, json: &Json) -> Option<Problem> {
    if reference.attribute != "coordinates" || json.is_null() {
        return None;
    }
    let expected = "a string with names separated by spaces";
    let problem =
        attributes.warning(Code::CfReference, ("coordinates", json), json.describe(), expected);
    Some(with_fix(problem, "xarray 2026.9 raises AttributeError when it opens the group."))
}

/// The variables that an attribute names.
fn names(text: &str, form: NameForm) -> Vec<&str> {
    let words = text.split_whitespace();
    match form {
        NameForm::Names => words.collect(),
        NameForm::Mappings => words.map(|word| word.trim_end_matches(':')).collect(),
        NameForm::Roles => words.filter(|word| !word.ends_with(':')).collect(),
    }
}

impl Variable<'_> {
    /// True if `name` leads to a variable: one of the same group, one of a group around it, or by a path.
    fn finds(&self, name: &str) -> bool {
        let group = self.path.parent().unwrap_or_default();
        if let Some(absolute) = name.strip_prefix('/') {
            return self.is_there(absolute);
        }
        let mut around = std::iter::successors(Some(group), NodePath::parent);
        if name.starts_with("..") {
            let up = name.split('/').take_while(|part| *part == "..").count();
            let rest = name.split('/').skip(up).collect::<Vec<_>>().join("/");
            return around.nth(up).is_some_and(|group| self.is_there(&join(&group.0, &rest)));
        }
        around.any(|group| self.is_there(&join(&group.0, name)))
    }

    /// True if there is a node at `path`. That a group has the name of a variable is left out of account.
    fn is_there(&self, path: &str) -> bool {
        let store = &self.hierarchy.store;
        let has = |name: &str| matches!(store.stat(&join(path, name)), Ok(Some(_)));
        // Consolidated metadata may be all that there is of it.
        let is_copied = || self.hierarchy.node(&NodePath(path.to_owned())).kind.array().is_some();
        has("zarr.json") || has(".zarray") || is_copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_cf_writes_them() {
        assert_eq!(names(" lat  lon", NameForm::Names), ["lat", "lon"]);
        assert_eq!(names("area: cell_area volume: v", NameForm::Roles), ["cell_area", "v"]);
        assert_eq!(names("crs", NameForm::Mappings), ["crs"]);
        assert_eq!(
            names("crs: x y other: lat lon", NameForm::Mappings),
            ["crs", "x", "y", "other", "lat", "lon"]
        );
    }
}
