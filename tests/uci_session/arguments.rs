//! The command line.

use std::env::consts::EXE_SUFFIX;

use crate::client::{count, mentions, output, script};

#[test]
fn arguments_are_commands_in_order() {
    let lines = script(&["position startpos moves e2e4", "go depth 4", "go depth 6", "quit"]);
    assert_eq!(count(&lines, "bestmove"), 2);
    assert!(lines.iter().any(|line| line.starts_with("info depth 6 ")), "the second search ran to its end");
    assert_eq!(script(&["isready", "quit"]), ["readyok"]);
    assert_eq!(count(&script(&["go infinite", "stop", "isready"]), "bestmove"), 1);
    assert_eq!(count(&script(&["go infinite", "quit"]), "bestmove"), 1);
    assert_eq!(count(&script(&["go infinite"]), "bestmove"), 1);
    assert_eq!(count(&script(&["go infinite", "setoption name Hash value 1", "position startpos"]), "bestmove"), 1);
    assert_eq!(
        count(&script(&["go infinite", "go infinite", "isready", "go ponder", "ponderhit", "quit"]), "bestmove"),
        3
    );
    let lines = script(&["go infinite", "setoption name Hash value 1", "go depth 6", "quit"]);
    assert!(mentions(&lines, "info depth 6 ") && count(&lines, "bestmove") == 2, "{lines:#?}");
}

/// `bench`, `perft` and `help` are actions of the program too, but not if commands follow.
#[test]
fn every_command_can_be_an_argument() {
    let board = ["position startpos", "d", "quit"];
    assert!(mentions(&script(&board), "Fen: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"));
    assert!(mentions(&script(&["help", "quit"]), "ucinewgame"));
    assert_eq!(script(&["perft 2", "quit"])[20..22], ["", "Nodes searched: 400"]);
    assert_eq!(count(&script(&["sliders", "quit"]), "info string sliders "), 1);
    assert_eq!(count(&script(&["eval", "flip", "eval"]), "Final evaluation "), 2);
    let lines = script(&["bench 1", "bench 1", "uci"]);
    assert_eq!((count(&lines, "uciok"), lines.iter().filter(|line| line.ends_with(" nps")).count()), (1, 2));
    assert!(mentions(&script(&["help"]), "Usage: sleight"), "alone, it is the program's");
    let help = script(&["help", "bench"]);
    let usage = format!("Usage: sleight{EXE_SUFFIX} bench");
    assert!(mentions(&help, &usage) && !mentions(&help, "nodes/second"), "{help:#?}");
}

/// As OpenBench's `genfens.py` calls it, and reads the answer.
#[test]
fn openings_are_printed_for_openbench() {
    let fens = |command: &str| {
        let lines = script(&[command, "quit"]);
        let fens = lines.iter().map(|line| line.strip_prefix("info string genfens ").unwrap().to_owned());
        fens.collect::<Vec<_>>()
    };
    let seven = fens("genfens 5 seed 7 book None");
    assert!(seven.len() == 5 && seven.iter().all(|fen| fen.split(' ').count() == 6), "{seven:?}");
    assert_eq!(fens("genfens 5 seed 7 book None some extra words"), seven);
    assert_ne!(fens("genfens 5 seed 8 book None"), seven);
    assert_eq!(fens("genfens 3 seed 7 book bench.epd").len(), 3);
    for fen in &seven {
        assert_eq!(count(&script(&[&format!("position fen {fen}"), "go nodes 10"]), "info string"), 1, "{fen}");
    }
    for (bad, error) in [("genfens 5", "write `genfens"), ("genfens 1 seed 1 book /none", "cannot read the book")] {
        let lines = script(&[bad, "quit"]);
        assert!(lines.len() == 1 && lines[0].starts_with(&format!("info string error: {error}")), "{lines:#?}");
    }
}

#[test]
fn bench_ends_with_the_signature() {
    let lines = script(&["bench", "2"]);
    let last = lines.last().unwrap();
    let words: Vec<&str> = last.split(' ').collect();
    assert!(matches!(words.as_slice(), [_, "nodes", _, "nps"]), "{last}");
    assert!([words[0], words[2]].iter().all(|word| word.parse::<u64>().is_ok()), "{last}");
    assert_eq!(count(&lines, " "), lines.len() - 1, "one line a position: {lines:#?}");
    let nodes = |lines: &[String]| lines.last().unwrap().split(' ').next().unwrap().to_owned();
    assert_eq!(nodes(&script(&["bench", "2"])), nodes(&lines), "every process counts the same");
    assert_eq!(nodes(&script(&["bench 2", "quit"])), nodes(&lines), "so does the command");
}

#[test]
fn perft_counts() {
    let nodes = |args: &[&str]| script(args).last().unwrap().split(" nodes ").next().unwrap().to_owned();
    assert_eq!(nodes(&["perft", "4"]), "197281");
    assert_eq!(nodes(&["perft", "0"]), "1");
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    assert_eq!(nodes(&["perft", "--fen", kiwipete, "--threads", "3", "4"]), "4085603");
    for threads in ["1", "2"] {
        assert_eq!(nodes(&["perft", "--fen", kiwipete, "--threads", threads, "--hash", "1", "5"]), "193690690");
    }
    let lines = script(&["perft", "--fen", kiwipete, "--threads", "2", "--divide", "3"]);
    assert_eq!((lines.len(), count(&lines, "e1g1: 2059")), (49, 1), "{lines:#?}");
    assert!(mentions(&lines, "97862 nodes "));
    let lines = script(&["perft", "--fen", kiwipete, "--divide", "--chess960", "1"]);
    assert_eq!(count(&lines, "e1h1: 1"), 1, "{lines:#?}");
}

#[test]
fn mistakes_are_named_on_standard_error() {
    for args in [
        &["perft"][..],
        &["perft", "--fen", "8/8 w - -", "3"],
        &["perft", "--sliders", "magic", "3"],
        &["bench", "x"],
        &["--nonsense"],
        &["nonsense"],
        &[""],
        &["isready", "nonsense"],
        &["bench", "2", "quit"],
    ] {
        let output = output(args, b"");
        assert_ne!(output.status.code(), Some(0), "{args:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{args:?}: {output:?}");
    }
    let version = script(&["-V"]);
    assert!(
        version.len() == 1 && version[0].starts_with(concat!("sleight ", env!("CARGO_PKG_VERSION"))),
        "{version:?}"
    );
}

/// Threads that the system refuses are an error, and those that did start end soon.
#[cfg(unix)]
#[test]
fn perft_says_when_it_has_no_threads() {
    let script = format!("ulimit -v 500000 && '{}' perft 9 --threads 1024", env!("CARGO_BIN_EXE_sleight"));
    let output = std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(1) && output.stdout.is_empty(), "{output:?}");
    assert!(!said.contains("panicked") && !said.is_empty(), "{said}");
}

/// A device without space, as output and as standard error: the exit status says that something was lost.
#[cfg(target_os = "linux")]
#[test]
fn unwritable_outputs_end_in_failure() {
    let status = |command: &str| {
        let script = format!("exec '{}' {command}", env!("CARGO_BIN_EXE_sleight"));
        std::process::Command::new("sh").args(["-c", &script]).status().unwrap().code()
    };
    for command in ["--version", "--help", "help perft", "bench 1", "perft 2", "uci quit"] {
        assert_eq!(status(&format!("{command} >/dev/full 2>/dev/full")), Some(1), "{command}");
    }
    assert_eq!(status("perft 3 --fen x 2>/dev/full"), Some(1));
    assert_eq!(status("isready nonsense 2>/dev/full"), Some(1));
    assert_eq!(status("--nonsense 2>/dev/full"), Some(2));
}

/// Silent unless asked, and then on standard error.
#[test]
fn diagnostics_go_to_standard_error() {
    let run = |level: Option<&str>| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_sleight"));
        command.args(["isready", "go depth 1", "quit"]).env_remove("RUST_LOG");
        command.envs(level.map(|level| ("RUST_LOG", level))).output().unwrap()
    };
    let (silent, asked) = (run(None), run(Some("debug")));
    assert!(silent.stderr.is_empty(), "{silent:?}");
    assert!(String::from_utf8_lossy(&asked.stderr).contains("sliders: "), "{asked:?}");
    assert_eq!(asked.stdout.iter().filter(|&&byte| byte == b'\n').count(), 4, "{asked:?}");
}
