//! The pages that are found by the name of what they explain: a finding or cause, a data type, a codec, a sign.

use super::{Cell, Output, table};
use crate::cli::prelude::*;
use crate::zarr::{Domain, FindingPage, error::CauseKind, signs::SIGNS};

/// The page of a finding, or of a cause by its kind or its code.
fn page(name: &str) -> Option<FindingPage> {
    let cause = || CauseKind::of(name).map(CauseKind::page);
    Code::of(name).and_then(Code::page).or_else(cause)
}

/// Every finding and kind of cause with its page, by domain.
fn all() -> impl Iterator<Item = (Domain, &'static str, FindingPage)> {
    let codes = |domain| Code::ALL.iter().copied().filter(move |code| code.domain() == domain);
    Domain::ALL.into_iter().flat_map(move |domain| {
        let pages =
            codes(domain).filter_map(move |code| Some((domain, code.as_str(), code.page()?)));
        // Those that are findings as well have one page.
        let causes = CauseKind::ALL
            .iter()
            .filter(move |kind| domain == Domain::Cause && Code::of(kind.word()).is_none());
        pages.chain(causes.map(move |kind| (domain, kind.word(), kind.page())))
    })
}

/// The names of all findings and causes.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    all().map(|(_, name, _)| name)
}

/// Prints the page of `name`. False if there is none.
pub(super) fn print(name: &str, json: bool, output: &mut Output) -> io::Result<bool> {
    let lines = if let Some(page) = page(name) {
        if json {
            return output.json(&page.markdown().into()).map(|()| true);
        }
        let mut lines = page.lines(output::width().min(100));
        if let Some(code) = Code::of(name) {
            let (severity, domain) = (code.severity().word(), code.domain().word());
            lines.insert(1, format!("{severity}, {domain}, since zarrscope {}", code.since()));
        }
        lines
    } else if let Some(lines) = sign(name).or_else(|| codec(name)).or_else(|| data_type(name)) {
        let width = output::width().min(100);
        lines.iter().flat_map(|line| words::wrap(&safe(line), width)).collect()
    } else {
        return Ok(false);
    };
    if json {
        return output.json(&lines.join("\n").into()).map(|()| true);
    }
    lines.iter().try_for_each(|line| output.line(line))?;
    Ok(true)
}

/// Prints the findings whose code or title has `word`, by domain. False if none has.
pub(super) fn list(word: &str, output: &mut Output) -> io::Result<bool> {
    let word = word.to_lowercase();
    let mut rows = Vec::new();
    let mut above = None;
    for (domain, name, page) in all() {
        if !name.contains(&word) && !page.title().to_lowercase().contains(&word) {
            continue;
        }
        if above.replace(domain) != Some(domain) {
            rows.push(Vec::new());
            rows.push(vec![Cell::quiet(domain.word())]);
        }
        rows.push(vec![Cell::new(name), Cell::new(page.title())]);
    }
    table::write(output, &rows)?;
    Ok(!rows.is_empty())
}

/// The meaning of a sign of the inspector, by itself or by its ASCII form.
fn sign(name: &str) -> Option<Vec<String>> {
    let sign = SIGNS
        .iter()
        .find(|sign| sign.sign == name || !sign.wide.is_empty() && sign.wide == name)?;
    Some(vec![format!("{}   {} (with --ascii: {})", sign.sign, sign.meaning, sign.ascii)])
}

/// The effect of a codec, its names and its configuration, as `K` on a stage has it.
fn codec(name: &str) -> Option<Vec<String>> {
    let registry = Registry::default();
    let row = [Format::V3, Format::V2]
        .into_iter()
        .find_map(|format| registry.codecs.row(name, format))?;
    let names = |names: &[&str]| match names {
        [] => "none".to_owned(),
        names => names.join(", "),
    };
    let registered = if row.registered { "" } else { " (not registered)" };
    Some(vec![
        name.to_owned(),
        String::new(),
        row.lesson.to_owned(),
        String::new(),
        format!("V3 name: {}{registered}", names(row.v3)),
        format!("V2 id: {}", names(row.v2)),
        format!("configuration: {}", names(row.members)),
    ])
}

/// A data type in both formats.
fn data_type(name: &str) -> Option<Vec<String>> {
    let wanted = WantedType { text: name, object_codec: None, format: None, endian: None };
    let typed = wanted.resolve(&DataTypes::default()).ok()?;
    let data_type = &typed.resolved.data_type;
    let form = |form: Result<Json, Note>| match form {
        Ok(json) => json.to_line(),
        Err(note) => note.text,
    };
    Some(vec![
        data_type.name(),
        String::new(),
        format!("{}.", data_type.description()),
        String::new(),
        format!("V3 data type: {}", form(data_type.to_v3())),
        format!("V2 dtype: {}", form(typed.resolved.to_v2().map(|form| form.dtype))),
        format!("default: {}", data_type.default_scalar()),
    ])
}
