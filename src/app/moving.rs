//! Moving: which cursor a motion moves, and how far.

use super::{
    App, Explained, Focus, Geometry, HelpPage, Overlay, Scroll, TypedCount, View, action::Motion,
    tree::Branch,
};

/// Where `motion` takes the cursor over a list of `len` rows, of which `height` are in sight. Left and right do
/// nothing here.
#[must_use]
pub fn list(
    scroll: Scroll,
    motion: Motion,
    count: Option<u64>,
    len: usize,
    height: usize,
) -> Scroll {
    let many = count.and_then(|n| isize::try_from(n).ok()).unwrap_or(1);
    let page = isize::try_from(height.max(1)).unwrap_or(isize::MAX);
    let numbered = count.and_then(|n| usize::try_from(n.saturating_sub(1)).ok());
    match motion {
        Motion::Up => scroll.moved(-many, len, height),
        Motion::Down => scroll.moved(many, len, height),
        Motion::PageUp => scroll.moved(-page, len, height),
        Motion::PageDown => scroll.moved(page, len, height),
        Motion::HalfUp => scroll.moved(-page / 2, len, height),
        Motion::HalfDown => scroll.moved(page / 2, len, height),
        Motion::First => scroll.at(numbered.unwrap_or(0), len, height),
        Motion::Last => scroll.at(numbered.unwrap_or(usize::MAX), len, height),
        Motion::Left | Motion::Right | Motion::RowStart | Motion::RowEnd => scroll,
    }
}

/// Where `motion` takes a text of which `height` lines are in sight and which can begin with line `last` at most.
#[must_use]
pub fn text(scroll: Scroll, motion: Motion, last: usize, height: usize) -> Scroll {
    let (at, page) = (scroll.cursor().min(last), height.max(1));
    let to = match motion {
        Motion::Up => at.saturating_sub(1),
        Motion::Down => at + 1,
        Motion::PageUp => at.saturating_sub(page),
        Motion::PageDown => at + page,
        Motion::HalfUp => at.saturating_sub(page / 2),
        Motion::HalfDown => at + page / 2,
        Motion::First => 0,
        Motion::Last => last,
        Motion::Left | Motion::Right | Motion::RowStart | Motion::RowEnd => at,
    };
    scroll.on(to.min(last))
}

impl App {
    pub(super) fn moved(&mut self, motion: Motion, count: Option<TypedCount>, geometry: &Geometry) {
        let count = count.filter(|count| count.certain).map(|count| count.value);
        match &mut self.overlay {
            Some(
                Overlay::Help(HelpPage { scroll, .. }) | Overlay::Explain(Explained { scroll, .. }),
            ) => {
                *scroll = text(
                    *scroll,
                    motion,
                    geometry.last_line,
                    geometry.whole.rows().saturating_sub(5),
                );
            }
            Some(Overlay::Finder(finder)) => {
                let (len, _) = finder.counts();
                let height = geometry.whole.rows().saturating_sub(4);
                finder.scroll = list(finder.scroll, motion, count, len, height);
            }
            Some(Overlay::Gallery) => {
                let height = self.gallery.list_rows(geometry.whole);
                self.gallery.moved(motion, count, height);
            }
            Some(Overlay::Prompt(_)) => {}
            None => self.moved_in_pane(motion, count, geometry),
        }
    }

    fn moved_in_pane(&mut self, motion: Motion, count: Option<u64>, geometry: &Geometry) {
        let listed =
            |scroll: Scroll, len: usize, height: usize| list(scroll, motion, count, len, height);
        let height = geometry.view.rows();
        match (self.focus, self.view) {
            (Focus::Tree, _) => self.moved_in_tree(motion, count, geometry),
            (Focus::Map, View::Chunks) => {
                let to = self.chunks.map_moved(motion, count);
                self.go_to_coordinates(to);
            }
            (_, View::DataType) => {
                self.data_type.scroll =
                    listed(self.data_type.scroll, self.data_type.rows().len(), height);
            }
            (_, View::Chunks) => {
                if matches!(motion, Motion::First | Motion::Last) {
                    self.remember();
                }
                self.chunks.moved(motion, count, geometry.view);
            }
            (_, View::Picture) => self.moved_in_picture(motion, count),
            (_, View::Metadata) => {
                let height = height.saturating_sub(super::copying::METADATA_FRAME);
                self.metadata.scroll = listed(self.metadata.scroll, self.metadata.len(), height);
            }
            (_, View::Problems) => {
                let height = super::problems::list_rows(geometry.view);
                match motion {
                    Motion::Left => self.problems.open(false),
                    Motion::Right => self.problems.open(true),
                    _ => {
                        let (scroll, rows) = (self.problems.scroll, self.problems.len());
                        self.problems.scroll = listed(scroll, rows, height);
                    }
                }
            }
        }
    }

    fn moved_in_tree(&mut self, motion: Motion, count: Option<u64>, geometry: &Geometry) {
        let branch = self.tree.selected().map(|row| row.branch.clone());
        match (motion, branch) {
            (Motion::Left, Some(Branch::Open(_))) => self.toggle_branch(),
            (Motion::Left, _) => self.tree.to_parent(),
            (Motion::Right, Some(Branch::Open(_))) => {
                self.tree.scroll = self.tree.scroll.moved(1, self.tree.len(), geometry.tree.rows());
            }
            (Motion::Right, Some(Branch::Leaf)) => self.focus = Focus::View,
            (Motion::Right, _) => self.toggle_branch(),
            (motion, _) => {
                let (len, height) = (self.tree.len(), geometry.tree.rows());
                self.tree.scroll = list(self.tree.scroll, motion, count, len, height);
            }
        }
    }
}
