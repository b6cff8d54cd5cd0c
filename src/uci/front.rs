//! Standard input: its bytes, its lines, and what must happen at once when a line has been read.

use std::{
    io::{self, BufRead},
    ops::ControlFlow::{self, Break, Continue},
    sync::Arc,
    time::Instant,
};

use crossbeam_channel::{Sender, bounded};

use super::{
    input::{Input, Parsed},
    parse::parse,
    tasks,
};
use crate::{
    engine::{Command, Go},
    search::Control,
};

/// Lines may be this long, in bytes.
const LONGEST_LINE: usize = 1 << 20;

/// A line of input.
#[derive(PartialEq, Eq, Debug)]
enum Line {
    Bytes(Vec<u8>),
    TooLong,
    End,
}

/// Reads up to the next newline. Carriage returns, NULs and a byte-order mark are no part of the line.
fn read_line(source: &mut impl BufRead) -> io::Result<Line> {
    let mut line = Vec::new();
    let mut too_long = false;
    loop {
        let chunk = match source.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            chunk => chunk?,
        };
        let newline = chunk.iter().position(|&byte| byte == b'\n');
        let used = newline.unwrap_or(chunk.len());
        let at_end = chunk.is_empty();
        too_long |= line.len() + used > LONGEST_LINE;
        if !too_long {
            line.extend_from_slice(&chunk[..used]);
        }
        source.consume(newline.map_or(used, |at| at + 1));
        if newline.is_some() || at_end {
            break Ok(match (too_long, at_end && line.is_empty()) {
                (true, _) => Line::TooLong,
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
    /// How many searches have been asked for.
    searches: u64,
}

impl Front {
    pub(super) fn new(control: Arc<Control>, commands: Sender<Command>) -> Self {
        Self { control, commands, searches: 0 }
    }

    /// Reads commands until told to quit or until there are none.
    pub(super) fn read(mut self, mut source: impl BufRead) {
        loop {
            let flow = match read_line(&mut source) {
                Ok(Line::Bytes(line)) => self.obey(&line),
                Ok(Line::TooLong) => {
                    self.send(Command::Say(format!("error: skipped a line of over {LONGEST_LINE} bytes")))
                }
                Ok(Line::End) => Break(()),
                Err(error) => {
                    log::warn!("input ends here: {error}");
                    Break(())
                }
            };
            if flow.is_break() {
                return;
            }
        }
    }

    /// Obeys the commands of a script one by one, each when what the one before it began has ended, unless nothing
    /// but a further command would end it.
    pub(super) fn play(mut self, script: &[Vec<u8>]) {
        for line in script {
            let flow = self.obey(line);
            let (sender, ended) = bounded(0);
            if flow.is_break() || self.send(Command::Await(sender)).is_break() {
                return;
            }
            // Nothing is ever sent: the engine drops the sender.
            let _ = ended.recv();
        }
    }

    /// Does what a line says. Breaks after the last command.
    fn obey(&mut self, line: &[u8]) -> ControlFlow<()> {
        const MOST_FAULTS: usize = 5;
        let received = Instant::now();
        let Parsed { input, faults } = parse(line);
        for fault in faults.iter().take(MOST_FAULTS) {
            self.send(Command::Say(fault.to_string()))?;
        }
        if faults.len() > MOST_FAULTS {
            self.send(Command::Say(format!("… and {} more such faults", faults.len() - MOST_FAULTS)))?;
        }
        match input {
            None => Continue(()),
            Some(Input::Engine(command)) => self.send(command),
            Some(Input::Go(request)) => {
                self.control.stop(self.searches);
                self.searches += 1;
                self.send(Command::Go(Go { id: self.searches, received, request }))
            }
            Some(Input::Stop) => {
                self.control.stop(self.searches);
                self.send(Command::Stop)
            }
            Some(Input::PonderHit) => {
                self.control.ponderhit(self.searches);
                self.send(Command::PonderHit(self.searches))
            }
            Some(Input::Quit) => {
                self.control.stop(self.searches);
                self.send(Command::Quit)?;
                Break(())
            }
            Some(Input::Perft(depth)) => {
                self.searches += 1;
                self.send(Command::Run(tasks::perft(self.searches, depth)))
            }
            Some(Input::Bench(depth)) => {
                self.searches += 1;
                self.send(Command::Run(tasks::bench(self.searches, depth)))
            }
        }
    }

    fn send(&self, command: Command) -> ControlFlow<()> {
        match self.commands.send(command) {
            Ok(()) => Continue(()),
            // The engine has left.
            Err(_) => Break(()),
        }
    }
}
