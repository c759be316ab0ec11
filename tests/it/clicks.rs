//! Clicks on the dump: each column of each byte and value leads to the element that is drawn there, in every layout.
//!
//! Elements are located by reading the screen, so that drawing and pointing are held against each other.

use crate::keys::{click, play_at, text};
use zarrscope::tui::script::Player;

/// A word of a row: its text, and its columns from the first to the one behind the last.
type Word = (String, u16, u16);

fn words(row: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut before = ' ';
    for (x, c) in (0..).zip(row.chars()) {
        match words.last_mut() {
            Some((text, _, end)) if c != ' ' && before != ' ' => {
                text.push(c);
                *end = x + 1;
            }
            _ if c != ' ' => words.push((c.into(), x, x + 1)),
            _ => {}
        }
        before = c;
    }
    words
}

/// The position of the element under the cursor after a click.
fn clicked(player: &mut Player, x: u16, y: u16) -> u64 {
    player.mouse(click(x, y));
    player.app.shared.chunk.position().unwrap()
}

/// Clicks on every word of the row at `y`: first its `per_row` elements as bytes, then as values, and as values in the
/// other byte order where they are there.
fn click_through(player: &mut Player, y: u16, words: &[Word], first: u64, per_row: usize) {
    let lists = words.split(|(text, ..)| text == "│");
    let lists = lists.flat_map(|list| list.chunks(per_row));
    for list in lists {
        assert_eq!(list.len(), per_row, "{words:?}");
        let mut cell = list.first().map_or(0, |(_, start, _)| *start);
        for ((text, start, end), at) in list.iter().zip(first..) {
            // Numbers stand on the right of their cells; the blank behind them is the last column.
            for x in [cell, *start, end - 1, *end] {
                assert_eq!(clicked(player, x, y), at, "{text} at column {x} of {words:?}");
            }
            cell = end + 1;
        }
    }
}

/// The rows of the dump on the screen: the row, the offset of the first element, and the words behind the coordinates.
fn dump(screen: &str, radix: u32) -> Vec<(u16, u64, Vec<Word>)> {
    let row = |(y, row): (u16, &str)| {
        let mut words = words(row);
        let at =
            words.iter().position(|(text, ..)| text.starts_with('[') && text.ends_with(']'))?;
        let offset = u64::from_str_radix(&words.get(at.checked_sub(1)?)?.0, radix).ok()?;
        let words = words.split_off(at + 1);
        let is_dump = words.first().is_some_and(|(text, ..)| text.len() == 4);
        is_dump.then_some((y, offset, words))
    };
    (0..).zip(screen.lines()).filter_map(row).collect()
}

#[test]
fn every_column_of_the_dump_is_the_element_drawn_there() {
    for size in [(120, 40), (80, 24), (170, 50)] {
        // Decimal offsets; the other byte order beside the declared one; the inspector in place of the panel; both; and
        // values in hexadecimal.
        for keys in ["", "o", "x", "xi", "xb"] {
            let start = ":go ocean/packed/c/1/2<enter>:[50,100]<enter>";
            let mut player = play_at(size, &format!("{start}{keys}"));
            let screen = text(&player);
            let rows = dump(&screen, if keys == "o" { 10 } else { 16 });
            assert!(rows.len() >= 3, "{size:?} {keys}: no dump on\n{screen}");
            for (y, offset, words) in rows {
                let declared = words.iter().take_while(|(text, ..)| text != "│").count();
                click_through(&mut player, y, &words, offset / 2, declared / 2);
            }
        }
    }
}

#[test]
fn every_column_of_a_byte_is_that_byte() {
    let fine = ":go ocean/packed/c/1/2<enter>HHHHHH";
    // What stopped it takes lines above the dump.
    let damaged = ":go broken/crc<enter>2:c/2/1<enter>";
    for (size, start) in
        [((120, 40), fine), ((80, 24), fine), ((120, 40), damaged), ((90, 50), damaged)]
    {
        let mut player = play_at(size, start);
        let screen = text(&player);
        let row = |(y, row): (u16, &str)| {
            let mut words = words(row);
            let at = words.iter().position(|(text, ..)| text == "00000010")?;
            Some((y, words.split_off(at + 1)))
        };
        let (y, words) = (0..).zip(screen.lines()).find_map(row).unwrap();
        let bytes: Vec<_> = words.iter().take_while(|(text, ..)| text.len() == 2).collect();
        assert!(bytes.len() >= 8, "{screen}");
        for ((text, start, end), at) in bytes.into_iter().zip(16_u64..) {
            for x in *start..=*end {
                player.mouse(click(x, y));
                assert_eq!(player.app.shared.chunk.cursor, at, "{text} at column {x}");
            }
        }
    }
}

#[test]
fn a_click_on_a_heading_of_the_table_sorts_by_its_column() {
    let mut player = play_at((120, 40), ":go ocean/packed<enter>2t<c-w>h");
    let heading = |player: &Player, title: &str| {
        let screen = text(player);
        let rows = (0..).zip(screen.lines());
        let mut found = rows.filter_map(|(y, row)| {
            let (_, x, _) = words(row).into_iter().find(|(word, ..)| word == title)?;
            row.contains("key").then_some((x, y))
        });
        found.next().unwrap()
    };
    let first = |player: &Player| {
        let table = player.app.pages.chunk_table.table.as_ref().unwrap();
        table.key(table.shown(0).unwrap().index)
    };
    for (title, ways) in [("stored", [false, true]), ("key", [true, false]), ("min", [false, true])]
    {
        for ascends in ways {
            let (x, y) = heading(&player, title);
            player.mouse(click(x, y));
            let screen = text(&player);
            let way = if ascends { "ascending" } else { "descending" };
            assert!(screen.contains(&format!("sorted by {title}, {way}")), "{title}: {screen}");
        }
    }
    let lowest = first(&player);
    let (x, y) = heading(&player, "max");
    player.mouse(click(x, y + 2));
    assert_eq!(first(&player), lowest, "a click below the headings sorts nothing");
}
