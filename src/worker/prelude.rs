//! The names that many files here use.

pub(super) use super::{
    output_file::OutputFile,
    parallel::{self, Task},
};
pub(super) use crate::{
    app::{Answer, Pace},
    zarr::{
        array,
        budget::{Memory, Stop},
        chunk,
        compare::Compared,
        prelude::*,
    },
};
pub(super) use std::{
    cell::RefCell,
    env,
    fs::{self, File, Metadata},
    io::{self, Read, Write},
    mem, thread,
    time::{Duration, Instant},
};
