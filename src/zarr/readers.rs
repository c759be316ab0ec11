//! Other programs that read Zarr, and their results for an array: measured facts as data.
//!
//! `tests/readers/` holds 1,411 documents with chunks and what ten readers made of each. `readers/table.tsv`, which
//! `tests/it/readers_table.rs` condenses from it, has what each *form* of a member means to each reader. A document is
//! looked up by its forms, never as a whole: one that nobody measured is answered if each of its forms was.

mod attributes;
mod features;
mod fills;
mod forms;
mod members;
mod pipeline;
mod report;
mod stored;
mod structs;
mod table;
mod types;

pub use features::features;
pub use forms::Feature;
pub use report::{BASIS, MEASURED, ReaderTally, Tallied, condensed, in_short};
pub use stored::{CHUNKS, features_in};
pub use table::Table;

use std::sync::LazyLock;

/// The result of a reader for an array. Ordered by how much each outcome decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReaderOutcome {
    /// Some form was not measured with this reader.
    NotMeasured,
    /// The values, bit for bit.
    Reads,
    /// Values, though the document is invalid or its values are undefined.
    Gives,
    /// Other values.
    Differs,
    /// A refusal.
    Error,
    /// The end of the process.
    Crash,
    /// The reader is not for this format.
    NotApplicable,
}

impl ReaderOutcome {
    /// The outcome that a letter of the table stands for; `None` for `?`.
    fn of_letter(letter: u8) -> Option<Self> {
        Some(match letter {
            b'R' | b'O' | b'.' => Self::Reads,
            b'G' => Self::Gives,
            b'D' => Self::Differs,
            b'E' => Self::Error,
            b'C' => Self::Crash,
            b'N' => Self::NotApplicable,
            _ => return None,
        })
    }

    /// True if no other feature of the document can change it.
    fn is_final(self) -> bool {
        matches!(self, Self::Error | Self::Crash | Self::NotApplicable)
    }

    /// The outcome as JSON has it, in kebab case.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NotMeasured => "not-measured",
            Self::Reads => "reads",
            Self::Gives => "gives",
            Self::Differs => "differs",
            Self::Error => "error",
            Self::Crash => "crash",
            Self::NotApplicable => "not-applicable",
        }
    }
}

/// The answer of one reader for an array, with the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReaderAnswer {
    /// The reader with its version.
    pub reader: String,
    /// The outcome.
    pub outcome: ReaderOutcome,
    /// The text or the values that it gave when that was measured.
    pub text: Option<String>,
    /// The member that decides.
    pub member: Option<String>,
    /// The form of that member.
    pub form: Option<String>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| Table::parse(include_str!("readers/table.tsv")));

/// The measured table.
pub fn table() -> &'static Table {
    &TABLE
}
