//! Texts in another encoding, and chunks that another object codec made.

use super::prelude::*;

/// Readings with the object codec that the chunks look like.
pub(super) fn readings(case: &Case, samples: &[Sample]) -> Vec<Reading> {
    let array = case.array;
    let Some(declared) = array.object_codec.as_deref().filter(|_| array.format == Format::V2)
    else {
        return Vec::new();
    };
    let Some(bytes) = samples.first().and_then(|sample| compressed(case, sample)) else {
        return Vec::new();
    };
    let looks = looks_like(&bytes);
    let rows = array.registry.codecs.rows().filter(|row| row.object_codec);
    rows.filter_map(|row| row.v2.first())
        .filter(|id| **id != declared && looks.is_none_or(|looks| id.starts_with(looks)))
        .map(|id| {
            let sentence = format!(
                "The object codec {id} made the chunks, not {declared} as the metadata declares."
            );
            let filter = Json::object([("id", Json::from(*id))]);
            let what_if = WhatIf::filters(vec![filter]);
            let reading = Reading::new("object-codec/other", sentence, what_if);
            match looks {
                Some(_) => reading.because(format!("The chunks begin as {id} does.")),
                None => reading,
            }
        })
        .collect()
}

/// The bytes of a chunk without its compressor.
pub(super) fn compressed(case: &Case, sample: &Sample) -> Option<Vec<u8>> {
    let has_compressor =
        case.array.codecs.as_deref().ok()?.iter().any(|spec| spec.field == "compressor");
    if has_compressor { without_codecs(case, &sample.bytes) } else { Some(sample.bytes.clone()) }
}

/// The beginning of the names of the codecs that write bytes like these.
fn looks_like(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x80, 2..=5, ..] => Some("pickle"),
        [b'[' | b'{', ..] => Some("json"),
        [0x90..=0x9f | 0xdc | 0xdd, ..] => Some("msgpack"),
        _ => None,
    }
}

/// The cause, if there are pickled objects where another codec is declared: nothing here reads them.
pub(super) fn pickled(case: &Case, samples: &[Sample]) -> Option<Diagnosis> {
    let declared = case.array.object_codec.as_deref()?;
    let is_pickled = |sample: &Sample| {
        let bytes = compressed(case, sample);
        bytes.is_some_and(|bytes| looks_like(&bytes) == Some("pickle") && bytes.ends_with(b"."))
    };
    let all = !samples.is_empty() && samples.iter().all(is_pickled) && declared != "pickle";
    all.then(|| {
        let text = format!(
            "The object codec pickle made the chunks, not {declared} as the metadata declares."
        );
        Diagnosis::new("object-codec/pickled", text)
            .because("Every chunk begins and ends as pickled objects do.")
            .certain()
    })
}

/// The longest text that is looked at, in bytes.
const LONGEST_TEXT: u64 = 64 << 10;

/// The cause, if texts with a length before each are not UTF-8, but Latin-1 or UTF-16.
pub(super) fn garbled(case: &Case, samples: &[Sample]) -> Option<Diagnosis> {
    let data_type = case.array.data_type()?;
    if data_type.fixed_size().is_some() || !data_type.name().contains("string") {
        return None;
    }
    let texts: Vec<Vec<u8>> = samples
        .iter()
        .filter_map(|sample| {
            let elements = case.read(case.array, sample)?;
            let ranges = (0..elements.len()).map(|at| elements.byte_range(at));
            let ranges = ranges.filter(|range| range.end - range.start <= LONGEST_TEXT);
            Some(
                ranges
                    .filter_map(|range| elements.bytes().get(range).map(<[u8]>::to_vec))
                    .collect::<Vec<_>>(),
            )
        })
        .flatten()
        .collect();
    encoding(&texts)
}

/// The first of texts that all are UTF-16, and the percentage of their upper bytes that are 0: at least half of them, as
/// any bytes of even length may be letters of some script.
fn utf16(texts: &[&Vec<u8>]) -> Option<(String, usize)> {
    let read = |from: fn([u8; 2]) -> u16| {
        let (mut zeros, mut units, mut first) = (0, 0, None);
        for text in texts {
            let (pairs, []) = text.as_chunks::<2>() else { return None };
            let words: Vec<u16> = pairs.iter().map(|pair| from(*pair)).collect();
            zeros += words.iter().filter(|word| **word < 0x100).count();
            units += words.len();
            let text = String::from_utf16(&words).ok()?;
            if text.chars().any(|c| c.is_control() && !c.is_whitespace()) {
                return None;
            }
            first.get_or_insert(text);
        }
        (texts.len() >= 2 && zeros * 2 >= units)
            .then(|| Some((first?, (zeros * 200 + units) / (units * 2))))?
    };
    read(u16::from_le_bytes).or_else(|| read(u16::from_be_bytes))
}

/// The encoding of texts that are no UTF-8.
pub(super) fn encoding(texts: &[Vec<u8>]) -> Option<Diagnosis> {
    let full: Vec<&Vec<u8>> = texts.iter().filter(|text| !text.is_empty()).collect();
    let broken: Vec<&&Vec<u8>> =
        full.iter().filter(|text| std::str::from_utf8(text).is_err()).collect();
    let explains = Code::NotUtf8;
    if let Some((first, zeros)) = utf16(&full) {
        let text = format!(
            "The strings are UTF-16, not UTF-8 as the data type requires: the first one is {}.",
            quoted(&first)
        );
        let evidence = format!(
            "All {} strings are valid UTF-16, and {zeros} % of their upper bytes are 0.",
            full.len()
        );
        return Some(
            Diagnosis::new("text-encoding/utf-16", text).because(evidence).explaining(&[explains]),
        );
    }
    let first = broken.first()?;
    let latin = |text: &[u8]| text.iter().map(|&byte| char::from(byte)).collect::<String>();
    let is_text = broken.iter().all(|text| {
        text.iter().all(|byte| matches!(byte, 0x20..=0x7e | 0xa0..=0xff | b'\n' | b'\t'))
    });
    if !is_text {
        return None;
    }
    let text = format!(
        "The strings are Latin-1, not UTF-8 as the data type requires: one of them is {}.",
        quoted(&latin(first))
    );
    let evidence = format!(
        "{} of {} not UTF-8; read as Latin-1, {} only letters.",
        broken.len(),
        counted(full.len(), "text") + if broken.len() == 1 { " is" } else { " are" },
        if broken.len() == 1 { "it contains" } else { "they contain" }
    );
    Some(Diagnosis::new("text-encoding/latin-1", text).because(evidence).explaining(&[explains]))
}
