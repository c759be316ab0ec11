//! Reads the array at PATH whole with zarrs, and prints seconds, processor seconds and the peak of memory in MiB.
//!
//!     peers PATH
//!
//! `RAYON_NUM_THREADS` says on how many threads. See benches/read.rs, which runs it.

#![expect(dead_code, reason = "the benches use all of what is shared with them")]

#[path = "../../support/cost.rs"]
mod cost;
#[path = "../../support/measure.rs"]
mod measure;

use cost::Cost;
use std::{env, error::Error, hint::black_box, sync::Arc};
use zarrs::{array::Array, filesystem::FilesystemStore};

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("usage: peers PATH")?;
    let mut values: Result<Vec<f32>, Box<dyn Error>> = Ok(Vec::new());
    let cost = Cost::of(|| values = read(&path));
    black_box(values?);
    println!("{}", cost.line());
    Ok(())
}

fn read(path: &str) -> Result<Vec<f32>, Box<dyn Error>> {
    let array = Array::open(Arc::new(FilesystemStore::new(path)?), "/")?;
    Ok(array.retrieve_array_subset(&array.subset_all())?)
}
