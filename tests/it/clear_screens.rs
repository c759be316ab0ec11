//! What makes a screen clear: the verdict stays in sight, help says what works here, prompts say how they end, and the
//! tree keeps what matters.

use crate::keys::{play_at, stores, text};
use ratatui::style::Modifier;
use zarrscope::tui::{
    Options,
    keymap::{self, BINDINGS},
    script::{Player, parse},
};

fn at(node: &str, size: (u16, u16), keys: &str) -> Player {
    play_at(size, &format!(":go {node}<enter>{keys}"))
}

/// However small the screen, and with an explanation below: which byte order is plausible is told, whole or marked as
/// cut, once.
#[test]
fn the_verdict_stays_in_sight() {
    for size in [(80, 24), (60, 20), (120, 40)] {
        for (node, verdict) in [
            ("byte-order/liar", "plausible: big (certain), which contradicts"),
            ("dtypes-v3/structured", "plausible: cannot tell."),
            ("dtypes-v2/structured_nested", "plausible: "),
        ] {
            for keys in ["2", "2K", "2x", "2xK", "2:as endian=big<enter>K"] {
                let text = text(&at(node, size, keys));
                let verdict = if keys.contains("as") { "plausible: " } else { verdict };
                assert_eq!(text.matches(verdict).count(), 1, "{node} {size:?} {keys}\n{text}");
            }
        }
    }
}

/// A verdict that is broken into lines is told once, and evidence that is cut says so.
#[test]
fn a_broken_verdict_is_told_once() {
    let text = text(&at("byte-order/liar", (56, 30), "2"));
    assert_eq!(text.matches("metadata").count(), 2, "in the title, and in the verdict\n{text}");
    let text = crate::keys::text(&at("byte-order/liar", (80, 24), "2x"));
    let last = text.lines().rev().nth(2).unwrap();
    assert!(last.contains("Neighbouring") && last.trim_end().ends_with('…'), "{text}");
}

/// More fields than rows: the one under the cursor is among those on show, and the title says which they are.
#[test]
fn the_field_under_the_cursor_is_on_show() {
    let title = |keys: &str| {
        let text = text(&at("dtypes-v3/structured", (80, 24), keys));
        text.lines().find(|line| line.contains("under the cursor")).unwrap().to_owned()
    };
    assert!(title("2").contains("under the cursor ─"), "{}", title("2"));
    assert!(title("2K").contains("fields 1–2 of 3"), "{}", title("2K"));
    assert!(title("2:0x0c<enter>K").contains("of 3"), "{}", title("2:0x0c<enter>K"));
}

/// Both orders of a struct have columns of their own, and nothing of them is cut while bytes take their room.
#[test]
fn both_orders_of_a_struct_are_whole() {
    let text = text(&at("broken/struct_order_lost", (120, 40), "2x"));
    let row = text.lines().find(|line| line.contains("3fc0000000000001")).unwrap();
    assert!(row.contains("6.8965e-41  16777216") && row.contains("│ 1.5   1"), "{row}");
    let text = crate::keys::text(&at("dtypes-v3/structured", (120, 40), "2x"));
    let row = text.lines().find(|line| line.contains("00000000  [0]")).unwrap();
    assert!(row.contains("2.561e-320") && !row.contains("1440"), "{row}");
}

/// A line that is typed says how it ends, at 80 columns too.
#[test]
fn prompts_say_how_they_end() {
    for (keys, label) in [
        ("W", ":as dtype=int16 endian=big"),
        ("2w", "write chunk to ocean-packed-c-0-0.npy"),
        ("2tw", "write table to ocean-packed-chunks.csv"),
    ] {
        for width in [80, 120] {
            let text = text(&at("ocean/packed", (width, 24), keys));
            let line = text.lines().last().unwrap();
            assert!(line.contains(label) && line.contains("Enter "), "{line}");
            assert!(line.contains("Esc cancels") && !line.contains('…'), "{line}");
        }
    }
}

/// In the key table, keys that do nothing at this place are dim: they do nothing, and those in the footer are not.
#[test]
fn help_dims_what_does_nothing_here() {
    let mut faults = Vec::new();
    for (node, keys) in [
        ("ocean/packed", "2"),
        ("ocean/temperature", "2"),
        ("dtypes-v3/structured", "2"),
        ("ocean/time", "2"),
        ("ocean/packed", "2t"),
        ("ocean", "1"),
        ("byte-order/liar", "5"),
    ] {
        // The first key after an overview finds its figures.
        let player = at(node, (120, 60), &format!("{keys}?<esc>"));
        let contexts = [player.app.focused(), zarrscope::app::KeyContext::Everywhere];
        let before = body(&player);
        for row in BINDINGS.iter().filter(|row| contexts.contains(&row.context)) {
            if player.app.is_available_below_help(row.action) || row.help.is_empty() {
                continue;
            }
            let mut player = player.clone();
            player.press(row.keys[0]);
            if body(&player) != before {
                faults.push(format!("{node} {keys}: {}", keymap::names(row)));
            }
        }
    }
    assert!(faults.is_empty(), "dim, and do something: {faults:#?}");
}

/// The key of fields is dim where there are none, and lit in a struct; the heading says what dim means.
#[test]
fn dim_keys_are_told_apart() {
    for (node, is_dim) in [("ocean/packed", true), ("dtypes-v3/structured", false)] {
        let player = at(node, (120, 60), "2?");
        let (screen, text) = (player.screen(), text(&player));
        let what = "the next field of a struct";
        let (y, line) = text.lines().enumerate().find(|(_, line)| line.contains(what)).unwrap();
        let x = line.split(what).next().unwrap().chars().count();
        let cell = &screen[(u16::try_from(x).unwrap(), u16::try_from(y).unwrap())];
        assert_eq!(cell.modifier.contains(Modifier::DIM), is_dim, "{node}: {line}");
        assert!(text.contains("dim keys do nothing at this place"), "{text}");
    }
}

fn body(player: &Player) -> Vec<String> {
    let text = text(player);
    let rows = text.lines().count() - 1;
    text.lines().take(rows).map(str::to_owned).collect()
}

/// The tree cuts no word where a shorter one says enough, and what is wrong has its room.
#[test]
fn the_tree_keeps_what_matters() {
    let mut player =
        Player::open(&stores().join("broken"), (120, 40), &Options::default()).unwrap();
    let tree = |player: &Player| -> Vec<String> {
        text(player).lines().map(|line| line.chars().take(36).collect()).collect()
    };
    assert!(tree(&player).iter().all(|line| !line.contains("con…")), "{:#?}", tree(&player));
    parse("5").unwrap().into_iter().for_each(|key| player.press(key));
    let root = tree(&player).into_iter().find(|line| line.contains("▾ broken")).unwrap();
    assert!(root.contains("V3 31 ✗"), "{root}");
    let both = tree(&player).into_iter().find(|line| line.contains("two_formats")).unwrap();
    assert!(both.contains("i2 LE V2+V3 ✗1"), "{both}");
}

/// Of a node with documents of both formats, the head says which one reads the chunks, and that they differ.
#[test]
fn the_head_of_two_documents_says_which_is_used() {
    for size in [(80, 24), (120, 40)] {
        let text = text(&at("broken/two_formats", size, "1"));
        let head = text.lines().find(|line| line.contains("● as stored")).unwrap();
        assert!(head.contains("≠ 1 row") && head.contains("V3  ● as stored ▶ in use"), "{head}");
        assert_eq!(head.matches('▶').count(), 1, "{head}");
    }
}
