//! Positions from random play, for workloads that need no files.

use sleight::{movegen::legal_moves, position::Position, util::Rng};

/// The most plies of a game: later most boards are nearly empty.
const MAX_PLIES: usize = 120;
/// The fewest plies of a game: earlier positions are much alike.
const MIN_PLIES: usize = 8;

/// An endless sequence of positions from games of random legal moves, determined by `seed`.
///
/// Each is taken from a game of its own at a random ply, or at its end if that comes earlier.
pub(crate) fn random_play(seed: u64) -> impl Iterator<Item = Position> {
    let mut rng = Rng::new(seed);
    std::iter::repeat_with(move || random_game(&mut rng))
}

fn random_game(rng: &mut Rng) -> Position {
    let mut position = Position::startpos();
    let plies = MIN_PLIES + rng.below(MAX_PLIES - MIN_PLIES);
    for _ in 0..plies {
        let moves = legal_moves(&position);
        let Some(&mv) = moves.get(rng.below(moves.len())) else { break };
        position.make(mv);
    }
    position
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seed_determines_the_positions() {
        let fens = |seed| random_play(seed).take(3).map(|position| position.fen()).collect::<Vec<_>>();
        assert_eq!(fens(7), fens(7));
        assert_ne!(fens(7), fens(8));
    }
}
