//! One self-play game, from its opening to its end or adjudication.

use super::{format::GameRecord, options::DatagenOptions, player::Player};
use sleight::{
    outcome::Outcome,
    position::Position,
    search::SearchResult,
    syzygy::{Tablebases, Wdl},
    types::{Color, Move, Score},
    util::Rng,
};

/// Games of this many plies are adjudicated as draws.
const MAX_PLIES: usize = 400;

/// Plays a game from the player's position, of which `result` is a full search. Positions that the tablebases have are
/// adjudicated.
// CITE: playout cap randomization, David Wu (KataGo): most plies are searched for the game's sake only, so that more
// games are played for the same nodes. What it was worth here is in docs/notes/training.md.
pub(super) fn play_game(
    player: &mut Player,
    mut result: SearchResult,
    options: &DatagenOptions,
    tablebases: Option<&Tablebases>,
    rng: &mut Rng,
) -> GameRecord {
    let start = player.position().clone();
    let mut moves = Vec::with_capacity(128);
    let mut adjudicator = Adjudicator::default();
    let mut is_full = true;
    let outcome = loop {
        let Some(mut best) = result.best() else { break Outcome::Draw };
        let is_recorded = options.short_nodes.is_none()
            || is_recordable(player.position(), best, options.first_ply) && rng.below(options.share.into()) == 0;
        if is_recorded && !is_full {
            result = player.search(options.nodes);
            best = result.best().unwrap_or(best);
        }
        let score = white_score(result.score, player.position().side_to_move());
        moves.push((best, is_recorded.then_some(score)));
        if let Some(outcome) = adjudicator.adjudicate(score, player.position().game_ply()) {
            break outcome;
        }
        player.play(best);
        let position = player.position();
        if let Some(outcome) = position.outcome().or_else(|| tablebase_outcome(position, tablebases)) {
            break outcome;
        }
        if moves.len() >= MAX_PLIES {
            break Outcome::Draw;
        }
        result = player.search(options.short_nodes.unwrap_or(options.nodes));
        is_full = options.short_nodes.is_none();
    };
    GameRecord { start, moves, outcome }
}

/// Returns true if the position is quiet, as far as can be told before a full search, and late enough to be recorded.
fn is_recordable(position: &Position, best: Move, first_ply: u32) -> bool {
    position.game_ply() >= first_ply && !position.in_check() && !best.is_capture() && !best.is_promotion()
}

/// A score of the side to move, from White's point of view.
fn white_score(score: Score, side: Color) -> i16 {
    let white = if side == Color::White { score } else { -score };
    white.0.clamp(i16::MIN.into(), i16::MAX.into()) as i16
}

/// The outcome with perfect play, if the tablebases have the position.
fn tablebase_outcome(position: &Position, tablebases: Option<&Tablebases>) -> Option<Outcome> {
    let side = position.side_to_move();
    tablebases?.probe_wdl(position).map(|wdl| match wdl {
        Wdl::Win => Outcome::win(side),
        Wdl::Loss => Outcome::win(!side),
        Wdl::Draw | Wdl::CursedWin | Wdl::BlessedLoss => Outcome::Draw,
    })
}

/// Adjudicates games by their scores.
// CITE: the form of the rules is common practice; wins after four plies as in Viridithas, draws as in Reckless (twelve
// plies, from ply 80).
#[derive(Debug, Default)]
struct Adjudicator {
    /// Consecutive winning scores of the same side: positive for White, negative for Black.
    win_plies: i32,
    /// Consecutive drawish scores.
    draw_plies: u32,
}

impl Adjudicator {
    /// The least winning score, in internal units: the side ahead scores 99.6 % of the points after four of them.
    const WIN_SCORE: i16 = 600;
    const LOSS_SCORE: i16 = -Self::WIN_SCORE;
    /// Consecutive winning scores that adjudicate a win.
    const WIN_PLIES: i32 = 4;
    /// The largest drawish score, in internal units.
    const DRAW_SCORE: u16 = 10;
    /// Consecutive drawish scores that adjudicate a draw.
    const DRAW_PLIES: u32 = 12;
    /// Scores before this ply of the game do not count as drawish.
    const DRAW_FROM_PLY: u32 = 80;

    /// Takes the next score, for White, and the ply of the game at which it was found; returns the outcome if the game
    /// is adjudicated.
    fn adjudicate(&mut self, score: i16, game_ply: u32) -> Option<Outcome> {
        self.win_plies = match score {
            Self::WIN_SCORE.. => self.win_plies.max(0) + 1,
            ..=Self::LOSS_SCORE => self.win_plies.min(0) - 1,
            _ => 0,
        };
        let drawish = score.unsigned_abs() <= Self::DRAW_SCORE && game_ply >= Self::DRAW_FROM_PLY;
        self.draw_plies = if drawish { self.draw_plies + 1 } else { 0 };
        if self.win_plies.abs() >= Self::WIN_PLIES {
            return Some(if self.win_plies > 0 { Outcome::WhiteWins } else { Outcome::BlackWins });
        }
        (self.draw_plies >= Self::DRAW_PLIES).then_some(Outcome::Draw)
    }
}
