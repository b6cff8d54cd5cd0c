//! Openings as the engine itself plays them: walks through short MultiPV searches, in which each move is drawn at
//! random, the better ones more often.
// CITE: own. A softmax choice among the lines of a MultiPV search is common practice in the making of opening books;
// not measured here against random plies.

use sleight::{
    eval::to_centipawns,
    openings::Openings,
    position::{Position, Setup},
    types::{Move, Score},
    util::Rng,
};

use super::player::Player;

/// The fewest plies of an opening.
pub(super) const MIN_PLIES: u32 = 6;
/// The most plies that an opening is meant to have.
pub(super) const MAX_PLIES: u32 = 16;
/// Moves that are looked at in a position.
const LINES: usize = 6;
/// The loss against the best move that divides a move's odds by e, in centipawns: the softmax temperature.
const TEMPERATURE: f64 = 30.0;
/// The same from [`LATE_PLY`] on, where worse moves would soon unbalance the opening.
const LATE_TEMPERATURE: f64 = 16.0;
const LATE_PLY: u32 = 4;
/// The largest loss of a move that may be drawn, in centipawns.
const MAX_LOSS: i32 = 70;
/// A walk ends where the best score is beyond this, either way, in centipawns.
const MAX_SCORE: i32 = 130;

/// A walk in progress.
pub(super) struct Walk {
    position: Position,
    plies: u32,
}

impl Walk {
    /// A walk from the standard or a Chess960 position.
    pub(super) fn new(openings: &Openings, rng: &mut Rng) -> Self {
        Self { position: openings.draw_start(rng), plies: 0 }
    }

    /// The number of moves made.
    pub(super) fn plies(&self) -> u32 {
        self.plies
    }

    /// The current position, without the history, which the game file does not hold; none if the game is over.
    pub(super) fn opening(&self) -> Option<Position> {
        Setup::from(&self.position).position().ok().filter(|position| position.outcome().is_none())
    }

    /// Makes a move that is drawn from a search of `nodes` soft nodes. Returns false if the walk ends here.
    pub(super) fn step(&mut self, player: &mut Player, nodes: u64, rng: &mut Rng) -> bool {
        player.position_mut().clone_from(&self.position);
        let lines = player.search_lines(nodes, LINES);
        let is_balanced = lines.first().is_some_and(|&(_, best)| to_centipawns(best.0).abs() <= MAX_SCORE);
        let temperature = if self.plies < LATE_PLY { TEMPERATURE } else { LATE_TEMPERATURE };
        match draw(&lines, temperature, rng).filter(|_| is_balanced) {
            Some(mv) => {
                self.position.make(mv);
                self.plies += 1;
                true
            }
            None => false,
        }
    }
}

/// Draws a move of `lines`, best first, with odds of `exp(-loss / temperature)`.
fn draw(lines: &[(Move, Score)], temperature: f64, rng: &mut Rng) -> Option<Move> {
    let &(_, best) = lines.first()?;
    let odds = |score: Score| match to_centipawns(best.0 - score.0) {
        loss if loss > MAX_LOSS => 0.0,
        loss => libm::exp(-f64::from(loss) / temperature),
    };
    let odds: Vec<f64> = lines.iter().map(|&(_, score)| odds(score)).collect();
    lines.get(rng.weighted(&odds)).map(|&(mv, _)| mv)
}

#[cfg(test)]
mod tests {
    use sleight::{movegen::legal_moves, position::Position};

    use super::*;

    #[test]
    fn moves_are_drawn_by_their_loss() {
        let moves = legal_moves(&Position::startpos());
        // 82 internal units are 100 centipawns: losses of 0, 30, 69 and 71.
        let scores = [40, 15, -17, -19];
        let lines: Vec<_> = scores.iter().zip(&moves).map(|(&score, &mv)| (mv, Score(score))).collect();
        let mut rng = Rng::new(3);
        let mut drawn = [0_u32; 4];
        for _ in 0..10_000 {
            let mv = draw(&lines, 30.0, &mut rng).unwrap();
            drawn[lines.iter().position(|&(other, _)| other == mv).unwrap()] += 1;
        }
        // 1 : exp(-1) : exp(-2.3) : nothing, as the last one loses more than 70.
        assert!((6700..7000).contains(&drawn[0]) && (2400..2650).contains(&drawn[1]), "{drawn:?}");
        assert!((620..760).contains(&drawn[2]) && drawn[3] == 0, "{drawn:?}");
        assert_eq!(draw(&[], 30.0, &mut rng), None);
    }
}
