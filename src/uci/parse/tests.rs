use proptest::prelude::*;

use super::*;
use crate::{
    engine::{EngineError, GameError, OptionError, SetupError},
    search::Limits,
};

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

fn library(line: &str) -> Option<Input> {
    let words: Vec<&str> = line.split_whitespace().collect();
    by_library(Keyword::of(words[0])?, &words, line.as_bytes())
}

fn ours(line: &str) -> Parsed {
    let words: Vec<&str> = line.split_whitespace().collect();
    fallback::read(Keyword::of(words[0]).unwrap(), &words[1..], line.as_bytes())
}

fn go(line: &str) -> (GoRequest, Vec<String>) {
    let parsed = parse(line.as_bytes());
    let Some(Input::Go(request)) = parsed.input else { panic!("{line}: {:?}", parsed.input) };
    (request, parsed.errors.iter().map(ToString::to_string).collect())
}

fn position(line: &str) -> Result<(Option<String>, Vec<String>), SetupError> {
    let parsed = parse(line.as_bytes());
    assert!(parsed.errors.is_empty());
    let Some(Input::Engine(Command::Position(setup))) = parsed.input else { panic!("{line}: {:?}", parsed.input) };
    setup.map(|setup| (setup.fen, setup.moves.iter().map(ToString::to_string).collect()))
}

fn set(line: &[u8]) -> Option<(String, Option<Vec<u8>>)> {
    match parse(line).input {
        Some(Input::Engine(Command::SetOption(Setting { name, value }))) => Some((name, value)),
        _ => None,
    }
}

#[test]
fn the_library_reads_every_ordinary_line_as_the_fallback_would() {
    for line in ORDINARY {
        let read = library(line).unwrap_or_else(|| panic!("not by the library: {line}"));
        let own = ours(line);
        assert_eq!(own.errors, [], "{line}");
        assert_eq!(format!("{read:?}"), format!("{:?}", own.input.unwrap()), "{line}");
    }
}

/// The library would panic on these, or drop a part of them.
#[test]
fn what_the_library_would_drop_is_read_by_the_fallback() {
    for line in [
        "go depth 256",
        "go mate 999",
        "go wtime 1000 movestogo 300",
        "go ponder wtime 1000 btime 1000",
        "go infinite movetime 50",
        "go depth 5 foo wtime 1000",
        "go wtime 5movestogo 300",
        "go nodes 1234567890123",
        "go wtime 1.5",
        "go depth 3 depth 4",
        "go searchmoves 0000",
        "position startpos moves",
        "position startpos moves e2e4 0000 e7e5",
        "position fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        "position fen 8/8/8/8/8/8/8/K1k5 w - -",
        "setoption name SyzygyPath value",
        "position startposs",
        "position startpos moves e2e4 e7e5x",
        "position fen 8/8/8/8/8/8/8/K1k5 w - - 0 12345",
        "debug only",
        "setoption name Clear Hash",
        "\u{b}setoption name Hash value 1",
        "isready now",
    ] {
        assert!(library(line).is_none(), "{line}");
    }
}

#[test]
fn limits_combine() {
    let (request, errors) = go(
        "go ponder wtime 300000000000 btime -7 winc 5 binc -5 movestogo 3 depth 300 nodes 99999999999999999999 mate 4",
    );
    let expected = Limits {
        time: [Some(300_000_000_000), Some(-7)],
        increment: [5, 0],
        moves_to_go: Some(3),
        depth: Some(300),
        nodes: Some(i64::MAX as u64),
        mate: Some(4),
        ponder: true,
        ..Limits::default()
    };
    assert_eq!(format!("{:?}", request.limits), format!("{expected:?}"));
    assert_eq!(errors, [""; 0]);
    assert!(go("GO Infinite MoveTime 5").0.limits.infinite);
    assert_eq!(go("go depth -3 nodes -1 movetime -2").0.limits.depth, Some(0));
    assert_eq!(go("go depth 99999999999").0.limits.depth, Some(i32::MAX));
}

#[test]
fn what_makes_no_sense_is_skipped_with_an_error() {
    for (line, depth, error) in [
        ("go foo depth 5", Some(5), "skipped `foo`, which `go` does not know"),
        ("go depth", None, "skipped `depth`, which needs a number"),
        ("go wtime depth 5", Some(5), "skipped `wtime`, which needs a number"),
        ("go depth five", None, "skipped `depth five`, which is not a number"),
        ("go depth 5 movestogo 0", Some(5), "skipped `movestogo 0`, which is out of range"),
        ("go mate -1 depth 7", Some(7), "skipped `mate -1`, which is out of range"),
        ("go searchmoves 0000 depth 6", Some(6), "skipped `searchmoves 0000`, which is not a move"),
    ] {
        let (request, errors) = go(line);
        assert_eq!(request.limits.depth, depth, "{line}");
        assert_eq!(errors, [error], "{line}");
    }
}

#[test]
fn search_moves_end_at_the_next_limit() {
    let (request, errors) = go("go searchmoves e2e4 foo e1g1 nodes 5 bar d2d4");
    let moves: Vec<String> = request.search_moves.unwrap().iter().map(ToString::to_string).collect();
    assert_eq!(moves, ["e2e4", "e1g1"]);
    assert_eq!((request.limits.nodes, errors.len()), (Some(5), 3));
    assert_eq!(go("go searchmoves").0.search_moves, Some(Vec::new()));
    assert_eq!(go("go depth 1").0.search_moves, None);
}

#[test]
fn perft_and_bench_take_a_depth() {
    assert!(matches!(parse(b"go perft 5").input, Some(Input::Perft(5))));
    assert!(matches!(parse(b"perft 3").input, Some(Input::Perft(3))));
    assert!(parse(b"go perft").input.is_none());
    assert!(matches!(parse(b"bench").input, Some(Input::Bench(None))));
    assert!(matches!(parse(b"bench 7").input, Some(Input::Bench(Some(7)))));
    for (line, command) in [("perft 3 --hash", "perft"), ("go perft 3 --hash", "perft"), ("bench 3 --hash", "bench")] {
        let parsed = parse(line.as_bytes());
        assert!(matches!(parsed.input, Some(Input::Perft(3) | Input::Bench(Some(3)))), "{line}");
        assert_eq!(parsed.errors, [InputError::UnknownWord { command, word: "--hash".to_owned() }], "{line}");
    }
}

#[test]
fn positions_are_read_whole_or_refused() {
    let moves = |moves: &[&str]| moves.iter().map(|mv| (*mv).to_owned()).collect::<Vec<_>>();
    assert_eq!(position("position startpos moves E2E4  e7e5"), Ok((None, moves(&["e2e4", "e7e5"]))));
    assert_eq!(position("position startpos moves "), Ok((None, moves(&[]))));
    let fen = "8/8/8/8/8/8/8/K1k5 b - -";
    assert_eq!(position(&format!("position  fen {fen}  moves c1b3")), Ok((Some(fen.to_owned()), moves(&["c1b3"]))));
    assert_eq!(position("position"), Err(SetupError::NoPosition(String::new())));
    assert_eq!(position("position startpso"), Err(SetupError::NoPosition("startpso".to_owned())));
    assert_eq!(position("position startpos e2e4"), Err(SetupError::UnexpectedWord("e2e4".to_owned())));
    let bad = SetupError::BadMove { number: 2, text: "0000".to_owned() };
    assert_eq!(position("position startpos moves e2e4 0000 e7e5"), Err(bad));
}

#[test]
fn option_values_keep_their_bytes() {
    let text = |name: &str, value: Option<&[u8]>| Some((name.to_owned(), value.map(<[u8]>::to_vec)));
    assert_eq!(set(b"setoption name  Move   Overhead value 16 "), text("Move Overhead", Some(b"16")));
    assert_eq!(
        set(b"setoption name SyzygyPath value D:\\\xc9checs  \\a"),
        text("SyzygyPath", Some(b"D:\\\xc9checs  \\a"))
    );
    assert_eq!(set(b"setoption name SyzygyPath value"), text("SyzygyPath", Some(b"")));
    assert_eq!(set(b"setoption name Clear Hash"), text("Clear Hash", None));
    assert_eq!(set(b"hm setoption name Hash value 3"), text("Hash", Some(b"3")));
    assert_eq!(set(b"setoption Hash 16"), None);
    assert_eq!(parse(b"setoption Hash 16").errors, [InputError::OptionSyntax]);
}

#[test]
fn unknown_commands_are_reported_once_or_ignored() {
    for silent in ["", "   ", "xboard", "# go infinite", "register later", "register name a code b"] {
        let parsed = parse(silent.as_bytes());
        assert!(parsed.input.is_none() && parsed.errors.is_empty(), "{silent}");
    }
    let parsed = parse(b"joho debug on");
    assert!(matches!(parsed.input, Some(Input::Engine(Command::Debug(true)))));
    assert_eq!(parsed.errors, [InputError::UnknownCommand("joho".to_owned())]);
    let parsed = parse(b"protover 2 bench");
    assert!(parsed.input.is_none() && parsed.errors.len() == 1);
    let long = parse("\u{1b}é".repeat(1000).as_bytes()).errors[0].to_string();
    assert!(long.len() < 300 && !long.contains('\u{1b}'));
}

#[test]
fn suggestions_are_correct_commands() {
    let word = || "x".to_owned();
    let mut errors: Vec<EngineError> = ["go", "perft", "bench", "isready", "d"]
        .map(|command| InputError::UnknownWord { command, word: word() }.into())
        .into();
    errors.extend([
        InputError::UnknownCommand(word()).into(),
        InputError::MissingNumber("wtime").into(),
        InputError::MissingNumber("perft").into(),
        InputError::NotANumber { keyword: "bench", value: word() }.into(),
        InputError::OutOfRange { keyword: "mate", value: 0 }.into(),
        InputError::BadSearchMove(word()).into(),
        OptionError::Unknown(word()).into(),
        GameError::from(SetupError::TooLong).into(),
        GameError::from(SetupError::NoPosition(word())).into(),
    ]);
    for error in errors {
        let suggestion = error.suggestion().unwrap_or_else(|| panic!("{error}"));
        let parsed = parse(suggestion.as_bytes());
        assert!(parsed.input.is_some() && parsed.errors.is_empty(), "{suggestion}");
        assert!(!matches!(parsed.input, Some(Input::Engine(Command::Position(Err(_))))), "{suggestion}");
    }
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
        parse(&line);
    }

    #[test]
    fn no_text_panics(line in "(go|position|setoption|debug|register|bench|perft|uci) \\PC{0,80}") {
        parse(line.as_bytes());
    }

    #[test]
    fn no_mutated_line_panics_and_the_two_readings_agree(line in mutated()) {
        parse(&line);
        let Ok(line) = String::from_utf8(line) else { return Ok(()) };
        let Some(keyword) = line.split_whitespace().next().and_then(Keyword::of) else { return Ok(()) };
        if keyword != Keyword::Register && let Some(read) = library(&line) {
            let own = ours(&line);
            prop_assert_eq!(format!("{read:?}"), format!("{:?}", own.input.unwrap()));
        }
    }

    #[test]
    fn the_two_readings_of_go_agree(line in shuffled_go()) {
        parse(line.as_bytes());
        if let Some(read) = library(&line) {
            let own = ours(&line);
            prop_assert_eq!(&own.errors, &[]);
            prop_assert_eq!(format!("{read:?}"), format!("{:?}", own.input.unwrap()));
        }
    }
}
