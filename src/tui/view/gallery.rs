//! Every data type as both formats write it, and below the list a place to try one: the page to teach from.

mod element;
mod playground;

use crate::tui::prelude::*;
use playground::{PROSE, Playground};

/// The gallery of data types over the playground, where the row under the cursor may be explained in a pane of its own.
pub fn render(page: &GalleryPage, is_explained: bool, area: Rect, buf: &mut Buffer) {
    let rows = cells(page.list_rows(Size::new(area.width, area.height)));
    let [list, rest] = stacked(area, [Length(rows + 1), Fill(1)]);
    let columns = Columns::fit(&page.cards, area.width.into());
    let cards = page.scroll.in_sight(rows.into(), &page.cards);
    let focused = page.part == GalleryPart::List;
    let rows = cards.map(|(here, card)| columns.row(card, here, here && focused));
    iter::once(columns.head()).chain(rows).collect::<Text<'_>>().render(list, buf);
    Playground { page, is_explained }.render(rest, buf);
}

/// The width of each column: name, V2, V3, bytes, byte order, standing, default.
struct Columns([usize; 7]);
/// Columns between two columns.
const GAP: usize = 2;

impl Columns {
    /// As wide as the cards want; where that is too wide, the widest give way.
    fn fit(cards: &[Card], width: usize) -> Self {
        let widest = |text: fn(&Card) -> &str, head: &str| {
            widest(cards, |card| text(card).width()).max(head.len())
        };
        let (bytes, order) = (5, 5);
        let tight = width < 100;
        let default = if width < 140 { 14 } else { 24 };
        let most = if tight { [20, 16, 40, 0] } else { [40, 40, 60, default] };
        let mut wanted = [
            widest(|card| &card.name, "type"),
            widest(|card| &card.v2, "V2 dtype"),
            widest(|card| &card.v3, "V3 data_type"),
            widest(|card| &card.default, "default"),
        ];
        wanted.iter_mut().zip(most).for_each(|(wanted, most)| *wanted = (*wanted).min(most));
        let standing = "zarr-python".len();
        let room = width.saturating_sub(1 + bytes + order + standing + 6 * GAP);
        while wanted.iter().sum::<usize>() > room {
            let Some(widest) = wanted.iter_mut().max() else { break };
            if *widest <= 7 {
                break;
            }
            *widest -= 1;
        }
        // What is left goes between the formats, so that the table fills the screen as prose does.
        let spare = room.saturating_sub(wanted.iter().sum()).min(18) / 3;
        let [name, v2, v3, default] = wanted;
        Self([name + spare, v2 + spare, v3 + spare, bytes, order, standing, default])
    }

    fn head(&self) -> Line {
        let Self([_, _, room, ..]) = self;
        let v3 = ["V3 data_type", "V3 type"];
        let v3 = v3.into_iter().find(|head| head.len() <= *room).unwrap_or("V3");
        let cells = ["type", "V2 dtype", v3, "bytes", "order", "defined by", "default"];
        let cells = cells.into_iter().enumerate().map(|(at, text)| self.cell(at, text));
        Line::styled(format!(" {}", cells.collect::<String>()), TITLE)
    }

    fn row(&self, card: &Card, here: bool, focused: bool) -> Line {
        // Each with whether it says that there is nothing.
        let cells = [
            (card.name.as_str(), false),
            (&card.v2, card.v2 == NONE),
            (&card.v3, card.v3 == NONE),
            (&card.size, false),
            (card.order, card.order == signs::NONE),
            (card.standing, card.standing == signs::NONE),
            (&card.default, card.default.is_empty()),
        ];
        let mut spans = vec![theme::mark(here)];
        for (at, (text, is_missing)) in cells.into_iter().enumerate() {
            let cell = match text {
                NONE if is_missing => self.cell(at, &format!("{} {NONE}", signs::NO_EQUIVALENT)),
                "" if is_missing => self.cell(at, "empty"),
                text => self.cell(at, text),
            };
            let style = match (at, is_missing) {
                (0, _) => theme::row(here.then_some(focused)),
                (_, true) => QUIET,
                (_, false) => PLAIN,
            };
            // Only the text is lit, not the blanks after it.
            let shown = cell.trim_end().to_owned();
            let gap = " ".repeat(cell.len() - shown.len());
            spans.extend([styled(shown, style), Span::raw(gap)]);
        }
        Line::from(spans)
    }

    /// A text in a column, with the gap after it: bytes on the right, and nothing after the default.
    fn cell(&self, at: usize, text: &str) -> String {
        let width = self.0.get(at).copied().unwrap_or(0);
        let cell = match at {
            3 => right(text, width),
            6 => return cut(text, width),
            _ => left(text, width),
        };
        cell + &" ".repeat(GAP)
    }
}

/// The sign on a card where a format has no word for the type.
const NONE: &str = crate::zarr::spelling::NOTHING;
