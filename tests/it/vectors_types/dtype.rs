//! `dtype_v2.json` and `dtype_v3.json`.

use super::*;
use zarrscope::zarr::error::Note;

#[test]
fn dtype_v2() {
    let mut failures = Failures::default();
    for record in records("dtype_v2.json") {
        let dtype = record.json("dtype");
        let codec = record.get("object_codec").as_str();
        let resolved = dtype.clone().and_then(|dtype| REGISTRY.from_v2(&dtype, codec));
        let outcome = match (record.text("advice"), dtype) {
            ("reject", _) => refusal(resolved),
            (_, Err(error)) => Err(format!("no JSON: {error}")),
            (advice, Ok(dtype)) => resolved
                .map_err(|error| format!("refused: {error}"))
                .and_then(|resolved| accepted_v2(&record, advice, &dtype, &resolved)),
        };
        failures.check(&record, outcome.map_err(|text| format!("{} {text}", record.get("dtype"))));
    }
    failures.finish();
}

fn accepted_v2(
    record: &Record,
    advice: &str,
    dtype: &Json,
    resolved: &Resolved,
) -> Result<(), String> {
    common(record, advice, resolved)?;
    let order = &resolved.order;
    let written = resolved.data_type.to_v2(order);
    if record.is("ok") {
        let written = written.map_err(|note| note.text)?;
        let own = if record.is("normalised") { record.get("v2").clone() } else { dtype.strict() };
        if !keeps_scale(&written.dtype) {
            expect("dtype written", &written.dtype, &own)?;
        }
        let endianness = match record.text("kind") {
            "Structured" => None,
            _ => order.uniform().map(Endian::word),
        };
        expect("order", &endianness, &record.get("endianness").as_str())?;
        numpy(record, resolved)?;
    } else {
        // The oracle knows no form; ours must be read back as the same, and why there is none must be said.
        has_words(&written.clone().map(|_| ()))?;
        let Ok(written) = written else { return Ok(()) };
        let codec = written.object_codec.as_deref();
        let json = Json::parse_str(&written.dtype.to_string()).unwrap();
        let again = REGISTRY.from_v2(&json, codec).map_err(|error| error.to_string())?;
        expect("dtype written again", &again.data_type.to_v2(&again.order), &Ok(written))?;
    }
    Ok(())
}

#[test]
fn dtype_v3() {
    let mut failures = Failures::default();
    for record in records("dtype_v3.json") {
        let resolved = record.json("dtype").and_then(|dtype| REGISTRY.from_v3(&dtype));
        let outcome = match record.text("advice") {
            "reject" => refusal(resolved),
            advice => resolved
                .map_err(|error| format!("refused: {error}"))
                .and_then(|resolved| accepted_v3(&record, advice, &resolved)),
        };
        failures.check(&record, outcome.map_err(|text| format!("{} {text}", record.get("dtype"))));
    }
    failures.finish();
}

fn accepted_v3(record: &Record, advice: &str, resolved: &Resolved) -> Result<(), String> {
    common(record, advice, resolved)?;
    let written = resolved.data_type.to_v2(&resolved.data_type.default_order());
    let oracle = if record.is("ok") { &record.value } else { record.get("zp_main") };
    if let Some(v2) = oracle.get("v2").filter(|v2| !v2.is_null()) {
        let written = written.map_err(|note| note.text)?;
        if !keeps_scale(&written.dtype) {
            expect("dtype", &written.dtype, v2)?;
        }
        let codec = oracle.get("v2_object_codec").and_then(Json::as_str);
        expect("object codec", &written.object_codec.as_deref(), &codec)?;
        numpy(record, resolved)?;
    } else {
        has_words(&written.map(|_| ()))?;
    }
    Ok(())
}

/// True of a generic time with a scale, which the vectors leave out as zarr-python 3.1.6 did: 3.4.2 writes it
/// (SEMANTICS.md, section 0).
fn keeps_scale(dtype: &Json) -> bool {
    dtype.as_str().is_some_and(|text| text.ends_with("generic]"))
}

/// The form of a struct with NumPy's names for its nameless fields, which the registry wants where the vectors have
/// none (SEMANTICS.md, section 0).
fn with_names(form: &Json) -> Json {
    let mut text = form.to_string();
    let fields = form.get("configuration").and_then(|it| it.get("fields")?.as_array());
    for at in 0..fields.map_or(0, <[_]>::len) {
        let is_nameless = |field: &Json| field.get("name").and_then(Json::as_str) == Some("");
        if fields.and_then(|fields| fields.get(at)).is_some_and(is_nameless) {
            text = text.replacen("\"name\":\"\"", &format!("\"name\":\"f{at}\""), 1);
            // Under the registered name of structs, raw bytes have theirs too.
            for size in 1..=16 {
                let raw =
                    format!(r#"{{"name":"raw_bytes","configuration":{{"length_bytes":{size}}}}}"#);
                text = text.replace(&raw, &format!("\"r{}\"", size * 8));
            }
        }
    }
    Json::parse_str(&text).unwrap()
}

/// The checks of both formats.
fn common(record: &Record, advice: &str, resolved: &Resolved) -> Result<(), String> {
    let data_type = &*resolved.data_type;
    if advice == "accept-flag" && !has_note(resolved) {
        return Err("no note".into());
    }
    let size = match record.get("spec_size") {
        size if size.is_null() && record.is("ok") => record.get("itemsize").as_u64(),
        size => size.as_u64(),
    };
    if record.value.get("spec_size").is_some() || record.is("ok") {
        expect("item size", &item_size(data_type), &size)?;
    }
    if let Kind::Bool(applies) = record.get("spec_endian_applies").kind {
        expect("has byte order", &data_type.has_byte_order(), &applies)?;
    }
    if let Some(kind) = record.get("kind").as_str() {
        let kind = if kind == "Structured" { "Struct" } else { kind };
        expect("kind", &data_type.kind(), &kind)?;
    }
    v3_form(record, data_type)?;
    default_scalar(record, resolved)
}

/// The registered form, else what zarr-python writes, else a note on why there is none.
fn v3_form(record: &Record, data_type: &dyn DataType) -> Result<(), String> {
    let written = data_type.to_v3();
    let null = &Json::NULL;
    let main = record.get("zp_main").get("v3").unwrap_or(null);
    // A form that the oracle leaves as it is stands in no member of its own.
    let own = if record.text("id").starts_with("d3-") && record.is("ok") && !record.is("normalised")
    {
        record.get("dtype")
    } else {
        null
    };
    let forms = [record.get("v3_registered"), record.get("v3"), main, own];
    let forms: Vec<_> = forms.into_iter().filter(|form| !form.is_null()).map(with_names).collect();
    let registered = !record.get("v3_registered").is_null();
    match written {
        Ok(written) => {
            let again = REGISTRY.from_v3(&Json::parse_str(&written.to_string()).unwrap());
            let again = again.map_err(|error| format!("{written} is not read back: {error}"))?;
            expect("data_type written again", &again.data_type.to_v3(), &Ok(written.clone()))?;
            // The registry has a name for raw bytes of every length, whatever the record says of this spelling.
            let raw = data_type.kind() == "RawBytes" && written == data_type.name().into();
            let fits = match (registered, forms.first()) {
                (true, Some(form)) => form == &written,
                _ => forms.is_empty() || forms.contains(&written),
            };
            let fits = fits || raw;
            if fits {
                Ok(())
            } else {
                Err(format!("data_type: {written}, expected one of {forms:?}"))
            }
        }
        Err(note) if forms.is_empty() => has_words(&Err(note)),
        Err(note) => Err(format!("no data_type ({}), expected one of {forms:?}", note.text)),
    }
}

fn has_words(result: &Result<(), Note>) -> Result<(), String> {
    match result {
        Err(note) if note.text.is_empty() => Err("a note without words".into()),
        _ => Ok(()),
    }
}

fn default_scalar(record: &Record, resolved: &Resolved) -> Result<(), String> {
    let Some(expected) = record.get("default_bytes_le").as_str() else { return Ok(()) };
    let scalar = resolved.data_type.default_scalar();
    // Of structs all bytes are zero; the oracle casts 0 to a text field and gets "0" there.
    let zeros = "0".repeat(expected.len());
    let expected = if resolved.data_type.fields().is_empty() { expected } else { &zeros };
    expect("default scalar", &bytes(resolved, &scalar, &LITTLE)?, &expected.to_owned())?;
    for (format, key) in
        [(zarrscope::zarr::Format::V2, "default_v2"), (zarrscope::zarr::Format::V3, "default_v3")]
    {
        let written =
            resolved.data_type.fill_to_json(&scalar, format, &LITTLE).map_err(|note| note.text)?;
        let json = Json::parse_str(&written.to_string()).unwrap();
        // A format that cannot name the type has no fill value of it either.
        if let Ok(read) = resolved.data_type.fill_from_json(&json, format, &LITTLE) {
            expect(key, &bytes(resolved, &read.value, &LITTLE)?, &expected.to_owned())?;
        }
    }
    Ok(())
}

fn numpy(record: &Record, resolved: &Resolved) -> Result<(), String> {
    let Some(expected) = record.get("numpy").as_str() else { return Ok(()) };
    let found = resolved.data_type.numpy(&resolved.order);
    match found {
        None => expect("numpy", &"|O", &expected),
        // The vectors have the name of the class, which is no input to NumPy.
        Some(descr) if descr.as_str() == Some("T") => expect("numpy", &"StringDType", &expected),
        Some(descr) if descr.as_str().is_some() => {
            expect("numpy", &descr.as_str(), &Some(expected))
        }
        // Names of nameless fields are NumPy's own business.
        Some(descr) if expected.contains("\"f0\"") || expected.contains("\"\"") => {
            expect("numpy is a list", &descr.as_array().is_some(), &true)
        }
        Some(descr) => expect("numpy", &descr, &Json::parse_str(expected).unwrap()),
    }
}
