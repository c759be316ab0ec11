//! Key scripts in files: opened on their store, and played into frames.

use super::{
    Options, lessons,
    picture::film::{Film, Frame},
    script::{Player, parse},
    start_at, visit,
};
use crate::{
    app::{
        App,
        jumps::Start,
        key_script::{
            KeyScript, ScriptRun,
            parse::{key_script, split},
        },
    },
    zarr::{Code, Error, Hierarchy, Registry, Result, hierarchy::Target, text::safe},
};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

/// The cells of all screens of a film: they are held together, at some 60 bytes each.
const MOST_CELLS: usize = 4_000_000;

/// A key script and the store that it is played on.
#[derive(Debug, Clone)]
pub struct OpenScript {
    /// The key script.
    pub script: KeyScript,
    /// The path of the store; `None` for the sample stores in the program.
    pub path: Option<PathBuf>,
    /// The store, and the place in it that its path names.
    pub opened: (Hierarchy, Target),
}

impl OpenScript {
    /// The place where it starts.
    ///
    /// # Errors
    ///
    /// If there is no such place in the store.
    pub fn start(&self) -> Result<Start> {
        let (hierarchy, target) = &self.opened;
        match &self.script.at {
            Some(at) => start_at(hierarchy, target, at),
            None => {
                Ok(Start { node: target.node.clone(), chunk: target.chunk.clone(), landing: None })
            }
        }
    }

    /// `options` for playing it.
    #[must_use]
    pub fn options(&self, run: ScriptRun, options: Options) -> Options {
        let at = self.script.at.clone();
        Options { at, opened: Some(self.opened.clone()), script: Some(run), ..options }
    }
}

/// The key script in `file`, on `store`, or else on the store that it names, or else on the sample stores.
///
/// # Errors
///
/// If the file cannot be read or is no key script, or the store cannot be opened.
pub fn open(file: &Path, store: Option<&Path>, registry: &Arc<Registry>) -> Result<OpenScript> {
    let text = lessons::text(file)?;
    let name = safe(&file.to_string_lossy()).into_owned();
    let fault = |why| Error::new(Code::KeyScript, why, "").in_file(&name);
    let script = key_script(&text).map_err(fault)?;
    for step in &script.steps {
        parse(&step.keys).map_err(|error| error.in_file(&name))?;
    }
    let folder = file.parent().unwrap_or_else(|| Path::new(""));
    let named = script.store.as_ref().map(|store| folder.join(store));
    let path = store.map(Path::to_owned).or(named);
    let opened = match &path {
        Some(path) => Hierarchy::open_with(path, Arc::clone(registry)),
        None => lessons::samples(registry).map(|store| (store, Target::default())),
    };
    Ok(OpenScript { script, path, opened: opened? })
}

/// The key script in `file` before its first key, and its store, for somebody who has `before` on the screen.
///
/// # Errors
///
/// As for [`open`], and if the place where it starts is not in the store.
pub(super) fn enter(file: &str, before: &App, options: &Options) -> Result<(Hierarchy, App)> {
    let open = open(Path::new(file), None, &options.registry)?;
    let mut app = visit(before, &open.opened.0, open.start()?, options);
    app.script = Some(ScriptRun::new(&open.script, true));
    Ok((open.opened.0, app))
}

/// Plays a key script without a terminal: a frame for every key, and the program after the last one.
///
/// # Errors
///
/// If the place where it starts cannot be opened, or there are too many keys for screens of this size.
pub fn film(open: &OpenScript, size: (u16, u16), options: &Options) -> Result<(Film, Player)> {
    let options = open.options(ScriptRun::new(&open.script, false), options.clone());
    let mut player = Player::open(Path::new(""), size, &options)?;
    player.catch_up();
    let cells = usize::from(size.0) * usize::from(size.1);
    let keys: usize = open.script.steps.iter().map(|step| split(&step.keys).count() + 1).sum();
    if keys.saturating_mul(cells) > MOST_CELLS {
        let found = format!("{keys} screens of {}x{}", size.0, size.1);
        let expected = format!("at most {} screens of this size", MOST_CELLS / cells.max(1));
        return Err(Error::new(Code::TooLarge, found, expected));
    }
    let still = open.script.still.unwrap_or(open.script.steps.len());
    let mut film = Film { frames: Vec::new(), still: 0 };
    loop {
        let pause = player.app.next_beat_in().unwrap_or(Duration::ZERO);
        film.frames.push(Frame { screen: player.screen(), pause });
        let step = player.app.script.as_ref().map_or(0, |run| run.step().0);
        if step <= still {
            film.still = film.frames.len() - 1;
        }
        if player.is_at_end() {
            return Ok((film, player));
        }
        player.advance();
    }
}
