//! The command line.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

#[cfg(feature = "lab")]
mod data;
mod magics;
mod perft;
mod sliders;

use std::{error::Error, ffi::OsString, process::ExitCode, sync::Arc};

use clap::{
    CommandFactory, Parser, Subcommand,
    builder::{PossibleValuesParser, TypedValueParser},
};
use once_cell::sync::Lazy;

use crate::{
    attacks::{Backend, Pext},
    bench::{self, Bench},
    nnue::{Kernel, Network},
    search::Control,
    types::Depth,
    uci::{self, Source},
};
#[cfg(feature = "lab")]
use crate::{datagen, train};

/// What `--version` says: the version, and what this machine will run on.
static VERSION: Lazy<String> = Lazy::new(|| format!("{}\n{}", env!("CARGO_PKG_VERSION"), machine().join("\n")));

/// The instructions that were found or asked for, a line for each use of them.
fn machine() -> [String; 2] {
    let backend = Backend::detect();
    let fills = backend == Backend::Pext && Pext::detect().is_some_and(Pext::fills);
    let fill = if fills { ", sets of them by AVX-512 fill" } else { "" };
    [format!("sliders: {backend}{fill}"), format!("network: {}", Kernel::chosen().name())]
}

/// A UCI chess engine
///
/// Without arguments, Sleight speaks UCI on standard input and output, and shows boards and tables at a terminal;
/// `help` there lists what can be said.
#[derive(Parser, Debug)]
#[command(name = "sleight", version, long_version = VERSION.as_str())]
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
    Perft(perft::Perft),
    /// Check every system of slider attacks, and time them side by side
    Sliders(sliders::Sliders),
    /// Print the magic numbers that rooks and bishops are looked up with
    Magics(magics::Magics),
    /// Play games against itself for networks to learn from
    #[cfg(feature = "lab")]
    Datagen(datagen::Options),
    /// Print the search tunables, a line each, as OpenBench's SPSA form takes them
    #[cfg(feature = "tune")]
    Spsa,
    /// Say what is in files of such games
    #[cfg(feature = "lab")]
    Data(data::Data),
    /// Train a network on such games
    #[cfg(feature = "lab")]
    Train(Box<train::Options>),
}

/// Reads the name of a slider backend.
fn backend() -> impl TypedValueParser<Value = Backend> {
    PossibleValuesParser::new(Backend::ALL.map(Backend::name)).try_map(|name| name.parse::<Backend>())
}

/// Does what the process's arguments say.
pub fn run() -> ExitCode {
    log::debug!("{}", machine().join("; "));
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let done = if is_script(&arguments) { play(&arguments) } else { act(Arguments::parse().command) };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("sleight: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Whether the arguments are UCI commands, one each. A word that is also the name of an action of ours, such as
/// `bench`, is one if commands follow it and nothing else; but `help bench` asks for help.
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

/// Obeys UCI commands, unless one of them is none. They may hold paths, and those need not be text.
fn play(arguments: &[OsString]) -> Result<(), Box<dyn Error>> {
    let lines: Vec<_> = arguments.iter().map(|argument| argument.as_encoded_bytes().to_vec()).collect();
    match lines.iter().find(|line| !uci::is_command(line)) {
        Some(line) => Err(format!("`{}` is no UCI command", String::from_utf8_lossy(line).escape_debug()).into()),
        None => Ok(uci::run(Source::Script(lines))?),
    }
}

fn act(action: Option<Action>) -> Result<(), Box<dyn Error>> {
    match action {
        None => uci::run(Source::Input).map_err(Into::into),
        Some(Action::Bench { depth }) => bench(depth),
        Some(Action::Perft(perft)) => perft.run(),
        Some(Action::Sliders(sliders)) => sliders.run(),
        Some(Action::Magics(magics)) => magics.run(),
        #[cfg(feature = "lab")]
        Some(Action::Datagen(options)) => datagen::run(&options).map(|_| ()).map_err(Into::into),
        #[cfg(feature = "tune")]
        Some(Action::Spsa) => {
            crate::params::all().iter().for_each(|tunable| uci::print(&tunable.spsa_line()));
            Ok(())
        }
        #[cfg(feature = "lab")]
        Some(Action::Data(data)) => data.run(),
        #[cfg(feature = "lab")]
        Some(Action::Train(options)) => train::run(&options, &mut uci::write_optional).map_err(Into::into),
    }
}

fn bench(depth: Depth) -> Result<(), Box<dyn Error>> {
    let bench = Bench {
        depth,
        backend: Backend::detect(),
        network: Network::embedded(),
        control: Arc::new(Control::new()),
        search_id: 1,
    };
    Ok(uci::run_bench(&bench)?)
}
