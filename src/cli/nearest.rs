//! The name that somebody may have meant.

/// The one of `names` that is most like `typed`; `None` where none is.
pub(super) fn nearest<S: AsRef<str>>(typed: &str, names: impl IntoIterator<Item = S>) -> Option<S> {
    /// Two of three letters right.
    const LIKE: f64 = 0.6;
    let likeness = |name: S| (strsim::normalized_damerau_levenshtein(typed, name.as_ref()), name);
    let (likeness, name) =
        names.into_iter().map(likeness).max_by(|(a, _), (b, _)| a.total_cmp(b))?;
    (likeness >= LIKE).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_fingers_is_seen_through() {
        let names = ["temperature", "packed", "year"];
        assert_eq!(nearest("temprature", names), Some("temperature"));
        assert_eq!(nearest("paked", names), Some("packed"));
        assert_eq!(nearest("salinity", names), None);
        assert_eq!(nearest("a", [""; 0]), None);
    }
}
