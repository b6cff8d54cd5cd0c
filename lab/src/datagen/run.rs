//! `sleight-lab datagen`: self-play in several threads, each with its own player and output file.

use std::{
    fs, io,
    num::NonZeroU64,
    path::PathBuf,
    sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    thread,
};

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::{
    evaluated::EvaluatedFile,
    openings::OpeningSource,
    options::{DatagenOptions, Totals},
    output::{FileError, GameFile},
    player::Player,
    progress::{ProgressDisplay, note},
    selfplay::play_game,
};
use sleight::{
    openings::{BookError, NoOpening},
    syzygy::{OpenError, Tablebases},
    util::Rng,
};

/// Why a run failed.
#[derive(Debug, thiserror::Error)]
pub enum DatagenError {
    /// The book cannot be used.
    #[error(transparent)]
    Book(#[from] BookError),
    /// The Syzygy tablebases cannot be used.
    #[error(transparent)]
    Tablebases(#[from] OpenError),
    /// Games cannot be appended to a file.
    #[error(transparent)]
    File(#[from] FileError),
    /// No opening can be found.
    #[error(transparent)]
    Opening(#[from] NoOpening),
    /// The transposition table or the histories of a thread cannot be allocated.
    #[error("no memory to play with: {0}")]
    Memory(io::Error),
    /// There are more threads than classes of positions to sample from.
    #[error("one in {0} evaluated positions cannot be sampled on more threads")]
    Evaluated(NonZeroU64),
    /// A thread cannot be started.
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
    /// The output directory cannot be created.
    #[error("{path}: {source}")]
    Directory {
        /// The directory.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
}

/// Plays games up to the requested number, without end if none is requested. Returns the totals of the files.
///
/// Every game is determined by the seed, the thread, its index in the thread's file, and the openings played before, so
/// that a run of one thread that was killed and resumed writes the same file as an uninterrupted one. Of several
/// threads that draw one opening, the first gets it, and the others draw anew.
///
/// # Errors
/// See [`DatagenError`]. Finished games are in the files.
pub fn run(options: &DatagenOptions) -> Result<Totals, DatagenError> {
    let tablebases = options.syzygy.as_deref().map(Tablebases::open).transpose()?;
    for refused in tablebases.iter().flat_map(Tablebases::refused) {
        note(&format!("left out: {refused}"));
    }
    let failed = |source| DatagenError::Directory { path: options.out.clone(), source };
    fs::create_dir_all(&options.out).map_err(failed)?;
    if let Some(one_in) = options.evaluated.filter(|one_in| one_in.get() < options.threads.into()) {
        return Err(DatagenError::Evaluated(one_in));
    }
    let mut files = Vec::new();
    for thread in 0..options.threads {
        let path = options.out.join(format!("t{thread:02}.vf"));
        let file = GameFile::open(&path)?;
        if file.truncated > 0 {
            note(&format!("{}: removed the last {} bytes, an incomplete game", path.display(), file.truncated));
        }
        files.push(file);
    }
    let played = files.iter_mut().flat_map(|file| std::mem::take(&mut file.openings));
    let openings = OpeningSource::new(options, played)?;
    let before = Totals {
        games: files.iter().map(|file| file.games).sum(),
        positions: files.iter().map(|file| file.positions).sum(),
    };
    let goal = Goal {
        options,
        games: AtomicU64::new(before.games),
        positions: AtomicU64::new(before.positions),
        failed: AtomicBool::new(false),
    };
    let (finished, finished_games) = unbounded();
    thread::scope(|scope| {
        let mut workers = Vec::new();
        for (thread, file) in files.into_iter().enumerate() {
            let worker = SelfPlayWorker {
                goal: &goal,
                openings: &openings,
                tablebases: tablebases.as_ref(),
                thread: thread as u64,
                file,
                finished: finished.clone(),
            };
            let play = move || worker.run();
            let builder = thread::Builder::new().name(format!("self-play {thread}"));
            let worker = builder.spawn_scoped(scope, play).map_err(|error| {
                // Stops the workers that did start.
                goal.failed.store(true, Relaxed);
                DatagenError::Thread(error)
            })?;
            workers.push(worker);
        }
        drop(finished);
        let totals = count_games(options, before, &finished_games);
        let results =
            workers.into_iter().map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        results.collect::<Result<Vec<()>, _>>().map(|_| totals)
    })
}

/// Counts the finished games and displays the progress until all workers are done.
fn count_games(options: &DatagenOptions, before: Totals, finished_games: &Receiver<FinishedGame>) -> Totals {
    let mut totals = before;
    let mut nodes = 0;
    let mut progress = ProgressDisplay::new(options, before);
    for game in finished_games {
        totals.games += 1;
        totals.positions += game.positions;
        nodes += game.nodes;
        progress.show(totals, nodes);
    }
    progress.finish(totals, nodes);
    totals
}

/// The report of a worker about a game.
struct FinishedGame {
    positions: u64,
    /// Nodes of its searches, those of the openings rejected before it included.
    nodes: u64,
}

/// The goal of a run, shared by all workers.
struct Goal<'a> {
    options: &'a DatagenOptions,
    /// Games finished or in progress.
    games: AtomicU64,
    /// Positions of finished games.
    positions: AtomicU64,
    failed: AtomicBool,
}

impl Goal<'_> {
    /// Returns true if another game is to be played, and counts it as in progress.
    fn claim_game(&self) -> bool {
        let enough = self.options.positions.is_some_and(|wanted| self.positions.load(Relaxed) >= wanted);
        let wanted = self.options.games.unwrap_or(u64::MAX);
        !enough
            && !self.failed.load(Relaxed)
            && self.games.fetch_update(Relaxed, Relaxed, |games| (games < wanted).then_some(games + 1)).is_ok()
    }
}

/// One thread of self-play.
struct SelfPlayWorker<'a> {
    goal: &'a Goal<'a>,
    openings: &'a OpeningSource,
    tablebases: Option<&'a Tablebases>,
    thread: u64,
    file: GameFile,
    finished: Sender<FinishedGame>,
}

impl SelfPlayWorker<'_> {
    fn run(mut self) -> Result<(), DatagenError> {
        let played = self.play();
        self.goal.failed.fetch_or(played.is_err(), Relaxed);
        played
    }

    fn play(&mut self) -> Result<(), DatagenError> {
        let options = self.goal.options;
        let mut player = Player::new(options.hash.into()).map_err(DatagenError::Memory)?;
        let evaluated = match options.evaluated {
            None => None,
            Some(one_in) => {
                let path = options.out.join(format!("t{:02}.bullet", self.thread));
                Some(EvaluatedFile::observed(&path, one_in, self.thread)?)
            }
        };
        while self.goal.claim_game() {
            let mut rng = game_rng(options.seed, self.thread, self.file.games);
            let nodes_before = player.nodes();
            let result = self.openings.draw(&mut player, options.nodes, &mut rng)?;
            let game = play_game(&mut player, result, options, self.tablebases, &mut rng);
            self.file.append(&game)?;
            if let Some(evaluated) = &evaluated {
                evaluated.borrow_mut().flush()?;
            }
            let positions = game.positions() as u64;
            self.goal.positions.fetch_add(positions, Relaxed);
            let nodes = player.nodes() - nodes_before;
            // The receiver is gone only if the whole run is failing.
            self.finished.send(FinishedGame { positions, nodes }).unwrap_or_default();
        }
        Ok(())
    }
}

/// The random number generator of one game, different for any change of the three arguments.
fn game_rng(seed: u64, thread: u64, game: u64) -> Rng {
    let seed = [thread, game].into_iter().fold(seed, |seed, part| Rng::new(seed).next_u64() ^ part);
    Rng::new(Rng::new(seed).next_u64())
}
