//! Time management: the soft and hard time limit of a move.
// CITE: akimbo - soft and hard limits, best move's share of nodes; Viridithas - best move's stability; Reckless - score
// trend. Numbers are our own; docs/notes/strength.md, "The clock", has what they were worth.

use std::time::{Duration, Instant};

use super::limits::Limits;
use crate::{params, types::Color};

/// Measures of an iteration by which the soft time limit is scaled.
#[derive(Clone, Copy, Debug)]
pub(super) struct IterationProgress {
    /// Share of the nodes searched below the best move, 0 to 1.
    pub(super) best_move_share: f64,
    /// Iterations since the best move changed.
    pub(super) stable_iterations: u32,
    /// Drop of the score since the previous iteration, in internal units; negative if it rose.
    pub(super) score_drop: i32,
}

/// The time limits of one move.
#[derive(Clone, Debug)]
pub(super) struct Clock {
    start: Instant,
    /// Soft limit: no new iteration is started after it, scaled by [`IterationProgress`].
    soft: Option<Duration>,
    /// Hard limit: the search is aborted at it.
    hard: Option<Duration>,
}

impl Clock {
    /// Allots time for a move of `side`. `start` is the time at which `go` was read; `overhead` is the communication
    /// delay with the GUI, in milliseconds per move.
    pub(super) fn new(limits: &Limits, side: Color, overhead: i64, start: Instant) -> Self {
        let mut clock = Self { start, soft: None, hard: None };
        let millis = |ms: f64| Duration::from_micros((ms.max(0.0) * 1000.0) as u64);
        if let Some(left) = limits.time[side.index()] {
            let (soft, hard) = allot(left, limits.increment[side.index()], limits.moves_to_go, overhead);
            clock.soft = Some(millis(soft));
            clock.hard = Some(millis(hard));
        }
        if let Some(time) = limits.move_time {
            // A fixed time is not scaled, and not reduced by the overhead: the clock is not running out.
            let fixed = millis(time as f64);
            clock.hard = Some(clock.hard.map_or(fixed, |hard| hard.min(fixed)));
        }
        if limits.infinite {
            clock.soft = None;
            clock.hard = None;
        }
        clock
    }

    /// Time since `go` was read.
    #[inline]
    pub(super) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Returns true if the search must be aborted.
    #[inline]
    pub(super) fn is_hard_limit_reached(&self) -> bool {
        self.hard.is_some_and(|hard| self.elapsed() >= hard)
    }

    /// Returns true if no new iteration should be started.
    pub(super) fn is_soft_limit_reached(&self, progress: IterationProgress) -> bool {
        self.soft.is_some_and(|soft| self.elapsed() >= soft.mul_f64(time_factor(progress)))
            || self.is_hard_limit_reached()
    }
}

/// Moves whose loss by overhead less increment is kept on the clock as a reserve.
// CITE: Stockfish - the overhead of fifty moves, or of those to the time control, less their increments.
const RESERVED_MOVES: u32 = 50;
/// The least reserve, in overheads.
const RESERVED_OVERHEADS: i64 = 5;
/// The largest reserve, in milliseconds: a large overhead means a slow connection, not an unreliable machine.
const MAX_RESERVE: i64 = 1000;

/// Soft and hard time limit, in milliseconds.
fn allot(left: i64, increment: i64, moves_to_go: Option<u32>, overhead: i64) -> (f64, f64) {
    // Far beyond any game, and safely inside the range of the arithmetic below.
    const MAX_CLOCK_MS: i64 = 3_200_000_000_000;
    let (left, increment) = (left.clamp(0, MAX_CLOCK_MS), increment.clamp(0, MAX_CLOCK_MS));
    // A reserve beyond the overhead, so that a delay of the machine does not lose the game on time: once the clock is
    // down to the reserve, moves take less than the increment, and it fills up again. Without one, they take no time.
    let overhead = overhead.max(0);
    let moves = i64::from(moves_to_go.unwrap_or(RESERVED_MOVES).clamp(1, RESERVED_MOVES));
    let reserve = (moves * overhead.saturating_sub(increment)).max(RESERVED_OVERHEADS * overhead).min(MAX_RESERVE);
    let left = (left - overhead - reserve).max(1) as f64;
    let increment = increment as f64;
    let (soft, hard) = match moves_to_go {
        Some(moves) => {
            let moves = moves.clamp(1, params::time_cyclic_max_moves() as u32);
            let share = left / f64::from(moves) + permille(params::time_cyclic_increment()) * increment;
            let max_share = if moves > 1 { permille(params::time_cyclic_hard_max()) } else { 1.0 };
            let hard = (permille(params::time_cyclic_hard()) * share).min(left * max_share);
            (permille(params::time_cyclic_soft()) * share, hard)
        }
        None => (
            permille(params::time_soft_share()) * left + permille(params::time_soft_increment()) * increment,
            permille(params::time_hard_share()) * left + permille(params::time_hard_increment()) * increment,
        ),
    };
    // Never plan with all of it: the clock runs while the move is sent.
    let max = permille(params::time_max_share()) * left;
    (soft.min(max), hard.min(max).max(0.5))
}

/// The factor of the soft limit: the product of those by the best move's share of nodes, its stability, and the score
/// trend.
fn time_factor(progress: IterationProgress) -> f64 {
    let slope = permille(params::time_effort_slope());
    let effort = (permille(params::time_effort_base()) - slope * progress.best_move_share)
        .max(permille(params::time_effort_min()));
    let stability = permille(match progress.stable_iterations {
        0 => params::time_stability_0(),
        1 => params::time_stability_1(),
        2 => params::time_stability_2(),
        3 => params::time_stability_3(),
        4 => params::time_stability_4(),
        _ => params::time_stability_5(),
    });
    let max_drop = params::time_trend_max_drop();
    let drop = f64::from(progress.score_drop.clamp(-max_drop, max_drop));
    let trend = (1.0 + drop * permille(params::time_trend()))
        .clamp(permille(params::time_trend_min()), permille(params::time_trend_max()));
    effort * stability * trend
}

fn permille(share: i32) -> f64 {
    f64::from(share) / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_clock_leaves_something() {
        for left in [-5, 0, 1, 10, 100, 1_000, 60_000, 3_600_000, i64::MAX] {
            for increment in [0, 1, 100, 60_000, i64::MAX] {
                for moves in [None, Some(0), Some(1), Some(40), Some(u32::MAX)] {
                    let (soft, hard) = allot(left, increment, moves, 10);
                    let usable = (left as f64 - 10.0).max(1.0);
                    assert!(
                        soft > 0.0 && soft <= usable && hard <= usable && hard > 0.0,
                        "{left} {increment} {moves:?}"
                    );
                }
            }
        }
    }

    /// In a long game with a small increment, the clock settles well above one delay of the machine.
    #[test]
    fn a_reserve_stays_on_the_clock() {
        for (start, increment) in [(1000.0, 10.0), (100.0, 1.0), (500.0, 5.0)] {
            let mut left: f64 = start;
            for _ in 0..200 {
                let (soft, hard) = allot(left as i64, increment as i64, None, 10);
                // Every move takes three times its soft limit, if it may.
                left += increment - (3.0 * soft).min(hard);
            }
            assert!(left > 45.0, "{start}+{increment} settles at {left}");
        }
    }

    /// Without an increment, or with one below the overhead, moves are lost time: the last half second has to last.
    /// With an increment, it is to be used.
    #[test]
    fn the_last_half_second_is_for_moves_at_once() {
        for (left, increment, moves, is_at_once) in [
            (60, 0, None, true),
            (250, 0, None, true),
            (500, 0, None, true),
            (250, 4, None, true),
            (250, 0, Some(30), true),
            (700, 0, None, false),
            (250, 10, None, false),
            (250, 0, Some(3), false),
        ] {
            let (_, hard) = allot(left, increment, moves, 10);
            assert_eq!(hard <= 1.0, is_at_once, "{left} {increment} {moves:?}: {hard}");
        }
    }

    const STABLE: IterationProgress =
        IterationProgress { best_move_share: 1.0, stable_iterations: 9, score_drop: -500 };
    const UNSTABLE: IterationProgress =
        IterationProgress { best_move_share: 0.1, stable_iterations: 0, score_drop: 500 };

    /// The clock of a search that began `millis` milliseconds ago.
    fn clock_after(millis: u64, limits: &Limits) -> Clock {
        Clock::new(limits, Color::White, 10, Instant::now() - Duration::from_millis(millis))
    }

    #[test]
    fn a_fixed_time_is_not_scaled() {
        let limits = Limits { move_time: Some(4000), ..Limits::default() };
        assert!(!clock_after(3000, &limits).is_soft_limit_reached(STABLE), "not even for a stable best move");
        let late = clock_after(4000, &limits);
        assert!(late.is_soft_limit_reached(UNSTABLE) && late.is_hard_limit_reached());
    }

    #[test]
    fn the_soft_limit_is_scaled_and_the_hard_one_is_not() {
        let limits = Limits { time: [Some(100_000), None], ..Limits::default() };
        let (soft, hard) = allot(100_000, 0, None, 10);
        let after = |factor: f64| clock_after((factor * soft) as u64, &limits);
        assert!(!after(0.2).is_soft_limit_reached(STABLE) && after(0.5).is_soft_limit_reached(STABLE));
        assert!(!after(5.0).is_soft_limit_reached(UNSTABLE) && after(6.0).is_soft_limit_reached(UNSTABLE));
        assert!(!after(6.0).is_hard_limit_reached() && clock_after(hard as u64 + 1, &limits).is_hard_limit_reached());
    }

    #[test]
    fn only_the_side_to_move_runs_out_of_time() {
        let limits = Limits { time: [None, Some(0)], ..Limits::default() };
        assert!(!clock_after(1000, &limits).is_hard_limit_reached());
        let infinite = Limits { infinite: true, time: [Some(0), Some(0)], ..Limits::default() };
        assert!(!clock_after(1000, &infinite).is_soft_limit_reached(STABLE));
    }
}
