//! Elements out of their places into C order, and into the places of a larger array: at the speed of a copy.

use super::{Elements, Places};
use crate::zarr::{
    codec::Bytes,
    error::{Error, Result},
    grid::Region,
};
use std::{borrow::Cow, ops::Range};

impl Elements {
    /// The bytes of all elements in C order, each in its own byte order; borrowed where they lie so already.
    ///
    /// # Errors
    ///
    /// Where elements vary in length, or not all of their bytes are here.
    pub fn c_order(&self) -> Result<Cow<'_, [u8]>> {
        let Places::Fixed(size) = self.places else {
            let found = "elements of variable length";
            return Err(Error::new("variable-length", found, "elements of one size"));
        };
        let here = self.all(size)?;
        if self.is_c_order() || here.is_empty() {
            return Ok(Cow::Borrowed(here));
        }
        let to_usize = |n: &u64| usize::try_from(*n).unwrap_or(0);
        let shape: Vec<usize> = self.shape.iter().map(to_usize).collect();
        let steps: Vec<usize> = self.strides.iter().map(|s| to_usize(s) * size).collect();
        // As many bytes as there are: nothing a file says is believed here.
        let mut out = vec![0; here.len()];
        match size {
            1 => gather::<1>(here, &shape, &steps, 1, &mut out),
            2 => gather::<2>(here, &shape, &steps, 1, &mut out),
            _ if size % 16 == 0 => gather::<16>(here, &shape, &steps, size / 16, &mut out),
            _ if size % 8 == 0 => gather::<8>(here, &shape, &steps, size / 8, &mut out),
            _ if size % 4 == 0 => gather::<4>(here, &shape, &steps, size / 4, &mut out),
            _ => gather::<1>(here, &shape, &steps, size, &mut out),
        }
        Ok(Cow::Owned(out))
    }

    /// The same elements lying in C order.
    ///
    /// # Errors
    ///
    /// As [`Self::c_order`].
    pub fn in_c_order(&self) -> Result<Self> {
        match self.c_order()? {
            Cow::Borrowed(_) => Ok(self.clone()),
            Cow::Owned(bytes) => Ok(self.reshaped(self.shape.clone()).over(Bytes::whole(bytes))),
        }
    }

    /// The bytes of all elements as they lie.
    fn all(&self, size: usize) -> Result<&[u8]> {
        let wanted = self
            .shape
            .iter()
            .try_fold(size as u64, |product, &n| product.checked_mul(n))
            .ok_or_else(|| {
                Error::new("shape-too-large", "a shape past 2⁶⁴ bytes", "a smaller one")
            })?;
        self.bytes.get(0..wanted).ok_or_else(|| {
            let here = self.bytes.loaded();
            let found = format!("bytes {}..{}", here.start, here.end);
            Error::new("not-loaded", found, format!("the {wanted} bytes of all elements"))
        })
    }
}

/// How many elements along each of two axes are copied at a time, so that both sides stay in the cache.
const TILE: usize = 32;

/// Writes to `out`, in C order, the elements of an array whose steps along each dimension are `steps` bytes. An element
/// is `units` times `N` bytes.
fn gather<const N: usize>(
    from: &[u8],
    shape: &[usize],
    steps: &[usize],
    units: usize,
    out: &mut [u8],
) {
    let size = N * units;
    let (Some(last), Some(fast)) = (shape.len().checked_sub(1), fastest(shape, steps)) else {
        return;
    };
    let targets = c_steps(shape, size);
    // The two axes along which tiles go are left to the tiles.
    let outer: Vec<usize> = (0..shape.len())
        .map(|axis| if axis == last || axis == fast { 1 } else { shape[axis] })
        .collect();
    let rows = if fast == last { 1 } else { shape[fast] };
    let mut counter = Counter::new(&outer);
    loop {
        let place = |steps: &[usize]| -> usize {
            counter.at.iter().zip(steps).map(|(at, step)| at * step).sum()
        };
        let (source, target) = (place(steps), place(&targets));
        let tile = Tile { from: (steps[fast], steps[last]), to: (targets[fast], targets[last]) };
        for row in (0..rows).step_by(TILE) {
            for column in (0..shape[last]).step_by(TILE) {
                let rows = row..rows.min(row + TILE);
                let columns = column..shape[last].min(column + TILE);
                if let (Some(from), Some(to)) = (from.get(source..), out.get_mut(target..)) {
                    tile.copy::<N>(from, to, rows, columns, units);
                }
            }
        }
        if !counter.next() {
            return;
        }
    }
}

/// Two axes: how many bytes a step along each is, on both sides.
struct Tile {
    from: (usize, usize),
    to: (usize, usize),
}

impl Tile {
    fn copy<const N: usize>(
        &self,
        from: &[u8],
        to: &mut [u8],
        rows: Range<usize>,
        columns: Range<usize>,
        units: usize,
    ) {
        for column in columns {
            for row in rows.clone() {
                let source = row * self.from.0 + column * self.from.1;
                let target = row * self.to.0 + column * self.to.1;
                for unit in 0..units {
                    let source = from.get(source + unit * N..).and_then(<[u8]>::first_chunk::<N>);
                    let target =
                        to.get_mut(target + unit * N..).and_then(<[u8]>::first_chunk_mut::<N>);
                    if let (Some(source), Some(target)) = (source, target) {
                        *target = *source;
                    }
                }
            }
        }
    }
}

/// The axis along which the elements lie closest together.
fn fastest(shape: &[usize], steps: &[usize]) -> Option<usize> {
    (0..shape.len()).filter(|&axis| shape[axis] > 1).min_by_key(|&axis| steps[axis]).or(Some(0))
}

/// Bytes that a step along each dimension moves, for elements of `size` bytes in C order.
fn c_steps(shape: &[usize], size: usize) -> Vec<usize> {
    let mut steps = vec![size; shape.len()];
    for axis in (1..shape.len()).rev() {
        steps[axis - 1] = steps[axis].saturating_mul(shape[axis]);
    }
    steps
}

/// Copies `bytes`, the elements of `region` in C order, into their places in an array of `shape`, whose elements of
/// `size` bytes lie in C order in `out`. What would lie outside of either is left out.
pub fn place(out: &mut [u8], shape: &[u64], region: &Region, size: usize, bytes: &[u8]) {
    let to_usize = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    let lengths: Vec<usize> = region.iter().map(|span| to_usize(span.end - span.start)).collect();
    let whole: Vec<usize> = shape.iter().map(|&n| to_usize(n)).collect();
    let steps = c_steps(&whole, size);
    let origin: usize = region
        .iter()
        .zip(&steps)
        .map(|(span, &step)| to_usize(span.start).saturating_mul(step))
        .fold(0, usize::saturating_add);
    let (row, outer) = lengths.split_last().map_or((size, &[][..]), |(n, outer)| (n * size, outer));
    if row == 0 {
        return;
    }
    let mut counter = Counter::new(outer);
    for source in bytes.chunks_exact(row) {
        let start: usize =
            origin + counter.at.iter().zip(&steps).map(|(at, step)| at * step).sum::<usize>();
        if let Some(target) = out.get_mut(start..start + row) {
            target.copy_from_slice(source);
        }
        if !counter.next() {
            return;
        }
    }
}

/// Coordinates in C order.
struct Counter<'a> {
    shape: &'a [usize],
    at: Vec<usize>,
}

impl<'a> Counter<'a> {
    fn new(shape: &'a [usize]) -> Self {
        Self { shape, at: vec![0; shape.len()] }
    }

    /// Goes to the next; false at the end.
    fn next(&mut self) -> bool {
        for (at, &length) in self.at.iter_mut().zip(self.shape).rev() {
            *at += 1;
            if *at < length {
                return true;
            }
            *at = 0;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_lands_in_its_place() {
        let mut out = vec![0_u8; 12];
        place(&mut out, &[3, 4], &vec![1..3, 2..4], 1, &[1, 2, 3, 4]);
        assert_eq!(out, [0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 3, 4]);
        let mut scalar = vec![0_u8; 2];
        place(&mut scalar, &[], &vec![], 2, &[7, 8]);
        assert_eq!(scalar, [7, 8]);
    }

    #[test]
    fn strides_become_c_order() {
        // A 2×3 array of 2-byte elements laid out column-major.
        let from = [0, 0, 1, 0, 0, 1, 1, 1, 0, 2, 1, 2];
        let mut out = vec![0; 12];
        gather::<1>(&from, &[2, 3], &[2, 4], 2, &mut out);
        assert_eq!(out, [0, 0, 0, 1, 0, 2, 1, 0, 1, 1, 1, 2]);
    }

    #[test]
    fn every_permutation_of_axes_is_undone() {
        use crate::zarr::{ByteOrder, Json, Registry};
        let data_type = Registry::default().from_v3(&Json::string("uint16")).unwrap().data_type;
        // More than a tile along two of the axes.
        let shape = [3_u16, 40, 35];
        let bytes: Vec<u8> = (0..3 * 40 * 35_u16).flat_map(u16::to_le_bytes).collect();
        let elements = Elements::new(
            data_type,
            ByteOrder::NotApplicable,
            shape.map(u64::from).to_vec(),
            false,
            Places::Fixed(2),
            Bytes::whole(bytes),
        );
        for axes in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let turned = elements.transposed(&axes);
            let copied = turned.in_c_order().unwrap();
            assert!(copied.is_c_order() && !turned.is_c_order());
            for index in (0..turned.len()).step_by(7) {
                let at = turned.coordinates_of_index(index);
                let (there, here) = (turned.position(&at), copied.position(&at));
                assert_eq!(turned.value(there), copied.value(here), "{axes:?} {at:?}");
            }
        }
    }
}
