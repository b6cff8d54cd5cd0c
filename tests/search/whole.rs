//! The search as a whole: mates and draws, limits, multi-PV, determinism.

use std::{
    collections::HashSet,
    sync::Arc,
    time::{Duration, Instant},
};

use sleight::{
    attacks::Lookup,
    movegen::{is_legal, legal_moves},
    position::Position,
    search::{Control, Job, Limits, Line, SearchReport, SearchResult, Shared, Worker},
    tt::TranspositionTable,
    types::{Bound, Move, MoveKind, Score, Square},
};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn worker() -> Worker {
    let table = TranspositionTable::new(16).unwrap();
    Worker::new(Arc::new(Shared::new(table, Arc::new(Control::new()), 1)), 0).unwrap()
}

fn job(position: Position, limits: Limits) -> Job {
    Job::new(position, limits)
}

fn search(fen: &str, limits: Limits) -> (SearchResult, Vec<SearchReport>) {
    search_with(&job(Position::from_fen(fen).unwrap(), limits))
}

/// The result and the reports, the last of which is made of the result. All lines are checked.
fn search_with(job: &Job) -> (SearchResult, Vec<SearchReport>) {
    let mut reports: Vec<SearchReport> = Vec::new();
    let result = worker().search(job, Some(&mut |report| reports.push(report)));
    if !result.lines.is_empty() {
        let (lines, time) = (result.lines.clone(), job.started.elapsed());
        let last = SearchReport { depth: result.depth, lines, nodes: result.nodes, time, hashfull: 0, tbhits: 0 };
        reports.push(last);
    }
    for report in &reports {
        let lines = &report.lines;
        assert_eq!(lines.len(), reports[0].lines.len(), "{report:#?}");
        assert!(lines.is_sorted_by(|a, b| a.score >= b.score), "{report:#?}");
        let moves: HashSet<String> = lines.iter().map(|line| line.pv[0].to_string()).collect();
        assert_eq!(moves.len(), lines.len(), "{report:#?}");
        lines.iter().for_each(|line| check_pv(&job.position, line));
    }
    (result, reports)
}

fn check_pv(root: &Position, line: &Line) {
    let mut position = root.clone();
    for &mv in &line.pv {
        assert!(is_legal(&position, mv), "illegal {mv} in a reported line of {}", root.fen());
        position.make(mv);
    }
}

#[test]
fn mates_are_found_and_counted() {
    for (fen, moves) in [
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 1),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
        ("8/8/8/8/8/5k2/4q3/6K1 b - - 0 1", 1),
        ("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", 2),
        ("5r1k/6pp/7N/8/2Q5/8/6PP/7K w - - 0 1", 2),
    ] {
        let (result, reports) = search(fen, Limits { mate: Some(moves), ..Limits::depth(30) });
        assert_eq!(result.score.mate_moves(), Some(moves as i32), "{fen}");
        let last = &reports.last().unwrap().lines[0];
        assert_eq!(last.pv.len(), 2 * moves as usize - 1, "the whole mate is shown: {fen}");
        let mut end = Position::from_fen(fen).unwrap();
        last.pv.iter().for_each(|&mv| end.make(mv));
        assert!(end.in_check() && sleight::movegen::legal_moves(&end).is_empty());
    }
}

/// Where a search for a mate looks no further, a mate that is already on the board counts all the same.
#[test]
fn a_mate_at_the_end_of_a_mate_search_is_seen() {
    let position = Position::from_fen("K6Q/2k5/8/2r3P1/8/1r6/2B5/2n5 w - - 8 101").unwrap();
    let blunder = Move::new(Square::C2, Square::B3, MoveKind::Capture);
    let limits = Limits { mate: Some(1), search_moves: vec![blunder], ..Limits::depth(10) };
    assert_eq!(search_with(&job(position, limits)).0.score, Score::mated_in(2));
}

#[test]
fn being_mated_is_seen_too() {
    let (result, _) = search("k7/8/1K6/8/8/8/8/7R b - - 0 1", Limits::depth(8));
    assert_eq!(result.score, Score::mated_in(2));
}

#[test]
fn the_end_of_the_game_needs_no_move() {
    for (fen, score) in
        [("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Score::ZERO), ("R6k/6pp/8/8/8/8/8/7K b - - 0 1", Score::mated_in(0))]
    {
        let (result, reports) = search(fen, Limits::depth(5));
        assert_eq!((result.best(), result.score, reports.len()), (None, score, 0), "{fen}");
    }
}

/// Of the winning side's moves all but those of its pawn draw by the fifty-move rule.
#[test]
fn a_pawn_move_in_time_wins_at_any_depth() {
    for fen in [
        "8/8/8/p7/8/3b2k1/8/4K1b1 w - - 98 90",
        "8/6p1/8/8/K7/8/1b5k/b7 w - - 98 90",
        "2K5/8/1k5p/7r/8/2P3p1/8/8 w - - 98 90",
        "2K5/p2r4/8/P2k4/3p4/3b1P2/8/8 w - - 98 90",
        "7K/4q3/7p/6k1/8/8/8/8 w - - 98 90",
        "8/K1k5/6Bq/8/7p/8/8/8 w - - 98 90",
        "8/4r3/8/8/4p3/2k5/8/K7 w - - 98 90",
    ] {
        for depth in 1..=8 {
            let (result, _) = search(fen, Limits::depth(depth));
            assert!(result.score < Score(-100), "{fen}: {:?} at depth {depth}", result.score);
        }
    }
}

/// A capture, a quiet move and a promotion that leave no move, whatever there is besides; the last pins the bishop.
#[test]
fn a_stalemating_move_is_a_draw_at_any_depth() {
    for (fen, mv) in [
        ("7k/5r2/6K1/8/p7/P7/8/5Q2 w - - 0 1", "f1f7"),
        ("7k/8/6K1/8/p7/P7/8/5Q2 w - - 0 1", "f1f7"),
        ("8/6P1/5K1k/7p/7P/8/8/8 w - - 0 1", "g7g8q"),
        ("k7/1R6/8/1p6/1P6/8/8/1K6 w - - 0 1", "b7b6"),
        ("R5bk/8/5Kp1/8/8/8/8/8 w - - 0 1", "f6g6"),
    ] {
        let position = Position::from_fen(fen).unwrap();
        let mv = legal_moves(&position).into_iter().find(|found| found.to_string() == mv).unwrap();
        let mut after = position.clone();
        after.make(mv);
        let is_stalemate = legal_moves(&after).is_empty() && !after.in_check();
        for depth in 1..=4 {
            let limits = Limits { search_moves: vec![mv], ..Limits::depth(depth) };
            let score = search_with(&job(position.clone(), limits)).0.score;
            assert_eq!(score.0.abs() <= 1, is_stalemate, "{fen} {mv}: {score:?} at depth {depth}");
        }
    }
}

#[test]
fn dead_drawn_endings_are_draws() {
    for fen in ["8/8/8/4k3/8/8/3NK3/8 w - - 0 1", "8/8/8/4k3/8/8/4K3/8 w - - 0 1", "8/8/4b3/4k3/8/8/3KB3/8 w - - 0 1"] {
        let (result, _) = search(fen, Limits::depth(6));
        assert!(result.score.0.abs() <= 1, "{fen}: {:?}", result.score);
    }
}

/// White is two rooks down but checks for ever on g5 and f6.
#[test]
fn perpetual_check_saves_the_game() {
    let (result, _) = search("5rk1/5p1p/5Q2/8/8/8/qr4PP/7K w - - 0 1", Limits::depth(12));
    assert!(result.score.0.abs() <= 1, "{:?}", result.score);
}

#[test]
fn soft_node_limits_let_an_iteration_finish() {
    for limit in [1, 500, 5_000] {
        let soft = Limits { soft_nodes: Some(limit), ..Limits::default() };
        let (result, reports) = search(KIWIPETE, soft);
        let last_but_one = reports.iter().rev().find(|report| report.depth < result.depth);
        assert!(result.nodes >= limit && last_but_one.is_none_or(|report| report.nodes < limit), "limit {limit}");
        let (fixed, _) = search(KIWIPETE, Limits::depth(result.depth));
        assert_eq!((fixed.nodes, fixed.best(), fixed.score), (result.nodes, result.best(), result.score));
    }
}

#[test]
fn node_limits_are_met_to_the_node() {
    for limit in [1, 2, 100, 511, 512, 513, 5_000, 77_777] {
        let (result, reports) = search(KIWIPETE, Limits::nodes(limit));
        assert_eq!(result.nodes, limit, "limit {limit}");
        assert!(result.best().is_some() && !reports.is_empty());
    }
}

/// The score of a search that ends after a fail high is a lower bound. Its line has the last exact score of the move,
/// if there is one.
#[test]
fn lines_have_the_last_exact_score() {
    let (mut lower_bounds, mut unknown) = (0, 0);
    for fen in [KIWIPETE, "8/8/4k3/8/8/4K3/8/R6R w - - 0 1"] {
        for limit in (500..20_000).step_by(373) {
            let (result, reports) = search(fen, Limits::nodes(limit));
            let line = &result.lines[0];
            if result.bound == Bound::Exact {
                assert_eq!((result.score, result.bound), (line.score, line.bound), "{fen}, {limit} nodes");
                continue;
            }
            lower_bounds += 1;
            let known = reports[..reports.len() - 1].iter().rev().map(|report| &report.lines[0]);
            let Some(known) = known.into_iter().find(|known| known.pv[0] == line.pv[0]) else {
                unknown += 1;
                continue;
            };
            let proven = result.score.is_win() && line.score == result.score;
            assert!(
                proven || line.bound == Bound::Exact && line.depth >= known.depth,
                "{fen}, {limit} nodes: {result:?}"
            );
            assert!(line.depth > known.depth || proven || line == known, "{fen}, {limit} nodes: {result:?}");
        }
    }
    assert!(lower_bounds > unknown, "{lower_bounds}, {unknown} of moves without a score");
}

#[test]
fn depth_and_move_limits_are_obeyed() {
    let (result, reports) = search(KIWIPETE, Limits::depth(4));
    assert_eq!((result.depth, reports.len()), (4, 4));
    let only = Move::new(Square::A2, Square::A3, MoveKind::Quiet);
    let (result, _) = search(KIWIPETE, Limits { search_moves: vec![only], ..Limits::depth(4) });
    assert_eq!(result.best(), Some(only));
}

#[test]
fn time_limits_are_obeyed() {
    let started = Instant::now();
    let limits = Limits { move_time: Some(100), ..Limits::default() };
    let _ = search(KIWIPETE, limits);
    let took = started.elapsed();
    assert!(took >= Duration::from_millis(100) && took < Duration::from_millis(400), "{took:?}");
    let (result, reports) = search(KIWIPETE, Limits { time: [Some(0), Some(0)], ..Limits::default() });
    assert!(result.best().is_some() && !reports.is_empty(), "no time is no reason not to move");
}

/// With a move that was searched: the first iteration is finished.
#[test]
fn a_stopped_search_still_answers() {
    let shared = Shared::new(TranspositionTable::new(1).unwrap(), Arc::new(Control::new()), 1);
    shared.control.stop(1);
    let wanted = job(Position::startpos(), Limits { infinite: true, ..Limits::default() });
    let result = Worker::new(Arc::new(shared), 0).unwrap().search(&wanted, None);
    assert!(result.best().is_some() && result.depth >= 1 && result.nodes < 1000, "{result:?}");
}

#[test]
fn several_lines_are_different_and_in_order() {
    let mut wanted = job(Position::from_fen(KIWIPETE).unwrap(), Limits::depth(7));
    wanted.options.multi_pv = 5;
    let (result, _) = search_with(&wanted);
    assert!(result.lines.len() == 5 && result.lines.iter().all(|line| line.depth == 7), "{result:#?}");
    // Wherever the search ends. The checks are those of `search_with`.
    for lines in [2, 5, 60] {
        wanted.options.multi_pv = lines;
        for limit in (1..400).chain((400..40_000).step_by(771)) {
            wanted.limits = Limits::nodes(limit);
            let (result, _) = search_with(&wanted);
            assert_eq!(result.lines.len(), lines.min(48), "{limit} nodes");
        }
    }
}

/// A search that takes long tells bounds and lines as they arise. This one began ten seconds ago.
#[test]
fn long_searches_report_within_an_iteration() {
    for multi_pv in [1, 3] {
        let mut wanted = job(Position::from_fen(KIWIPETE).unwrap(), Limits::nodes(150_000));
        wanted.options.multi_pv = multi_pv;
        let details = |wanted: &Job| {
            let (_, reports) = search_with(wanted);
            let count = |test: fn(&Line) -> bool| {
                reports.iter().rev().skip(1).filter(|report| report.lines.iter().any(test)).count()
            };
            let unfinished = reports.iter().rev().skip(1).filter(|report| !report.is_complete()).count();
            (count(|line| line.bound == Bound::Lower), count(|line| line.bound == Bound::Upper), unfinished)
        };
        assert_eq!(details(&wanted), (0, 0, 0));
        wanted.started = wanted.started.checked_sub(Duration::from_secs(10)).unwrap();
        let (fail_highs, fail_lows, unfinished) = details(&wanted);
        assert!(fail_highs > 0 && fail_lows > 0, "{multi_pv} lines: {fail_highs} fail highs, {fail_lows} fail lows");
        assert!(multi_pv == 1 || unfinished > fail_highs + fail_lows, "{unfinished}");
    }
}

/// A PV that was cut short goes on with what the table knows, and has a reply even where that knows none.
#[test]
fn lines_are_continued() {
    for (fen, depth) in [(KIWIPETE, 8), ("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", 9)] {
        let wanted = job(Position::from_fen(fen).unwrap(), Limits::depth(depth));
        let table = TranspositionTable::new(16).unwrap();
        let shared = Arc::new(Shared::new(table, Arc::new(Control::new()), 1));
        let result = Worker::new(shared.clone(), 0).unwrap().search(&wanted, None);
        let complete = |length: usize| {
            let mut line = result.lines[0].clone();
            line.pv.truncate(length);
            shared.complete_pvs(&wanted.position, std::slice::from_mut(&mut line));
            check_pv(&wanted.position, &line);
            line.pv
        };
        let (cut, whole) = (complete(1), complete(usize::MAX));
        assert!(cut.len() >= 2, "{fen}: {cut:?}");
        assert!(whole.starts_with(&result.lines[0].pv), "{fen}: {whole:?}");
        let mate = result.score.mate_moves().map(|moves| 2 * moves as usize - 1);
        assert!(mate.is_none_or(|plies| whole.len() == plies), "{fen}: {whole:?}");
        assert!(whole.len() <= result.lines[0].pv.len().max(depth as usize), "{fen}: {whole:?}");
    }
}

/// No reply to a move that ends the game: managers of matches warn of it.
#[test]
fn nothing_follows_the_end_of_the_game() {
    let limits = Limits::depth(4);
    let job_of = |fen| job(Position::from_fen(fen).unwrap(), limits.clone());
    let mut repetition = job(Position::startpos(), limits.clone());
    let move_to = |position: &Position, [from, to]: [Square; 2]| {
        legal_moves(position).into_iter().find(|mv| [mv.from(), mv.to()] == [from, to]).unwrap()
    };
    let moves =
        [[Square::G1, Square::F3], [Square::G8, Square::F6], [Square::F3, Square::G1], [Square::F6, Square::G8]];
    for squares in moves.into_iter().cycle().take(7) {
        let mv = move_to(&repetition.position, squares);
        repetition.position.make(mv);
    }
    repetition.limits.search_moves = vec![move_to(&repetition.position, moves[3])];
    for (name, wanted) in [
        ("mate", job_of("6k1/5ppp/8/8/8/8/8/3R2K1 w - - 0 1")),
        ("fifty-move rule", job_of("7k/8/8/8/8/8/8/R6K w - - 99 80")),
        ("insufficient material", job_of("8/8/8/4k3/8/8/4Kn2/8 w - - 0 1")),
        ("threefold repetition", repetition),
    ] {
        let shared = Arc::new(Shared::new(TranspositionTable::new(1).unwrap(), Arc::new(Control::new()), 1));
        let mut line = Worker::new(shared.clone(), 0).unwrap().search(&wanted, None).lines[0].clone();
        shared.complete_pvs(&wanted.position, std::slice::from_mut(&mut line));
        assert_eq!(line.pv.len(), 1, "{name}");
    }
}

/// The caller has nothing else to do between two searches: neither the nodes of the one before count nor its age.
#[test]
fn a_worker_searches_again_and_again() {
    let shared = Arc::new(Shared::new(TranspositionTable::new(1).unwrap(), Arc::new(Control::new()), 1));
    let mut worker = Worker::new(shared.clone(), 0).unwrap();
    let wanted = job(Position::from_fen(KIWIPETE).unwrap(), Limits::nodes(20_000));
    for _ in 0..3 {
        assert_eq!(worker.search(&wanted, None).nodes, 20_000);
        assert!(shared.tt.hashfull() < 900, "entries of older searches are not counted");
    }
    let other = job(Position::startpos(), Limits::depth(1));
    worker.search(&other, None);
    assert!(shared.tt.hashfull() < 20, "{}", shared.tt.hashfull());
}

#[test]
fn the_same_search_gives_the_same_nodes() {
    let wanted = job(Position::from_fen(KIWIPETE).unwrap(), Limits::depth(9));
    let (first, _) = search_with(&wanted);
    Lookup::with_each(|lookup| {
        let mut worker = worker();
        assert_eq!(worker.search(&wanted, None).nodes, first.nodes, "{lookup:?}");
        worker.new_game();
        let table = TranspositionTable::new(16).unwrap();
        worker.set_shared(Arc::new(Shared::new(table, Arc::new(Control::new()), 1)));
        assert_eq!(worker.search(&wanted, None).nodes, first.nodes, "{lookup:?}: a new game starts afresh");
    });
}

/// Draws are told from scores that only look like them, without a line out of order.
#[test]
fn lines_of_draws_are_in_order() {
    for (fen, nodes) in [("8/8/8/8/5k2/K3B3/3n4/8 b - - 0 90", 925), ("N5b1/8/5K2/8/8/6k1/8/8 b - - 90 90", 5286)] {
        let mut wanted = job(Position::from_fen(fen).unwrap(), Limits::nodes(nodes));
        wanted.options.multi_pv = 8;
        let (result, _) = search_with(&wanted);
        assert!(
            result.lines.len() >= 5 && result.lines.is_sorted_by(|above, below| above.score >= below.score),
            "{fen}: {:#?}",
            result.lines
        );
    }
}
