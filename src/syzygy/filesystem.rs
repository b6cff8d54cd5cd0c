//! The files of the tablebases: regular files, with positioned reads where the system has them.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use shakmaty_syzygy::filesystem::{Filesystem, RandomAccessFile, ReadHint};

use crate::util::open_regular;

/// The files of the system, regular ones only. The crate opens a tablebase at its first probe, by when a pipe may have
/// replaced it, which would hold up the search.
pub(super) struct RegularFiles;

impl Filesystem for RegularFiles {
    fn regular_file_size(&self, path: &Path) -> io::Result<u64> {
        let metadata = fs::metadata(path)?;
        if metadata.is_file() { Ok(metadata.len()) } else { Err(io::ErrorKind::InvalidInput.into()) }
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect()
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        let file = open_regular(path)?;
        #[cfg(not(any(unix, windows)))]
        let file = std::sync::Mutex::new(file);
        Ok(Box::new(TableFile(file)))
    }
}

#[cfg(any(unix, windows))]
struct TableFile(File);

#[cfg(not(any(unix, windows)))]
struct TableFile(std::sync::Mutex<File>);

impl RandomAccessFile for TableFile {
    #[cfg(unix)]
    fn read_at(&self, buffer: &mut [u8], offset: u64, _: ReadHint) -> io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(&self.0, buffer, offset)
    }

    #[cfg(windows)]
    fn read_at(&self, buffer: &mut [u8], offset: u64, _: ReadHint) -> io::Result<usize> {
        std::os::windows::fs::FileExt::seek_read(&self.0, buffer, offset)
    }

    #[cfg(not(any(unix, windows)))]
    fn read_at(&self, buffer: &mut [u8], offset: u64, _: ReadHint) -> io::Result<usize> {
        use std::io::{Read as _, Seek as _};

        let mut file = self.0.lock().map_err(|_| io::ErrorKind::Other)?;
        file.seek(io::SeekFrom::Start(offset))?;
        file.read(buffer)
    }
}
