//! Two nodes compared in the inspector.

use crate::{
    keys::{play_at, text},
    snapshot::{Part, describe},
};
use std::{fs, path::Path};
use zarrscope::{
    app::{
        Lane,
        page::compare::{BlockVerdict, ComparisonPart as ComparePart},
    },
    tui::{
        Options,
        script::{Player, parse},
    },
};

const SAME: &str = ":go ocean/temperature<enter>=:go ocean-v2/temperature<enter>=";

fn press(player: &mut Player, keys: &str) {
    parse(keys).unwrap().into_iter().for_each(|key| player.press(key));
}

fn body(player: &Player) -> String {
    describe(&Part::Body.of(&player.app, &player.screen()))
}

#[test]
fn a_conversion_is_equal_but_for_how_it_is_stored() {
    let player = play_at((120, 40), SAME);
    assert!(text(&player).contains("all 26,640 elements are equal"), "{}", text(&player));
    insta::assert_snapshot!("compare_equal_120x40", body(&player));
    insta::assert_snapshot!("compare_equal_80x24", body(&play_at((80, 24), SAME)));
    insta::assert_snapshot!("compare_map_80x24", body(&play_at((80, 24), &format!("{SAME}<tab>"))));
}

#[test]
fn hierarchies_are_compared_pair_by_pair() {
    let player = play_at((120, 24), ":go ocean<enter>:compare ocean-v2<enter>");
    insta::assert_snapshot!("compare_hierarchy", body(&player));
    let opened = play_at((120, 40), ":go ocean<enter>:compare ocean-v2<enter>jj<enter>");
    assert!(opened.app.pages.compare.is_open);
    let back = play_at((120, 40), ":go ocean<enter>:compare ocean-v2<enter>jj<enter><esc>");
    assert!(!back.app.pages.compare.is_open && back.app.overlay.is_some());
    let left = play_at((120, 40), ":go ocean<enter>:compare ocean-v2<enter>jj<enter><esc><esc>");
    assert!(left.app.overlay.is_none());
}

/// Arrays of int16 in chunks of two: A big-endian of format 3, B little-endian of format 2.
fn stores(folder: &Path, a: &[Option<[u8; 2]>], b: &[Option<[u8; 2]>]) {
    let (v3, v2) = (folder.join("a"), folder.join("b"));
    fs::create_dir_all(&v3).unwrap();
    fs::create_dir_all(&v2).unwrap();
    fs::write(folder.join("zarr.json"), r#"{"zarr_format":3,"node_type":"group"}"#).unwrap();
    let document = format!(
        r#"{{"zarr_format":3,"node_type":"array","shape":[{}],"data_type":"int16","chunk_grid":{{"name":"regular","configuration":{{"chunk_shape":[2]}}}},"chunk_key_encoding":{{"name":"default"}},"fill_value":0,"codecs":[{{"name":"bytes","configuration":{{"endian":"big"}}}}]}}"#,
        2 * a.len()
    );
    fs::write(v3.join("zarr.json"), document).unwrap();
    let document = format!(
        r#"{{"zarr_format":2,"shape":[{}],"chunks":[2],"dtype":"<i2","fill_value":0,"order":"C","compressor":null,"filters":null}}"#,
        2 * b.len()
    );
    fs::write(v2.join(".zarray"), document).unwrap();
    fs::create_dir(v3.join("c")).unwrap();
    for (at, chunk) in a.iter().enumerate() {
        if let Some([x, y]) = chunk {
            fs::write(v3.join(format!("c/{at}")), [0, *x, 0, *y]).unwrap();
        }
    }
    for (at, chunk) in b.iter().enumerate() {
        if let Some([x, y]) = chunk {
            fs::write(v2.join(at.to_string()), [*x, 0, *y, 0]).unwrap();
        }
    }
}

#[test]
fn what_differs_is_found_and_gone_to() {
    let folder = crate::scratch();
    let a = [Some([1, 2]), Some([3, 4]), None, Some([5, 6]), None, Some([7, 8])];
    let b = [Some([1, 2]), Some([3, 9]), None, None, Some([0, 0]), Some([7, 7])];
    stores(folder.path(), &a, &b);
    // A chunk that cannot be read.
    fs::write(folder.path().join("b/5"), [7, 0, 7]).unwrap();
    let mut player = Player::open(folder.path(), (120, 40), &Options::default()).unwrap();
    press(&mut player, ":go a<enter>:compare b<enter>");
    let page = &player.app.pages.compare;
    let arrays = page.pairs[0].arrays.as_ref().unwrap();
    let verdicts: Vec<BlockVerdict> = (0..6).map(|at| arrays.verdict(&[at])).collect();
    assert_eq!(
        verdicts,
        [
            BlockVerdict::Equal,
            BlockVerdict::Different,
            BlockVerdict::Neither,
            BlockVerdict::OnlyA,
            BlockVerdict::OnlyB,
            BlockVerdict::Unreadable
        ]
    );
    assert_eq!((arrays.compared.different, arrays.compared.unknown), (3, [0, 2]));
    press(&mut player, "<tab>]d");
    let values = player.app.pages.compare.values.clone().unwrap();
    assert_eq!(values.rows[0].index, [3]);
    assert_eq!(values.rows[0].values, ["4".to_owned(), "9".to_owned()]);
    assert_eq!(values.rows[0].bytes, ["00 04".to_owned(), "09 00".to_owned()]);
    let shown = text(&player);
    assert!(shown.contains("3 of 10 elements differ"), "{shown}");
    press(&mut player, "]d");
    assert_eq!(player.app.pages.compare.at, [3]);
    press(&mut player, "[d<enter>");
    assert!(player.app.overlay.is_none());
    assert!(player.app.address().ends_with("#[3]'"), "{}", player.app.address());
}

#[test]
fn comparing_is_stopped_and_goes_on() {
    let mut player =
        play_at((120, 40), ":go ocean/temperature<enter>=:go ocean-v2/temperature<enter>");
    player.slow_down(Lane::Compare);
    press(&mut player, "=");
    assert!(text(&player).contains("comparing"), "{}", text(&player));
    press(&mut player, "<esc>");
    assert!(text(&player).contains("r continues"), "{}", text(&player));
    press(&mut player, "r");
    player.catch_up();
    assert!(text(&player).contains("all 26,640 elements are equal"), "{}", text(&player));
    press(&mut player, "<esc>");
    assert!(player.app.overlay.is_none());
}

#[test]
fn a_mark_is_set_and_dropped() {
    let player = play_at((120, 40), ":go ocean/packed<enter>=");
    assert!(text(&player).contains("Marked A: ocean/packed"), "{}", text(&player));
    let player = play_at((120, 40), ":go ocean/packed<enter>=<esc>");
    assert!(player.app.pages.compare.marked.is_none());
    let player = play_at((120, 40), ":go ocean/packed<enter>:compare /nowhere/at-all<enter>");
    assert!(text(&player).contains("cannot be compared"), "{}", text(&player));
    let player = play_at((120, 40), ":go ocean/packed<enter>:tolerance x<enter>");
    assert!(text(&player).contains("tolerance needs a number"), "{}", text(&player));
}

/// The comparison of the arrays `a` and `b` of [`stores`] below `folder`.
fn compared(folder: &Path) -> Player {
    let mut player = Player::open(folder, (120, 40), &Options::default()).unwrap();
    press(&mut player, ":go a<enter>:compare b<enter>");
    player
}

#[test]
fn a_difference_in_the_first_chunk_is_gone_to() {
    let folder = crate::scratch();
    let same = Some([3, 4]);
    stores(folder.path(), &[Some([1, 2]), same], &[Some([1, 9]), same]);
    let mut player = compared(folder.path());
    for _ in 0..20 {
        press(&mut player, "]d");
        if player.app.pages.compare.part != ComparePart::Documents {
            break;
        }
    }
    assert_eq!(player.app.pages.compare.part, ComparePart::Chunks);
    assert_eq!(player.app.pages.compare.at, [0]);
    assert!(!text(&player).contains("no other chunk"), "{}", text(&player));
    // Whoever is on it already goes on from there.
    press(&mut player, "]d");
    assert!(text(&player).contains("no other chunk differs"), "{}", text(&player));
}

#[test]
fn a_grid_of_more_chunks_than_there_are_numbers_is_gone_through() {
    let folder = crate::scratch();
    stores(folder.path(), &[Some([1, 2])], &[Some([1, 9])]);
    let mut player = compared(folder.path());
    let page = &mut player.app.pages.compare;
    page.pairs[0].arrays.as_mut().unwrap().counts = vec![u64::MAX, u64::MAX];
    page.at = vec![0, 0];
    press(&mut player, "<tab><pagedown>");
    assert!(player.app.pages.compare.at[0] > u64::MAX / 40);
    press(&mut player, "G<pagedown><c-d>llg");
    assert_eq!(player.app.pages.compare.at, [0, 0]);
    assert!(text(&player).contains("chunks of A"), "{}", text(&player));
}

#[test]
fn enter_goes_to_the_chunk_of_a_rectilinear_grid() {
    let folder = crate::scratch();
    fs::write(folder.path().join("zarr.json"), r#"{"zarr_format":3,"node_type":"group"}"#).unwrap();
    for (name, last) in [("a", 7), ("b", 8)] {
        let array = folder.path().join(name);
        fs::create_dir_all(array.join("c")).unwrap();
        let document = r#"{"zarr_format":3,"node_type":"array","shape":[12],"data_type":"uint8",
            "chunk_grid":{"name":"rectilinear","configuration":{"kind":"inline","chunk_shapes":[[6,1,1,4]]}},
            "chunk_key_encoding":{"name":"default"},"fill_value":0,"codecs":[{"name":"bytes"}]}"#;
        fs::write(array.join("zarr.json"), document).unwrap();
        for (at, bytes) in [&[0; 6][..], &[1], &[last], &[1; 4]].into_iter().enumerate() {
            fs::write(array.join(format!("c/{at}")), bytes).unwrap();
        }
    }
    let mut player = compared(folder.path());
    press(&mut player, "<tab>]d");
    assert_eq!(player.app.pages.compare.at, [2]);
    assert_eq!(player.app.pages.compare.values.as_ref().unwrap().rows[0].index, [7]);
    let known = player.app.pages.compare.pairs[0].arrays.as_ref().unwrap().verdict(&[2]);
    assert_eq!(known, BlockVerdict::Different);
    // While what differs is not here yet, the chunk itself is gone to.
    player.app.pages.compare.values = None;
    press(&mut player, "<enter>");
    assert_eq!(player.app.shared.chunk.id.coordinates, [2]);
    assert!(player.app.address().ends_with("#[7]'"), "{}", player.app.address());
}

#[test]
fn differences_that_come_late_are_those_of_the_pair_on_show() {
    let folder = crate::scratch();
    for (name, b) in [("g", [1, 9]), ("h", [1, 2])] {
        let group = folder.path().join(name);
        stores(&group, &[Some([1, 2])], &[Some(b)]);
    }
    // The arrays `g` and `h` of two groups, of which the first differs.
    for (group, side) in [("one", "a"), ("two", "b")] {
        fs::create_dir_all(folder.path().join(group)).unwrap();
        let document = r#"{"zarr_format":3,"node_type":"group"}"#;
        fs::write(folder.path().join(group).join("zarr.json"), document).unwrap();
        for name in ["g", "h"] {
            let from = folder.path().join(name).join(side);
            fs::rename(from, folder.path().join(group).join(name)).unwrap();
        }
    }
    let folder = folder.path();
    let mut player = Player::open(folder, (120, 40), &Options::default()).unwrap();
    press(&mut player, ":go one<enter>:compare two<enter>");
    player.slow_down(Lane::Differences);
    press(&mut player, "j<enter>");
    assert!(player.app.shared.is_busy(Lane::Differences));
    press(&mut player, "<esc>j<enter>");
    assert!(!player.app.shared.is_busy(Lane::Differences), "nobody waits for it");
    player.catch_up();
    assert_eq!(player.app.pages.compare.pair().unwrap().path, "h");
    assert!(player.app.pages.compare.values.is_none());
    // Back at the first, they are asked for again.
    press(&mut player, "<esc>k<enter>");
    assert_eq!(player.app.pages.compare.values.as_ref().unwrap().different, 1);
}

#[test]
fn what_could_not_be_compared_may_be_later() {
    let folder = crate::scratch();
    stores(folder.path(), &[Some([1, 2])], &[Some([1, 2])]);
    let away = folder.path().join("away");
    fs::rename(folder.path().join("b"), &away).unwrap();
    let mut player = Player::open(folder.path(), (120, 40), &Options::default()).unwrap();
    let later = folder.path().join("later");
    press(&mut player, &format!(":go a<enter>:compare {}<enter>", later.display()));
    assert!(text(&player).contains("cannot be compared"), "{}", text(&player));
    fs::rename(&away, &later).unwrap();
    press(&mut player, "<esc>:compare<enter>");
    assert!(!text(&player).contains("cannot be compared"), "{}", text(&player));
    assert!(text(&player).contains("all 2 elements are equal"), "{}", text(&player));
}

#[test]
fn two_chunks_are_compared_in_the_inspector() {
    let folder = crate::scratch();
    let a = [Some([1, 2]), Some([1, 2]), Some([1, 9])];
    stores(folder.path(), &a, &a);
    let open = |keys: &str| {
        let mut player = Player::open(folder.path(), (120, 40), &Options::default()).unwrap();
        press(&mut player, keys);
        player
    };
    let player = open(":go a<enter>2=]c=");
    assert_eq!(player.app.pages.compare.names, ["a chunk [0]", "a chunk [1]"]);
    assert!(text(&player).contains("all 2 elements are equal"), "{}", text(&player));
    let mut player = open(":go a<enter>2]c:compare c/2<enter>");
    assert!(text(&player).contains("1 of 2 elements differs"), "{}", text(&player));
    let values = player.app.pages.compare.values.clone().unwrap();
    assert_eq!((values.rows.len(), &values.rows[0].index), (1, &vec![3]));
    assert_eq!(values.rows[0].values, ["2".to_owned(), "9".to_owned()]);
    press(&mut player, "<tab><tab><enter>");
    assert!(player.app.address().ends_with("#[3]'"), "{}", player.app.address());
    assert_eq!(open(":go a<enter>2=]c=").app.pages.compare.names[1], "a chunk [1]");
    let player = open(":go a<enter>2=]ck<esc>");
    assert!(player.app.pages.compare.marked.is_none(), "{}", text(&player));
    // A chunk, and the same elements of the array on show.
    let player = open(":go a<enter>:compare b/2<enter>");
    assert!(text(&player).contains("all 2 elements are equal"), "{}", text(&player));
}

/// The key of a shard stands for its first inner chunk, as where one goes to it.
#[test]
fn a_shard_is_compared_by_its_key() {
    let keys = ":go ocean/temperature<enter>2:compare c/0/1<enter>";
    let player = play_at((120, 40), keys);
    let names = &player.app.pages.compare.names;
    assert_eq!(names[1], "ocean/temperature chunk [0,1] inner [0,0]", "{}", text(&player));
}

/// `K` explains a row of the documents, a chunk of the map and an element.
#[test]
fn what_is_under_the_cursor_is_explained() {
    let folder = crate::scratch();
    stores(folder.path(), &[Some([1, 2]), Some([3, 4])], &[Some([1, 2]), Some([3, 9])]);
    let compared = |keys: &str| {
        let mut player = Player::open(folder.path(), (120, 24), &Options::default()).unwrap();
        press(&mut player, &format!(":go a<enter>:compare b<enter>{keys}"));
        player
    };
    let explained = |keys: &str| {
        let player = compared(&format!("{keys}K"));
        let shown = player.app.explanation().unwrap();
        let table = shown.table.iter().map(|(label, value)| format!("{label}: {value}"));
        let title = std::iter::once(shown.title.clone());
        title.chain(table).chain(shown.paragraphs.clone()).collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!("compare_explains_a_row", explained("jj"));
    insta::assert_snapshot!("compare_explains_a_chunk", explained("<tab>l"));
    insta::assert_snapshot!("compare_explains_an_element", explained("<tab>l<tab>"));
    insta::assert_snapshot!("compare_with_an_explanation", body(&compared("jjK")));
    let closed = compared("jjKK");
    assert!(closed.app.explanation().is_none(), "{}", text(&closed));
    assert!(text(&closed).contains("the largest difference"), "{}", text(&closed));
}

/// Of a comparison in three dimensions the map goes over the last two; of one, along it.
#[test]
fn the_map_goes_along_the_last_two_axes() {
    let folder = crate::scratch();
    stores(folder.path(), &[Some([1, 2])], &[Some([1, 9])]);
    let mut player = compared(folder.path());
    assert_eq!(player.app.pages.compare.axes(), (None, 0));
    let page = &mut player.app.pages.compare;
    page.pairs[0].arrays.as_mut().unwrap().counts = vec![2, 3, 4];
    page.at = vec![1, 0, 0];
    assert_eq!(page.axes(), (Some(1), 2));
    for (keys, at) in [
        ("<tab>j", [1, 1, 0]),
        ("l", [1, 1, 1]),
        ("$", [1, 1, 3]),
        ("jjj", [1, 2, 3]),
        ("0k", [1, 1, 0]),
    ] {
        press(&mut player, keys);
        assert_eq!(player.app.pages.compare.at, at, "{keys}: {}", text(&player));
    }
}
