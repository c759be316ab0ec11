//! The last line: a message, a line that is typed, or the keys that apply here.

use crate::tui::prelude::*;
use crate::{
    app::{command, page::picture::is_struct},
    zarr::words::seconds,
};

/// The last line.
pub fn render(app: &App, area: Rect, buf: &mut Buffer) {
    let traffic = traffic(app, area);
    let room = room(app, area);
    let line = if let Some(Overlay::Prompt(prompt)) = &app.overlay {
        typed(prompt, app, room)
    } else if let Some(progress) = progress(app) {
        Line::from(vec![Span::from(" "), styled(cut(&progress, room), STRONG)])
    } else if let Some(message) = &app.shared.message {
        let style = if message.is_failure { FAILURE } else { FINE };
        Line::from(vec![Span::from(" "), styled(cut(&message.text, room), style)])
    } else {
        keys(app, room)
    };
    line.render(area, buf);
    if let Some((text, style)) = traffic {
        let x = area.right().saturating_sub(u16::try_from(text.width() + 1).unwrap_or(0));
        buf.set_string(x, area.y, text, style);
    }
}

/// The columns of the last line that are not taken by what is asked over the network.
fn room(app: &App, area: Rect) -> usize {
    let taken = traffic(app, area).map_or(0, |(text, _)| text.width() + 3);
    usize::from(area.width).saturating_sub(1 + taken)
}

/// The requests over the network, in as many words as half of the line has room for: what is under way, and the totals.
fn traffic(app: &App, area: Rect) -> Option<(String, Style)> {
    let traffic = app.shared.traffic()?;
    if matches!(app.overlay, Some(Overlay::Prompt(_))) {
        return None;
    }
    let total = format!("{}, {}", counted(traffic.requests, "request"), size(traffic.bytes));
    if traffic.waiting == 0 {
        return Some((total, QUIET));
    }
    let (waiting, time) = (grouped(traffic.waiting), seconds(traffic.since));
    let forms = [
        format!("{waiting} under way, {time} (Esc gives up)   {total}"),
        format!("{waiting} under way, {time} (Esc gives up)"),
    ];
    let room = usize::from(area.width) / 2;
    let short = format!("{waiting} under way, {time}");
    let text = forms.into_iter().find(|form| form.width() <= room).unwrap_or(short);
    Some((text, STRONG))
}

/// Long work: how far it is, and how to stop it.
fn progress(app: &App) -> Option<String> {
    let chunk = &app.shared.chunk;
    let searching = || chunk.searching.map(|pace| how_far("searching", pace, grouped));
    let counted = chunk.count.progress().filter(|_| app.shared.message.is_none());
    // How often it is there comes in while the search goes on, and after it.
    counted.map(|(text, pace)| how_far(&text, pace, grouped)).or_else(searching)
}

/// A bar for long work, its rate as `unit` writes it, and how to stop it.
pub fn how_far(what: &str, pace: Pace, unit: impl Fn(u64) -> String) -> String {
    let percent = pace.done.saturating_mul(100).checked_div(pace.of).unwrap_or(0).min(100);
    let full = usize::try_from(percent / 5).unwrap_or(20).min(20);
    let rate = pace.rate().map(|rate| format!("   {} a second", unit(rate))).unwrap_or_default();
    let bar = "█".repeat(full) + &"▁".repeat(20 - full);
    let left = pace.seconds_left().filter(|&seconds| seconds > 1);
    let left = left.map(|seconds| format!("   {} s left", grouped(seconds))).unwrap_or_default();
    format!("{what} {bar} {percent} %{rate}{left}   Esc stops")
}

fn typed(prompt: &crate::app::Prompt, app: &App, room: usize) -> Line {
    let sign = match (prompt.asked, app.is_filtering()) {
        (PromptKind::Command, _) => ":",
        (PromptKind::Search, true) => "filter /",
        (PromptKind::Search, false) if app.shared.has_table() => "show /",
        (PromptKind::Search, false) => "search /",
        (PromptKind::Find, _) => "find ",
        (PromptKind::Export, _) if app.shared.has_table() => "write table to ",
        (PromptKind::Export, _) => "write chunk to ",
    };
    let mut spans = vec![styled(format!(" {sign}"), KEY)];
    spans.extend(super::input::spans(&prompt.input, true, room.saturating_sub(sign.width() + 1)));
    let used: usize = spans.iter().map(|span| span.content.width()).sum();
    let left = room.saturating_sub(used + 3);
    let short = enter_and_esc(prompt).unwrap_or_default();
    let long = help_for(prompt, app);
    let help = if long.width() > left && !short.is_empty() { short.into() } else { long };
    spans.push(quiet(format!("   {}", cut(&help, left))));
    Line::from(spans)
}

/// The effect of the two keys that end the line, where all of its help has no room.
fn enter_and_esc(prompt: &crate::app::Prompt) -> Option<&'static str> {
    let is_what_if = prompt.input.text().starts_with("as ");
    match prompt.asked {
        PromptKind::Export => Some("Enter writes a new file, Esc cancels"),
        PromptKind::Command if is_what_if => Some("Enter reads it so, Esc cancels"),
        _ => None,
    }
}

/// The help for the line that is typed.
fn help_for(prompt: &crate::app::Prompt, app: &App) -> String {
    if prompt.completions.len() > 1 {
        return prompt.completions.iter().map(|line| line.trim()).joined("  ");
    }
    let text = prompt.input.text();
    match prompt.asked {
        PromptKind::Command if text.is_empty() => {
            "[1,7]  0x1f  e 40  c/1/0  go PATH  dtype SPEC  check  Tab completes".into()
        }
        PromptKind::Command => {
            let word = text.split(' ').next().unwrap_or_default();
            let known = command::WORDS.iter().find(|known| known.name == word);
            known.map_or_else(String::new, |known| known.help.to_owned())
        }
        PromptKind::Search if matches!(app.under, Some(Overlay::Help(_))) => {
            "part of a key's name or text; Esc shows all".into()
        }
        PromptKind::Search if app.is_filtering() => {
            let found = counted(app.pages.tree.matches, "node");
            let so_far = if app.shared.is_busy(Lane::Find) { " so far" } else { "" };
            if text.is_empty() {
                return "part of a name, anywhere in the store; Esc shows all".into();
            }
            format!("{found} found{so_far}; Enter keeps this, Esc shows all again")
        }
        PromptKind::Search if text.is_empty() && app.shared.has_table() => {
            "ratio>3  nan>0  fill=all  checksum=x  same  missing  damaged  outlier  key c/2/*"
                .into()
        }
        PromptKind::Search if text.is_empty() => what_is_searched(app),
        PromptKind::Export => {
            "Enter writes a new file, in the current folder if none is named; Esc cancels".into()
        }
        PromptKind::Search | PromptKind::Find => String::new(),
    }
}

/// The forms that the search of the view on show takes.
fn what_is_searched(app: &App) -> String {
    if app.shows_gallery() || !matches!(app.shared.view, View::Chunks | View::Picture) {
        return "any text; n and N go to the next and previous match".into();
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

/// A key of the footer.
struct KeyHint {
    key: String,
    word: &'static str,
    action: Action,
}

impl KeyHint {
    /// Columns that it takes, with the blanks after it.
    fn width(&self) -> usize {
        self.key.width() + self.word.width() + 4
    }
}

/// The keys that do something here, as a line.
fn keys(app: &App, room: usize) -> Line {
    let mut spans = vec![Span::from(" ")];
    let hints = hints(app, room);
    let is_alone = hints.iter().all(|hint| hint.action == Action::Back);
    for hint in hints {
        spans.push(styled(hint.key, KEY));
        spans.push(Span::from(format!(" {}   ", hint.word)));
    }
    let contexts = app.contexts();
    if let Some(context) = contexts.first().filter(|context| context.is_led() && is_alone) {
        let text = format!("{} has nothing to act on here", context.lead());
        spans.push(quiet(text));
    }
    Line::from(spans)
}

/// The action of the key whose hint is at column `x` of the footer `area`; `None` where it shows something else.
pub fn at(app: &App, area: Rect, x: u16) -> Option<Action> {
    let shows_keys = app.shared.message.is_none()
        && progress(app).is_none()
        && !matches!(app.overlay, Some(Overlay::Prompt(_)));
    let mut left = usize::from(x.checked_sub(area.x + 1)?);
    for hint in hints(app, room(app, area)).into_iter().filter(|_| shows_keys) {
        // The blanks between two hints belong to neither.
        if left < hint.width() {
            return (left + 3 < hint.width()).then_some(hint.action);
        }
        left -= hint.width();
    }
    None
}

/// The keys that do something here, the innermost context first, as many as there is room for; `?` and `q` always.
fn hints(app: &App, room: usize) -> Vec<KeyHint> {
    let (mut own, mut last) = (Vec::new(), Vec::new());
    let mut seen = vec![""];
    for context in contexts(app) {
        // What may follow a prefix is named before it is pressed, but not how to drop it.
        let is_led = context.is_led() && app.prefix().is_none();
        let lead = if is_led { context.lead() } else { "" };
        for row in keymap::rows(context).filter(|row| !is_led || row.hint != "drop") {
            let Some(hint) = hint(app, row, lead).filter(|hint| !seen.contains(&hint.word)) else {
                continue;
            };
            seen.push(hint.word);
            match row.hint {
                "keys" | "leave" if context == KeyContext::Moving => last.push(hint),
                _ if hint.action == Action::Open => own.insert(0, hint),
                _ => own.push(hint),
            }
        }
    }
    let mut free = room.saturating_sub(last.iter().map(KeyHint::width).sum());
    own.retain(|hint| {
        let fits = hint.width() <= free;
        if fits {
            free -= hint.width();
        }
        fits
    });
    own.extend(last);
    own
}

/// The hint of a row: the keys of those of its actions that do something here; `None` where none does.
fn hint(app: &App, row: &Binding, lead: &str) -> Option<KeyHint> {
    let available = row.ways.iter().filter(|way| app.is_available(way.action));
    let keys: Vec<_> = available.filter_map(|way| Some((way.keys.first()?, way.action))).collect();
    let (first, action) = *keys.first()?;
    // Two letters for two ways are both named; of longer names the first is enough.
    let names = keys.iter().map(|(key, _)| keymap::name(key));
    let letters: Vec<_> = names.take_while(|name| name.chars().count() == 1).collect();
    let name = if letters.is_empty() { keymap::name(first) } else { letters.join(" ") };
    Some(KeyHint { key: format!("{lead}{name}"), word: word(app, row), action })
}

/// The contexts whose keys are named, the most particular first.
fn contexts(app: &App) -> Vec<KeyContext> {
    let mut contexts = app.contexts();
    contexts.retain(|context| *context != KeyContext::Question);
    let of_view = matches!(
        contexts.first(),
        Some(
            KeyContext::View(View::Chunks | View::Picture | View::Metadata)
                | KeyContext::Map
                | KeyContext::ChunkTable
                | KeyContext::Compare
        )
    );
    if of_view {
        // After what the views have, before how to move.
        let at = contexts.iter().position(|it| *it == KeyContext::Moving).unwrap_or(1);
        contexts.insert(at, KeyContext::AfterStep);
    }
    contexts
}

/// The word for the action of a key here.
fn word(app: &App, row: &Binding) -> &'static str {
    let place = app.contexts().first().copied();
    match row.ways.first().map(|way| way.action) {
        Some(Action::Leave) if app.shared.focus == Focus::Tree && app.overlay.is_none() => "quit",
        Some(Action::Step(StepTo::Field, _)) if !is_struct(&app.shared.chunk.choices()) => "part",
        Some(Action::NonFinite)
            if app.pages.picture.counted().is_some_and(|c| c.statistics.not_a_time > 0) =>
        {
            "NaT"
        }
        Some(Action::IgnoreChecksums) if app.shared.chunk.ignore_checksums => "check checksums",
        Some(Action::Fold) if place == Some(KeyContext::Tree) => "open",
        Some(Action::Fold) if place == Some(KeyContext::Compare) => "same rows",
        Some(Action::Fold) if place == Some(KeyContext::View(View::Problems)) => "all of a kind",
        Some(Action::Open) => match place {
            Some(KeyContext::View(View::Problems)) => "go there",
            Some(KeyContext::View(View::Picture)) => "values",
            Some(KeyContext::ChunkTable | KeyContext::Map) => "chunk",
            Some(KeyContext::Lessons) => "start",
            Some(KeyContext::Gallery) => "try it",
            Some(KeyContext::Compare | KeyContext::Overview) => row.hint,
            _ => "",
        },
        // Where much else can be done, these are for who looks them up.
        Some(Action::Shows | Action::Axes) if place == Some(KeyContext::View(View::Chunks)) => "",
        Some(Action::Ask(PromptKind::Export)) if place != Some(KeyContext::ChunkTable) => "",
        Some(Action::WhatIf) if place != Some(KeyContext::View(View::Problems)) => "",
        Some(Action::Pane(_)) if place == Some(KeyContext::View(View::Chunks)) => {
            if app.shared.chunk.has_map() { "map" } else { "tree" }
        }
        _ => row.hint,
    }
}
