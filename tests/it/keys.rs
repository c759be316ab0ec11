//! Keys in, state and screens out: the whole program but for the terminal and the threads.

use crate::snapshot::{Part, describe};
use ratatui::crossterm::event::{KeyCode, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use std::{fs, path::Path};
use tempfile::TempDir;
use zarrscope::{
    app::{Effect, Focus, Overlay, View},
    tui::{
        Options,
        script::{self, Player, parse},
    },
    zarr::{Code, budget::Memory},
};

/// The stores that come with the source.
pub(crate) fn stores() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-stores")
}

/// The program after `keys` on a screen of 120x40.
fn play(keys: &str) -> Player {
    play_at((120, 40), keys)
}

pub(crate) fn play_at(size: (u16, u16), keys: &str) -> Player {
    let mut player = Player::open(&stores(), size, &Options::default()).unwrap();
    type_keys(&mut player, keys);
    player
}

fn type_keys(player: &mut Player, keys: &str) {
    for key in parse(keys).unwrap() {
        player.press(key);
    }
}

pub(crate) fn text(player: &Player) -> String {
    zarrscope::tui::picture::text(&player.screen())
}

/// Through any codec and back, the cursor is on its element again; a compressor leaves only a range on the way.
#[test]
fn the_cursor_comes_back_to_its_element() {
    for (array, at) in
        [("ocean/air", "[1,2,3]"), ("ocean/packed", "[2,41]"), ("ocean/brightness", "[3,7]")]
    {
        let mut player = play(&format!(":go {array}<enter>2:{at}<enter>"));
        let here = |player: &Player| {
            let chunk = &player.app.shared.chunk;
            (chunk.stage, chunk.cursor, chunk.element())
        };
        let start = here(&player);
        for times in 1..5 {
            type_keys(&mut player, &"H".repeat(times));
            assert_ne!(here(&player).0, start.0, "{array}");
            type_keys(&mut player, &"L".repeat(times));
            assert_eq!(here(&player), start, "{array} {times}");
        }
    }
}

/// The same of arrays that ten writers made, with every codec, shards and texts.
#[test]
fn the_cursor_comes_back_in_arrays_of_all_writers() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let mut arrays = Vec::new();
    let mut folders = vec![corpus];
    while let Some(folder) = folders.pop() {
        let entries: Vec<_> =
            fs::read_dir(&folder).unwrap().flatten().map(|it| it.path()).collect();
        let is_array = |path: &Path| {
            let text = fs::read_to_string(path).unwrap_or_default();
            path.ends_with(".zarray")
                || path.ends_with("zarr.json") && text.contains("\"chunk_grid\"")
        };
        let is_one = entries.iter().any(|path| is_array(path) && !folder.ends_with("corpus"));
        folders.extend(entries.into_iter().filter(|path| path.is_dir()));
        arrays.extend(is_one.then_some(folder));
    }
    arrays.sort();
    let mut tried = 0;
    for array in arrays.iter().step_by(9) {
        let mut player = Player::open(array, (150, 40), &Options::default()).unwrap();
        type_keys(&mut player, "2ll");
        let element = |player: &Player| player.app.shared.chunk.element();
        let Some(start) = element(&player) else { continue };
        tried += 1;
        for times in 1..4 {
            type_keys(&mut player, &"H".repeat(times));
            type_keys(&mut player, &"L".repeat(times));
            assert_eq!(element(&player), Some(start.clone()), "{} {times}", array.display());
        }
    }
    assert!(tried > 90, "{tried}");
}

#[test]
fn enter_on_a_changed_bit_goes_to_its_byte() {
    let player = play(":go broken/crc<enter>5<enter>");
    let chunk = &player.app.shared.chunk;
    assert_eq!((chunk.stage, chunk.cursor), (0, 2248), "{}", text(&player));
    // Of a shard, in its file: not in the first of its inner chunks.
    let folder = crate::scratch();
    let shard = flipped_in_a_shard(folder.path());
    let mut player = Player::open(folder.path(), (120, 40), &Options::default()).unwrap();
    type_keys(&mut player, "5<enter>");
    let chunk = &player.app.shared.chunk;
    assert_eq!(
        (chunk.id.inner.len(), chunk.stage, chunk.cursor),
        (0, 0, shard),
        "{}",
        text(&player)
    );
}

/// An array of one shard with two inner chunks, each with its checksum, and a bit of the second changed: the byte.
fn flipped_in_a_shard(folder: &Path) -> u64 {
    let document = r#"{"zarr_format":3,"node_type":"array","shape":[512],"data_type":"uint8","fill_value":0,
        "chunk_grid":{"name":"regular","configuration":{"chunk_shape":[512]}},
        "chunk_key_encoding":{"name":"default"},
        "codecs":[{"name":"sharding_indexed","configuration":{"chunk_shape":[256],
            "codecs":[{"name":"bytes"},{"name":"crc32c"}],
            "index_codecs":[{"name":"bytes","configuration":{"endian":"little"}},{"name":"crc32c"}]}}]}"#;
    fs::write(folder.join("zarr.json"), document).unwrap();
    let (mut shard, mut index) = (Vec::new(), Vec::new());
    for part in 0..2_u8 {
        let values: Vec<u8> = (0..=255).map(|n: u8| n / 3 + part).collect();
        index.extend([shard.len() as u64, 260].into_iter().flat_map(u64::to_le_bytes));
        shard.extend(&values);
        shard.extend(crc32c::crc32c(&values).to_le_bytes());
    }
    shard.extend(&index);
    shard.extend(crc32c::crc32c(&index).to_le_bytes());
    shard[300] ^= 0x10;
    fs::create_dir_all(folder.join("c")).unwrap();
    fs::write(folder.join("c/0"), shard).unwrap();
    300
}

#[test]
fn moving_through_a_chunk_is_moving_through_the_array() {
    // Rows of ocean/packed have five elements on this screen; chunks are 37×45.
    let table = [
        ("", "[0,0]"),
        ("l", "[0,1]"),
        ("lll", "[0,3]"),
        ("G", "[36,44]"),
        ("Gg", "[0,0]"),
        (":[2,43]<enter>0", "[2,40]"),
        (":[2,41]<enter>$", "[2,44]"),
        (":[40,50]<enter>", "[40,50]"),
        (":e 46<enter>", "[1,1]"),
        (":0x5a<enter>", "[1,0]"),
        (":c/1/2<enter>", "[37,90]"),
        (":+4<enter>", "[0,2]"),
        ("]c", "[0,45]"),
        ("]c]c[c", "[0,45]"),
        ("]m", "[0,135]"),
        ("]m]w", "[37,0]"),
        ("]m[w", "[0,90]"),
        ("]w", "[0,45]"),
        (":[40,50]<enter><c-o>", "[0,0]"),
        (":[40,50]<enter><c-o><c-p>", "[40,50]"),
        ("/=-1025<enter>", "[2,42]"),
        ("/=-1025<enter>nN", "[2,42]"),
        ("/<lt>-1024<enter>", "[2,42]"),
        ("HH/<lt>-1024<enter>", "[2,42]"),
        ("/notfill<enter>", "[2,42]"),
        ("/hex fbff<enter>", "[2,42]"),
        ("<tab>l", "[0,45]"),
        ("<tab>jl", "[37,45]"),
    ];
    lead_to(&table);
}

/// Holds that these keys lead to these elements of `ocean/packed`.
fn lead_to(table: &[(&str, &str)]) {
    for (keys, want) in table {
        let player = play(&format!(":go ocean/packed<enter>2h{keys}"));
        let at = player.app.address();
        assert!(at.ends_with(&format!("#{want}'")), "{keys:?} went to {at}, not {want}");
    }
}

/// The results of a program for an array are shown with its version; of a group there is nothing to show.
#[test]
fn readers_are_shown_for_an_array() {
    for view in ["1", "2", "5"] {
        let screen = text(&play(&format!(":go ocean/packed<enter>{view}:readers<enter>")));
        for words in ["readers work", "zarr-python 3.4", "TensorStore"] {
            let shows = screen.to_lowercase().contains(&words.to_lowercase());
            assert!(shows, "{view} {words}: {screen}");
        }
    }
    assert!(text(&play(":go ocean<enter>:readers<enter>")).contains("go to one first"));
    let player = play(":go ocean/packed<enter>:readers<enter><esc>");
    assert!(player.app.explanation().is_none());
}

#[test]
fn counts_stand_before_their_key_on_the_command_line() {
    lead_to(&[
        (":12G<enter>", "[0,12]"),
        (":12G<enter>h", "[0,11]"),
        (":12l<enter>", "[0,12]"),
        (":5]c<enter>", "[37,45]"),
        (":5]<enter>c", "[37,45]"),
        (":5]c<enter>:2[c<enter>", "[0,135]"),
        (":5]c<enter><c-o>", "[0,0]"),
        (":99]c<enter>", "[111,135]"),
    ]);
}

#[test]
fn digits_choose_a_view_at_once() {
    let view = |keys: &str| {
        let player = play(&format!(":go ocean/packed<enter>{keys}"));
        (player.app.shared.view, player.app.shared.focus)
    };
    assert_eq!(view("3"), (View::Picture, Focus::View));
    // However fast they come, and whatever lies on top.
    assert_eq!(view("1234"), (View::Metadata, Focus::View));
    assert_eq!(view("5555512"), (View::Chunks, Focus::View));
    for on_top in ["?", "2K", "D"] {
        let player = play(&format!(":go ocean/packed<enter>{on_top}3"));
        assert!(player.app.overlay.is_none(), "{on_top}");
        assert_eq!(player.app.shared.view, View::Picture, "{on_top}");
    }
    assert_eq!(view("5<esc>"), (View::Problems, Focus::Tree));
    assert_eq!(view("5<backspace>"), (View::Problems, Focus::Tree));
    // Esc drops the first of two keys, and nothing else.
    assert_eq!(view("2hy<esc>"), (View::Chunks, Focus::View));
    assert_eq!(view("2h]<esc>"), (View::Chunks, Focus::View));
    assert_eq!(view("2hy<esc><esc>"), (View::Chunks, Focus::Tree));
}

#[test]
fn the_first_of_two_keys_waits_then_lists_what_may_follow() {
    let mut player = play(":go ocean/packed<enter>2]");
    let (stage, cursor) = (player.app.shared.chunk.stage, player.app.shared.chunk.cursor);
    assert!(!player.app.lists_next_keys());
    player.pause();
    assert!(player.app.lists_next_keys());
    insta::assert_snapshot!("next_keys", describe(&Part::Body.of(&player.app, &player.screen())));
    assert_eq!((player.app.shared.chunk.stage, player.app.shared.chunk.cursor), (stage, cursor));
    // The list is gone with the key that follows, and comes back only after another while.
    type_keys(&mut player, "c]");
    assert_eq!(player.app.shared.chunk.id.coordinates, [0, 1]);
    assert!(!player.app.lists_next_keys());
    // A key that does not follow is no key by itself, either.
    type_keys(&mut player, "j");
    assert_eq!(player.app.shared.message.unwrap().text, "]j is not a key here; ? lists them");
    assert_eq!(player.app.shared.chunk.position(), Some(0));
}

/// The message after `keys`.
fn said(keys: &str) -> String {
    play(keys).app.shared.message.map(|said| said.text).unwrap_or_default()
}

#[test]
fn what_a_key_cannot_do_here_is_said() {
    let table = [
        ("2x<c-l>L", "this is the innermost level: values"),
        ("2HHHH", "this is the outermost level: the file as stored"),
        ("2]f", "these elements have no fields or parts"),
        ("2t]f", "these elements have no fields or parts"),
        ("2tH", "this is the outermost level: the file as stored"),
        ("1n", "nothing to search for: press / first"),
        ("4N", "nothing to search for: press / first"),
        ("5n", "nothing to search for: press / first"),
        ("1x", "no chunk is open here; 2 shows the chunks of an array"),
        ("1m", "no map and no picture here; 2 and 3 show those of an array"),
        ("2-", "- is not a key here; it works in view 3 (picture)"),
        ("2ti", "i is not a key here; it works on one chunk: t"),
        ("1v", "v is not a key here; e opens a copy in your editor; dragging the mouse selects"),
    ];
    for (keys, text) in table {
        assert_eq!(said(&format!(":go ocean/packed<enter>{keys}")), text, "{keys}");
    }
    assert_eq!(said(":go ocean<enter><tab>n"), "nothing to search for: press / first");
    assert_eq!(said(":go dtypes-v3/string<enter>2x"), "these bytes have no byte order");
    let one = "1 coordinate for an array with 2 dimensions";
    assert_eq!(said(":go ocean/packed<enter>:[3]<enter>"), one);
    assert_eq!(said(":go dtypes-v3/struct_little<enter>2]f"), "");
}

#[test]
fn a_first_key_that_nothing_can_follow_says_so() {
    let footer = |keys: &str| text(&play(keys)).trim_end().lines().last().unwrap().to_owned();
    let packed = ":go ocean/packed<enter>";
    assert!(footer(&format!("{packed}1]")).ends_with("] has nothing to act on here"));
    assert!(footer(&format!("{packed}2]")).contains("c chunk"));
}

#[test]
fn control_h_is_backspace() {
    assert_eq!(play("/pack<c-h>").screen(), play("/pack<backspace>").screen());
    assert_eq!(play("?<c-h>").screen(), play("").screen());
}

#[test]
fn left_and_right_fold_where_that_can_be_done_and_left_goes_out() {
    let line = |keys: &str| {
        let player = play(&format!(":go ocean/packed<enter>4{keys}"));
        let page = &player.app.pages.metadata;
        (page.line().unwrap().text.trim().to_owned(), page.len())
    };
    let (shape, all) = line("/shape<enter>");
    assert_eq!(line("/shape<enter>h"), (shape.clone(), all - 3));
    assert_eq!(line("/shape<enter>hl"), (shape.clone(), all));
    assert_eq!(line("/shape<enter>ll"), (shape.clone(), all), "what is open stays so");
    assert_eq!(line("/shape<enter>jh"), (shape, all), "to what is around");
    assert_eq!(line("/shape<enter>hh"), ("{".to_owned(), all - 3));
    let focus = |keys: &str| play(keys).app.shared.focus;
    assert_eq!(focus(":go ocean/packed<enter>1"), Focus::View);
    assert_eq!(focus(":go ocean/packed<enter>1h"), Focus::Tree);
    assert_eq!(focus(":go ocean/packed<enter>1hl"), Focus::View);
    assert_eq!(focus(":go broken<enter>5lh"), Focus::View, "closes what was opened");
    assert_eq!(focus(":go broken<enter>5lhh"), Focus::Tree);
}

#[test]
fn keys_that_step_through_chunks_say_where_there_are_none() {
    let packed = ":go ocean/packed<enter>";
    assert!(said(&format!("{packed}4]c")).contains("2 shows the chunks of an array"));
    assert!(said(&format!("{packed}1]e")).contains("5 shows what is wrong"));
    assert!(said("]c").contains("2 shows the chunks of an array"));
    assert!(said(":3q<enter>").contains("takes no count"));
    assert!(said("<esc>").contains("h goes to the parent"));
}

#[test]
fn the_next_fault_is_a_node_a_line_or_a_chunk() {
    let node = |keys: &str| play(keys).app.shared.node().unwrap().path.0.clone();
    let first = node("jl]e");
    assert!(first.starts_with("broken/"), "{first}");
    assert_eq!(node("jl]e]e[e"), first);
    let line = |keys: &str| {
        let player = play(&format!(":go broken/nan_token<enter>4{keys}"));
        player.app.pages.metadata.line().unwrap().faults.len()
    };
    assert_eq!(line("g"), 0);
    assert!(line("g]e") > 0 && line("G[e") > 0);
}

#[test]
fn w_asks_for_the_name_of_the_file() {
    let mut player = play(":go ocean/packed/c/1/2<enter>w");
    let typed = |player: &Player| match &player.app.overlay {
        Some(Overlay::Prompt(prompt)) => prompt.input.text(),
        other => panic!("{other:?}"),
    };
    assert_eq!(typed(&player), "ocean-packed-c-1-2.npy");
    insta::assert_snapshot!(
        "export_prompt",
        describe(&Part::Footer.of(&player.app, &player.screen()))
    );
    let folder = crate::scratch();
    let file = folder.path().join("chunk.npy");
    type_keys(&mut player, &format!("<c-u>{}<enter>", file.display()));
    let said = player.app.shared.message.clone().unwrap().text;
    assert_eq!(said, format!("written to {}", file.display()), "not in the working directory");
    assert!(file.exists());
    // The same by a command; a name that is there is refused.
    type_keys(&mut player, &format!(":w {}<enter>", file.display()));
    assert!(player.app.shared.message.as_ref().unwrap().is_failure);
    type_keys(&mut player, ":w<enter>");
    assert_eq!(typed(&player), "ocean-packed-c-1-2.npy");
    type_keys(&mut player, "<c-u><enter>");
    assert_eq!(player.app.shared.message.unwrap().text, "nothing written: no name was given");
    let nothing = play(":go ocean<enter>:w<enter>");
    assert!(nothing.app.overlay.is_none() && nothing.app.shared.message.unwrap().is_failure);
}

#[test]
fn the_filter_finds_nodes_in_closed_groups() {
    let node = |player: &Player| player.app.shared.node().unwrap().path.0.clone();
    let mut player = play("/bright");
    let screen = text(&player);
    assert!(screen.contains("ocean-v2") && screen.contains("2 nodes found;"), "{screen}");
    assert!(!player.app.pages.tree.is_open("ocean"));
    type_keys(&mut player, "<enter>n");
    assert_eq!(node(&player), "ocean/brightness");
    type_keys(&mut player, "n");
    assert_eq!(node(&player), "ocean-v2/brightness");
    assert!(player.app.shared.is_array());
    // All nodes again: the group is open now, and the cursor is where it was.
    type_keys(&mut player, "<esc>");
    assert!(player.app.pages.tree.filter.is_empty());
    assert_eq!(node(&player), "ocean-v2/brightness");
    assert!(player.app.pages.tree.is_open("ocean-v2"));
    assert!(!player.app.pages.tree.is_open("ocean"));
    // A filter that is dropped leaves the tree as it was.
    let dropped = play("/bright<esc>");
    assert_eq!(dropped.app.pages.tree.len(), play("").app.pages.tree.len());
    // While the store is walked the count says so.
    let mut slow = play("");
    slow.slow_down(zarrscope::app::Lane::Find);
    type_keys(&mut slow, "/bright");
    assert!(text(&slow).contains("0 nodes found so far"), "{}", text(&slow));
    slow.catch_up();
    assert!(text(&slow).contains("2 nodes found;"), "{}", text(&slow));
}

#[test]
fn the_footer_and_the_titles_can_be_clicked() {
    let mut player = play(":go ocean/packed<enter>2");
    let (x, y) = find(&player, "i inspect");
    player.mouse(click(x + 3, y));
    assert!(player.app.pages.chunks.inspector);
    let (x, y) = find(&player, "]c chunk");
    player.mouse(click(x, y));
    assert_eq!(player.app.shared.chunk.id.coordinates, [0, 1]);
    let (x, y) = find(&player, "? keys");
    player.mouse(click(x - 1, y));
    assert!(player.app.overlay.is_none(), "beside a key there is none");
    player.mouse(click(x, y));
    assert!(matches!(player.app.overlay, Some(Overlay::Help(_))));
    let (x, y) = find(&player, "3 Picture");
    player.mouse(click(x, y));
    assert!(player.app.overlay.is_none());
    assert_eq!(player.app.shared.view, View::Picture);
    // Nothing that is typed is lost.
    type_keys(&mut player, ":go oc");
    player.mouse(click(x, y));
    let (x, y) = find(&player, ":go oc");
    player.mouse(click(x + 2, y));
    assert!(matches!(player.app.overlay, Some(Overlay::Prompt(_))));
}

#[test]
fn escape_goes_back_one_level_and_never_quits() {
    let mut player = play(":go ocean/packed<enter>2<tab>/x");
    for _ in 0..8 {
        type_keys(&mut player, "<esc>");
    }
    assert_eq!(player.app.shared.focus, Focus::Tree);
    assert!(player.app.overlay.is_none());
    let at_root =
        script::play(&stores(), (80, 24), "<esc><esc><esc>", &Options::default()).unwrap();
    assert!(!at_root.effects.iter().any(|effect| matches!(effect, Effect::Quit)));
}

#[test]
fn q_leaves_the_view_then_the_program_and_ctrl_c_always_quits() {
    let quits = |keys: &str| {
        let played = script::play(&stores(), (80, 24), keys, &Options::default()).unwrap();
        played.effects.iter().any(|effect| matches!(effect, Effect::Quit))
    };
    assert!(!quits("2q"));
    assert!(quits("2qq"));
    for keys in [
        "<c-c>",
        "2<c-c>",
        ":x<c-c>",
        "/x<c-c>",
        "f<c-c>",
        "?<c-c>",
        "K<c-c>",
        "D<c-c>",
        "D<tab><c-c>",
    ] {
        assert!(quits(keys), "{keys}");
    }
    assert!(quits(":q<enter>"));
}

#[test]
fn what_is_copied() {
    let copied = |keys: &str| {
        let keys = format!(":go ocean/packed<enter>{keys}");
        let played = script::play(&stores(), (120, 40), &keys, &Options::default()).unwrap();
        played.effects.into_iter().find_map(|effect| match effect {
            Effect::Copy(text) => Some(text),
            _ => None,
        })
    };
    assert_eq!(copied("yp").as_deref(), Some("ocean/packed"));
    assert_eq!(copied("2yk").as_deref(), Some("ocean/packed/c/0/0"));
    assert_eq!(copied("2/=-1025<enter>yy").as_deref(), Some("-1025"));
    assert_eq!(copied("2/=-1025<enter>yh").as_deref(), Some("fb ff"));
    insta::assert_snapshot!(
        "card",
        copied("2/=-1025<enter>Y").unwrap().replace(&*stores().to_string_lossy(), "STORES")
    );
}

/// Equal rows are one line for the cursor, until Enter unfolds them.
#[test]
fn enter_unfolds_equal_rows() {
    let screen = |keys: &str| text(&play_at((80, 24), &format!(":go ocean/packed<enter>2{keys}")));
    assert!(screen("j").contains("25 rows of fill values   Enter expands them"));
    let folded = play_at((80, 24), ":go ocean/packed<enter>2jj").app.address();
    let unfolded = play_at((80, 24), ":go ocean/packed<enter>2j<enter>j").app.address();
    assert!(folded.ends_with("#[2,40]'") && unfolded.ends_with("#[0,10]'"), "{folded} {unfolded}");
    assert!(!screen("j<enter>").contains("25 rows of fill"));
    // Another stage folds again.
    assert!(screen("j<enter>HL").contains("25 rows"));
}

#[test]
fn the_tree_filters_finds_and_stays_on_its_node() {
    let path = |keys: &str| {
        let player = play(keys);
        player.app.shared.node().unwrap().path.0.clone()
    };
    assert_eq!(path("/oce<enter>"), "");
    assert_eq!(path("/oce<enter>j"), "ocean");
    assert_eq!(path("/oce<esc>jj"), "byte-order");
    assert_eq!(path("ftemp<enter>"), "ocean/temperature");
    assert_eq!(path("ftemp<down><enter>"), "ocean-v2/temperature");
    assert_eq!(path("jl"), "broken");
    assert_eq!(path("jljjh"), "broken");
    assert_eq!(path("jljjhh"), "broken");
    assert_eq!(path("G"), "pairs");
    assert_eq!(path(":3G<enter>"), "byte-order");
}

#[test]
fn the_editor_opens_what_the_cursor_is_on() {
    let broken = ":go broken/json_invalid<enter>";
    let table = [
        ("<down>e", Some("broken/zarr.json"), ""),
        (":go ocean-v2/packed<enter>4e", Some("ocean-v2/packed/.zarray"), ""),
        (":go ocean-v2/packed<enter>4Ge", Some("ocean-v2/packed/.zattrs"), ""),
        (&format!("{broken}e"), Some("broken/json_invalid/zarr.json"), ""),
        (&format!("{broken}4e"), Some("broken/json_invalid/zarr.json"), ""),
        ("e", None, "no document to edit here"),
        (
            ":go ocean/packed<enter>2]me",
            None,
            "this chunk is not stored, so there is no file to open",
        ),
    ];
    for (keys, document, message) in table {
        let played = script::play(&stores(), (120, 40), keys, &Options::default()).unwrap();
        let said = played.app.shared.message.as_ref().map_or("", |message| message.text.as_str());
        assert_eq!(said, message, "{keys}");
        let opened = played.effects.iter().find_map(|effect| match effect {
            Effect::EditCopy(key, _) => Some(key.as_str()),
            _ => None,
        });
        assert_eq!(opened, document, "{keys}");
    }
}

pub(crate) fn click(column: u16, row: u16) -> MouseEvent {
    mouse(MouseEventKind::Down(MouseButton::Left), column, row)
}

fn mouse(kind: MouseEventKind, column: u16, row: u16) -> MouseEvent {
    MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }
}

/// The row and column of the screen where `needle` stands.
fn find(player: &Player, needle: &str) -> (u16, u16) {
    let text = text(player);
    let (row, line) = text.lines().enumerate().find(|(_, line)| line.contains(needle)).unwrap();
    let column = line.split(needle).next().unwrap().chars().count();
    (u16::try_from(column).unwrap(), u16::try_from(row).unwrap())
}

#[test]
fn the_mouse_selects_opens_and_scrolls() {
    let mut player = play("");
    let (x, y) = find(&player, "ocean-v2");
    player.mouse(click(x, y));
    assert_eq!(player.app.shared.node().unwrap().path.0, "ocean-v2");
    player.mouse(click(x, y));
    assert!(text(&player).contains("temperature"), "a second click opens");
    let (x, y) = find(&player, "packed");
    player.mouse(click(x, y));
    let (x, y) = find(&player, "2 Chunks");
    player.mouse(click(x, y));
    assert_eq!((player.app.shared.view, player.app.shared.focus), (View::Chunks, Focus::View));
    let before = player.app.shared.chunk.top;
    player.mouse(mouse(MouseEventKind::ScrollDown, x, 20));
    assert!(player.app.shared.chunk.top > before);
    type_keys(&mut player, "G");
    let last = player.app.shared.chunk.cursor;
    (0..9).for_each(|_| player.mouse(mouse(MouseEventKind::ScrollUp, x, 20)));
    assert!(player.app.shared.chunk.cursor < last, "the cursor stays in sight");
    let (x, y) = find(&player, "blosc");
    player.mouse(click(x, y));
    assert!(text(&player).contains("the output of"), "a click on a stage shows it");
}

#[test]
fn a_click_on_the_mark_of_a_group_opens_it_at_once() {
    let mut player = play("");
    let (x, y) = find(&player, "▸ dtypes-v3");
    player.mouse(click(x - 1, y));
    assert!(!player.app.pages.tree.is_open("dtypes-v3"), "a click beside the mark selects");
    let (x, y) = find(&player, "▸ dtypes-v2");
    player.mouse(click(x + 1, y));
    assert!(player.app.pages.tree.is_open("dtypes-v2"), "a click on the mark opens at once");
}

#[test]
fn a_click_on_an_element_selects_it_and_a_drag_selects_bytes() {
    let mut player = play(":go ocean/packed<enter>2");
    let (x, y) = find(&player, "fbfb");
    player.mouse(click(x, y));
    assert!(player.app.address().ends_with("#[2,43]'"), "{}", player.app.address());
    player.mouse(mouse(MouseEventKind::Drag(MouseButton::Left), x + 5, y));
    let selection = player.app.shared.chunk.selection();
    assert_eq!(selection.end - selection.start, 4);
    type_keys(&mut player, "<esc>");
    assert_eq!(player.app.shared.chunk.anchor, None);
    player.mouse(click(x, y));
    player.mouse(mouse(MouseEventKind::Drag(MouseButton::Left), x + 1, y));
    assert_eq!(player.app.shared.chunk.anchor, None, "a drag within an element is a click");
}

#[test]
fn a_click_on_the_map_opens_that_chunk() {
    let mut player = play(":go ocean/packed<enter>2");
    let (x, y) = find(&player, "0 ▐▓▌▓");
    player.mouse(click(x + 5, y + 1));
    assert_eq!(player.app.shared.chunk.id.coordinates, [1, 1]);
    player.mouse(click(x + 30, y + 1));
    assert_eq!(player.app.shared.chunk.id.coordinates, [1, 1], "there is no chunk that far right");
    assert!(player.app.shared.message.is_none());
}

#[test]
fn a_click_below_a_list_selects_nothing() {
    let mut player = play(":go broken/fill_out_of_range<enter>5");
    player.mouse(click(60, 24));
    assert_eq!(player.app.pages.problems.scroll.cursor(), 0);
}

#[test]
fn a_search_among_texts_begins_with_the_next() {
    let player = play(":go dtypes-v3/string<enter>2/data<enter>");
    assert!(player.app.address().contains("#[1]"), "{}", player.app.address());
    assert_eq!(player.app.shared.chunk.covers, None, "an element is found, not bytes");
}

#[test]
fn sizes_may_change_at_any_time() {
    for keys in [
        "",
        "2",
        ":go ocean/packed<enter>2ix",
        "?",
        "f",
        "D",
        ":",
        "3",
        "4",
        "5",
        ":go dtypes-v2/structured<enter>2x",
    ] {
        let mut player = play(keys);
        for size in
            [(120, 40), (80, 24), (99, 8), (40, 8), (39, 7), (1, 1), (0, 0), (300, 5), (41, 60)]
        {
            player.resize(size);
            let screen = player.screen();
            assert_eq!((screen.area.width, screen.area.height), size);
            type_keys(&mut player, "<pagedown>jlG");
        }
    }
}

/// A copy of one array of the sample stores in a folder of its own.
pub(crate) fn copy_of(array: &str) -> TempDir {
    let folder = crate::scratch();
    copy(&stores().join(array), folder.path());
    folder
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[test]
fn a_store_that_changes_is_shown_as_it_is_now_and_the_cursor_stays() {
    let folder = copy_of("ocean/packed");
    let mut player = Player::open(folder.path(), (120, 40), &Options::default()).unwrap();
    type_keys(&mut player, "2lll");
    let before = player.app.shared.chunk.cursor;
    assert!(text(&player).contains("15 of 16 stored"));
    fs::copy(folder.path().join("c/0/0"), folder.path().join("c/0/3")).unwrap();
    player.changed(&["c/0/"]);
    assert!(text(&player).contains("16 of 16 stored"), "{}", text(&player));
    let document = fs::read_to_string(folder.path().join("zarr.json")).unwrap();
    fs::write(folder.path().join("zarr.json"), document.split_at(200).0).unwrap();
    player.changed(&["zarr.json"]);
    assert!(text(&player).contains("broken"), "{}", text(&player));
    fs::write(folder.path().join("zarr.json"), document.replace("\"big\"", "\"little\"")).unwrap();
    player.changed(&["zarr.json"]);
    assert!(text(&player).contains("bytes little"), "{}", text(&player));
    assert_eq!(player.app.shared.chunk.cursor, before);
}

#[test]
fn long_work_says_how_to_stop_it_and_stops() {
    use zarrscope::app::Lane;
    for (lane, keys, going, stopped) in [
        (Lane::Search, "2/=5<enter>", "searching", "search stopped"),
        (Lane::Load, "2", "loading", "Stopped by Esc"),
        (Lane::Presence, "2", "counting", "counting stopped"),
        (Lane::Check, "5", "checking", "check stopped"),
    ] {
        let mut player = play(":go ocean/packed<enter>");
        player.slow_down(lane);
        // Another node has not been looked at yet.
        type_keys(&mut player, ":go ocean/brightness<enter>");
        type_keys(&mut player, keys);
        let before = text(&player);
        assert!(before.contains(going), "{lane:?}: {before}");
        assert!(before.contains("Esc stops") || lane == Lane::Presence, "{lane:?}: {before}");
        type_keys(&mut player, "<esc>");
        let after = text(&player);
        assert!(after.contains(stopped), "{lane:?}: {after}");
        assert!(!after.contains(&format!("{going}…")), "{lane:?}: {after}");
        // What comes of it afterwards is dropped.
        player.catch_up();
        assert!(!text(&player).contains("element 5 "), "{lane:?}");
        type_keys(&mut player, "r");
        assert!(!text(&player).contains("stopped"), "{lane:?}: {}", text(&player));
    }
}

#[test]
fn what_lies_below_an_explanation_is_there_again() {
    let title = "Data types, as V2";
    for keys in ["DK<esc>", "D?<esc>", "D:<esc>", "D/x<esc>", "D/x<enter>", "Df<esc>"] {
        assert!(text(&play(keys)).contains(title), "{keys}");
    }
    for keys in ["D<esc>", "D:go ocean<enter>", "Dfocean<enter>"] {
        assert!(!text(&play(keys)).contains(title), "{keys}");
    }
}

#[test]
fn every_list_can_be_searched() {
    let card = |keys: &str| play(keys).app.pages.gallery.selected().unwrap().name.clone();
    assert_eq!(card("D/bfloat<enter>"), "bfloat16");
    assert_eq!(card("D/bfloat<enter>n"), "complex_bfloat16");
    assert_eq!(card("D/bfloat<enter>nN"), "bfloat16");
    assert_eq!(card("D/nonsense<enter>"), "bool");
    let help = text(&play("?/checksum"));
    assert!(help.contains("ignore a wrong checksum") && !help.contains("half a page"), "{help}");
    let help = text(&play("?/checksum<enter>"));
    assert!(help.contains("ignore a wrong checksum") && !help.contains("half a page"), "{help}");
    assert!(text(&play("?/checksum<esc>")).contains("half a page"));
    assert!(text(&play("?/xyzzy")).contains("no key or sign matches"));
    let row = |keys: &str| {
        let player = play(&format!(":go ocean/packed<enter>1{keys}"));
        player.app.pages.data_type.row().map(|row| row.label.clone()).unwrap()
    };
    assert_eq!(row("/codecs<enter>"), "codecs");
    let node = |keys: &str| play(keys).app.shared.node().unwrap().path.0.clone();
    assert_eq!(node("/dtypes-v<enter>n"), "dtypes-v2");
    assert_eq!(node("/dtypes-v<enter>nn"), "dtypes-v3");
    assert_eq!(node("/dtypes-v<enter>nnN"), "dtypes-v2");
    let line = |keys: &str| {
        let player = play(&format!(":go ocean/packed<enter>4{keys}"));
        player.app.pages.metadata.line().unwrap().text.clone()
    };
    assert!(line("/fill<enter>").contains("fill_value"));
    let problem = |keys: &str| {
        let player = play(&format!(":go broken<enter>5{keys}"));
        player.app.pages.problems.selected().unwrap().1.error.code
    };
    assert_eq!(problem("/invalid-json<enter>"), Code::InvalidJson);
}

#[test]
fn the_mouse_works_on_what_lies_on_top() {
    let mut player = play("focean/");
    let (x, y) = find(&player, "ocean/time");
    player.mouse(click(x, y));
    assert!(player.app.overlay.is_some(), "one click selects");
    player.mouse(click(x, y));
    assert_eq!(player.app.shared.node().unwrap().path.0, "ocean/time");
    let mut player = play("D");
    let (x, y) = find(&player, " int8 ");
    player.mouse(click(x + 1, y));
    assert_eq!(player.app.pages.gallery.selected().unwrap().name, "int8");
    player.mouse(click(x + 1, y));
    assert_eq!(player.app.pages.gallery.data_type.text(), "int8");
    let (x, y) = find(&player, "fill value  >");
    player.mouse(click(x, y));
    type_keys(&mut player, "7");
    assert_eq!(player.app.pages.gallery.fill_value.text(), "7");
    let mut player = play("?");
    let before = text(&player);
    player.mouse(mouse(MouseEventKind::ScrollDown, 10, 10));
    assert_ne!(text(&player), before, "the wheel scrolls the key table");
}

#[test]
fn a_second_click_opens() {
    let mut player = play(":go ocean/packed<enter>1");
    let (x, y) = find(&player, "chunk shape");
    player.mouse(click(x, y));
    assert_eq!(player.app.pages.data_type.row().unwrap().label, "chunk shape");
    player.mouse(click(x, y));
    assert!(matches!(player.app.overlay, Some(Overlay::Explain(_))));
    let mut player = play(":go ocean/packed<enter>4");
    let (x, y) = find(&player, "\"chunk_grid\"");
    let lines = player.app.pages.metadata.len();
    player.mouse(click(x, y));
    assert_eq!(player.app.pages.metadata.len(), lines);
    player.mouse(click(x, y));
    assert!(player.app.pages.metadata.len() < lines, "a second click folds");
}

#[test]
fn the_card_is_of_the_view() {
    let card = |keys: &str| {
        let played = script::play(&stores(), (120, 40), keys, &Options::default()).unwrap();
        played.effects.into_iter().rev().find_map(|effect| match effect {
            Effect::Copy(text) => Some(text.replace(&*stores().to_string_lossy(), "STORES")),
            _ => None,
        })
    };
    insta::assert_snapshot!(
        "card_of_a_problem",
        card(":go broken/fill_out_of_range<enter>5Y").unwrap()
    );
    insta::assert_snapshot!("card_of_a_line", card(":go broken/nan_token<enter>4]eY").unwrap());
    insta::assert_snapshot!(
        "card_of_a_damaged_chunk",
        card(":go broken/crc/c/2/1<enter>Y").unwrap()
    );
}

#[test]
fn a_node_that_is_new_in_an_open_group_is_listed() {
    let folder = crate::scratch();
    copy(&stores().join("ocean"), folder.path());
    let mut player = Player::open(folder.path(), (120, 40), &Options::default()).unwrap();
    assert!(!text(&player).contains("later"));
    copy(&stores().join("ocean/depth"), &folder.path().join("later"));
    player.changed(&["/"]);
    assert!(text(&player).contains("later"), "{}", text(&player));
}

#[test]
fn tab_goes_into_a_long_explanation_and_on() {
    let mut player = Player::open(&stores(), (80, 24), &Options::default()).unwrap();
    type_keys(&mut player, ":go ocean/packed<enter>1K");
    let place = |player: &Player| {
        let Some(Overlay::Explain(explained)) = &player.app.overlay else { panic!("no K") };
        (explained.has_keys, explained.scroll.cursor(), explained.title.clone())
    };
    let (has_keys, top, title) = place(&player);
    assert!(!has_keys && top == 0);
    type_keys(&mut player, "<tab>jj");
    assert_eq!(place(&player), (true, 2, title.clone()));
    assert!(text(&player).contains("Tab leaves"), "{}", text(&player));
    type_keys(&mut player, "<s-tab>");
    assert_eq!(place(&player), (false, 2, title.clone()));
    type_keys(&mut player, "<tab><tab>");
    assert!(!place(&player).0);
    assert_eq!(player.app.shared.focus, Focus::Tree);
    type_keys(&mut player, "<tab>");
    assert_eq!(player.app.shared.focus, Focus::View);
    // The cursor of the view moves again, and another row is explained.
    type_keys(&mut player, "j");
    assert_ne!(place(&player).2, title);
}

#[test]
fn elements_further_than_bytes_can_be_counted_are_gone_to() {
    let folder = crate::scratch();
    let document = r#"{"zarr_format":2,"shape":[9223372036854775807],"chunks":[9223372036854775807],
        "dtype":"<f8","compressor":null,"fill_value":0,"order":"C","filters":null}"#;
    fs::write(folder.path().join(".zarray"), document).unwrap();
    fs::write(folder.path().join("0"), [0; 64]).unwrap();
    for place in [":@18446744073709551615<enter>", ":#e18446744073709551615<enter>", "G", "$"] {
        let mut player = Player::open(folder.path(), (120, 40), &Options::default()).unwrap();
        type_keys(&mut player, &format!("2{place}iljhkB<c-d>K"));
    }
}

#[test]
fn a_grid_may_have_as_many_chunks_as_can_be_counted() {
    let folder = crate::scratch();
    let document = r#"{"zarr_format":2,"shape":[18446744073709551615],"chunks":[1],
        "dtype":"|u1","compressor":null,"fill_value":0,"order":"C","filters":null}"#;
    fs::write(folder.path().join(".zarray"), document).unwrap();
    let mut player = Player::open(folder.path(), (120, 40), &Options::default()).unwrap();
    type_keys(&mut player, "2");
    assert!(text(&player).contains("grid 18446744073709551615"), "{}", text(&player));
    type_keys(&mut player, "3G$2jl");
}

#[test]
fn e_says_so_where_there_is_no_file() {
    let player = play(":go ocean/packed<enter>2]me");
    let said = player.app.shared.message.unwrap().text;
    assert!(said.contains("no file"), "{said}");
}

#[test]
fn the_footer_says_what_a_switch_would_do_now() {
    let damaged = ":go broken/crc/c/2/1<enter>";
    assert!(text(&play(damaged)).contains("c ignore checksum"));
    assert!(text(&play(&format!("{damaged}c"))).contains("c check checksums"));
}

#[test]
fn a_missing_chunk_says_which_way_the_stored_ones_lie() {
    let folder = copy_of("ocean/packed");
    fs::remove_file(folder.path().join("c/3/3")).unwrap();
    let mut player = Player::open(folder.path(), (120, 40), &Options::default()).unwrap();
    type_keys(&mut player, "2:c/0/3<enter>");
    assert!(text(&player).contains(" ]w goes"), "{}", text(&player));
    type_keys(&mut player, ":c/3/3<enter>");
    assert!(text(&player).contains(" [w goes"), "{}", text(&player));
    type_keys(&mut player, "[w");
    assert_eq!(player.app.shared.chunk.id.coordinates, [3, 2]);
    fs::remove_dir_all(folder.path().join("c")).unwrap();
    let mut player = Player::open(folder.path(), (120, 40), &Options::default()).unwrap();
    type_keys(&mut player, "2");
    assert!(!text(&player).contains("w goes"), "{}", text(&player));
}

#[test]
fn nodes_that_appear_and_vanish_are_listed_and_the_cursor_stays() {
    let folder = copy_of("ocean");
    let mut player = Player::open(folder.path(), (120, 40), &Options::default()).unwrap();
    type_keys(&mut player, ":go packed<enter>2lll");
    let (before, watched) = (player.app.shared.chunk.cursor, player.watched().clone());
    assert_eq!(watched.folders, ["packed", ""]);
    assert_eq!(watched.chunks_in.as_deref(), Some("packed"));
    copy(&folder.path().join("packed"), &folder.path().join("appeared"));
    fs::remove_dir_all(folder.path().join("air")).unwrap();
    player.changed(&["/"]);
    let screen = text(&player);
    assert!(screen.contains("appeared"), "{screen}");
    // Only the consolidated metadata tells of the other any more, which is a problem now.
    let air = screen.lines().find(|line| line.contains("  air")).unwrap();
    assert!(air.contains("✗1"), "{air}");
    assert_eq!(player.app.shared.node().unwrap().path.0, "packed");
    assert_eq!(player.app.shared.chunk.cursor, before);
}

#[test]
fn a_place_on_the_command_line_is_where_it_starts() {
    let at = |at: &str| {
        let options = Options { at: Some(at.into()), ..Options::default() };
        script::play(&stores(), (120, 40), "", &options).map(|played| played.app.address())
    };
    assert_eq!(at("ocean/packed/c/1/2#e40").unwrap(), "--at 'ocean/packed/c/1/2#[37,130]'");
    assert_eq!(at("ocean/packed#[100,7]").unwrap(), "--at 'ocean/packed/c/2/0#[100,7]'");
    assert_eq!(at("ocean/packed[100,7]").unwrap(), "--at 'ocean/packed/c/2/0#[100,7]'");
    assert_eq!(at("ocean-v2/air[1,20,0]").unwrap(), "--at 'ocean-v2/air/0.0.0#[1,20,0]'");
    assert_eq!(at("ocean/time[]").unwrap(), "--at 'ocean/time/c#[]'");
    assert_eq!(at("ocean/packed[x]").unwrap_err().code, Code::NoSuchPlace);
    assert_eq!(at("ocean/packed").unwrap(), "--at ocean/packed");
    assert_eq!(
        at("ocean/temperature/c/1/1#e0").unwrap(),
        "--at 'ocean/temperature/c/1/1@0,0#[74,90]'"
    );
    assert_eq!(at("ocean/packed/c/x").unwrap_err().code, Code::NoSuchPlace);
    assert_eq!(at("ocean/packed#x").unwrap_err().code, Code::NoSuchPlace);
}

#[test]
fn scripts_name_keys_as_people_write_them() {
    let keys = parse("a<enter><c-d><s-tab><lt><<").unwrap();
    let codes: Vec<KeyCode> = keys.iter().map(|key| key.code).collect();
    let lt = KeyCode::Char('<');
    assert_eq!(
        codes,
        [KeyCode::Char('a'), KeyCode::Enter, KeyCode::Char('d'), KeyCode::BackTab, lt, lt, lt]
    );
    assert_eq!(keys[2].modifiers, KeyModifiers::CONTROL);
    assert_eq!(parse("<pgdn><pgup>").unwrap(), parse("<pagedown><pageup>").unwrap());
    assert_eq!(parse("<nokey>").unwrap_err().code, Code::InvalidArgument);
}

#[test]
fn a_path_needs_no_command_and_what_is_not_understood_is_said() {
    let after = |line: &str| {
        let player = play(&format!(":{line}<enter>"));
        let said =
            player.app.shared.message.clone().map(|message| message.text).unwrap_or_default();
        (player.app.address(), said)
    };
    assert_eq!(after("ocean/packed").0, "--at ocean/packed");
    assert_eq!(after("ocean/packed/c/1/2").0, "--at 'ocean/packed/c/1/2#[37,90]'");
    assert_eq!(after("ocean-v2/air[1,20,0]").0, "--at 'ocean-v2/air/0.0.0#[1,20,0]'");
    assert_eq!(after("ocean").0, "--at ocean");
    let from = |keys: &str| play(&format!(":go ocean/packed<enter>:{keys}<enter>")).app.address();
    assert_eq!(from(".."), "--at ocean");
    assert_eq!(from("../air"), "--at ocean/air");
    assert_eq!(from("cd ../../ocean-v2"), "--at ocean-v2");
    let (at, said) = after("ocean/packet");
    assert_eq!(at, "--at ocean");
    assert!(said.starts_with("no node ocean/packet"), "{said}");
    assert!(after("ocean/packed/c/9/9").1.contains("[4,4]"), "{}", after("ocean/packed/c/9/9").1);
    assert!(after("frobnicate").1.starts_with("unknown command frobnicate"));
    assert!(after("e x").1.contains("needs a number"));
    assert!(after("[1,2]").1.contains("not an array"));
}

#[test]
fn enter_on_a_problem_goes_where_it_stands() {
    let player = play(":go broken/fill_out_of_range<enter>5<enter>");
    assert_eq!(player.app.shared.view, View::Metadata);
    let line = player.app.pages.metadata.line().unwrap();
    assert_eq!(line.field, "fill_value", "{line:?}");
    let player = play(":go broken/crc<enter>5<enter>");
    assert_eq!(player.app.shared.view, View::Chunks);
    assert!(player.app.address().contains("broken/crc/c/2/1"), "{}", player.app.address());
}

#[test]
fn a_chunk_is_written_for_numpy_as_far_as_it_lies_in_the_array() {
    use zarrscope::{
        app::{Answer, Job, Lane, Work},
        worker::work,
        zarr::Hierarchy,
    };
    let folder = crate::scratch();
    let file = folder.path().join("chunk.npy");
    let player = play(":ocean/packed/c/3/3<enter>");
    let shown = player.app.shared.chunk.shown().unwrap().clone();
    let (hierarchy, _) = Hierarchy::open(&stores()).unwrap();
    let job = Job {
        lane: Lane::Search,
        generation: 1,
        work: Work::Export { shown, file: file.clone() },
        read_as: None,
    };
    let mut said = Vec::new();
    work::perform(&hierarchy, &Memory::new(u64::MAX), &job, &|| false, &mut |reply| {
        said.push(reply.answer);
    });
    assert!(matches!(said.as_slice(), [Answer::Exported(_)]), "{said:?}");
    let bytes = fs::read(&file).unwrap();
    assert!(
        String::from_utf8_lossy(&bytes[..128])
            .contains("'descr': '>i2', 'fortran_order': False, 'shape': (37, 45)")
    );
    assert_eq!(bytes.len(), 128 + 37 * 45 * 2);
    work::perform(&hierarchy, &Memory::new(u64::MAX), &job, &|| false, &mut |reply| {
        said.push(reply.answer);
    });
    assert!(
        matches!(said.last(), Some(Answer::Failed(_))),
        "a file that is there is not written over"
    );
}

#[test]
fn the_finder_and_the_prompt_as_they_look() {
    let part = |part: Part, keys: &str| {
        let player = play_at((80, 24), keys);
        describe(&part.of(&player.app, &player.screen()))
    };
    insta::assert_snapshot!("finder", part(Part::Body, "ftemp"));
    insta::assert_snapshot!("command_line", part(Part::Footer, ":c"));
    insta::assert_snapshot!("command_completion", part(Part::Footer, ":c<tab>"));
    insta::assert_snapshot!("filter", part(Part::Tree, "<esc>/oce"));
}

/// Copied text is pasted into a shell or an editor: names from a store may not act there.
#[test]
fn what_is_copied_has_no_control_characters() {
    let folder = crate::scratch();
    let group = folder.path().join("a\u{1b}[2Jb");
    fs::create_dir(&group).unwrap();
    fs::write(group.join("zarr.json"), r#"{"zarr_format":3,"node_type":"array"}"#).unwrap();
    for keys in ["jyy", "jyp", "j<tab>5yy", "j<tab>5yp", "j<tab>4yy"] {
        let mut player = Player::open(folder.path(), (120, 40), &Options::default()).unwrap();
        parse(keys).unwrap().into_iter().for_each(|key| player.press(key));
        let effects = player.take_effects();
        let copied = effects.iter().find_map(|effect| match effect {
            Effect::Copy(text) => Some(text),
            _ => None,
        });
        let text = copied.unwrap_or_else(|| panic!("{keys} copies nothing"));
        assert!(
            text.chars().all(|c| !c.is_control() || c == '\n' || c == '\t'),
            "{keys}: {text:?}"
        );
    }
}
