//! The page of a finding: what it means, whom it harms, what to do, and the smallest store that has it.

use crate::zarr::words;

/// A page in the few forms of Markdown that pages have: a title, paragraphs, headings and blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FindingPage(pub(super) &'static str);

impl FindingPage {
    /// The title: what the finding means, in one line.
    pub fn title(self) -> &'static str {
        self.0.lines().next().unwrap_or_default().trim_start_matches("# ")
    }

    /// The whole page as it is in the repository.
    pub fn markdown(self) -> &'static str {
        self.0
    }

    /// The paragraphs before the example, each with the words that it begins with in a row of a table.
    pub fn sections(self) -> impl Iterator<Item = (&'static str, String)> {
        let prose = self.0.split("\n## ").next().unwrap_or_default();
        prose.split("\n\n").skip(1).map(|text| {
            let lead = text.strip_prefix("**").and_then(|rest| rest.split_once(".** "));
            let (lead, text) = lead.unwrap_or(("What it is", text));
            let label = match lead {
                "What it is" => "it is",
                "Why it matters" => "why",
                "How it comes about" => "how",
                "What to do" => "remedy",
                _ => "written",
            };
            (label, text.trim().replace('\n', " "))
        })
    }

    /// The page as lines of at most `width` columns; those of blocks are as long as they are.
    pub fn lines(self, width: usize) -> Vec<String> {
        let mut lines = Vec::new();
        let mut is_block = false;
        for line in self.0.lines() {
            if line.starts_with("```") {
                is_block = !is_block;
            } else if is_block {
                lines.push(format!("    {line}"));
            } else {
                let text = line.trim_start_matches(['#', ' ']).replace("**", "");
                lines.extend(words::wrap(&text, width));
            }
        }
        // What a fence leaves behind.
        lines.dedup_by(|line, before| line.is_empty() && before.is_empty());
        lines
    }
}
