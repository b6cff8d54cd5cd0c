//! The answers to each command.

use std::{collections::HashSet, path::Path};

use sleight::nnue::Network;

use crate::client::{Client, START, count, field, is_scored, mentions, piped};

/// The beginning of the last line of `eval`.
const EVALUATION: &str = "Final evaluation       ";

#[test]
fn uci_is_answered_with_name_and_options() {
    let lines = piped("uci\n");
    assert!(lines[0].starts_with("id name Sleight ") && lines[1].starts_with("id author "));
    assert_eq!(lines.last().unwrap(), "uciok");
    assert_eq!(count(&lines, "option name "), lines.len() - 3);
    for option in [
        "Hash type spin default 16 min 1 max 1048576",
        "Clear Hash type button",
        "Threads type spin default 1 min 1 max 1",
        "MultiPV type spin default 1 min 1 max 256",
        "Move Overhead type spin default 10 min 0 max 5000",
        "UCI_Chess960 type check default false",
    ] {
        assert_eq!(count(&lines, &format!("option name {option}")), 1, "{option}");
    }
}

/// Every search of a good position ends in one legal move, after at least one line that says why.
#[test]
fn every_go_gets_one_best_move_after_a_scored_line() {
    for go in [
        "go depth 4",
        "go depth 0",
        "go depth -1",
        "go nodes 2000",
        "go nodes 1",
        "go nodes 0",
        "go movetime 20",
        "go movetime 0",
        "go wtime 100",
        "go wtime 100 winc 100 btime 100 binc 100",
        "go wtime 0 btime 0",
        "go wtime -500 btime 300000000000",
        "go wtime 50 movestogo 0",
        "go wtime 1000 movestogo 1000 depth 300 nodes 3000",
        "go mate 1 depth 4",
        "go depth 3 nodes 99999999999999999999",
        "go ponder depth 2",
        "go infinite depth 2",
        "go btime 100",
        "go searchmoves e2e4 depth 3",
        "go foo depth 3 bar",
        "go depth",
        "go",
    ] {
        // What has no end of its own is stopped by the end of input.
        let lines = piped(format!("{START}{go}\n"));
        assert_eq!(count(&lines, "bestmove"), 1, "{go}: {lines:#?}");
        let last = lines.last().unwrap();
        let best = last.strip_prefix("bestmove ").unwrap().split(' ').next().unwrap();
        let scored: Vec<_> = lines.iter().filter(|line| is_scored(line)).collect();
        assert!(!scored.is_empty(), "{go}: {lines:#?}");
        assert_eq!(field(scored.last().unwrap(), "pv"), Some(best), "{go}");
        for name in ["seldepth", "nodes", "nps", "hashfull", "time"] {
            assert!(field(scored[0], name).unwrap().bytes().all(|byte| byte.is_ascii_digit()), "{name}");
        }
    }
}

#[test]
fn limits_are_kept() {
    let depth = |line: &String| field(line, "depth").and_then(|depth| depth.parse::<u32>().ok());
    let lines = piped(format!("{START}go depth 5\n"));
    assert_eq!(lines.iter().filter_map(depth).max(), Some(5));
    let lines = piped(format!("{START}go nodes 5000 depth 3\n"));
    assert_eq!(lines.iter().filter_map(depth).max(), Some(3));
    let lines = piped(format!("{START}go searchmoves a2a3 h2h4 depth 5\n"));
    assert!(lines.iter().filter(|line| is_scored(line)).all(|line| matches!(field(line, "pv"), Some("a2a3" | "h2h4"))));
    let lines = piped(format!("{START}setoption name MultiPV value 3\ngo depth 4\n"));
    for index in ["1", "2", "3"] {
        let named = |line: &&String| field(line, "depth") == Some("4") && field(line, "multipv") == Some(index);
        assert_eq!(lines.iter().filter(named).count(), 1, "{lines:#?}");
    }
}

/// `go mate N` finds a mate in N moves, within three million nodes.
#[test]
fn mates_from_games_are_found() {
    let mut client = Client::start();
    let mut lengths = [0; 6];
    for line in include_str!("../data/mates.epd").lines().filter(|line| !line.starts_with('#')) {
        let (fields, length) = line.split_once(" dm ").expect(line);
        let moves = length.trim_end_matches(';');
        lengths[moves.parse::<usize>().unwrap()] += 1;
        client.send(&format!("ucinewgame\nposition fen {fields} 0 1\ngo mate {moves} nodes 3000000"));
        let (lines, _) = client.best_move();
        let last = lines.iter().rfind(|line| is_scored(line)).unwrap();
        assert_eq!(field(last, "mate"), Some(moves), "{line} {last}");
    }
    assert!(lengths[2..].iter().all(|&count| count >= 8), "{lengths:?}");
}

/// A search for a mate ends, with it or without.
#[test]
fn mate_searches_end_with_or_without_a_mate() {
    for (fen, moves) in [
        ("5r1k/6pp/7N/8/2Q5/8/6PP/7K w - - 0 1", 2),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
        ("7R/r1p1q1pp/3k4/1p1n1Q2/3N4/8/1PP2PPP/2B3K1 w - - 1 0", 4),
    ] {
        for wanted in [moves, moves + 3] {
            let lines = piped(format!("position fen {fen}\ngo mate {wanted}\n"));
            let found = field(lines.iter().rfind(|line| is_scored(line)).unwrap(), "mate").unwrap();
            assert!((1..=wanted).contains(&found.parse().unwrap()), "{fen} in {wanted}: {lines:#?}");
        }
    }
    for (position, go) in [
        ("startpos", "go mate 1"),
        ("fen 5r1k/6pp/7N/8/2Q5/8/6PP/7K w - - 0 1", "go mate 1"),
        ("fen 6k1/8/8/8/8/8/8/KQ6 b - - 0 1", "go mate 2"),
    ] {
        let mut client = Client::after(&format!("position {position}"));
        client.send(go);
        let (lines, best) = client.best_move();
        assert_ne!(best, "(none)", "{position}: {lines:#?}");
        assert!(!lines.iter().any(|line| line.contains(" score mate 1 ")), "{position}: {lines:#?}");
    }
}

/// What a search spent after its last report is told before its move.
#[test]
fn the_last_line_has_the_final_node_count() {
    let last = |go: &str| {
        let lines = piped(format!("{START}{go}\n"));
        let last = &lines[lines.len() - 2];
        ["nodes", "time"].map(|name| field(last, name).unwrap().parse::<u64>().unwrap())
    };
    for nodes in [1000, 4321, 77_777] {
        assert_eq!(last(&format!("go nodes {nodes}"))[0], nodes);
    }
    assert!((195..1000).contains(&last("go movetime 200")[1]));
}

/// Of several lines with several threads, each first move is shown once, and the expected answer is the shown one.
#[test]
fn multipv_lines_and_best_move_agree() {
    let options = "setoption name Threads value 3\nsetoption name MultiPV value 4\n";
    for moves in ["e2e4 e7e5", "d2d4 g8f6 c2c4", "c2c4 e7e5 b1c3 g8f6", "e2e4 c7c5 g1f3 d7d6 d2d4"] {
        let lines = piped(format!("{options}position startpos moves {moves}\ngo depth 9\n"));
        let pv = |line: &str| line.split_once(" pv ").map(|(_, pv)| pv.to_owned());
        let shown: Vec<String> = (1..=4)
            .map(|k| lines.iter().rev().find(|line| line.contains(&format!(" multipv {k} "))).and_then(|line| pv(line)))
            .collect::<Option<_>>()
            .unwrap();
        let firsts: HashSet<&str> = shown.iter().filter_map(|line| line.split(' ').next()).collect();
        assert_eq!(firsts.len(), 4, "{moves}: {lines:#?}");
        let expected = shown[0].split(' ').take(2).collect::<Vec<_>>().join(" ponder ");
        assert_eq!(*lines.last().unwrap(), format!("bestmove {expected}"), "{moves}");
    }
}

#[test]
fn the_end_of_a_game_has_no_move() {
    for (fen, score) in
        [("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "score cp 0"), ("R6k/6pp/8/8/8/8/8/7K b - - 0 1", "score mate 0")]
    {
        let lines = piped(format!("position fen {fen}\ngo depth 5\n"));
        assert!(mentions(&lines, score), "{lines:#?}");
        assert_eq!(lines.last().unwrap(), "bestmove (none)");
        assert_eq!(count(&lines, "bestmove"), 1);
    }
}

#[test]
fn castling_is_read_in_either_spelling_and_written_as_the_variant_wants() {
    // White to move has one move but castling, which mates.
    let fen = "position fen 5k2/4ppp1/8/8/8/8/8/R3K3 w Q - 0 1";
    for (option, castle) in [("false", "e1c1"), ("true", "e1a1")] {
        let option = format!("setoption name UCI_Chess960 value {option}\n");
        for spelled in ["e1c1", "e1a1"] {
            let lines = piped(format!("{option}{fen} moves {spelled}\nd\n{fen}\ngo searchmoves {spelled} depth 1\n"));
            assert!(mentions(&lines, "Fen: 5k2/4ppp1/8/8/8/8/8/2KR4 b - - 1 1"), "{lines:#?}");
            assert!(lines.last().unwrap().starts_with(&format!("bestmove {castle}")), "{lines:#?}");
        }
    }
    for fen in
        ["bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", "2rkr3/8/8/8/8/8/8/RRK1R3 w KBkq -"]
    {
        let lines = piped(format!("setoption name UCI_Chess960 value true\nposition fen {fen}\ngo depth 4\n"));
        assert_eq!((count(&lines, "bestmove"), count(&lines, "info string")), (1, 1), "{lines:#?}");
    }
}

/// Standard chess has no castling rights but those of a king on the e-file and rooks in the corners, and the option
/// says which game is played: also if it is set after the position.
#[test]
fn rights_of_chess960_need_the_option() {
    let [off, on] = ["false", "true"].map(|value| format!("setoption name UCI_Chess960 value {value}\n"));
    let rights = |lines: &[String]| -> Vec<String> {
        let fens = lines.iter().filter_map(|line| line.strip_prefix("Fen: "));
        fens.map(|fen| fen.split(' ').nth(2).unwrap().to_owned()).collect()
    };
    for (fen, castle, letters) in [
        ("4k3/8/8/8/8/8/PPP5/R5K1 w Q - 0 1", "g1a1", 1),
        ("4k3/8/8/8/8/8/PPP5/R5K1 w A - 0 1", "g1a1", 1),
        ("r5k1/ppp5/8/8/8/8/8/4K3 b q - 0 1", "g8a8", 1),
        ("4k3/8/8/8/8/8/5PPP/1K5R w K - 0 1", "b1h1", 1),
        ("1k5r/5ppp/8/8/8/8/8/4K3 b h - 0 1", "b8h8", 1),
        ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1", "e1b1", 4),
        ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 b KQkq - 0 1", "e8b8", 4),
    ] {
        let searched = format!("go depth 1 searchmoves {castle}\n");
        let dropped = |lines: &[String]| count(lines, "info string FEN repaired: castling right '");
        let is_refused = |lines: &[String]| mentions(lines, "error: skipped `searchmoves");
        let standard = piped(format!("position fen {fen}\nd\n{searched}"));
        assert_eq!((dropped(&standard), rights(&standard)), (letters, vec!["-".to_owned()]), "{standard:#?}");
        assert!(is_refused(&standard) && !standard.last().unwrap().contains(castle), "{standard:#?}");
        for chess960 in
            [format!("{on}position fen {fen}\nucinewgame\n"), format!("{on}ucinewgame\nposition fen {fen}\n")]
        {
            let lines = piped(format!("{chess960}d\n{searched}"));
            assert_eq!((dropped(&lines), rights(&lines)[0] != "-", is_refused(&lines)), (0, true, false), "{lines:#?}");
        }
        // The option as it is when the search begins.
        let later = piped(format!("position fen {fen}\nd\n{on}d\n{searched}{off}d\n{searched}"));
        assert_eq!(dropped(&later), 2 * letters, "{later:#?}");
        let shown = rights(&later);
        assert!(shown[0] == "-" && shown[1] != "-" && shown[2] == "-", "{later:#?}");
        // A flipped position keeps to the rule.
        let flipped = piped(format!("{on}position fen {fen}\nflip\nd\n{off}d\n"));
        assert!(rights(&flipped)[0] != "-" && rights(&flipped)[1] == "-", "{flipped:#?}");
    }
    // A game of Chess960 is over when the option goes off, and there again when it goes on.
    let castled = "position fen 4k3/8/8/8/8/8/PPP5/R5K1 w Q - 0 1 moves g1a1";
    let over = piped(format!("{on}{castled}\n{off}isready\ngo depth 1\n{on}d\n{off}{castled}\n{on}d\n"));
    assert_eq!((count(&over, "Fen: 4k3/8/8/8/8/8/PPP5/2KR4 b "), count(&over, "bestmove (none)")), (2, 1), "{over:#?}");
    assert_eq!(count(&over, "info string error: "), 2, "of the `go` and of the second `position`: {over:#?}");
    // Standard rights stay in either spelling, and with the moves and the halfmove clock.
    for castling in ["KQkq", "HAha"] {
        let game = format!("position fen r3k2r/8/8/8/8/8/8/R3K2R w {castling} - 3 9 moves a1b1 h8g8\nd\n");
        let lines = piped(format!("{game}{on}d\n{off}d\n"));
        assert_eq!(lines.iter().filter(|line| line.ends_with("/1R2K2R w Kq - 5 10")).count(), 3, "{lines:#?}");
        assert_eq!(count(&lines, "info string"), 0, "{lines:#?}");
    }
}

/// As the Python package `stockfish` reads it: the last line but an empty one.
#[test]
fn the_evaluation_ends_as_scripts_expect() {
    for (fen, ending) in [
        ("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "Final evaluation       +"),
        ("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", "Final evaluation       +"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR b KQkq - 0 1", "Final evaluation       -"),
        ("4k3/8/8/8/8/8/8/4R1K1 b - - 0 1", "Final evaluation: none (in check)"),
        ("8/8/8/4k3/8/8/8/NK3B2 b - - 0 1", "Final evaluation       +7"),
        ("8/8/8/4k3/8/8/8/NK3N2 w - - 0 1", "Final evaluation       +0.00"),
    ] {
        let lines = piped(format!("position fen {fen}\neval\n"));
        let [.., last, empty] = &lines[..] else { panic!("{lines:#?}") };
        assert!(last.starts_with(ending) && empty.is_empty(), "{lines:#?}");
        assert_eq!(last.ends_with(" (white side)"), !ending.ends_with(')'), "{last}");
        assert!(mentions(&lines, "Below each piece"), "{lines:#?}");
    }
}

#[test]
fn perft_is_divided_as_others_do() {
    let lines = piped("position startpos moves e2e4\ngo perft 3\n");
    assert_eq!(lines.len(), 23, "{lines:#?}");
    assert!(
        lines[..20].iter().all(|line| line.split_once(": ").is_some_and(|(_, nodes)| nodes.parse::<u64>().is_ok()))
    );
    assert_eq!((lines[20].as_str(), lines[21].as_str()), ("", "Nodes searched: 13160"));
    assert!(mentions(&piped(format!("{START}perft 0\n")), "Nodes searched: 1"));
    // A stop ends it between two first moves.
    let lines = piped(format!("{START}go perft 6\nstop\nisready\n"));
    assert!(mentions(&lines, "perft was stopped") && lines.last().unwrap() == "readyok", "{lines:#?}");
}

#[test]
fn own_commands_are_answered() {
    let lines = piped("position startpos moves e2e4 e7e5\nd\neval\nflip\nd\neval\nsliders\nhelp\nnonsense\n");
    assert!(mentions(&lines, "Fen: rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"));
    assert!(mentions(&lines, "Fen: rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2"));
    assert!(mentions(&lines, "| r | n | b | q | k | b | n | r | 8"));
    assert!(mentions(&lines, "go perft <depth>"));
    let evals: Vec<f64> =
        lines.iter().filter_map(|line| line.strip_prefix(EVALUATION)?.split(' ').next()?.parse().ok()).collect();
    assert!(evals.len() == 2 && evals[0] == -evals[1], "colors exchanged, sign exchanged: {evals:?}");
    assert_eq!(count(&lines, "info string error: unknown command `nonsense`"), 1);
}

#[test]
fn another_network_is_read_or_refused() {
    let directory = tempfile::tempdir().unwrap();
    let (good, bad) = (directory.path().join("good net.nnue"), directory.path().join("bad.nnue"));
    let bytes = <Network>::random(1).to_bytes();
    std::fs::write(&good, &bytes).unwrap();
    std::fs::write(&bad, &bytes[..1000]).unwrap();
    let set = |path: &Path| format!("setoption name EvalFile value {}\neval\n", path.display());
    let empty = "setoption name EvalFile value\neval\n";
    let lines = piped(["eval\n", &set(&good), &set(&bad), &set("no/such".as_ref()), empty].concat());
    let evals: Vec<_> = lines.iter().filter(|line| line.starts_with(EVALUATION)).collect();
    assert_eq!(evals.len(), 5, "{lines:#?}");
    assert!(evals[0] == evals[4] && evals[0] != evals[1], "{evals:#?}");
    assert!(evals[1] == evals[2] && evals[1] == evals[3], "a refused file changes nothing: {evals:#?}");
    assert!(
        mentions(&lines, "bad.nnue: the network is cut off") && mentions(&lines, "cannot read no/such"),
        "{lines:#?}"
    );
    // The bench counts what the network in use makes of it.
    let bench = |path: &str| piped(format!("setoption name EvalFile value {path}\nbench 3\n")).pop().unwrap();
    let nodes = |line: &str| line.split_once(" nodes").unwrap().0.to_owned();
    assert_ne!(nodes(&bench(good.to_str().unwrap())), nodes(&bench("")));
}

/// A network is read whole. A table is read from while it is in use: what is wrong with it is reported after the
/// search.
#[test]
fn files_may_change_while_they_are_in_use() {
    let directory = tempfile::tempdir().unwrap();
    let [network, table] = ["net.nnue", "KPvK.rtbw"].map(|name| directory.path().join(name));
    std::fs::write(&network, <Network>::random(1).to_bytes()).unwrap();
    std::fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy/KPvK.rtbw"), &table).unwrap();
    let evaluate = format!("setoption name EvalFile value {}\neval", network.display());
    let mut client = Client::after(&format!("setoption name SyzygyPath value {}", directory.path().display()));
    let mut answers = |change: &str| {
        client.send(&format!("ucinewgame\nposition fen 4k3/8/4K3/8/4P3/8/8/8 w - - 0 1\n{change}\ngo depth 4"));
        client.best_move().0
    };
    let search = answers(&evaluate);
    let eval = |lines: &[String]| lines.iter().find(|line| line.starts_with(EVALUATION)).unwrap().clone();
    assert!(!mentions(&search, "error") && field(search.last().unwrap(), "tbhits") != Some("0"), "{search:#?}");

    std::fs::write(&network, "no network").unwrap();
    std::fs::File::options().write(true).open(&table).unwrap().set_len(100).unwrap();
    let again = answers("eval");
    assert_eq!(eval(&again), eval(&search));
    assert!(mentions(&again, "the wdl table KPvK"), "{again:#?}");
    let last = answers(&evaluate);
    assert_eq!(eval(&last), eval(&search));
    assert!(mentions(&last, "error: ") && !mentions(&last, "table KPvK"), "once is enough: {last:#?}");
}

/// A relative path is one of the working directory, or else one beside the binary.
#[test]
fn a_network_is_found_beside_the_binary() {
    let folder = tempfile::tempdir().unwrap();
    let binary = folder.path().join(Path::new(env!("CARGO_BIN_EXE_sleight")).file_name().unwrap());
    std::fs::copy(env!("CARGO_BIN_EXE_sleight"), &binary).unwrap();
    std::fs::create_dir(folder.path().join("nets")).unwrap();
    std::fs::create_dir(folder.path().join("here")).unwrap();
    std::fs::copy("networks/default.nnue", folder.path().join("nets/beside.nnue")).unwrap();
    let run = |path: &str| {
        let script = format!("setoption name EvalFile value {path}");
        let mut command = std::process::Command::new(&binary);
        let output = command.current_dir(folder.path().join("here")).args([&script, "isready"]).output().unwrap();
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    assert_eq!(run("nets/beside.nnue"), "readyok");
    assert!(run("beside.nnue").starts_with("info string error: cannot read beside.nnue: "));
    std::fs::create_dir(folder.path().join("here/nets")).unwrap();
    std::fs::write(folder.path().join("here/nets/beside.nnue"), "not a network").unwrap();
    assert!(run("nets/beside.nnue").contains("not a Sleight network"), "the working directory comes first");
}

#[test]
fn debug_reports_the_limits() {
    let quiet = piped(format!("{START}debug on\ndebug off\ngo depth 1\n"));
    let told = piped(format!("{START}debug on\ngo winc 5 depth 1 wtime -20 searchmoves e2e4 d2d4 e2e4\n"));
    assert_eq!((count(&quiet, "info string"), count(&told, "info string")), (1, 2));
    assert!(mentions(&told, "info string search 1: go wtime -20 winc 5 depth 1 searchmoves e2e4 d2d4"), "{told:#?}");
}

/// The same nodes after `ucinewgame`, in a fresh process and after `Clear Hash`, also with the histories of a longer
/// search or of another position.
#[test]
fn searches_repeat_themselves() {
    let position = "position fen r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 2 8\ngo depth 9\n";
    let nodes = |lines: &[String]| {
        let scored: Vec<_> = lines.iter().filter(|line| is_scored(line)).collect();
        field(scored.last().unwrap(), "nodes").unwrap().to_owned()
    };
    let fresh = nodes(&piped(position));
    let mut client = Client::start();
    for between in ["", "ucinewgame", "setoption name Clear Hash\nucinewgame", "setoption name Clear Hash"] {
        client.send(between);
        client.send(position.trim_end());
        assert_eq!(nodes(&client.best_move().0), fresh, "after `{between}`");
    }
    for search in ["go depth 12", "position startpos\ngo depth 10", "setoption name Hash value 5\ngo movetime 200"] {
        client.send(search);
        client.until("bestmove");
        client.send("setoption name Hash value 16\nsetoption name Clear Hash");
        client.send(position.trim_end());
        assert_eq!(nodes(&client.best_move().0), fresh, "after `{search}`");
    }
}
