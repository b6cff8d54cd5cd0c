//! Opening and creating regular files only.

use std::{
    fs::{self, File, Metadata, OpenOptions},
    io,
    path::Path,
};

/// Opens a regular file for reading. Pipes and devices are refused, since they may block or never end.
///
/// # Errors
/// If there is no such file, it cannot be read, or it is not a regular file.
pub(crate) fn open_regular(path: &Path) -> io::Result<File> {
    open_if_regular(path, OpenOptions::new().read(true))
}

/// Opens a regular file for writing, and creates it if it is missing; what is in it stays. Pipes and devices are refused.
///
/// # Errors
/// If the file cannot be written, or is not a regular file.
#[cfg(feature = "lab")]
pub(crate) fn create_regular(path: &Path) -> io::Result<File> {
    open_if_regular(path, OpenOptions::new().write(true).create(true).truncate(false))
}

/// Writes a file under the name with `.new` at its end and renames it, so that there is always a whole file at `path`.
///
/// # Errors
/// If the file cannot be written.
#[cfg(feature = "lab")]
pub(crate) fn replace_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(".new");
    let mut file = create_regular(temporary.as_ref())?;
    file.set_len(0)?;
    io::Write::write_all(&mut file, bytes)?;
    fs::rename(temporary, path)
}

fn open_if_regular(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    // To open a device may have effects of its own. A file that is missing is up to the options.
    if let Ok(metadata) = fs::metadata(path) {
        require_regular(&metadata)?;
    }
    // A pipe may have taken its place since: without this flag, to open it would wait for the other end.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(options, libc::O_NONBLOCK);
    let file = options.open(path)?;
    require_regular(&file.metadata()?)?;
    Ok(file)
}

fn require_regular(metadata: &Metadata) -> io::Result<()> {
    if metadata.is_file() { Ok(()) } else { Err(io::Error::other("not a regular file")) }
}

#[cfg(all(test, target_os = "linux", not(miri)))]
mod tests {
    use std::{
        process::Command,
        sync::atomic::{AtomicBool, Ordering::Relaxed},
        thread,
        time::{Duration, Instant},
    };

    use super::*;

    /// A link that points to a file and to a pipe by turns is opened as the file or refused, and blocks nobody.
    #[test]
    fn a_pipe_that_takes_the_place_of_a_file_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let [file, pipe, link, other] = ["file", "pipe", "link", "other"].map(|name| directory.path().join(name));
        fs::write(&file, "contents").unwrap();
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        std::os::unix::fs::symlink(&file, &link).unwrap();
        let done = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                for target in [&pipe, &file].into_iter().cycle().take_while(|_| !done.load(Relaxed)) {
                    std::os::unix::fs::symlink(target, &other).unwrap();
                    fs::rename(&other, &link).unwrap();
                }
            });
            let start = Instant::now();
            let (mut opened, mut refused) = (0, 0);
            while start.elapsed() < Duration::from_secs(1) {
                match open_regular(&link) {
                    Ok(file) => opened += u32::from(file.metadata().is_ok_and(|metadata| metadata.is_file())),
                    Err(error) => refused += u32::from(error.to_string() == "not a regular file"),
                }
            }
            done.store(true, Relaxed);
            assert!(opened > 0 && refused > 0, "{opened} {refused}");
        });
    }
}
