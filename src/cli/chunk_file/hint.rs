//! The hint for a file without metadata around it: its possible content, and the command line that opens it so.

use crate::cli::nearest::nearest;
use crate::cli::prelude::*;
use crate::zarr::{
    diagnosis::{self, Guess, LostDocument},
    store::DirectoryStore,
};

/// The number of bytes of a file read to guess what it is.
const LONG: u64 = 64 << 20;

/// The most names of a folder that are compared with one that is not there.
const MOST_NAMES: usize = 10_000;

/// The possible content of a file.
#[derive(Clone)]
pub(in crate::cli) struct Hint {
    /// The codecs around the elements.
    pub(in crate::cli) wrapping: Wrapping,
    /// The guess at the elements; `None` where there is none.
    pub(in crate::cli) guess: Option<Guess>,
    /// The format of the file, if it is no chunk.
    format: Option<&'static str>,
}

impl Hint {
    /// Looks into the file at `path`; `None` where it cannot be read or is too long for that.
    pub(in crate::cli) fn of(path: &Path) -> Option<Self> {
        let mut bytes = Vec::new();
        let file = fs::File::open(path).ok()?;
        file.take(LONG + 1).read_to_end(&mut bytes).ok()?;
        if bytes.len() as u64 > LONG {
            return None;
        }
        let format = diagnosis::known_format(&bytes);
        let wrapping = diagnosis::unwrap(bytes, LONG * 4, &Registry::default());
        let guess = diagnosis::guess(&wrapping.inside).filter(|_| format.is_none());
        Some(Self { wrapping, guess, format })
    }

    /// `a zstd frame`, `int16, big, within zstd`.
    pub(in crate::cli) fn words(&self) -> Option<String> {
        let within = match self.wrapping.names(Format::V2).joined(" and ") {
            codecs if codecs.is_empty() => codecs,
            codecs => format!(", encoded with {codecs}"),
        };
        let guess = match (&self.guess, self.format) {
            (Some(guess), _) => guess,
            (None, Some(format)) => return Some(format.to_owned()),
            (None, None) => return None,
        };
        let order = match guess.verdict.plausible.map(Endian::word) {
            Some(order) => format!(", {order}"),
            None if guess.data_type == "uint8" => String::new(),
            None => ", byte order unclear".into(),
        };
        Some(format!("{}{order}{within}", guess.data_type))
    }

    /// The command line that opens `path` as what it looks like.
    pub(in crate::cli) fn command(&self, path: &Path) -> ShellScript {
        let dtype = self.guess.as_ref().map_or_else(|| "<f4".to_owned(), Guess::dtype);
        script!("zarrscope {} --dtype {}", ShellWord::path(path), ShellWord::value(&dtype))
    }
}

/// A folder that is no store, as one: its chunks may be all that is left.
pub(in crate::cli) fn lost_store(path: &Path) -> Hierarchy {
    Hierarchy::new(Arc::new(DirectoryStore::new(path)), Arc::default())
}

/// The guess at the document of the chunks in it.
pub(in crate::cli) fn lost_document(path: &Path) -> Option<LostDocument> {
    diagnosis::lost_document(&lost_store(path), &NodePath::default())
}

/// `error`, and what can be done where it says that there is nothing at `path`, no store, or a file without metadata.
pub(in crate::cli) fn explain(error: Error, path: &Path) -> Error {
    match error.code {
        _ if error.fix.is_some() => return error,
        Code::Io if fs::symlink_metadata(path).is_err() => {
            return match like(path) {
                Some(like) => error.with_fix(format!("Did you mean {}?", safe(&like))),
                None => error,
            };
        }
        Code::NotAStore if path.is_dir() => {
            let guess = lost_document(path);
            return error.with_fix(match guess {
                Some(guess) => {
                    format!("It looks like the chunks of an array whose document is lost. {guess}.")
                }
                None => "Try `zarrscope PATH`, or `zarrscope learn` for sample stores.".into(),
            });
        }
        Code::NotAStore if path.is_file() => {}
        _ => return error,
    }
    let Some(hint) = Hint::of(path) else { return error };
    let command = hint.command(path);
    let fix = match hint.words() {
        Some(format) if hint.guess.is_none() => format!("It looks like {format}"),
        Some(words) => format!("It looks like {words}. Open it with `{command}`"),
        None => format!(
            "To open it, give its data type, as in `{command}`; --codecs and --shape are optional"
        ),
    };
    error.with_fix(format!("{fix}."))
}

/// The path whose last missing part is spelled like something that is there.
fn like(path: &Path) -> Option<String> {
    let missing = path.ancestors().take_while(|part| fs::symlink_metadata(part).is_err()).last()?;
    let folder = missing.parent()?;
    let here = Path::new(".");
    let listed = if folder.as_os_str().is_empty() { here } else { folder };
    let names = fs::read_dir(listed).ok()?.flatten().take(MOST_NAMES);
    let names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let near = nearest(&missing.file_name()?.to_string_lossy(), names)?;
    let rest = path.strip_prefix(missing).ok()?;
    let found = folder.join(near).join(rest);
    Some(found.to_string_lossy().trim_end_matches('/').to_owned())
}
