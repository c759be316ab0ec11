//! The codecs, and the facts about each beside how it decodes: its names, its
//! configuration in both formats, what it does, how its output is recognised. The row of a codec is in the codec's own
//! file; no other file compares a codec's name.

use super::prelude::*;
use super::{
    InV2,
    other_format::{NUMCODECS, numcodecs_in_v3},
};
use crate::zarr::data_type::DataTypes;

/// The data types and codecs that a document may name. A clone shares them until one of both is changed.
///
/// [`Hierarchy::open_with`](crate::zarr::Hierarchy::open_with) and `tui::Options` take one: what is registered in it is
/// known everywhere, from metadata to the screen. This is `examples/own_codec.rs`:
///
/// ```
#[doc = include_str!("../../../examples/own_codec.rs")]
/// ```
#[derive(Debug, Clone, Default)]
pub struct Registry {
    /// The data types.
    pub data_types: DataTypes,
    /// The codecs.
    pub codecs: Codecs,
    /// True if a checksum that does not match is a note of its stage, as under
    /// [`Budget::ignoring_checksums`](crate::zarr::Budget::ignoring_checksums): for all that reads arrays of this
    /// registry.
    pub ignores_checksums: bool,
}

impl Registry {
    /// A registry that knows nothing.
    pub fn empty() -> Self {
        Self { data_types: DataTypes::empty(), codecs: Codecs::empty(), ignores_checksums: false }
    }

    /// True if V2 takes the codec for one that makes bytes of objects, so that no `dtype` has to (`|O`).
    pub fn makes_objects(&self, spec: &CodecSpec) -> bool {
        self.codecs.row(&spec.name, Format::V2).is_some_and(|row| {
            row.object_codec || (row.object_type)(spec, &self.data_types).is_some()
        })
    }

    /// The data type of a V2 array of objects, by the codec that made bytes of them; `None` where there is none
    /// whose objects can be told.
    pub fn object_type(&self, specs: &[CodecSpec]) -> Option<Resolved> {
        let spec = specs.iter().find(|spec| self.makes_objects(spec))?;
        (self.codecs.row(&spec.name, Format::V2)?.object_type)(spec, &self.data_types)
    }
}

/// A codec that was built, or the reason why not.
pub type Built = Result<Flagged<Arc<dyn Codec>>>;

/// The codec that a row builds where there is nothing to note.
pub(super) fn built(codec: impl Codec + 'static) -> Built {
    Ok(Flagged::plain(Arc::new(codec)))
}

/// The known codecs. A clone shares them until one of both is changed.
#[derive(Debug, Clone)]
pub struct Codecs {
    rows: Arc<Vec<&'static CodecRow>>,
}

impl Codecs {
    /// Codecs that know nothing.
    pub fn empty() -> Self {
        Self { rows: Arc::default() }
    }

    /// The codecs of these rows.
    pub(super) fn of(rows: &[&'static CodecRow]) -> Self {
        Self { rows: Arc::new(rows.to_vec()) }
    }

    /// Adds a codec.
    ///
    /// # Errors
    ///
    /// If another codec has one of its names: each name means one codec. [`Self::unregister`] takes out the other.
    pub fn register(&mut self, row: &'static CodecRow) -> Result<()> {
        for format in [Format::V2, Format::V3] {
            if let Some(name) =
                row.names(format).iter().find(|name| self.row(name, format).is_some())
            {
                let found =
                    format!("a second codec of the {} name {}", format.name(), quoted(name));
                let expected = "a name that is not registered yet";
                return Err(Error::new(Code::AmbiguousName, found, expected));
            }
        }
        Arc::make_mut(&mut self.rows).push(row);
        Ok(())
    }

    /// Takes the codec out that `format` calls `name`, and gives it back.
    pub fn unregister(&mut self, name: &str, format: Format) -> Option<&'static CodecRow> {
        let at = self.rows.iter().position(|row| row.names(format).contains(&name))?;
        Some(Arc::make_mut(&mut self.rows).remove(at))
    }

    /// The codecs in the order of their registration.
    pub fn rows(&self) -> impl Iterator<Item = &'static CodecRow> {
        self.rows.iter().copied()
    }

    /// The codec that `format` calls `name`.
    pub fn row(&self, name: &str, format: Format) -> Option<&'static CodecRow> {
        self.rows().find(|row| row.names(format).contains(&name))
    }

    /// The codec that is read where a document in `format` says `name`: V2 ids are read in V3 too.
    pub fn read_as(&self, name: &str, format: Format) -> Option<&'static CodecRow> {
        self.row(name, format).or_else(|| self.row(name, Format::V2))
    }

    /// The codec that `setup` describes.
    ///
    /// # Errors
    ///
    /// If nobody knows the name, or its configuration makes no sense.
    pub fn build(&self, setup: &Setup) -> Built {
        let name = setup.spec.name.as_str();
        let row = self.read_as(name, setup.format).ok_or_else(|| self.unknown(setup))?;
        let mut built = (row.build)(setup).map_err(|error| within(error, &setup.spec.field))?;
        built.notes.extend(row.name_note(setup.spec, setup.format));
        if let Some(member) = setup.unknown_member(row.members) {
            let text = format!(
                "The configuration of {} has the member {}, which zarrscope does not use for decoding; the \
                 registered schemas forbid members that they do not list.",
                quoted(name),
                quoted(member)
            );
            built.notes.push(Note::new(Code::UnknownCodecMember, text));
        }
        Ok(built)
    }

    fn unknown(&self, setup: &Setup) -> Error {
        let found = format!("the codec {}", setup.name());
        let same = |other: &&str| other.eq_ignore_ascii_case(setup.spec.name.trim());
        let error = if self.rows().any(|row| row.v3.iter().any(same) || row.v2.iter().any(same)) {
            let error = Error::new(Code::MisspelledCodec, found, "the name of a codec");
            error.with_fix("Codec names are case-sensitive.")
        } else {
            Error::new(Code::UnknownCodec, found, "a codec that zarrscope knows")
        };
        error.at(&setup.spec.field)
    }

    /// The codec whose output begins as `bytes` do, and what such bytes are called.
    pub fn recognise(&self, bytes: &[u8]) -> Option<(&'static CodecRow, &'static str)> {
        self.rows().find_map(|row| Some((row, row.signature.name(bytes)?)))
    }

    /// The format of bytes that are not what they should be, by how they begin.
    pub fn looks_like(&self, bytes: &[u8]) -> Option<&'static str> {
        let codec = || self.recognise(bytes).map(|(_, name)| name);
        crate::zarr::signature::foreign_format(bytes).or_else(codec)
    }

    /// The form of a V3 codec in V2, in an array of so many dimensions.
    pub fn in_v2(&self, spec: &CodecSpec, dimensions: usize) -> InV2 {
        match (spec.name.strip_prefix(NUMCODECS), self.row(&spec.name, Format::V3)) {
            (Some(id), _) => InV2::numcodecs(id, spec),
            (None, Some(row)) => (row.to_v2)(spec, dimensions),
            (None, None) => InV2::lost(spec),
        }
    }

    /// The form of a V2 codec in V3, for elements of `data_type`, and the side of the bytes on which it is there.
    ///
    /// # Errors
    ///
    /// A note on the loss, where V3 has nothing for it.
    pub fn in_v3(
        &self,
        spec: &CodecSpec,
        data_type: &dyn DataType,
    ) -> Result<(CodecKind, CodecSpec), Note> {
        match self.row(&spec.name, Format::V2) {
            Some(row) => Ok((row.kind, (row.to_v3)(spec, data_type)?)),
            None => lost_in_v3(spec, data_type).map(|codec| (CodecKind::BytesToBytes, codec)),
        }
    }

    /// The chunks inside the chunks of a V3 chain; `None` where it has no shards.
    pub fn inner(&self, specs: &[CodecSpec]) -> Option<InnerChunks> {
        specs.iter().find_map(|spec| Some(self.row(&spec.name, Format::V3)?.inner?(spec)))
    }

    /// The innermost chunks, where shards nest.
    pub fn innermost(&self, specs: &[CodecSpec]) -> Option<InnerChunks> {
        let mut inner = self.inner(specs)?;
        while let Some(next) = self.inner(&inner.codecs) {
            inner = InnerChunks { chunk_shape: next.chunk_shape.or(inner.chunk_shape), ..next };
        }
        Some(inner)
    }

    /// The byte order that a V3 chain declares, be it inside shards. The first `None`: no codec of it does. The second:
    /// the codec does not say (then little is a guess, and only where the data type has an order).
    pub fn declared_endian(&self, specs: &[CodecSpec]) -> Option<Option<Endian>> {
        specs.iter().find_map(|spec| (self.row(&spec.name, Format::V3)?.endian)(spec, self))
    }
}

/// The sources that a codec is built from.
#[derive(Debug, Clone, Copy)]
pub struct Setup<'a> {
    /// The codec as the document has it.
    pub spec: &'a CodecSpec,
    /// The format of the document.
    pub format: Format,
    /// The data types and codecs that the configuration may name: those of the array's hierarchy.
    pub registry: &'a Registry,
    /// The array as it is before the codec encodes it; `None` where data type or shape is not known.
    pub array: Option<&'a Representation>,
    /// The number of sharding codecs around this one.
    pub depth: usize,
}

/// Understands the configuration of a codec.
pub type Build = fn(&Setup) -> Built;

/// One codec in the registry.
///
/// ```
/// # use zarrscope::zarr::codec::{Built, CodecKind, CodecRow, Setup};
/// # fn build(_: &Setup) -> Built { unimplemented!() }
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
    /// The effect of the codec, in a sentence or two.
    pub lesson: &'static str,
    /// True if it is a compressor, which V2 has a place of its own for.
    pub compresses: bool,
    /// True if it replaces each value by its difference from the one before.
    pub is_difference: bool,
    /// True if it only adds a checksum to the bytes.
    pub is_checksum: bool,
    /// True if its output has a checksum of what it decodes to, whatever its configuration.
    pub has_checksum: bool,
    /// The members of the configuration that writers usually give it, in V2 and in V3, as JSON without braces; `SIZE`
    /// stands for the size of an element. For documents that a fix proposes: decoding needs none of them.
    pub usual: [&'static str; 2],
    /// The bytes of its output that decoding may keep beside the output, such as a window.
    pub keeps: u64,
    /// The nanoseconds that a byte of what it decodes to takes, about, in a release build: what may cost only so much,
    /// as a diagnosis, counts by it, so that it does the same on every machine.
    pub nanoseconds: u64,
    /// The Python package that numcodecs needs for it and does not bring along; zarr-python 3 does not either.
    pub package: Option<&'static str>,
    /// True if it leaves the bytes of elements as they are, or only puts dimensions in another order.
    pub is_raw: bool,
    /// True if a registry has its first V3 name.
    pub registered: bool,
    /// The byte order of the elements that it declares, be it by a codec that it holds: see
    /// [`Codecs::declared_endian`].
    pub endian: fn(&CodecSpec, &Codecs) -> Option<Option<Endian>>,
    /// True if V2 takes it for the object codec of a `|O`.
    pub object_codec: bool,
    /// The data type of the elements of a V2 `|O` that it made bytes of; `None` where that cannot be told.
    pub object_type: fn(&CodecSpec, &DataTypes) -> Option<Resolved>,
    /// The chunks inside its output, for codecs that have such.
    pub inner: Option<fn(&CodecSpec) -> InnerChunks>,
    /// The signature of its output.
    pub signature: Signature,
    /// The form in V3, for elements of the data type; the note tells the loss where there is none.
    pub to_v3: fn(&CodecSpec, &dyn DataType) -> Result<CodecSpec, Note>,
    /// The form in V2, in an array of so many dimensions.
    pub to_v2: fn(&CodecSpec, usize) -> InV2,
}

impl CodecRow {
    /// A codec without names, which neither format writes for the other's.
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
            is_checksum: false,
            has_checksum: false,
            is_difference: false,
            usual: ["", ""],
            keeps: 0,
            nanoseconds: 1,
            package: None,
            is_raw: false,
            registered: false,
            endian: |_, _| None,
            object_codec: false,
            object_type: |_, _| None,
            inner: None,
            signature: Signature::None,
            to_v3: numcodecs_in_v3,
            to_v2: |spec, _| InV2::lost(spec),
        }
    }

    /// True if `name` is the one that zarr-python gives to a codec of numcodecs in V3.
    pub fn is_of_numcodecs(&self, name: &str) -> bool {
        name.strip_prefix(NUMCODECS).is_some_and(|id| self.v2.contains(&id))
    }

    /// The note on the name of `spec` if it is not registered.
    fn name_note(&self, spec: &CodecSpec, format: Format) -> Option<Note> {
        let name = spec.name.as_str();
        if format == Format::V2 || self.registered && self.v3.first() == Some(&name) {
            return None;
        }
        let is_id = self.v2.contains(&name);
        let is_of_numcodecs = self.is_of_numcodecs(name);
        let name = quoted(name);
        if is_of_numcodecs {
            let python = match self.package {
                _ if spec.configuration.is_none() => {
                    "refuse the array, because the codec has no \"configuration\"".to_owned()
                }
                Some(package) => {
                    format!(
                        "refuse the array without the package {package}, which numcodecs needs for it"
                    )
                }
                None => "read it through numcodecs".to_owned(),
            };
            let text = format!(
                "{name} is not registered. zarr-python 3.1.6 and 3.4.2 {python}; TensorStore 0.1.86 and GDAL 3.12.2 \
                 refuse the array."
            );
            return Some(Note::new(Code::NumcodecsName, text));
        }
        if is_id {
            let text = format!(
                "{name} is not a registered V3 name; zarrscope reads it as the numcodecs codec of that id."
            );
            return Some(Note::new(Code::UnregisteredExtension, text));
        }
        (!self.registered).then(|| {
            let text = format!("{name} is not registered: other readers may not know it.");
            Note::new(Code::UnregisteredExtension, text)
        })
    }

    /// The members of the usual configuration in `format`.
    pub fn usual(&self, format: Format) -> &'static str {
        let [v2, v3] = self.usual;
        match format {
            Format::V2 => v2,
            Format::V3 => v3,
        }
    }

    /// The names in `format`.
    pub fn names(&self, format: Format) -> &'static [&'static str] {
        match format {
            Format::V2 => self.v2,
            Format::V3 => self.v3,
        }
    }
}

/// Bytes fewer than this prove nothing by decoding.
pub(super) const FEW: usize = 16;

/// The signature of a codec's output. The text names such bytes.
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
    /// The name of `bytes` that have this signature; a trial proves nothing.
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

/// Errors about a configuration know their field already; others get the codec's.
fn within(mut error: Error, field: &str) -> Error {
    error.place.field.get_or_insert_with(|| field.to_owned());
    error
}
