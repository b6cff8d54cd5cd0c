//! Output files: regular files only, as pipes and devices may block.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write as _},
    path::Path,
};

use sleight::util::open_regular_with;

/// Opens a regular file for writing, and creates it if it is missing; what is in it stays.
///
/// # Errors
/// If the file cannot be written, or is not a regular file.
pub(crate) fn create_regular(path: &Path) -> io::Result<File> {
    open_regular_with(path, OpenOptions::new().write(true).create(true).truncate(false))
}

/// Writes a file under the name with `.new` at its end and renames it, so that there is always a whole file at `path`.
///
/// # Errors
/// If the file cannot be written.
pub(crate) fn replace_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(".new");
    let mut file = create_regular(temporary.as_ref())?;
    file.set_len(0)?;
    file.write_all(bytes)?;
    fs::rename(temporary, path)
}
