//! The sources that a codec is built from: its configuration, read member by member, and the array it is for.

use super::{not_elements, prelude::*};
use std::ops::RangeInclusive;

/// The depth to which codecs may be nested.
const MAX_NESTING: usize = 8;

/// The codecs that a codec holds, for arrays that only its data tell of.
#[derive(Debug)]
pub(super) struct InnerCodecs {
    pub(super) specs: Vec<CodecSpec>,
    registry: Registry,
    depth: usize,
}

impl InnerCodecs {
    /// The chain for such an array.
    pub(super) fn chain(&self, array: &Representation) -> Chain {
        Chain::build(&self.specs, Format::V3, &self.registry, Some(array), self.depth)
    }

    /// The elements of such an array, which is stored as `part` of the input.
    pub(super) fn decode(
        &self,
        array: &Representation,
        part: Range<u64>,
        context: &Context,
    ) -> Result<Elements> {
        let bytes = context.input.bytes().slice(part).ok_or_else(not_elements)?;
        let decoded = self.chain(array).decode(Data::Bytes(bytes), &context.budget)?;
        decoded.elements().cloned().ok_or_else(not_elements)
    }

    /// The bytes that these elements are stored as.
    pub(super) fn encode(&self, elements: Elements, context: &Context) -> Result<Data> {
        let array = Representation::of(elements.data_type(), elements.shape());
        self.chain(&array).encode(Data::Elements(elements), &context.budget)
    }
}

impl<'a> Setup<'a> {
    /// The kind of a codec that is `in_v3` there: in V2, filters work on bytes.
    pub fn kind(&self, in_v3: CodecKind) -> CodecKind {
        match self.format {
            Format::V2 => CodecKind::BytesToBytes,
            Format::V3 => in_v3,
        }
    }

    /// A member of the configuration; `None` where it is absent or, in V2, `null`.
    pub fn member(&self, key: &str) -> Option<&'a Json> {
        let member = self.spec.configuration.as_ref()?.get(key)?;
        (self.format == Format::V3 || !member.is_null()).then_some(member)
    }

    /// The array the codec is for.
    ///
    /// # Errors
    ///
    /// If its data type or shape is not known.
    pub fn array(&self) -> Result<&'a Representation> {
        self.array.ok_or_else(|| {
            let found = format!("the codec {} after a codec whose output is unknown", self.name());
            Error::new(Code::UnknownArray, found, "a known data type and shape")
                .at(&self.spec.field)
        })
    }

    /// A text.
    ///
    /// # Errors
    ///
    /// If the member is there and no string.
    pub fn text(&self, key: &str) -> Result<Option<&'a str>> {
        self.member(key)
            .map(|json| json.as_str().ok_or_else(|| self.refuse(key, json, "a string")))
            .transpose()
    }

    /// The one of `options` that a member names; `None` where there is no such member.
    pub(super) fn choice<T: Copy>(&self, key: &str, options: &[(&str, T)]) -> Result<Option<T>> {
        let Some(word) = self.text(key)? else { return Ok(None) };
        let named = options.iter().find(|(name, _)| *name == word);
        let (_, option) = named.ok_or_else(|| {
            let words: Vec<_> = options.iter().map(|(name, _)| quoted(name)).collect();
            let (last, others) = words.split_last().map_or(("", &[][..]), |(a, b)| (a, b));
            self.fault(key, quoted(word), format!("{} or {last}", others.join(", ")))
        })?;
        Ok(Some(*option))
    }

    /// A number that is no less than 0.
    ///
    /// # Errors
    ///
    /// If the member is there and no such number.
    pub fn number(&self, key: &str) -> Result<Option<u64>> {
        let read = |json: &'a Json| {
            json.as_u64().ok_or_else(|| self.refuse(key, json, "an integer, 0 or more"))
        };
        self.member(key).map(read).transpose()
    }

    /// A number with fraction.
    ///
    /// # Errors
    ///
    /// If the member is there and no number.
    pub fn float(&self, key: &str) -> Result<Option<f64>> {
        let read = |json: &'a Json| {
            let number = json.as_number().and_then(|text| text.parse().ok());
            number.ok_or_else(|| self.refuse(key, json, "a number"))
        };
        self.member(key).map(read).transpose()
    }

    /// The level of a compressor, `default` where none is said, brought into the `range` that it has. Decoding asks for
    /// none.
    ///
    /// # Errors
    ///
    /// If the member is there and no number.
    pub fn level(&self, default: i32, range: RangeInclusive<i32>) -> Result<i32> {
        let said = self.float("level")?.unwrap_or_else(|| default.into());
        #[expect(clippy::cast_possible_truncation, reason = "a level is small; others are clamped")]
        Ok((said as i32).clamp(*range.start(), *range.end()))
    }

    /// A data type, named as NumPy does (`<f4`, `float32`), or as its family names it in V2.
    ///
    /// # Errors
    ///
    /// If the member is there and no such name.
    pub fn dtype(&self, key: &str) -> Result<Option<Resolved>> {
        let read = |json: &'a Json| {
            let expected = "the name of a data type, such as \"<f4\"";
            let name = json.as_str().ok_or_else(|| self.refuse(key, json, expected))?;
            let resolved = self.registry.data_types.from_dtype(name);
            resolved.map_err(|_not_a_name| self.fault(key, quoted(name), expected))
        };
        self.member(key).map(read).transpose()
    }

    /// The codecs under `key`, which must be there, each with its field.
    ///
    /// # Errors
    ///
    /// If they are no list of codecs, or lie too deep.
    pub fn specs(&self, key: &str) -> Result<Vec<CodecSpec>> {
        if self.depth >= MAX_NESTING {
            let found = format!("codecs nested deeper than {MAX_NESTING}");
            return Err(Error::new(Code::CodecConfiguration, found, "fewer levels"));
        }
        let json = self.needed(key)?;
        let field = self.place(Some(key));
        let mut specs = CodecSpec::chain_from_v3(json)
            .map_err(|error| self.fault(key, error.found, error.expected))?;
        for (index, spec) in specs.iter_mut().enumerate() {
            spec.field = format!("{field}[{index}]");
        }
        Ok(specs)
    }

    /// The codecs under `key`, for `array`.
    ///
    /// # Errors
    ///
    /// As [`Self::specs`].
    pub fn chain(&self, key: &str, array: &Representation) -> Result<Chain> {
        let specs = self.specs(key)?;
        Ok(Chain::build(&specs, Format::V3, self.registry, Some(array), self.depth + 1))
    }

    /// Refuses elements that all have the same length.
    ///
    /// # Errors
    ///
    /// If they are known to have.
    pub(super) fn only_variable_length(&self) -> Result<()> {
        let fixed = self.array.filter(|array| array.data_type.item_size() != ItemSize::Variable);
        let Some(array) = fixed else { return Ok(()) };
        let found = format!("{} for {}", self.name(), array.data_type.name());
        Err(Error::new(Code::CodecDataType, found, "a variable-length data type"))
    }

    /// The codecs of a member, to be built for what they are given.
    pub(super) fn inner(&self, key: &str) -> Result<InnerCodecs> {
        let (registry, depth) = (self.registry.clone(), self.depth + 1);
        Ok(InnerCodecs { specs: self.specs(key)?, registry, depth })
    }

    /// A member that must be there.
    ///
    /// # Errors
    ///
    /// If it is not.
    pub fn required<T>(&self, key: &str, value: Option<T>) -> Result<T> {
        value.ok_or_else(|| {
            let found = format!("no {}", quoted(key));
            let expected = format!("{} in the configuration of {}", quoted(key), self.name());
            Error::new(Code::CodecConfiguration, found, expected).at(self.place(None))
        })
    }

    /// The member `key`, which the codec cannot do without.
    pub(super) fn needed(&self, key: &str) -> Result<&'a Json> {
        self.required(key, self.member(key))
    }

    /// The error that `json` under `key` is not what it should be.
    pub fn refuse(&self, key: &str, json: &Json, expected: &str) -> Error {
        self.fault(key, json.describe(), expected)
    }

    /// The error that something is wrong with the member `key`.
    pub fn fault(&self, key: &str, found: impl Into<String>, expected: impl Into<String>) -> Error {
        Error::new(Code::CodecConfiguration, found, expected).at(self.place(Some(key)))
    }

    /// The codec's name in quotes.
    pub fn name(&self) -> String {
        quoted(&self.spec.name)
    }

    /// The first member of the configuration that is none of `known`.
    pub fn unknown_member(&self, known: &[&str]) -> Option<&'a str> {
        let members = self.spec.configuration.as_ref()?.as_object()?;
        let keys = members.iter().map(|member| member.key.as_str());
        keys.filter(|key| self.format == Format::V3 || *key != "id")
            .find(|key| !known.contains(key))
    }

    fn place(&self, key: Option<&str>) -> String {
        let base = match self.format {
            Format::V2 => self.spec.field.clone(),
            Format::V3 => format!("{}.configuration", self.spec.field),
        };
        match key {
            Some(key) => format!("{base}.{key}"),
            None => base,
        }
    }
}
