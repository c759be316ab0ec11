//! Codecs that are missing from the metadata, were never applied, or are others: told by the signatures of compressors and
//! checksums, and proved by decoding.

use super::{files::explained, prelude::*, reading::explain_failure};

/// Readings with the codecs that the bytes themselves announce, where those are not the declared ones.
pub(super) fn readings(case: &Case, samples: &[Sample]) -> Vec<Reading> {
    let Some(found) = announced(case, samples) else { return Vec::new() };
    let declared = declared(case);
    if names(&found, case) == names(&declared, case) {
        return Vec::new();
    }
    let sentence = sentence(&names(&declared, case), &names(&found, case));
    let evidence = match found.as_slice() {
        [] => "No chunk examined has the header of a codec.".to_owned(),
        _ => format!("The chunks have the headers or checksums of {}.", list(&names(&found, case))),
    };
    declaring(case, &found)
        .into_iter()
        .map(|what_if| {
            let reading = Reading::new("codec/own-headers", &sentence, what_if).because(&evidence);
            // What decompresses to just the right length, or agrees with a checksum, does so by no accident.
            if found.is_empty() { reading } else { reading.proved() }
        })
        .collect()
}

/// Readings with another kind of checksum, or one in another place.
pub(super) fn checksums(case: &Case, whose: &str) -> Vec<Reading> {
    let array = case.array;
    let Ok(specs) = array.codecs.as_deref() else { return Vec::new() };
    let row = |spec: &CodecSpec| array.registry.codecs.read_as(&spec.name, array.format);
    let declared = specs.iter().filter(|spec| row(spec).is_some_and(|row| row.is_checksum));
    // Of more of them than can be tried, no more are thought of.
    let declared = declared.take(case.readings_left().max(1));
    let kinds = || array.registry.codecs.rows().filter(|row| row.is_checksum);
    let mut readings = Vec::new();
    for spec in declared {
        let path = spec.field.replace('[', "/").replace(']', "");
        // numcodecs puts the older ones before what they are of.
        let usual = |name: &str| if name.ends_with("crc32c") { "end" } else { "start" };
        let declared = spec.member("location").and_then(Json::as_str);
        let where_declared = match declared {
            Some(place) => format!(" at the {}", safe(place)),
            None => " in its usual place".into(),
        };
        let declared = declared.unwrap_or_else(|| usual(&spec.name));
        for (kind, place) in kinds().flat_map(|kind| [(kind, "end"), (kind, "start")]) {
            let name = name(kind, array.format);
            // One without a place to choose is at the end.
            let has_place = kind.members.contains(&"location");
            let is_declared = name == spec.name && (place == declared || !has_place);
            if is_declared || !has_place && place == "start" {
                continue;
            }
            let is_usual = !has_place || place == usual(name);
            let location =
                if is_usual { String::new() } else { format!("\"location\":{}", quoted(place)) };
            let json = text_of(name, array.format, &location);
            let sentence = format!(
                "The checksum of {whose} is {name} at the {place}; the metadata declares {}{where_declared}.",
                safe(&spec.name)
            );
            readings.push(
                Reading::new(
                    "checksum/other-kind",
                    sentence,
                    WhatIf::at(&format!("/{path}"), json),
                )
                .proved(),
            );
        }
    }
    readings
}

/// Takes the samples out whose checksum is of another kind than that of the rest, or in another place.
pub(super) fn other_checksums(case: &Case, samples: &mut Vec<Sample>) -> Vec<Diagnosis> {
    explained(samples, |sample| {
        let is_wrong = sample.failed_by(Code::ChecksumMismatch);
        let readings = if is_wrong { checksums(case, "this chunk") } else { Vec::new() };
        let told = explain_failure(case, std::slice::from_ref(sample), readings)?;
        // The other chunks are as declared: no edit of the metadata mends it.
        Some(Diagnosis { change: None, ..told })
    })
}

/// A single chunk that other codecs made than the rest.
pub(super) fn of_single_chunks(case: &Case, samples: &mut Vec<Sample>) -> Vec<Diagnosis> {
    let declared = names(&declared(case), case);
    // What all chunks are is no fault of some.
    if case.symptoms.failures == case.symptoms.stored
        && samples.len() as u64 == case.symptoms.stored
    {
        return Vec::new();
    }
    let mut found = Vec::<(Vec<String>, Vec<String>)>::new();
    samples.retain(|sample| {
        let one = std::slice::from_ref(sample);
        let Some(codecs) = announced(case, one).map(|codecs| names(&codecs, case)) else {
            return true;
        };
        // Of elements of any length, a chunk without codecs and one that was cut off look the same.
        let expected = case.raw_len().map_or(!codecs.is_empty(), |raw| inside(case, sample) == raw);
        if codecs == declared || !expected {
            return true;
        }
        match found.iter_mut().find(|(known, _)| *known == codecs) {
            Some((_, keys)) => keys.push(sample.key.clone()),
            None => found.push((codecs, vec![sample.key.clone()])),
        }
        false
    });
    let told = found.into_iter().map(|(codecs, mut keys)| {
        keys.sort();
        let what = if codecs.is_empty() { "no codec".into() } else { list(&codecs) };
        let (was, it_has) = if keys.len() == 1 { ("was", "it has") } else { ("were", "each has") };
        let text = format!(
            "{} {was} written with {what}, the other chunks with {}.",
            named(&keys),
            if declared.is_empty() { "none".into() } else { list(&declared) }
        );
        let evidence = match case.raw_len() {
            Some(_) => format!("Decoded that way, {it_has} exactly the bytes of a chunk."),
            None => format!("By its first bytes, {it_has} such contents."),
        };
        let diagnosis = Diagnosis::new("codec/single-chunk", text).because(evidence).in_files(keys);
        Diagnosis { is_certain: !codecs.is_empty(), ..diagnosis }
    });
    told.collect()
}

/// The bytes inside of the codecs that a chunk announces.
pub(super) fn inside(case: &Case, sample: &Sample) -> u64 {
    case.unwrapped(sample.bytes.clone()).map_or(0, |found| found.inside.len() as u64)
}

/// The codecs around the bytes of most samples, in encoding order.
pub(super) fn announced(case: &Case, samples: &[Sample]) -> Option<Vec<&'static CodecRow>> {
    let mut found = Vec::<(Vec<&'static CodecRow>, usize)>::new();
    for found_in in samples.iter().filter_map(|sample| case.unwrapped(sample.bytes.clone())) {
        let codecs = found_in.codecs;
        let same = |known: &[&CodecRow]| {
            known.len() == codecs.len()
                && known.iter().zip(&codecs).all(|(a, b)| std::ptr::eq(*a, *b))
        };
        match found.iter_mut().find(|(known, _)| same(known)) {
            Some((_, count)) => *count += 1,
            None => found.push((codecs, 1)),
        }
    }
    let all: usize = found.iter().map(|(_, count)| count).sum();
    let (codecs, count) = found.into_iter().max_by_key(|(_, count)| *count)?;
    (count * 4 >= all * 3).then_some(codecs)
}

/// The compressors and checksums that the metadata declares, in encoding order.
fn declared(case: &Case) -> Vec<&'static CodecRow> {
    let specs = case.array.codecs.as_deref().unwrap_or_default();
    specs.iter().filter_map(|spec| wraps(case, spec)).collect()
}

/// The row of a codec that a signature or a trial can tell.
pub(super) fn wraps(case: &Case, spec: &CodecSpec) -> Option<&'static CodecRow> {
    let row = case.array.registry.codecs.read_as(&spec.name, case.array.format)?;
    let is_told = row.compresses || !matches!(row.signature, crate::zarr::codec::Signature::None);
    (row.kind == CodecKind::BytesToBytes && (is_told || row.is_checksum)).then_some(row)
}

fn names(rows: &[&'static CodecRow], case: &Case) -> Vec<String> {
    rows.iter().map(|row| name(row, case.array.format).to_owned()).collect()
}

fn name(row: &CodecRow, format: Format) -> &'static str {
    let names = [row.names(format), row.v3, row.v2];
    names.into_iter().find_map(|names| names.first().copied()).unwrap_or_default()
}

fn list(names: &[String]) -> String {
    names.join(", then ")
}

fn sentence(declared: &[String], found: &[String]) -> String {
    match (declared, found) {
        ([], found) => format!(
            "The chunks were written with {}, which the metadata does not declare.",
            list(found)
        ),
        (declared, []) => format!(
            "The chunks were written without {}, which the metadata declares.",
            list(declared)
        ),
        (declared, found) => format!(
            "The chunks were written with {}, not with {} as the metadata declares.",
            list(found),
            list(declared)
        ),
    }
}

/// The changes that declare `found`; several where it is not known what of the rest stays.
fn declaring(case: &Case, found: &[&'static CodecRow]) -> Vec<WhatIf> {
    let array = case.array;
    let Ok(specs) = array.codecs.as_deref() else { return Vec::new() };
    let codecs: Vec<Json> = found.iter().map(|row| configured(case, row)).collect();
    if array.format == Format::V3 {
        let mut all = vec![WhatIf::of(SettingMember::Compressor, Json::from(codecs.clone()))];
        // Chunks that are no shards, though the metadata say so.
        let inner = specs.iter().find_map(|spec| {
            let row = array.registry.codecs.row(&spec.name, Format::V3)?;
            row.inner.and_then(|_| spec.member("codecs")?.as_array())
        });
        if let Some(inner) = inner {
            let kept = inner.iter().filter(|codec| {
                let spec = CodecSpec::from_v3(codec, "").ok();
                spec.is_some_and(|spec| wraps(case, &spec).is_none())
            });
            let codecs: Json = kept.cloned().chain(codecs).collect();
            all.push(WhatIf::of(SettingMember::Codecs, codecs));
        }
        return all;
    }
    let filters = specs.iter().filter(|spec| spec.field.starts_with("filters"));
    let kept = filters.filter(|spec| wraps(case, spec).is_none());
    let mut filters: Vec<Json> = kept.filter_map(|spec| spec.configuration.clone()).collect();
    let mut codecs = codecs;
    let compresses = |json: &Json| {
        let id = json.get_str("id").unwrap_or_default();
        array.registry.codecs.row(id, Format::V2).is_some_and(|row| row.compresses)
    };
    let last = codecs.pop_if(|json| compresses(json));
    filters.append(&mut codecs);
    let compressor = WhatIf::of(SettingMember::Compressor, Json::from(last));
    vec![WhatIf::filters(filters).and(compressor)]
}

/// A codec as a document has it: as declared, or with the configuration that is usual.
pub(super) fn configured(case: &Case, row: &'static CodecRow) -> Json {
    let array = case.array;
    let specs = array.codecs.as_deref().unwrap_or_default();
    let size = array.data_type().and_then(|t| t.fixed_size());
    if let Some(spec) =
        specs.iter().find(|spec| wraps(case, spec).is_some_and(|known| std::ptr::eq(known, row)))
    {
        return match array.format {
            Format::V2 => spec.configuration.clone().unwrap_or_default(),
            Format::V3 => spec.to_v3(),
        };
    }
    usual(row, array.format, size)
}

/// A codec with the configuration that is usual for elements of so many bytes.
pub(super) fn usual(row: &CodecRow, format: Format, size: Option<usize>) -> Json {
    let usual = row.usual(format).replace("SIZE", &size.unwrap_or(1).to_string());
    Json::parse_str(&text_of(name(row, format), format, &usual)).unwrap_or_default()
}

/// A codec as the text of JSON, with these members of its configuration.
fn text_of(name: &str, format: Format, members: &str) -> String {
    let name = quoted(name);
    match format {
        Format::V2 if members.is_empty() => format!("{{\"id\":{name}}}"),
        Format::V2 => format!("{{\"id\":{name},{members}}}"),
        Format::V3 if members.is_empty() => format!("{{\"name\":{name}}}"),
        Format::V3 => format!("{{\"name\":{name},\"configuration\":{{{members}}}}}"),
    }
}
