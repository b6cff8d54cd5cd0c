//! The lines of standard input.

use std::{
    io::{self, BufRead},
    thread,
};

use super::print::RETRY_DELAY;

/// Longest line, in bytes.
pub(super) const MAX_LINE: usize = 1 << 20;

/// A line of input, without its line end.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Line {
    Bytes(Vec<u8>),
    /// The first [`MAX_LINE`] bytes of a longer line.
    TooLong(Vec<u8>),
    End,
}

/// The next line. An input error is the end of the input.
pub(super) fn next_line(source: &mut impl BufRead) -> Line {
    read_line(source).unwrap_or_else(|error| {
        log::warn!("cannot read the input: {error}");
        Line::End
    })
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

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    /// Reads through a buffer of three bytes, so that lines are split over several reads.
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
    fn control_bytes_are_dropped_and_other_bytes_kept() {
        assert_eq!(lines(b"\xef\xbb\xbfuci\n"), [bytes(b"uci")]);
        assert_eq!(lines(b"\xff\xfeu\0c\0i\0\n\0"), [bytes(b"uci"), bytes(b"")]);
        assert_eq!(lines(b"u\0ci\r\r\n"), [bytes(b"uci")]);
        assert_eq!(lines(b"isready\rquit\n"), [bytes(b"isready quit")]);
        assert_eq!(lines(b"\xc9\xff\n"), [bytes(b"\xc9\xff")]);
    }

    #[test]
    fn a_line_too_long_is_skipped_whole() {
        let long = vec![b'x'; MAX_LINE + 1];
        let fitting = &long[1..];
        for end in [&b""[..], b"\n", b"\nquit\n"] {
            let read = lines(&[&long, end].concat());
            assert_eq!(read[0], Line::TooLong(fitting.to_vec()));
            assert_eq!(read.get(1), end.ends_with(b"quit\n").then_some(&bytes(b"quit")));
        }
        assert_eq!(lines(&[fitting, b"\n"].concat()), [bytes(fitting)]);
    }
}
