//! A session in the UCI protocol: each line becomes calls of the engine.

use std::{
    io,
    ops::ControlFlow::{self, Break, Continue},
    sync::Arc,
    time::Instant,
};

use super::{
    error::InputError,
    eval_trace::eval_trace,
    input::{InputLine, MAX_LINE, Source},
    options::set,
    parse::{Parsed, UciCommand, parse},
    print::{Output, go_line, report_game_error},
    tasks,
};
use crate::{
    attacks::Lookup,
    engine::{Engine, GameError, When},
    notation::UciMove,
    position::{FenRepair, Position},
    search::{Limits, Shared},
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
    /// A session with a new engine, which answers to `output`. Commands that wait may take so many bytes.
    ///
    /// # Errors
    /// When memory cannot be allocated or a thread cannot be started.
    pub(crate) fn start(output: Arc<dyn Output>, backlog: usize) -> io::Result<Self> {
        Ok(Self { engine: Engine::start(output.clone(), backlog)?, output, debug: false })
    }

    /// Executes commands until `quit` or the end of the input, and waits for their end. Where there are no threads,
    /// this may return before, and go on when there is more input.
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
    pub(super) fn execute_line(&mut self, line: InputLine) -> ControlFlow<()> {
        let (InputLine::Bytes(bytes) | InputLine::TooLong(bytes)) = &line else { return Break(()) };
        self.engine.line_bytes = bytes.len();
        if matches!(line, InputLine::Bytes(_)) { self.execute(parse(bytes)) } else { self.skip(bytes) }
    }

    /// Skips a line that is too long. If it was a `position`, there is no position now; a `go` must be answered, and
    /// gets the limits that could be read.
    fn skip(&mut self, beginning: &[u8]) -> ControlFlow<()> {
        self.report(When::Now, InputError::LineTooLong(MAX_LINE));
        let mut line = parse(beginning);
        match &mut line.command {
            Some(UciCommand::Position(position)) => *position = Err(InputError::PositionTooLong),
            Some(UciCommand::Go(..)) => {}
            _ => return Continue(()),
        }
        self.execute(line)
    }

    /// Executes a line. Breaks after `quit`, or when the engine is gone.
    pub(crate) fn execute(&mut self, line: Parsed) -> ControlFlow<()> {
        let started = Instant::now();
        let Parsed { command, errors } = line;
        let more = errors.len().saturating_sub(MAX_ERRORS);
        errors.into_iter().take(MAX_ERRORS).for_each(|error| self.report(When::Now, error));
        if more > 0 {
            self.report(When::Now, InputError::MoreErrors(more));
        }
        let output = self.output.clone();
        match command {
            None => {}
            Some(UciCommand::Uci) => self.tell(When::Now, |output, _| output.identify()),
            Some(UciCommand::Debug(on)) => self.debug = on,
            Some(UciCommand::IsReady) => self.engine.ready(),
            Some(UciCommand::SetOption(name, value)) => self.set_option(&name, &value),
            Some(UciCommand::NewGame) => self.engine.new_game(),
            Some(UciCommand::Position(Ok(command))) => {
                let result = self.engine.set_up(command);
                self.report_position(result);
            }
            Some(UciCommand::Position(Err(error))) => {
                self.engine.forget_position();
                self.report(When::Idle, error);
            }
            Some(UciCommand::Go(limits, search_moves)) => self.go(limits, search_moves, started),
            Some(UciCommand::Stop) => self.engine.stop(),
            Some(UciCommand::PonderHit) => self.engine.ponderhit(),
            Some(UciCommand::Quit) => self.engine.quit(),
            Some(UciCommand::Flip) => match &mut self.engine.game {
                Some(game) => *game = game.flipped(),
                None => self.report_position(Err(GameError::NoPosition)),
            },
            Some(UciCommand::Perft(depth)) => {
                let position = self.engine.share_position();
                self.engine.run(tasks::perft(position, depth, self.engine.options().chess960, output));
            }
            Some(UciCommand::Bench(depth)) => self.engine.run(tasks::bench(depth, output)),
            Some(UciCommand::GenFens(command)) => self.engine.run(tasks::genfens(command, output)),
            Some(UciCommand::Display) => self.show_position(|position, _| tasks::board(position)),
            Some(UciCommand::Eval) => self.show_position(|position, shared| eval_trace(position, &shared.network)),
            Some(UciCommand::Sliders) => {
                self.tell(When::Next, |output, _| output.notice(&format!("sliders {}", Lookup::detect().name())));
            }
            Some(UciCommand::Help) => self.tell(When::Next, |output, _| output.show(tasks::HELP)),
        }
        if self.engine.has_ended { Break(()) } else { Continue(()) }
    }

    fn go(&mut self, mut limits: Limits, search_moves: Option<Vec<UciMove>>, started: Instant) {
        let mut errors = Vec::new();
        if let (Some(game), Some(wanted)) = (&self.engine.game, search_moves) {
            (limits.search_moves, errors) = legal_search_moves(game.position(), &wanted);
        }
        let output = self.output.clone();
        let understood = self.debug.then(|| format!("search {}: {}", self.engine.searches + 1, go_line(&limits)));
        let on_start = move |_: &_| {
            errors.iter().for_each(|error| output.error(&error.to_string(), error.example()));
            understood.iter().for_each(|text| output.notice(text));
        };
        self.engine.go(limits, started, Box::new(on_start));
    }

    fn set_option(&mut self, name: &str, value: &[u8]) {
        let mut options = self.engine.options().clone();
        match set(&mut options, name, value) {
            Ok(change) => {
                let repairs = self.engine.set_options(options, change);
                self.report_position(Ok(repairs));
            }
            Err(error) => self.report(When::Idle, error),
        }
    }

    fn report_position(&mut self, result: Result<Vec<FenRepair>, GameError>) {
        if result.as_ref().is_ok_and(Vec::is_empty) {
            return;
        }
        self.tell(When::Idle, move |output, _| match result {
            Ok(repairs) => repairs.iter().for_each(|repair| output.notice(&format!("FEN repaired: {repair}"))),
            Err(error) => report_game_error(output, &error),
        });
    }

    /// Reports an error in the input in its turn.
    pub(crate) fn report(&mut self, when: When, error: InputError) {
        self.tell(when, move |output, _| output.error(&error.to_string(), error.example()));
    }

    /// Shows a text about the current position.
    fn show_position(&mut self, describe: impl FnOnce(&Position, &Shared) -> String + Send + 'static) {
        let position = self.engine.share_position();
        self.tell(When::Next, move |output, shared| match position {
            Some(position) => output.show(&describe(&position, shared)),
            None => report_game_error(output, &GameError::NoPosition),
        });
    }

    /// Tells the client something in its turn.
    fn tell(&mut self, when: When, tell: impl FnOnce(&dyn Output, &Shared) + Send + 'static) {
        let output = self.output.clone();
        self.engine.call(when, Box::new(move |shared| tell(&*output, shared)));
    }
}

/// The legal moves among those after `searchmoves`, and what was wrong with the others. An empty list means all moves.
fn legal_search_moves(position: &Position, wanted: &[UciMove]) -> (Vec<Move>, Vec<InputError>) {
    let (mut moves, mut illegal) = (Vec::new(), Vec::new());
    for wanted in wanted {
        match wanted.find(position) {
            Some(mv) if moves.contains(&mv) => {}
            Some(mv) => moves.push(mv),
            None => illegal.push(wanted),
        }
    }
    let skipped = illegal
        .split_first()
        .map(|(first, more)| InputError::IllegalSearchMoves { first: first.to_string(), more: more.len() });
    let none = moves.is_empty().then_some(InputError::NoLegalSearchMove);
    (moves, skipped.into_iter().chain(none).collect())
}
