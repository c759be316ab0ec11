//! All integration tests in one binary: it links once.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod appends;
mod array_picture;
mod array_search;
mod bindings;
mod bounds;
mod byte_order;
mod check;
mod chunk_table;
mod clear_screens;
mod cli;
mod clicks;
mod codecs;
mod compare_page;
mod completion;
mod conventions;
mod corpus;
mod declared_readings;
mod deep;
mod diagnosis;
mod docs;
mod documents;
mod endian;
mod exact_floats;
mod explanations;
#[cfg(all(unix, feature = "remote"))]
mod far_screens;
mod finding_pages;
mod finding_places;
mod fixes;
mod footer_keys;
mod frame;
mod healthy;
mod hierarchy;
mod imports;
mod keys;
mod laws_types;
mod layout;
mod learn;
mod lessons;
mod levels;
mod links;
#[cfg(unix)]
mod links_outside;
mod maps;
mod memory;
mod monkey;
mod mutations;
mod native;
mod nested_shards;
mod npy;
mod one_knowledge;
mod output_files;
mod overview;
mod own_codec;
mod own_data_type;
mod page_blocks;
mod partitions;
mod pictures;
mod playground;
mod pty;
mod read_only;
mod readers;
mod readers_table;
mod regions;
#[cfg(feature = "remote")]
mod remote;
mod reports;
mod requests;
mod runnable;
#[cfg(feature = "remote")]
mod server;
mod shots;
mod siblings;
mod sizes;
mod slow_disk;
mod small_screens;
mod snapshot;
mod states;
mod statistics;
mod stores;
mod structure;
mod threads;
mod travels;
mod truth;
mod twin_columns;
mod vectors_types;
mod views;
mod views_more;
mod what_if;
mod whole_arrays;
mod wide_screens;
mod zip;

/// A folder that is gone when the test has ended: in memory where there is room, since a disk takes longer to make the
/// thousands of small files that are in stores than `check` takes to read them.
fn scratch() -> tempfile::TempDir {
    #[cfg(target_os = "linux")]
    {
        const ROOM: u64 = 2 << 30;
        let memory = "/dev/shm";
        let has_room = rustix::fs::statvfs(memory).is_ok_and(|it| it.f_bavail * it.f_bsize >= ROOM);
        if let (true, Ok(folder)) = (has_room, tempfile::TempDir::new_in(memory)) {
            return folder;
        }
    }
    tempfile::TempDir::new().unwrap()
}
