//! Syzygy endgame tablebases, through the `shakmaty-syzygy` crate.
//!
//! This module alone names the crate: positions and results are of this crate's own types.

mod filesystem;
mod ranking;

use std::{
    cmp::Reverse,
    collections::HashSet,
    ffi::OsStr,
    fmt, fs,
    io::{self, Read},
    num::NonZeroU32,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use once_cell::sync::OnceCell;
use shakmaty::{CastlingMode, Chess, FromSetup as _, Position as _, PositionError, Setup};
use shakmaty_syzygy::{Dtz, ProbeError, SyzygyError, Tablebase};

use self::ranking::RankedRoot;
pub use self::ranking::{MoveRank, Ranking, Wdl};
use crate::{
    position::Position,
    types::{Color, Move, PieceType},
    util::open_regular,
};

/// A page has no files. Without the crate's code and tables, it is loaded a fifth faster.
const HAS_FILES: bool = cfg!(not(target_family = "wasm"));

/// The tablebases of one or more directories.
pub struct Tablebases {
    tables: Tablebase<Chess>,
    files: usize,
    refused: Vec<OpenError>,
    /// The first damage that a probe came upon.
    damaged: OnceCell<String>,
    /// True once the damage was reported.
    reported: AtomicBool,
}

/// Why a tablebase could not be opened.
#[derive(Clone, Debug, thiserror::Error)]
pub enum OpenError {
    /// A directory or a tablebase that cannot be read, or a file whose size or beginning is not that of a tablebase.
    #[error("cannot read {}: {source}", .path.display())]
    Unreadable {
        /// The directory or file.
        path: PathBuf,
        /// The system's error.
        source: Arc<io::Error>,
    },
    /// The directories contain no tablebases.
    #[error("no tables in {}", .0.display())]
    Empty(PathBuf),
}

/// The directories of a list, separated as in `PATH`.
#[cfg(any(unix, windows))]
fn split(directories: &OsStr) -> impl Iterator<Item = PathBuf> {
    std::env::split_paths(directories)
}

/// The one directory, where the system has no such lists.
#[cfg(not(any(unix, windows)))]
fn split(directory: &OsStr) -> impl Iterator<Item = PathBuf> {
    std::iter::once(directory.into())
}

impl Tablebases {
    /// Opens all tablebases of a list of directories, separated as in `PATH`: `:` or, on Windows, `;`. Files that
    /// cannot be opened are left out and [`refused`](Self::refused); of several with one name, the first that can be
    /// opened counts.
    ///
    /// # Errors
    /// If no tablebase could be opened: why the first was refused, if there was one.
    pub fn open(directories: &OsStr) -> Result<Self, OpenError> {
        if !HAS_FILES {
            let (path, source) = (directories.into(), Arc::new(io::ErrorKind::Unsupported.into()));
            return Err(OpenError::Unreadable { path, source });
        }
        let mut tables = Tablebase::with_filesystem(Arc::new(filesystem::RegularFiles::new()));
        let (mut names, mut refused) = (HashSet::new(), Vec::new());
        for path in split(directories).filter(|path| !path.as_os_str().is_empty()) {
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
                    // By its name, not a tablebase file.
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
        Ok(Self { tables, files: names.len(), refused, damaged: OnceCell::new(), reported: AtomicBool::new(false) })
    }

    /// The directories and files that were left out, and why.
    pub fn refused(&self) -> &[OpenError] {
        &self.refused
    }

    /// Number of tablebase files.
    pub fn files(&self) -> usize {
        self.files
    }

    /// The damage of a tablebase that a probe came upon, on the first call since. Positions of a damaged tablebase
    /// count as missing.
    pub fn take_damage(&self) -> Option<&str> {
        let damaged = self.damaged.get()?;
        (!self.reported.swap(true, Ordering::Relaxed)).then_some(damaged)
    }

    /// Most pieces, kings included, of any tablebase.
    pub fn max_pieces(&self) -> usize {
        self.tables.max_pieces()
    }

    /// Probes the WDL tables for a position without castling rights, as if its fifty-move counter were zero; `None` if
    /// it is in no tablebase.
    pub fn probe_wdl(&self, position: &Position) -> Option<Wdl> {
        let foreign = self.convert(position)?;
        self.tables.probe_wdl_after_zeroing(&foreign).map(wdl).map_err(|error| self.warn(&error)).ok()
    }

    /// Ranks `moves` of a position by the result that each of them keeps, best first; moves of one rank stay in their
    /// order. `None` if a tablebase is missing. With `fifty_move_rule`, cursed wins and blessed losses are draws.
    ///
    /// All winning moves that leave enough plies under the fifty-move rule rank equal, and the search chooses among
    /// them. But once a position has repeated since the last capture or pawn move, or few plies are left, those with a
    /// shorter distance to zeroing (DTZ) rank higher. Without DTZ tables, moves are ranked by result alone.
    pub fn rank_root_moves(&self, position: &Position, moves: &[Move], fifty_move_rule: bool) -> Option<Ranking> {
        self.convert(position)?;
        let root = RankedRoot::new(position, fifty_move_rule);
        let by = |rank: fn(&Self, &RankedRoot<'_>, &Position, &Chess) -> Option<MoveRank>| {
            moves.iter().map(|&mv| Some((mv, self.rank(&root, mv, rank)?))).collect::<Option<Vec<_>>>()
        };
        let by_dtz = by(Self::rank_by_dtz);
        let has_dtz = by_dtz.is_some();
        let mut moves = by_dtz.or_else(|| by(Self::rank_by_wdl))?;
        moves.sort_by_key(|&(_, rank)| Reverse(rank));
        Some(Ranking { moves, has_dtz })
    }

    /// The rank of a root move: what the rules say of the position after it, or else what `by_tables` says.
    fn rank(
        &self,
        root: &RankedRoot<'_>,
        mv: Move,
        by_tables: fn(&Self, &RankedRoot<'_>, &Position, &Chess) -> Option<MoveRank>,
    ) -> Option<MoveRank> {
        let mut after = root.position.clone();
        after.make(mv);
        let foreign = self.convert(&after)?;
        if foreign.is_checkmate() {
            return Some(MoveRank::MATE);
        }
        if after.is_repetition(0) || foreign.is_stalemate() {
            return Some(MoveRank::DRAW);
        }
        by_tables(self, root, &after, &foreign)
    }

    fn rank_by_dtz(&self, root: &RankedRoot<'_>, after: &Position, foreign: &Chess) -> Option<MoveRank> {
        let plies = if after.halfmove_clock() == 0 {
            let result = self.tables.probe_wdl_after_zeroing(foreign).map_err(|error| self.warn(&error)).ok()?;
            Dtz::before_zeroing(-result).0
        } else {
            let dtz = -self.tables.probe_dtz(foreign).map_err(|error| self.warn(&error)).ok()?.ignore_rounding();
            dtz.0 + dtz.signum()
        };
        Some(root.by_dtz(plies, after))
    }

    fn rank_by_wdl(&self, root: &RankedRoot<'_>, after: &Position, foreign: &Chess) -> Option<MoveRank> {
        let result = self.tables.probe_wdl_after_zeroing(foreign).map_err(|error| self.warn(&error)).ok()?;
        Some(root.by_wdl(wdl(-result), after))
    }

    /// Keeps the first damage for [`take_damage`](Self::take_damage). A missing tablebase is no error.
    fn warn(&self, error: &SyzygyError) {
        // The crate's own message includes a backtrace.
        let SyzygyError::ProbeFailed { metric, material, error } = error else { return };
        self.damaged.get_or_init(|| match &**error {
            ProbeError::Read { error } => format!("cannot read the {metric} table {material}: {error}"),
            _ => format!("the {metric} table {material} is damaged"),
        });
    }

    /// Converts a position to the crate's type; `None` if no tablebase can contain it.
    fn convert(&self, position: &Position) -> Option<Chess> {
        let board = position.board();
        if !HAS_FILES || board.occupied().len() > self.max_pieces() || !board.castling_rights().is_empty() {
            return None;
        }
        let mut foreign = shakmaty::Board::empty();
        for square in board.occupied() {
            let piece = position.piece_at(square)?;
            foreign.set_piece_at(
                shakmaty::Square::new(square.index() as u32),
                convert_piece(piece.piece_type(), piece.color()),
            );
        }
        let mut setup = Setup::empty();
        setup.board = foreign;
        setup.turn = convert_color(board.side_to_move());
        setup.ep_square = board.en_passant().map(|square| shakmaty::Square::new(square.index() as u32));
        setup.halfmoves = u32::from(position.halfmove_clock());
        setup.fullmoves = NonZeroU32::MIN;
        // The crate rejects some positions that cannot arise in a game, such as two checkers on one line.
        Chess::from_setup(setup, CastlingMode::Standard).or_else(PositionError::ignore_impossible_check).ok()
    }
}

fn convert_color(color: Color) -> shakmaty::Color {
    match color {
        Color::White => shakmaty::Color::White,
        Color::Black => shakmaty::Color::Black,
    }
}

fn convert_piece(piece_type: PieceType, color: Color) -> shakmaty::Piece {
    let role = match piece_type {
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

/// Checks the magic number of a tablebase file; the crate itself checks only the size before the first probe.
///
/// # Errors
/// If the file cannot be read, or does not begin with the magic number of its type.
fn check_beginning(path: &Path) -> io::Result<()> {
    let magic = match path.extension().and_then(OsStr::to_str) {
        Some("rtbw") => [0x71, 0xe8, 0x23, 0x5d],
        Some("rtbz") => [0xd7, 0x66, 0x0c, 0xa5],
        _ => return Ok(()),
    };
    let mut found = Vec::new();
    open_regular(path)?.take(4).read_to_end(&mut found)?;
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
        write!(f, "Tablebases({} files, up to {} pieces)", self.files, self.max_pieces())
    }
}
