//! What a position is worth without searching.

use crate::{nnue::Accumulators, position::Position, types::Score};

/// The static evaluation for the side to move. `accumulators` have followed `position`.
#[inline]
pub fn evaluate(position: &Position, accumulators: &mut Accumulators) -> Score {
    Score(accumulators.evaluate(position)).clamp_eval()
}

/// The chances of winning, drawing and losing at a score, in permille.
///
/// Win and loss are logistic curves, half won at 130 centipawns. The two numbers reproduce what 38,000 positions of
/// self-play at 1,200 nodes a move came to: the side ahead scored 69 % at 100 to 149 centipawns and 88 % at 200 to 399.
///
/// ```
/// # use sleight::{eval::win_draw_loss, types::Score};
/// assert_eq!(win_draw_loss(Score(0)), [269, 462, 269]);
/// assert_eq!(win_draw_loss(Score::mate_in(3)), [1000, 0, 0]);
/// ```
pub fn win_draw_loss(score: Score) -> [u32; 3] {
    const HALF_WON: f64 = 130.0;
    const STEEPNESS: f64 = 130.0;
    if score.is_decisive() {
        return if score.is_win() { [1000, 0, 0] } else { [0, 0, 1000] };
    }
    let chance = |ahead: i32| (1000.0 / (1.0 + ((HALF_WON - f64::from(ahead)) / STEEPNESS).exp())).round() as u32;
    let (win, loss) = (chance(score.0), chance(-score.0));
    [win, 1000 - win - loss, loss]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::Network;

    fn value(fen: &str) -> Score {
        let position = Position::from_fen(fen).unwrap();
        evaluate(&position, &mut Accumulators::new(Network::embedded(), &position))
    }

    #[test]
    fn chances_add_up_and_grow_with_the_score() {
        let mut last = 0;
        for points in (-3000..=3000).step_by(10) {
            let [win, draw, loss] = win_draw_loss(Score(points));
            assert_eq!(win + draw + loss, 1000);
            assert_eq!([loss, draw, win], win_draw_loss(Score(-points)));
            assert!(win >= last);
            last = win;
        }
    }

    #[test]
    fn colors_are_treated_alike() {
        assert_eq!(value("4k3/2p5/8/8/3N4/8/PP6/4K2R w - - 0 1"), value("4k2r/pp6/8/3n4/8/8/2P5/4K3 b - - 0 1"));
    }

    /// No network that deserves to be embedded fails to see these.
    #[test]
    fn more_men_are_worth_more() {
        let start = value("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        let queen_up = value("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        let queen_down = value("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1");
        assert!(start.0.abs() < 150, "{start:?}");
        assert!(queen_up.0 > 400 && queen_down.0 < -400, "{queen_up:?} {queen_down:?}");
    }
}
