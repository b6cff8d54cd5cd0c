//! The source of scores: a network or an engine.

use super::{
    board::Board,
    error::LabelError,
    evaluator::Evaluator,
    network::Network,
    options::LabelOptions,
    uci_engine::{EngineSettings, UciEngine},
};
use crate::record::Record;
use sleight::position::Position;

/// The largest score: below the scores that the filters of the field take for mates or for none.
const MAX_SCORE: i32 = 31_000;

/// The part that all threads share.
pub(super) enum Teacher {
    Network(Box<Network>),
    Engine(EngineSettings),
}

/// The part that one thread has.
pub(super) enum Labeller<'a> {
    Network(Box<Evaluator<'a>>),
    Engine(Box<UciEngine>),
}

impl Teacher {
    pub(super) fn open(options: &LabelOptions) -> Result<Self, LabelError> {
        if let Some(path) = &options.teacher {
            let network = Network::open(path).map_err(|source| LabelError::Network { path: path.clone(), source })?;
            return Ok(Self::Network(Box::new(network)));
        }
        Ok(Self::Engine(EngineSettings::new(options)))
    }

    pub(super) fn labeller(&self) -> Result<Labeller<'_>, LabelError> {
        Ok(match self {
            Self::Network(network) => Labeller::Network(Box::new(Evaluator::new(network))),
            Self::Engine(settings) => Labeller::Engine(Box::new(UciEngine::start(settings)?)),
        })
    }

    /// Tells this teacher from another one.
    pub(super) fn identity(&self) -> String {
        match self {
            Self::Network(network) => format!("network {:016x}", network.checksum),
            Self::Engine(settings) => format!("engine {settings:?}"),
        }
    }

    /// The bytes of the input that are labelled together: a second or so of work.
    pub(super) fn chunk_bytes(&self) -> usize {
        match self {
            Self::Network(_) => 1 << 20,
            Self::Engine(_) => 1 << 12,
        }
    }
}

impl Labeller<'_> {
    /// Forgets all that it knows of other games, so that scores depend on their own game alone.
    pub(super) fn new_game(&mut self) -> Result<(), LabelError> {
        match self {
            Self::Network(_) => Ok(()),
            Self::Engine(engine) => Ok(engine.new_game()?),
        }
    }

    /// The score of a position for the side to move; none in check.
    pub(super) fn score(&mut self, position: &Position) -> Result<Option<i16>, LabelError> {
        if position.in_check() {
            return Ok(None);
        }
        let value = match self {
            Self::Network(evaluator) => evaluator.value(&Board::from_position(position)),
            Self::Engine(engine) => engine.score(position)?,
        };
        Ok(Some(clamped(value)))
    }

    /// The score of a record for the side to move; none in check, or if an engine is asked and the position is illegal.
    pub(super) fn score_record(&mut self, record: &Record) -> Result<Option<i16>, LabelError> {
        match self {
            Self::Network(evaluator) => {
                let board = Board::from_record(record);
                Ok((!board.in_check()).then(|| clamped(evaluator.value(&board))))
            }
            Self::Engine(_) => {
                self.new_game()?;
                record.position().map_or(Ok(None), |position| self.score(&position))
            }
        }
    }
}

fn clamped(value: i32) -> i16 {
    value.clamp(-MAX_SCORE, MAX_SCORE) as i16
}
