//! zarrscope: see what a Zarr store really says.

pub mod app;
#[cfg(feature = "tui")]
pub mod cli;
#[cfg(feature = "tui")]
pub mod tui;
pub mod worker;
pub mod zarr;
