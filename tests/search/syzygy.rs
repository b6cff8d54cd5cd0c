//! Tablebase probes, root moves and damaged files, with the three-piece tablebases of `tests/data/syzygy/`.
//!
//! Endings with four pieces are tested by `cargo test --test search -- --ignored` where the environment variable
//! `SYZYGY_PATH` names their directory.

use std::{collections::HashMap, fs, path::Path, sync::Arc};

use sleight::{
    movegen::legal_moves,
    notation::UciMove,
    outcome::Termination,
    position::Position,
    search::{Control, Job, Limits, SearchOptions, Shared, SyzygyOptions, Worker},
    syzygy::{OpenError, Ranking, Tablebases, Wdl},
    tt::TranspositionTable,
    types::{Move, MoveKind, PieceType, Score, Square},
    util::Rng,
};
use tempfile::TempDir;

const DIRECTORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy");

fn tables() -> Tablebases {
    Tablebases::open(DIRECTORY.as_ref()).unwrap()
}

/// The tablebases without their DTZ files, and the directory that they are in.
fn tables_without_dtz() -> (TempDir, Tablebases) {
    let folder = TempDir::new().unwrap();
    for name in ["KBvK", "KNvK", "KPvK", "KQvK", "KRvK"].map(|material| format!("{material}.rtbw")) {
        fs::copy(Path::new(DIRECTORY).join(&name), folder.path().join(&name)).unwrap();
    }
    let tables = Tablebases::open(folder.path().as_os_str()).unwrap();
    (folder, tables)
}

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap()
}

/// The position after a game.
fn game(fen: &str, moves: &str) -> Position {
    let mut position = position(fen);
    for name in moves.split_whitespace() {
        position.make(name.parse::<UciMove>().unwrap().find(&position).unwrap());
    }
    position
}

fn is_mate(position: &Position) -> bool {
    position.in_check() && legal_moves(position).is_empty()
}

fn after(position: &Position, mv: Move) -> Position {
    let mut after = position.clone();
    after.make(mv);
    after
}

/// The moves that rank highest, with their result.
fn best_moves(tables: &Tablebases, position: &Position) -> Option<(Vec<Move>, Wdl)> {
    let ranking = tables.rank_root_moves(position, &legal_moves(position), true)?;
    let best = ranking.moves.first()?.1;
    let moves = ranking.moves.iter().filter(|&&(_, rank)| rank == best).map(|&(mv, _)| mv);
    Some((moves.collect(), best.result))
}

#[test]
fn known_results() {
    let tables = tables();
    assert_eq!((tables.files(), tables.max_pieces()), (10, 3));
    for (fen, result) in [
        ("8/8/8/4k3/8/8/8/KQ6 w - - 0 1", Wdl::Win),
        ("8/8/8/4k3/8/8/8/KQ6 b - - 0 1", Wdl::Loss),
        ("8/8/8/8/8/8/2k5/1R5K b - - 0 1", Wdl::Draw),
        ("8/8/8/4k3/8/8/8/KB6 w - - 0 1", Wdl::Draw),
        ("8/8/8/4k3/8/8/8/KN6 b - - 0 1", Wdl::Draw),
        ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", Wdl::Win),
        ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", Wdl::Loss),
        ("8/8/8/8/4k3/4p3/8/4K3 w - - 0 1", Wdl::Draw),
        ("7k/8/8/8/8/8/P7/K7 w - - 0 1", Wdl::Win),
    ] {
        assert_eq!(tables.probe_wdl(&position(fen)), Some(result), "{fen}");
    }
}

#[test]
#[ignore = "SYZYGY_PATH must name a directory of tables with four pieces"]
fn four_pieces() {
    let tables = Tablebases::open(&std::env::var_os("SYZYGY_PATH").unwrap()).unwrap();
    for (fen, result) in [("8/8/8/4k3/8/8/8/KNN5 w - - 0 1", Wdl::Draw), ("8/8/8/4k3/8/8/8/KBN5 w - - 0 1", Wdl::Win)] {
        assert_eq!(tables.probe_wdl(&position(fen)), Some(result), "{fen}");
    }
    let fens = ["8/8/8/4k3/8/8/8/KBN5 w - - 0 1", "8/8/8/4k3/8/8/8/KQ5r w - - 0 1"];
    fens.into_iter().for_each(|fen| win_by_root_moves(&tables, fen));
    shuffle(&tables, "8/8/8/8/1k6/8/8/KBN5 w - - 0 1", 100);
}

#[test]
fn what_has_no_table_is_not_guessed() {
    let tables = tables();
    for fen in ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"] {
        let position = position(fen);
        let ranking = tables.rank_root_moves(&position, &legal_moves(&position), true);
        assert_eq!((tables.probe_wdl(&position), ranking), (None, None), "{fen}");
    }
}

#[test]
fn root_moves_win_what_is_won() {
    let fens = ["8/8/8/4k3/8/8/8/KQ6 w - - 0 1", "8/8/8/4k3/8/8/8/KR6 w - - 0 1", "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1"];
    fens.into_iter().for_each(|fen| win_by_root_moves(&tables(), fen));
}

/// Following any root moves mates or converts within the fifty-move rule.
fn win_by_root_moves(tables: &Tablebases, fen: &str) {
    let mut position = position(fen);
    for ply in 0.. {
        if legal_moves(&position).is_empty() {
            assert!(position.in_check(), "{fen} ended in stalemate");
            break;
        }
        assert!(ply < 250 && !position.is_fifty_move_draw(), "{fen} makes no progress");
        let (moves, result) = best_moves(tables, &position).unwrap();
        assert_eq!(result, if ply % 2 == 0 { Wdl::Win } else { Wdl::Loss }, "{}", position.fen());
        position.make(moves[ply % moves.len()]);
    }
}

#[test]
fn root_moves_leave_no_room_for_shuffling() {
    let tables = tables();
    for (fen, limit) in [("8/8/8/4k3/8/8/8/KQ6 w - - 0 1", 60), ("8/8/8/4k3/8/8/8/KR6 w - - 0 1", 80)] {
        shuffle(&tables, fen, limit);
    }
}

/// Even who always returns to an earlier position, among the root moves, wins within `limit` plies.
fn shuffle(tables: &Tablebases, fen: &str, limit: u32) {
    let mut position = position(fen);
    let mut seen: HashMap<u64, u32> = HashMap::new();
    for ply in 0.. {
        assert!(ply <= limit && !position.is_fifty_move_draw(), "{fen} makes no progress: {}", position.fen());
        let visits = seen.entry(position.key()).or_default();
        *visits += 1;
        assert!(*visits < 3, "{fen} is drawn by repetition at ply {ply}");
        if legal_moves(&position).is_empty() {
            assert!(position.in_check(), "{fen} ended in stalemate");
            break;
        }
        let (moves, _) = best_moves(tables, &position).unwrap();
        let visits_after = |mv: &Move| {
            let mut after = position.clone();
            after.make(*mv);
            seen.get(&after.key()).copied().unwrap_or(0)
        };
        let mv = moves.into_iter().max_by_key(visits_after).unwrap();
        position.make(mv);
    }
}

/// Positions with a piece of this letter beside the kings, spread over the board, and moves to make.
fn positions(letter: char) -> Vec<Position> {
    let fen = |squares: [usize; 3], side: &str| {
        let letter_at = |square: usize| ['K', 'k', letter].into_iter().zip(squares).find(|&(_, at)| at == square);
        let row = |rank: usize| -> String {
            (8 * rank..8 * rank + 8).map(|square| letter_at(square).map_or('1', |(letter, _)| letter)).collect()
        };
        let rows: Vec<String> = (0..8).rev().map(row).collect();
        format!("{} {side} - - 0 1", rows.join("/"))
    };
    let mut rng = Rng::new(letter as u64);
    let mut squares = || [(); 3].map(|()| rng.below(64));
    let fens = (0..600).flat_map(|_| ["w", "b"].map(|side| fen(squares(), side)));
    let all = fens.filter_map(|fen| Position::from_fen(&fen).ok());
    all.filter(|position| position.board().occupied().len() == 3 && position.termination().is_none()).collect()
}

/// All moves are ranked, or all that are asked for, those that keep more of the result first: with DTZ tables and
/// without.
#[test]
fn every_root_move_is_ranked_by_its_result() {
    let (with_dtz, (_folder, without)) = (tables(), tables_without_dtz());
    let mut checked = 0;
    for position in ['P', 'R', 'Q', 'p', 'r', 'N'].into_iter().flat_map(positions) {
        let moves = legal_moves(&position);
        let result = |mv| match after(&position, mv).termination() {
            Some(Termination::Checkmate { .. }) => Wdl::Win,
            Some(_) => Wdl::Draw,
            None => match with_dtz.probe_wdl(&after(&position, mv)).unwrap() {
                Wdl::Loss => Wdl::Win,
                Wdl::Draw => Wdl::Draw,
                Wdl::Win => Wdl::Loss,
                cursed => panic!("{cursed:?} with three pieces"),
            },
        };
        for tables in [&with_dtz, &without] {
            let half: Vec<Move> = moves.iter().copied().skip(moves.len() / 2).collect();
            for asked in [&moves[..], &half[..]] {
                let Ranking { moves: ranked, .. } = tables.rank_root_moves(&position, asked, true).unwrap();
                assert_eq!(ranked.len(), asked.len());
                assert!(asked.iter().all(|mv| ranked.iter().any(|(ranked, _)| ranked == mv)));
                assert!(ranked.is_sorted_by(|(_, a), (_, b)| a.order >= b.order && a.result >= b.result));
                assert!(ranked.iter().all(|&(mv, rank)| rank.result == result(mv)), "{}", position.fen());
            }
        }
        let ranking = |tables: &Tablebases| tables.rank_root_moves(&position, &moves, true).unwrap();
        assert!(ranking(&with_dtz).has_dtz);
        // A win by a pawn move or a capture has a DTZ of one without a table.
        let needs_dtz = |mv: &Move| {
            let after = after(&position, *mv);
            after.halfmove_clock() > 0 && after.outcome().is_none() && result(*mv) != Wdl::Draw
        };
        if position.board().of_type(PieceType::Pawn).is_empty() {
            assert_eq!(ranking(&without).has_dtz, !moves.iter().any(needs_dtz), "{}", position.fen());
        }
        checked += moves.len();
    }
    assert!(checked > 20_000, "{checked}");
}

/// A won position that someone has shuffled in: no move after which the opponent can repeat a position for the third
/// time, although it is the shortest win; nor, without DTZ tables, one after which it can do so at all.
#[test]
fn the_opponent_cannot_repeat_what_is_won() {
    let (with_dtz, (_folder, without)) = (tables(), tables_without_dtz());
    let can_repeat = |position: &Position, times| {
        let replies = legal_moves(position);
        replies.into_iter().map(|mv| after(position, mv)).any(|after| match times {
            3 => after.is_repetition(0),
            _ => after.is_repetition(usize::MAX),
        })
    };
    let rook = "8/4R3/8/8/8/K7/5k2/8 w - - 0 70";
    let mut tempting = 0;
    for (fen, moves) in [
        (rook, "a3b4 f2f3 b4a3 f3f2 a3b4 f2f3 b4a3 f3g4"),
        (rook, "a3b4 f2f3 b4a3 f3f2 a3b4 f2f3 b4a3 f3f2"),
        (rook, "a3b4 f2f3 b4a3 f3f2"),
        (rook, "a3b4 f2f3 b4a3 f3g4"),
        ("8/8/8/3k4/8/8/8/KQ6 w - - 0 1", "b1b2 d5d6 b2b1 d6d5 b1b2 d5d6 b2b1 d6e6"),
        ("8/8/8/3k4/8/8/8/KQ6 w - - 60 90", "b1b2 d5d6 b2b1 d6d5 b1b2 d5d6 b2b1 d6e6"),
        ("4R3/8/8/8/8/K7/5k2/8 w - - 62 99", "a3b4 f2f3 b4a3 f3f2 a3b4 f2f3 b4a3 f3g4"),
        ("4r3/8/8/8/8/k7/5K2/8 b - - 0 99", "a3b4 f2f3 b4a3 f3f2 a3b4 f2f3 b4a3 f3g4"),
    ] {
        let position = game(fen, moves);
        let repeatable = |times| legal_moves(&position).into_iter().any(|mv| can_repeat(&after(&position, mv), times));
        tempting += u32::from(repeatable(3));
        for (tables, has_dtz) in [(&with_dtz, true), (&without, false)] {
            let (best, result) = best_moves(tables, &position).unwrap();
            assert_eq!(result, Wdl::Win, "{fen} {moves}");
            for mv in best {
                let after = after(&position, mv);
                assert!(!can_repeat(&after, 3), "{fen} {moves} {mv}");
                assert!(has_dtz || !can_repeat(&after, 2), "{fen} {moves} {mv}");
            }
        }
    }
    assert!(tempting >= 4, "{tempting}");
    // A mate is better than any other win.
    for (fen, moves, mate) in [
        ("k7/8/1K6/8/8/8/8/7R w - - 0 1", "", "h1h8"),
        ("k7/8/1K6/8/8/8/8/7R w - - 0 1", "h1g1 a8b8 g1h1 b8a8", "h1h8"),
        ("k7/8/1K6/8/8/8/8/7R w - - 79 80", "", "h1h8"),
        ("k7/8/1K6/8/8/8/8/7R w - - 99 80", "", "h1h8"),
        ("7k/8/5KQ1/8/8/8/8/8 w - - 98 80", "", "g6g7"),
        ("7k/5P2/6K1/8/8/8/8/8 w - - 98 80", "", "f7f8q"),
        ("8/8/8/8/8/1k6/7r/K7 b - - 98 80", "", "h2h1"),
    ] {
        for tables in [&with_dtz, &without] {
            let (best, result) = best_moves(tables, &game(fen, moves)).unwrap();
            assert_eq!(result, Wdl::Win, "{fen}");
            assert!(best.iter().any(|mv| mv.to_string() == mate), "{fen} {moves}: {best:?}");
            assert!(best.iter().all(|&mv| is_mate(&after(&game(fen, moves), mv))), "{fen} {moves}: {best:?}");
        }
    }
    // The only move inside the fifty-move limit, by a ply or two, is played and counts as a draw.
    for (clock, only) in [(64, false), (65, true), (66, true)] {
        let shuffled =
            game(&format!("8/4R3/8/8/8/K7/5k2/8 w - - {clock} 70"), "a3b4 f2f3 b4a3 f3f2 a3b4 f2f3 b4a3 f3g4");
        let (best, result) = best_moves(&with_dtz, &shuffled).unwrap();
        let is_shortest = best.iter().map(ToString::to_string).eq(["a3b4".to_owned()]);
        assert_eq!((is_shortest, result), if only { (true, Wdl::Draw) } else { (false, Wdl::Win) }, "{clock}");
    }
}

fn shared() -> Arc<Shared> {
    Arc::new(Shared::new(TranspositionTable::new(4).unwrap(), Arc::new(Control::new()), 1))
}

fn job(search_id: u64, position: &Position, limits: Limits, tables: Option<Arc<Tablebases>>) -> Job {
    let syzygy = SyzygyOptions { tables, ..SyzygyOptions::default() };
    let options = SearchOptions { syzygy, ..SearchOptions::default() };
    Job { search_id, options, ..Job::new(position.clone(), limits) }
}

/// Without a DTZ table the search has to convert, and inner nodes are probed: a win is mate or progress, not a shuffle.
#[test]
fn wins_are_converted_without_dtz_tables() {
    let (_folder, without) = tables_without_dtz();
    let without = Arc::new(without);
    for fen in [
        "8/8/8/4k3/8/8/8/KQ6 w - - 0 1",
        "8/8/8/4k3/8/8/8/KR6 w - - 0 1",
        "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1",
        "8/8/8/8/8/7k/P7/K7 b - - 0 1",
        "8/1p6/8/3k4/8/8/8/6K1 b - - 0 1",
        "7k/8/8/8/3K4/8/7r/8 w - - 0 1",
    ] {
        let mut position = position(fen);
        assert_ne!(without.probe_wdl(&position), Some(Wdl::Draw), "{fen}");
        let mut worker = Worker::new(shared(), 0).unwrap();
        let outcome = (1..).find_map(|search_id| {
            let result = worker.search(&job(search_id, &position, Limits::nodes(10_000), Some(without.clone())), None);
            position.make(result.best().unwrap());
            position.termination()
        });
        let outcome = outcome.unwrap();
        assert!(matches!(outcome, Termination::Checkmate { .. }), "{fen}: {outcome:?} in {}", position.fen());
    }
}

/// A truncated file or a missing directory does not affect the other tablebases.
#[test]
fn what_cannot_be_read_is_left_out() {
    let all = tables();
    let good = Path::new(DIRECTORY);
    let folder = TempDir::new().unwrap();
    let bad = folder.path();
    fs::write(bad.join("KQvK.rtbw"), "cut short").unwrap();
    let path = std::env::join_paths([bad, &bad.join("gone"), good]).unwrap();
    let some = Tablebases::open(&path).unwrap();
    let alone = Tablebases::open(bad.as_os_str());
    assert_eq!(some.files(), all.files());
    let complaints: Vec<String> = some.refused().iter().map(ToString::to_string).collect();
    assert!(complaints.len() == 2 && complaints[0].contains("KQvK.rtbw"), "{complaints:#?}");
    assert!(matches!(alone, Err(OpenError::Unreadable { .. })));
}

/// Of two files with one name, the first valid one counts; damage that only a probe finds is reported once.
#[test]
fn damaged_and_doubled_tables_are_noticed() {
    let all = tables();
    let good = Path::new(DIRECTORY);
    let folder = TempDir::new().unwrap();
    let bad = folder.path();
    let damage = |name: &str, from: usize| {
        let mut bytes = fs::read(good.join(name)).unwrap();
        bytes[from..].fill(0xff);
        fs::write(bad.join(name), bytes).unwrap();
    };
    damage("KQvK.rtbw", 0);
    damage("KRvK.rtbw", 4);
    let open = |paths: [&Path; 2]| Tablebases::open(&std::env::join_paths(paths).unwrap()).unwrap();
    let [bad_first, bad_last] = [open([bad, good]), open([good, bad])];
    let [queen, rook] =
        ["8/8/8/4k3/8/8/8/KQ6 w - - 0 1", "8/8/8/4k3/8/8/8/KR6 w - - 0 1"].map(|fen| Position::from_fen(fen).unwrap());
    for tables in [&bad_first, &bad_last] {
        assert_eq!((tables.files(), tables.probe_wdl(&queen)), (all.files(), Some(Wdl::Win)));
    }
    let refused: Vec<String> = bad_first.refused().iter().map(ToString::to_string).collect();
    assert!(refused.len() == 1 && refused[0].contains("does not begin as a table"), "{refused:#?}");
    assert!(bad_last.refused().is_empty() && bad_last.probe_wdl(&rook) == Some(Wdl::Win));
    assert_eq!((bad_first.take_damage(), bad_first.probe_wdl(&rook)), (None, None));
    assert!(bad_first.take_damage().is_some_and(|text| text.contains("damaged")));
    assert_eq!((bad_first.probe_wdl(&rook), bad_first.take_damage()), (None, None), "once is enough");
}

/// A table that is cut short while it is open is named, and the positions that cannot be read count as missing. One
/// that is replaced by another file of its name stays what it was.
#[test]
fn tables_that_change_while_they_are_open_are_noticed() {
    let row = |file: usize| format!("{file}P{}", 7 - file).replace('0', "");
    let pawn =
        |rank: usize, file| format!("4k3/{}{}/{}4K3 w - - 0 1", "8/".repeat(5 - rank), row(file), "8/".repeat(rank));
    let pawns = (0..6).flat_map(|rank| (0..8).map(move |file| pawn(rank, file)));
    let pawns: Vec<Position> = pawns.filter_map(|fen| Position::from_fen(&fen).ok()).collect();
    let results = |tables: &Tablebases| pawns.iter().map(|pawn| tables.probe_wdl(pawn)).collect::<Vec<_>>();
    let expected = results(&tables());
    assert!(pawns.len() > 40 && expected.iter().all(Option::is_some));
    let after = |change: &dyn Fn(&Path)| {
        let folder = TempDir::new().unwrap();
        let table = folder.path().join("KPvK.rtbw");
        fs::copy(Path::new(DIRECTORY).join("KPvK.rtbw"), &table).unwrap();
        let tables = Tablebases::open(folder.path().as_os_str()).unwrap();
        assert_eq!((results(&tables), tables.take_damage()), (expected.clone(), None));
        change(&table);
        (results(&tables), tables.take_damage().map(str::to_owned))
    };
    let cut = |table: &Path| fs::File::options().write(true).open(table).unwrap().set_len(2000).unwrap();
    let (found, damage) = after(&cut);
    assert!(found.iter().zip(&expected).all(|(found, expected)| found.is_none() || found == expected));
    assert!(damage.is_some_and(|text| text.contains("the wdl table KPvK")), "{found:?}");
    let replace = |table: &Path| {
        fs::write(table.with_extension("new"), "another file").unwrap();
        let replaced = fs::rename(table.with_extension("new"), table);
        // Where files that are open cannot be replaced, the table stays what it was, too.
        assert!(replaced.is_ok() || cfg!(windows), "{replaced:?}");
    };
    assert_eq!(after(&replace), (expected.clone(), None));
    for seed in 0..50 {
        let overwrite = |table: &Path| {
            let mut rng = Rng::new(seed);
            fs::write(table, (0..7824).map(|_| rng.next_u64() as u8).collect::<Vec<_>>()).unwrap();
        };
        let (_, damage) = after(&overwrite);
        assert!(damage.is_some_and(|text| text.contains("the wdl table KPvK")), "seed {seed}");
    }
}

/// A pipe in place of a tablebase that no probe has opened yet counts as a damaged one, and is not waited for.
#[cfg(unix)]
#[test]
fn a_pipe_in_place_of_a_table_is_not_opened() {
    use std::{process::Command, sync::mpsc, thread, time::Duration};

    let folder = TempDir::new().unwrap();
    let table = folder.path().join("KPvK.rtbw");
    fs::copy(Path::new(DIRECTORY).join("KPvK.rtbw"), &table).unwrap();
    let tables = Tablebases::open(folder.path().as_os_str()).unwrap();
    fs::remove_file(&table).unwrap();
    assert!(Command::new("mkfifo").arg(&table).status().unwrap().success());
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let result = tables.probe_wdl(&position("4k3/8/8/8/8/8/P7/4K3 w - - 0 1"));
        sender.send((result, tables.take_damage().map(str::to_owned))).unwrap();
    });
    let (result, damage) = receiver.recv_timeout(Duration::from_secs(30)).expect("the probe returns");
    assert_eq!(result, None);
    assert!(damage.is_some_and(|text| text.contains("the wdl table KPvK") && text.contains("regular file")));
}

/// With tablebases the search sees the result at once; without, it is far beyond this depth.
#[test]
fn the_search_asks_the_tables() {
    let tables = Arc::new(tables());
    let search = |fen: &str, tables: Option<Arc<Tablebases>>| {
        let job = job(1, &position(fen), Limits::depth(6), tables);
        let mut tbhits = 0;
        let result = Worker::new(shared(), 0).unwrap().search(&job, Some(&mut |report| tbhits = report.tbhits));
        (result.score, tbhits)
    };
    // A rook ending at the root; one capture away from it; and a drawn pawn ending.
    for (fen, result) in [
        ("8/8/8/4k3/8/8/8/KR6 w - - 0 1", Score::TB_WIN),
        ("2R5/8/8/3k4/8/8/2p5/K7 w - - 0 1", Score::TB_WIN - 1),
        ("8/8/8/8/4k3/4p3/8/4K3 w - - 0 1", Score::ZERO),
    ] {
        let (score, tbhits) = search(fen, Some(tables.clone()));
        assert!(tbhits > 0 && score >= result - 8 && score <= result, "{fen}: {score:?} after {tbhits} hits");
    }
    let (score, tbhits) = search("8/8/8/4k3/8/8/8/KR6 w - - 0 1", None);
    assert!(!score.is_decisive() && tbhits == 0);
}

/// A win is one if it zeroes the fifty-move counter with the last ply that is left.
#[test]
fn the_hundredth_ply_may_zero_the_counter() {
    for clock in [98, 99] {
        let promotion = position(&format!("8/1P2k3/8/8/8/8/8/K7 w - - {clock} 80"));
        let (moves, found) = best_moves(&tables(), &promotion).unwrap();
        assert_eq!((found, moves.iter().all(|mv| mv.is_promotion())), (Wdl::Win, true), "{clock}");
    }
    let shuffling = position("8/8/8/4k3/8/8/8/KQ6 w - - 99 80");
    assert_eq!(best_moves(&tables(), &shuffling).unwrap().1, Wdl::CursedWin);
}

/// What the search finds within a PV node that the tablebases know is not stored beyond their result.
#[test]
fn stored_scores_respect_the_tables() {
    let shared = shared();
    let root = position("8/8/4k3/8/8/8/3r4/3QK3 w - - 0 1");
    let job = job(1, &root, Limits::depth(4), Some(Arc::new(tables())));
    Worker::new(shared.clone(), 0).unwrap().search(&job, None);
    let mut child = root;
    child.make(Move::new(Square::D1, Square::D2, MoveKind::Capture));
    let entry = shared.tt.probe(child.tt_key(), 1).unwrap();
    assert!(entry.score.unwrap().0.is_loss(), "{entry:?}");
}

#[test]
fn wrong_paths_are_errors() {
    assert!(matches!(Tablebases::open("/nonexistent/tables".as_ref()), Err(OpenError::Unreadable { .. })));
    assert!(matches!(Tablebases::open("".as_ref()), Err(OpenError::Empty(_))));
    let none = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    assert!(matches!(Tablebases::open(none.as_os_str()), Err(OpenError::Empty(_))));
}
