//! AnnData, as `encoding-type` claims it: tables, categories, sparse matrices, and the lengths that must be the same in
//! all.
//!
//! The behaviour of the program anndata was seen with its version 0.13.4.

use super::prelude::*;
use crate::zarr::hierarchy::renames;

/// The encodings whose members are checked.
const CHECKED: [&str; 9] = [
    "anndata",
    "MuData",
    "dataframe",
    "categorical",
    "csr_matrix",
    "csc_matrix",
    "nullable-integer",
    "nullable-boolean",
    "nullable-string-array",
];
/// The encodings that anndata 0.13.4 reads, each with its versions.
const KNOWN: [(&str, &[&str]); 18] = [
    ("anndata", &["0.1.0"]),
    ("array", &["0.2.0"]),
    ("awkward-array", &["0.1.0"]),
    ("bytes", &["0.2.0"]),
    ("categorical", &["0.2.0"]),
    ("csc_matrix", &["0.1.0"]),
    ("csr_matrix", &["0.1.0"]),
    ("dataframe", &["0.1.0", "0.2.0"]),
    ("dict", &["0.1.0"]),
    ("null", &["0.1.0"]),
    ("nullable-boolean", &["0.1.0"]),
    ("nullable-integer", &["0.1.0"]),
    ("nullable-string-array", &["0.1.0"]),
    ("numeric-scalar", &["0.2.0"]),
    ("raw", &["0.1.0"]),
    ("rec-array", &["0.2.0"]),
    ("string", &["0.2.0"]),
    ("string-array", &["0.2.0"]),
];

/// The warning on an encoding that is none of anndata's, and nearly one, or on a version that it does not read.
pub(super) fn encoding(kind: &NodeKind) -> Option<Problem> {
    let attributes = Attributes::of(kind)?;
    let name = attributes.get_str("encoding-type")?;
    if name.starts_with("ngff:") && !attributes.has("spatialdata_attrs") {
        let text = format!("a SpatialData element ({}) without spatialdata_attrs", quoted(name));
        let fix = "They hold the version of its format. spatialdata 0.8.0 raises AssertionError and does not open the store.";
        return attributes.finding(Code::AnndataEncoding, "encoding-type", text, fix);
    }
    let raises = "anndata 0.13.4 raises IORegistryError.";
    let unlike = |key, texts: (String, String)| {
        attributes.mismatch(Code::AnndataEncoding, key, texts, raises)
    };
    let Some((_, versions)) = KNOWN.iter().find(|(known, _)| *known == name) else {
        let spelled = name.replace(['_', ' '], "-").to_lowercase();
        let meant = KNOWN.iter().map(|(known, _)| *known);
        let same = meant.clone().find(|known| known.replace('_', "-").to_lowercase() == spelled);
        let meant = same.or_else(|| nearest(name, meant))?;
        return unlike("encoding-type", (quoted(name), quoted(meant)));
    };
    let version = attributes.get_str("encoding-version")?;
    let found = format!("the version {} of {name}", quoted(version));
    let texts = (found, versions.join(" or "));
    (!versions.contains(&version)).then(|| unlike("encoding-version", texts))?
}

/// The number of children of a group that are looked at.
const CHILDREN: usize = 1000;

/// A group with an `encoding-type`.
pub(super) struct EncodedGroup<'a> {
    hierarchy: &'a Hierarchy,
    path: &'a NodePath,
    attributes: Attributes<'a>,
    encoding: &'a str,
}

impl<'a> EncodedGroup<'a> {
    /// The group at `path`, where it has an encoding of AnnData.
    pub(super) fn of(
        hierarchy: &'a Hierarchy,
        path: &'a NodePath,
        kind: &'a NodeKind,
    ) -> Option<Self> {
        let attributes = Attributes::of(kind)?;
        let encoding = attributes.get_str("encoding-type")?;
        CHECKED.contains(&encoding).then_some(Self { hierarchy, path, attributes, encoding })
    }

    /// Everything that is wrong with it.
    pub(super) fn check(&self) -> Vec<Problem> {
        match self.encoding {
            "anndata" | "MuData" => self.sizes(),
            "dataframe" => self.columns(),
            "csr_matrix" | "csc_matrix" => self.sparse().into_iter().collect(),
            "categorical" => self.ordered().into_iter().collect(),
            _ => self.mask().into_iter().collect(),
        }
    }

    /// The names of the nodes in the part `name`; of the group itself for none. Of what cannot be listed there are none:
    /// that is told where it is listed.
    fn children(&self, name: &str) -> Vec<String> {
        let mut names = Vec::new();
        self.hierarchy.visit_first(&self.path.below(name), CHILDREN, |child| {
            names.push(child.path.name().to_owned());
        });
        names
    }

    /// The path of the part `name`, itself a path.
    fn at(&self, name: &str) -> NodePath {
        self.path.child(name)
    }

    /// The shape of the part `name`, a path.
    fn shape(&self, name: &str) -> Option<Vec<u64>> {
        shape(self.hierarchy, &self.at(name))
    }

    fn warning(
        &self,
        code: Code,
        (field, json): (&str, &Json),
        (found, expected): (impl Into<String>, impl Into<String>),
        effect: &str,
    ) -> Problem {
        let problem = self.attributes.warning(code, (field, json), found, expected);
        with_fix(problem, format!("anndata 0.13.4 {effect}."))
    }

    /// The warning on what such an encoding has.
    fn whole(
        &self,
        code: Code,
        texts: (impl Into<String>, impl Into<String>),
        effect: &str,
    ) -> Problem {
        self.warning(code, ("encoding-type", self.attributes.json), texts, effect)
    }

    /// The problems of the columns of a table: each must be there, and be as long as the index.
    fn columns(&self) -> Vec<Problem> {
        let (field, order) = ("column-order", self.attributes.get("column-order"));
        let lost = |field, expected: &str| {
            let (place, texts) = ((field, self.attributes.json), ("nothing", expected));
            vec![self.warning(Code::AnndataTable, place, texts, "raises KeyError")]
        };
        let Some(order) = order else {
            return lost(field, "the names of the columns");
        };
        let Some(index) = self.attributes.get("_index") else {
            return lost("_index", "the name of the column that is the index");
        };
        let rows = index.as_str().and_then(|name| self.shape(name)?.first().copied());
        let named = order.as_array().unwrap_or_default().iter().map(|json| (field, json));
        let named = named.chain([("_index", index)]).take(CHILDREN);
        let mut problems: Vec<Problem> =
            named.filter_map(|place| self.column(place, rows)).collect();
        let mut seen = HashSet::new();
        let mut columns = order.as_array().unwrap_or_default().iter().filter_map(Json::as_str);
        problems.extend(columns.find(|name| !seen.insert(*name)).map(|name| {
            let texts = (format!("{} twice", quoted(name)), "a different name for each column");
            let effect = "reads the one array as both: what the other held is lost";
            self.warning(Code::AnndataTable, (field, order), texts, effect)
        }));
        // A column by a wrong name is told once.
        if problems.is_empty() {
            problems.extend(self.unlisted(order));
        }
        problems.extend(self.around());
        problems
    }

    /// The warning on categories that do not say whether they have an order.
    fn ordered(&self) -> Option<Problem> {
        let texts = ("categories without \"ordered\"", "it, true or false");
        let is_lost = !self.attributes.has("ordered");
        is_lost.then(|| self.whole(Code::AnndataCategories, texts, "raises KeyError"))
    }

    /// The warnings on a table that annotates regions of `SpatialData` by columns that it does not have, or regions that are not there.
    fn annotation(&self) -> Vec<Problem> {
        let warn = |place, sentence| self.attributes.told(Code::AnndataTable, place, sentence);
        let regions = || {
            let json = self.attributes.get("region")?;
            let one = json.as_str().map(|text| vec![text]);
            one.or_else(|| json.as_array()?.iter().map(Json::as_str).collect())
        };
        let key = |field: &'static str| {
            let json = self.attributes.get(field)?;
            let column = json.as_str().filter(|it| !it.is_empty())?;
            let path = self.at("obs").child(column);
            let sentence = format!("{field} is {}, and \"obs\" has no such column", quoted(column));
            (!self.hierarchy.has(&path)).then(|| warn((field, json), sentence))
        };
        let texts = || {
            let json = self.attributes.get("region_key")?;
            let column = json.as_str().filter(|it| !it.is_empty())?;
            let node = self.hierarchy.existing(&self.at("obs").child(column))?;
            let own = node.kind.attributes()?;
            let encoding = own.get_str("encoding-type").filter(|it| *it != "categorical")?;
            let sentence = format!(
                "the column of regions, {}, has the encoding {}, and not \"categorical\"",
                quoted(column),
                quoted(encoding)
            );
            let problem = warn(("region_key", json), sentence);
            Some(with_fix(problem, "spatialdata 0.8.0 raises ValueError."))
        };
        let instances = || {
            let json = self.attributes.get("instance_key")?;
            let node = self.hierarchy.existing(&self.at("obs").child(json.as_str()?))?;
            let mut names = regions()?.into_iter();
            let labels = self.path.parent()?.parent()?.child("labels");
            let are_labels = names.all(|name| self.hierarchy.has(&labels.child(name)));
            let encoding = node.kind.attributes()?.get_str("encoding-type")?;
            let is_text =
                ["categorical", "string-array", "nullable-string-array"].contains(&encoding);
            let sentence = format!(
                "the instance column {} has the encoding {}, but its region is labels, whose instances are integers",
                quoted(json.as_str()?),
                quoted(encoding)
            );
            (are_labels && is_text).then(|| warn(("instance_key", json), sentence))
        };
        let region = || {
            let root = self.path.parent()?.parent()?;
            let is_there = |name: &str| {
                ["labels", "shapes", "points", "images"]
                    .iter()
                    .any(|part| self.hierarchy.has(&root.child(part).child(name)))
            };
            let has_parts = self.path.parent()?.name() == "tables";
            let lost = regions()?.into_iter().find(|name| has_parts && !is_there(name))?;
            let sentence = format!(
                "the table annotates the region {}, which is no element of the store",
                quoted(lost)
            );
            Some(warn(("region", self.attributes.get("region")?), sentence))
        };
        let is_annotation = self.attributes.has("spatialdata-encoding-type");
        let found = [key("region_key"), key("instance_key"), region(), texts(), instances()];
        found.into_iter().filter(|_| is_annotation).flatten().collect()
    }

    /// The note on columns that are there and not in the list.
    fn unlisted(&self, order: &Json) -> Option<Problem> {
        let listed = order.as_array()?.iter().chain(self.attributes.get("_index"));
        let listed: HashSet<&str> = listed.filter_map(Json::as_str).collect();
        let columns = self.children("");
        let found = columns.iter().filter(|name| !listed.contains(name.as_str()));
        let found: Vec<String> = found.map(|name| quoted(name)).collect();
        let (names, is) = (found.join(", "), if found.len() == 1 { "is" } else { "are" });
        let texts = (
            format!("{names}, which {is} not in column-order"),
            "the names of all columns, if these are some",
        );
        let problem = self.warning(
            Code::AnndataTable,
            ("column-order", order),
            texts,
            "reads the table without",
        );
        (!found.is_empty()).then(|| note(problem))
    }

    /// The problem of values with a mask of another length.
    fn mask(&self) -> Option<Problem> {
        let (values, mask) = (self.shape("values")?, self.shape("mask")?);
        let texts = (
            format!("a mask of shape {}", list(&mask)),
            format!("{}, the shape of the values", list(&values)),
        );
        (values != mask).then(|| self.whole(Code::AnndataTable, texts, "raises IndexError"))
    }

    /// The warning that the group around a table of observations and one of variables does not say that it is an AnnData.
    fn around(&self) -> Option<Problem> {
        let path = self.path.parent().filter(|_| self.path.name() == "obs")?;
        let node = self.hierarchy.node(&path);
        let NodeKind::Group(group) = &node.kind else { return None };
        let own = group.attributes();
        let is_said = own.is_some_and(|it| it.get("encoding-type").is_some());
        let var = self.hierarchy.node(&path.child("var"));
        let is_table = var.kind.attributes()?.get_str("encoding-type") == Some("dataframe");
        let sentence = format!(
            "{} has the tables obs and var, and no encoding-type: an AnnData has \"anndata\"",
            if path.0.is_empty() { "the group".to_owned() } else { quoted(&path.0) }
        );
        let error = Error::said(Code::AnndataEncoding, sentence);
        let fix = "As an element of a store, anndata 0.13.4 reads it as a dictionary of its parts.";
        let error = error.in_file(group.documents.last()?.key.clone()).with_fix(fix);
        // Version 0.7 wrote such tables and said it of no group.
        let is_new = self.attributes.get_str("encoding-version") == Some("0.2.0");
        (!is_said && is_table && is_new).then(|| Problem::new(error))
    }

    /// The problem of the part `name` that is a group and does not say of what encoding.
    fn without_encoding(&self, name: &str) -> Option<Problem> {
        let node = self.hierarchy.node(&self.at(name));
        let NodeKind::Group(group) = &node.kind else { return None };
        let has = |name: &str| group.attributes().is_some_and(|json| json.get(name).is_some());
        // Before version 0.8, sparse matrices and tables had other attributes.
        if has("encoding-type") || has("h5sparse_format") || has("__categories") {
            return None;
        }
        let file = group.documents.last()?.key.clone();
        let error = Error::new(
            Code::AnndataEncoding,
            format!("{}, a group without encoding-type", quoted(name)),
            "it in every part of an AnnData",
        );
        let fix = "anndata 0.13.4 warns and reads a dictionary: matrices raise ValueError or AttributeError.";
        Some(Problem::new(error.in_file(file).with_fix(fix)))
    }

    /// The problem of one column of a table of so many rows.
    fn column(&self, (field, json): (&str, &Json), rows: Option<u64>) -> Option<Problem> {
        let name = json.as_str()?;
        if let Some(problem) = self.without_encoding(name) {
            return Some(problem);
        }
        let node = self.hierarchy.node(&self.path.child(name));
        if !matches!(node.kind, NodeKind::Array(_) | NodeKind::Group(_)) {
            let found = format!("{}, which is no column", quoted(name));
            let texts = (found, "the name of an array or group of this table that can be opened");
            let problem = self.warning(Code::AnndataTable, (field, json), texts, "raises KeyError");
            let columns = self.children("");
            let listed = self.attributes.json.get_array("column-order").unwrap_or_default();
            let listed: HashSet<&str> = listed.iter().filter_map(Json::as_str).collect();
            // A column that is there and cannot be opened is none that replaced itself.
            let is_case = |it: &str| it.to_lowercase() == name.to_lowercase();
            let is_same = |it: &&String| *it != name && is_case(it);
            let same = columns.iter().find(is_same);
            let (own, others): (Vec<&str>, Vec<&str>) =
                columns.iter().map(String::as_str).partition(|it| listed.contains(it));
            let one_of_two = same.filter(|same| own.contains(&same.as_str())).map(|same| {
                let text = "is listed too. Likely cause: a file system that makes no difference between the two, where one \
                            of them replaced the other; which one is there is not known.";
                format!(" {} {text}", quoted(same))
            });
            let how = |it: &&str| {
                let how = renames::how(name, it).filter(|_| !is_case(it))?;
                Some(format!(" {} is there: {how}.", quoted(it)))
            };
            let meant = one_of_two.or_else(|| others.iter().find_map(how)).or_else(|| {
                Some(format!(" Likely meant: {}.", quoted(nearest(name, others.into_iter())?)))
            });
            let fix = problem.error.fix.clone().unwrap_or_default() + &meant.unwrap_or_default();
            return Some(with_fix(problem, fix));
        }
        let (length, rows) = (*self.shape(name)?.first()?, rows?);
        (length != rows).then(|| {
            let found = format!("{} of {}", quoted(name), counted(length, "value"));
            let texts = (found, format!("{}, as the index has", grouped(rows)));
            self.warning(Code::AnndataTable, (field, json), texts, "raises ValueError")
        })
    }

    /// The error on parts of a sparse matrix that are not there.
    fn lost(&self) -> Option<Problem> {
        // What only a copy describes is told there.
        let is_lost = |name: &&str| {
            let path = self.at(name);
            !self.hierarchy.has(&path) && self.hierarchy.node(&path).kind.array().is_none()
        };
        let lost = ["data", "indices", "indptr"].into_iter().filter(is_lost);
        let (mut effect, mut names) = ("raises KeyError", Vec::new());
        for name in lost {
            names.push(quoted(&self.at(name).0));
            if name == "data" {
                effect = "raises KeyError. Possible cause: an ignore file, such as .gitignore, with the name \"data\" in it";
            }
        }
        let found = format!("a {} without {}", self.encoding, names.join(" and "));
        let texts = (found, "data, indices and indptr in it");
        let problem = self.whole(Code::AnndataSparse, texts, effect);
        (!names.is_empty()).then(|| problem.with_severity(Severity::Error))
    }

    /// The problem of the lengths of the parts of a sparse matrix.
    fn sparse(&self) -> Option<Problem> {
        if let Some(problem) = self.lost() {
            return Some(problem);
        }
        let json = self.attributes.get("shape")?;
        let place = ("shape", json);
        let shape = lengths(json).filter(|shape| shape.len() == 2)?;
        let axis = usize::from(self.encoding == "csc_matrix");
        let major = *shape.get(axis)?;
        let length = |name: &str| self.shape(name)?.first().copied();
        let (starts, indices, data) = (length("indptr")?, length("indices")?, length("data")?);
        if major.checked_add(1) != Some(starts) {
            let of = if axis == 0 { "row" } else { "column" };
            let found =
                format!("{} with an indptr of {}", list(&shape), counted(starts, "element"));
            let (minor, other) = (shape.get(1 - axis)?, ["csc_matrix", "csr_matrix"].get(axis)?);
            let is_other = minor.checked_add(1) == Some(starts);
            let fits = if is_other { format!("; as a {other} they fit") } else { String::new() };
            let expected = format!(
                "{} elements, one more than there are {of}s{fits}",
                grouped(major.saturating_add(1))
            );
            let effect = "opens it; computing with the matrix can end the process";
            return Some(self.warning(Code::AnndataSparse, place, (found, expected), effect));
        }
        (indices != data).then(|| {
            let found = format!("{} indices, {} data", grouped(indices), grouped(data));
            let expected = "one index for each element of data";
            let effect = "opens it; products with the matrix are wrong";
            self.warning(Code::AnndataSparse, place, (found, expected), effect)
        })
    }

    /// The problems of the sizes of the parts of an AnnData, which are all of so many observations or variables.
    fn sizes(&self) -> Vec<Problem> {
        let rows = |name: &str| self.shape(name)?.first().copied();
        let (obs, var, raw) = (rows("obs"), rows("var"), rows("raw/var"));
        let tables = ["obs", "var"].into_iter().filter_map(|name| self.without_encoding(name));
        let mut problems: Vec<Problem> = tables.collect();
        problems.extend(self.size("X", &[obs, var]));
        problems.extend(self.size("raw/X", &[obs, raw]));
        let parts: [(&str, &[Option<u64>]); 8] = [
            ("raw/varm", &[raw]),
            ("layers", &[obs, var]),
            ("obsm", &[obs]),
            ("varm", &[var]),
            ("obsp", &[obs, obs]),
            ("varp", &[var, var]),
            ("obsmap", &[obs]),
            ("varmap", &[var]),
        ];
        for (part, expected) in parts {
            let names = self.children(part).into_iter();
            problems
                .extend(names.filter_map(|name| self.size(&format!("{part}/{name}"), expected)));
        }
        problems.extend(self.colors());
        problems.extend(self.annotation());
        problems
    }

    /// The note on colours that are fewer than the categories that they are of, or more.
    fn colors(&self) -> Option<Problem> {
        let named = self.children("uns").into_iter();
        let (name, column, colors, categories) = named
            .filter_map(|name| {
                let column = name.strip_suffix("_colors")?.to_owned();
                let categories = *self.shape(&format!("obs/{column}/categories"))?.first()?;
                let colors = *self.shape(&format!("uns/{name}"))?.first()?;
                Some((name, column, colors, categories))
            })
            .find(|(_, _, colors, categories)| colors != categories)?;
        let colors = counted(colors, "colour");
        let sentence = format!(
            "{colors} for the {} categories of {}",
            grouped(categories),
            quoted(&format!("obs/{column}"))
        );
        let path = self.at(&format!("uns/{name}"));
        let file = self.hierarchy.node(&path).kind.documents().first()?.key.clone();
        let error = Error::new(Code::AnndataTable, colors, "").saying(sentence).in_file(file);
        let fix = "anndata 0.13.4 opens it. Likely cause: the categories were made anew, and the colours are those of the ones before.";
        Some(note(Problem::new(error.with_fix(fix))))
    }

    /// The problem of the first lengths of the part `name`.
    fn size(&self, name: &str, expected: &[Option<u64>]) -> Option<Problem> {
        if let Some(problem) = self.without_encoding(name) {
            return Some(problem);
        }
        let shape = self.shape(name)?;
        let mut pairs = shape.iter().zip(expected);
        let differs = pairs.any(|(have, want)| want.is_some_and(|want| want != *have));
        differs.then(|| {
            let names: Vec<String> =
                expected.iter().flatten().map(|length| grouped(*length)).collect();
            let found = format!("{} of shape {}", quoted(name), list(&shape));
            let expected = format!("{}, the lengths of obs and var", names.join(" × "));
            let expected =
                if names.len() == 1 { format!("{} rows", names.concat()) } else { expected };
            self.whole(Code::AnndataTable, (found, expected), "raises ValueError")
        })
    }
}

/// The lengths in a list.
fn lengths(json: &Json) -> Option<Vec<u64>> {
    json.as_array()?.iter().map(Json::as_u64).collect()
}

/// The shape of an array, or of what a group of AnnData stands for.
pub(super) fn shape(hierarchy: &Hierarchy, path: &NodePath) -> Option<Vec<u64>> {
    let node = hierarchy.node(path);
    if let NodeKind::Array(array) = &node.kind {
        return array.known_shape().cloned();
    }
    let attributes = node.kind.attributes()?;
    match attributes.get_str("encoding-type")? {
        "csr_matrix" | "csc_matrix" => lengths(attributes.get("shape")?),
        "dataframe" => shape(hierarchy, &path.child(attributes.get_str("_index")?)),
        "categorical" => shape(hierarchy, &path.child("codes")),
        name if name.starts_with("nullable-") => shape(hierarchy, &path.child("values")),
        _ => None,
    }
}

/// The warning on a category that is what programs print for a missing value.
pub(super) fn printed(related: &Related) -> Option<Problem> {
    const PRINTED: [&str; 4] = ["nan", "NaN", "NaT", "<NA>"];
    (related.path.name() == "categories").then_some(())?;
    related.encoded(&related.group()?, "categorical")?;
    let (values, _) =
        related.scalars().filter(|_| related.length().is_some_and(|it| it <= MOST))?;
    let texts = values.iter().map(|value| value.to_string().trim_matches('"').to_owned());
    let (at, text) = texts.enumerate().find(|(_, text)| PRINTED.contains(&text.as_str()))?;
    let found = format!("the category {} at [{at}]", quoted(&text));
    let error = Error::new(Code::AnndataCategories, found, "the code -1 where there is none");
    let fix = "anndata 0.13.4 takes it for a category like the others.";
    in_file_of(related.array, Problem::new(error.with_fix(fix)))
}

/// The problem of an index of observations, or of variables, that has a name more than once. Of variables, symbols of genes are
/// often the same.
pub(super) fn same_names(related: &Related) -> Option<Problem> {
    let &Related { hierarchy, path, array, .. } = related;
    // Since version 0.12, texts are a group of values and a mask.
    let index = if path.name() == "values" { path.parent()? } else { path.clone() };
    let table = index.parent().filter(|it| ["obs", "var"].contains(&it.name()))?;
    let node = hierarchy.node(&table);
    let attributes = node.kind.attributes()?;
    attributes.get_str("encoding-type").filter(|encoding| *encoding == "dataframe")?;
    attributes.get_str("_index").filter(|name| *name == index.name())?;
    let (names, _) = (related.length()? <= MOST).then(|| related.scalars())??;
    let mut seen = HashSet::new();
    let again = names.iter().position(|name| !seen.insert(name))?;
    let distinct = names.iter().collect::<HashSet<_>>().len();
    let is_half = names.get(..distinct) == names.get(distinct..);
    let (words, cause) = if is_half {
        let cause = " Likely cause: two parts with names of their own were joined.";
        (format!("each twice, from [{distinct}] on in the same order again"), cause)
    } else {
        (format!("the first again at [{again}]: {}", names.get(again)?), "")
    };
    let (rows, of) = (grouped(names.len()), quoted(&table.0));
    let sentence =
        format!("{} for the {rows} rows of {of}, {words}", counted(distinct as u64, "name"));
    let mut columns = attributes.get_array("column-order").into_iter().flatten();
    let is_column = columns.any(|column| column.as_str() == Some(index.name()));
    let column = if is_column {
        " column-order lists the index as a column, too. Possible cause: a column of this name was written over the names."
    } else {
        ""
    };
    let is_var = table.name() == "var";
    let whose = if is_var { "variable" } else { "observation" };
    let fix = format!("anndata 0.13.4 warns that {whose} names are not unique.{cause}{column}");
    let problem = Problem::new(Error::said(Code::AnndataTable, sentence).with_fix(fix));
    note_unless(!is_var, in_file_of(array, problem))
}
