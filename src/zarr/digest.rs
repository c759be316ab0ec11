//! Digests by which a copy is verified without the original.
//!
//! # Of the content
//!
//! A [`Content`] digest is the same for all arrays with the same data type, shape and elements, whatever their format,
//! chunks, shards, codecs and byte order. It is defined so that a dozen lines of NumPy find it too:
//!
//! 1. The elements are taken in C order, in the form that [`canonical`](super::canonical) describes; missing chunks are
//!    the fill value.
//! 2. They are cut into blocks of [`BLOCK`] elements; the last may be shorter. The hash of a block is the SHA-256 of its
//!    elements and its number (8 bytes, little-endian, from 0 on).
//! 3. The hashes are added up as little-endian numbers modulo 2²⁵⁶. So blocks may be hashed in any order, anywhere.
//! 4. The digest is the SHA-256 of a line of JSON, `{"data_type":…,"shape":[…]}` with the data type as V3 writes it, a
//!    line feed, and the sum (32 bytes, little-endian).
//!
//! # Of what is stored
//!
//! [`stored`] is the tree checksum that the DANDI archive defines for Zarr stores: of every folder the MD5 of a JSON
//! list of what is in it, each with its own checksum and size; as text `md5-files--bytes`.

use super::prelude::*;
use super::{
    budget::stopped,
    data_type::PaddedBytes,
    store::{self, DOCUMENTS, join, several},
};
use md5::Md5;
use sha2::{Digest, Sha256};
use std::{convert::Infallible, fmt::Write as _};

/// The number of elements of a block.
pub const BLOCK: u64 = 1 << 17;

/// The number of bytes of a stored object that are read at a time.
const WINDOW: u64 = 2 << 20;

/// The depth to which folders are read.
const DEEPEST: usize = 128;

/// The elements of a block, as they come.
#[derive(Debug, Clone, Default)]
pub struct BlockHash(Sha256);

impl BlockHash {
    /// A block that begins with these elements.
    pub fn of(bytes: &[u8]) -> Self {
        let mut block = Self::default();
        block.add(bytes);
        block
    }

    /// Takes in more elements.
    pub fn add(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Takes in `count` elements that are all the same, made by repetition.
    pub fn add_padded(&mut self, element: &PaddedBytes, count: u64) {
        let Ok(()) = element.repeated::<Infallible>(count, &mut |piece| {
            self.add(piece);
            Ok(())
        });
    }

    /// The part of block `number` in the digest, all of whose elements were taken in.
    pub fn finish(self, number: u64) -> Content {
        Content(self.0.chain_update(number.to_le_bytes()).finalize().into())
    }
}

/// A digest of the content of an array, to which blocks are added in any order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Content([u8; 32]);

impl Content {
    /// The sum so far, as hexadecimal digits.
    pub fn text(self) -> String {
        hex(&self.0, "")
    }

    /// The sum that [`Self::text`] wrote; `None` where it is none.
    pub fn parse(text: &str) -> Option<Self> {
        let mut sum = [0; 32];
        for (place, digits) in sum.iter_mut().zip(text.as_bytes().chunks(2)) {
            *place = u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
        }
        (text.len() == 64).then_some(Self(sum))
    }

    /// Both together.
    pub fn plus(self, other: Self) -> Self {
        let mut sum = [0; 32];
        let mut carry = 0;
        for ((place, a), b) in sum.iter_mut().zip(self.0).zip(other.0) {
            let digit = u16::from(a) + u16::from(b) + carry;
            let [low, high] = digit.to_le_bytes();
            (*place, carry) = (low, u16::from(high));
        }
        Self(sum)
    }

    /// The digest of an array of this data type, as V3 writes it, and shape, all of whose blocks were added.
    pub fn finish(self, data_type: &Json, shape: &[u64]) -> String {
        let head = object! {"data_type": data_type.clone(), "shape": shape}.to_line();
        let hash = Sha256::new().chain_update(head).chain_update(b"\n").chain_update(self.0);
        hex(&hash.finalize(), "")
    }
}

/// A digest of the metadata documents of the node at `path` and of all below it: the same wherever the store is.
pub fn metadata(hierarchy: &Hierarchy, path: &NodePath) -> String {
    let mut sum = Content::default();
    hierarchy.walk(path, &mut |node, _| {
        let below = node.path.0.get(path.0.len()..).unwrap_or_default();
        for name in DOCUMENTS {
            let bytes = match hierarchy.store.read(&join(&node.path.0, name), u64::MAX) {
                Ok(Some(bytes)) => bytes,
                Ok(None) => continue,
                Err(error) => error.found.into_bytes(),
            };
            let mut block = BlockHash::of(join(below.trim_start_matches('/'), name).as_bytes());
            block.add(b"\0");
            block.add(&bytes);
            sum = sum.plus(block.finish(0));
        }
        true
    });
    sum.text()
}

/// The MD5 checksum of an object, and its length in bytes.
pub type ObjectSum = (String, u64);

/// Stored objects, and their checksums.
pub trait Objects {
    /// The entries directly below `prefix`, sorted by name.
    ///
    /// # Errors
    ///
    /// If that cannot be listed.
    fn list(&self, prefix: &str) -> Result<Vec<Entry>>;

    /// The checksum of each of the objects under `keys`, or why it cannot be read.
    fn checksums(&self, keys: &[String]) -> Vec<Result<ObjectSum>>;
}

/// The objects of a store.
pub struct StoredObjects<'a> {
    /// The store.
    pub store: &'a dyn Store,
    /// Is told how many bytes of an object were read, and of how many, where it is long: no checksum can leave anything
    /// out, not even a hole. Ends it with `false`.
    pub progress: &'a (dyn Fn(u64, u64) -> bool + Sync),
}

impl StoredObjects<'_> {
    /// The checksum of the object under `key`.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn checksum(&self, key: &str) -> Result<ObjectSum> {
        if let Some(known) = self.store.md5(key) {
            return Ok(known);
        }
        let (mut hash, mut crc32, mut at) = (Md5::new(), crc32fast::Hasher::new(), 0);
        let mut len = None;
        loop {
            let window = self.store.read_range(key, at..at + WINDOW)?.unwrap_or_default();
            hash.update(&window);
            crc32.update(&window);
            at += window.len() as u64;
            if (window.len() as u64) < WINDOW {
                break;
            }
            let of = match len {
                Some(of) => of,
                None => *len.insert(self.store.stat(key)?.map_or(0, |stat| stat.len)),
            };
            if !(self.progress)(at, of) {
                return Err(stopped());
            }
        }
        // What is damaged is not certified.
        if let Some(declared) = self.store.crc32(key) {
            store::is_declared(declared, crc32).map_err(|error| error.in_file(key))?;
        }
        Ok((hex(&hash.finalize(), ""), at))
    }
}

impl Objects for StoredObjects<'_> {
    fn list(&self, prefix: &str) -> Result<Vec<Entry>> {
        let mut entries = self.store.list(prefix)?;
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(entries)
    }

    fn checksums(&self, keys: &[String]) -> Vec<Result<ObjectSum>> {
        several(self.store, keys, |key| self.checksum(key))
    }
}

/// The DANDI archive's checksum of everything below each of the `wanted` folders, which are in the folder `root` or are
/// that, each object being read once; or why something in it cannot be listed or read.
pub fn stored(
    objects: &dyn Objects,
    root: &str,
    wanted: &BTreeSet<String>,
) -> BTreeMap<String, Result<String>> {
    let (steps, open, found) = (Vec::new(), Vec::new(), BTreeMap::new());
    let mut tree = TreeSum { objects, wanted, steps, files: Vec::new(), open, found };
    tree.folder(root, "", 0);
    tree.sum_up();
    tree.found
}

/// The number of objects whose checksums are asked for together.
const TOGETHER: usize = 256;

/// A step through a tree of folders.
enum TreeStep {
    /// Into a folder: its prefix and its name in the one around it.
    Into(String, String),
    /// Past a file of this name, the next one that was asked for.
    Past(String),
    /// Something that cannot be listed.
    Fault(Error),
    /// Out of a folder.
    Out,
}

/// A folder whose objects are summed up.
#[derive(Default)]
struct FolderSum {
    prefix: String,
    name: String,
    folders: Vec<Json>,
    files: Vec<Json>,
    count: u64,
    bytes: u64,
    fault: Option<Error>,
}

/// The sums of folders, on a walk that is a few steps ahead of them.
struct TreeSum<'a> {
    objects: &'a dyn Objects,
    wanted: &'a BTreeSet<String>,
    steps: Vec<TreeStep>,
    /// The keys of the files in `steps`.
    files: Vec<String>,
    /// The folders around the next step.
    open: Vec<FolderSum>,
    found: BTreeMap<String, Result<String>>,
}

impl TreeSum<'_> {
    fn folder(&mut self, prefix: &str, name: &str, depth: usize) {
        self.steps.push(TreeStep::Into(prefix.to_owned(), name.to_owned()));
        let listed = if depth > DEEPEST {
            let error = Error::new(Code::NestedTooDeep, "folders in folders", "at most 128 levels");
            Err(error.in_file(prefix))
        } else {
            self.objects.list(prefix)
        };
        match listed {
            Err(error) => self.steps.push(TreeStep::Fault(error)),
            Ok(entries) => {
                for Entry { name, is_folder, .. } in entries {
                    let key = join(prefix, &name);
                    if is_folder {
                        self.folder(&key, &name, depth + 1);
                    } else {
                        self.files.push(key);
                        self.steps.push(TreeStep::Past(name));
                    }
                    if self.files.len() >= TOGETHER {
                        self.sum_up();
                    }
                }
            }
        }
        self.steps.push(TreeStep::Out);
    }

    /// Takes the steps that were gone ahead.
    fn sum_up(&mut self) {
        let mut sums = self.objects.checksums(&std::mem::take(&mut self.files)).into_iter();
        for step in std::mem::take(&mut self.steps) {
            let here = self.open.last_mut();
            match (step, here) {
                (TreeStep::Into(prefix, name), _) => {
                    self.open.push(FolderSum { prefix, name, ..FolderSum::default() });
                }
                (TreeStep::Past(name), Some(here)) => match sums.next() {
                    Some(Ok((digest, bytes))) => {
                        here.add((1, bytes));
                        here.files.push(object! {"digest": digest, "name": name, "size": bytes});
                    }
                    error => here.fail(error.and_then(Result::err)),
                },
                (TreeStep::Fault(error), Some(here)) => here.fail(Some(error)),
                (TreeStep::Out, Some(_)) => self.out(),
                (_, None) => {}
            }
        }
    }

    /// Finishes the innermost folder.
    fn out(&mut self) {
        let Some(folder) = self.open.pop() else { return };
        let FolderSum { prefix, name, folders, files, count, bytes, fault } = folder;
        let listing = in_ascii(&object! {"directories": folders, "files": files}.to_line());
        let digest = format!("{}-{count}--{bytes}", hex(&Md5::digest(listing), ""));
        if let Some(around) = self.open.last_mut() {
            around.fail(fault.clone());
            // Object stores have no empty folders.
            if count > 0 {
                around.add((count, bytes));
                let sum = object! {"digest": digest.as_str(), "name": name, "size": bytes};
                around.folders.push(sum);
            }
        }
        if self.wanted.contains(&prefix) {
            self.found.insert(prefix, fault.map_or(Ok(digest), Err));
        }
    }
}

impl FolderSum {
    fn add(&mut self, (count, bytes): (u64, u64)) {
        (self.count, self.bytes) = (self.count + count, self.bytes + bytes);
    }

    fn fail(&mut self, error: Option<Error>) {
        self.fault = self.fault.take().or(error);
    }
}

/// JSON with all that is not ASCII escaped, as the definition takes it from Python's `json.dumps`.
fn in_ascii(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if c.is_ascii() {
            out.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a `String` cannot fail.
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
    }
    out
}
