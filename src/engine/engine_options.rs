//! The values of the options.

use crate::search::{FULL_SKILL, SearchOptions, Strength};

#[derive(Clone, Debug)]
pub(crate) struct EngineOptions {
    /// `Hash`: size of the transposition table, in MiB.
    pub hash: usize,
    /// `Threads`: number of search threads.
    pub threads: usize,
    /// `MultiPV`, `Move Overhead`, `SyzygyProbeDepth`, `SyzygyProbeLimit`, `Syzygy50MoveRule`; neither tablebases nor
    /// strength.
    pub search: SearchOptions,
    /// `debug`: how each `go` was understood is told.
    pub debug: bool,
    /// `UCI_Chess960`: castling is written as king takes rook.
    pub chess960: bool,
    /// `UCI_ShowWDL` and `ShowWDL`: the win, draw and loss chances are shown after each score, if either is set.
    pub show_wdl: [bool; 2],
    /// `Ponder`: the GUI may use `go ponder`. Without effect: the engine ponders whenever it is told to.
    pub ponder: bool,
    /// `UCI_AnalyseMode`: the GUI analyzes, always at full strength.
    pub analyse: bool,
    /// `UCI_LimitStrength`: `elo` limits the strength, whatever `skill` says.
    pub limit_strength: bool,
    /// `UCI_Elo`: the Elo to play at.
    pub elo: i64,
    /// `Skill Level`: 0 to 20, which is full strength.
    pub skill: i64,
}

impl Default for EngineOptions {
    fn default() -> Self {
        Self {
            hash: 16,
            threads: 1,
            search: SearchOptions::default(),
            debug: false,
            chess960: false,
            show_wdl: [false; 2],
            ponder: false,
            analyse: false,
            limit_strength: false,
            elo: 1500,
            skill: FULL_SKILL,
        }
    }
}

impl EngineOptions {
    /// The limit on the strength; `None` for full strength.
    pub(super) fn strength(&self) -> Option<Strength> {
        let limited =
            if self.limit_strength { Some(Strength::of_elo(self.elo)) } else { Strength::of_skill(self.skill) };
        limited.filter(|_| !self.analyse)
    }
}
