//! What lines of input are read as, in the parser's debug form.

use proptest::prelude::*;
use sleight::test_support::reading;

use crate::client::{count, piped};

const ORDINARY: &[&str] = &[
    "uci",
    "isready",
    "ucinewgame",
    "stop",
    "ponderhit",
    "quit",
    "debug on",
    "debug off",
    "go",
    "go infinite",
    "go depth 12",
    "go nodes 500000",
    "go movetime 1000",
    "go wtime 300000 btime 299000 winc 2000 binc 2000",
    "go wtime 1000 btime -5 movestogo 40",
    "go searchmoves e2e4 d2d4 depth 5 infinite",
    "go mate 3",
    "position startpos",
    "position startpos moves e2e4 e7e5 g1f3",
    "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "position fen 8/P6k/8/8/8/8/8/K7 w - - 3 70 moves a7a8q h7g7",
    "setoption name Hash value 16",
    "setoption name Move Overhead value 10",
    "setoption name SyzygyPath value C:\\Program Files\\a  b",
];

#[test]
fn ordinary_lines_are_read_without_errors() {
    for line in ORDINARY {
        let read = reading(line.as_bytes());
        assert!(read.starts_with("Parsed { command: Some(") && read.ends_with("errors: [] }"), "{line}: {read}");
    }
}

/// The library matches a prefix, so it is given no more than a name, or a name and a switch.
#[test]
fn commands_are_whole_words() {
    for (word, command) in [
        ("uci", "Uci"),
        ("isready", "IsReady"),
        ("ucinewgame", "NewGame"),
        ("stop", "Stop"),
        ("ponderhit", "PonderHit"),
        ("quit", "Quit"),
        ("debug on", "Debug(true)"),
    ] {
        let expected = format!("Parsed {{ command: Some({command}), errors: [");
        for line in [word.to_owned(), word.to_uppercase(), format!(" {word}\t"), format!("{word} now")] {
            let read = reading(line.as_bytes());
            assert!(read.starts_with(&expected), "{line}: {read}");
            assert_eq!(read.contains("word: \"now\""), line.ends_with("now"), "{line}: {read}");
        }
        assert!(reading(format!("{word}x").as_bytes()).starts_with("Parsed { command: None"), "{word}");
    }
}

/// A line, what its reading contains, and the errors in it.
fn check(line: &[u8], parts: &[&str], errors: usize) {
    let read = reading(line);
    let text = String::from_utf8_lossy(line);
    assert!(parts.iter().all(|part| read.contains(part)), "{text}: {read}");
    let (_, reported) = read.split_once("errors: [").unwrap();
    let variants = ["Unknown", "Missing", "NotA", "OutOf", "Bad", "Syntax"];
    let count: usize = variants.iter().map(|variant| reported.matches(variant).count()).sum();
    assert_eq!(count, errors, "{text}: {read}");
}

#[test]
fn limits_combine() {
    let all =
        "go ponder wtime 300000000000 btime -7 winc 5 binc -5 movestogo 3 depth 300 nodes 99999999999999999999 mate 4";
    let expected = "Limits { time: [Some(300000000000), Some(-7)], increment: [5, 0], moves_to_go: Some(3), \
                    depth: Some(300), nodes: Some(9223372036854775807), soft_nodes: None, mate: Some(4), \
                    move_time: None, infinite: false, ponder: true, search_moves: [] }";
    check(all.as_bytes(), &[expected], 0);
    check(b"GO Infinite MoveTime 5", &["infinite: true", "move_time: Some(5)"], 0);
    check(b"go depth -3 nodes -1 movetime -2", &[" depth: Some(0), nodes: Some(0)", "move_time: Some(0)"], 0);
    check(b"go movetime 2500.75 nodes -.5 depth 3.", &[" depth: Some(3), nodes: Some(0)", "move_time: Some(2500)"], 0);
    check(b"go movetime 2,5 nodes 1.5.2 depth .", &["NotANumber"], 3);
    check(b"go depth 99999999999", &[" depth: Some(2147483647)"], 0);
}

#[test]
fn what_makes_no_sense_is_skipped_with_an_error() {
    check(b"go foo depth 5", &[" depth: Some(5)", "UnknownWord { command: \"go\", word: \"foo\" }"], 1);
    check(b"go depth", &[" depth: None", "MissingNumber(\"depth\")"], 1);
    check(b"go wtime depth 5", &[" depth: Some(5)", "MissingNumber(\"wtime\")"], 1);
    check(b"go depth five", &[" depth: None", "NotANumber { keyword: \"depth\", value: \"five\" }"], 1);
    check(b"go mate -1 depth 7", &[" depth: Some(7)", "OutOfRange { keyword: \"mate\", value: -1 }"], 1);
    let moves = "Some([UciMove { from: E2, to: E4, promotion: None }, UciMove { from: E1, to: G1, promotion: None }])";
    check(b"go searchmoves e2e4 foo e1g1 nodes 5 bar d2d4", &[" nodes: Some(5)", moves], 3);
    check(b"go searchmoves", &["Some([])"], 0);
    check(b"bench", &["Bench(None)"], 0);
    check(b"perft 3 --hash", &["Perft(3)", "command: \"perft\", word: \"--hash\""], 1);
    check(b"bench 3 --hash", &["Bench(Some(3))"], 1);
    check(b"joho debug on", &["Debug(true)", "UnknownCommand(\"joho\")"], 1);
    check(b"protover 2 bench", &["command: None"], 1);
    for silent in ["", "   ", "xboard", "XBoard", "# go infinite", "register later", "register name a code b"] {
        check(silent.as_bytes(), &["command: None"], 0);
    }
    let long = reading("\u{1b}é".repeat(1000).as_bytes());
    assert!(long.len() < 300 && !long.contains('\u{1b}'));
}

#[test]
fn positions_are_read_whole_or_refused() {
    check(b"position startpos moves E2E4  e7e5", &["fen: None", "from: E7, to: E5"], 0);
    check(b"position  fen 8/8/8/8/8/8/8/K1k5 b - -  moves c1b3", &["8/K1k5 b - -\")", "from: C1, to: B3"], 0);
    check(b"position startpos e2e4", &["Err(UnexpectedWord(\"e2e4\"))"], 0);
    check(b"position startpos moves e2e4 0000 e7e5", &["Err(BadMove { number: 2, text: \"0000\" })"], 0);
}

#[test]
fn option_values_keep_their_bytes() {
    check(b"setoption name  Move   Overhead value 16 ", &["SetOption(\"Move Overhead\", [49, 54])"], 0);
    check(b"setoption name SyzygyPath value \xc9  \\a", &[", [201, 32, 32, 92, 97])"], 0);
    check(b"setoption name SyzygyPath value", &["SetOption(\"SyzygyPath\", [])"], 0);
    check(b"setoption name Clear Hash", &["SetOption(\"Clear Hash\", [])"], 0);
    check(b"hm setoption name Hash value 3", &["SetOption("], 1);
    check(b"setoption Hash 16", &["command: None", "Syntax(\"`setoption"], 1);
}

/// Ordinary lines with up to three bytes changed, removed or inserted.
fn mutated() -> impl Strategy<Value = Vec<u8>> {
    let change = (any::<prop::sample::Index>(), any::<u8>(), 0..3);
    (prop::sample::select(ORDINARY), prop::collection::vec(change, 0..4)).prop_map(|(line, changes)| {
        let mut line = line.as_bytes().to_vec();
        for (at, byte, kind) in changes {
            let at = at.index(line.len() + 1);
            match kind {
                0 => line.insert(at, byte),
                1 if at < line.len() => line[at] = byte,
                _ if at < line.len() => drop(line.remove(at)),
                _ => {}
            }
        }
        line
    })
}

/// Random sequences of the words of `go` and of numbers of every size.
fn shuffled_go() -> impl Strategy<Value = String> {
    let words = [
        "wtime",
        "btime",
        "winc",
        "binc",
        "movestogo",
        "depth",
        "nodes",
        "mate",
        "movetime",
        "infinite",
        "ponder",
        "searchmoves",
        "e2e4",
        "e7e8q",
        "0000",
        "5",
        "-5",
        "+7",
        "255",
        "256",
        "999",
        "1000",
        "123456789012",
        "1234567890123",
        "99999999999999999999",
        "1.5",
        "é",
        "foo",
    ];
    prop::collection::vec(prop::sample::select(words.to_vec()), 0..12)
        .prop_map(|words| format!("go {}", words.join(" ")))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_panic(line in prop::collection::vec(any::<u8>(), 0..300)) {
        reading(&line);
    }

    #[test]
    fn no_text_panics(line in "(go|position|setoption|debug|register|bench|perft|uci) \\PC{0,80}") {
        reading(line.as_bytes());
    }

    #[test]
    fn no_mutated_line_panics(line in mutated()) {
        reading(&line);
    }

    /// What is not reported is read: a `go` without errors has every word of the line in it.
    #[test]
    fn limits_are_read_or_reported(line in shuffled_go()) {
        let read = reading(line.as_bytes());
        if read.ends_with("errors: [] }") {
            let has = |word: &str| line.split(' ').any(|other| other == word);
            for (word, unset) in [
                ("wtime", "time: [None,"),
                ("btime", "None], increment"),
                ("movestogo", "moves_to_go: None"),
                ("depth", " depth: None"),
                ("nodes", " nodes: None"),
                ("mate", "mate: None"),
                ("movetime", "move_time: None"),
                ("infinite", "infinite: false"),
                ("ponder", "ponder: false"),
                ("searchmoves", "}, None)"),
            ] {
                prop_assert_eq!(!read.contains(unset), has(word), "{} in {}: {}", word, line, read);
            }
        }
    }
}

/// cutechess sends Latin-1, and the bytes of a path are the path.
#[cfg(unix)]
#[test]
fn paths_are_bytes() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(OsStr::from_bytes(b"caf\xe9  d"));
    std::fs::create_dir(&path).unwrap();
    let lines = piped([b"setoption name SyzygyPath value ", path.as_os_str().as_bytes(), b"\r\n"].concat());
    assert!(lines.len() == 1 && lines[0].starts_with("info string error: no tables in "), "it is there: {lines:#?}");
    let book = folder.path().join(OsStr::from_bytes(b"caf\xe9.epd"));
    std::fs::copy("bench.epd", &book).unwrap();
    let lines = piped([b"genfens 2 seed 1 book ", book.as_os_str().as_bytes(), b"\n"].concat());
    assert_eq!(count(&lines, "info string genfens "), 2, "{lines:#?}");
}

/// On every system, UTF-8 is understood in paths.
#[test]
fn paths_may_have_any_letters() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Шахматы für  Ωmega");
    std::fs::create_dir(&path).unwrap();
    let path = path.to_str().unwrap();
    let lines = piped(format!("setoption name SyzygyPath value {path}\n"));
    assert_eq!(lines, [format!("info string error: no tables in {path}")]);
    let network = format!("{path}{}net.nnue", std::path::MAIN_SEPARATOR);
    std::fs::write(&network, "no network").unwrap();
    let lines = piped(format!("setoption name EvalFile value {network}\n"));
    assert!(lines.len() == 1 && lines[0].contains("error: ") && !lines[0].contains("cannot read"), "{lines:#?}");
}
