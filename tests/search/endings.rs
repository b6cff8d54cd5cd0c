//! Drawn elementary endings against the tablebases: what the evaluation calls a draw, and what a search shows.
//!
//! Endings with four men need their tables in `../shared/syzygy` beside the checkout, or where `SYZYGY_PATH` says.

use std::{path::PathBuf, sync::Arc};

use sleight::{
    eval::{displayed_centipawns, evaluate},
    movegen::legal_moves,
    nnue::{AccumulatorStack, Network},
    position::{Position, Setup},
    search::{Control, Job, Limits, Shared, Worker},
    syzygy::{Tablebases, Wdl},
    tt::TranspositionTable,
    types::{Color, File, Piece, Rank, Score, Square},
    util::Rng,
};

/// A class of endings, White being the side with more: its pieces, and on which squares they may stand, in the order of
/// the pieces, the kings' first.
struct Class {
    name: &'static str,
    pieces: &'static [Piece],
    allows: fn(&[Square]) -> bool,
    /// How many of a thousand drawn positions the evaluation knows, at least.
    known: usize,
}

fn is_rook_file(square: Square) -> bool {
    matches!(square.file(), File::A | File::H)
}

fn is_dark(square: Square) -> bool {
    (square.file().index() + square.rank().index()).is_multiple_of(2)
}

/// Returns true if a bishop does not cover the square where a pawn of White promotes.
fn is_wrong(bishop: Square, pawn: Square) -> bool {
    is_dark(bishop) != is_dark(Square::new(pawn.file(), Rank::Eight))
}

const CLASSES: [Class; 9] = [
    Class { name: "pawn", pieces: &[Piece::WhitePawn], allows: |_| true, known: 1000 },
    Class { name: "rook pawn", pieces: &[Piece::WhitePawn], allows: |at| is_rook_file(at[2]), known: 1000 },
    Class {
        name: "two pawns on a rook's file",
        pieces: &[Piece::WhitePawn, Piece::WhitePawn],
        allows: |at| is_rook_file(at[2]) && at[2].file() == at[3].file(),
        known: 250,
    },
    Class {
        name: "wrong bishop",
        pieces: &[Piece::WhiteBishop, Piece::WhitePawn],
        allows: |at| is_rook_file(at[3]) && is_wrong(at[2], at[3]),
        known: 100,
    },
    Class {
        name: "bishop",
        pieces: &[Piece::WhiteBishop, Piece::WhitePawn],
        allows: |at| !is_rook_file(at[3]) || !is_wrong(at[2], at[3]),
        known: 0,
    },
    Class {
        name: "knight, rook pawn on the seventh rank",
        pieces: &[Piece::WhiteKnight, Piece::WhitePawn],
        allows: |at| is_rook_file(at[3]) && at[3].rank() == Rank::Seven,
        known: 50,
    },
    Class {
        name: "queen against a rook's or bishop's pawn on the seventh rank",
        pieces: &[Piece::WhiteQueen, Piece::BlackPawn],
        allows: |at| at[3].rank() == Rank::Two && matches!(at[3].file(), File::A | File::C | File::F | File::H),
        known: 50,
    },
    Class { name: "two knights", pieces: &[Piece::WhiteKnight, Piece::WhiteKnight], allows: |_| true, known: 1000 },
    Class {
        name: "two bishops of one color",
        pieces: &[Piece::WhiteBishop, Piece::WhiteBishop],
        allows: |at| is_dark(at[2]) == is_dark(at[3]),
        known: 1000,
    },
];

/// The tables, and the classes that they have.
fn tables() -> (Tablebases, impl Iterator<Item = &'static Class>) {
    let beside = || Some(PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/syzygy")));
    let four = std::env::var_os("SYZYGY_PATH").map(PathBuf::from).or_else(beside).filter(|path| path.is_dir());
    let path = four.unwrap_or_else(|| {
        println!("not tested with four men: SYZYGY_PATH names no tables, and there are none beside the checkout");
        concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy").into()
    });
    let tables = Tablebases::open(path.as_os_str()).unwrap();
    let men = tables.max_pieces();
    (tables, CLASSES.iter().filter(move |class| class.pieces.len() + 2 <= men))
}

/// The position with a class's pieces on these squares, if it is one in which there is something to do; White or Black
/// being the side with more. Also returns whether that side wins.
fn position(
    class: &Class,
    at: &[Square],
    strong: Color,
    to_move: Color,
    tables: &Tablebases,
) -> Option<(Position, bool)> {
    let mut setup = Setup::empty();
    let pieces = [Piece::WhiteKing, Piece::BlackKing].into_iter().chain(class.pieces.iter().copied());
    pieces.zip(at).for_each(|(piece, square)| setup.pieces[square.index()] = Some(piece));
    setup.side_to_move = to_move;
    if setup.pieces.iter().flatten().count() != at.len() || !(class.allows)(at) {
        return None;
    }
    let setup = if strong == Color::White { setup } else { setup.flipped() };
    let position = setup.position().ok().filter(|position| !legal_moves(position).is_empty())?;
    let won = if to_move == Color::White { Wdl::Win } else { Wdl::Loss };
    let result = tables.probe_wdl(&position)?;
    // The other side may win, too.
    let is_lost = matches!(result, Wdl::Win | Wdl::Loss) && result != won;
    (!is_lost).then(|| (position, result == won))
}

fn random(class: &Class, tables: &Tablebases, rng: &mut Rng) -> (Position, bool) {
    loop {
        let at: Vec<Square> = (0..class.pieces.len() + 2).map(|_| Square::from_low_bits(rng.below(64))).collect();
        let [strong, to_move] = [(); 2].map(|()| Color::ALL[rng.below(2)]);
        if let Some(found) = position(class, &at, strong, to_move, tables) {
            return found;
        }
    }
}

/// Returns true if the evaluation is that of a draw, and the network's is not by chance.
fn is_called_draw(position: &Position, accumulators: &mut AccumulatorStack) -> bool {
    evaluate(position, accumulators) == Score::ZERO && accumulators.evaluate(position) != 0
}

/// No won position is called a draw; of the drawn ones, the stated number is.
#[test]
fn draws_of_elementary_endings_are_known() {
    let (tables, classes) = tables();
    let mut accumulators = AccumulatorStack::new(Network::embedded());
    for class in classes {
        let mut rng = Rng::new(7);
        let (mut drawn, mut known, mut won) = (0, 0, 0);
        for _ in 0..20_000 {
            let (position, is_won) = random(class, &tables, &mut rng);
            let is_called = is_called_draw(&position, &mut accumulators);
            // Two knights mate at once or not at all, which is for the search to see.
            let may_be_called = !is_won || class.name == "two knights";
            assert!(may_be_called || !is_called, "{}: {} is won", class.name, position.fen());
            won += usize::from(is_won);
            drawn += usize::from(!is_won);
            known += usize::from(!is_won && evaluate(&position, &mut accumulators) == Score::ZERO);
        }
        println!("{}: {won} won, {known} of {drawn} drawn ones known", class.name);
        assert!(1000 * known >= class.known * drawn, "{}: {known} of {drawn}", class.name);
    }
}

/// All positions of king and pawn against king.
#[test]
fn the_bitbase_of_pawn_endings_is_right() {
    let (tables, _) = tables();
    let mut accumulators = AccumulatorStack::new(Network::embedded());
    let mut counts = [0; 2];
    for index in 0..1 << 19 {
        let at = [0, 6, 12].map(|shift| Square::from_low_bits(index >> shift & 63));
        let to_move = Color::ALL[index >> 18];
        for strong in Color::ALL {
            let Some((position, is_won)) = position(&CLASSES[0], &at, strong, to_move, &tables) else { continue };
            let score = evaluate(&position, &mut accumulators);
            assert!(
                if is_won { !is_called_draw(&position, &mut accumulators) } else { score == Score::ZERO },
                "{}",
                position.fen()
            );
            counts[usize::from(is_won)] += 1;
        }
    }
    // Drawn and won ones of both colors; those without a legal move are left out.
    assert_eq!(counts, [217_532, 445_128]);
}

/// Short searches, each from an empty hash table.
struct Searcher {
    shared: Arc<Shared>,
    worker: Worker,
}

impl Searcher {
    fn new() -> Self {
        let shared = Arc::new(Shared::new(TranspositionTable::new(16).unwrap(), Arc::new(Control::new()), 1));
        Self { worker: Worker::new(shared.clone(), 0).unwrap(), shared }
    }

    /// What 20,000 nodes show, without the sign.
    fn centipawns(&mut self, position: Position) -> i32 {
        self.shared.tt.clear();
        self.worker.new_game();
        let result = self.worker.search(&Job::new(position, Limits::nodes(20_000)), None);
        displayed_centipawns(result.lines[0].score).abs()
    }
}

/// A few roots of each class, by a short search: drawn ones stand below a pawn, and won ones above zero; one of queen
/// against pawn may not, where the search does not see a draw that the evaluation does not know.
#[test]
fn searches_show_draws_as_draws_and_wins_as_wins() {
    let (tables, classes) = tables();
    let mut searcher = Searcher::new();
    for class in classes {
        let mut rng = Rng::new(11);
        let mut wrong = Vec::new();
        for is_won in [false, true] {
            for _ in 0..10 {
                // Some classes have few won positions, or none.
                let found = (0..10_000).map(|_| random(class, &tables, &mut rng)).find(|&(_, won)| won == is_won);
                let Some((position, _)) = found else { break };
                let fen = position.fen();
                let shown = searcher.centipawns(position);
                if if is_won { shown < 20 } else { shown > 100 } {
                    wrong.push(format!("{fen}: {shown}"));
                }
            }
        }
        let allowed = usize::from(class.name.starts_with("queen"));
        assert!(wrong.len() <= allowed, "{}: {wrong:#?}", class.name);
    }
}

/// What no table here has: drawn because the king holds the corner, however many pawns and wrong bishops there are.
#[test]
fn more_men_are_held_by_the_same_rules() {
    let mut accumulators = AccumulatorStack::new(Network::embedded());
    for (fen, is_draw) in [
        ("k7/8/P7/P7/P7/8/1B6/K7 w - - 0 1", true),
        ("1k6/8/P7/P7/8/8/1B1B4/K7 w - - 0 1", true),
        ("8/1k6/8/7K/P7/P7/P7/8 b - - 0 1", true),
        ("8/8/8/7p/7p/2b5/6k1/3K2b1 w - - 0 1", false),
        ("k7/8/P7/P7/P7/8/2B5/K7 w - - 0 1", false),
        ("k7/8/P7/1P6/8/8/1B6/K7 w - - 0 1", false),
    ] {
        let position = Position::from_fen(fen).unwrap();
        assert_eq!(evaluate(&position, &mut accumulators) == Score::ZERO, is_draw, "{fen}");
    }
}

/// One or two wrong bishops and one to three pawns on a rook's file against a king in the corner or next to it: a draw,
/// which a search must not lose sight of. It did where it skipped a quiet evasion of the lone king after a losing one.
#[test]
fn searches_show_that_wrong_bishops_draw() {
    let mut searcher = Searcher::new();
    let mut rng = Rng::new(5);
    let mut roots = 0;
    while roots < 60 {
        let [file, strong, to_move] = [(); 3].map(|()| rng.below(2));
        let corner = Square::new([File::A, File::H][file], Rank::Eight);
        let mut setup = Setup::empty();
        let mut pieces = vec![Piece::WhiteKing, Piece::BlackKing];
        pieces.extend([Piece::WhiteBishop].repeat(1 + rng.below(2)));
        pieces.extend([Piece::WhitePawn].repeat(1 + rng.below(3)));
        let is_allowed = pieces.iter().all(|&piece| {
            let square = Square::from_low_bits(rng.below(64));
            let is_free = setup.pieces[square.index()].replace(piece).is_none();
            is_free
                && match piece {
                    Piece::BlackKing => is_next_to(square, corner),
                    Piece::WhiteBishop => is_wrong(square, corner),
                    Piece::WhitePawn => square.file() == corner.file(),
                    _ => true,
                }
        });
        setup.side_to_move = Color::ALL[to_move];
        let setup = if strong == 0 { setup } else { setup.flipped() };
        let position = setup.position().ok().filter(|position| is_allowed && !legal_moves(position).is_empty());
        if let Some(position) = position {
            let fen = position.fen();
            let shown = searcher.centipawns(position);
            assert!(shown <= 100, "{fen}: {shown}");
            roots += 1;
        }
    }
}

/// Returns true for a square itself, too.
fn is_next_to(a: Square, b: Square) -> bool {
    a.file().index().abs_diff(b.file().index()) <= 1 && a.rank().index().abs_diff(b.rank().index()) <= 1
}
