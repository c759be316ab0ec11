//! Texts in another encoding, and chunks that another object codec made.

use super::{
    case::{Case, Sample},
    reading::Reading,
    types::without_codecs,
};
use crate::zarr::{error::Diagnosis, format::Format, json::Json, words::counted};

/// Readings with the object codec that the chunks look like.
pub(super) fn readings(case: &Case<'_>, samples: &[Sample]) -> Vec<Reading> {
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
                "The object codec {id} made the chunks, not {declared} as the metadata declare."
            );
            let filter = Json::object([("id", Json::from(*id))]);
            let reading = Reading::new("object-codec", sentence, format!("filters=[{filter}]"));
            match looks {
                Some(_) => reading.because(format!("The chunks begin as {id} does.")),
                None => reading,
            }
        })
        .collect()
}

/// What is left of a chunk without its compressor.
fn compressed(case: &Case<'_>, sample: &Sample) -> Option<Vec<u8>> {
    let has_compressor =
        case.array.codecs.as_deref().ok()?.iter().any(|spec| spec.field == "compressor");
    if has_compressor { without_codecs(case, &sample.bytes) } else { Some(sample.bytes.clone()) }
}

/// How the names of the codecs begin that write bytes like these.
fn looks_like(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x80, 2..=5, ..] => Some("pickle"),
        [b'[' | b'{', ..] => Some("json"),
        [0x90..=0x9f | 0xdc | 0xdd, ..] => Some("msgpack"),
        _ => None,
    }
}

/// The cause, if there are pickled objects where another codec is declared: nothing here reads them.
pub(super) fn pickled(case: &Case<'_>, samples: &[Sample]) -> Option<Diagnosis> {
    let declared = case.array.object_codec.as_deref()?;
    let is_pickled = |sample: &Sample| {
        let bytes = compressed(case, sample);
        bytes.is_some_and(|bytes| looks_like(&bytes) == Some("pickle") && bytes.ends_with(b"."))
    };
    let all = !samples.is_empty() && samples.iter().all(is_pickled) && declared != "pickle";
    all.then(|| {
        let text = format!(
            "The object codec pickle made the chunks, not {declared} as the metadata declare."
        );
        Diagnosis::new("object-codec", text)
            .because("Every chunk begins and ends as pickled objects do.")
            .explaining(&case.symptoms.codes())
            .certain()
    })
}

/// The longest text that is looked at, in bytes.
const LONGEST_TEXT: u64 = 64 << 10;

/// The cause, if texts with a length before each are not UTF-8, but Latin-1 or UTF-16.
pub(super) fn garbled(case: &Case<'_>, samples: &[Sample]) -> Option<Diagnosis> {
    let data_type = case.array.data_type()?;
    if data_type.item_size().fixed().is_some() || !data_type.name().contains("string") {
        return None;
    }
    let texts: Vec<Vec<u8>> = samples
        .iter()
        .filter_map(|sample| {
            let elements =
                case.decode(case.array, &sample.at, sample.bytes.clone(), &case.budget())?;
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

/// The encoding of texts that are no UTF-8.
pub(super) fn encoding(texts: &[Vec<u8>]) -> Option<Diagnosis> {
    let full: Vec<&Vec<u8>> = texts.iter().filter(|text| !text.is_empty()).collect();
    let is_utf16 = |text: &&&Vec<u8>| {
        let units = text.as_chunks::<2>();
        units.1.is_empty() && units.0.iter().all(|unit| unit[1] == 0 && unit[0] != 0)
    };
    let wide = full.iter().filter(is_utf16).count();
    let broken: Vec<&&Vec<u8>> =
        full.iter().filter(|text| std::str::from_utf8(text).is_err()).collect();
    let explains = crate::zarr::error::Code::NotUtf8;
    if full.len() >= 2 && wide * 10 >= full.len() * 9 {
        let text = full.first().map(|text| text.iter().step_by(2).map(|&byte| char::from(byte)));
        let text = format!(
            "The strings are UTF-16, not UTF-8 as the data type requires: the first one is {}.",
            crate::zarr::json::quoted(&text.map(Iterator::collect::<String>).unwrap_or_default())
        );
        let evidence = format!("In {wide} of {} texts every second byte is 0.", full.len());
        return Some(
            Diagnosis::new("text-encoding", text).because(evidence).explaining(&[explains]),
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
        crate::zarr::json::quoted(&latin(first))
    );
    let evidence = format!(
        "{} of {} not UTF-8; read as Latin-1, {} only letters.",
        broken.len(),
        counted(full.len() as u64, "text") + if broken.len() == 1 { " is" } else { " are" },
        if broken.len() == 1 { "it contains" } else { "they contain" }
    );
    Some(Diagnosis::new("text-encoding", text).because(evidence).explaining(&[explains]))
}
