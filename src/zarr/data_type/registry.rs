//! The registry of data types, which finds the one that a text means.

use super::prelude::*;
use super::refusal::{self, Asked};

/// The known families of data types. A clone shares them until one of both is changed.
///
/// Resolution asks every family: none and several are both errors, which name the candidates.
///
/// # A data type of one's own
///
/// Implement [`DataType`] and [`Family`], and register the family: it is then known everywhere, from
/// metadata to the screen ([`Hierarchy::open_with`](crate::zarr::Hierarchy::open_with) and `tui::Options` take a
/// registry that holds these). This is `examples/own_data_type.rs`:
///
/// ```
#[doc = include_str!("../../../examples/own_data_type.rs")]
/// ```
#[derive(Debug, Clone)]
pub struct DataTypes {
    families: Arc<Vec<Arc<dyn Family>>>,
}

impl DataTypes {
    /// A registry that knows nothing.
    pub fn empty() -> Self {
        Self { families: Arc::default() }
    }

    /// Adds a family. One of the same name is replaced, and given back.
    pub fn register(&mut self, family: Arc<dyn Family>) -> Option<Arc<dyn Family>> {
        let old = self.unregister(family.name());
        Arc::make_mut(&mut self.families).push(family);
        old
    }

    /// Takes a family out, and gives it back.
    pub fn unregister(&mut self, name: &str) -> Option<Arc<dyn Family>> {
        let at = self.families.iter().position(|family| family.name() == name)?;
        Some(Arc::make_mut(&mut self.families).remove(at))
    }

    /// The families in the order of their registration.
    pub fn families(&self) -> impl Iterator<Item = &Arc<dyn Family>> {
        self.families.iter()
    }

    /// Resolves a V2 `dtype`.
    ///
    /// # Errors
    ///
    /// If no family, or more than one, knows it, or the one that knows it finds it malformed.
    pub fn from_v2(&self, dtype: &Json, object_codec: Option<&str>) -> Result<Resolved> {
        let resolved = self.from_v2_in(dtype, object_codec, &Scope { registry: self, depth: 0 })?;
        let codec = object_codec.filter(|_| dtype.as_str() != Some("|O"));
        Ok(resolved.noted(codec.map(|codec| {
            let text = format!(
                "The codec {codec} is only for \"|O\"; zarr-python 3.4.2 refuses it with any other dtype."
            );
            Note::new(Code::NeedlessObjectCodec, text)
        })))
    }

    /// Resolves the V2 `dtype` of a field.
    ///
    /// # Errors
    ///
    /// As [`Self::from_v2`].
    pub fn from_v2_in(
        &self,
        dtype: &Json,
        object_codec: Option<&str>,
        scope: &Scope,
    ) -> Result<Resolved> {
        let ask = |family: &Arc<dyn Family>| family.from_v2(dtype, object_codec, scope);
        self.one(dtype, ask, || refusal::unknown(scope, dtype, Asked::V2, object_codec))
    }

    /// Resolves a V3 `data_type`.
    ///
    /// # Errors
    ///
    /// As [`Self::from_v2`].
    pub fn from_v3(&self, data_type: &Json) -> Result<Resolved> {
        self.from_v3_in(data_type, &Scope { registry: self, depth: 0 })
    }

    /// Resolves the V3 `data_type` of a field.
    ///
    /// # Errors
    ///
    /// As [`Self::from_v2`].
    pub fn from_v3_in(&self, data_type: &Json, scope: &Scope) -> Result<Resolved> {
        let ask = |family: &Arc<dyn Family>| family.from_v3(data_type, scope);
        self.one(data_type, ask, || refusal::unknown(scope, data_type, Asked::V3, None))
    }

    /// The one answer of all families, or what `unknown` says where there is none.
    pub(super) fn one(
        &self,
        json: &Json,
        ask: impl Fn(&Arc<dyn Family>) -> Option<Result<Resolved>>,
        unknown: impl FnOnce() -> Error,
    ) -> Result<Resolved> {
        // A loop and not an iterator: structs come through here once a level, and each frame counts.
        let mut found: Option<(&'static str, Result<Resolved>)> = None;
        let mut others = Vec::new();
        for family in self.families.iter() {
            match ask(family) {
                None => {}
                Some(answer) if found.is_none() => found = Some((family.name(), answer)),
                Some(_) => others.push(family.name()),
            }
        }
        match found {
            None => Err(unknown()),
            Some((_, answer)) if others.is_empty() => answer,
            Some((first, _)) => Err(ambiguous(json, first, &others)),
        }
    }
}

fn ambiguous(json: &Json, first: &str, others: &[&str]) -> Error {
    let found = format!("{}, which both {first} and {} read", json.describe(), others.join(", "));
    Error::new(Code::AmbiguousName, found, "a form that exactly one data type reads")
}
