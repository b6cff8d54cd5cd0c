use super::command::{PositionCommand, SetupError};
use crate::{
    notation::UciMove,
    position::{FenError, FenRepair, Position, Setup},
};

/// Why a position could not be set up.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum GameError {
    /// The command could not be parsed.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The FEN is not valid.
    #[error("bad FEN: {0}")]
    Fen(#[from] FenError),
    /// One of the moves is illegal.
    #[error("move {number}, `{mv}`, is illegal in {fen}")]
    IllegalMove {
        /// Its place in the list, from 1.
        number: usize,
        /// The move.
        mv: UciMove,
        /// The position in which it was to be played, as FEN.
        fen: String,
    },
    /// The last `position` command was refused, so there is nothing to search or show.
    #[error("there is no position, since the last one could not be set up")]
    NoPosition,
}

/// The position after all moves, and the repairs that the FEN needed. Where the command does not say whether it is one
/// of Chess960, `chess960` does.
///
/// # Errors
/// The first thing that is wrong with the FEN or the moves.
pub(crate) fn set_up(setup: &PositionCommand, chess960: bool) -> Result<(Position, Vec<FenRepair>), GameError> {
    let (mut position, repairs) = match &setup.fen {
        None => (Position::startpos(), Vec::new()),
        Some(fen) if setup.chess960.unwrap_or(chess960) => Position::from_fen_with_repairs(fen)?,
        Some(fen) => Position::from_standard_fen_with_repairs(fen)?,
    };
    for (&mv, number) in setup.moves.iter().zip(1..) {
        match mv.find(&position) {
            Some(legal) => position.play(legal),
            None => return Err(GameError::IllegalMove { number, mv, fen: position.fen() }),
        }
    }
    Ok((position, repairs))
}

/// The position with the colors swapped and the board flipped vertically, without the game before it: as if set up from
/// a FEN, to whose range the counters of a long game are clamped.
pub(crate) fn flipped(position: &Position) -> Position {
    let mut setup = Setup::from(position).flipped();
    setup.clamp_counters();
    setup.position().unwrap_or_else(|error| {
        log::error!("{} cannot be flipped: {error}", position.fen());
        position.clone()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(fen: Option<&str>, moves: &[&str]) -> PositionCommand {
        let moves = moves.iter().map(|mv| mv.parse().unwrap()).collect();
        PositionCommand { fen: fen.map(str::to_owned), moves, chess960: None }
    }

    #[test]
    fn either_spelling_of_castling_is_played() {
        for castle in ["e1g1", "e1h1"] {
            let setup = command(None, &["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", castle]);
            let (position, _) = set_up(&setup, false).unwrap();
            let expected = "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 1 4";
            assert_eq!(position.fen(), expected);
        }
    }

    #[test]
    fn errors_say_what_and_where() {
        let error = |setup: &PositionCommand| set_up(setup, false).unwrap_err().to_string();
        let illegal = command(None, &["e2e4", "e7e4"]);
        let after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        assert_eq!(error(&illegal), format!("move 2, `e7e4`, is illegal in {after_e4}"));
        let bad = command(Some("8/8/8/8/8/8/8/8 w - - 0 1"), &[]);
        assert!(error(&bad).starts_with("bad FEN: "));
    }

    /// The longest lists that a client sends, with room to spare.
    #[test]
    fn a_game_may_have_six_hundred_plies() {
        let shuffle: Vec<&str> = ["g1f3", "g8f6", "f3g1", "f6g8"].into_iter().cycle().take(600).collect();
        let setup = command(None, &shuffle);
        let (position, _) = set_up(&setup, false).unwrap();
        assert_eq!((position.halfmove_clock(), position.fullmove_number()), (600, 301));
        let flipped = flipped(&position);
        assert_eq!((flipped.halfmove_clock(), flipped.fullmove_number()), (150, 301));
        assert_eq!(Position::from_fen_with_repairs(&flipped.fen()).unwrap().1, []);
    }

    #[test]
    fn the_command_or_the_option_says_whether_chess960_is_played() {
        let stale = command(Some("4k3/8/8/8/8/8/PPP5/R5K1 w Q - 0 1"), &[]);
        let rights = |chess960, option| {
            let (position, repairs) = set_up(&PositionCommand { chess960, ..stale.clone() }, option).unwrap();
            (position.fen().contains(" w Q "), repairs.len())
        };
        assert_eq!((rights(None, true), rights(None, false)), ((true, 0), (false, 1)));
        assert_eq!((rights(Some(true), false), rights(Some(false), true)), ((true, 0), (false, 1)));
    }
}
