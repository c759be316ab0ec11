//! Screens of 200x60 and 120x40: nothing is cut while its row has room, and what belongs together is near each other.

use crate::keys::{play_at, text};
use zarrscope::tui::{script::Player, theme};

const WIDE: (u16, u16) = (200, 60);
const USUAL: (u16, u16) = (120, 40);

fn at(node: &str, size: (u16, u16), keys: &str) -> Player {
    play_at(size, &format!(":go {node}<enter>{keys}"))
}

fn screen(node: &str, size: (u16, u16), keys: &str) -> String {
    text(&at(node, size, keys))
}

/// The column at which `part` begins in the line that holds `line`.
fn column_of(text: &str, line: &str, part: &str) -> usize {
    let line = text.lines().find(|it| it.contains(line) && it.contains(part)).expect(text);
    line.split(part).next().expect(line).chars().count()
}

/// Values are near the bytes of a chunk that is shorter than a row, and bits near their index.
#[test]
fn values_are_near_their_bytes() {
    for size in [USUAL, WIDE] {
        let text = screen("dtypes-v3/bool", size, "2");
        assert!(text.contains("  01 00 01 01 00 00       · false"), "{text}");
        let text = screen("dtypes-v3/bool", size, "2bb");
        assert!(text.contains(" [0]    0000 0001 0000 0000 "), "{text}");
        let text = screen("ocean/time", size, "2");
        assert!(text.contains(" c0b16e88f1ffffff   0001-01-01T12:00:00"), "{text}");
    }
}

/// Of bytes and text, each has the columns that the other does not need.
#[test]
fn bytes_of_text_have_what_values_leave() {
    let text = screen("dtypes-v3/string", WIDE, "2");
    let bytes = text.lines().find(|line| line.contains("[11] ")).unwrap();
    assert!(bytes.matches("cea9").count() > 20 && bytes.contains("ΩΩ\""), "{text}");
}

/// A value in the other byte order is whole, if need be without the bytes; its heading uses the rest of the row.
#[test]
fn values_in_both_orders_are_whole() {
    let text = screen("dtypes-v3/datetime64_ns", USUAL, "2x");
    let both = "1970-01-01T00:00:00.000000001 │ 1972-04-13T23:59:54.037927936";
    assert!(text.contains(both), "{text}");
    let text = screen("dtypes-v2/complex128", WIDE, "2x");
    assert!(text.contains("-1.5423487136675799e-180-1.5423487136684566e-180i"), "{text}");
    // That more fields follow is whole as well, and no field ends in the sign of a cut.
    let text = screen("dtypes-v3/struct_big", USUAL, "2x");
    assert!(text.contains("2026-11-21T11:02:09 »     │ 33619968 »"), "{text}");
    let text = screen("byte-order/liar", WIDE, "2x");
    assert!(text.contains("│ big, the other order"), "{text}");
}

/// Headings are over their columns, and whole.
#[test]
fn headings_are_over_their_columns() {
    let text = screen("ocean/air", USUAL, "2");
    assert!(text.contains("offset    [year,lat,lon]  bytes, 3 elements"), "{text}");
    let text = screen("ocean/air", USUAL, "2HH");
    assert_eq!(column_of(&text, "the file as stored", "text"), column_of(&text, "1f 8b", "..."));
    let text = screen("dtypes-v3/struct_big", WIDE, "2");
    assert!(text.contains("    258 2026-11-21T11:02:09"), "numbers are on the right\n{text}");
    assert!(text.contains("     -1                 NaT"), "{text}");
    assert!(text.contains("000003a9000000e900000000 »"), "four fields have room as bytes\n{text}");
}

/// Bits are whole, if need be without the gaps between them.
#[test]
fn bits_are_whole() {
    let text = screen("dtypes-v3/datetime64_ns", USUAL, "2bb");
    assert!(text.contains(&format!(" {}1\n", "0".repeat(63))), "{text}");
    let text = screen("dtypes-v3/datetime64_ns", WIDE, "2bb");
    assert!(text.contains(" 0000 0000 0001\n"), "{text}");
    let text = screen("dtypes-v2/complex128", WIDE, "2bb");
    assert_eq!(column_of(&text, "bits, most", "bits"), column_of(&text, "[3] ", "10000000"));
}

/// Bits that the line has no room for have a line of their own where there is one.
#[test]
fn bits_have_a_line_of_their_own() {
    let text = screen("ocean/time", USUAL, "2");
    let bits = "│   bits 11000000 10110001 01101110 10001000 11110001 11111111 11111111 11111111\n";
    assert!(text.contains(bits), "{text}");
}

/// The evidence about a struct is whole where a short chunk leaves rows.
#[test]
fn evidence_has_the_rows_that_a_short_chunk_leaves() {
    let text = screen("dtypes-v3/struct_big", WIDE, "2K");
    assert!(text.contains("Neighbouring values typically differ by 704; read"), "{text}");
}

/// An explanation says nothing that a row in sight says.
#[test]
fn explanations_repeat_nothing() {
    let text = screen("dtypes-v3/struct_big", WIDE, "2K");
    assert!(text.contains("In field station: the most significant byte"), "{text}");
    assert!(!text.contains("The element is"), "{text}");
    let text = play_at(WIDE, "D<enter><c-u>int16<tab><tab><tab><tab>K");
    let text = crate::keys::text(&text);
    assert_eq!(text.matches("V2 uses NumPy type strings").count(), 1, "{text}");
    assert_eq!(text.matches("little-endian: the least significant byte first").count(), 1);
}

/// An address is broken after a slash; eight bytes are on one line.
#[test]
fn addresses_and_bytes_are_broken_where_they_may_be() {
    let text = screen("dtypes-v3/datetime64_ns", USUAL, "1");
    assert!(text.contains(" little 00 00 00 00 00 00 00 80     = little 00 00"), "{text}");
    let text = screen("ocean/packed", WIDE, "<tab>1jjjK");
    assert!(text.contains("│  https://zarr-specs.readthedocs.io/en/latest/v2/\n"), "{text}");
    assert!(text.contains("│  v2.0.html#fill-value-encoding\n"), "{text}");
}

/// That notes on the other format go on has a line of its own: no note is cut within a word.
#[test]
fn notes_are_not_cut_within_words() {
    let text = screen("ocean/temperature", USUAL, "4jjK");
    assert!(text.contains("   … more: 1 Data type"), "{text}");
    assert!(!text.contains("… …"), "{text}");
}

/// A fault of a document has three lines on a usual screen.
#[test]
fn what_is_wrong_with_a_document_is_whole() {
    let text = screen("broken/two_formats", USUAL, "4");
    assert!(text.contains("remove the outdated documents.\n"), "{text}");
}

/// The findings of a chunk have three lines on a usual screen.
#[test]
fn what_is_said_of_a_chunk_is_whole() {
    let text = screen("byte-order/liar", USUAL, "2t");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("the metadata declares the other order."), "{text}");
}

/// The sides of a comparison are near each other, however wide the screen is; a difference is no fault, and so not red.
#[test]
fn compared_columns_are_near_each_other() {
    let keys = ":compare ocean-v2/temperature<enter>";
    let player = at("ocean/temperature", WIDE, keys);
    assert!(column_of(&text(&player), "data type", "≡") < 90, "{}", text(&player));
    let player = at("ocean/temperature", WIDE, ":compare ocean/packed<enter><tab><tab>");
    let screen = player.screen();
    let red: String = screen
        .content
        .iter()
        .filter(|cell| cell.style().fg == theme::FAILURE.fg)
        .map(ratatui::buffer::Cell::symbol)
        .collect();
    assert_eq!(red.trim(), "✗", "only the sign of chunks that cannot be read, in the legend");
    let text = text(&play_at(WIDE, "D"));
    assert!(column_of(&text, "byte order   ", "= ") < 90, "{text}");
}

/// Lines that are covered have no end in the rules above and below them.
#[test]
fn rules_have_no_ends_of_covered_lines() {
    for keys in ["?", "fpack"] {
        let text = screen("ocean/packed", WIDE, keys);
        assert!(!text.contains(['┬', '┴']), "{text}");
    }
}

/// The columns of the list of keys are the same in all its parts, and no text is broken that has room.
#[test]
fn the_list_of_keys_has_columns() {
    let text = screen("ocean/packed", WIDE, "2?");
    assert!(text.contains("search, filter"), "{text}");
    let second = column_of(&text, "other axes", "other axes");
    assert_eq!(column_of(&text, "sort; a table", "sort; a table"), second, "{text}");
}

/// One byte is a byte, and an empty text has none.
#[test]
fn bytes_are_counted_as_they_are() {
    let text = screen("dtypes-v3/bool", WIDE, "2");
    assert!(text.contains("array [0] ─ byte 0x0 ─"), "{text}");
    let text = screen("dtypes-v3/string", WIDE, "2j");
    assert!(text.contains("array [1] ─ no bytes at 0x10 ─"), "{text}");
}

/// Numbers are grouped, and what they count is said.
#[test]
fn numbers_are_readable() {
    let text = screen("dtypes-v3/struct_big", WIDE, "4");
    assert!(text.contains("zarr.json   2,261 bytes"), "{text}");
    let text = screen("ocean/air", WIDE, "2");
    assert!(text.contains("year down, lat across, at lon = 0"), "{text}");
    let text = screen("dtypes-v3/datetime64_ns", WIDE, "3");
    assert!(text.contains("bin width 13.285 years"), "{text}");
}

/// The notes on the readings of a tried value are one below the other.
#[test]
fn notes_on_readings_are_in_one_column() {
    let text = text(&play_at(WIDE, "D<enter><c-u>>M8[10us]<tab>\"NaT\"<tab><tab>"));
    let note = column_of(&text, "misread", "read in the other order");
    assert_eq!(column_of(&text, "▶ big", "V2 "), note, "{text}");
}
