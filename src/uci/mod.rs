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
mod tasks;
#[cfg(not(target_family = "wasm"))]
mod terminal;

use std::{io, sync::Arc};
#[cfg(single_threaded)]
use std::{io::BufRead as _, ops::ControlFlow};
#[cfg(not(single_threaded))]
use std::{process, thread, time::Duration};

#[cfg(not(target_family = "wasm"))]
pub(crate) use print::{is_closed_pipe, print};
#[cfg(not(target_family = "wasm"))]
pub(crate) use tasks::run_bench;

#[cfg(single_threaded)]
use self::parse::parse;
#[cfg(not(target_family = "wasm"))]
use self::terminal::{Session, Terminal};
use self::{
    frontend::UciFrontend,
    print::{OutputSink, UciOutput},
};
#[cfg(single_threaded)]
use crate::util::run_on_input;
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
#[cfg(not(single_threaded))]
pub(crate) fn run(source: Source) -> io::Result<()> {
    #[cfg(not(target_family = "wasm"))]
    if terminal::is_present() {
        let interactive = matches!(source, Source::Input) && terminal::is_interactive();
        let terminal = Arc::new(Terminal::new(interactive));
        return run_with(terminal.clone(), move |frontend| match source {
            Source::Input => Session::new(frontend, terminal).read(io::stdin().lock()),
            Source::Script(lines) => Session::new(frontend, terminal).run_script(&lines),
        });
    }
    run_with(Arc::new(UciOutput), |frontend| match source {
        Source::Input => frontend.read(io::stdin().lock()),
        Source::Script(lines) => frontend.run_script(&lines),
    })
}

/// Starts a thread that reads, and is the engine's thread.
#[cfg(not(single_threaded))]
fn run_with(sink: Arc<dyn OutputSink>, read: impl FnOnce(UciFrontend) + Send + 'static) -> io::Result<()> {
    let control = Arc::new(Control::new());
    let (sender, commands) = command_channel(BACKLOG_BYTES);
    let frontend = UciFrontend::new(control.clone(), sender, sink.clone(), || force_exit_after(Duration::from_secs(3)));
    let engine = Engine::new(control, move |event, options| sink.on_event(&event, options))?;
    // Not joined: it may wait for input when the engine has nothing more to do.
    thread::Builder::new().name("reader".to_owned()).spawn(move || read(frontend))?;
    engine.run(commands);
    Ok(())
}

/// Reads and executes commands until `quit` or the end of the input, each to its end before the next one is read. So no
/// command ends a search: whoever runs the process does.
///
/// # Errors
/// When memory cannot be allocated.
#[cfg(single_threaded)]
pub(crate) fn run(source: Source) -> io::Result<()> {
    let control = Arc::new(Control::new());
    let (sender, commands) = command_channel(BACKLOG_BYTES);
    let mut frontend = UciFrontend::new(control.clone(), sender, Arc::new(UciOutput), || {});
    let mut engine = Engine::new(control, |event, options| UciOutput.on_event(&event, options))?;
    match source {
        Source::Input => {
            let mut input = io::stdin().lock();
            run_on_input(move || {
                loop {
                    if input.fill_buf().is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock) {
                        return ControlFlow::Continue(());
                    }
                    let read = frontend.read_line(&mut input);
                    engine.execute_all(&commands)?;
                    if read.is_break() {
                        engine.finish(&commands);
                        return read;
                    }
                }
            });
        }
        Source::Script(lines) => {
            for line in lines {
                let executed = frontend.execute(parse(&line));
                if engine.execute_all(&commands).is_break() || executed.is_break() {
                    return Ok(());
                }
            }
            engine.finish(&commands);
        }
    }
    Ok(())
}

/// Ends the process after this time, should it still be alive: a file may not answer, or the output not be read.
#[cfg(not(single_threaded))]
fn force_exit_after(time: Duration) {
    let exit = move || {
        thread::sleep(time);
        process::exit(0);
    };
    if let Err(error) = thread::Builder::new().name("exit".to_owned()).spawn(exit) {
        log::warn!("no thread to force the exit: {error}");
    }
}
