//! A check that is spread over many machines: the part of one, and the report from all.

use super::{Arguments, ConventionName, Progress, report};
use crate::cli::prelude::*;
use crate::{
    cli::part_file::is_set,
    zarr::check::{self, CheckedChunk, ChunkScope, Object},
};

/// The name of a chunk in the file of a part: its key as seen from the node that is checked.
fn name((key, format): Object<'_>, root: &NodePath) -> String {
    let below = root.relative(key);
    match format {
        Format::V2 => format!("{below} (V2)"),
        Format::V3 => below.to_owned(),
    }
}

impl Mergeable for Arguments {
    const COMMAND: &'static str = "check";

    fn spread(&self) -> &SpreadOptions {
        &self.spread
    }

    fn path(&self) -> Result<Option<&Path>> {
        if self.names_several() {
            let found = "several stores";
            let expected = "one store for a part, a merge or a sample";
            return Err(Error::new(Code::InvalidArgument, found, expected));
        }
        Ok(self.paths.first().map(PathBuf::as_path))
    }

    fn options(&self, limit: u64) -> Json {
        let &Self { metadata_only, strict, deep, fixes, json, .. } = self;
        let conventions = self.conventions.iter().filter_map(ValueEnum::to_possible_value);
        object! {
            "metadata_only": metadata_only, "max_decoded": limit,
            "strict": strict, "deep": deep, "fixes": fixes, "json": json,
            "conventions": conventions.map(|value| Json::from(value.get_name())).collect::<Json>(),
        }
    }

    fn with(&self, options: &Json) -> Result<Self> {
        let is_set = |key: &str| is_set(options, key);
        if self.metadata_only && !is_set("metadata_only") {
            let found = "--metadata-only, but the parts were made without it";
            return Err(Error::new(
                Code::Partition,
                found,
                "the options that the parts were made with",
            ));
        }
        let given = options.get_array("conventions").unwrap_or_default();
        let given =
            given.iter().filter_map(|name| ConventionName::from_str(name.as_str()?, true).ok());
        let conventions = match self.conventions.as_slice() {
            [] => given.collect(),
            asked => asked.to_vec(),
        };
        Ok(Self {
            conventions,
            metadata_only: is_set("metadata_only"),
            strict: self.strict || is_set("strict"),
            deep: self.deep || is_set("deep"),
            fixes: self.fixes || is_set("fixes"),
            json: self.json || is_set("json"),
            ..self.clone()
        })
    }

    fn part(&self, opened: Opened, part: Partition, file: &mut PartFile) -> Result<(), Failure> {
        let Opened { hierarchy, node: Node { path, .. }, .. } = opened;
        let (memory, limit) = (file.output().memory(), file.output().max_decoded());
        let (file, failure) = (RefCell::new(file), RefCell::new(None::<io::Error>));
        let wanted = |object: Object<'_>| {
            let name = name(object, &path);
            part.has(&name) && failure.borrow().is_none() && !file.borrow().has(&name)
        };
        let each = |object: Object<'_>, found: CheckedChunk| {
            if failure.borrow().is_none() {
                let written = file.borrow_mut().write(&name(object, &path), found.to_json());
                *failure.borrow_mut() = written.err();
            }
        };
        let mut progress = Progress::new(0, "chunks");
        let options = CheckOptions {
            metadata_only: self.metadata_only,
            spread: Some(&super::spread),
            budget: Budget::default().with_limit(limit).with_memory(&*memory),
            chunks: ChunkScope::Some(&wanted, &each),
            ..CheckOptions::default()
        };
        check::check(&hierarchy, &path, &options, &mut |event| {
            if let Event::Progress(summary) = event {
                progress.reach(summary.chunks);
            }
        });
        failure.into_inner().map_or(Ok(()), |error| Err(Failure::Output(error)))
    }

    fn report(
        &self,
        opened: Opened,
        parts: Option<&ReportParts>,
        output: &mut Output,
    ) -> CommandResult {
        // The node is read again on the way: it is not held twice.
        let Opened { hierarchy, node: Node { path, .. }, .. } = opened;
        let Some(parts) = parts else {
            return report(self, &hierarchy, &path, ChunkScope::All, output);
        };
        compare(parts, &hierarchy, &path)?;
        let checked = |object: Object<'_>| {
            parts.get(&name(object, &path), CheckedChunk::from_json).unwrap_or_default()
        };
        report(self, &hierarchy, &path, ChunkScope::Checked(&checked), output)
    }
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
