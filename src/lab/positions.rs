//! Positions as games reach them, without a single game on disk.

use crate::{movegen::legal_moves, position::Position, util::Rng};

/// Plies after which a random game is cut short: by then most boards are nearly empty.
const MAX_PLIES: usize = 120;
/// Plies at the start of a game that are not recorded, as they are much alike.
const OPENING_PLIES: usize = 8;

/// An endless sequence of positions from games of random legal moves, decided by `seed` alone.
///
/// One position of each game is given, at a random ply, so that no two are neighbors.
///
/// ```
/// # use sleight::lab::positions::random_play;
/// let fens = || random_play(7).take(3).map(|position| position.fen()).collect::<Vec<_>>();
/// assert_eq!(fens(), fens());
/// ```
pub fn random_play(seed: u64) -> impl Iterator<Item = Position> {
    let mut rng = Rng::new(seed);
    std::iter::repeat_with(move || game(&mut rng))
}

/// Plays one game, and stops early where it ends.
fn game(rng: &mut Rng) -> Position {
    let mut position = Position::startpos();
    let plies = OPENING_PLIES + rng.below(MAX_PLIES - OPENING_PLIES);
    for _ in 0..plies {
        let moves = legal_moves(&position);
        let Some(&mv) = moves.get(rng.below(moves.len())) else { break };
        position.play(mv);
    }
    position
}
