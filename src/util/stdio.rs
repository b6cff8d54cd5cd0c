//! Lines from standard input and to standard output, also where whoever started us has set a pipe not to block.

use std::{
    io::{self, BufRead, Read as _, Write as _},
    process, thread,
    time::Duration,
    vec,
};

/// How long to wait before trying again to use a pipe that is set not to block.
const RETRY_DELAY: Duration = Duration::from_millis(1);

/// Longest line, in bytes.
pub(crate) const MAX_LINE: usize = 1 << 20;

/// A line of input, without its line end.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum InputLine {
    Bytes(Vec<u8>),
    /// The first [`MAX_LINE`] bytes of a longer line.
    TooLong(Vec<u8>),
    End,
}

/// The source of input lines.
#[derive(Debug)]
pub(crate) enum Source {
    /// Standard input, until it ends.
    Input,
    /// These lines, each when the one before it has been done; then the end.
    Script(vec::IntoIter<Vec<u8>>),
}

impl Source {
    pub(crate) fn is_script(&self) -> bool {
        matches!(self, Self::Script(_))
    }

    /// True if there is no line yet.
    pub(crate) fn would_wait(&self) -> bool {
        let blocks = |error: io::Error| error.kind() == io::ErrorKind::WouldBlock;
        !self.is_script() && io::stdin().lock().fill_buf().is_err_and(blocks)
    }

    /// The next line. An input error is the end of the input.
    pub(crate) fn next_line(&mut self) -> InputLine {
        match self {
            Self::Script(lines) => lines.next().map_or(InputLine::End, InputLine::Bytes),
            Self::Input => read_line(&mut io::stdin().lock()).unwrap_or_else(|error| {
                log::warn!("cannot read the input: {error}");
                InputLine::End
            }),
        }
    }
}

/// Reads up to the next newline. NULs, a byte order mark and a carriage return at the end are dropped; other carriage
/// returns separate words.
fn read_line(source: &mut impl BufRead) -> io::Result<InputLine> {
    let mut line = Vec::new();
    // What was read before an error stays in the line.
    retry(|| source.by_ref().take((MAX_LINE + 1 - line.len()) as u64).read_until(b'\n', &mut line))?;
    let is_complete = line.pop_if(|&mut byte| byte == b'\n').is_some();
    Ok(if line.len() > MAX_LINE {
        line.truncate(MAX_LINE);
        retry(|| source.skip_until(b'\n'))?;
        InputLine::TooLong(clean(line))
    } else if is_complete || !line.is_empty() {
        InputLine::Bytes(clean(line))
    } else {
        InputLine::End
    })
}

fn clean(mut line: Vec<u8>) -> Vec<u8> {
    let marks = [&b"\xef\xbb\xbf"[..], b"\xff\xfe", b"\xfe\xff"];
    let mark = marks.into_iter().find(|mark| line.starts_with(mark)).map_or(0, <[u8]>::len);
    line.drain(..mark);
    line.retain(|&byte| byte != 0);
    while line.pop_if(|&mut byte| byte == b'\r').is_some() {}
    line.iter_mut().filter(|byte| **byte == b'\r').for_each(|byte| *byte = b' ');
    line
}

/// Prints a line and flushes it. Exits with status 0 when the pipe is closed, and with status 1 when the line cannot be
/// written for another reason.
pub(crate) fn print(text: &str) {
    write_all(&[text, "\n"]);
}

/// As [`print()`], without a line end.
pub(crate) fn write_all(parts: &[&str]) {
    if let Err(error) = write(&mut io::stdout().lock(), parts) {
        if is_closed_pipe(&error) {
            process::exit(0);
        }
        let _ = writeln!(io::stderr(), "sleight: cannot write: {error}");
        process::exit(1);
    }
}

/// True if nobody reads the pipe any more.
pub(crate) fn is_closed_pipe(error: &io::Error) -> bool {
    /// Windows' `ERROR_PIPE_NOT_CONNECTED`, for which the standard library has no kind.
    const NOT_CONNECTED: i32 = 233;
    error.kind() == io::ErrorKind::BrokenPipe || cfg!(windows) && error.raw_os_error() == Some(NOT_CONNECTED)
}

/// Writes and flushes all parts, also to a pipe that whoever started us has set not to block.
fn write(out: &mut impl io::Write, parts: &[&str]) -> io::Result<()> {
    // In one piece: the process may be ended at any time, but not between a line and its end.
    let bytes = parts.concat().into_bytes();
    let mut written = 0;
    while written < bytes.len() {
        match retry(|| out.write(&bytes[written..]))? {
            0 => return Err(io::ErrorKind::WriteZero.into()),
            more => written += more,
        }
    }
    retry(|| out.flush())
}

/// Tries again for as long as the operation would block or is interrupted.
fn retry<T>(mut attempt: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match attempt() {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => thread::sleep(RETRY_DELAY),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}
