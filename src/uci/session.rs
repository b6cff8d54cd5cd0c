//! Lines in the UCI protocol: each becomes calls of the engine.

use std::{
    ops::ControlFlow::{self, Break, Continue},
    sync::Arc,
    time::Instant,
};

use super::{
    display::{board, eval_trace},
    error::InputError,
    options::set,
    parse::{Parsed, UciCommand, parse},
    print::{Output, identification, report_game_error},
    tasks,
};
use crate::{
    attacks::Lookup,
    engine::{Engine, EngineOptions, When},
    game::{Game, GameError},
    position::{FenRepair, Position},
    search::Shared,
    util::{InputLine, MAX_LINE, Source, run_on_input},
};

/// Executes commands until `quit` or the end of the input, and waits for their end. Where there are no threads, this
/// may return before, and go on when there is more input.
pub(crate) fn serve(mut engine: Engine, output: Arc<dyn Output>, mut source: Source) {
    run_on_input(move || {
        loop {
            if cfg!(single_threaded) && source.would_wait() {
                return Continue(());
            }
            if execute_line(&mut engine, &output, source.next_line()).is_break() {
                engine.end();
                return Break(());
            }
            if source.is_script() {
                engine.wait_idle();
            }
        }
    });
}

/// Executes a line. Breaks after `quit` or at the end. A line that is too long is skipped, with two exceptions: a
/// `position` leaves the engine without one, and a `go` is answered, with the limits that could be read.
fn execute_line(engine: &mut Engine, output: &Arc<dyn Output>, line: InputLine) -> ControlFlow<()> {
    let (InputLine::Bytes(bytes) | InputLine::TooLong(bytes)) = &line else { return Break(()) };
    let mut session = Session { engine, output: output.clone(), line_bytes: bytes.len() };
    let mut parsed = parse(bytes);
    if matches!(line, InputLine::TooLong(_)) {
        session.report(When::Now, InputError::LineTooLong(MAX_LINE));
        match &mut parsed.command {
            Some(UciCommand::Position(position)) => *position = Err(InputError::PositionTooLong),
            Some(UciCommand::Go(..)) => {}
            _ => return Continue(()),
        }
    }
    session.execute(parsed)
}

/// Calls the engine as a line says.
pub(crate) struct Session<'a> {
    pub(crate) engine: &'a mut Engine,
    pub(crate) output: Arc<dyn Output>,
    /// The length of the line.
    pub(crate) line_bytes: usize,
}

/// Errors of a line that are reported; the others are counted.
const MAX_ERRORS: usize = 5;

impl Session<'_> {
    /// Executes a line. Breaks after `quit`, or when the engine is gone.
    pub(crate) fn execute(&mut self, line: Parsed) -> ControlFlow<()> {
        let started = Instant::now();
        let Parsed { command, errors } = line;
        let more = errors.len().saturating_sub(MAX_ERRORS);
        errors.into_iter().take(MAX_ERRORS).for_each(|error| self.report(When::Now, error));
        if more > 0 {
            self.report(When::Now, InputError::MoreErrors(more));
        }
        let (output, bytes) = (self.output.clone(), self.line_bytes);
        match command {
            None => {}
            Some(UciCommand::Uci) => self.tell(When::Now, |output| output.show(&identification())),
            Some(UciCommand::Debug(debug)) => {
                self.engine.set_options(EngineOptions { debug, ..self.engine.options().clone() }, None, bytes);
            }
            Some(UciCommand::IsReady) => self.engine.ready(bytes),
            Some(UciCommand::SetOption(name, value)) => self.set_option(&name, &value),
            Some(UciCommand::NewGame) => self.engine.new_game(bytes),
            Some(UciCommand::Position(Ok(command))) => {
                let result = self.engine.set_up(command);
                self.report_position(result);
            }
            Some(UciCommand::Position(Err(error))) => {
                self.engine.forget_position();
                self.report(When::OnceIdle, error);
            }
            Some(UciCommand::Go(limits, search_moves)) => self.engine.go(limits, search_moves, started, bytes),
            Some(UciCommand::Stop) => self.engine.stop(),
            Some(UciCommand::PonderHit) => self.engine.ponderhit(),
            Some(UciCommand::Quit) => self.engine.quit(),
            Some(UciCommand::Flip) => match self.engine.game().map(Game::flipped) {
                Ok(game) => self.engine.set_game(game),
                Err(error) => self.report_position(Err(error)),
            },
            Some(UciCommand::Perft(depth)) => {
                let (position, bytes) = self.position();
                self.engine.run(tasks::perft(position, depth, self.engine.options().chess960, output), bytes);
            }
            Some(UciCommand::Bench(depth)) => self.engine.run(tasks::bench(depth, output), bytes),
            Some(UciCommand::GenFens(command)) => self.engine.run(tasks::genfens(command, output), bytes),
            Some(UciCommand::Display) => self.show_position(|position, _| board(position)),
            Some(UciCommand::Eval) => self.show_position(|position, shared| eval_trace(position, &shared.network)),
            Some(UciCommand::Sliders) => {
                self.tell(When::InTurn, |output| output.notice(&format!("sliders {}", Lookup::detect().name())));
            }
            Some(UciCommand::Help) => self.tell(When::InTurn, |output| output.show(tasks::HELP)),
        }
        if self.engine.has_ended() { Break(()) } else { Continue(()) }
    }

    fn set_option(&mut self, name: &str, value: &[u8]) {
        let mut options = self.engine.options().clone();
        match set(&mut options, name, value) {
            Ok(change) => {
                let repairs = self.engine.set_options(options, change, self.line_bytes);
                self.report_position(Ok(repairs));
            }
            Err(error) => self.report(When::OnceIdle, error),
        }
    }

    fn report_position(&mut self, result: Result<Vec<FenRepair>, GameError>) {
        if result.as_ref().is_ok_and(Vec::is_empty) {
            return;
        }
        self.tell(When::OnceIdle, move |output| match result {
            Ok(repairs) => repairs.iter().for_each(|repair| output.notice(&format!("FEN repaired: {repair}"))),
            Err(error) => report_game_error(output, &error),
        });
    }

    /// Reports an error in the input in its turn.
    pub(crate) fn report(&mut self, when: When, error: InputError) {
        self.tell(when, move |output| output.error(&error.to_string(), error.example()));
    }

    /// Shows a text about the current position.
    fn show_position(&mut self, describe: impl FnOnce(&Position, &Shared) -> String + Send + 'static) {
        let ((position, bytes), output) = (self.position(), self.output.clone());
        self.engine.call(When::InTurn, bytes, move |shared| match position {
            Ok(position) => output.show(&describe(&position, shared)),
            Err(error) => report_game_error(&*output, &error),
        });
    }

    /// The current position for a command, and what that command takes while it waits, in bytes.
    fn position(&self) -> (Result<Arc<Position>, GameError>, usize) {
        let position = self.engine.game().map(|game| game.position().clone());
        let bytes = self.line_bytes + position.as_ref().map_or(0, |position| position.history_bytes());
        (position, bytes)
    }

    /// Tells the client something in its turn.
    fn tell(&mut self, when: When, tell: impl FnOnce(&dyn Output) + Send + 'static) {
        let output = self.output.clone();
        self.engine.call(when, self.line_bytes, move |_| tell(&*output));
    }
}
