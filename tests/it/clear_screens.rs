//! The rules of a clear screen: the verdict stays in sight, help says what works here, prompts say how they end, and
//! the tree keeps what matters.

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
            ("byte-order/liar", "Looks big (strong evidence), "),
            ("dtypes-v3/structured", "Byte order: inconclusive."),
            ("dtypes-v2/structured_nested", "Byte order: inconclusive."),
        ] {
            for keys in ["2", "2K", "2x", "2xK", "2:as endian=big<enter>K"] {
                let text = text(&at(node, size, keys));
                let count = |words: &str| text.matches(words).count();
                let told = if keys.contains("as") {
                    count("Looks ") + count("Byte order: inconclusive.")
                } else {
                    count(verdict)
                };
                assert_eq!(told, 1, "{node} {size:?} {keys}\n{text}");
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
    assert!(text.contains("    Neighbouring") && last.trim_end().ends_with(", …"), "{text}");
}

/// More fields than rows: the one under the cursor is among those on show, and the title says which they are.
#[test]
fn the_field_under_the_cursor_is_on_show() {
    let title = |size: (u16, u16), keys: &str| {
        let text = text(&at("dtypes-v3/structured", size, keys));
        text.lines().find(|line| line.contains("under the cursor")).unwrap().to_owned()
    };
    // A short chunk leaves rows for all of them.
    for keys in ["2", "2K"] {
        let title = title((80, 24), keys);
        assert!(title.contains("under the cursor ─"), "{title}");
    }
    for (keys, field) in [("2K", "fields 1–2 of 3"), ("2:0x0c<enter>K", "fields 2–3 of 3")] {
        let title = title((60, 20), keys);
        assert!(title.contains(field), "{title}");
    }
}

/// Both orders of a struct have columns of their own, and nothing of them is cut while bytes take their room.
#[test]
fn both_orders_of_a_struct_are_whole() {
    let text = text(&at("broken/struct_order_lost", (120, 40), "2x"));
    let row = text.lines().find(|line| line.contains("3fc0000000000001")).unwrap();
    assert!(row.contains("6.8965e-41  16777216") && row.contains("│  1.5      1"), "{row}");
    let text = crate::keys::text(&at("dtypes-v3/structured", (120, 40), "2x"));
    let row = text.lines().find(|line| line.contains("00000000  [0]")).unwrap();
    assert!(row.contains("2.561e-320") && !row.contains("1440"), "{row}");
    // What has no byte order is not there twice, and so there is room for all.
    assert!(row.matches("b\"surf\"").count() == 1 && text.contains("│ big: id, depth"), "{text}");
    let text = crate::keys::text(&at("dtypes-v3/structured", (80, 24), "2x"));
    let row = text.lines().find(|line| line.contains("00000024  [2]")).unwrap();
    assert!(!row.contains('…') && row.contains("3.0418e-319"), "{row}");
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
        let contexts = player.app.contexts();
        let before = body(&player);
        let rows = BINDINGS.iter().filter(|row| contexts.contains(&row.context));
        for (row, way) in rows.flat_map(|row| row.ways.iter().map(move |way| (row, way))) {
            if player.app.is_available_below_help(way.action) || row.help.is_empty() {
                continue;
            }
            let mut player = player.clone();
            player.press(way.keys[0]);
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
        let what = "field, complex part";
        let (y, line) = text.lines().enumerate().find(|(_, line)| line.contains(what)).unwrap();
        let x = line.split(what).next().unwrap().chars().count();
        let cell = &screen[(u16::try_from(x).unwrap(), u16::try_from(y).unwrap())];
        assert_eq!(cell.modifier.contains(Modifier::DIM), is_dim, "{node}: {line}");
        assert!(text.contains("greyed-out keys don't apply here"), "{text}");
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
        text(player).lines().map(|line| line.chars().take(28).collect()).collect()
    };
    assert!(tree(&player).iter().all(|line| !line.contains("con…")), "{:#?}", tree(&player));
    parse("5").unwrap().into_iter().for_each(|key| player.press(key));
    let root = tree(&player).into_iter().find(|line| line.contains("▾ broken")).unwrap();
    assert!(root.contains("✗20 !12"), "{root}");
    let both = tree(&player).into_iter().find(|line| line.contains("two_formats")).unwrap();
    assert!(both.contains(" V2+V3 ✗1"), "{both}");
    // Types are below each other, names whole.
    let ocean = text(&at("ocean/temperature", (120, 40), ""));
    assert!(ocean.contains("    air          float32") && ocean.contains("▦ temperature  float32"));
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

/// Whatever way it was opened: the root is called what its folder is called, in the picture too.
#[test]
fn the_root_has_the_name_of_its_folder() {
    let folder = crate::scratch();
    let root = folder.path().join("sst");
    std::fs::create_dir_all(root.join("below")).unwrap();
    let array = stores().join("ocean/depth");
    std::fs::copy(array.join("zarr.json"), root.join("zarr.json")).unwrap();
    let opened = root.join("below/..");
    for keys in ["1", "2", "3", "3-", "2t"] {
        let mut player = Player::open(&opened, (120, 40), &Options::default()).unwrap();
        parse(keys).unwrap().into_iter().for_each(|key| player.press(key));
        let text = text(&player);
        let begins = |line: usize| text.lines().nth(line).unwrap().contains("sst");
        assert!(begins(0) && !text.contains("the root"), "{keys}\n{text}");
        assert!(text.matches("sst").count() >= 2, "{keys}\n{text}");
    }
}

/// A page over the views has no tabs of views that it covers, and says what it is.
#[test]
fn a_page_over_the_views_has_no_tabs() {
    for (keys, name) in [
        ("D", "as V2 and V3 write them"),
        (":compare ocean-v2/air<enter>", "Comparison"),
        (":learn<enter>", "Lessons"),
    ] {
        let text = text(&at("ocean/air", (120, 40), keys));
        let first: Vec<&str> = text.lines().take(2).collect();
        assert!(first[0].contains(name) && !first[1].contains("Metadata"), "{text}");
        assert_eq!(text.matches(name).count(), 1, "said once\n{text}");
    }
}

/// The sign that there is more help is on no key's text, and all of that can be scrolled to.
#[test]
fn the_sign_of_more_help_covers_nothing() {
    for size in [(120, 40), (80, 24), (60, 20)] {
        let mut player = at("ocean/temperature", size, "2?");
        let text = text(&player);
        let last = text.lines().rev().nth(2).unwrap();
        assert_eq!(last.trim(), "PgDn more", "{text}");
        player.press(parse("G").unwrap()[0]);
        assert!(!crate::keys::text(&player).contains("PgDn more"));
    }
}

/// The inspector has the rows that a short chunk leaves.
#[test]
fn the_inspector_shows_every_type_where_there_is_room() {
    let text = text(&at("dtypes-v3/datetime64_ns", (120, 40), "2i"));
    assert!(text.contains("time [ns]") && !text.contains("more types"), "{text}");
    assert!(text.contains("00000028  [5]"), "the dump is whole\n{text}");
}

/// A search for the name of a finding goes to that, not to one whose name only begins so.
#[test]
fn an_exact_name_is_found_first() {
    let code = |player: &Player| {
        let (_, problem) = player.app.pages.problems.selected().unwrap();
        problem.error.code.as_str().to_owned()
    };
    let folder = crate::scratch();
    for (from, to) in [("pairs/byte-order-mark", "a"), ("byte-order/liar", "b")] {
        copy(&stores().join(from), &folder.path().join(to));
    }
    let mut player = Player::open(folder.path(), (120, 40), &Options::default()).unwrap();
    for (keys, wanted) in [
        ("5/byte-order-m<enter>", "byte-order-mark"),
        ("/byte order<enter>", "byte-order"),
        ("n", "byte-order"),
    ] {
        parse(keys).unwrap().into_iter().for_each(|key| player.press(key));
        assert_eq!(code(&player), wanted, "{keys}\n{}", text(&player));
    }
}

fn copy(from: &std::path::Path, to: &std::path::Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            std::fs::copy(entry.path(), to).unwrap();
        }
    }
}

/// The coverage of a check ends with a whole sentence, in every size; rows name their places below the node
/// that was checked.
#[test]
fn the_head_of_the_problems_is_whole() {
    for size in [(120, 40), (80, 24), (200, 60)] {
        let text = text(&at("broken", size, "5"));
        let from = text.lines().skip_while(|line| !line.contains("Not checked: "));
        let head: String =
            from.take_while(|line| !line.contains("▌✗")).collect::<Vec<_>>().join(" ");
        let whole = head.trim_end().trim_end_matches(". …");
        assert!(head.contains(" unreadable, ") && !whole.contains('…'), "{size:?}\n{text}");
        assert!(text.contains("✗ chunk_rank/"), "{text}");
        assert!(!text.contains("rank-mismatch         broken/"), "{text}");
    }
}

/// The bytes of a text or a number have what room it leaves.
#[test]
fn a_value_is_whole_before_its_bytes() {
    let folder = crate::scratch();
    let document = |data_type: &str, size: usize, codecs: &str| {
        format!(
            r#"{{"zarr_format":3,"node_type":"array","shape":[{size}],"data_type":"{data_type}",
            "chunk_grid":{{"name":"regular","configuration":{{"chunk_shape":[{size}]}}}},
            "chunk_key_encoding":{{"name":"default"}},"fill_value":[0.0,0.0],"codecs":[{codecs}]}}"#
        )
    };
    let little = r#"{"name":"bytes","configuration":{"endian":"little"}}"#;
    std::fs::write(folder.path().join("zarr.json"), document("complex128", 2, little)).unwrap();
    std::fs::create_dir(folder.path().join("c")).unwrap();
    let parts = [-1.234_567_890_123_456_8e-300_f64, 0.210_525_689_503_416_16, 1.0, 2.0];
    let bytes: Vec<u8> = parts.iter().flat_map(|part| part.to_le_bytes()).collect();
    std::fs::write(folder.path().join("c/0"), bytes).unwrap();
    let mut player = Player::open(folder.path(), (120, 40), &Options::default()).unwrap();
    player.press(parse("2").unwrap()[0]);
    let text = text(&player);
    let row = text.lines().find(|line| line.contains("00000000  [0]")).unwrap();
    assert!(row.contains("-1.2345678901234568e-300+0.21052568950341616i"), "{text}");
}

/// The search result is looked at: its rows have the keys, and its type is whole in the list.
#[test]
fn what_is_found_has_the_keys() {
    for (width, height) in [(120, 40), (80, 24)] {
        let text = text(&play_at((width, height), "fdatetime"));
        assert!(text.contains("  numpy.datetime64[ns]") && !text.contains('…'), "{text}");
    }
    let player = play_at((120, 40), "fv3datetime64_ns<enter>jjj");
    let row = player.app.pages.data_type.row().map(|row| row.label.clone());
    assert_eq!(row.as_deref(), Some("fill value"), "{}", text(&player));
    let player = play_at((120, 40), "fdtypesv3<enter>");
    assert_eq!(player.app.shared.focus, zarrscope::app::Focus::Tree);
}

/// The cause of findings comes before what only names them.
#[test]
fn causes_come_first() {
    let text = text(&at("broken", (120, 40), "5"));
    let first = text.lines().find(|line| line.contains("▌✗ ")).unwrap();
    assert!(
        first.contains("▸ 3 in 3 nodes ") && first.contains(" The end of a chunk is missing"),
        "{text}"
    );
}

/// The row under the cursor of a comparison is there whole, if there is room below the rows that are cut.
#[test]
fn a_row_of_a_comparison_is_whole_below() {
    let keys = ":compare ocean-v2/temperature<enter>jjjjj";
    let text = text(&at("ocean/temperature", (80, 24), keys));
    assert!(text.contains(" A shard(bytes(little)→zstd(3)→crc32c)"), "{text}");
    assert!(text.contains(" B compressor blosc(lz4, 1)"), "{text}");
}

/// Beside whole values, the bytes of a struct have all the columns that are left.
#[test]
fn bytes_of_fields_leave_no_room_unused() {
    let text = text(&at("dtypes-v3/structured", (120, 40), "2"));
    let row = text.lines().find(|line| line.contains("00000024  [2]")).unwrap();
    let parts: Vec<&str> = row.split_whitespace().rev().take(6).collect();
    let wanted =
        ["b\"abyss!\"", "Infinity", "16909060", "616279737321", "000000000000f07f", "04030201"];
    assert_eq!(parts, wanted, "{text}");
}

/// Elements at even and at odd places make a column as wide as it must be.
#[test]
fn no_value_is_cut_beside_empty_columns() {
    for (size, keys) in [((120, 40), "2"), ((200, 60), "2"), ((200, 60), "2x")] {
        let text = text(&at("byte-order/liar", size, keys));
        let rows: Vec<_> = text.lines().filter(|line| line.contains(" 000000")).collect();
        assert!(rows.iter().any(|row| row.contains(" -675121700000000.0")), "{text}");
        assert!(rows.iter().all(|row| !row.contains('…')), "{text}");
    }
}

/// On a wide screen, types and bytes of a struct's fields are whole, and so are the bits of an element.
#[test]
fn what_is_under_the_cursor_uses_the_width() {
    let text = text(&at("dtypes-v3/struct_big", (200, 60), "2"));
    for row in [
        "when     numpy.datetime64[s] BE    00 00 00 00 6b 01 7a 31 → 2026-11-21T11:02:09",
        "code     fixed_length_utf32[3] BE  00 00 00 48 00 00 00 45 00 00 00 4c → \"HEL\"",
    ] {
        assert!(text.contains(row), "{text}");
    }
    for keys in ["2", "2i"] {
        let text = crate::keys::text(&at("ocean/time", (200, 60), keys));
        let text = text.lines().find(|line| line.contains(" bits ")).unwrap();
        assert!(
            text.contains("11110001 11111111 11111111 11111111") && !text.contains('…'),
            "{text}"
        );
    }
}

/// A map of one row says of the chunk as much as one of many; a dump of one row tells no number of elements a row.
#[test]
fn a_map_of_one_row_leaves_nothing_out() {
    for node in ["dtypes-v3/bool", "ocean/temperature"] {
        let text = text(&at(node, (120, 40), "2"));
        let lines: Vec<&str> = text.lines().collect();
        let strip = lines.iter().position(|line| line.contains(" file ")).unwrap();
        assert!(lines[strip - 2].contains(" array [") || node != "dtypes-v3/bool", "{text}");
        let blank = |line: &str| line.split('│').nth(1).is_none_or(|line| line.trim().is_empty());
        assert!(blank(lines[strip - 1]), "{text}");
    }
    let text = text(&at("ocean/time", (200, 60), "2"));
    assert!(!text.contains("elements per row"), "{text}");
}

/// At 80 columns, too, the verdict of a comparison ends with a word, and its signs are all explained.
#[test]
fn a_comparison_has_room_at_80_columns() {
    let compare = |with: &str| {
        text(&at("ocean/temperature", (80, 24), &format!(":compare {with}<enter><tab>")))
    };
    let different = compare("ocean/packed");
    assert!(different.contains("differ; largest ≈ -9.9692e36; metadata differ"), "{different}");
    assert!(different.contains("░ in neither   ✗ unreadable"), "{different}");
    let shapes = compare("ocean/air");
    assert!(
        shapes.contains(" 148×180 and 24×37×49 elements; that needs the same shape"),
        "{shapes}"
    );
    let failed = compare("nowhere");
    assert!(failed.contains("cannot be compared") && !failed.contains("no difference"), "{failed}");
    // A side that needs less than half leaves the rest to the other.
    let documents = text(&at("ocean/temperature", (80, 24), ":compare ocean/packed<enter>"));
    assert!(documents.contains("≠ bytes(big) → zstd(3) → crc32c"), "{documents}");
}

/// The number of lines that have no room is told.
#[test]
fn what_is_left_out_below_is_counted() {
    let overview = text(&at("ocean", (80, 24), "?<esc>"));
    assert!(overview.contains(" … 11 more lines in a taller window"), "{overview}");
    let table = text(&at("byte-order/liar", (60, 20), "2tK"));
    assert!(table.lines().any(|line| line.trim_end().ends_with("other chunks (a). …")), "{table}");
}

/// On a wide screen, the overview tells the shapes of chunks and the fill values as well; on others these go first.
#[test]
fn a_wide_overview_tells_more() {
    let overview = |size| text(&at("ocean", size, "?<esc>"));
    let row = |text: &str| text.lines().find(|line| line.contains("▦ temp")).unwrap().to_owned();
    let wide = overview((200, 60));
    assert!(
        wide.contains("shape     chunk shape  ")
            && wide.contains("codecs               fill value")
    );
    let row = row(&wide);
    assert!(
        row.contains("148×180   shard 74×90, inner 37×45    4 of 4 ") && row.contains("9.96921e36"),
        "{row}"
    );
    let narrow = overview((120, 40));
    assert!(!narrow.contains("chunk shape") && narrow.contains("codecs"), "{narrow}");
    let gallery = text(&play_at((200, 60), "D"));
    assert!(gallery.contains("5.877471754111438e-39"), "{gallery}");
}

/// Bold tells keys from what they do, if no colour does.
#[test]
fn keys_are_bold_without_colours() {
    let options = Options { color: false, ..Options::default() };
    let player = Player::open(&stores().join("ocean/packed"), (80, 24), &options).unwrap();
    let screen = player.screen();
    let footer: Vec<_> = (0..80).map(|x| screen[(x, 23)].clone()).collect();
    let words: String = footer.iter().map(ratatui::buffer::Cell::symbol).collect();
    assert!(words.contains(" K explain "), "{words}");
    for (word, is_key) in [("K", true), ("explain", false), ("Tab", true), ("pane", false)] {
        let cell = &footer[words.find(&format!(" {word} ")).unwrap() + 1];
        assert_eq!(cell.modifier.contains(Modifier::BOLD), is_key, "{word}: {words}");
    }
}

/// The coverage of a check and its results are apart, however many lines the first takes.
#[test]
fn no_problems_stand_apart() {
    let text = text(&at("byte-order/v2/float32_big", (80, 24), "5"));
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let at = lines.iter().position(|line| line.starts_with("No problems.")).unwrap();
    assert!(lines[at - 1].is_empty() && lines[at - 2].ends_with("unnoticed."), "{text}");
}

/// Both ends of a histogram are whole at 60 columns, and a sentence is broken, not cut.
#[test]
fn both_ends_of_a_histogram_are_whole() {
    for (node, ends) in [
        ("byte-order/liar", ["-2.2485e15 ", " 1.4736e20"]),
        ("dtypes-v3/datetime64_ns", ["1677-09-21 ", " 2262-04-11"]),
    ] {
        let text = text(&at(node, (60, 20), "3"));
        let line = text.lines().rev().nth(2).unwrap();
        assert!(ends.iter().all(|end| format!("{line} ").contains(end)), "{text}");
    }
    let text = text(&at("ocean/time", (60, 20), "3"));
    assert!(text.contains("one element and no") && text.contains(" picture.\n"), "{text}");
}

/// The value in the other byte order is whole, if the row has room.
#[test]
fn the_other_order_uses_the_width() {
    let text = text(&at("ocean/air", (80, 24), "2x"));
    let rows: Vec<_> = text.lines().filter(|line| line.contains(" 000000")).collect();
    assert!(rows.len() > 5 && rows.iter().all(|row| !row.contains('…')), "{text}");
    assert!(text.contains("values, little │ big, "), "{text}");
}

/// A date has its columns before the bytes that it is made of.
#[test]
fn dates_are_whole_at_60_columns() {
    let text = text(&at("dtypes-v3/datetime64_ns", (60, 20), "2"));
    assert!(text.contains(" 1969-12-31T23:59:59.999999999"), "{text}");
}

/// Both orders of a long struct: whole fields on both sides, the one under the cursor among them, and the same in the heading.
#[test]
fn both_orders_of_a_long_struct_show_whole_fields() {
    let rows = |keys: &str| {
        let text = text(&at("dtypes-v3/struct_big", (60, 20), keys));
        let rows: Vec<_> = text.lines().skip_while(|line| !line.contains("offset ")).collect();
        rows[..2].join("\n")
    };
    let first = rows("2x");
    assert!(first.contains(" station »  ") && first.contains("│ little: station\n"), "{first}");
    assert!(first.contains("     258 »  ") && first.ends_with("│ 33619968 »"), "{first}");
    let third = rows("2x]f]f");
    assert!(third.contains(" « where ") && third.contains("│ little: where\n"), "{third}");
}
