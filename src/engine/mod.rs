//! The engine thread: it owns the game, the options and the search threads; commands go in, events come out.
//!
//! Nothing in here reads or prints.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod command;
mod error;
mod event;
mod event_loop;
mod game;
mod hold;
mod limits;
mod options;
mod pool;
mod resources;
mod searching;
mod state;
mod strength;
mod task;

pub use command::{Command, Go, GoRequest, InputError, Setup, SetupError};
pub use error::{EngineError, GoError};
pub use event::{Event, Notice, Progress};
pub use event_loop::Engine;
pub use game::{GameError, flipped, set_up};
pub use options::{EngineOptions, OPTIONS, OptionError, OptionSpec, Setting, announcements};
pub use task::{Task, TaskContext};
