//! Every finding there is: its code, and one line on what it means.

use std::{cmp, fmt};

/// Makes the enum, its texts and its documentation of one table.
macro_rules! codes {
    ($(#[doc = $description:literal] $name:ident = $text:literal,)*) => {
        /// The kind of a finding: what `check --json` prints as `code`, and what control flow matches on.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = concat!("`", $text, "`:", $description)] $name,)*
            /// A finding of a data type or a codec that another program registers: a word of its own in kebab case.
            Other(&'static str),
        }

        impl Code {
            /// Every code of the library, in alphabetical order.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The word in kebab case, such as `chunk-truncated`. It does not change between versions.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                    Self::Other(text) => text,
                }
            }

            /// One line on what the finding is; empty for a code of another program.
            #[must_use]
            pub const fn description(self) -> &'static str {
                match self {
                    $(Self::$name => $description.trim_ascii(),)*
                    Self::Other(_) => "",
                }
            }
        }
    };
}

codes! {
    /// A name that a second codec was to be registered for.
    AmbiguousCodec = "ambiguous-codec",
    /// A data type that several registered families read, so that none can be chosen.
    AmbiguousDataType = "ambiguous-data-type",
    /// Attributes that are not a JSON object.
    Attributes = "attributes",
    /// A V3 data type name as a V2 dtype.
    BareExtensionName = "bare-extension-name",
    /// A bare `NaN` or `Infinity` token, which is not JSON.
    BareNan = "bare-nan",
    /// A bare `NaN` or `Infinity` in attributes, which becomes a string in the other format.
    BareNumber = "bare-number",
    /// White space within base64 text, which is ignored.
    Base64Space = "base64-space",
    /// A codec after the compressor, which V2 can only write among the filters.
    BehindTheCompressor = "behind-the-compressor",
    /// A node with documents of both formats.
    BothFormats = "both-formats",
    /// Values that look byte-swapped under the declared byte order.
    ByteOrder = "byte-order",
    /// A byte order given beside a V2 dtype that declares another.
    ByteOrderContradicted = "byte-order-contradicted",
    /// A byte order mark before the JSON text.
    ByteOrderMark = "byte-order-mark",
    /// A fill value of bytes written as an array of integers.
    BytesAsIntegers = "bytes-as-integers",
    /// A file that could not be written.
    CannotWrite = "cannot-write",
    /// A plain value that the data type cannot hold.
    Cast = "cast",
    /// A stored checksum that differs from the one computed from the bytes.
    ChecksumMismatch = "checksum-mismatch",
    /// A chunk file that was written to while it was read.
    ChunkChanged = "chunk-changed",
    /// Stored bytes that a codec cannot decode.
    ChunkCorrupt = "chunk-corrupt",
    /// A folder under the key of a chunk.
    ChunkIsFolder = "chunk-is-folder",
    /// Chunk keys that the two formats write differently.
    ChunkKey = "chunk-key",
    /// A chunk length of 0.
    ChunkLengthZero = "chunk-length-zero",
    /// A chunk that is not stored.
    ChunkMissing = "chunk-missing",
    /// A chunk outside the chunk grid.
    ChunkOutside = "chunk-outside",
    /// A chunk file that became shorter while it was read.
    ChunkShrunk = "chunk-shrunk",
    /// A chunk with more bytes than data type and shape demand.
    ChunkTooLong = "chunk-too-long",
    /// A chunk with fewer bytes than data type and shape demand.
    ChunkTruncated = "chunk-truncated",
    /// A chunk without elements after the last codec.
    ChunkUndecoded = "chunk-undecoded",
    /// A chunk file that was removed while it was read.
    ChunkVanished = "chunk-vanished",
    /// A chunk whose number of elements differs from its shape.
    ChunkWrongCount = "chunk-wrong-count",
    /// Chunks that are not stored and read as the fill value.
    ChunksMissing = "chunks-missing",
    /// An edge chunk cut at the array's edge instead of padded to the full size.
    ClippedChunk = "clipped-chunk",
    /// A codec whose configuration cannot be used.
    CodecConfiguration = "codec-configuration",
    /// A codec that does not take elements of this data type.
    CodecDataType = "codec-data-type",
    /// A field of a codec's header that contradicts the metadata.
    CodecHeader = "codec-header",
    /// A codec that the other format does not have.
    CodecLost = "codec-lost",
    /// A codec without a decoder in zarrscope.
    CodecNotDecoded = "codec-not-decoded",
    /// A codec that zarrscope decodes and cannot encode with.
    CodecNotEncoded = "codec-not-encoded",
    /// A codec at a place of the pipeline where it cannot be.
    CodecOrder = "codec-order",
    /// Chunks that other codecs than the declared ones made.
    CodecsDisagree = "codecs-disagree",
    /// A level of compression that the format does not have; decoding asks for none.
    CompressionLevel = "compression-level",
    /// Consolidated metadata that cannot be read.
    Consolidated = "consolidated",
    /// A copy in the consolidated metadata that differs from the document itself.
    ConsolidatedDiffers = "consolidated-differs",
    /// A node without a copy in the consolidated metadata.
    ConsolidatedMissing = "consolidated-missing",
    /// A node in the consolidated metadata that is not in the store.
    ConsolidatedOnly = "consolidated-only",
    /// A core data type written as an object, where the V3 specification has a plain name.
    CoreTypeAsObject = "core-type-as-object",
    /// A `crc32c` codec with a location, which the registered codec does not have.
    Crc32cLocation = "crc32c-location",
    /// A chunk key that is listed and cannot be opened.
    DanglingChunk = "dangling-chunk",
    /// A metadata document that is a link to nothing.
    DanglingDocument = "dangling-document",
    /// A data type whose configuration cannot be used.
    DataTypeConfiguration = "data-type-configuration",
    /// A member that a data type object may not have.
    DataTypeMember = "data-type-member",
    /// A data type that zarrscope does not read.
    DataTypeNotRead = "data-type-not-read",
    /// A chunk that decodes to more bytes than the limit.
    DecodedTooLarge = "decoded-too-large",
    /// A struct with structs nested deeply in its fields.
    DeepStruct = "deep-struct",
    /// A delta filter of booleans, whose differences programs undo in two ways.
    DeltaOfBool = "delta-of-bool",
    /// Dimension names that are not one string or null for each dimension.
    DimensionNames = "dimension-names",
    /// A fill value that differs when it is rounded by way of float64.
    DoubleRounding = "double-rounding",
    /// A V2 dtype of several bytes without a byte order.
    DtypeByteOrder = "dtype-byte-order",
    /// A dtype with a size that its type cannot have.
    DtypeSize = "dtype-size",
    /// A key that occurs twice in one JSON object.
    DuplicateKey = "duplicate-key",
    /// Bytes that are not as long as one element.
    ElementSize = "element-size",
    /// An array without elements.
    EmptyArray = "empty-array",
    /// A struct field without a name.
    EmptyFieldName = "empty-field-name",
    /// An empty list of filters, where V2 has null.
    EmptyFilters = "empty-filters",
    /// A codec that does not say endian for a legacy struct, where that means little.
    EndianByText = "endian-by-text",
    /// A `bytes` codec without `endian`: little-endian is a guess.
    EndianGuessed = "endian-guessed",
    /// A member of a V2 document that the specification does not have.
    ExtraField = "extra-field",
    /// A fill value that is not valid base64.
    FillValueBase64 = "fill-value-base64",
    /// A fill value of a struct with a field missing or unknown.
    FillValueField = "fill-value-field",
    /// A fill value with more or fewer bytes than the data type.
    FillValueLength = "fill-value-length",
    /// A document without a fill value.
    FillValueMissing = "fill-value-missing",
    /// A fill value outside the range of the data type.
    FillValueRange = "fill-value-range",
    /// A fill value of a JSON type that the data type does not take.
    FillValueType = "fill-value-type",
    /// A file or folder that belongs to no node, chunk or document.
    ForeignFile = "foreign-file",
    /// A scalar of another data type.
    ForeignScalar = "foreign-scalar",
    /// A scale of generic time units, which V2 cannot write.
    GenericScale = "generic-scale",
    /// A datetime or timedelta without a real unit.
    GenericUnit = "generic-unit",
    /// A rectilinear chunk grid, which V2 cannot write.
    GridLost = "grid-lost",
    /// A rectilinear chunk grid that does not cover the array.
    GridTooShort = "grid-too-short",
    /// A shard index of which only the first entries are listed.
    IndexCut = "index-cut",
    /// A shard index found at another place than declared.
    IndexElsewhere = "index-elsewhere",
    /// A shard index without a checksum.
    IndexWithoutChecksum = "index-without-checksum",
    /// An inner chunk that the shard does not store.
    InnerChunkEmpty = "inner-chunk-empty",
    /// A file to be written inside a store, where zarrscope never writes.
    InsideTheStore = "inside-the-store",
    /// Text that is not JSON.
    InvalidJson = "invalid-json",
    /// A length that is not an integer of 0 or more.
    InvalidLength = "invalid-length",
    /// A memory order other than C and F.
    InvalidOrder = "invalid-order",
    /// A dimension separator other than `.` and `/`.
    InvalidSeparator = "invalid-separator",
    /// A file or folder that the operating system could not read.
    Io = "io",
    /// A size in a V2 dtype with a leading zero.
    LeadingZero = "leading-zero",
    /// A folder that a link leads to again; it is looked at once.
    LinkedFolder = "linked-folder",
    /// Stored bytes that look like the work of another codec, or of none.
    LooksLike = "looks-like",
    /// A codec that is not an object with a name.
    MalformedCodec = "malformed-codec",
    /// A grid, key encoding or other extension point that is not a name or an object with one.
    MalformedExtension = "malformed-extension",
    /// An entry of a rectilinear chunk grid that is not a length or a run of lengths.
    MalformedRun = "malformed-run",
    /// A folder of chunk files without the document of their array.
    MetadataMissing = "metadata-missing",
    /// The fill value `-0`, whose sign is lost where JSON integers have none.
    MinusZero = "minus-zero",
    /// A member that the document must have.
    MissingField = "missing-field",
    /// A codec's name in the wrong case.
    MisspelledCodec = "misspelled-codec",
    /// A `must_understand` that is not true, or that is given where nothing needs it.
    MustUnderstand = "must-understand",
    /// Names of nodes that differ in case only.
    NameCase = "name-case",
    /// A NaN whose sign and payload are lost on the way.
    NanPayload = "nan-payload",
    /// A byte order on single bytes, which have none.
    NeedlessByteOrder = "needless-byte-order",
    /// An object codec beside a dtype other than `|O`.
    NeedlessObjectCodec = "needless-object-codec",
    /// A struct in a V2 struct.
    NestedStruct = "nested-struct",
    /// A value or a node nested deeper than zarrscope goes.
    NestedTooDeep = "nested-too-deep",
    /// A path with no array at it or below it.
    NoArray = "no-array",
    /// A command on a chunk without the chunk's key.
    NoChunkNamed = "no-chunk-named",
    /// Elements wanted of a stage or a chunk that has none.
    NoElements = "no-elements",
    /// Memory that the operating system did not give.
    NoMemory = "no-memory",
    /// A negative zero of a data type that does not have one.
    NoNegativeZero = "no-negative-zero",
    /// A place in the hierarchy without a node.
    NoNode = "no-node",
    /// A search by `<` or `>` among values without an order.
    NoOrder = "no-order",
    /// A struct with subarrays, which V3 does not have.
    NoSubarrays = "no-subarrays",
    /// A name that is no chunk of the array, or no inner chunk of the shard.
    NoSuchChunk = "no-such-chunk",
    /// A search in a struct by a field that it does not have.
    NoSuchField = "no-such-field",
    /// A place that is not in the store.
    NoSuchPlace = "no-such-place",
    /// A data type that V2 cannot write.
    NoV2Form = "no-v2-form",
    /// A data type that V3 cannot write.
    NoV3Form = "no-v3-form",
    /// A `node_type` other than the one that the document needs.
    NodeType = "node-type",
    /// A file that is not a chunk of the array around it.
    NotAChunk = "not-a-chunk",
    /// A place with something other than a file or folder.
    NotAFile = "not-a-file",
    /// A shape or chunk shape that is not a list.
    NotAList = "not-a-list",
    /// A search by `<` or `>` for something other than a number.
    NotANumber = "not-a-number",
    /// A path that is not a Zarr store.
    NotAStore = "not-a-store",
    /// A file that is not a readable zip archive.
    NotAZip = "not-a-zip",
    /// A node that is not an array, where a command needs one.
    NotAnArray = "not-an-array",
    /// A document that is not a JSON object.
    NotAnObject = "not-an-object",
    /// A path in a zip archive without anything at it.
    NotFound = "not-found",
    /// A search for bytes by something other than hex digits.
    NotHex = "not-hex",
    /// A value that JSON cannot hold.
    NotJson = "not-json",
    /// Bytes of which only a part is in memory, where all are needed.
    NotLoaded = "not-loaded",
    /// Code units that are not Unicode characters.
    NotUnicode = "not-unicode",
    /// Text that is not UTF-8.
    NotUtf8 = "not-utf-8",
    /// The V2 fill value `null`, which V3 cannot write.
    NullFill = "null-fill",
    /// The dimension separator `null`, which is read as `.`.
    NullSeparator = "null-separator",
    /// A codec of numcodecs under its name for V3.
    NumcodecsName = "numcodecs-name",
    /// A NumPy list of fields that cannot be parsed.
    NumpyLiteral = "numpy-literal",
    /// The dtype `|O`, which is not in the V2 specification.
    ObjectDtype = "object-dtype",
    /// Fields of the legacy `structured` written as objects, which are those of `struct`.
    ObjectFields = "object-fields",
    /// A fill value in the form of the registered `struct` beside the legacy name.
    ObjectFill = "object-fill",
    /// A codec under the name it had before V3 was accepted.
    OldCodecName = "old-codec-name",
    /// A stored chunk outside the chunk grid.
    OrphanChunk = "orphan-chunk",
    /// Bytes that match another checksum than the declared one.
    OtherChecksum = "other-checksum",
    /// Elements read as a type that they are not.
    OtherDataType = "other-data-type",
    /// A region that reaches outside the array.
    OutsideTheArray = "outside-the-array",
    /// A `scale_factor` or `add_offset` that is no number, so that it is not applied.
    PackingNotNumber = "packing-not-number",
    /// A fault of zarrscope itself.
    Panic = "panic",
    /// A PATH or an option before the name of the command.
    PathBeforeCommand = "path-before-command",
    /// A struct whose fields have different byte orders, which V3 cannot write.
    PerFieldOrder = "per-field-order",
    /// Pickled Python objects, which are never decoded.
    PickleRefused = "pickle-refused",
    /// A NumPy name of an integer whose width depends on the platform.
    PlatformWidth = "platform-width",
    /// A number that `float8_e8m0fnu` rounds to a power of two.
    PowerOfTwo = "power-of-two",
    /// A chunk shape with more or fewer dimensions than the shape.
    RankMismatch = "rank-mismatch",
    /// A fill value of raw bytes written as an array with one integer for each byte.
    RawFillLength = "raw-fill-length",
    /// A raw data type whose number of bits is not a multiple of 8.
    RawSize = "raw-size",
    /// Several zstd frames in one chunk.
    SeveralFrames = "several-frames",
    /// Several gzip members in one chunk.
    SeveralMembers = "several-members",
    /// Several bzip2 or xz streams in one chunk.
    SeveralStreams = "several-streams",
    /// A shape whose size in bytes does not fit 64 bits.
    ShapeTooLarge = "shape-too-large",
    /// A chunk file without metadata whose shape cannot be guessed.
    ShapeUnknown = "shape-unknown",
    /// Bytes of a shard that belong to no inner chunk.
    ShardGaps = "shard-gaps",
    /// An entry of a shard index that points outside the shard.
    ShardIndex = "shard-index",
    /// The number of inner chunks of a shard.
    ShardOverview = "shard-overview",
    /// A shard too short for its index.
    ShardTruncated = "shard-truncated",
    /// Shards, which V2 does not have.
    ShardsLost = "shards-lost",
    /// A codec written as a mere name, without an object.
    ShortHandCodec = "short-hand-codec",
    /// Bytes after the last whole element of a shuffle, which are not shuffled.
    ShuffleRest = "shuffle-rest",
    /// A shuffle by another size than that of the elements.
    ShuffleSize = "shuffle-size",
    /// A shuffle by size 0, which programs read in two ways.
    ShuffleSizeZero = "shuffle-size-zero",
    /// Work that was stopped on request.
    Stopped = "stopped",
    /// A storage transformer, which zarrscope cannot undo.
    StorageTransformer = "storage-transformer",
    /// A struct whose fields cannot be used.
    StructFields = "struct-fields",
    /// A struct or subarray of a size that no element can have.
    StructSize = "struct-size",
    /// A struct field with a shape.
    Subarray = "subarray",
    /// A fill value of a datetime or timedelta in a form that V2 does not specify.
    TemporalFill = "temporal-fill",
    /// A fill value of text longer than the data type, which is cut.
    TextCut = "text-cut",
    /// A fill value in a form that the specification forbids, and that is read all the same.
    TextForbids = "text-forbids",
    /// A unit of datetimes or timedeltas that does not exist.
    TimeUnit = "time-unit",
    /// A file larger than the limit.
    TooLarge = "too-large",
    /// A value too long to be written.
    TooLong = "too-long",
    /// Bytes after the end of the compressed data, which decoders ignore.
    TrailingBytes = "trailing-bytes",
    /// A permutation of the dimensions that V2 cannot write.
    TransposeLost = "transpose-lost",
    /// A `transpose` order written as `C` or `F`, which was withdrawn.
    TransposeWord = "transpose-word",
    /// A blosc codec of V3 that shuffles without a `typesize`.
    TypeSizeMissing = "type-size-missing",
    /// A boolean byte other than 0 and 1.
    UndefinedBool = "undefined-bool",
    /// An array codec without the data type and shape of its array.
    UnknownArray = "unknown-array",
    /// A word that names no chunk of the array.
    UnknownChunk = "unknown-chunk",
    /// A chunk grid other than regular and rectilinear.
    UnknownChunkGrid = "unknown-chunk-grid",
    /// A chunk key encoding other than `default` and `v2`.
    UnknownChunkKeyEncoding = "unknown-chunk-key-encoding",
    /// A codec that zarrscope does not know.
    UnknownCodec = "unknown-codec",
    /// A member in a codec's configuration that its schema does not have.
    UnknownCodecMember = "unknown-codec-member",
    /// A data type that no registered family reads.
    UnknownDataType = "unknown-data-type",
    /// A key name that scripts of keys do not have.
    UnknownKey = "unknown-key",
    /// A member of a V3 document that the specification does not have.
    UnknownMember = "unknown-member",
    /// A file name whose ending names no kind of picture.
    UnknownPicture = "unknown-picture",
    /// A stage that the chunk does not have.
    UnknownStage = "unknown-stage",
    /// A registered data type that the named zarr-python does not read.
    UnknownToZarrPython = "unknown-to-zarr-python",
    /// A dimension without a name.
    UnnamedDimension = "unnamed-dimension",
    /// A V3 codec under a name that is not registered.
    UnregisteredCodec = "unregistered-codec",
    /// A chunk grid or chunk key encoding that no registry has.
    UnregisteredExtension = "unregistered-extension",
    /// A V3 data type under a name that is not registered.
    UnregisteredName = "unregistered-name",
    /// Upper-case hexadecimal digits in a fill value.
    UpperCaseHex = "upper-case-hex",
    /// A codec under a URI that no document defines.
    UriCodecName = "uri-codec-name",
    /// A V3 codec configured as V2 does it.
    V2Configuration = "v2-configuration",
    /// A fill value in a form that the V2 specification does not mention.
    V2Silent = "v2-silent",
    /// Elements of variable length, where one size is needed.
    VariableLength = "variable-length",
    /// A whole number written as a fraction, such as `2.0`.
    WholeNumberAsFraction = "whole-number-as-fraction",
    /// The result of decoding without the checksum.
    WithoutChecksum = "without-checksum",
    /// Chunks stored under the keys of another chunk key encoding.
    WrongChunkKeys = "wrong-chunk-keys",
    /// A `zarr_format` other than the one that the document needs.
    ZarrFormat = "zarr-format",
    /// A data type for which zarr-python has another name.
    ZarrPythonName = "zarr-python-name",
    /// The fill value 0 of a data type of text.
    ZeroForNone = "zero-for-none",
    /// A zip member whose CRC-32 differs from the archive's.
    ZipChecksum = "zip-checksum",
    /// A zip archive in a zip archive: nothing in it is looked at.
    ZipInZip = "zip-in-zip",
    /// A zip member that cannot be read.
    ZipMember = "zip-member",
    /// A zip member that is encrypted, or compressed by a method that zarrscope does not decode.
    ZipMethod = "zip-method",
    /// A zip member whose name is no key of a store, so that no reader sees it.
    ZipName = "zip-name",
    /// A zip member with fewer bytes than the archive promises.
    ZipTruncated = "zip-truncated",
    /// A zip member of which only a part was read, so that its CRC-32 was not checked.
    ZipUnchecked = "zip-unchecked",
}

impl Code {
    /// True if it tells what zarrscope lacks or refuses to do, which is no fault of the store.
    #[must_use]
    pub const fn is_limit(self) -> bool {
        use Code::{
            CodecNotDecoded, CodecNotEncoded, DataTypeNotRead, NestedTooDeep, NoMemory,
            PickleRefused, StorageTransformer, TooLarge, UnknownChunkGrid, UnknownChunkKeyEncoding,
            UnknownCodec, ZipMethod,
        };
        matches!(
            self,
            CodecNotDecoded
                | CodecNotEncoded
                | DataTypeNotRead
                | NestedTooDeep
                | NoMemory
                | PickleRefused
                | StorageTransformer
                | TooLarge
                | UnknownChunkGrid
                | UnknownChunkKeyEncoding
                | UnknownCodec
                | ZipMethod
        )
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl Ord for Code {
    fn cmp(&self, other: &Self) -> cmp::Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl PartialOrd for Code {
    fn partial_cmp(&self, other: &Self) -> Option<cmp::Ordering> {
        Some(self.cmp(other))
    }
}
