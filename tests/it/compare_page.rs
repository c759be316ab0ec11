//! Two nodes compared in the inspector.

use crate::{
    keys::{play_at, text},
    snapshot::{Part, describe},
};
use std::{fs, path::Path};
use zarrscope::{
    app::{Lane, page::compare::Verdict},
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
    assert!(text(&player).contains("all of 26,640 elements equal"), "{}", text(&player));
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
    let folder = tempfile::tempdir().unwrap();
    let a = [Some([1, 2]), Some([3, 4]), None, Some([5, 6]), None, Some([7, 8])];
    let b = [Some([1, 2]), Some([3, 9]), None, None, Some([0, 0]), Some([7, 7])];
    stores(folder.path(), &a, &b);
    // A chunk that cannot be read.
    fs::write(folder.path().join("b/5"), [7, 0, 7]).unwrap();
    let mut player = Player::open(folder.path(), (120, 40), &Options::default()).unwrap();
    press(&mut player, ":go a<enter>:compare b<enter>");
    let page = &player.app.pages.compare;
    let arrays = page.pairs[0].arrays.as_ref().unwrap();
    let verdicts: Vec<Verdict> = (0..6).map(|at| arrays.verdict(&[at])).collect();
    assert_eq!(
        verdicts,
        [
            Verdict::Equal,
            Verdict::Different,
            Verdict::Neither,
            Verdict::OnlyA,
            Verdict::OnlyB,
            Verdict::Unreadable
        ]
    );
    assert_eq!((arrays.compared.different, arrays.compared.unknown), (3, [0, 2]));
    press(&mut player, "<tab>]d");
    let values = player.app.pages.compare.values.clone().unwrap();
    assert_eq!(values.rows[0].index, [3]);
    assert_eq!(values.rows[0].values, ["4".to_owned(), "9".to_owned()]);
    assert_eq!(values.rows[0].bytes, ["00 04".to_owned(), "09 00".to_owned()]);
    let shown = text(&player);
    assert!(shown.contains("3 of 10 elements different"), "{shown}");
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
    assert!(text(&player).contains("all of 26,640 elements equal"), "{}", text(&player));
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
