//! `completions`: scripts for shells, and the paths inside stores that they ask for.
//!
//! The scripts are clap's; what is added lets them ask this program, by a hidden command, for the groups and arrays
//! below what was typed. (clap's own way of asking the program is not stable yet.) Where a path is not in a store, the
//! shell completes files as ever.

use super::{ExitStatus, Outcome, command, output::Output};
use crate::zarr::{Hierarchy, NodePath, hierarchy::NodeKind, text::safe};
use clap::Args;
use clap_complete::Shell;
use std::{env, path::PathBuf};

/// The arguments of `completions`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The shell
    pub shell: Shell,
}

/// The arguments of the hidden command.
#[derive(Debug, Args)]
pub struct PathArguments {
    /// What was typed of a path
    #[arg(allow_hyphen_values = true)]
    typed: String,
}

/// The most paths that are offered.
const MOST: usize = 2000;

const BASH: &str = r#"
_zarrscope_nodes() {
    _zarrscope "$@"
    local cur="${COMP_WORDS[COMP_CWORD]//\\/}" node
    if [[ ${#COMPREPLY[@]} -eq 0 && "$cur" == */* ]]; then
        while IFS= read -r node; do
            COMPREPLY+=("$node")
        done < <("${COMP_WORDS[0]/#\~/$HOME}" complete-nodes "$cur" 2>/dev/null)
        if [[ ${#COMPREPLY[@]} -gt 0 ]]; then
            compopt -o filenames 2>/dev/null
            [[ "${COMPREPLY[0]}" == */ ]] && compopt -o nospace 2>/dev/null
        fi
    fi
}
complete -F _zarrscope_nodes -o nosort -o bashdefault -o default zarrscope
"#;

const ZSH: &str = r#"
_zarrscope_nodes() {
    local -a nodes
    nodes=("${(@f)$("${(Q)words[1]}" complete-nodes "${(Q)PREFIX}" 2>/dev/null)}")
    nodes=("${(@)nodes:#}")
    if (( $#nodes )); then
        compadd -f -S '' -a nodes
    else
        _files
    fi
}
"#;

const FISH: &str = r#"
function __zarrscope_nodes
    zarrscope complete-nodes (commandline -ct) 2>/dev/null
end
complete -c zarrscope -n 'test -n "$(__zarrscope_nodes)"' -f -a '(__zarrscope_nodes)'
"#;

/// Prints a completion script.
pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Outcome {
    // The generator panics where it cannot write: it is given memory, and the pipe gets it afterwards.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command(), "zarrscope", &mut script);
    let script = without_hidden(&String::from_utf8_lossy(&script));
    let script = match arguments.shell {
        Shell::Bash => format!("{script}{BASH}"),
        Shell::Fish => format!("{script}{FISH}"),
        // The first line says whose script it is; the last calls it.
        Shell::Zsh => {
            let asked = script.replace(":_files'", ":_zarrscope_nodes'");
            let (head, rest) = asked.split_once('\n').unwrap_or((&asked, ""));
            format!("{head}\n{ZSH}{rest}")
        }
        _ => script,
    };
    output.raw().write_all(script.as_bytes())?;
    Ok(ExitStatus::Fine)
}

/// `script` without the hidden command, which clap offers like any other.
fn without_hidden(script: &str) -> String {
    let offers = ["'complete-nodes:", "-a \"complete-nodes\"", "'complete-nodes'"];
    let mut out = String::new();
    for line in script.lines().filter(|line| !offers.iter().any(|offer| line.contains(offer))) {
        let is_list = line.trim_start().starts_with("opts=");
        out += &if is_list { line.replace(" complete-nodes", "") } else { line.to_owned() };
        out.push('\n');
    }
    out
}

/// Prints the groups and arrays that what was typed can become, groups with a slash; nothing outside of stores.
pub(super) fn nodes(arguments: &PathArguments, output: &mut Output) -> Outcome {
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
