//! The primitives of `sync.rs` as loom models them, so that a test runs every interleaving of the engine's threads.
//!
//! loom has no channels like crossbeam's. Those below have their interface and the guarantees that the engine relies
//! on: messages come in the order in which they were sent; what happened before a message was sent happened before it
//! is received; and whoever is left alone at one end is told so. As all of them share one lock, a sender also knows
//! what happened before earlier receptions, which crossbeam does not promise.

use std::{
    collections::VecDeque,
    mem,
    sync::{self, Arc, PoisonError},
    time::Duration,
};

pub(crate) use crossbeam_channel::{RecvError, RecvTimeoutError, SendError, TryRecvError};
pub(crate) use loom::sync::atomic::AtomicU64;
use loom::sync::{Condvar, Mutex, MutexGuard};

loom::lazy_static! {
    /// Held during each operation on a channel. loom drops it before the last thread ends, so each channel shares it.
    static ref LOCK: Arc<Mutex<()>> = Arc::new(Mutex::new(()));
}

/// A channel; its state is accessed under the lock.
#[derive(Debug)]
struct Channel<T> {
    lock: Arc<Mutex<()>>,
    state: sync::Mutex<State<T>>,
}

#[derive(Debug)]
struct State<T> {
    messages: VecDeque<T>,
    senders: usize,
    receivers: usize,
    /// Notified when a message comes or the last sender goes.
    waiting: Option<Arc<Condvar>>,
}

impl<T> Channel<T> {
    fn lock(&self) -> MutexGuard<'_, ()> {
        self.lock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with<R>(&self, access: impl FnOnce(&mut State<T>) -> R) -> R {
        access(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<T> State<T> {
    fn wake(&mut self) {
        if let Some(waiting) = self.waiting.take() {
            waiting.notify_one();
        }
    }
}

/// The end that sends.
#[derive(Debug)]
pub(crate) struct Sender<T>(Arc<Channel<T>>);

/// The end that receives.
#[derive(Debug)]
pub(crate) struct Receiver<T>(Arc<Channel<T>>);

/// A channel without a limit.
pub(crate) fn unbounded<T>() -> (Sender<T>, Receiver<T>) {
    let state = State { messages: VecDeque::new(), senders: 1, receivers: 1, waiting: None };
    let channel = Arc::new(Channel { lock: LOCK.clone(), state: sync::Mutex::new(state) });
    (Sender(channel.clone()), Receiver(channel))
}

impl<T> Sender<T> {
    pub(crate) fn send(&self, message: T) -> Result<(), SendError<T>> {
        let _lock = self.0.lock();
        self.0.with(|state| {
            if state.receivers == 0 {
                return Err(SendError(message));
            }
            state.messages.push_back(message);
            state.wake();
            Ok(())
        })
    }
}

impl<T> Receiver<T> {
    pub(crate) fn recv(&self) -> Result<T, RecvError> {
        let waiting = Arc::new(Condvar::new());
        let mut lock = self.0.lock();
        loop {
            if let Some(message) = self.take() {
                return message;
            }
            self.0.with(|state| state.waiting = Some(waiting.clone()));
            lock = waiting.wait(lock).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// No time passes in a model.
    pub(crate) fn recv_timeout(&self, _time: Duration) -> Result<T, RecvTimeoutError> {
        self.recv().map_err(RecvTimeoutError::from)
    }

    pub(crate) fn try_recv(&self) -> Result<T, TryRecvError> {
        let _lock = self.0.lock();
        match self.take() {
            Some(message) => message.map_err(TryRecvError::from),
            None => Err(TryRecvError::Empty),
        }
    }

    /// The next message, or the error that none will come, if there is one of them.
    fn take(&self) -> Option<Result<T, RecvError>> {
        self.0.with(|state| match state.messages.pop_front() {
            Some(message) => Some(Ok(message)),
            None => (state.senders == 0).then_some(Err(RecvError)),
        })
    }
}

impl<T> Clone for Sender<T> {
    fn clone(&self) -> Self {
        let _lock = self.0.lock();
        self.0.with(|state| state.senders += 1);
        Self(self.0.clone())
    }
}

impl<T> Clone for Receiver<T> {
    fn clone(&self) -> Self {
        let _lock = self.0.lock();
        self.0.with(|state| state.receivers += 1);
        Self(self.0.clone())
    }
}

impl<T> Drop for Sender<T> {
    fn drop(&mut self) {
        let _lock = self.0.lock();
        self.0.with(|state| {
            state.senders -= 1;
            if state.senders == 0 {
                state.wake();
            }
        });
    }
}

impl<T> Drop for Receiver<T> {
    fn drop(&mut self) {
        let lock = self.0.lock();
        let unread = self.0.with(|state| {
            state.receivers -= 1;
            if state.receivers == 0 { mem::take(&mut state.messages) } else { VecDeque::new() }
        });
        // A message may have the end of another channel in it.
        drop(lock);
        drop(unread);
    }
}

/// Threads, with a stack of one size.
pub(crate) mod thread {
    use std::io;

    pub(crate) use loom::thread::yield_now;

    /// In words.
    const STACK: usize = 1 << 16;

    pub(crate) struct Builder(());

    impl Builder {
        pub(crate) fn new() -> Self {
            Self(())
        }

        pub(crate) fn name(self, _name: String) -> Self {
            self
        }

        pub(crate) fn stack_size(self, _bytes: usize) -> Self {
            self
        }

        pub(crate) fn spawn(self, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
            loom::thread::Builder::new().stack_size(STACK).spawn(work).map(drop)
        }
    }
}
