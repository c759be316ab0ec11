//! Every page of `src/findings` is a test: the store in its blocks is written, its commands are run, and their output
//! must be the one on the page. What follows the output undoes the fault: then `check` is silent.
//! `BLESS=1 cargo test --test it finding_pages` writes the outputs anew.

use crate::page_blocks::{Block, blocks};
use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
};
use zarrscope::{
    cli::Cli,
    zarr::{
        Budget, Code, FindingPage, Hierarchy, NodePath,
        error::CauseKind,
        readers::{ReaderAnswer, ReaderOutcome, features_in, table},
    },
};

/// Writes a file of a store, or a link.
fn write(root: &Path, block: &Block) {
    let Block { file, text, .. } = block;
    let path = root.join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    if let Some(target) = text.trim().strip_prefix("-> ") {
        #[cfg(unix)]
        std::os::unix::fs::symlink(target, &path).unwrap();
        return;
    }
    fs::write(path, block.bytes()).unwrap();
}

/// The text of a `diff` block applied to a file: lines with `-` are replaced by those with `+`; a file without is
/// written, renamed or deleted.
fn undo(root: &Path, blocks: &[Block], Block { file, text, .. }: &Block) {
    let path = root.join(file);
    if let Some(name) = text.trim().strip_prefix("rename to ") {
        let bytes = fs::read(&path).unwrap();
        fs::remove_file(&path).unwrap();
        clean(&path);
        let text = bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat();
        let file = name.to_owned();
        return write(root, &Block { file, language: "hex".into(), text });
    }
    if text.trim() == "deleted" {
        fs::remove_file(&path).unwrap();
        return clean(&path);
    }
    let part = |sign: char| -> Vec<&str> {
        text.lines().filter_map(|line| line.strip_prefix(sign)).collect()
    };
    let (old, new) = (part('-').join("\n"), part('+').join("\n"));
    let known = blocks.iter().rfind(|it| it.file == *file);
    let language = known.map_or_else(
        || if new.starts_with('{') { "json" } else { "hex" }.into(),
        |it| it.language.clone(),
    );
    let before = if language == "hex" || !path.exists() {
        known.map_or_else(String::new, |it| it.text.clone())
    } else {
        fs::read_to_string(&path).unwrap()
    };
    assert_eq!(before.matches(&old).count().min(1), 1, "{file}: {old:?} is not in {before}");
    let text = if old.is_empty() { new } else { before.replacen(&old, &new, 1) };
    write(root, &Block { file: file.clone(), language, text });
}

/// Removes the folders of `path` that are empty now.
fn clean(path: &Path) {
    path.ancestors().skip(1).take_while(|folder| fs::remove_dir(folder).is_ok()).for_each(drop);
}

/// The output of a line of a `console` block without the summary; ` | grep WORD` keeps the lines that have it.
fn output(root: &Path, line: &str) -> String {
    let (line, word) = line.split_once(" | grep ").unwrap_or((line, ""));
    let word = word.trim_matches('\'');
    let words = shlex(line.strip_prefix("zarrscope ").expect("zarrscope"));
    let ran = Command::new(env!("CARGO_BIN_EXE_zarrscope"))
        .args(words)
        .current_dir(root)
        .env("COLUMNS", "100")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = String::from_utf8([ran.stderr, ran.stdout].concat()).unwrap();
    let is_summary = |line: &str| {
        let mut words = line.split(' ');
        words.next().is_some_and(|it| it.parse::<u32>().is_ok())
            && words.next().is_some_and(|it| it.starts_with("node"))
    };
    let lines = text.lines().take_while(|line| !is_summary(line));
    lines
        .filter(|line| line.contains(word))
        .fold(String::new(), |all, line| all + line.trim_end() + "\n")
}

/// The words of a command line, with `'…'` around those that have spaces or quotes.
fn shlex(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut is_quoted = false;
    for c in line.chars() {
        match c {
            '\'' => is_quoted = !is_quoted,
            ' ' if !is_quoted => words.push(String::new()),
            c => words.last_mut().unwrap().push(c),
        }
    }
    words
}

/// Findings that no store of a few lines has, or that only a program that uses the library can have.
const UNREACHED: &[(&str, &str)] = &[
    ("access-denied", "needs a server"),
    ("ambiguous-name", "needs a registry with two families of one name"),
    ("cannot-list", "needs a server"),
    ("cause", "is told by the kinds of causes"),
    ("chunk-changed", "needs a writer at work"),
    ("codec-not-encoded", "is what a trial meets"),
    ("network", "needs a server"),
    ("no-memory", "needs a machine without memory"),
    ("not-loaded", "is of the library"),
    ("panic", "is a bug"),
    ("link-outside", "names the folder that the link leads to"),
    ("stopped", "needs somebody who stops it"),
    ("too-large", "needs gigabytes"),
    ("zip-unchecked", "needs an archive with a large shard"),
];

/// Pages whose sentences about readers are of another store than that of the example, which those readers refuse for
/// another member.
const ELSEWHERE: &[&str] = &["missing-field", "zarr-format"];

/// Checks a page, or with `BLESS` writes its outputs anew. The faults that it has.
fn run(name: &str) -> Vec<String> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("src/findings/{name}.md"));
    let page = fs::read_to_string(&path).unwrap();
    let mut faults = Vec::new();
    // Many files, and bytes, take what they take.
    let blocks = blocks(&page);
    let bytes = blocks.iter().filter(|it| ["hex", "diff"].contains(&it.language.as_str()));
    let bytes: usize = bytes.map(|block| block.text.lines().count()).sum();
    let prose = page.split("\n## ").next().unwrap().lines().count();
    if prose > 14 || page.lines().count() > 40 + 5 * blocks.len() + bytes {
        faults.push(format!("{name}: {} lines", page.lines().count()));
    }
    let Some(console) = blocks.iter().position(|it| it.language == "console") else {
        if !UNREACHED.iter().any(|(code, _)| *code == name) {
            faults.push(format!("{name}: has no example"));
        }
        return faults;
    };
    let folder = crate::scratch();
    let root = folder.path().join("store");
    fs::create_dir(&root).unwrap();
    let files = &blocks[..console];
    for block in files {
        write(&root, block);
    }
    let want = &blocks[console].text;
    let commands: Vec<&str> = want.lines().filter_map(|line| line.strip_prefix("$ ")).collect();
    let found: String = commands
        .iter()
        .map(|line| format!("$ {line}\n{}", output(&root, line)))
        .collect::<Vec<_>>()
        .concat();
    if env::var_os("BLESS").is_some() {
        fs::write(&path, page.replacen(want.as_str(), &found, 1)).unwrap();
    } else if *want != found {
        faults.push(format!("{name} has\n{want}but the output is\n{found}"));
    }
    let is_check = commands.first().is_some_and(|line| line.starts_with("zarrscope check"));
    // What follows from a cause is only counted in the text.
    let is_shown = || {
        let json = output(&root, &format!("{} --json", commands[0]));
        found.contains(&format!("({name})")) || json.contains(&format!("\"{name}\""))
    };
    if is_check && !is_shown() {
        faults.push(format!("{name} is not in its own example:\n{found}"));
    }
    let twin = &blocks[console + 1..];
    if !twin.is_empty() {
        for block in twin {
            undo(&root, files, block);
        }
        let left = output(&root, commands[0]);
        if is_check && !left.is_empty() {
            faults.push(format!("{name}: its twin has\n{left}"));
        }
    }
    faults
}

#[test]
fn every_page_is_true() {
    let names: BTreeSet<&str> = Code::ALL
        .iter()
        .map(|code| code.as_str())
        .chain(CauseKind::ALL.iter().map(|it| it.word()))
        .collect();
    let names: Vec<&str> = names.into_iter().collect();
    let halves = names.chunks(names.len().div_ceil(2));
    let faults: Vec<String> = thread::scope(|scope| {
        let work: Vec<_> = halves
            .map(|half| {
                scope.spawn(move || half.iter().flat_map(|name| run(name)).collect::<Vec<_>>())
            })
            .collect();
        work.into_iter().flat_map(|it| it.join().unwrap()).collect()
    });
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

/// The texts of all Rust files below a folder.
fn sources(folder: &Path) -> Vec<String> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths
        .flat_map(|path| match path.extension() {
            None => sources(&path),
            Some(_) => vec![fs::read_to_string(path).unwrap()],
        })
        .collect()
}

/// A code of a cause, such as `truncated/raw`, stands at one place, and its kind has a page.
#[test]
fn causes_have_codes_of_their_own() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/zarr");
    let mut found: Vec<String> = Vec::new();
    for source in sources(&folder) {
        for (before, literal) in
            source.split('"').collect::<Vec<_>>().windows(2).map(|it| (it[0], it[1]))
        {
            let is_code = literal.contains('/') && CauseKind::of(literal).is_some();
            if is_code && !before.ends_with("== ") {
                found.push(literal.to_owned());
            }
        }
    }
    found.sort();
    let twice: Vec<_> = found.windows(2).filter(|pair| pair[0] == pair[1]).collect();
    assert!(twice.is_empty(), "{twice:?}");
    for kind in CauseKind::ALL {
        assert!(found.iter().any(|code| CauseKind::of(code) == Some(*kind)), "{kind:?}");
    }
}

/// Every page with its name.
fn pages() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/findings");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files
        .map(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            (name, fs::read_to_string(path).unwrap())
        })
        .collect()
}

/// The long options of a command and of those below it.
fn options(command: &clap::Command, found: &mut BTreeSet<String>) {
    found.extend(command.get_arguments().filter_map(|it| Some(format!("--{}", it.get_long()?))));
    command.get_subcommands().for_each(|it| options(it, found));
}

#[test]
fn pages_name_options_that_there_are() {
    let mut known = BTreeSet::from(["--help".to_owned()]);
    options(&<Cli as clap::CommandFactory>::command(), &mut known);
    for (name, page) in pages() {
        let is_word = |c: char| c.is_ascii_lowercase() || c == '-';
        for word in page.split(|c| !is_word(c)).filter(|word| word.starts_with("--")) {
            assert!(word.len() == 2 || known.contains(word), "{name} names {word}");
        }
    }
}

/// The readers that a part of a sentence names with their versions.
fn named(text: &str) -> Vec<String> {
    let names = ["zarr-python", "zarrs", "TensorStore", "zarrita", "GDAL", "netCDF4"];
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate().filter(|(_, word)| names.contains(word)) {
        let versions = words
            .iter()
            .skip(at + 1)
            .take_while(|next| **next == "and" || next.starts_with(|c: char| c.is_ascii_digit()));
        let versions = versions.map(|next| next.trim_end_matches(','));
        let versions = versions.filter(|next| next.contains('.'));
        found.extend(versions.map(|version| format!("{} {version}", word.to_lowercase())));
    }
    found
}

/// The measured answers for the first array of a page's store.
fn answers(page: &str) -> Vec<ReaderAnswer> {
    let folder = crate::scratch();
    let blocks = blocks(page);
    let files: Vec<&Block> =
        blocks.iter().take_while(|block| block.language != "console").collect();
    for block in files {
        write(folder.path(), block);
    }
    let Ok((hierarchy, _)) = Hierarchy::open(folder.path()) else { return Vec::new() };
    let mut found = Vec::new();
    hierarchy.walk(&NodePath::default(), &mut |node, _| {
        let features = features_in(&hierarchy, node, &Budget::default());
        found = table().answers(&features);
        features.is_empty()
    });
    found
}

/// A reader that a page says refuses or reads its own store was measured to do so, or not measured at all.
#[test]
fn readers_do_what_pages_say() {
    let mut faults = Vec::new();
    let mut held = 0;
    for (name, page) in pages() {
        let why = page.lines().find_map(|line| line.strip_prefix("**Why it matters.** "));
        let Some(why) = why.filter(|_| page.contains("```console")) else { continue };
        let answers = answers(&page);
        for clause in why.split([';', ':']).flat_map(|part| part.split(". ")) {
            let says = |words: &[&str]| words.iter().any(|word| clause.contains(word));
            let refuses = says(&["refuse", "reject", "raise", "cannot open", "not read"]);
            let reads = says(&[" read", "open", "accept", "skip"]);
            for reader in named(clause) {
                let answer = answers.iter().find(|it| it.reader.to_lowercase() == reader);
                let Some(answer) = answer.filter(|_| refuses || reads) else { continue };
                let is_refusal = match answer.outcome {
                    ReaderOutcome::Error | ReaderOutcome::Crash => true,
                    ReaderOutcome::Reads | ReaderOutcome::Gives | ReaderOutcome::Differs => false,
                    _ => continue,
                };
                held += 1;
                if is_refusal != refuses && !ELSEWHERE.contains(&name.as_str()) {
                    faults.push(format!("{name}: {reader} in {clause:?}: {}", answer.sentence()));
                }
            }
        }
    }
    assert!(held > 150, "{held} claims");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn pages_are_short_titled_once_and_none_is_left_over() {
    let pages: Vec<FindingPage> = Code::ALL
        .iter()
        .filter_map(|code| code.page())
        .chain(CauseKind::ALL.iter().map(|it| it.page()))
        .collect();
    let titles: BTreeSet<&str> = pages.iter().map(|page| page.title()).collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/findings");
    let files = fs::read_dir(folder).unwrap().count();
    assert_eq!(titles.len(), files, "titles and pages");
    let both = CauseKind::ALL.iter().filter(|kind| Code::of(kind.word()).is_some()).count();
    assert_eq!(files, Code::ALL.len() + CauseKind::ALL.len() - both);
}

/// Each kind of cause that the diagnosis names has a page.
#[test]
fn every_kind_of_cause_is_known() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/zarr");
    let folders = [root.join("diagnosis"), root.join("check")];
    let files = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap());
    let mut codes = BTreeSet::new();
    for file in files
        .map(|file| file.unwrap().path())
        .filter(|it| it.extension().is_some_and(|it| it == "rs"))
    {
        let text = fs::read_to_string(file).unwrap();
        let literal =
            |part: &str| Some(part.trim_start().strip_prefix('"')?.split('"').next()?.to_owned());
        codes.extend(text.split("Diagnosis::new(").skip(1).filter_map(literal));
        codes.extend(text.split("Reading::new(").skip(1).filter_map(literal));
    }
    assert!(codes.len() > 60, "{codes:#?}");
    for code in codes {
        assert!(CauseKind::of(&code).is_some(), "{code}");
    }
}
