//! Attributes that name other variables.

use super::SILENT;
use crate::zarr::conventions::prelude::*;
use crate::zarr::store::join;

/// An attribute that names variables.
struct Reference {
    attribute: &'static str,
    form: NameForm,
    /// The severity of a missing one, by its weight for xarray.
    severity: Severity,
    relation: NameRelation,
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
    /// Names with a colon and what was done along each. Standard names are some, and `area`.
    Methods,
}

/// The relation of what is named to the variable that names it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NameRelation {
    /// None but that it is there.
    Exists,
    /// It has no other dimensions.
    Within,
    /// It has the same shape, and one more dimension: the vertices of each cell.
    Bounds,
    /// It says which projection is meant.
    Projection,
    /// It is a variable, or a dimension of this one; what is named like none of them is a standard name.
    Dimension,
}

const REFERENCES: &[Reference] = {
    use NameForm::{Mappings, Methods, Names, Roles};
    use NameRelation::{Bounds, Dimension, Exists, Projection, Within};
    use Severity::{Note, Warning};
    const fn row(
        attribute: &'static str,
        form: NameForm,
        severity: Severity,
        relation: NameRelation,
    ) -> Reference {
        Reference { attribute, form, severity, relation }
    }
    &[
        row("coordinates", Names, Warning, Within),
        row("bounds", Names, Note, Bounds),
        row("climatology", Names, Note, Bounds),
        row("ancillary_variables", Names, Note, Exists),
        row("grid_mapping", Mappings, Note, Projection),
        row("cell_measures", Roles, Note, Exists),
        row("formula_terms", Roles, Note, Exists),
        row("cell_methods", Methods, Note, Dimension),
        row("mesh", Names, Warning, Exists),
        row("node_coordinates", Names, Warning, Exists),
        row("edge_coordinates", Names, Note, Exists),
        row("face_coordinates", Names, Note, Exists),
        row("face_node_connectivity", Names, Warning, Exists),
        row("edge_node_connectivity", Names, Warning, Exists),
    ]
};

/// The names of which something is said in one finding.
const NAMED: usize = 3;

/// The names that an attribute may hold before only the first ones are looked for.
const LOOKED_FOR: usize = 100;

/// The siblings that a name which is not found is compared with.
const SIBLINGS: usize = 2000;

/// The attributes that name what is not in the store, or what does not fit the variable.
pub(super) fn check(
    variable: &Variable,
    attributes: &Attributes,
    external: &[String],
) -> Vec<Problem> {
    let broken = |reference: &Reference| {
        let json = attributes.get(reference.attribute)?;
        // Others write words of their own for it.
        let is_other = reference.attribute == "mesh" && !attributes.has("location");
        (!is_other).then_some(())?;
        let Some(text) = json.as_str() else { return not_text(attributes, reference, json) };
        let all = names(text, reference.form).into_iter().take(LOOKED_FOR);
        let own = dimensions_of(variable.array);
        // What is named like no dimension is a standard name.
        let is_known = |name: &&str| {
            reference.relation == NameRelation::Dimension
                && (*name == "area"
                    || own.contains(name)
                    || nearest(name, own.iter().copied()).is_none())
        };
        let (found, lost): (Vec<&str>, Vec<&str>) = all
            .filter(|name| !is_known(name) && !external.iter().any(|known| known == name))
            .partition(|name| variable.finds(name));
        let key = reference.attribute;
        match reference.relation {
            NameRelation::Dimension => variable.no_dimension(attributes, key, &lost),
            NameRelation::Projection if lost.is_empty() => {
                found.iter().find_map(|name| variable.without_projection(attributes, key, name))
            }
            relation => variable
                .dangling(attributes, key, &lost)
                .map(|problem| Problem { severity: reference.severity, ..problem })
                .or_else(|| variable.misfit(attributes, key, relation, &found)),
        }
    };
    REFERENCES.iter().filter_map(broken).collect()
}

/// The warning on names that are no string. Only of `coordinates` it is known what xarray does.
fn not_text(attributes: &Attributes, reference: &Reference, json: &Json) -> Option<Problem> {
    if reference.attribute != "coordinates" || json.is_null() {
        return None;
    }
    let texts = (json.describe(), "a string with names separated by spaces");
    let fix = "xarray 2026.9 raises AttributeError when it opens the group.";
    attributes.mismatch(Code::CfReference, "coordinates", texts, fix)
}

/// The variables that an attribute names.
fn names(text: &str, form: NameForm) -> Vec<&str> {
    let words = text.split_whitespace();
    match form {
        NameForm::Names => words.collect(),
        NameForm::Mappings => words.map(|word| word.trim_end_matches(':')).collect(),
        NameForm::Roles => words.filter(|word| !word.ends_with(':')).collect(),
        NameForm::Methods => {
            // Remarks are in parentheses.
            let mut depth = 0_usize;
            let is_outside = |word: &&str| {
                let was_outside = depth == 0;
                let count = |c: char| word.chars().filter(|other| *other == c).count();
                depth = (depth + count('(')).saturating_sub(count(')'));
                was_outside && !word.starts_with('(')
            };
            words.filter(is_outside).filter_map(|word| word.strip_suffix(':')).collect()
        }
    }
}

/// The names that the dimensions have.
fn dimensions_of(array: &ArrayMetadata) -> Vec<&str> {
    array.dimension_names.iter().flatten().flatten().map(String::as_str).collect()
}

/// Words with commas, the first few and how many more.
fn listed(names: &[&str]) -> String {
    let more = and_more(names.len().saturating_sub(NAMED));
    format!("{}{more}", all_quoted(names.iter().take(NAMED)))
}

impl Variable<'_> {
    /// The warning on the names of an attribute that lead nowhere.
    fn dangling(&self, attributes: &Attributes, key: &str, lost: &[&str]) -> Option<Problem> {
        let first = lost.first()?;
        let found = format!("{}, not in this group or a group around it", listed(lost));
        let expected = "names of variables in the store";
        let meant = self.sibling_like(first);
        let meant =
            meant.map_or_else(String::new, |name| format!(" Likely meant: {}.", quoted(&name)));
        let fix = match key {
            "coordinates" => {
                "xarray 2026.9 opens the group without these coordinates and says nothing."
            }
            "mesh"
            | "node_coordinates"
            | "edge_coordinates"
            | "face_coordinates"
            | "face_node_connectivity"
            | "edge_node_connectivity" => "Programs that follow UGRID do not find the mesh.",
            _ => "xarray 2026.9 opens the group; with decode_coords=\"all\" it warns.",
        };
        attributes.mismatch(Code::CfReference, key, (found, expected), format!("{fix}{meant}"))
    }

    /// The note on a variable that is named and does not fit this one.
    fn misfit(
        &self,
        attributes: &Attributes,
        key: &str,
        relation: NameRelation,
        names: &[&str],
    ) -> Option<Problem> {
        let shape = self.array.known_shape()?;
        let own = dimensions_of(self.array);
        let (found, expected) = names.iter().find_map(|name| {
            if matches!(relation, NameRelation::Exists | NameRelation::Projection) {
                return None;
            }
            let node = self.hierarchy.node(&self.path.parent().unwrap_or_default().child(name));
            let target = node.kind.array()?;
            let other = target.shape.as_ref().ok()?;
            let dimensions = dimensions_of(target);
            let text = quoted(name);
            if relation == NameRelation::Bounds {
                let fits = other.len() == shape.len() + 1 && other.starts_with(shape);
                // The same dimension with two sizes is told of the group.
                let is_told = !own.is_empty() && dimensions.starts_with(&own);
                return (!fits && (!is_told || other.len() != shape.len() + 1)).then(|| {
                    let sides = shape.iter().map(u64::to_string).chain(["n".to_owned()]);
                    let sides = sides.collect::<Vec<_>>().join(",");
                    let expected = format!("the shape [{sides}], with n vertices for each cell");
                    (format!("{text} of shape {}", list(other)), expected)
                });
            }
            // One of a single dimension may be left of a larger data set.
            let is_grid = other.len() > 1
                && target.data_type().is_some_and(|it| !it.name().contains("bytes"));
            let other: Vec<&str> =
                dimensions.into_iter().filter(|name| !own.contains(name)).collect();
            (!other.is_empty() && !own.is_empty() && is_grid).then(|| {
                let found = format!("{text} with the dimension {}", listed(&other));
                (found, format!("variables of the dimensions {}", own.join(", ")))
            })
        })?;
        attributes.mismatch(Code::CfReference, key, (found, expected), SILENT).map(note)
    }

    /// The warning on a grid mapping whose attributes name no projection.
    fn without_projection(
        &self,
        attributes: &Attributes,
        key: &str,
        name: &str,
    ) -> Option<Problem> {
        /// Parts of the names of attributes that say what it is, in CF and for other programs.
        const SAYS: [&str; 9] = [
            "grid_mapping",
            "wkt",
            "spatial_ref",
            "proj",
            "epsg",
            "crs",
            "srs",
            "pe_string",
            "datum",
        ];
        let node = self.hierarchy.node(&self.path.parent()?.child(name));
        let target = node.kind.array()?;
        let mut keys = target.attributes().and_then(Json::as_object).into_iter().flatten();
        // Coordinates beside a mapping are named with it.
        let is_said = keys.any(|member| {
            let key = member.key.to_ascii_lowercase();
            SAYS.iter().any(|part| key.contains(part))
        });
        if is_said || !target.known_shape()?.is_empty() {
            return None;
        }
        let sentence = format!(
            "{} names no projection: it has neither grid_mapping_name nor crs_wkt",
            quoted(name)
        );
        let fix = "xarray 2026.9 opens the group and says nothing; where the data are on the Earth is not known.";
        Some(
            attributes
                .finding(Code::CfReference, key, sentence, fix)?
                .with_severity(Severity::Warning),
        )
    }

    /// The note on a name in `cell_methods` that is nearly that of a dimension.
    fn no_dimension(&self, attributes: &Attributes, key: &str, lost: &[&str]) -> Option<Problem> {
        let own = dimensions_of(self.array);
        let mut lost = lost.iter().copied();
        let (name, meant) =
            lost.find_map(|name| Some((name, nearest(name, own.iter().copied())?)))?;
        let found = format!("{}, no dimension or variable", quoted(name));
        let expected = format!("{}, a dimension of this variable", quoted(meant));
        let fix = "Programs that follow CF take it for a standard name.";
        attributes.mismatch(Code::CfReference, key, (found, expected), fix).map(note)
    }

    /// The node beside this one whose name is the most like `name`.
    fn sibling_like(&self, name: &str) -> Option<String> {
        let group = self.path.parent().unwrap_or_default();
        let (mut siblings, mut left) = (Vec::new(), SIBLINGS);
        // What cannot be listed is told where it is listed.
        let _ = self.hierarchy.store.visit(&group.0, &mut |entry| {
            let is_other = entry.name != self.path.name();
            siblings.extend(Some(entry.name).filter(|_| entry.is_folder && is_other));
            left -= 1;
            left > 0
        });
        nearest(name, siblings.iter().map(String::as_str)).map(str::to_owned)
    }
}

impl Variable<'_> {
    /// True if `name` leads to a variable: one of the same group, one of a group around it, or by a path.
    pub(super) fn finds(&self, name: &str) -> bool {
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
        let is_copied = || self.hierarchy.copied_by(&NodePath(path.to_owned()), |_| true);
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
        let methods =
            "time: mean (interval: 1 hour comment: of all) lat: lon: mean area: mean where land";
        assert_eq!(names(methods, NameForm::Methods), ["time", "lat", "lon", "area"]);
    }
}
