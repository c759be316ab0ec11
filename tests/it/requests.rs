//! The questions that a store far away is asked: few, and none of them twice.

use crate::keys::stores;
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::{Bound, Range},
    path::Path,
    sync::{Arc, Mutex},
};
use zarrscope::zarr::{
    Budget, Code, Error, Hierarchy, NodePath, Registry, Result,
    check::{CheckOptions, ChunkScope, Event, Summary, check},
    chunk,
    grid::ChunkId,
    presence::Layout,
    store::{CachedStore, Entry, ListingPage, PageRequest, Stat, Store},
};

/// A store as an object store is, which takes down what it is asked.
#[derive(Debug, Default)]
struct Far {
    files: BTreeMap<String, Vec<u8>>,
    /// The most keys of a page; 0 for a store that lists nothing.
    per_page: usize,
    asked: Mutex<Vec<String>>,
    /// The number of those that several were asked together.
    together: Mutex<usize>,
}

impl Far {
    fn of(folder: &Path, per_page: usize) -> Self {
        let mut store = Self { per_page, ..Self::default() };
        store.take(folder, "");
        store
    }

    fn take(&mut self, folder: &Path, prefix: &str) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let key = format!("{prefix}{}", path.file_name().unwrap().to_str().unwrap());
            if path.is_dir() {
                self.take(&path, &format!("{key}/"));
            } else {
                self.files.insert(key, std::fs::read(path).unwrap());
            }
        }
    }

    fn note(&self, question: String) {
        self.asked.lock().unwrap().push(question);
    }
}

impl Store for Far {
    fn read(&self, key: &str, _limit: u64) -> Result<Option<Vec<u8>>> {
        self.note(format!("get {key}"));
        Ok(self.files.get(key).cloned())
    }

    fn read_range(&self, key: &str, range: Range<u64>) -> Result<Option<Vec<u8>>> {
        self.note(format!("get {key} {range:?}"));
        let cut = |at: u64, len: usize| usize::try_from(at).map_or(len, |at| at.min(len));
        let part = |b: &Vec<u8>| b[cut(range.start, b.len())..cut(range.end, b.len())].to_vec();
        Ok(self.files.get(key).map(part))
    }

    fn stat(&self, key: &str) -> Result<Option<Stat>> {
        self.note(format!("head {key}"));
        Ok(self.files.get(key).map(|bytes| Stat {
            len: bytes.len() as u64,
            modified: None,
            etag: None,
        }))
    }

    fn list(&self, _prefix: &str) -> Result<Vec<Entry>> {
        panic!("it is asked for pages");
    }

    fn page(&self, asked: &PageRequest<'_>) -> Result<Option<ListingPage>> {
        let PageRequest { prefix, is_deep, token } = *asked;
        self.note(format!("list {prefix} {is_deep} {}", token.unwrap_or_default()));
        if self.per_page == 0 {
            return Err(Error::new(Code::CannotList, "It lists nothing.", ""));
        }
        let folder = if prefix.is_empty() { String::new() } else { format!("{prefix}/") };
        let mut page = ListingPage::default();
        let mut at = Bound::Included(folder.clone());
        if let Some(token) = token {
            at = Bound::Included(token.to_owned());
        }
        while let Some((key, bytes)) = self.files.range((at.clone(), Bound::Unbounded)).next() {
            let Some(name) = key.strip_prefix(&folder) else { break };
            if page.files.len() + page.folders.len() == self.per_page {
                page.next = Some(key.clone());
                break;
            }
            match name.split_once('/') {
                Some((name, _)) if !is_deep => {
                    page.folders.push(name.to_owned());
                    at = Bound::Included(format!("{folder}{name}0"));
                }
                _ => {
                    let stat = Stat { len: bytes.len() as u64, modified: None, etag: None };
                    page.files.push((name.to_owned(), Some(stat)));
                    at = Bound::Excluded(key.clone());
                }
            }
        }
        Ok(Some(page))
    }

    fn side_by_side(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        let before = self.asked.lock().unwrap().len();
        (0..count).for_each(work);
        let asked = self.asked.lock().unwrap().len() - before;
        *self.together.lock().unwrap() += if count > 1 { asked } else { 0 };
    }

    fn is_far(&self) -> bool {
        true
    }

    fn name(&self) -> String {
        "far".into()
    }
}

/// A hierarchy on `far`, with what it was asked so far.
struct Asked {
    far: Arc<Far>,
    hierarchy: Hierarchy,
}

impl Asked {
    fn of(far: Far) -> Self {
        let far = Arc::new(far);
        let cached = CachedStore::new(Arc::clone(&far) as Arc<dyn Store>);
        Self { far, hierarchy: Hierarchy::new(Arc::new(cached), Arc::new(Registry::default())) }
    }

    fn sample(name: &str, per_page: usize) -> Self {
        Self::of(Far::of(&stores().join(name), per_page))
    }

    /// The number of questions, those for documents that are there aside.
    fn beyond_documents(&self) -> usize {
        let asked = self.far.asked.lock().unwrap();
        let is_document = |question: &&String| {
            question.strip_prefix("get ").is_some_and(|key| {
                self.far.files.contains_key(key) && key.rsplit('/').next().unwrap().contains('z')
            })
        };
        asked.len() - asked.iter().filter(is_document).count()
    }

    /// Checks that nothing was asked twice, and that no two questions were for the same byte.
    fn never_twice(&self) {
        let asked = self.far.asked.lock().unwrap();
        let mut seen = BTreeSet::new();
        let twice: Vec<_> = asked.iter().filter(|question| !seen.insert(*question)).collect();
        assert!(twice.is_empty(), "{twice:#?}");
        let key = |question: &&String| question.split(' ').nth(1).unwrap().to_owned();
        let reads: Vec<_> = asked.iter().filter(|question| question.starts_with("get")).collect();
        let keys: BTreeSet<_> = reads.iter().map(key).collect();
        assert_eq!(reads.len(), keys.len(), "a key read twice: {reads:#?}");
    }

    fn check(&self, metadata_only: bool) -> (Vec<String>, Summary) {
        self.check_by(&CheckOptions { metadata_only, ..CheckOptions::default() })
    }

    fn check_by(&self, options: &CheckOptions<'_>) -> (Vec<String>, Summary) {
        let mut lines = Vec::new();
        let summary = check(&self.hierarchy, &NodePath::default(), options, &mut |event| {
            if let Event::Problem(path, problem) = event {
                lines.push(format!("{}: {} {}", path.0, problem.kind(), problem.error));
            }
        });
        lines.sort();
        (lines, summary)
    }

    fn count(&self) -> usize {
        self.far.asked.lock().unwrap().len()
    }
}

#[test]
fn an_array_is_opened_and_drawn_with_three_questions_beyond_its_documents() {
    for (per_page, most) in [(1000, 2), (10, 3)] {
        let asked = Asked::sample("ocean", per_page);
        let path = NodePath("temperature".into());
        let _root = asked.hierarchy.node(&NodePath::default());
        let node = asked.hierarchy.node(&path);
        let array = node.kind.array().unwrap();
        let layout = Layout::new(&path, array).unwrap();
        let mut stored = 0;
        layout
            .visit(&*asked.hierarchy.store, &mut |_| {
                stored += 1;
                true
            })
            .unwrap();
        assert_eq!(stored, 4);
        let id = ChunkId { coordinates: vec![0, 1], inner: Vec::new() };
        let chunk = chunk::load(&*asked.hierarchy.store, &path, array, &id, 0, &Budget::default());
        assert!(chunk.fault().is_none() && chunk.stored.is_some());
        let beyond = asked.beyond_documents();
        assert!(beyond <= most, "{beyond}: {:#?}", asked.far.asked.lock().unwrap());
        asked.never_twice();
    }
}

#[test]
fn a_check_of_metadata_asks_for_each_document_and_little_else() {
    for (store, few) in [("ocean", 2), ("ocean-v2", 12), ("dtypes-v3", 4), ("broken", 45)] {
        let asked = Asked::sample(store, 1000);
        let (_, summary) = asked.check(true);
        let count = asked.count() as u64;
        assert!(count <= summary.nodes + few, "{store}: {count} of {} nodes", summary.nodes);
        asked.never_twice();
    }
}

#[test]
fn two_thousand_nodes_cost_little_more_than_their_documents() {
    let array = r#"{"zarr_format":3,"node_type":"array","shape":[1],"data_type":"uint8","fill_value":0,
        "chunk_grid":{"name":"regular","configuration":{"chunk_shape":[1]}},
        "chunk_key_encoding":{"name":"default"},"codecs":[{"name":"bytes"}]}"#;
    let group = |rest: &str| format!(r#"{{"zarr_format":3,"node_type":"group"{rest}}}"#);
    let groups = (0..40).map(|at| (format!("g{at}"), group("")));
    let arrays = (0..40).flat_map(|at| (0..49).map(move |below| format!("g{at}/a{below}")));
    let nodes: BTreeMap<_, _> =
        groups.chain(arrays.clone().map(|path| (path, array.to_owned()))).collect();
    let copies: Vec<_> = nodes.iter().map(|(path, text)| format!("\"{path}\":{text}")).collect();
    let copies = copies.join(",");
    let consolidated = format!(
        r#","consolidated_metadata":{{"kind":"inline","must_understand":false,"metadata":{{{copies}}}}}"#
    );
    for rest in ["", &consolidated] {
        let mut far = Far { per_page: 1000, ..Far::default() };
        far.files.insert("zarr.json".into(), group(rest).into_bytes());
        let documents = nodes.iter().map(|(path, text)| (format!("{path}/zarr.json"), text));
        far.files.extend(documents.map(|(key, text)| (key, text.clone().into_bytes())));
        far.files.extend(arrays.clone().map(|path| (format!("{path}/c/0"), vec![7])));
        let asked = Asked::of(far);
        let (found, summary) = asked.check(true);
        // Copies are held against the documents, so that these are read with copies too.
        assert_eq!((found.len(), summary.nodes), (0, 2001), "{found:#?}");
        assert!(asked.count() <= 2001 + 20, "{}", asked.count());
        asked.never_twice();
        // A long document is not understood anew for each node below.
        let json = || match asked.hierarchy.node(&NodePath::default()).kind.documents() {
            [document] => document.json.clone().unwrap(),
            documents => panic!("{documents:?}"),
        };
        assert_eq!(Arc::ptr_eq(&json(), &json()), !rest.is_empty());
    }
}

#[test]
fn a_check_reads_each_chunk_once() {
    let here = Hierarchy::open(&stores().join("ocean")).unwrap().0;
    let here = Asked { far: Arc::default(), hierarchy: here }.check(false).0;
    for (per_page, most_lists) in [(1000, 1), (10, 14)] {
        let asked = Asked::sample("ocean", per_page);
        let (found, _) = asked.check(false);
        asked.never_twice();
        let all = asked.far.asked.lock().unwrap().clone();
        let lists = all.iter().filter(|question| question.starts_with("list")).count();
        assert!(all.len() - lists <= asked.far.files.len() && lists <= most_lists, "{all:#?}");
        assert_eq!(found, here, "{per_page}");
        // No document is looked for where another array might have one.
        let gets = all.iter().filter_map(|question| question.strip_prefix("get "));
        let vain: Vec<_> = gets.filter(|key| !asked.far.files.contains_key(*key)).collect();
        assert!(vain.is_empty(), "{vain:#?}");
    }
}

/// An array of `count` chunks of one byte, of which the first `stored` are there, on pages of 1000.
fn array_of(count: usize, stored: usize) -> Asked {
    let mut far = Far { per_page: 1000, ..Far::default() };
    let document = format!(
        r#"{{"zarr_format":3,"node_type":"array","shape":[{count}],"data_type":"uint8","fill_value":0,
        "chunk_grid":{{"name":"regular","configuration":{{"chunk_shape":[1]}}}},
        "chunk_key_encoding":{{"name":"default"}},"codecs":[{{"name":"bytes"}}]}}"#
    );
    far.files.insert("zarr.json".into(), document.into_bytes());
    far.files.extend((0..stored).map(|at| (format!("c/{at}"), vec![7])));
    Asked::of(far)
}

#[test]
fn very_much_is_not_read_unasked() {
    let asking = CheckOptions { advice: Some("Ask for it."), ..CheckOptions::default() };
    // What is stored counts, not what the grid has room for.
    for (count, stored) in [(10, 10), (20_000, 9_000)] {
        let (found, summary) = array_of(count, stored).check_by(&asking);
        assert!(summary.decoded == stored as u64 && summary.is_complete(), "{found:?}");
    }
    let much = array_of(20_000, 20_000);
    let (found, summary) = much.check_by(&asking);
    assert!(found[0].contains("more than 10,000 objects of at most 20,000 chunks"), "{found:#?}");
    assert!(found.len() == 1 && summary.chunks == 0 && !summary.is_complete());
    // The document, and the pages up to the first that is too much.
    assert!(much.count() <= 13, "{:#?}", much.far.asked.lock().unwrap());
    assert_eq!(much.check(false).1.decoded, 20_000);
}

#[test]
fn a_sample_reads_so_many_chunks_of_each_array() {
    let asked = array_of(2_000, 2_000);
    let (found, summary) =
        asked.check_by(&CheckOptions { sample: Some(5), ..CheckOptions::default() });
    assert_eq!((found, summary.chunks, summary.decoded), (Vec::new(), 5, 5));
    let all = asked.far.asked.lock().unwrap().clone();
    let read: Vec<_> = all.iter().filter(|question| question.starts_with("get c/")).collect();
    assert_eq!(read, ["get c/0", "get c/400", "get c/800", "get c/1200", "get c/1600"]);
    asked.never_twice();
    let asked = Asked::sample("broken", 1000);
    asked.check_by(&CheckOptions { sample: Some(0), ..CheckOptions::default() });
    let all = asked.far.asked.lock().unwrap().clone();
    let is_chunk = |question: &&String| question.contains("/c/") && !question.starts_with("list");
    assert!(!all.iter().any(|question| is_chunk(&question)), "{all:#?}");
}

#[test]
fn a_part_of_a_thousand_lists_no_hundred_thousand_keys() {
    let asked = array_of(100_000, 100_000);
    let wanted = |(key, _): (&str, _)| key.ends_with("777");
    let read = Mutex::new(0);
    let chunks = ChunkScope::Some(&wanted, &|_, _| *read.lock().unwrap() += 1);
    asked.check_by(&CheckOptions { chunks, ..CheckOptions::default() });
    assert_eq!(*read.lock().unwrap(), 100);
    let all = asked.far.asked.lock().unwrap().clone();
    let lists = all.iter().filter(|question| question.starts_with("list")).count();
    assert!(lists <= 6 && all.len() <= 210, "{lists} of {}", all.len());
    asked.never_twice();
}

#[test]
fn small_chunks_of_many_arrays_are_read_ahead() {
    let mut far = Far { per_page: 1000, ..Far::default() };
    let document = |text: &str| text.as_bytes().to_vec();
    far.files.insert("zarr.json".into(), document(r#"{"zarr_format":3,"node_type":"group"}"#));
    let array = r#"{"zarr_format":3,"node_type":"array","shape":[1],"data_type":"uint8","fill_value":0,
        "chunk_grid":{"name":"regular","configuration":{"chunk_shape":[1]}},
        "chunk_key_encoding":{"name":"default"},"codecs":[{"name":"bytes"}]}"#;
    for at in 0..300 {
        far.files.insert(format!("a{at:03}/zarr.json"), document(array));
        far.files.insert(format!("a{at:03}/c/0"), vec![7]);
    }
    let asked = Asked::of(far);
    let (found, summary) = asked.check(false);
    assert_eq!((found.len(), summary.decoded), (0, 300));
    asked.never_twice();
    let all = asked.far.asked.lock().unwrap().clone();
    let lists = all.iter().filter(|question| question.starts_with("list")).count();
    assert!(lists <= 10 && all.len() <= 611, "{lists} of {}", all.len());
    let alone = all.len() - *asked.far.together.lock().unwrap();
    assert!(alone <= 60, "{alone} were asked alone");
    // What nobody announced is not read ahead.
    let before = asked.count();
    asked.hierarchy.store.refresh();
    assert!(asked.hierarchy.store.read("a000/c/0", 9).unwrap().is_some());
    assert_eq!(asked.count(), before + 1);
}
