//! The twin columns as text: how V2 and V3 write the same thing, row by row.

use super::prelude::*;
use crate::{
    app::layout::twins::{TwinPart, Twins},
    zarr::{
        spelling::{Join, Row},
        words::{cut, left, wrap},
    },
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
    let [v2, v3] = [Format::V2, Format::V3].map(|format| heading(format, stored, given));
    let twins = Twins::whole(rows, output::width(), "V2, as zarrscope would write it".len());
    let label = twins.label;
    output.line(&format!("{:label$}  {}   {}", "", left(&v2, twins.v2), cut(&v3, twins.v3)))?;
    for (at, row) in rows.iter().enumerate() {
        for line in 0..twins.lines_of(at) {
            let (label, sign) = match line {
                0 => (row.label.as_str(), sign(row.join, output.ascii())),
                _ => ("", " ".into()),
            };
            let cells = twins.parts(at, line).into_iter().map(|part| match part {
                TwinPart::Sign => format!(" {} ", painted(output, row.join, &sign)),
                TwinPart::Name(name) => left(name, 3),
                TwinPart::Cell(text, width) => left(text, width),
            });
            let gap = " ".repeat(twins.label.saturating_sub(label.width()));
            let text = format!("{}{gap}{}", output.paint(Role::Quiet, label), cells.joined(""));
            output.line(text.trim_end())?;
        }
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

/// The sign in the colour of what it says.
fn painted(output: &Output, join: Join, sign: &str) -> String {
    match join {
        Join::Same | Join::Spelled | Join::Unknown => sign.to_owned(),
        Join::Choice | Join::Lossy => output.paint(Role::Warning, sign),
        Join::Impossible | Join::Differs => output.paint(Role::Error, sign),
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
