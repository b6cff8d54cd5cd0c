//! One thread of a search.

use std::{io, sync::Arc};

use super::{job::Job, search_state::SearchState, shared::Shared, tree::Tree};
use crate::{attacks::Lookup, types::Move};

/// One thread of a lazy SMP search: everything that it writes to but the [`Shared`] state.
pub struct Worker {
    pub(super) tree: Tree,
    pub(super) state: SearchState,
}

impl Worker {
    /// Worker `thread_id` of those that share `shared`.
    ///
    /// # Errors
    /// If there is not enough memory for the histories and the stack.
    pub fn new(shared: Arc<Shared>, thread_id: usize) -> io::Result<Self> {
        Lookup::detect();
        Ok(Self { tree: Tree::new(shared.network.clone())?, state: SearchState::new(shared, thread_id) })
    }

    /// Clears the histories, for a new game.
    pub fn new_game(&mut self) {
        self.tree.histories.clear();
    }

    /// Replaces the shared state.
    pub fn set_shared(&mut self, shared: Arc<Shared>) {
        self.state.shared = shared;
    }

    /// Resets what the previous search left: each worker its own state, the main worker also what all share.
    pub(super) fn begin(&mut self, job: &Job) {
        let Self { tree, state } = self;
        if state.is_main() {
            state.shared.begin();
        }
        tree.begin(job, &state.shared.network);
        state.begin(job, &tree.position);
    }

    /// Makes a move at `ply`, runs `search` on the child, and unmakes the move.
    #[inline(always)]
    pub(super) fn after_move<T>(&mut self, mv: Move, ply: usize, search: impl FnOnce(&mut Self) -> T) -> T {
        self.make(mv, ply);
        let result = search(self);
        self.tree.position.unmake();
        result
    }

    #[inline]
    fn make(&mut self, mv: Move, ply: usize) {
        let Self { tree, state } = self;
        let change = tree.position.change_of(mv);
        state.shared.tt.prefetch(tree.position.tt_key_after(&change));
        let entry = &mut tree.stack[ply];
        entry.mv = Some(mv);
        entry.moved = Some((change.from.0, mv.to()));
        tree.position.make_change(change);
        tree.histories.correction.prefetch(&tree.correction_keys(ply + 1));
        state.counters.nodes += 1;
    }
}
