//! Every finding: its code, its domain, its severity, its headline and its page.

use super::{FindingPage, Severity};
use std::{cmp, fmt};

/// The part of a store, or of the program, that a finding is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Domain {
    /// The members of a metadata document and how it is written.
    Document,
    /// Data types and fill values.
    DataType,
    /// Codecs and their configuration.
    Codec,
    /// The bytes of a chunk or shard.
    Chunk,
    /// Files, keys and archives.
    Store,
    /// The decoded values.
    Values,
    /// CF, OME-Zarr, AnnData and HDMF.
    Convention,
    /// Changes and losses in the other format.
    Conversion,
    /// The cause of other findings.
    Cause,
    /// Commands and the library's own functions: nothing of the store.
    Command,
}

impl Domain {
    /// Every domain.
    pub const ALL: [Self; 10] = [
        Self::Document,
        Self::DataType,
        Self::Codec,
        Self::Chunk,
        Self::Store,
        Self::Values,
        Self::Convention,
        Self::Conversion,
        Self::Cause,
        Self::Command,
    ];

    /// The domain in a word or two.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Document => "document",
            Self::DataType => "data type",
            Self::Codec => "codec",
            Self::Chunk => "chunk",
            Self::Store => "store",
            Self::Values => "values",
            Self::Convention => "convention",
            Self::Conversion => "conversion",
            Self::Cause => "cause",
            Self::Command => "command",
        }
    }
}

/// Makes the enum and what is known of each code from one table. A code that a later version adds stands in a block of
/// its domain and that version.
macro_rules! codes {
    ($($domain:ident since $since:literal {
        $($name:ident = $text:literal $severity:ident $headline:literal;)*
    })*) => {
        /// The kind of a finding: `check --json` prints it as `code`, and control flow matches on it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $($(#[doc = concat!("The finding `", $text, "`.")] $name,)*)*
            /// A finding of a data type or codec that a user of the library registers: its own code in kebab case.
            Other(&'static str),
        }

        impl Code {
            /// Every code of the library, domain by domain.
            pub const ALL: &[Self] = &[$($(Self::$name),*),*];

            /// The code in kebab case, such as `chunk-truncated`. It does not change between versions.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $($(Self::$name => $text,)*)*
                    Self::Other(text) => text,
                }
            }

            /// The page that explains it; `None` for [`Self::Other`].
            #[must_use]
            pub const fn page(self) -> Option<FindingPage> {
                match self {
                    $($(Self::$name => {
                        Some(FindingPage(include_str!(concat!("../../findings/", $text, ".md"))))
                    })*)*
                    Self::Other(_) => None,
                }
            }

            /// The domain; a finding of a registered codec or data type is one of the codecs.
            #[must_use]
            pub const fn domain(self) -> Domain {
                match self {
                    $($(Self::$name)|* => Domain::$domain,)*
                    Self::Other(_) => Domain::Codec,
                }
            }

            /// The version of zarrscope that it came with; that of a registered codec or data type is not known.
            #[must_use]
            pub const fn since(self) -> &'static str {
                match self {
                    $($(Self::$name)|* => $since,)*
                    Self::Other(_) => "",
                }
            }

            /// The severity, unless the place that finds it knows better.
            #[must_use]
            pub const fn severity(self) -> Severity {
                match self {
                    $($(Self::$name => Severity::$severity,)*)*
                    Self::Other(_) => Severity::Error,
                }
            }

            /// The sentence that states the problem, `{found}`, `{expected}`, `{value}` (what was found without
            /// the name of its JSON type) and `{field}` being those of the error.
            pub(super) const fn headline(self) -> &'static str {
                match self {
                    $($(Self::$name => $headline,)*)*
                    Self::Other(_) => "{found}; expected {expected}",
                }
            }
        }
    };
}

codes! {
    Document since "0.1.0" {
        BareNan = "bare-nan" Warning "{found} is not JSON; write it as {expected}";
        ByteOrderMark = "byte-order-mark" Error "the document begins with {found}; {expected} is required";
        DuplicateKey = "duplicate-key" Warning "{found}: {expected} is required";
        InvalidJson = "invalid-json" Error "{found}: expected {expected}";
        NotUtf8 = "not-utf-8" Error "{found}";
        NotAnObject = "not-an-object" Error "{found} where the specification requires {expected}";
        NestedTooDeep = "nested-too-deep" Limit "{found}; zarrscope reads {expected}";
        MissingField = "missing-field" Error "{field} is missing: {expected} is required";
        UnknownMember = "unknown-member" Error "{found} is not defined here: {expected} are allowed";
        MustUnderstand = "must-understand" Error "must_understand is {found}, not {expected}";
        ZarrFormat = "zarr-format" Error "zarr_format is {found}, not {expected}";
        NodeType = "node-type" Error "node_type is {found}, not {expected}";
        NodeName = "node-name" Warning "{found} is not allowed";
        NameCase = "name-case" Note "{found}: the names differ in case only";
        BothFormats = "both-formats" Error "the node has documents of both formats: {found}";
        GroupMissing = "group-missing" Warning "{found}; a group needs its document";
        MetadataMissing = "metadata-missing" Warning "{found}";
        Consolidated = "consolidated" Error "consolidated metadata, {found}, has no {expected}";
        ConsolidatedDiffers = "consolidated-differs" Error "the consolidated copy has {found}; the document has {expected}";
        ConsolidatedMissing = "consolidated-missing" Warning "{expected} is missing in the consolidated metadata";
        ConsolidatedOnly = "consolidated-only" Error "consolidated metadata describes {found}; readers need {expected}";
        NotAList = "not-a-list" Error "{found} where {expected} is required";
        InvalidLength = "invalid-length" Error "{found} is not {expected}";
        ChunkLengthZero = "chunk-length-zero" Error "a chunk length is 0; it must be {expected}";
        RankMismatch = "rank-mismatch" Error "the chunk grid has {found}, not {expected}";
        GridTooShort = "grid-too-short" Error "the chunks cover {found} of the array, which needs {expected}";
        MalformedExtension = "malformed-extension" Error "{found} where {expected} is required";
        UnknownExtension = "unknown-extension" Limit "zarrscope does not know {found}";
        UnregisteredExtension = "unregistered-extension" Warning "{found} is not {expected}";
        InvalidOrder = "invalid-order" Error "order is {found}; it must be {expected}";
        InvalidSeparator = "invalid-separator" Error "the separator is {found}; it must be {expected}";
        NullSeparator = "null-separator" Warning "dimension_separator is null; write {expected}";
        EmptyFilters = "empty-filters" Note "filters is {found}; write {expected}";
        DimensionNames = "dimension-names" Error "{field} is {found}; expected {expected}";
    }
    DataType since "0.1.0" {
        AmbiguousName = "ambiguous-name" Error "{found}; register {expected}";
        UnknownDataType = "unknown-data-type" Error "unknown data type {value}; expected {expected}";
        DataTypeNotRead = "data-type-not-read" Limit "zarrscope does not read the data type {value}";
        DataTypeConfiguration = "data-type-configuration" Error "the data type is configured with {found}; it takes {expected}";
        CoreTypeAsObject = "core-type-as-object" Note "";
        UnregisteredName = "unregistered-name" Note "";
        ZarrPythonName = "zarr-python-name" Note "";
        BareExtensionName = "bare-extension-name" Note "";
        ObjectDtype = "object-dtype" Note "";
        NeedlessObjectCodec = "needless-object-codec" Note "";
        ObjectFields = "object-fields" Note "";
        DtypeByteOrder = "dtype-byte-order" Error "{found} declares no byte order; write {expected}";
        DtypeSize = "dtype-size" Error "{found} has a size that is not allowed; expected {expected}";
        DtypeSpelling = "dtype-spelling" Note "";
        TimeUnit = "time-unit" Error "{found} is no unit of time; expected {expected}";
        GenericUnit = "generic-unit" Note "";
        StructFields = "struct-fields" Error "{found} where a struct needs {expected}";
        NestedStruct = "nested-struct" Note "";
        Subarray = "subarray" Note "";
        EmptyFieldName = "empty-field-name" Note "";
        FillValueMissing = "fill-value-missing" Error "";
        FillValueType = "fill-value-type" Error "fill_value may not be {found}; the data type takes {expected}";
        FillValueRange = "fill-value-range" Error "fill_value {value} does not fit: the data type takes {expected}";
        FillValueLength = "fill-value-length" Error "fill_value has {found}; the data type needs {expected}";
        FillValueBase64 = "fill-value-base64" Error "fill_value is {found}, not {expected}";
        FillValueField = "fill-value-field" Error "fill_value has {found}; a struct needs {expected}";
        FillValueRounded = "fill-value-rounded" Note "";
        MinusZero = "minus-zero" Note "";
        DoubleRounding = "double-rounding" Note "";
        TemporalFill = "temporal-fill" Note "";
        ObjectFill = "object-fill" Note "";
        RawFillLength = "raw-fill-length" Note "";
        BytesAsIntegers = "bytes-as-integers" Note "";
        NanPayload = "nan-payload" Note "";
        TextCut = "text-cut" Note "";
        UpperCaseHex = "upper-case-hex" Note "";
        WholeNumberAsFraction = "whole-number-as-fraction" Note "";
        SpecForbids = "spec-forbids" Error "";
        V2Silent = "v2-silent" Note "";
        ZeroForNone = "zero-for-none" Note "";
    }
    Codec since "0.1.0" {
        EndianGuessed = "endian-guessed" Error "";
        EndianBySpec = "endian-by-spec" Note "";
        SerializerMissing = "serializer-missing" Error "";
        UnknownCodec = "unknown-codec" Limit "zarrscope does not know {found}";
        MisspelledCodec = "misspelled-codec" Error "{found} is not {expected}";
        MalformedCodec = "malformed-codec" Error "{found} where {expected} is required";
        CodecConfiguration = "codec-configuration" Error "a codec cannot be configured with {found}; it needs {expected}";
        CodecOption = "codec-option" Warning "";
        CompressionLevel = "compression-level" Warning "";
        TransposeWord = "transpose-word" Warning "";
        TypeSizeMissing = "type-size-missing" Warning "";
        UnknownCodecMember = "unknown-codec-member" Warning "";
        CodecOrder = "codec-order" Error "{found}; a pipeline needs {expected}";
        CodecDataType = "codec-data-type" Error "{found} does not fit the codec, which takes {expected}";
        ShortHandCodec = "short-hand-codec" Warning "";
        OldCodecName = "old-codec-name" Error "";
        NumcodecsName = "numcodecs-name" Note "";
        V2Configuration = "v2-configuration" Error "";
        IndexWithoutChecksum = "index-without-checksum" Note "";
        DeltaOfBool = "delta-of-bool" Warning "";
        ShuffleSize = "shuffle-size" Note "";
        ShuffleSizeZero = "shuffle-size-zero" Warning "";
        PickleRefused = "pickle-refused" Limit "the chunks hold {found}, which zarrscope does not decode";
        CodecNotEncoded = "codec-not-encoded" Limit "zarrscope cannot encode {found}: expected {expected}";
        Base64Space = "base64-space" Note "";
        WithoutChecksum = "without-checksum" Note "";
    }
    Chunk since "0.1.0" {
        ChecksumMismatch = "checksum-mismatch" Error "{found} does not match {expected}";
        ChunkTruncated = "chunk-truncated" Error "cut short: {found} in place of {expected}";
        ChunkTooLong = "chunk-too-long" Error "too long: {found} in place of {expected}";
        ChunkCorrupt = "chunk-corrupt" Error "cannot be decoded: {found} in place of {expected}";
        ChunkWrongCount = "chunk-wrong-count" Error "{found} decoded; the chunk has {expected}";
        ChunkUndecoded = "chunk-undecoded" Error "{found} in place of {expected}";
        ChunkChanged = "chunk-changed" Error "{found} while zarrscope read {expected}";
        DecodedTooLarge = "decoded-too-large" Error "{found}; the limit is {expected}";
        CodecHeader = "codec-header" Warning "a header says {found}; it can be {expected}";
        CodecsDisagree = "codecs-disagree" Error "{found} The chunks are not {expected}";
        LooksLike = "looks-like" Note "";
        ClippedChunk = "clipped-chunk" Warning "";
        TrailingBytes = "trailing-bytes" Note "";
        SeveralStreams = "several-streams" Note "";
        SeveralFrames = "several-frames" Note "";
        SeveralMembers = "several-members" Note "";
        ShardTruncated = "shard-truncated" Error "the shard is cut short: {found} in place of {expected}";
        ShardIndex = "shard-index" Error "the shard index points to {found}, not to {expected}";
        ShardOverview = "shard-overview" Note "";
        ShardGaps = "shard-gaps" Note "";
        IndexElsewhere = "index-elsewhere" Note "";
    }
    Store since "0.1.0" {
        ChunksMissing = "chunks-missing" Note "{found}: {expected} is needed";
        ChunksMissingAlone = "chunks-missing-alone" Note "{found}";
        ChunkOutside = "chunk-outside" Warning "{found} is not {expected}";
        WrongChunkKeys = "wrong-chunk-keys" Warning "{found}";
        DanglingLink = "dangling-link" Error "{found}, not {expected}";
        ForeignFile = "foreign-file" Note "{found}";
        ForeignStore = "foreign-store" Note "not a Zarr store but {found}";
        LinkedFolder = "linked-folder" Note "";
        LinkOutside = "link-outside" Note "";
        NotAFile = "not-a-file" Error "{found} where {expected} is needed";
        Io = "io" Error "{found}";
        AccessDenied = "access-denied" Limit "{found}";
        CannotList = "cannot-list" Limit "{found}";
        Network = "network" Limit "{found}";
        ZipChecksum = "zip-checksum" Error "{found} does not match {expected}";
        ZipMember = "zip-member" Error "{found}, not {expected}";
        ZipMethod = "zip-method" Limit "zarrscope cannot decode {found}; expected {expected}";
        ZipFolder = "zip-folder" Warning "{found}; readers expect {expected}";
        ZipTwice = "zip-twice" Note "{found}; readers expect {expected}";
        ZipDescriptor = "zip-descriptor" Note "the archive has {found}, not {expected}";
        ZipName = "zip-name" Warning "{found}; readers expect {expected}";
        ZipUnchecked = "zip-unchecked" Note "";
    }
    Values since "0.1.0" {
        ByteOrder = "byte-order" Warning "{found}, not {expected}";
        IdentifierRounded = "identifier-rounded" Warning "{field} is {found}, which no element is; {expected} is one";
        RelatedValues = "related-values" Warning "{found}; expected {expected}";
        MaskedFill = "masked-fill" Note "";
        ZeroPage = "zero-page" Note "";
    }
    Convention since "0.1.0" {
        AnndataCategories = "anndata-categories" Warning "{found}; anndata needs {expected}";
        AnndataEncoding = "anndata-encoding" Warning "{found}; anndata needs {expected}";
        AnndataSparse = "anndata-sparse" Warning "{found}; anndata needs {expected}";
        AnndataTable = "anndata-table" Warning "{found}; anndata needs {expected}";
        CfAttribute = "cf-attribute" Note "{field} is {found}; likely meant: {expected}";
        CfCalendar = "cf-calendar" Warning "calendar is {found}; xarray supports {expected}";
        CfCoordinateMissing = "cf-coordinate-missing" Warning "{found}; a coordinate needs {expected}";
        CfCoordinateOrder = "cf-coordinate-order" Warning "{found}; a coordinate needs {expected}";
        CfDimensions = "cf-dimensions" Warning "{found}; xarray needs {expected}";
        CfFillValue = "cf-fill-value" Warning "{field} is {found}; xarray needs {expected}";
        CfFlags = "cf-flags" Warning "{found} is not {expected}";
        CfMark = "cf-mark" Note "{found}; no attribute marks them as missing";
        CfPacking = "cf-packing" Warning "{field} is {found}; xarray needs {expected}";
        CfReference = "cf-reference" Warning "{field} is {found}; it takes {expected}";
        CfTimeUnits = "cf-time-units" Warning "units are {found}; xarray decodes {expected}";
        CfUnits = "cf-units" Warning "{found}; such values are usual in {expected}";
        CfValueRange = "cf-value-range" Warning "{found} are outside of {expected}";
        HdmfLink = "hdmf-link" Warning "{found} leads to nothing; it takes {expected}";
        OmeAxes = "ome-axes" Warning "axes: {found}; OME-Zarr requires {expected}";
        OmeDimensionNames = "ome-dimension-names" Warning "dimension names: {found}; OME-Zarr requires {expected}";
        OmeFormat = "ome-format" Warning "{found}; OME-Zarr requires {expected}";
        OmeLabel = "ome-label" Warning "{found}; OME-Zarr requires {expected}";
        OmeMember = "ome-member" Warning "{field} is {found}; OME-Zarr requires {expected}";
        OmePath = "ome-path" Warning "{found}; OME-Zarr requires {expected}";
        OmePlate = "ome-plate" Warning "{found}; OME-Zarr requires {expected}";
        OmeResolutions = "ome-resolutions" Warning "{found}; OME-Zarr requires {expected}";
        OmeTransformations = "ome-transformations" Warning "{found}; OME-Zarr requires {expected}";
        OmeVersion = "ome-version" Warning "version is {found}; OME-Zarr requires {expected}";
        OmeVersionNotChecked = "ome-version-not-checked" Limit "";
        ZarrConvention = "zarr-convention" Warning "{field} is {found}; the convention needs {expected}";
    }
    Conversion since "0.1.0" {
        NoOtherForm = "no-other-form" Note "";
        CodecLost = "codec-lost" Note "";
        ChunkKey = "chunk-key" Note "";
        NullFill = "null-fill" Note "";
    }
    Cause since "0.1.0" {
        Cause = "cause" Warning "";
    }
    Command since "0.1.0" {
        CannotWrite = "cannot-write" Error "{found}";
        Cast = "cast" Error "{found} cannot be converted; expected {expected}";
        InvalidArgument = "invalid-argument" Error "{found}; expected {expected}";
        NoMemory = "no-memory" Limit "{found}; the limit is {expected}";
        NoSuchPlace = "no-such-place" Error "{found} is not {expected}";
        NotAStore = "not-a-store" Error "{found}, not {expected}";
        NotAZip = "not-a-zip" Error "{found}";
        NotAnArray = "not-an-array" Error "{found}, not {expected}";
        NotComparable = "not-comparable" Error "{found} cannot be compared: that needs {expected}";
        NotJson = "not-json" Note "";
        NotLoaded = "not-loaded" Error "{found} is in memory; this needs {expected}";
        OtherDataType = "other-data-type" Error "{found}, not {expected}";
        Panic = "panic" Error "{found} instead of {expected}";
        Partition = "partition" Error "{found}; expected {expected}";
        ShapeTooLarge = "shape-too-large" Error "{found}: too large, the limit is {expected}";
        EmptyArray = "empty-array" Note "";
        Stopped = "stopped" Error "{found}";
        TooLarge = "too-large" Limit "{found}; the limit is {expected}";
        UnknownArray = "unknown-array" Error "{found}; a codec needs {expected}";
    }
}

impl Code {
    /// The code that has this text.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.as_str() == text)
    }

    /// True if the finding is a limit of zarrscope, not a fault of the store.
    #[must_use]
    pub const fn is_limit(self) -> bool {
        matches!(self.severity(), Severity::Limit)
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
