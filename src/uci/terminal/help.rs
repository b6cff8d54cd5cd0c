//! What can be typed, in short.

use super::{super::input::Keyword, paint::Paint};

/// Each line of the help: a heading, or what to type and what comes of it.
const LINES: [(&str, &str); 23] = [
    ("Play", ""),
    ("e4  Nf3  O-O  e2e4", "play a move on the board; or several: 1. e4 e5 2. Nf3"),
    ("play", "let Sleight move, after a second; or: play depth 12"),
    ("undo", "take the last move back; undo 2 takes two"),
    ("new", "begin another game"),
    ("Look", ""),
    ("d", "draw the board"),
    ("moves", "list the legal moves"),
    ("eval", "value the position without searching"),
    ("Search", ""),
    ("go", "search until Enter; or: go depth 20, go movetime 5000"),
    ("Enter, or stop", "end the search"),
    ("Set up", ""),
    ("position fen <FEN>", "set up a position; a FEN alone does it, too"),
    ("flip", "exchange the colors"),
    ("setoption", "as in: setoption name Hash value 256; or MultiPV, UCI_Elo"),
    ("Measure", ""),
    ("perft 5", "count the leaves of the tree of legal moves"),
    ("bench", "search the bench positions"),
    ("sliders", "name the slider backend in use"),
    ("And", ""),
    ("uci", "speak the UCI protocol from now on, as to a program"),
    ("quit", "leave; so does Ctrl-D"),
];

pub(super) fn text(paint: Paint) -> String {
    const ENTRY: usize = 20;
    let lines = LINES.map(|line| match line {
        (heading, "") => paint.bold(heading),
        (entry, meaning) => format!("  {entry:ENTRY$} {}", paint.dim(meaning)),
    });
    lines.join("\n")
}

/// A line with this command that is right.
pub(super) fn example(keyword: Keyword) -> &'static str {
    match keyword {
        Keyword::Go => "go depth 20",
        Keyword::Position => "position startpos moves e2e4 e7e5",
        Keyword::SetOption => "setoption name Hash value 256",
        Keyword::Debug => "debug on",
        Keyword::Perft => "perft 5",
        Keyword::Bench => "bench 10",
        Keyword::GenFens => "genfens 5 seed 1 book None",
        Keyword::Uci
        | Keyword::IsReady
        | Keyword::Register
        | Keyword::NewGame
        | Keyword::Stop
        | Keyword::PonderHit
        | Keyword::Quit
        | Keyword::Display
        | Keyword::Eval
        | Keyword::Sliders
        | Keyword::Flip
        | Keyword::Help => keyword.name(),
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            super::{input::Input, parse::parse},
            words,
        },
        *,
    };

    #[test]
    fn every_word_is_explained_or_another_name() {
        let left_to_the_manual = [
            "takeback",
            "board",
            "?",
            "exit",
            "q",
            "help",
            "debug",
            "isready",
            "register",
            "ucinewgame",
            "ponderhit",
            "genfens",
        ];
        for word in words::all() {
            let explained = LINES.iter().any(|(entry, _)| entry.split([' ', ',']).any(|known| known == word));
            assert_ne!(explained, left_to_the_manual.contains(&word), "{word}");
        }
    }

    #[test]
    fn the_help_fits_a_small_window() {
        for line in text(Paint { colors: true, moves: true }).lines() {
            assert!(console::measure_text_width(line) <= 80, "{line}");
        }
    }

    #[test]
    fn examples_are_right() {
        for keyword in Keyword::names().filter_map(Keyword::of) {
            let parsed = parse(example(keyword).as_bytes());
            assert!(parsed.faults.is_empty(), "{keyword:?}: {parsed:?}");
            let empty = parsed.input.is_none() && keyword != Keyword::Register;
            assert!(!empty, "{keyword:?}");
            assert!(keyword != Keyword::Go || matches!(parsed.input, Some(Input::Go(_))));
        }
    }
}
