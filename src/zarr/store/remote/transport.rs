//! Requests over HTTP: sent, repeated where a server asks for that, counted, and taken down without their secrets.
//!
//! Whoever asks waits in its own thread; connections are kept for the next one.

use super::{
    at_once,
    fault::{Fault, HttpAnswer},
    options,
};
use crate::zarr::prelude::*;
use crate::zarr::store::{
    lock,
    requests::{Asker, RequestLog, SentRequest, THREAD_NAME, is_of_index},
};
use object_store::{
    ClientOptions,
    client::{
        HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpService,
    },
};
use std::{
    cell::RefCell,
    future::{Future, ready},
    io::{self, Read, Write},
    pin::Pin,
    sync::{
        Condvar, LazyLock, PoisonError,
        atomic::{AtomicU64, Ordering},
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};
use ureq::{
    Agent, Body, ResponseExt,
    http::{
        HeaderMap, Method, Request, Response, Uri, Version, header,
        uri::{Authority, Scheme},
    },
};

/// The number of times that a request is sent at most.
const ATTEMPTS: u32 = 5;
/// The time that is waited before the second attempt, and the most before any.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(20);
/// The time that a connection, and any answer, may take.
const CONNECT: Duration = Duration::from_secs(10);
const ANSWER: Duration = Duration::from_secs(30);
/// The time between two looks at whether anybody still wants an answer.
const LOOK: Duration = Duration::from_millis(10);
/// The bytes of an answer that are counted at a time.
const COUNTED: u64 = 64 << 10;
/// The most requests at once to a server that may speak HTTP/1.0, which takes a connection for each: `http.server` of Python
/// 3.11.7 lets five wait, and does not see any other before it is tried again, a second later or more.
const AT_ONCE_HTTP_1_0: u64 = 6;
/// The number of requests that are remembered.
const REMEMBERED: usize = 10_000;
/// The most bytes of an answer that no other limit is set for.
pub(super) const MOST: u64 = 4 << 30;

/// All that sends requests: one for the whole program, whose connections all stores share.
pub(super) struct Transport {
    agent: Agent,
    /// The most requests that may be sent; 0: any number.
    pub(super) most: AtomicU64,
    ledger: Mutex<Ledger>,
    changed: Condvar,
    /// Told when one request less is under way.
    free: Condvar,
    pub(super) log: Mutex<Option<Box<dyn Write + Send>>>,
}

pub(super) static TRANSPORT: LazyLock<Transport> = LazyLock::new(|| Transport {
    agent: agent(),
    most: AtomicU64::new(0),
    ledger: Mutex::default(),
    changed: Condvar::new(),
    free: Condvar::new(),
    log: Mutex::default(),
});

/// The requests so far.
#[derive(Default)]
struct Ledger {
    /// The sums; [`RequestLog::latest`] is kept apart.
    log: RequestLog,
    sent: VecDeque<Arc<SentRequest>>,
    /// The time since when requests are under way all the time.
    busy_from: Option<Instant>,
    servers: HashMap<Option<Authority>, ServerState>,
}

/// What is known of a server.
#[derive(Default)]
struct ServerState {
    /// The number of requests under way to it.
    waiting: u64,
    /// The version of HTTP by which it answered last.
    version: Option<Version>,
}

impl Ledger {
    fn server(&mut self, uri: &Uri) -> &mut ServerState {
        self.servers.entry(uri.authority().cloned()).or_default()
    }

    /// True if one more request may be sent to the server of this address now. Before its first answer, a server of
    /// plain HTTP may speak any version; those of HTTPS are not made to wait.
    fn has_room(&mut self, uri: &Uri) -> bool {
        let is_limited = options().at_once.is_none();
        let has_room = self.log.traffic.waiting < at_once() as u64;
        let (server, is_plain) = (self.server(uri), uri.scheme() == Some(&Scheme::HTTP));
        let may_be_1_0 = server.version.map_or(is_plain, |version| version <= Version::HTTP_10);
        has_room && !(is_limited && may_be_1_0 && server.waiting >= AT_ONCE_HTTP_1_0)
    }
}

fn agent() -> Agent {
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .allow_non_standard_methods(true)
        .timeout_connect(Some(CONNECT))
        .timeout_recv_response(Some(ANSWER))
        .timeout_per_read(Some(ANSWER))
        .max_idle_connections(256)
        .max_idle_connections_per_host(128)
        .user_agent(concat!("zarrscope/", env!("CARGO_PKG_VERSION")));
    config.build().new_agent()
}

impl Transport {
    /// The requests so far, those that were sent last among them.
    pub(super) fn requests(&self) -> RequestLog {
        let ledger = lock(&self.ledger);
        let mut log = ledger.log.clone();
        log.latest = ledger.sent.iter().cloned().collect();
        log.traffic.since = ledger.busy_from.map(|from| from.elapsed()).unwrap_or_default();
        log.traffic.busy += log.traffic.since;
        log
    }

    /// Waits until a request began or ended since there were so many changes.
    pub(super) fn wait_for_change(&self, seen: u64) {
        let is_seen = |ledger: &mut Ledger| ledger.log.changes == seen;
        let waited = self.changed.wait_while(lock(&self.ledger), is_seen);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    /// Sends a request, again where the server asks for it or the network failed; reads at most `most` bytes of the
    /// answer. It `follows` where an answer leads; whoever signs requests does not.
    pub(super) fn send(
        &'static self,
        request: &Request<Vec<u8>>,
        most: u64,
        follows: bool,
    ) -> Result<HttpAnswer, Fault> {
        let asker = Asker::current();
        let mut pause = FIRST_PAUSE;
        for attempt in 1.. {
            let answer = self.once(request, most, follows, &asker);
            let wanted = match &answer {
                Ok(answer) if is_temporary(answer.status) => after(&answer.headers),
                Err(fault) if fault.may_pass() => None,
                _ => return answer,
            };
            if attempt == ATTEMPTS {
                return answer;
            }
            wait(wanted.unwrap_or(pause).min(LONGEST_PAUSE), &asker);
            pause *= 2;
        }
        Err(Fault::Cut)
    }

    fn once(
        &'static self,
        request: &Request<Vec<u8>>,
        most: u64,
        follows: bool,
        asker: &Asker,
    ) -> Result<HttpAnswer, Fault> {
        if asker.has_given_up() {
            return Err(Fault::GivenUp);
        }
        self.begin(request.uri(), asker)?;
        let started = Instant::now();
        let answer = if asker.may_give_up() {
            self.until_given_up(request.clone(), most, follows, asker)
        } else {
            self.exchange(request, most, follows)
        };
        let (status, bytes) =
            answer.as_ref().map_or((0, 0), |answer| (answer.status, answer.body.len() as u64));
        let range = request.headers().get(header::RANGE).and_then(|range| range.to_str().ok());
        let sent = SentRequest {
            method: request.method().to_string(),
            address: without_secrets(&request.uri().to_string()),
            range: range.unwrap_or_default().to_owned(),
            status,
            bytes,
            elapsed: started.elapsed(),
            asker: asker.name(),
            is_of_index: is_of_index(),
        };
        self.end(request.uri(), sent);
        answer
    }

    /// [`Self::exchange`] in a thread of its own, which is left to itself when the asker gives up.
    fn until_given_up(
        &'static self,
        request: Request<Vec<u8>>,
        most: u64,
        follows: bool,
        asker: &Asker,
    ) -> Result<HttpAnswer, Fault> {
        let (sender, answers) = mpsc::channel();
        let exchange = move || drop(sender.send(self.exchange(&request, most, follows)));
        let thread = thread::Builder::new().name(THREAD_NAME.into()).spawn(exchange);
        thread.map_err(|error| Fault::Other(error.to_string()))?;
        loop {
            match answers.recv_timeout(LOOK) {
                Ok(answer) => return answer,
                Err(RecvTimeoutError::Timeout) if asker.has_given_up() => {
                    return Err(Fault::GivenUp);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(Fault::Cut),
            }
        }
    }

    /// Sends a request once, and reads the answer.
    fn exchange(
        &self,
        request: &Request<Vec<u8>>,
        most: u64,
        follows: bool,
    ) -> Result<HttpAnswer, Fault> {
        let most_redirects = if follows { 8 } else { 0 };
        let configured = self.agent.configure_request(request.clone());
        let request_now = configured.max_redirects(most_redirects).build();
        let sent = if request.body().is_empty() {
            self.agent.run(request_now.map(|_| ()))
        } else {
            self.agent.run(request_now)
        };
        let answer = sent.map_err(|error| Fault::of(&error))?;
        lock(&self.ledger).server(request.uri()).version = Some(answer.version());
        let is_folder = answer.get_uri().path().strip_suffix('/') == Some(request.uri().path());
        let answer = self.read(answer, request.method() == Method::HEAD, most)?;
        Ok(HttpAnswer { is_folder, ..answer })
    }

    /// Counts a request that is about to be sent, as soon as no more are under way than may be.
    fn begin(&self, uri: &Uri, asker: &Asker) -> Result<(), Fault> {
        let mut ledger = lock(&self.ledger);
        while !ledger.has_room(uri) {
            let waited = self.free.wait_timeout(ledger, LOOK);
            ledger = waited.unwrap_or_else(PoisonError::into_inner).0;
            if asker.has_given_up() {
                return Err(Fault::GivenUp);
            }
        }
        let limit = self.most.load(Ordering::Relaxed);
        if limit > 0 && ledger.log.traffic.requests >= limit {
            return Err(Fault::TooMany(limit));
        }
        ledger.busy_from.get_or_insert_with(Instant::now);
        ledger.log.traffic.requests += 1;
        ledger.log.traffic.waiting += 1;
        ledger.server(uri).waiting += 1;
        ledger.log.changes += 1;
        self.changed.notify_all();
        Ok(())
    }

    /// Takes down a request that is over.
    fn end(&self, uri: &Uri, sent: SentRequest) {
        if let Some(log) = lock(&self.log).as_mut() {
            // What cannot be logged is no reason to stop.
            let _ = writeln!(log, "{sent}").and_then(|()| log.flush());
        }
        let mut ledger = lock(&self.ledger);
        ledger.log.count(&sent);
        ledger.log.traffic.waiting -= 1;
        ledger.server(uri).waiting -= 1;
        ledger.log.changes += 1;
        if ledger.log.traffic.waiting == 0
            && let Some(from) = ledger.busy_from.take()
        {
            ledger.log.traffic.busy += from.elapsed();
        }
        if ledger.sent.len() == REMEMBERED {
            ledger.sent.pop_front();
        }
        ledger.sent.push_back(Arc::new(sent));
        self.changed.notify_all();
        self.free.notify_one();
    }

    /// All of an answer, at most `most` bytes of it.
    fn read(&self, answer: Response<Body>, is_head: bool, most: u64) -> Result<HttpAnswer, Fault> {
        let (parts, body) = answer.into_parts();
        let declared = parts.headers.get(header::CONTENT_LENGTH);
        let declared = declared.and_then(|len| len.to_str().ok()?.parse::<u64>().ok());
        let mut bytes = Vec::new();
        if !is_head {
            let mut reader = body.into_with_config().limit(u64::MAX).reader().take(most);
            // What has come so far is counted while the rest comes.
            while let read = reader.by_ref().take(COUNTED).read_to_end(&mut bytes)
                && let count = read.map_err(|error| Fault::of_body(&error))?
                && count > 0
            {
                lock(&self.ledger).log.traffic.bytes += count as u64;
            }
            if declared.is_some_and(|len| (bytes.len() as u64) < len.min(most)) {
                return Err(Fault::Cut);
            }
        }
        let status = parts.status.as_u16();
        Ok(HttpAnswer { status, headers: parts.headers, body: bytes, is_folder: false })
    }
}

/// Waits for so long, or until the asker gives up.
fn wait(time: Duration, asker: &Asker) {
    let end = Instant::now() + time;
    while !asker.has_given_up()
        && let left = end.saturating_duration_since(Instant::now())
        && !left.is_zero()
    {
        thread::sleep(left.min(LOOK));
    }
}

/// True if a server that answers so may answer otherwise later.
fn is_temporary(status: u16) -> bool {
    matches!(status, 408 | 429 | 500 | 502 | 503 | 504)
}

/// The time after which the server wants to be asked again.
fn after(headers: &HeaderMap) -> Option<Duration> {
    let seconds = headers.get(header::RETRY_AFTER)?.to_str().ok()?.parse().ok()?;
    Some(Duration::from_secs(seconds))
}

/// An address as it can be shown: without a name and a password, and without its query, which may sign it; of a query
/// that lists, the prefix.
pub(super) fn without_secrets(address: &str) -> String {
    let (address, query) = address.split_once('?').unwrap_or((address, ""));
    let (scheme, rest) = address.split_once("://").unwrap_or(("", address));
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let host = host.rsplit('@').next().unwrap_or_default();
    let shown =
        query.split('&').find(|part| part.starts_with("prefix=") || part.starts_with("comp="));
    let shown = shown.map(|part| format!("?{part}")).unwrap_or_default();
    safe(&format!("{scheme}://{host}/{path}{shown}")).into_owned()
}

/// The client that object stores are asked by.
#[derive(Debug)]
pub(super) struct Connector;

#[derive(Debug)]
struct Client;

thread_local! {
    /// The fault of the last request of this thread: an object store wraps it in words of its own.
    static LAST: RefCell<Option<Fault>> = const { RefCell::new(None) };
}

/// The fault of the last request of this thread.
pub(super) fn take_fault() -> Option<Fault> {
    LAST.with(|last| last.borrow_mut().take())
}

impl HttpConnector for Connector {
    fn connect(&self, _options: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(HttpClient::new(Client))
    }
}

impl HttpService for Client {
    fn call<'s, 'f>(
        &'s self,
        request: HttpRequest,
    ) -> Pin<Box<dyn Future<Output = Result<HttpResponse, HttpError>> + Send + 'f>>
    where
        's: 'f,
        Self: 'f,
    {
        let request = request.map(|body| body.as_bytes().map(|b| b.to_vec()).unwrap_or_default());
        let answer = TRANSPORT.send(&request, MOST, false);
        let keep = |fault: Fault| LAST.with(|last| *last.borrow_mut() = Some(fault));
        let answer = match answer {
            Ok(answer) => {
                if !(200..300).contains(&answer.status) {
                    keep(Fault::status(&answer));
                }
                let mut response = Response::new(answer.body.into());
                *response.headers_mut() = answer.headers;
                if let Ok(status) = answer.status.try_into() {
                    *response.status_mut() = status;
                }
                Ok(response)
            }
            Err(fault) => {
                keep(fault);
                // Of a kind that is not tried again: that was done here.
                Err(HttpError::new(HttpErrorKind::Unknown, io::Error::other("no answer")))
            }
        };
        Box::pin(ready(answer))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_shown_without_what_opens_it() {
        for (address, shown) in [
            (
                "https://b.s3.amazonaws.com/x?X-Amz-Signature=abc&X-Amz-Credential=k",
                "https://b.s3.amazonaws.com/x",
            ),
            ("https://me:word@host/x", "https://host/x"),
            (
                "http://h/b?list-type=2&prefix=x.zarr%2F&continuation-token=t",
                "http://h/b?prefix=x.zarr%2F",
            ),
        ] {
            assert_eq!(without_secrets(address), shown);
        }
    }
}
