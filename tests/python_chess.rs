//! Whole games and analyses with python-chess, a client that checks every word. `make test` installs it; without it
//! this test says so and passes.

#[path = "common/python.rs"]
mod python;

#[test]
fn python_chess_plays_whole_games() {
    python::run("play_game.py");
}
