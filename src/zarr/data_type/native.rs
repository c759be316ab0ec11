//! Whole chunks as typed slices: bytes become `i16`, `f64` and their kin without an allocation per element.
//!
//! This is for programs that want the numbers themselves, by
//! [`Elements::to_vec`](crate::zarr::codec::Elements::to_vec). What turning big-endian bytes round costs beside a plain
//! copy is measured in `benches/decode.rs`.

use super::{Endian, Native};
use half::f16;
use num_complex::Complex;

/// A type whose values are in bytes as a [`Native`] says.
pub trait Primitive: Copy + Default + PartialEq + Send + Sync + 'static {
    /// The tag of the type.
    const NATIVE: Native;

    /// Bytes of one value.
    const SIZE: usize;

    /// Reads values until either `bytes` or `out` ends; `bytes` past the last whole value are left alone.
    fn read(bytes: &[u8], endian: Endian, out: &mut [Self]);

    /// Appends the bytes of `values`.
    fn write(values: &[Self], endian: Endian, out: &mut Vec<u8>);
}

macro_rules! primitive {
    ($($type:ty => $native:ident, $big:ident);* $(;)?) => {$(
        impl Primitive for $type {
            const NATIVE: Native = Native::$native;
            const SIZE: usize = size_of::<Self>();

            fn read(bytes: &[u8], endian: Endian, out: &mut [Self]) {
                match endian {
                    Endian::Little => fill(out, bytes.as_chunks().0, Self::from_le_bytes),
                    Endian::Big => $big(bytes, out, Self::from_be_bytes),
                }
            }

            fn write(values: &[Self], endian: Endian, out: &mut Vec<u8>) {
                match endian {
                    Endian::Little => out.extend(values.iter().flat_map(|value| value.to_le_bytes())),
                    Endian::Big => out.extend(values.iter().flat_map(|value| value.to_be_bytes())),
                }
            }
        }
    )*};
}

primitive! {
    i8 => I8, narrow; i16 => I16, narrow; i32 => I32, big_32; i64 => I64, big_64;
    u8 => U8, narrow; u16 => U16, narrow; u32 => U32, big_32; u64 => U64, big_64;
    f16 => F16, narrow; f32 => F32, big_32; f64 => F64, big_64;
}

impl Primitive for bool {
    const NATIVE: Native = Native::Bool;
    const SIZE: usize = 1;

    /// As NumPy does: every byte but 0 is true.
    fn read(bytes: &[u8], _: Endian, out: &mut [Self]) {
        fill(out, bytes, |byte| byte != 0);
    }

    fn write(values: &[Self], _: Endian, out: &mut Vec<u8>) {
        out.extend(values.iter().map(|&value| u8::from(value)));
    }
}

macro_rules! complex {
    ($($part:ty => $native:ident),*) => {$(
        impl Primitive for Complex<$part> {
            const NATIVE: Native = Native::$native;
            const SIZE: usize = 2 * size_of::<$part>();

            fn read(bytes: &[u8], endian: Endian, out: &mut [Self]) {
                /// Numbers that are read in one go, to become half as many pairs.
                const PARTS: usize = 128;
                let mut parts = [0.0; PARTS];
                let blocks = bytes.chunks(PARTS * size_of::<$part>());
                for (block, places) in blocks.zip(out.chunks_mut(PARTS / 2)) {
                    <$part>::read(block, endian, &mut parts);
                    let whole = block.len() / Self::SIZE;
                    let pairs = parts.as_chunks().0.iter().take(whole);
                    for (place, &[real, imaginary]) in places.iter_mut().zip(pairs) {
                        *place = Self::new(real, imaginary);
                    }
                }
            }

            fn write(values: &[Self], endian: Endian, out: &mut Vec<u8>) {
                for value in values {
                    <$part>::write(&[value.re, value.im], endian, out);
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

/// Big-endian values of one or two bytes.
fn narrow<T, const N: usize>(bytes: &[u8], out: &mut [T], convert: impl Fn([u8; N]) -> T) {
    fill(out, bytes.as_chunks().0, convert);
}

/// Big-endian values of four bytes.
///
/// Every x86-64 processor turns the two bytes of many words round at once, and moves words about. Turning four or eight
/// bytes is more than the oldest can, and a compiler that sees that it is asked for takes three times as long as a
/// copy. So it is asked for in two steps, here with a buffer between them.
fn big_32<T>(bytes: &[u8], out: &mut [T], convert: impl Fn([u8; 4]) -> T) {
    let block = |block: &[u8; 256], places: &mut [T; 64]| {
        let mut words = [0; 128];
        fill(&mut words, block.as_chunks().0, u16::from_be_bytes);
        fill(places, words.as_chunks().0, |[high, low]| {
            convert((u32::from(high) << 16 | u32::from(low)).to_be_bytes())
        });
    };
    in_blocks(bytes, out, block, &convert);
}

/// Big-endian values of eight bytes, as [`big_32`].
fn big_64<T>(bytes: &[u8], out: &mut [T], convert: impl Fn([u8; 8]) -> T) {
    let block = |block: &[u8; 16], places: &mut [T; 2]| {
        let mut words = [0; 8];
        fill(&mut words, block.as_chunks().0, u16::from_be_bytes);
        fill(places, words.as_chunks().0, |[a, b, c, d]: [u16; 4]| {
            let [a, b, c, d] = [a, b, c, d].map(u64::from);
            convert((a << 48 | b << 32 | c << 16 | d).to_be_bytes())
        });
    };
    in_blocks(bytes, out, block, &convert);
}

/// True if turning more than two bytes round is slow: x86-64 as it was at first, for which programs are built unless
/// they are told otherwise.
const IN_STEPS: bool = cfg!(all(target_arch = "x86_64", not(target_feature = "ssse3")));

/// Converts block by block where that is quicker, and what is left at the end value by value.
#[inline(always)]
#[expect(clippy::inline_always, reason = "as for `fill`")]
fn in_blocks<T, const N: usize, const BYTES: usize, const VALUES: usize>(
    bytes: &[u8],
    out: &mut [T],
    block: impl Fn(&[u8; BYTES], &mut [T; VALUES]),
    convert: impl Fn([u8; N]) -> T,
) {
    let (blocks, places) = (bytes.as_chunks().0, out.as_chunks_mut().0);
    let done = if IN_STEPS { blocks.len().min(places.len()) } else { 0 };
    let pairs = places.iter_mut().zip(blocks).take(done);
    pairs.for_each(|(places, bytes)| block(bytes, places));
    if let (Some(bytes), Some(out)) = (bytes.get(done * BYTES..), out.get_mut(done * VALUES..)) {
        fill(out, bytes.as_chunks().0, convert);
    }
}

/// The values of all whole elements in `bytes`.
pub fn decode<T: Primitive>(bytes: &[u8], endian: Endian) -> Vec<T> {
    let mut out = Vec::new();
    decode_into(bytes, endian, &mut out);
    out
}

/// The values of all whole elements in `bytes`, into a vector whose memory is used again.
pub fn decode_into<T: Primitive>(bytes: &[u8], endian: Endian, out: &mut Vec<T>) {
    out.resize(bytes.len() / T::SIZE, T::default());
    T::read(bytes, endian, out);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_orders_of_every_size() {
        // More than a block of the longest, and a rest; the last byte belongs to nothing.
        let bytes: Vec<u8> = (0..1021_u32).map(|at| (at * 167 % 251) as u8).collect();
        let one_by_one = |turn: bool| {
            let items = bytes.chunks_exact(8).map(|item| {
                let item: [u8; 8] = item.try_into().unwrap();
                if turn { u64::from_be_bytes(item) } else { u64::from_le_bytes(item) }
            });
            items.collect::<Vec<_>>()
        };
        assert_eq!(decode::<u64>(&bytes, Endian::Big), one_by_one(true));
        assert_eq!(decode::<u64>(&bytes, Endian::Little), one_by_one(false));
        let halves = |items: Vec<u64>, first: u32| -> Vec<u32> {
            let half = |item: u64, shift: u32| u32::try_from(item >> shift & 0xffff_ffff).unwrap();
            items.iter().flat_map(|&item| [half(item, first), half(item, 32 - first)]).collect()
        };
        assert_eq!(
            decode::<u32>(&bytes, Endian::Big).get(..254),
            halves(one_by_one(true), 32).get(..254)
        );
        assert_eq!(
            decode::<u32>(&bytes, Endian::Little).get(..254),
            halves(one_by_one(false), 0).get(..254)
        );
        assert_eq!(decode::<i16>(&[0x12, 0x34, 0x56, 0x78, 0x9a], Endian::Big), [0x1234, 0x5678]);
        assert_eq!(
            decode::<u16>(&[0x12, 0x34, 0x56, 0x78, 0x9a], Endian::Little),
            [0x3412, 0x7856]
        );
    }

    #[test]
    fn reading_stops_at_the_end_of_either() {
        let bytes = [0x3f, 0x80, 0, 0].repeat(200);
        let mut out = [0_i32; 300];
        i32::read(&bytes, Endian::Big, &mut out);
        assert!(out.iter().take(200).all(|&value| value == 0x3f80_0000));
        assert!(out.iter().skip(200).all(|&value| value == 0));
        let mut short = [0_i32; 70];
        i32::read(&bytes, Endian::Big, &mut short);
        assert_eq!(short, [0x3f80_0000; 70]);
    }

    #[test]
    fn the_parts_of_a_complex_number_keep_their_order() {
        let numbers = (0_u8..201).map(|at| Complex::new(f32::from(at), -f32::from(at)));
        let numbers: Vec<_> = numbers.collect();
        let bytes = |part: fn(f32) -> [u8; 4]| {
            numbers
                .iter()
                .flat_map(|number| [part(number.re), part(number.im)].concat())
                .collect::<Vec<_>>()
        };
        assert_eq!(decode::<Complex<f32>>(&bytes(f32::to_be_bytes), Endian::Big), numbers);
        assert_eq!(decode::<Complex<f32>>(&bytes(f32::to_le_bytes), Endian::Little), numbers);
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
