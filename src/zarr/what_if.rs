//! Reading a node as if its document declared something else: `dtype=<f4`, `endian=big`, `codecs=[…]`.
//!
//! A what-if is a list of settings. Each becomes an edit of the document, and the edited document is read by the same
//! parser as any other: what a reader would make of the store after such an edit is what is shown. The store itself is
//! never changed; [`WhatIf::over`] lays the edited document over it.

use super::prelude::*;
use super::{
    error::{Change, DocumentEdit, FileContent, Place, Result},
    metadata::{v2, v3},
    settings::{GUESS, Setting},
    store::join,
};
use edit::{Edit, apply, document_edit, steps, steps_of};

mod copies;
pub mod edit;
mod in_v2;
mod in_v3;
mod overlay;
mod sequence;

pub(in crate::zarr) use super::settings::SettingMember;
pub use super::settings::{MEMBERS, WhatIf};
pub use copies::add_copies;
pub use overlay::OverlayStore;
pub use sequence::FixSequence;

impl WhatIf {
    /// Another byte order.
    pub(in crate::zarr) fn endian(order: Endian) -> Self {
        Self::of(SettingMember::Endian, order.word())
    }

    /// Other filters of V2.
    pub(in crate::zarr) fn filters(filters: Vec<Json>) -> Self {
        let filters = if filters.is_empty() { Json::NULL } else { filters.into() };
        Self::of(SettingMember::Filters, filters)
    }

    /// The cause that `array` declares something else, with the edit that makes it declare this.
    pub(in crate::zarr) fn mending(&self, array: &ArrayMetadata, cause: Diagnosis) -> Diagnosis {
        let change = match self.edit(array) {
            Ok(edit) => Change::Metadata(self.clone(), vec![edit]),
            Err(_) => Change::Reading(self.clone()),
        };
        Diagnosis { change: Some(change), ..cause }
    }

    /// Reads settings with spaces between them: `dtype=<f4 endian=big`, `/codecs/0/name="zstd"`.
    ///
    /// # Errors
    ///
    /// If something is no setting; says what would be one.
    pub fn parse(text: &str) -> Result<Self> {
        let settings = words(text).into_iter().map(setting).collect::<Result<Vec<_>>>()?;
        let none = || Error::new(Code::InvalidArgument, "no setting", EXPECTED);
        if settings.is_empty() { Err(none()) } else { Ok(Self(settings)) }
    }

    /// The changes of the document of `array` that these settings are.
    ///
    /// # Errors
    ///
    /// If a setting makes no sense for it.
    pub fn edits(&self, array: &ArrayMetadata) -> Result<Vec<Edit>> {
        let mut edits = Vec::new();
        let mut current = array.clone();
        for setting in &self.0 {
            let more = match setting {
                Setting::At(pointer, value) if value.is_empty() => {
                    vec![Edit::remove(steps_of(pointer))]
                }
                Setting::At(pointer, value) => vec![Edit::set(steps_of(pointer), plain(value))],
                Setting::Of(member, value) => {
                    let read = match current.format {
                        Format::V2 => in_v2::edits,
                        Format::V3 => in_v3::edits,
                    };
                    // The key says where, whatever part of the value it is.
                    read(*member, value, &current).map_err(|error| {
                        Error { place: Place::default(), ..error }.at(member.word())
                    })?
                }
            };
            current = edited(&current, &more)?;
            edits.extend(more);
        }
        // A data type may not have the fill value that is declared; its own default is then the least of all claims.
        match &current.fill_value {
            FillValue::Unreadable { .. } => edits.extend(default_fill(&current)),
            // It may have it, and not in the form in which it is declared.
            FillValue::Value { scalar, .. } if new_fault(array, &current).is_some() => {
                edits.extend(fill(&current, scalar));
            }
            _ => {}
        }
        Ok(edits)
    }

    /// `array` as it is read so.
    ///
    /// # Errors
    ///
    /// As [`Self::edits`].
    pub fn apply(&self, array: &ArrayMetadata) -> Result<ArrayMetadata> {
        let mut array = edited(array, &self.edits(array)?)?;
        array.registry.ignores_checksums |= self.sets(SettingMember::Checksums);
        Ok(array)
    }

    /// The document of `array` that declares it so.
    ///
    /// # Errors
    ///
    /// As [`Self::edits`]; also where the document says the same already, or would have a fault that it does not have
    /// as stored.
    pub fn document(&self, array: &ArrayMetadata) -> Result<Vec<u8>> {
        let old = document(array)?;
        let bytes = apply(&old.bytes, &self.edits(array)?)?;
        let new = RawDocument::new(&old.key, bytes.clone());
        let text = |document: &RawDocument| document.root().map(|root| unplaced(root).to_string());
        if text(old) == text(&new) && !self.sets(SettingMember::Checksums) {
            let found = format!("{self}, as the metadata declares already");
            return Err(Error::new(Code::InvalidArgument, found, "another value"));
        }
        new_fault(array, &read(array, new)).map_or(Ok(bytes), Err)
    }

    /// `hierarchy` with the array at `path` declared so, which has a document.
    ///
    /// # Errors
    ///
    /// As [`Self::document`], and where there is no array at `path`.
    pub(in crate::zarr) fn over_declared(
        &self,
        hierarchy: &Hierarchy,
        path: &NodePath,
    ) -> Result<Hierarchy> {
        let NodeKind::Array(array) = hierarchy.node(path).kind else {
            let found = "a node without a data type and codecs";
            return Err(Error::new(Code::NotAnArray, found, "an array"));
        };
        let bytes = self.document(&array)?;
        let name = array.format.array_document();
        let key = join(&path.0, name);
        let store = OverlayStore::new(Arc::clone(&hierarchy.store), FileContent::of(&key, bytes));
        let mut over = hierarchy.clone();
        over.store = Arc::new(store);
        if self.sets(SettingMember::Checksums) {
            let registry = Registry { ignores_checksums: true, ..(*hierarchy.registry).clone() };
            over = over.with_apart(key, registry);
        }
        Ok(over)
    }

    /// The edit of the document that declares it so.
    ///
    /// # Errors
    ///
    /// As [`Self::edits`].
    pub fn edit(&self, array: &ArrayMetadata) -> Result<DocumentEdit> {
        let document = document(array)?;
        document_edit(&document.key, &document.bytes, &self.edits(array)?)
    }
}

/// The settings that `array` has in its document, for somebody who will change one: `dtype=int16 endian=big`. Those
/// that are long are left out.
pub fn in_use(array: &ArrayMetadata) -> String {
    let mut words = Vec::new();
    let data_type = array.data_type_json().and_then(Json::as_str);
    words.extend(data_type.map(|name| format!("dtype={name}")));
    match array.format {
        Format::V2 => words.push(format!("order={}", if array.fortran { "F" } else { "C" })),
        Format::V3 => {
            let order = array.known_data_type().and_then(|known| known.order.uniform());
            words.extend(order.map(|order| format!("endian={}", order.word())));
        }
    }
    words.join(" ")
}

const EXPECTED: &str = "settings such as dtype=<f4, endian=big, order=F, codecs=[…], shape=…, chunks=…, fill=…, keys=…, checksums=ignore, document=guess";

fn setting(word: &str) -> Result<Setting> {
    let unknown = || Error::new(Code::InvalidArgument, quoted(word), EXPECTED);
    let (name, value) = word.split_once('=').ok_or_else(unknown)?;
    if name.starts_with('/') {
        return Ok(Setting::At(name.to_owned(), value.to_owned()));
    }
    // The names that the documents have are as good.
    let name = match name {
        "data_type" => "dtype",
        "chunk_shape" => "chunks",
        "fill_value" => "fill",
        "separator" | "dimension_separator" => "keys",
        name => name,
    };
    let member =
        SettingMember::ALL.into_iter().find(|member| member.word() == name).ok_or_else(unknown)?;
    let only = match member {
        SettingMember::Checksums => "ignore",
        SettingMember::Document => GUESS,
        _ => value,
    };
    if value != only {
        let expected = format!("{name}={only}");
        return Err(Error::new(Code::InvalidArgument, quoted(word), expected));
    }
    Ok(Setting::Of(member, value.to_owned()))
}

/// The words of a text: spaces inside brackets and quotes do not count.
fn words(text: &str) -> Vec<&str> {
    let (mut depth, mut is_quoted, mut start, mut found) = (0_i32, false, 0, Vec::new());
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match c {
            '"' => is_quoted = !is_quoted,
            '[' | '{' if !is_quoted => depth += 1,
            ']' | '}' if !is_quoted => depth -= 1,
            c if c.is_whitespace() && !is_quoted && depth <= 0 => {
                found.extend(text.get(start..at).filter(|word| !word.is_empty()));
                start = at + c.len_utf8();
            }
            _ => {}
        }
    }
    found.extend(text.get(start..).filter(|word| !word.is_empty()));
    found
}

/// A value as typed: JSON, or else a string.
fn plain(text: &str) -> Json {
    Json::parse_str(text).map_or_else(|_| Json::from(text), |json| unplaced(&json))
}

/// The same value, standing in no document.
fn unplaced(json: &Json) -> Json {
    match &json.kind {
        Kind::Array(items) => items.iter().map(unplaced).collect(),
        Kind::Object(members) => {
            Json::object(members.iter().map(|member| (member.key.clone(), unplaced(&member.value))))
        }
        kind => Json::made(kind.clone()),
    }
}

/// Lengths as typed: `10,20` or `[10,20]`.
fn lengths(text: &str) -> Result<Json> {
    let bare = text.trim().trim_start_matches('[').trim_end_matches(']');
    let numbers = bare.split(',').map(|number| number.trim().parse::<u64>());
    let numbers = if bare.is_empty() { Ok(Vec::new()) } else { numbers.collect() };
    numbers.map(Json::from).map_err(|_not_a_number| {
        Error::new(Code::InvalidArgument, quoted(text), "lengths such as 10,20")
    })
}

/// Codecs as typed: a list of them, one, or the names of some with commas between them. `key` is what names a codec.
fn codecs(text: &str, key: &str) -> Result<Vec<Json>> {
    let codec = |json: &Json| match json.as_str() {
        Some(name) => Json::object([(key, name)]),
        None => unplaced(json),
    };
    if text.trim_start().starts_with(['[', '{']) || text == "null" {
        let json = Json::parse_str(text)?;
        return Ok(match &json.kind {
            Kind::Null => Vec::new(),
            Kind::Array(items) => items.iter().map(codec).collect(),
            _ => vec![codec(&json)],
        });
    }
    let names = text.split(',').map(str::trim).filter(|name| !name.is_empty());
    Ok(names.map(|name| Json::object([(key, name)])).collect())
}

/// The first document of an array, which is the one that is edited.
fn document(array: &ArrayMetadata) -> Result<&RawDocument> {
    array.documents.first().filter(|document| document.root().is_some()).ok_or_else(|| {
        Error::new(Code::NotAnObject, "no document that can be edited", "a .zarray or zarr.json")
    })
}

/// `array` after `edits` of its document.
fn edited(array: &ArrayMetadata, edits: &[Edit]) -> Result<ArrayMetadata> {
    let old = document(array)?;
    Ok(read(array, RawDocument::new(&old.key, apply(&old.bytes, edits)?)))
}

/// The metadata of `array` with `document` in the place of its own.
fn read(array: &ArrayMetadata, document: RawDocument) -> ArrayMetadata {
    match array.format {
        Format::V2 => v2::array(document, array.documents.get(1).cloned(), &array.registry),
        Format::V3 => v3::array(document, &array.registry),
    }
}

/// The first fault in the document of `new`, or codec that cannot be decoded, that is not in that of `old`.
fn new_fault(old: &ArrayMetadata, new: &ArrayMetadata) -> Option<Error> {
    let is_old = |problem: &&Problem| {
        let same = |old: &Problem| {
            (old.error.code, &old.error.place.field)
                == (problem.error.code, &problem.error.place.field)
        };
        old.problems.iter().any(same)
    };
    let fault = new
        .problems
        .iter()
        .filter(|problem| matches!(problem.severity, Severity::Error | Severity::Limit))
        .find(|problem| !is_old(problem))?;
    let mut error = fault.error.clone();
    // The document that has such a byte is nowhere to be looked at.
    error.place.offset = None;
    Some(error)
}

fn default_fill(array: &ArrayMetadata) -> Option<Edit> {
    fill(array, &array.known_data_type()?.data_type.default_scalar())
}

fn fill(array: &ArrayMetadata, scalar: &Scalar) -> Option<Edit> {
    let resolved = array.known_data_type()?;
    let json = resolved.data_type.fill_to_json(scalar, array.format, &resolved.order).ok()?;
    Some(Edit::set(steps!["fill_value"], json))
}

/// The codecs of an array as its document has them, for settings that keep some.
fn specs(array: &ArrayMetadata) -> Result<&[CodecSpec]> {
    array.codecs.as_deref().map_err(Clone::clone)
}

#[cfg(test)]
mod tests;
