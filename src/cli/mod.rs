//! The command line.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod perft;

use std::{
    error::Error,
    ffi::OsString,
    io::{self, Write as _},
    process::ExitCode,
    sync::Arc,
};

use clap::{CommandFactory, Parser, Subcommand};
use once_cell::sync::Lazy;

use crate::{
    attacks::Lookup,
    bench::{self, Bench},
    nnue::{Kernel, Network},
    search::Control,
    terminal,
    types::Depth,
    uci,
    util::{Source, is_closed_pipe, print},
};

/// The text of `--version`: the version, the code paths chosen for this processor, and what the build is for.
static VERSION: Lazy<String> = Lazy::new(|| format!("{}\n{}", env!("SLEIGHT_VERSION"), machine().join("\n")));

/// The lookup of sliders, the network kernel, and the target and commit of the build, a line each.
fn machine() -> [String; 3] {
    let lookup = Lookup::detect();
    let fill = lookup.fill().map_or_else(String::new, |fill| format!(", several at once by Kogge-Stone fill ({fill})"));
    [
        format!("sliders: {}{fill}", lookup.name()),
        format!("network: {}", Kernel::detect().name()),
        concat!("build: ", env!("SLEIGHT_BUILD")).to_owned(),
    ]
}

/// A UCI chess engine
///
/// Without arguments, Sleight speaks UCI on standard input and output, or a more readable form of it at a terminal,
/// where `help` lists the commands.
#[derive(Parser, Debug)]
#[command(name = "sleight", version = env!("SLEIGHT_VERSION"), long_version = VERSION.as_str())]
#[command(after_help = "Every other argument is a UCI command; each waits for the one before it:\n  \
    sleight \"position startpos moves e2e4\" \"go depth 10\" quit")]
struct Arguments {
    #[command(subcommand)]
    command: Option<Action>,
}

#[derive(Subcommand, Debug)]
enum Action {
    /// Search the bench positions; ends with `N nodes M nps`
    Bench {
        /// Plies to search each
        #[arg(default_value_t = bench::DEPTH)]
        depth: Depth,
    },
    /// Count the leaves of the tree of legal moves; ends with `N nodes M nps`
    Perft(perft::PerftArguments),
    /// Print the search tunables as lines for OpenBench's SPSA form
    #[cfg(feature = "tune")]
    Spsa,
}

/// Runs the subcommand or the UCI commands that the process's arguments give, or the UCI loop.
pub fn run() -> ExitCode {
    log::debug!("{}", machine().join("; "));
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let done = if is_script(&arguments) {
        run_script(&arguments)
    } else {
        match Arguments::try_parse() {
            Ok(arguments) => run_action(arguments.command),
            Err(message) => return show(&message),
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failure(&*error),
    }
}

/// Shows the parser's message: help or the version on standard output, an error on standard error.
fn show(message: &clap::Error) -> ExitCode {
    match message.print().and_then(|()| io::stdout().flush()) {
        Err(error) if !message.use_stderr() && !is_closed_pipe(&error) => failure(&error),
        _ => u8::try_from(message.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from),
    }
}

/// Reports an error, if anyone reads standard error.
fn failure(error: &dyn Error) -> ExitCode {
    let _ = writeln!(io::stderr(), "sleight: {error}");
    ExitCode::FAILURE
}

/// True if each argument is a UCI command. A word that is also a subcommand, such as `bench`, counts as a UCI command
/// only if other UCI commands follow it and nothing else; `help bench` asks for help.
fn is_script(arguments: &[OsString]) -> bool {
    let Some((first, rest)) = arguments.split_first() else { return false };
    let is_command = |argument: &OsString| uci::is_command(argument.as_encoded_bytes());
    let is_action = |argument: &OsString| Arguments::command().find_subcommand(argument).is_some();
    let (alone, followed) = (rest.is_empty(), rest.iter().all(is_command));
    match rest {
        _ if !is_command(first) => false,
        [subject] if first == "help" => followed && !is_action(subject),
        _ => followed && !alone || first != "help" && !is_action(first),
    }
}

/// Runs UCI commands, if all of them are commands. Paths in them need not be valid UTF-8.
fn run_script(arguments: &[OsString]) -> Result<(), Box<dyn Error>> {
    let lines: Vec<_> = arguments.iter().map(|argument| argument.as_encoded_bytes().to_vec()).collect();
    match lines.iter().find(|line| !uci::is_command(line)) {
        Some(line) => Err(format!("`{}` is no UCI command", String::from_utf8_lossy(line).escape_debug()).into()),
        None => start(Source::Script(lines.into_iter())),
    }
}

fn run_action(action: Option<Action>) -> Result<(), Box<dyn Error>> {
    match action {
        None => start(Source::Input),
        Some(Action::Bench { depth }) => bench(depth),
        Some(Action::Perft(perft)) => perft.run(),
        #[cfg(feature = "tune")]
        Some(Action::Spsa) => {
            crate::params::all().iter().for_each(|tunable| print(&tunable.spsa_line()));
            Ok(())
        }
    }
}

/// Runs the engine.
fn start(source: Source) -> Result<(), Box<dyn Error>> {
    let run = if terminal::is_present() { terminal::run } else { uci::run };
    run(source).map_err(|error| format!("cannot start the engine: {error}").into())
}

fn bench(depth: Depth) -> Result<(), Box<dyn Error>> {
    let bench = Bench { depth, network: Network::embedded(), control: Arc::new(Control::new()), search_id: 1 };
    let signature = bench.run(|line| print(&line))?;
    print(&signature.to_string());
    Ok(())
}
