//! Chunk files named by other numbers: one number for each chunk in C order, or hexadecimal ones.

use super::{keys::told, names::below, prelude::*};

/// Files, each with the chunk that it is.
type NumberedFiles = Vec<(String, Vec<u64>)>;

/// True if no two of `files` are the same chunk, and they are all of the grid.
fn fill_the_grid(case: &Case, files: &NumberedFiles) -> bool {
    let distinct: HashSet<&Vec<u64>> = files.iter().map(|(_, at)| at).collect();
    let total = order::product(&case.layout.counts);
    distinct.len() == files.len()
        && total == Some(files.len() as u64)
        && files.iter().all(|(_, at)| case.layout.has(at))
}

/// The cause of files that are chunks under such names.
pub(super) fn diagnose(case: &Case) -> Option<Diagnosis> {
    let (keys, orphans) = (case.symptoms.keys()?, case.symptoms.orphans()?);
    match (keys, orphans) {
        ([], []) => one_number(case),
        (keys, []) => hexadecimal(case, keys),
        _ => None,
    }
}

/// The cause, if every file has one number in its name, from 0 or 1 to the number of chunks.
fn one_number(case: &Case) -> Option<Diagnosis> {
    let counts = &case.layout.counts;
    let files = case.symptoms.strangers()?.iter().flat_map(|file| below(case, file));
    let numbered: Vec<(String, u64)> =
        files.map(|file| only_number(&file).map(|number| (file, number))).collect::<Option<_>>()?;
    let first = numbered.iter().map(|(_, number)| *number).min().filter(|first| *first <= 1)?;
    let chunk = |(file, number): &(String, u64)| {
        (file.clone(), order::coordinates(u128::from(number - first), counts))
    };
    let moved: NumberedFiles = numbered.iter().map(chunk).collect();
    // Of one chunk, or along one dimension, that is the key of the chunk itself.
    let is_several = counts.iter().filter(|count| **count > 1).count() > 1;
    if !is_several || !fill_the_grid(case, &moved) {
        return None;
    }
    let (example, at) = moved.iter().max_by_key(|(_, at)| at.clone())?;
    let text = format!(
        "The chunks are numbered consecutively from {first} in C order: {example} is chunk {at:?}."
    );
    let evidence = format!(
        "The files are named by the numbers {first} to {}, one for each chunk of the grid.",
        moved.len() as u64 + first - 1
    );
    let mut diagnosis = told(case, text, evidence, &moved);
    diagnosis.is_certain = false;
    Some(diagnosis.because("C order is a guess: only the values could confirm it."))
}

/// The only number in the name of a file.
fn only_number(file: &str) -> Option<u64> {
    let name = file.rsplit('/').next()?;
    let mut numbers = name.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
    numbers.next().filter(|_| numbers.next().is_none())?.parse().ok()
}

/// The cause, if keys with hexadecimal numbers are all of the grid: those without a letter are read as other chunks.
fn hexadecimal(case: &Case, keys: &[Vec<u64>]) -> Option<Diagnosis> {
    let strangers = case.symptoms.strangers()?;
    let from_hex = |digits: &str| u64::from_str_radix(digits, 16).ok();
    let lettered = strangers.iter().map(|file| {
        let name = case.path.relative(file);
        let separator = case.layout.encoding.separator();
        let part = |part: &str| {
            let is_hex = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_hexdigit());
            if is_hex && part != "c" {
                from_hex(part).map(|n| n.to_string())
            } else {
                Some(part.into())
            }
        };
        let parts = name.split(separator).map(part).collect::<Option<Vec<String>>>()?;
        let decimal = parts.join(&separator.to_string());
        Some((file.clone(), case.layout.encoding.parse(&decimal, case.layout.counts.len())?))
    });
    let lettered: NumberedFiles =
        lettered.collect::<Option<_>>().filter(|files: &NumberedFiles| !files.is_empty())?;
    let known = keys.iter().map(|key| {
        let at = key.iter().map(|n| from_hex(&n.to_string())).collect::<Option<Vec<u64>>>()?;
        Some((case.layout.key(key), at))
    });
    let mut all: NumberedFiles = known.collect::<Option<_>>()?;
    all.extend(lettered);
    let (example, at) = all.last()?.clone();
    let text = format!("The numbers in the chunk keys are hexadecimal: {example} is chunk {at:?}.");
    let evidence = format!(
        "Read that way, {} are all chunks of the grid, and none is missing.",
        counted(all.len(), "file")
    );
    fill_the_grid(case, &all).then(|| told(case, text, evidence, &all))
}
