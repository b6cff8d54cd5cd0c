//! A UCI engine in a process of its own.

use std::{
    io::{self, BufRead as _, BufReader, Write as _},
    process::{Child, ChildStdin, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use crossbeam_channel::{Receiver, RecvTimeoutError, unbounded};

use super::options::LabelOptions;
use sleight::position::Position;

/// The longest wait for an answer.
const PATIENCE: Duration = Duration::from_secs(600);
/// The time that an engine has to end by itself.
const FAREWELL: Duration = Duration::from_secs(2);
/// Beyond every evaluation.
const MATE: i32 = i16::MAX as i32;

/// Why an engine gives no scores.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EngineError {
    /// The process cannot be started.
    #[error("cannot start the engine `{command}`: {source}")]
    Start {
        /// The command.
        command: String,
        /// The error of the system.
        source: io::Error,
    },
    /// The process has ended.
    #[error("the engine ended instead of answering `{0}`")]
    Ended(String),
    /// No answer came in time.
    #[error("the engine did not answer `{0}` in ten minutes")]
    Silent(String),
    /// A search ended without a score.
    #[error("the engine gave no score for {0}")]
    NoScore(String),
}

/// How engines are run; all of it determines the scores.
#[derive(Clone, Debug)]
pub(super) struct EngineSettings {
    command: String,
    options: Vec<(String, String)>,
    go: String,
}

impl EngineSettings {
    pub(super) fn new(options: &LabelOptions) -> Self {
        let limits = [("nodes", options.nodes), ("depth", options.depth), ("movetime", options.movetime)];
        let limit = limits.into_iter().find_map(|(name, limit)| limit.map(|limit| format!(" {name} {limit}")));
        Self {
            command: options.engine.clone().unwrap_or_default(),
            options: options.engine_options.clone(),
            go: format!("go{}", limit.unwrap_or_default()),
        }
    }
}

/// A running engine.
pub(super) struct UciEngine {
    process: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    go: String,
    chess960: bool,
}

impl UciEngine {
    /// Starts an engine and waits until it is ready.
    pub(super) fn start(settings: &EngineSettings) -> Result<Self, EngineError> {
        let failed = |source| EngineError::Start { command: settings.command.clone(), source };
        let mut words = settings.command.split_whitespace();
        let mut process = Command::new(words.next().unwrap_or_default())
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(failed(io::ErrorKind::BrokenPipe.into()));
        };
        let (sender, lines) = unbounded();
        let mut output = BufReader::new(output);
        let read = move || {
            let mut line = Vec::new();
            while output.read_until(b'\n', &mut line).is_ok_and(|bytes| bytes > 0) {
                if sender.send(String::from_utf8_lossy(&line).trim().to_owned()).is_err() {
                    break;
                }
                line.clear();
            }
        };
        let mut engine = Self { process, input, lines, go: settings.go.clone(), chess960: false };
        thread::Builder::new().spawn(read).map_err(failed)?;
        engine.set_up(settings)?;
        Ok(engine)
    }

    fn set_up(&mut self, settings: &EngineSettings) -> Result<(), EngineError> {
        let mut chess960 = false;
        self.ask("uci", "uciok", |line| chess960 |= line.starts_with("option name UCI_Chess960 "))?;
        self.chess960 = chess960;
        if chess960 {
            self.send("setoption name UCI_Chess960 value true");
        }
        for (name, value) in &settings.options {
            self.send(&format!("setoption name {name} value {value}"));
        }
        self.ask("isready", "readyok", |_| {})
    }

    /// Forgets other games.
    pub(super) fn new_game(&mut self) -> Result<(), EngineError> {
        self.send("ucinewgame");
        self.ask("isready", "readyok", |_| {})
    }

    /// The score of a search for the side to move, as the engine's last exact one: in its centipawns.
    pub(super) fn score(&mut self, position: &Position) -> Result<i32, EngineError> {
        let fen = if self.chess960 { position.shredder_fen() } else { position.fen() };
        self.send(&format!("position fen {fen}"));
        let (mut exact, mut bound) = (None, None);
        let go = self.go.clone();
        self.ask(&go, "bestmove", |line| match parse_score(line) {
            Some(Score { value, exact: true }) => exact = Some(value),
            Some(Score { value, exact: false }) => bound = Some(value),
            None => {}
        })?;
        exact.or(bound).ok_or(EngineError::NoScore(fen))
    }

    /// Sends a line. That an engine has ended is noticed where its answer is waited for.
    fn send(&mut self, line: &str) {
        let _ = writeln!(self.input, "{line}").and_then(|()| self.input.flush());
    }

    /// Sends a line, and passes each line of the answer to `visit` up to the one that begins with the word `last`.
    fn ask(&mut self, line: &str, last: &str, mut visit: impl FnMut(&str)) -> Result<(), EngineError> {
        self.send(line);
        let deadline = Instant::now() + PATIENCE;
        loop {
            let answer = self.lines.recv_deadline(deadline).map_err(|error| match error {
                RecvTimeoutError::Timeout => EngineError::Silent(line.to_owned()),
                RecvTimeoutError::Disconnected => EngineError::Ended(line.to_owned()),
            })?;
            if answer.split_whitespace().next() == Some(last) {
                return Ok(());
            }
            visit(&answer);
        }
    }
}

/// Asks the engine to end, and ends it if it does not.
impl Drop for UciEngine {
    fn drop(&mut self) {
        self.send("quit");
        let deadline = Instant::now() + FAREWELL;
        while Instant::now() < deadline {
            if !matches!(self.process.try_wait(), Ok(None)) {
                return;
            }
            thread::sleep(Duration::from_millis(5));
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A score for the side to move: centipawns; [`MATE`] or its opposite for a mate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Score {
    value: i32,
    /// False for a bound.
    exact: bool,
}

/// The score in an `info` line of the best line; none in other lines.
fn parse_score(line: &str) -> Option<Score> {
    let words: Vec<&str> = line.split_whitespace().take_while(|&word| word != "string" && word != "pv").collect();
    let after = |name| words.iter().position(|&word| word == name).map(|at| &words[at + 1..]);
    if words.first() != Some(&"info") || after("multipv").is_some_and(|rest| rest.first() != Some(&"1")) {
        return None;
    }
    let rest = after("score")?;
    let exact = !rest.contains(&"lowerbound") && !rest.contains(&"upperbound");
    let number = rest.get(1)?.parse::<i32>().ok()?;
    let value = match *rest.first()? {
        "cp" => number.clamp(-MATE, MATE),
        // `mate 0` is of the side that is mated.
        "mate" if number > 0 => MATE,
        "mate" => -MATE,
        _ => return None,
    };
    Some(Score { value, exact })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_read_from_info_lines() {
        let exact = |value| Some(Score { value, exact: true });
        for (line, score) in [
            ("info depth 8 seldepth 10 multipv 1 score cp -31 nodes 900 nps 9 pv e2e4 e7e5", exact(-31)),
            ("info depth 8 score cp 12 lowerbound nodes 3", Some(Score { value: 12, exact: false })),
            ("info depth 8 score cp 12 wdl 3 990 7 upperbound", Some(Score { value: 12, exact: false })),
            ("info depth 8 score mate 3 pv a1a8", exact(MATE)),
            ("info depth 8 score mate -2 pv a1a8", exact(-MATE)),
            ("info depth 0 score mate 0", exact(-MATE)),
            ("info depth 8 multipv 2 score cp 100 pv a2a3", None),
            ("info score cp 99999999999", None),
            ("info score cp 999999999", exact(MATE)),
            ("info depth 3 currmove e2e4 currmovenumber 1", None),
            ("info string score cp 5", None),
            ("info score cp", None),
            ("info score", None),
            ("bestmove e2e4", None),
            ("", None),
        ] {
            assert_eq!(parse_score(line), score, "{line}");
        }
    }
}
