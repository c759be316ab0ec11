//! Diagnoses: the cause of one problem or many, its evidence, and its fix.

use super::{Code, Error, FindingPage};
use crate::zarr::{
    runnable::{DocumentDiff, ShellScript},
    settings::WhatIf,
    words::counted,
};
use std::{ops::Range, sync::Arc};

/// The cause of one or more problems of a node, as far as the store itself shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnosis {
    /// The kind of cause.
    pub cause: CauseKind,
    /// The code: the kind and what exactly was found, such as `truncated/zeros-at-end`. It does not change between
    /// versions.
    pub code: &'static str,
    /// True if nothing else could explain what was found; false for the likeliest of several causes.
    pub is_certain: bool,
    /// The cause, a sentence.
    pub sentence: String,
    /// The evidence, each a sentence with its numbers.
    pub evidence: Vec<String>,
    /// What is other than the store has or says, if it is right.
    pub change: Option<Change>,
    /// The number of errors and warnings left at the node once the fix is applied; `None` where none was tried.
    pub left: Option<u64>,
    /// The thing to do, or to find out, where no fix is known.
    pub to_do: Option<String>,
    /// The first values of a chunk as declared, and as the settings say, or the reason why there are none.
    pub before_and_after: Option<(String, String)>,
    /// The kinds of problems of the same node that follow from it.
    pub explains: Vec<Code>,
    /// The files whose problems follow from it; empty: of any file.
    pub files: Vec<String>,
    /// The first byte of the file that is wrong, where it is known to be one.
    pub byte: Option<u64>,
}

/// What is to be different for a cause to be gone. zarrscope changes no store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// What the metadata document of a node declares: the settings, and the edit that declares them, after it that of each
    /// of its copies in consolidated metadata.
    Metadata(WhatIf, Vec<DocumentEdit>),
    /// The bytes in files: command lines of the shell, in the folder of the store, and the files that they change.
    Bytes(ShellScript, Vec<ChangedFile>),
    /// The keys of files, in the same form.
    Places(ShellScript, Vec<ChangedFile>),
    /// Nothing in the store, or nothing that is known to heal: the settings read the node as the cause says.
    Reading(WhatIf),
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

impl Change {
    /// The lines to run in the folder of the store.
    pub fn script(&self) -> ShellScript {
        match self {
            Self::Metadata(_, edits) => ShellScript::all(edits.iter().map(|it| it.diff.command())),
            Self::Bytes(text, _) | Self::Places(text, _) => text.clone(),
            Self::Reading(_) => ShellScript::all([]),
        }
    }

    /// The files of the store that it changes.
    pub fn files(&self) -> Vec<ChangedFile> {
        match self {
            Self::Metadata(_, edits) => {
                let files =
                    edits.iter().map(|it| FileContent::of(&it.document, Arc::clone(&it.bytes)));
                files.flatten().collect()
            }
            Self::Bytes(_, files) | Self::Places(_, files) => files.clone(),
            Self::Reading(_) => Vec::new(),
        }
    }

    /// The same as far as nothing in the store is changed by it.
    pub(in crate::zarr) fn unmended(self) -> Option<Self> {
        match self {
            Self::Metadata(what_if, _) | Self::Reading(what_if) => Some(Self::Reading(what_if)),
            Self::Bytes(..) | Self::Places(..) => None,
        }
    }
}

/// Makes the kinds of causes, each with its word and its page.
macro_rules! causes {
    ($($kind:ident $word:literal)*) => {
        /// A kind of cause that is looked for.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum CauseKind {
            $(#[doc = concat!("`", $word, "`")] $kind),*
        }

        impl CauseKind {
            /// Every one of them.
            pub const ALL: &[Self] = &[$(Self::$kind),*];

            /// The word by which it is told.
            pub fn word(self) -> &'static str {
                match self { $(Self::$kind => $word),* }
            }

            /// The page that explains it.
            pub fn page(self) -> FindingPage {
                FindingPage(match self {
                    $(Self::$kind => include_str!(concat!("../../findings/", $word, ".md"))),*
                })
            }
        }
    };
}

causes! {
    Appended "appended"
    Base64 "base64"
    BitFlip "bit-flip"
    ByteOrder "byte-order"
    Checksum "checksum"
    ChunkCopied "chunk-copied"
    ChunkKeys "chunk-keys"
    ChunkShape "chunk-shape"
    ChunkSwapped "chunk-swapped"
    Codec "codec"
    Conversion "conversion"
    DataType "data-type"
    EdgeChunks "edge-chunks"
    Filter "filter"
    InterruptedWrite "interrupted-write"
    LostWrite "lost-write"
    NotData "not-data"
    ObjectCodec "object-codec"
    Order "order"
    OtherArray "other-array"
    Packing "packing"
    Prefixed "prefixed"
    Race "race"
    Reversed "reversed"
    Shape "shape"
    ShardIndex "shard-index"
    Shifted "shifted"
    Struct "struct"
    TextEncoding "text-encoding"
    TextMode "text-mode"
    Transposed "transposed"
    Truncated "truncated"
    Units "units"
}

impl CauseKind {
    /// The kind of a code: `truncated` of `truncated/zeros-at-end`; `None` where it is of none.
    pub fn of(code: &str) -> Option<Self> {
        let word = code.split('/').next();
        Self::ALL.iter().copied().find(|kind| Some(kind.word()) == word)
    }

    /// True if values that were written are no longer in the store.
    pub(super) fn is_loss(self) -> bool {
        matches!(
            self,
            Self::BitFlip
                | Self::ChunkCopied
                | Self::Conversion
                | Self::InterruptedWrite
                | Self::LostWrite
                | Self::NotData
                | Self::OtherArray
                | Self::Race
                | Self::TextMode
                | Self::Truncated
        )
    }
}

impl Diagnosis {
    /// A cause that nothing else explains as well.
    pub(crate) fn new(code: &'static str, sentence: impl Into<String>) -> Self {
        let kind = CauseKind::of(code);
        debug_assert!(kind.is_some(), "codes are written in the program: {code}");
        Self {
            cause: kind.unwrap_or(CauseKind::Codec),
            code,
            is_certain: false,
            sentence: sentence.into(),
            evidence: Vec::new(),
            change: None,
            left: None,
            to_do: None,
            before_and_after: None,
            explains: Vec::new(),
            files: Vec::new(),
            byte: None,
        }
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

    /// The same with what mends it: bytes in files, or their keys.
    pub fn mended_by(mut self, change: Change) -> Self {
        if let Some(why) = change.script().refusal() {
            return self.to_do(why);
        }
        self.change = Some(change);
        self
    }

    /// The same without what would mend it: it can be tried.
    pub fn unmended(self) -> Self {
        Self { change: self.change.and_then(Change::unmended), ..self }
    }

    /// The change of the store that mends it.
    pub fn fix(&self) -> Option<&Change> {
        self.change.as_ref().filter(|change| !matches!(change, Change::Reading(_)))
    }

    /// The settings that read the node as it says.
    pub fn what_if(&self) -> Option<&WhatIf> {
        match self.change.as_ref()? {
            Change::Metadata(what_if, _) | Change::Reading(what_if) => Some(what_if),
            Change::Bytes(..) | Change::Places(..) => None,
        }
    }

    /// The same with what somebody has to do or to find out, one thing a line: no command can do it.
    pub fn to_do(mut self, text: impl Into<String>) -> Self {
        self.to_do = Some(text.into());
        self
    }

    /// The same with several pieces of evidence, or none.
    pub(in crate::zarr) fn because_all(
        mut self,
        evidence: impl IntoIterator<Item = String>,
    ) -> Self {
        self.evidence.extend(evidence);
        self
    }

    /// The same, of these files.
    pub(in crate::zarr) fn in_files(self, files: Vec<String>) -> Self {
        Self { files, ..self }
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
        self.fix().map(|fix| fix.script().to_string()).or_else(|| self.to_do.clone())
    }

    /// The outcome of trying the fix: `0 findings left`.
    pub fn left_in_words(&self) -> Option<String> {
        self.fix().and(self.left).map(|left| format!("{} left", counted(left, "finding")))
    }

    /// The strength of the evidence, as the beginning of a line: `cause`, `likely cause`.
    pub fn label(&self) -> &'static str {
        if self.is_certain { "cause" } else { "likely cause" }
    }
}
