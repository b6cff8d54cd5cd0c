//! The output file: written chunk by chunk under another name, and continued after an interruption.

use std::{
    collections::BTreeMap,
    fs::{self, File, TryLockError},
    io::{Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
};

use super::{
    chunk::{Chunk, Counts},
    error::LabelError,
};
use crate::files::{create_regular, replace_file};

/// How far a file is labelled.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Progress {
    /// Bytes of the input.
    pub input: u64,
    /// Bytes of the output.
    output: u64,
    pub counts: Counts,
}

impl Progress {
    /// A line for each number, and one for what they depend on.
    fn to_text(self, identity: &str) -> String {
        let Counts { labelled, in_check, damaged } = self.counts;
        format!("{} {} {labelled} {in_check} {damaged}\n{identity}\n", self.input, self.output)
    }

    /// The inverse; none for another identity or another text.
    fn from_text(text: &str, identity: &str) -> Option<Self> {
        let (numbers, rest) = text.split_once('\n')?;
        let numbers: Vec<u64> = numbers.split(' ').map(str::parse).collect::<Result<_, _>>().ok()?;
        let [input, output, labelled, in_check, damaged] = numbers[..] else { return None };
        let progress = Self { input, output, counts: Counts { labelled, in_check, damaged } };
        (rest.strip_suffix('\n') == Some(identity)).then_some(progress)
    }
}

/// A file that is being written.
pub(super) struct PartFile {
    target: PathBuf,
    part: PathBuf,
    state: PathBuf,
    file: File,
    identity: String,
    progress: Progress,
}

impl PartFile {
    /// Opens the part of `target` that is written, or begins it. `identity` is what the output depends on.
    pub(super) fn open(target: &Path, identity: String) -> Result<Self, LabelError> {
        let with = |extension: &str| {
            let mut name = target.as_os_str().to_owned();
            name.push(extension);
            PathBuf::from(name)
        };
        let (part, state) = (with(".part"), with(".progress"));
        let file = create_regular(&part).map_err(LabelError::at(&part))?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(LabelError::InUse(part)),
            // Where files cannot be locked, the runs are the user's to keep apart.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let written = file.metadata().map_err(LabelError::at(&part))?.len();
        let progress = match fs::read_to_string(&state) {
            Ok(text) => {
                let progress = Progress::from_text(&text, &identity).ok_or_else(|| LabelError::Begun(state.clone()))?;
                // After a crash of the system, less may be written than was noted.
                if progress.output <= written { progress } else { Progress::default() }
            }
            Err(_) => Progress::default(),
        };
        let mut part_file = Self { target: target.to_owned(), part, state, file, identity, progress };
        part_file.cut().map_err(LabelError::at(&part_file.part))?;
        Ok(part_file)
    }

    /// Drops what a killed run has written of a chunk.
    fn cut(&mut self) -> std::io::Result<()> {
        self.file.set_len(self.progress.output)?;
        self.file.seek(SeekFrom::End(0)).map(|_| ())
    }

    pub(super) fn progress(&self) -> Progress {
        self.progress
    }

    /// Appends the output of the next chunk.
    fn append(&mut self, done: &Done) -> Result<(), LabelError> {
        self.file.write_all(&done.output).map_err(LabelError::at(&self.part))?;
        self.progress = Progress {
            input: done.end,
            output: self.progress.output + done.output.len() as u64,
            counts: self.progress.counts.plus(done.counts),
        };
        let text = self.progress.to_text(&self.identity);
        replace_file(&self.state, text.as_bytes()).map_err(LabelError::at(&self.state))
    }

    /// Gives the file its name.
    pub(super) fn finish(self) -> Result<Progress, LabelError> {
        fs::rename(&self.part, &self.target).map_err(LabelError::at(&self.target))?;
        match fs::remove_file(&self.state) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(LabelError::at(&self.state)(error)),
            _ => Ok(self.progress),
        }
    }
}

/// The output of a chunk.
struct Done {
    end: u64,
    output: Vec<u8>,
    counts: Counts,
}

/// Writes chunks in the order of their numbers, in whatever order they are done.
pub(super) struct OrderedWriter {
    state: Mutex<State>,
    changed: Condvar,
    /// The most chunks that wait for an earlier one.
    ahead: u64,
}

struct State {
    file: PartFile,
    next: u64,
    waiting: BTreeMap<u64, Done>,
    failed: Option<LabelError>,
}

impl OrderedWriter {
    pub(super) fn new(file: PartFile, ahead: usize) -> Self {
        let state = State { file, next: 0, waiting: BTreeMap::new(), failed: None };
        Self { state: Mutex::new(state), changed: Condvar::new(), ahead: ahead as u64 }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Poisoning: the panic of another thread ends everything anyway.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a labelled chunk, or the first error, which ends the run.
    pub(super) fn put(&self, chunk: &Chunk, result: Result<(Vec<u8>, Counts), LabelError>) {
        let mut state = self.lock();
        while state.failed.is_none() && chunk.number > state.next + self.ahead {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let written = result.and_then(|(output, counts)| {
            state.waiting.insert(chunk.number, Done { end: chunk.end(), output, counts });
            state.write_ready()
        });
        if let Err(error) = written {
            state.failed.get_or_insert(error);
        }
        self.changed.notify_all();
    }

    pub(super) fn fail(&self, error: LabelError) {
        self.lock().failed.get_or_insert(error);
        self.changed.notify_all();
    }

    pub(super) fn has_failed(&self) -> bool {
        self.lock().failed.is_some()
    }

    pub(super) fn progress(&self) -> Progress {
        self.lock().file.progress
    }

    /// The file, when all chunks are written.
    pub(super) fn into_file(self) -> Result<PartFile, LabelError> {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        state.failed.map_or(Ok(state.file), Err)
    }
}

impl State {
    fn write_ready(&mut self) -> Result<(), LabelError> {
        while self.failed.is_none()
            && let Some(done) = self.waiting.remove(&self.next)
        {
            self.file.append(&done)?;
            self.next += 1;
        }
        Ok(())
    }
}
