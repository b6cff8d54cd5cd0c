//! Standard input that may have no line yet, where there are no threads to wait for it: `main` returns then, and the host
//! calls the exported function `resume` when there are more lines.
#![expect(unsafe_code, reason = "a function is exported by its name")]

use std::{cell::RefCell, ops::ControlFlow};

type Turn = Box<dyn FnMut() -> ControlFlow<()>>;

thread_local! {
    static TURN: RefCell<Option<Turn>> = const { RefCell::new(None) };
}

/// Calls `turn` now, and, until it breaks, whenever the host says that there is input.
pub(crate) fn run_on_input(turn: impl FnMut() -> ControlFlow<()> + 'static) {
    TURN.set(Some(Box::new(turn)));
    resume();
}

/// Returns false if no more input is wanted.
// SAFETY: no other function of that name is linked: it is neither of the C library nor of the standard library.
#[unsafe(no_mangle)]
extern "C" fn resume() -> bool {
    TURN.with_borrow_mut(|turn| {
        if turn.as_mut().is_some_and(|turn| turn().is_break()) {
            *turn = None;
        }
        turn.is_some()
    })
}
