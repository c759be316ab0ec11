//! Data that were appended in another form than those before: told with the step, the same data appended as they should be
//! silent.

use std::fs;
use tempfile::TempDir;
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
    let folder = TempDir::new().unwrap();
    let file = if document == V2 { ".zarray" } else { "zarr.json" };
    fs::write(folder.path().join(file), document).unwrap();
    if document == V2 {
        fs::write(folder.path().join(".zattrs"), NAMES).unwrap();
    }
    for (i, j, k) in (0..12).flat_map(|i| (0..2).flat_map(move |j| (0..2).map(move |k| (i, j, k))))
    {
        let mut values = Vec::new();
        for t in i * 2..i * 2 + 2 {
            for y in j * 10..j * 10 + 10 {
                values.extend((k * 12..k * 12 + 12).map(|x| value(t, y, x)));
            }
        }
        let key = if document == V2 { format!("{i}.{j}.{k}") } else { format!("c/{i}/{j}/{k}") };
        let path = folder.path().join(key);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, zstd::encode_all(write(i * 2, values).as_slice(), 1).unwrap()).unwrap();
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

/// The findings on a store with a coordinate of days, in a calendar.
fn of_days(days: &[i64], calendar: &str) -> Vec<String> {
    let folder = TempDir::new().unwrap();
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
