//! Texts that are what a program printed, or read in another encoding.

use super::prelude::*;
use crate::zarr::text;

/// The longest array of texts that is read.
const MOST: u64 = 1 << 16;
/// The fewest texts that were misread.
const FEWEST: usize = 4;

/// The warning on texts that are bytes as Python prints them, or UTF-8 that was read as Windows-1252.
pub(super) fn check(related: &Related) -> Option<Problem> {
    related.length().filter(|it| is_text(related.array) && *it <= MOST)?;
    let (scalars, _) = related.scalars()?;
    let texts: Vec<String> =
        scalars.iter().filter_map(text_of).filter(|it| !it.is_empty()).collect();
    let is_printed = |text: &String| {
        let inside = |mark: char| {
            let rest = text.strip_prefix('b')?.strip_prefix(mark)?.strip_suffix(mark)?;
            (!rest.is_empty()).then_some(())
        };
        inside('\'').or_else(|| inside('"')).is_some()
    };
    let first = texts.first()?;
    if texts.len() > 1 && texts.iter().all(is_printed) {
        let sentence = format!(
            "all {} texts are bytes as Python prints them, the first {}",
            grouped(texts.len()),
            quoted(first)
        );
        let fix = "Likely cause: bytes of Python were turned into text by str(), where decode() was meant. Compared with other names, none is equal.";
        return related.warning(sentence, fix);
    }
    let odd: Vec<(&String, String)> =
        texts.iter().filter_map(|it| Some((it, text::misread(it)?))).collect();
    let others = texts.iter().filter(|it| !it.is_ascii()).count() - odd.len();
    let (text, meant) = odd.first()?;
    let sentence = format!(
        "{} texts are UTF-8 that was read as Windows-1252 or Latin-1, such as {} for {}",
        out_of(odd.len(), texts.len()),
        quoted(text),
        quoted(meant)
    );
    let fix =
        "Encode them as that, and decode the bytes as UTF-8, to have them as they were meant.";
    related.warning_if(odd.len() >= FEWEST && others == 0, sentence, fix)
}

/// The text of an element.
fn text_of(scalar: &Scalar) -> Option<String> {
    match scalar {
        Scalar::Text(bytes) | Scalar::NullTerminated(bytes) => {
            Some(String::from_utf8_lossy(bytes).into_owned())
        }
        Scalar::Utf32(units) => units.iter().map(|unit| char::from_u32(*unit)).collect(),
        _ => None,
    }
}
