//! A node that is no array: a group, a folder, or something broken, with what can be said and done about it.

use crate::{
    app::{App, page::problems, page::tree::Branch},
    tui::theme,
    zarr::{
        Node, Problem,
        hierarchy::NodeKind,
        json::Member,
        text::safe,
        words::{cut, wrap},
    },
};
use ratatui::{
    buffer::Buffer,
    layout::Rect,
    text::{Line, Span},
    widgets::Widget,
};
use unicode_width::UnicodeWidthStr;

/// What there is to say of the node.
#[derive(Debug)]
pub struct NodeView<'a> {
    /// The state.
    pub app: &'a App,
}

impl Widget for NodeView<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        let Some(node) = self.app.shared.node() else { return };
        let width = usize::from(area.width).saturating_sub(4);
        let area = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
        let branch =
            self.app.pages.tree.selected().map(|row| listing(&row.branch)).unwrap_or_default();
        let listing = wrap(&safe(&branch), width).into_iter().filter(|line| !line.is_empty());
        let lines = lines(node, &self.app.shared.root_name(), width)
            .into_iter()
            .chain(listing.map(|line| Line::styled(line, theme::QUIET)))
            .chain(children(self.app, width));
        for (line, row) in lines.zip(area.rows()) {
            line.render(row, buf);
        }
    }
}

/// What is in an open group, a line each.
fn children(app: &App, width: usize) -> Vec<Line<'static>> {
    const MOST: usize = 100;
    let rows: Vec<_> = app.pages.tree.children().take(MOST).collect();
    let names = rows.iter().map(|row| safe(row.node.path.name()).width()).max().unwrap_or(0);
    let names = names.clamp(10, (width / 2).max(10));
    let listed = rows.iter().map(|row| super::tree::listed(row, names, width));
    let gap = (!rows.is_empty()).then(Line::default);
    gap.into_iter().chain(listed).collect()
}

/// The sentence on the children of a group.
fn listing(branch: &Branch) -> String {
    match branch {
        Branch::Leaf => String::new(),
        Branch::Closed => "Enter lists its contents.".into(),
        Branch::Opening(0) => "Listing its contents…".into(),
        Branch::Opening(seen) => format!("Listing its contents… {seen} nodes so far."),
        Branch::Open(0) => "It is empty.".into(),
        Branch::Open(1) => "It contains 1 node.".into(),
        Branch::Open(children) => format!("It contains {children} nodes."),
        Branch::Failed(error) => format!("Its contents cannot be listed: {error}."),
    }
}

fn lines(node: &Node, root: &str, width: usize) -> Vec<Line<'static>> {
    let name = if node.path.0.is_empty() { root.into() } else { safe(&node.path.0) };
    let (what, hint) = words(&node.kind);
    let mut lines = vec![
        Line::from(vec![
            Span::styled(cut(&name, width), theme::TITLE),
            Span::from(format!("   {what}")),
        ]),
        Line::default(),
    ];
    if let NodeKind::Broken(error) = &node.kind {
        paragraph(&mut lines, "found", &error.found, width);
        paragraph(&mut lines, "expected", &error.expected, width);
        paragraph(&mut lines, "where", &error.place.to_string(), width);
        error.fix.iter().for_each(|fix| paragraph(&mut lines, "fix", fix, width));
        lines.push(Line::default());
    }
    lines.extend(attributes(node, width));
    lines.extend(problems::of_node(node).into_iter().flat_map(|problem| faulty(problem, width)));
    lines.extend(wrap(hint, width).into_iter().map(|text| Line::styled(text, theme::QUIET)));
    lines
}

/// What a node is, and what can be done with it.
fn words(kind: &NodeKind) -> (String, &'static str) {
    match kind {
        NodeKind::Array(array) => (format!("{} array", array.format.name()), ""),
        NodeKind::Group(group) if group.documents.is_empty() => (
            "implicit group".into(),
            "It has no metadata document; it exists because nodes are below it.",
        ),
        NodeKind::Group(group) => (
            format!("{} group", group.format.name()),
            "4 shows its metadata, 5 checks it and everything below it.",
        ),
        NodeKind::Folder => {
            ("folder".into(), "This folder is not a Zarr store itself. It may contain stores.")
        }
        NodeKind::Broken(_) => {
            ("broken node".into(), "It stays in the tree and is reloaded when its files change.")
        }
    }
}

/// A problem with its sign, over as many lines as it takes.
fn faulty(problem: &Problem, width: usize) -> Vec<Line<'static>> {
    let style = theme::severity(problem.severity);
    let mut sign = theme::severity_sign(problem.severity);
    let mut lines = Vec::new();
    for text in wrap(&safe(&problem.error.to_string()), width.saturating_sub(2)) {
        lines.push(Line::from(vec![Span::styled(format!("{sign} "), style), Span::from(text)]));
        sign = " ";
    }
    lines
}

fn paragraph(lines: &mut Vec<Line<'static>>, label: &str, text: &str, width: usize) {
    let mut label = format!("{label:<10}");
    for part in wrap(&safe(text), width.saturating_sub(10)) {
        lines.push(Line::from(vec![Span::styled(label, theme::QUIET), Span::from(part)]));
        label = " ".repeat(10);
    }
}

/// The user attributes of a group, a line each.
fn attributes(node: &Node, width: usize) -> Vec<Line<'static>> {
    let NodeKind::Group(group) = &node.kind else { return Vec::new() };
    let members: &[Member] =
        group.attributes.as_ref().and_then(|json| json.as_object()).unwrap_or_default();
    let mut lines: Vec<_> = members
        .iter()
        .take(20)
        .map(|member| {
            let value = member.value.unquoted();
            let key = cut(&safe(&member.key), width / 2);
            let room = width.saturating_sub(key.width() + 2);
            Line::from(vec![
                Span::styled(format!("{key}  "), theme::QUIET),
                Span::from(cut(&safe(&value), room)),
            ])
        })
        .collect();
    if !lines.is_empty() {
        lines.push(Line::default());
    }
    lines
}
