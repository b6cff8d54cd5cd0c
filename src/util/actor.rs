//! Actors: each executes the messages that it is sent, one after the other, in a thread of its own. Where there are no
//! threads, whoever sends a message executes it, unless the actor is at work: then it comes to that message next.

use std::{ops::ControlFlow, time::Duration};

/// The function by which an actor handles a message. It says when to call it next without one, if none has come before,
/// or that it has ended. Where no time passes, in a build without threads or in a model, it is never called without
/// one.
pub(crate) type Handler<M> = Box<dyn FnMut(Option<M>) -> ControlFlow<(), Duration>>;

/// An actor that waits for its next message, however long that takes.
pub(crate) const WAIT: ControlFlow<(), Duration> = ControlFlow::Continue(Duration::MAX);

pub(crate) use imp::{Inbox, Mailbox};

/// A mailbox, and the inbox behind it, for an actor that is yet to be started.
pub(crate) fn actor<M>() -> (Mailbox<M>, Inbox<M>) {
    imp::actor()
}

#[cfg(not(single_threaded))]
mod imp {
    use std::{io, time::Duration};

    use super::Handler;
    use crate::util::sync::{Receiver, RecvTimeoutError, Sender, thread, unbounded};

    /// The sender of an actor's messages. The actor ends after the last of them, if nobody can send
    /// another.
    #[derive(Debug)]
    pub(crate) struct Mailbox<M>(Sender<M>);

    /// The receiver of an actor's messages.
    #[derive(Debug)]
    pub(crate) struct Inbox<M>(Receiver<M>);

    pub(super) fn actor<M>() -> (Mailbox<M>, Inbox<M>) {
        let (sender, receiver) = unbounded();
        (Mailbox(sender), Inbox(receiver))
    }

    impl<M> Clone for Mailbox<M> {
        fn clone(&self) -> Self {
            Self(self.0.clone())
        }
    }

    impl<M> Mailbox<M> {
        /// Returns false if the actor has ended.
        pub(crate) fn send(&self, message: M) -> bool {
            self.0.send(message).is_ok()
        }
    }

    impl<M: Send + 'static> Inbox<M> {
        /// Starts the actor in a thread with a stack of `stack_bytes`, and waits until `start` has made its handler.
        /// The standard library aborts if a new thread finds no memory for its signal stack, so threads must not start
        /// at once.
        ///
        /// # Errors
        /// Those of `start`, or if the system starts no thread.
        pub(crate) fn serve(
            self,
            name: &str,
            stack_bytes: usize,
            start: impl FnOnce() -> io::Result<Handler<M>> + Send + 'static,
        ) -> io::Result<()> {
            let (ready, started) = unbounded();
            let run = move || match start() {
                Ok(handler) => {
                    drop(ready.send(Ok(())));
                    self.execute(handler);
                }
                Err(error) => drop(ready.send(Err(error))),
            };
            thread::Builder::new().name(name.to_owned()).stack_size(stack_bytes).spawn(run)?;
            started.recv().unwrap_or_else(|_| Err(io::ErrorKind::OutOfMemory.into()))
        }

        fn execute(self, mut handler: Handler<M>) {
            let mut patience = Duration::MAX;
            loop {
                let message = match self.0.recv_timeout(patience) {
                    Ok(message) => Some(message),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => return,
                };
                match handler(message).continue_value() {
                    Some(time) => patience = time,
                    None => return,
                }
            }
        }
    }
}

#[cfg(single_threaded)]
mod imp {
    use std::{cell::RefCell, collections::VecDeque, io, rc::Rc};

    use super::Handler;

    /// The sender of an actor's messages.
    pub(crate) struct Mailbox<M>(Rc<Actor<M>>);

    /// The receiver of an actor's messages.
    pub(crate) struct Inbox<M>(Rc<Actor<M>>);

    struct Actor<M> {
        messages: RefCell<VecDeque<M>>,
        /// None before the actor is started and after its end.
        handler: RefCell<Option<Handler<M>>>,
    }

    pub(super) fn actor<M>() -> (Mailbox<M>, Inbox<M>) {
        let actor = Rc::new(Actor { messages: RefCell::default(), handler: RefCell::default() });
        (Mailbox(actor.clone()), Inbox(actor))
    }

    impl<M> Clone for Mailbox<M> {
        fn clone(&self) -> Self {
            Self(self.0.clone())
        }
    }

    impl<M> Mailbox<M> {
        /// Returns false if the actor has ended.
        pub(crate) fn send(&self, message: M) -> bool {
            self.0.messages.borrow_mut().push_back(message);
            // The actor is at work if its handler is borrowed.
            let Ok(mut handler) = self.0.handler.try_borrow_mut() else { return true };
            loop {
                let Some(handle) = handler.as_mut() else { return false };
                let message = self.0.messages.borrow_mut().pop_front();
                if message.is_none() {
                    return true;
                }
                if handle(message).is_break() {
                    *handler = None;
                }
            }
        }
    }

    impl<M> Inbox<M> {
        /// Starts the actor.
        ///
        /// # Errors
        /// Those of `start`.
        pub(crate) fn serve(
            self,
            _name: &str,
            _stack_bytes: usize,
            start: impl FnOnce() -> io::Result<Handler<M>>,
        ) -> io::Result<()> {
            let handler = start()?;
            *self.0.handler.borrow_mut() = Some(handler);
            Ok(())
        }
    }
}
