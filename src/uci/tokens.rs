//! Our own reading of a command line, for whatever the library's grammar cannot express or would drop.

use std::iter::Peekable;

use super::input::{Fault, Input, Keyword, Parsed};
use crate::{
    clock::Limits,
    engine::{Command, GoRequest, Setting, Setup, SetupError},
    types::Color,
    util::excerpt,
};

/// Reads the line that starts with `keyword` and goes on with `rest`. `line` holds the bytes as they came.
pub(super) fn read(keyword: Keyword, rest: &[&str], line: &[u8]) -> Parsed {
    let mut faults = Vec::new();
    let input = match keyword {
        Keyword::Go => go(rest, &mut faults),
        Keyword::Position => Some(Input::Engine(Command::Position(position(rest)))),
        Keyword::SetOption => match setting(line) {
            Some(setting) => Some(Input::Engine(Command::SetOption(setting))),
            None => {
                faults.push(Fault::NoOptionName);
                None
            }
        },
        Keyword::Debug => {
            let on = switch(rest);
            faults.extend(on.is_none().then_some(Fault::NoSwitch));
            on.map(|on| Input::Engine(Command::Debug(on)))
        }
        Keyword::Register => None,
        Keyword::Perft => plies("perft", rest, &mut faults).map(Input::Perft),
        Keyword::GenFens => match rest.join(" ").parse() {
            Ok(command) => Some(Input::GenFens(command)),
            Err(error) => {
                faults.push(Fault::GenFens(error));
                None
            }
        },
        Keyword::Bench if rest.is_empty() => Some(Input::Bench(None)),
        Keyword::Bench => plies("bench", rest, &mut faults).map(|depth| Input::Bench(Some(depth))),
        _ => {
            faults = strays(keyword.name(), rest);
            keyword.alone()
        }
    };
    Parsed { input, faults }
}

pub(super) fn switch(rest: &[&str]) -> Option<bool> {
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

/// A word of `go` that a number follows.
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

    /// Writes the limit into `limits`; `false` for a number that cannot be meant.
    ///
    /// A clock may be negative: cutechess sends such, and it means that the move is overdue.
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

fn go(rest: &[&str], faults: &mut Vec<Fault>) -> Option<Input> {
    let mut request = GoRequest::default();
    let mut words = rest.iter().copied().peekable();
    while let Some(word) = words.next() {
        if let Some((name, limit)) = Limit::of(word) {
            if limit == Limit::Perft {
                let before = rest.len() - 1 - words.count();
                *faults = strays("perft", &rest[..before]);
                return plies("perft", &rest[before + 1..], faults).map(Input::Perft);
            }
            if let Some(value) = number(name, &mut words, faults)
                && !limit.set(value, &mut request.limits)
            {
                faults.push(Fault::OutOfRange { keyword: name, value });
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
                    Err(_) => faults.push(Fault::BadSearchMove(excerpt(word))),
                }
            }
        } else {
            faults.push(Fault::UnknownWord { command: "go", word: excerpt(word) });
        }
    }
    Some(Input::Go(request))
}

/// The depth that must follow `keyword`, and with which the line ought to end.
fn plies(keyword: &'static str, rest: &[&str], faults: &mut Vec<Fault>) -> Option<u32> {
    let mut words = rest.iter().copied().peekable();
    let depth = number(keyword, &mut words, faults)?;
    faults.extend(strays(keyword, &rest[1..]));
    match u32::try_from(depth.min(u32::MAX.into())) {
        Ok(depth) => Some(depth),
        Err(_) => {
            faults.push(Fault::OutOfRange { keyword, value: depth });
            None
        }
    }
}

/// Words that mean nothing to `command`.
fn strays(command: &'static str, words: &[&str]) -> Vec<Fault> {
    words.iter().map(|word| Fault::UnknownWord { command, word: excerpt(word) }).collect()
}

/// The number that must follow `keyword`. A word of `go` is not swallowed in its place.
fn number<'a>(
    keyword: &'static str,
    words: &mut Peekable<impl Iterator<Item = &'a str>>,
    faults: &mut Vec<Fault>,
) -> Option<i64> {
    let Some(word) = words.next_if(|word| !is_go_word(word)) else {
        faults.push(Fault::NoNumber(keyword));
        return None;
    };
    let value = saturating(word);
    if value.is_none() {
        faults.push(Fault::BadNumber { keyword, value: excerpt(word) });
    }
    value
}

/// Digits with an optional sign, held within `i64`: an unlimited clock may come as a number of any length.
fn saturating(word: &str) -> Option<i64> {
    let digits = word.strip_prefix(['+', '-']).unwrap_or(word);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some(word.parse().unwrap_or(if word.starts_with('-') { i64::MIN } else { i64::MAX }))
}

fn position(rest: &[&str]) -> Result<Setup, SetupError> {
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
        Some((word, _)) => return Err(SetupError::StrayWord(excerpt(word))),
    };
    let moves = texts.iter().zip(1..);
    let moves =
        moves.map(|(text, number)| text.parse().map_err(|_| SetupError::BadMove { number, text: excerpt(text) }));
    Ok(Setup { fen, moves: moves.collect::<Result<_, _>>()? })
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

/// Takes the first word off `rest`.
fn next_word<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let trimmed = rest.trim_ascii_start();
    let end = trimmed.iter().position(u8::is_ascii_whitespace).unwrap_or(trimmed.len());
    let (word, after) = trimmed.split_at(end);
    *rest = after;
    (!word.is_empty()).then_some(word)
}
