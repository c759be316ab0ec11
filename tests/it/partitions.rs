//! Reports that many machines make together: any number of parts gives the report of one run, and nothing else is taken
//! for parts.

use crate::cli::{Ran, run, zarrscope};
use serde_json::Value;
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::TempDir;

/// A command, a store, and a folder for the files of its parts.
struct Job<'a> {
    command: &'a str,
    store: &'a str,
    options: &'a [&'a str],
    folder: TempDir,
}

impl<'a> Job<'a> {
    fn new(command: &'a str, store: &'a str, options: &'a [&'a str]) -> Self {
        Self { command, store, options, folder: crate::scratch() }
    }

    fn file(&self, part: usize) -> PathBuf {
        self.folder.path().join(format!("part-{part}.jsonl"))
    }

    /// Makes one part.
    fn part(&self, part: usize, of: usize) -> Ran {
        let (file, which) = (self.file(part), format!("{part}/{of}"));
        let given = ["--partition", &which, "-o", file.to_str().unwrap()];
        run(&[&[self.command, self.store], self.options, &given].concat())
    }

    /// Makes all parts.
    fn parts(&self, of: usize) {
        for part in 1..=of {
            let Ran { code, out, err } = self.part(part, of);
            assert_eq!((code, out.as_str(), err.as_str()), (0, "", ""), "{} {part}", self.store);
        }
    }

    /// Puts these files together. The report has the options of the parts, and these.
    fn merge(&self, files: &[PathBuf], options: &[&str]) -> Ran {
        let files: Vec<_> = files.iter().map(|file| file.to_str().unwrap()).collect();
        run(&[&[self.command], options, &["--merge"], &files[..]].concat())
    }

    /// Puts all parts together.
    fn merged(&self, of: usize, options: &[&str]) -> Ran {
        self.merge(&(1..=of).map(|part| self.file(part)).collect::<Vec<_>>(), options)
    }

    fn whole(&self, options: &[&str]) -> Ran {
        run(&[&[self.command, self.store], self.options, options].concat())
    }

    /// Checks that so many parts give the report of the whole, and with more options that one.
    fn agrees(&self, of: usize, more: &[&str]) {
        self.parts(of);
        for options in [&[], more] {
            let (whole, merged) = (self.whole(options), self.merged(of, options));
            let what = format!("{} {} {options:?} in {of}", self.command, self.store);
            assert_eq!(whole.out, merged.out, "{what}");
            assert_eq!((whole.code, whole.err), (merged.code, merged.err), "{what}");
        }
    }
}

/// The stores of the samples: healthy, damaged, sharded, of both formats and zipped.
const STORES: [&str; 7] = [
    "sample-stores/ocean",
    "sample-stores/ocean-v2",
    "sample-stores/broken",
    "sample-stores/byte-order",
    "sample-stores/dtypes-v3",
    "sample-stores/ocean/packed",
    "tests/corpus/zarr3.zip",
];

#[test]
fn all_parts_of_a_check_give_its_report() {
    for (store, of) in STORES.into_iter().zip([1, 2, 5, 3, 2, 16, 3]) {
        Job::new("check", store, &[]).agrees(of, &["--json"]);
    }
    Job::new("check", "sample-stores/broken", &["--metadata-only"]).agrees(2, &["--strict"]);
}

/// Figures are the same to the last digit, and so are the values that are told apart.
#[test]
fn all_parts_of_statistics_give_their_report() {
    for (store, of) in STORES.into_iter().zip([2, 3, 4, 2, 3, 16, 3]) {
        Job::new("stats", store, &["--chunks"]).agrees(of, &["--json"]);
    }
    Job::new("stats", "sample-stores/ocean", &["--csv"]).agrees(3, &["--chunks"]);
}

#[test]
fn all_parts_of_digests_give_their_report() {
    for (store, of) in STORES.into_iter().zip([3, 2, 4, 2, 2, 16, 3]) {
        Job::new("digest", store, &[]).agrees(of, &["--json"]);
    }
    for only in ["stored", "content"] {
        Job::new("digest", "sample-stores/broken", &["--only", only, "--json"]).agrees(3, &[]);
    }
}

/// Raw chunks that are read in several pieces, blocks that run across chunks, and rows of chunks of one element.
#[test]
fn parts_of_large_arrays_give_their_report() {
    let folder = crate::scratch();
    let shapes: [(&str, &[usize], &[usize]); 4] = [
        ("one_chunk", &[3000, 1100], &[3000, 1100]),
        ("columns", &[700, 900], &[700, 90]),
        ("thin", &[3, 2, 400, 300], &[1, 1, 70, 300]),
        ("sparse", &[1000, 1000], &[100, 100]),
    ];
    for (name, shape, chunks) in shapes {
        write_array(&folder.path().join(name), shape, chunks);
    }
    // So many chunks that those that are not stored are taken at once.
    let many = folder.path().join("many");
    fs::create_dir(&many).unwrap();
    let document = serde_json::json!({
        "zarr_format": 2, "shape": [1003, 1000], "chunks": [1, 10], "dtype": "<i2", "fill_value": 7,
        "order": "C", "filters": null, "compressor": null,
    });
    fs::write(many.join(".zarray"), document.to_string()).unwrap();
    for key in ["3.5", "500.0", "1002.99"] {
        fs::write(many.join(key), [1; 20]).unwrap();
    }
    let store = folder.path().to_str().unwrap();
    for of in [1, 2, 5, 9] {
        for command in ["stats", "digest"] {
            Job::new(command, store, &["--json"]).agrees(of, &[]);
        }
    }
}

/// An array of numbers without any pattern, raw, in chunks; every third chunk of `sparse` is missing.
fn write_array(path: &Path, shape: &[usize], chunks: &[usize]) {
    let document = serde_json::json!({
        "zarr_format": 3, "node_type": "array", "shape": shape, "data_type": "float64",
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": chunks}},
        "chunk_key_encoding": {"name": "v2", "configuration": {"separator": "."}},
        "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}], "fill_value": 0.1,
    });
    fs::create_dir_all(path).unwrap();
    fs::write(path.join("zarr.json"), document.to_string()).unwrap();
    let counts: Vec<_> = shape.iter().zip(chunks).map(|(n, of)| n.div_ceil(*of)).collect();
    let mut number = 1_u64;
    for at in 0..counts.iter().product::<usize>() {
        let mut rest = at;
        let mut key: Vec<_> = counts
            .iter()
            .rev()
            .map(|count| {
                let index = rest % count;
                rest /= count;
                index.to_string()
            })
            .collect();
        key.reverse();
        let next = |_| {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (f64::from(u32::try_from(number >> 40).unwrap()) / 7.0).to_le_bytes()
        };
        let bytes: Vec<u8> = (0..chunks.iter().product()).flat_map(next).collect();
        if !path.ends_with("sparse") || at % 3 != 0 {
            fs::write(path.join(key.join(".")), bytes).unwrap();
        }
    }
}

/// The rest is done after a stop, wherever it was cut.
#[test]
fn an_interrupted_part_is_continued() {
    let job = Job::new("check", "sample-stores/ocean/packed", &[]);
    job.parts(2);
    let whole = fs::read(job.file(1)).unwrap();
    let head = whole.iter().position(|&byte| byte == b'\n').unwrap();
    for keep in [0, 1, 100, whole.len() / 2, whole.len() - 10, whole.len() - 1, whole.len()] {
        fs::write(job.file(1), &whole[..keep]).unwrap();
        // A last line without its line feed says all the same that the file is whole.
        if keep < whole.len() - 1 {
            let refused = job.merged(2, &[]);
            assert_eq!((refused.code, refused.out.as_str()), (2, ""), "{keep}");
            assert!(refused.err.contains("part-1.jsonl"), "{}", refused.err);
            let says_so = refused.err.contains("was interrupted after");
            assert_eq!(says_so, keep > head, "{keep}: {}", refused.err);
        }
        assert_eq!(job.part(1, 2).code, 0);
        let sorted = |bytes: &[u8]| {
            let mut lines: Vec<_> =
                bytes.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
            lines.sort();
            lines
        };
        assert_eq!(sorted(&fs::read(job.file(1)).unwrap()), sorted(&whole), "{keep}");
        assert_eq!(job.merged(2, &[]).out, job.whole(&[]).out);
    }
    // Nothing is done again of what is there.
    let half = whole.split_inclusive(|&byte| byte == b'\n').take(3).collect::<Vec<_>>().concat();
    fs::write(job.file(1), &half).unwrap();
    job.part(1, 2);
    assert!(fs::read(job.file(1)).unwrap().starts_with(&half));
}

/// The sentence of a refusal; the exit code is 2, and nothing is printed.
fn refusal(ran: &Ran) -> &str {
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
    &ran.err
}

#[test]
fn gaps_repeats_and_strangers_are_refused() {
    let job = Job::new("check", "sample-stores/ocean/packed", &[]);
    job.parts(3);
    let files: Vec<_> = (1..=3).map(|part| job.file(part)).collect();
    let told = |files: &[PathBuf], words: &[&str]| {
        let ran = job.merge(files, &[]);
        let error = refusal(&ran);
        assert!(words.iter().all(|word| error.contains(word)), "{words:?} in {error}");
    };
    told(&files[..2], &["part-1.jsonl", "no file for part 3"]);
    told(&[&files[..], &files[1..2]].concat(), &["part-2.jsonl", "each part only once"]);
    let other = |name: &str, from: &Job<'_>| {
        let file = job.folder.path().join(name);
        fs::copy(from.file(2), &file).unwrap();
        vec![files[0].clone(), file, files[2].clone()]
    };
    let four = Job::new("check", "sample-stores/ocean/packed", &[]);
    four.part(2, 4);
    told(&other("of-four.jsonl", &four), &["of-four.jsonl", "part 2 of 4", "one of 3 parts"]);
    let elsewhere = Job::new("check", "sample-stores/ocean/time", &[]);
    elsewhere.part(2, 3);
    told(&other("elsewhere.jsonl", &elsewhere), &["elsewhere.jsonl", "different metadata"]);
    let strict = Job::new("check", "sample-stores/ocean/packed", &["--strict"]);
    strict.part(2, 3);
    told(&other("strict.jsonl", &strict), &["strict.jsonl", "options"]);
    let text = job.folder.path().join("a.txt");
    fs::write(&text, "a text\n").unwrap();
    told(&[text], &["a.txt", "not a part file"]);
    told(&[job.file(9)], &["part-9.jsonl"]);
    // A line that was changed, one that is missing, and one too many.
    let whole = fs::read_to_string(&files[1]).unwrap();
    let lines: Vec<_> = whole.lines().collect();
    for changed in [
        whole.replacen("\"bytes\":", "\"bytes\":1", 1),
        [&lines[..1], &lines[2..], &[""]].concat().join("\n"),
        format!("{whole}{}\n", lines[1]),
    ] {
        fs::write(&files[1], changed).unwrap();
        told(&files, &["part-2.jsonl"]);
    }
}

/// A store that changes between the parts and the report is not told as what it was.
#[test]
fn a_store_that_changed_is_refused() {
    let copy = crate::scratch();
    let (store, c) = (copy.path().join("packed"), copy.path().join("packed/c"));
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-stores/ocean/packed");
    fs::create_dir_all(c.join("0")).unwrap();
    for file in ["zarr.json", "c/0/0", "c/0/1", "c/0/2"] {
        fs::copy(sample.join(file), store.join(file)).unwrap();
    }
    let job = Job::new("check", store.to_str().unwrap(), &[]);
    job.parts(2);
    assert_eq!(job.merged(2, &[]).out, job.whole(&[]).out);
    fs::copy(c.join("0/0"), c.join("0/3")).unwrap();
    let told = job.merged(2, &[]);
    assert!(refusal(&told).contains("no line for c/0/3"), "{}", told.err);
    fs::remove_file(c.join("0/3")).unwrap();
    fs::rename(c.join("0/0"), copy.path().join("0")).unwrap();
    let told = job.merged(2, &[]);
    assert!(refusal(&told).contains("a line for c/0/0"), "{}", told.err);
    fs::rename(copy.path().join("0"), c.join("0/0")).unwrap();
    let document = fs::read_to_string(store.join("zarr.json")).unwrap();
    fs::write(store.join("zarr.json"), format!("{document}\n")).unwrap();
    let told = job.merged(2, &[]);
    assert!(refusal(&told).contains("metadata differ"), "{}", told.err);
}

/// Counts of more elements than the array has are of no part of it: their sum would pass every number.
#[test]
fn forged_counts_are_refused() {
    let job = Job::new("stats", "sample-stores/ocean/packed", &[]);
    job.parts(2);
    assert_eq!(job.merged(2, &[]).code, 0);
    let text = fs::read_to_string(job.file(1)).unwrap();
    // Those of elements, and those of the bins of the histogram.
    let mut places = 0;
    for place in ["\"counts\":[", "\"first\":0,\"counts\":["] {
        let Some((before, after)) = text.split_once(place) else { continue };
        places += 1;
        let rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
        let forged = format!("{before}{place}{}{rest}", u64::MAX - 1);
        fs::write(job.file(1), forged).unwrap();
        assert!(refusal(&job.merged(2, &[])).contains("part-1.jsonl"));
    }
    assert!(places > 0);
}

/// Files that are there are not overwritten, and none is made in a store.
#[test]
fn the_file_of_a_part_harms_nothing() {
    let job = Job::new("check", "sample-stores/ocean/packed", &[]);
    fs::write(job.file(1), "a letter\n").unwrap();
    let told = job.part(1, 2);
    assert!(refusal(&told).contains("--force"), "{}", told.err);
    assert_eq!(fs::read_to_string(job.file(1)).unwrap(), "a letter\n");
    job.part(2, 4);
    let told = job.part(2, 3);
    assert!(refusal(&told).contains("part 2 of 4 of `check`"), "{}", told.err);
    let file = job.file(1);
    let forced =
        ["check", job.store, "--partition", "1/2", "--force", "-o", file.to_str().unwrap()];
    assert_eq!(run(&forced).code, 0);
    let inside = "sample-stores/ocean/packed/part.jsonl";
    let ran = run(&["check", job.store, "--partition", "1/2", "-o", inside]);
    assert!(refusal(&ran).contains("inside a Zarr store"), "{}", ran.err);
    assert!(!Path::new(env!("CARGO_MANIFEST_DIR")).join(inside).exists());
    // On stdout, for whoever gathers the lines by other means.
    let ran = run(&["check", job.store, "--partition", "1/2", "-o", "-"]);
    assert_eq!(ran.out, fs::read_to_string(&file).unwrap());
    for (line, keys) in ran.out.lines().zip(["metadata", "bytes"]) {
        assert!(!serde_json::from_str::<Value>(line).unwrap()[keys].is_null(), "{line}");
    }
}

/// The number of the part is that of the task.
#[test]
fn the_part_is_that_of_the_array_job() {
    let job = Job::new("check", "sample-stores/ocean/packed", &[]);
    job.parts(2);
    let set = [
        vec![
            ("SLURM_ARRAY_TASK_ID", "1"),
            ("SLURM_ARRAY_TASK_MIN", "0"),
            ("SLURM_ARRAY_TASK_MAX", "1"),
        ],
        vec![("AWS_BATCH_JOB_ARRAY_INDEX", "1"), ("AWS_BATCH_JOB_ARRAY_SIZE", "2")],
        vec![("COILED_BATCH_TASK_ID", "1"), ("COILED_BATCH_TASK_COUNT", "2")],
    ];
    for variables in set {
        let ran = zarrscope(&["check", job.store, "-o", "-"]).envs(variables).output().unwrap();
        assert_eq!(ran.stdout, fs::read(job.file(2)).unwrap());
    }
    let mut indexed = zarrscope(&["check", job.store, "--partition", "auto/2", "-o", "-"]);
    let ran = indexed.env("JOB_COMPLETION_INDEX", "1").output().unwrap();
    assert_eq!(ran.stdout, fs::read(job.file(2)).unwrap());
    let alone = run(&["check", job.store, "-o", "-"]);
    assert!(refusal(&alone).contains("--partition I/N"), "{}", alone.err);
}

/// Workers of a Dask cluster make 64 parts of a store of 20,000 chunks; skipped where there is no Python with
/// `distributed` (`PEER_PYTHON`, or python3).
#[test]
fn dask_workers_make_the_report_together() {
    let python = env::var_os("PEER_PYTHON").unwrap_or_else(|| "python3".into());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cluster/dask_parts.py");
    let ran = Command::new(python).arg(script).arg(env!("CARGO_BIN_EXE_zarrscope")).output();
    match ran {
        Ok(ran) if ran.status.code() != Some(77) => {
            assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        }
        _ => eprintln!("skipped: no Python with distributed"),
    }
}
