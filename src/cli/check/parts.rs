//! A check that is spread over many machines: the part of one, and the report from all.

use super::{Arguments, ConventionName, Progress, report};
use crate::cli::prelude::*;
use crate::{
    cli::part_file::{PartFile, is_set},
    zarr::check::{self, CheckedChunk, ChunkScope, Object},
};

const COMMAND: &str = "check";

/// The name of a chunk in the file of a part: its key as seen from the node that is checked.
fn name((key, format): Object<'_>, root: &NodePath) -> String {
    let below = root.relative(key);
    match format {
        Format::V2 => format!("{below} (V2)"),
        Format::V3 => below.to_owned(),
    }
}

/// Checks the chunks of one part, and writes what is found into its file.
pub(super) fn make(arguments: &Arguments, job: PartJob, output: &mut Output) -> CommandResult {
    let typed = arguments.path()?.unwrap_or_else(|| Path::new(".")).to_owned();
    let Opened { hierarchy, node: Node { path, .. }, .. } = open(&typed)?;
    let command = (COMMAND, options(arguments, output));
    let (memory, limit) = (output.memory(), output.max_decoded());
    let place = (&hierarchy, &path, typed.as_path());
    let Some(file) = PartFile::open(command, place, job, output)? else {
        return Ok(ExitStatus::Fine);
    };
    let budget = Budget::default().with_limit(limit).with_memory(&*memory);
    let options = CheckOptions {
        metadata_only: arguments.metadata_only,
        spread: Some(&super::spread),
        budget,
        ..CheckOptions::default()
    };
    chunks((&hierarchy, &path), job.part, file, options)
}

/// Checks the chunks of one part, and finishes its file.
fn chunks(
    (hierarchy, path): (&Hierarchy, &NodePath),
    part: Partition,
    file: PartFile<'_>,
    options: CheckOptions<'_>,
) -> CommandResult {
    let (file, failure) = (RefCell::new(file), RefCell::new(None::<io::Error>));
    let wanted = |object: Object<'_>| {
        let name = name(object, path);
        part.has(&name) && failure.borrow().is_none() && !file.borrow().has(&name)
    };
    let each = |object: Object<'_>, found: CheckedChunk| {
        if failure.borrow().is_none() {
            let written = file.borrow_mut().write(&name(object, path), &found.to_json());
            *failure.borrow_mut() = written.err();
        }
    };
    let mut progress = Progress::new(0, "chunks");
    let options = CheckOptions { chunks: ChunkScope::Some(&wanted, &each), ..options };
    check::check(hierarchy, path, &options, &mut |event| {
        if let Event::Progress(summary) = event {
            progress.reach(summary.chunks);
        }
    });
    drop(progress);
    match failure.into_inner() {
        Some(error) => Err(Failure::Output(error)),
        None => file.into_inner().finish().map(|()| ExitStatus::Fine),
    }
}

/// Prints the report from the files of all parts.
pub(super) fn merge(
    arguments: &Arguments,
    files: &[PathBuf],
    output: &mut Output,
) -> CommandResult {
    let parts = ReportParts::read(files, COMMAND)?;
    let arguments = with(arguments, &parts.options)?;
    let Opened { hierarchy, node: Node { path, .. }, .. } = parts.open(arguments.path()?)?;
    compare(&parts, &hierarchy, &path)?;
    let checked = |object: Object<'_>| {
        parts.get(&name(object, &path), CheckedChunk::from_json).unwrap_or_default()
    };
    report(&arguments, &hierarchy, &path, ChunkScope::Checked(&checked), output)
}

/// Checks that the parts know just the chunks that the store has.
fn compare(parts: &ReportParts, hierarchy: &Hierarchy, path: &NodePath) -> Result<()> {
    let (seen, failure) = (RefCell::new(HashSet::new()), RefCell::new(None));
    let look = |object: Object<'_>| {
        let name = name(object, path);
        if let Err(error) = parts.get(&name, CheckedChunk::from_json) {
            failure.borrow_mut().get_or_insert(error);
        }
        seen.borrow_mut().insert(name);
    };
    let chunks = ChunkScope::Seen(&look);
    let options = CheckOptions { metadata_only: true, chunks, ..CheckOptions::default() };
    check::check(hierarchy, path, &options, &mut |_| {});
    let seen = seen.into_inner();
    let stranger = parts.objects().filter(|object| !seen.contains(*object)).min();
    match (failure.into_inner(), stranger) {
        (Some(error), _) => Err(error),
        (None, Some(stranger)) => Err(parts.stranger(stranger)),
        (None, None) => Ok(()),
    }
}

/// The options that a part was made with: the report of all parts has them too.
fn options(arguments: &Arguments, output: &Output) -> Json {
    let &Arguments { metadata_only, strict, deep, fixes, json, .. } = arguments;
    let conventions = arguments.conventions.iter().filter_map(ValueEnum::to_possible_value);
    object! {
        "metadata_only": metadata_only, "max_decoded": output.limit_given(),
        "strict": strict, "deep": deep, "fixes": fixes, "json": json,
        "conventions": conventions.map(|value| Json::from(value.get_name())).collect::<Json>(),
    }
}

/// The arguments together with the options of the parts.
fn with(arguments: &Arguments, options: &Json) -> Result<Arguments> {
    let is_set = |key: &str| is_set(options, key);
    if arguments.metadata_only && !is_set("metadata_only") {
        let found = "--metadata-only, but the parts were made without it";
        return Err(Error::new(
            Code::Partition,
            found,
            "the options that the parts were made with",
        ));
    }
    let given = options.get_array("conventions").unwrap_or_default();
    let given = given.iter().filter_map(|name| ConventionName::from_str(name.as_str()?, true).ok());
    let conventions = match arguments.conventions.as_slice() {
        [] => given.collect(),
        asked => asked.to_vec(),
    };
    Ok(Arguments {
        conventions,
        metadata_only: is_set("metadata_only"),
        strict: arguments.strict || is_set("strict"),
        deep: arguments.deep || is_set("deep"),
        fixes: arguments.fixes || is_set("fixes"),
        json: arguments.json || is_set("json"),
        ..arguments.clone()
    })
}
