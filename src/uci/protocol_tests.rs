//! Model checking of the protocol: loom runs short scripts in the interleavings of the reader, the engine, a search
//! thread and a task. All of them are those of the engine but for what a search does between two looks at its flags.
//!
//! Run with `RUSTFLAGS="--cfg loom" cargo test --lib protocol_tests`.

use std::{
    mem,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};

use loom::thread::{self, JoinHandle};

use super::{frontend::UciFrontend, print::OutputSink};
use crate::{
    engine::{BACKLOG_BYTES, CLEARS_STOP, Engine, EngineError, EngineOptions, Event, command_channel},
    search::Control,
    util::sync::unbounded,
};

/// Stack of the reader and of the engine, in words.
const STACK: usize = 1 << 16;

/// Most times that a thread is interrupted while it could go on, in each execution; `LOOM_MAX_PREEMPTIONS` overrides
/// it.
const PREEMPTIONS: usize = 2;

/// The output of tasks, which no script looks at.
struct NoOutput;

impl OutputSink for NoOutput {
    fn on_event(&self, _event: &Event<'_>, _options: &EngineOptions) {}

    fn show(&self, _text: &str) {}
}

/// The answers to the commands of a script.
#[derive(Default, Debug)]
struct Answers {
    best_moves: u64,
    ready: usize,
    /// Lines since the last best move.
    lines: usize,
    /// Searches that were stopped to make room for a command.
    blocked: usize,
}

impl Answers {
    /// Takes an event in, and checks what must hold at that time.
    fn on_event(&mut self, event: &Event<'_>, control: &Control, held: bool) {
        match event {
            Event::Report(_) => self.lines += 1,
            Event::Ready => self.ready += 1,
            Event::BestMove { best, .. } => {
                assert!(best.is_some() && mem::take(&mut self.lines) > 0, "no search");
                self.best_moves += 1;
                let id = self.best_moves;
                assert!(!held || id > 1 || control.is_stopped(id) || control.is_ponderhit(id), "nothing released it");
            }
            Event::Error(EngineError::Backlog) => self.blocked += 1,
            Event::Error(error) => panic!("{error}"),
            _ => {}
        }
    }
}

/// What a client sends, and when.
#[derive(Clone, Copy)]
struct Script {
    lines: &'static str,
    /// Bytes of commands that may wait.
    backlog: usize,
    preemptions: usize,
    /// True if the input ends after the lines; false if it ends after the last best move, so that its end stops
    /// nothing.
    ends: bool,
}

impl Script {
    /// One execution.
    fn run(self) {
        let control = Arc::new(Control::new());
        let (sender, commands) = command_channel(self.backlog);
        let (told, best_moves) = unbounded();
        let answers = Arc::new(Mutex::new(Answers::default()));
        let engine = {
            let (control, answers) = (control.clone(), answers.clone());
            let held = self.lines.starts_with("go infinite") || self.lines.starts_with("go ponder");
            spawn(move || {
                let flags = control.clone();
                let output = move |event: Event<'_>, _: &EngineOptions| {
                    answers.lock().unwrap().on_event(&event, &flags, held);
                    if let Event::BestMove { .. } = event {
                        told.send(()).unwrap();
                    }
                };
                Engine::new(control, output).unwrap().run(commands);
            })
        };
        let reader = spawn(move || {
            let mut frontend = UciFrontend::new(control, sender, Arc::new(NoOutput), || {});
            let mut input = self.lines.as_bytes();
            while frontend.read_line(&mut input).is_continue() {}
            if self.ends {
                drop(frontend);
            }
            (0..self.count("go")).for_each(|_| best_moves.recv().unwrap());
        });
        reader.join().unwrap();
        engine.join().unwrap();
        let answers = answers.lock().unwrap();
        assert_eq!(
            (answers.best_moves as usize, answers.ready),
            (self.count("go"), self.count("isready")),
            "{answers:?}"
        );
        assert_eq!(answers.lines, 0, "something follows the best move");
        // Where one command fills the backlog, a `stop` behind one that waits may be read, and behind two it cannot.
        let waiting = self.count("flip");
        assert!((waiting.saturating_sub(1)..=waiting).contains(&answers.blocked), "{answers:?}");
    }

    /// Number of lines that begin with this word, but for `go perft`.
    fn count(self, word: &str) -> usize {
        self.lines.lines().filter(|line| line.starts_with(word) && !line.contains("perft")).count()
    }

    /// Executes the script in every interleaving with so many preemptions.
    fn check(self) {
        let mut model = loom::model::Builder::new();
        model.preemption_bound.get_or_insert(self.preemptions);
        let executions = Arc::new(AtomicUsize::new(0));
        let counter = executions.clone();
        model.check(move || {
            counter.fetch_add(1, Relaxed);
            self.run();
        });
        println!("{:?}: {executions:?} interleavings", self.lines);
    }
}

fn spawn(work: impl FnOnce() + Send + 'static) -> JoinHandle<()> {
    thread::Builder::new().stack_size(STACK).spawn(work).unwrap()
}

fn check(lines: &'static str) {
    Script { lines, backlog: BACKLOG_BYTES, preemptions: PREEMPTIONS, ends: false }.check();
}

fn check_to_end(lines: &'static str) {
    Script { lines, backlog: BACKLOG_BYTES, preemptions: PREEMPTIONS, ends: true }.check();
}

#[test]
fn go_stop_go() {
    check("go infinite\nstop\ngo depth 1");
}

#[test]
fn a_stop_for_a_held_move() {
    check("go infinite depth 1\nstop");
}

#[test]
fn a_go_ends_the_one_before() {
    check("go infinite\ngo depth 1");
}

#[test]
fn ponderhit_and_stop() {
    check("go ponder movetime 1\nponderhit\nstop");
}

#[test]
fn ponderhit_alone() {
    check("go ponder movetime 1\nponderhit");
    check("go ponder depth 1\nponderhit");
}

#[test]
fn quit() {
    check("go infinite\nquit");
}

#[test]
fn isready_in_a_search() {
    check("go infinite\nisready\nstop");
}

#[test]
fn position_in_a_search() {
    check("go infinite\nposition startpos moves e2e4\nstop");
}

#[test]
fn end_of_input() {
    check_to_end("go infinite");
    check_to_end("go ponder depth 1");
    check_to_end("go depth 1");
}

#[test]
fn a_task_before_a_search() {
    check("go perft 1\ngo depth 1");
}

/// A stop behind more commands than may wait.
#[test]
fn a_full_backlog() {
    let script = Script { lines: "go infinite\nflip\nstop", backlog: 1, preemptions: PREEMPTIONS, ends: false };
    script.check();
    Script { lines: "go infinite\nflip\nflip\nstop", preemptions: 1, ..script }.check();
}

/// A command that fills the backlog and need not wait for the search does not stop it.
#[test]
fn a_full_backlog_that_empties() {
    Script { lines: "go infinite\nisready\nstop", backlog: 1, preemptions: PREEMPTIONS, ends: false }.check();
}

/// The checker finds a stop that is lost: the search never ends.
#[test]
#[should_panic(expected = "exceeded maximum number of branches")]
fn a_stop_cleared_at_the_start_of_a_search_is_lost() {
    CLEARS_STOP.set(true);
    check("go infinite\nstop");
}
