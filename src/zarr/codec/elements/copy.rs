//! Elements out of their places into C order, and into the places of a larger array: at the speed of a copy.

use super::{Elements, Places};
use crate::zarr::{
    error::{Error, Result},
    grid::Region,
};
use std::borrow::Cow;

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
        let mut out = Vec::new();
        out.try_reserve_exact(here.len()).map_err(|_refused| {
            Error::new("no-memory", format!("no memory for {} bytes", here.len()), "enough memory")
        })?;
        let steps: Vec<usize> =
            self.strides.iter().map(|&s| usize::try_from(s).unwrap_or(0) * size).collect();
        let shape: Vec<usize> =
            self.shape.iter().map(|&n| usize::try_from(n).unwrap_or(0)).collect();
        gather(here, &shape, &steps, size, &mut out);
        Ok(Cow::Owned(out))
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

/// Appends to `out` the elements of an array whose steps along each dimension are `steps` bytes, in C order.
fn gather(from: &[u8], shape: &[usize], steps: &[usize], size: usize, out: &mut Vec<u8>) {
    let (Some((&rows, outer)), Some((&row_step, outer_steps))) =
        (shape.split_last(), steps.split_last())
    else {
        out.extend_from_slice(from.get(..size).unwrap_or_default());
        return;
    };
    let mut counter = Counter::new(outer);
    loop {
        let start: usize = counter.at.iter().zip(outer_steps).map(|(at, step)| at * step).sum();
        row(from, start, rows, row_step, size, out);
        if !counter.next() {
            return;
        }
    }
}

/// Appends one row of elements that lie `step` bytes apart.
fn row(from: &[u8], start: usize, count: usize, step: usize, size: usize, out: &mut Vec<u8>) {
    if step == size {
        out.extend_from_slice(from.get(start..start + count * size).unwrap_or_default());
        return;
    }
    match size {
        1 => items::<1>(from, start, count, step, out),
        2 => items::<2>(from, start, count, step, out),
        4 => items::<4>(from, start, count, step, out),
        8 => items::<8>(from, start, count, step, out),
        16 => items::<16>(from, start, count, step, out),
        _ => {
            for index in 0..count {
                let at = start + index * step;
                out.extend_from_slice(from.get(at..at + size).unwrap_or_default());
            }
        }
    }
}

/// The same for a size known to the compiler, which then moves each element in one go.
fn items<const N: usize>(from: &[u8], start: usize, count: usize, step: usize, out: &mut Vec<u8>) {
    let item = |index: usize| {
        let at = start + index * step;
        from.get(at..).and_then(|rest| rest.first_chunk::<N>()).copied().unwrap_or([0; N])
    };
    out.extend((0..count).flat_map(item));
}

/// Copies `bytes`, the elements of `region` in C order, into their places in an array of `shape`, whose elements of
/// `size` bytes lie in C order in `out`. What would lie outside of either is left out.
pub fn place(out: &mut [u8], shape: &[u64], region: &Region, size: usize, bytes: &[u8]) {
    let to_usize = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    let lengths: Vec<usize> = region.iter().map(|span| to_usize(span.end - span.start)).collect();
    let mut steps = vec![size; shape.len()];
    for axis in (1..shape.len()).rev() {
        steps[axis - 1] = steps[axis].saturating_mul(to_usize(shape[axis]));
    }
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
        let mut out = Vec::new();
        gather(&from, &[2, 3], &[2, 4], 2, &mut out);
        assert_eq!(out, [0, 0, 0, 1, 0, 2, 1, 0, 1, 1, 1, 2]);
    }
}
