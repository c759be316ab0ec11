//! What is no number in a field of a struct, or in a part of a complex number.

use crate::zarr::{
    Scalar,
    statistics::{Choice, look_at},
};

/// One number of every element, and what is none because it is the fill value.
#[derive(Debug, Clone, PartialEq)]
pub struct Strange {
    choice: Choice,
    fill: Option<Scalar>,
}

impl Strange {
    /// For this number of elements whose fill value is `fill`.
    #[must_use]
    pub fn new(choice: &Choice, fill: Option<&Scalar>) -> Self {
        let fill = fill.and_then(|fill| choice.of(fill)).cloned();
        Self { choice: choice.clone(), fill }
    }

    /// Whether the number of this element is NaN, infinite or "not a time".
    #[must_use]
    pub fn is(&self, value: &Scalar) -> bool {
        let Some(value) = self.choice.of(value) else { return false };
        look_at(value, self.choice.part).class.is_strange()
            && !self.fill.as_ref().is_some_and(|fill| fill.value_equal(value))
    }
}
