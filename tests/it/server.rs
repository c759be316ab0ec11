//! A server of HTTP for the tests: a plain one, one of WebDAV, one of S3; and one that fails in the ways that servers do.

use std::{
    collections::{BTreeMap, HashMap},
    fmt::Write as _,
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    ops::Bound,
    path::Path,
    sync::{Arc, Mutex, RwLock},
    thread,
    time::{Duration, Instant},
};

/// The way the server tells what is in a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lists {
    Nothing,
    /// As the server of Python: all names.
    Links,
    /// As nginx: the length of each file, and no name that begins with a dot.
    Index,
    WebDav,
    S3,
}

/// An answer in place of the right one.
#[derive(Debug, Clone)]
pub(crate) enum Fault {
    /// A status with headers and a body.
    Status(u16, &'static str, &'static str),
    /// The body ends in the middle.
    Cut,
    /// All of the file, whatever range is asked for.
    NoRange,
    /// A web page with status 200.
    Page,
    /// No answer before the script is another one.
    Hang,
}

/// The behaviour of a server.
#[derive(Debug)]
pub(crate) struct Script {
    pub(crate) lists: Lists,
    pub(crate) latency: Duration,
    /// Faults for the keys with this text in them, as often as it says.
    pub(crate) faults: Vec<(&'static str, Fault, usize)>,
    /// The most keys of a page of S3.
    pub(crate) per_page: usize,
    /// The most bytes a second, over all connections together.
    pub(crate) bandwidth: Option<u64>,
    /// As Python's `http.server`: HTTP/1.0, a connection for each request.
    pub(crate) is_http_1_0: bool,
}

impl Script {
    pub(crate) fn lists(lists: Lists) -> Self {
        let latency = Duration::ZERO;
        Self {
            lists,
            latency,
            faults: Vec::new(),
            per_page: 1000,
            bandwidth: None,
            is_http_1_0: false,
        }
    }

    pub(crate) fn fails(mut self, keys: &'static str, fault: Fault, times: usize) -> Self {
        self.faults.push((keys, fault, times));
        self
    }
}

/// A server, for as long as the program runs.
pub(crate) struct Server {
    /// Such as `127.0.0.1:4711`.
    pub(crate) host: String,
    shared: Arc<Shared>,
}

/// The files, the behaviour, the first line of every request; how many are answered now, and the most so far; the time
/// until which the link is taken.
type Shared = (
    RwLock<Files>,
    Mutex<Script>,
    Mutex<Vec<String>>,
    Mutex<(usize, usize)>,
    Mutex<Option<Instant>>,
);

type Files = BTreeMap<String, Vec<u8>>;

impl Server {
    /// Serves the files in `folder`. Of S3, the bucket is called `bucket`.
    pub(crate) fn start(folder: &Path, script: Script) -> Self {
        let mut files = Files::new();
        take(folder, "", &mut files);
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let host = listener.local_addr().unwrap().to_string();
        let (asked, at_once, taken) = (Mutex::default(), Mutex::default(), Mutex::default());
        let shared = Arc::new((RwLock::new(files), Mutex::new(script), asked, at_once, taken));
        let server = Self { host, shared: Arc::clone(&shared) };
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let shared = Arc::clone(&shared);
                thread::spawn(move || {
                    let reader = BufReader::new(stream.try_clone().unwrap());
                    serve(reader, stream, &shared);
                });
            }
        });
        server
    }

    /// Behaves otherwise from now on.
    pub(crate) fn behave(&self, script: Script) {
        *self.shared.1.lock().unwrap() = script;
    }

    /// Has other bytes under a key from now on.
    pub(crate) fn put(&self, key: &str, bytes: Vec<u8>) {
        self.shared.0.write().unwrap().insert(key.to_owned(), bytes);
    }

    /// The most requests that were under way at once since this was asked last.
    pub(crate) fn most_at_once(&self) -> usize {
        let mut at_once = self.shared.3.lock().unwrap();
        let now = at_once.0;
        std::mem::replace(&mut at_once.1, now)
    }

    pub(crate) fn asked(&self) -> Vec<String> {
        self.shared.2.lock().unwrap().clone()
    }
}

fn take(folder: &Path, prefix: &str, files: &mut Files) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let key = format!("{prefix}{}", path.file_name().unwrap().to_str().unwrap());
        if path.is_dir() {
            take(&path, &format!("{key}/"), files);
        } else {
            files.insert(key, std::fs::read(path).unwrap());
        }
    }
}

fn serve(
    mut reader: BufReader<TcpStream>,
    mut out: TcpStream,
    (files, script, asked, at_once, taken): &Shared,
) {
    out.set_nodelay(true).unwrap();
    loop {
        let mut first = String::new();
        if reader.read_line(&mut first).unwrap_or(0) == 0 {
            return;
        }
        let mut headers = HashMap::new();
        for line in reader.by_ref().lines().map_while(Result::ok).take_while(|l| !l.is_empty()) {
            let (name, value) = line.split_once(": ").unwrap();
            headers.insert(name.to_lowercase(), value.to_owned());
        }
        let len = headers.get("content-length").map_or(0, |len| len.parse().unwrap());
        std::io::copy(&mut reader.by_ref().take(len), &mut std::io::sink()).unwrap();
        asked.lock().unwrap().push(first.trim().to_owned());
        {
            let mut at_once = at_once.lock().unwrap();
            *at_once = (at_once.0 + 1, at_once.1.max(at_once.0 + 1));
        }
        let mut parts = first.split(' ');
        let (method, target) = (parts.next().unwrap(), decoded(parts.next().unwrap()));
        let (path, query) = target.split_once('?').unwrap_or((&target, ""));
        let path = path.trim_start_matches('/');
        let (fault, latency, lists, per_page, bandwidth, is_http_1_0) = loop {
            let mut script = script.lock().unwrap();
            let found =
                script.faults.iter_mut().find(|(keys, _, n)| target.contains(keys) && *n > 0);
            let fault = found.map(|(_, fault, times)| {
                *times -= 1;
                fault.clone()
            });
            if !matches!(fault, Some(Fault::Hang)) {
                let Script { latency, lists, per_page, bandwidth, is_http_1_0, .. } = *script;
                break (fault, latency, lists, per_page, bandwidth, is_http_1_0);
            }
            drop(script);
            thread::sleep(Duration::from_millis(5));
        };
        thread::sleep(latency);
        let files = &*files.read().unwrap();
        let key = if lists == Lists::S3 {
            path.strip_prefix("bucket").unwrap_or("?").trim_start_matches('/')
        } else {
            path
        };
        let (status, mut head, body) = match (&fault, method) {
            (Some(Fault::Status(status, head, body)), _) => {
                (*status, (*head).to_owned(), body.as_bytes().to_vec())
            }
            (Some(Fault::Page), _) => (
                200,
                "content-type: text/html\r\n".into(),
                b"<!DOCTYPE html><p>Please log in".to_vec(),
            ),
            (_, "PROPFIND") if lists == Lists::WebDav => webdav(files, key),
            (_, "PROPFIND") => (405, String::new(), Vec::new()),
            _ if query.contains("list-type=2") => s3(files, query, per_page),
            _ if key.is_empty() || key.ends_with('/') => links(files, key, lists),
            _ => {
                let range = headers.get("range").filter(|_| !matches!(fault, Some(Fault::NoRange)));
                file(files, key, range.map(String::as_str))
            }
        };
        let sent = if matches!(fault, Some(Fault::Cut)) { body.len() / 2 } else { body.len() };
        if !head.contains("content-type") {
            head += "content-type: application/octet-stream\r\n";
        }
        at_once.lock().unwrap().0 -= 1;
        let version = if is_http_1_0 { "1.0" } else { "1.1" };
        let head =
            format!("HTTP/{version} {status} x\r\ncontent-length: {}\r\n{head}\r\n", body.len());
        out.write_all(head.as_bytes()).ok();
        let mut parts = body[..sent].chunks(PACKET);
        let mut is_cut_off = |part| {
            wait_for_link(taken, bandwidth, <[u8]>::len(part) as u64);
            out.write_all(part).is_err()
        };
        if method != "HEAD" && parts.any(&mut is_cut_off) || sent < body.len() || is_http_1_0 {
            return;
        }
    }
}

/// The bytes that are sent at a time.
const PACKET: usize = 16 << 10;

/// Waits until `len` bytes have gone over a link that takes so many a second.
fn wait_for_link(taken: &Mutex<Option<Instant>>, bandwidth: Option<u64>, len: u64) {
    let Some(bandwidth) = bandwidth else { return };
    let now = Instant::now();
    let mut taken = taken.lock().unwrap();
    let free = taken.map_or(now, |until| until.max(now));
    let until = free + Duration::from_nanos(len * 1_000_000_000 / bandwidth);
    *taken = Some(until);
    drop(taken);
    thread::sleep(until.saturating_duration_since(now));
}

type Response = (u16, String, Vec<u8>);

const TIME: &str = "last-modified: Wed, 21 Oct 2015 07:28:00 GMT\r\n";

/// The `ETag` of a body.
fn etag(bytes: &[u8]) -> String {
    let hash = bytes.iter().fold(7_u64, |hash, byte| hash.wrapping_mul(31) + u64::from(*byte));
    format!("\"{hash:x}\"")
}

fn file(files: &Files, key: &str, range: Option<&str>) -> Response {
    let Some(bytes) = files.get(key) else {
        return (404, String::new(), b"<Error><Code>NoSuchKey</Code></Error>".to_vec());
    };
    let head = format!("{TIME}etag: {}\r\n", etag(bytes));
    let Some((from, to)) = range.and_then(|range| range.strip_prefix("bytes=")?.split_once('-'))
    else {
        return (200, head, bytes.clone());
    };
    let from: usize = from.parse().unwrap();
    let to = to.parse::<usize>().map_or(bytes.len(), |to| (to + 1).min(bytes.len()));
    if from >= bytes.len() {
        return (416, String::new(), Vec::new());
    }
    let head = format!("{head}content-range: bytes {from}-{}/{}\r\n", to - 1, bytes.len());
    (206, head, bytes[from..to].to_vec())
}

/// The names directly in a folder, with the lengths of files.
fn names<'f>(files: &'f Files, folder: &str) -> BTreeMap<&'f str, Option<usize>> {
    let from = files.range(folder.to_owned()..);
    let inside = from.map_while(|(key, bytes)| Some((key.strip_prefix(folder)?, bytes)));
    let name = |(key, bytes): (&'f str, &Vec<u8>)| match key.split_once('/') {
        Some((name, _)) => (name, None),
        None => (key, Some(bytes.len())),
    };
    inside.map(name).collect()
}

fn links(files: &Files, folder: &str, lists: Lists) -> Response {
    let names = names(files, folder);
    if names.is_empty() || !matches!(lists, Lists::Links | Lists::Index) {
        return (404, String::new(), Vec::new());
    }
    let is_index = lists == Lists::Index;
    let title = if is_index { "Index of" } else { "Directory listing for" };
    let mut page =
        format!("<html><head><title>{title} /{folder}</title></head><a href=\"../\">../</a>\n");
    for (name, len) in names {
        let slash = if len.is_none() { "/" } else { "" };
        let len = len.map_or_else(|| "-".to_owned(), |len| len.to_string());
        let beside = if is_index { format!("  26-Nov-2026 08:00  {len}") } else { String::new() };
        if !is_index || !name.starts_with('.') {
            writeln!(page, "<a href=\"{name}{slash}\">{name}{slash}</a>{beside}").unwrap();
        }
    }
    (200, "content-type: text/html\r\n".into(), page.into_bytes())
}

fn webdav(files: &Files, folder: &str) -> Response {
    let mut page = "<?xml version=\"1.0\"?><D:multistatus xmlns:D=\"DAV:\">".to_owned();
    let names = names(files, folder);
    if names.is_empty() {
        return (404, String::new(), Vec::new());
    }
    write!(page, "<D:response><D:href>/{folder}</D:href><D:resourcetype><D:collection/></D:resourcetype></D:response>").unwrap();
    for (name, len) in names {
        let (slash, kind) = if len.is_none() { ("/", "<D:collection/>") } else { ("", "") };
        let len = len.unwrap_or(0);
        write!(page, "<D:response><D:href>/{folder}{name}{slash}</D:href><D:propstat><D:prop><D:getcontentlength>{len}</D:getcontentlength><D:resourcetype>{kind}</D:resourcetype></D:prop></D:propstat></D:response>").unwrap();
    }
    (207, String::new(), (page + "</D:multistatus>").into_bytes())
}

fn s3(files: &Files, query: &str, per_page: usize) -> Response {
    let parameter =
        |name: &str| query.split('&').find_map(|part| part.strip_prefix(name)).unwrap_or("");
    let (prefix, is_deep) = (parameter("prefix="), parameter("delimiter=").is_empty());
    let token = parameter("continuation-token=");
    let mut at = Bound::Included(if token.is_empty() { prefix } else { token }.to_owned());
    let (mut page, mut count, mut next) = (String::new(), 0, None);
    while let Some((key, bytes)) = files.range((at.clone(), Bound::Unbounded)).next() {
        let Some(name) = key.strip_prefix(prefix) else { break };
        if count == per_page {
            next = Some(key);
            break;
        }
        count += 1;
        if let Some((name, _)) = name.split_once('/').filter(|_| !is_deep) {
            write!(page, "<CommonPrefixes><Prefix>{prefix}{name}/</Prefix></CommonPrefixes>")
                .unwrap();
            at = Bound::Included(format!("{prefix}{name}0"));
        } else {
            write!(page, "<Contents><Key>{key}</Key><LastModified>2015-10-21T07:28:00.000Z</LastModified><ETag>{}</ETag><Size>{}</Size></Contents>", etag(bytes), bytes.len()).unwrap();
            at = Bound::Excluded(key.clone());
        }
    }
    let token = next
        .map(|key| format!("<NextContinuationToken>{key}</NextContinuationToken>"))
        .unwrap_or_default();
    let text = format!(
        "<?xml version=\"1.0\"?><ListBucketResult><Name>bucket</Name>{page}{token}</ListBucketResult>"
    );
    (200, "content-type: application/xml\r\n".into(), text.into_bytes())
}

fn decoded(text: &str) -> String {
    let mut parts = text.split('%');
    let mut bytes = parts.next().unwrap().as_bytes().to_vec();
    for part in parts {
        bytes.push(u8::from_str_radix(part.get(..2).unwrap(), 16).unwrap());
        bytes.extend(&part.as_bytes()[2..]);
    }
    String::from_utf8(bytes).unwrap()
}
