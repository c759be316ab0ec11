//! The sources of inputs: the nodes of the sample stores and the corpus, the stores on the pages of findings (which have the
//! conventions), archives, lessons.

use super::damage::{files, nodes};
use crate::page_blocks::blocks;
use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    sync::{Arc, LazyLock},
};
use zarrscope::{
    tui::Options,
    zarr::{Budget, Hierarchy, Registry, budget::Memory, store::MemoryStore},
};

/// The memory that an input may take for decoded data: what a user would grant.
const MOST_MEMORY: u64 = 128 << 20;
/// The most bytes that one codec may give.
pub(crate) const MOST_DECODED: u64 = 64 << 20;

static MEMORY: LazyLock<Arc<Memory>> = LazyLock::new(|| Arc::new(Memory::new(MOST_MEMORY)));

/// The files of a node, by key.
pub(crate) type Stored = BTreeMap<String, Vec<u8>>;

/// Everything that inputs are made of.
pub(crate) struct Sources {
    /// The folders of small nodes, and archives.
    pub(crate) nodes: Vec<PathBuf>,
    /// The files of those of them that are small and no archives, and of the stores on pages.
    pub(crate) stored: Vec<Stored>,
    /// The small archives.
    pub(crate) archives: Vec<Vec<u8>>,
    /// The lessons of the program, and those of the screenshots.
    pub(crate) lessons: Vec<String>,
    /// Runs a command of the program with these arguments, and gives what it prints. It panics where the command does.
    pub(crate) command: fn(&[String]) -> Vec<u8>,
}

impl Sources {
    pub(crate) fn new(command: fn(&[String]) -> Vec<u8>) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let texts = |folder: &str, ending: &str| -> Vec<_> {
            let all = files(&root.join(folder)).into_iter();
            let wanted = all.filter(|path| path.extension().is_some_and(|it| it == ending));
            wanted.map(|path| fs::read_to_string(path).unwrap()).collect()
        };
        let nodes = nodes();
        let archives = nodes.iter().filter(|node| node.is_file());
        let archives = archives.map(|path| fs::read(path).unwrap());
        Self {
            stored: [in_memory(&nodes), on_pages(&texts("src/findings", "md"))].concat(),
            archives: archives.filter(|bytes| bytes.len() < 1 << 16).collect(),
            nodes,
            lessons: [texts("screenshots", "keys"), texts("src/lessons", "txt")].concat(),
            command,
        }
    }
}

/// The files of those of `nodes` that are small and no archives.
fn in_memory(nodes: &[PathBuf]) -> Vec<Stored> {
    let read = |node: &PathBuf| -> Stored {
        let key = |file: &Path| file.strip_prefix(node).unwrap().to_str().unwrap().to_owned();
        files(node).iter().map(|file| (key(file), fs::read(file).unwrap())).collect()
    };
    let small = |files: &Stored| files.values().map(Vec::len).sum::<usize>() < 1 << 14;
    nodes.iter().filter(|node| node.is_dir()).map(read).filter(small).collect()
}

/// The files of the stores on `pages`: what stands before the commands.
fn on_pages(pages: &[String]) -> Vec<Stored> {
    let of_page = |page: &String| -> Stored {
        let files = blocks(page).into_iter().take_while(|block| block.language != "console");
        let files = files.filter(|block| !block.file.is_empty() && !block.text.starts_with("-> "));
        files.map(|block| (block.file.clone(), block.bytes())).collect()
    };
    pages.iter().map(of_page).filter(|files| !files.is_empty()).collect()
}

/// A store in memory with these files; they are also written into the new folder `ZARRSCOPE_DUMP`, if that is set, to
/// be looked at.
pub(crate) fn opened(files: Stored) -> Hierarchy {
    if let Ok(folder) = env::var("ZARRSCOPE_DUMP") {
        for (key, bytes) in &files {
            let path = Path::new(&folder).join(key);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
    }
    let mut store = MemoryStore::new("memory");
    for (key, bytes) in files {
        store.insert(key, bytes);
    }
    Hierarchy::new(Arc::new(store), Arc::new(Registry::default()))
}

/// The limits that every input has.
pub(crate) fn budget() -> Budget<'static> {
    Budget::default().with_limit(MOST_DECODED).with_memory(&**MEMORY)
}

/// The options of the inspector with these limits.
pub(crate) fn options() -> Options {
    Options { limit: MOST_DECODED, memory: Arc::clone(&MEMORY), ..Options::default() }
}

/// The options of a command with these limits.
pub(crate) fn limits() -> [String; 4] {
    ["--max-decoded", &MOST_DECODED.to_string(), "--max-memory", &MOST_MEMORY.to_string()]
        .map(str::to_owned)
}
