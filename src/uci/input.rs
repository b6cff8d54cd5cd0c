//! The lines of standard input.

use std::{
    io::{self, BufRead},
    thread, vec,
};

use super::print::RETRY_DELAY;

/// Longest line, in bytes.
pub(crate) const MAX_LINE: usize = 1 << 20;

/// A line of input, without its line end.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Line {
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
    pub(crate) fn next_line(&mut self) -> Line {
        match self {
            Self::Script(lines) => lines.next().map_or(Line::End, Line::Bytes),
            Self::Input => read_line(&mut io::stdin().lock()).unwrap_or_else(|error| {
                log::warn!("cannot read the input: {error}");
                Line::End
            }),
        }
    }
}

/// Reads up to the next newline. NULs, a byte order mark and a carriage return at the end are dropped; other carriage
/// returns separate words.
fn read_line(source: &mut impl BufRead) -> io::Result<Line> {
    let mut line = Vec::new();
    let mut too_long = false;
    loop {
        let chunk = match source.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                thread::sleep(RETRY_DELAY);
                continue;
            }
            chunk => chunk?,
        };
        let newline = chunk.iter().position(|&byte| byte == b'\n');
        let used = newline.unwrap_or(chunk.len());
        let at_end = chunk.is_empty();
        too_long |= line.len() + used > MAX_LINE;
        line.extend_from_slice(&chunk[..used.min(MAX_LINE - line.len())]);
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
    let marks = [&b"\xef\xbb\xbf"[..], b"\xff\xfe", b"\xfe\xff"];
    let mark = marks.into_iter().find(|mark| line.starts_with(mark)).map_or(0, <[u8]>::len);
    line.drain(..mark);
    line.retain(|&byte| byte != 0);
    while line.pop_if(|&mut byte| byte == b'\r').is_some() {}
    line.iter_mut().filter(|byte| **byte == b'\r').for_each(|byte| *byte = b' ');
    line
}
