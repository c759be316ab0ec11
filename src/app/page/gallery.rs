//! The gallery of data types and the playground below it: type any dtype and fill value, see what becomes of it.

use super::Page;
use crate::app::{
    Explained, Scroll, Shared, Size,
    action::{Direction, Motion},
    explained,
    input::{Edit, History, Input},
    layout::{PaneCell, gallery_part_at, gallery_rows},
    scroll::around,
};
use crate::zarr::{
    DataTypes, Error, Format,
    data_type::Resolved,
    spelling::{
        self, Row, Subject, Topic,
        gallery::{Card, cards},
        typed::{Typed, Wanted},
        values,
    },
};
use std::sync::Arc;

/// Which part has the keys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum GalleryPart {
    /// The list of data types.
    #[default]
    List,
    /// The line for a dtype.
    DataType,
    /// The line for a fill value.
    FillValue,
    /// The rows of what was typed, each to be explained.
    Rows,
}

impl GalleryPart {
    /// True if it is a line that is typed.
    #[must_use]
    pub fn is_typed(self) -> bool {
        matches!(self, Self::DataType | Self::FillValue)
    }
}

/// The gallery and the playground.
#[derive(Debug, Clone)]
pub struct GalleryPage {
    /// Every data type.
    pub cards: Vec<Card>,
    /// The cursor over them.
    pub scroll: Scroll,
    /// Which part has the keys.
    pub part: GalleryPart,
    /// The dtype that is typed.
    pub data_type: Input,
    /// The fill value that is typed.
    pub fill_value: Input,
    /// What becomes of it: the rows, or why there are none.
    pub tried: Tried,
    /// The row under the cursor.
    pub row: usize,
    /// What was searched for among the cards.
    pub needle: String,
    /// The data types and the fill values that were typed before.
    histories: [History; 2],
    registry: DataTypes,
}

/// What becomes of a typed data type.
#[derive(Debug, Clone)]
pub enum Tried {
    /// Nothing is typed: the card under the cursor is shown.
    Nothing,
    /// The rows of both formats.
    Rows(Box<Subject>, Vec<Row>),
    /// Why it is none, in either format.
    Refused(Error),
}

impl Page for GalleryPage {
    fn moved(&mut self, motion: Motion, count: Option<u64>, shared: &mut Shared) {
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
        if self.part == GalleryPart::Rows {
            return true;
        }
        self.take();
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
        let card = self.selected()?;
        Some(format!("{}\t{}\t{}", card.name, card.v2, card.v3))
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
    #[must_use]
    pub fn new(registry: DataTypes) -> Self {
        let mut page = Self {
            cards: Vec::new(),
            scroll: Scroll::default(),
            part: GalleryPart::default(),
            data_type: Input::default(),
            fill_value: Input::default(),
            tried: Tried::Nothing,
            row: 0,
            histories: <[History; 2]>::default(),
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
    #[must_use]
    pub fn selected(&self) -> Option<&Card> {
        self.cards.get(self.scroll.cursor())
    }

    /// Rows of the list of data types on a screen of `size`.
    #[must_use]
    pub fn list_rows(&self, size: Size) -> usize {
        gallery_rows(size, self.part == GalleryPart::List)
    }

    /// The row under the cursor, with what it is about; `None` where nothing has come of what was typed.
    #[must_use]
    pub fn selected_row(&self) -> Option<(&Subject, &Row)> {
        match &self.tried {
            Tried::Rows(subject, rows) => Some((subject, rows.get(self.row)?)),
            Tried::Nothing | Tried::Refused(_) => None,
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
    pub fn next_part(&mut self, forwards: bool) {
        self.remember();
        let has_rows = self.rows() > 0;
        self.part = match (self.part, forwards) {
            (GalleryPart::FillValue, true) | (GalleryPart::List, false) if has_rows => {
                GalleryPart::Rows
            }
            (GalleryPart::List, true) | (GalleryPart::FillValue, false) => GalleryPart::DataType,
            (GalleryPart::DataType, true) | (GalleryPart::Rows | GalleryPart::List, false) => {
                GalleryPart::FillValue
            }
            (GalleryPart::FillValue | GalleryPart::Rows, true) | (GalleryPart::DataType, false) => {
                GalleryPart::List
            }
        };
    }

    /// From one line to the other.
    pub fn other_line(&mut self) {
        self.remember();
        self.part = if self.part == GalleryPart::DataType {
            GalleryPart::FillValue
        } else {
            GalleryPart::DataType
        };
    }

    fn rows(&self) -> usize {
        match &self.tried {
            Tried::Rows(_, rows) => rows.len(),
            Tried::Nothing | Tried::Refused(_) => 0,
        }
    }

    /// The line that is typed, and what was typed there before.
    fn line(&mut self) -> Option<(&mut Input, &mut History)> {
        let [data_types, fill_values] = &mut self.histories;
        match self.part {
            GalleryPart::DataType => Some((&mut self.data_type, data_types)),
            GalleryPart::FillValue => Some((&mut self.fill_value, fill_values)),
            GalleryPart::List | GalleryPart::Rows => None,
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
        self.refresh();
        true
    }

    /// Changes the line that is typed.
    pub fn edit(&mut self, edit: Edit) {
        match self.part {
            GalleryPart::List | GalleryPart::Rows => {}
            GalleryPart::DataType => self.data_type.edit(edit),
            GalleryPart::FillValue => self.fill_value.edit(edit),
        }
        self.refresh();
    }

    /// Takes the data type under the cursor into the playground.
    pub fn take(&mut self) {
        let Some(card) = self.selected() else { return };
        let text =
            match (card.data_type.to_v2(&card.data_type.default_order()), card.data_type.to_v3()) {
                (_, Ok(v3)) => v3.unquoted(),
                (Ok(v2), Err(_)) => v2.dtype.unquoted(),
                (Err(_), Err(_)) => card.name.clone(),
            };
        self.data_type = Input::new(text);
        self.part = GalleryPart::DataType;
        self.refresh();
    }

    fn refresh(&mut self) {
        self.tried = self.try_out();
        self.row = self.row.min(self.rows().saturating_sub(1));
        if self.part == GalleryPart::Rows && self.rows() == 0 {
            self.part = GalleryPart::List;
        }
    }

    /// What the typed text, or the card under the cursor, is in both formats.
    fn try_out(&self) -> Tried {
        let typed = self.data_type.text();
        let (text, object_codec) = with_codec(&typed);
        let read = if text.is_empty() {
            match self.selected() {
                Some(card) => of_card(card),
                None => return Tried::Nothing,
            }
        } else {
            Wanted { text, object_codec, format: None, endian: None }.resolve(&self.registry)
        };
        match read {
            Ok(read) => self.rows_of(read, object_codec),
            Err(error) => Tried::Refused(error),
        }
    }

    fn rows_of(&self, read: Typed, object_codec: Option<&str>) -> Tried {
        let text = self.fill_value.text();
        let fill = (!text.trim().is_empty()).then(|| read.fill_value(text.trim()));
        let mut subject = Subject::of_type(read.format, read.json, read.resolved, fill);
        subject.object_codec = object_codec.map(str::to_owned);
        let rows = values::rows(&subject);
        Tried::Rows(Box::new(subject), rows)
    }
}

/// A data type as it is typed, and after a plus the object codec that a V2 `|O` needs: `|O + vlen-utf8`, as the list
/// writes it.
fn with_codec(typed: &str) -> (&str, Option<&str>) {
    match typed.split_once('+') {
        Some((dtype, codec)) if dtype.trim() == "|O" => (dtype.trim(), Some(codec.trim())),
        _ => (typed.trim(), None),
    }
}

/// What the rows of a card are about; `None` where no format has a word for it.
#[must_use]
pub fn subject_of(card: &Card) -> Option<Subject> {
    let read = of_card(card).ok()?;
    Some(Subject::of_type(read.format, read.json, read.resolved, None))
}

/// The data type of a card, as V3 writes it, or V2 where V3 has no word for it.
fn of_card(card: &Card) -> Result<Typed, Error> {
    let order = card.data_type.default_order();
    let (format, json) = match (card.data_type.to_v3(), card.data_type.to_v2(&order)) {
        (Ok(v3), _) => (Format::V3, v3),
        (Err(_), Ok(v2)) => (Format::V2, v2.dtype),
        (Err(note), Err(_)) => return Err(Error::new(note.code, card.name.clone(), note.text)),
    };
    let data_type = Arc::clone(&card.data_type);
    Ok(Typed {
        format,
        json,
        resolved: Resolved { data_type, order, notes: Vec::new() },
        is_numpy: false,
    })
}
