//! The frame around the views: title, tabs, address line and footer, in every place where they say something else.

use crate::{
    keys::stores,
    snapshot::{Part, describe},
};
use zarrscope::tui::{Options, picture, script};

/// Keys to places, the tree first.
const PLACES: &[&str] = &[
    "",
    "<esc>jjjjjl",
    "<esc>/oce",
    "<esc>/oce<enter>",
    "ftemp",
    "?",
    "D",
    "D<tab>float31",
    "1",
    ":go ocean/temperature<enter>1jjj",
    ":go ocean/temperature<enter>1jjjjK",
    ":go ocean/packed<enter>2",
    ":go ocean/packed<enter>2/=-1025<enter>",
    ":go ocean/packed<enter>2/=7777<enter>",
    ":go ocean/packed<enter>2/",
    ":go ocean/packed<enter>2#",
    ":go ocean/packed<enter>2]",
    ":go ocean/packed<enter>2[",
    ":go ocean/packed<enter>2HH",
    ":go ocean/packed<enter>2y",
    ":go ocean/packed<enter>2yy",
    ":go ocean/packed<enter>2:12",
    ":go ocean/packed<enter>2i",
    ":go ocean/packed<enter>2]m",
    ":go ocean/packed<enter>2<tab>jj",
    ":go ocean/temperature<enter>2",
    ":go ocean/temperature<enter>2HHHH",
    ":go ocean/temperature<enter>2HHHHH",
    ":go byte-order/liar<enter>2x",
    ":go dtypes-v2/structured<enter>2j",
    ":go dtypes-v2/structured<enter>2/",
    ":go dtypes-v3/string<enter>2",
    ":go broken/crc<enter>2:c/2/1<enter>",
    ":go broken/crc<enter>2:c/2/1<enter>c",
    ":go broken/chunk_truncated<enter>2]c",
    ":go broken/orphans<enter>2:c/1<enter>G",
    ":go broken/codec_unknown<enter>2",
    ":go broken/json_invalid<enter>1",
    ":go ocean/temperature<enter>3jl",
    ":go broken/nan_token<enter>4]e",
    ":go broken<enter>5jj",
    "Q",
];

/// The row on screens of three widths, and the keys that lead there.
type Shown = Vec<(String, Vec<&'static str>)>;

#[test]
fn the_frame_in_every_place() {
    let mut rows = ["titles", "tabs", "addresses", "footers"].map(|name| (name, Shown::new()));
    for keys in PLACES {
        let frames = [120, 80, 44].map(|width| {
            let played = script::play(&stores(), (width, 24), keys, &Options::default()).unwrap();
            (width, picture::text(&Part::Frame.of(&played.app, &played.screen)))
        });
        for (at, (_, shown)) in rows.iter_mut().enumerate() {
            let row = |(width, frame): &(u16, String)| {
                format!("{width:>3} {}\n", frame.lines().nth(at).unwrap())
            };
            let text: String = frames.iter().map(row).collect();
            match shown.iter_mut().find(|(known, _)| *known == text) {
                Some((_, known)) => known.push(keys),
                None => shown.push((text, vec![keys])),
            }
        }
    }
    for (name, shown) in rows {
        let list = |(text, keys): &(String, Vec<&str>)| format!("{text}after {keys:?}\n");
        insta::assert_snapshot!(name, shown.iter().map(list).collect::<String>());
    }
}

#[test]
fn the_frame_has_its_colours() {
    let keys = ":go ocean/temperature<enter>2";
    for size in [(120, 40), (80, 24)] {
        let played = script::play(&stores(), size, keys, &Options::default()).unwrap();
        let frame = Part::Frame.of(&played.app, &played.screen);
        insta::assert_snapshot!(format!("colours_{}x{}", size.0, size.1), describe(&frame));
    }
}
