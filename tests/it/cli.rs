//! The commands: what they print, their exit codes, and how they behave in pipes.

use serde_json::Value;
use std::{
    fs,
    io::{Read, Write},
    path::Path,
    process::{Command, Output, Stdio},
};
use tempfile::TempDir;

/// The program, standing in the folder that holds sample-stores, without colour and without this machine's settings.
pub(crate) fn zarrscope(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_zarrscope"));
    command
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::null())
        .env_remove("NO_COLOR");
    command
}

/// The output of a run, as text.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

pub(crate) fn run(arguments: &[&str]) -> Ran {
    let Output { status, stdout, stderr } = zarrscope(arguments).output().unwrap();
    Ran {
        code: status.code().expect("no signal"),
        out: String::from_utf8(stdout).expect("UTF-8 on stdout"),
        err: String::from_utf8(stderr).expect("UTF-8 on stderr"),
    }
}

/// The exit code and the document of a run with `--json`.
pub(crate) fn json(arguments: &[&str]) -> (i32, Value) {
    let ran = run(&[arguments, &["--json"]].concat());
    let document = serde_json::from_str(&ran.out)
        .unwrap_or_else(|error| panic!("{arguments:?}: {error}\n{}\n{}", ran.out, ran.err));
    (ran.code, document)
}

/// A run as a snapshot shows it: the command line, the exit code, both streams.
fn transcript(arguments: &[&str]) -> String {
    let Ran { code, mut out, err } = run(arguments);
    // What a pass costs changes with every hypothesis, and is held by the tests of the budget.
    if let Some((before, (_, after))) = out
        .split_once("\"work\":{")
        .and_then(|(before, rest)| Some((before, rest.split_once('}')?)))
    {
        out = format!("{before}\"work\":{{…}}{after}");
    }
    let err = if err.is_empty() { String::new() } else { format!("--- stderr\n{err}") };
    format!("$ zarrscope {}\n{out}{err}--- exit code {code}\n", arguments.join(" "))
}

macro_rules! shows {
    ($($name:ident: $($argument:literal)+;)*) => {
        $(#[test]
        fn $name() {
            insta::assert_snapshot!(transcript(&[$($argument),+]));
        })*
    };
}

shows! {
    tree_of_all_stores: "tree" "sample-stores";
    tree_is_what_a_pipe_gets: "sample-stores/ocean";
    tree_in_ascii: "tree" "sample-stores/byte-order" "--ascii";
    tree_to_a_depth: "tree" "sample-stores" "--depth" "1";
    tree_as_json: "tree" "sample-stores/ocean" "--json";
    tree_of_one_array: "tree" "sample-stores/ocean/packed";
    info_of_a_sharded_array: "info" "sample-stores/ocean/temperature";
    info_of_a_v2_array: "info" "sample-stores/ocean-v2/packed";
    info_as_json: "info" "sample-stores/ocean/packed" "--json";
    info_of_a_group: "info" "sample-stores/ocean-v2";
    info_of_a_folder: "info" "sample-stores";
    info_in_ascii: "info" "sample-stores/ocean/packed" "--ascii";
    info_of_hostile_text: "info" "sample-stores/broken/hostile_text";
    info_of_hostile_text_as_json: "info" "sample-stores/broken/hostile_text" "--json";
    info_of_invalid_json: "info" "sample-stores/broken/json_invalid";
    info_of_an_unknown_codec: "info" "sample-stores/broken/codec_unknown";
    explain_what: "explain";
    explain_cluster: "explain" "cluster";
    explain_limits: "--help" "limits";
    explain_storage: "explain" "storage";
    explain_nothing_known: "explain" "limit";
    explain_a_finding: "explain" "cf-flags";
    keys_of_the_inspector: "explain" "keys";
    keys_in_ascii: "explain" "keys" "--ascii";
    keys_as_json: "explain" "keys" "--json";
    info_of_both_formats: "info" "sample-stores/broken/two_formats";
    info_of_a_refused_fill_value: "info" "sample-stores/broken/fill_out_of_range";
    document_of_v3_as_v2: "info" "sample-stores/ocean/packed" "--document" "2";
    document_of_v2_as_v3: "info" "sample-stores/ocean-v2/packed" "--document" "3";
    document_as_stored: "info" "sample-stores/ocean-v2/packed" "--document" "2" "--file" ".zarray";
    document_of_a_group: "info" "sample-stores/ocean" "--document" "2";
    document_that_loses_shards: "info" "sample-stores/ocean/temperature" "--document" "2" "--file" ".zarray";
    document_with_another_fill_attribute: "info" "sample-stores/ocean/temperature" "--document" "2" "--file" ".zattrs";
    document_that_cannot_be_written: "info" "sample-stores/dtypes-v3/bfloat16" "--document" "2";
    document_of_both_formats: "info" "sample-stores/broken/two_formats" "--document" "2";
    document_of_a_folder: "info" "sample-stores" "--document" "2";
    document_without_that_file: "info" "sample-stores/ocean-v2/packed" "--document" "3" "--file" ".zattrs";
    dtype_gallery: "dtype";
    dtype_of_v2: "dtype" ">i2" "--fill-value" "-32768";
    dtype_of_v2_as_json: "dtype" ">i2" "--fill-value" "-32768" "--json";
    dtype_of_a_struct: "dtype" "[[\"a\",\">i2\"],[\"b\",[[\"x\",\"<f4\"],[\"y\",\"|u1\",[2]]]]]";
    dtype_of_numpy: "dtype" "datetime64[10s]" "--fill-value" "\"NaT\"" "--endian" "big";
    dtype_with_a_nan_payload: "dtype" "float32" "--fill-value" "\"0x7fc00001\"";
    dtype_with_a_bare_nan: "dtype" "float32" "--fill-value" "NaN" "--json";
    dtype_refused: "dtype" "int17";
    dtype_refused_as_json: "dtype" "int17" "--json";
    dtype_with_a_refused_fill_value: "dtype" "uint8" "--fill-value" "256" "--json";
    dtype_with_a_fill_value_that_is_no_json: "dtype" "uint8" "--fill-value" "1e";
    dtype_with_a_contradicted_order: "dtype" "<i2" "--endian" "big";
    dtype_of_an_object: "dtype" "|O" "--object-codec" "vlen-utf8" "--fill-value" "\"ü\"";
    chunk_by_key: "chunk" "sample-stores/ocean/packed" "c/1/2";
    chunk_by_coordinates: "chunk" "sample-stores/ocean-v2/packed" "1,2";
    chunk_inside_a_shard: "chunk" "sample-stores/ocean/temperature" "c/0/1@1,0";
    chunk_that_is_a_shard: "chunk" "sample-stores/ocean/temperature" "c/0/1" "--stage" "0";
    chunk_that_is_missing: "chunk" "sample-stores/ocean/packed" "c/0/3";
    chunk_outside_the_grid: "chunk" "sample-stores/ocean/packed" "c/9/9";
    chunk_that_is_no_chunk: "chunk" "sample-stores/ocean/packed" "c/x";
    chunk_without_key: "chunk" "sample-stores/ocean/packed";
    chunk_with_a_wrong_checksum: "chunk" "sample-stores/broken/crc" "2,1";
    chunk_behind_a_wrong_checksum: "chunk" "sample-stores/broken/crc" "2,1" "--ignore-checksums";
    chunk_cut_short: "chunk" "sample-stores/broken/chunk_truncated" "1";
    chunk_as_hex: "chunk" "sample-stores/byte-order/v3/int16_big" "0" "--hex";
    chunk_as_values: "chunk" "sample-stores/dtypes-v3/string" "0" "--values";
    chunk_without_metadata: "chunk" "sample-stores/byte-order/v3/int16_big/c/0" "--dtype" ">i2" "--shape" "8,8";
    chunk_stage_that_is_not_there: "chunk" "sample-stores/ocean/packed" "c/1/2" "--stage" "9";
    values_of_strings: "export" "sample-stores/dtypes-v3/string";
    values_of_a_v2_struct: "export" "sample-stores/dtypes-v2/structured_nested";
    values_of_a_v3_struct: "export" "sample-stores/dtypes-v3/struct_big";
    values_of_hostile_strings: "export" "sample-stores/broken/hostile_strings";
    values_of_one_chunk: "export" "sample-stores/ocean/year" "--chunk" "c/0";
    values_as_json: "export" "sample-stores/dtypes-v3/float32" "--json";
    values_of_a_group: "export" "sample-stores/ocean";
    values_of_a_broken_chunk: "export" "sample-stores/broken/chunk_truncated";
    export_of_strings: "export" "sample-stores/dtypes-v3/string" "-o" "-";
    endian_of_liars: "endian" "sample-stores/byte-order";
    endian_as_json: "endian" "sample-stores/byte-order/liar" "--json";
    endian_of_a_chunk_file: "endian" "sample-stores/byte-order/v3/float32_big/c/0" "--dtype" "<f4";
    check_what_is_broken: "check" "sample-stores/broken";
    check_as_json: "check" "sample-stores/broken/crc" "--json";
    check_of_metadata_alone: "check" "sample-stores/broken" "--metadata-only";
    check_of_what_is_sound: "check" "sample-stores/ocean";
    what_if_chunk: "chunk" "sample-stores/byte-order/liar" "c/0" "--as" "endian=big";
    what_if_info: "info" "sample-stores/ocean-v2/packed" "--as" "order=F" "--as" "dtype=uint16";
    what_if_of_an_unknown_key: "export" "sample-stores/ocean/year" "--as" "colour=red";
    what_if_of_an_unknown_type: "export" "sample-stores/ocean/year" "--as" "dtype=int17";
    what_if_of_an_unknown_codec: "export" "sample-stores/ocean/year" "--as" "codecs=bytes,nosuch";
    what_if_of_lengths_that_do_not_fit: "export" "sample-stores/ocean/packed" "--as" "chunks=3";
    what_if_of_a_group: "info" "sample-stores/ocean" "--as" "dtype=<f4";
    what_if_without_metadata: "chunk" "sample-stores/ocean/year/c/0" "--dtype" "<i2" "--as" "endian=big";
    nothing_there: "tree" "sample-stores/nowhere";
    no_such_command_or_path: "frobnicate";
    usage_error: "dtype" "--fill-value" "1";
    both_a_path_and_a_command: "sample-stores" "tree";
}

/// Every array of the sample stores, as a path.
pub(crate) fn sample_arrays() -> Vec<String> {
    let (_, tree) = json(&["tree", "sample-stores"]);
    let mut found = Vec::new();
    collect_arrays(&tree, &mut found);
    assert!(found.len() > 150, "only {} arrays", found.len());
    found
}

fn collect_arrays(node: &Value, found: &mut Vec<String>) {
    if node["node_type"] == "array" {
        found.push(format!("sample-stores/{}", node["path"].as_str().unwrap()));
    }
    node["children"]
        .as_array()
        .into_iter()
        .flatten()
        .for_each(|child| collect_arrays(child, found));
}

#[test]
fn every_array_has_valid_json_and_safe_text() {
    for path in sample_arrays() {
        let (code, info) = json(&["info", &path]);
        assert!(code <= 1, "{path}");
        assert_eq!(info["node_type"], "array", "{path}");
        for key in ["name", "kind", "item_size", "byte_order", "v2", "v3", "default"] {
            let data_type = &info["data_type"];
            assert!(
                data_type.get("error").is_some() || data_type.get(key).is_some(),
                "{path}: {key}"
            );
        }
        let refused =
            info["data_type"].get("error").is_some() || info["fill_value"].get("error").is_some();
        assert!(!refused || code == 1, "{path}: refused, and exit code {code}");
        for text in
            [run(&["info", &path]), run(&["info", &path, "--json"]), run(&["export", &path])]
        {
            assert_safe(&path, &text);
        }
    }
}

/// Nothing but line breaks acts on a terminal.
fn assert_safe(what: &str, ran: &Ran) {
    let acts = |c: char| c != '\n' && (c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c));
    assert!(
        !ran.out.contains(acts) && !ran.err.contains(acts),
        "{what}: {:?} {:?}",
        ran.out,
        ran.err
    );
}

#[test]
fn commands_on_hostile_stores_are_safe_for_a_terminal() {
    for command in ["tree", "info", "check", "endian"] {
        for json in [None, Some("--json")] {
            let arguments: Vec<_> =
                [command, "sample-stores/broken"].into_iter().chain(json).collect();
            assert_safe(command, &run(&arguments));
        }
    }
    for name in ["hostile_text", "hostile_strings"] {
        let path = format!("sample-stores/broken/{name}");
        for view in [&[][..], &["--hex"], &["--values"], &["--json", "--values"]] {
            assert_safe(name, &run(&[&["chunk", &path, "0"], view].concat()));
        }
    }
}

#[test]
fn each_line_of_check_is_json_and_the_last_is_the_summary() {
    let ran = run(&["check", "sample-stores", "--json"]);
    let lines: Vec<Value> =
        ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (summary, problems) = lines.split_last().unwrap();
    // A cause beside what it explains is no further fault, unless that is less severe.
    let explains = |cause: &Value| {
        problems.iter().any(|line| {
            line["follows_from"] == cause["diagnosis"]["cause"]
                && line["severity"] == cause["severity"]
        })
    };
    let faults: Vec<&Value> =
        problems.iter().filter(|line| line["diagnosis"].is_null() || !explains(line)).collect();
    let count = |severity: &str| faults.iter().filter(|line| line["severity"] == severity).count();
    assert_eq!(summary["summary"]["errors"], count("error"));
    assert_eq!(summary["summary"]["warnings"], count("warning"));
    for key in ["severity", "code", "path", "offset", "found", "expected", "fix"] {
        assert!(problems.iter().all(|line| line.get(key).is_some()), "{key}");
    }
    assert_eq!(ran.code, 1);
}

#[test]
fn thirteen_commands_have_a_help_of_one_screen() {
    let root = zarrscope::cli::command();
    let shown = root.get_subcommands().filter(|command| !command.is_hide_set());
    let names: Vec<_> = shown.map(|command| command.get_name().to_owned()).collect();
    assert!(names.len() <= 13, "{names:?}");
    for name in names.iter().map(String::as_str).chain([""]) {
        let help = run(&[name, "--help"][usize::from(name.is_empty())..]).out;
        assert!(help.lines().count() <= 40, "{help}");
    }
}

#[test]
fn limits_are_variables_too() {
    let mut command = zarrscope(&["export", "sample-stores/ocean/temperature"]);
    let ran = command.env("ZARRSCOPE_MAX_MEMORY", "1K").output().unwrap();
    let err = String::from_utf8_lossy(&ran.stderr);
    assert!(err.contains("at most 1024 bytes"), "{err}");
    let mut command = zarrscope(&["info", "sample-stores/ocean"]);
    let wrong = command.env("ZARRSCOPE_MAX_DECODED", "much").output().unwrap();
    assert_eq!(wrong.status.code(), Some(2), "{wrong:?}");
}

#[test]
fn a_closed_pipe_ends_quietly() {
    for arguments in
        [&["export", "sample-stores/ocean/temperature"][..], &["tree", "sample-stores"], &["dtype"]]
    {
        let mut child =
            zarrscope(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let Output { status, stderr, .. } = child.wait_with_output().unwrap();
        assert_eq!((status.code(), stderr.as_slice()), (Some(0), &b""[..]), "{arguments:?}");
    }
}

#[test]
fn colour_is_for_terminals_unless_it_is_asked_for() {
    let has_colour = |out: &[u8]| out.contains(&0x1b);
    let tree = ["tree", "sample-stores/ocean"];
    assert!(!has_colour(&zarrscope(&tree).output().unwrap().stdout));
    let always = [&tree[..], &["--color", "always"]].concat();
    assert!(has_colour(&zarrscope(&always).output().unwrap().stdout));
    assert!(has_colour(&zarrscope(&always).env("NO_COLOR", "1").output().unwrap().stdout));
}

#[test]
fn ascii_is_ascii() {
    for arguments in [
        &["tree", "sample-stores/ocean"][..],
        &["info", "sample-stores/ocean/temperature"],
        &["chunk", "sample-stores/ocean/packed", "c/1/2"],
    ] {
        let ran = run(&[arguments, &["--ascii"]].concat());
        assert!(ran.out.is_ascii(), "{}", ran.out);
    }
}

#[test]
fn packagers_get_completions_and_a_manual_page() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(run(&["completions", shell]).out.contains("zarrscope"), "{shell}");
    }
    let page = run(&["man"]).out;
    for command in ["TREE", "INFO", "DTYPE", "CHUNK", "EXPORT", "ENDIAN", "CHECK", "SHOT"] {
        assert!(page.contains(&format!("COMMAND {command}")), "{command}");
    }
    // Every key is there, and nothing of it acts on the formatter.
    let (_, keys) = page.split_once(".SH KEYS\n").unwrap();
    let lines: Vec<_> = keys.lines().filter(|line| line.starts_with("\\&")).collect();
    let all = json(&["explain", "keys"]).1;
    assert_eq!(lines.len(), 2 * all.as_array().unwrap().len());
    let commands = keys.lines().filter(|line| !line.starts_with("\\&"));
    assert!(commands.into_iter().all(|line| line == ".TP" || line.starts_with(".SS \"")));
}

#[test]
fn raw_stages_are_the_bytes_of_the_file_and_of_the_elements() {
    let raw = |stage: &str| {
        zarrscope(&["chunk", "sample-stores/ocean/packed", "c/1/2", "--raw", "--stage", stage])
            .output()
            .unwrap()
            .stdout
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    assert_eq!(raw("0"), fs::read(folder.join("sample-stores/ocean/packed/c/1/2")).unwrap());
    assert_eq!(raw("3").len(), 37 * 45 * 2);
}

#[test]
fn the_store_is_never_written_to() {
    let copy = crate::scratch();
    let array = copy.path().join("a");
    fs::create_dir_all(array.join("c")).unwrap();
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-stores/byte-order/v3/int16_big");
    fs::copy(folder.join("zarr.json"), array.join("zarr.json")).unwrap();
    fs::copy(folder.join("c/0"), array.join("c/0")).unwrap();
    let inside = array.join("out.npy");
    let ran = run(&["export", array.to_str().unwrap(), "-o", inside.to_str().unwrap()]);
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(!inside.exists());
    let outside = crate::scratch();
    let outside = outside.path().join("out.npy");
    assert_eq!(run(&["export", array.to_str().unwrap(), "-o", outside.to_str().unwrap()]).code, 0);
    assert!(outside.exists());
}

/// A V3 array of `shape` and `chunks` of int16 with the codec `bytes`, its chunks to be written by the test.
fn int16_array(shape: &[u64], chunks: &[u64]) -> TempDir {
    let folder = crate::scratch();
    let document = serde_json::json!({
        "zarr_format": 3, "node_type": "array", "shape": shape, "data_type": "int16", "fill_value": -1,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": chunks}},
        "chunk_key_encoding": {"name": "default"},
        "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}],
    });
    fs::write(folder.path().join("zarr.json"), document.to_string()).unwrap();
    folder
}

#[test]
fn chunks_are_put_together_in_c_order() {
    let folder = int16_array(&[3, 5], &[2, 2]);
    let path = folder.path().to_str().unwrap();
    // The chunk (1, 2) is missing; edge chunks are stored whole.
    for (key, values) in [
        ("0/0", [0_i16, 1, 5, 6]),
        ("0/1", [2, 3, 7, 8]),
        ("0/2", [4, 99, 9, 99]),
        ("1/0", [10, 11, 99, 99]),
        ("1/1", [12, 13, 99, 99]),
    ] {
        let file = folder.path().join("c").join(key);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<_>>())
            .unwrap();
    }
    let lines =
        |out: &str| out.lines().map(|line| line.parse::<i16>().unwrap()).collect::<Vec<_>>();
    let wanted: Vec<i16> = (0..14).chain([-1]).collect();
    assert_eq!(lines(&run(&["export", path]).out), wanted);
    assert_eq!(lines(&run(&["export", path, "--chunk", "c/0/2"]).out), [4, 9]);
    assert_eq!(lines(&run(&["export", path, "--chunk", "1,2"]).out), [-1]);
    assert_eq!(json(&["export", path]).1["values"].as_array().unwrap().len(), 15);
    let npy = zarrscope(&["export", path, "-o", "-"]).output().unwrap().stdout;
    assert_eq!(
        npy[npy.len() - 30..],
        wanted.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<_>>()
    );
}

#[test]
fn arrays_without_elements_or_dimensions() {
    let empty = int16_array(&[0, 5], &[2, 2]);
    let ran = run(&["export", empty.path().to_str().unwrap()]);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""));
    assert_eq!(
        json(&["export", empty.path().to_str().unwrap()]).1["values"],
        serde_json::json!([])
    );
    let scalar = int16_array(&[], &[]);
    let path = scalar.path().to_str().unwrap();
    assert_eq!(run(&["export", path]).out, "-1\n");
    fs::write(scalar.path().join("c"), 7_i16.to_le_bytes()).unwrap();
    assert_eq!(run(&["export", path]).out, "7\n");
    assert_eq!(run(&["export", path, "--chunk", "c"]).out, "7\n");
}

#[test]
fn a_path_can_be_a_chunk_file() {
    let file = "sample-stores/byte-order/v3/int16_big/c/0";
    assert_eq!(
        run(&["export", file]).out,
        run(&["export", "sample-stores/byte-order/v3/int16_big"]).out
    );
    assert_eq!(
        run(&["chunk", file]).out,
        run(&["chunk", "sample-stores/byte-order/v3/int16_big", "0"]).out
    );
}

#[test]
fn a_pipe_gives_what_a_file_gives() {
    let folder = crate::scratch();
    let file = folder.path().join("x.npy");
    let array = "sample-stores/ocean/air";
    let written = json(&["export", array, "-o", file.to_str().unwrap()]);
    assert_eq!((written.0, &written.1["shape"]), (0, &serde_json::json!([24, 37, 49])));
    let mut child =
        zarrscope(&["export", array, "-o", "-"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut piped = Vec::new();
    child.stdout.take().unwrap().read_to_end(&mut piped).unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(piped, fs::read(file).unwrap());
}

#[test]
fn broken_writers_are_not_broken_pipes() {
    let Ok(mut full) = fs::OpenOptions::new().write(true).open("/dev/full") else { return };
    let _ = full.flush();
    let status =
        zarrscope(&["tree", "sample-stores"]).stdout(full).stderr(Stdio::null()).status().unwrap();
    assert_eq!(status.code(), Some(2));
}

/// A V3 array of one chunk of int32, each element its own number in C order, under `codecs`.
fn large_array(shape: &[u64], codecs: &Value, chunk: &[u8]) -> TempDir {
    let folder = crate::scratch();
    let document = serde_json::json!({
        "zarr_format": 3, "node_type": "array", "shape": shape, "data_type": "int32", "fill_value": 0,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": shape}},
        "chunk_key_encoding": {"name": "default"}, "codecs": codecs,
    });
    fs::write(folder.path().join("zarr.json"), document.to_string()).unwrap();
    let key = shape.iter().fold("c".to_owned(), |key, _| key + "/0");
    let file = folder.path().join(key);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, chunk).unwrap();
    folder
}

fn bytes_codec() -> Value {
    serde_json::json!({"name": "bytes", "configuration": {"endian": "little"}})
}

/// The bytes that `export` gives after the header.
fn exported(path: &Path) -> Vec<u8> {
    let npy = zarrscope(&["export", path.to_str().unwrap(), "-o", "-"]).output().unwrap().stdout;
    let header = usize::from(u16::from_le_bytes([npy[8], npy[9]]));
    npy[10 + header..].to_vec()
}

#[test]
fn a_raw_chunk_that_is_read_in_windows_is_whole() {
    let count = 3_000_000_i32;
    let bytes: Vec<u8> = (0..count).flat_map(i32::to_le_bytes).collect();
    let folder = large_array(&[1000, 3000], &serde_json::json!([bytes_codec()]), &bytes);
    assert!(exported(folder.path()) == bytes);
    let few = large_array(&[100, 3000], &serde_json::json!([bytes_codec()]), &bytes[..1_200_000]);
    let path = folder.path().to_str().unwrap();
    let raw = |stage| {
        zarrscope(&["chunk", path, "0,0", "--raw", "--stage", stage]).output().unwrap().stdout
    };
    assert!(raw("0") == bytes && raw("1") == bytes);
    let path = few.path().to_str().unwrap();
    let last = run(&["chunk", path, "0,0", "--values"]).out;
    assert_eq!(last.lines().count(), 300_000);
    assert!(last.ends_with("\n[99,2999] 299999\n"));
}

#[test]
fn a_large_shard_is_put_together_from_its_inner_chunks() {
    // 3 × 3 inner chunks of 600 × 700; the last one is empty.
    let (rows, columns, high, wide) = (1800_u64, 2100_u64, 600_u64, 700_u64);
    let (mut shard, mut index) = (Vec::new(), Vec::new());
    for (y, x) in (0..3_u64).flat_map(|y| (0..3_u64).map(move |x| (y, x))) {
        if (y, x) == (2, 2) {
            index.extend([u64::MAX; 2].iter().flat_map(|n| n.to_le_bytes()));
            continue;
        }
        index.extend([shard.len() as u64, high * wide * 4].iter().flat_map(|n| n.to_le_bytes()));
        let numbers = (y * high..(y + 1) * high)
            .flat_map(|row| (x * wide..(x + 1) * wide).map(move |column| row * columns + column));
        shard.extend(numbers.flat_map(|number| u32::try_from(number).unwrap().to_le_bytes()));
    }
    shard.extend(index);
    let codecs = serde_json::json!([{"name": "sharding_indexed", "configuration": {
        "chunk_shape": [high, wide], "codecs": [bytes_codec()], "index_codecs": [bytes_codec()],
    }}]);
    let folder = large_array(&[rows, columns], &codecs, &shard);
    let is_fill = |row: u64, column: u64| row >= 2 * high && column >= 2 * wide;
    let wanted: Vec<u8> = (0..rows)
        .flat_map(|row| (0..columns).map(move |column| (row, column)))
        .map(|(row, column)| if is_fill(row, column) { 0 } else { row * columns + column })
        .flat_map(|number| u32::try_from(number).unwrap().to_le_bytes())
        .collect();
    assert!(exported(folder.path()) == wanted);
    let path = folder.path().to_str().unwrap();
    assert_eq!(run(&["export", path, "--chunk", "0,0@0,1"]).out.lines().next(), Some("700"));
    assert_eq!(run(&["export", path, "--chunk", "0,0@2,2"]).out.lines().last(), Some("0"));
}

#[test]
fn a_group_of_many_names_some_in_text_and_all_in_json() {
    let dir = crate::scratch();
    let group = r#"{"zarr_format": 2}"#;
    fs::write(dir.path().join(".zgroup"), group).unwrap();
    for n in 0..203 {
        let below = dir.path().join(format!("g{n:03}"));
        fs::create_dir(&below).unwrap();
        fs::write(below.join(".zgroup"), group).unwrap();
    }
    let path = dir.path().to_str().unwrap();
    let text = run(&["info", path]).out.replace('\n', " ");
    assert!(text.contains("contains 203: g000, "), "{text}");
    assert!(text.contains(", and 3 more"), "{text}");
    assert!(!text.contains("g200"), "{text}");
    let (code, members) = json(&["info", path]);
    assert_eq!(code, 0);
    assert_eq!(members["children"].as_array().unwrap().len(), 203);
    assert_eq!(members["children"][202], "g202");
}

/// A command that is suggested is one that can be run: the keys of the array's own format, paths quoted.
#[test]
fn suggested_commands_can_be_run() {
    let folder = crate::scratch();
    let path = folder.path().join("my store");
    fs::create_dir(&path).unwrap();
    for (shape, key) in [("[4, 4]", "0.0"), ("[]", "0")] {
        let document = format!(
            r#"{{"zarr_format": 2, "shape": {shape}, "chunks": {shape}, "dtype": "|u1", "compressor": null,
            "fill_value": 0, "order": "C", "filters": null}}"#
        );
        fs::write(path.join(".zarray"), document).unwrap();
        let told = run(&["chunk", path.to_str().unwrap()]).err;
        let command = format!("`zarrscope chunk '{}' {key}`", path.display());
        assert!(told.contains(&command) && !told.contains("c/0"), "{told}");
    }
}

/// Every command that reads values takes the same settings, and the store is the same afterwards.
#[test]
fn what_if_reads_the_same_bytes_in_every_command() {
    let array = "sample-stores/ocean/packed";
    let before = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(array).join("zarr.json"));
    let swapped = |command: &[&str]| run(&[command, &["--as", "endian=little"]].concat());
    let values = swapped(&["export", array, "--chunk", "c/1/1"]);
    assert!(values.err.contains("what if: read as endian=little"), "{}", values.err);
    let first: i16 = values.out.lines().next().unwrap().parse().unwrap();
    let plain = run(&["export", array, "--chunk", "c/1/1"]).out;
    assert_eq!(plain.lines().next(), Some(first.swap_bytes().to_string().as_str()));
    let chunk = swapped(&["chunk", array, "c/1/1", "--values"]).out;
    assert!(chunk.lines().next().unwrap().contains(&first.to_string()), "{chunk}");
    let npy = zarrscope(&["export", array, "--chunk", "c/1/1", "-o", "-", "--as", "endian=little"]);
    let npy = { npy }.output().unwrap().stdout;
    assert!(npy.windows(3).any(|part| part == b"<i2"));
    let (code, finding) = json(&["endian", array, "--as", "endian=little"]);
    assert_eq!((code, finding[0]["declared"].as_str()), (1, Some("little")));
    let (_, info) = json(&["info", array, "--as", "endian=little"]);
    assert_eq!(info["what_if"], "endian=little");
    assert_eq!(info["data_type"]["byte_order"], "little");
    let after = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(array).join("zarr.json"));
    assert_eq!(before.unwrap(), after.unwrap());
}

#[test]
fn a_word_that_is_no_command_is_told_as_such() {
    let told = |arguments: &[&str]| {
        let ran = run(arguments);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""));
        ran.err.lines().next().unwrap().to_owned()
    };
    let meant = "error: no command is called 'chek'; did you mean 'check'?";
    assert_eq!(told(&["chek", "sample-stores/ocean"]), meant);
    assert_eq!(told(&["chek", "s3://bucket/ocean"]), meant);
    assert_eq!(told(&["values", "sample-stores/ocean"]), "error: no command is called 'values'");
    // A store before the command is told by clap, and an option that nothing has.
    let two = told(&["sample-stores/ocean", "sample-stores/pairs"]);
    assert!(two.contains("sample-stores/pairs"), "{two}");
    let option = told(&["check", "--wrong", "sample-stores/ocean"]);
    assert!(option.contains("'--wrong'"), "{option}");
}

#[test]
fn keys_are_suggested_as_the_array_has_them() {
    let suggested = |array: &str, key: &[&str]| {
        let array = format!("sample-stores/{array}");
        run(&[&["chunk", array.as_str()], key].concat()).err
    };
    for (array, key, wanted) in [
        ("ocean-v2/packed", &[][..], "packed 0.0`, or its coordinates, as in"),
        (
            "ocean-v2/packed",
            &["c/0/0"],
            "a chunk key such as \"0.0\", or 2 comma-separated coordinates",
        ),
        ("ocean-v2/temperature", &["x"], "a chunk key such as \"0/0\", or 2"),
        ("ocean-v2/year", &["x"], "a chunk key such as \"0\", or one coordinate"),
        ("ocean-v2/time", &["c/0"], "is not \"0\", the key of the only chunk"),
        ("ocean/time", &["0/0"], "is not \"c\", the key of the only chunk"),
    ] {
        let told = suggested(array, key);
        assert!(told.contains(wanted), "{array} {key:?}: {told}");
        let given = key.first().unwrap_or(&"");
        assert!(!told.replacen(given, "", 1).contains("c/0"), "{array} {key:?}: {told}");
    }
}
