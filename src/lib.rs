//! zarrscope: see what a Zarr store really says.
//!
//! The library is [`zarr`]; everything else is the inspector around it. The screen, each part with the file that draws
//! it (all below `src/tui/view/`):
//!
//! ```text
//!  zarrscope   sample-stores › ocean › packed › c/1/2                 V3 array   BE   no problems   title.rs
//! ──────────────────────────┬─ 1 Data type ─ 2 Chunks ─ 3 Picture ─ 4 Metadata ─ 5 Problems ─────   tabs.rs
//!  ▾ ocean          V3 9    │ packed  int16  148×180  chunks 37×45  15 of 16 stored               ┐
//!      air          f4 LE   │                                                                     │ 1 datatype.rs
//!      depth        f4 LE   │  grid 4×4                            chunks/map.rs                   │
//! ▌    packed       i2 BE   │ file ─► crc32c ✓ ─► zstd ─►▐ bytes ▌ chunks.rs                       │ 2 chunks.rs
//!    ▦ temperature  f4 LE   │ ──────────────────────────────────────────────────────────────────  │
//!  ▸ ocean-v2       V2      │ 00000104  [2,40]  8000 8000 fbff      · · -1025   chunks/dump.rs      │ 3 picture.rs
//!                           │ ─ under the cursor ──────────────────────────────────────────────   │
//!                           │  declared big  fb ff → -1025   chunks/panel.rs, inspector.rs         │ 4 metadata.rs
//!                           │  what stopped a chunk          chunks.rs                             │
//!           tree.rs         │  what is in a group: overview.rs   a broken node: node.rs            ┘ 5 problems.rs
//! ──────────────────────────┴─ element 132 ─ chunk [2,42] ─ array [39,132] ─ bytes 0x108–0x109 ───   tabs.rs
//!  ] stage   x other order   i inspect   K explain   ? keys   q leave                               footer.rs
//! ```
//!
//! On top of that may lie `help.rs`, `explain.rs`, `finder.rs` and `gallery.rs`.
//!
//! Imports go down only: `tui` and `cli` know everything below them, `worker` knows `app`, `app` knows [`zarr`],
//! and [`zarr`] knows neither terminals nor threads. Without the feature `tui` there is no terminal in the tree at all.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`zarr`] | the library: stores, metadata, data types, codecs, chunks, what is wrong with them |
//! | `app` | the state machine: actions change the state, and ask for work |
//! | `worker` | the threads that do the work; the newest wish wins |
//! | `tui` | keys and frames |
//! | `cli` | the commands |

#[cfg(feature = "tui")]
pub mod app;
#[cfg(feature = "tui")]
pub mod cli;
#[cfg(feature = "tui")]
pub mod tui;
#[cfg(feature = "tui")]
pub mod worker;
pub mod zarr;
