//! Chunk keys: coordinates to the name of a file, and back.

use std::sync::Arc;

/// Under which key a chunk lies, relative to its array.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum KeyEncoding {
    /// V3 `default`: `c/0/1`, or `c.0.1`; `c` for 0 dimensions.
    Default {
        /// `/` or `.`
        separator: char,
    },
    /// V3 `zarrs.default_suffix`: as `default`, with something after, such as `c/0/1.tif`.
    Suffixed {
        /// `/` or `.`
        separator: char,
        /// The text after the coordinates.
        suffix: Arc<str>,
    },
    /// V2, and V3 `v2`: `0.1` or `0/1`; `0` for 0 dimensions.
    V2 {
        /// `.` or `/`
        separator: char,
    },
}

impl KeyEncoding {
    /// The sign between two coordinates.
    pub fn separator(&self) -> char {
        match self {
            Self::Default { separator }
            | Self::Suffixed { separator, .. }
            | Self::V2 { separator } => *separator,
        }
    }

    /// The text after the coordinates.
    pub fn suffix(&self) -> &str {
        match self {
            Self::Suffixed { suffix, .. } => suffix,
            Self::Default { .. } | Self::V2 { .. } => "",
        }
    }

    /// The key of the chunk at `coordinates`.
    pub fn key(&self, coordinates: &[u64]) -> String {
        let mut key = match self {
            Self::Default { .. } | Self::Suffixed { .. } => "c".to_owned(),
            Self::V2 { .. } => coordinates.first().unwrap_or(&0).to_string(),
        };
        let rest = match self {
            Self::Default { .. } | Self::Suffixed { .. } => coordinates,
            Self::V2 { .. } => coordinates.get(1..).unwrap_or_default(),
        };
        for coordinate in rest {
            key.push(self.separator());
            key += &coordinate.to_string();
        }
        key + self.suffix()
    }

    /// The coordinates of the chunk under `key` in an array of `dimensions`; `None` where no chunk of such an array
    /// has that key. The inverse of [`Self::key`] to the letter: `01` and `+1` name no chunk.
    pub fn parse(&self, key: &str, dimensions: usize) -> Option<Vec<u64>> {
        let mut parts = key.strip_suffix(self.suffix())?.split(self.separator());
        match (self, dimensions) {
            (Self::V2 { .. }, 0) => return (key == "0").then(Vec::new),
            (Self::V2 { .. }, _) => {}
            _ => parts.next().filter(|&first| first == "c").map(|_| ())?,
        }
        let coordinates = parts.map(coordinate).collect::<Option<Vec<_>>>()?;
        (coordinates.len() == dimensions).then_some(coordinates)
    }
}

/// A coordinate as a key writes it: decimal digits without a leading zero.
fn coordinate(text: &str) -> Option<u64> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let leading_zero = text.len() > 1 && text.starts_with('0');
    if digits && !leading_zero { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> [KeyEncoding; 5] {
        [
            KeyEncoding::Default { separator: '/' },
            KeyEncoding::Default { separator: '.' },
            KeyEncoding::V2 { separator: '.' },
            KeyEncoding::V2 { separator: '/' },
            KeyEncoding::Suffixed { separator: '.', suffix: ".tif".into() },
        ]
    }

    #[test]
    fn only_what_key_writes_is_read() {
        let [default, _, v2, _, suffixed] = all();
        for key in ["c/01/1", "c/+1/1", "c/1", "c/1/1/1", "c/1/", "C/1/1", "1/1", "c.1.1", "c/1/١"]
        {
            assert_eq!(default.parse(key, 2), None, "{key}");
        }
        for key in ["", "0.", "0.0.0", "00.0", "0/0", "-1.0", "18446744073709551616.0", " 0.0"] {
            assert_eq!(v2.parse(key, 2), None, "{key}");
        }
        assert_eq!(suffixed.key(&[0, 7]), "c.0.7.tif");
        assert_eq!((suffixed.parse("c.0.7", 2), suffixed.parse("c.0.7.tiff", 2)), (None, None));
        assert_eq!((default.parse("c", 0), v2.parse("0", 0)), (Some(vec![]), Some(vec![])));
        assert_eq!((default.parse("c/0", 0), v2.parse("1", 0)), (None, None));
    }

    proptest::proptest! {
        #[test]
        fn keys_are_read_back(coordinates in proptest::collection::vec(0_u64.., 0..6)) {
            for encoding in all() {
                let key = encoding.key(&coordinates);
                let back = encoding.parse(&key, coordinates.len());
                proptest::prop_assert_eq!(back, Some(coordinates.clone()));
            }
        }
    }
}
