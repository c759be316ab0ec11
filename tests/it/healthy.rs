//! Healthy stores: `check` finds no error, no warning and no cause, and `endian` contradicts nothing.
//!
//! `tests/healthy/make.py` draws such stores. `stores.zip` holds some of each kind, and those that once gave a false alarm.

use crate::{cli::zarrscope, diagnosis::unpack};
use std::path::Path;
use tempfile::TempDir;
use zarrscope::zarr::{Json, json::Kind, store::ZipStore};

/// The stores, side by side in a folder.
fn stores() -> TempDir {
    let archive = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/healthy/stores.zip");
    let folder = crate::scratch();
    unpack(&ZipStore::open(&archive).unwrap(), "", folder.path());
    folder
}

fn printed(arguments: &[&str]) -> String {
    String::from_utf8(zarrscope(arguments).output().unwrap().stdout).unwrap()
}

#[test]
fn healthy_stores_give_no_alarm() {
    let stores = stores();
    let path = stores.path().to_str().unwrap();
    let (mut alarms, mut summary) = (Vec::new(), None);
    for line in printed(&["check", "--json", path]).lines() {
        let json = Json::parse(line.as_bytes()).unwrap().root;
        let severity = json.get("severity").and_then(Json::as_str);
        if json.get("diagnosis").is_some() || matches!(severity, Some("error" | "warning")) {
            alarms.push(line.to_owned());
        }
        summary = json.get("summary").cloned().or(summary);
    }
    assert!(alarms.is_empty(), "{}", alarms.join("\n"));
    let arrays = summary.and_then(|it| it.get("arrays")?.as_u64()).unwrap();
    assert!(arrays >= 300, "{arrays} arrays");
}

#[test]
fn the_byte_order_of_healthy_stores_is_not_contradicted() {
    let stores = stores();
    let told =
        Json::parse(printed(&["endian", "--json", stores.path().to_str().unwrap()]).as_bytes());
    let told = told.unwrap().root;
    let arrays = told.as_array().unwrap();
    let is_wrong =
        |array: &&Json| array.get("differs").is_some_and(|it| it.kind == Kind::Bool(true));
    let wrong: Vec<&Json> = arrays.iter().filter(is_wrong).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    assert!(arrays.len() >= 300, "{} arrays", arrays.len());
}
