//! Whole games and analyses with python-chess, a client that checks every word. `make test` installs it; without it
//! this test says so and passes.

use std::{path::Path, process::Command};

#[test]
fn python_chess_plays_whole_games() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pythons = [".venv/bin/python", ".venv/Scripts/python.exe"].map(|python| root.join(python));
    let Some(python) = pythons.iter().find(|python| python.exists()) else {
        println!("skipped: no python-chess in .venv; `make test` installs it");
        return;
    };
    let script = root.join("tests/python/play_game.py");
    let output = Command::new(python).arg(script).arg(env!("CARGO_BIN_EXE_sleight")).output().unwrap();
    println!("{}", String::from_utf8_lossy(&output.stdout));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
