//! A node whose documents say nothing usable: what was found, what was expected, what to do.

use crate::tui::prelude::*;

/// The message on the node.
pub fn lines(app: &App, size: Size) -> Vec<Line> {
    let Some(node) = app.shared.node() else { return Vec::new() };
    let NodeKind::Broken(error) = &node.kind else { return Vec::new() };
    let width = usize::from(size.width).saturating_sub(4);
    let is_unread = error.code.is_limit();
    let mut lines = vec![
        Line::default(),
        Line::from(vec![
            styled(cut(&app.shared.node_name(), width), TITLE),
            Span::from(if is_unread { "   not read" } else { "   broken node" }),
        ]),
        Line::default(),
    ];
    lines.extend(error_in_parts("", error, width));
    lines.push(Line::default());
    lines.extend(node.all_problems().flat_map(|problem| faulty(problem, width)));
    let hint = if is_unread {
        "This says nothing about the node itself. r reads it again."
    } else {
        "It stays in the tree and is read again when its files change."
    };
    lines.extend(prose("", hint, width, QUIET));
    lines
}

/// A problem with its sign, over as many lines as it takes.
fn faulty(problem: &Problem, width: usize) -> Vec<Line> {
    let sign = format!("{} ", theme::severity_sign(problem.severity));
    let text = wrap(&safe_text(&problem.error), width.saturating_sub(2));
    headed(styled(sign, theme::severity(problem.severity)), text, PLAIN)
}
