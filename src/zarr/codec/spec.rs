//! Codecs as documents name them, before anything is understood of them.

use super::prelude::*;

/// One codec as a document names it.
#[derive(Debug, Clone, PartialEq)]
pub struct CodecSpec {
    /// The name: V3 `name`, V2 `id`; for the implied codec of V2 `bytes`.
    pub name: String,
    /// The configuration: V3 `configuration`, V2 the whole object; `None` where there is none.
    pub configuration: Option<Json>,
    /// The field that holds it: `codecs[1]`, `filters[0]`, `compressor`, `dtype`.
    pub field: String,
    /// True if no document names it: the codec that V2 implies between the array and its filters.
    pub implied: bool,
    /// Notes on this spelling.
    pub notes: Vec<Note>,
}

/// The name of the codec that V2 implies.
pub(super) const BYTES: &str = "bytes";

impl CodecSpec {
    /// A codec without configuration and remarks.
    pub fn new(name: impl Into<String>, field: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            configuration: None,
            field: field.into(),
            implied: false,
            notes: Vec::new(),
        }
    }

    /// The codec that V2 implies: elements to bytes as the `dtype` says.
    pub fn implied() -> Self {
        Self { implied: true, ..Self::new(BYTES, "dtype") }
    }

    /// A member of its configuration.
    pub fn member(&self, key: &str) -> Option<&Json> {
        self.configuration.as_ref()?.get(key)
    }

    /// The codec as a list of V3 codecs has it.
    pub fn to_v3(&self) -> Json {
        let name = std::iter::once(("name".to_owned(), Json::from(&self.name)));
        let configuration = self.configuration.iter().cloned();
        Json::object(name.chain(configuration.map(|json| ("configuration".to_owned(), json))))
    }

    /// Reads one entry of V3 `codecs`: an object with `name` and perhaps `configuration` and `must_understand`, or
    /// the short-hand string.
    ///
    /// # Errors
    ///
    /// If it is neither, or has members that nobody knows.
    pub fn from_v3(json: &Json, field: &str) -> Result<Self> {
        if let Some(name) = json.as_str() {
            let text = "A codec written as a bare string is allowed since V3.1. zarr-python 3.4.2 refuses it; zarrs \
                        0.23.14 reads it.";
            let notes = vec![Note::new(Code::ShortHandCodec, text)];
            return Ok(Self { notes, ..Self::new(name, field) });
        }
        let refuse = |found: String, expected: &str| {
            Err(Error::new(Code::MalformedCodec, found, expected).at(field))
        };
        let Some(members) = json.as_object() else {
            return refuse(json.describe(), "a codec object with a name");
        };
        let Some(name) = json.get("name") else {
            let fix = json
                .get("id")
                .map(|_| "\"id\" is how V2 names a codec; V3 has \"name\" and \"configuration\".");
            let error = Error::new(
                Code::MalformedCodec,
                "an object without a name",
                "a codec object with a name",
            );
            return Err(Error { fix: fix.map(ToOwned::to_owned), ..error.at(field) });
        };
        let Some(name) = name.as_str().filter(|name| !name.is_empty()) else {
            return refuse(
                format!("{} as the name", name.describe()),
                "the codec's name, a string",
            );
        };
        let known = ["name", "configuration", "must_understand"];
        if let Some(other) = members.iter().find(|m| !known.contains(&m.key.as_str())) {
            let found = format!("the member {}", quoted(&other.key));
            return refuse(found, "only name, configuration and must_understand");
        }
        let configuration = json.get("configuration");
        if let Some(other) = configuration.filter(|json| json.as_object().is_none()) {
            return refuse(format!("{} as the configuration", other.describe()), "an object");
        }
        Ok(Self { configuration: configuration.cloned(), ..Self::new(name, field) })
    }

    /// Reads a V2 filter or compressor: an object with an `id`, its configuration beside it.
    ///
    /// # Errors
    ///
    /// If it is none.
    pub fn from_v2(json: &Json, field: &str) -> Result<Self> {
        let id = json.get_str("id").filter(|id| !id.is_empty());
        let Some(id) = id else {
            let expected = "an object with the codec's id";
            let fix = json.get("name").map(
                |_| "\"name\" is how V3 names a codec; V2 has \"id\", its configuration beside it.",
            );
            let error = Error::new(Code::MalformedCodec, json.describe(), expected).at(field);
            return Err(Error { fix: fix.map(ToOwned::to_owned), ..error });
        };
        Ok(Self { configuration: Some(json.clone()), ..Self::new(id, field) })
    }

    /// Reads V2 `filters` and `compressor` (absent, `null` and `[]` mean none) into one chain in encoding order: the
    /// implied codec, unless one of the others stands for it, which `makes_objects` says; then the filters, each from
    /// buffer to buffer; then the compressor.
    ///
    /// # Errors
    ///
    /// If `filters` is no array, or one of them is malformed.
    pub fn chain_from_v2(
        filters: Option<&Json>,
        compressor: Option<&Json>,
        makes_objects: impl Fn(&Self) -> bool,
    ) -> Result<Vec<Self>> {
        let mut chain = Vec::new();
        if let Some(filters) = filters.filter(|json| !json.is_null()) {
            let Some(items) = filters.as_array() else {
                let expected = "an array of filters, or null";
                return Err(
                    Error::new(Code::MalformedCodec, filters.describe(), expected).at("filters")
                );
            };
            for (index, item) in items.iter().enumerate() {
                chain.push(Self::from_v2(item, &format!("filters[{index}]"))?);
            }
        }
        if let Some(compressor) = compressor.filter(|json| !json.is_null()) {
            chain.push(Self::from_v2(compressor, "compressor")?);
        }
        if !chain.iter().any(makes_objects) {
            chain.insert(0, Self::implied());
        }
        Ok(chain)
    }

    /// Reads V3 `codecs`.
    ///
    /// # Errors
    ///
    /// If it is no array, or one of them is malformed.
    pub fn chain_from_v3(codecs: &Json) -> Result<Vec<Self>> {
        let Some(items) = codecs.as_array() else {
            let expected = "an array of codecs";
            return Err(Error::new(Code::MalformedCodec, codecs.describe(), expected).at("codecs"));
        };
        items
            .iter()
            .enumerate()
            .map(|(index, item)| Self::from_v3(item, &format!("codecs[{index}]")))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zarr::{
        codec::{Codecs, Registry},
        data_type::Endian,
    };

    fn names(filters: &str, compressor: &str) -> Vec<(String, String)> {
        let json = |text| Json::parse_str(text).unwrap();
        let chain =
            CodecSpec::chain_from_v2(Some(&json(filters)), Some(&json(compressor)), |spec| {
                Registry::default().makes_objects(spec)
            });
        chain.unwrap().into_iter().map(|spec| (spec.name, spec.field)).collect()
    }

    #[test]
    fn a_v2_chain_begins_with_what_gives_elements_their_bytes() {
        let pair = |name: &str, field: &str| (name.to_owned(), field.to_owned());
        assert_eq!(names("null", "null"), [pair("bytes", "dtype")]);
        assert_eq!(
            names(r#"[{"id":"delta"}]"#, r#"{"id":"zstd"}"#),
            [pair("bytes", "dtype"), pair("delta", "filters[0]"), pair("zstd", "compressor")]
        );
        assert_eq!(names(r#"[{"id":"vlen-utf8"}]"#, "null"), [pair("vlen-utf8", "filters[0]")]);
    }

    #[test]
    fn a_malformed_codec_says_where() {
        let json = Json::parse_str(r#"["bytes", {"name": "x", "extra": 1}]"#).unwrap();
        let error = CodecSpec::chain_from_v3(&json).unwrap_err();
        assert_eq!(error.place.field.as_deref(), Some("codecs[1]"));
        assert_eq!(error.found, "the member \"extra\"");
    }

    #[test]
    fn byte_order_is_found_inside_shards() {
        let text = r#"[{"name":"sharding_indexed","configuration":{"codecs":
            [{"name":"bytes","configuration":{"endian":"big"}},"crc32c"]}}]"#;
        let chain = CodecSpec::chain_from_v3(&Json::parse_str(text).unwrap()).unwrap();
        let codecs = Codecs::default();
        assert_eq!(codecs.declared_endian(&chain), Some(Some(Endian::Big)));
        assert_eq!(codecs.declared_endian(&[CodecSpec::new("bytes", "")]), Some(None));
        assert_eq!(codecs.declared_endian(&[CodecSpec::new("zstd", "")]), None);
    }
}
