//! The gallery of data types and the playground below it: type any dtype and fill value, see what becomes of it.

use crate::app::layout::{gallery_part_at, gallery_rows};
use crate::app::prelude::*;
use crate::zarr::spelling::{self, gallery::cards, values};

mod element;
mod trying;

pub use element::TriedElement;
use trying::FilledFrom;
pub use trying::subject_of;

/// The part that has the keys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum GalleryPart {
    /// The list of data types.
    #[default]
    List,
    /// The line for a dtype.
    DataType,
    /// The line for a fill value.
    FillValue,
    /// The line for the bytes of an element.
    Bytes,
    /// The bits of these bytes.
    Bits,
    /// The rows of what was typed, each to be explained.
    Rows,
}

impl GalleryPart {
    /// True if it is a line that is typed.
    pub fn is_typed(self) -> bool {
        matches!(self, Self::DataType | Self::FillValue | Self::Bytes)
    }

    /// True if what is below the lines is the element, not the rows of both formats.
    pub fn shows_element(self) -> bool {
        matches!(self, Self::Bytes | Self::Bits)
    }
}

/// The parts in the order of Tab.
const PARTS: [GalleryPart; 6] = [
    GalleryPart::List,
    GalleryPart::DataType,
    GalleryPart::FillValue,
    GalleryPart::Bytes,
    GalleryPart::Bits,
    GalleryPart::Rows,
];

/// The gallery and the playground.
#[derive(Clone)]
pub struct GalleryPage {
    /// Every data type.
    pub cards: Vec<Card>,
    /// The cursor over them.
    pub scroll: Scroll,
    /// The part that has the keys.
    pub part: GalleryPart,
    /// The dtype that is typed.
    pub data_type: Input,
    /// The fill value that is typed.
    pub fill_value: Input,
    /// The bytes that are typed, in hex.
    pub bytes: Input,
    /// The result: the rows, or the reason why there are none.
    pub tried: TypeTrial,
    /// The element that the fill value or the bytes are, or why there is none.
    pub element: Result<TriedElement, String>,
    /// The line that the element is filled from.
    source: FilledFrom,
    /// The byte order of a data type that declares none.
    endian: Option<Endian>,
    /// The row under the cursor.
    pub row: usize,
    /// The text that was searched for among the cards.
    pub needle: String,
    /// The data types, the fill values and the bytes that were typed before.
    histories: [History; 3],
    registry: DataTypes,
}

/// The result of a typed data type.
#[derive(Clone)]
pub enum TypeTrial {
    /// Nothing is typed: the card under the cursor is shown.
    Nothing,
    /// The rows of both formats.
    Rows(Box<Subject>, Vec<Row>),
    /// The reason why it is none, in either format.
    Refused(Error),
}

impl Page for GalleryPage {
    fn moved(&mut self, motion: Motion, count: Option<u64>, shared: &mut Shared) {
        if self.part == GalleryPart::Bits {
            return self.step(motion);
        }
        if self.part == GalleryPart::Rows {
            let (scroll, len) = (Scroll::default().on(self.row), self.rows());
            self.row = scroll.in_list(motion, count, len, len).cursor();
            return;
        }
        let height = self.list_rows(shared.geometry.whole);
        self.scroll = self.scroll.in_list(motion, count, self.cards.len(), height);
        self.refresh();
    }

    /// Takes a click on a card, and a second time into the playground; or on a line to type into.
    fn clicked(&mut self, at: PaneCell, shared: &mut Shared) -> bool {
        let rows = self.list_rows(shared.geometry.whole);
        match gallery_part_at(at.row, rows) {
            Some(GalleryPart::List) => {
                let row = self.scroll.row_at(at.row.checked_sub(1), rows, self.cards.len());
                if row.is_some() {
                    let was_list = self.part == GalleryPart::List;
                    let again = self.scroll.select(row) && was_list;
                    self.part = GalleryPart::List;
                    if again { self.take() } else { self.refresh() }
                }
            }
            Some(part) => self.part = part,
            None => {}
        }
        false
    }

    fn opened(&mut self, _shared: &mut Shared) -> bool {
        match self.part {
            GalleryPart::Rows => return true,
            GalleryPart::Bits => self.flip(),
            _ => self.take(),
        }
        false
    }

    fn searched(&mut self, line: &str, shared: &mut Shared) {
        line.clone_into(&mut self.needle);
        self.next_match(Direction::Next, shared);
    }

    fn next_match(&mut self, way: Direction, shared: &mut Shared) {
        if !self.go_to_match(way, self.list_rows(shared.geometry.whole)) {
            shared.fail("no data type matches by name or form");
        }
    }

    fn copied(&self, _shared: &Shared) -> Option<String> {
        if self.part == GalleryPart::Bits {
            return Some(self.element.as_ref().ok()?.value()?.to_string());
        }
        let card = self.selected()?;
        Some(format!("{}\t{}\t{}", card.name, card.v2, card.v3))
    }

    fn acted(&mut self, action: Action, shared: &mut Shared) {
        match action {
            Action::FlipBit => self.flip(),
            Action::SwapBytes => self.swap(shared),
            Action::OtherOrder => self.change_order(shared),
            _ => {}
        }
    }

    /// A row of the playground; else the data type under the cursor of the list: its names, what an element is.
    fn explained(&self, _shared: &Shared) -> Option<Explained> {
        if self.part == GalleryPart::Rows {
            let (subject, row) = self.selected_row()?;
            return Some(explained::of_row(row, &spelling::explain(row, subject)));
        }
        let card = self.selected()?;
        let subject = subject_of(card)?;
        let mut explained = Explained::new(card.name.clone(), Vec::new());
        let rows = values::rows(&subject);
        let told = |topic: Topic| rows.iter().find(|row| row.topic == topic);
        for row in [Topic::DataType, Topic::Element].into_iter().filter_map(told) {
            let part = explained::of_row_alone(row, &spelling::explain(row, &subject));
            explained.table.extend(part.table);
            explained.paragraphs.extend(part.paragraphs);
        }
        explained.paragraphs.retain(|text| !text.starts_with("Source: "));
        Some(explained)
    }
}

impl GalleryPage {
    /// The gallery of `registry`.
    pub fn new(registry: DataTypes) -> Self {
        let mut page = Self {
            cards: Vec::new(),
            scroll: Scroll::default(),
            part: GalleryPart::default(),
            data_type: Input::default(),
            fill_value: Input::default(),
            bytes: Input::default(),
            tried: TypeTrial::Nothing,
            element: Err(String::new()),
            source: FilledFrom::default(),
            endian: None,
            row: 0,
            histories: <[History; 3]>::default(),
            needle: String::new(),
            registry,
        };
        page.refresh();
        page
    }

    /// Makes the cards; they are made when the gallery is first opened, not when the program starts.
    pub fn open(&mut self) {
        if self.cards.is_empty() {
            self.cards = cards(&self.registry);
            self.refresh();
        }
    }

    /// The card under the cursor.
    pub fn selected(&self) -> Option<&Card> {
        self.cards.get(self.scroll.cursor())
    }

    /// Rows of the list of data types on a screen of `size`.
    pub fn list_rows(&self, size: Size) -> usize {
        gallery_rows(size, self.part == GalleryPart::List)
    }

    /// The row under the cursor, with what it is about; `None` where nothing has come of what was typed.
    pub fn selected_row(&self) -> Option<(&Subject, &Row)> {
        match &self.tried {
            TypeTrial::Rows(subject, rows) => Some((subject, rows.get(self.row)?)),
            TypeTrial::Nothing | TypeTrial::Refused(_) => None,
        }
    }

    /// Goes to the next card, or the one before, that has the needle in it, `height` cards being in sight; false where
    /// there is none.
    fn go_to_match(&mut self, way: Direction, height: usize) -> bool {
        let needle = self.needle.to_lowercase();
        let has = |card: &Card| {
            [&card.name, &card.v2, &card.v3].iter().any(|it| it.to_lowercase().contains(&needle))
        };
        let len = self.cards.len();
        let at =
            around(self.scroll.cursor(), len, way).find(|&at| self.cards.get(at).is_some_and(has));
        let Some(at) = at.filter(|_| !needle.is_empty()) else { return false };
        self.scroll = self.scroll.at(at, len, height);
        self.refresh();
        true
    }

    /// Goes to the next part, or the one before; rows that are not there are passed over.
    pub fn next_part(&mut self, way: Direction) {
        self.remember();
        let at = PARTS.iter().position(|part| *part == self.part).unwrap_or(0);
        let mut next = around(at, PARTS.len(), way).filter_map(|at| PARTS.get(at).copied());
        let is_there = |part: &GalleryPart| match part {
            GalleryPart::Bits => self.element.is_ok(),
            GalleryPart::Rows => self.rows() > 0,
            _ => true,
        };
        self.part = next.find(is_there).unwrap_or_default();
    }

    /// From one line to the next.
    pub fn next_line(&mut self) {
        self.remember();
        self.part = match self.part {
            GalleryPart::DataType => GalleryPart::FillValue,
            GalleryPart::FillValue => GalleryPart::Bytes,
            _ => GalleryPart::DataType,
        };
    }

    fn rows(&self) -> usize {
        match &self.tried {
            TypeTrial::Rows(_, rows) => rows.len(),
            TypeTrial::Nothing | TypeTrial::Refused(_) => 0,
        }
    }

    /// The line that is typed, and what was typed there before.
    fn line(&mut self) -> Option<(&mut Input, &mut History)> {
        let [data_types, fill_values, bytes] = &mut self.histories;
        match self.part {
            GalleryPart::DataType => Some((&mut self.data_type, data_types)),
            GalleryPart::FillValue => Some((&mut self.fill_value, fill_values)),
            GalleryPart::Bytes => Some((&mut self.bytes, bytes)),
            GalleryPart::List | GalleryPart::Bits | GalleryPart::Rows => None,
        }
    }

    /// Keeps the line that is typed for later.
    fn remember(&mut self) {
        if let Some((input, history)) = self.line() {
            history.push(&input.text());
        }
    }

    /// The line typed before this one, or after it; false where there is none.
    pub fn recall(&mut self, way: Direction) -> bool {
        let Some((input, history)) = self.line() else { return false };
        let line = match way {
            Direction::Previous => history.older_than(&input.text()),
            Direction::Next => history.newer(),
        };
        let Some(line) = line else { return false };
        *input = Input::new(line);
        self.typed();
        self.refresh();
        true
    }

    /// Changes the line that is typed.
    pub fn edit(&mut self, edit: LineEdit) {
        if let Some((input, _)) = self.line() {
            input.edit(edit);
        }
        self.typed();
        self.refresh();
    }

    /// Fills the element from the line that is typed now.
    fn typed(&mut self) {
        match self.part {
            GalleryPart::FillValue => self.source = FilledFrom::FillValue,
            GalleryPart::Bytes => self.source = FilledFrom::Bytes,
            _ => {}
        }
    }
}
