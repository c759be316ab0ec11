//! Names that programs and file systems make of others.

use crate::zarr::metadata::consolidated::differ_in_marks;

/// The characters that Windows forbids in names.
const FORBIDDEN: &str = "<>:\"|?*\\";

/// The way in which `there` comes of the name `meant`; `None` where none is known.
pub(in crate::zarr) fn how(meant: &str, there: &str) -> Option<&'static str> {
    let stem = |name: &str| {
        let (stem, number) = name.strip_suffix(')')?.rsplit_once('(')?;
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| stem.trim_end().to_owned())
    };
    let is_stand_in =
        |(c, other): (char, char)| c == other || FORBIDDEN.contains(c) && is_other(other);
    if meant.trim_end_matches(['.', ' ']) == there {
        return Some("Windows drops dots and spaces at the end of names");
    }
    if stem(there).is_some_and(|stem| stem == meant) {
        return Some("a copy got a number because the name was taken");
    }
    let is_copy = [" copy", " - Copy", " - copy", "_copy"]
        .iter()
        .any(|end| there.strip_suffix(end) == Some(meant));
    if is_copy {
        return Some("it is called a copy");
    }
    if meant.to_lowercase() == there.to_lowercase() {
        return Some("the names differ in case, which some file systems change");
    }
    if decoded(there).as_deref() == Some(meant) {
        return Some("the name is percent-encoded, as in an address, and was not decoded");
    }
    if differ_in_marks(meant, there) {
        return Some(
            "accented letters are encoded differently (Unicode NFC or NFD), which some file systems change",
        );
    }
    let is_long = meant.chars().count() == there.chars().count();
    (is_long && meant.chars().zip(there.chars()).all(is_stand_in))
        .then_some("characters that Windows forbids were replaced")
}

/// A name in which `%` and two digits stood for bytes, as they do in addresses; `None` where there are none.
fn decoded(name: &str) -> Option<String> {
    let (first, rest) = name.split_once('%')?;
    let mut bytes = first.as_bytes().to_vec();
    for part in rest.split('%') {
        let digits =
            part.get(..2).filter(|it| it.bytes().all(|digit| digit.is_ascii_hexdigit()))?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        bytes.extend(part.as_bytes().get(2..)?);
    }
    String::from_utf8(bytes).ok()
}

/// True for what stands in for a character that Windows forbids: `_`, `-`, or one of private use, as Samba and WSL have it.
fn is_other(c: char) -> bool {
    matches!(c, '_' | '-' | ' ' | '\u{f000}'..='\u{f0ff}')
}

#[cfg(test)]
mod tests {
    use super::how;

    #[test]
    fn names_come_of_others_in_known_ways() {
        for (meant, there, told) in [
            ("v1.", "v1", "drops dots"),
            ("sst", "sst (1)", "a number"),
            ("sst", "sst copy", "a copy"),
            ("Temp", "temp", "case"),
            ("größe", "gro\u{308}ße", "accented"),
            ("CD4+ µ", "CD4%2B%20%C2%B5", "percent-encoded"),
            ("a:b", "a_b", "forbids"),
            ("a:b", "a\u{f03a}b", "forbids"),
        ] {
            assert!(how(meant, there).is_some_and(|how| how.contains(told)), "{meant} {there}");
        }
        for (meant, there) in [("sst", "temperature"), ("a", "b"), ("sst", "sst2"), ("a:b", "axb")]
        {
            assert_eq!(how(meant, there), None);
        }
    }
}
