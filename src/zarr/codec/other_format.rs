//! The form of each codec in the other format.

use super::prelude::*;

/// The form of a V3 codec in V2.
#[derive(Debug, Clone, PartialEq)]
pub enum InV2 {
    /// A filter or the compressor.
    Codec(CodecSpec),
    /// `order`, or what comes nearest: a permutation of the dimensions; `None` where it is unreadable.
    Order(Option<Vec<usize>>),
    /// Nothing: the dtype says it.
    Dtype,
    /// V2 has no such codec.
    Lost(Note),
}

impl InV2 {
    /// A filter or compressor with these members.
    pub(super) fn codec(id: &str, members: impl IntoIterator<Item = (&'static str, Json)>) -> Self {
        let id = std::iter::once(("id", Json::from(id)));
        let members = id.chain(members).map(|(key, value)| (key.to_owned(), value));
        Self::Codec(written(members))
    }

    /// There is none.
    pub(super) fn lost(spec: &CodecSpec) -> Self {
        let name = &spec.name;
        let text = format!("V2 has no codec {name:?}: the chunks must be rewritten without it.");
        Self::Lost(Note::new(Code::CodecLost, text))
    }

    /// The codec of numcodecs with the same configuration.
    pub(super) fn numcodecs(id: &str, spec: &CodecSpec) -> Self {
        let id = std::iter::once(("id".to_owned(), Json::from(id)));
        Self::Codec(written(id.chain(members(spec))))
    }
}

/// A codec as V2 writes it: `members` with the id first.
fn written(members: impl Iterator<Item = (String, Json)>) -> CodecSpec {
    let object = Json::object(members);
    let id = object.get_str("id").unwrap_or_default().to_owned();
    CodecSpec { configuration: Some(object), ..CodecSpec::new(id, "filters") }
}

/// The members of a configuration, without the id that V2 puts among them.
fn members(spec: &CodecSpec) -> impl Iterator<Item = (String, Json)> {
    let members = spec.configuration.as_ref().and_then(Json::as_object).unwrap_or_default();
    let plain = members.iter().filter(|member| member.key != "id");
    plain.map(|member| (member.key.to_string(), member.value.clone()))
}

/// A codec as V3 writes it.
pub(super) fn in_v3(
    name: impl Into<String>,
    members: impl IntoIterator<Item = (&'static str, Json)>,
) -> CodecSpec {
    CodecSpec { configuration: Some(Json::object(members)), ..CodecSpec::new(name, "codecs") }
}

/// The V2 codec under the name that V3 has for everything in numcodecs.
pub(super) fn numcodecs_in_v3(spec: &CodecSpec, _: &dyn DataType) -> Result<CodecSpec, Note> {
    let id = &spec.name;
    let text = format!(
        "The V3 name of {id} is {NUMCODECS}{id}, which is not registered. zarr-python 3.4.2 reads it through \
         numcodecs; TensorStore 0.1.86 and GDAL 3.12.2 do not."
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
    let text = format!("V3 has no codec {name:?}: the chunks must be rewritten without it.");
    Err(Note::new(Code::CodecLost, text))
}

/// Says that V3 has no codec for Python objects.
pub(super) fn objects_lost_in_v3(spec: &CodecSpec, _: &dyn DataType) -> Result<CodecSpec, Note> {
    let text = format!(
        "{} stores Python objects; V3 has no codec for that: the chunks must be rewritten.",
        spec.name
    );
    Err(Note::new(Code::CodecLost, text))
}

/// The prefix in V3 of the id of a codec of numcodecs that has no name of its own there.
pub(super) const NUMCODECS: &str = "numcodecs.";

/// The member `key` of the configuration, `default` where there is none.
pub(super) fn kept(spec: &CodecSpec, key: &'static str, default: Json) -> (&'static str, Json) {
    (key, spec.member(key).cloned().unwrap_or(default))
}
