//! A store in memory that counts what is read of it, and one array in it.

use std::{
    collections::BTreeMap,
    ops::Range,
    sync::{Arc, Mutex},
};
use zarrscope::zarr::{
    ArrayMetadata, Budget, Hierarchy, NodePath, Registry, Result,
    chunk::{self, Chunk, Stage},
    codec::Element,
    grid::ChunkId,
    hierarchy::NodeKind,
    store::{Entry, Stat, Store},
};

/// Keys and bytes.
#[derive(Debug, Default)]
pub(super) struct Memory {
    pub(super) files: BTreeMap<String, Vec<u8>>,
    /// Length of every range that was read.
    pub(super) reads: Mutex<Vec<u64>>,
}

impl Store for Memory {
    fn read(&self, key: &str, _: u64) -> Result<Option<Vec<u8>>> {
        Ok(self.files.get(key).cloned())
    }

    fn read_range(&self, key: &str, range: Range<u64>) -> Result<Option<Vec<u8>>> {
        self.reads.lock().unwrap().push(range.end - range.start);
        let cut = |bytes: &Vec<u8>| {
            let to = |at: u64| usize::try_from(at).unwrap_or(usize::MAX).min(bytes.len());
            bytes[to(range.start)..to(range.end)].to_vec()
        };
        Ok(self.files.get(key).map(cut))
    }

    fn stat(&self, key: &str) -> Result<Option<Stat>> {
        Ok(self.files.get(key).map(|bytes| Stat {
            len: bytes.len() as u64,
            modified: None,
            etag: None,
        }))
    }

    fn list(&self, prefix: &str) -> Result<Vec<Entry>> {
        assert_eq!(prefix, "", "one array at the root is all there is");
        let name = |key: &String| Entry { name: key.clone(), is_folder: false, is_link: false };
        Ok(self.files.keys().filter(|key| !key.contains('/')).map(name).collect())
    }

    fn name(&self) -> String {
        "memory".into()
    }
}

/// An array at the root of a store in memory.
pub(super) struct InMemory {
    pub(super) store: Arc<Memory>,
    pub(super) array: Arc<ArrayMetadata>,
}

impl InMemory {
    /// A V3 array of `data_type` with `shape` in chunks of `chunks`, encoded by `codecs`; `files` are its chunks.
    pub(super) fn v3(
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
    pub(super) fn new(key: &str, text: String, files: &[(&str, Vec<u8>)]) -> Self {
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

    pub(super) fn load(&self, coordinates: &[u64], inner: &[&[u64]]) -> Chunk {
        let budget = Budget::default().with_limit(1 << 20);
        self.load_with(coordinates, inner, 0, &budget)
    }

    pub(super) fn load_with(
        &self,
        coordinates: &[u64],
        inner: &[&[u64]],
        around: u64,
        budget: &Budget<'_>,
    ) -> Chunk {
        let inner = inner.iter().map(|at| at.to_vec()).collect();
        let id = ChunkId { coordinates: coordinates.to_vec(), inner };
        self.store.reads.lock().unwrap().clear();
        chunk::load(self.store.as_ref(), &NodePath::default(), &self.array, &id, around, budget)
    }
}

/// A chunk as a stage strip, for snapshots.
pub(super) fn strip(chunk: &Chunk) -> String {
    let mut lines = vec![format!("{} {:?} of {:?}", chunk.key, chunk.shape, chunk.region)];
    if chunk.is_missing() {
        lines.push("  missing".into());
    }
    lines.extend(chunk.stages.iter().flat_map(stage));
    lines.extend(chunk.error.iter().map(|error| format!("  ERROR {} {error}", error.code)));
    if let Some(elements) = chunk.elements() {
        let value = |element: Element| element.value.unwrap().to_string();
        let values: Vec<_> = elements.elements(0..12).map(value).collect();
        lines.push(format!("= {}", values.join(" ")));
    }
    lines.join("\n") + "\n"
}

fn stage(stage: &Stage) -> Vec<String> {
    let output = match &stage.output {
        Some(data) => format!("{} bytes", data.len()),
        None => "nothing".into(),
    };
    let mut lines = vec![format!("{}: {} → {output}", stage.name, stage.input_len)];
    lines.extend(stage.header.iter().map(|field| {
        let problem = match &field.problem {
            Some(text) => format!("  ✗ {text}"),
            None => String::new(),
        };
        let Range { start, end } = field.bytes;
        format!("    {start}..{end} {}: {}{problem}", field.name, field.value)
    }));
    lines.extend(stage.checksum.iter().map(|sum| {
        let verdict = if sum.agrees() { "agrees" } else { "DIFFERS" };
        format!("    {} {:08x} {:08x} {verdict}", sum.algorithm, sum.stored, sum.computed)
    }));
    if stage.blocks.len() > 1 {
        let sides =
            stage.blocks.iter().map(|block| format!("{:?}→{:?}", block.input, block.output));
        lines.push(format!("    blocks {}", sides.collect::<Vec<_>>().join(" ")));
    }
    lines.extend(stage.notes.iter().map(|note| format!("    note {}: {}", note.code, note.text)));
    lines.extend(stage.error.iter().map(|error| format!("    ERROR {} {error}", error.code)));
    lines
}
