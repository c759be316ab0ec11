//! `<`, `<=`, `=`, `!=`, `>=` and `>` between what is stored and what was typed.

use std::cmp::Ordering;

/// The relation of a value to the typed one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

/// The signs as they are typed; the longer ones first.
const SIGNS: [(&str, Relation); 7] = [
    ("!=", Relation::Unequal),
    ("<=", Relation::AtMost),
    (">=", Relation::AtLeast),
    ("==", Relation::Equal),
    ("=", Relation::Equal),
    ("<", Relation::Less),
    (">", Relation::Greater),
];

impl Relation {
    /// The name before the first sign, what the sign means, and what is after it.
    pub(super) fn split(line: &str) -> Option<(&str, Self, &str)> {
        let (at, sign, relation) = SIGNS
            .iter()
            .filter_map(|(sign, relation)| Some((line.find(sign)?, *sign, *relation)))
            // Of signs that begin at the same place the longer one stands first in the table.
            .min_by_key(|(at, ..)| *at)?;
        let (name, rest) = line.split_at_checked(at)?;
        Some((name.trim(), relation, rest.strip_prefix(sign)?.trim()))
    }

    /// True if values in this order are in the relation. What has no order, as NaN, is unequal and nothing else.
    pub(super) fn holds(self, order: Option<Ordering>) -> bool {
        match self {
            Self::Equal => order == Some(Ordering::Equal),
            Self::Unequal => order != Some(Ordering::Equal),
            Self::Less => order == Some(Ordering::Less),
            Self::AtMost => order.is_some_and(Ordering::is_le),
            Self::Greater => order == Some(Ordering::Greater),
            Self::AtLeast => order.is_some_and(Ordering::is_ge),
        }
    }
}
