//! Diagnoses: the cause of one problem or many, its evidence, and its fix.

use super::{Code, Error, FindingPage};
use crate::zarr::{
    runnable::{DocumentDiff, ShellScript},
    words::counted,
};
use std::{ops::Range, sync::Arc};

/// The cause of one or more problems of a node, as far as the store itself shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnosis {
    /// The kind of cause, a word of [`CAUSES`].
    pub cause: &'static str,
    /// The code: the kind and what exactly was found, such as `truncated/zeros-at-end`. It does not change between
    /// versions.
    pub code: &'static str,
    /// True if nothing else could explain what was found; false for the likeliest of several causes.
    pub is_certain: bool,
    /// The cause, a sentence.
    pub sentence: String,
    /// The evidence, each a sentence with its numbers.
    pub evidence: Vec<String>,
    /// The fix.
    pub fix: Option<Fix>,
    /// The number of errors and warnings left at the node once the fix is applied; `None` where none was tried.
    pub left: Option<u64>,
    /// The thing to do, or to find out, where no fix is known.
    pub to_do: Option<String>,
    /// The settings of a what-if that read the node as the cause says: `dtype=float32`.
    pub what_if: Option<String>,
    /// The first values of a chunk as declared, and as the settings say, or the reason why there are none.
    pub before_and_after: Option<(String, String)>,
    /// The kinds of problems of the same node that follow from it.
    pub explains: Vec<Code>,
    /// The files whose problems follow from it; empty: of any file.
    pub files: Vec<String>,
    /// The first byte of the file that is wrong, where it is known to be one.
    pub byte: Option<u64>,
}

/// The fix of a store. zarrscope changes none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fix {
    /// A change of the metadata document of a node, and after it the same change of each of its copies in
    /// consolidated metadata.
    Edit(Vec<DocumentEdit>),
    /// Command lines of the shell, in the folder of the store.
    Command {
        /// The lines.
        text: ShellScript,
        /// The files of the store that they change.
        files: Vec<ChangedFile>,
    },
}

/// The change of one metadata document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentEdit {
    /// The store key of the document.
    pub document: String,
    /// The change as a JSON Patch (RFC 6902).
    pub patch: String,
    /// The same as a unified diff of the document, every other byte being kept.
    pub diff: DocumentDiff,
    /// The document after it.
    pub bytes: Arc<[u8]>,
    /// The bytes of the document before it that are others now: all around them are the same.
    pub replaced: Range<usize>,
    /// The bytes of the document after it that are in their place.
    pub put: Range<usize>,
}

/// A file of a store by its key, and what becomes of it.
pub type ChangedFile = (String, FileContent);

/// The content of a file once a fix is applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileContent {
    /// These bytes.
    Bytes(Arc<[u8]>),
    /// That of the file with this key before.
    Moved(String),
    /// There is no such file any more.
    Gone,
}

impl FileContent {
    /// The change of one file.
    pub fn of(key: &str, bytes: impl Into<Arc<[u8]>>) -> Vec<ChangedFile> {
        vec![(key.to_owned(), Self::Bytes(bytes.into()))]
    }
}

impl Fix {
    /// The lines to run in the folder of the store.
    pub fn script(&self) -> ShellScript {
        match self {
            Self::Edit(edits) => ShellScript::all(edits.iter().map(|edit| edit.diff.command())),
            Self::Command { text, .. } => text.clone(),
        }
    }

    /// The files of the store that it changes.
    pub fn files(&self) -> Vec<ChangedFile> {
        match self {
            Self::Edit(edits) => edits
                .iter()
                .flat_map(|it| FileContent::of(&it.document, Arc::clone(&it.bytes)))
                .collect(),
            Self::Command { files, .. } => files.clone(),
        }
    }
}

/// The kind of cause of a code: `truncated` of `truncated/zeros-at-end`.
pub fn kind_of(code: &'static str) -> &'static str {
    code.split_once('/').map_or(code, |(kind, _)| kind)
}

/// Makes the list of causes with the page of each.
macro_rules! causes {
    ($($kind:literal)*) => {
        /// Every kind of cause that is looked for, with the page that explains it.
        pub const CAUSES: &[(&str, FindingPage)] = &[$((
            $kind,
            FindingPage(include_str!(concat!("../../findings/", $kind, ".md"))),
        )),*];
    };
}

causes! {
    "appended"
    "base64"
    "bit-flip"
    "byte-order"
    "checksum"
    "chunk-copied"
    "chunk-keys"
    "chunk-shape"
    "chunk-swapped"
    "codec"
    "conversion"
    "data-type"
    "edge-chunks"
    "filter"
    "interrupted-write"
    "lost-write"
    "not-data"
    "object-codec"
    "order"
    "other-array"
    "packing"
    "prefixed"
    "race"
    "reversed"
    "shape"
    "shard-index"
    "shifted"
    "struct"
    "text-encoding"
    "text-mode"
    "transposed"
    "truncated"
    "units"
}

/// The kinds of causes by which values that were written are no longer in the store.
pub(super) const LOSSES: [&str; 10] = [
    "bit-flip",
    "chunk-copied",
    "conversion",
    "interrupted-write",
    "lost-write",
    "not-data",
    "other-array",
    "race",
    "text-mode",
    "truncated",
];

impl Diagnosis {
    /// A cause that nothing else explains as well.
    pub fn new(code: &'static str, sentence: impl Into<String>) -> Self {
        Self {
            cause: kind_of(code),
            code,
            is_certain: false,
            sentence: sentence.into(),
            evidence: Vec::new(),
            fix: None,
            left: None,
            to_do: None,
            what_if: None,
            before_and_after: None,
            explains: Vec::new(),
            files: Vec::new(),
            byte: None,
        }
    }

    /// True if it is in the filters of an array.
    pub fn is_of_filters(&self) -> bool {
        self.cause == "filter"
    }

    /// The same, being the only possible explanation.
    pub fn certain(mut self) -> Self {
        self.is_certain = true;
        self
    }

    /// The same with one more piece of evidence.
    pub fn because(mut self, evidence: impl Into<String>) -> Self {
        self.evidence.push(evidence.into());
        self
    }

    /// The same with command lines that mend it, and the files that they change.
    pub fn mended_by(mut self, text: ShellScript, files: Vec<ChangedFile>) -> Self {
        if let Some(why) = text.refusal() {
            return self.to_do(why);
        }
        self.fix = Some(Fix::Command { text, files });
        self
    }

    /// The same with what somebody has to do or to find out, one thing a line: no command can do it.
    pub fn to_do(mut self, text: impl Into<String>) -> Self {
        self.to_do = Some(text.into());
        self
    }

    /// The same, explaining these kinds of problems.
    pub fn explaining(mut self, codes: &[Code]) -> Self {
        self.explains.extend_from_slice(codes);
        self
    }

    /// True if `error`, found at the same node, follows from this cause.
    pub fn explains(&self, error: &Error) -> bool {
        self.explains.contains(&error.code)
            && error
                .place
                .file
                .as_ref()
                .is_none_or(|file| self.files.is_empty() || self.files.contains(file))
    }

    /// The lines to run in the folder of the store; where there are none, what to do or to find out.
    pub fn remedy(&self) -> Option<String> {
        self.fix.as_ref().map(|fix| fix.script().to_string()).or_else(|| self.to_do.clone())
    }

    /// The outcome of trying the fix: `0 findings left`.
    pub fn left_in_words(&self) -> Option<String> {
        self.fix.as_ref().and(self.left).map(|left| format!("{} left", counted(left, "finding")))
    }

    /// The strength of the evidence, as the beginning of a line: `cause`, `likely cause`.
    pub fn label(&self) -> &'static str {
        if self.is_certain { "cause" } else { "likely cause" }
    }
}
