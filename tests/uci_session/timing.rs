//! Synchronization: early, late and repeated stops, `isready` while searching, and the end of input.

use std::{
    io::Write as _,
    thread::sleep,
    time::{Duration, Instant},
};

use crate::client::{Client, START, count, field, is_scored, mentions, piped, unread};

const PAUSE: Duration = Duration::from_millis(100);

fn startpos() -> Client {
    Client::after("uci\nposition startpos")
}

/// The best of what `measure` returns: a busy machine makes some rounds slow, a slow engine all of them. Over
/// `enough` milliseconds, it is given more rounds.
fn best(enough: u64, mut measure: impl FnMut() -> Duration) -> Duration {
    let mut best = Duration::MAX;
    for round in 0..60 {
        if round >= 15 && best < Duration::from_millis(enough) {
            break;
        }
        best = best.min(measure());
    }
    best
}

#[test]
fn no_stop_is_lost_and_none_hits_the_next_search() {
    let mut client = startpos();
    for round in 0..300 {
        client.send("go infinite\nstop");
        client.until("bestmove");
        // The stop was for that search alone.
        if round % 50 == 0 {
            client.send("go infinite");
            assert_eq!(count(&client.listen(PAUSE), "bestmove"), 0);
            client.send("stop");
            client.until("bestmove");
        }
    }
    assert_eq!(count(&client.sync(), "bestmove"), 0);
}

#[test]
fn commands_in_one_write_are_all_answered() {
    let mut client = startpos();
    client.send(&"go infinite\nstop\nisready\n".repeat(300));
    client.send(&"go infinite\n".repeat(100));
    client.send(&"stop\n".repeat(10));
    client.send("go depth 3");
    for _ in 0..401 {
        client.until("bestmove");
    }
    assert_eq!(count(&client.sync(), "bestmove"), 0);
}

#[test]
fn isready_is_answered_at_once_while_searching() {
    let mut client = startpos();
    client.send("go infinite");
    for _ in 0..20 {
        assert_eq!(count(&client.sync(), "bestmove"), 0);
    }
    client.send("setoption name Hash value 64\nposition startpos moves e2e4\nucinewgame");
    assert_eq!(count(&client.sync(), "bestmove"), 0, "what waits for the search does not hold up the answer");
    client.send("stop");
    client.until("bestmove");
    client.send("d");
    client.until("Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
}

/// Also when the search itself had to wait, so that the question came before it began.
#[test]
fn isready_is_answered_in_a_search_that_had_to_wait() {
    let mut client = startpos();
    for work in ["perft 6", "bench 60", "genfens 1000 seed 1 book None"].repeat(10) {
        client.send(&format!("{work}\ngo infinite\nd"));
        let told = client.sync();
        assert!(mentions(&told, "Key: ") && count(&told, "bestmove") == 0, "{work}: {told:#?}");
        client.send("stop");
        client.until("bestmove");
    }
}

#[test]
fn unbounded_searches_hold_their_move() {
    let mated = "position fen R6k/6pp/8/8/8/8/8/7K b - - 0 1";
    for (position, go, release) in [
        ("position startpos", "go infinite depth 1", "stop"),
        ("position startpos", "go ponder depth 1", "stop"),
        ("position startpos", "go ponder depth 1", "ponderhit"),
        ("position startpos", "go ponder wtime 1 btime 1", "ponderhit"),
        ("position startpos", "go ponder movetime 1", "ponderhit"),
        ("position startpos", "go btime 1", "stop"),
        (mated, "go infinite", "stop"),
        ("position fen nonsense", "go infinite", "stop"),
        ("position fen nonsense", "go", "stop"),
        ("position fen nonsense", "go ponder wtime 1 btime 1", "ponderhit"),
        (mated, "go ponder wtime 1 btime 1", "ponderhit"),
    ] {
        let mut client = Client::after(position);
        client.send(go);
        assert_eq!(count(&client.listen(PAUSE), "bestmove"), 0, "{go}");
        client.send(release);
        client.until("bestmove");
        client.send("stop\nponderhit");
        assert_eq!(count(&client.sync(), "bestmove"), 0, "{go}: one move is enough");
    }
}

#[test]
fn a_ponderhit_does_not_end_the_search() {
    let mut client = startpos();
    client.send("go ponder movetime 600");
    client.until("info depth");
    client.send("ponderhit");
    assert_eq!(count(&client.listen(PAUSE), "bestmove"), 0);
    client.until("bestmove");
    client.send("go ponder infinite\nponderhit");
    assert_eq!(count(&client.listen(PAUSE), "bestmove"), 0);
    client.send("stop");
    client.until("bestmove");
}

#[test]
fn a_new_go_ends_the_old_one() {
    let mut client = startpos();
    client.send("go infinite\nposition startpos moves e2e4\ngo searchmoves e7e5 depth 4");
    let (_, first) = client.best_move();
    let (_, second) = client.best_move();
    assert_ne!(first, "e7e5");
    assert_eq!(second, "e7e5");
}

/// So it does when nothing but its move is left of the old one.
#[test]
fn a_new_go_releases_a_held_move() {
    for held in ["position startpos\ngo infinite depth 1", "position fen nonsense\ngo infinite"] {
        let mut client = Client::after(held);
        client.listen(PAUSE);
        client.send("position startpos\ngo depth 2");
        client.until("bestmove");
        client.until("bestmove");
        client.send("go infinite depth 1");
        client.listen(PAUSE);
        client.send("go depth 2");
        client.close_input();
        let (lines, code) = client.wait_exit();
        assert_eq!((count(&lines, "bestmove"), code), (2, Some(0)), "{held}");
    }
}

#[test]
fn a_stop_ends_other_work_and_says_so() {
    let mut client = startpos();
    for work in ["genfens 1000000 seed 1 book None", "perft 9", "bench 60"] {
        client.send(work);
        client.listen(PAUSE);
        client.send("stop");
        let told = client.sync();
        let last = told.last().unwrap();
        assert!(last.starts_with("info string") && last.ends_with("was stopped"), "{work}: {told:#?}");
        assert!(!mentions(&told, "error"), "{work}: {told:#?}");
    }
}

/// So does one before the first line: no opening of this book is balanced, and a thousand are tried.
#[test]
fn a_stop_ends_the_choice_of_an_opening() {
    let mut book = tempfile::NamedTempFile::new().unwrap();
    writeln!(book, "4k3/8/8/8/8/8/8/QQQQK3 w - - 0 1").unwrap();
    let mut client = startpos();
    let stopped = best(500, || {
        client.send(&format!("genfens 1 seed 1 book {}", book.path().display()));
        client.listen(PAUSE);
        let start = Instant::now();
        client.send("stop");
        let told = client.sync();
        assert!(told.last().unwrap().ends_with("was stopped"), "{told:#?}");
        start.elapsed()
    });
    assert!(stopped < Duration::from_millis(500), "{stopped:?}");
}

#[test]
fn stop_and_ponderhit_are_ignored_when_idle() {
    let mut client = startpos();
    client.send("stop\nponderhit\nstop");
    assert_eq!(client.sync(), [""; 0]);
    client.send("go depth 3");
    client.until("bestmove");
}

#[test]
fn the_end_of_input_finishes_what_has_an_end() {
    for (go, finished) in [
        ("go depth 9", true),
        ("go movetime 150", true),
        ("go infinite", false),
        ("go", false),
        ("go ponder depth 9", false),
    ] {
        let lines = piped(format!("{START}{go}"));
        assert_eq!(count(&lines, "bestmove"), 1, "{go}: {lines:#?}");
        assert!(lines.last().unwrap().starts_with("bestmove"), "{go}: {lines:#?}");
        assert!(!finished || mentions(&lines, "info depth 9 "), "{go}: {lines:#?}");
    }
    // A search in progress when the line goes dead.
    let mut client = startpos();
    client.send("go infinite");
    client.until("info depth 5");
    client.close_input();
    let (lines, code) = client.wait_exit();
    assert_eq!((count(&lines, "bestmove"), code), (1, Some(0)));
}

#[test]
fn quit_ends_everything_at_once() {
    for busy in [
        "go infinite",
        "go depth 60",
        "go ponder",
        "go perft 9",
        "bench 60",
        "go infinite\nsetoption name Hash value 2",
    ] {
        let mut client = startpos();
        client.send(busy);
        sleep(PAUSE);
        client.send("quit");
        let start = Instant::now();
        let (lines, code) = client.wait_exit();
        let searches = usize::from(busy.starts_with("go") && !busy.contains("perft"));
        assert_eq!((count(&lines, "bestmove"), code), (searches, Some(0)), "{busy}");
        assert!(start.elapsed() < Duration::from_secs(5), "{busy}: {:?}", start.elapsed());
    }
}

/// One that had to wait for other work is still owed its move.
#[test]
fn quit_leaves_no_search_without_its_move() {
    let lines = piped(format!("{START}perft 9\ngo depth 1\nquit\n"));
    assert_eq!(count(&lines, "bestmove "), 1, "{lines:#?}");
}

#[test]
fn quit_ends_the_process_when_the_output_is_not_read() {
    assert!(unread(&[b"d\n".repeat(3000).as_slice(), b"quit\n"].concat()).success());
}

/// Captures of captures have no end with so many queens, not even in the first iteration.
#[test]
fn the_clock_holds_in_the_first_iteration() {
    let fen = "bN2kq1q/3q4/7Q/QK4q1/1QQ2Q1q/1bQq1QB1/2q4Q/R1qq1Q2 w - - 0 1";
    let lines = piped(format!("position fen {fen}\ngo movetime 10\n"));
    let nodes = field(&lines[lines.len() - 2], "nodes").unwrap().parse::<u64>().unwrap();
    assert!((10_000..200_000).contains(&nodes), "{lines:#?}");
}

#[test]
fn a_closed_output_ends_the_process_quietly() {
    let mut client = startpos();
    client.send("go depth 3");
    client.close_output();
    client.send("go infinite");
    let (_, code) = client.wait_exit();
    assert_eq!(code, Some(0));
}

/// Far above what is wanted, since the machine may be busy: the limits are those of `benches/answers.py --limits`.
#[test]
fn answers_come_in_time() {
    const SOON: u64 = 150;
    let mut client = startpos();
    let stop = best(SOON, || {
        client.send("go infinite");
        client.until("info depth 6");
        let start = Instant::now();
        client.send("stop");
        client.until("bestmove");
        start.elapsed()
    });
    let late = best(SOON, || {
        let start = Instant::now();
        client.send("go movetime 60");
        client.until("bestmove");
        start.elapsed().saturating_sub(Duration::from_millis(60))
    });
    let position = format!("position startpos moves{}", " g1f3 g8f6 f3g1 f6g8".repeat(150));
    let bare = best(SOON, || {
        let start = Instant::now();
        client.sync();
        start.elapsed()
    });
    let setup = best(SOON, || {
        let start = Instant::now();
        client.send(&position);
        client.sync();
        start.elapsed()
    });
    let begin = best(SOON, || {
        let start = Instant::now();
        Client::after("uci");
        start.elapsed()
    });
    println!("stop {stop:?}, late {late:?}, ready {bare:?}, 600 plies {setup:?}, start {begin:?}");
    let within = |time: Duration| time < Duration::from_millis(SOON);
    assert!(within(stop), "stop to bestmove: {stop:?}");
    assert!(within(late), "movetime exceeded by {late:?}");
    assert!(within(bare), "isready to readyok: {bare:?}");
    assert!(within(setup), "a position of 600 plies: {setup:?}");
    assert!(within(begin), "start to readyok: {begin:?}");
}

/// With one move to search, a clock alone is no reason to think for long: by the rules, or by `searchmoves`.
#[test]
fn the_only_move_is_not_thought_over() {
    const FORCED: &str = "position fen 6k1/5ppp/8/8/8/7P/5PP1/1r4K1 w - - 0 1";
    for (position, go, only) in [
        (FORCED, "wtime 600000 btime 600000 winc 5000 binc 5000", "g1h2"),
        (FORCED, "wtime 3600000 btime 1 movestogo 1", "g1h2"),
        ("position fen 3k2n1/6r1/pR2p1p1/2r4P/1B1bPP1P/1b6/1P1n2BN/1R4K1 w - - 2 50", "wtime 300000", "g1h1"),
        (
            "position fen rnbqkb1r/p1pppQ2/1p3n1p/5pp1/1P6/2P2P2/P2PP1PP/RNBK1BNR b kq - 1 8",
            "wtime 1 btime 60000 binc 60000",
            "e8f7",
        ),
        ("position startpos", "wtime 600000 btime 600000 searchmoves e2e4 e2e4", "e2e4"),
    ] {
        let mut client = Client::after(position);
        let time = best(500, || {
            let start = Instant::now();
            client.send(&format!("go {go}"));
            let lines = client.until("bestmove");
            let last = lines.last().unwrap();
            assert!(last.starts_with(&format!("bestmove {only} ponder ")), "{position}: {last}");
            assert!(lines.iter().any(|line| is_scored(line)), "{lines:#?}");
            start.elapsed()
        });
        assert!(time < Duration::from_millis(500), "{position}, {go}: {time:?}");
    }
    // Two moves are a choice, and whoever asks for more than the clock gets it.
    let mut client = Client::after(FORCED);
    client.send("go wtime 600000 btime 600000 depth 12");
    assert!(mentions(&client.until("bestmove"), "info depth 12 "));
    client.send("go wtime 600000 btime 600000 nodes 300000");
    let lines = client.until("bestmove");
    assert_eq!(field(&lines[lines.len() - 2], "nodes"), Some("300000"), "{lines:#?}");
    for (go, release) in [
        ("go movetime 600 wtime 600000 btime 600000", ""),
        ("go infinite wtime 600000", "stop"),
        ("go ponder wtime 600000 btime 600000", "ponderhit"),
        ("go btime 600000", "stop"),
    ] {
        client.send(go);
        assert_eq!(count(&client.listen(Duration::from_millis(500)), "bestmove"), 0, "{go}");
        client.send(release);
        let start = Instant::now();
        client.until("bestmove");
        assert!(start.elapsed() < Duration::from_secs(5), "{go}");
    }
    let mut client = startpos();
    client.send("go wtime 60000 searchmoves e2e4 d2d4");
    assert_eq!(count(&client.listen(Duration::from_millis(500)), "bestmove"), 0);
}

/// `readyok` waits for the memory of a new table, but not while a command behind it waits.
#[test]
fn nothing_waits_for_the_memory_of_a_new_table() {
    let times = (0..3).map(|_| {
        let mut client = startpos();
        let start = Instant::now();
        client.send("setoption name Hash value 2048\nisready\ngo infinite\nstop");
        client.until("bestmove");
        start.elapsed()
    });
    let best = times.min().unwrap();
    assert!(best < Duration::from_millis(300), "{best:?}");
    let mut client = Client::start();
    let start = Instant::now();
    client.send("setoption name Hash value 2048\nisready\nquit");
    client.wait_exit();
    assert!(start.elapsed() < Duration::from_millis(800), "{:?}", start.elapsed());
}

/// The first iteration is finished, so that the move is not just the first legal one.
#[test]
fn a_stop_right_behind_go_gets_a_move_that_was_searched() {
    let mut client = Client::after("position fen 7k/8/8/3q4/4P3/8/8/K7 w - - 0 1");
    for _ in 0..50 {
        client.send("go infinite\nstop");
        assert!(client.until("bestmove").last().unwrap().starts_with("bestmove e4d5"));
    }
}

#[test]
fn huge_hash_tables_are_allocated_at_once_or_refused() {
    let mut client = startpos();
    let start = Instant::now();
    client.send("setoption name Hash value 4096\nucinewgame\nsetoption name Clear Hash\nucinewgame");
    assert_eq!(client.sync(), [""; 0]);
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    client.send("setoption name Hash value 1048576");
    // A system may promise a tebibyte that it does not have.
    let told = client.sync();
    assert!(told.is_empty() || told.len() == 1 && mentions(&told, "no memory for a hash table"), "{told:#?}");
    client.send("setoption name Hash value 1\ngo depth 5");
    client.until("bestmove");
}
