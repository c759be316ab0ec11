//! The parts of a store that a check did not look at, in words.

use super::Skipped;
use crate::zarr::{
    text::safe,
    words::{self, counted},
};

/// Kinds of parts that may be skipped, in the order of the sentence, with the words for one and for several places.
const KINDS: [(Skipped, &str, &str, &str); 5] = [
    (Skipped::Chunks, "chunks of ", "array", ""),
    (Skipped::Below, "anything below ", "node", " that could not be read"),
    (Skipped::Deeper, "anything below ", "node", " at the depth limit"),
    (Skipped::Member, "", "member", " of a zip archive"),
    (Skipped::Foreign, "", "item", " without Zarr metadata"),
];

/// The most characters shown of a place.
const LONGEST: usize = 60;

/// The number of places named of each kind.
const NAMED: usize = 3;

/// The parts that were not looked at: the first places of each kind, and their number.
#[derive(Debug, Clone, Default)]
pub struct NotChecked([(Vec<String>, u64); KINDS.len()]);

impl NotChecked {
    /// Takes in what an event of a check tells.
    pub fn add(&mut self, what: Skipped, place: &str) {
        let kinds = KINDS.iter().zip(&mut self.0);
        for (_, (places, count)) in kinds.filter(|((kind, ..), _)| *kind == what) {
            *count += 1;
            if places.len() < NAMED {
                places.push(place.to_owned());
            }
        }
    }

    /// The parts that were not looked at, with places, safe for a terminal; empty if nothing was left out.
    pub fn sentences(&self) -> Vec<String> {
        let told = KINDS.iter().zip(&self.0).filter(|(_, (_, count))| *count > 0);
        let told = told.map(|((_, before, noun, after), (places, count))| {
            let name = |place: &String| match place.as_str() {
                "" => "the root".to_owned(),
                place => words::shortened(&safe(place), LONGEST),
            };
            let places: Vec<_> = places.iter().map(name).collect();
            let more = count - places.len() as u64;
            let more = words::and_more(more);
            format!("{before}{}{after} ({}{more})", counted(*count, noun), places.join(", "))
        });
        told.collect()
    }

    /// The same without places.
    pub fn in_short(&self) -> Vec<String> {
        let told = KINDS.iter().zip(&self.0).filter(|(_, (_, count))| *count > 0);
        told.map(|((_, before, noun, after), (_, count))| {
            format!("{before}{}{after}", counted(*count, noun))
        })
        .collect()
    }
}
