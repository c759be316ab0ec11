//! The gallery of data types and the playground below it: type any dtype and fill value, see what becomes of it.

use super::{
    Scroll,
    action::{Motion, Step},
    input::{Edit, Input},
};
use crate::zarr::{
    Error, Format, Json, Registry,
    data_type::Resolved,
    spelling::{
        Row, Subject,
        gallery::{Card, cards},
        typed::{Typed, Wanted},
        values,
    },
};
use std::sync::Arc;

/// Which part has the keys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Part {
    /// The list of data types.
    #[default]
    List,
    /// The line for a dtype.
    DataType,
    /// The line for a fill value.
    FillValue,
}

/// The gallery and the playground.
#[derive(Debug, Clone)]
pub struct GalleryPage {
    /// Every data type.
    pub cards: Vec<Card>,
    /// The cursor over them.
    pub scroll: Scroll,
    /// Which part has the keys.
    pub part: Part,
    /// The dtype that is typed.
    pub data_type: Input,
    /// The fill value that is typed.
    pub fill_value: Input,
    /// What becomes of it: the rows, or why there are none.
    pub tried: Tried,
    /// What was searched for among the cards.
    pub needle: String,
    registry: Arc<Registry>,
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

impl GalleryPage {
    /// The gallery of `registry`.
    #[must_use]
    pub fn new(registry: Arc<Registry>) -> Self {
        let mut page = Self {
            cards: Vec::new(),
            scroll: Scroll::default(),
            part: Part::default(),
            data_type: Input::default(),
            fill_value: Input::default(),
            tried: Tried::Nothing,
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

    /// Moves over the list of cards, of which `height` are in sight.
    pub fn moved(&mut self, motion: Motion, count: Option<u64>, height: usize) {
        let len = self.cards.len();
        self.scroll = super::moving::list(self.scroll, motion, count, len, height);
        self.refresh();
    }

    /// Goes to the next card, or the one before, that has the needle in it, `height` cards being in sight; false where
    /// there is none.
    pub fn hit(&mut self, way: Step, height: usize) -> bool {
        let needle = self.needle.to_lowercase();
        let has = |card: &Card| {
            [&card.name, &card.v2, &card.v3].iter().any(|it| it.to_lowercase().contains(&needle))
        };
        let len = self.cards.len();
        let at = super::scroll::around(self.scroll.cursor(), len, way)
            .find(|&at| self.cards.get(at).is_some_and(has));
        let Some(at) = at.filter(|_| !needle.is_empty()) else { return false };
        self.scroll = self.scroll.at(at, len, height);
        self.refresh();
        true
    }

    /// Takes a click on a row of a gallery of this size: a card, and a second time into the playground; or a line to
    /// type into.
    pub fn clicked(&mut self, row: usize, size: super::Size) {
        let rows = list_rows(size);
        let visible = self.scroll.visible(rows);
        match row.checked_sub(1) {
            Some(at) if at < rows && visible.start + at < self.cards.len() => {
                let at = visible.start + at;
                let again = self.part == Part::List && self.scroll.cursor() == at;
                self.part = Part::List;
                self.scroll = self.scroll.on(at);
                if again { self.take() } else { self.refresh() }
            }
            // The rule between list and playground is there in between.
            Some(at) if at == rows + 1 => self.part = Part::DataType,
            Some(at) if at == rows + 2 => self.part = Part::FillValue,
            _ => {}
        }
    }

    /// Goes to the next part, or the one before.
    pub fn next_part(&mut self, forwards: bool) {
        self.part = match (self.part, forwards) {
            (Part::List, true) | (Part::FillValue, false) => Part::DataType,
            (Part::DataType, true) | (Part::List, false) => Part::FillValue,
            (Part::FillValue, true) | (Part::DataType, false) => Part::List,
        };
    }

    /// Changes the line that is typed.
    pub fn edit(&mut self, edit: Edit) {
        match self.part {
            Part::List => {}
            Part::DataType => self.data_type.edit(edit),
            Part::FillValue => self.fill_value.edit(edit),
        }
        self.refresh();
    }

    /// Takes the data type under the cursor into the playground.
    pub fn take(&mut self) {
        let Some(card) = self.selected() else { return };
        let text =
            match (card.data_type.to_v2(&card.data_type.default_order()), card.data_type.to_v3()) {
                (_, Ok(v3)) => text_of(&v3),
                (Ok(v2), Err(_)) => text_of(&v2.dtype),
                (Err(_), Err(_)) => card.name.clone(),
            };
        self.data_type = Input::new(text);
        self.part = Part::DataType;
        self.refresh();
    }

    fn refresh(&mut self) {
        self.tried = self.try_out();
    }

    /// What the typed text, or the card under the cursor, is in both formats.
    fn try_out(&self) -> Tried {
        let typed = self.data_type.text();
        let read = if typed.trim().is_empty() {
            match self.selected() {
                Some(card) => of_card(card),
                None => return Tried::Nothing,
            }
        } else {
            Wanted { text: &typed, object_codec: None, format: None, endian: None }
                .resolve(&self.registry)
        };
        match read {
            Ok(read) => self.rows_of(read),
            Err(error) => Tried::Refused(error),
        }
    }

    fn rows_of(&self, read: Typed) -> Tried {
        let text = self.fill_value.text();
        let fill = (!text.trim().is_empty()).then(|| read.fill_value(text.trim()));
        let subject = Subject::of_type(read.format, read.json, read.resolved, fill);
        let rows = values::rows(&subject);
        Tried::Rows(Box::new(subject), rows)
    }
}

/// The data type of a card, as V3 writes it, or V2 where V3 has no word for it.
fn of_card(card: &Card) -> Result<Typed, Error> {
    let order = card.data_type.default_order();
    let (format, value) = match (card.data_type.to_v3(), card.data_type.to_v2(&order)) {
        (Ok(v3), _) => (Format::V3, v3),
        (Err(_), Ok(v2)) => (Format::V2, v2.dtype),
        (Err(note), Err(_)) => return Err(Error::new(note.code, card.name.clone(), note.text)),
    };
    let json = Json::parse_str(&value.to_string())?;
    let data_type = Arc::clone(&card.data_type);
    Ok(Typed {
        format,
        json,
        resolved: Resolved { data_type, order, notes: Vec::new() },
        is_numpy: false,
    })
}

/// JSON as somebody would type it: a string without its quotes.
fn text_of(value: &serde_json::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Rows of the list of data types on a screen of `size`: the playground below it has up to 17.
#[must_use]
pub fn list_rows(size: super::Size) -> usize {
    let rows = size.rows().saturating_sub(4);
    rows.saturating_sub(17.min(rows * 2 / 3))
}
