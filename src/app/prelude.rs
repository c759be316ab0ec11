//! The names that many files here use.

pub(super) use super::{
    Action, App, Effect, Explained, Focus, Lane, Load, Overlay, Pace, Scroll, Shared, View, Work,
    action::{BitsAction, ChunksAction, Direction, Motion, PromptKind, StepTo},
    command::TypedCommand,
    current_chunk::{CurrentChunk, Landing, Shown, nesting},
    effect::Answer,
    explained,
    input::{Input, LineEdit},
    jumps::Purpose,
    layout::{CellGrid, DumpRows, PaneCell, PictureFrame, Size},
    lesson::Lesson,
    page::{
        Page,
        chunk_table::{ChunkRow, TableColumn},
        compare::{ComparedBlock, ComparisonPart},
        gallery::GalleryPart,
        picture::{PicturePage, drawn::WorkState},
        tree::Outline,
    },
    scroll::around,
    search::{Needle, Sought},
};
pub(super) use crate::zarr::{
    ArrayMetadata, ByteOrder, Code, DataTypes, Error, Json, Node, NodePath, Place, Problem, Scalar,
    Severity,
    chunk::Stage,
    codec::{ByteTarget, Data, Elements, Places},
    compare::{DocumentRow, Tolerance},
    data_type::{Endian, Field},
    figures::Figures,
    format::Format,
    grid::{ChunkId, order},
    hierarchy::NodeKind,
    metadata::{Packing, RawDocument},
    presence::DecodeTrial,
    readable::Readable,
    spelling::{Join, Row, Subject, Topic},
    statistics::{Choice, raster::Raster},
    text::{safe, safe_owned},
    words::{Joined, counted, grouped, list},
};
pub(super) use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet, HashMap},
    ops::Range,
    path::PathBuf,
    sync::Arc,
    time::Duration,
};
pub(super) use unicode_width::UnicodeWidthStr;
