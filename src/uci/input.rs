//! The lines of standard input.

use std::{
    io::{self, BufRead, Read as _},
    vec,
};

use super::print::retry;

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

/// Where lines come from.
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
    pub(super) fn would_wait(&self) -> bool {
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
