//! Whole chunks as typed slices, for passes that must not make a scalar of every element.
//!
//! Statistics, comparison with the fill value and export go over millions of elements: here bytes become `i16`, `f64`
//! and their kin in one loop that compiles to vector code in either byte order, without an allocation per element.
//! What a byte order conversion costs beside a plain copy is measured in `benches/decode.rs`.

use super::{Endian, Native};
use half::f16;
use num_complex::Complex;

/// A type whose values lie in bytes as a [`Native`] says.
pub trait Primitive: Copy + Default + PartialEq + Send + Sync + 'static {
    /// Which one it is.
    const NATIVE: Native;

    /// Bytes of one value.
    const SIZE: usize;

    /// Reads values until either `bytes` or `out` ends; `bytes` past the last whole value are left alone.
    fn read(bytes: &[u8], endian: Endian, out: &mut [Self]);

    /// Writes the bytes of `values` until either ends.
    fn write(values: &[Self], endian: Endian, out: &mut [u8]);
}

macro_rules! primitive {
    ($($type:ty => $native:ident),* $(,)?) => {$(
        impl Primitive for $type {
            const NATIVE: Native = Native::$native;
            const SIZE: usize = size_of::<Self>();

            fn read(bytes: &[u8], endian: Endian, out: &mut [Self]) {
                let (items, _) = bytes.as_chunks();
                match endian {
                    Endian::Little => fill(out, items, Self::from_le_bytes),
                    Endian::Big => fill(out, items, Self::from_be_bytes),
                }
            }

            fn write(values: &[Self], endian: Endian, out: &mut [u8]) {
                let (items, _) = out.as_chunks_mut();
                match endian {
                    Endian::Little => fill(items, values, Self::to_le_bytes),
                    Endian::Big => fill(items, values, Self::to_be_bytes),
                }
            }
        }
    )*};
}

primitive! {
    i8 => I8, i16 => I16, i32 => I32, i64 => I64,
    u8 => U8, u16 => U16, u32 => U32, u64 => U64,
    f16 => F16, f32 => F32, f64 => F64,
}

macro_rules! complex {
    ($($part:ty => $native:ident),*) => {$(
        impl Primitive for Complex<$part> {
            const NATIVE: Native = Native::$native;
            const SIZE: usize = 2 * size_of::<$part>();

            fn read(bytes: &[u8], endian: Endian, out: &mut [Self]) {
                const PART: usize = size_of::<$part>();
                let (parts, _) = bytes.as_chunks::<PART>();
                let (pairs, _) = parts.as_chunks::<2>();
                match endian {
                    Endian::Little => fill(out, pairs, |[re, im]| {
                        Self::new(<$part>::from_le_bytes(re), <$part>::from_le_bytes(im))
                    }),
                    Endian::Big => fill(out, pairs, |[re, im]| {
                        Self::new(<$part>::from_be_bytes(re), <$part>::from_be_bytes(im))
                    }),
                }
            }

            fn write(values: &[Self], endian: Endian, out: &mut [u8]) {
                const PART: usize = size_of::<$part>();
                let (parts, _) = out.as_chunks_mut::<PART>();
                let (pairs, _) = parts.as_chunks_mut::<2>();
                match endian {
                    Endian::Little => fill(pairs, values, |v| [v.re.to_le_bytes(), v.im.to_le_bytes()]),
                    Endian::Big => fill(pairs, values, |v| [v.re.to_be_bytes(), v.im.to_be_bytes()]),
                }
            }
        }
    )*};
}

complex! { f32 => C64, f64 => C128 }

/// Fills `out` from `items`; inlined with its conversion, so that the loop can be vectorised.
#[inline(always)]
#[expect(clippy::inline_always, reason = "each conversion has to become a loop of its own")]
fn fill<S: Copy, T>(out: &mut [T], items: &[S], convert: impl Fn(S) -> T) {
    for (place, &item) in out.iter_mut().zip(items) {
        *place = convert(item);
    }
}

/// The values of all whole elements in `bytes`.
#[must_use]
pub fn decode<T: Primitive>(bytes: &[u8], endian: Endian) -> Vec<T> {
    let mut out = vec![T::default(); bytes.len() / T::SIZE];
    T::read(bytes, endian, &mut out);
    out
}

/// The values of all whole elements in `bytes`, into a vector whose memory is used again.
pub fn decode_into<T: Primitive>(bytes: &[u8], endian: Endian, out: &mut Vec<T>) {
    out.resize(bytes.len() / T::SIZE, T::default());
    T::read(bytes, endian, out);
}

/// Turns the bytes of every component of `size` bytes round, in place: the other byte order.
pub fn swap(bytes: &mut [u8], size: usize) {
    match size {
        0 | 1 => {}
        2 => swap_chunks::<2>(bytes),
        4 => swap_chunks::<4>(bytes),
        8 => swap_chunks::<8>(bytes),
        _ => bytes.chunks_exact_mut(size).for_each(<[u8]>::reverse),
    }
}

fn swap_chunks<const N: usize>(bytes: &mut [u8]) {
    bytes.as_chunks_mut::<N>().0.iter_mut().for_each(|item| item.reverse());
}

impl Native {
    /// Bytes of one value.
    #[must_use]
    pub fn size(self) -> usize {
        self.component() * if matches!(self, Self::C64 | Self::C128) { 2 } else { 1 }
    }

    /// Bytes of what byte order applies to: of a complex number, one part.
    #[must_use]
    pub fn component(self) -> usize {
        match self {
            Self::Bool | Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 | Self::F16 => 2,
            Self::I32 | Self::U32 | Self::F32 | Self::C64 => 4,
            Self::I64 | Self::U64 | Self::F64 | Self::C128 => 8,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_orders_there_and_back() {
        let bytes = [0x12, 0x34, 0x56, 0x78, 0x9a];
        assert_eq!(decode::<i16>(&bytes, Endian::Big), [0x1234, 0x5678]);
        assert_eq!(decode::<u16>(&bytes, Endian::Little), [0x3412, 0x7856]);
        let mut again = [0; 4];
        i16::write(&[0x1234, 0x5678], Endian::Big, &mut again);
        assert_eq!(Some(&again[..]), bytes.get(..4));
        swap(&mut again, 2);
        assert_eq!(decode::<i16>(&again, Endian::Little), [0x1234, 0x5678]);
    }

    #[test]
    fn the_parts_of_a_complex_number_keep_their_order() {
        let mut bytes = [1_f32.to_be_bytes(), 2_f32.to_be_bytes()].concat();
        assert_eq!(decode::<Complex<f32>>(&bytes, Endian::Big), [Complex::new(1.0, 2.0)]);
        swap(&mut bytes, Native::C64.component());
        assert_eq!(decode::<Complex<f32>>(&bytes, Endian::Little), [Complex::new(1.0, 2.0)]);
        assert_eq!((Native::C64.size(), Native::C128.size()), (8, 16));
    }

    #[test]
    fn memory_is_used_again() {
        let mut out = Vec::new();
        decode_into::<f64>(&[0; 80], Endian::Little, &mut out);
        let place = out.as_ptr();
        decode_into::<f64>(&[0; 40], Endian::Big, &mut out);
        assert_eq!((out.len(), out.as_ptr()), (5, place));
    }
}
