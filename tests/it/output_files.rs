//! Output files: never inside a store, never over a file without `--force`, and whole or not at all.

use crate::cli::{run, zarrscope};
use std::{
    fs,
    io::{Read, Write},
    path::{Path, PathBuf},
};
use zarrscope::{
    tui::{Options, script},
    worker::output_file::{OutputFile, PrivateCopy},
};

/// An array of int16 in a folder of its own, 20 000 elements in one chunk.
fn array(folder: &Path) -> PathBuf {
    let array = folder.join("array.zarr");
    fs::create_dir_all(array.join("c")).unwrap();
    let document = r#"{"zarr_format":3,"node_type":"array","shape":[20000],"data_type":"int16","fill_value":0,
        "chunk_grid":{"name":"regular","configuration":{"chunk_shape":[20000]}},"attributes":{},
        "chunk_key_encoding":{"name":"default","configuration":{"separator":"/"}},
        "codecs":[{"name":"bytes","configuration":{"endian":"little"}}]}"#;
    fs::write(array.join("zarr.json"), document).unwrap();
    fs::write(array.join("c/0"), vec![7; 40_000]).unwrap();
    array
}

/// A zip store of that array, its member stored.
fn archive(folder: &Path) -> PathBuf {
    let array = array(folder);
    let path = folder.join("store.zip");
    let mut zip = zip::ZipWriter::new(fs::File::create(&path).unwrap());
    let options =
        zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for key in ["zarr.json", "c/0"] {
        zip.start_file(key, options).unwrap();
        zip.write_all(&fs::read(array.join(key)).unwrap()).unwrap();
    }
    zip.finish().unwrap();
    path
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Every file below `folder` by its path, with what is in it.
fn contents(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                // A link may lead nowhere.
                found.push((path.clone(), fs::read(&path).unwrap_or_default()));
            }
        }
    }
    found.sort();
    found
}

/// Tries to write `kind` ("export" or "shot") to `target`, with and without `--force`: refused, and `folder` unchanged.
fn is_refused(folder: &Path, kind: &str, opened: &Path, target: &Path, why: &str) {
    let before = contents(folder);
    for force in [&["--force"][..], &[]] {
        let ran = run(&[&[kind, text(opened), "-o", text(target)], force].concat());
        assert_eq!(ran.code, 2, "{kind} {}: {}", target.display(), ran.err);
        assert!(
            force.is_empty() || ran.err.contains(why),
            "{kind} {}: {}",
            target.display(),
            ran.err
        );
        assert!(contents(folder) == before, "{kind} {}", target.display());
    }
}

/// Each document alone makes a folder one of a store.
#[test]
fn nothing_is_written_beside_a_document() {
    let other = Path::new("sample-stores/byte-order/v3/int16_big");
    for name in ["zarr.json", ".zarray", ".zgroup", ".zattrs", ".zmetadata"] {
        let folder = crate::scratch();
        fs::write(folder.path().join(name), "{}").unwrap();
        fs::create_dir(folder.path().join("below")).unwrap();
        for target in ["new.npy", "below/new.npy"] {
            let target = folder.path().join(target);
            is_refused(folder.path(), "export", other, &target, "stores are never changed");
        }
    }
}

#[test]
#[cfg(unix)]
fn no_link_leads_into_a_store() {
    use std::os::unix::fs::symlink;
    let folder = crate::scratch();
    let array = array(folder.path());
    let [chunk, picture, inside] =
        ["chunk.npy", "picture.svg", "inside"].map(|name| folder.path().join(name));
    symlink(array.join("c/0"), &chunk).unwrap();
    symlink(array.join("zarr.json"), &picture).unwrap();
    symlink(array.join("c"), &inside).unwrap();
    let why = "stores are never changed";
    is_refused(folder.path(), "export", &array, &chunk, why);
    is_refused(folder.path(), "shot", &array, &picture, why);
    is_refused(folder.path(), "export", &array, &inside.join("new.npy"), why);
    // The store that is opened goes by another name, and it is another store that is opened.
    let alias = folder.path().join("alias");
    symlink(&array, &alias).unwrap();
    is_refused(folder.path(), "shot", &alias, &array.join("x.svg"), why);
    let other = Path::new("sample-stores/byte-order/v3/int16_big");
    is_refused(folder.path(), "shot", other, &array.join("x.svg"), why);
    is_refused(folder.path(), "export", other, &array.join("c/x.npy"), why);
}

#[test]
#[cfg(unix)]
fn a_zip_store_is_not_replaced_under_any_name() {
    let folder = crate::scratch();
    let archive = archive(folder.path());
    let link = folder.path().join("link.npy");
    fs::hard_link(&archive, &link).unwrap();
    let other = Path::new("sample-stores/byte-order/v3/int16_big");
    for target in [&archive, &link] {
        is_refused(folder.path(), "export", &archive, target, "stores are never changed");
        is_refused(folder.path(), "export", other, target, "stores are never changed");
    }
}

#[test]
fn beside_stores_is_not_inside_them() {
    let folder = crate::scratch();
    array(folder.path());
    let shot = folder.path().join("x.svg");
    let ran = run(&["shot", text(folder.path()), "-o", text(&shot)]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(fs::read_to_string(shot).unwrap().starts_with("<svg"));
}

#[test]
fn a_file_is_only_replaced_by_force() {
    let folder = crate::scratch();
    let array = array(folder.path());
    for (kind, name) in [("export", "x.npy"), ("shot", "x.txt")] {
        let file = folder.path().join(name);
        fs::write(&file, "precious").unwrap();
        let ran = run(&[kind, text(&array), "-o", text(&file)]);
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains("already exists") && ran.err.contains("--force"), "{}", ran.err);
        assert_eq!(fs::read(&file).unwrap(), b"precious");
        let ran = run(&[kind, text(&array), "--force", "-o", text(&file)]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        assert!(fs::read(&file).unwrap().len() > 100);
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
}

/// A limit on the size of files stands for a disk that is full.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_leaves_nothing_behind() {
    let folder = crate::scratch();
    let array = array(folder.path());
    let file = folder.path().join("x.npy");
    let export = |limit: &str| {
        let script =
            format!("trap '' XFSZ; ulimit -f {limit}; exec \"$0\" export \"$1\" -o \"$2\"");
        let mut shell = std::process::Command::new("/bin/bash");
        let program = env!("CARGO_BIN_EXE_zarrscope");
        shell.args(["-c", &script, program, text(&array), text(&file)]).output().unwrap()
    };
    let ran = export("8");
    assert_eq!(ran.status.code(), Some(2), "{ran:?}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    assert_eq!(export("unlimited").status.code(), Some(0), "the retry is not blocked");
    assert_eq!(fs::read(&file).unwrap().len(), 40_128);
}

/// A chunk of 8 GiB keeps `export` busy for as long as it takes to end it.
#[test]
#[cfg(target_os = "linux")]
fn an_export_that_is_interrupted_leaves_nothing_behind() {
    use std::os::unix::process::ExitStatusExt;
    let folder = crate::scratch();
    let array = array(folder.path());
    let huge = fs::OpenOptions::new().write(true).open(array.join("c/0")).unwrap();
    huge.set_len(8 << 30).unwrap();
    let document = fs::read_to_string(array.join("zarr.json")).unwrap();
    fs::write(array.join("zarr.json"), document.replace("20000", &(4u64 << 30).to_string()))
        .unwrap();
    let file = folder.path().join("x.npy");
    let unfinished = || fs::read_dir(folder.path()).unwrap().count() > 1;
    // Whether the program was still at it when the signal came; on a machine with much to do it may be done first.
    let interrupted = |signal: &str, number| {
        let mut export = zarrscope(&["export", text(&array), "-o", text(&file)]);
        let mut export = export.stderr(std::process::Stdio::null()).spawn().unwrap();
        while !unfinished() && export.try_wait().unwrap().is_none() {
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        let kill = ["-s", signal, &export.id().to_string()].map(str::to_owned);
        std::process::Command::new("kill").args(kill).status().unwrap();
        let status = export.wait().unwrap();
        let is_done = fs::remove_file(&file).is_ok();
        assert!(!unfinished(), "{signal}");
        assert!(is_done || status.signal() == Some(number), "{signal}: {status}");
        !is_done
    };
    // What a shell starts in the background ignores SIGINT, and so does all that it starts.
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.map_or(0, |mask| u64::from_str_radix(mask.trim(), 16).unwrap());
    let heeded = |number: i32| ignored >> (number - 1) & 1 == 0;
    // Batch systems send USR1, USR2 or XCPU when the time is nearly up.
    let signals = [
        ("INT", 2),
        ("TERM", 15),
        ("HUP", 1),
        ("USR1", 10),
        ("USR2", 12),
        ("ALRM", 14),
        ("XCPU", 24),
        ("VTALRM", 26),
    ];
    for (signal, number) in signals.into_iter().filter(|(_, it)| heeded(*it)) {
        assert!((0..50).any(|_| interrupted(signal, number)), "{signal}");
    }
}

/// A limit for the size of files is an error with a sentence, and leaves nothing behind.
#[test]
#[cfg(unix)]
fn a_file_past_the_limit_of_the_shell_is_an_error() {
    let folder = crate::scratch();
    let array = array(folder.path());
    let limited = |arguments: &str| {
        let script = format!("ulimit -f 8; exec \"$0\" {arguments}");
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &script, env!("CARGO_BIN_EXE_zarrscope"), text(&array)]);
        let output = shell.arg(folder.path()).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let before = fs::read_dir(folder.path()).unwrap().count();
    let (code, said) = limited("export \"$1\" -o \"$2/x.npy\"");
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("larger than the limit") && !said.contains(".part"), "{said}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), before);
    let (code, said) = limited("export \"$1\" > \"$2/values\"");
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("could not write the output: larger than the limit"), "{said}");
    let (code, said) = limited("shot \"$1\" --size 300x100 -o \"$2/x.svg\"");
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("x.svg: not written: larger than the limit"), "{said}");
}

#[test]
fn a_pipe_or_a_device_is_written_to_as_it_is() {
    let Ok(null) = fs::metadata("/dev/null") else { return };
    let array = "sample-stores/byte-order/v3/int16_big";
    assert_eq!(run(&["export", array, "-o", "/dev/null"]).code, 0);
    assert_eq!(fs::metadata("/dev/null").unwrap().file_type(), null.file_type());
}

#[test]
fn a_copy_is_private_and_goes_when_it_is_not_changed() {
    let copy = PrivateCopy::new("a/zarr.json\u{1b}[2J", b"{}").unwrap();
    let path = copy.path().to_owned();
    let name = path.file_name().unwrap().to_str().unwrap();
    assert!(name.starts_with("a_zarr.json") && !name.contains('\u{1b}'), "{name}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(path.parent().unwrap()), 0o700);
        assert_eq!(mode(&path) & 0o222, 0);
    }
    assert_eq!(copy.keep_if_changed(), None);
    assert!(!path.parent().unwrap().exists());

    let copy = PrivateCopy::new("zarr.json", b"{}").unwrap();
    std::thread::sleep(std::time::Duration::from_millis(20));
    fs::remove_file(copy.path()).unwrap();
    fs::write(copy.path(), b"{ }").unwrap();
    let kept = copy.keep_if_changed().unwrap();
    let mut text = String::new();
    fs::File::open(&kept).unwrap().read_to_string(&mut text).unwrap();
    assert_eq!(text, "{ }");
    fs::remove_dir_all(kept.parent().unwrap()).unwrap();
}

/// The arguments of a part that is written to `part`.
#[cfg(unix)]
fn part_of<'a>(array: &'a Path, part: &'a Path) -> [&'a str; 6] {
    ["check", text(array), "--partition", "1/1", "-o", text(part)]
}

/// A part is continued in its own file only: never through a link, nor in a file that is a chunk by another name.
#[test]
#[cfg(unix)]
fn a_part_is_not_written_through_links() {
    use std::os::unix::fs::symlink;
    let folder = crate::scratch();
    let array = array(folder.path());
    fs::write(array.join("c/empty"), "").unwrap();
    fs::write(folder.path().join("own.txt"), "").unwrap();
    let part = folder.path().join("part.jsonl");
    let link = |to: &str| symlink(folder.path().join(to), &part);
    let name = |of: &str| fs::hard_link(folder.path().join(of), &part);
    let attacks: [(&str, &dyn Fn() -> std::io::Result<()>); 6] = [
        ("a link that leads nowhere, into the store", &|| link("array.zarr/c/1")),
        ("a link to a chunk", &|| link("array.zarr/c/0")),
        ("a link to an empty file", &|| link("own.txt")),
        ("another name of a chunk", &|| name("array.zarr/c/0")),
        ("another name of an empty file of a store", &|| name("array.zarr/c/empty")),
        ("another name of an empty file", &|| name("own.txt")),
    ];
    for (what, make) in attacks {
        make().unwrap();
        let before = contents(folder.path());
        for force in [&["--force"][..], &[]] {
            let ran = run(&[&part_of(&array, &part)[..], force].concat());
            assert_eq!(ran.code, 2, "{what} {force:?}: {}", ran.err);
            assert!(ran.err.contains("Not written: "), "{what}: {}", ran.err);
            assert!(contents(folder.path()) == before, "{what} {force:?}");
            assert!(!array.join("c/1").exists(), "{what}");
        }
        fs::remove_file(&part).unwrap();
    }
    let ran = run(&part_of(&array, &part));
    assert!(ran.code < 2 && fs::read_to_string(&part).unwrap().lines().count() > 2, "{}", ran.err);
}

/// A file with another name is not replaced either; one that is a link is, and what it leads to stays.
#[test]
#[cfg(unix)]
fn a_whole_file_replaces_no_chunk_under_another_name() {
    use std::os::unix::fs::symlink;
    let folder = crate::scratch();
    let array = array(folder.path());
    let file = folder.path().join("x.npy");
    fs::hard_link(array.join("c/0"), &file).unwrap();
    is_refused(folder.path(), "export", &array, &file, "other names");
    fs::remove_file(&file).unwrap();
    let own = folder.path().join("own.txt");
    fs::write(&own, "precious").unwrap();
    symlink(&own, &file).unwrap();
    let ran = run(&["export", text(&array), "--force", "-o", text(&file)]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert_eq!(fs::read(own).unwrap(), b"precious");
    assert!(!file.is_symlink() && fs::read(&file).unwrap().len() == 40_128);
}

/// While a name becomes a link to a chunk, another name of it, a part and nothing by turns, all that opens it for
/// writing leaves the store as it is.
#[test]
#[cfg(unix)]
fn a_name_that_changes_meanwhile_never_wins() {
    use std::{
        os::unix::fs::symlink,
        sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    };
    use zarrscope::worker::output_file::{OutputFile, ResumedFile};
    const TRIES: usize = 3000;
    let folder = crate::scratch();
    let array = array(folder.path());
    let before = contents(&array);
    let part = folder.path().join("part");
    let (is_done, turns) = (AtomicBool::new(false), AtomicUsize::new(0));
    let written = std::thread::scope(|scope| {
        scope.spawn(|| {
            let (chunk, lost) = (array.join("c/0"), array.join("c/1"));
            let aside = folder.path().join("aside");
            while !is_done.load(Ordering::Relaxed) {
                // Each comes to be there at once, in place of what was there.
                let turn = turns.fetch_add(1, Ordering::Relaxed);
                let made = match turn % 5 {
                    0 => symlink(&chunk, &aside),
                    1 => symlink(&lost, &aside),
                    2 => fs::hard_link(&chunk, &aside),
                    3 => fs::write(&aside, "begun\n"),
                    _ => fs::remove_file(&part),
                };
                drop(made.and_then(|()| fs::rename(&aside, &part)));
                drop(fs::remove_file(&aside));
            }
        });
        let mut written = 0;
        for at in 0..TRIES {
            let done = if at % 2 == 0 {
                let file = ResumedFile::open(&part, &array);
                let file = file.and_then(|file| {
                    let keep = file.text().map_or(0, <[u8]>::len).min(3);
                    file.keep(keep)
                });
                file.map(|mut file| file.write_all(b"PWNED").is_ok())
            } else {
                OutputFile::create(&part, &array, true).and_then(|mut file| {
                    file.write_all(b"PWNED").unwrap();
                    file.finish().map(|()| true)
                })
            };
            written += usize::from(done.unwrap_or(false));
        }
        is_done.store(true, Ordering::Relaxed);
        written
    });
    assert!(contents(&array) == before, "the store changed");
    assert!(written > 0, "nothing was ever written");
    assert!(turns.load(Ordering::Relaxed) > TRIES / 10);
}

/// The folder of an output is inside a store by whatever path, and however deep.
#[test]
#[cfg(unix)]
fn a_folder_inside_a_store_is_known_by_any_path() {
    use std::os::unix::fs::symlink;
    let folder = crate::scratch();
    let array = array(folder.path());
    let deep = array.join("c/a/b/c");
    fs::create_dir_all(&deep).unwrap();
    let way = folder.path().join("way");
    symlink(&deep, &way).unwrap();
    let up = way.join("../b2");
    fs::create_dir_all(array.join("c/a/b/b2")).unwrap();
    for target in [deep.join("x.npy"), way.join("x.npy"), up.join("x.npy")] {
        is_refused(folder.path(), "export", &array, &target, "stores are never changed");
        let other = Path::new("sample-stores/byte-order/v3/int16_big");
        is_refused(folder.path(), "export", other, &target, "stores are never changed");
        let ran = run(&part_of(other, &target));
        assert_eq!(ran.code, 2, "{}", ran.err);
        assert!(!target.exists());
    }
    // A store without a document at its root is known by being the one that is opened.
    let bare = folder.path().join("bare");
    fs::create_dir_all(bare.join("deep/down")).unwrap();
    fs::create_dir_all(bare.join("a/b")).unwrap();
    fs::copy(array.join("zarr.json"), bare.join("a/b/zarr.json")).unwrap();
    is_refused(folder.path(), "shot", &bare, &bare.join("deep/down/x.svg"), "never changed");
    // A folder is not made inside a store either.
    let made = OutputFile::create_with_folder(&array.join("new/folder/x"), Path::new(""));
    assert!(made.is_err() && !array.join("new").exists());
}

/// The lines of a part stay when it is gone on with, and its file is a new one.
#[test]
#[cfg(unix)]
fn a_part_is_gone_on_with_in_a_new_file() {
    use std::os::unix::fs::MetadataExt;
    use zarrscope::worker::output_file::ResumedFile;
    let folder = crate::scratch();
    let part = folder.path().join("part");
    let write = |keep: usize, more: &str| {
        let file = ResumedFile::open(&part, Path::new("")).unwrap();
        file.keep(keep).unwrap().write_all(more.as_bytes()).unwrap();
        fs::read_to_string(&part).unwrap()
    };
    assert_eq!(write(0, "one\n"), "one\n");
    let first = fs::metadata(&part).unwrap().ino();
    let held = fs::File::open(&part).unwrap();
    assert_eq!(write(2, "ly\n"), "only\n");
    assert_ne!(fs::metadata(&part).unwrap().ino(), first);
    drop(held);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing unfinished is left");
}

/// The folder has no document itself: only that it was opened tells that it is a store.
#[test]
fn the_second_store_of_a_comparison_is_not_written_into() {
    let (a, b) = (crate::scratch(), crate::scratch());
    array(a.path());
    array(&b.path().join("group"));
    let target = b.path().join("group/new.npy");
    let create = || OutputFile::create(&target, a.path(), false).map(drop);
    create().unwrap();
    let keys = format!(":compare {}<enter>", text(b.path()));
    script::play(a.path(), (120, 30), &keys, &Options::default()).unwrap();
    let refused = create().unwrap_err().to_string();
    assert!(refused.contains("inside a Zarr store"), "{refused}");
    let around = OutputFile::create(&b.path().join("../x-beside.npy"), a.path(), false);
    around.map(drop).unwrap();
}
