//! Opening regular files only.

use std::{
    fs::{self, File},
    io,
    path::Path,
};

/// Opens a regular file for reading. Pipes and devices are refused, since they may block or never end.
///
/// # Errors
/// If there is no such file, it cannot be read, or it is not a regular file.
pub(crate) fn open_regular(path: &Path) -> io::Result<File> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    File::open(path)
}
