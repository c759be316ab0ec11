//! Counts of the arrays, data types, byte orders, codecs, faults and stored bytes below a node.

use super::prelude::*;
use super::sizes::Sizes;

/// The counts below a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Census {
    /// The number of arrays.
    pub arrays: u64,
    /// The number of groups and folders, the node itself included.
    pub groups: u64,
    /// The number of nodes say nothing usable.
    pub broken: u64,
    /// True if something is in V2.
    pub has_v2: bool,
    /// True if something is in V3.
    pub has_v3: bool,
    /// The sizes of the arrays that were measured.
    pub sizes: Sizes,
    /// The number of arrays could not be measured.
    pub unmeasured: u64,
    /// The names of the data types.
    pub data_types: NameTally,
    /// The byte orders: `LE`, `BE`, `LE+BE`. Arrays of single bytes have none.
    pub byte_orders: NameTally,
    /// The codecs, those inside shards included; what merely turns elements into bytes is left out.
    pub codecs: NameTally,
    /// Errors of documents.
    pub errors: u64,
    /// Warnings of documents.
    pub warnings: u64,
}

impl Default for Census {
    fn default() -> Self {
        Self {
            arrays: 0,
            groups: 0,
            broken: 0,
            has_v2: false,
            has_v3: false,
            sizes: Sizes::none(),
            unmeasured: 0,
            data_types: NameTally::default(),
            byte_orders: NameTally::default(),
            codecs: NameTally::default(),
            errors: 0,
            warnings: 0,
        }
    }
}

/// The frequency of names, and where each was seen first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NameTally {
    names: Vec<(String, u64, NodePath)>,
}

impl NameTally {
    /// The number of different names kept; of the rest, nothing is told.
    const MOST: usize = 500;

    fn add(&mut self, name: &str, count: u64, path: &NodePath) {
        if let Some((_, sum, _)) = self.names.iter_mut().find(|(known, ..)| known == name) {
            *sum += count;
        } else if self.names.len() < Self::MOST {
            self.names.push((name.to_owned(), count, path.clone()));
        }
    }

    fn merge(&mut self, other: &Self) {
        for (name, count, path) in &other.names {
            self.add(name, *count, path);
        }
    }

    /// The names with their counts, the most frequent first, and equal ones by name.
    pub fn sorted(&self) -> Vec<(&str, u64)> {
        let mut names: Vec<_> =
            self.names.iter().map(|(name, count, _)| (name.as_str(), *count)).collect();
        names.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        names
    }

    /// The first node at which the name was seen.
    pub fn first(&self, name: &str) -> Option<&NodePath> {
        self.names.iter().find(|(known, ..)| known == name).map(|(.., path)| path)
    }
}

impl Census {
    /// Counts `root` and everything below it, chunks included. `each` is told how far it is, and stops it with `false`.
    pub fn of(hierarchy: &Hierarchy, root: Node, each: &mut dyn FnMut(&Self) -> bool) -> Self {
        let mut census = Self::default();
        let mut failed = false;
        hierarchy.walk_from(root, &mut |step| match step {
            Ok((node, _)) => {
                census.add_documents(node);
                census.add_chunks(&*hierarchy.store, node, each).is_none_or(|done| done)
            }
            Err((_, error)) => {
                // A folder that is gone through under another name is no fault.
                failed |= error.code != Code::LinkedFolder;
                true
            }
        });
        census.sizes.is_complete &= !failed;
        census
    }

    /// Counts what the documents of one node say.
    pub fn add_documents(&mut self, node: &Node) {
        let path = &node.path;
        for problem in node.all_problems() {
            self.errors += u64::from(problem.severity == Severity::Error);
            self.warnings += u64::from(problem.severity == Severity::Warning);
        }
        node.kinds().filter_map(NodeKind::format).for_each(|format| self.has(format));
        match &node.kind {
            NodeKind::Array(array) => {
                self.arrays += 1;
                if let Ok(resolved) = &array.data_type {
                    self.data_types.add(&resolved.data_type.name(), 1, path);
                    if let Some(order) = resolved.order.badge("LE+BE") {
                        self.byte_orders.add(order, 1, path);
                    }
                }
                for name in codec_names(array) {
                    self.codecs.add(&name, 1, path);
                }
            }
            NodeKind::Group(_) | NodeKind::Folder => self.groups += 1,
            NodeKind::Broken(_) => self.broken += 1,
        }
    }

    fn has(&mut self, format: Format) {
        match format {
            Format::V2 => self.has_v2 = true,
            Format::V3 => self.has_v3 = true,
        }
    }

    /// Measures the chunks of `node` where it is an array; `None` where it is none or cannot be measured, `Some(false)`
    /// where `each` has stopped it.
    fn add_chunks(
        &mut self,
        store: &dyn Store,
        node: &Node,
        each: &mut dyn FnMut(&Self) -> bool,
    ) -> Option<bool> {
        let NodeKind::Array(array) = &node.kind else { return None };
        let before = self.sizes.clone();
        let measured = Sizes::of(store, &node.path, array, &before, &mut |sizes| {
            self.sizes = before.clone();
            self.sizes.add(sizes);
            each(self)
        });
        self.sizes = before;
        let sizes = self.add_measured(measured)?;
        Some(sizes.is_complete)
    }

    /// Takes in what came of measuring an array; `None` where it could not be measured.
    fn add_measured(&mut self, measured: Result<Sizes>) -> Option<Sizes> {
        let sizes = measured.ok();
        match &sizes {
            Some(sizes) => self.sizes.add(sizes),
            None => self.unmeasured += 1,
        }
        sizes
    }

    /// Adds what is below other nodes.
    pub fn add(&mut self, other: &Self) {
        self.arrays += other.arrays;
        self.groups += other.groups;
        self.broken += other.broken;
        self.has_v2 |= other.has_v2;
        self.has_v3 |= other.has_v3;
        self.sizes.add(&other.sizes);
        self.unmeasured += other.unmeasured;
        self.data_types.merge(&other.data_types);
        self.byte_orders.merge(&other.byte_orders);
        self.codecs.merge(&other.codecs);
        self.errors += other.errors;
        self.warnings += other.warnings;
    }

    /// `V2`, `V3`, `V2+V3`, or nothing.
    pub fn formats(&self) -> &'static str {
        match (self.has_v2, self.has_v3) {
            (true, true) => "V2+V3",
            (true, false) => Format::V2.name(),
            (false, true) => Format::V3.name(),
            (false, false) => "",
        }
    }
}

/// The shape of the chunks of an array: `37×45`, of shards with that of the chunks inside, `shard 74×90, inner 37×45`;
/// empty where it is not known, or there are no dimensions.
pub fn chunk_shape_words(array: &ArrayMetadata) -> String {
    match (&array.grid, array.inner_chunk_shape()) {
        (Ok(Grid::Rectilinear(_)), _) => "rectilinear: lengths vary".into(),
        (Ok(Grid::Regular(shape)), Some(inner)) if !shape.is_empty() => {
            format!("shard {}, inner {}", times(shape), times(&inner))
        }
        (Ok(Grid::Regular(shape)), _) if !shape.is_empty() => times(shape),
        _ => String::new(),
    }
}

/// The codecs of an array in encoding order, those of a shard after it, without what merely turns elements into bytes.
pub fn codec_names(array: &ArrayMetadata) -> Vec<String> {
    let mut names = Vec::new();
    if let Ok(specs) = &array.codecs {
        gather(&array.registry.codecs, specs, array.format, &mut names);
    }
    names
}

fn gather(codecs: &Codecs, specs: &[CodecSpec], format: Format, names: &mut Vec<String>) {
    for spec in specs {
        let row = codecs.read_as(&spec.name, format);
        let inner = codecs.inner(std::slice::from_ref(spec)).filter(|_| format == Format::V3);
        let is_plain =
            row.is_some_and(|row| row.kind == CodecKind::ArrayToBytes && !row.compresses);
        if inner.is_some() || !is_plain && !spec.implied {
            names.push(spec.name.clone());
        }
        if let Some(inner) = inner {
            gather(codecs, &inner.codecs, format, names);
        }
    }
}

/// The same in a few words: `zstd, crc32c`, `shard(zstd)`, `none`.
pub fn codec_words(array: &ArrayMetadata) -> String {
    let Ok(specs) = &array.codecs else { return "?".into() };
    let words = words(&array.registry.codecs, specs, array.format);
    if words.is_empty() { "none".into() } else { words }
}

fn words(codecs: &Codecs, specs: &[CodecSpec], format: Format) -> String {
    let mut parts = Vec::new();
    for spec in specs {
        let shards = codecs.inner(std::slice::from_ref(spec)).filter(|_| format == Format::V3);
        if let Some(shards) = shards {
            let inner = words(codecs, &shards.codecs, format);
            parts.push(if inner.is_empty() { "shard".into() } else { format!("shard({inner})") });
            continue;
        }
        gather(codecs, std::slice::from_ref(spec), format, &mut parts);
    }
    parts.join(", ")
}
