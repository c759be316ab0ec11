//! The problems in the store, as they are found: a line each, and below them the one under the cursor, laid out.

use crate::app::{
    layout::problem_rows,
    page::problems::{FindingPart, ProblemGroup, ProblemRow, parts, place_in_short},
};
use crate::tui::{prelude::*, view::labelled};

/// Columns of the labels below the list.
const LABEL: usize = 11;

/// The problems that a check has found so far.
pub fn lines(app: &App, size: Size) -> Vec<Line> {
    let (page, width) = (&app.pages.problems, usize::from(size.width));
    let head = page.head(size);
    let mut lines = vec![headline(app, width)];
    if page.has_counts() {
        lines.push(fitted(counts(page), width));
    }
    let coverage = page.coverage(size).into_iter();
    lines.extend(coverage.map(|line| Line::styled(format!("   {line}"), QUIET)));
    lines.resize(head, Line::default());
    if page.found.is_empty() {
        if lines.last().is_some_and(|line| line.width() > 0) {
            lines.push(Line::default());
        }
        lines.extend(nothing(page, width));
        return lines;
    }
    let is_explained = app.explains_view();
    let (rows, detail_rows) = problem_rows(size, head, page.len(), is_explained);
    lines.extend(list(page, app.shared.focus == Focus::View, rows, width));
    lines.resize(head + rows, Line::default());
    if let Some((node, problem)) = page.selected().filter(|_| !is_explained) {
        let (detail, is_whole) = detail(node, problem, (detail_rows, width));
        lines.push(rule(page, problem, width, is_whole));
        lines.extend(detail);
    }
    lines
}

/// The progress of the check, or what it covered.
fn headline(app: &App, width: usize) -> Line {
    let page = &app.pages.problems;
    let seen = page.progress.in_words();
    let root = page.root.as_ref().filter(|root| !root.0.is_empty());
    let mut place = root.map_or_else(|| app.shared.root_name(), NodePath::in_words);
    if let Some((array, settings)) = &page.supposed {
        place =
            format!("{place}, with {} read as {},", array.in_words(), safe(&settings.to_string()));
    }
    let (sign, style, text) = match &page.summary {
        Load::Idle => (" ", QUIET, format!("{place} has not been checked yet")),
        Load::Pending => {
            let rate = page.rate().map(|(chunks, bytes)| {
                format!("   {} chunks, {} a second", grouped(chunks), size(bytes))
            });
            let rate = rate.unwrap_or_default();
            ("…", MARK, format!("checking {place}: {seen}{rate}   Esc stops"))
        }
        Load::Failed(error) => ("✗", FAILURE, safe_text(&error)),
        Load::Ready(summary) => {
            let seen = summary.in_words();
            let is_fine = page.found.is_empty() && !is_partial(page);
            let sign = if is_fine { "✓" } else { " " };
            (sign, FINE, format!("{place} was checked: {seen}"))
        }
    };
    let text = cut_sentence(&text, width.saturating_sub(3));
    Line::from(vec![styled(format!(" {sign} "), style), Span::raw(text)])
}

/// True if something was not looked at.
fn is_partial(page: &ProblemsPage) -> bool {
    page.root.as_ref().is_some_and(|root| page.is_partial(root))
}

/// The number of problems of each severity so far.
fn counts(page: &ProblemsPage) -> Line {
    let mut spans = vec![Span::raw("   ")];
    for severity in [Severity::Error, Severity::Warning, Severity::Limit, Severity::Note] {
        let count = page.count(severity);
        if count > 0 {
            let (sign, style) = (theme::severity_sign(severity), theme::severity(severity));
            spans.push(styled(format!("{sign} "), style));
            spans.push(Span::raw(counted(count, severity.word()) + "  "));
        }
    }
    if let Load::Ready(summary) = &page.summary {
        spans.extend(summary.conventions_in_words().map(quiet));
    }
    Line::from(spans)
}

/// The message where there is no problem.
fn nothing(page: &ProblemsPage, width: usize) -> Vec<Line> {
    let text = match &page.summary {
        Load::Idle => {
            "A check reads all metadata below the selected node and decodes every stored chunk. It reports what \
                 cannot be read, what contradicts the metadata, and what some readers do not accept. r starts it."
        }
        Load::Pending => "No problems so far.",
        Load::Failed(_) => "The check could not continue. r restarts it.",
        Load::Ready(_) if is_partial(page) => "No problems in what was checked.",
        Load::Ready(_) => {
            "No problems. All metadata was read, every stored chunk was decoded, and sizes and checksums were \
                 compared. Chunks that are not stored are not problems: they read as the fill value."
        }
    };
    prose("   ", text, width.saturating_sub(6).min(76), PLAIN)
}

fn list(page: &ProblemsPage, focused: bool, rows: usize, width: usize) -> Vec<Line> {
    let shown = page.scroll.in_sight(rows, page.rows());
    let shown: Vec<_> = shown.filter_map(|(here, one)| Some((here, row(page, one)?))).collect();
    // Three fifths are left to the headlines.
    let column = widest(&shown, |(_, (place, ..))| place.width());
    let column = column.min(width.saturating_sub(5) * 2 / 5);
    let line = |(here, (place, problem, headline)): (bool, (String, &Problem, String))| {
        let cursor = here.then_some(focused);
        line((&place, column), problem.severity, &headline, cursor, width)
    };
    shown.into_iter().map(line).collect()
}

/// The problem of a row; of many, the first.
fn problem<'a>(page: &'a ProblemsPage, row: ProblemRow<'_>) -> Option<&'a (NodePath, Problem)> {
    page.found.get(match row {
        ProblemRow::Group(group) => group.first()?,
        ProblemRow::One { at, .. } => at,
    })
}

/// The place, the problem, or the first one of many, and the headline.
fn row<'a>(page: &'a ProblemsPage, row: ProblemRow<'_>) -> Option<(String, &'a Problem, String)> {
    let (node, problem) = problem(page, row)?;
    let headline = problem.error.headline();
    let (place, headline) = match row {
        ProblemRow::Group(group) => {
            let sign = if group.is_open { "▾" } else { "▸" };
            let site = match group.members().count() {
                1 => place(page, node, problem),
                _ => many(page, group),
            };
            (format!("{sign} {site}"), headline_of(page, group, headline))
        }
        ProblemRow::One { nested: true, .. } => {
            (format!("  {}", place(page, node, problem)), headline)
        }
        ProblemRow::One { nested: false, .. } => (place(page, node, problem), headline),
    };
    Some((place, problem, headline))
}

/// The headline of all problems of a group: that of the first, if the next ones have the same, or the
/// meaning of their kind.
fn headline_of(page: &ProblemsPage, group: &ProblemGroup, first: String) -> String {
    /// So many are compared.
    const MOST: usize = 20;
    let problems = group.members().take(MOST).filter_map(|at| page.found.get(at));
    let mut problems = problems.map(|(_, problem)| problem);
    let other = problems.find(|problem| problem.error.headline() != first);
    other.map_or(first, |problem| problem.meaning().to_owned())
}

/// The place of a problem, seen from the node that was checked.
fn place(page: &ProblemsPage, node: &NodePath, problem: &Problem) -> String {
    let place = place_in_short(node, problem);
    let root = page.root.as_ref().map(|root| format!("{}/", safe(&root.0)));
    let below = root.and_then(|root| place.strip_prefix(&root).map(str::to_owned));
    below.unwrap_or(place)
}

/// The kind that the cursor is on, where many are one row.
fn group(page: &ProblemsPage) -> Option<&ProblemGroup> {
    match page.rows().nth(page.scroll.cursor())? {
        ProblemRow::Group(group) => Some(group),
        ProblemRow::One { .. } => None,
    }
}

/// The rule above the problem under the cursor, with what shows the rest of it.
fn rule(page: &ProblemsPage, problem: &Problem, width: usize, is_whole: bool) -> Line {
    let style = theme::severity(problem.severity);
    let (at, of) = (page.scroll.cursor() + 1, page.len());
    let many = group(page).filter(|group| group.members().count() > 1);
    let many = many.map(|group| grouped(group.places())).unwrap_or_default();
    let word = if many.is_empty() { "" } else { ", the first of " };
    let code = format!("{} {}{word}{many}", problem.severity.word(), problem.kind());
    let head = cut(&format!(" {code} "), width.saturating_sub(4));
    let tail = format!(" {} of {} ", grouped(at), grouped(of));
    let tail = if head.width() + tail.len() + 3 <= width { tail } else { String::new() };
    let more = " K shows all ";
    let fits = head.width() + more.len() + tail.len() + 3 <= width;
    let more = if is_whole || !fits { "" } else { more };
    let used = head.width() + more.len() + tail.len() + 3;
    Line::from(vec![
        quiet("─"),
        styled(head, style),
        quiet("─".repeat(width.saturating_sub(used))),
        styled(more, KEY),
        quiet("─"),
        quiet(tail),
        quiet("─"),
    ])
}

/// The number of problems of a kind, and their places.
fn many(page: &ProblemsPage, group: &ProblemGroup) -> String {
    let nodes = group.members().filter_map(|at| page.found.get(at).map(|(node, _)| node));
    let nodes: BTreeSet<&str> = nodes.map(|node| node.0.as_str()).collect();
    let place = match (nodes.len(), nodes.first()) {
        (1, Some(path)) => NodePath((*path).to_owned()).in_words(),
        (count, _) => format!("{} nodes", grouped(count)),
    };
    format!("{} in {place}", grouped(group.places()))
}

/// One line of the list: sign, place in so many columns, and the headline as far as there is room.
fn line(
    (place, column): (&str, usize),
    severity: Severity,
    headline: &str,
    cursor: Option<bool>,
    width: usize,
) -> Line {
    let sign = styled(format!("{} ", theme::severity_sign(severity)), theme::severity(severity));
    let place = words::cut_path(place, column);
    let gap = column.saturating_sub(place.width()) + 2;
    let room = width.saturating_sub(3 + column + 2);
    Line::from(vec![
        theme::mark(cursor.is_some()),
        sign,
        styled(place, theme::row(cursor)),
        Span::raw(" ".repeat(gap)),
        Span::raw(cut_sentence(&safe(headline), room)),
    ])
}

/// The problem under the cursor in so many rows and columns, and whether that is all of it.
fn detail(node: &NodePath, problem: &Problem, (rows, width): (usize, usize)) -> (Vec<Line>, bool) {
    let mut parts = parts(node, problem);
    let room = width.saturating_sub(LABEL + 2);
    for part in &mut parts {
        part.lines = part.lines.iter().flat_map(|line| wrap(line, room)).collect();
    }
    let is_left_out = leave_out(&mut parts, rows);
    let is_whole = !shorten(&mut parts, rows, room) && !is_left_out;
    let told =
        |part: FindingPart| labelled((&format!(" {}", part.label), LABEL + 1), part.lines, PLAIN);
    (parts.into_iter().flat_map(told).collect(), is_whole)
}

/// Leaves out what others say as well, where the rest has no room in `rows` even in as few lines as tell the most of
/// it. True if something is left out.
fn leave_out(parts: &mut Vec<FindingPart>, rows: usize) -> bool {
    let all = parts.len();
    let has_cause = parts.iter().any(FindingPart::is_cause);
    while has_cause
        && parts.iter().map(|part| part.lines.len().min(part.least())).sum::<usize>() > rows
    {
        let places = parts.iter().enumerate();
        let Some((_, at)) = places.filter_map(|(at, it)| Some((it.expendable()?, at))).min() else {
            break;
        };
        parts.remove(at);
    }
    parts.len() < all
}

/// Takes lines from the longest parts until all of them have room in `rows`: first from those that keep enough, and
/// from texts, of which the start tells most. True if something is left out.
fn shorten(parts: &mut [FindingPart], rows: usize, width: usize) -> bool {
    let mut is_shortened = false;
    while parts.iter().map(|part| part.lines.len()).sum::<usize>() > rows {
        let spare = |part: &&mut FindingPart| {
            let lines = part.lines.len();
            (lines > 1, lines > part.least(), part.is_text, lines)
        };
        let Some(longest) = parts.iter_mut().max_by_key(spare) else { return is_shortened };
        is_shortened = true;
        let Some(last) = longest.lines.pop().filter(|_| !longest.lines.is_empty()) else {
            return is_shortened;
        };
        let Some(end) = longest.lines.last_mut() else { return is_shortened };
        *end = if longest.is_text {
            let text = cut_sentence(&format!("{end} {last}"), width);
            if text.ends_with('…') { text } else { cut(&format!("{text} …"), width) }
        } else {
            cut(&format!("{end}  …"), width)
        };
    }
    is_shortened
}
