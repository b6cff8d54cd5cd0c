//! Syzygy endgame tablebases, through the `shakmaty-syzygy` crate.
//!
//! This is the only file that names the crate: positions go in and results come out in our own vocabulary.

use std::{
    ffi::OsStr,
    fmt, io,
    num::NonZeroU32,
    path::{Path, PathBuf},
};

use shakmaty::{CastlingMode, Chess, FromSetup as _, Position as _, PositionError, Setup};
use shakmaty_syzygy::{Dtz, SyzygyError, Tablebase};

use crate::{
    movegen::legal_moves,
    position::Position,
    types::{CastlingRights, Color, Move, PieceType},
};

/// The result of perfect play for the side to move, if the fifty-move counter stood at zero.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Wdl {
    /// Lost.
    Loss,
    /// Lost, but the fifty-move rule comes first.
    BlessedLoss,
    /// Drawn.
    Draw,
    /// Won, but the fifty-move rule comes first.
    CursedWin,
    /// Won.
    Win,
}

/// The tables of one or more directories.
pub struct Tablebases {
    tables: Tablebase<Chess>,
    files: usize,
}

/// Why no tables could be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// A directory that cannot be read.
    #[error("cannot read {}: {source}", .path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Directories without a single table.
    #[error("no tables in {}", .0.display())]
    Empty(PathBuf),
}

impl Tablebases {
    /// Opens all tables of a list of directories, separated as in `PATH`: `:` or, on Windows, `;`.
    ///
    /// # Errors
    /// When a directory cannot be read, or none holds any table.
    pub fn open(directories: &OsStr) -> Result<Self, OpenError> {
        let mut tables = Tablebase::new();
        let mut files = 0;
        for path in std::env::split_paths(directories).filter(|path| !path.as_os_str().is_empty()) {
            files += tables.add_directory(&path).map_err(|source| OpenError::Directory { path, source })?;
        }
        if files == 0 {
            return Err(OpenError::Empty(Path::new(directories).to_owned()));
        }
        Ok(Self { tables, files })
    }

    /// How many table files there are.
    pub fn files(&self) -> usize {
        self.files
    }

    /// The most men, kings included, of any table.
    pub fn max_men(&self) -> usize {
        self.tables.max_pieces()
    }

    /// The result of a position without castling rights, whatever its fifty-move counter; `None` where there is no
    /// table for it.
    pub fn probe_wdl(&self, position: &Position) -> Option<Wdl> {
        let foreign = self.convert(position)?;
        self.tables.probe_wdl_after_zeroing(&foreign).map(wdl).map_err(log_unless_missing).ok()
    }

    /// The moves that keep the best result of the position, those that make progress if it is won, with that
    /// result: a win or a loss that the fifty-move rule spoils is a draw if `fifty_move_rule`. `None` where a table
    /// is missing.
    pub fn root_moves(&self, position: &Position, fifty_move_rule: bool) -> Option<(Vec<Move>, Wdl)> {
        self.convert(position)?;
        let ranked: Vec<(Move, i32)> = legal_moves(position)
            .into_iter()
            .map(|mv| Some((mv, self.rank(position, mv, fifty_move_rule)?)))
            .collect::<Option<_>>()?;
        let best = ranked.iter().map(|&(_, rank)| rank).max()?;
        let result = match best {
            1000 => Wdl::Win,
            1..1000 => Wdl::CursedWin,
            0 => Wdl::Draw,
            -999..0 => Wdl::BlessedLoss,
            _ => Wdl::Loss,
        };
        Some((ranked.into_iter().filter(|&(_, rank)| rank == best).map(|(mv, _)| mv).collect(), result))
    }

    /// How good a root move is: 1000 for a win within the fifty-move rule, less for one that comes too late, 0 for a
    /// draw, and the same with the opposite sign for losses.
    fn rank(&self, position: &Position, mv: Move, fifty_move_rule: bool) -> Option<i32> {
        let mut after = position.clone();
        after.play(mv);
        let foreign = self.convert(&after)?;
        let plies = if foreign.is_checkmate() {
            1
        } else if after.is_repetition(0) || foreign.is_stalemate() {
            0
        } else if after.halfmove_clock() == 0 {
            let result = self.tables.probe_wdl_after_zeroing(&foreign).map_err(log_unless_missing).ok()?;
            Dtz::before_zeroing(-result).0
        } else {
            let dtz = -self.tables.probe_dtz(&foreign).map_err(log_unless_missing).ok()?.ignore_rounding();
            dtz.0 + dtz.signum()
        };
        let clock = if fifty_move_rule { i32::from(position.halfmove_clock()) } else { 0 };
        Some(match plies {
            0 => 0,
            _ if !fifty_move_rule => 1000 * plies.signum(),
            1.. if plies + clock <= 99 => 1000,
            1.. => (1000 - plies - clock).clamp(1, 999),
            _ if clock - plies <= 99 => -1000,
            _ => (clock - plies - 1000).clamp(-999, -1),
        })
    }

    /// The position as the crate sees it, if it may be looked up at all.
    fn convert(&self, position: &Position) -> Option<Chess> {
        let board = position.board();
        if board.occupied().len() > self.max_men() || board.castling_rights() != CastlingRights::NONE {
            return None;
        }
        let mut foreign = shakmaty::Board::empty();
        for square in board.occupied() {
            let piece = position.piece_at(square)?;
            foreign
                .set_piece_at(shakmaty::Square::new(square.index() as u32), convert_piece(piece.kind(), piece.color()));
        }
        let mut setup = Setup::empty();
        setup.board = foreign;
        setup.turn = convert_color(board.side_to_move());
        setup.ep_square = board.en_passant().map(|square| shakmaty::Square::new(square.index() as u32));
        setup.halfmoves = u32::from(position.halfmove_clock());
        setup.fullmoves = NonZeroU32::MIN;
        // The crate refuses more than the rules do, such as two checkers on one line: harmless, and not looked up.
        Chess::from_setup(setup, CastlingMode::Standard).or_else(PositionError::ignore_impossible_check).ok()
    }
}

fn convert_color(color: Color) -> shakmaty::Color {
    match color {
        Color::White => shakmaty::Color::White,
        Color::Black => shakmaty::Color::Black,
    }
}

fn convert_piece(kind: PieceType, color: Color) -> shakmaty::Piece {
    let role = match kind {
        PieceType::Pawn => shakmaty::Role::Pawn,
        PieceType::Knight => shakmaty::Role::Knight,
        PieceType::Bishop => shakmaty::Role::Bishop,
        PieceType::Rook => shakmaty::Role::Rook,
        PieceType::Queen => shakmaty::Role::Queen,
        PieceType::King => shakmaty::Role::King,
    };
    role.of(convert_color(color))
}

fn wdl(wdl: shakmaty_syzygy::Wdl) -> Wdl {
    match wdl {
        shakmaty_syzygy::Wdl::Loss => Wdl::Loss,
        shakmaty_syzygy::Wdl::BlessedLoss => Wdl::BlessedLoss,
        shakmaty_syzygy::Wdl::Draw => Wdl::Draw,
        shakmaty_syzygy::Wdl::CursedWin => Wdl::CursedWin,
        shakmaty_syzygy::Wdl::Win => Wdl::Win,
    }
}

/// A missing table is ordinary; a damaged one deserves a word.
fn log_unless_missing(error: SyzygyError) {
    if !matches!(error, SyzygyError::MissingTable { .. } | SyzygyError::TooManyPieces | SyzygyError::Castling) {
        log::warn!("tablebase: {error}");
    }
}

impl fmt::Debug for Tablebases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tablebases({} files, up to {} men)", self.files, self.max_men())
    }
}
