//! Commands over whole arrays: `compare`, `stats`, `digest`.

use crate::cli::{Ran, run};
use serde_json::Value;
use std::{collections::BTreeMap, fs, path::Path};
use tempfile::TempDir;
use zarrscope::zarr::{
    ArrayReader, Hierarchy,
    compare::{Comparer, Tolerance},
};

fn lines(ran: &Ran) -> Vec<Value> {
    ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A copy of a sample store.
fn copied(store: &str) -> TempDir {
    fn copy(from: &Path, to: &Path) {
        fs::create_dir_all(to).unwrap();
        for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
            let to = to.join(entry.file_name());
            if entry.path().is_dir() {
                copy(&entry.path(), &to);
            } else {
                fs::copy(entry.path(), to).unwrap();
            }
        }
    }
    let folder = crate::scratch();
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-stores").join(store);
    copy(&from, &folder.path().join("copy"));
    folder
}

fn path(folder: &TempDir, below: &str) -> String {
    folder.path().join("copy").join(below).display().to_string()
}

/// The digests of `path` by node: content, stored.
fn digests(path: &str) -> BTreeMap<String, (Option<String>, String)> {
    let ran = run(&["digest", path, "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let entry = |line: &Value| {
        (text(&line["path"]).unwrap(), (text(&line["content"]), text(&line["stored"]).unwrap()))
    };
    lines(&ran).iter().map(entry).collect()
}

/// Found by NumPy and hashlib, as the documentation of `zarr::digest` says, from what zarr-python 3.4.2 reads; the
/// stored ones by the package `zarr_checksum` 0.4.7.
#[test]
fn digests_are_those_that_others_find() {
    let ocean = digests("sample-stores/ocean");
    let content = |name: &str| ocean[name].0.clone().unwrap();
    assert_eq!(
        content("temperature"),
        "076fad8b65e1dfa028afc0166743a8f4327022c945d7604fcee67d718e623f58"
    );
    assert_eq!(
        content("packed"),
        "006cf7a4eb2a16d8c2ce69315089a34fcfa1cc391ef35f61385110ac1f7e57e9"
    );
    assert_eq!(content("time"), "4723901d6e8039aa34a8672b9250aaf1634beb8c3542556f8910972cd490a295");
    assert_eq!(ocean["packed"].1, "f16b3cfb24723d953da28e73a30c69af-16--27992");
    assert_eq!(ocean[""], (None, "989be209cf59975e2709d06fa512a75b-48--389041".into()));
    assert_eq!(
        digests("sample-stores/ocean-v2")[""].1,
        "f8473b9a174bfe38271bb0e2c9ed253c-71--384308"
    );
}

/// Shards, codecs, byte orders and formats differ; the elements do not.
#[test]
fn a_conversion_has_the_same_content() {
    let (v3, v2) = (digests("sample-stores/ocean"), digests("sample-stores/ocean-v2"));
    for (name, (content, stored)) in &v3 {
        assert_eq!(content, &v2[name].0, "{name}");
        assert_ne!(stored, &v2[name].1, "{name}");
    }
    let ran = run(&["compare", "sample-stores/ocean", "sample-stores/ocean-v2", "--json"]);
    let all = lines(&ran);
    let (summary, nodes) = all.split_last().unwrap();
    let different: Vec<_> = nodes.iter().filter(|node| node["equal"] == false).collect();
    assert_eq!((ran.code, different.len()), (1, 1), "{different:?}");
    // The title names the format. `_FillValue` in base64, as xarray writes it in V3, means the same as the number.
    for node in different {
        let rows = node["metadata"].as_array().unwrap();
        let meant = |row: &&Value| row["layout"] == false && row["same_meaning"] == false;
        let rows: Vec<_> = rows.iter().filter(meant).map(|row| row["row"].as_str()).collect();
        assert_eq!(rows, [Some("attributes")], "{node}");
    }
    let summary = &summary["summary"];
    assert_eq!(summary["elements_different"], 0);
    assert!(summary["elements"].as_u64().unwrap() > 100_000 && summary["layout_rows"] != 0);
    let one = ["sample-stores/ocean/latitude", "sample-stores/ocean-v2/latitude"];
    assert_eq!(run(&["compare", one[0], one[1]]).code, 0);
}

#[test]
fn one_byte_is_one_element() {
    let copy = copied("byte-order");
    let chunk = path(&copy, "v3/float32_big/c/0");
    let mut bytes = fs::read(&chunk).unwrap();
    bytes[4 * 12 + 3] ^= 1;
    fs::write(&chunk, bytes).unwrap();
    let ran = run(&["compare", "sample-stores/byte-order", &path(&copy, ""), "--json"]);
    assert_eq!(ran.code, 1);
    let all = lines(&ran);
    let different: Vec<_> = all.iter().filter(|line| line["equal"] == false).collect();
    let [found] = different[..] else { panic!("{different:?}") };
    assert_eq!(found["path"], "v3/float32_big");
    assert_eq!(found["values"]["different"], 1);
    assert_eq!(found["values"]["first"][0]["index"], serde_json::json!([12]));
    assert_eq!(found["values"]["chunks"][0]["chunk"], serde_json::json!([0]));

    // Near enough is the same, if one says so.
    let near =
        run(&["compare", "sample-stores/byte-order", &path(&copy, ""), "--tolerance", "0.1"]);
    assert_eq!(near.code, 0, "{}", near.out);

    // The digests that were taken before find it too.
    let file = copy.path().join("digests");
    fs::write(&file, run(&["digest", "sample-stores/byte-order", "--json"]).out).unwrap();
    let file = file.display().to_string();
    let checked = run(&["digest", &path(&copy, ""), "--check", &file]);
    assert_eq!(checked.code, 1);
    let wrong: Vec<_> = checked.out.lines().filter(|line| line.contains("different")).collect();
    assert_eq!(wrong, ["v3/float32_big: different content"]);
    assert_eq!(run(&["digest", "sample-stores/byte-order", "--check", &file]).code, 0);
}

/// Nodes of one side alone, and those that cannot be compared or read, are told, and never counted as equal.
#[test]
fn what_is_not_there_or_not_readable_is_told() {
    let copy = copied("byte-order");
    fs::remove_dir_all(path(&copy, "v3/int16_big")).unwrap();
    let chunk = path(&copy, "v3/float64_big/c/0");
    let bytes = fs::read(&chunk).unwrap();
    fs::write(&chunk, &bytes[..bytes.len() - 10]).unwrap();
    let ran = run(&["compare", "sample-stores/byte-order", &path(&copy, ""), "--json"]);
    assert_eq!(ran.code, 1);
    let all = lines(&ran);
    let of = |name: &str| all.iter().find(|line| line["path"] == name).unwrap();
    assert_eq!(of("v3/int16_big")["why"], "only in A");
    assert_eq!(of("v3/float64_big")["equal"], false);
    assert!(of("v3/float64_big")["values"]["unknown"][1].as_u64().unwrap() > 0);
    assert_eq!(of("v3/float32_big")["equal"], true);

    let cut = path(&copy, "v3/float64_big");
    let alone = run(&["compare", "sample-stores/byte-order/v3/float64_big", &cut]);
    assert_eq!(alone.code, 2, "nothing differs, but not all could be compared: {}", alone.out);
    let other = run(&["compare", "sample-stores/ocean/year", "sample-stores/ocean/depth"]);
    assert_eq!(other.code, 1, "{}", other.out);
    let digest = run(&["digest", &cut, "--json"]);
    assert_eq!((digest.code, &lines(&digest)[0]["content"]), (1, &Value::Null));
}

/// Found by NumPy from what zarr-python 3.4.2 reads.
#[test]
fn statistics_are_those_of_numpy() {
    let ran = run(&["stats", "sample-stores/ocean", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let all = lines(&ran);
    let of = |name: &str| all.iter().find(|line| line["path"] == name).unwrap();
    let near = |value: &Value, expected: f64| {
        let value = value.as_f64().unwrap();
        assert!((value - expected).abs() <= 1e-9 * expected.abs(), "{value} {expected}");
    };
    let air = of("air");
    assert_eq!((&air["elements"], &air["numbers"]), (&43_512.into(), &43_512.into()));
    near(&air["mean"], 285.978_109_389_549);
    near(&air["standard_deviation"], 10.662_104_626_008_54);
    assert_eq!(air["minimum"]["index"], serde_json::json!([0, 36, 37]));
    assert_eq!(air["maximum"]["index"], serde_json::json!([21, 3, 24]));
    let packed = of("packed");
    assert_eq!((&packed["fill"], &packed["zero"]), (&11_095.into(), &3.into()));
    let histogram = packed["histogram"].as_object().unwrap();
    assert_eq!((&histogram["from"], &histogram["width"]), (&(-1216.0).into(), &64.0.into()));
    let counts: Vec<_> =
        histogram["counts"].as_array().unwrap().iter().map(Value::as_u64).collect();
    assert_eq!(
        (counts.len(), &counts[..3], counts[49]),
        (50, &[667, 1170, 953].map(Some)[..], Some(33))
    );
    for (name, unique) in
        [("air", 42_632.0), ("packed", 3_014.0), ("latitude", 4_843.0), ("year", 24.0)]
    {
        let count = of(name)["distinct"]["count"].as_f64().unwrap();
        assert!((count / unique - 1.0).abs() < 0.07, "{name}: {count}");
        assert_eq!(of(name)["distinct"]["exact"], unique < 257.0, "{name}");
    }
    near(&of("year")["mean"], 1975.0);
}

#[test]
fn statistics_of_chunks_add_up() {
    let ran = run(&["stats", "sample-stores/ocean/packed", "--chunks", "--json"]);
    let all = lines(&ran);
    let (whole, chunks) = all.split_last().unwrap();
    assert_eq!(chunks.len(), 16);
    for member in ["elements", "numbers", "fill", "zero"] {
        let sum: u64 = chunks.iter().map(|chunk| chunk[member].as_u64().unwrap()).sum();
        assert_eq!(whole[member], sum, "{member}");
    }
    assert_eq!(whole["chunks"], serde_json::json!({"stored": 15, "missing": 1, "unreadable": 0}));
    let csv = run(&["stats", "sample-stores/ocean/packed", "--csv"]).out;
    let counts: Vec<_> = csv.lines().map(|line| line.split(',').count()).collect();
    assert_eq!(counts, [18, 18]);
}

#[test]
fn text_is_clear() {
    for (name, arguments) in [
        ("stats", &["stats", "sample-stores/ocean"][..]),
        ("stats_of_chunks", &["stats", "sample-stores/dtypes-v3/struct_little", "--chunks"]),
        ("digest", &["digest", "sample-stores/ocean/packed"]),
        ("compare", &["compare", "sample-stores/ocean", "sample-stores/ocean-v2"]),
        (
            "compare_values",
            &["compare", "sample-stores/ocean/latitude", "sample-stores/ocean/longitude"],
        ),
    ] {
        let ran = run(arguments);
        insta::assert_snapshot!(
            name,
            format!("$ zarrscope {}\n{}{}", arguments.join(" "), ran.out, ran.err)
        );
    }
}

/// The comparison goes by the larger chunks, whichever side has them: going by the smaller ones would decode each of the
/// larger ones many times.
#[test]
fn arrays_are_compared_by_the_larger_chunks() {
    let folder = crate::scratch();
    for (name, chunk) in [("small", 1_000_000), ("large", 200_000_000_u64)] {
        fs::create_dir(folder.path().join(name)).unwrap();
        let document = format!(
            r#"{{"zarr_format":2,"shape":[400000000],"chunks":[{chunk}],"dtype":"|u1","fill_value":0,"order":"C","compressor":{{"id":"zlib","level":1}},"filters":null}}"#
        );
        fs::write(folder.path().join(name).join(".zarray"), document).unwrap();
    }
    let nodes = ["small", "large"].map(|name| {
        let (hierarchy, target) = Hierarchy::open(&folder.path().join(name)).unwrap();
        let node = hierarchy.node(&target.node);
        (hierarchy, node)
    });
    let [small, large] = nodes.each_ref().map(|(hierarchy, node)| {
        let array = node.kind.array().unwrap();
        ArrayReader::new(hierarchy.store.as_ref(), &node.path, array).unwrap()
    });
    for (a, b) in [(&small, &large), (&large, &small)] {
        let parts = [a, b].map(ArrayReader::whole);
        let comparer = Comparer::of_parts([a, b], parts.each_ref(), Tolerance::default()).unwrap();
        let starts: Vec<_> =
            comparer.slabs(&a.whole(), u64::MAX).map(|slab| slab[0].start).collect();
        assert_eq!(starts, [0, 200_000_000]);
    }
}

#[test]
fn chunks_are_compared_by_key_and_as_files() {
    let (a, b) = ("sample-stores/ocean/packed", "sample-stores/ocean-v2/packed");
    let files = [format!("{a}/c/0/0"), format!("{b}/0.0")];
    let files = files.each_ref().map(String::as_str);
    let by_key = ["compare", a, b, "--chunk", "c/0/0", "--chunk", "0,0"];
    for ran in [run(&["compare", files[0], files[1]]), run(&by_key)] {
        assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
        assert!(ran.out.starts_with("= A c/0/0  B 0.0\n"), "{}", ran.out);
        assert!(ran.out.contains("1 chunk equal"), "{}", ran.out);
        assert!(ran.out.contains("all 1,665 elements are equal"), "{}", ran.out);
    }
    // A chunk, and what the other array has in its place.
    let ran = run(&["compare", files[0], b]);
    assert_eq!((ran.code, ran.out.contains("B the same elements")), (0, true), "{}", ran.out);
    // Other chunks of the same array.
    let ran = run(&["compare", a, a, "--chunk", "c/0/0", "--chunk", "c/1/1"]);
    assert_eq!(ran.code, 1, "{}", ran.out);
    assert!(ran.out.contains("places are those in A"), "{}", ran.out);
    // What is not stored reads as its fill value.
    let ran = run(&["compare", "sample-stores/broken/crc", a, "--chunk", "0,3"]);
    assert!(ran.out.contains("A c/0/3 (not stored: reads as the fill value)"), "{}", ran.out);
    let ran = run(&["compare", a, "sample-stores/ocean/year", "--chunk", "0,0"]);
    assert_eq!((ran.code, ran.err.contains("148×180")), (2, true), "{}", ran.err);
    assert!(ran.err.contains("Name the chunk of B, too"), "{}", ran.err);
    // A second chunk would not mend the first.
    let ran = run(&["compare", a, b, "--chunk", "c/9/9"]);
    assert_eq!((ran.code, ran.err.contains("Name the chunk of B")), (2, false), "{}", ran.err);
}

#[test]
fn files_without_metadata_are_compared_element_by_element() {
    let folder = crate::scratch();
    let write = |name: &str, bytes: &[u8]| {
        let file = folder.path().join(name);
        fs::write(&file, bytes).unwrap();
        file.display().to_string()
    };
    let bytes: Vec<u8> = (0..60).collect();
    let (a, b) = (write("a", &bytes), write("b", &bytes));
    let typed = ["--dtype", "<i2", "--shape", "5,6"];
    let compare = |a: &str, b: &str| run(&[&["compare", a, b][..], &typed].concat());
    assert_eq!(compare(&a, &b).code, 0, "{}", compare(&a, &b).err);
    let mut changed = bytes;
    changed[2 * (2 * 6 + 3)] = 99;
    let ran = compare(&a, &write("c", &changed));
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("≠ [2,3]  A 7966  B 8035"), "{}", ran.out);
    assert!(ran.out.contains("1 of 30 elements differs"), "{}", ran.out);
}

/// A V2 array of one chunk of these bytes.
fn raw_array(folder: &Path, name: &str, dtype: &str, bytes: &[u8], size: usize) -> String {
    let folder = folder.join(name);
    fs::create_dir_all(&folder).unwrap();
    let count = bytes.len() / size;
    let document = format!(
        r#"{{"zarr_format":2,"shape":[{count}],"chunks":[{count}],"dtype":"{dtype}","fill_value":null,"order":"C",
             "filters":null,"compressor":null}}"#
    );
    fs::write(folder.join(".zarray"), document).unwrap();
    fs::write(folder.join("0"), bytes).unwrap();
    folder.display().to_string()
}

/// Infinity is near nothing else, whatever part of it is allowed; integers are as far apart as they are, not as what they
/// round to; complex numbers by their distance.
#[test]
fn a_tolerance_is_about_the_numbers_themselves() {
    let folder = crate::scratch();
    let floats = |values: &[f64]| values.iter().flat_map(|it| it.to_le_bytes()).collect::<Vec<_>>();
    let whole = |values: &[i64]| values.iter().flat_map(|it| it.to_le_bytes()).collect::<Vec<_>>();
    let cases = [
        ("<f8", 8, floats(&[f64::INFINITY, 1.0]), floats(&[5.0, 1.0]), "0,1e-6", 1, None),
        ("<f8", 8, floats(&[f64::INFINITY]), floats(&[f64::NEG_INFINITY]), "0,1e-6", 1, None),
        ("<f8", 8, floats(&[100.0]), floats(&[100.5]), "0,0.01", 0, None),
        ("<f8", 8, floats(&[0.0]), floats(&[-0.0]), "0,0.01", 0, None),
        ("<i8", 8, whole(&[1 << 53]), whole(&[(1 << 53) + 1]), "0.5", 1, Some("B − A 1")),
        ("<i8", 8, whole(&[i64::MAX]), whole(&[i64::MAX - 2]), "1", 1, Some("B − A -2")),
        ("<i8", 8, whole(&[i64::MIN]), whole(&[i64::MIN + 1]), "1", 0, None),
        ("<c16", 16, floats(&[1.0, 1.0]), floats(&[1.0, 4.0]), "1e-6", 1, Some("B − A 3")),
        ("<c16", 16, floats(&[1.0, 1.0]), floats(&[1.0, 1.0 + 1e-9]), "1e-6", 0, None),
    ];
    for (at, (dtype, size, a, b, tolerance, code, says)) in cases.into_iter().enumerate() {
        let [a, b] = [("a", a), ("b", b)].map(|(name, bytes)| {
            raw_array(folder.path(), &format!("{name}{at}"), dtype, &bytes, size)
        });
        let ran = run(&["compare", &a, &b, "--tolerance", tolerance]);
        assert_eq!(ran.code, code, "{at}: {}", ran.out);
        assert!(says.is_none_or(|says| ran.out.contains(says)), "{at}: {}", ran.out);
    }
}

/// Chunks that are not stored cost nothing, however many they are: counted one by one, these would take years.
#[test]
fn chunks_that_are_not_stored_are_counted_at_once() {
    let folder = crate::scratch();
    let document = r#"{"zarr_format":2,"shape":[1000000000000003],"chunks":[10],"dtype":"<i2","fill_value":7,"order":"C",
        "filters":null,"compressor":null}"#;
    fs::write(folder.path().join(".zarray"), document).unwrap();
    fs::write(folder.path().join("0"), [1; 20]).unwrap();
    fs::write(folder.path().join("100000000000000"), [2; 20]).unwrap();
    let ran = run(&["stats", &folder.path().display().to_string(), "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let all = &lines(&ran)[0];
    let chunks =
        serde_json::json!({"stored": 2, "missing": 99_999_999_999_999_u64, "unreadable": 0});
    assert_eq!(all["chunks"], chunks);
    let expected = serde_json::json!([1_000_000_000_000_003_u64, 999_999_999_999_990_u64]);
    assert_eq!(serde_json::json!([all["elements"], all["fill"]]), expected);
    assert_eq!(all["minimum"], serde_json::json!({"value": "7", "index": [10]}));
    assert_eq!(all["distinct"], serde_json::json!({"count": 3, "exact": true}));
}

/// The chunk whose keys are compared is one that both arrays have.
#[test]
fn chunk_keys_are_those_of_one_chunk() {
    let folder = crate::scratch();
    let arrays = [
        ("rows", "[4,4]", "[2,4]", "."),
        ("columns", "[4,4]", "[4,2]", "/"),
        ("flat", "[16]", "[2]", "/"),
    ];
    for (name, shape, chunks, separator) in arrays {
        let at = folder.path().join(name);
        fs::create_dir(&at).unwrap();
        let document = format!(
            r#"{{"zarr_format":2,"shape":{shape},"chunks":{chunks},"dtype":"|u1","fill_value":0,"order":"C",
                 "filters":null,"compressor":null,"dimension_separator":"{separator}"}}"#
        );
        fs::write(at.join(".zarray"), document).unwrap();
    }
    let keys = |other: &str| {
        let [a, b] = ["rows", other].map(|name| folder.path().join(name));
        let out = run(&["compare", a.to_str().unwrap(), b.to_str().unwrap()]).out;
        out.lines().find(|line| line.contains("chunk key")).map(|line| line.trim().to_owned())
    };
    assert_eq!(keys("columns").as_deref(), Some("≡ chunk key [0,0]  A 0.0  B 0/0"));
    assert_eq!(keys("flat"), None);
}

/// Of blocks where nothing is stored the digest is that of the fill value, and so it is in parts.
#[test]
fn a_digest_does_not_read_what_is_not_stored() {
    let folder = crate::scratch();
    let array = |name: &str, chunks: &str| {
        let at = folder.path().join(name);
        fs::create_dir(&at).unwrap();
        let document = format!(
            r#"{{"zarr_format":2,"shape":[1003,1000],"chunks":{chunks},"dtype":"<i2","fill_value":7,"order":"C",
                 "filters":null,"compressor":null}}"#
        );
        fs::write(at.join(".zarray"), document).unwrap();
        at
    };
    let (sparse, dense) = (array("sparse", "[1,10]"), array("dense", "[1003,1000]"));
    let mut all = vec![7_i16.to_le_bytes(); 1_003_000];
    for (row, column) in [(3, 5), (500, 0), (1002, 99)] {
        fs::write(sparse.join(format!("{row}.{column}")), [1; 20]).unwrap();
        let start = row * 1000 + column * 10;
        all[start..start + 10].fill([1, 1]);
    }
    fs::write(dense.join("0.0"), all.concat()).unwrap();
    let digest = |path: &Path| {
        let ran = run(&["digest", path.to_str().unwrap(), "--only", "content", "--json"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        lines(&ran)[0]["content"].clone()
    };
    assert_eq!(digest(&sparse), digest(&dense));
    fs::write(sparse.join("700.7"), [2; 20]).unwrap();
    assert_ne!(digest(&sparse), digest(&dense));
}

/// The chunks of a shard are those inside it, be it stored or not.
#[test]
fn statistics_of_shards_count_inner_chunks_that_are_not_stored() {
    let folder = crate::scratch();
    let document = serde_json::json!({
        "zarr_format": 3, "node_type": "array", "shape": [300_000_000_003_u64], "data_type": "int16",
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [5_000_000]}},
        "chunk_key_encoding": {"name": "default"}, "fill_value": 7,
        "codecs": [{"name": "sharding_indexed", "configuration": {
            "chunk_shape": [1_000_000], "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}],
            "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]}}],
    });
    fs::write(folder.path().join("zarr.json"), document.to_string()).unwrap();
    fs::create_dir(folder.path().join("c")).unwrap();
    let empty = [u64::MAX; 2];
    let index = [empty, [0, 2_000_000], empty, empty, empty].concat();
    let shard = [vec![1; 2_000_000], index.iter().flat_map(|it| it.to_le_bytes()).collect()];
    fs::write(folder.path().join("c/2"), shard.concat()).unwrap();
    let ran = run(&["stats", folder.path().to_str().unwrap(), "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let all = &lines(&ran)[0];
    let chunks = serde_json::json!({"stored": 1, "missing": 300_000, "unreadable": 0});
    assert_eq!(all["chunks"], chunks);
    let expected = serde_json::json!([300_000_000_003_u64, 299_999_000_003_u64]);
    assert_eq!(serde_json::json!([all["elements"], all["fill"]]), expected);
}

/// Padding beyond the edge of an array is no value of it, and a fill value of null concerns missing chunks alone.
#[test]
fn readers_are_told_by_the_values_of_the_array() {
    let folder = crate::scratch();
    let said = |fill: &str, chunks: &[&[i16]]| {
        let document = format!(
            r#"{{"zarr_format":2,"shape":[6],"chunks":[4],"dtype":"<i2","fill_value":{fill},"order":"C","filters":null,
                 "compressor":null}}"#
        );
        fs::write(folder.path().join(".zarray"), document).unwrap();
        for (at, chunk) in chunks.iter().enumerate() {
            let bytes: Vec<u8> = chunk.iter().flat_map(|value| value.to_le_bytes()).collect();
            fs::write(folder.path().join(at.to_string()), bytes).unwrap();
        }
        run(&["info", &folder.path().display().to_string(), "--readers", "--json"]).out
    };
    let fill_is_met = said("0", &[&[1, 2, 0, 4], &[5, 6, 0, 0]]);
    assert!(fill_is_met.contains("equal to the fill value"), "{fill_is_met}");
    let padding = said("0", &[&[1, 2, 3, 4], &[5, 6, 0, 0]]);
    assert!(!padding.contains("equal to the fill value"), "{padding}");
    assert!(!said("null", &[&[1, 2, 3, 4], &[5, 6, 0, 0]]).contains("\"gives\""));
    fs::remove_file(folder.path().join("1")).unwrap();
    assert!(said("null", &[&[1, 2, 3, 4]]).contains("\"gives\""));
}

/// Blocks are numbered in 64 bits: an array past that has no digest, and no other array's either.
#[test]
fn an_array_past_64_bits_has_no_digest() {
    let folder = crate::scratch();
    let document = r#"{"zarr_format":2,"shape":[4294967296,4294967296],"chunks":[65536,65536],"dtype":"|u1",
                       "fill_value":7,"order":"C","filters":null,"compressor":null}"#;
    fs::write(folder.path().join(".zarray"), document).unwrap();
    let ran = run(&["digest", &folder.path().display().to_string(), "--json"]);
    assert_eq!(ran.code, 2, "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("the limit is 2^64 - 1 elements"), "{}{}", ran.out, ran.err);
    assert!(!ran.out.contains("\"content\":\""), "{}", ran.out);
}
