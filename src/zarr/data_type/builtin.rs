//! The data types that are always there: one line each.

use super::{
    DataTypes, Family,
    boolean::BoolFamily,
    bytes::{NullTerminatedFamily, VariableBytesFamily},
    complex::{COMPLEX, ComplexFamily},
    float::FloatFamily,
    integer::{INTEGERS, IntegerFamily},
    raw::RawFamily,
    string::VariableTextFamily,
    structured::StructFamily,
    time::TemporalFamily,
    utf32::Utf32Family,
};
use crate::zarr::scalar::float::FORMATS;
use std::sync::Arc;

impl DataTypes {
    /// Every data type of the V2 and V3 texts and of the registry of extensions, in the order of the gallery.
    #[must_use]
    pub fn builtin() -> Self {
        let mut registry = Self::empty();
        let mut add = |family: Arc<dyn Family>| {
            registry.register(family);
        };
        add(Arc::new(BoolFamily));
        for row in &INTEGERS {
            add(Arc::new(IntegerFamily(row)));
        }
        for format in FORMATS {
            add(Arc::new(FloatFamily(format)));
        }
        for row in &COMPLEX {
            add(Arc::new(ComplexFamily(row)));
        }
        add(Arc::new(RawFamily));
        add(Arc::new(NullTerminatedFamily));
        add(Arc::new(Utf32Family));
        add(Arc::new(VariableTextFamily));
        add(Arc::new(VariableBytesFamily));
        add(Arc::new(TemporalFamily { since_epoch: true }));
        add(Arc::new(TemporalFamily { since_epoch: false }));
        add(Arc::new(StructFamily));
        registry
    }
}
