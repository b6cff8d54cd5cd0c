//! The command line.

mod data;
mod magics;
mod sliders;

use std::{
    error::Error,
    io::{self, Write as _},
    process::{self, ExitCode},
};

use clap::{Parser, Subcommand};

use crate::{datagen, label, train};

/// Self-play, network training and measurements of the chess engine Sleight
#[derive(Parser, Debug)]
#[command(name = "sleight-lab", version)]
struct Arguments {
    #[command(subcommand)]
    command: Action,
}

#[derive(Subcommand, Debug)]
enum Action {
    /// Generate training data by self-play
    Datagen(datagen::DatagenOptions),
    /// Sample a book of openings from own play
    Openings(datagen::OpeningsOptions),
    /// Summarize files of training data
    Data(data::Data),
    /// Train a network on files of self-play games
    Train(Box<train::TrainOptions>),
    /// Label files of training data: scores by a network of Stockfish's, or by any UCI engine
    Label(label::LabelOptions),
    /// Check and time every slider-attack system
    Sliders(sliders::SlidersArguments),
    /// Count perft with slider-attack systems
    Perft(sliders::PerftArguments),
    /// Repeat Table 4 of the paper on perfect hashing (Fenner and Levene, 2008)
    Paper(sliders::Paper),
    /// Print the magic numbers, or find others
    Magics(magics::Magics),
}

/// Runs the command that the process's arguments give.
pub fn run() -> ExitCode {
    let done = match Arguments::parse().command {
        Action::Datagen(options) => datagen::run(&options).map(|_| ()).map_err(Into::into),
        Action::Openings(options) => datagen::sample_openings(&options).map(|_| ()).map_err(Into::into),
        Action::Data(data) => data.run(),
        Action::Train(options) => train::run(&options, &mut write_optional).map_err(Into::into),
        Action::Label(options) => label::run(&options).map_err(Into::into),
        Action::Sliders(sliders) => sliders.run(),
        Action::Perft(perft) => perft.run(),
        Action::Paper(paper) => paper.run(),
        Action::Magics(magics) => magics.run(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failure(&*error),
    }
}

/// Reports an error, if anyone reads standard error.
fn failure(error: &dyn Error) -> ExitCode {
    let _ = writeln!(io::stderr(), "sleight-lab: {error}");
    ExitCode::FAILURE
}

/// Prints a line. Exits with status 0 when the pipe is closed, and with status 1 when the line cannot be written for
/// another reason.
fn print(text: &str) {
    if let Err(error) = writeln!(io::stdout(), "{text}") {
        if error.kind() == io::ErrorKind::BrokenPipe {
            process::exit(0);
        }
        failure(&error);
        process::exit(1);
    }
}

/// Prints a line, or drops it when the pipe is closed, for work that is worth finishing all the same.
fn write_optional(text: &str) {
    match writeln!(io::stdout(), "{text}") {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => log::warn!("cannot write: {error}"),
        _ => {}
    }
}
