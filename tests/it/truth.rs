//! Every array in sample-stores as zarr-python reads it, and as we do: `info --json`, `values` and `export`.
//!
//! tests/truth/make.py asked zarr-python 3.4.2 and wrote tests/truth/sample-stores.jsonl; what zarr-python 3.1.6 answers
//! otherwise is in sample-stores-3.1.6.jsonl beside it. Where we differ on purpose the reason stands in [`DEPARTURES`]; a
//! departure that no array needs any more fails too.

use crate::cli::{json, run, zarrscope};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::{collections::BTreeSet, fs, path::Path};
use zarrscope::zarr::words::hex;

const PAYLOAD: &str =
    "zarr-python writes every NaN as \"NaN\"; the payload is kept here, and V2 cannot say it";
const ZERO: &str =
    "zarr-python 2 wrote 0 for \"no fill value\"; zarr-python 3 makes the text \"0\" of it";
const NAMELESS: &str = "a struct cannot have a field without a name: zarr-python 3.4.2 writes one that the registry forbids, and no fill value";

/// Arrays of which we say something else than zarr-python: array, what differs, why.
const DEPARTURES: &[(&str, &str, &str)] = &[
    ("broken/string_fill_zero", "fill v2", ZERO),
    ("broken/string_fill_zero", "fill v3", ZERO),
    ("broken/string_fill_zero", "values", ZERO),
    (
        "dtypes-v2/float32_null_fill",
        "fill v3",
        "V3 has no null: the default scalar would be written",
    ),
    (
        "dtypes-v2/raw_bytes",
        "fill v3",
        "the registered form is a list of bytes; base64 is zarr-python's",
    ),
    ("dtypes-v2/structured_padded", "v3", NAMELESS),
    ("dtypes-v2/structured_padded", "fill v3", NAMELESS),
    ("dtypes-v3/struct_big", "fill v2", "zarr-python writes it in the order of its memory, little"),
    ("dtypes-v3/struct_big", "fill v3", PAYLOAD),
    ("dtypes-v3/struct_big", "values", PAYLOAD),
    ("dtypes-v3/struct_little", "fill v3", PAYLOAD),
    ("dtypes-v3/struct_little", "values", PAYLOAD),
    ("dtypes-v3/float32_nan_payload", "fill v2", PAYLOAD),
    ("dtypes-v3/float32_nan_payload", "fill v3", PAYLOAD),
    ("dtypes-v3/float32_nan_payload", "values", PAYLOAD),
    ("dtypes-v3/float64_nan_payload", "fill v2", PAYLOAD),
    ("dtypes-v3/float64_nan_payload", "fill v3", PAYLOAD),
    ("dtypes-v3/float64_nan_payload", "values", PAYLOAD),
];

/// The facts of one array, from zarr-python.
struct Truth {
    path: String,
    said: Value,
}

fn truths() -> Vec<Truth> {
    truths_in("sample-stores.jsonl")
}

fn truths_in(file: &str) -> Vec<Truth> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/truth");
    let text = fs::read_to_string(folder.join(file)).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let truth = |said: Value| {
        let part = |key: &str| said[key].as_str().unwrap().to_owned();
        Truth { path: format!("sample-stores/{}/{}", part("store"), part("path")), said }
    };
    lines.map(truth).collect()
}

/// Collects what differs, and what was expected to and does not.
#[derive(Default)]
struct Differences {
    found: Vec<String>,
    departed: BTreeSet<(&'static str, &'static str)>,
}

impl Differences {
    fn compare(&mut self, truth: &Truth, what: &'static str, theirs: &Value, ours: &Value) {
        if same(theirs, ours) {
            return;
        }
        let departure =
            DEPARTURES.iter().find(|(path, kind, _)| truth.path.ends_with(path) && *kind == what);
        match departure {
            Some((path, kind, _)) => drop(self.departed.insert((path, kind))),
            None => self
                .found
                .push(format!("{} {what}: zarr-python {theirs}, zarrscope {ours}", truth.path)),
        }
    }

    fn conclude(self, kinds: &[&str]) {
        assert!(
            self.found.is_empty(),
            "{} differences\n{}",
            self.found.len(),
            self.found.join("\n")
        );
        for (path, kind, _) in DEPARTURES.iter().filter(|(_, kind, _)| kinds.contains(kind)) {
            assert!(
                self.departed.contains(&(*path, *kind)),
                "{path} {kind}: no longer a departure"
            );
        }
    }
}

/// The same JSON, numbers by their value: 1.0 is 1. NaT is the text or the lowest integer.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(count), Value::String(text)) => {
            count.as_i64() == Some(i64::MIN) && text == "NaT"
        }
        (Value::Number(a), Value::Number(b)) => {
            a.to_string() == b.to_string() || a.as_f64().is_some() && a.as_f64() == b.as_f64()
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}

/// The node that a line is about: of a folder with both documents `info` shows V3 and has V2 beside it.
fn of_format(info: Value, format: &Value) -> Value {
    if info["zarr_format"] == *format { info } else { info["other_format"].clone() }
}

#[test]
fn metadata_says_what_zarr_python_says() {
    let mut differences = Differences::default();
    let mut compared = 0;
    for truth in truths().iter().filter(|truth| truth.said.get("open_error").is_none()) {
        let (_, info) = json(&["info", &truth.path]);
        compare_metadata(truth, &of_format(info, &truth.said["zarr_format"]), &mut differences);
        compared += 1;
    }
    assert!(compared > 100, "only {compared} arrays");
    differences.conclude(&[
        "kind",
        "shape",
        "chunks",
        "shards",
        "v2",
        "object codec",
        "v3",
        "endian",
        "fill v2",
        "fill v3",
        "fill bytes",
    ]);
}

fn compare_metadata(truth: &Truth, info: &Value, differences: &mut Differences) {
    let said = &truth.said;
    let mut compare =
        |what, theirs: &Value, ours: &Value| differences.compare(truth, what, theirs, ours);
    compare("kind", &said["zdtype"], &info["data_type"]["kind"]);
    compare("shape", &said["shape"], &info["shape"]);
    let (inner, outer) = (&info["inner_chunk_shape"], &info["chunk_grid"]["chunk_shape"]);
    compare("chunks", &said["chunks"], if inner.is_null() { outer } else { inner });
    compare("shards", &said["shards"], if inner.is_null() { inner } else { outer });
    compare("v2", &in_order_of(&said["v2"], info), &info["data_type"]["v2"]["dtype"]);
    compare("object codec", &said["v2_object_codec"], &info["data_type"]["v2"]["object_codec"]);
    compare("v3", &said["v3"], &as_zarr_python_writes(info));
    compare("endian", &said["endian"], &endian(info));
    compare("fill v2", &said["fill_v2"], &info["fill_value"]["v2"]);
    compare("fill v3", &said["fill_v3"], &info["fill_value"]["v3"]);
    let bytes = if said["fill_bytes_le"].is_null() {
        &Value::Null
    } else {
        &info["fill_value"]["bytes_little"]
    };
    compare("fill bytes", &said["fill_bytes_le"], bytes);
}

/// zarr-python's V2 dtype of a V3 array is that of the type in memory, little; ours has the array's byte order.
fn in_order_of(v2: &Value, info: &Value) -> Value {
    if info["zarr_format"] != 3 || info["data_type"]["byte_order"] != "big" {
        return v2.clone();
    }
    match v2 {
        Value::String(text) => text.replacen('<', ">", 1).into(),
        Value::Array(items) => items.iter().map(|item| in_order_of(item, info)).collect(),
        other => other.clone(),
    }
}

/// Our V3 form, or the unregistered one that zarr-python writes, where a note quotes it.
fn as_zarr_python_writes(info: &Value) -> Value {
    let ours = &info["data_type"]["v3"]["data_type"];
    match ours.as_str() {
        Some("bytes") => "variable_length_bytes".into(),
        Some(raw) if raw.starts_with('r') => {
            let bits: u64 = raw.trim_start_matches('r').parse().unwrap();
            serde_json::json!({"name": "raw_bytes", "configuration": {"length_bytes": bits / 8}})
        }
        _ if ours["name"] == "struct" => {
            let fields = ours["configuration"]["fields"].as_array().unwrap();
            let field = |field: &Value| {
                let inner =
                    serde_json::json!({"data_type": {"v3": {"data_type": field["data_type"]}}});
                serde_json::json!({"name": field["name"], "data_type": as_zarr_python_writes(&inner)})
            };
            let fields: Value = fields.iter().map(field).collect();
            serde_json::json!({"name": "struct", "configuration": {"fields": fields}})
        }
        _ => ours.clone(),
    }
}

#[test]
fn what_zarr_python_3_1_6_answers_otherwise_is_kept() {
    let newest = truths();
    let older = truths_in("sample-stores-3.1.6.jsonl");
    for old in &older {
        let is_same_node = |new: &&Truth| {
            new.path == old.path && new.said["zarr_format"] == old.said["zarr_format"]
        };
        let new =
            newest.iter().find(is_same_node).unwrap_or_else(|| panic!("{} is gone", old.path));
        assert_ne!(new.said, old.said, "{}: both answer the same", old.path);
    }
    assert!(older.len() > 5);
}

/// The byte order as zarr-python reports it: for structs of V2, nothing.
fn endian(info: &Value) -> Value {
    let is_struct = info["data_type"]["v2"]["dtype"].is_array();
    if info["zarr_format"] == 2 && is_struct {
        Value::Null
    } else {
        info["data_type"]["byte_order"].clone()
    }
}

#[test]
fn values_are_what_zarr_python_reads() {
    let mut differences = Differences::default();
    let mut compared = 0;
    for truth in truths().iter().filter(|truth| truth.said["values"].is_array()) {
        let (_, info) = json(&["info", &truth.path]);
        // Of a folder with both documents the commands read V3.
        if info["zarr_format"] != truth.said["zarr_format"] {
            continue;
        }
        let theirs = truth.said["values"].as_array().unwrap();
        let out = run(&["export", &truth.path]).out;
        let ours = out
            .lines()
            .take(theirs.len())
            .map(|line| serde_json::from_str::<Value>(line).unwrap())
            .collect();
        differences.compare(truth, "values", &truth.said["values"], &ours);
        if truth.said["values_sha256_le"].is_string() {
            differences.compare(
                truth,
                "sha256",
                &truth.said["values_sha256_le"],
                &sha256_little(&truth.path, &info),
            );
        }
        compared += 1;
    }
    assert!(compared > 100, "only {compared} arrays");
    differences.conclude(&["values", "sha256"]);
}

/// The SHA-256 of what `export` gives, every component turned to little-endian.
fn sha256_little(path: &str, info: &Value) -> Value {
    let npy = zarrscope(&["export", path, "-o", "-"]).output().unwrap().stdout;
    let header = usize::from(u16::from_le_bytes([npy[8], npy[9]]));
    let mut elements = npy[10 + header..].to_vec();
    let mut components = Vec::new();
    swaps(&info["data_type"]["v2"]["dtype"], &mut components);
    let size: usize = components.iter().map(|(_, size)| size).sum();
    for element in elements.chunks_mut(size.max(1)) {
        let mut rest = element;
        for (swap, size) in &components {
            let (component, tail) = rest.split_at_mut(*size);
            if *swap {
                component.reverse();
            }
            rest = tail;
        }
    }
    hex(&Sha256::digest(elements), "").into()
}

/// The components of an element: whether they are to be swapped, and how many bytes they have.
fn swaps(dtype: &Value, components: &mut Vec<(bool, usize)>) {
    if let Some(fields) = dtype.as_array() {
        for field in fields {
            let items = field.get(2).and_then(Value::as_array).into_iter().flatten();
            let count: u64 = items.map(|n| n.as_u64().unwrap()).product();
            (0..count).for_each(|_| swaps(&field[1], components));
        }
        return;
    }
    let Some(text) = dtype.as_str() else { return };
    let (order, kind) = (text.as_bytes()[0], text.as_bytes()[1]);
    let digits: String = text.chars().skip(2).take_while(char::is_ascii_digit).collect();
    let number: usize = digits.parse().unwrap();
    let (count, size) = match kind {
        b'c' => (2, number / 2),
        b'U' => (number, 4),
        b'S' | b'V' => (number, 1),
        _ => (1, number),
    };
    components.extend(std::iter::repeat_n((order == b'>', size), count));
}
