//! The findings in a chunk as JSON and back: a check that is spread over many machines is put together from them.

use super::{CheckedChunk, StoredInnerChunks, ValueCounts};
use crate::zarr::prelude::*;
use crate::zarr::{
    byte_order::{Certainty, Verdict},
    record,
};

impl CheckedChunk {
    /// All that a report needs of it.
    pub fn to_json(&self) -> Json {
        let mut json = object! {"bytes": self.bytes};
        if self.is_verified {
            json.set("verified", true);
        }
        if !self.problems.is_empty() {
            json.set("problems", self.problems.iter().map(record::problem).collect::<Json>());
        }
        if !self.notes.is_empty() {
            json.set(
                "notes",
                self.notes
                    .iter()
                    .map(|note| object! {"code": note.code.as_str(), "text": &note.text})
                    .collect::<Json>(),
            );
        }
        if let Some(looks) = &self.looks {
            json.set("looks", looks);
        }
        if let Some(StoredInnerChunks { counts, shape, stored }) = &self.inner {
            let each: String = stored.iter().map(|&is| if is { '1' } else { '0' }).collect();
            json.set("inner", object! {"counts": counts, "shape": shape, "stored": each});
        }
        if let Some(values) = self.values.to_json() {
            json.set("values", values);
        }
        if let Some(verdict) = self.verdict.as_ref().and_then(verdict) {
            json.set("byte_order", verdict);
        }
        json
    }

    /// The chunk that [`Self::to_json`] wrote; `None` where it is none of this version.
    pub fn from_json(json: &Json) -> Option<Self> {
        let list = |key: &str| json.get_array(key).unwrap_or_default();
        let note = |json: &Json| {
            let word = json.get_str("code")?;
            let code = Code::of(word)?;
            Some(Note::new(code, json.get_str("text")?))
        };
        Some(Self {
            bytes: json.get_u64("bytes")?,
            problems: list("problems").iter().map(record::to_problem).collect::<Option<_>>()?,
            notes: list("notes").iter().map(note).collect::<Option<_>>()?,
            looks: json.get_str("looks").map(str::to_owned),
            inner: json.get("inner").map(inner).map_or(Some(None), |inner| inner.map(Some))?,
            values: match json.get("values") {
                Some(json) => ValueCounts::from_json(json)?,
                None => ValueCounts::default(),
            },
            is_verified: json.get("verified").is_some(),
            verdict: json.get("byte_order").map(to_verdict),
        })
    }
}

fn inner(json: &Json) -> Option<StoredInnerChunks> {
    let numbers = |key: &str| json.get(key)?.as_numbers();
    let stored = json.get_str("stored")?.chars().map(|c| c == '1').collect();
    Some(StoredInnerChunks { counts: numbers("counts")?, shape: numbers("shape")?, stored })
}

/// A verdict: all of it where it surely contradicts the metadata, else how sure it is; `None` where it says nothing.
fn verdict(verdict: &Verdict) -> Option<Json> {
    let certainty = verdict.certainty.map(Certainty::word);
    if verdict.contradiction() == Some(Certainty::Certain) {
        return Some(whole(verdict));
    }
    certainty.map(|certainty| object! {"certainty": certainty})
}

fn whole(verdict: &Verdict) -> Json {
    let Verdict { declared, plausible, certainty, evidence, components } = verdict;
    let part = |(name, part): &(String, Verdict)| object! {"name": name, "verdict": whole(part)};
    object! {
        "declared": declared.map(Endian::word), "plausible": plausible.map(Endian::word),
        "certainty": certainty.map(Certainty::word), "evidence": evidence,
        "components": components.iter().map(part).collect::<Json>(),
    }
}

fn to_verdict(json: &Json) -> Verdict {
    let word = |key: &str| json.get_str(key);
    let order = |key| {
        [Endian::Little, Endian::Big].into_iter().find(|order| word(key) == Some(order.word()))
    };
    let grades = [Certainty::Weak, Certainty::Likely, Certainty::Certain];
    let list = |key: &str| json.get_array(key).unwrap_or_default();
    let part = |json: &Json| {
        let name = json.get_str("name").unwrap_or_default().to_owned();
        (name, json.get("verdict").map_or_else(|| to_verdict(&Json::NULL), to_verdict))
    };
    Verdict {
        declared: order("declared"),
        plausible: order("plausible"),
        certainty: grades.into_iter().find(|grade| word("certainty") == Some(grade.word())),
        evidence: list("evidence").iter().filter_map(Json::as_str).map(str::to_owned).collect(),
        components: list("components").iter().map(part).collect(),
    }
}
