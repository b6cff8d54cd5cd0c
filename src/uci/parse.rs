//! Bytes to commands: the only file that knows the UCI library.
//!
//! The library reads the ordinary lines. Its grammar matches a prefix and silently drops the rest, so every answer is
//! held against the words of the line; and it panics on numbers that do not fit its types, so those never reach it.
//! What it cannot read, or did not read whole, goes to [`super::tokens`].

use vampirc_uci::{UciMessage, UciMove as LibraryMove, UciPiece, UciSearchControl, UciTimeControl, parse_one};

use super::{
    input::{Input, Keyword, Parsed},
    tokens::{self, Limit},
};
use crate::{
    engine::{Command, GoRequest, InputError, Setting, Setup},
    notation::UciMove,
    types::{Color, File, PieceType, Rank, Square},
    util::excerpt,
};

/// A longer line is left to our own reading: the library keeps some twenty tokens for each move.
const LONGEST_FOR_LIBRARY: usize = 16 * 1024;

/// Reads a line without its line end. Every byte string has an answer.
pub(super) fn parse(line: &[u8]) -> Parsed {
    let text = String::from_utf8_lossy(line);
    let words: Vec<&str> = text.split_whitespace().collect();
    let Some((start, keyword)) = command_start(&words) else {
        return Parsed { input: None, errors: unknown(&words).into_iter().collect() };
    };
    let (before, words) = words.split_at(start);
    let fits = text.len() <= LONGEST_FOR_LIBRARY;
    let mut parsed = match fits.then(|| by_library(keyword, words, line)).flatten() {
        Some(input) => Parsed { input: Some(input), errors: Vec::new() },
        None => tokens::read(keyword, &words[1..], line),
    };
    parsed.errors.extend(unknown(before));
    parsed
}

/// Where the command starts. The protocol wants unknown words before a command to be passed over; the commands that
/// are ours alone must come first, lest a word of chatter start one.
fn command_start(words: &[&str]) -> Option<(usize, Keyword)> {
    if words.first()?.starts_with('#') {
        return None;
    }
    let keywords = words.iter().map(|word| Keyword::of(word)).enumerate();
    let mut keywords = keywords.filter_map(|(at, keyword)| keyword.map(|keyword| (at, keyword)));
    keywords.find(|&(at, keyword)| at == 0 || keyword.is_protocol())
}

/// What to say of words that start no command. Nothing of remarks, nor of `xboard`, with which Arena asks every
/// engine for the other protocol first.
fn unknown(words: &[&str]) -> Option<InputError> {
    let word = words.first().filter(|word| **word != "xboard" && !word.starts_with('#'))?;
    Some(InputError::UnknownCommand(excerpt(word)))
}

/// What the library makes of the line, unless it cannot read it safely and whole.
fn by_library(keyword: Keyword, words: &[&str], line: &[u8]) -> Option<Input> {
    let rest = &words[1..];
    let items = match keyword {
        Keyword::Go => go_items(rest)?,
        Keyword::Position | Keyword::SetOption => 0,
        // It would take `only` for `on`.
        Keyword::Debug if tokens::switch(rest).is_some() && rest.len() == 1 => 0,
        Keyword::Uci | Keyword::IsReady | Keyword::NewGame if rest.is_empty() => 0,
        Keyword::Stop | Keyword::PonderHit | Keyword::Quit if rest.is_empty() => 0,
        _ => return None,
    };
    let message = match keyword {
        // The blanks within a value belong to it, and a blank to the library is a space or a tab.
        Keyword::SetOption => {
            let plain = |text: &&str| text.chars().all(|c| matches!(c, ' ' | '\t') || !c.is_whitespace());
            parse_one(str::from_utf8(line).ok().filter(plain)?.trim())
        }
        _ => parse_one(&words.join(" ")),
    };
    match (keyword, message) {
        (Keyword::Uci, UciMessage::Uci)
        | (Keyword::IsReady, UciMessage::IsReady)
        | (Keyword::NewGame, UciMessage::UciNewGame)
        | (Keyword::Stop, UciMessage::Stop)
        | (Keyword::PonderHit, UciMessage::PonderHit)
        | (Keyword::Quit, UciMessage::Quit) => keyword.alone(),
        (Keyword::Debug, UciMessage::Debug(on)) => Some(Input::Engine(Command::Debug(on))),
        (Keyword::SetOption, UciMessage::SetOption { name, value }) => {
            setting(rest, &name, value).map(|setting| Input::Engine(Command::SetOption(setting)))
        }
        (Keyword::Position, UciMessage::Position { startpos, fen, moves }) => {
            let fen = fen.map(|fen| fen.0);
            setup(rest, startpos, fen, &moves).map(|setup| Input::Engine(Command::Position(Ok(setup))))
        }
        (Keyword::Go, UciMessage::Go { time_control, search_control }) => {
            request(items, time_control, search_control).map(Input::Go)
        }
        _ => None,
    }
}

/// The setting, if the library split the words where we would.
fn setting(rest: &[&str], name: &str, value: Option<String>) -> Option<Setting> {
    let mut words = rest.iter().skip(1);
    let same_name = name.split_whitespace().all(|word| words.next().is_some_and(|w| *w == word));
    let same_end = match words.next() {
        Some(word) => word.eq_ignore_ascii_case("value") && value.is_some(),
        None => value.is_none(),
    };
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let value = value.map(|value| value.as_bytes().trim_ascii().to_vec());
    (same_name && same_end).then_some(Setting { name, value })
}

/// The position, if no word was dropped or cut short.
fn setup(rest: &[&str], startpos: bool, fen: Option<String>, moves: &[LibraryMove]) -> Option<Setup> {
    let mut words = rest.iter();
    let keyword = if startpos { "startpos" } else { "fen" };
    let fields = fen.iter().flat_map(|fen| fen.split_whitespace());
    let length = |mv: &LibraryMove| 4 + usize::from(mv.promotion.is_some());
    let whole = words.next()?.eq_ignore_ascii_case(keyword)
        && fields.into_iter().all(|field| words.next() == Some(&field))
        && (moves.is_empty() || words.next()?.eq_ignore_ascii_case("moves"))
        && moves.iter().all(|mv| words.next().is_some_and(|word| word.len() == length(mv)))
        && words.next().is_none();
    let moves = moves.iter().map(uci_move).collect::<Option<_>>()?;
    whole.then_some(Setup { fen, moves })
}

/// The search, if it has as many items as the line.
fn request(
    items: usize,
    time_control: Option<UciTimeControl>,
    search_control: Option<UciSearchControl>,
) -> Option<GoRequest> {
    let mut request = GoRequest::default();
    let mut found = Vec::new();
    match time_control {
        None => {}
        Some(UciTimeControl::Ponder) => request.limits.ponder = true,
        Some(UciTimeControl::Infinite) => request.limits.infinite = true,
        Some(UciTimeControl::MoveTime(time)) => found.push((Limit::MoveTime, time.num_milliseconds())),
        Some(UciTimeControl::TimeLeft { white_time, black_time, white_increment, black_increment, moves_to_go }) => {
            let times = [
                (Limit::Time(Color::White), white_time),
                (Limit::Time(Color::Black), black_time),
                (Limit::Increment(Color::White), white_increment),
                (Limit::Increment(Color::Black), black_increment),
            ];
            found.extend(times.into_iter().filter_map(|(limit, time)| Some((limit, time?.num_milliseconds()))));
            found.extend(moves_to_go.map(|moves| (Limit::MovesToGo, moves.into())));
        }
    }
    let flags = usize::from(request.limits.ponder) + usize::from(request.limits.infinite);
    let search = search_control.unwrap_or_default();
    found.extend(search.depth.map(|depth| (Limit::Depth, depth.into())));
    found.extend(search.mate.map(|moves| (Limit::Mate, moves.into())));
    found.extend(search.nodes.map(|nodes| (Limit::Nodes, i64::try_from(nodes).unwrap_or(i64::MAX))));
    let in_range = found.iter().all(|&(limit, value)| limit.set(value, &mut request.limits));
    let moves: Vec<_> = search.search_moves.iter().map(uci_move).collect::<Option<_>>()?;
    let whole = items == flags + found.len() + moves.len();
    request.search_moves = (!moves.is_empty()).then_some(moves);
    (in_range && whole).then_some(request)
}

/// How many limits and moves follow `go`, if the library can hold them all: its numbers are narrow, and of ponder,
/// infinite, a fixed time and the clocks it keeps only one.
fn go_items(rest: &[&str]) -> Option<usize> {
    let mut seen = Vec::new();
    let mut moves = 0;
    let mut words = rest.iter().peekable();
    while let Some(word) = words.next() {
        if let Some((name, limit)) = Limit::of(word) {
            let (signed, digits, largest) = match limit {
                Limit::Depth | Limit::Mate | Limit::MovesToGo => (false, 3, u8::MAX.into()),
                Limit::Nodes => (false, 12, i64::MAX),
                Limit::Time(_) | Limit::Increment(_) | Limit::MoveTime => (true, 12, i64::MAX),
                Limit::Perft => return None,
            };
            let number = words.next()?;
            let unsigned = if signed { number.strip_prefix(['+', '-']).unwrap_or(number) } else { number };
            let fits = unsigned.len() <= digits && unsigned.bytes().all(|b| b.is_ascii_digit());
            number.parse::<i64>().ok().filter(|value| fits && *value <= largest)?;
            seen.push(name);
        } else if word.eq_ignore_ascii_case("searchmoves") {
            let before = moves;
            while words.next_if(|word| word.parse::<UciMove>().is_ok()).is_some() {
                moves += 1;
            }
            seen.push((moves > before).then_some("searchmoves")?);
        } else {
            seen.push(["ponder", "infinite"].into_iter().find(|name| word.eq_ignore_ascii_case(name))?);
        }
    }
    let clocks = ["wtime", "btime", "winc", "binc", "movestogo"];
    let has = |name| usize::from(seen.contains(&name));
    let controls = has("ponder") + has("infinite") + has("movetime") + usize::from(clocks.iter().any(|c| has(c) > 0));
    let once = seen.iter().enumerate().all(|(at, name)| !seen[..at].contains(name));
    (controls <= 1 && once).then_some(seen.len() - has("searchmoves") + moves)
}

fn uci_move(mv: &LibraryMove) -> Option<UciMove> {
    let square = |square: &vampirc_uci::UciSquare| {
        let rank = Rank::from_index(usize::from(square.rank).checked_sub(1)?)?;
        Some(Square::new(File::from_letter(square.file)?, rank))
    };
    let promotion = match mv.promotion {
        None => None,
        Some(UciPiece::Knight) => Some(PieceType::Knight),
        Some(UciPiece::Bishop) => Some(PieceType::Bishop),
        Some(UciPiece::Rook) => Some(PieceType::Rook),
        Some(UciPiece::Queen) => Some(PieceType::Queen),
        Some(UciPiece::Pawn | UciPiece::King) => return None,
    };
    Some(UciMove { from: square(&mv.from)?, to: square(&mv.to)?, promotion })
}

#[cfg(test)]
mod tests;
