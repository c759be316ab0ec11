//! The stages of a chunk, as text and as JSON: what went in and came out, headers, checksums, and where it stopped.

use crate::cli::prelude::*;
use crate::zarr::{
    codec::{Checksum, HeaderField},
    grid::region_text,
};
use std::time::UNIX_EPOCH;

/// Writes the chunk's title and its stages.
pub(super) fn write(chunk: &Chunk, array: &ArrayMetadata, output: &mut Output) -> Printed {
    write_title(chunk, array, output)?;
    let ascii = output.ascii();
    let rows: Vec<_> =
        chunk.stages.iter().enumerate().map(|(at, stage)| row(at, stage, ascii)).collect();
    let widths = table::widths(&rows);
    for (stage, row) in chunk.stages.iter().zip(&rows) {
        table::write_row(output, row, &widths)?;
        write_details(stage, output)?;
    }
    Ok(())
}

fn write_title(chunk: &Chunk, array: &ArrayMetadata, output: &mut Output) -> Printed {
    let data_type = array.data_type().map_or_else(|| "?".to_owned(), |known| known.name());
    let stored = match chunk.stored {
        Some(stat) => format!("stored {} bytes", stat.len),
        None => format!("missing: reads as {}", fill(array)),
    };
    let name = safe_owned(&chunk.id.name(&chunk.key));
    let text = format!(
        "{}  array {}  {} {}  {stored}",
        output.paint(Role::Strong, &name),
        region_text(&chunk.region),
        times(&chunk.shape),
        safe(&data_type)
    );
    output.line(&text)
}

/// The fill value in words.
fn fill(array: &ArrayMetadata) -> String {
    let scalar = array.fill_scalar().map(|scalar| safe_text(&scalar));
    scalar.map_or_else(
        || "an unknown value: there is no fill value".to_owned(),
        |text| format!("the fill value {text}"),
    )
}

fn row(at: usize, stage: &Stage, ascii: bool) -> Vec<Cell> {
    let out = stage.output.as_ref().map_or_else(String::new, |data| data.len().to_string());
    let arrow = if ascii { "->" } else { "→" };
    let (input, arrow) =
        if at == 0 { (String::new(), "") } else { (stage.input_len.to_string(), arrow) };
    let name = Cell::new(safe_owned(&stage.name));
    let (verdict, role) = state(stage);
    vec![
        Cell::new(at.to_string()).right().role(Role::Quiet),
        if stage.error.is_some() { name.role(Role::Error) } else { name },
        Cell::new(input).right(),
        Cell::new(arrow),
        Cell::new(out).right(),
        Cell::quiet(if stage.output.is_some() { "bytes" } else { "" }),
        Cell::new(configuration(stage)),
        Cell::new(verdict).role(role),
    ]
}

fn configuration(stage: &Stage) -> String {
    const LONGEST: usize = 60;
    let text = stage.configuration.as_ref().map_or_else(String::new, ToString::to_string);
    let text = safe_owned(&text);
    if text == "{}" { String::new() } else { words::shortened(&text, LONGEST) }
}

/// The state of a stage, by its checksum or its failure, in a word or two.
fn state(stage: &Stage) -> (String, Role) {
    match (&stage.checksum, &stage.error) {
        (Some(sum), None) if sum.agrees() => (format!("{} matches", sum.algorithm), Role::Good),
        (Some(sum), _) if !sum.agrees() => (format!("{} differs", sum.algorithm), Role::Error),
        (_, Some(_)) => ("decoding stops here".into(), Role::Error),
        _ => (elements(stage), Role::Quiet),
    }
}

fn elements(stage: &Stage) -> String {
    let elements = stage.output.as_ref().and_then(Data::elements);
    elements.map_or_else(String::new, |elements| {
        format!("{} {}", times(elements.shape()), safe(&elements.data_type().name()))
    })
}

fn write_details(stage: &Stage, output: &mut Output) -> Printed {
    let rows: Vec<_> = stage
        .header
        .iter()
        .map(|field| {
            let problem = field.problem.as_deref().map_or_else(String::new, safe_owned);
            vec![
                Cell::new("    "),
                Cell::new(byte_range(&field.bytes)).right().role(Role::Quiet),
                Cell::new(safe_owned(&field.name)),
                Cell::new(safe_owned(&field.value)),
                Cell::new(problem).role(Role::Error),
            ]
        })
        .collect();
    table::write(output, &rows)?;
    for note in &stage.notes {
        write_indented(&safe(&note.text), Role::Warning, output)?;
    }
    let error = stage.error.as_ref().map(ToString::to_string);
    error.map_or(Ok(()), |error| write_indented(&safe(&error), Role::Error, output))
}

fn write_indented(text: &str, role: Role, output: &mut Output) -> Printed {
    for line in words::wrap(text, output::width().saturating_sub(6)) {
        output.line(&format!("      {}", output.paint(role, &line)))?;
    }
    Ok(())
}

/// The chunk and its stages, without its bytes and values.
pub(super) fn to_json(chunk: &Chunk, array: &ArrayMetadata) -> Json {
    object! {
        "name": chunk.id.name(&chunk.key),
        "key": &chunk.key,
        "coordinates": &chunk.id.coordinates,
        "inner": &chunk.id.inner,
        "region": chunk.region.iter().map(|range| [range.start, range.end]).collect::<Json>(),
        "shape": &chunk.shape,
        "data_type": array.data_type_json().map(Json::strict),
        "stored": chunk.stored.map(|stat| object! {
            "bytes": stat.len,
            "modified": stat.modified.and_then(|at| at.duration_since(UNIX_EPOCH).ok()).map(|at| at.as_secs()),
        }),
        "stages": chunk.stages.iter().map(stage_json).collect::<Json>(),
        "inner_missing": chunk.inner_missing,
    }
}

fn stage_json(stage: &Stage) -> Json {
    let kind = stage.kind.map(|kind| match kind {
        CodecKind::ArrayToArray => "array -> array",
        CodecKind::ArrayToBytes => "array -> bytes",
        CodecKind::BytesToBytes => "bytes -> bytes",
    });
    object! {
        "name": &stage.name,
        "configuration": stage.configuration.as_ref(),
        "kind": kind,
        "bytes_in": stage.input_len,
        "bytes_out": stage.output.as_ref().map(Data::len),
        "header": stage.header.iter().map(header).collect::<Json>(),
        "checksum": stage.checksum.as_ref().map(checksum),
        "notes": json_forms::notes(&stage.notes),
        "error": stage.error.as_ref().map(json_forms::error),
    }
}

fn header(field: &HeaderField) -> Json {
    object! {
        "bytes": [field.bytes.start, field.bytes.end],
        "name": &field.name,
        "value": &field.value,
        "problem": field.problem.as_ref(),
    }
}

fn checksum(checksum: &Checksum) -> Json {
    object! {
        "algorithm": checksum.algorithm,
        "bytes": [checksum.bytes.start, checksum.bytes.end],
        "stored": checksum.stored,
        "computed": checksum.computed,
        "agrees": checksum.agrees(),
    }
}
