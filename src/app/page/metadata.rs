//! The documents of a node as lines: those that are stored, byte for byte, and those that the other format would
//! write.

use crate::app::layout::{LIST_HEAD, metadata_frame};
use crate::app::prelude::*;
use crate::zarr::spelling::{
    document::{self, Written},
    explain,
};

mod lines;
mod other_names;

pub use lines::{DocumentFault, TextLine};
use other_names::OtherNames;

/// The documents of one node.
#[derive(Debug, Clone, Default)]
pub struct MetadataPage {
    /// The lines of the stored documents, each after its heading.
    pub stored: Vec<TextLine>,
    /// The lines of the documents that the other format would write; empty where there are none.
    pub other: Vec<TextLine>,
    /// The losses and the choices there.
    pub notes: Vec<String>,
    /// True if the other format's documents are on show.
    pub show_other: bool,
    /// The cursor over the stored lines that are on show.
    pub scroll: Scroll,
    /// The text that is searched for.
    pub needle: String,
    /// The keys of the stored documents, in the order of their headings.
    keys: Vec<String>,
    /// The node that they are of, or will be once they are laid out.
    node: Option<Arc<Node>>,
    /// True while a worker lays them out.
    is_awaited: bool,
    /// The lines of the stored documents with a fault, and those that are headings.
    faulty: Vec<usize>,
    headings: Vec<usize>,
    names: OtherNames,
    folded: BTreeSet<usize>,
    visible: Vec<usize>,
}

impl Page for MetadataPage {
    fn list(&mut self, shared: &Shared) -> Option<CursorList<'_>> {
        let (len, head, height) = (self.len(), LIST_HEAD.into(), height(shared));
        Some(CursorList { scroll: &mut self.scroll, len, head, height })
    }

    fn moved(&mut self, motion: Motion, count: Option<u64>, shared: &mut Shared) {
        match motion {
            Motion::Left if self.can_fold() && !self.is_folded() => self.fold(),
            Motion::Left => self.go_to_parent(height(shared)),
            Motion::Right if self.is_folded() => self.fold(),
            Motion::Right => {}
            _ => self.moved_in_list(motion, count, shared),
        }
    }

    fn opened(&mut self, _shared: &mut Shared) -> bool {
        self.fold();
        false
    }

    fn acted(&mut self, action: Action, shared: &mut Shared) {
        match action {
            Action::Fold => self.fold(),
            Action::OtherDocument => self.show_other = !self.show_other,
            Action::Step(StepTo::Fault, way) => {
                self.go_to(way, shared.geometry.view.rows(), |line| !line.faults.is_empty());
            }
            _ => {}
        }
    }

    fn searched(&mut self, line: &str, shared: &mut Shared) {
        line.clone_into(&mut self.needle);
        self.next_match(Direction::Next, shared);
    }

    fn next_match(&mut self, way: Direction, shared: &mut Shared) {
        if self.needle.is_empty() {
            shared.fail(NO_SEARCH);
        } else if !self.go_to_match(way, height(shared)) {
            shared.fail("not found");
        }
    }

    fn copied(&self, _shared: &Shared) -> Option<String> {
        self.line().map(|line| line.text.trim().to_owned())
    }

    fn card(&self) -> Vec<String> {
        let Some(line) = self.line() else { return Vec::new() };
        let faults = line.faults.iter().map(|fault| format!("  {}", fault.words));
        let lines = [String::new(), format!("{}: {}", line.field, line.text.trim())];
        lines.into_iter().chain(faults).collect()
    }

    /// The member that the line belongs to; of a brace or a name of a document, the document.
    fn explained(&self, shared: &Shared) -> Option<Explained> {
        let line = self.line()?;
        let document = self.key().unwrap_or_default();
        let is_array = shared.node()?.kind.is_array();
        let (format, in_attributes) = match document.rsplit('/').next() {
            Some("zarr.json") => (Format::V3, line.field.strip_prefix("attributes.")),
            Some(".zattrs") => (Format::V2, Some(line.field.as_str())),
            _ => (Format::V2, None),
        };
        let lesson = match in_attributes {
            _ if line.field.is_empty() => None,
            Some(name) => Some(explain::attribute(if is_array { name } else { "" })),
            None => explain::field(format, &line.field),
        };
        let title = if lesson.is_some() { line.field.clone() } else { document.to_owned() };
        let lesson = lesson.unwrap_or_else(|| explain::document(document)).to_owned();
        let faults =
            line.faults.iter().map(|fault| format!("{}.", fault.words.trim_end_matches('.')));
        Some(Explained::new(title, iter::once(lesson).chain(faults).collect()))
    }

    fn is_available(&self, action: Action, _shared: &Shared) -> bool {
        match action {
            Action::OtherDocument => !self.other.is_empty(),
            // The stored document, which has the cursor, is out of sight.
            Action::Fold | Action::Step(..) if self.show_other && !self.other.is_empty() => false,
            Action::Fold => self.can_fold(),
            Action::Step(..) => self.has_other_faults(),
            _ => true,
        }
    }

    /// Lays the documents of the node out, once somebody looks at them: they can be long, and a cursor that runs
    /// through the tree must not wait for them.
    fn wanted(&mut self, shared: &mut Shared) {
        let looked_at = shared.view == View::Metadata;
        let Some(node) = shared.node().filter(|_| looked_at).cloned() else { return };
        if self.node.as_ref().is_none_or(|before| !Arc::ptr_eq(before, &node)) {
            if self.is_awaited {
                shared.cancel(Lane::Documents);
            }
            if document_bytes(&node) > MOST_AT_ONCE {
                let is_same = self.node.as_ref().is_some_and(|before| before.path == node.path);
                // What was on show stays until the same node is laid out anew.
                if !is_same {
                    let (needle, show_other) = (mem::take(&mut self.needle), self.show_other);
                    *self = Self { show_other, needle, ..Self::default() };
                }
                (self.node, self.is_awaited) = (Some(Arc::clone(&node)), true);
                return shared.run(Lane::Documents, Work::Documents(node));
            }
            self.take(Self::of(&node));
        }
        if !self.is_awaited
            && let Some(place) = shared.pending_place.take()
        {
            self.to_place(&place);
        }
    }

    fn replied(&mut self, answer: Answer, _lane: Lane, shared: &mut Shared) {
        match answer {
            Answer::Documents(page) => self.take(*page),
            Answer::Failed(error) => {
                self.is_awaited = false;
                shared.fail(safe_text(&error));
            }
            _ => {}
        }
    }
}

/// The most bytes of documents that are laid out between two keys; a worker lays out more.
const MOST_AT_ONCE: usize = 1 << 16;

/// The bytes of the documents of a node.
fn document_bytes(node: &Node) -> usize {
    let documents = node.kinds().flat_map(NodeKind::documents).chain(&node.unreadable);
    documents.map(|raw| raw.bytes.len()).sum()
}

/// Lines of the documents in sight.
fn height(shared: &Shared) -> usize {
    let is_explained = shared.geometry.explains && shared.focus != Focus::Tree;
    let rows = shared.geometry.view.rows();
    rows.saturating_sub(metadata_frame(rows, is_explained))
}

impl MetadataPage {
    /// The documents of `node`, with the cursor on the first fault.
    pub fn of(node: &Arc<Node>) -> Self {
        // Where documents of both formats are stored, nothing has to be imagined.
        let written = node.other.is_none().then(|| written(&node.kind)).flatten();
        let (mut stored, mut keys) = (Vec::new(), Vec::new());
        for raw in node.kinds().flat_map(NodeKind::documents) {
            keys.push(raw.key.clone());
            let faults = faults(raw, node.all_problems());
            stored.extend(lines::of_document(raw, &faults));
        }
        let broken: Vec<_> = broken(node).collect();
        for raw in &node.unreadable {
            keys.push(raw.key.clone());
            stored.extend(lines::of_document(raw, &faults(raw, broken.iter())));
        }
        let other: Vec<TextLine> = written.iter().flat_map(lines::of_written).collect();
        let where_line = |is: fn(&TextLine) -> bool| -> Vec<usize> {
            stored.iter().enumerate().filter(|(_, line)| is(line)).map(|(at, _)| at).collect()
        };
        let mut page = Self {
            faulty: where_line(|line| !line.faults.is_empty()),
            headings: where_line(|line| line.heading),
            names: OtherNames::of(&other),
            node: Some(Arc::clone(node)),
            stored,
            other,
            notes: written.as_ref().map(notes).unwrap_or_default(),
            keys,
            ..Self::default()
        };
        page.refold();
        page.to_first_fault();
        page
    }

    /// Shows the documents of `page`; of a node that was on show before, the cursor stays.
    fn take(&mut self, page: Self) {
        let path = |page: &Self| page.node.as_ref().map(|node| node.path.clone());
        let again = !self.is_empty() && path(self) == path(&page);
        let before = mem::replace(self, page);
        (self.needle, self.show_other) = (before.needle, before.show_other);
        if again {
            self.scroll = before.scroll.within(self.len());
        }
    }

    /// True while a worker lays out documents, of which none is on show yet.
    pub fn is_laying_out(&self) -> bool {
        self.is_awaited && self.stored.is_empty()
    }

    /// The stored lines that have faults.
    pub fn faulty(&self) -> impl Iterator<Item = &TextLine> {
        self.faulty.iter().filter_map(|&at| self.stored.get(at))
    }

    /// The lines that the folded line with this number on show hides.
    pub fn hidden(&self, at: usize) -> Option<(usize, Option<Severity>)> {
        let start = *self.visible.get(at)?;
        let end = self.stored.get(start)?.end;
        let from = self.faulty.partition_point(|&faulty| faulty <= start);
        let inside = self.faulty.iter().skip(from).take_while(|&&faulty| faulty <= end);
        let worst = inside.filter_map(|&faulty| self.stored.get(faulty)?.worst()).max();
        Some((end.checked_sub(start)?, worst))
    }

    /// The outermost line of the other format's documents for this member or document.
    pub fn other_named(&self, name: &str) -> Option<usize> {
        self.names.find(&self.other, name)
    }

    /// The number of lines on show.
    pub fn len(&self) -> usize {
        self.visible.len()
    }

    /// True if there is no document.
    pub fn is_empty(&self) -> bool {
        self.visible.is_empty()
    }

    /// The lines of `range` on show: number on show, line, whether it is folded.
    pub fn lines(&self, range: Range<usize>) -> impl Iterator<Item = (usize, &TextLine, bool)> {
        range.map_while(|at| {
            let index = *self.visible.get(at)?;
            Some((at, self.stored.get(index)?, self.folded.contains(&index)))
        })
    }

    /// The line under the cursor.
    pub fn line(&self) -> Option<&TextLine> {
        self.stored.get(*self.visible.get(self.scroll.cursor())?)
    }

    /// The key of the stored document that the cursor is in.
    pub fn key(&self) -> Option<&str> {
        let index = *self.visible.get(self.scroll.cursor())?;
        let headings = self.headings.partition_point(|&heading| heading <= index);
        self.keys.get(headings.checked_sub(1)?).map(String::as_str)
    }

    /// Goes to the line of a place: by its bytes, by its member, or else to the first fault.
    pub fn to_place(&mut self, place: &Place) {
        let file = place.file.as_deref().unwrap_or_default();
        let start = self.stored.iter().position(|line| line.heading && line.key == file);
        let start = start.unwrap_or(0);
        let own = |wanted: &dyn Fn(&TextLine) -> bool| {
            let lines = self.stored.iter().enumerate().skip(start);
            let lines = lines.skip(1).take_while(|(_, line)| !line.heading);
            lines.into_iter().find(|(_, line)| wanted(line)).map(|(at, _)| at)
        };
        let offset = place.offset.and_then(|offset| usize::try_from(offset).ok());
        let by_offset = offset.and_then(|offset| own(&|line| offset < line.bytes.end));
        let by_field = || place.field.as_ref().and_then(|field| own(&|line| line.field == *field));
        let at = by_offset.or_else(by_field).or_else(|| self.first_fault());
        self.put_on(at.unwrap_or(start));
    }

    /// Goes to the first line that is wrong, and not only worth a note.
    pub fn to_first_fault(&mut self) {
        if let Some(at) = self.first_fault() {
            self.put_on(at);
        }
    }

    fn first_fault(&self) -> Option<usize> {
        let is_wrong = |at: &usize| {
            self.stored.get(*at).is_some_and(|line| line.worst() > Some(Severity::Note))
        };
        self.faulty.iter().copied().find(is_wrong)
    }

    fn put_on(&mut self, index: usize) {
        self.scroll = self.scroll.near_top(self.visible.binary_search(&index).unwrap_or(0));
    }

    /// True if something starts at the cursor that can be folded.
    pub fn can_fold(&self) -> bool {
        let index = self.visible.get(self.scroll.cursor());
        index.is_some_and(|&at| self.stored.get(at).is_some_and(|line| line.end > at))
    }

    /// Goes to the next (or previous) line that holds the needle; false where there is none.
    fn go_to_match(&mut self, way: Direction, height: usize) -> bool {
        let needle = self.needle.to_lowercase();
        self.go_to(way, height, |line| line.text.to_lowercase().contains(&needle))
    }

    /// True if what starts at the cursor is folded.
    fn is_folded(&self) -> bool {
        self.visible.get(self.scroll.cursor()).is_some_and(|at| self.folded.contains(at))
    }

    /// Goes to the line that starts what the line under the cursor is in.
    fn go_to_parent(&mut self, height: usize) {
        let Some(&index) = self.visible.get(self.scroll.cursor()) else { return };
        let parent =
            (0..index).rev().find(|at| self.stored.get(*at).is_some_and(|line| line.end >= index));
        if let Some(row) = parent.and_then(|parent| self.visible.binary_search(&parent).ok()) {
            self.scroll = self.scroll.at(row, self.visible.len(), height);
        }
    }

    /// True if a fault is in any line of the documents but the one under the cursor.
    fn has_other_faults(&self) -> bool {
        let here = self.visible.get(self.scroll.cursor());
        self.faulty.iter().any(|at| here != Some(at))
    }

    fn fold(&mut self) {
        let Some(&index) = self.visible.get(self.scroll.cursor()) else { return };
        if self.stored.get(index).is_some_and(|line| line.end > index)
            && !self.folded.remove(&index)
        {
            self.folded.insert(index);
        }
        self.refold();
    }

    fn refold(&mut self) {
        self.visible.clear();
        let mut at = 0;
        while let Some(line) = self.stored.get(at) {
            self.visible.push(at);
            at = if self.folded.contains(&at) { line.end + 1 } else { at + 1 };
        }
    }

    /// Goes to the next line, round the end, that is `wanted`; folds are opened on the way.
    fn go_to(&mut self, way: Direction, height: usize, wanted: impl Fn(&TextLine) -> bool) -> bool {
        let len = self.stored.len();
        let from = self.visible.get(self.scroll.cursor()).copied().unwrap_or(0);
        let at = around(from, len, way).find(|&at| self.stored.get(at).is_some_and(&wanted));
        let Some(at) = at else { return false };
        let stored = &self.stored;
        self.folded
            .retain(|&fold| !(fold < at && stored.get(fold).is_some_and(|line| line.end >= at)));
        self.refold();
        let row = self.visible.binary_search(&at).unwrap_or(0);
        self.scroll = self.scroll.at(row, self.visible.len(), height);
        true
    }
}

/// The documents that the other format would write.
fn written(kind: &NodeKind) -> Option<Written> {
    match kind {
        NodeKind::Array(array) => Some(document::array(array)),
        NodeKind::Group(group) if !group.documents.is_empty() => Some(document::group(group)),
        NodeKind::Group(_) | NodeKind::Folder | NodeKind::Broken(_) => None,
    }
}

/// The losses and the choices there, each once.
fn notes(written: &Written) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    for note in &written.notes {
        let text = safe_owned(&note.text);
        if !notes.contains(&text) {
            notes.push(text);
        }
    }
    notes
}

/// The problems that leave nothing usable in the node's documents.
fn broken(node: &Node) -> impl Iterator<Item = Problem> {
    node.kinds().filter_map(NodeKind::error).cloned().map(Problem::failed)
}

/// The problems that are in this document, each with its bytes.
fn faults<'a>(
    raw: &RawDocument,
    problems: impl Iterator<Item = &'a Problem>,
) -> Vec<DocumentFault> {
    let own = raw.json.as_ref().err().map(|error| (error, Severity::Error)).into_iter();
    let of_file = problems
        .filter(|problem| problem.error.place.file.as_ref().is_none_or(|file| *file == raw.key));
    let mut out: Vec<DocumentFault> = Vec::new();
    for (error, severity) in own.chain(of_file.map(|problem| (&problem.error, problem.severity))) {
        let field = error.place.field.as_deref();
        let spot = match (field, error.place.offset, &raw.json) {
            (_, Some(offset), _) => usize::try_from(offset).ok().map(|at| token(&raw.bytes, at)),
            (Some(field), None, Ok(json)) => span_of(json, field),
            _ => None,
        };
        // Where it is can be seen.
        let words = Error { place: Place::default(), ..error.clone() }.to_string();
        let fault = DocumentFault { bytes: spot, severity, words: safe_owned(&words) };
        let said = out.iter().any(|old| old.bytes == fault.bytes && old.words == fault.words);
        if (fault.bytes.is_some() || error.place.file.is_some()) && !said {
            out.push(fault);
        }
    }
    out
}

/// The word that begins at `at`, or the byte that is there.
fn token(bytes: &[u8], at: usize) -> Range<usize> {
    let rest = bytes.get(at..).unwrap_or_default();
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-._".contains(byte);
    let len = rest.iter().position(|byte| !is_part(byte)).unwrap_or(rest.len());
    at..at + len.max(1)
}

/// The place of the value of a field such as `codecs[0].configuration.endian`; of a missing field, of what is around
/// it.
fn span_of(json: &Json, field: &str) -> Option<Range<usize>> {
    let mut at = json;
    let mut span = None;
    for part in field.split(['.', '[']) {
        let next = match part.strip_suffix(']') {
            Some(index) => at.as_array().and_then(|items| items.get(index.parse::<usize>().ok()?)),
            None => at.get(part),
        };
        let Some(next) = next else { break };
        at = next;
        span = Some(at.span());
    }
    span.filter(|span| !span.is_empty())
}
