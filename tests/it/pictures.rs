//! The picture of every kind of value: what is drawn, what the scale says, where the keys go.

use crate::snapshot::{Part, describe};
use ratatui::buffer::Buffer;
use std::{
    fs,
    path::{Path, PathBuf},
};
use tempfile::TempDir;
use zarrscope::{
    app::View,
    tui::{
        Options, picture,
        script::{self, Player},
    },
};

/// Writes a V3 array of one chunk.
fn array(store: &Path, name: &str, shape: &[u64], data_type: &str, fill: &str, bytes: &[u8]) {
    let dir = store.join(name);
    let document = format!(
        r#"{{"zarr_format": 3, "node_type": "array", "shape": {shape:?}, "data_type": {data_type},
 "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": {shape:?}}}}},
 "chunk_key_encoding": {{"name": "default", "configuration": {{"separator": "/"}}}},
 "fill_value": {fill}, "codecs": [{{"name": "bytes", "configuration": {{"endian": "little"}}}}]}}"#
    );
    let key: Vec<&str> = std::iter::once("c").chain(shape.iter().map(|_| "0")).collect();
    let chunk = dir.join(key.join("/"));
    fs::create_dir_all(chunk.parent().unwrap()).unwrap();
    fs::write(dir.join("zarr.json"), document).unwrap();
    fs::write(chunk, bytes).unwrap();
}

/// Rows and columns of the arrays that are drawn.
const SHAPE: [u64; 2] = [12, 20];

/// One element after the other, in C order.
fn elements<const N: usize>(bytes: impl Fn(i64, i64) -> [u8; N]) -> Vec<u8> {
    (0..12).flat_map(|y| (0..20).map(move |x| (y, x))).flat_map(|(y, x)| bytes(y, x)).collect()
}

#[expect(clippy::cast_precision_loss, reason = "small")]
fn wave(y: i64, x: i64) -> f64 {
    (x as f64 / 4.0).sin() * (y as f64 / 5.0).cos()
}

const TEXTS: &str = r#"{"name": "struct", "configuration": {"fields": [
 {"name": "name", "data_type": {"name": "null_terminated_bytes", "configuration": {"length_bytes": 2}}}]}}"#;

/// A struct of a text, a number, a point and a complex number.
const STRUCT: &str = r#"{"name": "struct", "configuration": {"fields": [
 {"name": "name", "data_type": {"name": "null_terminated_bytes", "configuration": {"length_bytes": 2}}},
 {"name": "count", "data_type": "int16"},
 {"name": "pos", "data_type": {"name": "struct", "configuration": {"fields": [
   {"name": "x", "data_type": "float32"}, {"name": "y", "data_type": "float32"}]}}},
 {"name": "z", "data_type": "complex64"}]}}"#;

/// A float32, as its bytes.
#[expect(clippy::cast_possible_truncation, reason = "they are meant to be")]
fn float(value: f64) -> [u8; 4] {
    (value as f32).to_le_bytes()
}

fn join<const N: usize>(parts: &[&[u8]]) -> [u8; N] {
    parts.concat().try_into().unwrap()
}

/// A store with a name that does not change.
struct Values(TempDir);

impl Values {
    fn path(&self) -> PathBuf {
        self.0.path().join("values")
    }
}

fn store() -> Values {
    let dir = Values(crate::scratch());
    let put = |name: &str, data_type: &str, fill: &str, bytes: Vec<u8>| {
        array(&dir.path(), name, &SHAPE, data_type, fill, &bytes);
    };
    let element = |y: i64, x: i64| -> [u8; 20] {
        let x_of = if (y, x) == (3, 4) { f64::NAN } else { wave(y, x) };
        let count = i16::try_from(y * 20 + x).unwrap().to_le_bytes();
        let parts = [float(x_of), float(-2.0 * wave(y, x)), float(wave(y, x)), float(1.0)];
        join(&[b"ab", &count, &parts[0], &parts[1], &parts[2], &parts[3]])
    };
    let fill = r#"{"name": "", "count": 0, "pos": {"x": 0.0, "y": 0.0}, "z": [0.0, 0.0]}"#;
    put("struct", STRUCT, fill, elements(element));
    put("texts", TEXTS, r#"{"name": ""}"#, elements(|_, x| if x < 9 { *b"ab" } else { *b"c\0" }));
    let complex = |y: i64, x: i64| join::<8>(&[&float(wave(y, x) * 3.0), &float(wave(x, y))]);
    put("complex", "\"complex64\"", "[0.0, 0.0]", elements(complex));
    put("bools", "\"bool\"", "false", elements(|y, x| [u8::from(wave(y, x) > 0.2)]));
    let time = |unit: &str| {
        let configuration = format!(r#"{{"unit": "{unit}", "scale_factor": 1}}"#);
        format!(r#"{{"name": "numpy.datetime64", "configuration": {configuration}}}"#)
    };
    let days = |y: i64, x: i64| if (y, x) == (2, 3) { i64::MIN } else { 17_956 + y * 20 + x };
    put("days", &time("D"), "0", elements(|y, x| days(y, x).to_le_bytes()));
    let nanoseconds = |y: i64, x: i64| 1_551_430_800_000_000_000 + (y * 20 + x) * 1_000;
    put("nanoseconds", &time("ns"), "0", elements(|y, x| nanoseconds(y, x).to_le_bytes()));
    extremes(&dir.path());
    array(&dir.path(), "one", &[1, 1], "\"int8\"", "0", &[5]);
    array(&dir.path(), "none", &[0, 4], "\"int8\"", "0", &[]);
    let four: Vec<u8> = (0..2 * 3 * 4 * 5).collect();
    array(&dir.path(), "four", &[2, 3, 4, 5], "\"uint8\"", "255", &four);
    dir
}

/// Numbers that a picture could stumble over.
fn extremes(store: &Path) {
    let put = |name: &str, data_type: &str, fill: &str, bytes: Vec<u8>| {
        array(store, name, &SHAPE, data_type, fill, &bytes);
    };
    let close = |y: i64, x: i64| (u64::MAX - u64::try_from(y * 20 + x).unwrap()).to_le_bytes();
    put("close", "\"uint64\"", "0", elements(close));
    let far = |y: i64, x: i64| match (y, x) {
        (0, 0) => i64::MIN,
        (11, 19) => i64::MAX,
        _ => x,
    };
    put("far", "\"int64\"", "7", elements(|y, x| far(y, x).to_le_bytes()));
    let odd = |y: i64, x: i64| match (y, x) {
        (3, 4) => f64::NAN,
        (4, 6..9) => f64::INFINITY,
        (5, 10..14) => f64::NEG_INFINITY,
        (6..9, 14..18) => -999.0,
        _ => wave(y, x),
    };
    put("odd", "\"float32\"", "-999.0", elements(|y, x| float(odd(y, x))));
    put("nan", "\"float32\"", "0.0", elements(|_, _| float(f64::NAN)));
    put("fill", "\"float32\"", "-999.0", elements(|_, _| float(-999.0)));
    put("constant", "\"float64\"", "0.0", elements(|_, _| 7.25_f64.to_le_bytes()));
    put("huge", "\"float64\"", "0.0", elements(|y, x| (wave(y, x) * 1e308).to_le_bytes()));
    put("tiny", "\"float64\"", "0.0", elements(|y, x| (wave(y, x) * 1e-310).to_le_bytes()));
}

fn options(at: &str) -> Options {
    Options { at: Some(at.into()), ..Options::default() }
}

fn play(store: &Path, at: &str, keys: &str) -> Player {
    let mut player = Player::open(store, (80, 24), &options(at)).unwrap();
    for key in script::parse(keys).unwrap() {
        player.press(key);
    }
    player
}

/// The view alone.
fn view(store: &Path, size: (u16, u16), keys: &str, options: &Options) -> Buffer {
    let played = script::play(store, size, keys, options).unwrap();
    Part::View.of(&played.app, &played.screen)
}

/// The element under the cursor: its coordinates in the array.
fn place(player: &Player) -> String {
    let address = player.app.address();
    address.split('#').nth(1).unwrap_or_default().trim_end_matches('\'').to_owned()
}

#[test]
fn every_kind_of_value_is_drawn_with_a_scale_that_can_be_read() {
    let store = store();
    for (name, keys) in [
        ("struct", "3"),
        ("struct_next_field", "3cc"),
        ("struct_all_fields", "3C"),
        ("texts", "3"),
        ("complex", "3"),
        ("complex_phase", "3ccc"),
        ("bools", "3"),
        ("days", "3"),
        ("nanoseconds", "3"),
        ("close", "3"),
        ("far", "3s"),
        ("odd", "3"),
        ("nan", "3"),
        ("fill", "3"),
        ("constant", "3"),
        ("huge", "3"),
        ("tiny", "3"),
        ("one", "3"),
        ("none", "3"),
        ("four", "3]s]s"),
    ] {
        let at = name.split('_').next().unwrap();
        let mono = Options { color: false, ..options(at) };
        let drawn = view(&store.path(), (80, 24), keys, &mono);
        insta::assert_snapshot!(format!("{name}_80x24"), picture::text(&drawn));
    }
    for name in ["odd", "struct"] {
        let drawn = view(&store.path(), (120, 40), "3jjll", &options(name));
        insta::assert_snapshot!(format!("{name}_120x40"), describe(&drawn));
    }
    let ascii = Options { ascii: true, color: false, ..options("odd") };
    let drawn = view(&store.path(), (80, 24), "3", &ascii);
    assert!(picture::text(&drawn).is_ascii());
    insta::assert_snapshot!("odd_ascii", picture::text(&drawn));
}

#[test]
fn the_keys_of_the_picture_go_where_they_say() {
    let store = store();
    let table = [
        // The lowest, the highest, and what is no number.
        ("far", "3<lt>", "[0,0]"),
        ("far", "3>", "[11,19]"),
        ("odd", "3!", "[3,4]"),
        ("odd", "3!n", "[4,6]"),
        ("odd", "3!!!!!", "[5,10]"),
        ("odd", "3!!!N", "[4,6]"),
        ("odd", "3!<c-o>", "[0,0]"),
        ("days", "3!", "[2,3]"),
        ("fill", "3!", "[0,0]"),
        ("struct", "3:field pos.x<enter>!", "[3,4]"),
        ("struct", "3!", "[0,0]"),
        // To the element as bytes, and back.
        ("odd", "3jjlv", "[2,1]"),
        ("odd", "3jjl<enter>l", "[2,2]"),
        ("odd", "3jjl<enter>l3", "[2,2]"),
        ("odd", "3jjl<enter>l<c-o>", "[2,1]"),
        ("odd", "2:[5,6]<enter>3", "[5,6]"),
        ("odd", "3:[5,6]<enter>", "[5,6]"),
        ("odd", "3G", "[11,19]"),
        ("odd", "3Gg", "[0,0]"),
        ("odd", "3h:23G<enter>", "[1,3]"),
        ("odd", "3<pagedown>", "[10,0]"),
        ("odd", "3<c-d>", "[5,0]"),
        ("odd", "3/=0<enter>", "[1,0]"),
        // Slices, the last dimension that is not drawn first.
        ("four", "3]s", "[0,1,0,0]"),
        ("four", "3jl]s]s]s", "[1,0,1,1]"),
        ("four", "3]s]s]s]s]s]s]s", "[1,2,0,0]"),
        ("four", "3]s]s[s", "[0,1,0,0]"),
        ("four", "3a]s", "[0,0,1,0]"),
    ];
    for (at, keys, want) in table {
        assert_eq!(place(&play(&store.path(), at, keys)), want, "{at} {keys}");
    }
    assert_eq!(play(&store.path(), "odd", "3<enter>").app.shared.view, View::Chunks);
    assert_eq!(play(&store.path(), "odd", "3<enter><c-o>").app.shared.view, View::Picture);
    assert_eq!(play(&store.path(), "odd", "3:[5,6]<enter>").app.shared.view, View::Picture);
}

#[test]
fn a_chunk_of_which_a_window_is_loaded_is_drawn_whole() {
    let dir = crate::scratch();
    // 8 MiB and some: bytes of such chunks are read by windows of 2 MiB.
    let bytes: Vec<u8> = (0..1030 * 1024_i64).flat_map(i64::to_le_bytes).collect();
    array(dir.path(), "long", &[1030, 1024], "\"int64\"", "-1", &bytes);
    let player = play(dir.path(), "long", "3>");
    let statistics = &player.app.pages.picture.counted().unwrap().statistics;
    assert_eq!((statistics.elements, statistics.skipped), (1030 * 1024, 0));
    assert_eq!(place(&player), "[1029,1023]");
    let text = picture::text(&player.screen());
    assert!(text.contains("[1029,1023]  1054719"), "{text}");
    assert!(!text.contains("not loaded"), "{text}");
}

#[test]
fn the_padding_of_an_edge_chunk_is_not_drawn() {
    let store = crate::keys::stores();
    let player = play(&store, "broken/orphans/c/1", "3");
    let region = player.app.shared.chunk.extent();
    let counted = player.app.pages.picture.counted().unwrap();
    assert_eq!(vec![counted.statistics.elements], region);
    assert!(player.app.shared.chunk.shown().unwrap().chunk.shape > region, "there is padding");
}

#[test]
fn a_field_is_chosen_by_key_and_by_name() {
    let store = store();
    let drawn = |at: &str, keys: &str| {
        let player = play(&store.path(), at, keys);
        let counted = player.app.pages.picture.counted();
        counted.map_or_else(|| "all".into(), |counted| counted.choice.name.clone())
    };
    let names = ["count", "pos.x", "pos.y", "z.modulus", "z.real", "z.imaginary", "z.phase", "all"];
    for (presses, name) in names.iter().enumerate() {
        assert_eq!(drawn("struct", &format!("3{}", "]f".repeat(presses))), *name);
        let back = (names.len() - presses) % names.len();
        assert_eq!(drawn("struct", &format!("3{}", "[f".repeat(back))), *name);
    }
    assert_eq!(drawn("struct", ":field pos.y<enter>"), "pos.y");
    assert_eq!(drawn("struct", ":field all fields<enter>"), "all");
    assert_eq!(drawn("struct", ":field p<tab><enter>"), "pos.x");
    assert_eq!(drawn("complex", "3"), "modulus");
    assert_eq!(drawn("complex", ":field imaginary<enter>"), "imaginary");
    let said =
        |at: &str, keys: &str| play(&store.path(), at, keys).app.shared.message.unwrap().text;
    assert_eq!(
        said("complex", ":field x<enter>"),
        "no field x; the fields are modulus  real  imaginary  phase"
    );
    assert_eq!(said("odd", "3]f"), "these elements have no fields or parts");
}

#[test]
fn the_footer_offers_what_does_something_here() {
    let store = store();
    let footer = |at: &str, keys: &str| {
        let drawn = play(&store.path(), at, keys).screen();
        picture::text(&drawn).lines().last().unwrap_or_default().to_owned()
    };
    let offers = |at: &str, keys: &str, words: &[&str], not: &[&str]| {
        let footer = footer(at, keys);
        for word in words {
            assert!(footer.contains(word), "{at} {keys} does not offer {word}: {footer}");
        }
        for word in not {
            assert!(!footer.contains(word), "{at} {keys} offers {word}: {footer}");
        }
        assert!(footer.trim_end().ends_with("? keys   q leave"), "{footer}");
    };
    offers("four", "3", &["]s slice", "a axes"], &["field", "! NaN"]);
    offers("odd", "3", &["! NaN", "< > min, max", "Enter values"], &["slice", "field"]);
    offers("struct", "3", &["]f field"], &["slice", "part"]);
    offers("complex", "3", &["]f part"], &["field"]);
    offers("fill", "3", &["Enter values"], &["min", "NaN", "slice"]);
    offers("none", "3", &[], &["slice", "axes", "scale", "values"]);
    offers("texts", "3", &["Enter values"], &["axes", "scale", "field"]);
    // One chunk, not sharded, of one byte an element.
    offers("one", "2", &["codecs"], &["chunk", "shard", "order", "missing"]);
    offers("odd", "2", &["x other order"], &["chunk", "shard", "missing"]);
    offers("odd", "4", &["V2/V3"], &["fault", "fold"]);
    assert!(footer("odd", "q").contains("q quit"));
}
