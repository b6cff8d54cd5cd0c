//! The frontend for a person at a terminal: moves and commands in, boards and a live table of the search out.
//!
//! The commands are those of the protocol, and a few words beside them. The game on the board lives here; the engine is
//! sent the position before each command. After `uci`, everything is as it is through a pipe.

mod board;
mod game;
mod table;
mod view;

use std::{
    io::{self, BufRead, IsTerminal},
    mem,
    ops::ControlFlow::{self, Break, Continue},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

pub(super) use view::Terminal;

use self::game::{Game, MoveError};
use super::{
    frontend::UciFrontend,
    input::{Input, Parsed, View},
    lines::{Line, MAX_LINE, next_line},
    parse::parse,
    print::UciOutput,
    tasks,
};
use crate::{
    engine::{Command, EngineError, InputError, Notice, PositionCommand, Task, TaskContext},
    notation::{San, UciMove},
    search::Limits,
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
pub(super) fn is_present() -> bool {
    io::stdout().is_terminal()
}

/// True if standard input is a terminal, too, so that a person types the commands.
pub(super) fn is_interactive() -> bool {
    io::stdin().is_terminal()
}

/// The reader's side of a terminal.
pub(super) struct Session {
    frontend: UciFrontend,
    terminal: Arc<Terminal>,
}

/// Why a session reads no more lines.
enum End {
    /// `uci`: the rest is for [`UciFrontend`].
    Uci,
    /// `quit`, or the engine has ended.
    Quit,
}

/// The number of moves that `undo` takes back, given the words after it.
fn undo_count(words: &[&str]) -> Result<usize, MoveError> {
    match words {
        [] => Some(1),
        [count] => count.parse().ok(),
        _ => None,
    }
    .filter(|&count| count > 0)
    .ok_or(MoveError::UndoCount)
}

impl Session {
    pub(super) fn new(frontend: UciFrontend, terminal: Arc<Terminal>) -> Self {
        Self { frontend, terminal }
    }

    /// Executes the lines of `source` until `quit` or its end.
    pub(super) fn read(mut self, mut source: impl BufRead) {
        self.terminal.state().greet();
        loop {
            let flow = match next_line(&mut source) {
                Line::Bytes(line) => self.execute(&line),
                Line::TooLong(_) => self.skip_line(),
                Line::End => break,
            };
            match flow {
                Continue(()) => self.terminal.state().resume(),
                Break(End::Uci) => return self.frontend.read(source),
                Break(End::Quit) => return,
            }
        }
        self.terminal.state().close();
    }

    /// Executes lines one by one, each when the one before it is done.
    pub(super) fn run_script(mut self, script: &[Vec<u8>]) {
        for (at, line) in script.iter().enumerate() {
            let flow = self.execute(line);
            if self.frontend.wait_idle().is_break() {
                return;
            }
            match flow {
                Continue(()) => {}
                Break(End::Uci) => return self.frontend.run_script(&script[at + 1..]),
                Break(End::Quit) => return,
            }
        }
    }

    /// Executes a line. Whatever it says, it ends the search or task in progress.
    fn execute(&mut self, line: &[u8]) -> ControlFlow<End> {
        self.terminal.state().suspend();
        self.end_search()?;
        let text = String::from_utf8_lossy(line);
        let words: Vec<&str> = text.split_whitespace().collect();
        let Some((first, rest)) = words.split_first() else { return Continue(()) };
        match first.to_ascii_lowercase().as_str() {
            "new" if rest.is_empty() => {
                self.send(Command::NewGame)?;
                self.change(|_| Ok::<_, EngineError>(Game::default()))
            }
            "undo" => self.change(|game| game.undo(undo_count(rest)?)),
            "play" => self.play(parse(format!("go {}", rest.join(" ")).as_bytes())),
            _ if first.parse::<UciMove>().is_ok() || first.parse::<San>().is_ok() => {
                self.change(|game| words.iter().try_fold(game.clone(), |game, text| game.play_text(text)))
            }
            _ => self.command(parse(line)),
        }
    }

    /// Reports a line that is too long. Like any other line, it ends the search or task in progress.
    fn skip_line(&mut self) -> ControlFlow<End> {
        self.terminal.state().suspend();
        self.end_search()?;
        self.report_errors([InputError::LineTooLong(MAX_LINE)]);
        Continue(())
    }

    /// Executes a command of the protocol or one of ours.
    fn command(&mut self, mut command: Parsed) -> ControlFlow<End> {
        if let Some(Input::Engine(Command::Position(_) | Command::Flip) | Input::Show(_)) = command.input {
            self.report_errors(mem::take(&mut command.errors));
        }
        match &mut command.input {
            Some(Input::Engine(Command::Identify)) => {
                self.frontend.sink = Arc::new(UciOutput);
                self.send_position()?;
                self.pass_on(command)?;
                return Break(End::Uci);
            }
            Some(Input::Engine(Command::Position(setup))) => {
                let setup = mem::replace(setup, Ok(PositionCommand::default()));
                return self.set_up(setup.map_err(|error| EngineError::Game(error.into())));
            }
            Some(Input::Engine(Command::Flip)) => return self.change(Game::flipped),
            Some(Input::Show(View::Board)) => self.terminal.state().show_board(),
            Some(Input::Show(View::Help)) => self.terminal.state().print(&format!("{HELP}{}", tasks::HELP)),
            Some(Input::Go(_)) => return self.search(command, false),
            input => {
                if let Some(Input::Perft(_) | Input::Bench(_) | Input::GenFens(_)) = input {
                    self.terminal.state().start_task();
                }
                self.send_position()?;
                self.pass_on(command)?;
                // A task is waited for by the prompt alone.
                return if self.terminal.state().is_busy() { Continue(()) } else { self.wait_idle() };
            }
        }
        Continue(())
    }

    /// Searches, and has the best move played.
    fn play(&mut self, mut go: Parsed) -> ControlFlow<End> {
        let Some(Input::Go(request)) = &mut go.input else { return self.command(go) };
        if request.limits == Limits::default() {
            request.limits.move_time = Some(PLAY_TIME);
        }
        self.search(go, true)
    }

    /// Searches, unless the game is over.
    fn search(&mut self, go: Parsed, play: bool) -> ControlFlow<End> {
        if self.terminal.state().start_search(play) {
            self.send_position()?;
            self.pass_on(go)?;
        } else {
            self.report_errors(go.errors);
        }
        Continue(())
    }

    fn set_up(&mut self, setup: Result<PositionCommand, EngineError>) -> ControlFlow<End> {
        let chess960 = self.is_chess960()?;
        let mut repairs = Vec::new();
        self.change(|_| {
            let setup = PositionCommand { chess960: Some(chess960), ..setup? };
            let (game, repaired) = Game::set_up(&setup).map_err(EngineError::Game)?;
            repairs = repaired;
            Ok::<_, EngineError>(game)
        })?;
        repairs.into_iter().for_each(|repair| self.terminal.state().notice(&Notice::FenRepaired(repair)));
        Continue(())
    }

    /// Replaces the game and shows it, or reports why not.
    fn change<E>(&mut self, change: impl FnOnce(&Game) -> Result<Game, E>) -> ControlFlow<End>
    where
        EngineError: From<E>,
    {
        let mut state = self.terminal.state();
        match change(&state.game) {
            Ok(game) => {
                state.game = game;
                state.show_board();
            }
            Err(error) => state.error(&error.into()),
        }
        Continue(())
    }

    /// Stops the search or task in progress and waits for its last output.
    fn end_search(&mut self) -> ControlFlow<End> {
        if self.terminal.state().is_busy() {
            self.frontend.stop().map_break(|()| End::Quit)?;
            self.wait_idle()?;
        }
        Continue(())
    }

    /// Sends the engine the position on the board.
    fn send_position(&self) -> ControlFlow<End> {
        let setup = self.terminal.state().game.setup().clone();
        self.send(Command::Position(Ok(setup)))
    }

    /// The value of the option `UCI_Chess960`, which the engine knows.
    fn is_chess960(&self) -> ControlFlow<End, bool> {
        let value = Arc::new(AtomicBool::new(false));
        let answer = value.clone();
        let ask = move |context: &TaskContext| answer.store(context.options.chess960, Ordering::Relaxed);
        self.send(Command::Inspect(Task::new(ask)))?;
        self.wait_idle()?;
        Continue(value.load(Ordering::Relaxed))
    }

    fn report_errors(&self, errors: impl IntoIterator<Item = InputError>) {
        errors.into_iter().for_each(|error| self.terminal.state().error(&error.into()));
    }

    fn pass_on(&mut self, command: Parsed) -> ControlFlow<End> {
        self.frontend.execute(command).map_break(|()| End::Quit)
    }

    fn send(&self, command: Command) -> ControlFlow<End> {
        self.frontend.send(command).map_break(|()| End::Quit)
    }

    fn wait_idle(&self) -> ControlFlow<End> {
        self.frontend.wait_idle().map_break(|()| End::Quit)
    }
}
