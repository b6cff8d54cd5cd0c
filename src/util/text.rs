//! Texts from outside: what messages quote, paths, and environment variables.

use std::{env, ffi::OsString};

/// The beginning of a text from outside, as an error message may quote it: at most 40 characters, the unprintable ones
/// escaped.
pub(crate) fn excerpt(text: &str) -> String {
    const MAX_CHARS: usize = 40;
    let mut excerpt: String = text.chars().take(MAX_CHARS).flat_map(char::escape_debug).collect();
    if text.chars().nth(MAX_CHARS).is_some() {
        excerpt.push('…');
    }
    excerpt
}

/// Replaces control characters: messages quote input, which may hold anything.
pub(crate) fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

/// A path in a command: its very bytes where the system's paths are bytes, else UTF-8, or Latin-1 where it is none.
pub(crate) fn os_string(bytes: &[u8]) -> OsString {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStringExt;
        OsString::from_vec(bytes.to_vec())
    }
    #[cfg(not(unix))]
    String::from_utf8(bytes.to_vec()).unwrap_or_else(|_| bytes.iter().map(|&byte| char::from(byte)).collect()).into()
}

/// The value of an environment variable in lower case, with replacement characters for invalid Unicode; none if it is
/// unset or empty.
pub(crate) fn environment(name: &str) -> Option<String> {
    let value = env::var_os(name).filter(|value| !value.is_empty())?;
    Some(value.to_string_lossy().to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_stay_on_their_line() {
        assert_eq!(printable("a\nb\u{1b}c é"), "a\u{fffd}b\u{fffd}c é");
    }

    #[test]
    fn excerpts_are_short_and_printable() {
        assert_eq!(excerpt("e2\u{1b}e4"), r"e2\u{1b}e4");
        assert_eq!(excerpt(&"x".repeat(41)), format!("{}…", "x".repeat(40)));
    }
}
