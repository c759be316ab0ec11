//! Stores behind a server: every command gives what it gives on the store here.

use crate::{
    keys::stores,
    pty::Terminal,
    server::{Fault, Lists, Script, Server},
};
use std::{path::Path, process::Command, time::Duration};

/// The outcome of a command: stdout, stderr, exit code; with `place` in place of its address.
fn run(arguments: &[&str], place: &str) -> (String, String, i32) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_zarrscope"));
    for name in ["AWS_ACCESS_KEY_ID", "AWS_PROFILE", "AWS_REGION", "http_proxy", "HTTP_PROXY"] {
        command.env_remove(name);
    }
    let output = command
        .args(arguments)
        .env("HOME", "/nowhere")
        .current_dir(std::env::temp_dir())
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap().replace(place, "STORE");
    (text(&output.stdout), text(&output.stderr), output.status.code().unwrap())
}

/// The address of `store` on a server, and the options that lead to it.
fn address(server: &Server, lists: Lists, store: &str) -> (String, Vec<String>) {
    match lists {
        Lists::S3 => {
            let endpoint = format!("--endpoint=http://{}", server.host);
            (format!("s3://bucket/{store}").trim_end_matches('/').to_owned(), vec![endpoint])
        }
        _ => {
            (format!("http://{}/{store}", server.host).trim_end_matches('/').to_owned(), Vec::new())
        }
    }
}

fn sample(name: &str) -> std::path::PathBuf {
    stores().join(name)
}

/// Compares what a command gives on `store` of the samples with what it gives of it on a server.
fn same(server: &Server, lists: Lists, store: &str, before: &[&str], after: &[&str]) {
    let here = sample(store);
    let here = here.to_str().unwrap();
    let (far, options) = address(server, lists, store);
    let run_on = |place: &str, options: &[String]| {
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        run(&[before, &[place], after, &options].concat(), place)
    };
    let (expected, found) = (run_on(here, &[]), run_on(&far, &options));
    assert!(!expected.1.contains("Usage:"), "{before:?} {after:?}: {}", expected.1);
    let lines = |(out, err, code): &(String, String, i32)| -> Vec<String> {
        format!("{out}{err}exit {code}").lines().map(str::to_owned).collect()
    };
    let (expected, found) = (lines(&expected), lines(&found));
    let only = |a: &[String], b: &[String]| -> Vec<String> {
        a.iter().filter(|line| !b.contains(line)).cloned().collect()
    };
    let differ = (only(&found, &expected), only(&expected, &found));
    assert!(found == expected, "{before:?} {far} {after:?} {lists:?}: {differ:#?}");
}

#[test]
fn every_command_gives_the_same_from_a_server() {
    for lists in [Lists::S3, Lists::WebDav, Lists::Links, Lists::Index] {
        let server = Server::start(&stores(), Script::lists(lists));
        // What each sample store is as a whole, the test below asks of all servers; of S3, by each command.
        if lists == Lists::S3 {
            same(&server, lists, "ocean-v2", &["check", "--metadata-only"], &[]);
        } else {
            same(&server, lists, "ocean", &["stats"], &[]);
        }
        same(&server, lists, "ocean", &["check", "--json", "--metadata-only"], &[]);
        same(&server, lists, "ocean/temperature", &["info", "--json"], &[]);
        same(&server, lists, "ocean/temperature", &["chunk"], &["c/0/1"]);
        same(&server, lists, "ocean/temperature/c/1/0", &["chunk"], &[]);
        same(&server, lists, "ocean/packed", &["chunk"], &["0,1", "--values"]);
        if lists != Lists::Index {
            same(&server, lists, "pairs", &["tree"], &[]);
            // A folder of stores, whose root is none.
            same(&server, lists, "", &["tree"], &[]);
        }
    }
    let server = Server::start(&stores(), Script::lists(Lists::S3));
    same(&server, Lists::S3, "", &["tree"], &[]);
    same(&server, Lists::S3, "broken", &["check", "--metadata-only"], &[]);
}

/// The sample stores, one of which holds many more.
const STORES: [&str; 7] =
    ["ocean", "ocean-v2", "dtypes-v2", "dtypes-v3", "byte-order", "broken", "pairs"];

#[test]
fn every_sample_store_gives_the_same_from_every_server() {
    let commands: [&[&str]; 6] =
        [&["tree"], &["info"], &["check"], &["stats"], &["digest"], &["endian"]];
    let server = Server::start(&stores(), Script::lists(Lists::S3));
    for store in STORES {
        for command in commands {
            same(&server, Lists::S3, store, command, &[]);
        }
    }
    for lists in [Lists::WebDav, Lists::Links, Lists::Index] {
        let server = Server::start(&stores(), Script::lists(lists));
        for store in STORES {
            // An index without names that begin with a dot hides that a node has documents of both formats.
            if lists != Lists::Index || !["broken", "pairs"].contains(&store) {
                same(&server, lists, store, &["tree"], &[]);
                same(&server, lists, store, &["check", "--metadata-only"], &[]);
            }
        }
    }
}

#[test]
fn many_stores_are_checked_side_by_side() {
    let server = Server::start(&stores(), Script::lists(Lists::Links));
    let far = |store: &str| format!("http://{}/{store}", server.host);
    let here = |store: &str| sample(store).to_str().unwrap().to_owned();
    let folder = crate::scratch();
    let list = folder.path().join("roots.txt");
    let (broken, nothing) = (far("broken/fill_null"), here("nothing"));
    let lines = [&far("ocean"), "", "# a comment", &broken, &nothing].join("\n");
    std::fs::write(&list, lines).unwrap();
    let roots = format!("--roots={}", list.display());
    let (out, err, code) = run(&["check", &here("ocean-v2"), &roots], "no place");
    assert_eq!((err.as_str(), code), ("", 2), "{out}");
    let told = |sign: &str, name: &str| {
        let line = out.lines().find(|line| line.starts_with(&format!("{sign} {name} ")));
        line.unwrap_or_else(|| panic!("{name}: {out}")).to_owned()
    };
    assert!(told("✓", &far("ocean")).contains("10 nodes: 0 errors, 0 warnings"));
    assert!(told("✓", &here("ocean-v2")).contains("0 errors"));
    assert!(told("✗", &broken).contains("1 node: 1 error"));
    assert!(told("✗", &nothing).contains("no such file or directory"));
    assert!(
        out.contains("4 stores: 2 without errors and warnings, 1 with errors, 0 with warnings only, 1 not opened"),
        "{out}"
    );
    assert!(
        out.lines().any(|line| line.starts_with("fill-value-type ") && line.ends_with(&broken))
    );
    // Without those that are wrong, and as JSON.
    let json = |stores: &[&str]| {
        let (out, _, code) = run(&[&["check", "--json"], stores].concat(), "no place");
        let rows: Vec<_> = out
            .lines()
            .map(|line| zarrscope::zarr::Json::parse(line.as_bytes()).unwrap())
            .collect();
        (rows.len(), out, code)
    };
    let (rows, out, code) = json(&[&far("ocean"), &here("ocean-v2")]);
    assert_eq!((rows, code), (2, 0), "{out}");
    let (rows, out, code) = json(&[&far("ocean"), &broken]);
    assert!(rows == 2 && code == 1 && out.contains("\"code\":\"fill-value-type\""), "{out}");
    // They wait for the network together: one after the other, they would take as many times as long.
    let script = Script { latency: Duration::from_millis(20), ..Script::lists(Lists::Links) };
    let server = Server::start(&stores(), script);
    let many = vec![format!("http://{}/ocean", server.host); 16];
    let alone = time(|| drop(run(&["check", "--metadata-only", &many[0]], "no place")));
    let check = ["check", "--metadata-only"];
    let all: Vec<&str> = check.into_iter().chain(many.iter().map(String::as_str)).collect();
    let together = time(|| drop(run(&all, "no place")));
    assert!(together < 8 * alone, "{together:?} for 16 of {alone:?}");
    // Never more at once than is allowed.
    assert!(server.most_at_once() > 16);
    let (_, _, code) = run(&[&all[..6], &["--requests=2"]].concat(), "no place");
    assert_eq!((code, server.most_at_once()), (0, 2));
}

fn time(work: impl FnOnce()) -> Duration {
    let start = std::time::Instant::now();
    work();
    start.elapsed()
}

#[test]
fn a_server_that_lists_nothing_is_read_by_consolidated_metadata_and_by_keys() {
    let server = Server::start(&stores(), Script::lists(Lists::Nothing));
    for store in ["ocean/temperature", "ocean-v2"] {
        for command in ["info", "stats"] {
            same(&server, Lists::Nothing, store, &[command], &[]);
        }
    }
    // A chunk that the server says is not there is missing, listed or not.
    for (store, command) in [("ocean", "tree"), ("ocean-v2", "tree"), ("ocean", "check")] {
        same(&server, Lists::Nothing, store, &[command], &[]);
    }
}

/// The words that a command gives of a fault, on a server of S3.
fn told(fault: Fault, times: usize) -> (String, i32) {
    let script = Script::lists(Lists::S3).fails("bucket", fault, times);
    let server = Server::start(&sample("ocean"), script);
    let (far, options) = address(&server, Lists::S3, "");
    let (_, err, code) = run(&["tree", &far, &options[0]], &far);
    (err.replace(&server.host, "HOST"), code)
}

#[test]
fn a_document_that_is_listed_and_not_given_is_told() {
    // With copies of the documents, and without.
    for (lists, store, document) in [
        (Lists::S3, "ocean", "depth/zarr.json"),
        (Lists::S3, "dtypes-v3", "int8/zarr.json"),
        (Lists::Links, "dtypes-v3", "int8/zarr.json"),
    ] {
        let check = |script: Script| {
            let server = Server::start(&sample(store), script);
            let (far, options) = address(&server, lists, "");
            let options = options.iter().map(String::as_str);
            run(
                &["check", "--metadata-only", &far].into_iter().chain(options).collect::<Vec<_>>(),
                &far,
            )
        };
        let (all, _, _) = check(Script::lists(lists));
        assert!(!all.contains("listed by the server"), "{all}");
        let fault = Fault::Status(404, "", "");
        let script = Script::lists(lists).fails(document, fault, usize::MAX);
        let (found, _, code) = check(script);
        let words = "listed by the server, which answers a request for it with 404";
        assert!(code == 1 && found.contains(document) && found.contains(words), "{found}");
    }
}

#[test]
fn faults_are_told_by_their_cause() {
    let status = |status, head, body| Fault::Status(status, head, body);
    for (fault, words) in [
        (status(301, "x-amz-bucket-region: eu-west-1\r\n", ""), "Add --region eu-west-1."),
        (status(403, "", "<Error><Code>RequestTimeTooSkewed</Code></Error>"), "Set the clock."),
        (
            status(400, "", "<Error><Code>ExpiredToken</Code></Error>"),
            "The credentials have expired.",
        ),
        (
            status(403, "", "<Error><Code>InvalidAccessKeyId</Code></Error>"),
            "does not know the access key",
        ),
        (status(403, "", "<Error><Code>AccessDenied</Code></Error>"), "No credentials were found"),
        (status(404, "", "<Error><Code>NoSuchBucket</Code></Error>"), "There is no such bucket"),
        (status(403, "", "<Error><Code>InvalidObjectState</Code></Error>"), "is archived"),
        // A presigned address of S3, and a signature of Azure, whose time is over.
        (
            status(
                403,
                "",
                "<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>",
            ),
            "The credentials have expired.",
        ),
        (
            status(
                403,
                "",
                "<Error><Code>AuthenticationFailed</Code><AuthenticationErrorDetail>Signature not valid in the \
                 specified time frame</AuthenticationErrorDetail></Error>",
            ),
            "The credentials have expired.",
        ),
        // Who has to pay is not told by the answer.
        (
            status(403, "", "<Error><Code>AccessDenied</Code></Error>"),
            "--storage-option aws_request_payer=true",
        ),
    ] {
        let (err, code) = told(fault.clone(), usize::MAX);
        assert!(err.contains(words) && code == 2, "{fault:?}: {err}");
    }
    for (address, words) in [
        ("http://no.such.host.invalid/x", "There is no host no.such.host.invalid."),
        ("http://127.0.0.1:1/x", "127.0.0.1:1 cannot be reached"),
        (&*with_a_certificate_of_nobody(), "invalid peer certificate: UnknownIssuer"),
    ] {
        let (_, err, code) = run(&["tree", address], "nothing");
        assert!(err.contains(words) && code == 2, "{err}");
    }
    let server = Server::start(&sample("ocean"), Script::lists(Lists::S3));
    let (far, options) = address(&server, Lists::S3, "");
    let option =
        |text: &str| run(&["tree", &far, &options[0], "--storage-option", text], "nothing");
    assert_eq!(option("aws_request_payer=true").2, 0);
    let (_, err, code) = option("aws_request_prayer=true");
    assert!(code == 2 && err.contains("There is no storage option aws_request_prayer."), "{err}");
}

/// The address of a server whose certificate nobody has signed.
fn with_a_certificate_of_nobody() -> String {
    use rustls::{ServerConfig, ServerConnection, crypto::ring};
    let key = include_bytes!("../data/certificate/nobody.key.der").to_vec();
    let chain = vec![include_bytes!("../data/certificate/nobody.der").to_vec().into()];
    let config = ServerConfig::builder_with_provider(ring::default_provider().into());
    let config = config.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
    let config = config.with_single_cert(chain, key.try_into().unwrap()).unwrap();
    let config = std::sync::Arc::new(config);
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("https://{}/x", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            let mut connection = ServerConnection::new(config.clone()).unwrap();
            // The client ends it.
            connection.complete_io(&mut stream).ok();
        }
    });
    address
}

#[test]
fn a_folder_that_is_called_like_an_address_is_opened_as_one() {
    let folder = crate::scratch();
    let place = folder.path().join("s3:/bucket");
    bytes_array(&place.join("x"), "[1]", "[1]", r#"[{"name":"bytes"}]"#, &[("c/0", vec![7])]);
    let output = |address: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_zarrscope"));
        let output = command.args(["stats", address]).current_dir(folder.path()).output().unwrap();
        (String::from_utf8(output.stdout).unwrap(), output.status.code())
    };
    let (out, code) = output("s3://bucket/x");
    assert!(out.contains("1 of 1") && code == Some(0), "{out}");
    assert_eq!(output("s3:/bucket/x"), (out, code));
}

#[test]
fn what_fails_for_a_while_is_asked_again() {
    let faults = [
        Fault::Status(503, "retry-after: 0\r\n", "<Error><Code>SlowDown</Code></Error>"),
        Fault::Status(429, "retry-after: 0\r\n", ""),
        Fault::Status(500, "", ""),
        Fault::Cut,
    ];
    for fault in faults {
        for lists in [Lists::S3, Lists::Links] {
            let script = Script::lists(lists).fails("temperature/", fault.clone(), 2);
            let server = Server::start(&stores(), script);
            same(&server, lists, "ocean/temperature", &["stats"], &[]);
        }
    }
    let script = Script::lists(Lists::Links).fails("c/", Fault::NoRange, usize::MAX);
    let server = Server::start(&stores(), script);
    same(&server, Lists::Links, "ocean/temperature", &["stats"], &[]);
}

#[test]
fn a_fault_of_the_network_is_none_of_the_store() {
    // It is asked again and again, as the server wants without a pause.
    let fault = Fault::Status(500, "retry-after: 0\r\n", "");
    let script = Script::lists(Lists::S3).fails("temperature/c/0/1", fault, usize::MAX);
    let server = Server::start(&stores(), script);
    let (far, options) = address(&server, Lists::S3, "ocean");
    let (out, _, _) = run(&["check", &far, &options[0]], &far);
    assert!(out.contains("status 500") && !out.contains("error "), "{out}");
    let script = Script::lists(Lists::Links).fails("zarr.json", Fault::Page, usize::MAX);
    let server = Server::start(&stores(), script);
    let (far, _) = address(&server, Lists::Links, "ocean");
    let (_, err, _) = run(&["tree", &far], &far);
    assert!(err.contains("a web page, not with the file"), "{err}");
}

#[test]
fn secrets_are_shown_nowhere() {
    let server = Server::start(&stores(), Script::lists(Lists::Links));
    let signed = format!("http://me:PASSWORD@{}/ocean?X-Amz-Signature=SIGNED", server.host);
    let folder = crate::scratch();
    let log = folder.path().join("requests.log");
    let log_requests = format!("--log-requests={}", log.display());
    for command in [
        vec!["tree", &signed],
        vec!["tree", &signed, "--json"],
        vec!["info", &signed],
        vec!["check", &signed, "--json", "--metadata-only"],
        vec!["stats", &signed, "--json"],
        vec!["tree", &signed.replace("/ocean", "/nothing")],
        vec!["shot", &signed, "-o", "-", "--size", "120x40"],
        vec!["shot", &signed, "--keys", "5", "--markdown"],
        vec!["check", &signed, "--metadata-only", &log_requests],
    ] {
        let (out, err, _) = run(&command, "nothing");
        for text in [&out, &err] {
            assert!(!text.contains("PASSWORD") && !text.contains("SIGNED"), "{command:?}: {text}");
        }
        assert!(!out.is_empty() || !err.is_empty());
    }
    // On the screen, in the title of the terminal, and in what is copied.
    let mut terminal = Terminal::of(&[], &signed);
    terminal.wait_for("temperature");
    terminal.press(b":requests\r");
    terminal.wait_for("the latest first");
    terminal.press(b"\x1bjjYy");
    terminal.wait("copy", |_| true);
    terminal.press(b"\x03");
    assert!(terminal.end());
    let raw = terminal.raw();
    let copied = raw.split("\x1b]52;c;").skip(1).filter_map(|rest| rest.split('\x07').next());
    let copied: Vec<_> = copied
        .map(|text| base64::Engine::decode(&base64::prelude::BASE64_STANDARD, text).unwrap())
        .map(|text| String::from_utf8(text).unwrap())
        .collect();
    assert!(copied.iter().any(|text| text.contains("ocean")), "{copied:?}");
    for text in copied.iter().chain([&raw]) {
        assert!(!text.contains("PASSWORD") && !text.contains("SIGNED"), "{text}");
    }
    let log = std::fs::read_to_string(log).unwrap();
    assert!(
        log.lines().count() > 10 && !log.contains("SIGNED") && !log.contains("PASSWORD"),
        "{log}"
    );
    assert!(server.asked().iter().any(|line| line.contains("X-Amz-Signature=SIGNED")));
}

#[test]
fn a_zip_is_read_by_ranges() {
    let folder = crate::scratch();
    zip(&sample("ocean"), &folder.path().join("ocean.zip"));
    let len = std::fs::metadata(folder.path().join("ocean.zip")).unwrap().len();
    let server = Server::start(folder.path(), Script::lists(Lists::Nothing));
    let here = folder.path().join("ocean.zip");
    let here = here.to_str().unwrap();
    let far = format!("http://{}/ocean.zip", server.host);
    for (command, inside, in_zep_8) in [
        ("tree", "", "|zip:"),
        ("stats", "", "|zip:|zarr3:"),
        ("info", "/temperature", "|zip:|zarr3:temperature"),
        ("info", "/temperature", "|zip:temperature|zarr3:"),
        ("chunk", "/temperature/c/0/1", "|zip:|zarr:temperature/c/0/1"),
    ] {
        let run_on = |place: &str, inside| run(&[command, &format!("{place}{inside}")], place);
        let expected = run_on(here, inside);
        assert_eq!(run_on(&far, inside), expected, "{command} {inside}");
        assert_eq!(run_on(&far, in_zep_8), expected, "{command} {in_zep_8}");
    }
    let plain = Server::start(&stores(), Script::lists(Lists::Links));
    let place = format!("http://{}/ocean", plain.host);
    let here = sample("ocean/temperature");
    let expected = run(&["info", here.to_str().unwrap()], here.to_str().unwrap());
    let of_zep_8 = format!("{place}|zarr3:temperature");
    let found = run(&["info", &of_zep_8], &format!("{place}/temperature"));
    assert_eq!(found, expected);
    let whole = "GET /ocean.zip HTTP/1.1".to_owned();
    assert!(len > 1000 && server.asked().contains(&whole) == (len <= 64 << 20));
}

/// Writes a folder as a zip archive.
fn zip(folder: &Path, target: &Path) {
    let mut writer = ::zip::ZipWriter::new(std::fs::File::create(target).unwrap());
    let options = ::zip::write::SimpleFileOptions::default()
        .compression_method(::zip::CompressionMethod::Stored);
    let mut waiting = vec![folder.to_owned()];
    while let Some(next) = waiting.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_str().unwrap();
                writer.start_file(name, options).unwrap();
                std::io::Write::write_all(&mut writer, &std::fs::read(&path).unwrap()).unwrap();
            }
        }
    }
    writer.finish().unwrap();
}

#[test]
fn a_sample_is_told_as_one() {
    let ocean = sample("ocean");
    let ocean = ocean.to_str().unwrap();
    let (out, _, code) = run(&["check", ocean, "--sample=1"], ocean);
    let told = "Not checked: all chunks but a sample of at most 1 per array";
    assert!(code == 0 && out.contains(told) && !out.contains("not stored"), "{out}");
    let (out, _, _) = run(&["check", ocean, "--sample=1", "--json"], ocean);
    assert!(out.contains(r#""sample":1"#), "{out}");
    let broken = sample("broken");
    let truncated = broken.join("chunk_truncated");
    let (out, _, code) = run(&["check", truncated.to_str().unwrap(), "--sample=100"], "nothing");
    assert!(code == 1, "{out}");
    assert_eq!(run(&["check", ocean, ocean, "--sample=1"], "nothing").2, 2);
}

#[test]
fn what_was_read_is_kept_where_that_is_asked_for() {
    for lists in [Lists::S3, Lists::Links] {
        let folder = crate::scratch();
        let names: Vec<_> = (0..9).map(|at| format!("c/{at}")).collect();
        let chunks: Vec<_> =
            names.iter().map(|key| (key.as_str(), vec![key.as_bytes()[2]])).collect();
        let raw = r#"[{"name":"bytes"}]"#;
        bytes_array(&folder.path().join("secret"), "[9]", "[1]", raw, &chunks);
        let server = Server::start(folder.path(), Script::lists(lists));
        let (mut far, mut options) = address(&server, lists, "secret");
        far += if lists == Lists::S3 { "" } else { "?X-Amz-Signature=SIGNED" };
        let kept = folder.path().join("kept");
        let mut digest = |is_kept: bool| {
            let before = server.asked().len();
            options.truncate(usize::from(lists == Lists::S3));
            options.extend(is_kept.then(|| format!("--cache={}", kept.display())));
            let options: Vec<_> = options.iter().map(String::as_str).collect();
            let (out, err, code) =
                run(&[&["digest", &far], options.as_slice()].concat(), "nothing");
            assert_eq!((err.as_str(), code), ("", 0));
            let asked = server.asked()[before..].to_vec();
            let is_chunk = |line: &&String| {
                let key = line.split(['?', ' ']).nth(1).unwrap_or_default();
                line.starts_with("GET") && key.contains("/c/") && !key.ends_with('/')
            };
            (out, asked.iter().filter(is_chunk).count())
        };
        let plain = digest(false).0;
        assert_eq!(digest(true), (plain.clone(), 9));
        assert_eq!(digest(true), (plain.clone(), 0), "{lists:?}");
        // Other bytes of the same length, at the same time.
        server.put("secret/c/4", vec![1]);
        let changed = digest(false).0;
        assert_ne!(changed, plain);
        assert_eq!(digest(true), (changed.clone(), 1));
        assert_eq!(digest(true), (changed.clone(), 0));
        // Nothing of what is damaged or exchanged is believed.
        exchange_and_damage(&kept);
        assert_eq!(digest(true), (changed.clone(), 9));
        assert_eq!(digest(true), (changed, 0));
    }
    let inside = crate::scratch();
    let store = inside.path().join("store");
    bytes_array(&store, "[1]", "[1]", r#"[{"name":"bytes"}]"#, &[]);
    let cache = format!("--cache={}", store.join("kept").display());
    let (_, err, code) = run(&["tree", store.to_str().unwrap(), &cache], "nothing");
    assert!(
        code == 2 && err.contains("inside a Zarr store") && !store.join("kept").exists(),
        "{err}"
    );
}

/// Spoils everything in a folder of what was read, in which no secret is.
fn exchange_and_damage(kept: &Path) {
    let mut entries = walk(kept);
    entries.retain(|path| !path.ends_with("CACHEDIR.TAG"));
    let bytes: Vec<_> = entries.iter().map(|path| std::fs::read(path).unwrap()).collect();
    for (at, path) in entries.iter().enumerate() {
        let mut entry = bytes[(at + usize::from(at % 4 == 0)) % bytes.len()].clone();
        let text = format!("{} {}", path.display(), String::from_utf8_lossy(&entry));
        assert!(!text.contains("SIGNED") && !text.contains("secret"), "{text}");
        match at % 4 {
            0 => {}
            1 => *entry.last_mut().unwrap() ^= 1,
            2 => entry.truncate(entry.len() / 2),
            _ => entry.clear(),
        }
        std::fs::write(path, entry).unwrap();
    }
}

/// The numbers of files and of folders in a folder.
fn inside(folder: &Path) -> (usize, usize) {
    let files = walk(folder);
    let folders: std::collections::BTreeSet<_> = files.iter().map(|file| file.parent()).collect();
    let above: std::collections::BTreeSet<_> =
        folders.iter().flatten().flat_map(|inside| inside.ancestors()).collect();
    (files.len(), above.iter().filter(|path| path.starts_with(folder)).count())
}

/// The files below a folder.
fn walk(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let below = |path: std::path::PathBuf| if path.is_dir() { walk(&path) } else { vec![path] };
    entries.flat_map(below).collect()
}

/// Writes an array of single bytes, in chunks of one, or in one shard of two inner chunks.
fn bytes_array(folder: &Path, shape: &str, chunk: &str, codecs: &str, chunks: &[(&str, Vec<u8>)]) {
    let document = format!(
        r#"{{"zarr_format":3,"node_type":"array","shape":{shape},"data_type":"uint8","fill_value":0,
        "chunk_grid":{{"name":"regular","configuration":{{"chunk_shape":{chunk}}}}},
        "chunk_key_encoding":{{"name":"default"}},"codecs":{codecs}}}"#
    );
    std::fs::create_dir_all(folder).unwrap();
    std::fs::write(folder.join("zarr.json"), document).unwrap();
    for (key, bytes) in chunks {
        let file = folder.join(key);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, bytes).unwrap();
    }
}

#[test]
fn folders_lengths_and_chunks_are_asked_for_many_at_once() {
    let folder = crate::scratch();
    let keys: Vec<_> = (0..64).map(|at| format!("c/{}/{}", at / 8, at % 8)).collect();
    let chunks: Vec<_> = keys.iter().map(|key| (key.as_str(), vec![7])).collect();
    bytes_array(folder.path(), "[8,8]", "[1,1]", r#"[{"name":"bytes"}]"#, &chunks);
    let script = || Script { latency: Duration::from_millis(50), ..Script::lists(Lists::Links) };
    let server = Server::start(folder.path(), script());
    let address = format!("http://{}", server.host);
    for (command, most) in [("info", 64), ("digest", 64), ("check", 32)] {
        assert_eq!(run(&[command, &address], "nothing").2, 0, "{command}");
        let at_once = server.most_at_once();
        assert!((most / 2..=64).contains(&at_once), "{command}: {at_once} at once");
    }
    run(&["digest", &address, "--requests=3"], "nothing");
    assert_eq!(server.most_at_once(), 3);
    // A server that takes a connection for each is asked for less, whatever another one is asked for.
    let other = Server::start(folder.path(), script());
    server.behave(Script { is_http_1_0: true, ..script() });
    run(&["digest", &address], "nothing");
    assert_eq!(server.most_at_once(), 6);
    run(&["digest", &address, "--requests=20"], "nothing");
    assert_eq!(server.most_at_once(), 20);
    run(&["check", &address, &format!("http://{}", other.host)], "nothing");
    let at_once = (server.most_at_once(), other.most_at_once());
    assert!(at_once.0 <= 6 && at_once.1 > 6, "{at_once:?}");
}

#[test]
fn arrays_of_a_group_are_asked_for_many_at_once() {
    let folder = crate::scratch();
    std::fs::write(folder.path().join("zarr.json"), r#"{"zarr_format":3,"node_type":"group"}"#)
        .unwrap();
    for at in 0..40 {
        let array = folder.path().join(format!("a{at}"));
        bytes_array(&array, "[1]", "[1]", r#"[{"name":"bytes"}]"#, &[("c/0", vec![7])]);
    }
    // What a chunk of strings takes is not known before.
    let strings = folder.path().join("strings");
    bytes_array(
        &strings,
        "[1]",
        "[1]",
        r#"[{"name":"vlen-utf8"}]"#,
        &[("c/0", vec![1, 0, 0, 0, 0, 0, 0, 0])],
    );
    let document = std::fs::read_to_string(strings.join("zarr.json")).unwrap();
    let document = document.replace("\"uint8\",\"fill_value\":0", "\"string\",\"fill_value\":\"\"");
    std::fs::write(strings.join("zarr.json"), document).unwrap();
    let script = Script { latency: Duration::from_millis(50), ..Script::lists(Lists::Links) };
    let server = Server::start(folder.path(), script);
    let address = format!("http://{}", server.host);
    let (out, _, code) = run(&["check", &address], "nothing");
    assert_eq!(code, 0, "{out}");
    assert!((30..=64).contains(&server.most_at_once()));
    let asked = server.asked();
    let folders = asked.iter().filter(|line| line.contains("/c/ ")).count();
    let lengths: Vec<_> = asked.iter().filter(|line| line.starts_with("HEAD")).collect();
    assert!(folders == 41 && lengths.len() == 1, "{folders} {lengths:?}");
}

#[test]
fn no_object_is_asked_for_twice() {
    for lists in [Lists::S3, Lists::WebDav, Lists::Links, Lists::Index] {
        let server = Server::start(&stores(), Script::lists(lists));
        for (store, command) in ["ocean", "ocean-v2"]
            .into_iter()
            .flat_map(|store| [(store, "digest"), (store, "check"), (store, "stats")])
        {
            let (far, options) = address(&server, lists, store);
            let before = server.asked().len();
            let options: Vec<_> = options.iter().map(String::as_str).collect();
            run(&[&[command, &far], options.as_slice()].concat(), "nothing");
            let asked = server.asked();
            let mut seen = std::collections::BTreeSet::new();
            // Neither is a chunk asked for its length before it is read. Servers of HTTP are asked whether they speak WebDAV.
            let key =
                |line: &String| line.split_once(' ').map(|(_, rest)| rest.to_owned()).unwrap();
            let (files, folders) = inside(&sample(store));
            let listings = if lists == Lists::S3 { 1 } else { folders };
            // Of both folders at the root four documents are asked for; those of V2 where nginx hides them.
            let hidden = if lists == Lists::Index && store == "ocean-v2" { 20 } else { 0 };
            let most = files + listings + 9 + hidden;
            assert!(
                asked.len() - before <= most,
                "{lists:?} {command} {store}: {}",
                asked.len() - before
            );
            let asked = asked[before..].iter().filter(|line| !line.starts_with("PROPFIND"));
            let twice: Vec<_> = asked.filter(|line| !seen.insert(key(line))).collect();
            assert!(twice.is_empty(), "{lists:?} {command} {store}: {twice:#?}");
        }
    }
}

#[test]
fn the_lengths_of_very_many_chunks_are_not_asked_for_unasked() {
    let folder = crate::scratch();
    let keys: Vec<_> = (0..10_100).map(|at| format!("c/{at}")).collect();
    let chunks: Vec<_> = keys.iter().map(|key| (key.as_str(), vec![7])).collect();
    bytes_array(folder.path(), "[10100]", "[1]", r#"[{"name":"bytes"}]"#, &chunks);
    for lists in [Lists::Links, Lists::Index, Lists::WebDav] {
        let server = Server::start(folder.path(), Script::lists(lists));
        let address = format!("http://{}", server.host);
        let (out, _, code) = run(&["check", &address], "nothing");
        assert!(
            out.contains("The chunks were not read: that is more than 10,000 objects"),
            "{out}"
        );
        assert!(code == 1 && server.asked().len() < 20, "{lists:?} {}", server.asked().len());
        let (out, _, code) = run(&["check", "--metadata-only", &address], "nothing");
        if lists == Lists::Links {
            let told = "The lengths of the chunks were not asked for, one by one: that is more than 10,000 objects";
            assert!(code == 1 && out.contains(told), "{out}");
        } else {
            assert!(code == 0 && out.contains("10,100 chunks"), "{out}");
        }
        assert!(server.asked().len() < 40, "{lists:?} {}", server.asked().len());
    }
    // What is shown of the store asks for some lengths, and tells that it knows no more.
    let server = Server::start(folder.path(), Script::lists(Lists::Links));
    let (out, _, code) = run(&["info", &format!("http://{}", server.host)], "nothing");
    assert!(code == 0 && out.contains("10,100 of 10,100 chunks stored, ≥ 9.8 KiB"), "{out}");
    assert!(server.asked().len() < 10_020, "{}", server.asked().len());
}

#[test]
fn the_next_page_of_a_listing_is_asked_for_while_chunks_are_read() {
    let folder = crate::scratch();
    let keys: Vec<_> = (0..2100).map(|at| format!("c/{at}")).collect();
    let chunks: Vec<_> = keys.iter().map(|key| (key.as_str(), vec![7])).collect();
    let store = folder.path().join("bucket/s");
    bytes_array(&store, "[2100]", "[1]", r#"[{"name":"bytes"}]"#, &chunks);
    let script = Script { latency: Duration::from_millis(20), ..Script::lists(Lists::S3) };
    let server = Server::start(&folder.path().join("bucket"), script);
    let endpoint = format!("--endpoint=http://{}", server.host);
    let (out, _, code) = run(&["check", "--yes", "s3://bucket/s", &endpoint], "nothing");
    assert!(code == 0 && out.contains("2,100 chunks"), "{out}");
    let asked = server.asked();
    let pages: Vec<_> = asked
        .iter()
        .enumerate()
        .filter(|(_, asked)| asked.contains("continuation-token"))
        .map(|(at, _)| at)
        .collect();
    // Without that it is asked for after the first batch of chunks, of 512.
    assert!(matches!(pages.as_slice(), [..300, _]), "{pages:?}");
}

#[test]
fn the_index_of_a_shard_is_counted_as_one() {
    use zarrscope::zarr::{
        Budget, Hierarchy, NodePath, chunk,
        grid::ChunkId,
        store::{remote::requests, requests::RequestKind},
    };
    let folder = crate::scratch();
    let mut shard = vec![1; 200_000];
    let index = [0_u64, 100_000, 100_000, 100_000];
    shard.extend(index.iter().flat_map(|number| number.to_le_bytes()));
    let codecs = r#"[{"name":"sharding_indexed","configuration":{"chunk_shape":[100000],
        "codecs":[{"name":"bytes"}],"index_codecs":[{"name":"bytes","configuration":{"endian":"little"}}]}}]"#;
    bytes_array(folder.path(), "[200000]", "[200000]", codecs, &[("c/0", shard)]);
    let server = Server::start(folder.path(), Script::lists(Lists::WebDav));
    let address = format!("http://{}", server.host);
    let hierarchy = Hierarchy::open(Path::new(&address)).unwrap().0;
    let path = NodePath::default();
    let node = hierarchy.node(&path);
    let array = node.kind.array().unwrap();
    let id = ChunkId { coordinates: vec![0], inner: vec![vec![0]] };
    let chunk = chunk::load(&*hierarchy.store, &path, array, &id, 0, &Budget::default());
    assert!(chunk.fault().is_none());
    let log = requests();
    let own = log.latest.iter().filter(|sent| sent.address.starts_with(&address));
    let kinds: Vec<_> = own.map(|sent| (sent.kind(), sent.range.as_str())).collect();
    assert!(kinds.contains(&(RequestKind::Index, "bytes=196608-200031")), "{kinds:?}");
    assert!(kinds.contains(&(RequestKind::Chunk, "bytes=0-131071")), "{kinds:?}");
}
