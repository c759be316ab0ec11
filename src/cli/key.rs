//! Which chunk somebody means.

/// What is said of KEY in the help of several commands.
pub(crate) const HELP: &str = "Which chunk: its key (c/0/1, 0.1) or its coordinates (0,1); inside a shard the inner \
                               chunk's coordinates follow after an @ (c/0/1@1,0), once a level where shards nest";
