//! Single-threaded perft, Sleight beside cozy-chess 0.3.4, in turn on the same positions: ratios survive a machine
//! whose speed drifts. `make peer`, or with arguments: ROUNDS [--nobulk].
//!
//! The peer's tree walk is the one its own perft uses: with bulk counting, the moves of the last ply are counted by
//! set rather than played.

use std::{
    error::Error,
    time::{Duration, Instant},
};

use cozy_chess::Board as Peer;
use sleight::{
    attacks::Lookup,
    perft,
    position::Position,
};

const POSITIONS: [(&str, &str, u32); 6] = [
    ("start position", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6),
    ("Kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5),
    ("rook ending", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 7),
    ("promotions", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 5),
    ("middlegame", "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 5),
    ("tactics", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 5),
];

fn peer_perft(board: &Peer, depth: u32, bulk: bool) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if bulk && depth == 1 {
            nodes += moves.len() as u64;
            return false;
        }
        for mv in moves {
            let mut next = board.clone();
            next.play_unchecked(mv);
            nodes += peer_perft(&next, depth - 1, bulk);
        }
        false
    });
    nodes
}

fn timed(work: impl FnOnce() -> u64) -> (u64, Duration) {
    let start = Instant::now();
    let nodes = work();
    (nodes, start.elapsed())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let bulk = !arguments.iter().any(|argument| argument == "--nobulk");
    arguments.retain(|argument| argument != "--nobulk");
    let rounds: usize = arguments.first().map_or(Ok(7), |text| text.parse())?;
    let lookup = Lookup::detect().name();
    println!("sleight ({lookup}) beside cozy-chess 0.3.4 (pext), bulk counting: {bulk}, best of {rounds} rounds");
    println!("{:<16} {:>12} {:>16} {:>16} {:>7}", "position", "nodes", "sleight nps", "cozy-chess nps", "ratio");
    for (name, fen, depth) in POSITIONS {
        let depth = if bulk { depth } else { depth - 1 };
        let position = Position::from_fen(fen)?;
        let peer: Peer = fen.parse().map_err(|error| format!("{name}: {error:?}"))?;
        let (mut ours_best, mut theirs_best) = (Duration::MAX, Duration::MAX);
        let mut nodes = 0;
        for _ in 0..rounds {
            let perft = if bulk { perft::perft } else { perft::perft_no_bulk };
            let (our_nodes, our_time) = timed(|| perft(position.board(), depth));
            let (their_nodes, their_time) = timed(|| peer_perft(&peer, depth, bulk));
            if our_nodes != their_nodes {
                return Err(format!("{name}: {our_nodes} nodes here, {their_nodes} there").into());
            }
            nodes = our_nodes;
            (ours_best, theirs_best) = (ours_best.min(our_time), theirs_best.min(their_time));
        }
        let nps = |time: Duration| nodes as f64 / time.as_secs_f64();
        let ratio = nps(ours_best) / nps(theirs_best);
        println!("{name:<16} {nodes:>12} {:>16.0} {:>16.0} {ratio:>7.2}", nps(ours_best), nps(theirs_best));
    }
    Ok(())
}
