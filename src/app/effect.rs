//! Requests of the state machine to the world, and the answers.

use super::page::{
    chunk_table,
    compare::{ChunkRequest, CompareNews, CompareRequest},
    overview::Overviewed,
    picture::drawn::{RasterNews, RasterRequest},
};
use super::prelude::*;
use crate::zarr::{
    check::{self, Summary},
    presence::{self, StoredChunk},
    readers,
};

/// Something the shell must do.
#[derive(Clone)]
pub enum Effect {
    /// Do this work in the background, and reply.
    Run(Job),
    /// Whatever this lane is doing has become pointless.
    Cancel(Lane),
    /// Tell the state machine when something of this changes.
    Watch(Watched),
    /// Send this text to the terminal's clipboard.
    Copy(String),
    /// Send what is on show to the terminal's clipboard, as Markdown.
    CopyCard,
    /// Open a temporary copy of these bytes in the user's editor, under this name, and come back.
    EditCopy(String, Arc<[u8]>),
    /// Press these keys, as scripts write them.
    Press(String),
    /// Begin the lesson with this name, or of this file, on its own store.
    Learn(String),
    /// Press these keys of a lesson, which only look.
    Guide(String),
    /// Go back from the store of a lesson to the one before.
    EndLesson,
    /// Keep this text, which says how far the lessons have been taken.
    KeepProgress(String),
    /// Give the terminal back to the shell until it wakes the program.
    Suspend,
    /// Open the store that is shown as being opened.
    Open,
    /// Nobody waits any longer for the store to be opened.
    GiveUp,
    /// Forget what the store answered before.
    Refresh,
    /// Draw everything again: something else may have written to the terminal.
    Redraw,
    /// End the program.
    Quit,
}

impl Effect {
    /// True if it leaves something behind or begins something outside of the views, which only a person may ask for.
    pub fn needs_a_person(&self) -> bool {
        match self {
            Self::Run(job) => matches!(job.work, Work::Export { .. } | Work::TableCsv { .. }),
            Self::Copy(_)
            | Self::CopyCard
            | Self::EditCopy(..)
            | Self::Learn(_)
            | Self::KeepProgress(_)
            | Self::Suspend => true,
            _ => false,
        }
    }
}

/// The documents and folders that are watched on the disk.
#[derive(Clone, Default)]
pub struct Watched {
    /// Keys of files.
    pub files: Vec<String>,
    /// Folders in which something may appear or vanish.
    pub folders: Vec<String>,
    /// The folder of an array, whose chunks are in it and in folders below it.
    pub chunks_in: Option<String>,
}

/// The worker that does the work. Each lane does its newest requests only; those of the lister are all as new.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Lane {
    /// Lists groups, in the order they were opened.
    List,
    /// Reads the documents of the node on show.
    Node,
    /// Loads chunks.
    Load,
    /// Looks which chunks there are.
    Presence,
    /// Checks the store.
    Check,
    /// Walks the hierarchy for the fuzzy finder, or for the filter of the tree.
    Find,
    /// Searches a chunk.
    Search,
    /// Counts the matches of a search in all chunks.
    Count,
    /// Counts and samples a chunk.
    Picture,
    /// Measures the chunks of an array.
    Table,
    /// Counts what is in a group.
    Overview,
    /// Looks up what other programs make of an array.
    Readers,
    /// Lays out long documents.
    Documents,
    /// Compares two nodes.
    Compare,
    /// Looks which elements of a chunk differ.
    Differences,
    /// Watches files.
    Watch,
}

impl Lane {
    /// The name of the one who asks, in the log of requests.
    pub const fn name(self) -> &'static str {
        match self {
            Self::List => "tree",
            Self::Node => "node",
            Self::Load => "chunk",
            Self::Presence => "chunk map",
            Self::Check => "check",
            Self::Find => "find",
            Self::Search | Self::Count => "search",
            Self::Picture => "picture",
            Self::Table => "chunk table",
            Self::Overview => "overview",
            Self::Readers => "readers",
            Self::Documents => "metadata",
            Self::Compare | Self::Differences => "comparison",
            Self::Watch => "watch",
        }
    }
}

/// Work with its number: a newer number on the same lane makes it pointless.
#[derive(Clone)]
pub struct Job {
    /// The lane.
    pub lane: Lane,
    /// Its number.
    pub generation: u64,
    /// The work.
    pub work: Work,
    /// The array that is read as something else than it declares.
    pub read_as: Option<Arc<ReadAs>>,
}

/// A search through one stage of a chunk.
#[derive(Clone)]
pub struct Search {
    /// The chunk that is searched.
    pub shown: Arc<Shown>,
    /// The stage that is searched.
    pub stage: usize,
    /// From which byte on.
    pub from: u64,
    /// The text or the condition that is searched for.
    pub needle: Needle,
    /// True if the search goes forwards.
    pub forwards: bool,
    /// The number of bytes a stage may give where nothing is promised, where more of the chunk has to be loaded.
    pub limit: u64,
    /// Chunks that are known to have no match.
    pub empty: Arc<BTreeSet<Vec<u64>>>,
}

/// A place that was searched for.
#[derive(Debug)]
pub struct Found {
    /// The chunk.
    pub id: ChunkId,
    /// Its bytes, in the stage that was searched.
    pub range: Range<u64>,
    /// True if the search has gone round the end of the array.
    pub wrapped: bool,
    /// The chunks on the way that could not be read.
    pub passed: u64,
}

/// A count in all chunks of an array.
#[derive(Clone)]
pub struct CountMatches {
    /// The array's path.
    pub path: NodePath,
    /// The array.
    pub array: Arc<ArrayMetadata>,
    /// The text or the condition that is counted.
    pub needle: Needle,
    /// The bytes of the fill value; empty where there are none.
    pub fill: Vec<u8>,
    /// The number of bytes a stage may give where nothing is promised.
    pub limit: u64,
}

/// The work that can be done in the background.
#[derive(Clone)]
pub enum Work {
    /// Lists the children of a group.
    List(NodePath),
    /// Reads the documents of a node.
    Node(NodePath),
    /// Lays the documents of a node out.
    Documents(Arc<Node>),
    /// Loads and decodes a chunk.
    Load {
        /// The array's path.
        path: NodePath,
        /// The array.
        array: Arc<ArrayMetadata>,
        /// The chunk.
        id: ChunkId,
        /// Around which byte of the file, for large raw chunks.
        around: u64,
        /// True if to go on after checksums that do not agree.
        ignore_checksums: bool,
        /// The number of bytes a stage may give where nothing is promised.
        limit: u64,
    },
    /// Looks which chunks of an array are stored.
    Presence(NodePath, Arc<ArrayMetadata>),
    /// Checks the node and all below it.
    Check {
        /// From where on.
        path: NodePath,
        /// The number of bytes a stage may give where nothing is promised.
        limit: u64,
        /// True if chunks are read however many there are.
        is_asked: bool,
    },
    /// Walks the whole hierarchy.
    Walk,
    /// Counts the children of a group or a folder, and what is stored below each.
    Overview(NodePath),
    /// Looks up what other programs make of an array, by its documents and a few of its chunks.
    Readers(NodePath),
    /// Searches the elements or bytes of a stage, then the other chunks.
    Search(Box<Search>),
    /// Counts the matches in all chunks.
    Count(Box<CountMatches>),
    /// Writes a chunk's elements to a new file in NumPy's format.
    Export {
        /// The chunk to write.
        shown: Arc<Shown>,
        /// The file to write.
        file: PathBuf,
    },
    /// Measures the chunks of an array, for its table.
    Table(Box<chunk_table::Request>),
    /// Compares two nodes and all below them.
    Compare(Box<CompareRequest>),
    /// Looks which elements of a chunk differ.
    Differences(Box<ChunkRequest>),
    /// Writes the table of chunks to a new file as comma-separated values.
    TableCsv {
        /// The table to write.
        table: Arc<chunk_table::Snapshot>,
        /// The file to write.
        file: PathBuf,
    },
    /// Draws more than a chunk of an array.
    Raster(Box<RasterRequest>),
    /// Counts the elements of a chunk and samples a slice of it.
    Picture {
        /// The chunk.
        shown: Arc<Shown>,
        /// The slice, and the layout of its cells.
        grid: Arc<CellGrid>,
        /// The number of every element; `None` for all fields, side by side.
        choice: Option<usize>,
        /// The number of bytes a stage may give where nothing is promised.
        limit: u64,
        /// The counts from before: the same chunk is not counted twice.
        before: Option<Arc<Pictured>>,
    },
}

/// The reply to a job.
pub struct Reply {
    /// The lane that did it.
    pub lane: Lane,
    /// The job's number.
    pub generation: u64,
    /// The answer.
    pub answer: Answer,
}

impl Answer {
    /// True if nothing comes after it of the same job.
    pub fn is_last(&self) -> bool {
        matches!(
            self,
            Self::Listed(..)
                | Self::Node(_)
                | Self::Documents(_)
                | Self::Loaded(_)
                | Self::Found(_)
                | Self::Pictured(_)
                | Self::Readers(..)
                | Self::Exported(_)
                | Self::Done
                | Self::Failed(_)
        )
    }
}

/// The progress of long work, and its speed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Pace {
    /// The number of units done: bytes or elements.
    pub done: u64,
    /// Their number.
    pub of: u64,
    /// The time taken so far.
    pub elapsed: Duration,
}

impl Pace {
    /// Units a second, once there is enough to tell.
    pub fn rate(self) -> Option<u64> {
        per_second(self.done, self.elapsed)
    }

    /// The seconds that are left at this rate, rounded up, once there is enough to tell.
    pub fn seconds_left(self) -> Option<u64> {
        let left = u128::from(self.of.saturating_sub(self.done));
        let millis = self.elapsed.as_millis();
        let left = (left * millis).checked_div(self.done.into()).filter(|_| millis >= 300)?;
        u64::try_from(left.div_ceil(1000)).ok()
    }
}

/// So many a second; `None` in the first tenth of one, when it would be a guess.
pub fn per_second(count: u64, elapsed: Duration) -> Option<u64> {
    let millis = elapsed.as_millis();
    let rate = (u128::from(count) * 1000).checked_div(millis).filter(|_| millis >= 100)?;
    u64::try_from(rate).ok()
}

/// The answer of a worker. Streaming work gives several, then [`Answer::Done`].
#[derive(Debug)]
pub enum Answer {
    /// The number of children of a group that have been found so far.
    Listing(NodePath, usize),
    /// The children of a group, a line each.
    Listed(NodePath, Result<Vec<Outline>, Error>),
    /// A node, read.
    Node(Box<Node>),
    /// The documents of a node, laid out.
    Documents(Box<MetadataPage>),
    /// A chunk, as far as it could be decoded.
    Loaded(Arc<Shown>),
    /// Chunks that are stored.
    ChunksListed(Vec<StoredChunk>),
    /// Keys of chunks that the array's own encoding does not find.
    Diagnosed(presence::KeyDiagnosis),
    /// Something a check has found or counted, and how long it has taken so far.
    Checked(Vec<check::Event>, Summary, Duration),
    /// Nodes found on a walk, groups before what is in them; the root is none of them.
    NodesFound(Vec<Outline>),
    /// The progress of loading a chunk.
    Loading(Pace),
    /// The progress of a search.
    Searching(Pace),
    /// The end of a search.
    Found(Option<Found>),
    /// The matches in all chunks, as far as they were counted.
    Counted(Box<super::search::Hits>),
    /// The progress of counting a chunk.
    Counting(Pace),
    /// Figures of the children of a group.
    Overviewed(Overviewed),
    /// Chunks that were measured.
    Measured(Box<chunk_table::Measured>),
    /// Chunks that were read for the picture of an array.
    Rastered(Box<RasterNews>),
    /// A chunk, counted and sampled.
    Pictured(Arc<Pictured>),
    /// The results of other programs for the array at a path.
    Readers(NodePath, Vec<readers::ReaderAnswer>),
    /// Results of a comparison.
    Compared(Box<CompareNews>),
    /// The elements of a chunk that differ.
    Differences(Box<ChunkValues>),
    /// A file was written.
    Exported(PathBuf),
    /// Keys of the store that have changed; folders end in a slash.
    Changed(Vec<String>),
    /// The work is done.
    Done,
    /// The work could not be done.
    Failed(Error),
}
