//! Standard input that may have no line yet, where there are no threads to wait for it: `main` returns then, and the host
//! calls the exported function `resume` when there are more lines.
#![cfg_attr(single_threaded, expect(unsafe_code, reason = "a function is exported by its name"))]

#[cfg(single_threaded)]
use std::cell::RefCell;
use std::ops::ControlFlow;

/// Calls `turn`, which reads to the end of the input.
#[cfg(not(single_threaded))]
pub(crate) fn run_on_input(turn: impl FnOnce() -> ControlFlow<()>) {
    let _at_the_end = turn();
}

#[cfg(single_threaded)]
type Turn = Box<dyn FnMut() -> ControlFlow<()>>;

#[cfg(single_threaded)]
thread_local! {
    static TURN: RefCell<Option<Turn>> = const { RefCell::new(None) };
}

/// Calls `turn` now, and, until it breaks, whenever the host says that there is input.
#[cfg(single_threaded)]
pub(crate) fn run_on_input(turn: impl FnMut() -> ControlFlow<()> + 'static) {
    TURN.set(Some(Box::new(turn)));
    resume();
}

/// Returns false if no more input is wanted.
#[cfg(single_threaded)]
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
