//! The search as a whole: mates and draws, limits, multi-PV, determinism.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use sleight::{
    attacks::{Backend, Magic, Rays, Sliders, WithSliders},
    clock::Limits,
    movegen::is_legal,
    position::Position,
    search::{Control, Job, SearchOptions, SearchReport, SearchResult, Shared, Worker},
    tt::{Bound, TranspositionTable},
    types::{Move, MoveKind, Score, Square},
};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn worker<S: Sliders>(sliders: S) -> Worker<S> {
    let table = TranspositionTable::new(16).unwrap();
    Worker::new(sliders, Arc::new(Shared::new(table, Arc::new(Control::new()), 1)), 0).unwrap()
}

fn job(position: Position, limits: Limits) -> Job {
    Job { search_id: 1, position, limits, options: SearchOptions::default(), started: Instant::now() }
}

fn search(fen: &str, limits: Limits) -> (SearchResult, Vec<SearchReport>) {
    search_with(Magic, &job(Position::from_fen(fen).unwrap(), limits))
}

fn search_with<S: Sliders>(sliders: S, job: &Job) -> (SearchResult, Vec<SearchReport>) {
    let mut reports = Vec::new();
    let result = worker(sliders).search(job, Some(&mut |report| reports.push(report)));
    for report in &reports {
        let mut position = job.position.clone();
        for &mv in &report.pv {
            assert!(is_legal(&position, mv), "illegal {mv} in a reported line of {}", job.position.fen());
            position.play(mv);
        }
    }
    (result, reports)
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
        let last = reports.last().unwrap();
        assert_eq!(last.pv.len(), 2 * moves as usize - 1, "the whole mate is shown: {fen}");
        let mut end = Position::from_fen(fen).unwrap();
        last.pv.iter().for_each(|&mv| end.play(mv));
        assert!(end.in_check() && sleight::movegen::legal_moves(&end).is_empty());
    }
}

/// Where a search for a mate looks no further, a mate that is already on the board counts all the same.
#[test]
fn a_mate_at_the_end_of_a_mate_search_is_seen() {
    let position = Position::from_fen("K6Q/2k5/8/2r3P1/8/1r6/2B5/2n5 w - - 8 101").unwrap();
    let blunder = Move::new(Square::C2, Square::B3, MoveKind::Capture);
    let limits = Limits { mate: Some(1), search_moves: vec![blunder], ..Limits::depth(10) };
    assert_eq!(search_with(Magic, &job(position, limits)).0.score, Score::mated_in(2));
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

/// The score of a search that ends after a fail high is a lower bound.
#[test]
fn a_result_has_the_bound_of_the_last_report() {
    let mut lower_bounds = 0;
    for fen in [KIWIPETE, "8/8/4k3/8/8/4K3/8/R6R w - - 0 1"] {
        for limit in (500..20_000).step_by(373) {
            let (result, reports) = search(fen, Limits::nodes(limit));
            let last = reports.last().unwrap();
            assert_eq!((result.score, result.bound), (last.score, last.bound), "{fen}, {limit} nodes");
            lower_bounds += u32::from(result.bound == Bound::Lower);
        }
    }
    assert!(lower_bounds > 0);
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
    let mut reports = 0;
    let result = Worker::new(Magic, Arc::new(shared), 0).unwrap().search(
        &job(Position::startpos(), Limits { infinite: true, ..Limits::default() }),
        Some(&mut |_| reports += 1),
    );
    assert!(result.best().is_some() && reports >= 1 && result.depth >= 1 && result.nodes < 1000, "{result:?}");
}

#[test]
fn several_lines_are_different_and_in_order() {
    let mut wanted = job(Position::from_fen(KIWIPETE).unwrap(), Limits::depth(7));
    wanted.options.multi_pv = 5;
    let (result, reports) = search_with(Magic, &wanted);
    let last = &reports[reports.len() - 5..];
    assert_eq!(result.best(), Some(last[0].pv[0]));
    for (index, pair) in last.windows(2).enumerate() {
        assert!(pair[0].score >= pair[1].score && pair[0].pv[0] != pair[1].pv[0]);
        assert_eq!((pair[0].multipv, pair[1].multipv), (index + 1, index + 2));
    }
}

#[test]
fn the_same_search_gives_the_same_nodes() {
    let wanted = job(Position::from_fen(KIWIPETE).unwrap(), Limits::depth(9));
    let (first, _) = search_with(Rays, &wanted);

    struct Again<'a>(&'a Job);
    impl WithSliders for Again<'_> {
        type Out = u64;
        fn run<S: Sliders>(self, sliders: S) -> u64 {
            let mut worker = worker(sliders);
            let first = worker.search(self.0, None).nodes;
            worker.new_game();
            let table = TranspositionTable::new(16).unwrap();
            worker.set_shared(Arc::new(Shared::new(table, Arc::new(Control::new()), 1)));
            assert_eq!(worker.search(self.0, None).nodes, first, "a new game starts afresh");
            first
        }
    }
    // Where the processor has no PEXT, both are magics.
    for backend in [Backend::Magic, Backend::Pext] {
        assert_eq!(backend.with_searchable(Again(&wanted)), first.nodes, "{backend:?}");
    }
}
