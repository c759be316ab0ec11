//! A store in memory that counts what is read of it, and one array in it.

use std::{
    collections::BTreeMap,
    ops::Range,
    sync::{Arc, Mutex},
};
use zarrscope::zarr::{
    ArrayMetadata, Hierarchy, NodePath, Registry, Result,
    chunk::{self, Chunk, ChunkId, Options},
    hierarchy::NodeKind,
    store::{Entry, Stat, Store},
};

/// Keys and bytes.
#[derive(Debug, Default)]
pub struct Memory {
    pub files: BTreeMap<String, Vec<u8>>,
    /// Length of every range that was read.
    pub reads: Mutex<Vec<u64>>,
}

impl Store for Memory {
    fn read(&self, key: &str, _: u64) -> Result<Option<Vec<u8>>> {
        Ok(self.files.get(key).cloned())
    }

    fn read_range(&self, key: &str, range: Range<u64>) -> Result<Option<Vec<u8>>> {
        self.reads.lock().unwrap().push(range.end - range.start);
        let cut = |bytes: &Vec<u8>| {
            let end = (range.end as usize).min(bytes.len());
            bytes.get(range.start as usize..end).unwrap_or_default().to_vec()
        };
        Ok(self.files.get(key).map(cut))
    }

    fn stat(&self, key: &str) -> Result<Option<Stat>> {
        Ok(self.files.get(key).map(|bytes| Stat { len: bytes.len() as u64, modified: None }))
    }

    fn list(&self, prefix: &str) -> Result<Vec<Entry>> {
        assert_eq!(prefix, "", "one array at the root is all there is");
        let name = |key: &String| Entry { name: key.clone(), is_folder: false };
        Ok(self.files.keys().filter(|key| !key.contains('/')).map(name).collect())
    }

    fn name(&self) -> String {
        "memory".into()
    }
}

/// An array at the root of a store in memory.
pub struct InMemory {
    pub store: Arc<Memory>,
    pub array: Arc<ArrayMetadata>,
}

impl InMemory {
    /// A V3 array of `data_type` with `shape` in chunks of `chunks`, encoded by `codecs`; `files` are its chunks.
    pub fn v3(
        data_type: &str,
        shape: &[u64],
        chunks: &[u64],
        codecs: &str,
        files: &[(&str, Vec<u8>)],
    ) -> Self {
        let document = format!(
            r#"{{"zarr_format":3,"node_type":"array","shape":{shape:?},"data_type":{data_type},
            "chunk_grid":{{"name":"regular","configuration":{{"chunk_shape":{chunks:?}}}}},
            "chunk_key_encoding":{{"name":"default"}},"fill_value":0,"codecs":{codecs}}}"#
        );
        Self::new("zarr.json", document, files)
    }

    /// An array with the document `text` under `key`.
    pub fn new(key: &str, text: String, files: &[(&str, Vec<u8>)]) -> Self {
        let mut store = Memory::default();
        store.files.insert(key.into(), text.into_bytes());
        for (key, bytes) in files {
            store.files.insert((*key).into(), bytes.clone());
        }
        let store = Arc::new(store);
        let shared: Arc<dyn Store> = Arc::<Memory>::clone(&store);
        let hierarchy = Hierarchy::new(shared, Arc::new(Registry::default()));
        let NodeKind::Array(array) = hierarchy.node(&NodePath::default()).kind else {
            panic!("no array: {:?}", hierarchy.node(&NodePath::default()));
        };
        Self { store, array }
    }

    pub fn load(&self, coordinates: &[u64], inner: &[&[u64]]) -> Chunk {
        let options =
            Options { limit: 1 << 20, around: 0, ignore_checksums: false, stop: &|| false };
        self.load_with(coordinates, inner, &options)
    }

    pub fn load_with(&self, coordinates: &[u64], inner: &[&[u64]], options: &Options<'_>) -> Chunk {
        let inner = inner.iter().map(|at| at.to_vec()).collect();
        let id = ChunkId { coordinates: coordinates.to_vec(), inner };
        self.store.reads.lock().unwrap().clear();
        chunk::load(self.store.as_ref(), &NodePath::default(), &self.array, &id, options)
    }
}

/// A chunk as a stage strip, for snapshots.
pub fn strip(chunk: &Chunk) -> String {
    let mut out = format!("{} {:?} of {:?}\n", chunk.key, chunk.shape, chunk.region);
    if chunk.is_missing() {
        out += "  missing\n";
    }
    for stage in &chunk.stages {
        let output =
            stage.output.as_ref().map_or("nothing".into(), |data| format!("{} bytes", data.len()));
        out += &format!("{}: {} → {output}\n", stage.name, stage.input_len);
        for field in &stage.header {
            let problem =
                field.problem.as_ref().map_or(String::new(), |text| format!("  ✗ {text}"));
            out += &format!(
                "    {}..{} {}: {}{problem}\n",
                field.bytes.start, field.bytes.end, field.name, field.value
            );
        }
        if let Some(sum) = &stage.checksum {
            let verdict = if sum.agrees() { "agrees" } else { "DIFFERS" };
            out += &format!(
                "    {} {:08x} {:08x} {verdict}\n",
                sum.algorithm, sum.stored, sum.computed
            );
        }
        if stage.blocks.len() > 1 {
            let sides =
                stage.blocks.iter().map(|block| format!("{:?}→{:?}", block.input, block.output));
            out += &format!("    blocks {}\n", sides.collect::<Vec<_>>().join(" "));
        }
        for note in &stage.notes {
            out += &format!("    note {}: {}\n", note.code, note.text);
        }
        if let Some(error) = &stage.error {
            out += &format!("    ERROR {} {error}\n", error.code);
        }
    }
    if let Some(error) = &chunk.error {
        out += &format!("  ERROR {} {error}\n", error.code);
    }
    if let Some(elements) = chunk.elements() {
        let values: Vec<_> = elements
            .elements(0..12)
            .map(|e| match e.value {
                Ok(value) => value.to_string(),
                Err(error) => error.to_string(),
            })
            .collect();
        out += &format!("= {}\n", values.join(" "));
    }
    out
}
