//! Reading `zarr.json`.
