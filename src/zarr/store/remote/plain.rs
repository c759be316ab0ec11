//! Any server that speaks HTTP. It gives bytes by their address, and lists folders by WebDAV, by a page of links, or
//! not at all.

use super::{
    super::key::with_slash,
    Address, ListingPage, PageRequest, Server, Stat,
    address::decoded,
    etag,
    fault::{Fault, HttpAnswer},
    transport::TRANSPORT,
    xml::{elements, has_tag},
};
use crate::zarr::prelude::*;
use std::time::Duration;
use ureq::http::{Method, Request, header};

/// The most bytes of a listing.
const LONGEST_LISTING: u64 = 256 << 20;

/// The question to a WebDAV server about everything in a folder.
const PROPFIND: &str = r#"<?xml version="1.0"?><propfind xmlns="DAV:"><prop><resourcetype/><getcontentlength/><getlastmodified/><getetag/></prop></propfind>"#;

/// The way a server lists folders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ListingWay {
    WebDav,
    Links,
}

/// A server.
#[derive(Debug)]
pub(super) struct PlainServer {
    address: Address,
    way: OnceLock<ListingWay>,
}

impl PlainServer {
    pub(super) fn new(address: &Address) -> Self {
        Self { address: address.clone(), way: OnceLock::new() }
    }

    fn request(&self, method: &Method, key: &str) -> Result<Request<Vec<u8>>, Fault> {
        let mut builder = Request::builder().method(method).uri(self.address.url(key));
        if let Some(user) = &self.address.user {
            let user = base64::Engine::encode(&base64::prelude::BASE64_STANDARD, decoded(user));
            builder = builder.header(header::AUTHORIZATION, format!("Basic {user}"));
        }
        builder.body(Vec::new()).map_err(|error| Fault::Other(error.to_string()))
    }

    /// The folder as one way of listing tells it; `None` where the answer is no such listing.
    fn listed(&self, way: ListingWay, prefix: &str) -> Result<Option<ListingPage>, Fault> {
        let folder = with_slash(prefix);
        let request = match way {
            ListingWay::WebDav => self.propfind(&folder)?,
            ListingWay::Links => self.request(&Method::GET, &folder)?,
        };
        let answer = TRANSPORT.send(&request, LONGEST_LISTING, true)?;
        if answer.status == 404 && self.way.get() == Some(&way) {
            return Ok(Some(ListingPage::default()));
        }
        Ok(match way {
            ListingWay::WebDav => webdav(&folder, &answer),
            ListingWay::Links => links(&folder, &answer),
        })
    }

    fn propfind(&self, folder: &str) -> Result<Request<Vec<u8>>, Fault> {
        let method =
            Method::from_bytes(b"PROPFIND").map_err(|error| Fault::Other(error.to_string()))?;
        let mut request = self.request(&method, folder)?.map(|_| PROPFIND.as_bytes().to_vec());
        for (name, value) in [("depth", "1"), ("content-type", "application/xml")] {
            request.headers_mut().insert(name, header::HeaderValue::from_static(value));
        }
        Ok(request)
    }
}

/// The folder as WebDAV tells it; `None` where the server does not speak it.
fn webdav(folder: &str, answer: &HttpAnswer) -> Option<ListingPage> {
    if answer.status != 207 {
        return None;
    }
    let text = String::from_utf8_lossy(&answer.body);
    let mut page = ListingPage::default();
    for response in elements(&text, "response") {
        let element = |name| elements(response, name).next().map(str::trim);
        let Some((name, is_folder)) = element("href").and_then(|href| name_in(folder, href)) else {
            continue;
        };
        if is_folder || has_tag(response, "collection") {
            page.folders.push(name);
            continue;
        }
        let len = element("getcontentlength").and_then(|len| len.parse().ok());
        let modified = element("getlastmodified").and_then(http_date);
        let etag = element("getetag").map(etag);
        page.files.push((name, len.map(|len| Stat { len, modified, etag })));
    }
    Some(sorted(page, true))
}

/// The folder as a page of links tells it; `None` where the answer is no such page.
fn links(folder: &str, answer: &HttpAnswer) -> Option<ListingPage> {
    let text = String::from_utf8_lossy(&answer.body);
    let start = text.chars().take(2048).collect::<String>().to_lowercase();
    let is_index = ["index of", "directory listing"].iter().any(|words| start.contains(words));
    if answer.status != 200 || !is_html(answer) || !is_index {
        return None;
    }
    let mut page = ListingPage::default();
    for (link, rest) in text.split("href=\"").skip(1).filter_map(|rest| rest.split_once('"')) {
        let link = link.replace("&amp;", "&");
        match name_in(folder, &link) {
            Some((name, true)) => page.folders.push(name),
            Some((name, false)) => page.files.push((name, length_beside(rest))),
            None => {}
        }
    }
    // The server of Python shows all names.
    Some(sorted(page, start.contains("index of")))
}

impl Server for PlainServer {
    fn get(
        &self,
        key: &str,
        range: Option<Range<u64>>,
        most: u64,
    ) -> Result<Option<Vec<u8>>, Fault> {
        let mut request = self.request(&Method::GET, key)?;
        let mut most = most;
        if let Some(range) = &range {
            let text = format!("bytes={}-{}", range.start, range.end - 1);
            let text = text.parse().map_err(|_never| Fault::Cut)?;
            request.headers_mut().insert(header::RANGE, text);
            // A server that knows no ranges begins at the beginning.
            most = range.end;
        }
        let answer = TRANSPORT.send(&request, most, true)?;
        match (answer.status, range) {
            // Under this key is no file.
            _ if answer.is_folder => Ok(None),
            (200 | 206, _) if is_page(key, &answer) => Err(Fault::WebPage),
            (206, _) => Ok(Some(answer.body)),
            (200, range) => {
                let mut bytes = answer.body;
                if let Some(range) = range {
                    let start = usize::try_from(range.start).unwrap_or(usize::MAX).min(bytes.len());
                    bytes.drain(..start);
                }
                Ok(Some(bytes))
            }
            (416, Some(_)) => Ok(Some(Vec::new())),
            _ => Err(Fault::status(&answer)),
        }
    }

    fn head(&self, key: &str) -> Result<Option<Stat>, Fault> {
        let answer = TRANSPORT.send(&self.request(&Method::HEAD, key)?, 0, true)?;
        if answer.is_folder {
            return Ok(None);
        }
        if answer.status != 200 {
            return Err(Fault::status(&answer));
        }
        let header = |name| answer.headers.get(name)?.to_str().ok();
        let modified = header(header::LAST_MODIFIED).and_then(http_date);
        let etag = header(header::ETAG).map(etag);
        let len = header(header::CONTENT_LENGTH).and_then(|len| len.parse().ok());
        if let Some(len) = len {
            return Ok(Some(Stat { len, modified, etag }));
        }
        let whole = self.get(key, None, super::transport::MOST)?;
        Ok(whole.map(|bytes| Stat { len: bytes.len() as u64, modified, etag }))
    }

    fn page(&self, asked: &PageRequest) -> Result<Option<ListingPage>, Fault> {
        if asked.is_deep {
            return Ok(None);
        }
        let known = self.way.get().copied();
        for way in [ListingWay::WebDav, ListingWay::Links] {
            if known.is_none_or(|known| known == way)
                && let Some(page) = self.listed(way, asked.prefix)?
            {
                self.way.set(way).ok();
                return Ok(Some(page));
            }
        }
        Err(Fault::Status { status: 405, code: String::new(), region: None })
    }
}

/// A page in the order of its names, each of them once. One that `may_hide` names with a dot does where none begins with
/// one, as nginx and Apache do.
fn sorted(mut page: ListingPage, may_hide: bool) -> ListingPage {
    let mut names = page.files.iter().map(|(name, _)| name).chain(&page.folders);
    page.hides_dots = may_hide && !names.any(|name| name.starts_with('.'));
    page.files.sort_by(|a, b| a.0.cmp(&b.0));
    page.files.dedup_by(|a, b| a.0 == b.0);
    page.folders.sort_unstable();
    page.folders.dedup();
    page
}

/// The name directly in `folder` that a link leads to, and whether it is a folder; `None` where it leads elsewhere.
fn name_in(folder: &str, link: &str) -> Option<(String, bool)> {
    let link = link.split(['?', '#']).next().unwrap_or_default();
    let path = match link.split_once("://") {
        Some((_, rest)) => rest.split_once('/')?.1,
        None => link.strip_prefix("./").unwrap_or(link),
    };
    let path = if link.starts_with('/') || link.contains("://") {
        let path = decoded(path);
        path.trim_start_matches('/').strip_prefix(decoded(folder).as_str())?.to_owned()
    } else {
        decoded(path)
    };
    let (name, is_folder) = match path.strip_suffix('/') {
        Some(name) => (name, true),
        None => (path.as_str(), false),
    };
    let is_name = !matches!(name, "" | "." | "..") && !name.contains('/');
    is_name.then(|| (name.to_owned(), is_folder))
}

/// The length that the page of nginx tells after a link: `0</a>   26-Nov-2026 08:00   4711`. Where it is rounded, it ends
/// in a letter; and the time, of which a minute is the smallest part, names no version.
fn length_beside(rest: &str) -> Option<Stat> {
    let (_, beside) = rest.split_once("</a>")?;
    let mut words = beside.split('<').next()?.split_ascii_whitespace();
    let (date, time) = (words.next()?, words.next()?);
    let is_nginx = date.len() == "26-Nov-2026".len() && time.len() == "08:00".len();
    let len = words.next()?.parse().ok().filter(|_| is_nginx && words.next().is_none())?;
    Some(Stat::of_len(len))
}

fn is_html(answer: &HttpAnswer) -> bool {
    let kind = answer.headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    kind.is_some_and(|kind| kind.starts_with("text/html"))
}

/// True if the answer is a web page in place of the file.
fn is_page(key: &str, answer: &HttpAnswer) -> bool {
    let start = answer.body.trim_ascii_start().get(..5).unwrap_or_default().to_ascii_lowercase();
    is_html(answer) && !key.ends_with("html") && matches!(start.as_slice(), b"<!doc" | b"<html")
}

/// The time of a date as HTTP writes it, such as `Wed, 21 Oct 2015 07:28:00 GMT`.
fn http_date(text: &str) -> Option<SystemTime> {
    const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";
    let mut parts = text.split_ascii_whitespace().skip(1);
    let day: u64 = parts.next()?.parse().ok()?;
    let month = MONTHS.find(parts.next()?)? as u64 / 3 + 1;
    let year: u64 = parts.next()?.parse().ok().filter(|year| (1970..10_000).contains(year))?;
    let mut clock = parts.next()?.split(':').map(|part| part.parse::<u64>().ok());
    let seconds = clock.next()?? * 3600 + clock.next()?? * 60 + clock.next()??;
    // Years are counted from March on, so that the day that is not in all of them is the last one.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day;
    Some(
        SystemTime::UNIX_EPOCH + Duration::from_secs(days.checked_sub(719_469)? * 86_400 + seconds),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_names_in_the_folder() {
        let name = |link| {
            name_in("x.zarr/", link)
                .map(|(name, is_folder)| format!("{name}{}", if is_folder { "/" } else { "" }))
        };
        for (link, expected) in [
            ("zarr.json", Some("zarr.json")),
            ("c/", Some("c/")),
            ("/x.zarr/a%20b", Some("a b")),
            ("http://h/x.zarr/c/", Some("c/")),
            ("../", None),
            ("/", None),
            ("?C=N;O=D", None),
            ("/x.zarr/", None),
            ("https://elsewhere.org/y", None),
        ] {
            assert_eq!(name(link).as_deref(), expected, "{link}");
        }
    }

    #[test]
    fn a_page_of_nginx_tells_exact_lengths() {
        let length = |rest| length_beside(rest).map(|stat| stat.len);
        for (rest, expected) in [
            (">0</a>                26-Nov-2026 08:00               4711\r\n<a ", Some(4711)),
            (">0</a>                26-Nov-2026 08:00                  0\r\n</pre>", Some(0)),
            (">c/</a>               26-Nov-2026 08:00                  -\r\n<a ", None),
            (">0</a>                26-Nov-2026 08:00                 5K\r\n<a ", None),
            (">0</a>                2026-11-26 08:00  972  \n", None),
            (">0</a></li>\n<li><a ", None),
        ] {
            assert_eq!(length(rest), expected, "{rest}");
        }
    }

    #[test]
    fn dates_of_http_are_times() {
        let seconds = |text| {
            http_date(text).map(|at| at.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs())
        };
        assert_eq!(seconds("Thu, 01 Jan 1970 00:00:00 GMT"), Some(0));
        assert_eq!(seconds("Wed, 21 Oct 2015 07:28:00 GMT"), Some(1_445_412_480));
        assert_eq!(seconds("Thu, 29 Feb 2024 23:59:59 GMT"), Some(1_709_251_199));
        assert_eq!(seconds("yesterday"), None);
    }
}
