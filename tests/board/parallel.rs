//! Parallel test loops.

use std::{
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    thread,
};

/// Runs `work` for each number below `jobs`, on as many threads as there are cores. A panic in any of them fails the
/// test.
pub(crate) fn for_each(jobs: usize, work: impl Fn(usize) + Sync) {
    let next = AtomicUsize::new(0);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..cores.min(jobs) {
            scope.spawn(|| {
                loop {
                    let job = next.fetch_add(1, Relaxed);
                    if job >= jobs {
                        return;
                    }
                    work(job);
                }
            });
        }
    });
}
