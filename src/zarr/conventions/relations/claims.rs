//! What tells that an array is one that a row of a table is about: its name, attributes, and what is around it. That is asked
//! first, and costs nothing elsewhere.

use crate::zarr::conventions::prelude::*;

/// The attribute by which HDMF, and NWB on it, say what a node is.
pub(super) const TYPE: &str = "neurodata_type";
/// The attribute with the name that CF gives to a quantity.
pub(super) const STANDARD: &str = "standard_name";

/// What tells that an array is meant, beside its name.
pub(super) enum Claim {
    /// Nothing more.
    Any,
    /// An array of this name beside it.
    With(&'static str),
    /// An attribute of the group so many levels above the array's own, 0 being that.
    In(usize, &'static str),
    /// The same with one of these values.
    Is(usize, &'static str, &'static [&'static str]),
    /// A list of variables in its group, and latitudes beside it, as datasets of anemoi have them.
    Anemoi,
    /// One of these encodings of AnnData, whose findings have this code.
    Encoding(Code, &'static [&'static str]),
    /// An attribute with one of these values.
    Own(&'static str, &'static [&'static str]),
    /// An attribute that begins with one of these.
    Starts(&'static str, &'static [&'static str]),
    /// The same of an array that is the coordinate of its dimension.
    Coordinate(&'static str, &'static [&'static str]),
}

impl Claim {
    /// True if an array is one that has one of these names, or a path that ends so, none being any, and is meant.
    pub(super) fn holds(&self, names: &[&str], related: &Related) -> bool {
        let is_called = |name: &&str| {
            related.path.0.strip_suffix(*name).is_some_and(|it| it.is_empty() || it.ends_with('/'))
        };
        if !names.is_empty() && !names.iter().any(is_called) {
            return false;
        }
        let own = |key: &str, values: &[&str]| Some(values.contains(&related.own_text(key)?));
        let holds = || match self {
            Self::Any => Some(true),
            Self::With(name) => Some(related.hierarchy.has(&related.beside(name)?)),
            Self::In(levels, key) => {
                let node = related.hierarchy.node(&above(related, *levels)?);
                Some(node.kind.attributes()?.get(key).is_some())
            }
            Self::Anemoi => {
                let is_listed = listed(related, "variables").is_some();
                Some(is_listed && Self::With("latitudes").holds(&[], related))
            }
            Self::Encoding(_, names) => {
                let name = related.text(&related.group()?, "encoding-type")?;
                Some(names.contains(&name.as_str()))
            }
            Self::Own(key, values) => own(key, values),
            Self::Starts(key, starts) => {
                let value = related.own_text(key)?;
                Some(starts.iter().any(|start| value.starts_with(start)))
            }
            Self::Is(levels, key, values) => {
                let value = related.text(&above(related, *levels)?, key)?;
                Some(values.contains(&value.as_str()))
            }
            Self::Coordinate(key, values) => Some(related.is_coordinate() && own(key, values)?),
        };
        holds().unwrap_or(false)
    }
}

/// The group so many levels above that of an array.
pub(super) fn above(related: &Related, levels: usize) -> Option<NodePath> {
    related.groups().nth(levels)
}

/// The name of a list in an attribute of the group of an array, and how many it has.
pub(super) fn listed(related: &Related, key: &str) -> Option<(String, u64)> {
    let list = related.attribute(&related.group()?, key)?;
    Some((key.to_owned(), list.as_array()?.len() as u64))
}
