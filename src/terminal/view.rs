//! The texts that a person at a terminal sees.

use std::{
    mem,
    sync::{Mutex, MutexGuard, PoisonError},
};

use console::{Term, is_dumb, style};

use super::{
    board,
    table::{Table, header},
};
use crate::{
    engine::{Client, EngineOptions, Event},
    game::Game,
    notation::numbered,
    search::SearchReport,
    types::{Color, Move},
    uci::{NAME, Output, UciOutput, show_message},
    util::{printable, write_all},
};

/// The terminal, shared by the thread that reads and the engine's threads.
pub(super) struct Terminal(Mutex<State>);

#[derive(Default)]
pub(super) struct State {
    pub(super) activity: Activity,
    /// A person types: there is a prompt.
    interactive: bool,
    /// The prompt for the position on the board.
    prompt: String,
    /// A line is being executed: the prompt comes when it is done.
    suspended: bool,
    /// UCI is spoken from now on.
    pub(super) uci: bool,
    /// The engine's move that is on the board, but not yet played.
    pub(super) played: Option<Move>,
    /// Lines from the first row of the table down to the cursor; 0 without a table to write over.
    drawn: usize,
    /// Width of the window when the table was drawn.
    width: usize,
}

/// The search or task in progress.
#[derive(Default)]
pub(super) enum Activity {
    #[default]
    None,
    /// A search; with `play` its best move is played.
    Search {
        table: Box<Table>,
        play: bool,
    },
    Task,
}

impl Terminal {
    pub(super) fn new(interactive: bool) -> Self {
        Self(Mutex::new(State { interactive, prompt: prompt(&Game::default()), ..State::default() }))
    }

    /// Must not be held while waiting for the engine.
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Client for Terminal {
    fn on_event(&self, event: &Event<'_>, options: &EngineOptions) {
        let mut state = self.state();
        match event {
            _ if state.uci => UciOutput.on_event(event, options),
            // `sleight --version` tells a person what it runs on.
            Event::Progress(..) | Event::Machine { .. } => {}
            Event::Ready => state.print("readyok"),
            Event::Report(report) => state.on_report(report),
            Event::BestMove { best, .. } => state.on_best_move(*best),
            Event::TaskEnded => {
                state.activity = Activity::None;
                state.ask();
            }
            Event::Understood(_) | Event::TablebasesOpened { .. } | Event::Error(_) => {
                drop(state);
                show_message(self, event);
            }
        }
    }
}

impl Output for Terminal {
    fn show(&self, text: &str) {
        self.state().print(text);
    }

    fn notice(&self, text: &str) {
        self.state().print(&style(printable(text)).dim().to_string());
    }

    fn error(&self, text: &str, example: Option<&str>) {
        let example = example.map_or_else(String::new, |example| format!("; try `{example}`"));
        self.state().print(&style(printable(&format!("{text}{example}"))).red().bold().to_string());
    }
}

/// The prompt for the move of a person in this game.
fn prompt(game: &Game) -> String {
    let position = game.position();
    let side = position.side_to_move();
    let dots = if side == Color::White { "." } else { "..." };
    format!("{}{dots} {}>", position.fullmove_number(), board::name(side))
}

impl State {
    pub(super) fn greet(&mut self) {
        if self.interactive {
            self.print(&format!("{}, a chess engine", style(NAME).bold()));
            self.print("Type a move such as e4, `play` to let Sleight move, `go` to search until Enter, or `help`.");
            self.ask();
        }
    }

    /// A line has been typed.
    pub(super) fn suspend(&mut self) {
        self.suspended = true;
        // Only Enter that a person has pressed is echoed.
        if self.interactive && self.drawn > 0 {
            self.drawn += 1;
        }
    }

    /// The line has been executed. If it has begun nothing, this is the game on the board.
    pub(super) fn resume(&mut self, game: &Game) {
        self.suspended = false;
        if self.played.is_none() {
            self.prompt = prompt(game);
        }
        self.ask();
    }

    /// The input has ended behind the prompt.
    pub(super) fn close(&mut self) {
        if mem::take(&mut self.interactive) {
            write_all(&["\n"]);
        }
    }

    pub(super) fn is_busy(&self) -> bool {
        !matches!(self.activity, Activity::None)
    }

    /// Expects a search of the game; with `play` its best move is played.
    pub(super) fn start_search(&mut self, game: Game, play: bool) {
        self.activity = Activity::Search { table: Table { game, report: None }.into(), play };
        if is_dumb() {
            self.print(&header(size().1));
        }
    }

    /// Prints lines below everything else.
    pub(super) fn print(&mut self, text: &str) {
        self.drawn = 0;
        write_all(&[text, "\n"]);
    }

    fn on_report(&mut self, report: &SearchReport) {
        let Activity::Search { table, .. } = &mut self.activity else { return };
        table.report = Some(report.clone());
        if !is_dumb() {
            self.redraw();
        } else if !table.is_preliminary() {
            self.print_rows();
        }
    }

    /// Prints the rows of the table below everything else.
    fn print_rows(&mut self) {
        let Activity::Search { table, .. } = &self.activity else { return };
        let rows = table.rows(size().1);
        rows.iter().skip(1).for_each(|row| self.print(row));
    }

    /// Draws the table over the last one, unless the window has another width now.
    fn redraw(&mut self) {
        let Activity::Search { table, .. } = &self.activity else { return };
        let (height, width) = size();
        // A window may begin a new line as soon as its last column is written.
        let mut rows = table.rows(width.saturating_sub(1));
        rows.truncate(height.saturating_sub(2).max(2));
        let up = if width == mem::replace(&mut self.width, width) { self.drawn } else { 0 };
        let text = |line_end: &str| rows.iter().map(|row| format!("{row}\x1b[K{line_end}")).collect::<String>();
        if up == rows.len() {
            // The cursor goes back to where it was, since the person may be typing there. Without a line end, this is
            // one write, which the terminal does not interrupt to echo what is typed: an Enter would move the cursor.
            write_all(&["\x1b7", &format!("\x1b[{up}A\r"), &text("\x1b[B\r"), "\x1b8"]);
        } else {
            let home = if up > 0 { format!("\x1b[{up}A\r\x1b[J") } else { "\r".to_owned() };
            write_all(&[&home, &text("\n")]);
        }
        self.drawn = rows.len();
    }

    /// Shows the result of a search, and plays the move if that was wanted.
    fn on_best_move(&mut self, best: Option<Move>) {
        if self.drawn > 0 {
            self.redraw();
        }
        if is_dumb() && matches!(&self.activity, Activity::Search { table, .. } if table.is_preliminary()) {
            self.print_rows();
        }
        let Activity::Search { table, play } = mem::take(&mut self.activity) else { return };
        if let Some(best) = best {
            let mut game = table.game.clone();
            let text = style(numbered(game.position(), &[best])).bold();
            self.print(&format!("{} {text}", if play { "Sleight plays" } else { "Best move:" }));
            if play {
                game.play(best);
                self.print(&board::draw(&game));
                self.prompt = prompt(&game);
                self.played = Some(best);
            }
        }
        self.ask();
    }

    /// Asks for the next line, unless one is being executed or something is in progress.
    fn ask(&mut self) {
        if self.interactive && !self.suspended && !self.uci && !self.is_busy() {
            write_all(&[&style(&self.prompt).bold().to_string(), " "]);
        }
    }
}

/// Rows and columns of the window.
fn size() -> (usize, usize) {
    let (rows, columns) = Term::stdout().size();
    // A pseudo-terminal may have no size.
    let or = |size: u16, default: usize| if size == 0 { default } else { size.into() };
    (or(rows, 24), or(columns, 80))
}
