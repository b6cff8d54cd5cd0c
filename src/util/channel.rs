//! Channels on which a thread that waits is asleep.
//!
//! The queues are crossbeam's. A thread that waits in one of crossbeam's own receivers first yields the processor a few
//! times, and on a busy machine each yield lets all other threads run, even if a message comes meanwhile: with twelve
//! busy processes on two cores, a move that took less than a millisecond was answered after 36 ms, and so after 2 ms
//! (docs/notes/performance.md).

use std::{
    mem,
    sync::{Arc, Condvar, Mutex, PoisonError},
    time::{Duration, Instant},
};

pub(crate) use crossbeam_channel::RecvTimeoutError;
use crossbeam_channel::{RecvError, SendError, TryRecvError};

/// Wakes the receiver when a message has come or a sender is gone.
#[derive(Debug, Default)]
struct Bell {
    has_rung: Mutex<bool>,
    rings: Condvar,
}

impl Bell {
    fn ring(&self) {
        *self.has_rung.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.rings.notify_one();
    }

    /// Waits until it rings, unless it has rung since the last time, or until `time` has passed.
    fn wait(&self, time: Duration) {
        let has_rung = self.has_rung.lock().unwrap_or_else(PoisonError::into_inner);
        let result = self.rings.wait_timeout_while(has_rung, time, |has_rung| !*has_rung);
        let (mut has_rung, _) = result.unwrap_or_else(PoisonError::into_inner);
        mem::take(&mut *has_rung);
    }
}

/// Rings when it is dropped, too.
#[derive(Clone, Debug)]
struct Ringer(Arc<Bell>);

impl Drop for Ringer {
    fn drop(&mut self) {
        self.0.ring();
    }
}

/// The end that sends.
#[derive(Debug)]
pub(crate) struct Sender<T> {
    queue: crossbeam_channel::Sender<T>,
    /// Dropped after the queue's sender, which may be the last one.
    ringer: Ringer,
}

/// The end that receives.
#[derive(Debug)]
pub(crate) struct Receiver<T> {
    queue: crossbeam_channel::Receiver<T>,
    bell: Arc<Bell>,
}

/// A channel without a limit.
pub(crate) fn unbounded<T>() -> (Sender<T>, Receiver<T>) {
    let ((sender, receiver), bell) = (crossbeam_channel::unbounded(), Arc::new(Bell::default()));
    (Sender { queue: sender, ringer: Ringer(bell.clone()) }, Receiver { queue: receiver, bell })
}

impl<T> Sender<T> {
    pub(crate) fn send(&self, message: T) -> Result<(), SendError<T>> {
        self.queue.send(message)?;
        self.ringer.0.ring();
        Ok(())
    }
}

impl<T> Clone for Sender<T> {
    fn clone(&self) -> Self {
        Self { queue: self.queue.clone(), ringer: self.ringer.clone() }
    }
}

impl<T> Receiver<T> {
    pub(crate) fn try_recv(&self) -> Result<T, TryRecvError> {
        self.queue.try_recv()
    }

    pub(crate) fn recv(&self) -> Result<T, RecvError> {
        self.recv_timeout(Duration::MAX).map_err(|_| RecvError)
    }

    pub(crate) fn recv_timeout(&self, time: Duration) -> Result<T, RecvTimeoutError> {
        let start = Instant::now();
        loop {
            match self.try_recv() {
                Ok(message) => return Ok(message),
                Err(TryRecvError::Disconnected) => return Err(RecvTimeoutError::Disconnected),
                Err(TryRecvError::Empty) => {}
            }
            let left = time.saturating_sub(start.elapsed());
            if left.is_zero() {
                return Err(RecvTimeoutError::Timeout);
            }
            self.bell.wait(left);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        sync::atomic::{AtomicBool, Ordering::Relaxed},
        thread,
    };

    use super::*;

    #[test]
    fn messages_come_in_order_and_then_the_end() {
        let (sender, receiver) = unbounded();
        assert_eq!(receiver.try_recv(), Err(TryRecvError::Empty));
        let others = [sender.clone(), sender];
        let sending = thread::spawn(move || (0..1000).for_each(|number| others[number % 2].send(number).unwrap()));
        assert!((0..1000).eq((0..1000).map(|_| receiver.recv().unwrap())));
        assert_eq!(receiver.recv(), Err(RecvError));
        assert_eq!(receiver.recv_timeout(Duration::ZERO), Err(RecvTimeoutError::Disconnected));
        sending.join().unwrap();
    }

    #[test]
    fn nobody_waits_longer_than_asked_for() {
        let (sender, receiver) = unbounded::<()>();
        assert_eq!(receiver.recv_timeout(Duration::ZERO), Err(RecvTimeoutError::Timeout));
        let start = Instant::now();
        assert_eq!(receiver.recv_timeout(Duration::from_millis(20)), Err(RecvTimeoutError::Timeout));
        assert!(start.elapsed() >= Duration::from_millis(20));
        drop(receiver);
        assert!(sender.send(()).is_err());
    }

    /// Round trips between two threads beside four busy ones for each processor, in crossbeam's receivers and ours:
    /// those yield, and each yield lets the busy threads run.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_busy_machine_delays_no_message_by_yields() {
        fn round_trips<S: Send + 'static>(
            ends: impl Fn() -> (S, Box<dyn Fn() -> bool + Send>),
            send: fn(&S) -> bool,
        ) -> Duration {
            let ((there, receive), (back, receive_back)) = (ends(), ends());
            let start = Instant::now();
            let echo = thread::spawn(move || while receive() && send(&back) {});
            for _ in 0..20 {
                assert!(send(&there) && receive_back());
            }
            drop(there);
            echo.join().unwrap();
            start.elapsed()
        }
        let stop = Arc::new(AtomicBool::new(false));
        let busy: Vec<_> = (0..4 * thread::available_parallelism().unwrap().get())
            .map(|_| {
                let stop = stop.clone();
                thread::spawn(move || while !stop.load(Relaxed) {})
            })
            .collect();
        let ours = || {
            let ends = || {
                let (sender, receiver) = unbounded::<()>();
                (sender, Box::new(move || receiver.recv().is_ok()) as Box<_>)
            };
            round_trips(ends, |sender| sender.send(()).is_ok())
        };
        let theirs = || {
            let ends = || {
                let (sender, receiver) = crossbeam_channel::unbounded::<()>();
                (sender, Box::new(move || receiver.recv().is_ok()) as Box<_>)
            };
            round_trips(ends, |sender| sender.send(()).is_ok())
        };
        let times: Vec<_> = (0..5).map(|_| (ours(), theirs())).collect();
        stop.store(true, Relaxed);
        busy.into_iter().for_each(|thread| thread.join().unwrap());
        assert!(times.iter().any(|&(ours, theirs)| 2 * ours < theirs), "{times:?}");
        println!("{times:?}");
    }

    /// The last sender may go while the receiver is asleep.
    #[test]
    fn the_end_wakes_the_receiver() {
        for _ in 0..100 {
            let (sender, receiver) = unbounded::<()>();
            let waiting = thread::spawn(move || receiver.recv());
            drop(sender);
            assert!(waiting.join().unwrap().is_err());
        }
    }
}
