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
    moves::{find, undo_count},
    view::Terminal,
};
use crate::{
    engine::{Game, PositionCommand, Turn},
    movegen::legal_moves,
    notation::{San, UciMove},
    search::Limits,
    uci::{
        HELP as UCI_HELP, InputError, Line, MAX_LINE, Output, Parsed, Session, Source, UciCommand, UciOutput, parse,
        repair_notice, report_game_error,
    },
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
    let frontend = Frontend { session: Session::start(terminal.clone())?, terminal };
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
            let flow = match source.next_line() {
                Line::Bytes(line) => self.execute(&line),
                Line::TooLong(_) => self.skip_line(),
                Line::End => {
                    self.terminal.state().close();
                    break;
                }
            };
            if source.is_script() {
                self.session.engine.wait_idle();
            }
            match flow {
                Continue(()) => self.terminal.state().resume(self.session.engine.game()),
                Break(End::Uci) => return self.session.run(source),
                Break(End::Quit) => break,
            }
        }
        self.session.engine.end();
    }

    /// Executes a line. Whatever it says, it ends the search or task in progress.
    fn execute(&mut self, line: &[u8]) -> ControlFlow<End> {
        self.end_search();
        let text = String::from_utf8_lossy(line);
        let words: Vec<&str> = text.split_whitespace().collect();
        let Some((first, rest)) = words.split_first() else { return Continue(()) };
        match first.to_ascii_lowercase().as_str() {
            "new" if rest.is_empty() => {
                self.session.engine.new_game();
                self.show(Game::default());
            }
            "undo" => self.undo(rest),
            "play" => return self.play(parse(format!("go {}", rest.join(" ")).as_bytes())),
            _ if first.parse::<UciMove>().is_ok() || first.parse::<San>().is_ok() => self.play_moves(&words),
            _ => return self.command(parse(line)),
        }
        Continue(())
    }

    /// Reports a line that is too long. Like any other line, it ends the search or task in progress.
    fn skip_line(&mut self) -> ControlFlow<End> {
        self.end_search();
        self.session.report(Turn::Now, InputError::LineTooLong(MAX_LINE));
        self.session.engine.wait_idle();
        Continue(())
    }

    /// Executes a command of the protocol or one of ours.
    fn command(&mut self, line: Parsed) -> ControlFlow<End> {
        let Parsed { command, errors } = line;
        let pass_on = |command| Parsed { command, errors: errors.clone() };
        let own = match command {
            Some(UciCommand::Go(..)) => return self.search(pass_on(command), false),
            Some(UciCommand::Uci) => {
                let _ = self.session.execute(pass_on(command));
                self.session.engine.wait_idle();
                self.session.output = Arc::new(UciOutput);
                return Break(End::Uci);
            }
            Some(UciCommand::Position(_) | UciCommand::Flip | UciCommand::Display | UciCommand::Help) => command,
            command => {
                let is_task =
                    matches!(command, Some(UciCommand::Perft(_) | UciCommand::Bench(_) | UciCommand::GenFens(_)));
                if is_task {
                    self.terminal.state().start_task();
                }
                let flow = self.session.execute(pass_on(command));
                // A task is waited for by the prompt alone.
                if !is_task {
                    self.session.engine.wait_idle();
                }
                return flow.map_break(|()| End::Quit);
            }
        };
        errors.iter().for_each(|error| self.terminal.error(&error.to_string(), error.example()));
        match own {
            Some(UciCommand::Position(Ok(setup))) => self.set_up(setup),
            Some(UciCommand::Position(Err(error))) => self.terminal.error(&error.to_string(), error.example()),
            Some(UciCommand::Help) => self.terminal.show(&format!("{HELP}{UCI_HELP}")),
            Some(UciCommand::Flip) => {
                self.session.engine.flip();
                self.show_board();
            }
            _ => self.show_board(),
        }
        Continue(())
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

    /// The game, which is never lost: see [`Self::set_up`].
    fn game(&self) -> Game {
        self.session.engine.game().cloned().unwrap_or_default()
    }

    /// Replaces the game and shows it.
    fn show(&mut self, game: Game) {
        self.terminal.state().show_board(&game);
        self.session.engine.set_game(Some(game));
    }

    fn show_board(&mut self) {
        let game = self.game();
        self.terminal.state().show_board(&game);
    }

    /// Sets up a position. One that is not valid leaves the board as it was. The castling rights of Chess960 last as long
    /// as the game, whatever becomes of the option.
    fn set_up(&mut self, setup: PositionCommand) {
        let chess960 = self.session.engine.options().chess960;
        match Game::set_up(PositionCommand { chess960: Some(chess960), ..setup }, chess960) {
            Ok((game, repairs)) => {
                self.show(game);
                repairs.iter().for_each(|repair| self.terminal.notice(&repair_notice(repair)));
            }
            Err(error) => report_game_error(&*self.terminal, &error),
        }
    }

    fn undo(&mut self, words: &[&str]) {
        match undo_count(words) {
            Ok(count) => match self.game().undo(count, self.session.engine.options().chess960) {
                Ok(game) => self.show(game),
                Err(error) => self.terminal.error(&error.to_string(), None),
            },
            Err(error) => self.terminal.error(&error.to_string(), None),
        }
    }

    /// Plays all moves of a line, or none.
    fn play_moves(&mut self, words: &[&str]) {
        let mut game = self.game();
        let played = words.iter().try_for_each(|text| {
            game.play(find(game.position(), text)?);
            Ok(())
        });
        match played {
            Ok(()) => self.show(game),
            Err::<(), moves::MoveError>(error) => self.terminal.error(&error.to_string(), None),
        }
    }

    /// Stops the search or task in progress and waits for its last output.
    fn end_search(&mut self) {
        self.terminal.state().suspend();
        if self.terminal.state().is_busy() {
            self.session.engine.stop();
            self.session.engine.wait_idle();
        }
        if let Some(mv) = self.terminal.state().take_played() {
            self.session.engine.play(mv);
        }
    }
}
