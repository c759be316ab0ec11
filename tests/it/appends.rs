//! Data that were appended in another form than those before: told with the step, the same data appended as they should be
//! silent.

use std::{fs, ops::Range};
use zarrscope::zarr::{
    Hierarchy,
    check::{CheckOptions, Event, check},
};

const DOCUMENT: &str = r#"{"zarr_format": 3, "node_type": "array", "shape": [24, 20, 24], "data_type": "float32",
    "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2, 10, 12]}},
    "chunk_key_encoding": {"name": "default"}, "fill_value": 0, "dimension_names": ["time", "y", "x"],
    "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "zstd"}]}"#;

const V2: &str = r#"{"zarr_format": 2, "shape": [24, 20, 24], "chunks": [2, 10, 12], "dtype": "<f4", "fill_value": 0,
    "order": "C", "filters": null, "compressor": {"id": "zstd", "level": 1}}"#;

const NAMES: &str = r#"{"_ARRAY_DIMENSIONS": ["time", "y", "x"]}"#;

/// The index from which on the chunks are other ones.
const STEP: u64 = 16;

/// A smooth field, with a little noise.
fn value(t: u64, y: u64, x: u64) -> f64 {
    let (t_, y_, x_) = (t as f64 / 24.0, y as f64 / 20.0, x as f64 / 24.0);
    let mixed = (t * 1_000_003 + y * 1009 + x).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let noise = (mixed >> 40) as f64 / (1_u64 << 24) as f64;
    280.0
        + 3.0 * (4.0 * t_ + 5.0 * y_).sin()
        + 2.0 * (6.0 * x_ - 2.0 * t_ + 1.0).cos()
        + 0.02 * noise
}

/// The findings on an array whose chunks `write` makes of values.
fn found(write: &dyn Fn(u64, Vec<f64>) -> Vec<u8>) -> Vec<String> {
    found_in(DOCUMENT, write)
}

/// The same of an array of a document.
fn found_in(document: &str, write: &dyn Fn(u64, Vec<f64>) -> Vec<u8>) -> Vec<String> {
    let chunk = |at: [u64; 3]| (at, write(at[0] * 2, values(at, [2, 10, 12], [0; 3])));
    found_of(document, &grid([0..12, 0..2, 0..2]).map(chunk).collect::<Vec<_>>())
}

/// Every index in a grid.
fn grid([i, j, k]: [Range<u64>; 3]) -> impl Iterator<Item = [u64; 3]> {
    i.flat_map(move |i| {
        let k = k.clone();
        j.clone().flat_map(move |j| k.clone().map(move |k| [i, j, k]))
    })
}

/// The values of a chunk of a grid that begins at an element.
fn values(at: [u64; 3], shape: [u64; 3], begin: [u64; 3]) -> Vec<f64> {
    let along = |axis: usize| {
        let from = begin[axis] + at[axis] * shape[axis];
        from..from + shape[axis]
    };
    grid([along(0), along(1), along(2)]).map(|[t, y, x]| value(t, y, x)).collect()
}

/// The findings on an array with these chunks.
fn found_of(document: &str, chunks: &[([u64; 3], Vec<u8>)]) -> Vec<String> {
    let folder = crate::scratch();
    let is_v2 = document == V2;
    fs::write(folder.path().join(if is_v2 { ".zarray" } else { "zarr.json" }), document).unwrap();
    if is_v2 {
        fs::write(folder.path().join(".zattrs"), NAMES).unwrap();
    }
    for ([i, j, k], bytes) in chunks {
        let key = if is_v2 { format!("{i}.{j}.{k}") } else { format!("c/{i}/{j}/{k}") };
        let path = folder.path().join(key);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, zstd::encode_all(bytes.as_slice(), 1).unwrap()).unwrap();
    }
    let (hierarchy, target) = Hierarchy::open(folder.path()).unwrap();
    let mut lines = Vec::new();
    check(&hierarchy, &target.node, &CheckOptions::default(), &mut |event| {
        if let Event::Problem(_, problem) = event
            && let Some(cause) = &problem.diagnosis
        {
            lines.push(format!("{} {}", problem.error, cause.evidence.join(" ")));
        }
    });
    lines
}

#[expect(clippy::cast_possible_truncation, reason = "the values are made")]
fn narrow(value: f64) -> f32 {
    value as f32
}

fn float32(values: Vec<f64>) -> Vec<u8> {
    values.into_iter().flat_map(|value| narrow(value).to_le_bytes()).collect()
}

type Change = fn(Vec<f64>) -> Vec<u8>;

#[test]
fn what_was_appended_in_another_form_is_told_with_the_step() {
    assert_eq!(found(&|_, values| float32(values)), Vec::<String>::new());
    let step = "all that is stored from 8 on along dimension 0 (\"time\"), that is from index 16";
    let cases: [(&str, Change); 3] = [
        ("The elements are float64, not float32", |values| {
            values.into_iter().flat_map(|it| f64::from(narrow(it)).to_le_bytes()).collect()
        }),
        ("as from metres to feet", |values| {
            float32(values.into_iter().map(|it| it * 0.3048).collect())
        }),
        ("is big-endian", |values| {
            values.into_iter().flat_map(|it| narrow(it).to_be_bytes()).collect()
        }),
    ];
    for (told, change) in cases {
        let lines =
            found(&|from, values| if from < STEP { float32(values) } else { change(values) });
        assert_eq!(lines.len(), 1, "{told}: {lines:#?}");
        assert!(lines[0].contains(told) && lines[0].contains(step), "{told}: {lines:#?}");
    }
    // Within chunks of another filter, values are so rough that no border stands out.
    let shuffled = |values: Vec<f64>| {
        let bytes = float32(values);
        (0..4).flat_map(|n| bytes.iter().skip(n).step_by(4).copied().collect::<Vec<u8>>()).collect()
    };
    let lines =
        found_in(V2, &|from, values| if from < STEP { float32(values) } else { shuffled(values) });
    assert_eq!(lines.len(), 1, "{lines:#?}");
    assert!(lines[0].contains("has other filters") && lines[0].contains(step), "{lines:#?}");
    assert_eq!(found_in(V2, &|_, values| float32(values)), Vec::<String>::new());
    // Values that rise by as much are another season.
    let lines = found(&|from, values| {
        float32(values.into_iter().map(|it| if from < STEP { it } else { it + 7.3 }).collect())
    });
    assert_eq!(lines, Vec::<String>::new());
}

/// A change of values where they are appended is told as `told`, with the step, and nothing is told without it.
fn assert_told(document: &str, told: &str, form: &dyn Fn(f64) -> Vec<u8>, change: fn(f64) -> f64) {
    let step = "all that is stored from 8 on along dimension 0 (\"time\"), that is from index 16";
    let with = |change: &dyn Fn(f64) -> f64| {
        found_in(document, &|from, values| {
            let changed = |it: f64| if from < STEP { it } else { change(it) };
            values.into_iter().flat_map(|it| form(changed(it))).collect()
        })
    };
    assert_eq!(with(&|it| it), Vec::<String>::new(), "{told}");
    let lines = with(&change);
    assert_eq!(lines.len(), 1, "{told}: {lines:#?}");
    assert!(lines[0].contains(told) && lines[0].contains(step), "{told}: {lines:#?}");
}

#[test]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "values are made")]
fn values_with_the_other_sign_are_told_with_the_step() {
    let sign = "have the opposite sign of those before";
    let float = |it: f64| (it as f32).to_le_bytes().to_vec();
    assert_told(DOCUMENT, sign, &float, |it| -it);
    // Around 0, neighbours have both signs.
    assert_told(DOCUMENT, sign, &|it| ((it - 281.0) as f32).to_le_bytes().to_vec(), |it| {
        562.0 - it
    });
    let integers = DOCUMENT.replace("float32", "int16");
    let integer = |it: f64| (((it - 281.0) * 1000.0).round() as i16).to_le_bytes().to_vec();
    assert_told(&integers, sign, &integer, |it| 562.0 - it);
    let packed = integers.replace(
        r#""fill_value": 0"#,
        r#""attributes": {"scale_factor": 0.01, "add_offset": 250.0}, "fill_value": 0"#,
    );
    let pack = |it: f64| (((it - 250.0) / 0.01).round() as i16).to_le_bytes().to_vec();
    assert_told(&packed, sign, &|it| pack(it - 281.0), |it| 562.0 - it);
    let bytes = DOCUMENT.replace("float32", "uint8");
    let byte = |it: f64| vec![((it - 270.0) * 12.0).round() as u8];
    assert_told(&bytes, "are inverted relative to those before", &byte, |it| {
        2.0 * 270.0 + 21.25 - it
    });
    // Angles that begin anew at 180 degrees, at the border of chunks.
    let angles = found_in(DOCUMENT, &|from, values| {
        let shift = |it: f64| if from < STEP { 177.0 + it / 300.0 } else { -183.5 + it / 300.0 };
        float32(values.into_iter().map(shift).collect())
    });
    assert_eq!(angles, Vec::<String>::new());
}

/// Chunks of another shape that were appended, with keys that go on after those before, or those of a grid of their own.
#[test]
fn chunks_of_another_shape_are_told_with_the_step() {
    for (new, own_grid) in [
        ([2, 5, 12], false),
        ([2, 10, 6], false),
        ([4, 5, 12], false),
        ([1, 10, 12], false),
        ([1, 10, 12], true),
        ([4, 10, 12], false),
        ([2, 20, 24], false),
    ] {
        let before = grid([0..8, 0..2, 0..2]).map(|at| (at, values(at, [2, 10, 12], [0; 3])));
        let first = if own_grid { STEP / new[0] } else { 8 };
        let after = grid([0..8 / new[0], 0..20 / new[1], 0..24 / new[2]])
            .map(|at| ([first + at[0], at[1], at[2]], values(at, new, [STEP, 0, 0])));
        let chunks: Vec<_> = before.chain(after).map(|(at, it)| (at, float32(it))).collect();
        let lines = found_of(DOCUMENT, &chunks);
        let told = format!(
            "The chunks from {first} on along dimension 0 have the shape [{},{},{}], not [2,10,12]",
            new[0], new[1], new[2]
        );
        assert!(lines.len() == 1 && lines[0].contains(&told), "{told}: {lines:#?}");
    }
}

/// The findings on a store with a coordinate of days, in a calendar.
fn of_days(days: &[i64], calendar: &str) -> Vec<String> {
    let folder = crate::scratch();
    let count = days.len();
    let document = format!(
        r#"{{"zarr_format": 3, "node_type": "array", "shape": [{count}], "data_type": "int64", "dimension_names": ["time"],
            "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": [{count}]}}}},
            "chunk_key_encoding": {{"name": "default"}}, "fill_value": 0,
            "codecs": [{{"name": "bytes", "configuration": {{"endian": "little"}}}}],
            "attributes": {{"units": "days since 1990-01-01", "calendar": "{calendar}"}}}}"#
    );
    fs::create_dir_all(folder.path().join("time/c")).unwrap();
    fs::write(folder.path().join("zarr.json"), r#"{"zarr_format": 3, "node_type": "group"}"#)
        .unwrap();
    fs::write(folder.path().join("time/zarr.json"), document).unwrap();
    let bytes: Vec<u8> = days.iter().flat_map(|day| day.to_le_bytes()).collect();
    fs::write(folder.path().join("time/c/0"), bytes).unwrap();
    let (hierarchy, target) = Hierarchy::open(folder.path()).unwrap();
    let mut lines = Vec::new();
    check(&hierarchy, &target.node, &CheckOptions::default(), &mut |event| {
        if let Event::Problem(_, problem) = event {
            lines.push(format!(
                "{} {}",
                problem.error,
                problem.error.fix.clone().unwrap_or_default()
            ));
        }
    });
    lines
}

#[test]
fn an_append_in_another_calendar_is_told_with_the_step() {
    // Of 2001-01-01: 11 years of 365 days, and three leap days.
    let (model, real) = (11 * 365, 11 * 365 + 3);
    let days = |from: i64, to: i64| {
        (model - 60..model).map(|day| day + from - model).chain(to..to + 60).collect::<Vec<i64>>()
    };
    for (calendar, found, days) in [
        ("noleap", Some("standard"), days(model, real)),
        ("standard", Some("noleap"), days(real, model)),
        ("noleap", None, days(model, model)),
        ("standard", None, days(real, real)),
        // Three days that are missing in the real calendar.
        ("standard", None, days(real, real + 3)),
    ] {
        let lines = of_days(&days, calendar);
        assert_eq!(lines.len(), usize::from(found.is_some()), "{calendar}: {lines:#?}");
        if let Some(found) = found {
            let words = format!("from [60] on, times that are counted in the calendar \"{found}\"");
            assert!(lines[0].contains(&words), "{calendar}: {lines:#?}");
        }
    }
}
