//! The cells of the table of chunks.

use crate::tui::prelude::*;
use crate::{
    app::page::chunk_table::SameBytes, tui::view::to_the_minute, zarr::statistics::Extreme,
};

/// The sign for a figure that is not applicable, or not to be known.
const NONE: &str = "–";
/// The sign for a figure that is being found out.
const UNKNOWN: &str = "…";

/// A cell: a sign before what it says, and how that looks.
pub(super) struct SignedCell {
    pub(super) mark: &'static str,
    pub(super) text: String,
    pub(super) style: Style,
}

impl SignedCell {
    fn new(text: impl Into<String>, style: Style) -> Self {
        Self { mark: "", text: text.into(), style }
    }

    fn plain(text: impl Into<String>) -> Self {
        Self::new(text, PLAIN)
    }

    fn none() -> Self {
        Self::new(NONE, QUIET)
    }

    pub(super) fn width(&self) -> usize {
        self.mark.width() + self.text.width()
    }
}

/// True if the column is aligned at its right.
pub(super) fn is_right(column: TableColumn) -> bool {
    !matches!(
        column,
        TableColumn::Key | TableColumn::Checksum | TableColumn::Order | TableColumn::Same
    )
}

/// The sources of the cells.
pub(super) struct CellContext<'a> {
    pub(super) table: &'a ChunkRows,
    pub(super) presence: &'a Presence,
    /// The packing, where numbers are shown as the attributes mean them.
    pub(super) packing: Option<Packing>,
}

impl CellContext<'_> {
    /// The cell of a row.
    pub(super) fn cell(&self, column: TableColumn, row: &ChunkRow) -> SignedCell {
        if column == TableColumn::Key {
            return SignedCell::plain(safe_owned(&self.table.key(row.index)));
        }
        let Some(figures) = row.figures else { return self.unread(column, row) };
        let mut cell = self.of_figures(column, figures, row.group);
        if row.is_outlier_in(column) {
            (cell.mark, cell.style) = ("◆", WARNING);
        }
        let [lowest, highest] = self.table.sums.extremes;
        match column {
            TableColumn::Min if lowest == Some(row.index) => cell.mark = "▼",
            TableColumn::Max if highest == Some(row.index) => cell.mark = "▲",
            _ => {}
        }
        cell
    }

    /// The cell of a row that was not read: what the listing of the chunks says.
    fn unread(&self, column: TableColumn, row: &ChunkRow) -> SignedCell {
        let id = self.table.rows.id(row.index);
        if self.table.rows.shard().is_some() {
            return SignedCell::new(UNKNOWN, QUIET);
        }
        let seen = self.presence.seen(&id.coordinates);
        match (column, seen) {
            (TableColumn::Stored, Some(seen)) => SignedCell::plain(grouped(seen.len)),
            (TableColumn::Written, Some(seen)) => text(seen.modified.and_then(to_the_minute)),
            _ if self.presence.complete && !self.presence.has(&id.coordinates) => missing(column),
            _ => SignedCell::new(UNKNOWN, QUIET),
        }
    }

    /// The cell of a chunk that was read, or of all together; `same` are the chunks with the same bytes.
    fn of_figures(
        &self,
        column: TableColumn,
        figures: &Figures,
        same: Option<SameBytes>,
    ) -> SignedCell {
        let read = figures.elements > 0;
        if figures.is_missing() {
            return missing(column);
        }
        match column {
            TableColumn::Key => SignedCell::none(),
            TableColumn::Stored => text(figures.stored.map(grouped)),
            TableColumn::Ratio => text(figures.ratio().map(words::ratio)),
            TableColumn::Min => {
                self.bound(figures.minimum.as_ref(), figures.lengths.map(|both| both.0))
            }
            TableColumn::Max => {
                self.bound(figures.maximum.as_ref(), figures.lengths.map(|both| both.1))
            }
            TableColumn::Mean if self.table.are_numbers => {
                text(self.mean(figures.mean, figures.minimum.as_ref()))
            }
            TableColumn::Mean => text(
                (figures.distinct.count() > 0).then(|| figures.distinct.text(figures.elements)),
            ),
            TableColumn::Nan if read && figures.nan > 0 => {
                SignedCell::new(grouped(figures.nan), WARNING)
            }
            TableColumn::Nan => text(read.then(|| grouped(figures.nan))),
            TableColumn::Fill => text(read.then(|| grouped(figures.fill))),
            TableColumn::Checksum => self.checksum(figures),
            TableColumn::Order => match figures.order {
                Some((order, true)) => SignedCell::new(format!("! {}", order.badge()), WARNING),
                order => text(order.map(|(order, _)| order.badge().into())),
            },
            TableColumn::Same => text(same.map(|group| SameBytes::name(group.letter))),
            TableColumn::Written => text(figures.written.and_then(to_the_minute)),
            TableColumn::Inner => text(figures.inner.map(|(stored, all)| of(stored, all))),
        }
    }

    fn checksum(&self, figures: &Figures) -> SignedCell {
        let names = safe_owned(&self.table.checksums);
        match figures.error() {
            Some(error) if error.code == Code::ChecksumMismatch => {
                SignedCell::new(format!("✗ {names}").trim_end().to_owned(), FAILURE)
            }
            None if !names.is_empty() => SignedCell::new(format!("✓ {names}"), FINE),
            _ => SignedCell::none(),
        }
    }

    /// The cell of the whole array, as far as its chunks were read.
    pub(super) fn of_all(&self, column: TableColumn) -> SignedCell {
        let sums = &self.table.sums;
        match column {
            TableColumn::Key => {
                let whole = if self.table.rows.shard().is_some() { "shard" } else { "array" };
                let so_far = if self.table.is_complete() { "" } else { ", so far" };
                SignedCell::plain(format!("{whole}{so_far}"))
            }
            _ if self.table.read() == 0 => SignedCell::new(UNKNOWN, QUIET),
            TableColumn::Checksum => match sums.bad_checksums {
                0 if self.table.checksums.is_empty() => SignedCell::none(),
                0 => SignedCell::new(format!("✓ {}", grouped(sums.states[0])), FINE),
                bad => SignedCell::new(format!("✗ {}", grouped(bad)), FAILURE),
            },
            TableColumn::Order if sums.orders != [0; 3] => {
                let [little, big, _] = sums.orders;
                let words = [(little, "LE"), (big, "BE")].into_iter().filter(|(n, _)| *n > 0);
                let words = words.map(|(n, order)| format!("{order} {}", grouped(n)));
                SignedCell::plain(words.joined(" "))
            }
            _ => self.of_figures(column, &sums.all, None),
        }
    }

    /// The lowest or the highest number; of values that are no numbers, their shortest or longest.
    fn bound(&self, extreme: Option<&Extreme>, length: Option<u64>) -> SignedCell {
        let value = length.map(grouped).or_else(|| extreme.map(|found| self.value(found)));
        text(value)
    }

    /// A number of the array: as it is stored, or as the attributes mean it.
    fn value(&self, extreme: &Extreme) -> String {
        let meant = self.packing.as_ref().map(|packing| packing.meant(&extreme.scalar));
        let text = match meant {
            Some(Meant::Number(number)) => words::short(number),
            Some(Meant::Date(date)) => date,
            Some(Meant::Value(value)) => value.to_string(),
            Some(Meant::Missing(_)) | None => extreme.scalar.to_string(),
        };
        safe_owned(&text)
    }

    /// The mean of numbers like `example`; of times it would be a number without a unit.
    fn mean(&self, mean: Option<f64>, example: Option<&Extreme>) -> Option<String> {
        let is_time = matches!(example, Some(Extreme { scalar: Scalar::Time(_), .. }));
        let mean = mean.filter(|_| !is_time)?;
        Some(match &self.packing {
            Some(packing) => {
                packing.date(mean).unwrap_or_else(|| words::short(packing.unpack(mean)))
            }
            None => words::short(mean),
        })
    }

    /// The sign before the key: `✗` damaged, `░` missing.
    pub(super) fn sign(&self, row: &ChunkRow) -> Span {
        let is_missing = match row.figures {
            Some(figures) if figures.error().is_some() => {
                return styled("✗ ", FAILURE);
            }
            Some(figures) => figures.is_missing(),
            None if self.table.rows.shard().is_some() => false,
            None => {
                let id = self.table.rows.id(row.index);
                self.presence.complete && !self.presence.has(&id.coordinates)
            }
        };
        if is_missing { quiet("░ ") } else { Span::from("  ") }
    }

    fn missing_words(&self, room: usize) -> String {
        let fill = self.table.array.declared_fill();
        match fill.map(|fill| safe_text(&fill)) {
            Some(fill) => {
                let long = format!("Not stored: every element reads as the fill value {fill}.");
                if long.width() <= room { long } else { format!("Not stored; reads as {fill}.") }
            }
            None => {
                "Not stored, and the array has no fill value: its elements are undefined.".into()
            }
        }
    }

    /// The counts of a chunk, in a sentence.
    fn counts(&self, figures: &Figures) -> String {
        let elements = counted(figures.elements, "element");
        let noun = if self.table.are_numbers { "number" } else { "value" };
        match figures.distinct.count() {
            0 => format!("{elements}."),
            1 => format!("{elements}, 1 distinct {noun}."),
            _ => {
                format!("{elements}, {} distinct {noun}s.", figures.distinct.text(figures.elements))
            }
        }
    }

    /// The sentence on a row, in about `room` columns.
    pub(super) fn sentence(&self, row: &ChunkRow, room: usize) -> (String, Style) {
        let Some(figures) = row.figures else {
            return ("Not read yet.".into(), QUIET);
        };
        if let Some(error) = figures.error() {
            let whole = if self.table.rows.shard().is_some() { "shard" } else { "array" };
            let text = safe_text(&error);
            let end = if text.ends_with('.') { "" } else { "." };
            return (format!("{text}{end} The row `{whole}` leaves it out."), FAILURE);
        }
        if figures.is_missing() {
            return (self.missing_words(room), QUIET);
        }
        let mut parts = vec![self.counts(figures)];
        let far: Vec<&str> = TableColumn::WITH_OUTLIERS
            .into_iter()
            .filter(|column| row.is_outlier_in(*column))
            .map(|column| column.title(self.table.are_numbers))
            .collect();
        if !far.is_empty() {
            let (is, an) = if far.len() == 1 { ("is", "an outlier") } else { ("are", "outliers") };
            parts.push(format!("◆ {} {is} {an} among chunks.", far.join(", ")));
        }
        if let Some(group) = row.group {
            let others = counted(u64::from(group.count) - 1, "other chunk");
            let name = SameBytes::name(group.letter);
            parts.push(format!("The same stored bytes as {others} ({name})."));
        }
        if let Some((order, true)) = figures.order {
            let order = order.word();
            parts.push(format!(
                "! Its values look {order}-endian; the metadata declares the other order."
            ));
        }
        (parts.join(" "), PLAIN)
    }
}

/// The cell of a figure, where there is one.
fn text(text: Option<String>) -> SignedCell {
    text.map_or_else(SignedCell::none, SignedCell::plain)
}

/// The cell of a chunk that is not stored.
fn missing(column: TableColumn) -> SignedCell {
    match column {
        TableColumn::Fill => SignedCell::new("·", QUIET),
        TableColumn::Checksum => SignedCell::new("missing", QUIET),
        _ => SignedCell::none(),
    }
}

fn of(part: u64, all: u64) -> String {
    format!("{} of {}", grouped(part), grouped(all))
}
