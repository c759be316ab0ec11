//! The table of chunks: its figures, its rows as they are sorted and filtered, its states, where its keys lead.

use crate::{
    keys::{play_at, stores, text},
    snapshot::{Part, describe},
};
use std::{fs, path::Path};
use zarrscope::{
    app::{Focus, Lane, page::chunk_table::TableColumn},
    tui::{
        Options,
        script::{self, Player, parse},
    },
};

const CRC: &str = ":go broken/crc<enter>2t";

fn view(size: (u16, u16), keys: &str) -> String {
    let player = play_at(size, keys);
    describe(&Part::View.of(&player.app, &player.screen()))
}

/// The keys of the rows on show, in their order.
fn keys_of(player: &Player) -> Vec<String> {
    let table = player.app.pages.chunk_table.table.as_ref().unwrap();
    (0..table.len()).map(|at| table.key(table.shown(at).unwrap().index)).collect()
}

fn rows(keys: &str) -> Vec<String> {
    keys_of(&play_at((120, 40), keys))
}

#[test]
fn a_row_for_every_chunk() {
    for (name, size) in [("120x40", (120, 40)), ("80x24", (80, 24)), ("200x60", (200, 60))] {
        insta::assert_snapshot!(format!("chunk_table_{name}"), view(size, CRC));
    }
    let scrolled = view((80, 24), &format!("{CRC}:9l<enter>:9j<enter>"));
    insta::assert_snapshot!("chunk_table_scrolled_80x24", scrolled);
}

#[test]
fn inner_chunks_have_a_table_of_their_own() {
    let temperature = ":go ocean/temperature<enter>2t";
    insta::assert_snapshot!("chunk_table_of_shards", view((120, 40), temperature));
    insta::assert_snapshot!("chunk_table_of_a_shard", view((120, 40), &format!("{temperature}jL")));
    let back = play_at((120, 40), &format!("{temperature}js<esc>"));
    assert_eq!(keys_of(&back).len(), 4);
    let inner = play_at((120, 40), &format!("{temperature}jLjj<enter>"));
    let id = &inner.app.shared.chunk.id;
    assert_eq!((id.coordinates.as_slice(), id.inner.as_slice()), (&[0, 1][..], &[vec![1, 0]][..]));
    assert!(!inner.app.shared.has_table());
}

#[test]
fn values_that_are_no_numbers_and_fields_have_columns_too() {
    let strings = ":go dtypes-v3/string<enter>2t";
    insta::assert_snapshot!("chunk_table_of_strings", view((120, 20), strings));
    let fields = ":go dtypes-v2/structured<enter>2t]f";
    insta::assert_snapshot!("chunk_table_of_a_field", view((120, 20), fields));
    insta::assert_snapshot!("chunk_table_physical", view((120, 20), ":go ocean/packed<enter>2tp"));
}

#[test]
fn figures_are_those_of_the_store() {
    let player = play_at((120, 40), CRC);
    let table = player.app.pages.chunk_table.table.as_ref().unwrap();
    let figures = |key: &str| {
        let at = (0..table.len()).find(|at| table.key(*at) == key).unwrap();
        table.row(at).figures.unwrap().clone()
    };
    let value = |found: &Option<zarrscope::zarr::statistics::Extreme>| {
        found.as_ref().map(|found| found.scalar.to_string()).unwrap_or_default()
    };
    // As zarr-python 3.4.2 and NumPy have them.
    let all = figures("c/2/2");
    assert_eq!((all.stored, all.raw, all.elements), (Some(2166), Some(3330), 37 * 45));
    assert_eq!(
        (value(&all.minimum), value(&all.maximum), all.fill),
        ("-1065".into(), "1791".into(), 437)
    );
    assert!((all.mean.unwrap() - 1_179.679_967_426_71).abs() < 1e-9, "{:?}", all.mean);
    assert!(figures("c/0/3").is_missing() && figures("c/0/3").stored.is_none());
    assert!(figures("c/2/1").error().is_some() && figures("c/2/1").elements == 0);
    assert_eq!(table.sums.states, [14, 1, 1]);
    // The missing chunk is all fill, as in `stats`.
    assert_eq!((table.sums.all.fill, table.sums.bad_checksums), (9252 + 37 * 45, 1));
    assert_eq!(table.sums.orders, [0, 14, 0]);
}

#[test]
fn rows_are_sorted_and_filtered() {
    assert_eq!(rows(&format!("{CRC}lO"))[..2], ["c/1/1", "c/2/1"], "the largest first");
    assert_eq!(rows(&format!("{CRC}lOO"))[..2], ["c/3/0", "c/3/3"], "the smallest first");
    assert_eq!(rows(&format!("{CRC}O"))[0], "c/3/3");
    let shown = |line: &str| rows(&format!("{CRC}/{line}<enter>"));
    assert_eq!(shown("ratio>3"), ["c/3/0", "c/3/3"]);
    assert_eq!(shown("checksum=✗"), ["c/2/1"]);
    assert_eq!(shown("checksum=x"), ["c/2/1"]);
    assert_eq!(shown("missing"), ["c/0/3"]);
    // The minima and ratios of sea and land differ, and none is further off than such numbers are.
    assert!(shown("outlier").is_empty());
    assert_eq!(shown("key c/2/*"), ["c/2/0", "c/2/1", "c/2/2", "c/2/3"]);
    assert_eq!(shown("key c/2/* fill>500"), ["c/2/0", "c/2/3"]);
    assert!(shown("order!=declared").is_empty());
    assert_eq!(rows(":go broken/crc<enter>:where ratio>3<enter>"), ["c/3/0", "c/3/3"]);
    assert_eq!(rows(&format!("{CRC}/ratio>3<enter><esc>")).len(), 16, "Esc shows all again");
    let player = play_at((120, 40), &format!("{CRC}/frob<enter>"));
    assert!(player.app.shared.message.as_ref().unwrap().text.starts_with("frob is no filter"));
    insta::assert_snapshot!(
        "chunk_table_filtered",
        view((120, 20), &format!("{CRC}lO/ratio>3<enter>"))
    );
}

#[test]
fn chunks_with_the_same_bytes_are_marked() {
    let folder = crate::scratch();
    let path = folder.path().join("repeats");
    fs::create_dir(&path).unwrap();
    write(&path, &[[1, 2], [3, 4], [1, 2], [5, 6], [3, 4], [7, 7]]);
    let played = script::play(&path, (100, 24), "2t", &Options::default()).unwrap();
    insta::assert_snapshot!(
        "chunk_table_same",
        describe(&Part::View.of(&played.app, &played.screen))
    );
    let played = script::play(&path, (100, 24), "2t/same<enter>", &Options::default()).unwrap();
    assert_eq!(played.app.pages.chunk_table.table.unwrap().len(), 4);
}

#[test]
fn enter_goes_to_the_chunk_and_t_comes_back() {
    let player = play_at((120, 40), &format!("{CRC}]e<enter>"));
    assert_eq!(player.app.shared.chunk.id.coordinates, [2, 1]);
    assert!(!player.app.shared.has_table() && player.app.shared.focus == Focus::View);
    let player = play_at((120, 40), &format!("{CRC}]e<enter>t"));
    let table = player.app.pages.chunk_table.table.as_ref().unwrap();
    assert_eq!((table.selected_id().unwrap().coordinates, table.read()), (vec![2, 1], 16));
    let player = play_at((120, 40), &format!("{CRC}]m"));
    let table = player.app.pages.chunk_table.table.as_ref().unwrap();
    assert_eq!(table.selected_id().unwrap().coordinates, [0, 3]);
    let player = play_at((120, 40), &format!("{CRC}<esc>"));
    assert!(!player.app.shared.has_table() && player.app.shared.focus == Focus::View);
}

#[test]
fn reading_is_stopped_and_goes_on() {
    let mut player = play_at((120, 40), ":go broken/crc<enter>2");
    player.slow_down(Lane::Table);
    press(&mut player, "t");
    let part = |player: &Player| describe(&Part::View.of(&player.app, &player.screen()));
    insta::assert_snapshot!("chunk_table_reading", part(&player));
    press(&mut player, "<esc>");
    assert!(text(&player).contains("Stopped: figures cover 0 of 16 chunks; r continues."));
    assert!(player.app.shared.has_table());
    press(&mut player, "r");
    player.catch_up();
    assert!(text(&player).contains("16 chunks: 14 with values"));
    // Who comes back finds everything as it was.
    press(&mut player, "3");
    press(&mut player, "2");
    assert_eq!(player.app.pages.chunk_table.table.as_ref().unwrap().read(), 16);
    press(&mut player, ":go ocean/packed<enter>:go broken/crc<enter>");
    player.slow_down(Lane::Table);
    press(&mut player, "2");
    assert_eq!(player.app.pages.chunk_table.table.as_ref().unwrap().read(), 16);
}

#[test]
fn a_chunk_that_is_written_to_is_read_again() {
    let folder = crate::scratch();
    write(folder.path(), &[[1, 2], [3, 4], [5, 6]]);
    let mut player = Player::open(folder.path(), (100, 24), &Options::default()).unwrap();
    press(&mut player, "2t");
    let maximum = |player: &Player| {
        let table = player.app.pages.chunk_table.table.as_ref().unwrap();
        table.sums.all.maximum.as_ref().unwrap().scalar.to_string()
    };
    assert_eq!(maximum(&player), "6");
    fs::write(folder.path().join("c/2"), [1, 0, 99, 0]).unwrap();
    player.changed(&["c/2"]);
    assert_eq!(maximum(&player), "99");
    fs::remove_file(folder.path().join("c/2")).unwrap();
    player.changed(&["c/2"]);
    assert_eq!(maximum(&player), "4");
}

#[test]
fn the_rows_are_written_to_a_file() {
    let folder = crate::scratch();
    let file = folder.path().join("out.csv");
    let keys = format!("{CRC}:w {}<enter>", file.display());
    let player = play_at((120, 40), &keys);
    assert!(text(&player).contains("written to "), "{}", text(&player));
    insta::assert_snapshot!("chunk_table_csv", fs::read_to_string(&file).unwrap());
    let again = play_at((120, 40), &keys);
    assert!(text(&again).contains("already exists"), "{}", text(&again));
}

#[test]
fn the_columns_move_with_their_cursor() {
    let column =
        |keys: &str| play_at((80, 24), &format!("{CRC}{keys}")).app.pages.chunk_table.column;
    assert_eq!(column("ll"), TableColumn::Ratio);
    assert_eq!(column("llh"), TableColumn::Stored);
    assert_eq!(column("$"), TableColumn::Same);
    assert_eq!(column("$0"), TableColumn::Key);
}

fn press(player: &mut Player, keys: &str) {
    parse(keys).unwrap().into_iter().for_each(|key| player.press(key));
}

/// An array of int16 of one chunk for each two numbers.
fn write(folder: &Path, chunks: &[[u8; 2]]) {
    let document = format!(
        r#"{{"zarr_format":3,"node_type":"array","shape":[{}],"data_type":"int16","chunk_grid":{{"name":"regular","configuration":{{"chunk_shape":[2]}}}},"chunk_key_encoding":{{"name":"default"}},"fill_value":0,"codecs":[{{"name":"bytes","configuration":{{"endian":"little"}}}}]}}"#,
        2 * chunks.len()
    );
    fs::write(folder.join("zarr.json"), document).unwrap();
    fs::create_dir(folder.join("c")).unwrap();
    for (at, [first, second]) in chunks.iter().enumerate() {
        fs::write(folder.join(format!("c/{at}")), [*first, 0, *second, 0]).unwrap();
    }
}

#[test]
fn arrays_that_cannot_be_read_say_why() {
    let root = stores().join("broken");
    for entry in fs::read_dir(root).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let player = play_at((100, 30), &format!(":go broken/{name}<enter>2t"));
        let Some(table) = &player.app.pages.chunk_table.table else { continue };
        if player.app.shared.has_table() {
            let is_known = table.is_complete() || table.failure.is_some() || table.is_stopped;
            assert!(is_known && table.pace.is_none(), "{name}");
        }
    }
}

/// The output of a codec that computes has a byte order of its own; it says nothing of the bytes.
#[test]
fn numbers_that_a_codec_computes_are_not_judged() {
    let order = |filters: &str, step: i16| {
        let folder = crate::scratch();
        let document = format!(
            r#"{{"zarr_format":2,"shape":[600],"chunks":[600],"dtype":"<i2","fill_value":null,"order":"C",
            "compressor":null,"filters":{filters}}}"#
        );
        fs::write(folder.path().join(".zarray"), document).unwrap();
        let stored: Vec<u8> = (0..600_i16).flat_map(|at| (7 + at * step).to_le_bytes()).collect();
        fs::write(folder.path().join("0"), stored).unwrap();
        let played = script::play(folder.path(), (100, 24), "2t", &Options::default()).unwrap();
        let table = played.app.pages.chunk_table.table.unwrap();
        table.selected().unwrap().figures.unwrap().order.map(|(order, _)| order)
    };
    assert_eq!(order("null", 11), Some(zarrscope::zarr::Endian::Little));
    assert_eq!(order(r#"[{"id":"delta","dtype":"<i2"}]"#, 0), None);
}
