//! Features as they are collected, and how values are written in forms.

use crate::zarr::prelude::*;

/// One feature of a document.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Feature {
    /// The member that has it, as a path: `codecs[1].configuration.level`; in parentheses what is no member.
    pub member: String,
    /// Its forms, from the most specific to the most general.
    pub forms: Vec<String>,
}

/// Features as they are collected.
pub(super) struct Features {
    pub(super) format: Format,
    found: Vec<Feature>,
}

impl Features {
    /// None yet, of a document in `format`.
    pub(super) fn of(format: Format) -> Self {
        Self { format, found: Vec::new() }
    }

    /// The features found, each once.
    pub(super) fn into_unique(self) -> Vec<Feature> {
        let mut seen: HashSet<Feature> = HashSet::with_capacity(self.found.len());
        self.found.into_iter().filter(|feature| seen.insert(feature.clone())).collect()
    }

    /// Adds a feature of `member`, known by `forms`.
    pub(super) fn add<T: AsRef<str>>(&mut self, member: impl Into<String>, forms: &[T]) {
        let name = self.format.name();
        let mut known: Vec<String> = Vec::new();
        for form in forms {
            let form = format!("{name} {}", form.as_ref());
            if !known.contains(&form) {
                known.push(form);
            }
        }
        self.found.push(Feature { member: member.into(), forms: known });
    }
}

/// A short value as it is written; the kind of a longer one.
pub(super) fn literal(json: Option<&Json>) -> String {
    match json {
        None => "absent".into(),
        Some(json) if json.as_array().is_some_and(<[Json]>::is_empty) => "[]".into(),
        Some(json) if json.as_object().is_some_and(<[_]>::is_empty) => "{}".into(),
        Some(json) if json.as_array().is_some() => "a list".into(),
        Some(json) if json.as_object().is_some() => "an object".into(),
        Some(json) => {
            let text = json.to_string();
            if text.chars().count() > 40 { "a long text".into() } else { text }
        }
    }
}

/// The name of an extension: a string, or the member `name`.
pub(super) fn extension_name(json: &Json) -> Option<&str> {
    json.as_str().or_else(|| json.get_str("name"))
}
