//! `tree`: the hierarchy of groups and arrays.

use super::prelude::*;
use crate::zarr::{
    hierarchy::{Folder, Visited},
    signs,
    sizes::Sizes,
};

/// The number of levels shown at most: a tree is printed by recursion.
const DEEPEST: usize = 1000;

/// The arguments of `tree`.
#[derive(Debug, Default, Args)]
pub struct Arguments {
    /// A store, a node, a .zip store, or a folder of stores
    #[arg(default_value = ".")]
    path: PathBuf,
    /// The number of levels to print below PATH [default: all]
    #[arg(long, value_name = "N")]
    depth: Option<usize>,
    /// Read metadata only: count no chunks and print no sizes
    #[arg(long)]
    metadata_only: bool,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// Everything below `path`, or below the current folder.
    pub(super) fn whole(path: Option<PathBuf>) -> Self {
        Self { path: path.unwrap_or_else(|| ".".into()), ..Self::default() }
    }
}

/// Prints the hierarchy.
pub(super) fn run(arguments: &Arguments, output: &mut Output) -> CommandResult {
    let Opened { hierarchy, node, name, .. } = open(&arguments.path)?;
    let levels = arguments.depth.unwrap_or(DEEPEST).min(DEEPEST);
    let folder = hierarchy.folder(&node.path);
    let mut branches = Branches {
        hierarchy: &hierarchy,
        ascii: output.ascii(),
        visited: Visited::default(),
        all: arguments.depth.is_none_or(|depth| depth > DEEPEST),
        measures: !arguments.metadata_only,
        sum: Sizes::none(),
        arrays: 0,
        progress: Progress::new(0, "chunks"),
        verdict: ExitStatus::Fine,
    };
    if arguments.json {
        let (tree, _) = branches.json(&folder, &node, levels);
        output.json(&tree)?;
        return Ok(branches.verdict);
    }
    let row = branches.cells(&node, name);
    table::write(output, &[row])?;
    let verdict = verdict_of(&node);
    if levels == 0 || node.kind.is_array() {
        return Ok(verdict);
    }
    branches.write(output, &folder, levels, "")?;
    branches.write_sum(output)?;
    Ok(verdict.max(branches.verdict))
}

/// The lines below a node.
struct Branches<'a> {
    hierarchy: &'a Hierarchy,
    ascii: bool,
    visited: Visited,
    /// True if nobody asked for fewer levels than there are.
    all: bool,
    /// True if chunks are counted.
    measures: bool,
    /// The sizes of the arrays that were gone through.
    sum: Sizes,
    /// The number of them measured.
    arrays: u64,
    progress: Progress,
    verdict: ExitStatus,
}

impl Branches<'_> {
    /// The sizes of a node; `None` for one that is no array, cannot be measured, or is not to be.
    fn measure(&mut self, node: &Node) -> Option<Sizes> {
        let NodeKind::Array(array) = &node.kind else { return None };
        let store = &*self.hierarchy.store;
        let sizes = self.measures.then(|| {
            Sizes::of(store, &node.path, array, &self.sum, &mut |_| {
                self.progress.advance(1);
                true
            })
        });
        let sizes = sizes?.ok()?;
        self.sum.add(&sizes);
        self.arrays += 1;
        Some(sizes)
    }

    /// The columns of a node: name, format, what it is, shape, what is stored of it, and what is remarkable.
    fn cells(&mut self, node: &Node, name: String) -> Vec<Cell> {
        let sizes = self.measure(node);
        cells(node, name, sizes.as_ref())
    }

    /// Writes the sizes of all arrays together, where there are several.
    fn write_sum(&mut self, output: &mut Output) -> Printed {
        if self.arrays < 2 {
            return Ok(());
        }
        let arrays = counted(self.arrays, "array");
        let text = format!("{arrays}, {}", json_forms::sizes_words(&self.sum, "chunk"));
        output.line(&output.paint(Role::Quiet, &text))
    }

    fn write(
        &mut self,
        output: &mut Output,
        folder: &Folder,
        levels: usize,
        indent: &str,
    ) -> Printed {
        // Of each node its line is kept and no more: the columns are as wide as the widest of them.
        let (mut children, mut rows) = (Vec::new(), Vec::<Vec<Cell>>::new());
        let listed = self.enter(folder, levels).and_then(|()| {
            folder.visit_children(&mut |node| {
                rows.push(self.cells(&node, safe_owned(node.path.name())));
                children.push(Child::of(node));
                true
            })
        });
        if let Err(error) = listed {
            self.reject(&error);
            return self.cannot_list(output, indent, &error);
        }
        let last = children.len().saturating_sub(1);
        for (at, row) in rows.iter_mut().enumerate() {
            if let Some(name) = row.first_mut() {
                name.prefix(&format!("{indent}{}", self.branch(at == last)));
            }
        }
        let widths = table::widths(&rows);
        for (at, (child, row)) in children.iter().zip(&rows).enumerate() {
            table::write_row(output, row, &widths)?;
            self.verdict = self.verdict.max(child.verdict);
            if child.opens && (levels > 1 || self.all) {
                let deeper = format!("{indent}{}", self.trunk(at == last));
                self.write(output, &folder.child(&child.path), levels - 1, &deeper)?;
            }
        }
        Ok(())
    }

    /// Goes into `folder` if it was not gone through before, and is not too deep.
    fn enter(&mut self, folder: &Folder, levels: usize) -> Result<()> {
        if levels == 0 {
            let found = format!("more than {DEEPEST} levels");
            let error = Error::new(Code::NestedTooDeep, found, "a PATH further down");
            return Err(error.in_file(&folder.path.0));
        }
        self.visited.enter(self.hierarchy, &folder.path, 0)
    }

    /// Takes down that a folder was not listed. A link to one that is listed elsewhere is no fault.
    fn reject(&mut self, error: &Error) {
        self.verdict = self.verdict.max(ExitStatus::flawed_if(error.code != Code::LinkedFolder));
    }

    fn cannot_list(&self, output: &mut Output, indent: &str, error: &Error) -> Printed {
        let text = output.paint(Role::Error, &format!("{} {}", signs::ERROR, safe_text(&error)));
        output.line(&format!("{indent}{}{text}", self.branch(true)))
    }

    fn branch(&self, last: bool) -> &'static str {
        match (self.ascii, last) {
            (false, false) => "├── ",
            (false, true) => "└── ",
            (true, false) => "|-- ",
            (true, true) => "`-- ",
        }
    }

    fn trunk(&self, last: bool) -> &'static str {
        match (self.ascii, last) {
            (_, true) => "    ",
            (false, false) => "│   ",
            (true, false) => "|   ",
        }
    }
}

/// The facts about a listed node, beside its line.
struct Child {
    path: NodePath,
    verdict: ExitStatus,
    opens: bool,
}

impl Child {
    fn of(node: Node) -> Self {
        let opens = !node.kind.is_array();
        Self { verdict: verdict_of(&node), opens, path: node.path }
    }
}

/// The exit status for the node itself.
fn verdict_of(node: &Node) -> ExitStatus {
    ExitStatus::flawed_if(faults(node) > 0 || matches!(node.kind, NodeKind::Broken(_)))
}

/// The number of problems of a node and its documents that make something unreadable or wrong.
fn faults(node: &Node) -> usize {
    node.all_problems().filter(|problem| problem.severity == Severity::Error).count()
}

fn cells(node: &Node, name: String, sizes: Option<&Sizes>) -> Vec<Cell> {
    let badge = Cell::quiet(json_forms::badge(node));
    let (what, shape) = match &node.kind {
        NodeKind::Array(array) => (type_cell(array), Cell::new(shape_text(array))),
        NodeKind::Group(_) => (Cell::quiet("group"), Cell::new("")),
        NodeKind::Folder => (Cell::quiet("folder"), Cell::new("")),
        NodeKind::Broken(_) => (Cell::new("broken").role(Role::Error), Cell::new("")),
    };
    let mut row = vec![Cell::new(name).role(Role::Strong), badge, what, shape];
    row.extend(sizes.map_or_else(|| vec![Cell::new(""); 4], size_cells));
    row.push(Cell::quiet(marks(node)));
    if let NodeKind::Broken(error) = &node.kind {
        let text = format!("{} {}", signs::ERROR, safe_text(&error));
        row.push(Cell::new(text).role(Role::Error));
    } else {
        let count = node.all_problems().filter(|p| p.severity >= Severity::Warning).count();
        let (sign, role) = if faults(node) > 0 {
            (signs::ERROR, Role::Error)
        } else {
            (signs::WARNING, Role::Warning)
        };
        let text = if count > 0 { format!("{sign} {count}") } else { String::new() };
        row.push(Cell::new(text).role(role));
    }
    row
}

/// The number of stored chunks and of all, their length, their decoded length, and the ratio.
fn size_cells(sizes: &Sizes) -> Vec<Cell> {
    let none = signs::NONE;
    let known = |text: Option<String>| Cell::new(text.unwrap_or_else(|| none.into())).right();
    let total = sizes.objects_total.map_or_else(|| none.into(), grouped);
    let raw = sizes.raw.filter(|_| sizes.objects > 0);
    vec![
        Cell::new(format!("{} of {total}", grouped(sizes.objects))).right(),
        Cell::new(sizes.stored_words()).right(),
        known(raw.map(|raw| size(json_forms::saturated(raw)))),
        known(sizes.ratio().map(words::ratio)),
    ]
}

fn type_cell(array: &ArrayMetadata) -> Cell {
    let Ok(resolved) = &array.data_type else {
        let stored = array.data_type_json().map(ToString::to_string);
        let text = stored.map_or_else(|| "no data type".into(), |text| format!("{}?", safe(&text)));
        return Cell::new(text).role(Role::Error);
    };
    // A byte order that means nothing stays blank, so that the eye finds the others.
    let order = resolved.order.badge("mixed").unwrap_or_default();
    Cell::new(format!("{} {order}", safe(&resolved.data_type.name())).trim_end())
}

fn shape_text(array: &ArrayMetadata) -> String {
    array.shape.as_ref().map_or_else(|_| "[?]".into(), |shape| list(shape))
}

fn marks(node: &Node) -> String {
    let mut marks = Vec::new();
    if let NodeKind::Array(array) = &node.kind
        && json_forms::is_sharded(array)
    {
        marks.push("sharded");
    }
    if let NodeKind::Group(group) = &node.kind
        && group.documents.is_empty()
    {
        marks.push("implicit");
    }
    marks.extend(node.consolidated.map(|_| "consolidated"));
    marks.extend(node.other.as_ref().map(|_| "both formats"));
    marks.extend(node.outside().map(|_| "outside the store"));
    marks.join(", ")
}

impl Branches<'_> {
    /// A node with all below it, and what is stored of that; `None` where nothing is measured.
    fn json(&mut self, folder: &Folder, node: &Node, levels: usize) -> (Json, Option<Sizes>) {
        let mut members = node_json(node);
        self.verdict = self.verdict.max(verdict_of(node));
        let mut sizes = self.measure(node);
        let opens = !matches!(node.kind, NodeKind::Array(_) | NodeKind::Broken(_));
        if opens && (levels > 0 || self.all) {
            let mut sum = Sizes::none();
            let mut children = Vec::new();
            let listed = self.enter(folder, levels).and_then(|()| {
                folder.visit_children(&mut |node| {
                    let child = self.json(&folder.child(&node.path), &node, levels - 1);
                    child.1.iter().for_each(|sizes| sum.add(sizes));
                    children.push(child.0);
                    true
                })
            });
            sizes = self.measures.then_some(sum);
            match listed {
                Ok(()) => members.set("children", children),
                Err(error) => {
                    self.reject(&error);
                    members.set("error", json_forms::error(&error));
                }
            }
        }
        if let Some(sizes) = &sizes {
            members.set("sizes", json_forms::sizes(sizes));
        }
        (members, sizes)
    }
}

fn node_json(node: &Node) -> Json {
    let mut members = json_forms::node(node);
    match &node.kind {
        NodeKind::Array(array) => members.extend(array_members(array)),
        NodeKind::Broken(error) => members.set("error", json_forms::error(error)),
        NodeKind::Group(_) | NodeKind::Folder => {
            members.set("consolidated", node.consolidated.is_some());
        }
    }
    if let Some(other) = &node.other {
        members.set("also_zarr_format", json_forms::format_of(other));
    }
    let problems: Vec<_> = node.all_problems().map(json_forms::problem).collect();
    if !problems.is_empty() {
        members.set("problems", problems);
    }
    members
}

fn array_members(array: &ArrayMetadata) -> Json {
    let known = array.known_data_type();
    object! {
        "shape": array.known_shape(),
        "data_type": array.data_type_json().map(Json::strict),
        "byte_order": known.map(|known| json_forms::byte_order(&known.order)),
        "sharded": json_forms::is_sharded(array),
    }
}
