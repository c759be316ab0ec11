//! Tree, data type, chunks, help and what lies on top: each view in its states, wide, narrow, without colours.

use crate::{
    keys::stores,
    snapshot::{
        Part::{self, Body, Tree, View},
        describe,
    },
};
use ratatui::buffer::Buffer;
use zarrscope::tui::{Options, picture, script};

fn screen(keys: &str, size: (u16, u16), options: &Options) -> Buffer {
    script::play(&stores(), size, keys, options).unwrap().screen
}

fn part(part: Part, keys: &str, size: (u16, u16), options: &Options) -> Buffer {
    let played = script::play(&stores(), size, keys, options).unwrap();
    part.of(&played.app, &played.screen)
}

/// A part of the screen as text and styles, wide and narrow.
macro_rules! view {
    ($name:ident, $part:expr, $keys:expr) => {
        #[test]
        fn $name() {
            let name = stringify!($name);
            let wide = part($part, $keys, (120, 40), &Options::default());
            insta::assert_snapshot!(format!("{name}_120x40"), describe(&wide));
            let narrow = part($part, $keys, (80, 24), &Options::default());
            insta::assert_snapshot!(format!("{name}_80x24"), describe(&narrow));
        }
    };
}

view!(tree_of_a_folder, Tree, "<esc>jjjjjl");
view!(data_type, View, ":go ocean/temperature<enter>1jjj");
view!(data_type_of_a_struct, View, ":go dtypes-v2/structured_mixed_order<enter>1j");
view!(chunks, View, ":go ocean/packed<enter>2/=-1025<enter>");
view!(chunks_in_both_orders, View, ":go byte-order/v3/int16_big<enter>2x");
view!(chunks_of_a_liar, View, ":go byte-order/liar<enter>2x");
view!(inspector, View, ":go ocean/packed<enter>2/=-1025<enter>i");
view!(struct_fields_as_columns, View, ":go dtypes-v2/structured<enter>2j");
view!(text_of_any_length, View, ":go dtypes-v3/string<enter>2");
view!(missing_chunk, View, ":go ocean/packed<enter>2]m");
view!(misnamed_chunks, View, ":go broken/separator_v3<enter>2");
view!(damaged_checksum, View, ":go broken/crc<enter>2:c/2/1<enter>");
view!(damaged_checksum_passed_over, View, ":go broken/crc<enter>2:c/2/1<enter>c");
view!(truncated_chunk, View, ":go broken/chunk_truncated<enter>2.");
view!(shard_index, View, ":go ocean/temperature<enter>2HHHHH");
view!(compressed_stage, View, ":go ocean/packed<enter>2HH");
view!(unknown_codec, View, ":go broken/codec_unknown<enter>2");
view!(map_alone, View, ":go ocean/packed<enter>2<tab>mjj");
view!(broken_node, View, ":go broken/json_invalid<enter>1");
view!(hostile_text, View, ":go broken/hostile_text<enter>2");
view!(hostile_strings, View, ":go broken/hostile_strings<enter>2");
view!(explained_row, View, ":go ocean/temperature<enter>1jjjjK");
view!(explained_byte, View, ":go ocean/packed<enter>2/=-1025<enter>K");
view!(explained_padding, View, ":go broken/orphans<enter>2:c/1<enter>GK");
view!(readers_row, View, ":go ocean/temperature<enter>1G");
view!(readers_row_explained, View, ":go ocean/packed<enter>1GK");
view!(header_after_a_check, View, ":go broken/chunk_truncated<enter>51");
view!(readers_of_an_array, Body, ":go ocean/temperature<enter>1:readers<enter>");
view!(help, Body, ":go ocean/packed<enter>2?");

#[test]
fn too_small_a_screen_says_so() {
    for size in [(39, 10), (20, 5), (60, 7), (9, 1)] {
        let drawn = screen("", size, &Options::default());
        insta::assert_snapshot!(format!("too_small_{}x{}", size.0, size.1), picture::text(&drawn));
    }
}

#[test]
fn the_smallest_screen_shows_something_useful() {
    let drawn = screen(":go ocean/packed<enter>2", (40, 8), &Options::default());
    insta::assert_snapshot!(picture::text(&drawn));
}

#[test]
fn without_colours_emphasis_is_left() {
    let options = Options { color: false, ..Options::default() };
    let drawn = part(View, ":go ocean/packed<enter>2/=-1025<enter>", (80, 24), &options);
    insta::assert_snapshot!(describe(&drawn));
}

#[test]
fn in_ascii_nothing_else_is_drawn() {
    let options = Options { ascii: true, ..Options::default() };
    for keys in [
        ":go ocean/packed<enter>2",
        ":go ocean/packed<enter>1",
        "?",
        "D",
        ":go broken/hostile_text<enter>2",
    ] {
        let text = picture::text(&screen(keys, (120, 40), &options));
        assert!(text.is_ascii(), "{keys}: {text}");
    }
    let drawn = part(View, ":go ocean/packed<enter>2", (120, 40), &options);
    insta::assert_snapshot!(picture::text(&drawn));
}

#[test]
fn nothing_from_a_store_acts_on_the_terminal() {
    for array in ["hostile_text", "hostile_strings"] {
        for view in ["1", "2", "3", "4", "5"] {
            let text = picture::text(&screen(
                &format!(":go broken/{array}<enter>{view}"),
                (120, 40),
                &Options::default(),
            ));
            let acts =
                |c: char| c.is_control() && c != '\n' || ('\u{202a}'..='\u{202e}').contains(&c);
            assert!(!text.chars().any(acts), "{array} {view}: {text:?}");
        }
    }
}
