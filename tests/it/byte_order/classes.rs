//! Classes of arrays as people store them, generated.

use super::random::Random;
use zarrscope::zarr::byte_order::Meaning;

/// The way the words of an array are stored.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F16,
    Bf16,
    F32,
    F64,
    /// `datetime64` with a count of so many nanoseconds.
    Date(u64),
    Utf32,
}

use Kind::{Bf16, Date, F16, F32, F64, I16, I32, I64, U16, U32, U64, Utf32};

impl Kind {
    pub(super) fn width(self) -> usize {
        match self {
            I16 | U16 | F16 | Bf16 => 2,
            I32 | U32 | F32 | Utf32 => 4,
            I64 | U64 | F64 | Date(_) => 8,
        }
    }

    pub(super) fn meaning(self) -> Meaning {
        match self {
            I16 | I32 | I64 => Meaning::Signed,
            U16 | U32 | U64 => Meaning::Unsigned,
            F16 => Meaning::Float { exponent: 5, mantissa: 10 },
            Bf16 => Meaning::Float { exponent: 8, mantissa: 7 },
            F32 => Meaning::Float { exponent: 8, mantissa: 23 },
            F64 => Meaning::Float { exponent: 11, mantissa: 52 },
            Date(nanoseconds) => Meaning::Date { seconds: nanoseconds as f64 * 1e-9 },
            Utf32 => Meaning::CodeUnit,
        }
    }

    /// The bits of a real number, rounded for whole numbers.
    fn bits(self, value: f64) -> u64 {
        match self {
            F16 => u64::from(half::f16::from_f64(value).to_bits()),
            Bf16 => u64::from(half::bf16::from_f64(value).to_bits()),
            F32 => u64::from((value as f32).to_bits()),
            F64 => value.to_bits(),
            U16 | U32 | U64 | Utf32 => value.round() as u64,
            I16 | I32 | I64 | Date(_) => (value.round() as i64).cast_unsigned(),
        }
    }
}

/// Makes the words of `n` elements.
type Make = fn(&mut Random, usize, Kind) -> Vec<u64>;

/// The arrays that are generated, and the kinds that they are for.
pub(super) struct Class {
    pub(super) name: &'static str,
    pub(super) kinds: &'static [Kind],
    make: Make,
}

impl Class {
    /// The bytes of one array of this class in little-endian order.
    pub(super) fn little(&self, kind: Kind, n: usize, seed: u64) -> Vec<u8> {
        let mut random = Random::new(seed);
        let words = (self.make)(&mut random, n, kind);
        words.iter().flat_map(|word| word.to_le_bytes()[..kind.width()].to_vec()).collect()
    }
}

/// Words from a function of the place.
fn each(n: usize, kind: Kind, mut value: impl FnMut(f64) -> f64) -> Vec<u64> {
    (0..n).map(|at| kind.bits(value(at as f64))).collect()
}

/// Whole words from a function of the place.
fn whole(n: usize, mut word: impl FnMut(u64) -> u64) -> Vec<u64> {
    (0..n as u64).map(&mut word).collect()
}

/// A smooth field from a few waves, between about -3 and 3.
fn waves(random: &mut Random, n: usize) -> impl Fn(f64) -> f64 + use<> {
    let waves: Vec<(f64, f64, f64)> = (1..6)
        .map(|k| {
            (random.normal() / f64::from(k), f64::from(k) * (1.0 + random.unit()), random.unit())
        })
        .collect();
    let n = n.max(64) as f64;
    move |x| waves.iter().map(|(a, k, p)| a * (std::f64::consts::TAU * (k * x / n + p)).sin()).sum()
}

fn pick<T: Copy>(random: &mut Random, from: &[T]) -> T {
    from[random.below(from.len() as u64) as usize]
}

/// The classes that the tests were made with.
pub(super) const TUNED: &[Class] = &[
    Class {
        name: "smooth field",
        kinds: &[I16, U16, I32, I64, F16, Bf16, F32, F64],
        make: |r, n, k| {
            let field = waves(r, n);
            each(n, k, |x| field(x) * 300.0 + 2000.0)
        },
    },
    Class {
        name: "field around zero",
        kinds: &[I16, I32, F32, F64],
        make: |r, n, k| {
            let field = waves(r, n);
            each(n, k, |x| field(x) * 400.0)
        },
    },
    Class {
        name: "counter",
        kinds: &[I16, U16, I32, U32, I64, U64, F32, F64],
        make: |r, n, k| {
            let start = r.below(3000) as f64;
            each(n, k, |x| start + x)
        },
    },
    Class {
        name: "small counter, wide type",
        kinds: &[I32, I64, U64],
        make: |_, n, k| each(n, k, |x| x % 250.0),
    },
    Class {
        name: "12-bit image with noise",
        kinds: &[U16, I16, I32, F32],
        make: |r, n, k| {
            let (rows, columns) = (waves(r, n), waves(r, 64));
            each(n, k, |x| 2000.0 + 300.0 * rows(x) + 250.0 * columns(x % 64.0) + 20.0 * r.normal())
        },
    },
    Class {
        name: "categories 0 to 9",
        kinds: &[U16, I16, I32, I64, F32, F64],
        make: |r, n, k| each(n, k, |_| r.below(10) as f64),
    },
    Class {
        name: "uniform noise, all bits",
        kinds: &[I16, U16, I32, U32, I64, U64],
        make: |r, n, _| whole(n, |_| r.next()),
    },
    Class {
        name: "normal noise",
        kinds: &[I16, I32, I64, F16, Bf16, F32, F64],
        make: |r, n, k| each(n, k, |_| r.normal() * 1000.0),
    },
    Class {
        name: "sparse data",
        kinds: &[I16, I32, I64, F32, F64],
        make: |r, n, k| {
            each(n, k, |_| if r.unit() < 0.9 { 0.0 } else { 200.0 + r.normal().abs() * 900.0 })
        },
    },
    Class {
        name: "timestamps as integers",
        kinds: &[I64, U64, I32],
        make: |r, n, k| {
            let mut now = if k == I32 { 1.7e9 } else { 1.7e12 };
            each(n, k, |_| {
                now += r.below(900) as f64;
                now
            })
        },
    },
    Class {
        name: "dates",
        kinds: &[Date(86_400_000_000_000), Date(1_000_000_000), Date(1_000_000), Date(1)],
        make: |r, n, k| {
            let Date(unit) = k else { return Vec::new() };
            let mut now = 1.6e18 / unit as f64;
            let step = (3.6e12 / unit as f64).max(1.0);
            each(n, k, |_| {
                now += (step * (1.0 + r.unit())).floor();
                now
            })
        },
    },
    Class {
        name: "permission bits",
        kinds: &[U16, I32, U32],
        make: |r, n, _| {
            whole(n, |_| pick(r, &[0o644, 0o755, 0o600, 0o700, 0o664, 0o640, 0o400, 0o777]))
        },
    },
    Class {
        name: "hashes",
        kinds: &[U32, U64, I64],
        make: |_, n, _| whole(n, |at| (at + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31)),
    },
    Class {
        name: "network weights",
        kinds: &[F16, Bf16, F32, F64],
        make: |r, n, k| each(n, k, |_| r.normal() * 0.02),
    },
    Class {
        name: "packed category and counter",
        kinds: &[U16, U32, I32, U64],
        make: |r, n, k| whole(n, |at| r.below(200) << (k.width() * 4) | at & 0xff),
    },
    Class {
        name: "flags above a smooth byte",
        kinds: &[U16, U32],
        make: |r, n, k| {
            let (field, shift) = (waves(r, n), k.width() as u64 * 8 - 8);
            whole(n, |at| {
                let byte = (field(at as f64) * 40.0 + 120.0).clamp(0.0, 255.0) as u64;
                pick(r, &[0, 1, 2, 4, 12, 64, 128]) << shift | byte
            })
        },
    },
    Class {
        name: "coordinates",
        kinds: &[F32, F64],
        make: |r, n, k| {
            let step = pick(r, &[0.25, 0.1, 1.0, 0.05]);
            each(n, k, |x| -90.0 + x * step)
        },
    },
    Class {
        name: "prices",
        kinds: &[I32, I64, F32, F64],
        make: |r, n, k| {
            let scale = if matches!(k, F32 | F64) { 100.0 } else { 1.0 };
            each(n, k, |_| ((r.normal() * 0.8 + 7.5).exp()).round() / scale)
        },
    },
    Class {
        name: "monotone offsets",
        kinds: &[I32, U32, I64, U64],
        make: |r, n, k| {
            let mut offset = 0.0;
            each(n, k, |_| {
                offset += r.below(4000) as f64;
                offset
            })
        },
    },
    Class {
        name: "run lengths",
        kinds: &[U16, I32, I64],
        make: |r, n, k| each(n, k, |_| (-40.0 * (1.0 - r.unit()).ln()).ceil()),
    },
    Class {
        name: "spectrum",
        kinds: &[F32, F64],
        make: |r, n, k| each(n, k, |x| r.normal() * 1e4 / (1.0 + (x % 512.0)).powf(1.5)),
    },
    Class {
        name: "field with fill and NaN",
        kinds: &[F32, F64],
        make: |r, n, k| {
            let field = waves(r, n);
            each(n, k, |x| match (x as u64 / 37) % 4 {
                0 => 9.969_209_968_386_869e36,
                1 if (x as u64).is_multiple_of(5) => f64::NAN,
                _ => field(x) * 5.0 + 280.0,
            })
        },
    },
    Class {
        name: "text",
        kinds: &[Utf32],
        make: |r, n, _| {
            whole(n, |at| if at % 8 > 5 { 0 } else { pick(r, b"etaoin shrdlu,").into() })
        },
    },
];

/// The classes that were written before and looked at after the thresholds were fixed.
pub(super) const HELD_OUT: &[Class] = &[
    Class {
        name: "audio, 16 or 24 bits on the left of 32",
        kinds: &[I32],
        make: |r, n, _| {
            let (wave, shift) = (waves(r, n / 8), pick(r, &[8, 16]));
            whole(n, |at| {
                (((wave(at as f64) * 8000.0) as i64 * (1 << (24 - shift))) >> 8 << shift)
                    .cast_unsigned()
            })
        },
    },
    Class {
        name: "8-bit image on the left of 16",
        kinds: &[U16],
        make: |r, n, _| {
            let field = waves(r, n);
            whole(n, |at| ((field(at as f64) * 30.0 + 120.0).clamp(0.0, 255.0) as u64) << 8)
        },
    },
    Class {
        name: "12-bit samples on the left of 16",
        kinds: &[U16, I16],
        make: |r, n, _| {
            let field = waves(r, n);
            whole(n, |at| {
                ((field(at as f64) * 400.0 + 2000.0 + r.normal() * 8.0).clamp(0.0, 4095.0) as u64)
                    << 4
            })
        },
    },
    Class {
        name: "S2 cells",
        kinds: &[U64],
        make: |r, n, _| {
            let level = pick(r, &[6, 10, 13, 20]);
            let low = 1_u64 << (2 * (30 - level));
            whole(n, |_| (0x8000_0000_0000_0000 | r.next() >> 8) & !(low * 2 - 1) | low)
        },
    },
    Class {
        name: "snowflake identifiers",
        kinds: &[I64, U64],
        make: |r, n, _| {
            let mut now = 1_700_000_000_000_u64 - 1_288_834_974_657;
            whole(n, |_| {
                now += r.below(50);
                now << 22 | 0x1_5000
            })
        },
    },
    Class {
        name: "IPv4 networks",
        kinds: &[U32],
        make: |r, n, _| {
            let mask = pick(r, &[0xffff_0000_u64, 0xffff_ff00, 0xff00_0000]);
            whole(n, |_| r.next() & mask)
        },
    },
    Class {
        name: "fixed point 16.16",
        kinds: &[I32, U32],
        make: |r, n, k| {
            let field = waves(r, n);
            each(n, k, |x| ((field(x) * 20.0 + 90.0) * 65536.0).round())
        },
    },
    Class {
        name: "elevation with fill",
        kinds: &[I16, I32],
        make: |r, n, k| {
            let field = waves(r, n);
            each(n, k, |x| {
                if field(x) < -0.5 { -32768.0 } else { field(x) * 700.0 + 400.0 + r.normal() * 6.0 }
            })
        },
    },
    Class {
        name: "rough sensor, full range",
        kinds: &[U16, I32],
        make: |r, n, k| {
            let field = waves(r, n);
            each(n, k, |x| (field(x) * 8000.0 + 30000.0 + r.normal() * 400.0).clamp(0.0, 65535.0))
        },
    },
    Class {
        name: "uniform 0 to 4000",
        kinds: &[U16, I32, I64, F32],
        make: |r, n, k| each(n, k, |_| r.below(4000) as f64),
    },
    Class {
        name: "photon counts",
        kinds: &[U16, I32, U32],
        make: |r, n, k| each(n, k, |_| (r.normal() * 17.0 + 290.0).max(0.0)),
    },
    Class {
        name: "RGBA colours",
        kinds: &[U32],
        make: |r, n, _| {
            let (red, green, blue) = (waves(r, n), waves(r, n), waves(r, n));
            let byte = |v: f64| (v * 40.0 + 128.0).clamp(0.0, 255.0) as u64;
            let alpha_first = r.below(2) == 0;
            whole(n, |at| {
                let x = at as f64;
                let rgb = byte(red(x)) << 16 | byte(green(x)) << 8 | byte(blue(x));
                if alpha_first { 0xff00_0000 | rgb } else { rgb << 8 | 0xff }
            })
        },
    },
    Class {
        name: "RGB565 colours",
        kinds: &[U16],
        make: |r, n, _| {
            let (red, blue) = (waves(r, n), waves(r, n));
            whole(n, |at| {
                let x = at as f64;
                let level = |v: f64, top: f64| ((v + 3.0) / 6.0 * top).clamp(0.0, top) as u64;
                level(red(x), 31.0) << 11 | level(blue(x), 63.0) << 5 | level(-red(x), 31.0)
            })
        },
    },
    Class {
        name: "quality flags",
        kinds: &[U16, U32],
        make: |r, n, k| {
            let top = k.width() as u64 * 8;
            let set: Vec<u64> = (0..4).map(|_| 1 << r.below(top)).collect();
            whole(n, |_| set.iter().filter(|_| r.below(2) == 0).fold(0, |all, flag| all | flag))
        },
    },
    Class {
        name: "flags in the uppermost byte",
        kinds: &[U16, U32, U64],
        make: |r, n, k| whole(n, |_| r.below(16) << (k.width() * 8 - 8)),
    },
    Class {
        name: "dates as YYYYMMDD",
        kinds: &[I32, I64],
        make: |r, n, k| {
            each(n, k, |_| {
                (2000 + r.below(25)) as f64 * 1e4
                    + (1 + r.below(12)) as f64 * 100.0
                    + (1 + r.below(28)) as f64
            })
        },
    },
    Class {
        name: "days as nanoseconds",
        kinds: &[Date(1), I64],
        make: |r, n, k| {
            let start = (10_000 + r.below(9000)) as f64;
            each(n, k, |x| (start + x % 40_000.0) * 86_400e9)
        },
    },
    Class {
        name: "random days as nanoseconds",
        kinds: &[Date(1)],
        make: |r, n, k| each(n, k, |_| (10_000 + r.below(9000)) as f64 * 86_400e9),
    },
    Class {
        name: "Morton codes",
        kinds: &[U32, U64],
        make: |r, n, _| {
            let spread = |v: u64| (0..16).fold(0, |all, bit| all | (v >> bit & 1) << (2 * bit));
            whole(n, |_| spread(r.below(65536)) | spread(r.below(65536)) << 1)
        },
    },
    Class {
        name: "index of a transposed grid",
        kinds: &[I32, I64],
        make: |_, n, k| each(n, k, |x| (x % 256.0) * 256.0 + (x / 256.0).floor() % 256.0),
    },
    Class {
        name: "offsets in steps of 2^k",
        kinds: &[U16, I32, U32, I64, U64],
        make: |r, n, k| {
            let step = 1 << (4 + r.below(k.width() as u64 * 4));
            whole(n, |at| at * step)
        },
    },
    Class {
        name: "subnormal gradients",
        kinds: &[F16, F32],
        make: |r, n, _| whole(n, |_| 1 + r.below(600)),
    },
    Class {
        name: "numbers of every size",
        kinds: &[F32, F64],
        make: |r, n, k| each(n, k, |_| 10_f64.powf(r.unit() * 70.0 - 35.0)),
    },
    Class {
        name: "powers of two",
        kinds: &[F32, F64, U64],
        make: |r, n, k| each(n, k, |_| 2_f64.powi(r.below(50) as i32)),
    },
    Class {
        name: "probabilities",
        kinds: &[F16, Bf16, F32, F64],
        make: |r, n, k| each(n, k, |_| r.unit()),
    },
    Class {
        name: "float32 stored as float64",
        kinds: &[F64],
        make: |r, n, k| each(n, k, |_| f64::from((r.normal() * 10.0 + 280.0) as f32)),
    },
    Class {
        name: "tiny physical constants",
        kinds: &[F32, F64],
        make: |r, n, k| each(n, k, |_| (1.0 + r.unit()) * 6.6e-34),
    },
    Class {
        name: "latitudes as integers",
        kinds: &[I32, I64],
        make: |r, n, k| {
            let (mut at, step) = (-30.0, 1e-4);
            each(n, k, |_| {
                at += r.normal() * step;
                (at * 1e7_f64).round()
            })
        },
    },
    Class {
        name: "populations",
        kinds: &[I32, I64, U64],
        make: |r, n, k| each(n, k, |_| (r.normal() * 1.6 + 9.0).exp().round()),
    },
    Class {
        name: "MAC addresses",
        kinds: &[U64],
        make: |r, n, _| {
            whole(n, |_| pick(r, &[0x1122, 0x3c_5ab4, 0xf4_f5d8]) << 24 | r.below(1 << 24))
        },
    },
    Class {
        name: "labels of many regions",
        kinds: &[U16, I32, I64],
        make: |r, n, _| {
            let mut label = 0;
            whole(n, |_| {
                if r.below(9) == 0 {
                    label = r.below(3000);
                }
                label
            })
        },
    },
    Class {
        name: "two values",
        kinds: &[U16, I32, F32, F64],
        make: |r, n, k| each(n, k, |_| if r.below(3) == 0 { 257.0 } else { 30_464.0 }),
    },
    Class { name: "one value", kinds: &[I16, I32, F64], make: |_, n, k| each(n, k, |_| 7.0) },
    Class {
        name: "palindromes",
        kinds: &[U16, U32],
        make: |r, n, k| {
            whole(n, |_| {
                let (a, b) = (r.below(256), r.below(256));
                if k.width() == 2 { a << 8 | a } else { a << 24 | b << 16 | b << 8 | a }
            })
        },
    },
    Class {
        name: "interleaved pairs",
        kinds: &[I16, F32],
        make: |r, n, k| {
            let (even, odd) = (waves(r, n), waves(r, n));
            each(
                n,
                k,
                |x| if x % 2.0 == 0.0 { even(x) * 30.0 + 1000.0 } else { odd(x) * 30.0 - 900.0 },
            )
        },
    },
    Class {
        name: "dates in the remote past",
        kinds: &[Date(1_000_000_000), Date(86_400_000_000_000)],
        make: |r, n, k| each(n, k, |_| -3e7 - r.below(1_000_000) as f64),
    },
    Class {
        name: "time since start",
        kinds: &[I64, Date(1_000_000)],
        make: |r, n, k| {
            let mut now = 0.0;
            each(n, k, |_| {
                now += 40.0 + r.below(3) as f64;
                now
            })
        },
    },
    Class {
        name: "text in other scripts",
        kinds: &[Utf32],
        make: |r, n, _| {
            let base = pick(r, &[0x4e00, 0x0430, 0x1f600]);
            whole(n, |at| if at % 4 == 3 { 0 } else { base + r.below(40) })
        },
    },
];

/// The classes that were written when everything else was finished; nothing was changed because of them.
pub(super) const FRESH: &[Class] = &[
    Class {
        name: "random walk",
        kinds: &[I16, I32, I64, F32, F64],
        make: |r, n, k| {
            let mut at = 0.0;
            each(n, k, |_| {
                at = (at + r.normal() * 12.0).clamp(-30_000.0, 30_000.0);
                at
            })
        },
    },
    Class {
        name: "heart beat, 11 bits",
        kinds: &[I16, U16],
        make: |r, n, k| {
            each(n, k, |x| {
                let phase = (x % 180.0 - 60.0) / 4.0;
                1024.0 + 700.0 * (-phase * phase).exp() + 4.0 * r.normal()
            })
        },
    },
    Class {
        name: "speech, 16 bits",
        kinds: &[I16, I32, F32],
        make: |r, n, k| {
            let loud = waves(r, n);
            each(n, k, |x| {
                loud(x) * (x / 9.0).sin() * 2500.0 + 700.0 * (x / 2.3).sin() + 60.0 * r.normal()
            })
        },
    },
    Class {
        name: "radar echoes in decibels times 100",
        kinds: &[I16, I32],
        make: |r, n, k| {
            each(n, k, |_| if r.below(3) == 0 { -9999.0 } else { r.normal() * 900.0 + 1500.0 })
        },
    },
    Class {
        name: "shuffled index",
        kinds: &[U16, I32, I64],
        make: |r, n, k| {
            let mut order: Vec<u64> = (0..n as u64).collect();
            (1..n).for_each(|at| order.swap(at, r.below(at as u64 + 1) as usize));
            order.iter().map(|&at| k.bits(at as f64)).collect()
        },
    },
    Class {
        name: "column indices of a sparse matrix",
        kinds: &[I32, I64],
        make: |r, n, k| {
            let mut at = 0;
            each(n, k, |_| {
                at = (at + 1 + r.below(700)) % 20_000;
                at as f64
            })
        },
    },
    Class {
        name: "years",
        kinds: &[I16, I32, I64, F32],
        make: |r, n, k| each(n, k, |_| 1850.0 + r.below(170) as f64),
    },
    Class {
        name: "version and length, packed",
        kinds: &[U16, U32],
        make: |r, n, k| {
            whole(n, |_| 4 << (k.width() * 8 - 4) | 5 << (k.width() * 8 - 8) | r.below(60))
        },
    },
    Class {
        name: "port numbers and checksums",
        kinds: &[U16],
        make: |r, n, _| {
            whole(n, |at| if at % 2 == 0 { pick(r, &[80, 443, 22, 8080]) } else { r.next() })
        },
    },
    Class {
        name: "day and minute, packed",
        kinds: &[U32, I32],
        make: |r, n, _| {
            let mut minute = 0;
            whole(n, |_| {
                minute += r.below(200);
                ((minute / 1440) << 16) | (minute % 1440)
            })
        },
    },
    Class {
        name: "ratios with infinities",
        kinds: &[F32, F64, F16],
        make: |r, n, k| {
            each(n, k, |_| r.normal() / if r.below(20) == 0 { 0.0 } else { 1.0 + r.normal().abs() })
        },
    },
    Class {
        name: "logarithms of probabilities",
        kinds: &[F16, Bf16, F32, F64],
        make: |r, n, k| each(n, k, |_| (1.0 - r.unit()).ln() * 7.0),
    },
    Class {
        name: "sparse gradients",
        kinds: &[F16, Bf16, F32],
        make: |r, n, k| each(n, k, |_| if r.below(4) == 0 { r.normal() * 1e-6 } else { 0.0 }),
    },
    Class {
        name: "bits thrown at random",
        kinds: &[U16, U32, U64],
        make: |r, n, _| whole(n, |_| r.next() & r.next() & r.next()),
    },
    Class {
        name: "two bytes of pixels, red and infrared",
        kinds: &[U16],
        make: |r, n, _| {
            let (red, infrared) = (waves(r, n), waves(r, n));
            let byte = |v: f64| (v * 40.0 + 120.0).clamp(0.0, 255.0) as u64;
            whole(n, |at| byte(red(at as f64)) << 8 | byte(infrared(at as f64)))
        },
    },
    Class {
        name: "IPv4 addresses of a network",
        kinds: &[U32],
        make: |r, n, _| whole(n, |_| 0xc0a8_0000 | r.below(4) << 8 | r.below(254)),
    },
    Class {
        name: "memory addresses",
        kinds: &[U64],
        make: |r, n, _| whole(n, |_| 0x7f3a_0000_0000 + r.below(1 << 20) * 4096),
    },
    Class {
        name: "amounts in whole thousands",
        kinds: &[I32, I64],
        make: |r, n, k| each(n, k, |_| (r.below(900) + 10) as f64 * 1000.0),
    },
    Class {
        name: "multiples of 65,536",
        kinds: &[I32, U32, I64],
        make: |r, n, _| whole(n, |_| (r.below(300) + 1) << 16),
    },
    Class {
        name: "seconds of a day, shuffled",
        kinds: &[I32, Date(1_000_000_000), F64],
        make: |r, n, k| each(n, k, |_| r.below(86_400) as f64),
    },
    Class {
        name: "names in Latin letters, ten wide",
        kinds: &[Utf32],
        make: |r, n, _| {
            whole(n, |at| {
                if at % 10 > 4 + at / 10 % 4 {
                    0
                } else {
                    u64::from(pick(r, b"abcdefghijklmnopqrst"))
                }
            })
        },
    },
    Class {
        name: "Linear B",
        kinds: &[Utf32],
        make: |r, n, _| whole(n, |_| 0x1_0000 + r.below(90)),
    },
];
