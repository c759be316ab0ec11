//! Tells of requests over a network while they are under way: how many, how much, how long.

use super::THREAD_NAME;
use super::prelude::*;
use crate::zarr::store::{
    remote::{requests, wait_for_request},
    requests::RequestLog,
};

/// The time between two reports.
const PAUSE: Duration = Duration::from_millis(100);

/// Reports of all requests of the program until `report` gives `false`: as long as some are under way, and once after.
/// Nothing is done where nothing is asked.
pub fn watch(report: impl Fn(RequestLog) -> bool + Send + 'static) {
    let watch = move || {
        // What was asked before this thread ran is told of too.
        let mut seen = 0;
        loop {
            wait_for_request(seen);
            let mut is_busy = true;
            while is_busy {
                // What is over by then is told of once.
                thread::sleep(PAUSE);
                let log = requests();
                (seen, is_busy) = (log.changes, log.traffic.waiting > 0);
                if !report(log) {
                    return;
                }
            }
        }
    };
    thread::Builder::new().name(THREAD_NAME.into()).spawn(watch).ok();
}
