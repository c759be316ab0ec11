//! The names that many files here use.

pub(super) use super::{
    Options, keymap,
    theme::{self, Line, Span},
    view::fitted,
};
pub(super) use crate::{
    app::{
        Action, App, Focus, KeyContext, Load, Overlay, Size, View,
        current_chunk::{CurrentChunk, Shown},
        page::picture::{CountedColumn, Scale},
    },
    zarr::{
        Code, Error, Node, Scalar, Severity,
        codec::Elements,
        hierarchy::NodeKind,
        scalar::Time,
        signs,
        spelling::Join,
        statistics::{HeatCell, HeatMap},
        text::{safe, safe_owned},
        words::{
            self, Joined, counted, cut, cut_sentence, grouped, left, list, right, size, times,
            wrap, wrap_to,
        },
    },
};
pub(super) use ratatui::{
    buffer::{Buffer, Cell},
    crossterm::event::{KeyCode, KeyEvent},
    layout::{Constraint, Layout, Rect},
    style::{Modifier, Style},
    text::Text,
    widgets::{Clear, Widget},
};
pub(super) use std::{ops::Range, sync::Arc};
pub(super) use unicode_width::UnicodeWidthStr;
