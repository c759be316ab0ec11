//! Findings where they are: Enter goes to the place, its text stays in sight there, and the tree carries the marks.

use crate::keys::{play_at, stores, text};
use zarrscope::{
    app::{Focus, View, page::problems::is_document},
    tui::{
        Options, picture,
        script::{Player, parse},
    },
    zarr::{NodePath, Severity},
};

fn player(size: (u16, u16)) -> Player {
    Player::open(&stores().join("broken"), size, &Options::default()).unwrap()
}

fn press(player: &mut Player, keys: &str) {
    for key in parse(keys).unwrap() {
        player.press(key);
    }
}

#[test]
fn enter_shows_every_finding_at_its_place_with_its_text() {
    for size in [(120, 40), (80, 24)] {
        let mut player = player(size);
        press(&mut player, "5");
        let mut documents = 0;
        for row in 0..player.app.pages.problems.len() {
            press(&mut player, if row == 0 { "5" } else { "5j" });
            let (_, problem) = player.app.pages.problems.selected().unwrap().clone();
            let place = problem.error.place.clone();
            press(&mut player, "<enter>");
            let screen = picture::text(&player.screen());
            let code = problem.kind();
            assert!(screen.contains(code), "{size:?} {code} {place}\n{screen}");
            let Some(file) = place.file.filter(|file| is_document(file)) else { continue };
            assert_eq!(player.app.shared.view, View::Metadata, "{code} {file}");
            assert_eq!(player.app.pages.metadata.key(), Some(file.as_str()), "{code}");
            let line = player.app.pages.metadata.line().unwrap();
            if let Some(offset) = place.offset {
                documents += 1;
                let offset = usize::try_from(offset).unwrap();
                assert!(line.bytes.contains(&offset), "{code} {file} {offset}: {}", line.text);
            }
            if let Some(field) = place.field.as_ref().filter(|_| place.offset.is_none()) {
                assert_eq!(line.field, *field, "{code} {file}");
            }
        }
        assert!(documents > 12, "{documents}");
    }
}

#[test]
fn the_text_goes_with_esc_and_with_the_list() {
    let mut player = player((120, 40));
    press(&mut player, "5<enter>");
    assert!(player.app.explanation().is_some_and(|shown| shown.pinned));
    press(&mut player, "jj");
    assert!(player.app.explanation().is_some_and(|shown| shown.pinned), "moving keeps it");
    press(&mut player, "<esc>");
    assert!(player.app.explanation().is_none());
    assert_eq!(player.app.shared.focus, Focus::View, "and nothing else is left");
    press(&mut player, "5<enter>5");
    assert!(player.app.explanation().is_none(), "the list has its own");
}

#[test]
fn the_tree_carries_the_marks_of_the_last_check() {
    let mut player = player((120, 40));
    let row = |player: &Player, name: &str| {
        let text = picture::text(&player.screen());
        let line =
            text.lines().find(|line| line.chars().take(30).collect::<String>().contains(name));
        line.unwrap().split('│').next().unwrap().trim_end().to_owned()
    };
    assert!(!row(&player, "chunk_empty").contains('✗'), "chunks have not been read");
    assert!(row(&player, "fill_null").ends_with("✗1"), "documents have");
    press(&mut player, "5");
    assert!(row(&player, "chunk_empty").ends_with("✗1"));
    assert!(row(&player, "orphans").ends_with("!3"));
    assert!(row(&player, "hostile_text").ends_with('✓'), "checked, and nothing found");
    assert!(row(&player, "codec_unknown").ends_with('–'), "its chunks were not decoded");
    let page = &player.app.pages.problems;
    let sum = |severity| {
        page.found.iter().filter(|(_, p)| p.severity == severity).map(|(_, p)| p.count).sum::<u64>()
    };
    let root = page.serious_below(&NodePath::default());
    assert_eq!((root.errors, root.warnings), (sum(Severity::Error), sum(Severity::Warning)));
}

/// On a small screen the fix is in sight before all of the evidence, and `K` has all of a finding, each part once.
#[test]
fn a_finding_is_shown_whole() {
    for (array, keys, wanted) in [
        ("broken/crc", "5", vec!["seek=2248", "conv=notrunc"]),
        (
            "byte-order/liar",
            "5",
            vec!["K shows all", r#"-        "endian""#, r#"+        "endian""#],
        ),
        (
            "byte-order/liar",
            "5K",
            vec!["16,775 bits", "4 of 4 chunks with a", r#"+        "endian": "big""#],
        ),
        ("byte-order/liar", "5K<pagedown>", vec!["after   15.0"]),
    ] {
        let text = text(&play_at((80, 24), &format!(":go {array}<enter>{keys}")));
        for wanted in wanted {
            assert_eq!(text.matches(wanted).count(), 1, "{wanted} of {array} {keys}:\n{text}");
        }
    }
}
