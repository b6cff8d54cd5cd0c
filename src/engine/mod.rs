//! The engine thread: it owns the game, the options and the search threads; commands go in, events come out.
//!
//! Nothing in here reads or prints.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod best_move_hold;
mod command;
mod command_channel;
mod error;
mod event;
mod event_loop;
mod go_limits;
#[cfg(loom)]
mod model_worker;
mod ongoing_search;
mod options;
#[cfg_attr(single_threaded, path = "single_worker.rs")]
mod pool;
mod position_command;
mod resources;
mod state;
mod strength;
mod task;
mod worker_event;

pub(crate) use command::{Command, Go, GoRequest, InputError, PositionCommand, SetupError};
pub(crate) use command_channel::{BACKLOG_BYTES, CommandSender, command_channel};
pub(crate) use error::EngineError;
pub(crate) use event::{Event, Notice};
pub(crate) use event_loop::Engine;
#[cfg(all(test, loom))]
pub(crate) use model_worker::CLEARS_STOP;
pub(crate) use options::{EngineOptions, Setting, announcements};
pub(crate) use position_command::GameError;
#[cfg(not(target_family = "wasm"))]
pub(crate) use position_command::{flipped, set_up};
pub(crate) use task::{Task, TaskContext};
#[cfg(test)]
pub(crate) use {event::Progress, options::OptionError};
