//! `completions`: scripts for shells.
//!
//! The scripts are clap's; what is added lets them ask this program, by the hidden command `complete-nodes`, for the
//! groups and arrays below what was typed. (clap's own way of asking the program is not stable yet.) Where a path is
//! not in a store, the shell completes files as usual.

use super::command;
use super::prelude::*;
use clap_complete::Shell;

/// The arguments of `completions`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The shell
    pub shell: Shell,
}

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

/// The completion of a path. Only its last part is offered: zsh quotes that as the rest of the word is quoted.
const ZSH: &str = r#"
_zarrscope_nodes() {
    local typed=${(Q)PREFIX}
    local -a nodes
    nodes=("${(@f)$(${~program} complete-nodes "$typed" 2>/dev/null)}")
    nodes=("${(@)${(@)nodes:#}#${typed%/*}/}")
    if (( $#nodes )); then
        compset -P '*/'
        compadd -f -S '' -a nodes
    else
        _files
    fi
}
_zarrscope_path_or_command() {
    _alternative 'commands:command:_zarrscope_commands' 'paths:path:_zarrscope_nodes'
}
"#;

/// The completion of a path, without the quotes and backslashes of the shell; a quote that is open is closed first.
const FISH: &str = r#"
function __zarrscope_nodes
    set -l program (string replace -r '^~/' "$HOME/" -- (commandline -opc)[1])
    set -l typed (commandline -ct)
    set -l path (string unescape -- $typed; or string unescape -- "$typed'"; or string unescape -- "$typed\"")
    command -q $program; and $program complete-nodes "$path" 2>/dev/null
end
complete -c zarrscope -n 'test -n "$(__zarrscope_nodes)"' -f -a '(__zarrscope_nodes)'
"#;

/// Prints a completion script.
pub(super) fn run(arguments: &Arguments, output: &mut Output) -> CommandResult {
    // The generator panics where it cannot write: it is given memory, and the pipe gets it afterwards.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command(), "zarrscope", &mut script);
    let script = without_hidden(&String::from_utf8_lossy(&script));
    let script = match arguments.shell {
        Shell::Bash => format!("{script}{BASH}"),
        Shell::Fish => format!("{}{FISH}", fish(&script)),
        Shell::Zsh => zsh(&script),
        _ => script,
    };
    output.raw().write_all(script.as_bytes())?;
    Ok(ExitStatus::Fine)
}

/// clap's script for zsh, with nodes. clap expects the path before the command, and so completes nothing after a
/// command; here the first word is one or the other.
fn zsh(script: &str) -> String {
    const AFTER: &str = "\":: :_zarrscope_commands\" \\\n\"*::: :->zarrscope\" \\\n";
    const START: &str = "state line\n";
    let shown = [names(false), vec!["help".into()]].concat();
    let asked = script.replace(":_files'", ":_zarrscope_nodes'").replace("$line[2]", "$line[1]");
    let (before, after) = asked.split_once(AFTER).unwrap_or((&asked, ""));
    let (options, path) = before.rsplit_once(":_zarrscope_nodes'").unwrap_or((before, ""));
    // The first line says whose script it is.
    let (head, options) = options.split_once('\n').unwrap_or((options, ""));
    let start = format!(
        "{START}    local program=${{(Q)words[1]}}\n    local -a after\n    \
         [[ $words[2] == ({}) && $CURRENT -gt 2 ]] && after=('*::: :->zarrscope')\n",
        shown.join("|")
    );
    let options = options.replacen(START, &start, 1);
    format!("{head}\n{ZSH}{options}:_zarrscope_path_or_command'{path}\"${{after[@]}}\" \\\n{after}")
}

/// clap's script for fish, with commands after `help`: clap excludes them after any command, `help` included.
fn fish(script: &str) -> String {
    let (from, to) = (" help\" -f", "\" -f");
    let line = |line: &str| {
        let is_help = line.contains("using_subcommand help; ");
        (if is_help { line.replacen(from, to, 1) } else { line.to_owned() }) + "\n"
    };
    script.lines().map(line).collect()
}

/// The names of the commands; those that are hidden, or the others.
fn names(hidden: bool) -> Vec<String> {
    let root = command();
    let named = root.get_subcommands().filter(|command| command.is_hide_set() == hidden);
    named.map(|command| command.get_name().to_owned()).collect()
}

/// `script` without the hidden commands, which clap offers like any other.
fn without_hidden(script: &str) -> String {
    let hidden = names(true);
    let offers = |line: &str| {
        hidden
            .iter()
            .flat_map(|name| [format!("'{name}:"), format!("-a \"{name}\""), format!("'{name}'")])
            .any(|offer| line.contains(&offer))
    };
    let mut out = String::new();
    for line in script.lines().filter(|line| !offers(line)) {
        let is_list = line.trim_start().starts_with("opts=");
        let words = || {
            line.split(' ')
                .filter(|word| !hidden.iter().any(|name| name == word.trim_end_matches('"')))
                .joined(" ")
        };
        out += &if is_list { words() } else { line.to_owned() };
        out.push('\n');
    }
    out
}
