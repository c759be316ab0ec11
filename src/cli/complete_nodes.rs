//! `complete-nodes`: the groups and arrays below a path that was typed in part, for the scripts of `completions`.

use super::prelude::*;

/// The arguments of the hidden command.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The typed part of a path
    #[arg(allow_hyphen_values = true)]
    typed: String,
}

/// The most paths that are offered.
const MOST: usize = 2000;

/// Prints the groups and arrays that what was typed can become, groups with a slash; nothing outside of stores.
pub(super) fn run(arguments: &Arguments, output: &mut Output) -> CommandResult {
    let Some((above, start)) = arguments.typed.rsplit_once('/') else {
        return Ok(ExitStatus::Fine);
    };
    let home = above.strip_prefix('~').and_then(|rest| Some((env::home_dir()?, rest)));
    let place = match home {
        Some((home, rest)) => home.join(rest.trim_start_matches('/')),
        None => PathBuf::from(above),
    };
    let Ok((hierarchy, target)) = Hierarchy::open(&place) else { return Ok(ExitStatus::Fine) };
    let node = hierarchy.node(&target.node);
    // What is in a folder of the disk that is no group, the shell knows.
    let is_in_store = matches!(node.kind, NodeKind::Group(_)) || !place.is_dir();
    if is_in_store && target.chunk.is_none() {
        for name in children(&hierarchy, &target.node, start) {
            output.line(&format!("{above}/{name}"))?;
        }
    }
    Ok(ExitStatus::Fine)
}

/// The names of the children that begin with `start`.
fn children(hierarchy: &Hierarchy, path: &NodePath, start: &str) -> Vec<String> {
    let mut names = Vec::new();
    let listed = hierarchy.visit_children(path, &mut |child| {
        let name = child.path.name();
        // A name with control characters cannot be typed.
        if name.starts_with(start) && safe(name) == name {
            let slash = match child.kind {
                NodeKind::Group(_) | NodeKind::Folder => "/",
                NodeKind::Array(_) | NodeKind::Broken(_) => "",
            };
            names.push(format!("{name}{slash}"));
        }
        names.len() < MOST
    });
    if listed.is_err() {
        names.clear();
    }
    names
}
