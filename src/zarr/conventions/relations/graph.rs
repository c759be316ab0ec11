//! Graphs as GEFF stores them: edges are pairs of the identifiers of nodes.

use super::{Related, sorted};
use crate::zarr::conventions::prelude::*;

/// The identifiers that are named.
const NAMED: usize = 3;

/// The warning on edges that name nodes which are not there.
pub(super) fn check(related: &Related) -> Option<Problem> {
    let edges = related.path.parent().filter(|_| related.path.name() == "ids")?;
    let graph = edges.parent().filter(|_| edges.name() == "edges")?;
    let node = related.hierarchy.node(&graph);
    Attributes::of(&node.kind)?.get("geff")?;
    let path = graph.child("nodes").child("ids");
    let (nodes, _) = related.numbers(&path)?;
    let (pairs, shape) = related.own()?;
    let [_, 2] = shape.as_slice() else { return None };
    let known: HashSet<u64> = nodes.iter().map(|id| id.to_bits()).collect();
    let is_lost = |id: &f64| !known.contains(&id.to_bits());
    let count = pairs.chunks_exact(2).filter(|pair| pair.iter().any(is_lost)).count();
    let mut lost = sorted(&pairs.iter().copied().filter(is_lost).collect::<Vec<f64>>());
    lost.dedup_by(|a, b| a.total_cmp(b).is_eq());
    let (first, rest) = (lost.get(..NAMED.min(lost.len()))?, lost.len().saturating_sub(NAMED));
    let names: Vec<String> = first.iter().map(f64::to_string).collect();
    let more = if rest > 0 { format!(" and {} more", grouped(rest)) } else { String::new() };
    let sentence = format!(
        "{} of {} name nodes that are not in {}: {}{more}",
        grouped(count),
        counted(pairs.len() as u64 / 2, "edge"),
        quoted(&path.0),
        names.join(", ")
    );
    let fix = "Likely cause: nodes were removed, and their edges left.";
    (count > 0).then(|| related.warning(sentence, "nodes that are there", fix)).flatten()
}
