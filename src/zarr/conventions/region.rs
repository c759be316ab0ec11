//! The numbers in a part of an array.

use super::prelude::*;
use crate::zarr::prelude::*;
use std::cell::Cell;

/// The most chunks of which numbers are read.
const PIECES: u64 = 1024;

/// The most numbers that are read of an array to look at them.
const MOST: u64 = 1 << 20;

/// The most bytes of texts that are kept of an array: names and labels are short.
const TEXT: usize = 16 << 20;

/// The numbers of a region, in C order.
pub(super) struct RegionValues {
    pub(super) region: Region,
    pub(super) values: Vec<f64>,
    /// True if no chunk of it is stored, and if all are.
    pub(super) is_missing: bool,
    pub(super) is_stored: bool,
}

impl RegionValues {
    /// Reads them, those of missing chunks as the fill value; `None` where some cannot be read, or are no numbers, or lie in
    /// more chunks than are read a second time.
    pub(super) fn of(reader: &ArrayReader, region: Region, budget: &Budget) -> Option<Self> {
        let fill = reader.fill().and_then(Scalar::to_f64).unwrap_or(f64::NAN);
        let (values, [stored, all]) =
            load(reader, &region, fill, &|scalar| scalar.to_f64(), budget)?;
        Some(Self { region, values, is_missing: stored == 0, is_stored: stored == all })
    }

    /// Those of the whole array, or as many of its first pages and rows as are not too many.
    pub(super) fn first(reader: &ArrayReader, budget: &Budget) -> Option<Self> {
        let mut region = reader.whole();
        for axis in 0..region.len() {
            let inside = order::product(&lengths(region.get(axis + 1..)?));
            let steps = MOST.checked_div(inside.unwrap_or(u64::MAX))?;
            let side = region.get_mut(axis)?;
            side.end = side.end.min(side.start + steps.max(1));
            if steps > 0 {
                break;
            }
        }
        Self::of(reader, region, budget)
    }
}

/// The elements of an array of one dimension, and whether the last chunk is missing; `None` where some cannot be read.
pub(super) fn scalars(
    store: &dyn Store,
    path: &NodePath,
    array: &ArrayMetadata,
    budget: &Budget,
) -> Option<(Vec<Scalar>, bool)> {
    let reader = ArrayReader::new(store, path, array).ok()?;
    let (mut scalars, mut is_missing, mut left) = (Vec::new(), false, TEXT);
    for piece in reader.pieces(&reader.whole()) {
        let (range, origin) = (piece.region.first()?, *piece.origin().first()?);
        let data = reader.load(&piece, budget);
        is_missing = matches!(data, PieceData::Missing);
        match data {
            PieceData::Stored(elements) => {
                let positions = range.start - origin..range.end - origin;
                let count = positions.end - positions.start;
                let before = scalars.len() as u64;
                let values = elements.elements(positions).map_while(|element| element.value.ok());
                scalars.extend(values.map_while(|scalar| {
                    left = left.checked_sub(text_len(&scalar))?;
                    Some(scalar)
                }));
                if scalars.len() as u64 - before != count || elements.bytes().intact().is_err() {
                    return None;
                }
            }
            PieceData::Missing => {
                let fill = reader.fill()?;
                scalars.extend(range.clone().map(|_| fill.clone()));
            }
            PieceData::Unreadable(_) => return None,
        }
        if budget.is_stopped() {
            return None;
        }
    }
    Some((scalars, is_missing))
}

/// The bytes of a text, and of what else has any length.
fn text_len(scalar: &Scalar) -> usize {
    match scalar {
        Scalar::Bytes(text) | Scalar::NullTerminated(text) | Scalar::Text(text) => text.len(),
        Scalar::Utf32(units) => size_of_val(&**units),
        _ => 0,
    }
}

/// The elements of a region as texts, in C order; `None` where they are too long.
pub(super) fn texts(reader: &ArrayReader, region: &Region, budget: &Budget) -> Option<Vec<String>> {
    let fill = reader.fill().map(ToString::to_string).unwrap_or_default();
    let left = Cell::new(TEXT);
    let text = |scalar: Scalar| {
        left.set(left.get().checked_sub(text_len(&scalar))?);
        match &scalar {
            Scalar::Bytes(bytes) if bytes.is_ascii() => Some(String::from_utf8_lossy(bytes).into()),
            _ => Some(scalar.to_string()),
        }
    };
    Some(load(reader, region, fill, &text, budget)?.0)
}

/// The elements of a region by what is made of each, and how many of its chunks are stored, and how many there are.
fn load<T: Clone>(
    reader: &ArrayReader,
    region: &Region,
    fill: T,
    convert: &dyn Fn(Scalar) -> Option<T>,
    budget: &Budget,
) -> Option<(Vec<T>, [u64; 2])> {
    let mut values = vec![fill; usize::try_from(order::product(&lengths(region))?).ok()?];
    let (mut stored, mut all) = (0_u64, 0);
    for piece in reader.pieces(region) {
        all += 1;
        if all > PIECES {
            return None;
        }
        match reader.load(&piece, budget) {
            PieceData::Missing => {}
            PieceData::Unreadable(_) => return None,
            PieceData::Stored(elements) => {
                stored += 1;
                let place = (&piece.region, piece.origin(), region);
                copy(&elements, place, &mut values, convert, budget)?;
            }
        }
        if budget.is_stopped() {
            return None;
        }
    }
    Some((values, [stored, all]))
}

/// Copies the elements of a piece, whose chunk begins at `origin`, into the values of `region`.
fn copy<T>(
    elements: &Elements,
    (piece, origin, region): (&Region, Vec<u64>, &Region),
    values: &mut [T],
    convert: &dyn Fn(Scalar) -> Option<T>,
    budget: &Budget,
) -> Option<()> {
    let (extent, shape) = (lengths(piece), lengths(region));
    // Elements of a row are side by side in the region, and a stride from each other in the chunk.
    let row = extent.last().map_or(1, |&length| length.max(1));
    let stride = elements.strides().last().copied().unwrap_or(1);
    for number in budget.while_wanted(0..order::total(&extent)? / u128::from(row)) {
        let inside = order::coordinates(number * u128::from(row), &extent);
        let at: Vec<u64> = inside.iter().zip(piece).map(|(at, span)| at + span.start).collect();
        let beside = |start: &dyn Fn(usize) -> Option<u64>| {
            let at = at.iter().enumerate();
            at.map(|(axis, at)| at.checked_sub(start(axis)?)).collect::<Option<Vec<u64>>>()
        };
        let from = beside(&|axis| origin.get(axis).copied())?;
        let to = beside(&|axis| Some(region.get(axis)?.start))?;
        let mut position = elements.position(&from);
        let place = usize::try_from(order::number(&to, &shape)?).ok()?;
        let row = values.get_mut(place..place.checked_add(usize::try_from(row).ok()?)?)?;
        for value in budget.while_wanted(row.iter_mut()) {
            *value = convert(elements.value(position)?.ok()?)?;
            position = position.saturating_add(stride);
        }
    }
    elements.bytes().intact().is_ok().then_some(())
}
