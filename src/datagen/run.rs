//! `sleight datagen`: as many players as threads, each with a file of its own.

use std::{
    ffi::OsString,
    fs, io,
    path::PathBuf,
    sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    thread,
};

use clap::Args;
use crossbeam_channel::{Receiver, Sender, unbounded};

use super::{
    openings::{BookError, Openings, RANDOM_BOOK_PLIES, RANDOM_PLIES},
    output::{FileError, GameFile},
    player::{PlayError, Player, Thinking},
    progress::Progress,
};
use crate::{
    attacks::{Backend, Sliders, WithSliders},
    syzygy::{OpenError, Tablebases},
    util::Rng,
};

/// What to generate.
#[derive(Args, Clone, Debug)]
pub struct Options {
    /// The folder of the games, made if need be: t00.vf and so on, one file a thread. Games that are there stay and
    /// count, so the same command goes on where it was stopped
    #[arg(long)]
    pub out: PathBuf,
    /// Games played at the same time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    /// Nodes of a move's search after which no new iteration begins
    #[arg(long, default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// What the random moves hang on
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Stop when so many positions are there
    #[arg(long)]
    pub positions: Option<u64>,
    /// Stop when so many games are there
    #[arg(long)]
    pub games: Option<u64>,
    /// Begin with the positions of this file, a FEN or EPD a line, in place of the standard one
    #[arg(long)]
    pub book: Option<PathBuf>,
    /// How many games of a hundred begin with one of the 960 arrangements
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u8).range(0..=100))]
    pub chess960: u8,
    /// Random moves of each opening, or one more [default: 8, with a book 4]
    #[arg(long, value_parser = clap::value_parser!(u32).range(0..=100))]
    pub random_plies: Option<u32>,
    /// The hash table of each game, in mebibytes
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..))]
    pub hash: u16,
    /// Directories of Syzygy tables, by which games are ended as soon as they know the result
    #[arg(long, value_name = "PATH")]
    pub syzygy: Option<OsString>,
}

/// Why no more games can be played.
#[derive(Debug, thiserror::Error)]
pub enum DatagenError {
    /// The book cannot be used.
    #[error(transparent)]
    Book(#[from] BookError),
    /// The endgame tables cannot be used.
    #[error(transparent)]
    Tables(#[from] OpenError),
    /// A file cannot be added to.
    #[error(transparent)]
    File(#[from] FileError),
    /// A game cannot be played.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// The system grants no thread.
    #[error("no thread to play in: {0}")]
    Thread(io::Error),
    /// The system gives no folder or no room on the disk.
    #[error("cannot write games: {0}")]
    Io(#[from] io::Error),
}

/// What is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Totals {
    /// Games.
    pub games: u64,
    /// Positions with a move and a score.
    pub positions: u64,
}

/// Plays games until there are as many as wanted, for ever if nothing is. Returns what is in the files then.
///
/// Every game is decided by the seed, its file's number and its place in the file, so that a run that was killed and
/// started again writes the files of a run that was not.
///
/// # Errors
/// See [`DatagenError`]. Games that were finished are in the files.
pub fn run(options: &Options) -> Result<Totals, DatagenError> {
    let openings = openings(options)?;
    let tables = options.syzygy.as_deref().map(Tablebases::open).transpose()?;
    for refused in tables.iter().flat_map(Tablebases::refused) {
        eprintln!("left out: {refused}");
    }
    fs::create_dir_all(&options.out)?;
    let mut files = Vec::new();
    for thread in 0..options.threads {
        let path = options.out.join(format!("t{thread:02}.vf"));
        let file = GameFile::open(&path)?;
        if file.torn > 0 {
            eprintln!("{}: took off the last {} bytes, a game cut short", path.display(), file.torn);
        }
        files.push(file);
    }
    let there = Totals {
        games: files.iter().map(|file| file.games).sum(),
        positions: files.iter().map(|file| file.positions).sum(),
    };
    let goal = Goal {
        options,
        games: AtomicU64::new(there.games),
        positions: AtomicU64::new(there.positions),
        failed: AtomicBool::new(false),
    };
    let (finished, news) = unbounded();
    thread::scope(|scope| {
        let mut players = Vec::new();
        for (thread, file) in files.into_iter().enumerate() {
            let table = Table {
                goal: &goal,
                openings: &openings,
                tables: tables.as_ref(),
                thread: thread as u64,
                file,
                finished: finished.clone(),
            };
            let play = move || Backend::with_detected(table);
            let player = thread::Builder::new().spawn_scoped(scope, play).map_err(|error| {
                // Those that did start need not go on.
                goal.failed.store(true, Relaxed);
                DatagenError::Thread(error)
            })?;
            players.push(player);
        }
        drop(finished);
        let totals = watch(options, there, &news);
        let done =
            players.into_iter().map(|player| player.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        done.collect::<Result<Vec<()>, _>>().map(|_| totals)
    })
}

fn openings(options: &Options) -> Result<Openings, BookError> {
    let usual = if options.book.is_some() { RANDOM_BOOK_PLIES } else { RANDOM_PLIES };
    let openings = Openings::new(options.random_plies.unwrap_or(usual), options.chess960);
    match &options.book {
        Some(path) => openings.with_book(path),
        None => Ok(openings),
    }
}

/// Counts what the players report until the last of them leaves.
fn watch(options: &Options, there: Totals, news: &Receiver<u64>) -> Totals {
    let mut totals = there;
    let mut progress = Progress::new(options, there);
    for positions in news {
        totals.games += 1;
        totals.positions += positions;
        progress.show(totals);
    }
    progress.finish(totals);
    totals
}

/// What all players work towards.
struct Goal<'a> {
    options: &'a Options,
    /// Games that are finished or being played.
    games: AtomicU64,
    /// Positions of finished games.
    positions: AtomicU64,
    failed: AtomicBool,
}

impl Goal<'_> {
    /// Whether another game is wanted; if so, it is taken to be on its way.
    fn take_game(&self) -> bool {
        let enough = self.options.positions.is_some_and(|wanted| self.positions.load(Relaxed) >= wanted);
        let wanted = self.options.games.unwrap_or(u64::MAX);
        !enough
            && !self.failed.load(Relaxed)
            && self.games.fetch_update(Relaxed, Relaxed, |games| (games < wanted).then_some(games + 1)).is_ok()
    }
}

/// Where one thread plays.
struct Table<'a> {
    goal: &'a Goal<'a>,
    openings: &'a Openings,
    tables: Option<&'a Tablebases>,
    thread: u64,
    file: GameFile,
    finished: Sender<u64>,
}

impl WithSliders for Table<'_> {
    type Out = Result<(), DatagenError>;

    fn run<S: Sliders>(mut self, sliders: S) -> Self::Out {
        let played = self.play(sliders);
        self.goal.failed.fetch_or(played.is_err(), Relaxed);
        played
    }
}

impl Table<'_> {
    fn play<S: Sliders>(&mut self, sliders: S) -> Result<(), DatagenError> {
        let options = self.goal.options;
        let thinking = Thinking { nodes: options.nodes, hash: options.hash.into() };
        let mut player = Player::new(sliders, self.openings, thinking)?.with_tables(self.tables);
        while self.goal.take_game() {
            let game = player.play(game_rng(options.seed, self.thread, self.file.games))?;
            self.file.append(&game)?;
            let positions = game.moves.len() as u64;
            self.goal.positions.fetch_add(positions, Relaxed);
            // Nobody listens any more only when the whole run is coming down.
            self.finished.send(positions).unwrap_or_default();
        }
        Ok(())
    }
}

/// The numbers behind one game: every one of the three arguments changes all of them.
fn game_rng(seed: u64, thread: u64, game: u64) -> Rng {
    let seed = [thread, game].into_iter().fold(seed, |seed, part| Rng::new(seed).next_u64() ^ part);
    Rng::new(Rng::new(seed).next_u64())
}
