//! The UCI protocol: commands from standard input, answers on standard output. At a terminal the answers are for a
//! person.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod explained;
mod front;
mod input;
mod parse;
mod print;
mod tasks;
mod terminal;
mod tokens;

use std::{io, process, sync::Arc, thread, time::Duration};

use crossbeam_channel::unbounded;

pub use print::{mention, print};
pub use tasks::run_bench;

use self::{
    front::Front,
    print::{Audience, Protocol},
    terminal::{Person, Session},
};

/// Whether a line begins with the name of a command.
pub fn is_command(line: &[u8]) -> bool {
    String::from_utf8_lossy(line).split_whitespace().next().is_some_and(|word| input::Keyword::of(word).is_some())
}

use crate::{engine::Engine, search::Control};

/// The name that the engine goes by.
pub const NAME: &str = concat!("Sleight ", env!("CARGO_PKG_VERSION"));
const AUTHOR: &str = "the Sleight developers";

/// How long to wait before asking again a pipe that is set not to wait.
const NAP: Duration = Duration::from_millis(1);

/// Where commands come from.
#[derive(Debug)]
pub enum Source {
    /// Standard input, until it ends.
    Input,
    /// These lines, each when the one before it has been done; then the end.
    Script(Vec<Vec<u8>>),
}

/// What a line of input, given without its line end, is taken for. Meant for fuzzing: every byte string has an answer.
pub fn reading(line: &[u8]) -> String {
    format!("{:?}", parse::parse(line))
}

/// Ends the process soon, should it not have ended by itself: a file may not answer, or nobody take what is written.
fn leave_in_any_case() {
    const PATIENCE: Duration = Duration::from_secs(3);
    let leave = || {
        thread::sleep(PATIENCE);
        process::exit(0);
    };
    if let Err(error) = thread::Builder::new().name("end".to_owned()).spawn(leave) {
        log::warn!("no thread to see to the end: {error}");
    }
}

/// Speaks UCI until told to quit or until there is no more input.
///
/// # Errors
/// When the system grants no thread or no memory to begin with.
pub fn run(source: Source) -> io::Result<()> {
    let control = Arc::new(Control::new());
    let (sender, commands) = unbounded();
    let person = terminal::is_present().then(|| Arc::new(Person::new(terminal::is_typed(&source))));
    let audience: Arc<dyn Audience> = match &person {
        Some(person) => person.clone(),
        None => Arc::new(Protocol),
    };
    let front = Front::new(control.clone(), sender, audience.clone(), leave_in_any_case);
    let engine = Engine::new(control, move |event| audience.hear(&event))?;
    // Not joined: it may wait for input when the engine has nothing more to do.
    thread::Builder::new().name("reader".to_owned()).spawn(move || match (person, source) {
        (None, Source::Input) => front.read(io::stdin().lock()),
        (None, Source::Script(lines)) => front.play(&lines),
        (Some(person), Source::Input) => Session::new(front, person).read(io::stdin().lock()),
        (Some(person), Source::Script(lines)) => Session::new(front, person).play(&lines),
    })?;
    engine.run(commands);
    Ok(())
}
