//! The names that many files here use.

pub(super) use super::{
    Action, App, Effect, Explained, Focus, Lane, Load, Overlay, Pace, Scroll, Shared, View, Work,
    action::{BitsAction, Direction, Motion, PromptKind, StepTo},
    current_chunk::{CurrentChunk, Landing, Shown, nesting},
    effect::Answer,
    explained,
    input::Input,
    jumps::Purpose,
    layout::{CellGrid, DumpRows, PaneCell, Size},
    page::{Page, gallery::GalleryPart, tree::Outline},
    scroll::around,
    search::Needle,
};
pub(super) use crate::zarr::{
    ArrayMetadata, Code, Error, Node, NodePath, Problem, Scalar, Severity,
    chunk::Stage,
    codec::{Data, Elements},
    compare::Tolerance,
    data_type::Field,
    figures::Figures,
    grid::{ChunkId, order},
    hierarchy::NodeKind,
    metadata::{Packing, RawDocument},
    spelling::{Join, Row, Topic},
    statistics::Choice,
    text::{safe, safe_owned},
    words::{Joined, counted, grouped, list},
};
pub(super) use std::{
    cmp::Ordering,
    collections::{BTreeMap, HashMap},
    ops::Range,
    sync::Arc,
    time::Duration,
};
pub(super) use unicode_width::UnicodeWidthStr;
