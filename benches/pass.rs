//! Passes over whole arrays: statistics, comparison and digest of 256 MiB, beside decoding alone and beside zarr-python
//! with NumPy in the same run.
//!
//!     cargo bench --bench pass
//!
//! The arrays are those of `benches/read.rs`: float32 in four layouts, written to a temporary folder before anything is
//! timed. Each pass runs in a process of its own, from opening the store on, on all cores. `decode` reads the array into
//! memory and does nothing else: a pass is as fast as the codecs where its time is that of `decode`; the last column is
//! the time of `decode` over that of the pass. `compare` holds the array against the raw one, so it reads both.
//!
//! - `PEER_PYTHON`: a Python that has zarr and NumPy, which is given `benches/peers/pass_zarr.py`
//! - `BENCH_ROUNDS`: how many runs of each (5)
//! - `BENCH_FOLDER`: keep the arrays here, and take those that are there

#[path = "support/arrays.rs"]
mod arrays;
#[path = "support/blosc.rs"]
mod blosc;
#[path = "support/cost.rs"]
mod cost;
#[path = "support/elements.rs"]
mod elements;
#[path = "support/measure.rs"]
mod measure;

use arrays::Layout;
use clap::Parser;
use cost::Cost;
use std::{
    env,
    error::Error,
    hint::black_box,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};
use zarrscope::{
    cli,
    worker::parallel,
    zarr::{self, ArrayReader, Hierarchy, budget::DEFAULT_LIMIT},
};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The passes: their names, and the commands that are the same.
const PASSES: [&str; 4] = ["decode", "stats", "compare", "digest"];

fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["--pass", "decode", path, _] => decode(Path::new(path)),
        ["--pass", "stats", path, _] => command(&["stats", path, "--json"]),
        ["--pass", "compare", path, other] => command(&["compare", path, other, "--json"]),
        ["--pass", "digest", path, _] => command(&["digest", path, "--only", "content", "--json"]),
        _ => all(),
    }
}

/// In a process of its own: reads the array at `path` into memory.
fn decode(path: &Path) -> Result<()> {
    let mut values: zarr::Result<Vec<f32>> = Ok(Vec::new());
    let cost = Cost::of(|| values = values_of(path));
    black_box(values?);
    println!("{}", cost.line());
    Ok(())
}

fn values_of(path: &Path) -> zarr::Result<Vec<f32>> {
    let (hierarchy, target) = Hierarchy::open(path)?;
    let node = hierarchy.node(&target.node);
    let Some(array) = node.kind.array() else { return Ok(Vec::new()) };
    let reader = ArrayReader::new(&*hierarchy.store, &node.path, array)?;
    parallel::read_region(&reader, &reader.whole(), DEFAULT_LIMIT)
}

/// In a process of its own: runs a command, whose output comes before the line of its cost.
fn command(arguments: &[&str]) -> Result<()> {
    let cli = cli::Cli::try_parse_from(std::iter::once(&"zarrscope").chain(arguments))?;
    let cost = Cost::of(|| {
        let _ = cli::run(&cli);
    });
    println!("\n{}", cost.line());
    Ok(())
}

fn all() -> Result<()> {
    let temporary = tempfile::tempdir()?;
    let folder =
        env::var_os("BENCH_FOLDER").map_or_else(|| temporary.path().to_owned(), PathBuf::from);
    let rounds: usize =
        env::var("BENCH_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(5);
    for layout in Layout::ALL {
        let path = folder.join(layout.name());
        if !path.join("zarr.json").exists() {
            layout.write(&path)?;
        }
    }
    println!("256 MiB of float32, whole; middle of {rounds} runs");
    println!(
        "{:<10} {:<10} {:<14} {:>8} {:>8} {:>8} {:>9} {:>9}",
        "array", "pass", "by", "seconds", "cpu s", "MiB/s", "peak MiB", "of decode"
    );
    for layout in Layout::ALL {
        passes(layout, &folder, rounds)?;
    }
    Ok(())
}

/// All passes over one array, by everybody who takes part.
fn passes(layout: Layout, folder: &Path, rounds: usize) -> Result<()> {
    let (path, other) = (folder.join(layout.name()), folder.join(Layout::Raw.name()));
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/peers/pass_zarr.py");
    let python = env::var_os("PEER_PYTHON").map(PathBuf::from);
    let mut by: Vec<(&str, PathBuf, Vec<PathBuf>)> =
        vec![("zarrscope", env::current_exe()?, vec!["--pass".into()])];
    by.extend(python.map(|python| ("zarr-python", python, vec![script])));
    for (name, program, arguments) in &by {
        let mut decoding = None;
        for pass in PASSES {
            let mut costs = Vec::new();
            for _ in 0..rounds {
                let mut command = Command::new(program);
                command.args(arguments).arg(pass).args([&path, &other]);
                costs.push(cost_of(&mut command)?);
            }
            let Some(Cost { wall, cpu, peak }) = Cost::median(&costs) else { continue };
            let decoding = *decoding.get_or_insert(wall);
            println!(
                "{:<10} {pass:<10} {name:<14} {wall:>8.3} {cpu:>8.2} {:>8.0} {peak:>9.0} {:>9.2}",
                layout.name(),
                256.0 / wall,
                decoding / wall,
            );
        }
    }
    Ok(())
}

/// The cost that a process tells in the last line of its output.
fn cost_of(command: &mut Command) -> Result<Cost> {
    let output = command.stderr(Stdio::inherit()).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let last = text.lines().last().unwrap_or_default();
    Cost::parse(last).ok_or_else(|| format!("no cost in {text:?}").into())
}
