//! README.md and the pictures are what the program says they are. `BLESS=1 cargo test --test it docs` makes them again.

use std::{collections::BTreeSet, env, fs, path::Path};
use zarrscope::{
    cli,
    tui::{
        Options, keymap,
        picture::{self, Palette},
        script,
    },
    zarr::Code,
};

/// A picture: its file in screenshots/, the place in sample-stores, columns and rows, the keys.
struct Picture {
    file: &'static str,
    at: &'static str,
    size: (u16, u16),
    keys: &'static str,
}

/// The pictures of the README, in its order.
const PICTURES: &[Picture] = &[
    Picture { file: "chunk.svg", at: "ocean/packed/c/1/2", size: (120, 40), keys: "2jjl" },
    Picture { file: "data-type.svg", at: "ocean/temperature", size: (120, 40), keys: "1jjjj" },
    Picture { file: "byte-order.svg", at: "byte-order/liar", size: (120, 40), keys: "2x" },
    Picture { file: "damaged.svg", at: "broken/crc/c/2/1", size: (120, 36), keys: "2" },
    Picture { file: "problems.svg", at: "broken", size: (120, 32), keys: "5jjjjjjjj" },
];

/// The file of the same picture on a light ground.
fn light(picture: &Picture) -> String {
    picture.file.replace(".svg", "-light.svg")
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Compares a file with what it should hold; `BLESS=1` writes it instead.
fn check(path: &str, want: &str) {
    let file = root().join(path);
    if env::var_os("BLESS").is_some() {
        fs::write(&file, want).expect("a work tree that can be written");
        return;
    }
    let have = fs::read_to_string(&file).unwrap_or_default();
    assert!(have == want, "{path} is stale: run `BLESS=1 cargo test --test it docs`");
}

/// The README with what stands between two marks replaced.
fn with_section(readme: &str, name: &str, text: &str) -> String {
    let (start, end) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let (head, rest) = readme.split_once(&start).expect("the opening mark");
    let (_, tail) = rest.split_once(&end).expect("the closing mark");
    format!("{head}{start}{text}{end}{tail}")
}

#[test]
fn the_readme_has_the_keys_the_commands_and_the_findings() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let readme = with_section(&readme, "keys", &keymap::markdown());
    let readme = with_section(&readme, "commands", &commands());
    check("README.md", &with_section(&readme, "findings", &findings()));
}

/// Every code and what it means, as a table.
fn findings() -> String {
    let mut text = String::from("| code | what it is |\n| --- | --- |\n");
    text.extend(
        Code::ALL
            .iter()
            .map(|code| format!("| `{code}` | {} |\n", code.description().replace('|', "\\|"))),
    );
    text
}

#[test]
fn the_findings_are_in_alphabetical_order_and_each_is_described_once() {
    assert!(Code::ALL.is_sorted_by(|a, b| a < b));
    let described: BTreeSet<_> = Code::ALL.iter().map(|code| code.description()).collect();
    assert!(!described.contains("") && described.len() == Code::ALL.len());
}

/// Every command with its arguments and what it does, as a table.
fn commands() -> String {
    let root = cli::command();
    let line = |name: &str, command: &clap::Command, about: &str| {
        format!("| `{name}{}` | {} |\n", arguments(command), about.replace('|', "\\|"))
    };
    let inspector = "Open the inspector; in a pipe, print the tree";
    let mut text = String::from("| command | what it does |\n| --- | --- |\n");
    text += &line("zarrscope", &root, inspector);
    text.extend(root.get_subcommands().map(|command| {
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        line(command.get_name(), command, &about)
    }));
    text
}

/// ` PATH KEY [--stage N] …`; the options of every command are said once, elsewhere.
fn arguments(command: &clap::Command) -> String {
    let mut text = String::new();
    let own = command.get_arguments().filter(|argument| !argument.is_global_set());
    for argument in
        own.filter(|argument| !["help", "version"].contains(&argument.get_id().as_str()))
    {
        let values: Vec<_> = argument
            .get_value_names()
            .unwrap_or_default()
            .iter()
            .map(ToString::to_string)
            .collect();
        let value = values.join(" ").replace('|', "\\|");
        let name = match (argument.get_long(), argument.get_action().takes_values()) {
            (None, _) => value,
            (Some(long), false) => format!("--{long}"),
            (Some(long), true) => format!("--{long} {value}"),
        };
        let dots = if argument.get_num_args().is_some_and(|range| range.max_values() > 1) {
            "…"
        } else {
            ""
        };
        let argument = if argument.is_required_set() {
            format!(" {name}{dots}")
        } else {
            format!(" [{name}{dots}]")
        };
        text += &argument;
    }
    text
}

#[test]
fn the_pictures_are_what_the_program_draws() {
    for picture in PICTURES {
        let options = Options { at: Some(picture.at.into()), ..Options::default() };
        // Tests stand in the folder of the package, so that pictures do not tell where that is.
        let played =
            script::play(Path::new("sample-stores"), picture.size, picture.keys, &options).unwrap();
        for (file, palette) in
            [(picture.file.to_owned(), Palette::Dark), (light(picture), Palette::Light)]
        {
            check(&format!("screenshots/{file}"), &picture::svg(&played.screen, palette));
        }
    }
}

#[test]
fn the_readme_shows_every_picture_and_no_other_exists() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    for picture in PICTURES {
        assert!(
            readme.contains(&format!("src=\"screenshots/{}\"", picture.file))
                && readme.contains(&format!("srcset=\"screenshots/{}\"", light(picture))),
            "{} is not shown",
            picture.file
        );
    }
    for entry in fs::read_dir(root().join("screenshots")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let is_known = |picture: &Picture| picture.file == name || light(picture) == name;
        assert!(PICTURES.iter().any(is_known), "{name} is made by nothing");
    }
}
