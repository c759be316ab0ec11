//! Lessons by name: those of the program on the sample stores in it, and those of a file on a store of its own.

use super::{Options, begin, script::parse as keys_of, start_at, visit};
use crate::{
    app::{
        App,
        jumps::Start,
        lesson::{Lesson, list, parse},
    },
    zarr::{
        Code, Error, Hierarchy, Registry, Result,
        hierarchy::Target,
        store::{DirectoryStore, MemoryStore, Store as _, open},
        text::safe,
    },
};
use std::{path::Path, sync::Arc};

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
pub(super) fn text(path: &Path) -> Result<String> {
    let (folder, name) = (path.parent().unwrap_or_else(|| Path::new("")), path.file_name());
    let name = name.unwrap_or_default().to_string_lossy();
    let fault = |code, found: String, expected: &str| {
        Error::new(code, found, expected).in_file(safe(&name).into_owned())
    };
    let bytes = DirectoryStore::new(folder).read(&name, MOST.1)?;
    let bytes = bytes.ok_or_else(|| fault(Code::NotFound, "nothing".into(), "a text file"))?;
    let text = String::from_utf8(bytes);
    text.map_err(|error| fault(Code::NotUtf8, error.to_string(), "text in UTF-8"))
}
