//! Packed numbers, as the CF conventions write them: the attributes `scale_factor` and `add_offset`.

use super::ArrayMetadata;

/// How stored numbers become the numbers that are meant: times a factor, plus an offset.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Packing {
    /// The attribute `scale_factor`; 1 where there is none.
    pub factor: f64,
    /// The attribute `add_offset`; 0 where there is none.
    pub offset: f64,
}

impl Packing {
    /// What the attributes of `array` say; `None` where they say nothing of it.
    #[must_use]
    pub fn of(array: &ArrayMetadata) -> Option<Self> {
        let attributes = array.attributes.as_ref()?;
        let number = |name: &str| attributes.get(name)?.as_number()?.parse::<f64>().ok();
        let (factor, offset) = (number("scale_factor"), number("add_offset"));
        (factor.is_some() || offset.is_some())
            .then(|| Self { factor: factor.unwrap_or(1.0), offset: offset.unwrap_or(0.0) })
    }

    /// The number that is meant by a stored one.
    #[must_use]
    pub fn unpack(self, value: f64) -> f64 {
        value * self.factor + self.offset
    }
}
