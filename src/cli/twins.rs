//! The twin columns as text: how V2 and V3 write the same thing, row by row.

use super::prelude::*;
use crate::zarr::{
    spelling::{Join, Row},
    words::wrap,
};
use unicode_width::UnicodeWidthStr;

/// The parts of a title, between middle dots.
pub(super) fn title(parts: &[String]) -> String {
    let parts = parts.iter().map(|part| safe(part));
    parts.joined("   ")
}

/// The kind of the column of the stored format.
#[derive(Clone, Copy)]
pub(super) enum Given {
    /// On a disk.
    Stored,
    /// On a disk, in both formats.
    BothStored,
    /// On a disk beside a document of the other format that cannot be read.
    OtherUnread,
    /// Typed by the user.
    Typed,
    /// On a disk, but for what the user supposes.
    Supposed,
    /// Nowhere: both columns are what would be written.
    Nowhere,
}

/// Writes the rows with their heading, and the notes below.
pub(super) fn write(output: &mut Output, stored: Format, given: Given, rows: &[Row]) -> Printed {
    let layout = Widths::fit(rows, output::width());
    let heads = [Format::V2, Format::V3].map(|format| heading(format, stored, given));
    layout.line(output, "", &heads[0], " ", &heads[1], Some(Role::Quiet))?;
    for row in rows {
        layout.row(output, row, &sign(row.join, output.ascii()))?;
    }
    write_notes(output, rows)
}

fn heading(format: Format, stored: Format, given: Given) -> String {
    let how = match (format == stored, given) {
        (_, Given::BothStored) | (true, Given::Stored | Given::OtherUnread) => "as stored",
        (false, Given::OtherUnread) => "cannot be read",
        (true, Given::Typed) => "as typed",
        (true, Given::Supposed) => "what if",
        _ => "as zarrscope would write it",
    };
    format!("{}, {how}", format.name())
}

/// The sign of a join; in ASCII `=`, `/`, `~`, `!`, `x`.
fn sign(join: Join, ascii: bool) -> String {
    match join {
        Join::Spelled if ascii => "/".into(),
        Join::Impossible if ascii => "x".into(),
        Join::Differs if ascii => "#".into(),
        join => join.sign().into(),
    }
}

fn role(join: Join) -> Option<Role> {
    match join {
        Join::Same | Join::Spelled | Join::Unknown => None,
        Join::Choice | Join::Lossy => Some(Role::Warning),
        Join::Impossible | Join::Differs => Some(Role::Error),
    }
}

/// The widths of the label and the two cells.
struct Widths {
    label: usize,
    v2: usize,
    v3: usize,
}

impl Widths {
    /// The widths that the cells want, or what `width` columns allow them.
    fn fit(rows: &[Row], width: usize) -> Self {
        let widest =
            |cell: fn(&Row) -> &str, least: usize| widest(rows, |row| cell(row).width()).max(least);
        let label = widest(|row| &row.label, 0);
        let heading = "V2, as zarrscope would write it".len();
        let (v2, v3) = (widest(|row| &row.v2, heading), widest(|row| &row.v3, heading));
        // Two spaces after the label, and the sign with a space on either side.
        let room = width.saturating_sub(label + 2 + 3).max(2 * 20);
        let half = room / 2;
        let v2_cut = if v2 + v3 <= room { v2 } else { v2.min(half.max(room.saturating_sub(v3))) };
        Self { label, v2: v2_cut, v3: room - v2_cut }
    }

    fn row(&self, output: &mut Output, row: &Row, sign: &str) -> Printed {
        let (v2, v3) = (wrap(&row.v2, self.v2), wrap(&row.v3, self.v3));
        for at in 0..v2.len().max(v3.len()) {
            let cell = |lines: &[String]| lines.get(at).cloned().unwrap_or_default();
            let (label, sign) = if at == 0 { (row.label.as_str(), sign) } else { ("", " ") };
            self.line(output, label, &cell(&v2), sign, &cell(&v3), role(row.join))?;
        }
        Ok(())
    }

    fn line(
        &self,
        output: &mut Output,
        label: &str,
        v2: &str,
        sign: &str,
        v3: &str,
        role: Option<Role>,
    ) -> Printed {
        let pad = |text: &str, width: usize| " ".repeat(width.saturating_sub(text.width()));
        let sign = role.map_or_else(|| sign.to_owned(), |role| output.paint(role, sign));
        let left = format!(
            "{}{}  {v2}{} ",
            output.paint(Role::Quiet, label),
            pad(label, self.label),
            pad(v2, self.v2)
        );
        output.line(format!("{left}{sign} {v3}").trim_end())
    }
}

/// The notes of all rows, each once, with the label of the row it belongs to.
fn write_notes(output: &mut Output, rows: &[Row]) -> Printed {
    let mut seen: Vec<&str> = Vec::new();
    for row in rows {
        for note in &row.notes {
            if seen.contains(&note.text.as_str()) {
                continue;
            }
            seen.push(&note.text);
            output.line("")?;
            let sign = sign(row.join, output.ascii());
            let text = format!("{sign} {}: {}", row.label.trim(), safe(&note.text));
            for (at, line) in wrap(&text, output::width().saturating_sub(2)).iter().enumerate() {
                output.line(&format!("{}{line}", if at == 0 { "" } else { "  " }))?;
            }
        }
    }
    Ok(())
}
