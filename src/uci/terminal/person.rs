//! The person at the terminal: what they are told, and what they are waiting for.

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
};

use super::{
    super::{
        NAME,
        print::{Audience, Protocol, printable, put},
    },
    board,
    game::Game,
    paint::{Paint, size},
    screen::Screen,
    search::Search,
};
use crate::{
    engine::Event,
    types::{Color, Move},
};

/// Shared by the thread that reads and the one in which the engine speaks.
pub(in super::super) struct Person(Mutex<State>);

pub(super) struct State {
    pub(super) screen: Screen,
    pub(super) game: Game,
    /// The engine does not know the last move yet.
    pub(super) unsent: bool,
    /// Those that have been asked for and are not over, in order.
    searches: VecDeque<Search>,
    /// How many tasks are not over.
    tasks: usize,
    /// A line is being obeyed: there will be more to say.
    attending: bool,
    /// Whether there is a person to type anything.
    talking: bool,
    /// A program listens from now on.
    protocol: bool,
    /// A right line with the command that was given last.
    example: Option<&'static str>,
    /// Whether anything was wrong with the last line.
    complained: bool,
}

impl Person {
    /// One who types, if `talking`, or only reads.
    pub(in super::super) fn new(talking: bool) -> Self {
        Self(Mutex::new(State {
            screen: Screen::new(Paint::detect()),
            game: Game::new(),
            unsent: false,
            searches: VecDeque::new(),
            tasks: 0,
            attending: false,
            talking,
            protocol: false,
            example: None,
            complained: false,
        }))
    }

    /// Nothing waits for the engine while holding this.
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Audience for Person {
    fn hear(&self, event: &Event<'_>) {
        let mut state = self.state();
        if matches!(event, Event::Identity) {
            state.give_way();
        }
        match event {
            _ if state.protocol => Protocol.hear(event),
            Event::Identity => {}
            Event::Ready => state.screen.say("Ready."),
            Event::Message(text) => state.note(text),
            Event::Report { report, .. } => state.follow(|search| search.note(report)),
            Event::Progress { current, number, nodes, time, .. } => {
                state.follow(|search| search.set_progress(*current, *number, *nodes, *time));
            }
            Event::BestMove { best, .. } => state.conclude(*best),
        }
    }

    fn show(&self, text: &str) {
        let mut state = self.state();
        if state.protocol { Protocol.show(text) } else { state.screen.say(text) }
    }

    fn task_ended(&self) {
        let mut state = self.state();
        state.tasks = state.tasks.saturating_sub(1);
        state.prompt();
    }
}

impl State {
    pub(super) fn greet(&mut self) {
        if self.talking {
            let name = self.screen.paint.bold(NAME);
            let hint = "Type a move such as e4, `play` to let Sleight move, `go` to search, or `help`.";
            self.screen.say(&format!("{name}, a chess engine\n{hint}"));
            self.prompt();
        }
    }

    /// A line has come.
    pub(super) fn attend(&mut self) {
        self.attending = true;
        self.example = None;
        self.complained = false;
        if self.talking {
            self.screen.typed();
        }
    }

    /// A line has been obeyed, as far as that can be done at once.
    pub(super) fn rest(&mut self) {
        self.attending = false;
        self.prompt();
    }

    /// There will be no more lines.
    pub(super) fn part(&mut self) {
        if self.talking {
            self.screen.part();
        }
        self.talking = false;
    }

    pub(super) fn is_busy(&self) -> bool {
        !self.searches.is_empty() || self.tasks > 0
    }

    pub(super) fn has_complained(&self) -> bool {
        self.complained
    }

    pub(super) fn expect_search(&mut self, reply: bool) {
        self.searches.push_back(Search::new(self.game.position().clone(), reply));
    }

    pub(super) fn expect_task(&mut self) {
        self.tasks += 1;
    }

    /// What to show when something is wrong with this line.
    pub(super) fn set_example(&mut self, example: &'static str) {
        self.example = Some(example);
    }

    pub(super) fn complain(&mut self, error: &str) {
        self.complained = true;
        // Some errors say themselves what to try.
        let example = self.example.take().filter(|_| !error.contains("try `"));
        let example = example.map(|example| format!("; try `{example}`"));
        let text = printable(error) + &example.unwrap_or_default();
        let text = self.screen.paint.warn(&text);
        self.screen.say(&text);
    }

    pub(super) fn show_board(&mut self) {
        let board = board::drawn(&self.game, self.screen.paint);
        self.screen.say(&format!("{board}\n"));
    }

    fn note(&mut self, text: &str) {
        match text.strip_prefix("error: ") {
            Some(error) => self.complain(error),
            None => {
                let text = self.screen.paint.dim(&printable(text));
                self.screen.say(&text);
            }
        }
    }

    /// Notes what is new of the search in progress, and shows it.
    fn follow(&mut self, note: impl FnOnce(&mut Search)) {
        let Some(search) = self.searches.front_mut() else { return };
        note(search);
        let (paint, (height, width)) = (self.screen.paint, size());
        if paint.moves {
            let mut rows = search.rows(paint, width);
            rows.truncate(height.saturating_sub(3).max(1));
            let hint = if self.talking { "Scores are as White sees them. Enter stops. " } else { "" };
            self.screen.update(&rows, &paint.dim(hint));
        } else if let Some(rows) = search.news(paint, width) {
            self.screen.say(&rows);
        }
    }

    /// Tells what a search came to, and plays the move if that was wanted.
    fn conclude(&mut self, best: Option<Move>) {
        self.screen.clear();
        let Some(search) = self.searches.pop_front() else { return };
        let (paint, width) = (self.screen.paint, size().1);
        match best {
            None => {
                let end = self.game.end().unwrap_or("There is no move.");
                self.screen.say(&paint.warn(end));
            }
            Some(best) if search.is_reply() => {
                self.screen.say(&search.answer(best, paint));
                self.game.play(best);
                self.unsent = true;
                self.show_board();
            }
            Some(best) => self.screen.say(&search.summary(best, paint, width)),
        }
        self.prompt();
    }

    /// Asks for the next line, unless something is still to be said.
    fn prompt(&mut self) {
        if !self.talking || self.attending || self.protocol || self.is_busy() {
            return;
        }
        let position = self.game.position();
        let number = position.fullmove_number();
        let side = position.side_to_move();
        let dots = if side == Color::White { "." } else { "..." };
        let text = self.screen.paint.bold(&format!("{number}{dots} {}>", board::side_name(side)));
        self.screen.prompt(&format!("{text} "));
    }

    /// From now on, the protocol is spoken.
    fn give_way(&mut self) {
        put(&[self.screen.free_line()]);
        self.protocol = true;
    }
}
