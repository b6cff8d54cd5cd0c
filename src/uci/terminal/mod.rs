//! Sleight at a terminal: a person types moves and commands, and sees boards and tables.
//!
//! The commands are the protocol's, read by the same parser and obeyed by the same engine; only what comes back is told
//! in other words. The game on the board lives here, and the engine is told of each change. After `uci`, a program may
//! be listening: from then on everything is as it is through a pipe.

mod board;
mod game;
mod help;
mod paint;
mod person;
mod screen;
mod search;
mod table;
mod words;

use std::{
    io::{self, BufRead, IsTerminal},
    ops::ControlFlow::{self, Break, Continue},
    sync::Arc,
};

pub(super) use paint::is_present;
pub(super) use person::Person;

use self::{game::Game, words::Entry};
use super::{
    Source,
    front::{Front, Line, next_line},
    input::{Input, Keyword, Parsed, View},
    print::Protocol,
};
use crate::{
    clock::Limits,
    engine::{Command, GameError, Setting},
};

/// Milliseconds that a move takes when nothing is said of it.
const REPLY_TIME: i64 = 1000;

/// Whether there is a person who types.
pub(super) fn is_typed(source: &Source) -> bool {
    matches!(source, Source::Input) && io::stdin().is_terminal()
}

/// The reader's side of a conversation with a person.
pub(super) struct Session {
    front: Front,
    person: Arc<Person>,
}

/// Why no more lines are read here.
enum End {
    /// The rest is for [`Front`].
    Protocol,
    /// There is no rest.
    Leave,
}

impl Session {
    /// A conversation with the one whom `front` addresses.
    pub(super) fn new(front: Front, person: Arc<Person>) -> Self {
        Self { front, person }
    }

    /// Reads commands until told to quit or until there are none.
    pub(super) fn read(mut self, mut source: impl BufRead) {
        self.person.state().greet();
        loop {
            let flow = match next_line(&mut source) {
                Line::Bytes(line) => self.attend(|session| session.obey(words::read(&line))),
                Line::TooLong(_) => self.attend(|session| session.complain("this line is too long to be read")),
                Line::End => break,
            };
            match flow {
                Continue(()) => {}
                Break(End::Protocol) => return self.front.read(source),
                Break(End::Leave) => return,
            }
        }
        self.person.state().part();
    }

    /// Obeys the commands of a script, each when the one before it has ended.
    pub(super) fn play(mut self, script: &[Vec<u8>]) {
        for (at, line) in script.iter().enumerate() {
            let flow = self.attend(|session| session.obey(words::read(line)));
            if self.front.settle().is_break() {
                return;
            }
            match flow {
                Continue(()) => {}
                Break(End::Protocol) => return self.front.play(&script[at + 1..]),
                Break(End::Leave) => return,
            }
        }
    }

    /// Does what a line says, and asks for the next one.
    fn attend(&mut self, obey: impl FnOnce(&mut Self) -> ControlFlow<End>) -> ControlFlow<End> {
        self.person.state().attend();
        if !self.is_busy() {
            self.tell_position()?;
        }
        obey(self)?;
        self.person.state().rest();
        Continue(())
    }

    fn obey(&mut self, entry: Entry) -> ControlFlow<End> {
        match entry {
            Entry::Empty if self.is_busy() => self.front.stop().map_break(|()| End::Leave),
            Entry::Empty | Entry::Nothing => Continue(()),
            Entry::Moves(moves) => self.change(|game| {
                let played = moves.iter().try_for_each(|text| game.play_text(text));
                played.map_err(|error| error.to_string())
            }),
            Entry::Undo(None) => self.complain("this is no number of moves; try `undo 2`"),
            Entry::Undo(Some(count)) => self.change(|game| match game.undo(count) {
                0 => Err("there is no move to take back".to_owned()),
                _ => Ok(()),
            }),
            Entry::New => {
                self.change(|game| {
                    *game = Game::new();
                    Ok(())
                })?;
                self.send(Command::NewGame)
            }
            Entry::Legal => {
                let mut state = self.person.state();
                let moves = state.game.moves();
                let over = state.game.end().filter(|_| moves.is_empty()).map(str::to_owned);
                let text = over.unwrap_or_else(|| table::listed(&moves, paint::size().1));
                state.screen.say(&text);
                Continue(())
            }
            Entry::Reply(go) => self.reply(go),
            Entry::Command(keyword, command) => self.command(keyword, command),
            Entry::Unknown(word) => {
                let meant = words::nearest(&word).map(|known| format!("`{known}`, or ")).unwrap_or_default();
                self.complain(&format!("`{word}` is neither a move nor a command; try {meant}`help`"))
            }
        }
    }

    /// Obeys a command that a program could have given.
    fn command(&mut self, keyword: Keyword, command: Parsed) -> ControlFlow<End> {
        self.person.state().set_example(help::example(keyword));
        match &command.input {
            Some(Input::Engine(Command::Identify)) => {
                self.front.audience = Arc::new(Protocol);
                self.pass_on(command)?;
                Break(End::Protocol)
            }
            Some(Input::Engine(Command::Position(setup))) => {
                let game = setup.clone().map_err(GameError::from).and_then(Game::of);
                for fault in &command.faults {
                    self.complain(&fault.to_string())?;
                }
                self.change(|current| {
                    *current = game.map_err(|error| error.to_string())?.0;
                    Ok(())
                })
            }
            Some(Input::Engine(Command::Flip)) => self.change(|game| {
                game.flip();
                Ok(())
            }),
            Some(Input::Engine(Command::SetOption(setting))) => {
                let done = confirmation(setting);
                self.set(command, &done)
            }
            Some(Input::Engine(Command::NewGame)) => self.set(command, "What was learnt so far is forgotten."),
            Some(Input::Engine(Command::Debug(_))) => self.set(command, "Very well."),
            Some(Input::Go(_)) => self.search(command, false),
            Some(Input::Perft(_) | Input::Bench(_) | Input::GenFens(_)) => {
                self.quiet()?;
                self.person.state().expect_task();
                self.pass_on(command)
            }
            Some(Input::Show(View::Board)) => {
                self.person.state().show_board();
                Continue(())
            }
            Some(Input::Show(View::Help)) => {
                let mut state = self.person.state();
                let text = help::text(state.screen.paint);
                state.screen.say(&text);
                Continue(())
            }
            Some(Input::Stop) if !self.is_busy() => {
                self.person.state().set_example("go");
                self.complain("nothing is being searched")
            }
            _ => {
                self.pass_on(command)?;
                if self.is_busy() { Continue(()) } else { self.settle() }
            }
        }
    }

    /// Searches, and has the move played.
    fn reply(&mut self, mut go: Parsed) -> ControlFlow<End> {
        self.person.state().set_example("play movetime 1000");
        let Some(Input::Go(request)) = &mut go.input else { return self.complain("this cannot be played") };
        if request.limits == Limits::default() {
            request.limits.move_time = Some(REPLY_TIME);
        }
        self.search(go, true)
    }

    /// Searches, unless there is nothing to search, which would be told only when the search is ended.
    fn search(&mut self, go: Parsed, reply: bool) -> ControlFlow<End> {
        self.quiet()?;
        let mut state = self.person.state();
        if let Some(end) = state.game.end().filter(|_| state.game.moves().is_empty()) {
            state.screen.say(end);
            return Continue(());
        }
        state.expect_search(reply);
        drop(state);
        self.pass_on(go)
    }

    /// Changes the game, unless something is wrong, and shows it.
    fn change(&mut self, change: impl FnOnce(&mut Game) -> Result<(), String>) -> ControlFlow<End> {
        self.quiet()?;
        let mut game = self.person.state().game.clone();
        if let Err(error) = change(&mut game) {
            return self.complain(&error);
        }
        let mut state = self.person.state();
        state.game = game;
        state.unsent = true;
        drop(state);
        self.tell_position()?;
        self.person.state().show_board();
        Continue(())
    }

    /// Has something set, and says so if nothing went wrong.
    fn set(&mut self, command: Parsed, done: &str) -> ControlFlow<End> {
        self.quiet()?;
        self.pass_on(command)?;
        self.settle()?;
        let mut state = self.person.state();
        if !state.has_complained() {
            state.screen.say(done);
        }
        Continue(())
    }

    /// Ends what is going on, since it would keep what follows waiting.
    fn quiet(&mut self) -> ControlFlow<End> {
        if self.is_busy() {
            self.front.stop().map_break(|()| End::Leave)?;
            self.settle()?;
            self.tell_position()?;
        }
        Continue(())
    }

    /// Tells the engine how the game stands, unless it knows.
    fn tell_position(&mut self) -> ControlFlow<End> {
        let mut state = self.person.state();
        if !std::mem::take(&mut state.unsent) {
            return Continue(());
        }
        let setup = state.game.setup().clone();
        drop(state);
        self.send(Command::Position(Ok(setup)))
    }

    fn is_busy(&self) -> bool {
        self.person.state().is_busy()
    }

    fn complain(&self, error: &str) -> ControlFlow<End> {
        self.person.state().complain(error);
        Continue(())
    }

    fn pass_on(&mut self, command: Parsed) -> ControlFlow<End> {
        self.front.obey(command).map_break(|()| End::Leave)
    }

    /// Has the engine do something that takes no time.
    fn send(&self, command: Command) -> ControlFlow<End> {
        self.front.send(command).map_break(|()| End::Leave)?;
        self.settle()
    }

    fn settle(&self) -> ControlFlow<End> {
        self.front.settle().map_break(|()| End::Leave)
    }
}

fn confirmation(setting: &Setting) -> String {
    match &setting.value {
        Some(value) => format!("{} is {} now.", setting.name, String::from_utf8_lossy(value)),
        None => "Done.".to_owned(),
    }
}
