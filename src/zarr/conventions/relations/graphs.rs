//! Graphs as GEFF has them: edges between two nodes each, properties with a value for each, tracks.

use super::whole;
use crate::zarr::{conventions::prelude::*, json::Kind};

/// The warning on a property of nodes that the metadata describes, and that is not there; or of an axis that has missing values.
pub(super) fn lost(related: &Related) -> Option<Problem> {
    let nodes = related.group()?;
    let meta = related.attribute(&nodes.parent()?, "geff")?;
    let props = nodes.child("props");
    let is_there = |path: &NodePath| related.hierarchy.has(path);
    let described = meta.get("node_props_metadata")?.as_object()?;
    let lost = described.iter().find_map(|member| {
        let path = props.child(&member.key);
        (!is_there(&path)).then_some(path)
    });
    if let Some(path) = lost {
        let sentence =
            format!("node_props_metadata describes {}, which is not there", quoted(&path.0));
        let fix = "geff 1.3 raises ValueError when it opens the graph.";
        return related.warning(sentence, fix);
    }
    let axes = meta.get("axes")?.as_array()?.iter().filter_map(|axis| axis.get_str("name"));
    let masked = axes
        .into_iter()
        .map(|name| props.child(name))
        .find(|path| is_there(&path.child("missing")))?;
    let sentence = format!("{} is an axis, and has missing values", quoted(&masked.0));
    let fix = "Each node has a place along each axis. geff 1.3 raises ValueError when it opens the graph.";
    related.warning(sentence, fix)
}

/// The warning on edges that are not between two nodes each, or are there twice.
pub(super) fn edges(related: &Related) -> Option<Problem> {
    let shape = related.array.known_shape()?;
    if shape.get(1) != Some(&2) {
        let sentence = format!("edges of the shape {}: each has two nodes", list(shape));
        return related.warning(sentence, "geff 1.3 raises ValueError.");
    }
    let edges = pairs(related)?;
    let node = |bits: u64| whole(f64::from_bits(bits));
    if let Some(at) = edges.iter().position(|[from, to]| from == to) {
        let sentence = format!("[{at}] is an edge from node {} to itself", node(edges.get(at)?[0]));
        return related.warning(sentence, "GEFF supports none such.");
    }
    let (first, at, _) = again(edges.iter().enumerate())?;
    let [from, to] = edges.get(at)?;
    let sentence = format!(
        "the edge from {} to {} is at [{first}] and again at [{at}]",
        node(*from),
        node(*to)
    );
    related.warning(sentence, "Each edge of a GEFF is there once.")
}

/// The two nodes of each edge.
fn pairs(related: &Related) -> Option<Vec<[u64; 2]>> {
    let own = related.own()?;
    let pairs = own.chunks_exact(2);
    Some(pairs.filter_map(|it| Some([it.first()?.to_bits(), it.get(1)?.to_bits()])).collect())
}

/// The warning on tracks that branch, or lineages between which there are edges.
pub(super) fn tracks(related: &Related) -> Option<Problem> {
    let (root, edges) = (related.group()?.parent()?, pairs(related)?);
    let meta = related.attribute(&root, "geff")?;
    let names = meta.get("track_node_props")?;
    let nodes = root.child("nodes");
    ["tracklet", "lineage"].into_iter().find_map(|kind| {
        // The two nodes of an edge without a direction may be in either order.
        let is_directed = matches!(meta.get("directed")?.kind, Kind::Bool(true));
        let name = names.get_str(kind).filter(|_| is_directed || kind == "lineage")?;
        let path = nodes.child("props").child(name);
        // Nodes may be in none.
        let has = |path: &NodePath| related.hierarchy.has(path);
        (has(&path) && !has(&path.child("missing"))).then_some(())?;
        let ids = related.numbers(&nodes.child("ids"))?;
        let tracks = related.numbers(&path.child("values"))?;
        let of: HashMap<u64, f64> = ids.iter().map(|it| it.to_bits()).zip(tracks).collect();
        let track = |node: &u64| of.get(node).copied();
        let (mut before, mut after) = (HashSet::new(), HashSet::new());
        let mut inside = HashMap::<u64, usize>::new();
        let wrong = edges.iter().position(|[from, to]| {
            let one = track(from).map_or(u64::MAX, f64::to_bits);
            let is_one = Some(one) == track(to).map(f64::to_bits);
            if is_one { *inside.entry(one).or_default() += 1 }
            if kind == "lineage" { !is_one } else { is_one && !(after.insert(*from) & before.insert(*to)) }
        });
        let path = quoted(&path.0);
        let sentence = if let Some(at) = wrong {
            let [from, to] = edges.get(at)?;
            let between = format!("the edge [{at}] from {} to {} is", whole(f64::from_bits(*from)), whole(f64::from_bits(*to)));
            let [one, other] = [track(from)?, track(to)?].map(whole);
            if kind == "lineage" {
                format!("{between} between two lineages of {path}, {one} and {other}")
            } else {
                format!("{between} a branch within the tracklet {one} of {path}")
            }
        } else {
            let mut sizes = HashMap::<u64, usize>::new();
            let tracks = ids.iter().filter_map(|id| track(&id.to_bits())).filter(|it| *it >= 0.0);
            tracks.for_each(|it| *sizes.entry(it.to_bits()).or_default() += 1);
            let of_edges = |it: &u64| inside.get(it).copied().unwrap_or_default();
            let (first, count) = sizes
                .into_iter()
                .filter(|(it, count)| kind == "tracklet" && of_edges(it) + 1 < *count)
                .min_by_key(|(it, _)| *it)?;
            format!(
                "the tracklet {} of {path} has {}, and {} within",
                whole(f64::from_bits(first)),
                counted(count, "node"),
                counted(of_edges(&first), "edge")
            )
        };
        let fix = "Likely cause: edges were changed, or nodes numbered anew, after the tracks had been numbered.";
        related.warning(sentence, fix)
    })
}

/// The warning on nodes whose coordinates along the last two axes are in each other's place: there, and not where they say, an array
/// of labels has the numbers of their objects.
pub(super) fn exchanged(related: &Related) -> Option<Problem> {
    /// The names of the property that has the number of an object, and the most and fewest nodes that are looked at.
    const LABELS: [&str; 5] = ["seg_id", "label", "segmentation_id", "cell_id", "mask_id"];
    const MOST: usize = 1000;
    const FEWEST: usize = 8;
    /// The shares of them that is nearly all, and hardly any.
    const ALL: f64 = 0.9;
    const NONE: f64 = 0.3;
    let nodes = related.group()?;
    let graph = nodes.parent()?;
    let meta = related.attribute(&graph, "geff")?;
    let values = |name: &str| related.numbers(&nodes.child("props").child(name).child("values"));
    let axes: Vec<&str> =
        meta.get_array("axes")?.iter().filter_map(|it| it.get_str("name")).collect();
    let places: Vec<Vec<f64>> = axes.iter().map(|name| values(name)).collect::<Option<_>>()?;
    let (property, labels) = LABELS.iter().find_map(|name| Some((*name, values(name)?)))?;
    let (image, pixels, shape) = related.hierarchy.find_child(&graph.parent()?, |child| {
        let array = child.kind.array().filter(|it| is_integer(it))?;
        let shape = array.known_shape().filter(|it| it.len() == axes.len())?;
        let pixels = related.numbers_of(&child.path, array)?;
        // The raw image has no such numbers.
        let known: HashSet<u64> = pixels.iter().map(|it| it.to_bits()).collect();
        labels
            .iter()
            .all(|it| known.contains(&it.to_bits()))
            .then(|| (quoted(child.path.name()), pixels, shape.clone()))
    })?;
    let (rank, count) = (axes.len(), labels.len().min(MOST));
    let found = |order: &[usize]| {
        let is_there = |at: &usize| {
            let place = order.iter().map(|axis| index(places.get(*axis)?.get(*at)?.round()));
            let place: Vec<u64> = place.map(|it| Some(it? as u64)).collect::<Option<_>>()?;
            let number = usize::try_from(order::number(&place, &shape)?).ok()?;
            let is_inside = place.iter().zip(&shape).all(|(at, length)| at < length);
            Some(is_inside && pixels.get(number)?.total_cmp(labels.get(*at)?).is_eq())
        };
        (0..count).filter(|at| is_there(at) == Some(true)).count() as f64 / count.max(1) as f64
    };
    let own: Vec<usize> = (0..rank).collect();
    let mut other = own.clone();
    other.swap(rank.checked_sub(2)?, rank - 1);
    let (is, would) = (found(&own), found(&other));
    let (a, b) = (axes.get(rank - 2)?, axes.get(rank - 1)?);
    let sentence = format!(
        "with {} and {} exchanged, {:.0} % of {} nodes are where {image} has their {property}; as declared, {:.0} %",
        quoted(a),
        quoted(b),
        would * 100.0,
        grouped(count),
        is * 100.0
    );
    let fix = "Drawn over the image, nodes are not on their objects. Likely cause: rows were taken for x, and columns for y.";
    related.warning_if(labels.len() >= FEWEST && would >= ALL && is <= NONE, sentence, fix)
}
