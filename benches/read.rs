//! Whole arrays, beside zarrs and zarr-python in the same run; one inner chunk of a large shard; windows of a large
//! raw chunk.
//!
//!     cargo bench --bench read
//!
//! The arrays are 256 MiB of float32 in four layouts, written to a temporary folder before anything is timed, so that
//! the files are in the system's cache. Everybody reads the whole array into memory, from opening the store on, in a
//! process of its own: we by `read_region`, zarrs by `retrieve_array_subset`, zarr-python by `z[:]`. `export` is our
//! command of that name writing to the null device, which holds a slab at a time and not the array. Runs of the
//! readers alternate; what is shown is the middle of them, and how many times the time of our `read_region` on all
//! cores it is.
//!
//! Other readers take part where these variables say where they are:
//!
//! - `PEER_ZARRS`: a program made by `cargo build --release --manifest-path benches/peers/Cargo.toml`
//! - `PEER_PYTHON`: a Python that has zarr, which is given `benches/peers/read_zarr.py`
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
#[path = "support/large.rs"]
mod large;
#[path = "support/measure.rs"]
mod measure;

use arrays::Layout;
use clap::Parser;
use cost::Cost;
use elements::LENGTH;
use std::{
    env,
    error::Error,
    fs,
    hint::black_box,
    io::Read,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use zarrscope::{
    worker::parallel,
    zarr::{self, ArrayReader, Hierarchy, budget::DEFAULT_LIMIT},
};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Somebody who reads a whole array.
struct Reader {
    name: &'static str,
    program: PathBuf,
    arguments: Vec<PathBuf>,
    threads: Option<usize>,
}

fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["--read", path] => read(Path::new(path)),
        ["--export", path, to] => export(path, to),
        ["--large", what, path] => large::measure(what, Path::new(path)),
        _ => all(),
    }
}

/// In a process of its own: reads the array at `path` into memory.
fn read(path: &Path) -> Result<()> {
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

/// In a process of its own: exports the array at `path` to `to`.
fn export(path: &str, to: &str) -> Result<()> {
    let cli =
        zarrscope::cli::Cli::try_parse_from(["zarrscope", "export", path, "--force", "-o", to])?;
    let cost = Cost::of(|| {
        let _ = zarrscope::cli::run(&cli);
    });
    println!("{}", cost.line());
    Ok(())
}

fn all() -> Result<()> {
    let temporary = tempfile::tempdir()?;
    let folder =
        env::var_os("BENCH_FOLDER").map_or_else(|| temporary.path().to_owned(), PathBuf::from);
    let rounds = env::var("BENCH_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(5);
    println!("256 MiB of float32, whole; middle of {rounds} runs");
    println!(
        "{:<10} {:<22} {:>8} {:>8} {:>8} {:>9} {:>7} {:>7}",
        "array", "reader", "seconds", "cpu s", "MiB/s", "peak MiB", "time ×", "cpu ×"
    );
    for layout in Layout::ALL {
        let path = folder.join(layout.name());
        if !path.join("zarr.json").exists() {
            let stored = layout.write(&path)?;
            println!("{:<10} {} MiB stored", layout.name(), stored >> 20);
        }
        check(&path, &temporary.path().join("whole.npy"))?;
        compare(layout, &path, &readers(), rounds)?;
    }
    large::all(temporary.path())
}

/// Exports the array once to a file, and holds it against what was written.
fn check(path: &Path, to: &Path) -> Result<()> {
    let status = Command::new(env::current_exe()?)
        .arg("--export")
        .args([path, to])
        .stdout(Stdio::null())
        .status()?;
    let mut file = fs::File::open(to)?;
    let mut row = vec![0; 128];
    file.read_exact(&mut row)?;
    row.resize(LENGTH * 4, 0);
    for number in 0..LENGTH {
        file.read_exact(&mut row)?;
        let wanted = (0..LENGTH).flat_map(|column| elements::value(number, column).to_le_bytes());
        if !status.success() || !row.iter().copied().eq(wanted) {
            return Err(format!("{}: row {number} is not what was written", path.display()).into());
        }
    }
    fs::remove_file(to)?;
    Ok(())
}

/// Those who take part; the last is the one that ratios are of.
fn readers() -> Vec<Reader> {
    let mut readers = Vec::new();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/peers/read_zarr.py");
    if let Some(python) = env::var_os("PEER_PYTHON") {
        let (program, arguments) = (python.into(), vec![script]);
        readers.push(Reader { name: "zarr-python", program, arguments, threads: None });
    }
    let own = || env::current_exe().ok();
    for (all, one, program, arguments) in [
        ("zarrs", "zarrs, 1 thread", env::var_os("PEER_ZARRS").map(PathBuf::from), vec![]),
        ("export", "export, 1 thread", own(), vec!["--export".into()]),
        ("read_region", "read_region, 1 thread", own(), vec!["--read".into()]),
    ] {
        let Some(program) = program else { continue };
        for (name, threads) in [(one, Some(1)), (all, None)] {
            let (program, arguments) = (program.clone(), arguments.clone());
            readers.push(Reader { name, program, arguments, threads });
        }
    }
    readers
}

fn compare(layout: Layout, path: &Path, readers: &[Reader], rounds: usize) -> Result<()> {
    let mut costs = vec![Vec::new(); readers.len()];
    for _ in 0..rounds {
        for (reader, costs) in readers.iter().zip(&mut costs) {
            costs.push(reader.read(path)?);
        }
    }
    let middles: Vec<Cost> = costs.iter().filter_map(|costs| Cost::median(costs)).collect();
    let Some(ours) = middles.last() else { return Ok(()) };
    for (reader, cost) in readers.iter().zip(&middles) {
        let Cost { wall, cpu, peak } = cost;
        println!(
            "{:<10} {:<22} {wall:>8.3} {cpu:>8.2} {:>8.0} {peak:>9.0} {:>7.2} {:>7.2}",
            layout.name(),
            reader.name,
            256.0 / wall,
            wall / ours.wall,
            cpu / ours.cpu
        );
    }
    Ok(())
}

impl Reader {
    fn read(&self, path: &Path) -> Result<Cost> {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).arg(path);
        if self.arguments.iter().any(|argument| argument.as_os_str() == "--export") {
            command.arg(if cfg!(windows) { "NUL" } else { "/dev/null" });
        }
        if let Some(threads) = self.threads {
            command.env("RAYON_NUM_THREADS", threads.to_string());
        }
        let output = command.stderr(Stdio::inherit()).output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        Cost::parse(&text).ok_or_else(|| format!("{}: {text}", self.name).into())
    }
}
