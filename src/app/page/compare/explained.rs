//! The explanation of the thing under the cursor.

use crate::app::prelude::*;
use crate::zarr::{spelling::explain::source_lines, words::capitalised};

impl ComparePage {
    /// The explanation of what is under the cursor.
    pub(super) fn explanation(&self) -> Option<Explained> {
        let pair = self.pair()?;
        if !self.is_open {
            return Some(of_pair(pair));
        }
        match self.part {
            ComparisonPart::Documents => {
                let row = self.documents().get(self.row.cursor()).map(|row| of_row(row));
                let equal = "The metadata of both are equal. Space shows the rows.";
                Some(row.unwrap_or_else(|| Explained::new("metadata", vec![equal.into()])))
            }
            ComparisonPart::Chunks => {
                let arrays = pair.arrays.as_ref()?;
                let block = arrays.blocks.get(&self.at).copied();
                let at = arrays.only.as_ref().map_or(&self.at, |only| &only.coordinates);
                let lines = described(block, arrays.verdict(&self.at)).join("; ");
                let grid =
                    "A cell is a chunk of A, and the same elements of B, however B stores them.";
                let texts = vec![format!("{}.", capitalised(&lines)), grid.to_owned()];
                Some(Explained::new(format!("chunk {}", list(at)), texts))
            }
            ComparisonPart::Values => {
                let row = self.values.as_ref()?.rows.get(self.value.cursor())?;
                Some(of_value(row, self.tolerance))
            }
        }
    }
}

/// Two nodes of one path.
fn of_pair(pair: &NodePair) -> Explained {
    let name = if pair.path.is_empty() { ".".into() } else { safe_owned(&pair.path) };
    let text = match (&pair.why, pair.is_equal()) {
        (Some(why), _) => format!("{why}."),
        (None, true) => "No difference was found, except for how it is stored.".to_owned(),
        (None, false) => "The two nodes differ. Enter shows where.".to_owned(),
    };
    Explained::new(name, vec![text])
}

/// A row of the documents.
fn of_row(row: &DocumentRow) -> Explained {
    let meaning = match (row.join, row.is_layout) {
        (Join::Same, _) => "The same in both.",
        (Join::Spelled, _) => "Both mean the same, written differently.",
        (_, true) => "It concerns how the elements are stored; the values can still be equal.",
        (_, false) => "It concerns what the array is, not how its elements are stored.",
    };
    let paragraphs = [meaning.to_owned(), row.rule.clone(), source_lines(row.sources)];
    Explained {
        table: vec![("A".into(), row.a.clone()), ("B".into(), row.b.clone())],
        ..Explained::new(
            format!("{}   {}", row.label, row.join.sign()),
            paragraphs.into_iter().filter(|text| !text.is_empty()).collect(),
        )
    }
}

/// An element that differs.
fn of_value(row: &ValueRow, tolerance: Tolerance) -> Explained {
    let mut table = Vec::new();
    for (side, (value, bytes)) in ["A", "B"].into_iter().zip(row.values.iter().zip(&row.bytes)) {
        table.push((side.to_owned(), value.clone()));
        if !bytes.is_empty() {
            table.push((format!("{side}, bytes"), bytes.clone()));
        }
    }
    if !row.apart.is_empty() {
        table.push(("B − A".to_owned(), row.apart.clone()));
    }
    let rule = match tolerance {
        Tolerance { absolute: 0.0, relative: 0.0, by_bits: false } => {
            "Two elements are equal if their bits are, whatever the byte order. Any NaN equals any other; numbers of \
             different data types are compared exactly."
        }
        Tolerance { absolute: 0.0, relative: 0.0, by_bits: true } => {
            "Two elements are equal if their bits are, whatever the byte order; that holds for NaN too. Numbers of \
             different data types are compared exactly."
        }
        _ => "The two differ by more than the tolerance.",
    };
    let order = "The bytes are in the order in which each array stores them.";
    let texts = [rule, order].map(str::to_owned).to_vec();
    Explained { table, ..Explained::new(list(&row.index), texts) }
}

/// The state of a chunk, in a few words each.
pub fn described(block: Option<ComparedBlock>, verdict: BlockVerdict) -> Vec<String> {
    let mut lines = Vec::new();
    let different = block.map_or(0, |block| block.different);
    lines.push(match verdict {
        BlockVerdict::Unknown => "not compared yet".to_owned(),
        BlockVerdict::Equal => "every element is equal".to_owned(),
        BlockVerdict::Neither => "stored in neither: both read as their fill values".to_owned(),
        BlockVerdict::OnlyA => "stored only in A; B reads as its fill value".to_owned(),
        BlockVerdict::OnlyB => "stored only in B; A reads as its fill value".to_owned(),
        BlockVerdict::Different => String::new(),
        BlockVerdict::Unreadable => {
            let sides = block.map(|block| block.unreadable).unwrap_or_default();
            let side = match sides {
                [true, true] => "A and B",
                [true, false] => "A",
                _ => "B",
            };
            format!("cannot be read in {side}")
        }
    });
    if different > 0 {
        lines.push(format!("{} different", counted(different, "element")));
    }
    lines.retain(|line| !line.is_empty());
    lines
}
