//! What is known of one codec beside how it decodes: its names, its configuration in both formats, what it does, how its
//! output is recognised. The row of a codec stands in the codec's own file; no other file compares a codec's name.

use super::{Codec, CodecKind, CodecSpec, config::Setup};
use crate::zarr::{
    data_type::{DataType, DataTypes, Resolved},
    error::{Code, Flagged, Note, Result},
    format::Format,
    json::{Json, Kind},
};
use std::sync::Arc;

/// Understands the configuration of a codec.
pub type Build = fn(&Setup<'_>) -> Result<Flagged<Arc<dyn Codec>>>;

/// One codec in the registry.
///
/// ```
/// # use zarrscope::zarr::{codec::{Codec, CodecKind, CodecRow, config::Setup}, Flagged, Result};
/// # use std::sync::Arc;
/// # fn build(_: &Setup<'_>) -> Result<Flagged<Arc<dyn Codec>>> { unimplemented!() }
/// static ROW: CodecRow = CodecRow {
///     v3: &["example.xor"],
///     members: &["key"],
///     lesson: "Combines each byte with a key by exclusive or.",
///     ..CodecRow::new(CodecKind::BytesToBytes, build)
/// };
/// ```
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct CodecRow {
    /// The names in V3, the registered one first.
    pub v3: &'static [&'static str],
    /// The ids in V2.
    pub v2: &'static [&'static str],
    /// The members of its configuration.
    pub members: &'static [&'static str],
    /// The members that tell most, for one line: `zstd(5)`.
    pub shown: &'static [&'static str],
    /// On which side of the bytes it stands in V3; V2 filters all work on bytes.
    pub kind: CodecKind,
    /// Understands the configuration.
    pub build: Build,
    /// What it does, in a sentence or two.
    pub lesson: &'static str,
    /// True if it is a compressor, which V2 has a place of its own for.
    pub compresses: bool,
    /// True if it leaves the bytes of elements as they are, or only puts dimensions in another order.
    pub is_raw: bool,
    /// True if its member `endian` declares the byte order of the elements.
    pub declares_endian: bool,
    /// True if V2 takes it for the object codec of a `|O`.
    pub object_codec: bool,
    /// What the elements of a V2 `|O` are that it made bytes of; `None` where that cannot be told.
    pub object_type: fn(&CodecSpec, &DataTypes) -> Option<Resolved>,
    /// The chunks inside its output, for codecs that have such.
    pub inner: Option<fn(&CodecSpec) -> InnerChunks>,
    /// How its output is recognised.
    pub signature: Signature,
    /// What V3 has for it, for elements of the data type; the note says what is lost where it has nothing.
    pub to_v3: fn(&CodecSpec, &dyn DataType) -> Result<CodecSpec, Note>,
    /// What V2 has for it, in an array of so many dimensions.
    pub to_v2: fn(&CodecSpec, usize) -> InV2,
}

impl CodecRow {
    /// A codec without names, which neither format writes for the other's.
    #[must_use]
    pub const fn new(kind: CodecKind, build: Build) -> Self {
        Self {
            v3: &[],
            v2: &[],
            members: &[],
            shown: &["level"],
            kind,
            build,
            lesson: "",
            compresses: false,
            is_raw: false,
            declares_endian: false,
            object_codec: false,
            object_type: |_, _| None,
            inner: None,
            signature: Signature::None,
            to_v3: numcodecs_in_v3,
            to_v2: |spec, _| InV2::lost(spec),
        }
    }

    /// The names in `format`.
    #[must_use]
    pub fn names(&self, format: Format) -> &'static [&'static str] {
        match format {
            Format::V2 => self.v2,
            Format::V3 => self.v3,
        }
    }
}

/// Bytes fewer than this prove nothing by decoding.
pub(super) const FEW: usize = 16;

/// How the output of a codec is told from other bytes. Texts say what such bytes are called.
#[derive(Debug, Clone, Copy)]
pub enum Signature {
    /// It is not.
    None,
    /// It begins with these bytes.
    Magic(&'static str, &'static [u8]),
    /// Its header agrees with itself and with the length.
    Header(&'static str, fn(&[u8]) -> bool),
    /// Nothing but decoding tells; these bytes are worth a trial.
    Trial(fn(&[u8]) -> bool),
}

impl Signature {
    /// What `bytes` are called if they have this signature; a trial proves nothing.
    #[must_use]
    pub fn name(self, bytes: &[u8]) -> Option<&'static str> {
        match self {
            Self::Magic(name, magic) => bytes.starts_with(magic).then_some(name),
            Self::Header(name, fits) => fits(bytes).then_some(name),
            Self::None | Self::Trial(_) => None,
        }
    }
}

/// The chunks inside the output of a codec.
#[derive(Debug, Clone)]
pub struct InnerChunks {
    /// Their shape, where it can be read.
    pub chunk_shape: Option<Vec<u64>>,
    /// Their codecs, as far as they can be read.
    pub codecs: Vec<CodecSpec>,
}

/// What becomes of a V3 codec in V2.
#[derive(Debug, Clone, PartialEq)]
pub enum InV2 {
    /// A filter or the compressor.
    Codec(CodecSpec),
    /// `order`, which is `F` if true; or why neither of both says it.
    Order(Result<bool, Note>),
    /// Nothing: the dtype says it.
    Dtype,
    /// V2 has no such codec.
    Lost(Note),
}

impl InV2 {
    /// A filter or compressor with these members.
    pub(super) fn codec(id: &str, members: impl IntoIterator<Item = (&'static str, Json)>) -> Self {
        let id = std::iter::once(("id", Json::string(id)));
        let members = id.chain(members).map(|(key, value)| (key.to_owned(), value));
        Self::Codec(written(members))
    }

    /// There is none.
    pub(super) fn lost(spec: &CodecSpec) -> Self {
        let name = &spec.name;
        let text = format!("V2 has no codec {name:?}: the chunks must be written anew without it.");
        Self::Lost(Note::new(Code::CodecLost, text))
    }

    /// The codec of numcodecs with the same configuration.
    pub(super) fn numcodecs(id: &str, spec: &CodecSpec) -> Self {
        let id = std::iter::once(("id".to_owned(), Json::string(id)));
        Self::Codec(written(id.chain(members(spec))))
    }
}

/// A codec as V2 writes it: `members` with the id first.
fn written(members: impl Iterator<Item = (String, Json)>) -> CodecSpec {
    let object = Json::object(members);
    let id = object.get("id").and_then(Json::as_str).unwrap_or_default().to_owned();
    CodecSpec { configuration: Some(object), ..CodecSpec::new(id, "filters") }
}

/// The members of a configuration, without the id that V2 puts among them.
fn members(spec: &CodecSpec) -> impl Iterator<Item = (String, Json)> {
    let members = spec.configuration.as_ref().and_then(Json::as_object).unwrap_or_default();
    let plain = members.iter().filter(|member| member.key != "id");
    plain.map(|member| (member.key.clone(), member.value.clone()))
}

/// A codec as V3 writes it.
pub(super) fn in_v3(
    name: impl Into<String>,
    members: impl IntoIterator<Item = (&'static str, Json)>,
) -> CodecSpec {
    let members = members.into_iter().map(|(key, value)| (key.to_owned(), value));
    CodecSpec { configuration: Some(Json::object(members)), ..CodecSpec::new(name, "codecs") }
}

/// The V2 codec under the name that V3 has for everything in numcodecs.
#[expect(clippy::unnecessary_wraps, reason = "other codecs may be lost")]
pub(super) fn numcodecs_in_v3(spec: &CodecSpec, _: &dyn DataType) -> Result<CodecSpec, Note> {
    let id = &spec.name;
    let text = format!(
        "The V3 name of {id} is {NUMCODECS}{id}: registered, read by zarr-python with numcodecs, and by few others."
    );
    Ok(CodecSpec {
        configuration: Some(Json::object(members(spec))),
        notes: vec![Note::new(Code::NumcodecsName, text)],
        ..CodecSpec::new(format!("{NUMCODECS}{id}"), "codecs")
    })
}

/// Says that V3 has no such codec.
pub(super) fn lost_in_v3(spec: &CodecSpec, _: &dyn DataType) -> Result<CodecSpec, Note> {
    let name = &spec.name;
    let text = format!("V3 has no codec {name:?}: the chunks must be written anew without it.");
    Err(Note::new(Code::CodecLost, text))
}

/// Says that V3 has no codec for Python objects.
pub(super) fn objects_lost_in_v3(spec: &CodecSpec, _: &dyn DataType) -> Result<CodecSpec, Note> {
    let text = format!(
        "{} packs Python objects; V3 has no codec for it: the chunks must be written anew.",
        spec.name
    );
    Err(Note::new(Code::CodecLost, text))
}

/// What V3 puts before the id of a codec of numcodecs that it has no name of its own for.
pub(super) const NUMCODECS: &str = "numcodecs.";

/// The member `key` of the configuration, `default` where there is none.
pub(super) fn kept(spec: &CodecSpec, key: &'static str, default: Json) -> (&'static str, Json) {
    (key, spec.member(key).cloned().unwrap_or(default))
}

impl Json {
    /// An object that stands in no document.
    pub(crate) fn object(members: impl IntoIterator<Item = (String, Self)>) -> Self {
        let member = |(key, value)| crate::zarr::json::Member { key, key_span: 0..0, value };
        Self::made(Kind::Object(members.into_iter().map(member).collect()))
    }

    /// A whole number that stands in no document.
    pub(crate) fn whole(number: u64) -> Self {
        Self::made(Kind::Number(number.to_string()))
    }
}
