//! One self-play game, from a balanced opening to its end or adjudication.

use super::{
    format::Game,
    player::{PlayError, Player},
};
use sleight::{
    attacks::Sliders,
    openings::Openings,
    position::Position,
    syzygy::{Tablebases, Wdl},
    types::{Color, Outcome, Score},
    util::Rng,
};

/// Games of this many plies are adjudicated as draws.
const MAX_PLIES: usize = 400;

/// Plays a game that is determined by `rng` alone. Positions that the tablebases have are adjudicated.
///
/// # Errors
/// See [`PlayError`].
pub(super) fn play_game<S: Sliders>(
    player: &mut Player<S>,
    openings: &Openings,
    tablebases: Option<&Tablebases>,
    mut rng: Rng,
) -> Result<Game, PlayError> {
    let mut result = player.draw_balanced_opening(openings, &mut rng)?;
    let start = player.position().clone();
    let mut moves = Vec::with_capacity(128);
    let mut adjudicator = Adjudicator::default();
    let outcome = loop {
        let Some(best) = result.best() else { break Outcome::Draw };
        let score = white_score(result.score, player.position().side_to_move());
        moves.push((best, score));
        if let Some(outcome) = adjudicator.adjudicate(score, player.position().game_ply()) {
            break outcome;
        }
        player.position_mut().play(best);
        let position = player.position();
        if let Some(outcome) = position.outcome().or_else(|| tablebase_outcome(position, tablebases)) {
            break outcome;
        }
        if moves.len() >= MAX_PLIES {
            break Outcome::Draw;
        }
        result = player.search();
    };
    Ok(Game { start, moves, outcome })
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
///
/// CITE: the form of the rules is common practice; wins after four plies as in Viridithas, draws as in Reckless (twelve
/// plies, from ply 80).
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

    /// Takes the next score, for White, and the ply of the game at which it was found; returns the outcome if the game is
    /// adjudicated.
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
