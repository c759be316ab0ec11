//! The picture of a whole array: what is drawn, what is missing or damaged, and how it is zoomed, stopped and gone on.

use crate::{
    keys::{play_at, stores, text},
    snapshot::{Part, describe},
};
use std::{fs, path::Path};
use zarrscope::{
    app::{Lane, page::picture::Zoom},
    tui::{
        Options,
        script::{self, Player, parse},
    },
};

/// The whole of an array with a damaged and a missing chunk.
const CRC: &str = ":go broken/crc<enter>3--";

fn view(size: (u16, u16), keys: &str) -> String {
    let player = play_at(size, keys);
    describe(&Part::View.of(&player.app, &player.screen()))
}

fn press(player: &mut Player, keys: &str) {
    parse(keys).unwrap().into_iter().for_each(|key| player.press(key));
}

fn drawn(player: &Player) -> &zarrscope::app::page::picture::drawn::DrawnArray {
    player.app.pages.picture.whole.drawn.as_ref().unwrap()
}

#[test]
fn the_array_is_drawn_with_its_chunks() {
    insta::assert_snapshot!("array_picture_120x40", view((120, 40), CRC));
    insta::assert_snapshot!("array_picture_80x24", view((80, 24), CRC));
    insta::assert_snapshot!("array_picture_40x12", view((40, 12), CRC));
    insta::assert_snapshot!(
        "array_picture_of_chunks",
        view((120, 30), ":go broken/crc<enter>3-:[40,50]<enter>")
    );
    insta::assert_snapshot!(
        "array_picture_of_an_axis",
        view((120, 24), ":go broken/chunk_truncated<enter>:zoom array<enter>")
    );
}

#[test]
fn dimensions_that_are_not_drawn_are_fixed_or_reduced() {
    const AIR: &str = ":go ocean/air<enter>3--";
    insta::assert_snapshot!("array_picture_slice", view((120, 24), &format!("{AIR}]s]s]s]s")));
    insta::assert_snapshot!("array_picture_mean", view((120, 24), &format!("{AIR}m")));
    insta::assert_snapshot!("array_picture_axes", view((120, 24), &format!("{AIR}mma")));
}

#[test]
fn what_is_counted_is_what_numpy_counts() {
    // np.nanmax and so on of zarr-python 3.4.2's array, without the chunks that are missing or damaged.
    let player = play_at((120, 40), CRC);
    let all = &drawn(&player).cells.all;
    assert_eq!(all.chunks, [14, 1, 1]);
    assert_eq!(all.statistics.elements, 14 * 37 * 45);
    assert_eq!(all.statistics.fill_value, 9252);
    let value = |found: &Option<zarrscope::zarr::statistics::Extreme>| {
        found.as_ref().map(|found| found.scalar.to_string()).unwrap()
    };
    assert_eq!(value(&all.statistics.maximum), "1983");
    assert_eq!(all.damaged[0].0, [2, 1]);
    let cells = &drawn(&player).cells;
    let all_cells =
        || (0..cells.map.rows).flat_map(|y| (0..cells.map.columns).map(move |x| (y, x)));
    let sum = |of: fn(&zarrscope::zarr::statistics::HeatCell) -> u64| {
        all_cells().filter_map(|(y, x)| cells.map.cell(y, x)).map(of).sum::<u64>()
    };
    assert_eq!(sum(|cell| cell.elements), 14 * 37 * 45);
    assert_eq!((sum(|cell| cell.absent), sum(|cell| cell.damaged)), (37 * 45, 37 * 45));
}

#[test]
fn the_highest_and_the_lowest_are_those_of_the_array() {
    let at = |keys: &str| play_at((120, 40), &format!("{CRC}{keys}")).app.address();
    let highest = at(">");
    let value = |keys: &str| text(&play_at((120, 40), &format!("{CRC}{keys}")));
    assert!(
        value(">").contains("the highest of what is drawn: 1983; Ctrl-o goes back"),
        "{highest}"
    );
    assert!(highest.ends_with("#[59,25]'"), "{highest}");
    assert!(at("><c-o>").ends_with("#[0,0]'"));
    // A damaged chunk is gone to by its faults, and says what is wrong.
    let player = play_at((120, 40), &format!("{CRC}]e"));
    assert_eq!(player.app.shared.chunk.id.coordinates, [2, 1]);
    assert!(text(&player).contains("c/2/1 cannot be read"), "{}", text(&player));
}

#[test]
fn the_cursor_goes_through_the_array_and_the_views_follow() {
    let at =
        |keys: &str| play_at((120, 40), &format!("{CRC}{keys}")).app.pages.picture.whole.at.clone();
    assert_eq!(at("G"), [147, 179]);
    assert_eq!(at("Gg"), [0, 0]);
    assert_eq!(at(":[80,100]<enter>"), [80, 100]);
    let zoom =
        |keys: &str| play_at((120, 40), &format!("{CRC}{keys}")).app.pages.picture.whole.zoom;
    assert_eq!((zoom("+"), zoom("++"), zoom("-")), (Zoom::Chunks(2), Zoom::Chunk, Zoom::Array));
    assert_eq!(
        (zoom(":zoom 3<enter>"), zoom(":zoom elements<enter>")),
        (Zoom::Chunks(3), Zoom::Elements)
    );
    let player = play_at((120, 40), &format!("{CRC}G<enter>"));
    assert!(player.app.address().ends_with("#[147,179]'"), "{}", player.app.address());
    // Where a part is drawn, the cursor takes the picture along.
    let parts = play_at((120, 40), ":go broken/crc<enter>3-$l");
    assert_eq!(
        (parts.app.pages.picture.whole.zoom, drawn(&parts).grid.raster.region[1].clone()),
        (Zoom::Chunks(2), 90..180)
    );
}

#[test]
fn drawing_is_stopped_and_goes_on() {
    let mut player = play_at((120, 40), ":go broken/crc<enter>3-");
    player.slow_down(Lane::Picture);
    press(&mut player, "-");
    assert!(text(&player).contains("reading"), "{}", text(&player));
    press(&mut player, "<esc>");
    assert!(text(&player).contains("r continues"), "{}", text(&player));
    press(&mut player, "r");
    player.catch_up();
    assert_eq!(drawn(&player).read(), 16);
    // Who comes back finds everything as it was.
    press(&mut player, ":go ocean/packed<enter>:go broken/crc<enter>");
    assert_eq!(drawn(&player).read(), 16);
}

/// An array of 10^5 × 10^5 elements, of whose chunks only some are stored.
fn huge(folder: &Path, chunk: u64, stored: impl Iterator<Item = (u64, u64)>, codecs: &str) {
    let document = format!(
        r#"{{"zarr_format":3,"node_type":"array","shape":[100000,100000],"data_type":"int16","chunk_grid":{{"name":"regular","configuration":{{"chunk_shape":[{chunk},{chunk}]}}}},"chunk_key_encoding":{{"name":"default","configuration":{{"separator":"."}}}},"fill_value":0,"codecs":[{{"name":"bytes","configuration":{{"endian":"little"}}}}{codecs}]}}"#
    );
    fs::write(folder.join("zarr.json"), document).unwrap();
    for (y, x) in stored {
        let file = fs::File::create(folder.join(format!("c.{y}.{x}"))).unwrap();
        file.set_len(chunk * chunk * 2).unwrap();
    }
}

#[test]
fn huge_arrays_are_sampled_and_say_so() {
    // Large raw chunks are looked into, not read.
    let folder = crate::scratch();
    let store = folder.path().join("huge");
    fs::create_dir(&store).unwrap();
    huge(&store, 50_000, [(0, 0), (1, 1)].into_iter(), "");
    let large = script::play(&store, (100, 30), ":zoom array<enter>", &Options::default()).unwrap();
    insta::assert_snapshot!(
        "array_picture_large_chunks",
        describe(&Part::View.of(&large.app, &large.screen))
    );
    // A grid of 10^4 chunks, of which a few are stored.
    let folder = crate::scratch();
    let store = folder.path().join("huge");
    fs::create_dir(&store).unwrap();
    huge(&store, 1000, (0..5).map(|at| (at * 20, at * 20)), "");
    let sparse =
        script::play(&store, (100, 30), ":zoom array<enter>", &Options::default()).unwrap();
    insta::assert_snapshot!(
        "array_picture_huge",
        describe(&Part::View.of(&sparse.app, &sparse.screen))
    );
    let whole = &sparse.app.pages.picture.whole;
    assert_eq!(whole.zoom, Zoom::Array);
    assert!(whole.drawn.as_ref().unwrap().read() > 1000);
}

#[test]
fn every_array_has_a_picture_or_says_why_not() {
    for store in ["broken", "dtypes-v3"] {
        for entry in fs::read_dir(stores().join(store)).unwrap().map(Result::unwrap) {
            if !entry.path().is_dir() {
                continue;
            }
            let mut player = Player::open(&entry.path(), (80, 24), &Options::default()).unwrap();
            press(&mut player, "3--m");
            let page = &player.app.pages.picture;
            let drawn = page.whole.drawn.as_ref();
            let drawn = drawn.filter(|_| page.draws_array(&player.app.shared.chunk));
            let name = entry.path();
            assert!(drawn.is_none_or(|drawn| drawn.pace.is_none()), "{name:?}");
            assert!(
                drawn.is_none_or(|drawn| drawn.failure.is_some() || drawn.read() > 0),
                "{name:?}"
            );
        }
    }
}

/// An array of four chunks of bytes, none of which is there.
fn four_chunks(folder: &Path) {
    let document = r#"{"zarr_format":3,"node_type":"array","shape":[4,4],"data_type":"uint8",
        "chunk_grid":{"name":"regular","configuration":{"chunk_shape":[2,2]}},
        "chunk_key_encoding":{"name":"default"},"fill_value":0,"codecs":[{"name":"bytes"}]}"#;
    fs::write(folder.join("zarr.json"), document).unwrap();
    fs::create_dir_all(folder.join("c/0")).unwrap();
}

#[test]
fn a_chunk_that_changes_on_the_disk_is_drawn_again() {
    let folder = crate::scratch();
    four_chunks(folder.path());
    fs::write(folder.path().join("c/0/0"), [1, 2, 3, 4]).unwrap();
    let mut player = Player::open(folder.path(), (120, 40), &Options::default()).unwrap();
    press(&mut player, "3-");
    let highest = |player: &Player| {
        let seen = &drawn(player).cells.all.statistics;
        seen.maximum.as_ref().map(|found| found.scalar.to_string()).unwrap()
    };
    assert_eq!((highest(&player), drawn(&player).cells.all.chunks), ("4".into(), [1, 3, 0]));
    // Not the chunk under the cursor.
    fs::write(folder.path().join("c/0/1"), [9, 8, 7, 6]).unwrap();
    player.changed(&["c/0/1"]);
    assert_eq!((highest(&player), drawn(&player).cells.all.chunks), ("9".into(), [2, 2, 0]));
    // While it is drawn, that is finished first, so that a store being written has a picture at all.
    player.slow_down(Lane::Picture);
    press(&mut player, "r");
    fs::write(folder.path().join("c/0/1"), [99, 8, 7, 6]).unwrap();
    player.changed(&["c/0/1"]);
    assert!(player.app.pages.picture.is_drawing());
    player.catch_up();
    assert_eq!(highest(&player), "99");
}

#[test]
fn more_missing_elements_than_there_are_numbers_are_drawn() {
    let folder = crate::scratch();
    let document = r#"{"zarr_format":3,"node_type":"array","shape":[1099511627776,1099511627776],"data_type":"uint8",
        "chunk_grid":{"name":"regular","configuration":{"chunk_shape":[4294967296,4294967296]}},
        "chunk_key_encoding":{"name":"default"},"fill_value":0,
        "codecs":[{"name":"bytes"},{"name":"gzip","configuration":{"level":1}}]}"#;
    fs::write(folder.path().join("zarr.json"), document).unwrap();
    let mut player = Player::open(folder.path(), (60, 20), &Options::default()).unwrap();
    press(&mut player, "3:zoom array<enter>");
    let cells = &drawn(&player).cells;
    assert!(cells.map.cell(0, 0).is_some_and(|cell| cell.absent == u64::MAX));
}

/// The part of a huge array that was left out is read when that is asked for, and only then.
#[test]
fn what_was_left_out_is_read_when_asked_for() {
    let folder = crate::scratch();
    huge(folder.path(), 20_000, std::iter::empty(), "");
    let mut player = Player::open(folder.path(), (100, 30), &Options::default()).unwrap();
    press(&mut player, ":zoom array<enter>");
    assert!(drawn(&player).is_sparse && drawn(&player).is_partial(), "{}", text(&player));
    press(&mut player, "r");
    assert!(!drawn(&player).is_sparse && !drawn(&player).is_partial(), "{}", text(&player));
    assert!(drawn(&player).read() > 0);
    press(&mut player, "r");
    assert!(drawn(&player).is_sparse, "again from the start: a sample");
}

/// Something changed that nobody has told of: `r` reads it again, and from the first chunk on.
#[test]
fn a_picture_is_drawn_again_on_request() {
    let folder = crate::scratch();
    four_chunks(folder.path());
    for key in ["c/0/0", "c/0/1"] {
        fs::write(folder.path().join(key), [1, 2, 3, 4]).unwrap();
    }
    let mut player = Player::open(folder.path(), (120, 40), &Options::default()).unwrap();
    press(&mut player, "3-");
    fs::write(folder.path().join("c/0/1"), [1, 2, 3, 44]).unwrap();
    press(&mut player, "r");
    let seen = &drawn(&player).cells.all;
    let highest = seen.statistics.maximum.as_ref().map(|found| found.scalar.to_string());
    assert_eq!(highest.as_deref(), Some("44"));
    assert_eq!(seen.chunks, [2, 2, 0], "each chunk is counted once");
}
