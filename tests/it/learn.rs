//! Lessons: each is walked as its text says, every task open before and done after; the samples in the program are the
//! sample stores.

use std::{
    collections::BTreeMap,
    env, fs,
    io::{Cursor, Write},
    path::{Path, PathBuf},
    sync::Arc,
};
use zarrscope::{
    app::lesson::{Lesson, built_in, facts, parse, run::StepState},
    tui::{
        Options, lessons,
        script::{Player, parse as keys},
    },
};

/// The stores that lessons are about: without ocean-v2, whose values are those of ocean.
const STORES: [&str; 5] = ["broken", "byte-order", "dtypes-v2", "dtypes-v3", "ocean"];

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
}

/// Every file of the sample stores by its key.
fn on_disk() -> BTreeMap<String, Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-stores");
    let mut found = Vec::new();
    for store in STORES {
        files(&root.join(store), &mut found);
    }
    let key = |path: &Path| path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
    found.iter().map(|path| (key(path), fs::read(path).unwrap())).collect()
}

/// The archive that the program carries: the same bytes whoever makes it.
fn archive(files: &BTreeMap<String, Vec<u8>>) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default()
        .compression_method(zip::CompressionMethod::Deflated)
        .compression_level(Some(9))
        .last_modified_time(zip::DateTime::default());
    for (key, bytes) in files {
        writer.start_file(key.as_str(), options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// `BLESS=1 cargo test --test it learn` makes the archive again.
#[test]
fn the_samples_in_the_program_are_the_sample_stores() {
    let files = on_disk();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lessons/samples.zip");
    if env::var_os("BLESS").is_some() {
        return fs::write(&path, archive(&files)).unwrap();
    }
    let mut carried = zip::ZipArchive::new(Cursor::new(fs::read(&path).unwrap())).unwrap();
    assert!(fs::metadata(&path).unwrap().len() < 800_000);
    let mut found = BTreeMap::new();
    for at in 0..carried.len() {
        let mut member = carried.by_index(at).unwrap();
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut member, &mut bytes).unwrap();
        found.insert(member.name().unwrap().into_owned(), bytes);
    }
    assert!(found == files, "samples.zip is stale: BLESS=1 cargo test --test it learn");
}

/// A lesson that begins, on a screen of this size.
fn begin(name: &str, size: (u16, u16)) -> Player {
    let lesson = lessons::find(name, &Options::default().registry).unwrap();
    let options = Options { lesson: Some(lesson), ..Options::default() };
    Player::open(Path::new(""), size, &options).unwrap()
}

fn press(player: &mut Player, script: &str) {
    keys(script).unwrap().into_iter().for_each(|key| player.press(key));
}

fn state(player: &Player) -> StepState {
    player.app.lesson.as_ref().unwrap().state
}

/// Turns the pages of the strip to the last, which has the task or the question.
fn read_on(player: &mut Player) -> String {
    let mut read = String::new();
    for _ in 0..20 {
        let run = player.app.lesson.as_ref().unwrap();
        let screen = crate::keys::text(player);
        read += &screen;
        let more = screen.lines().nth(2).unwrap().contains("; more")
            || screen.lines().nth(2).unwrap().contains("F2 more");
        if !more {
            return read;
        }
        let before = run.at;
        press(player, "<f2>");
        assert_eq!(player.app.lesson.as_ref().unwrap().at, before, "it only turns the page");
    }
    panic!("the strip has no end:\n{read}");
}

/// The value of every fact, for whoever finds out why a task is not done.
fn told(player: &Player) -> String {
    let fact = |fact: &facts::Fact| format!("{} = {}\n", fact.name, player.app.fact(fact.name));
    facts::FACTS.iter().map(fact).collect::<Vec<_>>().concat()
}

#[test]
fn every_lesson_is_walked_by_keys() {
    for (size, lesson) in [(120, 40), (80, 24)]
        .into_iter()
        .flat_map(|size| built_in().unwrap().into_iter().map(move |lesson| (size, lesson)))
    {
        let mut player = begin(&lesson.name, size);
        for (at, step) in lesson.steps.iter().enumerate() {
            let place = format!("{} step {} at {size:?}", lesson.name, at + 1);
            assert_eq!(player.app.lesson.as_ref().unwrap().at, at, "{place}");
            assert!(
                player.app.shared.message.as_ref().is_none_or(|it| !it.is_failure),
                "{place}: {:?}",
                player.app.shared.message
            );
            assert_eq!(
                state(&player),
                StepState::Open,
                "{place}: done before anything is done\n{}",
                told(&player)
            );
            read_on(&mut player);
            if let Some(task) = &step.task {
                press(&mut player, &task.keys);
                assert_eq!(state(&player), StepState::Done, "{place}\n{}", told(&player));
            }
            if let Some(question) = &step.question {
                let screen = crate::keys::text(&player);
                let letters = (0..question.answers.len()).map(parse::letter_of);
                for letter in letters {
                    assert!(screen.contains(&format!("{letter}  ")), "{place}: {letter}\n{screen}");
                }
                for answer in (0..question.answers.len())
                    .filter(|at| *at != question.right)
                    .chain([question.right])
                {
                    let letter = parse::letter_of(answer);
                    press(&mut player, &letter);
                    assert_eq!(state(&player), StepState::Answered(answer), "{place}");
                    let read = read_on(&mut player);
                    assert!(read.contains('✓'), "{place}: the right answer is told\n{read}");
                    if answer != question.right {
                        player.app.lesson.as_mut().unwrap().state = StepState::Open;
                        read_on(&mut player);
                    }
                }
            }
            read_on(&mut player);
            press(&mut player, "<f2>");
        }
        assert!(player.app.lesson.is_none(), "{} ends", lesson.name);
        let done = player.app.progress.done(&lesson);
        assert_eq!(done, lesson.steps.len(), "{}", lesson.name);
    }
}

/// In the real terminal, through the real loop: the same keys, and how far one has come is kept.
#[cfg(unix)]
#[test]
fn a_lesson_is_walked_in_the_terminal() {
    // Most of the time passes between two keys: side by side, each pair one after the other.
    let lessons = built_in().unwrap();
    std::thread::scope(|scope| {
        for pair in lessons.chunks(2) {
            scope.spawn(|| walk_in_the_terminal(pair));
        }
    });
}

#[cfg(unix)]
fn walk_in_the_terminal(lessons: &[Arc<Lesson>]) {
    let state_folder = crate::scratch();
    for (at, lesson) in lessons.iter().enumerate() {
        let mut terminal = crate::pty::Terminal::learn(&lesson.name, state_folder.path());
        for (number, step) in lesson.steps.iter().enumerate() {
            let head = format!("step {} of {}", number + 1, lesson.steps.len());
            let turn = |terminal: &mut crate::pty::Terminal| {
                for _ in 0..20 {
                    let text = terminal.text();
                    let Some(line) = text.lines().find(|line| line.contains(&head)) else { return };
                    if !line.contains(" more") {
                        return;
                    }
                    terminal.script("<f2>");
                    let before = text.clone();
                    terminal.wait("another page", |screen| screen.contents() != before);
                }
            };
            terminal.wait(&head, |screen| screen.contents().contains(&head));
            turn(&mut terminal);
            if let Some(task) = &step.task {
                terminal.script(&task.keys);
                terminal
                    .wait("a task that is done", |screen| screen.contents().contains("✓ Done."));
            }
            if let Some(question) = &step.question {
                let letter = parse::letter_of(question.right);
                terminal.script(&letter);
                terminal.wait("an answer", |screen| {
                    screen.contents().contains(&format!("✓ {letter}  "))
                });
            }
            turn(&mut terminal);
            terminal.script("<f2>");
        }
        terminal.wait("the list", |screen| {
            screen.contents().contains(&format!("{} of 8 done", at + 1))
        });
        terminal.script("<c-c>");
        assert!(terminal.end());
    }
    let kept = fs::read_to_string(state_folder.path().join("zarrscope/lessons")).unwrap();
    assert_eq!(kept.lines().count(), lessons.len(), "{kept}");
}

/// The facts in `src/lessons/README.md` are those that the program knows.
#[test]
fn every_fact_is_documented() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lessons/README.md");
    let text = fs::read_to_string(&path).unwrap();
    let (head, _) = text
        .split_once("| --- | --- |\n<!-- facts -->")
        .or_else(|| text.rsplit_once("| --- | --- |\n"))
        .unwrap();
    let row = |fact: &facts::Fact| format!("| `{}` | {} |\n", fact.name, fact.help);
    let rows: String = facts::FACTS.iter().map(row).collect();
    let want = format!("{head}| --- | --- |\n{rows}");
    if env::var_os("BLESS").is_some() {
        return fs::write(&path, want).unwrap();
    }
    assert!(text == want, "src/lessons/README.md is stale: BLESS=1 cargo test --test it learn");
}

#[test]
fn the_strip_and_the_list_are_as_drawn() {
    let mut player = begin("byte-order", (120, 40));
    insta::assert_snapshot!(
        "strip_wide",
        crate::keys::text(&player).lines().take(10).collect::<Vec<_>>().join("\n")
    );
    press(&mut player, "b");
    insta::assert_snapshot!(
        "strip_answered",
        crate::keys::text(&player).lines().take(10).collect::<Vec<_>>().join("\n")
    );
    press(&mut player, ";;");
    insta::assert_snapshot!(
        "strip_hinted",
        crate::keys::text(&player).lines().take(10).collect::<Vec<_>>().join("\n")
    );
    let mut player = begin("byte-order", (80, 24));
    insta::assert_snapshot!("strip_narrow", crate::keys::text(&player));
    press(&mut player, ":learn<enter>");
    insta::assert_snapshot!("lesson_list", crate::keys::text(&player));
    press(&mut player, "jj<enter>");
    assert_eq!(player.app.lesson.as_ref().unwrap().lesson.name, "strings");
    press(&mut player, ":learn off<enter>");
    assert!(player.app.lesson.is_none());
}

/// A teacher's own lesson on a store of their own; and what is no lesson names its line.
#[test]
fn a_lesson_of_ones_own_is_taken() {
    let folder = crate::scratch();
    let store = crate::keys::stores().join("ocean");
    let file = folder.path().join("own.txt");
    let text = format!(
        "lesson: own\ntitle: Own\nstore: {}\n---\ntext: Look.\ngo: packed\ntask: Chunks.\ndone: view = chunks\nhint: 2\n",
        store.display()
    );
    fs::write(&file, &text).unwrap();
    let mut player = begin(&file.to_string_lossy(), (120, 40));
    press(&mut player, "2");
    assert_eq!(state(&player), StepState::Done, "{}", told(&player));
    fs::write(&file, text.replace("hint: 2", "hint 2")).unwrap();
    let why = lessons::find(&file.to_string_lossy(), &Options::default().registry).unwrap_err();
    assert!(why.contains("line 9: expected `name: text`"), "{why}");
    for (from, to, said) in [
        (
            "view = chunks",
            "view = chunkz",
            "line 8: view is never chunkz; it is one of data type, chunks",
        ),
        ("hint: 2", "hint: 2\nkeys: <nokey>", "own.txt, step 1: <nokey>; expected a key"),
        ("text: Look.", "text: Look.\nstart: <nokey>", "own.txt, step 1: <nokey>; expected a key"),
        ("go: packed", "go: nowhere", "step 1, go: \"nowhere\""),
        ("/ocean\n", "/nowhere\n", "own.txt, store: "),
    ] {
        fs::write(&file, text.replacen(from, to, 1)).unwrap();
        let why = lessons::find(&file.to_string_lossy(), &Options::default().registry).unwrap_err();
        assert!(why.contains(said), "{why}");
    }
    let why = lessons::find("nothing", &Options::default().registry).unwrap_err();
    assert!(why.contains("no lesson nothing; there are chunks, data-types"), "{why}");
}

/// A lesson begun in a store of one's own, and left: one is back where one was.
#[test]
fn leaving_a_lesson_leads_back() {
    let mut player = crate::keys::play_at((120, 40), ":go ocean/packed<enter>:learn 3<enter>");
    assert_eq!(player.app.shared.node().unwrap().path.0, "byte-order/v3/int16_big");
    press(&mut player, ":learn off<enter>");
    assert_eq!(player.app.shared.node().unwrap().path.0, "ocean/packed");
    assert!(player.app.shared.store_name.ends_with("sample-stores"));
}
