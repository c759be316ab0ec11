//! Every view in every state: nothing there, not there yet, not to be had, little room, wide characters, hostile text,
//! no colours, no Unicode.
//!
//! The stores are written here. A screen is 80x24 unless the state says otherwise; the part that the view draws is compared.

use crate::snapshot::{
    Part::{self, Body, Footer, Frame, Tree, View},
    describe,
};
use std::{fs, path::Path};
use tempfile::TempDir;
use zarrscope::{
    app::Lane,
    tui::{
        Options, picture,
        script::{Player, parse},
    },
};

/// The members of a V3 array but for those that it always has.
struct Array<'a> {
    shape: &'a str,
    chunk: &'a str,
    data_type: &'a str,
    fill: &'a str,
    codecs: &'a str,
    more: &'a str,
}

const BYTES: &str = r#"[{"name": "bytes", "configuration": {"endian": "little"}}]"#;

impl Array<'_> {
    fn write(&self, dir: &Path) {
        let Self { shape, chunk, data_type, fill, codecs, more } = self;
        fs::create_dir_all(dir).unwrap();
        let document = format!(
            r#"{{
  "zarr_format": 3,
  "node_type": "array",
  "shape": {shape},
  "data_type": {data_type},
  "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": {chunk}}}}},
  "chunk_key_encoding": {{"name": "default", "configuration": {{"separator": "/"}}}},
  "fill_value": {fill},
  "codecs": {codecs}{more}
}}"#
        );
        fs::write(dir.join("zarr.json"), document).unwrap();
    }
}

fn group(dir: &Path, attributes: &str) {
    fs::create_dir_all(dir).unwrap();
    let document =
        format!(r#"{{"zarr_format": 3, "node_type": "group", "attributes": {attributes}}}"#);
    fs::write(dir.join("zarr.json"), document).unwrap();
}

fn chunk(dir: &Path, key: &str, bytes: &[u8]) {
    let file = dir.join(key);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, bytes).unwrap();
}

const PLAIN: Array<'static> = Array {
    shape: "[4, 6]",
    chunk: "[2, 3]",
    data_type: "\"int16\"",
    fill: "0",
    codecs: BYTES,
    more: "",
};

/// A plain array `sst` in a plain group.
fn plain() -> TempDir {
    let dir = crate::scratch();
    group(dir.path(), "{}");
    PLAIN.write(&dir.path().join("sst"));
    let bytes: Vec<u8> = (1..=6_i16).flat_map(i16::to_le_bytes).collect();
    for key in ["c/0/0", "c/0/1", "c/1/0"] {
        chunk(&dir.path().join("sst"), key, &bytes);
    }
    dir
}

/// An array of no elements, and a group of no members.
fn empty() -> TempDir {
    let dir = crate::scratch();
    group(dir.path(), "{}");
    Array { shape: "[0, 6]", ..PLAIN }.write(&dir.path().join("sst"));
    group(&dir.path().join("nothing"), "{}");
    dir
}

/// An array whose first chunk is cut short, one whose codec nobody knows, and a document that is none.
fn failed() -> TempDir {
    let dir = plain();
    chunk(&dir.path().join("sst"), "c/0/0", &[1, 0, 2]);
    let codecs =
        r#"[{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "nobody.knows"}]"#;
    Array { codecs, ..PLAIN }.write(&dir.path().join("odd"));
    chunk(&dir.path().join("odd"), "c/0/0", &[1; 12]);
    fs::create_dir_all(dir.path().join("torn")).unwrap();
    fs::write(dir.path().join("torn/zarr.json"), "{\"zarr_format\": 3,").unwrap();
    dir
}

/// A store whose every text is `text`: names, members, dimensions, fields, values.
fn named(text: [&str; 4]) -> TempDir {
    let dir = crate::scratch();
    let json = |text: &str| serde_json::to_string(text).unwrap();
    let [a, b, c, d] = text.map(json);
    group(dir.path(), &format!("{{{a}: {b}, {c}: [{d}, {{{a}: {b}}}]}}"));
    let data_type = format!(
        r#"{{"name": "struct", "configuration": {{"fields": [{{"name": {a}, "data_type": "int16"}}, {{"name": {b}, "data_type": "float32"}}]}}}}"#
    );
    let fill = format!("{{{a}: 0, {b}: 0.0}}");
    let more = format!(
        ",\n  \"dimension_names\": [{c}, {d}],\n  \"attributes\": {{{a}: {b},\n    {c}: {d}}}"
    );
    let sst = Array { data_type: &data_type, fill: &fill, more: &more, ..PLAIN };
    sst.write(&dir.path().join("sst"));
    chunk(&dir.path().join("sst"), "c/0/0", &(0..36).collect::<Vec<u8>>());
    let codecs = format!("[{{\"name\": \"vlen-utf8\"}}, {{\"name\": {b}}}]");
    let strange = Array { data_type: &a, fill: &c, codecs: &codecs, more: &more, ..PLAIN };
    strange.write(&dir.path().join("strange"));
    let words = Array {
        shape: "[4]",
        chunk: "[4]",
        data_type: "\"string\"",
        fill: &a,
        codecs: r#"[{"name": "vlen-utf8"}]"#,
        more: "",
    };
    words.write(&dir.path().join("words"));
    let mut bytes = 4_u32.to_le_bytes().to_vec();
    for word in text {
        bytes.extend(u32::try_from(word.len()).unwrap().to_le_bytes());
        bytes.extend(word.as_bytes());
    }
    chunk(&dir.path().join("words"), "c/0", &bytes);
    for name in text.iter().filter(|_| cfg!(unix)) {
        group(&dir.path().join(name.replace('/', "_")), "{}");
    }
    dir
}

/// CJK, combining marks, emoji that join, and right to left.
const WIDE: [&str; 4] =
    ["海面水温", "e\u{301}te\u{301} brule\u{301}", "👩\u{200d}🔬👍🏽🇩🇪", "שלום עולם"];
/// Escape sequences, line breaks, bidirectional overrides, and what hides.
const HOSTILE: [&str; 4] = [
    "\u{1b}[31;7mred\u{1b}[2J",
    "a\r\nb\tc\u{8}\u{8}\u{8}",
    "\u{202e}evil\u{2066}",
    "\u{1b}]52;c;aGk=\u{7}\u{9b}1m\u{200b}",
];

/// One picture: what is opened, the keys, the size, how it is drawn, and what has not been done yet.
struct Case<'a> {
    dir: &'a TempDir,
    keys: &'a str,
    size: (u16, u16),
    options: Options,
    slow: &'a [Lane],
}

fn case<'a>(dir: &'a TempDir, keys: &'a str) -> Case<'a> {
    Case { dir, keys, size: (80, 24), options: Options::default(), slow: &[] }
}

fn player(case: &Case<'_>) -> Player {
    let store = case.dir.path();
    let mut player = Player::open_slow(store, case.size, &case.options, case.slow).unwrap();
    for key in parse(case.keys).unwrap() {
        player.press(key);
    }
    player
}

/// The screen, the folder of the store left out.
fn text(part: Part, case: &Case<'_>) -> String {
    let player = player(case);
    let screen = player.screen();
    let acts = |c: char| c.is_control() && c != '\n' || ('\u{202a}'..='\u{202e}').contains(&c);
    let text = picture::text(&screen);
    assert!(!text.chars().any(acts), "{}: {text:?}", case.keys);
    if !case.options.color {
        let plain = |cell: &ratatui::buffer::Cell| (cell.fg, cell.bg);
        let reset = (ratatui::style::Color::Reset, ratatui::style::Color::Reset);
        assert!(screen.content.iter().all(|cell| plain(cell) == reset), "{}", case.keys);
    }
    if case.options.ascii {
        assert!(text.is_ascii(), "{}: {text}", case.keys);
    }
    let part = part.of(&player.app, &screen);
    let drawn = if case.options.color { picture::text(&part) } else { describe(&part) };
    let name = case.dir.path().file_name().unwrap().to_string_lossy().into_owned();
    assert_eq!(name.len(), 10, "the place of the name stays as wide");
    drawn.replace(&name, "STORE-STORE".get(..10).unwrap())
}

/// The ways to the states of one view.
struct Ways<'a> {
    /// In all stores.
    keys: &'a str,
    /// In the store of nothing, of failures, and of names.
    empty: &'a str,
    failed: &'a str,
    named: &'a str,
    /// The lanes whose work has not been done yet.
    slow: &'a [Lane],
}

fn all_states(view: &str, part: Part, ways: &Ways<'_>) {
    let (plain, empty, failed) = (plain(), empty(), failed());
    let (wide, hostile) = (named(WIDE), named(HOSTILE));
    let mono = || Options { color: false, ..Options::default() };
    let ascii = || Options { ascii: true, ..Options::default() };
    let cases = [
        ("empty", case(&empty, ways.empty)),
        ("loading", Case { slow: ways.slow, ..case(&plain, ways.keys) }),
        ("failed", case(&failed, ways.failed)),
        ("narrow", Case { size: (44, 12), ..case(&plain, ways.keys) }),
        ("wide_characters", case(&wide, ways.named)),
        ("wide_characters_120", Case { size: (120, 30), ..case(&wide, ways.named) }),
        ("hostile_text", case(&hostile, ways.named)),
        ("hostile_text_120", Case { size: (120, 30), ..case(&hostile, ways.named) }),
        ("no_color", Case { options: mono(), ..case(&plain, ways.keys) }),
        ("ascii", Case { options: ascii(), ..case(&wide, ways.named) }),
    ];
    for (state, case) in &cases {
        insta::assert_snapshot!(format!("{view}__{state}"), text(part, case));
    }
}

macro_rules! states {
    ($name:ident, $part:expr, $ways:expr) => {
        #[test]
        fn $name() {
            all_states(stringify!($name), $part, &$ways);
        }
    };
}

states!(
    tree,
    Tree,
    Ways {
        keys: "<esc>jK<esc>",
        empty: "<esc>j",
        failed: "<esc>jjj",
        named: "<esc>j",
        slow: &[Lane::List]
    }
);
states!(
    frame,
    Frame,
    Ways {
        keys: ":go sst<enter>2",
        empty: ":go nothing<enter>1",
        failed: ":go sst<enter>2",
        named: ":go words<enter>2jj",
        slow: &[Lane::Load]
    }
);
states!(
    group_page,
    View,
    Ways {
        keys: "1",
        empty: ":go nothing<enter>1",
        failed: ":go torn<enter>1",
        named: "1",
        slow: &[Lane::List]
    }
);
states!(
    data_type,
    View,
    Ways {
        keys: ":go sst<enter>1",
        empty: ":go sst<enter>1",
        failed: ":go odd<enter>1",
        named: ":go sst<enter>1jj",
        slow: &[Lane::Load]
    }
);
states!(
    chunks,
    View,
    Ways {
        keys: ":go sst<enter>2",
        empty: ":go sst<enter>2",
        failed: ":go sst<enter>2",
        named: ":go words<enter>2",
        slow: &[Lane::Load, Lane::Presence]
    }
);
states!(
    fields,
    View,
    Ways {
        keys: ":go sst<enter>2x",
        empty: ":go sst<enter>2x",
        failed: ":go odd<enter>2x",
        named: ":go sst<enter>2x",
        slow: &[Lane::Load]
    }
);
states!(
    inspector,
    View,
    Ways {
        keys: ":go sst<enter>2i",
        empty: ":go sst<enter>2i",
        failed: ":go sst<enter>2i",
        named: ":go words<enter>2i",
        slow: &[Lane::Load]
    }
);
states!(
    map,
    View,
    Ways {
        keys: ":go sst<enter>2<tab>",
        empty: ":go sst<enter>2<tab>",
        failed: ":go sst<enter>2<tab>",
        named: ":go sst<enter>2<tab>",
        slow: &[Lane::Load, Lane::Presence]
    }
);
states!(
    picture,
    View,
    Ways {
        keys: ":go sst<enter>3",
        empty: ":go sst<enter>3",
        failed: ":go sst<enter>3",
        named: ":go words<enter>3",
        slow: &[Lane::Picture]
    }
);
states!(
    metadata,
    View,
    Ways {
        keys: ":go sst<enter>4jj",
        empty: ":go sst<enter>4",
        failed: ":go torn<enter>4",
        named: ":go strange<enter>4",
        slow: &[Lane::Load]
    }
);
states!(
    problems,
    View,
    Ways { keys: "5", empty: "5", failed: "5j", named: "5j", slow: &[Lane::Check] }
);
states!(
    finder,
    Body,
    Ways { keys: "fs", empty: "fxyz", failed: "ft", named: "f", slow: &[Lane::Find] }
);
states!(
    explanation,
    View,
    Ways {
        keys: ":go sst<enter>2K",
        empty: ":go sst<enter>2K",
        failed: ":go sst<enter>2K",
        named: ":go strange<enter>1K",
        slow: &[Lane::Load]
    }
);
states!(
    gallery,
    Body,
    Ways {
        keys: "D",
        empty: "D<tab>",
        failed: "D<tab>nonsense",
        named: "D<tab>海\u{301}\u{202e}שלום👍🏽",
        slow: &[]
    }
);
states!(
    help,
    Body,
    Ways { keys: "<esc>?", empty: "<esc>?", failed: "<esc>?", named: "<esc>?", slow: &[] }
);
states!(
    prompt,
    Footer,
    Ways {
        keys: ":go s<tab>",
        empty: ":go zz<tab>",
        failed: ":go zz<enter>",
        named: ":dtype 海\u{301}\u{202e}שלום👍🏽 海海海海海海海海海海海海海海海海海海海海海海海海海海海海海海海海海海海海海海",
        slow: &[Lane::List]
    }
);
