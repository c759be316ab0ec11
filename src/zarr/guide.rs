//! A guide for those who use the library: open a store, read a region, walk findings, register a data type and a codec.
//!
//! Add it without the terminal half: `zarrscope = { version = "0.1", default-features = false }`. Every example below is
//! compiled and run with the tests, on the sample stores of the repository.
//!
//! # Open a store
//!
//! A path is a folder, a `.zip`, a node in one of them, or a folder of stores. The hierarchy reads nodes when they are
//! asked for; [`Target`](super::hierarchy::Target) is the node, and perhaps the chunk, that the path names.
//!
//! ```
//! use zarrscope::zarr::{Hierarchy, NodePath, hierarchy::NodeKind};
//!
//! # fn main() -> zarrscope::zarr::Result<()> {
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/sample-stores/ocean");
//! let (hierarchy, _) = Hierarchy::open(path.as_ref())?;
//! let mut arrays = Vec::new();
//! hierarchy.walk(&NodePath::default(), &mut |node, _depth| {
//!     if let NodeKind::Array(array) = &node.kind {
//!         arrays.push((node.path.0.clone(), array.format));
//!     }
//!     true // go on
//! });
//! assert_eq!(arrays.len(), 9);
//! # Ok(())
//! # }
//! ```
//!
//! Metadata are read as far as they can be understood: each member of [`ArrayMetadata`](super::ArrayMetadata) is a value
//! or the reason why there is none, so that an array with an unknown codec still has a shape and a data type.
//!
//! # Read a region as typed values
//!
//! [`Array`](super::Array) reads across chunks and shards, in C order; chunks that are not stored give the fill
//! value. The type must be that of the data type: `i16` for `int16`, whatever the byte order in the store.
//!
//! ```
//! use zarrscope::zarr::{Array, Code};
//!
//! # fn main() -> zarrscope::zarr::Result<()> {
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/sample-stores/ocean/packed");
//! let array = Array::open(path)?;
//! let region = [20..22, 40..44];
//! let values: Vec<i16> = array.read(&region)?;
//! assert_eq!(values.len(), 8);
//!
//! let wrong = array.read::<f32>(&region).unwrap_err();
//! assert_eq!(wrong.code, Code::OtherDataType);
//! # Ok(())
//! # }
//! ```
//!
//! [`Budget`](super::Budget) bounds what decoding may cost and can stop it. For elements of any data type there are
//! [`Scalar`](super::Scalar)s, which keep exact bits; [`chunk::load_whole`](super::chunk::load_whole) gives one chunk with
//! every stage of its decoding.
//!
//! # Walk the findings
//!
//! [`check`](super::check::check) calls back with each problem as it finds it. Every problem has a
//! [`Code`](super::Code), which stays the same between versions, a place, what was found, what was expected, and a fix
//! where one is known.
//!
//! ```
//! use zarrscope::zarr::{
//!     Budget, Hierarchy, NodePath, Severity,
//!     check::{CheckOptions, Event, check},
//! };
//!
//! # fn main() -> zarrscope::zarr::Result<()> {
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/sample-stores/broken/crc");
//! let (hierarchy, target) = Hierarchy::open(path.as_ref())?;
//! let mut codes = Vec::new();
//! let options = CheckOptions { budget: Budget::default(), ..CheckOptions::default() };
//! let summary = check(&hierarchy, &target.node, &options, &mut |event| {
//!     if let Event::Problem(node, problem) = event
//!         && problem.severity == Severity::Error
//!     {
//!         println!("{}: {}", node.0, problem.error);
//!         codes.push(problem.error.code.to_string());
//!     }
//! });
//! // Why it is so, where that was found, is a problem of its own.
//! assert_eq!(codes, ["checksum-mismatch", "cause"]);
//! assert_eq!(summary.errors, 1);
//! # Ok(())
//! # }
//! ```
//!
//! # Register a codec
//!
//! A codec is a row with what is known of it, a function that reads its configuration, and an implementation of
//! [`Codec`](super::codec::Codec). Registered, every view, `K`, and the other format's document know it. This one
//! combines each byte with a key:
//!
//! ```
//! use std::sync::Arc;
//! use zarrscope::zarr::{
//!     ArrayReader, Budget, Flagged, Hierarchy, NodePath, Registry, Result,
//!     codec::{ByteCount, Codec, CodecKind, CodecRow, Context, Outcome, Setup},
//!     store::MemoryStore,
//! };
//!
//! #[derive(Debug)]
//! struct Xor(u8);
//!
//! static XOR: CodecRow = CodecRow {
//!     v3: &["example.xor"],
//!     members: &["key"],
//!     shown: &["key"],
//!     lesson: "Combines each byte with a key by exclusive or.",
//!     ..CodecRow::new(CodecKind::BytesToBytes, build)
//! };
//!
//! fn build(setup: &Setup) -> Result<Flagged<Arc<dyn Codec>>> {
//!     let said = setup.required("key", setup.number("key")?)?;
//!     let fault = |_| setup.fault("key", said.to_string(), "a number up to 255");
//!     Ok(Flagged::plain(Arc::new(Xor(u8::try_from(said).map_err(fault)?))))
//! }
//!
//! impl Codec for Xor {
//!     fn encoded_size(&self, decoded: ByteCount) -> ByteCount {
//!         decoded
//!     }
//!
//!     fn decode(&self, context: &Context) -> Result<Outcome> {
//!         let bytes = context.input.bytes().here();
//!         Ok(Outcome::bytes(bytes.iter().map(|byte| byte ^ self.0).collect()))
//!     }
//! }
//!
//! # fn main() -> Result<()> {
//! let mut registry = Registry::default();
//! registry.codecs.register(&XOR)?;
//!
//! let mut store = MemoryStore::new("example");
//! store.insert("zarr.json", br#"{"zarr_format": 3, "node_type": "array", "shape": [2],
//!     "data_type": "uint8", "fill_value": 0, "chunk_key_encoding": {"name": "default"},
//!     "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2]}},
//!     "codecs": ["bytes", {"name": "example.xor", "configuration": {"key": 90}}]}"#.to_vec());
//! store.insert("c/0", vec![7 ^ 90, 8 ^ 90]);
//!
//! let hierarchy = Hierarchy::new(Arc::new(store), Arc::new(registry));
//! let node = hierarchy.node(&NodePath::default());
//! let array = node.kind.array().expect("an array");
//! let reader = ArrayReader::new(&*hierarchy.store, &node.path, array)?;
//! let values: Vec<u8> = reader.read_region(&reader.whole(), &Budget::default())?;
//! assert_eq!(values, [7, 8]);
//! # Ok(())
//! # }
//! ```
//!
//! # Register a data type
//!
//! A data type is an implementation of [`DataType`](super::DataType), its values and their forms, and one of
//! [`Family`](super::data_type::Family), which recognises its JSON. `registry.data_types.register(Arc::new(…))` makes it
//! known; [`Hierarchy::open_with`](super::Hierarchy::open_with) takes the registry. The whole of `examples/own_data_type.rs`,
//! temperatures in hundredths of a degree:
//!
//! ```no_run
#![doc = include_str!("../../examples/own_data_type.rs")]
//! ```
