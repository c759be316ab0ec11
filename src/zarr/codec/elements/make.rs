//! Elements made of values, and brought into the layout that a codec stores.

use super::{Elements, Places};
use crate::zarr::bytes::Bytes;
use crate::zarr::codec::prelude::*;

impl Elements {
    /// The elements of an array of `shape`, in C order and in the default byte order of `data_type`.
    ///
    /// # Errors
    ///
    /// If they are more or fewer than `shape` has, or of another data type.
    pub fn from_scalars(
        data_type: &Arc<dyn DataType>,
        shape: &[u64],
        scalars: &[Scalar],
    ) -> Result<Self> {
        let order = data_type.default_order();
        let Some(size) = data_type.fixed_size() else {
            let (mut bytes, mut places) = (Vec::new(), Vec::new());
            for scalar in scalars {
                let start = bytes.len() as u64;
                bytes.extend(data_type.encode(scalar, &order)?);
                places.push(start..bytes.len() as u64);
            }
            return Self::counted(
                data_type,
                shape,
                Places::Ranges(places.into()),
                bytes,
                scalars.len(),
            );
        };
        let bytes = data_type.encode_slice(scalars, &order)?;
        Self::counted(data_type, shape, Places::Fixed(size), bytes, scalars.len())
    }

    /// The elements of an array of `shape`, in C order, from numbers of Rust.
    ///
    /// # Errors
    ///
    /// If they are more or fewer than `shape` has, or of another kind than `data_type` has in memory.
    pub fn from_slice<T: Primitive>(
        data_type: &Arc<dyn DataType>,
        shape: &[u64],
        values: &[T],
    ) -> Result<Self> {
        if data_type.native() != Some(T::NATIVE) {
            let expected = format!("elements that are {:?} in memory", T::NATIVE);
            return Err(Error::new(Code::OtherDataType, data_type.name(), expected));
        }
        let mut bytes = Vec::new();
        T::write(values, data_type.default_order().endian(), &mut bytes);
        Self::counted(data_type, shape, Places::Fixed(T::SIZE), bytes, values.len())
    }

    fn counted(
        data_type: &Arc<dyn DataType>,
        shape: &[u64],
        places: Places,
        bytes: Vec<u8>,
        found: usize,
    ) -> Result<Self> {
        let (order, shape) = (data_type.default_order(), shape.to_vec());
        let elements =
            Self::new(Arc::clone(data_type), order, shape, false, places, Bytes::whole(bytes));
        if elements.len() != found as u64 {
            let expected = format!("{}, from the shape {}", elements.len(), times(&elements.shape));
            return Err(Error::new(Code::ChunkWrongCount, format!("{found} elements"), expected));
        }
        Ok(elements)
    }

    /// The same elements, one after the other in C order, or in column-major order if `fortran`.
    ///
    /// # Errors
    ///
    /// If not all of their bytes are here.
    pub(in crate::zarr::codec) fn laid_out(&self, fortran: bool) -> Result<Self> {
        if !fortran {
            return self.in_c_order();
        }
        let axes: Vec<usize> = (0..self.shape.len()).rev().collect();
        self.transposed(&axes).in_c_order()
    }

    /// The same elements in C order and in the byte order `order`.
    ///
    /// # Errors
    ///
    /// If not all of their bytes are here, or elements vary in length.
    pub(in crate::zarr::codec) fn encoded_in(&self, order: &ByteOrder) -> Result<Vec<u8>> {
        let mut bytes = self.c_order()?.into_owned();
        self.data_type.reorder(&mut bytes, &self.order, order)?;
        Ok(bytes)
    }

    /// The bytes of each element, in the order in which they lie.
    ///
    /// # Errors
    ///
    /// If not all of them are here.
    pub(in crate::zarr::codec) fn items(&self) -> impl Iterator<Item = Result<&[u8]>> {
        (0..self.len()).map(|position| {
            self.bytes.get(self.byte_range(position)).ok_or_else(|| {
                let found = format!("element {position} without its bytes");
                Error::new(Code::NotLoaded, found, "the bytes of every element")
            })
        })
    }
}
