//! Metadata, picture, problems and gallery: each in every state, wide and narrow, with and without colours.
//!
//! The states are reached by keys on stores that are written here; each view is drawn alone, in the room that it has
//! on a screen of 120x40 (82x36 cells) or 80x24 (79x20).

use crate::snapshot::{describe, draw, draw_by};
use ratatui::text::Text;
use std::path::Path;
use tempfile::TempDir;
use zarrscope::{
    app::{App, Focus, Load, Size, layout::PaneCell, page::problems::ProblemsPage},
    tui::{
        Options,
        script::Player,
        theme::adapt,
        view::{chunks, gallery, metadata::MetadataView, picture::PictureView, problems},
    },
    zarr::{
        Code, Error, NodePath, Problem,
        check::{Event, Summary},
    },
};

const WIDE: (u16, u16) = (120, 40);
const NARROW: (u16, u16) = (80, 24);

/// The room of a view on the wide and on the narrow screen.
fn room(screen: (u16, u16)) -> (u16, u16) {
    if screen == WIDE { (82, 36) } else { (79, 20) }
}

/// A V3 array: shape, chunk shape, data type and fill value as JSON, more members, and the bytes of its first chunk.
struct Array<'a> {
    shape: &'a str,
    chunk: &'a str,
    data_type: &'a str,
    fill: &'a str,
    more: &'a str,
    bytes: Vec<u8>,
}

impl Array<'_> {
    fn write(&self, dir: &Path) {
        let Self { shape, chunk, data_type, fill, more, .. } = self;
        std::fs::create_dir_all(dir).unwrap();
        let document = format!(
            r#"{{
  "zarr_format": 3,
  "node_type": "array",
  "shape": {shape},
  "data_type": {data_type},
  "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": {chunk}}}}},
  "chunk_key_encoding": {{"name": "default", "configuration": {{"separator": "/"}}}},
  "fill_value": {fill},
  "codecs": [{{"name": "bytes", "configuration": {{"endian": "little"}}}}]{more}
}}"#
        );
        std::fs::write(dir.join("zarr.json"), document).unwrap();
        let dimensions = shape.split(',').filter(|part| part.trim() != "[]").count();
        let key: Vec<&str> = std::iter::once("c").chain(vec!["0"; dimensions]).collect();
        if !self.bytes.is_empty() {
            let file = dir.join(key.join("/"));
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, &self.bytes).unwrap();
        }
    }
}

fn store(array: &Array<'_>) -> TempDir {
    let dir = crate::scratch();
    array.write(&dir.path().join("sst"));
    dir
}

fn play(dir: &Path, screen: (u16, u16), keys: &str) -> App {
    let options = Options { at: Some("sst".into()), ..Options::default() };
    let mut player = Player::open(dir, screen, &options).unwrap();
    for key in zarrscope::tui::script::parse(keys).unwrap() {
        player.press(key);
    }
    player.app
}

/// A smooth field with a hole of fill values, one NaN and one infinity.
fn field(rows: u16, columns: u16) -> Array<'static> {
    let mut bytes = Vec::new();
    for y in 0..rows {
        for x in 0..columns {
            let value = match (y, x) {
                (3, 5) => f32::NAN,
                (4, 5) => f32::INFINITY,
                (6..12, 10..20) => -999.0,
                _ => f32::from(y) * 0.5 + (f32::from(x) / 6.0).sin() * 4.0,
            };
            bytes.extend(value.to_le_bytes());
        }
    }
    Array {
        shape: "[24, 36]",
        chunk: "[24, 36]",
        data_type: "\"float32\"",
        fill: "-999.0",
        more: ",\n  \"dimension_names\": [\"y\", \"x\"],\n  \"attributes\": {\"units\": \"degC\", \"_FillValue\": -999}",
        bytes,
    }
}

fn picture(app: &App, screen: (u16, u16), options: &Options) -> String {
    let (width, height) = room(screen);
    let view = PictureView {
        page: &app.pages.picture,
        chunk: &app.shared.chunk,
        supposed: None,
        root: "sst",
    };
    let mut buffer = draw(view, width, height);
    adapt(&mut buffer, options);
    describe(&buffer)
}

fn mono() -> Options {
    Options { color: false, ..Options::default() }
}

#[test]
fn a_heat_map_shows_the_field_the_hole_and_what_is_no_number() {
    let dir = store(&field(24, 36));
    let app = play(dir.path(), WIDE, "3lll");
    insta::assert_snapshot!("picture_wide_mono", picture(&app, WIDE, &mono()));
    let app = play(dir.path(), NARROW, "3jjls");
    insta::assert_snapshot!("picture_narrow_by_rank_mono", picture(&app, NARROW, &mono()));
    let ascii = Options { ascii: true, ..mono() };
    insta::assert_snapshot!("picture_narrow_ascii", picture(&app, NARROW, &ascii));
}

#[test]
fn colours_are_those_of_the_values() {
    let dir = store(&field(24, 36));
    let app = play(dir.path(), NARROW, "3");
    let buffer = draw(
        PictureView {
            page: &app.pages.picture,
            chunk: &app.shared.chunk,
            supposed: None,
            root: "sst",
        },
        79,
        20,
    );
    let ratatui::style::Color::Rgb(..) = buffer[(12, 4)].fg else {
        panic!("a cell without colour")
    };
    assert_eq!(buffer[(12, 4)].symbol(), "▀");
}

#[test]
fn a_third_dimension_is_gone_through() {
    let bytes: Vec<u8> =
        (0..3 * 6 * 8_i16).flat_map(|n| (n / 48 * 100 + n % 48).to_le_bytes()).collect();
    let array = Array {
        shape: "[3, 6, 8]",
        chunk: "[3, 6, 8]",
        data_type: "\"int16\"",
        fill: "-1",
        more: ",\n  \"dimension_names\": [\"time\", \"y\", \"x\"],\n  \"attributes\": {\"scale_factor\": 0.01, \"add_offset\": 10, \"units\": \"K\"}",
        bytes,
    };
    let dir = store(&array);
    let app = play(dir.path(), NARROW, "3..jl");
    insta::assert_snapshot!("picture_index", picture(&app, NARROW, &mono()));
    let app = play(dir.path(), NARROW, "3a");
    insta::assert_snapshot!("picture_axes", picture(&app, NARROW, &mono()));
}

#[test]
fn counts_of_days_are_dates_and_what_an_attribute_masks_is_missing() {
    let array = Array {
        shape: "[40]",
        chunk: "[40]",
        data_type: "\"int32\"",
        fill: "0",
        more: ",\n  \"attributes\": {\"units\": \"days since 2000-02-01\", \"calendar\": \"360_day\", \"missing_value\": [-9, 7]}",
        bytes: (0..40_i32).flat_map(i32::to_le_bytes).collect(),
    };
    let dir = store(&array);
    for (name, keys) in [("picture_dates", "3ll"), ("picture_masked", "3lllllll")] {
        let app = play(dir.path(), NARROW, keys);
        insta::assert_snapshot!(name, picture(&app, NARROW, &mono()));
    }
}

#[test]
fn one_dimension_is_a_chart_and_none_is_a_value() {
    let line = Array {
        shape: "[40]",
        chunk: "[40]",
        data_type: "\"float64\"",
        fill: "\"NaN\"",
        bytes: (0..40_u8)
            .map(|n| if n == 7 { f64::INFINITY } else { (f64::from(n) / 5.0).sin() })
            .flat_map(f64::to_le_bytes)
            .collect(),
        more: "",
    };
    let app = play(store(&line).path(), NARROW, "3lllll");
    insta::assert_snapshot!("picture_line", picture(&app, NARROW, &Options::default()));
    let single = Array {
        shape: "[]",
        chunk: "[]",
        data_type: "\"float32\"",
        fill: "0.0",
        bytes: 1.5_f32.to_le_bytes().to_vec(),
        more: "",
    };
    let app = play(store(&single).path(), NARROW, "3");
    insta::assert_snapshot!("picture_single", picture(&app, NARROW, &Options::default()));
}

#[test]
fn what_is_no_number_is_counted() {
    let structs = Array {
        shape: "[4]",
        chunk: "[4]",
        data_type: r#"{"name": "struct", "configuration": {"fields": [
    {"name": "station", "data_type": "int32"}, {"name": "temperature 気温", "data_type": "float32"}]}}"#,
        fill: r#"{"station": 0, "temperature 気温": 0.0}"#,
        bytes: (0..4_i16)
            .flat_map(|n| [i32::from(n).to_le_bytes(), f32::from(n).to_le_bytes()].concat())
            .collect(),
        more: "",
    };
    let app = play(store(&structs).path(), NARROW, "3");
    insta::assert_snapshot!("picture_struct", picture(&app, NARROW, &Options::default()));
    let text = |words: [&str; 5]| -> Vec<u8> {
        let units = words.iter().flat_map(|word| {
            let mut units: Vec<u32> = word.chars().map(u32::from).collect();
            units.resize(6, 0);
            units
        });
        units.flat_map(u32::to_le_bytes).collect()
    };
    let texts = Array {
        shape: "[5]",
        chunk: "[5]",
        data_type: r#"{"name": "fixed_length_utf32", "configuration": {"length_bytes": 24}}"#,
        fill: "\"\"",
        bytes: text(["sea", "漢字漢字", "sea", "\u{1b}[31m", "\u{202e}abc"]),
        more: "",
    };
    let app = play(store(&texts).path(), NARROW, "3");
    insta::assert_snapshot!("picture_text", picture(&app, NARROW, &Options::default()));
}

#[test]
fn a_picture_that_cannot_be_says_why() {
    let missing = Array { bytes: Vec::new(), ..field(24, 36) };
    let app = play(store(&missing).path(), NARROW, "3");
    insta::assert_snapshot!("picture_missing", picture(&app, NARROW, &mono()));
    let mut short = field(24, 36);
    short.bytes.truncate(100);
    let app = play(store(&short).path(), NARROW, "3");
    insta::assert_snapshot!("picture_failed", picture(&app, NARROW, &mono()));
    let mut loading = app.clone();
    loading.shared.chunk.load = Load::Pending;
    insta::assert_snapshot!("picture_loading", picture(&loading, NARROW, &mono()));
}

fn metadata(app: &App, screen: (u16, u16)) -> String {
    let (width, height) = room(screen);
    let node = app.shared.node().map(AsRef::as_ref);
    describe(&draw(
        MetadataView { page: &app.pages.metadata, node, is_explained: false, is_supposed: false },
        width,
        height,
    ))
}

fn documents() -> TempDir {
    let dir = crate::scratch();
    let sst = dir.path().join("sst");
    std::fs::create_dir_all(&sst).unwrap();
    let array = r#"{
    "zarr_format": 2,
    "shape": [12, 180],
    "chunks": [1, 180],
    "dtype": ">f4",
    "fill_value": NaN,
    "order": "C",
    "filters": null,
    "compressor": {"id": "zstd", "level": 5, "checksum": false}
}
"#;
    std::fs::write(sst.join(".zarray"), array).unwrap();
    let attributes = "{\n\t\"title\": \"\u{1b}[2Jsea 海面水温 temperature\u{202e}\",\n\t\"long\": \"0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789\"\n}";
    std::fs::write(sst.join(".zattrs"), attributes).unwrap();
    dir
}

#[test]
fn documents_are_shown_as_stored_beside_the_other_format() {
    let dir = documents();
    insta::assert_snapshot!("metadata_wide", metadata(&play(dir.path(), WIDE, "4"), WIDE));
    insta::assert_snapshot!("metadata_narrow", metadata(&play(dir.path(), NARROW, "4"), NARROW));
    insta::assert_snapshot!(
        "metadata_narrow_other",
        metadata(&play(dir.path(), NARROW, "4v"), NARROW)
    );
    insta::assert_snapshot!("metadata_fault", metadata(&play(dir.path(), WIDE, "4]e"), WIDE));
    insta::assert_snapshot!(
        "metadata_folded",
        metadata(&play(dir.path(), NARROW, "4jl<space>"), NARROW)
    );
    insta::assert_snapshot!(
        "metadata_hits",
        metadata(&play(dir.path(), WIDE, "4/fill<enter>"), WIDE)
    );
    insta::assert_snapshot!(
        "metadata_long_line",
        metadata(&play(dir.path(), NARROW, "4jjjjjjjjjjjjjj"), NARROW)
    );
}

#[test]
fn nodes_without_documents_say_so() {
    let dir = crate::scratch();
    std::fs::create_dir_all(dir.path().join("sst")).unwrap();
    std::fs::write(dir.path().join("zarr.json"), r#"{"zarr_format": 3, "node_type": "group"}"#)
        .unwrap();
    std::fs::write(dir.path().join("sst/zarr.json"), "{\"zarr_format\": 3,").unwrap();
    insta::assert_snapshot!("metadata_broken", metadata(&play(dir.path(), NARROW, "4"), NARROW));
}

fn problems() -> ProblemsPage {
    let mut page = ProblemsPage::default();
    page.start(NodePath("ocean".into()));
    let found = [
        Problem::new(
            Error::new(Code::Other("crc32c-differs"), "0x419a107d, computed 0xbec4023f", "equal checksums")
                .in_file("ocean/packed/c/2/1")
                .at_offset(1866)
                .with_fix("The first 1,866 bytes are not the ones that were summed: fetch the chunk anew, or write it again."),
        ),
        Problem::new(
            Error::new(Code::BareNan, "the bare token NaN", "a JSON number or the string \"NaN\"")
                .in_file("ocean/sst/.zarray")
                .at("fill_value"),
        ),
        Problem::new(Error::new(Code::UnregisteredName, "\u{1b}[31m長い名前".repeat(9), "a registered data type")),
    ];
    let events =
        found.into_iter().map(|problem| Event::Problem(NodePath("ocean/sst".into()), problem));
    let summary = Summary {
        nodes: 12,
        arrays: 9,
        chunks: 1340,
        bytes: 82_000_000,
        errors: 1,
        warnings: 1,
        ..Summary::default()
    };
    page.checked(events.collect(), summary);
    page
}

fn drawn(page: &ProblemsPage, screen: (u16, u16)) -> String {
    let (width, height) = room(screen);
    let mut app = play(store(&field(24, 36)).path(), screen, "");
    app.shared.root_title = "store".into();
    app.shared.focus = Focus::View;
    app.pages.problems = page.clone();
    let lines = problems::lines(&app, Size::new(width, height));
    describe(&draw(Text::from(lines), width, height))
}

#[test]
fn problems_are_listed_while_they_are_found() {
    let mut page = problems();
    insta::assert_snapshot!("problems_running", drawn(&page, NARROW));
    page.finish();
    insta::assert_snapshot!("problems_done_wide", drawn(&page, WIDE));
    page.scroll = page.scroll.at(2, 3, 10);
    insta::assert_snapshot!("problems_hostile", drawn(&page, NARROW));
}

#[test]
fn no_problems_are_said_with_what_was_looked_at() {
    let mut page = ProblemsPage::default();
    insta::assert_snapshot!("problems_idle", drawn(&page, NARROW));
    page.start(NodePath::default());
    insta::assert_snapshot!("problems_none_yet", drawn(&page, NARROW));
    let summary = Summary { nodes: 1, arrays: 1, chunks: 16, bytes: 2153, ..Summary::default() };
    page.checked(Vec::new(), summary);
    page.finish();
    insta::assert_snapshot!("problems_none", drawn(&page, NARROW));
}

fn gallery(screen: (u16, u16), keys: &str) -> String {
    let dir = store(&field(24, 36));
    let app = play(dir.path(), screen, keys);
    let (width, height) = (screen.0, screen.1 - 4);
    let page = &app.pages.gallery;
    describe(&draw_by(|area, buffer| gallery::render(page, false, area, buffer), width, height))
}

#[test]
fn the_gallery_lists_and_tries_data_types() {
    insta::assert_snapshot!("gallery_wide", gallery(WIDE, "Djjj"));
    insta::assert_snapshot!("gallery_narrow", gallery(NARROW, "DG"));
    insta::assert_snapshot!("playground_wide", gallery(WIDE, "D<tab>>M8[10us]<tab>\"NaT\""));
    insta::assert_snapshot!(
        "playground_narrow",
        gallery(NARROW, "D<tab><lt>f4<tab>\"0x7fc00001\"")
    );
    let row = "D<tab>>M8[10us]<tab>94668480000000<tab>jjjj";
    insta::assert_snapshot!("playground_row_wide", gallery(WIDE, row));
    insta::assert_snapshot!("playground_row_narrow", gallery(NARROW, row));
    let objects = "D<tab>|O + vlen-utf8<tab>\"\"";
    insta::assert_snapshot!("playground_objects", gallery(NARROW, objects));
    insta::assert_snapshot!(
        "playground_bits_wide",
        gallery(WIDE, "D<tab><gt>f4<tab>15.0<tab><tab>llllllll")
    );
    insta::assert_snapshot!(
        "playground_bits_narrow",
        gallery(NARROW, "D<tab>[[\"a\",\"<lt>i2\"],[\"z\",\"<gt>c16\"]]<tab><tab><tab>jjjj")
    );
    insta::assert_snapshot!("playground_bits_none", gallery(NARROW, "D<tab>string<tab><tab>41"));
    insta::assert_snapshot!("playground_refused_type", gallery(NARROW, "D<tab>float31"));
    insta::assert_snapshot!("playground_refused_fill", gallery(WIDE, "D<tab>uint8<tab>256"));
    insta::assert_snapshot!(
        "playground_long",
        gallery(
            NARROW,
            "D<tab>[[\"a\",\"<lt>i2\"],[\"b\",\"<lt>f4\"],[\"漢字の名前\",\"|S5\"],[\"d\",\"<lt>M8[ns]\"]]"
        )
    );
}

#[test]
fn a_click_on_the_picture_goes_to_the_element_that_is_drawn_there() {
    for (dir, screen) in [(store(&field(24, 36)), WIDE), (store(&field(24, 36)), NARROW)] {
        let mut app = play(dir.path(), screen, "3");
        let (width, height) = room(screen);
        for at in [(0, 0), (6, 10), (23, 35)] {
            app.shared.chunk.go_to(&[at.0, at.1]);
            let buffer = draw(
                PictureView {
                    page: &app.pages.picture,
                    chunk: &app.shared.chunk,
                    supposed: None,
                    root: "sst",
                },
                width,
                height,
            );
            let marked: Vec<(u16, u16)> = (0..height)
                .flat_map(|y| (9..width).map(move |x| (x, y)))
                .filter(|&spot| buffer[spot].symbol() == "╋")
                .collect();
            let [(x, y)] = marked[..] else { panic!("{marked:?}") };
            let pictured = app.pages.picture.pictured.ready().unwrap();
            // Two rows of elements share a row of cells.
            let top = zarrscope::app::layout::PictureFrame::new(Size::new(width, height)).top();
            let spot = PaneCell::new(y.into(), x.into());
            let [(0, down), (1, across)] = pictured.grid.element_at(spot, top).unwrap() else {
                panic!("other axes")
            };
            assert_eq!((down / 2, across), (at.0 / 2, at.1));
            assert_eq!(pictured.grid.element_at(PaneCell::new(0, 12), top), None);
            assert_eq!(pictured.grid.element_at(PaneCell::new(5, 3), top), None);
        }
    }
}

#[test]
fn a_chunk_that_takes_time_says_how_far_it_is() {
    let mut app = play(store(&field(24, 36)).path(), NARROW, "2");
    app.shared.chunk.load = Load::Pending;
    let elapsed = std::time::Duration::from_millis(500);
    app.shared.chunk.loading =
        Some(zarrscope::app::Pace { done: 96 << 20, of: 256 << 20, elapsed });
    let (width, height) = room(NARROW);
    let screen =
        describe(&draw_by(|area, buffer| chunks::render(&app, area, buffer), width, height));
    assert!(
        screen.contains("loading ███████▁▁▁▁▁▁▁▁▁▁▁▁▁ 37 %   192 MiB a second   Esc stops"),
        "{screen}"
    );
}
