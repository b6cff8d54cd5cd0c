//! Clients that send more than they read.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    process::Stdio,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    thread::{scope, sleep},
    time::Duration,
};

use crate::client::{count, mentions, piped, sleight};

/// Resident memory of a process, in bytes.
fn resident_memory(id: u32) -> usize {
    let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() << 10
}

#[test]
fn memory_is_limited_while_nobody_reads() {
    const FLOOD: usize = 50 << 20;
    const GROWTH: usize = 16 << 20;
    // A `go` is short, but has a position.
    let long_game = format!("position startpos moves{}\n", " g1f3 g8f6 f3g1 f6g8".repeat(200));
    for chunk in [
        "isready\ngo depth 1\n".to_owned(),
        format!("isready\ngo depth 1{}\n", " ".repeat(1000)),
        format!("{long_game}isready\ngo depth 1\n"),
    ] {
        let mut child = sleight(&[]).stderr(Stdio::null()).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        input.write_all(b"setoption name Hash value 1\ngo depth 1\n").unwrap();
        output.find(|line| line.starts_with("bestmove")).unwrap();
        let before = resident_memory(child.id());

        let (chunks, limit) = (AtomicUsize::new(0), AtomicUsize::new(FLOOD / chunk.len()));
        let answers: Vec<String> = scope(|scope| {
            scope.spawn(|| {
                // Dropped at the end, which ends the input.
                let mut input = input;
                while chunks.load(Relaxed) < limit.load(Relaxed) {
                    input.write_all(chunk.as_bytes()).unwrap();
                    chunks.fetch_add(1, Relaxed);
                }
            });
            let (mut last, mut grown) = (usize::MAX, 0);
            while chunks.load(Relaxed) != last && grown < GROWTH {
                last = chunks.load(Relaxed);
                sleep(Duration::from_secs(1));
                grown = resident_memory(child.id()).saturating_sub(before);
            }
            limit.store(0, Relaxed);
            if grown >= GROWTH {
                child.kill().unwrap();
            }
            let answers = output.collect();
            assert!(grown < GROWTH, "{grown} bytes for {last} times {chunk:?}");
            assert!(last * chunk.len() < FLOOD / 2, "{last} times {chunk:?} were read");
            answers
        });
        let written = chunks.into_inner();
        assert_eq!((count(&answers, "readyok"), count(&answers, "bestmove ")), (written, written));
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
}

/// A search that has waited for a second, here for its client to read, does not begin with the root move of the last.
#[test]
fn currmove_is_of_its_own_search() {
    let mut child = sleight(&[]).stderr(Stdio::null()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    input.write_all(b"position startpos\ngo depth 5 searchmoves g1f3\n").unwrap();
    output.find(|line| line.starts_with("bestmove")).unwrap();
    // More than a pipe holds.
    let unread = "d\n".repeat(300);
    input.write_all(format!("{unread}position startpos moves e2e4\ngo depth 5\n").as_bytes()).unwrap();
    drop(input);
    sleep(Duration::from_millis(1500));
    let answers: Vec<String> = output.collect();
    assert_eq!((count(&answers, "bestmove "), mentions(&answers, "currmove g1f3")), (1, false));
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// Commands that need not wait for the end of a search are no reason to stop it.
#[test]
fn a_stop_is_read_behind_any_number_of_options() {
    let options = "setoption name MultiPV value 2\n".repeat(100_000);
    let lines = piped(format!("go infinite\n{options}stop\ngo depth 3\nisready\n"));
    assert!(!mentions(&lines, "error: ") && mentions(&lines, " multipv 2 "), "{lines:#?}");
    assert_eq!((count(&lines, "bestmove "), count(&lines, "readyok")), (2, 1), "{lines:#?}");
}

/// More commands than may wait for the end of a search do not keep its `stop` from being read, nor are they lost.
#[test]
fn a_stop_is_read_behind_commands_that_wait() {
    let waiting = "setoption name MultiPV value 2\nsetoption name Clear Hash\n".repeat(50_000);
    for (endless, answers, answer) in [
        ("go infinite", 2, "bestmove "),
        ("go infinite depth 1", 2, "bestmove "),
        ("go perft 12", 1, "info string perft was stopped"),
    ] {
        let lines = piped(format!("{endless}\n{waiting}stop\ngo depth 3\nisready\n"));
        assert!(mentions(&lines, "error: stopped, as too many commands wait"), "{endless}: {lines:#?}");
        assert!(mentions(&lines, " multipv 2 "), "{endless}: {lines:#?}");
        assert_eq!((count(&lines, answer), count(&lines, "readyok")), (answers, 1), "{endless}: {lines:#?}");
    }
}
