//! The layout of the twin columns: the width of each column, the number of lines of each row.
//!
//! Both formats have the same room, whatever is in them, so that nothing jumps from array to array. Cells are
//! wrapped as far as there is room for it; what is cut is said in full elsewhere. Where two columns would be too
//! narrow for values, the cells of a row are below each other.

use crate::app::prelude::*;
use unicode_width::UnicodeWidthChar;

/// Columns of the labels where there is room; a longer label widens them.
const LABEL: usize = 16;
/// Columns that are no cell: the mark, the gap after the label, the sign with its blanks.
const GAPS: usize = 1 + 2 + SIGN;

/// Cells narrower than this would cut a number of 64 bits: they are below each other instead.
const NARROWEST: usize = 20;

/// The places of the cells of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellPlaces {
    /// V2 on the left, V3 on the right, the sign between them.
    Columns,
    /// V2 above V3, each after the name of its format, the sign before them.
    Stacked,
    /// One cell as wide as both columns, the sign before it: both formats say the same.
    Once,
    /// One cell as wide as both columns, without a sign: no comparison.
    Sentence,
}

/// Rows of the twin columns, laid out.
#[derive(Clone)]
pub struct Twins {
    /// Columns of the labels.
    pub label: usize,
    /// Columns of the V2 cells.
    pub v2: usize,
    /// Columns of the V3 cells.
    pub v3: usize,
    /// The places of the cells of each row.
    places: Vec<CellPlaces>,
    /// The lines of both cells of each row; of one cell where it takes the room of both.
    cells: Vec<[Vec<String>; 2]>,
}

/// A part of a line, after the label.
#[derive(Debug, Clone, Copy)]
pub enum TwinPart<'a> {
    /// The sign of the row with a blank on either side, on its first line; blanks on the others.
    Sign,
    /// The name of a format, or blanks, in three columns.
    Name(&'static str),
    /// A cell, and its columns.
    Cell(&'a str, usize),
}

/// The columns of the sign between the cells.
const SIGN: usize = 3;
/// The columns of the name of a format and its blank, before a cell that is above or below the other.
const NAME: usize = 3;

impl Twins {
    /// Lays out `rows` at `width` columns on at most `height` lines: every row on as many lines as it wants up to a
    /// number that is the same for all, and at least on one.
    pub fn fit(rows: &[Row], width: usize, height: usize) -> Self {
        let longest = words::widest(rows, |row| row.label.width());
        let label = LABEL.max(longest).min(width / 4);
        let room = width.saturating_sub(label + GAPS);
        Self::laid_out(rows, [label, room / 2, room - room / 2], height)
    }

    /// Lays out `rows` at `width` columns on as many lines as they want, without marks: the labels are whole, and of the
    /// rest the V2 cells have no more than they need for all of them, and at least `least`, on one line each.
    pub fn whole(rows: &[Row], width: usize, least: usize) -> Self {
        let widest = |cell: fn(&Row) -> &str| words::widest(rows, |row| cell(row).width());
        let label = widest(|row| &row.label);
        let (v2, v3) = (widest(|row| &row.v2).max(least), widest(|row| &row.v3).max(least));
        let room = width.saturating_sub(label + 2 + SIGN);
        let v2 = if v2 + v3 <= room { v2 } else { v2.min(room.saturating_sub(v3).max(room / 2)) };
        Self::laid_out(rows, [label, v2, room - v2], usize::MAX)
    }

    /// Lays out `rows` in columns of these widths.
    fn laid_out(rows: &[Row], [label, v2, v3]: [usize; 3], height: usize) -> Self {
        let width = label + v2 + v3 + GAPS;
        let places: Vec<_> = rows.iter().map(|row| places_of(row, v2)).collect();
        let empty = Self { label, v2, v3, places, cells: Vec::new() };
        let seen = height.saturating_add(2).saturating_mul(width);
        let within = |most: usize| {
            let lines = |(at, row): (usize, &Row)| {
                let cell = |side: usize, text: &str| {
                    lines_within(start_of(text, seen), empty.cell_width(at, side), most)
                };
                match empty.places_of(at) {
                    CellPlaces::Once | CellPlaces::Sentence => [cell(0, &row.v2), Vec::new()],
                    CellPlaces::Columns | CellPlaces::Stacked => {
                        [cell(0, &row.v2), cell(1, &row.v3)]
                    }
                }
            };
            Self { cells: rows.iter().enumerate().map(lines).collect(), ..empty.clone() }
        };
        let whole = within(usize::MAX);
        let most = (1..=height).rev().find(|most| whole.height_within(*most) <= height);
        within(most.unwrap_or(1))
    }

    /// The number of lines all rows are on where none is on more than `most`.
    fn height_within(&self, most: usize) -> usize {
        let lines = |at| match (self.cells(at), self.places_of(at)) {
            (Some([v2, v3]), CellPlaces::Stacked) => v2.len().min(most) + v3.len().min(most),
            _ => self.lines_of(at).min(most),
        };
        (0..self.cells.len()).map(lines).sum()
    }

    /// The places of the cells of row `at`.
    pub fn places_of(&self, at: usize) -> CellPlaces {
        self.places.get(at).copied().unwrap_or(CellPlaces::Columns)
    }

    /// The columns of a cell of row `at`: that of V2 is 0, that of V3 is 1.
    pub fn cell_width(&self, at: usize, side: usize) -> usize {
        match (self.places_of(at), side) {
            (CellPlaces::Columns, 0) => self.v2,
            (CellPlaces::Columns, _) => self.v3,
            (CellPlaces::Stacked, _) => self.v2 + SIGN + self.v3 - NAME - 1,
            (CellPlaces::Once, _) => self.v2 + SIGN + self.v3 - 1,
            (CellPlaces::Sentence, _) => self.v2 + SIGN + self.v3,
        }
    }

    /// The lines of both cells of row `at`. The last line of a cell is longer than its column where it has no room.
    pub fn cells(&self, at: usize) -> Option<&[Vec<String>; 2]> {
        self.cells.get(at)
    }

    /// The parts of a line of row `at`, from left to right after the label.
    pub fn parts(&self, at: usize, line: usize) -> Vec<TwinPart<'_>> {
        let cell = |side: usize, line: usize| {
            let lines = self.cells(at).and_then(|cells| cells.get(side));
            let text = lines.and_then(|lines| lines.get(line)).map_or("", String::as_str);
            TwinPart::Cell(text, self.cell_width(at, side))
        };
        match self.places_of(at) {
            CellPlaces::Columns => {
                vec![TwinPart::Cell("", 2), cell(0, line), TwinPart::Sign, cell(1, line)]
            }
            CellPlaces::Stacked => {
                let above = self.cells(at).map_or(0, |[v2, _]| v2.len());
                let (side, format, line) = match line.checked_sub(above) {
                    None => (0, Format::V2, line),
                    Some(line) => (1, Format::V3, line),
                };
                let name = TwinPart::Name(if line == 0 { format.name() } else { "" });
                vec![TwinPart::Sign, name, cell(side, line)]
            }
            CellPlaces::Once => vec![TwinPart::Sign, cell(0, line)],
            CellPlaces::Sentence => vec![TwinPart::Cell("", 2), cell(0, line)],
        }
    }

    /// True if a cell of row `at` has no room for all of its text.
    pub fn is_cut(&self, at: usize) -> bool {
        self.cells(at).is_some_and(|cells| {
            cells.iter().enumerate().any(|(side, lines)| {
                lines.iter().any(|line| line.width() > self.cell_width(at, side))
            })
        })
    }

    /// The number of lines row `at` is on.
    pub fn lines_of(&self, at: usize) -> usize {
        self.cells(at).map_or(0, |[v2, v3]| match self.places_of(at) {
            CellPlaces::Stacked => v2.len() + v3.len(),
            _ => v2.len().max(v3.len()),
        })
    }

    /// The number of lines all rows are on.
    pub fn height(&self) -> usize {
        (0..self.cells.len()).map(|at| self.lines_of(at)).sum()
    }

    /// The first row to be drawn on `height` lines if row `cursor` is to be in sight.
    pub fn first(&self, cursor: usize, height: usize) -> usize {
        let mut used = 0;
        let fits = (0..=cursor).rev().take_while(|&at| {
            used += self.lines_of(at);
            used <= height
        });
        fits.last().unwrap_or(cursor)
    }

    /// The number of lines that rows from `first` on take of `height`: half of a row would be one format without the
    /// other, so only the first may be there in part.
    pub fn lines_from(&self, first: usize, height: usize) -> usize {
        let mut end = 0;
        let ends = (first..self.cells.len()).map(|at| {
            end += self.lines_of(at);
            end
        });
        ends.take_while(|end| *end <= height).last().unwrap_or(height)
    }

    /// The row that is drawn on line `line` if row `first` is the topmost.
    pub fn row_at(&self, first: usize, line: usize) -> Option<usize> {
        let mut end = 0;
        (first..self.cells.len()).find(|&at| {
            end += self.lines_of(at);
            line < end
        })
    }
}

/// The places of the cells of a row, where the column of V2 would have `width` columns.
fn places_of(row: &Row, width: usize) -> CellPlaces {
    let is_narrow = width < NARROWEST;
    let is_said_once = row.join == Join::Same && row.v2 == row.v3;
    match row.topic {
        Topic::Readers => CellPlaces::Sentence,
        // A text that both columns would cut, or wrap, has the room of both.
        _ if is_said_once && (is_narrow || row.v2.width() > width) => CellPlaces::Once,
        _ if is_narrow => CellPlaces::Stacked,
        _ => CellPlaces::Columns,
    }
}

/// As much of `text` as could be on a screen of `cells` cells, and a good deal more, so that what is cut is known to
/// be: a document may hold a text of many megabytes, and this is done for every frame.
fn start_of(text: &str, cells: usize) -> &str {
    let end = text.char_indices().nth(cells.saturating_mul(4)).map_or(text.len(), |(at, _)| at);
    text.get(..end).unwrap_or(text)
}

/// `text` on lines of at most `width` columns: broken after blanks and the punctuation of JSON, else where it must.
pub fn lines(text: &str, width: usize) -> Vec<String> {
    lines_within(text, width, usize::MAX)
}

/// The same on at most `most` lines, the last of which goes on for as long as it must.
fn lines_within(text: &str, width: usize, most: usize) -> Vec<String> {
    let mut lines = broken(text, width.max(2));
    if lines.len() > most {
        let rest = lines.split_off(most.saturating_sub(1));
        lines.push(rest.concat());
    }
    lines.into_iter().map(|line| line.trim_end_matches(' ').to_owned()).collect()
}

/// The lines with the blanks after them: together they are the text.
fn broken(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut used = 0;
    for piece in pieces(text) {
        if used > 0 && used + piece.trim_end_matches(' ').width() > width {
            lines.push(String::new());
            used = 0;
        }
        for c in piece.chars() {
            let columns = c.width().unwrap_or(0);
            if c != ' ' && used + columns > width {
                lines.push(String::new());
                used = 0;
            }
            used += columns;
            if let Some(line) = lines.last_mut() {
                line.push(c);
            }
        }
    }
    lines
}

/// The text up to and with each place where a line may end: a blank, a comma, an arrow, the colon after a key. In a sentence
/// a comma between digits is part of a number.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut before = ' ';
    let is_sentence = !text.contains(['[', '{']);
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let is_in_number = is_sentence && rest.peek().is_some_and(char::is_ascii_digit);
        if let Some(piece) = pieces.last_mut() {
            piece.push(c);
        }
        let is_comma = c == ',' && !(is_in_number && before.is_ascii_digit());
        if is_comma || matches!(c, ' ' | '→') || (before, c) == ('"', ':') {
            pieces.push(String::new());
        }
        before = c;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rows() -> Vec<Row> {
        let long = r#"{"name":"numpy.datetime64","configuration":{"unit":"us"}}"#;
        vec![
            Row::new(Topic::DataType, "data type", "\">M8[us]\"", long),
            Row::new(Topic::FillValue, "fill value", "0", "0"),
            Row::new(Topic::FillBytes, "bytes", "big 00 01   little 01 00", "the same"),
        ]
    }

    #[test]
    fn a_longer_label_widens_the_labels_up_to_a_quarter() {
        let mut rows = rows();
        rows.push(Row::new(Topic::ChunkKey, "chunk key [0,0,0,1]", "0/0/0/1", "c/0/0/0/1"));
        assert_eq!(Twins::fit(&rows, 100, 9).label, 19);
        assert_eq!(Twins::fit(&rows, 60, 9).label, 15);
    }

    #[test]
    fn cells_are_wrapped_where_all_have_room() {
        let twins = Twins::fit(&rows(), 69, 9);
        assert_eq!((twins.label, twins.v2, twins.v3), (16, 23, 24));
        let [_, v3] = twins.cells(0).unwrap();
        let expected =
            ["{\"name\":", "\"numpy.datetime64\",", "\"configuration\":{\"unit\":", "\"us\"}}"];
        assert_eq!(v3, &expected);
        assert_eq!((twins.lines_of(0), twins.lines_of(1), twins.height()), (4, 1, 7));
        assert!(!twins.is_cut(0));
        assert_eq!(
            [0, 3, 4, 5, 6, 7].map(|line| twins.row_at(0, line)),
            [Some(0), Some(0), Some(1), Some(2), Some(2), None]
        );
        assert_eq!((twins.first(0, 3), twins.first(2, 3), twins.first(2, 7)), (0, 1, 0));
        assert_eq!([3, 4, 5, 6, 7].map(|height| twins.lines_from(0, height)), [3, 4, 5, 5, 7]);
        let cut = |height| {
            let twins = Twins::fit(&rows(), 69, height);
            (twins.height(), [0, 1, 2].map(|at| twins.is_cut(at)))
        };
        assert_eq!(cut(6), (6, [true, false, false]));
        assert_eq!(cut(4), (3, [true, false, true]));
        assert_eq!(cut(0), (3, [true, false, true]));
    }

    #[test]
    fn narrow_cells_are_below_each_other_and_equal_ones_are_there_once() {
        let mut rows = rows();
        rows.push(Row::new(Topic::Element, "element", "4 bytes, a number", "4 bytes, a number"));
        let places = |width| {
            let twins = Twins::fit(&rows, width, 20);
            [0, 1, 3].map(|at| (twins.places_of(at), twins.lines_of(at)))
        };
        let (stacked, columns) = (CellPlaces::Stacked, CellPlaces::Columns);
        let once = CellPlaces::Once;
        assert_eq!(places(58), [(stacked, 3), (once, 1), (once, 1)]);
        assert_eq!(places(69), [(columns, 4), (columns, 1), (columns, 1)]);
        assert_eq!(places(63)[2], (columns, 1));
    }

    /// A struct of a million fields is a text of 40 MB: it took two seconds for each key.
    #[test]
    fn a_text_of_megabytes_costs_what_is_seen_of_it() {
        let text = r#"{"name":"f","data_type":"int16"},"#.repeat(30_000);
        let twins = Twins::fit(&[Row::new(Topic::DataType, "data type", &text, &text)], 80, 20);
        assert!(twins.is_cut(0) && twins.height() == 20);
        let kept: usize = twins.cells(0).unwrap().iter().flatten().map(String::len).sum();
        assert!(kept < 20_000, "{kept}");
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_no_line_is_too_long(text in "\\PC{0,60}", width in 2_usize..30) {
            let lines = lines(&text, width);
            let bare = |text: &str| text.chars().filter(|c| *c != ' ').collect::<String>();
            prop_assert_eq!(bare(&lines.concat()), bare(&text));
            prop_assert!(lines.iter().all(|line| line.width() <= width));
        }
    }
}
