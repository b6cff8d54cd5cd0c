//! Ranks of root moves by their tablebase results, the fifty-move rule and repetitions.

use crate::{position::Position, types::Move};

/// Win, draw or loss (WDL): the result of perfect play for the side to move, with a fifty-move counter of zero.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Wdl {
    /// Loss within the fifty-move rule.
    Loss,
    /// Loss that the fifty-move rule turns into a draw.
    BlessedLoss,
    /// Draw whatever the fifty-move rule.
    Draw,
    /// Win that the fifty-move rule turns into a draw.
    CursedWin,
    /// Win within the fifty-move rule.
    Win,
}

/// With fewer plies to spare under the fifty-move rule, wins with a shorter DTZ rank higher: DTZ values may be
/// off by one, and a search that is short of time may shuffle.
const SPARE_PLIES: i32 = 20;

/// How good the tablebases say that a root move is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct MoveRank {
    /// The greater, the better. Moves of the same order are left to the search.
    pub order: i32,
    /// The result that the move keeps, for the side that makes it.
    pub result: Wdl,
}

impl MoveRank {
    /// Nothing ranks above a mate, however the other wins are ranked.
    pub(super) const MATE: Self = Self { order: BEST + 1, result: Wdl::Win };
    pub(super) const DRAW: Self = Self { order: 0, result: Wdl::Draw };
    const LOSS: Self = Self { order: -1000, result: Wdl::Loss };
}

/// Root moves with their ranks, best first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranking {
    /// The moves; those of one rank are in the order in which they were given.
    pub moves: Vec<(Move, MoveRank)>,
    /// False if a DTZ table was missing: then no rank says which of two wins is the faster one.
    pub has_dtz: bool,
}

/// The order of a win with plies to spare.
const BEST: i32 = 8000;
/// The order of a win that the opponent can make a draw by a threefold repetition: above all cursed wins, since the
/// opponent may miss it, and below all others, whose DTZ is less than 3000.
const REPEATABLE: i32 = 1000;

/// A position whose moves are ranked.
pub(super) struct RankedRoot<'a> {
    pub(super) position: &'a Position,
    fifty_move_rule: bool,
    has_repeated: bool,
}

impl<'a> RankedRoot<'a> {
    pub(super) fn new(position: &'a Position, fifty_move_rule: bool) -> Self {
        Self { position, fifty_move_rule, has_repeated: position.has_repeated() }
    }

    fn clock(&self) -> i32 {
        if self.fifty_move_rule { self.position.halfmove_clock().into() } else { 0 }
    }

    /// The rank of a move to `after`, by the plies to the one that zeroes the fifty-move counter or mates, this move
    /// included: positive in a win, negative in a loss, and 0 in a draw.
    // CITE: Ronald de Man - Syzygy tablebases, and the ranking of root moves by DTZ.
    pub(super) fn by_dtz(&self, plies: i32, after: &Position) -> MoveRank {
        match plies {
            1.. => self.win(plies, after),
            0 => MoveRank::DRAW,
            _ => self.loss(-plies),
        }
    }

    /// The rank of a move to `after` without DTZ tables, by its result with a fifty-move counter of zero: a win counts
    /// as one with plies to spare, and the search has to make progress. What lets a position repeat is no progress.
    // CITE: Stockfish - ranking by WDL where the DTZ tables are missing.
    pub(super) fn by_wdl(&self, result: Wdl, after: &Position) -> MoveRank {
        let is_in_time = |certain| !self.fifty_move_rule || result == certain && !after.is_fifty_move_draw();
        match result {
            Wdl::Win | Wdl::CursedWin if is_in_time(Wdl::Win) => {
                Self::win_unless_threefold(BEST - i32::from(lets_repeat(after)), after)
            }
            Wdl::Win | Wdl::CursedWin => MoveRank { order: 1, result: Wdl::CursedWin },
            Wdl::Draw => MoveRank::DRAW,
            Wdl::Loss | Wdl::BlessedLoss if is_in_time(Wdl::Loss) => MoveRank::LOSS,
            Wdl::Loss | Wdl::BlessedLoss => MoveRank { order: -1, result: Wdl::BlessedLoss },
        }
    }

    /// The rank of a win whose last ply, number `plies` counted from the move to `after`, zeroes the fifty-move counter
    /// or mates; one ply is a move that zeroes it.
    ///
    /// Wins with plies to spare rank equal until a position has repeated. From then on only the shortest is progress:
    /// after a longer one, the only way to win may lead through positions that have occurred twice.
    // CITE: Stockfish; SPARE_PLIES and the rank of moves that let the opponent repeat are our own.
    fn win(&self, plies: i32, after: &Position) -> MoveRank {
        let used = plies + self.clock();
        // A DTZ of one ply is exact; others may be one too low.
        if self.fifty_move_rule && plies > 1 && used > 99 {
            return MoveRank { order: (REPEATABLE - used).clamp(1, REPEATABLE - 1), result: Wdl::CursedWin };
        }
        let may_shuffle = used <= 99 - SPARE_PLIES && !self.has_repeated;
        let order = if may_shuffle { BEST } else { BEST - 2 * plies - i32::from(lets_repeat(after)) };
        Self::win_unless_threefold(order, after)
    }

    /// The rank of a win of this order, or of the draw that it is if the opponent can repeat a position for the third
    /// time.
    fn win_unless_threefold(order: i32, after: &Position) -> MoveRank {
        if after.has_upcoming_repetition(0) {
            MoveRank { order: REPEATABLE, result: Wdl::Draw }
        } else {
            MoveRank { order, result: Wdl::Win }
        }
    }

    /// The rank of a loss in `plies` plies: all that come in time rank equal, and the search finds the longest
    /// defense. A move that zeroes the counter, one ply, is in time whatever the counter.
    fn loss(&self, plies: i32) -> MoveRank {
        let used = plies + self.clock();
        if !self.fifty_move_rule || plies == 1 || used <= 99 {
            return MoveRank::LOSS;
        }
        MoveRank { order: (used - 1000).clamp(-999, -1), result: Wdl::BlessedLoss }
    }
}

/// Returns true if the position has occurred before in the game, or if the side to move can reach one that has.
fn lets_repeat(position: &Position) -> bool {
    const ANY_PLY: usize = usize::MAX;
    position.has_upcoming_repetition(ANY_PLY) || position.is_repetition(ANY_PLY)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::movegen::legal_moves;

    fn game(moves: &str) -> Position {
        let mut position = Position::startpos();
        for text in moves.split_whitespace() {
            let all = legal_moves(&position);
            let mv = all.into_iter().find(|mv| format!("{}{}", mv.from(), mv.to()) == text).unwrap();
            position.make(mv);
        }
        position
    }

    /// A longer win that leaves the repeated positions behind is no progress.
    #[test]
    fn once_a_position_has_repeated_the_shortest_win_is_the_best() {
        let shuffle = "g1f3 g8f6 f3g1 f6g8";
        let (repeated, back) = (game(shuffle), game(&format!("{shuffle} g1f3")));
        let elsewhere = game(&format!("{shuffle} b1c3"));
        let root = RankedRoot::new(&repeated, true);
        assert!(lets_repeat(&back) && !lets_repeat(&elsewhere));
        assert!(root.win(29, &back) > root.win(30, &elsewhere), "a shorter win");
        assert!(root.win(30, &elsewhere) > root.win(30, &back), "of two as short the one that lets nothing repeat");
        let fresh = Position::startpos();
        assert_eq!(RankedRoot::new(&fresh, true).win(29, &back), RankedRoot::new(&fresh, true).win(40, &elsewhere));
    }

    #[test]
    fn a_loss_that_begins_with_a_zeroing_move_is_in_time() {
        let late = Position::from_fen("7k/8/8/8/8/8/8/K7 w - - 99 80").unwrap();
        let root = RankedRoot::new(&late, true);
        assert_eq!((root.loss(1), root.loss(2).result), (MoveRank::LOSS, Wdl::BlessedLoss));
        assert_eq!(RankedRoot::new(&late, false).loss(2), MoveRank::LOSS);
    }
    #[test]
    fn without_dtz_the_fifty_move_rule_decides_what_is_cursed() {
        let [early, late] =
            [0, 100].map(|clock| Position::from_fen(&format!("7k/8/8/8/8/8/R7/K7 b - - {clock} 80")).unwrap());
        let by_wdl = |rule, after, result| RankedRoot::new(&early, rule).by_wdl(result, after).result;
        let all = [Wdl::Loss, Wdl::BlessedLoss, Wdl::Draw, Wdl::CursedWin, Wdl::Win];
        assert_eq!(all.map(|result| by_wdl(true, &early, result)), all);
        let drawn = [Wdl::BlessedLoss, Wdl::BlessedLoss, Wdl::Draw, Wdl::CursedWin, Wdl::CursedWin];
        assert_eq!(all.map(|result| by_wdl(true, &late, result)), drawn);
        let decided = [Wdl::Loss, Wdl::Loss, Wdl::Draw, Wdl::Win, Wdl::Win];
        assert_eq!(all.map(|result| by_wdl(false, &late, result)), decided);
    }
}
