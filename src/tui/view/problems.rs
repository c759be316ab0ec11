//! What is wrong in the store, as it is found: a line each, and below them the one under the cursor, laid out.

use crate::{
    app::{
        Load, Size,
        layout::{LIST_HEAD, PROBLEM_DETAIL, problem_rows},
        page::problems::{Group, ProblemRow, ProblemsPage},
    },
    tui::theme,
    zarr::{
        Code, Fix, NodePath, Problem, Severity,
        check::Summary,
        text::safe,
        words::{self, counted, grouped, size},
    },
};
use ratatui::{
    buffer::Buffer,
    layout::Rect,
    text::{Line, Span, Text},
    widgets::Widget,
};
use std::collections::BTreeSet;

/// Columns of the labels below the list.
const LABEL: usize = 11;

/// The problems that a check has found so far.
#[derive(Debug)]
pub struct ProblemsView<'a> {
    /// What was found, and how far the check is.
    pub page: &'a ProblemsPage,
    /// True if it has the keys.
    pub focused: bool,
}

impl Widget for ProblemsView<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        let width = area.width.into();
        Text::from(vec![self.headline(width), self.counts()]).render(area, buf);
        let body = area.intersection(Rect { y: area.y.saturating_add(LIST_HEAD), ..area });
        if self.page.found.is_empty() {
            Text::from(self.nothing(width)).render(body, buf);
            return;
        }
        let rows = problem_rows(Size::new(area.width, area.height));
        let mut lines: Vec<Line<'_>> = self.list(rows, width);
        lines.resize(rows, Line::default());
        if let Some((node, problem)) = self.page.selected() {
            lines.push(self.rule(problem, width));
            lines.extend(detail(node, problem, width));
        }
        Text::from(lines).render(body, buf);
    }
}

impl ProblemsView<'_> {
    /// The progress of the check, or what it covered.
    fn headline(&self, width: usize) -> Line<'static> {
        let seen = looked_at(&self.page.progress);
        let mut place = self.page.root.as_ref().map_or_else(|| "the store".into(), name);
        if let Some((array, settings)) = &self.page.supposed {
            place = format!("{place}, with {} read as {},", name(array), safe(settings));
        }
        let (sign, style, text) = match &self.page.summary {
            Load::Idle => (" ", theme::QUIET, format!("{place} has not been checked yet")),
            Load::Pending => {
                let rate = self.page.rate().map(|(chunks, bytes)| {
                    format!("   {} chunks, {} a second", grouped(chunks), size(bytes))
                });
                let rate = rate.unwrap_or_default();
                ("…", theme::MARK, format!("checking {place}: {seen}{rate}   Esc stops"))
            }
            Load::Failed(error) => ("✗", theme::FAILURE, safe(&error.to_string()).into_owned()),
            Load::Ready(summary) => {
                let seen = looked_at(summary);
                let sign = if self.page.found.is_empty() { "✓" } else { " " };
                (sign, theme::FINE, format!("{place} was checked: {seen}"))
            }
        };
        let text = words::cut(&text, width.saturating_sub(3));
        Line::from(vec![Span::styled(format!(" {sign} "), style), Span::raw(text)])
    }

    /// The number of problems of each severity so far.
    fn counts(&self) -> Line<'static> {
        let mut spans = vec![Span::raw("   ")];
        for severity in [Severity::Error, Severity::Warning, Severity::Limit, Severity::Note] {
            let count = self.page.count(severity);
            if count > 0 {
                let (sign, style) = (theme::severity_sign(severity), theme::severity(severity));
                spans.push(Span::styled(format!("{sign} "), style));
                spans.push(Span::raw(counted(count, severity.word()) + "  "));
            }
        }
        Line::from(spans)
    }

    /// What to say where there is no problem.
    fn nothing(&self, width: usize) -> Vec<Line<'static>> {
        let text = match &self.page.summary {
            Load::Idle => {
                "A check reads all metadata below the selected node and decodes every stored chunk. It reports what \
                 cannot be read, what contradicts the metadata, and what some readers do not accept. r starts it."
            }
            Load::Pending => "No problems so far.",
            Load::Failed(_) => "The check could not continue. r restarts it.",
            Load::Ready(_) => {
                "No problems. All metadata were read, every stored chunk was decoded, and sizes and checksums were \
                 compared. Chunks that are not stored are not problems: they read as the fill value."
            }
        };
        let prose = words::wrap(text, width.saturating_sub(6).min(76));
        prose.into_iter().map(|line| Line::raw(format!("   {line}"))).collect()
    }

    fn list(&self, rows: usize, width: usize) -> Vec<Line<'static>> {
        let scroll = self.page.scroll;
        let visible = scroll.visible(rows);
        let shown: Vec<ProblemRow<'_>> = self.page.rows().skip(visible.start).take(rows).collect();
        let code =
            shown.iter().filter_map(|row| Some(self.problem(*row)?.1.error.code.as_str().len()));
        let code = code.max().unwrap_or(0).min(28);
        let lines = shown.into_iter().enumerate().filter_map(|(at, row)| {
            let cursor = (visible.start + at == scroll.cursor()).then_some(self.focused);
            self.row(row, cursor, code, width)
        });
        lines.collect()
    }

    /// The problem of a row; of many, the first.
    fn problem(&self, row: ProblemRow<'_>) -> Option<&(NodePath, Problem)> {
        self.page.found.get(match row {
            ProblemRow::Group(group) => group.first()?,
            ProblemRow::One { at, .. } => at,
        })
    }

    fn row(
        &self,
        row: ProblemRow<'_>,
        cursor: Option<bool>,
        code: usize,
        width: usize,
    ) -> Option<Line<'static>> {
        let (node, problem) = self.problem(row)?;
        let place = match row {
            ProblemRow::Group(group) => {
                let sign = if group.is_open { "▾" } else { "▸" };
                format!("{sign} {}", many(self.page, group))
            }
            ProblemRow::One { nested: true, .. } => format!("  {}", place(node, problem)),
            ProblemRow::One { nested: false, .. } => place(node, problem),
        };
        Some(line(&place, problem, cursor, code, width))
    }

    /// The kind that the cursor is on, where many are one row.
    fn group(&self) -> Option<&Group> {
        match self.page.rows().nth(self.page.scroll.cursor())? {
            ProblemRow::Group(group) => Some(group),
            ProblemRow::One { .. } => None,
        }
    }

    fn rule(&self, problem: &Problem, width: usize) -> Line<'static> {
        let style = theme::severity(problem.severity);
        let (at, of) = (self.page.scroll.cursor() + 1, self.page.len());
        let many = self.group().map(|group| grouped(group.count)).unwrap_or_default();
        let word = if many.is_empty() { "" } else { ", the first of " };
        let code = format!("{} {}{word}{many}", problem.severity.word(), problem.error.code);
        let head = words::cut(&format!(" {code} "), width.saturating_sub(4));
        let tail = format!(" {} of {} ", grouped(at as u64), grouped(of as u64));
        let used = head.len() + tail.len() + 2;
        Line::from(vec![
            Span::styled("─", theme::QUIET),
            Span::styled(head, style),
            Span::styled("─".repeat(width.saturating_sub(used)), theme::QUIET),
            Span::styled(tail, theme::QUIET),
            Span::styled("─", theme::QUIET),
        ])
    }
}

/// The number of problems of a kind, and their places.
fn many(page: &ProblemsPage, group: &Group) -> String {
    let nodes = group.members().filter_map(|at| page.found.get(at).map(|(node, _)| node));
    let nodes: BTreeSet<&str> = nodes.map(|node| node.0.as_str()).collect();
    let place = match (nodes.len(), nodes.first()) {
        (1, Some(path)) => name(&NodePath((*path).to_owned())),
        (count, _) => format!("{} nodes", grouped(count as u64)),
    };
    // A cause beside what it explains counts as nothing of its own.
    let count = group.count.max(group.members().count() as u64);
    format!("{} in {place}", grouped(count))
}

/// One line of the list: sign, code, place, and what was found as far as there is room.
fn line(
    place: &str,
    problem: &Problem,
    cursor: Option<bool>,
    code: usize,
    width: usize,
) -> Line<'static> {
    let sign = Span::styled(
        format!("{} ", theme::severity_sign(problem.severity)),
        theme::severity(problem.severity),
    );
    let name = theme::row(cursor);
    let room = width.saturating_sub(4 + code + 2);
    let place = words::cut(place, room);
    let found = room.saturating_sub(unicode_width::UnicodeWidthStr::width(place.as_str()) + 2);
    let found =
        if found < 12 { String::new() } else { words::cut(&safe(&problem.error.found), found) };
    Line::from(vec![
        Span::styled(if cursor.is_some() { "▌" } else { " " }, theme::MARK),
        sign,
        Span::styled(words::left(problem.error.code.as_str(), code), name),
        Span::raw(format!("  {place}  ")),
        Span::styled(found, theme::QUIET),
    ])
}

/// What would mend the store, on a line: the command, or what changes in which document.
fn mend(fix: &Fix) -> String {
    match fix {
        Fix::Command(command) => safe(command.trim_end()).into_owned(),
        Fix::Edit { document, diff, .. } => {
            let changed = diff.lines().skip(2).filter(|line| line.starts_with(['+', '-']));
            let changed: Vec<_> = changed.map(|line| safe(line.trim_end())).collect();
            format!("in {}: {}", safe(document), changed.join("  "))
        }
    }
}

/// The problem under the cursor: where, what is there, what should be, and what to do.
fn detail(node: &NodePath, problem: &Problem, width: usize) -> Vec<Line<'static>> {
    let error = &problem.error;
    let mut parts = vec![
        ("place", place(node, problem)),
        ("found", safe(&error.found).into_owned()),
        ("expected", safe(&error.expected).into_owned()),
    ];
    if let Some(why) = &problem.diagnosis {
        let is_cause = error.code == Code::Cause;
        let sentence = if is_cause { String::new() } else { safe(&why.sentence).into_owned() };
        parts.push((if why.is_certain { "cause" } else { "likely" }, sentence));
        parts.push(("evidence", safe(&why.evidence.join(" ")).into_owned()));
        parts.push(("fix", why.fix.as_ref().map_or_else(String::new, mend)));
    }
    parts.retain(|(_, text)| !text.is_empty());
    parts.extend(error.fix.as_ref().map(|fix| ("fix", safe(fix).into_owned())));
    let room = width.saturating_sub(LABEL + 2);
    let mut texts: Vec<Vec<String>> =
        parts.iter().map(|(_, text)| words::wrap(text, room)).collect();
    shorten(&mut texts, PROBLEM_DETAIL, room);
    let mut lines = Vec::new();
    for ((label, _), text) in parts.iter().zip(texts) {
        for (at, line) in text.into_iter().enumerate() {
            let label = if at == 0 { *label } else { "" };
            lines.push(Line::from(vec![
                Span::styled(format!(" {}", words::left(label, LABEL)), theme::QUIET),
                Span::raw(line),
            ]));
        }
    }
    lines
}

/// Takes lines from the longest texts until all of them have room in `rows`.
fn shorten(texts: &mut [Vec<String>], rows: usize, width: usize) {
    while texts.iter().map(Vec::len).sum::<usize>() > rows {
        let Some(longest) = texts.iter_mut().max_by_key(|text| text.len()) else { return };
        let Some(last) = longest.pop().filter(|_| !longest.is_empty()) else { return };
        if let Some(end) = longest.last_mut() {
            *end = words::cut(&format!("{end} {last}…"), width);
        }
    }
}

/// Where a problem is: its file, or else its node.
fn place(node: &NodePath, problem: &Problem) -> String {
    let place = &problem.error.place;
    let text = if place.file.is_some() {
        place.to_string()
    } else if place.field.is_some() || place.offset.is_some() {
        format!("{}, {place}", name(node))
    } else {
        name(node)
    };
    safe(&text).into_owned()
}

/// A node's path; the root has a word instead.
fn name(node: &NodePath) -> String {
    if node.0.is_empty() { "the root".into() } else { safe(&node.0).into_owned() }
}

/// What a check has seen, in words.
fn looked_at(summary: &Summary) -> String {
    let (nodes, arrays) = (counted(summary.nodes, "node"), counted(summary.arrays, "array"));
    format!("{nodes}, {arrays}, {}, {}", counted(summary.chunks, "chunk"), size(summary.bytes))
}
