//! Causes: of stores with one fault each the cause is named, of their clean twins and of healthy arrays none.
//!
//! `tests/diagnosis/make.py` makes the stores.

use std::{collections::BTreeMap, fmt::Write, fs, path::Path};
use tempfile::TempDir;
use zarrscope::zarr::{
    Budget, Hierarchy, Json, NodePath, Problem,
    check::{CheckOptions, Event, check},
    store::{Store, ZipStore},
};

/// The folder into which the archive was unpacked.
fn unpacked() -> TempDir {
    let archive = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/diagnosis/cases.zip");
    let store = ZipStore::open(&archive).unwrap();
    let folder = TempDir::new().unwrap();
    unpack(&store, "", folder.path());
    let gone = json(folder.path(), "gone.json");
    let gone: Vec<&str> = gone.as_array().unwrap().iter().filter_map(Json::as_str).collect();
    for case in cases(folder.path()).keys() {
        complete(&folder.path().join(case), folder.path(), &gone);
    }
    folder
}

fn unpack(store: &ZipStore, prefix: &str, folder: &Path) {
    for entry in store.list(prefix).unwrap() {
        let key = if prefix.is_empty() { entry.name } else { format!("{prefix}/{}", entry.name) };
        if entry.is_folder {
            unpack(store, &key, folder);
        } else {
            let file = folder.join(&key);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, store.read(&key, 1 << 24).unwrap().unwrap()).unwrap();
        }
    }
}

/// Gives the fault the files of its clean twin that it has in common with it.
fn complete(case: &Path, root: &Path, gone: &[&str]) {
    let mut open = vec![case.join("clean")];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let twin = case.join("fault").join(path.strip_prefix(case.join("clean")).unwrap());
            let name = twin.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
            if path.is_dir() {
                open.push(path);
            } else if !twin.exists() && !gone.contains(&name.as_str()) {
                fs::create_dir_all(twin.parent().unwrap()).unwrap();
                fs::copy(path, twin).unwrap();
            }
        }
    }
}

fn json(folder: &Path, name: &str) -> Json {
    Json::parse(&fs::read(folder.join(name)).unwrap()).unwrap().root
}

fn cases(folder: &Path) -> BTreeMap<String, String> {
    let cases = json(folder, "cases.json");
    let members = cases.as_object().unwrap().iter();
    members.map(|m| (m.key.to_string(), m.value.as_str().unwrap().to_owned())).collect()
}

/// The causes that a check of `store` names, and every problem.
fn causes(store: &Path) -> (Vec<String>, Vec<Problem>) {
    let (hierarchy, target) = Hierarchy::open(store).unwrap();
    let mut problems = Vec::new();
    let options = CheckOptions { budget: Budget::default(), ..CheckOptions::default() };
    check(&hierarchy, &target.node, &options, &mut |event| {
        if let Event::Problem(NodePath(_), problem) = event {
            problems.push(problem);
        }
    });
    let word = |problem: &Problem| {
        let diagnosis = problem.diagnosis.as_ref()?;
        let certain = if diagnosis.is_certain { "certain" } else { "likely" };
        Some(format!("{} ({certain})", diagnosis.cause))
    };
    (problems.iter().filter_map(word).collect(), problems)
}

/// What `work` makes of each item, worked on by a few threads.
fn in_threads<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let work = &work;
    std::thread::scope(|scope| {
        let mut parts = Vec::new();
        for part in items.chunks(items.len().div_ceil(4).max(1)) {
            parts.push(scope.spawn(move || part.iter().map(work).collect::<Vec<R>>()));
        }
        parts.into_iter().flat_map(|part| part.join().unwrap()).collect()
    })
}

#[test]
fn causes_are_named_and_clean_twins_have_none() {
    let unpacked = unpacked();
    let folder = unpacked.path();
    let (mut table, mut named, mut all) = (String::new(), 0, 0);
    let cases: Vec<(String, String)> = cases(folder).into_iter().collect();
    let found = in_threads(&cases, |(case, _)| {
        let twin = |name| causes(&folder.join(case).join(name)).0;
        (twin("fault"), twin("clean"))
    });
    for ((case, expected), (mut found, clean)) in cases.into_iter().zip(found) {
        found.dedup();
        let hit = found.iter().any(|cause| cause.starts_with(&expected));
        named += usize::from(hit);
        all += 1;
        let sign = if hit { "named " } else { "missed" };
        writeln!(table, "{sign} {case:28} {expected:14} {}", found.join(", ")).unwrap();
        assert!(clean.is_empty(), "{case}: its clean twin has {clean:?}");
    }
    writeln!(table, "{named} of {all}").unwrap();
    insta::assert_snapshot!(table);
}

#[test]
fn healthy_arrays_have_no_cause() {
    let unpacked = unpacked();
    let folder = unpacked.path();
    let healthy = fs::read_dir(folder.join("healthy")).unwrap();
    let healthy: Vec<_> = healthy.map(|entry| entry.unwrap().path()).collect();
    let found = in_threads(&healthy, |path| causes(path));
    let mut wrong = Vec::new();
    for (path, (found, _)) in healthy.iter().zip(found) {
        if !found.is_empty() {
            wrong.push((path.clone(), found));
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for store in ["ocean", "ocean-v2", "dtypes-v2", "dtypes-v3"] {
        let (found, problems) = causes(&root.join("sample-stores").join(store));
        assert!(found.is_empty(), "{store}: {problems:?}");
    }
    for store in fs::read_dir(root.join("tests/corpus")).unwrap() {
        let path = store.unwrap().path();
        if path.is_dir() && Hierarchy::open(&path).is_ok() {
            let (mut found, problems) = causes(&path);
            // One array there has such chunks on purpose.
            found.retain(|cause| cause != "edge-chunks (certain)");
            let causes = problems.iter().filter_map(|problem| problem.diagnosis.as_ref());
            let causes: Vec<_> = causes.collect();
            assert!(found.is_empty(), "{}: {causes:?}", path.display());
        }
    }
}
