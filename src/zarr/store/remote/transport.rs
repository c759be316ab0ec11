//! Requests over HTTP: sent, repeated where a server asks for that, counted, and taken down without their secrets.
//!
//! Whoever asks waits in its own thread; connections are kept for the next one.

use super::fault::{Fault, HttpAnswer};
use crate::zarr::{store::lock, text::safe};
use object_store::{
    ClientOptions,
    client::{
        HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpService,
    },
};
use std::{
    cell::RefCell,
    collections::VecDeque,
    fmt,
    future::{Future, ready},
    io::{self, Read, Write},
    pin::Pin,
    sync::{
        LazyLock, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};
use ureq::{
    Agent, Body,
    http::{HeaderMap, Method, Request, Response, header},
};

/// The number of times that a request is sent at most.
const ATTEMPTS: u32 = 5;
/// The time that is waited before the second attempt, and the most before any.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(20);
/// The time that a connection, and any answer, may take.
const CONNECT: Duration = Duration::from_secs(10);
const ANSWER: Duration = Duration::from_secs(30);
/// The number of requests that are remembered.
const REMEMBERED: usize = 10_000;
/// The most bytes of an answer that no other limit is set for.
pub(super) const MOST: u64 = 4 << 30;

/// The sums over all requests of this program.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Traffic {
    /// The number of requests, each attempt counted.
    pub requests: u64,
    /// The bytes of the answers' bodies.
    pub bytes: u64,
    /// The number of those under way.
    pub waiting: u64,
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
}

impl fmt::Display for SentRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { method, address, range, status, bytes, elapsed } = self;
        let range = if range.is_empty() { "-" } else { range };
        let milliseconds = elapsed.as_millis();
        write!(f, "{method}\t{address}\t{range}\t{bytes}\t{milliseconds}\t{status}")
    }
}

/// All that sends requests: one for the whole program, whose connections all stores share.
pub(super) struct Transport {
    agent: Agent,
    requests: AtomicU64,
    bytes: AtomicU64,
    waiting: AtomicU64,
    /// The most requests that may be sent; 0: any number.
    pub(super) most: AtomicU64,
    sent: Mutex<VecDeque<SentRequest>>,
    pub(super) log: Mutex<Option<Box<dyn Write + Send>>>,
}

pub(super) static TRANSPORT: LazyLock<Transport> = LazyLock::new(|| Transport {
    agent: agent(),
    requests: AtomicU64::new(0),
    bytes: AtomicU64::new(0),
    waiting: AtomicU64::new(0),
    most: AtomicU64::new(0),
    sent: Mutex::default(),
    log: Mutex::default(),
});

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
    /// The sums so far.
    pub(super) fn traffic(&self) -> Traffic {
        let get = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Traffic {
            requests: get(&self.requests),
            bytes: get(&self.bytes),
            waiting: get(&self.waiting),
        }
    }

    /// The requests that were answered last, the latest at the end.
    pub(super) fn sent(&self) -> Vec<SentRequest> {
        lock(&self.sent).iter().cloned().collect()
    }

    /// Sends a request, again where the server asks for it or the network failed; reads at most `most` bytes of the
    /// answer. It `follows` where an answer leads; whoever signs requests does not.
    pub(super) fn send(
        &self,
        request: &Request<Vec<u8>>,
        most: u64,
        follows: bool,
    ) -> Result<HttpAnswer, Fault> {
        let mut pause = FIRST_PAUSE;
        for attempt in 1.. {
            let answer = self.once(request, most, follows);
            let wanted = match &answer {
                Ok(answer) if is_temporary(answer.status) => after(&answer.headers),
                Err(fault) if fault.may_pass() => None,
                _ => return answer,
            };
            if attempt == ATTEMPTS {
                return answer;
            }
            std::thread::sleep(wanted.unwrap_or(pause).min(LONGEST_PAUSE));
            pause *= 2;
        }
        Err(Fault::Cut)
    }

    fn once(
        &self,
        request: &Request<Vec<u8>>,
        most: u64,
        follows: bool,
    ) -> Result<HttpAnswer, Fault> {
        let number = self.requests.fetch_add(1, Ordering::Relaxed);
        let limit = self.most.load(Ordering::Relaxed);
        if limit > 0 && number >= limit {
            self.requests.fetch_sub(1, Ordering::Relaxed);
            return Err(Fault::TooMany(limit));
        }
        self.waiting.fetch_add(1, Ordering::Relaxed);
        let started = Instant::now();
        let (method, has_body) = (request.method(), !request.body().is_empty());
        let most_redirects = if follows { 8 } else { 0 };
        let configured = self.agent.configure_request(request.clone());
        let request_now = configured.max_redirects(most_redirects).build();
        let sent = if has_body {
            self.agent.run(request_now)
        } else {
            self.agent.run(request_now.map(|_| ()))
        };
        let is_head = method == Method::HEAD;
        let answer =
            sent.map_err(|error| Fault::of(&error)).and_then(|answer| read(answer, is_head, most));
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        let (status, bytes) =
            answer.as_ref().map_or((0, 0), |answer| (answer.status, answer.body.len() as u64));
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        let range = request.headers().get(header::RANGE).and_then(|range| range.to_str().ok());
        self.note(SentRequest {
            method: method.to_string(),
            address: without_secrets(&request.uri().to_string()),
            range: range.unwrap_or_default().to_owned(),
            status,
            bytes,
            elapsed: started.elapsed(),
        });
        answer
    }

    fn note(&self, sent: SentRequest) {
        if let Some(log) = lock(&self.log).as_mut() {
            // What cannot be logged is no reason to stop.
            let _ = writeln!(log, "{sent}").and_then(|()| log.flush());
        }
        let mut all = lock(&self.sent);
        if all.len() == REMEMBERED {
            all.pop_front();
        }
        all.push_back(sent);
    }
}

/// All of an answer, at most `most` bytes of it.
fn read(answer: Response<Body>, is_head: bool, most: u64) -> Result<HttpAnswer, Fault> {
    let (parts, body) = answer.into_parts();
    let declared = parts.headers.get(header::CONTENT_LENGTH);
    let declared = declared.and_then(|len| len.to_str().ok()?.parse::<u64>().ok());
    let mut bytes = Vec::new();
    if !is_head {
        let reader = body.into_with_config().limit(u64::MAX).reader();
        let read = reader.take(most).read_to_end(&mut bytes);
        read.map_err(|error| Fault::of_body(&error))?;
        if declared.is_some_and(|len| (bytes.len() as u64) < len.min(most)) {
            return Err(Fault::Cut);
        }
    }
    Ok(HttpAnswer { status: parts.status.as_u16(), headers: parts.headers, body: bytes })
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
