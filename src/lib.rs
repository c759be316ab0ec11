//! zarrscope: see what a Zarr store really says.

#[cfg(feature = "tui")]
pub mod cli;
#[cfg(feature = "tui")]
pub mod tui;
pub mod zarr;
