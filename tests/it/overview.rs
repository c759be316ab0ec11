//! The overview of groups and folders: its rows, their figures as they come in, its states, and where its keys lead.

use crate::{
    keys::stores,
    snapshot::{Part, describe},
};
use std::{fs, path::Path};
use zarrscope::{
    app::{
        Focus, Lane,
        page::overview::{ChunkCount, SortBy},
    },
    tui::{
        Options,
        script::{self, Player, parse},
    },
};

fn play(path: &Path, size: (u16, u16), keys: &str) -> script::Played {
    script::play(path, size, keys, &Options::default()).unwrap()
}

fn view(path: &Path, size: (u16, u16), keys: &str) -> String {
    let played = play(path, size, keys);
    describe(&Part::View.of(&played.app, &played.screen))
}

fn text(path: &Path, size: (u16, u16), keys: &str) -> String {
    let played = play(path, size, keys);
    zarrscope::tui::picture::text(&Part::View.of(&played.app, &played.screen))
}

#[test]
fn a_group_shows_its_arrays() {
    let ocean = stores().join("ocean");
    for (name, size) in
        [("120x40", (120, 40)), ("80x24", (80, 24)), ("60x20", (60, 20)), ("200x60", (200, 60))]
    {
        insta::assert_snapshot!(format!("overview_of_a_group_{name}"), view(&ocean, size, "1"));
    }
}

/// The first screen says what is here even with room for one pane alone; `h` goes up from a group as in the tree.
#[test]
fn the_first_screen_of_a_narrow_terminal_is_the_overview() {
    let keys = |keys: &str| play(&stores(), (80, 24), keys);
    assert_eq!(keys("").app.shared.focus, Focus::View);
    let up = keys(":go byte-order/v3<enter>1h");
    assert_eq!(up.app.shared.node().unwrap().path.0, "byte-order");
    assert_eq!(keys("jl").app.shared.node().unwrap().path.0, "byte-order");
    let top = keys("h");
    assert!(top.app.shared.message.as_ref().unwrap().text.contains("root of the store"));
}

#[test]
fn a_folder_shows_its_stores() {
    insta::assert_snapshot!("overview_of_a_folder_120x40", view(&stores(), (120, 40), ""));
    insta::assert_snapshot!("overview_of_a_folder_80x24", view(&stores(), (80, 24), ""));
}

#[test]
fn broken_nodes_keep_their_rows() {
    insta::assert_snapshot!(
        "overview_of_broken_nodes",
        view(&stores().join("broken"), (120, 40), "<tab>G")
    );
}

#[test]
fn rows_are_sorted_by_what_is_asked_for() {
    let names = |keys: &str| -> Vec<String> {
        let played = play(&stores().join("ocean"), (120, 40), keys);
        let page = &played.app.pages.overview;
        (0..page.len()).map(|at| page.sorted_row(at).unwrap().name()).collect()
    };
    assert_eq!(names("")[..2], ["air", "brightness"]);
    assert_eq!(names("O")[..3], ["air", "brightness", "temperature"], "by size, from the tree too");
    assert_eq!(names("OO")[..3], ["depth", "time", "year"], "by ratio, lowest first");
    assert_eq!(names("OOO")[0], "packed", "the only one with a missing chunk");
    assert_eq!(names("OOOO"), names(""));
    let played = play(&stores().join("ocean"), (120, 40), "<tab>jO");
    let page = &played.app.pages.overview;
    assert_eq!((page.sort, page.scroll.cursor()), (SortBy::Stored, 1));
}

#[test]
fn enter_goes_to_the_row_in_the_view_on_show() {
    let at = |keys: &str| {
        let played = play(&stores().join("ocean"), (120, 40), keys);
        let node = played.app.shared.node().unwrap().path.0.clone();
        (node, played.app.shared.view.number(), played.app.shared.focus)
    };
    assert_eq!(at("<tab>jjjjj<enter>"), ("packed".into(), 1, Focus::View));
    assert_eq!(at("2jjjjj<enter>"), ("packed".into(), 2, Focus::View));
    assert_eq!(at("<tab>jjjjj<enter><c-o>").0, "");
    assert_eq!(at("<tab>/time<enter><enter>").0, "time");
}

#[test]
fn views_of_arrays_say_so_on_a_group() {
    for (keys, name) in [("2", "chunks"), ("3", "picture")] {
        let text = text(&stores().join("ocean"), (120, 40), keys);
        assert!(text.contains(&format!("The {name} view is only for arrays")), "{text}");
        assert!(text.contains("15 of 16"), "which arrays have chunks");
    }
}

#[test]
fn figures_are_dots_until_they_are_known_and_esc_stops_them() {
    let mut player = Player::open_slow(
        &stores().join("ocean"),
        (120, 40),
        &Options::default(),
        &[Lane::Overview],
    )
    .unwrap();
    let screen = |player: &Player| zarrscope::tui::picture::text(&player.screen());
    assert!(screen(&player).contains("Listing …"));
    for key in parse("<esc>").unwrap() {
        player.press(key);
    }
    let page = &player.app.pages.overview;
    assert!(page.is_stopped && page.is_empty());
    for key in parse("r").unwrap() {
        player.press(key);
    }
    player.catch_up();
    let page = &player.app.pages.overview;
    assert!(page.is_complete() && page.counted() == 9);
    assert!(page.rows.iter().all(|row| row.counted == ChunkCount::Whole));
    assert!(screen(&player).contains("360 KiB stored, 691 KiB raw, ratio 1.92"));
}

#[test]
fn what_is_empty_says_so() {
    let folder = crate::scratch();
    fs::write(
        folder.path().join("zarr.json"),
        r#"{"zarr_format": 3, "node_type": "group", "attributes": {"title": "nothing yet"}}"#,
    )
    .unwrap();
    let text = text(folder.path(), (120, 40), "");
    assert!(text.contains("This group has no children."), "{text}");
    assert!(text.contains("nothing yet"), "{text}");
}

#[test]
fn remarks_name_facts_and_a_healthy_twin_has_none() {
    let folder = crate::scratch();
    let array = |name: &str, endian: &str, stored: bool| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.join("c")).unwrap();
        let document = format!(
            r#"{{"zarr_format": 3, "node_type": "array", "shape": [2], "data_type": "int16",
            "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": [2]}}}},
            "chunk_key_encoding": {{"name": "default"}}, "fill_value": 7,
            "codecs": [{{"name": "bytes", "configuration": {{"endian": "{endian}"}}}}]}}"#
        );
        fs::write(path.join("zarr.json"), document).unwrap();
        if stored {
            fs::write(path.join("c/0"), [0; 4]).unwrap();
        }
    };
    fs::write(folder.path().join("zarr.json"), r#"{"zarr_format": 3, "node_type": "group"}"#)
        .unwrap();
    for name in ["a", "b", "c"] {
        array(name, "little", true);
    }
    assert!(!text(folder.path(), (120, 40), "").contains("worth a look"));
    array("b", "big", false);
    let _ = fs::remove_file(folder.path().join("b/c/0"));
    let told = text(folder.path(), (120, 40), "");
    assert!(told.contains("the only big-endian array"), "{told}");
    assert!(told.contains("its only chunk is not stored and reads as 7"), "{told}");
}

#[test]
fn times_are_told_where_they_are_wanted() {
    let options = Options { times: true, ..Options::default() };
    let played = script::play(&stores().join("ocean"), (120, 40), "", &options).unwrap();
    let text = zarrscope::tui::picture::text(&played.screen);
    assert!(text.contains("newest") && text.contains(" UTC"), "{text}");
}

/// Attributes are whole, as far as there is room below.
#[test]
fn attributes_go_on_below() {
    let text = crate::keys::text(&crate::keys::play_at((120, 40), ":go ocean<enter><tab>g"));
    assert!(text.contains("copyright, 2018"), "{text}");
}
