//! Every finding: its code, and one line on what it means.

use std::{cmp, fmt};

/// Makes the enum, its codes and its documentation from one table.
macro_rules! codes {
    ($(#[doc = $description:literal] $name:ident = $text:literal,)*) => {
        /// The kind of a finding: `check --json` prints it as `code`, and control flow matches on it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = concat!("`", $text, "`:", $description)] $name,)*
            /// A finding of a data type or codec that a user of the library registers: its own code in kebab case.
            Other(&'static str),
        }

        impl Code {
            /// Every code of the library, in alphabetical order.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The code in kebab case, such as `chunk-truncated`. It does not change between versions.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                    Self::Other(text) => text,
                }
            }

            /// One line on what the finding means; empty for [`Self::Other`].
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
    /// A server that gives no access, or on some stores has no such key.
    AccessDenied = "access-denied",
    /// A codec name that is already registered.
    AmbiguousCodec = "ambiguous-codec",
    /// A data type that several registered families accept, so none can be chosen.
    AmbiguousDataType = "ambiguous-data-type",
    /// AnnData codes without a category.
    AnndataCategories = "anndata-categories",
    /// A column of an AnnData table that is missing, or a table without a list of its columns.
    AnndataColumn = "anndata-column",
    /// A part of an AnnData with another length than its observations or variables.
    AnndataLength = "anndata-length",
    /// Parts of a sparse matrix of AnnData that do not fit together.
    AnndataSparse = "anndata-sparse",
    /// Attributes that are not a JSON object.
    Attributes = "attributes",
    /// A V3 data type name used as a V2 dtype.
    BareExtensionName = "bare-extension-name",
    /// A bare `NaN` or `Infinity` token, which is not JSON.
    BareNan = "bare-nan",
    /// A bare `NaN` or `Infinity` in attributes, which becomes a string in the other format.
    BareNumber = "bare-number",
    /// Whitespace inside base64, which is ignored.
    Base64Space = "base64-space",
    /// A codec after the compressor, which V2 can only write among the filters.
    BehindTheCompressor = "behind-the-compressor",
    /// A node with metadata documents in both formats.
    BothFormats = "both-formats",
    /// Values that look byte-swapped under the declared byte order.
    ByteOrder = "byte-order",
    /// A byte order given beside a V2 dtype that declares another.
    ByteOrderContradicted = "byte-order-contradicted",
    /// A byte order mark before the JSON.
    ByteOrderMark = "byte-order-mark",
    /// A fill value of bytes written as an array of integers.
    BytesAsIntegers = "bytes-as-integers",
    /// A store that gives what it is asked for, but cannot list what is in it.
    CannotList = "cannot-list",
    /// A file that could not be written.
    CannotWrite = "cannot-write",
    /// A plain value that the data type cannot hold.
    Cast = "cast",
    /// The certain or most likely cause of the problems of an array.
    Cause = "cause",
    /// A `calendar` that xarray does not support.
    CfCalendar = "cf-calendar",
    /// A time coordinate with missing values.
    CfCoordinateMissing = "cf-coordinate-missing",
    /// A time coordinate that repeats a value or changes direction.
    CfCoordinateOrder = "cf-coordinate-order",
    /// A dimension name that an array uses twice.
    CfDimensionRepeated = "cf-dimension-repeated",
    /// A dimension that has different sizes in the arrays of one group.
    CfDimensionSize = "cf-dimension-size",
    /// An array without dimension names in a group of variables.
    CfDimensionsMissing = "cf-dimensions-missing",
    /// A `_FillValue` or `missing_value` that xarray cannot decode or does not use.
    CfFillValue = "cf-fill-value",
    /// A value that `flag_values` does not name.
    CfFlags = "cf-flags",
    /// A number that is written for missing values, such as -9999, and that no attribute marks as missing.
    CfMark = "cf-mark",
    /// A `scale_factor` that is 0 or not a finite number, or an `add_offset` that is not a finite number.
    CfPacking = "cf-packing",
    /// An attribute that names a variable which is not in the store.
    CfReference = "cf-reference",
    /// Units of time that xarray cannot decode.
    CfTimeUnits = "cf-time-units",
    /// Numbers that are usual for a quantity in another unit than the declared one.
    CfUnits = "cf-units",
    /// Numbers past the range that attributes declare: latitudes beyond the poles, values outside of `valid_range`.
    CfValueRange = "cf-value-range",
    /// A stored checksum that differs from the one computed from the bytes.
    ChecksumMismatch = "checksum-mismatch",
    /// A chunk file that was written to while it was read.
    ChunkChanged = "chunk-changed",
    /// Stored bytes that a codec cannot decode.
    ChunkCorrupt = "chunk-corrupt",
    /// A folder where a chunk file belongs.
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
    /// A chunk with more bytes than its data type and shape require.
    ChunkTooLong = "chunk-too-long",
    /// A chunk with fewer bytes than its data type and shape require.
    ChunkTruncated = "chunk-truncated",
    /// A chunk that did not decode to elements.
    ChunkUndecoded = "chunk-undecoded",
    /// A chunk file that was removed while it was read.
    ChunkVanished = "chunk-vanished",
    /// A chunk whose number of elements does not match its shape.
    ChunkWrongCount = "chunk-wrong-count",
    /// Chunks that are not stored and read as the fill value.
    ChunksMissing = "chunks-missing",
    /// An edge chunk cut at the array's edge instead of padded to the full size.
    ClippedChunk = "clipped-chunk",
    /// A codec whose configuration cannot be used.
    CodecConfiguration = "codec-configuration",
    /// A codec that does not accept this data type.
    CodecDataType = "codec-data-type",
    /// A field of a codec's header that contradicts the metadata.
    CodecHeader = "codec-header",
    /// A codec that the other format does not have.
    CodecLost = "codec-lost",
    /// A codec that zarrscope decodes but cannot encode.
    CodecNotEncoded = "codec-not-encoded",
    /// A codec in an invalid position in the codec pipeline.
    CodecOrder = "codec-order",
    /// Chunks encoded with codecs other than the declared ones.
    CodecsDisagree = "codecs-disagree",
    /// A compression level outside the codec's range; decoding does not use it.
    CompressionLevel = "compression-level",
    /// Consolidated metadata that cannot be read.
    Consolidated = "consolidated",
    /// A copy in the consolidated metadata that differs from the document itself.
    ConsolidatedDiffers = "consolidated-differs",
    /// A node without a copy in the consolidated metadata.
    ConsolidatedMissing = "consolidated-missing",
    /// A node in the consolidated metadata that is not in the store.
    ConsolidatedOnly = "consolidated-only",
    /// A core data type written as an object, where the V3 specification uses a plain name.
    CoreTypeAsObject = "core-type-as-object",
    /// A `crc32c` codec with a `location`, which the registered codec does not have.
    Crc32cLocation = "crc32c-location",
    /// A chunk key that is listed but cannot be opened.
    DanglingChunk = "dangling-chunk",
    /// A metadata document that is a broken link.
    DanglingDocument = "dangling-document",
    /// A data type whose configuration cannot be used.
    DataTypeConfiguration = "data-type-configuration",
    /// A member that is not allowed in a data type object.
    DataTypeMember = "data-type-member",
    /// A data type that zarrscope does not read.
    DataTypeNotRead = "data-type-not-read",
    /// A chunk that decodes to more bytes than the limit.
    DecodedTooLarge = "decoded-too-large",
    /// A struct with structs nested deeply in its fields.
    DeepStruct = "deep-struct",
    /// A delta filter on booleans, which programs decode in two ways.
    DeltaOfBool = "delta-of-bool",
    /// Dimension names that are not one string or null per dimension.
    DimensionNames = "dimension-names",
    /// A fill value that changes if it is rounded to float64 first.
    DoubleRounding = "double-rounding",
    /// A multi-byte V2 dtype without a byte order.
    DtypeByteOrder = "dtype-byte-order",
    /// A size that this kind of dtype does not have.
    DtypeSize = "dtype-size",
    /// A key that appears twice in one JSON object.
    DuplicateKey = "duplicate-key",
    /// Bytes whose length is not that of one element.
    ElementSize = "element-size",
    /// An array without elements.
    EmptyArray = "empty-array",
    /// A struct field without a name.
    EmptyFieldName = "empty-field-name",
    /// An empty list of filters, where V2 has null.
    EmptyFilters = "empty-filters",
    /// A `bytes` codec without `endian` for the legacy `structured` data type, where that means little-endian.
    EndianBySpec = "endian-by-spec",
    /// A `bytes` codec without `endian`: little-endian is a guess.
    EndianGuessed = "endian-guessed",
    /// A member that the V2 specification does not define.
    ExtraField = "extra-field",
    /// A fill value that is not valid base64.
    FillValueBase64 = "fill-value-base64",
    /// A struct fill value with a missing or unknown field.
    FillValueField = "fill-value-field",
    /// A fill value with more or fewer bytes than the data type.
    FillValueLength = "fill-value-length",
    /// A document without a fill value.
    FillValueMissing = "fill-value-missing",
    /// A fill value outside the range of the data type.
    FillValueRange = "fill-value-range",
    /// A fill value of a JSON type that the data type does not accept.
    FillValueType = "fill-value-type",
    /// A file or folder that belongs to no node, chunk or metadata document.
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
    /// A folder inside a group that holds nodes and has no document of its own.
    GroupMissing = "group-missing",
    /// A shard index of which only the first entries are listed.
    IndexCut = "index-cut",
    /// A shard index in a place other than the declared one.
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
    /// A setting of a what-if that cannot be understood.
    InvalidSetting = "invalid-setting",
    /// A file or folder that the operating system could not read.
    Io = "io",
    /// A size in a V2 dtype with a leading zero.
    LeadingZero = "leading-zero",
    /// A link that leads out of the store.
    LinkOutside = "link-outside",
    /// A folder reached again through a link; it is read once.
    LinkedFolder = "linked-folder",
    /// Stored bytes that look like the output of another codec, or of none.
    LooksLike = "looks-like",
    /// Filters in the configuration of `lzma` where numcodecs refuses them.
    LzmaFilters = "lzma-filters",
    /// A codec that is not an object with a name.
    MalformedCodec = "malformed-codec",
    /// A chunk grid, key encoding or other extension point that is neither a name nor an object with a name.
    MalformedExtension = "malformed-extension",
    /// An entry of a rectilinear chunk grid that is not a length or a run of lengths.
    MalformedRun = "malformed-run",
    /// Values that xarray reads as missing, because they equal the fill value of a V2 array.
    MaskedFill = "masked-fill",
    /// A folder of chunk files without the metadata of their array.
    MetadataMissing = "metadata-missing",
    /// The fill value `-0`, whose sign is lost where JSON integers have none.
    MinusZero = "minus-zero",
    /// A required member that is missing.
    MissingField = "missing-field",
    /// A codec's name in the wrong case.
    MisspelledCodec = "misspelled-codec",
    /// A `must_understand` that is not true, or that is not needed.
    MustUnderstand = "must-understand",
    /// Names of nodes that differ in case only.
    NameCase = "name-case",
    /// A NaN whose sign or payload is lost.
    NanPayload = "nan-payload",
    /// A byte order on single bytes, which have none.
    NeedlessByteOrder = "needless-byte-order",
    /// An object codec beside a dtype other than `|O`.
    NeedlessObjectCodec = "needless-object-codec",
    /// A struct in a V2 struct.
    NestedStruct = "nested-struct",
    /// A value or a node nested deeper than zarrscope reads.
    NestedTooDeep = "nested-too-deep",
    /// The network or a server failed before it gave an answer; it says nothing of the store.
    Network = "network",
    /// A path without an array at it or below it.
    NoArray = "no-array",
    /// A chunk command without a chunk key.
    NoChunkNamed = "no-chunk-named",
    /// A request for the elements of a stage or chunk that has none.
    NoElements = "no-elements",
    /// Memory that the operating system did not provide.
    NoMemory = "no-memory",
    /// A negative zero in a data type that has none.
    NoNegativeZero = "no-negative-zero",
    /// A place in the hierarchy without a node.
    NoNode = "no-node",
    /// A search by `<` or `>` among values that have no order.
    NoOrder = "no-order",
    /// A struct with subarrays, which V3 does not have.
    NoSubarrays = "no-subarrays",
    /// A name that is not a chunk of the array, or not an inner chunk of the shard.
    NoSuchChunk = "no-such-chunk",
    /// A search by a field that the struct does not have.
    NoSuchField = "no-such-field",
    /// A lesson that does not exist, or a file that is not a lesson.
    NoSuchLesson = "no-such-lesson",
    /// A place that is not in the store.
    NoSuchPlace = "no-such-place",
    /// A data type that V2 cannot write.
    NoV2Form = "no-v2-form",
    /// A data type that V3 cannot write.
    NoV3Form = "no-v3-form",
    /// A node whose name the specification forbids.
    NodeName = "node-name",
    /// A `node_type` other than the one that the document needs.
    NodeType = "node-type",
    /// A file that is not a chunk of the array around it.
    NotAChunk = "not-a-chunk",
    /// A place with something other than a file or folder.
    NotAFile = "not-a-file",
    /// A shape or chunk shape that is not a list.
    NotAList = "not-a-list",
    /// A search by `<` or `>`, or `export --physical`, for something that is not a number.
    NotANumber = "not-a-number",
    /// A path that is not a Zarr store.
    NotAStore = "not-a-store",
    /// A file that is not a readable zip archive.
    NotAZip = "not-a-zip",
    /// A node that is not an array, where a command needs one.
    NotAnArray = "not-an-array",
    /// A document that is not a JSON object.
    NotAnObject = "not-an-object",
    /// Two arrays whose values cannot be compared, by their shapes or data types.
    NotComparable = "not-comparable",
    /// A path in a zip archive with nothing at it.
    NotFound = "not-found",
    /// A search for bytes written as something other than hex digits.
    NotHex = "not-hex",
    /// A value that JSON cannot hold.
    NotJson = "not-json",
    /// Bytes of which only a part is in memory, where all are required.
    NotLoaded = "not-loaded",
    /// Code units that are not Unicode characters.
    NotUnicode = "not-unicode",
    /// Text that is not UTF-8.
    NotUtf8 = "not-utf-8",
    /// The V2 fill value `null`, which V3 cannot write.
    NullFill = "null-fill",
    /// The dimension separator `null`, which is read as `.`.
    NullSeparator = "null-separator",
    /// A numcodecs codec under its V3 name.
    NumcodecsName = "numcodecs-name",
    /// A NumPy list of fields that cannot be parsed.
    NumpyLiteral = "numpy-literal",
    /// The dtype `|O`, which is not in the V2 specification.
    ObjectDtype = "object-dtype",
    /// Fields of the legacy `structured` written as objects, as `struct` has them.
    ObjectFields = "object-fields",
    /// A fill value of the legacy `structured` written as an object, as `struct` has it.
    ObjectFill = "object-fill",
    /// A codec under the name it had before V3 was accepted.
    OldCodecName = "old-codec-name",
    /// Image axes in a number or order that OME-Zarr forbids, or that do not match the dimensions of the arrays.
    OmeAxes = "ome-axes",
    /// An image array whose dimension names differ from the names of the axes.
    OmeDimensionNames = "ome-dimension-names",
    /// OME-Zarr metadata in a Zarr format that their version does not use.
    OmeFormat = "ome-format",
    /// Label images that are not of an integer data type, or do not match their source image.
    OmeLabel = "ome-label",
    /// A member of OME-Zarr metadata that is missing or malformed.
    OmeMember = "ome-member",
    /// A path in OME-Zarr metadata that leads to no node, or to one of the wrong kind.
    OmePath = "ome-path",
    /// A well, or an image of a well, that does not match the metadata of its plate.
    OmePlate = "ome-plate",
    /// Resolution levels of an image that are not ordered from the largest to the smallest, or missing from their list.
    OmeResolutions = "ome-resolutions",
    /// Coordinate transformations that do not match the axes or the shapes of the levels, or that OME-Zarr forbids.
    OmeTransformations = "ome-transformations",
    /// A version of OME-Zarr that is missing or malformed, or differs from that of the group around it.
    OmeVersion = "ome-version",
    /// A version of OME-Zarr that zarrscope does not check.
    OmeVersionNotChecked = "ome-version-not-checked",
    /// A stored chunk outside the chunk grid.
    OrphanChunk = "orphan-chunk",
    /// Bytes that match another checksum than the declared one.
    OtherChecksum = "other-checksum",
    /// Elements read as a data type other than their own.
    OtherDataType = "other-data-type",
    /// A region that reaches outside the array.
    OutsideTheArray = "outside-the-array",
    /// A bug in zarrscope.
    Panic = "panic",
    /// A part file that cannot be continued, or cannot be merged with the others.
    PartFile = "part-file",
    /// A `--partition auto` that finds no part number in the environment.
    Partition = "partition",
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
    /// A chunk shape with more or fewer dimensions than the array.
    RankMismatch = "rank-mismatch",
    /// A fill value of raw bytes written as an array with one integer per byte.
    RawFillLength = "raw-fill-length",
    /// A raw data type whose number of bits is not a multiple of 8.
    RawSize = "raw-size",
    /// A V3 list of codecs without an array-to-bytes codec.
    SerializerMissing = "serializer-missing",
    /// Several zstd frames in one chunk.
    SeveralFrames = "several-frames",
    /// Several gzip members in one chunk.
    SeveralMembers = "several-members",
    /// Several bzip2 or xz streams in one chunk.
    SeveralStreams = "several-streams",
    /// A shape whose size in bytes does not fit in 64 bits.
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
    /// A codec written as a bare name instead of an object.
    ShortHandCodec = "short-hand-codec",
    /// Bytes after the last whole element of a shuffle, which are stored unshuffled.
    ShuffleRest = "shuffle-rest",
    /// A shuffle with an element size other than the data type's.
    ShuffleSize = "shuffle-size",
    /// A shuffle with element size 0, which programs read in two ways.
    ShuffleSizeZero = "shuffle-size-zero",
    /// A fill value in a form that the specification forbids; it is read anyway.
    SpecForbids = "spec-forbids",
    /// Work that was stopped on request.
    Stopped = "stopped",
    /// A storage transformer, which zarrscope cannot reverse.
    StorageTransformer = "storage-transformer",
    /// A struct whose fields cannot be used.
    StructFields = "struct-fields",
    /// A struct or subarray of a size that no element can have.
    StructSize = "struct-size",
    /// A struct field with a shape.
    Subarray = "subarray",
    /// A fill value of a datetime or timedelta in a form that V2 does not specify.
    TemporalFill = "temporal-fill",
    /// A text fill value longer than the data type, which is truncated.
    TextCut = "text-cut",
    /// A datetime or timedelta unit that does not exist.
    TimeUnit = "time-unit",
    /// A file larger than the limit.
    TooLarge = "too-large",
    /// A value too long to write.
    TooLong = "too-long",
    /// Bytes after the end of the compressed data, which decoders ignore.
    TrailingBytes = "trailing-bytes",
    /// A permutation of the dimensions that V2 cannot write.
    TransposeLost = "transpose-lost",
    /// A `transpose` order written as `C` or `F`, a form that was withdrawn.
    TransposeWord = "transpose-word",
    /// A V3 blosc codec that shuffles without a `typesize`.
    TypeSizeMissing = "type-size-missing",
    /// A boolean byte other than 0 and 1.
    UndefinedBool = "undefined-bool",
    /// An array codec without the data type and shape of its array.
    UnknownArray = "unknown-array",
    /// An argument that names no chunk of the array.
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
    /// A key name that is not known.
    UnknownKey = "unknown-key",
    /// A member of a V3 document that the specification does not have.
    UnknownMember = "unknown-member",
    /// An output file name without a known picture extension.
    UnknownPicture = "unknown-picture",
    /// A stage that the chunk does not have.
    UnknownStage = "unknown-stage",
    /// A registered data type that the named zarr-python does not read.
    UnknownToZarrPython = "unknown-to-zarr-python",
    /// A dimension without a name.
    UnnamedDimension = "unnamed-dimension",
    /// A V3 codec under a name that is not registered.
    UnregisteredCodec = "unregistered-codec",
    /// A chunk grid or chunk key encoding that is not registered.
    UnregisteredExtension = "unregistered-extension",
    /// A V3 data type under a name that is not registered.
    UnregisteredName = "unregistered-name",
    /// Upper-case hexadecimal digits in a fill value.
    UpperCaseHex = "upper-case-hex",
    /// A codec named by a URI that no specification defines.
    UriCodecName = "uri-codec-name",
    /// A V3 codec configured as in V2.
    V2Configuration = "v2-configuration",
    /// A fill value in a form that the V2 specification does not mention.
    V2Silent = "v2-silent",
    /// Elements of variable length where a fixed size is required.
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
    /// The fill value 0 of a text data type.
    ZeroForNone = "zero-for-none",
    /// Pages of an array, or stored chunks, that hold nothing but zeros among many that do not.
    ZeroPage = "zero-page",
    /// A zip member whose CRC-32 differs from the archive's.
    ZipChecksum = "zip-checksum",
    /// A zip archive whose members are followed by data descriptors, as one is that was written to a pipe.
    ZipDescriptor = "zip-descriptor",
    /// A zip archive whose store is in a folder, not at its root.
    ZipFolder = "zip-folder",
    /// A zip archive inside a zip archive; its contents are not read.
    ZipInZip = "zip-in-zip",
    /// A zip member that cannot be read.
    ZipMember = "zip-member",
    /// A zip member that is encrypted, or compressed by a method that zarrscope cannot decode.
    ZipMethod = "zip-method",
    /// A zip member whose name is not a store key, so no reader sees it.
    ZipName = "zip-name",
    /// A zip member with fewer bytes than the archive declares.
    ZipTruncated = "zip-truncated",
    /// Members of a zip archive that have the name of another one.
    ZipTwice = "zip-twice",
    /// A zip member that was only partly read, so its CRC-32 was not checked.
    ZipUnchecked = "zip-unchecked",
}

impl Code {
    /// True if the finding is a limit of zarrscope, not a fault of the store.
    #[must_use]
    pub const fn is_limit(self) -> bool {
        use Code::{
            AccessDenied, CannotList, CodecNotEncoded, DataTypeNotRead, NestedTooDeep, Network,
            NoMemory, OmeVersionNotChecked, PickleRefused, StorageTransformer, TooLarge,
            UnknownChunkGrid, UnknownChunkKeyEncoding, UnknownCodec, ZipMethod,
        };
        matches!(
            self,
            AccessDenied
                | CannotList
                | CodecNotEncoded
                | DataTypeNotRead
                | NestedTooDeep
                | Network
                | NoMemory
                | OmeVersionNotChecked
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
