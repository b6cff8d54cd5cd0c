//! Commands where there are no threads (WebAssembly).

use std::{
    collections::VecDeque,
    io::{self, BufReader, StdinLock},
    ops::ControlFlow::{self, Break},
    sync::Arc,
};

use super::{Source, frontend::UciFrontend, parse::parse, print::OutputSink, print::UciOutput};
use crate::{
    engine::{BACKLOG_BYTES, Engine, Input, command_channel},
    search::Control,
    util::input_ready,
};

/// More than the standard library's own buffer has, which is empty then.
const BUFFER_BYTES: usize = 1 << 16;

/// Reads and executes commands until `quit` or the end of the input.
///
/// # Errors
/// When memory cannot be allocated.
pub(crate) fn run(source: Source) -> io::Result<()> {
    let control = Arc::new(Control::new());
    let (sender, commands) = command_channel(BACKLOG_BYTES);
    let frontend = UciFrontend::new(control.clone(), sender, Arc::new(UciOutput), || {});
    let engine = Engine::new(control, |event, options| UciOutput.on_event(&event, options))?;
    match source {
        Source::Input => {
            let reader = BufReader::with_capacity(BUFFER_BYTES, io::stdin().lock());
            engine.run_with(commands, Lines { frontend, reader });
        }
        Source::Script(lines) => engine.run_with(commands, Script { frontend, lines: lines.into() }),
    }
    Ok(())
}

/// Standard input.
struct Lines {
    frontend: UciFrontend,
    reader: BufReader<StdinLock<'static>>,
}

impl Input for Lines {
    fn read(&mut self) -> ControlFlow<()> {
        self.frontend.read_line(&mut self.reader)
    }

    fn is_ready(&self, _held: bool) -> bool {
        !self.frontend.is_full() && (!self.reader.buffer().is_empty() || input_ready())
    }
}

/// Lines that are executed one by one, each when the one before it is done.
struct Script {
    frontend: UciFrontend,
    lines: VecDeque<Vec<u8>>,
}

impl Input for Script {
    fn read(&mut self) -> ControlFlow<()> {
        match self.lines.pop_front() {
            Some(line) => self.frontend.execute(parse(&line)),
            None => Break(()),
        }
    }

    fn is_ready(&self, held: bool) -> bool {
        held
    }
}
