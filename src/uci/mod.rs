//! The UCI protocol: commands from standard input, answers on standard output.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod display;
mod error;
mod options;
mod parse;
mod print;
#[cfg(all(test, loom))]
mod protocol_tests;
mod session;
mod tasks;

use std::{io, sync::Arc};

use crate::{
    engine::{BACKLOG_BYTES, Engine},
    util::Source,
};

#[cfg(not(target_family = "wasm"))]
pub(crate) use self::{
    error::InputError,
    parse::{Parsed, UciCommand, parse},
    print::{NAME, Output, show_message},
    session::Session,
};
pub(crate) use self::{print::UciOutput, session::serve};

/// True if the line begins with the name of a command.
pub fn is_command(line: &[u8]) -> bool {
    String::from_utf8_lossy(line).split_whitespace().next().is_some_and(|word| parse::command_name(word).is_some())
}

/// The debug form of the command that a line of input, given without its line end, is parsed to. Meant for fuzzing:
/// every byte string has an answer.
pub fn reading(line: &[u8]) -> String {
    format!("{:?}", parse::parse(line))
}

/// Reads and executes commands until `quit` or the end of the input.
///
/// # Errors
/// When a thread cannot be started or memory cannot be allocated.
pub(crate) fn run(source: Source) -> io::Result<()> {
    Engine::start(Arc::new(UciOutput), BACKLOG_BYTES).map(|engine| serve(engine, Arc::new(UciOutput), source))
}
