//! The numbers that elements mean by the attributes of CF, as float64.

use crate::cli::missing_to_xarray::MissingToXarray;
use crate::cli::prelude::*;
use crate::zarr::{
    array::{Run, RunSource},
    data_type::number::FixedNumber,
    metadata::Meant,
    npy::{self, Head},
};

/// Makes float64 of elements: NaN where one is missing.
pub(super) struct Physical {
    packing: Packing,
    /// The physical value of elements that are not stored.
    fill: f64,
    /// The values that are written as data and that xarray reads as missing.
    pub(super) missing_to_xarray: MissingToXarray,
}

/// The head of a file of such numbers.
pub(super) fn head(shape: &[u64]) -> Result<Head> {
    npy::head(&FixedNumber::FLOAT64, &ByteOrder::All(Endian::Little), shape)
}

impl Physical {
    /// For the elements of `array`, where `fill` is what is not stored.
    ///
    /// # Errors
    ///
    /// If they are no numbers.
    pub(super) fn new(
        array: &ArrayMetadata,
        resolved: &Resolved,
        fill: Option<&Scalar>,
    ) -> Result<Self> {
        let default = resolved.data_type.default_scalar();
        if !matches!(default, Scalar::Int(_) | Scalar::Uint(_) | Scalar::Float(_)) {
            let found = format!("elements of type {}", resolved.data_type.name());
            let error = Error::new(Code::InvalidArgument, found, "numbers for --physical");
            return Err(error.with_fix("Leave out --physical to export the stored values."));
        }
        // Counts of time are numbers; without -o, dates are written.
        let mut packing = Packing::of(array);
        packing.dates = None;
        let missing_to_xarray = MissingToXarray::new(&packing);
        let mut physical = Self { packing, fill: f64::NAN, missing_to_xarray };
        physical.fill = fill.map_or(f64::NAN, |fill| physical.number(fill));
        Ok(physical)
    }

    fn number(&self, stored: &Scalar) -> f64 {
        match self.packing.meant(stored) {
            Meant::Number(number) => number,
            Meant::Value(value) => value.to_f64().unwrap_or(f64::NAN),
            Meant::Missing(_) | Meant::Date(_) => f64::NAN,
        }
    }

    /// Appends the numbers of the elements `wanted` of `slab`, counted in C order.
    pub(super) fn render(&self, slab: &Slab, wanted: Range<u64>, out: &mut Vec<u8>) {
        slab.runs(wanted, &mut |run: Run| {
            if matches!(run.source, RunSource::Fill) {
                self.missing_to_xarray.count_fill(run.count);
            }
            for at in 0..run.count {
                let number = match run.source {
                    RunSource::Fill => self.fill,
                    RunSource::Unreadable => f64::NAN,
                    RunSource::Stored(elements, from, step) => elements
                        .value(from + at * step)
                        .and_then(Result::ok)
                        .inspect(|value| self.missing_to_xarray.count(value))
                        .map_or(f64::NAN, |value| self.number(&value)),
                };
                out.extend_from_slice(&number.to_le_bytes());
            }
        });
    }
}
