//! The openings of a run: each is balanced, and none is played twice.

use std::{
    collections::HashSet,
    sync::{Mutex, MutexGuard, PoisonError},
};

use sleight::{
    openings::{BookError, MAX_DRAWS, MAX_OPENING_SCORE, NoOpening, Openings, RANDOM_BOOK_PLIES, RANDOM_PLIES},
    position::Position,
    search::SearchResult,
    types::Key,
    util::Rng,
};

use super::{options::DatagenOptions, player::Player, walk};

/// Draws of openings that were all played before, after which there is one more random ply.
const REPEATED_DRAWS: u32 = 8;
/// Moves of a walk beyond the intended ones, if the positions on the way were all played before.
const MORE_PLIES: u32 = 8;

/// The openings of a run, shared by its threads.
pub(super) struct OpeningSource {
    openings: Openings,
    /// The soft node limit of a ply of a walk, if openings are sampled from own play.
    walk_nodes: Option<u64>,
    /// The keys of the openings that have been played. A search is deterministic, so that two games from one opening
    /// would be the same, or have the same beginning.
    played: Mutex<HashSet<Key>>,
}

impl OpeningSource {
    /// The openings that the options ask for, but those already `played`.
    ///
    /// # Errors
    /// See [`BookError`].
    pub(super) fn new(options: &DatagenOptions, played: impl IntoIterator<Item = Key>) -> Result<Self, BookError> {
        let default = if options.book.is_some() { RANDOM_BOOK_PLIES } else { RANDOM_PLIES };
        let openings = Openings::new(options.random_plies.unwrap_or(default), options.chess960);
        let openings = match &options.book {
            Some(path) => openings.with_book(path, || false)?,
            None => openings,
        };
        Ok(Self { openings, walk_nodes: options.sample, played: Mutex::new(played.into_iter().collect()) })
    }

    /// Draws openings until one is balanced and new, sets the player up for a game from it, and returns the result of
    /// its search of `nodes` soft nodes.
    ///
    /// # Errors
    /// [`NoOpening`] after a thousand draws.
    pub(super) fn draw(&self, player: &mut Player, nodes: u64, rng: &mut Rng) -> Result<SearchResult, NoOpening> {
        let mut repeated = 0;
        for _ in 0..MAX_DRAWS {
            let drawn = match self.walk_nodes {
                Some(nodes) => self.walk(player, nodes, rng),
                None => self.openings.draw(rng, repeated / REPEATED_DRAWS),
            };
            let Some(opening) = drawn else { continue };
            if self.is_played(opening.key()) {
                repeated += 1;
                continue;
            }
            if self.walk_nodes.is_none() {
                player.new_game();
            }
            player.position_mut().clone_from(&opening);
            let result = player.search(nodes);
            if result.score.0.abs() <= MAX_OPENING_SCORE && self.played().insert(opening.key()) {
                return Ok(result);
            }
        }
        Err(NoOpening)
    }

    /// An opening after 6 to 16 plies of a walk, or a few more if that one is not new; none if the walk ends before.
    fn walk(&self, player: &mut Player, nodes: u64, rng: &mut Rng) -> Option<Position> {
        player.new_game();
        let mut walk = walk::Walk::new(&self.openings, rng);
        let plies = walk::MIN_PLIES + rng.below((walk::MAX_PLIES - walk::MIN_PLIES + 1) as usize) as u32;
        while walk.plies() < plies + MORE_PLIES {
            if !walk.step(player, nodes, rng) {
                return None;
            }
            if walk.plies() >= plies {
                let opening = walk.opening()?;
                if !self.is_played(opening.key()) {
                    return Some(opening);
                }
            }
        }
        None
    }

    fn is_played(&self, key: Key) -> bool {
        self.played().contains(&key)
    }

    fn played(&self) -> MutexGuard<'_, HashSet<Key>> {
        self.played.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
