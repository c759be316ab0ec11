//! `info --document`: the documents of a node, as either format writes them.

use crate::cli::{chunk_file::hint::lost_document, prelude::*};
use crate::zarr::{
    diagnosis::{self, LostDocument},
    spelling::document::{self, Written},
};

/// Prints the documents: one as it is, V2's two as the members of an object. What is lost is told on stderr.
pub(super) fn print(written: &Written, file: Option<&str>, output: &mut Output) -> CommandResult {
    for note in &written.notes {
        output::complain(&note.text);
    }
    if written.is_impossible() {
        let name = written.format.name();
        output::complain(&format!("{name} cannot describe this array; no document is written"));
        return Ok(ExitStatus::Undone);
    }
    output.json(&chosen(written, file)?)?;
    Ok(ExitStatus::flawed_if(written.is_lossy))
}

/// The documents of what is at `path` in `format`: where there are none, a guess by the chunks.
pub(super) fn written(opened: Result<Opened>, path: &Path, format: Format) -> Result<Written> {
    let (error, lost) = match opened {
        Ok(Opened { hierarchy, node, .. }) => match of_node(&node, format) {
            Ok(written) => return Ok(written),
            Err(error) => {
                let lost = diagnosis::lost_document(&hierarchy, &node.path);
                (error, lost)
            }
        },
        Err(error) if error.code == Code::NotAStore => (error, lost_document(path)),
        Err(error) => (error, None),
    };
    lost.map(|lost| guessed(&lost, &error, format)).ok_or(error)
}

/// The guess at a document that is lost, or cannot be read because of `error`.
fn guessed(lost: &LostDocument, error: &Error, format: Format) -> Written {
    let mut notes = Vec::new();
    if error.code != Code::NotAStore {
        notes.push(Note::new(error.code, error.to_string()));
    }
    let text = format!("{lost}. Correct it{}.", lost.unsure());
    notes.push(Note::new(Code::MetadataMissing, text));
    if lost.format() != format {
        let text = format!("The chunk keys are those of {}.", lost.format().name());
        notes.push(Note::new(Code::MetadataMissing, text));
    }
    let documents = vec![(lost.name(), lost.document())];
    Written { format: lost.format(), documents, notes, is_lossy: true }
}

/// The documents of `node` in `format`: those that are stored where they are in that format.
fn of_node(node: &Node, format: Format) -> Result<Written> {
    let own = node.kinds().find(|kind| kind.format() == Some(format));
    let documents = own.map(|kind| stored(kind.documents())).unwrap_or_default();
    if !documents.is_empty() {
        return Ok(Written { format, documents, notes: Vec::new(), is_lossy: false });
    }
    match &node.kind {
        NodeKind::Array(array) => Ok(document::array(array)),
        NodeKind::Group(group) => Ok(document::group(group)),
        NodeKind::Broken(error) => Err(error.clone()),
        NodeKind::Folder => {
            let found = "a folder without Zarr metadata";
            Err(Error::new(Code::NotAStore, found, "an array or a group"))
        }
    }
}

/// The documents that are in the store.
fn stored(documents: &[RawDocument]) -> Vec<(&'static str, Json)> {
    const NAMES: [&str; 4] = ["zarr.json", ".zarray", ".zgroup", ".zattrs"];
    let named = |document: &RawDocument| {
        let name = document.key.rsplit('/').next()?;
        Some((*NAMES.iter().find(|known| **known == name)?, document.root()?.strict()))
    };
    documents.iter().filter_map(named).collect()
}

/// The document `file`, or all of them.
fn chosen(written: &Written, file: Option<&str>) -> Result<Json> {
    let documents = &written.documents;
    match (file, documents.as_slice()) {
        (Some(file), _) => {
            let found = documents.iter().find(|(name, _)| *name == file);
            found.map(|(_, document)| document.clone()).ok_or_else(|| {
                let names = documents.iter().map(|(name, _)| *name);
                let expected = format!("one of its documents: {}", names.joined(", "));
                Error::new(Code::NoSuchPlace, quoted(file), expected)
            })
        }
        (None, [(_, only)]) => Ok(only.clone()),
        (None, all) => Ok(Json::object(all.iter().cloned())),
    }
}
