//! Every data type as both formats write it, and below the list a place to try one: the page to teach from.

mod element;
mod playground;

use crate::tui::prelude::*;
use crate::zarr::spelling::gallery::Card;
use playground::{PROSE, Playground};

/// The gallery of data types over the playground.
pub struct GalleryView<'a> {
    /// The cards, and what is typed.
    pub page: &'a GalleryPage,
    /// True if the row under the cursor is explained in a pane of its own.
    pub is_explained: bool,
}

impl Widget for GalleryView<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        let rows = self.page.list_rows(Size::new(area.width, area.height));
        let rows = cells(rows);
        let [head, list, rest] = stacked(area, [Length(1), Length(rows), Fill(1)]);
        let columns = Columns::fit(&self.page.cards, area.width.into());
        columns.head().render(head, buf);
        self.list(&columns, list, buf);
        Playground { page: self.page, is_explained: self.is_explained }.render(rest, buf);
    }
}

impl GalleryView<'_> {
    fn list(&self, columns: &Columns, area: Rect, buf: &mut Buffer) {
        let scroll = self.page.scroll;
        let visible = scroll.visible(area.height.into());
        let cards = self.page.cards.iter().enumerate().skip(visible.start);
        for ((at, card), row) in cards.zip(area.rows()) {
            let here = at == scroll.cursor();
            let focused = here && self.page.part == GalleryPart::List;
            columns.row(card, here, focused).render(row, buf);
        }
    }
}

/// The width of each column.
struct Columns {
    name: usize,
    v2: usize,
    v3: usize,
    order: usize,
    standing: usize,
    default: usize,
}

/// Columns of `bytes`.
const BYTES: usize = 5;
/// Columns between two columns.
const GAP: usize = 2;

impl Columns {
    /// As wide as the cards want; where that is too wide, the widest give way.
    fn fit(cards: &[Card], width: usize) -> Self {
        let widest = |text: fn(&Card) -> &str, head: &str| {
            widest(cards, |card| text(card).width()).max(head.len())
        };
        let order = 5;
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
        let room = width.saturating_sub(1 + BYTES + order + standing + 6 * GAP);
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
        Self { name: name + spare, v2: v2 + spare, v3: v3 + spare, order, standing, default }
    }

    fn head(&self) -> Line {
        let v3 = ["V3 data_type", "V3 type"];
        let v3 = v3.into_iter().find(|head| head.len() <= self.v3).unwrap_or("V3");
        let cells = ["type", "V2 dtype", v3, "bytes", "order", "defined by", "default"];
        Line::styled(format!(" {}", self.join(cells).concat()), theme::TITLE)
    }

    fn row(&self, card: &Card, here: bool, focused: bool) -> Line {
        let cells = [
            &card.name,
            &card.v2,
            &card.v3,
            &card.size,
            card.order,
            card.standing,
            card.default.as_str(),
        ];
        let empty = card.default.is_empty();
        let (v2, v3) = (card.v2 == NONE, card.v3 == NONE);
        let missing =
            [false, v2, v3, false, card.order == signs::NONE, card.standing == signs::NONE, empty];
        let name = theme::row(here.then_some(focused));
        let mut spans = vec![theme::mark(here)];
        let marked = self.join(mark(cells, missing).each_ref().map(String::as_str));
        spans.extend(marked.into_iter().zip(missing).enumerate().flat_map(
            |(at, (text, quiet))| {
                let style = match (at, quiet) {
                    (0, _) => name,
                    (_, true) => theme::QUIET,
                    (_, false) => theme::PLAIN,
                };
                // Only the text is lit, not the blanks after it.
                let shown = text.trim_end().to_owned();
                let gap = text.len() - shown.len();
                [Span::styled(shown, style), Span::raw(" ".repeat(gap))]
            },
        ));
        Line::from(spans)
    }

    /// The cells, each with the gap after it.
    fn join(&self, cells: [&str; 7]) -> [String; 7] {
        let [name, v2, v3, bytes, order, standing, default] = cells;
        let gap = " ".repeat(GAP);
        [
            left(name, self.name) + &gap,
            left(v2, self.v2) + &gap,
            left(v3, self.v3) + &gap,
            right(bytes, BYTES) + &gap,
            left(order, self.order) + &gap,
            left(standing, self.standing) + &gap,
            cut(default, self.default),
        ]
    }
}

/// The sign on a card where a format has no word for the type.
const NONE: &str = crate::zarr::spelling::NOTHING;

/// The cells as text; one that says that there is nothing gets the sign for it.
fn mark(cells: [&str; 7], missing: [bool; 7]) -> [String; 7] {
    let mut marked = cells.map(str::to_owned);
    for (cell, missing) in marked.iter_mut().zip(missing) {
        if missing && cell == NONE {
            *cell = format!("{} {NONE}", signs::NO_EQUIVALENT);
        } else if missing && cell.is_empty() {
            "empty".clone_into(cell);
        }
    }
    marked
}
