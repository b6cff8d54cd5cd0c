//! `genfens`: openings for the data generation of the OpenBench testing framework.

use std::{io, path::PathBuf, sync::Arc};

use super::{BookError, MAX_DRAWS, MAX_OPENING_SCORE, NoOpening, Openings, RANDOM_BOOK_PLIES, RANDOM_PLIES};
use crate::{
    search::{Control, Job, Limits, Shared, Worker},
    tt::TranspositionTable,
    util::{Rng, os_string},
};

/// The soft node limit of the search that rejects unbalanced openings.
const SOFT_NODES: u64 = 5000;

/// The size of its transposition table, in MiB.
const TT_MIB: usize = 2;

/// The arguments of the command `genfens N seed S book <None|path>`; further words are ignored.
///
/// ```
/// # use sleight::openings::GenFens;
/// # use sleight::search::Control;
/// let command = GenFens::from_words("3 seed 42 book None".split(' ').map(str::as_bytes))?;
/// let mut lines = Vec::new();
/// command.run(Control::new().into(), 1, &mut |line| lines.push(line.to_owned()))?;
/// assert_eq!(lines.iter().filter(|line| line.starts_with("info string genfens ")).count(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
// CITE: the protocol is that of OpenBench (Andrew Grant).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GenFens {
    /// The number of openings to print.
    pub count: u64,
    /// The seed of the random moves.
    pub seed: u64,
    /// Opening book to start from, in place of the standard position.
    pub book: Option<PathBuf>,
}

/// The command cannot be parsed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("write `genfens <count> seed <number> book <None or path>`")]
pub struct GenFensSyntax;

/// Why openings cannot be printed.
#[derive(Debug, thiserror::Error)]
pub enum GenFensError {
    /// The book cannot be used.
    #[error(transparent)]
    Book(#[from] BookError),
    /// No balanced opening can be found.
    #[error(transparent)]
    NoOpening(#[from] NoOpening),
    /// The search was stopped.
    #[error("stopped")]
    Stopped,
    /// There is no memory for the search.
    #[error("no memory to search with: {0}")]
    Memory(io::Error),
}

impl GenFens {
    /// Reads the words after `genfens`. The path of the book need not be UTF-8.
    ///
    /// # Errors
    /// If a number or the book is missing, or a number is malformed.
    pub fn from_words<'a>(mut words: impl Iterator<Item = &'a [u8]>) -> Result<Self, GenFensSyntax> {
        let number = |word: Option<&[u8]>| str::from_utf8(word?).ok()?.parse().ok();
        let count = number(words.next()).ok_or(GenFensSyntax)?;
        let (mut seed, mut book) = (None, None);
        while let Some(word) = words.next() {
            if word.eq_ignore_ascii_case(b"seed") {
                seed = number(words.next());
            } else if word.eq_ignore_ascii_case(b"book") {
                book = Some(words.next().ok_or(GenFensSyntax)?);
            }
        }
        let seed = seed.ok_or(GenFensSyntax)?;
        let book = book.filter(|book| !book.eq_ignore_ascii_case(b"none")).map(|book| os_string(book).into());
        Ok(Self { count, seed, book })
    }

    /// Passes a line for each opening to `each`: `info string genfens`, then the FEN; until `control` stops search
    /// number `search_id`.
    ///
    /// # Errors
    /// See [`GenFensError`].
    pub fn run(&self, control: Arc<Control>, search_id: u64, each: &mut dyn FnMut(&str)) -> Result<(), GenFensError> {
        let openings = match &self.book {
            Some(book) => Openings::new(RANDOM_BOOK_PLIES, 0).with_book(book, || control.is_stopped(search_id))?,
            None => Openings::new(RANDOM_PLIES, 0),
        };
        let table = TranspositionTable::new(TT_MIB).map_err(GenFensError::Memory)?;
        let shared = Arc::new(Shared::new(table, control.clone(), 1));
        let mut worker = Worker::new(shared.clone(), 0).map_err(GenFensError::Memory)?;
        let mut rng = Rng::new(self.seed);
        for _ in 0..self.count {
            let mut draws = MAX_DRAWS;
            let opening = loop {
                draws = draws.checked_sub(1).ok_or(NoOpening)?;
                let Some(position) = openings.draw(&mut rng, 0) else { continue };
                shared.tt.clear();
                worker.new_game();
                let job = Job { search_id, ..Job::new(position, Limits::soft_nodes(SOFT_NODES)) };
                let result = worker.search(&job, None);
                if control.is_stopped(search_id) {
                    return Err(GenFensError::Stopped);
                }
                if result.score.0.abs() <= MAX_OPENING_SCORE {
                    break job.position;
                }
            };
            each(&format!("info string genfens {}", opening.fen()));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_parsed_or_refused() {
        let command = |text: &'static str| GenFens::from_words(text.split_whitespace().map(str::as_bytes));
        let plain = GenFens { count: 5, seed: 9, book: None };
        assert_eq!(command("5 seed 9 book None"), Ok(plain.clone()));
        assert_eq!(command("5 book None seed 9 and more"), Ok(plain.clone()));
        let book = Some("a/b.epd".into());
        assert_eq!(command("5 SEED 9 Book a/b.epd"), Ok(GenFens { book, ..plain }));
        let incomplete = ["", "5", "5 seed", "5 seed 9 book"];
        for bad in incomplete.into_iter().chain(["x seed 9 book None", "5 seed -1"]) {
            assert_eq!(command(bad), Err(GenFensSyntax));
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_openings() {
        let print = |seed, book| {
            let mut lines = Vec::new();
            let command = GenFens { count: 4, seed, book };
            command.run(Arc::new(Control::new()), 1, &mut |line| lines.push(line.to_owned())).map(|()| lines)
        };
        assert_eq!(print(1, None).unwrap(), print(1, None).unwrap());
        assert_ne!(print(1, None).unwrap(), print(2, None).unwrap());
        let missing = print(1, Some("/nowhere".into()));
        assert!(missing.unwrap_err().to_string().contains("cannot read the book"));
    }
}
