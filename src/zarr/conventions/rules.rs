//! Rules about single members, as data: where a member is, what it must be, and whether it must be there.

use super::prelude::*;
use crate::zarr::json::Kind;

/// A rule about a member.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rule {
    /// The place of the member: names joined by `/`, with `[]` for each item of a list. It applies where all above it
    /// is.
    pub(super) at: &'static str,
    /// The form it must have.
    pub(super) form: MemberForm,
    /// True if it must be there.
    pub(super) is_required: bool,
}

/// The form that a member must have.
#[derive(Debug, Clone, Copy)]
pub(super) enum MemberForm {
    /// A string.
    Text,
    /// All indices of axes in a list, each once.
    Permutation,
    /// Lists of numbers in a list, all of one length.
    Matrix,
    /// A string, or null.
    TextOrNull,
    /// A string of ASCII letters and digits.
    Alphanumeric,
    /// A name of a node, of characters that every store takes.
    NodeName,
    /// Six hexadecimal digits.
    Color,
    /// Two names of ASCII letters and digits with `/` between them.
    WellPath,
    /// True or false.
    Bool,
    /// A list of which no two items are the same.
    NoneTwice,
    /// A number.
    Number,
    /// An integer of at least this.
    Integer(i64),
    /// Any of these numbers.
    Exactly(&'static str),
    /// An object.
    Object,
    /// A list of this many items.
    List(usize, usize),
    /// Four integers between 0 and 255.
    Rgba,
    /// An object without a member that is nearly one of these, which it does not have.
    Spelled(&'static [&'static str]),
    /// A list of objects, no two of which have the same value of this member.
    Distinct(&'static str),
    /// A number, by itself or in a list; or the name of one that JSON has none for.
    OneNumber,
    /// Numbers in a list, or one by itself.
    Numbers,
    /// The same, none of which is 0: masks of bits.
    Bits,
    /// A string of words without commas between them.
    Words,
    /// One of these strings, in any case.
    OneOf(&'static [&'static str]),
}

/// A member that must be there.
pub(super) const fn must(at: &'static str, form: MemberForm) -> Rule {
    Rule { at, form, is_required: true }
}

/// A member that may be there.
pub(super) const fn may(at: &'static str, form: MemberForm) -> Rule {
    Rule { at, form, is_required: false }
}

/// A list, and one that is not empty.
pub(super) const LIST: MemberForm = MemberForm::List(0, usize::MAX);
pub(super) const FILLED: MemberForm = MemberForm::List(1, usize::MAX);

impl MemberForm {
    fn accepts(self, json: &Json) -> bool {
        let text = json.as_str();
        let is_name =
            |name: &str| !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric());
        match self {
            Self::Text => text.is_some(),
            Self::Permutation => json.as_array().is_some_and(|items| {
                let has = |at| items.iter().any(|item| item.as_u64() == Some(at));
                items.len() < 100 && (0..items.len() as u64).all(has)
            }),
            Self::Matrix => json.as_array().is_some_and(|rows| {
                let width = |row: &Json| row.as_array().map(<[Json]>::len);
                let first = rows.first().and_then(width);
                first.is_some()
                    && rows.iter().all(|row| width(row) == first && Self::Numbers.accepts(row))
            }),
            Self::TextOrNull => text.is_some() || json.is_null(),
            Self::Alphanumeric => text.is_some_and(is_name),
            Self::NodeName => text.is_some_and(|text| {
                let is_known = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
                !text.trim_matches('.').is_empty()
                    && !text.starts_with("__")
                    && text.bytes().all(is_known)
            }),
            Self::Color => text
                .is_some_and(|text| text.len() == 6 && text.bytes().all(|b| b.is_ascii_hexdigit())),
            Self::WellPath => text
                .and_then(|text| text.split_once('/'))
                .is_some_and(|(row, column)| is_name(row) && is_name(column)),
            Self::Bool => matches!(json.kind, Kind::Bool(_)),
            Self::NoneTwice => {
                let items = json.as_array().unwrap_or_default().iter().map(Json::to_line);
                let mut seen = HashSet::new();
                items.into_iter().all(|item| seen.insert(item))
            }
            Self::Number => json.as_number().is_some(),
            Self::Integer(least) => integer(json).is_some_and(|number| number >= least),
            Self::Exactly(number) => json.as_number().or(text) == Some(number),
            Self::Object => json.as_object().is_some(),
            Self::List(least, most) => {
                json.as_array().is_some_and(|items| (least..=most).contains(&items.len()))
            }
            Self::Rgba => json.as_array().is_some_and(|items| {
                items.len() == 4
                    && items
                        .iter()
                        .all(|item| integer(item).is_some_and(|n| (0..=255).contains(&n)))
            }),
            Self::Spelled(known) => misspelled(json, known).is_none(),
            Self::Distinct(member) => repeated(json, member).is_none(),
            Self::OneNumber => match json.as_array() {
                Some([one]) => one.as_number().is_some(),
                Some(_) => false,
                None => {
                    let name = text.map(|text| text.trim_start_matches('-').to_lowercase());
                    let is_name = name.is_some_and(|it| ["nan", "inf", "infinity"].contains(&&*it));
                    json.as_number().is_some() || is_name
                }
            },
            Self::Numbers | Self::Bits => {
                let is_due = |item: &Json| {
                    item.as_number().is_some_and(|text| {
                        !matches!(self, Self::Bits)
                            || text.parse::<f64>().is_ok_and(|it| it.abs() > 0.0)
                    })
                };
                is_due(json) || json.as_array().is_some_and(|items| items.iter().all(is_due))
            }
            Self::Words => text.is_none_or(|text| !text.contains(',')),
            Self::OneOf(names) => {
                text.is_some_and(|text| names.iter().any(|name| name.eq_ignore_ascii_case(text)))
            }
        }
    }

    fn words(self) -> String {
        match self {
            Self::Text => "a string".into(),
            Self::Permutation => "a list of the indices of all axes, from 0, each once".into(),
            Self::Matrix => "a list of rows of numbers, all of one length".into(),
            Self::NodeName => "a name of letters, digits, \"-\", \"_\" and \".\"".into(),
            Self::TextOrNull => "a string or null".into(),
            Self::Alphanumeric => "a string of letters and digits".into(),
            Self::Color => "six hexadecimal digits".into(),
            Self::WellPath => "the name of a row, a slash, and the name of a column".into(),
            Self::Bool => "true or false".into(),
            Self::NoneTwice => "a list of different items".into(),
            Self::Number => "a number".into(),
            Self::Integer(i64::MIN) => "an integer".into(),
            Self::Integer(least) => format!("an integer of {least} or more"),
            Self::Exactly(number) => format!("the number {number}"),
            Self::Object => "an object".into(),
            Self::List(0, usize::MAX) => "a list".into(),
            Self::List(least, usize::MAX) => format!("a list of {least} or more"),
            Self::List(least, most) if least == most => format!("a list of {least}"),
            Self::List(least, most) => format!("a list of {least} to {most}"),
            Self::Rgba => "four integers between 0 and 255".into(),
            Self::Spelled(known) => {
                format!("the names {}, which readers know", all_quoted(known))
            }
            Self::Distinct(member) => format!("a different \"{member}\" in each"),
            Self::OneNumber => "one number".into(),
            Self::Numbers => "a list of numbers".into(),
            Self::Bits => "a list of numbers, none of which is 0".into(),
            Self::Words => "words with spaces between them, and no commas".into(),
            Self::OneOf(names) => all_quoted(names),
        }
    }

    /// The form of `json` instead, in words.
    fn found(self, json: &Json) -> String {
        match self {
            Self::Distinct(member) => match repeated(json, member) {
                Some(twice) => format!("{} twice", twice.describe()),
                None => json.describe(),
            },
            Self::Spelled(known) => match misspelled(json, known) {
                Some((name, meant)) => format!("{name}, most likely {meant}"),
                None => json.describe(),
            },
            _ => json.describe(),
        }
    }
}

/// The first member that is nearly one of those that are `known` and not there, and that one.
fn misspelled(json: &Json, known: &[&str]) -> Option<(String, String)> {
    let missing: Vec<&str> =
        known.iter().copied().filter(|name| json.get(name).is_none()).collect();
    let members = json.as_object()?.iter();
    // Members of JSON-LD, such as @type, are others.
    let mut unknown =
        members.filter(|member| !known.contains(&&*member.key) && !member.key.starts_with('@'));
    unknown.find_map(|member| {
        let meant = nearest(&member.key, missing.iter().copied())?;
        Some((format!("an object with {}", quoted(&member.key)), quoted(meant)))
    })
}

/// A number without fraction and exponent that fits.
fn integer(json: &Json) -> Option<i64> {
    json.as_number()?.parse().ok()
}

/// The first value of `member` that an item before has too.
fn repeated<'a>(json: &'a Json, member: &str) -> Option<&'a Json> {
    let mut seen = HashSet::new();
    let values = json.as_array()?.iter().filter_map(|item| item.get(member));
    values.into_iter().find(|value| !seen.insert(value.to_line()))
}

/// A member that breaks a rule: where it is, and where the nearest thing around it is if it is missing.
struct Breach<'a> {
    field: String,
    near: &'a Json,
    /// The JSON there; `None` if there is none.
    found: Option<&'a Json>,
}

/// The members of `attributes` that break `rules`, as warnings of kind `code`: of each rule the first, with the number
/// of the others.
pub(super) fn check(attributes: &Attributes, rules: &[Rule], code: Code) -> Vec<Problem> {
    let broken = |rule: &Rule| {
        let mut first = None;
        let mut count = 0_u64;
        let mut each = |breach| {
            count += 1;
            first.get_or_insert(breach);
        };
        let steps: Vec<&str> = rule.at.split('/').collect();
        visit(attributes.json, String::new(), &steps, *rule, &mut each);
        let Breach { field, near, found } = first?;
        let found = found.map_or_else(|| "nothing".to_owned(), |json| rule.form.found(json));
        let problem = attributes.warning(code, (&field, near), found, rule.form.words());
        Some(match count - 1 {
            0 => problem,
            more => with_fix(problem, format!("The same at {}.", counted(more, "more place"))),
        })
    };
    rules.iter().filter_map(broken).collect()
}

/// Goes down from `json` by `steps`, and tells `each` what breaks `rule` there.
fn visit<'a>(
    json: &'a Json,
    field: String,
    steps: &[&str],
    rule: Rule,
    each: &mut dyn FnMut(Breach<'a>),
) {
    match steps {
        [] if rule.form.accepts(json) => {}
        [] => each(Breach { field, near: json, found: Some(json) }),
        ["[]", rest @ ..] => {
            for (at, item) in json.as_array().unwrap_or_default().iter().enumerate() {
                visit(item, format!("{field}[{at}]"), rest, rule, each);
            }
        }
        [name, rest @ ..] => {
            let field =
                if field.is_empty() { (*name).to_owned() } else { format!("{field}.{name}") };
            match json.get(name) {
                Some(member) => visit(member, field, rest, rule, each),
                None if rest.is_empty() && rule.is_required && json.as_object().is_some() => {
                    each(Breach { field, near: json, found: None });
                }
                None => {}
            }
        }
    }
}
