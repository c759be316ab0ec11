//! The hint for a file without metadata around it: its possible content, and the command line that opens it so.

use crate::zarr::{
    Code, Endian, Error, Format, Registry,
    diagnosis::{self, Guess, Wrapping},
    runnable::{ShellScript, ShellWord, script},
};
use std::{fs, io::Read, path::Path};

/// The number of bytes of a file read to guess what it is.
const LONG: u64 = 64 << 20;

/// The possible content of a file.
#[derive(Debug, Clone)]
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
        let within = match self.wrapping.names(Format::V2).collect::<Vec<_>>().join(" and ") {
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

/// `error`, and what can be done where it says that `path` is a file without metadata.
pub(in crate::cli) fn explain(error: Error, path: &Path) -> Error {
    if error.code != Code::NotAStore || error.fix.is_some() || !path.is_file() {
        return error;
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
