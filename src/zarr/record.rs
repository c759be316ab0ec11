//! Errors and problems as JSON and back, for what one machine finds and another one reports.

use super::error::{Headline, Place};
use super::prelude::*;

/// An error with all that is known of it.
pub fn error(error: &Error) -> Json {
    let Error { code, place, message, found, expected, fix } = error;
    let mut json = object! {"code": code.as_str(), "found": found, "expected": expected};
    let parts = [("file", &place.file), ("field", &place.field), ("fix", fix)];
    for (key, text) in parts {
        if let Some(text) = text {
            json.set(key, text);
        }
    }
    if let Some(message) = message {
        json.set("message", &message.0);
    }
    if let Some(offset) = place.offset {
        json.set("offset", offset);
    }
    json
}

/// The error that [`error`] wrote; `None` where it is none of this version.
pub fn to_error(json: &Json) -> Option<Error> {
    let text = |key: &str| json.get_str(key).map(str::to_owned);
    let code = Code::of(&text("code")?)?;
    let offset = json.get_u64("offset");
    let place = Place { file: text("file"), field: text("field"), offset };
    Some(Error {
        code,
        place,
        message: text("message").map(|text| Box::new(Headline(text))),
        found: text("found")?,
        expected: text("expected")?,
        fix: text("fix"),
    })
}

/// A problem without a diagnosis.
pub fn problem(problem: &Problem) -> Json {
    let mut json = error(&problem.error);
    json.set("severity", problem.severity.word());
    json.set("count", problem.count);
    json
}

/// The problem that [`problem`] wrote; `None` where it is none of this version.
pub fn to_problem(json: &Json) -> Option<Problem> {
    let word = json.get_str("severity")?;
    let all = [Severity::Note, Severity::Limit, Severity::Warning, Severity::Error];
    let severity = all.into_iter().find(|severity| severity.word() == word)?;
    let count = json.get_u64("count")?;
    Some(Problem { severity, count, ..Problem::new(to_error(json)?) })
}
