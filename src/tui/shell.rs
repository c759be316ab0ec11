//! The rim: the terminal's events and the workers' replies in, frames out.
//!
//! No tick, no poll: the loop waits until something happens, handles everything that is waiting, and draws once. An
//! idle program uses no processor, and a key that is held never lags behind.

use super::prelude::*;
#[cfg(unix)]
use super::terminal;
use super::{PROGRESS, card, lessons, mouse, script, terminal::Tty, visit};
#[cfg(unix)]
use crate::worker::signals::{self, Signal};
#[cfg(feature = "remote")]
use crate::worker::traffic;
use crate::{
    app::Reply,
    tui,
    worker::{Report, THREAD_NAME, Workers, output_file::PrivateCopy, state},
    zarr::{self, store::requests::Asker},
};
use ratatui::crossterm::event::{self, Event};
use std::{
    env,
    fmt::Display,
    io,
    process::Command,
    sync::{
        atomic::{AtomicU64, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    thread,
    time::Instant,
};

/// Everything that can happen to the program.
enum Happening {
    /// Keys, clicks, sizes, in their order.
    Terminal(Vec<Event>),
    /// The terminal is gone.
    Gone,
    /// The reply of a worker, and the number of the store that it works on.
    Reply(u64, Reply),
    /// The outcome of opening a store far away, and the number of the attempt.
    Opened(u64, Box<zarr::Result<(Hierarchy, App)>>),
    /// The requests over the network so far.
    #[cfg_attr(not(feature = "remote"), expect(dead_code, reason = "there are none"))]
    Requests(RequestLog),
    /// Somebody wants the program to stop for now.
    Stop,
    /// The program was stopped from outside, and runs again.
    Continue,
}

/// The time a frame waits for work that is nearly done, so that a quick load does not flash "loading": what a key press
/// may take altogether, for the first frame waits too.
const PATIENCE: Duration = Duration::from_millis(16);

/// The time that a key of a script leaves for the work of the one before: nobody looks at what is between them.
const SCRIPT_PATIENCE: Duration = Duration::from_secs(1);

/// The time that the terminal has to answer.
const AT_ONCE: Duration = Duration::from_millis(1);

/// The time that the first of two keys waits for the second before the keys that may follow are listed.
const SOON: Duration = Duration::from_millis(600);

/// The loop's own things.
struct Shell<'a> {
    app: App,
    workers: Workers,
    hierarchy: Hierarchy,
    /// The path that was typed.
    path: &'a Path,
    /// The number of times that the store was begun to be opened, or given up.
    opening: Arc<AtomicU64>,
    /// The time until which the next frame waits for work that may be nearly done.
    patient_until: Instant,
    /// The number of the store on show: the answers of the one before are dropped.
    store: u64,
    /// The store that was left for a lesson, and the node there.
    left: Option<(Hierarchy, NodePath)>,
    sender: Sender<Happening>,
    tty: Tty,
    options: &'a Options,
    area: Rect,
    done: bool,
    /// The events of the terminal that nobody has handled.
    events: VecDeque<Event>,
    /// The number of these that are keys of a text, which come first, and the number of those that are of a lesson.
    scripted: usize,
    guided: usize,
    /// True if the reader of the terminal waits for leave to go on.
    owes_permit: bool,
    /// The time of the last key press, by the user or by a script.
    last_key: Instant,
}

/// Runs the program until the user leaves; gives the state that was left. What `path` names is opened where `app` waits
/// for it.
///
/// # Errors
///
/// If the terminal fails.
pub fn run(hierarchy: Hierarchy, app: App, path: &Path, options: &Options) -> io::Result<App> {
    let (sender, happenings) = mpsc::channel();
    answer_signals(&sender)?;
    let mut tty = Tty::take(options.mouse)?;
    tty.name(&format!("zarrscope {}", app.shared.root_name()))?;
    let size = tty.terminal.size()?;
    let workers = Workers::start(&hierarchy, &options.memory, &report(&sender, 0));
    let area = Rect::new(0, 0, size.width, size.height);
    let mut shell = Shell {
        app,
        workers,
        hierarchy,
        path,
        opening: Arc::default(),
        patient_until: Instant::now(),
        store: 0,
        left: None,
        sender: sender.clone(),
        tty,
        options,
        area,
        done: false,
        events: VecDeque::new(),
        scripted: 0,
        guided: 0,
        owes_permit: true,
        last_key: Instant::now(),
    };
    #[cfg(feature = "remote")]
    if shell.app.shared.opening.is_some() {
        let sender = sender.clone();
        traffic::watch(move |log| sender.send(Happening::Requests(log)).is_ok());
    }
    let (permits, permitted) = mpsc::channel();
    thread::spawn(move || read_terminal(&sender, &permitted));
    shell.serve(&happenings, &permits)?;
    Ok(shell.app)
}

/// Takes what the workers of a store say to the loop.
fn report(to: &Sender<Happening>, store: u64) -> Report {
    let to = to.clone();
    Arc::new(move |reply| drop(to.send(Happening::Reply(store, reply))))
}

impl Shell<'_> {
    fn serve(&mut self, happenings: &Receiver<Happening>, permits: &Sender<()>) -> io::Result<()> {
        let first = self.app.start(&panes::geometry(self.area, &self.app));
        self.perform(first)?;
        while !self.done {
            self.settle()?;
            self.wait_a_moment(happenings, self.patient_until)?;
            self.draw()?;
            if mem::take(&mut self.owes_permit) {
                permits.send(()).ok();
            }
            // Keys that came in while this frame waited for its work are there already: nothing more will announce them.
            if self.events.is_empty() {
                match self.next_happening(happenings) {
                    Ok(first) => self.handle(first)?,
                    // The keys that may follow are listed.
                    Err(RecvTimeoutError::Timeout) => self.app.pause(),
                    Err(RecvTimeoutError::Disconnected) => break,
                }
            }
            // Everything that is waiting, but a worker that never stops talking must not stop the frames.
            let deadline = Instant::now() + PATIENCE;
            while Instant::now() < deadline
                && let Ok(next) = happenings.try_recv()
            {
                self.handle(next)?;
            }
            self.handle_events(happenings)?;
        }
        Ok(())
    }

    /// Waits until something happens; while the first of two keys waits for the second, no longer than that takes.
    fn next_happening(
        &self,
        happenings: &Receiver<Happening>,
    ) -> Result<Happening, RecvTimeoutError> {
        if self.app.prefix().is_some() && !self.app.lists_next_keys() {
            return happenings.recv_timeout(SOON.saturating_sub(self.last_key.elapsed()));
        }
        happenings.recv().map_err(Into::into)
    }

    /// Handles the keys that are waiting, in their order. What one key asks for is waited for a moment before the next
    /// one is handled, so that typing ahead reaches the chunk that is being opened.
    fn handle_events(&mut self, happenings: &Receiver<Happening>) -> io::Result<()> {
        while !self.events.is_empty() {
            if self.scripted > 0 {
                self.settle()?;
                self.wait_a_moment(happenings, Instant::now() + SCRIPT_PATIENCE)?;
            }
            let Some(event) = self.events.pop_front() else { break };
            let is_input = matches!(event, Event::Key(_) | Event::Mouse(_) | Event::Paste(_));
            if self.guided > 0 || is_input {
                self.app.guide(self.guided > 0);
            }
            self.scripted = self.scripted.saturating_sub(1);
            self.guided = self.guided.saturating_sub(1);
            self.event(event)?;
            if !self.events.is_empty() {
                self.settle()?;
                self.wait_a_moment(happenings, self.patient_until)?;
            }
        }
        Ok(())
    }

    /// Lets work that is nearly done come in before the frame is drawn.
    fn wait_a_moment(
        &mut self,
        happenings: &Receiver<Happening>,
        deadline: Instant,
    ) -> io::Result<()> {
        while self.app.is_waiting() && !self.done {
            let Ok(next) =
                happenings.recv_timeout(deadline.saturating_duration_since(Instant::now()))
            else {
                break;
            };
            self.handle(next)?;
            self.settle()?;
        }
        Ok(())
    }

    fn handle(&mut self, happening: Happening) -> io::Result<()> {
        match happening {
            Happening::Gone => {
                self.done = true;
                Ok(())
            }
            Happening::Reply(store, _) if store != self.store => Ok(()),
            Happening::Reply(_, reply) => {
                let effects = self.app.replied(reply);
                self.perform(effects)
            }
            Happening::Opened(attempt, opened) => self.opened(attempt, *opened),
            Happening::Requests(log) => {
                self.app.take_requests(log);
                Ok(())
            }
            Happening::Stop => self.suspend(),
            // Whoever stopped it may have changed the terminal.
            Happening::Continue => self.tty.retake(),
            Happening::Terminal(events) => {
                self.owes_permit = true;
                self.events.extend(events);
                Ok(())
            }
        }
    }

    fn event(&mut self, event: Event) -> io::Result<()> {
        let contexts = self.app.contexts();
        match event {
            Event::Key(key) if key.is_press() => {
                self.last_key = Instant::now();
                let action = keymap::action(&contexts, key);
                action.map_or(Ok(()), |action| self.act(action))
            }
            Event::Mouse(event) => {
                let action = mouse::action(event, self.area, &self.app);
                action.map_or(Ok(()), |action| self.act(action))
            }
            Event::Paste(text) if contexts.first().is_some_and(|c| c.is_typing()) => text
                .chars()
                .filter(|c| !c.is_control())
                .try_for_each(|c| self.act(Action::Edit(LineEdit::Insert(c)))),
            Event::Resize(width, height) => {
                self.area = Rect::new(0, 0, width, height);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn act(&mut self, action: Action) -> io::Result<()> {
        let geometry = panes::geometry(self.area, &self.app);
        let effects = self.app.update(action, &geometry);
        self.perform(effects)
    }

    fn settle(&mut self) -> io::Result<()> {
        let geometry = panes::geometry(self.area, &self.app);
        let effects = self.app.settle(&geometry);
        self.perform(effects)
    }

    fn draw(&mut self) -> io::Result<()> {
        let (app, options) = (&self.app, self.options);
        self.area = self.tty.draw(|frame| {
            frame.render_widget(Screen::new(app), frame.area());
            adapt(frame.buffer_mut(), options);
        })?;
        Ok(())
    }

    fn perform(&mut self, effects: Vec<Effect>) -> io::Result<()> {
        if effects.iter().any(|effect| matches!(effect, Effect::Run(_))) {
            // What has been waited for once is not waited for again at each key.
            self.patient_until = Instant::now() + PATIENCE;
        }
        for effect in effects {
            match self.workers.take(effect) {
                Some(Effect::Quit) => self.done = true,
                Some(Effect::Copy(text)) => self.tty.copy(&text)?,
                Some(Effect::CopyCard) => {
                    self.tty.copy(&card::markdown(&self.app, self.area, self.options))?;
                }
                Some(Effect::Refresh) => self.hierarchy.store.refresh(),
                Some(Effect::Redraw) => self.tty.forget()?,
                Some(Effect::Suspend) => self.suspend()?,
                Some(Effect::Press(keys)) => self.type_keys(&keys, self.app.is_guided()),
                Some(Effect::Guide(keys)) => self.type_keys(&keys, true),
                Some(Effect::Learn(name)) => {
                    self.visit(lessons::enter(&name, &self.app, self.options))?;
                }
                Some(Effect::EndLesson) => self.end_lesson()?,
                Some(Effect::KeepProgress(text)) => {
                    if let Err(error) = state::keep(PROGRESS, &text) {
                        self.say(&error.to_string());
                    }
                }
                Some(Effect::Open) => self.open(tui::open),
                Some(Effect::GiveUp) => drop(self.opening.fetch_add(1, Ordering::Relaxed)),
                Some(Effect::EditCopy(name, bytes)) => self.edit_copy(&name, &bytes)?,
                Some(Effect::Run(_) | Effect::Cancel(_) | Effect::Watch(_)) | None => {}
            }
        }
        Ok(())
    }

    /// Presses keys before those that are waiting: each is given the time that its work takes. What the keys of a lesson
    /// type is a lesson's too.
    fn type_keys(&mut self, keys: &str, is_guided: bool) {
        match script::parse(keys) {
            Ok(keys) => {
                self.scripted += keys.len();
                self.guided += if is_guided { keys.len() } else { 0 };
                keys.into_iter().rev().for_each(|key| self.events.push_front(Event::Key(key)));
            }
            Err(error) => self.say(&error.to_string()),
        }
    }

    /// Shows the store of a lesson, or says why there is none.
    fn visit<E: Display>(&mut self, visited: Result<(Hierarchy, App), E>) -> io::Result<()> {
        match visited {
            Err(why) => {
                self.say(&why.to_string());
                Ok(())
            }
            Ok((hierarchy, app)) => {
                let here = self.app.shared.node().map(|node| node.path.clone());
                let before = self.show(hierarchy, app)?;
                self.left.get_or_insert_with(|| (before, here.unwrap_or_default()));
                Ok(())
            }
        }
    }

    /// Opens a store in a thread of its own.
    fn open(
        &mut self,
        open: impl Fn(&Path, &Options) -> zarr::Result<(Hierarchy, App)> + Send + 'static,
    ) {
        let attempt = self.opening.fetch_add(1, Ordering::Relaxed) + 1;
        let newest = Arc::clone(&self.opening);
        let asker = Asker::new("open", move || newest.load(Ordering::Relaxed) != attempt);
        let (path, options) = (self.path.to_owned(), self.options.clone());
        let sender = self.sender.clone();
        let work = move || {
            let opened = asker.during(|| open(&path, &options));
            sender.send(Happening::Opened(attempt, Box::new(opened))).ok();
        };
        if let Err(error) = thread::Builder::new().name(THREAD_NAME.into()).spawn(work) {
            self.say(&error.to_string());
        }
    }

    /// Shows the store that was opened, or says why it could not be.
    fn opened(&mut self, attempt: u64, opened: zarr::Result<(Hierarchy, App)>) -> io::Result<()> {
        if attempt != self.opening.load(Ordering::Relaxed) {
            return Ok(());
        }
        match opened {
            Ok((hierarchy, mut app)) => {
                app.opened_after(&self.app);
                self.show(hierarchy, app)?;
                self.tty.name(&format!("zarrscope {}", self.app.shared.root_name()))
            }
            Err(error) => {
                self.app.shared.opening = Some(Opening::Failed(error));
                Ok(())
            }
        }
    }

    /// Goes back to the store that was left for a lesson.
    fn end_lesson(&mut self) -> io::Result<()> {
        let Some((hierarchy, node)) = self.left.take() else { return Ok(()) };
        let start = Start { node, ..Start::default() };
        if hierarchy.store.is_far() {
            // The lesson stays until the root was read.
            let before = self.app.clone();
            self.open(move |_, options| {
                let app = visit(&before, &hierarchy, start.clone(), options);
                Ok((hierarchy.clone(), app))
            });
            return Ok(());
        }
        let app = visit(&self.app, &hierarchy, start, self.options);
        self.show(hierarchy, app).map(drop)
    }

    /// Shows another store, with workers of its own. Gives the one before.
    fn show(&mut self, hierarchy: Hierarchy, app: App) -> io::Result<Hierarchy> {
        self.store += 1;
        let report = report(&self.sender, self.store);
        self.workers = Workers::start(&hierarchy, &self.options.memory, &report);
        let before = mem::replace(&mut self.hierarchy, hierarchy);
        self.app = app;
        let geometry = panes::geometry(self.area, &self.app);
        let first = self.app.start(&geometry);
        self.perform(first)?;
        Ok(before)
    }

    /// Stops this process only; the shell that sees it stop has the terminal back by then.
    #[cfg(unix)]
    fn suspend(&mut self) -> io::Result<()> {
        self.tty.lend(signals::stop)
    }

    #[cfg(not(unix))]
    fn suspend(&mut self) -> io::Result<()> {
        self.say("this system cannot suspend programs");
        Ok(())
    }

    /// Opens a copy in the user's editor: nothing here writes to a store.
    fn edit_copy(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let copy = match PrivateCopy::new(name, bytes) {
            Ok(copy) => copy,
            Err(error) => {
                self.say(&error.to_string());
                return Ok(());
            }
        };
        let editor = editor();
        let mut words = editor.split_whitespace();
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words).arg(copy.path());
        if let Err(error) = self.tty.lend(|| command.status())? {
            self.say(&format!("could not start {editor}: {error}"));
        }
        if let Some(path) = copy.keep_if_changed() {
            let path = path.display();
            self.say(&format!("The store is unchanged: {path} is an edited copy of {name}."));
        }
        Ok(())
    }

    fn say(&mut self, text: &str) {
        self.app.shared.fail(safe(text));
    }
}

/// Lets the signals of the system reach the loop. While an editor has the terminal, what is typed there is not for us.
#[cfg(unix)]
fn answer_signals(sender: &Sender<Happening>) -> io::Result<()> {
    let sender = sender.clone();
    signals::watch(terminal::leave_for_good, move |signal| match (signal, terminal::is_taken()) {
        (Signal::Stop, true) => sender.send(Happening::Stop).is_ok(),
        (Signal::Continue, true) => sender.send(Happening::Continue).is_ok(),
        (Signal::Interrupt, taken) => !taken,
        (Signal::Stop | Signal::Continue, false) => false,
    })
}

#[cfg(not(unix))]
fn answer_signals(_: &Sender<Happening>) -> io::Result<()> {
    Ok(())
}

/// The editor that the user names, with its arguments.
fn editor() -> String {
    ["VISUAL", "EDITOR"]
        .into_iter()
        .filter_map(|name| env::var(name).ok())
        .find(|editor| !editor.trim().is_empty())
        .unwrap_or_else(|| if cfg!(windows) { "notepad" } else { "vi" }.to_owned())
}

/// Reads what the terminal has to say, all that is there at a time, and then waits for leave to go on: so nobody
/// reads the keys that are meant for an editor.
fn read_terminal(to: &Sender<Happening>, permitted: &Receiver<()>) {
    while permitted.recv().is_ok() {
        let Ok(first) = event::read() else {
            to.send(Happening::Gone).ok();
            return;
        };
        let mut events = vec![first];
        // Not zero: for no time at all it does not even look at what it has read already.
        while event::poll(AT_ONCE).unwrap_or(false) {
            match event::read() {
                Ok(event) => events.push(event),
                Err(_) => break,
            }
        }
        if to.send(Happening::Terminal(events)).is_err() {
            return;
        }
    }
}
