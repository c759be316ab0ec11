//! A disk that takes its time: the node under the cursor is asked for, and its answer comes when it comes.

use crate::{
    keys::stores,
    snapshot::{Part, describe, draw},
};
use ratatui::layout::Rect;
use std::{cell::RefCell, path::Path, sync::Arc, time::Duration};
use zarrscope::{
    app::{
        Action, Answer, App, Effect, Job, Lane, Overlay, Pace, Reply, View, Work,
        action::{Direction, Motion, PromptKind, StepTo},
        input::LineEdit,
        jumps::Start,
    },
    tui::{
        Options, panes,
        picture::text,
        script::{Player, parse},
        view::Screen,
    },
    worker::work,
    zarr::{
        Budget, Code, Error, Hierarchy, NodePath,
        budget::{DEFAULT_LIMIT, Memory},
        chunk,
        grid::ChunkId,
        hierarchy::NodeKind,
    },
};

const SCREEN: Rect = Rect::new(0, 0, 100, 24);

/// A program whose work waits until the test lets it be done.
struct Slow {
    app: App,
    hierarchy: Hierarchy,
    waiting: Vec<Job>,
}

impl Slow {
    /// At `node`, which is read already.
    fn at(node: &str) -> Self {
        Self::of(&stores(), node)
    }

    /// The same of another store.
    fn of(store: &Path, node: &str) -> Self {
        let (hierarchy, _) = Hierarchy::open(store).unwrap();
        let start = Start { node: NodePath(node.into()), ..Start::default() };
        let app = App::new(&hierarchy, start, DEFAULT_LIMIT);
        let mut slow = Self { app, hierarchy, waiting: Vec::new() };
        let first = slow.app.start(&panes::geometry(SCREEN, &slow.app));
        slow.take(first);
        slow.answer();
        assert_eq!(slow.app.shared.node().unwrap().path.0, node);
        slow
    }

    fn take(&mut self, effects: Vec<Effect>) {
        self.waiting.extend(effects.into_iter().filter_map(|effect| match effect {
            Effect::Run(job) => Some(job),
            _ => None,
        }));
    }

    fn act(&mut self, action: Action) -> &mut Self {
        let effects = self.app.update(action, &panes::geometry(SCREEN, &self.app));
        self.take(effects);
        self
    }

    fn step(&mut self, motion: Motion) -> &mut Self {
        self.act(Action::Move(motion))
    }

    /// Does the work that is waiting, and the work that it asks for.
    fn answer(&mut self) {
        self.answer_all_but(None);
    }

    /// The same, but for the work of a lane, which goes on waiting.
    fn answer_all_but(&mut self, lane: Option<Lane>) {
        while let Some(at) = self.waiting.iter().position(|job| Some(job.lane) != lane) {
            let job = self.waiting.remove(at);
            let mut replies = Vec::new();
            work::perform(&self.hierarchy, &Memory::new(u64::MAX), &job, &|| false, &mut |reply| {
                replies.push(reply);
            });
            for reply in replies {
                let effects = self.app.replied(reply);
                self.take(effects);
            }
            let effects = self.app.settle(&panes::geometry(SCREEN, &self.app));
            self.take(effects);
        }
    }

    fn asked_for(&self) -> Vec<&str> {
        let nodes = self.waiting.iter().filter_map(|job| match (&job.work, job.lane) {
            (Work::Node(path), Lane::Node) => Some(path.0.as_str()),
            _ => None,
        });
        nodes.collect()
    }
}

#[test]
fn a_node_that_is_being_read_is_said_so_and_nothing_is_done_to_the_one_before() {
    let mut slow = Slow::at("ocean/packed");
    slow.act(Action::View(View::Chunks)).answer();
    assert!(slow.app.shared.chunk.shown().is_some());
    slow.act(Action::Leave).step(Motion::Down);
    assert_eq!(slow.asked_for(), ["ocean/temperature"]);
    assert!(slow.app.shared.node().is_none());
    slow.act(Action::Pane(Direction::Next));
    let screen = draw(Screen::new(&slow.app), SCREEN.width, SCREEN.height);
    insta::assert_snapshot!("reading_a_node", describe(&Part::View.of(&slow.app, &screen)));
    let frame = text(&Part::Frame.of(&slow.app, &screen));
    assert!(frame.contains("› ocean › temperature"), "{frame}");
    slow.act(Action::Ask(PromptKind::Export));
    let message = slow.app.shared.message.as_ref().unwrap();
    assert!(message.text.starts_with("Waiting for ocean/temperature to load"), "{message:?}");
    slow.answer();
    assert!(matches!(slow.app.overlay, Some(Overlay::Prompt(_))), "asked for once it is here");
    assert_eq!(slow.app.shared.node().unwrap().path.0, "ocean/temperature");
    assert_eq!(slow.app.shared.chunk.shown().unwrap().path.0, "ocean/temperature");
}

#[test]
fn an_answer_to_an_older_question_is_dropped() {
    let mut slow = Slow::at("ocean/packed");
    slow.act(Action::View(View::Chunks)).answer();
    slow.act(Action::Step(StepTo::Chunk, Direction::Next));
    let generation = slow.waiting.iter().find(|job| job.lane == Lane::Load).unwrap().generation;
    slow.act(Action::Step(StepTo::Chunk, Direction::Next)).answer();
    assert_eq!(slow.app.shared.chunk.shown().unwrap().chunk.id.coordinates, [0, 2]);
    let answer = Answer::Failed(Error::new(Code::Io, "too late", ""));
    let effects = slow.app.replied(Reply { lane: Lane::Load, generation, answer });
    assert!(effects.is_empty() && slow.app.shared.chunk.shown().is_some());
}

#[test]
fn esc_stops_the_counting_for_a_picture_and_r_counts_anew() {
    let mut slow = Slow::at("ocean/packed");
    slow.act(Action::View(View::Picture)).answer_all_but(Some(Lane::Picture));
    let job = slow.waiting.pop().unwrap();
    let pace = Pace { done: 250, of: 1000, elapsed: Duration::from_secs(1) };
    let (lane, generation) = (job.lane, job.generation);
    slow.app.replied(Reply { lane, generation, answer: Answer::Counting(pace) });
    let screen = |slow: &Slow| text(&draw(Screen::new(&slow.app), SCREEN.width, SCREEN.height));
    assert!(screen(&slow).contains("counting ") && screen(&slow).contains(" 25 %"));
    let effects = slow.app.update(Action::Back, &panes::geometry(SCREEN, &slow.app));
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Cancel(Lane::Picture))));
    assert!(screen(&slow).contains("Stopped by Esc"), "{}", screen(&slow));
    work::perform(&slow.hierarchy, &Memory::new(u64::MAX), &job, &|| false, &mut |reply| {
        slow.app.replied(reply);
    });
    assert!(slow.app.pages.picture.pictured.ready().is_none(), "the answer comes too late");
    slow.act(Action::Reload).answer();
    assert!(slow.app.pages.picture.pictured.ready().is_some());
}

#[test]
fn a_place_is_come_back_to_only_if_the_array_still_has_as_many_dimensions() {
    let folder = crate::scratch();
    let write = |name: &str, shape: &str| {
        let document = format!(
            r#"{{"zarr_format": 2, "shape": {shape}, "chunks": {shape}, "dtype": "|u1", "fill_value": 0,
               "order": "C", "compressor": null, "filters": null}}"#
        );
        std::fs::create_dir_all(folder.path().join(name)).unwrap();
        std::fs::write(folder.path().join(name).join(".zarray"), document).unwrap();
    };
    std::fs::write(folder.path().join(".zgroup"), r#"{"zarr_format": 2}"#).unwrap();
    write("a", "[2, 2]");
    write("b", "[2]");
    let mut player = Player::open(folder.path(), (120, 40), &Options::default()).unwrap();
    let mut press = |keys: &str| {
        for key in parse(keys).unwrap() {
            player.press(key);
        }
        player.app.shared.chunk.clone()
    };
    assert_eq!(press(":go a<enter>2:[1,1]<enter>").id.coordinates, [0, 0]);
    press(":go b<enter>");
    write("a", "[3]");
    let back = press("<c-o>");
    assert_eq!((back.counts.len(), &back.id.coordinates), (1, &vec![0]));
    assert!(back.shown().is_some(), "{:?}", back.load);
}

#[test]
fn only_the_last_node_of_a_run_through_the_tree_is_shown() {
    let mut slow = Slow::at("ocean");
    slow.step(Motion::Up).step(Motion::Up);
    assert_eq!(slow.asked_for().len(), 2);
    slow.answer();
    let selected = slow.app.pages.tree.selected().unwrap().node.path.clone();
    assert_eq!(slow.app.shared.node().unwrap().path, selected);
}

#[test]
fn who_comes_back_before_the_answer_finds_the_chunk_as_it_was_left() {
    let mut slow = Slow::at("ocean/packed");
    slow.act(Action::View(View::Chunks)).answer();
    slow.step(Motion::Down).step(Motion::Right);
    let cursor = slow.app.shared.chunk.cursor;
    assert!(cursor > 0);
    slow.act(Action::Leave).step(Motion::Down).step(Motion::Up);
    assert!(slow.app.shared.chunk.shown().is_none(), "nobody can act on the chunk of another node");
    slow.answer();
    assert_eq!(slow.app.shared.node().unwrap().path.0, "ocean/packed");
    assert_eq!(slow.app.shared.chunk.cursor, cursor);
}

#[test]
fn an_errand_waits_for_its_node_and_is_forgotten_when_one_goes_elsewhere() {
    for goes_elsewhere in [false, true] {
        let mut slow = Slow::at("ocean/packed");
        slow.act(Action::View(View::Chunks)).answer();
        slow.act(Action::Step(StepTo::Chunk, Direction::Next)).answer();
        let chunk = slow.app.shared.chunk.id.clone();
        slow.act(Action::Step(StepTo::Chunk, Direction::Next)).answer();
        slow.act(Action::Leave).step(Motion::Up).answer();
        // The way back leads over a node that has to be read first.
        slow.act(Action::Jump(Direction::Previous));
        assert_eq!(slow.asked_for(), ["ocean/packed"]);
        if goes_elsewhere {
            slow.step(Motion::Up).answer();
            slow.step(Motion::Down);
        }
        slow.answer();
        assert_eq!(slow.app.shared.node().unwrap().path.0, "ocean/packed");
        assert_eq!(slow.app.shared.chunk.id == chunk, !goes_elsewhere);
    }
}

#[test]
fn an_enter_that_comes_before_the_finder_has_found_anything_is_kept() {
    let find = |letters: &str| {
        let mut slow = Slow::at("ocean");
        slow.act(Action::Ask(PromptKind::Find));
        for letter in letters.chars() {
            slow.act(Action::Edit(LineEdit::Insert(letter)));
        }
        slow.act(Action::Submit).answer();
        slow.app
    };
    let app = find("packed");
    assert!(app.overlay.is_none());
    assert_eq!(app.shared.node().unwrap().path.name(), "packed");
    // Over the gallery, too: it is there again where nothing was found, and gone where one goes to a node.
    let mut slow = Slow::at("ocean");
    slow.act(Action::Gallery).act(Action::Ask(PromptKind::Find));
    "packed".chars().for_each(|letter| {
        slow.act(Action::Edit(LineEdit::Insert(letter)));
    });
    slow.act(Action::Submit);
    assert!(slow.app.shows_gallery(), "below the finder");
    slow.answer();
    assert!(!slow.app.shows_gallery());
    assert_eq!(slow.app.shared.node().unwrap().path.name(), "packed");
    let app = find("no such node");
    assert!(
        matches!(app.overlay, Some(Overlay::Finder(_))),
        "what was typed is there to be mended"
    );
    assert_eq!(app.shared.node().unwrap().path.0, "ocean");
}

#[test]
fn a_node_that_takes_the_worker_down_is_broken_and_nothing_else_is() {
    let mut slow = Slow::at("ocean");
    slow.step(Motion::Down);
    let job = slow.waiting.pop().unwrap();
    let error = Error::new(Code::Panic, "a bug in zarrscope", "an answer");
    let answer = Answer::Failed(error);
    let reply = Reply { lane: job.lane, generation: job.generation, answer };
    let effects = slow.app.replied(reply);
    slow.take(effects);
    assert!(matches!(
        slow.app.shared.node().map(Arc::as_ref).map(|node| &node.kind),
        Some(NodeKind::Broken(_))
    ));
    assert!(slow.asked_for().is_empty(), "it is not asked for over and over");
}

#[test]
fn a_long_listing_says_how_far_it_is() {
    let dir = crate::scratch();
    for n in 0..2_500 {
        let group = dir.path().join(format!("g{n:04}"));
        std::fs::create_dir(&group).unwrap();
        std::fs::write(group.join(".zgroup"), r#"{"zarr_format": 2}"#).unwrap();
    }
    std::fs::write(dir.path().join(".zgroup"), r#"{"zarr_format": 2}"#).unwrap();
    let (hierarchy, _) = Hierarchy::open(dir.path()).unwrap();
    let mut app = App::new(&hierarchy, Start::default(), DEFAULT_LIMIT);
    let mut screens = Vec::new();
    for effect in app.start(&panes::geometry(SCREEN, &app)) {
        let Effect::Run(job) = effect else { continue };
        work::perform(&hierarchy, &Memory::new(u64::MAX), &job, &|| false, &mut |reply| {
            app.replied(reply);
            screens.push(text(&draw(Screen::new(&app), 120, 24)));
        });
    }
    let [halfway, whole] = screens.as_slice() else { panic!("{} replies", screens.len()) };
    assert!(halfway.lines().nth(2).unwrap().contains("V2 2000…"), "{halfway}");
    assert!(whole.lines().nth(2).unwrap().contains("V2 2500"), "{whole}");
    assert!(whole.contains("g0000"));
}

#[test]
fn codecs_say_how_far_they_are() {
    const LEN: u64 = 48 << 20;
    let dir = crate::scratch();
    let document = format!(
        r#"{{"zarr_format": 3, "node_type": "array", "shape": [{LEN}], "data_type": "uint8", "fill_value": 0,
           "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": [{LEN}]}}}},
           "chunk_key_encoding": {{"name": "default"}},
           "codecs": [{{"name": "bytes"}}, {{"name": "zstd", "configuration": {{"level": 1, "checksum": false}}}}]}}"#
    );
    std::fs::write(dir.path().join("zarr.json"), document).unwrap();
    std::fs::create_dir(dir.path().join("c")).unwrap();
    // Values that do not pack, so that there is much to read.
    let mut seed = 1_u32;
    let mut next = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        seed.to_be_bytes()[0]
    };
    let values: Vec<u8> = (0..LEN).map(|_| next()).collect();
    std::fs::write(dir.path().join("c/0"), zstd::encode_all(&*values, 1).unwrap()).unwrap();
    let (hierarchy, _) = Hierarchy::open(dir.path()).unwrap();
    let NodeKind::Array(array) = hierarchy.node(&NodePath::default()).kind else { panic!() };
    let told = RefCell::new(Vec::new());
    let progress = |done, of| told.borrow_mut().push((done, of));
    let budget = Budget::default().with_progress(&progress);
    let id = ChunkId { coordinates: vec![0], inner: Vec::new() };
    let loaded =
        chunk::load(hierarchy.store.as_ref(), &NodePath::default(), &array, &id, 0, &budget);
    let elements = loaded.elements().unwrap();
    assert!(elements.bytes().as_whole() == Some(values.as_slice()), "other values came out");
    let told = told.into_inner();
    assert!(told.len() > 3, "{told:?}");
    assert!(told.is_sorted() && told.iter().all(|(done, of)| done <= of && *of == LEN), "{told:?}");
}

/// The sample stores, in which the work of some lanes has not begun.
fn slow_player(lanes: &[Lane]) -> Player {
    let mut player = Player::open(&stores(), (120, 40), &Options::default()).unwrap();
    for lane in lanes {
        player.slow_down(*lane);
    }
    player
}

fn type_keys(player: &mut Player, keys: &str) {
    parse(keys).unwrap().into_iter().for_each(|key| player.press(key));
}

fn message(player: &Player) -> String {
    player.app.shared.message.as_ref().map(|message| message.text.clone()).unwrap_or_default()
}

/// The documents that were opened in an editor.
fn edited(player: &mut Player) -> Vec<String> {
    let effects = player.take_effects().into_iter();
    let edited = effects.filter_map(|effect| match effect {
        Effect::EditCopy(key, _) => Some(key),
        _ => None,
    });
    edited.collect()
}

#[test]
fn keys_are_for_the_node_that_is_being_gone_to() {
    for lane in [Lane::List, Lane::Node] {
        let mut player = slow_player(&[lane]);
        type_keys(&mut player, ":go ocean/packed<enter>=");
        assert!(player.app.pages.compare.marked.is_none());
        assert!(message(&player).starts_with("Waiting for ocean/packed to load"), "{lane:?}");
        player.catch_up();
        let marked = player.app.pages.compare.marked.as_ref().unwrap();
        assert_eq!(marked.node().unwrap().0, "ocean/packed", "{lane:?}");
        assert!(message(&player).starts_with("Marked A: ocean/packed"), "{}", message(&player));

        let mut player = slow_player(&[lane]);
        type_keys(&mut player, ":go ocean/packed<enter>e");
        assert!(edited(&mut player).is_empty());
        player.catch_up();
        assert_eq!(edited(&mut player), ["ocean/packed/zarr.json"], "{lane:?}");

        let mut player = slow_player(&[lane]);
        type_keys(&mut player, ":go ocean/packed<enter>:readers<enter>");
        player.catch_up();
        let title = &player.app.explanation().unwrap().title;
        assert!(title.starts_with("ocean/packed   6 of 10 readers work"), "{title}");
    }
    let mut player = slow_player(&[Lane::Node]);
    type_keys(&mut player, "je");
    let goal = player.app.pages.tree.selected().unwrap().node.path.0.clone();
    assert!(edited(&mut player).is_empty());
    player.catch_up();
    assert!(edited(&mut player)[0].starts_with(&goal));
}

/// Typed faster than the disk: each key is for what would be on the screen if the disk were quick.
#[test]
fn keys_that_wait_are_done_in_their_order() {
    let mut player = slow_player(&[Lane::List, Lane::Node]);
    type_keys(&mut player, ":go ocean/temperature<enter>=:go ocean-v2/temperature<enter>=");
    assert!(player.app.overlay.is_none());
    player.catch_up();
    assert!(matches!(player.app.overlay, Some(Overlay::Compare)), "{}", message(&player));
    assert_eq!(player.app.pages.compare.names, ["ocean/temperature", "ocean-v2/temperature"]);
}

#[test]
fn what_waits_is_dropped_by_esc_and_where_there_is_no_such_node() {
    let mut player = slow_player(&[Lane::Node]);
    type_keys(&mut player, ":go ocean/packed<enter>=<esc>");
    assert!(message(&player).starts_with("Cancelled"), "{}", message(&player));
    player.catch_up();
    assert!(player.app.pages.compare.marked.is_none());
    let mut player = slow_player(&[Lane::List, Lane::Node]);
    type_keys(&mut player, ":go ocean/nowhere<enter>=");
    player.catch_up();
    assert!(player.app.pages.compare.marked.is_none());
    assert!(message(&player).contains("no node ocean/nowhere"), "{}", message(&player));
}

#[test]
fn what_waits_stops_where_one_of_it_fails() {
    let mut player = slow_player(&[Lane::Node]);
    type_keys(&mut player, ":go ocean/packed<enter>:field nowhere<enter>=");
    player.catch_up();
    assert!(message(&player).contains("no fields"), "{}", message(&player));
    assert!(player.app.pages.compare.marked.is_none());
}

/// A line is being typed when the node arrives: what waits lets it be typed to its end, and Esc closes that line only.
#[test]
fn what_waits_does_not_run_under_a_line_that_is_typed() {
    let mut player = slow_player(&[Lane::Node]);
    type_keys(&mut player, ":go ocean/packed<enter>=:fi");
    player.catch_up();
    assert!(matches!(player.app.overlay, Some(Overlay::Prompt(_))));
    assert!(player.app.pages.compare.marked.is_none());
    type_keys(&mut player, "<esc>");
    assert!(player.app.pages.compare.marked.is_some(), "{}", message(&player));
}

/// Read again as something else: what is asked for after that is about what is read then.
#[test]
fn what_if_is_waited_for() {
    let mut player = slow_player(&[]);
    type_keys(&mut player, ":go byte-order/liar<enter>2");
    player.slow_down(Lane::Node);
    type_keys(&mut player, ":as endian=big<enter>=");
    assert!(message(&player).starts_with("Waiting for byte-order/liar"), "{}", message(&player));
    player.catch_up();
    assert!(player.app.pages.compare.marked.is_some());
}

#[test]
fn more_than_can_wait_is_refused() {
    let mut player = slow_player(&[Lane::Node]);
    type_keys(&mut player, &format!(":go ocean/packed<enter>{}", "=".repeat(101)));
    assert!(
        message(&player).starts_with("100 keys are waiting for ocean/packed"),
        "{}",
        message(&player)
    );
}

#[test]
fn a_chunk_that_is_still_being_read_is_waited_for() {
    let mut player = slow_player(&[]);
    type_keys(&mut player, ":go ocean/packed<enter>2");
    player.slow_down(Lane::Load);
    type_keys(&mut player, "]ce");
    assert!(message(&player).starts_with("Waiting for this chunk to load"), "{}", message(&player));
    assert!(edited(&mut player).is_empty(), "not the document");
    player.catch_up();
    assert_eq!(edited(&mut player), ["ocean_packed_c_0_1"]);
}

/// A node whose problems were asked for before it is here is checked as soon as it is.
#[test]
fn problems_asked_for_too_early_are_looked_for_when_the_node_is_here() {
    let mut player = slow_player(&[Lane::Node]);
    type_keys(&mut player, "j5");
    assert!(player.app.shared.node().is_none());
    player.catch_up();
    assert!(player.app.pages.problems.root.is_some(), "{}", message(&player));
}

/// `K` in Problems before there is a finding: it opens with the first, and with nothing else.
#[test]
fn an_explanation_waits_for_the_first_finding() {
    let mut player = slow_player(&[]);
    type_keys(&mut player, ":go byte-order/liar<enter>");
    player.slow_down(Lane::Check);
    type_keys(&mut player, "5K");
    assert!(player.app.explanation().is_none());
    assert!(message(&player).starts_with("Waiting for the check's first"), "{}", message(&player));
    player.catch_up();
    let title = &player.app.explanation().unwrap().title;
    assert!(title.contains("byte-order"), "{title}");
    // Where nothing is found, that is said.
    let mut player = slow_player(&[]);
    type_keys(&mut player, ":go ocean/air<enter>");
    player.slow_down(Lane::Check);
    type_keys(&mut player, "5K");
    player.catch_up();
    assert!(player.app.explanation().is_none());
    assert!(message(&player).contains("nothing under the cursor"), "{}", message(&player));
    // Who goes elsewhere meanwhile has not asked for it there.
    let mut player = slow_player(&[]);
    type_keys(&mut player, ":go byte-order/liar<enter>");
    player.slow_down(Lane::Check);
    type_keys(&mut player, "5K1");
    player.catch_up();
    assert!(player.app.explanation().is_none());
}

#[test]
fn keys_do_not_wait_for_a_long_document() {
    let folder = crate::scratch();
    let attributes: Vec<_> = (0..20_000).map(|at| format!("\"a{at}\":{at}")).collect();
    let document = format!(
        r#"{{"zarr_format":3,"node_type":"group","attributes":{{{}}}}}"#,
        attributes.join(",")
    );
    std::fs::write(folder.path().join("zarr.json"), document).unwrap();
    let mut slow = Slow::of(folder.path(), "");
    slow.act(Action::View(View::Metadata));
    let lanes: Vec<Lane> = slow.waiting.iter().map(|job| job.lane).collect();
    assert!(lanes.contains(&Lane::Documents), "{lanes:?}");
    let screen = text(&draw(Screen::new(&slow.app), SCREEN.width, SCREEN.height));
    assert!(screen.contains("Formatting the metadata"), "{screen}");
    slow.step(Motion::Down).step(Motion::Last);
    assert_eq!(slow.app.pages.metadata.len(), 0, "no key laid anything out");
    slow.answer();
    assert!(slow.app.pages.metadata.len() > 20_000);
    slow.step(Motion::Last).act(Action::Reload);
    let before = slow.app.pages.metadata.line().unwrap().clone();
    slow.answer_all_but(Some(Lane::Documents));
    assert_eq!(slow.app.pages.metadata.line(), Some(&before), "on show until they are there anew");
    slow.answer();
    assert_eq!(slow.app.pages.metadata.line(), Some(&before), "the cursor stays");
}
