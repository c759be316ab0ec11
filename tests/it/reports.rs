//! The reports for machines: SARIF agrees with its schema, GitHub's annotations with its syntax, and both have every
//! finding of `--json`.

use crate::cli::run;
use serde_json::Value;
use std::{env, fs, path::Path, process::Command};

const STORES: &str = "sample-stores/broken";

/// The places at which `value` does not agree with `schema` (the part of JSON Schema that SARIF's uses).
fn faults(root: &Value, schema: &Value, value: &Value, at: &str, out: &mut Vec<String>) {
    let mut fault = |what: &str| out.push(format!("{at}: {what}"));
    if let Some(reference) = schema["$ref"].as_str() {
        let pointer = reference.strip_prefix('#').unwrap();
        return faults(root, root.pointer(pointer).unwrap(), value, at, out);
    }
    let is = |name: &str| match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("{other}"),
    };
    match &schema["type"] {
        Value::String(name) if !is(name) => fault(&format!("no {name}")),
        Value::Array(names) if !names.iter().any(|name| is(name.as_str().unwrap())) => {
            fault("another type");
        }
        _ => {}
    }
    if schema["enum"].as_array().is_some_and(|all| !all.contains(value)) {
        fault("not one of the values");
    }
    if let (Some(least), Some(number)) = (schema["minimum"].as_f64(), value.as_f64())
        && number < least
    {
        fault("too small");
    }
    if let Some(items) = value.as_array() {
        if items.len() < usize::try_from(schema["minItems"].as_u64().unwrap_or(0)).unwrap() {
            fault("too few items");
        }
        if schema["uniqueItems"] == true
            && (1..items.len()).any(|end| items[..end].contains(&items[end]))
        {
            fault("the same item twice");
        }
        for (index, item) in items.iter().enumerate() {
            faults(root, &schema["items"], item, &format!("{at}[{index}]"), out);
        }
    }
    if let Some(members) = value.as_object() {
        for name in schema["required"].as_array().into_iter().flatten() {
            if !members.contains_key(name.as_str().unwrap()) {
                out.push(format!("{at}: no {name}"));
            }
        }
        for (name, member) in members {
            match &schema["properties"][name] {
                Value::Null if schema["additionalProperties"] == false => {
                    out.push(format!("{at}: {name} is unknown"));
                }
                Value::Null => {}
                known => faults(root, known, member, &format!("{at}.{name}"), out),
            }
        }
    }
    for (key, least) in [("anyOf", 1), ("oneOf", 1)] {
        if let Some(all) = schema[key].as_array() {
            let fits = |schema: &&Value| {
                let mut out = Vec::new();
                faults(root, schema, value, at, &mut out);
                out.is_empty()
            };
            if all.iter().filter(fits).count() < least {
                out.push(format!("{at}: none of {key}"));
            }
        }
    }
}

/// The faults of a SARIF document.
fn of_sarif(document: &Value) -> Vec<String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/sarif-2.1.0.json");
    let schema = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let mut out = Vec::new();
    faults(&schema, &schema, document, "$", &mut out);
    out
}

/// The severities and codes of the findings in JSON.
fn in_json() -> Vec<(String, String)> {
    let ran = run(&["check", STORES, "--json"]);
    let rows = ran.out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let text = |row: &Value, key: &str| row[key].as_str().unwrap().to_owned();
    let rows = rows.filter(|row| row["code"].is_string());
    rows.map(|row| (text(&row, "severity"), text(&row, "code"))).collect()
}

#[test]
fn sarif_agrees_with_its_schema_and_has_every_finding() {
    let ran = run(&["check", STORES, "--format", "sarif"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let document: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(of_sarif(&document), Vec::<String>::new());
    let results = document["runs"][0]["results"].as_array().unwrap();
    let found = results.iter().map(|result| result["ruleId"].as_str().unwrap().to_owned());
    assert_eq!(found.collect::<Vec<_>>(), in_json().into_iter().map(|it| it.1).collect::<Vec<_>>());
    let rules = document["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    let is_rule = |id: &str| rules.iter().any(|rule| id.split('/').next() == rule["id"].as_str());
    assert!(results.iter().all(|result| is_rule(result["ruleId"].as_str().unwrap())));

    let mut broken = document.clone();
    broken["runs"][0]["results"][0]["level"] = "fatal".into();
    broken["runs"][0]["results"][1]["colour"] = "red".into();
    broken["version"] = Value::Null;
    assert_eq!(of_sarif(&broken).len(), 3, "{:?}", of_sarif(&broken));
}

#[test]
fn annotations_are_one_line_each_and_name_file_and_code() {
    let ran = run(&["check", STORES, "--format", "github"]);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines.len(), in_json().len());
    for (line, (severity, code)) in lines.into_iter().zip(in_json()) {
        let level =
            if ["note", "limit"].contains(&severity.as_str()) { "notice" } else { &severity };
        assert!(line.starts_with(&format!("::{level} file={STORES}/")), "{line}");
        let (head, text) = line.split_once(&format!(",title={code}::")).expect(line);
        assert!(
            !head.chars().skip(2).collect::<String>().contains("::") && !text.is_empty(),
            "{line}"
        );
    }
}

#[cfg(unix)]
#[test]
fn the_step_of_the_action_annotates_and_writes_sarif() {
    let binary = Path::new(env!("CARGO_BIN_EXE_zarrscope")).parent().unwrap();
    let folder = crate::scratch();
    let report = folder.path().join("report.sarif");
    let ran = Command::new("packaging/action/check.sh")
        .args([STORES, report.to_str().unwrap(), "--metadata-only"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("PATH", format!("{}:{}", binary.display(), env::var("PATH").unwrap()))
        .output()
        .unwrap();
    assert_eq!(ran.status.code(), Some(1), "{ran:?}");
    assert!(ran.stdout.starts_with(b"::error file="));
    let document = serde_json::from_str(&fs::read_to_string(report).unwrap()).unwrap();
    assert_eq!(of_sarif(&document), Vec::<String>::new());
}
