//! The key table, as an overlay: first the keys of this place, then all others.

use crate::tui::prelude::*;
use crate::zarr::signs::{SIGNS, Sign};

/// Every key there is.
pub struct HelpView<'a> {
    /// The rows and the filter.
    pub page: &'a HelpPage,
    /// The contexts, those of this place first.
    pub contexts: Vec<KeyContext>,
    /// The actions that do nothing here.
    pub idle: Vec<Action>,
}

impl Widget for HelpView<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        Clear.render(area, buf);
        let lines = self.lines(area.width.into());
        let last = self.last_line(area);
        let top = self.page.scroll.cursor().min(last);
        // The sign that more follows has a line of its own.
        let room = usize::from(area.height) - usize::from(top < last);
        lines.into_iter().skip(top).take(room).collect::<Text<'_>>().render(area, buf);
        if top < last {
            let x = area.right().saturating_sub(11);
            buf.set_string(x, area.bottom().saturating_sub(1), "PgDn more", KEY);
        }
    }
}

impl<'a> HelpView<'a> {
    /// The keys that hold in `app`: the views, moving, what can be done here, then the rest.
    pub fn of(app: &App, page: &'a HelpPage) -> Self {
        let place = if app.shows_gallery() { KeyContext::Bits } else { app.focused() };
        let place = if place == KeyContext::Map { KeyContext::View(View::Chunks) } else { place };
        let first = [KeyContext::Views, KeyContext::Moving, place, KeyContext::Shown];
        let mut contexts: Vec<_> =
            first.into_iter().filter(|context| keymap::rows(*context).next().is_some()).collect();
        let rest: Vec<_> =
            KeyContext::ALL.into_iter().filter(|it| !contexts.contains(it)).collect();
        contexts.extend(rest);
        let ways = contexts.iter().copied().flat_map(keymap::rows).flat_map(|row| row.ways);
        let idle = ways.map(|way| way.action).filter(|it| !app.is_available_below_help(*it));
        Self { page, idle: idle.collect(), contexts }
    }

    /// The last line that it can be scrolled to begin with, in an area of this size.
    pub fn last_line(&self, area: Rect) -> usize {
        self.lines(area.width.into()).len().saturating_sub(area.height.into())
    }

    fn lines(&self, width: usize) -> Vec<Line> {
        let filter = self.page.filter.to_lowercase();
        let per_line = (width / 39).clamp(1, 4);
        let column = width / per_line;
        let (mut rows, mut has_idle) = (Vec::new(), false);
        for context in self.contexts.iter().copied() {
            let of_context = entries(context, &filter, column, &self.idle);
            if of_context.is_empty() {
                continue;
            }
            has_idle |= keymap::rows(context).any(|row| is_idle(row, &self.idle));
            rows.push((true, heading(context.title(), column)));
            rows.extend(of_context.into_iter().map(|line| (false, line)));
            rows.push((false, Line::default()));
        }
        let mut lines = in_columns(&rows, per_line, column);
        if has_idle {
            lines.push(Line::styled(" greyed-out keys don't apply here", QUIET));
        }
        lines.extend(legend(&filter, width));
        if lines.is_empty() {
            lines.push(Line::styled(" no key or sign matches", QUIET));
        }
        lines
    }
}

/// Lines, with whether each is a heading, as so many columns side by side; no column ends with a heading, or begins with
/// a blank line.
fn in_columns(rows: &[(bool, Line)], count: usize, width: usize) -> Vec<Line> {
    let height = rows.len().div_ceil(count).max(1);
    let mut columns: Vec<Vec<Line>> = vec![Vec::new()];
    for (is_heading, line) in rows {
        let is_blank = line.spans.is_empty();
        if columns.len() < count
            && !is_blank
            && columns.last().is_some_and(|lines| lines.len() + usize::from(*is_heading) >= height)
        {
            columns.push(Vec::new());
        }
        let last = columns.last_mut().filter(|lines| !(is_blank && lines.is_empty()));
        if let Some(lines) = last {
            lines.push(line.clone());
        }
    }
    let height = widest(&columns, Vec::len);
    let line = |at: usize| {
        let mut spans = Vec::new();
        for column in &columns {
            let own = column.get(at).cloned().unwrap_or_default();
            let gap = " ".repeat(width.saturating_sub(own.width()));
            spans.extend(own.spans);
            spans.push(Span::from(gap));
        }
        Line::from(spans)
    };
    (0..height).map(line).collect()
}

/// True if no action of a row does anything here.
fn is_idle(row: &Binding, idle: &[Action]) -> bool {
    row.ways.iter().all(|way| idle.contains(&way.action))
}

/// A rule with what is below it.
fn heading(title: &str, width: usize) -> Line {
    let title = format!("─ {title} ");
    let fill = "─".repeat(width.saturating_sub(title.chars().count() + 2));
    Line::from(vec![Span::from(" "), styled(title, TITLE), quiet(fill)])
}

/// The signs that have `filter` in their meaning, side by side where there is room.
fn legend(filter: &str, width: usize) -> Vec<Line> {
    let wanted = |sign: &&Sign| format!("signs {} {}", sign.sign, sign.meaning).contains(filter);
    let signs: Vec<_> = SIGNS.iter().filter(wanted).collect();
    if signs.is_empty() {
        return Vec::new();
    }
    let per_line = (width / 30).clamp(1, 4);
    let height = signs.len().div_ceil(per_line);
    let room = (width / per_line).saturating_sub(6);
    let line = |at: usize| {
        let column = |sign: &&Sign| {
            let sign_column = styled(format!("   {}  ", sign.sign), STRONG);
            [sign_column, Span::from(left(sign.meaning, room))]
        };
        signs.iter().skip(at).step_by(height).flat_map(column).collect()
    };
    iter::once(heading("signs", width)).chain((0..height).map(line)).collect()
}

/// The rows of one context that have `filter` in them, in a column of so many cells. A text that is longer goes on below
/// itself; what is `idle` is dim.
fn entries(context: KeyContext, filter: &str, width: usize, idle: &[Action]) -> Vec<Line> {
    let wanted = |row: &&Binding| {
        let text = format!("{} {} {}", context.title(), keymap::names(row), row.help);
        !row.help.is_empty() && text.to_lowercase().contains(filter)
    };
    let rows: Vec<_> = keymap::rows(context).filter(wanted).collect();
    let keys = widest(&rows, |row| keymap::names(row).width()).max(7);
    let room = width.saturating_sub(keys + 4).max(1);
    let entry = |row: &&Binding| {
        let names = keymap::names(row);
        let is_idle = is_idle(row, idle);
        let key = if is_idle { QUIET } else { KEY };
        let style = if is_idle { QUIET } else { PLAIN };
        let texts = wrap(row.help, room).into_iter().enumerate();
        let line = |(at, text): (usize, String)| {
            let names = right(if at == 0 { &names } else { "" }, keys + 1);
            Line::from(vec![styled(names, key), styled(format!("  {text}"), style)])
        };
        texts.map(line).collect::<Vec<_>>()
    };
    rows.iter().flat_map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever the width: a text that does not fit into its column goes on in the next line.
    #[test]
    fn no_help_text_is_cut() {
        for width in [39, 60, 80] {
            for context in KeyContext::ALL {
                let dots = |text: &str| text.matches('…').count();
                let declared: usize = keymap::rows(context)
                    .map(|row| dots(&keymap::names(row)) + dots(row.help))
                    .sum();
                let lines = entries(context, "", width, &[]);
                let shown: usize = lines.iter().map(|line| dots(&line.to_string())).sum();
                assert!(shown <= declared, "{} at {width}: {lines:?}", context.title());
                assert!(lines.iter().all(|line| line.to_string().trim_end().width() <= width));
            }
        }
    }
}
