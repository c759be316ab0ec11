//! Zip archives as no writer of ours makes them: members by any method, names of any kind.

use crate::cli::{run, zarrscope};
use std::{fs, io::Write, path::PathBuf};
use tempfile::TempDir;

const INT16: &str = r#"{"zarr_format":3,"node_type":"array","shape":[4],"data_type":"int16","fill_value":0,
    "chunk_grid":{"name":"regular","configuration":{"chunk_shape":[4]}},"attributes":{},
    "chunk_key_encoding":{"name":"default","configuration":{"separator":"/"}},
    "codecs":[{"name":"bytes","configuration":{"endian":"little"}}]}"#;

/// A compressor.
type Pack = fn(&[u8]) -> Vec<u8>;

/// A member: its name, the number of its method, what that makes of its bytes, and they.
type Member<'a> = (&'a str, u16, Vec<u8>, &'a [u8]);

/// An archive of `members`.
fn archive(members: &[Member]) -> (TempDir, PathBuf) {
    let (mut out, mut contents) = (Vec::new(), Vec::new());
    for (name, method, packed, bytes) in members {
        let number = |number: usize| u32::try_from(number).unwrap().to_le_bytes();
        let offset = number(out.len());
        let mut fields = vec![20, 0, 0, 0];
        fields.extend(method.to_le_bytes());
        fields.extend([0; 4]);
        fields.extend(crc32fast::hash(bytes).to_le_bytes());
        fields.extend([number(packed.len()), number(bytes.len())].concat());
        fields.extend(u16::try_from(name.len()).unwrap().to_le_bytes());
        fields.extend([0; 2]);
        out.extend([b"PK\x03\x04", fields.as_slice(), name.as_bytes(), packed].concat());
        let place = [&[0; 10][..], &offset, name.as_bytes()].concat();
        contents.extend([b"PK\x01\x02\x14\0", fields.as_slice(), &place].concat());
    }
    let count = u16::try_from(members.len()).unwrap().to_le_bytes();
    let len = [contents.len(), out.len()].map(|len| u32::try_from(len).unwrap().to_le_bytes());
    let end = [&b"PK\x05\x06\0\0\0\0"[..], &count, &count, &len.concat(), &[0; 2]].concat();
    let folder = crate::scratch();
    let path = folder.path().join("store.zip");
    fs::write(&path, [out, contents, end].concat()).unwrap();
    (folder, path)
}

fn stored<'a>(name: &'a str, bytes: &'a [u8]) -> Member<'a> {
    (name, 0, bytes.to_vec(), bytes)
}

fn finished<W: Write>(mut writer: W, bytes: &[u8], finish: impl FnOnce(W) -> Vec<u8>) -> Vec<u8> {
    writer.write_all(bytes).unwrap();
    finish(writer)
}

/// The layout of LZMA in a zip archive: a version, the length of the properties, the properties, no size.
fn lzma(bytes: &[u8]) -> Vec<u8> {
    use liblzma::{
        stream::{LzmaOptions, Stream},
        write::XzEncoder,
    };
    let stream = Stream::new_lzma_encoder(&LzmaOptions::new_preset(6).unwrap()).unwrap();
    let alone = XzEncoder::new_stream(Vec::new(), stream);
    let alone = finished(alone, bytes, |writer| writer.finish().unwrap());
    [&[9, 20, 5, 0], &alone[..5], &alone[13..]].concat()
}

#[test]
fn members_by_every_method_that_there_is_a_decoder_for() {
    use {bzip2::write::BzEncoder, flate2::write::DeflateEncoder, liblzma::write::XzEncoder};
    let methods: [(u16, Pack); 5] = [
        (8, |bytes| {
            finished(
                DeflateEncoder::new(Vec::new(), flate2::Compression::fast()),
                bytes,
                |writer| writer.finish().unwrap(),
            )
        }),
        (12, |bytes| {
            finished(BzEncoder::new(Vec::new(), bzip2::Compression::fast()), bytes, |writer| {
                writer.finish().unwrap()
            })
        }),
        (14, lzma),
        (93, |bytes| zstd::bulk::compress(bytes, 1).unwrap()),
        (95, |bytes| {
            finished(XzEncoder::new(Vec::new(), 1), bytes, |writer| writer.finish().unwrap())
        }),
    ];
    for (method, pack) in methods {
        let document = INT16.as_bytes();
        let members = [
            ("zarr.json", method, pack(document), document),
            ("c/0", method, pack(b"ABCDEFGH"), &b"ABCDEFGH"[..]),
        ];
        let (_folder, path) = archive(&members);
        let ran = run(&["export", path.to_str().unwrap()]);
        assert_eq!(ran.out, "16961\n17475\n17989\n18503\n", "{method}: {}", ran.err);
        assert_eq!(run(&["check", path.to_str().unwrap()]).code, 0, "{method}");
        // Damage is found, whatever the method makes of it.
        let mut members = members;
        let last = members[1].2.len() / 2;
        members[1].2[last] ^= 0x55;
        let (_folder, path) = archive(&members);
        let ran = run(&["check", path.to_str().unwrap()]);
        assert!(ran.code == 1 && ran.out.contains("c/0"), "{method}: {}", ran.out);
    }
}

#[test]
fn a_member_by_another_method_is_told_as_what_zarrscope_cannot_read() {
    let members = [stored("zarr.json", INT16.as_bytes()), ("c/0", 9, vec![1, 2, 3], b"ABCDEFGH")];
    let (_folder, path) = archive(&members);
    let ran = run(&["check", path.to_str().unwrap()]);
    assert_eq!(ran.code, 1, "it was not checked");
    assert!(ran.out.contains("Deflate64, which zarrscope cannot decode"), "{}", ran.out);
    let (_folder, path) = archive(&[("zarr.json", 98, vec![1, 2, 3], INT16.as_bytes())]);
    let ran = run(&["check", path.to_str().unwrap()]);
    assert!(ran.code == 1 && ran.out.contains("PPMd"), "{}", ran.out);
    assert!(ran.out.contains("Not checked: anything below 1 node"), "{}", ran.out);
}

#[test]
fn an_archive_in_an_archive_is_told() {
    let inner: &[u8] = b"PK\x03\x04";
    let (_folder, path) =
        archive(&[stored("zarr.json", INT16.as_bytes()), stored("c/0", b"ABCDEFGH")]);
    let clean = run(&["check", path.to_str().unwrap()]);
    assert!(clean.code == 0 && !clean.out.contains("zip-name"), "{}", clean.out);
    assert!(!clean.out.contains("Not checked"), "{}", clean.out);
    for members in [
        vec![
            stored("zarr.json", INT16.as_bytes()),
            stored("c/0", b"ABCDEFGH"),
            stored("a/Inner.ZIP", inner),
        ],
        vec![stored("a/Inner.ZIP", inner)],
    ] {
        let (_folder, path) = archive(&members);
        let ran = run(&["check", path.to_str().unwrap()]);
        assert!(ran.out.contains("zip-name") && ran.out.contains("Inner.ZIP"), "{}", ran.out);
        let last = ran.out.lines().last().unwrap();
        assert!(last.starts_with("Not checked: 1 member of a zip archive ("), "{last}");
    }
}

#[test]
fn a_store_in_a_folder_of_the_archive_is_told_and_found_by_both_names() {
    let bytes = [1, 0, 2, 0, 3, 0, 4, 0];
    let (_folder, path) =
        archive(&[stored("x/y/zarr.json", INT16.as_bytes()), stored("x/y/c/0", &bytes)]);
    let name = path.to_str().unwrap();
    let checked = run(&["check", name]);
    assert!(
        checked.out.contains("(zip-folder)") && checked.out.contains("\"x/y\""),
        "{}",
        checked.out
    );
    assert_eq!(checked.code, 0, "a warning");
    for path in
        [name.to_owned(), format!("{name}/x/y"), format!("{name}/x/y/c/0"), format!("{name}/c/0")]
    {
        assert_eq!(run(&["export", &path]).out, "1\n2\n3\n4\n", "{path}");
    }
    assert_eq!(run(&["export", &format!("{name}/x/z")]).code, 2);
    let (_folder, twin) = archive(&[stored("zarr.json", INT16.as_bytes()), stored("c/0", &bytes)]);
    assert!(!run(&["check", twin.to_str().unwrap()]).out.contains("zip-"));
}

#[test]
fn of_members_of_one_name_the_last_counts_and_that_is_told() {
    let (old, new) = ([9, 0, 9, 0, 9, 0, 9, 0], [1, 0, 2, 0, 3, 0, 4, 0]);
    let document = stored("zarr.json", INT16.as_bytes());
    let (_folder, path) = archive(&[document.clone(), stored("c/0", &old), stored("c/0", &new)]);
    let name = path.to_str().unwrap();
    assert_eq!(run(&["export", name]).out, "1\n2\n3\n4\n");
    let checked = run(&["check", name]);
    assert!(checked.out.contains("1 replaced member, such as \"c/0\""), "{}", checked.out);
    assert!(checked.out.contains("0 errors, 0 warnings"), "zarr-python writes such archives");
    let (_folder, twin) = archive(&[document, stored("c/0", &new)]);
    let twin = twin.to_str().unwrap();
    assert!(!run(&["check", twin]).out.contains("zip-twice"));
    // TensorStore refuses such an archive, whatever else it reads of it.
    for (path, words) in [(name, "✗ error  ValueError"), (twin, "✓ reads")] {
        let readers = run(&["info", path, "--readers"]).out;
        let line = readers.lines().find(|line| line.starts_with("tensorstore"));
        assert!(line.is_some_and(|line| line.contains(words)), "{readers}");
    }
}

#[test]
fn zip_archives_in_a_folder_of_stores_are_stores() {
    let bytes = [1, 0, 2, 0, 3, 0, 4, 0];
    let (folder, path) = archive(&[stored("zarr.json", INT16.as_bytes()), stored("c/0", &bytes)]);
    let name = folder.path().to_str().unwrap();
    let tree = run(&["tree", name]).out;
    assert!(tree.contains("store.zip  V3  int16 LE  [4]"), "{tree}");
    let checked = run(&["check", name]);
    assert!(checked.out.contains("1 array, 1 chunk, 8 B: 0 errors, 0 warnings"), "{}", checked.out);
    // What only has the name is told; what lies inside a store is a file like any other.
    fs::write(folder.path().join("broken.zip"), b"no archive").unwrap();
    assert_eq!(run(&["check", name]).code, 1);
    fs::remove_file(folder.path().join("broken.zip")).unwrap();
    let group = folder.path().join("group");
    fs::create_dir(&group).unwrap();
    fs::write(group.join(".zgroup"), r#"{"zarr_format": 2}"#).unwrap();
    fs::copy(path, group.join("inner.zip")).unwrap();
    let tree = run(&["tree", name]).out;
    assert!(tree.contains("group") && !tree.contains("inner.zip"), "{tree}");
}

#[test]
fn a_folder_that_holds_only_zip_archives_opens() {
    let bytes = [1, 0, 2, 0, 3, 0, 4, 0];
    let (folder, path) = archive(&[stored("zarr.json", INT16.as_bytes()), stored("c/0", &bytes)]);
    fs::copy(&path, folder.path().join("second store.zip")).unwrap();
    let name = folder.path().to_str().unwrap();
    for command in ["tree", "info"] {
        let ran = run(&[command, name]);
        assert!(
            ran.out.contains("store.zip") && ran.out.contains("second store.zip"),
            "{}",
            ran.out
        );
        assert_eq!(ran.code, 0);
    }
    assert_eq!(run(&["export", &format!("{name}/second store.zip")]).out, "1\n2\n3\n4\n");
    let options =
        zarrscope::tui::Options { at: Some("second store.zip[2]".into()), ..Default::default() };
    let played = zarrscope::tui::script::play(folder.path(), (120, 40), "", &options).unwrap();
    assert_eq!(played.app.address(), "--at 'second store.zip/c/0#[2]'");
    let screen = zarrscope::tui::picture::text(&played.screen);
    assert!(screen.contains("store.zip"), "{screen}");
}

/// A shard of two inner chunks of four bytes each, and its index.
const SHARDED: &str = r#"{"zarr_format":3,"node_type":"array","shape":[8],"data_type":"uint8","fill_value":0,
    "chunk_grid":{"name":"regular","configuration":{"chunk_shape":[8]}},"attributes":{},
    "chunk_key_encoding":{"name":"default","configuration":{"separator":"/"}},
    "codecs":[{"name":"sharding_indexed","configuration":{"chunk_shape":[4],"codecs":[{"name":"bytes"}],
    "index_codecs":[{"name":"bytes","configuration":{"endian":"little"}}]}}]}"#;

fn shard() -> Vec<u8> {
    let index = [0_u64, 4, 4, 4].map(u64::to_le_bytes).concat();
    [b"ABCDEFGH".to_vec(), index].concat()
}

/// Damage that only the archive's own checksum shows is found by every command that goes by the values.
#[test]
fn a_damaged_member_is_certified_by_no_command() {
    for (document, bytes) in [(SHARDED, shard()), (INT16, b"ABCDEFGH".to_vec())] {
        let document = document.as_bytes();
        let mut damaged = bytes.clone();
        damaged[1] ^= 1;
        let member = ("c/0", 0, damaged, bytes.as_slice());
        let (_folder, path) = archive(&[stored("zarr.json", document), member]);
        let (_twin, whole) = archive(&[stored("zarr.json", document), stored("c/0", &bytes)]);
        let [path, whole] = [&path, &whole].map(|path| path.to_str().unwrap());
        for arguments in [
            &["check"][..],
            &["stats"],
            &["stats", "--chunks"],
            &["digest"],
            &["digest", "--only", "content"],
            &["digest", "--only", "stored"],
            &["export"],
            &["export", "--chunk", "0"],
            &["export", "-o", "-"],
            &["compare", whole],
        ] {
            for (path, is_damaged) in [(path, true), (whole, false)] {
                let ran = zarrscope(&[arguments, &[path]].concat()).output().unwrap();
                let said = [ran.stdout, ran.stderr]
                    .map(|said| String::from_utf8_lossy(&said).into_owned());
                let said = said.concat();
                assert_eq!(ran.status.success(), !is_damaged, "{arguments:?}: {said}");
                assert_eq!(said.contains("CRC-32"), is_damaged, "{arguments:?}: {said}");
            }
        }
        // A wrong CRC-32 is no checksum of a codec: it is told where those are ignored, too.
        for ignored in [&[][..], &["--ignore-checksums"]] {
            let ran = run(&[&["chunk", path, "0"], ignored].concat());
            assert!(ran.code == 1 && (ran.out + &ran.err).contains("CRC-32"), "{ignored:?}");
        }
        let checked = run(&["check", whole]).out;
        assert!(checked.contains("Checksums match"), "{checked}");
    }
}

/// An archive with one raw chunk of so many zeros, stored or deflated, and their CRC-32 changed by `damage`.
fn of_zeros(folder: &std::path::Path, len: usize, is_stored: bool, damage: u32) -> PathBuf {
    use std::io::{Read, Seek, SeekFrom};
    use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};
    let path = folder.join("zeros.zip");
    let document = INT16.replace("[4]", &format!("[{len}]")).replace("int16", "uint8");
    let mut writer = ZipWriter::new(fs::File::create(&path).unwrap());
    writer.start_file("zarr.json", SimpleFileOptions::default()).unwrap();
    writer.write_all(document.as_bytes()).unwrap();
    let method = if is_stored { CompressionMethod::Stored } else { CompressionMethod::Deflated };
    writer.start_file("c/0", SimpleFileOptions::default().compression_method(method)).unwrap();
    std::io::copy(&mut std::io::repeat(0).take(len as u64), &mut writer).unwrap();
    writer.finish().unwrap();
    let mut file = fs::File::options().read(true).write(true).open(&path).unwrap();
    let from = file.seek(SeekFrom::End(-200)).unwrap();
    let mut tail = Vec::new();
    file.read_to_end(&mut tail).unwrap();
    let entry = memchr::memmem::rfind(&tail, b"PK\x01\x02").unwrap();
    tail[entry + 16..entry + 20].iter_mut().zip(damage.to_le_bytes()).for_each(|(a, b)| *a ^= b);
    file.seek(SeekFrom::Start(from)).unwrap();
    file.write_all(&tail).unwrap();
    path
}

/// A member of which no more than a window is held is compared all the same, as a stream.
#[test]
fn a_member_of_any_size_is_compared_with_its_checksum() {
    const LEN: usize = (256 << 20) + 1;
    let folder = crate::scratch();
    for is_stored in [true, false] {
        for damage in [0, 0x10] {
            let path = of_zeros(folder.path(), LEN, is_stored, damage);
            let ran = run(&["check", path.to_str().unwrap()]);
            let said = if damage == 0 { "Checksums match" } else { "CRC-32" };
            assert!(ran.out.contains(said), "{is_stored}: {}", ran.out);
            assert_eq!(ran.code, i32::from(damage != 0), "{is_stored}: {}", ran.out);
            assert!(!ran.out.contains("No checksum covers"), "{}", ran.out);
        }
    }
}

/// Bytes that cannot be decrypted were not checked: a script that goes on where `check` succeeds stops.
#[test]
fn an_encrypted_member_is_no_success() {
    let (_folder, path) =
        archive(&[stored("zarr.json", INT16.as_bytes()), stored("c/0", b"ABCDEFGH")]);
    let mut bytes = fs::read(&path).unwrap();
    for (sign, flags) in [(b"PK\x03\x04", 6), (b"PK\x01\x02", 8)] {
        let at = memchr::memmem::rfind(&bytes, sign).unwrap();
        bytes[at + flags] |= 1;
    }
    fs::write(&path, bytes).unwrap();
    for command in ["check", "stats", "digest", "export"] {
        let ran = run(&[command, path.to_str().unwrap()]);
        let said = format!("{}{}", ran.out, ran.err);
        assert!(ran.code == 1 && said.contains("encrypted"), "{command} {}: {said}", ran.code);
    }
}
