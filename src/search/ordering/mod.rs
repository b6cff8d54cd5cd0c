//! Move ordering: the move picker, its lists of moves, and the scores of quiet moves.

mod picker;
mod quiet_scorer;
mod scored_moves;

pub(super) use picker::{MovePicker, Stage};
