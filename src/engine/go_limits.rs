//! From what `go` asks for to the limits that a search obeys.

use super::{command::GoRequest, error::GoError, strength::Strength};
use crate::{
    clock::Limits,
    notation::UciMove,
    position::Position,
    types::{Color, Depth, Move},
};

/// The limits of a search of `position`, and what of the request was skipped.
///
/// This is the only place where the limits of a `go` change on their way to the search threads.
pub(super) fn resolve(request: GoRequest, position: &Position, strength: Option<&Strength>) -> (Limits, Vec<GoError>) {
    let GoRequest { mut limits, search_moves } = request;
    let mut errors = Vec::new();
    if let Some(wanted) = search_moves {
        limits.search_moves = legal_search_moves(position, &wanted, &mut errors);
    }
    // A search of depth 0 must find a move, too.
    let depth = limits.depth.map(|depth| depth.max(1));
    limits.depth = limits.mate.map(max_depth_for_mate).into_iter().chain(depth).min();
    limits.infinite = is_infinite(&limits, position.side_to_move());
    if let Some(strength) = strength {
        // An infinite or pondering search is watched, and goes on at full depth: see `Candidates`.
        limits.soft_nodes = Some(strength.nodes);
        if !limits.infinite && !limits.ponder {
            limits.nodes = limits.nodes.into_iter().chain([strength.hard_nodes()]).min();
        }
    }
    (limits, errors)
}

/// True if only `stop` ends such a search with `side` to move, once a pondering one has had its ponderhit.
pub(super) fn is_infinite(limits: &Limits, side: Color) -> bool {
    Limits { ponder: false, ..limits.clone() }.is_unbounded(side)
}

/// The legal moves among those after `searchmoves`. An empty list means that all moves are searched.
fn legal_search_moves(position: &Position, wanted: &[UciMove], errors: &mut Vec<GoError>) -> Vec<Move> {
    let mut moves = Vec::new();
    let mut illegal = Vec::new();
    for &wanted in wanted {
        match wanted.find(position) {
            Some(mv) if moves.contains(&mv) => {}
            Some(mv) => moves.push(mv),
            None => illegal.push(wanted),
        }
    }
    if let Some((&first, more)) = illegal.split_first() {
        errors.push(GoError::IllegalSearchMoves { first, more: more.len() });
    }
    if moves.is_empty() {
        errors.push(GoError::NoLegalSearchMove);
    }
    moves
}

/// The deepest iteration of a search for a mate in `moves` moves, in plies: a mate that was not found by then is given
/// up.
///
/// A full-width search would prove it at depth `2 * moves - 1`. This one reduces quiet moves, so that a mate with quiet
/// moves in it shows some iterations later: up to 21 in those of two to five moves of `tests/data/mates.epd`.
fn max_depth_for_mate(moves: u32) -> Depth {
    const MARGIN: i64 = 24;
    Depth::try_from(2 * i64::from(moves) + MARGIN).unwrap_or(Depth::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(limits: Limits) -> Limits {
        resolve(GoRequest { limits, search_moves: None }, &Position::startpos(), None).0
    }

    #[test]
    fn a_search_without_an_own_limit_is_infinite() {
        assert!(resolved(Limits::default()).infinite);
        assert!(resolved(Limits { ponder: true, ..Limits::default() }).infinite);
        let theirs = Limits { time: [None, Some(1000)], ..Limits::default() };
        assert!(resolved(theirs).infinite, "the opponent's clock alone does not end it");
        let ours = Limits { time: [Some(1000), None], ponder: true, ..Limits::default() };
        assert!(!resolved(ours).infinite);
        assert!(!resolved(Limits::depth(3)).infinite);
    }

    #[test]
    fn the_lower_of_two_limits_holds() {
        assert_eq!(resolved(Limits::depth(0)).depth, Some(1));
        assert_eq!(resolved(Limits { mate: Some(3), ..Limits::depth(40) }).depth, Some(30));
        assert_eq!(resolved(Limits { mate: Some(u32::MAX), ..Limits::depth(40) }).depth, Some(40));
        let weak = Strength::of_elo(1350);
        let limits = |nodes| {
            let request = GoRequest { limits: Limits::nodes(nodes), search_moves: None };
            resolve(request, &Position::startpos(), Some(&weak)).0
        };
        assert_eq!(limits(10).nodes, Some(10));
        assert_eq!(limits(u64::MAX).nodes, Some(weak.hard_nodes()));
        assert_eq!(limits(10).soft_nodes, Some(weak.nodes));
        for watched in [Limits { infinite: true, ..Limits::default() }, Limits { ponder: true, ..Limits::depth(9) }] {
            let request = GoRequest { limits: watched, search_moves: None };
            assert_eq!(resolve(request, &Position::startpos(), Some(&weak)).0.nodes, None);
        }
    }

    #[test]
    fn illegal_search_moves_are_skipped() {
        let legal = |moves: &[&str]| {
            let wanted = Some(moves.iter().map(|mv| mv.parse().unwrap()).collect());
            let request = GoRequest { search_moves: wanted, ..GoRequest::default() };
            let (limits, errors) = resolve(request, &Position::startpos(), None);
            (limits.search_moves.iter().map(ToString::to_string).collect::<Vec<_>>(), errors)
        };
        let illegal = |more| GoError::IllegalSearchMoves { first: "e2e5".parse().unwrap(), more };
        assert_eq!(legal(&["e2e4", "e2e5", "e2e4"]), (vec!["e2e4".to_owned()], vec![illegal(0)]));
        assert_eq!(legal(&["e2e5", "a1a8", "e2e5"]), (vec![], vec![illegal(2), GoError::NoLegalSearchMove]));
        assert_eq!(illegal(0).to_string(), "skipped `searchmoves e2e5`, illegal here");
        assert_eq!(illegal(2).to_string(), "skipped `searchmoves e2e5` and 2 more, illegal here");
        assert_eq!(legal(&[]), (vec![], vec![GoError::NoLegalSearchMove]));
    }
}
