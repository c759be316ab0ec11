//! Stored chunks with bits flipped, ends cut off and bytes added: never a panic, never more memory than allowed.

use proptest::prelude::*;
use std::{
    ops::Range,
    path::Path,
    sync::{Arc, LazyLock},
};
use zarrscope::zarr::{
    ArrayMetadata, Budget, Hierarchy, NodePath, Result, chunk,
    grid::ChunkId,
    hierarchy::NodeKind,
    store::{Entry, Stat, Store},
};

const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpus");
const LIMIT: u64 = 1 << 20;

/// An array of the corpus and the first chunk that it has.
struct Sample {
    name: String,
    path: NodePath,
    array: Arc<ArrayMetadata>,
    bytes: Vec<u8>,
}

/// One sample for every array of the corpus that is a folder.
static SAMPLES: LazyLock<Vec<Sample>> = LazyLock::new(|| {
    let mut samples = Vec::new();
    for store in std::fs::read_dir(CORPUS).unwrap().flatten().filter(|entry| entry.path().is_dir())
    {
        let Ok((hierarchy, target)) = Hierarchy::open(Path::new(&store.path())) else { continue };
        hierarchy.walk(&target.node, &mut |node, _| {
            if let NodeKind::Array(array) = &node.kind
                && let Some(bytes) = first_chunk(&hierarchy, &node.path, array)
            {
                let name = format!("{}/{}", store.path().display(), node.path.0);
                samples.push(Sample {
                    name,
                    path: node.path.clone(),
                    array: Arc::clone(array),
                    bytes,
                });
            }
            true
        });
    }
    assert!(samples.len() > 900, "{} samples", samples.len());
    samples
});

fn first_chunk(hierarchy: &Hierarchy, path: &NodePath, array: &ArrayMetadata) -> Option<Vec<u8>> {
    let encoding = array.key_encoding.as_ref().ok()?;
    let key = encoding.key(&vec![0; array.shape.as_ref().ok()?.len()]);
    hierarchy.store.read(&path.child(&key).0, 1 << 20).ok()?
}

/// A store in which every key has the same bytes.
#[derive(Debug)]
struct Same(Vec<u8>);

impl Store for Same {
    fn read(&self, _: &str, _: u64) -> Result<Option<Vec<u8>>> {
        Ok(Some(self.0.clone()))
    }

    fn read_range(&self, _: &str, range: Range<u64>) -> Result<Option<Vec<u8>>> {
        let to = |at: u64| usize::try_from(at).unwrap_or(usize::MAX).min(self.0.len());
        Ok(Some(self.0[to(range.start)..to(range.end)].to_vec()))
    }

    fn stat(&self, _: &str) -> Result<Option<Stat>> {
        Ok(Some(Stat { len: self.0.len() as u64, modified: None, etag: None }))
    }

    fn list(&self, _: &str) -> Result<Vec<Entry>> {
        Ok(Vec::new())
    }

    fn name(&self) -> String {
        "same".into()
    }
}

fn survives(sample: &Sample, bytes: Vec<u8>) {
    let store = Same(bytes);
    let coordinates = vec![0; sample.array.shape.as_ref().map_or(0, Vec::len)];
    for (inner, ignore_checksums) in [(false, false), (false, true), (true, true)] {
        let inner = if inner { vec![coordinates.clone()] } else { Vec::new() };
        let id = ChunkId { coordinates: coordinates.clone(), inner };
        let budget = Budget::default().with_limit(LIMIT).ignoring_checksums(ignore_checksums);
        let chunk = chunk::load(&store, &sample.path, &sample.array, &id, 0, &budget);
        for stage in &chunk.stages {
            let len = stage.output.as_ref().map_or(0, |data| data.bytes().here().len() as u64);
            assert!(len <= LIMIT, "{}: {} gave {len} bytes", sample.name, stage.name);
        }
        if let Some(elements) = chunk.elements() {
            for element in elements.elements(0..50).filter(|element| !element.bytes.is_empty()) {
                let found = elements.element_at(element.bytes.start).expect("an element is there");
                let range = elements.byte_range(found);
                assert!(range.contains(&element.bytes.start), "{}", sample.name);
            }
        }
    }
}

#[derive(Debug, Clone)]
enum Damage {
    Flip(prop::sample::Index, u8),
    Overwrite(prop::sample::Index, Vec<u8>),
    Cut(prop::sample::Index),
    Insert(prop::sample::Index, Vec<u8>),
}

fn damage() -> impl Strategy<Value = Damage> {
    let index = any::<prop::sample::Index>;
    let extreme = prop::sample::select(vec![
        vec![0xff; 4],
        vec![0xff; 8],
        vec![0, 0, 0, 0x80],
        vec![0xff, 0xff, 0xff, 0x7f],
        vec![0; 8],
    ]);
    prop_oneof![
        4 => (index(), 0_u8..8).prop_map(|(at, bit)| Damage::Flip(at, bit)),
        4 => (index(), extreme).prop_map(|(at, bytes)| Damage::Overwrite(at, bytes)),
        1 => index().prop_map(Damage::Cut),
        1 => (index(), prop::collection::vec(any::<u8>(), 1..20)).prop_map(|(at, bytes)| Damage::Insert(at, bytes)),
    ]
}

fn apply(bytes: &mut Vec<u8>, damage: Damage) {
    let len = bytes.len();
    match damage {
        Damage::Flip(at, bit) if len > 0 => bytes[at.index(len)] ^= 1 << bit,
        Damage::Overwrite(at, new) if len > 0 => {
            for (place, byte) in bytes[at.index(len)..].iter_mut().zip(new) {
                *place = byte;
            }
        }
        Damage::Cut(at) => bytes.truncate(at.index(len + 1)),
        Damage::Insert(at, new) => {
            let at = at.index(len + 1);
            bytes.splice(at..at, new);
        }
        Damage::Flip(..) | Damage::Overwrite(..) => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    #[test]
    fn damaged_chunks_are_errors_or_values(
        sample in any::<prop::sample::Index>(),
        damages in prop::collection::vec(damage(), 1..4),
    ) {
        let sample = sample.get(&SAMPLES);
        let mut bytes = sample.bytes.clone();
        for damage in damages {
            apply(&mut bytes, damage);
        }
        survives(sample, bytes);
    }
}

#[test]
fn headers_are_damaged_one_bit_at_a_time() {
    // Every header is in the first bytes, every index of a shard in the last: all their bits, for a sample of each
    // chain of codecs.
    let mut seen = std::collections::BTreeSet::new();
    for sample in SAMPLES.iter() {
        let Ok(codecs) = &sample.array.codecs else { continue };
        let chain: Vec<_> = codecs.iter().map(|spec| spec.name.as_str()).collect();
        if !seen.insert(chain.join(" ")) {
            continue;
        }
        let len = sample.bytes.len();
        for at in (0..len.min(24)).chain(len.saturating_sub(12).max(24)..len) {
            for bit in 0..8 {
                let mut bytes = sample.bytes.clone();
                bytes[at] ^= 1 << bit;
                survives(sample, bytes);
            }
        }
    }
    assert!(seen.len() > 20, "{} chains", seen.len());
}
