//! Scores, lines and moves where the result is known: by the tablebases of `tests/data/syzygy/`, or by the rules.

use std::collections::HashSet;

use crate::client::{field, mentions, piped};

const TABLES: &str = concat!("setoption name SyzygyPath value ", env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy\n");
const WDL: &str = "setoption name UCI_ShowWDL value true\n";

/// The words of an `info` line between two others.
fn between<'a>(line: &'a str, from: &str, to: &str) -> &'a str {
    line.split_once(from).unwrap().1.split_once(to).unwrap().0
}

/// The lines of the last iteration of the only search: score, chances and first move of each.
fn last_lines(input: &str) -> Vec<(String, String, String)> {
    let lines = piped(format!("{WDL}{input}\n"));
    let scored: Vec<&String> = lines.iter().filter(|line| line.contains(" score ")).collect();
    let first = scored.iter().rposition(|line| line.contains(" multipv 1 ")).unwrap();
    let read = |line: &&String| {
        (
            between(line, " score ", " wdl").to_owned(),
            between(line, " wdl ", " nodes").to_owned(),
            field(line, "pv").unwrap_or_default().to_owned(),
        )
    };
    scored[first..].iter().map(read).collect()
}

/// All lines that are asked for are shown, those that keep more of the result first, each with its own score.
#[test]
fn every_line_has_the_score_of_its_result() {
    const WIN: (&str, &str) = ("cp 20000", "1000 0 0");
    const DRAW: (&str, &str) = ("cp 0", "0 1000 0");
    const LOSS: (&str, &str) = ("cp -20000", "0 0 1000");
    let show = |fen: &str, asked: usize, more: &str| {
        let option = format!("setoption name MultiPV value {asked}\n");
        last_lines(&format!("{TABLES}{option}position fen {fen}\ngo depth 4{more}"))
    };
    for (fen, results) in [
        ("8/8/8/3k4/8/8/3PK3/8 w - - 0 1", &[WIN, DRAW, DRAW, DRAW, DRAW, DRAW, DRAW, DRAW, DRAW][..]),
        ("8/8/8/4k3/8/3K4/3P4/8 w - - 0 1", &[WIN, WIN, WIN, DRAW, DRAW]),
        ("8/8/8/8/4k3/4p3/8/4K3 w - - 0 1", &[DRAW, LOSS, LOSS]),
        ("8/8/8/8/8/2k5/1R6/K7 b - - 0 1", &[LOSS, LOSS, LOSS]),
        ("8/8/1k6/8/8/8/1p6/1K6 w - - 0 1", &[DRAW, DRAW, DRAW]),
    ] {
        let lines = show(fen, 50, "");
        let shown: Vec<(&str, &str)> = lines.iter().map(|line| (line.0.as_str(), line.1.as_str())).collect();
        assert_eq!(shown, results, "{fen}");
        let moves: HashSet<&String> = lines.iter().map(|line| &line.2).collect();
        assert_eq!(moves.len(), lines.len(), "each move once: {lines:#?}");
        assert_eq!(show(fen, 2, "").len(), 2);
    }
    // Among the moves that are asked for, even if they are not the best ones.
    let asked = show("8/8/8/8/4k3/4p3/8/4K3 w - - 0 1", 9, " searchmoves e1d1 e1f1");
    assert!(asked.len() == 2 && asked.iter().all(|line| line.0 == "cp -20000"), "{asked:#?}");
    let asked = show("8/8/8/3k4/8/8/3PK3/8 w - - 0 1", 9, " searchmoves d2d4 e2d3");
    assert_eq!(asked.iter().map(|line| line.2.as_str()).collect::<Vec<_>>(), ["e2d3", "d2d4"], "{asked:#?}");
}

/// The move that is played keeps the result, at any strength and with any number of lines.
#[test]
fn no_strength_and_no_number_of_lines_gives_away_the_result() {
    for option in
        ["UCI_LimitStrength value true\nsetoption name UCI_Elo value 1350", "Skill Level value 0", "MultiPV value 9"]
    {
        for (fen, only) in [("8/8/8/3k4/8/8/3PK3/8 w - - 0 1", "e2d3"), ("8/8/8/8/4k3/4p3/8/4K3 w - - 0 1", "e1e2")] {
            let go = format!("position fen {fen}\ngo nodes 2000\n");
            let lines = piped(format!("{TABLES}setoption name {option}\n{}", go.repeat(8)));
            let played: Vec<&String> = lines.iter().filter(|line| line.starts_with("bestmove")).collect();
            assert!(played.len() == 8 && played.iter().all(|line| line.contains(only)), "{option}: {played:#?}");
        }
        // Nor does it let the opponent repeat a position that someone has shuffled to.
        let shuffled = "8/4R3/8/8/8/K7/5k2/8 w - - 0 70 moves a3b4 f2f3 b4a3 f3f2 a3b4 f2f3 b4a3 f3g4";
        let go = format!("position fen {shuffled}\ngo nodes 2000\n");
        let lines = piped(format!("{TABLES}setoption name {option}\n{}", go.repeat(8)));
        assert!(!lines.iter().any(|line| line.starts_with("bestmove a3b4")), "{option}: {lines:#?}");
    }
}

/// Each material has two files. A search asks for all of them under a limit of fewer open files.
#[cfg(unix)]
#[test]
fn every_table_is_read_where_few_files_may_be_open() {
    let four_men = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/syzygy");
    let binary = env!("CARGO_BIN_EXE_sleight");
    let tbhits = |tables: &str, limit: usize, roots: &[String]| -> Vec<bool> {
        let go: String = roots.iter().map(|fen| format!("position fen {fen}\\ngo depth 2\\n")).collect();
        let script =
            format!("ulimit -n {limit} && printf 'setoption name SyzygyPath value {tables}\\n{go}' | '{binary}'");
        let output = std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
        let lines: Vec<String> = String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect();
        assert!(!mentions(&lines, "error"), "{lines:#?}");
        let ends = lines.windows(2).filter(|pair| pair[1].starts_with("bestmove"));
        ends.map(|pair| field(&pair[0], "tbhits") != Some("0")).collect()
    };
    let one_side = |men: &str| ["w", "b"].map(|side| format!("8/8/3k4/8/8/2K2{men}2/8/8 {side} - - 0 1"));
    let three: Vec<String> = ["P", "R", "Q", "P"].into_iter().flat_map(one_side).collect();
    assert_eq!(tbhits(&format!("{}/tests/data/syzygy", env!("CARGO_MANIFEST_DIR")), 12, &three), vec![true; 8]);
    if !std::path::Path::new(four_men).is_dir() {
        println!("not tested with four men: there are no tables in {four_men}");
        return;
    }
    let men = ["Q", "R", "B", "N", "P"];
    let mut roots = Vec::new();
    for (at, first) in men.into_iter().enumerate() {
        for second in &men[at..] {
            roots.push(format!("8/1{first}6/8/5k2/8/2K5/4{second}3/8 w - - 0 1"));
            roots.push(format!("8/1{first}6/6k1/8/8/2K5/4{}3/8 w - - 0 1", second.to_lowercase()));
        }
    }
    let hits = tbhits(four_men, 64, &roots);
    // Two minor pieces against nothing or each other may be drawn by the rules.
    let missing: Vec<_> = hits.iter().zip(&roots).filter(|(hit, _)| !**hit).map(|(_, fen)| fen).collect();
    assert!(hits.len() == 30 && missing.is_empty(), "{missing:#?}");
}

/// What is drawn for certain is shown as zero, with a chance of 1000 permille, whatever the search saw.
#[test]
fn certain_draws_are_shown_as_draws() {
    let shuffle = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
    for position in [
        // Insufficient material.
        "fen 8/8/8/4k3/8/8/8/4K3 w - - 0 1".to_owned(),
        "fen 8/8/8/4k3/8/8/8/4KN2 b - - 0 1".to_owned(),
        "fen 8/8/8/4k3/8/8/8/4KB2 w - - 0 1".to_owned(),
        "fen 8/8/8/4k1b1/8/8/8/2B1K3 w - - 0 1".to_owned(),
        // Stalemate, and a capture that leaves insufficient material.
        "fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1".to_owned(),
        "fen 8/8/8/8/8/8/1p6/1K5k w - - 0 1".to_owned(),
        // Threefold repetition and the fifty-move rule, at the root or by the only move.
        format!("startpos moves {shuffle}"),
        "fen 8/8/8/4k3/8/8/R7/4K3 b - - 100 90".to_owned(),
        "fen 8/8/8/4k3/8/8/R7/4K3 b - - 99 90".to_owned(),
    ] {
        for line in last_lines(&format!("position {position}\ngo depth 5")) {
            assert_eq!((line.0.as_str(), line.1.as_str()), ("cp 0", "0 1000 0"), "{position}");
        }
    }
    for fen in ["8/8/8/8/4k3/4p3/8/4K3 w - - 0 1", "8/8/1k6/8/8/8/1p6/1K6 w - - 0 1"] {
        for line in last_lines(&format!("{TABLES}position fen {fen}\ngo depth 5")) {
            assert_eq!((line.0.as_str(), line.1.as_str()), ("cp 0", "0 1000 0"), "{fen}");
        }
    }
    // An evaluation near zero is none.
    for line in last_lines("position startpos\ngo depth 6") {
        assert!(line.1.split(' ').nth(1).unwrap().parse::<u32>().unwrap() < 900, "{line:?}");
    }
}
