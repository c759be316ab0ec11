//! The report for machines: SARIF 2.1.0 for code scanning, and the annotations of GitHub workflows.

use super::Output;
use crate::cli::prelude::*;

/// The form of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(super) enum ReportFormat {
    /// Sentences for people
    #[default]
    Text,
    /// JSON lines: one per problem, then a summary
    Json,
    /// SARIF 2.1.0, one document
    Sarif,
    /// Annotations of a GitHub workflow
    Github,
}

/// The file of a problem from the current directory on.
fn file(store: &str, problem: &Problem) -> String {
    let key = problem.error.place.file.as_deref().unwrap_or_default();
    match (store, key) {
        (".", "") => ".".to_owned(),
        (".", key) => key.to_owned(),
        (store, "") => store.to_owned(),
        (store, key) => format!("{store}/{key}"),
    }
}

/// The code; of a cause, its own.
fn code(problem: &Problem) -> &'static str {
    let cause = problem.diagnosis.as_ref().filter(|_| problem.error.code == Code::Cause);
    cause.map_or_else(|| problem.error.code.as_str(), |why| why.code)
}

/// The level, the lowest of which has another name in each form.
fn level(problem: &Problem, lowest: &'static str) -> &'static str {
    match problem.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Limit | Severity::Note => lowest,
    }
}

/// The headline, and what to do.
fn message(problem: &Problem) -> String {
    let cause = problem.diagnosis.as_ref().filter(|_| problem.error.code == Code::Cause);
    let of_cause = |why: &Diagnosis| {
        let label = if why.fix().is_some() { "Fix" } else { "To do" };
        Some(format!("{label}: {}", why.remedy()?))
    };
    let remedy = cause.map_or_else(|| problem.error.fix.clone(), |why| of_cause(why));
    let field = problem.error.place.field.as_ref().map(|field| format!("{field}: "));
    let headline = problem.error.headline();
    let rest = remedy.map(|text| format!(" {text}")).unwrap_or_default();
    safe_owned(&format!("{}{headline}.{rest}", field.unwrap_or_default()))
}

/// Prints a problem as an annotation: `::error file=c/0,title=chunk-truncated::7 of 60 bytes are missing`.
pub(super) fn annotate(store: &str, problem: &Problem, output: &mut Output) -> Printed {
    let level = level(problem, "notice");
    let escaped = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let property = |text: &str| escaped(text).replace(':', "%3A").replace(',', "%2C");
    let file = property(&safe(&file(store, problem)));
    let text = escaped(&message(problem));
    output.line(&format!("::{level} file={file},title={}::{text}", code(problem)))
}

/// The results of one SARIF document.
#[derive(Default)]
pub(super) struct SarifResults {
    results: Vec<Json>,
    /// The rules in use, with what each means.
    rules: BTreeMap<&'static str, Json>,
}

impl SarifResults {
    pub(super) fn add(&mut self, store: &str, problem: &Problem) {
        let level = level(problem, "note");
        let mut place = object! {"artifactLocation": object! {"uri": uri(&file(store, problem))}};
        if let Some(offset) = problem.error.place.offset {
            place.set("region", object! {"byteOffset": offset});
        }
        let id = problem.kind();
        self.rules.entry(id).or_insert_with(|| rule(problem));
        self.results.push(object! {
            "ruleId": code(problem),
            "level": level,
            "message": object! {"text": message(problem)},
            "locations": [object! {"physicalLocation": place}],
            "occurrenceCount": problem.count.max(1),
        });
    }

    /// Prints the document. A check that did not see everything was not successful.
    pub(super) fn print(&mut self, is_complete: bool, output: &mut Output) -> Printed {
        let rules: Json = mem::take(&mut self.rules).into_values().collect();
        let driver = object! {
            "name": "zarrscope", "version": env!("CARGO_PKG_VERSION"), "rules": rules,
        };
        let run = object! {
            "tool": object! {"driver": driver},
            "invocations": [object! {"executionSuccessful": is_complete}],
            "results": mem::take(&mut self.results),
        };
        output.json(&object! {
            "$schema": "https://raw.githubusercontent.com/oasis-tcs/sarif-spec/master/Schemata/sarif-schema-2.1.0.json",
            "version": "2.1.0",
            "runs": [run],
        })
    }
}

/// The rule of a problem, with its page.
fn rule(problem: &Problem) -> Json {
    let mut rule = object! {"id": problem.kind()};
    if let Some(page) = problem.page() {
        rule.set("shortDescription", object! {"text": page.title()});
        let text: Vec<String> = page.sections().map(|(_, text)| text).collect();
        rule.set("help", object! {"text": text.join("\n\n"), "markdown": page.markdown()});
    }
    rule
}

/// A path as a relative reference (RFC 3986).
fn uri(path: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let one = |byte: u8| match byte {
        byte if is_plain(byte) => char::from(byte).to_string(),
        byte => format!("%{}", hex(&[byte], "").to_uppercase()),
    };
    path.bytes().map(one).collect()
}
