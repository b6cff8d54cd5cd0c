//! The frontend for a person at a terminal: moves and commands in, boards and a live table of the search out.
//!
//! The commands are those of the UCI protocol, and a few words beside them. The game is the engine's. After `uci`,
//! everything is as it is through a pipe.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod board;
mod table;
mod typed_moves;
mod view;

use std::{
    io::{self, IsTerminal},
    ops::ControlFlow::{self, Continue},
    sync::Arc,
};

use self::{
    board::draw,
    typed_moves::{MoveError, find, undo_count},
    view::{Activity, Terminal},
};
use crate::{
    engine::{BACKLOG_BYTES, Engine},
    game::Game,
    movegen::legal_moves,
    notation::{San, UciMove},
    search::Limits,
    uci::{InputError, Output, Parsed, Session, UciCommand, UciOutput, parse, serve},
    util::{InputLine, MAX_LINE, Source},
};

/// Milliseconds that `play` searches by default.
const PLAY_TIME: i64 = 1000;

const HELP: &str = "\
e4, Nf3, O-O, e2e4  play moves on the board
play [limits]       let Sleight move, after a second or as in: play depth 12
go [limits]         search until Enter, or as in: go depth 20, go movetime 5000
undo [count]        take moves back
new                 start a new game
position fen <FEN>  set up a position
uci                 speak UCI from now on
";

/// True if standard output is a terminal.
pub(crate) fn is_present() -> bool {
    io::stdout().is_terminal()
}

/// Reads and executes lines until `quit` or the end of the input.
///
/// # Errors
/// When a thread cannot be started or memory cannot be allocated.
pub(crate) fn run(source: Source) -> io::Result<()> {
    // If standard input is a terminal, too, a person types the commands.
    let interactive = matches!(source, Source::Input) && io::stdin().is_terminal();
    let terminal = Arc::new(Terminal::new(interactive));
    Frontend { engine: Engine::start(terminal.clone(), BACKLOG_BYTES)?, terminal }.run(source);
    Ok(())
}

/// The side of a terminal that reads.
struct Frontend {
    engine: Engine,
    terminal: Arc<Terminal>,
}

impl Frontend {
    fn run(mut self, mut source: Source) {
        self.terminal.state().greet();
        loop {
            let line = source.next_line();
            if line == InputLine::End {
                self.terminal.state().close();
                break;
            }
            let flow = self.execute(&line);
            if source.is_script() {
                self.engine.wait_idle();
            }
            if self.terminal.state().uci {
                return serve(self.engine, Arc::new(UciOutput), source);
            }
            if flow.is_break() {
                break;
            }
            self.terminal.state().resume(&self.game());
        }
        self.engine.end();
    }

    /// Executes a line. Whatever it says, it ends the search or task in progress. Breaks after `quit`, or when the
    /// engine is gone.
    fn execute(&mut self, line: &InputLine) -> ControlFlow<()> {
        self.end_search();
        let InputLine::Bytes(line) = line else {
            self.terminal.error(&InputError::LineTooLong(MAX_LINE).to_string(), None);
            return Continue(());
        };
        let text = String::from_utf8_lossy(line);
        let words: Vec<&str> = text.split_whitespace().collect();
        let Some((first, rest)) = words.split_first() else { return Continue(()) };
        match first.to_ascii_lowercase().as_str() {
            "new" if rest.is_empty() => {
                self.engine.new_game(0);
                self.show(Game::default());
            }
            "undo" => {
                let chess960 = self.engine.options().chess960;
                let undone = undo_count(rest).and_then(|count| Ok(self.game().undo(count, chess960)?));
                self.replace(undone);
            }
            "play" => return self.play(parse(format!("go {}", rest.join(" ")).as_bytes())),
            _ if first.parse::<UciMove>().is_ok() || first.parse::<San>().is_ok() => {
                self.replace(self.after(&words));
            }
            _ => return self.command(parse(line)),
        }
        Continue(())
    }

    /// Executes a command of the protocol or one of ours. A position that is not valid leaves the board as it was. The
    /// castling rights of Chess960 last as long as the game, whatever becomes of the option.
    fn command(&mut self, mut line: Parsed) -> ControlFlow<()> {
        let before = self.game();
        let shows_board =
            matches!(line.command, Some(UciCommand::Position(_) | UciCommand::Flip | UciCommand::Display));
        match &mut line.command {
            Some(UciCommand::Go(..)) => return self.search(line, false),
            Some(UciCommand::Position(Ok(position))) => {
                position.chess960 = Some(self.engine.options().chess960);
            }
            Some(UciCommand::Uci) => self.terminal.state().uci = true,
            Some(UciCommand::Display) => line.command = None,
            Some(UciCommand::Help) => self.terminal.show(HELP),
            Some(UciCommand::Perft(_) | UciCommand::Bench(_) | UciCommand::GenFens(_)) => {
                self.terminal.state().activity = Activity::Task;
            }
            _ => {}
        }
        let flow = Session { engine: &mut self.engine, output: self.terminal.clone(), line_bytes: 0 }.execute(line);
        // A task is waited for by the prompt alone.
        if !self.terminal.state().is_busy() {
            self.engine.wait_idle();
        }
        if self.engine.game().is_err() {
            self.engine.set_game(before);
        } else if shows_board {
            self.show_board();
        }
        flow
    }

    /// Searches, and has the best move played.
    fn play(&mut self, mut go: Parsed) -> ControlFlow<()> {
        let Some(UciCommand::Go(limits, moves)) = &mut go.command else { return self.command(go) };
        if *limits == Limits::default() && moves.is_none() {
            limits.move_time = Some(PLAY_TIME);
        }
        self.search(go, true)
    }

    /// Searches, unless the game is over.
    fn search(&mut self, go: Parsed, play: bool) -> ControlFlow<()> {
        let game = self.game();
        if legal_moves(game.position()).is_empty() {
            self.show_board();
            return Continue(());
        }
        self.terminal.state().start_search(game, play);
        Session { engine: &mut self.engine, output: self.terminal.clone(), line_bytes: 0 }.execute(go)
    }

    /// The game, which is never lost: see [`Self::command`].
    fn game(&self) -> Game {
        self.engine.game().cloned().unwrap_or_default()
    }

    /// Replaces the game and shows it.
    fn show(&mut self, game: Game) {
        self.engine.set_game(game);
        self.show_board();
    }

    fn show_board(&mut self) {
        self.terminal.show(&draw(&self.game()));
    }

    /// Replaces the game, or shows why not.
    fn replace(&mut self, game: Result<Game, MoveError>) {
        match game {
            Ok(game) => self.show(game),
            Err(error) => self.terminal.error(&error.to_string(), None),
        }
    }

    /// The game after all moves of a line.
    fn after(&self, words: &[&str]) -> Result<Game, MoveError> {
        let mut game = self.game();
        for text in words {
            game.play(find(game.position(), text)?);
        }
        Ok(game)
    }

    /// Stops the search or task in progress and waits for its last output.
    fn end_search(&mut self) {
        self.terminal.state().suspend();
        if self.terminal.state().is_busy() {
            self.engine.stop();
            self.engine.wait_idle();
        }
        if let Some(mv) = self.terminal.state().played.take() {
            let mut game = self.game();
            game.play(mv);
            self.engine.set_game(game);
        }
    }
}
