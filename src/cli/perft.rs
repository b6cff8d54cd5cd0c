//! The subcommand `perft`, on any number of threads.

use std::{error::Error, time::Instant};

use clap::Args;

use crate::{
    attacks::Lookup,
    bench::NodesAndTime,
    notation::UciMove,
    perft::{self, Divide, Perft, PerftTable},
    position::{Position, STARTPOS},
    util::print,
};

#[derive(Args, Debug)]
pub(super) struct PerftArguments {
    /// Depth in plies
    #[arg(value_parser = clap::value_parser!(u32).range(..=i64::from(perft::MAX_DEPTH)))]
    depth: u32,
    /// The root position; Chess960 castling rights in X-FEN or Shredder-FEN
    #[arg(long, default_value = STARTPOS)]
    fen: String,
    /// Number of threads
    #[arg(long, default_value = "1", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Use a hash table of this size in MiB
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: Option<u32>,
    /// Print the count below each first move
    #[arg(long)]
    divide: bool,
    /// Write castling as king takes rook
    #[arg(long, requires = "divide")]
    chess960: bool,
}

impl PerftArguments {
    pub(super) fn run(&self) -> Result<(), Box<dyn Error>> {
        let position = Position::from_fen(&self.fen)?;
        Lookup::detect();
        let table = |mebibytes: u32| {
            PerftTable::new(mebibytes as usize).map_err(|error| format!("no hash table of {mebibytes} MiB: {error}"))
        };
        let table = self.hash.map(table).transpose()?;
        let perft = Perft { board: position.board(), depth: self.depth, table: table.as_ref(), stopped: &|| false };
        let start = Instant::now();
        let nodes = Divide { perft, threads: usize::from(self.threads) }.run(&mut |mv, nodes| {
            if self.divide {
                print(&format!("{}: {nodes}", UciMove::new(mv, self.chess960)));
            }
        })?;
        print(&NodesAndTime { nodes, time: start.elapsed() }.to_string());
        Ok(())
    }
}
