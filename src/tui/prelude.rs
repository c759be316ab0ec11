//! The names that many files here use.

pub(super) use super::{
    Options,
    keymap::{self, Binding},
    panes,
    theme::{self, Line, Span, adapt},
    view::{Screen, error_in_parts, fitted, footer::how_far, headed, prose, stacked},
};
pub(super) use crate::{
    app::{
        Action, App, Focus, KeyContext, Load, Overlay, Size, View,
        action::StepTo,
        current_chunk::{CurrentChunk, Shown},
        input::LineEdit,
        layout::cells,
        page::{
            chunk_table::TableColumn,
            gallery::{GalleryPage, GalleryPart},
            overview::{ChunkCount, OverviewPage},
            picture::{CountedColumn, Scale},
            tree::What,
        },
    },
    zarr::{
        ArrayMetadata, ByteOrder, Code, Error, Format, Hierarchy, Node, NodePath, Scalar, Severity,
        budget::to_usize,
        codec::Elements,
        data_type::Field,
        hierarchy::NodeKind,
        metadata::Packing,
        scalar::{Time, TimeUnit},
        signs,
        spelling::Join,
        statistics::{ComplexPart, HeatCell, HeatMap},
        text::{safe, safe_owned, safe_text},
        words::{
            self, Joined, counted, cut, cut_sentence, grouped, left, list, right, size, times,
            widest, wrap, wrap_to,
        },
    },
};
pub(super) use ratatui::{
    buffer::{Buffer, Cell},
    crossterm::event::{KeyCode, KeyEvent},
    layout::{
        Constraint::{self, Fill, Length},
        Layout, Rect,
    },
    style::{Color, Modifier, Style},
    text::Text,
    widgets::{Clear, Widget},
};
pub(super) use std::{iter, mem, ops::Range, path::Path, sync::Arc, time::Duration};
pub(super) use unicode_width::UnicodeWidthStr;
