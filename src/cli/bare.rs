//! A chunk file without metadata: what the user says about it stands in for the documents.

use super::{
    dtype::EndianChoice,
    open::{OpenedArray, open_array},
};
use crate::zarr::{
    ArrayMetadata, DataType, Endian, Error, Format, Hierarchy, Json, NodePath, Registry, Result,
    chunk::ChunkId,
    codec::DEFAULT_LIMIT,
    data_type::ItemSize,
    metadata::{RawDocument, v2, v3},
    spelling::typed::{Typed, Wanted},
    store::{Entry, Stat, Store},
    text::safe,
};
use clap::Args;
use serde_json::{Value, json};
use std::{
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
};

/// What the user says about a chunk file.
#[derive(Debug, Args)]
pub(super) struct Description {
    /// The data type of a chunk file without metadata; as for `dtype`
    #[arg(long, value_name = "SPEC", allow_hyphen_values = true)]
    pub(super) dtype: Option<String>,
    /// The byte order, where SPEC has none
    #[arg(
        long,
        value_enum,
        requires = "dtype",
        value_name = "little|big",
        hide_possible_values = true
    )]
    pub(super) endian: Option<EndianChoice>,
    /// Its codecs: V3 `codecs`, or V2 filters with the compressor last; only the bytes themselves without it
    #[arg(long, value_name = "JSON", requires = "dtype")]
    pub(super) codecs: Option<String>,
}

impl Description {
    /// Whether the data type was given with its byte order.
    pub(super) fn declares_order(&self) -> bool {
        self.endian.is_some() || self.dtype.as_deref().is_some_and(|spec| spec.contains(['<', '>']))
    }

    /// The array at `path` or around it; where a data type was given, the chunk file at `path` as an array of one chunk
    /// of `shape`, or of as many elements as its length gives.
    ///
    /// # Errors
    ///
    /// Where there is none, the file cannot be read, or what is said about it makes no array.
    pub(super) fn open(&self, path: &Path, shape: Option<&[u64]>) -> Result<OpenedArray> {
        let Some(spec) = &self.dtype else { return open_array(path) };
        let store = OneFile::open(path)?;
        let registry = Arc::new(Registry::default());
        let typed = self.typed(spec, &registry)?;
        let shape = match shape {
            Some(shape) => shape.to_vec(),
            None => store.shape(typed.resolved.data_type.as_ref())?,
        };
        let codecs = self.codecs.as_deref().map(read_codecs).transpose()?;
        let metadata = match typed.format {
            Format::V2 => v2_metadata(&typed, &shape, codecs, &registry),
            Format::V3 => v3_metadata(&typed, &shape, codecs, &registry)?,
        };
        Ok(OpenedArray {
            hierarchy: Hierarchy::new(Arc::new(store), registry),
            path: NodePath::default(),
            metadata: Arc::new(metadata),
            chunk: Some(ChunkId { coordinates: vec![0; shape.len()], inner: Vec::new() }),
            name: safe(&path.display().to_string()).into_owned(),
        })
    }

    fn typed(&self, spec: &str, registry: &Registry) -> Result<Typed> {
        // The object codec of a V2 |O is among the codecs.
        let codecs = self.codecs.as_deref().map(read_codecs).transpose()?.unwrap_or_default();
        let ids = codecs.iter().filter_map(|codec| codec.get("id").and_then(Value::as_str));
        let object_codec =
            ids.into_iter().find(|id| spec.contains("|O") && id.starts_with("vlen-"));
        Wanted { text: spec, object_codec, format: None, endian: self.endian.map(Endian::from) }
            .resolve(registry)
            .map_err(|error| error.at("--dtype"))
    }
}

fn read_codecs(text: &str) -> Result<Vec<Value>> {
    let json = Json::parse_str(text).map_err(|error| error.at("--codecs"))?;
    match json.to_value() {
        Value::Array(codecs) => Ok(codecs),
        Value::Null => Ok(Vec::new()),
        one => Ok(vec![one]),
    }
}

fn document(key: &str, value: &Value) -> RawDocument {
    RawDocument::new(key, value.to_string().into_bytes())
}

fn v2_metadata(
    typed: &Typed,
    shape: &[u64],
    codecs: Option<Vec<Value>>,
    registry: &Registry,
) -> ArrayMetadata {
    let mut filters = codecs.unwrap_or_default();
    let is_object_codec = |codec: &Value| {
        codec.get("id").and_then(Value::as_str).is_some_and(|id| id.starts_with("vlen-"))
    };
    let compressor = filters.pop_if(|last| !is_object_codec(last));
    let value = json!({
        "zarr_format": 2, "shape": shape, "chunks": shape, "dtype": typed.json.to_value(),
        "order": "C", "fill_value": null, "compressor": compressor,
        "filters": if filters.is_empty() { Value::Null } else { filters.into() },
    });
    v2::array(document(".zarray", &value), None, registry)
}

fn v3_metadata(
    typed: &Typed,
    shape: &[u64],
    codecs: Option<Vec<Value>>,
    registry: &Registry,
) -> Result<ArrayMetadata> {
    let data_type = &typed.resolved.data_type;
    let unsayable =
        |note: crate::zarr::Note| Error::new(note.code, note.text, "a V3 data type").at("--dtype");
    let order = &typed.resolved.order;
    let fill = data_type
        .fill_to_json(&data_type.default_scalar(), Format::V3, order)
        .map_err(unsayable)?;
    let codecs = codecs.unwrap_or_else(|| vec![plain_codec(typed)]);
    let value = json!({
        "zarr_format": 3, "node_type": "array", "shape": shape, "data_type": data_type.to_v3().map_err(unsayable)?,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": shape}},
        "chunk_key_encoding": {"name": "default"}, "fill_value": fill, "codecs": codecs,
    });
    Ok(v3::array(document("zarr.json", &value), registry))
}

/// The codec that does nothing but lay elements out.
fn plain_codec(typed: &Typed) -> Value {
    let data_type = &typed.resolved.data_type;
    match (data_type.item_size(), typed.resolved.order.uniform()) {
        (ItemSize::Variable, _) if data_type.kind() == "VariableLengthBytes" => {
            json!({"name": "vlen-bytes"})
        }
        (ItemSize::Variable, _) => json!({"name": "vlen-utf8"}),
        (_, Some(endian)) => json!({"name": "bytes", "configuration": {"endian": endian.word()}}),
        (_, None) => json!({"name": "bytes"}),
    }
}

/// A store in which one file lies under every key.
#[derive(Debug)]
struct OneFile {
    folder: Arc<dyn Store>,
    file: String,
    path: PathBuf,
}

impl OneFile {
    fn open(path: &Path) -> Result<Self> {
        let name = path.display().to_string();
        let canonical = path.canonicalize().map_err(|error| Error::io(&name, &error))?;
        let file = canonical.file_name().and_then(|file| file.to_str());
        let (Some(folder), Some(file), true) = (canonical.parent(), file, canonical.is_file())
        else {
            return Err(Error::new("not-a-file", "no file", "a chunk file").in_file(name));
        };
        let folder = crate::zarr::store::open(folder)?;
        Ok(Self { folder, file: file.to_owned(), path: path.to_owned() })
    }

    /// As many elements as the file's length gives.
    fn shape(&self, data_type: &dyn DataType) -> Result<Vec<u64>> {
        let len = self.stat("")?.map_or(0, |stat| stat.len);
        let Some(size) = data_type.item_size().fixed() else {
            return Err(Error::new(
                "shape-unknown",
                "elements of varying length",
                "--shape beside --dtype",
            ));
        };
        Ok(vec![len / size as u64])
    }
}

impl Store for OneFile {
    fn read(&self, _: &str, limit: u64) -> Result<Option<Vec<u8>>> {
        self.folder.read(&self.file, limit.max(DEFAULT_LIMIT))
    }

    fn read_range(&self, _: &str, range: Range<u64>) -> Result<Option<Vec<u8>>> {
        self.folder.read_range(&self.file, range)
    }

    fn stat(&self, _: &str) -> Result<Option<Stat>> {
        self.folder.stat(&self.file)
    }

    fn list(&self, _: &str) -> Result<Vec<Entry>> {
        Ok(Vec::new())
    }

    fn path(&self, _: &str) -> Option<PathBuf> {
        self.folder.path(&self.file)
    }

    fn name(&self) -> String {
        self.path.display().to_string()
    }
}
