//! The form of lessons: lines of `name: text`, continued by lines that are indented; `---` begins a step.

use super::prelude::*;

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

/// The longest pause, in seconds.
const LONGEST: f64 = 600.0;

/// A pause, in seconds.
pub(super) fn seconds(line: usize, text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|it| (0.0..=LONGEST).contains(it));
    seconds
        .map(Duration::from_secs_f64)
        .ok_or_else(|| at(line, &format!("a pause is a number of seconds from 0 to {LONGEST}")))
}

/// Columns and rows, as in `120x40`.
///
/// # Errors
///
/// The text that was expected.
pub fn size(text: &str) -> Result<(u16, u16), String> {
    let numbers =
        text.split_once(['x', 'X']).and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
    // What a picture costs grows with its area; no screen is larger.
    numbers
        .filter(|&(w, h)| (1..=1000).contains(&w) && (1..=1000).contains(&h))
        .ok_or_else(|| "COLUMNSxROWS, such as 120x40, at most 1000x1000".to_owned())
}

/// The keys in a text of keys, each as it is written: `j`, `<enter>`.
pub fn split(keys: &str) -> impl Iterator<Item = &str> {
    let mut rest = keys;
    iter::from_fn(move || {
        let first = rest.chars().next()?;
        let word = rest.strip_prefix('<').and_then(|inner| inner.find('>'));
        let (key, behind) =
            rest.split_at_checked(word.map_or_else(|| first.len_utf8(), |end| end + 2))?;
        rest = behind;
        Some(key)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_split() {
        let keys: Vec<_> = split("j<enter>é<c-d><x").collect();
        assert_eq!(keys, ["j", "<enter>", "é", "<c-d>", "<", "x"]);
    }
}
