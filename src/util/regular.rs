//! Files that have an end.

use std::{
    fs::{self, File},
    io,
    path::Path,
};

/// Opens a regular file for reading. A pipe or a device would keep us waiting, or have no end.
///
/// # Errors
/// When there is no such file, it may not be read, or it is something else.
pub fn open_regular(path: &Path) -> io::Result<File> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    File::open(path)
}
