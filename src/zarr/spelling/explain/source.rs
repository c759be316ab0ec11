//! The sections of the specifications that explanations refer to: one table, with a link for each.

use crate::zarr::prelude::*;

/// A section of a specification or of a program's documentation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source {
    /// The title of the document.
    pub title: &'static str,
    /// The heading of the section; empty for the whole document.
    pub section: &'static str,
    /// The address of the section.
    pub url: &'static str,
}

impl Source {
    /// All sections that an explanation may refer to.
    pub const ALL: &'static [Self] = EACH;
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.section {
            "" => f.write_str(self.title),
            section => write!(f, "{}, \"{section}\"", self.title),
        }
    }
}

/// Sections with their addresses, one per line.
pub fn lines(sources: &[Source]) -> String {
    sources.iter().map(|source| format!("Source: {source} {}", source.url)).joined("\n")
}

/// One constant per row: name, title, section, base address, rest of the address.
macro_rules! sources {
    ($($name:ident $title:literal $section:literal $base:literal $rest:literal;)*) => {
        $(pub(super) const $name: Source =
            Source { title: $title, section: $section, url: concat!($base, $rest) };)*

        const EACH: &[Source] = &[$($name),*];
    };
}

sources! {
    V2_METADATA "Zarr V2" "Metadata" "https://zarr-specs.readthedocs.io/en/latest/v2/v2.0.html" "#metadata";
    V2_DTYPE "Zarr V2" "Data type encoding"
        "https://zarr-specs.readthedocs.io/en/latest/v2/v2.0.html" "#data-type-encoding";
    V2_FILL "Zarr V2" "Fill value encoding"
        "https://zarr-specs.readthedocs.io/en/latest/v2/v2.0.html" "#fill-value-encoding";
    V2_CHUNKS "Zarr V2" "Chunks" "https://zarr-specs.readthedocs.io/en/latest/v2/v2.0.html" "#chunks";
    V2_FILTERS "Zarr V2" "Filters" "https://zarr-specs.readthedocs.io/en/latest/v2/v2.0.html" "#filters";
    V2_ATTRIBUTES "Zarr V2" "Attributes" "https://zarr-specs.readthedocs.io/en/latest/v2/v2.0.html" "#attributes";
    V3_METADATA "Zarr V3" "Metadata" "https://zarr-specs.readthedocs.io/en/latest/v3/core/" "#metadata";
    V3_SHAPE "Zarr V3" "shape" "https://zarr-specs.readthedocs.io/en/latest/v3/core/" "#array-metadata-shape";
    V3_DATA_TYPES "Zarr V3" "Data types"
        "https://zarr-specs.readthedocs.io/en/latest/v3/core/" "#data-types";
    V3_FILL "Zarr V3" "fill_value"
        "https://zarr-specs.readthedocs.io/en/latest/v3/core/" "#array-metadata-fill-value";
    V3_CODECS "Zarr V3" "Chunk encoding"
        "https://zarr-specs.readthedocs.io/en/latest/v3/core/" "#chunk-encoding";
    V3_NAMES "Zarr V3" "dimension_names"
        "https://zarr-specs.readthedocs.io/en/latest/v3/core/" "#array-metadata-dimension-names";
    V3_ATTRIBUTES "Zarr V3" "attributes"
        "https://zarr-specs.readthedocs.io/en/latest/v3/core/" "#array-metadata-attributes";
    PERMITTED_FILLS "Zarr V3 data types" "Permitted fill values"
        "https://zarr-specs.readthedocs.io/en/latest/v3/data-types/" "#permitted-fill-values";
    BYTES "Zarr V3 bytes codec" "Format and algorithm"
        "https://zarr-specs.readthedocs.io/en/latest/v3/codecs/bytes/" "#format-and-algorithm";
    SHARDING "Zarr V3 sharding codec" "Binary shard format"
        "https://zarr-specs.readthedocs.io/en/latest/v3/codecs/sharding-indexed/" "#binary-shard-format";
    TRANSPOSE "Zarr V3 transpose codec" "Format and algorithm"
        "https://zarr-specs.readthedocs.io/en/latest/v3/codecs/transpose/" "#format-and-algorithm";
    REGULAR_GRID "Zarr V3 regular chunk grid" "Description"
        "https://zarr-specs.readthedocs.io/en/latest/v3/chunk-grids/regular-grid/" "#description";
    CHUNK_KEYS "Zarr V3 chunk key encodings" ""
        "https://zarr-specs.readthedocs.io/en/latest/v3/chunk-key-encodings/" "";
    EXTENSIONS "zarr-extensions, data types" ""
        "https://github.com/zarr-developers/zarr-extensions/tree/main/data-types" "";
    XARRAY "xarray" "Zarr encoding specification"
        "https://docs.xarray.dev/en/stable/internals/zarr-encoding-spec.html" "";
    ZARR_PYTHON "zarr-python" "Array data types"
        "https://zarr.readthedocs.io/en/stable/user-guide/data_types/" "";
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_section_has_an_address_of_its_own() {
        let addresses: HashSet<_> = Source::ALL.iter().map(|source| source.url).collect();
        assert_eq!(addresses.len(), Source::ALL.len());
        let anchor = |source: &Source| source.section.to_lowercase().replace([' ', '_'], "-");
        let of_the_specification = |source: &&Source| source.title.starts_with("Zarr V");
        for source in Source::ALL.iter().filter(of_the_specification) {
            let (_, last) = source.url.rsplit_once('/').unwrap();
            let (_, fragment) = last.split_once('#').unwrap_or_default();
            assert!(fragment.ends_with(&anchor(source)), "{source}: {}", source.url);
        }
    }
}
