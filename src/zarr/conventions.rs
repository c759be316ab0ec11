//! Conventions on top of Zarr, and their rules for attributes and for the nodes that they name: CF as xarray applies
//! it, OME-Zarr, AnnData and HDMF; and those that nodes declare in `zarr_conventions`.
//!
//! A further convention is a file in `conventions/` with its rules, a variant of [`Convention`], and an arm where
//! [`Walk`] asks each of them; what it says of values, a row of `OF_VALUES`. What can be said of one member alone is a row
//! in a table of `rules::Rule`s; of elements that refer to those of another array, or are as many, one in
//! `relations/references.rs`; of elements that follow from others, one in `relations/derived.rs`; what needs more is a
//! function and its row: of arrays together in `relations.rs`, of the range of one in `cf/ranges.rs`. Findings are warnings
//! and notes, as the store itself is whole; errors where a part is not there. Nothing is fetched.

use super::{
    error::{Code, Problem},
    hierarchy::{Hierarchy, Node, NodeKind},
    store::NodePath,
};

mod anndata;
mod attributes;
mod cf;
mod geo;
mod hdmf;
mod identifiers;
mod numbers;
mod ome;
mod prelude;
mod region;
mod related;
mod relations;
mod rules;
mod texts;

use attributes::Attributes;
use cf::Variable;
pub use cf::{mesh::check as mesh_indices, ranges::check as value_ranges};
pub use related::Related;
pub use relations::earth::{check as missing_places, moved_pages};

/// The number of conventions.
pub const CONVENTIONS: usize = 5;

/// A convention that zarrscope knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Convention {
    /// Climate and Forecast, as xarray applies it to Zarr.
    Cf,
    /// OME-Zarr, the format of bioimages.
    Ome,
    /// AnnData, tables and matrices of single cells.
    Anndata,
    /// HDMF, the links and references of NWB files.
    Hdmf,
    /// Those of `zarr_conventions` that are known: proj:, spatial: and multiscales.
    Zarr,
}

impl Convention {
    /// Every one of them.
    pub const ALL: [Self; CONVENTIONS] =
        [Self::Cf, Self::Ome, Self::Anndata, Self::Hdmf, Self::Zarr];

    /// The words by which commands name them, and their names.
    const WORDS: [(&str, &str); CONVENTIONS] = [
        ("cf", "CF"),
        ("ome", "OME-Zarr"),
        ("anndata", "AnnData"),
        ("hdmf", "HDMF (links)"),
        ("zarr", "Zarr Conventions (proj, spatial, multiscales)"),
    ];

    /// The word by which commands name it.
    #[must_use]
    pub fn word(self) -> &'static str {
        Self::WORDS[self as usize].0
    }

    /// The name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::WORDS[self as usize].1
    }

    /// The convention that a finding is about.
    #[must_use]
    pub fn of(code: Code) -> Option<Self> {
        let (word, _) = code.as_str().split_once('-')?;
        // Other codes begin with "zarr", too.
        let is_it = |convention: &Self| match convention {
            Self::Zarr => code == Code::ZarrConvention,
            other => other.word() == word,
        };
        Self::ALL.into_iter().find(is_it)
    }
}

/// The conventions that are checked; by default those that the attributes claim.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Wanted(Option<[bool; CONVENTIONS]>);

impl Wanted {
    /// These and no others, whether or not attributes claim them.
    #[must_use]
    pub fn only(conventions: &[Convention]) -> Self {
        Self(Some(Convention::ALL.map(|convention| conventions.contains(&convention))))
    }

    /// True if `convention` is to be checked where attributes do or do not claim it.
    fn asks(self, convention: Convention, is_claimed: bool) -> bool {
        self.0.map_or(is_claimed, |wanted| wanted[convention as usize])
    }

    /// True if nothing is to be checked.
    fn is_none(self) -> bool {
        self.0 == Some([false; CONVENTIONS])
    }
}

/// The finding on the values of an array.
type ValueCheck = fn(&Related) -> Option<Problem>;

/// The checks of values, by the convention that asks for them. Of those in one list, the first finding is told.
const OF_VALUES: &[(Option<Convention>, &[ValueCheck])] = &[
    (
        Some(Convention::Cf),
        &[cf::steps::check, cf::spacing::check, geo::coordinates, cf::labels::check],
    ),
    (
        Some(Convention::Anndata),
        &[
            anndata::same_names,
            |related| relations::references::check(related, true),
            anndata::printed,
        ],
    ),
    (Some(Convention::Cf), &[cf::bounds::check, cf::bounds::of_terms]),
    (Some(Convention::Cf), &[cf::coverage::check]),
    (Some(Convention::Cf), &[cf::forecast::check]),
    (Some(Convention::Cf), &[cf::zones::check]),
    (Some(Convention::Cf), &[cf::ragged::check]),
    (Some(Convention::Cf), &[cf::mesh::rows, cf::mesh::located]),
    (None, &[identifiers::check, texts::check]),
    (None, &[relations::check]),
    (Some(Convention::Ome), &[ome::levels::check, ome::blocks::check]),
    (Some(Convention::Ome), &[relations::channels::check, relations::planes::check]),
];

/// The findings on the values of an array by conventions that `asks`, and by what holds for all.
pub fn of_values(related: &Related, asks: &dyn Fn(Convention) -> bool) -> Vec<Problem> {
    let is_asked = |convention: &Option<Convention>| convention.is_none_or(asks);
    let lists = OF_VALUES.iter().filter(|(convention, _)| is_asked(convention));
    lists.filter_map(|(_, checks)| checks.iter().find_map(|check| check(related))).collect()
}

/// Problems with the nodes that have them.
pub type FoundProblems = Vec<(NodePath, Problem)>;

/// The claims of a group on the nodes in it.
#[derive(Debug, Clone, Default)]
struct GroupScope {
    /// True if the attribute `Conventions` names CF, here or above.
    says_cf: bool,
    /// True if its arrays are the levels of an image, whose dimensions have the same names and other sizes.
    is_image: bool,
    /// True if it is part of a file of HDMF, which names no dimensions of scalars; in its tables, the name of one is said of
    /// ragged columns as well.
    is_hdmf: bool,
    /// The variables that the attribute `external_variables` says are in other files.
    external: Vec<String>,
}

impl GroupScope {
    /// The scope of a group that is in this one.
    fn enter(&self, kinds: &[&NodeKind]) -> Self {
        let attributes: Vec<_> = kinds.iter().filter_map(|kind| Attributes::of(kind)).collect();
        let mut external = Vec::new();
        for attributes in &attributes {
            external.extend(cf::external_variables(attributes));
        }
        Self {
            says_cf: self.says_cf || attributes.iter().any(cf::says_cf),
            is_image: attributes.iter().any(ome::is_image),
            is_hdmf: self.is_hdmf || attributes.iter().any(|it| it.get("neurodata_type").is_some()),
            external,
        }
    }

    /// The scope of what is directly in the group at `path`, by what the groups around it say.
    fn at(hierarchy: &Hierarchy, path: &NodePath) -> Self {
        let mut above: Vec<_> =
            std::iter::successors(Some(path.clone()), NodePath::parent).collect();
        above.reverse();
        above.into_iter().fold(Self::default(), |scope, path| {
            let node = hierarchy.node(&path);
            scope.enter(&kinds(&node))
        })
    }
}

/// The kinds of a node by its documents, in each of the formats that it has.
fn kinds(node: &Node) -> Vec<&NodeKind> {
    node.kinds().collect()
}

/// A group that is being gone through.
#[derive(Debug)]
struct OpenGroup {
    path: NodePath,
    /// The key of its document, or its path.
    file: String,
    scope: GroupScope,
    facts: cf::group::GroupFacts,
}

/// Goes through nodes in the order of a walk, parents first, and tells what is wrong with each; with a group as such
/// once all of its children were seen.
#[derive(Debug)]
pub struct Walk<'a> {
    hierarchy: &'a Hierarchy,
    wanted: Wanted,
    open: Vec<OpenGroup>,
    /// The conventions that were checked somewhere.
    seen: [bool; CONVENTIONS],
}

impl<'a> Walk<'a> {
    /// A walk over nodes of `hierarchy`.
    #[must_use]
    pub fn new(hierarchy: &'a Hierarchy, wanted: Wanted) -> Self {
        Self { hierarchy, wanted, open: Vec::new(), seen: [false; CONVENTIONS] }
    }

    /// The problems of `node`, and of the groups that end before it.
    pub fn node(&mut self, node: &Node) -> FoundProblems {
        if self.wanted.is_none() {
            return FoundProblems::new();
        }
        let mut found = self.leave(Some(&node.path));
        let here = self.enter(node);
        let told = here.into_iter().map(|problem| (node.path.clone(), problem));
        found.extend(told);
        found
    }

    /// True if the node at `path` may be a level of an image: the group around it, or the one around that, is one, or was not
    /// seen.
    pub fn is_in_image(&self, path: &NodePath) -> bool {
        let [.., last] = self.open.as_slice() else { return true };
        let mut around = self.open.iter().rev().take(2);
        Some(&last.path) != path.parent().as_ref() || around.any(|group| group.scope.is_image)
    }

    /// The problems of the groups that were not left yet.
    pub fn finish(&mut self) -> FoundProblems {
        self.leave(None)
    }

    /// True if values are to be checked by `convention`.
    #[must_use]
    pub fn reads_values(&self, convention: Convention) -> bool {
        self.wanted.asks(convention, true)
    }

    /// For each of [`Convention::ALL`]: true if something was checked by it.
    #[must_use]
    pub fn checked(&self) -> [bool; CONVENTIONS] {
        self.seen
    }

    /// True if `convention` is to be checked here; it is then one of those that were.
    fn asks(&mut self, convention: Convention, is_claimed: bool) -> bool {
        let asks = self.wanted.asks(convention, is_claimed);
        self.seen[convention as usize] |= asks;
        asks
    }

    /// Leaves the groups that `next` is not in.
    fn leave(&mut self, next: Option<&NodePath>) -> FoundProblems {
        let mut found = FoundProblems::new();
        while let Some(last) = self.open.pop() {
            if next.is_some_and(|next| last.path.holds(next) && last.path != *next) {
                self.open.push(last);
                break;
            }
            let claimed = last.facts.claims(last.scope.says_cf) && !last.scope.is_image;
            let is_told = self.asks(Convention::Cf, claimed);
            if self.wanted.asks(Convention::Cf, !last.scope.is_image) {
                let problem = last.facts.unlike_beside(&last.file);
                found.extend(problem.map(|problem| (last.path.clone(), problem)));
            }
            if is_told || self.wanted == Wanted::default() && !last.scope.is_image {
                let problems = last.facts.finish(&last.file, is_told, last.scope.is_hdmf);
                found.extend(problems.into_iter().map(|problem| (last.path.clone(), problem)));
            }
            if let Some(above) = self.open.last_mut() {
                above.facts.add_group(last.path.name(), last.facts);
            }
        }
        found
    }

    /// Checks a node, and enters it if it is a group.
    fn enter(&mut self, node: &Node) -> Vec<Problem> {
        let kinds = kinds(node);
        let parent = node.path.parent();
        let is_open = self.open.last().map(|last| &last.path) == parent.as_ref();
        let around = match (self.open.last(), &parent) {
            (Some(last), _) if is_open => last.scope.clone(),
            (_, Some(parent)) => GroupScope::at(self.hierarchy, parent),
            (_, None) => GroupScope::default(),
        };
        let mut problems = Vec::new();
        for kind in &kinds {
            if self.asks(Convention::Zarr, geo::is_declared(kind)) {
                problems.extend(geo::check(self.hierarchy, &node.path, kind));
            }
            if self.asks(Convention::Hdmf, hdmf::is_declared(kind)) {
                problems.extend(hdmf::check(self.hierarchy, &node.path, kind));
            }
            match kind {
                NodeKind::Array(array) => {
                    let variable = Variable { hierarchy: self.hierarchy, array, path: &node.path };
                    if let Some(last) = self.open.last_mut().filter(|_| is_open) {
                        last.facts.add(&variable);
                    }
                    problems.extend(self.variable(&variable, &around));
                }
                NodeKind::Group(_) => problems.extend(self.group(&node.path, kind)),
                NodeKind::Folder | NodeKind::Broken(_) => {}
            }
        }
        if kinds.iter().any(|kind| matches!(kind, NodeKind::Group(_) | NodeKind::Folder)) {
            let scope = around.enter(&kinds);
            let facts = cf::group::GroupFacts::of(&kinds);
            let file = match &node.kind {
                NodeKind::Group(group) => group.documents.first().map(|document| &document.key),
                _ => None,
            };
            let file = file.unwrap_or(&node.path.0).clone();
            self.open.push(OpenGroup { path: node.path.clone(), file, scope, facts });
        }
        problems
    }
}

impl Walk<'_> {
    /// The problems of an array as a variable.
    fn variable(&mut self, variable: &Variable<'_>, around: &GroupScope) -> Vec<Problem> {
        // An array without dimensions is a variable where others are.
        let is_scalar = variable.array.shape.as_ref().is_ok_and(Vec::is_empty);
        let is_variable = variable.is_named() && (!is_scalar || around.says_cf);
        let is_claimed = !around.is_image && is_variable;
        if self.asks(Convention::Cf, is_claimed) {
            return variable.check(&around.external);
        }
        Vec::new()
    }

    /// The problems of a group as an image, a plate or another thing of OME-Zarr, or as one of AnnData.
    fn group(&mut self, path: &NodePath, kind: &NodeKind) -> Vec<Problem> {
        let mut problems = Vec::new();
        let group = ome::OmeGroup::of(self.hierarchy, path, kind);
        let misplaced = Attributes::of(kind).and_then(|attributes| ome::misplaced(&attributes));
        let is_claimed = group.as_ref().is_some_and(ome::OmeGroup::is_claimed);
        if self.asks(Convention::Ome, is_claimed || misplaced.is_some()) {
            if is_claimed || misplaced.is_none() {
                problems.extend(group.iter().flat_map(ome::OmeGroup::check));
            }
            problems.extend(misplaced);
        }
        let cf = Attributes::of(kind).filter(cf::says_cf);
        if self.asks(Convention::Cf, cf.is_some()) {
            problems.extend(cf.iter().flat_map(|it| cf::of_group(self.hierarchy, path, it)));
        }
        let encoding = anndata::encoding(kind);
        if self.asks(Convention::Anndata, encoding.is_some()) {
            problems.extend(encoding);
        }
        let group = anndata::EncodedGroup::of(self.hierarchy, path, kind);
        if self.asks(Convention::Anndata, group.is_some()) {
            problems.extend(group.iter().flat_map(anndata::EncodedGroup::check));
        }
        problems
    }
}

/// The number of children that are read to say something of a group alone.
const MOST_CHILDREN: usize = 200;

/// The problems of `node` itself; those of the nodes in a group only as far as they concern the group as such.
#[must_use]
pub fn of_node(hierarchy: &Hierarchy, node: &Node, wanted: Wanted) -> Vec<Problem> {
    let mut walk = Walk::new(hierarchy, wanted);
    let mut found = walk.node(node);
    let mut rest = MOST_CHILDREN;
    if let Some(group) = walk.open.last_mut() {
        // What cannot be listed is told where it is listed.
        let _ = hierarchy.visit_children(&node.path, &mut |child| {
            for kind in kinds(&child) {
                if let NodeKind::Array(array) = kind {
                    group.facts.add(&Variable { hierarchy, array, path: &child.path });
                }
            }
            rest -= 1;
            rest > 0
        });
    }
    found.extend(walk.finish());
    found.into_iter().map(|(_, problem)| problem).collect()
}
