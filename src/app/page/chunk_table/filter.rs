//! Filters of the rows of the table: `ratio>3`, `fill=all`, `checksum=✗`, `same`, `order!=declared`, `key c/2/*`.

use crate::app::prelude::*;
use crate::app::relation::Relation;

/// The conditions on rows: all of them hold.
#[derive(Clone)]
pub struct Filter {
    /// As it was typed, safe to show.
    pub line: String,
    terms: Vec<Term>,
}

#[derive(Debug, Clone, PartialEq)]
enum Term {
    Number(TableColumn, Relation, f64),
    Key(String),
    /// All of its elements are the fill value; or none.
    Fill(bool),
    /// Its checksums hold; or not.
    Checksum(bool),
    Same,
    Order(Endian),
    OrderContradicts,
    Missing,
    Damaged,
    Outlier,
}

impl Filter {
    /// The filter that a typed line means.
    ///
    /// # Errors
    ///
    /// If it means nothing: says what would.
    pub fn parse(line: &str) -> Result<Self, String> {
        let (mut terms, mut words) = (Vec::new(), line.split_whitespace());
        while let Some(word) = words.next() {
            terms.push(match word {
                "key" => Term::Key(words.next().ok_or("key needs a pattern: key c/2/*")?.into()),
                "same" => Term::Same,
                "missing" => Term::Missing,
                "damaged" => Term::Damaged,
                "outlier" | "outliers" => Term::Outlier,
                _ => term(word).ok_or_else(|| {
                    format!(
                        "{} is no filter: use ratio>3, nan>0, fill=all, checksum=x, same, missing, damaged, outlier, \
                         order!=declared or key c/2/*",
                        safe(word)
                    )
                })?,
            });
        }
        Ok(Self { line: safe_owned(line.trim()), terms })
    }

    /// True if the row is one of those.
    pub fn holds(&self, row: &ChunkRow, key: &dyn Fn() -> String) -> bool {
        self.terms.iter().all(|term| term.holds(row, key))
    }
}

/// A term of a name, a sign and a value.
fn term(word: &str) -> Option<Term> {
    let (name, relation, value) = Relation::split(word)?;
    let column = TableColumn::named(name)?;
    let value = value.to_lowercase();
    let is_equal = relation == Relation::Equal;
    Some(match (column, value.as_str()) {
        (TableColumn::Key, pattern) if is_equal => Term::Key(pattern.into()),
        (TableColumn::Fill, "all") if is_equal => Term::Fill(true),
        (TableColumn::Fill, "none") if is_equal => Term::Fill(false),
        (TableColumn::Checksum, "✗" | "x" | "bad") if is_equal => Term::Checksum(false),
        (TableColumn::Checksum, "✓" | "v" | "ok" | "good") if is_equal => Term::Checksum(true),
        (TableColumn::Order, "declared") if relation == Relation::Unequal => Term::OrderContradicts,
        (TableColumn::Order, "be" | "big") if is_equal => Term::Order(Endian::Big),
        (TableColumn::Order, "le" | "little") if is_equal => Term::Order(Endian::Little),
        (
            TableColumn::Key | TableColumn::Checksum | TableColumn::Order | TableColumn::Written,
            _,
        ) => return None,
        (column, value) => Term::Number(column, relation, number(value)?),
    })
}

/// A number, or a size with its unit: `3`, `-1.5e3`, `1MiB`, `64k`.
fn number(text: &str) -> Option<f64> {
    if let Ok(number) = text.parse() {
        return Some(number);
    }
    let unit = text.trim_end_matches("ib").trim_end_matches('b');
    let (number, last) = unit.split_at_checked(unit.len().checked_sub(1)?)?;
    let power = ["k", "m", "g", "t"].iter().position(|known| *known == last)?;
    let number: f64 = number.parse().ok()?;
    Some(number * 1024_f64.powi(i32::try_from(power).ok()? + 1))
}

impl Term {
    fn holds(&self, row: &ChunkRow, key: &dyn Fn() -> String) -> bool {
        let figures = row.figures;
        let read = figures.filter(|figures| figures.elements > 0);
        let is_bad = || {
            let error = figures.and_then(|figures| figures.error());
            error.is_some_and(|error| error.code == Code::ChecksumMismatch)
        };
        match self {
            Self::Number(column, relation, value) => {
                column.number(row).is_some_and(|number| relation.holds(number.partial_cmp(value)))
            }
            Self::Key(pattern) => matches(pattern.as_bytes(), key().as_bytes()),
            Self::Fill(true) => read.is_some_and(|figures| figures.fill == figures.elements),
            Self::Fill(false) => read.is_some_and(|figures| figures.fill == 0),
            Self::Checksum(true) => row.has_checksums && read.is_some(),
            Self::Checksum(false) => is_bad(),
            Self::Same => row.group.is_some(),
            Self::Order(order) => figures.and_then(|it| it.order).is_some_and(|it| it.0 == *order),
            Self::OrderContradicts => figures.and_then(|it| it.order).is_some_and(|it| it.1),
            Self::Missing => figures.is_some_and(Figures::is_missing),
            Self::Damaged => figures.is_some_and(|figures| figures.error().is_some()),
            Self::Outlier => row.is_outlier(),
        }
    }
}

/// True if `text` is as `pattern` says, in which `*` stands for anything.
fn matches(pattern: &[u8], text: &[u8]) -> bool {
    let (mut p, mut t, mut star) = (0, 0, None);
    while t < text.len() {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p, t));
                p += 1;
            }
            Some(letter) if Some(letter) == text.get(t) => (p, t) = (p + 1, t + 1),
            _ => match star {
                Some((at, from)) => {
                    star = Some((at, from + 1));
                    (p, t) = (at + 1, from + 1);
                }
                None => return false,
            },
        }
    }
    pattern.iter().skip(p).all(|&letter| letter == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_are_understood() {
        let terms = |line: &str| Filter::parse(line).map(|filter| filter.terms);
        let number = |column, relation, value| Ok(vec![Term::Number(column, relation, value)]);
        assert_eq!(terms("ratio>3"), number(TableColumn::Ratio, Relation::Greater, 3.0));
        assert_eq!(terms("NaN>=1"), number(TableColumn::Nan, Relation::AtLeast, 1.0));
        assert_eq!(
            terms("stored<1.5MiB"),
            number(TableColumn::Stored, Relation::Less, 1_572_864.0)
        );
        assert_eq!(terms("min!=-1e3"), number(TableColumn::Min, Relation::Unequal, -1000.0));
        assert_eq!(terms("fill=all"), Ok(vec![Term::Fill(true)]));
        assert_eq!(terms("checksum=✗"), Ok(vec![Term::Checksum(false)]));
        assert_eq!(terms("order!=declared same"), Ok(vec![Term::OrderContradicts, Term::Same]));
        assert_eq!(terms("key c/2/*"), Ok(vec![Term::Key("c/2/*".into())]));
        for line in ["ratio", "ratio>x", "frob=1", "key", "checksum=5", "order=1", "\u{1b}[31m>2"] {
            let why = terms(line).unwrap_err();
            assert!(!why.contains('\u{1b}'), "{why:?}");
        }
    }

    #[test]
    fn a_star_is_anything() {
        let is = |pattern: &str, text: &str| matches(pattern.as_bytes(), text.as_bytes());
        assert!(is("c/2/*", "c/2/0") && is("*/0", "c/2/0") && is("c/*/0", "c/2/0") && is("*", ""));
        assert!(!is("c/2/*", "c/1/0") && !is("c/2", "c/2/0") && !is("c/2/0/*", "c/2/0"));
        assert!(is("*1*1", "c/1/11") && !is("*1*2", "c/1/11"));
    }
}
