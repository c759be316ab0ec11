//! `digest`: by what a copy is verified without the original.

use super::bounded_lines::{BoundedLines, FileLine};
use super::prelude::*;
use crate::zarr::digest::{Objects, StoredObjects};
use std::{collections::VecDeque, sync::Mutex};

mod content;
mod parts;
use content::{Summed, content, stored_stretches};

/// The arguments of `digest`.
#[derive(Debug, Clone, Args)]
pub struct Arguments {
    /// A store, a node in one, a .zip store, or a folder of stores [default: .]
    path: Option<PathBuf>,
    /// Print only one of the two digests; the stored one decodes nothing
    #[arg(long, value_name = "content|stored", hide_possible_values = true)]
    only: Option<Which>,
    /// Print JSON: {"path", "content", "stored"} of an array a line
    #[arg(long)]
    json: bool,
    /// Compare with the digests in FILE, the output of `digest --json`; by content where both have one
    #[arg(long, value_name = "FILE")]
    check: Option<PathBuf>,
    /// The part that is made of it, or that it is put together from.
    #[command(flatten)]
    spread: SpreadOptions,
}

/// The digest to print.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Which {
    /// That of the elements, whatever their format, chunks and codecs
    Content,
    /// The DANDI archive's, of the files
    Stored,
}

/// The digests of a node.
#[derive(Default)]
struct Digests {
    content: Option<String>,
    stored: Option<String>,
}

/// [`report`] of nodes as they are in the store now.
fn report_now(
    arguments: &Arguments,
    opened: &Opened,
    nodes: &[Node],
    output: &mut Output,
) -> CommandResult {
    let line = Mutex::new(None::<(u64, Progress)>);
    let progress = |done: u64, of: u64| {
        let mut line = lock(&line);
        let known = line.take_if(|(before, _)| *before < done);
        let progress = known.map_or_else(|| Progress::new(of, "bytes"), |known| known.1);
        line.insert((done, progress)).1.reach(done);
        true
    };
    let store = opened.hierarchy.store.as_ref();
    let objects = StoredObjects { store, progress: &progress };
    let sources: Sources<'_> = (&objects, &|array, _| {
        let all = 0..array.elements("for a digest")?;
        content(array, &stored_stretches(array), all)
    });
    report(arguments, (opened, nodes), sources, output)
}

/// The sums of the stored objects, and of elements.
type Sources<'a> = (&'a dyn Objects, ContentOf<'a>);

/// The sum of the elements of an array of this name.
type ContentOf<'a> = &'a dyn Fn(&ReadArray, &str) -> Result<Summed, Failure>;

/// Prints the digests of nodes, or compares them with those that are known.
fn report(
    arguments: &Arguments,
    (opened, nodes): (&Opened, &[Node]),
    sources: Sources<'_>,
    output: &mut Output,
) -> CommandResult {
    let known = arguments.check.as_deref().map(read).transpose()?;
    let (store, root) = (opened.hierarchy.store.as_ref(), &opened.node.path);
    let wanted = |which| arguments.only.is_none_or(|only| only == which);
    let (objects, content) = sources;
    let mut ahead = VecDeque::new();
    if store.is_far() && arguments.only.is_none() {
        // What is read for the content need not be read again.
        store.expect_md5();
        store.expect_reading(Some(&root.0));
        for node in nodes {
            let array = |array| ReadArray::of(store, &node.path, array, output).ok();
            let array = node.kind.array().and_then(array);
            let name = root.relative(&node.path.0);
            ahead.push_back(array.map(|array| content(&array, name)).transpose()?);
        }
    }
    let mut stored = BTreeMap::new();
    if wanted(Which::Stored) {
        let folders = nodes.iter().map(|node| node.path.0.clone()).collect();
        stored = digest::stored(objects, &root.0, &folders);
    }
    let mut verdict = ExitStatus::Fine;
    let mut found = BTreeMap::new();
    for node in nodes {
        let name = root.relative(&node.path.0);
        let summed = ahead.pop_front().flatten();
        let mut digests = Digests::default();
        let mut complain = |error: &Error| {
            output::complain(&error.clone().in_file(&node.path.0).to_string());
            verdict = verdict.max(ExitStatus::Flawed);
        };
        match stored.remove(&node.path.0) {
            Some(Ok(digest)) => digests.stored = Some(digest),
            Some(Err(error)) => complain(&error),
            None => {}
        }
        match &node.kind {
            NodeKind::Array(metadata) if wanted(Which::Content) => {
                match ReadArray::of(store, &node.path, metadata, output) {
                    Ok(array) => {
                        let summed = summed.map_or_else(|| content(&array, name), Ok)?;
                        let (digest, went) = summed.finish(&array, &node.path);
                        digests.content = digest;
                        verdict = verdict.max(went);
                    }
                    Err(error) => complain(&error),
                }
            }
            NodeKind::Broken(error) => complain(error),
            _ => {}
        }
        match &known {
            None => print(name, &digests, arguments.json, output)?,
            Some(_) => drop(found.insert(name.to_owned(), digests)),
        }
    }
    match known {
        Some(known) => compare(&known, &found, verdict, output),
        None => Ok(verdict),
    }
}

/// The node that was named and the arrays below it.
fn nodes(opened: &Opened) -> Vec<Node> {
    opened.nodes(|node, depth| depth == 0 || node.kind.is_array())
}

fn print(name: &str, digests: &Digests, json: bool, output: &mut Output) -> Printed {
    let Digests { content, stored } = digests;
    if json {
        let line = object! {"path": name, "content": content.as_ref(), "stored": stored.as_ref()};
        return output.json_line(&line);
    }
    let name = if name.is_empty() { ".".to_owned() } else { safe_owned(name) };
    output.line(&output.paint(Role::Strong, &name))?;
    for (label, digest) in [("content", content), ("stored", stored)] {
        if let Some(digest) = digest {
            output.line(&format!(
                "  {}  {digest}",
                output.paint(Role::Quiet, &format!("{label:<7}"))
            ))?;
        }
    }
    Ok(())
}

/// The digests in `file`, by path.
fn read(file: &Path) -> Result<BTreeMap<String, Digests>> {
    /// The most bytes of a line: a path and two digests.
    const LONGEST: u64 = 1 << 20;
    let name = file.display().to_string();
    let unreadable = |error: io::Error| {
        let found = format!("{error}");
        Error::new(Code::Io, found, "the output of `digest --json`").in_file(&name)
    };
    let mut lines = BoundedLines::open(file).map_err(unreadable)?;
    let mut known = BTreeMap::new();
    while let Some(FileLine { bytes, .. }) = lines.next(LONGEST).map_err(unreadable)? {
        if bytes.trim_ascii().is_empty() {
            continue;
        }
        let document = Json::parse(&bytes).map_err(|error| error.in_file(&name))?;
        let member = |key: &str| document.root.get_str(key).map(str::to_owned);
        let digests = Digests { content: member("content"), stored: member("stored") };
        let path = member("path").ok_or_else(|| {
            let expected = "a line with a path, as `digest --json` prints it";
            Error::new(Code::MissingField, "a line without a path", expected).in_file(&name)
        })?;
        known.insert(path, digests);
    }
    Ok(known)
}

/// Says of every path whether its digests are those that are known.
fn compare(
    known: &BTreeMap<String, Digests>,
    found: &BTreeMap<String, Digests>,
    verdict: ExitStatus,
    output: &mut Output,
) -> CommandResult {
    let mut differ = 0_u64;
    for (path, was) in known {
        let Some(is) = found.get(path) else {
            differ += 1;
            line(path, "is not there", Role::Error, output)?;
            continue;
        };
        let same = |a: &Option<String>, b: &Option<String>| Some(a.as_ref()? == b.as_ref()?);
        let text = match (same(&was.content, &is.content), same(&was.stored, &is.stored)) {
            (Some(true), Some(false)) => "same content, stored differently",
            (Some(true), _) => "same content",
            (None, Some(true)) => "same files",
            (Some(false), _) => "different content",
            // A group is the same if its arrays are: its files may differ.
            (None, Some(false))
                if is.content.is_none() && was.content.is_none() && found.len() > 1 =>
            {
                "other files"
            }
            (None, Some(false)) => "different files, content not compared",
            (None, None) => "not compared: one side has no digest",
        };
        let good = text.starts_with("same") || text == "other files";
        differ += u64::from(!good);
        line(path, text, if good { Role::Good } else { Role::Error }, output)?;
    }
    for path in found.keys().filter(|path| !known.contains_key(*path)) {
        line(path, "is new", Role::Warning, output)?;
    }
    Ok(verdict.max(ExitStatus::flawed_if(differ > 0)))
}

fn line(path: &str, text: &str, role: Role, output: &mut Output) -> Printed {
    let path = if path.is_empty() { ".".into() } else { safe(path) };
    output.line(&format!("{path}: {}", output.paint(role, text)))
}
