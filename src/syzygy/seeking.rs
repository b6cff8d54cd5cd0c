//! Tablebase files where the system has no positioned reads.

use std::{
    fs::{self, File},
    io::{self, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
    sync::Mutex,
};

use shakmaty_syzygy::filesystem::{Filesystem, RandomAccessFile, ReadHint};

/// The files of the standard library, which are read by seeking.
pub(super) struct SeekingFilesystem;

impl Filesystem for SeekingFilesystem {
    fn regular_file_size(&self, path: &Path) -> io::Result<u64> {
        let metadata = fs::metadata(path)?;
        if metadata.is_file() { Ok(metadata.len()) } else { Err(io::ErrorKind::InvalidInput.into()) }
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect()
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        Ok(Box::new(SeekingFile(Mutex::new(File::open(path)?))))
    }
}

struct SeekingFile(Mutex<File>);

impl RandomAccessFile for SeekingFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64, _: ReadHint) -> io::Result<usize> {
        let mut file = self.0.lock().map_err(|_| io::ErrorKind::Other)?;
        file.seek(SeekFrom::Start(offset))?;
        file.read(buffer)
    }
}
