//! A conversation at a terminal, through a pseudo-terminal whose screen is read. `make test` installs what it needs;
//! without it this test says so and passes.
#![cfg(unix)]

#[path = "common/python.rs"]
mod python;

#[test]
fn a_person_is_spoken_to() {
    python::run("terminal.py");
}
