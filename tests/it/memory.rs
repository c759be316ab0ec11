//! The memory of decoding: one budget for all threads, whatever chunks promise, and an error where there is no more.

use crate::cli::{run, zarrscope};
use std::{fs, path::Path, process::Stdio};

/// The bytes that a chunk of [`bombs`] decodes to.
const CHUNK: usize = 32 << 20;

/// An array of `count` chunks that take next to nothing on the disk: bytes, or one string each.
fn bombs(folder: &Path, count: usize, strings: bool) {
    let (shape, chunk, data_type, first) = if strings {
        (count, 1, r#""string","fill_value":"""#, r#"{"name":"vlen-utf8"}"#)
    } else {
        (count * CHUNK, CHUNK, r#""uint8","fill_value":0"#, r#"{"name":"bytes"}"#)
    };
    let document = format!(
        r#"{{"zarr_format":3,"node_type":"array","shape":[{shape}],"data_type":{data_type},"attributes":{{}},"dimension_names":["x"],
        "chunk_grid":{{"name":"regular","configuration":{{"chunk_shape":[{chunk}]}}}},
        "chunk_key_encoding":{{"name":"default","configuration":{{"separator":"/"}}}},
        "codecs":[{first},{{"name":"zstd","configuration":{{"level":1,"checksum":false}}}}]}}"#
    );
    fs::write(folder.join("zarr.json"), document).unwrap();
    let mut bytes = vec![b'.'; CHUNK];
    if strings {
        let len = u32::try_from(CHUNK - 8).unwrap();
        bytes[..8].copy_from_slice(&[1_u32.to_le_bytes(), len.to_le_bytes()].concat());
    }
    let packed = zstd::bulk::compress(&bytes, 1).unwrap();
    fs::create_dir(folder.join("c")).unwrap();
    for number in 0..count {
        fs::write(folder.join(format!("c/{number}")), &packed).unwrap();
    }
}

/// The most memory that the program takes with so many threads, in MiB, and how it ends.
#[cfg(target_os = "linux")]
pub(crate) fn peak(arguments: &[&str], threads: u32) -> (u64, Option<i32>) {
    let mut command = zarrscope(arguments);
    command.env("RAYON_NUM_THREADS", threads.to_string());
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    loop {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let now = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
        most = most.max(now.unwrap_or(0) >> 10);
        if let Some(status) = child.try_wait().unwrap() {
            return (most, status.code());
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

/// Sixteen chunks took sixteen times what one takes.
#[test]
#[cfg(target_os = "linux")]
fn all_threads_together_stay_within_one_budget() {
    for strings in [false, true] {
        let folder = crate::scratch();
        bombs(folder.path(), 16, strings);
        let path = folder.path().to_str().unwrap();
        for threads in [2, 16] {
            let (most, code) = peak(&["check", path, "--max-memory", "128M"], threads);
            assert!(code == Some(0) && most < 208, "{most} MiB, {code:?}, {threads}, {strings}");
        }
        if !strings {
            let arguments = ["export", path, "-o", "-", "--max-memory", "256M"];
            let (most, code) = peak(&arguments, 16);
            assert!(code == Some(0) && most < 320, "{most} MiB, {code:?}");
        }
    }
}

/// Values that the order wants all at once, and that do not fit, are an error that says what to do.
#[test]
fn values_that_do_not_fit_beside_each_other_are_an_error() {
    let folder = crate::scratch();
    bombs(folder.path(), 3, true);
    let path = folder.path().to_str().unwrap();
    let ran = run(&["export", path, "--max-memory", "100M"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("--max-memory") && ran.err.contains("c/"), "{}", ran.err);
    assert_eq!(run(&["export", path, "--max-memory", "1G"]).code, 0);
}

/// An array of V2 whose structs have so many fields.
fn fields(folder: &Path, count: usize) {
    let fields: Vec<_> = (0..count).map(|at| format!(r#"["f{at}","<i4"]"#)).collect();
    let document = format!(
        r#"{{"zarr_format":2,"shape":[1],"chunks":[1],"dtype":[{}],"compressor":null,"fill_value":null,
        "order":"C","filters":null}}"#,
        fields.join(",")
    );
    fs::write(folder.join(".zarray"), document).unwrap();
}

/// Wherever memory ends, a command ends with a sentence and an exit code, and not by a signal.
#[test]
#[cfg(target_os = "linux")]
fn where_memory_ends_there_is_a_sentence() {
    let folder = crate::scratch();
    fields(folder.path(), 400_000);
    let mut refused = 0;
    for most in (60_000..160_000).step_by(10_000) {
        for command in ["info", "tree", "check"] {
            let program = zarrscope(&[]).get_program().to_owned();
            let script = format!("ulimit -v {most}; exec \"$0\" {command} \"$1\"");
            let mut shell = std::process::Command::new("sh");
            let ran = shell.args(["-c", &script]).arg(program).arg(folder.path()).output().unwrap();
            let text = String::from_utf8_lossy(&[ran.stdout, ran.stderr].concat()).into_owned();
            assert!(matches!(ran.status.code(), Some(0..=2)), "{most} {:?}: {text}", ran.status);
            assert!(text.contains("memory") || text.contains("131072"), "{most}: {text}");
            refused += u32::from(text.contains("no memory for") && !text.contains("allocation"));
        }
    }
    assert!(refused > 8, "refused {refused} times");
}

/// A folder of many files and an archive of many members that do not fit are errors with their place.
#[test]
#[cfg(target_os = "linux")]
fn a_listing_that_does_not_fit_is_an_error() {
    let folder = crate::scratch();
    let (many, packed) = (folder.path().join("many.zarr"), folder.path().join("many.zip"));
    fs::create_dir(&many).unwrap();
    fs::write(many.join(".zgroup"), r#"{"zarr_format":2}"#).unwrap();
    for number in 0..60_000 {
        fs::File::create(many.join(number.to_string())).unwrap();
    }
    let mut archive = zip::ZipWriter::new(fs::File::create(&packed).unwrap());
    for number in 0..60_000 {
        archive.start_file(number.to_string(), zip::write::SimpleFileOptions::default()).unwrap();
    }
    archive.finish().unwrap();
    for path in [&many, &packed] {
        let mut refused = 0;
        for most in (30_000..90_000).step_by(5_000) {
            let program = zarrscope(&[]).get_program().to_owned();
            let script = format!("ulimit -v {most}; RAYON_NUM_THREADS=1 exec \"$0\" tree \"$1\"");
            let mut shell = std::process::Command::new("sh");
            let ran = shell.args(["-c", &script]).arg(program).arg(path).output().unwrap();
            let text = String::from_utf8_lossy(&[ran.stdout, ran.stderr].concat()).into_owned();
            println!("{most} {:?} {text}", ran.status.code());
            refused += u32::from(text.contains("no memory for") && text.contains("many"));
        }
        assert!(refused > 2, "{path:?}: refused {refused} times");
    }
}

/// A million fields took 3 GB and froze the inspector.
#[test]
#[cfg(target_os = "linux")]
fn structs_of_a_million_fields_are_refused_for_little_memory() {
    let folder = crate::scratch();
    let path = folder.path().to_str().unwrap();
    fields(folder.path(), 200_000);
    for command in ["info", "check", "tree"] {
        let (most, code) = peak(&[command, path], 2);
        assert!(code == Some(1) && most < 90, "{command}: {most} MiB, {code:?}");
    }
    assert!(run(&["check", path]).out.contains("at most 131072"));
    fields(folder.path(), 10_000);
    assert_eq!(run(&["check", path]).code, 0);
}

/// Statistics of an array keep nothing for each chunk that there could be: 40,000 missing ones take no more than 40.
#[test]
#[cfg(target_os = "linux")]
fn statistics_take_nothing_for_chunks_that_are_not_there() {
    let folder = crate::scratch();
    let peaks = [40, 40_000].map(|chunks: u64| {
        let array = folder.path().join(chunks.to_string());
        fs::create_dir_all(&array).unwrap();
        let document = format!(
            r#"{{"zarr_format":2,"shape":[{}],"chunks":[2],"dtype":"<i4","fill_value":0,"order":"C","filters":null,
                 "compressor":null}}"#,
            chunks * 2
        );
        fs::write(array.join(".zarray"), document).unwrap();
        fs::write(array.join("3"), [1, 0, 0, 0, 2, 0, 0, 0]).unwrap();
        // A program that is soon over may end before its peak was seen.
        let runs = (0..4).map(|_| peak(&["stats", &array.display().to_string()], 1));
        runs.map(|(most, code)| if code == Some(0) { most } else { u64::MAX }).max().unwrap()
    });
    assert!(peaks[1] < peaks[0] + 16, "{peaks:?} MiB");
}
