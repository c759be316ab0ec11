//! Sections of the specifications as links that a click opens (OSC 8), in terminals that know them.

use super::prelude::*;
use crate::zarr::spelling::Source;
use ratatui::{
    backend::{Backend, CrosstermBackend},
    crossterm::{
        cursor::{RestorePosition, SavePosition},
        queue,
        style::Print,
    },
};
use std::io::{self, Write};

/// The place on the screen at which a section is named, and its address.
#[derive(PartialEq, Eq)]
pub struct SectionLink {
    url: &'static str,
    cells: Vec<(u16, u16, Cell)>,
}

/// The links on a screen: each section that is named behind `Source:`, and each of their addresses, also where the text
/// goes on in the next line. Addresses that a store holds are none: a click must lead nowhere but to a specification.
pub fn on(screen: &Buffer) -> Vec<SectionLink> {
    let row = |y| -> Vec<char> { screen.area.columns().map(|at| sign(screen, at.x, y)).collect() };
    let rows: Vec<_> = screen.area.rows().map(|at| row(at.y)).collect();
    let first = rows
        .iter()
        .position(|row| row.windows(SOURCE.len()).any(|part| part == SOURCE))
        .unwrap_or(rows.len());
    let mut links = Vec::new();
    for source in Source::ALL {
        for text in [source.to_string(), source.url.to_owned()] {
            let text: Vec<char> = text.chars().collect();
            for (y, row) in rows.iter().enumerate().skip(first) {
                for x in (0..row.len()).filter(|x| row.get(*x) == text.first()) {
                    let places = named(&rows, (x, y), &text);
                    links.extend(places.map(|places| link(screen, source.url, &places)));
                }
            }
        }
    }
    links
}

/// The beginning of a line with sources.
const SOURCE: [char; 8] = ['S', 'o', 'u', 'r', 'c', 'e', ':', ' '];

/// The character in a cell, as far as it can be part of an address.
fn sign(screen: &Buffer, x: u16, y: u16) -> char {
    screen.cell((x, y)).and_then(|cell| cell.symbol().chars().next()).unwrap_or(' ')
}

fn link(screen: &Buffer, url: &'static str, places: &[(usize, usize)]) -> SectionLink {
    let cell = |&(x, y): &(usize, usize)| {
        let (x, y) = (u16::try_from(x).ok()?, u16::try_from(y).ok()?);
        Some((x, y, screen.cell((x, y))?.clone()))
    };
    SectionLink { url, cells: places.iter().filter_map(cell).collect() }
}

/// The cells that say `text` from `start` on, if they do. Where a line ends, the text goes on in the next one, there or
/// further left.
fn named(rows: &[Vec<char>], start: (usize, usize), text: &[char]) -> Option<Vec<(usize, usize)>> {
    let (mut places, mut rest, (mut x, mut y)) = (Vec::new(), text, start);
    loop {
        let same = said(rows.get(y)?, x, rest);
        places.extend((x..x + same).map(|x| (x, y)));
        rest = rest.get(same..)?;
        if let Some((' ', after)) = rest.split_first() {
            rest = after;
        }
        if same == 0 || rest.is_empty() {
            return (same > 0).then_some(places);
        }
        y += 1;
        let row = rows.get(y)?;
        x = (0..=start.0)
            .filter(|x| *x == 0 || matches!(row.get(*x - 1), Some(' ' | '│' | '|')))
            .find(|x| said(row, *x, rest) > 0)?;
    }
}

/// The number of cells from `x` on that say the start of `text`: all of it, or as much as there is room for.
fn said(row: &[char], x: usize, text: &[char]) -> usize {
    let cells = row.get(x..).unwrap_or_default();
    let same = cells.iter().zip(text).take_while(|(cell, sign)| cell == sign).count();
    // A blank of the text may be the end of the line.
    let same = same - usize::from(text.get(..same).is_some_and(|said| said.ends_with(&[' '])));
    let is_end = |cell: Option<&char>| matches!(cell, None | Some(' ' | '│' | '|'));
    let ends_here = is_end(cells.get(same)) && is_end(cells.get(same + 1));
    if same == text.len() || ends_here { same } else { 0 }
}

/// Writes what `links` cover again, as links.
///
/// # Errors
///
/// If the terminal cannot be written to.
pub fn write<W: Write>(
    terminal: &mut CrosstermBackend<W>,
    links: &[SectionLink],
) -> io::Result<()> {
    queue!(terminal, SavePosition)?;
    for link in links {
        queue!(terminal, Print(format_args!("\x1b]8;;{}\x1b\\", link.url)))?;
        terminal.draw(link.cells.iter().map(|(x, y, cell)| (*x, *y, cell)))?;
        queue!(terminal, Print("\x1b]8;;\x1b\\"))?;
    }
    queue!(terminal, RestorePosition)?;
    Backend::flush(terminal)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The links of a screen with these lines, as text and address.
    fn links(lines: &[&str]) -> Vec<(String, &'static str)> {
        let text =
            |link: &SectionLink| link.cells.iter().map(|(_, _, cell)| cell.symbol()).collect();
        on(&Buffer::with_lines(lines.to_vec())).iter().map(|link| (text(link), link.url)).collect()
    }

    const CHUNKS: &str = "https://zarr-specs.readthedocs.io/en/latest/v2/v2.0.html#chunks";

    #[test]
    fn sections_and_addresses_behind_source_are_links() {
        let line = format!("│  Source: Zarr V2, \"Chunks\" {CHUNKS}");
        let found = links(&[&line]);
        assert_eq!(found, [("Zarr V2, \"Chunks\"".into(), CHUNKS), (CHUNKS.into(), CHUNKS)]);
        assert!(links(&[&format!("an attribute: {CHUNKS}")]).is_empty());
    }

    #[test]
    fn a_link_goes_on_in_the_next_line() {
        let (first, rest) = CHUNKS.split_at(40);
        let found = links(&[&format!("other │ Source: {first} "), &format!("thing │ {rest} ")]);
        assert_eq!(found, [(CHUNKS.into(), CHUNKS)]);
        let found = links(&["  Source: Zarr V2,", "  \"Chunks\""]);
        assert_eq!(found, [("Zarr V2,\"Chunks\"".into(), CHUNKS)]);
    }

    #[test]
    fn what_is_cut_is_no_link() {
        assert!(links(&["  Source: Zarr V2, \"Chu", "  something else"]).is_empty());
    }

    #[test]
    fn a_link_is_opened_and_closed_around_its_text() {
        let mut written = Vec::new();
        let links = on(&Buffer::with_lines([format!("Source: {CHUNKS}")]));
        write(&mut CrosstermBackend::new(&mut written), &links).unwrap();
        let written = String::from_utf8(written).unwrap();
        let (open, close) = (format!("\x1b]8;;{CHUNKS}\x1b\\"), "\x1b]8;;\x1b\\");
        let inside = written.split(&open).nth(1).and_then(|rest| rest.split(close).next());
        assert!(inside.is_some_and(|inside| inside.contains(CHUNKS)), "{written:?}");
    }
}
