//! The continuation, to be shown, of a principal variation (PV) that the search (`stack`) has cut short.

use super::{report::Line, shared::Shared};
use crate::{
    eval::evaluate,
    movegen::{is_legal, legal_moves},
    nnue::AccumulatorStack,
    outcome::Outcome,
    position::Position,
    types::{Bound, Move, Score},
};

impl Shared {
    /// Continues the PVs of the lines of `root` by the moves of the TT, each to the depth of its iteration or to its
    /// mate, as long as they are legal, repeat no position and do not end the game otherwise than the score says. A
    /// fail high leaves a PV of one move, and a draw ends it. After a search of two plies or more there is a reply even
    /// where the TT has none: the one with the best evaluation. No line goes on after the end of the game.
    // CITE: Stockfish - the reply to ponder on from the TT; the longer continuation is our own.
    pub fn complete_pvs(&self, root: &Position, lines: &mut [Line]) {
        let has_replies = lines.iter().any(|line| line.depth >= 2);
        lines.iter_mut().for_each(|line| self.complete_pv(root, line, has_replies));
    }

    fn complete_pv(&self, root: &Position, line: &mut Line, has_replies: bool) {
        let to_mate = line.score.is_mate().then_some((Score::MATE.0 - line.score.0.abs()) as usize);
        let end = self.continue_pv(root, line, to_mate, has_replies);
        match end.outcome() {
            Some(Outcome::Draw) => line.is_draw |= line.score == Score::ZERO && line.bound == Bound::Exact,
            // The bound was the mate of another line, which is this one's as well.
            Some(_) if to_mate == Some(line.pv.len()) => line.bound = Bound::Exact,
            _ => {}
        }
    }

    /// Returns the position at the end of the line.
    fn continue_pv(&self, root: &Position, line: &mut Line, to_mate: Option<usize>, has_replies: bool) -> Position {
        let plies = to_mate.unwrap_or(usize::try_from(line.depth).unwrap_or_default().max(2));
        let mut position = root.clone();
        line.pv.iter().for_each(|&mv| position.make(mv));
        while line.pv.len() < plies {
            let needs_reply = line.pv.len() == 1 && has_replies;
            // To a move that repeats a position for the first time there is a reply, to one that ends the game none.
            if position.is_draw(if needs_reply { 0 } else { line.pv.len() }) {
                return position;
            }
            let (score, length) = (line.score, line.pv.len() + 1);
            let fits = |mv| {
                let mut after = position.clone();
                after.make(mv);
                match after.outcome() {
                    Some(Outcome::Draw) => score.0.abs() <= 1,
                    Some(_) => to_mate == Some(length),
                    None => needs_reply || !after.is_repetition(length),
                }
            };
            let stored = self.tt.probe(position.tt_key(), 0).and_then(|entry| entry.mv);
            let continuation = stored.filter(|&mv| is_legal(&position, mv) && fits(mv));
            let reply = || if needs_reply { self.best_reply(&position, fits) } else { None };
            let Some(mv) = continuation.or_else(reply) else { return position };
            position.make(mv);
            line.pv.push(mv);
        }
        position
    }

    /// The legal move that fits after which the static evaluation is worst for the opponent; `None` if there is none.
    fn best_reply(&self, position: &Position, fits: impl Fn(Move) -> bool) -> Option<Move> {
        let mut accumulators = AccumulatorStack::new(self.network.clone());
        legal_moves(position).into_iter().filter(|&mv| fits(mv)).min_by_key(|&mv| {
            let mut after = position.clone();
            after.make(mv);
            evaluate(&after, &mut accumulators)
        })
    }
}
