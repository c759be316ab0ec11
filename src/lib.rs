//! zarrscope: see what a Zarr store really says.
pub mod zarr;
