//! A sample of the positions that the searches of a run evaluate, in bulletformat: what a network is asked in games.
// CITE: own. With a teacher's scores, evaluated nodes beside positions of games gave another 31 Elo:
// docs/notes/training.md.

use std::{
    cell::RefCell,
    collections::HashSet,
    fs::File,
    io::{self, BufWriter, Read as _, Write as _},
    num::NonZeroU64,
    path::{Path, PathBuf},
    rc::Rc,
};

use super::output::{FileError, open_appending};
use crate::record::Record;
use sleight::{
    position::Position,
    search::observe_evaluated,
    types::{Color, Score},
    util::fnv1a,
};

const RECORD: usize = size_of::<Record>();
/// The bytes of a record that are its position: the board, without score, result and the kings' squares.
const BOARD: usize = 24;

/// The file of one thread.
pub(super) struct EvaluatedFile {
    path: PathBuf,
    file: BufWriter<File>,
    /// Hashes of the boards in the file.
    boards: HashSet<u64>,
    failed: Option<io::Error>,
}

impl EvaluatedFile {
    /// Opens or creates the file, to which the searches of this thread now add one in `one_in` of the positions that
    /// they evaluate. An incomplete record at its end is removed. `thread` is below `one_in`: the boards are divided
    /// into `one_in` classes, of which each thread has its own.
    ///
    /// # Errors
    /// If the file cannot be opened or read, or is in use.
    pub(super) fn observed(path: &Path, one_in: NonZeroU64, thread: u64) -> Result<Rc<RefCell<Self>>, FileError> {
        let failed = |error| FileError::io(path, error);
        let mut file = open_appending(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        let (records, rest) = bytes.as_chunks::<RECORD>();
        file.set_len((bytes.len() - rest.len()) as u64).map_err(failed)?;
        let boards = records.iter().map(|record| fnv1a(&record[..BOARD])).collect();
        let file = BufWriter::with_capacity(1 << 20, file);
        let shared = Rc::new(RefCell::new(Self { path: path.to_owned(), file, boards, failed: None }));
        let observer = Rc::clone(&shared);
        observe_evaluated(move |position, evaluation| {
            // Castling rights and the en-passant square, which a record has not, are not in these keys.
            let keys = position.keys();
            let class = (keys.pawn ^ keys.non_pawn[0] ^ keys.non_pawn[1]) % one_in;
            if class == thread {
                observer.borrow_mut().add(position, evaluation);
            }
        });
        Ok(shared)
    }

    fn add(&mut self, position: &Position, Score(evaluation): Score) {
        let white_score = if position.side_to_move() == Color::White { evaluation } else { -evaluation };
        // Without a result: a draw.
        let Some(record) = Record::new(position, white_score.clamp(-32_000, 32_000) as i16, 1) else { return };
        let bytes = record.to_bytes();
        if self.boards.insert(fnv1a(&bytes[..BOARD]))
            && let Err(error) = self.file.write_all(&bytes)
        {
            self.failed.get_or_insert(error);
        }
    }

    /// Writes what is buffered.
    ///
    /// # Errors
    /// If something could not be written since the last call.
    pub(super) fn flush(&mut self) -> Result<(), FileError> {
        let flushed = self.file.flush();
        self.failed.take().map_or(flushed, Err).map_err(|error| FileError::io(&self.path, error))
    }
}
