//! The one call into the C library.
#![expect(
    unsafe_code,
    reason = "c-blosc is the reference decoder of its format and has a C interface"
)]

use std::ffi::c_int;

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
