//! Elements out of their places into C order, and into the places of a larger array: at the speed of a copy.

use super::{Elements, Places};
use crate::zarr::codec::prelude::*;
use crate::zarr::data_type::native::{self};

impl Elements {
    /// The bytes of all elements in C order, each in its own byte order; borrowed where they are so already.
    ///
    /// # Errors
    ///
    /// If elements vary in length, or not all of their bytes are here.
    pub fn c_order(&self) -> Result<Cow<'_, [u8]>> {
        let Places::Fixed(size) = self.places else {
            let found = "variable-length elements";
            return Err(Error::new(Code::OtherDataType, found, "fixed-size elements"));
        };
        let here = self.all(size)?;
        if self.is_c_order() || here.is_empty() {
            return Ok(Cow::Borrowed(here));
        }
        let to_usize = |n: &u64| usize::try_from(*n).unwrap_or(0);
        let shape: Vec<usize> = self.shape.iter().map(to_usize).collect();
        let steps: Vec<usize> = self.strides.iter().map(|s| to_usize(s) * size).collect();
        // As many bytes as there are: nothing a file says is believed here.
        let mut out = filled(0, here.len())?;
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

    /// The same elements lying in C order; of those that vary in length only the places are sorted.
    ///
    /// # Errors
    ///
    /// If not all of their bytes are here.
    pub fn in_c_order(&self) -> Result<Self> {
        if self.is_c_order() {
            return Ok(self.clone());
        }
        let sorted = self.reshaped(self.shape.clone());
        match &self.places {
            Places::Fixed(_) => Ok(sorted.over(Bytes::whole(self.c_order()?.into_owned()))),
            Places::Ranges(_) => {
                let places = Places::Ranges(
                    (0..self.len())
                        .map(|index| {
                            self.byte_range(self.position(&self.coordinates_of_index(index)))
                        })
                        .collect(),
                );
                Ok(Self { places, ..sorted })
            }
        }
    }

    /// The elements of a box of the array, lying in C order.
    ///
    /// # Errors
    ///
    /// If not all of their bytes are here.
    pub fn part(&self, region: &Region) -> Result<Self> {
        let whole = self.in_c_order()?;
        let shape: Vec<u64> = region.iter().map(|span| span.end - span.start).collect();
        let sorted =
            Self { shape: shape.clone(), strides: super::strides(&shape, false), ..whole.clone() };
        match &whole.places {
            Places::Fixed(size) => {
                let from = whole.all(*size)?;
                let mut out = Vec::new();
                rows(&whole.shape, region, *size, |row| {
                    out.extend_from_slice(from.get(row).unwrap_or_default());
                });
                Ok(sorted.over(Bytes::whole(out)))
            }
            Places::Ranges(ranges) => {
                let mut places = Vec::new();
                rows(&whole.shape, region, 1, |row| {
                    places.extend_from_slice(ranges.get(row).unwrap_or_default());
                });
                Ok(Self { places: Places::Ranges(places.into()), ..sorted })
            }
        }
    }

    /// All elements in C order as numbers of Rust, whatever their byte order.
    ///
    /// ```
    /// use zarrscope::zarr::{Budget, Hierarchy, chunk, grid::ChunkId};
    ///
    /// # fn main() -> zarrscope::zarr::Result<()> {
    /// let store = concat!(env!("CARGO_MANIFEST_DIR"), "/sample-stores/dtypes-v3/float32");
    /// let (hierarchy, target) = Hierarchy::open(store.as_ref())?;
    /// let node = hierarchy.node(&target.node);
    /// let array = node.kind.array().expect("an array");
    /// let first = ChunkId::at(vec![0]);
    /// let chunk = chunk::load_whole(hierarchy.store.as_ref(), &node.path, array, &first, &Budget::default());
    /// let values: Vec<f32> = chunk.elements().expect("a chunk that can be decoded").to_vec()?;
    /// assert_eq!(values.len() as u64, chunk.elements().map_or(0, |elements| elements.len()));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// If they are elements of another kind than `T`, or not all of them are loaded.
    pub fn to_vec<T: Primitive>(&self) -> Result<Vec<T>> {
        if self.data_type.native() != Some(T::NATIVE) {
            let expected = format!("elements that are {:?} in memory", T::NATIVE);
            return Err(Error::new(Code::OtherDataType, self.data_type.name(), expected));
        }
        Ok(native::decode(&self.c_order()?, self.order.endian()))
    }

    /// The bytes of all elements as stored.
    fn all(&self, size: usize) -> Result<&[u8]> {
        let wanted = self
            .shape
            .iter()
            .try_fold(size as u64, |product, &n| product.checked_mul(n))
            .ok_or_else(|| {
                Error::new(Code::ShapeTooLarge, "the product of the shape", "2⁶⁴ bytes")
            })?;
        self.bytes.get(0..wanted).ok_or_else(|| {
            let found = byte_range(&self.bytes.loaded());
            Error::new(Code::NotLoaded, found, format!("the {wanted} bytes of all elements"))
        })
    }
}

/// The number of elements along each of two axes copied at a time, so that both sides stay in the cache.
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
    let mut counter = Odometer::new(&outer);
    loop {
        let place = |steps: &[usize]| -> usize {
            counter.at.iter().zip(steps).map(|(at, step)| at * step).sum()
        };
        let (source, target) = (place(steps), place(&targets));
        let (Some(from), Some(to)) = (from.get(source..), out.get_mut(target..)) else { return };
        if fast == last && steps[last] == size {
            let row = shape[last] * size;
            if let (Some(from), Some(to)) = (from.get(..row), to.get_mut(..row)) {
                to.copy_from_slice(from);
            }
        } else {
            let (across, along) = ((steps[fast], targets[fast]), (steps[last], targets[last]));
            Tiles { across, along, units }.copy::<N>(from, to, rows, shape[last]);
        }
        if !counter.next() {
            return;
        }
    }
}

/// Two axes, and how many bytes a step along each is, in the source and in the target.
struct Tiles {
    /// The axis along which the source is dense.
    across: (usize, usize),
    /// The axis along which the target is dense.
    along: (usize, usize),
    units: usize,
}

impl Tiles {
    fn copy<const N: usize>(&self, from: &[u8], to: &mut [u8], rows: usize, columns: usize) {
        let dense = self.units == 1 && self.across.0 == N && self.along.1 == N;
        for row in (0..rows).step_by(TILE) {
            for column in (0..columns).step_by(TILE) {
                let rows = row..rows.min(row + TILE);
                let columns = column..columns.min(column + TILE);
                if dense {
                    self.turn::<N>(from, to, rows, columns);
                } else {
                    self.pick::<N>(from, to, rows, columns);
                }
            }
        }
    }

    /// One tile by way of a buffer: steps that are powers of two would push each other out of the cache.
    fn turn<const N: usize>(
        &self,
        from: &[u8],
        to: &mut [u8],
        rows: Range<usize>,
        columns: Range<usize>,
    ) {
        let mut buffer = [[0_u8; N]; TILE * TILE];
        for (at, column) in columns.clone().enumerate() {
            let start = rows.start * N + column * self.along.0;
            let dense = from.get(start..start + rows.len() * N).unwrap_or_default();
            for (place, item) in buffer.iter_mut().skip(at).step_by(TILE).zip(dense.as_chunks().0) {
                *place = *item;
            }
        }
        for (line, row) in buffer.chunks_exact(TILE).zip(rows) {
            let start = row * self.across.1 + columns.start * N;
            let dense = to.get_mut(start..start + columns.len() * N).unwrap_or_default();
            for (place, item) in dense.as_chunks_mut().0.iter_mut().zip(line) {
                *place = *item;
            }
        }
    }

    /// One tile, element by element.
    fn pick<const N: usize>(
        &self,
        from: &[u8],
        to: &mut [u8],
        rows: Range<usize>,
        columns: Range<usize>,
    ) {
        let size = N * self.units;
        for column in columns {
            for row in rows.clone() {
                let source = row * self.across.0 + column * self.along.0;
                let target = row * self.across.1 + column * self.along.1;
                let source = from.get(source..source + size);
                if let (Some(source), Some(target)) = (source, to.get_mut(target..target + size)) {
                    target.copy_from_slice(source);
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
/// `size` bytes are in C order in `out`. What would be outside of either is left out.
pub fn place(out: &mut [u8], shape: &[u64], region: &Region, size: usize, bytes: &[u8]) {
    let mut rest = bytes;
    rows(shape, region, size, |row| {
        let Some((source, behind)) = rest.split_at_checked(row.len()) else { return };
        rest = behind;
        if let Some(target) = out.get_mut(row) {
            target.copy_from_slice(source);
        }
    });
}

/// Calls `each` with the bytes of each row of `region`, in C order, in an array of `shape` whose elements of `size`
/// bytes are in C order.
fn rows(shape: &[u64], region: &Region, size: usize, mut each: impl FnMut(Range<usize>)) {
    let lengths: Vec<usize> = region.iter().map(|span| to_usize(span.end - span.start)).collect();
    let whole: Vec<usize> = shape.iter().map(|&n| to_usize(n)).collect();
    let steps = c_steps(&whole, size);
    let origin: usize = region
        .iter()
        .zip(&steps)
        .map(|(span, &step)| to_usize(span.start).saturating_mul(step))
        .fold(0, usize::saturating_add);
    let (row, outer) = lengths.split_last().map_or((size, &[][..]), |(n, outer)| (n * size, outer));
    if row == 0 || outer.contains(&0) {
        return;
    }
    let mut counter = Odometer::new(outer);
    loop {
        let start: usize =
            origin + counter.at.iter().zip(&steps).map(|(at, step)| at * step).sum::<usize>();
        each(start..start.saturating_add(row));
        if !counter.next() {
            return;
        }
    }
}

/// Coordinates in C order.
struct Odometer<'a> {
    shape: &'a [usize],
    at: Vec<usize>,
}

impl<'a> Odometer<'a> {
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
        use crate::zarr::{ByteOrder, DataTypes, Json};
        let data_type = DataTypes::default().from_v3(&Json::from("uint16")).unwrap().data_type;
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
