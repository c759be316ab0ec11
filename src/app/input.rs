//! A line of text that is being typed, and what was typed before.

/// A line with a cursor in it.
#[derive(Debug, Clone, Default)]
pub struct Input {
    before: String,
    after: String,
    is_offered: bool,
}

/// The effect of an editing key on the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineEdit {
    /// Puts this character before the cursor.
    Insert(char),
    /// Takes away the character before the cursor.
    Erase,
    /// Takes away the character under the cursor.
    Delete,
    /// Takes away the word before the cursor.
    EraseWord,
    /// Takes away everything before the cursor.
    Clear,
    /// Takes away everything from the cursor on.
    EraseRest,
    /// One character to the left.
    Left,
    /// One character to the right.
    Right,
    /// To the start of the word, or of the word before.
    WordLeft,
    /// Behind the end of the word, or of the next one.
    WordRight,
    /// To the start.
    Home,
    /// Behind the last character.
    End,
}

impl Input {
    /// A line that holds `text`, the cursor after it.
    pub fn new(text: impl Into<String>) -> Self {
        Self { before: text.into(), ..Self::default() }
    }

    /// The same, where nobody has typed it: the first character typed takes its place, as in a form.
    pub fn offered(text: impl Into<String>) -> Self {
        Self { is_offered: true, ..Self::new(text) }
    }

    /// True if what is typed takes the place of the line.
    pub fn is_offered(&self) -> bool {
        self.is_offered && !self.is_empty()
    }

    /// The whole line.
    pub fn text(&self) -> String {
        format!("{}{}", self.before, self.after)
    }

    /// The text before the cursor.
    pub fn before(&self) -> &str {
        &self.before
    }

    /// The text after the cursor.
    pub fn after(&self) -> &str {
        &self.after
    }

    /// True if nothing is typed.
    pub fn is_empty(&self) -> bool {
        self.before.is_empty() && self.after.is_empty()
    }

    /// Carries out one editing key.
    pub fn edit(&mut self, edit: LineEdit) {
        let is_change = matches!(
            edit,
            LineEdit::Insert(_) | LineEdit::Erase | LineEdit::Delete | LineEdit::EraseWord
        );
        if std::mem::take(&mut self.is_offered) && is_change {
            self.before.clear();
        }
        match edit {
            LineEdit::Insert(c) => self.before.push(c),
            LineEdit::Erase => drop(self.before.pop()),
            LineEdit::Delete => drop((!self.after.is_empty()).then(|| self.after.remove(0))),
            LineEdit::EraseWord => self.erase_word(),
            LineEdit::Clear => self.before.clear(),
            LineEdit::EraseRest => self.after.clear(),
            LineEdit::Left => {
                if let Some(c) = self.before.pop() {
                    self.after.insert(0, c);
                }
            }
            LineEdit::Right => {
                if !self.after.is_empty() {
                    self.before.push(self.after.remove(0));
                }
            }
            LineEdit::WordLeft => {
                self.while_before(|c| !c.is_alphanumeric());
                self.while_before(char::is_alphanumeric);
            }
            LineEdit::WordRight => {
                self.while_after(|c| !c.is_alphanumeric());
                self.while_after(char::is_alphanumeric);
            }
            LineEdit::Home => *self = Self { after: self.text(), ..Self::default() },
            LineEdit::End => *self = Self::new(self.text()),
        }
    }

    fn while_before(&mut self, passes: fn(char) -> bool) {
        while self.before.chars().next_back().is_some_and(passes) {
            self.edit(LineEdit::Left);
        }
    }

    fn while_after(&mut self, passes: fn(char) -> bool) {
        while self.after.chars().next().is_some_and(passes) {
            self.edit(LineEdit::Right);
        }
    }

    fn erase_word(&mut self) {
        let kept = self.before.trim_end();
        let end = kept.rfind(char::is_whitespace).map_or(0, |at| at + 1);
        self.before.truncate(end);
    }
}

/// Lines entered before, newest last, and which of them is being looked at.
#[derive(Clone, Default)]
pub struct History {
    lines: Vec<String>,
    at: Option<usize>,
}

impl History {
    /// Remembers `line`, unless it is empty or the newest already.
    pub fn push(&mut self, line: &str) {
        self.at = None;
        if !line.is_empty() && self.lines.last().is_none_or(|last| last != line) {
            self.lines.push(line.to_owned());
        }
    }

    /// The line before the one that is looked at; the newest at first.
    pub fn older(&mut self) -> Option<&str> {
        let at = self.at.unwrap_or(self.lines.len()).checked_sub(1)?;
        self.at = Some(at);
        self.lines.get(at).map(String::as_str)
    }

    /// The line before the one that is looked at; at first `typed` is kept, so that one can come back to it.
    pub fn older_than(&mut self, typed: &str) -> Option<&str> {
        if self.at.is_none() && !typed.is_empty() {
            self.push(typed);
            self.at = self.lines.len().checked_sub(1);
        }
        self.older()
    }

    /// The line after the one that is looked at; empty after the newest.
    pub fn newer(&mut self) -> Option<&str> {
        let at = self.at? + 1;
        self.at = Some(at).filter(|&at| at < self.lines.len());
        Some(self.lines.get(at).map_or("", String::as_str))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn editing_moves_and_erases() {
        let mut line = Input::new("go a/b  ");
        line.edit(LineEdit::EraseWord);
        assert_eq!(line.text(), "go ");
        for edit in [LineEdit::Home, LineEdit::Right, LineEdit::Insert('ü'), LineEdit::Delete] {
            line.edit(edit);
        }
        assert_eq!((line.before(), line.after()), ("gü", " "));
        let mut words = Input::new("{\"name\":\"r16\"}");
        words.edit(LineEdit::WordLeft);
        assert_eq!(words.after(), "r16\"}");
        words.edit(LineEdit::WordLeft);
        assert_eq!(words.before(), "{\"");
        words.edit(LineEdit::WordRight);
        words.edit(LineEdit::EraseRest);
        assert_eq!(words.text(), "{\"name");
        line.edit(LineEdit::End);
        line.edit(LineEdit::Clear);
        assert!(line.is_empty());
    }

    #[test]
    fn what_is_offered_gives_way_to_what_is_typed() {
        let after = |edits: &[LineEdit]| {
            let mut line = Input::offered("int16");
            for edit in edits {
                line.edit(*edit);
            }
            line.text()
        };
        assert_eq!(after(&[LineEdit::Insert('f'), LineEdit::Insert('4')]), "f4");
        assert_eq!(after(&[LineEdit::Erase]), "");
        assert_eq!(after(&[LineEdit::Left, LineEdit::Insert('x')]), "int1x6");
        assert_eq!(after(&[LineEdit::End, LineEdit::Erase]), "int1");
    }

    #[test]
    fn history_walks_back_and_forth() {
        let mut history = History::default();
        for line in ["a", "b", "b"] {
            history.push(line);
        }
        assert_eq!(history.older(), Some("b"));
        assert_eq!(history.older(), Some("a"));
        assert_eq!(history.older(), None);
        assert_eq!(history.newer(), Some("b"));
        assert_eq!(history.newer(), Some(""));
        assert_eq!(history.older_than("c"), Some("b"));
        assert_eq!(history.newer(), Some("c"));
    }
}
