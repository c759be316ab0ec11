//! The public conformance vectors of data types, fill values and element bytes, each by its `advice`.
//!
//! `accept` must give the right type, size, order, both written forms and bytes; `accept-flag` the same and a note;
//! `reject` an error that says what was found and what was expected. Nothing is skipped.

mod dtype;
mod elements;
mod fill;

use std::{collections::BTreeMap, path::Path, sync::LazyLock};
use zarrscope::zarr::{
    ByteOrder, DataTypes, Endian, Json, Scalar,
    data_type::{DataType, Resolved},
    json::Kind,
};

static REGISTRY: LazyLock<DataTypes> = LazyLock::new(DataTypes::default);

const LITTLE: ByteOrder = ByteOrder::All(Endian::Little);
const BIG: ByteOrder = ByteOrder::All(Endian::Big);

/// One record of a vector file.
struct Record {
    value: Json,
}

impl Record {
    fn get(&self, key: &str) -> &Json {
        self.value.get(key).unwrap_or(&Json::NULL)
    }

    fn text(&self, key: &str) -> &str {
        self.get(key).as_str().unwrap_or_default()
    }

    fn is(&self, key: &str) -> bool {
        self.get(key).kind == Kind::Bool(true)
    }

    /// The JSON of a member that is given as a value, or as a text under `<key>_text`.
    ///
    /// The deepest are deeper than our reader follows: an error, which is a refusal.
    fn json(&self, key: &str) -> Result<Json, zarrscope::zarr::Error> {
        match self.get(&format!("{key}_text")).as_str() {
            Some(text) => Json::parse_str(text),
            None => Ok(self.get(key).clone()),
        }
    }
}

/// The failures, by record.
#[derive(Default)]
struct Failures {
    all: BTreeMap<String, Vec<String>>,
    passed: usize,
}

impl Failures {
    fn check(&mut self, record: &Record, outcome: Result<(), String>) {
        match outcome {
            Ok(()) => self.passed += 1,
            Err(message) => {
                self.all.entry(record.text("id").to_owned()).or_default().push(message);
            }
        }
    }

    /// Fails if any record did.
    fn finish(self) {
        for (id, messages) in &self.all {
            eprintln!("{id}: {}", messages.join("; "));
        }
        let all = self.passed + self.all.len();
        assert!(self.all.is_empty() && self.passed > 100, "{} of {all} failed", self.all.len());
    }
}

fn records(name: &str) -> Vec<Record> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors").join(name);
    let bytes = std::fs::read(path).unwrap();
    let Kind::Array(records) = Json::parse(&bytes).unwrap().root.kind else { panic!("no list") };
    records.into_iter().map(|value| Record { value }).collect()
}

/// The bytes of a scalar with every component in one order.
fn bytes(resolved: &Resolved, scalar: &Scalar, order: &ByteOrder) -> Result<String, String> {
    let bytes = resolved.data_type.encode(scalar, order).map_err(|error| error.to_string())?;
    Ok(zarrscope::zarr::words::hex(&bytes, ""))
}

fn expect<T: PartialEq + std::fmt::Debug>(
    what: &str,
    found: &T,
    expected: &T,
) -> Result<(), String> {
    if found == expected {
        Ok(())
    } else {
        Err(format!("{what}: {found:?}, expected {expected:?}"))
    }
}

/// True if two JSON values mean the same: numbers by value, zero by its sign.
fn same(a: &Json, b: &Json) -> bool {
    match (&a.kind, &b.kind) {
        (Kind::Number(a), Kind::Number(b)) => match (a.parse::<i128>(), b.parse::<i128>()) {
            (Ok(a), Ok(b)) => a == b,
            _ => a.parse::<f64>().unwrap().to_bits() == b.parse::<f64>().unwrap().to_bits(),
        },
        (Kind::Array(a), Kind::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Kind::Object(members), Kind::Object(others)) => {
            members.len() == others.len()
                && members.iter().all(|a| b.get(&a.key).is_some_and(|b| same(&a.value, b)))
        }
        _ => a == b,
    }
}

fn has_note(resolved: &Resolved) -> bool {
    !resolved.notes.is_empty()
}

/// A refusal has to say what was found and what was expected.
fn refusal<T>(result: Result<T, zarrscope::zarr::Error>) -> Result<(), String> {
    match result {
        Ok(_) => Err("accepted, though it must be refused".into()),
        Err(error) if error.found.is_empty() || error.expected.is_empty() => {
            Err(format!("a refusal without words: {error:?}"))
        }
        Err(_) => Ok(()),
    }
}

fn item_size(data_type: &dyn DataType) -> Option<u64> {
    data_type.item_size().fixed().map(|size| size as u64)
}
