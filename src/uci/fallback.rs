//! The parser of what the UCI library cannot read, word by word: bad input, and extensions of the protocol.

use std::iter::Peekable;

use super::input::{Input, Keyword, Parsed};
use crate::{
    engine::{Command, GoRequest, InputError, PositionCommand, Setting, SetupError},
    search::Limits,
    types::Color,
    util::excerpt,
};

/// Parses the command `keyword` with the words `rest`. `line` holds the bytes of the whole line.
pub(super) fn read(keyword: Keyword, rest: &[&str], line: &[u8]) -> Parsed {
    let mut errors = Vec::new();
    let input = match keyword {
        Keyword::Go => go(rest, &mut errors),
        Keyword::Position => Some(Input::Engine(Command::Position(position(rest)))),
        Keyword::SetOption => match setting(line) {
            Some(setting) => Some(Input::Engine(Command::SetOption(setting))),
            None => {
                errors.push(InputError::OptionSyntax);
                None
            }
        },
        Keyword::Debug => {
            let on = switch(rest);
            match on {
                Some(_) => errors.extend(unknown_words("debug", &rest[1..])),
                None => errors.push(InputError::DebugSyntax),
            }
            on.map(|on| Input::Engine(Command::Debug(on)))
        }
        Keyword::Register => None,
        Keyword::Perft => plies("perft", rest, &mut errors).map(Input::Perft),
        Keyword::GenFens => match rest.join(" ").parse() {
            Ok(command) => Some(Input::GenFens(command)),
            Err(_) => {
                errors.push(InputError::GenFensSyntax);
                None
            }
        },
        Keyword::Bench if rest.is_empty() => Some(Input::Bench(None)),
        Keyword::Bench => plies("bench", rest, &mut errors).map(|depth| Input::Bench(Some(depth))),
        _ => {
            errors = unknown_words(keyword.name(), rest);
            keyword.alone()
        }
    };
    Parsed { input, errors }
}

fn switch(rest: &[&str]) -> Option<bool> {
    let word = rest.first()?;
    if word.eq_ignore_ascii_case("on") {
        Some(true)
    } else if word.eq_ignore_ascii_case("off") {
        Some(false)
    } else {
        None
    }
}

fn count(value: i64) -> u32 {
    u32::try_from(value.max(0)).unwrap_or(u32::MAX)
}

/// A keyword of `go` that needs a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Limit {
    Time(Color),
    Increment(Color),
    MovesToGo,
    Depth,
    Nodes,
    Mate,
    MoveTime,
    Perft,
}

const LIMITS: [(&str, Limit); 10] = [
    ("wtime", Limit::Time(Color::White)),
    ("btime", Limit::Time(Color::Black)),
    ("winc", Limit::Increment(Color::White)),
    ("binc", Limit::Increment(Color::Black)),
    ("movestogo", Limit::MovesToGo),
    ("depth", Limit::Depth),
    ("nodes", Limit::Nodes),
    ("mate", Limit::Mate),
    ("movetime", Limit::MoveTime),
    ("perft", Limit::Perft),
];

impl Limit {
    pub(super) fn of(word: &str) -> Option<(&'static str, Self)> {
        LIMITS.into_iter().find(|(name, _)| word.eq_ignore_ascii_case(name))
    }

    /// Sets the limit in `limits`; `false` for a number that makes no sense.
    ///
    /// A clock may be negative: cutechess sends that when the time is up.
    pub(super) fn set(self, value: i64, limits: &mut Limits) -> bool {
        match self {
            Self::Time(color) => limits.time[color.index()] = Some(value),
            Self::Increment(color) => limits.increment[color.index()] = value.max(0),
            Self::MovesToGo | Self::Mate if value < 1 => return false,
            Self::MovesToGo => limits.moves_to_go = Some(count(value)),
            Self::Mate => limits.mate = Some(count(value)),
            Self::Depth => limits.depth = Some(i32::try_from(value.max(0)).unwrap_or(i32::MAX)),
            Self::Nodes => limits.nodes = Some(value.max(0).unsigned_abs()),
            Self::MoveTime => limits.move_time = Some(value.max(0)),
            Self::Perft => return false,
        }
        true
    }
}

fn is_go_word(word: &str) -> bool {
    Limit::of(word).is_some() || ["infinite", "ponder", "searchmoves"].iter().any(|w| word.eq_ignore_ascii_case(w))
}

fn go(rest: &[&str], errors: &mut Vec<InputError>) -> Option<Input> {
    let mut request = GoRequest::default();
    let mut words = rest.iter().copied().peekable();
    while let Some(word) = words.next() {
        if let Some((name, limit)) = Limit::of(word) {
            if limit == Limit::Perft {
                let before = rest.len() - 1 - words.count();
                *errors = unknown_words("perft", &rest[..before]);
                return plies("perft", &rest[before + 1..], errors).map(Input::Perft);
            }
            if let Some(value) = number(name, &mut words, errors)
                && !limit.set(value, &mut request.limits)
            {
                errors.push(InputError::OutOfRange { keyword: name, value });
            }
        } else if word.eq_ignore_ascii_case("infinite") {
            request.limits.infinite = true;
        } else if word.eq_ignore_ascii_case("ponder") {
            request.limits.ponder = true;
        } else if word.eq_ignore_ascii_case("searchmoves") {
            let moves = request.search_moves.get_or_insert_default();
            while let Some(word) = words.next_if(|word| !is_go_word(word)) {
                match word.parse() {
                    Ok(mv) => moves.push(mv),
                    Err(_) => errors.push(InputError::BadSearchMove(excerpt(word))),
                }
            }
        } else {
            errors.push(InputError::UnknownWord { command: "go", word: excerpt(word) });
        }
    }
    Some(Input::Go(request))
}

/// The depth that must follow `keyword`, and with which the line ought to end.
fn plies(keyword: &'static str, rest: &[&str], errors: &mut Vec<InputError>) -> Option<u32> {
    let mut words = rest.iter().copied().peekable();
    let depth = number(keyword, &mut words, errors)?;
    errors.extend(unknown_words(keyword, &rest[1..]));
    match u32::try_from(depth.min(u32::MAX.into())) {
        Ok(depth) => Some(depth),
        Err(_) => {
            errors.push(InputError::OutOfRange { keyword, value: depth });
            None
        }
    }
}

/// One error for each of these words, which `command` does not take.
fn unknown_words(command: &'static str, words: &[&str]) -> Vec<InputError> {
    words.iter().map(|word| InputError::UnknownWord { command, word: excerpt(word) }).collect()
}

/// The number after `keyword`. Another keyword of `go` is not taken for it.
fn number<'a>(
    keyword: &'static str,
    words: &mut Peekable<impl Iterator<Item = &'a str>>,
    errors: &mut Vec<InputError>,
) -> Option<i64> {
    let Some(word) = words.next_if(|word| !is_go_word(word)) else {
        errors.push(InputError::MissingNumber(keyword));
        return None;
    };
    let value = saturating(word);
    if value.is_none() {
        errors.push(InputError::NotANumber { keyword, value: excerpt(word) });
    }
    value
}

/// A decimal number, clamped to `i64`: an unlimited clock may come as a number of any length.
fn saturating(word: &str) -> Option<i64> {
    let digits = word.strip_prefix(['+', '-']).unwrap_or(word);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some(word.parse().unwrap_or(if word.starts_with('-') { i64::MIN } else { i64::MAX }))
}

fn position(rest: &[&str]) -> Result<PositionCommand, SetupError> {
    let is_moves = |word: &&str| word.eq_ignore_ascii_case("moves");
    let (fen, rest) = match rest.split_first() {
        Some((word, rest)) if word.eq_ignore_ascii_case("startpos") => (None, rest),
        Some((word, rest)) if word.eq_ignore_ascii_case("fen") => {
            let fields = rest.iter().position(is_moves).unwrap_or(rest.len());
            (Some(rest[..fields].join(" ")), &rest[fields..])
        }
        other => return Err(SetupError::NoPosition(other.map_or_else(String::new, |(word, _)| excerpt(word)))),
    };
    let texts = match rest.split_first() {
        None => rest,
        Some((word, texts)) if is_moves(word) => texts,
        Some((word, _)) => return Err(SetupError::UnexpectedWord(excerpt(word))),
    };
    let moves = texts.iter().zip(1..);
    let moves =
        moves.map(|(text, number)| text.parse().map_err(|_| SetupError::BadMove { number, text: excerpt(text) }));
    Ok(PositionCommand { fen, moves: moves.collect::<Result<_, _>>()?, chess960: None })
}

/// The name and the raw value of a `setoption` line; `None` without a name.
fn setting(line: &[u8]) -> Option<Setting> {
    let mut rest = line;
    while !next_word(&mut rest)?.eq_ignore_ascii_case(b"setoption") {}
    if !next_word(&mut rest)?.eq_ignore_ascii_case(b"name") {
        return None;
    }
    let mut name = Vec::new();
    let mut value = None;
    while let Some(word) = next_word(&mut rest) {
        if word.eq_ignore_ascii_case(b"value") {
            value = Some(rest.trim_ascii().to_vec());
            break;
        }
        name.push(String::from_utf8_lossy(word));
    }
    (!name.is_empty()).then(|| Setting { name: name.join(" "), value })
}

/// Removes the first word from `rest`.
fn next_word<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let trimmed = rest.trim_ascii_start();
    let end = trimmed.iter().position(u8::is_ascii_whitespace).unwrap_or(trimmed.len());
    let (word, after) = trimmed.split_at(end);
    *rest = after;
    (!word.is_empty()).then_some(word)
}
