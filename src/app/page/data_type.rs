//! The twin columns of the selected array, and the row under the cursor.

use crate::app::prelude::*;
use crate::app::{layout::CardLayout, opening::given_up, readers as panel};
use crate::zarr::{
    readers::{self, ReaderAnswer},
    spelling::{self, Spelling},
};

/// The reason why nobody has looked up the readers of an array.
const FAR: &str = "The store is far away: these chunks are read when :readers asks for it.";

/// The name card of an array.
#[derive(Clone, Default)]
pub struct DataTypePage {
    /// The twin columns; `None` where the node is no array.
    pub spelling: Option<Spelling>,
    /// The subject of the columns.
    pub subject: Option<Subject>,
    /// The results of other programs for the node.
    pub readers: Load<Vec<ReaderAnswer>>,
    /// True if they are looked up only when somebody asks: that reads chunks over a network.
    is_asked_for: bool,
    /// True if that is to be shown as soon as it is here.
    pub(in crate::app) opens_readers: bool,
    /// The cursor over the rows.
    pub scroll: Scroll,
    /// The node that they are of.
    node: Option<Arc<Node>>,
}

impl Page for DataTypePage {
    fn list(&mut self, shared: &Shared) -> Option<CursorList<'_>> {
        let (len, height) = (self.rows().len(), shared.geometry.view.rows());
        Some(CursorList { scroll: &mut self.scroll, len, head: 0, height })
    }

    fn moved(&mut self, motion: Motion, count: Option<u64>, shared: &mut Shared) {
        match motion {
            Motion::Left => shared.focus = Focus::Tree,
            _ => self.moved_in_list(motion, count, shared),
        }
    }

    fn clicked(&mut self, at: PaneCell, shared: &mut Shared) -> bool {
        let at = self.layout(shared.geometry.view, shared.geometry.explains).row_at(at.row);
        self.scroll.select(at)
    }

    fn wheeled(&mut self, by: i8, shared: &mut Shared) {
        self.moved(if by > 0 { Motion::Down } else { Motion::Up }, None, shared);
    }

    fn opened(&mut self, _shared: &mut Shared) -> bool {
        true
    }

    fn next_match(&mut self, way: Direction, shared: &mut Shared) {
        let rows = self.rows();
        let text = |row: &Row| format!("{} {} {}", row.label, row.v2, row.v3).to_lowercase();
        let has =
            |at: usize, needle: &str| rows.get(at).is_some_and(|it| text(it).contains(needle));
        let found = shared.next_row(way, (self.scroll.cursor(), rows.len()), has);
        self.scroll.select(found);
    }

    fn copied(&self, _shared: &Shared) -> Option<String> {
        let row = self.row()?;
        if row.topic == Topic::Readers {
            return Some(format!("{}\t{}", row.label, row.v2));
        }
        Some(format!("{}\tV2 {}\t{}\tV3 {}", row.label, row.v2, row.join.sign(), row.v3))
    }

    fn explained(&self, shared: &Shared) -> Option<Explained> {
        self.explanation(true, shared)
    }

    /// Follows the node; the cursor stays where it was.
    fn wanted(&mut self, shared: &mut Shared) {
        self.follow(shared);
        let is_wanted = shared.view == View::DataType && shared.is_array() && !shared.is_far;
        if is_wanted && matches!(self.readers, Load::Idle) {
            self.readers = Load::Pending;
            self.show_readers();
            shared.run(Lane::Readers, Work::Readers(shared.node_path()));
        }
    }

    fn replied(&mut self, reply: Answer, _lane: Lane, shared: &mut Shared) {
        if let Answer::Failed(error) = reply {
            shared.fail(safe_text(&error));
            (self.readers, self.opens_readers) = (Load::Failed(error), false);
            self.show_readers();
        }
    }

    fn stopped(&mut self, _lane: Lane, _shared: &mut Shared) {
        (self.readers, self.opens_readers) = (Load::Failed(given_up()), false);
        self.show_readers();
    }
}

impl DataTypePage {
    /// Takes over the node on show, if it is another one than before.
    fn follow(&mut self, shared: &mut Shared) {
        let Some(node) = shared.node() else { return };
        if self.node.as_ref().is_some_and(|before| Arc::ptr_eq(before, node)) {
            return;
        }
        let array = node.kind.array();
        self.spelling = array.map(|array| spelling::of_node(array, node.other.as_deref()));
        self.subject = array.map(Subject::of_array);
        self.node = Some(Arc::clone(node));
        if self.readers.is_pending() {
            shared.cancel(Lane::Readers);
        }
        (self.readers, self.opens_readers) = (Load::Idle, false);
        self.is_asked_for = shared.is_far;
        self.show_readers();
        self.scroll = self.scroll.within(self.rows().len());
    }

    /// Puts what is known of the readers into their row, the last one.
    pub(in crate::app) fn show_readers(&mut self) {
        let Some(spelling) = &mut self.spelling else { return };
        spelling.rows.retain(|row| row.topic != Topic::Readers);
        let text = match &self.readers {
            Load::Ready(answers) => readers::condensed(answers),
            Load::Failed(_) => "not known".into(),
            Load::Idle if self.is_asked_for => "not looked up; :readers does that".into(),
            Load::Idle | Load::Pending => "…".into(),
        };
        spelling.rows.push(Row::new(Topic::Readers, "readers", text.clone(), text));
    }

    /// Takes in what readers make of the node.
    pub(in crate::app) fn take_readers(&mut self, answers: Vec<ReaderAnswer>) {
        self.readers = Load::Ready(answers);
        self.show_readers();
    }

    /// The rows.
    pub fn rows(&self) -> &[Row] {
        self.spelling.as_ref().map_or(&[], |spelling| &spelling.rows)
    }

    /// The row under the cursor.
    pub fn row(&self) -> Option<&Row> {
        self.rows().get(self.scroll.cursor())
    }

    /// The explanation of the row under the cursor; of its cells only where that is the `whole`.
    pub fn explanation(&self, whole: bool, shared: &Shared) -> Option<Explained> {
        let row = self.row()?;
        if row.topic == Topic::Readers {
            let mut text = vec![readers::BASIS.to_owned()];
            text.extend(self.is_asked_for.then(|| FAR.to_owned()));
            let unknown = || Explained::new("readers", text);
            let answers = self.readers.ready();
            return Some(answers.map_or_else(unknown, |it| panel::explained(it, shared)));
        }
        let explanation = spelling::explain(row, self.subject.as_ref()?);
        let explain = if whole { explained::of_row } else { explained::of_row_alone };
        Some(explain(row, &explanation))
    }

    /// The layout of the page in a view of `size`, the explanation of its row being on show `elsewhere` or not.
    pub fn layout(&self, size: Size, elsewhere: bool) -> CardLayout {
        CardLayout::new(self.rows(), self.scroll.cursor(), size, elsewhere)
    }
}
