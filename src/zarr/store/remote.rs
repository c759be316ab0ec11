//! Stores that are far away: on S3, Google Cloud Storage, Azure, and any server that speaks HTTP.
//!
//! Whoever asks such a store waits in its own thread; there is no other, but for what is asked for together.
//! Nothing is kept here: that is for [`CachedStore`](super::CachedStore).

use super::{
    ListingPage, PageRequest, join, lock,
    requests::{Asker, RequestLog},
};
use crate::zarr::prelude::*;
use std::{
    io::Write,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
};
use twox_hash::XxHash64;

mod address;
mod fault;
mod objects;
mod plain;
mod transport;
mod xml;

pub(in crate::zarr) use address::Address;
use address::Scheme;
use fault::Fault;
use transport::TRANSPORT;

/// The way to stores that are far away.
#[derive(Debug, Clone, Default)]
pub struct RemoteOptions {
    /// The server that is asked in place of the one of Amazon, Google or Microsoft.
    pub endpoint: Option<String>,
    /// The region of the bucket.
    pub region: Option<String>,
    /// True if no credentials are used.
    pub is_anonymous: bool,
    /// Further settings, by the keys of the crate `object_store`.
    pub settings: Vec<(String, String)>,
    /// The most requests at once; `None`: 64, and 6 of servers that speak HTTP/1.0.
    pub at_once: Option<usize>,
    /// The most requests of the program.
    pub most: Option<u64>,
}

static OPTIONS: OnceLock<RemoteOptions> = OnceLock::new();

/// Sets how stores are reached, for the whole program, before the first is opened: as variables of the environment do,
/// which they go before.
pub fn configure(options: RemoteOptions) {
    TRANSPORT.most.store(options.most.unwrap_or(0), Ordering::Relaxed);
    OPTIONS.set(options).ok();
}

/// True if the requests of the program are limited.
pub fn is_limited() -> bool {
    TRANSPORT.most.load(Ordering::Relaxed) > 0
}

/// Writes a line for every request from now on.
pub fn log_to(file: Box<dyn Write + Send>) {
    *lock(&TRANSPORT.log) = Some(file);
}

/// The requests of this program so far.
pub fn requests() -> RequestLog {
    TRANSPORT.requests()
}

/// Waits until a request began or ended since there were so many changes.
pub fn wait_for_request(changes: u64) {
    TRANSPORT.wait_for_change(changes);
}

/// The address that `path` is, without its secrets; `None` where it is a file here.
pub(super) fn shown(path: &Path) -> Option<String> {
    Address::of(path).map(|address| address.name(&address.path))
}

/// A hash of an `ETag`, which some servers give in quotation marks and others do not.
fn etag(text: &str) -> u64 {
    let text = text.trim().trim_start_matches("W/").replace("&quot;", "\"");
    XxHash64::oneshot(0, text.trim_matches('"').as_bytes())
}

fn options() -> &'static RemoteOptions {
    OPTIONS.get_or_init(RemoteOptions::default)
}

/// The number of requests that are sent at once.
pub fn at_once() -> usize {
    options().at_once.unwrap_or(64).max(1)
}

/// A server, whichever it is. Keys are those of the whole bucket or host.
trait Server: fmt::Debug + Send + Sync {
    /// The bytes of `range`, or all of them; `None` where there is no such key.
    fn get(
        &self,
        key: &str,
        range: Option<Range<u64>>,
        most: u64,
    ) -> Result<Option<Vec<u8>>, Fault>;

    fn head(&self, key: &str) -> Result<Option<Stat>, Fault>;

    /// As [`Store::page`].
    fn page(&self, asked: &PageRequest) -> Result<Option<ListingPage>, Fault>;
}

/// A store that is far away.
#[derive(Debug, Clone)]
pub(in crate::zarr) struct RemoteStore {
    server: Arc<dyn Server>,
    address: Address,
    /// The folder of the bucket or host that keys are in.
    prefix: String,
    lists: Arc<AtomicBool>,
    has_read: Arc<AtomicBool>,
    is_anonymous: bool,
}

impl RemoteStore {
    /// The bucket or the host of `address`, which is not asked for anything yet.
    ///
    /// # Errors
    ///
    /// If the settings do not make sense.
    pub(in crate::zarr) fn new(address: &Address) -> Result<Self> {
        let (server, is_anonymous): (Arc<dyn Server>, bool) = match address.scheme {
            Scheme::Http => (Arc::new(plain::PlainServer::new(address)), true),
            _ => objects::server(address, options())?,
        };
        Ok(Self {
            server,
            address: address.clone(),
            prefix: String::new(),
            lists: Arc::new(AtomicBool::new(true)),
            has_read: Arc::default(),
            is_anonymous,
        })
    }

    /// The folder `prefix` of the same bucket or host.
    pub(in crate::zarr) fn below(&self, prefix: &str) -> Self {
        Self { prefix: prefix.to_owned(), lists: Arc::new(AtomicBool::new(true)), ..self.clone() }
    }

    fn key(&self, key: &str) -> String {
        if key.is_empty() { self.prefix.clone() } else { join(&self.prefix, key) }
    }

    fn error(&self, fault: &Fault, key: &str) -> Error {
        fault.error(&self.address.host(), self.is_anonymous).in_file(safe(key))
    }

    fn answer<T>(&self, key: &str, answer: Result<Option<T>, Fault>) -> Result<Option<T>> {
        match answer {
            Ok(found) => {
                self.has_read.fetch_or(found.is_some(), Ordering::Relaxed);
                Ok(found)
            }
            Err(fault) if fault.is_absence() => Ok(None),
            Err(fault) => Err(self.error(&fault, key)),
        }
    }
}

impl Store for RemoteStore {
    fn read(&self, key: &str, limit: u64) -> Result<Option<Vec<u8>>> {
        let most = limit.saturating_add(1);
        let read = self.answer(key, self.server.get(&self.key(key), None, most))?;
        match read {
            Some(bytes) if bytes.len() as u64 > limit => {
                Err(super::too_large(key, bytes.len() as u64, limit))
            }
            read => Ok(read),
        }
    }

    fn read_range(&self, key: &str, range: Range<u64>) -> Result<Option<Vec<u8>>> {
        if range.is_empty() {
            return Ok(self.stat(key)?.map(|_| Vec::new()));
        }
        let most = range.end - range.start;
        self.answer(key, self.server.get(&self.key(key), Some(range), most))
    }

    fn stat(&self, key: &str) -> Result<Option<Stat>> {
        self.answer(key, self.server.head(&self.key(key)))
    }

    fn list(&self, prefix: &str) -> Result<Vec<Entry>> {
        let mut entries = Vec::new();
        let mut token = None;
        loop {
            let asked = PageRequest { prefix, is_deep: false, token: token.as_deref() };
            let Some(page) = self.page(&asked)? else { return Ok(entries) };
            let entry = |is_folder| move |name: String| Entry::new(name, is_folder);
            entries.extend(page.folders.into_iter().map(entry(true)));
            entries.extend(page.files.into_iter().map(|(name, _)| name).map(entry(false)));
            token = page.next;
            if token.is_none() {
                entries.sort_unstable();
                return Ok(entries);
            }
        }
    }

    fn page(&self, asked: &PageRequest) -> Result<Option<ListingPage>> {
        let prefix = self.key(asked.prefix);
        let page = self.server.page(&PageRequest { prefix: &prefix, ..*asked });
        page.map_err(|fault| {
            let error = self.error(&fault, asked.prefix);
            if !fault.is_denial() && !matches!(fault, Fault::Status { status: 404 | 405 | 501, .. }) {
                return error;
            }
            self.lists.store(false, Ordering::Relaxed);
            let text = format!("{} does not list what is in it.", safe(&self.address.host()));
            let error = Error::new(Code::CannotList, text, "").in_file(safe(asked.prefix));
            error.with_fix("Only what consolidated metadata names is found, and keys that are asked for one by one.")
        })
    }

    fn side_by_side(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        let threads = count.min(at_once());
        if threads < 2 {
            return (0..count).for_each(work);
        }
        let (next, asker) = (AtomicUsize::new(0), Asker::current());
        let work_on = || {
            while let at = next.fetch_add(1, Ordering::Relaxed)
                && at < count
            {
                work(at);
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| asker.during(work_on));
            }
        });
    }

    fn can_list(&self) -> bool {
        self.lists.load(Ordering::Relaxed)
    }

    fn refresh(&self) {
        self.lists.store(true, Ordering::Relaxed);
    }

    fn is_far(&self) -> bool {
        true
    }

    fn name(&self) -> String {
        self.address.name(&self.prefix)
    }

    fn title(&self) -> String {
        let last = self.prefix.rsplit('/').next().filter(|last| !last.is_empty());
        last.map_or_else(|| self.address.host(), ToOwned::to_owned)
    }
}
