//! The measured cases of tests/readers (README.md there): 1,411 documents with chunks and what ten readers make
//! of them. What the specification or the registry allows is read bit for bit; what is invalid is told.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    sync::{Arc, LazyLock},
};
use zarrscope::zarr::{
    ArrayMetadata, ArrayReader, Budget, Code, Hierarchy, Json, NodePath, Registry, Result, Scalar,
    Severity,
    array::{PieceData, RunSource, Slab},
    check,
    data_type::{ByteOrder, Endian},
    hierarchy::NodeKind,
    json::Kind,
    metadata::{Meant, Packing},
    npy,
    store::{Entry, Stat, Store, ZipStore},
};

/// Keys and bytes, with folders as the keys have them.
#[derive(Debug, Default)]
struct Memory(BTreeMap<String, Vec<u8>>);

impl Store for Memory {
    fn read(&self, key: &str, _: u64) -> Result<Option<Vec<u8>>> {
        Ok(self.0.get(key).cloned())
    }

    fn read_range(&self, key: &str, range: Range<u64>) -> Result<Option<Vec<u8>>> {
        let to = |at: u64, len: usize| usize::try_from(at).unwrap_or(usize::MAX).min(len);
        let cut = |b: &Vec<u8>| b[to(range.start, b.len())..to(range.end, b.len())].to_vec();
        Ok(self.0.get(key).map(cut))
    }

    fn stat(&self, key: &str) -> Result<Option<Stat>> {
        Ok(self.0.get(key).map(|bytes| Stat {
            len: bytes.len() as u64,
            modified: None,
            etag: None,
        }))
    }

    fn list(&self, prefix: &str) -> Result<Vec<Entry>> {
        let inside = |key: &String| match prefix {
            "" => Some(key.clone()),
            _ => key.strip_prefix(prefix)?.strip_prefix('/').map(str::to_owned),
        };
        let names: BTreeSet<(String, bool)> = (self.0.keys().filter_map(inside))
            .map(|key| {
                key.split_once('/')
                    .map_or_else(|| (key.clone(), false), |(name, _)| (name.into(), true))
            })
            .collect();
        Ok(names
            .into_iter()
            .map(|(name, is_folder)| Entry { name, is_folder, is_link: false })
            .collect())
    }

    fn name(&self) -> String {
        "memory".into()
    }
}

/// One case that was measured: of the matrix, or of what is written ordinarily.
pub(crate) struct Case(pub(crate) Json);

pub(crate) static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| {
    let mut all = cases(include_bytes!("../readers/matrix.json"));
    all.extend(cases(include_bytes!("../readers/ordinary.json")));
    all
});

pub(crate) fn cases(text: &[u8]) -> Vec<Case> {
    let Kind::Array(cases) = Json::parse(text).unwrap().root.kind else { panic!("no list") };
    cases.into_iter().map(Case).collect()
}

impl Case {
    pub(crate) fn text(&self, key: &str) -> &str {
        self.0.get(key).and_then(Json::as_str).unwrap_or_default()
    }

    fn truth(&self, key: &str) -> Option<&Json> {
        self.0.get("truth")?.get(key)
    }

    fn kind(&self) -> &str {
        self.truth("kind").and_then(Json::as_str).unwrap_or_default()
    }

    /// True if any of the ten readers gives the truth.
    fn is_read(&self) -> bool {
        let readers = self.0.get("readers").and_then(Json::as_object).unwrap_or_default();
        let reads = |answer: &Json| answer.get("outcome").and_then(Json::as_str) == Some("reads");
        readers.iter().any(|reader| reads(&reader.value))
    }

    pub(crate) fn store(&self) -> Hierarchy {
        if let Some(archive) = self.0.get("archive").and_then(Json::as_str) {
            let folder = crate::scratch();
            let path = folder.path().join("a.zip");
            std::fs::write(&path, bytes(archive)).unwrap();
            let store = ZipStore::open(&path).unwrap();
            return Hierarchy::new(Arc::new(store), Arc::new(Registry::default()));
        }
        let mut files = BTreeMap::new();
        if let Some(text) = self.0.get("document").and_then(Json::as_str) {
            let is_v3 = self
                .0
                .get("format")
                .and_then(Json::as_u64)
                .map_or_else(|| text.contains("\"zarr_format\": 3"), |format| format == 3);
            let key = if is_v3 { "a/zarr.json" } else { "a/.zarray" };
            // The matrix is JSON, which has no byte that is not UTF-8.
            let is_latin1 = self.text("case").ends_with("-latin1");
            let parts: Vec<_> = text.split(|c| is_latin1 && c == '\u{fffd}').collect();
            let bytes = parts.iter().map(|part| part.as_bytes()).collect::<Vec<_>>().join(&0xe9);
            files.insert(key.to_owned(), bytes);
        }
        for member in self.0.get("other_documents").and_then(Json::as_object).unwrap_or_default() {
            files
                .insert(member.key.to_string(), member.value.as_str().unwrap().as_bytes().to_vec());
        }
        for member in self.0.get("chunks").and_then(Json::as_object).unwrap_or_default() {
            files.insert(member.key.to_string(), bytes(member.value.as_str().unwrap()));
        }
        Hierarchy::new(Arc::new(Memory(files)), Arc::new(Registry::default()))
    }
}

fn bytes(hex: &str) -> Vec<u8> {
    let digit = |byte: u8| u8::try_from(char::from(byte).to_digit(16).unwrap()).unwrap();
    hex.as_bytes().chunks(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect()
}

/// The array of a case read whole, as `values` and `export` read it: elements as the truth has them, in C order.
fn read(hierarchy: &Hierarchy, kind: &str) -> std::result::Result<Vec<u8>, String> {
    let path = NodePath("a".into());
    let node = hierarchy.node(&path);
    let NodeKind::Array(array) = &node.kind else { return Err("no array".into()) };
    let reader =
        ArrayReader::new(hierarchy.store.as_ref(), &path, array).map_err(|e| e.to_string())?;
    let whole = reader.whole();
    let budget = Budget::default();
    let pieces: Vec<_> = (reader.pieces_of_slab(&whole))
        .map(|piece| (piece.clone(), reader.load(&piece, &budget)))
        .collect();
    let mut is_missing = false;
    for (_, data) in &pieces {
        match data {
            PieceData::Unreadable(error) => return Err(error.to_string()),
            PieceData::Missing => is_missing = true,
            PieceData::Stored(_) => {}
        }
    }
    if is_missing && reader.fill().is_none() {
        return Err("no fill value".into());
    }
    let slab = Slab::new(whole.clone(), pieces);
    if kind == "fixed" { exported(&reader, &slab) } else { items(&reader, &slab) }
}

/// The elements that `export` writes, in little-endian.
fn exported(reader: &ArrayReader<'_>, slab: &Slab) -> std::result::Result<Vec<u8>, String> {
    let resolved = reader.resolved();
    let data_type = resolved.data_type.as_ref();
    let head = npy::head(data_type, &resolved.order, reader.shape()).map_err(|e| e.to_string())?;
    let body = npy::Body::new(data_type, &resolved.order, reader.fill());
    let mut out = Vec::new();
    body.render(slab, 0..slab.len(), &mut out);
    let little = ByteOrder::All(Endian::Little);
    if !head.is_native {
        return Ok(out);
    }
    let size = data_type.item_size().fixed().unwrap();
    let anew = |bytes: &[u8]| {
        let scalar = data_type.decode(bytes, &resolved.order).map_err(|error| error.to_string())?;
        data_type.encode(&scalar, &little).map_err(|error| error.to_string())
    };
    out.chunks(size).map(anew).collect::<std::result::Result<Vec<_>, _>>().map(|all| all.concat())
}

/// Texts and byte strings: four bytes of length, then the bytes.
fn items(reader: &ArrayReader<'_>, slab: &Slab) -> std::result::Result<Vec<u8>, String> {
    let mut out = Vec::new();
    let mut failure = None;
    slab.runs(0..slab.len(), &mut |run| {
        for at in 0..run.count {
            let scalar = match run.source {
                RunSource::Stored(elements, from, step) => match elements.value(from + at * step) {
                    Some(Ok(scalar)) => Some(scalar),
                    other => {
                        failure = Some(format!("{other:?}"));
                        None
                    }
                },
                _ => reader.fill().cloned(),
            };
            let Some(scalar) = scalar else { return };
            let item = item(&scalar);
            out.extend(u32::try_from(item.len()).unwrap().to_le_bytes());
            out.extend(item);
        }
    });
    failure.map_or(Ok(out), Err)
}

fn item(scalar: &Scalar) -> Vec<u8> {
    match scalar {
        Scalar::Text(bytes) | Scalar::Bytes(bytes) | Scalar::NullTerminated(bytes) => {
            bytes.to_vec()
        }
        Scalar::Utf32(units) => {
            units.iter().filter_map(|&unit| char::from_u32(unit)).collect::<String>().into_bytes()
        }
        other => other.to_string().into_bytes(),
    }
}

/// True if the array of a case is read as the truth has it, bit for bit; the payload of a NaN and bits without meaning
/// aside, as in the matrix.
fn compare(case: &Case) -> std::result::Result<(), String> {
    let hierarchy = case.store();
    let found = read(&hierarchy, case.kind())?;
    let truth = bytes(case.truth("hex").and_then(Json::as_str).unwrap());
    let NodeKind::Array(array) = hierarchy.node(&NodePath("a".into())).kind else {
        return Err("no array".into());
    };
    if found == truth || folded(&array, &found) == folded(&array, &truth) {
        return Ok(());
    }
    Err(format!("{found:02x?} instead of {truth:02x?}"))
}

fn folded(array: &ArrayMetadata, bytes: &[u8]) -> Option<Vec<String>> {
    let data_type = &array.data_type.as_ref().ok()?.data_type;
    let little = ByteOrder::All(Endian::Little);
    let mask = data_type.significant_bits().map_or(0xff, |bits| 0xff_u8 >> (8 - bits));
    let elements = bytes.chunks(data_type.item_size().fixed()?);
    let value = |bytes: &[u8]| {
        let bytes: Vec<u8> = bytes.iter().map(|byte| byte & mask).collect();
        match data_type.decode(&bytes, &little).ok()? {
            Scalar::Float(value) if value.is_nan() => Some("NaN".to_owned()),
            _ => Some(format!("{bytes:02x?}")),
        }
    };
    elements.map(value).collect()
}

/// The elements of a case as its attributes have them, as the truth writes them.
fn meant(case: &Case) -> std::result::Result<Vec<String>, String> {
    let hierarchy = case.store();
    let NodeKind::Array(array) = hierarchy.node(&NodePath("a".into())).kind else {
        return Err("no array".into());
    };
    let bytes = read(&hierarchy, "fixed")?;
    let packing = Packing::of(&array);
    let data_type = array.data_type().unwrap();
    let word = |bytes: &[u8]| {
        let stored = data_type.decode(bytes, &ByteOrder::All(Endian::Little)).unwrap();
        match packing.meant(&stored) {
            Meant::Missing(_) => "missing".to_owned(),
            Meant::Number(number) => number.to_string(),
            Meant::Date(date) => date,
            Meant::Value(value) if value.is_nan() => "missing".to_owned(),
            Meant::Value(value) => value.to_f64().unwrap().to_string(),
        }
    };
    Ok(bytes.chunks(data_type.item_size().fixed().unwrap()).map(word).collect())
}

/// Cases whose physical values are not those of the truth, and why.
const OTHER_VALUES: [(&str, &str); 8] = [
    (
        "v2-cf-none",
        "in V2, xarray 2026.9 takes Zarr's fill value for the mark of missing values, and so do we",
    ),
    ("v2-cf-zarrfill", "the same"),
    ("v2-cf-fillvalue-both", "the same"),
    ("v2-cf-unwritten", "the same"),
    ("v2-cf-valid_range", "xarray 2026.9 does not apply it, and neither do we"),
    ("v3-cf-valid_range", "the same"),
    ("v2-cf-valid_min", "the same"),
    ("v3-cf-valid_min", "the same"),
];

#[test]
fn physical_values_are_those_of_cf() {
    let mut wrong = Vec::new();
    for case in CASES.iter().filter(|case| case.kind() == "cf") {
        let truth = case.truth("values").and_then(Json::as_array).unwrap();
        let truth: Vec<_> = truth.iter().filter_map(Json::as_str).map(str::to_owned).collect();
        let found = meant(case);
        let excused = OTHER_VALUES.iter().any(|(name, _)| *name == case.text("case"));
        if (found.as_ref() == Ok(&truth)) == excused {
            wrong.push(format!("{}: {found:?} instead of {truth:?}", case.text("case")));
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

/// The findings of a case.
fn problems(case: &Case) -> Vec<(Severity, Code)> {
    let mut found = Vec::new();
    let hierarchy = case.store();
    check::check(&hierarchy, &NodePath::default(), &check::CheckOptions::default(), &mut |event| {
        if let check::Event::Problem(_, problem) = event {
            found.push((problem.severity, problem.error.code));
        }
    });
    found
}

/// Cases whose truth is not read here, and why.
const UNREAD: [(&str, &str); 8] = [
    ("v2-dtype-S0", "elements of no bytes: TensorStore and zarrita give empty ones"),
    ("v2-dtype-U0", "the same: zarrita does"),
    ("v2-dtype-O-pickle", "a pickle is a program: it is not run"),
    (
        "v2-fill-c8-0",
        "a number as a complex fill value: GDAL reads it, the vectors want it refused",
    ),
    ("v2-fill-c8-0.0", "the same"),
    ("v3-codec-bytes-nested-unknown", "zarrita ignores the member; the vectors want it refused"),
    ("v3-codec-list-extra", "zarr-python does; the vectors want it refused"),
    ("v3-type-binary", "a name that zarrs alone reads; the vectors want it refused"),
];

#[test]
fn what_is_allowed_is_read_bit_for_bit() {
    let (mut read, mut wrong, mut healed) = (0, Vec::new(), Vec::new());
    for case in CASES.iter().filter(|case| matches!(case.kind(), "fixed" | "vlen")) {
        let wanted = match case.text("spec") {
            "valid" => true,
            "silent" | "unregistered" => case.is_read(),
            _ => false,
        };
        if !wanted {
            continue;
        }
        let name = case.text("case");
        let excused = UNREAD.iter().any(|(unread, _)| *unread == name);
        match compare(case) {
            Ok(()) if excused => healed.push(name),
            Ok(()) => read += 1,
            Err(_) if excused => {}
            Err(error) => wrong.push(format!("{name} ({}): {error}", case.text("what"))),
        }
    }
    assert!(wrong.is_empty(), "{} wrong, {read} read:\n{}", wrong.len(), wrong.join("\n"));
    assert!(healed.is_empty(), "listed as not read, but read: {healed:?}");
    assert!(read > 500, "{read}");
}

/// Every mode, rank and number type, as `make_zfp.py` wrote them with the library of zfp's authors.
#[test]
fn zfp_is_read_as_its_own_library_reads_it() {
    let cases = cases(include_bytes!("../readers/zfp.json"));
    let wrong: Vec<_> = (cases.iter())
        .filter_map(|case| Some(format!("{}: {}", case.text("case"), compare(case).err()?)))
        .collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
    assert!(cases.len() > 100);
}

/// The header of zfpy knows the type of its numbers: another one of the same size is not read in silence.
#[test]
fn a_zfp_header_of_another_data_type_is_told() {
    let text = include_str!("../readers/zfp.json");
    let line = text.lines().find(|line| line.contains("\"zfpy-float32-1d-fixed_rate\"")).unwrap();
    let line = line.trim_end_matches(',');
    let told = |line: &str| {
        let case = Case(Json::parse_str(line).unwrap());
        problems(&case).contains(&(Severity::Warning, Code::CodecHeader))
            || problems(&case).contains(&(Severity::Error, Code::CodecHeader))
    };
    assert!(line.contains("<f4") && !told(line));
    assert!(told(&line.replace("<f4", "<i4")));
}

/// Whatever the text forbids is told, and so is what no registry has.
#[test]
fn what_is_invalid_or_unregistered_is_told() {
    let mut silent = Vec::new();
    for case in CASES.iter().filter(|case| matches!(case.text("spec"), "invalid" | "unregistered"))
    {
        if problems(case).is_empty() {
            silent.push(format!("{} ({})", case.text("case"), case.text("what")));
        }
    }
    assert!(silent.is_empty(), "{} of which nothing is said:\n{}", silent.len(), silent.join("\n"));
}

/// Documents that the specification or the registry allows are no error.
#[test]
fn what_is_valid_is_no_error() {
    let mut wrong = Vec::new();
    for case in CASES.iter().filter(|case| case.text("spec") == "valid") {
        let errors = problems(case);
        let errors: Vec<_> =
            errors.iter().filter(|(severity, _)| *severity == Severity::Error).collect();
        if !errors.is_empty() {
            wrong.push(format!("{} ({}): {errors:?}", case.text("case"), case.text("what")));
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}
