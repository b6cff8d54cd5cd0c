//! From what `go` asks for to the limits that a search obeys.

use super::{command::GoRequest, error::GoError};
use crate::{notation::UciMove, position::Position, search::Limits, types::Move};

/// The limits of a search of `position`, and what of the request was skipped.
pub(super) fn resolve(request: GoRequest, position: &Position) -> (Limits, Vec<GoError>) {
    let GoRequest { mut limits, search_moves } = request;
    let mut errors = Vec::new();
    if let Some(wanted) = search_moves {
        limits.search_moves = legal_search_moves(position, &wanted, &mut errors);
    }
    (limits, errors)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn illegal_search_moves_are_skipped() {
        let legal = |moves: &[&str]| {
            let wanted = Some(moves.iter().map(|mv| mv.parse().unwrap()).collect());
            let request = GoRequest { search_moves: wanted, ..GoRequest::default() };
            let (limits, errors) = resolve(request, &Position::startpos());
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
