//! The form of lessons and key scripts: lines of `name: text`, continued by lines that are indented; `---` begins a step.

use crate::zarr::text::safe;

/// A line of the file: its number, the name before the colon, and the text after it.
pub(super) type ScriptLine = (usize, String, String);

/// The lines of the head, then those of each step.
pub(super) fn blocks(text: &str) -> Result<Vec<Vec<ScriptLine>>, String> {
    let mut blocks: Vec<Vec<ScriptLine>> = vec![Vec::new()];
    for (number, line) in text.lines().enumerate().map(|(at, line)| (at + 1, line)) {
        let block = blocks.last_mut();
        if line.trim_end() == "---" {
            blocks.push(Vec::new());
        } else if line.trim().is_empty() || line.starts_with('#') {
            // Blank lines and remarks part nothing.
        } else if line.starts_with([' ', '\t']) {
            let last = block.and_then(|block| block.last_mut());
            let (.., value) = last.ok_or_else(|| at(number, "nothing to continue"))?;
            value.push(' ');
            value.push_str(line.trim());
        } else {
            let (name, value) =
                line.split_once(':').ok_or_else(|| at(number, "expected `name: text`"))?;
            let entry = (number, name.trim().to_owned(), value.trim().to_owned());
            block.ok_or_else(|| at(number, "no step"))?.push(entry);
        }
    }
    Ok(blocks)
}

/// A fault in a line.
pub(super) fn at(line: usize, what: &str) -> String {
    format!("line {line}: {what}")
}

/// A name that is none of `known`.
pub(super) fn unknown(line: usize, name: &str, known: &str) -> String {
    format!("line {line}: unknown name {}; known: {known}", safe(name))
}
