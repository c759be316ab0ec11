//! The last line: a message, a line that is typed, or the keys that apply here.

use crate::{
    app::{
        Action, App, Focus, KeyContext, Overlay, Pace, View,
        action::{ChunksAction, PictureAction, PromptKind},
        command,
        page::picture::is_struct,
    },
    tui::{
        keymap::{self, Binding},
        theme,
    },
    zarr::{
        text::safe,
        words::{cut, grouped},
    },
};
use ratatui::{
    buffer::Buffer,
    layout::Rect,
    text::{Line, Span},
    widgets::Widget,
};
use unicode_width::UnicodeWidthStr;

/// The last line.
#[derive(Debug)]
pub struct FooterView<'a> {
    /// The state.
    pub app: &'a App,
}

impl Widget for FooterView<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        let room = usize::from(area.width).saturating_sub(1);
        let line = if let Some(Overlay::Prompt(prompt)) = &self.app.overlay {
            typed(prompt, self.app, room)
        } else if let Some(progress) = progress(self.app) {
            Line::from(vec![Span::from(" "), Span::styled(cut(&progress, room), theme::STRONG)])
        } else if let Some(message) = &self.app.shared.message {
            let style = if message.is_failure { theme::FAILURE } else { theme::FINE };
            Line::from(vec![Span::from(" "), Span::styled(cut(&message.text, room), style)])
        } else if let Some(count) = self.app.count.filter(|count| count.certain) {
            Line::from(format!(" {}   then G to go there, or a motion; Esc drops it", count.value))
        } else {
            hints(self.app, room)
        };
        line.render(area, buf);
    }
}

/// Long work: how far it is, and how to stop it.
fn progress(app: &App) -> Option<String> {
    app.shared.chunk.searching.map(|pace| how_far("searching", pace, grouped))
}

/// A bar for long work, its rate as `unit` writes it, and how to stop it.
#[must_use]
pub fn how_far(what: &str, pace: Pace, unit: impl Fn(u64) -> String) -> String {
    let percent = pace.done.saturating_mul(100).checked_div(pace.of).unwrap_or(0).min(100);
    let full = usize::try_from(percent / 5).unwrap_or(20).min(20);
    let rate = pace.rate().map(|rate| format!("   {} a second", unit(rate))).unwrap_or_default();
    let bar = "█".repeat(full) + &"░".repeat(20 - full);
    format!("{what} {bar} {percent} %{rate}   Esc stops")
}

fn typed(prompt: &crate::app::Prompt, app: &App, room: usize) -> Line<'static> {
    let sign = match (prompt.asked, app.is_filtering()) {
        (PromptKind::Command, _) => ":",
        (PromptKind::Search, true) => "filter /",
        (PromptKind::Search, false) => "search /",
        (PromptKind::Find, _) => "find ",
    };
    let mut spans = vec![Span::styled(format!(" {sign}"), theme::KEY)];
    spans.extend(super::input::spans(&prompt.input, true, room.saturating_sub(sign.width() + 1)));
    let used: usize = spans.iter().map(|span| span.content.width()).sum();
    let help = help_for(prompt, app);
    spans.push(Span::styled(cut(&format!("   {help}"), room.saturating_sub(used)), theme::QUIET));
    Line::from(spans)
}

/// What could be typed.
fn help_for(prompt: &crate::app::Prompt, app: &App) -> String {
    if prompt.completions.len() > 1 {
        return prompt.completions.iter().map(|line| line.trim()).collect::<Vec<_>>().join("  ");
    }
    let text = prompt.input.text();
    match prompt.asked {
        PromptKind::Command if text.is_empty() => {
            "[1,7]  0x1f  e 40  c/1/0  go PATH  dtype SPEC  check  Tab completes".into()
        }
        PromptKind::Command => {
            let word = text.split(' ').next().unwrap_or_default();
            let known = command::WORDS.iter().find(|(name, _)| *name == word);
            known.map_or_else(String::new, |(_, help)| (*help).to_owned())
        }
        PromptKind::Search if matches!(app.under, Some(Overlay::Help(_))) => {
            "what keys do; Esc shows all again".into()
        }
        PromptKind::Search if app.is_filtering() => {
            "what names must hold; Esc shows all again".into()
        }
        PromptKind::Search if text.is_empty() => what_is_searched(app),
        PromptKind::Search | PromptKind::Find => String::new(),
    }
}

/// What the search of the view on show takes.
fn what_is_searched(app: &App) -> String {
    if app.shows_gallery() || !matches!(app.shared.view, View::Chunks | View::Picture) {
        return "any text; n and N go on from there".into();
    }
    let elements = app.shared.chunk.shown().and_then(|shown| shown.data(shown.last())?.elements());
    let fields = elements.map(|elements| elements.data_type().fields()).unwrap_or_default();
    match fields.first() {
        Some(field) => {
            let name = safe(&field.name);
            format!("{name}=3.5  {name}>100  nan  fill  notfill  hex 7fc0  or any text")
        }
        None => "=3.5  >100  <-50  !=0  nan  fill  notfill  hex 7fc0  or any text".into(),
    }
}

/// The keys that do something here, the innermost context first, as many as there is room for; `?` and `q` always.
fn hints(app: &App, room: usize) -> Line<'static> {
    let (mut own, mut last, mut done) = (Vec::new(), Vec::new(), Vec::new());
    for (context, led) in contexts(app) {
        let available = |row: &&Binding| !row.hint.is_empty() && app.is_available(row.action);
        for row in keymap::rows(context).filter(available) {
            if done.contains(&row.action) {
                continue;
            }
            done.push(row.action);
            let lead = if led { context.lead() } else { "" };
            let hint = (format!("{lead}{}", keymap::first_name(row)), word(app, row));
            if matches!(row.hint, "keys" | "leave") { last.push(hint) } else { own.push(hint) }
        }
    }
    let width = |(key, hint): &(String, &str)| key.width() + hint.width() + 4;
    let mut free = room.saturating_sub(last.iter().map(width).sum());
    let mut seen: Vec<String> = Vec::new();
    own.retain(|hint| {
        let fits = width(hint) <= free && !seen.contains(&hint.0);
        seen.push(hint.0.clone());
        if fits {
            free -= width(hint);
        }
        fits
    });
    let mut spans = vec![Span::from(" ")];
    for (key, hint) in own.into_iter().chain(last) {
        spans.push(Span::styled(key, theme::KEY));
        spans.push(Span::from(format!(" {hint}   ")));
    }
    Line::from(spans)
}

/// Where the keys come from, and whether another key has to be pressed before them.
fn contexts(app: &App) -> Vec<(KeyContext, bool)> {
    let mut contexts: Vec<_> = app.contexts().into_iter().map(|context| (context, false)).collect();
    let leads =
        matches!(app.focused(), KeyContext::View(View::Chunks | View::Picture) | KeyContext::Map);
    if app.overlay.is_none() && app.prefix().is_none() && leads {
        contexts.insert(1, (KeyContext::AfterNext, true));
    }
    contexts
}

/// What the footer calls what a key does here.
fn word(app: &App, row: &Binding) -> &'static str {
    match row.action {
        Action::Leave if app.shared.focus == Focus::Tree && app.overlay.is_none() => "quit",
        Action::Picture(PictureAction::Field(_)) if !is_struct(&app.shared.chunk.choices()) => {
            "part"
        }
        Action::Picture(PictureAction::NonFinite)
            if app.pages.picture.counted().is_some_and(|c| c.statistics.not_a_time > 0) =>
        {
            "NaT"
        }
        Action::Chunks(ChunksAction::IgnoreChecksums) if app.shared.chunk.ignore_checksums => {
            "mind checksums"
        }
        Action::Pane(_)
            if row.context == KeyContext::View(View::Chunks) && !app.shared.chunk.has_map() =>
        {
            "tree"
        }
        _ => row.hint,
    }
}
