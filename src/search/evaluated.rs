//! An observer of the positions that searches evaluate, as training data are made of them. Only with the cargo
//! feature `evaluated`: a plain build has no such hook.

use std::cell::RefCell;

use crate::{position::Position, types::Score};

type Observer = Box<dyn FnMut(&Position, Score)>;

thread_local! {
    static OBSERVER: RefCell<Option<Observer>> = const { RefCell::new(None) };
}

/// From now on, `observer` is passed each position that a search of this thread evaluates, none of them in check, with
/// the network's evaluation in internal units for the side to move. A position that the TT has is not evaluated again.
pub fn observe_evaluated(observer: impl FnMut(&Position, Score) + 'static) {
    OBSERVER.set(Some(Box::new(observer)));
}

pub(super) fn observe(position: &Position, evaluation: Score) {
    OBSERVER.with_borrow_mut(|observer| {
        if let Some(observer) = observer {
            observer(position, evaluation);
        }
    });
}
