//! Making values that are in no document: `Json::from` of what they hold, `collect` for arrays, [`object!`] for
//! objects.

use super::{Span, Text};
use crate::zarr::prelude::*;
use compact_str::{CompactString, ToCompactString};

impl Json {
    /// `null`.
    pub const NULL: Self = Self { kind: Kind::Null, at: Span([0; 2]) };

    /// A value that is in no document.
    pub fn made(kind: Kind) -> Self {
        Self { kind, at: Span::default() }
    }

    /// A number that is written with exactly this text.
    pub fn number(text: impl Into<CompactString>) -> Self {
        Self::made(Kind::Number(text.into()))
    }

    /// An object with these members.
    pub fn object(
        members: impl IntoIterator<Item = (impl Into<CompactString>, impl Into<Self>)>,
    ) -> Self {
        let members = members.into_iter().map(|(key, value)| Member {
            key: key.into(),
            key_at: Span::default(),
            value: value.into(),
        });
        Self::made(Kind::Object(members.collect()))
    }

    /// Gives an object the member `key`, in the place of the one that it has; does nothing to anything else.
    pub fn set(&mut self, key: &str, value: impl Into<Self>) {
        let Kind::Object(members) = &mut self.kind else { return };
        let value = value.into();
        match members.iter_mut().rev().find(|member| member.key == key) {
            Some(member) => member.value = value,
            None => members.push(Member { key: key.into(), key_at: Span::default(), value }),
        }
    }

    /// Gives an object the members of another one, as [`Self::set`] does.
    pub fn extend(&mut self, other: Self) {
        let Kind::Object(members) = other.kind else { return };
        for Member { key, value, .. } in members {
            self.set(&key, value);
        }
    }
}

/// `object! { "key": value, … }`, each value being what `Json::from` takes.
macro_rules! object {
    {} => { $crate::zarr::Json::made($crate::zarr::json::Kind::Object(Vec::new())) };
    { $($key:literal: $value:expr),+ $(,)? } => {
        $crate::zarr::Json::object([$(($key, $crate::zarr::Json::from($value))),+])
    };
}
pub(crate) use object;

/// Anything that `Json::from` takes, by what it is converted to first.
macro_rules! from {
    ($($type:ty, $value:ident => $made:expr;)+) => {
        $(impl From<$type> for Json {
            fn from($value: $type) -> Self {
                $made
            }
        })+
    };
}

from! {
    bool, value => Self::made(Kind::Bool(value));
    CompactString, text => Self::made(Kind::String(Text { text, lone_surrogate: false }));
    &CompactString, text => text.clone().into();
    String, text => CompactString::from(text).into();
    &String, text => text.as_str().into();
    &str, text => CompactString::from(text).into();
    Cow<'_, str>, text => CompactString::from(text).into();
    u8, number => Self::number(number.to_compact_string());
    u32, number => Self::number(number.to_compact_string());
    i32, number => Self::number(number.to_compact_string());
    u64, number => Self::number(number.to_compact_string());
    i64, number => Self::number(number.to_compact_string());
    usize, number => Self::number(number.to_compact_string());
    &Self, value => value.clone();
}

/// The shortest text that says the number; `null` where it is not finite.
impl From<f64> for Json {
    fn from(number: f64) -> Self {
        if number.is_finite() { Self::number(format!("{number:?}")) } else { Self::NULL }
    }
}

/// `None` is `null`.
impl<T: Into<Self>> From<Option<T>> for Json {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::NULL, Into::into)
    }
}

impl<T: Into<Self>> FromIterator<T> for Json {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Self::made(Kind::Array(items.into_iter().map(Into::into).collect()))
    }
}

impl<T: Into<Self>> From<Vec<T>> for Json {
    fn from(items: Vec<T>) -> Self {
        items.into_iter().collect()
    }
}

impl<T: Into<Self>, const N: usize> From<[T; N]> for Json {
    fn from(items: [T; N]) -> Self {
        items.into_iter().collect()
    }
}

impl<T: Into<Self> + Clone> From<&[T]> for Json {
    fn from(items: &[T]) -> Self {
        items.iter().cloned().collect()
    }
}

impl<T: Into<Self> + Clone> From<&Vec<T>> for Json {
    fn from(items: &Vec<T>) -> Self {
        items.as_slice().into()
    }
}
