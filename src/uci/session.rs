//! A session in the UCI protocol: each line becomes calls of the engine.

use std::{
    io,
    ops::ControlFlow::{self, Break, Continue},
    sync::Arc,
    time::Instant,
};

use super::{
    error::InputError,
    input::{Line, MAX_LINE, Source},
    options::set,
    parse::{Parsed, UciCommand, parse},
    print::{Output, go_line, report_game_error},
    tasks,
};
use crate::{
    engine::{BACKLOG_BYTES, Engine, GameError, Turn},
    notation::UciMove,
    position::{FenRepair, Position},
    search::Limits,
    types::Move,
    util::run_on_input,
};

/// The lines of one client, and the engine that they are for.
pub(crate) struct Session {
    pub(crate) engine: Engine,
    pub(crate) output: Arc<dyn Output>,
    debug: bool,
}

/// Errors of a line that are reported; the others are counted.
const MAX_ERRORS: usize = 5;

impl Session {
    /// A session with a new engine, which answers to `output`.
    ///
    /// # Errors
    /// When memory cannot be allocated or a thread cannot be started.
    pub(crate) fn start(output: Arc<dyn Output>) -> io::Result<Self> {
        Self::with_backlog(output, BACKLOG_BYTES)
    }

    /// As [`Self::start`]; commands that wait may take so many bytes.
    pub(super) fn with_backlog(output: Arc<dyn Output>, backlog: usize) -> io::Result<Self> {
        Ok(Self { engine: Engine::start(output.clone(), backlog)?, output, debug: false })
    }

    /// Executes commands until `quit` or the end of the input, and waits for their end. Where there are no threads, this may
    /// return before, and go on when there is more input.
    pub(crate) fn run(mut self, mut source: Source) {
        run_on_input(move || {
            loop {
                if cfg!(single_threaded) && source.would_wait() {
                    return Continue(());
                }
                if self.execute_line(source.next_line()).is_break() {
                    self.engine.end();
                    return Break(());
                }
                if source.is_script() {
                    self.engine.wait_idle();
                }
            }
        });
    }

    /// Executes a line. Breaks after `quit` or at the end.
    pub(super) fn execute_line(&mut self, line: Line) -> ControlFlow<()> {
        let (Line::Bytes(bytes) | Line::TooLong(bytes)) = &line else { return Break(()) };
        self.engine.begin_line(bytes.len());
        if matches!(line, Line::Bytes(_)) { self.execute(parse(bytes)) } else { self.skip(bytes) }
    }

    /// Skips a line that is too long. If it was a `position`, there is no position now; a `go` must be answered, and
    /// gets the limits that could be read.
    fn skip(&mut self, beginning: &[u8]) -> ControlFlow<()> {
        self.report(Turn::Now, InputError::LineTooLong(MAX_LINE));
        let mut line = parse(beginning);
        match line.command {
            Some(UciCommand::Position(_)) => {
                line = Parsed {
                    command: Some(UciCommand::Position(Err(InputError::PositionTooLong))),
                    errors: Vec::new(),
                };
            }
            Some(UciCommand::Go(..)) => {}
            _ => return Continue(()),
        }
        self.execute(line)
    }

    /// Executes a line. Breaks after `quit`, or when the engine is gone.
    pub(crate) fn execute(&mut self, line: Parsed) -> ControlFlow<()> {
        let received = Instant::now();
        let Parsed { command, errors } = line;
        let more = errors.len().saturating_sub(MAX_ERRORS);
        errors.into_iter().take(MAX_ERRORS).for_each(|error| self.report(Turn::Now, error));
        if more > 0 {
            self.report(Turn::Now, InputError::MoreErrors(more));
        }
        let (output, position) = (self.output.clone(), self.engine.game().map(|game| game.position().clone()));
        let options = self.engine.options();
        match command {
            None => {}
            Some(UciCommand::Uci) => self.engine.in_turn(Turn::Now, Box::new(move |_| output.identify())),
            Some(UciCommand::Debug(on)) => self.debug = on,
            Some(UciCommand::IsReady) => self.engine.ready(),
            Some(UciCommand::SetOption(name, value)) => self.set_option(&name, &value),
            Some(UciCommand::NewGame) => self.engine.new_game(),
            Some(UciCommand::Position(Ok(command))) => {
                let result = self.engine.set_up(command);
                self.report_position(result);
            }
            Some(UciCommand::Position(Err(error))) => {
                self.engine.set_game(None);
                self.report(Turn::Idle, error);
            }
            Some(UciCommand::Go(limits, search_moves)) => self.go(limits, search_moves, received),
            Some(UciCommand::Stop) => self.engine.stop(),
            Some(UciCommand::PonderHit) => self.engine.ponderhit(),
            Some(UciCommand::Quit) => {
                self.engine.quit();
                return Break(());
            }
            Some(UciCommand::Flip) => self.engine.flip(),
            Some(UciCommand::Perft(depth)) => {
                let task = tasks::perft(position, depth, options.chess960, output);
                self.engine.run(task);
            }
            Some(UciCommand::Bench(depth)) => self.engine.run(tasks::bench(depth, output)),
            Some(UciCommand::GenFens(command)) => self.engine.run(tasks::genfens(command, output)),
            Some(UciCommand::Display) => self.engine.in_turn(Turn::Next, tasks::display(position, output)),
            Some(UciCommand::Eval) => self.engine.in_turn(Turn::Next, tasks::eval(position, output)),
            Some(UciCommand::Sliders) => self.engine.in_turn(Turn::Next, tasks::sliders(output)),
            Some(UciCommand::Help) => {
                self.engine.in_turn(Turn::Next, Box::new(move |_| output.show(tasks::HELP)));
            }
        }
        if self.engine.has_ended() { Break(()) } else { Continue(()) }
    }

    fn go(&mut self, mut limits: Limits, search_moves: Option<Vec<UciMove>>, received: Instant) {
        let mut errors = Vec::new();
        if let (Some(game), Some(wanted)) = (self.engine.game(), search_moves) {
            (limits.search_moves, errors) = legal_search_moves(game.position(), &wanted);
        }
        let output = self.output.clone();
        let understood = self.debug.then(|| format!("search {}: {}", self.engine.next_search(), go_line(&limits)));
        let notes = move |_: &_| {
            errors.iter().for_each(|error| output.error(&error.to_string(), error.example()));
            understood.iter().for_each(|text| output.notice(text));
        };
        self.engine.go(limits, received, Box::new(notes));
    }

    fn set_option(&mut self, name: &str, value: &[u8]) {
        let mut options = self.engine.options().clone();
        match set(&mut options, name, value) {
            Ok(change) => {
                let result = self.engine.set_options(options, change);
                self.report_position(result);
            }
            Err(error) => self.report(Turn::Idle, error),
        }
    }

    fn report_position(&mut self, result: Result<Vec<FenRepair>, GameError>) {
        match result {
            Ok(repairs) => {
                for repair in repairs {
                    let output = self.output.clone();
                    let text = repair_notice(&repair);
                    self.engine.in_turn(Turn::Idle, Box::new(move |_| output.notice(&text)));
                }
            }
            Err(error) => {
                let output = self.output.clone();
                self.engine.in_turn(Turn::Idle, Box::new(move |_| report_game_error(&*output, &error)));
            }
        }
    }

    /// Reports an error in the input in its turn.
    pub(crate) fn report(&mut self, turn: Turn, error: InputError) {
        let output = self.output.clone();
        self.engine.in_turn(turn, Box::new(move |_| output.error(&error.to_string(), error.example())));
    }
}

/// How the repair of a FEN is told.
pub(crate) fn repair_notice(repair: &FenRepair) -> String {
    format!("FEN repaired: {repair}")
}

/// The legal moves among those after `searchmoves`, and what was wrong with the others. An empty list means that all moves
/// are searched.
fn legal_search_moves(position: &Position, wanted: &[UciMove]) -> (Vec<Move>, Vec<InputError>) {
    let mut moves = Vec::new();
    let mut illegal = Vec::new();
    for wanted in wanted {
        match wanted.find(position) {
            Some(mv) if moves.contains(&mv) => {}
            Some(mv) => moves.push(mv),
            None => illegal.push(wanted),
        }
    }
    let mut errors = Vec::new();
    if let Some((first, more)) = illegal.split_first() {
        errors.push(InputError::IllegalSearchMoves { first: first.to_string(), more: more.len() });
    }
    errors.extend(moves.is_empty().then_some(InputError::NoLegalSearchMove));
    (moves, errors)
}
