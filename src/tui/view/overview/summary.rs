//! The summary below the rows of the overview: shares of the room, counts of types, orders and codecs, arrays
//! worth a look, the attributes.

use crate::tui::prelude::*;
use crate::{
    tui::view,
    zarr::{census::NameTally, json::Member},
};

/// Columns of the labels.
const LABEL: usize = 16;
/// From so many lines on, sums come before remarks; where there are fewer, remarks must be in sight.
const ROOMY: usize = 12;
/// The number of remarks at most.
const REMARKS: usize = 8;

/// At most `height` lines, the first one blank.
pub(super) fn lines(app: &App, node: &Node, width: usize, height: usize) -> Vec<Line> {
    let page = &app.pages.overview;
    let room = width.saturating_sub(LABEL + 1);
    let mut blocks =
        vec![counts(page, newest(app), room), remarks(page, node, room), attributes(node, room)];
    if height < ROOMY {
        blocks.swap(0, 1);
    }
    blocks.retain(|block| !block.is_empty());
    let mut lines: Vec<Line> = Vec::new();
    for block in blocks {
        lines.push(Line::default());
        lines.extend(block);
    }
    if lines.len() > height {
        let shown = height.saturating_sub(1);
        let more = lines.iter().skip(shown).filter(|line| line.width() > 0).count();
        lines.truncate(shown);
        if height > 0 {
            let text = format!("   … {} in a taller window", counted(more, "more line"));
            lines.push(Line::styled(text, QUIET));
        }
    }
    lines
}

/// The keys that lead on from here, as many as there is room for.
pub(super) fn what_to_press(app: &App, room: usize) -> String {
    let opens =
        if app.shared.focus == Focus::Tree { "Tab goes into the table." } else { "Enter opens." };
    let all: &[&str] = if app.pages.overview.is_empty() {
        &["4 shows the document.", "5 checks it.", "D lists all data types."]
    } else {
        &[opens, "O sorts.", "5 checks it all, chunks too.", "D lists all data types."]
    };
    let mut line = String::new();
    for text in all {
        let gap = if line.is_empty() { "" } else { "   " };
        if line.width() + gap.len() + text.width() <= room {
            line += gap;
            line += text;
        }
    }
    line
}

/// A label and its text, over as many lines as that takes.
fn labelled(label: &str, text: &str, room: usize, style: Style) -> Vec<Line> {
    view::labelled((&format!("   {label}"), LABEL), wrap(text, room), style)
}

/// The shares of the room, and the number of arrays of each data type, byte order and codec.
fn counts(page: &OverviewPage, newest: Option<String>, room: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    lines.extend(shares(page, room));
    if let Some(newest) = newest.filter(|_| !page.is_empty()) {
        lines.extend(labelled("newest", &newest, room, PLAIN));
    }
    let total = &page.total;
    if total.arrays == 0 {
        return lines;
    }
    let tallies = [
        ("data types", &total.data_types),
        ("byte order", &total.byte_orders),
        ("codecs", &total.codecs),
    ];
    for (label, tally) in tallies {
        let mut names = names(tally, label == "byte order");
        if label == "codecs" {
            let none = page.rows.iter().filter(|row| row.is_array() && &*row.codecs == "none");
            match none.count() {
                0 => {}
                n => names.push(format!("none {n}")),
            }
        }
        if !names.is_empty() {
            lines.extend(labelled(label, &listed(&names, room), room, PLAIN));
        }
    }
    lines
}

/// The names with their counts; in words for byte orders, one that stands alone with its array.
fn names(tally: &NameTally, are_orders: bool) -> Vec<String> {
    let words = |name: &str| match name {
        "LE" if are_orders => "little-endian".to_owned(),
        "BE" if are_orders => "big-endian".to_owned(),
        name if are_orders => format!("per field ({name})"),
        name => safe_owned(name),
    };
    let sorted = tally.sorted();
    let is_alone = |count| count == 1 && sorted.len() > 1 && are_orders;
    let of = |&(name, count): &(&str, u64)| {
        let array = tally.first(name).filter(|_| is_alone(count));
        let array = array.map(|path| format!(" ({})", safe(path.name()))).unwrap_or_default();
        format!("{} {}{array}", words(name), grouped(count))
    };
    sorted.iter().map(of).collect()
}

/// As many of the texts as two lines hold, and how many more there are.
fn listed(texts: &[String], room: usize) -> String {
    let mut out = String::new();
    for (at, text) in texts.iter().enumerate() {
        let more = format!("   and {} more", texts.len() - at);
        if at > 0 && out.width() + text.width() + more.width() + 3 > room * 2 - 20 {
            return out + &more;
        }
        out += if at > 0 { "   " } else { "" };
        out += text;
    }
    out
}

/// The row that was written last, and the time; `None` in pictures, which are to be the same everywhere.
fn newest(app: &App) -> Option<String> {
    let rows = app.pages.overview.rows.iter().filter(|_| app.shared.shows_times);
    let (at, row) =
        rows.filter_map(|row| Some((row.sizes()?.written?.1, row))).max_by_key(|(at, _)| *at)?;
    Some(format!("{}, written {} UTC", row.name(), view::to_the_minute(at)?))
}

/// The rows that take most room, with bars: one line.
fn shares(page: &OverviewPage, room: usize) -> Option<Line> {
    let total = page.total.sizes.stored;
    let mut rows: Vec<(u64, &OverviewRow)> =
        page.rows.iter().filter_map(|row| Some((row.sizes()?.stored, row))).collect();
    if rows.len() < 2 || total == 0 {
        return None;
    }
    rows.sort_by_key(|row| std::cmp::Reverse(row.0));
    let label = quiet(format!("   {}", left("stored bytes", LABEL - 3)));
    let (mut spans, mut used) = (vec![label], 0);
    for (stored, row) in rows {
        let percent = (u128::from(stored) * 1000 / u128::from(total) + 5) / 10;
        let bar = "█".repeat(usize::try_from(percent.div_ceil(8)).unwrap_or(12));
        let text = format!("{} {percent} % ", cut(&row.name(), 24));
        let width = text.width() + bar.width() + 3;
        if percent == 0 || used + width > room {
            if percent > 0 {
                spans.push(quiet("…"));
            }
            break;
        }
        used += width;
        spans.extend([Span::from(text), styled(bar, KEY), Span::from("   ")]);
    }
    Some(Line::from(spans))
}

/// The problems of documents, and other remarks.
fn remarks(page: &OverviewPage, node: &Node, room: usize) -> Vec<Line> {
    let mut remarks: Vec<(String, String, Style)> = Vec::new();
    for problem in node.all_problems().filter(|p| p.severity >= Severity::Warning) {
        let sign = theme::severity_sign(problem.severity);
        let text = format!("{sign} {}", safe_text(&problem.error));
        remarks.push((String::new(), text, theme::severity(problem.severity)));
    }
    remarks.extend(page.rows.iter().filter_map(faults));
    remarks.extend(only_ones(page));
    for row in &page.rows {
        remarks.extend(row.remarks().into_iter().map(|text| (row.name(), text, PLAIN)));
    }
    let more = remarks.len().saturating_sub(REMARKS);
    remarks.truncate(REMARKS);
    let names = widest(&remarks, |(name, ..)| name.width()).min(24);
    let mut lines = Vec::new();
    for (name, text, style) in remarks {
        let label = if lines.is_empty() { "worth a look" } else { "" };
        let name = if name.is_empty() { String::new() } else { left(&name, names) + "  " };
        for (at, part) in wrap(&text, room.saturating_sub(name.width())).into_iter().enumerate() {
            let (label, name) = match at {
                0 => (label, name.clone()),
                _ => ("", " ".repeat(name.width())),
            };
            lines.push(Line::from(vec![
                quiet(format!("   {}", left(label, LABEL - 3))),
                Span::from(name),
                styled(part, style),
            ]));
        }
    }
    if more > 0 {
        lines.extend(labelled("", &format!("and {} more", grouped(more)), room, QUIET));
    }
    lines
}

/// Errors and warnings of the documents of a row.
fn faults(row: &OverviewRow) -> Option<(String, String, Style)> {
    let count = |n: u64, noun: &str| (n > 0).then(|| counted(n, noun));
    let found = [
        count(row.census.errors + row.census.broken, "error"),
        count(row.census.warnings, "warning"),
    ];
    let found: Vec<_> = found.into_iter().flatten().collect();
    if found.is_empty() {
        return None;
    }
    let is_error = row.census.errors + row.census.broken > 0;
    let (sign, style) = if is_error { ("✗", FAILURE) } else { ("!", WARNING) };
    Some((row.name(), format!("{sign} metadata: {}", found.join(", ")), style))
}

/// The array that alone has another byte order than all others, and the one that alone is sharded.
fn only_ones(page: &OverviewPage) -> Vec<(String, String, Style)> {
    let mut found = Vec::new();
    let orders = page.total.byte_orders.sorted();
    if let [(_, 2..), (rare, 1)] = orders.as_slice()
        && let Some(path) = page.total.byte_orders.first(rare)
    {
        let word = if *rare == "BE" { "big-endian" } else { "little-endian" };
        found.push((safe_owned(path.name()), format!("the only {word} array"), PLAIN));
    }
    let mut sharded = page
        .rows
        .iter()
        .filter(|row| matches!(row.node.what, What::Array { is_sharded: true, .. }));
    if let (Some(row), None) = (sharded.next(), sharded.next())
        && page.rows.len() > 2
    {
        let total = row.sizes().filter(|_| row.counted == ChunkCount::Whole);
        let total = total.and_then(|sizes| sizes.objects_total.zip(sizes.chunks_total));
        let total = total.map(|(shards, chunks)| {
            format!(": {} shards, {} inner chunks", grouped(shards), grouped(chunks))
        });
        let text = format!("the only sharded array{}", total.unwrap_or_default());
        found.push((row.name(), text, PLAIN));
    }
    found
}

/// The user attributes of a group, each on up to three lines.
fn attributes(node: &Node, room: usize) -> Vec<Line> {
    const MOST: usize = 20;
    let NodeKind::Group(group) = &node.kind else { return Vec::new() };
    let members: &[Member] =
        group.attributes().and_then(|json| json.as_object()).unwrap_or_default();
    let key = |member: &Member| safe_owned(&member.key);
    let widest = members.iter().take(MOST).map(|member| key(member).width()).max().unwrap_or(0);
    let columns = (widest + 5).min(usize::midpoint(room, LABEL)).max(LABEL);
    let room = (room + LABEL).saturating_sub(columns);
    let attribute = |member: &Member| {
        let value = cut(&safe(&member.value.unquoted()), room * 3);
        let key = cut(&key(member), columns - 4);
        view::labelled((&format!("   {key}"), columns), wrap_to(&value, room, 3), PLAIN)
    };
    let mut lines: Vec<_> = members.iter().take(MOST).flat_map(attribute).collect();
    if members.len() > MOST {
        let more = format!("and {} more attributes: 4 shows them", members.len() - MOST);
        lines.extend(labelled("", &more, room, QUIET));
    }
    lines
}
