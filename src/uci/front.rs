//! Standard input: its bytes, its lines, and what must happen at once when a line has been read.

use std::{
    io::{self, BufRead},
    ops::ControlFlow::{self, Break, Continue},
    sync::Arc,
    thread,
    time::Instant,
};

use crossbeam_channel::{Sender, bounded};

use super::{
    NAP,
    input::{Input, Parsed},
    parse::parse,
    print::Audience,
    tasks,
};
use crate::{
    engine::{Command, Go, SetupError, Task},
    search::Control,
};

/// Lines may be this long, in bytes.
const LONGEST_LINE: usize = 1 << 20;

/// A line of input.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Line {
    Bytes(Vec<u8>),
    /// With as many of its bytes as a line may have.
    TooLong(Vec<u8>),
    End,
}

/// The next line that can be read.
pub(super) fn next_line(source: &mut impl BufRead) -> Line {
    read_line(source).unwrap_or_else(|error| {
        log::warn!("input ends here: {error}");
        Line::End
    })
}

/// Reads up to the next newline. Carriage returns, NULs and a byte-order mark are no part of the line.
fn read_line(source: &mut impl BufRead) -> io::Result<Line> {
    let mut line = Vec::new();
    let mut too_long = false;
    loop {
        let chunk = match source.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                thread::sleep(NAP);
                continue;
            }
            chunk => chunk?,
        };
        let newline = chunk.iter().position(|&byte| byte == b'\n');
        let used = newline.unwrap_or(chunk.len());
        let at_end = chunk.is_empty();
        too_long |= line.len() + used > LONGEST_LINE;
        line.extend_from_slice(&chunk[..used.min(LONGEST_LINE - line.len())]);
        source.consume(newline.map_or(used, |at| at + 1));
        if newline.is_some() || at_end {
            break Ok(match (too_long, at_end && line.is_empty()) {
                (true, _) => Line::TooLong(clean(line)),
                (_, true) => Line::End,
                _ => Line::Bytes(clean(line)),
            });
        }
    }
}

fn clean(mut line: Vec<u8>) -> Vec<u8> {
    if line.starts_with(b"\xef\xbb\xbf") {
        line.drain(..3);
    }
    line.retain(|byte| !matches!(byte, b'\r' | 0));
    line
}

/// The reader's side of the engine. It numbers the searches and raises their stops itself, so that no stop waits
/// behind a slow command, none is lost, and none meets a later search.
pub(super) struct Front {
    control: Arc<Control>,
    commands: Sender<Command>,
    /// Who is shown what the commands ask for.
    pub(super) audience: Arc<dyn Audience>,
    /// How many searches have been asked for.
    searches: u64,
    /// Called when told to quit.
    on_quit: fn(),
}

impl Front {
    pub(super) fn new(
        control: Arc<Control>,
        commands: Sender<Command>,
        audience: Arc<dyn Audience>,
        on_quit: fn(),
    ) -> Self {
        Self { control, commands, audience, searches: 0, on_quit }
    }

    /// Reads commands until told to quit or until there are none.
    pub(super) fn read(mut self, mut source: impl BufRead) {
        loop {
            let flow = match next_line(&mut source) {
                Line::Bytes(line) => self.obey(parse(&line)),
                Line::TooLong(beginning) => self.skip(&beginning),
                Line::End => Break(()),
            };
            if flow.is_break() {
                return;
            }
        }
    }

    /// Passes over a line that is too long. If it set up a position, there is none now: the last one is not meant. A
    /// search is owed its move, and gets the limits that could be read.
    fn skip(&mut self, beginning: &[u8]) -> ControlFlow<()> {
        self.complain(&format!("skipped a line of over {LONGEST_LINE} bytes"))?;
        match parse(beginning) {
            Parsed { input: Some(Input::Engine(Command::Position(_))), .. } => {
                self.send(Command::Position(Err(SetupError::TooLong)))
            }
            search @ Parsed { input: Some(Input::Go(_)), .. } => self.obey(search),
            _ => Continue(()),
        }
    }

    /// Obeys the commands of a script one by one, each when what the one before it began has ended, unless nothing
    /// but a further command would end it.
    pub(super) fn play(mut self, script: &[Vec<u8>]) {
        for line in script {
            if self.obey(parse(line)).is_break() || self.settle().is_break() {
                return;
            }
        }
    }

    /// Waits until everything asked for so far has been done, or nothing but a further command would end it.
    pub(super) fn settle(&self) -> ControlFlow<()> {
        let (sender, ended) = bounded(0);
        self.send(Command::Await(sender))?;
        // Nothing is ever sent: the engine drops the sender.
        let _ = ended.recv();
        Continue(())
    }

    /// Stops everything asked for so far.
    pub(super) fn stop(&self) -> ControlFlow<()> {
        self.control.stop(self.searches);
        self.send(Command::Look)
    }

    /// Does what a line says. Breaks after the last command.
    pub(super) fn obey(&mut self, line: Parsed) -> ControlFlow<()> {
        const MOST_FAULTS: usize = 5;
        let received = Instant::now();
        let Parsed { input, faults } = line;
        for fault in faults.iter().take(MOST_FAULTS) {
            self.complain(&fault.to_string())?;
        }
        if faults.len() > MOST_FAULTS {
            self.complain(&format!("… and {} more such faults", faults.len() - MOST_FAULTS))?;
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
                self.send(Command::Look)
            }
            Some(Input::Quit) => {
                (self.on_quit)();
                self.control.stop(self.searches);
                self.send(Command::Quit)?;
                Break(())
            }
            Some(Input::Perft(depth)) => self.run(|id, to| tasks::perft(id, depth, to)),
            Some(Input::Bench(depth)) => self.run(|id, to| tasks::bench(id, depth, to)),
            Some(Input::GenFens(command)) => self.run(|id, to| tasks::genfens(id, command, to)),
            Some(Input::Show(view)) => self.send(Command::Inspect(tasks::show(view, self.audience.clone()))),
        }
    }

    /// Has a task run that can be stopped as a search can.
    fn run(&mut self, task: impl FnOnce(u64, Arc<dyn Audience>) -> Task) -> ControlFlow<()> {
        self.searches += 1;
        self.send(Command::Run(task(self.searches, self.audience.clone())))
    }

    /// Tells the user, in its turn, that something was not understood.
    pub(super) fn complain(&self, fault: &str) -> ControlFlow<()> {
        self.send(Command::Say(format!("error: {fault}")))
    }

    pub(super) fn send(&self, command: Command) -> ControlFlow<()> {
        match self.commands.send(command) {
            Ok(()) => Continue(()),
            // The engine has left.
            Err(_) => Break(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::{super::print::Protocol, *};

    /// Reads through a buffer so small that every line is cut somewhere.
    fn lines(input: &[u8]) -> Vec<Line> {
        let mut source = BufReader::with_capacity(3, input);
        let mut lines = Vec::new();
        loop {
            match read_line(&mut source).unwrap() {
                Line::End => return lines,
                line => lines.push(line),
            }
        }
    }

    fn bytes(line: &[u8]) -> Line {
        Line::Bytes(line.to_vec())
    }

    #[test]
    fn lines_end_at_newlines_and_at_the_end() {
        assert_eq!(lines(b""), []);
        assert_eq!(lines(b"\n"), [bytes(b"")]);
        assert_eq!(lines(b"isready\nquit"), [bytes(b"isready"), bytes(b"quit")]);
        assert_eq!(lines(b"isready\r\n\nquit\r\n"), [bytes(b"isready"), bytes(b""), bytes(b"quit")]);
    }

    #[test]
    fn what_is_no_text_is_dropped_and_the_rest_kept_as_it_came() {
        assert_eq!(lines(b"\xef\xbb\xbfuci\n"), [bytes(b"uci")]);
        assert_eq!(lines(b"u\0c\ri\n"), [bytes(b"uci")]);
        assert_eq!(lines(b"\xc9\xff\n"), [bytes(b"\xc9\xff")]);
    }

    #[test]
    fn a_line_too_long_is_skipped_whole() {
        let long = vec![b'x'; LONGEST_LINE + 1];
        let fitting = &long[1..];
        for end in [&b""[..], b"\n", b"\nquit\n"] {
            let read = lines(&[&long, end].concat());
            assert_eq!(read[0], Line::TooLong(fitting.to_vec()));
            assert_eq!(read.get(1), end.ends_with(b"quit\n").then_some(&bytes(b"quit")));
        }
        assert_eq!(lines(&[fitting, b"\n"].concat()), [bytes(fitting)]);
    }

    /// What the engine is sent for these lines, and which searches were stopped by the end.
    fn sent(input: &[u8]) -> (Vec<String>, Vec<bool>) {
        let (sender, commands) = crossbeam_channel::unbounded();
        let control = Arc::new(Control::new());
        Front::new(control.clone(), sender, Arc::new(Protocol), || {}).read(input);
        let commands = commands.iter().map(|command| match command {
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
            (vec!["Go 1".into(), "Go 2".into(), "Look".into(), "Quit".into()], vec![true, true, false])
        );
    }

    #[test]
    fn many_faults_in_a_line_are_told_in_few_words() {
        let (commands, _) = sent(format!("go{}\n", " x".repeat(1000)).as_bytes());
        assert_eq!(commands.len(), 7);
        assert!(commands[5].contains("995 more"), "{commands:?}");
    }
}
