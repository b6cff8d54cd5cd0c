//! What a search shows: its lines at the end and on the way, bounds, and what a weak player analyses.

use std::{
    collections::{HashMap, HashSet},
    time::Duration,
};

use sleight::{movegen::legal_moves, notation::UciMove, outcome::Outcome, position::Position};

use crate::client::{Client, field, is_scored, mentions};

const PAUSE: Duration = Duration::from_millis(100);

const MIDDLEGAME: &str = "r1bq1rk1/2p1bppp/p1np1n2/1p2p3/4P3/1BP2N1P/PP1P1PP1/RNBQR1K1 b - - 0 1";
const ATTACK: &str = "r2q1rk1/1b1nbppp/p2ppn2/1p6/3NPP2/1BN1B3/PPP3PP/R2Q1RK1 w - - 0 12";
const QUEENS: &str = "8/kr6/4P3/K1p1Q1P1/4B3/P1R5/1r6/4q3 w - - 4 52";
const FENS: &[&str] = &[
    MIDDLEGAME,
    ATTACK,
    QUEENS,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/8/8/4k3/8/8/8/R3K3 w - - 90 80",
    "7k/8/8/8/8/8/8/KR6 b - - 0 1",
];

fn number(line: &str, name: &str) -> u64 {
    field(line, name).unwrap().parse().unwrap()
}

fn score(line: &str) -> i32 {
    match (field(line, "cp"), field(line, "mate")) {
        (Some(score), _) => score.parse().unwrap(),
        (_, Some(moves)) => moves.parse::<i32>().map(|moves| moves.signum() * 100_000 - moves).unwrap(),
        _ => panic!("{line}"),
    }
}

fn is_bound(line: &str) -> bool {
    line.contains(" lowerbound ") || line.contains(" upperbound ")
}

fn pv(line: &str) -> Vec<&str> {
    line.split_once(" pv ").unwrap().1.split(' ').collect()
}

/// The scored lines as sets, each of which begins with the first line.
fn sets(lines: &[String]) -> Vec<Vec<&str>> {
    let mut sets: Vec<Vec<&str>> = Vec::new();
    for line in lines.iter().filter(|line| is_scored(line)) {
        if field(line, "multipv") == Some("1") {
            sets.push(Vec::new());
        }
        // A test may have begun to listen within a set.
        if let Some(set) = sets.last_mut() {
            set.push(line);
        }
    }
    sets
}

/// The position after a line, whose moves must be legal.
fn after(fen: &str, line: &str) -> Position {
    let mut position = Position::from_fen(fen).unwrap();
    for mv in pv(line) {
        position.make(mv.parse::<UciMove>().unwrap().find(&position).expect(line));
    }
    position
}

/// Checks all sets of a search, and that the last one is the answer. `chosen`: its first line need not be the best.
fn check(fen: &str, go: &str, (lines, best): &(Vec<String>, String), count: usize, chosen: bool) {
    let sets = sets(lines);
    let last = sets.last().unwrap();
    for set in &sets {
        assert_eq!(set.len(), count, "{fen}, {go}: {set:#?}");
        for (line, index) in set.iter().zip(1..) {
            assert_eq!(number(line, "multipv"), index, "{fen}, {go}: {set:#?}");
            after(fen, line);
        }
        let moves: HashSet<&str> = set.iter().map(|line| pv(line)[0]).collect();
        assert_eq!(moves.len(), count, "{fen}, {go}: {set:#?}");
        let ranked = &set[usize::from(chosen && set == last)..];
        assert!(ranked.is_sorted_by(|a, b| score(a) >= score(b)), "{fen}, {go}: {set:#?}");
    }
    let nodes = lines.iter().filter_map(|line| field(line, "nodes")?.parse().ok()).max();
    let depth = last.iter().map(|line| number(line, "depth")).max().unwrap();
    for line in last {
        assert_eq!(Some(number(line, "nodes")), nodes, "{fen}, {go}: {last:#?}");
        let has_end = || pv(line).len() > 1 || legal_moves(&after(fen, line)).is_empty();
        assert!(depth < 2 || has_end(), "{fen}, {go}: {line}");
    }
    assert_eq!(pv(last[0])[0], best, "{fen}, {go}");
}

/// After every kind of end, all lines are sent once more.
#[test]
fn every_search_ends_with_all_its_lines() {
    let mut client = Client::start();
    let limits =
        ["nodes 400000", "nodes 6", "nodes 150", "nodes 3333", "nodes 20011", "depth 1", "depth 6", "movetime 30"];
    for fen in FENS {
        let legal = legal_moves(&Position::from_fen(fen).unwrap()).len();
        for (multi_pv, limit) in [1, 3, 5, 200].into_iter().flat_map(|count| limits.map(|limit| (count, limit))) {
            if limit == "nodes 400000" && (*fen, multi_pv) != (MIDDLEGAME, 5) {
                continue;
            }
            client
                .send(&format!("ucinewgame\nsetoption name MultiPV value {multi_pv}\nposition fen {fen}\ngo {limit}"));
            check(fen, limit, &client.best_move(), legal.min(multi_pv), false);
        }
        client.send("go infinite");
        let mut lines = client.until("info depth 4 ");
        client.send("stop");
        let (rest, best) = client.best_move();
        lines.extend(rest);
        check(fen, "stop", &(lines, best), legal, false);
    }
}

/// So they are with several threads, whose vote is shown where there is one line.
#[test]
fn the_vote_of_the_threads_is_the_last_line() {
    let mut client = Client::after("setoption name Threads value 3");
    for fen in FENS {
        for (multi_pv, limit) in [(1, "depth 8"), (1, "nodes 20000"), (4, "depth 6"), (4, "nodes 20000")] {
            client
                .send(&format!("ucinewgame\nsetoption name MultiPV value {multi_pv}\nposition fen {fen}\ngo {limit}"));
            let legal = legal_moves(&Position::from_fen(fen).unwrap()).len();
            check(fen, limit, &client.best_move(), legal.min(multi_pv), false);
        }
    }
}

/// A search to a depth ends with a line of that depth, however deep the helpers are.
#[test]
fn no_helper_shortens_a_search_to_a_depth() {
    let mut client = Client::after("setoption name Threads value 16");
    for (fen, depth) in FENS.iter().zip((4..=8).cycle()).cycle().take(120) {
        client.send(&format!("ucinewgame\nposition fen {fen}\ngo depth {depth}"));
        let (lines, _) = client.best_move();
        let last = lines.iter().rfind(|line| is_scored(line)).unwrap();
        assert!(last.starts_with(&format!("info depth {depth} ")), "{fen}: {lines:#?}");
    }
}

/// A search that ends after a fail high or low shows the exact score of its move, if it is known, with its PV.
#[test]
fn the_last_line_has_an_exact_score_and_a_reply() {
    let (mut ends, mut bounds) = (0, 0);
    let mut client = Client::start();
    for fen in FENS {
        for nodes in (3000..120_000).step_by(6101).chain((*fen == QUEENS).then_some(1_000_000)) {
            client.send(&format!("ucinewgame\nposition fen {fen}\ngo nodes {nodes}"));
            let search = client.best_move();
            check(fen, &nodes.to_string(), &search, 1, false);
            let lines: Vec<&String> = search.0.iter().filter(|line| is_scored(line)).collect();
            let (last, before) = lines.split_last().unwrap();
            let known = before.iter().any(|line| !is_bound(line) && pv(line)[0] == pv(last)[0]);
            assert!(!known || !is_bound(last), "{fen}, {nodes} nodes: {lines:#?}");
            ends += 1;
            bounds += u32::from(is_bound(last));
        }
    }
    assert!(bounds * 50 <= ends, "{bounds} of {ends} end in a bound");
}

/// The move that a weak player plays is the first line, and leaves its place among the others.
#[test]
fn the_choice_of_a_weak_player_is_the_first_line() {
    let mut client = Client::after("setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 1350");
    let mut others = 0;
    for (fen, multi_pv) in FENS.iter().flat_map(|fen| [1, 2, 4, 8].map(|count| (fen, count))) {
        let legal = legal_moves(&Position::from_fen(fen).unwrap()).len();
        for limit in ["movetime 5000", "nodes 100", "depth 2", "wtime 9000 btime 9000"] {
            client
                .send(&format!("ucinewgame\nsetoption name MultiPV value {multi_pv}\nposition fen {fen}\ngo {limit}"));
            let search = client.best_move();
            check(fen, limit, &search, legal.min(multi_pv), true);
            let sets = sets(&search.0);
            others += usize::from(sets.len() > 1 && pv(sets[sets.len() - 2][0])[0] != search.1);
        }
    }
    assert!(others > 10, "{others}");
}

/// An infinite or pondering search of a weak player goes on at full depth. The move is chosen among the lines that the
/// level would have seen.
#[test]
fn a_weak_player_analyses_at_full_depth() {
    let weak = "setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 1350";
    let mut client = Client::after(&format!("{weak}\nsetoption name MultiPV value 6\nposition fen {ATTACK}"));
    client.send("ucinewgame\ngo wtime 60000 btime 60000");
    let (lines, _) = client.best_move();
    let seen: HashSet<String> = sets(&lines).last().unwrap().iter().map(|line| pv(line)[0].to_owned()).collect();
    assert!(number(lines.last().unwrap(), "nodes") < 1300 && seen.len() == 6, "{lines:#?}");
    client.send("setoption name MultiPV value 2");
    let mut chosen = HashSet::new();
    for round in 0..24 {
        let (go, end) = [("go infinite", "stop"), ("go ponder wtime 60000 btime 60000", "ponderhit")][round % 2];
        client.send(&format!("ucinewgame\n{go}"));
        client.until("info depth 8 ");
        assert!(!mentions(&client.listen(Duration::from_millis(5)), "bestmove"));
        client.send(end);
        let (lines, best) = client.best_move();
        let last = sets(&lines).pop().unwrap();
        assert!(last.len() == 2 && pv(last[0])[0] == best && pv(last[1])[0] != best, "{last:#?}");
        assert!(number(last[1], "depth") >= 7, "{last:#?}");
        assert!(seen.contains(&best), "{best} is none of {seen:?}");
        chosen.insert(best);
    }
    assert!(chosen.len() > 1, "{chosen:?}");
}

/// Lines that came before the ponderhit come again, because a program may clear them there.
#[test]
fn the_last_lines_are_told_again_when_the_move_is_asked_for() {
    for (position, go, release, count) in [
        ("startpos", "go ponder depth 3", "ponderhit", 3),
        ("startpos", "go ponder depth 3", "stop", 3),
        ("startpos", "go infinite depth 3", "stop", 3),
        ("fen 7k/8/8/8/8/8/8/KR6 b - - 0 1", "go ponder depth 3", "ponderhit", 3),
        ("fen 7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", "go ponder mate 2", "ponderhit", 3),
        ("fen R6k/6pp/8/8/8/8/8/7K b - - 0 1", "go ponder depth 3", "ponderhit", 1),
    ] {
        let mut client = Client::after("setoption name MultiPV value 3");
        client.send(&format!("position {position}\n{go}"));
        let mut shown = client.until("info depth");
        shown.extend(client.until_quiet(3 * PAUSE));
        let shown = &shown[shown.len().saturating_sub(count)..];
        client.send(release);
        let mut again = client.until("bestmove");
        again.pop();
        assert!(again.len() == count && again.iter().all(|line| line.contains(" score ")), "{go}: {again:#?}");
        assert_eq!(again, shown, "{position}, {go}");
    }
}

/// The longest time without a sign of life, in ms from `go` on.
fn longest_silence(lines: &[String]) -> u64 {
    let is_sign = |line: &&String| line.starts_with("info ") && !line.starts_with("info string ");
    let mut times = vec![0];
    for line in lines.iter().filter(is_sign) {
        let [.., time] = ["depth", "nodes", "nps", "hashfull", "time"].map(|name| number(line, name));
        times.push(time);
    }
    times.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap()
}

/// No two seconds pass without a sign of life, and from three seconds on there are lines within an iteration.
#[test]
fn an_analysis_is_not_silent() {
    // All lines lead to a draw, and an iteration takes seconds from the first on.
    const BLOCKED: &str = "8/8/1p1p1p1p/kPpPpPpP/2P1P1P1/8/8/1K6 w - - 0 1";
    for (fen, count, time) in [(ATTACK, 3, 9000), (BLOCKED, 1, 4000)] {
        let mut silences = Vec::new();
        // A busy machine may keep even an idle thread from its ticks for a while.
        while silences.last().is_none_or(|&silence| silence > 2000) {
            assert!(silences.len() < 3, "{fen}: silent for {silences:?} ms");
            let mut client = Client::start();
            client.send(&format!("setoption name MultiPV value {count}\nposition fen {fen}\ngo movetime {time}"));
            let (lines, best) = client.best_move();
            check(fen, "movetime", &(lines.clone(), best), count, false);
            assert!(mentions(&lines, " currmove "), "{lines:#?}");
            if count > 1 {
                let sets = sets(&lines);
                let within = |set: &&Vec<&str>| {
                    number(set[0], "time") >= 3000 && number(set[0], "depth") != number(set[2], "depth")
                };
                assert!(sets.iter().filter(within).count() > 2, "{lines:#?}");
            }
            silences.push(longest_silence(&lines));
        }
    }
}

/// After an iteration that was not finished: an exact mate is that of its own line, a line ends in a draw only at zero,
/// and there is no bound where an exact score is known.
#[test]
fn the_last_lines_mean_what_they_say() {
    let searches = [
        ("8/8/8/8/1K1k4/6q1/2r5/8 w - - 10 120", 8, 500),
        ("8/2k5/8/8/4K3/3r4/4p3/8 w - - 90 90", 3, 10_726),
        ("8/7Q/1nQK4/8/1B6/6k1/8/8 b - - 0 90", 8, 13_093),
        ("8/1K6/4Q3/6k1/8/1p4r1/p7/8 b - - 96 90", 3, 759),
        ("8/8/8/3k4/8/3K1N2/8/2B5 w - - 0 1", 5, 142_457),
        ("8/8/4k3/1p1nNp2/1P3P2/8/3K4/8 w - - 2 2", 3, 2094),
        // The reply with the best evaluation is a mate that the search has not seen.
        ("1Qr5/3k4/8/8/7K/1Qn5/5p2/8 b - - 97 500", 26, 1000),
    ];
    let mut client = Client::start();
    let mut mates = 0;
    for (fen, count, nodes) in searches {
        client.send(&format!("ucinewgame\nsetoption name MultiPV value {count}\nposition fen {fen}\ngo nodes {nodes}"));
        let (lines, _) = client.best_move();
        for line in sets(&lines).last().unwrap() {
            let is_mate = field(line, "mate").is_some();
            assert!(!is_bound(line) || is_mate, "{fen}, {nodes}: {line}");
            if !is_bound(line) {
                let end = after(fen, line).outcome();
                assert!(end != Some(Outcome::Draw) || score(line) == 0, "{fen}, {nodes}: {line}");
                assert_eq!(is_mate, end.is_some_and(|end| end != Outcome::Draw), "{fen}, {nodes}: {line}");
                mates += usize::from(is_mate);
            }
        }
    }
    assert!(mates > 3, "{mates} mates");
}

/// A move that no iteration has reached has no exact score: it may be a mate that the search has not seen.
#[test]
fn moves_never_searched_have_a_bound() {
    let mut client = Client::after("setoption name MultiPV value 50");
    for (fen, mates) in [("6k1/5ppp/8/8/8/8/8/RRK5 w - - 0 1", 2), ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 0)] {
        for nodes in [1, 2, 5, 20] {
            client.send(&format!("ucinewgame\nposition fen {fen}\ngo nodes {nodes}"));
            let (lines, _) = client.best_move();
            let sets = sets(&lines);
            let last = sets.last().unwrap();
            let bounds = last.iter().filter(|line| is_bound(line)).count();
            assert!(bounds + nodes >= last.len(), "{fen}, {nodes}: {last:#?}");
            let unseen = last.iter().filter(|line| {
                let is_over = after(fen, line).outcome().is_some_and(|end| end != Outcome::Draw);
                is_over && (is_bound(line) || field(line, "mate") == Some("1"))
            });
            assert_eq!(unseen.count(), mates, "{fen}, {nodes}: {last:#?}");
        }
    }
}

/// The last line for a move is at least as long as any before it of the same depth and score.
#[test]
fn last_lines_are_the_longest_known() {
    let mut client = Client::start();
    for fen in FENS {
        client.send(&format!("ucinewgame\nsetoption name MultiPV value 4\nposition fen {fen}\ngo nodes 30000"));
        let (lines, _) = client.best_move();
        let sets = sets(&lines);
        let key = |line: &&str| (pv(line)[0].to_owned(), number(line, "depth"), score(line));
        let before: HashMap<_, _> = sets[..sets.len() - 1].iter().flatten().map(|line| (key(line), pv(line))).collect();
        for line in sets.last().unwrap() {
            let (plies, known) = (pv(line), before.get(&key(line)));
            assert!(known.is_none_or(|known| plies.starts_with(known)), "{line}: {known:?}");
        }
    }
}
