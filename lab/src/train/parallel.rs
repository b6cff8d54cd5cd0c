//! Work on several threads.

use std::{
    sync::{Mutex, PoisonError},
    thread,
};

/// Does every job, on `threads` threads with the calling one; on fewer if the system grants fewer.
pub(crate) fn in_parallel<T: Send>(threads: usize, jobs: impl Iterator<Item = T> + Send, work: impl Fn(T) + Sync) {
    let jobs = Mutex::new(jobs);
    // Poisoning: the panic of another thread ends everything anyway.
    let next = || jobs.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work_off = || {
        while let Some(job) = next() {
            work(job);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            if thread::Builder::new().spawn_scoped(scope, work_off).is_err() {
                break;
            }
        }
        work_off();
    });
}

#[cfg(test)]
mod tests {
    use std::sync::{Barrier, atomic::AtomicU64, atomic::Ordering::Relaxed};

    use super::*;

    /// Each job waits for another one.
    #[test]
    fn jobs_run_at_the_same_time() {
        let (barrier, sum) = (Barrier::new(2), AtomicU64::new(0));
        in_parallel(2, 0..10, |job| {
            barrier.wait();
            sum.fetch_add(job, Relaxed);
        });
        assert_eq!(sum.into_inner(), 45);
    }
}
