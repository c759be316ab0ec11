//! `K` anywhere: there is something to say of every node, row, line, stage, byte, chunk, problem and data type, in a
//! few sentences.

use crate::keys::{play_at, stores, text};
use std::{collections::BTreeMap, path::Path};
use zarrscope::{
    app::{Overlay, View},
    tui::{
        Options,
        script::{Player, parse},
    },
};

/// The explanations of `K`, by the place where it was pressed.
#[derive(Default)]
struct Said {
    explained: BTreeMap<String, Vec<String>>,
    silent: Vec<String>,
}

impl Said {
    fn press(&mut self, player: &mut Player, place: String) {
        keys(player, "K");
        let Some(Overlay::Explain(explained)) = &player.app.overlay else {
            self.silent.push(place);
            return;
        };
        let mut text = explained.paragraphs.clone();
        text.extend(explained.table.iter().map(|(label, value)| format!("{label}: {value}")));
        self.explained.insert(place, text);
        keys(player, "<esc>");
    }
}

fn keys(player: &mut Player, keys: &str) {
    parse(keys).unwrap().into_iter().for_each(|key| player.press(key));
}

fn at(node: &str) -> Player {
    let options = Options { at: Some(node.into()), ..Options::default() };
    Player::open(&stores(), (120, 40), &options).unwrap()
}

/// The explanation of `K` after these keys.
fn said_after(player: &mut Player, pressed: &str) -> String {
    keys(player, pressed);
    let Some(Overlay::Explain(explained)) = &player.app.overlay else {
        panic!("nothing explained after {pressed}")
    };
    explained.paragraphs.join(" ")
}

#[test]
fn a_missing_value_names_the_attribute_and_the_rule() {
    let said = said_after(&mut at("ocean/packed"), "2:c/0/0<enter>/fill<enter>K");
    let rule = "Missing: the attribute `_FillValue` has this value, and by the CF conventions (section 2.5.1) it marks \
                missing data; `scale_factor` and `add_offset` do not apply.";
    assert!(said.contains(rule) && !said.contains("xarray"), "{said}");
    let said = said_after(&mut at("ocean/packed"), "2:c/0/0<enter>/notfill<enter>K");
    assert!(!said.contains("issing"), "{said}");

    // On the equator latitude is 0, which is Zarr's fill value, and no attribute says that it is missing.
    let zero = "2/=0<enter>K";
    let said = said_after(&mut at("ocean-v2/latitude"), zero);
    let xarray = "xarray 2026.9 treats Zarr's fill value of V2 arrays as the missing value. No attribute marks it: readers \
                  that go by CF count it as data.";
    assert!(said.contains(xarray), "{said}");
    let said = said_after(&mut at("ocean/latitude"), zero);
    assert!(said.contains("fill value") && !said.contains("xarray"), "{said}");
}

#[test]
fn a_mark_that_xarray_ignores_in_v2_is_told() {
    let folder = crate::scratch();
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    let document = br#"{"zarr_format": 2, "shape": [4], "chunks": [4], "dtype": "|u1", "fill_value": 0, "order": "C",
        "compressor": null, "filters": null}"#;
    write(".zarray", document);
    write(".zattrs", br#"{"_ARRAY_DIMENSIONS": ["x"], "_FillValue": 1, "missing_value": 3}"#);
    write("0", &[0, 1, 2, 3]);
    let mut player = Player::open(folder.path(), (120, 40), &Options::default()).unwrap();
    player.pause();
    let told = [
        "Missing: `_ARRAY_DIMENSIONS` marks",
        "Not missing, although `_FillValue` has this value",
        "",
        "Missing: ",
    ];
    for (element, told) in told.into_iter().enumerate() {
        let said = said_after(&mut player, &format!("2:e {element}<enter>K"));
        assert!(said.contains(told), "{element}: {said}");
        assert_eq!(said.contains("xarray"), element < 2, "{element}: {said}");
        keys(&mut player, "<esc>");
    }
}

/// Arrays and groups that between them have what documents and chunks can have.
const NODES: &[&str] = &[
    "",
    "ocean",
    "ocean/packed",
    "ocean/temperature",
    "ocean-v2/packed",
    "ocean-v2",
    "dtypes-v2/structured",
    "dtypes-v3/string",
    "broken/crc",
    "broken/nan_token",
    "broken/json_invalid",
    "broken/codec_unknown",
    "broken/object_without_codec",
    "broken/shard_entry_outside",
    "dtypes-v2/object_pickle",
    "broken/two_formats",
    "broken/stale",
    "broken/shard_index_damaged",
    "broken/zstd_truncated",
];

/// The explanations of the stages, the map and the picture of an array.
fn chunks(node: &str, player: &mut Player, said: &mut Said) {
    keys(player, "2");
    let stages = player.app.shared.chunk.shown().map_or(0, |shown| shown.chunk.stages.len());
    for stage in 0..=stages {
        said.press(player, format!("{node}, chunk, {stage} stages before the last"));
        keys(player, "[<esc>2");
        player.pause();
    }
    keys(player, "<tab>");
    said.press(player, format!("{node}, map"));
    keys(player, "3");
    player.pause();
    said.press(player, format!("{node}, picture"));
}

fn everything() -> Said {
    let mut said = Said::default();
    for node in NODES {
        let mut player = at(node);
        said.press(&mut player, format!("{node}, in the tree"));
        keys(&mut player, "1");
        for row in 0..player.app.pages.data_type.rows().len() {
            said.press(&mut player, format!("{node}, data type, row {row:02}"));
            keys(&mut player, "j");
        }
        player.pause();
        keys(&mut player, "4");
        for line in 0..player.app.pages.metadata.len() {
            said.press(&mut player, format!("{node}, metadata, line {line:03}"));
            keys(&mut player, "j");
        }
        player.pause();
        if player.app.shared.is_array() {
            chunks(node, &mut player, &mut said);
        }
    }
    let mut player = at("broken");
    keys(&mut player, "5");
    for problem in 0..player.app.pages.problems.len() {
        said.press(&mut player, format!("problem {problem:02}"));
        keys(&mut player, "j");
    }
    assert_eq!(player.app.shared.view, View::Problems);
    keys(&mut player, "D");
    for card in 0..player.app.pages.gallery.cards.len() {
        said.press(&mut player, format!("data type {card:02}"));
        keys(&mut player, "j");
    }
    said
}

#[test]
fn there_is_something_to_say_anywhere() {
    let said = everything();
    assert!(said.explained.len() > 400, "{} places", said.explained.len());
    assert!(said.silent.is_empty(), "K says nothing of\n{}", said.silent.join("\n"));
}

/// The number of sentences in a paragraph; dots in names and numbers are none.
fn sentences(text: &str) -> usize {
    let ends = text.split_whitespace().filter(|word| word.ends_with(['.', '!', '?']));
    ends.count() + usize::from(!text.ends_with(['.', '!', '?']))
}

#[test]
fn it_is_said_in_a_few_sentences() {
    let said = everything();
    let long: Vec<String> = said
        .explained
        .iter()
        .flat_map(|(place, text)| text.iter().map(move |text| (place, text)))
        .filter(|(_, text)| sentences(text) > 3 || text.ends_with("..") || text.is_empty())
        .map(|(place, text)| format!("{place}: {text}"))
        .collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
}

/// Codecs that make single bytes of the elements, or write them in their own way, leave `bytes` no order to declare.
#[test]
fn a_byte_order_that_no_codec_needs_is_not_made_up() {
    for array in ["zarr34/cast_value-clamp", "zarr3/numcodecs.pcodec"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(array);
        let player = Player::open(&path, (120, 40), &Options::default()).unwrap();
        let screen = text(&player);
        assert!(screen.contains("not applicable: no `bytes`"), "{screen}");
        assert!(!screen.contains("is a guess"), "{screen}");
    }
}

/// The bytes of texts are those of the file, so the way there is exact; the length before them has a place in it, too.
#[test]
fn texts_are_followed_into_the_file_byte_by_byte() {
    let mut player = play_at((120, 40), ":go dtypes-v3/string<enter>2");
    assert_eq!(player.app.shared.chunk.cursor, 8, "not on the number of elements");
    keys(&mut player, "llH");
    assert!(text(&player).contains("byte 0x14 of 210"), "{}", text(&player));
    let said = said_after(&mut play_at((120, 40), ":go dtypes-v3/string<enter>2:0x2<enter>"), "K");
    assert_eq!(said, "Byte 2 belongs to no element. elements: 12.");
}

#[test]
fn a_data_type_under_another_name_is_shown_as_stored() {
    let mut player = at("dtypes-v3/raw_bytes");
    keys(&mut player, "K");
    let screen = text(&player);
    let rows = [r#"V3 as stored  {"name":"raw_bytes""#, r#"V3            "r32""#];
    assert!(rows.iter().all(|row| screen.contains(row)), "{screen}");
}

/// A store of one array: its document, and its chunk.
fn array(document: &str, attributes: &str, chunk: &[u8]) -> tempfile::TempDir {
    let folder = crate::scratch();
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    write(".zarray", document.as_bytes());
    write(".zattrs", attributes.as_bytes());
    write("0", chunk);
    folder
}

const INT8: &str = r#"{"zarr_format": 2, "shape": [3], "chunks": [3], "dtype": "|i1", "fill_value": null, "order": "C",
    "compressor": null, "filters": null}"#;

/// xarray 2026.9 opens 0, 1, -1 of such an array as false, true, true.
#[test]
fn numbers_that_xarray_reads_as_booleans_are_told() {
    for (attributes, fill, told) in [
        (r#"{"dtype": "bool"}"#, "null", [Some("by dtype false"), Some("by dtype true")]),
        (r#"{"dtype": "bool", "_ARRAY_DIMENSIONS": ["x"]}"#, "0", [Some("by dtype true"); 2]),
        (r#"{"dtype": "int8"}"#, "null", [None, None]),
    ] {
        let folder = array(
            &INT8.replace("null, \"order", &format!("{fill}, \"order")),
            attributes,
            &[0, 1, 255],
        );
        let mut player = Player::open(folder.path(), (120, 40), &Options::default()).unwrap();
        player.pause();
        keys(&mut player, "2");
        let screen = text(&player);
        assert_eq!(screen.contains("by dtype"), told[0].is_some(), "{screen}");
        assert!(told[0].is_none_or(|words| screen.contains(words)), "{screen}");
        let said = said_after(&mut player, "K");
        let rule = "The attribute `dtype` is \"bool\": xarray 2026.9 reads 0 as false and every other number as true.";
        assert_eq!(said.contains(rule), told[0].is_some(), "{said}");
        assert_eq!(said.contains("what is missing reads as true"), fill == "0", "{said}");
        keys(&mut player, "<esc>:e 2<enter>");
        let is_true = text(&player).contains("by dtype true");
        assert_eq!(is_true, told[1].is_some(), "{}", text(&player));
    }
}

#[test]
fn an_attribute_that_readers_follow_is_explained() {
    let attributes = "{\n\"_ARRAY_DIMENSIONS\": [\"x\"],\n\"title\": \"t\"\n}";
    let folder = array(INT8, attributes, &[0, 1, 2]);
    let mut player = Player::open(folder.path(), (120, 40), &Options::default()).unwrap();
    player.pause();
    let said = said_after(&mut player, "4/_ARRAY<enter>K");
    assert_eq!(said, "The dimension names, by xarray's convention for V2.");
    let said = said_after(&mut player, "<esc>/title<enter>K");
    assert_eq!(said, "A user attribute: free-form JSON.");
}

#[test]
fn a_chunk_whose_key_is_unknown_has_none() {
    for (node, told) in [
        ("unknown-extension.keys/fault", "does not know the chunk key encoding \"hashed\"."),
        (
            "chunks-missing/fault",
            "so its elements read as the fill value. A lost chunk would look the same.",
        ),
    ] {
        let path = stores().join("pairs").join(node);
        let mut player = Player::open(&path, (120, 40), &Options::default()).unwrap();
        player.pause();
        let said = said_after(&mut player, "2]mK");
        assert!(said.ends_with(told), "{node}: {said}");
        assert_eq!(said.contains("has the key"), node.starts_with("chunks"), "{node}: {said}");
    }
}

#[test]
fn an_inner_chunk_is_named_as_one() {
    let said = said_after(&mut at("broken/shard_entry_outside"), "2<tab>K");
    let want = "Inner chunk [0] of the shard with the key broken/shard_entry_outside/c/0. It contains the elements [0–19]";
    assert!(said.starts_with(want), "{said}");
}
