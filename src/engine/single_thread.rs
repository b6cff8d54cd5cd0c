//! The engine where there are no threads: reading commands, searching and answering take turns. A search and a long
//! task let the other two have theirs about once in a millisecond.

use std::{
    cell::{Cell, RefCell},
    ops::ControlFlow,
    rc::Rc,
    time::Instant,
};

use super::{
    command_channel::CommandReceiver,
    event::Event,
    event_loop::{Engine, PROGRESS_INTERVAL},
    options::EngineOptions,
};
use crate::util::background;

/// Where commands come from: what is read is sent through the channel to the engine.
pub(crate) trait Input {
    /// Reads and executes one line, and waits for it. Breaks after the last one.
    fn read(&mut self) -> ControlFlow<()>;
    /// True if [`Self::read`] would not wait. `held` if only a further command can end the search in progress.
    fn is_ready(&self, held: bool) -> bool;
}

struct SingleThread<E, I> {
    engine: RefCell<Engine<E>>,
    commands: CommandReceiver,
    /// `None` after the end of the input.
    input: RefCell<Option<I>>,
    /// When a search in progress was last asked for the root move that it is at.
    asked: Cell<Instant>,
}

impl<E: FnMut(Event<'_>, &EngineOptions) + 'static> Engine<E> {
    /// Executes the commands that `input` sends until told to quit, or until the end of the input.
    pub(crate) fn run_with(self, commands: CommandReceiver, input: impl Input + 'static) {
        let state = Rc::new(SingleThread {
            engine: RefCell::new(self),
            commands,
            input: RefCell::new(Some(input)),
            asked: Cell::new(Instant::now()),
        });
        let polled = state.clone();
        background::on_poll(Rc::new(move || polled.poll()));
        loop {
            state.execute();
            if state.engine.borrow().is_done() {
                return;
            }
            match background::next() {
                Some(work) => work(),
                None if state.input.borrow().is_none() => return,
                None => state.read(),
            }
        }
    }
}

impl<E: FnMut(Event<'_>, &EngineOptions), I: Input> SingleThread<E, I> {
    /// Lets the engine execute the commands and take in the events so far.
    fn execute(&self) {
        self.engine.borrow_mut().execute_all(&self.commands);
    }

    fn read(&self) {
        let mut input = self.input.borrow_mut();
        if input.as_mut().is_some_and(|input| input.read().is_break()) {
            *input = None;
            self.engine.borrow_mut().end_input();
        }
    }

    /// Reads the commands that are there.
    fn poll(&self) {
        self.execute();
        if self.asked.get().elapsed() >= PROGRESS_INTERVAL {
            self.asked.set(Instant::now());
            self.engine.borrow_mut().report_progress();
        }
        let is_ready = || {
            let held = self.engine.borrow().is_held();
            self.input.borrow().as_ref().is_some_and(|input| input.is_ready(held))
        };
        while is_ready() {
            self.read();
            self.execute();
        }
    }
}
