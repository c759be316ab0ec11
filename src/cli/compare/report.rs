//! The result of a comparison, as text and as JSON.

use super::{Arguments, Total, UnreadOfBoth};
use crate::cli::prelude::*;
use crate::{
    app::page::compare::{NodePair, values_in_words},
    zarr::{
        compare::{Compared, Difference, DocumentRow},
        signs,
        spelling::Join,
    },
};

/// The rows of the documents that are not the same.
fn differing(pair: &NodePair) -> impl Iterator<Item = &DocumentRow> {
    pair.rows.iter().filter(|row| row.join != Join::Same)
}

/// As `--json` prints it.
fn to_json(pair: &NodePair, unread: &UnreadOfBoth, is_equal: bool) -> Json {
    let row = |row: &DocumentRow| {
        object! {"row": &row.label, "a": &row.a, "b": &row.b, "same_meaning": row.join != Join::Differs,
        "layout": row.is_layout}
    };
    let difference = |found: &Difference| {
        object! {"index": &found.index, "a": text(&found.a), "b": text(&found.b)}
    };
    let values = pair.compared().map(|all| {
        let chunks =
            all.chunks.iter().map(|(at, &count)| object! {"chunk": at, "different": count});
        object! {
            "elements": all.elements, "different": all.different,
            "unknown": all.unknown.to_vec(), "uncompared": all.uncompared,
            "first": all.first.iter().map(difference).collect::<Json>(),
            "largest": all.largest.as_ref().map(difference),
            "chunks": chunks.collect::<Json>(),
        }
    });
    let errors = unread.iter().flat_map(|unread| &unread.failures).map(|(_, error)| error);
    object! {
        "path": &pair.path, "equal": is_equal, "why": pair.why.as_ref(),
        "metadata": differing(pair).map(row).collect::<Json>(), "values": values,
        "errors": errors.map(json_forms::error).collect::<Json>(),
    }
}

/// Prints what differs; rows of the same meaning only if there is nothing but this `alone`.
fn print(pair: &NodePair, is_equal: bool, alone: bool, output: &mut Output) -> Printed {
    let name = if pair.path.is_empty() { ".".into() } else { safe(&pair.path) };
    let (sign, role) = match is_equal {
        true => (signs::SAME, Role::Good),
        false if pair.is_different() => (signs::DIFFERENT, Role::Error),
        false => (signs::ERROR, Role::Error),
    };
    let why = pair.why.as_deref().map_or(String::new(), |why| format!(": {why}"));
    let how = pair.labels_that_differ(true).filter(|_| is_equal && !alone);
    let how = how.map_or(String::new(), |how| output.paint(Role::Quiet, &format!("  {how}")));
    output.line(&format!("{} {name}{why}{how}", output.paint(role, sign)))?;
    if is_equal && !alone {
        return Ok(());
    }
    let label = widest(&pair.rows, |row| row.label.len());
    let room = output::width().saturating_sub(label + 14) / 2;
    for row in differing(pair).filter(|row| alone || row.join == Join::Differs) {
        let role = match (row.join, row.is_layout) {
            (Join::Differs, false) => Role::Error,
            (Join::Differs, true) => Role::Warning,
            _ => Role::Quiet,
        };
        let sign = if row.join == Join::Differs { "≠" } else { "≡" };
        output.line(&format!(
            "  {} {}  A {}  B {}",
            output.paint(role, sign),
            output.paint(Role::Quiet, &words::left(&row.label, label)),
            words::shortened(&row.a, room.max(20)),
            words::shortened(&row.b, room.max(20)),
        ))?;
    }
    if let Some(all) = pair.compared().filter(|all| !all.is_equal()) {
        print_values(all, output)?;
    }
    Ok(())
}

/// A value on one line, safe for a terminal.
fn text(scalar: &Scalar) -> String {
    safe_text(&scalar)
}

fn print_values(all: &Compared, output: &mut Output) -> Printed {
    for found in &all.first {
        let apart = found
            .apart()
            .map_or(String::new(), |apart| format!("  B − A {}", words::decimal(apart, 24)));
        let (a, b) = (text(&found.a), text(&found.b));
        let sign = output.paint(Role::Error, "≠");
        output.line(&format!("  {sign} {}  A {a}  B {b}{apart}", list(&found.index)))?;
    }
    let shown = all.first.len() as u64;
    if all.different > shown {
        output.line(&format!("    … and {} more", grouped(all.different - shown)))?;
    }
    if let Some((largest, apart)) = all.largest.as_ref().and_then(|l| Some((l, l.apart()?)))
        && all.different > 1
    {
        let (at, apart) = (list(&largest.index), words::decimal(apart, 24));
        output.line(&format!("    largest difference: {apart} at {at}"))?;
    }
    if all.different > 0 {
        let chunks = all.chunks.keys().take(5).map(|at| list(at));
        let more = if all.chunks.len() > 5 { ", …" } else { "" };
        output.line(&format!(
            "    {} of {} {}, in {} of A: {}{more}",
            grouped(all.different),
            counted(all.elements, "element"),
            if all.different == 1 { "differs" } else { "differ" },
            counted(all.chunks.len(), "chunk"),
            chunks.joined(" "),
        ))?;
    }
    for (unknown, side) in all.unknown.iter().zip(["A", "B"]) {
        if *unknown > 0 {
            let have = if *unknown == 1 { "has" } else { "have" };
            let unknown = counted(*unknown, "element");
            output.line(&format!("    {unknown} of {side} cannot be read, or {have} no value"))?;
        }
    }
    Ok(())
}

impl Total {
    /// Nothing of what is called so was compared yet.
    pub(super) fn of(noun: &'static str) -> Self {
        Self { noun, ..Self::default() }
    }

    /// Counts a pair of nodes from what is called so, and prints it; `alone` where there is no other.
    pub(super) fn tell(
        &mut self,
        pair: &NodePair,
        (unread, names): (&UnreadOfBoth, [&str; 2]),
        alone: bool,
        arguments: &Arguments,
        output: &mut Output,
    ) -> Printed {
        let is_equal = self.add(pair);
        for (side, name) in unread.iter().zip(names) {
            self.is_unread |= side.conclude(false, name) != ExitStatus::Fine;
        }
        if arguments.json {
            output.json_line(&to_json(pair, unread, is_equal))
        } else {
            print(pair, is_equal, alone, output)
        }
    }

    /// Prints the summary; how the command went.
    pub(super) fn conclude(&self, arguments: &Arguments, output: &mut Output) -> CommandResult {
        self.print(arguments, output)?;
        Ok(match self.different {
            0 if self.is_unread || self.undecided > 0 => ExitStatus::Undone,
            0 => ExitStatus::Fine,
            _ => ExitStatus::Flawed,
        })
    }

    /// Counts a pair. True if nothing differs but how things are stored.
    fn add(&mut self, pair: &NodePair) -> bool {
        self.nodes += 1;
        self.rows += pair.rows_that_differ(false) as u64;
        self.layout += pair.rows_that_differ(true) as u64;
        if let Some(all) = pair.compared() {
            self.elements += all.elements;
            self.elements_different += all.different;
            self.uncompared += all.uncompared;
        }
        let (is_different, is_equal) = (pair.is_different(), pair.is_equal());
        self.different += u64::from(is_different);
        self.undecided += u64::from(!is_different && !is_equal);
        is_equal
    }

    /// Prints the summary.
    fn print(&self, arguments: &Arguments, output: &mut Output) -> Printed {
        if arguments.json {
            let &Self { nodes, different, undecided, rows, layout, .. } = self;
            return output.json_line(&object! {"summary": object! {
                "nodes": nodes, "different": different, "undecided": undecided,
                "metadata_rows": rows, "layout_rows": layout, "elements": self.elements,
                "elements_different": self.elements_different, "unknown": self.uncompared,
            }});
        }
        output.line(&self.sentence(arguments.metadata_only))
    }

    /// The summary in a sentence.
    fn sentence(&self, metadata_only: bool) -> String {
        let &Self { noun, nodes, different, undecided, rows, layout, .. } = self;
        let values = self.of_values(metadata_only);
        let how = match (layout, nodes) {
            (0, _) => "",
            (_, 1) => ", except for how it is stored",
            _ => ", except for how they are stored",
        };
        let count = counted(nodes, noun);
        let verb = if different == 1 { "differs" } else { "differ" };
        let which = match nodes {
            1 => format!("the {noun}"),
            _ => format!("{} of {count}", grouped(different)),
        };
        let metadata = match (rows, layout) {
            (0, _) => String::new(),
            // Nodes that are equal may be stored differently, too.
            (rows, _) if nodes > 1 => format!("{}; ", counted(rows, "metadata row")),
            (rows, 0) => format!("{}; ", counted(rows, "metadata row")),
            (rows, layout) => {
                let stored = grouped(layout);
                format!(
                    "{} metadata rows, {stored} of them about how values are stored; ",
                    grouped(rows + layout)
                )
            }
        };
        match (different, undecided) {
            (0, 0) => format!("{count} equal{how}; {values}"),
            (0, _) if nodes == 1 => format!("the {noun} was compared only in part: {values}"),
            (0, _) => format!(
                "{} of {count} equal{how}, {} compared only in part; {values}",
                grouped(nodes - undecided),
                grouped(undecided)
            ),
            _ => format!("{which} {verb}: {metadata}{values}"),
        }
    }

    /// The sentence on the values.
    fn of_values(&self, metadata_only: bool) -> String {
        let &Self { elements, elements_different, uncompared, .. } = self;
        match (metadata_only, elements_different, uncompared) {
            (true, ..) => "values not compared".to_owned(),
            (_, 0, 1..) => {
                let whole = counted(elements + uncompared, "element");
                let (equal, others) = (grouped(elements), grouped(uncompared));
                format!("{equal} of {whole} equal, {others} could not be compared")
            }
            _ => values_in_words(elements, elements_different, ""),
        }
    }
}
