//! The channel of commands from the reader to the engine. What waits in it takes a limited amount of memory.

use std::{
    mem,
    sync::{Arc, PoisonError},
};

use super::command::Command;
use crate::util::sync::{Condvar, Mutex, MutexGuard, Receiver, SendError, Sender, unbounded};

/// Bytes that the commands in the channel and in the engine's queue may take, and one more command.
pub(crate) const BACKLOG_BYTES: usize = 1 << 20;

/// What a command takes besides the contents of its line, in bytes.
const COMMAND_BYTES: usize = 256;

/// A channel in which commands of `limit` bytes may wait.
pub(crate) fn command_channel(limit: usize) -> (CommandSender, CommandReceiver) {
    let backlog = Arc::new(Backlog { limit, bytes: Mutex::new(0), room: Condvar::new() });
    let (sender, receiver) = unbounded();
    (CommandSender { sender, backlog: backlog.clone() }, CommandReceiver { receiver, backlog })
}

/// The reader's end.
#[derive(Debug)]
pub(crate) struct CommandSender {
    sender: Sender<QueuedCommand>,
    backlog: Arc<Backlog>,
}

impl CommandSender {
    /// Sends a command of a line of `line_bytes`. Waits while the limit is reached; not where there are no threads, as
    /// the engine would not run meanwhile.
    ///
    /// # Errors
    /// When the engine has ended.
    pub(crate) fn send(&self, command: Command, line_bytes: usize) -> Result<(), EngineEnded> {
        if cfg!(not(single_threaded)) {
            self.backlog.wait_for_room();
        }
        let sent = {
            // Taken and sent under one lock: the engine never finds the backlog full of a command that is not there yet.
            let mut taken = self.backlog.bytes();
            let share = Share { backlog: self.backlog.clone(), bytes: COMMAND_BYTES + line_bytes };
            *taken += share.bytes;
            self.sender.send(QueuedCommand { command, _share: share })
        };
        // A command that was not sent gives its share back here, after the lock.
        sent.map_err(|SendError(_)| EngineEnded)
    }
}

/// The engine has ended, and executes no more commands.
#[derive(Debug)]
pub(crate) struct EngineEnded;

/// The engine's end.
#[derive(Debug)]
pub(crate) struct CommandReceiver {
    pub(super) receiver: Receiver<QueuedCommand>,
    backlog: Arc<Backlog>,
}

impl CommandReceiver {
    /// True if no command can come before one of those that were received has been executed.
    pub(super) fn is_blocked(&self) -> bool {
        self.backlog.is_full() && self.receiver.is_empty()
    }

    /// The commands that were sent, until the sender is gone.
    #[cfg(test)]
    pub(crate) fn sent(&self) -> impl Iterator<Item = Command> {
        self.receiver.iter().map(|queued| queued.command)
    }
}

/// A command, and the share of the backlog that it takes until it has been executed.
#[derive(Debug)]
pub(crate) struct QueuedCommand {
    pub(super) command: Command,
    pub(super) _share: Share,
}

/// The memory of the commands that have been sent and not executed.
#[derive(Debug)]
struct Backlog {
    limit: usize,
    bytes: Mutex<usize>,
    /// Notified when the limit is no longer reached.
    room: Condvar,
}

impl Backlog {
    fn bytes(&self) -> MutexGuard<'_, usize> {
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_full(&self) -> bool {
        *self.bytes() >= self.limit
    }

    fn wait_for_room(&self) {
        let mut bytes = self.bytes();
        while *bytes >= self.limit {
            bytes = self.room.wait(bytes).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// A part of the backlog, given back when it is dropped.
#[derive(Debug)]
pub(super) struct Share {
    backlog: Arc<Backlog>,
    bytes: usize,
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut bytes = self.backlog.bytes();
        *bytes -= mem::take(&mut self.bytes);
        if *bytes < self.backlog.limit {
            self.backlog.room.notify_all();
        }
    }
}
