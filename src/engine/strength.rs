//! Playing worse on purpose, and yet like a player.
//!
//! A weaker player sees less and judges less surely. The first is a budget of nodes a move: what lies behind the
//! horizon is overlooked as by anyone who looks less far. The second is a choice among the best few moves by chance,
//! where a move's odds fall exponentially with what it loses by the search's own judgement (the logit model of choice),
//! and a move that loses more than a bound is never taken: no piece that is seen to be hanging is left there, and a
//! mate that is seen is given.

use crate::{clock::HARD_NODE_FACTOR, search::SearchReport, types::Score, util::Rng};

/// How well to play.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Strength {
    /// Nodes a move after which no new iteration begins.
    pub(super) nodes: u64,
    /// How many of the best moves there are to choose from.
    pub(super) candidates: usize,
    /// Centipawns that make a move worse by a factor of e in the odds.
    spread: f64,
    /// Centipawns that a chosen move may lose at most.
    most_loss: i32,
}

/// Elo, and the strength that has it. Between two rows the strength is interpolated, the nodes by their logarithm.
///
/// Every row is measured; `docs/uci.md` says how, and what came of it.
const LADDER: [(i64, Strength); 6] = [
    (1350, Strength { nodes: 180, candidates: 6, spread: 58.0, most_loss: 150 }),
    (1600, Strength { nodes: 680, candidates: 3, spread: 26.0, most_loss: 86 }),
    (1850, Strength { nodes: 1_800, candidates: 3, spread: 20.0, most_loss: 70 }),
    (2100, Strength { nodes: 8_500, candidates: 2, spread: 12.0, most_loss: 40 }),
    (2350, Strength { nodes: 150_000, candidates: 2, spread: 4.0, most_loss: 15 }),
    (2600, Strength { nodes: 500_000, candidates: 2, spread: 3.0, most_loss: 10 }),
];

/// The weakest that can be asked for.
pub(super) const LEAST_ELO: i64 = LADDER[0].0;
/// The strongest that can be asked for: beyond it there is only full strength.
pub(super) const MOST_ELO: i64 = LADDER[LADDER.len() - 1].0;
/// The skill level that means full strength; the others are spread evenly over the range of Elo.
pub(super) const FULL_SKILL: i64 = 20;

impl Strength {
    /// The strength of a player of so much Elo; the nearest there is.
    pub(super) fn of_elo(elo: i64) -> Self {
        let above = LADDER.iter().position(|&(rung, _)| rung > elo).unwrap_or(LADDER.len() - 1).max(1);
        let ((from, low), (to, high)) = (LADDER[above - 1], LADDER[above]);
        let share = ((elo - from) as f64 / (to - from) as f64).clamp(0.0, 1.0);
        let between = |low: f64, high: f64| low + share * (high - low);
        Self {
            nodes: between((low.nodes as f64).ln(), (high.nodes as f64).ln()).exp().round() as u64,
            candidates: between(low.candidates as f64, high.candidates as f64).round() as usize,
            spread: between(low.spread, high.spread),
            most_loss: between(low.most_loss.into(), high.most_loss.into()).round() as i32,
        }
    }

    /// The strength of a skill level; none for full strength.
    pub(super) fn of_skill(level: i64) -> Option<Self> {
        (level < FULL_SKILL).then(|| Self::of_elo(LEAST_ELO + level * (MOST_ELO - LEAST_ELO) / (FULL_SKILL - 1)))
    }

    /// Nodes after which a search is broken off in any case.
    pub(super) fn hard_nodes(&self) -> u64 {
        self.nodes.saturating_mul(HARD_NODE_FACTOR)
    }

    /// The line to play of those found, the best first; none where there are none.
    pub(super) fn choose<'a>(&self, lines: &'a [SearchReport], rng: &mut Rng) -> Option<&'a SearchReport> {
        let best = lines.iter().map(|line| line.score).max()?;
        let odds: Vec<f64> = lines.iter().take(self.candidates).map(|line| self.odds(best, line.score)).collect();
        let mut ticket = uniform(rng) * odds.iter().sum::<f64>();
        let drawn = odds.iter().position(|odds| {
            ticket -= odds;
            ticket < 0.0
        });
        lines.get(drawn.unwrap_or(0))
    }

    /// How likely a move of this score is taken, compared with the best.
    fn odds(&self, best: Score, score: Score) -> f64 {
        let loss = best.0 - score.0;
        let bearable = loss <= self.most_loss && best.is_decisive() == score.is_decisive();
        if loss == 0 {
            1.0
        } else if bearable {
            (-f64::from(loss) / self.spread).exp()
        } else {
            0.0
        }
    }
}

/// A uniform number from 0 to below 1.
fn uniform(rng: &mut Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

/// The lines of the last two iterations that a search reports, from which a complete set is taken in the end.
#[derive(Debug, Default)]
pub(super) struct Lines {
    before: Vec<SearchReport>,
    last: Vec<SearchReport>,
}

impl Lines {
    /// Takes note of a report. Those of an iteration come in order, the best line first; one that was broken off
    /// reports its first line at most.
    pub(super) fn note(&mut self, report: &SearchReport) {
        if report.multipv == 1 {
            let complete = self.last.len() >= self.before.len();
            let last = std::mem::take(&mut self.last);
            if complete {
                self.before = last;
            }
        }
        self.last.push(report.clone());
    }

    /// The lines of the last complete iteration.
    pub(super) fn complete(&self) -> &[SearchReport] {
        if self.last.len() >= self.before.len() { &self.last } else { &self.before }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::tt::Bound;

    fn report(depth: i32, multipv: usize, score: Score) -> SearchReport {
        SearchReport {
            depth,
            seldepth: 1,
            multipv,
            score,
            bound: Bound::Exact,
            nodes: 1,
            time: Duration::ZERO,
            hashfull: 0,
            tbhits: 0,
            pv: Vec::new(),
        }
    }

    fn lines(scores: &[i32]) -> Vec<SearchReport> {
        scores.iter().zip(1..).map(|(&score, multipv)| report(5, multipv, Score(score))).collect()
    }

    /// How often each of the lines is chosen, in a thousand.
    fn frequencies(elo: i64, lines: &[SearchReport]) -> Vec<usize> {
        let mut rng = Rng::new(1);
        let mut counts = vec![0; lines.len()];
        for _ in 0..1000 {
            counts[Strength::of_elo(elo).choose(lines, &mut rng).unwrap().multipv - 1] += 1;
        }
        counts
    }

    #[test]
    fn the_ladder_rises_and_is_joined_smoothly() {
        let mut before = Strength::of_elo(LEAST_ELO - 1000);
        assert_eq!(before, LADDER[0].1);
        for elo in LEAST_ELO..=MOST_ELO + 10 {
            let strength = Strength::of_elo(elo);
            assert!(strength.nodes >= before.nodes && strength.nodes as f64 <= before.nodes as f64 * 1.02 + 1.0);
            assert!(strength.spread <= before.spread && strength.most_loss <= before.most_loss, "{elo}");
            assert!(strength.candidates <= before.candidates && strength.candidates >= 1, "{elo}");
            before = strength;
        }
        for (elo, strength) in LADDER {
            assert_eq!(Strength::of_elo(elo), strength);
        }
        assert_eq!(Strength::of_skill(0), Some(LADDER[0].1));
        assert_eq!(Strength::of_skill(FULL_SKILL - 1), Some(LADDER[LADDER.len() - 1].1));
        assert_eq!(Strength::of_skill(FULL_SKILL), None);
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

    #[test]
    fn an_iteration_that_was_broken_off_is_not_chosen_from() {
        let mut seen = Lines::default();
        for (depth, multipv) in [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1)] {
            seen.note(&report(depth, multipv, Score(0)));
        }
        assert_eq!(seen.complete().iter().map(|line| line.depth).collect::<Vec<_>>(), [2, 2]);
        seen.note(&report(3, 2, Score(0)));
        assert_eq!(seen.complete().iter().map(|line| line.depth).collect::<Vec<_>>(), [3, 3]);
        assert!(Lines::default().complete().is_empty());
    }
}
