//! The causes of failed requests: the network, the server, the permission, or the store.

use super::xml::elements;
use crate::zarr::prelude::*;
use std::io;
use ureq::http::HeaderMap;

/// An answer, read to its end.
#[derive(Debug)]
pub(super) struct HttpAnswer {
    pub(super) status: u16,
    pub(super) headers: HeaderMap,
    pub(super) body: Vec<u8>,
    /// True if the server led on to the folder of this name.
    pub(super) is_folder: bool,
}

/// The reason why there is no answer, or none that helps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fault {
    /// The server answers with a status that is no success.
    Status {
        status: u16,
        /// The code in the XML or JSON of the answer, such as `NoSuchBucket`.
        code: String,
        /// The region that the answer names.
        region: Option<String>,
    },
    /// The name of the host is not known.
    Host,
    /// Nobody answers under the address.
    Connect(String),
    /// The certificate, or what else belongs to a safe connection.
    Tls(String),
    /// It took too long.
    Timeout,
    /// The answer ended too early.
    Cut,
    /// The answer is a web page in place of the file.
    WebPage,
    /// More requests than were allowed.
    TooMany(u64),
    /// Nobody wanted to wait for the answer any longer.
    GivenUp,
    /// Something else.
    Other(String),
}

impl Fault {
    pub(super) fn of(error: &ureq::Error) -> Self {
        match error {
            ureq::Error::HostNotFound => Self::Host,
            ureq::Error::Timeout(_) => Self::Timeout,
            ureq::Error::ConnectionFailed => Self::Connect("no connection".into()),
            ureq::Error::Io(error) => Self::of_body(error),
            ureq::Error::Tls(text) => Self::Tls((*text).to_owned()),
            ureq::Error::Rustls(error) => Self::Tls(error.to_string()),
            other => Self::Other(other.to_string()),
        }
    }

    /// The fault of a connection, or of a body while it was read.
    pub(super) fn of_body(error: &io::Error) -> Self {
        let text = error.to_string();
        let text = text.split(" (os error").next().unwrap_or_default().to_owned();
        match error.kind() {
            io::ErrorKind::TimedOut => Self::Timeout,
            io::ErrorKind::ConnectionRefused
            | io::ErrorKind::HostUnreachable
            | io::ErrorKind::NetworkUnreachable => Self::Connect(text.to_lowercase()),
            io::ErrorKind::UnexpectedEof
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::BrokenPipe => Self::Cut,
            _ if text.contains("certificate") || text.contains("tls") => Self::Tls(text),
            _ if text.contains("lookup address") => Self::Host,
            _ if text.contains("timeout") => Self::Timeout,
            _ if text.contains("disconnected") => Self::Cut,
            _ => Self::Other(text),
        }
    }

    /// The fault that an answer without success tells of.
    pub(super) fn status(answer: &HttpAnswer) -> Self {
        let text =
            String::from_utf8_lossy(answer.body.get(..4096).unwrap_or(&answer.body)).into_owned();
        let header = |name: &str| Some(answer.headers.get(name)?.to_str().ok()?.to_owned());
        let element = |name| Some(elements(&text, name).next()?.trim().to_owned());
        let region = header("x-amz-bucket-region").or_else(|| element("Region"));
        // Addresses whose time is over have no code of their own.
        let expired = ["Request has expired", "Signature not valid in the specified time frame"];
        let expired = expired.iter().any(|words| text.contains(words));
        let code = expired.then(|| "RequestExpired".to_owned()).or_else(|| element("Code"));
        let code = code.or_else(|| header("x-ms-error-code"));
        Self::Status { status: answer.status, code: code.unwrap_or_default(), region }
    }

    /// True if the next attempt may succeed.
    pub(super) fn may_pass(&self) -> bool {
        matches!(self, Self::Timeout | Self::Cut)
    }

    /// True if the answer says that there is no such key.
    pub(super) fn is_absence(&self) -> bool {
        matches!(self, Self::Status { status: 404 | 410, code, .. }
            if !matches!(code.as_str(), "NoSuchBucket" | "ContainerNotFound"))
    }

    /// True if the answer denies access.
    pub(super) fn is_denial(&self) -> bool {
        matches!(self, Self::Status { status: 401 | 403, .. })
    }

    /// The fault in sentences, of a store on `host` (where it is anonymous, that is said).
    pub(super) fn error(&self, host: &str, is_anonymous: bool) -> Error {
        let host = safe(host);
        let network = |text: String, fix: &str| Error::new(Code::Network, text, "").with_fix(fix);
        match self {
            Self::Status { status, code, region } => {
                status_error(*status, code, region.as_deref(), &host, is_anonymous)
            }
            Self::Host => network(
                format!("There is no host {host}."),
                "Check the address, the --endpoint, and the network.",
            ),
            Self::Connect(why) => network(
                format!("{host} cannot be reached: {}.", safe(why)),
                "Check the address, the port, and the network.",
            ),
            Self::Tls(why) => network(
                format!("No safe connection to {host}: {}.", safe(why)),
                "zarrscope accepts the certificates that Mozilla trusts, and no others.",
            ),
            Self::Timeout => network(
                format!("{host} did not answer in time."),
                "The server or the network is slow: try again.",
            ),
            Self::Cut => network(
                format!("{host} broke off its answer."),
                "The server or the network failed while it answered: try again.",
            ),
            Self::WebPage => {
                let text = format!("{host} answers with a web page, not with the file.");
                Error::new(Code::AccessDenied, text, "").with_fix(
                    "Likely cause: it wants somebody to log in, or has a page for what is missing.",
                )
            }
            Self::TooMany(most) => {
                let text = format!(
                    "Not asked: {most} requests were sent, the most that --max-requests allows."
                );
                Error::new(Code::TooLarge, text, "").with_fix("Raise --max-requests.")
            }
            Self::GivenUp => network(format!("Given up before {host} answered."), "r asks again."),
            Self::Other(why) => network(
                format!("The request to {host} failed: {}.", safe(why)),
                "Check the address.",
            ),
        }
    }
}

/// The codes of answers that name their cause, with what they say and what helps.
const TOLD_BY_CODE: [(&[&str], &str, &str); 5] = [
    (
        &["RequestTimeTooSkewed"],
        "The clock of this computer is wrong: the server refuses the signature because of its time.",
        "Set the clock.",
    ),
    (
        &["ExpiredToken", "TokenRefreshRequired", "RequestExpired"],
        "The credentials have expired.",
        "Log in again, or renew the address.",
    ),
    (
        &["InvalidAccessKeyId", "InvalidClientTokenId"],
        "The server does not know the access key.",
        "Check the credentials, or use --anonymous.",
    ),
    (
        &["SignatureDoesNotMatch"],
        "The server refuses the signature.",
        "Check the secret key and the region.",
    ),
    (
        &["InvalidObjectState"],
        "The object is archived (S3 Glacier) and cannot be read before it is restored.",
        "Restore it: aws s3api restore-object.",
    ),
];

fn status_error(
    status: u16,
    code: &str,
    region: Option<&str>,
    host: &str,
    is_anonymous: bool,
) -> Error {
    let told = |kind, text: String, fix: String| Error::new(kind, text, "").with_fix(fix);
    if let Some((_, text, fix)) = TOLD_BY_CODE.iter().find(|(codes, ..)| codes.contains(&code)) {
        return told(Code::AccessDenied, (*text).to_owned(), (*fix).to_owned());
    }
    match (status, code, region) {
        (301 | 307 | 400, _, Some(region)) => {
            let text = format!("The bucket is in the region {}.", safe(region));
            told(Code::NoSuchPlace, text, format!("Add --region {}.", safe(region)))
        }
        (301 | 302 | 307 | 308, ..) => told(
            Code::NoSuchPlace,
            format!("{host} sends the request elsewhere and does not say where (status {status})."),
            "Likely cause: another region or endpoint. Add --region or --endpoint.".into(),
        ),
        (404, "NoSuchBucket" | "ContainerNotFound", _) => told(
            Code::NoSuchPlace,
            format!("There is no such bucket on {host}."),
            "Check its name, and --endpoint.".into(),
        ),
        (404 | 410, ..) => {
            told(Code::NoSuchPlace, format!("Not found on {host}."), "Check the address.".into())
        }
        (401 | 403, ..) => denied(status, host, is_anonymous),
        (429 | 503, ..) => told(
            Code::Network,
            format!("{host} wants fewer requests (status {status})."),
            "Try again later, or with a smaller --requests.".into(),
        ),
        (status, code, _) => {
            let code = if code.is_empty() { String::new() } else { format!(", {}", safe(code)) };
            let text = format!("{host} failed with status {status}{code}.");
            told(Code::Network, text, "This is a fault of the server, not of the store.".into())
        }
    }
}

fn denied(status: u16, host: &str, is_anonymous: bool) -> Error {
    let who = if is_anonymous {
        "No credentials were found, so the request was anonymous."
    } else {
        "The credentials do not allow it."
    };
    let text = format!("{host} gives no access (status {status}).");
    let fix = format!(
        "{who} On S3 without the permission ListBucket, 403 may also mean that there is no such key; a bucket may also \
         want its reader to pay (--storage-option aws_request_payer=true)."
    );
    Error::new(Code::AccessDenied, text, "").with_fix(fix)
}
