//! Settings: what a node is supposed to declare in place of what it does. [`what_if`](super::what_if) reads it so.

use super::{
    runnable::{ShellScript, ShellWord, script},
    words::Joined as _,
};
use std::fmt;

/// The member that a setting is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::zarr) enum SettingMember {
    Dtype,
    Endian,
    Order,
    Codecs,
    Filters,
    Compressor,
    Shape,
    Chunks,
    Fill,
    Keys,
    Checksums,
    Document,
}

/// The only value of the setting that supposes a document where there is none.
pub(super) const GUESS: &str = "guess";

/// The words of the settings, and what each takes.
pub const MEMBERS: &[(&str, &str)] = &[
    ("dtype", "a data type, as `dtype` takes it: dtype=<f4, dtype=float32"),
    ("endian", "the byte order: endian=little, endian=big"),
    ("order", "the order of the dimensions: order=C, order=F, order=[1,0,2]"),
    ("codecs", "all codecs: codecs=[\"bytes\",\"zstd\"]; V2: filters, the compressor last"),
    ("filters", "the codecs before the bytes: filters=[{\"id\":\"shuffle\",\"elementsize\":8}]"),
    ("compressor", "the codecs after the bytes: compressor=gzip, compressor=null"),
    ("shape", "the shape of the array: shape=100,200"),
    ("chunks", "the shape of a chunk: chunks=10,20"),
    ("fill", "the fill value: fill=NaN"),
    ("keys", "the chunk keys: keys=/, keys=., keys=v2, keys=default"),
    ("checksums", "checksums=ignore: values are shown even if a checksum does not match"),
    ("document", "document=guess: a document guessed from the chunks, where there is none"),
];

impl SettingMember {
    /// In the order of [`MEMBERS`].
    pub(super) const ALL: [Self; MEMBERS.len()] = [
        Self::Dtype,
        Self::Endian,
        Self::Order,
        Self::Codecs,
        Self::Filters,
        Self::Compressor,
        Self::Shape,
        Self::Chunks,
        Self::Fill,
        Self::Keys,
        Self::Checksums,
        Self::Document,
    ];

    pub(super) fn word(self) -> &'static str {
        MEMBERS.get(self as usize).map_or("", |(word, _)| word)
    }
}

/// One setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Setting {
    /// One of the words.
    Of(SettingMember, String),
    /// Any value of the document, by its JSON Pointer; no value: it is taken out.
    At(String, String),
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Of(member, value) => write!(f, "{}={value}", member.word()),
            Self::At(pointer, value) => write!(f, "{pointer}={value}"),
        }
    }
}

/// The settings that a node is read by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WhatIf(pub(super) Vec<Setting>);

impl fmt::Display for WhatIf {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0.iter().joined(" "))
    }
}

impl WhatIf {
    /// One setting.
    pub(in crate::zarr) fn of(member: SettingMember, value: impl fmt::Display) -> Self {
        Self(vec![Setting::Of(member, value.to_string())])
    }

    /// Other lengths of the array or of its chunks.
    pub(in crate::zarr) fn lengths(member: SettingMember, lengths: &[u64]) -> Self {
        Self::of(member, lengths.iter().joined(","))
    }

    /// Another value at a place of the document.
    pub(in crate::zarr) fn at(pointer: &str, value: impl fmt::Display) -> Self {
        Self(vec![Setting::At(pointer.to_owned(), value.to_string())])
    }

    /// Both changes, one after the other.
    pub(in crate::zarr) fn and(self, other: Self) -> Self {
        Self([self.0, other.0].concat())
    }

    /// A guess at the document where there is none.
    pub fn guess() -> Self {
        Self::of(SettingMember::Document, GUESS)
    }

    /// True if the document is to be guessed.
    pub fn guesses(&self) -> bool {
        self.sets(SettingMember::Document)
    }

    /// True if it says something of this member.
    pub(in crate::zarr) fn sets(&self, member: SettingMember) -> bool {
        self.value(member).is_some()
    }

    /// What it says of a member.
    pub(in crate::zarr) fn value(&self, member: SettingMember) -> Option<&str> {
        self.0.iter().find_map(|it| match it {
            Setting::Of(own, value) if *own == member => Some(value.as_str()),
            _ => None,
        })
    }

    /// The settings as options of a command: `--as 'dtype=<f4' --as endian=big`.
    pub fn options(&self) -> ShellScript {
        let option = |it: &Setting| script!("--as {}", ShellWord::value(&it.to_string()));
        ShellScript::words(self.0.iter().map(option))
    }
}
