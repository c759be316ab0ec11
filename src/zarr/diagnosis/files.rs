//! Diagnoses of single chunk files, put together: files with the same explanation are one diagnosis.

use super::prelude::*;

/// Diagnoses of one kind, with the files that they are of.
type DiagnosedFiles = Vec<(Diagnosis, Vec<String>)>;

/// Takes the samples out that `test` explains, each with a diagnosis of its own.
pub(super) fn explained(
    samples: &mut Vec<Sample>,
    test: impl Fn(&Sample) -> Option<Diagnosis>,
) -> Vec<Diagnosis> {
    let mut found = Vec::new();
    samples.retain(|sample| {
        let told = test(sample).map(|it| it.in_files(vec![sample.key.clone()]));
        let keep = told.is_none();
        found.extend(told);
        keep
    });
    found
}

/// Each sample that one of `tests` explains is taken out; those explained alike are one diagnosis.
pub(super) fn gathered(
    case: &Case,
    samples: &mut Vec<Sample>,
    tests: &[fn(&Case, &Sample) -> Option<Diagnosis>],
) -> Vec<Diagnosis> {
    gathered_with(case, samples, &|sample| tests.iter().find_map(|test| test(case, sample)))
}

/// The same with one test.
pub(super) fn gathered_with(
    case: &Case,
    samples: &mut Vec<Sample>,
    test: &dyn Fn(&Sample) -> Option<Diagnosis>,
) -> Vec<Diagnosis> {
    let mut told = DiagnosedFiles::new();
    samples.retain(|sample| {
        let Some(found) = test(sample) else { return true };
        match told.iter_mut().find(|(known, _)| known.sentence == found.sentence) {
            Some((known, files)) => {
                files.push(sample.key.clone());
                also_mended_by(known, found);
            }
            None => told.push((found, vec![sample.key.clone()])),
        }
        false
    });
    let finish = |(mut diagnosis, files): (Diagnosis, Vec<String>)| {
        diagnosis.explains = case.symptoms.codes();
        diagnosis.sentence = match files.len() {
            1 => diagnosis.sentence,
            count if case.symptoms.failures > count as u64 && samples.is_empty() => format!(
                "{} (in all {count} chunks examined, of {} with a fault)",
                diagnosis.sentence, case.symptoms.failures
            ),
            count => format!("{} ({count} files: {})", diagnosis.sentence, named(&files)),
        };
        // Where most chunks fail, those that were not looked at most likely fail alike.
        let is_all = case.symptoms.failures > files.len() as u64;
        diagnosis.files = if is_all && samples.is_empty() { Vec::new() } else { files };
        diagnosis
    };
    told.into_iter().map(finish).collect()
}

/// Adds the commands that mend one more file, and the advice on it, to those on others of the same kind.
pub(super) fn also_mended_by(known: &mut Diagnosis, other: Diagnosis) {
    if let (Some(all), Some(more)) = (&mut known.to_do, &other.to_do)
        && !all.lines().any(|line| line == more)
    {
        all.push('\n');
        all.push_str(more);
    }
    match (&mut known.change, other.change) {
        (Some(Change::Bytes(text, files)), Some(Change::Bytes(more, others))) => {
            text.add(&more);
            files.extend(others);
        }
        // Where one file cannot be mended, all of them are not.
        (known, _) => *known = None,
    }
}

/// The advice for a chunk whose data are gone.
pub(super) fn again(key: &str) -> String {
    format!("fetch or write this chunk again: {key}")
}

/// The same for a file that holds nothing. Removing it is for a person to decide, so it is no command.
pub(super) fn again_or_none(key: &str) -> String {
    format!("{} (without the file, the chunk reads as the fill value)", again(key))
}

/// The command that puts in the place of a chunk file `bytes`, which are what `filters` make of it, each of them from its standard input to
/// its standard output. Each writes a new file beside it: the status of a pipe is that of its last command only, the
/// chunk is whole until it is replaced, and nothing that is there already is written to.
pub(super) fn rewritten(key: &str, filters: &[ShellScript], bytes: impl Into<Arc<[u8]>>) -> Change {
    let path = ShellWord::key(key);
    let (mut steps, mut inside) = (Vec::new(), Vec::new());
    let (mut from, last, whole) = (path.clone(), filters.len(), format!("{key}.new"));
    for (number, filter) in (1..).zip(filters) {
        let name = if number == last { whole.clone() } else { format!("{key}.inside{number}") };
        let to = ShellWord::key(&name);
        steps.push(script!("{} < {} > {}", *filter, from, to));
        inside.extend((number < last).then(|| script!("rm {}", to)));
        from = to;
    }
    let first = script!("(set -C; {})", ShellScript::chain(steps));
    let end = script!("mv {} {}", ShellWord::key(&whole), path);
    let steps = std::iter::once(first).chain(inside).chain([end]);
    Change::Bytes(ShellScript::chain(steps), FileContent::of(key, bytes))
}

pub(super) fn contains(bytes: &[u8], part: &[u8]) -> bool {
    memchr::memmem::find(bytes, part).is_some()
}

/// True if a chunk of these bytes can be decoded as declared.
pub(super) fn decodes(case: &Case, sample: &Sample, bytes: Vec<u8>) -> bool {
    case.decode(case.array, &sample.at, bytes, &case.budget()).is_some()
}
