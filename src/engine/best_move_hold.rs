//! Best moves that are held back until `stop` or `ponderhit`.

use crate::search::{Control, Limits};

/// When the best move of a search may be sent: an infinite one's after `stop`, a pondering one's after `ponderhit` or
/// `stop`, any other's at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct BestMoveHold {
    pub(super) search_id: u64,
    pub(super) infinite: bool,
    pub(super) ponder: bool,
}

impl BestMoveHold {
    pub(super) fn new(search_id: u64, limits: &Limits) -> Self {
        Self { search_id, infinite: limits.infinite, ponder: limits.ponder }
    }

    /// True while only `stop` or `ponderhit` can end the search or release its best move.
    pub(super) fn is_active(self, control: &Control) -> bool {
        let held = self.infinite || self.ponder && !control.is_ponderhit(self.search_id);
        held && !control.is_stopped(self.search_id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_end_by_the_right_command() {
        for (infinite, ponder, [at_once, after_ponderhit]) in [
            (false, false, [true, true]),
            (false, true, [false, true]),
            (true, false, [false, false]),
            (true, true, [false, false]),
        ] {
            let hold = BestMoveHold { search_id: 5, infinite, ponder };
            let control = Control::new();
            assert_eq!(hold.is_active(&control), !at_once);
            control.ponderhit(4);
            control.stop(4);
            assert_eq!(hold.is_active(&control), !at_once, "those were for an earlier search");
            control.ponderhit(5);
            assert_eq!(hold.is_active(&control), !after_ponderhit);
            control.stop(6);
            assert!(!hold.is_active(&control));
        }
    }
}
