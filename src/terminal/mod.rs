//! The frontend for a person at a terminal: moves and commands in, boards and a live table of the search out.
//!
//! The commands are those of the UCI protocol, and a few words beside them. The game is the engine's. After `uci`,
//! everything is as it is through a pipe.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod board;
mod moves;
mod table;
mod view;

use std::{
    io::{self, IsTerminal},
    ops::ControlFlow::{self, Break, Continue},
    sync::Arc,
};

use self::{
    board::draw,
    moves::{MoveError, find, undo_count},
    view::{Activity, Terminal},
};
use crate::{
    engine::{BACKLOG_BYTES, Game, When},
    movegen::legal_moves,
    notation::{San, UciMove},
    search::Limits,
    uci::{InputError, InputLine, MAX_LINE, Output, Parsed, Session, Source, UciCommand, UciOutput, parse},
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
    let frontend = Frontend { session: Session::start(terminal.clone(), BACKLOG_BYTES)?, terminal };
    frontend.run(source);
    Ok(())
}

/// The side of a terminal that reads.
struct Frontend {
    session: Session,
    terminal: Arc<Terminal>,
}

/// Why no more lines are read.
enum End {
    /// `uci`: the rest is for the session alone.
    Uci,
    /// `quit`, or the engine has ended.
    Quit,
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
                self.session.engine.wait_idle();
            }
            match flow {
                Continue(()) => self.terminal.state().resume(&self.game()),
                Break(End::Uci) => return self.session.run(source),
                Break(End::Quit) => break,
            }
        }
        self.session.engine.end();
    }

    /// Executes a line. Whatever it says, it ends the search or task in progress.
    fn execute(&mut self, line: &InputLine) -> ControlFlow<End> {
        self.end_search();
        let InputLine::Bytes(line) = line else {
            self.session.report(When::Now, InputError::LineTooLong(MAX_LINE));
            self.session.engine.wait_idle();
            return Continue(());
        };
        let text = String::from_utf8_lossy(line);
        let words: Vec<&str> = text.split_whitespace().collect();
        let Some((first, rest)) = words.split_first() else { return Continue(()) };
        match first.to_ascii_lowercase().as_str() {
            "new" if rest.is_empty() => {
                self.session.engine.new_game();
                self.show(Game::default());
            }
            "undo" => self.replace(self.undone(rest)),
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
    fn command(&mut self, mut line: Parsed) -> ControlFlow<End> {
        let before = self.game();
        let is_uci = line.command == Some(UciCommand::Uci);
        let shows_board =
            matches!(line.command, Some(UciCommand::Position(_) | UciCommand::Flip | UciCommand::Display));
        match &mut line.command {
            Some(UciCommand::Go(..)) => return self.search(line, false),
            Some(UciCommand::Position(Ok(position))) => {
                position.chess960 = Some(self.session.engine.options().chess960);
            }
            Some(UciCommand::Display) => line.command = None,
            Some(UciCommand::Help) => self.terminal.show(HELP),
            Some(UciCommand::Perft(_) | UciCommand::Bench(_) | UciCommand::GenFens(_)) => {
                self.terminal.state().activity = Activity::Task;
            }
            _ => {}
        }
        let flow = self.session.execute(line);
        // A task is waited for by the prompt alone.
        if !self.terminal.state().is_busy() {
            self.session.engine.wait_idle();
        }
        if is_uci {
            self.session.output = Arc::new(UciOutput);
            return Break(End::Uci);
        }
        if self.session.engine.game.is_none() {
            self.session.engine.game = Some(before);
        } else if shows_board {
            self.show_board();
        }
        flow.map_break(|()| End::Quit)
    }

    /// Searches, and has the best move played.
    fn play(&mut self, mut go: Parsed) -> ControlFlow<End> {
        let Some(UciCommand::Go(limits, moves)) = &mut go.command else { return self.command(go) };
        if *limits == Limits::default() && moves.is_none() {
            limits.move_time = Some(PLAY_TIME);
        }
        self.search(go, true)
    }

    /// Searches, unless the game is over.
    fn search(&mut self, go: Parsed, play: bool) -> ControlFlow<End> {
        let game = self.game();
        if legal_moves(game.position()).is_empty() {
            self.show_board();
            return Continue(());
        }
        self.terminal.state().start_search(game, play);
        self.session.execute(go).map_break(|()| End::Quit)
    }

    /// The game, which is never lost: see [`Self::command`].
    fn game(&self) -> Game {
        self.session.engine.game.clone().unwrap_or_default()
    }

    /// Replaces the game and shows it.
    fn show(&mut self, game: Game) {
        self.session.engine.game = Some(game);
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

    fn undone(&self, words: &[&str]) -> Result<Game, MoveError> {
        Ok(self.game().undo(undo_count(words)?, self.session.engine.options().chess960)?)
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
            self.session.engine.stop();
            self.session.engine.wait_idle();
        }
        if let (Some(mv), Some(game)) = (self.terminal.state().played.take(), &mut self.session.engine.game) {
            game.play(mv);
        }
    }
}
