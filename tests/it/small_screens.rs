//! Screens of 60x20 and 80x24: what matters in a view has the room, and what is cut says what it can.

use crate::keys::{play_at, text};

/// The screen of a node after some keys.
fn screen(node: &str, size: (u16, u16), keys: &str) -> String {
    text(&play_at(size, &format!(":go {node}<enter>{keys}")))
}

const SMALL: (u16, u16) = (60, 20);
const USUAL: (u16, u16) = (80, 24);

/// A node, the size of the screen, keys, what has to be there, and what must not.
type ScreenCase<'a> = (&'a str, (u16, u16), &'a str, &'a [&'a str], &'a [&'a str]);

/// Each screen has these words, and none of those after them.
fn hold(cases: &[ScreenCase<'_>]) {
    for (node, size, keys, there, absent) in cases {
        let text = screen(node, *size, keys);
        for words in *there {
            assert!(text.contains(words), "{node} {size:?} {keys}: no {words:?}\n{text}");
        }
        for words in *absent {
            assert!(!text.contains(words), "{node} {size:?} {keys}: {words:?}\n{text}");
        }
    }
}

/// Both readings under the cursor are whole before their bytes are, and the verdict has its evidence.
#[test]
fn readings_are_whole_before_their_bytes() {
    hold(&[
        ("dtypes-v2/complex128", SMALL, "2", &["00 … → 0.0+0.0i"], &[]),
        ("dtypes-v2/complex128", USUAL, "2llK", &["c0 00 … → 3.045e-319+9.5e-322i"], &[]),
        ("dtypes-v3/datetime64_ns", SMALL, "2", &["01 00 … → 1970-01-01T00:00:00.000000001"], &[]),
        ("dtypes-v3/struct_big", SMALL, "2", &["→ {lat: 54.25, lon: 7.5}"], &[]),
        ("ocean/temperature", SMALL, "2", &["→ 9.96921e36   missing …"], &["missing (…"]),
        (
            "ocean/air",
            SMALL,
            "2",
            &["(strong evidence). ", "differ by 0.343; read as big-endian, …"],
            &[],
        ),
        ("dtypes-v2/complex128", SMALL, "2K", &["inconclusive."], &["real: …", "real …"]),
    ]);
}

/// In both orders at once, values have the columns that bytes would have.
#[test]
fn both_orders_are_whole_before_bytes() {
    hold(&[
        (
            "dtypes-v3/datetime64_ns",
            USUAL,
            "2x",
            &["1970-01-01T00:00:00.000000001 │ 1972-04-13T23:59:54.037927936"],
            &[],
        ),
        ("byte-order/liar", SMALL, "2x", &["-1.1600677e-9 │  15.038986"], &[]),
        (
            "ocean/air",
            SMALL,
            "2x",
            &["[year,lat,lon]  little    │ big, the other order"],
            &["[year,lat…"],
        ),
        ("ocean/air", USUAL, "2x", &["[year,lat,lon]  bytes"], &[]),
    ]);
}

/// A sentence that has no room is a shorter one, and never ends with what announces the rest.
#[test]
fn sentences_have_shorter_forms() {
    hold(&[
        ("ocean/air", SMALL, "1", &["4 chunks, not checked yet. Press 5 to check."], &[": …"]),
        ("byte-order/liar", SMALL, "2", &["1 of 4 chunks read, 3 not read yet."], &[]),
        ("broken/two_formats", USUAL, "1", &["under the keys of V3."], &["V3: …"]),
        ("ocean", USUAL, "2", &["The chunks view is only for arrays: Enter opens one here."], &[]),
        ("ocean", SMALL, "3", &["The picture view is only for arrays: Enter opens one"], &[": …"]),
        ("ocean/air", SMALL, "1", &["≡ written differently, same meaning"], &[]),
        ("dtypes-v3/bool", SMALL, "2", &["array [0] ─ byte 0x0"], &["bytes 0x0"]),
        ("ocean/air", SMALL, "2", &["array [0,0,0] ─ bytes 0x0–0x3 ─"], &["in file 0x0–0x…"]),
    ]);
}

/// The line of a picture keeps whole words and whole figures.
#[test]
fn pictures_say_whole_words() {
    hold(&[
        (
            "ocean/temperature",
            SMALL,
            "3",
            &["inner [0,0]   y down, x right   mean of up to 3×3"],
            &[],
        ),
        ("ocean/temperature", SMALL, "3", &["missing (_FillValue)"], &["the fill val…"]),
        ("byte-order/liar", SMALL, "3", &["per column: the mean of up to 32"], &["mean 3.93…"]),
        ("ocean/air", SMALL, "3", &["std 10.967   fill 0", "subnormal 0   zero 0"], &[]),
        ("ocean/packed", SMALL, "3", &["unpacked × 0.01 + 10   min -1.33   max 10"], &[]),
    ]);
}

/// A short table leaves its rows to what is said of the chunk under the cursor.
#[test]
fn a_table_says_all_of_a_chunk() {
    hold(&[
        ("byte-order/liar", USUAL, "2t", &["the metadata declares the"], &["big-endian; …"]),
        ("broken/crc", SMALL, "2t", &["16 chunks: 14 with values, 1 damaged, 1 missing"], &[]),
        ("dtypes-v2/complex128", SMALL, "2tjK", &["Infinity-Infinityi."], &["fill value Inf…"]),
    ]);
}

/// Comparisons say in few words how arrays differ, and values lose their bytes before their digits.
#[test]
fn comparisons_are_short() {
    let of = |other: &str| format!(":compare {other}<enter>");
    let (other, same) = (of("ocean/packed"), of("ocean-v2/temperature"));
    let values = format!("{other}<tab><tab>");
    hold(&[
        (
            "ocean/temperature",
            SMALL,
            &values,
            &["9.96921e36 ≠ -32768     ≈ -9.969209968386…e36", "; largest ≈ -9.9692e36"],
            &[],
        ),
        ("ocean/temperature", SMALL, &same, &["are equal; stored differently"], &["; …"]),
    ]);
}

/// An explanation below the metadata leaves no empty rows above it; lessons are wrapped, and Enter is offered.
#[test]
fn metadata_and_lessons_use_their_rows() {
    let text = screen("ocean/air", USUAL, "4jjK");
    let above = text.lines().take_while(|line| !line.contains("─ shape ─")).last().unwrap();
    assert!(above.trim() == "]", "{text}");
    let text = screen("ocean", SMALL, ":learn<enter>");
    assert!(text.contains("Esc closes the list.") && text.contains("Enter start   "), "{text}");
}

/// Of few rows a drawing has most: its first row and its last are there, whatever else is left out.
#[test]
fn a_small_picture_is_drawn() {
    for (size, keys) in [((40, 12), "3"), (SMALL, "3K"), (SMALL, "3-K")] {
        let text = screen("ocean/packed", size, keys);
        let row = |label: &str| text.lines().position(|line| line.starts_with(label));
        let last = if keys.contains('-') { "       73 " } else { "       36 " };
        let rows = row("        0 ").zip(row(last)).map(|(first, last)| last - first + 1);
        let fewest = if size == SMALL { 4 } else { 2 };
        assert!(rows >= Some(fewest), "{keys}\n{text}");
    }
}

/// Both formats of a row are whole in a narrow window, and a row is never there with one of them alone.
#[test]
fn the_name_card_has_its_cells_below_each_other() {
    hold(&[
        (
            "ocean/temperature",
            SMALL,
            "1",
            &[
                "≡ V2 \"<f4\"\n",
                "V3 little, in the `bytes` codec\n",
                "element        = 4 bytes, IEEE 754 binary32\n",
                "fill value     = 9.969209968386869e+36\n",
            ],
            &["…e+", "e…"],
        ),
        ("dtypes-v2/datetime64_ns", SMALL, "1", &["V3 little, in the `bytes` codec"], &["~ V2"]),
        (
            "dtypes-v2/structured_mixed_order",
            USUAL,
            "1",
            &["= {big: 1, little: 1, either: 1, ratio: 1.0}"],
            &[],
        ),
    ]);
}

/// The change that mends the store is there before what the list, the footer or the cause say as well.
#[test]
fn a_fix_keeps_its_diff() {
    let diff =
        ["not little-endian\n", "\"endian\": \"little\"\n", "\"endian\": \"big\"\n", "yf copies"];
    hold(&[
        ("byte-order/liar", SMALL, "5", &diff, &["what if    ", "place  "]),
        ("byte-order/liar", USUAL, "5", &["problem  ", "place  ", "what if    "], &[]),
    ]);
}
