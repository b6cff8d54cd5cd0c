//! The UCI contract of docs/uci.md, row by row: the input and what its answer must be.

use std::time::{Duration, Instant};

use sleight::openings::MAX_OPENING_SCORE;

use crate::client::{Client, START, count, field, is_scored, mentions, piped};

/// A condition on the answer.
enum Then {
    /// A line contains this.
    Has(&'static str),
    /// No line contains this.
    Lacks(&'static str),
    /// So many lines start with this.
    Count(usize, &'static str),
    /// The last line starts with this.
    Ends(&'static str),
    /// There is no answer.
    Silence,
}
use Then::{Count, Ends, Has, Lacks, Silence};

/// Input, which ends after it, and the conditions on the answer.
type Row = (&'static str, &'static [Then]);

fn check(rows: &[Row]) {
    for (input, thens) in rows {
        let lines = piped(input);
        for then in *thens {
            let kept = match then {
                Has(text) => mentions(&lines, text),
                Lacks(text) => !mentions(&lines, text),
                Count(number, start) => count(&lines, start) == *number,
                Ends(start) => lines.last().is_some_and(|line| line.starts_with(start)),
                Silence => lines.is_empty(),
            };
            let wanted = match then {
                Has(text) | Lacks(text) | Ends(text) | Count(_, text) => text,
                Silence => "silence",
            };
            assert!(kept, "{input}\n-- about `{wanted}`: {lines:#?}");
        }
    }
}

const ERROR: &str = "info string error: ";

#[test]
fn every_command_is_known() {
    check(&[
        ("isready", &[Count(1, "readyok")]),
        ("ucinewgame", &[Silence]),
        ("debug on\ndebug off", &[Silence]),
        ("debug", &[Has("error: write `debug on`")]),
        ("debug maybe", &[Has("error: write `debug on`")]),
        ("register later", &[Silence]),
        ("register name Stefan MK code 4359874324", &[Silence]),
        ("stop\nponderhit\nstop", &[Silence]),
        ("quit\nisready", &[Silence]),
        ("d", &[Has("| R | N | B | Q | K | B | N | R | 1"), Has("Fen: rnbqkbnr/"), Has("Key: "), Has("Checkers:")]),
        ("position fen 4k3/8/8/8/8/8/8/4R1K1 b - -\nd", &[Has("Checkers: e1")]),
        ("eval", &[Count(1, "Final evaluation       "), Ends("")]),
        ("sliders", &[Count(1, "info string sliders ")]),
        ("position startpos moves e2e4\nflip\nd", &[Has("RNBQKBNR w KQkq")]),
        ("position fen x\nflip", &[Count(2, ERROR), Has("error: there is no position")]),
        ("help", &[Has("isready"), Has("genfens"), Has("perft"), Has("flip")]),
        ("perft -1\nbench -1", &[Count(2, "info string error: skipped `"), Count(2, "info")]),
        ("perft 2", &[Has("a2a3: 20"), Has("Nodes searched: 400")]),
        ("go perft 2", &[Has("Nodes searched: 400"), Count(0, "bestmove")]),
        ("bench 1", &[Has(" nodes "), Has(" nps")]),
        ("genfens 2 seed 1 book None", &[Count(2, "info string genfens ")]),
        ("ISREADY", &[Count(1, "readyok")]),
        ("joho isready", &[Count(1, "info string error: unknown command `joho`"), Count(1, "readyok")]),
    ]);
}

#[test]
fn every_option_is_announced_as_promised() {
    let lines = piped("uci");
    for option in [
        "Hash type spin default 16 min 1 max 1048576",
        "Clear Hash type button",
        "Threads type spin default 1 min 1 max 1024",
        "MultiPV type spin default 1 min 1 max 256",
        "Ponder type check default false",
        "Move Overhead type spin default 10 min 0 max 5000",
        "UCI_Chess960 type check default false",
        "UCI_ShowWDL type check default false",
        "ShowWDL type check default false",
        "UCI_AnalyseMode type check default false",
        "UCI_LimitStrength type check default false",
        "UCI_Elo type spin default 1500 min 800 max 2600",
        "Skill Level type spin default 20 min 0 max 20",
        "UCI_Opponent type string default <empty>",
        "SyzygyPath type string default <empty>",
        "SyzygyProbeDepth type spin default 1 min 1 max 100",
        "SyzygyProbeLimit type spin default 7 min 0 max 7",
        "Syzygy50MoveRule type check default true",
    ] {
        let announced = format!("option name {option}");
        assert_eq!(lines.iter().filter(|line| **line == announced).count(), 1, "{option}: {lines:#?}");
    }
}

/// The manual's table has every option with its default and range, and the manual names every command.
#[test]
fn the_manual_is_complete() {
    const MANUAL: &str = include_str!("../../docs/uci.md");
    let options = MANUAL.split("## Options").nth(1).unwrap();
    let lines = piped("uci");
    for option in lines.iter().filter_map(|line| line.strip_prefix("option name ")) {
        // Those of a build with the feature `tune`, which the manual does not list one by one.
        if option.starts_with(|c: char| c.is_ascii_lowercase()) {
            continue;
        }
        let (name, kind) = option.split_once(" type ").unwrap();
        let row =
            options.lines().find(|line| line.split('|').nth(1).is_some_and(|cell| cell.contains(&format!("`{name}`"))));
        let cells: Vec<&str> = row.unwrap_or_else(|| panic!("{name}")).split('|').map(str::trim).collect();
        let default = field(kind, "default").unwrap_or_default();
        assert_eq!(cells[2], if default == "<empty>" { "empty" } else { default }, "{name}");
        if let (Some(min), Some(max)) = (field(kind, "min"), field(kind, "max")) {
            assert!(cells[3].starts_with(&format!("{min} to {max}")), "{name}: {cells:?}");
        }
        assert!(kind.split(" var ").skip(1).all(|choice| cells[3].contains(choice)), "{name}: {cells:?}");
    }
    let help = piped("help").join(" ").replace([',', ':'], "");
    for word in help.split(' ').filter(|word| sleight::test_support::is_command(word.as_bytes())) {
        assert!(MANUAL.contains(&format!("`{word}")), "{word}");
    }
}

/// Pages tell the bound on an opening's score that `genfens` and self-play have.
#[test]
fn pages_tell_the_bound_on_openings() {
    let bound = |before: &str, after: &str| format!("{before} {MAX_OPENING_SCORE} internal units {after}");
    for (page, bound) in [
        (include_str!("../../docs/uci.md"), bound("with a score of at most", "either way")),
        (include_str!("../../docs/setup.md"), bound("with a score within", "of zero")),
        (include_str!("../../docs/training.md"), bound("first score is beyond", "either way")),
    ] {
        assert!(page.contains(&bound), "{bound}");
    }
}

/// cutechess keeps to itself every option `UCI_…` but a few, so what the user may want to set has another name too.
#[test]
fn options_that_cutechess_keeps_have_a_second_name() {
    const PASSED: [&str; 5] = ["Chess960", "Variant", "Opponent", "LimitStrength", "Elo"];
    // The GUI's own, which no user sets.
    const OF_THE_GUI: [&str; 1] = ["AnalyseMode"];
    let lines = piped("uci");
    let names: Vec<&str> =
        lines.iter().filter_map(|line| line.strip_prefix("option name ")?.split(" type ").next()).collect();
    for name in names.iter().filter_map(|name| name.strip_prefix("UCI_")) {
        assert!(PASSED.contains(&name) || OF_THE_GUI.contains(&name) || names.contains(&name), "{name}: {names:?}");
    }
}

#[test]
fn options_are_set_or_refused() {
    check(&[
        ("setoption name hASH value 3\nsetoption name MOVE overhead value 5000", &[Silence]),
        ("setoption name Clear Hash", &[Silence]),
        ("setoption name  Move   Overhead  value  7 ", &[Silence]),
        ("setoption name Hash value 1048577", &[Count(1, ERROR)]),
        ("setoption name Hash value 99999999999999999999", &[Count(1, ERROR)]),
        ("setoption name Hash value 0", &[Has("error: Hash must be 1 to 1048576, not `0`")]),
        ("setoption name Hash value 16.5", &[Count(1, ERROR)]),
        ("setoption name Hash", &[Count(1, ERROR)]),
        ("setoption name UCI_Chess960 value yes", &[Has("error: UCI_Chess960 must be true or false, not `yes`")]),
        ("setoption name Sliders value magic", &[Has("error: no option `Sliders`")]),
        ("setoption name Contempt value 3", &[Has("error: no option `Contempt`")]),
        ("setoption Hash value 3", &[Has("error: write `setoption name")]),
        ("setoption", &[Has("error: write `setoption name")]),
        ("setoption name SyzygyPath value /nowhere at all", &[Has("error: cannot read /nowhere at all")]),
        ("setoption name SyzygyPath value <empty>", &[Silence]),
        ("setoption name UCI_ShowWDL value true\ngo depth 2", &[Has(" wdl "), Lacks(ERROR)]),
        ("setoption name ShowWDL value true\ngo depth 2", &[Has(" wdl "), Lacks(ERROR)]),
        // A GUI that sends the values of all options.
        ("setoption name UCI_ShowWDL value true\nsetoption name ShowWDL value false\ngo depth 2", &[Has(" wdl ")]),
        (
            "setoption name ShowWDL value true\nsetoption name ShowWDL value false\ngo depth 2",
            &[Lacks(" wdl "), Lacks(ERROR)],
        ),
        ("go depth 2", &[Lacks(" wdl ")]),
        ("setoption name UCI_Opponent value GM 2800 human Gary Kasparov\ngo depth 1", &[Lacks(ERROR)]),
        ("setoption name UCI_Opponent value none none computer X\ngo depth 1", &[Lacks(ERROR)]),
        ("setoption name UCI_Elo value 799", &[Has("error: UCI_Elo must be 800 to 2600")]),
        ("setoption name Skill Level value 21", &[Has("error: Skill Level must be 0 to 20")]),
        ("setoption name Threads value 3\ngo depth 5", &[Count(1, "bestmove"), Lacks(ERROR)]),
    ]);
}

/// Limited strength searches fewer nodes and does not always play the best line; the last line is the one it plays.
#[test]
fn strength_can_be_limited() {
    // Of a single iteration, as docs/uci.md says.
    const LIMIT: u64 = 5_000;
    let position = "position startpos moves e2e4 e7e5 g1f3 b8c6\ngo wtime 60000 btime 60000";
    let search = |options: &str| {
        let lines = piped(format!("{options}\n{position}"));
        let (best, infos) = lines.split_last().unwrap();
        assert_eq!((count(&lines, "bestmove "), count(&lines, "info string")), (1, 1), "{lines:#?}");
        assert!(
            infos.iter().filter(|line| is_scored(line)).all(|line| line.contains(" multipv 1 ")),
            "the candidates are no business of the user's"
        );
        let best = best.split(' ').nth(1).unwrap().to_owned();
        let last = infos.last().unwrap();
        assert_eq!(field(last, "pv"), Some(best.as_str()), "{lines:#?}");
        (best, field(last, "nodes").unwrap().parse::<u64>().unwrap())
    };
    let weak = "setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 1350";
    let played: Vec<_> = (0..12).map(|_| search(weak)).collect();
    assert!(played.iter().all(|(_, nodes)| *nodes <= LIMIT), "{played:?}");
    assert!(played.iter().any(|(best, _)| *best != played[0].0), "by chance: {played:?}");
    assert!(search("setoption name Skill Level value 0").1 <= LIMIT);
    let lifted = format!("{weak}\nsetoption name UCI_AnalyseMode value true\nposition startpos\ngo nodes 3000");
    let lines = piped(lifted);
    assert_eq!(field(&lines[lines.len() - 2], "nodes"), Some("3000"), "analysis is at full strength: {lines:#?}");
    let mate = "position fen 7k/5Q2/6K1/8/8/8/8/8 w - - 0 1\ngo movetime 100";
    assert!(piped(format!("{weak}\n{mate}")).last().unwrap().starts_with("bestmove f7"), "a mate is given");
}

/// In either spelling of castling, in the longest games that a client sends, and flipped.
#[test]
fn moves_are_played() {
    let after_castling = "Fen: r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 1 4";
    for castle in ["e1g1", "e1h1"] {
        let lines = piped(format!("position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 {castle}\nd"));
        assert!(mentions(&lines, after_castling), "{lines:#?}");
    }
    let shuffle = " g1f3 g8f6 f3g1 f6g8".repeat(150);
    let lines = piped(format!("position startpos moves{shuffle}\nd\nflip\nd"));
    assert!(mentions(&lines, "w KQkq - 600 301") && mentions(&lines, " b KQkq - 600 301"), "{lines:#?}");
    let lines = piped("position startpos moves e2e4 e7e4\nd");
    let after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    assert!(mentions(&lines, &format!("error: move 2, `e7e4`, is illegal in {after_e4}")), "{lines:#?}");
}

/// The announced default of an option can be set, and changes nothing.
#[test]
fn announced_defaults_are_accepted() {
    let lines = piped("uci");
    let set = lines.iter().filter_map(|line| {
        let (name, kind) = line.strip_prefix("option name ")?.split_once(" type ")?;
        Some(format!("setoption name {name} value {}\n", field(kind, "default")?))
    });
    assert_eq!(piped(set.collect::<String>()), [""; 0]);
}

#[test]
fn fens_are_read_repaired_or_refused() {
    check(&[
        // Four to six fields, and dashes for counters.
        ("position fen 4k3/8/8/8/8/8/8/4K2R w K -\nd", &[Has("Fen: 4k3/8/8/8/8/8/8/4K2R w K - 0 1"), Lacks("info")]),
        ("position fen 4k3/8/8/8/8/8/8/4K2R w K - 5\nd", &[Has("w K - 5 1"), Lacks("info")]),
        ("position fen 4k3/8/8/8/8/8/8/4K2R w K - - -\nd", &[Has("w K - 0 1"), Lacks("info")]),
        ("position fen 4k3/8/8/8/8/8/8/4K2R w K - 7 33\nd", &[Has("w K - 7 33"), Lacks("info")]),
        // Repaired.
        (
            "position fen 4k3/8/8/8/8/8/8/4K2R w K - 10000 99999999999\nd",
            &[Count(2, "info string FEN repaired: counter")],
        ),
        (
            "position fen 4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1\nd",
            &[Count(3, "info string FEN repaired"), Has("w K - 0 1")],
        ),
        ("position fen 4k3/8/8/8/8/8/8/4K3 w - e6 0 1\nd", &[Count(1, "info string FEN repaired"), Has("w - - 0 1")]),
        ("position fen 4k3/8/8/8/8/8/8/4K2R w K - -3 -1\nd", &[Count(2, "info string FEN repaired"), Has("w K - 0 1")]),
        ("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 0\nd", &[Lacks("info"), Has("w K - 0 1")]),
        ("position fen \"4k3/8/8/8/8/8/8/4K2R w K - 7 33\"\nd", &[Has("w K - 7 33"), Lacks("info")]),
        ("position fen '4k3/8/8/8/8/8/8/4K2R w K -' moves e1g1\nd", &[Has("b - - 1 1"), Lacks("info")]),
        (
            "position fen \u{201c} 4k3/8/8/8/8/8/8/4K2R w K - 7 33 \u{201d} moves h1h2\nd",
            &[Has("b - - 8 33"), Lacks("info")],
        ),
        ("position fen `4k3/8/8/8/8/8/8/4K2R w K - 7`\nd", &[Has("w K - 7 1"), Lacks("info")]),
        // No game leads to these armies.
        (
            "position fen nnnnknnn/pppppppp/8/8/8/8/PPPPPPPP/1Q1QK1Q1 w - - 0 1\neval\ngo depth 8",
            &[Lacks(ERROR), Count(1, "bestmove "), Has("info depth 8 ")],
        ),
        (
            "position fen 2QQ1Kbk/Q4Qnp/2Q4Q/4Q3/1Q4Q1/3Q4/Q4Q2/2QQ3Q w - - 0 1\neval\ngo depth 3",
            &[Lacks(ERROR), Count(1, "bestmove ")],
        ),
        (
            "position fen qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1\neval\ngo depth 6 nodes 20000",
            &[Lacks(ERROR), Count(1, "bestmove ")],
        ),
        (
            "position fen 4k3/pppppppp/ppppppp1/8/8/PPPPPPPP/PPPPPPP1/4K3 w - - 0 1\neval\ngo depth 8",
            &[Lacks(ERROR), Count(1, "bestmove "), Has("info depth 8 ")],
        ),
        // The clock of a long game is printed as it is read.
        ("position fen 4k3/8/8/8/8/8/8/4K2R w - - 151 200\nd", &[Has("w - - 151 200"), Lacks("info")]),
        // Refused.
        (
            "position fen 4k3/8/8/8/8/P7/PPPPPPPP/NNNNKNNN w - - 0 1\nd",
            &[Count(2, ERROR), Has("White has more than sixteen men")],
        ),
        ("position fen 8/8/8/8/8/8/8/4K2R w - - 0 1\nd", &[Count(2, ERROR), Has("Black has 0 kings")]),
        ("position fen 4k3/8/8/4k3/8/8/8/4K3 w - - 0 1\nd", &[Count(2, ERROR), Has("Black has 2 kings")]),
        ("position fen 4k3/8/8/8/8/8/8/4RK2 w - - 0 1\nd", &[Count(2, ERROR), Has("not to move is in check")]),
        ("position fen 4k2P/8/8/8/8/8/8/4K3 w - - 0 1\nd", &[Count(2, ERROR), Has("first or last rank")]),
        ("position fen 4k3/8/8/8/8/8/8/4K2p w - - 0 1\nd", &[Count(2, ERROR), Has("first or last rank")]),
        ("position fen 4k3/8/8/8/8/8/4K3 w - - 0 1\nd", &[Count(2, ERROR), Has("8 ranks, not 7")]),
        ("position fen 4k3/8/8/8/8/8/8/8/4K3 w - - 0 1\nd", &[Count(2, ERROR), Has("8 ranks, not 9")]),
        ("position fen 4k3/7/8/8/8/8/8/4K3 w - - 0 1\nd", &[Count(2, ERROR), Has("rank 7 does not fill")]),
        ("position fen 4k3/9/8/8/8/8/8/4K3 w - - 0 1\nd", &[Count(2, ERROR), Has("'9' on rank 7")]),
        (
            "position fen 4k3/8/8/8/8/P7/PPPPPPPP/NNNNKNNN w - - 0 1\nd",
            &[Count(2, ERROR), Has("White has more than sixteen men")],
        ),
        ("position fen 4k3/8/8/8/8/8/8/4K2R x - - 0 1\nd", &[Count(2, ERROR), Has("'w' or 'b', not 'x'")]),
        ("position fen 4k3/8/8/8/8/8/8/4K2R w z - 0 1\nd", &[Count(2, ERROR), Has("'z' is no castling right")]),
        ("position fen 4k3/8/8/8/8/8/8/4K2R w - - x 1\nd", &[Count(2, ERROR), Has("'x' is no move counter")]),
        ("position fen 4k3/8/8/8/8/8/8/4K2R w - - 0 1 2\nd", &[Count(2, ERROR), Has("4 to 6 fields, not 7")]),
        ("position fen 4k3/8/8/8/8/8/8/4K2R w\nd", &[Count(2, ERROR), Has("4 to 6 fields, not 2")]),
    ]);
}

/// Whatever follows `go`, the answer is a legal move and an error for each word that was skipped.
#[test]
fn every_go_is_answered_and_its_errors_are_reported() {
    check(&[
        ("go wtime", &[Has("error: skipped `wtime`, which needs a number"), Ends("bestmove ")]),
        ("go depth five nodes 5", &[Has("error: skipped `depth five`"), Ends("bestmove ")]),
        ("go movetime 50.0", &[Lacks(ERROR), Ends("bestmove ")]),
        ("go wtime 900.5 btime 900.25 winc .5 depth 2", &[Lacks(ERROR), Ends("bestmove ")]),
        ("go nodes 1e3 depth 2", &[Has("error: skipped `nodes 1e3`"), Ends("bestmove ")]),
        ("go winc -5 wtime 20 binc 99999999999999999999", &[Lacks(ERROR), Ends("bestmove ")]),
        ("go foo depth 2 bar", &[Count(2, ERROR), Has("info depth 2 "), Lacks("info depth 3 ")]),
        ("go movestogo 0 depth 2", &[Has("error: skipped `movestogo 0`"), Ends("bestmove ")]),
        ("go movestogo -1 depth 2", &[Count(1, ERROR), Ends("bestmove ")]),
        ("go mate 0 depth 2", &[Count(1, ERROR), Ends("bestmove ")]),
        ("go depth 9223372036854775808 nodes 500", &[Lacks(ERROR), Ends("bestmove ")]),
        ("go searchmoves e2e5 depth 2", &[Has("error: `searchmoves` names no legal"), Ends("bestmove ")]),
        ("go searchmoves 0000 depth 2", &[Has("error: skipped `searchmoves 0000`"), Ends("bestmove ")]),
        ("go searchmoves depth 2", &[Has("error: `searchmoves` names no legal"), Ends("bestmove ")]),
        ("go searchmoves e2e4 e2e4 zz depth 2", &[Count(1, ERROR), Ends("bestmove e2e4")]),
        ("go depth 0", &[Has("info depth 1 "), Lacks("info depth 2 "), Ends("bestmove ")]),
        ("go perft", &[Has("error: skipped `perft`, which needs a number"), Count(0, "bestmove")]),
        ("go depth 1 perft 1 x", &[Count(3, ERROR), Has("skipped `depth`, which `perft`"), Has("Nodes searched: 20")]),
        ("go perft -1", &[Has("error: skipped `perft -1`, which is out of range"), Count(1, ERROR)]),
    ]);
    for go in ["wtime 0 btime 0", "wtime -5 btime -5", "wtime 1", "movetime 0", "nodes 0", "depth 0"] {
        let mut client = Client::after(START.trim_end());
        let start = Instant::now();
        client.send(&format!("go {go}"));
        client.until("bestmove");
        assert!(start.elapsed() < Duration::from_secs(3), "go {go} took {:?}", start.elapsed());
    }
}

/// Each limit ends a search that the others would leave going.
#[test]
fn the_first_limit_reached_ends_the_search() {
    const LOOSE: [(&str, &str); 5] =
        [("depth", "200"), ("nodes", "99999999999"), ("movetime", "86400000"), ("wtime", "86400000"), ("mate", "90")];
    for (tight, value) in [("depth", "4"), ("nodes", "5000"), ("movetime", "30"), ("wtime", "30"), ("mate", "3")] {
        let words = LOOSE.map(|(name, loose)| format!("{name} {}", if name == tight { value } else { loose }));
        let position = "position fen r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1";
        let mut client = Client::after(position);
        client.send(&format!("go {}", words.join(" ")));
        let (lines, _) = client.best_move();
        assert!(lines.iter().any(|line| is_scored(line)), "{tight}: {lines:#?}");
    }
}

/// Lines of the forms that clients parse, and no others.
#[test]
fn every_line_of_a_search_is_well_formed() {
    let with_value = ["depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "tbhits", "time"];
    let input = "setoption name UCI_ShowWDL value true\nsetoption name MultiPV value 2\n\
                 position startpos moves e2e4\ngo nodes 8000";
    let lines = piped(input);
    assert!(lines[0].starts_with("info string kernel "), "{lines:#?}");
    let (best, infos) = lines[1..].split_last().unwrap();
    for line in infos.iter().filter(|line| !line.contains(" currmove ")) {
        let mut words = line.split(' ');
        assert_eq!(words.next(), Some("info"), "{line}");
        let mut seen = Vec::new();
        while let Some(word) = words.next() {
            let mut number = || words.next().and_then(|word| word.parse::<i64>().ok()).is_some();
            match word {
                "score" => match words.next() {
                    Some("cp" | "mate") => assert!(words.next().unwrap().parse::<i32>().is_ok(), "{line}"),
                    other => panic!("score {other:?} in {line}"),
                },
                "wdl" => assert!((0..3).all(|_| number()), "{line}"),
                "lowerbound" | "upperbound" => {}
                "pv" => assert!(words.by_ref().all(|word| matches!(word.len(), 4 | 5)), "{line}"),
                name => assert!(with_value.contains(&name) && number(), "`{name}` in {line}"),
            }
            seen.push(word);
        }
        assert!(with_value.iter().chain(&["score", "wdl", "pv"]).all(|name| seen.contains(name)), "{line}");
        let wdl: Vec<i32> = line.split(" wdl ").nth(1).unwrap().split(' ').take(3).flat_map(str::parse).collect();
        assert_eq!(wdl.iter().sum::<i32>(), 1000, "{line}");
    }
    let words: Vec<&str> = best.split(' ').collect();
    assert!(matches!(words.as_slice(), ["bestmove", _, "ponder", _]), "{best}");
}

#[test]
fn long_searches_report_currmove() {
    let mut client = Client::after(START.trim_end());
    let start = Instant::now();
    client.send("go infinite");
    let lines = client.until("info currmove ");
    assert!(start.elapsed() > Duration::from_secs(2), "not before a few seconds");
    let line = lines.last().unwrap();
    assert!(field(line, "currmovenumber").unwrap().parse::<u32>().is_ok(), "{line}");
    client.send("stop");
    client.until("bestmove");
}

/// Castling is king takes rook in variations too, and only if wanted.
#[test]
fn variations_are_spelled_as_the_moves_are() {
    let position = "position fen 5k2/4ppp1/8/8/8/8/8/R3K3 w Q - 0 1\ngo depth 3 searchmoves e1c1";
    for (chess960, castle) in [("true", "e1a1"), ("false", "e1c1")] {
        let lines = piped(format!("setoption name UCI_Chess960 value {chess960}\n{position}"));
        assert!(
            lines.iter().filter(|line| is_scored(line)).all(|line| field(line, "pv") == Some(castle)),
            "{lines:#?}"
        );
    }
}

/// Holding back a best move takes no processor time.
#[cfg(target_os = "linux")]
#[test]
fn a_held_move_waits_without_spinning() {
    let mut client = Client::after(START.trim_end());
    client.send("go infinite depth 1");
    client.until("info depth 1 ");
    client.sync();
    let ticks = |id: u32| -> u64 {
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap();
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
        // User and system time, the 14th and 15th fields, in hundredths of a second.
        fields[11..13].iter().map(|field| field.parse::<u64>().unwrap()).sum()
    };
    let before = ticks(client.id());
    std::thread::sleep(Duration::from_millis(500));
    let spent = ticks(client.id()) - before;
    assert!(spent <= 5, "{spent} hundredths of a second in half a second of waiting");
    client.send("stop");
    client.until("bestmove");
}

/// What comes while searching is done afterwards, in order, and a later `stop` does not wait for it.
#[test]
fn slow_commands_queue_behind_the_search() {
    let mut client = Client::after(START.trim_end());
    client.send("go infinite\nposition startpos moves d2d4\nsetoption name MultiPV value 2\nucinewgame");
    client.send("setoption name Hash value 8\nsetoption name Threads value 2\nsetoption name Clear Hash");
    assert_eq!(count(&client.sync(), "info string"), 1, "about the machine");
    client.send("stop");
    let (before, _) = client.best_move();
    client.send("go depth 3");
    let (after, best) = client.best_move();
    let second = |lines: &[String]| lines.iter().any(|line| field(line, "multipv") == Some("2"));
    assert!(!second(&before) && second(&after), "{before:#?} {after:#?}");
    assert!(best.ends_with(['5', '6']), "Black moves: {best}");
}
