//! `endian`: the byte order that metadata declares, and the one that the values speak for.

use super::{
    Outcome, Verdict,
    bare::Description,
    forms,
    open::{Opened, open},
    output::{self, Output, Role},
    table,
};
use crate::zarr::{
    ArrayMetadata, Chunk, Endian, Error, NodePath, Result,
    byte_order::{Verdict as Judgement, judge},
    chunk::{self, ChunkId, Options},
    hierarchy::NodeKind,
    store::Store,
    text::safe,
};
use clap::Args;
use serde_json::{Value, json};
use std::{
    io,
    path::{Path, PathBuf},
};

mod sample;

/// The arguments of `endian`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Arrays, groups and stores (every array in them), or chunk files
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// What chunk files without metadata hold.
    #[command(flatten)]
    description: Description,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// What was found of one array or chunk file.
struct Finding {
    /// The path that was typed, and below it the array's.
    name: String,
    /// The data type's short name.
    data_type: Option<String>,
    /// The keys of the chunks that were looked at.
    chunks: Vec<String>,
    /// What they say together, or why nothing can be said.
    judgement: Result<Judgement>,
}

/// An array whose chunks are to be judged.
struct Subject<'a> {
    name: String,
    store: &'a dyn Store,
    path: &'a NodePath,
    array: &'a ArrayMetadata,
    /// Only this chunk.
    chunk: Option<ChunkId>,
    limit: u64,
}

/// Judges every array and chunk file that was named.
pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Outcome {
    let mut verdict = Verdict::Fine;
    let mut forms = Vec::new();
    for path in &arguments.paths {
        each_finding(path, arguments, output.max_decoded(), &mut |finding| {
            verdict = verdict.and(finding.verdict());
            if arguments.json {
                forms.push(finding.to_json());
                return Ok(());
            }
            finding.print(output)
        })??;
    }
    if arguments.json {
        output.json(&Value::Array(forms))?;
    }
    Ok(verdict)
}

/// Calls `each` with what is found at `path` until it fails.
fn each_finding(
    path: &Path,
    arguments: &Arguments,
    limit: u64,
    each: &mut dyn FnMut(Finding) -> io::Result<()>,
) -> Result<io::Result<()>> {
    if let Some(spec) = &arguments.description.dtype {
        let bare = arguments.description.open(path, spec, None)?;
        let dimensions = bare.metadata.shape.as_ref().map_or(0, Vec::len);
        let id = ChunkId { coordinates: vec![0; dimensions], inner: Vec::new() };
        let name = safe(&path.display().to_string()).into_owned();
        let subject = Subject {
            name,
            store: bare.store.as_ref(),
            path: &bare.path,
            array: &bare.metadata,
            chunk: Some(id),
            limit,
        };
        return Ok(each(subject.judge()));
    }
    let Opened { hierarchy, node, chunk, name } = open(path)?;
    let mut result = Ok(());
    let root = node.path.0.clone();
    let mut arrays = 0;
    hierarchy.walk(&node.path, &mut |node, _| {
        if let NodeKind::Array(array) = &node.kind {
            arrays += 1;
            let below = node.path.0.strip_prefix(root.as_str()).unwrap_or(&node.path.0);
            let below = safe(below.trim_start_matches('/')).into_owned();
            let name = if below.is_empty() {
                name.clone()
            } else {
                format!("{}/{below}", name.trim_end_matches('/'))
            };
            let subject = Subject {
                name,
                store: hierarchy.store.as_ref(),
                path: &node.path,
                array,
                chunk: chunk.clone(),
                limit,
            };
            result = each(subject.judge());
        }
        result.is_ok()
    });
    if arrays == 0 && result.is_ok() {
        return Err(Error::new("no-array", "no array", "at least one array").in_file(name));
    }
    Ok(result)
}

impl Subject<'_> {
    fn judge(self) -> Finding {
        let data_type = self.array.data_type().map(|known| safe(&known.name()).into_owned());
        let (chunks, judgement) = match self.look() {
            Ok((chunks, judgement)) => (chunks, Ok(judgement)),
            Err(error) => (Vec::new(), Err(error)),
        };
        Finding { name: self.name, data_type, chunks, judgement }
    }

    fn look(&self) -> Result<(Vec<String>, Judgement)> {
        self.array.refused.as_ref().map_or(Ok(()), |refused| Err(refused.clone()))?;
        let resolved = self.array.data_type.as_ref().map_err(Clone::clone)?;
        let declared = resolved.order.uniform();
        let chunks = match &self.chunk {
            Some(id) => vec![self.load(id)],
            None => sample::stored_chunks(self.store, &self.path.0, self.array)?
                .iter()
                .map(|id| self.load(id))
                .collect(),
        };
        let (mut keys, mut judgements, mut failure) = (Vec::new(), Vec::new(), None);
        for chunk in chunks {
            match elements_judged(&chunk) {
                Ok(judgement) => {
                    judgements.push(judgement);
                    keys.push(chunk.key);
                }
                Err(error) => failure = failure.or(Some(error)),
            }
        }
        match (failure, judgements.is_empty()) {
            (Some(error), true) => Err(error),
            _ => Ok((keys, sample::together(declared, judgements))),
        }
    }

    fn load(&self, id: &ChunkId) -> Chunk {
        let options =
            Options { limit: self.limit, around: 0, ignore_checksums: false, stop: &|| false };
        chunk::load(self.store, self.path, self.array, id, &options)
    }
}

fn elements_judged(chunk: &Chunk) -> Result<Judgement> {
    match chunk.elements() {
        Some(elements) => Ok(judge(elements)),
        None => {
            let failed = chunk.stages.iter().find_map(|stage| stage.error.clone());
            Err(chunk.error.clone().or(failed).unwrap_or_else(|| {
                Error::new("chunk-missing", "no such chunk", "a stored chunk")
                    .in_file(chunk.key.clone())
            }))
        }
    }
}

impl Finding {
    fn verdict(&self) -> Verdict {
        Verdict::flawed_if(self.judgement.as_ref().map_or(true, Judgement::contradicts))
    }

    fn to_json(&self) -> Value {
        let mut members = json!({
            "path": self.name,
            "data_type": self.data_type,
            "chunks": self.chunks,
        });
        let judged = match &self.judgement {
            Ok(judgement) => judgement_json(judgement),
            Err(error) => json!({"error": forms::error(error)}),
        };
        if let (Some(members), Value::Object(judged)) = (members.as_object_mut(), judged) {
            members.extend(judged);
        }
        members
    }

    fn print(&self, output: &mut Output) -> io::Result<()> {
        let data_type = self.data_type.as_deref().unwrap_or("?");
        let name = output.paint(Role::Strong, &self.name);
        match &self.judgement {
            Ok(judgement) => {
                let contradicts = judgement.contradicts();
                let said = format!(
                    "declared {}, plausible {}",
                    word(judgement.declared),
                    plausible(judgement)
                );
                let role = if contradicts { Role::Error } else { Role::Quiet };
                let mark = if contradicts { "  DIFFERS" } else { "" };
                output.line(&format!(
                    "{name}  {data_type}  {}",
                    output.paint(role, &format!("{said}{mark}"))
                ))?;
                print_evidence(judgement, "    ", output)
            }
            Err(error) => {
                let text = output.paint(Role::Error, &safe(&error.to_string()));
                output.line(&format!("{name}  {data_type}  cannot be judged: {text}"))
            }
        }
    }
}

fn print_evidence(judgement: &Judgement, indent: &str, output: &mut Output) -> io::Result<()> {
    for sentence in &judgement.evidence {
        for line in table::wrap(&safe(sentence), output::width().saturating_sub(indent.len())) {
            output.line(&format!("{indent}{line}"))?;
        }
    }
    for (name, part) in &judgement.components {
        let said = format!("declared {}, plausible {}", word(part.declared), plausible(part));
        output.line(&format!("{indent}{}: {said}", safe(name)))?;
        print_evidence(part, &format!("{indent}    "), output)?;
    }
    Ok(())
}

fn word(order: Option<Endian>) -> &'static str {
    order.map_or("none", Endian::word)
}

fn plausible(judgement: &Judgement) -> &'static str {
    judgement.plausible.map_or("cannot tell", Endian::word)
}

fn judgement_json(judgement: &Judgement) -> Value {
    let components: Vec<_> = judgement
        .components
        .iter()
        .map(|(name, part)| json!({"name": name, "verdict": judgement_json(part)}))
        .collect();
    json!({
        "declared": judgement.declared.map(Endian::word),
        "plausible": judgement.plausible.map(Endian::word),
        "differs": judgement.contradicts(),
        "evidence": judgement.evidence,
        "components": components,
    })
}
