//! The result of the text that is typed in the playground.

use super::{TriedElement, TypeTrial};
use crate::app::prelude::*;
use crate::{
    app::search,
    zarr::{
        Result,
        data_type::Resolved,
        spelling::{
            typed::{Typed, WantedType},
            values,
        },
        words::hex,
    },
};

/// The line that says what the element is; the other one is filled from it.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum FilledFrom {
    /// The fill value.
    #[default]
    FillValue,
    /// The bytes.
    Bytes,
}

impl GalleryPage {
    /// Takes the data type under the cursor into the playground.
    pub fn take(&mut self) {
        let Some(card) = self.selected() else { return };
        let text =
            match (card.data_type.to_v2(&card.data_type.default_order()), card.data_type.to_v3()) {
                (_, Ok(v3)) => v3.unquoted(),
                (Ok(v2), Err(_)) => v2.dtype.unquoted(),
                (Err(_), Err(_)) => card.name.clone(),
            };
        self.data_type = Input::offered(text);
        self.part = GalleryPart::DataType;
        self.refresh();
    }

    /// Takes an element of a chunk into the playground: its data type as its array's format writes it, and its bytes.
    pub fn bring(&mut self, elements: &Elements, format: Format, bytes: &[u8]) {
        let (data_type, order) = (elements.data_type(), elements.order());
        let v2 = |form: crate::zarr::data_type::V2Form| match form.object_codec {
            Some(codec) => format!("{} + {codec}", form.dtype.unquoted()),
            None => form.dtype.unquoted(),
        };
        let [v2, v3] = [data_type.to_v2(order).map(v2), data_type.to_v3().map(|v3| v3.unquoted())];
        let forms = if format == Format::V2 { [v2, v3] } else { [v3, v2] };
        let text = forms.into_iter().find_map(Result::ok);
        self.data_type = Input::new(text.unwrap_or_else(|| data_type.name()));
        self.endian = order.uniform();
        self.bytes = Input::new(hex(bytes, " "));
        self.source = FilledFrom::Bytes;
        self.part = GalleryPart::Bits;
        self.refresh();
        if self.element.is_err() {
            self.part = GalleryPart::Bytes;
        }
    }

    pub(super) fn refresh(&mut self) {
        let bit = self.element.as_ref().map_or((0, 0), |element| (element.component, element.bit));
        self.element = Err("Type a data type first.".into());
        self.tried = self.try_out();
        self.row = self.row.min(self.rows().saturating_sub(1));
        if self.part == GalleryPart::Rows && self.rows() == 0 {
            self.part = GalleryPart::List;
        }
        match &mut self.element {
            Ok(element) => element.place(bit),
            Err(_) if self.part == GalleryPart::Bits => self.part = GalleryPart::Bytes,
            Err(_) => {}
        }
    }

    /// Shows these bytes of an element, and what they are in the other lines.
    pub(super) fn set_bytes(&mut self, bytes: &[u8]) {
        self.bytes = Input::new(hex(bytes, " "));
        self.source = FilledFrom::Bytes;
        self.refresh();
    }

    /// The typed text, or the card under the cursor, in both formats.
    fn try_out(&mut self) -> TypeTrial {
        let typed = self.data_type.text();
        let (text, object_codec) = with_codec(&typed);
        let read = if text.is_empty() {
            match self.selected() {
                Some(card) => of_card(card),
                None => return TypeTrial::Nothing,
            }
        } else {
            WantedType { text, object_codec, format: None, endian: None }.resolve(&self.registry)
        };
        match read {
            Ok(read) => self.rows_of(self.in_order(read), object_codec),
            Err(error) => TypeTrial::Refused(error),
        }
    }

    /// A data type that declares no byte order has the one that was chosen.
    fn in_order(&self, mut read: Typed) -> Typed {
        let order = &mut read.resolved.order;
        if let Some(endian) = self.endian.filter(|_| read.format == Format::V3 && order.applies()) {
            *order = ByteOrder::All(endian);
        }
        read
    }

    fn rows_of(&mut self, read: Typed, object_codec: Option<&str>) -> TypeTrial {
        if self.source == FilledFrom::Bytes && !self.bytes.is_empty() {
            self.element = self.of_bytes(&read);
            let element = self.element.as_ref().ok();
            let json = element.and_then(|element| element.fill_json(read.format).ok());
            self.fill_value = Input::new(json.unwrap_or_default());
        }
        let text = self.fill_value.text();
        let fill = (!text.trim().is_empty()).then(|| read.fill_value(text.trim()));
        if self.source == FilledFrom::FillValue || self.bytes.is_empty() {
            self.element = of_fill(&read, fill.as_ref());
            let of_fill = self.element.as_ref().ok().filter(|_| fill.is_some());
            self.bytes = Input::new(of_fill.map_or_else(String::new, |it| hex(&it.bytes, " ")));
        }
        let mut subject = Subject::of_type(read.format, read.json, read.resolved, fill);
        subject.object_codec = object_codec.map(str::to_owned);
        let rows = values::rows(&subject);
        TypeTrial::Rows(Box::new(subject), rows)
    }

    /// The element that the typed bytes are.
    fn of_bytes(&self, read: &Typed) -> Result<TriedElement, String> {
        let Resolved { data_type, order, .. } = &read.resolved;
        let bytes = search::hex(&self.bytes.text()).map_err(|error| error.to_string())?;
        TriedElement::new(data_type, order, bytes)
    }

    /// The bytes the other way round, in the same byte order: what a reader of the wrong byte order would see.
    pub(super) fn swap(&mut self, shared: &mut Shared) {
        let Ok(element) = &self.element else { return };
        match element.swapped_bytes() {
            Some(bytes) => self.set_bytes(&bytes),
            None => shared.fail("this data type has no byte order: there is nothing to swap"),
        }
    }

    /// Reads and writes in the other byte order, where the data type itself declares none.
    pub(super) fn change_order(&mut self, shared: &mut Shared) {
        let TypeTrial::Rows(subject, _) = &self.tried else { return };
        match (subject.order().uniform(), subject.stored) {
            (Some(endian), Format::V3) => {
                self.endian = Some(endian.other());
                self.refresh();
            }
            (Some(_), Format::V2) => {
                shared.say("the data type declares its byte order: type < or > in it");
            }
            (None, _) => shared.fail("this data type has no single byte order to change"),
        }
    }
}

/// The element that the fill value is, or the default scalar where none is typed.
fn of_fill(read: &Typed, fill: Option<&FillValue>) -> Result<TriedElement, String> {
    let Resolved { data_type, order, .. } = &read.resolved;
    let scalar = match fill {
        None | Some(FillValue::Null | FillValue::Missing) => data_type.default_scalar(),
        Some(FillValue::Value { scalar, .. }) => scalar.clone(),
        Some(FillValue::Unreadable { .. }) => {
            return Err("The data type cannot hold this fill value.".into());
        }
    };
    let bytes = data_type.encode(&scalar, order).map_err(|error| error.to_string())?;
    TriedElement::new(data_type, order, bytes)
}

/// A data type as it is typed, and after a plus the object codec that a V2 `|O` needs: `|O + vlen-utf8`, as the list
/// writes it.
fn with_codec(typed: &str) -> (&str, Option<&str>) {
    match typed.split_once('+') {
        Some((dtype, codec)) if dtype.trim() == "|O" => (dtype.trim(), Some(codec.trim())),
        _ => (typed.trim(), None),
    }
}

/// The subject of the rows of a card; `None` where no format has a word for it.
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
