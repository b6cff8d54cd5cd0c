//! What a person may type: moves, some words of our own, and every command of the protocol.

use super::super::{
    input::{Keyword, Parsed},
    parse::parse,
};
use crate::{
    notation::{San, UciMove},
    util::excerpt,
};

/// A line, understood.
#[derive(Debug)]
pub(super) enum Entry {
    /// Nothing but blanks.
    Empty,
    /// Moves to be played, as they were written.
    Moves(Vec<String>),
    /// Take so many moves back, if it was a number of them.
    Undo(Option<usize>),
    /// Begin another game.
    New,
    /// List the legal moves.
    Legal,
    /// Search as this `go` says, and play the move.
    Reply(Parsed),
    /// What a program could have said, too.
    Command(Keyword, Parsed),
    /// A remark, or some such.
    Nothing,
    /// The first word means nothing.
    Unknown(String),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Word {
    Undo,
    New,
    Moves,
    Play,
    /// Another name of a command.
    Alias(&'static str),
}

/// The words that only people say.
const WORDS: [(&str, Word); 9] = [
    ("undo", Word::Undo),
    ("takeback", Word::Undo),
    ("new", Word::New),
    ("moves", Word::Moves),
    ("play", Word::Play),
    ("board", Word::Alias("d")),
    ("?", Word::Alias("help")),
    ("exit", Word::Alias("quit")),
    ("q", Word::Alias("quit")),
];

/// Every word that a line can begin with, but for moves.
pub(super) fn all() -> impl Iterator<Item = &'static str> {
    WORDS.into_iter().map(|(word, _)| word).chain(Keyword::names())
}

/// The word that may have been meant by this one, if any is much like it.
pub(super) fn nearest(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    let faults = |known: &str| strsim::damerau_levenshtein(&word, known);
    // A word of three letters may have one wrong, and one of six two.
    all().min_by_key(|known| faults(known)).filter(|known| 3 * faults(known) <= word.chars().count())
}

/// Reads a line without its line end. Every byte string has an answer.
pub(super) fn read(line: &[u8]) -> Entry {
    let text = String::from_utf8_lossy(line);
    let words: Vec<&str> = text.split_whitespace().collect();
    let Some((first, rest)) = words.split_first() else { return Entry::Empty };
    let command = |name: &str| {
        let line = format!("{name} {}", rest.join(" "));
        Keyword::of(name).map_or(Entry::Nothing, |keyword| Entry::Command(keyword, parse(line.as_bytes())))
    };
    if let Some((_, word)) = WORDS.into_iter().find(|(name, _)| first.eq_ignore_ascii_case(name)) {
        return match word {
            Word::Undo => Entry::Undo(match rest {
                [] => Some(1),
                [count] => count.parse().ok().filter(|&count| count > 0),
                _ => None,
            }),
            Word::New => Entry::New,
            Word::Moves => Entry::Legal,
            Word::Play => Entry::Reply(parse(format!("go {}", rest.join(" ")).as_bytes())),
            Word::Alias(name) => command(name),
        };
    }
    if let Some(keyword) = Keyword::of(first) {
        return Entry::Command(keyword, parse(line));
    }
    let moves = moves(&words);
    if moves.first().is_some_and(|first| is_move(first)) {
        return Entry::Moves(moves);
    }
    if first.matches('/').count() == 7 {
        return Entry::Command(Keyword::Position, parse(format!("position fen {text}").as_bytes()));
    }
    match parse(line) {
        // The protocol wants unknown words before a command to be passed over.
        parsed if parsed.input.is_some() => Entry::Command(Keyword::Help, parsed),
        parsed if parsed.faults.is_empty() => Entry::Nothing,
        _ => Entry::Unknown(excerpt(first)),
    }
}

fn is_move(word: &str) -> bool {
    word.parse::<UciMove>().is_ok() || word.parse::<San>().is_ok()
}

/// The words without the numbers that score sheets put before moves.
fn moves(words: &[&str]) -> Vec<String> {
    let without_number = |word: &&str| {
        let after_digits = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let numbered = after_digits.starts_with('.') && after_digits.len() < word.len();
        if numbered { after_digits.trim_start_matches('.').to_owned() } else { (*word).to_owned() }
    };
    words.iter().map(without_number).filter(|word| !word.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_is_a_move() {
        for word in all() {
            assert!(!is_move(word), "{word}");
        }
    }

    #[test]
    fn moves_may_come_with_their_numbers() {
        for line in ["1. e4 e5 2. Nf3", "1.e4 e5 2.Nf3", "e4 e5 Nf3", "  e4  1... e5 2. Nf3\t"] {
            let Entry::Moves(moves) = read(line.as_bytes()) else { panic!("{line}") };
            assert_eq!(moves, ["e4", "e5", "Nf3"], "{line}");
        }
        assert!(matches!(read(b"0-0"), Entry::Moves(moves) if moves == ["0-0"]));
    }

    #[test]
    fn a_word_is_recognized_by_most_of_its_letters() {
        for (word, meant) in [("hepl", Some("help")), ("setopiton", Some("setoption")), ("foo", None), ("og", None)] {
            assert_eq!(nearest(word), meant);
        }
    }

    #[test]
    fn lines_are_told_apart() {
        assert!(matches!(read(b" "), Entry::Empty));
        assert!(matches!(read(b"# e4"), Entry::Nothing));
        assert!(matches!(read(b"takeback 3"), Entry::Undo(Some(3))));
        assert!(matches!(read(b"UNDO"), Entry::Undo(Some(1))));
        for bad in ["undo x", "undo 0", "undo -1", "undo 1 2"] {
            assert!(matches!(read(bad.as_bytes()), Entry::Undo(None)), "{bad}");
        }
        assert!(matches!(read(b"play depth 3"), Entry::Reply(go) if go.faults.is_empty()));
        assert!(matches!(read(b"exit"), Entry::Command(Keyword::Quit, _)));
        assert!(matches!(read(b"go depth 3"), Entry::Command(Keyword::Go, _)));
        assert!(matches!(read(b"4k3/8/8/8/8/8/8/4K2R w K -"), Entry::Command(Keyword::Position, _)));
        assert!(matches!(read(b"well isready"), Entry::Command(..)), "as the protocol has it");
        assert!(matches!(read(b"mvoes"), Entry::Unknown(word) if word == "mvoes"));
    }
}
