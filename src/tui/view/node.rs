//! A node whose documents say nothing usable: what was found, what was expected, what to do.

use crate::tui::prelude::*;
use crate::zarr::Problem;

/// The message on the node.
pub struct NodeView<'a> {
    /// The state.
    pub app: &'a App,
}

impl Widget for NodeView<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        let Some(node) = self.app.shared.node() else { return };
        let NodeKind::Broken(error) = &node.kind else { return };
        let width = usize::from(area.width).saturating_sub(4);
        let is_unread = error.code.is_limit();
        let area = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
        let mut lines = vec![
            Line::from(vec![
                Span::styled(cut(&self.app.shared.node_name(), width), theme::TITLE),
                Span::from(if is_unread { "   not read" } else { "   broken node" }),
            ]),
            Line::default(),
        ];
        lines.extend(paragraphs(error, width));
        lines.push(Line::default());
        lines.extend(node.all_problems().flat_map(|problem| faulty(problem, width)));
        let hint = if is_unread {
            "This says nothing about the node itself. r reads it again."
        } else {
            "It stays in the tree and is read again when its files change."
        };
        lines.extend(wrap(hint, width).into_iter().map(|text| Line::styled(text, theme::QUIET)));
        for (line, row) in lines.into_iter().zip(area.rows()) {
            line.render(row, buf);
        }
    }
}

/// The lines of an error: what is wrong, what would be right, the place, and the advice.
fn paragraphs(error: &Error, width: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    paragraph(&mut lines, "found", &error.found, width);
    paragraph(&mut lines, "expected", &error.expected, width);
    paragraph(&mut lines, "where", &error.place.to_string(), width);
    error.fix.iter().for_each(|fix| paragraph(&mut lines, "to do", fix, width));
    lines
}

/// A problem with its sign, over as many lines as it takes.
fn faulty(problem: &Problem, width: usize) -> Vec<Line> {
    let style = theme::severity(problem.severity);
    let mut sign = theme::severity_sign(problem.severity);
    let mut lines = Vec::new();
    for text in wrap(&safe(&problem.error.to_string()), width.saturating_sub(2)) {
        lines.push(Line::from(vec![Span::styled(format!("{sign} "), style), Span::from(text)]));
        sign = " ";
    }
    lines
}

fn paragraph(lines: &mut Vec<Line>, label: &str, text: &str, width: usize) {
    let mut label = format!("{label:<10}");
    for part in wrap(&safe(text), width.saturating_sub(10)) {
        lines.push(Line::from(vec![theme::quiet(label), Span::from(part)]));
        label = " ".repeat(10);
    }
}
