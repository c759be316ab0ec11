//! `endian`: the byte order that metadata declares, and the one that the values speak for.

use super::{
    Outcome, Verdict,
    bare::Description,
    forms,
    open::{Opened, OpenedArray, open},
    output::{self, Output, Role},
    table,
};
use crate::zarr::{
    Chunk, Endian, Error, NodePath, Result,
    byte_order::{Verdict as Judgement, judge},
    chunk::{self, Options},
    hierarchy::NodeKind,
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
    if arguments.description.dtype.is_some() {
        return Ok(each(judge_array(arguments.description.open(path, None)?, limit)));
    }
    let Opened { hierarchy, node, chunk, name } = open(path)?;
    let mut result = Ok(());
    let mut arrays = 0;
    hierarchy.walk(&node.path, &mut |found, _| {
        if let NodeKind::Array(array) = &found.kind {
            arrays += 1;
            let opened = OpenedArray {
                hierarchy: hierarchy.clone(),
                path: found.path.clone(),
                metadata: array.clone(),
                chunk: chunk.clone(),
                name: name_below(&name, &node.path, &found.path),
            };
            result = each(judge_array(opened, limit));
        }
        result.is_ok()
    });
    if arrays == 0 && result.is_ok() {
        return Err(Error::new("no-array", "no array", "at least one array").in_file(name));
    }
    Ok(result)
}

/// The path that was typed, and behind it the way from its node to `path`.
fn name_below(typed: &str, node: &NodePath, path: &NodePath) -> String {
    let below = path.0.strip_prefix(node.0.as_str()).unwrap_or(&path.0);
    let below = safe(below.trim_start_matches('/'));
    if below.is_empty() {
        return typed.to_owned();
    }
    format!("{}/{below}", typed.trim_end_matches('/'))
}

fn judge_array(opened: OpenedArray, limit: u64) -> Finding {
    let data_type = opened.metadata.data_type().map(|known| safe(&known.name()).into_owned());
    let (chunks, judgement) = match judge_chunks(&opened, limit) {
        Ok((chunks, judgement)) => (chunks, Ok(judgement)),
        Err(error) => (Vec::new(), Err(error)),
    };
    Finding { name: opened.name, data_type, chunks, judgement }
}

/// The keys of the chunks that could be judged, and what they say together.
fn judge_chunks(opened: &OpenedArray, limit: u64) -> Result<(Vec<String>, Judgement)> {
    let array = &opened.metadata;
    array.refused.as_ref().map_or(Ok(()), |refused| Err(refused.clone()))?;
    let declared = array.data_type.as_ref().map_err(Clone::clone)?.order.uniform();
    let store = opened.hierarchy.store.as_ref();
    let ids = match &opened.chunk {
        Some(id) => vec![id.clone()],
        None => sample::stored_chunks(store, &opened.path.0, array)?,
    };
    let options = Options { limit, around: 0, ignore_checksums: false, stop: &|| false };
    let (mut keys, mut judgements, mut failure) = (Vec::new(), Vec::new(), None);
    for id in ids {
        let chunk = chunk::load_whole(store, &opened.path, array, &id, &options);
        match judge_elements(&chunk) {
            Ok(judgement) => {
                judgements.push(judgement);
                keys.push(chunk.key);
            }
            Err(error) => failure = failure.or(Some(error)),
        }
    }
    match failure {
        Some(error) if judgements.is_empty() => Err(error),
        _ => Ok((keys, sample::together(declared, &judgements))),
    }
}

fn judge_elements(chunk: &Chunk) -> Result<Judgement> {
    if let Some(elements) = chunk.elements() {
        return Ok(judge(elements));
    }
    let failed = chunk.stages.iter().find_map(|stage| stage.error.clone());
    let missing = || {
        Error::new("chunk-missing", "no such chunk", "a stored chunk").in_file(chunk.key.clone())
    };
    Err(chunk.error.clone().or(failed).unwrap_or_else(missing))
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
                print_evidence(judgement, output)
            }
            Err(error) => {
                let text = output.paint(Role::Error, &safe(&error.to_string()));
                output.line(&format!("{name}  {data_type}  cannot be judged: {text}"))
            }
        }
    }
}

/// The evidence; that of components is in it, with their names.
fn print_evidence(judgement: &Judgement, output: &mut Output) -> io::Result<()> {
    const INDENT: &str = "    ";
    for sentence in &judgement.evidence {
        for line in table::wrap(&safe(sentence), output::width().saturating_sub(INDENT.len())) {
            output.line(&format!("{INDENT}{line}"))?;
        }
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
