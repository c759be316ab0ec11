//! The library: everything zarrscope knows about Zarr, and nothing about terminals or threads.
//!
//! Read from the bottom up; `tests/it/imports.rs` has the order, and holds it: each module imports only those below it.
//!
//! | module | what it answers |
//! | --- | --- |
//! | [`text`] | the one way by which text from a store becomes safe to show |
//! | [`words`] | how numbers, sizes, bytes and lists are written |
//! | [`signs`] | the signs of screens and commands, and what stands for them in ASCII |
//! | [`runnable`] | the text that people run: words of a shell, paths of a diff |
//! | [`error`] | what went wrong, where, what was expected, and the fix |
//! | [`signature`] | what kind of file bytes are that are not what they should be |
//! | [`budget`] | what reading and decoding may cost, and when it stops |
//! | [`json`] | the only JSON: what a document says, as found (bare `NaN`, duplicate keys, exact numbers, byte spans), and what is written |
//! | [`format`](mod@format) | which of the two formats: V2 or V3 |
//! | [`bytes`] | bytes at hand: in memory, a window of something larger, or a map of a file |
//! | [`store`] | which bytes are under which key: a directory, a zip file |
//! | [`data_type`], [`scalar`] | what the bytes of an element mean, and how V2 and V3 write type and fill value |
//! | [`metadata`] | what a `.zarray` or `zarr.json` says, version-neutral, with its faults |
//! | [`hierarchy`] | which nodes there are |
//! | [`grid`], [`codec`], [`chunk`] | which chunk holds an element, and what it says stage by stage |
//! | [`presence`], [`sizes`] | which chunks of an array are stored, and how large they are |
//! | [`conventions`] | what CF and OME-Zarr require of attributes, and of the nodes that they name |
//! | [`mod@array`] | regions of an array, read as values across its chunks and shards |
//! | [`census`] | what is below a node, counted |
//! | [`spelling`] | how V2 and V3 each write the same array, row by row |
//! | [`byte_order`], [`statistics`], [`figures`] | what the values look like |
//! | [`plausibility`] | how much like measured values elements are |
//! | [`what_if`] | a node read as if its document declared something else; edits of documents |
//! | [`diagnosis`] | why chunks cannot be read or read as nonsense; what a chunk file without metadata could be |
//! | [`npy`] | elements as a file for NumPy |
//! | [`canonical`] | elements in one form, whatever their format, chunks and byte order |
//! | [`digest`] | by what a copy is verified without the original |
//! | [`compare`] | what differs between two arrays: documents and values |
//! | [`readers`] | what other programs make of an array, measured |
//! | [`check`] | everything wrong in a store |
//!
//! [`guide`] shows how to use it: a store, a region, findings, a data type and a codec of one's own.
//!
//! From a path to numbers:
//!
//! ```
//! use zarrscope::zarr::{ArrayReader, Budget, Hierarchy};
//!
//! # fn main() -> zarrscope::zarr::Result<()> {
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/sample-stores/ocean/packed");
//! let (hierarchy, target) = Hierarchy::open(path.as_ref())?;
//! let node = hierarchy.node(&target.node);
//! let array = node.kind.array().expect("an array");
//! assert_eq!(array.data_type.as_ref().map(|resolved| resolved.data_type.name()), Ok("int16".into()));
//!
//! let reader = ArrayReader::new(&*hierarchy.store, &node.path, array)?;
//! let rows: Vec<i16> = reader.read_region(&[10..12, 0..180], &Budget::default())?;
//! assert_eq!(rows.len(), 2 * 180);
//! # Ok(())
//! # }
//! ```
//!
//! One chunk, stage by stage:
//!
//! ```
//! use zarrscope::zarr::{Budget, Hierarchy, chunk, grid::ChunkId};
//!
//! # fn main() -> zarrscope::zarr::Result<()> {
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/sample-stores/ocean/packed");
//! # let (hierarchy, target) = Hierarchy::open(path.as_ref())?;
//! # let node = hierarchy.node(&target.node);
//! # let array = node.kind.array().expect("an array");
//! let id = ChunkId::at(vec![1, 2]);
//! let chunk = chunk::load_whole(&*hierarchy.store, &node.path, array, &id, &Budget::default());
//! for stage in &chunk.stages {
//!     println!("{}: {} bytes in", stage.name, stage.input_len);
//! }
//! let values: Vec<i16> = chunk.elements().expect("a chunk without damage").to_vec()?;
//! assert_eq!(values.len(), 37 * 45);
//! # Ok(())
//! # }
//! ```

pub mod array;
pub mod budget;
pub mod byte_order;
pub mod bytes;
pub mod canonical;
pub mod census;
pub mod check;
pub mod chunk;
pub mod codec;
pub mod compare;
pub mod conventions;
pub mod data_type;
pub mod diagnosis;
pub mod digest;
pub mod error;
pub mod figures;
pub mod format;
pub mod grid;
pub mod guide;
pub mod hierarchy;
pub mod json;
pub mod metadata;
pub mod npy;
pub mod plausibility;
pub(crate) mod prelude;
pub mod presence;
pub mod readable;
pub mod readers;
pub mod record;
pub mod runnable;
pub mod scalar;
mod settings;
pub mod signature;
pub mod signs;
pub mod sizes;
pub mod spelling;
pub mod statistics;
pub mod store;
pub mod text;
pub mod what_if;
pub mod words;

pub use array::{Array, ArrayReader};
pub use budget::Budget;
pub use chunk::Chunk;
pub use codec::Registry;
pub use data_type::{ByteOrder, DataType, DataTypes, Endian};
pub use error::{
    Change, Code, Diagnosis, DocumentEdit, Domain, Error, FindingPage, Flagged, Note, Place,
    Problem, Result, Severity,
};
pub use format::Format;
pub use hierarchy::{Hierarchy, Node};
pub use json::Json;
pub use metadata::{ArrayMetadata, GroupMetadata};
pub use scalar::Scalar;
pub use store::NodePath;
pub use what_if::{FixSequence, WhatIf};
