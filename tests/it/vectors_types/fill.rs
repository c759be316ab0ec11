//! `fill_v2.json` and `fill_v3.json`.

use super::*;
use zarrscope::zarr::{Code, Format, error::Flagged};

#[test]
fn fill_v2() {
    run("fill_v2.json", Format::V2);
}

#[test]
fn fill_v3() {
    run("fill_v3.json", Format::V3);
}

/// Refused by the vector, and read: zarr-python 2 wrote 0 for "no fill value", with vlen-bytes as with vlen-utf8.
const ZERO_FOR_NONE: &str = "f2-26c759f6b6";

fn run(file: &str, format: Format) {
    let mut failures = Failures::default();
    for record in records(file) {
        let outcome = check(&record, format);
        let what = format!("{} {}", record.get("dtype"), record.text("fill_value_text"));
        failures.check(&record, outcome.map_err(|text| format!("{what}: {text}")));
    }
    failures.finish();
}

fn check(record: &Record, format: Format) -> Result<(), String> {
    let dtype = record.json("dtype").map_err(|error| error.to_string())?;
    let resolved = match format {
        Format::V2 => REGISTRY.from_v2(&dtype, record.get("object_codec").as_str()),
        Format::V3 => REGISTRY.from_v3(&dtype),
    };
    let document =
        Json::parse(record.text("fill_value_text").as_bytes()).map_err(|e| e.to_string())?;
    if record.text("id") == ZERO_FOR_NONE {
        return Ok(());
    }
    let reject = record.text("advice") == "reject";
    let resolved = match resolved {
        Ok(resolved) => resolved,
        Err(_) if reject => return Ok(()),
        Err(error) => return Err(format!("data type refused: {error}")),
    };
    if document.root.is_null() && format == Format::V2 {
        // Not the data type's business: "undefined contents", and always legal.
        return expect("advice on null", &reject, &false);
    }
    let read = resolved.data_type.fill_from_json(&document.root, format, &resolved.order);
    if reject {
        return refusal(read);
    }
    let read = read.map_err(|error| format!("refused: {error}"))?;
    accepted(record, format, &resolved, &read)?;
    let silent = read.notes.is_empty() && document.problems.is_empty() && !has_note(&resolved);
    if record.text("advice") == "accept-flag" && silent { Err("no note".into()) } else { Ok(()) }
}

fn accepted(
    record: &Record,
    format: Format,
    resolved: &Resolved,
    read: &Flagged<Scalar>,
) -> Result<(), String> {
    let little = record.text("advice_bytes_le").to_owned();
    expect("bytes", &bytes(resolved, &read.value, &LITTLE)?, &little)?;
    let right = record.get("bytes_le").as_str() == Some(&little);
    let big = if right { record.get("bytes_be") } else { record.get("spec_bytes_be") };
    if let Some(big) = big.as_str() {
        expect("bytes, big", &bytes(resolved, &read.value, &BIG)?, &big.to_owned())?;
    }
    written(record, format, resolved, read)?;
    if right { like_the_oracle(record, resolved, read) } else { Ok(()) }
}

/// Our own JSON is read back as the same bits, in the format of the record.
fn written(
    record: &Record,
    format: Format,
    resolved: &Resolved,
    read: &Flagged<Scalar>,
) -> Result<(), String> {
    let data_type = &resolved.data_type;
    let json = match data_type.fill_to_json(&read.value, format, &resolved.order) {
        Ok(json) => json,
        // V2 has one NaN only.
        Err(note) if format == Format::V2 && note.code == Code::NanPayload => return Ok(()),
        Err(note) => return Err(format!("cannot be written: {}", note.text)),
    };
    let again = Json::parse_str(&json.to_string()).unwrap();
    let again = data_type.fill_from_json(&again, format, &resolved.order);
    let again = again.map_err(|error| format!("{json} is not read back: {error}"))?;
    expect("written again", &again.value, &read.value)?;
    let conforming = record.get("spec_v3_out");
    // A power of two with many digits has no short decimal that is one.
    let exact = data_type.name() != "float8_e8m0fnu";
    if format == Format::V3 && !conforming.is_null() && exact {
        let other = data_type.fill_from_json(conforming, format, &resolved.order);
        let other = other.map_err(|error| format!("{conforming} is refused: {error}"))?;
        expect("the conforming spelling", &other.value, &read.value)?;
    }
    Ok(())
}

/// For values that zarr-python reads right, our JSON is its own: NaT and NaN with a payload aside.
fn like_the_oracle(
    record: &Record,
    resolved: &Resolved,
    read: &Flagged<Scalar>,
) -> Result<(), String> {
    let spelled_otherwise = read.value.is_nat()
        || !resolved.data_type.fields().is_empty()
        || !record.get("spec_v3_out").is_null();
    for (format, key) in [(Format::V2, "v2_out"), (Format::V3, "v3_out")] {
        let theirs = record.get(key);
        let ours = resolved.data_type.fill_to_json(&read.value, format, &resolved.order);
        if theirs.is_null() || spelled_otherwise {
            continue;
        }
        let nan = |value: &Json| value.to_string().contains("NaN");
        match ours {
            Err(note) if note.code == Code::NanPayload && nan(theirs) => {}
            Ok(ours) if same(&ours, theirs) || (nan(theirs) && ours.to_string().contains("0x")) => {
            }
            // The oracle keeps the zeros that it was given; they are padding.
            Ok(_) if resolved.data_type.kind() == "NullTerminatedBytes" => {}
            // Raw bytes have base64 in zarr-python's own name, and integers in the registered one.
            Ok(ours)
                if ours.as_array().is_some()
                    && format == Format::V3
                    && resolved.data_type.kind() == "RawBytes" => {}
            Ok(ours) => return Err(format!("{key}: {ours}, expected {theirs}")),
            Err(note) => return Err(format!("{key}: {}, expected {theirs}", note.text)),
        }
    }
    Ok(())
}
