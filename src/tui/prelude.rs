//! The names that many files here use.

pub(super) use super::{
    Options,
    keymap::{self, Binding},
    panes,
    theme::{
        self, CURSOR, CURSOR_AWAY, FAILURE, FINE, GROUP, KEY, Line, MARK, PLAIN, QUIET, SELECTED,
        STRONG, Span, TITLE, TYPE, WARNING, adapt, quiet, styled,
    },
    view::{Screen, error_in_parts, fitted, footer::how_far, headed, prose, ruled, stacked},
};
pub(super) use crate::{
    app::{
        page::{
            overview::{ChunkCount, OverviewPage},
            picture::Scale,
        },
        prelude::*,
    },
    zarr::{
        scalar::{Time, TimeUnit},
        statistics::{ComplexPart, HeatCell, HeatMap},
        words::{cut, cut_sentence, left, right, size, widest, wrap_to},
    },
};
pub(super) use ratatui::{
    buffer::{Buffer, Cell},
    crossterm::event::{KeyCode, KeyEvent},
    layout::{
        Constraint::{self, Fill, Length},
        Layout, Position, Rect,
    },
    style::{Color, Modifier, Style},
    text::Text,
    widgets::{Clear, Widget},
};
pub(super) use std::collections::VecDeque;
