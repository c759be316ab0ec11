//! The bytes of keys that were read: documents for good, others as long as there is room.

use crate::zarr::prelude::*;
use crate::zarr::store::lock;

/// The most bytes of one key that are kept, and of all keys that are no documents.
pub(super) const LARGEST: u64 = 64 << 20;
const MOST: u64 = 256 << 20;

/// A document as it was answered: an error is an answer.
type DocumentAnswer = Result<Option<Vec<u8>>>;

/// The length and time of a key.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum KnownStat {
    /// Nobody asked so far.
    #[default]
    Unasked,
    /// There is no such key.
    Absent,
    /// These.
    File(Stat),
}

impl From<Option<Stat>> for KnownStat {
    fn from(stat: Option<Stat>) -> Self {
        stat.map_or(Self::Absent, Self::File)
    }
}

/// The facts about one key. Whoever asks for it holds the lock meanwhile, so that nobody asks twice.
#[derive(Debug, Default)]
pub(super) struct KeySlot {
    /// Its length and time, or that there is none.
    pub(super) stat: KnownStat,
    document: Option<DocumentAnswer>,
    /// Parts of it, with their first byte.
    parts: Vec<(u64, Vec<u8>)>,
    is_whole: bool,
}

impl KeySlot {
    pub(super) fn document(&self) -> Option<DocumentAnswer> {
        self.document.clone()
    }

    /// Keeps the answer. The next attempt may succeed where the network failed.
    pub(super) fn put_document(&mut self, answer: &DocumentAnswer) {
        let failed = answer.as_ref().is_err_and(|error| error.code == Code::Network);
        self.document = (!failed).then(|| answer.clone());
    }

    /// All bytes, where they are kept.
    pub(super) fn whole(&self) -> Option<Vec<u8>> {
        self.parts.first().filter(|_| self.is_whole).map(|(_, bytes)| bytes.clone())
    }

    pub(super) fn put_whole(&mut self, bytes: Vec<u8>) {
        let len = bytes.len() as u64;
        if self.stat == KnownStat::Unasked {
            self.stat = KnownStat::File(Stat::of_len(len));
        }
        if len <= LARGEST {
            (self.parts, self.is_whole) = (vec![(0, bytes)], true);
        }
    }

    /// The bytes of `range`, where one part has them all.
    pub(super) fn part(&self, range: &Range<u64>) -> Option<Vec<u8>> {
        self.parts.iter().find_map(|(start, bytes)| {
            let from = usize::try_from(range.start.checked_sub(*start)?).ok()?;
            let len = usize::try_from(range.end - range.start).ok()?;
            bytes.get(from..from.checked_add(len)?).map(<[u8]>::to_vec)
        })
    }

    /// Keeps a part of the `len` bytes there are.
    pub(super) fn put_part(&mut self, start: u64, bytes: Vec<u8>, len: u64) {
        if bytes.len() as u64 == len {
            self.put_whole(bytes);
        } else if bytes.len() as u64 <= LARGEST {
            self.parts.push((start, bytes));
        }
    }

    fn len(&self) -> u64 {
        self.parts.iter().map(|(_, bytes)| bytes.len() as u64).sum()
    }
}

/// The keys of which bytes are kept.
#[derive(Debug, Default)]
struct KeptKeys {
    /// For each, the time of its last use and its bytes.
    by_key: HashMap<String, (u64, u64)>,
    by_time: BTreeMap<u64, String>,
    time: u64,
    bytes: u64,
}

impl KeptKeys {
    /// Counts the bytes of `key`, which is wanted now; gives the keys that have to go for it.
    fn count(&mut self, key: &str, bytes: u64) -> Vec<String> {
        self.time += 1;
        if let Some((time, before)) = self.by_key.insert(key.to_owned(), (self.time, bytes)) {
            self.by_time.remove(&time);
            self.bytes -= before;
        }
        self.by_time.insert(self.time, key.to_owned());
        self.bytes += bytes;
        let mut gone = Vec::new();
        while self.bytes > MOST
            && let Some((_, oldest)) = self.by_time.pop_first()
        {
            let (_, bytes) = self.by_key.remove(&oldest).unwrap_or_default();
            self.bytes -= bytes;
            gone.push(oldest);
        }
        gone
    }
}

/// The slots of all keys.
#[derive(Debug, Default)]
pub(super) struct KeySlots {
    by_key: Mutex<HashMap<String, Arc<Mutex<KeySlot>>>>,
    kept: Mutex<KeptKeys>,
}

impl KeySlots {
    pub(super) fn of(&self, key: &str) -> Arc<Mutex<KeySlot>> {
        let mut by_key = lock(&self.by_key);
        if let Some(slot) = by_key.get(key) {
            return Arc::clone(slot);
        }
        Arc::clone(by_key.entry(key.to_owned()).or_default())
    }

    /// The document under `key`, where it was read.
    pub(super) fn document(&self, key: &str) -> Option<DocumentAnswer> {
        let slot = lock(&self.by_key).get(key).cloned()?;
        lock(&slot).document()
    }

    /// True if nothing is known of the key.
    pub(super) fn is_new(&self, key: &str) -> bool {
        !lock(&self.by_key).contains_key(key)
    }

    /// Counts the bytes of `slot`; those of keys that were not wanted for longest go where all are too many.
    pub(super) fn settle(&self, key: &str, slot: &mut KeySlot) {
        let gone = lock(&self.kept).count(key, slot.len());
        let mut by_key = lock(&self.by_key);
        for gone in gone {
            if gone == key {
                slot.parts.clear();
                slot.is_whole = false;
            } else {
                by_key.remove(&gone);
            }
        }
    }

    pub(super) fn clear(&self) {
        lock(&self.by_key).clear();
        *lock(&self.kept) = KeptKeys::default();
    }
}
