//! Whole passes over a store far away, beside a plain client that only gets the same objects over the same link.
//!
//!     cargo bench --bench far
//!
//! The server is that of the tests: it answers after 0, 30 or 300 ms, and gives 50 MB a second. The client gets every
//! chunk once, 64 at a time as the program does, and does nothing with it: that is what the link gives. A command is
//! timed from its start to its end, with opening and listing; beside it, what it takes on the store here. The last column is the time of the client over that of the
//! command; the aim is 0.8 at 30 ms.
//!
//! - `BENCH_ROUNDS`: how many runs of each (3)
//! - `BENCH_LATENCIES`: milliseconds, with commas between (0,30,300)
//!
//! To try the program against such a server: `cargo bench --bench far -- serve FOLDER MILLISECONDS LISTING [WORD]`, where
//! LISTING is s3, webdav, links, index or nothing, and requests with WORD in them hang.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a bench fails by panicking")]

#[path = "support/measure.rs"]
#[expect(dead_code, reason = "for other benches")]
mod measure;
#[path = "../tests/it/server.rs"]
#[expect(dead_code, reason = "for the tests")]
mod server;

use measure::median;
use server::{Fault, Lists, Script, Server};
use std::{
    env, fs,
    path::Path,
    process::{Command, Stdio},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};

/// The bytes a second that the link gives.
const BANDWIDTH: u64 = 50_000_000;

/// The number of requests at once.
const AT_ONCE: usize = 64;

/// The stores: the number of chunks, and the elements of each.
const STORES: [(&str, usize, usize); 2] = [("large", 768, 1 << 16), ("small", 4096, 1 << 11)];

const COMMANDS: [&[&str]; 3] = [&["check", "--yes"], &["stats"], &["digest"]];

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["serve", folder, latency, lists, words @ ..] => {
            serve(folder, (latency, lists), words.first().copied());
        }
        _ => all(),
    }
}

/// Serves a folder until the program is ended.
fn serve(folder: &str, (latency, lists): (&str, &str), word: Option<&str>) {
    let lists = match lists {
        "s3" => Lists::S3,
        "webdav" => Lists::WebDav,
        "links" => Lists::Links,
        "index" => Lists::Index,
        _ => Lists::Nothing,
    };
    let mut script = script(lists, latency.parse().expect("milliseconds"));
    if let Some(word) = word {
        script = script.fails(word.to_owned().leak(), Fault::Hang, usize::MAX);
    }
    let server = Server::start(Path::new(folder), script);
    println!("http://{}", server.host);
    loop {
        thread::park();
    }
}

fn script(lists: Lists, latency: u64) -> Script {
    let latency = Duration::from_millis(latency);
    Script { latency, bandwidth: Some(BANDWIDTH), ..Script::lists(lists) }
}

fn all() {
    let folder = tempfile::tempdir().unwrap();
    for (name, count, elements) in STORES {
        write(&folder.path().join(name), count, elements);
    }
    let latencies = env::var("BENCH_LATENCIES").unwrap_or_else(|_unset| "0,30,300".into());
    for lists in [Lists::S3, Lists::Links] {
        for latency in latencies.split(',').map(|text| text.parse().expect("milliseconds")) {
            let server = Server::start(folder.path(), script(lists, latency));
            for (store, count, _) in STORES {
                store_behind((&server, folder.path()), lists, latency, (store, count));
            }
        }
    }
}

/// Measures the client and the commands on a store of so many chunks.
fn store_behind(
    (server, folder): (&Server, &Path),
    lists: Lists,
    latency: u64,
    (store, count): (&str, usize),
) {
    let rounds = env::var("BENCH_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(3);
    let middle = |work: &dyn Fn()| {
        let times = (0..rounds).map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64()
        });
        median(times.collect()).unwrap_or_default()
    };
    let bucket = if lists == Lists::S3 { "bucket/" } else { "" };
    let link = middle(&|| get_all(&format!("http://{}/{bucket}{store}/c/", server.host), count));
    println!("{lists:?}, {latency} ms, {count} chunks: the link {link:.2} s");
    let (place, endpoint) = if lists == Lists::S3 {
        (format!("s3://bucket/{store}"), Some(format!("--endpoint=http://{}", server.host)))
    } else {
        (format!("http://{}/{store}", server.host), None)
    };
    for command in COMMANDS {
        let run = |place: &str| {
            let mut program = Command::new(env!("CARGO_BIN_EXE_zarrscope"));
            program.args(command).arg(place).args(&endpoint).env("HOME", "/nowhere");
            let status = program.stdout(Stdio::null()).status().unwrap();
            assert!(status.success(), "{command:?} {place}: {status}");
        };
        let before = server.asked().len();
        let time = middle(&|| run(&place));
        let requests = (server.asked().len() - before) / rounds;
        let here = middle(&|| run(folder.join(store).to_str().unwrap()));
        let (command, ratio) = (command[0], link / time);
        println!(
            "    {command:<8} {time:>6.2} s {requests:>6} requests {here:>6.2} s here {ratio:>6.2}"
        );
    }
}

/// Gets every chunk once, and drops it.
fn get_all(place: &str, count: usize) {
    let config = ureq::Agent::config_builder().max_idle_connections_per_host(2 * AT_ONCE);
    let agent = config.max_idle_connections(4 * AT_ONCE).build().new_agent();
    let next = AtomicUsize::new(0);
    let work = || {
        while let at = next.fetch_add(1, Ordering::Relaxed)
            && at < count
        {
            let mut answer = agent.get(format!("{place}{at}")).call().unwrap();
            assert!(!answer.body_mut().read_to_vec().unwrap().is_empty());
        }
    };
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(work);
        }
    });
}

/// Writes an array of float32 in chunks with zstd, whose values are hard to compress.
fn write(folder: &Path, count: usize, elements: usize) {
    fs::create_dir_all(folder.join("c")).unwrap();
    let document = format!(
        r#"{{"zarr_format":3,"node_type":"array","shape":[{}],"data_type":"float32","fill_value":0,
        "chunk_grid":{{"name":"regular","configuration":{{"chunk_shape":[{elements}]}}}},
        "chunk_key_encoding":{{"name":"default"}},"codecs":[{{"name":"bytes","configuration":{{"endian":"little"}}}},
        {{"name":"zstd","configuration":{{"level":1,"checksum":false}}}}]}}"#,
        count * elements
    );
    fs::write(folder.join("zarr.json"), document).unwrap();
    let mut state = 1_u64;
    for at in 0..count {
        let value = |_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (20.0 + (state >> 40) as f32 / 1e6).to_le_bytes()
        };
        let bytes: Vec<u8> = (0..elements).flat_map(value).collect();
        fs::write(folder.join("c").join(at.to_string()), zstd::bulk::compress(&bytes, 1).unwrap())
            .unwrap();
    }
}
