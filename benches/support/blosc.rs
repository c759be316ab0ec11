//! The one call into the C library: the crate itself never compresses.
#![expect(
    unsafe_code,
    reason = "c-blosc is the reference encoder of its format and has a C interface"
)]

use std::ffi::c_int;

/// Compresses elements of four bytes with lz4 and a byte shuffle; `None` where the library refuses.
pub(crate) fn compress(bytes: &[u8]) -> Option<Vec<u8>> {
    const OVERHEAD: usize = 16;
    let mut out: Vec<u8> = Vec::with_capacity(bytes.len() + OVERHEAD);
    // SAFETY: `bytes` is valid for reads of its length, `out` for writes of its capacity, which is what the function
    // is told; the name of the compressor ends in a zero. One internal thread: no global state is used.
    let written = unsafe {
        blosc_src::blosc_compress_ctx(
            5,
            1,
            4,
            bytes.len(),
            bytes.as_ptr().cast(),
            out.as_mut_ptr().cast(),
            out.capacity(),
            c"lz4".as_ptr(),
            0,
            1 as c_int,
        )
    };
    let len = usize::try_from(written).ok().filter(|&len| len > 0)?;
    // SAFETY: the function returned how many bytes it wrote from the start of `out`.
    unsafe { out.set_len(len) };
    Some(out)
}
