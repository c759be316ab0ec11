//! The damage to a store: bytes flipped, cut and doubled, words of documents changed for others.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// Numbers that look random and are the same in every run.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end.max(1) as u64).unwrap()
    }

    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// The folders of all small nodes of the sample stores and the corpus, and the archives.
pub(crate) fn nodes() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut open = vec![root.join("sample-stores"), root.join("tests/corpus")];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        let mut entries: Vec<_> =
            fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        entries.sort();
        let documents = ["zarr.json", ".zarray", ".zgroup"];
        let is_node = entries.iter().any(|path| documents.iter().any(|name| path.ends_with(name)));
        if is_node && files(&folder).len() < 40 {
            found.push(folder);
        } else {
            let archive = |path: &&PathBuf| path.extension().is_some_and(|it| it == "zip");
            found.extend(entries.iter().filter(archive).cloned());
            open.extend(entries.into_iter().filter(|path| path.is_dir()));
        }
    }
    found
}

/// All files below a folder.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut open = vec![folder.to_owned()];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { open.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}

/// Copies a node, some of its files damaged, and gives the copy.
pub(crate) fn damaged_copy(node: &Path, to: &Path, dice: &mut Dice) -> PathBuf {
    if node.is_file() {
        let mut bytes = fs::read(node).unwrap();
        (0..=dice.below(4)).for_each(|_| damage_bytes(&mut bytes, dice));
        let copy = to.join("store.zip");
        fs::write(&copy, bytes).unwrap();
        return copy;
    }
    for file in files(node) {
        let target = to.join(file.strip_prefix(node).unwrap());
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::copy(&file, &target).unwrap();
    }
    let all = files(to);
    let (documents, chunks): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|path| is_document(path.to_str().unwrap()));
    for _ in 0..=dice.below(3) {
        let from = if dice.below(3) > 0 || chunks.is_empty() { &documents } else { &chunks };
        let file = dice.pick(from).clone();
        let mut bytes = fs::read(&file).unwrap();
        for _ in 0..=dice.below(2) {
            if from.len() == documents.len() && *from == documents && dice.below(4) > 0 {
                damage_words(&mut bytes, dice);
            } else {
                damage_bytes(&mut bytes, dice);
            }
        }
        fs::write(&file, bytes).unwrap();
    }
    to.to_owned()
}

/// True if the key is that of a document.
pub(crate) fn is_document(key: &str) -> bool {
    let name = key.rsplit('/').next().unwrap_or(key);
    name == "zarr.json" || name.starts_with(".z")
}

/// Flips, cuts, doubles or overwrites bytes.
pub(crate) fn damage_bytes(bytes: &mut Vec<u8>, dice: &mut Dice) {
    let at = dice.below(bytes.len());
    let end = (at + 1 + dice.below(16)).min(bytes.len());
    match dice.below(6) {
        0 => bytes.truncate(at),
        1 => drop(bytes.drain(at..end)),
        2 => {
            let part = bytes[at.min(end)..end].to_vec();
            bytes.splice(at..at, part);
        }
        3 => bytes.iter_mut().skip(at).take(4).for_each(|byte| *byte = 0xff),
        4 => bytes.iter_mut().skip(at).take(8).for_each(|byte| *byte = 0),
        _ => bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 << dice.below(8)),
    }
}

/// The words that replace a word of a document.
const WORDS: &[&str] = &[
    "0",
    "1",
    "-1",
    "2",
    "3",
    "7",
    "255",
    "65536",
    "2147483647",
    "4294967296",
    "1000000000",
    "1000000000000",
    "2305843009213693952",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551614",
    "18446744073709551615",
    "18446744073709551616",
    "1e300",
    "-0.0",
    "1.5",
    "NaN",
    "null",
    "true",
    "[]",
    "{}",
    "[1]",
    "[[[1,2]]]",
    "\"\"",
    "\"|O\"",
    "\"<f8\"",
    "\">i2\"",
    "\"<U2147483647\"",
    "\"|S2147483647\"",
    "\"|V9\"",
    "\"<M8[ns]\"",
    "\"|b1\"",
    "\"float32\"",
    "\"int64\"",
    "\"int4\"",
    "\"r4096\"",
    "\"complex128\"",
    "\"string\"",
    "\"bytes\"",
    "\"big\"",
    "\"F\"",
    "\"NaN\"",
    "\"0x7fc00001\"",
    "\"gzip\"",
    "\"zstd\"",
    "\"blosc\"",
    "\"transpose\"",
    "\"crc32c\"",
    "\"vlen-utf8\"",
    "\"shuffle\"",
    "\"delta\"",
    "\"start\"",
    "\"\\ud800\\u001b[31m\\u202e\"",
    "[[\"a\",\">i2\"],[\"b\",\"<f4\",[2,2]]]",
    "{\"name\":\"gzip\"}",
    "{\"name\":\"transpose\",\"configuration\":{\"order\":[1,0]}}",
    "{\"name\":\"sharding_indexed\",\"configuration\":{\"chunk_shape\":[1],\"codecs\":[{\"name\":\"bytes\"}]}}",
    "{\"id\":\"delta\",\"dtype\":\"<i4\"}",
    "{\"id\":\"packbits\"}",
    "[1000000,1000000]",
    "[1,1,1,1,1,1,1,1]",
];

/// Puts another word in place of a word of a document, or doubles one, or takes one away.
pub(crate) fn damage_words(bytes: &mut Vec<u8>, dice: &mut Dice) {
    let is_word = |byte: &u8| !b"{}[]:, \n\t".contains(byte);
    let mut words = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let len = bytes[at..].iter().take_while(|byte| is_word(byte)).count();
        if len > 0 {
            words.push(at..at + len);
        }
        at += len.max(1);
    }
    if words.is_empty() {
        return damage_bytes(bytes, dice);
    }
    let word = dice.pick(&words).clone();
    let new = match dice.below(8) {
        0 => Vec::new(),
        1 => {
            let other = dice.pick(&words).clone();
            bytes[other].to_vec()
        }
        2 => [&bytes[word.clone()], b",", &bytes[word.clone()]].concat(),
        _ => dice.pick(WORDS).as_bytes().to_vec(),
    };
    // Words that belong together, such as the lengths of an array and of its chunk, may stay alike.
    let old = bytes[word.clone()].to_vec();
    let is_everywhere = dice.below(4) == 0;
    for place in words.into_iter().rev() {
        if place == word || is_everywhere && bytes[place.clone()] == *old {
            bytes.splice(place, new.iter().copied());
        }
    }
}

/// Data types as people type them.
pub(crate) const DATA_TYPES: &[&str] = &[
    "<i8",
    ">f4",
    "|b1",
    "|O",
    "<U20",
    "|S5",
    "|V16",
    ">M8[10us]",
    "<m8[25s]",
    "<c16",
    "float32",
    "uint64",
    "int4",
    "bfloat16",
    "float8_e4m3fn",
    "string",
    "bytes",
    "r24",
    "complex64",
    "{\"name\": \"numpy.datetime64\", \"configuration\": {\"unit\": \"ns\", \"scale_factor\": 10}}",
    "{\"name\": \"fixed_length_utf32\", \"configuration\": {\"length_bytes\": 80}}",
    "{\"name\": \"struct\", \"configuration\": {\"fields\": [[\"a\", \"int16\"], [\"b\", \"float32\"]]}}",
    "[[\"a\", \">i2\"], [\"b\", \"<f4\", [2, 2]], [\"c\", [[\"d\", \"|S3\"]]]]",
    "{\"dtype\": \"<f8\", \"object_codec\": {\"id\": \"vlen-utf8\"}}",
];

/// Fill values as people type them.
pub(crate) const FILL_VALUES: &[&str] = &[
    "0",
    "-32768",
    "1.5",
    "1e-310",
    "-0.0",
    "123456789012345678901234567890",
    "NaN",
    "\"NaN\"",
    "\"-Infinity\"",
    "\"0x7fc00001\"",
    "\"NaT\"",
    "\"AAECAw==\"",
    "\"text \u{e9}\"",
    "\"2020-02-29T23:59:60\"",
    "null",
    "true",
    "[1, 2]",
    "[\"NaN\", 0.5]",
    "{\"a\": 1, \"b\": 2.5}",
];

/// Settings of a what-if as people type them.
pub(crate) const SETTINGS: &[&str] = &[
    "dtype=<f4",
    "dtype=float32 endian=big",
    "dtype=[[\"a\",\"<i2\"],[\"b\",\"<i2\"]]",
    "endian=little",
    "order=F",
    "order=[1,0]",
    "codecs=[\"bytes\",\"zstd\"]",
    "codecs=[{\"name\":\"bytes\",\"configuration\":{\"endian\":\"big\"}},\"gzip\",\"crc32c\"]",
    "filters=[{\"id\":\"shuffle\",\"elementsize\":8}]",
    "compressor=null",
    "compressor=blosc",
    "shape=100,200",
    "chunks=1",
    "chunks=10,20 shape=1000000000000",
    "fill=NaN",
    "fill=-1 keys=.",
    "keys=default",
    "checksums=ignore",
    "/codecs/0/name=\"zstd\"",
    "/attributes=",
    "/shape/0=18446744073709551615",
];

/// One of `texts`, as it is or damaged.
pub(crate) fn typed(texts: &[impl AsRef<str>], dice: &mut Dice) -> String {
    let mut bytes = dice.pick(texts).as_ref().as_bytes().to_vec();
    for _ in 0..dice.below(4) {
        if dice.below(2) == 0 {
            damage_words(&mut bytes, dice);
        } else {
            damage_bytes(&mut bytes, dice);
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
