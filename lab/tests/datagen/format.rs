//! Viriformat: the reader and the writer against each other, against the crate viriformat, and against damage.

use std::io::{self, BufReader, Cursor, Read};

use sleight::{
    movegen::{is_legal, legal_moves},
    outcome::Outcome,
    position::Position,
    types::{Color, Move, MoveKind},
    util::Rng,
};
use sleight_lab::datagen::format::{GameReader, GameRecord, ReadError};
use viriformat::{
    chess::{
        board::{Board, GameOutcome},
        chessmove::{Move as TheirMove, MoveFlags},
        piece::PieceType as TheirPiece,
        types::Square as TheirSquare,
    },
    dataformat::{Filter, Game as TheirGame, WDL},
};

const STARTS: [&str; 7] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    // Promotions with and without capture, for both sides.
    "1n2k1n1/P1P4P/8/8/8/8/p1p4p/1N2K1N1 w - - 0 1",
    // En passant as the very first move.
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    // Chess960, with rooks that castle from inner files and one that only looks as if.
    "nrbkrqbn/pppppppp/8/8/8/8/PPPPPPPP/NRBKRQBN w EBeb - 0 1",
    "rbbqnnkr/pppppppp/8/8/8/8/PPPPPPPP/RBBQNNKR w HAha - 0 1",
    "2rkr3/8/8/8/8/8/8/RRK1R3 w EBe - 7 31",
];

/// Random play from `start`; castling, captures and promotions are preferred where there are any.
fn random_game(start: &str, rng: &mut Rng) -> GameRecord {
    let start = Position::from_fen(start).unwrap();
    let mut position = start.clone();
    let mut moves = Vec::new();
    while moves.len() < 150 && !position.is_fifty_move_draw() {
        let legal = legal_moves(&position);
        let special: Vec<Move> =
            legal.iter().copied().filter(|mv| mv.is_castle() || mv.is_promotion() || mv.is_en_passant()).collect();
        let pool = if !special.is_empty() && rng.below(3) == 0 { &special[..] } else { &legal[..] };
        let Some(&mv) = pool.get(rng.below(pool.len())) else { break };
        moves.push((mv, Some(rng.next_u64() as i16).filter(|&score| score != 32_100)));
        position.make(mv);
    }
    let mated = position.in_check() && legal_moves(&position).is_empty();
    let outcome = if mated { Outcome::win(!position.side_to_move()) } else { Outcome::Draw };
    GameRecord { start, moves, outcome }
}

fn packed(games: &[GameRecord]) -> Vec<u8> {
    let mut bytes = Vec::new();
    games.iter().for_each(|game| game.write_to(&mut bytes).unwrap());
    bytes
}

fn read(bytes: &[u8]) -> Vec<Result<GameRecord, ReadError>> {
    GameReader::new(BufReader::with_capacity(7, bytes)).collect()
}

fn assert_same(a: &GameRecord, b: &GameRecord) {
    assert_eq!(a.start.shredder_fen(), b.start.shredder_fen());
    assert_eq!((&a.moves, a.outcome), (&b.moves, b.outcome));
}

#[test]
fn games_round_trip() {
    let mut rng = Rng::new(11);
    let games: Vec<GameRecord> = (0..210).map(|round| random_game(STARTS[round % STARTS.len()], &mut rng)).collect();
    let count =
        |wanted: fn(&Move) -> bool| games.iter().flat_map(|game| &game.moves).filter(|(mv, _)| wanted(mv)).count();
    assert!(count(|mv| mv.is_castle()) > 50 && count(|mv| mv.is_promotion()) > 50);
    assert!(count(|mv| mv.is_en_passant()) > 20 && count(|mv| mv.kind() == MoveKind::DoublePush) > 500);

    let bytes = packed(&games);
    assert_eq!(bytes.len(), games.iter().map(GameRecord::packed_len).sum::<usize>());
    let again = read(&bytes);
    assert_eq!(again.len(), games.len());
    for (game, again) in games.iter().zip(again) {
        assert_same(game, &again.unwrap());
    }
}

/// As many men as a packed position has room for, of kinds that no game leads to.
#[test]
fn games_of_any_army_round_trip() {
    let mut rng = Rng::new(73);
    for start in [
        "nnnnknnn/pppppppp/8/8/8/8/PPPPPPPP/1Q1QK1Q1 w - - 0 1",
        "qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1",
        "rrrrkrrr/rrrrrrrr/8/8/8/8/RRRRRRRR/RRRRKRRR w HAha - 0 1",
        "4k3/pppppppp/ppppppp1/8/8/PPPPPPPP/PPPPPPP1/4K3 b - - 0 1",
        "2QQ1Kbk/Q4Qnp/2Q4Q/4Q3/1Q4Q1/3Q4/Q4Q2/2QQ3Q w - - 0 1",
        "4k3/8/8/8/8/8/8/QQQQKQQQ b - - 0 1",
    ] {
        let games: Vec<GameRecord> = (0..20).map(|_| random_game(start, &mut rng)).collect();
        let again = read(&packed(&games));
        assert_eq!(again.len(), games.len());
        games.iter().zip(again).for_each(|(game, again)| assert_same(game, &again.unwrap()));
    }
}

#[test]
fn the_example_of_the_specification_is_written_byte_for_byte() {
    let mut position = Position::startpos();
    let start = position.clone();
    let mut moves = Vec::new();
    for (text, score) in [("e2e4", 10), ("e7e5", 20), ("d1h5", -30), ("e8e7", 32767), ("h5e5", 32767)] {
        let mv = legal_moves(&position).into_iter().find(|mv| mv.to_string() == text).unwrap();
        moves.push((mv, Some(score)));
        position.make(mv);
    }
    let game = GameRecord { start, moves, outcome: Outcome::WhiteWins };
    let text = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let mut bytes = packed(&[game]);
    // The example shows the pieces one by one; in the bytes, the first of two is the low half.
    bytes[8..24].iter_mut().for_each(|byte| *byte = byte.rotate_left(4));
    assert_eq!(text(&bytes[..24]), "ffff00000000ffff612452160000000088888888e9acda9e");
    assert_eq!(text(&bytes[24..32]), "4000010000000200");
    assert_eq!(text(&bytes[32..]), "0c070a0034091400c309e2ff3c0dff7f2709ff7f00000000");
}

/// The same move in the other library's terms, from its meaning rather than its bits.
fn theirs(mv: Move) -> TheirMove {
    let square = |square: sleight::types::Square| TheirSquare::new(square as u8).unwrap();
    let (from, to) = (square(mv.from()), square(mv.to()));
    match (mv.promotion(), mv.kind()) {
        (Some(piece_type), _) => TheirMove::new_with_promo(from, to, TheirPiece::new(piece_type as u8).unwrap()),
        (_, MoveKind::EnPassant) => TheirMove::new_with_flags(from, to, MoveFlags::EnPassant),
        (_, MoveKind::Castle) => TheirMove::new_with_flags(from, to, MoveFlags::Castle),
        _ => TheirMove::new(from, to),
    }
}

/// A ply without a score has one that the other library's filter drops, with all else that it filters allowed.
#[test]
fn the_public_crate_drops_plies_without_a_score() {
    let mut rng = Rng::new(13);
    let mut game = random_game(STARTS[0], &mut rng);
    for (index, (_, score)) in game.moves.iter_mut().enumerate() {
        *score = (index % 3 == 0).then_some(if index % 2 == 0 { 31_000 } else { -31_000 });
    }
    let bytes = packed(std::slice::from_ref(&game));
    assert_eq!(bytes[32 + 4 + 2..][..2], 32_100_i16.to_le_bytes());
    let read = TheirGame::deserialise_from(&mut Cursor::new(&bytes), Vec::new()).unwrap();
    let filter = Filter { min_ply: 0, min_pieces: 0, filter_tactical: false, filter_check: false, ..Filter::default() };
    assert_eq!(read.filter_pass_count(&filter), game.positions() as u64);
    assert_eq!(game.positions(), game.moves.len().div_ceil(3));
}

/// The other library plays each game through as well and refuses what it holds illegal.
#[test]
fn the_public_crate_reads_and_writes_the_same_bytes() {
    let mut rng = Rng::new(12);
    for round in 0..140 {
        let game = random_game(STARTS[round % STARTS.len()], &mut rng);
        let bytes = packed(std::slice::from_ref(&game));

        let read = TheirGame::deserialise_from(&mut Cursor::new(&bytes), Vec::new()).unwrap();
        assert_eq!(read.moves().collect::<Vec<_>>(), game.moves.iter().map(|&(mv, _)| theirs(mv)).collect::<Vec<_>>());
        let outcome = match read.outcome() {
            WDL::Win => Outcome::WhiteWins,
            WDL::Draw => Outcome::Draw,
            WDL::Loss => Outcome::BlackWins,
        };
        assert_eq!(outcome, game.outcome);

        let mut board = Board::new();
        board.set_from_fen(&game.start.shredder_fen(), true).unwrap();
        let mut written = TheirGame::new(&board);
        game.moves.iter().for_each(|&(mv, score)| written.add_move(theirs(mv), score.unwrap_or(32_100)));
        written.set_outcome(match game.outcome {
            Outcome::WhiteWins => GameOutcome::WhiteWin(viriformat::chess::board::WinType::Mate),
            Outcome::Draw => GameOutcome::Draw(viriformat::chess::board::DrawType::Adjudication),
            Outcome::BlackWins => GameOutcome::BlackWin(viriformat::chess::board::WinType::Mate),
        });
        let mut their_bytes = Vec::new();
        written.serialise_into(&mut their_bytes).unwrap();
        assert_eq!(their_bytes, bytes, "{}", game.start.shredder_fen());
    }
}

#[test]
fn a_torn_tail_is_found_wherever_it_tears() {
    let mut rng = Rng::new(13);
    let games: Vec<GameRecord> = STARTS.iter().map(|start| random_game(start, &mut rng)).collect();
    let bytes = packed(&games);
    let mut ends = vec![0];
    games.iter().for_each(|game| ends.push(ends.last().unwrap() + game.packed_len()));
    for length in 0..=bytes.len() {
        let whole = ends.iter().filter(|&&end| end <= length).count() - 1;
        let mut reader = GameReader::new(&bytes[..length]);
        for game in &games[..whole] {
            assert_same(&reader.read_game().unwrap().unwrap(), game);
        }
        match reader.read_game() {
            Ok(None) => assert_eq!(ends[whole], length),
            Err(ReadError::Truncated { complete }) => assert!(complete as usize == ends[whole] && length > ends[whole]),
            other => panic!("{length}: {other:?}"),
        }
        assert!(reader.read_game().unwrap().is_none());
    }
}

#[test]
fn damage_never_panics_and_never_gives_an_illegal_game() {
    let mut rng = Rng::new(14);
    let games: Vec<GameRecord> = (0..6).map(|round| random_game(STARTS[round], &mut rng)).collect();
    let bytes = packed(&games);
    let mut refused = 0;
    for round in 0..20_000 {
        let mut damaged = bytes.clone();
        for _ in 0..=round % 3 {
            damaged[rng.below(bytes.len())] ^= 1 << rng.below(8);
        }
        let results = read(&damaged);
        refused += usize::from(results.iter().any(Result::is_err));
        for game in results.into_iter().flatten() {
            let mut position = game.start.clone();
            position.audit().unwrap();
            for (mv, _) in game.moves {
                assert!(is_legal(&position, mv));
                position.make(mv);
            }
        }
    }
    // Half of all damage hits the scores, which may be anything.
    assert!(refused > 5_000, "{refused}");
}

#[test]
fn random_bytes_are_refused() {
    let mut rng = Rng::new(15);
    for length in 0..400 {
        let noise: Vec<u8> = (0..length).map(|_| rng.next_u64() as u8).collect();
        assert!(read(&noise).iter().all(Result::is_err));
    }
    assert!(read(&[0; 4096]).iter().all(Result::is_err));
}

#[test]
fn reading_resumes_behind_a_damaged_game() {
    let mut rng = Rng::new(16);
    let games: Vec<GameRecord> = (0..3).map(|_| random_game(STARTS[0], &mut rng)).collect();
    let mut bytes = packed(&games);
    bytes[games[0].packed_len() + 30] = 3;
    let results = read(&bytes);
    assert_eq!(results.len(), 3);
    let message = results[1].as_ref().unwrap_err().to_string();
    assert_eq!(message, format!("byte {}: 3 is not a result", games[0].packed_len()));
    assert_same(results[2].as_ref().unwrap(), &games[2]);
}

#[test]
fn results_that_contradict_a_mate_are_refused() {
    let mut position = Position::startpos();
    let mut moves = Vec::new();
    for text in ["f2f3", "e7e5", "g2g4", "d8h4"] {
        let mv = legal_moves(&position).into_iter().find(|mv| mv.to_string() == text).unwrap();
        moves.push((mv, Some(0)));
        position.make(mv);
    }
    let mut game = GameRecord { start: Position::startpos(), moves, outcome: Outcome::win(Color::Black) };
    assert!(read(&packed(std::slice::from_ref(&game)))[0].is_ok());
    game.outcome = Outcome::Draw;
    assert!(read(&packed(std::slice::from_ref(&game)))[0].is_err());
}

/// The end of the input is no error of its own; a failed read is, also while the rest of a damaged game is skipped.
#[test]
fn a_failed_read_is_reported() {
    struct Failing;
    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("a bad sector"))
        }
    }
    let mut rng = Rng::new(14);
    let mut bytes = packed(&[random_game(STARTS[0], &mut rng)]);
    bytes.truncate(bytes.len() - 4);
    for damage in [false, true] {
        if damage {
            bytes[32] ^= 0xff;
        }
        let mut reader = GameReader::new(BufReader::new(bytes.chain(Failing)));
        assert!(matches!(reader.read_game(), Err(ReadError::Io(_))), "{damage}");
    }
}
