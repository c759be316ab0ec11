//! Chunk files that belong under other keys: the commands that rename them, whatever is there under these keys now.

use super::prelude::*;
use crate::zarr::error::ChangedFile;
use std::collections::BTreeSet;

/// The most files for which commands are given.
const COMMANDS: usize = 256;

/// The cause with the commands that rename files, each from one key to another: those in each other's place are put aside
/// first.
pub(super) fn mended_by_renames(diagnosis: Diagnosis, renames: &[(String, String)]) -> Diagnosis {
    let due: Vec<&(String, String)> = renames.iter().filter(|(from, to)| from != to).collect();
    let old: BTreeSet<&str> = due.iter().map(|(from, _)| from.as_str()).collect();
    let new: BTreeSet<&str> = due.iter().map(|(_, to)| to.as_str()).collect();
    // A key that is the folder of another one cannot be a file as long as that is there.
    let has_folder = new.iter().any(|to| old.iter().any(|from| is_in(from, to)));
    if has_folder || due.len() > COMMANDS || new.len() < due.len() {
        let example = due.first().map_or_else(String::new, |(from, to)| format!("{from} to {to}"));
        return diagnosis.to_do(format!("rename {} files, such as {example}", due.len()));
    }
    let is_aside = |from: &str| new.contains(from) || new.iter().any(|to| is_in(to, from));
    let aside = |from: &str| format!("{from}.moved");
    let first = due.iter().filter(|(from, _)| is_aside(from));
    let mut lines: Vec<ShellScript> = first.map(|(from, _)| mv(from, &aside(from))).collect();
    let mut created = BTreeSet::new();
    for (from, to) in &due {
        let from = if is_aside(from) { aside(from) } else { from.clone() };
        let folder = folder(to).filter(|folder| {
            !renames.iter().any(|(other, _)| is_in(other, folder)) && created.insert(*folder)
        });
        let make = folder.map(|it| script!("mkdir -p {}", ShellWord::key(it)));
        lines.push(ShellScript::chain(make.into_iter().chain([mv(&from, to)])));
    }
    let gone = old.difference(&new).map(|key| ((*key).to_owned(), FileContent::Gone));
    let mut files: Vec<ChangedFile> = gone.collect();
    files.extend(due.iter().map(|(from, to)| (to.clone(), FileContent::Moved(from.clone()))));
    diagnosis.mended_by(Change::Places(ShellScript::all(lines), files))
}

/// The command that renames a file, and overwrites none.
fn mv(from: &str, to: &str) -> ShellScript {
    script!("mv -n {} {}", ShellWord::key(from), ShellWord::key(to))
}

fn folder(key: &str) -> Option<&str> {
    key.rsplit_once('/').map(|(folder, _)| folder)
}

/// True if `key` is below the key `folder`.
fn is_in(key: &str, folder: &str) -> bool {
    key.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commands(renames: &[(&str, &str)]) -> Option<String> {
        let renames: Vec<_> =
            renames.iter().map(|(from, to)| ((*from).to_owned(), (*to).to_owned())).collect();
        let found = mended_by_renames(Diagnosis::new("chunk-keys", ""), &renames);
        Some(found.fix()?.script().to_string())
    }

    #[test]
    fn files_in_each_others_place_are_put_aside() {
        assert_eq!(
            commands(&[("c/0", "c/1"), ("c/1", "c/0"), ("c/2", "c/2")]).unwrap(),
            "mv -n c/0 c/0.moved\nmv -n c/1 c/1.moved\nmv -n c/0.moved c/1\nmv -n c/1.moved c/0"
        );
    }

    #[test]
    fn folders_are_made_where_there_are_none() {
        assert_eq!(
            commands(&[("0", "0/0"), ("1.0", "1/0"), ("1.1", "1/1")]).unwrap(),
            "mv -n 0 0.moved\nmkdir -p 0 && mv -n 0.moved 0/0\nmkdir -p 1 && mv -n 1.0 1/0\nmv -n 1.1 1/1"
        );
        assert_eq!(commands(&[("0/0", "0")]), None);
        assert_eq!(commands(&[("a", "c/0"), ("b", "c/0")]), None);
    }
}
