//! A client of the engine, over pipes.

use std::{
    io::{BufRead, BufReader, Read, Write},
    iter,
    process::{Child, ChildStdin, Command, ExitStatus, Output, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

pub(crate) const START: &str = "position startpos\n";

/// Longer than anything here takes on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(60);

pub(crate) fn sleight(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sleight"));
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A running engine and its pipes.
pub(crate) struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Client {
    pub(crate) fn start() -> Self {
        let mut child = sleight(&[]).stderr(Stdio::null()).spawn().unwrap();
        let stdin = child.stdin.take();
        let (sender, lines) = channel();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        thread::spawn(move || {
            stdout.lines().map_while(Result::ok).take_while(|line| sender.send(line.clone()).is_ok()).for_each(drop);
        });
        Self { child, stdin, lines }
    }

    /// A client whose engine has answered `isready` after `setup`.
    pub(crate) fn after(setup: &str) -> Self {
        let mut client = Self::start();
        client.send(setup);
        client.sync();
        client
    }

    pub(crate) fn send(&mut self, lines: &str) {
        self.send_bytes(format!("{lines}\n").as_bytes());
    }

    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(bytes).unwrap();
        stdin.flush().unwrap();
    }

    /// All lines up to the first that starts with `start`, and that one.
    pub(crate) fn until(&mut self, start: &str) -> Vec<String> {
        let mut seen = Vec::new();
        loop {
            match self.lines.recv_timeout(TIMEOUT) {
                Ok(line) => seen.push(line),
                Err(error) => panic!("{error} while waiting for `{start}`; so far: {seen:#?}"),
            }
            if seen.last().is_some_and(|line| line.starts_with(start)) {
                return seen;
            }
        }
    }

    /// Drops what the engine writes from now on.
    pub(crate) fn close_output(&mut self) {
        self.lines = channel().1;
    }

    /// The lines of a search and its move.
    pub(crate) fn best_move(&mut self) -> (Vec<String>, String) {
        let mut lines = self.until("bestmove");
        let last = lines.pop().unwrap();
        (lines, last.split(' ').nth(1).unwrap().to_owned())
    }

    /// The lines up to `readyok`.
    pub(crate) fn sync(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// The lines that come within `time`.
    pub(crate) fn listen(&mut self, time: Duration) -> Vec<String> {
        let end = Instant::now() + time;
        let mut seen = Vec::new();
        loop {
            match self.lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(line) => seen.push(line),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return seen,
            }
        }
    }

    /// The lines that come until none has come for `time`.
    pub(crate) fn until_quiet(&mut self, time: Duration) -> Vec<String> {
        iter::from_fn(|| self.lines.recv_timeout(time).ok()).collect()
    }

    /// The process id of the engine, for what Linux says of it in `/proc`.
    #[cfg(target_os = "linux")]
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Closes the engine's input.
    pub(crate) fn close_input(&mut self) {
        self.stdin = None;
    }

    /// The remaining lines and the exit code of an engine that is about to exit.
    pub(crate) fn wait_exit(mut self) -> (Vec<String>, Option<i32>) {
        let code = wait(&mut self.child).code();
        (self.lines.iter().collect(), code)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // It may have left already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs the engine on this input, to its end.
pub(crate) fn piped(input: impl AsRef<[u8]>) -> Vec<String> {
    run(&[], input.as_ref())
}

/// The exit status of a process whose output is not read.
pub(crate) fn unread(input: &[u8]) -> ExitStatus {
    let mut child = sleight(&[]).stderr(Stdio::null()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    wait(&mut child)
}

/// Runs the engine with these arguments and no input.
pub(crate) fn script(args: &[&str]) -> Vec<String> {
    run(args, b"")
}

fn run(args: &[&str], input: &[u8]) -> Vec<String> {
    let output = output(args, input);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {output:?}");
    assert!(output.stderr.is_empty(), "{args:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// The output with any exit status, within the timeout.
pub(crate) fn output(args: &[&str], input: &[u8]) -> Output {
    let mut child = sleight(args).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = thread::spawn(move || drop(stdin.write_all(&input)));
    let stdout = read_all(child.stdout.take().unwrap());
    let stderr = read_all(child.stderr.take().unwrap());
    let status = wait(&mut child);
    writer.join().unwrap();
    Output { status, stdout: stdout.join().unwrap(), stderr: stderr.join().unwrap() }
}

fn read_all(mut source: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        source.read_to_end(&mut bytes).unwrap();
        bytes
    })
}

fn wait(child: &mut Child) -> ExitStatus {
    let end = Instant::now() + TIMEOUT;
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if Instant::now() > end {
            child.kill().unwrap();
            panic!("the engine does not exit");
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// The number of lines that start with `start`.
pub(crate) fn count(lines: &[String], start: &str) -> usize {
    lines.iter().filter(|line| line.starts_with(start)).count()
}

/// True if one of the lines contains `text`.
pub(crate) fn mentions(lines: &[String], text: &str) -> bool {
    lines.iter().any(|line| line.contains(text))
}

/// The token after `name` on an info line.
pub(crate) fn field<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let mut words = line.split(' ');
    words.find(|word| *word == name)?;
    words.next()
}

/// True if the line has a score and a PV.
pub(crate) fn is_scored(line: &str) -> bool {
    line.starts_with("info depth ") && line.contains(" score ") && line.contains(" pv ")
}
