//! What a person at a terminal sees.

use std::{
    mem,
    sync::{Mutex, MutexGuard, PoisonError},
};

use console::{Term, is_dumb, style};

use super::{
    super::print::{NAME, OutputSink, UciOutput, printable, write_all},
    board,
    game::{Game, numbered},
    table::{Table, header},
};
use crate::{
    engine::{EngineError, EngineOptions, Event, Notice},
    movegen::legal_moves,
    search::SearchReport,
    types::{Color, Move},
};

/// The terminal, shared by the reader thread and the engine thread.
pub(in super::super) struct Terminal(Mutex<State>);

pub(super) struct State {
    pub(super) game: Game,
    activity: Activity,
    /// A person types: there is a prompt.
    interactive: bool,
    /// A line is being executed: the prompt comes when it is done.
    suspended: bool,
    /// UCI is spoken from now on.
    uci: bool,
    /// Lines from the first row of the table down to the cursor; 0 without a table to write over.
    drawn: usize,
    /// Width of the window when the table was drawn.
    width: usize,
}

/// The search or task in progress.
#[derive(Default)]
enum Activity {
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
    pub(in super::super) fn new(interactive: bool) -> Self {
        Self(Mutex::new(State {
            game: Game::default(),
            activity: Activity::None,
            interactive,
            suspended: false,
            uci: false,
            drawn: 0,
            width: 0,
        }))
    }

    /// Must not be held while waiting for the engine.
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OutputSink for Terminal {
    fn on_event(&self, event: &Event<'_>, options: &EngineOptions) {
        let mut state = self.state();
        state.uci |= matches!(event, Event::Identity);
        match event {
            _ if state.uci => UciOutput.on_event(event, options),
            // `sleight --version` tells a person what it runs on.
            Event::Identity | Event::Progress(_) | Event::Notice(Notice::Machine { .. }) => {}
            Event::Ready => state.print("readyok"),
            Event::Notice(notice) => state.notice(notice),
            Event::Error(error) => state.error(error),
            Event::Report(report) => state.on_report(report),
            Event::BestMove { best, .. } => state.on_best_move(*best),
        }
    }

    fn show(&self, text: &str) {
        self.state().print(text);
    }

    fn on_task_end(&self) {
        let mut state = self.state();
        state.activity = Activity::None;
        state.prompt();
    }
}

impl State {
    pub(super) fn greet(&mut self) {
        if self.interactive {
            self.print(&format!("{}, a chess engine", style(NAME).bold()));
            self.print("Type a move such as e4, `play` to let Sleight move, `go` to search until Enter, or `help`.");
            self.prompt();
        }
    }

    /// A line has been typed.
    pub(super) fn suspend(&mut self) {
        self.suspended = true;
        if self.drawn > 0 {
            self.drawn += 1;
        }
    }

    /// The line has been executed.
    pub(super) fn resume(&mut self) {
        self.suspended = false;
        self.prompt();
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

    /// Expects a search of the position on the board; `false` if there is nothing to search.
    pub(super) fn start_search(&mut self, play: bool) -> bool {
        let position = self.game.position();
        if legal_moves(position).is_empty() {
            self.show_board();
            return false;
        }
        self.activity = Activity::Search { table: Table::new(position.clone()).into(), play };
        if is_dumb() {
            self.print(&header(size().1));
        }
        true
    }

    pub(super) fn start_task(&mut self) {
        self.activity = Activity::Task;
    }

    /// Prints lines below everything else.
    pub(super) fn print(&mut self, text: &str) {
        self.drawn = 0;
        write_all(&[text, "\n"]);
    }

    pub(super) fn notice(&mut self, notice: &Notice) {
        self.print(&style(printable(&notice.to_string())).dim().to_string());
    }

    pub(super) fn error(&mut self, error: &EngineError) {
        let suggestion = error.suggestion().map_or_else(String::new, |suggestion| format!("; try `{suggestion}`"));
        self.print(&style(printable(&format!("{error}{suggestion}"))).red().bold().to_string());
    }

    pub(super) fn show_board(&mut self) {
        self.print(&board::draw(&self.game));
    }

    fn on_report(&mut self, report: &SearchReport) {
        let Activity::Search { table, .. } = &mut self.activity else { return };
        table.update(report);
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
            let text = style(numbered(table.position(), &[best])).bold();
            self.print(&format!("{} {text}", if play { "Sleight plays" } else { "Best move:" }));
            if play {
                self.game.play(best);
                self.show_board();
            }
        }
        self.prompt();
    }

    /// Asks for the next line, unless one is being executed or something is in progress.
    fn prompt(&mut self) {
        if self.interactive && !self.suspended && !self.uci && !self.is_busy() {
            let position = self.game.position();
            let side = position.side_to_move();
            let dots = if side == Color::White { "." } else { "..." };
            let prompt = format!("{}{dots} {}>", position.fullmove_number(), board::name(side));
            write_all(&[&style(prompt).bold().to_string(), " "]);
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
