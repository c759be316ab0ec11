//! The times that a user waits for: the first frame, a key press, a tree, a map, the metadata of a whole store. Beside
//! each figure stands its budget (DESIGN.md, section 6).
//!
//!     cargo bench --bench frame
//!
//! It fails where a figure is five times its budget: that is no noise. `BENCH_MILLION=0` leaves out the array with a
//! million stored chunks, whose files take a minute to write and to remove.
//!
//! First frames are those of the real program in a terminal, from the start of the process. A key press is timed from
//! the key to the finished screen, the loading included that it asks for.

#[path = "support/elements.rs"]
mod elements;
#[path = "support/measure.rs"]
mod measure;
#[path = "support/pty.rs"]
mod pty;
#[path = "support/stores.rs"]
mod stores;

use std::{
    env,
    error::Error,
    fs,
    hint::black_box,
    path::Path,
    process::{Command, ExitCode, Stdio},
    sync::Arc,
    time::Instant,
};
use zarrscope::{
    app::{Answer, Job, Lane, Reply, Work, current_chunk::Shown, effect::Search, search::Needle},
    tui::{
        Options,
        script::{self, Player},
    },
    worker::work,
    zarr::{
        Budget, Hierarchy, NodePath, budget::Memory, chunk, grid::ChunkId, hierarchy::NodeKind,
        presence,
    },
};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The figures, and whether all of them are tolerable.
struct Table {
    tolerable: bool,
}

fn main() -> Result<ExitCode> {
    let folder = tempfile::tempdir()?;
    let folder = folder.path();
    let mut table = Table { tolerable: true };
    println!("{:<58} {:>10} {:>10} {:>7}", "", "ms", "budget", "share");
    for (name, len) in [("4 elements", 4), ("4 GiB", 1 << 30)] {
        let path = folder.join(format!("chunk-{len}"));
        stores::chunk(&path, len)?;
        table.starts(&format!("a chunk of {name}"), &path)?;
        table.keys(&format!("a chunk of {name}"), &path, Some("chunk/c/0"), "2jlGgKx<esc>")?;
    }
    table.search(&folder.join("search"))?;
    let path = folder.join("packed");
    stores::packed(&path)?;
    table.packed(&path)?;
    for count in [10, 100_000] {
        let path = folder.join(format!("tree-{count}"));
        stores::arrays(&path, count)?;
        table.starts(&format!("a tree of {count} nodes"), &path)?;
        table.keys(&format!("a tree of {count} nodes"), &path, None, "jkGg<pagedown>l")?;
    }
    table.nodes(&folder.join("nodes"))?;
    let million = env::var("BENCH_MILLION").map_or(true, |text| text != "0");
    for side in [317, 1000].into_iter().take(1 + usize::from(million)) {
        table.chunks(&folder.join(format!("chunks-{side}")), side)?;
    }
    Ok(if table.tolerable { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The middle time of `rounds`, in milliseconds.
fn timed(rounds: usize, mut work: impl FnMut() -> Result<()>) -> Result<f64> {
    let mut times = Vec::new();
    for _ in 0..rounds {
        let start = Instant::now();
        work()?;
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    Ok(measure::median(times).unwrap_or_default())
}

/// A search for these bytes in the file of a chunk.
fn search_for(bytes: &[u8], shown: &Arc<Shown>) -> Search {
    Search {
        shown: Arc::clone(shown),
        stage: 0,
        from: 0,
        needle: Needle::Bytes(bytes.into()),
        forwards: true,
        limit: zarrscope::zarr::budget::DEFAULT_LIMIT,
        empty: Arc::default(),
    }
}

impl Table {
    /// A line; `budget` is in milliseconds.
    fn line(&mut self, what: &str, took: f64, budget: f64) {
        let share = took / budget;
        self.tolerable &= share <= 5.0;
        println!("{what:<58} {took:>10.2} {budget:>10.0} {share:>7.2}");
    }

    fn starts(&mut self, what: &str, path: &Path) -> Result<()> {
        let starts =
            (0..7).map(|round| pty::start(path, round == 0)).collect::<Result<Vec<_>>>()?;
        let pick = |figure: fn(&pty::Start) -> f64| starts.iter().map(figure).collect();
        let frame = measure::median(pick(|start| start.frame)).unwrap_or_default();
        self.line(&format!("first frame, {what}"), frame, 50.0);
        let idle: f64 = starts.iter().map(|start| start.idle).sum();
        let peak = starts.iter().map(|start| start.peak).fold(0.0, f64::max);
        println!("{:<58} {idle:>10.2}       none", "  processor time in 500 idle ms");
        println!("{:<58} {peak:>6.1} MiB     60 MiB", "  memory");
        Ok(())
    }

    /// Presses each of `keys`, and shows the slowest.
    fn keys(&mut self, what: &str, path: &Path, at: Option<&str>, keys: &str) -> Result<()> {
        let options = Options { at: at.map(Into::into), ..Options::default() };
        let mut player = Player::open(path, pty::SIZE, &options)?;
        let mut slowest = (0.0, String::new());
        for key in script::parse(&keys.repeat(4))? {
            let took = timed(1, || {
                player.press(key);
                black_box(player.screen());
                Ok(())
            })?;
            if took > slowest.0 {
                slowest = (took, key.code.to_string());
            }
        }
        self.line(&format!("key to frame, {what} (slowest: {})", slowest.1), slowest.0, 16.0);
        Ok(())
    }

    /// A search through a raw chunk of 512 MiB that finds nothing, over its map, beside memchr over the same bytes in
    /// memory, which it may take 1.3 times of.
    fn search(&mut self, path: &Path) -> Result<()> {
        const NEEDLE: [u8; 4] = [0xde, 0xad, 0xbe, 0xef];
        let bytes: Vec<u8> = (0..1_u32 << 27).flat_map(|at| (at >> 4).to_le_bytes()).collect();
        stores::chunk(path, bytes.len() / 4)?;
        fs::write(path.join("chunk/c/0"), &bytes)?;
        let plain = timed(5, || {
            black_box(memchr::memmem::find(black_box(&bytes), &NEEDLE));
            Ok(())
        })?;
        drop(bytes);
        println!("{:<58} {plain:>10.2}", "memchr over 512 MiB in memory");
        let (hierarchy, _) = Hierarchy::open(path)?;
        let path = NodePath("chunk".into());
        let NodeKind::Array(array) = hierarchy.node(&path).kind else {
            return Err("no array".into());
        };
        let id = ChunkId { coordinates: vec![0], inner: Vec::new() };
        let store = hierarchy.store.as_ref();
        let chunk = chunk::load(store, &path, &array, &id, 0, &Budget::default());
        let shown = Arc::new(Shown::new(path, array, chunk));
        let took = timed(5, || {
            let search = search_for(&NEEDLE, &shown);
            let work = Work::Search(Box::new(search));
            let job = Job { lane: Lane::Search, generation: 1, work, read_as: None };
            let (mut found, memory) = (None, Memory::new(u64::MAX));
            let mut take = |reply: Reply| found = Some(reply.answer);
            work::perform(&hierarchy, &memory, &job, &|| false, &mut take);
            match found {
                Some(Answer::Found(None)) => Ok(()),
                _ => Err("an answer that nothing asked for".into()),
            }
        })?;
        self.line("a search through a mapped chunk of 512 MiB", took, 1.3 * plain);
        Ok(())
    }

    fn packed(&mut self, path: &Path) -> Result<()> {
        let options = Options { at: Some("chunk/c/0/0".into()), ..Options::default() };
        let took = timed(7, || {
            let player = Player::open(path, pty::SIZE, &options)?;
            black_box(player.screen());
            Ok(())
        })?;
        self.line("a zstd chunk of 1 MiB: opened, all stages, drawn", took, 30.0);
        Ok(())
    }

    fn nodes(&mut self, path: &Path) -> Result<()> {
        stores::groups(path, 2000)?;
        let took = timed(7, || {
            let (hierarchy, _) = Hierarchy::open(path)?;
            hierarchy.walk(&NodePath::default(), &mut |node, _| {
                black_box(node);
                true
            });
            Ok(())
        })?;
        self.line("a tree of 2,000 nodes, all of it", took, 100.0);
        for arguments in [&["tree"][..], &["check", "--metadata-only"]] {
            let took = timed(5, || {
                let program = env!("CARGO_BIN_EXE_zarrscope");
                Command::new(program).args(arguments).arg(path).stdout(Stdio::null()).status()?;
                Ok(())
            })?;
            self.line(&format!("zarrscope {}, 2,000 nodes", arguments.join(" ")), took, 200.0);
        }
        Ok(())
    }

    fn chunks(&mut self, path: &Path, side: usize) -> Result<()> {
        stores::chunks(path, side)?;
        let what = format!("{} stored chunks", side * side);
        #[expect(clippy::cast_precision_loss, reason = "a budget")]
        let budget = 300.0 * (side * side) as f64 / 1e5;
        let (hierarchy, _) = Hierarchy::open(path)?;
        let node = NodePath("chunks".into());
        let NodeKind::Array(array) = hierarchy.node(&node).kind else {
            return Err("no array".into());
        };
        let layout = presence::Layout::new(&node, &array)?;
        let took = timed(3, || {
            let mut count = 0;
            layout.visit(hierarchy.store.as_ref(), &mut |_| {
                count += 1;
                true
            })?;
            if count == side * side { Ok(()) } else { Err(format!("{count} seen").into()) }
        })?;
        self.line(&format!("presence, {what}: listed"), took, budget);
        let options = Options { at: Some("chunks/c/0/0".into()), ..Options::default() };
        let took = timed(1, || {
            black_box(Player::open(path, pty::SIZE, &options)?.screen());
            Ok(())
        })?;
        self.line(&format!("presence, {what}: opened at a chunk, map drawn"), took, budget);
        self.starts(&what, path)?;
        self.keys(&what, path, Some("chunks/c/0/0"), "2m.,]c<tab>jl<esc>")
    }
}
