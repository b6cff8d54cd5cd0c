//! The player: it owns the game, the options and the searching threads; commands go in, events come out.
//!
//! Nothing in here reads or prints.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod command;
mod event;
mod game;
mod options;
mod player;
mod pool;
mod strength;
mod thinking;

pub use command::{Command, Go, GoRequest, Setting, Setup, SetupError, Task, TaskContext};
pub use event::{Event, Style};
pub use game::{GameError, flipped, set_up};
pub use options::{OPTIONS, OptionError, OptionRow, Options, announcements};
pub use player::Engine;
