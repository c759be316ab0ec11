//! Consolidated metadata: copies of many documents in one, made so that a reader needs to fetch only that.
//!
//! V2 keeps them in `.zmetadata`, V3 inside the `zarr.json` of a group. A copy can be older than what it copies, so it
//! is only used to notice nodes, and to be compared.

use crate::zarr::prelude::*;
use crate::zarr::{json::ROUNDED, store::join};

/// The copies that one group keeps of itself and of what is below it.
#[derive(Debug)]
pub struct Consolidated {
    /// The format of the copies.
    pub format: Format,
    /// The path of the group that keeps them.
    pub group: String,
    /// The key of the document that they are in, and its bytes.
    document: (String, Arc<Vec<u8>>),
    nodes: Nodes,
    /// The problems of the copies as such.
    pub problems: Vec<Problem>,
    /// True if the chunks are references in Parquet files: the document says how many are in each file.
    pub has_references: bool,
    /// True if no copied document is in the store, once that was looked for.
    alone: OnceLock<bool>,
}

/// Per node, relative to the group: the copies of its documents, by name.
type Nodes = BTreeMap<String, BTreeMap<&'static str, Arc<Json>>>;

/// The number of differing members of one document told apart.
const MAX_DIFFERENCES: usize = 16;

impl Consolidated {
    /// The copies in `document`, the `.zmetadata` or `zarr.json` of `group`; `None` where it holds none.
    pub fn read(document: RawDocument, format: Format, group: &str) -> Option<Self> {
        let RawDocument { key, bytes, json, problems: remarks, .. } = document;
        let (group, alone) = (group.to_owned(), OnceLock::new());
        let (mut nodes, mut problems, mut has_references) = (Nodes::new(), Vec::new(), false);
        match json.map(Arc::unwrap_or_clone) {
            // A zarr.json that is no JSON is told with its node.
            Err(error) if format == Format::V2 => problems.push(Problem::failed(error)),
            Err(_) => return None,
            Ok(mut root) => {
                let mut holder = match format {
                    Format::V2 => root,
                    Format::V3 => root.take("consolidated_metadata").filter(|it| !it.is_null())?,
                };
                has_references = format == Format::V2 && holder.get("record_size").is_some();
                let found = holder.describe();
                if let Some(Kind::Object(copies)) = holder.take("metadata").map(|it| it.kind) {
                    // In attributes JSON has no other way to say NaN; those of a zarr.json are told with its node.
                    let attributes = copies.iter().filter(|copy| copy.key.ends_with(".zattrs"));
                    let free: Vec<_> = attributes.map(|copy| copy.value.span()).collect();
                    let is_free = |problem: &Problem| {
                        let offset =
                            problem.error.place.offset.and_then(|it| usize::try_from(it).ok());
                        offset.is_none_or(|offset| free.iter().any(|span| span.contains(&offset)))
                    };
                    let is_told =
                        |it: &Problem| it.error.code == Code::BareNan && format == Format::V2;
                    let turned = copies.iter().find(|copy| is_turned(&copy.key, format));
                    let turned = turned.map(|copy| with_backslashes(&key, &copy.key));
                    for Member { key: copy, mut value, .. } in copies {
                        if let Some(inner) = value.as_str().and_then(|it| Json::parse_str(it).ok())
                            && inner.as_object().is_some()
                        {
                            if problems.is_empty() {
                                problems.push(as_text(&key, &copy, &value));
                            }
                            value = inner.strict();
                        }
                        let is_turned = is_turned(&copy, format);
                        let copy =
                            if is_turned { copy.replace('\\', "/") } else { copy.to_string() };
                        let (path, name) = split(&copy, format);
                        nodes.entry(path.to_owned()).or_default().insert(name, Arc::new(value));
                    }
                    problems.extend(turned);
                    problems.extend(remarks.into_iter().filter(|it| is_told(it) && !is_free(it)));
                } else {
                    let expected = "object \"metadata\"";
                    let error = Error::new(Code::Consolidated, found, expected);
                    let error = error.in_file(&key).at_offset(holder.span().start as u64);
                    problems.push(Problem::new(error.at("metadata")));
                }
            }
        }
        let document = (key, bytes);
        Some(Self { format, group, document, nodes, problems, has_references, alone })
    }

    /// The name in front of the paths of all nodes, where the group itself is under it. `exists` is asked for keys: by the copies
    /// nothing is there, and without the name there is.
    pub fn without_prefix(mut self, exists: impl Fn(&str) -> bool) -> Self {
        let prefix = self.nodes.keys().next().filter(|it| !it.is_empty()).cloned();
        let is_below = |path: &str, prefix: &str| {
            path.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let place = |path: &str, name: &str| join(&join(&self.group, path), name);
        let prefix = prefix.filter(|prefix| {
            let first = || self.nodes.iter().take(MAX_DIFFERENCES);
            self.nodes.keys().all(|path| is_below(path, prefix))
                && !first().any(|(path, names)| names.keys().any(|name| exists(&place(path, name))))
                && first().any(|(path, names)| {
                    let inside = path.get(prefix.len() + 1..).unwrap_or_default();
                    names.keys().any(|name| !inside.is_empty() && exists(&place(inside, name)))
                })
        });
        let Some(prefix) = prefix else { return self };
        let inside = |path: String| path.get(prefix.len() + 1..).unwrap_or_default().to_owned();
        self.nodes = self.nodes.into_iter().map(|(path, copies)| (inside(path), copies)).collect();
        let sentence = format!(
            "the keys of the consolidated copies begin with {}, which is no folder of this group",
            quoted(&format!("{prefix}/"))
        );
        let error = Error::said(Code::Consolidated, sentence);
        let fix = "Readers that use consolidated metadata find nothing. Likely cause: it was made one folder above. Consolidate again.";
        self.problems
            .push(Problem::new(error.at("metadata").in_file(&self.document.0).with_fix(fix)));
        self
    }

    /// True if there are copies of nodes below the group, and none of the copied documents is in the store, as with
    /// kerchunk's references and where only metadata were copied. `exists` is asked for keys until one is there.
    pub fn is_alone(&self, exists: impl Fn(&str) -> bool) -> bool {
        *self.alone.get_or_init(|| {
            let mut below = self.nodes.iter().filter(|(path, _)| !path.is_empty()).peekable();
            below.peek().is_some()
                && !below.any(|(path, documents)| {
                    let path = join(&self.group, path);
                    documents.keys().any(|name| exists(&join(&path, name)))
                })
        })
    }

    /// The note that the copies are all there is, or all there is in their format. `exists` is asked for keys.
    pub fn alone(&self, exists: impl Fn(&str) -> bool) -> Problem {
        let nodes = self.nodes.keys().filter(|path| !path.is_empty()).count();
        let found = format!(
            "the metadata of {}, none of which has documents of its own",
            counted(nodes, "node")
        );
        let error = Error::new(Code::ConsolidatedOnly, found, "");
        let fix = if self.format == Format::V2
            && self
                .nodes
                .keys()
                .take(MAX_DIFFERENCES)
                .any(|path| exists(&join(&self.group, &join(path, "zarr.json"))))
        {
            "It is of V2, and its nodes have documents of V3 now: remove it, so that no reader opens them by it."
        } else if self.has_references {
            "The chunks are references in Parquet files (fsspec, kerchunk), which zarrscope does not read."
        } else {
            "Readers that use consolidated metadata open them. That is fine where the chunks are stored elsewhere, as \
             with kerchunk references or a metadata-only copy."
        };
        // Readers that use the copies can open everything.
        Problem::new(error.at("metadata").in_file(&self.document.0).with_fix(fix))
            .with_severity(Severity::Note)
    }

    /// The key of the document that the copies are in.
    pub fn key(&self) -> &str {
        &self.document.0
    }

    /// The names of the nodes directly below `path`.
    pub fn children(&self, path: &str) -> Vec<String> {
        let Some(inside) = self.relative(path) else { return Vec::new() };
        let prefix = if inside.is_empty() { String::new() } else { format!("{inside}/") };
        let below = self.nodes.range(prefix.clone()..).map(|(path, _)| path.as_str());
        let mut names: Vec<String> = below
            .map_while(|path| path.strip_prefix(prefix.as_str()))
            .filter_map(|rest| rest.split('/').next())
            .filter(|name| !name.is_empty())
            .map(ToOwned::to_owned)
            .collect();
        names.dedup();
        names
    }

    /// True if there is a copy of the node at `path`.
    pub fn holds(&self, path: &str) -> bool {
        self.relative(path).is_some_and(|inside| self.nodes.contains_key(inside))
    }

    /// The copy of the document `name` of the node at `path`, as a document of its own whose spans point into the
    /// one that holds the copy.
    pub fn copy(&self, path: &str, name: &str) -> Option<RawDocument> {
        let json = self.nodes.get(self.relative(path)?)?.get(name)?;
        Some(RawDocument {
            key: self.document.0.clone(),
            bytes: Arc::clone(&self.document.1),
            json: Ok(Arc::clone(json)),
            problems: Vec::new(),
        })
    }

    /// True if the copies of the node at `path` say what these documents say.
    #[must_use]
    pub fn is_copy_of(&self, path: &str, own: &[RawDocument]) -> bool {
        let copies = self.relative(path).and_then(|inside| self.nodes.get(inside));
        copies.is_some_and(|copies| {
            let is_same = |(name, copy): (&&'static str, &Arc<Json>)| {
                let document = own
                    .iter()
                    .find(|it| it.key.rsplit('/').next() == Some(*name))
                    .and_then(RawDocument::root);
                document.is_some_and(|own| differences(copy, own).is_empty())
            };
            !copies.is_empty() && copies.iter().all(is_same)
        })
    }

    /// Compares the copies of the node at `path` with its own documents, which are of the same format. Where there are
    /// none, `advice` is what to do about it; without advice, that is told elsewhere.
    pub fn compare(
        &self,
        path: &str,
        own: &[RawDocument],
        advice: impl FnOnce() -> Option<String>,
    ) -> Vec<Problem> {
        let Some(copies) = self.relative(path).and_then(|inside| self.nodes.get(inside)) else {
            return self.absent(path, advice).into_iter().collect();
        };
        let names: &[&'static str] = match self.format {
            Format::V2 => &[".zarray", ".zgroup", ".zattrs"],
            Format::V3 => &["zarr.json"],
        };
        let mut problems = Vec::new();
        for name in names {
            let key = join(path, name);
            let own = own.iter().find(|document| document.key == key);
            let own = own.and_then(RawDocument::root);
            problems.extend(self.compare_one(path, name, copies.get(name).map(AsRef::as_ref), own));
        }
        problems
    }

    /// The problem that a node is on the disk and not among the copies. The group that keeps the copies need not be.
    fn absent(&self, path: &str, advice: impl FnOnce() -> Option<String>) -> Option<Problem> {
        if path == self.group {
            return None;
        }
        let expected = format!("a copy of {}", quoted(path));
        let error = Error::new(Code::ConsolidatedMissing, "no copy of the node", expected);
        let fix = advice()?;
        Some(Problem::new(error.at("metadata").in_file(&self.document.0).with_fix(fix)))
    }

    fn compare_one(
        &self,
        path: &str,
        name: &str,
        copy: Option<&Json>,
        own: Option<&Json>,
    ) -> Vec<Problem> {
        let empty = object! {};
        let (copy, own) = match (copy, own) {
            (None, None) => return Vec::new(),
            (copy, own) => (copy.unwrap_or(&empty), own.unwrap_or(&empty)),
        };
        let differing = differences(copy, own);
        let tell = |key: &str| self.differs(path, name, key, copy.get(key), own.get(key));
        differing.iter().take(MAX_DIFFERENCES).map(|key| tell(key)).collect()
    }

    fn differs(
        &self,
        path: &str,
        name: &str,
        key: &str,
        copy: Option<&Json>,
        own: Option<&Json>,
    ) -> Problem {
        let describe = |json: Option<&Json>| json.map_or_else(|| "nothing".to_owned(), brief);
        let inside = self.relative(path).unwrap_or_default();
        let entry = if self.format == Format::V2 { join(inside, name) } else { inside.to_owned() };
        let field = format!("metadata[{}].{key}", quoted(&entry));
        let expected = format!("{}, as in {}", describe(own), join(path, name));
        let mut error = Error::new(Code::ConsolidatedDiffers, describe(copy), expected).at(field);
        if let Some(copy) = copy {
            error = error.at_offset(copy.span().start as u64);
        }
        let rounded = copy.zip(own).is_some_and(|(copy, own)| copy.is_rounded(own));
        let fix = "Readers that use consolidated metadata see this copy: consolidate again.";
        let fix = if rounded { format!("{fix} {ROUNDED}") } else { fix.to_owned() };
        let about_values = name == ".zattrs" || key == "attributes";
        let severity = if about_values { Severity::Warning } else { Severity::Error };
        Problem::new(error.in_file(&self.document.0).with_fix(fix)).with_severity(severity)
    }

    /// `path` relative to the group; `None` where it is not below it.
    fn relative<'p>(&self, path: &'p str) -> Option<&'p str> {
        if self.group.is_empty() {
            return Some(path);
        }
        let rest = path.strip_prefix(self.group.as_str())?;
        if rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') }
    }
}

/// True if the key of a copy is joined as Windows joins paths: no document has such a name.
fn is_turned(key: &str, format: Format) -> bool {
    let name = key.rsplit_once('\\').map(|(_, name)| name);
    format == Format::V2 && name.is_some_and(|name| name.starts_with(".z"))
}

/// The error on such keys, one of which is `copy`.
fn with_backslashes(document: &str, copy: &str) -> Problem {
    let sentence =
        format!("the keys of the consolidated copies have backslashes, such as {}", quoted(copy));
    let error = Error::said(Code::Consolidated, sentence).at("metadata").in_file(document);
    let fix = "zarr-python 3.4.2 raises ValueError when it opens the group, unless told use_consolidated=False. Likely cause: the paths were \
               joined on Windows. Consolidate again.";
    Problem::new(error.with_fix(fix))
}

/// True if two names are the same but for letters with marks: one character in the one, a letter and combining marks after
/// it in the other.
pub(in crate::zarr) fn differ_in_marks(a: &str, b: &str) -> bool {
    let is_mark = |c: char| ('\u{300}'..='\u{36f}').contains(&c);
    let is_composed = |c: char| !c.is_ascii() && c.is_alphabetic();
    let (mut left, mut right) = (a.chars().peekable(), b.chars().peekable());
    let mut differences = 0;
    loop {
        let (mut one, mut other) = (left.next(), right.next());
        if one.is_none() && other.is_none() {
            return differences > 0;
        }
        if one == other {
            continue;
        }
        let is_left = left.peek().is_some_and(|c| is_mark(*c));
        if is_left {
            std::mem::swap(&mut one, &mut other);
        }
        let marked = if is_left { &mut left } else { &mut right };
        let marks = std::iter::from_fn(|| marked.next_if(|c| is_mark(*c))).count();
        // Now `other` is the letter, and `one` what it is with its marks.
        if marks == 0 || !one.is_some_and(is_composed) || !other.is_some_and(char::is_alphabetic) {
            return false;
        }
        differences += 1;
    }
}

/// The problem that copies are strings that hold JSON.
fn as_text(document: &str, key: &str, json: &Json) -> Problem {
    let sentence =
        format!("the copies are strings that hold JSON, such as that of {}", quoted(key));
    let error = Error::said(Code::Consolidated, sentence);
    let error = error.in_file(document).at("metadata").at_offset(json.span().start as u64);
    let fix = "Readers need the objects themselves. Likely cause: each document was encoded as JSON twice. Consolidate again.";
    Problem::new(error.with_fix(fix))
}

/// The node, and the document of it, that a member of the copies is of.
fn split(key: &str, format: Format) -> (&str, &'static str) {
    if format == Format::V2 {
        for name in [".zarray", ".zgroup", ".zattrs"] {
            if key == name {
                return ("", name);
            }
            if let Some(path) = key.strip_suffix(name).and_then(|path| path.strip_suffix('/')) {
                return (path, name);
            }
        }
    }
    (key, "zarr.json")
}

/// The members in which two documents differ in what they say. Members that mean the same absent and empty are the
/// same, and the copies inside a copy are not compared.
fn differences<'a>(copy: &'a Json, own: &'a Json) -> Vec<&'a str> {
    let members = [copy, own].into_iter().filter_map(Json::as_object).flatten();
    let mut keys: Vec<&str> = members.map(|member| member.key.as_str()).collect();
    keys.sort_unstable();
    keys.dedup();
    keys.retain(|&key| {
        let differs = copy.get(key) != own.get(key);
        differs && key != "consolidated_metadata" && said(copy, key) != said(own, key)
    });
    keys
}

/// The value of a member, in one form for all that mean the same; `None` for one that its absence means as well.
fn said(json: &Json, key: &str) -> Option<Json> {
    let value = json.get(key)?.strict();
    let is_empty = value.as_object().is_some_and(<[_]>::is_empty)
        || value.as_array().is_some_and(<[_]>::is_empty);
    match key {
        "attributes" | "storage_transformers" if is_empty => None,
        "dimension_names" if value.is_null() => None,
        "dimension_separator" if value.is_null() || value.as_str() == Some(".") => None,
        "filters" if is_empty => Some(Json::NULL),
        "chunk_key_encoding" => Some(key_encoding(&value).unwrap_or(value)),
        _ => Some(value),
    }
}

/// A V3 chunk key encoding with the separator that it means.
fn key_encoding(value: &Json) -> Option<Json> {
    let name = value.as_str().or_else(|| value.get_str("name"))?;
    let default = if name == "default" { "/" } else { "." };
    let named = value.get("configuration").and_then(|inside| inside.get_str("separator"));
    Some(object! {"name": name, "separator": named.unwrap_or(default)})
}

/// A value in few words: itself where it is short.
fn brief(json: &Json) -> String {
    const SHORT: usize = 60;
    let text = json.strict().to_string();
    match json.get_str("id") {
        _ if text.len() <= SHORT => text,
        Some(id) => format!("{} with id {}", json.describe(), quoted(id)),
        None => json.describe(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nan_that_is_no_json_is_told_but_for_attributes() {
        let text = r#"{"zarr_consolidated_format": 1, "metadata": {
            "a/.zattrs": {"missing": NaN}, "a/.zarray": {"fill_value": NaN}, "b/.zarray": {"fill_value": "NaN"}}}"#;
        let document = RawDocument::new(".zmetadata", text.as_bytes().to_vec());
        let found = Consolidated::read(document, Format::V2, "").unwrap();
        let told: Vec<_> = found.problems.iter().map(|it| (it.error.code, it.severity)).collect();
        assert_eq!(told, [(Code::BareNan, Severity::Error)]);
    }

    #[test]
    fn names_differ_in_marks_alone() {
        for (a, b, is_so) in [
            ("gro\u{308}ße", "größe", true),
            ("größe", "gro\u{308}ße/.zarray", false),
            ("n\u{303}u\u{308}", "ñü", true),
            ("größe", "größe", false),
            ("größe", "grosse", false),
            ("gröe", "größe", false),
            ("a", "\u{301}a", false),
        ] {
            assert_eq!(differ_in_marks(a, b), is_so, "{a} {b}");
            assert_eq!(differ_in_marks(b, a), is_so, "{b} {a}");
        }
    }
}
