//! V2 filters and compressor ↔ V3 codecs.
//!
//! The translation of one codec is in its row of the registry; here are the chains. V2 keeps the byte order in the
//! dtype and column-major layout in `order`, V3 makes codecs of both; V2 filters know no kinds, V3 sorts them by what
//! they take and give. What one side cannot say is a note, and the rest is written all the same.

use super::NOTHING;
use crate::zarr::codec::{InV2, column_major, serializer};
use crate::zarr::prelude::*;

/// The codecs of V2.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct V2Codecs {
    /// `filters`, in encoding order; empty for `null`.
    pub filters: Vec<CodecSpec>,
    /// `compressor`.
    pub compressor: Option<CodecSpec>,
    /// `order: "F"`.
    pub fortran: bool,
}

/// Codecs in the other format.
#[derive(Debug, Clone, PartialEq)]
pub struct Translated<T> {
    /// The codecs there.
    pub codecs: T,
    /// The losses: chunks must be decoded and written again.
    pub lost: Vec<Note>,
    /// The choices among several forms.
    pub chosen: Vec<Note>,
}

impl<T> Translated<T> {
    fn new(codecs: T) -> Self {
        Self { codecs, lost: Vec::new(), chosen: Vec::new() }
    }
}

/// V2's filters, compressor and order for the V3 codecs `specs` of an array.
pub fn to_v2(codecs: &Codecs, specs: &[CodecSpec], dimensions: usize) -> Translated<V2Codecs> {
    let mut out = Translated::new(V2Codecs::default());
    let mut packed: Vec<CodecSpec> = Vec::new();
    let specs = unsharded(codecs, specs, &mut out.lost);
    for spec in &specs {
        match codecs.in_v2(spec, dimensions) {
            InV2::Codec(codec) => packed.push(codec),
            InV2::Lost(note) => out.lost.push(note),
            InV2::Order(_) | InV2::Dtype => {}
        }
    }
    match order_in_v2(codecs, &specs, dimensions) {
        Some(Ok(fortran)) => out.codecs.fortran = fortran,
        Some(Err(note)) => out.lost.push(note),
        None => {}
    }
    let row = |spec: &CodecSpec| codecs.row(&spec.name, Format::V2);
    match packed.iter().position(|spec| row(spec).is_none_or(|row| row.compresses)) {
        Some(at) if at + 1 == packed.len() => out.codecs.compressor = packed.pop(),
        Some(_) => out.chosen.push(Note::new(
            Code::NoOtherForm,
            "V2 allows no codec after the compressor: all codecs become filters, in order, and compressor is null. \
             zarr-python 3.4.2 reads that.",
        )),
        None => {}
    }
    out.codecs.filters = packed;
    out
}

/// V2's `order` for what the `transpose` codecs of `specs` do together, true for F, or why neither C nor F says it;
/// `None` where there are none.
pub(super) fn order_in_v2(
    codecs: &Codecs,
    specs: &[CodecSpec],
    dimensions: usize,
) -> Option<Result<bool, Note>> {
    let lost = |text: String| Some(Err(Note::new(Code::NoOtherForm, safe_owned(&text))));
    let mut together: Option<Vec<usize>> = None;
    let mut difference = None;
    for spec in specs {
        let InV2::Order(order) = codecs.in_v2(spec, dimensions) else {
            let row = codecs.row(&spec.name, Format::V3);
            difference =
                difference.or_else(|| row.is_some_and(|row| row.is_difference).then_some(spec));
            continue;
        };
        let before = together.take().unwrap_or_else(|| (0..dimensions).collect());
        let axes = order.iter().flatten().map(|&axis| before.get(axis).copied());
        let axes: Option<Vec<usize>> = axes.collect();
        let Some(axes) = axes.filter(|axes| axes.len() == dimensions) else {
            return lost("V2's `order` is about the dimensions of the array; it cannot express a `transpose` of others.".into());
        };
        if let Some(codec) = difference.filter(|_| axes != before) {
            return lost(format!(
                "V2 applies `order` before all filters; here {} comes before `transpose`.",
                codec.name
            ));
        }
        together = Some(axes);
    }
    let axes = together?;
    match axes.iter().copied() {
        same if same.clone().eq(0..dimensions) => Some(Ok(false)),
        reversed if reversed.clone().eq((0..dimensions).rev()) => Some(Ok(true)),
        _ => lost(format!(
            "V2 has only `order` C and F; it cannot express the permutation {}.",
            axes.iter().copied().collect::<Json>()
        )),
    }
}

/// The codecs of a sharded array with those of its innermost chunks: V2 has no shards, the inner chunks become chunks.
fn unsharded(codecs: &Codecs, specs: &[CodecSpec], lost: &mut Vec<Note>) -> Vec<CodecSpec> {
    let Some(at) = specs.iter().position(|spec| codecs.inner(std::slice::from_ref(spec)).is_some())
    else {
        return specs.to_vec();
    };
    if lost.is_empty() {
        lost.push(Note::new(
            Code::NoOtherForm,
            "V2 has no shards: each inner chunk becomes a chunk file of its own.",
        ));
    }
    let inner = codecs.inner(specs).map(|inner| inner.codecs).unwrap_or_default();
    let outer = specs.get(..at).unwrap_or_default().iter().cloned();
    outer.chain(unsharded(codecs, &inner, lost)).collect()
}

/// V3's `codecs` for the V2 codecs `specs` of an array of so many dimensions.
pub fn to_v3(
    codecs: &Codecs,
    specs: &[CodecSpec],
    fortran: bool,
    data_type: &dyn DataType,
    order: &ByteOrder,
    dimensions: usize,
) -> Translated<Vec<CodecSpec>> {
    let mut out = Translated::new(Vec::new());
    if fortran && dimensions > 1 {
        out.codecs.push(column_major(dimensions));
    }
    let mut chain = V3Chain::default();
    for spec in specs.iter().filter(|spec| !spec.implied) {
        match chain.push(codecs, spec, data_type) {
            Ok(notes) => out.chosen.extend(notes),
            Err(note) => out.lost.push(note),
        }
    }
    let order = filtered_order(&chain.arrays).unwrap_or_else(|| order.clone());
    out.codecs.append(&mut chain.arrays);
    out.codecs.push(chain.serializer.unwrap_or_else(|| serializer(data_type, &order)));
    out.codecs.append(&mut chain.bytes);
    out
}

/// V3's chain while it grows.
#[derive(Default)]
struct V3Chain {
    arrays: Vec<CodecSpec>,
    serializer: Option<CodecSpec>,
    bytes: Vec<CodecSpec>,
}

impl V3Chain {
    /// Takes in a codec of V2, and gives what was chosen for it; the error is what is lost.
    fn push(
        &mut self,
        codecs: &Codecs,
        spec: &CodecSpec,
        data_type: &dyn DataType,
    ) -> Result<Vec<Note>, Note> {
        let (kind, mut codec) = codecs.in_v3(spec, data_type)?;
        let behind_bytes = !self.bytes.is_empty() || self.serializer.is_some();
        if behind_bytes && kind != CodecKind::BytesToBytes {
            let text = format!(
                "{} comes after a filter that produces bytes. V3 requires it before all of those: the chunks must be \
                 rewritten.",
                spec.name
            );
            return Err(Note::new(Code::CodecLost, text));
        }
        let notes = std::mem::take(&mut codec.notes);
        match kind {
            CodecKind::ArrayToArray => self.arrays.push(codec),
            CodecKind::ArrayToBytes => self.serializer = Some(codec),
            CodecKind::BytesToBytes => self.bytes.push(codec),
        }
        Ok(notes)
    }
}

/// The byte order that the last filter leaves its elements in, where it says one: V2 lays out what comes from the
/// filters, not what goes into them.
fn filtered_order(arrays: &[CodecSpec]) -> Option<ByteOrder> {
    let dtype = |codec: &CodecSpec| {
        let member = |key| codec.member(key).and_then(Json::as_str).map(str::to_owned);
        member("encode_dtype").or_else(|| member("astype")).or_else(|| member("dtype"))
    };
    match arrays.iter().rev().find_map(dtype)?.chars().next()? {
        '<' => Some(ByteOrder::All(Endian::Little)),
        '>' => Some(ByteOrder::All(Endian::Big)),
        _ => None,
    }
}

/// One line for a chain of codecs of `format`: `bytes(big) → zstd(5) → crc32c`.
pub fn chain_text(codecs: &Codecs, specs: &[CodecSpec], format: Format) -> String {
    let texts: Vec<_> = specs.iter().map(|spec| codec_text(codecs, spec, format)).collect();
    if texts.is_empty() { NOTHING.into() } else { texts.join(" → ") }
}

/// One codec in short: its name and what matters most of its configuration.
fn codec_text(codecs: &Codecs, spec: &CodecSpec, format: Format) -> String {
    let row = codecs.read_as(&spec.name, format);
    if let Some(inner) = row.and_then(|row| Some(row.inner?(spec))) {
        return format!("shard({})", chain_text(codecs, &inner.codecs, format).replace(" → ", "→"));
    }
    let shown = row.map_or(&["level"][..], |row| row.shown);
    let texts: Vec<_> = shown.iter().filter_map(|key| spec.member(key)).filter_map(plain).collect();
    if texts.is_empty() {
        spec.name.clone()
    } else {
        format!("{}({})", spec.name, texts.join(", "))
    }
}

fn plain(json: &Json) -> Option<String> {
    (!json.is_null()).then(|| json.unquoted())
}

/// One line for V2's filters and compressor: `filters delta → compressor zstd(3)`.
pub fn v2_text(codecs: &Codecs, chain: &V2Codecs) -> String {
    let filters = chain_text(codecs, &chain.filters, Format::V2);
    let compressor = |spec: &CodecSpec| codec_text(codecs, spec, Format::V2);
    match (chain.filters.is_empty(), &chain.compressor) {
        (true, None) => "no filters, no compressor".into(),
        (true, Some(spec)) => format!("compressor {}", compressor(spec)),
        (false, None) => format!("filters {filters}"),
        (false, Some(spec)) => format!("filters {filters}, compressor {}", compressor(spec)),
    }
}

/// The codecs of a V2 array as they are stored.
pub fn v2_as_stored(specs: &[CodecSpec], fortran: bool) -> V2Codecs {
    let named = specs.iter().filter(|spec| !spec.implied).cloned();
    let (compressors, filters): (Vec<_>, Vec<_>) =
        named.partition(|spec| spec.field == "compressor");
    V2Codecs { filters, compressor: compressors.into_iter().next(), fortran }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zarr::Registry;

    /// The V3 chain of V2 `filters` and `compressor`, each codec by its name, and the codes of what is lost.
    fn chain(dtype: &str, filters: &str, compressor: &str) -> (Vec<String>, Vec<Code>) {
        let registry = Registry::default();
        let json = |text| Json::parse_str(text).unwrap();
        let specs =
            CodecSpec::chain_from_v2(Some(&json(filters)), Some(&json(compressor)), |spec| {
                registry.makes_objects(spec)
            });
        let specs = specs.unwrap();
        let object =
            specs.iter().find(|spec| registry.makes_objects(spec)).map(|spec| spec.name.clone());
        let resolved = registry.data_types.from_v2(&json(dtype), object.as_deref()).unwrap();
        let out =
            to_v3(&registry.codecs, &specs, true, resolved.data_type.as_ref(), &resolved.order, 2);
        let name = |codec: &CodecSpec| codec.name.clone();
        (out.codecs.iter().map(name).collect(), out.lost.iter().map(|note| note.code).collect())
    }

    #[test]
    fn filters_of_arrays_come_before_bytes() {
        let delta = r#"{"id":"delta","dtype":"<i4"}"#;
        let (names, lost) = chain("\"<i4\"", &format!("[{delta}]"), r#"{"id":"zlib","level":1}"#);
        assert_eq!(names, ["transpose", "numcodecs.delta", "bytes", "numcodecs.zlib"]);
        assert!(lost.is_empty());
        let turned = format!(r#"[{{"id":"shuffle","elementsize":4}},{delta}]"#);
        let (names, lost) = chain("\"<i4\"", &turned, "null");
        assert_eq!(names, ["transpose", "bytes", "numcodecs.shuffle"]);
        assert_eq!(lost, [Code::CodecLost]);
    }

    #[test]
    fn bytes_lie_as_the_last_filter_left_them() {
        let endian = |dtype: &str, filter: &str| {
            let registry = Registry::default();
            let json = |text: &str| Json::parse_str(text).unwrap();
            let filters = json(&format!("[{filter}]"));
            let specs =
                CodecSpec::chain_from_v2(Some(&filters), None, |spec| registry.makes_objects(spec))
                    .unwrap();
            let resolved = registry.data_types.from_v2(&Json::from(dtype), None).unwrap();
            let out = to_v3(
                &registry.codecs,
                &specs,
                false,
                resolved.data_type.as_ref(),
                &resolved.order,
                1,
            );
            out.codecs.last().unwrap().member("endian").unwrap().as_str().unwrap().to_owned()
        };
        let cast = r#"{"id":"astype","encode_dtype":">i4","decode_dtype":"<i8"}"#;
        assert_eq!(endian("<i8", cast), "big");
        let scale =
            r#"{"id":"fixedscaleoffset","dtype":">f8","astype":"<i2","scale":10,"offset":0}"#;
        assert_eq!(endian(">f8", scale), "little");
        assert_eq!(endian(">f8", r#"{"id":"bitround","keepbits":10}"#), "big");
    }

    /// Worked out by hand: reversed twice is as before, and [2,0,1] after [1,2,0] gives back [0,1,2].
    #[test]
    fn transposes_count_together() {
        let order = |codecs: &str| {
            let json = Json::parse_str(codecs).unwrap();
            let specs = CodecSpec::chain_from_v3(&json).unwrap();
            order_in_v2(&Codecs::default(), &specs, 3).map(|order| order.map_err(|note| note.text))
        };
        let transposes = |orders: &[&str]| {
            let codec = |order: &&str| {
                format!(r#"{{"name":"transpose","configuration":{{"order":{order}}}}}"#)
            };
            orders.iter().map(codec).collect::<Vec<_>>().join(",")
        };
        let of =
            |orders: &[&str]| order(&format!(r#"[{},{{"name":"bytes"}}]"#, transposes(orders)));
        assert_eq!(order(r#"[{"name":"bytes"}]"#), None);
        assert_eq!(of(&["[2,1,0]"]), Some(Ok(true)));
        assert_eq!(of(&["[2,1,0]", "[2,1,0]"]), Some(Ok(false)));
        assert_eq!(of(&["[1,2,0]", "[2,0,1]"]), Some(Ok(false)));
        assert_eq!(of(&["[1,0,2]", "[2,0,1]"]), Some(Ok(true)));
        let text = |orders: &[&str]| of(orders).unwrap().unwrap_err();
        assert!(text(&["[1,2,0]", "[1,2,0]"]).ends_with("permutation [2,0,1]."));
        assert!(text(&["[1,0]"]).contains("about the dimensions of the array"));
        let delta = r#"{"name":"numcodecs.delta","configuration":{"dtype":"<i4"}}"#;
        let after = |order_of: &str| order(&format!("[{delta},{}]", transposes(&[order_of])));
        assert!(after("[2,1,0]").unwrap().unwrap_err().contains("numcodecs.delta comes before"));
        assert_eq!(after("[0,1,2]"), Some(Ok(false)));
    }

    #[test]
    fn every_chain_has_one_codec_that_gives_bytes() {
        let pcodec = r#"{"id":"pcodec","level":8}"#;
        assert_eq!(chain("\"<f4\"", "[]", pcodec).0, ["transpose", "numcodecs.pcodec"]);
        let utf8 = r#"[{"id":"vlen-utf8"}]"#;
        assert_eq!(chain("\"|O\"", utf8, "null").0, ["transpose", "vlen-utf8"]);
        let (names, lost) = chain("\"<i4\"", r#"[{"id":"base64"}]"#, "null");
        assert_eq!(
            (names, lost),
            (vec!["transpose".into(), "bytes".into()], vec![Code::CodecLost])
        );
    }
}
