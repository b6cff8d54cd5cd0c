//! Command-line options of `sleight-lab datagen`, and the totals that a run works towards.

use std::{ffi::OsString, num::NonZeroU64, path::PathBuf};

use clap::Args;

/// Options of a self-play run.
#[derive(Args, Clone, Debug)]
pub struct DatagenOptions {
    /// Output directory, created if missing, with one file per thread: t00.vf and so on. Games in these files stay and
    /// count towards the totals, so the same command resumes an interrupted run
    #[arg(long)]
    pub out: PathBuf,
    /// Games played at the same time, each in its own thread
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    /// Soft node limit of a search whose score is recorded: nodes after which no new iteration begins
    #[arg(long, default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Playout cap: soft node limit of a search that every ply gets. Only some plies get one of `--nodes`, too, and a
    /// score in the file [default: every ply gets one of `--nodes` alone]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    pub short_nodes: Option<u64>,
    /// With `--short-nodes`: one quiet ply in SHARE has a score
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..), requires = "short_nodes")]
    pub share: u16,
    /// With `--short-nodes`: first ply that may have a score, counted by the move number of the start position
    #[arg(long, default_value_t = 8, requires = "short_nodes")]
    pub first_ply: u32,
    /// Seed of the random moves
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Stop at this number of positions with a score in the files of these threads
    #[arg(long)]
    pub positions: Option<u64>,
    /// Stop at this number of games in the files of these threads
    #[arg(long)]
    pub games: Option<u64>,
    /// Opening book: a file of FEN or EPD lines to start from, in place of the standard position
    #[arg(long)]
    pub book: Option<PathBuf>,
    /// Sample the openings from own play in place of random plies: MultiPV searches of this soft node limit, one for
    /// each ply, from which a move is drawn
    #[arg(long, value_name = "NODES", conflicts_with_all = ["book", "random_plies"])]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub sample: Option<u64>,
    /// Also write one in N of the positions that the searches evaluate to t00.bullet and so on, with the network's
    /// evaluation as score, no position twice: for `sleight-lab label`. At least the number of threads
    #[arg(long, value_name = "N")]
    pub evaluated: Option<NonZeroU64>,
    /// Percentage of games that start from a Chess960 position, in half of them another for each side
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u8).range(0..=100))]
    pub chess960: u8,
    /// Random plies of each opening, or one more [default: 8, with a book 4]
    #[arg(long, value_parser = clap::value_parser!(u32).range(0..=100))]
    pub random_plies: Option<u32>,
    /// Transposition table of each thread, in MiB
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..))]
    pub hash: u16,
    /// Directories of Syzygy tablebases, which adjudicate games as soon as they know the result
    #[arg(long, value_name = "PATH")]
    pub syzygy: Option<OsString>,
}

/// The contents of the output files.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Totals {
    /// The number of whole games.
    pub games: u64,
    /// The number of positions with a score.
    pub positions: u64,
}
