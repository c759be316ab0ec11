//! README.md and the pictures are what the program says they are. `BLESS=1 cargo test --test it docs` makes them again.

use std::{collections::BTreeSet, env, fs, path::Path};
use zarrscope::tui::{
    Options,
    lessons::{self, OpenLesson},
    picture::{
        self, Palette,
        film::{Film, Frame, animated},
    },
};

/// The lessons of the pictures, by their names in screenshots/. The first is the one that moves.
const PICTURES: [&str; 6] = ["tour", "chunk", "data-type", "byte-order", "damaged", "problems"];

/// The files of a picture, on a dark and on a light ground.
fn files(name: &str) -> [(String, Palette); 2] {
    [(format!("{name}.svg"), Palette::Dark), (format!("{name}-light.svg"), Palette::Light)]
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

#[test]
fn the_readme_is_short() {
    let words = fs::read_to_string(root().join("README.md")).unwrap().split_whitespace().count();
    assert!(words < 1_800, "{words} words");
}

/// The picture that `zarrscope shot --play` makes of a lesson.
fn film(name: &str) -> (OpenLesson, Film) {
    // Tests stand in the folder of the package, so that pictures do not tell where that is.
    let script = format!("screenshots/{name}.keys");
    let options = Options::default();
    let open = lessons::find(&script, &options.registry).unwrap();
    let (film, _) = lessons::film(&open, open.lesson.size.unwrap(), &options).unwrap();
    (open, film)
}

#[test]
fn the_pictures_are_what_the_program_draws() {
    for name in PICTURES {
        let (open, film) = film(name);
        for (file, palette) in files(name) {
            let svg = match open.lesson.steps.len() {
                1 => picture::svg(&film.frames.last().unwrap().screen, palette),
                _ => animated(&film, palette),
            };
            assert!(svg.len() <= 1 << 20, "{file} has {} bytes", svg.len());
            check(&format!("screenshots/{file}"), &svg);
        }
    }
}

#[test]
fn the_moving_picture_is_short_and_cuts_no_sentence() {
    let (open, film) = film(PICTURES[0]);
    let seconds: f64 = film.frames.iter().map(|frame| frame.pause.as_secs_f64()).sum();
    assert!((15.0..45.0).contains(&seconds), "{seconds} s");
    for step in &open.lesson.steps {
        let caption = &step.text;
        let shown = |frame: &Frame| {
            let text = picture::text(&frame.screen);
            let strip: Vec<&str> = text.lines().skip(2).take(5).collect();
            caption.split(' ').all(|word| strip.iter().any(|line| line.contains(word)))
        };
        assert!(film.frames.iter().any(shown), "{caption}");
    }
}

#[test]
fn the_readme_shows_every_picture_and_no_other_exists() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let [first, ..] = PICTURES;
    assert!(readme.find("<img").unwrap() < readme.find("## ").unwrap());
    let shown = readme.split("<img").nth(1).unwrap();
    assert!(shown.contains(&format!("screenshots/{first}.svg")), "the moving picture is first");
    let mut known = BTreeSet::from(["README.md".to_owned()]);
    for name in PICTURES {
        let [(dark, _), (light, _)] = files(name);
        assert!(
            readme.contains(&format!("src=\"screenshots/{dark}\""))
                && readme.contains(&format!("srcset=\"screenshots/{light}\"")),
            "{name} is not shown"
        );
        known.extend([dark, light, format!("{name}.keys")]);
    }
    for entry in fs::read_dir(root().join("screenshots")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(known.contains(&name), "{name} is made by nothing");
    }
}

/// The one version that no tool takes from Cargo.toml.
#[test]
fn the_conda_recipe_has_the_version_of_the_crate() {
    let recipe = include_str!("../../packaging/conda/recipe.yaml");
    assert!(
        recipe.contains(concat!("\n  version: \"", env!("CARGO_PKG_VERSION"), "\"\n")),
        "{recipe}"
    );
}
