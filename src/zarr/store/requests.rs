//! Requests over a network, as whoever looks at a store sees them: who asks, what was sent, what it cost.

use super::DOCUMENTS;
use std::{
    cell::{Cell, RefCell},
    fmt,
    sync::Arc,
    time::Duration,
};

/// The name of threads that may panic without taking the program down.
pub const THREAD_NAME: &str = "zarrscope worker";

/// Tells whether nobody wants the answer any more.
type GivenUp = Arc<dyn Fn() -> bool + Send + Sync>;

/// The one that a thread asks stores for. Threads that work for another take its asker along.
#[derive(Clone, Default)]
pub struct Asker {
    name: Option<Arc<str>>,
    given_up: Option<GivenUp>,
}

impl fmt::Debug for Asker {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_tuple("Asker").field(&self.name).finish()
    }
}

thread_local! {
    static CURRENT: RefCell<Asker> = RefCell::default();
    static OF_INDEX: Cell<bool> = const { Cell::new(false) };
}

/// Reads a part of the index of a shard: what is asked for meanwhile is counted so.
pub fn of_index<T>(read: impl FnOnce() -> T) -> T {
    let before = OF_INDEX.replace(true);
    let read = read();
    OF_INDEX.set(before);
    read
}

/// True if this thread reads the index of a shard.
pub fn is_of_index() -> bool {
    OF_INDEX.get()
}

/// Puts the asker back that was there before.
struct Before(Asker);

impl Drop for Before {
    fn drop(&mut self) {
        CURRENT.with(|current| current.replace(std::mem::take(&mut self.0)));
    }
}

impl Asker {
    /// An asker that wants answers until `given_up` is true.
    pub fn new(name: &str, given_up: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self { name: Some(name.into()), given_up: Some(Arc::new(given_up)) }
    }

    /// The asker of this thread.
    pub fn current() -> Self {
        CURRENT.with(|current| current.borrow().clone())
    }

    /// Does `work`, whose requests are this asker's.
    pub fn during<T>(&self, work: impl FnOnce() -> T) -> T {
        let _before = Before(CURRENT.with(|current| current.replace(self.clone())));
        work()
    }

    /// Its name: a view, a check; empty where there is none.
    pub fn name(&self) -> Arc<str> {
        self.name.clone().unwrap_or_default()
    }

    /// True if it may give up while a request is under way.
    pub fn may_give_up(&self) -> bool {
        self.given_up.is_some()
    }

    /// True if nobody wants the answer any more.
    pub fn has_given_up(&self) -> bool {
        self.given_up.as_ref().is_some_and(|given_up| given_up())
    }
}

/// The sums over all requests of this program.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Traffic {
    /// The number of requests, each attempt counted.
    pub requests: u64,
    /// The bytes of the answers' bodies.
    pub bytes: u64,
    /// The number of those under way.
    pub waiting: u64,
    /// The time since when some are under way all the time.
    pub since: Duration,
    /// The time in which any was under way.
    pub busy: Duration,
}

/// The thing that a request is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestKind {
    /// A metadata document.
    Document,
    /// A listing.
    Listing,
    /// The length or the time of a key.
    Head,
    /// The index of a shard.
    Index,
    /// A chunk, an inner chunk, a part of an archive; the index of a shard that was read with all of it.
    Chunk,
}

impl RequestKind {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 5] =
        [Self::Document, Self::Listing, Self::Head, Self::Index, Self::Chunk];

    /// Their name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Document => "documents",
            Self::Listing => "listings",
            Self::Head => "lengths",
            Self::Index => "indexes",
            Self::Chunk => "chunks",
        }
    }
}

/// A request that was answered, or failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentRequest {
    /// `GET`, `HEAD` or `PROPFIND`.
    pub method: String,
    /// The address, without its secrets.
    pub address: String,
    /// The range of bytes that was asked for, as HTTP writes it.
    pub range: String,
    /// The status; 0 where there was no answer.
    pub status: u16,
    /// The bytes of the body.
    pub bytes: u64,
    /// The time it took.
    pub elapsed: Duration,
    /// The name of the one who asked.
    pub asker: Arc<str>,
    /// True if the index of a shard was wanted.
    pub is_of_index: bool,
}

impl SentRequest {
    /// The thing that it was for.
    pub fn kind(&self) -> RequestKind {
        let (path, query) = self.address.split_once('?').unwrap_or((&self.address, ""));
        let name = path.rsplit('/').next().unwrap_or_default();
        match self.method.as_str() {
            "PROPFIND" => RequestKind::Listing,
            _ if !query.is_empty() || name.is_empty() => RequestKind::Listing,
            _ if DOCUMENTS.contains(&name) => RequestKind::Document,
            "HEAD" => RequestKind::Head,
            _ if self.is_of_index && !self.range.is_empty() => RequestKind::Index,
            _ => RequestKind::Chunk,
        }
    }
}

impl fmt::Display for SentRequest {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { method, address, range, status, bytes, elapsed, asker, .. } = self;
        let or_dash = |text: &str| if text.is_empty() { "-".to_owned() } else { text.to_owned() };
        let (range, asker) = (or_dash(range), or_dash(asker));
        let milliseconds = elapsed.as_millis();
        write!(f, "{method}\t{address}\t{range}\t{bytes}\t{milliseconds}\t{status}\t{asker}")
    }
}

/// The sums over the requests of a kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct KindSum {
    /// Their number.
    pub requests: u64,
    /// The bytes of their answers.
    pub bytes: u64,
    /// The time that they took, one after the other.
    pub elapsed: Duration,
    /// The number of those whose answer was that there is nothing.
    pub absent: u64,
    /// The number of those that were denied.
    pub denied: u64,
}

/// All that is known of the requests of this program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RequestLog {
    /// The sums over all.
    pub traffic: Traffic,
    /// The sums over those of each kind, in the order of [`RequestKind::ALL`].
    pub kinds: [KindSum; RequestKind::ALL.len()],
    /// Those that were sent last, the latest at the end.
    pub latest: Vec<Arc<SentRequest>>,
    /// The number of times that a request began or ended.
    pub changes: u64,
}

impl RequestLog {
    /// The sums over those of a kind.
    pub fn of(&self, kind: RequestKind) -> KindSum {
        self.kinds.get(kind as usize).copied().unwrap_or_default()
    }

    /// Takes a request into the sums.
    pub fn count(&mut self, sent: &SentRequest) {
        let Some(sum) = self.kinds.get_mut(sent.kind() as usize) else { return };
        sum.requests += 1;
        sum.bytes += sent.bytes;
        sum.elapsed += sent.elapsed;
        sum.absent += u64::from(matches!(sent.status, 404 | 410));
        sum.denied += u64::from(matches!(sent.status, 401 | 403));
    }
}
