//! The terminal: keys in, frames out.
//!
//! | file | what it does |
//! | --- | --- |
//! | [`shell`] | the loop: blocks for events and replies, lets the state machine have them all, draws once |
//! | [`keymap`], [`mouse`] | what a key or a click asks for: one table, and everything that documents it |
//! | [`panes`] | where everything lies: one pure function |
//! | [`theme`] | every style by its meaning; what becomes of them without colours or without Unicode |
//! | [`view`] | the state as cells, one file a view |
//! | [`lessons`] | lessons, from the program or from files; their frames |
//! | [`picture`], [`card`], [`script`] | a screen as text, ANSI, SVG or Markdown; the program without a terminal |

use crate::{
    app::{
        App,
        jumps::{self, Start},
        lesson::LessonProgress,
        opening::Opening,
    },
    worker::state,
    zarr::{
        Code, Error, Hierarchy, NodePath, Registry, Result,
        budget::{DEFAULT_LIMIT, Memory},
        grid::ChunkId,
        hierarchy::{NodeKind, Target},
        metadata::ArrayMetadata,
        store::{self, MemoryStore, Store},
        text::safe,
    },
};
use std::{path::Path, sync::Arc};

pub mod card;
pub mod keymap;
pub mod lessons;
pub mod links;
pub mod mouse;
pub mod panes;
pub mod picture;
mod prelude;
pub mod script;
pub mod shell;
pub mod terminal;
pub mod theme;
pub mod view;

use lessons::OpenLesson;
use theme::Ground;
use view::picture::Colors;

/// The look and behaviour of the inspector.
#[derive(Clone)]
#[expect(clippy::struct_excessive_bools, reason = "switches, each by itself")]
pub struct Options {
    /// True if colours are used; without them emphasis is bold, dim and reversed.
    pub color: bool,
    /// The colours that pictures are drawn in, where there are colours at all.
    pub pictures: Colors,
    /// The ground of the terminal, dark or light, if it is known.
    pub ground: Ground,
    /// True if only ASCII is drawn.
    pub ascii: bool,
    /// True if views tell when files were written; not in pictures, which are to be the same everywhere.
    pub times: bool,
    /// True if the mouse is listened to.
    pub mouse: bool,
    /// The place to start at: a node, a chunk, an element, such as `sst/c/3/0/0#e40`.
    pub at: Option<String>,
    /// The number of bytes one stage of a chunk may give at most where nothing is promised.
    pub limit: u64,
    /// The memory that all threads together may take for decoded data.
    pub memory: Arc<Memory>,
    /// A store that is open already, in place of the path.
    pub opened: Option<(Hierarchy, Target)>,
    /// The lesson to begin with, which has a store of its own.
    pub lesson: Option<OpenLesson>,
    /// The data types and codecs that are known; a program of its own may bring more.
    pub registry: Arc<Registry>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            color: true,
            pictures: Colors::True,
            ground: Ground::Unknown,
            ascii: false,
            times: false,
            mouse: true,
            at: None,
            limit: DEFAULT_LIMIT,
            memory: Arc::new(Memory::new(4 * DEFAULT_LIMIT)),
            opened: None,
            lesson: None,
            registry: Arc::new(Registry::default()),
        }
    }
}

/// Opens `path` in the terminal, until the user leaves.
///
/// # Errors
///
/// If `path` cannot be opened, or the terminal fails.
pub fn run(path: &Path, options: &Options) -> Result<()> {
    let (hierarchy, mut app) = match address(path, options) {
        // Nobody waits for a network before there is a screen.
        Some(name) => waiting(name, options),
        None => open(path, options)?,
    };
    app.progress = LessonProgress::read(&state::read(PROGRESS));
    if let Some(lesson) = &options.lesson {
        begin(&mut app, lesson);
    }
    let left = shell::run(hierarchy, app, path, options);
    match left.map_err(|error| Error::io("the terminal", &error))?.shared.opening {
        Some(Opening::Failed(error)) => Err(error),
        _ => Ok(()),
    }
}

/// The address that is to be opened, without its secrets; `None` where a store here is.
fn address(path: &Path, options: &Options) -> Option<String> {
    let is_far = store::is_address(path) && options.lesson.is_none() && options.opened.is_none();
    is_far.then(|| store::shown(path).to_string_lossy().into_owned())
}

/// The screen while the store of this name is being opened, over a store without anything.
fn waiting(name: String, options: &Options) -> (Hierarchy, App) {
    let store = MemoryStore::new(name.clone());
    let app = App::opening(name, store.title(), options.limit);
    (Hierarchy::new(Arc::new(store), Arc::clone(&options.registry)), app)
}

/// The store at `path`, and the state that starts where `options` and `path` say.
///
/// # Errors
///
/// If `path` cannot be opened, or `options.at` names no place in it.
fn open(path: &Path, options: &Options) -> Result<(Hierarchy, App)> {
    let (hierarchy, target) = match (&options.lesson, &options.opened) {
        (Some(lesson), _) => (lesson.hierarchy.clone(), Target::default()),
        (None, Some(opened)) => opened.clone(),
        (None, None) => Hierarchy::open_with(path, Arc::clone(&options.registry))?,
    };
    let start = match &options.at {
        Some(at) => start_at(&hierarchy, &target, at)?,
        None => Start { node: target.node, chunk: target.chunk, landing: None },
    };
    let mut app = App::new(&hierarchy, start, options.limit);
    app.shared.shows_times = options.times;
    Ok((hierarchy, app))
}

/// The file that says how far the lessons have been taken, in the user's folder for such things.
pub const PROGRESS: &str = "lessons";

/// Begins a lesson on its store, where it was left.
fn begin(app: &mut App, open: &OpenLesson) {
    app.has_samples = open.number.is_some();
    let step = open.number.map_or(0, |_| app.progress.step_of(&open.lesson));
    app.begin_lesson(&open.lesson, open.number, step);
}

/// The first screen of another store, for somebody who has `before` on the screen: in a lesson or back from one.
fn visit(before: &App, hierarchy: &Hierarchy, start: Start, options: &Options) -> App {
    let mut app = App::new(hierarchy, start, options.limit);
    app.shared.shows_times = options.times;
    app.progress = before.progress.clone();
    app
}

/// The place that `at` names: a path, and after `#` an element or a byte; or a path and the element in brackets, unless
/// a node is named so.
fn start_at(hierarchy: &Hierarchy, target: &Target, at: &str) -> Result<Start> {
    let is_node = |path: &str| {
        let path = NodePath(path.trim_matches('/').to_owned());
        matches!(hierarchy.node(&path).kind, NodeKind::Array(_) | NodeKind::Group(_))
    };
    let bracket = at.rfind('[').filter(|&from| at.ends_with(']') && from > 0 && !is_node(at));
    let (path, place) = match (at.split_once('#'), bracket) {
        (Some((path, place)), _) => (path, Some(place)),
        (None, Some(from)) => (at.get(..from).unwrap_or(at), at.get(from..)),
        (None, None) => (at, None),
    };
    let landing = place
        .map(|place| {
            jumps::landing(place).ok_or_else(|| {
                let expected = "an element (e40), a byte (0x1f) or coordinates ([1,7])";
                Error::new(Code::NoSuchPlace, format!("#{}", safe(place)), expected)
            })
        })
        .transpose()?;
    let mut names = vec![target.node.0.as_str()];
    names.extend(path.split('/'));
    names.retain(|name| !name.is_empty());
    let (node, chunk) = node_and_chunk(hierarchy, &names.join("/"))?;
    Ok(Start { node, chunk, landing })
}

/// The node at `path`, or the array above it whose chunk has that key.
fn node_and_chunk(hierarchy: &Hierarchy, path: &str) -> Result<(NodePath, Option<ChunkId>)> {
    let mut node = NodePath(path.to_owned());
    loop {
        let found = hierarchy.node(&node);
        if let NodeKind::Array(array) = &found.kind {
            let key =
                path.strip_prefix(node.0.as_str()).unwrap_or_default().trim_start_matches('/');
            let id = if key.is_empty() { None } else { Some(chunk_id(array, key, path)?) };
            return Ok((node, id));
        }
        match node.parent() {
            Some(parent) if !node.0.is_empty() => node = parent,
            _ => break,
        }
    }
    if path.is_empty() || !hierarchy.store.list(path)?.is_empty() {
        return Ok((NodePath(path.to_owned()), None));
    }
    let found = format!("\"{}\"", safe(path));
    Err(Error::new(Code::NoSuchPlace, found, "the path of a node, or of a chunk of one")
        .with_fix("`zarrscope tree` lists them."))
}

fn chunk_id(array: &ArrayMetadata, key: &str, path: &str) -> Result<ChunkId> {
    let dimensions = array.shape.as_ref().map_err(Clone::clone)?.len();
    let encoding = array.key_encoding.as_ref().map_err(Clone::clone)?;
    ChunkId::parse(key, array).map_err(|_no_key| {
        let example = encoding.key(&vec![0; dimensions]);
        Error::new(
            Code::NoSuchPlace,
            format!("\"{}\"", safe(path)),
            format!("a key such as {example}"),
        )
    })
}
