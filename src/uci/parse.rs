//! Lines of bytes to commands.
//!
//! The library reads the commands of the protocol that are words alone. Of `go`, `position` and `setoption` it drops
//! what it does not know without saying so, and some numbers make it panic; these are read here, word by word.

use std::iter::{self, Peekable};

use vampirc_uci::{UciMessage, parse_one};

use super::error::InputError;
use crate::{
    game::PositionCommand,
    notation::UciMove,
    openings::{GenFens, GenFensSyntax},
    search::Limits,
    util::excerpt,
};

/// The command of a line.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum UciCommand {
    Uci,
    Debug(bool),
    IsReady,
    /// The name as the user wrote it, and the bytes of the value; none of a button.
    SetOption(String, Vec<u8>),
    NewGame,
    /// A position that could not be read leaves the engine without one.
    Position(Result<PositionCommand, InputError>),
    /// The limits without their moves, and the moves after `searchmoves`, if that word was there.
    Go(Limits, Option<Vec<UciMove>>),
    Stop,
    PonderHit,
    Quit,
    /// Perft to this depth in plies.
    Perft(u32),
    /// Search the bench positions to this depth in plies, or the default depth.
    Bench(Option<u32>),
    /// Print openings for OpenBench.
    GenFens(GenFens),
    /// Show the board.
    Display,
    Eval,
    Sliders,
    Flip,
    Help,
}

/// A parsed line: its command, if it has one, and the errors in it.
#[derive(Clone, Debug)]
pub(crate) struct Parsed {
    pub(crate) command: Option<UciCommand>,
    pub(crate) errors: Vec<InputError>,
}

/// The commands of the protocol.
const PROTOCOL: &str = "uci debug isready setoption register ucinewgame position go stop ponderhit quit";
/// Our own.
const OURS: &str = "bench perft d eval sliders flip help genfens";
/// The keywords of `go` that a number follows.
const NUMBERS: &str = "wtime btime winc binc movestogo depth nodes mate movetime perft";
/// The other keywords of `go`.
const OTHERS: &str = "infinite ponder searchmoves";

/// The one of these names that a word is, without regard to case.
fn name_in(names: &'static str, word: &str) -> Option<&'static str> {
    names.split(' ').find(|name| word.eq_ignore_ascii_case(name))
}

/// The name of the command that a word is.
pub(super) fn command_name(word: &str) -> Option<&'static str> {
    name_in(PROTOCOL, word).or_else(|| name_in(OURS, word))
}

/// Parses a line, given without its line end. Every byte string has an answer.
pub(crate) fn parse(line: &[u8]) -> Parsed {
    let text = String::from_utf8_lossy(line);
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut errors = Vec::new();
    let start = command_start(&words);
    let command = start.map_or(Ok(None), |(at, name)| command(name, &words[at + 1..], line, &mut errors));
    let command = command.map_err(|error| errors.push(error)).unwrap_or_default();
    errors.extend(unknown_command(&words[..start.map_or(words.len(), |(at, _)| at)]));
    Parsed { command, errors }
}

/// The index of the command word. The protocol wants unknown words before a command to be skipped; our own commands
/// must come first, so that no word of other text is taken for one.
fn command_start(words: &[&str]) -> Option<(usize, &'static str)> {
    let first = words.first()?;
    if first.starts_with('#') {
        return None;
    }
    let ours = name_in(OURS, first).map(|name| (0, name));
    ours.or_else(|| words.iter().enumerate().find_map(|(at, word)| Some((at, name_in(PROTOCOL, word)?))))
}

/// The error for words that start no command. Comments are ignored, and so is `xboard`, which Arena sends before `uci`.
fn unknown_command(words: &[&str]) -> Option<InputError> {
    let word = words.first().filter(|word| !word.eq_ignore_ascii_case("xboard") && !word.starts_with('#'))?;
    Some(InputError::UnknownCommand(excerpt(word)))
}

/// The command, unless it is one that is ignored. An error that leaves no command is returned, others are collected.
fn command(
    name: &'static str,
    rest: &[&str],
    line: &[u8],
    errors: &mut Vec<InputError>,
) -> Result<Option<UciCommand>, InputError> {
    Ok(Some(match name {
        "go" => go(rest, errors)?,
        "position" => UciCommand::Position(position(rest)),
        "setoption" => setting(line).ok_or(InputError::Syntax("`setoption name <option> value <value>`"))?,
        "debug" => {
            let switch = rest.first().and_then(|word| name_in("on off", word));
            let switch = switch.ok_or(InputError::Syntax("`debug on` or `debug off`"))?;
            errors.extend(rest[1..].iter().map(unknown_word(name)));
            UciCommand::Debug(switch == "on")
        }
        "register" => return Ok(None),
        "genfens" => UciCommand::GenFens(genfens(line)?),
        "perft" => UciCommand::Perft(plies(name, rest, errors)?),
        "bench" if rest.is_empty() => UciCommand::Bench(None),
        "bench" => UciCommand::Bench(Some(plies(name, rest, errors)?)),
        _ => {
            errors.extend(rest.iter().map(unknown_word(name)));
            match name {
                "d" => UciCommand::Display,
                "eval" => UciCommand::Eval,
                "sliders" => UciCommand::Sliders,
                "flip" => UciCommand::Flip,
                "help" => UciCommand::Help,
                _ => match parse_one(name) {
                    UciMessage::Uci => UciCommand::Uci,
                    UciMessage::IsReady => UciCommand::IsReady,
                    UciMessage::UciNewGame => UciCommand::NewGame,
                    UciMessage::Stop => UciCommand::Stop,
                    UciMessage::PonderHit => UciCommand::PonderHit,
                    UciMessage::Quit => UciCommand::Quit,
                    _ => return Ok(None),
                },
            }
        }
    }))
}

/// The error for a word that `command` does not take.
fn unknown_word(command: &'static str) -> impl Fn(&&str) -> InputError {
    move |word| InputError::UnknownWord { command, word: excerpt(word) }
}

fn is_go_word(word: &str) -> bool {
    name_in(NUMBERS, word).or_else(|| name_in(OTHERS, word)).is_some()
}

fn go(rest: &[&str], errors: &mut Vec<InputError>) -> Result<UciCommand, InputError> {
    if let Some(at) = rest.iter().position(|word| word.eq_ignore_ascii_case("perft")) {
        errors.extend(rest[..at].iter().map(unknown_word("perft")));
        return Ok(UciCommand::Perft(plies("perft", &rest[at + 1..], errors)?));
    }
    let (mut limits, mut search_moves) = (Limits::default(), None);
    let mut words = rest.iter().copied().peekable();
    while let Some(word) = words.next() {
        if let Some(name) = name_in(NUMBERS, word) {
            match number(name, &mut words) {
                Ok(value) if set_limit(&mut limits, name, value) => {}
                Ok(value) => errors.push(InputError::OutOfRange { keyword: name, value }),
                Err(error) => errors.push(error),
            }
            continue;
        }
        match name_in(OTHERS, word) {
            Some("infinite") => limits.infinite = true,
            Some("ponder") => limits.ponder = true,
            Some(_) => {
                let moves = search_moves.get_or_insert_with(Vec::new);
                while let Some(word) = words.next_if(|word| !is_go_word(word)) {
                    match word.parse() {
                        Ok(mv) => moves.push(mv),
                        Err(_) => errors.push(InputError::BadSearchMove(excerpt(word))),
                    }
                }
            }
            None => errors.push(unknown_word("go")(&word)),
        }
    }
    Ok(UciCommand::Go(limits, search_moves))
}

/// Sets a limit; `false` for a number that makes no sense.
///
/// A clock may be negative: cutechess sends that when the time is up.
fn set_limit(limits: &mut Limits, name: &str, value: i64) -> bool {
    let count = |value: i64| u32::try_from(value).unwrap_or(u32::MAX);
    let ([white, black], [white_gain, black_gain]) = (&mut limits.time, &mut limits.increment);
    let positive = value.max(0);
    match name {
        "movestogo" | "mate" if value < 1 => return false,
        "wtime" => *white = Some(value),
        "btime" => *black = Some(value),
        "winc" => *white_gain = positive,
        "binc" => *black_gain = positive,
        "movestogo" => limits.moves_to_go = Some(count(value)),
        "mate" => limits.mate = Some(count(value)),
        "depth" => limits.depth = Some(i32::try_from(positive).unwrap_or(i32::MAX)),
        "nodes" => limits.nodes = Some(positive.unsigned_abs()),
        "movetime" => limits.move_time = Some(positive),
        _ => return false,
    }
    true
}

/// The depth that must follow `keyword`, and with which the line ought to end.
fn plies(keyword: &'static str, rest: &[&str], errors: &mut Vec<InputError>) -> Result<u32, InputError> {
    let value = number(keyword, &mut rest.iter().copied().peekable())?;
    errors.extend(rest[1..].iter().map(unknown_word(keyword)));
    u32::try_from(value.min(u32::MAX.into())).map_err(|_| InputError::OutOfRange { keyword, value })
}

/// The number after `keyword`. Another keyword of `go` is not taken for it.
fn number<'a>(keyword: &'static str, words: &mut Peekable<impl Iterator<Item = &'a str>>) -> Result<i64, InputError> {
    let word = words.next_if(|word| !is_go_word(word)).ok_or(InputError::MissingNumber(keyword))?;
    saturating(word).ok_or_else(|| InputError::NotANumber { keyword, value: excerpt(word) })
}

/// A decimal number, clamped to `i64`: an unlimited clock may come as a number of any length. A fraction is dropped:
/// scripts multiply seconds.
fn saturating(word: &str) -> Option<i64> {
    let (whole, fraction) = word.split_once('.').unwrap_or((word, ""));
    let digits = whole.strip_prefix(['+', '-']).unwrap_or(whole);
    if (digits.is_empty() && fraction.is_empty()) || !digits.bytes().chain(fraction.bytes()).all(|b| b.is_ascii_digit())
    {
        return None;
    }
    if digits.is_empty() {
        return Some(0);
    }
    Some(whole.parse().unwrap_or(if word.starts_with('-') { i64::MIN } else { i64::MAX }))
}

fn position(rest: &[&str]) -> Result<PositionCommand, InputError> {
    let is_moves = |word: &&str| word.eq_ignore_ascii_case("moves");
    let (fen, rest) = match rest.split_first() {
        Some((word, rest)) if word.eq_ignore_ascii_case("startpos") => (None, rest),
        Some((word, rest)) if word.eq_ignore_ascii_case("fen") => {
            let fields = rest.iter().position(is_moves).unwrap_or(rest.len());
            (Some(unquoted(&rest[..fields].join(" ")).to_owned()), &rest[fields..])
        }
        other => return Err(InputError::NoPosition(other.map_or_else(String::new, |(word, _)| excerpt(word)))),
    };
    let texts = match rest.split_first() {
        None => rest,
        Some((word, texts)) if is_moves(word) => texts,
        Some((word, _)) => return Err(InputError::UnexpectedWord(excerpt(word))),
    };
    let bad = |number, text| InputError::BadMove { number, text: excerpt(text) };
    let moves = texts.iter().zip(1..).map(|(text, number)| text.parse().map_err(|_| bad(number, text)));
    Ok(PositionCommand { fen, moves: moves.collect::<Result<_, _>>()?, chess960: None })
}

/// A FEN without the quotes that it was copied with.
fn unquoted(fen: &str) -> &str {
    fen.trim_matches(|letter: char| {
        letter.is_whitespace() || "\"'`\u{ab}\u{bb}\u{2018}\u{2019}\u{201c}\u{201d}\u{201e}".contains(letter)
    })
}

/// The name and the raw value of a `setoption` line; `None` without a name.
fn setting(line: &[u8]) -> Option<UciCommand> {
    let mut rest = line;
    while !next_word(&mut rest)?.eq_ignore_ascii_case(b"setoption") {}
    if !next_word(&mut rest)?.eq_ignore_ascii_case(b"name") {
        return None;
    }
    let mut name = Vec::new();
    let mut value = Vec::new();
    while let Some(word) = next_word(&mut rest) {
        if word.eq_ignore_ascii_case(b"value") {
            value = rest.trim_ascii().to_vec();
            break;
        }
        name.push(String::from_utf8_lossy(word));
    }
    (!name.is_empty()).then(|| UciCommand::SetOption(name.join(" "), value))
}

/// `genfens`, from the bytes of its line, since the book's path need not be UTF-8.
fn genfens(line: &[u8]) -> Result<GenFens, GenFensSyntax> {
    let mut rest = line;
    while next_word(&mut rest).is_some_and(|word| !word.eq_ignore_ascii_case(b"genfens")) {}
    GenFens::from_words(iter::from_fn(|| next_word(&mut rest)))
}

/// Removes the first word from `rest`.
fn next_word<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let trimmed = rest.trim_ascii_start();
    let end = trimmed.iter().position(u8::is_ascii_whitespace).unwrap_or(trimmed.len());
    let (word, after) = trimmed.split_at(end);
    *rest = after;
    (!word.is_empty()).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_correct_commands() {
        let word = || "x".to_owned();
        let words = ["go", "perft", "bench", "isready", "d"];
        let mut errors = words.map(|command| InputError::UnknownWord { command, word: word() }).to_vec();
        errors.extend(["wtime", "perft"].map(InputError::MissingNumber));
        errors.extend([
            InputError::UnknownCommand(word()),
            InputError::NotANumber { keyword: "bench", value: word() },
            InputError::OutOfRange { keyword: "mate", value: 0 },
            InputError::BadSearchMove(word()),
            InputError::UnknownOption(word()),
            InputError::PositionTooLong,
            InputError::NoPosition(word()),
        ]);
        for error in errors {
            let example = error.example().unwrap_or_else(|| panic!("{error}"));
            let parsed = parse(example.as_bytes());
            let is_bad_position = matches!(parsed.command, Some(UciCommand::Position(Err(_))));
            assert!(parsed.command.is_some() && !is_bad_position && parsed.errors.is_empty(), "{example}");
        }
    }
}
