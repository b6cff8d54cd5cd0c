//! Tests in Python: whole games with a client that checks every word, the lines of random searches, the wheel, and the
//! terminal frontend behind a pseudo-terminal. `make test` sets up what they need, and runs them; plain `cargo test` counts them
//! as ignored.

use std::{path::Path, process::Command};

/// Runs a script of `tests/python` with the engine as its argument.
fn run(script: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pythons = [".venv/bin/python", ".venv/Scripts/python.exe"].map(|python| root.join(python));
    let python = pythons.iter().find(|python| python.exists());
    let python = python.expect("there is no .venv; `make test` sets it up");
    let script = root.join("tests/python").join(script);
    let output = Command::new(python).arg(script).arg(env!("CARGO_BIN_EXE_sleight")).output().unwrap();
    println!("{}", String::from_utf8_lossy(&output.stdout));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
#[ignore = "needs .venv: `make test`"]
fn python_chess_plays_whole_games() {
    run("play_game.py");
}

/// Some of the searches that `tests/python/lines.py` can make.
#[test]
#[ignore = "needs .venv: `make test`"]
fn random_searches_have_all_their_lines() {
    run("lines.py");
}

#[test]
#[ignore = "needs .venv: `make test`"]
fn the_wheel_is_installed_and_removed_again() {
    run("wheel.py");
}

#[cfg(unix)]
#[test]
#[ignore = "needs .venv: `make test`"]
fn terminal_sessions() {
    run("terminal.py");
}
