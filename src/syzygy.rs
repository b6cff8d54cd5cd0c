//! Syzygy endgame tablebases, through the `shakmaty-syzygy` crate.
//!
//! This is the only file that names the crate: positions go in and results come out in our own vocabulary.

use std::{
    collections::HashSet,
    ffi::OsStr,
    fmt, fs,
    io::{self, Read},
    num::NonZeroU32,
    path::{Path, PathBuf},
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
};

use shakmaty::{CastlingMode, Chess, FromSetup as _, Position as _, PositionError, Setup};
use shakmaty_syzygy::{Dtz, ProbeError, SyzygyError, Tablebase};

use crate::{
    movegen::legal_moves,
    position::Position,
    types::{CastlingRights, Color, Move, PieceType},
    util::open_regular,
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

/// With fewer half-moves to spare under the fifty-move rule, a win has to be made for straight away. The tables may be
/// one off, and a search that is short of time has no plan.
const SPARE_PLIES: i32 = 20;

/// The tables of one or more directories.
pub struct Tablebases {
    tables: Tablebase<Chess>,
    files: usize,
    refused: Vec<OpenError>,
    /// What was wrong with the first damaged table that a probe came upon.
    damaged: OnceLock<String>,
    /// Whether that has been told.
    told: AtomicBool,
}

/// Why tables could not be opened.
#[derive(Clone, Debug, thiserror::Error)]
pub enum OpenError {
    /// A directory or a table that cannot be read, or a table of a size that none has.
    #[error("cannot read {}: {source}", .path.display())]
    Unreadable {
        /// The directory or table.
        path: PathBuf,
        /// What the system says.
        source: Arc<io::Error>,
    },
    /// Directories without a single table.
    #[error("no tables in {}", .0.display())]
    Empty(PathBuf),
}

impl Tablebases {
    /// Opens all tables of a list of directories, separated as in `PATH`: `:` or, on Windows, `;`. Those that cannot be
    /// opened are left out, and [`refused`](Self::refused); of several with one name, the first that can be opened counts.
    ///
    /// # Errors
    /// When there is no table left: why the first was refused, if any was there.
    pub fn open(directories: &OsStr) -> Result<Self, OpenError> {
        let mut tables = Tablebase::new();
        let (mut names, mut refused) = (HashSet::new(), Vec::new());
        for path in std::env::split_paths(directories).filter(|path| !path.as_os_str().is_empty()) {
            let paths = match list(&path) {
                Ok(paths) => paths,
                Err(error) => {
                    refused.push(OpenError::Unreadable { path, source: error.into() });
                    continue;
                }
            };
            for path in paths {
                if path.file_name().is_none_or(|name| names.contains(name)) {
                    continue;
                }
                match check_beginning(&path).and_then(|()| tables.add_file(&path)) {
                    Ok(()) => names.extend(path.file_name().map(OsStr::to_owned)),
                    // Not a table, by its name.
                    Err(error) if error.kind() == io::ErrorKind::InvalidInput => {}
                    Err(error) => refused.push(OpenError::Unreadable { path, source: error.into() }),
                }
            }
        }
        if names.is_empty() {
            return Err(refused
                .into_iter()
                .next()
                .unwrap_or_else(|| OpenError::Empty(Path::new(directories).to_owned())));
        }
        Ok(Self { tables, files: names.len(), refused, damaged: OnceLock::new(), told: AtomicBool::new(false) })
    }

    /// What was left out, and why.
    pub fn refused(&self) -> &[OpenError] {
        &self.refused
    }

    /// How many table files there are.
    pub fn files(&self) -> usize {
        self.files
    }

    /// What was wrong with a damaged table that a probe came upon, when this is asked for the first time since. Its
    /// positions count as not looked up.
    pub fn complaint(&self) -> Option<&str> {
        let damaged = self.damaged.get()?;
        (!self.told.swap(true, Ordering::Relaxed)).then_some(damaged)
    }

    /// The most men, kings included, of any table.
    pub fn max_pieces(&self) -> usize {
        self.tables.max_pieces()
    }

    /// The result of a position without castling rights, whatever its fifty-move counter; `None` where there is no
    /// table for it.
    pub fn probe_wdl(&self, position: &Position) -> Option<Wdl> {
        let foreign = self.convert(position)?;
        self.tables.probe_wdl_after_zeroing(&foreign).map(wdl).map_err(|error| self.warn(&error)).ok()
    }

    /// The moves that keep the best result of the position, with that result: a win or a loss that the fifty-move rule
    /// spoils is a draw if `fifty_move_rule`. `None` where a table is missing.
    ///
    /// Of winning moves, any that leaves enough of the fifty moves will do, and which is best is the search's business;
    /// but once a position has come twice since the last capture or pawn move, or few of the fifty moves are left, only
    /// the quickest way to the next such move counts.
    pub fn root_moves(&self, position: &Position, fifty_move_rule: bool) -> Option<(Vec<Move>, Wdl)> {
        self.convert(position)?;
        let ranked: Vec<(Move, i32)> = legal_moves(position)
            .into_iter()
            .map(|mv| Some((mv, self.rank(position, mv, fifty_move_rule)?)))
            .collect::<Option<_>>()?;
        let best = ranked.iter().map(|&(_, rank)| rank).max()?;
        let result = match best {
            1000.. => Wdl::Win,
            1..1000 => Wdl::CursedWin,
            0 => Wdl::Draw,
            -999..0 => Wdl::BlessedLoss,
            _ => Wdl::Loss,
        };
        Some((ranked.into_iter().filter(|&(_, rank)| rank == best).map(|(mv, _)| mv).collect(), result))
    }

    /// How good a root move is: at least 1000 for a win within the fifty-move rule, less for one that comes too late, 0
    /// for a draw, and the same with the opposite sign for losses.
    fn rank(&self, position: &Position, mv: Move, fifty_move_rule: bool) -> Option<i32> {
        let mut after = position.clone();
        after.play(mv);
        let foreign = self.convert(&after)?;
        let plies = if foreign.is_checkmate() {
            1
        } else if after.is_repetition(0) || foreign.is_stalemate() {
            0
        } else if after.halfmove_clock() == 0 {
            let result = self.tables.probe_wdl_after_zeroing(&foreign).map_err(|error| self.warn(&error)).ok()?;
            Dtz::before_zeroing(-result).0
        } else {
            let dtz = -self.tables.probe_dtz(&foreign).map_err(|error| self.warn(&error)).ok()?.ignore_rounding();
            dtz.0 + dtz.signum()
        };
        /// Beyond the longest distance, so that a win in time stays above one that comes too late.
        const BEST: i32 = 5000;
        let clock = if fifty_move_rule { i32::from(position.halfmove_clock()) } else { 0 };
        // All that leave enough time are alike; of others, the quicker is the better.
        let relaxed = !position.has_repeated() && plies + clock <= 99 - SPARE_PLIES;
        Some(match plies {
            0 => 0,
            1.. if relaxed => BEST,
            1.. if plies + clock <= 99 || !fifty_move_rule => BEST - plies,
            1.. => (1000 - plies - clock).clamp(1, 999),
            _ if !fifty_move_rule => -1000,
            _ if clock - plies <= 99 => -1000,
            _ => (clock - plies - 1000).clamp(-999, -1),
        })
    }

    /// A missing table is ordinary; a damaged one deserves a word, and only one: there will be many probes.
    fn warn(&self, error: &SyzygyError) {
        // The crate's own words bring a backtrace.
        let SyzygyError::ProbeFailed { metric, material, error } = error else { return };
        self.damaged.get_or_init(|| match &**error {
            ProbeError::Read { error } => format!("cannot read the {metric} table {material}: {error}"),
            _ => format!("the {metric} table {material} is damaged"),
        });
    }

    /// The position as the crate sees it, if it may be looked up at all.
    fn convert(&self, position: &Position) -> Option<Chess> {
        let board = position.board();
        if board.occupied().len() > self.max_pieces() || board.castling_rights() != CastlingRights::NONE {
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

/// Looks at the first bytes of a file, if its name is that of a table: the size is all that the crate looks at before
/// the table is needed.
///
/// # Errors
/// When it cannot be read, or is something else.
fn check_beginning(path: &Path) -> io::Result<()> {
    let magic = match path.extension().and_then(OsStr::to_str) {
        Some("rtbw") => [0x71, 0xe8, 0x23, 0x5d],
        Some("rtbz") => [0xd7, 0x66, 0x0c, 0xa5],
        _ => return Ok(()),
    };
    let mut found = [0; 4];
    open_regular(path)?.read_exact(&mut found)?;
    if found == magic {
        Ok(())
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidData, "it does not begin as a table"))
    }
}

/// The paths in a directory, in alphabetical order.
fn list(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = fs::read_dir(directory)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort_unstable();
    Ok(paths)
}

impl fmt::Debug for Tablebases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tablebases({} files, up to {} men)", self.files, self.max_pieces())
    }
}
