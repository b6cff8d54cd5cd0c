//! Command-line options of `sleight-lab label`.

use std::path::PathBuf;

use crate::train::{default_threads, threads};

/// Options of `sleight-lab label`.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct LabelOptions {
    /// Games in viriformat (.vf) or positions in bulletformat (.bullet, .bin, .data) to give new scores to
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Output directory, in which each file keeps its name; a file that is there is not labelled again, and an
    /// interrupted one is continued
    #[arg(long, short, default_value = "labelled")]
    pub out: PathBuf,
    /// Network file of Stockfish 15.1 to 18, whose static evaluation is the score
    #[arg(long, required_unless_present = "engine", conflicts_with = "engine")]
    pub teacher: Option<PathBuf>,
    /// Command of a UCI engine whose searches give the scores, split at spaces; one process for each thread
    #[arg(long, requires = "limit")]
    pub engine: Option<String>,
    /// Limit of each search: nodes
    #[arg(long, group = "limit", requires = "engine", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Limit of each search: depth
    #[arg(long, group = "limit", requires = "engine", value_parser = clap::value_parser!(u64).range(1..))]
    pub depth: Option<u64>,
    /// Limit of each search: milliseconds
    #[arg(long, group = "limit", requires = "engine", value_parser = clap::value_parser!(u64).range(1..))]
    pub movetime: Option<u64>,
    /// UCI option of the engine as NAME=VALUE; may be repeated
    #[arg(long = "option", requires = "engine", value_parser = name_and_value)]
    pub engine_options: Vec<(String, String)>,
    /// Threads
    #[arg(long, default_value_t = default_threads(), value_parser = threads)]
    pub threads: usize,
}

fn name_and_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() && !text.contains(['\n', '\r']) => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err("expected NAME=VALUE".to_owned()),
    }
}
