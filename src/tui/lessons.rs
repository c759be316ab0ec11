//! Lessons by name: those of the program on the sample stores in it, and those of a file on a store of its own.

use super::prelude::*;
use super::{
    begin,
    picture::film::{Film, Frame},
    script::{Player, parse as keys_of},
    start_at, visit,
};
use crate::{
    app::lesson::{LessonStep, list, parse},
    zarr::{
        Registry, Result,
        hierarchy::Target,
        store::{DirectoryStore, MemoryStore, Store as _, open},
    },
};

/// The sample stores, which `BLESS=1 cargo test --test it learn` makes of the folder sample-stores.
const SAMPLES: &[u8] = include_bytes!("../lessons/samples.zip");

/// The name of the sample stores.
const NAME: &str = "sample-stores";

/// The most bytes of the sample stores, and of a lesson.
const MOST: (u64, u64) = (16 << 20, 1 << 20);

/// A lesson and the store that it is about.
#[derive(Debug, Clone)]
pub struct OpenLesson {
    /// The lesson.
    pub lesson: Arc<Lesson>,
    /// Its number among those of the program, from 1 on.
    pub number: Option<usize>,
    /// The store.
    pub hierarchy: Hierarchy,
}

/// The sample stores in the program, read by what is in `registry`.
///
/// # Errors
///
/// If they cannot be read, which a test excludes.
pub fn samples(registry: &Arc<Registry>) -> Result<Hierarchy> {
    let store = MemoryStore::from_zip(NAME, SAMPLES, MOST.0)?;
    Ok(Hierarchy::new(Arc::new(store), Arc::clone(registry)))
}

/// The lesson called `name`, or that of the file `name`.
///
/// # Errors
///
/// A sentence that says why there is none.
pub fn find(name: &str, registry: &Arc<Registry>) -> Result<OpenLesson, String> {
    let samples = || samples(registry).map_err(|error| error.to_string());
    let path = Path::new(name);
    if !path.is_file() {
        let (number, lesson) = list::find(name)?;
        return Ok(OpenLesson { lesson, number: Some(number), hierarchy: samples()? });
    }
    let lesson = Arc::new(read(path)?);
    let hierarchy = match &lesson.store {
        None => samples()?,
        Some(store) => {
            let place = path.parent().unwrap_or_else(|| Path::new("")).join(store);
            let opened = open(&place).map_err(|error| format!("{}, store: {error}", safe(name)))?;
            Hierarchy::new(opened, Arc::clone(registry))
        }
    };
    for (number, step) in lesson.steps.iter().enumerate() {
        let place = step.go.as_deref().unwrap_or_default();
        start_at(&hierarchy, &Target::default(), place)
            .map_err(|error| format!("{}, step {}, go: {error}", safe(name), number + 1))?;
    }
    Ok(OpenLesson { lesson, number: None, hierarchy })
}

/// The cells of all screens of a film: they are held together, at some 60 bytes each.
const MOST_CELLS: usize = 4_000_000;
/// The time between two keys, and after the last one of a step, where the lesson does not say.
const PAUSES: (Duration, Duration) = (Duration::from_millis(900), Duration::from_millis(2500));
/// The part of the time between two keys that is enough where one types a line.
const TYPING: u32 = 8;

/// Plays a lesson without a terminal: a frame for each text and each key to start with, and the program after the last
/// one. A lesson that says nothing has no strip.
///
/// # Errors
///
/// If there are too many keys for screens of this size, or a place is not in the store.
pub fn film(open: &OpenLesson, size: (u16, u16), options: &Options) -> Result<(Film, Player)> {
    let steps = &open.lesson.steps;
    let cells = usize::from(size.0) * usize::from(size.1);
    let keys = |step: &LessonStep| keys_of(step.start.as_deref().unwrap_or_default());
    let count: usize = steps.iter().map(|step| Ok(keys(step)?.len() + 1)).sum::<Result<_>>()?;
    if count.saturating_mul(cells) > MOST_CELLS {
        let found = format!("{count} screens of {}x{}", size.0, size.1);
        let expected = format!("at most {} screens of this size", MOST_CELLS / cells.max(1));
        return Err(Error::new(Code::TooLarge, found, expected));
    }
    let opened = Some((open.hierarchy.clone(), Target::default()));
    let at = steps.first().and_then(|step| step.go.clone());
    let options = Options { at, opened, lesson: None, ..options.clone() };
    let mut player = Player::open(Path::new(""), size, &options)?;
    player.catch_up();
    let has_strip = steps.iter().any(|step| !step.text.is_empty() || step.question.is_some());
    let still = open.lesson.still.unwrap_or(steps.len());
    let pause = open.lesson.pause.unwrap_or(PAUSES.0);
    let mut film = Film { frames: Vec::new(), still: 0 };
    for (at, step) in steps.iter().enumerate() {
        if has_strip {
            player.app.show_step(&open.lesson, open.number, at);
        }
        if let Some(place) = step.go.as_ref().filter(|_| at > 0) {
            let keys = keys_of(&format!(":go {place}<enter>"))?;
            for key in keys {
                player.press_guided(key);
            }
        }
        film.frames.push(Frame { screen: player.screen(), pause: pause * 2 });
        for key in keys(step)? {
            player.press_guided(key);
            let typing = player.app.contexts().first().is_some_and(|context| context.is_typing());
            let pause = if typing { pause / TYPING } else { pause };
            film.frames.push(Frame { screen: player.screen(), pause });
        }
        if let Some(last) = film.frames.last_mut() {
            last.pause = step.pause.unwrap_or(PAUSES.1);
        }
        if at < still {
            film.still = film.frames.len() - 1;
        }
    }
    Ok((film, player))
}

/// The lesson called `name` at its step, and its store, for somebody who has `before` on the screen.
///
/// # Errors
///
/// As for [`find`].
pub(super) fn enter(
    name: &str,
    before: &App,
    options: &Options,
) -> Result<(Hierarchy, App), String> {
    let lesson = find(name, &options.registry)?;
    let mut app = visit(before, &lesson.hierarchy, Start::default(), options);
    begin(&mut app, &lesson);
    Ok((lesson.hierarchy, app))
}

/// The lesson in a file.
fn read(path: &Path) -> Result<Lesson, String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let text = text(path).map_err(|error| error.to_string())?;
    let lesson = parse::lesson(&text).map_err(|why| format!("{}, {why}", safe(&name)))?;
    for (number, step) in lesson.steps.iter().enumerate() {
        let keys = [step.start.as_deref(), step.task.as_ref().map(|task| task.keys.as_str())];
        for keys in keys.into_iter().flatten() {
            keys_of(keys)
                .map_err(|error| format!("{}, step {}: {error}", safe(&name), number + 1))?;
        }
    }
    Ok(lesson)
}

/// The text in a file that a person wrote.
fn text(path: &Path) -> Result<String> {
    let (folder, name) = (path.parent().unwrap_or_else(|| Path::new("")), path.file_name());
    let name = name.unwrap_or_default().to_string_lossy();
    let fault = |code, found: String, expected: &str| {
        Error::new(code, found, expected).in_file(safe_owned(&name))
    };
    let bytes = DirectoryStore::new(folder).read(&name, MOST.1)?;
    let bytes = bytes.ok_or_else(|| fault(Code::Io, "no such file".into(), "a text file"))?;
    let text = String::from_utf8(bytes);
    text.map_err(|error| fault(Code::NotUtf8, error.to_string(), "text in UTF-8"))
}
