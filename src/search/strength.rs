//! Limited strength: `UCI_LimitStrength`, `UCI_Elo` and `Skill Level`.
//!
//! A weaker player searches less and chooses at random among good moves. The first is a node limit per move. The
//! second is a random choice among the best few lines of a MultiPV search, in which a move's odds fall exponentially
//! with its loss against the best (a softmax, or logit, choice), and a move that loses more than a bound is never
//! played. A mate that the search sees is played.
// CITE: own; the Elo of each row was measured against Stockfish 15.1, or down from there (docs/notes/levels.md).

use super::{
    limits::hard_node_limit,
    report::{Line, SearchReport},
};
use crate::{
    eval,
    position::Position,
    types::{PieceType, Score},
    util::Rng,
};

/// How strong to play, if not at full strength.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Strength {
    /// Soft node limit per move: no iteration begins after it.
    pub(super) nodes: u64,
    /// Number of best lines (MultiPV) to choose from.
    pub(super) candidates: usize,
    /// Loss that divides a move's odds by e, in internal units: the softmax temperature.
    spread: f64,
    /// Largest loss of a move that may be chosen, in internal units.
    max_loss: i32,
}

/// Elo and the strength that has it. Between two rows the strength is interpolated, the nodes by their logarithm.
///
/// Every row was measured; `docs/notes/levels.md` says how, and with what result.
const STRENGTH_BY_ELO: [(i64, Strength); 10] = [
    (800, Strength { nodes: 10, candidates: 10, spread: 131.0, max_loss: 280 }),
    (950, Strength { nodes: 15, candidates: 9, spread: 108.0, max_loss: 240 }),
    (1100, Strength { nodes: 30, candidates: 8, spread: 86.0, max_loss: 200 }),
    (1225, Strength { nodes: 65, candidates: 7, spread: 72.0, max_loss: 175 }),
    (1350, Strength { nodes: 150, candidates: 6, spread: 60.0, max_loss: 150 }),
    (1600, Strength { nodes: 350, candidates: 5, spread: 42.0, max_loss: 118 }),
    (1850, Strength { nodes: 950, candidates: 4, spread: 27.0, max_loss: 86 }),
    (2100, Strength { nodes: 4_500, candidates: 2, spread: 14.0, max_loss: 46 }),
    (2350, Strength { nodes: 35_000, candidates: 2, spread: 7.0, max_loss: 24 }),
    (2600, Strength { nodes: 250_000, candidates: 2, spread: 3.0, max_loss: 10 }),
];

/// The least soft node limit in a won elementary ending: mates with queen, rook and two bishops take fewer.
const KNOWN_WIN_NODES: u64 = 2_000;

/// The same at full strength with bishop and knight.
const BISHOP_AND_KNIGHT_NODES: u64 = 20_000;

/// Minimum of `UCI_Elo`.
pub(crate) const MIN_ELO: i64 = STRENGTH_BY_ELO[0].0;
/// Maximum of `UCI_Elo`: beyond it there is only full strength.
pub(crate) const MAX_ELO: i64 = STRENGTH_BY_ELO[STRENGTH_BY_ELO.len() - 1].0;
/// The `Skill Level` of full strength; the others are spread evenly over the range of Elo.
pub(crate) const FULL_SKILL: i64 = 20;

impl Strength {
    /// The strength of a player of this Elo, clamped to the range of the table.
    pub fn of_elo(elo: i64) -> Self {
        let above = STRENGTH_BY_ELO.iter().position(|&(row, _)| row > elo).unwrap_or(STRENGTH_BY_ELO.len() - 1).max(1);
        let ((from, low), (to, high)) = (STRENGTH_BY_ELO[above - 1], STRENGTH_BY_ELO[above]);
        let share = ((elo - from) as f64 / (to - from) as f64).clamp(0.0, 1.0);
        let between = |low: f64, high: f64| low + share * (high - low);
        Self {
            nodes: libm::exp(between(libm::log(low.nodes as f64), libm::log(high.nodes as f64))).round() as u64,
            candidates: between(low.candidates as f64, high.candidates as f64).round() as usize,
            spread: between(low.spread, high.spread),
            max_loss: between(low.max_loss.into(), high.max_loss.into()).round() as i32,
        }
    }

    /// The strength of a `Skill Level`; `None` for full strength.
    pub(crate) fn of_skill(level: i64) -> Option<Self> {
        (level < FULL_SKILL).then(|| Self::of_elo(MIN_ELO + level * (MAX_ELO - MIN_ELO) / (FULL_SKILL - 1)))
    }

    /// The strength in this position. Where an elementary ending is won, every move wins, and a random choice would
    /// undo the progress of the move before: the best of enough nodes is played, as any player knows these mates.
    pub(super) fn in_position(self, position: &Position) -> Self {
        if eval::is_known_win(position.board()) {
            Self { nodes: self.nodes.max(KNOWN_WIN_NODES), candidates: 1, ..self }
        } else {
            self
        }
    }

    /// Draws the line to play; `lines` are sorted, the best first.
    pub(crate) fn choose<'a>(&self, lines: &'a [Line], rng: &mut Rng) -> Option<&'a Line> {
        // Of no move that gives away the result by the tablebases; among others, as if there were no tablebases.
        let order = lines.iter().map(|line| line.tablebase_order).max()?;
        let lines = lines.split(|line| line.tablebase_order != order).next()?;
        let best = lines.iter().map(|line| line.searched_score).max()?;
        let odds: Vec<f64> =
            lines.iter().take(self.candidates).map(|line| self.odds(best, line.searched_score)).collect();
        lines.get(rng.weighted(&odds))
    }

    /// The odds of a move with this score, relative to the best move's.
    fn odds(&self, best: Score, score: Score) -> f64 {
        let loss = best.0 - score.0;
        let acceptable = loss <= self.max_loss && best.is_decisive() == score.is_decisive();
        if loss == 0 {
            1.0
        } else if acceptable {
            libm::exp(-f64::from(loss) / self.spread)
        } else {
            0.0
        }
    }
}

/// The soft node limit of full strength in a won elementary ending; `None` in other positions. The deeper a search, the
/// more ways it sees to what the evaluation prefers, and most of them take longer: docs/notes/strength.md.
pub(super) fn known_win_nodes(position: &Position) -> Option<u64> {
    let board = position.board();
    let has = |piece_type| !board.pieces(board.side_to_move(), piece_type).is_empty();
    let is_slow = board.occupied().len() == 4 && has(PieceType::Bishop) && has(PieceType::Knight);
    let nodes = if is_slow { BISHOP_AND_KNIGHT_NODES } else { KNOWN_WIN_NODES };
    eval::is_known_win(board).then_some(nodes)
}

/// The lines to choose from: those of the last iteration that a search within the level's node limits would have
/// completed. An analysis goes on after it.
#[derive(Debug, Default)]
pub(crate) struct Candidates {
    /// The lines, the best first; none if not even the first iteration was completed.
    pub(crate) lines: Vec<Line>,
    /// True once the limits are reached.
    is_final: bool,
}

impl Candidates {
    /// Takes in a report of the search.
    pub(crate) fn push(&mut self, report: &SearchReport, strength: &Strength) {
        let is_late = report.nodes > hard_node_limit(strength.nodes) && !self.lines.is_empty();
        if self.is_final || is_late || !report.is_complete() {
            return;
        }
        self.lines.clone_from(&report.lines);
        self.is_final = report.nodes >= strength.nodes;
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::types::{Bound, Depth};

    /// Lines with these scores, which are told apart by their seldepth.
    fn lines(scores: &[i32]) -> Vec<Line> {
        let line = |(&score, seldepth)| Line::new(5, seldepth, Score(score), Bound::Exact, vec![]);
        scores.iter().zip(1..).map(line).collect()
    }

    /// How often each of the lines is chosen out of 1000 times.
    fn frequencies(elo: i64, lines: &[Line]) -> Vec<usize> {
        let mut rng = Rng::new(1);
        let mut counts = vec![0; lines.len()];
        for _ in 0..1000 {
            counts[Strength::of_elo(elo).choose(lines, &mut rng).unwrap().seldepth - 1] += 1;
        }
        counts
    }

    #[test]
    fn strength_rises_with_elo_and_is_joined_smoothly() {
        let mut before = Strength::of_elo(MIN_ELO - 1000);
        assert_eq!(before, STRENGTH_BY_ELO[0].1);
        for elo in MIN_ELO..=MAX_ELO + 10 {
            let strength = Strength::of_elo(elo);
            assert!(strength.nodes >= before.nodes && strength.nodes as f64 <= before.nodes as f64 * 1.02 + 1.0);
            assert!(strength.spread <= before.spread && strength.max_loss <= before.max_loss, "{elo}");
            assert!(strength.candidates <= before.candidates && strength.candidates >= 1, "{elo}");
            before = strength;
        }
        for (elo, strength) in STRENGTH_BY_ELO {
            assert_eq!(Strength::of_elo(elo), strength);
        }
        assert_eq!(Strength::of_skill(0), Some(STRENGTH_BY_ELO[0].1));
        assert_eq!(Strength::of_skill(FULL_SKILL - 1), Some(STRENGTH_BY_ELO[STRENGTH_BY_ELO.len() - 1].1));
        assert_eq!(Strength::of_skill(FULL_SKILL), None);
    }

    #[test]
    fn a_won_elementary_ending_is_left_to_the_best_line() {
        let strength = |elo, fen: &str| Strength::of_elo(elo).in_position(&Position::from_fen(fen).unwrap());
        let attacking = strength(MIN_ELO, "8/8/8/3k4/8/8/8/KR6 w - - 0 1");
        assert_eq!((attacking.candidates, attacking.nodes), (1, KNOWN_WIN_NODES));
        assert_eq!(strength(MAX_ELO, "8/8/8/3k4/8/8/8/KR6 w - - 0 1").nodes, Strength::of_elo(MAX_ELO).nodes);
        for other in ["8/8/8/3k4/8/8/8/KR6 b - - 0 1", "8/8/8/3k3p/8/8/8/KR6 w - - 0 1"] {
            assert_eq!(strength(MIN_ELO, other), Strength::of_elo(MIN_ELO), "{other}");
        }
    }

    #[test]
    fn nodes_are_limited_in_won_elementary_endings_alone() {
        let nodes = |fen: &str| known_win_nodes(&Position::from_fen(fen).unwrap());
        for (fen, expected) in [
            ("8/8/8/3k4/8/8/8/KR6 w - - 0 1", Some(KNOWN_WIN_NODES)),
            ("8/8/8/3k4/8/8/8/KBB5 w - - 0 1", Some(KNOWN_WIN_NODES)),
            ("8/8/8/3k4/8/8/8/KBBN4 w - - 0 1", Some(KNOWN_WIN_NODES)),
            ("8/8/8/3k4/8/8/8/KBN5 w - - 0 1", Some(BISHOP_AND_KNIGHT_NODES)),
            ("kbn5/8/8/3K4/8/8/8/8 b - - 0 1", Some(BISHOP_AND_KNIGHT_NODES)),
            ("8/8/8/3k4/8/8/8/KR6 b - - 0 1", None),
            ("8/8/8/3k3p/8/8/8/KR6 w - - 0 1", None),
            ("8/8/8/3k4/8/8/1P6/K7 w - - 0 1", None),
        ] {
            assert_eq!(nodes(fen), expected, "{fen}");
        }
    }

    #[test]
    fn worse_moves_are_rarer_and_bad_ones_never_taken() {
        let candidates = lines(&[30, 25, 0, -60, -300]);
        let (weak, strong) = (frequencies(1350, &candidates), frequencies(2600, &candidates));
        assert!(weak[..4].is_sorted_by(|a, b| a >= b) && weak[3] > 20, "{weak:?}");
        assert_eq!(weak[4], 0, "it loses too much");
        assert!(strong[0] > weak[0] && strong[3] == 0, "{strong:?}");
        assert_eq!(frequencies(2600, &lines(&[10, 10, 10]))[2], 0, "of the best two only");
    }

    #[test]
    fn mates_that_are_seen_are_given_and_avoided() {
        let mate = [Score::mate_in(3), Score(900), Score(890)].map(|score| score.0);
        assert_eq!(frequencies(1350, &lines(&mate)), [1000, 0, 0]);
        let mated = [Score(-500), Score::mated_in(4), Score::mated_in(2)].map(|score| score.0);
        assert_eq!(frequencies(1350, &lines(&mated)), [1000, 0, 0]);
        assert!(Strength::of_elo(2000).choose(&[], &mut Rng::new(1)).is_none());
    }

    /// All tablebase wins are reported with the same score: what the search has found tells them apart.
    #[test]
    fn no_result_of_the_tablebases_is_given_away() {
        let orders = [5000, 5000, 5000, 4000, 0];
        let ranked = |(line, tablebase_order)| Line { score: Score::TB_WIN, tablebase_order, ..line };
        let wins: Vec<Line> = lines(&[900, 880, 300, 900, 900]).into_iter().zip(orders).map(ranked).collect();
        let counts = frequencies(1350, &wins);
        assert!(counts[0] > counts[1] && counts[1] > 200, "{counts:?}");
        assert_eq!(counts[2..], [0, 0, 0], "worse, or of a lower rank");
    }

    /// The reports of an analysis go on after the limits; a search within them would have ended.
    #[test]
    fn the_lines_to_choose_from_are_those_within_the_limits() {
        let strength = Strength { nodes: 1_000, ..STRENGTH_BY_ELO[0].1 };
        let chosen_from = |reports: &[(Depth, [Depth; 2], u64)]| {
            let mut candidates = Candidates::default();
            for &(depth, lines, nodes) in reports {
                let line = |depth| Line { depth, ..self::lines(&[0])[0].clone() };
                let (time, lines) = (Duration::ZERO, lines.map(line).to_vec());
                candidates.push(&SearchReport { depth, lines, nodes, time, hashfull: 0, tbhits: 0 }, &strength);
            }
            candidates.lines.first().map(|line| line.depth)
        };
        assert_eq!(chosen_from(&[]), None);
        assert_eq!(chosen_from(&[(0, [1, 1], 200)]), None, "the first iteration is not complete");
        assert_eq!(chosen_from(&[(1, [1, 1], 200), (2, [2, 2], 999), (3, [3, 3], 1500), (4, [4, 4], 2000)]), Some(3));
        assert_eq!(chosen_from(&[(1, [1, 1], 200), (1, [2, 1], 900)]), Some(1), "an aborted iteration");
        assert_eq!(chosen_from(&[(1, [1, 1], 200), (2, [2, 2], 8001)]), Some(1), "it would have been aborted");
        assert_eq!(chosen_from(&[(1, [1, 1], 8001), (2, [2, 2], 9000)]), Some(1));
    }
}
