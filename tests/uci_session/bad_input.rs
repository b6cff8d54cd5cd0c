//! Input that no client should send: never an exit, never a wrong board, never a lost move.

use std::time::{Duration, Instant};

use crate::client::{Client, START, count, mentions, piped};

#[test]
fn a_position_that_cannot_be_set_up_is_never_searched() {
    for (position, reason) in [
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "bad FEN"),
        ("position fen rnbqkbnr/ppp", "bad FEN"),
        ("position fen k7/8/8/8/8/8/8/R6K w - - 0 1", "side not to move"),
        ("position fen", "bad FEN"),
        ("position", "position needs"),
        ("position startpso", "`startpso`"),
        ("position startpos e2e4", "`e2e4`"),
        ("position startpos moves e2e4 e2e4", "move 2, `e2e4`, is illegal"),
        ("position startpos moves e2e4 0000", "move 2, `0000`"),
        ("position startpos moves e2e5", "move 1, `e2e5`"),
    ] {
        let lines = piped(format!("{START}{position}\ngo depth 3\n{START}go depth 3\n"));
        let errors: Vec<_> = lines.iter().filter(|line| line.starts_with("info string error")).collect();
        assert!(errors[0].contains(reason), "{position}: {errors:#?}");
        let moves: Vec<_> = lines.iter().filter(|line| line.starts_with("bestmove")).collect();
        assert_eq!(moves.len(), 2, "{position}: {lines:#?}");
        assert_eq!(moves[0], "bestmove (none)", "{position}");
        assert_ne!(moves[1], "bestmove (none)", "{position}");
    }
}

#[test]
fn what_can_be_repaired_is_repaired() {
    let lines = piped("position fen 4k3/8/8/8/8/8/8/4K2R w KQ -\nd\n");
    assert!(mentions(&lines, "info string FEN repaired: castling right 'Q'"), "{lines:#?}");
    assert!(mentions(&lines, "Fen: 4k3/8/8/8/8/8/8/4K2R w K - 0 1"), "{lines:#?}");
    let lines = piped(format!("{START}go searchmoves 0000 depth 2\n"));
    assert!(mentions(&lines, "`searchmoves 0000`") && mentions(&lines, "all are searched"), "{lines:#?}");
    let lines = piped(format!("{START}go searchmoves e2e5 e2e4 depth 2\n"));
    assert!(mentions(&lines, "`searchmoves e2e5`") && lines.last().unwrap().starts_with("bestmove e2e4"));
}

#[test]
fn unusual_bytes_do_no_harm() {
    let after = |odd: &[u8]| {
        let mut input = b"\xef\xbb\xbfuci\r\n".to_vec();
        input.extend_from_slice(odd);
        input.extend_from_slice(b"\nisready\n");
        let lines = piped(input);
        let uciok = lines.iter().position(|line| line == "uciok").unwrap();
        assert_eq!(lines.last().unwrap(), "readyok");
        lines[uciok + 1..lines.len() - 1].to_vec()
    };
    let none: [&str; 0] = [];
    for silent in ["", "xboard", "  ", "\t", "# a remark", "isready\0\r", "ucinewgame   ", " position  startpos  "] {
        let lines = after(silent.as_bytes());
        assert!(lines.iter().all(|line| line == "readyok"), "{silent}: {lines:#?}");
    }
    assert_eq!(after(b"setoption name Hash value 32 "), none);
    for (marked, answer) in [
        (&b"\xff\xfei\0s\0r\0e\0a\0d\0y\0"[..], "readyok"),
        (b"is\0ready\r\r", "readyok"),
        (b"isready\r\n\r\n", "readyok"),
        (b"d\rnow", "info string error: skipped `now`"),
    ] {
        assert!(after(marked)[0].starts_with(answer), "{:?}: {:#?}", String::from_utf8_lossy(marked), after(marked));
    }
    for odd in [
        &b"\xff\xfe\x80"[..],
        b"caf\xe9",
        b"protover 2",
        b"setoption name Contempt value 3",
        b"setoption name Hash value x",
    ] {
        let lines = after(odd);
        assert_eq!(lines.len(), 1, "{lines:#?}");
        assert!(lines[0].starts_with("info string "), "{lines:#?}");
    }
    let long = after(&vec![b'x'; 2 << 20]);
    assert!(long.len() == 1 && long[0].contains("line of over 1048576 bytes"), "{long:#?}");
    assert_eq!(
        count(&after(&[b"position startpos moves ".to_vec(), b"g1f3 g8f6 f3g1 f6g8 ".repeat(5000)].concat()), "info"),
        0
    );
}

#[test]
fn a_position_too_long_for_a_line_leaves_none() {
    let shuffle = " g1f3 g8f6 f3g1 f6g8".repeat(55_000);
    for before in ["", "chatter ", &" ".repeat(70), &"\0".repeat(64)] {
        let lines = piped(format!("{START}{before}position startpos moves{shuffle}\ngo depth 1\n{START}go depth 1\n"));
        assert!(mentions(&lines, "error: skipped a line") && mentions(&lines, "too long"), "{lines:#?}");
        let moves: Vec<_> = lines.iter().filter(|line| line.starts_with("bestmove")).collect();
        assert!(moves.len() == 2 && moves[0] == "bestmove (none)" && moves[1] != "bestmove (none)", "{moves:?}");
    }
}

/// Any number of illegal moves is one error.
#[test]
fn illegal_search_moves_are_reported_together() {
    let lines = piped(format!("{START}go depth 1 searchmoves{} e2e4\n", " a1a2".repeat(100_000)));
    assert_eq!(
        count(&lines, "info string error: skipped `searchmoves a1a2` and 99999 more, illegal here"),
        1,
        "{lines:#?}"
    );
    assert!(
        count(&lines, "info string error") == 1 && lines.last().unwrap().starts_with("bestmove e2e4"),
        "{lines:#?}"
    );
}

#[test]
fn a_search_too_long_for_a_line_is_answered() {
    let lines = piped(format!("{START}go depth 1 searchmoves{}\n", " a2a3".repeat(250_000)));
    assert!(mentions(&lines, "error: skipped a line"), "{lines:#?}");
    assert_eq!(lines.last().map(String::as_str).map(|line| &line[..13]), Some("bestmove a2a3"));
}

/// The parent process may have set the pipes not to block.
#[cfg(unix)]
#[test]
fn nonblocking_pipes_are_waited_for() {
    use std::{
        io::{Read, Write},
        os::{fd::OwnedFd, unix::net::UnixStream},
        process::{Command, Stdio},
        thread::sleep,
    };
    let (mut ours, theirs) = UnixStream::pair().unwrap();
    theirs.set_nonblocking(true).unwrap();
    let end = |stream: &UnixStream| Stdio::from(OwnedFd::from(stream.try_clone().unwrap()));
    let mut child =
        Command::new(env!("CARGO_BIN_EXE_sleight")).stdin(end(&theirs)).stdout(end(&theirs)).spawn().unwrap();
    drop(theirs);
    sleep(Duration::from_millis(100));
    // More than a socket holds, while nobody reads.
    const BOARDS: usize = 1000;
    ours.write_all("d\n".repeat(BOARDS).as_bytes()).unwrap();
    sleep(Duration::from_millis(300));
    ours.write_all(b"go depth 3\n").unwrap();
    ours.shutdown(std::net::Shutdown::Write).unwrap();
    let mut text = String::new();
    ours.read_to_string(&mut text).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    assert_eq!((count(&lines, "Fen: "), count(&lines, "+---+"), count(&lines, "bestmove ")), (BOARDS, 9 * BOARDS, 1));
}

#[test]
fn perft_has_bounds_and_can_be_stopped() {
    let lines = piped("go perft 100000\nperft 4000000000\nisready\n");
    assert_eq!(count(&lines, "info string error: perft goes no deeper"), 2, "{lines:#?}");
    assert!(mentions(&lines, "readyok"));
    for stop in ["stop\nisready\n", "go depth 1\nisready\n"] {
        let mut session = Client::start();
        session.send(&format!("{START}go perft 12\n"));
        session.listen(Duration::from_millis(200));
        let started = Instant::now();
        session.send(stop);
        let mut lines = session.until("readyok");
        assert!(mentions(&lines, "perft was stopped"), "{lines:#?}");
        assert!(started.elapsed() < Duration::from_secs(3), "{stop} took {:?}", started.elapsed());
        // `readyok` does not wait for a search.
        if stop.starts_with("go") && !mentions(&lines, "bestmove") {
            lines.extend(session.until("bestmove"));
        }
        assert_eq!(count(&lines, "bestmove"), stop.matches("go").count(), "{lines:#?}");
    }
}

/// The first argument too may be a path that is no text.
#[cfg(unix)]
#[test]
fn arguments_need_not_be_text() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt, process::Command};
    let argument = OsStr::from_bytes(b"setoption name SyzygyPath value /caf\xe9");
    let output = Command::new(env!("CARGO_BIN_EXE_sleight")).args([argument, "quit".as_ref()]).output().unwrap();
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stdout).contains("info string error: cannot read"), "{output:?}");
}

/// Off the e-file the king's own move could be a step: castling is written as king takes rook.
#[test]
fn castling_is_never_ambiguous() {
    for (fen, mv) in [("4k3/8/8/8/8/8/8/6KR w K - 0 1", "g1h1"), ("4k3/8/8/8/8/8/8/5K1R w K - 0 1", "f1h1")] {
        let chess960 = "setoption name UCI_Chess960 value true\n";
        let lines = piped(format!("{chess960}position fen {fen}\ngo depth 3 searchmoves {mv}\n"));
        assert!(lines.last().unwrap().starts_with(&format!("bestmove {mv}")), "{lines:#?}");
    }
}
