//! The program without a terminal: a path and a text of keys in, the screen out.
//!
//! Keys are written as people write them: `jj<enter>2<tab>]c:<esc>`. Every piece of work that the state machine asks
//! for is done at once, by the same code that the threads run, so a script needs no waiting and gives the same screen
//! every time. `zarrscope shot`, the pictures of the README and the tests all go this way.

use super::prelude::*;
use super::{card, lessons, open, visit};
use crate::{
    app::{Job, Watched, script_form::split},
    worker::work,
    zarr::Result,
};
use ratatui::crossterm::event::KeyModifiers;
use std::fmt::Display;

/// The most times that the state catches up with what came of work before the next key.
const MOST_TURNS: usize = 100;

/// The state after a script.
pub struct Played {
    /// The state after the last key.
    pub app: App,
    /// The screen after the last key.
    pub screen: Buffer,
    /// The effects that were left to the shell: copies, the editor, quitting. Work is not among them: it has been done.
    pub effects: Vec<Effect>,
}

/// Opens `path`, presses `keys` on a screen of `size` (columns, rows), and draws what is there then.
///
/// # Errors
///
/// If `path` cannot be opened, or `keys` has a `<word>` that names no key.
pub fn play(path: &Path, size: (u16, u16), keys: &str, options: &Options) -> Result<Played> {
    let keys = parse(keys)?;
    let mut player = Player::open(path, size, options)?;
    for key in keys {
        player.press(key);
    }
    Ok(player.played())
}

/// A program that is being played, for callers that change the store or the size on the way.
#[derive(Clone)]
pub struct Player {
    /// The state.
    pub app: App,
    hierarchy: Hierarchy,
    area: Rect,
    effects: Vec<Effect>,
    watched: Watched,
    slow: Vec<Lane>,
    waiting: Vec<Job>,
    overview: Option<Job>,
    /// The store that was left for a lesson, and the node there.
    left: Option<(Hierarchy, NodePath)>,
    options: Options,
}

impl Player {
    /// Opens `path` on a screen of `size` (columns, rows).
    ///
    /// # Errors
    ///
    /// If `path` cannot be opened.
    pub fn open(path: &Path, size: (u16, u16), options: &Options) -> Result<Self> {
        Self::open_slow(path, size, options, &[])
    }

    /// Opens `path` while the work of some lanes takes so long that it has not begun: until [`Self::catch_up`].
    ///
    /// # Errors
    ///
    /// If `path` cannot be opened.
    pub fn open_slow(
        path: &Path,
        size: (u16, u16),
        options: &Options,
        slow: &[Lane],
    ) -> Result<Self> {
        let (hierarchy, mut app) = open(path, options)?;
        if let Some(lesson) = &options.lesson {
            super::begin(&mut app, lesson);
        }
        let mut player = Self {
            app,
            hierarchy,
            area: Rect::new(0, 0, size.0, size.1),
            effects: Vec::new(),
            watched: Watched::default(),
            slow: slow.to_vec(),
            waiting: Vec::new(),
            overview: None,
            left: None,
            options: options.clone(),
        };
        player.begin();
        Ok(player)
    }

    /// From now on the work of this lane is not done until [`Self::catch_up`].
    pub fn slow_down(&mut self, lane: Lane) {
        self.slow.push(lane);
    }

    /// Does all the work that has been waiting.
    pub fn catch_up(&mut self) {
        self.slow.clear();
        let waiting = mem::take(&mut self.waiting).into_iter().map(Effect::Run).collect();
        self.perform(waiting);
        self.overview();
        self.settle();
    }

    /// Lets a while pass, as somebody who reads the screen does.
    pub fn pause(&mut self) {
        self.app.pause();
    }

    /// The effects that were left to the shell since the last call: copies, the editor, quitting.
    pub fn take_effects(&mut self) -> Vec<Effect> {
        mem::take(&mut self.effects)
    }

    /// Presses one key, as the user does, and answers everything it asks for.
    pub fn press(&mut self, key: KeyEvent) {
        self.app.guide(false);
        self.press_key(key);
    }

    /// Presses one key of a lesson, which only looks.
    pub fn press_guided(&mut self, key: KeyEvent) {
        self.app.guide(true);
        self.press_key(key);
        self.overview();
    }

    fn press_key(&mut self, key: KeyEvent) {
        if self.app.shared.focus != Focus::Tree || key.code == KeyCode::Esc {
            self.overview();
        }
        if let Some(action) = keymap::action(&self.app.contexts(), key) {
            self.act(action);
        }
    }

    fn act(&mut self, action: Action) {
        let geometry = panes::geometry(self.area, &self.app);
        let effects = self.app.update(action, &geometry);
        self.perform(effects);
        self.settle();
    }

    /// Clicks, drags or turns the wheel.
    pub fn mouse(&mut self, event: crossterm::event::MouseEvent) {
        if let Some(action) = super::mouse::action(event, self.area, &self.app) {
            self.act(action);
        }
    }

    /// Gives the screen another size.
    pub fn resize(&mut self, size: (u16, u16)) {
        self.area = Rect::new(0, 0, size.0, size.1);
        self.settle();
    }

    /// Tells the program that these files of the store have changed, as the watcher would.
    pub fn changed(&mut self, keys: &[&str]) {
        let keys: Vec<String> = keys.iter().map(|key| (*key).to_owned()).collect();
        let effects = self.app.files_changed(&keys);
        self.perform(effects);
        self.settle();
    }

    /// The part of the store that is being watched.
    pub fn watched(&self) -> &Watched {
        &self.watched
    }

    /// Draws the screen.
    pub fn screen(&self) -> Buffer {
        let mut buffer = Buffer::empty(self.area);
        Screen::new(&self.app).render(self.area, &mut buffer);
        adapt(&mut buffer, &self.options);
        buffer
    }

    /// The view on show, as Markdown.
    pub fn markdown(&self) -> String {
        card::markdown(&self.app, self.area, &self.options)
    }

    /// Counts what is in the group on show. That is left until somebody looks at it: a script passes many groups.
    fn overview(&mut self) {
        if let Some(job) = self.overview.take() {
            let next = self.perform_job(&job);
            self.perform(next);
            self.settle();
        }
    }

    fn played(mut self) -> Played {
        self.overview();
        let screen = self.screen();
        Played { app: self.app, screen, effects: self.effects }
    }

    /// Lets the state catch up with the size and with what came of work, as the shell does before each frame, until it
    /// asks for nothing more.
    fn settle(&mut self) {
        for _ in 0..MOST_TURNS {
            let geometry = panes::geometry(self.area, &self.app);
            let effects = self.app.settle(&geometry);
            if effects.is_empty() {
                return;
            }
            self.perform(effects);
        }
    }

    fn perform(&mut self, effects: Vec<Effect>) {
        let mut queue: VecDeque<Effect> = effects.into();
        while let Some(effect) = queue.pop_front() {
            match effect {
                Effect::Run(job) if self.slow.contains(&job.lane) => self.waiting.push(job),
                Effect::Run(job) if job.lane == Lane::Overview => self.overview = Some(job),
                Effect::Run(job) => queue.extend(self.perform_job(&job)),
                Effect::Cancel(Lane::Overview) => self.overview = None,
                Effect::Cancel(Lane::Watch) => self.watched = Watched::default(),
                // Here a store is open before there is anything to show.
                Effect::Cancel(_) | Effect::Open | Effect::GiveUp => {}
                Effect::Watch(watched) => self.watched = watched,
                // What is at work already is done first, as in the terminal.
                Effect::Press(_) | Effect::Guide(_)
                    if queue.iter().any(|it| matches!(it, Effect::Run(_))) =>
                {
                    queue.push_back(effect);
                }
                Effect::Press(keys) => self.press_all(&keys),
                Effect::Guide(keys) => {
                    self.app.guide(true);
                    self.press_all(&keys);
                }
                Effect::Learn(name) => self.visit(lessons::enter(&name, &self.app, &self.options)),
                Effect::Refresh => self.hierarchy.store.refresh(),
                Effect::EndLesson => self.end_lesson(),
                Effect::CopyCard => self.effects.push(Effect::Copy(self.markdown())),
                other => self.effects.push(other),
            }
        }
    }
}

impl Player {
    /// Presses keys; what one asks for is done before the next one, as in the terminal.
    fn press_all(&mut self, keys: &str) {
        match parse(keys) {
            Ok(keys) => keys.into_iter().for_each(|key| self.press_key(key)),
            Err(error) => self.app.shared.fail(error.to_string()),
        }
    }

    /// Shows the store of a lesson, or says why there is none.
    fn visit<E: Display>(&mut self, visited: Result<(Hierarchy, App), E>) {
        match visited {
            Err(why) => self.app.shared.fail(why.to_string()),
            Ok((hierarchy, app)) => self.show(hierarchy, app),
        }
    }

    /// Shows another store; the one on show waits.
    fn show(&mut self, hierarchy: Hierarchy, app: App) {
        let here = self.app.shared.node().map(|node| node.path.clone()).unwrap_or_default();
        let before = mem::replace(&mut self.hierarchy, hierarchy);
        self.left.get_or_insert((before, here));
        self.app = app;
        self.begin();
    }

    /// Goes back to the store that was left for a lesson.
    fn end_lesson(&mut self) {
        let Some((hierarchy, node)) = self.left.take() else { return };
        let start = Start { node, ..Start::default() };
        self.app = visit(&self.app, &hierarchy, start, &self.options);
        self.hierarchy = hierarchy;
        self.begin();
    }

    /// Does what the first screen of a store asks for.
    fn begin(&mut self) {
        let geometry = panes::geometry(self.area, &self.app);
        let first = self.app.start(&geometry);
        self.perform(first);
        self.settle();
    }

    /// Does a piece of work; what is to be done next.
    fn perform_job(&mut self, job: &Job) -> Vec<Effect> {
        let (app, mut next) = (&mut self.app, Vec::new());
        work::perform(&self.hierarchy, &self.options.memory, job, &|| false, &mut |reply| {
            next.extend(app.replied(reply));
        });
        next
    }
}

/// The keys that a script names.
///
/// # Errors
///
/// If a `<word>` names no key.
pub fn parse(script: &str) -> Result<Vec<KeyEvent>> {
    split(script).map(key).collect()
}

/// The key that is written so: `j`, `<enter>`.
fn key(written: &str) -> Result<KeyEvent> {
    let word = written.strip_prefix('<').and_then(|word| word.strip_suffix('>'));
    let letter = written.chars().next().unwrap_or_default();
    word.map_or_else(|| Ok(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE)), named)
}

/// The key that `word` names: `enter`, `c-d`, `s-tab`, `f1`, `lt`.
fn named(word: &str) -> Result<KeyEvent> {
    let lower = word.to_lowercase();
    let (name, modifiers) = match lower.split_once('-') {
        Some(("c" | "ctrl", name)) => (name, KeyModifiers::CONTROL),
        Some(("s" | "shift", name)) => (name, KeyModifiers::SHIFT),
        Some(("a" | "alt", name)) => (name, KeyModifiers::ALT),
        _ => (lower.as_str(), KeyModifiers::NONE),
    };
    let is = |(_, shown, also): &&(KeyCode, &str, &str)| {
        shown.eq_ignore_ascii_case(name) || *also == name
    };
    let code = match name {
        "esc" => KeyCode::Esc,
        "tab" if modifiers == KeyModifiers::SHIFT => KeyCode::BackTab,
        "space" => KeyCode::Char(' '),
        "lt" => KeyCode::Char('<'),
        "gt" => KeyCode::Char('>'),
        name => match (keymap::NAMED.iter().find(is), name.chars().next(), name.chars().count()) {
            (_, None, _) => return Err(unknown(word)),
            (_, Some(c), 1) => KeyCode::Char(c),
            (Some((code, ..)), ..) => *code,
            (None, Some('f'), _) => {
                match name.strip_prefix('f').and_then(|number| number.parse().ok()) {
                    Some(number @ 1..=35) => KeyCode::F(number),
                    _ => return Err(unknown(word)),
                }
            }
            _ => return Err(unknown(word)),
        },
    };
    Ok(KeyEvent::new(code, modifiers))
}

fn unknown(word: &str) -> Error {
    Error::new(
        Code::InvalidArgument,
        format!("<{word}>"),
        "a key such as <enter>, <esc>, <tab> or <c-d>",
    )
}
