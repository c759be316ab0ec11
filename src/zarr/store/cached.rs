//! A store whose answers are kept, so that nothing is asked twice.
//!
//! For stores that are far away, where each question costs a journey. A document is read once; a listing answers all later
//! questions of what is there and how long it is; of stored bytes those that were wanted last are kept. Nothing is
//! forgotten but by [`Store::refresh`].

use super::{
    DOCUMENTS, ListingPage, PageRequest, join, kept,
    key::{is_document, split, with_slash},
    lock, part_of,
    requests::{Asker, THREAD_NAME},
    several,
};
use crate::zarr::prelude::*;
use md5::{Digest, Md5};
use std::{
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    thread::{self, JoinHandle},
};

mod listing;
mod slot;

use listing::{Known, Listing, PageAhead, Step};
use slot::{KeySlot, KeySlots, KnownStat};

/// The name of a document of V3, and those that a node has.
const V3: &str = "zarr.json";
const NODES: [&str; 4] = [V3, ".zarray", ".zgroup", ".zattrs"];

/// The number of documents read one by one before others are read ahead; the number of documents and of folders that are
/// asked for ahead, and the bytes of those documents at most.
const ONE_BY_ONE: usize = 8;
const AHEAD: usize = 64;
const AHEAD_BYTES: u64 = 8 << 20;

/// The fewest documents on a page of all keys for which the next one is worth more than a listing of one folder.
const WORTH_A_PAGE: usize = 2;

/// The most pages that are listed for one key.
const MOST_PAGES: usize = 4;

/// The most bytes of a chunk that is read ahead.
const SMALL: u64 = 1 << 20;

/// The most MD5 sums that are kept, of some 150 bytes each.
const MOST_SUMS: usize = 1 << 20;

/// The bytes that are read together, and kept: a part is widened to a multiple of these.
const BLOCK: u64 = 64 << 10;

/// A store whose answers are kept.
#[derive(Debug)]
pub struct CachedStore {
    origin: Arc<dyn Store>,
    /// Everything below these prefixes, in the order of the keys: that of the store, and those that were announced.
    deep: Mutex<BTreeMap<String, Arc<Mutex<Listing>>>>,
    /// The entries directly below a prefix.
    flat: Mutex<HashMap<String, Arc<Mutex<Listing>>>>,
    slots: KeySlots,
    /// False once the store said that it lists nothing.
    lists: AtomicBool,
    /// False once a listing came without lengths.
    lists_lengths: AtomicBool,
    /// The number of documents that were asked for.
    asked: AtomicUsize,
    /// The number of keys that are no documents and were asked for their length, unlisted.
    heads: AtomicUsize,
    /// The first array whose folders were gone into one by one.
    entered: Mutex<Option<String>>,
    /// The number of prefixes that were announced to be listed.
    expected: AtomicUsize,
    /// The number of keys of which bytes are being asked for.
    under_way: AtomicUsize,
    /// The prefix below which everything is going to be read. Whoever holds this reads ahead.
    reading: Mutex<Option<String>>,
    /// True while there is such a prefix.
    reads_all: AtomicBool,
    /// The MD5 and the length of what was read whole, where those will be asked for.
    sums: Mutex<Option<HashMap<String, (String, u64)>>>,
}

impl CachedStore {
    /// The answers of `origin`, kept.
    pub fn new(origin: Arc<dyn Store>) -> Self {
        let store = Self {
            origin,
            deep: Mutex::default(),
            flat: Mutex::default(),
            slots: KeySlots::default(),
            lists: AtomicBool::new(true),
            lists_lengths: AtomicBool::new(true),
            asked: AtomicUsize::new(0),
            heads: AtomicUsize::new(0),
            entered: Mutex::default(),
            expected: AtomicUsize::new(0),
            under_way: AtomicUsize::new(0),
            reading: Mutex::default(),
            reads_all: AtomicBool::new(false),
            sums: Mutex::default(),
        };
        store.refresh();
        store
    }

    /// The same with documents that were read already.
    #[cfg(feature = "remote")]
    pub(in crate::zarr) fn with_documents(
        self,
        documents: impl IntoIterator<Item = (String, Result<Option<Vec<u8>>>)>,
    ) -> Self {
        for (key, answer) in documents {
            lock(&self.slots.of(&key)).put_document(&answer);
        }
        self
    }

    /// The deep listings around `key`, the longest prefix first, each with the rest of the key.
    fn around<'k>(&self, key: &'k str) -> Vec<(Arc<Mutex<Listing>>, &'k str)> {
        let deep = lock(&self.deep);
        let inside = deep.iter().rev().filter_map(|(prefix, listing)| {
            let rest = match prefix.as_str() {
                "" => key,
                prefix if prefix == key => "",
                prefix => key.strip_prefix(prefix)?.strip_prefix('/')?,
            };
            Some((Arc::clone(listing), rest))
        });
        inside.collect()
    }

    fn flat(&self, prefix: &str) -> Arc<Mutex<Listing>> {
        let make = || Arc::new(Mutex::new(Listing::new(prefix, false)));
        Arc::clone(lock(&self.flat).entry(prefix.to_owned()).or_insert_with(make))
    }

    /// Asks for the next page of `listing`.
    fn next_page(&self, listing: &mut Listing) -> Result<()> {
        if !self.can_list() {
            return Err(cannot_list());
        }
        let begun = listing.ahead.take();
        let asked = listing.next_request();
        // What failed may have been given up by the one who began to ask.
        let page = match begun.map(JoinHandle::join) {
            Some(Ok(Ok(page))) => Ok(page),
            None | Some(Ok(Err(_)) | Err(_)) => self.origin.page(&asked),
        };
        let mut page = match page {
            Ok(Some(page)) => page,
            Ok(None) if asked.is_deep => {
                listing.give_up();
                return Ok(());
            }
            Ok(None) => {
                let entries = self.origin.list(asked.prefix)?;
                listing.take_all(entries);
                return Ok(());
            }
            Err(error) => {
                if error.code == Code::CannotList {
                    self.lists.store(false, Ordering::Relaxed);
                }
                return Err(error);
            }
        };
        if page.hides_dots {
            let hidden = self.hidden_documents(asked.prefix, &page);
            page.files.extend(hidden);
        }
        if page.files.iter().any(|(_, stat)| stat.is_none()) {
            self.lists_lengths.store(false, Ordering::Relaxed);
        }
        listing.take(page)?;
        self.list_ahead(listing);
        Ok(())
    }

    /// Begins to ask for the next page of `listing`, where all that it tells of will be read.
    fn list_ahead(&self, listing: &mut Listing) {
        let is_due = self.reads_all.load(Ordering::Relaxed) && listing.is_wanted_on();
        if is_due && listing.ahead.is_none() {
            listing.ahead = self.page_ahead(&listing.next_request());
        }
    }

    /// Begins to ask for a page, while what the pages before it told of is read.
    fn page_ahead(&self, request: &PageRequest) -> Option<PageAhead> {
        let (store, asker) = (Arc::clone(&self.origin), Asker::current());
        let (prefix, is_deep) = (request.prefix.to_owned(), request.is_deep);
        let token = request.token.map(ToOwned::to_owned);
        let ask = move || {
            let next = PageRequest { prefix: &prefix, is_deep, token: token.as_deref() };
            asker.during(|| store.page(&next))
        };
        thread::Builder::new().name(THREAD_NAME.to_owned()).spawn(ask).ok()
    }

    /// The documents of V2 in a folder that a listing left out: each is asked for by its name. Where V3 or an array is,
    /// nobody looks for them.
    fn hidden_documents(&self, folder: &str, page: &ListingPage) -> Vec<(String, Option<Stat>)> {
        let has_v3 = page.files.iter().any(|(name, _)| name == V3);
        if has_v3 || self.array_around(&join(folder, "")).is_some_and(|array| array != folder) {
            return Vec::new();
        }
        let hidden = DOCUMENTS.iter().filter(|name| **name != V3).copied();
        let hidden: Vec<_> = hidden.map(|name| (name, join(folder, name))).collect();
        let found = several(&*self.origin, &hidden, |(name, key)| {
            let slot = self.slots.of(key);
            let mut slot = lock(&slot);
            let answer = slot.document().unwrap_or_else(|| {
                let answer = self.origin.read(key, super::DOCUMENT_LIMIT);
                slot.put_document(&answer);
                answer
            });
            // Why it cannot be read is told to whoever asks for it.
            let stat = answer
                .map_or(Some(None), |it| it.map(|bytes| Some(Stat::of_len(bytes.len() as u64))));
            stat.map(|stat| ((*name).to_owned(), stat))
        });
        found.into_iter().flatten().collect()
    }

    /// The facts that listings tell of `key`, as far as they have come.
    fn known(&self, key: &str) -> Known {
        for (listing, rest) in self.around(key) {
            let known = lock(&listing).of(rest);
            if known != Known::Nothing {
                return known;
            }
        }
        let (folder, name) = split(key);
        let flat = lock(&self.flat).get(folder).cloned();
        flat.map_or(Known::Nothing, |listing| lock(&listing).of(name))
    }

    /// The same of a document: what is not known is listed, where that is worth it.
    fn known_document(&self, key: &str) -> Known {
        loop {
            let known = self.known(key);
            if known != Known::Nothing || !self.can_list() {
                return known;
            }
            // All of a store where that is little, else one folder.
            let deep = lock(&self.deep).get("").cloned();
            let listed = deep.filter(|deep| {
                let mut deep = lock(deep);
                let goes_on = deep.goes_on() && deep.documents >= WORTH_A_PAGE;
                let is_worth_it = deep.is_new() || goes_on && self.goes_through();
                // Another thread may have asked for the page meanwhile.
                is_worth_it && deep.of(key) == Known::Nothing && self.next_page(&mut deep).is_ok()
            });
            if listed.is_some() {
                continue;
            }
            let (folder, name) = split(key);
            // In a store of V3 it is most likely there: then reading it is the shorter way to know, and tells what to list.
            let above = split(folder).0;
            let is_of_v3 = || self.begins_with(V3) || self.is_array(above) == Some(false);
            if name == V3 && (folder.is_empty() || is_of_v3()) {
                return Known::Nothing;
            }
            // That asks for the document of V3 itself.
            if name != V3 {
                self.expect_array(folder);
            }
            let known = self.known(key);
            if known != Known::Nothing {
                return known;
            }
            let flat = self.flat(folder);
            let listed = {
                let mut flat = lock(&flat);
                flat.is_new() && self.next_page(&mut flat).is_ok()
            };
            if !listed {
                return self.known(key);
            }
        }
    }

    /// True if so many documents were asked for that all will be.
    fn goes_through(&self) -> bool {
        self.asked.load(Ordering::Relaxed) >= ONE_BY_ONE
    }

    /// True if the document `name` of the root was read.
    fn begins_with(&self, name: &str) -> bool {
        matches!(self.slots.document(name), Some(Ok(Some(_))))
    }

    /// True if the V3 document of `folder` is that of an array; `None` where it was not read.
    fn is_array(&self, folder: &str) -> Option<bool> {
        let document = self.slots.document(&join(folder, V3));
        let Some(Ok(Some(bytes))) = document else { return None };
        let has = |member: &str| memchr::memmem::find(&bytes, member.as_bytes()).is_some();
        Some(has("\"chunk_grid\"") && !has("\"consolidated_metadata\""))
    }

    /// Lists everything in `folder` where that is an array: all of it will be asked for.
    fn expect_array(&self, folder: &str) {
        let above = split(folder).0;
        if !folder.is_empty() && self.is_array(above) == Some(false) {
            // What cannot be read is told to whoever asks for it.
            let _ = self.document(&join(folder, V3), super::DOCUMENT_LIMIT);
        }
        if self.is_array(folder) == Some(true) {
            self.expect_listing(folder);
        }
    }

    /// The facts about `key`, everything in the folder `array` around it being listed in order; a few pages of that.
    fn listed_as_far_as(&self, key: &str, array: &str) -> Known {
        self.expect_listing(array);
        let listing = lock(&self.deep).get(array).cloned();
        let Some(listing) = listing else { return self.known(key) };
        let rest = key.strip_prefix(array).unwrap_or(key).trim_start_matches('/');
        let mut listing = lock(&listing);
        for _ in 0..MOST_PAGES {
            let is_open = listing.of(rest) == Known::Nothing && !listing.is_vain;
            if !is_open || !listing.goes_on() || self.next_page(&mut listing).is_err() {
                break;
            }
        }
        let known = listing.of(rest);
        // Keys so far apart are asked for by themselves.
        listing.is_vain |= known == Known::Nothing;
        known
    }

    /// The facts about `key`, of which nothing told the length so far. Whoever asks for several will ask for all.
    fn listed(&self, key: &str) -> Known {
        let is_first = self.heads.fetch_add(1, Ordering::Relaxed) == 0;
        match self.array_around(key).filter(|_| !is_first && self.can_list()) {
            Some(array) => self.listed_as_far_as(key, array),
            None => Known::Nothing,
        }
    }

    /// The array that the chunk under `key` is of, where its document was read.
    fn array_around<'k>(&self, key: &'k str) -> Option<&'k str> {
        let ends = key.match_indices('/').map(|(at, _)| at).collect::<Vec<_>>();
        let folders = ends.into_iter().rev().map(|end| key.get(..end).unwrap_or_default());
        let is_v2 = |folder: &str| {
            matches!(self.slots.document(&join(folder, ".zarray")), Some(Ok(Some(_))))
        };
        folders.chain([""]).find(|folder| self.is_array(folder) == Some(true) || is_v2(folder))
    }

    /// Keys that come after `key` in a listing, of those of which `is_wanted` is true.
    fn keys_after(&self, key: &str, is_wanted: impl Fn(&str, Option<Stat>) -> bool) -> Vec<String> {
        let mut found = Vec::new();
        for (listing, rest) in self.around(key) {
            let listing = lock(&listing);
            let mut bytes = 0;
            for (name, stat) in listing.files_after(rest) {
                if is_wanted(name, stat) {
                    bytes += stat.map_or(0, |stat| stat.len);
                    found.push(join(listing.prefix(), name));
                }
                if found.len() >= AHEAD || bytes > AHEAD_BYTES {
                    break;
                }
            }
            if !found.is_empty() {
                break;
            }
        }
        found
    }

    fn document(&self, key: &str, limit: u64) -> Result<Option<Vec<u8>>> {
        if let Some(known) = self.slots.document(key) {
            return known;
        }
        if !self.known_document(key).may_be_read(key, limit)? {
            return Ok(None);
        }
        let slot = self.slots.of(key);
        let mut slot = lock(&slot);
        if let Some(known) = slot.document() {
            return known;
        }
        self.asked.fetch_add(1, Ordering::Relaxed);
        let ahead = self.goes_through().then(|| self.keys_after(key, |name, _| is_document(name)));
        let mut keys = ahead.unwrap_or_default();
        keys.retain(|key| self.slots.is_new(key));
        keys.insert(0, key.to_owned());
        let read = |key: &String| self.origin.read(key, limit);
        let mut answers = several(&*self.origin, &keys, read).into_iter();
        let own = answers.next().unwrap_or(Ok(None));
        slot.put_document(&own);
        drop(slot);
        self.put_documents(keys.iter().skip(1), answers);
        own
    }

    fn put_documents<'k>(
        &self,
        keys: impl Iterator<Item = &'k String>,
        answers: impl Iterator<Item = Result<Option<Vec<u8>>>>,
    ) {
        for (key, answer) in keys.zip(answers) {
            lock(&self.slots.of(key)).put_document(&answer);
        }
    }

    /// The bytes of `range` of a slot's key, asked for where they are not kept.
    fn part(&self, key: &str, slot: &mut KeySlot, range: Range<u64>) -> Result<Option<Vec<u8>>> {
        let known = match (slot.stat, self.known(key)) {
            (KnownStat::File(stat), _) | (_, Known::File(Some(stat))) => Some(stat.len),
            (_, Known::Absent) => return Ok(None),
            _ => None,
        };
        let end = known.map_or(range.end, |len| range.end.min(len));
        if known.is_some() && end <= range.start {
            return Ok(Some(Vec::new()));
        }
        let known = known.or_else(|| self.length(key, slot));
        let Some(len) = known else {
            let read = self.origin.read_range(key, range.clone())?;
            // Where less is there than was asked for, that is all.
            if let Some(bytes) = &read
                && range.start == 0
                && (bytes.len() as u64) < range.end
            {
                self.sum(key, bytes);
                slot.put_whole(bytes.clone());
            } else if read.is_none() {
                slot.stat = KnownStat::Absent;
            }
            return Ok(read);
        };
        if let Some(bytes) = slot.part(&(range.start..end)) {
            return Ok(Some(bytes));
        }
        self.read_ahead(key);
        let mut wide = range.start / BLOCK * BLOCK..end.next_multiple_of(BLOCK).min(len);
        let is_whole = len <= slot::LARGEST && (wide == (0..len) || self.awaits_sum(key));
        let read = if is_whole {
            wide = 0..len;
            self.fetch(key, slot, &wide, &|| self.origin.read(key, len))?
        } else {
            self.fetch(key, slot, &wide, &|| self.origin.read_range(key, wide.clone()))?
        };
        let Some(bytes) = read else { return Ok(None) };
        if is_whole {
            self.sum(key, &bytes);
        }
        let within = range.start - wide.start..end - wide.start;
        let wanted = part_of(&bytes, &within).to_vec();
        slot.put_part(wide.start, bytes, len);
        Ok(Some(wanted))
    }

    /// The length of a slot's key, which is asked for where bytes are kept on the disk: these go by it.
    fn length(&self, key: &str, slot: &mut KeySlot) -> Option<u64> {
        let is_unknown = match self.known(key) {
            Known::Nothing | Known::File(None) => true,
            Known::File(Some(stat)) => !kept::names_version(stat),
            Known::Absent | Known::Folder => false,
        };
        if kept::is_on() && slot.stat == KnownStat::Unasked && is_unknown {
            slot.stat = self.origin.stat(key).ok()?.into();
        }
        self.stat_of(key, slot).map(|stat| stat.len)
    }

    /// The length and the time of a slot's key, where they are known.
    fn stat_of(&self, key: &str, slot: &KeySlot) -> Option<Stat> {
        match (slot.stat, self.known(key)) {
            (KnownStat::File(stat), _) | (_, Known::File(Some(stat))) => Some(stat),
            _ => None,
        }
    }

    /// The bytes `range` of a slot's key: those that are kept on the disk, or what `ask` gives, which is kept.
    fn fetch(
        &self,
        key: &str,
        slot: &KeySlot,
        range: &Range<u64>,
        ask: &dyn Fn() -> Result<Option<Vec<u8>>>,
    ) -> Result<Option<Vec<u8>>> {
        let ask = || {
            self.under_way.fetch_add(1, Ordering::Relaxed);
            let answer = ask();
            self.under_way.fetch_sub(1, Ordering::Relaxed);
            answer
        };
        let stat = self.stat_of(key, slot).filter(|_| kept::is_on());
        let entry =
            stat.and_then(|stat| kept::KeptEntry::of(&self.origin.name(), key, range, stat));
        let Some(entry) = entry else { return ask() };
        let is_all = |bytes: &Vec<u8>| bytes.len() as u64 == range.end - range.start;
        if let Some(bytes) = entry.read() {
            return Ok(Some(bytes));
        }
        let read = ask()?;
        if let Some(bytes) = read.as_ref().filter(|bytes| is_all(bytes)) {
            entry.write(bytes);
        }
        Ok(read)
    }

    /// Reads small chunks after `key` ahead, side by side, where all are going to be read and few threads do so.
    fn read_ahead(&self, key: &str) {
        if self.under_way.load(Ordering::Relaxed) >= AHEAD / 2 {
            return;
        }
        let Ok(reading) = self.reading.try_lock() else { return };
        let Some(prefix) = reading.as_deref() else { return };
        let is_chunk = |name: &str, stat: Option<Stat>| {
            !is_document(name) && stat.is_some_and(|stat| stat.len > 0 && stat.len <= SMALL)
        };
        let mut keys = self.keys_after(key, is_chunk);
        let is_below = |key: &str| prefix.is_empty() || key.starts_with(&join(prefix, ""));
        keys.retain(|key| is_below(key) && self.slots.is_new(key));
        several(&*self.origin, &keys, |key| {
            let slot = self.slots.of(key);
            // Another thread may have come to it meanwhile.
            let Ok(mut slot) = slot.try_lock() else { return };
            let Some(stat) = self.stat_of(key, &slot).filter(|_| slot.whole().is_none()) else {
                return;
            };
            let read = self.fetch(key, &slot, &(0..stat.len), &|| self.origin.read(key, stat.len));
            if let Ok(Some(bytes)) = read {
                self.sum(key, &bytes);
                slot.put_whole(bytes);
                self.slots.settle(key, &mut slot);
            }
        });
    }

    /// True if the MD5 of `key` will be asked for and is not known.
    fn awaits_sum(&self, key: &str) -> bool {
        let sums = lock(&self.sums);
        sums.as_ref().is_some_and(|sums| sums.len() < MOST_SUMS && !sums.contains_key(key))
    }

    /// Keeps the MD5 of all bytes of `key`, where it will be asked for.
    fn sum(&self, key: &str, bytes: &[u8]) {
        if self.awaits_sum(key) {
            let sum = (hex(&Md5::digest(bytes), ""), bytes.len() as u64);
            if let Some(sums) = lock(&self.sums).as_mut() {
                sums.insert(key.to_owned(), sum);
            }
        }
    }

    /// True if all of the store can be listed at once.
    fn lists_deep(&self) -> bool {
        let Some(whole) = lock(&self.deep).get("").cloned() else { return false };
        let mut whole = lock(&whole);
        (!whole.is_new() || self.next_page(&mut whole).is_ok()) && !whole.has_given_up()
    }

    /// True if all of the store was listed as far as everything below `prefix`, or is within a few pages.
    fn whole_covers(&self, prefix: &str) -> bool {
        let Some(whole) = lock(&self.deep).get("").cloned() else { return false };
        let mut whole = lock(&whole);
        for _ in 0..MOST_PAGES {
            let is_open = (whole.is_new() || whole.goes_on()) && !whole.is_vain;
            if whole.covers(prefix) || !is_open || self.next_page(&mut whole).is_err() {
                break;
            }
        }
        let covers = whole.covers(prefix);
        whole.is_vain |= !covers;
        covers
    }

    /// Lists folders, side by side, that were not listed.
    fn list_folders(&self, mut folders: Vec<String>) {
        folders.retain(|folder| lock(&self.flat(folder)).is_new());
        if folders.len() > 1 && self.can_list() {
            several(&*self.origin, &folders, |folder| {
                let flat = self.flat(folder);
                let mut flat = lock(&flat);
                // What cannot be listed is told to whoever asks for it.
                flat.is_new().then(|| self.next_page(&mut flat).ok())
            });
        }
    }

    /// The folders inside `top` after `folder`, as deep as that, as far as listings told of them.
    fn folders_after(&self, folder: &str, top: &str) -> Vec<String> {
        if folder == top {
            return Vec::new();
        }
        let in_folder = |folder: &str, after: &str| -> Vec<String> {
            let Some(flat) = lock(&self.flat).get(folder).cloned() else { return Vec::new() };
            let flat = lock(&flat);
            flat.folders_after(after).map(|name| join(folder, name)).take(AHEAD).collect()
        };
        let (above, name) = split(folder);
        let mut found = in_folder(above, name);
        for next in self.folders_after(above, top) {
            if found.len() >= AHEAD {
                break;
            }
            found.extend(in_folder(&next, ""));
        }
        found
    }

    /// Calls `each` for the entries of `listing` directly below `rest` of it.
    fn visit_listing(
        &self,
        listing: &Mutex<Listing>,
        rest: &str,
        each: &mut dyn FnMut(Entry) -> bool,
    ) -> Result<()> {
        let mut at = with_slash(rest);
        self.list_ahead(&mut lock(listing));
        loop {
            let step = lock(listing).step(rest, &mut at);
            match step {
                Step::Entry(entry) => {
                    if !each(entry) {
                        return Ok(());
                    }
                }
                Step::Page => {
                    let mut listing = lock(listing);
                    if listing.needs_page(&at) {
                        self.next_page(&mut listing)?;
                    }
                }
                Step::End => return Ok(()),
            }
        }
    }
}

impl Store for CachedStore {
    fn origin(&self) -> Option<&dyn Store> {
        Some(&*self.origin)
    }

    fn read(&self, key: &str, limit: u64) -> Result<Option<Vec<u8>>> {
        if is_document(key) {
            return self.document(key, limit);
        }
        let slot = self.slots.of(key);
        let mut slot = lock(&slot);
        if let Some(bytes) = slot.whole() {
            if bytes.len() as u64 > limit {
                return Err(super::too_large(key, bytes.len() as u64, limit));
            }
            return Ok(Some(bytes));
        }
        if !self.known(key).may_be_read(key, limit)? {
            return Ok(None);
        }
        self.read_ahead(key);
        let whole = 0..self.length(key, &mut slot).unwrap_or(0);
        let read = self.fetch(key, &slot, &whole, &|| self.origin.read(key, limit))?;
        match &read {
            Some(bytes) => {
                self.sum(key, bytes);
                slot.put_whole(bytes.clone());
            }
            None => slot.stat = KnownStat::Absent,
        }
        self.slots.settle(key, &mut slot);
        Ok(read)
    }

    fn read_range(&self, key: &str, range: Range<u64>) -> Result<Option<Vec<u8>>> {
        if is_document(key) {
            let Some(document) = self.document(key, super::DOCUMENT_LIMIT)? else {
                return Ok(None);
            };
            return Ok(Some(part_of(&document, &range).to_vec()));
        }
        let slot = self.slots.of(key);
        let mut slot = lock(&slot);
        let read = self.part(key, &mut slot, range);
        self.slots.settle(key, &mut slot);
        read
    }

    fn expect_reading(&self, prefix: Option<&str>) {
        self.reads_all.store(prefix.is_some(), Ordering::Relaxed);
        *lock(&self.reading) = prefix.map(ToOwned::to_owned);
    }

    fn expect_md5(&self) {
        lock(&self.sums).get_or_insert_default();
    }

    fn md5(&self, key: &str) -> Option<(String, u64)> {
        lock(&self.sums).as_ref()?.get(key).cloned()
    }

    fn stat(&self, key: &str) -> Result<Option<Stat>> {
        let known = if is_document(key) { self.known_document(key) } else { self.known(key) };
        if let Some(stat) = known.stat() {
            return Ok(stat);
        }
        if is_document(key) {
            // Whoever asks for a document's length reads it afterwards.
            let read = self.document(key, super::DOCUMENT_LIMIT)?;
            return Ok(read.map(|bytes| Stat::of_len(bytes.len() as u64)));
        }
        let slot = self.slots.of(key);
        let mut slot = lock(&slot);
        match slot.stat {
            KnownStat::File(stat) => return Ok(Some(stat)),
            KnownStat::Absent => return Ok(None),
            KnownStat::Unasked => {}
        }
        if let Some(stat) = self.listed(key).stat() {
            return Ok(stat);
        }
        let stat = self.origin.stat(key)?;
        slot.stat = stat.into();
        Ok(stat)
    }

    fn list(&self, prefix: &str) -> Result<Vec<Entry>> {
        super::sorted(self, prefix)
    }

    fn visit(&self, prefix: &str, each: &mut dyn FnMut(Entry) -> bool) -> Result<()> {
        let covering = || {
            let mut around = self.around(prefix).into_iter();
            around.find(|(listing, rest)| lock(listing).covers(rest))
        };
        let covering = covering().or_else(|| {
            self.can_list().then(|| self.expect_array(prefix));
            covering()
        });
        if let Some((listing, rest)) = covering {
            return self.visit_listing(&listing, rest, each);
        }
        // Of an array all folders are gone into; and who goes into two arrays will go into their siblings.
        let inside = join(prefix, "");
        let after = self.array_around(&inside).map(|array| {
            let is_first = prefix == array
                || lock(&self.entered).get_or_insert_with(|| array.to_owned()) == array;
            let above = split(array).0;
            self.folders_after(prefix, if is_first { array } else { above })
        });
        self.list_folders([vec![prefix.to_owned()], after.unwrap_or_default()].concat());
        self.visit_listing(&self.flat(prefix), "", each)
    }

    fn page(&self, asked: &PageRequest) -> Result<Option<ListingPage>> {
        self.origin.page(asked)
    }

    fn can_list(&self) -> bool {
        self.lists.load(Ordering::Relaxed) && self.origin.can_list()
    }

    fn lists_lengths(&self) -> bool {
        self.can_list() && self.lists_lengths.load(Ordering::Relaxed)
    }

    fn tells_length(&self, key: &str) -> bool {
        let is_asked = || lock(&self.slots.of(key)).stat != KnownStat::Unasked;
        self.known(key).stat().is_some() || is_asked() || self.listed(key).stat().is_some()
    }

    fn expect_listing(&self, prefix: &str) {
        if self.around(prefix).iter().any(|(listing, rest)| lock(listing).covers(rest)) {
            return;
        }
        if self.expected.fetch_add(1, Ordering::Relaxed) >= ONE_BY_ONE && self.whole_covers(prefix)
        {
            return;
        }
        let begun = lock(&self.deep).get(prefix).cloned();
        let listing = begun.unwrap_or_else(|| Arc::new(Mutex::new(Listing::new(prefix, true))));
        let is_listed = {
            let mut listing = lock(&listing);
            listing.expect_all();
            (!listing.is_new() || self.next_page(&mut listing).is_ok()) && !listing.has_given_up()
        };
        // Where the store cannot go into folders, each is listed.
        if is_listed {
            lock(&self.deep).insert(prefix.to_owned(), listing);
        }
    }

    fn expect_nodes(&self, prefix: &str, names: &[String]) {
        let folders = names.iter().map(|name| join(prefix, name));
        let is_v3 = self.begins_with(V3);
        // Only a listing tells which documents of V2 a node has, beside one of V3 too.
        if !self.lists_deep() {
            self.list_folders(folders.clone().collect());
        }
        let keys = folders.flat_map(|folder| NODES.map(|name| join(&folder, name)));
        let is_open = |key: &String| {
            let known = self.known(key);
            let is_likely = || is_v3 && known == Known::Nothing && key.ends_with(V3);
            self.slots.is_new(key) && (matches!(known, Known::File(_)) || is_likely())
        };
        let keys: Vec<_> = keys.filter(is_open).collect();
        if keys.len() > 1 {
            let read = |key: &String| self.origin.read(key, super::DOCUMENT_LIMIT);
            let answers = several(&*self.origin, &keys, read);
            self.put_documents(keys.iter(), answers.into_iter());
        }
    }

    fn refresh(&self) {
        lock(&self.flat).clear();
        let whole = Arc::new(Mutex::new(Listing::new("", true)));
        *lock(&self.deep) = BTreeMap::from([(String::new(), whole)]);
        self.slots.clear();
        self.lists.store(true, Ordering::Relaxed);
        self.origin.refresh();
    }

    fn name(&self) -> String {
        self.origin.name()
    }
}

/// The refusal to list where the store told before that it does not.
fn cannot_list() -> Error {
    Error::new(Code::CannotList, "The store cannot list what is in it.", "")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A store of two keys, each on a page of its own, of which the second is given up when it is asked for first.
    #[derive(Debug, Default)]
    struct TwoPages {
        asked: AtomicUsize,
    }

    impl Store for TwoPages {
        fn read(&self, _key: &str, _limit: u64) -> Result<Option<Vec<u8>>> {
            Ok(None)
        }

        fn read_range(&self, _key: &str, _range: Range<u64>) -> Result<Option<Vec<u8>>> {
            Ok(None)
        }

        fn stat(&self, _key: &str) -> Result<Option<Stat>> {
            Ok(None)
        }

        fn list(&self, _prefix: &str) -> Result<Vec<Entry>> {
            Ok(Vec::new())
        }

        fn name(&self) -> String {
            "two pages".into()
        }

        fn page(&self, asked: &PageRequest) -> Result<Option<ListingPage>> {
            let (name, next) = match asked.token {
                None => ("a", Some("second".to_owned())),
                Some(_) if self.asked.fetch_add(1, Ordering::Relaxed) == 0 => {
                    return Err(cannot_list());
                }
                Some(_) => ("b", None),
            };
            let files = vec![(name.to_owned(), Some(Stat::of_len(1)))];
            Ok(Some(ListingPage { files, next, ..ListingPage::default() }))
        }
    }

    #[test]
    fn a_page_that_was_given_up_ahead_is_asked_for_again() {
        let origin = Arc::new(TwoPages::default());
        let store = CachedStore::new(Arc::clone(&origin) as Arc<dyn Store>);
        store.expect_reading(Some(""));
        store.expect_listing("");
        let names: Vec<String> =
            store.list("").unwrap().into_iter().map(|entry| entry.name).collect();
        assert_eq!(names, ["a", "b"]);
        assert_eq!(origin.asked.load(Ordering::Relaxed), 2);
    }
}
