//! The terminal frontend behind a pseudo-terminal. `make test` installs what it needs; without it this test prints that
//! it is skipped, and passes.
#![cfg(unix)]

#[path = "common/python.rs"]
mod python;

#[test]
fn terminal_sessions() {
    python::run("terminal.py");
}
