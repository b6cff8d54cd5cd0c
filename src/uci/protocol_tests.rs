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

use loom::thread;
use once_cell::sync::OnceCell;

use super::{
    parse::{Parsed, parse},
    print::Output,
    session::Session,
};
use crate::{
    engine::{BACKLOG_BYTES, Client, Engine, EngineError, EngineOptions, Event},
    search::{Control, model_worker::CLEARS_STOP},
    util::sync::{Sender, unbounded},
};

/// Stack of the reader, in words.
const STACK: usize = 1 << 16;

/// Most steps of an execution: more mean that a search does not end.
const MAX_BRANCHES: usize = 3000;

/// Most times that a thread is interrupted while it could go on, in each execution; `LOOM_MAX_PREEMPTIONS` overrides
/// it.
const PREEMPTIONS: usize = 2;

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

/// A client that checks what must hold at each event.
struct Checker {
    answers: Arc<Mutex<Answers>>,
    told: Sender<()>,
    /// True if the first best move has to wait for a `stop` or `ponderhit`.
    held: bool,
    control: OnceCell<Arc<Control>>,
}

impl Client for Checker {
    fn on_event(&self, event: &Event<'_>, _options: &EngineOptions) {
        // Threads of a model share one of the system, which must not wait for itself: nothing of the model is touched
        // under a lock of the standard library.
        let control = self.control.get();
        let is_released = control.is_none_or(|control| control.is_stopped(1) || control.is_ponderhit(1));
        let mut answers = self.answers.lock().unwrap();
        match event {
            Event::Report(_) => answers.lines += 1,
            Event::Ready => answers.ready += 1,
            Event::BestMove { best, .. } => {
                assert!(best.is_some() && mem::take(&mut answers.lines) > 0, "no search");
                answers.best_moves += 1;
                assert!(!self.held || answers.best_moves > 1 || is_released, "nothing released it");
                drop(answers);
                self.told.send(()).unwrap();
            }
            Event::Error(EngineError::Backlog) => answers.blocked += 1,
            Event::Error(error) => panic!("{error}"),
            _ => {}
        }
    }
}

impl Output for Checker {
    fn show(&self, _text: &str) {}

    fn notice(&self, _text: &str) {}

    fn error(&self, text: &str, _example: Option<&str>) {
        panic!("{text}");
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
    fn run(self, lines: Vec<(usize, Parsed)>) {
        let (told, best_moves) = unbounded();
        let answers = Arc::new(Mutex::new(Answers::default()));
        let held = self.lines.starts_with("go infinite") || self.lines.starts_with("go ponder");
        let checker = Checker { answers: answers.clone(), told, held, control: OnceCell::new() };
        let reader = thread::Builder::new().stack_size(STACK).spawn(move || {
            let checker = Arc::new(checker);
            let mut engine = Engine::start(checker.clone(), self.backlog).unwrap();
            checker.control.set(engine.control().clone()).unwrap();
            for (line_bytes, line) in lines {
                let mut session = Session { engine: &mut engine, output: checker.clone(), line_bytes };
                if session.execute(line).is_break() {
                    break;
                }
            }
            if !self.ends {
                (0..self.count("go")).for_each(|_| best_moves.recv().unwrap());
            }
            engine.end();
        });
        reader.unwrap().join().unwrap();
        let answers = answers.lock().unwrap();
        let counts = (answers.best_moves as usize, answers.ready);
        assert_eq!(counts, (self.count("go"), self.count("isready")), "{answers:?}");
        assert_eq!(answers.lines, 0, "something follows the best move");
        // Where one command fills the backlog, a `stop` behind one that waits may be read, and behind two it cannot.
        let waiting = self.count("ucinewgame");
        assert!((waiting.saturating_sub(1)..=waiting).contains(&answers.blocked), "{answers:?}");
    }

    /// Number of lines that begin with this word, but for `go perft`.
    fn count(self, word: &str) -> usize {
        self.lines.lines().filter(|line| line.starts_with(word) && !line.contains("perft")).count()
    }

    /// Executes the script in every interleaving with up to [`Self::preemptions`].
    fn check(self) {
        let mut model = loom::model::Builder::new();
        model.preemption_bound.get_or_insert(self.preemptions);
        model.max_branches = MAX_BRANCHES;
        let executions = Arc::new(AtomicUsize::new(0));
        let counter = executions.clone();
        // The library refuses to read on the stack of a model's thread.
        let lines: Vec<_> = self.lines.lines().map(|line| (line.len(), parse(line.as_bytes()))).collect();
        model.check(move || {
            counter.fetch_add(1, Relaxed);
            self.run(lines.clone());
        });
        println!("{:?}: {executions:?} interleavings", self.lines);
    }
}

const fn script(lines: &'static str) -> Script {
    Script { lines, backlog: BACKLOG_BYTES, preemptions: PREEMPTIONS, ends: false }
}

/// Tests that check scripts.
macro_rules! tests {
    ($($(#[$attribute:meta])* $name:ident: $($script:expr),+;)+) => {
        $($(#[$attribute])* #[test] fn $name() { $($script.check();)+ })+
    };
}

tests! {
    go_stop_go: script("go infinite\nstop\ngo depth 1");
    a_stop_for_a_held_move: script("go infinite depth 1\nstop");
    a_go_ends_the_one_before: script("go infinite\ngo depth 1");
    ponderhit_and_stop: script("go ponder movetime 1\nponderhit\nstop");
    ponderhit_alone: script("go ponder movetime 1\nponderhit"), script("go ponder depth 1\nponderhit");
    quit: script("go infinite\nquit");
    isready_in_a_search: script("go infinite\nisready\nstop");
    position_in_a_search: script("go infinite\nposition startpos moves e2e4\nstop");
    end_of_input:
        Script { ends: true, ..script("go infinite") },
        Script { ends: true, ..script("go ponder depth 1") },
        Script { ends: true, ..script("go depth 1") };
    a_task_before_a_search: script("go perft 1\ngo depth 1");
    /// A stop behind more commands than may wait.
    a_full_backlog:
        Script { backlog: 1, ..script("go infinite\nucinewgame\nstop") },
        Script { backlog: 1, preemptions: 1, ..script("go infinite\nucinewgame\nucinewgame\nstop") };
    /// A command that fills the backlog and need not wait for the search does not stop it.
    a_full_backlog_that_empties: Script { backlog: 1, ..script("go infinite\nisready\nstop") };
}

/// The checker finds a stop that is lost: the search never ends.
#[test]
#[should_panic(expected = "exceeded maximum number of branches")]
fn a_stop_cleared_at_the_start_of_a_search_is_lost() {
    CLEARS_STOP.set(true);
    script("go infinite\nstop").check();
}
