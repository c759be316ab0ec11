//! Key scripts: keys with captions, played in the terminal for a lecture, or made into a picture.
//!
//! A key script is a text file in the form of lessons. screenshots/README.md describes it; the pictures of the README
//! are made of such files.
//!
//! | file | what is in it |
//! | --- | --- |
//! | [`parse`] | the text of a key script as steps |
//! | [`run`] | a key script that is being played: its keys with their times, and what the user's keys do to it |

use std::time::Duration;

pub mod parse;
pub mod run;

pub use run::ScriptRun;

/// A key script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyScript {
    /// The store, from the folder of the file on; `None` for the sample stores in the program.
    pub store: Option<String>,
    /// The node, chunk or element where it starts.
    pub at: Option<String>,
    /// Columns and rows of its pictures.
    pub size: (u16, u16),
    /// The time between two keys.
    pub pause: Duration,
    /// The step whose end is shown where nothing can move, from 1 on; without it, the last.
    pub still: Option<usize>,
    /// Its steps; never none.
    pub steps: Vec<KeyStep>,
}

/// A step of a key script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyStep {
    /// The caption; `None` keeps that of the step before.
    pub caption: Option<String>,
    /// The keys, as `--keys` takes them.
    pub keys: String,
    /// The time after the last of them.
    pub pause: Duration,
}
