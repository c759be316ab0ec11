//! The calls into the C library.
#![expect(
    unsafe_code,
    reason = "c-blosc is the reference implementation of its format and has a C interface"
)]

use std::ffi::{CStr, c_int};

/// The settings of a compression.
pub(super) struct CompressOptions {
    /// 0 to 9.
    pub(super) level: c_int,
    /// 0 none, 1 by bytes, 2 by bits.
    pub(super) shuffle: c_int,
    /// The bytes of an element.
    pub(super) size: usize,
    /// The bytes of a block; 0 leaves it to the library.
    pub(super) block_size: usize,
}

/// The number of bytes a buffer is longer at most than what is in it.
const OVERHEAD: usize = 16;

/// A blosc buffer of `source`; `None` where it is too long for one, or the library lacks `compressor`.
pub(super) fn compress(
    source: &[u8],
    compressor: &CStr,
    options: &CompressOptions,
) -> Option<Vec<u8>> {
    let most = source.len().checked_add(OVERHEAD).filter(|&most| c_int::try_from(most).is_ok())?;
    let mut out = Vec::<u8>::new();
    out.try_reserve_exact(most).ok()?;
    // SAFETY: `source` is valid for reads of `source.len()` bytes, `compressor` ends with a zero; `out` has room for `most`
    // bytes, and the function writes no more than `destsize` of them. One internal thread: none is started, no global
    // state is used.
    let written = unsafe {
        blosc_src::blosc_compress_ctx(
            options.level,
            options.shuffle,
            options.size,
            source.len(),
            source.as_ptr().cast(),
            out.as_mut_ptr().cast(),
            most,
            compressor.as_ptr(),
            options.block_size,
            1,
        )
    };
    let written = usize::try_from(written).ok().filter(|&written| written > 0)?;
    // SAFETY: the function returned how many bytes it wrote from the start of `out`.
    unsafe { out.set_len(written) };
    Some(out)
}

/// Decodes a whole blosc buffer to exactly `len` bytes; `None` where the library finds it damaged.
pub(super) fn decompress(source: &[u8], len: usize) -> Option<Vec<u8>> {
    let mut promised = 0_usize;
    // SAFETY: `source` is valid for reads of `source.len()` bytes, `promised` for one write; the function reads the
    // header only, and checks that the length is enough for it.
    let sound = unsafe {
        blosc_src::blosc_cbuffer_validate(source.as_ptr().cast(), source.len(), &raw mut promised)
    };
    if sound != 0 || promised != len {
        return None;
    }
    let mut out = Vec::new();
    out.try_reserve_exact(len).ok()?;
    if len == 0 {
        return Some(out);
    }
    // SAFETY: `blosc_cbuffer_validate` has found that the buffer holds all bytes its header speaks of, which is what
    // makes decompression safe to attempt; `out` has room for `len` bytes, and the function writes no more than
    // `destsize` of them. One internal thread: none is started, no global state is used.
    let written = unsafe {
        blosc_src::blosc_decompress_ctx(source.as_ptr().cast(), out.as_mut_ptr().cast(), len, 1)
    };
    if c_int::try_from(len) != Ok(written) {
        return None;
    }
    // SAFETY: the function returned `len`, the number of bytes that it wrote from the start of `out`.
    unsafe { out.set_len(len) };
    Some(out)
}
