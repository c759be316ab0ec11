//! The nodes as a flat list of rows: opening one splices its children in, closing it drains them.

use crate::app::prelude::*;

/// One row of the tree.
#[derive(Clone)]
pub struct TreeRow {
    /// The node, in a line.
    pub node: Outline,
    /// The number of groups around it.
    pub depth: usize,
    /// The state of its children: none possible, hidden or shown.
    pub branch: Branch,
    /// True if it is in a group that is closed, and only on show because the filter lets it through.
    pub is_stray: bool,
}

/// The nodes below a row.
#[derive(Clone, PartialEq)]
pub enum Branch {
    /// Nothing can be.
    Leaf,
    /// Not on show.
    Closed,
    /// Asked for: so many children have been found so far.
    Opening(usize),
    /// On show: so many children.
    Open(usize),
    /// It cannot be listed.
    Failed(Box<Error>),
}

/// The tree.
#[derive(Clone)]
pub struct Tree {
    pub(super) rows: Vec<TreeRow>,
    /// All nodes that a walk has found while there is a filter, groups before what is in them.
    pub(super) walked: Vec<Outline>,
    /// The rows that the filter lets through; `None` without a filter.
    shown: Option<Vec<usize>>,
    /// The text that names must contain to be shown.
    pub filter: String,
    /// The number of names hold it.
    pub matches: usize,
    /// The cursor over the rows on show.
    pub scroll: Scroll,
    /// A node that is to be selected as soon as its parents are listed.
    pub(super) target: Option<NodePath>,
    /// A node that was to be selected and does not exist.
    pub(super) missed: Option<NodePath>,
}

impl TreeRow {
    pub(super) fn new(node: Outline, depth: usize) -> Self {
        let branch = if node.is_branch() { Branch::Closed } else { Branch::Leaf };
        Self { node, depth, branch, is_stray: false }
    }

    fn is_open(&self) -> bool {
        matches!(self.branch, Branch::Open(_))
    }
}

impl Tree {
    /// A tree of the root alone.
    pub fn new(root: Outline) -> Self {
        Self {
            rows: vec![TreeRow::new(root, 0)],
            walked: Vec::new(),
            shown: None,
            filter: String::new(),
            matches: 0,
            scroll: Scroll::default(),
            target: None,
            missed: None,
        }
    }

    /// The number of rows on show.
    pub fn len(&self) -> usize {
        self.shown.as_ref().map_or(self.rows.len(), Vec::len)
    }

    /// True if the filter lets nothing through.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The rows on show from `range`, each with its number on show.
    pub fn rows(&self, range: Range<usize>) -> impl Iterator<Item = (usize, &TreeRow)> {
        range.map_while(|at| Some((at, self.row(at)?)))
    }

    /// The row under the cursor.
    pub fn selected(&self) -> Option<&TreeRow> {
        self.row(self.scroll.cursor())
    }

    pub(super) fn row(&self, at: usize) -> Option<&TreeRow> {
        self.rows.get(self.index(at)?)
    }

    /// The place among all rows of row `at` on show.
    fn index(&self, at: usize) -> Option<usize> {
        self.shown.as_ref().map_or(Some(at), |shown| shown.get(at).copied())
    }

    pub(super) fn find(&self, path: &NodePath) -> Option<usize> {
        self.rows.iter().position(|row| row.node.path == *path)
    }

    /// The rows below row `at`.
    fn below(&self, at: usize) -> Range<usize> {
        let depth = self.rows.get(at).map_or(0, |row| row.depth);
        let behind = self.rows.iter().skip(at + 1).take_while(|row| row.depth > depth).count();
        at + 1..at + 1 + behind
    }

    /// The paths of the groups that are open, or could not be listed, which a reload lists again.
    pub fn open_paths(&self) -> Vec<NodePath> {
        self.paths_of(|branch| matches!(branch, Branch::Open(_) | Branch::Failed(_)))
    }

    /// The paths of the groups that are being listed.
    pub fn opening_paths(&self) -> Vec<NodePath> {
        self.paths_of(|branch| matches!(branch, Branch::Opening(_)))
    }

    fn paths_of(&self, is_wanted: impl Fn(&Branch) -> bool) -> Vec<NodePath> {
        let wanted = self.rows.iter().filter(|row| is_wanted(&row.branch));
        wanted.map(|row| row.node.path.clone()).collect()
    }

    /// True if the children of `path` are on show.
    pub fn is_open(&self, path: &str) -> bool {
        self.rows.iter().any(|row| row.node.path.0 == path && row.is_open())
    }

    /// True if the root keeps copies of the metadata of all nodes.
    pub fn is_consolidated(&self) -> bool {
        self.rows.first().is_some_and(|row| row.node.is_consolidated)
    }

    /// True if a node with this path is known.
    pub fn has(&self, path: &str) -> bool {
        self.rows.iter().any(|row| row.node.path.0 == path)
    }

    /// The paths of all nodes that are known.
    pub fn paths(&self) -> Vec<String> {
        self.rows.iter().map(|row| row.node.path.0.clone()).collect()
    }

    /// Opens the group `path`: the path to list, if it has to be listed.
    pub fn open(&mut self, path: &NodePath) -> Option<NodePath> {
        let at = self.find(path)?;
        let row = self.rows.get_mut(at)?;
        matches!(row.branch, Branch::Closed | Branch::Failed(_)).then(|| {
            row.branch = Branch::Opening(0);
            row.node.path.clone()
        })
    }

    /// Closes the group `path`; false where it is not open.
    pub fn close(&mut self, path: &NodePath) -> bool {
        let Some(at) =
            self.find(path).filter(|&at| self.rows.get(at).is_some_and(TreeRow::is_open))
        else {
            return false;
        };
        let below = self.below(at);
        self.keep_cursor(|tree| {
            tree.rows.drain(below);
            if let Some(row) = tree.rows.get_mut(at) {
                row.branch = Branch::Closed;
            }
        });
        true
    }

    /// Takes in that so many children of `path` have been found, and that there may be more.
    pub fn listing(&mut self, path: &NodePath, found: usize) {
        let row = self.find(path).and_then(|at| self.rows.get_mut(at));
        if let Some(Branch::Opening(count)) = row.map(|row| &mut row.branch) {
            *count = found;
        }
    }

    /// Takes the children of `path` in. Those that were there before keep what is below them. Gives the next group
    /// to list on the way to the target.
    pub fn listed(
        &mut self,
        path: &NodePath,
        result: Result<Vec<Outline>, Error>,
    ) -> Option<NodePath> {
        let at = self.find(path)?;
        let wanted = self.rows.get(at).is_some_and(|row| row.branch != Branch::Closed);
        if !wanted {
            return None;
        }
        match result {
            Ok(children) => self.keep_cursor(|tree| tree.splice(at, children)),
            Err(error) => {
                let below = self.below(at);
                self.keep_cursor(|tree| drop(tree.rows.drain(below)));
                self.rows.get_mut(at)?.branch = Branch::Failed(Box::new(error));
            }
        }
        self.approach()
    }

    fn splice(&mut self, at: usize, children: Vec<Outline>) {
        let below = self.below(at);
        let Some(parent) = self.rows.get_mut(at) else { return };
        parent.branch = Branch::Open(children.len());
        let depth = parent.depth + 1;
        // Each child that was there before, with what is below it.
        let (mut before, mut last) = (HashMap::<_, Vec<TreeRow>>::new(), NodePath::default());
        for row in self.rows.drain(below) {
            if row.depth == depth {
                last = row.node.path.clone();
            }
            before.entry(last.clone()).or_default().push(row);
        }
        let behind = self.rows.split_off(at + 1);
        self.rows.reserve_exact(children.len() + behind.len());
        for child in children {
            let mut row = TreeRow::new(child, depth);
            let mut kept = before.remove(&row.node.path).unwrap_or_default().into_iter();
            match kept.next().map(|old| old.branch) {
                Some(branch) if row.branch != Branch::Leaf && branch != Branch::Leaf => {
                    row.branch = branch;
                    self.rows.push(row);
                    self.rows.extend(kept);
                }
                _ => self.rows.push(row),
            }
        }
        self.rows.extend(behind);
    }

    /// Puts a node that was read again in its place.
    pub fn replace(&mut self, node: Outline) {
        if let Some(row) = self.find(&node.path).and_then(|at| self.rows.get_mut(at)) {
            let fresh = TreeRow::new(node, row.depth);
            if (fresh.branch == Branch::Leaf) != (row.branch == Branch::Leaf) {
                row.branch = fresh.branch;
            }
            row.node = fresh.node;
        }
    }

    pub(super) fn select_index(&mut self, index: usize) {
        let at = match &self.shown {
            None => index,
            Some(shown) => shown.iter().position(|&i| i == index).unwrap_or(0),
        };
        self.scroll = self.scroll.on(at);
    }

    /// Shows only nodes whose name holds `filter`, and what is around them.
    pub fn set_filter(&mut self, filter: &str) {
        filter.clone_into(&mut self.filter);
        self.keep_cursor(Self::place_strays);
    }

    /// Changes the rows; the cursor stays on its node, or goes to the nearest one around it that is left.
    pub(super) fn keep_cursor(&mut self, change: impl FnOnce(&mut Self)) {
        let path = self.selected().map(|row| row.node.path.clone());
        change(self);
        self.shown = (!self.filter.is_empty()).then(|| self.matching());
        let mut rows =
            path.into_iter().flat_map(NodePath::upwards).filter_map(|path| self.find(&path));
        let is_shown = |row: &usize| self.shown.as_ref().is_none_or(|shown| shown.contains(row));
        match rows.find(is_shown) {
            Some(row) => self.select_index(row),
            None => self.scroll = self.scroll.within(self.len()),
        }
    }

    /// The rows that match the filter, and those around them.
    fn matching(&mut self) -> Vec<usize> {
        let needle = self.filter.to_lowercase();
        self.matches = 0;
        let mut keep = vec![false; self.rows.len()];
        let mut parents: Vec<usize> = Vec::new();
        for (at, row) in self.rows.iter().enumerate() {
            parents.truncate(row.depth);
            if holds(&row.node.path, &needle) {
                self.matches += 1;
                for &index in parents.iter().chain([&at]) {
                    if let Some(kept) = keep.get_mut(index) {
                        *kept = true;
                    }
                }
            }
            parents.push(at);
        }
        keep.iter().enumerate().filter(|(_, kept)| **kept).map(|(at, _)| at).collect()
    }
}

/// True if the name of the node at `path` holds `needle`, which is in lower case.
pub(super) fn holds(path: &NodePath, needle: &str) -> bool {
    safe(path.name()).to_lowercase().contains(needle)
}

#[cfg(test)]
mod tests {
    use super::{super::What, *};
    use crate::app::page::problems::SeriousCount;
    use proptest::prelude::*;

    fn node(path: &str, is_group: bool) -> Outline {
        Outline {
            path: NodePath(path.into()),
            what: if is_group { What::Folder } else { What::Broken("nothing".into()) },
            in_both_formats: false,
            is_consolidated: false,
            is_outside: false,
            problems: SeriousCount::default(),
        }
    }

    /// Three children: two groups and something that does not open.
    fn children(path: &NodePath) -> Vec<Outline> {
        ["a", "b", "c"].map(|name| node(&path.child(name).0, name != "c")).into()
    }

    fn answer(tree: &mut Tree, mut wanted: Option<NodePath>) {
        while let Some(path) = wanted {
            wanted = tree.listed(&path, Ok(children(&path)));
        }
    }

    fn paths(tree: &Tree) -> Vec<String> {
        tree.rows(0..tree.len()).map(|(_, row)| row.node.path.0.clone()).collect()
    }

    #[test]
    fn opening_splices_and_closing_drains() {
        let mut tree = Tree::new(node("", true));
        let root = tree.open(&NodePath::default());
        answer(&mut tree, root);
        assert_eq!(paths(&tree), ["", "a", "b", "c"]);
        let wanted = tree.open(&NodePath("a".into()));
        answer(&mut tree, wanted);
        assert_eq!(paths(&tree), ["", "a", "a/a", "a/b", "a/c", "b", "c"]);
        // A listing that comes again keeps what is open below.
        tree.listed(&NodePath::default(), Ok(children(&NodePath::default())));
        assert_eq!(paths(&tree), ["", "a", "a/a", "a/b", "a/c", "b", "c"]);
        assert!(tree.close(&NodePath("a".into())));
        assert_eq!(paths(&tree), ["", "a", "b", "c"]);
        assert_eq!(tree.listed(&NodePath("a".into()), Ok(Vec::new())), None, "nobody asked");
        assert_eq!(paths(&tree).len(), 4);
        assert!(!tree.is_open("a"));
    }

    #[test]
    fn a_node_deep_down_is_revealed_or_missed() {
        let mut tree = Tree::new(node("", true));
        let wanted = tree.reveal(&NodePath("b/a/c".into()));
        answer(&mut tree, wanted);
        assert_eq!(tree.selected().unwrap().node.path.0, "b/a/c");
        let wanted = tree.reveal(&NodePath("b/a/x/y".into()));
        answer(&mut tree, wanted);
        assert_eq!(tree.selected().unwrap().node.path.0, "b/a");
        assert_eq!(tree.take_missed(), Some(NodePath("b/a/x/y".into())));
        assert_eq!(tree.take_missed(), None);
    }

    proptest! {
        /// Whatever is opened, closed, listed again and filtered: each row but the root has its parent above it, and
        /// the cursor is on a row.
        #[test]
        fn rows_hang_together(steps in proptest::collection::vec((0_u8..6, 0_usize..40), 0..40)) {
            let mut tree = Tree::new(node("", true));
            for (what, which) in steps {
                let path = tree.row(which % tree.len().max(1)).map(|row| row.node.path.clone());
                let Some(path) = path else { tree.set_filter(""); continue };
                match what {
                    0 | 1 => { let wanted = tree.open(&path); answer(&mut tree, wanted); }
                    2 => { tree.close(&path); }
                    // What a walk finds below a group, one level and a part of the next.
                    5 => {
                        let mut found = children(&path);
                        found.splice(1..1, children(&path.child("a")).split_off(which % 3));
                        tree.found(found);
                    }
                    3 => { tree.listed(&path, Ok(children(&path).split_off(which % 3))); }
                    _ => tree.set_filter(["", "a", "c", "zz"][which % 4]),
                }
                for (at, row) in tree.rows.iter().enumerate().skip(1) {
                    let parent = tree.rows[..at].iter().rfind(|other| other.depth < row.depth);
                    prop_assert_eq!(parent.map(|row| row.node.path.clone()), row.node.path.parent());
                }
                prop_assert!(tree.is_empty() || tree.selected().is_some());
            }
        }
    }
}
