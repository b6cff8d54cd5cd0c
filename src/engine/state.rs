//! The states of the engine thread, and every transition between them.

use std::mem;

use super::{
    best_move_hold::BestMoveHold,
    ongoing_search::{FinishedSearch, OngoingSearch},
};

/// The activity of the engine thread.
///
/// ```text
/// Idle ── Start ──► Searching ── Finish ──► Holding ── Release ──► Idle
/// Idle ── Finish ─────────────────────────► Holding      (nothing to search)
/// Idle ── StartTask ──► Working ── EndTask ──► Idle
/// ```
#[derive(Debug, Default)]
pub(super) enum State {
    /// Commands are executed as they come.
    #[default]
    Idle,
    /// The search threads are at work.
    Searching(Box<OngoingSearch>),
    /// The best move is known and is sent as soon as its [`BestMoveHold`] is over.
    Holding(FinishedSearch),
    /// The task of this number runs in its own thread.
    Working(u64),
}

/// A cause of a transition.
#[derive(Debug)]
pub(super) enum Step {
    /// The search threads have been started.
    Start(Box<OngoingSearch>),
    /// The last search thread is done, or there was nothing to search.
    Finish(FinishedSearch),
    /// The best move has been sent.
    Release,
    /// The task of this number has been started.
    StartTask(u64),
    /// The task is done.
    EndTask,
}

impl State {
    /// The transition function: no other code assigns a state. A step that does not fit the state changes nothing.
    pub(super) fn step(&mut self, step: Step) {
        *self = match (mem::take(self), step) {
            (Self::Idle, Step::Start(search)) => Self::Searching(search),
            (Self::Idle | Self::Searching(_), Step::Finish(finished)) => Self::Holding(finished),
            (Self::Holding(_), Step::Release) | (Self::Working(_), Step::EndTask) => Self::Idle,
            (Self::Idle, Step::StartTask(id)) => Self::Working(id),
            (state, step) => {
                log::error!("no transition from {state:?} by {step:?}");
                state
            }
        };
    }

    pub(super) fn is_idle(&self) -> bool {
        matches!(self, Self::Idle)
    }

    /// True from `go` to `bestmove`.
    pub(super) fn is_searching(&self) -> bool {
        self.hold().is_some()
    }

    /// The hold of the search in progress, if there is one.
    pub(super) fn hold(&self) -> Option<BestMoveHold> {
        match self {
            Self::Searching(search) => Some(search.hold()),
            Self::Holding(finished) => Some(finished.hold),
            Self::Idle | Self::Working(_) => None,
        }
    }

    /// The number of the search or task in progress, if there is one.
    pub(super) fn search_id(&self) -> Option<u64> {
        match self {
            Self::Working(id) => Some(*id),
            _ => self.hold().map(|hold| hold.search_id),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Limits;

    fn finished() -> FinishedSearch {
        FinishedSearch { hold: BestMoveHold::new(1, &Limits::default()), report: None }
    }

    #[test]
    fn every_other_step_changes_nothing() {
        let name = |state: &State| match state {
            State::Idle => "idle",
            State::Searching(_) => "searching",
            State::Holding(_) => "holding",
            State::Working(_) => "working",
        };
        let after = |state: State, step: Step| {
            let mut state = state;
            state.step(step);
            name(&state)
        };
        assert_eq!(after(State::Idle, Step::Finish(finished())), "holding");
        assert_eq!(after(State::Idle, Step::StartTask(1)), "working");
        assert_eq!(after(State::Idle, Step::Release), "idle");
        assert_eq!(after(State::Idle, Step::EndTask), "idle");
        assert_eq!(after(State::Holding(finished()), Step::Release), "idle");
        assert_eq!(after(State::Holding(finished()), Step::Finish(finished())), "holding");
        assert_eq!(after(State::Holding(finished()), Step::StartTask(2)), "holding");
        assert_eq!(after(State::Holding(finished()), Step::EndTask), "holding");
        assert_eq!(after(State::Working(1), Step::EndTask), "idle");
        assert_eq!(after(State::Working(1), Step::Finish(finished())), "working");
        assert_eq!(after(State::Working(1), Step::Release), "working");
        assert_eq!(after(State::Working(1), Step::StartTask(2)), "working");
    }
}
