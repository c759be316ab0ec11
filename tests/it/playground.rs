//! The playground of bytes and bits: each line fills the others, bits flip, bytes swap, an element comes from a chunk.

use crate::keys::{play_at, text};
use zarrscope::{
    app::page::gallery::GalleryPart,
    tui::script::Player,
    zarr::{DataTypes, data_type::components::components, spelling::gallery::cards},
};

/// Whatever the data type: the components are all bytes, each once, and a bit that is flipped twice is as before.
#[test]
fn components_cover_every_data_type() {
    for card in cards(&DataTypes::default()) {
        let order = card.data_type.default_order();
        let Some(size) = card.data_type.item_size().fixed() else {
            assert!(components(&*card.data_type, &order).is_err(), "{}", card.name);
            continue;
        };
        for order in [order.clone(), order.swapped()] {
            let found = components(&*card.data_type, &order).unwrap();
            let mut at = 0;
            for part in &found {
                assert_eq!(part.bytes.start, at, "{}: {part:?}", card.name);
                at = part.bytes.end;
                assert_eq!(part.bits() as usize, part.bytes.len() * 8, "{}", card.name);
            }
            assert_eq!(at, size, "{}", card.name);
            let mut seen = std::collections::BTreeSet::new();
            for part in &found {
                for bit in 0..part.bits() {
                    let mut element = vec![0; size];
                    part.flip(bit, &mut element);
                    assert!(seen.insert(element.clone()), "{} bit {bit}", card.name);
                    part.flip(bit, &mut element);
                    assert_eq!(element, vec![0; size]);
                }
            }
            assert_eq!(seen.len(), size * 8, "{}", card.name);
        }
    }
}

fn play(keys: &str) -> Player {
    play_at((120, 40), keys)
}

/// The texts of the three lines after `keys`.
fn lines(keys: &str) -> [String; 3] {
    let page = play(keys).app.pages.gallery;
    [page.data_type.text(), page.fill_value.text(), page.bytes.text()]
}

#[test]
fn each_line_fills_the_others() {
    assert_eq!(lines("D<tab><gt>f4<tab>15.0"), [">f4", "15.0", "41 70 00 00"]);
    assert_eq!(lines("D<tab><gt>f4<tab><tab>41700000"), [">f4", "15.0", "41700000"]);
    assert_eq!(
        lines("D<tab><lt>f4<tab><tab>41 70 00 00"),
        ["<f4", "4.026911396930227e-41", "41 70 00 00"]
    );
    // The other data type reads the same bytes.
    assert_eq!(lines("D<tab><gt>f4<tab><tab>41700000<s-tab><s-tab><c-u><gt>i4")[1], "1097859072");
    assert_eq!(lines("D<tab>complex64<tab>[1.5,\"NaN\"]")[2], "00 00 c0 3f 00 00 c0 7f");
    assert_eq!(lines("D<tab><gt>M8[s]<tab>\"NaT\"")[2], "80 00 00 00 00 00 00 00");
    assert_eq!(lines("D<tab>bool<tab><tab>01")[1], "true");
    assert_eq!(lines("D<tab>|S3<tab><tab>61 62 00")[1], "\"YWI=\"");
    assert_eq!(
        lines("D<tab>[[\"a\",\"<lt>i2\"],[\"b\",\"<gt>i2\"]]<tab><tab>0100 0002")[1],
        "\"AQAAAg==\""
    );
}

#[test]
fn bits_flip_and_bytes_swap() {
    let bits = "D<tab><gt>f4<tab>15.0<tab><tab>";
    assert_eq!(lines(&format!("{bits}~"))[1], "-15.0");
    assert_eq!(lines(&format!("{bits}~~")), [">f4", "15.0", "41 70 00 00"]);
    assert_eq!(lines(&format!("{bits}X"))[1..], ["4.026911396930227e-41", "00 00 70 41"]);
    // The last bit of the exponent: twice as much.
    assert_eq!(lines(&format!("{bits}llllllll~"))[1], "30.0");
    assert_eq!(lines(&format!("{bits}G~"))[2], "41 70 00 01");
    // A V3 data type declares no order: it can be chosen.
    let v3 = "D<tab>float32<tab>15.0<tab><tab>";
    assert_eq!(lines(v3)[2], "00 00 70 41");
    assert_eq!(lines(&format!("{v3}x"))[1..], ["15.0", "41 70 00 00"]);
    let said = play(&format!("{bits}x")).app.shared.message.unwrap().text;
    assert!(said.contains("declares"), "{said}");
}

#[test]
fn what_has_no_bits_says_why() {
    for (keys, why) in [
        ("string<tab><tab>41", "differ in length"),
        ("float32<tab><tab>41 70", "has 4 bytes; 2 typed"),
        ("r4096<tab><tab>", "has 512 bytes"),
        ("float32<tab><tab>4170000g", "hex digits"),
        ("float32<tab>\"x\"<tab>", "cannot hold"),
    ] {
        let player = play(&format!("D<tab>{keys}"));
        let screen = text(&player);
        assert!(screen.contains(why), "{keys}: {screen}");
        assert_eq!(player.app.pages.gallery.part, GalleryPart::Bytes);
    }
}

#[test]
fn an_element_of_a_chunk_comes_into_the_playground() {
    let player = play(":go ocean/packed<enter>2/=-1025<enter>P");
    let page = &player.app.pages.gallery;
    assert_eq!(page.part, GalleryPart::Bits);
    assert_eq!([page.data_type.text(), page.fill_value.text()], ["int16", "-1025"]);
    assert_eq!(page.bytes.text(), "fb ff", "in the order of the array, which is big-endian");
    let player = play(":go dtypes-v2/structured<enter>2P");
    assert!(text(&player).contains("field \""), "{}", text(&player));
    let said = play(":go ocean/packed<enter>2HHHP").app.shared.message.unwrap().text;
    assert!(said.contains("no elements"), "{said}");
    assert!(!play("P").app.shows_gallery());
}
