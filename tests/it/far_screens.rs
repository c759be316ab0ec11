//! The inspector on a store behind a server that is slow or does not answer: it never waits for the network.

use crate::{
    keys::stores,
    pty::Terminal,
    server::{Fault, Lists, Script, Server},
    snapshot::{Part, describe},
};
use std::{
    path::Path,
    sync::{Arc, mpsc},
    thread,
    time::{Duration, Instant},
};
use zarrscope::{
    tui::{
        Options,
        script::{Player, parse},
    },
    worker::traffic,
    zarr::{
        hierarchy::Hierarchy,
        store::requests::{RequestLog, SentRequest, Traffic},
    },
};

/// A server that does not answer what has `keys` in its address.
fn hanging(keys: &'static str) -> Script {
    Script::lists(Lists::Links).fails(keys, Fault::Hang, usize::MAX)
}

fn answering() -> Script {
    Script::lists(Lists::Links)
}

/// The time that a key may take on a busy machine, with a program that is not optimized; an answer that is waited for
/// never comes.
const SOON: Duration = Duration::from_secs(5);

/// Presses keys: what they show is there soon.
fn soon(terminal: &mut Terminal, keys: &[u8], text: &str) {
    let start = Instant::now();
    terminal.press(keys);
    terminal.wait_for(text);
    assert!(start.elapsed() < SOON, "{text} after {:?}", start.elapsed());
}

#[test]
fn a_server_that_does_not_answer_leaves_the_screen_and_the_keys_alone() {
    let server = Server::start(&stores(), hanging(""));
    let store = format!("http://{}/ocean", server.host);
    let mut terminal = Terminal::of(&[], &store);
    // Nothing was answered, and everything is there to say so.
    terminal.wait_for(&format!("opening {store} …"));
    terminal.wait_for("under way, 0.");
    soon(&mut terminal, b"5", "The store is not open yet.");
    soon(&mut terminal, b"?", "─ views ─");
    soon(&mut terminal, b"\x1b", "Esc gives up, q quits.");
    soon(&mut terminal, b"\x1b", "Given up before the store answered.");
    terminal.wait("footer", |screen| !screen.contents().contains("under way"));
    // What hangs of an open store is one place of many.
    server.behave(hanging("temperature/c/0"));
    soon(&mut terminal, b"r", "brightness");
    soon(&mut terminal, b":go temperature\r", "148");
    soon(&mut terminal, b"2", "under way, ");
    soon(&mut terminal, b"4", "\"data_type\": \"float32\"");
    soon(&mut terminal, b"\x1b", "Given up; r asks again.");
    terminal.wait("footer", |screen| !screen.contents().contains("under way"));
    server.behave(answering());
    soon(&mut terminal, b"2", "r reads it");
    soon(&mut terminal, b"r", "array [");
    soon(&mut terminal, b":requests\r", "the latest first");
    let page = terminal.text();
    assert!(
        page.contains("GET") && page.contains("documents") && page.contains("not there"),
        "{page}"
    );
    soon(&mut terminal, b"\x1b", "Metadata");
    terminal.press(b"\x03");
    assert!(terminal.end());
}

#[test]
fn what_was_asked_before_anybody_watched_is_told_of() {
    let server = Server::start(&stores(), hanging(""));
    let address = format!("http://{}/ocean", server.host);
    thread::spawn(move || Hierarchy::open(Path::new(&address)).is_ok());
    let start = Instant::now();
    while server.asked().is_empty() {
        assert!(start.elapsed() < SOON, "nothing was asked");
        thread::sleep(Duration::from_millis(5));
    }
    let (sender, told) = mpsc::channel();
    traffic::watch(move |log| sender.send(log.traffic.waiting).is_ok());
    assert!(told.recv_timeout(SOON).is_ok_and(|waiting| waiting > 0));
    // What hangs ends, and does not ask again.
    server.behave(answering());
}

#[test]
fn an_array_is_looked_at_without_reading_its_chunks() {
    let server = Server::start(&stores(), answering());
    let mut terminal = Terminal::of(&[], &format!("http://{}/ocean/temperature", server.host));
    terminal.wait_for("readers");
    terminal.wait_for("not looked up; :readers does that");
    terminal.wait_for("4 of 4");
    let chunks = || {
        server
            .asked()
            .iter()
            .filter(|line| line.starts_with("GET") && line.contains("temperature/c/0/0 "))
            .count()
    };
    assert_eq!(chunks(), 0, "{:#?}", server.asked());
    soon(&mut terminal, b":readers\r", "readers work");
    assert_eq!(chunks(), 1);
    terminal.press(b"\x03");
    assert!(terminal.end());
}

#[test]
fn a_listing_that_is_not_answered_is_given_up_and_asked_for_again() {
    let server = Server::start(&stores(), hanging("crc/zarr.json"));
    let mut terminal = Terminal::of(&[], &format!("http://{}/broken", server.host));
    terminal.wait_for("… broken");
    terminal.wait_for("under way, ");
    soon(&mut terminal, b"D", "52 types");
    soon(&mut terminal, b"\x1b", "… broken");
    soon(&mut terminal, b"\x1b", "? broken");
    terminal.wait_for("? Not listed: Given up before the store answered.");
    assert!(!terminal.text().contains("0 arrays"), "{}", terminal.text());
    server.behave(answering());
    soon(&mut terminal, b"r", "▾ broken");
    terminal.wait_for("crc");
    terminal.press(b"\x03");
    assert!(terminal.end());
}

#[test]
fn a_store_that_cannot_be_opened_says_so_on_the_screen_and_after_it() {
    let server = Server::start(&stores(), answering());
    let mut terminal = Terminal::of(&[], &format!("http://{}/nothing", server.host));
    terminal.wait_for("could not be opened");
    terminal.wait_for("r tries again, q quits.");
    terminal.press(b"q");
    assert!(!terminal.end());
    terminal.wait_for("zarrscope: http://");
    assert!(terminal.text().contains("No Zarr store at this address"), "{}", terminal.text());
}

#[test]
fn a_store_here_is_open_in_the_first_frame() {
    let mut terminal = Terminal::of(&[], stores().join("ocean").to_str().unwrap());
    terminal.wait_for("temperature");
    soon(&mut terminal, b":requests\r", "there are no requests");
    terminal.press(b"\x03");
    assert!(terminal.end());
    let raw = terminal.raw();
    assert!(!raw.contains("opening") && !raw.contains("under way"), "{raw}");
}

/// Requests as a server might have answered them.
fn log() -> RequestLog {
    let sent = |method: &str, key: &str, range: &str, status, bytes, asker: &str| SentRequest {
        method: method.into(),
        address: format!("https://host/data/ocean/{key}"),
        range: range.into(),
        status,
        bytes,
        elapsed: Duration::from_millis(41),
        asker: asker.into(),
        is_of_index: range.starts_with("bytes=4194304"),
    };
    let all = [
        sent("GET", "zarr.json", "", 200, 14_300, "open"),
        sent("GET", ".zgroup", "", 404, 0, "open"),
        sent("PROPFIND", "", "", 405, 0, "tree"),
        sent("GET", "air/zarr.json", "", 200, 1_200, "tree"),
        sent("HEAD", "air/c/0/0/0", "", 403, 0, "chunk map"),
        sent("GET", "packed/c/0/1", "bytes=4194304-4312063", 206, 117_760, "chunk"),
        sent("GET", "temperature/c/1/1", "", 0, 0, "check"),
    ];
    let mut log = RequestLog::default();
    for sent in &all {
        log.count(sent);
    }
    log.latest = all.into_iter().map(Arc::new).collect();
    let (requests, bytes, busy) = (7, 133_260, Duration::from_millis(1_934));
    log.traffic = Traffic { requests, bytes, busy, ..Traffic::default() };
    log
}

#[test]
fn requests_are_shown_by_what_they_are_for() {
    for size in [(120, 40), (80, 24)] {
        let store = stores().join("ocean");
        let mut player = Player::open(&store, size, &Options::default()).unwrap();
        player.app.shared.store_name = "https://host/data/ocean".into();
        player.app.take_requests(log());
        for key in parse(":requests<enter>j").unwrap() {
            player.press(key);
        }
        let screen = player.screen();
        let name = format!("requests_{}", size.0);
        insta::assert_snapshot!(name, describe(&Part::Body.of(&player.app, &screen)));
        let mut log = log();
        log.traffic.waiting = 3;
        log.traffic.since = Duration::from_millis(840);
        player.app.take_requests(log);
        player.press(parse("<esc>").unwrap()[0]);
        let screen = player.screen();
        let name = format!("requests_under_way_{}", size.0);
        insta::assert_snapshot!(name, describe(&Part::Footer.of(&player.app, &screen)));
    }
}

#[test]
fn very_many_chunks_are_read_when_asked_for() {
    let folder = crate::scratch();
    let document = r#"{"zarr_format":2,"shape":[10001],"chunks":[1],"dtype":"|u1","fill_value":0,
        "order":"C","filters":null,"compressor":null}"#;
    std::fs::write(folder.path().join(".zarray"), document).unwrap();
    for at in 0..10_001 {
        std::fs::write(folder.path().join(at.to_string()), [1]).unwrap();
    }
    let server = Server::start(folder.path(), answering());
    let mut terminal = Terminal::of(&[], &format!("http://{}", server.host));
    terminal.wait_for("10,001");
    soon(&mut terminal, b"5", "The chunks were not read");
    let read = || server.asked().iter().filter(|line| line.starts_with("GET /")).count();
    assert!(read() < 200, "{}", read());
    soon(&mut terminal, b"\r", "Esc stops");
    while read() < 500 {
        thread::sleep(Duration::from_millis(10));
    }
    soon(&mut terminal, b"\x1b", "everything after the stop");
    terminal.wait_for("checked in part");
    terminal.press(b"\x03");
    assert!(terminal.end());
}
