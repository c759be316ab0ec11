//! A chunk file without metadata: what the user says about it, and what it says of itself, stand in for the documents.

use super::{
    dtype::EndianChoice,
    open::{OpenedArray, open_array},
};
use crate::zarr::{
    ArrayMetadata, DataTypes, Endian, Error, Format, Hierarchy, Json, NodePath, Registry, Result,
    grid::ChunkId,
    hierarchy::Target,
    json::Kind,
    metadata::{RawDocument, v2, v3},
    spelling::typed::{Typed, Wanted},
    text::safe,
};
use clap::Args;
use lone_file::LoneFile;
use std::{path::Path, sync::Arc};

mod document;
pub(super) mod hint;
mod lone_file;

/// What the user says about a chunk file.
#[derive(Debug, Clone, Default, Args)]
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
    /// Its codecs: V3 `codecs`, or V2 filters with the compressor last; without it, those that the bytes announce
    #[arg(long, value_name = "JSON", requires = "dtype")]
    pub(super) codecs: Option<String>,
    /// How many elements it has along each dimension; without it, one dimension of all there are
    #[arg(long, value_name = "N,M", value_delimiter = ',', requires = "dtype")]
    pub(super) shape: Option<Vec<u64>>,
}

impl Description {
    /// Whether the data type was given with its byte order.
    pub(super) fn declares_order(&self) -> bool {
        self.endian.is_some() || self.dtype.as_deref().is_some_and(|spec| spec.contains(['<', '>']))
    }

    /// The array at `path` or around it; where a data type was given, the chunk file at `path` as an array of one chunk
    /// of the shape that was given, or of as many elements as there are.
    ///
    /// # Errors
    ///
    /// Where there is none, the file cannot be read, or what is said about it makes no array.
    pub(super) fn open(&self, path: &Path) -> Result<OpenedArray> {
        let Some(spec) = &self.dtype else { return open_array(path) };
        let (hierarchy, metadata, chunk) = self.made_up(spec, path)?;
        Ok(OpenedArray {
            hierarchy,
            path: NodePath::default(),
            metadata: Arc::new(metadata),
            chunk: Some(chunk),
            name: safe(&path.display().to_string()).into_owned(),
        })
    }

    /// The same as a store, for the inspector; `None` where no data type was given, so that the path has to speak for
    /// itself.
    ///
    /// # Errors
    ///
    /// As [`Self::open`].
    pub(super) fn store(&self, path: &Path) -> Result<Option<(Hierarchy, Target)>> {
        let Some(spec) = &self.dtype else { return Ok(None) };
        let (hierarchy, _, chunk) = self.made_up(spec, path)?;
        Ok(Some((hierarchy, Target { node: NodePath::default(), chunk: Some(chunk) })))
    }

    fn made_up(&self, spec: &str, path: &Path) -> Result<(Hierarchy, ArrayMetadata, ChunkId)> {
        let mut store = LoneFile::open(path)?;
        let registry = Arc::new(Registry::default());
        let typed = self.typed(spec, &registry.data_types)?;
        let announced = store.wrapping(&registry);
        let shape = match &self.shape {
            Some(shape) => shape.clone(),
            None => store.shape(typed.resolved.data_type.as_ref(), announced.as_ref())?,
        };
        let said = self.codecs.as_deref().map(read_codecs).transpose()?;
        let document = match typed.format {
            Format::V2 => document::v2(&typed, &shape, said, announced.as_ref()),
            Format::V3 => document::v3(&typed, &shape, said, announced.as_ref())?,
        };
        let raw = |key: &str| RawDocument::new(key, document.clone());
        let metadata = match typed.format {
            Format::V2 => v2::array(raw(".zarray"), None, &registry),
            Format::V3 => v3::array(raw("zarr.json"), &registry),
        };
        let coordinates = vec![0; shape.len()];
        let key = metadata.key_encoding.as_ref().map_err(Clone::clone)?.key(&coordinates);
        store.serve(typed.format, document, key);
        let chunk = ChunkId { coordinates, inner: Vec::new() };
        Ok((Hierarchy::new(Arc::new(store), registry), metadata, chunk))
    }

    fn typed(&self, spec: &str, registry: &DataTypes) -> Result<Typed> {
        // The object codec of a V2 |O is among the codecs.
        let codecs = self.codecs.as_deref().map(read_codecs).transpose()?.unwrap_or_default();
        let ids = codecs.iter().filter_map(|codec| codec.get("id").and_then(Json::as_str));
        let object_codec =
            ids.into_iter().find(|id| spec.contains("|O") && document::is_object_codec(id));
        let unknown = |error: Error| {
            let fix = error.fix.is_none().then_some("`zarrscope dtype` lists every data type.");
            let error = error.at("--dtype");
            match fix {
                Some(fix) => error.with_fix(fix),
                None => error,
            }
        };
        Wanted { text: spec, object_codec, format: None, endian: self.endian.map(Endian::from) }
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
