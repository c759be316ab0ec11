//! Which lesson a data type needs: what sort of values it has, whatever its size.

use crate::zarr::{
    data_type::{DataType, ItemSize},
    scalar::Scalar,
};

/// What sort of values a data type has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    /// True and false.
    Bool,
    /// Whole numbers.
    Integer,
    /// Floats of any format.
    Float,
    /// Pairs of floats.
    Complex,
    /// Points in time.
    DateTime,
    /// Spans of time.
    TimeDelta,
    /// Bytes without meaning, a fixed number of them.
    Raw,
    /// Bytes padded with zeros.
    Padded,
    /// Text of a fixed number of code points.
    Utf32,
    /// Text of any length.
    Text,
    /// Bytes of any length.
    Bytes,
    /// Fields side by side.
    Struct,
    /// Anything else: a data type from outside, an array in each element, objects.
    Other,
}

impl Sort {
    /// The sort of `data_type`.
    pub(super) fn of(data_type: &dyn DataType) -> Self {
        let fixed = matches!(data_type.item_size(), ItemSize::Fixed(_));
        let plain = data_type.to_v3().is_ok();
        match data_type.default_scalar() {
            Scalar::Bool(_) => Self::Bool,
            Scalar::Int(_) | Scalar::Uint(_) => Self::Integer,
            Scalar::Float(_) => Self::Float,
            Scalar::Complex(..) => Self::Complex,
            Scalar::Time(time) if time.since_epoch => Self::DateTime,
            Scalar::Time(_) => Self::TimeDelta,
            Scalar::Bytes(_) if fixed => Self::Raw,
            Scalar::Bytes(_) if plain => Self::Bytes,
            Scalar::NullTerminated(_) => Self::Padded,
            Scalar::Utf32(_) => Self::Utf32,
            Scalar::Text(_) if plain => Self::Text,
            Scalar::Struct(_) => Self::Struct,
            _ => Self::Other,
        }
    }
}
