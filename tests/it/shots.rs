//! `shot`: a view in a file, as text, with colours, as a picture; and what it refuses.

use crate::{cli::run, keys::stores};
use std::fs;
use zarrscope::{
    app::Effect,
    tui::{Options, script},
};

/// Runs `shot` on the sample stores into a file of this name: what the file holds.
fn shot(name: &str, arguments: &[&str]) -> String {
    let folder = crate::scratch();
    let file = folder.path().join(name);
    let store = stores().to_string_lossy().into_owned();
    let file_name = file.to_string_lossy().into_owned();
    let ran = run(&[&["shot", &store, "-o", &file_name], arguments].concat());
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", ""), "{arguments:?}");
    fs::read_to_string(file).unwrap()
}

const KEYS: [&str; 4] = ["--keys", "2/=-1025<enter>", "--at", "ocean/packed"];

#[test]
fn text_is_the_screen_without_colours() {
    let text = shot("a.txt", &[&KEYS[..], &["--size", "80x24"]].concat());
    assert_eq!(text.lines().count(), 24);
    assert!(text.lines().all(|line| line.chars().count() <= 80));
    assert!(!text.contains('\u{1b}'));
    assert!(text.contains("array [2,42]"), "{text}");
}

#[test]
fn ansi_is_the_same_with_colours() {
    let text = shot("a.txt", &KEYS);
    let ansi = shot("a.ansi", &KEYS);
    let mut plain = String::new();
    for (at, part) in ansi.split('\u{1b}').enumerate() {
        let shown = if at == 0 { part } else { part.split_once('m').unwrap().1 };
        plain += shown;
    }
    let trimmed =
        |text: &str| text.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
    assert_eq!(trimmed(&plain), trimmed(&text));
    assert!(ansi.contains("\u{1b}[32m"), "no colour at all");
}

#[test]
fn svg_has_a_theme() {
    let [dark, light] =
        ["dark", "light"].map(|theme| shot("a.svg", &[&KEYS[..], &["--theme", theme]].concat()));
    assert!(dark.starts_with("<svg") && dark.trim_end().ends_with("</svg>"));
    assert_ne!(dark, light);
    let words = |svg: &str| {
        svg.split('<')
            .filter_map(|part| part.split_once('>'))
            .map(|(_, text)| text.to_owned())
            .collect::<String>()
    };
    assert_eq!(words(&dark), words(&light), "only colours differ");
    let dash = shot("b.svg", &["--size", "60x10"]);
    assert!(dash.len() < dark.len());
}

#[test]
fn markdown_is_what_y_copies() {
    let store = stores().to_string_lossy().into_owned();
    for (place, keys) in [("ocean/packed", "2x"), ("broken", "5"), ("", "D"), ("ocean/depth", "3")]
    {
        let size = ["--size", "100x30", "--at", place, "--keys", keys];
        let printed = run(&[&["shot", &store, "--markdown"], &size[..]].concat());
        assert_eq!((printed.code, printed.err.as_str()), (0, ""), "{place}");
        let options = Options { at: Some(place.into()), ..Options::default() };
        let played = script::play(&stores(), (100, 30), &format!("{keys}Y"), &options).unwrap();
        let copied = played.effects.iter().find_map(|effect| match effect {
            Effect::Copy(text) => Some(text.as_str()),
            _ => None,
        });
        assert_eq!(Some(printed.out.as_str()), copied, "{place}");
        let lines: Vec<&str> = printed.out.lines().collect();
        assert!(lines[0].starts_with("### `sample-stores`") && lines[0].contains("zarrscope 0"));
        assert_eq!(lines[2], "```text");
        let command = lines.last().unwrap();
        assert!(command.starts_with("To show it again: `zarrscope "), "{command}");
        assert!(!printed.out.contains('\u{1b}') && !printed.out.contains('▀'), "{}", printed.out);
    }
    let file = shot("a.md", &["--size", "100x30", "--at", "ocean/packed", "--keys", "2"]);
    insta::assert_snapshot!(file.replace(&store, "STORES"));
}

#[test]
fn markdown_goes_into_no_other_picture() {
    let folder = crate::scratch();
    let store = stores().join("ocean").to_string_lossy().into_owned();
    let file = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    for name in ["x.svg", "x.txt", "x.ansi"] {
        let ran = run(&["shot", &store, "--markdown", "-o", &file(name)]);
        assert_eq!(ran.code, 2, "{name}");
        assert!(ran.err.contains(name) && ran.err.contains("FILE.md"), "{}", ran.err);
        assert!(!folder.path().join(name).exists());
    }
    assert_eq!(run(&["shot", &store, "--markdown", "-o", &file("x.md")]).code, 0);
    let written = fs::read_to_string(folder.path().join("x.md")).unwrap();
    assert_eq!(run(&["shot", &store, "--markdown", "-o", "-"]).out, written);
}

#[test]
fn a_lesson_gives_a_picture_that_moves_or_its_end() {
    let folder = crate::scratch();
    let script = folder.path().join("a.keys");
    let text = "size: 90x30\n---\ngo: ocean/packed\ntext: One.\nstart: 2\n---\nstart: x\n";
    fs::write(&script, text).unwrap();
    let script = script.to_str().unwrap();
    let ran = run(&["shot", "--play", script, "-o", "-"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.contains("step 2 of 2") && ran.out.contains("the other order"), "{}", ran.out);
    let svg = folder.path().join("a.svg");
    let made = run(&["shot", "--play", script, "-o", svg.to_str().unwrap()]);
    assert_eq!((made.code, made.err.as_str()), (0, ""));
    let svg = fs::read_to_string(svg).unwrap();
    assert!(svg.contains("@keyframes") && svg.contains("One."));
    // Its own size, its own store; where it is wrong, the line.
    assert_eq!(ran.out.lines().count(), 30);
    let store = stores().join("dtypes-v3").to_string_lossy().into_owned();
    assert_eq!(run(&["shot", &store, "--play", script, "-o", "-"]).code, 2);
    fs::write(folder.path().join("b.keys"), "---\nstart: <nokey>\n").unwrap();
    for (file, said) in [("b.keys", "<nokey>"), ("c.keys", "c.keys")] {
        let file = folder.path().join(file);
        let ran = run(&["shot", "--play", file.to_str().unwrap(), "-o", "-"]);
        assert!(ran.code == 2 && ran.err.contains(said), "{}", ran.err);
    }
}

#[test]
fn a_place_with_an_element_is_where_it_starts() {
    let text = shot("a.txt", &["--at", "ocean/packed/c/1/2#e40"]);
    assert!(text.contains("chunk [0,40]") && text.contains("array [37,130]"), "{text}");
    assert!(text.contains("2 Chunks"));
}

#[test]
fn what_it_cannot_do_it_says() {
    let store = stores().to_string_lossy().into_owned();
    for (arguments, said) in [
        (&["-o", "/tmp/a.png"][..], ".svg, .txt, .ansi or .md"),
        (&["-o", "-", "--keys", "<nokey>"], "<nokey>"),
        (&["-o", "-", "--size", "80"], "COLUMNSxROWS"),
        (&["-o", "-", "--at", "nowhere"], "nowhere"),
        (&["-o", "/no/such/folder/a.txt"], "/no/such/folder/a.txt"),
    ] {
        let ran = run(&[&["shot", &store], arguments].concat());
        assert_eq!(ran.code, 2, "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains(said), "{arguments:?}: {}", ran.err);
        assert!(ran.out.is_empty());
    }
}
