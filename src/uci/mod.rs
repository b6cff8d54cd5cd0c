//! The UCI protocol: commands from standard input, answers on standard output. At a terminal the answers are for a
//! person.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod eval_trace;
mod fallback;
mod frontend;
mod input;
mod lines;
mod parse;
mod print;
#[cfg(all(test, loom))]
mod protocol_tests;
#[cfg(target_family = "wasm")]
mod single_thread;
mod tasks;
#[cfg(not(target_family = "wasm"))]
mod terminal;

#[cfg(not(target_family = "wasm"))]
use std::{io, process, sync::Arc, thread, time::Duration};

#[cfg(feature = "lab")]
pub(crate) use print::write_optional;
pub(crate) use print::{is_closed_pipe, print};
#[cfg(target_family = "wasm")]
pub(crate) use single_thread::run;
pub(crate) use tasks::run_bench;

#[cfg(not(target_family = "wasm"))]
use self::{
    frontend::UciFrontend,
    print::{OutputSink, UciOutput},
    terminal::{Session, Terminal},
};
#[cfg(not(target_family = "wasm"))]
use crate::{
    engine::{BACKLOG_BYTES, Engine, command_channel},
    search::Control,
};

/// Where commands come from.
#[derive(Debug)]
pub(crate) enum Source {
    /// Standard input, until it ends.
    Input,
    /// These lines, each when the one before it has been done; then the end.
    Script(Vec<Vec<u8>>),
}

/// True if the line begins with the name of a command.
pub fn is_command(line: &[u8]) -> bool {
    String::from_utf8_lossy(line).split_whitespace().next().is_some_and(|word| input::Keyword::of(word).is_some())
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
#[cfg(not(target_family = "wasm"))]
pub(crate) fn run(source: Source) -> io::Result<()> {
    let control = Arc::new(Control::new());
    let (sender, commands) = command_channel(BACKLOG_BYTES);
    let interactive = matches!(source, Source::Input) && terminal::is_interactive();
    let terminal = terminal::is_present().then(|| Arc::new(Terminal::new(interactive)));
    let sink: Arc<dyn OutputSink> = match &terminal {
        Some(terminal) => terminal.clone(),
        None => Arc::new(UciOutput),
    };
    let frontend = UciFrontend::new(control.clone(), sender, sink.clone(), || force_exit_after(Duration::from_secs(3)));
    let engine = Engine::new(control, move |event, options| sink.on_event(&event, options))?;
    // Not joined: it may wait for input when the engine has nothing more to do.
    thread::Builder::new().name("reader".to_owned()).spawn(move || match (terminal, source) {
        (None, Source::Input) => frontend.read(io::stdin().lock()),
        (None, Source::Script(lines)) => frontend.run_script(&lines),
        (Some(terminal), Source::Input) => Session::new(frontend, terminal).read(io::stdin().lock()),
        (Some(terminal), Source::Script(lines)) => Session::new(frontend, terminal).run_script(&lines),
    })?;
    engine.run(commands);
    Ok(())
}

/// Ends the process after this time, should it still be alive: a file may not answer, or the output not be read.
#[cfg(not(target_family = "wasm"))]
fn force_exit_after(time: Duration) {
    let exit = move || {
        thread::sleep(time);
        process::exit(0);
    };
    if let Err(error) = thread::Builder::new().name("exit".to_owned()).spawn(exit) {
        log::warn!("no thread to force the exit: {error}");
    }
}
