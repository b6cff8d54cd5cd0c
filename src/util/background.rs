//! Work beside the thread that reads commands: in other threads, or, where there are none, in turns.

#[cfg(not(target_family = "wasm"))]
mod system {
    use std::io;

    use crate::util::sync::thread;

    /// Runs `work` in a thread of its own.
    ///
    /// # Errors
    /// If the system starts no thread.
    pub(crate) fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
        thread::Builder::new().name(name.to_owned()).spawn(work).map(drop)
    }

    /// Long work calls this about once in a millisecond. Does nothing where commands are read by a thread of their own.
    #[inline(always)]
    pub(crate) fn poll() {}
}

#[cfg(target_family = "wasm")]
mod system {
    use std::{
        cell::RefCell,
        collections::VecDeque,
        io,
        rc::Rc,
        sync::atomic::{AtomicBool, Ordering::Relaxed},
    };

    thread_local! {
        static WORK: RefCell<VecDeque<Box<dyn FnOnce()>>> = RefCell::default();
        static ON_POLL: RefCell<Option<Rc<dyn Fn()>>> = RefCell::default();
    }

    /// Keeps `work` for [`next`], as there are no threads.
    ///
    /// # Errors
    /// None.
    pub(crate) fn spawn(_name: &str, work: impl FnOnce() + 'static) -> io::Result<()> {
        WORK.with_borrow_mut(|queue| queue.push_back(Box::new(work)));
        Ok(())
    }

    /// The work to run next.
    pub(crate) fn next() -> Option<Box<dyn FnOnce()>> {
        WORK.with_borrow_mut(VecDeque::pop_front)
    }

    /// Sets what [`poll`] calls.
    pub(crate) fn on_poll(hook: Rc<dyn Fn()>) {
        ON_POLL.set(Some(hook));
    }

    /// Long work calls this about once in a millisecond, so that commands are read. A call from within another one does
    /// nothing.
    pub(crate) fn poll() {
        static POLLING: AtomicBool = AtomicBool::new(false);
        if !POLLING.swap(true, Relaxed) {
            if let Some(hook) = ON_POLL.with_borrow(Clone::clone) {
                hook();
            }
            POLLING.store(false, Relaxed);
        }
    }
}

pub(crate) use system::*;
