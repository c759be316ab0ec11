//! One metadata document, the problems found in it, and the shape that V3 gives to what can be extended.

use crate::zarr::prelude::*;
use crate::zarr::{
    error::{Place, Result},
    text,
};

/// A metadata document as it is in the store.
#[derive(Debug, Clone)]
pub struct RawDocument {
    /// Its store key: `a/.zarray`, `a/.zattrs`, `a/zarr.json`; for metadata that only a consolidated copy has, the
    /// key of the document that holds the copy.
    pub key: String,
    /// Its bytes; for a copy, those of the whole document around it.
    pub bytes: Arc<Vec<u8>>,
    /// The bytes as JSON, or why they are none. Spans count from the start of `bytes`.
    pub json: Result<Arc<Json>, Error>,
    /// The problems that a strict JSON reader has with it, with their places.
    pub problems: Vec<Problem>,
}

impl RawDocument {
    /// Reads `bytes`, found under `key`.
    pub fn new(key: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        let (key, bytes) = (key.into(), Arc::new(bytes.into()));
        match Json::parse(&bytes) {
            Ok(document) => {
                let problems = strictness(&document.root, document.problems, &key);
                Self { key, bytes, json: Ok(Arc::new(document.root)), problems }
            }
            Err(error) => {
                let error = Error { fix: looks_like(&bytes).or(error.fix), ..error }.in_file(&key);
                Self { key, bytes, json: Err(error), problems: Vec::new() }
            }
        }
    }

    /// The document's members.
    ///
    /// # Errors
    ///
    /// If it is not JSON, or no object.
    pub fn object(&self) -> Result<&[Member]> {
        let json = self.json.as_ref().map_err(Clone::clone)?;
        json.as_object().ok_or_else(|| {
            Error::new(Code::NotAnObject, json.describe(), "an object")
                .in_file(&self.key)
                .at_offset(json.span().start as u64)
        })
    }

    /// The document as JSON; `None` where it is none.
    pub fn root(&self) -> Option<&Json> {
        self.json.as_ref().ok().map(AsRef::as_ref)
    }
}

/// The format of bytes that are no JSON.
fn looks_like(bytes: &[u8]) -> Option<String> {
    Some(match bytes {
        [] => "The file is empty. Likely cause: its writer stopped before the first byte.".into(),
        _ if bytes.len() < 4096 && bytes.windows(14).any(|text| text == b"annex/objects/") => {
            "It is a git-annex pointer: run `git annex get` in the repository.".into()
        }
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => "It is UTF-16: save it as UTF-8.".into(),
        [b'{', rest @ ..] if rest.trim_ascii_start().starts_with(b"'") => {
            "It looks like a printed Python dictionary: JSON requires double quotes.".into()
        }
        _ => format!("It looks like {}.", Codecs::default().looks_like(bytes)?),
    })
}

/// Puts file and severity to what the JSON reader remarked. A byte order mark, or a bare NaN outside of attributes,
/// makes a document that strict readers cannot open, though it has a spelling that they can; in attributes JSON has
/// no other way to say NaN.
fn strictness(root: &Json, found: Vec<Problem>, key: &str) -> Vec<Problem> {
    let attributes = match root.get("attributes") {
        Some(attributes) => attributes.span(),
        None if key.ends_with(".zattrs") => root.span(),
        None => 0..0,
    };
    let judge = |problem: Problem| {
        let offset = problem.error.place.offset.and_then(|offset| usize::try_from(offset).ok());
        let free = offset.is_some_and(|offset| attributes.contains(&offset));
        let severity = match problem.error.code {
            Code::BareNan if !free => Severity::Error,
            _ => problem.severity,
        };
        Problem { severity, error: problem.error.in_file(key), ..problem }
    };
    found.into_iter().map(judge).collect()
}

/// Collects the problems of one document while its fields are understood one by one.
pub(super) struct Faults<'a> {
    document: &'a RawDocument,
    pub(super) problems: Vec<Problem>,
}

impl<'a> Faults<'a> {
    /// Starts with what the JSON reader remarked.
    pub(super) fn new(document: &'a RawDocument) -> Self {
        Self { document, problems: document.problems.clone() }
    }

    /// The member `key`; where there is none, the error that names it, already collected.
    pub(super) fn required(&mut self, key: &'static str) -> Result<&'a Json> {
        match self.optional(key) {
            Some(json) => Ok(json),
            None => Err(self.missing(key)),
        }
    }

    /// The member `key`, where there is one.
    pub(super) fn optional(&self, key: &str) -> Option<&'a Json> {
        self.document.root()?.get(key)
    }

    /// All members.
    pub(super) fn members(&self) -> &'a [Member] {
        self.document.root().and_then(Json::as_object).unwrap_or_default()
    }

    fn missing(&mut self, key: &'static str) -> Error {
        let error = Error::new(Code::MissingField, "nothing", format!("a member {}", quoted(key)));
        self.push(Code::MissingField.severity(), error.at(key).in_file(&self.document.key))
    }

    /// Collects `error` about `json`, and gives it back with its place filled in.
    pub(super) fn add(&mut self, json: &Json, error: Error) -> Error {
        self.add_as(error.code.severity(), json, error)
    }

    /// Adds the error that `json` at `field` is nothing of what is expected there, and gives it back.
    pub(super) fn wrong(&mut self, json: &Json, field: &str, code: Code, expected: &str) -> Error {
        self.add(json, Error::new(code, json.describe(), expected).at(field))
    }

    /// Collects a note on a value that was read.
    pub(super) fn remark(&mut self, field: &str, json: &Json, note: &Note) {
        let severity = match note.code {
            // V2 has few rules for values, and readers take these forms.
            Code::SpecForbids if self.document.key.ends_with(".zarray") => Severity::Warning,
            code => code.severity(),
        };
        let error = Error::new(note.code, note.text.clone(), "");
        self.add_as(severity, json, error.at(field));
    }

    /// Collects `error` about `json` at another severity than its code has.
    pub(super) fn add_as(&mut self, severity: Severity, json: &Json, error: Error) -> Error {
        let Place { offset, .. } = error.place;
        let error = match offset {
            None if !json.span().is_empty() => error.at_offset(json.span().start as u64),
            _ => error,
        };
        self.push(severity, error.in_file(&self.document.key))
    }

    fn push(&mut self, severity: Severity, error: Error) -> Error {
        self.problems.push(Problem { severity, ..Problem::new(error.clone()) });
        error
    }
}

/// A chunk grid, a chunk key encoding or a storage transformer as the document names it: a name, a configuration, and
/// whether a reader that does not know it may go on.
#[derive(Clone, Copy)]
pub(super) struct ExtensionPoint<'a> {
    pub(super) name: &'a str,
    pub(super) configuration: Option<&'a Json>,
    /// Members beside name, configuration and `must_understand`.
    pub(super) rest: &'a [Member],
}

impl<'a> ExtensionPoint<'a> {
    /// Reads `json`: a mere name, or an object with one. `must_understand: false` is collected as an error, because
    /// none of these may be ignored.
    pub(super) fn read(json: &'a Json, field: &str, faults: &mut Faults) -> Result<Self> {
        if let Some(name) = json.as_str() {
            return Ok(Self { name, configuration: None, rest: &[] });
        }
        let expected = "a name, or an object with one";
        let refused =
            |found: String| Error::new(Code::MalformedExtension, found, expected).at(field);
        let (Some(rest), Some(name)) = (json.as_object(), json.get("name")) else {
            return Err(faults.add(json, refused(json.describe())));
        };
        let Some(name) = name.as_str() else {
            return Err(faults.add(name, refused(format!("{} as the name", name.describe()))));
        };
        let configuration = json.get("configuration");
        if let Some(other) = configuration.filter(|json| json.as_object().is_none()) {
            let field = format!("{field}.configuration");
            faults.wrong(other, &field, Code::MalformedExtension, "an object");
        }
        if let Some(flag) = json.get("must_understand").filter(|flag| flag.kind != Kind::Bool(true))
        {
            let field = format!("{field}.must_understand");
            faults.wrong(flag, &field, Code::MustUnderstand, "true: this cannot be ignored");
        }
        Ok(Self { name, configuration, rest })
    }

    /// The member `key` of the configuration.
    pub(super) fn get(&self, key: &str) -> Option<&'a Json> {
        self.configuration?.get(key)
    }

    /// Says that only zarrs is known to read it.
    pub(super) fn unregistered(&self, json: &Json, field: &str, faults: &mut Faults) {
        let (found, expected) = (quoted(self.name), "a registered name");
        let error = Error::new(Code::UnregisteredExtension, found, expected);
        let fix = "zarrs 0.23.14 reads it; zarr-python 3.4.2, TensorStore 0.1.86 and GDAL 3.12.2 refuse it.";
        faults.add(json, error.at(field).with_fix(fix));
    }

    /// Collects every member of the object and of its configuration that is not known.
    pub(super) fn only(&self, keys: &[&str], field: &str, faults: &mut Faults) {
        let beside = ["name", "configuration", "must_understand"];
        unknown(self.rest, &beside, field, faults);
        let inside = self.configuration.and_then(Json::as_object).unwrap_or_default();
        unknown(inside, keys, &format!("{field}.configuration"), faults);
    }
}

/// Collects the note that texts are UTF-8 read as Windows-1252 and written again, such as `Â°` for `°`.
pub(super) fn misread_texts(attributes: &Json, above: &str, faults: &mut Faults) {
    let mut found = Vec::new();
    misread(attributes, above, &mut found);
    let Some((field, json, text, meant)) = found.first() else { return };
    let error = Error::new(Code::NotUtf8, json.describe(), quoted(meant)).saying(format!(
        "{field} is {}: likely {} in UTF-8, read as Windows-1252 and written again",
        quoted(text),
        quoted(meant)
    ));
    let more = (found.len() - 1) as u64;
    let fix = (more > 0)
        .then(|| format!("{} in these attributes: decode them all.", counted(more, "more text")));
    faults.add_as(Severity::Note, json, Error { fix, ..error.at(field) });
}

/// A text of that kind: its field, itself, its text, and the text that was meant.
type MisreadText<'a> = (String, &'a Json, &'a str, String);

fn misread<'a>(json: &'a Json, field: &str, found: &mut Vec<MisreadText<'a>>) {
    for item in json.as_array().unwrap_or_default() {
        misread(item, field, found);
    }
    for Member { key, value, .. } in json.as_object().unwrap_or_default() {
        let dot = if field.is_empty() { "" } else { "." };
        misread(value, &format!("{field}{dot}{key}"), found);
    }
    if let Some(text) = json.as_str()
        && let Some(meant) = text::misread(text)
    {
        found.push((field.to_owned(), json, text, meant));
    }
}

/// The members of a document that are none of `known`, each with the error that it is of no specification.
pub(super) fn strangers<'a>(
    known: &[&str],
    format: Format,
    faults: &Faults<'a>,
) -> Vec<(&'a Member, Error)> {
    let unknown = faults.members().iter().filter(|member| !known.contains(&member.key.as_str()));
    let told = |member: &'a Member| {
        let found = format!("the member {}", quoted(&member.key));
        let expected = format!("only members that the {} specification defines", format.name());
        let error = Error::new(Code::UnknownMember, found, expected).at(&member.key);
        (member, error.at_offset(member.key_span().start as u64))
    };
    unknown.map(told).collect()
}

fn unknown(members: &[Member], known: &[&str], field: &str, faults: &mut Faults) {
    for member in members.iter().filter(|member| !known.contains(&member.key.as_str())) {
        let found = format!("the member {}", quoted(&member.key));
        let expected = known.iter().map(|key| quoted(key)).joined(", ");
        let error = Error::new(Code::UnknownMember, found, format!("only {expected}"));
        faults.add(&member.value, error.at(field).at_offset(member.key_span().start as u64));
    }
}
