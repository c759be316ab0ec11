//! Bytes → native values beside a plain copy of the same bytes, in one run.
//!
//!     cargo bench --bench decode
//!
//! Each line is the best of many rounds over 16 MiB, which no cache holds, and over 256 KiB, which most do. The aim is
//! 1.5 times the copy at most, in either byte order.

use std::{hint::black_box, time::Instant};
use zarrscope::zarr::data_type::{
    Endian,
    native::{Primitive, decode_into},
};

/// The best time of `rounds`, in seconds.
fn best(rounds: u32, mut work: impl FnMut()) -> f64 {
    (0..rounds)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64()
        })
        .fold(f64::INFINITY, f64::min)
}

fn line(what: &str, bytes: usize, seconds: f64, copy: f64) {
    #[expect(clippy::cast_precision_loss, reason = "a rate")]
    let rate = bytes as f64 / seconds / 1e9;
    println!(
        "{what:<18} {:>9.3} ms {rate:>8.2} GB/s {:>6.2} × copy",
        seconds * 1e3,
        seconds / copy
    );
}

fn decoding<T: Primitive>(name: &str, bytes: &[u8], rounds: u32, copy: f64) {
    let mut out: Vec<T> = Vec::new();
    for endian in [Endian::Little, Endian::Big] {
        let seconds = best(rounds, || {
            decode_into(black_box(bytes), endian, &mut out);
            black_box(&out);
        });
        line(&format!("{name} {}", endian.word()), bytes.len(), seconds, copy);
    }
}

fn main() {
    for (size, rounds) in [(16 << 20, 40), (256 << 10, 2000)] {
        let bytes: Vec<u8> = (0..size).map(|at: usize| at.to_le_bytes()[0]).collect();
        let mut target = vec![0; bytes.len()];
        let copy = best(rounds, || {
            target.copy_from_slice(black_box(&bytes));
            black_box(&target);
        });
        println!("{} KiB", size >> 10);
        line("copy", bytes.len(), copy, copy);
        decoding::<i16>("int16", &bytes, rounds, copy);
        decoding::<f32>("float32", &bytes, rounds, copy);
        decoding::<f64>("float64", &bytes, rounds, copy);
    }
}
