//! Finding files, and opening regular files only.

use std::{
    env,
    fs::{self, File, Metadata, OpenOptions},
    io,
    path::{Path, PathBuf},
};

/// The path of a file: where it says, or else relative to the folder of the binary.
// CITE: Stockfish - the network is looked for in the working directory, then beside the binary.
pub(crate) fn beside_binary(path: PathBuf) -> PathBuf {
    if path.exists() {
        return path;
    }
    // An absolute path takes the folder's place.
    let beside = env::current_exe().ok().and_then(|binary| Some(binary.parent()?.join(&path)));
    beside.filter(|beside| beside.is_file()).unwrap_or(path)
}

/// Opens a regular file for reading, as [`open_regular_with`].
///
/// # Errors
/// If there is no such file, it cannot be read, or it is not a regular file.
pub fn open_regular(path: &Path) -> io::Result<File> {
    open_regular_with(path, OpenOptions::new().read(true))
}

/// Opens a regular file as `options` say. Pipes and devices are refused, since they may block or never end; so they are
/// if they take the file's place meanwhile.
///
/// # Errors
/// If the file cannot be opened, or is not a regular file.
pub fn open_regular_with(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
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
