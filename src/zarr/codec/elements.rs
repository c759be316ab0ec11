//! Elements and the link between their bytes and their places in the array.
//!
//! An element has three addresses: its *position*, the order in which elements are in the bytes; its *index*, its
//! number in C order; and its coordinates. They differ after `transpose` and for `order: F`. Views go by position,
//! because rows of bytes do; this module translates, so that no view ever computes an offset.

mod copy;
mod make;

use super::prelude::*;

pub use copy::place;

/// The places of elements in bytes, by position.
#[derive(Debug, Clone)]
pub enum Places {
    /// Each takes this many bytes, one after the other.
    Fixed(usize),
    /// Each has a byte range of its own.
    Ranges(Arc<[Range<u64>]>),
}

/// The elements of a chunk and the bytes they are in.
#[derive(Debug, Clone)]
pub struct Elements {
    data_type: Arc<dyn DataType>,
    order: ByteOrder,
    shape: Vec<u64>,
    /// For each dimension, by how many positions a step along it moves.
    strides: Vec<u64>,
    places: Places,
    bytes: Bytes,
}

/// One element: where it is in every sense, and its value.
#[derive(Debug, Clone)]
pub struct Element {
    /// Its place in the order of the bytes.
    pub position: u64,
    /// Its number in C order.
    pub index: u64,
    /// Its coordinates in the chunk.
    pub coordinates: Vec<u64>,
    /// The bytes that hold it.
    pub bytes: Range<u64>,
    /// Its value, or why it has none.
    pub value: Result<Scalar>,
}

impl Elements {
    /// Elements of `shape` one after the other in C order, or in column-major order if `fortran`.
    pub fn new(
        data_type: Arc<dyn DataType>,
        order: ByteOrder,
        shape: Vec<u64>,
        fortran: bool,
        places: Places,
        bytes: Bytes,
    ) -> Self {
        let strides = strides(&shape, fortran);
        Self { data_type, order, shape, strides, places, bytes }
    }

    /// The data type of the elements.
    pub fn data_type(&self) -> &Arc<dyn DataType> {
        &self.data_type
    }

    /// The layout of their bytes.
    pub fn order(&self) -> &ByteOrder {
        &self.order
    }

    /// Their number along each dimension.
    pub fn shape(&self) -> &[u64] {
        &self.shape
    }

    /// For each dimension, by how many positions a step along it moves.
    pub fn strides(&self) -> &[u64] {
        &self.strides
    }

    /// The length of the dimension along which neighbours are side by side in the bytes: the last one in C order, the
    /// first one in column-major order. Dimensions of length 1 do not count.
    pub fn row_length(&self) -> u64 {
        let long = self.shape.iter().zip(&self.strides).filter(|(length, _)| **length > 1);
        long.min_by_key(|(_, stride)| **stride).map_or(1, |(length, _)| *length)
    }

    /// The lengths of the dimensions in the order of memory, the slowest first.
    pub fn memory_shape(&self) -> Vec<u64> {
        let mut axes: Vec<_> = self.strides.iter().zip(&self.shape).collect();
        axes.sort_by(|a, b| b.cmp(a));
        axes.into_iter().map(|(_, length)| *length).collect()
    }

    /// The bytes they are in.
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// The places of the elements.
    pub fn places(&self) -> &Places {
        &self.places
    }

    /// Their number.
    pub fn len(&self) -> u64 {
        self.shape.iter().fold(1, |product: u64, &n| product.saturating_mul(n))
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// True if positions are C order indices.
    pub fn is_c_order(&self) -> bool {
        self.strides == strides(&self.shape, false)
    }

    /// The same bytes read in another byte order.
    pub fn in_order(&self, order: ByteOrder) -> Self {
        Self { order, ..self.clone() }
    }

    /// The same elements over other loaded bytes (another window of the same file).
    pub fn over(&self, bytes: Bytes) -> Self {
        Self { bytes, ..self.clone() }
    }

    /// The same bytes, the dimensions in another order: dimension `i` of the result is dimension `axes[i]` of this.
    /// `axes` must be a permutation of the dimensions.
    pub fn transposed(&self, axes: &[usize]) -> Self {
        let pick = |from: &[u64]| axes.iter().filter_map(|&axis| from.get(axis).copied()).collect();
        Self { shape: pick(&self.shape), strides: pick(&self.strides), ..self.clone() }
    }

    /// The same elements, in C order of position, seen in another shape of equally many.
    pub fn reshaped(&self, shape: Vec<u64>) -> Self {
        Self { strides: strides(&shape, false), shape, ..self.clone() }
    }

    /// The position of the element at `coordinates`.
    pub fn position(&self, coordinates: &[u64]) -> u64 {
        coordinates
            .iter()
            .zip(&self.strides)
            .map(|(c, s)| c.saturating_mul(*s))
            .fold(0, u64::saturating_add)
    }

    /// The coordinates of the element at `position`.
    pub fn coordinates(&self, position: u64) -> Vec<u64> {
        if self.shape.len() == 1 {
            return vec![if self.length(0) > 1 { position / self.stride(0).max(1) } else { 0 }];
        }
        let mut order: Vec<usize> = (0..self.shape.len()).collect();
        // Of equal strides (dimensions of length 1) any order will do: their coordinate is 0.
        order.sort_by_key(|&axis| std::cmp::Reverse((self.stride(axis), self.length(axis))));
        let mut rest = position;
        let mut out = vec![0; self.shape.len()];
        for axis in order {
            if self.length(axis) > 1
                && let Some(place) = out.get_mut(axis)
            {
                *place = rest / self.stride(axis).max(1);
                rest %= self.stride(axis).max(1);
            }
        }
        out
    }

    /// The C order index of `coordinates`.
    pub fn index(&self, coordinates: &[u64]) -> u64 {
        coordinates
            .iter()
            .zip(&self.shape)
            .fold(0, |index: u64, (c, n)| index.saturating_mul(*n).saturating_add(*c))
    }

    /// The coordinates of a C order index.
    pub fn coordinates_of_index(&self, index: u64) -> Vec<u64> {
        order::coordinates(index.into(), &self.shape)
    }

    /// The bytes of the element at `position`.
    pub fn byte_range(&self, position: u64) -> Range<u64> {
        match &self.places {
            Places::Fixed(size) => {
                let start = position.saturating_mul(*size as u64);
                start..start.saturating_add(*size as u64)
            }
            Places::Ranges(ranges) => usize::try_from(position)
                .ok()
                .and_then(|at| ranges.get(at).cloned())
                .unwrap_or(0..0),
        }
    }

    /// The position of the element that holds byte `offset`; `None` in a gap or past the end.
    pub fn element_at(&self, offset: u64) -> Option<u64> {
        match &self.places {
            Places::Fixed(size) => {
                Some(offset / *size as u64).filter(|&position| position < self.len())
            }
            Places::Ranges(ranges) => {
                let holds = |at: &usize| ranges.get(*at).is_some_and(|r| r.contains(&offset));
                let at = ranges.partition_point(|range| range.end <= offset);
                // In an array put together of inner chunks the ranges do not rise.
                let at = Some(at).filter(holds).or_else(|| (0..ranges.len()).find(holds))?;
                Some(at as u64)
            }
        }
    }

    /// The value at `position`; `None` where its bytes are not loaded or not there.
    pub fn value(&self, position: u64) -> Option<Result<Scalar>> {
        let range = match &self.places {
            Places::Fixed(_) => self.byte_range(position),
            Places::Ranges(ranges) => ranges.get(usize::try_from(position).ok()?)?.clone(),
        };
        Some(self.data_type.decode(self.bytes.get(range)?, &self.order))
    }

    /// The element at `position`; `None` where its bytes are not loaded or not there.
    pub fn element(&self, position: u64) -> Option<Element> {
        let value = self.value(position)?;
        let coordinates = self.coordinates(position);
        let index = self.index(&coordinates);
        Some(Element { position, index, coordinates, bytes: self.byte_range(position), value })
    }

    /// The elements at these positions, as far as they are loaded, and only those.
    pub fn elements(&self, positions: Range<u64>) -> impl Iterator<Item = Element> + '_ {
        (positions.start..positions.end.min(self.len()))
            .map_while(|position| self.element(position))
    }

    fn stride(&self, axis: usize) -> u64 {
        self.strides.get(axis).copied().unwrap_or(1)
    }

    fn length(&self, axis: usize) -> u64 {
        self.shape.get(axis).copied().unwrap_or(1)
    }
}

/// Positions a step along each dimension moves, for elements laid out densely.
fn strides(shape: &[u64], fortran: bool) -> Vec<u64> {
    let mut out = vec![1; shape.len()];
    let mut step = 1_u64;
    let axes: Box<dyn Iterator<Item = usize>> =
        if fortran { Box::new(0..shape.len()) } else { Box::new((0..shape.len()).rev()) };
    for axis in axes {
        if let (Some(place), Some(&n)) = (out.get_mut(axis), shape.get(axis)) {
            *place = step;
            step = step.saturating_mul(n);
        }
    }
    out
}

/// The data that flow between codecs.
#[derive(Debug, Clone)]
pub enum Data {
    /// Bytes that no data type has been given to yet.
    Bytes(Bytes),
    /// Elements.
    Elements(Elements),
}

impl Data {
    /// Bytes that are all there is.
    pub fn whole(bytes: Vec<u8>) -> Self {
        Self::Bytes(Bytes::whole(bytes))
    }

    /// The number of bytes it is.
    pub fn len(&self) -> u64 {
        self.bytes().len()
    }

    /// True if it has no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Its bytes, elements or not.
    pub fn bytes(&self) -> &Bytes {
        match self {
            Self::Bytes(bytes) => bytes,
            Self::Elements(elements) => elements.bytes(),
        }
    }

    /// The elements, where it is elements.
    pub fn elements(&self) -> Option<&Elements> {
        match self {
            Self::Bytes(_) => None,
            Self::Elements(elements) => Some(elements),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zarr::{DataTypes, Json, spelling::explain::byte};

    #[test]
    fn behind_the_last_element_is_none() {
        let data_type = DataTypes::default().from_v3(&Json::from("uint16")).unwrap().data_type;
        let (order, bytes) = (ByteOrder::NotApplicable, Bytes::whole(vec![0; 9]));
        let elements = Elements::new(data_type, order, vec![2, 2], false, Places::Fixed(2), bytes);
        let at = [0, 1, 2, 7, 8, 9].map(|offset| elements.element_at(offset));
        assert_eq!(at, [Some(0), Some(0), Some(1), Some(3), None, None]);
    }

    #[test]
    fn a_row_is_as_long_as_the_dimension_that_moves_fastest() {
        let length = |shape: &[u64], fortran| {
            let data_type = DataTypes::default().from_v3(&Json::from("uint8")).unwrap().data_type;
            let (order, bytes) = (ByteOrder::NotApplicable, Bytes::whole(vec![0; 70]));
            let places = Places::Fixed(1);
            Elements::new(data_type, order, shape.to_vec(), fortran, places, bytes)
        };
        assert_eq!(length(&[5, 7], false).row_length(), 7);
        assert_eq!(length(&[5, 7], true).row_length(), 5);
        assert_eq!(length(&[5, 7], false).transposed(&[1, 0]).row_length(), 7);
        assert_eq!(length(&[5, 1], false).row_length(), 5);
        assert_eq!(length(&[], false).row_length(), 1);
    }

    #[test]
    fn an_empty_element_is_named() {
        let data_type = DataTypes::default().from_v3(&Json::from("string")).unwrap().data_type;
        let places = Places::Ranges([4..6, 10..10, 14..15].into());
        let (order, bytes) = (ByteOrder::NotApplicable, Bytes::whole(vec![b'a'; 15]));
        let elements = Elements::new(data_type, order, vec![3], false, places, bytes);
        let says = |offset, position| byte(&elements, offset, Some(position)).swap_remove(0);
        assert_eq!(says(10, 1), "Element 1 at [1] is empty and has no bytes.");
        assert_eq!(says(5, 0), "Byte 1 of 2, counting from 0, of element 0 at [0].");
    }
}
