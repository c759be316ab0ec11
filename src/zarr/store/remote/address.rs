//! Addresses of stores that are far away.

use std::{fs, path::Path};

/// The kind of server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scheme {
    S3,
    Google,
    Azure,
    Http,
}

/// An address such as `s3://bucket/x.zarr/temp`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::zarr) struct Address {
    pub(super) scheme: Scheme,
    /// The scheme as it was typed.
    word: String,
    /// The name and password before the host, where there are some.
    pub(super) user: Option<String>,
    /// The bucket, the container, or the host with its port.
    pub(super) place: String,
    /// The path in it, without slashes around it.
    pub(in crate::zarr) path: String,
    /// The query, which may hold a signature: it is in every request, and shown nowhere.
    pub(super) query: String,
}

impl Address {
    /// The address that `path` is; `None` where it is none, or a file of that name is here.
    pub(in crate::zarr) fn of(path: &Path) -> Option<Self> {
        let text = path.to_str()?;
        let (word, rest) = text.split_once("://")?;
        let scheme = match word.to_ascii_lowercase().as_str() {
            "s3" | "s3a" => Scheme::S3,
            "gs" | "gcs" => Scheme::Google,
            "az" | "abfs" | "abfss" | "adl" | "azure" => Scheme::Azure,
            "http" | "https" => Scheme::Http,
            _ => return None,
        };
        if fs::symlink_metadata(path).is_ok() {
            return None;
        }
        // URL pipelines of ZEP 8: a zip archive, and the format of what is in it, are seen without being told.
        let mut parts = rest.split('|');
        let rest = parts.next().unwrap_or_default();
        let inside: Vec<_> =
            parts.filter_map(|part| part.split_once(':')).map(|(_, path)| path).collect();
        let has_query = scheme == Scheme::Http || scheme == Scheme::Azure;
        let (rest, query) = rest.split_once('?').filter(|_| has_query).unwrap_or((rest, ""));
        let (place, path) = rest.split_once('/').unwrap_or((rest, ""));
        let (user, place) = match place.rsplit_once('@') {
            Some((user, place)) => (Some(user.to_owned()), place),
            None => (None, place),
        };
        let path = [&[path], inside.as_slice()].concat().join("/");
        let path = path.split('/').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("/");
        let (word, place, query) = (word.to_ascii_lowercase(), place.to_owned(), query.to_owned());
        (!place.is_empty()).then_some(Self { scheme, word, user, place, path, query })
    }

    /// The name of the server, for sentences.
    pub(super) fn host(&self) -> String {
        match self.scheme {
            Scheme::Http => self.place.clone(),
            _ => format!("{}://{}", self.word, self.place),
        }
    }

    /// The address of `prefix`, without secrets.
    pub(super) fn name(&self, prefix: &str) -> String {
        // Of Azure, what is before the @ is the container.
        let user = self.user.as_ref().filter(|_| self.scheme == Scheme::Azure);
        let user = user.map(|user| format!("{user}@")).unwrap_or_default();
        let slash = if prefix.is_empty() { "" } else { "/" };
        format!("{}://{user}{}{slash}{prefix}", self.word, self.place)
    }

    /// The address of `key` for a request, with its secrets. Keys are as they are in an address already.
    pub(super) fn url(&self, key: &str) -> String {
        let query = if self.query.is_empty() { String::new() } else { format!("?{}", self.query) };
        format!("{}://{}/{}{query}", self.word, self.place, encoded(key))
    }
}

/// The key with what no address may have written as `%xx`; what is written so already stays.
pub(super) fn encoded(key: &str) -> String {
    let mut text = String::new();
    for byte in key.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/!$&'()*+,;=:@%".contains(&byte) {
            text.push(byte.into());
        } else {
            const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
            let digit = |at: u8| char::from(DIGITS[usize::from(at & 15)]);
            text.extend(['%', digit(byte >> 4), digit(byte)]);
        }
    }
    text
}

/// The text with each `%xx` as the byte it stands for.
pub(super) fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let digits =
            after.get(..2).filter(|_| first == b'%').and_then(|two| std::str::from_utf8(two).ok());
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(byte.unwrap_or(first));
        rest = if byte.is_some() { after.get(2..).unwrap_or_default() } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_from_paths() {
        let of = |text: &str| Address::of(Path::new(text)).map(|a| (a.scheme, a.place, a.path));
        let some =
            |scheme, place: &str, path: &str| Some((scheme, place.to_owned(), path.to_owned()));
        assert_eq!(of("s3://b/x.zarr//temp/"), some(Scheme::S3, "b", "x.zarr/temp"));
        assert_eq!(of("gs://b"), some(Scheme::Google, "b", ""));
        assert_eq!(of("https://h:8080/x?sig=1"), some(Scheme::Http, "h:8080", "x"));
        assert_eq!(of("http://h/x.zip|zip:|zarr3:a/b"), some(Scheme::Http, "h", "x.zip/a/b"));
        assert_eq!(of("x.zarr/temp"), None);
        assert_eq!(of("file:///x"), None);
        let secret = Address::of(Path::new("https://me:word@h/x?sig=1")).unwrap();
        assert_eq!(secret.name("x"), "https://h/x");
        assert_eq!(secret.url("a b"), "https://h/a%20b?sig=1");
        assert_eq!(decoded("a%20b%2"), "a b%2");
    }
}
