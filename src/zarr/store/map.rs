//! A part of a file as memory, and the guard without which that would be no way to read files of others.
//!
//! If a mapped file has become shorter in the meantime, or the disk fails, reading gives no error but a signal
//! (`SIGBUS`), which ends the program. The guard catches it: every map is entered in a table, and a handler that finds
//! the address in the table puts zeros in the place of what is gone and marks the map as torn. Whoever reads a map asks
//! [`Map::intact`] afterwards and drops what was computed if it was not: zeros of the guard are never shown.
//!
//! A part that is gone without a signal is found by comparing the file with its state when it was mapped: the rest of
//! the page in which a file ends now reads as zeros, and so does a hole that was punched. Length and time of the last
//! change are one `fstat` a pass. A file that was removed or replaced is still there for those who have it open: such
//! maps stay whole. What is written within one tick of the file system's clock after the file was mapped (4 ms, mostly)
//! is the one change that nobody can see.
//!
//! The handler does what a handler may: it reads atomics and calls `mmap`. It is installed with the first map, and a
//! map is refused where another handler has taken its place, or the table is full.
#![expect(unsafe_code, reason = "maps and signal handlers are nothing that Rust can prove")]

use crate::zarr::prelude::*;
use crate::zarr::{
    bytes::VolatileMemory,
    error::{Result, refusal},
};
use libc::{c_int, c_void, siginfo_t};
use memmap2::{Mmap, MmapOptions};
use std::{
    fs::File,
    io,
    mem::MaybeUninit,
    ops::RangeInclusive,
    ptr,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
};

/// A part of a file as memory.
#[derive(Debug)]
pub(super) struct Map {
    memory: Mmap,
    slot: &'static MapSlot,
    /// The file, which is asked how it is after each pass.
    file: File,
    /// The part of the file.
    range: Range<u64>,
    modified: Option<SystemTime>,
}

impl Map {
    /// Maps the bytes `range` of `file`; `None` if it is not to be had, as where the file is no plain file, is shorter
    /// than that, or is on a file system that has no maps.
    pub(super) fn of(file: File, range: Range<u64>) -> Option<Self> {
        let guard = guard()?;
        let metadata = file.metadata().ok()?;
        if !metadata.is_file() || range.is_empty() || range.end > metadata.len() {
            return None;
        }
        let len = usize::try_from(range.end - range.start).ok()?;
        // SAFETY: nobody can promise that no other process writes to the file. What follows from that is bytes that
        // change while they are read, which everything that reads a map has to bear: decoders in C get a copy. Bytes
        // that go away are the business of the guard, in whose table the map is before anybody reads it.
        let memory = unsafe { MmapOptions::new().offset(range.start).len(len).map(&file) }.ok()?;
        let start = memory.as_ptr().addr();
        let pages = start & !(guard.page - 1)..(start + len).next_multiple_of(guard.page);
        let slot = SLOTS.iter().find(|slot| slot.claim(&pages))?;
        Some(Self { memory, slot, file, range, modified: metadata.modified().ok() })
    }
}

impl VolatileMemory for Map {
    fn bytes(&self) -> &[u8] {
        &self.memory
    }

    fn intact(&self) -> Result<()> {
        let torn = self.slot.torn.load(SeqCst);
        let io = |error: io::Error| Error::new(Code::Io, refusal(&error), "a readable file");
        let now = self.file.metadata().map_err(io)?;
        let expected = byte_range(&self.range);
        if now.len() < self.range.end {
            let found = format!("the file was cut to {} bytes", now.len());
            return Err(Error::new(Code::ChunkChanged, found, expected).at_offset(now.len()));
        }
        match (torn, now.modified().ok() == self.modified) {
            (false, true) => Ok(()),
            (true, true) => Err(io(io::Error::from_raw_os_error(libc::EIO))),
            (true, false) => {
                let found = "the file was shorter for a time";
                Err(Error::new(Code::ChunkChanged, found, expected))
            }
            (false, false) => {
                let error = Error::new(Code::ChunkChanged, "the file was changed", expected);
                Err(error.with_fix("Read it again when nothing writes to it."))
            }
        }
    }

    #[cfg(target_os = "linux")]
    fn is_hole(&self, part: Range<usize>) -> bool {
        use std::os::fd::AsRawFd;
        let at = |at: usize| i64::try_from(self.range.start.checked_add(at as u64)?).ok();
        let (Some(start), Some(end)) = (at(part.start), at(part.end)) else { return false };
        // SAFETY: the call takes any numbers. It moves the place of the descriptor, from which nothing is read: maps are
        // memory, and archives are read at places that are named.
        let data = unsafe { libc::lseek(self.file.as_raw_fd(), start, libc::SEEK_DATA) };
        let is_the_last = || io::Error::last_os_error().raw_os_error() == Some(libc::ENXIO);
        data >= end || (data < 0 && is_the_last())
    }
}

impl Drop for Map {
    fn drop(&mut self) {
        // First out of the table, then unmapped (the fields are dropped after this): what comes to be at the same
        // address is not ours.
        self.slot.release();
    }
}

/// The most maps at a time: more than there are threads that read chunks, and few enough to leave most of the files
/// that a process may have open (each map has one) to others.
const MOST: usize = 128;

static SLOTS: [MapSlot; MOST] = [const { MapSlot::new() }; MOST];

/// The place of one map in the table.
///
/// The handler runs on the thread that reads the map, which holds it while it does: the slot that it looks for does not
/// change under it. All others may, so a slot says by an odd version that it is being changed, and whoever read both
/// ends between two looks at the same even version has read a pair that belongs together.
#[derive(Debug)]
struct MapSlot {
    version: AtomicUsize,
    /// The first page; 0 if the slot is free.
    start: AtomicUsize,
    end: AtomicUsize,
    /// True if the guard has put zeros in the place of something.
    torn: AtomicBool,
}

impl MapSlot {
    const fn new() -> Self {
        Self {
            version: AtomicUsize::new(0),
            start: AtomicUsize::new(0),
            end: AtomicUsize::new(0),
            torn: AtomicBool::new(false),
        }
    }

    /// Takes the slot for the map at `pages`; false if it is taken.
    fn claim(&self, pages: &Range<usize>) -> bool {
        let version = self.version.load(SeqCst);
        let is_free = version.is_multiple_of(2) && self.start.load(SeqCst) == 0;
        if !is_free || self.version.compare_exchange(version, version + 1, SeqCst, SeqCst).is_err()
        {
            return false;
        }
        self.torn.store(false, SeqCst);
        self.start.store(pages.start, SeqCst);
        self.end.store(pages.end, SeqCst);
        self.version.store(version.wrapping_add(2), SeqCst);
        true
    }

    fn release(&self) {
        self.version.fetch_add(1, SeqCst);
        self.start.store(0, SeqCst);
        self.end.store(0, SeqCst);
        self.version.fetch_add(1, SeqCst);
    }

    /// The end of the map that `address` is in; `None` if it is in none of this slot.
    fn end_of(&self, address: usize) -> Option<usize> {
        let version = self.version.load(SeqCst);
        let (start, end) = (self.start.load(SeqCst), self.end.load(SeqCst));
        let is_stable = version.is_multiple_of(2) && self.version.load(SeqCst) == version;
        (is_stable && (start..end).contains(&address)).then_some(end)
    }

    /// Puts zeros in the place of everything from the page of `address` on to the end of the map: where one page is
    /// gone, so are those after it, and none of them shall cost a signal, or a region of its own, of which a process
    /// can have 65,530. True if that was done.
    fn cover(&self, address: usize, end: usize, page: usize) -> bool {
        let first = address & !(page - 1);
        // Before there are zeros: whoever sees one and asks afterwards is told.
        self.torn.store(true, SeqCst);
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED;
        // SAFETY: the pages belong to a map that the thread on which the handler runs is reading, and therefore holds;
        // nobody writes to them, and they stay readable. `mmap` is a plain system call, which signal handlers may make.
        let zeros = unsafe {
            libc::mmap(
                ptr::with_exposed_provenance_mut(first),
                end - first,
                libc::PROT_READ,
                flags,
                -1,
                0,
            )
        };
        zeros != libc::MAP_FAILED
    }
}

/// The guard, once it is there.
#[derive(Clone, Copy)]
struct Guard {
    /// The previous handler of the signal.
    former: libc::sigaction,
    /// The size of a page.
    page: usize,
}

static GUARD: OnceLock<Guard> = OnceLock::new();

/// The guard, if it is there and no other handler has taken its place; the first call installs it.
fn guard() -> Option<&'static Guard> {
    let mut is_new = false;
    let guard = GUARD.get_or_init(|| {
        is_new = true;
        // SAFETY: `sysconf` takes any name.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
        // The handler may run as soon as it is installed, and finds the guard then: it is what this gives.
        Guard { former: action(), page: usize::try_from(page).unwrap_or(4096) }
    });
    if is_new {
        install();
    }
    (action().sa_sigaction == handler()).then_some(guard)
}

/// The current handler of the signal.
fn action() -> libc::sigaction {
    let mut action = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: a null pointer asks without changing anything, and zeros are a valid `sigaction`, the default one.
    unsafe {
        libc::sigaction(libc::SIGBUS, ptr::null(), action.as_mut_ptr());
        action.assume_init()
    }
}

fn install() {
    let mut ours = action();
    ours.sa_sigaction = handler();
    // On the stack for signals, so that a stack that has overflown still reaches the former handler, which says so. The
    // signal is blocked meanwhile: a fault of the handler itself ends the program.
    ours.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
    // SAFETY: the handler has the type that `SA_SIGINFO` asks for, and does nothing that a handler may not.
    unsafe {
        libc::sigemptyset(&raw mut ours.sa_mask);
        libc::sigaction(libc::SIGBUS, &raw const ours, ptr::null_mut());
    }
}

fn handler() -> libc::sighandler_t {
    let handler: extern "C" fn(c_int, *mut siginfo_t, *mut c_void) = on_bus_error;
    handler as libc::sighandler_t
}

/// The codes by which the kernel says that memory could not be read, on every system (`BUS_ADRALN` and those after it);
/// all others are signals that some program sent.
const FAULTS: RangeInclusive<c_int> = 1..=5;

extern "C" fn on_bus_error(signal: c_int, info: *mut siginfo_t, _: *mut c_void) {
    let Some(guard) = GUARD.get() else { return };
    // SAFETY: the kernel gives a valid `siginfo_t` to handlers that were installed with `SA_SIGINFO`, whose address is
    // set for faults.
    let (code, address) = unsafe { ((*info).si_code, (*info).si_addr().addr()) };
    let is_fault = FAULTS.contains(&code);
    if is_fault {
        let mut found = SLOTS.iter().filter_map(|slot| Some((slot, slot.end_of(address)?)));
        if found.next().is_some_and(|(slot, end)| slot.cover(address, end, guard.page)) {
            return;
        }
    }
    // Not ours: the former action gets it. A fault comes again as soon as this returns, at the same place, as if nobody
    // had looked at it; a signal that was sent has to be sent again.
    // SAFETY: `former` is what `sigaction` gave; both calls may be made in signal handlers.
    unsafe {
        libc::sigaction(signal, &raw const guard.former, ptr::null_mut());
        if !is_fault {
            libc::raise(signal);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        fs::{self, OpenOptions},
        hint::black_box,
        os::unix::process::ExitStatusExt,
        path::{Path, PathBuf},
        process::Command,
        sync::{
            Barrier,
            atomic::{AtomicU8, Ordering},
        },
        thread,
        time::Duration,
    };

    /// A length that is whole pages on every system, in bytes.
    const PAGE: u64 = 1 << 16;
    const PAGES: u64 = 32;

    fn size(bytes: u64) -> usize {
        usize::try_from(bytes).unwrap()
    }

    /// A file of sevens that nobody has written to for a while.
    fn file(folder: &Path) -> PathBuf {
        let path = folder.join("chunk");
        fs::write(&path, vec![7; size(PAGES * PAGE)]).unwrap();
        let long_ago = SystemTime::now() - Duration::from_secs(100);
        OpenOptions::new().write(true).open(&path).unwrap().set_modified(long_ago).unwrap();
        path
    }

    fn map(path: &Path) -> Map {
        Map::of(File::open(path).unwrap(), 0..PAGES * PAGE).unwrap()
    }

    fn cut(path: &Path, len: u64) {
        OpenOptions::new().write(true).open(path).unwrap().set_len(len).unwrap();
    }

    fn found(map: &Map) -> Option<Code> {
        map.intact().err().map(|error| error.code)
    }

    /// The sum of one byte a page.
    fn walk(map: &Map) -> u64 {
        map.bytes().iter().step_by(size(PAGE)).map(|&byte| u64::from(black_box(byte))).sum()
    }

    #[test]
    fn a_file_that_is_cut_while_threads_walk_it() {
        for threads in [1, 2] {
            let folder = tempfile::tempdir().unwrap();
            let path = file(folder.path());
            let map = map(&path);
            assert_eq!((walk(&map), found(&map)), (7 * PAGES, None));
            let started = Barrier::new(threads + 1);
            thread::scope(|scope| {
                for _ in 0..threads {
                    scope.spawn(|| {
                        started.wait();
                        while walk(&map) == 7 * PAGES {}
                        assert_eq!(found(&map), Some(Code::ChunkChanged));
                    });
                }
                started.wait();
                cut(&path, PAGE * 13);
            });
            let error = map.intact().unwrap_err();
            assert_eq!((error.code, error.place.offset), (Code::ChunkChanged, Some(PAGE * 13)));
            assert_eq!(walk(&map), 7 * 13, "what is left is still read");
            cut(&path, PAGES * PAGE);
            assert_eq!(found(&map), Some(Code::ChunkChanged), "and it is not forgotten");
        }
    }

    #[test]
    fn the_first_page_the_last_and_a_part_of_it() {
        for (len, at) in [(0, 0), ((PAGES - 1) * PAGE, (PAGES - 1) * PAGE), (PAGES * PAGE - 1, 0)] {
            let folder = tempfile::tempdir().unwrap();
            let path = file(folder.path());
            let map = map(&path);
            cut(&path, len);
            assert_eq!(map.bytes()[size(at)], if len < PAGE * PAGES - 1 { 0 } else { 7 });
            assert_eq!(found(&map), Some(Code::ChunkChanged), "{len}");
        }
        // A map of the middle of a file, which need not begin with a page.
        let folder = tempfile::tempdir().unwrap();
        let path = file(folder.path());
        let part = Map::of(File::open(&path).unwrap(), PAGE + 100..PAGE * 3 + 100).unwrap();
        cut(&path, PAGE * 3 + 100);
        assert_eq!(part.intact().map_err(|error| error.code), Err(Code::ChunkChanged));
        cut(&path, PAGE);
        assert_eq!((part.bytes()[0], found(&part)), (0, Some(Code::ChunkChanged)));
    }

    #[test]
    fn a_file_that_is_removed_or_replaced_stays_what_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = file(folder.path());
        let map = map(&path);
        fs::write(folder.path().join("new"), "short").unwrap();
        fs::rename(folder.path().join("new"), &path).unwrap();
        assert_eq!((walk(&map), found(&map)), (7 * PAGES, None));
        fs::remove_file(&path).unwrap();
        assert_eq!((walk(&map), found(&map)), (7 * PAGES, None));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_hole_that_is_punched_is_a_change() {
        use std::os::fd::AsRawFd;
        let folder = tempfile::tempdir().unwrap();
        let path = file(folder.path());
        let map = map(&path);
        let writer = OpenOptions::new().write(true).open(&path).unwrap();
        let mode = libc::FALLOC_FL_PUNCH_HOLE | libc::FALLOC_FL_KEEP_SIZE;
        // SAFETY: the call takes any numbers.
        let done = unsafe { libc::fallocate(writer.as_raw_fd(), mode, 1 << 16, 2 << 16) };
        assert_eq!(done, 0, "{}", io::Error::last_os_error());
        assert_eq!((walk(&map), found(&map)), (7 * (PAGES - 2), Some(Code::ChunkChanged)));
    }

    #[test]
    fn what_is_no_file_of_that_length_is_not_mapped() {
        let folder = tempfile::tempdir().unwrap();
        let path = file(folder.path());
        let of = |path: &Path, range| Map::of(File::open(path).unwrap(), range);
        assert!(of(&path, 0..PAGES * PAGE + 1).is_none() && of(&path, 5..5).is_none());
        assert!(of(folder.path(), 0..1).is_none(), "a folder");
    }

    #[test]
    fn each_map_is_torn_for_itself_while_others_come_and_go() {
        let threads = 4;
        let wrong = AtomicU8::new(0);
        thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    let folder = tempfile::tempdir().unwrap();
                    for round in 0..60 {
                        let path = file(folder.path());
                        let (whole, torn) = (map(&path), map(&path));
                        assert_eq!(walk(&whole), 7 * PAGES);
                        cut(&path, PAGE * (round % PAGES));
                        black_box(walk(&torn));
                        let marks = [&whole, &torn].map(|map| map.slot.torn.load(SeqCst));
                        wrong.fetch_add(u8::from(marks != [false, true]), Ordering::Relaxed);
                    }
                });
            }
        });
        assert_eq!(wrong.into_inner(), 0);
    }

    /// An act that a program does not survive, in a process of its own, and its name.
    type Act = (&'static str, fn(&Path));
    const FOREIGN: [Act; 3] = [
        ("fault", |path| {
            let foreign = foreign(path);
            cut(path, 0);
            black_box(foreign[0]);
        }),
        ("dropped", |path| {
            // The map of somebody else at the address of one of ours that was dropped.
            let ours = map(path);
            let address = ours.bytes().as_ptr();
            drop(ours);
            let foreign = foreign(path);
            assert_eq!(foreign.as_ptr(), address);
            cut(path, 0);
            black_box(foreign[0]);
        }),
        ("sent", |_| {
            // The handler of Rust's own takes the first one for an overflow of the stack, and lets the next one through.
            for _ in 0..2 {
                // SAFETY: the call takes any number.
                unsafe { libc::raise(libc::SIGBUS) };
            }
        }),
    ];

    fn foreign(path: &Path) -> Mmap {
        // SAFETY: whether that goes well is what is tried.
        unsafe { Mmap::map(&File::open(path).unwrap()).unwrap() }
    }

    #[test]
    fn the_signals_of_others_end_the_program_as_ever() {
        const CHILD: &str = "ZARRSCOPE_FOREIGN";
        if let Ok(what) = std::env::var(CHILD) {
            let no_core = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
            // SAFETY: a valid limit.
            unsafe { libc::setrlimit(libc::RLIMIT_CORE, &raw const no_core) };
            let folder = tempfile::tempdir().unwrap();
            let (path, guarded) = (file(folder.path()), map(&file(folder.path())));
            for (name, act) in FOREIGN {
                if name == what {
                    act(&path);
                }
            }
            black_box(walk(&guarded));
            return;
        }
        let name = "zarr::store::map::tests::the_signals_of_others_end_the_program_as_ever";
        for (what, _) in FOREIGN {
            let mut child = Command::new(std::env::current_exe().unwrap());
            let output = child.args(["--exact", name]).env(CHILD, what).output().unwrap();
            assert_eq!(output.status.signal(), Some(libc::SIGBUS), "{what}: {output:?}");
        }
    }
}
