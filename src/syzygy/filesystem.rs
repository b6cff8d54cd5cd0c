//! The files of the tablebases: regular files, with positioned reads where the system has them, a bounded number of
//! which are open.

use std::{
    collections::VecDeque,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, RwLock},
};

use shakmaty_syzygy::filesystem::{Filesystem, RandomAccessFile, ReadHint};

use crate::util::open_regular;

/// Files that are open at most, where the system does not say how many may be. The usual limits are 256 on macOS and
/// 1,024 on the BSDs; the tables of six pieces are 1,020 files.
const MAX_OPEN: usize = 128;

/// The files of the system, regular ones only. The crate opens a tablebase at its first probe, by when a pipe may have
/// replaced it, which would hold up the search.
pub(super) struct RegularFiles(Arc<OpenFiles>);

impl RegularFiles {
    /// Half of the files that the process may have open are tables.
    pub(super) fn new() -> Self {
        Self(Arc::new(OpenFiles {
            limit: file_limit().map_or(MAX_OPEN, |limit| limit / 2).max(1),
            open: Mutex::default(),
        }))
    }
}

/// The soft limit of open files of the process, where Linux tells it.
fn file_limit() -> Option<usize> {
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    let words = limits.lines().find_map(|line| line.strip_prefix("Max open files"))?;
    Some(words.split_whitespace().next()?.parse().unwrap_or(usize::MAX))
}

impl Filesystem for RegularFiles {
    fn regular_file_size(&self, path: &Path) -> io::Result<u64> {
        let metadata = fs::metadata(path)?;
        if metadata.is_file() { Ok(metadata.len()) } else { Err(io::ErrorKind::InvalidInput.into()) }
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect()
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        let table = TableFile {
            file: Arc::new(Slot { path: path.to_owned(), file: RwLock::default() }),
            files: self.0.clone(),
        };
        self.0.open(&table.file)?;
        Ok(Box::new(table))
    }
}

/// The open files, the one that was opened first in front. It is the first to be closed.
struct OpenFiles {
    limit: usize,
    open: Mutex<VecDeque<Arc<Slot>>>,
}

/// A file that may be open.
struct Slot {
    path: PathBuf,
    file: RwLock<Option<Positioned>>,
}

impl Slot {
    fn close(&self) {
        *self.file.write().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

impl OpenFiles {
    /// Opens a file, and closes others if there are too many or the system opens no more.
    fn open(&self, slot: &Arc<Slot>) -> io::Result<()> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have opened it meanwhile.
        if slot.file.read().unwrap_or_else(PoisonError::into_inner).is_some() {
            return Ok(());
        }
        while open.len() >= self.limit {
            open.pop_front().iter().for_each(|first| first.close());
        }
        let file = loop {
            match open_regular(&slot.path) {
                Ok(file) => break file,
                Err(error) => open.pop_front().ok_or(error)?.close(),
            }
        };
        *slot.file.write().unwrap_or_else(PoisonError::into_inner) = Some(positioned(file));
        open.push_back(slot.clone());
        Ok(())
    }
}

struct TableFile {
    file: Arc<Slot>,
    files: Arc<OpenFiles>,
}

impl RandomAccessFile for TableFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64, _: ReadHint) -> io::Result<usize> {
        loop {
            if let Some(file) = &*self.file.file.read().unwrap_or_else(PoisonError::into_inner) {
                return read_at(file, buffer, offset);
            }
            // It may be closed again before this thread reads from it, where more threads than files are in use.
            self.files.open(&self.file)?;
        }
    }
}

#[cfg(any(unix, windows))]
type Positioned = File;

#[cfg(not(any(unix, windows)))]
type Positioned = Mutex<File>;

#[cfg(any(unix, windows))]
fn positioned(file: File) -> Positioned {
    file
}

#[cfg(not(any(unix, windows)))]
fn positioned(file: File) -> Positioned {
    Mutex::new(file)
}

#[cfg(unix)]
fn read_at(file: &Positioned, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_at(file: &Positioned, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, offset)
}

#[cfg(not(any(unix, windows)))]
fn read_at(file: &Positioned, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    use std::io::{Read as _, Seek as _};

    let mut file = file.lock().map_err(|_| io::ErrorKind::Other)?;
    file.seek(io::SeekFrom::Start(offset))?;
    file.read(buffer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bounded_number_is_open_and_all_are_read() {
        // What the crate expects to read next plays no part here.
        let hint = ReadHint::Header;
        let folder = tempfile::tempdir().unwrap();
        let files = RegularFiles(Arc::new(OpenFiles { limit: 3, open: Mutex::default() }));
        let tables: Vec<Box<dyn RandomAccessFile>> = (0..20_u8)
            .map(|n| {
                let path = folder.path().join(n.to_string());
                fs::write(&path, [n, n + 1]).unwrap();
                files.open(&path).unwrap()
            })
            .collect();
        std::thread::scope(|scope| {
            for thread in 0..6 {
                let (tables, files) = (&tables, &files);
                scope.spawn(move || {
                    for round in 0..if cfg!(miri) { 2 } else { 200 } {
                        let n = (thread * 7 + round * 3) % tables.len();
                        let mut byte = [0];
                        assert_eq!(tables[n].read_at(&mut byte, 1, hint).unwrap(), 1);
                        assert_eq!(usize::from(byte[0]), n + 1);
                        assert!(files.0.open.lock().unwrap().len() <= 3);
                    }
                });
            }
        });
        let is_open = |path: &PathBuf| fs::read_link(path).is_ok_and(|file| file.starts_with(folder.path()));
        if cfg!(target_os = "linux") && !cfg!(miri) {
            let open = files.read_dir(Path::new("/proc/self/fd")).unwrap().iter().filter(|path| is_open(path)).count();
            assert!((1..=3).contains(&open), "{open}");
        }
        assert!(files.open(&folder.path().join("none")).is_err());
    }
}
