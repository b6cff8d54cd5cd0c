//! The limits of a search, as `go` gives them.

use std::fmt;

use crate::{
    notation::UciMove,
    position::Position,
    types::{Color, Depth, Move},
};

/// The hard node limit that goes with a soft one, as a factor: an iteration begun within the soft limit may take this
/// much more before it is aborted.
// CITE: Viridithas (data generation).
const HARD_NODE_FACTOR: u64 = 8;

/// The least hard node limit that goes with a soft one: the first iteration, of ten lines, took fewer in 99 % of 300
/// positions, and 733 in half of them.
const MIN_HARD_NODES: u64 = 5_000;

/// The hard node limit that goes with a soft one.
pub(super) fn hard_node_limit(nodes: u64) -> u64 {
    nodes.saturating_mul(HARD_NODE_FACTOR).max(MIN_HARD_NODES)
}

/// The limits of one search, as `go` gives them. Of several, the first one reached ends it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Milliseconds left on each side's clock, as given by the GUI: possibly zero or negative.
    pub time: [Option<i64>; Color::COUNT],
    /// Milliseconds each side gains per move.
    pub increment: [i64; Color::COUNT],
    /// Moves to the next time control.
    pub moves_to_go: Option<u32>,
    /// Deepest iteration, in plies.
    pub depth: Option<Depth>,
    /// Most nodes, of all threads together.
    pub nodes: Option<u64>,
    /// Nodes of all threads together after which no new iteration is started; not while infinite or pondering.
    pub soft_nodes: Option<u64>,
    /// Mate in this many moves: no line is searched further, and the search ends once it is found.
    pub mate: Option<u32>,
    /// Milliseconds for this move.
    pub move_time: Option<i64>,
    /// Search until told to stop.
    pub infinite: bool,
    /// Search on the opponent's time until `ponderhit`.
    pub ponder: bool,
    /// Search these root moves only; all if empty.
    pub search_moves: Vec<Move>,
}

impl Limits {
    /// Limits of a search to a fixed depth, in plies.
    pub fn depth(depth: Depth) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// Limits of a search of a fixed number of nodes.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// Limits of a search that begins no iteration after `nodes` nodes, and ends at eight times as many, but not before
    /// 5,000.
    pub fn soft_nodes(nodes: u64) -> Self {
        Self { soft_nodes: Some(nodes), nodes: Some(hard_node_limit(nodes)), ..Self::default() }
    }

    /// Has only those of these moves searched that are legal, or all if none is. Returns the others.
    pub(crate) fn search_only(&mut self, position: &Position, moves: Vec<UciMove>) -> Vec<UciMove> {
        let mut illegal = moves;
        illegal.retain(|wanted| {
            let found = wanted.find(position);
            self.search_moves.extend(found.filter(|mv| !self.search_moves.contains(mv)));
            found.is_none()
        });
        illegal
    }

    /// Limits the nodes of a player of limited strength, or in a won elementary ending: no iteration begins after
    /// `soft` nodes, and one is aborted after [`hard_node_limit`]. An infinite search of `side` stays infinite. A
    /// pondering one is watched, too, and goes on at full depth; once the soft limit is reached, it ends at the
    /// ponderhit.
    pub(super) fn limit_nodes(&mut self, soft: u64, side: Color) {
        self.infinite = self.is_infinite(side);
        self.soft_nodes = self.soft_nodes.into_iter().chain([soft]).min();
        if !self.infinite && !self.ponder {
            self.nodes = self.nodes.into_iter().chain([hard_node_limit(soft)]).min();
        }
    }

    /// Returns true if nothing but the clock of `side` limits the search.
    pub(super) fn is_clock_alone(&self, side: Color) -> bool {
        let nothing_else = matches!(
            self,
            Self {
                depth: None,
                nodes: None,
                soft_nodes: None,
                mate: None,
                move_time: None,
                infinite: false,
                time: _,
                increment: _,
                moves_to_go: _,
                ponder: _,
                search_moves: _,
            }
        );
        nothing_else && self.time[side.index()].is_some()
    }

    /// Returns true if only `stop` ends such a search with `side` to move, once a pondering one has had its ponderhit.
    pub fn is_infinite(&self, side: Color) -> bool {
        let bounded = self.depth.is_some()
            || self.nodes.is_some()
            || self.soft_nodes.is_some()
            || self.mate.is_some()
            || self.move_time.is_some()
            || self.time[side.index()].is_some();
        self.infinite || !bounded
    }
}

/// The command `go`, as it was understood.
impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [white, black] = self.increment.map(|gain| Some(gain).filter(|&gain| gain != 0));
        let numbers = [
            ("wtime", self.time[Color::White.index()]),
            ("btime", self.time[Color::Black.index()]),
            ("winc", white),
            ("binc", black),
            ("movestogo", self.moves_to_go.map(i64::from)),
            ("movetime", self.move_time),
            ("depth", self.depth.map(i64::from)),
            ("nodes", self.nodes.map(u64::cast_signed)),
            ("mate", self.mate.map(i64::from)),
        ];
        f.write_str(if self.infinite { "go infinite" } else { "go" })?;
        f.write_str(if self.ponder { " ponder" } else { "" })?;
        numbers
            .iter()
            .filter_map(|&(name, value)| Some((name, value?)))
            .try_for_each(|(name, value)| write!(f, " {name} {value}"))?;
        f.write_str(if self.search_moves.is_empty() { "" } else { " searchmoves" })?;
        self.search_moves.iter().try_for_each(|mv| write!(f, " {mv}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_stop_ends_an_infinite_search() {
        let opponent_only = Limits { time: [None, Some(1000)], ..Limits::default() };
        assert!(opponent_only.is_infinite(Color::White) && !opponent_only.is_infinite(Color::Black));
        assert!(Limits::default().is_infinite(Color::White));
        assert!(Limits { ponder: true, ..Limits::default() }.is_infinite(Color::White));
        assert!(!Limits { ponder: true, ..opponent_only }.is_infinite(Color::Black));
        assert!(!Limits::depth(3).is_infinite(Color::White));
        assert!(Limits { infinite: true, ..Limits::depth(3) }.is_infinite(Color::White));
    }

    #[test]
    fn limited_strength_ends_no_search_that_is_watched() {
        let limited = |limits: Limits, soft| {
            let mut limited = limits.clone();
            limited.limit_nodes(soft, Color::White);
            assert_eq!(limited.is_infinite(Color::White), limits.is_infinite(Color::White));
            (limited.nodes, limited.soft_nodes)
        };
        assert_eq!(limited(Limits::nodes(10), 950), (Some(10), Some(950)), "the lower of two limits holds");
        assert_eq!(limited(Limits::nodes(u64::MAX), 950), (Some(7600), Some(950)));
        assert_eq!(limited(Limits { soft_nodes: Some(10), ..Limits::depth(9) }, 950), (Some(7600), Some(10)));
        assert_eq!(limited(Limits::depth(9), 10), (Some(5000), Some(10)), "enough for the first iteration");
        for watched in [Limits::default(), Limits { ponder: true, ..Limits::depth(9) }] {
            assert_eq!(limited(watched, 950), (None, Some(950)));
        }
    }
}
