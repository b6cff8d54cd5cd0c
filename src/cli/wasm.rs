//! The command line where the engine is a part of a page, which downloads it: no subcommands.

use std::{
    ffi::OsString,
    io::{self, Write as _},
    process::ExitCode,
};

use crate::{uci, util::Source};

/// Runs the UCI commands that the process's arguments give, or the UCI loop if there are none.
pub fn run() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let lines: Vec<Vec<u8>> = arguments.into_iter().map(OsString::into_encoded_bytes).collect();
    match uci::run(if lines.is_empty() { Source::Input } else { Source::Script(lines.into_iter()) }) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "sleight: cannot start the engine: {error}");
            ExitCode::FAILURE
        }
    }
}
