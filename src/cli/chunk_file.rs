//! A chunk file without metadata: what the user says about it, and what it says of itself, stand in for the documents.

use super::dtype::EndianChoice;
use super::open::array_of;
use super::prelude::*;
use crate::zarr::{codec::serializer, hierarchy::Target, spelling::typed::Typed};
use lone_file::LoneFile;

pub(super) mod hint;
mod lone_file;

/// An attribute of the made-up document, so that nobody takes it for a stored one.
const MADE_UP: &str = "there is no metadata: zarrscope made this document from the command line";

/// The description of a chunk file on the command line.
#[derive(Debug, Clone, Default, Args)]
pub(super) struct FileDescription {
    /// The data type of a chunk file without metadata; as for `dtype`
    #[arg(long, value_name = "SPEC", allow_hyphen_values = true)]
    pub(super) dtype: Option<String>,
    /// The byte order, if SPEC does not include one
    #[arg(
        long,
        value_enum,
        requires = "dtype",
        value_name = "little|big",
        hide_possible_values = true
    )]
    pub(super) endian: Option<EndianChoice>,
    /// The codecs: V3 `codecs`, or V2 filters with the compressor last [default: detected from the bytes]
    #[arg(long, value_name = "JSON", requires = "dtype")]
    pub(super) codecs: Option<String>,
    /// The shape [default: one dimension of all elements]
    #[arg(long, value_name = "N,M", value_delimiter = ',', requires = "dtype")]
    pub(super) shape: Option<Vec<u64>>,
}

impl FileDescription {
    /// True if the byte order was given.
    pub(super) fn declares_order(&self) -> bool {
        self.endian.is_some() || self.dtype.as_deref().is_some_and(|spec| spec.contains(['<', '>']))
    }

    /// The array at `path` or around it, read as `read_as` says; where a data type was given, the chunk file at `path` as an array of one chunk
    /// of the shape that was given, or of as many elements as there are.
    ///
    /// # Errors
    ///
    /// If there is none, the file cannot be read, or what is said about it makes no array.
    pub(super) fn open(&self, path: &Path, read_as: &ReadAsFlags) -> Result<OpenedArray> {
        if self.dtype.is_some() && read_as.is_set() {
            let expected = "one of them: --dtype describes a file that has no metadata";
            return Err(Error::new(Code::InvalidArgument, "both --dtype and --as", expected));
        }
        match self.store(path)? {
            Some((hierarchy, target)) => array_of(Opened::new(hierarchy, target, path)),
            None => read_as.open_array(path),
        }
    }

    /// The same as a store, for the inspector; `None` where no data type was given, so that the path has to speak for
    /// itself.
    ///
    /// # Errors
    ///
    /// As [`Self::open`].
    pub(super) fn store(&self, path: &Path) -> Result<Option<(Hierarchy, Target)>> {
        let Some(spec) = &self.dtype else { return Ok(None) };
        let mut store = LoneFile::open(path)?;
        let registry = Arc::new(Registry::default());
        let said = self.codecs.as_deref().map(read_codecs).transpose()?;
        let typed = self.typed(spec, said.as_deref().unwrap_or_default(), &registry.data_types)?;
        let announced = store.wrapping(&registry);
        let shape = match &self.shape {
            Some(shape) => shape.clone(),
            None => store.shape(typed.resolved.data_type.as_ref(), announced.as_ref())?,
        };
        let (key, document, encoding) = match typed.format {
            Format::V2 => {
                let document = v2_document(&typed, &shape, said, announced.as_ref());
                (".zarray", document, KeyEncoding::V2 { separator: '.' })
            }
            Format::V3 => {
                let document = v3_document(&typed, &shape, said, announced.as_ref())?;
                ("zarr.json", document, KeyEncoding::Default { separator: '/' })
            }
        };
        let coordinates = vec![0; shape.len()];
        store.serve(key, document, encoding.key(&coordinates));
        let target = Target { node: NodePath::default(), chunk: Some(ChunkId::at(coordinates)) };
        Ok(Some((Hierarchy::new(Arc::new(store), registry), target)))
    }

    fn typed(&self, spec: &str, codecs: &[Json], registry: &DataTypes) -> Result<Typed> {
        // The object codec of a V2 |O is among the codecs.
        let ids = codecs.iter().filter_map(|codec| codec.get_str("id"));
        let object_codec = ids.into_iter().find(|id| spec.contains("|O") && is_object_codec(id));
        let unknown = |error: Error| {
            let fix = error.fix.is_none().then_some("`zarrscope dtype` lists every data type.");
            let error = error.at("--dtype");
            match fix {
                Some(fix) => error.with_fix(fix),
                None => error,
            }
        };
        WantedType { text: spec, object_codec, format: None, endian: self.endian.map(Endian::from) }
            .resolve(registry)
            .map_err(unknown)
    }
}

fn read_codecs(text: &str) -> Result<Vec<Json>> {
    let json = Json::parse_str(text).map_err(|error| error.at("--codecs"))?;
    Ok(match json.kind {
        Kind::Array(codecs) => codecs,
        Kind::Null => Vec::new(),
        kind => vec![Json::made(kind)],
    })
}

/// A V2 document, of `said` codecs with the compressor last, or of the `announced` ones.
fn v2_document(
    typed: &Typed,
    shape: &[u64],
    said: Option<Vec<Json>>,
    announced: Option<&Wrapping>,
) -> Vec<u8> {
    let ids = announced.into_iter().flat_map(|wrapping| wrapping.names(Format::V2));
    let mut filters = said.unwrap_or_else(|| ids.map(|id| object! {"id": id}).collect());
    let is_object = |codec: &Json| codec.get_str("id").is_some_and(is_object_codec);
    let compressor = filters.pop_if(|last| !is_object(last));
    let value = object! {
        "zarr_format": 2, "shape": shape, "chunks": shape, "dtype": &typed.json,
        "order": "C", "fill_value": Json::NULL, "compressor": compressor,
        "filters": if filters.is_empty() { Json::NULL } else { filters.into() },
    };
    value.to_string().into_bytes()
}

/// A V3 document, of `said` codecs, or of the `announced` ones around the elements themselves.
fn v3_document(
    typed: &Typed,
    shape: &[u64],
    said: Option<Vec<Json>>,
    announced: Option<&Wrapping>,
) -> Result<Vec<u8>> {
    let data_type = &typed.resolved.data_type;
    let unsayable = |note: Note| Error::new(note.code, note.text, "a V3 data type").at("--dtype");
    let order = &typed.resolved.order;
    let fill = data_type
        .fill_to_json(&data_type.default_scalar(), Format::V3, order)
        .map_err(unsayable)?;
    let names = announced.into_iter().flat_map(|wrapping| wrapping.names(Format::V3));
    let plain = serializer(data_type.as_ref(), order);
    let around = || names.map(|name| object! {"name": name});
    let codecs = said.unwrap_or_else(|| std::iter::once(plain.to_v3()).chain(around()).collect());
    let value = object! {
        "zarr_format": 3, "node_type": "array", "shape": shape, "data_type": data_type.to_v3().map_err(unsayable)?,
        "chunk_grid": object! {"name": "regular", "configuration": object! {"chunk_shape": shape}},
        "chunk_key_encoding": object! {"name": "default"}, "fill_value": fill, "codecs": codecs,
        "attributes": object! {"note": MADE_UP},
    };
    Ok(value.to_string().into_bytes())
}

/// True if V2 takes the codec for one that makes bytes of objects.
fn is_object_codec(id: &str) -> bool {
    Codecs::default().row(id, Format::V2).is_some_and(|row| row.object_codec)
}
