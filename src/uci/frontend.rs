//! The reader thread: what must happen at once when a line has been read.

use std::{
    io::BufRead,
    ops::ControlFlow::{self, Break, Continue},
    sync::Arc,
    time::Instant,
};

use super::{
    input::{Input, Parsed},
    lines::{Line, MAX_LINE, next_line},
    parse::parse,
    print::OutputSink,
    tasks,
};
#[cfg(not(single_threaded))]
use crate::util::sync::bounded;
use crate::{
    engine::{Command, CommandSender, Go, InputError, SetupError, Task},
    search::Control,
};

/// The reader's side of the engine. It numbers the searches and raises their stops itself, so that no stop waits
/// behind a slow command, none is lost, and none hits a later search.
pub(super) struct UciFrontend {
    control: Arc<Control>,
    commands: CommandSender,
    /// Where the output of tasks goes.
    pub(super) sink: Arc<dyn OutputSink>,
    /// Number of the last search or task.
    searches: u64,
    /// Length of the line in progress.
    line_bytes: usize,
    /// Called on `quit`.
    on_quit: fn(),
}

impl UciFrontend {
    pub(super) fn new(
        control: Arc<Control>,
        commands: CommandSender,
        sink: Arc<dyn OutputSink>,
        on_quit: fn(),
    ) -> Self {
        Self { control, commands, sink, searches: 0, line_bytes: 0, on_quit }
    }

    /// Executes the lines of `source` until `quit` or its end.
    #[cfg(not(single_threaded))]
    pub(super) fn read(mut self, mut source: impl BufRead) {
        while self.read_line(&mut source).is_continue() {}
    }

    /// Executes the next line of `source`. Breaks after `quit` or at the end.
    pub(super) fn read_line(&mut self, source: &mut impl BufRead) -> ControlFlow<()> {
        let line = next_line(source);
        self.line_bytes = match &line {
            Line::Bytes(line) | Line::TooLong(line) => line.len(),
            Line::End => 0,
        };
        match line {
            Line::Bytes(line) => self.execute(parse(&line)),
            Line::TooLong(beginning) => self.skip(&beginning),
            Line::End => Break(()),
        }
    }

    /// Skips a line that is too long. If it was a `position`, there is no position now; a `go` must be answered, and
    /// gets the limits that could be read.
    fn skip(&mut self, beginning: &[u8]) -> ControlFlow<()> {
        self.report_error(InputError::LineTooLong(MAX_LINE))?;
        match parse(beginning) {
            Parsed { input: Some(Input::Engine(Command::Position(_))), .. } => {
                self.send(Command::Position(Err(SetupError::TooLong)))
            }
            search @ Parsed { input: Some(Input::Go(_)), .. } => self.execute(search),
            _ => Continue(()),
        }
    }

    /// Executes lines one by one, each when what the one before it began has ended, or when only a further command can
    /// end it.
    #[cfg(not(single_threaded))]
    pub(super) fn run_script(mut self, script: &[Vec<u8>]) {
        for line in script {
            if self.execute(parse(line)).is_break() || self.wait_idle().is_break() {
                return;
            }
        }
    }

    /// Waits until every command so far is done, or only a further command can end the search in progress.
    #[cfg(not(single_threaded))]
    pub(super) fn wait_idle(&self) -> ControlFlow<()> {
        let (sender, done) = bounded(0);
        self.send(Command::AwaitIdle(sender))?;
        // Nothing is ever sent: the engine drops the sender.
        let _ = done.recv();
        Continue(())
    }

    /// Stops every search and task so far.
    pub(super) fn stop(&self) -> ControlFlow<()> {
        self.control.stop(self.searches);
        self.send(Command::Wake)
    }

    /// Executes a line. Breaks after `quit`, or when the engine is gone.
    pub(super) fn execute(&mut self, line: Parsed) -> ControlFlow<()> {
        const MAX_ERRORS: usize = 5;
        let received = Instant::now();
        let Parsed { input, mut errors } = line;
        let more = errors.len().saturating_sub(MAX_ERRORS);
        errors.truncate(MAX_ERRORS);
        errors.extend((more > 0).then_some(InputError::MoreErrors(more)));
        for error in errors {
            self.report_error(error)?;
        }
        match input {
            None => Continue(()),
            Some(Input::Engine(command)) => self.send(command),
            Some(Input::Go(request)) => {
                self.control.stop(self.searches);
                self.searches += 1;
                self.send(Command::Go(Go { id: self.searches, received, request }))
            }
            Some(Input::Stop) => self.stop(),
            Some(Input::PonderHit) => {
                self.control.ponderhit(self.searches);
                self.send(Command::Wake)
            }
            Some(Input::Quit) => {
                (self.on_quit)();
                self.control.stop(self.searches);
                self.send(Command::Quit)?;
                Break(())
            }
            Some(Input::Perft(depth)) => self.run_task(|id, sink| tasks::perft(id, depth, sink)),
            Some(Input::Bench(depth)) => self.run_task(|id, sink| tasks::bench(id, depth, sink)),
            Some(Input::GenFens(command)) => self.run_task(|id, sink| tasks::genfens(id, command, sink)),
            Some(Input::Show(view)) => self.send(Command::Inspect(tasks::show(view, self.sink.clone()))),
        }
    }

    /// Runs a task that is numbered, and stopped, as a search is.
    fn run_task(&mut self, task: impl FnOnce(u64, Arc<dyn OutputSink>) -> Task) -> ControlFlow<()> {
        self.searches += 1;
        self.send(Command::Run(self.searches, task(self.searches, self.sink.clone())))
    }

    /// Reports an error behind the answers to the commands before it.
    fn report_error(&self, error: InputError) -> ControlFlow<()> {
        self.send(Command::ReportError(error))
    }

    pub(super) fn send(&self, command: Command) -> ControlFlow<()> {
        match self.commands.send(command, self.line_bytes) {
            Ok(()) => Continue(()),
            // The engine has ended.
            Err(_) => Break(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{super::print::UciOutput, *};
    use crate::engine::{BACKLOG_BYTES, command_channel};

    /// The commands that the engine is sent for these lines, and which searches are stopped in the end.
    fn sent(input: &[u8]) -> (Vec<String>, Vec<bool>) {
        let (sender, commands) = command_channel(BACKLOG_BYTES);
        let control = Arc::new(Control::new());
        UciFrontend::new(control.clone(), sender, Arc::new(UciOutput), || {}).read(input);
        let commands = commands.sent().map(|command| match command {
            Command::Go(go) => format!("Go {}", go.id),
            other => format!("{other:?}"),
        });
        (commands.collect(), (1..4).map(|search| control.is_stopped(search)).collect())
    }

    #[test]
    fn searches_are_numbered_and_stops_raised_on_reading() {
        assert_eq!(sent(b"go\n"), (vec!["Go 1".into()], vec![false; 3]), "the engine hears of the end by itself");
        assert_eq!(sent(b"go\nstop\ngo\n").1, [true, false, false]);
        assert_eq!(
            sent(b"go\ngo infinite\ngo depth 3\n"),
            ((1..4).map(|n| format!("Go {n}")).collect(), vec![true, true, false])
        );
        assert_eq!(
            sent(b"go\ngo\nponderhit\nquit\nisready\n"),
            (vec!["Go 1".into(), "Go 2".into(), "Wake".into(), "Quit".into()], vec![true, true, false])
        );
    }

    #[test]
    fn only_the_first_errors_of_a_line_are_reported() {
        let (commands, _) = sent(format!("go{}\n", " x".repeat(1000)).as_bytes());
        assert_eq!(commands.len(), 7);
        assert!(commands[5].contains("MoreErrors(995)"), "{commands:?}");
    }
}
