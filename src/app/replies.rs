//! The replies of the workers, and the state after them.

use super::prelude::*;
use super::{Pages, effect::Reply};

/// The page that the work of a lane is for; `None` for what concerns them all.
pub(super) fn page_of<'a>(
    lane: Lane,
    overlay: &'a mut Option<Overlay>,
    pages: &'a mut Pages,
) -> Option<&'a mut dyn Page> {
    Some(match (lane, overlay) {
        (Lane::Load | Lane::Presence | Lane::Search | Lane::Count, _) => &mut pages.chunks,
        (Lane::Compare | Lane::Differences, _) => &mut pages.compare,
        (Lane::Table, _) => &mut pages.chunk_table,
        (Lane::Check, _) => &mut pages.problems,
        (Lane::Picture, _) => &mut pages.picture,
        (Lane::Documents, _) => &mut pages.metadata,
        (Lane::Overview, _) => &mut pages.overview,
        (Lane::Find, Some(Overlay::Finder(finder))) => finder.as_mut(),
        (Lane::List | Lane::Find, _) => &mut pages.tree,
        (Lane::Readers, _) => &mut pages.data_type,
        (Lane::Node | Lane::Watch, _) => return None,
    })
}

impl App {
    /// Takes in what a worker says, unless something newer was asked for since.
    pub fn replied(&mut self, reply: Reply) -> Vec<Effect> {
        if self.shared.is_newest(reply.lane, reply.generation) {
            self.on_reply(reply.lane, reply.answer);
        }
        self.show_selected();
        mem::take(&mut self.shared.effects)
    }

    fn on_reply(&mut self, lane: Lane, answer: Answer) {
        if answer.is_last() {
            self.shared.set_busy(lane, false);
        }
        match answer {
            Answer::Node(node) => self.take_node(*node),
            Answer::Failed(error) if lane == Lane::Node => self.take_unreadable_node(error),
            Answer::Changed(keys) => self.take_changes(&keys),
            Answer::Readers(path, answers) => self.take_readers(&path, answers),
            answer => {
                let was_revealing = self.pages.tree.is_revealing();
                if let Some(page) = page_of(lane, &mut self.overlay, &mut self.pages) {
                    page.replied(answer, lane, &mut self.shared);
                }
                if was_revealing && !self.pages.tree.is_revealing() {
                    self.run_pending();
                    self.fall_back_to_nearest();
                }
                self.take_eager_match();
            }
        }
    }

    /// Takes in that files have changed: what is on show is read again, the cursor stays.
    pub fn files_changed(&mut self, keys: &[String]) -> Vec<Effect> {
        self.take_changes(keys);
        mem::take(&mut self.shared.effects)
    }

    fn take_changes(&mut self, keys: &[String]) {
        let Some(node) = self.shared.node().map(Arc::clone) else { return };
        let chunk = self.shared.chunk.shown().map(|shown| shown.chunk.key.clone());
        let touched = |key: &String| Some(key) == chunk.as_ref();
        if keys.iter().any(|key| !touched(key)) {
            self.shared.run(Lane::Node, Work::Node(node.path.clone()));
        }
        if keys.iter().any(touched) {
            self.shared.load_chunk();
        }
        self.pages.chunk_table.changed(keys);
        self.pages.picture.changed(keys);
        self.shared.chunk.count = HitCount::default();
        self.shared.look_for_chunks();
        for folder in keys.iter().filter_map(|key| key.strip_suffix('/')) {
            if self.pages.tree.is_open(folder) {
                self.shared.run(Lane::List, Work::List(NodePath(folder.to_owned())));
            }
        }
        let below = format!("{}/", node.path.0);
        let names: Vec<&str> = keys
            .iter()
            .map(|key| key.strip_prefix(&below).unwrap_or(key).trim_end_matches('/'))
            .filter(|name| !name.is_empty())
            .collect();
        let names = names.join(", ");
        let what = if names.is_empty() { String::new() } else { format!(": {names}") };
        self.shared.say(safe(&format!("changed on disk, reloaded{what}")));
    }
}
