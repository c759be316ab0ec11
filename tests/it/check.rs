//! What `check` finds: in the sample stores, and in defects planted one by one.

use std::path::Path;
use zarrscope::zarr::{
    Hierarchy, NodePath, Problem,
    check::{Event, Options, Summary, check},
};

/// Everything that is found at `path`, each as `node: severity code: text`, and the summary.
fn found(path: &Path, metadata_only: bool) -> (Vec<String>, Summary) {
    let (hierarchy, target) = Hierarchy::open(path).unwrap();
    let options = Options { metadata_only, limit: 1 << 30, stop: &|| false, spread: None };
    let mut lines = Vec::new();
    let summary = check(&hierarchy, &target.node, &options, &mut |event| {
        if let Event::Problem(NodePath(path), Problem { severity, error }) = event {
            lines.push(format!("{path}: {} {}: {error}", severity.word(), error.code));
        }
    });
    lines.sort();
    (lines, summary)
}

fn sample(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-stores").join(name)
}

#[test]
fn every_fault_of_the_broken_samples_is_told() {
    let (lines, _) = found(&sample("broken"), false);
    insta::assert_snapshot!(lines.join("\n"));
}

/// Nothing in these is wrong, and nothing may be called so; the liar lies about its byte order.
#[test]
fn sound_samples_have_no_errors() {
    let mut all = Vec::new();
    for store in ["ocean", "ocean-v2", "byte-order", "dtypes-v2", "dtypes-v3"] {
        let (lines, summary) = found(&sample(store), false);
        all.push(format!("== {store}: {summary:?}"));
        all.extend(lines.into_iter().filter(|line| !line.contains(": note ")));
    }
    insta::assert_snapshot!(all.join("\n"));
}
