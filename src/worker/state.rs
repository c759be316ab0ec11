//! The state that is kept between two runs: small files in the folder that the system has for such things, never in a
//! store.

use super::prelude::*;

/// The most bytes of a file that are read.
const MOST: u64 = 1 << 16;

/// The folder; `None` where the system names none.
fn folder() -> Option<PathBuf> {
    let named = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || Some(named("HOME")?.join(".local").join("state"));
    let base =
        if cfg!(windows) { named("LOCALAPPDATA") } else { named("XDG_STATE_HOME").or_else(home) };
    Some(base?.join("zarrscope"))
}

/// The text that was kept under `name`; empty where there is none.
pub fn read(name: &str) -> String {
    let mut text = String::new();
    let file = folder().and_then(|folder| File::open(folder.join(name)).ok());
    let read = file.map(|file| file.take(MOST).read_to_string(&mut text));
    if matches!(read, Some(Err(_))) { String::new() } else { text }
}

/// Keeps `text` under `name`, in place of what was there.
///
/// # Errors
///
/// If there is no folder for it, or it cannot be written.
pub fn keep(name: &str, text: &str) -> Result<()> {
    let Some(folder) = folder() else { return Ok(()) };
    let mut file = OutputFile::create_with_folder(&folder.join(name), Path::new(""))?;
    file.write_all(text.as_bytes()).map_err(|error| Error::unwritable(&folder, &error))?;
    file.finish()
}
