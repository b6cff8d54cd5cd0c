//! Perft against published counts and counts that another implementation agrees with: see `tests/data/`.

use std::{
    fs,
    path::Path,
    sync::atomic::{AtomicU32, Ordering::Relaxed},
};

use once_cell::sync::OnceCell;

use sleight::{
    attacks::Lookup,
    movegen::board_moves,
    perft::{Perft, PerftTable, perft, perft_no_bulk},
    position::Position,
    util::Rng,
};

use super::{
    games::{Start, random_move},
    oracle, parallel,
    tables::{Entry, entries},
};

/// Every count of up to a number of nodes.
fn check_counts(limit: u64) {
    let entries = entries();
    parallel::for_each(entries.len(), |job| {
        let Entry { fen, position, .. } = &entries[job];
        for (depth, nodes) in entries[job].affordable(limit) {
            assert_eq!(perft(position.board(), depth), nodes, "{fen}, depth {depth}");
        }
    });
}

#[test]
fn counts_are_those_of_the_tables() {
    Lookup::detect();
    check_counts(200_000_000);
}

/// Magics, and PEXT with each fill.
#[test]
fn every_lookup_counts_alike() {
    Lookup::with_each(|lookup| {
        println!("{lookup:?}");
        check_counts(1_000_000);
    });
}

fn perft_with_table(position: &Position, depth: u32, table: &PerftTable) -> Option<u64> {
    Perft { board: position.board(), depth, table: Some(table), stopped: &|| false }.run()
}

/// A table far too small for these trees, so that counts overwrite each other all the time.
#[test]
fn a_hash_table_changes_no_count() {
    let entries = entries();
    parallel::for_each(entries.len(), |job| {
        let Entry { fen, position, .. } = &entries[job];
        let table = PerftTable::new(1).unwrap();
        for (depth, nodes) in entries[job].affordable(5_000_000) {
            assert_eq!(perft_with_table(position, depth, &table), Some(nodes), "{fen}, depth {depth}");
        }
    });
}

/// Two bare kings have more than 2^64 ways to spend 24 plies, and a table knows that at once.
#[test]
fn a_count_that_does_not_fit_is_none() {
    let position = Position::from_fen("8/8/8/4k3/8/8/8/4K3 w - - 0 1").unwrap();
    let table = PerftTable::new(16).unwrap();
    assert_eq!(perft_with_table(&position, 20, &table), Some(45_501_732_097_551_035));
    assert_eq!(perft_with_table(&position, 23, &table), Some(14_428_444_176_568_753_042));
    assert_eq!(perft_with_table(&position, 24, &table), None);
}

/// Each thread counts every position, all of them in one table and so in each other's way.
#[test]
fn threads_share_a_hash_table() {
    for entry in entries().iter().step_by(11) {
        let Entry { fen, position, .. } = entry;
        let (depth, nodes) = entry.affordable(5_000_000).last().unwrap();
        let table = PerftTable::new(1).unwrap();
        parallel::for_each(4, |_| {
            assert_eq!(perft_with_table(position, depth, &table), Some(nodes), "{fen}, depth {depth}");
        });
    }
}

#[test]
fn the_tables_agree_with_shakmaty() {
    let entries = entries();
    parallel::for_each(entries.len(), |job| {
        let oracle = oracle::of(&entries[job].position);
        for (depth, nodes) in entries[job].affordable(50_000) {
            assert_eq!(shakmaty::perft(&oracle, depth), nodes, "{}, depth {depth}", entries[job].fen);
        }
    });
}

#[test]
fn fresh_positions_agree_with_shakmaty() {
    parallel::for_each(400, |job| {
        let position = Start::ALL[job % 4].draw(&mut Rng::new(job as u64));
        let nodes = perft(position.board(), 3);
        assert_eq!(nodes, shakmaty::perft(&oracle::of(&position), 3), "{}", position.fen());
    });
}

/// The replies to quiet moves are counted together where they can be; without bulk counting each is played.
#[test]
fn counted_leaves_are_those_that_are_played() {
    parallel::for_each(400, |job| {
        let mut rng = Rng::new(2_000 + job as u64);
        let mut position = Start::ALL[job % 4].draw(&mut rng);
        for _ in 0..60 {
            let board = position.board();
            assert_eq!(perft(board, 2), perft_no_bulk(board, 2), "{}", position.shredder_fen());
            let Some(mv) = random_move(&mut rng, &position) else { break };
            position.make(mv);
        }
    });
}

#[test]
fn first_moves_split_perft() {
    for entry in entries().iter().step_by(7) {
        let board = entry.position.board();
        let moves = board_moves(board);
        let mut names: Vec<_> = moves.iter().map(|mv| mv.to_string()).collect();
        names.sort();
        assert_eq!(names, oracle::moves(&oracle::of(&entry.position)), "{}", entry.fen);
        let sum: u64 = moves.iter().map(|&mv| perft(&board.after(mv), 2)).sum();
        assert_eq!(sum, perft(board, 3), "{}", entry.fen);
    }
}

#[test]
fn a_stopped_perft_counts_nothing() {
    let position = Position::startpos();
    let asked = AtomicU32::new(0);
    let stopped = || asked.fetch_add(1, Relaxed) >= 5;
    let perft = Perft { board: position.board(), depth: 6, table: None, stopped: &stopped };
    assert_eq!((perft.run(), asked.into_inner()), (None, 6));
}

/// The table is made, not written by hand: where it no longer is what this makes, this has left the new one.
#[test]
fn the_chess960_table_is_what_its_seed_gives() {
    let mut rng = Rng::new(960);
    let positions: Vec<Position> = (0..128).map(|number| draw_chess960(&mut rng, number)).collect();
    let lines: Vec<OnceCell<String>> = vec![OnceCell::new(); positions.len()];
    parallel::for_each(positions.len(), |job| lines[job].set(counted(&positions[job])).unwrap());
    let kept = include_str!("../data/chess960.epd");
    let comments = kept.lines().filter(|line| line.starts_with('#'));
    let made: Vec<&str> = comments.chain(lines.iter().map(|line| line.get().unwrap().as_str())).collect();
    if !made.iter().copied().eq(kept.lines()) {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("chess960.epd");
        fs::write(&path, made.join("\n") + "\n").unwrap();
        panic!("tests/data/chess960.epd is not what its seed gives: that is in {}", path.display());
    }
}

/// Each eight positions are four plies further on in a random game.
fn draw_chess960(rng: &mut Rng, number: usize) -> Position {
    let start = if number.is_multiple_of(2) { Start::Chess960 } else { Start::DoubleChess960 };
    loop {
        let mut position = start.draw(rng);
        for _ in 0..4 * (number / 8) {
            let Some(mv) = random_move(rng, &position) else { break };
            position.make(mv);
        }
        // Where castling is over and done with there is nothing of Chess960 left.
        if !position.board().castling_rights().is_empty() {
            return position;
        }
    }
}

/// The position's line: as many depths as are counted fast, each confirmed by the oracle.
fn counted(position: &Position) -> String {
    let oracle = oracle::of(position);
    let mut line = position.shredder_fen();
    for depth in 1..=5 {
        let nodes = perft(position.board(), depth);
        if nodes > 5_000_000 {
            break;
        }
        assert_eq!(shakmaty::perft(&oracle, depth), nodes, "{line}");
        line += &format!(" ;D{depth} {nodes}");
    }
    line
}
