//! A what-if in the inspector: an array read as something else than it declares, in every view, until that is ended.

use crate::{
    keys::{play_at, text},
    snapshot::{Part, describe},
};
use zarrscope::{
    app::Effect,
    tui::script::{Player, parse},
    zarr::{ArrayReader, Budget, Code, Hierarchy, NodePath, WhatIf},
};

fn play(keys: &str) -> Player {
    play_at((120, 40), &format!(":go byte-order/liar<enter>{keys}"))
}

pub(crate) fn press(player: &mut Player, keys: &str) -> String {
    parse(keys).unwrap().into_iter().for_each(|key| player.press(key));
    text(player)
}

/// The wide and the narrow screen: the badge in the title, and before and after below the dump.
#[test]
fn the_chunk_before_and_after() {
    for size in [(120, 40), (80, 24)] {
        let player = play_at(size, ":go byte-order/liar<enter>2:as endian=big<enter>");
        let screen = player.screen();
        for (name, part) in [("view", Part::View), ("frame", Part::Frame)] {
            let name = format!("{name}_{}x{}", size.0, size.1);
            insta::assert_snapshot!(name, describe(&part.of(&player.app, &screen)));
        }
    }
}

/// The picture before and after, one above the other, on the wide and the narrow screen; Esc ends it.
#[test]
fn the_picture_before_and_after() {
    for size in [(120, 40), (80, 24)] {
        let keys = ":go byte-order/liar<enter>3:as endian=big<enter>";
        let mut player = play_at(size, keys);
        let screen = player.screen();
        let name = format!("picture_{}x{}", size.0, size.1);
        insta::assert_snapshot!(name, describe(&Part::View.of(&player.app, &screen)));
        let ended = press(&mut player, "<esc>");
        assert!(!ended.contains("what if") && ended.contains("read as the metadata declares"));
    }
    for (as_what, title) in [("fill=0", "before  as declared"), ("shape=[512]", "after   what if")]
    {
        let keys = format!(":go byte-order/liar<enter>3:as {as_what}<enter>");
        let screen = text(&play_at((120, 40), &keys));
        assert!(screen.contains(title) && !screen.contains("counting"), "{screen}");
    }
    // The picture of the whole array has no second one: Esc there is about that picture.
    let mut player =
        play_at((120, 40), ":go byte-order/liar<enter>3:as endian=big<enter>:zoom array<enter>");
    let left = press(&mut player, "<esc>");
    assert!(left.contains("endian=big"), "{left}");
}

#[test]
fn every_view_reads_it_so_until_it_ends() {
    let mut player = play("2");
    assert!(text(&player).contains("4.0269e-41"));
    let chunk = press(&mut player, ":as endian=big<enter>");
    for words in
        [" as endian=big ", "bytes big", "15.038986", "as declared       41 70 00 00 → 4.0269e-41"]
    {
        assert!(chunk.contains(words), "{words}\n{chunk}");
    }
    for (keys, words) in [
        ("1", "V3  ● what if"),
        ("1", "big, in the `bytes` codec"),
        ("3", "15.0"),
        ("4", "● what if, not as stored"),
        ("4", "\"endian\": \"big\""),
        ("5r", "with byte-order/liar read as endian=big, was checked"),
        ("5", "checked ✓"),
    ] {
        let view = press(&mut player, keys);
        assert!(
            view.contains(words) && view.contains(" as endian=big "),
            "{keys}: {words}\n{view}"
        );
    }
    let elsewhere = press(&mut player, ":go ocean/packed<enter>2");
    assert!(
        !elsewhere.contains("as endian=big") && elsewhere.contains("declared big"),
        "{elsewhere}"
    );
    let again = press(&mut player, ":go byte-order/liar<enter>2:as<enter>");
    assert!(
        again.contains("4.0269e-41") && again.contains("read as the metadata declares"),
        "{again}"
    );
    assert!(!again.contains("as endian=big") && !again.contains("as declared "), "{again}");
}

/// W in Problems reads as the cause says, and again as the metadata declares; elsewhere it opens the line with the
/// settings in use.
#[test]
fn a_cause_is_tried_by_one_key() {
    let mut player = play("5W");
    assert!(text(&player).contains(" as endian=big "), "{}", text(&player));
    assert!(press(&mut player, "2").contains("15.038986"));
    assert!(press(&mut player, "W").contains(":as endian=big"));
    assert!(!press(&mut player, "<esc>5W").contains(" as endian=big "));
    assert!(press(&mut player, "2W").contains(":as dtype=float32 endian=little"));
    let same = press(&mut player, "<enter>");
    assert!(same.contains("as the metadata declares already"), "{same}");
    let tab = press(&mut player, ":as dtype=<lt>i4 en<tab>");
    assert!(tab.contains(":as dtype=<i4 endian="), "{tab}");
}

/// A setting typed wrongly is named by its key, with what was expected; the array is read as before.
#[test]
fn what_makes_no_sense_is_refused() {
    for (settings, words) in [
        (
            "dtype=int33",
            "dtype: unknown data type \"int33\"; expected the name of a V3 data type. Did you mean",
        ),
        ("colour=red", "\"colour=red\"; expected settings such as dtype=<f4"),
        ("order=[0,0]", "order: \"[0,0]\"; expected C, F or an order of the dimensions"),
        ("shape=x", "shape: \"x\"; expected lengths such as 10,20"),
        ("chunks=3,4", "the chunk grid has 2 chunk lengths, not 1"),
        ("codecs=bytes,nosuch", "codecs[1]: zarrscope does not know the codec \"nosuch\""),
        ("endian=middle", "endian: \"middle\"; expected little or big"),
    ] {
        let player = play(&format!("2:as {settings}<enter>"));
        let screen = text(&player);
        assert!(screen.contains(words) && screen.contains("4.0269e-41"), "{settings}\n{screen}");
    }
    let none = text(&play(":as off<enter>"));
    assert!(none.contains("no what-if is in use"), "{none}");
    let group = text(&play(":go ocean<enter>:as dtype=<lt>f4<enter>"));
    assert!(group.contains("only an array can be read as something else"), "{group}");
}

/// The fix of a cause goes to the clipboard as it is named: a patch of the document, or a diff of it.
#[test]
fn a_fix_is_copied_as_a_patch_and_as_a_diff() {
    let copied = |keys: &str| {
        let mut player = play(keys);
        let texts = player.take_effects().into_iter().filter_map(|effect| match effect {
            Effect::Copy(text) => Some(text),
            _ => None,
        });
        (texts.collect::<Vec<_>>().join("|"), text(&player))
    };
    let (patch, screen) = copied("5yf");
    assert_eq!(
        patch,
        r#"[{"op":"replace","path":"/codecs/0/configuration/endian","value":"big"}]"#
    );
    for words in [
        ":as endian=big",
        "before  4.0269e-41",
        "after   15.0 15.038986",
        "yf copies this as a JSON Patch",
    ] {
        assert!(screen.contains(words), "{words}\n{screen}");
    }
    let (diff, _) = copied("5yd");
    assert!(diff.contains("+        \"endian\": \"big\""), "{diff}");
    let (nothing, screen) = copied("2yf");
    assert!(nothing.is_empty() && screen.contains("no fix is known here"), "{screen}");
}

/// A finding that follows from a cause says so in the lines of `check --json`.
#[test]
fn what_follows_from_a_cause_says_so() {
    let ran = crate::cli::run(&["check", "sample-stores/broken/crc", "--json"]);
    let lines: Vec<serde_json::Value> =
        ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["code"], "checksum-mismatch");
    assert_eq!(lines[0]["follows_from"], "bit-flip");
    assert!(lines[1]["follows_from"].is_null() && lines[1]["diagnosis"]["cause"] == "bit-flip");
}

/// A chunk found damaged as declared need not be so in another reading.
#[test]
fn what_a_check_found_does_not_count_in_another_reading() {
    let mut player = play_at((120, 40), ":go broken/crc<enter>5");
    let known = |player: &Player| player.app.shared.chunk.presence.readable();
    assert_eq!(known(&player).unreadable, 1, "{}", text(&player));
    press(&mut player, ":as fill=0<enter>");
    assert_eq!(known(&player).tried(), 0, "{}", text(&player));
    press(&mut player, ":as off<enter>");
    assert_eq!(known(&player).unreadable, 1, "{}", text(&player));
}

/// `checksums=ignore` is a what-if of one array: its values are read past a wrong checksum, in commands and views.
#[test]
fn values_behind_a_wrong_checksum() {
    let (hierarchy, _) = Hierarchy::open("sample-stores/broken".as_ref()).unwrap();
    let path = NodePath("crc".into());
    let what_if = WhatIf::parse("checksums=ignore").unwrap();
    let over = what_if.over(&hierarchy, &path).unwrap();
    let read = |hierarchy: &Hierarchy| {
        let node = hierarchy.node(&path);
        let array = node.kind.array().unwrap();
        let reader = ArrayReader::new(&*hierarchy.store, &path, array).unwrap();
        reader.read_region::<i16>(&[74..111, 45..90], &Budget::default())
    };
    assert_eq!(read(&hierarchy).unwrap_err().code, Code::ChecksumMismatch);
    // Bit 2 of a byte in the compressed data is another: one value differs.
    assert_eq!(read(&over).unwrap()[28 * 45 + 31], 32262);
    let other = over.node(&NodePath("chunk_truncated".into()));
    assert!(!other.kind.array().unwrap().registry.ignores_checksums);

    let mut player = play_at((120, 40), ":go broken/crc/c/2/1<enter>2");
    let before = text(&player);
    let after = press(&mut player, ":as checksums=ignore<enter>");
    assert!(before.contains("not run: zstd"), "{before}");
    assert!(after.contains(" as checksums=ignore ") && after.contains("1878"), "{after}");
    assert!(WhatIf::parse("checksums=check").is_err());
}
