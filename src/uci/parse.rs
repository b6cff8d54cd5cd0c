//! Lines of bytes to commands: the only file that knows the UCI library.
//!
//! The library reads what it can; bad input and our own commands go to [`super::fallback`]. Its grammar matches a
//! prefix and silently drops the rest, so a message counts only if it serializes to the words it was read from.

use vampirc_uci::{UciMessage, UciMove as LibraryMove, UciPiece, UciSearchControl, UciTimeControl, parse_one};

use super::{
    fallback::{self, Limit},
    input::{Input, Keyword, Parsed},
};
use crate::{
    engine::{Command, GoRequest, InputError, PositionCommand, Setting},
    notation::UciMove,
    types::{Color, File, PieceType, Rank, Square},
    util::excerpt,
};

/// Longest line for the library, in bytes: it keeps some twenty tokens per move.
const MAX_LIBRARY_LINE: usize = 16 * 1024;

/// Keywords of `go` whose numbers the library keeps in 8 bits.
const NARROW: [&str; 3] = ["depth", "mate", "movestogo"];

/// Parses a line, given without its line end. Every byte string has an answer.
pub(super) fn parse(line: &[u8]) -> Parsed {
    let text = String::from_utf8_lossy(line);
    let words: Vec<&str> = text.split_whitespace().collect();
    let Some((start, keyword)) = command_start(&words) else {
        return Parsed { input: None, errors: unknown_command(&words).into_iter().collect() };
    };
    let (before, words) = words.split_at(start);
    let mut parsed = match by_library(keyword, words, line) {
        Some(input) => Parsed { input: Some(input), errors: Vec::new() },
        None => fallback::read(keyword, &words[1..], line),
    };
    parsed.errors.extend(unknown_command(before));
    parsed
}

/// Where the command starts. The protocol wants unknown words before a command to be skipped; our own commands must
/// come first, so that no word of other text is taken for one.
fn command_start(words: &[&str]) -> Option<(usize, Keyword)> {
    if words.first()?.starts_with('#') {
        return None;
    }
    let keywords = words.iter().map(|word| Keyword::of(word)).enumerate();
    let mut keywords = keywords.filter_map(|(at, keyword)| keyword.map(|keyword| (at, keyword)));
    keywords.find(|&(at, keyword)| at == 0 || keyword.is_protocol())
}

/// The error for words that start no command. Comments are ignored, and so is `xboard`, which Arena sends before `uci`.
fn unknown_command(words: &[&str]) -> Option<InputError> {
    let word = words.first().filter(|word| **word != "xboard" && !word.starts_with('#'))?;
    Some(InputError::UnknownCommand(excerpt(word)))
}

/// The command as the library reads it, if it can do so safely and completely.
fn by_library(keyword: Keyword, words: &[&str], line: &[u8]) -> Option<Input> {
    let text = match keyword {
        // The blanks within an option's value belong to it, and a blank to the library is a space or a tab.
        Keyword::SetOption => {
            let is_plain = |text: &&str| text.chars().all(|c| matches!(c, ' ' | '\t') || !c.is_whitespace());
            str::from_utf8(line).ok().filter(is_plain)?.trim().to_owned()
        }
        _ => words.join(" "),
    };
    // It panics on larger numbers after these keywords, and takes `5movestogo` for `5 movestogo`.
    let is_narrow = |word: &str| NARROW.iter().any(|name| word.to_ascii_lowercase().ends_with(name));
    let fits = words.windows(2).all(|pair| !is_narrow(pair[0]) || pair[1].parse::<u8>().is_ok());
    if !fits || text.len() > MAX_LIBRARY_LINE {
        return None;
    }
    let message = parse_one(&text);
    let is_complete = sorted_words(&message.to_string()) == sorted_words(&text);
    is_complete.then(|| input(keyword, message)).flatten()
}

/// The words in lower case and alphabetical order: the library serializes the limits of `go` in an order of its own.
fn sorted_words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = text.split_whitespace().map(str::to_ascii_lowercase).collect();
    words.sort_unstable();
    words
}

fn input(keyword: Keyword, message: UciMessage) -> Option<Input> {
    Some(match message {
        UciMessage::Uci
        | UciMessage::IsReady
        | UciMessage::UciNewGame
        | UciMessage::Stop
        | UciMessage::PonderHit
        | UciMessage::Quit => keyword.alone()?,
        UciMessage::Debug(on) => Input::Engine(Command::Debug(on)),
        UciMessage::SetOption { name, value } => {
            let name = name.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
            let value = Some(value?.as_bytes().trim_ascii().to_vec());
            Input::Engine(Command::SetOption(Setting { name, value }))
        }
        UciMessage::Position { fen, moves, .. } => {
            let moves = moves.iter().map(uci_move).collect::<Option<_>>()?;
            Input::Engine(Command::Position(Ok(PositionCommand { fen: fen.map(|fen| fen.0), moves, chess960: None })))
        }
        UciMessage::Go { time_control, search_control } => {
            Input::Go(go_request(time_control, search_control.unwrap_or_default())?)
        }
        _ => return None,
    })
}

/// The request, unless a number in it makes no sense.
fn go_request(time_control: Option<UciTimeControl>, search: UciSearchControl) -> Option<GoRequest> {
    let mut request = GoRequest::default();
    let mut numbers = Vec::new();
    match time_control {
        None => {}
        Some(UciTimeControl::Ponder) => request.limits.ponder = true,
        Some(UciTimeControl::Infinite) => request.limits.infinite = true,
        Some(UciTimeControl::MoveTime(time)) => numbers.push((Limit::MoveTime, time.num_milliseconds())),
        Some(UciTimeControl::TimeLeft { white_time, black_time, white_increment, black_increment, moves_to_go }) => {
            let times = [
                (Limit::Time(Color::White), white_time),
                (Limit::Time(Color::Black), black_time),
                (Limit::Increment(Color::White), white_increment),
                (Limit::Increment(Color::Black), black_increment),
            ];
            numbers.extend(times.into_iter().filter_map(|(limit, time)| Some((limit, time?.num_milliseconds()))));
            numbers.extend(moves_to_go.map(|moves| (Limit::MovesToGo, moves.into())));
        }
    }
    numbers.extend(search.depth.map(|depth| (Limit::Depth, depth.into())));
    numbers.extend(search.mate.map(|moves| (Limit::Mate, moves.into())));
    numbers.extend(search.nodes.map(|nodes| (Limit::Nodes, i64::try_from(nodes).unwrap_or(i64::MAX))));
    let moves: Vec<_> = search.search_moves.iter().map(uci_move).collect::<Option<_>>()?;
    request.search_moves = (!moves.is_empty()).then_some(moves);
    numbers.iter().all(|&(limit, value)| limit.set(value, &mut request.limits)).then_some(request)
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
