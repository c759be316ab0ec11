//! The threads that do what the state machine asks for.
//!
//! Each lane is a thread of its own, which starts with its first request. It does the newest request only: a request's
//! number is compared with the newest one between any two steps of the work, and while the network is waited for, so
//! asking for something else is the cancellation. The requests of the lister all have the same number until they are
//! stopped, because everybody who opened a group wants to see it. A codec that panics takes its request down and nothing else.

use crate::{
    app::{Answer, Effect, Job, Lane, Reply},
    zarr::{
        Code, Error, Hierarchy,
        budget::{Memory, Stop},
        store::requests::Asker,
    },
};
use std::{
    cell::RefCell,
    collections::HashMap,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
        mpsc::{self, Receiver, Sender},
    },
    thread,
};

pub mod output_file;
pub mod parallel;
mod prelude;
#[cfg(all(unix, feature = "tui"))]
pub mod signals;
pub mod state;
#[cfg(feature = "remote")]
pub mod traffic;
pub mod watch;
pub mod work;

/// The name of every worker thread: the shell's panic hook leaves the terminal alone when one of these panics.
pub use crate::zarr::store::requests::THREAD_NAME;

/// Takes what a worker says to the state machine.
pub type Report = Arc<dyn Fn(Reply) + Send + Sync>;

/// A thread with its inbox, and the number of its newest request.
struct LaneThread {
    requests: Sender<Job>,
    newest: Arc<AtomicU64>,
}

/// All worker threads of an open store.
pub struct Workers {
    /// Those that had something to do: to start them all would hold up the first frame.
    threads: RefCell<HashMap<Lane, LaneThread>>,
    start: Box<dyn Fn() -> LaneThread>,
    watcher: watch::Watcher,
}

impl Workers {
    /// The workers for `hierarchy`, which decode within `memory`.
    pub fn start(hierarchy: &Hierarchy, memory: &Arc<Memory>, report: &Report) -> Self {
        let store = Arc::clone(&hierarchy.store);
        let watcher = watch::Watcher::start(store, Arc::clone(report));
        let (hierarchy, memory, report) =
            (hierarchy.clone(), Arc::clone(memory), Arc::clone(report));
        let start = move || {
            let with = (hierarchy.clone(), Arc::clone(&memory));
            LaneThread::start(with, Arc::clone(&report))
        };
        Self { threads: RefCell::default(), start: Box::new(start), watcher }
    }

    /// Takes on what is for the workers. Gives back what is for somebody else.
    pub fn take(&self, effect: Effect) -> Option<Effect> {
        match effect {
            Effect::Run(job) => {
                let mut threads = self.threads.borrow_mut();
                let thread = threads.entry(job.lane).or_insert_with(&self.start);
                thread.newest.store(job.generation, Ordering::Relaxed);
                // The thread is gone only when the program is on its way out.
                thread.requests.send(job).ok();
                None
            }
            Effect::Cancel(lane) => {
                if let Some(thread) = self.threads.borrow().get(&lane) {
                    thread.newest.fetch_add(1, Ordering::Relaxed);
                }
                None
            }
            Effect::Watch(watched) => {
                self.watcher.watch(watched);
                None
            }
            other => Some(other),
        }
    }
}

impl LaneThread {
    fn start(with: (Hierarchy, Arc<Memory>), report: Report) -> Self {
        let work = move |job: &Job, stop: Stop<'_>, reply: &mut dyn FnMut(Reply)| {
            work::perform(&with.0, &with.1, job, stop, reply);
        };
        Self::spawn(work, report)
    }

    /// Starts a thread that does its newest requests by `work`.
    fn spawn<W>(work: W, report: Report) -> Self
    where
        W: Fn(&Job, Stop<'_>, &mut dyn FnMut(Reply)) + Send + 'static,
    {
        let (requests, inbox) = mpsc::channel();
        let newest = Arc::new(AtomicU64::new(0));
        let seen = Arc::clone(&newest);
        thread::Builder::new()
            .name(THREAD_NAME.into())
            .spawn(move || serve(&inbox, &seen, &work, &report))
            .ok();
        Self { requests, newest }
    }
}

/// Does a job until the function says to stop, and says what came of it.
type Performer<'a> = &'a dyn Fn(&Job, Stop<'_>, &mut dyn FnMut(Reply));

fn serve(inbox: &Receiver<Job>, newest: &Arc<AtomicU64>, work: Performer<'_>, report: &Report) {
    for job in inbox {
        let (newest, generation) = (Arc::clone(newest), job.generation);
        let is_stale = move || newest.load(Ordering::Relaxed) != generation;
        if is_stale() {
            continue;
        }
        let mut reply = |reply: Reply| {
            if !is_stale() {
                report(reply);
            }
        };
        let asker = Asker::new(job.lane.name(), is_stale.clone());
        let work = || asker.during(|| work(&job, &is_stale, &mut reply));
        let outcome = catch_unwind(AssertUnwindSafe(work));
        if outcome.is_err() {
            let error = Error::new(Code::Panic, "a bug in zarrscope", "an answer")
                .with_fix("Please report it, with the file that triggered it.");
            report(Reply {
                lane: job.lane,
                generation: job.generation,
                answer: Answer::Failed(error),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::Work;

    fn job(lane: Lane, generation: u64) -> Effect {
        Effect::Run(Job { lane, generation, work: Work::Walk, read_as: None })
    }

    /// Workers with one thread, whose work waits for its first request to be superseded.
    fn workers(lane: Lane) -> (Workers, Receiver<u64>, Receiver<Reply>) {
        let (started, starts) = mpsc::channel();
        let (replies, answers) = mpsc::channel();
        let work = move |job: &Job, stop: Stop<'_>, reply: &mut dyn FnMut(Reply)| {
            started.send(job.generation).unwrap();
            while job.generation == 1 && !stop() {
                thread::yield_now();
            }
            assert!(job.generation != 3, "a codec at fault");
            reply(Reply { lane: job.lane, generation: job.generation, answer: Answer::Done });
        };
        let report: Report = Arc::new(move |reply| drop(replies.send(reply)));
        let thread = LaneThread::spawn(work, Arc::clone(&report));
        let threads = RefCell::new(HashMap::from([(lane, thread)]));
        let store: Arc<dyn crate::zarr::store::Store> =
            Arc::new(crate::zarr::store::DirectoryStore::new(std::path::Path::new(".")));
        let watcher = watch::Watcher::start(store, report);
        let start = Box::new(|| unreachable!("another lane"));
        (Workers { threads, start, watcher }, starts, answers)
    }

    #[test]
    fn the_newest_request_wins() {
        let (workers, starts, answers) = workers(Lane::Load);
        assert!(workers.take(job(Lane::Load, 1)).is_none());
        assert_eq!(starts.recv(), Ok(1));
        assert!(workers.take(job(Lane::Load, 2)).is_none());
        assert_eq!(answers.recv().unwrap().generation, 2);
    }

    #[test]
    fn a_cancelled_request_is_not_answered() {
        let (workers, starts, answers) = workers(Lane::Load);
        assert!(workers.take(job(Lane::Load, 1)).is_none());
        assert_eq!(starts.recv(), Ok(1));
        assert!(workers.take(Effect::Cancel(Lane::Load)).is_none());
        drop(workers);
        assert!(answers.try_recv().is_err());
    }

    #[test]
    fn the_lister_answers_everybody() {
        let (workers, _starts, answers) = workers(Lane::List);
        assert!(workers.take(job(Lane::List, 2)).is_none());
        assert!(workers.take(job(Lane::List, 2)).is_none());
        assert_eq!([(); 2].map(|()| answers.recv().unwrap().generation), [2, 2]);
    }

    #[test]
    fn a_panic_is_an_answer() {
        let (workers, _starts, answers) = workers(Lane::Load);
        assert!(workers.take(job(Lane::Load, 3)).is_none());
        assert!(matches!(answers.recv().unwrap().answer, Answer::Failed(_)));
        assert!(workers.take(job(Lane::Load, 4)).is_none());
        assert_eq!(answers.recv().unwrap().generation, 4, "the thread lives on");
    }
}
