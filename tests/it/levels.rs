//! Levels of an image by their values: what is made of the level before, in one of the ways that levels are made, is
//! silent; what is not, in part or anywhere, is told.

use std::{
    fs,
    path::Path,
    sync::atomic::{AtomicUsize, Ordering},
};
use zarrscope::zarr::{
    Budget, Hierarchy, NodePath,
    check::{CheckOptions, Event, check},
};

const SIDES: [usize; 2] = [64, 97];

/// Numbers without a habit, some of them smooth.
fn pixel(seed: usize, y: usize, x: usize, noise: f64) -> f64 {
    let mixed = (seed * 7_919 + y * 1_000_003 + x * 1009).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let random = ((mixed ^ (mixed >> 29)) >> 20 & 0xffff) as f64 / 65_536.0;
    let (phase, period) = (seed as f64 * 1.7, 3.0 + seed as f64);
    let (y, x) = (y as f64, x as f64);
    20_000.0
        + 6_000.0 * (y / period + phase).sin()
        + 5_000.0 * (x / (period + 3.0) - phase).cos()
        + noise * random
}

type Grid = Vec<Vec<f64>>;

fn picture(seed: usize, noise: f64) -> Grid {
    let row = |y| (0..SIDES[1]).map(|x| pixel(seed, y, x, noise).round()).collect();
    (0..SIDES[0]).map(row).collect()
}

/// Half as large, each value made of the four, or of more, that it stands for.
fn smaller(image: &Grid, how: &str) -> Grid {
    let (rows, columns) = (image.len() / 2, image[0].len() / 2);
    let value = |y: usize, x: usize| {
        let mut four = [
            image[y * 2][x * 2],
            image[y * 2][x * 2 + 1],
            image[y * 2 + 1][x * 2],
            image[y * 2 + 1][x * 2 + 1],
        ];
        four.sort_by(f64::total_cmp);
        let around = || {
            let near = |at: usize, end: usize| at.saturating_sub(1)..(at + 3).min(end);
            let rows = near(y * 2, image.len());
            let all = rows.flat_map(|y| near(x * 2, image[0].len()).map(move |x| image[y][x]));
            let all: Vec<f64> = all.collect();
            all.iter().sum::<f64>() / all.len() as f64
        };
        match how {
            "mean" => (four.iter().sum::<f64>() / 4.0).round(),
            "cut" => (four.iter().sum::<f64>() / 4.0).floor(),
            "stride" => image[y * 2][x * 2],
            "shifted" => image[y * 2 + 1][x * 2 + 1],
            "max" => four[3],
            "min" => four[0],
            "median" => f64::midpoint(four[1], four[2]).round(),
            _ => around().round(),
        }
    };
    (0..rows).map(|y| (0..columns).map(|x| value(y, x)).collect()).collect()
}

const HOW: [&str; 8] = ["mean", "cut", "stride", "shifted", "max", "min", "median", "smooth"];

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the values are made")]
fn write(root: &Path, levels: &[Grid], is_lost: &dyn Fn(usize, usize, usize) -> bool) {
    let datasets: Vec<String> = (0..levels.len())
        .map(|n| format!(r#"{{"path": "{n}", "coordinateTransformations": [{{"type": "scale", "scale": [{0}, {0}]}}]}}"#, 1 << n))
        .collect();
    let group = format!(
        r#"{{"zarr_format": 3, "node_type": "group", "attributes": {{"ome": {{"version": "0.5", "multiscales": [{{"axes":
            [{{"name": "y", "type": "space"}}, {{"name": "x", "type": "space"}}], "datasets": [{}]}}]}}}}}}"#,
        datasets.join(", ")
    );
    fs::write(root.join("zarr.json"), group).unwrap();
    for (n, level) in levels.iter().enumerate() {
        let (rows, columns) = (level.len(), level[0].len());
        let document = format!(
            r#"{{"zarr_format": 3, "node_type": "array", "shape": [{rows}, {columns}], "data_type": "uint16",
                "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": [16, 16]}}}},
                "chunk_key_encoding": {{"name": "default"}}, "fill_value": 0, "dimension_names": ["y", "x"],
                "codecs": [{{"name": "bytes", "configuration": {{"endian": "little"}}}}]}}"#
        );
        for (i, j) in
            (0..rows.div_ceil(16)).flat_map(|i| (0..columns.div_ceil(16)).map(move |j| (i, j)))
        {
            let at = |y: usize, x: usize| {
                level.get(y).and_then(|row| row.get(x)).copied().unwrap_or_default() as u16
            };
            let bytes = (i * 16..i * 16 + 16)
                .flat_map(|y| (j * 16..j * 16 + 16).flat_map(move |x| at(y, x).to_le_bytes()));
            let file = root.join(format!("{n}/c/{i}/{j}"));
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            if !is_lost(n, i, j) {
                fs::write(file, bytes.collect::<Vec<u8>>()).unwrap();
            }
        }
        fs::write(root.join(format!("{n}/zarr.json")), document).unwrap();
    }
}

/// The findings on levels of an image of `levels`.
fn found(levels: &[Grid], is_lost: &dyn Fn(usize, usize, usize) -> bool) -> Vec<String> {
    found_until(levels, is_lost, &|| false)
}

/// The same, until `stop`.
fn found_until(
    levels: &[Grid],
    is_lost: &dyn Fn(usize, usize, usize) -> bool,
    stop: &(dyn Fn() -> bool + Sync),
) -> Vec<String> {
    let folder = crate::scratch();
    write(folder.path(), levels, is_lost);
    let (hierarchy, target) = Hierarchy::open(folder.path()).unwrap();
    let mut lines = Vec::new();
    let options =
        CheckOptions { budget: Budget::default().with_stop(stop), ..CheckOptions::default() };
    check(&hierarchy, &target.node, &options, &mut |event| {
        if let Event::Problem(NodePath(path), problem) = event
            && problem.error.code.as_str().starts_with("ome")
        {
            lines.push(format!("{path}: {}", problem.error));
        }
    });
    lines
}

fn pyramid(image: Grid, how: &str) -> Vec<Grid> {
    let one = smaller(&image, how);
    let two = smaller(&one, how);
    vec![image, one, two]
}

#[test]
fn levels_that_are_made_of_each_other_are_silent() {
    for (noise, how) in
        [0.0, 900.0, 40_000.0].into_iter().flat_map(|noise| HOW.map(|how| (noise, how)))
    {
        let levels = pyramid(picture(1, noise), how);
        assert_eq!(found(&levels, &|_, _, _| false), Vec::<String>::new(), "{how} {noise}");
    }
}

#[test]
fn a_level_that_is_not_made_of_the_one_before_is_told_with_the_part() {
    for how in ["mean", "stride", "median", "smooth"] {
        let noise = 900.0;
        let (levels, others) = (pyramid(picture(1, noise), how), pyramid(picture(4, noise), how));
        let mut stale = levels.clone();
        for (row, other) in stale[1].iter_mut().zip(&others[1]) {
            row[32..].copy_from_slice(&other[32..]);
        }
        let lines = found(&stale, &|_, _, _| false);
        // Of smoothed noise, parts are not told from each other for sure.
        if how != "smooth" {
            assert_eq!(lines.len(), 1, "{how} {noise}: {lines:?}");
            assert!(
                lines[0].contains(r#""1" is not made of "0" in [0–31,32–47]"#),
                "{how} {noise}: {lines:?}"
            );
        }
        let mixed = [levels[0].clone(), others[1].clone(), others[2].clone()];
        let lines = found(&mixed, &|_, _, _| false);
        assert_eq!(lines.len(), 1, "{how} {noise}: {lines:?}");
        assert!(lines[0].contains(r#""1" is not made of "0". In"#), "{how} {noise}: {lines:?}");
    }
}

#[test]
fn a_level_that_was_cut_and_not_made_coarser_is_told() {
    let image = picture(1, 40_000.0);
    let means = |rows: &[Vec<f64>]| {
        let columns = 0..SIDES[1] / 2;
        columns.map(|x| f64::midpoint(rows[0][x], rows[1][x]).round()).collect::<Vec<f64>>()
    };
    let cut: Grid = image.chunks(2).map(means).collect();
    let less = smaller(&cut, "mean");
    let lines = found(&[image, cut, less], &|_, _, _| false);
    assert_eq!(lines.len(), 1, "{lines:?}");
    let told = format!(
        r#""1" is made of the first elements of "0" alone: {} of {} along dimension 1"#,
        SIDES[1] / 2,
        SIDES[1]
    );
    assert!(lines[0].contains(&told), "{lines:?}");
}

#[test]
fn a_part_that_the_level_before_does_not_store_is_told() {
    let levels = pyramid(picture(1, 900.0), "mean");
    let lines = found(&levels, &|level, y, x| level == 0 && (2..4).contains(&y) && x < 2);
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(
        lines[0].contains(r#""0" stores nothing where "1" has values: [16–31,0–15]"#),
        "{lines:?}"
    );
    // What no level has was never there.
    let lines = found(&levels, &|level, y, x| y >> (2 - level) == 0 && x >> (2 - level) == 0);
    assert_eq!(lines, Vec::<String>::new());
}

/// Each place at which a part of a level may lie is tried by itself, and before each is asked whether to stop.
#[test]
fn a_comparison_asks_before_every_place_whether_to_stop() {
    const PLACES: usize = 9;
    let questions = |levels: &[Grid]| {
        let asked = AtomicUsize::new(0);
        let stop = || asked.fetch_add(1, Ordering::Relaxed) > usize::MAX / 2;
        found_until(levels, &|_, _, _| false, &stop);
        asked.into_inner()
    };
    let levels = pyramid(picture(1, 900.0), "mean");
    let others = pyramid(picture(4, 900.0), "mean");
    let stale = [levels[0].clone(), others[1].clone(), others[2].clone()];
    let (few, many) = (questions(&levels), questions(&stale));
    assert!(many >= few + 8 * PLACES, "{few} {many}");
}
