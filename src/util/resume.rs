//! Standard input that may have no line yet, where there are no threads to wait for it: `main` returns then, and the
//! host calls the exported function `resume` when there are more lines.
#![cfg_attr(single_threaded, expect(unsafe_code, reason = "a function is exported by its name"))]

#[cfg(single_threaded)]
use std::cell::RefCell;
use std::ops::ControlFlow;

/// Calls `read`, which reads to the end of the input.
#[cfg(not(single_threaded))]
pub(crate) fn run_on_input(read: impl FnOnce() -> ControlFlow<()>) {
    let _at_the_end = read();
}

#[cfg(single_threaded)]
type ReadInput = Box<dyn FnMut() -> ControlFlow<()>>;

#[cfg(single_threaded)]
thread_local! {
    static READ_INPUT: RefCell<Option<ReadInput>> = const { RefCell::new(None) };
}

/// Calls `read` now, and, until it breaks, whenever the host says that there is input.
#[cfg(single_threaded)]
pub(crate) fn run_on_input(read: impl FnMut() -> ControlFlow<()> + 'static) {
    READ_INPUT.set(Some(Box::new(read)));
    resume();
}

/// Returns false if no more input is wanted.
#[cfg(single_threaded)]
// SAFETY: no other function of that name is linked: it is neither of the C library nor of the standard library.
#[unsafe(no_mangle)]
extern "C" fn resume() -> bool {
    READ_INPUT.with_borrow_mut(|read| {
        if read.as_mut().is_some_and(|read| read().is_break()) {
            *read = None;
        }
        read.is_some()
    })
}
