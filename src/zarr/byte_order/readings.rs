//! A few elements in both byte orders.

use crate::zarr::error::Result;
use crate::zarr::prelude::*;

/// The number of values shown.
const SHOWN: u64 = 5;
/// The number of elements looked at to find some that tell the orders apart.
const SEARCHED: u64 = 4096;
/// Values that take more characters than this are no use at a glance.
const WIDEST: usize = 24;

/// The same bytes, read both ways.
#[derive(Debug, Clone)]
pub struct Readings {
    /// The values read as little.
    pub little: Vec<String>,
    /// The values read as big.
    pub big: Vec<String>,
}

impl Readings {
    /// The values as `order` reads them.
    pub fn in_order(&self, order: Endian) -> &[String] {
        match order {
            Endian::Little => &self.little,
            Endian::Big => &self.big,
        }
    }
}

/// The first few neighbours among `elements` that the orders tell apart; `None` for structs, whose fields may each lie
/// their own way, and where there are none.
pub fn readings(elements: &Elements) -> Option<Readings> {
    let Places::Fixed(size) = *elements.places() else { return None };
    let data_type = elements.data_type();
    if !data_type.has_byte_order() || !data_type.fields().is_empty() {
        return None;
    }
    let [little, big] =
        [Endian::Little, Endian::Big].map(|order| elements.in_order(ByteOrder::All(order)));
    let first = elements.bytes().loaded().start.div_ceil(size.max(1) as u64);
    let last = elements.len().min(first + SEARCHED);
    let tells = |at: u64| Some(bits(&little, at)? != bits(&big, at)?);
    let differs = |at: u64| Some(bits(&little, at)? != bits(&little, at + 1)?);
    // A fill value again and again says little.
    let at = (first..last)
        .find(|at| tells(*at) == Some(true) && differs(*at) == Some(true))
        .or_else(|| (first..last).find(|&at| tells(at) == Some(true)))?;
    let shown = at..elements.len().min(at + SHOWN);
    Some(Readings { little: texts(&little, shown.clone())?, big: texts(&big, shown)? })
}

fn bits(elements: &Elements, at: u64) -> Option<String> {
    elements.value(at)?.ok().map(|value| value.to_string())
}

fn texts(elements: &Elements, positions: Range<u64>) -> Option<Vec<String>> {
    let text = |value: Result<Scalar>| value.ok().map(|value| value.to_string());
    let texts: Option<Vec<String>> =
        positions.map(|at| elements.value(at).and_then(text)).collect();
    texts.filter(|texts| texts.iter().all(|text| text.chars().count() <= WIDEST))
}
