use std::{fmt, sync::Arc};

use super::options::EngineOptions;
use crate::{nnue::Network, position::Position, search::Control};

/// Work that needs the engine's state but is not a search, such as drawing the board or perft.
pub(crate) struct Task(Box<dyn FnOnce(&TaskContext) + Send>);

impl Task {
    /// Wraps a closure that gets the state at the time it is run.
    pub(crate) fn new(work: impl FnOnce(&TaskContext) + Send + 'static) -> Self {
        Self(Box::new(work))
    }

    pub(super) fn run(self, context: &TaskContext) {
        (self.0)(context);
    }
}

impl fmt::Debug for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Task")
    }
}

/// The state of the engine as a [`Task`] sees it.
#[derive(Debug)]
pub(crate) struct TaskContext {
    /// The current position; `None` after a `position` command that was refused.
    pub position: Option<Position>,
    /// The options in effect.
    pub options: EngineOptions,
    /// The network in use.
    pub network: Arc<Network>,
    /// The flags that stop a long task, as they stop a search.
    pub control: Arc<Control>,
}
